//! What the declarations of a function promise about its calls. Those of every unit count: a caller's compiler believes
//! the declaration it sees, whatever the definition says.

use howler_lang::program::{AttrArg, FuncId, Program};
use rustc_hash::FxHashMap;

/// What a function's declarations promise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Promises {
    /// It does not return.
    pub noreturn: bool,
    /// It has no effects (`pure`, `const`).
    pub pure: bool,
    /// It reads nothing that may change either (`const`).
    pub reads_nothing: bool,
    /// It returns a new object (`malloc`).
    pub fresh: bool,
    /// It does not return a null pointer.
    pub returns_nonnull: bool,
    /// What it returns is a multiple of the first behind the second.
    pub aligned: Option<(u32, i128)>,
    /// Which parameters' product is the size of what it returns, from 0, for each declaration that says so.
    pub alloc_size: Vec<Vec<usize>>,
    /// Parameters that are not null, from 0; if there is none in the list, all pointers.
    pub nonnull: Option<Vec<usize>>,
}

impl Promises {
    /// Whether anything is promised at all.
    pub fn any(&self) -> bool {
        *self != Promises::default()
    }

    /// Whether all that others say is promised here too.
    pub fn covers(&self, other: &Promises) -> bool {
        let Promises { noreturn, pure, reads_nothing, fresh, returns_nonnull, aligned, alloc_size, nonnull } =
            other;
        (!noreturn || self.noreturn)
            && (!pure || self.pure)
            && (!reads_nothing || self.reads_nothing)
            && (!fresh || self.fresh)
            && (!returns_nonnull || self.returns_nonnull)
            && (aligned.is_none() || self.aligned == *aligned)
            && alloc_size.iter().all(|factors| self.alloc_size.contains(factors))
            && (nonnull.is_none() || self.nonnull == *nonnull)
    }

    fn add(&mut self, program: &Program, func: FuncId) {
        let function = &program.funcs[func];
        self.noreturn |= function.noreturn;
        for attr in &function.attrs {
            match program.name(attr.name) {
                "noreturn" => self.noreturn = true,
                "pure" => self.pure = true,
                "const" => (self.pure, self.reads_nothing) = (true, true),
                // With arguments it names the function that frees.
                "malloc" => self.fresh |= attr.args.is_empty(),
                "returns_nonnull" => self.returns_nonnull = true,
                "assume_aligned" => {
                    if let Some(AttrArg::Int(align)) = attr.args.first() {
                        let offset = match attr.args.get(1) {
                            Some(AttrArg::Int(offset)) => *offset,
                            _ => 0,
                        };
                        self.aligned = Some((u32::try_from(*align).unwrap_or(1), offset));
                    }
                }
                "alloc_size" => {
                    let factors = attr.args.iter().map_while(|arg| match arg {
                        AttrArg::Int(index) => usize::try_from(*index - 1).ok(),
                        _ => None,
                    });
                    let factors: Vec<usize> = factors.collect();
                    if !factors.is_empty() && !self.alloc_size.contains(&factors) {
                        self.alloc_size.push(factors);
                    }
                }
                "nonnull" => {
                    let named = attr.args.iter().filter_map(|arg| match arg {
                        AttrArg::Int(index) => usize::try_from(*index - 1).ok(),
                        _ => None,
                    });
                    let named: Vec<usize> = named.collect();
                    match &mut self.nonnull {
                        Some(all) if all.is_empty() || named.is_empty() => all.clear(),
                        Some(all) => all.extend(named),
                        none => *none = Some(named),
                    }
                }
                _ => {}
            }
        }
    }
}

/// The promises of every function that has any, under its definition.
pub(super) fn of_program(program: &Program) -> FxHashMap<FuncId, Promises> {
    let mut all: FxHashMap<FuncId, Promises> = FxHashMap::default();
    for (func, function) in program.funcs.iter() {
        if function.noreturn || !function.attrs.is_empty() {
            all.entry(function.linked.unwrap_or(func)).or_default().add(program, func);
        }
    }
    all.retain(|_, promises| promises.any());
    all
}
