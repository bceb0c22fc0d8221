//! Help in messages: the name that was probably meant, and where something was declared before.

use crate::parser::{Failed, Parser};
use crate::scope::Name;
use howler_lang::source::Pos;
use howler_lang::suggest::hint;
use howler_lang::symbol::Symbol;
use howler_lang::ty::RecordId;

impl Parser<'_> {
    /// `; did you mean 'count'?`, or nothing. `fits` says which names could stand here.
    pub(crate) fn did_you_mean(&self, wrong: Symbol, fits: impl Fn(Name) -> bool) -> String {
        let program = &self.cx.program;
        let names = self.scopes.visible().filter(|&(name, what)| name != wrong && fits(what));
        hint(program.name(wrong), names.map(|(name, _)| program.name(name)))
    }

    /// The same for the member of a struct or union.
    pub(crate) fn did_you_mean_member(&self, wrong: Symbol, record: RecordId) -> String {
        let program = &self.cx.program;
        let fields = program.types.records[record].fields.iter();
        hint(program.name(wrong), fields.filter_map(|field| field.name).map(|name| program.name(name)))
    }

    /// Says where a name that an error is about was declared first.
    pub(crate) fn note_previous(&mut self, failed: Failed, previous: Pos, what: &str) -> Failed {
        if previous != Pos::NONE
            && let Some(last) = self.diagnostics.last_mut()
        {
            last.notes.push((previous, what.to_owned()));
        }
        failed
    }

    /// Where something is missing that ends what is on an earlier line: behind the last token of that line.
    pub(crate) fn end_of_line_before(&self) -> Option<Pos> {
        let last = self.lexed.tokens[self.at.checked_sub(1)?];
        let (start, end) = (last.offset as usize, self.token().offset as usize);
        let line = self.text.get(start..end)?.split_once('\n')?.0;
        let len = u32::try_from(line.trim_end().len()).ok()?;
        Some(Pos(self.pos_of(last).0 + len))
    }
}
