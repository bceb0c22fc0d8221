//! `lang::arith` against gcc-12 and clang-16 at -O0, on x86-64 and i386.
//!
//! One generated C program per target has a kernel per type: it reads operands from standard input, applies every
//! operator or conversion, and writes the raw bytes of the results. Which operations on which operands are defined is
//! decided here and sent along, so the C side never runs undefined behaviour (left shifts into the sign aside, where the
//! compilers' plain result is checked too). About 200,000 pairs a target in all; with
//! `HOWLER_SOAK=1` 10,000,000 for the operators alone, and as many again for shifts, lanes, complex and conversions.
#![allow(clippy::disallowed_methods, reason = "tests drive compilers directly")]

mod compare;
mod constants;
mod expected;
mod kernels;
mod operands;

use compare::compare;
use expected::Overflow;
use howler_testkit::soak;
use kernels::Arch;

/// Operand pairs for the operators.
fn volume() -> usize {
    if soak() { 10_000_000 } else { 90_000 }
}

#[test]
fn x86_64_operators_and_conversions() {
    compare(Arch::X86_64, "x86-64", Overflow::Skipped, volume());
}

#[test]
fn i386_operators_and_conversions() {
    compare(Arch::I386, "i386", Overflow::Skipped, volume());
}

#[test]
fn wrapped_results_are_those_of_fwrapv() {
    compare(Arch::X86_64, "x86-64-wrapv", Overflow::Wraps, volume() / 10);
    compare(Arch::I386, "i386-wrapv", Overflow::Wraps, volume() / 10);
}
