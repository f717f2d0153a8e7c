//! Transition systems over any sorts: what the readers make and the engines ask about.

use wherefore_base::{IndexVec, Span};
use wherefore_logic::{AtomId, Formula};

use crate::ctl::SmtCtl;
use crate::shape::Substitution;
use crate::term::{SmtTermId, SmtTerms, SymbolId};

/// A part of the state: a constant that changes, or a function that does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateVar {
    /// The name the user knows it by.
    pub name: String,
    /// What it is in the present state.
    pub current: SymbolId,
    /// What it is in the next state; of the same sorts.
    pub next: SymbolId,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// A named kind of step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// What such a step is, over the present state, the next one and inputs.
    pub term: SmtTermId,
    /// Where it is written.
    pub span: Option<Span>,
}

/// What a state without a next one means.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deadlock {
    /// No path goes on from it, so whatever is said of every path is so: `AF p` holds there.
    #[default]
    Vacuous,
    /// The path ends there, so what has not happened never does: `AF p` fails there unless `p` holds.
    Fail,
    /// The model is wrong: nothing is answered before the dead end is gone.
    Error,
}

/// What the user expects of a property.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExpectedVerdict {
    /// That it holds.
    Holds,
    /// That it fails.
    Fails,
}

/// How a property was written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SmtPropertyKind {
    /// An invariant: the formula is `AG p`, and finite runs count.
    Invar,
    /// `F G p` of every infinite run: the formula is `p`, a condition on states, and [`SmtProperty::ctl`] has no answer.
    Live,
    /// A formula of CTL.
    Ctl,
    /// A formula of linear time about every infinite run; [`SmtProperty::ctl`] has no answer.
    Linear,
}

/// A named question about a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmtProperty {
    /// Its name.
    pub name: String,
    /// Whether the user gave the name.
    pub named: bool,
    /// What the user wrote, on one line.
    pub text: String,
    /// Where it is written.
    pub span: Span,
    /// How it was written.
    pub kind: SmtPropertyKind,
    /// The formula, whose atoms are conditions on the present state.
    pub formula: Formula,
    /// What the atoms are: terms over the present state and parameters.
    pub atoms: IndexVec<AtomId, SmtTermId>,
    /// What the user expects.
    pub expected: Option<ExpectedVerdict>,
}

/// A transition system over any sorts, with its properties.
///
/// Invariant: `init`, `fairness` and atoms are over the present state and parameters, `trans` and actions may also read
/// the next state and inputs, `axioms` are over parameters only. Definitions are written out in all of them. Each action
/// is a part of `trans`: a step of the system is one of `trans`.
#[derive(Clone, Debug)]
pub struct TermSystem {
    /// The name of the system, usually of its file.
    pub name: String,
    /// Sorts, symbols and terms.
    pub terms: SmtTerms,
    /// The parts of the state in declaration order.
    pub state: Vec<StateVar>,
    /// What is chosen anew at each step and is not part of the state.
    pub inputs: Vec<SymbolId>,
    /// Constants and functions that never change.
    pub parameters: Vec<SymbolId>,
    /// What is required of parameters.
    pub axioms: Vec<SmtTermId>,
    /// What is required of initial states.
    pub init: SmtTermId,
    /// What is required of steps.
    pub trans: SmtTermId,
    /// The kinds of steps that have names.
    pub actions: Vec<Action>,
    /// Conditions that a fair path satisfies again and again.
    pub fairness: Vec<SmtTermId>,
    /// Named conditions and values that the user defined over the present state, for views.
    pub definitions: Vec<(String, SmtTermId)>,
    /// The properties in source order.
    pub properties: Vec<SmtProperty>,
    /// What a state without a next one means.
    pub deadlock: Deadlock,
}

impl SmtProperty {
    /// The formula with terms as atoms, or none for properties of runs.
    pub fn ctl(&self, terms: &mut SmtTerms) -> Option<SmtCtl> {
        match self.kind {
            SmtPropertyKind::Live | SmtPropertyKind::Linear => None,
            SmtPropertyKind::Invar | SmtPropertyKind::Ctl => {
                SmtCtl::of(&self.formula, &self.atoms, terms)
            }
        }
    }

    /// The condition that every run satisfies from some time on, if the property is [`SmtPropertyKind::Live`].
    pub fn stable(&self, terms: &mut SmtTerms) -> Option<SmtTermId> {
        match self.kind {
            SmtPropertyKind::Live => SmtCtl::of(&self.formula, &self.atoms, terms)?.state(terms),
            SmtPropertyKind::Invar | SmtPropertyKind::Ctl | SmtPropertyKind::Linear => None,
        }
    }
}

impl TermSystem {
    /// A system without state, in which every step may be taken.
    pub fn new(name: impl Into<String>) -> Self {
        let mut terms = SmtTerms::default();
        let all = terms.bool(true);
        Self {
            name: name.into(),
            terms,
            state: Vec::new(),
            inputs: Vec::new(),
            parameters: Vec::new(),
            axioms: Vec::new(),
            init: all,
            trans: all,
            actions: Vec::new(),
            fairness: Vec::new(),
            definitions: Vec::new(),
            properties: Vec::new(),
            deadlock: Deadlock::default(),
        }
    }

    /// A term over the present state, said of the next state.
    pub fn primed(&mut self, term: SmtTermId) -> SmtTermId {
        let mut by = Substitution::default();
        for var in &self.state {
            by.rename(var.current, var.next);
        }
        self.terms.substitute(term, &by)
    }

    /// The present-state symbols in order.
    pub fn current(&self) -> Vec<SymbolId> {
        self.state.iter().map(|var| var.current).collect()
    }

    /// The next-state symbols in order.
    pub fn next(&self) -> Vec<SymbolId> {
        self.state.iter().map(|var| var.next).collect()
    }

    /// Whether some part of the state is a function.
    pub fn has_functions(&self) -> bool {
        let arity = |var: &StateVar| self.terms.info(var.current).args.len();
        self.state.iter().any(|var| arity(var) > 0)
    }

    /// The property with this name, or with this number counted from one.
    pub fn find(&self, name: &str) -> Option<usize> {
        let by_name = self
            .properties
            .iter()
            .position(|property| property.name == name);
        by_name.or_else(|| {
            let number: usize = name.parse().ok()?;
            (1..=self.properties.len())
                .contains(&number)
                .then(|| number - 1)
        })
    }
}
