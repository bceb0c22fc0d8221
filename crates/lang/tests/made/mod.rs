//! Small programs made by hand, for tests of the printer and the dump. Types are as the caller says; nothing checks.
#![allow(dead_code, reason = "each test file uses a part")]

use howler_lang::program::{
    BinaryOp, Conv, Decl, DeclId, Entity, Expr, ExprId, ExprKind, FuncId, Function, Init, InitEntry, InitId,
    IntForm, Item, Linkage, ObjId, Object, Program, Stmt, StmtId, StmtKind, Storage, StrId, StrLit,
    StrPrefix, StrUnits, UnaryOp, Unit,
};
use howler_lang::source::Pos;
use howler_lang::symbol::Symbol;
use howler_lang::target::Target;
use howler_lang::ty::{Field, Record, RecordId, RecordKind, Signature, Type, TypeKind};

/// A program under construction, with one unit.
pub struct Made {
    pub p: Program,
}

impl Made {
    pub fn new() -> Made {
        Made::on(Target::X86_64_GCC)
    }

    pub fn on(target: Target) -> Made {
        let mut p = Program::new(target);
        p.units.push(Unit { name: "a.c".to_owned(), items: Vec::new() });
        Made { p }
    }

    pub fn sym(&mut self, name: &str) -> Symbol {
        self.p.symbols.intern(name)
    }

    pub fn expr(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.p.exprs.unchecked().push(Expr { kind, ty, pos: Pos::NONE })
    }

    pub fn int(&mut self, value: u64) -> ExprId {
        self.expr(ExprKind::Int { value, form: IntForm::Decimal }, Type::INT)
    }

    pub fn object(&mut self, name: &str, ty: Type) -> ObjId {
        let name = if name.is_empty() { None } else { Some(self.sym(name)) };
        self.p.objects.push(Object { name, ..Object::unnamed(ty) })
    }

    /// The object as an lvalue.
    pub fn var(&mut self, object: ObjId) -> ExprId {
        let ty = self.p.objects[object].ty;
        self.expr(ExprKind::Object(object), ty)
    }

    /// The object's value.
    pub fn load(&mut self, object: ObjId) -> ExprId {
        let lvalue = self.var(object);
        let ty = self.p.ty(lvalue).bare();
        let conv = match self.p.types.kind(ty) {
            TypeKind::Array { elem, .. } => {
                let ty = self.p.types.pointer(elem);
                return self.expr(ExprKind::Convert(Conv::ArrayDecay, lvalue), ty);
            }
            _ => Conv::Load,
        };
        self.expr(ExprKind::Convert(conv, lvalue), ty)
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        let ty = match (op, self.p.types.kind(self.p.ty(operand))) {
            (UnaryOp::Deref, TypeKind::Pointer(to)) => to,
            _ => self.p.ty(operand),
        };
        self.expr(ExprKind::Unary(op, operand), ty)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let ty = self.p.ty(left);
        self.expr(ExprKind::Binary(op, left, right), ty)
    }

    pub fn init(&mut self, expr: ExprId) -> InitId {
        self.p.inits.push(Init::Expr(expr))
    }

    pub fn init_list(&mut self, entries: &[(u64, InitId)]) -> InitId {
        let entries: Vec<InitEntry> =
            entries.iter().map(|&(index, init)| InitEntry { index, last: index, init }).collect();
        let list = self.p.add_entries(&entries);
        self.p.inits.push(Init::List(list))
    }

    pub fn string(&mut self, bytes: &[u8]) -> StrId {
        self.p.strings.push(StrLit { units: StrUnits::Narrow(bytes.into()), prefix: StrPrefix::None })
    }

    pub fn stmt(&mut self, kind: StmtKind) -> StmtId {
        self.p.stmts.push(Stmt { kind, pos: Pos::NONE })
    }

    pub fn block(&mut self, stmts: &[StmtId]) -> StmtId {
        let list = self.p.add_block(stmts);
        self.stmt(StmtKind::Compound(list))
    }

    pub fn decl_of(&mut self, entity: Entity, ty: Type) -> DeclId {
        self.p.decls.push(Decl::plain(entity, ty, Storage::None))
    }

    /// A declaration of a new object.
    pub fn decl(&mut self, name: &str, ty: Type) -> DeclId {
        let object = self.object(name, ty);
        self.decl_of(Entity::Object(object), ty)
    }

    /// A declaration at file scope.
    pub fn global(&mut self, name: &str, ty: Type) -> DeclId {
        let decl = self.decl(name, ty);
        self.item(Item::Decl(decl));
        decl
    }

    pub fn item(&mut self, item: Item) {
        self.p.units[0].items.push(item);
    }

    pub fn signature(&mut self, ret: Type, params: &[Type]) -> Type {
        let signature = Signature { ret, params: params.into(), variadic: false, prototype: true };
        self.p.types.function(signature)
    }

    /// A function with a body, declared at file scope.
    pub fn function(&mut self, name: &str, ret: Type, params: &[ObjId], body: StmtId) -> (FuncId, DeclId) {
        let types: Vec<Type> = params.iter().map(|&param| self.p.objects[param].ty.bare()).collect();
        let ty = self.signature(ret, &types);
        let name = self.sym(name);
        let func = self.p.funcs.push(Function {
            name,
            ty,
            linkage: Linkage::External,
            inline: false,
            external_decl: true,
            noreturn: false,
            attrs: Vec::new(),
            params: params.to_vec(),
            old_style: false,
            body: Some(body),
            parent: None,
            implicit: false,
            unit: 0,
            linked: None,
            pos: Pos::NONE,
        });
        let decl = self.decl_of(Entity::Function(func), ty);
        self.p.decls[decl].body = true;
        self.item(Item::Decl(decl));
        (func, decl)
    }

    pub fn record(&mut self, kind: RecordKind, tag: &str, fields: &[(&str, Type)]) -> RecordId {
        let tag = if tag.is_empty() { None } else { Some(self.sym(tag)) };
        let fields = fields
            .iter()
            .map(|&(name, ty)| {
                let name = (!name.is_empty()).then(|| self.sym(name));
                Field::new(name, ty)
            })
            .collect();
        self.p.types.records.push(Record::new(kind, tag, 0).with(fields))
    }

    pub fn print(&self) -> String {
        howler_lang::print::unit(&self.p, 0, &howler_lang::print::PrintOptions::default())
    }

    pub fn show(&self, expr: ExprId) -> String {
        howler_lang::print::expression(&self.p, expr)
    }

    pub fn name_of(&self, ty: Type) -> String {
        howler_lang::print::type_name(&self.p, ty)
    }
}
