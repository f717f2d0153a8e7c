//! Random numbers that can be repeated.

/// A small random number generator (xorshift64*, Vigna 2016): the same numbers for the same seed,
/// everywhere and for ever.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Self {
        // The state must not be zero, and neighbouring seeds should part at once.
        let state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut rng = Self { state };
        rng.next();
        rng.next();
        rng
    }

    /// The next number.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        // The remainder is below a `usize`, so it fits one.
        ((self.next() >> 33) % bound as u64) as usize
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// True `times` in `out_of` times.
    pub fn chance(&mut self, times: usize, out_of: usize) -> bool {
        self.below(out_of) < times
    }

    /// One of the items, of which there is at least one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
