//! The lexer, table by table, and over mutated texts.
