//! verify (to come).
