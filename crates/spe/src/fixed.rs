//! Permutations by their fixed points: all that Burnside's lemma needs to know of a renaming.
//!
//! A renaming leaves an assignment as it is exactly if it fixes every variable that is used. So the number of classes of
//! assignments is the average over renamings of the product over holes of the number of fixed variables that are
//! visible there, and of a renaming only the number of its fixed points counts.

use num_bigint::BigUint;

/// For each `n` up to some number, how many permutations of `n` things have `i` fixed points.
#[derive(Clone, Debug)]
pub struct FixedPoints {
    rows: Vec<Vec<BigUint>>,
    factorials: Vec<BigUint>,
}

impl FixedPoints {
    /// The table for up to `most` things.
    pub fn new(most: usize) -> FixedPoints {
        let (one, zero) = (BigUint::from(1u32), BigUint::ZERO);
        let mut factorials = vec![one.clone()];
        let mut binomials: Vec<BigUint> = vec![one.clone()];
        // d(n) = (n - 1)(d(n - 1) + d(n - 2)) permutations have no fixed point.
        let mut deranged = vec![one.clone(), zero];
        let mut rows = vec![vec![one.clone()]];
        for n in 1..=most {
            factorials.push(&factorials[n - 1] * n);
            if n >= 2 {
                deranged.push((&deranged[n - 1] + &deranged[n - 2]) * (n - 1));
            }
            let mut next = vec![one.clone()];
            next.extend(binomials.windows(2).map(|pair| &pair[0] + &pair[1]));
            next.push(one.clone());
            binomials = next;
            rows.push((0..=n).map(|i| &binomials[i] * &deranged[n - i]).collect());
        }
        FixedPoints { rows, factorials }
    }

    /// How many permutations of `n` things have 0, 1, … `n` fixed points.
    pub fn row(&self, n: usize) -> &[BigUint] {
        &self.rows[n]
    }

    /// How many permutations of `n` things there are.
    pub fn factorial(&self, n: usize) -> &BigUint {
        &self.factorials[n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_known_numbers() {
        let table = FixedPoints::new(4);
        let row = |n| table.row(n).iter().map(|count| u32::try_from(count).unwrap()).collect::<Vec<u32>>();
        assert_eq!(row(0), [1]);
        assert_eq!(row(1), [0, 1]);
        assert_eq!(row(2), [1, 0, 1]);
        assert_eq!(row(4), [9, 8, 6, 0, 1]);
    }

    #[test]
    fn a_row_has_all_permutations() {
        let table = FixedPoints::new(30);
        for n in 0..=30 {
            assert_eq!(table.row(n).iter().sum::<BigUint>(), *table.factorial(n));
        }
    }
}
