//! Lists of edits: made one by one on a seed, written down, and made again, all of them or some.

use super::fragment::{Fragment, Names, SeedTypes};
use super::holder::Holder;
use super::step::{Edit, ItemRef, Operand, Place, Ref};
use super::{Change, Refused, Renaming, attempt};
use crate::build::Built;
use crate::compose::{Composed, Composer};
use crate::id::Id;
use crate::program::{DeclId, Entity, ExprId, FuncId, Item, LabelId, ObjId, Program, StmtId, StmtKind};
use crate::visit::{Node, Walk};
use rustc_hash::FxHashMap;

/// How far the arenas were.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    exprs: usize,
    stmts: usize,
    objects: usize,
    funcs: usize,
    decls: usize,
    labels: usize,
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
        }
    }
}

/// An arena whose elements edits refer to.
trait Numbered: Id {
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
    seed_types: SeedTypes,
    /// What expressions around a changed operand have become.
    moved: FxHashMap<ExprId, ExprId>,
}

impl Edited {
    /// A seed without edits.
    pub fn new(seed: Program) -> Edited {
        let (level, seed_types) = (Level::of(&seed), SeedTypes::of(&seed));
        Edited {
            program: seed,
            seed_types,
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
        self.beside(|edited, c| {
            let stmts = f(c)?;
            Fragment::of_stmts(&c.program, &stmts, edited)
        })
    }

    /// The same for an expression.
    ///
    /// # Errors
    /// What `f` says, or that an edit has no text for what it composed.
    pub fn expression(&mut self, f: impl FnOnce(&mut Composer) -> Built) -> Result<Fragment, Refused> {
        self.beside(|edited, c| {
            let e = f(c)?;
            Fragment::of_expr(&c.program, e, edited)
        })
    }

    fn beside<T>(&mut self, f: impl FnOnce(&Edited, &mut Composer) -> T) -> T {
        let (mark, symbols) = (self.program.mark(), self.program.symbols.len());
        let empty = Program::new(self.program.target);
        let mut composer = Composer { program: std::mem::replace(&mut self.program, empty) };
        // Whatever goes to a unit goes to this one.
        composer.unit(String::new());
        let said = f(self, &mut composer);
        self.program = composer.program;
        self.program.go_back(mark);
        self.program.symbols.truncate(symbols);
        said
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

    fn seed_types(&self) -> SeedTypes {
        self.seed_types
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
    fn id<I: Numbered>(self, reference: Ref<I>) -> Result<I, Refused> {
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

    pub(super) fn object(self, object: Ref<ObjId>) -> Result<ObjId, Refused> {
        self.id(object)
    }

    pub(super) fn function(self, func: Ref<FuncId>) -> Result<FuncId, Refused> {
        self.id(func)
    }

    pub(super) fn label(self, label: Ref<LabelId>) -> Result<LabelId, Refused> {
        self.id(label)
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
                let mut returned = Vec::new();
                for &s in &stmts {
                    let inside = Walk::stmt(change.program(), s).statements();
                    returned.extend(inside.filter_map(|s| match change.program().stmts[s].kind {
                        StmtKind::Return(Some(e)) => Some(e),
                        _ => None,
                    }));
                }
                self.put(change, *place, &stmts)?;
                // Only now it is known what their function returns.
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
                let item = match *item {
                    ItemRef::RecordTag(id) => Item::RecordTag(id),
                    ItemRef::Record(id) => Item::Record(id),
                    ItemRef::Enum(id) => Item::Enum(id),
                    ItemRef::Decl(decl) => Item::Decl(self.id(decl)?),
                };
                let mut units = change.program().units.iter().enumerate();
                let found = units.find_map(|(unit, contents)| {
                    let index = contents.items.iter().position(|&other| other == item)?;
                    Some((unit, index))
                });
                let Some((unit, index)) = found else {
                    return Err(Refused::Place("there is no such item"));
                };
                change.remove_item(unit, index)
            }
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
