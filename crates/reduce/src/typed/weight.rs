//! How large the parts of a program are.

use howler_lang::id::Id;
use howler_lang::program::{ExprId, FuncId, InitId, Item, Program, StmtId};
use howler_lang::visit::{self, Node, defined_by};

/// The sizes of all statements, expressions and functions of a program, in nodes that are written: about tokens.
pub struct Weights {
    exprs: Vec<u32>,
    stmts: Vec<u32>,
    inits: Vec<u32>,
}

impl Weights {
    /// Goes over the program once.
    pub fn of(program: &Program) -> Weights {
        let mut weights = Weights {
            exprs: vec![0; program.exprs.len()],
            stmts: vec![0; program.stmts.len()],
            inits: vec![0; program.inits.len()],
        };
        // A node comes before its parts, so backwards each finds its parts done.
        let mut nodes = Vec::new();
        visit::each(program, |part| nodes.push(part.node));
        for &node in nodes.iter().rev() {
            let mut sum = u32::from(!matches!(node, Node::Expr(e) if is_silent(program, e)));
            visit::parts(program, node, |part| sum = sum.saturating_add(weights.of_node(part.node)));
            match node {
                Node::Expr(e) => weights.exprs[e.index()] = sum,
                Node::Stmt(s) => weights.stmts[s.index()] = sum,
                Node::Init(i) => weights.inits[i.index()] = sum,
                Node::Function(_) => {}
            }
        }
        weights
    }

    fn of_node(&self, node: Node) -> u32 {
        match node {
            Node::Expr(e) => self.exprs[e.index()],
            Node::Stmt(s) => self.stmts[s.index()],
            Node::Init(i) => self.inits[i.index()],
            Node::Function(_) => 0,
        }
    }

    /// The size of an expression.
    pub fn expr(&self, e: ExprId) -> u64 {
        u64::from(self.exprs[e.index()])
    }

    /// The size of a statement.
    pub fn stmt(&self, s: StmtId) -> u64 {
        u64::from(self.stmts[s.index()])
    }

    /// The size of an initialiser.
    pub fn init(&self, i: InitId) -> u64 {
        u64::from(self.inits[i.index()])
    }

    /// The size of a function's definition.
    pub fn function(&self, program: &Program, func: FuncId) -> u64 {
        let function = &program.funcs[func];
        4 + 3 * function.params.len() as u64 + function.body.map_or(0, |body| self.stmt(body))
    }

    /// The size of an item of a unit.
    pub fn item(&self, program: &Program, item: Item) -> u64 {
        match item {
            Item::Decl(decl) => match defined_by(program, decl) {
                Some(func) => self.function(program, func),
                None => 4 + program.decls[decl].init.map_or(0, |init| self.init(init)),
            },
            Item::Record(record) => 4 + 3 * program.types.records[record].fields.len() as u64,
            Item::Enum(_) => 6,
            Item::RecordTag(_) | Item::Asm(_) => 3,
            Item::Include(_) | Item::IncludeEnd => 0,
        }
    }
}

fn is_silent(program: &Program, e: ExprId) -> bool {
    matches!(program.exprs[e].kind, howler_lang::program::ExprKind::Convert(..))
}
