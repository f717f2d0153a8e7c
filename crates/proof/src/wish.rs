//! Wishes about evidence, as options of the command line name them.

/// Something that was asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EvidenceWish {
    /// Evidence as somebody chooses it.
    Strategy,
    /// Evidence within a time.
    Time,
    /// Evidence for each part that fails.
    Each,
    /// Several runs.
    Count,
    /// All shortest runs at once.
    Abstract,
    /// Who could have avoided a step.
    Environment,
    /// A run on which a property matters.
    Witness,
    /// Evidence that is least in another measure than steps.
    Minimal,
}

impl EvidenceWish {
    /// The option of the command line that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            EvidenceWish::Strategy => "--strategy",
            EvidenceWish::Time => "--evidence-time",
            EvidenceWish::Each => "--each",
            EvidenceWish::Count => "--count",
            EvidenceWish::Abstract => "--evidence abstract",
            EvidenceWish::Environment => "--environment",
            EvidenceWish::Witness => "--witness",
            EvidenceWish::Minimal => "--minimal",
        }
    }
}

/// What became of a wish about whole runs: the exceptions that the evidence makes, counted on it.
///
/// An exception is an entered state, or a start, that is not as wished.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WishOutcome {
    /// The wish as it was written.
    pub name: String,
    /// Whether no wish comes before it.
    pub first: bool,
    /// Whether the evidence has a loop.
    pub loops: bool,
    /// Whether the loop does nothing for a wish that is about loops: it passes no such state, or takes no arrow.
    pub idle: bool,
    /// Exceptions in each turn of the loop.
    pub turn: u32,
    /// Exceptions on the way to the loop, the first arrival there included, or in all where there is no loop.
    pub way: u32,
    /// What is known of other evidence.
    pub best: WishBest,
}

impl WishOutcome {
    /// Whether the evidence is as wished.
    pub fn is_met(&self) -> bool {
        !self.idle && self.turn == 0 && self.way == 0
    }
}

/// What is known of how well other evidence serves a wish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WishBest {
    /// None that is best for the wishes before serves it better: every run was looked at.
    Proved,
    /// Nobody knows: the search for the best came to its limit.
    Limit,
    /// Nobody knows: another strategy chose, something is open, or the evidence is not one run.
    Open,
}

impl WishBest {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            WishBest::Proved => "proved",
            WishBest::Limit => "limit",
            WishBest::Open => "open",
        }
    }
}
