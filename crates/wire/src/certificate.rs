//! Certificates: sets of states by the values of variables, and how they fit together.

use serde::{Deserialize, Serialize};

use crate::{ByName, CertificateRuleName, LayerReasonName, ShowsName, ValueDoc};

/// Why a property holds. If there is no certificate, only `reason` is there.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertificateDoc {
    /// Why there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The certificate.
    #[serde(flatten)]
    pub given: Option<CertifiedDoc>,
}

/// A certificate.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertifiedDoc {
    /// Whether it speaks of the product with the tableau of the property.
    pub product: bool,
    /// What the invariant shows, where it is not the property itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<ShowsName>,
    /// How many turns of fairness a run has at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<usize>,
    /// Up to how many turns are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub counted: Option<usize>,
    /// Whether a solver re-checked its conditions.
    pub rechecked: bool,
    /// What is wrong, or why nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// How many conditions were re-checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<usize>,
    /// A set that has every initial state and that no step leaves.
    pub invariant: StateSetDoc,
    /// States without a fair path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfair: Option<UnfairDoc>,
    /// States that a path starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveDoc>,
    /// Claims about sub-formulas.
    #[serde(default)]
    pub claims: Vec<CertificateClaimDoc>,
}

/// The states in one of the cubes, or in none of them. One of the fields is there.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(extend("minProperties" = 1, "maxProperties" = 1)))]
pub struct StateSetDoc {
    /// The states in one of these cubes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any_of: Option<Vec<ByName<AllowedDoc>>>,
    /// The states in none of these cubes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none_of: Option<Vec<ByName<AllowedDoc>>>,
}

/// The values that a variable may have in a cube.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum AllowedDoc {
    /// These values.
    Values(Vec<ValueDoc>),
    /// The values with these bits; `*` stands for either.
    Bits(#[cfg_attr(test, schemars(regex(pattern = "^[01*]{1,64}$")))] String),
}

/// States without a fair path.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct UnfairDoc {
    /// The states.
    pub states: StateSetDoc,
    /// The order in which they are taken away.
    pub layers: Vec<LayerDoc>,
}

/// States that are taken away, and why no run stays among them for ever.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LayerDoc {
    /// Why.
    pub reason: LayerReasonName,
    /// The number of the fairness constraint, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub which: Option<usize>,
    /// The states.
    pub states: StateSetDoc,
}

/// States each of which starts a path among them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EndlessDoc {
    /// The states.
    pub states: StateSetDoc,
    /// For each justice condition, then for each compassion pair, the rings around it.
    pub rings: Vec<Vec<StateSetDoc>>,
}

/// States that a path starts from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LiveDoc {
    /// States each of which starts a path among them.
    #[serde(flatten)]
    pub endless: EndlessDoc,
    /// Rings around these states.
    pub around: Vec<StateSetDoc>,
}

/// A claim about a sub-formula at a set of states.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CertificateClaimDoc {
    /// The number of the sub-formula, operands first.
    pub sub: usize,
    /// Whether the sub-formula holds or fails.
    pub holds: bool,
    /// The text of the sub-formula.
    #[serde(default)]
    pub text: String,
    /// The states.
    pub states: StateSetDoc,
    /// How it is shown.
    pub rule: CertificateRuleName,
    /// For `leaves`: the order in which the states are left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<LayerDoc>>,
    /// For `reaches`: the rings around the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rings: Option<Vec<StateSetDoc>>,
    /// For `reaches`: where a path may stay for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub endless: Option<EndlessDoc>,
    /// For `bounded`: the states after each number of steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<StateSetDoc>>,
}
