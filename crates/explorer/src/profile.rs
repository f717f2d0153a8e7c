//! Capabilities: what can be asked about the models of a language.
//!
//! This table is the only place that says so: workers refuse what is not in it, and the list of models
//! shows the part of it that the page wants to know.

use wherefore_driver::Capability;
use wherefore_driver::view::wire::AbilityName;

/// The name of a capability in the list of models, if it is shown there.
fn ability(capability: Capability) -> Option<AbilityName> {
    match capability {
        Capability::States => Some(AbilityName::States),
        Capability::Explain => Some(AbilityName::Proofs),
        Capability::Debug => Some(AbilityName::Debug),
        Capability::Enumerate => Some(AbilityName::Instances),
        Capability::Blame => Some(AbilityName::Blame),
        _ => None,
    }
}

/// What can be asked about the models of a language.
#[derive(Debug)]
pub(crate) struct LanguageProfile {
    /// What a question is called.
    pub(crate) question: &'static str,
    pub(crate) capabilities: &'static [Capability],
    /// Why nothing else can be asked, in whole sentences.
    pub(crate) otherwise: &'static str,
}

impl LanguageProfile {
    /// Models whose states are values of variables, all of them at hand.
    pub(crate) const STATES: Self = Self {
        question: "property",
        capabilities: &[
            Capability::Add,
            Capability::Several,
            Capability::States,
            Capability::Evaluate,
            Capability::Explain,
            Capability::Debug,
        ],
        otherwise: "This is for the instances of commands, and this model has states.",
    };

    /// The same in SMV, whose texts can be changed.
    pub(crate) const SMV: Self = Self {
        capabilities: &[
            Capability::Add,
            Capability::Several,
            Capability::States,
            Capability::Evaluate,
            Capability::Explain,
            Capability::Debug,
            Capability::Blame,
        ],
        ..Self::STATES
    };

    /// Labelled transition systems.
    pub(crate) const LTS: Self = Self {
        question: "property",
        capabilities: &[Capability::Add, Capability::States, Capability::Debug],
        otherwise: "This is for models with variables, and a labelled transition system has none.",
    };

    /// Models with infinitely many states, which SMT solvers are asked about.
    pub(crate) const SMT: Self = Self {
        question: "property",
        capabilities: &[Capability::Add, Capability::Explain],
        otherwise: "This model has infinitely many states, which cannot be listed; with --bound its \
                    finite version can be looked at state by state.",
    };

    /// Alloy models whose commands are answered in their scopes.
    pub(crate) const ALLOY: Self = Self {
        question: "command",
        capabilities: &[Capability::Several, Capability::Enumerate],
        otherwise: "This is for models that are looked at state by state. The commands of this one are \
                    answered in their scopes: it has instances.",
    };

    /// The same where the model describes a transition system, parts of which show answers.
    pub(crate) const ALLOY_SYSTEM: Self = Self {
        capabilities: &[
            Capability::Several,
            Capability::Enumerate,
            Capability::Explain,
        ],
        ..Self::ALLOY
    };

    pub(crate) fn can(&self, capability: Capability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// The names of capabilities in the list of models.
    pub(crate) fn abilities(&self) -> Vec<AbilityName> {
        let all = self.capabilities.iter();
        all.filter_map(|capability| ability(*capability)).collect()
    }
}
