//! Declarations and statements of a program that is made rather than read: the shell around expressions, which `build`
//! makes.

use crate::build::{self, Built, Cx};
use crate::program::{
    BinaryOp, Decl, DeclId, Duration, Entity, ExprId, FuncId, Function, Init, Item, Linkage, ObjId, Object,
    Program, Stmt, StmtId, StmtKind, Storage, StrLit, StrPrefix, StrUnits, Unit,
};
use crate::source::Pos;
use crate::target::Target;
use crate::ty::{Signature, Type};

/// A program under construction. What is declared goes to the last unit.
///
/// ```
/// use howler_lang::arith::Num;
/// use howler_lang::build;
/// use howler_lang::compose::{Composer, signature};
/// use howler_lang::program::{Linkage, StmtKind};
/// use howler_lang::target::Target;
/// use howler_lang::ty::Type;
///
/// let mut program = Composer::new(Target::X86_64_GCC);
/// program.unit("a.c".to_owned());
/// let main = program.function("main", signature(Type::INT, &[]), Linkage::External);
/// let zero = build::constant(&mut program.cx(), Num::INT, Type::INT, 0).unwrap();
/// let done = program.stmt(StmtKind::Return(Some(zero)));
/// program.define(main, Vec::new(), &[done]);
/// assert!(howler_lang::verify::program(&program.program).is_empty());
/// ```
pub struct Composer {
    /// The program so far.
    pub program: Program,
}

impl Composer {
    /// A program without units.
    pub fn new(target: Target) -> Composer {
        Composer { program: Program::new(target) }
    }

    /// Begins a translation unit.
    pub fn unit(&mut self, name: String) {
        self.program.units.push(Unit { name, items: Vec::new() });
    }

    fn current(&self) -> u32 {
        self.program.units.len().saturating_sub(1) as u32
    }

    /// What `build` needs, with the policy of those who make programs.
    pub fn cx(&mut self) -> Cx<'_> {
        Cx::strict(&mut self.program)
    }

    /// Adds an item to the unit.
    pub fn item(&mut self, item: Item) {
        if let Some(unit) = self.program.units.last_mut() {
            unit.items.push(item);
        }
    }

    /// An object with a name, not declared yet.
    pub fn object(&mut self, name: &str, ty: Type, linkage: Linkage, duration: Duration) -> ObjId {
        let name = Some(self.program.symbols.intern(name));
        let unit = self.current();
        self.program.objects.push(Object { name, linkage, duration, unit, ..Object::unnamed(ty) })
    }

    /// The declaration of an object, with its initialiser if it has one.
    pub fn declare(&mut self, object: ObjId, storage: Storage, init: Option<Init>) -> DeclId {
        let init = init.map(|init| self.program.inits.push(init));
        let defined = storage != Storage::Extern;
        let ty = self.program.objects[object].ty;
        let written = &mut self.program.objects[object];
        (written.init, written.defined) = (init, defined);
        let decl = Decl { init, ..Decl::plain(Entity::Object(object), ty, storage) };
        self.program.decls.push(decl)
    }

    /// A function without a body yet, and its declaration in the unit if it is wanted.
    pub fn function(&mut self, name: &str, signature: Signature, linkage: Linkage) -> FuncId {
        let name = self.program.symbols.intern(name);
        let ty = self.program.types.function(signature);
        let unit = self.current();
        self.program.funcs.push(Function::plain(name, ty, linkage, unit))
    }

    /// Declares a function in the unit.
    pub fn declare_function(&mut self, func: FuncId) {
        let ty = self.program.funcs[func].ty;
        let decl = self.program.decls.push(Decl::plain(Entity::Function(func), ty, Storage::None));
        self.item(Item::Decl(decl));
    }

    /// Gives a function its parameters and its body, and defines it in the unit.
    pub fn define(&mut self, func: FuncId, params: Vec<ObjId>, body: &[StmtId]) {
        let body = self.block(body);
        let function = &mut self.program.funcs[func];
        (function.params, function.body) = (params, Some(body));
        let storage = if function.linkage == Linkage::Internal { Storage::Static } else { Storage::None };
        let decl = Decl::plain(Entity::Function(func), function.ty, storage);
        let decl = self.program.decls.push(Decl { body: true, ..decl });
        self.item(Item::Decl(decl));
    }

    /// A statement.
    pub fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.program.stmts.push(Stmt { kind, pos: Pos::NONE })
    }

    /// A compound statement.
    pub fn block(&mut self, stmts: &[StmtId]) -> StmtId {
        let list = self.program.add_block(stmts);
        self.stmt(StmtKind::Compound(list))
    }

    /// The object as an lvalue.
    pub fn lvalue(&mut self, object: ObjId) -> ExprId {
        build::object(&mut self.cx(), object, Pos::NONE)
    }

    /// A call as a statement.
    pub fn call(&mut self, func: FuncId, args: &[ExprId]) -> Result<StmtId, Box<build::Violation>> {
        let cx = &mut self.cx();
        let callee = build::function(cx, func, Pos::NONE);
        let call = build::call(cx, callee, args, Pos::NONE)?;
        Ok(self.stmt(StmtKind::Expr(call)))
    }

    /// A string literal.
    pub fn string(&mut self, text: &str) -> ExprId {
        let lit = StrLit { units: StrUnits::Narrow(text.as_bytes().into()), prefix: StrPrefix::None };
        build::string(&mut self.cx(), lit, Pos::NONE)
    }

    /// A binary operator.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Built {
        build::binary(&mut self.cx(), op, a, b, Pos::NONE)
    }
}

/// A function type that is not variadic.
pub fn signature(ret: Type, params: &[Type]) -> Signature {
    Signature { ret, params: params.into(), variadic: false, prototype: true }
}
