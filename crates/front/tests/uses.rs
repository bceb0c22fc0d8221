//! Who uses what (`lang::visit::Uses`): what is part of the program, in the order of its text, and nothing else.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::program::{ExprKind, Program};
use howler_lang::target::Target;
use howler_lang::visit::{Everything, Found, How, Node, Site, Use, Uses};

fn read(text: &str) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    let bad = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity >= Severity::Unsupported);
    let bad: Vec<&str> = bad.map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(bad, [""; 0]);
    program
}

/// A letter for each use: `D` declares, `d` in a block; `e` an expression, `s` a statement, `i` an item at file scope.
fn letters(uses: &[Use]) -> String {
    let letter = |at: &Use| match (at.how, at.site) {
        (How::Declares, Site::Item(_)) => 'D',
        (How::Declares, _) => 'd',
        (How::Names, Site::Expr(_)) => 'e',
        (How::Names, Site::Stmt(_)) => 's',
        (How::Names, Site::Item(_)) => 'i',
    };
    uses.iter().map(letter).collect()
}

/// The uses of everything that has a name, as `name=letters`.
fn all(program: &Program) -> String {
    let uses = Uses::of(program);
    let types = &program.types;
    let mut all: Vec<String> = Vec::new();
    let mut add = |name: &str, found: &[Use]| all.push(format!("{name}={}", letters(found)));
    for (id, object) in program.objects.iter() {
        add(object.name.map_or("literal", |name| program.name(name)), uses.of_object(id));
    }
    for (id, func) in program.funcs.iter() {
        add(program.name(func.name), uses.of_function(id));
    }
    for (id, label) in program.labels.iter() {
        add(program.name(label.name), uses.of_label(id));
    }
    for (id, record) in types.records.iter().filter(|(_, record)| !record.va_list_tag) {
        add(record.tag.map_or("anonymous", |tag| program.name(tag)), uses.of_record(id));
    }
    for (id, enumeration) in types.enums.iter() {
        add(program.name(enumeration.tag), uses.of_enum(id));
    }
    for (id, constant) in types.enumerators.iter() {
        add(program.name(constant.name), uses.of_enumerator(id));
    }
    for id in program.decls.ids() {
        let found = uses.of_typedef(id);
        if !found.is_empty() {
            add("typedef", found);
        }
    }
    all.join(" ")
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(all(&read(text)), expected, "{text}");
}

#[test]
fn names_are_listed_in_the_order_of_the_text() {
    check("int x = 1; int f(void) { return x + x; } int x; int *p = &x;", "x=DeeDe p=D f=D");
    check("int f(int n) { return n ? f(n - 1) : 0; }", "n=Dee f=De");
    check("int f(int); int f(int n) { int f(int); return 0; }", "n=D f=DDd");
    check("int *f(void) { return (int[]){ 1 }; }", "literal=e f=D");
    check("int f(int n) { int g(int m) { return m + n; } return g(n); }", "n=Dee m=de f=D g=de");
}

#[test]
fn labels_and_what_jumps_to_them() {
    check("void f(int n) { again: if (n) goto again; }", "n=De f=D again=ds");
    check("void f(void) { void *p = &&l; goto *p; l: ; }", "p=de f=D l=ed");
    check("void f(void) { __label__ l; l: goto l; }", "f=D l=dds");
    check("void f(void) { __asm__ goto (\"\" : : : : l); l: ; }", "f=D l=sd");
}

#[test]
fn types_and_where_they_are_written() {
    check("struct s; struct s { int a; } x; struct s *f(void) { return &x; }", "x=De f=D s=DDii");
    check("struct s { struct s *next; }; int n = sizeof(struct s);", "n=D s=Die");
    check("struct s { struct { int a; }; union u { int b; } c; } x;", "x=D s=Di anonymous=D u=Di");
    check("enum e { A, B = A + 1 }; int f(enum e x) { return x == B; }", "x=De f=D e=Di A=D B=De");
    check("struct s { int a; }; int f(void *p) { return ((struct s *)p)->a; }", "p=De f=D s=De");
    check("void f(int n, void *p) { typedef int t[n]; (void)(t *)p; t a; }", "n=De p=De a=d f=D typedef=des");
    check("struct s { int a; }; void f(struct s a, struct s b) { struct s *p; }", "a=D b=D p=d f=D s=Dis");
}

#[test]
fn attributes_name_functions_and_objects() {
    let text = "void done(int *); void f(void) { int x __attribute__((cleanup(done))); }";
    check(text, "x=d done=Ds f=D");
    check("static int f(void) { return 1; } int g(void) __attribute__((alias(\"f\")));", "f=Di g=D");
    check("int x = 1; extern int y __attribute__((alias(\"x\")));", "x=Di y=D");
    let chain = "int x = 1; extern int y __attribute__((alias(\"x\"))), z __attribute__((alias(\"y\")));";
    check(chain, "x=Di y=Di z=D");
    check("void done(int *); void f(int x __attribute__((unused))) { }", "x=D done=D f=D");
}

#[test]
fn bounds_are_uses_and_come_once() {
    check("void f(int n, int a[n], int b[][n + 1]) { }", "n=Dee a=D b=D f=D");
    check("void f(int n) { int a[n]; __typeof__(a) b; (void)sizeof(int[n]); }", "n=Dee a=d b=d f=D");
}

#[test]
fn what_nothing_reaches_is_no_use() {
    // The front end reads an operand of `typeof`, an array's constant length and an enumerator's value, and drops them.
    check("int x; __typeof__(x) y; __typeof__(&x) p;", "x=D y=D p=D");
    check("int x; int a[sizeof x]; enum e { A = sizeof x };", "x=D a=D e=D A=D");
    let program = read("int x; int a[sizeof x]; int f(void) { return a[0]; }");
    let reached = Everything::of(&program)
        .filter(|found| matches!(found, Found::Part(part) if matches!(part.node, Node::Expr(_))))
        .count();
    assert!(reached < program.exprs.len());
    // A statement that is taken out takes its uses with it.
    let mut program = read("int x, y; int f(void) { x = 1; y = 2; return x; }");
    let body = program.funcs[program.funcs.ids().next().unwrap()].body.unwrap();
    let howler_lang::program::StmtKind::Compound(list) = program.stmts[body].kind else { panic!() };
    let kept: Vec<_> = program.block(list)[1..].to_vec();
    let list = program.add_block(&kept);
    program.stmts[body].kind = howler_lang::program::StmtKind::Compound(list);
    assert_eq!(all(&program), "x=De y=De f=D");
}

#[test]
fn what_was_made_after_the_table_has_no_uses() {
    let mut program = read("int x; int f(void) { return x; }");
    let uses = Uses::of(&program);
    let object = program.objects[program.objects.ids().next().unwrap()].clone();
    let new = program.objects.push(object);
    assert!(uses.of_object(new).is_empty());
    let func = program.funcs[program.funcs.ids().next().unwrap()].clone();
    let new = program.funcs.push(func);
    assert!(uses.of_function(new).is_empty());
}

#[test]
fn every_expression_of_the_program_comes_once() {
    let text = "int f(int n) { int a[n]; __typeof__(a) b; for (int i = 0; i < n; i++) b[i] = ({ int g(int m) { \
                return m + n; } g(i) + a[i]; }); return b[0]; }";
    let program = read(text);
    let mut times = std::collections::BTreeMap::new();
    for found in Everything::of(&program) {
        if let Found::Part(part) = found
            && let Node::Expr(e) = part.node
        {
            *times.entry(e).or_insert(0) += 1;
        }
    }
    assert!(times.values().all(|&times| times == 1), "{times:?}");
    let objects = times.keys().filter(|&&e| matches!(program.exprs[e].kind, ExprKind::Object(_))).count();
    // n three times, i four, m, a and b twice: what is in the loop, in the nested function and in bounds is there.
    assert_eq!(objects, 12);
}
