//! Why work on transition systems ends without a result.

use std::fmt;

use wherefore_base::Stop;

/// Why a system was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// Time, memory or patience ran out.
    Stopped(Stop),
    /// There are more of these than 32 bits can count.
    TooMany(&'static str),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Halt::Stopped(stop)
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Stopped(stop) => stop.fmt(f),
            Halt::TooMany(what) => write!(f, "there are more than {} {what}", u32::MAX),
        }
    }
}

impl std::error::Error for Halt {}

/// A count that fits 32 bits.
pub(crate) fn counted(count: usize, what: &'static str) -> Result<u32, Halt> {
    match u32::try_from(count) {
        Ok(count) if count < u32::MAX => Ok(count),
        _ => Err(Halt::TooMany(what)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_beyond_32_bits_is_told_as_such() {
        assert_eq!(counted(7, "states"), Ok(7));
        let halt = counted(1 << 32, "states").expect_err("it does not fit");
        assert_eq!(halt.to_string(), "there are more than 4294967295 states");
    }
}
