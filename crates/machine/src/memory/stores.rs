//! The types of the stores to an allocation, for each byte: kept in pages that are made when a byte of them first gets a
//! type, so that a large object with a few stores costs little.

use super::Stored;
use howler_lang::ty::Type;
use std::ops::Range;

/// Bytes of an allocation that share a page.
const PAGE: usize = 256;

/// What each byte of an allocation was stored with.
#[derive(Clone, Debug)]
pub struct Stores {
    pages: Vec<Option<Page>>,
    size: usize,
}

#[derive(Clone, Debug)]
struct Page {
    stored: Box<[Stored]>,
    /// The bytes are a copy since [`Stores::resize`]: none was stored directly.
    copied: bool,
}

impl Page {
    fn new(len: usize) -> Page {
        Page { stored: vec![Stored::NOTHING; len].into_boxed_slice(), copied: false }
    }

    /// The stores, to change them.
    fn open(&mut self) -> &mut [Stored] {
        if std::mem::take(&mut self.copied) {
            self.stored.iter_mut().for_each(|stored| stored.direct = false);
        }
        &mut self.stored
    }
}

impl Stores {
    /// Nothing was stored with a type to an allocation of `size` bytes.
    pub fn new(size: u32) -> Stores {
        let size = size as usize;
        Stores { pages: vec![None; size.div_ceil(PAGE)], size }
    }

    fn page_len(&self, page: usize) -> usize {
        (self.size - page * PAGE).min(PAGE)
    }

    /// The pages of a range of bytes, and which part of each.
    fn parts(at: u32, len: u32) -> impl Iterator<Item = (usize, Range<usize>)> {
        let (first, end) = (at as usize, at as usize + len as usize);
        let last = if len == 0 { first / PAGE } else { (end - 1) / PAGE + 1 };
        (first / PAGE..last).map(move |page| {
            let start = page * PAGE;
            (page, first.max(start) - start..end.min(start + PAGE) - start)
        })
    }

    /// What the bytes of a range were stored with; bytes of a page without any type are one item.
    pub fn within(&self, at: u32, len: u32) -> impl Iterator<Item = Stored> + '_ {
        Stores::parts(at, len).flat_map(move |(page, part)| {
            let (stored, copied) = match &self.pages[page] {
                Some(page) => (&page.stored[part], page.copied),
                None => (std::slice::from_ref(&Stored::NOTHING), false),
            };
            stored.iter().map(move |stored| Stored { direct: stored.direct && !copied, ..*stored })
        })
    }

    /// Says what the bytes of a range were stored with.
    pub fn fill(&mut self, at: u32, len: u32, stored: Stored) {
        if stored.ty.is_some() {
            self.make(at, len);
        }
        self.change(at, len, |_, known| *known = stored);
    }

    /// Makes room for the types of a range.
    pub fn make(&mut self, at: u32, len: u32) {
        for (page, _) in Stores::parts(at, len) {
            let len = self.page_len(page);
            self.pages[page].get_or_insert_with(|| Page::new(len));
        }
    }

    /// Changes what the bytes of a range were stored with, each with its place. Where there is no room yet, no byte has
    /// a type, and nothing is changed.
    pub fn change(&mut self, at: u32, len: u32, mut change: impl FnMut(u32, &mut Stored)) {
        for (page, part) in Stores::parts(at, len) {
            let Some(stores) = &mut self.pages[page] else { continue };
            let first = (page * PAGE + part.start) as u32;
            for (place, stored) in (first..).zip(&mut stores.open()[part]) {
                change(place, stored);
            }
        }
    }

    /// The bytes of a range that have a type: their places, the types, and where objects of these begin.
    pub fn typed(&self, at: u32, len: u32, mut each: impl FnMut(u32, Type, u32)) {
        for (page, part) in Stores::parts(at, len) {
            let Some(stores) = &self.pages[page] else { continue };
            let first = (page * PAGE + part.start) as u32;
            for (place, stored) in (first..).zip(&stores.stored[part]) {
                if let Some(ty) = stored.ty {
                    each(place, ty, stored.base);
                }
            }
        }
    }

    /// The allocation becomes one of another size, as if it was copied; what is left of it keeps its types.
    pub fn resize(&mut self, size: u32) {
        let size = size as usize;
        self.pages.resize_with(size.div_ceil(PAGE), || None);
        let last = self.pages.len().min(self.size.div_ceil(PAGE));
        self.size = size;
        if let Some(index) = last.checked_sub(1) {
            let len = self.page_len(index);
            if let Some(page) = &mut self.pages[index]
                && page.stored.len() != len
            {
                let mut stored = std::mem::take(&mut page.stored).into_vec();
                stored.resize(len, Stored::NOTHING);
                page.stored = stored.into_boxed_slice();
            }
        }
        self.pages.iter_mut().flatten().for_each(|page| page.copied = true);
    }
}
