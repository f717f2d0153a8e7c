//! The model itself.

use wherefore_base::{Diagnostic, IndexVec, Names, Span, define_id};
use wherefore_logic::{AtomId, Fairness, Formula, PathRule, as_ctl};

use crate::{Domain, Support, Swap, TermId, Terms, Unbounded};

define_id!(
    /// A variable of a model.
    pub struct VarId
);

/// How a variable changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum VarKind {
    /// Part of the state.
    State,
    /// Part of the state, and keeps its initial value.
    Frozen,
    /// Chosen anew at each step; not part of the state.
    Input,
}

/// What a variable is there for.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Origin {
    /// The user declared it.
    #[default]
    Declared,
    /// It says which process runs: an input of the step that it takes, a variable of the state of the
    /// step that it took. People are told so in words.
    Process,
    /// It says which of the operations that the user wrote a step is: an input.
    Operation,
    /// A translation needs it. People are shown it only when they ask for everything.
    Hidden,
}

/// A variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The full name the user knows it by, as `lift.door`.
    pub name: String,
    /// The values it takes.
    pub domain: Domain,
    /// How it changes.
    pub kind: VarKind,
    /// Where it is declared.
    pub span: Span,
    /// What it is there for.
    pub origin: Origin,
}

impl Variable {
    /// Whether the user declared it.
    pub fn is_declared(&self) -> bool {
        self.origin == Origin::Declared
    }
}

/// A named expression of the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Define {
    /// The full name the user knows it by.
    pub name: String,
    /// What it stands for.
    pub term: TermId,
    /// Whether it reads the next state or an input, and so has no value in a state alone.
    pub of_step: bool,
}

/// A set, told by variables that say of each element whether it is in the set. People are shown the set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Membership {
    /// What the set is called.
    pub name: String,
    /// The elements it may have, with their variables, which are truth values.
    pub elements: Vec<(String, VarId)>,
}

/// A constraint on states or steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// What is required.
    pub requires: Requirement,
    /// Where it is written.
    pub span: Span,
}

/// What a constraint requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requirement {
    /// The variable has one of the values of the term. In a step constraint it is the variable in
    /// the next state; in the others, in the present one.
    Assign(VarId, TermId),
    /// The term is true.
    Holds(TermId),
}

impl Requirement {
    /// The term it rests on.
    pub fn term(self) -> TermId {
        match self {
            Requirement::Assign(_, term) | Requirement::Holds(term) => term,
        }
    }
}

/// Something that must be so for *all* values of the variables, reachable or not, or else the
/// model is wrong: an assigned value fits its variable, a `case` is exhaustive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// A term that must be true for all values of its variables, or an assignment all of whose
    /// values must fit the variable's domain.
    pub requires: Requirement,
    /// Obliged only where these terms are all true.
    pub when: Vec<TermId>,
    /// What to tell the user otherwise. `{value}` in its texts stands for the offending value.
    pub otherwise: Diagnostic,
}

/// What kind of property the user wrote.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PropertyKind {
    /// A CTL formula.
    Ctl,
    /// An invariant.
    Invar,
    /// An LTL formula.
    Ltl,
    /// A quantity to compute.
    Compute,
    /// A PSL formula.
    Psl,
}

impl PropertyKind {
    /// The name used in documents.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Ctl => "ctl",
            PropertyKind::Invar => "invar",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Compute => "compute",
            PropertyKind::Psl => "psl",
        }
    }
}

/// A question about the model: a formula, what its atoms mean, and what a path is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The formula.
    pub formula: Formula,
    /// What its atoms mean: conditions on the present state (see [`PropertyBody::Linear`], too).
    pub atoms: IndexVec<AtomId, TermId>,
    /// What a path is.
    pub rule: PathRule,
}

/// How many steps lie between two conditions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Distance {
    /// Whether the most steps are asked for, or the fewest.
    pub longest: bool,
    /// Where paths start: a condition on the present state.
    pub from: TermId,
    /// Where they arrive: a condition on the present state.
    pub to: TermId,
}

/// What a property asks, or why we cannot answer it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PropertyBody {
    /// A question about states and the paths from them.
    Query(Query),
    /// A question about every run: the formula has linear-time operators and no path quantifiers. Its
    /// atoms may read the input and the next state of the step that follows.
    Linear(Query),
    /// A number of steps to compute.
    Distance(Distance),
    /// A property of a kind that is not supported; the sentence says what and what would work.
    Unsupported(String),
}

impl PropertyBody {
    /// The formula it asks about, of either logic.
    pub fn query(&self) -> Option<&Query> {
        match self {
            PropertyBody::Query(query) | PropertyBody::Linear(query) => Some(query),
            PropertyBody::Distance(_) | PropertyBody::Unsupported(_) => None,
        }
    }
}

/// A named formula with its place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The name the user gave it, or one made from its place in the model.
    pub name: String,
    /// Whether the user gave the name.
    pub named: bool,
    /// The text the user wrote, on one line.
    pub text: String,
    /// Where it is written.
    pub span: Span,
    /// The module instance it speaks about, as `proc1`; empty for the whole model.
    pub instance: String,
    /// What kind of property it is.
    pub kind: PropertyKind,
    /// What it asks.
    pub body: PropertyBody,
}

/// A transition system over typed variables.
///
/// Invariant: variables of the state come first, in declaration order; inputs follow, in
/// declaration order. A state is the list of values of the first [`Model::state_vars`] variables,
/// an input the list of values of the others. Constraints on initial states and on states read only
/// the present state; constraints on steps may read everything; atoms, fairness conditions and
/// defines that are not `of_step` read only the present state.
#[derive(Clone, Default, Debug)]
pub struct Model {
    /// Texts of symbolic constants.
    pub names: Names,
    /// All variables.
    pub vars: IndexVec<VarId, Variable>,
    /// All terms.
    pub terms: Terms,
    /// Named expressions.
    pub defines: Vec<Define>,
    /// Sets that variables tell element by element.
    pub sets: Vec<Membership>,
    /// Constraints on initial states.
    pub init: Vec<Constraint>,
    /// Constraints on every state.
    pub invar: Vec<Constraint>,
    /// Constraints on every step. A variable with no constraint is free.
    pub trans: Vec<Constraint>,
    /// Which infinite paths count.
    pub fairness: Fairness<TermId>,
    /// Properties in source order.
    pub properties: Vec<Property>,
    /// What must be so for the model to be right.
    pub obligations: Vec<Obligation>,
    /// Numbers without bounds; a finite model has none.
    pub unbounded: Unbounded,
    /// Variables that decision diagrams ask first, in this order; no answer depends on it.
    pub order: Vec<VarId>,
    /// Swaps that may leave the model as it is; whoever relies on one proves it first.
    pub swaps: Vec<Swap>,
}

impl Model {
    /// The variables of the state that nobody declared: what fairness conditions about steps remember of the last one.
    /// Other tools have no such variables.
    pub fn memory(&self) -> impl Iterator<Item = VarId> + '_ {
        let states = (0..self.state_vars()).map(VarId::new);
        states.filter(|&var| matches!(self.vars[var].origin, Origin::Hidden | Origin::Process))
    }

    /// The query of CTL that says the same as one of linear time, if one is known and it speaks of states only.
    pub fn in_ctl(&self, query: &Query) -> Option<Query> {
        let formula = as_ctl(&query.formula)?;
        // The atoms of CTL read states, not steps.
        (!self.reads_steps(query.atoms.as_slice())).then(|| Query {
            formula,
            atoms: query.atoms.clone(),
            rule: PathRule::FairInfinite,
        })
    }

    /// Whether one of these conditions reads an input or the next state.
    pub fn reads_steps(&self, conditions: &[TermId]) -> bool {
        let support = Support::of(self, conditions.iter().copied());
        let input = |var: &VarId| self.vars[*var].kind == VarKind::Input;
        !support.next.is_empty() || support.now.iter().any(input)
    }

    /// How many variables make up a state.
    pub fn state_vars(&self) -> usize {
        // Inputs come last, so they are counted from the end.
        let inputs = self.vars.iter().rev();
        self.vars.len() - inputs.take_while(|v| v.kind == VarKind::Input).count()
    }

    /// How many inputs a step has.
    pub fn input_vars(&self) -> usize {
        self.vars.len() - self.state_vars()
    }
}
