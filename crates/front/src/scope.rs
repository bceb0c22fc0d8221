//! Names in scope: what an identifier or a tag means at this point of the text.
//!
//! Each name has a stack of bindings; leaving a scope undoes what it bound. Looking a name up is two array reads.

use howler_lang::id::Id;
use howler_lang::program::{FuncId, ObjId};
use howler_lang::symbol::Symbol;
use howler_lang::ty::{EnumId, EnumeratorId, RecordId, Type};

/// What an ordinary identifier stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Name {
    /// An object.
    Object(ObjId),
    /// A function.
    Function(FuncId),
    /// A typedef name.
    Typedef(Type),
    /// An enumeration constant.
    Enumerator(EnumeratorId),
    /// Its declaration was wrong and has been reported: uses are not reported again.
    Poisoned,
}

/// What a tag stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tag {
    /// A struct or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
}

/// What a scope declared: names and tags.
pub(crate) type Kept = (Vec<(Symbol, Name)>, Vec<(Symbol, Tag)>);

/// The two name spaces with nested scopes. (Labels belong to the function, members to their record.)
#[derive(Default)]
pub(crate) struct Scopes {
    names: Space<Name>,
    tags: Space<Tag>,
    depth: u32,
}

impl Scopes {
    /// Scopes for a text with this many different names.
    pub(crate) fn with_room(names: usize) -> Scopes {
        let names = Space { innermost: vec![0; names], bindings: Vec::with_capacity(names / 2) };
        Scopes { names, ..Scopes::default() }
    }

    /// Enters a scope. The file scope has depth 0 and needs no call.
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
    }

    /// Leaves the innermost scope.
    pub(crate) fn leave(&mut self) {
        self.names.unbind_from(self.depth);
        self.tags.unbind_from(self.depth);
        self.depth -= 1;
    }

    /// Leaves the innermost scope and hands over what was declared in it, to be bound again elsewhere.
    pub(crate) fn leave_keeping(&mut self) -> Kept {
        let names = self.names.unbind_keeping(self.depth);
        let tags = self.tags.unbind_keeping(self.depth);
        self.depth -= 1;
        (names, tags)
    }

    /// How many scopes are open inside the file scope.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// What `name` means here.
    #[inline]
    pub(crate) fn name(&self, name: Symbol) -> Option<Name> {
        self.names.get(name).map(|binding| binding.what)
    }

    /// What `name` means if it was declared in the innermost scope itself.
    pub(crate) fn name_here(&self, name: Symbol) -> Option<Name> {
        self.names.get(name).filter(|binding| binding.depth == self.depth).map(|binding| binding.what)
    }

    /// What the tag `name` means here.
    pub(crate) fn tag(&self, name: Symbol) -> Option<Tag> {
        self.tags.get(name).map(|binding| binding.what)
    }

    /// What the tag `name` means if it was declared in the innermost scope itself.
    pub(crate) fn tag_here(&self, name: Symbol) -> Option<Tag> {
        self.tags.get(name).filter(|binding| binding.depth == self.depth).map(|binding| binding.what)
    }

    /// The names in scope and what they mean, the innermost first.
    pub(crate) fn visible(&self) -> impl Iterator<Item = (Symbol, Name)> + '_ {
        let innermost = |(at, binding): (usize, &Binding<Name>)| {
            (self.names.innermost[binding.name.index()] as usize == at + 1)
                .then_some((binding.name, binding.what))
        };
        self.names.bindings.iter().enumerate().rev().filter_map(innermost)
    }

    /// Binds `name` in the innermost scope, replacing a binding of the same scope.
    pub(crate) fn bind_name(&mut self, name: Symbol, what: Name) {
        self.names.bind(name, what, self.depth);
    }

    /// Binds a tag in the innermost scope.
    pub(crate) fn bind_tag(&mut self, name: Symbol, what: Tag) {
        self.tags.bind(name, what, self.depth);
    }
}

#[derive(Clone, Copy)]
struct Binding<T> {
    what: T,
    name: Symbol,
    depth: u32,
    /// The binding this one hides, plus 1; 0 for none.
    hidden: u32,
}

struct Space<T> {
    /// By symbol index: the innermost binding, plus 1; 0 for none.
    innermost: Vec<u32>,
    /// Open bindings, outer scopes first.
    bindings: Vec<Binding<T>>,
}

impl<T> Default for Space<T> {
    fn default() -> Self {
        Space { innermost: Vec::new(), bindings: Vec::new() }
    }
}

impl<T: Copy> Space<T> {
    #[inline]
    fn get(&self, name: Symbol) -> Option<&Binding<T>> {
        let slot = *self.innermost.get(name.index())?;
        self.bindings.get((slot as usize).checked_sub(1)?)
    }

    fn slot(&mut self, name: Symbol) -> &mut u32 {
        let index = name.index();
        if index >= self.innermost.len() {
            self.innermost.resize((index + 1).next_power_of_two(), 0);
        }
        &mut self.innermost[index]
    }

    fn bind(&mut self, name: Symbol, what: T, depth: u32) {
        let next = self.bindings.len() as u32 + 1;
        let slot = self.slot(name);
        let hidden = *slot;
        if hidden != 0 && self.bindings[hidden as usize - 1].depth == depth {
            self.bindings[hidden as usize - 1].what = what;
            return;
        }
        *self.slot(name) = next;
        self.bindings.push(Binding { what, name, depth, hidden });
    }

    fn unbind_keeping(&mut self, depth: u32) -> Vec<(Symbol, T)> {
        let from = self.bindings.partition_point(|binding| binding.depth < depth);
        let kept = self.bindings[from..].iter().map(|binding| (binding.name, binding.what)).collect();
        self.unbind_from(depth);
        kept
    }

    fn unbind_from(&mut self, depth: u32) {
        while let Some(binding) = self.bindings.last().filter(|binding| binding.depth >= depth) {
            self.innermost[binding.name.index()] = binding.hidden;
            self.bindings.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use howler_lang::symbol::Symbols;

    #[test]
    fn inner_names_hide_outer_ones_until_the_scope_ends() {
        let mut symbols = Symbols::default();
        let (a, b) = (symbols.intern("a"), symbols.intern("b"));
        let mut scopes = Scopes::default();
        scopes.bind_name(a, Name::Typedef(Type::INT));
        scopes.enter();
        assert_eq!(scopes.name_here(a), None);
        scopes.bind_name(a, Name::Typedef(Type::CHAR));
        scopes.enter();
        scopes.bind_name(a, Name::Poisoned);
        scopes.bind_name(b, Name::Typedef(Type::LONG));
        assert_eq!(scopes.name(a), Some(Name::Poisoned));
        assert_eq!(scopes.name(b), Some(Name::Typedef(Type::LONG)));
        scopes.leave();
        assert_eq!(scopes.name(a), Some(Name::Typedef(Type::CHAR)));
        scopes.leave();
        assert_eq!(scopes.name(a), Some(Name::Typedef(Type::INT)));
        assert_eq!(scopes.name(b), None);
    }
}
