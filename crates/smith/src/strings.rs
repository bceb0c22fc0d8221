//! Strings: literals, constant arrays and pointers to them, of which single characters are read.
//!
//! A pointer points to literals of at least so many characters, whatever it is made to point to; nobody else finds it.

use howler_lang::compose::Value;
use howler_lang::program::{BinaryOp, ExprId, Linkage, StmtId};
use howler_lang::ty::{Quals, Type};

use crate::expr::COMPARISONS;
use crate::features::Feature;
use crate::maker::{Made, Maker};
use crate::place::{Part, Shape, Step};

/// A string with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    root: Part,
    /// Characters that it has at least, without the zero at its end.
    len: u32,
    /// It is a pointer that may be made to point elsewhere.
    moves: bool,
}

/// How many of them a program has.
const MOST: usize = 6;

impl Maker<'_> {
    /// The characters of a literal.
    pub(crate) fn characters(&mut self, least: u32, most: u32) -> String {
        let len = self.choices.range("characters", least..=most.max(least));
        (0..len)
            .map(|_| char::from(*self.choices.one_of("character", b"abcdefgxyzABYZ0129 _-+#!.,:;/%")))
            .collect()
    }

    /// A character of a string, or with builtins its length, or how it compares with another.
    pub(crate) fn text_expr(&mut self) -> Made<Option<ExprId>> {
        self.left -= 4;
        let start = self.log.len();
        let Some((text, len)) = self.text_value()? else { return Ok(None) };
        if self.has(Feature::Builtins) && self.one_in("library", 3) {
            if self.one_in("length", 2) {
                let func = self.out.builtin("__builtin_strlen")?;
                self.costs(30);
                return self.out.call_of(func, &[text]).map(Some);
            }
            let Some((other, _)) = self.text_value()? else { return Ok(None) };
            let func = self.out.builtin("__builtin_strcmp")?;
            self.costs(30);
            // Only the sign means something.
            let order = self.out.call_of(func, &[text, other])?;
            let zero = self.out.int(0)?;
            let op = *self.choices.one_of("comparison", &COMPARISONS);
            return self.out.binary(op, order, zero).map(Some);
        }
        self.log.beside(start);
        let index = self.index(len + 1)?;
        self.log.with();
        if self.one_in("sum", 4) {
            let sum = self.out.binary(BinaryOp::Add, text, index)?;
            return self.out.deref(sum).map(Some);
        }
        self.out.index(text, index).map(Some)
    }

    /// A literal, or a string with a name, and how long it is at least.
    fn text_value(&mut self) -> Made<Option<(ExprId, u32)>> {
        if self.one_in("literal", 4) {
            let text = self.characters(1, 12);
            return Ok(Some((self.out.string(&text), text.len() as u32)));
        }
        if self.texts.is_empty() || self.texts.len() < MOST && self.one_in("new", 4) {
            self.new_text()?;
        }
        let text = *self.choices.pick("text", &self.texts).expect("one was made");
        if text.moves {
            if !self.may_read(text.root, false) {
                return Ok(None);
            }
            self.note_read(text.root, false);
        }
        let object = self.places.of(text.root).object;
        Ok(Some((self.out.lvalue(object), text.len)))
    }

    fn new_text(&mut self) -> Made<()> {
        let text = self.characters(1, 14);
        let len = text.len() as u32;
        let literal = self.out.string(&text);
        let char = self.out.qualified(Type::CHAR, Quals::CONST);
        let kind = self.choices.range("kind", 0..=2u32);
        let ty = match kind {
            0 => self.out.array(char, u64::from(len) + 1)?,
            1 => self.out.pointer(char)?,
            _ => {
                let pointer = self.out.pointer(char)?;
                self.out.qualified(pointer, Quals::CONST)
            }
        };
        let name = self.name("text");
        let object = self.out.global(&name, ty, Linkage::Internal, Some(&Value::Expr(literal)))?;
        let var = self.places.add_var(object, true);
        let root = self.places.add_part(var, None, Step::Whole, (ty, Quals::NONE, Shape::Number(None)));
        self.texts.push(Text { root, len, moves: kind == 1 });
        self.left -= 8;
        Ok(())
    }

    /// `text = "…";`
    pub(crate) fn move_text(&mut self) -> Made<Option<StmtId>> {
        let moving: Vec<Text> = self.texts.iter().copied().filter(|text| text.moves).collect();
        let Some(&text) = self.choices.pick("text", &moving) else { return Ok(None) };
        if !self.may_write(text.root, false, None) {
            return Ok(None);
        }
        self.note_write(text.root, false, true);
        let characters = self.characters(text.len, text.len + 3);
        let literal = self.out.string(&characters);
        let object = self.places.of(text.root).object;
        let place = self.out.lvalue(object);
        let e = self.out.assign(place, literal)?;
        self.left -= 4;
        self.out.expr(e).map(Some)
    }
}
