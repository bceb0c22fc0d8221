//! Programs to read, walk and mutate: small, and together using most of the language.

/// All of them.
pub const SEEDS: &[&str] = &[
    include_str!("declarations.c"),
    include_str!("expressions.c"),
    include_str!("statements.c"),
    include_str!("initialisers.c"),
    include_str!("gnu.c"),
    include_str!("old.c"),
    include_str!("corners.c"),
];
