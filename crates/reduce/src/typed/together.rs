//! Several sites at once where some may refuse.

use howler_lang::edit::{self, Change, Refused, Remaking};
use howler_lang::program::Program;

use super::{Site, Subject};

/// How often a set is tried again with a part of it before the rest is given up: nobody has looked at the result yet.
const ATTEMPTS: u32 = 48;

/// The program after `step` has changed all of these sites that can be changed together: a set that is refused is halved.
/// None if nothing could be changed.
pub fn together(
    subject: &Subject,
    sites: &[Site],
    mut step: impl FnMut(&mut Change<'_>, Site) -> Result<(), Refused>,
) -> Option<Program> {
    let mut program = subject.program().clone();
    let mut open: Vec<&[Site]> = vec![sites];
    let (mut any, mut left) = (false, ATTEMPTS);
    while let Some(part) = open.pop() {
        if part.is_empty() || left == 0 {
            continue;
        }
        left -= 1;
        let done = edit::attempt(&mut program, |change| part.iter().try_for_each(|&site| step(change, site)));
        match done {
            Ok(()) => any = true,
            Err(_) if part.len() > 1 => {
                let (first, second) = part.split_at(part.len() / 2);
                open.extend([second, first]);
            }
            Err(_) => {}
        }
    }
    any.then_some(program)
}

/// The program with what `remaking` makes of the expressions of these sites, as far as it is possible together: what is
/// impossible at one place stays as it is there; only a few things make a whole set impossible.
pub fn remade<R: Remaking>(
    subject: &Subject,
    sites: &[Site],
    remaking: impl Fn(&[Site]) -> R,
) -> Option<Program> {
    let mut program = subject.program().clone();
    let (mut open, mut any, mut left) = (vec![sites], false, ATTEMPTS / 2);
    while let Some(part) = open.pop() {
        if part.is_empty() || left == 0 {
            continue;
        }
        left -= 1;
        match edit::attempt(&mut program, |change| change.rebuild(&mut remaking(part))) {
            Ok(changed) => any |= changed > 0,
            Err(_) if part.len() > 1 => {
                let (first, second) = part.split_at(part.len() / 2);
                open.extend([second, first]);
            }
            Err(_) => {}
        }
    }
    any.then_some(program)
}
