//! How the scopes of some holes lie in each other.
//!
//! A class of variables is visible at a set of holes. Where blocks nest, of two such sets one contains the other or they
//! have nothing in common, so they form a tree. A name that is hidden in an inner block breaks that; the classes that do
//! not fit are *cut*: they are no part of the tree, and whoever counts goes over how many of their variables are fixed.
//! Classes of one variable never count: nothing can be renamed, and the variable is one more at each of its holes.

use rustc_hash::FxHashMap;

use crate::skeleton::Skeleton;

/// Holes whose variables depend on each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// In preorder; the first is the root.
    pub nodes: Vec<Node>,
    /// The classes that do not fit.
    pub cut: Vec<usize>,
}

/// A scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub parent: Option<usize>,
    /// Its place among the children of its parent.
    pub place: usize,
    /// The classes that are visible in exactly this scope.
    pub classes: Vec<usize>,
    /// The holes that are in this scope and in none further in, in the order of the text.
    pub own: Vec<usize>,
    pub children: Vec<usize>,
    /// How many variables of its classes and of those around it there are.
    pub limit: usize,
}

impl Tree {
    /// The tree of holes. Those must be all holes of their classes.
    pub fn new(skeleton: &Skeleton, holes: &[usize]) -> Tree {
        let mut scopes = Scopes::new(skeleton, holes);
        let mut cut = Vec::new();
        loop {
            match scopes.parents() {
                Ok(parents) => return scopes.tree(holes, &parents, cut),
                Err(scope) => cut.extend(scopes.remove(scope)),
            }
        }
    }
}

/// Sets of holes at which the same classes are visible.
struct Scopes {
    /// For each: the classes.
    classes: Vec<Vec<usize>>,
    /// The scopes around each hole, the widest first.
    around: Vec<Vec<usize>>,
    /// How many variables each class has.
    sizes: FxHashMap<usize, usize>,
}

impl Scopes {
    fn new(skeleton: &Skeleton, holes: &[usize]) -> Scopes {
        let mut seen_at: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (number, &hole) in holes.iter().enumerate() {
            for class in big_classes(skeleton, hole) {
                seen_at.entry(class).or_default().push(number);
            }
        }
        let sizes = seen_at.keys().map(|&class| (class, skeleton.classes()[class].len())).collect();
        let mut by_class: Vec<(usize, Vec<usize>)> = seen_at.into_iter().collect();
        by_class.sort_unstable();
        let mut numbers: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        let (mut classes, mut sets): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for (class, set) in by_class {
            let number = *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[number].push(class);
        }
        let mut around = vec![Vec::new(); holes.len()];
        let mut widest: Vec<usize> = (0..sets.len()).collect();
        widest.sort_by_key(|&scope| std::cmp::Reverse(sets[scope].len()));
        for scope in widest {
            sets[scope].iter().for_each(|&hole| around[hole].push(scope));
        }
        Scopes { classes, around, sizes }
    }

    /// The scope around each, or one that is partly in another.
    fn parents(&self) -> Result<Vec<Option<usize>>, usize> {
        let mut parents: Vec<Option<Option<usize>>> = vec![None; self.classes.len()];
        for around in &self.around {
            let mut outer = None;
            for &scope in around {
                if *parents[scope].get_or_insert(outer) != outer {
                    return Err(scope);
                }
                outer = Some(scope);
            }
        }
        Ok(parents.into_iter().map(Option::flatten).collect())
    }

    /// Takes a scope out and gives its classes.
    fn remove(&mut self, scope: usize) -> Vec<usize> {
        self.around.iter_mut().for_each(|around| around.retain(|&other| other != scope));
        std::mem::take(&mut self.classes[scope])
    }

    fn tree(&self, holes: &[usize], parents: &[Option<usize>], cut: Vec<usize>) -> Tree {
        let mut own: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
        let mut outside = Vec::new();
        // The first hole of a scope says where it comes among its siblings.
        let mut first = vec![usize::MAX; self.classes.len()];
        for (number, around) in self.around.iter().enumerate() {
            around.iter().for_each(|&scope| first[scope] = first[scope].min(number));
            around.last().map_or(&mut outside, |&scope| &mut own[scope]).push(holes[number]);
        }
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); self.classes.len()];
        let mut roots = Vec::new();
        let mut ordered: Vec<usize> =
            (0..self.classes.len()).filter(|&scope| !self.classes[scope].is_empty()).collect();
        ordered.sort_by_key(|&scope| first[scope]);
        for scope in ordered {
            parents[scope].map_or(&mut roots, |parent| &mut inside[parent]).push(scope);
        }
        let mut nodes = vec![Node { own: outside, ..Node::default() }];
        // The last pushed comes next.
        let mut waiting: Vec<(usize, usize)> = roots.iter().rev().map(|&scope| (scope, 0)).collect();
        while let Some((scope, parent)) = waiting.pop() {
            let number = nodes.len();
            let classes = self.classes[scope].clone();
            let here: usize = classes.iter().map(|class| self.sizes[class]).sum();
            let node = Node {
                parent: Some(parent),
                place: nodes[parent].children.len(),
                classes,
                own: std::mem::take(&mut own[scope]),
                children: Vec::new(),
                limit: nodes[parent].limit + here,
            };
            nodes[parent].children.push(number);
            nodes.push(node);
            waiting.extend(inside[scope].iter().rev().map(|&scope| (scope, number)));
        }
        Tree { nodes, cut }
    }
}

/// The classes with something to rename that are visible at a hole, each once.
pub(crate) fn big_classes(skeleton: &Skeleton, hole: usize) -> Vec<usize> {
    let visible = skeleton.visible(hole).iter().map(|&var| skeleton.class(var));
    let mut classes: Vec<usize> = visible.filter(|&class| skeleton.classes()[class].len() > 1).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Holes in groups that have no class in common, in the order of their first hole. Holes without a class depend on no
/// other, and are one group.
pub(crate) fn components(skeleton: &Skeleton, holes: &[usize]) -> Vec<Vec<usize>> {
    // The classes of a set are looked at once.
    let mut group_of_class: FxHashMap<usize, usize> = FxHashMap::default();
    let mut leader: Vec<usize> = Vec::new();
    fn find(leader: &mut [usize], mut group: usize) -> usize {
        while leader[group] != group {
            leader[group] = leader[leader[group]];
            group = leader[group];
        }
        group
    }
    let mut of_set: FxHashMap<usize, usize> = FxHashMap::default();
    let mut free = None;
    let mut of_hole = Vec::with_capacity(holes.len());
    for &hole in holes {
        let set = skeleton.set(hole);
        let group = match of_set.get(&set) {
            Some(&group) => group,
            None => {
                let classes = big_classes(skeleton, hole);
                let group = free.filter(|_| classes.is_empty()).unwrap_or(leader.len());
                if group == leader.len() {
                    leader.push(group);
                }
                if classes.is_empty() {
                    free = Some(group);
                }
                for &class in &classes {
                    let other = *group_of_class.entry(class).or_insert(group);
                    let (one, two) = (find(&mut leader, group), find(&mut leader, other));
                    leader[one.max(two)] = one.min(two);
                }
                of_set.insert(set, group);
                group
            }
        };
        of_hole.push(group);
    }
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (&hole, group) in holes.iter().zip(of_hole) {
        let root = find(&mut leader, group);
        let number = *numbers.entry(root).or_insert_with(|| {
            all.push(Vec::new());
            all.len() - 1
        });
        all[number].push(hole);
    }
    all
}
