//! Random optimisation flags: beside the standard levels a test may draw some from the compiler's pool.
//!
//! The pools are data (`data/flags-gcc.txt`, `data/flags-clang.txt`). They have only flags that say how to compile,
//! none that changes what a program means: no fast mathematics, no wrapping, no packing.

use howler_choices::Choices;

/// Flags for gcc, and those that some version of it may not know.
pub const GCC: &str = include_str!("../data/flags-gcc.txt");
/// Flags for clang.
pub const CLANG: &str = include_str!("../data/flags-clang.txt");

/// The flags of a pool, in order. A line is a flag; `-f[no-]name` stands for two; `name={a,b}` for one of each.
///
/// ```
/// use howler_campaign::swarm::pool;
/// let flags: Vec<Vec<String>> = pool("# words\n-f[no-]gcse\n--param max-unroll-times={1,8}\n");
/// assert_eq!(flags[0], ["-fgcse", "-fno-gcse"]);
/// assert_eq!(flags[1], ["--param max-unroll-times=1", "--param max-unroll-times=8"]);
/// ```
pub fn pool(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(spellings).collect()
}

fn spellings(line: &str) -> Vec<String> {
    if let Some((before, after)) = line.split_once("[no-]") {
        return vec![format!("{before}{after}"), format!("{before}no-{after}")];
    }
    match line.split_once('{').and_then(|(before, rest)| Some((before, rest.strip_suffix('}')?))) {
        Some((before, values)) => values.split(',').map(|value| format!("{before}{value}")).collect(),
        None => vec![line.to_owned()],
    }
}

/// Draws flags for one test: a level, then a few flags from the pool, each at most once and in the pool's order, so
/// that one set of flags has one spelling.
pub fn draw(pool: &[Vec<String>], levels: &[&str], choices: &mut Choices) -> Vec<String> {
    let mut flags = Vec::new();
    if !levels.is_empty() {
        let level = choices.range("level", 0..=levels.len() as u64 - 1) as usize;
        flags.push(levels[level].to_owned());
    }
    if pool.is_empty() {
        return flags;
    }
    // Log-uniform: one flag is as likely as dozens.
    let size = u32::try_from(pool.len()).unwrap_or(u32::MAX);
    let doublings = choices.range("flags", 0..=size.ilog2());
    let wanted = choices.range("flag count", 1 << doublings..=u32::MAX >> (31 - doublings)).min(size);
    for (index, spellings) in pool.iter().enumerate() {
        let mut choice = choices.sub_indexed("flag", index as u64);
        if choice.chance("take", wanted, size) {
            let which = choice.range("spelling", 0..=spellings.len() as u64 - 1) as usize;
            flags.extend(spellings[which].split(' ').map(str::to_owned));
        }
    }
    flags
}

/// Flags as they belong together: `--param` and `-mllvm` have a word after them.
///
/// ```
/// use howler_campaign::swarm::groups;
/// let words = ["-O2", "-mllvm", "-disable-lsr", "-fpic"].map(str::to_owned);
/// let counts: Vec<usize> = groups(&words).iter().map(Vec::len).collect();
/// assert_eq!(counts, [1, 2, 1]);
/// ```
pub fn groups(flags: &[String]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut joined = false;
    for flag in flags {
        match all.last_mut() {
            Some(last) if joined => last.push(flag.clone()),
            _ => all.push(vec![flag.clone()]),
        }
        joined = !joined && (flag == "--param" || flag == "-mllvm");
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_have_no_flag_that_changes_meaning() {
        let banned = [
            "fast-math",
            "unsafe-math",
            "associative-math",
            "reciprocal",
            "finite-math",
            "signed-zeros",
            "trapping-math",
            "wrapv",
            "trapv",
            "short-enums",
            "pack-struct",
            "unsigned-char",
            "signed-char",
            "excess-precision",
            "fp-contract=fast",
            "single-precision",
            "strict-overflow",
            "delete-null",
            "fcommon",
            "fno-common",
            "allow-store-data-races",
            "merge-all",
            "cx-limited",
            "cx-fortran",
            "rounding-math",
            "signaling",
        ];
        for text in [GCC, CLANG] {
            for flag in pool(text).concat() {
                assert!(!banned.iter().any(|word| flag.contains(word)), "{flag}");
            }
        }
    }

    #[test]
    fn a_draw_is_a_function_of_its_choices() {
        let pool = pool(GCC);
        let draw = |seed| draw(&pool, &["-O1", "-O2"], &mut Choices::new(seed));
        assert_eq!(draw(3), draw(3));
        let sizes: Vec<usize> = (0..50).map(|seed| draw(seed).len()).collect();
        assert!(sizes.iter().any(|&size| size < 5) && sizes.iter().any(|&size| size > 20), "{sizes:?}");
    }
}
