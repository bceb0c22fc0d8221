//! link (to come).
