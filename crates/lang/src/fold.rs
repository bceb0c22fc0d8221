//! fold (to come).
