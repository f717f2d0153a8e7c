//! Certificates in the document: sets of states by the values of variables, and how they fit together.
//!
//! The same types are read back, since whoever re-checks a certificate has nothing but this.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use wherefore_evidence::certificate::{
    self as cert, Certified, How, Layer, Over, Reason, Recheck, StateSet,
};
use wherefore_model::Query;

use super::value;
use crate::Report;
use crate::certificate::{Scope, no_certificate, recheck_note};
use crate::words::sub_text;

/// Why a property holds, or why that is not said.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Certificate {
    /// Why there is none; then everything else is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(flatten)]
    pub given: Option<Given>,
}

/// A certificate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Given {
    /// Whether it speaks of the product with the tableau of the property.
    pub product: bool,
    /// `states` or `turns`: it shows that no state, or no run with so many turns, refutes the property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
    /// How many turns of fairness a run has at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    /// Up to how many turns are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted: Option<usize>,
    pub rechecked: bool,
    /// What is wrong, or why nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<usize>,
    pub invariant: Set,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfair: Option<Unfair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<Live>,
    #[serde(default)]
    pub claims: Vec<Claim>,
}

/// A set of states: those in one of the cubes, or those in none. One of the fields is there.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Set {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<Map<String, Json>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none_of: Option<Vec<Map<String, Json>>>,
}

/// States without a fair path.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Unfair {
    pub states: Set,
    pub layers: Vec<TakenAway>,
}

/// A layer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct TakenAway {
    /// `steps-out`, `justice` or `compassion`.
    pub reason: String,
    /// The number of the constraint, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<usize>,
    pub states: Set,
}

/// States each of which starts a path among them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Endless {
    pub states: Set,
    /// For each fairness constraint the rings around it.
    pub rings: Vec<Vec<Set>>,
}

/// States that a path starts from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Live {
    #[serde(flatten)]
    pub endless: Endless,
    /// Rings around these states.
    pub around: Vec<Set>,
}

/// A claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Claim {
    /// The number of the sub-formula, operands first.
    pub sub: usize,
    pub holds: bool,
    /// The text of the sub-formula.
    #[serde(default)]
    pub text: String,
    pub states: Set,
    /// `step`, `closed`, `leaves`, `reaches` or `bounded`.
    pub rule: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<TakenAway>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rings: Option<Vec<Set>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endless: Option<Endless>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Set>>,
}

impl Certificate {
    pub(super) fn new(report: &Report<'_>, query: Option<&Query>, certified: &Certified) -> Self {
        match certified {
            Certified::None(why) => Self {
                reason: Some(no_certificate(*why).to_string()),
                given: None,
            },
            Certified::Given {
                certificate,
                over,
                recheck,
            } => Self {
                reason: None,
                given: Some(given(
                    Scope::new(report, *over),
                    query,
                    certificate,
                    recheck,
                )),
            },
        }
    }
}

fn given(
    scope: Scope<'_>,
    query: Option<&Query>,
    certificate: &cert::Certificate,
    recheck: &Recheck,
) -> Given {
    let report = scope.report;
    // Other questions than the property itself have sub-formulas of their own.
    let query = query.filter(|_| matches!(scope.over, Over::Model | Over::Product));
    let turns = match scope.over {
        Over::Turns(turns) => Some(turns),
        Over::Model | Over::Product | Over::States | Over::Loops { .. } => None,
    };
    let sets = |sets: &[StateSet]| sets.iter().map(|s| set(scope, s)).collect::<Vec<_>>();
    let layers = |layers: &[Layer]| layers.iter().map(|l| layer(scope, l)).collect::<Vec<_>>();
    let endless = |endless: &cert::Endless| Endless {
        states: set(scope, &endless.states),
        rings: endless.rings.iter().map(|rings| sets(rings)).collect(),
    };
    let claim = |claim: &cert::Proved| {
        let mut told = Claim {
            sub: claim.goal.sub.index(),
            holds: claim.goal.holds,
            text: query.map_or_else(String::new, |q| sub_text(report, q, claim.goal.sub)),
            states: set(scope, &claim.states),
            rule: String::new(),
            layers: None,
            rings: None,
            endless: None,
            steps: None,
        };
        let rule = match &claim.how {
            How::Step => "step",
            How::Closed => "closed",
            How::Leaves(list) => {
                told.layers = Some(layers(list));
                "leaves"
            }
            How::Reaches { rings, endless: e } => {
                told.rings = Some(sets(rings));
                told.endless = e.as_ref().map(endless);
                "reaches"
            }
            How::Bounded(steps) => {
                told.steps = Some(sets(steps));
                "bounded"
            }
        };
        told.rule = rule.to_string();
        told
    };
    Given {
        product: scope.over == Over::Product,
        shows: match scope.over {
            Over::Model | Over::Product => None,
            Over::States => Some("states".to_string()),
            Over::Turns(_) => Some("turns".to_string()),
            Over::Loops { .. } => Some("loops".to_string()),
        },
        turns: turns.map(|turns| turns.most),
        counted: turns.map(|turns| turns.counted),
        rechecked: matches!(recheck, Recheck::Ok(_)),
        note: recheck_note(report, recheck).map(|note| note.to_string()),
        conditions: match recheck {
            Recheck::Ok(conditions) => Some(*conditions),
            _ => None,
        },
        invariant: set(scope, &certificate.invariant),
        unfair: certificate.unfair.as_ref().map(|unfair| Unfair {
            states: set(scope, &unfair.states),
            layers: layers(&unfair.layers),
        }),
        live: certificate.live.as_ref().map(|live| Live {
            endless: endless(&live.endless),
            around: sets(&live.around),
        }),
        claims: certificate.claims.iter().map(claim).collect(),
    }
}

fn layer(scope: Scope<'_>, layer: &Layer) -> TakenAway {
    let (reason, which) = match layer.reason {
        Reason::StepsOut => ("steps-out", None),
        Reason::Justice(at) => ("justice", Some(at)),
        Reason::Compassion(at) => ("compassion", Some(at)),
    };
    TakenAway {
        reason: reason.to_string(),
        which,
        states: set(scope, &layer.states),
    }
}

fn set(scope: Scope<'_>, set: &StateSet) -> Set {
    let cubes = set.cubes.iter().map(|cube| {
        let conditions = cube.values.iter().map(|(var, values)| {
            let values = values.iter().map(|&v| value(scope.report, v)).collect();
            (scope.variable(*var), Json::Array(values))
        });
        let bits = cube
            .bits
            .iter()
            .map(|&(var, bits)| (scope.variable(var), Json::String(bits.to_string())));
        conditions.chain(bits).collect()
    });
    let cubes = Some(cubes.collect());
    match set.outside {
        true => Set {
            none_of: cubes,
            any_of: None,
        },
        false => Set {
            any_of: cubes,
            none_of: None,
        },
    }
}
