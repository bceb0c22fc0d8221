//! The whole: types, the first function, `main`.

use howler_choices::Choices;
use howler_lang::compose::{Composer, signature};
use howler_lang::program::{Linkage, Program, StmtId};
use howler_lang::target::{Edition, Target};
use howler_lang::ty::{Quals, Type};

use crate::features::Feature;
use crate::maker::{Form, Made, Maker};
use crate::options::{Options, swarm};
use crate::place::Places;
use crate::plant::Fault;
use crate::safe::Site;
use crate::sets::Sets;

/// A program, and what is known of it.
pub(crate) struct Whole {
    pub(crate) program: Program,
    /// Where it does operations that may be undefined.
    pub(crate) sites: Vec<Site>,
    /// Where faults were planted.
    pub(crate) marks: Vec<(StmtId, Fault)>,
}

/// Makes a program. The operations that `bare` names have no wrapper: whatever it says, everything else is the same.
pub(crate) fn program(options: &Options, target: Target, choices: &Choices, bare: &[bool]) -> Whole {
    let mut sizes = choices.sub("size");
    let (least, most) = options.size;
    let tokens = sizes.range("tokens", least..=most.max(least));
    let (mut features, mut tables, mut limits) = (options.features, options.weights.clone(), options.limits);
    if options.swarm {
        let mut swarming = choices.sub("swarm");
        features = swarm(features, &mut swarming);
        if swarming.chance("leaning", 1, 2) {
            tables = tables.leaning(&mut swarming);
        }
        limits = limits.drawn(&mut swarming);
    }
    // There is nothing of 128 bits on 32-bit targets.
    if target.arch == howler_lang::target::Arch::I386 {
        features = features.without(Feature::Int128);
    }
    // Members without names came with C11; declarations after statements, which variable arguments need, with C99.
    if target.std.edition < Edition::C11 {
        features = features.without(Feature::Anonymous);
    }
    if target.std.edition < Edition::C99 {
        features = features.without(Feature::Varargs);
    }
    let mut maker = Maker {
        options,
        limits,
        features,
        tables: tables.limited(features),
        choices: choices.sub("program"),
        out: Composer::new(target),
        places: Places::default(),
        sets: Sets::new(),
        initial: Default::default(),
        facts: Default::default(),
        globals: Vec::new(),
        frames: Vec::new(),
        heads: Vec::new(),
        done: Vec::new(),
        log: Default::default(),
        ambient: Vec::new(),
        wrappers: Default::default(),
        sites: Vec::new(),
        bare,
        planted: Vec::new(),
        marks: Vec::new(),
        pointed: Vec::new(),
        pointed_globals: Vec::new(),
        texts: Vec::new(),
        pool: Default::default(),
        left: i64::from(tokens) - OVERHEAD,
        // Long programs take more steps than short ones, of which the judge allows fifty million.
        steps: options.steps.max(u64::from(tokens) * 100).min(20_000_000),
        names: 0,
    };
    let made = maker.whole();
    debug_assert!(made.is_ok(), "{made:?}");
    Whole { program: maker.out.program, sites: maker.sites, marks: maker.marks }
}

/// Tokens that every program has: the checksum and `main`.
const OVERHEAD: i64 = 230;

impl Maker<'_> {
    fn whole(&mut self) -> Made<()> {
        self.out.unit("test.c".to_owned());
        let sum = self.checksum()?;
        self.define_types()?;
        let most = (self.left / 60).clamp(3, 12);
        for _ in 0..self.choices.range("globals", 3..=most) {
            let ty = self.var_type()?;
            // Compilers disagree about the elements of a qualified vector.
            let quals = if self.is_vector(ty) { Quals::NONE } else { self.quals(8) };
            let ty = self.out.qualified(ty, quals);
            self.global(ty)?;
        }
        let func = self.out.function("func_0", signature(Type::INT, &[]), Linkage::Internal)?;
        self.function(func, Type::INT, Vec::new(), Form::default())?;
        let mut roots = self.dead_functions()?;
        roots.push(self.main(func, &sum)?);
        self.drop_unreached(roots);
        self.deal_out()
    }
}
