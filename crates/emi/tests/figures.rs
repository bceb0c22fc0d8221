//! The paper's figures 1 and 2.

mod common;

use common::TARGET;
use howler_case::{End, Input};
use howler_choices::Choices;
use howler_choices::record::Record;
use howler_emi::seed::read;
use howler_emi::{Options, Subject};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{StmtId, StmtKind};
use howler_machine::Machine;

/// A program with all its points looked at.
fn subject(text: &str) -> Subject {
    let program = read(&[("figure.c", text)], TARGET).expect("it is C");
    let options = Options { probability: 100, ..Options::default() };
    Subject::new(program, vec![Input::NOTHING], &options, &mut Choices::new(1), &Machine::default())
        .expect("it is defined")
}

fn point(subject: &Subject, wanted: impl Fn(&StmtKind) -> bool) -> StmtId {
    let program = subject.program();
    let found: Vec<StmtId> =
        subject.points().iter().copied().filter(|&at| wanted(&program.stmts[at].kind)).collect();
    assert_eq!(found.len(), 1, "one such statement");
    found[0]
}

/// Without blanks and braces, which are a matter of taste.
fn bare(subject: &Subject) -> String {
    let text = unit(subject.program(), 0, &PrintOptions::default());
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '{' | '}')).collect()
}

/// Figure 1 without its lines 10 to 13, which leave the body empty.
const FIRST: &str = "int a;
int main () {
    int b = -1, d, e = 0, f[2] = { 0 };
    unsigned short c = b;
    for (; e < 3; e++)
        for (d = 0; d < 2; d++)
            ;
    return 0;
}
";

/// The decisions that make lines 10 to 13, by name: a condition of one atom over `a` and its least value, then a loop over
/// `d` up to 2, an element of `f` by `c`, and `break`.
const SCRIPT: &[(&str, u32)] = &[
    ("predicate depth", 0),
    ("atom", 9),
    ("variable", 0),
    ("distance", 0),
    ("distance", 0),
    ("gap", 0),
    ("relation", 3),
    ("loop", 0),
    ("statements", 0),
    ("statement", 2),
    ("object", 3),
    ("from", 1),
    ("variable", 0),
    ("number", 5),
    ("statements", 0),
    ("statement", 0),
    ("expression", 7),
    ("variable", 1),
    ("object", 1),
    ("index", 0),
    ("index variable", 1),
    ("statements", 0),
    ("statement", 5),
    ("else", 0),
];

#[test]
fn a_script_of_choices_makes_the_lines_of_figure_1() {
    let mut subject = subject(FIRST);
    let at = point(&subject, |kind| matches!(kind, StmtKind::Empty));
    let mut text = "decisions of seed 1, format 1\n".to_owned();
    for (name, value) in SCRIPT {
        text.push_str(&format!("{value}/99\t/\t{name}\n"));
    }
    let record: Record = text.parse().expect("a record");
    let mut choices = Choices::replay(&record);
    assert!(subject.change_at("fcb", at, &Options::default(), &mut choices));
    let text = bare(&subject);
    assert!(text.contains("if(a<0)for(d=0;d<2;d++)if(f[c])break;;return0;"), "{text}");
    assert_eq!(choices.unused(), 0);
    // What was known is what line 9 says.
    let known = &subject.mutations()[0].known;
    assert!(known.starts_with("a=0, b=-1, d={0..1}, e={0..2}, f[0]=0, f[1]=0, c=65535"), "{known}");
    assert_eq!(subject.mutations()[0].visits, 6);
    let judged = subject.judge_again(&Options::default(), &mut Choices::new(1), &Machine::default());
    assert_eq!(judged.expect("it does the same").behaviours()[0].end, End::Exit(0));
}

const SECOND: &str = "extern void abort();
char a;
int b, c = 9, d, e;
void fn1() {
    unsigned f = 1;
    int g = 8, h = 5;
    for (; a != 6; a--) {
        int *i = &h, *j;
        for (;;) {
            // INSERTED
            if (d <= 8)
                break;
            *i = 0;
            for (; *j <= 0;)
                ;
        }
    }
}
int main() {
    fn1();
    return 0;
}
";

const INSERTED: &str = "int k = e;
            int l = -1;
            if (g && h) {
                k = g;
                l = f;
                f = -(~(c && b) | ~(e * ~l));
                if (c < f)
                    abort();
            }
            g = k;
            f = l;
";

#[test]
fn figure_2_is_defined() {
    let whole = SECOND.replace("// INSERTED", INSERTED);
    let (seed, variant) = (subject(SECOND), subject(&whole));
    assert_eq!(seed.behaviours(), variant.behaviours());
}

/// What the paper reduced was a block like this one, over the same variables.
#[test]
fn figure_6_makes_a_block_over_the_variables_of_figure_2() {
    let mut over_both = 0;
    for number in 0..200 {
        let mut subject = subject(SECOND);
        let is_exit = |kind: &StmtKind| matches!(kind, StmtKind::If { .. });
        let at = point(&subject, is_exit);
        let mut choices = Choices::new(number);
        if !subject.change_at("tcb", at, &Options::default(), &mut choices) {
            continue;
        }
        let text = bare(&subject);
        if !(text.contains("g=backup_") && text.contains("f=backup_")) {
            continue;
        }
        over_both += 1;
        assert!(text.contains("=g;") && text.contains("=f;"), "{text}");
        let judged = subject.judge_again(&Options::default(), &mut choices, &Machine::default());
        assert!(judged.is_ok(), "{text}");
        if over_both == 5 {
            return;
        }
    }
    panic!("{over_both} blocks over g and f");
}
