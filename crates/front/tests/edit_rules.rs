//! Small edits that would make a program which compilers refuse, each beside one that would not.

use howler_front::{Options, parse};
use howler_lang::build;
use howler_lang::dump;
use howler_lang::edit::{self, Edit, Edited, Fragment, Operand, Refused, Renaming};
use howler_lang::print::{PrintOptions, expression, unit};
use howler_lang::program::{ExprId, ObjId, Program, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::target::{Std, Target};
use howler_lang::verify;
use howler_lang::visit::Reached;
use howler_testkit::{Scratch, run, tool};
use std::path::PathBuf;

/// What is done, by the lines of the text that statements begin on, from 1.
#[derive(Clone, Copy, Debug)]
enum Do {
    Remove(u32),
    /// A copy of one before another.
    Copy(u32, u32),
    /// The same, with one object for another.
    Rename(u32, u32, &'static str, &'static str),
    /// A copy of one instead of another.
    Instead(u32, u32),
    Wrap(u32, u32),
    Outline(u32, u32),
    /// An item of the unit, from 0.
    Item(usize),
    /// Calls of one function go to another.
    Redirect(&'static str, &'static str),
    /// A copy of an expression instead of another, as they are printed.
    Expr(&'static str, &'static str),
    /// The name of an object instead of an expression.
    Object(&'static str, &'static str),
}

/// The text, what is taken, what is refused.
struct Row {
    text: &'static str,
    made: &'static [Do],
    refused: &'static [Do],
}

const ROWS: &[Row] = &[
    // The bound of an array is of the function that evaluates it.
    Row {
        text: "int n = 3; int f(void) {
            int a[n];
            typedef __typeof__(a) T;
            T b;
            __typeof__(a) c;
            return b[0] = a[0] = c[0] = 1; }
        int g(void) {
            int d = 1;
            return d; }",
        made: &[Do::Copy(3, 6), Do::Copy(4, 6), Do::Copy(5, 6), Do::Copy(2, 9), Do::Copy(8, 6)],
        refused: &[Do::Copy(3, 9), Do::Copy(4, 9), Do::Copy(5, 9)],
    },
    // Into the scope of a variable length array.
    Row {
        text: "int f(int n) {
            if (n) goto out;
            n = 1;
            {
                int a[n];
                a[0] = 1;
            }
            out: n = 4;
            return n; }",
        made: &[Do::Copy(5, 6), Do::Copy(5, 2), Do::Copy(4, 4), Do::Wrap(2, 8)],
        refused: &[Do::Copy(5, 3), Do::Copy(5, 4), Do::Copy(5, 8), Do::Remove(8), Do::Wrap(5, 5)],
    },
    Row {
        text: "int f(int n) {
            switch (n) {
                n = 1;
            case 1: n = 2;
                break;
            default: n = 3;
            }
            {
                int a[n];
                a[0] = 1;
            }
            return n; }",
        made: &[Do::Copy(9, 2), Do::Copy(8, 5), Do::Copy(8, 3)],
        refused: &[Do::Copy(9, 3), Do::Copy(9, 5)],
    },
    // Out of a statement expression, not into it.
    Row {
        text: "int f(int n) {
            n = ({
                if (n == 1) goto out;
                if (n == 2) goto in;
                in: n = 2;
                n; });
            out: n = 4;
            return n; }",
        made: &[Do::Copy(3, 2), Do::Copy(3, 4), Do::Instead(3, 4)],
        refused: &[Do::Copy(4, 2), Do::Instead(4, 7), Do::Outline(2, 2)],
    },
    // In the condition of a loop.
    Row {
        text: "int f(int n) {
            while (({
                n--;
                n; })) {
                if (n == 3)
                    break;
                n--;
            }
            return n; }",
        made: &[Do::Copy(6, 7)],
        refused: &[Do::Copy(6, 3), Do::Copy(5, 3)],
    },
    // A label of a block hides that of the function.
    Row {
        text: "int f(int n) {
            {
                __label__ out;
                n = 2;
                if (n) goto out;
                n = 3;
                out: n = 4;
            }
            if (n) goto out;
            out: n = 5;
            return n; }",
        made: &[Do::Copy(4, 9)],
        refused: &[Do::Copy(9, 4), Do::Copy(5, 9)],
    },
    // What is set before the program runs.
    Row {
        text: "static int a, b = 3; static const int c = 4;
            int f(int n, int m) {
                static int *p = &a;
                static int q = sizeof n;
                static int *r[2] = { &a, &b };
                *p = m;
                return *p + q + *r[0]; }",
        made: &[Do::Rename(3, 6, "a", "b"), Do::Rename(4, 6, "n", "m"), Do::Rename(5, 6, "a", "b")],
        refused: &[Do::Rename(3, 6, "a", "n"), Do::Rename(5, 6, "b", "m")],
    },
    // Nothing is constant before it is initialised, and a value that its type does not have is so to gcc alone.
    Row {
        text: "static const long a = 3; int f(int n) {
                static const long b = a;
                static short c[1] = { (int)1e4 };
                static double d = 1e20;
                n = 2;
                return b + c[0] + d; }",
        made: &[Do::Copy(2, 5), Do::Copy(3, 5)],
        refused: &[],
    },
    // A value that gcc reads from a constant object.
    Row {
        text: "static const int c = 4; static int d = c; int *p = (int[]){ 1, 2 };
            int f(void) { return d; }",
        made: &[Do::Item(2)],
        refused: &[Do::Item(0), Do::Item(1)],
    },
    // Nothing instead of a value.
    Row {
        text: "int f(int n) {
            n = 1;
            return n; }
            void g(void) {
            return; }",
        made: &[Do::Copy(3, 2)],
        refused: &[Do::Copy(5, 2), Do::Instead(5, 3)],
    },
    // `goto *` needs a label.
    Row {
        text: "void f(int n) {
            void *to = &&out;
            n = 1;
            goto *to;
            out: n = 2; }
            void g(int n) {
            void *to = 0;
            n = 1; }",
        made: &[Do::Copy(4, 3)],
        refused: &[Do::Rename(4, 8, "to", "to")],
    },
    // clang lets no jump go around `cleanup`.
    Row {
        text: "void done(int *p); int f(int n) {
            if (n) goto out;
            n = 1;
            out: n = 2;
            {
                int a __attribute__((cleanup(done)));
                a = 1;
            }
            return n; }",
        made: &[Do::Copy(6, 2)],
        refused: &[Do::Copy(6, 3)],
    },
    // The type of a use is that of the declarations before it.
    Row {
        text: "extern int a[];
            int f(void) {
                a[1] = 2;
                return a[0]; }
            int a[4];
            int g(void) {
                int x;
                x = sizeof a;
                a[2] = 2;
                return x; }",
        made: &[Do::Copy(3, 4), Do::Copy(9, 8), Do::Copy(8, 9)],
        refused: &[Do::Copy(8, 4), Do::Instead(8, 3)],
    },
    Row {
        text: "int f();
            int g(void) {
                f(1);
                return f(); }
            int f(int);
            int h(void) {
                f(2);
                return 3; }",
        made: &[Do::Copy(7, 8), Do::Copy(3, 4)],
        refused: &[Do::Copy(4, 7)],
    },
    // A typedef that has a bound is a name.
    Row {
        text: "int f(int n) {
            int y = 0;
            {
                typedef int row[n];
                row a;
                a[0] = 1;
                y = sizeof(row) + a[0];
            }
            return y; }",
        made: &[Do::Copy(5, 6), Do::Copy(7, 6), Do::Copy(3, 3)],
        refused: &[Do::Copy(5, 3), Do::Copy(7, 9), Do::Remove(4), Do::Copy(5, 9)],
    },
    // What is static stays so.
    Row {
        text: "static int a; extern int a; static int f(void); int f(void) { return a; }
            int g(void) { return f(); }",
        made: &[Do::Item(0), Do::Item(1), Do::Item(2), Do::Item(3), Do::Item(4)],
        refused: &[],
    },
    // A type that is known has its members from somewhere.
    Row {
        text: "struct s { int x; }; struct t { int y; }; struct s *p;
            int f(void) {
                struct u { int z; };
                struct u *q;
                q = 0;
                return p != 0; }",
        made: &[Do::Item(1), Do::Remove(5), Do::Copy(3, 6)],
        refused: &[Do::Item(0), Do::Remove(3)],
    },
    // An array has no length in its own initialiser.
    Row {
        text: "extern unsigned long a[]; int f(void) {
                return a[0]; }
            unsigned long a[] = { 1 };
            int g(int n) {
                static void *l[] = { &l, &&end };
                n = sizeof a;
                n = sizeof l;
                goto *l[1];
            end:
                return n; }",
        made: &[Do::Copy(6, 7), Do::Copy(7, 8), Do::Copy(5, 6)],
        refused: &[Do::Copy(6, 2)],
    },
    // clang wants some arguments to be constant.
    Row {
        text: "void *f(int n) {
                void *p;
                p = __builtin_return_address(0);
                p = __builtin_frame_address(0);
                n++;
                return p; }",
        made: &[Do::Copy(3, 5)],
        refused: &[],
    },
    // What a function is, its callers must know.
    Row {
        text: "int f(int x) { return x; } int g(int x) { return x + 1; } int l(long x) { return 2; }
            int h(int n) {
                n = f(n);
                return n; }
            static int late(int x) { return x; }",
        made: &[Do::Redirect("f", "g"), Do::Outline(3, 3)],
        refused: &[Do::Redirect("f", "late"), Do::Redirect("f", "l"), Do::Outline(3, 4)],
    },
    // Memory that is the caller's.
    Row {
        text: "void *alloca(unsigned long); int h(int n) {
                int *p = 0;
                p = alloca(4);
                p = __builtin_alloca(4);
                p = __builtin_frame_address(0);
                *p = n;
                return *p; }",
        made: &[Do::Outline(6, 6)],
        refused: &[Do::Outline(3, 3), Do::Outline(4, 4), Do::Outline(5, 6)],
    },
    // clang compares arguments with the parameters of a definition even without a prototype.
    Row {
        text: "int f(a, p, g) int a; char *p; int (*g)(); { return a + *p + g(); }
            struct s { int m; }; int h() { return 1; }
            int k(char *q, struct s s) { return f(1, q, h) + s.m + 2; }",
        made: &[Do::Expr("1", "2"), Do::Expr("1", "s.m")],
        refused: &[
            Do::Object("1", "s"),
            Do::Object("1", "q"),
            Do::Expr("q", "2"),
            Do::Object("q", "s"),
            Do::Object("h", "q"),
        ],
    },
    // Something can be an enumeration only after it was defined.
    Row {
        text: "int f(int x) {
            x++;
            enum e { A };
            x = (enum e)1;
            return x; }",
        made: &[Do::Copy(4, 5)],
        refused: &[Do::Copy(4, 2), Do::Expr("x++", "(enum e)1")],
    },
    // A label that a block declares is placed in it, and declared once.
    Row {
        text: "int f(int n) {
            {
                __label__ out;
                if (n) goto out;
                n++;
                out: n--;
            }
            {
                n++;
            }
            return n; }",
        made: &[Do::Copy(2, 2), Do::Copy(2, 9)],
        refused: &[Do::Copy(3, 3), Do::Copy(3, 9), Do::Copy(3, 2)],
    },
    // A block that declares `extern` what is outside has that name, and nothing else can have it.
    Row {
        text: "int x = 1; int f(int n, int y) {
            {
                extern int x;
                n += x;
            }
            {
                char x = 2;
                n += x;
            }
            return n + y; }",
        made: &[Do::Copy(2, 10), Do::Copy(2, 7), Do::Rename(2, 10, "y", "n")],
        refused: &[Do::Copy(3, 7), Do::Rename(2, 10, "x", "y"), Do::Rename(2, 10, "x", "n")],
    },
    // What only gcc computes, and what only a function has.
    Row {
        text: "int abs(int); unsigned char c = 255, d = 7; int f(int x) {
            return abs(4) + x + __func__[0]; }",
        made: &[Do::Expr("255", "4")],
        refused: &[Do::Expr("255", "abs(4)"), Do::Expr("7", "__func__[0]")],
    },
    // A bound belongs to what is declared with it first.
    Row {
        text: "int f(int n, int m[n][n]) {
            int a[n];
            typedef __typeof__(a) t;
            t b;
            __typeof__(m) p;
            __typeof__(&a) q = &a;
            p = m;
            b[0] = (*q)[0] = n;
            return b[0] + p[0][0]; }",
        made: &[
            Do::Copy(2, 4),
            Do::Copy(2, 9),
            Do::Copy(3, 5),
            Do::Copy(4, 9),
            Do::Copy(5, 9),
            Do::Copy(6, 9),
            Do::Copy(7, 9),
        ],
        refused: &[Do::Copy(4, 2), Do::Copy(6, 2)],
    },
    // A compound literal lives as long as what it stands in, and an imaginary constant is not its number.
    Row {
        text: "struct p { int x; }; struct p *g = &(struct p){3}; int *h = 0; double d = 4; int f(struct p *q, int n) {
            int *r = &(int){5};
            r = &(int){n};
            return q->x + *r + __imag__ 2.0i; }",
        made: &[Do::Expr("q", "&(struct p){3}"), Do::Expr("4", "2.0")],
        refused: &[Do::Expr("0", "&(int){n}"), Do::Expr("0", "&(int){5}")],
    },
    // An array gets its one element at the end of the file.
    Row {
        text: "int a[], b[2]; int *f(int *p) {
            return p; }",
        made: &[Do::Object("p", "b")],
        refused: &[Do::Object("p", "a")],
    },
];

fn read(text: &str) -> Program {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    let report = parse(&mut program, "a.c", text.into(), &Options::default());
    assert!(report.unit.is_some(), "{text}: {:?}", report.diagnostics);
    assert_eq!(verify::program(&program), [], "{text}");
    program
}

/// The outermost statement that begins on a line.
fn at(program: &Program, line: u32) -> StmtId {
    let reached = Reached::of(program);
    let on_line = program.stmts.iter().filter(|(s, stmt)| {
        reached.stmt(*s) && program.sources.place(stmt.pos).is_some_and(|place| place.line == line)
    });
    on_line.map(|(s, _)| s).min().unwrap_or_else(|| panic!("a statement begins on line {line}"))
}

fn object(program: &Program, name: &str) -> ObjId {
    let is = |known| program.name(known) == name;
    program.objects.iter().find(|(_, object)| object.name.is_some_and(is)).expect("the text has it").0
}

fn function(program: &Program, name: &str) -> howler_lang::program::FuncId {
    program.funcs.iter().find(|(_, func)| program.name(func.name) == name).expect("the text has it").0
}

fn make(program: &mut Program, what: Do) -> Result<(), Refused> {
    let stmt = |line| at(program, line);
    match what {
        Do::Remove(line) => {
            let s = stmt(line);
            edit::attempt(program, |change| change.remove(s))
        }
        Do::Copy(from, to) | Do::Rename(from, to, ..) => {
            let (from, to) = (stmt(from), stmt(to));
            let mut renaming = Renaming::default();
            if let Do::Rename(_, _, old, new) = what {
                renaming.insert(object(program, old), object(program, new));
            }
            edit::attempt(program, |change| {
                let copy = change.copy(&[from], &renaming)?;
                change.insert_before(to, &copy)
            })
        }
        Do::Instead(from, to) => {
            let (from, to) = (stmt(from), stmt(to));
            edit::attempt(program, |change| {
                let copy = change.copy(&[from], &Renaming::default())?;
                change.replace(to, &copy)
            })
        }
        Do::Wrap(from, to) => {
            let (from, to) = (stmt(from), stmt(to));
            edit::attempt(program, |change| change.wrap(from, to).map(|_| ()))
        }
        Do::Outline(from, to) => {
            let (from, to) = (stmt(from), stmt(to));
            edit::attempt(program, |change| change.outline(from, to).map(|_| ()))
        }
        Do::Item(index) => edit::attempt(program, |change| change.remove_item(0, index)),
        Do::Redirect(from, to) => {
            let (from, to) = (function(program, from), function(program, to));
            edit::attempt(program, |change| change.redirect(from, to))
        }
        Do::Expr(old, new) => {
            let (old, new) = (printed(program, old), printed(program, new));
            edit::attempt(program, |change| {
                let copy = change.copy_expr(new, &Renaming::default())?;
                change.replace_expr(old, copy)
            })
        }
        Do::Object(old, name) => {
            let (old, object) = (printed(program, old), object(program, name));
            edit::attempt(program, |change| {
                let new = build::object(&mut change.cx(), object, Pos::NONE);
                change.replace_expr(old, new)
            })
        }
    }
}

/// The last expression that is printed like this.
fn printed(program: &Program, text: &str) -> ExprId {
    let reached = Reached::of(program);
    let alike = |e: &ExprId| reached.expr(*e) && expression(program, *e) == text;
    program.exprs.ids().filter(alike).last().unwrap_or_else(|| panic!("the text has {text}"))
}

/// clang takes 256 brackets of a kind in each other, and not one more.
#[test]
fn brackets_are_not_nested_deeper_than_clang_takes() {
    let text = "int f(int x) { int a[1]; a[0] = x; return x; }";
    let seed = read(text);
    let assignment = seed.stmts.ids().find(|&s| matches!(seed.stmts[s].kind, StmtKind::Expr(_))).unwrap();
    // Blocks in blocks.
    let mut blocks = Edited::new(seed.clone());
    let wrap = Edit::Wrap { first: blocks.stmt(assignment), last: blocks.stmt(assignment) };
    let deepest = (1..).find(|_| blocks.apply(wrap.clone()).is_err()).unwrap();
    assert_eq!(deepest, 256, "one is the function's own");
    // `x - (x - (x - x))`, and `a[a[a[0]]]`.
    let code = |text: String| text.parse().unwrap();
    let less = |count: usize| code(format!("{}obj:o0{}", "obj:o0 ".repeat(count), " -".repeat(count)));
    let indexed =
        |count: usize| code(format!("{}int:0:d:int{}", "obj:o1 ".repeat(count), " index".repeat(count)));
    let value = printed(&seed, "x");
    let replaced = |with: Fragment| {
        let mut edited = Edited::new(seed.clone());
        let at = edited.expr(value);
        let done = edited.apply(Edit::Replace { at, with: Operand::Code(with) });
        (done.is_ok(), unit(edited.program(), 0, &PrintOptions::default()))
    };
    let mut texts = vec![(true, unit(blocks.program(), 0, &PrintOptions::default()))];
    texts.extend([257, 258].map(|count| replaced(less(count))));
    texts.extend([256, 257].map(|count| replaced(indexed(count))));
    assert_eq!(texts.iter().map(|(made, _)| *made).collect::<Vec<_>>(), [true, true, false, true, false]);
    let scratch = Scratch::new();
    let Some(clang) = tool("clang-16") else { return };
    let takes = |text: &str| {
        let file = scratch.folder().join("deep.c");
        std::fs::write(&file, text).unwrap();
        let args = ["-w", "-fsyntax-only", file.to_str().unwrap()];
        run(&clang, args, &howler_testkit::Options::default()).success()
    };
    assert!(texts.iter().all(|(_, text)| takes(text)));
    assert!(!takes(&format!("int f(int x) {{ return {}x{}; }}", "-(".repeat(257), ")".repeat(257))));
    // A seed that has them may be edited.
    let deep = read(&format!("int f(int x) {{ x++; return {}x{}; }}", "-(".repeat(300), ")".repeat(300)));
    let mut deep = Edited::new(deep);
    let first =
        deep.program().stmts.ids().find(|&s| matches!(deep.program().stmts[s].kind, StmtKind::Expr(_)));
    deep.apply(Edit::Wrap { first: deep.stmt(first.unwrap()), last: deep.stmt(first.unwrap()) }).unwrap();
}

#[test]
fn only_what_compilers_take_is_made() {
    let compilers: Vec<PathBuf> = ["gcc-12", "clang-16"].into_iter().filter_map(tool).collect();
    let scratch = Scratch::new();
    let mut wrong = Vec::new();
    for row in ROWS {
        for (&what, taken) in row.made.iter().map(|d| (d, true)).chain(row.refused.iter().map(|d| (d, false)))
        {
            let mut program = read(row.text);
            let before = unit(&program, 0, &PrintOptions::default());
            let result = make(&mut program, what);
            let after = unit(&program, 0, &PrintOptions::default());
            if result.is_ok() != taken {
                wrong.push(format!("{what:?} {result:?}\n{after}"));
            }
            if result.is_err() {
                assert_eq!(before, after, "{what:?} was refused and changes nothing");
            }
            assert_eq!(dump::program(&read(&after)), dump::program(&program), "{what:?}\n{after}");
            for compiler in &compilers {
                let file = scratch.folder().join("a.c");
                std::fs::write(&file, &after).unwrap();
                let output = scratch.folder().join("a.o");
                let args = ["-w", "-std=gnu17", "-c", "-o", output.to_str().unwrap(), file.to_str().unwrap()];
                let output = run(compiler, args, &howler_testkit::Options::default());
                if !output.success() {
                    let said = String::from_utf8_lossy(&output.stderr);
                    wrong.push(format!("{what:?}: {said}\n{after}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// clang has no nested functions.
#[test]
fn a_nested_function_stays_with_its_declarations() {
    let text = "int f(int n) {
        auto int g(void);
        n += g();
        int g(void) { return n; }
        {
            n++;
        }
        return n; }";
    for refused in [Do::Remove(4), Do::Copy(2, 6), Do::Copy(2, 8), Do::Wrap(4, 4), Do::Wrap(2, 3)] {
        let mut program = read(text);
        assert!(
            make(&mut program, refused).is_err(),
            "{refused:?}\n{}",
            unit(&program, 0, &PrintOptions::default())
        );
    }
    for made in [Do::Wrap(2, 4), Do::Copy(3, 8), Do::Copy(4, 6), Do::Remove(3), Do::Remove(5)] {
        let mut program = read(text);
        let result = make(&mut program, made);
        // What is wrapped is not known outside, and nothing outside names it.
        assert_eq!(result, Ok(()), "{made:?}");
        let after = unit(&program, 0, &PrintOptions::default());
        assert_eq!(dump::program(&read(&after)), dump::program(&program), "{made:?}\n{after}");
    }
}

#[test]
fn a_copy_belongs_to_the_unit_it_stands_in() {
    let mut program = Program::new(Target { std: Std::parse("gnu17").unwrap(), ..Target::X86_64_GCC });
    let texts = [
        "static int own = 1; int f(int n) {
            int *p = (int[]){ n };
            struct s { int x; };
            own++;
            return *p; }",
        "\n\n\n\n\n\nint f(int); int main(void) {
            int n = 2;
            return f(n); }",
    ];
    for (number, text) in texts.iter().enumerate() {
        let report = parse(&mut program, &format!("{number}.c"), (*text).into(), &Options::default());
        assert!(report.unit.is_some(), "{:?}", report.diagnostics);
    }
    // No line of one is that of a statement of the other.
    let to = at(&program, 9);
    let n = program.objects.iter().filter(|(_, o)| o.name.is_some_and(|name| program.name(name) == "n"));
    let n: Vec<ObjId> = n.map(|(id, _)| id).collect();
    let from = at(&program, 2);
    edit::attempt(&mut program, |change| {
        let copy = change.copy(&[from], &Renaming::from_iter([(n[0], n[1])]))?;
        change.insert_before(to, &copy)
    })
    .expect("nothing is in its way");
    let from = at(&program, 3);
    edit::attempt(&mut program, |change| {
        let copy = change.copy(&[from], &Renaming::default())?;
        change.insert_before(to, &copy)
    })
    .expect("nothing is in its way");
    assert!(
        program.objects.iter().skip(4).all(|(_, object)| object.unit == 1),
        "the copies are of the second"
    );
    let from = at(&program, 4);
    let refused = edit::attempt(&mut program, |change| {
        let copy = change.copy(&[from], &Renaming::default())?;
        change.insert_before(to, &copy)
    });
    assert!(refused.is_err(), "a static object cannot be named in another file");
    let again = unit(&program, 1, &PrintOptions::default());
    assert!(again.contains("(int[1]){n}"), "{again}");
}
