//! One name space: declarations as a tree in which each knows the one before it and the one it hides.

/// The number of no declaration; others count from 1.
pub(super) const NONE: u32 = 0;

/// The declarations of a name space.
pub(super) struct Space<T> {
    bindings: Vec<Binding<T>>,
    /// By key: the declaration in force. Only while scopes are open.
    innermost: Vec<u32>,
    /// The last declaration in force.
    pub(super) last: u32,
}

struct Binding<T> {
    what: T,
    key: u32,
    /// The declaration before it in its scope or in those around it.
    previous: u32,
    /// The declaration of the same key that it hides.
    hides: u32,
    /// How many declarations come before it.
    depth: u32,
}

impl<T: Copy> Space<T> {
    pub(super) fn new() -> Space<T> {
        Space { bindings: Vec::new(), innermost: Vec::new(), last: NONE }
    }

    /// What declaration number `number` declares.
    pub(super) fn get(&self, number: u32) -> Option<T> {
        self.binding(number).map(|binding| binding.what)
    }

    /// The declaration of `key` that is in force.
    pub(super) fn current(&self, key: u32) -> Option<T> {
        self.get(*self.innermost.get(key as usize)?)
    }

    /// The declaration that one hides.
    pub(super) fn hidden(&self, number: u32) -> u32 {
        self.binding(number).map_or(NONE, |binding| binding.hides)
    }

    /// Adds a declaration and returns its number.
    pub(super) fn bind(&mut self, key: u32, what: T) -> u32 {
        let number = self.bindings.len() as u32 + 1;
        if key as usize >= self.innermost.len() {
            self.innermost.resize((key as usize + 1).next_power_of_two(), NONE);
        }
        let hides = std::mem::replace(&mut self.innermost[key as usize], number);
        let depth = self.binding(self.last).map_or(0, |last| last.depth + 1);
        self.bindings.push(Binding { what, key, previous: self.last, hides, depth });
        self.last = number;
        number
    }

    /// Takes back all declarations after `last`, the newest first, and tells what each had hidden.
    pub(super) fn leave(&mut self, last: u32, mut taken: impl FnMut(T, u32)) {
        while self.last != last {
            let Some(binding) = (self.last as usize).checked_sub(1).and_then(|at| self.bindings.get(at))
            else {
                return;
            };
            self.innermost[binding.key as usize] = binding.hides;
            self.last = binding.previous;
            taken(binding.what, binding.hides);
        }
    }

    /// The declarations up to number `last`, in order, each with the one that hides it.
    pub(super) fn list(&self, last: u32) -> Vec<(T, Option<T>)> {
        let Some(newest) = self.binding(last) else { return Vec::new() };
        let mut list = vec![(newest.what, None); newest.depth as usize + 1];
        let mut next = Some(newest);
        while let Some(binding) = next {
            list[binding.depth as usize].0 = binding.what;
            if let Some(hidden) = self.binding(binding.hides) {
                list[hidden.depth as usize].1 = Some(binding.what);
            }
            next = self.binding(binding.previous);
        }
        list
    }

    fn binding(&self, number: u32) -> Option<&Binding<T>> {
        self.bindings.get((number as usize).checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_that_ended_is_not_in_the_next_one() {
        let mut space = Space::new();
        space.bind(7, 'a');
        let outer = space.bind(8, 'b');
        let inner = space.bind(7, 'c');
        let mut taken = Vec::new();
        space.leave(outer, |what, hidden| taken.push((what, hidden)));
        assert_eq!(taken, [('c', 1)]);
        assert_eq!(space.current(7), Some('a'));
        let other = space.bind(8, 'd');
        assert_eq!(space.list(inner), [('a', Some('c')), ('b', None), ('c', None)]);
        assert_eq!(space.list(other), [('a', None), ('b', Some('d')), ('d', None)]);
        assert_eq!(space.list(NONE), []);
    }
}
