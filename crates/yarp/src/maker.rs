//! The state of a program that is being made.

use howler_choices::Choices;
use howler_lang::build::Violation;
use howler_lang::compose::Composer;
use howler_lang::program::{ExprId, ObjId, StmtId};
use howler_lang::scalar::{Rules, Ty};
use rustc_hash::FxHashMap;

use crate::call::Helper;
use crate::float::Grain;
use crate::loops::Sum;
use crate::memory::Library;
use crate::options::{Feature, Features, Options};
use crate::parameters::{Parameters, Row};
use crate::rules::{Fix, Operator, Typed};
use crate::space::Space;
use crate::tree::Tree;
use crate::variable::{CellId, Variables};
use crate::walk::Walker;

/// What was made, or the constraint that it breaks.
pub(crate) type Made<T> = Result<T, Box<Violation>>;

/// An operation that may be undefined and whose operands are not known while it is made: in a loop, or after one.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) operator: Operator,
    pub(crate) typed: Typed,
    /// The expressions that compute it; the first is the operation itself if nothing replaces it.
    pub(crate) watched: Vec<ExprId>,
}

/// An expression as it was built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Built {
    pub(crate) e: ExprId,
    pub(crate) ty: Ty,
    /// Its value, if that is the same whenever it is evaluated.
    pub(crate) value: Option<u128>,
    /// What is known of a floating one.
    pub(crate) grain: Grain,
}

impl Built {
    pub(crate) fn new(e: ExprId, ty: Ty, value: Option<u128>) -> Built {
        Built { e, ty, value, grain: Grain::of_variable(ty) }
    }
}

/// A loop around what is being made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    pub(crate) counter: ObjId,
    pub(crate) ty: Ty,
    /// The least and the greatest value of the counter in the body.
    pub(crate) range: (i128, i128),
    /// What walks along with it.
    pub(crate) walker: Option<Walker>,
}

/// Which leaves of a part are constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaves {
    Any,
    Constants,
    Half,
}

/// What holds for a region of code or a part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Region {
    /// Item of [`Row::Context`].
    pub(crate) context: usize,
    pub(crate) leaves: Leaves,
}

/// The state.
pub(crate) struct Maker<'a> {
    pub(crate) options: &'a Options,
    pub(crate) features: Features,
    pub(crate) parameters: Parameters,
    pub(crate) choices: Choices,
    /// Where constants of replacements come from: one stream for each operation, so that nothing else moves.
    pub(crate) mending: Choices,
    pub(crate) out: Composer,
    pub(crate) rules: Rules,
    pub(crate) vars: Variables,
    pub(crate) tree: Tree,
    /// Locals that can be named here.
    pub(crate) locals: Vec<CellId>,
    pub(crate) loops: Vec<Around>,
    /// The space of the last loop.
    pub(crate) space: Option<Space>,
    /// Sums that the loops around carry.
    pub(crate) sums: Vec<Sum>,
    /// Functions that can be called here.
    pub(crate) helpers: Vec<Helper>,
    /// In a tidy loop: the type of its elements.
    pub(crate) tidy: Option<Ty>,
    /// Whether the code that is being made runs for many callers.
    pub(crate) shared: bool,
    /// Whether it may change nothing that others see.
    pub(crate) quiet: bool,
    /// Functions of the library, if they are declared.
    pub(crate) library: Option<Library>,
    /// Numbers of file scope that were assigned last.
    pub(crate) recent: Vec<CellId>,
    /// Whether what is drawn is the operand of a unary operator.
    pub(crate) below_unary: bool,
    /// Hints before loops.
    pub(crate) hints: FxHashMap<StmtId, String>,
    /// The values that cells had before they were assigned, in order.
    pub(crate) log: Vec<(CellId, Option<u128>)>,
    pub(crate) region: Region,
    /// In how many of a hundred places a region begins.
    pub(crate) regions: u32,
    /// How many expressions are kept.
    pub(crate) kept: usize,
    /// How many of those that are kept are of the scopes around this one.
    pub(crate) outer: usize,
    /// Constants that were there before: type and bits.
    pub(crate) constants: Vec<(Ty, u128)>,
    /// Operations whose operands are not known, in order.
    pub(crate) sites: Vec<Site>,
    /// By number of site: what replaces it.
    pub(crate) plan: &'a FxHashMap<usize, Fix>,
    /// Operations that were replaced because their operands are known.
    pub(crate) replaced: u32,
    /// Tokens left.
    pub(crate) left: i64,
    /// How often the code that is being made runs.
    pub(crate) times: u64,
    /// Steps left for loops.
    pub(crate) steps: u64,
    pub(crate) names: u32,
    pub(crate) depth: u32,
}

impl Maker<'_> {
    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    pub(crate) fn draw(&mut self, row: Row) -> usize {
        self.parameters.draw(row, &mut self.choices)
    }

    pub(crate) fn draw_of(&mut self, row: Row, allowed: impl Fn(usize) -> bool) -> Option<usize> {
        self.parameters.draw_of(row, &mut self.choices, allowed)
    }

    /// A name that nothing else has.
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Whether there is a loop around.
    pub(crate) fn in_loop(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Whether values differ from one time to the next.
    pub(crate) fn unsteady(&self) -> bool {
        self.shared || self.in_loop()
    }

    /// Gives a cell another value, which is none if that is not known.
    pub(crate) fn set(&mut self, cell: CellId, value: Option<u128>) {
        let value = if self.unsteady() { None } else { value };
        let old = self.vars.cells[cell.0 as usize].value;
        if old != value {
            self.log.push((cell, old));
            self.vars.cells[cell.0 as usize].value = value;
        }
    }

    /// Takes back assignments, and gives the cells that they were to.
    pub(crate) fn undo(&mut self, mark: usize) -> Vec<CellId> {
        let mut cells = Vec::new();
        while self.log.len() > mark {
            if let Some((cell, old)) = self.log.pop() {
                self.vars.cells[cell.0 as usize].value = old;
                cells.push(cell);
            }
        }
        cells
    }

    /// Makes code for a region of its own, perhaps with a context of its own.
    pub(crate) fn within<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.region;
        if self.choices.chance("region", self.regions, 100) {
            if self.has(Feature::Contexts) {
                self.region.context = self.draw(Row::Context);
            }
            if self.has(Feature::ConstantLeaves) {
                self.region.leaves =
                    [Leaves::Any, Leaves::Constants, Leaves::Half][self.draw(Row::Constants)];
            }
        }
        let made = make(self);
        self.region = before;
        made
    }

    /// A statement list that is a scope.
    pub(crate) fn scope(&mut self, make: impl FnOnce(&mut Self) -> Made<Vec<StmtId>>) -> Made<Vec<StmtId>> {
        let (locals, kept) = (self.locals.len(), self.tree.kept.len());
        let (arrays, records) = (self.vars.arrays.len(), self.vars.records.len());
        let outer = std::mem::replace(&mut self.outer, kept);
        let made = make(self);
        self.outer = outer;
        self.locals.truncate(locals);
        self.vars.arrays.truncate(arrays);
        self.vars.records.truncate(records);
        self.tree.kept.truncate(kept);
        made
    }
}
