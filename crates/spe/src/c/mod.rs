//! C: a typed program as something whose variables can be exchanged.
//!
//! Holes are uses of variables. What stays as it is: static initialisers and other constants, operands of `asm`, the
//! arguments of `va_start`, array bounds, and what comes from a header. Where an address is taken, variables declared
//! `register` are no candidates.

mod context;
mod kind;

use std::ops::Range;

use howler_lang::compat;
use howler_lang::print::{self, NamePlace, PrintOptions, Referent, Wanted};
use howler_lang::program::{ExprId, FuncId, Linkage, ObjId, Program};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::ty::Type;
use howler_lang::visit::How;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::paper;
use crate::skeleton::{Hole, Skeleton, SkeletonError, Var};
use crate::template::Template;
use context::{Context, Contexts};
use kind::Kinds;

/// How a program is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// What variables may stand for each other.
    pub types: Types,
    /// Whether initialisers tell variables apart.
    pub initialisers: Initialisers,
    /// Whether functions are looked at together.
    pub reach: Reach,
    /// How the text is printed.
    pub includes: print::Includes,
}

/// What variables may stand in a hole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Types {
    /// Those of the same type, with the same qualifiers.
    #[default]
    Same,
    /// Those of compatible types.
    Compatible,
}

/// Whether initialisers tell variables apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Initialisers {
    /// They do: `int a = 1, b = 2;` are not interchangeable.
    #[default]
    Count,
    /// They do not, as in the paper. Some variants that differ in what they do are taken for the same.
    Ignored,
}

/// Whether functions are looked at together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reach {
    /// They are: a global that was renamed has another name in all of them.
    #[default]
    Program,
    /// Each by itself, as in the paper: fewer variants, and not all.
    Function,
}

/// A C program whose variables can be exchanged.
#[derive(Clone, Debug)]
pub struct CProgram {
    text: String,
    kinds: Vec<u32>,
    names: Vec<String>,
    holes: Vec<Hole>,
    places: Vec<Range<usize>>,
    groups: Vec<paper::Group>,
    shape: Shape,
    unscoped: Vec<usize>,
    declarators: (Vec<usize>, Vec<usize>),
}

/// What a program is made of: the columns of the paper's table 2.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Shape {
    /// Uses of variables.
    pub holes: usize,
    /// Blocks, functions and files that declare what may stand in some hole.
    pub scopes: usize,
    /// Functions with a body.
    pub functions: usize,
    /// Types of holes.
    pub types: usize,
    /// Variables that may stand in a hole, over all holes.
    pub variables: usize,
}

/// What stands in a hole, and where that is.
struct Found {
    place: NamePlace,
    object: ObjId,
    expr: ExprId,
    context: Context,
}

impl CProgram {
    /// Looks at a unit of a program. Other units, if there are any, stay as they are.
    pub fn new(program: &Program, unit: usize, options: Options) -> CProgram {
        let printing = PrintOptions { includes: options.includes, ..PrintOptions::default() };
        let wanted = Wanted { names: true, comments: None };
        let printed = print::annotated(program, unit, &printing, wanted);
        let contexts = Contexts::of(program, unit);
        let scopes = Scopes::of(program);
        let (found, pinned) = found(program, &contexts, &printed.names);
        let mut kinds = Kinds::new(program, &contexts, options, pinned);
        let mut variables = Variables::default();
        let mut holes = Vec::with_capacity(found.len());
        let mut groups: FxHashMap<(Option<FuncId>, Type), usize> = FxHashMap::default();
        let mut gathered: Vec<Gathered> = Vec::new();
        let mut types: FxHashSet<Type> = FxHashSet::default();
        for hole in &found {
            let ty = program.objects[hole.object].ty;
            let visible = visible(program, &scopes, &contexts, hole, options.types);
            let func = hole.context.func.filter(|_| options.reach == Reach::Function);
            let var = |object: ObjId, variables: &mut Variables, kinds: &mut Kinds<'_>| {
                variables.get((object, func), || kinds.of(object, func))
            };
            let original = var(hole.object, &mut variables, &mut kinds);
            let all = visible.iter().map(|&object| var(object, &mut variables, &mut kinds));
            holes.push(Hole { visible: all.collect(), original });
            types.insert(ty);
            let group = *groups.entry((hole.context.func, ty)).or_insert_with(|| {
                gathered.push(Gathered::default());
                gathered.len() - 1
            });
            gathered[group].add(program, &contexts, &visible);
        }
        let blocks: FxHashSet<u32> = (variables.objects.iter())
            .filter_map(|(object, _)| contexts.declared.get(object)?.first())
            .map(|(_, context)| context.block.number)
            .collect();
        let shape = Shape {
            holes: holes.len(),
            scopes: blocks.len(),
            functions: program.funcs.iter().filter(|(_, func)| func.body.is_some()).count(),
            types: types.len(),
            variables: holes.iter().map(|hole| hole.visible.len()).sum(),
        };
        let name = |&(object, _): &(ObjId, Option<FuncId>)| {
            let name = program.objects[object].name;
            name.map_or(String::new(), |name| program.name(name).to_owned())
        };
        CProgram {
            kinds: variables.kinds,
            names: variables.objects.iter().map(name).collect(),
            places: found.iter().map(|hole| hole.place.range()).collect(),
            groups: gathered.into_iter().map(Gathered::group).collect(),
            unscoped: unscoped(program, &contexts, found.iter().map(|hole| hole.object)),
            declarators: declarators(program, &contexts, &scopes, unit),
            holes,
            shape,
            text: printed.text,
        }
    }

    /// What it is made of.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many programs filling every hole with every variable that may stand there would give.
    pub fn naive(&self) -> BigUint {
        self.holes.iter().map(|hole| BigUint::from(hole.visible.len())).product()
    }

    /// The holes of each function and type as the paper sees them.
    pub fn paper(&self) -> BigUint {
        self.groups.iter().map(paper::Group::count).product()
    }

    /// How many programs there would be if every variable of a hole's type could be seen there, and with holes at
    /// declarators too: without scopes, and with them.
    pub fn with_declarators(&self) -> (BigUint, BigUint) {
        let (unscoped, scoped) = &self.declarators;
        let product =
            |numbers: &[usize]| numbers.iter().map(|&number| BigUint::from(number)).product::<BigUint>();
        let uses: Vec<usize> = self.holes.iter().map(|hole| hole.visible.len()).collect();
        (product(&self.unscoped) * product(unscoped), product(&uses) * product(scoped))
    }

    /// How many programs there would be if every variable of a hole's type could be seen there.
    pub fn unscoped(&self) -> BigUint {
        self.unscoped.iter().map(|&number| BigUint::from(number)).product()
    }
}

impl Template for CProgram {
    fn skeleton(&self) -> Result<Skeleton, SkeletonError> {
        Skeleton::new(&self.kinds, self.holes.clone())
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn place(&self, hole: usize) -> Range<usize> {
        self.places[hole].clone()
    }

    fn name(&self, var: Var) -> &str {
        &self.names[var.index()]
    }
}

/// Variables as they are met.
#[derive(Default)]
struct Variables {
    known: FxHashMap<(ObjId, Option<FuncId>), Var>,
    objects: Vec<(ObjId, Option<FuncId>)>,
    kinds: Vec<u32>,
}

impl Variables {
    fn get(&mut self, key: (ObjId, Option<FuncId>), kind: impl FnOnce() -> u32) -> Var {
        *self.known.entry(key).or_insert_with(|| {
            self.objects.push(key);
            self.kinds.push(kind());
            Var(self.objects.len() as u32 - 1)
        })
    }
}

/// The holes, and the variables that are named elsewhere too.
fn found(program: &Program, contexts: &Contexts, names: &[NamePlace]) -> (Vec<Found>, FxHashSet<ObjId>) {
    let mut times: FxHashMap<ExprId, u32> = FxHashMap::default();
    for expr in names.iter().filter_map(|place| place.expr) {
        *times.entry(expr).or_default() += 1;
    }
    let mut pinned = FxHashSet::default();
    let mut found = Vec::new();
    for &place in names.iter().filter(|place| place.how == How::Names) {
        let Referent::Object(object) = place.names else { continue };
        let hole = place.expr.and_then(|expr| {
            let context = *contexts.uses.get(&expr)?;
            // What is written twice, in types that repeat, is evaluated once.
            let free =
                !context.fixed && times.get(&expr) == Some(&1) && is_candidate(program, contexts, object);
            free.then_some(Found { place, object, expr, context })
        });
        match hole {
            Some(hole) => found.push(hole),
            None => {
                pinned.insert(object);
            }
        }
    }
    (found, pinned)
}

/// Whether a variable may be exchanged at all. One whose declarations have different types may be incomplete where it is
/// seen first.
fn is_candidate(program: &Program, contexts: &Contexts, object: ObjId) -> bool {
    let known = &program.objects[object];
    let all_same = |declared: &Vec<_>| {
        declared.iter().all(|(decl, _): &(_, Context)| program.decls[*decl].ty == known.ty)
    };
    known.name.is_some()
        && !contexts.foreign.contains(&object)
        && contexts.declared.get(&object).is_none_or(all_same)
}

/// What may stand in a hole.
fn visible(
    program: &Program,
    scopes: &Scopes,
    contexts: &Contexts,
    hole: &Found,
    types: Types,
) -> Vec<ObjId> {
    let ty = program.objects[hole.object].ty;
    let fits = |object: ObjId| match types {
        Types::Same => program.objects[object].ty == ty,
        Types::Compatible => compat::compatible(&program.types, program.objects[object].ty, ty),
    };
    let mut all = vec![hole.object];
    for name in scopes.names(Point::At(hole.expr)) {
        let Named::Object(object) = name.named else { continue };
        let register = hole.context.addressed && program.objects[object].register;
        if !name.is_hidden() && fits(object) && !register && is_candidate(program, contexts, object) {
            all.push(object);
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// A group of holes while it is put together.
#[derive(Default)]
struct Gathered {
    outer: FxHashSet<ObjId>,
    holes: usize,
    scopes: FxHashMap<Vec<ObjId>, usize>,
}

impl Gathered {
    fn add(&mut self, program: &Program, contexts: &Contexts, visible: &[ObjId]) {
        let is_outer = |object: &&ObjId| {
            contexts.outermost.contains(*object)
                || program.objects[**object].linkage != Linkage::None
                || contexts.declared.get(*object).is_none_or(|declared| declared[0].1.func.is_none())
        };
        self.outer.extend(visible.iter().filter(is_outer));
        let inner: Vec<ObjId> = visible.iter().filter(|object| !is_outer(object)).copied().collect();
        if inner.is_empty() {
            self.holes += 1;
        } else {
            *self.scopes.entry(inner).or_default() += 1;
        }
    }

    fn group(self) -> paper::Group {
        let mut scopes: Vec<(usize, usize)> =
            self.scopes.into_iter().map(|(variables, holes)| (variables.len(), holes)).collect();
        scopes.sort_unstable();
        paper::Group { variables: self.outer.len(), holes: self.holes, scopes }
    }
}

/// For each of some uses, how many variables of its type there are anywhere.
fn unscoped(program: &Program, contexts: &Contexts, uses: impl Iterator<Item = ObjId>) -> Vec<usize> {
    let mut of_type: FxHashMap<Type, usize> = FxHashMap::default();
    let params = program.funcs.iter().flat_map(|(_, func)| &func.params);
    for object in
        contexts.declared.keys().chain(params).filter(|object| is_candidate(program, contexts, **object))
    {
        *of_type.entry(program.objects[*object].ty).or_default() += 1;
    }
    uses.map(|object| of_type.get(&program.objects[object].ty).copied().unwrap_or(1)).collect()
}

/// For each variable that is declared, how many of its type there are: anywhere, and in its scope.
fn declarators(
    program: &Program,
    contexts: &Contexts,
    scopes: &Scopes,
    unit: usize,
) -> (Vec<usize>, Vec<usize>) {
    let mut objects: Vec<ObjId> = contexts.declared.keys().copied().collect();
    objects.retain(|&object| is_candidate(program, contexts, object));
    objects.sort_unstable();
    let anywhere = unscoped(program, contexts, objects.iter().copied());
    // All declarations of a block see each other, as the paper has it.
    let mut of_block: FxHashMap<u32, Vec<ObjId>> = FxHashMap::default();
    for &object in &objects {
        let block = contexts.declared[&object][0].1.block.number;
        of_block.entry(block).or_default().push(object);
    }
    let in_scope = |&object: &ObjId| {
        let (decl, context) = contexts.declared[&object][0];
        let ty = program.objects[object].ty;
        let same = |other: &&ObjId| program.objects[**other].ty == ty;
        let here = of_block[&context.block.number].iter().filter(same).count();
        let around = match contexts.before.get(&decl) {
            Some(&stmt) => scopes.names(Point::Before(stmt)),
            None => scopes.names(Point::Item { unit: unit as u32, index: 0 }),
        };
        let around = around.iter().filter(|name| match name.named {
            Named::Object(other) => {
                let block = contexts.declared.get(&other).map(|declared| declared[0].1.block.number);
                !name.is_hidden() && block != Some(context.block.number) && same(&&other)
            }
            _ => false,
        });
        here + around.count()
    };
    let scoped = objects.iter().map(in_scope).collect();
    (anywhere, scoped)
}
