//! Literals, table by table.
