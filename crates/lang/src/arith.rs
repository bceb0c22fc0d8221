//! arith (to come).
