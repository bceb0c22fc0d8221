//! The smallest part of a list that still does it: for flags, files, anything in a row.
//!
//! Delta debugging by halves and then one at a time. The result is minimal: no single item can be left out.

/// Keeps a part of `items` for which `still` holds, assuming that it holds for all of them. `still` is asked for
/// subsequences only, never twice in a row for the same one.
///
/// ```
/// use howler_campaign::subset::smallest;
/// let kept = smallest(&(0..100).collect::<Vec<_>>(), |part| part.contains(&17) && part.contains(&80));
/// assert_eq!(kept, [17, 80]);
/// ```
pub fn smallest<T: Clone>(items: &[T], mut still: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = items.to_vec();
    if kept.is_empty() || still(&[]) {
        return Vec::new();
    }
    let mut size = kept.len().div_ceil(2);
    loop {
        let mut start = 0;
        while start < kept.len() {
            let end = (start + size).min(kept.len());
            let without: Vec<T> = kept[..start].iter().chain(&kept[end..]).cloned().collect();
            if !without.is_empty() && still(&without) {
                kept = without;
            } else {
                start = end;
            }
        }
        if size == 1 {
            return kept;
        }
        size = size.div_ceil(2).min(kept.len().max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_needed_is_nothing_kept() {
        assert_eq!(smallest(&[1, 2, 3], |_| true), Vec::<i32>::new());
        assert_eq!(smallest(&Vec::<i32>::new(), |_| false), Vec::<i32>::new());
    }

    #[test]
    fn everything_needed_is_kept() {
        let all: Vec<u32> = (0..9).collect();
        assert_eq!(smallest(&all, |part| part.len() == 9), all);
    }

    #[test]
    fn few_questions_for_one_of_many() {
        let all: Vec<u32> = (0..1024).collect();
        let mut asked = 0;
        let kept = smallest(&all, |part| {
            asked += 1;
            part.contains(&700)
        });
        assert_eq!(kept, [700]);
        assert!(asked < 40, "{asked}");
    }
}
