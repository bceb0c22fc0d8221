//! `verify` finds what it says it finds: each rule is broken by hand in a program that kept them all.

use howler_front::{Options, parse};
use howler_lang::diag::Severity;
use howler_lang::program::{
    BinaryOp, Conv, Duration, Entity, Expr, ExprId, ExprKind, FloatLit, Init, InitEntry, InitId, IntForm,
    Item, ObjId, Program, Stmt, StmtId, StmtKind, Storage, UnaryOp,
};
use howler_lang::target::Target;
use howler_lang::ty::{Type, TypeKind};
use howler_lang::verify;

const TEXT: &str = "struct s { int m, n; }; struct t { int k; }; struct s v; struct i; int g[2] = { 1, 2 };
    int twice(int x) { return x + x; } void put(double d, ...); struct s make(void);
    int al = 3; extern int be __attribute__((alias(\"al\"))); const char *h(void) { return __func__; }
    static int late(void); static int late(void) { return 1; } double half = 0.5; const int base = 4; const int next = base;
    void one(int len) { int bound[len]; } void other(int len) { int again[len]; }
    void give(int *); int *take(void) __attribute__((malloc(give)));
    int f(int x, unsigned u, int *p, double d, struct i *o) {
        int y = x, *q = p, z[3]; long l = x; char c; struct s w = { 1, 2 };
        y = x + 1; y += 2; y = x << 3; y = -x; y = !x; y = x < 2; y = x && p; y = x * 2; ++y; c = x; l = x; d = x; x = d;
        q = p + 1; y = p - q; y = *p; p = &y; y = p[1]; y = z[1]; q = x ? p : q; y = x ?: y; y = (x, y); y = ~u;
        y = twice(x); put(d, x); v.m = 1; y = make().n; u = (unsigned)x; p = 0; v = w; y = (int[]){ 3, 4 }[1];
        while (x) { if (x == 3) break; if (x == 4) continue; x--; }
        do x--; while (x > 0);
        for (int k = 0; k < 2; k++) y++;
        switch (x) { case 1: y = 2; break; default: y = 3; }
        if (x) { if (y) x = 1; } else y = 2;
        y = ({ int e = 3; e; });
        goto end;
    end:
        return y;
    }";

fn read() -> Program {
    let mut program = Program::new(Target::X86_64_GCC);
    let report = parse(&mut program, "a.c", TEXT.into(), &Options::default());
    assert!(report.unit.is_some(), "{:?}", report.diagnostics);
    program
}

fn expr(p: &Program, wanted: impl Fn(&Program, &Expr) -> bool) -> ExprId {
    p.exprs.iter().find(|(_, expr)| wanted(p, expr)).expect("the text has one").0
}

fn convert(p: &Program, conv: Conv) -> ExprId {
    expr(p, |_, expr| matches!(expr.kind, ExprKind::Convert(is, _) if is == conv))
}

fn unary(p: &Program, op: UnaryOp) -> ExprId {
    expr(p, |_, expr| matches!(expr.kind, ExprKind::Unary(is, _) if is == op))
}

fn binary(p: &Program, op: BinaryOp) -> ExprId {
    expr(p, |_, expr| matches!(expr.kind, ExprKind::Binary(is, ..) if is == op))
}

/// The operation on pointers.
fn pointers(p: &Program, op: BinaryOp) -> ExprId {
    expr(
        p,
        |p, expr| matches!(expr.kind, ExprKind::Binary(is, a, _) if is == op && p.types.pointee(p.ty(a)).is_some()),
    )
}

fn stmt(p: &Program, wanted: impl Fn(StmtKind) -> bool) -> StmtId {
    p.stmts.iter().find(|(_, stmt)| wanted(stmt.kind)).expect("the text has one").0
}

/// Puts an lvalue where the operand of `e` was a value.
fn unread(p: &mut Program, e: ExprId) {
    let read = |p: &Program, of: ExprId| match p.exprs[of].kind {
        ExprKind::Convert(Conv::Load, lvalue) => lvalue,
        _ => panic!("a read value"),
    };
    let kind = match p.exprs[e].kind {
        ExprKind::Convert(conv, of) => ExprKind::Convert(conv, read(p, of)),
        ExprKind::Cast(conv, of) => ExprKind::Cast(conv, read(p, of)),
        ExprKind::Unary(op, of) => ExprKind::Unary(op, read(p, of)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(op, read(p, a), b),
        ExprKind::Cond(c, a, b) => ExprKind::Cond(read(p, c), a, b),
        other => panic!("{other:?}"),
    };
    p.exprs.unchecked()[e].kind = kind;
}

fn set(p: &mut Program, e: ExprId, ty: Type) {
    p.exprs.unchecked()[e].ty = ty;
}

fn list(p: &Program) -> InitId {
    p.inits.iter().find(|(_, init)| matches!(init, Init::List(_))).expect("the text has one").0
}

/// A rule, what is done, and how.
type Row = (&'static str, &'static str, fn(&mut Program));

const ROWS: &[Row] = &[
    ("E-order", "an operand made later", |p| {
        let sum = binary(p, BinaryOp::Add);
        let ExprKind::Binary(op, _, b) = p.exprs[sum].kind else { unreachable!() };
        let again = p.exprs[b];
        let late = p.exprs.unchecked().push(again);
        p.exprs.unchecked()[sum].kind = ExprKind::Binary(op, late, b);
    }),
    ("E-order", "its own operand", |p| {
        let neg = unary(p, UnaryOp::Neg);
        p.exprs.unchecked()[neg].kind = ExprKind::Unary(UnaryOp::Neg, neg);
    }),
    ("E-order", "its own base", |p| {
        let member = expr(p, |_, expr| matches!(expr.kind, ExprKind::Member { .. }));
        p.exprs.unchecked()[member].kind = ExprKind::Member { base: member, field: 0 };
    }),
    ("E-order", "two operands of each other", |p| {
        let (neg, not) = (unary(p, UnaryOp::Neg), unary(p, UnaryOp::BitNot));
        p.exprs.unchecked()[neg].kind = ExprKind::Unary(UnaryOp::Neg, not);
        p.exprs.unchecked()[not].kind = ExprKind::Unary(UnaryOp::BitNot, neg);
    }),
    ("E-load", "a read of a value", |p| {
        let load = convert(p, Conv::Load);
        let one = expr(p, |_, expr| matches!(expr.kind, ExprKind::Int { .. }));
        let ty = p.ty(one);
        let read = Expr { kind: ExprKind::Convert(Conv::Load, one), ty, ..p.exprs[load] };
        p.exprs.unchecked().push(read);
    }),
    ("E-load", "another type", |p| {
        let load = convert(p, Conv::Load);
        set(p, load, Type::ULLONG);
    }),
    ("E-load", "a read of an incomplete type", |p| {
        let ty =
            p.objects.iter().find_map(|(_, o)| p.types.pointee(o.ty).filter(|&to| !p.types.is_complete(to)));
        let ty = ty.expect("the text has one");
        let deref = unary(p, UnaryOp::Deref);
        set(p, deref, ty);
    }),
    ("E-decay", "an array becomes another pointer", |p| {
        let decay = convert(p, Conv::ArrayDecay);
        let ty = p.types.pointer(Type::CHAR);
        set(p, decay, ty);
    }),
    ("E-decay", "an integer decays", |p| {
        let load = convert(p, Conv::Load);
        let ExprKind::Convert(_, of) = p.exprs[load].kind else { unreachable!() };
        p.exprs.unchecked()[load].kind = ExprKind::Convert(Conv::ArrayDecay, of);
    }),
    ("E-decay", "a function becomes an integer", |p| {
        let decay = convert(p, Conv::FunctionDecay);
        set(p, decay, Type::LONG);
    }),
    ("E-convert", "an integer converted as a floating value", |p| {
        let e = convert(p, Conv::IntToFloat);
        let ExprKind::Convert(_, of) = p.exprs[e].kind else { unreachable!() };
        p.exprs.unchecked()[e].kind = ExprKind::Convert(Conv::FloatToFloat, of);
    }),
    ("E-convert", "a cast to a pointer as one to an integer", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Cast(Conv::IntToInt, _)));
        let ty = p.types.pointer(Type::INT);
        set(p, e, ty);
    }),
    ("E-convert", "a null pointer of integer type", |p| {
        let e = convert(p, Conv::NullToPointer);
        set(p, e, Type::INT);
    }),
    ("E-value", "a sum of lvalues", |p| {
        let e = binary(p, BinaryOp::Add);
        unread(p, e);
    }),
    ("E-value", "an lvalue negated", |p| {
        let e = unary(p, UnaryOp::Neg);
        unread(p, e);
    }),
    ("E-value", "an lvalue compared with zero", |p| {
        let e = unary(p, UnaryOp::Not);
        unread(p, e);
    }),
    ("E-value", "an lvalue converted", |p| {
        let e = convert(p, Conv::IntToFloat);
        unread(p, e);
    }),
    ("E-value", "an lvalue cast", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Cast(Conv::IntToInt, _)));
        unread(p, e);
    }),
    ("E-value", "an lvalue as condition", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Cond(..)));
        unread(p, e);
    }),
    ("E-value", "a comma of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Comma(..)));
        set(p, e, Type::DOUBLE);
    }),
    ("E-arith", "a negation of another type", |p| {
        let e = unary(p, UnaryOp::Neg);
        set(p, e, Type::LONG);
    }),
    ("E-arith", "a product of another type", |p| {
        let e = binary(p, BinaryOp::Mul);
        set(p, e, Type::LONG);
    }),
    ("E-arith", "a sum of int and long", |p| {
        let e = binary(p, BinaryOp::Add);
        let ExprKind::Binary(_, a, _) = p.exprs[e].kind else { unreachable!() };
        set(p, a, Type::LONG);
    }),
    ("E-arith", "a shift of the type of its count", |p| {
        let e = binary(p, BinaryOp::Shl);
        set(p, e, Type::ULONG);
    }),
    ("E-arith", "a comparison of int and double", |p| {
        let e = binary(p, BinaryOp::Lt);
        let ExprKind::Binary(_, a, _) = p.exprs[e].kind else { unreachable!() };
        set(p, a, Type::DOUBLE);
    }),
    ("E-arith", "a conjunction that is no int", |p| {
        let e = binary(p, BinaryOp::And);
        set(p, e, Type::LONG);
    }),
    ("E-pointer", "a pointer moved to another type", |p| {
        let e = pointers(p, BinaryOp::Add);
        let ty = p.types.pointer(Type::CHAR);
        set(p, e, ty);
    }),
    ("E-pointer", "a pointer moved by a pointer", |p| {
        let e = pointers(p, BinaryOp::Sub);
        let ExprKind::Binary(_, a, b) = p.exprs[e].kind else { unreachable!() };
        p.exprs.unchecked()[e].kind = ExprKind::Binary(BinaryOp::Add, a, b);
    }),
    ("E-pointer", "a difference that is a pointer", |p| {
        let e = pointers(p, BinaryOp::Sub);
        let ty = p.types.pointer(Type::CHAR);
        set(p, e, ty);
    }),
    ("E-pointer", "an integer dereferenced", |p| {
        let e = unary(p, UnaryOp::Deref);
        let ExprKind::Unary(_, of) = p.exprs[e].kind else { unreachable!() };
        set(p, of, Type::LONG);
    }),
    ("E-pointer", "the address of another type", |p| {
        let e = unary(p, UnaryOp::AddrOf);
        let ty = p.types.pointer(Type::CHAR);
        set(p, e, ty);
    }),
    ("E-pointer", "an element of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Index { .. }));
        set(p, e, Type::CHAR);
    }),
    ("E-pointer", "a floating index", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Index { .. }));
        let ExprKind::Index { index, .. } = p.exprs[e].kind else { unreachable!() };
        set(p, index, Type::DOUBLE);
    }),
    ("E-assign", "an assignment to a value", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Assign(..)));
        let ExprKind::Assign(_, rhs) = p.exprs[e].kind else { unreachable!() };
        p.exprs.unchecked()[e].kind = ExprKind::Assign(rhs, rhs);
    }),
    ("E-assign", "an assignment of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Assign(..)));
        set(p, e, Type::LONG);
    }),
    ("E-assign", "a compound assignment of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Compound { .. }));
        set(p, e, Type::LONG);
    }),
    ("E-assign", "a value incremented", |p| {
        let e = unary(p, UnaryOp::PreInc);
        let value = expr(p, |_, expr| matches!(expr.kind, ExprKind::Int { .. }) && expr.ty == Type::INT);
        p.exprs.unchecked()[e].kind = ExprKind::Unary(UnaryOp::PreInc, value);
    }),
    ("E-cond", "a result of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Cond(..)));
        set(p, e, Type::LONG);
    }),
    ("E-cond", "a result of another type, without a middle", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Elvis(..)));
        set(p, e, Type::DOUBLE);
    }),
    ("E-call", "a call of an integer", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Call(..)));
        let ExprKind::Call(callee, _) = p.exprs[e].kind else { unreachable!() };
        set(p, callee, Type::LONG);
    }),
    ("E-call", "no arguments", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Call(..)));
        let ExprKind::Call(callee, _) = p.exprs[e].kind else { unreachable!() };
        let none = p.add_list(&[]);
        p.exprs.unchecked()[e].kind = ExprKind::Call(callee, none);
    }),
    ("E-call", "an argument of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Call(..)));
        let ExprKind::Call(_, args) = p.exprs[e].kind else { unreachable!() };
        let arg = p.list(args)[0];
        set(p, arg, Type::LONG);
    }),
    ("E-call", "a result of another type", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Call(..)));
        set(p, e, Type::LONG);
    }),
    ("E-member", "a member that is not there", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Member { .. }));
        let ExprKind::Member { base, .. } = p.exprs[e].kind else { unreachable!() };
        p.exprs.unchecked()[e].kind = ExprKind::Member { base, field: 2 };
    }),
    ("E-member", "a member of an integer", |p| {
        let e = expr(p, |_, expr| matches!(expr.kind, ExprKind::Member { .. }));
        let ExprKind::Member { base, .. } = p.exprs[e].kind else { unreachable!() };
        set(p, base, Type::INT);
    }),
    ("S-once", "a statement twice in a block", |p| {
        let again = stmt(p, |kind| matches!(kind, StmtKind::Expr(_)));
        let body = p.funcs.iter().last().and_then(|(_, f)| f.body).expect("f has a body");
        let StmtKind::Compound(list) = p.stmts[body].kind else { unreachable!() };
        let mut stmts = p.block(list).to_vec();
        stmts.push(again);
        let list = p.add_block(&stmts);
        p.stmts[body].kind = StmtKind::Compound(list);
    }),
    ("S-once", "a loop that is its own body", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::While { .. }));
        let StmtKind::While { cond, .. } = p.stmts[id].kind else { unreachable!() };
        p.stmts[id].kind = StmtKind::While { cond, body: id };
    }),
    ("S-once", "an if whose else is the if", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::If { other: Some(_), .. }));
        let StmtKind::If { cond, .. } = p.stmts[id].kind else { unreachable!() };
        p.stmts[id].kind = StmtKind::If { cond, then: id, other: Some(id) };
    }),
    ("S-else", "an else that would belong to another if", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::If { other: Some(_), .. }));
        let StmtKind::If { cond, then, other } = p.stmts[id].kind else { unreachable!() };
        let StmtKind::Compound(list) = p.stmts[then].kind else { unreachable!() };
        let then = p.block(list)[0];
        p.stmts[id].kind = StmtKind::If { cond, then, other };
    }),
    ("S-jump", "a break outside", |p| jump(p, StmtKind::Break)),
    ("S-jump", "a continue outside", |p| jump(p, StmtKind::Continue)),
    ("S-jump", "a default outside", |p| {
        let body =
            p.stmts.push(Stmt { kind: StmtKind::Empty, ..p.stmts[stmt(p, |kind| kind == StmtKind::Break)] });
        jump(p, StmtKind::Default(body));
    }),
    ("S-label", "a goto to nowhere", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::Label(..)));
        let StmtKind::Label(_, body) = p.stmts[id].kind else { unreachable!() };
        p.stmts[id].kind = StmtKind::Default(body);
    }),
    ("S-label", "a label in two places", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::Label(..)));
        let StmtKind::Label(label, _) = p.stmts[id].kind else { unreachable!() };
        let body = p.stmts.push(Stmt { kind: StmtKind::Empty, ..p.stmts[id] });
        jump(p, StmtKind::Label(label, body));
    }),
    ("S-return", "a value of another type", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::Return(Some(_))));
        let StmtKind::Return(Some(value)) = p.stmts[id].kind else { unreachable!() };
        set(p, value, Type::DOUBLE);
    }),
    ("D-body", "a body that is no block", |p| {
        let empty = stmt(p, |kind| matches!(kind, StmtKind::Break));
        let func = p.funcs.ids().next_back().expect("the text has functions");
        p.funcs[func].body = Some(empty);
    }),
    ("D-body", "a parameter without an object", |p| {
        let func = p.funcs.ids().next_back().expect("the text has functions");
        p.funcs[func].params.pop();
    }),
    ("D-init", "a value of another type", |p| {
        let init =
            p.inits.iter().find(|(_, init)| matches!(init, Init::Expr(_))).expect("the text has one").0;
        let Init::Expr(e) = p.inits[init] else { unreachable!() };
        set(p, e, Type::DOUBLE);
    }),
    ("D-init", "a member that is not there", |p| {
        let object = p
            .objects
            .iter()
            .find(|(_, o)| matches!(p.types.kind(o.ty), TypeKind::Record(_)) && o.init.is_some());
        let init = object.and_then(|(_, object)| object.init).expect("the text has one");
        let Init::List(entries) = p.inits[init] else { unreachable!() };
        let mut entries = p.init_entries(entries).to_vec();
        entries[1].index = 7;
        let entries = p.add_entries(&entries);
        p.inits[init] = Init::List(entries);
    }),
    ("D-linkage", "static after a declaration without", |p| {
        let decl = p
            .decls
            .iter()
            .find(|(_, d)| matches!(d.entity, Entity::Function(f) if p.name(p.funcs[f].name) == "late"));
        let decl = decl.expect("the text has it").0;
        p.decls[decl].storage = Storage::None;
    }),
    ("D-linkage", "extern without linkage", |p| {
        let z = named(p, "z");
        let decl = p.decls.iter().find(|(_, d)| d.entity == Entity::Object(z)).expect("the text has it").0;
        p.decls[decl].storage = Storage::Extern;
    }),
    ("D-linkage", "declared in another unit", |p| {
        let v = named(p, "v");
        p.objects[v].unit = 1;
    }),
    ("D-bound", "an array of another function's length", |p| {
        let (bound, again) = (named(p, "bound"), named(p, "again"));
        let ty = p.objects[bound].ty;
        let decl =
            p.decls.iter().find(|(_, d)| d.entity == Entity::Object(again)).expect("the text has it").0;
        (p.objects[again].ty, p.decls[decl].ty) = (ty, ty);
    }),
    ("D-literal", "a literal that outlives its function", |p| {
        let literal = expr(p, |_, expr| matches!(expr.kind, ExprKind::CompoundLiteral(_)));
        let ExprKind::CompoundLiteral(object) = p.exprs[literal].kind else { unreachable!() };
        p.objects[object].duration = Duration::Static;
    }),
    ("E-once", "one value for two", |p| {
        let sum = binary(p, BinaryOp::Add);
        let ExprKind::Binary(op, a, _) = p.exprs[sum].kind else { unreachable!() };
        p.exprs.unchecked()[sum].kind = ExprKind::Binary(op, a, a);
    }),
    ("E-literal", "a value that its type does not have", |p| {
        let one = expr(p, |_, expr| matches!(expr.kind, ExprKind::Int { .. }) && expr.ty == Type::INT);
        p.exprs.unchecked()[one].kind = ExprKind::Int { value: 1 << 31, form: IntForm::Decimal };
    }),
    ("E-literal", "a literal of type char", |p| {
        let one = expr(p, |_, expr| matches!(expr.kind, ExprKind::Int { .. }) && expr.ty == Type::INT);
        set(p, one, Type::CHAR);
    }),
    ("E-literal", "a negative float", |p| {
        let half = expr(p, |_, expr| matches!(expr.kind, ExprKind::Float(_)));
        let ExprKind::Float(id) = p.exprs[half].kind else { unreachable!() };
        p.floats[id] = FloatLit { bits: 1 << 63, spelling: None };
    }),
    ("S-declare", "a loop as the head of a loop", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::For { .. }));
        let StmtKind::For { cond, step, body, .. } = p.stmts[id].kind else { unreachable!() };
        let head = p.stmts.push(Stmt { kind: StmtKind::Empty, ..p.stmts[id] });
        p.stmts[id].kind = StmtKind::For { init: Some(head), cond, step, body };
    }),
    ("S-case", "a case of another type", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::Case { .. }));
        let StmtKind::Case { lo, .. } = p.stmts[id].kind else { unreachable!() };
        set(p, lo, Type::LONG);
    }),
    ("D-constant", "a static object begins with a parameter's value", |p| {
        let g = p.objects[named(p, "g")].init.expect("the text has it");
        let Init::List(entries) = p.inits[g] else { unreachable!() };
        let first = p.init_entries(entries)[0].init;
        let read = expr(
            p,
            |p, expr| matches!(expr.kind, ExprKind::Convert(Conv::Load, of) if p.ty(of) == Type::INT),
        );
        p.inits[first] = Init::Expr(read);
    }),
    ("D-constant", "a constant object begins with its own value", |p| {
        let (base, next) = (named(p, "base"), named(p, "next"));
        let e = expr(p, |_, expr| expr.kind == ExprKind::Object(base));
        p.exprs.unchecked()[e].kind = ExprKind::Object(next);
    }),
    ("D-order", "its own part", |p| {
        let id = list(p);
        let entries = p.add_entries(&[InitEntry { index: 0, last: 0, init: id }]);
        p.inits[id] = Init::List(entries);
    }),
    ("D-order", "a part made later", |p| {
        let id = list(p);
        let one = expr(p, |_, expr| matches!(expr.kind, ExprKind::Int { .. }) && expr.ty == Type::INT);
        let late = p.inits.push(Init::Expr(one));
        let entries = p.add_entries(&[InitEntry { index: 0, last: 0, init: late }]);
        p.inits[id] = Init::List(entries);
    }),
    ("D-tag", "one tag for two types", |p| {
        let tags: Vec<_> = p.units[0]
            .items
            .iter()
            .filter_map(|&item| match item {
                Item::Record(id) => Some(id),
                _ => None,
            })
            .collect();
        p.types.records[tags[1]].tag = p.types.records[tags[0]].tag;
    }),
    ("D-tag", "a type without a tag", |p| {
        let ids: Vec<_> = p.types.records.ids().collect();
        for id in ids {
            p.types.records[id].tag = None;
        }
    }),
    ("N-reach", "a loop's variable hides the one that the loop changes", |p| {
        let (k, y) = (named(p, "k"), named(p, "y"));
        p.objects[k].name = p.objects[y].name;
    }),
    ("N-declare", "a call of what nothing declares", |p| drop_items(p, |p, item| declares(p, item, "make"))),
    ("N-type", "a type that nothing defines", |p| {
        drop_items(p, |p, item| {
            let tag = |id| p.types.records[id].tag.map(|tag| p.name(tag));
            matches!(item, Item::Record(id) if tag(id) == Some("s"))
        });
    }),
    ("N-attribute", "an alias of nothing", |p| drop_items(p, |p, item| declares(p, item, "al"))),
    ("N-attribute", "a deallocator that nothing declares", |p| {
        drop_items(p, |p, item| declares(p, item, "give"));
    }),
    ("N-once", "one name for two objects of a block", |p| {
        let (z, l) = (named(p, "z"), named(p, "l"));
        p.objects[z].name = p.objects[l].name;
    }),
    ("E-function", "the name of a function in another", |p| {
        let name = p.symbols.intern("longer");
        let h = p.funcs.iter().find(|(_, f)| p.name(f.name) == "h").expect("the text has it").0;
        p.funcs[h].name = name;
    }),
    ("S-case", "a case for the same value", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::Case { .. }));
        let StmtKind::Case { lo, body, .. } = p.stmts[id].kind else { unreachable!() };
        let inner = p.stmts.push(Stmt { kind: StmtKind::Case { lo, hi: None, body }, ..p.stmts[id] });
        p.stmts[id].kind = StmtKind::Case { lo, hi: None, body: inner };
    }),
    ("S-declare", "a declaration instead of a statement", |p| {
        let item = stmt(p, |kind| matches!(kind, StmtKind::Item(Item::Decl(_))));
        let id = stmt(p, |kind| matches!(kind, StmtKind::DoWhile { .. }));
        let StmtKind::DoWhile { body, .. } = p.stmts[id].kind else { unreachable!() };
        p.stmts[body].kind = p.stmts[item].kind;
    }),
    ("S-declare", "a list of declarations in a block", |p| {
        let id = stmt(p, |kind| matches!(kind, StmtKind::Decls(_)));
        let StmtKind::Decls(list) = p.stmts[id].kind else { unreachable!() };
        jump(p, StmtKind::Decls(list));
        let outer = stmt(p, |kind| matches!(kind, StmtKind::For { .. }));
        let StmtKind::For { cond, step, body, .. } = p.stmts[outer].kind else { unreachable!() };
        p.stmts[outer].kind = StmtKind::For { init: None, cond, step, body };
    }),
];

/// The object of a name.
fn named(p: &Program, text: &str) -> ObjId {
    let is = |name| p.name(name) == text;
    p.objects.iter().find(|(_, object)| object.name.is_some_and(is)).expect("the text has it").0
}

/// Takes the declarations away that `gone` is true of.
fn drop_items(p: &mut Program, gone: impl Fn(&Program, Item) -> bool) {
    let mut items = p.units[0].items.clone();
    items.retain(|&item| !gone(p, item));
    assert!(items.len() < p.units[0].items.len(), "the text has one");
    p.units[0].items = items;
}

fn declares(p: &Program, item: Item, name: &str) -> bool {
    let Item::Decl(decl) = item else { return false };
    match p.decls[decl].entity {
        Entity::Object(object) => p.objects[object].name.is_some_and(|known| p.name(known) == name),
        Entity::Function(func) => p.name(p.funcs[func].name) == name,
        Entity::Typedef(_) | Entity::Bounds => false,
    }
}

/// Puts a statement at the end of the last function.
fn jump(p: &mut Program, kind: StmtKind) {
    let body = p.funcs.iter().last().and_then(|(_, f)| f.body).expect("f has a body");
    let new = p.stmts.push(Stmt { kind, ..p.stmts[body] });
    let StmtKind::Compound(list) = p.stmts[body].kind else { unreachable!() };
    let mut stmts = p.block(list).to_vec();
    stmts.push(new);
    let list = p.add_block(&stmts);
    p.stmts[body].kind = StmtKind::Compound(list);
}

#[test]
fn every_broken_rule_is_found() {
    assert_eq!(verify::program(&read()), [], "the text keeps all rules");
    for (rule, what, spoil) in ROWS {
        let mut program = read();
        spoil(&mut program);
        let faults = verify::program(&program);
        assert!(faults.iter().any(|fault| fault.rule == *rule), "{rule}, {what}: {faults:?}");
    }
}

#[test]
fn every_rule_is_tried() {
    let head = include_str!("../../lang/src/verify.rs");
    let listed = head.lines().filter_map(|line| line.strip_prefix("//! - **")?.split_once("**"));
    let mut count = 0;
    for (rule, _) in listed {
        count += 1;
        assert!(ROWS.iter().any(|(code, ..)| *code == rule), "{rule} is never broken");
    }
    assert!(count >= 20, "the list of rules was found");
}

#[test]
fn cycles_through_other_kinds_of_nodes_end() {
    // A compound literal in its own initialiser.
    let mut p = read();
    let literal = expr(&p, |_, expr| matches!(expr.kind, ExprKind::CompoundLiteral(_)));
    let ExprKind::CompoundLiteral(object) = p.exprs[literal].kind else { unreachable!() };
    let own = p.inits.push(Init::Expr(literal));
    p.objects[object].init = Some(own);
    assert!(!verify::program(&p).is_empty());
    // A statement expression in its own body.
    let mut p = read();
    let outer = expr(&p, |_, expr| matches!(expr.kind, ExprKind::StmtExpr(_)));
    let ExprKind::StmtExpr(body) = p.exprs[outer].kind else { unreachable!() };
    let inner = p.stmts.push(Stmt { kind: StmtKind::Expr(outer), ..p.stmts[body] });
    let stmts = p.add_block(&[inner]);
    p.stmts[body].kind = StmtKind::Compound(stmts);
    assert!(!verify::program(&p).is_empty());
}

#[test]
fn a_bound_is_of_one_function() {
    let text = "void f(int n) { int a[n]; int (*p)[n] = &a; } void g(int m) { int b[m]; } int k; void h(int a[k][k]) {}
                int main(void) { void in(void) { int c[k]; } int d[k]; in(); }";
    let mut p = Program::new(Target::X86_64_GCC);
    let report = parse(&mut p, "a.c", text.into(), &Options::default());
    assert!(report.unit.is_some() && verify::program(&p).is_empty(), "{:?}", verify::program(&p));
    let decl = |p: &Program, name: &str| {
        let is = |entity| matches!(entity, Entity::Object(object) if p.objects[object].name.is_some_and(|n| p.name(n) == name));
        p.decls.iter().find(|(_, decl)| is(decl.entity)).expect("the text has it").0
    };
    let (a, b, c, d) = (decl(&p, "a"), decl(&p, "b"), decl(&p, "c"), decl(&p, "d"));
    let broken = |p: &mut Program, one, other| {
        let ty = p.decls[one].ty;
        let Entity::Object(object) = p.decls[other].entity else { unreachable!() };
        let was = std::mem::replace(&mut p.decls[other].ty, ty);
        p.objects[object].ty = ty;
        let found = verify::program(p).iter().any(|fault| fault.rule == "D-bound");
        (p.decls[other].ty, p.objects[object].ty) = (was, was);
        found
    };
    assert!(broken(&mut p, a, b) && broken(&mut p, d, b));
    assert!(!broken(&mut p, d, c), "a nested function may have it");
}

#[test]
fn what_only_some_compilers_take_is_counted() {
    for (text, count) in [
        ("int f(void) { return 1; } void g(void) { return; } short s = 1e3;", 0),
        ("int f(void) { return; }", 1),
        ("short s = 1e20, t[2] = { 1e21, (int)1e22 };", 3),
        ("void f(int n) { for (;;) while (({ break; n; })) n++; }", 1),
        ("void f(void *p) { goto *p; }", 1),
        ("void c(int *); void f(int n) { if (n) goto l; int x __attribute__((cleanup(c))); l:; }", 1),
        ("void *f(int n) { return __builtin_return_address(n); }", 1),
        ("int (*p)(int) = __builtin_abs;", 1),
        ("void f(void) { extern int g(int); g(1); } void h(void) { g(2); }", 1),
        ("int abs(int); int x = abs(-3), y = __builtin_abs(-3);", 1),
        ("void f(void) { __label__ l; ; }", 1),
        ("void f(p, i) char *p; long i; {} void g(void) { f(1L, 2); f((int *)1, 1.5); f(0); f(); }", 2),
    ] {
        let mut program = Program::new(Target::X86_64_GCC);
        parse(&mut program, "a.c", text.into(), &Options::default());
        let found = verify::examine(&program);
        assert_eq!((found.odd, found.faults), (count, vec![]), "{text}");
    }
}

#[test]
fn what_gcc_takes_breaks_no_rule() {
    for text in [
        "extern enum e x; enum e { a = 1 };",
        "void f(void) { enum never *p; extern enum other x; }",
        "void f(void) { auto enum e g(); enum e { a }; enum e g() { return a; } }",
        "float x = __builtin_inff();",
        "int (*p)(int) = __builtin_abs;",
        "void f(int *p) { extern int g(int *); g(p); } void h(int *p) { g(p); }",
        "__attribute__((malloc(unknown))) void *f(int);",
        "void *f(int) __attribute__((malloc(__builtin_free, 1)));",
        "int x __attribute__((alias(\"y\"))); asm(\"y: .long 1\");",
        "int f(void) { return ({ struct q { int z; } v = { 4 }; v; }).z + sizeof(({ struct r { int z; } v; v; })); }",
        "int f(void) { int x = 1; { extern int f(void); struct f { int x; } *p = 0; extern int f(void); return !p; } }",
        "const char *f = __func__; int n = sizeof __func__;",
        "void f(void) { { __label__ l; { __label__ l; l:; } l:; } }",
    ] {
        let mut program = Program::new(Target::X86_64_GCC);
        let report = parse(&mut program, "a.c", text.into(), &Options::default());
        let refused = |said: &howler_lang::diag::Diagnostic| said.severity >= Severity::Unsupported;
        assert!(!report.diagnostics.iter().any(refused), "{text}: {:?}", report.diagnostics);
        assert_eq!(verify::program(&program), [], "{text}");
    }
}
