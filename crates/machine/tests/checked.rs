//! Checked runs (`RunOptions::checked`) say what plain ones say: no short way (registers, machine words, plain bytes)
//! changes a verdict. Statement expressions in every position, and real programs before and after `compact`.

use howler_case::behaviour::VolatileAccess;
use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::edit;
use howler_lang::program::Program;
use howler_lang::target::{Std, Target};
use howler_machine::outcome::Outcome;
use howler_machine::{Limits, Order, RunOptions, RunReport, run};
use howler_testkit::{preprocessed, tool};
use std::collections::BTreeMap;

/// Which of the files are read in the short version.
const EVERY: usize = 20;
/// A fraction of what a hunt allows: some programs of the corpora run for long.
const STEPS: u64 = 5_000_000;

fn read(source: &str) -> Option<Program> {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "test.c", source.into(), &Options::default());
    let taken = report.diagnostics.iter().all(|said| said.severity < Severity::Unsupported);
    taken.then_some(program)
}

fn runs(program: &Program, order: Order, checked: bool) -> Option<RunReport> {
    let mut program = program.clone();
    if howler_lang::link::link(&mut program).iter().any(|said| said.severity >= Severity::Unsupported) {
        return None;
    }
    // A checked run takes more steps for the same.
    let limits = Limits { steps: if checked { 2 * STEPS } else { STEPS }, ..Limits::default() };
    Some(run(&program, &RunOptions { checked, order, limits, ..RunOptions::default() }))
}

/// The verdict: everything that a judgement is made from, but steps and places in messages.
#[derive(PartialEq, Debug)]
struct Verdict {
    outcome: String,
    output: Vec<u8>,
    errors: Vec<u8>,
    open: String,
    caveats: String,
    /// Where each access goes, and with which value where the trace can be compared: others may be addresses.
    trace: Vec<(String, u32, u32, bool, Option<u128>)>,
    conflicts: u64,
}

impl Verdict {
    fn of(report: &RunReport, program: &Program) -> Verdict {
        let outcome = match &report.outcome {
            // A plain run meets what was never set where it is used, a checked one where it is read.
            Outcome::Ub(ub) => {
                format!("{:?} in {:?}", ub.kind, program.sources.place(ub.pos).map(|place| place.line))
            }
            other => format!("{other:?}"),
        };
        let access = |access: &VolatileAccess| {
            let value = (!report.trace_open).then_some(access.value);
            (access.object.clone(), access.offset, access.size, access.write, value)
        };
        Verdict {
            outcome,
            output: report.output.clone(),
            errors: report.errors.clone(),
            open: format!("{:?}", report.open),
            caveats: format!("{:?}", report.caveats),
            trace: report.trace.iter().map(access).collect(),
            conflicts: report.order_conflicts,
        }
    }
}

fn is_limit(report: &RunReport) -> bool {
    matches!(report.outcome, Outcome::Limit(_))
}

/// Where an expression of type int can stand; `S` is the statement expression.
const POSITIONS: &[&str] = &[
    "S;",
    "(void)S;",
    "x = S;",
    "y = S + x;",
    "y = x + S;",
    "y = S - S;",
    "y = S * 2 / 3 % 5;",
    "y = S << 1 >> 1;",
    "y = S & 7 | S ^ 3;",
    "y = S < 3;",
    "y = S == x;",
    "y = S && x;",
    "y = x && S;",
    "y = S || S;",
    "y = !S;",
    "y = ~S;",
    "y = -S;",
    "y = S ? 1 : 2;",
    "y = x ? S : 2;",
    "y = x ? 2 : S;",
    "y = S ?: 4;",
    "y = (S, x);",
    "y = (x, S);",
    "y += S;",
    "y -= x + S;",
    "g += S;",
    "v += S;",
    "b.f = S;",
    "b.f += S;",
    "y = (char)S;",
    "r = S;",
    "r = r * S;",
    "y = a[S & 3];",
    "y = (S & 3)[a];",
    "a[S & 3] = x;",
    "a[x & 3] = S;",
    "a[S & 3] += S;",
    "y = *(p + (S & 1));",
    "p += S & 1; y = p[-1 + 1];",
    "y = p - &a[S & 3];",
    "y = f(S);",
    "y = two(S, x);",
    "y = two(x, S);",
    "y = two(S, S);",
    "y = (S, f)(x);",
    "y = (S ? f : f)(x);",
    "y = f(f(S));",
    "printf(\"%d\\n\", S);",
    "y = (struct s){ S, x }.m;",
    "y = ((struct s){ x, S }).n;",
    "y = ((int[]){ S, 2, S })[1];",
    "s = (struct s){ .n = S }; y = s.n;",
    "s = ({ S; s; }); y = s.m;",
    "y = ({ (void)S; s; }).m;",
    "int i = S; y = i;",
    "int i[3] = { S, x, S }; y = i[0];",
    "struct s i = { S, S }; y = i.m;",
    "struct s i[2] = { [1] = { .n = S } }; y = i[1].n;",
    "int i[(S & 3) + 1]; i[0] = 1; y = i[0];",
    "y = sizeof(int[(S & 3) + 1]);",
    "int (*i)[(S & 3) + 1] = 0; y = sizeof *i;",
    "typedef int t[(S & 3) + 1]; t i; i[0] = x; y = i[0];",
    "y = sizeof S;",
    "if (S) y = 1;",
    "if (x) y = S; else y = 3;",
    "while (S > 100) break;",
    "do y++; while (S > 100);",
    "for (int i = S; i < 5; i++) y += i;",
    "for (int i = 0; i < (S & 3); i++) y += i;",
    "for (int i = 0; i < 5; i += (S & 1) + 1) y += i;",
    "switch (S) { case 3: y = 1; break; default: y = 2; }",
    "switch (x) { case 3: y = S; break; default: y = S + 1; }",
    "return S & 1;",
    "y = __builtin_expect(S, 1);",
    "y = __builtin_choose_expr(1, S, x);",
    "y = _Generic(S, int: S, default: 0);",
    "y = __builtin_popcount(S);",
    "y = ({ int i = S; i + S; });",
    "y = ({ ({ S; }) + ({ x; }); });",
    "goto *(S ? &&end : &&end);",
    "__asm__(\"\" : \"+r\"(y) : \"r\"(S));",
    "z = S + 1.0fi; y = __real__ z;",
    "w = w + S; y = w[0];",
];

/// What stands in a statement expression: defined, with effects, with jumps, and undefined.
const BODIES: &[&str] = &[
    "({ 3; })",
    "({ int t = x; t + 1; })",
    "({ x++; x; })",
    "({ int t = 0; for (int j = 0; j < 3; j++) { if (j == 2) continue; t += j; } t; })",
    "({ int t; if (g) t = f(2); else t = 1; t; })",
    "({ g++; f(x); })",
    "({ g = y; y = g; g; })",
    "({ int t[2] = { x, 2 }; int *q = t; q[1]; })",
    "({ struct s t = { x, 2 }; t.m += t.n; t.m; })",
    "({ v = v + 1; v; })",
    "({ printf(\"in\\n\"); 1; })",
    "({ int t; t; })",
    "({ int t = 2147483647; t + x; })",
    "({ int t[2] = { 1, 2 }; t[x + 1]; })",
    "({ x = y = x; x; })",
];

fn program(position: &str, body: &str) -> String {
    format!(
        "int printf(const char *, ...);\n\
         struct s {{ int m, n; }}; struct {{ int f : 5; }} b; int g = 1; volatile int v;\n\
         typedef int w4 __attribute__((vector_size(16)));\n\
         int f(int n) {{ g = g + n; return n & 3; }}\n\
         int two(int m, int n) {{ return m - n; }}\n\
         int main(void) {{\n\
             int x = 1, y = 2, a[8] = {{ 1, 2, 3, 4 }}, *p = a; double r = 1; struct s s = {{ 1, 2 }};\n\
             _Complex float z = 0; w4 w = {{ 1, 2, 3, 4 }};\n\
             {{ {} }}\n\
             end: printf(\"%d %d %d %d %d %d %g\\n\", x, y, g, a[0], a[1], b.f, r);\n\
             return s.m + (p != a) + (int)(__real__ z) + w[0] != 1 && 0;\n\
         }}\n",
        position.replace('S', body)
    )
}

#[test]
fn statement_expressions_mean_the_same_in_every_position() {
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let (mut count, mut wrong) = (0, 0);
    for position in POSITIONS {
        let mut taken = 0;
        for body in BODIES {
            let text = program(position, body);
            // An expression of a struct type is no operand of some of them.
            let Some(program) = read(&text) else { continue };
            taken += 1;
            for order in [Order::LeftToRight, Order::RightToLeft] {
                let plain = runs(&program, order, false).expect("it links");
                let checked = runs(&program, order, true).expect("it links");
                let (plain_verdict, checked_verdict) =
                    (Verdict::of(&plain, &program), Verdict::of(&checked, &program));
                if plain_verdict != checked_verdict {
                    wrong += 1;
                    println!(
                        "{position} with {body}, {order:?}:\n  {plain_verdict:?}\n  {checked_verdict:?}"
                    );
                }
                let kind = match &plain.outcome {
                    Outcome::Exit(_) => "exit".to_owned(),
                    Outcome::Ub(ub) => ub.kind.code().to_owned(),
                    Outcome::Unsupported(what) => format!("unsupported: {}", what.what),
                    other => panic!("{other:?}\n{text}"),
                };
                *kinds.entry(kind).or_default() += 1;
                count += 1;
            }
        }
        assert!(taken > 0, "{position} is never taken");
    }
    println!("{count} pairs of runs: {kinds:?}");
    let of = |kind: &str| kinds.get(kind).copied().unwrap_or(0);
    assert_eq!(wrong, 0);
    assert!(of("exit") > count / 2 && of("uninit") > 50 && of("overflow-add") > 50 && of("unsequenced") > 5);
}

#[test]
fn real_programs_mean_the_same_before_and_after_compact() {
    let Some(gcc) = tool("gcc-12") else { return };
    let Some(files) = howler_testkit::programs(EVERY) else { return };
    let (mut programs, mut limits, mut dropped, mut wrong) = (0, 0, 0, 0);
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        let Some(mut program) = read(&preprocessed(&gcc, &file)) else { continue };
        let order = Order::LeftToRight;
        let Some(first) = runs(&program, order, false) else { continue };
        programs += 1;
        let nodes = |program: &Program| program.exprs.len() + program.stmts.len();
        let mut reports = vec![runs(&program, order, true).expect("it linked before")];
        let before = nodes(&program);
        edit::compact(&mut program);
        dropped += before - nodes(&program);
        for checked in [false, true] {
            reports.push(runs(&program, order, checked).expect("nothing that is reached was dropped"));
        }
        if is_limit(&first) || reports.iter().any(is_limit) {
            limits += 1;
            continue;
        }
        *ends
            .entry(match first.outcome {
                Outcome::Exit(_) | Outcome::Abort => "ended",
                Outcome::Ub(_) => "undefined",
                _ => "unsupported",
            })
            .or_default() += 1;
        let expected = Verdict::of(&first, &program);
        for (report, what) in reports.iter().zip(["checked", "compact", "compact and checked"]) {
            let found = Verdict::of(report, &program);
            if found != expected {
                wrong += 1;
                let mut said = format!("{}: {what}: {expected:?} became {found:?}", file.display());
                said.truncate(2000);
                println!("{said}");
            }
        }
    }
    println!("{programs} programs, {limits} at a limit, {ends:?}, {dropped} nodes dropped, {wrong} differ");
    assert!(wrong == 0 && programs > 20 && limits < programs / 4);
}

#[test]
fn an_address_in_the_volatile_trace_cannot_be_compared() {
    let traced = |text: &str| {
        let program = read(text).expect("it is taken");
        let report = runs(&program, Order::LeftToRight, false).expect("it links");
        (report.trace.len(), report.trace_open)
    };
    assert_eq!(traced("int x; int *volatile p; int main(void) { p = &x; return p != &x; }"), (2, true));
    assert_eq!(traced("int x; int *volatile p; int main(void) { p = 0; return p == &x; }"), (2, false));
    assert_eq!(traced("volatile int n; int main(void) { n = 3; return n - 3; }"), (2, false));
}
