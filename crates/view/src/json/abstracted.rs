//! Abstract runs as JSON.

use serde::Serialize;
use serde_json::{Map, Value as Json};
use wherefore_evidence::{
    AbstractPosition, AbstractRun as Source, Abstracted, Replay, SetRule, Split, Width,
};
use wherefore_model::Query;

use super::{number, value};
use crate::Report;
use crate::abstracted::{formula, reason};

/// All shortest evidence at once, or why there is no such form.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Abstract {
    pub shape: &'static str,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub run: Option<AbstractRun>,
}

/// A run of sets of states.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct AbstractRun {
    /// How many steps each run has that it stands for.
    pub steps: usize,
    /// How many runs it stands for; null: not counted.
    pub runs: Option<Json>,
    /// Whether these are all shortest runs.
    pub all: bool,
    pub split: &'static str,
    pub width: &'static str,
    pub replayed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_note: Option<String>,
    pub positions: Vec<Position>,
    /// Premises come first; the last is the claim about the property.
    pub proof: Vec<SetClaim>,
}

/// The states at one position.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct Position {
    /// What tells the states from the other reachable ones.
    pub text: String,
    pub states: Json,
    /// Variables with the same value in all states.
    pub common: Map<String, Json>,
    /// Each entry maps variables to the values they may have; the set is the union of the entries
    /// among the reachable states.
    pub cover: Vec<Map<String, Json>>,
    pub complete: bool,
    /// Variables with several values that do not matter.
    pub free: Vec<String>,
}

/// A claim at all states of a set.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs)]
pub struct SetClaim {
    pub position: usize,
    pub states: Json,
    /// The sub-formula, by its index in the `formula` of the evidence.
    pub sub: usize,
    pub holds: bool,
    pub rule: &'static str,
    /// The number of the branch the rule names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub which: Option<usize>,
    pub premises: Vec<usize>,
}

impl Abstract {
    pub(super) fn new(report: &Report<'_>, query: &Query, source: &Abstracted) -> Self {
        let (reason, run) = match source {
            Abstracted::None(why) => (Some(self::reason(report, query, *why).to_string()), None),
            Abstracted::Stopped(stop) => (Some(stop.to_string()), None),
            Abstracted::Run(run) => (None, Some(AbstractRun::new(report, run))),
        };
        Self {
            shape: "abstract",
            reason,
            run,
        }
    }
}

impl AbstractRun {
    fn new(report: &Report<'_>, source: &Source) -> Self {
        let (replayed, replay_note) = match &source.replay {
            Replay::Ok => (true, None),
            Replay::NotDone => (false, None),
            Replay::Partial(what) => (false, Some(format!("in part; not re-checked: {what}"))),
            Replay::Failed(why) => (false, Some(why.clone())),
        };
        let options = source.options;
        let split = match options.split {
            Split::Both => "both",
            Split::Left => "left",
            Split::Right => "right",
            Split::Simpler => "simpler",
        };
        let width = match options.width {
            Width::All => "all",
            Width::One => "one",
        };
        Self {
            steps: source.steps(),
            runs: source.runs.as_ref().map(|runs| number(&runs.to_string())),
            all: options.split == Split::Both && options.width == Width::All,
            split,
            width,
            replayed,
            replay_note,
            positions: source
                .positions
                .iter()
                .map(|source| position(report, source))
                .collect(),
            proof: proof(source),
        }
    }
}

fn position(report: &Report<'_>, source: &AbstractPosition) -> Position {
    let name = |var| report.model.vars[var].name.clone();
    let common = source.common.iter();
    let cover = source.cover.cubes.iter().map(|cube| {
        let conditions = cube.values.iter().map(|(var, values)| {
            let values = values.iter().map(|&v| value(report, v)).collect();
            (name(*var), Json::Array(values))
        });
        conditions.collect()
    });
    Position {
        text: formula(report, source, &[]),
        states: number(&source.states.to_string()),
        common: common
            .map(|&(var, v)| (name(var), value(report, v)))
            .collect(),
        cover: cover.collect(),
        complete: source.cover.complete,
        free: source.free.iter().map(|&var| name(var)).collect(),
    }
}

fn proof(source: &Source) -> Vec<SetClaim> {
    let claims = source.proof.iter().map(|claim| {
        let (rule, which) = match claim.rule {
            SetRule::Atomic => ("atomic", None),
            SetRule::Split => ("split", None),
            SetRule::Branch(number) => ("branch", Some(number)),
            SetRule::Step => ("step", None),
            SetRule::Arrive => ("goal", None),
            SetRule::Continue => ("continue", None),
        };
        SetClaim {
            position: claim.position,
            states: number(&claim.states.to_string()),
            sub: claim.goal.sub.index(),
            holds: claim.goal.holds,
            rule,
            which,
            premises: claim.premises.clone(),
        }
    });
    claims.collect()
}
