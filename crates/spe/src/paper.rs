//! The paper's own count, for comparison: its algorithm 1 loses assignments that use only some of a function's
//! variables together with local ones.

use num_bigint::BigUint;

/// The holes of one function and type as the paper sees them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Group {
    /// Globals, parameters and variables of the function's outermost block.
    pub variables: usize,
    /// Holes that see no others.
    pub holes: usize,
    /// For each scope inside: its variables, and the holes that see them.
    pub scopes: Vec<(usize, usize)>,
}

impl Group {
    /// The number of programs that algorithm 1 makes.
    ///
    /// ```
    /// use howler_spe::paper::Group;
    /// // Example 6: three holes over {a, b}, two over {a, b, c, d}.
    /// let group = Group { variables: 2, holes: 3, scopes: vec![(2, 2)] };
    /// assert_eq!(group.count(), 36u32.into());
    /// ```
    pub fn count(&self) -> BigUint {
        let local: usize = self.scopes.iter().map(|&(_, holes)| holes).sum();
        let all = self.holes + local;
        let widest = self.scopes.iter().map(|&(variables, _)| variables).max().unwrap_or(0);
        let stirling = Stirling::new(all, widest.max(self.variables));
        // By how many local holes are promoted: ways to choose them and to part the others.
        let mut promoted = vec![BigUint::from(1u32)];
        for &(variables, holes) in &self.scopes {
            let mut ways = Vec::with_capacity(holes + 1);
            let mut chosen = BigUint::from(1u32);
            for promoted in 0..=holes {
                ways.push(&chosen * stirling.at_most(holes - promoted, variables));
                chosen = chosen * (holes - promoted) / (promoted + 1);
            }
            let mut sums = vec![BigUint::ZERO; promoted.len() + holes];
            for (at, factor) in promoted.iter().enumerate() {
                ways.iter().enumerate().for_each(|(by, ways)| sums[at + by] += factor * ways);
            }
            promoted = sums;
        }
        // All of them promoted is the first sum.
        promoted.pop();
        let rest = promoted
            .iter()
            .enumerate()
            .map(|(more, ways)| ways * stirling.exactly(self.holes + more, self.variables));
        stirling.at_most(all, self.variables) + rest.sum::<BigUint>()
    }
}

/// Stirling numbers of the second kind: the ways to part things into so many sets.
struct Stirling {
    rows: Vec<Vec<BigUint>>,
}

impl Stirling {
    fn new(things: usize, parts: usize) -> Stirling {
        let width = parts.min(things) + 1;
        let mut rows = vec![vec![BigUint::ZERO; width]];
        rows[0][0] = BigUint::from(1u32);
        for n in 1..=things {
            let last = &rows[n - 1];
            let next = (0..width).map(|k| if k == 0 { BigUint::ZERO } else { &last[k] * k + &last[k - 1] });
            let next = next.collect();
            rows.push(next);
        }
        Stirling { rows }
    }

    /// Into that many sets; the paper takes it for one way if there are fewer things.
    fn exactly(&self, things: usize, parts: usize) -> BigUint {
        if parts > things { BigUint::from(1u32) } else { self.rows[things][parts].clone() }
    }

    /// Into that many sets or fewer.
    fn at_most(&self, things: usize, parts: usize) -> BigUint {
        self.rows[things].iter().take(parts + 1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_scopes_it_is_exact() {
        // Figure 5: six holes, two variables.
        let group = Group { variables: 2, holes: 6, scopes: Vec::new() };
        assert_eq!(group.count(), BigUint::from(32u32));
        assert_eq!(Group::default().count(), BigUint::from(1u32));
    }

    #[test]
    fn more_variables_than_holes_are_no_more_ways() {
        let group = Group { variables: 9, holes: 3, scopes: Vec::new() };
        assert_eq!(group.count(), BigUint::from(5u32));
    }
}
