//! Statements. Labels stand one level to the left of what they mark, `else if` chains stay flat.

use super::expr::{CAST, COMMA, COND};
use super::{Piece, Printer, Referent};
use crate::program::{Asm, AsmOperand, ExprId, LabelId, StmtId, StmtKind, StmtList};
use crate::target::Edition;
use crate::visit::How;

impl Printer<'_> {
    /// A statement on a line of its own.
    pub(super) fn line(&mut self, id: StmtId) {
        let level = match self.kind(id) {
            StmtKind::Case { .. } | StmtKind::Default(_) | StmtKind::Label(..) => {
                self.level.saturating_sub(1)
            }
            _ => self.level,
        };
        self.newline(level);
        self.comment_line(id, level);
        self.bare_stmt(id);
    }

    /// Writes the statement's beginning here and pushes the rest.
    pub(super) fn stmt(&mut self, id: StmtId) {
        self.comment_inside(id);
        self.bare_stmt(id);
    }

    fn bare_stmt(&mut self, id: StmtId) {
        let program = self.program;
        match self.kind(id) {
            StmtKind::Empty => self.out.push(';'),
            StmtKind::Expr(expr) => {
                self.stack.push(Piece::Text(";"));
                self.expr(expr, COMMA);
            }
            StmtKind::Item(item) => self.item(item),
            StmtKind::Decls(list) => {
                program.block(list).iter().for_each(|&inner| self.comment_inside(inner));
                self.stack.push(Piece::Text(";"));
                self.declarators(list, 0);
            }
            StmtKind::Compound(list) => {
                self.out.push('{');
                self.block(list, "}");
            }
            StmtKind::If { cond, then, other } => {
                if let Some(other) = other {
                    let brace = matches!(self.kind(then), StmtKind::Compound(_));
                    self.stack.push(Piece::Else(other, brace));
                }
                self.head("if (", cond, then);
            }
            StmtKind::While { cond, body } => self.head("while (", cond, body),
            StmtKind::DoWhile { body, cond } => {
                self.out.push_str("do");
                self.stack.extend([Piece::Text(");"), Piece::Expr(cond, COMMA)]);
                if matches!(self.kind(body), StmtKind::Compound(_)) {
                    self.stack.push(Piece::Text(" while ("));
                } else {
                    self.stack.extend([Piece::Text("while ("), Piece::Newline]);
                }
                self.stack.push(Piece::Body(body));
            }
            StmtKind::For { init, cond, step, body } => {
                self.out.push_str("for (");
                self.stack.extend([Piece::Body(body), Piece::Text(")")]);
                if let Some(step) = step {
                    self.stack.extend([Piece::Expr(step, COMMA), Piece::Text(" ")]);
                }
                self.stack.push(Piece::Text(";"));
                if let Some(cond) = cond {
                    self.stack.extend([Piece::Expr(cond, COMMA), Piece::Text(" ")]);
                }
                match init {
                    // These end in a semicolon of their own.
                    Some(init) => self.stack.push(Piece::Stmt(init)),
                    None => self.stack.push(Piece::Text(";")),
                }
            }
            StmtKind::Switch { value, body } => self.head("switch (", value, body),
            StmtKind::Case { lo, hi, body } => {
                self.out.push_str("case ");
                self.stack.extend([Piece::Labelled(body), Piece::Text(":")]);
                if let Some(hi) = hi {
                    self.stack.extend([Piece::Expr(hi, COND), Piece::Text(" ... ")]);
                }
                self.stack.push(Piece::Expr(lo, COND));
            }
            StmtKind::Default(body) => {
                self.out.push_str("default:");
                self.stack.push(Piece::Labelled(body));
            }
            StmtKind::Label(label, body) => {
                self.label(label, How::Declares);
                self.out.push(':');
                self.stack.push(Piece::Labelled(body));
            }
            StmtKind::LabelDecl(label) => {
                self.out.push_str("__label__ ");
                self.label(label, How::Declares);
                self.out.push(';');
            }
            StmtKind::Goto(label) => {
                self.out.push_str("goto ");
                self.label(label, How::Names);
                self.out.push(';');
            }
            StmtKind::GotoComputed(target) => {
                self.out.push_str("goto *");
                self.stack.extend([Piece::Text(";"), Piece::Expr(target, CAST)]);
            }
            StmtKind::Break => self.out.push_str("break;"),
            StmtKind::Continue => self.out.push_str("continue;"),
            StmtKind::Return(None) => self.out.push_str("return;"),
            StmtKind::Return(Some(value)) => {
                self.out.push_str("return ");
                self.stack.extend([Piece::Text(";"), Piece::Expr(value, COMMA)]);
            }
            StmtKind::Asm(asm) => self.asm(&program.asms[asm]),
        }
    }

    fn label(&mut self, label: LabelId, how: How) {
        self.named(self.program.labels[label].name, Referent::Label(label), how);
    }

    /// The statements of a block whose opening brace is written, and its end.
    pub(super) fn block(&mut self, list: StmtList, end: &'static str) {
        self.stack.push(Piece::Text(end));
        if list.is_empty() {
            return;
        }
        self.stack.extend([Piece::Newline, Piece::Dedent]);
        self.stack.extend(self.program.block(list).iter().rev().map(|&stmt| Piece::Line(stmt)));
        self.level += 1;
    }

    /// `keyword (expr) body`
    fn head(&mut self, text: &'static str, expr: ExprId, body: StmtId) {
        self.out.push_str(text);
        self.stack.extend([Piece::Body(body), Piece::Text(")"), Piece::Expr(expr, COMMA)]);
    }

    pub(super) fn body(&mut self, id: StmtId) {
        if matches!(self.kind(id), StmtKind::Compound(_)) {
            self.out.push(' ');
            self.stmt(id);
        } else {
            self.level += 1;
            self.stack.extend([Piece::Dedent, Piece::Line(id)]);
        }
    }

    pub(super) fn otherwise(&mut self, id: StmtId, after_brace: bool) {
        if after_brace {
            self.out.push_str(" else");
        } else {
            self.newline(self.level);
            self.out.push_str("else");
        }
        if matches!(self.kind(id), StmtKind::If { .. }) {
            self.out.push(' ');
            self.stmt(id);
        } else {
            self.body(id);
        }
    }

    /// What follows `label:`. A block's braces line up with the label.
    pub(super) fn labelled(&mut self, id: StmtId) {
        if matches!(self.kind(id), StmtKind::Compound(_)) && self.level > 0 {
            self.level -= 1;
            self.out.push(' ');
            self.stack.push(Piece::Indent);
            self.stmt(id);
        } else {
            self.line(id);
        }
    }

    fn asm(&mut self, asm: &Asm) {
        self.out.push_str("__asm__");
        if asm.volatile {
            self.out.push_str(" volatile");
        }
        if asm.inline {
            let c89 = self.program.target.std.edition < Edition::C99;
            self.out.push_str(if c89 { " __inline__" } else { " inline" });
        }
        if asm.goto {
            self.out.push_str(" goto");
        }
        self.gap();
        self.out.push('(');
        self.string(asm.template);
        if !asm.basic {
            let sections = if asm.goto {
                4
            } else if !asm.clobbers.is_empty() {
                3
            } else if !asm.inputs.is_empty() {
                2
            } else {
                1
            };
            self.asm_operands(&asm.outputs);
            if sections > 1 {
                self.asm_operands(&asm.inputs);
            }
            if sections > 2 {
                self.out.push_str(" :");
                for (at, &clobber) in asm.clobbers.iter().enumerate() {
                    self.out.push_str(if at > 0 { ", " } else { " " });
                    self.string(clobber);
                }
            }
            if sections > 3 {
                self.out.push_str(" :");
                for (at, &label) in asm.labels.iter().enumerate() {
                    self.out.push_str(if at > 0 { ", " } else { " " });
                    self.label(label, How::Names);
                }
            }
        }
        self.out.push_str(");");
    }

    fn asm_operands(&mut self, operands: &[AsmOperand]) {
        self.out.push_str(" :");
        for (at, operand) in operands.iter().enumerate() {
            self.out.push_str(if at > 0 { ", " } else { " " });
            if let Some(name) = operand.name {
                self.out.push('[');
                self.name(name);
                self.out.push_str("] ");
            }
            self.string(operand.constraint);
            self.out.push_str(" (");
            self.now(Piece::Expr(operand.expr, COMMA));
            self.out.push(')');
        }
    }
}
