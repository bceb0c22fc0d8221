//! Typed indices and the arenas they point into.
//!
//! An id is a non-zero `u32`, so `Option<Id>` costs nothing, and an id of one arena cannot index another.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into an [`Arena`]. Implemented by the types that [`define_id!`](crate::define_id) makes.
pub trait Id: Copy + Eq {
    /// The id of the `index`-th element.
    fn from_index(index: usize) -> Self;
    /// The position this id stands for.
    fn index(self) -> usize;
}

/// Declares newtype ids over a non-zero `u32`.
#[macro_export]
macro_rules! define_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::num::NonZeroU32);

        impl $crate::id::Id for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                let number = u32::try_from(index + 1).expect("an arena holds fewer than 2^32 elements");
                Self(std::num::NonZeroU32::new(number).expect("index + 1 is not zero"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "#{}"), self.0.get() - 1)
            }
        }
    )*};
}

/// A growing list of `T` that hands out ids of type `I`. Elements are removed only from the end, all at once, and then
/// their ids must be forgotten.
#[derive(Clone, Debug)]
pub struct Arena<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn() -> I>,
}

impl<I: Id, T> Arena<I, T> {
    /// An empty arena.
    pub const fn new() -> Self {
        Self { items: Vec::new(), ids: PhantomData }
    }

    /// Adds an element and returns its id.
    #[inline]
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// The id the next [`push`](Self::push) will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// Makes room for `more` elements, so that adding that many moves nothing.
    pub fn reserve(&mut self, more: usize) {
        self.items.reserve(more);
    }

    /// Removes all but the first `len` elements.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// All elements with their ids, in the order they were added.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// All ids, in the order they were given.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}
