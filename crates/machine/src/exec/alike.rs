//! Calls through a type that is not the function's own (C17 6.5.2.2p6, p9). Where both types pass the same bits in the
//! same places, gcc and clang give the plain result, and the call is undefined by the letter only.

use super::Exec;
use crate::op::CallSite;
use crate::outcome::{Run, ub, ub_about};
use crate::ub::UbKind;
use crate::value::{Prov, Value};
use howler_lang::arith::{self, Num};
use howler_lang::correspond;
use howler_lang::program::{FuncId, Function, Program};
use howler_lang::ty::{Signature, Type, TypeKind};

impl<'p> Exec<'p> {
    /// Whether the type the function is called with fits it (C17 6.5.2.2p6, p9). True if the values of the arguments
    /// had no part in it: then the same call is right every time.
    pub(super) fn check_call(&self, call: &CallSite, func: FuncId, function: &Function) -> Run<bool> {
        let Some(called) = self.signature(call.ty) else { return Ok(true) };
        if !self.code.func_index.contains_key(&func) {
            return self.check_library_call(call, called, func, function);
        }
        let Some(defined) = self.signature(function.ty) else { return Ok(true) };
        self.check_result(called.ret, defined.ret)?;
        match (called.prototype, defined.prototype) {
            (true, true) => {
                self.check_params(called, &defined.params, defined.variadic)?;
                Ok(true)
            }
            // A definition with an identifier list, of a function type with a prototype: the promoted types count
            // (C17 6.7.6.3p15).
            (true, false) => {
                self.check_params(called, &self.listed(function), false)?;
                Ok(true)
            }
            (false, true) => {
                if defined.variadic {
                    return ub(UbKind::CallArguments);
                }
                self.check_count(call.args.len(), defined.params.len())?;
                for (&param, &(_, arg)) in defined.params.iter().zip(call.args.iter()) {
                    self.check_argument(param, arg)?;
                }
                Ok(true)
            }
            (false, false) => {
                let params = self.listed(function);
                self.check_count(call.args.len(), params.len())?;
                let mut fixed = true;
                for (&param, &(reg, arg)) in params.iter().zip(call.args.iter()) {
                    fixed &= correspond::compatible_unqualified(self.program, param, arg);
                    if !self.argument_fits(param, arg, self.get(reg)) {
                        self.check_argument(param, arg)?;
                    }
                }
                Ok(fixed)
            }
        }
    }

    /// A call of a function that has no code here. What the library's own type is counts, and where it is not known
    /// the declaration.
    fn check_library_call(
        &self,
        call: &CallSite,
        called: &Signature,
        func: FuncId,
        function: &Function,
    ) -> Run<bool> {
        let ty = self.program.library.get(&func).copied().unwrap_or(function.ty);
        let (Some(own), Some(declared)) = (self.signature(ty), self.signature(function.ty)) else {
            return Ok(true);
        };
        self.check_result(called.ret, own.ret)?;
        // Streams are `void *` in the table, and structs in every header: there the declaration counts.
        let own = &match declared.prototype && declared.params.len() == own.params.len() {
            true => Signature {
                params: own
                    .params
                    .iter()
                    .zip(&declared.params)
                    .map(|(&own, &declared)| if self.is_stream(own, declared) { declared } else { own })
                    .collect(),
                ..own.clone()
            },
            false => own.clone(),
        };
        if !own.prototype {
            return Ok(true);
        }
        if called.prototype {
            self.check_params(called, &own.params, own.variadic)?;
            return Ok(true);
        }
        // Both compilers call what has no prototype as if it ended in an ellipsis.
        if own.variadic && call.args.len() >= own.params.len() {
            self.letter(UbKind::CallAlike, Prov::default())?;
        } else {
            self.check_count(call.args.len(), own.params.len())?;
        }
        for (&param, &(_, arg)) in own.params.iter().zip(call.args.iter()) {
            self.check_argument(param, arg)?;
        }
        Ok(true)
    }

    /// Whether a library function may call this one with these types (C17 7.22.5p2, 7.22.4.2p2 with 6.5.2.2p9).
    pub(super) fn check_callback(&self, callee: &Value, params: &[Type], ret: Type) -> Run<()> {
        let function = &self.program.funcs[self.callee(callee)?];
        let Some(own) = self.signature(function.ty) else { return Ok(()) };
        self.check_result(ret, own.ret)?;
        let called = Signature { ret, params: params.into(), variadic: false, prototype: true };
        if own.prototype {
            self.check_params(&called, &own.params, own.variadic)
        } else {
            self.check_params(&called, &self.listed(function), false)
        }
    }

    fn is_stream(&self, own: Type, declared: Type) -> bool {
        let types = &self.program.types;
        types.pointee(own).is_some_and(|to| types.is_void(to))
            && types.pointee(declared).is_some_and(|to| types.as_record(to).is_some())
    }

    fn signature(&self, ty: Type) -> Option<&'p Signature> {
        let program = self.program;
        match program.types.kind(ty) {
            TypeKind::Function(id) => Some(program.types.signature(id)),
            _ => None,
        }
    }

    /// The promoted types of the parameters in an identifier list.
    fn listed(&self, function: &Function) -> Vec<Type> {
        function.params.iter().map(|&object| self.promoted(self.program.objects[object].ty)).collect()
    }

    fn check_count(&self, given: usize, wanted: usize) -> Run<()> {
        if given == wanted {
            return Ok(());
        }
        let detail = format!("{given} arguments for {wanted} parameters");
        ub_about(UbKind::CallArguments, Prov::default(), detail)
    }

    /// An argument's type where there is no prototype. One of another type that is passed alike is judged where it is
    /// used.
    fn check_argument(&self, param: Type, arg: Type) -> Run<()> {
        if self.is_compatible(param, arg) {
            return Ok(());
        }
        if !self.passes_alike(param, arg) {
            let name = |ty| howler_lang::print::type_name(self.program, ty);
            let detail = format!("an argument is '{}', its parameter '{}'", name(arg), name(param));
            return ub_about(UbKind::CallArguments, Prov::default(), detail);
        }
        self.letter(UbKind::CallAlike, Prov::default())
    }

    /// The parameters of a call with a prototype.
    fn check_params(&self, called: &Signature, params: &[Type], variadic: bool) -> Run<()> {
        if called.variadic != variadic || called.params.len() != params.len() {
            return ub(UbKind::CallType);
        }
        let pairs = || called.params.iter().copied().zip(params.iter().copied());
        if pairs().all(|(a, b)| self.is_compatible(a, b)) {
            return Ok(());
        }
        if !pairs().all(|(a, b)| self.is_compatible(a, b) || self.passes_alike(a, b)) {
            return ub(UbKind::CallType);
        }
        self.letter(UbKind::CallTypeAlike, Prov::default())
    }

    /// The result of a call. That of a function called as one that returns nothing is dropped if it is in a register
    /// which every call may change.
    fn check_result(&self, called: Type, own: Type) -> Run<()> {
        let types = &self.program.types;
        if self.is_compatible(called, own) || types.is_void(called) && types.is_void(own) {
            return Ok(());
        }
        let in_register = types.pointee(own).is_some() || matches!(self.num(own), Some(Num::Int { .. }));
        if !(self.passes_alike(called, own) || types.is_void(called) && in_register) {
            return ub(UbKind::CallType);
        }
        self.letter(UbKind::CallTypeAlike, Prov::default())
    }

    /// Whether two types are compatible as parameters.
    fn is_compatible(&self, a: Type, b: Type) -> bool {
        let types = &self.program.types;
        let transparent = || {
            let meets = |a, b| howler_lang::compat::transparent_member(types, a, b).is_some();
            meets(a, b) || meets(b, a)
        };
        correspond::compatible_unqualified(self.program, a, b) || transparent()
    }

    fn passes_alike(&self, a: Type, b: Type) -> bool {
        passes_alike(self.program, a, b)
    }
}

/// Whether both compilers pass and return values of two types alike on these targets: all pointers, and integers of one
/// width from that of `int` on. Narrower ones are extended by their sign, which clang relies on.
fn passes_alike(program: &Program, a: Type, b: Type) -> bool {
    let types = &program.types;
    let num = |ty| arith::num_of(types, &program.target, ty);
    match (num(a), num(b)) {
        (Some(Num::Int { width: a, .. }), Some(Num::Int { width: b, .. })) => a == b && a >= 32,
        _ => types.pointee(a).is_some() && types.pointee(b).is_some(),
    }
}

/// Whether two function types differ only in what is passed alike.
pub(crate) fn declared_alike(program: &Program, a: Type, b: Type) -> bool {
    let types = &program.types;
    let (TypeKind::Function(a), TypeKind::Function(b)) = (types.kind(a), types.kind(b)) else { return false };
    let (a, b) = (types.signature(a), types.signature(b));
    let alike =
        |a: Type, b: Type| correspond::compatible_unqualified(program, a, b) || passes_alike(program, a, b);
    a.prototype
        && b.prototype
        && a.variadic == b.variadic
        && a.params.len() == b.params.len()
        && alike(a.ret, b.ret)
        && a.params.iter().zip(&b.params).all(|(&a, &b)| alike(a, b))
}
