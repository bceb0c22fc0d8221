//! dump (to come).
