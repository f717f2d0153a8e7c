//! How much is spent on the search for who is to blame, in counts.

/// How much may be spent on the search for mends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlameEffort {
    /// How many changed texts may be read.
    pub texts: usize,
    /// How many bytes these may have.
    pub bytes: usize,
    /// How often the work over listed states may ask whether to go on, or that of evaluators of instances.
    pub listing: u64,
    /// How often the work over decision diagrams may ask, or that of solvers of relational problems.
    pub diagrams: u64,
    /// How many changed models may be looked at in diagrams, or be given to a solver.
    pub trials: usize,
    /// How many terms may be looked at to find out which places counterexamples hinge on.
    pub hinges: u64,
    /// How many states and steps may be looked at to find out which places can mend at all.
    pub games: u64,
    /// Whether pairs of places are looked for, too.
    pub pairs: bool,
    /// Whether the values that a failure depends on are followed back to where they come from.
    pub slice: bool,
}

impl BlameEffort {
    /// What `check` spends unasked.
    pub const SHARE: BlameEffort = BlameEffort {
        texts: 600,
        bytes: 3_000_000,
        listing: 60_000,
        diagrams: 30_000,
        trials: 250,
        hinges: 3_000_000,
        games: 60_000,
        pairs: false,
        slice: false,
    };
    /// What is spent when somebody asks.
    pub const ASKED: BlameEffort = BlameEffort {
        texts: 20_000,
        bytes: 400_000_000,
        listing: 20_000_000,
        diagrams: 100_000_000,
        trials: 4_000,
        hinges: 1_000_000_000,
        games: 1_000_000_000,
        pairs: false,
        slice: true,
    };

    /// So many times as much.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let count = |n: usize| (n as f64 * factor).ceil() as usize;
        let questions = |n: u64| (n as f64 * factor).ceil() as u64;
        Self {
            texts: count(self.texts),
            bytes: count(self.bytes),
            listing: questions(self.listing),
            diagrams: questions(self.diagrams),
            trials: count(self.trials),
            hinges: questions(self.hinges),
            games: questions(self.games),
            pairs: self.pairs,
            slice: self.slice,
        }
    }

    /// What each of several failures may spend.
    pub(crate) fn share_of(self, failures: usize) -> Self {
        let count = failures.max(1);
        Self {
            texts: self.texts / count,
            bytes: self.bytes / count,
            listing: self.listing / count as u64,
            diagrams: self.diagrams / count as u64,
            trials: self.trials / count,
            hinges: self.hinges / count as u64,
            games: self.games / count as u64,
            pairs: self.pairs,
            slice: self.slice,
        }
    }
}
