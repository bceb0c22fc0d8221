//! Functions with `...`: what they take besides their parameters is read first thing, into variables that are used as
//! parameters are. Each argument has just the type that is read.

use howler_lang::compose::Value;
use howler_lang::program::{ExprId, ObjId, StmtId};
use howler_lang::ty::Type;

use crate::features::Feature;
use crate::maker::{Form, Made, Maker, Param};

impl Maker<'_> {
    /// Adds the last parameter with a name and those without; how many have names.
    pub(crate) fn variadic(&mut self, types: &mut Vec<Type>) -> Made<usize> {
        // The last with a name is of a type that promotion leaves alone (C17 7.16.1.4p4).
        let last = self.int_type();
        types.push(self.promoted(last));
        let fixed = types.len();
        for _ in 0..self.choices.range("variable arguments", 1..=7u32) {
            let ty = self.parameter_type()?;
            let ty = match ty {
                ty if self.out.program.types.is_float(ty) => Type::DOUBLE,
                ty if self.is_vector(ty) => Type::INT,
                ty => self.promoted(ty),
            };
            types.push(ty);
        }
        Ok(fixed)
    }

    /// A type as the default argument promotions leave it (C17 6.5.2.2p6).
    fn promoted(&self, ty: Type) -> Type {
        let types = &self.out.program.types;
        let wide = [Type::INT, Type::UINT, Type::LONG, Type::ULONG, Type::INT128, Type::UINT128];
        if !types.is_integer(ty) || wide.contains(&ty.bare()) { ty.bare() } else { Type::INT }
    }

    /// An argument: one that no prototype converts is converted here.
    pub(crate) fn passed(&mut self, at: usize, arg: ExprId, ty: Type, form: Form) -> Made<ExprId> {
        let scalar = self.out.program.types.is_scalar(ty);
        match form.fixed {
            Some(fixed) if at >= fixed && scalar => self.out.cast(ty, arg),
            _ => Ok(arg),
        }
    }

    /// Reads what has no name into variables of the function's block; perhaps some of it by a copy of the list.
    pub(crate) fn read_variable(&mut self, params: &[Param], last: ObjId) -> Made<()> {
        let ty = self.out.va_list();
        let name = self.name("ap");
        let (mut list, declared) = self.out.local(&name, ty, None)?;
        self.declare(declared);
        let (to, last) = (self.out.lvalue(list), self.out.lvalue(last));
        self.list_operator("__builtin_va_start", &[to, last])?;
        let mut ended = Vec::new();
        let copied = self.choices.range("copied", 0..=params.len() * 3);
        for (at, param) in params.iter().enumerate() {
            if at == copied {
                let name = self.name("ap");
                let (copy, declared) = self.out.local(&name, ty, None)?;
                self.declare(declared);
                let (to, from) = (self.out.lvalue(copy), self.out.lvalue(list));
                self.list_operator("__builtin_va_copy", &[to, from])?;
                if self.one_in("ended early", 6) {
                    let from = self.out.lvalue(list);
                    self.list_operator("__builtin_va_end", &[from])?;
                } else {
                    ended.push(list);
                }
                list = copy;
            }
            let from = self.out.lvalue(list);
            let value = self.out.va_arg(from, param.ty)?;
            let name = self.name("p");
            let constant = self.has(Feature::Const) && self.one_in("const", 12);
            let quals = if constant { howler_lang::ty::Quals::CONST } else { howler_lang::ty::Quals::NONE };
            let ty = self.out.qualified(param.ty, quals);
            let (object, declared) = self.out.local(&name, ty, Some(&Value::Expr(value)))?;
            self.declare(declared);
            let var = self.variable(object, ty, false);
            self.begin_facts(var, &param.sets);
            let frame = self.frame();
            frame.scopes[0].vars.push(var);
            frame.params.push(var);
        }
        ended.push(list);
        for list in ended {
            let list = self.out.lvalue(list);
            self.list_operator("__builtin_va_end", &[list])?;
        }
        self.costs(params.len() as u64 * 6);
        self.left -= 12 + 10 * params.len() as i64;
        Ok(())
    }

    fn list_operator(&mut self, name: &str, args: &[ExprId]) -> Made<()> {
        let e = self.out.operator(name, args)?;
        let stmt = self.out.expr(e)?;
        self.declare(stmt);
        Ok(())
    }

    /// Puts a statement among the declarations of the block that is open.
    fn declare(&mut self, stmt: StmtId) {
        self.frame().scopes.last_mut().expect("a block is open").declared.push(stmt);
    }
}
