//! The printf family.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::outcome::{Limit, Run, Stop, ub_about, unsupported};
use crate::text::format::{self, Argument, Conversion, Printed, Spec};
use crate::ub::UbKind;
use crate::value::{Marks, Prov, Value};
use howler_lang::arith::Format;
use howler_lang::ty::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "printf" | "vprintf" | "printf_unlocked" => printf,
        "fprintf" | "vfprintf" | "fprintf_unlocked" => fprintf,
        "sprintf" | "vsprintf" => sprintf,
        "snprintf" | "vsnprintf" => snprintf,
        "asprintf" | "vasprintf" => asprintf,
        _ => return None,
    })
}

/// The arguments of a format: those of the call, or those of a `va_list`.
pub(super) struct Args<'a> {
    source: Source<'a>,
    /// The number of the last one that was asked for, from 1: of the call's arguments, or of those in the list.
    number: usize,
}

enum Source<'a> {
    Given(std::slice::Iter<'a, (Value, Type)>),
    List(Value),
}

impl<'a> Args<'a> {
    /// The arguments from this index on.
    pub(super) fn of(exec: &mut Exec<'_>, call: &'a NativeCall<'_>, first: usize) -> Run<Args<'a>> {
        if call.name.starts_with('v') || call.name.starts_with("__isoc99_v") {
            let list = call.arg(first)?;
            exec.check_list(&list)?;
            return Ok(Args { source: Source::List(list), number: 0 });
        }
        let given = call.args.get(first..).unwrap_or(&[]).iter();
        Ok(Args { source: Source::Given(given), number: first })
    }

    pub(super) fn next(&mut self, exec: &mut Exec<'_>) -> Run<Option<(Value, Type)>> {
        self.number += 1;
        match &mut self.source {
            Source::Given(args) => Ok(args.next().copied()),
            Source::List(list) => exec.next_in_list(list, true),
        }
    }

    /// There is no argument for a conversion.
    #[cold]
    pub(super) fn missing<T>(&self, conversion: &[u8]) -> Run<T> {
        let text = format!("there is no argument {}, {} needs one", self.number, quoted(conversion));
        ub_about(UbKind::PrintfFew, Prov::default(), text)
    }

    /// The last argument has another type than a conversion wants.
    #[cold]
    pub(super) fn mistyped<T>(&self, exec: &Exec<'_>, ty: Type, conversion: &[u8], wanted: &str) -> Run<T> {
        let given = howler_lang::print::type_name(exec.program, ty);
        let conversion = quoted(conversion);
        let of = if matches!(self.source, Source::List(_)) { " of the list" } else { "" };
        let text = format!("argument {}{of} is '{given}', {conversion} needs '{wanted}'", self.number);
        ub_about(UbKind::PrintfType, Prov::default(), text)
    }

    /// The list was used by the library: its value is indeterminate (C17 7.16p3).
    pub(super) fn finish(self, exec: &mut Exec<'_>) -> Run<()> {
        match self.source {
            Source::Given(_) => Ok(()),
            Source::List(list) => exec.consume_list(&list),
        }
    }
}

/// A conversion specification for messages; of scanf only what it wants is known.
fn quoted(conversion: &[u8]) -> String {
    match conversion {
        [] => "its conversion".to_owned(),
        text => format!("'{}'", String::from_utf8_lossy(text)),
    }
}

/// A text that was made, and the strings it was made from.
pub(super) struct Formatted {
    pub text: Vec<u8>,
    pub sources: Vec<(Value, u64)>,
}

fn formatted(exec: &mut Exec<'_>, call: &NativeCall<'_>, format: usize) -> Run<Formatted> {
    let pointer = exec.pointer_arg(call, format)?;
    let text = exec.string_at(&pointer, None)?;
    let read = text.len() as u64 + 1;
    formatted_text(exec, call, format, text, (pointer, read))
}

/// The same for a format that was read from `source`.
pub(super) fn formatted_text(
    exec: &mut Exec<'_>,
    call: &NativeCall<'_>,
    format: usize,
    text: Vec<u8>,
    source: (Value, u64),
) -> Run<Formatted> {
    let mut args = Args::of(exec, call, format + 1)?;
    let done = exec.format(&text, source, &mut args)?;
    args.finish(exec)?;
    exec.memory.charge(16 * done.text.len() as u64);
    Ok(done)
}

fn printf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let done = formatted(exec, call, 0)?;
    exec.print(&done.text)?;
    Ok(Value::int(done.text.len() as u64))
}

fn fprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let stream = exec.stream_arg(call, 0)?;
    let done = formatted(exec, call, 1)?;
    exec.write_to(stream, &done.text)?;
    Ok(Value::int(done.text.len() as u64))
}

fn put_string(exec: &mut Exec<'_>, to: &Value, mut done: Formatted, room: u64) -> Run<Value> {
    let len = done.text.len() as u64;
    if room > 0 {
        done.text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX).min(done.text.len()));
        done.text.push(0);
        for (from, read) in &done.sources {
            exec.check_apart(to, done.text.len() as u64, from, *read)?;
        }
        exec.write_bytes(to, &done.text)?;
    }
    Ok(Value::int(len))
}

fn sprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let to = exec.pointer_arg(call, 0)?;
    let done = formatted(exec, call, 1)?;
    put_string(exec, &to, done, u64::MAX)
}

fn snprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, size) = (exec.pointer_arg(call, 0)?, exec.size_arg(call, 1)?);
    let done = formatted(exec, call, 2)?;
    put_string(exec, &to, done, size)
}

/// GNU: the text in memory of its own, which is for the program to free.
fn asprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let (to, ty) = (exec.pointer_arg(call, 0)?, exec.pointee_of(call, 0)?);
    let mut done = formatted(exec, call, 1)?;
    let len = done.text.len() as u64;
    done.text.push(0);
    let new = super::lib_memory::allocate(exec, len + 1, 16, false)?;
    exec.write_bytes(&new, &done.text)?;
    exec.store_through(&to, ty, &new)?;
    Ok(Value::int(len))
}

impl Exec<'_> {
    /// The text of a format with its arguments.
    fn format(&mut self, text: &[u8], source: (Value, u64), args: &mut Args<'_>) -> Run<Formatted> {
        let mut sources = vec![source];
        let mut out = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
            out.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            let (spec, extension) = match format::parse(rest) {
                Ok(parsed) => parsed,
                Err(invalid) => return ub_about(UbKind::PrintfFormat, Prov::default(), invalid.to_string()),
            };
            if extension.is_some() {
                return unsupported("a printf extension of the library");
            }
            let conversion;
            (conversion, rest) = rest.split_at(spec.size);
            self.convert_one((spec, conversion), args, &mut out, &mut sources)?;
            if out.len() > self.limits.output {
                return Err(Stop::Limit(Limit::Output));
            }
        }
        out.extend_from_slice(rest);
        // The result is an int (C17 7.21.6.1p14).
        if out.len() > self.limits.output || i32::try_from(out.len()).is_err() {
            return Err(Stop::Limit(Limit::Output));
        }
        Ok(Formatted { text: out, sources })
    }

    fn next_arg(&mut self, args: &mut Args<'_>, wanted: Type, conversion: &[u8]) -> Run<Value> {
        let Some((value, ty)) = args.next(self)? else { return args.missing(conversion) };
        if !self.argument_fits(wanted, ty, &value) {
            let wanted = howler_lang::print::type_name(self.program, wanted);
            return args.mistyped(self, ty, conversion, &wanted);
        }
        Ok(value)
    }

    fn convert_one(
        &mut self,
        (spec, conversion): (Spec, &[u8]),
        args: &mut Args<'_>,
        out: &mut Vec<u8>,
        sources: &mut Vec<(Value, u64)>,
    ) -> Run<()> {
        let mut star = |exec: &mut Self, amount: format::Amount| -> Run<i32> {
            if amount == format::Amount::Star {
                let value = exec.next_arg(args, Type::INT, conversion)?;
                exec.depend(value.marks);
                return Ok(value.low as u32 as i32);
            }
            Ok(0)
        };
        let (width, precision) = (star(self, spec.width)?, star(self, spec.precision)?);
        let spec = spec.with_stars(width, precision);
        let limit = self.limits.output as u64;
        let done = match format::argument(spec, &self.program.target) {
            Argument::None => {
                out.push(b'%');
                Ok(())
            }
            Argument::Int { passed, .. } => {
                let value = self.converted(args, passed.ty(), conversion)?;
                if spec.conversion == Conversion::Char {
                    format::character(spec, value.low as u8, limit, out)
                        .map_err(|_| Stop::Limit(Limit::Output))?;
                    return Ok(());
                }
                format::integer(spec, &self.program.target, value.to_bits(), limit, out)
            }
            Argument::Double | Argument::LongDouble => {
                let long = format::argument(spec, &self.program.target) == Argument::LongDouble;
                let (ty, format_of) =
                    if long { (Type::LDOUBLE, Format::X87) } else { (Type::DOUBLE, Format::F64) };
                let value = self.next_arg(args, ty, conversion)?;
                self.depend(value.marks);
                match format::float(spec, format_of, value.to_bits(), limit, out) {
                    // A NaN whose sign is open is marked, and was asked for above.
                    Ok(Printed::Value | Printed::Nan { .. }) => Ok(()),
                    Ok(Printed::Disputed) => return unsupported("%#g where glibc and C17 differ"),
                    Err(long) => Err(long),
                }
            }
            Argument::CharPtr => {
                let Some((value, ty)) = args.next(self)? else { return args.missing(conversion) };
                if !self.is_text_type(ty) {
                    return args.mistyped(self, ty, conversion, "char *");
                }
                let bytes = self.string_at(&value, spec.precision.number().map(u64::from))?;
                sources.push((value, bytes.len() as u64 + 1));
                format::string(spec, &bytes, limit, out)
            }
            Argument::VoidPtr => {
                let Some((value, ty)) = args.next(self)? else { return args.missing(conversion) };
                let byte = self.program.types.pointee(ty).is_some();
                if !byte {
                    return args.mistyped(self, ty, conversion, "void *");
                }
                self.check_alive(&value)?;
                self.depend(if value.has_prov() { Marks::ADDRESS } else { value.marks });
                format::pointer(spec, value.low, limit, out)
            }
            Argument::CountPtr(kind) => {
                let Some((pointer, ty)) = args.next(self)? else { return args.missing(conversion) };
                let to = self.program.types.pointee(ty);
                let Some(to) = to.filter(|&to| self.same_rank(to, kind.ty())) else {
                    let wanted = format!("{} *", howler_lang::print::type_name(self.program, kind.ty()));
                    return args.mistyped(self, ty, conversion, &wanted);
                };
                let count = Value::int(out.len() as u64);
                self.store_through(&pointer, to, &count)?;
                Ok(())
            }
            Argument::WideInt(kind) => {
                let value = self.converted(args, kind.ty(), conversion)?;
                let Some(byte) = format::wide_byte(value.low as u32) else {
                    return unsupported("%lc of what is not ASCII");
                };
                format::character(spec, byte, limit, out)
            }
            Argument::WideCharPtr(kind) => {
                let Some((value, ty)) = args.next(self)? else { return args.missing(conversion) };
                let to = self.program.types.pointee(ty);
                let alike = |to: Type| self.num(to).is_some_and(|num| Some(num) == self.num(kind.ty()));
                if !to.is_some_and(alike) {
                    return args.mistyped(self, ty, conversion, "wchar_t *");
                }
                // One byte for each: the precision counts bytes (C17 7.21.6.1p8).
                let units = self.wide_at(&value, spec.precision.number().map(u64::from))?;
                sources.push((value, (units.len() as u64 + 1) * 4));
                let Some(bytes) = super::lib_wide::narrow(&units) else {
                    return unsupported("%ls of what is not ASCII");
                };
                format::string(spec, &bytes, limit, out)
            }
        };
        match done {
            Ok(()) => Ok(()),
            Err(_) => Err(Stop::Limit(Limit::Output)),
        }
    }

    fn is_text_type(&self, ty: Type) -> bool {
        let types = &self.program.types;
        types.pointee(ty).is_some_and(|to| {
            types.is_void(to) || crate::memory::alias::accesses_all(self.program, types.strip(to).bare())
        })
    }

    fn converted(&mut self, args: &mut Args<'_>, wanted: Type, conversion: &[u8]) -> Run<Value> {
        let promoted = self.promoted(wanted);
        let value = self.next_arg(args, promoted, conversion)?;
        self.depend(value.marks);
        Ok(value)
    }
}
