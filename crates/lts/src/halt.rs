//! Why work on transition systems ends without a result.

use wherefore_base::Stop;

/// Why a system was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LtsHalt {
    /// Time, memory or patience ran out.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// There are more of these than 32 bits can count.
    #[error("there are more than {most} {0}", most = u32::MAX)]
    TooMany(&'static str),
}

/// A count that fits 32 bits.
pub(crate) fn counted(count: usize, what: &'static str) -> Result<u32, LtsHalt> {
    match u32::try_from(count) {
        // The largest number means *none* in tables.
        Ok(count) if count < u32::MAX => Ok(count),
        _ => Err(LtsHalt::TooMany(what)),
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
