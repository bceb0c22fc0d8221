//! What programs look like.

/// How to generate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Tokens of a program, about: the least and the most.
    pub size: (u32, u32),
    /// Functions at most.
    pub functions: u32,
    /// Statements of a block at most.
    pub block_size: u32,
    /// How deep blocks are nested.
    pub block_depth: u32,
    /// How deep expressions are.
    pub expression_depth: u32,
    /// Variables of file scope at most.
    pub most_globals: usize,
    /// Steps of the abstract machine that a program may take, about.
    pub steps: u64,
    /// Whether there are pointers.
    pub pointers: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            size: (500, 8000),
            functions: 10,
            block_size: 5,
            block_depth: 4,
            expression_depth: 5,
            most_globals: 60,
            steps: 2_000_000,
            pointers: true,
        }
    }
}
