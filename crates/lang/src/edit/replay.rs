//! Lists of edits: made one by one on a seed, written down, and made again, all of them or some.

use super::fragment::{Fragment, Names};
use super::holder::{Holder, Holders};
use super::step::{Edit, ItemPlace, ItemRef, Operand, Place, Ref};
use super::{Change, Refused, Renaming, attempt};
use crate::build::Built;
use crate::compose::{Composed, Composer};
use crate::id::Id;
use crate::program::{DeclId, Entity, ExprId, FuncId, Item, LabelId, ObjId, Program, StmtId, StmtKind};
use crate::scope::{self, Named, Tagged};
use crate::ty::{EnumId, EnumeratorId, RecordId};
use crate::visit::{self, Node, Walk};
use rustc_hash::FxHashMap;

/// How far the arenas were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    exprs: usize,
    stmts: usize,
    objects: usize,
    funcs: usize,
    decls: usize,
    labels: usize,
    records: usize,
    enums: usize,
    constants: usize,
}

impl Level {
    fn of(program: &Program) -> Level {
        Level {
            exprs: program.exprs.len(),
            stmts: program.stmts.len(),
            objects: program.objects.len(),
            funcs: program.funcs.len(),
            decls: program.decls.len(),
            labels: program.labels.len(),
            records: program.types.records.len(),
            enums: program.types.enums.len(),
            constants: program.types.enumerators.len(),
        }
    }
}

/// An arena whose elements edits refer to.
pub(super) trait Numbered: Id {
    fn level(level: Level) -> usize;
}

macro_rules! numbered {
    ($($id:ty: $field:ident;)*) => {$(
        impl Numbered for $id {
            fn level(level: Level) -> usize {
                level.$field
            }
        }
    )*};
}

numbered! {
    ExprId: exprs;
    StmtId: stmts;
    ObjId: objects;
    FuncId: funcs;
    DeclId: decls;
    LabelId: labels;
    RecordId: records;
    EnumId: enums;
    EnumeratorId: constants;
}

/// A seed and the edits that were made on it.
///
/// ```
/// use howler_lang::edit::{Edit, Edited, Ref};
/// use howler_lang::program::{Program, StmtId};
///
/// /// The program without a statement, and the edit as it can be stored.
/// fn without(seed: Program, stmt: StmtId) -> Option<(Program, String)> {
///     let mut edited = Edited::new(seed);
///     edited.apply(Edit::Remove(Ref::Seed(stmt))).ok()?;
///     let stored = edited.edits()[0].to_string();
///     Some((edited.into_program(), stored))
/// }
/// ```
pub struct Edited {
    program: Program,
    edits: Vec<Edit>,
    /// Before and after each edit; nothing for one that was left out.
    levels: Vec<Option<(Level, Level)>>,
    seed: Level,
    /// What expressions around a changed operand have become.
    moved: FxHashMap<ExprId, ExprId>,
}

impl Edited {
    /// A seed without edits.
    pub fn new(seed: Program) -> Edited {
        let level = Level::of(&seed);
        Edited {
            program: seed,
            edits: Vec::new(),
            levels: Vec::new(),
            seed: level,
            moved: FxHashMap::default(),
        }
    }

    /// The program as it is now.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program, with nothing left of how it was made.
    pub fn into_program(self) -> Program {
        self.program
    }

    /// The edits that were made.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Makes an edit, or leaves everything as it was.
    pub fn apply(&mut self, edit: Edit) -> Result<(), Refused> {
        let before = Level::of(&self.program);
        let mut moved = Vec::new();
        let resolver = Resolver { levels: &self.levels, seed: self.seed, moved: &self.moved };
        attempt(&mut self.program, |change| {
            resolver.make(change, &edit)?;
            moved = change.take_moved();
            Ok(())
        })?;
        self.moved.extend(moved);
        self.levels.push(Some((before, Level::of(&self.program))));
        self.edits.push(edit);
        Ok(())
    }

    /// Makes several edits in one step, all of them or none: what each may name of the others is what
    /// [`Edited::apply`] would have made of them one by one. A long list costs little more than one edit.
    ///
    /// # Errors
    /// Why one of them cannot be made, or what is wrong with the program after the last.
    pub fn apply_all(&mut self, edits: Vec<Edit>) -> Result<(), Refused> {
        let (mut levels, mut moved) = (self.levels.clone(), self.moved.clone());
        let seed = self.seed;
        attempt(&mut self.program, |change| {
            for edit in &edits {
                let before = Level::of(change.program());
                Resolver { levels: &levels, seed, moved: &moved }.make(change, edit)?;
                moved.extend(change.take_moved());
                levels.push(Some((before, Level::of(change.program()))));
            }
            Ok(())
        })?;
        (self.levels, self.moved) = (levels, moved);
        self.edits.extend(edits);
        Ok(())
    }

    /// Makes groups of edits in one step: what `group` says of each number, told the number that its first edit has. A group
    /// of which an edit cannot be made is left out; says of each whether it was made. With the others the program is
    /// well-formed, or nothing is made.
    ///
    /// # Errors
    /// What is wrong with the program after the last.
    pub fn apply_groups(
        &mut self,
        number: usize,
        mut group: impl FnMut(usize, u32) -> Vec<Edit>,
    ) -> Result<Vec<bool>, Refused> {
        let (mut levels, mut moved) = (self.levels.clone(), self.moved.clone());
        let seed = self.seed;
        let mut edits: Vec<Edit> = Vec::new();
        let mut done = Vec::with_capacity(number);
        attempt(&mut self.program, |change| {
            for number in 0..number {
                let all = group(number, levels.len() as u32);
                let (here, before) = (change.here(), levels.len());
                let mut own_moved = Vec::new();
                let own = all.iter().try_for_each(|edit| {
                    let before = Level::of(change.program());
                    Resolver { levels: &levels, seed, moved: &moved }.make(change, edit)?;
                    let now = change.take_moved();
                    own_moved.extend(now.iter().map(|&(old, _)| old));
                    moved.extend(now);
                    levels.push(Some((before, Level::of(change.program()))));
                    Ok::<(), Refused>(())
                });
                done.push(own.is_ok());
                match own {
                    Ok(()) => edits.extend(all),
                    Err(_) => {
                        change.go_back(here);
                        levels.truncate(before);
                        for old in &own_moved {
                            moved.remove(old);
                        }
                    }
                }
            }
            Ok(())
        })?;
        (self.levels, self.moved) = (levels, moved);
        self.edits.extend(edits);
        Ok(done)
    }

    /// Makes those edits of a list again that `keep` is true of. An edit is left out if one that it needs is, or if it
    /// cannot be made any more. Says of each whether it was made; numbers in later edits stay what they are.
    pub fn replay(seed: Program, edits: &[Edit], keep: impl Fn(usize) -> bool) -> (Edited, Vec<bool>) {
        let mut edited = Edited::new(seed);
        let mut made = Vec::with_capacity(edits.len());
        for (index, edit) in edits.iter().enumerate() {
            let needed = edit.needs().iter().all(|&need| made.get(need as usize) == Some(&true));
            let done = keep(index) && needed && edited.apply(edit.clone()).is_ok();
            if !done {
                // Its number is taken, so that others keep theirs.
                edited.levels.push(None);
                edited.edits.push(edit.clone());
            }
            made.push(done);
        }
        (edited, made)
    }

    /// New code for an edit: statements that `f` composes beside the program, which is as it was afterwards. What they
    /// declare they declare in a block; what has linkage is the program's, or the compiler's
    /// ([`Composer::builtin`]).
    ///
    /// ```
    /// use howler_lang::compose::{Composed, Composer, Value};
    /// use howler_lang::edit::{Edit, Edited, Place, Refused};
    /// use howler_lang::program::{BinaryOp, ObjId, StmtId};
    ///
    /// /// Puts `if (x != value) __builtin_abort();` before a statement.
    /// fn check(edited: &mut Edited, at: StmtId, x: ObjId, value: i128) -> Result<(), Refused> {
    ///     let code = edited.statements(|c: &mut Composer| {
    ///         let (ty, x) = (c.program.objects[x].ty, c.lvalue(x));
    ///         let value = c.constant(ty, &Value::Int(value))?;
    ///         let differs = c.binary(BinaryOp::Ne, x, value)?;
    ///         let abort = c.builtin("__builtin_abort")?;
    ///         let abort = c.call(abort, &[])?;
    ///         Ok(vec![c.when(differs, &[abort])?])
    ///     })?;
    ///     edited.apply(Edit::Insert { place: Place::Before(edited.stmt(at)), code })
    /// }
    /// ```
    ///
    /// # Errors
    /// What `f` says, or that an edit has no text for what it composed.
    pub fn statements(
        &mut self,
        f: impl FnOnce(&mut Composer) -> Composed<Vec<StmtId>>,
    ) -> Result<Fragment, Refused> {
        self.in_place(|edited, c| {
            let stmts = f(c)?;
            Fragment::of_stmts(&c.program, &stmts, edited)
        })
    }

    /// The same for an expression.
    ///
    /// # Errors
    /// What `f` says, or that an edit has no text for what it composed.
    pub fn expression(&mut self, f: impl FnOnce(&mut Composer) -> Built) -> Result<Fragment, Refused> {
        self.in_place(|edited, c| {
            let e = f(c)?;
            Fragment::of_expr(&c.program, e, edited)
        })
    }

    /// Code whose place is not known yet: its unit is none of the program's.
    fn in_place(
        &mut self,
        f: impl FnOnce(&Edited, &mut Composer) -> Result<Fragment, Refused>,
    ) -> Result<Fragment, Refused> {
        let unit = self.program.units.len() as u32;
        self.beside(|edited, program, _| {
            let mut composer = Composer::beside(program, unit);
            let code = f(edited, &mut composer);
            let (program, items) = composer.into_parts();
            let declares = !items.is_empty();
            (
                program,
                if declares { Err(Refused::Place("statements declare nothing at file scope")) } else { code },
            )
        })
    }

    /// New code for an edit that declares something at file scope of a unit: whatever `f` declares with the composer,
    /// which is for that unit.
    ///
    /// ```
    /// use howler_lang::compose::{Value, signature};
    /// use howler_lang::edit::{Edit, Edited, ItemPlace, Refused};
    /// use howler_lang::program::{BinaryOp, Linkage};
    /// use howler_lang::scope::Named;
    /// use howler_lang::ty::Type;
    ///
    /// /// Adds a counter to the first unit, and a function that counts. Returns the function.
    /// fn counter(edited: &mut Edited) -> Result<Option<Named>, Refused> {
    ///     let (name, bump) = (edited.fresh("counter"), edited.fresh("bump"));
    ///     let code = edited.items(0, |c| {
    ///         let counter = c.global(&name, Type::UINT, Linkage::Internal, Some(&Value::Int(3)))?;
    ///         let func = c.function(&bump, signature(Type::UINT, &[]), Linkage::Internal)?;
    ///         let (left, right) = (c.lvalue(counter), c.int(1)?);
    ///         let sum = c.compound_assign(BinaryOp::Add, left, right)?;
    ///         let body = [c.returns(func, Some(sum))?];
    ///         c.define(func, Vec::new(), &body)
    ///     })?;
    ///     edited.apply(Edit::Declare { place: ItemPlace::Start(0), code })?;
    ///     Ok(edited.named(0, &bump))
    /// }
    /// ```
    ///
    /// # Errors
    /// What `f` says, or that an edit has no text for what it composed.
    pub fn items(
        &mut self,
        unit: u32,
        f: impl FnOnce(&mut Composer) -> Composed<()>,
    ) -> Result<Fragment, Refused> {
        self.beside(|edited, program, before| {
            let mut composer = Composer::beside(program, unit);
            let done = f(&mut composer);
            let (program, items) = composer.into_parts();
            let code = match done {
                Ok(()) => Fragment::of_items(&program, &items, edited, before),
                Err(violation) => Err(violation.into()),
            };
            (program, code)
        })
    }

    /// Lends the program to `f`, and makes it what it was.
    fn beside<T>(&mut self, f: impl FnOnce(&Edited, Program, (usize, usize)) -> (Program, T)) -> T {
        let (mark, symbols) = (self.program.mark_end(), self.program.symbols.len());
        let before = (self.program.objects.len(), self.program.funcs.len());
        let empty = Program::new(self.program.target);
        let program = std::mem::replace(&mut self.program, empty);
        let (program, said) = f(self, program, before);
        self.program = program;
        self.program.go_back(mark);
        self.program.symbols.truncate(symbols);
        said
    }

    /// A name that starts with `prefix` and is nowhere in the program.
    pub fn fresh(&self, prefix: &str) -> String {
        self.program.fresh_name(prefix)
    }

    /// What a name means at the end of a unit.
    pub fn named(&self, unit: u32, name: &str) -> Option<Named> {
        scope::at_file_scope(&self.program, unit, name)
    }

    /// The struct, union or enumeration that a unit declares at file scope under a tag.
    pub fn tagged(&self, unit: u32, tag: &str) -> Option<Tagged> {
        scope::tag_at_file_scope(&self.program, unit, tag)
    }

    /// The place before the declaration at file scope that holds a statement: what is declared there can be named in
    /// it.
    pub fn before_function_of(&self, s: StmtId) -> Option<ItemPlace> {
        let func = Holders::of(&self.program).function(s)?;
        let mut outermost = func;
        while let Some(around) = self.program.funcs[outermost].parent {
            outermost = around;
        }
        let defines = |item: &&Item| match **item {
            Item::Decl(decl) => visit::defined_by(&self.program, decl) == Some(outermost),
            _ => false,
        };
        let mut items = self.program.units.iter().flat_map(|unit| &unit.items);
        match *items.find(defines)? {
            Item::Decl(decl) => Some(ItemPlace::Before(ItemRef::Decl(self.decl(decl)))),
            _ => None,
        }
    }

    /// How an edit can refer to something of the program.
    fn reference<I: Numbered>(&self, id: I) -> Ref<I> {
        if id.index() < I::level(self.seed) {
            return Ref::Seed(id);
        }
        for (edit, level) in self.levels.iter().enumerate() {
            if let Some((before, after)) = *level
                && (I::level(before)..I::level(after)).contains(&id.index())
            {
                return Ref::Made { edit: edit as u32, number: (id.index() - I::level(before)) as u32 };
            }
        }
        Ref::Seed(id)
    }

    /// How an edit refers to a statement.
    pub fn stmt(&self, s: StmtId) -> Ref<StmtId> {
        self.reference(s)
    }

    /// How an edit refers to an expression.
    pub fn expr(&self, e: ExprId) -> Ref<ExprId> {
        self.reference(e)
    }

    /// How an edit refers to an object.
    pub fn object(&self, object: ObjId) -> Ref<ObjId> {
        self.reference(object)
    }

    /// How an edit refers to a function.
    pub fn function(&self, func: FuncId) -> Ref<FuncId> {
        self.reference(func)
    }

    /// How an edit refers to a declaration.
    pub fn decl(&self, decl: DeclId) -> Ref<DeclId> {
        self.reference(decl)
    }

    /// How an edit refers to an item of a unit; nothing for those that no edit removes.
    pub fn item(&self, item: Item) -> Option<ItemRef> {
        Some(match item {
            Item::RecordTag(id) => ItemRef::RecordTag(self.reference(id)),
            Item::Record(id) => ItemRef::Record(self.reference(id)),
            Item::Enum(id) => ItemRef::Enum(self.reference(id)),
            Item::Decl(decl) => ItemRef::Decl(self.reference(decl)),
            Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => return None,
        })
    }
}

impl Names for Edited {
    fn object(&self, object: ObjId) -> Ref<ObjId> {
        self.reference(object)
    }

    fn function(&self, func: FuncId) -> Ref<FuncId> {
        self.reference(func)
    }

    fn label(&self, label: LabelId) -> Ref<LabelId> {
        self.reference(label)
    }

    fn record(&self, record: RecordId) -> Ref<RecordId> {
        self.reference(record)
    }

    fn enumeration(&self, id: EnumId) -> Ref<EnumId> {
        self.reference(id)
    }

    fn constant(&self, constant: EnumeratorId) -> Ref<EnumeratorId> {
        self.reference(constant)
    }
}

/// What the references of an edit stand for now.
#[derive(Clone, Copy)]
pub(super) struct Resolver<'a> {
    levels: &'a [Option<(Level, Level)>],
    seed: Level,
    moved: &'a FxHashMap<ExprId, ExprId>,
}

impl Resolver<'_> {
    pub(super) fn id<I: Numbered>(self, reference: Ref<I>) -> Result<I, Refused> {
        match reference {
            Ref::Seed(id) if id.index() < I::level(self.seed) => Ok(id),
            Ref::Seed(_) => Err(Refused::Place("the seed has no such thing")),
            Ref::Made { edit, number } => {
                let level = self.levels.get(edit as usize).copied().flatten();
                let Some((before, after)) = level else {
                    return Err(Refused::Place("an edit that is needed was not made"));
                };
                let index = I::level(before) + number as usize;
                if index < I::level(after) {
                    Ok(I::from_index(index))
                } else {
                    Err(Refused::Place("an edit that is needed made something else"))
                }
            }
        }
    }

    /// An expression may have been made again around a changed operand.
    fn expr(self, e: Ref<ExprId>) -> Result<ExprId, Refused> {
        let mut e = self.id(e)?;
        while let Some(&now) = self.moved.get(&e) {
            e = now;
        }
        Ok(e)
    }

    fn make(self, change: &mut Change, edit: &Edit) -> Result<(), Refused> {
        match edit {
            Edit::Remove(s) => change.remove(self.id(*s)?),
            Edit::Insert { place, code } => {
                let (Place::Before(at) | Place::Instead(at) | Place::End(at)) = *place;
                let unit = unit_of(change, Node::Stmt(self.id(at)?));
                let stmts = code.statements(change, self, unit)?;
                let nodes: Vec<Node> = stmts.iter().map(|&s| Node::Stmt(s)).collect();
                let returned = returned(change.program(), &nodes);
                self.put(change, *place, &stmts)?;
                // Only now it is known what their function returns.
                returned.into_iter().try_for_each(|e| change.replace_expr(e, e))
            }
            Edit::Declare { place, code } => {
                let (unit, index) = self.item_place(change, *place)?;
                let items = code.items(change, self, unit as u32)?;
                let functions: Vec<Node> = items
                    .iter()
                    .filter_map(|&item| match item {
                        Item::Decl(decl) => visit::defined_by(change.program(), decl).map(Node::Function),
                        _ => None,
                    })
                    .collect();
                let returned = returned(change.program(), &functions);
                change.declare(unit, index, &items)?;
                returned.into_iter().try_for_each(|e| change.replace_expr(e, e))
            }
            Edit::Copy { first, last, place, renaming } => {
                let stmts = range(change, self.id(*first)?, self.id(*last)?)?;
                let mut names = Renaming::default();
                for &(from, to) in renaming {
                    names.insert(self.id(from)?, self.id(to)?);
                }
                let copy = change.copy(&stmts, &names)?;
                self.put(change, *place, &copy)
            }
            Edit::Wrap { first, last } => change.wrap(self.id(*first)?, self.id(*last)?).map(|_| ()),
            Edit::Move { first, last, place } => {
                let stmts = range(change, self.id(*first)?, self.id(*last)?)?;
                let (Place::Before(at) | Place::Instead(at) | Place::End(at)) = *place;
                let at = self.id(at)?;
                change.take_out(&stmts, at)?;
                self.put(change, *place, &stmts)
            }
            Edit::Replace { at, with } => {
                let at = self.expr(*at)?;
                let new = match with {
                    Operand::Part(e) => self.expr(*e)?,
                    Operand::Copy(e) => {
                        let e = self.expr(*e)?;
                        change.copy_expr(e, &Renaming::default())?
                    }
                    Operand::Code(code) => {
                        let unit = unit_of(change, Node::Expr(at));
                        code.expression(change, self, unit)?
                    }
                };
                change.replace_expr(at, new)
            }
            Edit::Outline { first, last } => change.outline(self.id(*first)?, self.id(*last)?).map(|_| ()),
            Edit::CopyFunction(func) => change.copy_function(self.id(*func)?).map(|_| ()),
            Edit::Redirect { from, to } => change.redirect(self.id(*from)?, self.id(*to)?),
            Edit::RemoveFunction(func) => change.remove_function(self.id(*func)?),
            Edit::RemoveItem(item) => {
                let (unit, index) = self.item(change, *item)?;
                change.remove_item(unit, index)
            }
        }
    }

    /// The unit and the number of a declaration.
    fn item(self, change: &Change, item: ItemRef) -> Result<(usize, usize), Refused> {
        let item = match item {
            ItemRef::RecordTag(id) => Item::RecordTag(self.id(id)?),
            ItemRef::Record(id) => Item::Record(self.id(id)?),
            ItemRef::Enum(id) => Item::Enum(self.id(id)?),
            ItemRef::Decl(decl) => Item::Decl(self.id(decl)?),
        };
        let mut units = change.program().units.iter().enumerate();
        let found = units.find_map(|(unit, contents)| {
            let index = contents.items.iter().position(|&other| other == item)?;
            Some((unit, index))
        });
        found.ok_or(Refused::Place("there is no such item"))
    }

    /// The unit, and the number of the item that comes next.
    fn item_place(self, change: &Change, place: ItemPlace) -> Result<(usize, usize), Refused> {
        let (unit, at) = match place {
            ItemPlace::Before(item) => return self.item(change, item),
            ItemPlace::After(item) => {
                return self.item(change, item).map(|(unit, index)| (unit, index + 1));
            }
            ItemPlace::Start(unit) => (unit as usize, 0),
            ItemPlace::End(unit) => (unit as usize, usize::MAX),
        };
        match change.program().units.get(unit) {
            Some(contents) => Ok((unit, at.min(contents.items.len()))),
            None => Err(Refused::Place("there is no such unit")),
        }
    }

    fn put(self, change: &mut Change, place: Place, stmts: &[StmtId]) -> Result<(), Refused> {
        match place {
            Place::Before(s) => change.insert_before(self.id(s)?, stmts),
            Place::Instead(s) => change.replace(self.id(s)?, stmts),
            Place::End(block) => change.append(self.id(block)?, stmts),
        }
    }
}

/// What the `return` statements of some nodes return.
fn returned(program: &Program, nodes: &[Node]) -> Vec<ExprId> {
    let inside = nodes.iter().flat_map(|&node| Walk::of(program, node).statements());
    let value = |s: StmtId| match program.stmts[s].kind {
        StmtKind::Return(value) => value,
        _ => None,
    };
    inside.filter_map(value).collect()
}

/// The unit that a node stands in.
fn unit_of(change: &mut Change, node: Node) -> u32 {
    let mut node = node;
    loop {
        let holder = match node {
            Node::Expr(e) => change.holders().expr(e),
            Node::Stmt(s) => change.holders().stmt(s),
            Node::Init(i) => change.holders().init(i),
            Node::Function(func) => return change.program().funcs[func].unit,
        };
        node = match holder {
            Some(Holder::Expr(e)) => Node::Expr(e),
            Some(Holder::Stmt(s) | Holder::Decl(_, Some(s))) => Node::Stmt(s),
            Some(Holder::Init(i)) => Node::Init(i),
            Some(Holder::Function(func)) => Node::Function(func),
            Some(Holder::Decl(decl, None)) => {
                return match change.program().decls[decl].entity {
                    Entity::Object(object) => change.program().objects[object].unit,
                    _ => 0,
                };
            }
            Some(Holder::Bound(_) | Holder::Parameter(_)) | None => return 0,
        };
    }
}

/// The statements of one block from one to another; a single one may stand anywhere.
fn range(change: &mut Change, first: StmtId, last: StmtId) -> Result<Vec<StmtId>, Refused> {
    if first == last {
        return Ok(vec![first]);
    }
    match (change.place(first), change.place(last)) {
        (Some((block, from)), Some((other, to))) if block == other && from <= to => {
            match change.program().stmts[block].kind {
                StmtKind::Compound(list) => Ok(change.program().block(list)[from..=to].to_vec()),
                _ => Err(Refused::Place("not a range of one block")),
            }
        }
        _ => Err(Refused::Place("not a range of one block")),
    }
}
