//! The printf family.

use super::Exec;
use super::library::{Native, NativeCall};
use crate::outcome::{Limit, Run, Stop, ub, ub_about, unsupported};
use crate::text::format::{self, Argument, Printed, Spec};
use crate::ub::UbKind;
use crate::value::{Marks, Prov, Value};
use howler_lang::arith::Format;
use howler_lang::ty::Type;

pub(super) fn find(name: &str) -> Option<Native> {
    Some(match name {
        "printf" => printf,
        "sprintf" => sprintf,
        "snprintf" => snprintf,
        "puts" => puts,
        "putchar" => putchar,
        _ => return None,
    })
}

fn printf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let text = exec.format(&call.arg(0)?, &mut call.args[1..].iter().copied())?;
    exec.print(&text)?;
    Ok(Value::int(text.len() as u64))
}

fn sprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let mut text = exec.format(&call.arg(1)?, &mut call.args[2..].iter().copied())?;
    let len = text.len() as u64;
    text.push(0);
    exec.write_bytes(&call.arg(0)?, &text)?;
    Ok(Value::int(len))
}

fn snprintf(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let size = call.arg(1)?.low;
    let mut text = exec.format(&call.arg(2)?, &mut call.args[3..].iter().copied())?;
    let len = text.len() as u64;
    if size > 0 {
        text.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX).min(text.len()));
        text.push(0);
        exec.write_bytes(&call.arg(0)?, &text)?;
    }
    Ok(Value::int(len))
}

fn puts(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let mut text = exec.string_at(&call.arg(0)?, None)?;
    text.push(b'\n');
    exec.print(&text)?;
    Ok(Value::int(1).marked(Marks::LIBRARY))
}

fn putchar(exec: &mut Exec<'_>, call: &NativeCall<'_>) -> Run<Value> {
    let value = call.arg(0)?;
    exec.depend(value.marks);
    exec.print(&[value.low as u8])?;
    Ok(Value::int(value.low & 0xff))
}

type Args<'a> = dyn Iterator<Item = (Value, Type)> + 'a;

impl Exec<'_> {
    /// The text of a format with its arguments.
    pub(super) fn format(&mut self, pointer: &Value, args: &mut Args<'_>) -> Run<Vec<u8>> {
        let text = self.string_at(pointer, None)?;
        let mut out = Vec::new();
        let mut rest = &text[..];
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
            rest = &rest[spec.size..];
            self.convert_one(spec, args, &mut out)?;
            if out.len() > self.limits.output {
                return Err(Stop::Limit(Limit::Output));
            }
        }
        out.extend_from_slice(rest);
        Ok(out)
    }

    fn next_arg(&mut self, args: &mut Args<'_>, wanted: Type) -> Run<Value> {
        let Some((value, ty)) = args.next() else { return ub(UbKind::PrintfFew) };
        if !self.argument_fits(wanted, ty, &value) {
            return ub(UbKind::PrintfType);
        }
        Ok(value)
    }

    fn convert_one(&mut self, spec: Spec, args: &mut Args<'_>, out: &mut Vec<u8>) -> Run<()> {
        let mut star = |exec: &mut Self, amount: format::Amount| -> Run<i32> {
            if amount == format::Amount::Star {
                let value = exec.next_arg(args, Type::INT)?;
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
                let value = self.integer_arg(args, passed.ty())?;
                format::integer(spec, &self.program.target, value.to_bits(), limit, out)
            }
            Argument::Double | Argument::LongDouble => {
                let long = format::argument(spec, &self.program.target) == Argument::LongDouble;
                let (ty, format_of) =
                    if long { (Type::LDOUBLE, Format::X87) } else { (Type::DOUBLE, Format::F64) };
                let value = self.next_arg(args, ty)?;
                self.depend(value.marks);
                match format::float(spec, format_of, value.to_bits(), limit, out) {
                    Ok(Printed::Value) => Ok(()),
                    Ok(Printed::Nan { .. }) => {
                        self.depend(Marks::LIBRARY);
                        Ok(())
                    }
                    Ok(Printed::Disputed) => return unsupported("%#g where glibc and C17 differ"),
                    Err(long) => Err(long),
                }
            }
            Argument::CharPtr => {
                let Some((value, ty)) = args.next() else { return ub(UbKind::PrintfFew) };
                self.check_text_type(ty)?;
                let bytes = self.string_at(&value, spec.precision.number().map(u64::from))?;
                format::string(spec, &bytes, limit, out)
            }
            Argument::VoidPtr => {
                let Some((value, ty)) = args.next() else { return ub(UbKind::PrintfFew) };
                let byte = self.program.types.pointee(ty).is_some();
                if !byte {
                    return ub(UbKind::PrintfType);
                }
                self.check_alive(&value)?;
                self.depend(if value.has_prov() { Marks::ADDRESS } else { value.marks });
                format::pointer(spec, value.low, limit, out)
            }
            _ => return unsupported("this printf conversion"),
        };
        match done {
            Ok(()) => Ok(()),
            Err(_) => Err(Stop::Limit(Limit::Output)),
        }
    }

    fn check_text_type(&self, ty: Type) -> Run<()> {
        let types = &self.program.types;
        let ok = types.pointee(ty).is_some_and(|to| {
            types.is_void(to) || crate::memory::alias::accesses_all(self.program, types.strip(to).bare())
        });
        if ok { Ok(()) } else { ub(UbKind::PrintfType) }
    }

    fn integer_arg(&mut self, args: &mut Args<'_>, wanted: Type) -> Run<Value> {
        let promoted = self.promoted(wanted);
        let value = self.next_arg(args, promoted)?;
        self.depend(value.marks);
        Ok(value)
    }
}
