//! The maker of one program: what it has made so far, and what is known at the point where it is.

use howler_choices::Choices;
use howler_lang::build::Violation;
use howler_lang::compose::Composer;
use howler_lang::program::{ExprId, FuncId, LabelId, ObjId, StmtId};
use howler_lang::ty::Type;

use crate::effects::{Log, Touched};
use crate::facts::{Facts, Initial};
use crate::features::{Feature, Features};
use crate::options::{Limits, Options};
use crate::place::{Part, Places, Slot, Var};
use crate::plant::Fault;
use crate::pointed::Pointed;
use crate::safe::{Site, Wrappers};
use crate::sets::{Set, Sets};
use crate::strings::Text;
use crate::types::Pool;
use crate::weights::Tables;

/// What was made, or why `lang` refuses it, which is a fault of the maker.
pub(crate) type Made<T> = Result<T, Box<Violation>>;

/// A value: an expression, and the state of each pointer and union in it.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) e: ExprId,
    pub(crate) sets: Vec<Set>,
}

/// A block under construction.
#[derive(Default)]
pub(crate) struct Scope {
    pub(crate) vars: Vec<Var>,
    /// The declarations, which come before all else.
    pub(crate) declared: Vec<StmtId>,
    /// Its pointers to functions, by number.
    pub(crate) pointed: Vec<usize>,
}

/// A counter of a loop around the point where the maker is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counter {
    pub(crate) part: Part,
    /// The least and the greatest value it has in the body.
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Counter {
    /// Whether it, moved by a constant, is an index below a length.
    pub(crate) fn is_below(self, len: i128) -> bool {
        self.high - self.low < len && self.low > -1000 && self.high < 1000
    }
}

/// What a `break` leaves.
pub(crate) enum Breaks {
    /// A loop: what holds at its head holds after it.
    Loop,
    /// A `switch`, with the facts at the breaks so far.
    Switch(Option<Facts>),
}

/// A label that can be jumped to.
pub(crate) struct Label {
    pub(crate) label: LabelId,
    /// For one ahead, the facts at the jumps so far. What holds at one behind is kept as at the head of a loop.
    pub(crate) ahead: Option<Facts>,
    /// For one behind: the variable that counts the jumps, and how many there may be.
    pub(crate) fuel: Option<(ObjId, u32)>,
    pub(crate) used: bool,
}

/// A function under construction.
pub(crate) struct Frame {
    pub(crate) scopes: Vec<Scope>,
    pub(crate) params: Vec<Var>,
    /// Parts with smaller numbers were there before the call.
    pub(crate) before: Part,
    /// The facts at its beginning.
    pub(crate) entry: Facts,
    /// The states of others that it relies on, and those it changes.
    pub(crate) needs: Vec<Slot>,
    pub(crate) assigns: Vec<Slot>,
    pub(crate) touched: Touched,
    /// The facts at its returns.
    pub(crate) exits: Option<Facts>,
    pub(crate) func: FuncId,
    pub(crate) returns: Type,
    /// The states of what it returns.
    pub(crate) results: Vec<Set>,
    /// Steps that one run of it takes, as far as it is made.
    pub(crate) cost: u64,
    /// How often the point where the maker is runs for each run of the function.
    pub(crate) times: u64,
    /// Loops around that point.
    pub(crate) loops: u32,
    pub(crate) breaks: Vec<Breaks>,
    pub(crate) labels: Vec<Label>,
    pub(crate) counters: Vec<Counter>,
    /// For one that may call itself: how.
    pub(crate) itself: Option<Itself>,
}

/// How a function calls itself.
pub(crate) struct Itself {
    /// The parameter that says how deep it may still go.
    pub(crate) depth: ObjId,
    pub(crate) params: Vec<Param>,
    pub(crate) calls: u32,
}

/// A loop, or a label that is jumped back to: what holds at its head holds in every round.
pub(crate) struct Head {
    /// Parts with smaller numbers were there before.
    pub(crate) before: Part,
    /// What may change its state, with the states it may have.
    pub(crate) free: Vec<(Slot, Set)>,
}

/// A parameter: its type, and the states its pointers and unions may have.
#[derive(Clone, Debug)]
pub(crate) struct Param {
    pub(crate) ty: Type,
    pub(crate) sets: Vec<Set>,
}

/// How a function is called.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Form {
    /// The greatest first argument, if that says how deep it may go.
    pub(crate) deepest: Option<u32>,
    /// How many parameters have names, if there are others.
    pub(crate) fixed: Option<usize>,
}

/// A function that is made.
pub(crate) struct Done {
    pub(crate) func: FuncId,
    pub(crate) returns: Type,
    pub(crate) results: Vec<Set>,
    pub(crate) params: Vec<Param>,
    pub(crate) form: Form,
    /// What it relies on, and what holds after it.
    pub(crate) needs: Vec<(Slot, Set)>,
    pub(crate) leaves: Vec<(Slot, Set)>,
    pub(crate) touched: Touched,
    pub(crate) cost: u64,
}

pub(crate) struct Maker<'o> {
    pub(crate) options: &'o Options,
    pub(crate) limits: Limits,
    pub(crate) features: Features,
    pub(crate) tables: Tables,
    pub(crate) choices: Choices,
    pub(crate) out: Composer,
    pub(crate) places: Places,
    pub(crate) sets: Sets,
    pub(crate) initial: Initial,
    pub(crate) facts: Facts,
    pub(crate) globals: Vec<Var>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) heads: Vec<Head>,
    pub(crate) done: Vec<Done>,
    pub(crate) log: Log,
    /// The expressions around the calls whose functions are under construction: what they do has no order with these.
    pub(crate) ambient: Vec<Log>,
    pub(crate) wrappers: Wrappers,
    /// Where operations are done so far, and which of these places do without a wrapper.
    pub(crate) sites: Vec<Site>,
    pub(crate) bare: &'o [bool],
    /// Faults that were planted, and the statements that have them.
    pub(crate) planted: Vec<Fault>,
    pub(crate) marks: Vec<(StmtId, Fault)>,
    /// All pointers to functions, and which of them are of file scope.
    pub(crate) pointed: Vec<Pointed>,
    pub(crate) pointed_globals: Vec<usize>,
    /// Strings with names.
    pub(crate) texts: Vec<Text>,
    pub(crate) pool: Pool,
    /// Tokens still to be written, about.
    pub(crate) left: i64,
    /// Steps that the program may still take, about.
    pub(crate) steps: u64,
    pub(crate) names: u32,
}

impl Maker<'_> {
    pub(crate) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}_{}", self.names)
    }

    pub(crate) fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is under construction")
    }

    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// How often the point where the maker is runs in a run of the program, at most.
    pub(crate) fn times(&self) -> u64 {
        self.frames.iter().fold(1u64, |all, frame| all.saturating_mul(frame.times))
    }

    /// The point where the maker is costs so many steps each time it is reached.
    pub(crate) fn costs(&mut self, steps: u64) {
        let all = self.times().saturating_mul(steps);
        self.steps = self.steps.saturating_sub(all);
        if let Some(frame) = self.frames.last_mut() {
            frame.cost = frame.cost.saturating_add(frame.times.saturating_mul(steps));
        }
    }

    /// Whether there is room for something that costs so many steps each time.
    pub(crate) fn affords(&self, steps: u64) -> bool {
        self.times().saturating_mul(steps) < self.steps
    }

    pub(crate) fn one_in(&mut self, name: &'static str, count: u32) -> bool {
        self.choices.chance(name, 1, count)
    }

    /// What holds if either of two ways was taken.
    pub(crate) fn join(&mut self, other: &Facts) {
        let Maker { facts, sets, initial, .. } = self;
        facts.join(other, sets, initial);
    }

    /// Adds what holds here to what holds at another place that is reached from here, too.
    pub(crate) fn join_into(&mut self, other: Option<Facts>) -> Option<Facts> {
        let Some(mut other) = other else { return Some(self.facts.clone()) };
        other.join(&self.facts, &mut self.sets, &self.initial);
        Some(other)
    }

    /// The scope of a block has ended.
    pub(crate) fn end(&mut self, scope: &Scope) {
        for &var in &scope.vars {
            // Static variables of blocks live on.
            let data = self.places.var_mut(var);
            data.dead = !data.global;
        }
        let Maker { facts, sets, places, frames, .. } = self;
        facts.bury(sets, places);
        let Some(frame) = frames.last_mut() else { return };
        let ahead = frame.labels.iter_mut().filter_map(|label| label.ahead.as_mut());
        let breaks = frame.breaks.iter_mut().filter_map(|breaks| match breaks {
            Breaks::Switch(facts) => facts.as_mut(),
            Breaks::Loop => None,
        });
        ahead.chain(breaks).chain(frame.exits.as_mut()).for_each(|facts| facts.bury(sets, places));
    }
}
