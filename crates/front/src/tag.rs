//! Tags: unique in their unit, whatever the source calls its types (see `lang::ty::Record::tag`).

use crate::parser::Parser;
use crate::record::keyword;
use crate::scope::Tag;
use howler_lang::correspond;
use howler_lang::symbol::Symbol;
use rustc_hash::FxHashMap;

impl Parser<'_> {
    /// `tag`, or `tag_2` and so on if another type of this unit has it.
    pub(crate) fn unique_tag(&mut self, tag: Symbol) -> Symbol {
        if self.tags.insert(tag) {
            return tag;
        }
        self.numbered_tag(tag, 2)
    }

    /// The first free of `stem_first`, `stem_first+1`, …
    fn numbered_tag(&mut self, stem: Symbol, first: u32) -> Symbol {
        // Tags are never freed, so the search can go on where it ended.
        let mut number = self.decl.tag_numbers.get(&stem).copied().unwrap_or(first);
        loop {
            let name = format!("{}_{number}", self.cx.program.name(stem));
            let symbol = self.cx.program.symbols.intern(&name);
            number = number.saturating_add(1);
            if self.tags.insert(symbol) {
                self.decl.tag_numbers.insert(stem, number);
                return symbol;
            }
        }
    }

    /// Gives a type that was defined without a tag its name: the typedef's if that is free, else a numbered one.
    pub(crate) fn name_unnamed(&mut self, unnamed: Option<Tag>, typedef: Option<Symbol>) {
        let Some(unnamed) = unnamed else { return };
        let taken = match unnamed {
            Tag::Record(id) => self.cx.program.types.records[id].tag.is_some(),
            Tag::Enum(id) => Some(self.cx.program.types.enums[id].tag) != self.decl.no_tag,
        };
        if taken {
            return;
        }
        let free = typedef.filter(|&name| self.tags.insert(name));
        let tag = free.unwrap_or_else(|| {
            let stem = match unnamed {
                Tag::Record(id) => keyword(self.cx.program.types.records[id].kind),
                Tag::Enum(_) => "enum",
            };
            let stem = self.cx.program.symbols.intern(stem);
            self.numbered_tag(stem, 1)
        });
        self.set_tag(unnamed, tag);
    }

    /// At the end of the unit: a type of file scope has the tag that the source gives it, though a block may have used it
    /// first, and types without one have the same as in the units before. Other units know them by these.
    pub(crate) fn settle_tags(&mut self) {
        if !self.decl.tag_numbers.is_empty() {
            self.restore_tags();
        }
        if self.unit > 0 {
            correspond::share_tags(self.cx.program, self.unit);
        }
    }

    fn restore_tags(&mut self) {
        let types = &self.cx.program.types;
        let unit = self.unit;
        let records = types.records.iter().filter(|(_, record)| record.unit == unit);
        let records = records.map(|(id, record)| (Tag::Record(id), record.written, record.tag));
        let enums = types.enums.iter().filter(|(_, enumeration)| enumeration.unit == unit);
        let enums =
            enums.map(|(id, enumeration)| (Tag::Enum(id), enumeration.written, Some(enumeration.tag)));
        let tags: Vec<_> = records.chain(enums).collect();
        let holders: FxHashMap<Symbol, Tag> =
            tags.iter().filter_map(|&(id, _, tag)| Some((tag?, id))).collect();
        for (id, written, tag) in tags {
            let (Some(written), Some(tag)) = (written, tag) else { continue };
            if written == tag || self.scopes.tag_here(written) != Some(id) {
                continue;
            }
            // Every other type of file scope has a tag of its own, so nobody loses this one twice.
            if let Some(&other) = holders.get(&written) {
                self.set_tag(other, tag);
            }
            self.set_tag(id, written);
        }
    }

    fn set_tag(&mut self, of: Tag, tag: Symbol) {
        let types = &mut self.cx.program.types;
        match of {
            Tag::Record(id) => types.records[id].tag = Some(tag),
            Tag::Enum(id) => types.enums[id].tag = tag,
        }
    }
}
