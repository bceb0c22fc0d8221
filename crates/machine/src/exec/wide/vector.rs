//! GNU vectors: operators lane by lane, and the builtins that move lanes.

use super::{Operand, Yield, computed, open_part};
use crate::exec::Exec;
use crate::op::BuiltinSite;
use crate::outcome::{Run, unsupported};
use crate::value::{Marks, Value};
use howler_lang::arith::{self, Num};
use howler_lang::builtin;
use howler_lang::program::{BinaryOp, UnaryOp};

impl Exec<'_> {
    pub(super) fn vector_unary(&self, op: UnaryOp, num: Num, a: &[Value]) -> Run<Yield> {
        let lane =
            |lane: &Value| computed(num, self.plain_unary(op, num, lane.to_bits()), open_part(num, lane));
        a.iter().map(lane).collect::<Run<_>>().map(Yield::Parts)
    }

    /// A comparison gives -1 or 0 in lanes of type `mask`.
    pub(super) fn vector_binary(
        &self,
        op: BinaryOp,
        (num, a): (Num, &[Value]),
        (other, b): (Num, &[Value]),
        mask: Num,
    ) -> Run<Yield> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne, Shl, Shr};
        let lane = |(x, y): (&Value, &Value)| {
            let marks = open_part(num, x).union(open_part(other, y));
            let (left, right) = (x.to_bits(), y.to_bits());
            let result = match op {
                Shl | Shr => self.plain_shift(op, (num, left), (other, right)),
                Lt | Gt | Le | Ge | Eq | Ne => arith::binary(op, num, left, right)
                    .map(|holds| if holds == 1 { mask.bits(-1) } else { 0 }),
                _ => self.plain_binary(op, num, left, right),
            };
            let lane = if matches!(op, Lt | Gt | Le | Ge | Eq | Ne) { mask } else { num };
            computed(lane, result, marks)
        };
        if a.len() != b.len() {
            return unsupported("an operator on vectors of different lengths");
        }
        a.iter().zip(b).map(lane).collect::<Run<_>>().map(Yield::Parts)
    }

    /// `__builtin_shuffle`, `__builtin_shufflevector`, `__builtin_convertvector` and `__builtin_complex`.
    pub(in crate::exec) fn wide_builtin(&mut self, site: &BuiltinSite) -> Run<()> {
        let mut args = Vec::with_capacity(site.args.len());
        for &(reg, ty) in site.args.iter() {
            args.push(self.wide_operand(reg, ty)?);
        }
        let result = match (site.builtin, &args[..]) {
            (builtin::COMPLEX, [Operand::Scalar(_, real), Operand::Scalar(_, imaginary)]) => {
                Yield::Parts(vec![*real, *imaginary])
            }
            (builtin::CONVERTVECTOR, [Operand::Parts(shape, lanes)]) => {
                let Some(target) = self.shape(site.ty) else {
                    return unsupported("a conversion to this type");
                };
                let lane = |lane: &Value| self.convert_part(shape.num, target.num, lane);
                Yield::Parts(lanes.iter().map(lane).collect::<Run<_>>()?)
            }
            (builtin::SHUFFLE, [vectors @ .., Operand::Parts(shape, mask)]) => {
                let lanes = all_lanes(vectors);
                if !lanes.len().is_power_of_two() {
                    return unsupported("'__builtin_shuffle' of such vectors");
                }
                // Only the low bits of an index count, as gcc's manual says.
                let pick = |index: &Value| {
                    let at = shape.num.number(index.to_bits()).rem_euclid(lanes.len() as i128);
                    let lane = usize::try_from(at).ok().and_then(|at| lanes.get(at)).copied();
                    lane.unwrap_or(Value::UNINIT).marked(index.marks.intersection(Marks::OPEN))
                };
                Yield::Parts(mask.iter().map(pick).collect())
            }
            (builtin::SHUFFLEVECTOR, [a, b, indices @ ..]) => {
                let lanes = all_lanes(&[a.clone(), b.clone()]);
                let pick = |index: &Operand| match index {
                    Operand::Scalar(num, value) => {
                        let at = usize::try_from(num.number(value.to_bits())).ok();
                        // An index of -1: the compiler may put there what it likes.
                        at.and_then(|at| lanes.get(at))
                            .copied()
                            .unwrap_or(Value::int(0).marked(Marks::LIBRARY))
                    }
                    Operand::Parts(..) => Value::UNINIT,
                };
                Yield::Parts(indices.iter().map(pick).collect())
            }
            _ => return unsupported(format!("'{}'", builtin::name(site.builtin))),
        };
        self.deliver_wide(site.dst, site.ty, result)
    }
}

/// `mask ? a : b` lane by lane.
pub(super) fn select(num: Num, mask: &[Value], a: &[Value], b: &[Value]) -> Yield {
    let lane = |((mask, a), b): ((&Value, &Value), &Value)| {
        let chosen = if arith::truth(num, mask.to_bits()) { a } else { b };
        chosen.marked(mask.marks.intersection(Marks::OPEN))
    };
    Yield::Parts(mask.iter().zip(a).zip(b).map(lane).collect())
}

fn all_lanes(vectors: &[Operand]) -> Vec<Value> {
    let lanes = |operand: &Operand| match operand {
        Operand::Parts(_, parts) => parts.clone(),
        Operand::Scalar(_, value) => vec![*value],
    };
    vectors.iter().flat_map(lanes).collect()
}
