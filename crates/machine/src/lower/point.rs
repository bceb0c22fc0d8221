//! What a profiled program observes: instructions that count and look, and change nothing. A program without a profile
//! has none of them.

use super::Lowerer;
use super::flow::OpenSwitch;
use crate::facts::{self, Effects};
use crate::op::{NumId, Op, Reg};
use crate::profile::parts::{ObjectParts, points_in};
use crate::profile::tables::{OperatorSite, SwitchSite, Watched, WatchedObject};
use crate::profile::{Operator, Points, ProfileOptions};
use howler_choices::Choices;
use howler_lang::arith::Num;
use howler_lang::program::{BinaryOp, Duration, ExprId, ObjId, Program, StmtId, UnaryOp};
use howler_lang::scope::{Named, Point, Scopes};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is to be observed.
pub(super) struct Watch {
    /// The points that were chosen.
    chosen: FxHashSet<StmtId>,
    /// What can be named where; none if nothing was chosen.
    scopes: Option<Scopes>,
    /// How many objects are looked at before a statement, and parts of one.
    objects: usize,
    parts: usize,
    operands: bool,
    /// Objects whose parts were found.
    known: FxHashMap<ObjId, u32>,
    /// What happens beside statements, once it was asked for.
    beside: Option<FxHashMap<StmtId, Effects>>,
}

impl Watch {
    pub fn of(program: &Program, options: &ProfileOptions<'_>) -> Watch {
        let scopes = (options.points != Points::None).then(|| Scopes::of(program));
        let all = || scopes.as_ref().map_or(Vec::new(), |scopes| points_in(program, scopes));
        let chosen = match options.points {
            Points::None => FxHashSet::default(),
            Points::These(points) => points.iter().copied().collect(),
            Points::All => all().into_iter().collect(),
            Points::Sample { seed, number } => {
                let mut all = all();
                Choices::new(seed).sub("points").shuffle("point", &mut all);
                all.into_iter().take(number).collect()
            }
        };
        let ProfileOptions { objects, parts, .. } = *options;
        let (operands, known) = (options.operands(), FxHashMap::default());
        Watch { chosen, scopes, objects, parts, operands, known, beside: None }
    }
}

impl Lowerer<'_> {
    /// An instruction that only observes: it has no part in what a seed chooses.
    fn observe(&mut self, op: Op) {
        self.f.observing += 1;
        self.f.ops.push(op);
        self.f.positions.push(self.f.pos);
    }

    /// Marks the beginning of a statement in a profiled program.
    pub fn point(&mut self, stmt: StmtId) {
        let Some(watch) = &self.watch else { return };
        let mut point = u32::MAX;
        if watch.chosen.contains(&stmt) {
            let watched = self.watched(stmt);
            point = self.out.profile.points.len() as u32;
            self.out.profile.points.push(watched);
        }
        self.observe(Op::Stmt { stmt, point });
    }

    /// The objects that can be named before a statement, and where they are.
    fn watched(&mut self, stmt: StmtId) -> Watched {
        let names = self.watch.as_ref().and_then(|watch| watch.scopes.as_ref());
        let names = names.map_or(Vec::new(), |scopes| scopes.names(Point::Before(stmt)));
        let mut found = FxHashSet::default();
        let beside = self.beside(stmt);
        let mut watched =
            Watched { stmt, objects: Vec::new(), left_out: Vec::new(), statics: FxHashMap::default() };
        // The innermost are the most interesting, if there are too many.
        for name in names.iter().rev().filter(|name| !name.is_hidden()) {
            let Named::Object(object) = name.named else { continue };
            if !found.insert(object) {
                continue;
            }
            let room = watched.objects.len() < self.watch.as_ref().map_or(0, |watch| watch.objects);
            let Some((reg, in_memory)) = self.home(object).filter(|_| room) else {
                watched.left_out.push(object);
                continue;
            };
            if reg & crate::op::POOL != 0 {
                watched.statics.insert(self.definition(object), object);
            }
            let parts = self.parts(object);
            let beside = beside.is_some_and(|beside| beside.may_write(object, in_memory));
            watched.objects.push(WatchedObject { object, parts, reg, in_memory, beside });
        }
        watched.objects.sort_unstable_by_key(|watched| watched.object);
        watched
    }

    /// What is evaluated beside the statement expressions that a statement is in.
    fn beside(&mut self, stmt: StmtId) -> Option<Effects> {
        let watch = self.watch.as_mut()?;
        let known = watch.beside.get_or_insert_with(|| facts::beside(self.program, &self.facts));
        known.get(&stmt).copied()
    }

    /// The register of an object or of a pointer to it, and which of both it is; none for what belongs to a function
    /// around, and for what the program does not define.
    fn home(&mut self, object: ObjId) -> Option<(Reg, bool)> {
        let program = self.program;
        if let Some(&reg) = self.f.objects.get(&object) {
            let ty = program.objects[object].ty;
            return Some((reg, self.facts.is_in_memory(object) || facts::is_aggregate(program, ty)));
        }
        let defined = program.objects[self.definition(object)].defined;
        let lives = matches!(program.objects[object].duration, Duration::Static | Duration::Thread);
        (lives && defined).then(|| (self.pool_object(object), true))
    }

    fn definition(&self, object: ObjId) -> ObjId {
        let linked = self.program.objects[object].linked.unwrap_or(object);
        super::aliased_object(self.program, linked)
    }

    fn parts(&mut self, object: ObjId) -> u32 {
        let Some(watch) = &mut self.watch else { return 0 };
        if let Some(&known) = watch.known.get(&object) {
            return known;
        }
        let number = self.out.profile.objects.len() as u32;
        watch.known.insert(object, number);
        self.out.profile.objects.push(ObjectParts::of(self.program, object, watch.parts));
        number
    }

    /// Counts whether a controlling expression holds.
    pub fn branch(&mut self, expr: ExprId, num: NumId, cond: Reg) {
        if self.watch.is_some() {
            let site = self.out.profile.branches.len() as u32;
            self.out.profile.branches.push(expr);
            self.observe(Op::Branch { num, cond, site });
        }
    }

    /// Counts where a `switch` goes; its cases follow.
    pub fn switch_site(&mut self, expr: ExprId, value: Reg) -> Option<u32> {
        self.watch.as_ref()?;
        let num =
            howler_lang::arith::num_of(&self.program.types, &self.program.target, self.program.ty(expr))?;
        let site = self.out.profile.switches.len() as u32;
        self.out.profile.switches.push(SwitchSite { expr, num, cases: Vec::new(), default: None });
        self.observe(Op::Way { value, site });
        Some(site)
    }

    pub fn switch_cases(&mut self, site: Option<u32>, open: &OpenSwitch) {
        let Some(site) = site else { return };
        let site = &mut self.out.profile.switches[site as usize];
        let ranges = open.cases.iter().zip(&open.stmts);
        site.cases = ranges.map(|(&(lo, hi, ..), &stmt)| (lo, hi, stmt)).collect();
        site.cases.sort_unstable();
        site.default = open.default_stmt;
    }

    /// Looks at the operands of an arithmetic operator that is emitted next.
    pub fn watch_operands(&mut self, op: &Op) {
        let (Some(expr), true) = (self.f.expr, self.watch.as_ref().is_some_and(|watch| watch.operands))
        else {
            return;
        };
        let nums = &self.out.nums;
        let num = |id: NumId| nums[usize::from(id)];
        let (operator, args, result) = match *op {
            Op::Unary { op: op @ (UnaryOp::Neg | UnaryOp::BitNot), num: of, a, .. } => {
                (Operator::Unary(op), vec![(a, num(of))], num(of))
            }
            Op::Binary { op, num: of, a, b, .. } if computes(op) => {
                (Operator::Binary(op), vec![(a, num(of)), (b, num(of))], num(of))
            }
            Op::Shift { op, num: of, count, a, b, .. } => {
                (Operator::Binary(op), vec![(a, num(of)), (b, num(count))], num(of))
            }
            Op::Step { up, num: of, a, .. } => {
                let op = if up { UnaryOp::PreInc } else { UnaryOp::PreDec };
                (Operator::Unary(op), vec![(a, num(of))], num(of))
            }
            Op::Convert { from, to, a, .. } => match (num(from), num(to)) {
                (from @ Num::Float(_), to @ Num::Int { .. }) => (Operator::Convert, vec![(a, from)], to),
                _ => return,
            },
            _ => return,
        };
        let site = self.out.profile.operators.len() as u32;
        self.out.profile.operators.push(OperatorSite { expr, operator, args, result });
        self.observe(Op::Operands { site });
    }

    /// Looks at the arguments of a call that is emitted next.
    pub fn watch_call(&mut self, expr: ExprId, call: u32) {
        if self.watch.as_ref().is_some_and(|watch| watch.operands) {
            let site = self.out.profile.calls.len() as u32;
            self.out.profile.calls.push((expr, call));
            self.observe(Op::Arguments { site });
        }
    }
}

/// Not `&&`, `||` and `,`, which are no arithmetic.
fn computes(op: BinaryOp) -> bool {
    !matches!(op, BinaryOp::And | BinaryOp::Or)
}
