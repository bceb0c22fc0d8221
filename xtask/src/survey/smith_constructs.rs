//! What smith's programs are made of, beside Csmith's: constructs per program, and the share of programs with each of the
//! shapes that optimizers get wrong.
//!
//! Both generators call their functions `func_N`; only those are counted, no wrappers, checksums and headers.

use super::smith::{C17, csmith, made};
use super::smith_shapes::{SHAPES, shapes};
use anyhow::{Result, bail};
use howler_lang::diag::Severity;
use howler_lang::program::{BinaryOp, ExprKind, FuncId, Item, Program, StmtKind, UnaryOp};
use howler_lang::target::Target;
use howler_lang::visit::{Node, Walk, defined_by};
use howler_smith::TECHNIQUE;
use howler_toolchain::preprocess::{Headers, Input, PreprocessOptions, Preprocessor, preprocess};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Programs of each generator.
const PROGRAMS: u64 = 200;

pub(super) fn run() -> Result<()> {
    let count = std::env::var("HOWLER_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(PROGRAMS);
    let preprocessor = Preprocessor::find(Some("gcc-12".as_ref()))?;
    let mut columns = Vec::new();
    // Any options, for tuning: `HOWLER_WORDS='swarm=no;weights=statement: assign=9'`.
    let words = std::env::var("HOWLER_WORDS").unwrap_or_default();
    let wanted: Vec<&str> = words.split(';').filter(|word| !word.is_empty()).collect();
    let mut rows: Vec<(&str, &[&str])> = vec![
        ("smith", &[]),
        ("smith, no swarm", &["swarm=no"]),
        ("smith, no extensions", &[C17]),
        ("smith, 800 to 2,999 tokens", &["size=800..2999"]),
        ("smith, 300 to 799 tokens", &["size=300..799"]),
    ];
    if !wanted.is_empty() {
        rows = vec![("smith, as wanted", &wanted)];
    }
    for (name, words) in rows {
        let mut column = Column::new(name);
        for seed in 1..=count {
            let text = made(&TECHNIQUE, words, Target::X86_64_GCC, seed)?;
            column.add(&parsed(&text)?, text.len());
        }
        columns.push(column);
    }
    let mut theirs = Column::new("Csmith");
    for seed in 1.. {
        if theirs.programs == count || !wanted.is_empty() {
            break;
        }
        let (Some(file), _) = csmith(seed)? else { continue };
        let bytes = file.metadata()?.len() as usize;
        theirs.add(&parsed(&flat(&preprocessor, &file)?)?, bytes);
    }
    columns.extend(Some(theirs).filter(|theirs| theirs.programs > 0));
    table("constructs per program", &columns, |column, name| {
        format!("{:.1}", column.counts.get(name).copied().unwrap_or(0) as f64 / column.programs as f64)
    });
    println!();
    shares(&columns);
    Ok(())
}

/// Constructs as rows; those that come in any column.
fn table(title: &str, columns: &[Column], cell: impl Fn(&Column, &str) -> String) {
    let head: Vec<&str> = columns.iter().map(|column| column.name).collect();
    println!("| {title} | {} |\n|---|{}", head.join(" | "), "--:|".repeat(columns.len()));
    let names: std::collections::BTreeSet<&'static str> =
        columns.iter().flat_map(|column| column.counts.keys().copied()).collect();
    for name in names {
        let cells: Vec<String> = columns.iter().map(|column| cell(column, name)).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

fn shares(columns: &[Column]) {
    let head: Vec<&str> = columns.iter().map(|column| column.name).collect();
    println!("| programs with, % | {} |\n|---|{}", head.join(" | "), "--:|".repeat(columns.len()));
    for (at, shape) in SHAPES.iter().enumerate() {
        let cells: Vec<String> = (columns.iter())
            .map(|column| format!("{:.0}", 100.0 * column.shapes[at] as f64 / column.programs as f64))
            .collect();
        println!("| {shape} | {} |", cells.join(" | "));
    }
}

struct Column {
    name: &'static str,
    programs: u64,
    counts: BTreeMap<&'static str, usize>,
    shapes: [usize; SHAPES.len()],
}

impl Column {
    fn new(name: &'static str) -> Column {
        Column { name, programs: 0, counts: BTreeMap::new(), shapes: [0; SHAPES.len()] }
    }

    fn add(&mut self, program: &Program, bytes: usize) {
        self.programs += 1;
        *self.counts.entry("bytes").or_default() += bytes;
        count(program, &mut self.counts);
        for (all, has) in self.shapes.iter_mut().zip(shapes(program)) {
            *all += usize::from(has);
        }
    }
}

/// A program of Csmith's as one text.
fn flat(preprocessor: &Preprocessor, file: &Path) -> Result<String> {
    let options = PreprocessOptions {
        target: Target::X86_64_GCC,
        defines: Vec::new(),
        include_dirs: vec!["/usr/include/csmith".into()],
        headers: Headers::Ours,
    };
    Ok(preprocess(preprocessor, Input::File(file), &options)?.text)
}

fn parsed(text: &str) -> Result<Program> {
    let mut program = Program::new(Target::X86_64_GCC);
    let options = howler_front::Options { pedantic_errors: false };
    let report = howler_front::parse(&mut program, "test.i", Arc::from(text), &options);
    if let Some(said) = report.diagnostics.iter().find(|said| said.severity >= Severity::Unsupported) {
        bail!("a program is not taken: {said:?}");
    }
    Ok(program)
}

/// The functions that the generator made.
pub(super) fn functions(program: &Program) -> Vec<FuncId> {
    let items = program.units.iter().flat_map(|unit| &unit.items);
    let defined = items.filter_map(|item| match item {
        Item::Decl(decl) => defined_by(program, *decl),
        _ => None,
    });
    defined.filter(|&func| program.symbols.name(program.funcs[func].name).starts_with("func_")).collect()
}

fn count(program: &Program, counts: &mut BTreeMap<&'static str, usize>) {
    let functions = functions(program);
    let mut add = |name: &'static str| *counts.entry(name).or_default() += 1;
    let globals = program
        .objects
        .iter()
        .filter(|(_, object)| object.name.is_some_and(|name| program.symbols.name(name).starts_with("g_")));
    globals.for_each(|_| add("variables of file scope"));
    for func in functions {
        add("functions");
        for part in Walk::of(program, Node::Function(func)) {
            match part.node {
                Node::Stmt(stmt) => {
                    let kind = program.stmts[stmt].kind;
                    if let Some(name) = statement(kind) {
                        if !matches!(kind, StmtKind::Compound(_) | StmtKind::Item(_)) {
                            add("statements");
                        }
                        add(name);
                    }
                }
                Node::Expr(e) => {
                    let kind = program.exprs[e].kind;
                    if matches!(kind, ExprKind::Convert(..)) {
                        continue;
                    }
                    add("expressions");
                    if let Some(name) = expression(program, kind) {
                        add(name);
                    }
                }
                Node::Init(_) | Node::Function(_) => {}
            }
        }
    }
}

fn statement(kind: StmtKind) -> Option<&'static str> {
    Some(match kind {
        StmtKind::Expr(_) => "statement: expression",
        StmtKind::Item(_) => "variables of blocks",
        StmtKind::Compound(_) => "blocks",
        StmtKind::If { .. } => "statement: if",
        StmtKind::While { .. } => "statement: while",
        StmtKind::DoWhile { .. } => "statement: do",
        StmtKind::For { .. } => "statement: for",
        StmtKind::Switch { .. } => "statement: switch",
        StmtKind::Goto(_) => "statement: goto",
        StmtKind::GotoComputed(_) => "statement: goto *",
        StmtKind::Break => "statement: break",
        StmtKind::Continue => "statement: continue",
        StmtKind::Return(_) => "statement: return",
        _ => return None,
    })
}

fn expression(program: &Program, kind: ExprKind) -> Option<&'static str> {
    Some(match kind {
        ExprKind::Int { .. } | ExprKind::EnumConst(_) => "expression: constant",
        ExprKind::Float(_) => "expression: floating constant",
        ExprKind::Object(_) => "expression: variable",
        ExprKind::CompoundLiteral(_) => "expression: compound literal",
        ExprKind::Member { .. } => "expression: member",
        ExprKind::Index { .. } => "expression: index",
        ExprKind::Unary(UnaryOp::Deref, _) => "expression: pointer dereferenced",
        ExprKind::Unary(UnaryOp::AddrOf, _) => "expression: address",
        ExprKind::Unary(UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, _) => {
            "expression: ++ --"
        }
        ExprKind::Unary(..) => "expression: unary",
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => "expression: && ||",
        ExprKind::Binary(op, ..)
            if [BinaryOp::Lt, BinaryOp::Gt, BinaryOp::Le, BinaryOp::Ge, BinaryOp::Eq, BinaryOp::Ne]
                .contains(&op) =>
        {
            "expression: comparison"
        }
        ExprKind::Binary(..) => "expression: binary, bare",
        ExprKind::Assign(..) => "expression: =",
        ExprKind::Compound { .. } => "expression: op=",
        ExprKind::Cond(..) | ExprKind::Elvis(..) => "expression: ?:",
        ExprKind::Comma(..) => "expression: comma",
        ExprKind::Cast(..) => "expression: cast",
        ExprKind::Builtin(..) => "expression: builtin",
        ExprKind::Call(callee, _) => {
            if called(program, callee).is_some_and(|name| name.starts_with("safe_")) {
                "expression: wrapper called"
            } else {
                "expression: call"
            }
        }
        _ => return None,
    })
}

/// The name of the function that is called, if it is called by its name.
pub(super) fn called(program: &Program, callee: howler_lang::program::ExprId) -> Option<&str> {
    let mut at = callee;
    loop {
        match program.exprs[at].kind {
            ExprKind::Convert(_, of) => at = of,
            ExprKind::Function(func) => return Some(program.symbols.name(program.funcs[func].name)),
            _ => return None,
        }
    }
}
