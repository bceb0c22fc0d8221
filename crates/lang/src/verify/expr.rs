//! The rules of expressions, one node at a time.

use super::{Faults, number};
use crate::arith::{self, FloatClass, Num};
use crate::build::is_lvalue;
use crate::layout::integers::width_and_sign;
use crate::program::{BinaryOp, Conv, Expr, ExprId, ExprKind, IntForm, Program, UnaryOp};
use crate::ty::{Type, TypeKind};
use crate::visit;

/// Checks one node against its operands.
pub(super) fn check(program: &Program, id: ExprId, expr: &Expr, faults: &mut Faults) {
    let mut ordered = true;
    visit::operands(program, id, |operand| ordered &= operand < id);
    if !ordered {
        // Without the order, walking down from here might not end.
        faults.add("E-order", || format!("expression {} comes before an operand", number(id)));
        return;
    }
    let types = &program.types;
    let ty = |e: ExprId| program.ty(e);
    let mut fault = |holds: bool, rule: &'static str| {
        faults.require(holds, rule, || format!("expression {}: {:?}", number(id), expr.kind));
    };
    match expr.kind {
        ExprKind::Int { value, form } => fault(is_literal(program, value, form, expr.ty), "E-literal"),
        // A spelling says what it is: `1e999` is infinite.
        ExprKind::Float(float) => {
            let lit = program.floats[float];
            let plain = match arith::num_of(types, &program.target, expr.ty) {
                Some(Num::Float(format)) => {
                    let class = arith::classify(format, lit.bits);
                    !matches!(class, FloatClass::Nan | FloatClass::Infinite)
                        && lit.bits >> (format.bits() - 1) & 1 == 0
                }
                _ => false,
            };
            fault(lit.spelling.is_some() || plain, "E-literal");
        }
        ExprKind::Convert(conv, of) => match conv {
            Conv::Load => {
                fault(is_lvalue(program, of) && types.is_complete(ty(of)), "E-load");
                fault(expr.ty == types.strip(ty(of)).bare(), "E-load");
            }
            Conv::ArrayDecay => {
                let TypeKind::Array { elem, .. } = types.kind(ty(of)) else { return fault(false, "E-decay") };
                fault(types.pointee(expr.ty) == Some(elem), "E-decay");
            }
            Conv::FunctionDecay => {
                fault(types.is_function(ty(of)) && types.pointee(expr.ty) == Some(ty(of)), "E-decay");
            }
            _ => {
                fault(is_value(program, of), "E-value");
                fault(allowed(program, conv, ty(of), expr.ty), "E-convert");
            }
        },
        ExprKind::Cast(conv, of) => {
            fault(conv == Conv::ToVoid || is_value(program, of), "E-value");
            fault(allowed(program, conv, ty(of), expr.ty), "E-convert");
        }
        ExprKind::Unary(op, of) => match op {
            UnaryOp::AddrOf => fault(types.pointee(expr.ty) == Some(ty(of)), "E-pointer"),
            UnaryOp::Deref => {
                fault(types.pointee(ty(of)) == Some(expr.ty) && is_value(program, of), "E-pointer")
            }
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                fault(is_lvalue(program, of) && expr.ty == types.strip(ty(of)).bare(), "E-assign");
            }
            UnaryOp::Real | UnaryOp::Imag => {}
            UnaryOp::Not => fault(is_value(program, of), "E-value"),
            UnaryOp::Neg | UnaryOp::Plus | UnaryOp::BitNot => {
                fault(is_value(program, of), "E-value");
                fault(ty(of) == expr.ty, "E-arith");
            }
        },
        ExprKind::Binary(op, a, b) => {
            fault(is_value(program, a) && is_value(program, b), "E-value");
            binary(program, op, expr.ty, ty(a), ty(b), &mut fault);
        }
        ExprKind::Assign(lhs, rhs) => {
            fault(is_lvalue(program, lhs) && is_value(program, rhs), "E-assign");
            fault(ty(rhs) == types.strip(ty(lhs)).bare() && expr.ty == ty(rhs), "E-assign");
        }
        ExprKind::Compound { lhs, rhs, .. } => {
            fault(is_lvalue(program, lhs) && is_value(program, rhs), "E-assign");
            fault(expr.ty == types.strip(ty(lhs)).bare(), "E-assign");
        }
        ExprKind::Cond(c, a, b) => {
            fault(types.is_scalar(ty(c)) && is_value(program, c), "E-value");
            fault(ty(a) == expr.ty && ty(b) == expr.ty, "E-cond");
        }
        ExprKind::Elvis(c, b) => {
            fault(types.is_scalar(ty(c)) && is_value(program, c), "E-value");
            fault(ty(b) == expr.ty, "E-cond");
        }
        ExprKind::Comma(_, b) => fault(ty(b) == expr.ty, "E-value"),
        ExprKind::Call(callee, args) => {
            let function = types.pointee(ty(callee)).map(|to| types.kind(to));
            let Some(TypeKind::Function(signature)) = function else { return fault(false, "E-call") };
            let signature = types.signature(signature);
            let args = program.list(args);
            let count = signature.params.len();
            fault(
                !signature.prototype || args.len() == count || (signature.variadic && args.len() > count),
                "E-call",
            );
            let fits =
                args.iter().zip(&signature.params).all(|(&arg, &param)| ty(arg) == types.strip(param).bare());
            fault(fits && args.iter().all(|&arg| is_value(program, arg)), "E-call");
            fault(expr.ty == types.strip(signature.ret).bare(), "E-call");
        }
        ExprKind::Member { base, field } => {
            let known = types.as_record(ty(base)).is_some_and(|record| {
                types.records[record].complete && types.records[record].fields.len() > field as usize
            });
            fault(known, "E-member");
        }
        ExprKind::Index { base, index } => {
            let vector = matches!(types.kind(ty(base)), TypeKind::Vector { .. });
            fault(
                vector || (is_value(program, base) && types.pointee(ty(base)) == Some(expr.ty)),
                "E-pointer",
            );
            fault(is_value(program, index) && types.is_integer(ty(index)), "E-pointer");
        }
        _ => {}
    }
}

fn binary(
    program: &Program,
    op: BinaryOp,
    ty: Type,
    a: Type,
    b: Type,
    fault: &mut impl FnMut(bool, &'static str),
) {
    let types = &program.types;
    match op {
        BinaryOp::And | BinaryOp::Or => {
            fault(types.is_scalar(a) && types.is_scalar(b) && ty == Type::INT, "E-arith");
        }
        BinaryOp::Shl | BinaryOp::Shr => fault(ty == a, "E-arith"),
        BinaryOp::Add | BinaryOp::Sub => match (types.pointee(a), types.pointee(b)) {
            (None, None) => {
                fault(meets(program, a, b) && element(program, ty) == element(program, a), "E-arith")
            }
            (Some(_), Some(_)) => fault(op == BinaryOp::Sub && types.is_integer(ty), "E-pointer"),
            (Some(_), None) => fault(types.is_integer(b) && ty == a, "E-pointer"),
            (None, Some(_)) => fault(op == BinaryOp::Add && types.is_integer(a) && ty == b, "E-pointer"),
        },
        BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => {
            fault(meets(program, a, b) && element(program, ty) == element(program, a), "E-arith");
        }
        BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => {
            let pointers = types.pointee(a).is_some() && types.pointee(b).is_some();
            fault(meets(program, a, b) || pointers, "E-arith");
        }
    }
}

/// Whether two operand types are one, up to complexness.
fn meets(program: &Program, a: Type, b: Type) -> bool {
    a == b || element(program, a) == element(program, b)
}

fn element(program: &Program, ty: Type) -> Type {
    match program.types.kind(ty) {
        TypeKind::Complex(elem) => elem,
        _ => ty,
    }
}

/// Whether `e` is a value: nothing is left to read or decay.
fn is_value(program: &Program, e: ExprId) -> bool {
    let ty = program.ty(e);
    match program.types.kind(ty) {
        TypeKind::Array { .. } | TypeKind::Function(_) => false,
        TypeKind::Void => true,
        _ => !is_lvalue(program, e),
    }
}

/// Whether an integer literal can have the type and the value (C17 6.4.4.1p5). Characters have types of their own.
fn is_literal(program: &Program, value: u64, form: IntForm, ty: Type) -> bool {
    let TypeKind::Int(kind) = program.types.kind(ty) else { return false };
    if form == IntForm::Char {
        return true;
    }
    let (width, signed) = width_and_sign(&program.target, kind);
    let bits = u32::from(width) - u32::from(signed);
    (32..=64).contains(&width) && (bits >= 64 || value >> bits == 0)
}

/// Whether a conversion of this kind may go between these types.
fn allowed(program: &Program, conv: Conv, from: Type, to: Type) -> bool {
    let types = &program.types;
    let complex = |ty| matches!(types.kind(ty), TypeKind::Complex(_));
    let pointer = |ty| types.pointee(ty).is_some();
    match conv {
        Conv::Load | Conv::ArrayDecay | Conv::FunctionDecay => false,
        Conv::IntToInt => types.is_integer(from) && types.is_integer(to),
        Conv::ToBool => types.is_scalar(from) && types.kind(to) == TypeKind::Bool,
        Conv::IntToFloat => types.is_integer(from) && types.is_float(to),
        Conv::FloatToInt => types.is_float(from) && types.is_integer(to),
        Conv::FloatToFloat => types.is_float(from) && types.is_float(to),
        Conv::RealToComplex => types.is_real(from) && complex(to),
        Conv::ComplexToReal => complex(from) && types.is_real(to),
        Conv::ComplexToComplex => complex(from) && complex(to),
        Conv::PointerToPointer => pointer(from) && pointer(to),
        Conv::NullToPointer => pointer(to) && (pointer(from) || types.is_integer(from)),
        Conv::IntToPointer => types.is_integer(from) && pointer(to),
        Conv::PointerToInt => pointer(from) && types.is_integer(to),
        Conv::ToVoid => types.is_void(to),
        Conv::Bits | Conv::Splat | Conv::ToUnion | Conv::Same => true,
    }
}
