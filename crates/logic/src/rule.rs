//! Path rules: what a path is.

use std::fmt;
use std::str::FromStr;

/// What counts as a path, operator by operator; `docs/semantics.md` has the whole table.
///
/// The rule belongs to the query, not to the system: the same states and transitions answer
/// differently to `INVARSPEC p` and to `SPEC AG p`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PathRule {
    /// Fair infinite paths only (CTL and LTL of NuSMV): the target of `EX` and the end of `EU` have a
    /// fair path themselves, and initial states without one are not checked.
    #[default]
    FairInfinite,
    /// Finite paths; fairness is ignored (`INVARSPEC`).
    Reach,
    /// `EX` and `EU` over any transition, `EG` along any infinite path, fairness only in `EcG`
    /// (Definition 3 of Farheen et al. 2020; CTL-live).
    Plain,
    /// Targets of `EX` and `EU` have a fair path, `EG` is fair, and every initial state counts
    /// (the published `ctlfc` module).
    PlainFair,
    /// Maximal paths: fair infinite ones, and finite ones that end in a deadlock (labelled
    /// transition systems).
    Maximal,
}

impl PathRule {
    /// All rules.
    pub const ALL: [PathRule; 5] = [
        PathRule::FairInfinite,
        PathRule::Reach,
        PathRule::Plain,
        PathRule::PlainFair,
        PathRule::Maximal,
    ];

    /// The name used on the command line and in documents.
    pub fn name(self) -> &'static str {
        match self {
            PathRule::FairInfinite => "fair-infinite",
            PathRule::Reach => "reach",
            PathRule::Plain => "plain",
            PathRule::PlainFair => "plain-fair",
            PathRule::Maximal => "maximal",
        }
    }

    /// Whether the target of a step must itself have a path of this rule.
    pub fn targets_have_paths(self) -> bool {
        match self {
            PathRule::FairInfinite | PathRule::PlainFair | PathRule::Maximal => true,
            PathRule::Reach | PathRule::Plain => false,
        }
    }

    /// Whether fairness constraints restrict the paths of `EG` and its relatives.
    pub fn globally_is_fair(self) -> bool {
        self.targets_have_paths()
    }

    /// Whether initial states without any path are left out of the verdict.
    pub fn skips_initial_states_without_path(self) -> bool {
        self == PathRule::FairInfinite
    }
}

impl FromStr for PathRule {
    type Err = String;

    /// The rule with a name, or with its short name: `fair`, `all` or `finite`.
    fn from_str(name: &str) -> Result<Self, String> {
        let named = PathRule::ALL.into_iter().find(|rule| rule.name() == name);
        let short = match name {
            "fair" => Some(PathRule::FairInfinite),
            "all" => Some(PathRule::Plain),
            "finite" => Some(PathRule::Reach),
            _ => None,
        };
        named.or(short).ok_or_else(|| {
            format!(
                "there is no path rule `{name}`; take fair-infinite (or fair), plain-fair, maximal, reach (or finite) \
                 or plain (or all)"
            )
        })
    }
}

impl fmt::Display for PathRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
