//! Code that never runs: the grammar unrolled over what can be named at a point, values unasked. It must compile, and
//! nothing else: it may divide by zero, run for ever, and read what was never set.

use howler_choices::Choices;
use howler_lang::arith::{self, Num};
use howler_lang::compose::{Composed, Composer, Head};
use howler_lang::program::{
    BinaryOp, ExprId, ExprKind, FuncId, Linkage, ObjId, Program, StmtId, StmtKind, UnaryOp,
};
use howler_lang::scope::{Named, Point, Scopes};
use howler_lang::ty::{Quals, RecordKind, Type, TypeKind};

/// What can be named at a point, and where it is.
#[derive(Clone, Debug)]
pub struct Scenery {
    /// Objects that hold numbers, somewhere.
    objects: Vec<ObjId>,
    functions: Vec<FuncId>,
    /// The function it is in.
    func: FuncId,
    /// Whether a loop or a `switch` is around it, and whether a loop is.
    breaks: bool,
    continues: bool,
}

/// How deep statements are nested, and expressions.
const DEPTH: u32 = 2;

/// Objects that are chosen from: the last ones declared are those of inner scopes.
const OBJECTS: usize = 60;

impl Scenery {
    /// What can be named before a statement of a function. `around` are the statements that it is nested in.
    pub fn at(program: &Program, scopes: &Scopes, func: FuncId, at: StmtId, around: &[StmtId]) -> Scenery {
        let mut scenery =
            Scenery { objects: Vec::new(), functions: Vec::new(), func, breaks: false, continues: false };
        for name in scopes.names(Point::Before(at)).into_iter().rev() {
            match name.named {
                _ if name.is_hidden() => {}
                Named::Object(object)
                    if scenery.objects.len() < OBJECTS
                        && holds_numbers(program, program.objects[object].ty)
                        && is_own(program, object) =>
                {
                    scenery.objects.push(object);
                }
                Named::Function(callee) if is_callable(program, callee) => scenery.functions.push(callee),
                _ => {}
            }
        }
        for &stmt in around {
            let is_loop = matches!(
                program.stmts[stmt].kind,
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. }
            );
            scenery.continues |= is_loop;
            scenery.breaks |= is_loop || matches!(program.stmts[stmt].kind, StmtKind::Switch { .. });
        }
        scenery
    }
}

/// Whether an object is the program's: one of the library's, like `signgam`, is not modelled wherever it is named.
pub(crate) fn is_own(program: &Program, object: ObjId) -> bool {
    let it = &program.objects[object];
    it.linkage != Linkage::External
        || it.defined
        || program
            .objects
            .iter()
            .any(|(_, other)| other.defined && other.linkage == Linkage::External && other.name == it.name)
}

/// Whether there is a number in an object of a type, or behind it, that C can name.
fn holds_numbers(program: &Program, ty: Type) -> bool {
    let mut ty = ty;
    // Of structs the first member is enough. A list's leads to a list again, and so on.
    for _ in 0..FAR {
        if arith::num_of(&program.types, &program.target, ty).is_some() {
            return true;
        }
        if program.types.quals(ty).contains(Quals::ATOMIC) {
            return false;
        }
        ty = match program.types.kind(ty) {
            TypeKind::Array { elem, .. } => elem,
            TypeKind::Pointer(to)
                if program.types.is_complete(to) && !program.types.is_variably_modified(to) =>
            {
                to
            }
            TypeKind::Record(id) => match program.types.records[id].fields.first() {
                Some(field) if field.name.is_some_and(|name| !is_of_headers(program, name)) => field.ty,
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}

/// How far a number may lie behind an object: through arrays, members and pointers.
const FAR: u32 = 8;

/// Whether a member's name is one that only headers may use: other headers than Howler's own have other members in such a
/// type, as in `jmp_buf`.
pub(crate) fn is_of_headers(program: &Program, name: howler_lang::symbol::Symbol) -> bool {
    program.name(name).starts_with("__")
}

/// Functions of the program that take numbers and return one.
fn is_callable(program: &Program, func: FuncId) -> bool {
    let function = &program.funcs[func];
    let TypeKind::Function(id) = program.types.kind(function.ty) else { return false };
    let signature = program.types.signature(id);
    let number = |ty| arith::num_of(&program.types, &program.target, ty).is_some();
    function.body.is_some()
        && function.parent.is_none()
        && !signature.variadic
        && program.name(function.name) != "main"
        && number(signature.ret)
        && signature.params.len() == function.params.len()
        && signature.params.iter().all(|&ty| number(ty))
}

/// Code in the making.
pub struct Junk<'a> {
    /// Makes it.
    pub c: &'a mut Composer,
    /// What it is made of.
    pub scenery: &'a Scenery,
}

impl Junk<'_> {
    /// The body of a block that is never entered.
    pub fn body(&mut self, choices: &mut Choices) -> Composed<Vec<StmtId>> {
        let (breaks, continues) = (self.scenery.breaks, self.scenery.continues);
        self.block(choices, DEPTH, (breaks, continues))
    }

    fn block(&mut self, choices: &mut Choices, depth: u32, jumps: (bool, bool)) -> Composed<Vec<StmtId>> {
        let number = choices.range("statements", 1..=3u32);
        (0..number).map(|_| self.statement(choices, depth, jumps)).collect()
    }

    fn statement(&mut self, choices: &mut Choices, depth: u32, jumps: (bool, bool)) -> Composed<StmtId> {
        let (breaks, continues) = jumps;
        match choices.range("statement", 0..=11u32) {
            0 | 1 if depth > 0 => {
                let cond = self.expression(choices, 1)?;
                let then = self.block(choices, depth - 1, jumps)?;
                if choices.chance("else", 1, 3) {
                    let other = self.block(choices, depth - 1, jumps)?;
                    return self.c.either(cond, &then, &other);
                }
                self.c.when(cond, &then)
            }
            2 | 3 if depth > 0 => self.counted(choices, depth),
            4 if depth > 0 => {
                let cond = self.expression(choices, 1)?;
                let body = self.block(choices, depth - 1, (true, true))?;
                self.c.while_loop(cond, &body)
            }
            5 if breaks => Ok(self.c.breaks()),
            6 if continues => Ok(self.c.continues()),
            7 => self.returned(choices),
            8 if !self.scenery.functions.is_empty() => {
                let call = self.call(choices)?;
                self.c.expr(call)
            }
            _ => self.assignment(choices),
        }
    }

    /// `for (x = 0; x < n; x++) { … }` with a variable that is there.
    fn counted(&mut self, choices: &mut Choices, depth: u32) -> Composed<StmtId> {
        let Some(counter) = self.lvalue(choices, true)? else { return self.assignment(choices) };
        let zero = self.c.int(choices.range("from", -1..=1i128))?;
        let begin = self.c.assign(counter, zero)?;
        let end = self.expression(choices, 0)?;
        let cond = self.c.binary(BinaryOp::Lt, counter, end)?;
        let step = self.c.unary(UnaryOp::PostInc, counter)?;
        let body = self.block(choices, depth - 1, (true, true))?;
        self.c.for_loop(Head::Expr(begin), Some(cond), Some(step), &body)
    }

    fn returned(&mut self, choices: &mut Choices) -> Composed<StmtId> {
        let func = self.scenery.func;
        let TypeKind::Function(id) = self.c.program.types.kind(self.c.program.funcs[func].ty) else {
            return self.assignment(choices);
        };
        let ret = self.c.program.types.signature(id).ret;
        if self.c.program.funcs[func].noreturn {
            return self.assignment(choices);
        }
        if self.c.program.types.is_void(ret) {
            return self.c.returns(func, None);
        }
        if arith::num_of(&self.c.program.types, &self.c.program.target, ret).is_none() {
            return self.assignment(choices);
        }
        let value = self.expression(choices, 1)?;
        self.c.returns(func, Some(value))
    }

    fn assignment(&mut self, choices: &mut Choices) -> Composed<StmtId> {
        let Some(lvalue) = self.lvalue(choices, false)? else { return Ok(self.c.nothing()) };
        let value = self.expression(choices, 2)?;
        let made = match choices.range("assignment", 0..=3u32) {
            0 => {
                let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::BitXor, BinaryOp::BitOr];
                let op = *choices.one_of("operator", &ops);
                self.c.compound_assign(op, lvalue, value).or_else(|_| self.c.assign(lvalue, value))?
            }
            1 => self.c.unary(*choices.one_of("step", &[UnaryOp::PreInc, UnaryOp::PostDec]), lvalue)?,
            _ => self.c.assign(lvalue, value)?,
        };
        self.c.expr(made)
    }

    fn call(&mut self, choices: &mut Choices) -> Composed<ExprId> {
        let Some(&func) = choices.pick("function", &self.scenery.functions) else {
            return self.c.int(0);
        };
        let number = self.c.program.funcs[func].params.len();
        let arguments: Composed<Vec<ExprId>> = (0..number).map(|_| self.expression(choices, 1)).collect();
        self.c.call_of(func, &arguments?)
    }

    /// A number that is computed from anything.
    fn expression(&mut self, choices: &mut Choices, depth: u32) -> Composed<ExprId> {
        if depth > 0 {
            match choices.range("expression", 0..=7u32) {
                0 => {
                    let inner = self.expression(choices, depth - 1)?;
                    let op = *choices.one_of("operator", &[UnaryOp::Neg, UnaryOp::BitNot, UnaryOp::Not]);
                    // `~` is for integers only.
                    return self.c.unary(op, inner).or_else(|_| self.c.unary(UnaryOp::Not, inner));
                }
                1..=4 => {
                    let left = self.expression(choices, depth - 1)?;
                    let right = self.expression(choices, depth - 1)?;
                    let op = *choices.one_of("operator", &OPERATORS);
                    return self
                        .c
                        .binary(op, left, right)
                        .or_else(|_| self.c.binary(BinaryOp::Add, left, right));
                }
                5 if !self.scenery.functions.is_empty() => return self.call(choices),
                _ => {}
            }
        }
        if choices.chance("variable", 3, 4)
            && let Some(lvalue) = self.part(choices, |_, _| true)?
        {
            return Ok(lvalue);
        }
        self.c.int(choices.range("number", -3..=9i128))
    }

    /// Something that can be assigned to; a plain integer if `counter`.
    fn lvalue(&mut self, choices: &mut Choices, counter: bool) -> Composed<Option<ExprId>> {
        let wanted = |program: &Program, e: ExprId| {
            let ty = program.ty(e);
            let num = arith::num_of(&program.types, &program.target, ty);
            is_modifiable(program, e)
                && (!counter || matches!(num, Some(Num::Int { width, .. }) if width >= 8))
        };
        for _ in 0..4 {
            if let Some(found) = self.part(choices, wanted)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// A number in an object or behind it.
    fn part(
        &mut self,
        choices: &mut Choices,
        wanted: impl Fn(&Program, ExprId) -> bool,
    ) -> Composed<Option<ExprId>> {
        let Some(&object) = choices.pick("object", &self.scenery.objects) else { return Ok(None) };
        let mut e = self.c.lvalue(object);
        for _ in 0..FAR {
            let ty = self.c.program.ty(e);
            let program = &self.c.program;
            if arith::num_of(&program.types, &program.target, ty).is_some() {
                return Ok(wanted(program, e).then_some(e));
            }
            e = match program.types.kind(ty) {
                TypeKind::Array { .. } => {
                    let index = self.index(choices)?;
                    self.c.index(e, index)?
                }
                TypeKind::Pointer(to) if program.types.is_complete(to) => self.c.deref(e)?,
                TypeKind::Record(id) => {
                    let record = &program.types.records[id];
                    let number = match record.kind {
                        RecordKind::Struct | RecordKind::Union => record.fields.len(),
                    };
                    let Some(last) = number.checked_sub(1) else { return Ok(None) };
                    let field = &record.fields[choices.range("member", 0..=last)];
                    let usable =
                        |name: &_| !is_of_headers(program, *name) && holds_numbers(program, field.ty);
                    let Some(name) = field.name.filter(usable) else { return Ok(None) };
                    let name = program.name(name).to_owned();
                    self.c.member(e, &name)?
                }
                _ => return Ok(None),
            };
        }
        Ok(None)
    }

    /// A small number, or an integer variable: figure 1's bug is of that kind.
    fn index(&mut self, choices: &mut Choices) -> Composed<ExprId> {
        let scalars: Vec<ObjId> = self
            .scenery
            .objects
            .iter()
            .copied()
            .filter(|&object| {
                let ty = self.c.program.objects[object].ty;
                let num = arith::num_of(&self.c.program.types, &self.c.program.target, ty);
                matches!(num, Some(Num::Int { width, .. }) if width <= 64)
            })
            .collect();
        match choices.pick("index", &scalars) {
            Some(&object) if choices.chance("index variable", 1, 2) => Ok(self.c.lvalue(object)),
            _ => self.c.int(choices.range("index", 0..=1i128)),
        }
    }
}

const OPERATORS: [BinaryOp; 16] = [
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shr,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::Lt,
    BinaryOp::Ge,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::And,
    BinaryOp::Or,
];

/// Whether an lvalue may be assigned to (C17 6.3.2.1p1): nothing around it is `const`.
fn is_modifiable(program: &Program, e: ExprId) -> bool {
    let mut e = e;
    loop {
        if program.types.quals(program.ty(e)).contains(Quals::CONST) {
            return false;
        }
        e = match program.exprs[e].kind {
            ExprKind::Member { base, .. } => base,
            ExprKind::Index { base, .. } => match program.exprs[base].kind {
                ExprKind::Convert(_, array) => array,
                _ => return true,
            },
            _ => return true,
        };
    }
}
