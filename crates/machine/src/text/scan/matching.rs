//! scanf's matching: bytes against directives, giving typed values.
//!
//! The result is C17's. glibc differs in a few corners, and [`Matched::disputed`] says when one was met: a promise about
//! the program's behaviour must not rest on it then.

use super::directive::{Conversion, Directive, Kind, Object, float_format, object};
use super::float::{Range, shape, value};
use super::integer::{in_type, subject};
use crate::text::ctype::is_space;
use howler_lang::arith::{Num, int_num};
use howler_lang::target::Target;

/// What matching found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matched {
    /// What is to be stored, in the order of the arguments. Not every argument need have a value.
    pub items: Vec<Item>,
    /// What scanf returns: the number of items assigned; `None` is `EOF`.
    pub result: Option<u32>,
    /// How many bytes of the input were read; a byte that did not match is not one of them.
    pub read: usize,
    /// Whether the end of the input was met: a stream's end-of-file indicator is set then.
    pub ended: bool,
    /// Whether glibc may have read one byte more than C17 lets it, and lost it: `nx` where a number must be.
    pub lost: bool,
    /// Whether glibc may do something else: `0x` without digits, `1e` without an exponent, `nan(`, fewer bytes than
    /// `%5c` wants, the end of the input after a suppressed conversion, wide characters that are not ASCII.
    pub disputed: bool,
}

/// A value for the object that the next argument points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// What that is.
    pub object: Object,
    /// The value.
    pub value: Value,
}

/// A value to store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer in its type's bits.
    Int {
        /// The bits.
        bits: u128,
        /// The number does not fit the object, which is undefined (C17 7.21.6.2p10).
        overflow: bool,
    },
    /// A floating value in its format.
    Float {
        /// The bits.
        bits: u128,
        /// Whether it fits.
        range: Range,
    },
    /// Bytes without a null character behind them: `%c`.
    Bytes(Vec<u8>),
    /// Bytes to be followed by a null character.
    String(Vec<u8>),
    /// An address, as `%p` would print it; whether it is a pointer is the caller's to know.
    Address(u64),
}

/// Matches `input`, which ends where the stream or the string does, against the directives.
///
/// ```
/// use howler_lang::target::Target;
/// use howler_machine::text::scan::{Value, matches, parse};
/// let format = parse(b"%d-%2s").expect("valid");
/// let found = matches(&format, b" 12-xyz", &Target::X86_64_GCC);
/// assert_eq!((found.result, found.read), (Some(2), 6));
/// assert_eq!(found.items[1].value, Value::String(b"xy".to_vec()));
/// ```
pub fn matches(directives: &[Directive], input: &[u8], target: &Target) -> Matched {
    let mut state = State {
        input,
        read: 0,
        items: Vec::new(),
        assigned: 0,
        completed: false,
        ended: false,
        lost: false,
        disputed: false,
    };
    let mut failure = None;
    for directive in directives {
        let done = match directive {
            Directive::Space => {
                state.skip_space();
                Ok(())
            }
            Directive::Literal(byte) => state.literal(*byte),
            Directive::Percent => {
                state.skip_space();
                state.literal(b'%')
            }
            Directive::Conversion(conversion) => state.conversion(conversion, target),
        };
        if let Err(why) = done {
            failure = Some(why);
            break;
        }
    }
    // C17 7.21.6.2p16: EOF if the input fails before the first conversion has completed.
    let ended = failure == Some(Failure::Input);
    state.disputed |= ended && state.completed && state.assigned == 0;
    let result = if ended && !state.completed { None } else { Some(state.assigned) };
    Matched {
        items: state.items,
        result,
        read: state.read,
        ended: state.ended,
        lost: state.lost,
        disputed: state.disputed,
    }
}

/// How a directive fails (C17 7.21.6.2p4).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    Input,
    Matching,
}

struct State<'a> {
    input: &'a [u8],
    read: usize,
    items: Vec<Item>,
    assigned: u32,
    completed: bool,
    ended: bool,
    lost: bool,
    disputed: bool,
}

impl<'a> State<'a> {
    fn rest(&self) -> &'a [u8] {
        self.input.get(self.read..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.read += self.rest().iter().take_while(|&&byte| is_space(byte)).count();
        self.ended |= self.rest().is_empty();
    }

    fn literal(&mut self, wanted: u8) -> Result<(), Failure> {
        match self.rest().first() {
            Some(&byte) if byte == wanted => {
                self.read += 1;
                Ok(())
            }
            Some(_) => Err(Failure::Matching),
            None => {
                self.ended = true;
                Err(Failure::Input)
            }
        }
    }

    fn conversion(&mut self, conversion: &Conversion, target: &Target) -> Result<(), Failure> {
        let object = object(conversion, target);
        if conversion.kind == Kind::Count {
            // It neither reads nor counts as an assignment.
            let bits = u128::try_from(self.read).unwrap_or(u128::MAX);
            self.store(object, int_value(bits, false, object, target));
            return Ok(());
        }
        if !matches!(conversion.kind, Kind::Chars | Kind::Set(_)) {
            self.skip_space();
        }
        if self.rest().is_empty() {
            self.ended = true;
            return Err(Failure::Input);
        }
        let given = conversion.width.map(|width| usize::try_from(width).unwrap_or(usize::MAX));
        let field = &self.rest()[..self.rest().len().min(given.unwrap_or(usize::MAX))];
        let start = self.read;
        let value = self.value(conversion, object, field, given, target);
        // All but `%c` look at what follows, unless the field is full.
        let full = given.is_some_and(|given| self.read - start >= given);
        self.ended |= self.rest().is_empty() && !full && conversion.kind != Kind::Chars;
        let value = value?;
        if let (Some(Object::WideChars(_)), Value::Bytes(bytes) | Value::String(bytes)) = (object, &value) {
            self.disputed |= !bytes.is_ascii();
        }
        self.completed = true;
        self.assigned += u32::from(object.is_some());
        self.store(object, value);
        Ok(())
    }

    /// The value of a conversion whose field is not empty.
    fn value(
        &mut self,
        conversion: &Conversion,
        object: Option<Object>,
        field: &[u8],
        given: Option<usize>,
        target: &Target,
    ) -> Result<Value, Failure> {
        Ok(match &conversion.kind {
            Kind::Integer { base, .. } => {
                let (magnitude, negative) = self.integer(field, *base)?;
                int_value(magnitude, negative, object, target)
            }
            Kind::Float => self.float(conversion, field)?,
            Kind::Chars => {
                let wanted = given.unwrap_or(1);
                let bytes = &field[..field.len().min(wanted)];
                self.read += bytes.len();
                if bytes.len() < wanted {
                    // C17 7.21.6.2p12: exactly as many as the width says.
                    self.disputed = true;
                    return Err(Failure::Matching);
                }
                Value::Bytes(bytes.to_vec())
            }
            Kind::String => self.string(field, |byte| !is_space(byte))?,
            Kind::Set(set) => self.string(field, |byte| set.has(byte))?,
            Kind::Pointer => self.pointer(field, target)?,
            // Handled above.
            Kind::Count => return Err(Failure::Matching),
        })
    }

    fn store(&mut self, object: Option<Object>, value: Value) {
        if let Some(object) = object {
            self.items.push(Item { object, value });
        }
    }

    /// The input item is the longest text that is a number or begins one (C17 7.21.6.2p9); it must be one (p10).
    fn integer(&mut self, field: &[u8], base: u32) -> Result<(u128, bool), Failure> {
        let subject = subject(field, base);
        // The item has the x too.
        self.read += subject.end + usize::from(subject.lone_prefix);
        self.disputed |= subject.lone_prefix;
        match subject.magnitude {
            Some(magnitude) if !subject.lone_prefix => Ok((magnitude, subject.negative)),
            _ => Err(Failure::Matching),
        }
    }

    fn float(&mut self, conversion: &Conversion, field: &[u8]) -> Result<Value, Failure> {
        let shape = shape(field);
        self.read += shape.prefix_end;
        let Some(subject) = shape.subject else {
            self.lost |= shape.prefix_end > 0;
            return Err(Failure::Matching);
        };
        // glibc reads no n-char-sequence.
        self.disputed |= subject.is_nan() && field[..shape.prefix_end].contains(&b'(');
        if subject.end < shape.prefix_end {
            self.disputed = true;
            return Err(Failure::Matching);
        }
        let format = float_format(conversion.length);
        let (bits, range) = value(field, &subject, format);
        let sign = if shape.negative { format.sign_bit() } else { 0 };
        Ok(Value::Float { bits: bits | sign, range })
    }

    fn string(&mut self, field: &[u8], is_in: impl Fn(u8) -> bool) -> Result<Value, Failure> {
        let count = field.iter().take_while(|&&byte| is_in(byte)).count();
        if count == 0 {
            return Err(Failure::Matching);
        }
        self.read += count;
        Ok(Value::String(field[..count].to_vec()))
    }

    fn pointer(&mut self, field: &[u8], target: &Target) -> Result<Value, Failure> {
        const NIL: &[u8] = b"(nil)";
        if field.first() == Some(&b'(') {
            let common =
                field.iter().zip(NIL).take_while(|(byte, nil)| byte.eq_ignore_ascii_case(nil)).count();
            self.read += common;
            return if common == NIL.len() { Ok(Value::Address(0)) } else { Err(Failure::Matching) };
        }
        let (magnitude, negative) = self.integer(field, 16)?;
        let (bits, _) = in_type(magnitude, negative, 8 * u32::from(target.layout().pointer), false);
        Ok(Value::Address(u64::try_from(bits).unwrap_or(u64::MAX)))
    }
}

/// A number in the type of its object. What is out of range wraps, but is undefined all the same.
fn int_value(magnitude: u128, negative: bool, object: Option<Object>, target: &Target) -> Value {
    let Some(Object::Int(kind)) = object else {
        return Value::Int { bits: magnitude, overflow: false };
    };
    let num = int_num(target, kind);
    let signed = matches!(num, Num::Int { signed: true, .. });
    let (bits, overflow) = in_type(magnitude, negative, num.width(), signed);
    Value::Int { bits, overflow }
}
