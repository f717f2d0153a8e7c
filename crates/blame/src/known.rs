//! Counterexamples that are tried on other texts of a model.

use std::collections::BTreeSet;

use wherefore_base::{IndexVec, Value};
use wherefore_model::{Constraint, Env, Interpreter, Model, Query, Requirement, Support, TermId};
use wherefore_proof::{Evidence, Rule};

/// The parts of a model that read an expression.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Readers {
    /// Constraints on initial states, by their place in the model.
    init: BTreeSet<usize>,
    /// Constraints on states.
    invar: BTreeSet<usize>,
    /// Constraints on steps.
    trans: BTreeSet<usize>,
    /// Whether a condition of fairness or of a property does.
    conditions: bool,
}

impl Readers {
    /// Both parts.
    fn with(&self, other: &Readers) -> Readers {
        Readers {
            init: &self.init | &other.init,
            invar: &self.invar | &other.invar,
            trans: &self.trans | &other.trans,
            conditions: self.conditions || other.conditions,
        }
    }
}

/// Finds the parts of a model that read an expression.
pub struct TermUsers<'m> {
    model: &'m Model,
    users: IndexVec<TermId, Vec<TermId>>,
}

impl<'m> TermUsers<'m> {
    /// Looks at all terms of a model.
    pub fn new(model: &'m Model) -> Self {
        let mut users: IndexVec<TermId, Vec<TermId>> = IndexVec::new();
        for at in 0..model.terms.len() {
            users.push(Vec::new());
            for operand in model.terms.get(TermId::new(at)).operands() {
                users[operand].push(TermId::new(at));
            }
        }
        Self { model, users }
    }

    /// The model whose terms these are.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Whether a constraint, a condition of fairness or a property reads a term.
    pub fn is_read(&self, term: TermId) -> bool {
        self.readers(Some(&[term])) != Readers::default()
    }

    /// Whether a term says how the system behaves: a constraint or a condition of fairness reads it.
    pub fn is_behaviour(&self, term: TermId) -> bool {
        let readers = self.readers(Some(&[term]));
        let above = self.above(&[term]);
        let of_fairness = fairness_terms(self.model).any(|condition| above.contains(&condition));
        of_fairness
            || Readers {
                conditions: false,
                ..readers
            } != Readers::default()
    }

    /// The terms that have this one as an operand.
    pub(crate) fn of(&self, term: TermId) -> &[TermId] {
        &self.users[term]
    }

    /// The terms above these, and these, operands first.
    pub(crate) fn above(&self, terms: &[TermId]) -> BTreeSet<TermId> {
        let mut above: BTreeSet<TermId> = BTreeSet::new();
        let mut open = terms.to_vec();
        while let Some(term) = open.pop() {
            if above.insert(term) {
                open.extend(&self.users[term]);
            }
        }
        above
    }

    /// The parts of the model that read one of these terms; with `None` all parts.
    pub fn readers(&self, terms: Option<&[TermId]>) -> Readers {
        let above = terms.map(|terms| self.above(terms));
        let reads = |term: TermId| above.as_ref().is_none_or(|above| above.contains(&term));
        let among = |constraints: &[Constraint]| {
            let all = constraints.iter().enumerate();
            let reading = all.filter(|(_, constraint)| reads(constraint.requires.term()));
            reading.map(|(at, _)| at).collect()
        };
        let properties = self.model.properties.iter();
        let queries = properties.filter_map(|property| property.body.query());
        let atoms = queries.flat_map(|query| query.atoms.iter().copied());
        let mut conditions = atoms.chain(fairness_terms(self.model));
        Readers {
            init: among(&self.model.init),
            invar: among(&self.model.invar),
            trans: among(&self.model.trans),
            conditions: conditions.any(reads),
        }
    }
}

/// A counterexample that rests on its runs alone, to be tried on other texts of a model.
pub struct KnownRun {
    /// Its states, the first one initial, with the values of conditions there.
    states: Vec<(Vec<Value>, Vec<Vec<Value>>)>,
    /// Its steps, with the values of the conditions that read them.
    steps: Vec<KnownStep>,
    /// What the text that it is a run of reads otherwise than the first text.
    changed: Readers,
}

/// A step of a [`KnownRun`].
struct KnownStep {
    from: Vec<Value>,
    input: Vec<Value>,
    to: Vec<Value>,
    noted: Vec<Vec<Value>>,
}

impl KnownRun {
    /// Takes down a counterexample of a changed model; `None` if it rests on more than its runs.
    pub fn of(model: &Model, changed: Readers, query: &Query, evidence: &Evidence) -> Option<Self> {
        if !rests_on_runs(evidence) {
            return None;
        }
        let occurrences = evidence.occurrences.iter().map(|occurrence| {
            let env = Env::state(&occurrence.values);
            let noted = noted_of_state(model, query);
            (occurrence.values.clone(), valued(model, &noted, env))
        });
        let steps = evidence.edges.iter().map(|edge| {
            let (from, to) = (edge.from, edge.to);
            let mut step = KnownStep {
                from: evidence.occurrences[from].values.clone(),
                input: edge.input.clone(),
                to: evidence.occurrences[to].values.clone(),
                noted: Vec::new(),
            };
            step.noted = valued(model, &noted_of_step(model, query), step.env());
            step
        });
        Some(Self {
            states: occurrences.collect(),
            steps: steps.collect(),
            changed,
        })
    }

    /// Whether it is a counterexample of another text as well, which reads these parts otherwise than the first: each step
    /// can be taken there, and the conditions of the property and of fairness are as they were.
    pub fn is_of(&self, model: &Model, changed: &Readers, query: &Query) -> bool {
        // The rest is as in the first text, and there the run keeps to it.
        let changed = self.changed.with(changed);
        let interpreter = Interpreter::new(model);
        let met = |constraint: &Constraint, env: Env<'_>, assigned: &[Value]| {
            let denoted = interpreter.values(constraint.requires.term(), env);
            match constraint.requires {
                Requirement::Holds(_) => denoted == [Value::Bool(true)],
                Requirement::Assign(var, _) => {
                    let value = assigned.get(var.index());
                    value.is_some_and(|value| denoted.contains(value))
                }
            }
        };
        let each = |of: &[Constraint], which: &BTreeSet<usize>, env: Env<'_>, to: &[Value]| {
            which.iter().all(|&at| {
                of.get(at)
                    .is_some_and(|constraint| met(constraint, env, to))
            })
        };
        let noted = (noted_of_state(model, query), noted_of_step(model, query));
        let same = |terms: &[TermId], env: Env<'_>, before: &[Vec<Value>]| {
            !changed.conditions || valued(model, terms, env) == before
        };
        let states = self.states.iter().enumerate().all(|(at, (state, before))| {
            let env = Env::state(state);
            (at > 0 || each(&model.init, &changed.init, env, state))
                && each(&model.invar, &changed.invar, env, state)
                && same(&noted.0, env, before)
        });
        states
            && self.steps.iter().all(|step| {
                each(&model.trans, &changed.trans, step.env(), &step.to)
                    && same(&noted.1, step.env(), &step.noted)
            })
    }
}

impl KnownStep {
    fn env(&self) -> Env<'_> {
        Env {
            state: &self.from,
            input: &self.input,
            next: &self.to,
        }
    }
}

/// What terms denote.
fn valued(model: &Model, terms: &[TermId], env: Env<'_>) -> Vec<Vec<Value>> {
    let interpreter = Interpreter::new(model);
    let values = terms.iter().map(|&term| interpreter.values(term, env));
    values.collect()
}

/// The conditions of fairness.
pub(crate) fn fairness_terms(model: &Model) -> impl Iterator<Item = TermId> + '_ {
    let fairness = &model.fairness;
    let pairs = fairness.compassion.iter().flat_map(|(p, q)| [*p, *q]);
    fairness.justice.iter().copied().chain(pairs)
}

/// The conditions whose truth in a state matters to a counterexample: those of fairness, and of the property if it is about
/// states.
pub(crate) fn noted_of_state(model: &Model, query: &Query) -> Vec<TermId> {
    let atoms = match reads_steps(model, query) {
        true => Vec::new(),
        false => query.atoms.iter().copied().collect(),
    };
    fairness_terms(model).chain(atoms).collect()
}

/// The conditions of the property, if they are about steps.
pub(crate) fn noted_of_step(model: &Model, query: &Query) -> Vec<TermId> {
    match reads_steps(model, query) {
        true => query.atoms.iter().copied().collect(),
        false => Vec::new(),
    }
}

/// Whether an evidence rests on its runs alone, and not on everything that can follow somewhere.
pub(crate) fn rests_on_runs(evidence: &Evidence) -> bool {
    let rules = evidence.proof.iter().map(|node| node.rule);
    let mut others = rules.filter(|rule| {
        matches!(
            rule,
            None | Some(Rule::EveryStep | Rule::Region(_) | Rule::DeadEnd)
        )
    });
    others.next().is_none()
}

/// Whether the atoms of a property read inputs or the next state.
fn reads_steps(model: &Model, query: &Query) -> bool {
    let support = Support::of(model, query.atoms.iter().copied());
    let states = model.state_vars();
    !support.next.is_empty() || support.now.iter().any(|var| var.index() >= states)
}
