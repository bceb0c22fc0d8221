//! The one table of how a node is written again with other ids: copies and compacted programs are made with it.

use crate::program::{
    Asm, AsmId, Decl, DeclId, Entity, ExprId, ExprKind, ExprList, FuncId, Init, InitEntry, InitId, Item,
    LabelId, ObjId, PathStep, Program, StmtId, StmtKind, StmtList, StrId,
};
use crate::symbol::Symbol;
use crate::ty::{EnumId, EnumeratorId, RecordId, Type};

/// What stands for what, and where it is written.
pub(super) trait Map {
    /// The program that nodes are read from.
    fn old(&self) -> &Program;
    /// The program that nodes are written to.
    fn new_program(&mut self) -> &mut Program;
    fn of_expr(&self, e: ExprId) -> ExprId;
    fn of_stmt(&self, s: StmtId) -> StmtId;
    fn of_init(&self, i: InitId) -> InitId;
    fn of_object(&self, object: ObjId) -> ObjId;
    fn of_func(&self, func: FuncId) -> FuncId;
    fn of_label(&self, label: LabelId) -> LabelId;
    fn of_string(&mut self, string: StrId) -> StrId;

    fn of_type(&mut self, ty: Type) -> Type {
        ty
    }
    fn of_record(&self, record: RecordId) -> RecordId {
        record
    }
    fn of_enum(&self, id: EnumId) -> EnumId {
        id
    }
    fn of_enumerator(&self, constant: EnumeratorId) -> EnumeratorId {
        constant
    }
    fn of_typedef(&self, name: Symbol) -> Symbol {
        name
    }
    fn of_decl(&mut self, decl: DeclId) -> DeclId;

    fn exprs(&mut self, list: ExprList) -> ExprList {
        let copies: Vec<ExprId> = self.old().list(list).iter().map(|&e| self.of_expr(e)).collect();
        self.new_program().add_list(&copies)
    }

    fn stmts(&mut self, list: StmtList) -> StmtList {
        let copies: Vec<StmtId> = self.old().block(list).iter().map(|&s| self.of_stmt(s)).collect();
        self.new_program().add_block(&copies)
    }

    fn expr_kind(&mut self, kind: ExprKind) -> ExprKind {
        match kind {
            ExprKind::Float(float) => {
                let float = self.old().floats[float];
                ExprKind::Float(self.new_program().floats.push(float))
            }
            ExprKind::Imaginary(a) => ExprKind::Imaginary(self.of_expr(a)),
            ExprKind::Str(string) => ExprKind::Str(self.of_string(string)),
            ExprKind::EnumConst(constant) => ExprKind::EnumConst(self.of_enumerator(constant)),
            ExprKind::Object(object) => ExprKind::Object(self.of_object(object)),
            ExprKind::Function(func) => ExprKind::Function(self.of_func(func)),
            ExprKind::CompoundLiteral(object) => ExprKind::CompoundLiteral(self.of_object(object)),
            ExprKind::Member { base, field } => ExprKind::Member { base: self.of_expr(base), field },
            ExprKind::Index { base, index } => {
                ExprKind::Index { base: self.of_expr(base), index: self.of_expr(index) }
            }
            ExprKind::Unary(op, a) => ExprKind::Unary(op, self.of_expr(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.of_expr(a), self.of_expr(b)),
            ExprKind::Assign(a, b) => ExprKind::Assign(self.of_expr(a), self.of_expr(b)),
            ExprKind::Compound { op, lhs, rhs, compute } => {
                let compute = self.of_type(compute);
                ExprKind::Compound { op, lhs: self.of_expr(lhs), rhs: self.of_expr(rhs), compute }
            }
            ExprKind::Cond(a, b, c) => ExprKind::Cond(self.of_expr(a), self.of_expr(b), self.of_expr(c)),
            ExprKind::Elvis(a, b) => ExprKind::Elvis(self.of_expr(a), self.of_expr(b)),
            ExprKind::Comma(a, b) => ExprKind::Comma(self.of_expr(a), self.of_expr(b)),
            ExprKind::Cast(conv, a) => ExprKind::Cast(conv, self.of_expr(a)),
            ExprKind::Convert(conv, a) => ExprKind::Convert(conv, self.of_expr(a)),
            ExprKind::Call(callee, args) => ExprKind::Call(self.of_expr(callee), self.exprs(args)),
            ExprKind::Builtin(which, args) => ExprKind::Builtin(which, self.exprs(args)),
            ExprKind::SizeofType(of) => ExprKind::SizeofType(self.of_type(of)),
            ExprKind::SizeofExpr(a) => ExprKind::SizeofExpr(self.of_expr(a)),
            ExprKind::AlignofType { of, preferred } => {
                ExprKind::AlignofType { of: self.of_type(of), preferred }
            }
            ExprKind::AlignofExpr { of, preferred } => {
                ExprKind::AlignofExpr { of: self.of_expr(of), preferred }
            }
            ExprKind::Offsetof(of, path) => {
                let mut path = self.old().paths[path].clone();
                for step in &mut path {
                    *step = match *step {
                        PathStep::Field(record, field) => PathStep::Field(self.of_record(record), field),
                        PathStep::Index(e) => PathStep::Index(self.of_expr(e)),
                    };
                }
                let of = self.of_type(of);
                ExprKind::Offsetof(of, self.new_program().paths.push(path))
            }
            ExprKind::VaArg(list) => ExprKind::VaArg(self.of_expr(list)),
            ExprKind::StmtExpr(body) => ExprKind::StmtExpr(self.of_stmt(body)),
            ExprKind::LabelAddr(label) => ExprKind::LabelAddr(self.of_label(label)),
            ExprKind::Int { .. } | ExprKind::FuncName(_) => kind,
        }
    }

    fn init(&mut self, init: Init) -> Init {
        match init {
            Init::Expr(e) => Init::Expr(self.of_expr(e)),
            Init::List(list) => {
                let entries = self.entries(list);
                Init::List(self.new_program().add_entries(&entries))
            }
            Init::Update(list) => {
                let entries = self.entries(list);
                Init::Update(self.new_program().add_entries(&entries))
            }
        }
    }

    fn entries(&self, list: crate::program::EntryList) -> Vec<InitEntry> {
        let entries = self.old().init_entries(list).iter();
        entries.map(|&entry| InitEntry { init: self.of_init(entry.init), ..entry }).collect()
    }

    fn stmt_kind(&mut self, kind: StmtKind) -> StmtKind {
        match kind {
            StmtKind::Expr(e) => StmtKind::Expr(self.of_expr(e)),
            StmtKind::Item(item) => StmtKind::Item(self.item(item)),
            StmtKind::Decls(list) => StmtKind::Decls(self.stmts(list)),
            StmtKind::Compound(list) => StmtKind::Compound(self.stmts(list)),
            StmtKind::If { cond, then, other } => StmtKind::If {
                cond: self.of_expr(cond),
                then: self.of_stmt(then),
                other: other.map(|other| self.of_stmt(other)),
            },
            StmtKind::While { cond, body } => {
                StmtKind::While { cond: self.of_expr(cond), body: self.of_stmt(body) }
            }
            StmtKind::DoWhile { body, cond } => {
                StmtKind::DoWhile { body: self.of_stmt(body), cond: self.of_expr(cond) }
            }
            StmtKind::For { init, cond, step, body } => StmtKind::For {
                init: init.map(|init| self.of_stmt(init)),
                cond: cond.map(|cond| self.of_expr(cond)),
                step: step.map(|step| self.of_expr(step)),
                body: self.of_stmt(body),
            },
            StmtKind::Switch { value, body } => {
                StmtKind::Switch { value: self.of_expr(value), body: self.of_stmt(body) }
            }
            StmtKind::Case { lo, hi, body } => StmtKind::Case {
                lo: self.of_expr(lo),
                hi: hi.map(|hi| self.of_expr(hi)),
                body: self.of_stmt(body),
            },
            StmtKind::Default(body) => StmtKind::Default(self.of_stmt(body)),
            StmtKind::Label(label, body) => StmtKind::Label(self.of_label(label), self.of_stmt(body)),
            StmtKind::LabelDecl(label) => StmtKind::LabelDecl(self.of_label(label)),
            StmtKind::Goto(label) => StmtKind::Goto(self.of_label(label)),
            StmtKind::GotoComputed(e) => StmtKind::GotoComputed(self.of_expr(e)),
            StmtKind::Return(value) => StmtKind::Return(value.map(|value| self.of_expr(value))),
            StmtKind::Asm(asm) => StmtKind::Asm(self.asm(asm)),
            StmtKind::Empty | StmtKind::Break | StmtKind::Continue => kind,
        }
    }

    fn asm(&mut self, asm: AsmId) -> AsmId {
        let mut asm: Asm = self.old().asms[asm].clone();
        asm.template = self.of_string(asm.template);
        for operand in asm.outputs.iter_mut().chain(&mut asm.inputs) {
            operand.expr = self.of_expr(operand.expr);
            operand.constraint = self.of_string(operand.constraint);
        }
        for clobber in &mut asm.clobbers {
            *clobber = self.of_string(*clobber);
        }
        for label in &mut asm.labels {
            *label = self.of_label(*label);
        }
        self.new_program().asms.push(asm)
    }

    fn item(&mut self, item: Item) -> Item {
        match item {
            Item::RecordTag(id) => Item::RecordTag(self.of_record(id)),
            Item::Record(id) => Item::Record(self.of_record(id)),
            Item::Enum(id) => Item::Enum(self.of_enum(id)),
            Item::Decl(decl) => Item::Decl(self.of_decl(decl)),
            Item::Asm(text) => Item::Asm(self.of_string(text)),
            Item::Include(_) | Item::IncludeEnd => item,
        }
    }

    /// A declaration written again.
    fn decl(&mut self, decl: DeclId) -> Decl {
        let mut decl: Decl = self.old().decls[decl].clone();
        decl.entity = match decl.entity {
            Entity::Object(object) => Entity::Object(self.of_object(object)),
            Entity::Function(func) => Entity::Function(self.of_func(func)),
            Entity::Typedef(name) => Entity::Typedef(self.of_typedef(name)),
            Entity::Bounds => Entity::Bounds,
        };
        decl.ty = self.of_type(decl.ty);
        decl.init = decl.init.map(|init| self.of_init(init));
        decl.asm_label = decl.asm_label.map(|label| self.of_string(label));
        decl
    }
}
