//! Operands: edges of every type, and random values from a fixed seed, the same in every run.

use crate::kernels::{Kernel, Kind, Shape};
use howler_lang::arith::{Format, Num, convert, parse_float};

/// A fixed-seed xorshift: the operands are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 16) % bound
    }

    pub fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }
}

fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

fn edges(num: Num) -> Vec<u128> {
    let all = mask(num.width());
    match num {
        Num::Bool => vec![0, 1],
        Num::Int { .. } => {
            let width = num.width();
            let mut list: Vec<u128> = (0..4).flat_map(|near| [near, all - near]).collect();
            for power in [width / 4, width / 2, width - 2, width - 1] {
                list.extend([(1 << power) - 1, 1 << power, (1 << power) + 1, all - (1 << power)]);
            }
            list.extend(
                [u128::from(width), u128::from(width) - 1, 31, 32, 33, 63, 64, 65].map(|edge| edge & all),
            );
            list.sort_unstable();
            list.dedup();
            list
        }
        Num::Float(format) => {
            let (one, infinity) = (format.one(), format.infinity());
            let place = 1 << (format.precision() - 1);
            let least_normal = if format == Format::X87 { 1 << 64 | 1 << 63 } else { place };
            let int = |value: i128| {
                let from = Num::Int { width: 128, signed: true };
                convert(from, num, value.cast_unsigned()).expect("integers convert")
            };
            let below_one = if format == Format::X87 { 0x3ffe << 64 | u128::from(u64::MAX) } else { one - 1 };
            let mut list = vec![0, 1, 2, one, one + 1, below_one, infinity, format.nan(), least_normal];
            let subnormal = if format == Format::X87 { (1 << 63) - 1 } else { place - 1 };
            list.extend([subnormal, least_normal + 1, int(2), int(3), int(10), int(i128::MAX)]);
            list.push(largest(format));
            for power in [7, 8, 15, 16, 31, 32, 53, 63, 64, 100] {
                list.extend([int((1 << power) - 1), int(1 << power), int((1 << power) + 1)]);
            }
            let half = |text| parse_float(text, format).expect("a constant");
            list.extend(["0.5", "1.5", "0.9", "254.5", "255.9", "2147483647.5", "4294967295.5"].map(half));
            let negative: Vec<u128> = list.iter().map(|bits| bits | format.sign_bit()).collect();
            list.extend(negative);
            list
        }
    }
}

/// A random value: an edge, any bits, few bits, or a number whose exponent is where rounding and conversion happen.
fn random(num: Num, edges: &[u128], random: &mut Random) -> u128 {
    let pick = |list: &[u128], at: u64| list[usize::try_from(at).expect("small") % list.len()];
    match (num, random.below(8)) {
        (Num::Bool, kind) => u128::from(kind & 1),
        (_, 0) => pick(edges, random.next() >> 20),
        (Num::Int { .. }, 1 | 2) => {
            let near = u128::from(random.below(9)).wrapping_sub(4);
            pick(edges, random.next() >> 20).wrapping_add(near) & mask(num.width())
        }
        (Num::Int { .. }, 3 | 4) => {
            let bits = u32::try_from(random.below(u64::from(num.width()))).expect("small") + 1;
            let value = random.wide() & mask(bits);
            (if random.below(2) == 0 { value } else { value.wrapping_neg() }) & mask(num.width())
        }
        (Num::Int { .. }, _) => random.wide() & mask(num.width()),
        (Num::Float(_), 1) => {
            let small = i128::from(random.below(2001)) - 1000;
            convert(Num::Int { width: 128, signed: true }, num, small.cast_unsigned())
                .expect("integers convert")
        }
        (Num::Float(format), kind) => {
            let mut bits = random.wide() & mask(format.bits());
            let stored = format.bits() - 1 - format.exponent_bits();
            if kind < 6 {
                let bias = mask(format.exponent_bits() - 1);
                let near = bias.wrapping_add(u128::from(random.below(160))).wrapping_sub(20);
                let exponent = near.min(2 * bias) & mask(format.exponent_bits());
                bits = bits & !(mask(format.exponent_bits()) << stored) | exponent << stored;
                if random.below(2) == 0 {
                    // Few significant bits: ties and exact results are common.
                    bits &= !mask(stored - 5);
                }
            }
            match format {
                Format::X87 if bits >> 64 & 0x7fff != 0 => bits | 1 << 63,
                Format::X87 => bits & !(1 << 63),
                _ => bits,
            }
        }
    }
}

fn largest(format: Format) -> u128 {
    if format == Format::X87 { 0x7ffe << 64 | u128::from(u64::MAX) } else { format.infinity() - 1 }
}

/// A zero, one, infinity, NaN, or the least or greatest magnitude.
fn special(num: Num, source: &mut Random) -> u128 {
    match num {
        Num::Float(format) => {
            let sign = u128::from(source.below(2)) * format.sign_bit();
            sign | match source.below(6) {
                0 => 0,
                1 => format.one(),
                2 => format.nan(),
                3 => 1,
                4 => largest(format),
                _ => format.infinity(),
            }
        }
        _ => u128::from(source.below(2)),
    }
}

/// The edges of a kernel's two operands.
pub struct Edges {
    left: Vec<u128>,
    right: Vec<u128>,
}

impl Edges {
    pub fn new(kernel: &Kernel) -> Edges {
        Edges { left: edges(kernel.a.num), right: edges(kernel.b.num) }
    }
}

/// The operands of the `index`-th of `share` records.
pub fn operands(
    kernel: &Kernel,
    edges: &Edges,
    index: usize,
    share: usize,
    source: &mut Random,
) -> [u128; 4] {
    let Edges { left, right } = edges;
    match kernel.shape {
        Shape::Single if index < left.len() => return [left[index], 0, 0, 0],
        Shape::Single => return [random(kernel.a.num, left, source), 0, 0, 0],
        // Infinities, NaNs and zeros meet rarely by chance, and Annex G is about nothing else.
        Shape::Complex if source.below(4) == 0 => return [(); 4].map(|()| special(kernel.a.num, source)),
        Shape::Complex => return [(); 4].map(|()| random(kernel.a.num, left, source)),
        Shape::Pair => {}
    }
    // All pairs of edges if they fit into half the share, else as many at random.
    let all = left.len() * right.len();
    if index < all.min(share / 2) {
        let mut random = || usize::try_from(source.below(u64::try_from(all).expect("small"))).expect("small");
        let at = if all <= share / 2 { index } else { random() };
        return [left[at / right.len()], right[at % right.len()], 0, 0];
    }
    let a = random(kernel.a.num, left, source);
    let mut b = random(kernel.b.num, right, source);
    match kernel.a.num {
        _ if kernel.kind == Kind::Shifts && source.below(8) != 0 => {
            b = u128::from(source.below(u64::from(kernel.compute.width())));
        }
        // Neighbours cancel in a subtraction.
        Num::Float(format) if source.below(4) == 0 => {
            b = a ^ u128::from(source.below(16)) ^ (u128::from(source.below(2)) * format.sign_bit());
        }
        // The hardware takes encodings without the integer bit; the libraries that convert them are not asked.
        Num::Float(Format::X87) if source.below(64) == 0 => {
            // Exponent 0 with the integer bit is a pseudo-denormal, a number all the same.
            let exponent = mask(15) << 64;
            b = source.wide() & mask(80) & if source.below(2) == 0 { !exponent } else { u128::MAX };
        }
        _ => {}
    }
    [a, b, 0, 0]
}
