//! Whether a counterexample hinges on an expression.

use std::collections::BTreeSet;

use wherefore_base::{IndexVec, Value};
use wherefore_model::{Constraint, Model, Query, Requirement, Term, TermId, apply};
use wherefore_proof::{Evidence, Hinge, HingeEffect, OccurrenceId};

use crate::known::{TermUsers, noted_of_state, noted_of_step, rests_on_runs};

/// The values that a term may denote; `None`: it may be anything.
type Known = Option<Vec<Value>>;

/// What a counterexample asks of the model: which conditions are as they are, in which of its states and steps.
///
/// For counterexamples that consist of runs. One that rests on everything that can follow depends on every place.
pub struct RunHinges<'m> {
    model: &'m Model,
    situations: Vec<Situation>,
    users: TermUsers<'m>,
}

/// A state or a step of a counterexample.
struct Situation {
    /// The state, or the one that the step leaves.
    at: OccurrenceId,
    /// What each term denotes here.
    known: IndexVec<TermId, Known>,
    /// What must be so here.
    asked: Vec<Asked>,
}

/// Something that a counterexample asks in a situation.
struct Asked {
    wanted: Wanted,
    /// What would be otherwise if that were not so.
    effect: HingeEffect,
}

/// What is asked of a term.
enum Wanted {
    /// The term denotes what it denotes.
    Same(TermId),
    /// The value is one of those that the term denotes.
    Among(Value, TermId),
}

impl<'m> RunHinges<'m> {
    /// What a counterexample asks; `None` if it rests on more than its runs.
    pub fn of(model: &'m Model, query: &Query, evidence: &Evidence) -> Option<Self> {
        if !rests_on_runs(evidence) {
            return None;
        }
        let mut situations = Vec::new();
        for (at, occurrence) in evidence.occurrences.iter().enumerate() {
            let state = &occurrence.values;
            let mut asked: Vec<Asked> = Vec::new();
            let initial = if at == 0 { &model.init[..] } else { &[] };
            asked.extend(
                initial
                    .iter()
                    .map(|c| required(c, HingeEffect::Start, state)),
            );
            let invar = model.invar.iter();
            asked.extend(invar.map(|c| required(c, HingeEffect::State, state)));
            asked.extend(noted_of_state(model, query).into_iter().map(noted));
            situations.push(Situation {
                at: OccurrenceId::new(at),
                known: values(model, state, &[], &[]),
                asked,
            });
        }
        for edge in &evidence.edges {
            let from = &evidence.occurrences[edge.from].values;
            let to = &evidence.occurrences[edge.to].values;
            let steps = model.trans.iter();
            let mut asked: Vec<Asked> = steps.map(|c| required(c, HingeEffect::Step, to)).collect();
            asked.extend(noted_of_step(model, query).into_iter().map(noted));
            situations.push(Situation {
                at: edge.from,
                known: values(model, from, &edge.input, to),
                asked,
            });
        }
        Some(Self {
            model,
            situations,
            users: TermUsers::new(model),
        })
    }

    /// How many terms are looked at to find out whether it depends on these: a count, not a time.
    pub fn cost(&self, terms: &[TermId]) -> u64 {
        let above = self.users.above(terms).len() as u64;
        above * self.situations.len() as u64
    }

    /// Whether something that the counterexample asks may be otherwise if these terms denote anything.
    pub fn depends_on(&self, terms: &[TermId]) -> bool {
        let above = self.users.above(terms);
        self.situations.iter().any(|situation| {
            let changed = self.changed(situation, &above, &|term| {
                terms.contains(&term).then_some(None)
            });
            situation.asked.iter().any(|asked| match asked.wanted {
                Wanted::Same(term) => changed.iter().any(|(other, _)| *other == term),
                Wanted::Among(value, term) => {
                    let mut new = changed.iter().filter(|(other, _)| *other == term);
                    new.any(|(_, known)| !known.as_ref().is_some_and(|all| all.contains(&value)))
                }
            })
        })
    }

    /// The first point at which one of these terms, which are the same expression in several instances, has a value without
    /// which the run would be no counterexample; these are the values that it may have.
    pub fn hinge(&self, terms: &[TermId], values: &[Value]) -> Option<Hinge> {
        for &term in terms {
            let above = self.users.above(&[term]);
            for situation in &self.situations {
                let Some(now) = &situation.known[term] else {
                    continue;
                };
                for &other in values.iter().filter(|value| !now.contains(value)) {
                    let new = Some(vec![other]);
                    let changed =
                        self.changed(situation, &above, &|id| (id == term).then(|| new.clone()));
                    if let Some(effect) = broken(situation, &changed) {
                        return Some(Hinge {
                            at: situation.at,
                            now: now.clone(),
                            other,
                            effect,
                        });
                    }
                }
            }
        }
        None
    }

    /// The terms above some that denote something else in a situation where those denote what is given.
    fn changed(
        &self,
        situation: &Situation,
        above: &BTreeSet<TermId>,
        given: &dyn Fn(TermId) -> Option<Known>,
    ) -> Vec<(TermId, Known)> {
        let mut changed: Vec<(TermId, Known)> = Vec::new();
        for &term in above {
            if let Some(known) = given(term) {
                changed.push((term, known));
                continue;
            }
            let now = denoted(self.model.terms.get(term), &|operand| {
                let new = changed.binary_search_by_key(&operand, |(term, _)| *term);
                match new {
                    Ok(at) => changed[at].1.as_deref(),
                    Err(_) => situation.known[operand].as_deref(),
                }
            });
            // What is as before changes nothing above it.
            if now != situation.known[term] {
                changed.push((term, now));
            }
        }
        changed
    }
}

/// What is otherwise for sure in a situation where these terms denote something else.
fn broken(situation: &Situation, changed: &[(TermId, Known)]) -> Option<HingeEffect> {
    let new = |term: TermId| {
        let mut found = changed.iter().filter(|(other, _)| *other == term);
        found.next().and_then(|(_, known)| known.as_ref())
    };
    let is_broken = |asked: &&Asked| match asked.wanted {
        Wanted::Same(term) => {
            new(term).is_some_and(|now| Some(now) != situation.known[term].as_ref())
        }
        Wanted::Among(value, term) => new(term).is_some_and(|now| !now.contains(&value)),
    };
    situation
        .asked
        .iter()
        .find(is_broken)
        .map(|asked| asked.effect)
}

/// That a condition of the property or of fairness is as it is.
fn noted(term: TermId) -> Asked {
    Asked {
        wanted: Wanted::Same(term),
        effect: HingeEffect::Condition,
    }
}

/// What a constraint asks where the variables that it assigns have these values.
fn required(constraint: &Constraint, effect: HingeEffect, values: &[Value]) -> Asked {
    let wanted = match constraint.requires {
        Requirement::Assign(var, term) if var.index() < values.len() => {
            Wanted::Among(values[var.index()], term)
        }
        Requirement::Assign(_, term) | Requirement::Holds(term) => Wanted::Same(term),
    };
    Asked { wanted, effect }
}

/// What each term denotes; `None` for those that read what is not there.
fn values(
    model: &Model,
    state: &[Value],
    input: &[Value],
    next: &[Value],
) -> IndexVec<TermId, Known> {
    let mut known: IndexVec<TermId, Known> = IndexVec::new();
    for at in 0..model.terms.len() {
        let one = |value: Option<&Value>| value.map(|&value| vec![value]);
        let now = match model.terms.get(TermId::new(at)) {
            Term::Var(var) => match var.index().checked_sub(model.state_vars()) {
                None => one(state.get(var.index())),
                Some(input_at) => one(input.get(input_at)),
            },
            Term::Next(var) => one(next.get(var.index())),
            term => denoted(term, &|operand| known[operand].as_deref()),
        };
        known.push(now);
    }
    known
}

/// What a term denotes if its operands denote these: known wherever no unknown operand can change it.
fn denoted<'k>(term: &Term, operand: &dyn Fn(TermId) -> Option<&'k [Value]>) -> Known {
    let truth = |id: TermId| match operand(id) {
        Some([value]) => value.as_bool(),
        _ => None,
    };
    let one = |id: TermId| match operand(id) {
        Some([value]) => Some(*value),
        _ => None,
    };
    let boolean = |value: bool| Some(vec![Value::Bool(value)]);
    use wherefore_model::BinaryOp as B;
    match term {
        Term::Const(value) => Some(vec![*value]),
        Term::Var(_) | Term::Next(_) => None,
        Term::Not(a) => boolean(!truth(*a)?),
        Term::Negate(a) => Some(vec![Value::Int(one(*a)?.as_int()?.wrapping_neg())]),
        Term::Binary(B::And, a, b) => match (truth(*a), truth(*b)) {
            (Some(false), _) | (_, Some(false)) => boolean(false),
            (Some(true), Some(true)) => boolean(true),
            _ => None,
        },
        Term::Binary(B::Or, a, b) => match (truth(*a), truth(*b)) {
            (Some(true), _) | (_, Some(true)) => boolean(true),
            (Some(false), Some(false)) => boolean(false),
            _ => None,
        },
        Term::Binary(B::Implies, a, b) => match (truth(*a), truth(*b)) {
            (Some(false), _) | (_, Some(true)) => boolean(true),
            (Some(true), Some(false)) => boolean(false),
            _ => None,
        },
        Term::Binary(op, a, b) => Some(vec![apply(*op, one(*a)?, one(*b)?)?]),
        Term::Ite(condition, then, otherwise) => match truth(*condition) {
            Some(true) => operand(*then).map(<[Value]>::to_vec),
            Some(false) => operand(*otherwise).map(<[Value]>::to_vec),
            None => {
                let (then, otherwise) = (operand(*then)?, operand(*otherwise)?);
                (then == otherwise).then(|| then.to_vec())
            }
        },
        Term::Set(members) => {
            let mut all: Vec<Value> = Vec::new();
            for &member in members {
                for &value in operand(member)? {
                    if !all.contains(&value) {
                        all.push(value);
                    }
                }
            }
            Some(all)
        }
        Term::Member(a, b) => {
            let (left, right) = (operand(*a)?, operand(*b)?);
            boolean(left.iter().all(|value| right.contains(value)))
        }
        Term::Count(conditions) => {
            let mut count = 0;
            for &condition in conditions {
                count += i64::from(truth(condition)?);
            }
            Some(vec![Value::Int(count)])
        }
        Term::Word(op, a) => match one(*a)? {
            Value::Word(word) => Some(vec![op.apply(word)]),
            _ => None,
        },
    }
}
