//! layout (to come).
