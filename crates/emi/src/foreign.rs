//! Functions of other programs that are defined: they take integers and return one, need nothing else of their program,
//! and what they return for some arguments the judge has seen. A call of one stands for a number that no compiler can see
//! without seeing through the function.

use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::build::Built;
use howler_lang::compose::{Composed, Composer, Value, signature};
use howler_lang::edit::{Edit, Edited, Fragment, ItemPlace, Place};
use howler_lang::id::Id;
use howler_lang::program::{
    Duration, Entity, ExprId, ExprKind, FuncId, Item, Linkage, ObjId, Program, StmtId, StmtKind,
};
use howler_lang::scope::Named;
use howler_lang::target::Target;
use howler_lang::ty::{Quals, Type, TypeKind};
use howler_lang::visit::{Node, Walk};
use howler_machine::profile::{Place as Part, Points, ProfileOptions, Scalar};
use howler_machine::{Input, Judge, Limits, Machine};

use crate::seed::linked;

/// A function of another program.
#[derive(Clone)]
pub struct Donor {
    func: FuncId,
    ret: Type,
    params: Vec<Type>,
    /// Arguments, and what it returns for them.
    known: Vec<Known>,
    /// A program that has it and a `main` that does nothing, and the statement that ends this.
    program: Program,
    end: StmtId,
}

/// What a function returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The arguments.
    pub arguments: Vec<i128>,
    /// The result.
    pub result: i128,
    /// How many statements that took.
    pub cost: u64,
}

/// A foreign function that is in a program.
#[derive(Clone, Debug)]
pub struct Foreign {
    /// The function.
    pub func: FuncId,
    /// What it returns.
    pub ret: Type,
    /// What it takes.
    pub params: Vec<Type>,
    /// What is known of it.
    pub known: Vec<Known>,
}

/// The most statements of a function.
const LARGEST: usize = 60;

/// How many lists of arguments are tried.
const TRIES: usize = 8;

/// The most statements that a call may execute.
const COST: u64 = 1000;

/// Steps after which a call is given up: one that does not end must not cost much.
const STEPS: u64 = 50_000;

/// The most parameters.
const PARAMS: usize = 4;

/// The functions of a program that can be called from others, at most so many.
pub fn donors(program: &Program, most: usize, choices: &mut Choices) -> Vec<Donor> {
    let limits = Limits { steps: STEPS, ..Limits::default() };
    let judge = &Machine { limits, ..Machine::default() };
    let mut all: Vec<FuncId> = program.funcs.ids().filter(|&func| is_closed(program, func)).collect();
    choices.shuffle("donors", &mut all);
    let mut donors = Vec::new();
    for func in all {
        if donors.len() >= most {
            break;
        }
        let Some((ret, params)) = types(program, func) else { continue };
        let Some((program, func, end)) = alone(program, func) else { continue };
        let mut donor = Donor { func, ret, params, known: Vec::new(), program, end };
        for _ in 0..TRIES {
            let arguments: Vec<i128> =
                donor.params.iter().map(|&ty| argument(donor.program.target, ty, choices)).collect();
            if donor.known.iter().all(|known| known.arguments != arguments) {
                donor.known.extend(donor.called(&arguments, judge));
            }
        }
        // One that ignores its arguments is a constant.
        let first = donor.known.first().map(|known| known.result);
        if donor.known.iter().any(|known| Some(known.result) != first) {
            donors.push(donor);
        }
    }
    donors
}

/// The types of a function that takes integers and returns one.
fn types(program: &Program, func: FuncId) -> Option<(Type, Vec<Type>)> {
    let TypeKind::Function(id) = program.types.kind(program.funcs[func].ty) else { return None };
    let signature = program.types.signature(id);
    let plain = |ty: Type| match program.types.kind(ty) {
        TypeKind::Int(kind) => (kind.ty() == ty.bare()).then_some(ty.bare()),
        _ => None,
    };
    let params: Option<Vec<Type>> = signature.params.iter().map(|&ty| plain(ty)).collect();
    let params = params.filter(|params| !signature.variadic && (1..=PARAMS).contains(&params.len()))?;
    Some((plain(signature.ret)?, params))
}

/// Whether a function touches nothing but what it declares itself, and calls nobody but itself.
fn is_closed(program: &Program, func: FuncId) -> bool {
    let function = &program.funcs[func];
    let plain = function.body.is_some()
        && function.parent.is_none()
        && function.attrs.is_empty()
        && !function.old_style
        && !function.noreturn
        && program.name(function.name) != "main"
        && function.params.iter().all(|&param| program.objects[param].name.is_some())
        && types(program, func).is_some();
    let own = |object: ObjId| {
        let object = &program.objects[object];
        matches!(object.duration, Duration::Automatic | Duration::Parameter)
            && object.linkage == Linkage::None
            && !program.types.quals(object.ty).contains(Quals::VOLATILE)
            && !program.types.is_variably_modified(object.ty)
    };
    let fits = |node: Node| match node {
        Node::Expr(e) => match program.exprs[e].kind {
            ExprKind::Object(object) => own(object),
            ExprKind::Function(callee) => callee == func,
            ExprKind::StmtExpr(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::Builtin(..)
            | ExprKind::VaArg(_)
            | ExprKind::CompoundLiteral(_)
            | ExprKind::FuncName(_) => false,
            _ => true,
        },
        Node::Stmt(s) => match program.stmts[s].kind {
            StmtKind::Item(Item::Decl(decl)) => match program.decls[decl].entity {
                Entity::Object(object) => own(object),
                _ => false,
            },
            StmtKind::Item(_) | StmtKind::Asm(_) | StmtKind::LabelDecl(_) | StmtKind::GotoComputed(_) => {
                false
            }
            _ => true,
        },
        Node::Init(_) | Node::Function(_) => true,
    };
    plain
        && Walk::of(program, Node::Function(func)).all(|part| fits(part.node))
        && Walk::of(program, Node::Function(func)).statements().count() <= LARGEST
}

/// A number that functions are likely to take.
fn argument(target: Target, ty: Type, choices: &mut Choices) -> i128 {
    let number = match choices.range("argument", 0..=3u32) {
        0 => choices.range("argument", -2..=9i128),
        1 => choices.range("argument", 0..=255i128),
        2 => *choices
            .one_of("argument", &[16, 31, 100, 127, 1000, 32_767, 65_535, 1 << 20, i128::from(i32::MAX)]),
        _ => choices.range("argument", -70_000..=70_000i128),
    };
    let program = Program::new(target);
    let num = howler_lang::arith::num_of(&program.types, &target, ty).unwrap_or(Num::INT);
    num.number(num.bits(number))
}

impl Donor {
    /// The function as code to be declared, with a name.
    fn code(&self, name: &str) -> Option<Fragment> {
        Fragment::of_function(&self.program, self.func, name).ok()
    }

    /// What it returns for some arguments; nothing if it is undefined, or takes too long.
    fn called(&self, arguments: &[i128], judge: &Machine) -> Option<Known> {
        let (program, result, end) = self.asked(arguments)?;
        let points = [end];
        let wanted = ProfileOptions {
            points: Points::These(&points),
            rows: 0,
            values: 2,
            ..ProfileOptions::default()
        };
        let asked = judge.profile(&linked(&program), Input::default(), &wanted);
        asked.judgement.defined()?;
        let place = Part { object: result, path: Vec::new() };
        let values = asked.profile.sure(end, &place)?.values.as_ref()?;
        let [Scalar::Int(result)] = values.iter().copied().collect::<Vec<_>>()[..] else { return None };
        let statements: u64 = asked.profile.statements.values().sum();
        let cost = statements / asked.profile.runs.max(1);
        (cost <= COST).then(|| Known { arguments: arguments.to_vec(), result, cost })
    }

    /// A program that calls it once: with the object that has the result, and the statement after the call.
    fn asked(&self, arguments: &[i128]) -> Option<(Program, ObjId, StmtId)> {
        let (mut edited, func, end) = (Edited::new(self.program.clone()), self.func, self.end);
        let objects = edited.program().objects.len();
        let code = edited.statements(|c| {
            let call = self.call(c, func, arguments)?;
            Ok(vec![c.local("result", self.ret, Some(&Value::Expr(call)))?.1])
        });
        let place = Place::Before(edited.stmt(end));
        edited.apply(Edit::Insert { place, code: code.ok()? }).ok()?;
        Some((edited.into_program(), ObjId::from_index(objects), end))
    }

    fn call(&self, c: &mut Composer, func: FuncId, arguments: &[i128]) -> Built {
        let values: Composed<Vec<ExprId>> = self
            .params
            .iter()
            .zip(arguments)
            .map(|(&ty, &argument)| {
                let value = c.constant(ty, &Value::Int(argument))?;
                c.cast(ty, value)
            })
            .collect();
        c.call_of(func, &values?)
    }

    /// Puts it at the start of a unit of a program.
    pub fn install(&self, edited: &mut Edited, unit: u32) -> Option<Foreign> {
        let name = edited.fresh("foreign");
        let code = self.code(&name)?;
        edited.apply(Edit::Declare { place: ItemPlace::Start(unit), code }).ok()?;
        let Some(Named::Function(func)) = edited.named(unit, &name) else { return None };
        Some(Foreign { func, ret: self.ret, params: self.params.clone(), known: self.known.clone() })
    }
}

/// A program with nothing but a function and a `main` that does nothing: it, the function, and the statement of `main`.
fn alone(program: &Program, func: FuncId) -> Option<(Program, FuncId, StmtId)> {
    let mut c = Composer::new(program.target);
    c.unit("donor.c".to_owned());
    let end = main(&mut c).ok()?;
    let mut edited = Edited::new(c.program);
    let name = "donated";
    let code = Fragment::of_function(program, func, name).ok()?;
    edited.apply(Edit::Declare { place: ItemPlace::Start(0), code }).ok()?;
    let Some(Named::Function(func)) = edited.named(0, name) else { return None };
    Some((edited.into_program(), func, end))
}

/// `int main(void) { return 0; }`, and its statement.
fn main(c: &mut Composer) -> Composed<StmtId> {
    let main = c.function("main", signature(Type::INT, &[]), Linkage::External)?;
    let zero = c.int(0)?;
    let end = c.returns(main, Some(zero))?;
    c.define(main, Vec::new(), &[end])?;
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use howler_lang::print::{PrintOptions, unit};

    const TEXT: &str = "int g; static unsigned mix(unsigned a, short b) { unsigned s = 0; for (int i = 0; i < 5; i++) s = s * 31 + a + b; return s; }\n\
        int global(int a) { return a + g; } int caller(int a) { return global(a); } int two(void) { return 2; }\n\
        long fact(int n) { return n < 2 ? 1 : n * fact(n - 1); } int same(int a) { return 7; } void none(int a) { }\n\
        int endless(int a) { while (a != 70001) a ^= 1; return a; } int at(int *p) { return *p; } int var(int a, ...) { return a; }\n\
        int keeps(int a) { static int n; return n += a; } int table(int i) { int t[4] = { 3, 1, 4, 1 }; return t[i & 3]; }\n\
        int main(void) { return 0; }";

    fn names(program: &Program) -> Vec<&str> {
        let closed = program.funcs.ids().filter(|&func| is_closed(program, func));
        closed.map(|func| program.name(program.funcs[func].name)).collect()
    }

    /// Which of the functions above one was.
    fn origin(donor: &Donor) -> &'static str {
        match (donor.params.len(), donor.ret) {
            (2, _) => "mix",
            (_, Type::LONG) => "fact",
            _ if donor.known.iter().all(|known| known.result == 7) => "same",
            _ if donor.known.iter().all(|known| [1, 3, 4].contains(&known.result)) => "table",
            _ => "endless",
        }
    }

    #[test]
    fn functions_that_need_nothing_can_be_given_away() {
        let program = read(TEXT);
        assert_eq!(names(&program), ["mix", "fact", "same", "endless", "table"]);
        let found = donors(&program, 9, &mut Choices::new(1));
        let mut given: Vec<&str> = found.iter().map(|donor| origin(donor)).collect();
        given.sort_unstable();
        // A constant says nothing, and what does not end has no result.
        assert!(given.contains(&"mix") && given.contains(&"table"), "{given:?}");
        assert!(!given.contains(&"same") && !given.contains(&"endless"), "{given:?}");
    }

    #[test]
    fn results_are_what_the_functions_return() {
        let program = read(TEXT);
        for donor in donors(&program, 9, &mut Choices::new(2)) {
            assert!(donor.known.len() > 1);
            for known in &donor.known {
                let (first, rest) = known.arguments.split_first().unwrap();
                let expected = match origin(&donor) {
                    "table" => [3, 1, 4, 1][(first & 3) as usize],
                    "fact" => (2..=*first).product(),
                    "mix" => {
                        let add = (*first as u32).wrapping_add(rest[0] as i16 as u32);
                        i128::from((0..5).fold(0u32, |s, _| s.wrapping_mul(31).wrapping_add(add)))
                    }
                    other => panic!("{other}"),
                };
                assert_eq!(known.result, expected, "{known:?}");
            }
        }
    }

    #[test]
    fn a_function_comes_into_another_program_under_a_name_of_its_own() {
        let program = read(TEXT);
        let found = donors(&program, 9, &mut Choices::new(1));
        let mut edited = Edited::new(read("int foreign_1 = 3; int main(void) { return foreign_1; }"));
        for donor in &found {
            assert!(donor.install(&mut edited, 0).is_some());
        }
        let text = unit(edited.program(), 0, &PrintOptions::default());
        assert!(found.len() > 1 && text.contains("foreign_2(") && text.contains("foreign_3("), "{text}");
        assert!(!text.contains("mix") && !text.contains("table"), "{text}");
    }
}
