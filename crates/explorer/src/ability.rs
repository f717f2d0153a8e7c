//! Capabilities: what can be asked about the models of a language.
//!
//! This table is the only place that says so: workers refuse what is not in it, and the list of models
//! shows the part of it that the page wants to know.

use wherefore_driver::view::wire::AbilityName;

/// Something that can be asked about some models and not about others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ability {
    /// Adding a question.
    Add,
    /// Further evidence or instances.
    Another,
    /// Walking from state to state.
    States,
    /// Which sub-formulas are true at a state.
    Truth,
    /// Values of expressions in states.
    Evaluate,
    /// Why a step is impossible.
    Blocked,
    /// Proofs that are explored step by step.
    Proofs,
    /// Analyses of all counterexamples.
    Debug,
    /// Values of expressions in instances, and instances as files.
    Instances,
}

impl Ability {
    /// The name in the list of models, if it is shown there.
    fn ability(self) -> Option<AbilityName> {
        match self {
            Ability::States => Some(AbilityName::States),
            Ability::Proofs => Some(AbilityName::Proofs),
            Ability::Debug => Some(AbilityName::Debug),
            Ability::Instances => Some(AbilityName::Instances),
            _ => None,
        }
    }
}

/// What can be asked about the models of a language.
#[derive(Debug)]
pub(crate) struct LanguageProfile {
    /// What a question is called.
    pub(crate) question: &'static str,
    pub(crate) capabilities: &'static [Ability],
    /// Why nothing else can be asked, in whole sentences.
    pub(crate) otherwise: &'static str,
}

impl LanguageProfile {
    /// Models whose states are values of variables, all of them at hand.
    pub(crate) const STATES: Self = Self {
        question: "property",
        capabilities: &[
            Ability::Add,
            Ability::Another,
            Ability::States,
            Ability::Truth,
            Ability::Evaluate,
            Ability::Blocked,
            Ability::Proofs,
            Ability::Debug,
        ],
        otherwise: "This is for the instances of commands, and this model has states.",
    };

    /// Labelled transition systems.
    pub(crate) const LTS: Self = Self {
        question: "property",
        capabilities: &[Ability::Add, Ability::States, Ability::Debug],
        otherwise: "This is for models with variables, and a labelled transition system has none.",
    };

    /// Models with infinitely many states, which SMT solvers are asked about.
    pub(crate) const SMT: Self = Self {
        question: "property",
        capabilities: &[Ability::Add, Ability::Proofs],
        otherwise: "This model has infinitely many states, and nobody has them at hand; with --bound its \
                    finite version can be looked at state by state.",
    };

    /// Alloy models whose commands are answered in their scopes.
    pub(crate) const ALLOY: Self = Self {
        question: "command",
        capabilities: &[Ability::Another, Ability::Instances],
        otherwise: "This is for models that are looked at state by state. The commands of this one are \
                    answered in their scopes: it has instances.",
    };

    /// The same where the model describes a transition system, parts of which show answers.
    pub(crate) const ALLOY_SYSTEM: Self = Self {
        capabilities: &[Ability::Another, Ability::Instances, Ability::Proofs],
        ..Self::ALLOY
    };

    pub(crate) fn can(&self, capability: Ability) -> bool {
        self.capabilities.contains(&capability)
    }

    /// The names of capabilities in the list of models.
    pub(crate) fn abilities(&self) -> Vec<AbilityName> {
        let all = self.capabilities.iter();
        all.filter_map(|capability| capability.ability()).collect()
    }
}
