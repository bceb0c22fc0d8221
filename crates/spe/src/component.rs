//! Counting the assignments of one component, whole or from the middle, without enumerating them.
//!
//! For a scope with holes of its own, classes and scopes inside it, and `x` variables of the scopes around it that a
//! renaming fixes, the number of assignments is
//!
//! ```text
//! f(x) = Σ w(i) · g(x + i),    g(y) = ∏ over own holes (y + base) · ∏ over inner scopes f(y)
//! ```
//!
//! where `w(i)` is the part of all renamings of its classes that have `i` fixed points, and a hole's base is how many
//! variables it sees that nothing is interchangeable with. In the middle of an enumeration, variables that are used are
//! told apart by their uses: they are fixed, and only the others are renamed. All sums are of integers; what they are
//! divided by at the end is the number of renamings.

use std::sync::OnceLock;

use num_bigint::BigUint;

use crate::fixed::FixedPoints;
use crate::skeleton::Skeleton;
use crate::space::TooLarge;
use crate::tree::Tree;

/// Holes whose variables depend on each other, and how many ways there are to fill them.
#[derive(Debug)]
pub(crate) struct Component {
    pub tree: Tree,
    /// The node and the hole of each step, in the order in which holes are filled.
    pub steps: Vec<(usize, usize)>,
    tables: Vec<Table>,
    pub count: BigUint,
}

/// What is known for one choice of how many variables of each cut class are fixed.
#[derive(Debug)]
struct Table {
    /// For each cut class.
    fixed: Vec<usize>,
    /// By node, for each own hole.
    bases: Vec<Vec<u64>>,
    /// By node: `f` for each number of fixed variables around it.
    fresh: Vec<Vec<BigUint>>,
    /// By node and child: the product of `f` over that child and those after it, for each number of fixed variables.
    rest: OnceLock<Vec<Vec<Vec<BigUint>>>>,
}

/// Choices of fixed variables of cut classes that are gone over.
const MOST_TABLES: usize = 512;
/// Products of large numbers that are made to count, and the bits of all of them.
const MOST_PRODUCTS: usize = 4_000_000;
const MOST_BITS: usize = 2_000_000_000;

impl Component {
    pub fn new(skeleton: &Skeleton, fixed: &FixedPoints, holes: &[usize]) -> Result<Component, TooLarge> {
        let tree = Tree::new(skeleton, holes);
        let size = |class: usize| skeleton.classes()[class].len();
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for &class in &tree.cut {
            if choices.len() * (size(class) + 1) > MOST_TABLES {
                return Err(TooLarge);
            }
            let longer = |choice: &Vec<usize>| {
                let choice = choice.clone();
                (0..=size(class)).map(move |more| choice.iter().copied().chain([more]).collect())
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        let products = |node: &crate::tree::Node| {
            let own: usize = node.classes.iter().map(|&class| size(class)).sum();
            (node.limit + 1) * (own + 1 + node.children.len() + node.own.len())
        };
        let products = tree.nodes.iter().map(products).sum::<usize>() * choices.len();
        let widest = skeleton.sets().iter().map(Vec::len).max().unwrap_or(1);
        let bits = holes.len() * (widest.ilog2() as usize + 1);
        if products > MOST_PRODUCTS || products.saturating_mul(bits) > MOST_BITS * 8 {
            return Err(TooLarge);
        }
        let steps = tree.nodes.iter().enumerate();
        let steps = steps.flat_map(|(node, here)| here.own.iter().map(move |&hole| (node, hole))).collect();
        let tables: Vec<Table> =
            choices.into_iter().map(|choice| Table::new(skeleton, fixed, &tree, choice)).collect();
        let mut component = Component { tree, steps, tables, count: BigUint::ZERO };
        let (mut count, mut renamings) = (BigUint::ZERO, BigUint::from(1u32));
        for &class in &component.tree.cut {
            renamings *= fixed.factorial(size(class));
        }
        for table in &component.tables {
            let ways = component.tree.cut.iter().zip(&table.fixed);
            let ways: BigUint = ways.map(|(&class, &fix)| &fixed.row(size(class))[fix]).product();
            count += ways * &table.fresh[0][0];
        }
        component.count = count / renamings;
        Ok(component)
    }
}

impl Table {
    fn new(skeleton: &Skeleton, fixed: &FixedPoints, tree: &Tree, choice: Vec<usize>) -> Table {
        let cut = |class: usize| tree.cut.iter().position(|&other| other == class);
        let base = |&hole: &usize| {
            let visible = skeleton.visible(hole).iter().map(|&var| skeleton.class(var));
            let alone = visible.filter(|&class| skeleton.classes()[class].len() == 1).count();
            let fixed = crate::tree::big_classes(skeleton, hole).into_iter().filter_map(cut);
            (alone + fixed.map(|at| choice[at]).sum::<usize>()) as u64
        };
        let bases: Vec<Vec<u64>> =
            tree.nodes.iter().map(|node| node.own.iter().map(base).collect()).collect();
        let mut fresh: Vec<Vec<BigUint>> = vec![Vec::new(); tree.nodes.len()];
        for (number, node) in tree.nodes.iter().enumerate().rev() {
            let inner = |y: usize| {
                let own = powers(&bases[number], y as u64);
                node.children.iter().fold(own, |product, &child| product * &fresh[child][y])
            };
            let inner: Vec<BigUint> = (0..=node.limit).map(inner).collect();
            let nothing_used = vec![0; skeleton.classes().len()];
            let (ways, renamings) = ways(skeleton, fixed, &node.classes, &nothing_used);
            let around = node.limit + 1 - ways.len();
            let sum = |x: usize| {
                let terms = ways.iter().zip(&inner[x..]).map(|(ways, inner)| ways * inner);
                terms.sum::<BigUint>() / &renamings
            };
            fresh[number] = (0..=around).map(sum).collect();
        }
        Table { fixed: choice, bases, fresh, rest: OnceLock::new() }
    }

    fn rest(&self, tree: &Tree) -> &[Vec<Vec<BigUint>>] {
        self.rest.get_or_init(|| {
            let of_node = |node: &crate::tree::Node| {
                let mut products = vec![vec![BigUint::from(1u32); node.limit + 1]];
                for &child in node.children.iter().rev() {
                    let last = &products[products.len() - 1];
                    let next = last.iter().zip(&self.fresh[child]).map(|(one, other)| one * other);
                    products.push(next.collect());
                }
                products.reverse();
                products
            };
            tree.nodes.iter().map(of_node).collect()
        })
    }
}

/// The product of `y + base`.
fn powers(bases: &[u64], y: u64) -> BigUint {
    let mut sorted = bases.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|one, other| one == other);
    runs.map(|run| BigUint::from(y + run[0]).pow(run.len() as u32)).product()
}

/// In how many ways a renaming of the unused variables of classes leaves 0, 1, … of their variables fixed, and how many
/// renamings that are. Used ones are fixed in all.
fn ways(
    skeleton: &Skeleton,
    fixed: &FixedPoints,
    classes: &[usize],
    used: &[u32],
) -> (Vec<BigUint>, BigUint) {
    let mut ways = vec![BigUint::from(1u32)];
    let mut renamings = BigUint::from(1u32);
    for &class in classes {
        let used = used[class] as usize;
        let unused = skeleton.classes()[class].len() - used;
        renamings *= fixed.factorial(unused);
        let mut row = vec![BigUint::ZERO; used];
        row.extend_from_slice(fixed.row(unused));
        ways = convolved(&ways, &row);
    }
    (ways, renamings)
}

fn convolved(one: &[BigUint], other: &[BigUint]) -> Vec<BigUint> {
    let mut sums = vec![BigUint::ZERO; one.len() + other.len() - 1];
    for (at, factor) in one.iter().enumerate().filter(|(_, factor)| **factor != BigUint::ZERO) {
        for (by, term) in other.iter().enumerate() {
            sums[at + by] += factor * term;
        }
    }
    sums
}

/// Somewhere in an enumeration: counts what is still to come for each choice of the next hole.
pub(crate) struct Descent<'a> {
    skeleton: &'a Skeleton,
    fixed: &'a FixedPoints,
    component: &'a Component,
    /// The node of the last step, and how many of its own holes were gone to.
    node: Option<usize>,
    own: usize,
    /// By table and number of fixed variables: the product over what is still to be filled in the node and inside it.
    inner: Vec<Vec<Product>>,
    /// The weights if nothing new is used, and if a variable of a class is.
    weights: Vec<(Option<usize>, Weights)>,
}

/// A product of which factors are taken one by one.
#[derive(Clone, Debug)]
struct Product {
    value: BigUint,
    /// Factors that are zero, which are not in the value.
    zeros: usize,
}

/// By table and number of fixed variables: in how many ways that many are fixed, times what is still to be filled outside
/// the node; and how many renamings there are.
struct Weights {
    tables: Vec<Vec<BigUint>>,
    renamings: BigUint,
}

impl<'a> Descent<'a> {
    pub fn new(skeleton: &'a Skeleton, fixed: &'a FixedPoints, component: &'a Component) -> Descent<'a> {
        Descent { skeleton, fixed, component, node: None, own: 0, inner: Vec::new(), weights: Vec::new() }
    }

    /// Goes to a step. Every one is gone to, in order.
    pub fn enter(&mut self, step: usize) {
        let (node, _) = self.component.steps[step];
        if self.node != Some(node) {
            (self.node, self.own) = (Some(node), 0);
            self.weights.clear();
            let tables = self.component.tables.iter();
            self.inner = tables.map(|table| table.inner(&self.component.tree, node)).collect();
        }
        for (table, inner) in self.component.tables.iter().zip(&mut self.inner) {
            let base = table.bases[node][self.own];
            for (y, product) in inner.iter_mut().enumerate() {
                match y as u64 + base {
                    0 => product.zeros -= 1,
                    factor => product.value /= factor,
                }
            }
        }
        self.own += 1;
    }

    /// How many ways there are to fill the holes behind the step, if nothing new is used there or a variable of this
    /// class. `used` is how many of each class are used before.
    pub fn behind(&mut self, used: &[u32], new: Option<usize>) -> BigUint {
        let known = self.weights.iter().position(|(known, _)| *known == new);
        let at = known.unwrap_or_else(|| {
            let weights = self.weigh(used, new);
            self.weights.push((new, weights));
            self.weights.len() - 1
        });
        let weights = &self.weights[at].1;
        let mut sum = BigUint::ZERO;
        for (weights, inner) in weights.tables.iter().zip(&self.inner) {
            for (weight, product) in weights.iter().zip(inner).filter(|(_, product)| product.zeros == 0) {
                sum += weight * &product.value;
            }
        }
        sum / &weights.renamings
    }

    /// A variable of a class was used for the first time.
    pub fn used(&mut self) {
        self.weights.clear();
    }

    fn weigh(&self, used: &[u32], new: Option<usize>) -> Weights {
        let mut used = used.to_vec();
        if let Some(class) = new {
            used[class] += 1;
        }
        let tree = &self.component.tree;
        let mut path: Vec<usize> =
            std::iter::successors(self.node, |&node| tree.nodes[node].parent).collect();
        path.reverse();
        let steps: Vec<_> = path
            .iter()
            .map(|&node| ways(self.skeleton, self.fixed, &tree.nodes[node].classes, &used))
            .collect();
        let mut renamings: BigUint = steps.iter().map(|(_, renamings)| renamings).product();
        for &class in &tree.cut {
            let unused = self.skeleton.classes()[class].len() - used[class] as usize;
            renamings *= self.fixed.factorial(unused);
        }
        let of_table = |table: &Table| {
            let mut weights = vec![table.ways(self.skeleton, self.fixed, tree, &used)];
            if weights[0] == BigUint::ZERO {
                return Vec::new();
            }
            for (at, (ways, _)) in steps.iter().enumerate() {
                weights = convolved(&weights, ways);
                if let Some(&inner) = path.get(at + 1) {
                    let behind = &table.rest(tree)[path[at]][tree.nodes[inner].place + 1];
                    weights.iter_mut().zip(behind).for_each(|(weight, rest)| *weight *= rest);
                }
            }
            weights
        };
        Weights { tables: self.component.tables.iter().map(of_table).collect(), renamings }
    }
}

impl Table {
    /// What is to be filled in a node and inside it, for each number of fixed variables.
    fn inner(&self, tree: &Tree, node: usize) -> Vec<Product> {
        let rest = &self.rest(tree)[node][0];
        let product = |y: usize| {
            let zero = |base: &&u64| y as u64 + **base == 0;
            let zeros = self.bases[node].iter().filter(zero).count();
            let bases: Vec<u64> =
                self.bases[node].iter().copied().filter(|base| y as u64 + base != 0).collect();
            Product { value: powers(&bases, y as u64) * &rest[y], zeros }
        };
        (0..=tree.nodes[node].limit).map(product).collect()
    }

    /// In how many ways the cut classes have as many fixed variables as this table says.
    fn ways(&self, skeleton: &Skeleton, fixed: &FixedPoints, tree: &Tree, used: &[u32]) -> BigUint {
        let of_class = |(&class, &fix): (&usize, &usize)| {
            let used = used[class] as usize;
            let row = fixed.row(skeleton.classes()[class].len() - used);
            fix.checked_sub(used).and_then(|fix| row.get(fix)).cloned().unwrap_or_default()
        };
        tree.cut.iter().zip(&self.fixed).map(of_class).product()
    }
}
