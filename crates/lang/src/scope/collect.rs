//! The pass that finds the scopes: it goes over a program in the order of the text, with a stack of its own.

use super::space::{NONE, Space};
use super::{Named, Scopes, State, Tag, Tagged};
use crate::id::Id;
use crate::program::{DeclId, Entity, ExprId, ExprKind, FuncId, Item, ObjId, Program, StmtId, StmtKind};
use crate::symbol::Symbol;
use crate::target::Edition;
use crate::visit::{self, Node, Part, Role};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) fn collect(program: &Program) -> Scopes {
    let scopes = Scopes {
        names: Space::new(),
        tags: Space::new(),
        local_labels: Space::new(),
        labels: FxHashMap::default(),
        implied: FxHashMap::default(),
        meanings: FxHashMap::default(),
        known: FxHashMap::default(),
        undeclared: Vec::new(),
        twice: Vec::new(),
        labels_twice: Vec::new(),
        states: vec![State::EMPTY],
        before: vec![0; program.stmts.len()],
        ends: vec![0; program.stmts.len()],
        at: vec![0; program.exprs.len()],
        items: Vec::with_capacity(program.units.len()),
    };
    let mut collector = Collector {
        program,
        scopes,
        work: Vec::new(),
        starts: Vec::new(),
        label_starts: Vec::new(),
        again: FxHashSet::default(),
        kept: Vec::new(),
        outermost: None,
    };
    for (index, unit) in program.units.iter().enumerate() {
        let outside = State { unit: index as u32, ..State::EMPTY };
        collector.scopes.states.push(outside);
        collector.starts.push(outside.names);
        collector.label_starts.push(outside.local_labels);
        let mut items = Vec::with_capacity(unit.items.len() + 1);
        for &item in &unit.items {
            items.push(collector.now());
            collector.item(item);
            collector.run();
        }
        items.push(collector.now());
        collector.scopes.items.push(items);
        collector.leave(outside);
    }
    collector.scopes
}

struct Collector<'p> {
    program: &'p Program,
    scopes: Scopes,
    /// What is still to be done, the last first.
    work: Vec<Work>,
    /// The last declaration before each of the open scopes.
    starts: Vec<u32>,
    /// The same of labels.
    label_starts: Vec<u32>,
    /// Names that an open scope, by its depth, declares as what they mean around it, in order too.
    again: FxHashSet<(usize, Symbol)>,
    kept: Vec<(usize, Symbol)>,
    /// The body of the function that was entered last: its scope is that of the parameters (C17 6.2.1p4).
    outermost: Option<StmtId>,
}

enum Work {
    Visit(Node),
    Bind(Symbol, Named),
    /// The bounds of a function's parameters.
    Parameters(FuncId),
    /// The body of a function, in whose scope its parameters are.
    Body(FuncId),
    /// A statement in a scope of its own.
    Scoped(StmtId),
    /// The end of a compound statement.
    End(StmtId),
    /// A scope ends, and it is as it was before.
    Leave(State),
}

impl Collector<'_> {
    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Visit(node) => self.visit(node),
                Work::Bind(name, named) => self.bind(name, named),
                Work::Parameters(func) => self.parameters(func),
                Work::Body(func) => self.body(func),
                Work::Scoped(stmt) => {
                    let state = self.open();
                    self.work.extend([Work::Leave(state), Work::Visit(Node::Stmt(stmt))]);
                }
                Work::End(stmt) => self.scopes.ends[stmt.index()] = self.now(),
                Work::Leave(state) => self.leave(state),
            }
        }
    }

    fn visit(&mut self, node: Node) {
        match node {
            Node::Stmt(stmt) => self.stmt(stmt),
            Node::Expr(e) => {
                // A bound comes once for every place that writes its type; the first is where it is evaluated.
                if self.scopes.at[e.index()] != 0 {
                    return;
                }
                if let ExprKind::Function(func) = self.program.exprs[e].kind {
                    self.used(e, func);
                }
                self.scopes.at[e.index()] = self.now();
                self.visit_parts(node);
            }
            Node::Init(_) | Node::Function(_) => self.visit_parts(node),
        }
    }

    fn stmt(&mut self, stmt: StmtId) {
        // A statement stands in one place; one that does not shall not make this endless.
        if self.scopes.before[stmt.index()] != 0 {
            return;
        }
        self.scopes.before[stmt.index()] = self.now();
        match self.program.stmts[stmt].kind {
            StmtKind::Item(item) => return self.item(item),
            StmtKind::Compound(_) => {
                let before = self.starts.last().copied();
                let state = self.open();
                if let (true, Some(start), Some(before)) =
                    (self.outermost == Some(stmt), self.starts.last_mut(), before)
                {
                    *start = before;
                }
                self.work.extend([Work::Leave(state), Work::End(stmt)]);
            }
            // C17 6.8.4p3, 6.8.5p5. Except in the head of a `for`, only a call can declare something there: tags in
            // conditions are items before.
            StmtKind::If { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::Switch { .. } => return self.scoped(stmt),
            StmtKind::LabelDecl(label) => {
                let name = self.program.labels[label].name;
                let binding = self.scopes.local_labels.bind(name.index() as u32, (name, label));
                let start = self.label_starts.last().copied().unwrap_or(NONE);
                if self.scopes.local_labels.hidden(binding) > start {
                    self.scopes.labels_twice.push(label);
                }
                self.advance();
            }
            StmtKind::Label(label, _) => {
                let declared = &self.program.labels[label];
                if let (false, Some(func)) = (declared.local, self.state().func) {
                    self.scopes.labels.entry(func).or_default().push((declared.name, label));
                }
            }
            _ => {}
        }
        self.visit_parts(Node::Stmt(stmt));
    }

    /// A selection or iteration statement: a block, and so is each statement in it. C90 does not say so, and has no
    /// declarations in the head of a `for`.
    fn scoped(&mut self, stmt: StmtId) {
        if self.program.target.std.edition == Edition::C89 {
            return self.visit_parts(Node::Stmt(stmt));
        }
        let head = match self.program.stmts[stmt].kind {
            StmtKind::For { init, .. } => init,
            _ => None,
        };
        let state = self.open();
        self.work.push(Work::Leave(state));
        let start = self.work.len();
        visit::parts(self.program, Node::Stmt(stmt), |part| {
            self.work.push(match part.node {
                Node::Stmt(inner) if head != Some(inner) => Work::Scoped(inner),
                node => Work::Visit(node),
            });
        });
        self.work[start..].reverse();
    }

    fn item(&mut self, item: Item) {
        match item {
            Item::RecordTag(id) => self.tag(Tag { tagged: Tagged::Record(id), complete: false }),
            Item::Record(id) => {
                let record = &self.program.types.records[id];
                if record.tag.is_some() {
                    self.tag(Tag { tagged: Tagged::Record(id), complete: record.complete });
                }
            }
            Item::Enum(id) => {
                let enumeration = &self.program.types.enums[id];
                self.tag(Tag { tagged: Tagged::Enum(id), complete: enumeration.complete });
                for &constant in &enumeration.constants {
                    let name = self.program.types.enumerators[constant].name;
                    self.bind(name, Named::Enumerator(constant));
                }
            }
            Item::Decl(decl) => self.decl(decl),
            Item::Asm(_) | Item::Include(_) | Item::IncludeEnd => {}
        }
    }

    /// The scope of a declared name begins after its declarator: its bounds are outside, its initialiser is inside
    /// (C17 6.2.1p7).
    fn decl(&mut self, id: DeclId) {
        let decl = &self.program.decls[id];
        let start = self.work.len();
        visit::of_item(self.program, Item::Decl(id), &mut |part: Part| {
            if matches!(part.role, Role::Bound(_)) {
                self.work.push(Work::Visit(part.node));
            }
        });
        match decl.entity {
            Entity::Object(declared) => self.work.extend(object(self.program, declared)),
            Entity::Function(func) => self.function(func, decl.body),
            Entity::Typedef(name) => self.work.push(Work::Bind(name, Named::Typedef(id))),
            Entity::Bounds => {}
        }
        if let (Entity::Object(_), Some(init)) = (decl.entity, decl.init) {
            self.work.push(Work::Visit(Node::Init(init)));
        }
        self.work[start..].reverse();
    }

    /// Pushes what declares a function, in order. Without a prototype, the parameters are declared after the declarator
    /// and so after the function.
    fn function(&mut self, func: FuncId, body: bool) {
        let function = &self.program.funcs[func];
        let bind = Work::Bind(function.name, Named::Function(func));
        match (body, function.old_style) {
            (false, _) => self.work.push(bind),
            (true, false) => self.work.extend([Work::Parameters(func), bind, Work::Body(func)]),
            (true, true) => self.work.extend([bind, Work::Parameters(func), Work::Body(func)]),
        }
    }

    /// The bounds of parameters. Each is in the scope of the parameters before it; an identifier list may be in another
    /// order than the declarations behind it, so there it is in that of all.
    fn parameters(&mut self, func: FuncId) {
        let function = &self.program.funcs[func];
        let outside = self.enter(func);
        self.work.push(Work::Leave(outside));
        let start = self.work.len();
        if function.old_style {
            let all = function.params.iter();
            self.work.extend(all.filter_map(|&param| object(self.program, param)));
        }
        for &param in &function.params {
            let declared = &self.program.objects[param];
            if let Some(bound) = declared.param_bound {
                self.work.push(Work::Visit(Node::Expr(bound.len)));
            }
            visit::bounds(self.program, declared.ty, |_, e| self.work.push(Work::Visit(Node::Expr(e))));
            self.work.extend(object(self.program, param));
        }
        self.work[start..].reverse();
    }

    fn body(&mut self, func: FuncId) {
        let function = &self.program.funcs[func];
        let Some(body) = function.body else { return };
        let outside = self.enter(func);
        self.outermost = Some(body);
        for &param in &function.params {
            if let Some(name) = self.program.objects[param].name {
                self.bind(name, Named::Object(param));
            }
        }
        self.work.extend([Work::Leave(outside), Work::Visit(Node::Stmt(body))]);
    }

    /// A function is named. If nothing declares it, that does, in the innermost block (C90 3.3.2.2, GNU C's builtins).
    fn used(&mut self, e: ExprId, func: FuncId) {
        let name = self.program.funcs[func].name;
        if self.scopes.names.current(name.index() as u32).is_none() {
            let unit = self.state().unit;
            self.scopes.undeclared.push(e);
            self.scopes.implied.entry((unit, name)).or_insert(func);
            self.bind(name, Named::Function(func));
        }
    }

    fn visit_parts(&mut self, node: Node) {
        let start = self.work.len();
        visit::parts(self.program, node, |part| self.work.push(Work::Visit(part.node)));
        self.work[start..].reverse();
    }

    /// Declares a name in the innermost scope. What it means already it need not be declared as again.
    fn bind(&mut self, name: Symbol, named: Named) {
        let key = name.index() as u32;
        let depth = self.starts.len();
        if self.scopes.names.current(key) == Some((name, named)) {
            if depth > 1 && self.again.insert((depth, name)) {
                self.kept.push((depth, name));
            }
            return;
        }
        let binding = self.scopes.names.bind(key, (name, named));
        let here = self.scopes.names.hidden(binding) > self.starts.last().copied().unwrap_or(NONE);
        if here || self.again.contains(&(depth, name)) {
            self.scopes.twice.push((name, named));
        }
        let now = self.advance();
        self.scopes.meanings.entry(name).or_default().push((now, binding));
    }

    fn tag(&mut self, tag: Tag) {
        let key = match tag.tagged {
            Tagged::Record(id) => id.index() as u32 * 2,
            Tagged::Enum(id) => id.index() as u32 * 2 + 1,
        };
        // A type that is complete stays so.
        if self.scopes.tags.current(key).is_none_or(|before| !before.complete && tag.complete) {
            let binding = self.scopes.tags.bind(key, tag);
            let now = self.advance();
            self.scopes.known.entry(tag.tagged).or_default().push((now, binding));
        }
    }

    /// Enters a function, and returns what to leave to.
    fn enter(&mut self, func: FuncId) -> State {
        let outside = self.open();
        self.scopes.states.push(State { func: Some(func), ..outside });
        outside
    }

    /// Opens a scope, and returns what to leave to.
    fn open(&mut self) -> State {
        let state = self.state();
        self.starts.push(state.names);
        self.label_starts.push(state.local_labels);
        state
    }

    /// Goes back to a state before the innermost scope.
    fn leave(&mut self, to: State) {
        let depth = self.starts.len();
        while let Some(ended) = self.kept.pop_if(|(at, _)| *at >= depth) {
            self.again.remove(&ended);
        }
        self.starts.pop();
        self.label_starts.pop();
        if self.state() == to {
            return;
        }
        let scopes = &mut self.scopes;
        let now = scopes.states.len() as u32;
        scopes.states.push(to);
        let meanings = &mut scopes.meanings;
        scopes.names.leave(to.names, |(name, _), hidden| {
            meanings.entry(name).or_default().push((now, hidden));
        });
        let known = &mut scopes.known;
        scopes.tags.leave(to.tags, |tag, hidden| known.entry(tag.tagged).or_default().push((now, hidden)));
        scopes.local_labels.leave(to.local_labels, |_, _| {});
    }

    /// A new state after a declaration.
    fn advance(&mut self) -> u32 {
        let scopes = &mut self.scopes;
        let (names, tags, local_labels) = (scopes.names.last, scopes.tags.last, scopes.local_labels.last);
        let state = State { names, tags, local_labels, ..self.state() };
        self.scopes.states.push(state);
        self.now()
    }

    fn now(&self) -> u32 {
        self.scopes.states.len() as u32 - 1
    }

    fn state(&self) -> State {
        self.scopes.states[self.now() as usize]
    }
}

/// What declares an object; nothing without a name.
fn object(program: &Program, object: ObjId) -> Option<Work> {
    program.objects[object].name.map(|name| Work::Bind(name, Named::Object(object)))
}
