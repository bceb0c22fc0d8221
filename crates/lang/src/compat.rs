//! Compatible and composite types (C17 6.2.7).
//!
//! Tags are unique in a unit, so two records of one unit are compatible only if they are the same; across units the
//! standard compares members: see `correspond`.

use crate::ty::{Len, Quals, RecordId, Signature, Type, TypeKind, Types};

/// Whether two types are compatible, qualifiers included.
pub fn compatible(types: &Types, a: Type, b: Type) -> bool {
    a == b || (types.strip(a).quals() == types.strip(b).quals() && compatible_unqualified(types, a, b))
}

/// Whether two types are compatible once their own qualifiers (not those further in) are ignored.
pub fn compatible_unqualified(types: &Types, a: Type, b: Type) -> bool {
    let (a, b) = (types.strip(a).bare(), types.strip(b).bare());
    if a == b {
        return true;
    }
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => compatible(types, a, b),
        (TypeKind::Array { elem: a, len: n }, TypeKind::Array { elem: b, len: m }) => {
            let lengths = match (n, m) {
                (Len::Fixed(n), Len::Fixed(m)) => n == m,
                _ => true,
            };
            lengths && compatible(types, a, b)
        }
        (TypeKind::Function(a), TypeKind::Function(b)) => {
            compatible_signatures(types, types.signature(a), types.signature(b))
        }
        // C17 6.7.2.2p4: an enumeration is compatible with its integer type, not with other enumerations.
        (TypeKind::Enum(id), TypeKind::Int(kind)) | (TypeKind::Int(kind), TypeKind::Enum(id)) => {
            types.enums[id].underlying == kind
        }
        (TypeKind::Vector { elem: a, lanes: n }, TypeKind::Vector { elem: b, lanes: m }) => {
            n == m && compatible_unqualified(types, a, b)
        }
        (TypeKind::Complex(a), TypeKind::Complex(b)) => compatible_unqualified(types, a, b),
        (TypeKind::Record(a), TypeKind::Record(b)) => {
            // `va_list`'s struct exists once per unit, without a declaration that could differ.
            a == b || (types.records[a].va_list_tag && types.records[b].va_list_tag)
        }
        _ => false,
    }
}

/// Whether pointers to two types point to versions of compatible types that differ in qualifiers only. `_Atomic` is not
/// one of these: it makes another type (C17 6.2.5p27).
pub fn compatible_targets(types: &Types, a: Type, b: Type) -> bool {
    let atomic = |ty| types.strip(ty).quals().contains(Quals::ATOMIC);
    a == b || (atomic(a) == atomic(b) && compatible_unqualified(types, a, b))
}

/// C17 6.7.6.3p15.
fn compatible_signatures(types: &Types, a: &Signature, b: &Signature) -> bool {
    let nothing = types.is_void(a.ret) && types.is_void(b.ret);
    if !nothing && !compatible(types, a.ret, b.ret) {
        return false;
    }
    match (a.prototype, b.prototype) {
        (true, true) => {
            a.variadic == b.variadic
                && a.params.len() == b.params.len()
                && a.params.iter().zip(&b.params).all(|(&a, &b)| compatible_params(types, a, b))
        }
        (true, false) => survives_promotion(types, a),
        (false, true) => survives_promotion(types, b),
        (false, false) => true,
    }
}

/// Parameters may also meet through a transparent union.
pub(crate) fn compatible_params(types: &Types, a: Type, b: Type) -> bool {
    compatible_unqualified(types, a, b)
        || transparent_member(types, a, b).is_some()
        || transparent_member(types, b, a).is_some()
}

/// The member of the transparent union `union` that has type `ty`.
pub fn transparent_member(types: &Types, union: Type, ty: Type) -> Option<(RecordId, u32)> {
    let id = types.as_record(union)?;
    let record = &types.records[id];
    if !record.transparent {
        return None;
    }
    let index = record.fields.iter().position(|field| compatible_unqualified(types, field.ty, ty))?;
    Some((id, u32::try_from(index).ok()?))
}

/// Whether a function with these parameters can be called without a prototype: none of them changes by the default
/// argument promotions, and the list has an end.
pub(crate) fn survives_promotion(types: &Types, signature: &Signature) -> bool {
    !signature.variadic
        && signature.params.iter().all(|&param| match types.kind(param) {
            TypeKind::Bool | TypeKind::Float(crate::ty::FloatKind::Float) => false,
            TypeKind::Int(kind) => kind >= crate::ty::IntKind::Int,
            TypeKind::Enum(id) => types.enums[id].underlying >= crate::ty::IntKind::Int,
            _ => true,
        })
}

/// The composite of two compatible types (C17 6.2.7p3). Incompatible parts are taken from `a`.
pub fn composite(types: &mut Types, a: Type, b: Type) -> Type {
    if a == b {
        return a;
    }
    let quals = a.quals();
    let built = match (types.kind(a), types.kind(b)) {
        (TypeKind::Pointer(x), TypeKind::Pointer(y)) => {
            let to = composite(types, x, y);
            types.pointer(to)
        }
        (TypeKind::Array { elem: x, len: n }, TypeKind::Array { elem: y, len: m }) => {
            let elem = composite(types, x, y);
            let len = match (n, m) {
                (Len::Fixed(_), _) | (_, Len::Unknown) => n,
                (_, Len::Fixed(_)) | (Len::Unknown, _) => m,
                (Len::Variable(_), _) => n,
                (_, Len::Variable(_)) => m,
                (Len::Star, Len::Star) => n,
            };
            types.array(elem, len)
        }
        (TypeKind::Function(x), TypeKind::Function(y)) => {
            let (x, y) = (types.signature(x).clone(), types.signature(y).clone());
            let ret = composite(types, x.ret, y.ret);
            let (first, second) = match (x.prototype, y.prototype) {
                (true, true) => (x, Some(y)),
                (true, false) => (x, None),
                (false, true) => (y, None),
                (false, false) => (x, None),
            };
            let params = match &second {
                Some(second) if second.params.len() == first.params.len() => {
                    first.params.iter().zip(&second.params).map(|(&a, &b)| composite(types, a, b)).collect()
                }
                _ => first.params.clone(),
            };
            types.function(Signature { ret, params, ..first })
        }
        // Prefer the enumeration over its integer type, as gcc does.
        (TypeKind::Int(_), TypeKind::Enum(_)) => types.strip(b).bare(),
        _ => return a,
    };
    types.qualified(built, quals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::Quals;

    fn function(types: &mut Types, params: &[Type], prototype: bool) -> Type {
        types.function(Signature { ret: Type::INT, params: params.into(), variadic: false, prototype })
    }

    #[test]
    fn arrays_of_unknown_bound_take_the_known_one() {
        let mut types = Types::new();
        let open = types.array(Type::INT, Len::Unknown);
        let three = types.array(Type::INT, Len::Fixed(3));
        let four = types.array(Type::INT, Len::Fixed(4));
        assert!(compatible(&types, open, three));
        assert!(!compatible(&types, three, four));
        assert_eq!(composite(&mut types, open, three), three);
        assert_eq!(composite(&mut types, three, open), three);
    }

    #[test]
    fn a_function_without_prototype_takes_promoted_parameters_only() {
        let mut types = Types::new();
        let old = function(&mut types, &[], false);
        let wide = function(&mut types, &[Type::INT, Type::DOUBLE], true);
        let narrow = function(&mut types, &[Type::CHAR], true);
        assert!(compatible(&types, old, wide));
        assert!(!compatible(&types, old, narrow));
        assert_eq!(composite(&mut types, old, wide), wide);
    }

    #[test]
    fn qualifiers_count_behind_a_pointer() {
        let mut types = Types::new();
        let constant = types.qualified(Type::INT, Quals::CONST);
        let (a, b) = (types.pointer(Type::INT), types.pointer(constant));
        assert!(!compatible(&types, a, b));
        assert!(compatible_unqualified(&types, Type::INT, constant));
    }
}
