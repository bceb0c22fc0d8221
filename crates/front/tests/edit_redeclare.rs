//! Things declared otherwise (`Change::redeclare`), and steps on many places at once: everything around is what the front
//! end makes of the text, or the program is as it was.

use howler_front::{Options, parse};
use howler_lang::build::{self, Built, Cx};
use howler_lang::dump;
use howler_lang::edit::{Change, Now, Redeclaration, Refused, Remaking, attempt, compact};
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{Entity, ExprId, ExprKind, FuncId, IntForm, ObjId, Program, StmtId, StmtKind};
use howler_lang::source::Pos;
use howler_lang::target::Target;
use howler_lang::ty::{RecordId, Type};
use howler_lang::verify;

fn read(text: &str) -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "test.c", text.into(), &Options::default());
    assert!(report.unit.is_some(), "{text}: {:?}", report.diagnostics);
    program
}

struct Nothing;

impl Remaking for Nothing {
    fn wants(&self, _: &Program, _: ExprId) -> bool {
        false
    }

    fn make(&mut self, _: &mut Cx<'_>, _: ExprId, _: &Now) -> Option<Built> {
        None
    }
}

fn object(program: &Program, name: &str) -> ObjId {
    let is = |known| program.name(known) == name;
    program.objects.iter().find(|(_, object)| object.name.is_some_and(is)).expect("the text has it").0
}

fn func(program: &Program, name: &str) -> FuncId {
    program.funcs.iter().find(|(_, func)| program.name(func.name) == name).expect("the text has it").0
}

fn record(program: &Program, name: &str) -> RecordId {
    let is = |tag| program.name(tag) == name;
    program.types.records.iter().find(|(_, one)| one.tag.is_some_and(is)).expect("the text has it").0
}

/// What a change makes of a text; none if it is refused, and then nothing is left of it.
#[track_caller]
fn changed(text: &str, f: impl FnOnce(&mut Change<'_>) -> Result<(), Refused>) -> Option<String> {
    let mut program = read(text);
    let before = dump::program(&program);
    if attempt(&mut program, f).is_err() {
        assert_eq!(dump::program(&program), before);
        assert_eq!(verify::program(&program), []);
        return None;
    }
    assert_eq!(verify::program(&program), []);
    compact(&mut program);
    let printed = unit(&program, 0, &PrintOptions::default());
    let mut again = read(&printed);
    compact(&mut again);
    assert_eq!(dump::program(&again), dump::program(&program), "{printed}");
    Some(printed.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[track_caller]
fn redeclared(text: &str, what: impl FnOnce(&mut Program) -> Redeclaration) -> Option<String> {
    changed(text, |change| {
        let what = what(change.program_mut());
        change.redeclare(&what, &mut Nothing)
    })
}

#[test]
fn an_object_has_another_type_wherever_it_is_named() {
    let what = |program: &mut Program| Redeclaration {
        objects: [(object(program, "a"), Type::CHAR)].into_iter().collect(),
        ..Redeclaration::default()
    };
    assert_eq!(
        redeclared("extern long a; long a = 300 + 5; int f(void) { return a++ + sizeof a; }", what)
            .as_deref(),
        Some("extern char a; char a = 300 + 5; int f(void) { return a++ + sizeof a; }")
    );
    assert_eq!(redeclared("struct s { int b; } a; int f(void) { return a.b; }", what), None);
    assert_eq!(redeclared("long a; long *p = &a; int f(void) { p = &a; return 0; }", what), None);
}

#[test]
fn parameters_go_from_all_declarations_and_calls() {
    let what = |program: &mut Program| Redeclaration {
        params: [(func(program, "f"), vec![0])].into_iter().collect(),
        ..Redeclaration::default()
    };
    assert_eq!(
        redeclared(
            "int f(int, long); int g(void) { return f(1, f(2, 3)); } int f(int a, long b) { return b; }",
            what
        )
        .as_deref(),
        Some("int f(long); int g(void) { return f(f(3)); } int f(long b) { return b; }")
    );
    assert_eq!(redeclared("int f(int a) { return a; }", what), None, "it is used");
    assert_eq!(
        redeclared("int f(int a) { return 1; } int (*p)(int) = f;", what),
        None,
        "somebody has its address"
    );
    assert_eq!(redeclared("int f(int a, ...) { return 1; }", what), None);
}

#[test]
fn results_are_converted_where_they_are_returned() {
    let what = |program: &mut Program| Redeclaration {
        returns: [(func(program, "f"), Type::CHAR)].into_iter().collect(),
        ..Redeclaration::default()
    };
    let text = "long f(long a) { if (a) return a; return ({ 3; }); } long g(void) { return f(1) + 1; }";
    let made = redeclared(text, what).unwrap();
    assert_eq!(made, text.replacen("long f", "char f", 1));
}

#[test]
fn structs_that_have_the_struct_inside_are_others_too() {
    let what = |program: &mut Program| Redeclaration {
        members: [(record(program, "s"), vec![1])].into_iter().collect(),
        ..Redeclaration::default()
    };
    assert_eq!(
        redeclared(
            "struct s { int a; int b; struct t *t; }; struct t { struct s s[2]; struct t *next; }; struct t x = {{{1, 2, &x}}};
             int f(struct t *p) { struct s *q = p->s; return q[1].a + p->next->s[0].t->s->a + (int)sizeof(struct t); }",
            what
        )
        .as_deref(),
        Some(
            "struct t; struct s { int a; struct t *t; }; struct t { struct s s[2]; struct t *next; }; struct t x = {{{1, &x}}}; \
             int f(struct t *p) { struct s *q = p->s; return q[1].a + p->next->s[0].t->s->a + (int)sizeof(struct t); }"
        )
    );
    assert_eq!(redeclared("struct s { int a; int b; }; int f(struct s *p) { return p->b; }", what), None);
}

/// Makes 0 of every number.
struct Zeros {
    keeps: bool,
}

impl Remaking for Zeros {
    fn wants(&self, program: &Program, e: ExprId) -> bool {
        matches!(program.exprs[e].kind, ExprKind::Int { .. } | ExprKind::Object(_))
    }

    fn make(&mut self, cx: &mut Cx<'_>, _: ExprId, _: &Now) -> Option<Built> {
        Some(Ok(build::int(cx, 0, IntForm::Decimal, Type::INT, Pos::NONE)))
    }

    fn keeps(&self) -> bool {
        self.keeps
    }
}

#[test]
fn what_cannot_be_another_stays_if_it_may() {
    let text = "int f(int a, int *p) { a = a + 1; *p = a; return ({ a; p; }) ? a : 2; }";
    let zeros = |keeps: bool| changed(text, |change| change.rebuild(&mut Zeros { keeps }).map(|_| ()));
    assert_eq!(zeros(false), None);
    // The type of a statement expression follows its last statement, and a condition takes any.
    assert_eq!(
        zeros(true).as_deref(),
        Some("int f(int a, int *p) { a = a + 1; *p = 0; return ({ 0; 0; }) ? 0 : 0; }")
    );
}

#[test]
fn a_statement_is_not_put_inside_itself() {
    let text = "int f(int a) { if (a) { a = 2; } return a; }";
    let of = |program: &Program, is: fn(&StmtKind) -> bool| -> StmtId {
        program.stmts.iter().find(|(_, stmt)| is(&stmt.kind)).expect("the text has it").0
    };
    let made = changed(text, |change| {
        let program = change.program();
        let branch = of(program, |kind| matches!(kind, StmtKind::If { .. }));
        let StmtKind::If { then, .. } = program.stmts[branch].kind else { unreachable!() };
        change.restate(&[(then, program.stmts[branch].kind)])
    });
    assert_eq!(made, None);
    let made = changed(text, |change| {
        let program = change.program();
        let branch = of(program, |kind| matches!(kind, StmtKind::If { .. }));
        let StmtKind::If { then, .. } = program.stmts[branch].kind else { unreachable!() };
        change.restate(&[(branch, program.stmts[then].kind)])
    });
    assert_eq!(made.as_deref(), Some("int f(int a) { { a = 2; } return a; }"));
}

#[test]
fn a_name_that_would_hide_another_is_refused() {
    let to = |name: &'static str| {
        changed("int a; int f(int b) { return a + b; }", |change| {
            let b = Entity::Object(object(change.program(), "b"));
            change.rename(b, name)
        })
    };
    assert_eq!(to("a"), None);
    assert_eq!(to("c").as_deref(), Some("int a; int f(int c) { return a + c; }"));
}
