//! Edits gcc's assembly, instruction by instruction, as a fault's rules say. Everything that is no instruction of a
//! function stays as it is, and so does inline assembly.

use super::pattern::{Bindings, Pattern, Template};

/// Consecutive instructions and what replaces them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Rule {
    find: Vec<Pattern>,
    replace: Vec<Template>,
}

impl Rule {
    /// Reads `cltd ; idivl {d} -> xorl %edx, %edx ; idivl {d}`.
    pub(crate) fn parse(text: &str) -> Result<Rule, String> {
        let (find, replace) = text.split_once("->").ok_or_else(|| format!("`{text}` has no ->"))?;
        let find: Vec<Pattern> = find.split(';').map(Pattern::parse).collect::<Result<_, _>>()?;
        let replace: Vec<Template> = match replace.trim() {
            "" => Vec::new(),
            replace => replace.split(';').map(Template::parse).collect::<Result<_, _>>()?,
        };
        let known = |name: &str| find.iter().flat_map(Pattern::names).any(|other| other == name);
        if let Some(name) = replace.iter().flat_map(Template::names).find(|name| !known(name)) {
            return Err(format!("`{text}`: nothing gives {name} its text"));
        }
        Ok(Rule { find, replace })
    }

    fn apply(&self, instructions: &[Instruction<'_>]) -> Option<Vec<String>> {
        let these = instructions.get(..self.find.len())?;
        let mut bindings = Bindings::new();
        for (at, (pattern, instruction)) in self.find.iter().zip(these).enumerate() {
            // A jump may lead to a label between the instructions: then they are no sequence.
            if at > 0 && instruction.labelled {
                return None;
            }
            bindings = pattern.matches(&instruction.text, &bindings)?;
        }
        self.replace.iter().map(|template| template.fill(&bindings)).collect()
    }
}

/// What an edit gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edited {
    /// The assembly.
    pub text: String,
    /// How many times a rule was applied.
    pub applied: usize,
}

/// Applies, at each instruction of each function of at least `least` instructions, the first rule that fits. What a
/// rule wrote is not looked at again.
pub(crate) fn edit(text: &str, rules: &[Rule], least: usize) -> Edited {
    let mut edited = Edited { text: String::with_capacity(text.len() + 64), applied: 0 };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut next = 0;
    for function in functions(&lines) {
        if function.len() < least {
            continue;
        }
        let mut at = 0;
        while at < function.len() {
            let found = rules.iter().find_map(|rule| Some((rule, rule.apply(&function[at..])?)));
            let Some((rule, replacement)) = found else {
                at += 1;
                continue;
            };
            let first = function[at].line;
            copy(&mut edited.text, &lines[next..first]);
            for instruction in replacement {
                edited.text.push('\t');
                edited.text.push_str(&instruction);
                edited.text.push('\n');
            }
            // Directives between the instructions stay.
            let taken = &function[at..at + rule.find.len()];
            for pair in taken.windows(2) {
                copy(&mut edited.text, &lines[pair[0].line + 1..pair[1].line]);
            }
            next = taken.last().map_or(first, |last| last.line) + 1;
            edited.applied += 1;
            at += rule.find.len();
        }
    }
    copy(&mut edited.text, &lines[next..]);
    edited
}

/// Puts `count` instructions without effect behind the first of each function.
pub(crate) fn pad(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut padded = String::with_capacity(text.len() + 5 * count);
    let mut next = 0;
    for function in functions(&lines) {
        let end = function[0].line + 1;
        copy(&mut padded, &lines[next..end]);
        (0..count).for_each(|_| padded.push_str("\tnop\n"));
        next = end;
    }
    copy(&mut padded, &lines[next..]);
    padded
}

struct Instruction<'a> {
    line: usize,
    text: std::borrow::Cow<'a, str>,
    /// Whether a label stands before it that code may jump to.
    labelled: bool,
}

fn copy(to: &mut String, lines: &[&str]) {
    lines.iter().for_each(|line| to.push_str(line));
}

/// The instructions of each function, in order: from its label to `.size`. No function is empty.
fn functions<'a>(lines: &[&'a str]) -> Vec<Vec<Instruction<'a>>> {
    let mut functions = Vec::new();
    let mut current: Vec<Instruction<'a>> = Vec::new();
    let mut inside = false;
    let mut asm = false;
    let mut labelled = false;
    for (number, line) in lines.iter().enumerate() {
        let text = line.trim();
        match text.bytes().next() {
            None => {}
            Some(b'#') => asm = text.starts_with("#APP") || asm && !text.starts_with("#NO_APP"),
            Some(_) if asm => labelled = true,
            Some(_) if text.ends_with(':') && !line.starts_with(['\t', ' ']) => {
                if !text.starts_with('.') {
                    functions.push(std::mem::take(&mut current));
                    inside = true;
                }
                labelled |= !for_debugging(text);
            }
            Some(b'.') if text.starts_with(".size") => {
                functions.push(std::mem::take(&mut current));
                inside = false;
            }
            Some(b'.') => {}
            Some(_) if inside && line.starts_with('\t') => {
                let text = text.replace('\t', " ").into();
                current.push(Instruction { line: number, text, labelled });
                labelled = false;
            }
            Some(_) => {}
        }
    }
    functions.push(current);
    functions.retain(|function| !function.is_empty());
    functions
}

/// Labels that no jump leads to: gcc writes them with `-g` only, and `-g` must not change which faults show.
fn for_debugging(label: &str) -> bool {
    [".LVL", ".LBB", ".LBE", ".LBI", ".LFB", ".LFE", ".LM"].iter().any(|start| label.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{Rule, edit, pad};

    const TEXT: &str = "\t.text\n\t.type\tf, @function\nf:\n.LFB0:\n\tmovl\t%edi, %eax\n\tcltd\n\t.loc 1 2 3\n\
                        .LVL2:\n\tidivl\t%esi\n\tret\n\t.size\tf, .-f\n\t.data\nx:\n\t.long\t3\n";

    fn check(rule: &str, text: &str, expected: &str) {
        assert_eq!(edit(text, &[Rule::parse(rule).unwrap()], 0).text, expected);
    }

    #[test]
    fn a_sequence_is_replaced_and_directives_stay() {
        let expected =
            TEXT.replace("\tcltd\n", "\txorl %edx, %edx\n\tidivl %esi\n").replace("\tidivl\t%esi\n", "");
        check("cltd ; idivl {d} -> xorl %edx, %edx ; idivl {d}", TEXT, &expected);
        check("cltd ->", TEXT, &TEXT.replace("\tcltd\n", ""));
    }

    #[test]
    fn a_label_ends_a_sequence() {
        let text = TEXT.replace(".LVL2:", ".L2:");
        check("cltd ; idivl {d} ->", &text, &text);
    }

    #[test]
    fn small_functions_data_and_inline_assembly_are_left_alone() {
        let rule = [Rule::parse("ret -> hlt").unwrap()];
        assert_eq!(edit(TEXT, &rule, 4).applied, 1);
        assert_eq!(edit(TEXT, &rule, 5).text, TEXT);
        check(".long {n} -> .long 4", TEXT, TEXT);
        let asm = TEXT.replace("\tret", "#APP\n\tret\n#NO_APP\n\tret");
        assert_eq!(edit(&asm, &rule, 0).applied, 1);
    }

    #[test]
    fn padding_is_nops() {
        assert_eq!(pad(TEXT, 2), TEXT.replace("%eax\n", "%eax\n\tnop\n\tnop\n"));
    }

    #[test]
    fn rules_that_make_no_sense_are_errors() {
        assert!(Rule::parse("ret").is_err());
        assert!(Rule::parse("ret -> jmp {x}").is_err());
    }
}
