//! Where the expressions and declarations of a C program stand: in which function and block, and what for.

use howler_lang::builtin;
use howler_lang::program::{
    Conv, DeclId, Entity, ExprId, ExprKind, FuncId, Item, ObjId, Program, StmtId, StmtKind, UnaryOp,
};
use howler_lang::visit::{self, Node, Role, defined_by};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where something stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Context {
    /// What stands here keeps its variable.
    pub fixed: bool,
    /// The address is taken.
    pub addressed: bool,
    /// The function; none at file scope.
    pub func: Option<FuncId>,
    pub block: Block,
}

/// A block, and how many labels were in it before: variables that are declared on both sides of a label may live for other
/// times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Block {
    pub number: u32,
    pub labels: u32,
}

impl Block {
    const FILE: Block = Block { number: 0, labels: 0 };
}

/// All contexts of a unit.
#[derive(Default)]
pub(super) struct Contexts {
    pub uses: FxHashMap<ExprId, Context>,
    /// Every declaration of an object, and where it stands.
    pub declared: FxHashMap<ObjId, Vec<(DeclId, Context)>>,
    /// The statement that each declaration in a block is.
    pub before: FxHashMap<DeclId, StmtId>,
    /// Parameters, and variables of the outermost block of a function.
    pub outermost: FxHashSet<ObjId>,
    /// What a header declares.
    pub foreign: FxHashSet<ObjId>,
    /// There is assembly at file scope, which may name anything there.
    pub assembly: bool,
}

impl Contexts {
    pub fn of(program: &Program, unit: usize) -> Contexts {
        let mut collector = Collector { program, all: Contexts::default(), blocks: 0, waiting: Vec::new() };
        let items = program.units.get(unit).map_or(&[][..], |unit| &unit.items);
        let mut headers = 0u32;
        for &item in items {
            match item {
                Item::Include(_) => headers += 1,
                Item::IncludeEnd => headers = headers.saturating_sub(1),
                Item::Asm(_) => collector.all.assembly = true,
                Item::Decl(decl) if headers > 0 => {
                    if let Entity::Object(object) = program.decls[decl].entity {
                        collector.all.foreign.insert(object);
                    }
                }
                item => collector.item(item, FILE),
            }
            collector.run();
        }
        collector.all
    }
}

const FILE: Context = Context { fixed: false, addressed: false, func: None, block: Block::FILE };

struct Collector<'p> {
    program: &'p Program,
    all: Contexts,
    blocks: u32,
    /// Nodes to be looked at, each with where it stands.
    waiting: Vec<(Node, Context, bool)>,
}

impl Collector<'_> {
    fn run(&mut self) {
        while let Some((node, context, outermost)) = self.waiting.pop() {
            match node {
                Node::Expr(e) => self.expr(e, context),
                Node::Stmt(_) => self.stmt(node, context, outermost),
                Node::Init(_) => self.parts(node, context),
                Node::Function(func) => self.function(func),
            }
        }
    }

    fn parts(&mut self, node: Node, context: Context) {
        visit::parts(self.program, node, |part| {
            let fixed = matches!(part.role, Role::Bound(_) | Role::Constant | Role::StaticInitialiser);
            let fixed = context.fixed || fixed;
            self.waiting.push((part.node, Context { fixed, ..context }, false));
        });
    }

    fn expr(&mut self, e: ExprId, context: Context) {
        let inner = |addressed: bool| Context { addressed, ..context };
        let context = match self.program.exprs[e].kind {
            ExprKind::Object(_) => {
                self.all.uses.insert(e, context);
                return;
            }
            ExprKind::Unary(UnaryOp::AddrOf, _)
            | ExprKind::Convert(Conv::ArrayDecay, _)
            | ExprKind::Cast(Conv::ArrayDecay, _) => inner(true),
            // The address of a part is that of the whole.
            ExprKind::Member { .. } | ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, _) => context,
            ExprKind::Builtin(builtin::VA_START, _) => Context { fixed: true, ..context },
            _ => inner(false),
        };
        self.parts(Node::Expr(e), context);
    }

    fn stmt(&mut self, node: Node, mut context: Context, outermost: bool) {
        let Node::Stmt(stmt) = node else { return };
        match self.program.stmts[stmt].kind {
            StmtKind::Compound(list) => {
                context.block = self.block();
                for &inner in self.program.block(list) {
                    let kind = self.program.stmts[inner].kind;
                    let outermost = outermost && matches!(kind, StmtKind::Item(_));
                    self.waiting.push((Node::Stmt(inner), context, outermost));
                    if matches!(kind, StmtKind::Label(..) | StmtKind::Case { .. } | StmtKind::Default(_)) {
                        context.block.labels += 1;
                    }
                }
            }
            StmtKind::For { .. } => {
                context.block = self.block();
                self.parts(node, context);
            }
            StmtKind::Asm(_) => self.parts(node, Context { fixed: true, ..context }),
            StmtKind::Item(item) => {
                if let Item::Decl(decl) = item {
                    self.all.before.insert(decl, stmt);
                }
                if let (true, Item::Decl(decl)) = (outermost, item)
                    && let Entity::Object(object) = self.program.decls[decl].entity
                {
                    self.all.outermost.insert(object);
                }
                self.item(item, context);
            }
            _ => self.parts(node, context),
        }
    }

    fn item(&mut self, item: Item, context: Context) {
        let Item::Decl(decl) = item else { return };
        if let Entity::Object(object) = self.program.decls[decl].entity {
            self.all.declared.entry(object).or_default().push((decl, context));
        }
        visit::of_item(self.program, item, &mut |part| {
            let fixed = context.fixed || !matches!(part.role, Role::Initialiser | Role::Evaluated);
            self.waiting.push((part.node, Context { fixed, ..context }, false));
        });
        if let Some(func) = defined_by(self.program, decl) {
            self.waiting.push((Node::Function(func), context, false));
        }
    }

    fn function(&mut self, func: FuncId) {
        let function = &self.program.funcs[func];
        self.all.outermost.extend(&function.params);
        let context = Context { func: Some(func), block: self.block(), ..FILE };
        visit::parts(self.program, Node::Function(func), |part| match part.node {
            Node::Stmt(_) => self.waiting.push((part.node, context, true)),
            // Bounds of parameters.
            node => self.waiting.push((node, Context { fixed: true, ..context }, false)),
        });
    }

    fn block(&mut self) -> Block {
        self.blocks += 1;
        Block { number: self.blocks, labels: 0 }
    }
}
