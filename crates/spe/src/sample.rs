//! Drawing variants without replacement, however many there are.

use howler_choices::Choices;
use num_bigint::BigUint;

/// The numbers below some number in a random order, each of which can be asked for by its place. It is a permutation of
/// the numbers of as many bits, applied until the result is small enough (a Feistel network with a walk along its cycles).
#[derive(Clone, Debug)]
pub struct Shuffled {
    count: BigUint,
    /// Half of the bits.
    half: u64,
    keys: [u64; ROUNDS],
}

/// Four make a permutation that nobody tells from a random one by looking.
const ROUNDS: usize = 4;

impl Shuffled {
    /// An order of the numbers below `count`.
    pub fn new(count: BigUint, choices: &mut Choices) -> Shuffled {
        let half = count.bits().div_ceil(2).max(1);
        let keys = std::array::from_fn(|_| choices.range("key", 0..=u64::MAX));
        Shuffled { count, half, keys }
    }

    /// The number at a place; none if there are not so many.
    ///
    /// ```
    /// use howler_choices::Choices;
    /// use howler_spe::sample::Shuffled;
    ///
    /// let shuffled = Shuffled::new(10u32.into(), &mut Choices::new(7));
    /// let mut all: Vec<_> = (0..10u32).filter_map(|place| shuffled.get(&place.into())).collect();
    /// all.sort();
    /// assert_eq!(all, (0..10u32).map(Into::into).collect::<Vec<_>>());
    /// assert_eq!(shuffled.get(&10u32.into()), None);
    /// ```
    pub fn get(&self, place: &BigUint) -> Option<BigUint> {
        if *place >= self.count {
            return None;
        }
        // What lies outside is on the way from one number inside to another, so this ends; mostly in four steps.
        let mut number = self.permuted(place);
        while number >= self.count {
            number = self.permuted(&number);
        }
        Some(number)
    }

    /// A permutation of the numbers of twice the half's bits.
    fn permuted(&self, number: &BigUint) -> BigUint {
        let mut high = number >> self.half;
        let mut low = number - (&high << self.half);
        for key in self.keys {
            let mixed = high ^ self.mixed(&low, key);
            high = std::mem::replace(&mut low, mixed);
        }
        (high << self.half) + low
    }

    /// As many bits as a half has, which depend on a number and a key.
    fn mixed(&self, number: &BigUint, key: u64) -> BigUint {
        let seed = number.iter_u64_digits().fold(key, |sum, digit| scrambled(sum ^ digit));
        let digits = (1..=self.half.div_ceil(32)).map(|digit| {
            let word = scrambled(seed ^ digit.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            (word >> 32) as u32
        });
        let all = BigUint::new(digits.collect());
        let excess = &all >> self.half;
        all - (excess << self.half)
    }
}

/// The finaliser of SplitMix64.
fn scrambled(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        for count in [1u32, 2, 3, 5, 64, 1000, 1025] {
            let shuffled = Shuffled::new(count.into(), &mut Choices::new(u64::from(count)));
            let mut all: Vec<BigUint> =
                (0..count).map(|place| shuffled.get(&place.into()).unwrap()).collect();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count as usize);
        }
    }

    /// Each number is as likely at a place as any other.
    #[test]
    fn first_numbers_are_spread_evenly() {
        let mut seen = [0u32; 10];
        for seed in 0..5000 {
            let shuffled = Shuffled::new(10u32.into(), &mut Choices::new(seed));
            let first = u32::try_from(shuffled.get(&BigUint::ZERO).unwrap()).unwrap();
            seen[first as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (400..600).contains(&count)), "{seen:?}");
    }

    #[test]
    fn large_numbers_are_spread_over_all_bits() {
        let count = BigUint::from(10u32).pow(70);
        let shuffled = Shuffled::new(count.clone(), &mut Choices::new(1));
        let drawn: Vec<BigUint> = (0..100u32).map(|place| shuffled.get(&place.into()).unwrap()).collect();
        let upper = drawn.iter().filter(|&number| number * 2u32 > count).count();
        assert!((30..70).contains(&upper), "{upper}");
        let odd = drawn.iter().filter(|number| number.bit(0)).count();
        assert!((30..70).contains(&odd), "{odd}");
    }
}
