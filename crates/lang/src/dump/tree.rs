//! Expressions, initialisers and statements, with an explicit stack.

use super::{Dumper, Step};
use crate::program::{
    Asm, AsmOperand, ExprId, ExprKind, Init, InitId, PathStep, StmtId, StmtKind, StmtList, StrId, StrUnits,
};
use crate::visit;

impl Dumper<'_> {
    /// Writes until the stack is down to `base` steps.
    pub(super) fn run(&mut self, base: usize) {
        while self.stack.len() > base {
            let Some(step) = self.stack.pop() else { return };
            match step {
                Step::Text(text) => self.out.push_str(text),
                Step::Expr(expr) => self.expr(expr),
                Step::Init(init) => self.init(init),
                Step::Stmt(stmt) => self.stmt(stmt),
                Step::EndStmt => {
                    self.depth -= 1;
                    self.out.push(')');
                }
                Step::Number(number) => self.fmt(format_args!("{number}")),
                Step::Item(item) => self.item(item),
            }
        }
    }

    /// Pushes the operands of an expression, each after a space, and a closing parenthesis.
    fn operands(&mut self, of: ExprId) {
        self.stack.push(Step::Text(")"));
        let first = self.stack.len();
        let stack = &mut self.stack;
        visit::operands(self.program, of, |operand| stack.extend([Step::Text(" "), Step::Expr(operand)]));
        self.stack[first..].reverse();
    }

    fn expr(&mut self, id: ExprId) {
        let program = self.program;
        let expr = &program.exprs[id];
        // `(kind details type operands…)`
        match expr.kind {
            ExprKind::Int { value, form } => self.fmt(format_args!("(int {value} {form:?} ")),
            ExprKind::Float(float) => self.fmt(format_args!("(float {:#x} ", program.floats[float].bits)),
            ExprKind::Imaginary(_) => self.out.push_str("(imaginary "),
            ExprKind::Str(string) => {
                self.out.push_str("(str ");
                self.string(string);
                self.out.push(' ');
            }
            ExprKind::FuncName(name) => self.fmt(format_args!("(funcname {name:?} ")),
            ExprKind::EnumConst(id) => {
                let constant = &program.types.enumerators[id];
                self.fmt(format_args!("(enumconst {} {} ", program.name(constant.name), constant.value));
            }
            ExprKind::Object(object) => {
                self.out.push_str("(object ");
                self.object(object);
                self.out.push(' ');
            }
            ExprKind::Function(func) => {
                self.out.push_str("(function ");
                self.func(func);
                self.out.push(' ');
            }
            ExprKind::CompoundLiteral(object) => {
                self.out.push_str("(literal ");
                self.object(object);
                self.out.push(' ');
            }
            ExprKind::Member { field, .. } => self.fmt(format_args!("(member {field} ")),
            ExprKind::Index { .. } => self.out.push_str("(index "),
            ExprKind::Unary(op, _) => self.fmt(format_args!("({op:?} ")),
            ExprKind::Binary(op, ..) => self.fmt(format_args!("({op:?} ")),
            ExprKind::Assign(..) => self.out.push_str("(assign "),
            ExprKind::Compound { op, compute, .. } => {
                self.fmt(format_args!("(compound {op:?} "));
                self.ty(compute);
                self.out.push(' ');
            }
            ExprKind::Cond(..) => self.out.push_str("(cond "),
            ExprKind::Elvis(..) => self.out.push_str("(elvis "),
            ExprKind::Comma(..) => self.out.push_str("(comma "),
            ExprKind::Cast(conv, _) => self.fmt(format_args!("(cast {conv:?} ")),
            ExprKind::Convert(conv, _) => self.fmt(format_args!("(convert {conv:?} ")),
            ExprKind::Call(..) => self.out.push_str("(call "),
            ExprKind::Builtin(builtin, _) => self.fmt(format_args!("(builtin {} ", builtin.0)),
            ExprKind::SizeofType(of) => {
                self.out.push_str("(sizeof-type ");
                self.ty(of);
                self.out.push(' ');
            }
            ExprKind::SizeofExpr(_) => self.out.push_str("(sizeof "),
            ExprKind::AlignofType { of, preferred } => {
                self.fmt(format_args!("(alignof-type preferred={preferred} "));
                self.ty(of);
                self.out.push(' ');
            }
            ExprKind::AlignofExpr { preferred, .. } => {
                self.fmt(format_args!("(alignof preferred={preferred} "))
            }
            ExprKind::Offsetof(of, _) => {
                self.out.push_str("(offsetof ");
                self.ty(of);
                self.out.push(' ');
            }
            ExprKind::VaArg(_) => self.out.push_str("(va-arg "),
            ExprKind::StmtExpr(_) => self.out.push_str("(stmt-expr "),
            ExprKind::LabelAddr(label) => {
                self.out.push_str("(label-addr ");
                self.label(label);
                self.out.push(' ');
            }
        }
        self.ty(expr.ty);
        match expr.kind {
            ExprKind::CompoundLiteral(object) => {
                self.stack.push(Step::Text(")"));
                if let Some(init) = program.objects[object].init {
                    self.stack.extend([Step::Init(init), Step::Text(" ")]);
                }
            }
            ExprKind::StmtExpr(body) => {
                self.depth += 1;
                self.stack.extend([Step::EndStmt, Step::Stmt(body)]);
            }
            ExprKind::Offsetof(_, path) => {
                self.stack.push(Step::Text(")"));
                for &step in program.paths[path].iter().rev() {
                    match step {
                        // The record follows from the type and the steps before.
                        PathStep::Field(_, field) => {
                            self.stack.extend([Step::Number(field.into()), Step::Text(" .")]);
                        }
                        PathStep::Index(index) => {
                            self.stack.extend([Step::Text("]"), Step::Expr(index), Step::Text(" [")]);
                        }
                    }
                }
            }
            _ => self.operands(id),
        }
    }

    pub(super) fn string(&mut self, id: StrId) {
        let literal = &self.program.strings[id];
        self.fmt(format_args!("{:?} ", literal.prefix));
        match &literal.units {
            StrUnits::Narrow(bytes) => self.quoted(bytes),
            StrUnits::Wide(units) => self.fmt(format_args!("{units:x?}")),
        }
    }

    fn init(&mut self, id: InitId) {
        match self.program.inits[id] {
            Init::Expr(expr) => self.expr(expr),
            Init::List(list) | Init::Update(list) => {
                let update = matches!(self.program.inits[id], Init::Update(_));
                self.out.push_str(if update { "+{" } else { "{" });
                self.stack.push(Step::Text("}"));
                for (at, entry) in self.program.init_entries(list).iter().enumerate().rev() {
                    self.stack.extend([Step::Init(entry.init), Step::Text("=")]);
                    if entry.last != entry.index {
                        self.stack.extend([Step::Number(entry.last), Step::Text("...")]);
                    }
                    self.stack.push(Step::Number(entry.index));
                    if at > 0 {
                        self.stack.push(Step::Text(" "));
                    }
                }
            }
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let program = self.program;
        self.line("(");
        self.depth += 1;
        self.stack.push(Step::EndStmt);
        match program.stmts[id].kind {
            StmtKind::Empty => self.out.push_str("empty"),
            StmtKind::Expr(expr) => self.parts("expr ", &[Step::Expr(expr)]),
            StmtKind::Item(item) => self.parts("item ", &[Step::Item(item)]),
            StmtKind::Decls(list) => self.list("decls", list),
            StmtKind::Compound(list) => self.list("block", list),
            StmtKind::If { cond, then, other } => {
                self.stack.extend(other.map(Step::Stmt));
                self.parts("if ", &[Step::Expr(cond), Step::Stmt(then)]);
            }
            StmtKind::While { cond, body } => self.parts("while ", &[Step::Expr(cond), Step::Stmt(body)]),
            StmtKind::DoWhile { body, cond } => self.parts("do ", &[Step::Expr(cond), Step::Stmt(body)]),
            StmtKind::For { init, cond, step, body } => {
                self.out.push_str("for ");
                self.stack.push(Step::Stmt(body));
                let nothing = Step::Text("-");
                self.stack.extend([step.map_or(nothing, Step::Expr), Step::Text(" ")]);
                self.stack.push(cond.map_or(nothing, Step::Expr));
                match init {
                    Some(init) => self.stack.extend([Step::Text(" "), Step::Stmt(init)]),
                    None => self.stack.extend([Step::Text(" "), nothing]),
                }
            }
            StmtKind::Switch { value, body } => self.parts("switch ", &[Step::Expr(value), Step::Stmt(body)]),
            StmtKind::Case { lo, hi, body } => {
                self.out.push_str("case ");
                self.stack.push(Step::Stmt(body));
                if let Some(hi) = hi {
                    self.stack.extend([Step::Expr(hi), Step::Text(" ... ")]);
                }
                self.stack.push(Step::Expr(lo));
            }
            StmtKind::Default(body) => self.parts("default", &[Step::Stmt(body)]),
            StmtKind::Label(label, body) => {
                self.out.push_str("label ");
                self.label(label);
                self.stack.push(Step::Stmt(body));
            }
            StmtKind::LabelDecl(label) => {
                self.out.push_str("label-decl ");
                self.label(label);
            }
            StmtKind::Goto(label) => {
                self.out.push_str("goto ");
                self.label(label);
            }
            StmtKind::GotoComputed(target) => self.parts("goto* ", &[Step::Expr(target)]),
            StmtKind::Break => self.out.push_str("break"),
            StmtKind::Continue => self.out.push_str("continue"),
            StmtKind::Return(None) => self.out.push_str("return"),
            StmtKind::Return(Some(value)) => self.parts("return ", &[Step::Expr(value)]),
            StmtKind::Asm(asm) => self.asm(&program.asms[asm]),
        }
    }

    /// Writes a word and pushes what follows it.
    fn parts(&mut self, word: &str, steps: &[Step]) {
        self.out.push_str(word);
        self.stack.extend(steps.iter().rev());
    }

    fn list(&mut self, word: &str, list: StmtList) {
        self.out.push_str(word);
        self.stack.extend(self.program.block(list).iter().rev().map(|&stmt| Step::Stmt(stmt)));
    }

    fn asm(&mut self, asm: &Asm) {
        self.out.push_str("asm");
        self.flag(asm.volatile, "volatile");
        self.flag(asm.goto, "goto");
        self.flag(asm.inline, "inline");
        self.flag(asm.basic, "basic");
        self.out.push(' ');
        self.string(asm.template);
        self.out.push_str(" clobbers");
        for &clobber in &asm.clobbers {
            self.out.push(' ');
            self.string(clobber);
        }
        self.out.push_str(" labels");
        for &label in &asm.labels {
            self.out.push(' ');
            self.label(label);
        }
        self.asm_operands("outputs", &asm.outputs);
        self.asm_operands("inputs", &asm.inputs);
    }

    fn asm_operands(&mut self, word: &str, operands: &[AsmOperand]) {
        self.flag(true, word);
        for operand in operands {
            self.out.push_str(" (");
            self.maybe_name(operand.name);
            self.out.push(' ');
            self.string(operand.constraint);
            self.out.push(' ');
            self.now(Step::Expr(operand.expr));
            self.out.push(')');
        }
    }

    /// Writes one step completely before returning.
    pub(super) fn now(&mut self, step: Step) {
        let base = self.stack.len();
        self.stack.push(step);
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.run(base));
    }
}
