//! Recursion that cannot overflow the stack.

/// Runs `f` with at least a few hundred kilobytes of stack, growing the stack on the heap when needed.
///
/// Every function that recurses along the structure of user input (expressions, formulas, terms)
/// wraps its recursive step in this, so that input nested a hundred thousand levels deep is only slow.
pub fn deep<R>(f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, f)
}

/// Runs `f` with at least this many bytes of stack: for the code of others, which recurses along input
/// without asking.
pub fn with_stack<R>(bytes: usize, f: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(bytes, bytes.saturating_mul(2), f)
}

#[cfg(test)]
mod tests {
    use super::deep;

    #[test]
    fn a_million_levels_fit() {
        fn count(n: u64) -> u64 {
            deep(|| if n == 0 { 0 } else { 1 + count(n - 1) })
        }
        assert_eq!(count(1_000_000), 1_000_000);
    }
}
