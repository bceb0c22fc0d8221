//! Assembly statements that only make a value opaque: an empty template with operands that are copied. Others are not
//! modelled.

use super::{AccessUse, Lower, Lowerer};
use crate::facts;
use howler_lang::program::{Asm, AsmId, AsmOperand, ExprKind, StrId, StrUnits};

impl Lowerer<'_> {
    /// Whether a variable that is an output in memory is an input in memory as well.
    fn is_own_input(&self, asm: &Asm, output: &AsmOperand) -> bool {
        let program = self.program;
        let ExprKind::Object(object) = program.exprs[output.expr].kind else { return false };
        asm.inputs.iter().any(|input| {
            let memory = matches!(&program.strings[input.constraint].units, StrUnits::Narrow(text) if &text[..] == b"m");
            memory && matches!(program.exprs[input.expr].kind, ExprKind::Object(other) if other == object)
        })
    }

    pub fn asm(&mut self, asm: AsmId) -> Lower<()> {
        let program = self.program;
        let asm = &program.asms[asm];
        let text = |id: StrId| match &program.strings[id].units {
            StrUnits::Narrow(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            StrUnits::Wide(_) => "?".to_owned(),
        };
        let plain = text(asm.template).trim().is_empty() && asm.labels.is_empty() && !asm.goto;
        if !plain {
            self.unsupported("an assembly statement");
            return Ok(());
        }
        for operand in &asm.outputs {
            let constraint = text(operand.constraint);
            let tied = asm
                .inputs
                .iter()
                .find(|input| text(input.constraint) == "0" && asm.outputs.len() == 1)
                .map(|input| input.expr);
            let in_out = matches!(
                constraint.as_str(),
                "+r" | "+g" | "+m" | "+rm" | "+mr" | "+x" | "+X" | "+q" | "+&r"
            );
            if facts::is_aggregate(program, program.ty(operand.expr)) && !(in_out && constraint == "+m") {
                self.unsupported("an assembly statement with an aggregate operand");
                continue;
            }
            match (in_out, tied) {
                (true, _) if facts::is_aggregate(program, program.ty(operand.expr)) => {
                    self.lvalue(operand.expr)?;
                }
                (true, _) => {
                    let lv = self.lvalue(operand.expr)?;
                    let value = self.load(&lv)?;
                    self.store(&lv, value, AccessUse::PLAIN)?;
                }
                (false, Some(input))
                    if matches!(constraint.as_str(), "=r" | "=g" | "=m" | "=rm" | "=x" | "=q") =>
                {
                    let value = self.value(input)?;
                    let value = self.convert_between(value, program.ty(input), program.ty(operand.expr))?;
                    let lv = self.lvalue(operand.expr)?;
                    self.store(&lv, value, AccessUse::PLAIN)?;
                }
                // The object is in memory before and after, and the empty template leaves it as it is.
                _ if constraint == "=m" && self.is_own_input(asm, operand) => {
                    let lv = self.lvalue(operand.expr)?;
                    let value = self.load(&lv)?;
                    self.store(&lv, value, AccessUse::PLAIN)?;
                }
                _ => {
                    self.unsupported("an assembly statement with such an output");
                }
            }
        }
        if asm.outputs.is_empty() {
            for operand in &asm.inputs {
                let constraint = text(operand.constraint);
                if constraint.contains('m') && !constraint.contains('r') && !constraint.contains('g') {
                    self.lvalue(operand.expr)?;
                } else if facts::is_aggregate(program, program.ty(operand.expr)) {
                    self.aggregate(operand.expr)?;
                } else {
                    self.value(operand.expr)?;
                }
            }
        }
        Ok(())
    }
}
