//! Inline assembly: statements in all forms, file-scope `asm`, and `asm` labels of declarations. Templates are kept
//! as they are.

use crate::parser::{Parse, Parser};
use crate::token::Tok;
use howler_lang::build;
use howler_lang::program::{Asm, AsmOperand, StmtId, StmtKind, StrId, StrUnits};
use howler_lang::source::Pos;
use howler_lang::ty::Quals;

impl Parser<'_> {
    /// `asm ( "…" ) ;` at file scope, `asm` having been read.
    pub(crate) fn asm_top_level(&mut self) -> Parse<StrId> {
        while matches!(self.tok(), Tok::KwVolatile | Tok::KwInline) {
            self.bump();
        }
        let template = self.asm_label()?;
        self.expect(Tok::Semi)?;
        Ok(template)
    }

    /// `( "…" )` after the `asm` of a declarator.
    pub(crate) fn asm_label(&mut self) -> Parse<StrId> {
        self.expect(Tok::LParen)?;
        let text = self.asm_string()?;
        self.expect(Tok::RParen)?;
        Ok(text)
    }

    fn asm_string(&mut self) -> Parse<StrId> {
        let pos = self.pos();
        let lit = self.string_literal()?;
        if !matches!(lit.units, StrUnits::Narrow(_)) {
            return Err(self.error(pos, "wide string literal in 'asm'"));
        }
        Ok(self.cx.program.strings.push(lit))
    }

    /// An asm statement; the current token is `asm`.
    pub(crate) fn asm_statement(&mut self, id: StmtId) -> Parse<()> {
        let pos = self.pos();
        self.bump();
        let (mut volatile, mut inline, mut goto) = (false, false, false);
        loop {
            let (flag, name) = match self.tok() {
                Tok::KwVolatile => (&mut volatile, "volatile"),
                Tok::KwInline => (&mut inline, "inline"),
                Tok::KwGoto => (&mut goto, "goto"),
                _ => break,
            };
            if std::mem::replace(flag, true) {
                return Err(self.error(self.pos(), format!("duplicate 'asm' qualifier '{name}'")));
            }
            self.bump();
        }
        self.expect(Tok::LParen)?;
        let template = self.asm_string()?;
        let basic = self.tok() == Tok::RParen;
        if basic && goto {
            return Err(self.expected("':'"));
        }
        let mut asm = Asm {
            volatile,
            goto,
            inline,
            basic,
            template,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        if self.eat(Tok::Colon) {
            asm.outputs = self.asm_operands(true, pos)?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.asm_operands(false, pos)?;
        }
        if self.eat(Tok::Colon) && self.tok() == Tok::Str {
            asm.clobbers.push(self.asm_string()?);
            while self.eat(Tok::Comma) {
                asm.clobbers.push(self.asm_string()?);
            }
        }
        if goto {
            self.expect(Tok::Colon)?;
            loop {
                if self.tok() != Tok::Ident {
                    return Err(self.expected("identifier"));
                }
                let name = self.bump().symbol();
                let label = self.label_used(name, pos);
                self.record_jump(label, pos);
                asm.labels.push(label);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen)?;
        self.expect(Tok::Semi)?;
        if !basic && let Some(name) = self.undefined_operand(&asm) {
            return Err(self.error(pos, format!("undefined named operand '{name}'")));
        }
        let asm = self.cx.program.asms.push(asm);
        self.fill(id, StmtKind::Asm(asm));
        Ok(())
    }

    /// A name that the template mentions as `%[name]` and no operand has.
    fn undefined_operand(&self, asm: &Asm) -> Option<String> {
        let program = &self.cx.program;
        let StrUnits::Narrow(text) = &program.strings[asm.template].units else { return None };
        let mut rest = &text[..];
        while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
            rest = &rest[percent + 1..];
            // `%%` is a percent sign; a letter may stand between `%` and the name.
            let skip = match rest {
                [b'%', ..] => {
                    rest = &rest[1..];
                    continue;
                }
                [letter, b'[', ..] if letter.is_ascii_alphabetic() => 2,
                [b'[', ..] => 1,
                _ => continue,
            };
            let end = rest.iter().position(|&byte| byte == b']')?;
            let name = rest.get(skip..end)?;
            let operands = asm.outputs.iter().chain(&asm.inputs).filter_map(|operand| operand.name);
            let labels = asm.labels.iter().map(|&label| program.labels[label].name);
            if !operands.chain(labels).any(|known| program.name(known).as_bytes() == name) {
                return Some(String::from_utf8_lossy(name).into_owned());
            }
            rest = &rest[end..];
        }
        None
    }

    /// Operands up to the next `:` or `)`.
    fn asm_operands(&mut self, outputs: bool, asm: Pos) -> Parse<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        if matches!(self.tok(), Tok::Colon | Tok::RParen) {
            return Ok(operands);
        }
        loop {
            operands.push(self.asm_operand(outputs, asm)?);
            if !self.eat(Tok::Comma) {
                return Ok(operands);
            }
        }
    }

    fn asm_operand(&mut self, output: bool, asm: Pos) -> Parse<AsmOperand> {
        let mut name = None;
        if self.eat(Tok::LBracket) {
            if !self.tok().is_word() {
                return Err(self.expected("identifier"));
            }
            name = Some(self.bump().symbol());
            self.expect(Tok::RBracket)?;
        }
        let constraint = self.asm_string()?;
        self.expect(Tok::LParen)?;
        let expr = self.nested(Self::expression)?;
        self.expect(Tok::RParen)?;
        let lvalue = build::is_lvalue(self.cx.program, expr);
        let StrUnits::Narrow(text) = &self.cx.program.strings[constraint].units else {
            return Err(self.error(asm, "wide string literal in 'asm'"));
        };
        if output {
            // gcc lets `=` and `+` stand anywhere, with a warning.
            if !text.contains(&b'=') && !text.contains(&b'+') {
                return Err(self.error(asm, "output operand constraint lacks '='"));
            }
            if !lvalue {
                return Err(self.error(asm, "lvalue required in 'asm' statement"));
            }
            let ty = self.cx.program.ty(expr);
            if self.cx.program.types.quals(ty).contains(Quals::CONST) {
                return Err(self.error(asm, "read-only location used as 'asm' output"));
            }
            return Ok(AsmOperand { name, constraint, expr });
        }
        // An input that can only be in memory is the object itself, not its value.
        let memory = text.iter().all(|byte| b"moV<>,&% ".contains(byte)) && !text.is_empty();
        if memory && lvalue {
            return Ok(AsmOperand { name, constraint, expr });
        }
        let built = build::value(&mut self.cx, expr);
        let expr = self.built(built)?;
        Ok(AsmOperand { name, constraint, expr })
    }
}
