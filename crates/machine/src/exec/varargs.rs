//! `<stdarg.h>`: lists of arguments.
//!
//! A `va_list` object holds an id of the machine's own; what it stands for is kept here.

use super::Exec;
use crate::op::{AllocSpec, Reg};
use crate::outcome::{Run, ub, ub_about};
use crate::ub::UbKind;
use crate::value::{Marks, Prov, Value};
use howler_lang::ty::Type;

/// A list that was started or copied.
pub(super) struct VaList {
    /// The frame whose arguments it gives.
    frame: u64,
    /// The frame that started it and must end it.
    owner: u64,
    /// The next argument.
    next: usize,
    ended: bool,
    /// A library function took arguments from it: it may only be ended.
    consumed: bool,
    /// The frame that took the last argument.
    used_by: u64,
}

impl<'p> Exec<'p> {
    /// `va_start`.
    pub(super) fn va_start(&mut self, list: &Value) -> Run<()> {
        let frame = self.frames.last().map_or(0, |frame| frame.id);
        self.memory.keep(size_of::<VaList>() as u64)?;
        self.va_lists.push(VaList {
            frame,
            owner: frame,
            next: 0,
            ended: false,
            consumed: false,
            used_by: frame,
        });
        self.write_list(list, self.va_lists.len() as u64)
    }

    fn write_list(&mut self, list: &Value, id: u64) -> Run<()> {
        self.write_id(list, id)
    }

    /// The list an object stands for; on i386 the object is a pointer and holds the id itself.
    fn list_index(&mut self, list: &Value) -> Run<usize> {
        let id = if list.has_prov() {
            self.read_id(list, UbKind::VaListEnded)?
        } else {
            list.low & !super::library::ID_MARK
        };
        match usize::try_from(id).ok().and_then(|id| id.checked_sub(1)) {
            Some(index) if index < self.va_lists.len() && !self.va_lists[index].ended => Ok(index),
            _ => ub(UbKind::VaListEnded),
        }
    }

    /// `va_end`.
    pub(super) fn va_end(&mut self, list: &Value) -> Run<()> {
        let index = self.list_index(list)?;
        self.va_lists[index].ended = true;
        Ok(())
    }

    /// `va_copy`.
    pub(super) fn va_copy(&mut self, to: &Value, from: &Value) -> Run<()> {
        let index = self.list_index(from)?;
        let owner = self.frames.last().map_or(0, |frame| frame.id);
        let list = &self.va_lists[index];
        if list.consumed {
            return ub(UbKind::VaListEnded);
        }
        let copy = VaList {
            frame: list.frame,
            owner,
            next: list.next,
            ended: false,
            consumed: false,
            used_by: owner,
        };
        self.memory.keep(size_of::<VaList>() as u64)?;
        self.va_lists.push(copy);
        self.write_list(to, self.va_lists.len() as u64)
    }

    /// The next argument of a list.
    fn next_variadic(&mut self, list: &Value, handed: bool) -> Run<(Value, Type)> {
        match self.next_in_list(list, handed)? {
            Some(argument) => Ok(argument),
            None => ub(UbKind::VaArgEnd),
        }
    }

    /// The next argument of a list, if there is one.
    pub(super) fn next_in_list(&mut self, list: &Value, handed: bool) -> Run<Option<(Value, Type)>> {
        let index = self.check_list(list)?;
        let here = self.frames.last().map_or(0, |frame| frame.id);
        let state = &self.va_lists[index];
        let (frame, next) = (state.frame, state.next);
        let Some(found) = self.frames.iter().rev().find(|open| open.id == frame) else {
            return ub(UbKind::VaListEnded);
        };
        let argument = found.extra.get(next).copied();
        let state = &mut self.va_lists[index];
        state.next += 1;
        if handed {
            state.used_by = here;
        }
        Ok(argument)
    }

    /// A list that arguments may be taken from.
    pub(super) fn check_list(&mut self, list: &Value) -> Run<usize> {
        let index = self.list_index(list)?;
        let here = self.frames.last().map_or(0, |frame| frame.id);
        let state = &self.va_lists[index];
        // A list handed to a function that took from it may not be used again but to end it (7.16p3).
        let taken = state.used_by != here && state.used_by != state.owner && here == state.owner;
        if taken || state.consumed {
            return ub(UbKind::VaListEnded);
        }
        Ok(index)
    }

    /// A library function was given a list.
    pub(super) fn consume_list(&mut self, list: &Value) -> Run<()> {
        let index = self.list_index(list)?;
        self.va_lists[index].consumed = true;
        Ok(())
    }

    pub(super) fn va_arg(&mut self, handed: bool, dst: Reg, list: Reg, spec: u32) -> Run<()> {
        let spec: &'p AllocSpec = &self.code.specs[spec as usize];
        let list = self.usable(list)?;
        if self.watch.is_active() {
            // It goes on to the next argument, which whoever made the list can see.
            self.watch_pure(&list, true)?;
        }
        let (value, ty) = self.next_variadic(&list, handed)?;
        if !self.argument_fits(spec.ty, ty, &value) {
            let name = |ty| howler_lang::print::type_name(self.program, ty);
            let detail = format!("the argument is '{}', not '{}'", name(ty), name(spec.ty));
            return ub_about(UbKind::VaArgType, Prov::default(), detail);
        }
        if value.marks.has(Marks::UNINIT) {
            return ub(UbKind::Uninit);
        }
        self.set(dst, value);
        Ok(())
    }

    /// Every list must be ended by the function that started it (7.16.1p1).
    pub(super) fn check_va_lists(&mut self) -> Run<()> {
        let here = self.frames.last().map_or(0, |frame| frame.id);
        while let Some(list) = self.va_lists.last() {
            if list.owner != here {
                break;
            }
            if !list.ended {
                self.letter(UbKind::VaListNotEnded, crate::value::Prov::default())?;
            }
            self.va_lists.pop();
        }
        Ok(())
    }
}
