//! What programs look like.

use howler_choices::Choices;

use crate::features::Features;
use crate::weights::Tables;

/// How to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Tokens of a program, about: the least and the most.
    pub size: (u32, u32),
    /// Bounds of what a program has.
    pub limits: Limits,
    /// Steps of the abstract machine that a program may take, about.
    pub steps: u64,
    /// What programs may have.
    pub features: Features,
    /// Whether each program draws features, weights and limits of its own among these.
    pub swarm: bool,
    /// How many programs in a hundred do without the wrappers that the judge saw no need for.
    pub bare: u32,
    /// How likely each choice is.
    pub weights: Tables,
    /// Whether what is known of pointers, unions and orders is heeded. Without it programs may mean nothing: to see what the
    /// analysis is good for.
    pub analysis: bool,
    /// Translation units at most.
    pub units: u32,
    /// Functions that nobody calls.
    pub dead: u32,
    /// Faults to plant, each with its chance in percent.
    pub plant: Plant,
    /// Whether what the analysis knows of pointers is asserted.
    pub assert_points_to: bool,
}

/// Faults that are planted on purpose, for testing analysers: how many in a hundred chances for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plant {
    /// Null pointers that are followed.
    pub null: u32,
    /// Pointers to what is no more that are followed.
    pub dangling: u32,
    /// Indices beyond the array.
    pub bounds: u32,
}

/// Bounds of what a program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Functions.
    pub functions: u32,
    /// Statements of a block.
    pub block_size: u32,
    /// How deep blocks are nested.
    pub block_depth: u32,
    /// How deep expressions are.
    pub expression_depth: u32,
    /// Variables of file scope.
    pub globals: u32,
    /// Pointers to pointers to pointers.
    pub pointer_depth: u32,
    /// Dimensions of an array.
    pub dimensions: u32,
    /// Elements in each.
    pub elements: u32,
    /// Members of a struct.
    pub struct_members: u32,
    /// Members of a union.
    pub union_members: u32,
    /// Rounds of a loop.
    pub rounds: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            functions: 10,
            block_size: 5,
            block_depth: 4,
            expression_depth: 5,
            globals: 60,
            pointer_depth: 2,
            dimensions: 3,
            elements: 10,
            struct_members: 8,
            union_members: 5,
            rounds: 12,
        }
    }
}

impl Limits {
    /// Smaller ones, by chance.
    pub(crate) fn drawn(self, choices: &mut Choices) -> Limits {
        let mut below = |name, most: u32| {
            let least = most.min(2);
            if choices.chance("all of it", 1, 2) { most } else { choices.range(name, least..=most) }
        };
        Limits {
            functions: below("functions", self.functions),
            block_size: below("block size", self.block_size),
            block_depth: below("block depth", self.block_depth),
            expression_depth: below("expression depth", self.expression_depth),
            pointer_depth: below("pointer depth", self.pointer_depth),
            dimensions: below("dimensions", self.dimensions),
            elements: below("elements", self.elements),
            rounds: below("rounds", self.rounds),
            ..self
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: (8000, 16000),
            limits: Limits::default(),
            steps: 2_000_000,
            features: Features::standard(),
            swarm: true,
            bare: 50,
            weights: Tables::default(),
            analysis: true,
            units: 3,
            dead: 0,
            plant: Plant::default(),
            assert_points_to: false,
        }
    }
}

/// What swarm leaves of the features: all of them in a quarter of the programs, else without some, few or many.
pub(crate) fn swarm(features: Features, choices: &mut Choices) -> Features {
    let dropped = *choices.one_of("dropped", &[0, 10, 25, 50]);
    let kept = crate::features::FEATURES.iter().map(|info| info.feature);
    kept.fold(features, |features, feature| {
        let drop = choices.chance("drop", dropped, 100);
        if drop { features.without(feature) } else { features }
    })
}
