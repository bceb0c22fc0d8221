//! The table of parts (`lang::visit`) against programs: it names what a node holds, all of it, once.
//!
//! What a node holds is read off its debug text, which the compiler derives: a table that forgets a part does not agree.

mod seeds;

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::id::Id;
use howler_lang::program::{Entity, ExprId, ExprKind, Init, Item, Program, StmtId, StmtKind};
use howler_lang::target::Target;
use howler_lang::visit::{self, Mention, Node, Role, Walk};
use seeds::SEEDS;
use std::collections::BTreeSet;
use std::path::Path;

/// A statement expression in every place that holds an expression. Each declares a variable `m` of its own.
const PLACES: &str = r"
    struct s { int a[9]; int b; };
    int g(int, ...);
    int f(int n, int q[n], int r[][n + 1], __builtin_va_list ap) {
        ({ int m; m = 1; });
        int a = ({ int m = 1; m; });
        int list[] = { 1, [1] = ({ int m = 1; m; }) };
        struct s t = { .a[2] = ({ int m = 1; m; }) };
        int vla[({ int m = 3; m; })][({ int m = 3; m; })];
        int (*pv)[({ int m = 3; m; })] = 0;
        typedef int T[({ int m = 3; m; })];
        T *tp = (int (*)[({ int m = 3; m; })])pv;
        __typeof__(int[({ int m = 3; m; })]) tv;
        if (({ int m = 1; m; })) n++; else n += ({ int m = 1; m; });
        while (({ int m = 0; m; })) n--;
        do n--; while (({ int m = 0; m; }));
        for (int i = ({ int m = 0; m; }); ({ int m = 0; m; }); i += ({ int m = 1; m; })) ({ int m; m = 2; });
        for (n = ({ int m = 0; m; }); n; ) ;
        switch (({ int m = 0; m; })) { case 1: ({ int m; m = 1; }); default: ; }
        n = sizeof(int[({ int m = 3; m; })]);
        n = sizeof(vla[({ int m = 3; m; })]);
        n = a ? ({ int m = 1; m; }) : ({ int m = 1; m; });
        n = a ?: ({ int m = 1; m; });
        n = a && ({ int m = 1; m; });
        n = (1, ({ int m = 1; m; }));
        n = list[({ int m = 1; m; })];
        n = (({ int m = 1; &t; }))->b;
        n = *({ int m = 1; list; });
        n = -({ int m = 1; m; });
        n += ({ int m = 1; m; });
        n = g(({ int m = 1; m; }), ({ int m = 1; m; }));
        n = ({ int m = 1; g; })(1);
        n = (long)({ int m = 1; m; });
        n = (struct s){ .b = ({ int m = 1; m; }) }.b;
        n = (int[]){ ({ int m = 1; m; }) }[0];
        n = __builtin_va_arg(ap, int (*)[({ int m = 1; m; })]) != 0;
        n = __builtin_offsetof(struct s, a[({ int m = 1; m; })]);
        n = __builtin_expect(({ int m = 1; m; }), 1);
        __asm__ volatile ('' : '=r'(list[({ int m = 1; m; })]) : 'r'(({ int m = 1; m; })));
        static void *table[] = { &&out };
        goto *table[({ int m = 0; m; })];
        static int kept = sizeof(({ int m = 1; m; }));
    out:
        n = ({ int m = ({ int m = 1; m; }); { int m = 3; n = m; } m; });
        return ({ int m = n; m; });
    }";

fn read(text: &str) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    let bad = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= Severity::Unsupported);
    let bad: Vec<&str> = bad.map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(bad, [""; 0]);
    program
}

/// Every program at hand: the front end's seeds, and the machine's catalogue where it needs no header.
fn programs() -> Vec<Program> {
    let mut texts: Vec<String> = SEEDS.iter().map(|&seed| seed.to_owned()).collect();
    texts.push(PLACES.replace('\'', "\""));
    let catalogue = Path::new(env!("CARGO_MANIFEST_DIR")).join("../machine/tests/catalogue");
    for file in std::fs::read_dir(catalogue).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ext| ext == "c") {
            let text = std::fs::read_to_string(path).unwrap();
            let sections = text.split("//===").map(|section| section.split_once('\n').unwrap_or(("", "")).1);
            texts.extend(sections.filter(|section| !section.contains("#include")).map(str::to_owned));
        }
    }
    let mut programs = Vec::new();
    for text in texts {
        let mut program = Program::new(Target::X86_64_GCC);
        let report = parse(&mut program, "test.c", text.as_str().into(), &Options::default());
        if report.diagnostics.iter().all(|diagnostic| diagnostic.severity < Severity::Unsupported) {
            programs.push(program);
        }
    }
    assert!(programs.len() > 100, "{}", programs.len());
    programs
}

/// The numbers behind every `Name#` in a debug text.
fn ids(text: &str, name: &str) -> Vec<usize> {
    let pieces = text.split(name).skip(1);
    let number = |piece: &str| piece.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
    let mut ids: Vec<usize> = pieces.map(number).collect();
    ids.sort_unstable();
    ids
}

fn sorted(mut ids: Vec<usize>) -> Vec<usize> {
    ids.sort_unstable();
    ids
}

/// The expressions and statements among the direct parts of a node; bounds only if asked for.
fn table(program: &Program, node: Node) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
    let (mut exprs, mut stmts, mut inits) = (Vec::new(), Vec::new(), Vec::new());
    visit::parts(program, node, |part| match (part.node, part.role) {
        (_, Role::Bound(_)) => {}
        (Node::Expr(e), _) => exprs.push(e.index()),
        (Node::Stmt(s), _) => stmts.push(s.index()),
        (Node::Init(init), _) => inits.push(init.index()),
        (Node::Function(_), _) => panic!("a function is not a part"),
    });
    (sorted(exprs), sorted(stmts), sorted(inits))
}

#[test]
fn the_table_names_every_expression_and_statement_that_a_node_holds() {
    let mut kinds = BTreeSet::new();
    for program in programs() {
        for (e, expr) in program.exprs.iter() {
            let mut text = format!("{:?}", expr.kind);
            kinds.insert(text.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned());
            match expr.kind {
                ExprKind::Call(_, list) | ExprKind::Builtin(_, list) => {
                    text += &format!("{:?}", program.list(list));
                }
                ExprKind::Offsetof(_, path) => text += &format!("{:?}", program.paths[path]),
                ExprKind::CompoundLiteral(object) => text += &format!("{:?}", program.objects[object].init),
                _ => {}
            }
            let (exprs, stmts, inits) = table(&program, Node::Expr(e));
            assert_eq!(exprs, ids(&text, "ExprId#"), "{text}");
            assert_eq!(stmts, ids(&text, "StmtId#"), "{text}");
            assert_eq!(inits, ids(&text, "InitId#"), "{text}");
        }
        for (s, stmt) in program.stmts.iter() {
            let mut text = format!("{:?}", stmt.kind);
            kinds.insert(text.split(|c: char| !c.is_alphanumeric()).next().unwrap().to_owned());
            match stmt.kind {
                StmtKind::Compound(list) | StmtKind::Decls(list) => {
                    text += &format!("{:?}", program.block(list));
                }
                StmtKind::Asm(asm) => text += &format!("{:?}", program.asms[asm]),
                StmtKind::Item(Item::Decl(decl)) => text += &format!("{:?}", program.decls[decl].init),
                _ => {}
            }
            let (exprs, stmts, inits) = table(&program, Node::Stmt(s));
            // The other table says where they are written.
            let mut rewritten = Vec::new();
            let same = visit::with_stmts(stmt.kind, |inner| {
                rewritten.push(inner.index());
                inner
            });
            assert_eq!(same, stmt.kind);
            if !matches!(stmt.kind, StmtKind::Compound(_) | StmtKind::Decls(_)) {
                assert_eq!(sorted(rewritten), stmts, "{text}");
            }
            assert_eq!(exprs, ids(&text, "ExprId#"), "{text}");
            assert_eq!(stmts, ids(&text, "StmtId#"), "{text}");
            assert_eq!(inits, ids(&text, "InitId#"), "{text}");
        }
        for (id, init) in program.inits.iter() {
            let (exprs, _, inits) = table(&program, Node::Init(id));
            let text = match *init {
                Init::Expr(e) => format!("{e:?}"),
                Init::List(list) | Init::Update(list) => format!("{:?}", program.init_entries(list)),
            };
            assert_eq!(exprs, ids(&text, "ExprId#"), "{text}");
            assert_eq!(inits, ids(&text, "InitId#"), "{text}");
        }
    }
    // 30 kinds of expressions and 20 of statements; `Compound` is one of each.
    assert_eq!(kinds.len(), 49, "{kinds:?}");
}

#[test]
fn nothing_is_part_of_two_nodes() {
    for program in programs() {
        let mut exprs = vec![0; program.exprs.len()];
        let mut stmts = vec![0; program.stmts.len()];
        let mut count = |walk: Walk<'_>| {
            for part in walk {
                match part.node {
                    Node::Expr(e) => exprs[e.index()] += 1,
                    Node::Stmt(s) => stmts[s.index()] += 1,
                    Node::Init(_) | Node::Function(_) => {}
                }
            }
        };
        for func in program.funcs.ids() {
            count(Walk::of(&program, Node::Function(func)));
        }
        let items = program.units.iter().flat_map(|unit| &unit.items);
        for &item in items {
            visit::of_item(&program, item, &mut |part| count(Walk::of(&program, part.node)));
        }
        assert!(exprs.iter().all(|&times| times <= 1), "{:?}", exprs.iter().position(|&times| times > 1));
        assert!(stmts.iter().all(|&times| times <= 1), "{:?}", stmts.iter().position(|&times| times > 1));
    }
}

#[test]
fn a_function_reaches_all_that_was_read_for_it() {
    // Without constants that the front end evaluates and drops, and `op=`, whose operation is tried, nothing is left.
    let program = read(
        r#"
        struct s { int a; } g; int h(int, ...);
        int f(int n, struct s *p) {
            int a = n, b[] = { n, 2, h(3) }; struct s t = { .a = n }, u = (struct s){ n };
            for (int i = 0, j = 1; i < n; i++, j = j * 2) { if (i & 1) continue; else a = a + j; }
            switch (n) { case 1: a++; break; case 2 ... 4: a--; default: return p->a; }
            do { a = ({ int k = 3; while (k--) a = a - k; a; }); } while (a < (n ? b[1] : -n) && !t.a);
            again: if (a ?: n) goto again;
            return sizeof t + sizeof(int) + h(a, "x", 1.0, &u, (char)n, g.a);
        }"#,
    );
    let func = program.funcs.iter().find(|(_, func)| func.body.is_some()).unwrap().0;
    let reached: BTreeSet<ExprId> = Walk::of(&program, Node::Function(func)).expressions().collect();
    let left = program.exprs.iter().filter(|(e, _)| !reached.contains(e));
    let left: Vec<String> = left.map(|(_, expr)| format!("{expr:?}")).collect();
    assert_eq!(left, [""; 0]);
    let mut stmts: Vec<StmtId> = Walk::of(&program, Node::Function(func)).statements().collect();
    // Nodes come in the order of the source, and so do ids of statements.
    assert!(stmts.is_sorted());
    stmts.dedup();
    assert_eq!(stmts.len(), program.stmts.len());
}

#[test]
fn statement_expressions_are_found_wherever_they_stand() {
    let text = PLACES.replace('\'', "\"");
    let program = read(&text);
    let func = program.funcs.iter().find(|(_, func)| func.body.is_some()).unwrap().0;
    let mut declared = 0;
    for part in Walk::of(&program, Node::Function(func)) {
        visit::mentions(&program, part.node, |mention| {
            if let Mention::Declares(object) = mention {
                declared +=
                    usize::from(program.objects[object].name.is_some_and(|name| program.name(name) == "m"));
            }
        });
    }
    assert_eq!(declared, text.matches("int m").count());
    // Those of a static initialiser and of a fixed `sizeof` are no part of what is evaluated.
    let mut evaluated = 0;
    let mut walk = Walk::of(&program, Node::Function(func));
    while let Some(part) = walk.next() {
        if matches!(part.role, Role::Unevaluated | Role::StaticInitialiser) {
            walk.skip_parts();
        } else if let Node::Stmt(s) = part.node
            && let StmtKind::Item(Item::Decl(decl)) = program.stmts[s].kind
            && let Entity::Object(object) = program.decls[decl].entity
        {
            evaluated +=
                usize::from(program.objects[object].name.is_some_and(|name| program.name(name) == "m"));
        }
    }
    assert_eq!(evaluated, declared - 1);
}

#[test]
fn bounds_that_are_written_twice_at_every_level_come_once() {
    let mut text = "int f(int n) { int v0[n]; ".to_owned();
    for level in 1..40 {
        let before = level - 1;
        text += &format!("int v{level}[sizeof(__typeof__(v{before})) + sizeof(__typeof__(v{before}))]; ");
    }
    let program = read(&(text + "return sizeof v39; }"));
    let func = program.funcs.ids().next().unwrap();
    let nodes = Walk::of(&program, Node::Function(func)).count();
    assert!(nodes < 2000, "{nodes}");
}

#[test]
fn deep_expressions_need_no_stack() {
    let depth = 100_000;
    let text = format!("int f(int n) {{ return n{}; }}", " + n".repeat(depth));
    let program = read(&text);
    let func = program.funcs.ids().next().unwrap();
    assert!(Walk::of(&program, Node::Function(func)).count() > 3 * depth);
}

#[test]
fn a_chain_of_logical_operators_is_linked_as_a_whole() {
    let missing = |expression: &str| {
        let text = format!("int x, f(void), g(void); int main(void) {{ return {expression}; }}");
        let mut program = read(&text);
        assert!(howler_lang::link::link(&mut program).is_empty());
        let said = howler_lang::link::undefined(&program, |_| false);
        said.iter().map(|error| error.message.clone()).collect::<Vec<String>>().join(", ")
    };
    let (f, g) = ("undefined reference to 'f'", "undefined reference to 'g'");
    assert_eq!(missing("0 && f()"), "");
    assert_eq!(missing("1 && 1 && 0 && f() || g()"), g);
    assert_eq!(missing("x && 0 && f()"), f);
    assert_eq!(missing("1 || f() || g()"), "");
    assert_eq!(missing("0 || f() || g()"), format!("{f}, {g}"));
    // A time that grows with the square would be felt here.
    assert_eq!(missing(&format!("{}f()", "x && ".repeat(100_000))), f);
    assert_eq!(missing(&format!("{}f()", "1 && ".repeat(100_000))), f);
}
