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
