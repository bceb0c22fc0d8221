//! All variants of a skeleton, each once: counting them, finding the one with a number, finding the number of one.
//!
//! Of the assignments that are renamings of each other, the one stands for all in which the variables of each class are
//! used in order: a hole takes a variable that is used already, or the first unused one of a class. What was begun like
//! that can always be ended, so an enumeration never goes back for nothing. The variables of a class are ordered as the
//! original uses them first, and a hole prefers what the original has: so the original is the first of all.

use num_bigint::BigUint;

use crate::component::{Component, Descent};
use crate::fixed::FixedPoints;
use crate::skeleton::{Skeleton, Var};
use crate::tree::components;

/// There are more variables and scopes than can be counted in bounded time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many variables and scopes to count what can be made of them")]
pub struct TooLarge;

/// The variants of a skeleton.
#[derive(Debug)]
pub struct Space {
    skeleton: Skeleton,
    fixed: FixedPoints,
    components: Vec<Component>,
    count: BigUint,
    /// The holes with a choice, in the order in which they are filled.
    order: Vec<usize>,
    /// The place of each variable in its class.
    member: Vec<u32>,
    /// For each set of visible variables: class by class, each in its order, and where its class ends.
    options: Vec<Vec<(Var, u32)>>,
}

/// A choice for a hole: its number among all choices, which counts from 1 for those that are not the original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    pub slot: u32,
    pub var: Var,
    /// Whether the variable is used for the first time.
    pub new: bool,
}

impl Space {
    /// Looks at all dependences between holes, and counts.
    pub fn new(skeleton: Skeleton) -> Result<Space, TooLarge> {
        let most = skeleton.classes().iter().map(Vec::len).max().unwrap_or(0);
        if most > MOST_ALIKE {
            return Err(TooLarge);
        }
        let fixed = FixedPoints::new(most);
        let with_choice: Vec<usize> =
            (0..skeleton.holes()).filter(|&hole| skeleton.visible(hole).len() > 1).collect();
        let components: Vec<Component> = components(&skeleton, &with_choice)
            .iter()
            .map(|holes| Component::new(&skeleton, &fixed, holes))
            .collect::<Result<_, _>>()?;
        let order: Vec<usize> =
            components.iter().flat_map(|one| one.steps.iter().map(|&(_, hole)| hole)).collect();
        let count = components.iter().map(|one| &one.count).product();
        let member = members(&skeleton, &order);
        let options = skeleton.sets().iter().map(|set| options(&skeleton, &member, set)).collect();
        Ok(Space { skeleton, fixed, components, count, order, member, options })
    }

    /// The holes and variables.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// How many variants there are; the original is one.
    pub fn count(&self) -> &BigUint {
        &self.count
    }

    /// How many programs filling every hole with every variable that is visible there would give.
    pub fn naive(&self) -> BigUint {
        self.order.iter().map(|&hole| BigUint::from(self.skeleton.visible(hole).len())).product()
    }

    /// The variant with a number, as what stands in each hole; none if there are not so many.
    pub fn unrank(&self, index: &BigUint) -> Option<Vec<Var>> {
        let (filled, _) = self.unranked(index)?;
        Some(filled)
    }

    /// The same, with the number of the choice at each step.
    pub(crate) fn unranked(&self, index: &BigUint) -> Option<(Vec<Var>, Vec<Choice>)> {
        if *index >= self.count {
            return None;
        }
        let mut digits = Vec::with_capacity(self.components.len());
        let mut left = index.clone();
        for component in self.components.iter().rev() {
            digits.push(&left % &component.count);
            left /= &component.count;
        }
        let mut filled = self.skeleton.originals();
        let mut chosen = Vec::with_capacity(self.order.len());
        let mut used = vec![0; self.skeleton.classes().len()];
        for (component, mut digit) in self.components.iter().zip(digits.into_iter().rev()) {
            let mut descent = Descent::new(&self.skeleton, &self.fixed, component);
            for (step, &(_, hole)) in component.steps.iter().enumerate() {
                descent.enter(step);
                let mut choice = self.first(hole, &used);
                loop {
                    let ways = descent.behind(&used, self.renamed(choice));
                    if digit < ways {
                        break;
                    }
                    // The last choice has all that is left.
                    let Some(next) = self.next(hole, &used, choice.slot) else { break };
                    digit -= ways;
                    choice = next;
                }
                self.take(&mut descent, &mut used, choice);
                filled[hole] = choice.var;
                chosen.push(choice);
            }
        }
        Some((filled, chosen))
    }

    /// The number of the variant that an assignment is a renaming of; none if it is not one for this skeleton.
    pub fn rank(&self, filled: &[Var]) -> Option<BigUint> {
        let canonical = self.canonical(filled)?;
        let mut index = BigUint::ZERO;
        let mut used = vec![0; self.skeleton.classes().len()];
        for component in &self.components {
            let mut before = BigUint::ZERO;
            let mut descent = Descent::new(&self.skeleton, &self.fixed, component);
            for (step, &(_, hole)) in component.steps.iter().enumerate() {
                descent.enter(step);
                let mut choice = self.first(hole, &used);
                while choice.var != canonical[hole] {
                    before += descent.behind(&used, self.renamed(choice));
                    choice = self.next(hole, &used, choice.slot)?;
                }
                self.take(&mut descent, &mut used, choice);
            }
            index = index * &component.count + before;
        }
        Some(index)
    }

    /// The assignment that stands for all renamings of this one.
    pub fn canonical(&self, filled: &[Var]) -> Option<Vec<Var>> {
        let fits = |hole: usize| self.skeleton.visible(hole).binary_search(&filled[hole]).is_ok();
        if filled.len() != self.skeleton.holes() || !(0..filled.len()).all(fits) {
            return None;
        }
        let mut canonical = filled.to_vec();
        let mut ordered: Vec<Vec<Var>> = self.skeleton.classes().to_vec();
        ordered.iter_mut().for_each(|class| class.sort_by_key(|var| self.member[var.index()]));
        let mut renamed: Vec<Option<Var>> = vec![None; self.skeleton.variables()];
        let mut used = vec![0; ordered.len()];
        for &hole in &self.order {
            let var = filled[hole];
            let class = self.skeleton.class(var);
            let new = *renamed[var.index()].get_or_insert_with(|| {
                used[class] += 1;
                ordered[class][used[class] - 1]
            });
            canonical[hole] = new;
        }
        Some(canonical)
    }

    /// The holes with a choice, in the order in which they are filled.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// The first choice for a hole: the original, if it may stand there yet.
    pub(crate) fn first(&self, hole: usize, used: &[u32]) -> Choice {
        let var = self.skeleton.original(hole);
        let (member, used_of) = (self.member[var.index()], used[self.skeleton.class(var)]);
        if member <= used_of {
            return Choice { slot: 0, var, new: member == used_of };
        }
        // The first variable of a class may always be used.
        self.next(hole, used, 0).unwrap_or(Choice { slot: 0, var, new: false })
    }

    /// The choice after the one with this number.
    pub(crate) fn next(&self, hole: usize, used: &[u32], slot: u32) -> Option<Choice> {
        let options = &self.options[self.skeleton.set(hole)];
        let original = self.skeleton.original(hole);
        let mut slot = slot;
        while let Some(&(var, end)) = options.get(slot as usize) {
            let (member, used) = (self.member[var.index()], used[self.skeleton.class(var)]);
            if member > used {
                slot = end;
            } else {
                slot += 1;
                if var != original {
                    return Some(Choice { slot, var, new: member == used });
                }
            }
        }
        None
    }

    /// The class in which a choice makes a difference to what may be renamed.
    fn renamed(&self, choice: Choice) -> Option<usize> {
        let class = self.skeleton.class(choice.var);
        (choice.new && self.skeleton.classes()[class].len() > 1).then_some(class)
    }

    fn take(&self, descent: &mut Descent<'_>, used: &mut [u32], choice: Choice) {
        if choice.new {
            used[self.skeleton.class(choice.var)] += 1;
            if self.renamed(choice).is_some() {
                descent.used();
            }
        }
    }
}

/// Interchangeable variables that are counted with.
const MOST_ALIKE: usize = 2_000;

/// The place of each variable in its class: as the original uses them, then those that it does not use.
fn members(skeleton: &Skeleton, order: &[usize]) -> Vec<u32> {
    let mut member = vec![u32::MAX; skeleton.variables()];
    let mut known = vec![0; skeleton.classes().len()];
    let used = order.iter().map(|&hole| skeleton.original(hole));
    let all = skeleton.classes().iter().flatten().copied();
    for var in used.chain(all) {
        let class = skeleton.class(var);
        if member[var.index()] == u32::MAX {
            member[var.index()] = known[class];
            known[class] += 1;
        }
    }
    member
}

/// Variables class by class, each class in its order, and for each where its class ends.
fn options(skeleton: &Skeleton, member: &[u32], set: &[Var]) -> Vec<(Var, u32)> {
    let mut sorted = set.to_vec();
    let first = |class: usize| skeleton.classes()[class][0];
    sorted.sort_by_key(|&var| (first(skeleton.class(var)), member[var.index()]));
    let runs = sorted.chunk_by(|&one, &other| skeleton.class(one) == skeleton.class(other));
    let mut options = Vec::with_capacity(sorted.len());
    for run in runs {
        let end = (options.len() + run.len()) as u32;
        options.extend(run.iter().map(|&var| (var, end)));
    }
    options
}
