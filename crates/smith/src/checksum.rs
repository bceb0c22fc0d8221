//! What programs print: a checksum over all that is left in the variables of file scope.

use howler_lang::compose::{Value, signature};
use howler_lang::program::{BinaryOp, ExprId, FuncId, Linkage, ObjId, StmtId, UnaryOp};
use howler_lang::ty::{Quals, Signature, Type};

use crate::maker::{Made, Maker};
use crate::place::{Part, Shape, Step};

/// What `main` needs for it.
pub(crate) struct Sum {
    state: ObjId,
    add: FuncId,
    show: FuncId,
    printf: FuncId,
}

impl Maker<'_> {
    /// The sum, the function that adds a number to it, and the one that prints it after a variable if that is wanted.
    pub(crate) fn checksum(&mut self) -> Made<Sum> {
        let char = self.out.qualified(Type::CHAR, Quals::CONST);
        let text = self.out.pointer(char)?;
        let variadic = Signature { variadic: true, ..signature(Type::INT, &[text]) };
        let printf = self.out.function("printf", variadic, Linkage::External)?;
        self.out.declare_function(printf);
        let state = self.out.global("crc", Type::UINT, Linkage::Internal, Some(&Value::Int(0x811c_9dc5)))?;
        let add = self.adder(state)?;
        let show = self.shower(state, printf, text)?;
        Ok(Sum { state, add, show, printf })
    }

    /// `static void checksum(unsigned long long value) { … }`
    fn adder(&mut self, state: ObjId) -> Made<FuncId> {
        let func =
            self.out.function("checksum", signature(Type::VOID, &[Type::ULLONG]), Linkage::Internal)?;
        let value = self.out.param("value", Type::ULLONG);
        let body = self.out.counted("i", Type::INT, 0..8, |out, i| {
            let (value, i) = (out.lvalue(value), out.lvalue(i));
            let eight = out.int(8)?;
            let shift = out.binary(BinaryOp::Mul, i, eight)?;
            let byte = out.binary(BinaryOp::Shr, value, shift)?;
            let mask = out.int(255)?;
            let byte = out.binary(BinaryOp::BitAnd, byte, mask)?;
            let (now, before) = (out.lvalue(state), out.lvalue(state));
            let mixed = out.binary(BinaryOp::BitXor, before, byte)?;
            let mixed = out.cast(Type::UINT, mixed)?;
            let prime = out.constant(Type::UINT, &Value::Int(16_777_619))?;
            let product = out.binary(BinaryOp::Mul, mixed, prime)?;
            let assign = out.assign(now, product)?;
            Ok(vec![out.expr(assign)?])
        })?;
        self.out.define(func, vec![value], &[body])?;
        Ok(func)
    }

    /// `static void show(int wanted, const char *name) { if (wanted) printf("…%s: %X\n", name, crc); }`
    fn shower(&mut self, state: ObjId, printf: FuncId, text: Type) -> Made<FuncId> {
        let func = self.out.function("show", signature(Type::VOID, &[Type::INT, text]), Linkage::Internal)?;
        let wanted = self.out.param("wanted", Type::INT);
        let name = self.out.param("name", text);
        let format = self.out.string("after %s: %X\n");
        let (what, sum) = (self.out.lvalue(name), self.out.lvalue(state));
        let print = self.out.call(printf, &[format, what, sum])?;
        let cond = self.out.lvalue(wanted);
        let body = self.out.when(cond, &[print])?;
        self.out.define(func, vec![wanted, name], &[body])?;
        Ok(func)
    }

    /// `int main(int argc, char **argv)`: with an argument `1` the sum is printed after each variable.
    pub(crate) fn main(&mut self, first: FuncId, sum: &Sum) -> Made<FuncId> {
        let char = self.out.pointer(Type::CHAR)?;
        let chars = self.out.pointer(char)?;
        let main = self.out.function("main", signature(Type::INT, &[Type::INT, chars]), Linkage::External)?;
        let (argc, argv) = (self.out.param("argc", Type::INT), self.out.param("argv", chars));
        let wanted = self.wanted(argc, argv)?;
        let (object, declared) = self.out.local("wanted", Type::INT, Some(&Value::Expr(wanted)))?;
        let mut body = vec![declared, self.out.call(first, &[])?];
        for at in 0..self.globals.len() {
            let root = self.places.var(self.globals[at]).root;
            let before = body.len();
            self.sum(sum.add, root, &mut Vec::new(), &mut body)?;
            if body.len() > before {
                let name = self.out.program.objects[self.places.of(root).object].name;
                let name = name.map_or(String::new(), |name| self.out.program.name(name).to_owned());
                let (now, name) = (self.out.lvalue(object), self.out.string(&name));
                body.push(self.out.call(sum.show, &[now, name])?);
            }
        }
        let format = self.out.string("checksum = %X\n");
        let now = self.out.lvalue(sum.state);
        body.push(self.out.call(sum.printf, &[format, now])?);
        let zero = self.out.int(0)?;
        body.push(self.out.returns(main, Some(zero))?);
        self.out.define(main, vec![argc, argv], &body)?;
        Ok(main)
    }

    /// `argc == 2 && argv[1][0] == '1' && argv[1][1] == 0`
    fn wanted(&mut self, argc: ObjId, argv: ObjId) -> Made<ExprId> {
        let (count, two) = (self.out.lvalue(argc), self.out.int(2)?);
        let mut cond = self.out.binary(BinaryOp::Eq, count, two)?;
        for (at, char) in [(0, 49), (1, 0)] {
            let (list, one, at) = (self.out.lvalue(argv), self.out.int(1)?, self.out.int(at)?);
            let text = self.out.index(list, one)?;
            let read = self.out.index(text, at)?;
            let char = self.out.int(char)?;
            let same = self.out.binary(BinaryOp::Eq, read, char)?;
            cond = self.out.binary(BinaryOp::And, cond, same)?;
        }
        Ok(cond)
    }

    /// Adds all that can be read in a part to the checksum.
    fn sum(&mut self, add: FuncId, part: Part, counters: &mut Vec<ObjId>, out: &mut Vec<StmtId>) -> Made<()> {
        let data = self.places.part(part);
        let (shape, kids) = (data.shape, data.kids.clone());
        match shape {
            Shape::Struct => kids.into_iter().try_for_each(|kid| self.sum(add, kid, counters, out)),
            Shape::Union => {
                // The member that it certainly holds.
                let held = data.slot.and_then(|slot| self.sets.only_member(self.peek(slot)));
                let kid = held.and_then(|at| kids.get(at as usize).copied());
                kid.map_or(Ok(()), |kid| self.sum(add, kid, counters, out))
            }
            Shape::Array | Shape::Vector => {
                let Step::Element(len) = self.places.part(kids[0]).step else { return Ok(()) };
                let name = format!("i{}", counters.len());
                let (counter, declared) = self.out.local(&name, Type::INT, Some(&Value::Int(0)))?;
                let mut inner = Vec::new();
                counters.push(counter);
                self.sum(add, kids[0], counters, &mut inner)?;
                counters.pop();
                if inner.is_empty() {
                    return Ok(());
                }
                let now = self.out.lvalue(counter);
                let limit = self.out.int(i128::from(len))?;
                let cond = self.out.binary(BinaryOp::Lt, now, limit)?;
                let now = self.out.lvalue(counter);
                let step = self.out.unary(UnaryOp::PostInc, now)?;
                let head = howler_lang::compose::Head::Declarations(&[declared]);
                out.push(self.out.for_loop(head, Some(cond), Some(step), &inner)?);
                Ok(())
            }
            Shape::Pointer | Shape::Number(_) => {
                let value = self.readable(part, counters)?;
                let Some(value) = value else { return Ok(()) };
                out.push(self.out.call(add, &[value])?);
                Ok(())
            }
        }
    }

    /// What a number or a pointer adds: the number, what the pointer points to if that is a number.
    fn readable(&mut self, part: Part, counters: &[ObjId]) -> Made<Option<ExprId>> {
        let data = self.places.part(part);
        let (shape, slot, ty) = (data.shape, data.slot, data.ty);
        let mut at = 0;
        let e = self.path_with(part, &mut |maker, _| {
            at += 1;
            Ok(maker.out.lvalue(counters[at - 1]))
        })?;
        let (e, ty) = match (shape, slot) {
            (Shape::Pointer, Some(slot)) => {
                let to = self.out.program.types.pointee(ty).unwrap_or(Type::INT);
                let state = self.peek(slot);
                let sound = self.sets.is_sound(state);
                let integer = self.out.program.types.is_integer(to);
                let held = self.sets.parts(state).all(|part| !self.places.part(part).of_union);
                if !(sound && integer && held) {
                    return Ok(None);
                }
                (self.out.deref(e)?, to)
            }
            _ => (e, ty),
        };
        if self.out.program.types.is_float(ty) {
            // All bits of what variables hold.
            let scale = self.out.int(256)?;
            let scaled = self.out.binary(BinaryOp::Mul, e, scale)?;
            let whole = self.out.cast(Type::LLONG, scaled)?;
            return self.out.cast(Type::ULLONG, whole).map(Some);
        }
        self.out.cast(Type::ULLONG, e).map(Some)
    }
}
