//! build (to come).
