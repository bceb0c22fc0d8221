//! A technique that changes programs, whole and small: whoever writes one can begin here. A seed is read, judged and
//! profiled; a struct, an object and a function are added to it, and calls that never happen, behind conditions that the
//! profile says are false; what comes out is a `Case` with its edits as lines, and the lines make it again from the seed.

use howler_case::{Behaviour, Case, Origin};
use howler_choices::Choices;
use howler_front::{Options, parse};
use howler_lang::compose::{Composed, Composer, Member, Value, signature};
use howler_lang::diag::Severity;
use howler_lang::edit::{Edit, Edited, Place, Refused};
use howler_lang::link::link;
use howler_lang::print::{PrintOptions, unit};
use howler_lang::program::{BinaryOp, Entity, ExprId, Linkage, Program, StmtId};
use howler_lang::scope::Named;
use howler_lang::source::Pos;
use howler_lang::target::Target;
use howler_lang::ty::{RecordKind, Type};
use howler_lang::verify;
use howler_machine::Input;
use howler_machine::judge::{Judge, Machine};
use howler_machine::profile::{self, Points, Profile, ProfileOptions, Scalar};
use howler_testkit::{Scratch, run, tool};

/// A seed as text becomes a program, or nothing if it is none.
fn read(text: &str) -> Option<Program> {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "seed.c", text.into(), &Options::default());
    report.diagnostics.iter().all(|said| said.severity < Severity::Unsupported).then_some(program)
}

/// The judge wants units that know each other. Edits are made on what was read, so a copy is linked.
fn linked(program: &Program) -> Program {
    let mut program = program.clone();
    link(&mut program);
    program
}

/// What is false before a statement, whatever compiler made the program: a part of an object that can be named there does
/// not have the one value it always has.
fn falsehood(
    c: &mut Composer,
    profile: &Profile,
    at: StmtId,
    choices: &mut Choices,
) -> Composed<Option<ExprId>> {
    let mut known = Vec::new();
    for (&object, seen) in &profile.points[&at].objects {
        for path in seen.parts.keys() {
            let place = profile::Place { object, path: path.clone() };
            // Reading what is volatile would be behaviour of its own.
            let constant = profile.sure(at, &place).and_then(|observed| observed.constant());
            if let (Some(Scalar::Int(value)), false) = (constant, place.is_volatile(&c.program)) {
                known.push((place, value));
            }
        }
    }
    let Some((place, value)) = choices.pick("known", &known) else { return Ok(None) };
    let left = place.build(&mut c.cx(), Pos::NONE)?;
    let ty = place.ty(&c.program).unwrap_or(Type::INT);
    let right = c.constant(ty, &Value::Int(*value))?;
    c.binary(BinaryOp::Ne, left, right).map(Some)
}

/// The technique: a test from a seed that is defined, with so many calls at most.
fn mutate(seed: &str, judge: &dyn Judge, choices: &mut Choices, calls: u32) -> Option<Case> {
    let program = read(seed)?;
    // What the seed means, and what it did at some of the places where a statement may be put.
    let wanted =
        ProfileOptions { points: Points::Sample { seed: 1, number: 20 }, ..ProfileOptions::default() };
    let asked = judge.profile(&linked(&program), Input::default(), &wanted);
    let behaviour: Behaviour = asked.judgement.defined()?.clone();
    let points: Vec<StmtId> = asked.profile.points.keys().copied().collect();

    // From here on every change is an edit, which is made or refused as a whole.
    let mut edited = Edited::new(program);
    let callee = add_callee(&mut edited).ok()?;
    for _ in 0..calls {
        let Some(&at) = choices.pick("point", &points) else { break };
        let code = edited.statements(|c| {
            let Some(never) = falsehood(c, &asked.profile, at, choices)? else { return Ok(Vec::new()) };
            let seven = c.int(7)?;
            let call = c.call(callee, &[seven])?;
            Ok(vec![c.when(never, &[call])?])
        });
        // What was refused left nothing behind: the next one is tried.
        let Ok(code) = code else { continue };
        let place = Place::Before(edited.stmt(at));
        let _ = edited.apply(Edit::Insert { place, code });
    }

    let origin = Origin { arm: "mutate".to_owned(), version: "1".to_owned(), seed: 1, index: 0 };
    let text = unit(edited.program(), 0, &PrintOptions::default());
    let mut case = Case::new("mutated.c", text, Target::X86_64_GCC.std, origin);
    case.expect(Target::X86_64_GCC, behaviour);
    case.edits = edited.edits().iter().map(ToString::to_string).collect();
    Some(case)
}

/// `struct box_1 { int n; double d[2]; }; static struct box_1 kept_1 = …; static noinline void touch_1(int n) { … }` at
/// the start of the file, in two edits, under names that nobody has.
fn add_callee(edited: &mut Edited) -> Result<howler_lang::program::FuncId, Refused> {
    use howler_lang::edit::ItemPlace;
    let (tag, kept, touch) = (edited.fresh("box"), edited.fresh("kept"), edited.fresh("touch"));
    let code = edited.items(0, |c| {
        let pair = c.array(Type::DOUBLE, 2)?;
        let members = [Member::new("n", Type::INT), Member::new("d", pair)];
        let ty = c.record(RecordKind::Struct, &tag, &members)?;
        let half = Value::Bits(u128::from(0.5f64.to_bits()));
        let value = Value::List(vec![Value::Int(-1), Value::List(vec![half, Value::Zero])]);
        c.global(&kept, ty, Linkage::Internal, Some(&value)).map(|_| ())
    })?;
    edited.apply(Edit::Declare { place: ItemPlace::Start(0), code })?;
    // What an edit made is found by its name.
    let Some(Named::Object(object)) = edited.named(0, &kept) else { return Err(Refused::Place("not there")) };
    let before = edited.program().units[0].items.iter().position(|&item| match item {
        howler_lang::program::Item::Decl(decl) => {
            edited.program().decls[decl].entity == Entity::Object(object)
        }
        _ => false,
    });
    let item = before.and_then(|index| edited.item(edited.program().units[0].items[index]));
    let Some(item) = item else { return Err(Refused::Place("not there")) };
    let code = edited.items(0, |c| {
        let func = c.function(&touch, signature(Type::VOID, &[Type::INT]), Linkage::Internal)?;
        let n = c.param("n", Type::INT);
        let (left, right) = (c.lvalue(object), c.lvalue(n));
        let left = c.member(left, "n")?;
        let set = c.assign(left, right)?;
        let body = [c.expr(set)?];
        c.define(func, vec![n], &body)?;
        c.attribute(Entity::Function(func), "noinline")
    })?;
    edited.apply(Edit::Declare { place: ItemPlace::After(item), code })?;
    match edited.named(0, &touch) {
        Some(Named::Function(func)) => Ok(func),
        _ => Err(Refused::Place("not there")),
    }
}

/// The program of a test again, from its seed and its lines; without those that `keep` is not true of, as a reducer
/// would ask for.
fn again(seed: &str, case: &Case, keep: impl Fn(usize) -> bool) -> Program {
    let edits: Vec<Edit> = case.edits.iter().map(|line| line.parse().expect("a case has edits")).collect();
    let (edited, _) = Edited::replay(read(seed).expect("it was a seed"), &edits, keep);
    edited.into_program()
}

const SEED: &str = r#"int printf(const char *, ...);
struct point { int x, y; } at = { 3, 4 };
static int table[4] = { 1, 2, 3, 4 };
static int sum(const int *p, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += p[i];
    return total;
}
int main(void)
{
    int s = sum(table, 4);
    at.x += s;
    if (at.x > 5)
        at.y = s * 2;
    printf("%d %d\n", at.x, at.y);
    return 0;
}
"#;

#[test]
fn a_seed_becomes_a_case_and_the_case_its_program() {
    let judge = Machine::default();
    let case = mutate(SEED, &judge, &mut Choices::new(1), 6).expect("the seed is defined");
    let text = String::from_utf8(case.files[0].text.clone()).unwrap();
    assert!(case.edits.len() > 4 && text.contains("touch_1(7);"), "{text}");
    assert!(case.edits[0].starts_with("declare start 0 record:0:box_1 "), "{:?}", case.edits);
    // The lines are enough.
    let program = again(SEED, &case, |_| true);
    assert_eq!(unit(&program, 0, &PrintOptions::default()), text);
    // The test means what the seed meant, and so does whatever a reducer leaves of it.
    let expected = case.expected_on(Target::X86_64_GCC).expect("it was computed");
    for left_out in 0..=case.edits.len() {
        let program = again(SEED, &case, |index| index != left_out);
        assert_eq!(verify::program(&program), []);
        assert_eq!(judge.behaviour(&linked(&program), Input::default()).as_ref(), Some(expected));
    }
    // Compilers agree.
    let scratch = Scratch::new();
    for compiler in ["gcc-12", "clang-16"].into_iter().filter_map(tool) {
        let (file, made) = (scratch.folder().join("mutated.c"), scratch.folder().join("mutated"));
        std::fs::write(&file, &text).unwrap();
        let args = ["-O2", "-w", "-o", made.to_str().unwrap(), file.to_str().unwrap()];
        let options = howler_testkit::Options::default();
        assert!(run(&compiler, args, &options).success(), "{text}");
        let output = run(&made, std::iter::empty::<&str>(), &options);
        assert_eq!(output.stdout, expected.output, "{text}");
    }
}
