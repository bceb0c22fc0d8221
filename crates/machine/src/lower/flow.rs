//! Where control goes: loops, switches, labels, and the scopes a jump leaves and enters.

use super::{Lower, Lowerer};
use crate::op::{CallSite, NONE, Op, Reg, Scope, SwitchTable};
use howler_lang::fold;
use howler_lang::program::{ExprId, LabelId, StmtId};
use howler_lang::target::Compiler;
use howler_lang::ty::TypeKind;

/// An open loop or switch, for `break` and `continue`.
#[derive(Debug)]
pub(crate) struct Loop {
    /// The scope outside of it.
    pub scope: Option<u32>,
    pub breaks: Vec<u32>,
    pub continues: Vec<u32>,
    pub is_loop: bool,
    /// Its condition or its step is being lowered, not its body.
    pub head: bool,
}

/// A switch whose cases are being collected.
#[derive(Default, Debug)]
pub(crate) struct OpenSwitch {
    pub cases: Vec<(i128, i128, u32, Option<u32>)>,
    pub default: Option<(u32, Option<u32>)>,
    /// The statements of the cases and of the default.
    pub stmts: Vec<StmtId>,
    pub default_stmt: Option<StmtId>,
}

impl Lowerer<'_> {
    /// Opens a scope; its objects are added while it is open.
    pub fn open_scope(&mut self) -> u32 {
        let id = self.f.scopes.len() as u32;
        self.f.scopes.push(Scope { parent: self.f.scope, ..Scope::default() });
        self.f.scope = Some(id);
        self.emit(Op::Enter { scope: id });
        id
    }

    pub fn close_scope(&mut self, scope: u32) {
        self.clean_up(scope);
        self.emit(Op::Leave);
        self.f.scope = self.f.scopes[scope as usize].parent;
    }

    /// Calls the cleanup functions of a scope's objects, the last declared first (GNU).
    pub fn clean_up(&mut self, scope: u32) {
        for (func, object) in self.f.scopes[scope as usize].cleanups.clone().into_iter().rev() {
            let function = &self.program.funcs[func];
            let TypeKind::Function(signature) = self.program.types.kind(function.ty) else { continue };
            let Some(&param) = self.program.types.signature(signature).params.first() else { continue };
            let callee = self.pool_func(func);
            let site = self.out.calls.len() as u32;
            let args = vec![(object, param)].into_boxed_slice();
            let ty = function.ty;
            self.out.calls.push(CallSite {
                callee,
                args,
                dst: NONE,
                result: None,
                ty,
                recorded: false,
                used: false,
                promises: None,
            });
            self.emit(Op::Call { site });
        }
    }

    /// Whether an open scope has cleanup functions to call.
    pub fn has_cleanups(&self) -> bool {
        let open = std::iter::successors(self.f.scope, |&id| self.f.scopes[id as usize].parent);
        open.into_iter().any(|id| !self.f.scopes[id as usize].cleanups.is_empty())
    }

    /// Calls the cleanup functions of all open scopes: the function returns.
    pub fn clean_up_all(&mut self) {
        let mut scope = self.f.scope;
        while let Some(id) = scope {
            self.clean_up(id);
            scope = self.f.scopes[id as usize].parent;
        }
    }

    /// Emits what leaving all scopes up to `outer` takes.
    pub fn leave_to(&mut self, outer: Option<u32>) {
        let mut scope = self.f.scope;
        while scope != outer {
            let Some(id) = scope else { break };
            self.clean_up(id);
            self.emit(Op::Leave);
            scope = self.f.scopes[id as usize].parent;
        }
    }

    pub fn enter_loop(&mut self, is_loop: bool) {
        let scope = self.f.scope;
        self.f.loops.push(Loop { scope, breaks: Vec::new(), continues: Vec::new(), is_loop, head: false });
    }

    /// What follows is the condition or the step of the innermost loop, or no longer.
    pub fn in_head(&mut self, head: bool) {
        if let Some(open) = self.f.loops.last_mut() {
            open.head = head;
        }
    }

    pub fn break_or_continue(&mut self, is_break: bool) -> Lower<()> {
        let found = self.f.loops.iter().rposition(|open| is_break || open.is_loop);
        let Some(index) = found else { return self.refuse("break or continue outside a loop") };
        // In a statement expression there: gcc leaves the loop around this one, or refuses; clang leaves this one.
        if self.f.loops[index].head && self.program.target.compiler == Compiler::Gcc {
            self.unsupported("break or continue in the condition or the step of a loop");
            return Ok(());
        }
        let scope = self.f.loops[index].scope;
        self.leave_to(scope);
        let jump = self.emit(Op::Jump { to: 0 });
        let open = &mut self.f.loops[index];
        if is_break {
            open.breaks.push(jump)
        } else {
            open.continues.push(jump)
        }
        Ok(())
    }

    /// `continue` goes on here.
    pub fn land_continues(&mut self) {
        let here = self.here();
        let jumps =
            self.f.loops.last_mut().map(|open| std::mem::take(&mut open.continues)).unwrap_or_default();
        jumps.into_iter().for_each(|jump| self.aim(jump, here));
    }

    /// The loop ends here.
    pub fn leave_loop(&mut self) {
        let here = self.here();
        if let Some(open) = self.f.loops.pop() {
            open.breaks.into_iter().for_each(|jump| self.aim(jump, here));
        }
    }

    /// A condition of a loop or `if`, as a jump that is taken if it does not hold.
    pub fn jump_unless(&mut self, cond: ExprId) -> Lower<u32> {
        let (value, num) = self.tested(cond)?;
        self.branch(cond, num, value);
        Ok(self.emit(Op::JumpUnless { num, cond: value, to: 0 }))
    }

    /// A full expression to be tested against 0.
    pub fn tested(&mut self, cond: ExprId) -> Lower<(Reg, u8)> {
        let num = self.truth_num(cond)?;
        Ok((self.full(cond, true)?, num))
    }

    pub fn switch(&mut self, value: ExprId, body: StmtId) -> Lower<()> {
        let num = self.num(self.program.ty(value))?;
        let reg = self.full(value, true)?;
        let table = self.out.switches.len() as u32;
        self.out.switches.push(SwitchTable { cases: Vec::new(), default: 0, num });
        let site = self.switch_site(value, reg);
        self.emit(Op::Switch { value: reg, table });
        let outer = self.f.scope;
        self.enter_loop(false);
        self.f.switches.push(OpenSwitch::default());
        self.sub(body)?;
        let end = self.emit(Op::Jump { to: 0 });
        let open = self.f.switches.pop().unwrap_or_default();
        self.switch_cases(site, &open);
        let mut cases = Vec::new();
        for (lo, hi, at, scope) in open.cases {
            cases.push((lo, hi, self.trampoline(at, outer, scope)));
        }
        cases.sort_unstable();
        let default = open.default.map(|(at, scope)| self.trampoline(at, outer, scope));
        self.land(end);
        self.leave_loop();
        let end = self.here();
        let switch = &mut self.out.switches[table as usize];
        switch.cases = cases;
        switch.default = default.unwrap_or(end);
        Ok(())
    }

    pub fn case(&mut self, id: StmtId, lo: ExprId, hi: Option<ExprId>) -> Lower<()> {
        let (at, scope) = (self.here(), self.f.scope);
        let first = fold::integer(self.program, lo);
        let last = hi.map_or(first, |hi| fold::integer(self.program, hi));
        let (Some(first), Some(last)) = (first, last) else {
            return self.refuse("a case that is not constant");
        };
        match self.f.switches.last_mut() {
            Some(open) if first <= last => {
                open.cases.push((first, last, at, scope));
                open.stmts.push(id);
            }
            _ => {}
        }
        Ok(())
    }

    pub fn default_case(&mut self, id: StmtId) {
        let at = (self.here(), self.f.scope);
        if let Some(open) = self.f.switches.last_mut() {
            open.default = Some(at);
            open.default_stmt = Some(id);
        }
    }

    pub fn label(&mut self, label: LabelId) {
        let at = (self.here(), self.f.scope);
        self.f.labels.insert(label, at);
    }

    pub fn goto(&mut self, label: LabelId) {
        let jump = self.emit(Op::Jump { to: 0 });
        self.f.gotos.push((jump, label, self.f.scope));
    }

    /// Where a jump from one scope to an instruction in another must go: there, or to code that leaves and enters.
    fn trampoline(&mut self, at: u32, from: Option<u32>, to: Option<u32>) -> u32 {
        if from == to {
            return at;
        }
        let start = self.here();
        let chain = |scopes: &[Scope], mut scope: Option<u32>| {
            let mut chain = Vec::new();
            while let Some(id) = scope {
                chain.push(id);
                scope = scopes[id as usize].parent;
            }
            chain
        };
        let (left, entered) = (chain(&self.f.scopes, from), chain(&self.f.scopes, to));
        let common = left.iter().rev().zip(entered.iter().rev()).take_while(|(a, b)| a == b).count();
        for &scope in &left[..left.len() - common] {
            self.clean_up(scope);
            self.emit(Op::Leave);
        }
        for &scope in entered[..entered.len() - common].iter().rev() {
            self.emit(Op::Enter { scope });
        }
        self.emit(Op::Jump { to: at });
        start
    }

    pub fn resolve_gotos(&mut self) -> Lower<()> {
        for (jump, label, scope) in std::mem::take(&mut self.f.gotos) {
            let Some(&(at, target)) = self.f.labels.get(&label) else {
                self.goto_outer(jump, label)?;
                continue;
            };
            let to = self.trampoline(at, scope, target);
            self.aim(jump, to);
        }
        Ok(())
    }
}
