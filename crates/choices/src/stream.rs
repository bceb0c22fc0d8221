//! The frozen algorithm behind every decision: xoshiro256** seeded by SplitMix64, labels hashed by FNV-1a.
//!
//! Changing any line that computes changes every program ever made from a seed. The vectors at the end come from
//! the published algorithms:
//!
//! - David Blackman, Sebastiano Vigna: *Scrambled Linear Pseudorandom Number Generators* (xoshiro256**),
//! - Guy Steele, Doug Lea, Christine Flood: *Fast Splittable Pseudorandom Number Generators* (SplitMix64),
//! - Daniel Lemire: *Fast Random Integer Generation in an Interval* (ranges below 2^64 without bias).
//!
//! This file knows nothing of names, records or fuel.

/// One stream of 64-bit words.
pub(crate) struct Stream([u64; 4]);

impl Stream {
    /// The stream of a key. SplitMix64 never gives four zeros in a row, the one state xoshiro must not have.
    pub(crate) fn new(key: u64) -> Stream {
        Stream([1, 2, 3, 4].map(|step: u64| mix(key.wrapping_add(step.wrapping_mul(GOLDEN)))))
    }

    /// The next word: xoshiro256**.
    #[inline]
    fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let word = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        word
    }

    /// A number in `0..=max`, each equally likely. Takes no word when only one number is possible.
    #[inline]
    pub(crate) fn up_to(&mut self, max: u128) -> u128 {
        match u64::try_from(max) {
            Ok(0) => 0,
            Ok(u64::MAX) => u128::from(self.next()),
            Ok(max) => u128::from(self.below(max + 1)),
            Err(_) => self.up_to_wide(max),
        }
    }

    /// Lemire's multiplication: `n` is neither 0 nor more than 2^64 - 1.
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        let mut product = u128::from(self.next()) * u128::from(n);
        if (product as u64) < n {
            let threshold = n.wrapping_neg() % n;
            while (product as u64) < threshold {
                product = u128::from(self.next()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// More than 64 bits: as many bits as `max` has, the high word first, until they do not exceed `max`.
    #[cold]
    fn up_to_wide(&mut self, max: u128) -> u128 {
        loop {
            let high = u128::from(self.next()) << 64;
            let value = (high | u128::from(self.next())) >> max.leading_zeros();
            if value <= max {
                return value;
            }
        }
    }
}

/// The key of the sub-stream `label` of a stream, or of its `index`-th one.
///
/// The byte 0xff stands between label and index: it occurs in no UTF-8 text, so no label collides with an index.
pub(crate) fn sub_key(key: u64, label: &str, index: Option<u64>) -> u64 {
    let mut hash = fnv1a(FNV_OFFSET, label.as_bytes());
    if let Some(index) = index {
        hash = fnv1a(fnv1a(hash, &[0xff]), &index.to_le_bytes());
    }
    // Mixing the key before the hash joins it makes the order of labels count.
    mix(mix(key.wrapping_add(GOLDEN)) ^ hash)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// SplitMix64's finaliser.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// FNV-1a, 64 bits.
fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xoshiro_gives_the_published_words() {
        let mut stream = Stream([1, 2, 3, 4]);
        let words: Vec<u64> = (0..10).map(|_| stream.next()).collect();
        let published = [
            11520,
            0,
            1509978240,
            1215971899390074240,
            1216172134540287360,
            607988272756665600,
            16172922978634559625,
            8476171486693032832,
            10595114339597558777,
            2904607092377533576,
        ];
        assert_eq!(words, published);
    }

    #[test]
    fn splitmix_gives_the_published_words() {
        let words = [1u64, 2, 3, 4, 5].map(|n| mix(1234567u64.wrapping_add(n.wrapping_mul(GOLDEN))));
        let published = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        assert_eq!(words, published);
        assert_eq!(Stream::new(1234567).0, published[..4]);
    }

    #[test]
    fn fnv_gives_the_published_hashes() {
        assert_eq!(fnv1a(FNV_OFFSET, b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(FNV_OFFSET, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(FNV_OFFSET, b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn wide_bounds_are_reached_and_kept() {
        let mut stream = Stream::new(1);
        for max in [u128::from(u64::MAX), 1 << 64, (1 << 64) + 1, (1 << 100) + 17, u128::MAX - 1, u128::MAX] {
            let values: Vec<u128> = (0..1000).map(|_| stream.up_to(max)).collect();
            assert!(values.iter().all(|&value| value <= max));
            assert!(values.iter().any(|&value| value > max / 4 * 3), "{max}");
            assert!(values.iter().any(|&value| value < max / 4), "{max}");
        }
    }
}
