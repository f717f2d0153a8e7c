//! All tests of the crate beside its source, in one program: it is linked once.

mod agreement;
mod closures;
mod counts;
mod limits;
mod reasons;
mod records;
mod shifts;
