//! The name that was probably meant instead of a wrong one.

/// Names that are compared with a wrong one, and the longest of them: a message may cost no more than its text.
const MOST_NAMES: usize = 5_000;
const LONGEST: usize = 40;

/// `; did you mean 'count'?` for the name of `names` that is nearest to `wrong`, or nothing if none is near.
pub fn hint<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> String {
    // A short name is near to everything.
    let most = wrong.len().div_ceil(3).min(3);
    if wrong.len() < 2 || wrong.len() > LONGEST {
        return String::new();
    }
    let near = names
        .take(MOST_NAMES)
        .filter(|name| name.len().abs_diff(wrong.len()) <= most && name.len() <= LONGEST)
        .filter(|name| !name.starts_with("__") || wrong.starts_with("__"))
        .map(|name| (distance(wrong.as_bytes(), name.as_bytes()), name))
        .filter(|&(distance, name)| distance <= most && distance < name.len().max(2))
        .min();
    near.map_or_else(String::new, |(_, name)| format!("; did you mean '{name}'?"))
}

/// How many letters must be changed, added, left out or swapped with their neighbour.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_right_is_offered() {
        let names = || ["count", "main", "printf", "x"].into_iter();
        assert_eq!(hint("cuont", names()), "; did you mean 'count'?");
        assert_eq!(hint("pritnf", names()), "; did you mean 'printf'?");
        assert_eq!(hint("total", names()), "");
        assert_eq!(hint("y", names()), "");
    }

    #[test]
    fn swapped_letters_are_one_change() {
        assert_eq!(distance(b"form", b"from"), 1);
        assert_eq!(distance(b"abc", b"abc"), 0);
        assert_eq!(distance(b"abc", b"xyz"), 3);
    }
}
