//! Looks for a construct in a C file by its spelling. Not a lexer: faults name spellings that cannot be mistaken.

/// The number of the first line, counted from 1, that has `wanted` in it: outside comments and, in a preprocessed
/// text, outside what headers gave. A `*` in `wanted` stands for anything within the line.
pub(crate) fn find(text: &str, wanted: &str) -> Option<usize> {
    let parts: Vec<&str> = wanted.split('*').collect();
    let mut comment = false;
    // The name of the file itself, from the first line marker of a file (`# 0 "a.c"`; `<stdin>` is none), and whether
    // this line is from it.
    let mut main: Option<&str> = None;
    let mut own = true;
    let mut number = 0;
    for line in text.lines() {
        if let Some((at, file)) = marker(line) {
            if !file.starts_with('<') {
                own = *main.get_or_insert(file) == file;
            }
            number = at.saturating_sub(1);
            continue;
        }
        number += 1;
        let line = without_comments(line, &mut comment);
        if own && contains(&line, &parts) {
            return Some(number);
        }
    }
    None
}

/// Line and file of `# 12 "a.c" 2`.
fn marker(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("# ")?.split_once(' ')?;
    let file = rest.strip_prefix('"')?.split('"').next()?;
    Some((number.parse().ok()?, file))
}

fn contains(mut line: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| match line.find(part) {
        Some(at) => {
            line = &line[at + part.len()..];
            true
        }
        None => false,
    })
}

fn without_comments(mut line: &str, inside: &mut bool) -> String {
    let mut kept = String::new();
    loop {
        if *inside {
            let Some((_, after)) = line.split_once("*/") else { return kept };
            *inside = false;
            line = after;
        }
        let Some(at) = line.find('/') else { return kept + line };
        match line[at + 1..].bytes().next() {
            Some(b'*') => {
                kept.push_str(&line[..at]);
                kept.push(' ');
                *inside = true;
                line = &line[at + 2..];
            }
            Some(b'/') => return kept + &line[..at],
            _ => {
                kept.push_str(&line[..=at]);
                line = &line[at + 1..];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_construct_is_found_by_its_spelling() {
        assert_eq!(find("int a;\nint b[3];\n", "[3]"), Some(2));
        assert_eq!(find("x ? y : z", "?*:"), Some(1));
        assert_eq!(find("x : y ? z", "?*:"), None);
        assert_eq!(find("?\n:", "?*:"), None);
    }

    #[test]
    fn comments_do_not_count() {
        assert_eq!(find("/* goto */ a / b // goto\n/*\ngoto\n*/ goto\n", "goto"), Some(4));
    }

    #[test]
    fn headers_do_not_count() {
        let text = "# 0 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\ngoto\n# 2 \"a.c\" 2\nint a;\n  goto x;\n";
        assert_eq!(find(text, "goto"), Some(3));
    }
}
