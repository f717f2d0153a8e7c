//! Induction.
