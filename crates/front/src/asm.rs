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
            asm.outputs = self.asm_operands(None, pos)?;
        }
        if self.eat(Tok::Colon) {
            asm.inputs = self.asm_operands(Some(asm.outputs.len()), pos)?;
        }
        if self.eat(Tok::Colon) && self.tok() == Tok::Str {
            asm.clobbers.push(self.asm_clobber(pos)?);
            while self.eat(Tok::Comma) {
                asm.clobbers.push(self.asm_clobber(pos)?);
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

    /// A register, `memory` or `cc`.
    fn asm_clobber(&mut self, asm: Pos) -> Parse<StrId> {
        let text = self.asm_string()?;
        let StrUnits::Narrow(name) = &self.cx.program.strings[text].units else { return Ok(text) };
        if !is_register(name) {
            let shown = String::from_utf8_lossy(name).into_owned();
            return Err(self.error(asm, format!("unknown register name '{shown}' in 'asm'")));
        }
        Ok(text)
    }

    /// Operands up to the next `:` or `)`; for inputs, behind so many outputs.
    fn asm_operands(&mut self, outputs: Option<usize>, asm: Pos) -> Parse<Vec<AsmOperand>> {
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

    fn asm_operand(&mut self, outputs: Option<usize>, asm: Pos) -> Parse<AsmOperand> {
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
        let Some(outputs) = outputs else {
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
        };
        if let Some(message) = wrong_input(text, outputs) {
            return Err(self.error(asm, message));
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

/// What gcc finds wrong with the letters of an input constraint, on any machine, if there are `outputs` outputs.
fn wrong_input(text: &[u8], outputs: usize) -> Option<String> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'=' | b'+' | b'&' => {
                return Some(format!("input operand constraint contains '{}'", char::from(byte)));
            }
            b'0'..=b'9' => {
                let rest = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let number = std::str::from_utf8(&text[at - 1..at + rest]).ok()?;
                if number.parse().map_or(true, |number: usize| number >= outputs) {
                    return Some("matching constraint references invalid operand number".to_owned());
                }
                at += rest;
            }
            b'[' => match text[at..].iter().position(|&byte| byte == b']') {
                Some(end) => at += end + 1,
                None => return Some("missing close brace for named operand".to_owned()),
            },
            b'(' | b')' | b'{' | b'}' | b']' | b';' | b'.' | b'_' | b'\'' | b'|' | b'~' | b':' | b'-'
            | b'/' | b'`' => {
                return Some(format!("invalid punctuation '{}' in constraint", char::from(byte)));
            }
            _ => {}
        }
    }
    None
}

/// Whether gcc or clang knows a register of this name on either machine, or it is no register but may be clobbered.
fn is_register(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    let name = name.trim_start_matches(['%', '#']);
    let numbered = |prefix: &str, end: u32| {
        let number = name.strip_prefix(prefix).map(|rest| rest.trim_end_matches(['d', 'w', 'b']));
        number.and_then(|number| number.parse().ok()).is_some_and(|number: u32| number < end)
    };
    let legacy = |name: &str| {
        matches!(
            name,
            "ax" | "bx"
                | "cx"
                | "dx"
                | "si"
                | "di"
                | "bp"
                | "sp"
                | "al"
                | "bl"
                | "cl"
                | "dl"
                | "ah"
                | "bh"
                | "ch"
                | "dh"
        ) || matches!(name, "sil" | "dil" | "bpl" | "spl")
    };
    let wide = name.strip_prefix(['r', 'e']).unwrap_or(name);
    matches!(name, "memory" | "cc" | "flags" | "fpsr" | "fpcr" | "dirflag" | "argp" | "frame" | "st")
        || legacy(name)
        || (wide.len() == 2 && legacy(wide))
        || numbered("r", 32)
        || numbered("xmm", 32)
        || numbered("ymm", 32)
        || numbered("zmm", 32)
        || numbered("mm", 8)
        || numbered("k", 8)
        || numbered("cr", 16)
        || numbered("dr", 16)
        || numbered("bnd", 4)
        || numbered("tmm", 8)
        || (name.strip_prefix("st(").and_then(|rest| rest.strip_suffix(')')))
            .is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'7']))
        || (!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()))
}
