//! print (to come).
