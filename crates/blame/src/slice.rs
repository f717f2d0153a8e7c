//! Slices: where the values come from that a failure depends on.
//!
//! Each value is followed back to the assignment, branch, definition or conjunct that gave it, with the conditions that decided
//! which one that was, and from there to the values of the state before. What was not taken counts as much as what was: a branch
//! whose condition was false is why the value is not another one.

use std::collections::{BTreeSet, HashSet, VecDeque};

use wherefore_base::{Budget, Run, Span, Value};
use wherefore_model::{
    BinaryOp, Constraint, Env, Interpreter, Model, Requirement, Support, Term, TermId, VarId,
};
use wherefore_proof::{Causes, Evidence, OccurrenceId, Slice, SlicePart, SliceRole, SliceValue};

/// So many values are followed back at most.
const VALUES: usize = 100;
/// Of a variable with more values it is not asked which others would have been allowed.
const OTHERS: u128 = 64;

/// Follows the values that a failure depends on back along the run.
///
/// # Errors
/// When the budget ends.
pub fn slice(model: &Model, evidence: &Evidence, causes: &Causes, budget: &Budget) -> Run<Slice> {
    let complete = |values: &[Value]| values.len() == model.state_vars();
    let mut slice = Slice::default();
    if !evidence.occurrences.iter().all(|o| complete(&o.values)) {
        return Ok(slice);
    }
    let slicer = Slicer {
        model,
        evidence,
        interpreter: Interpreter::new(model),
    };
    let mut known: HashSet<(OccurrenceId, VarId)> = causes.pairs.iter().copied().collect();
    let mut open: VecDeque<(OccurrenceId, VarId)> = causes.pairs.iter().copied().collect();
    while let Some((at, var)) = open.pop_front() {
        budget.check()?;
        if slice.values.len() == VALUES {
            slice.left_out += 1;
            continue;
        }
        let Some(value) = slicer.of_value(at, var) else {
            continue;
        };
        for &(before, read) in &value.rests_on {
            let of_state = read.index() < model.state_vars();
            if of_state && known.insert((before, read)) {
                open.push_back((before, read));
            }
        }
        slice.values.push(value);
    }
    Ok(slice)
}

struct Slicer<'a> {
    model: &'a Model,
    evidence: &'a Evidence,
    interpreter: Interpreter<'a>,
}

/// Constraints of one kind, and where they are read.
#[derive(Clone, Copy)]
struct Situation<'a> {
    constraints: &'a [Constraint],
    env: Env<'a>,
    /// The occurrence whose values `Var` reads, and that whose values `Next` reads.
    now: OccurrenceId,
    next: Option<OccurrenceId>,
}

impl<'a> Slicer<'a> {
    /// The constraints that a value at an occurrence has to do with; `None` if it is not known how the run comes there.
    fn situations(&self, at: OccurrenceId) -> Option<Vec<Situation<'a>>> {
        let here: &'a [Value] = &self.evidence.occurrences[at].values;
        let of_state = |constraints: &'a [Constraint]| Situation {
            constraints,
            env: Env::state(here),
            now: at,
            next: None,
        };
        let first = if at.index() == 0 {
            of_state(&self.model.init)
        } else {
            let mut edges = self.evidence.edges.iter();
            let edge = edges.find(|edge| edge.to == at && edge.from < at)?;
            if edge.input.len() != self.model.input_vars() {
                return None;
            }
            Situation {
                constraints: &self.model.trans,
                env: Env {
                    state: &self.evidence.occurrences[edge.from].values,
                    input: &edge.input,
                    next: here,
                },
                now: edge.from,
                next: Some(at),
            }
        };
        Some(vec![first, of_state(&self.model.invar)])
    }

    /// Where a value comes from; `None` if that is not known.
    fn of_value(&self, at: OccurrenceId, var: VarId) -> Option<SliceValue> {
        let situations = self.situations(at)?;
        let mut parts = Vec::new();
        let mut rests_on = BTreeSet::new();
        for situation in &situations {
            for constraint in situation.constraints {
                let mut reading = Reading::new(self, situation);
                match constraint.requires {
                    Requirement::Assign(assigned, term) if assigned == var => {
                        parts.extend(reading.assigned(term, constraint.span));
                    }
                    Requirement::Assign(..) => continue,
                    Requirement::Holds(term) => {
                        parts.extend(self.required(term, constraint.span, var, &mut reading));
                    }
                }
                rests_on.extend(reading.reads);
            }
        }
        rests_on.remove(&(at, var));
        Some(SliceValue {
            at,
            var,
            allowed: self.allowed(at, var, &situations),
            free: parts.is_empty(),
            parts,
            rests_on: rests_on.into_iter().collect(),
        })
    }

    /// The conjuncts of a constraint that would not be true if the variable had another value; of several ways in which it could be
    /// true, those of the first that it is.
    fn required(
        &self,
        term: TermId,
        span: Span,
        var: VarId,
        reading: &mut Reading<'_, 'a>,
    ) -> Vec<SlicePart> {
        let terms = &self.model.terms;
        let mut parts = Vec::new();
        let mut open = vec![(term, span, false)];
        while let Some((term, span, is_way)) = open.pop() {
            let span = terms.span(term).unwrap_or(span);
            if !self.reads(term, var, reading.situation) {
                // Why this is the way that counts.
                if is_way {
                    reading.walk(term, true);
                }
                continue;
            }
            match terms.get(term) {
                Term::Binary(BinaryOp::And, a, b) => {
                    open.extend([(*b, span, is_way), (*a, span, is_way)]);
                }
                Term::Binary(BinaryOp::Or, a, b) if self.matters(term, var, reading.situation) => {
                    let way = if reading.truth(*a) { *a } else { *b };
                    let is_last = !matches!(terms.get(way), Term::Binary(BinaryOp::Or, ..));
                    if is_last && let Some(span) = terms.span(way) {
                        parts.push(SlicePart {
                            span,
                            role: SliceRole::Taken,
                            since: Vec::new(),
                        });
                    }
                    open.push((way, span, true));
                }
                _ if self.matters(term, var, reading.situation) => {
                    let noted = std::mem::take(&mut reading.since);
                    reading.walk(term, false);
                    reading.since = noted;
                    parts.push(SlicePart {
                        span,
                        role: SliceRole::Required,
                        since: Vec::new(),
                    });
                }
                _ => {
                    let noted = std::mem::take(&mut reading.since);
                    reading.walk(term, true);
                    parts.push(SlicePart {
                        span,
                        role: SliceRole::Allowed,
                        since: reading.take_since(span),
                    });
                    reading.since = noted;
                }
            }
        }
        let way = parts.iter_mut().find(|part| part.role == SliceRole::Taken);
        if let Some(way) = way {
            way.since = reading.take_since(way.span);
        }
        // A way by itself says nothing of the value.
        let says = |part: &SlicePart| part.role != SliceRole::Taken;
        if parts.iter().any(says) {
            parts
        } else {
            Vec::new()
        }
    }

    /// Whether a condition could be false if the variable had another value.
    fn matters(&self, term: TermId, var: VarId, situation: &Situation<'_>) -> bool {
        self.others(var).is_none_or(|others| {
            let mut others = others.into_iter();
            others.any(|other| !self.stays_true(term, var, other, situation))
        })
    }

    /// Whether a term reads the variable where its value is that of the occurrence in question.
    fn reads(&self, term: TermId, var: VarId, situation: &Situation<'_>) -> bool {
        let support = Support::of(self.model, [term]);
        match situation.next {
            Some(_) => support.next.contains(&var),
            None => support.now.contains(&var),
        }
    }

    /// All values of a variable, if they are few.
    fn others(&self, var: VarId) -> Option<Vec<Value>> {
        let domain = &self.model.vars[var].domain;
        (domain.size() <= OTHERS).then(|| domain.values().collect())
    }

    /// Whether a condition is true if the variable has another value.
    fn stays_true(
        &self,
        term: TermId,
        var: VarId,
        other: Value,
        situation: &Situation<'_>,
    ) -> bool {
        self.with_other(var, other, situation, |env| {
            self.interpreter.truth(term, env)
        })
    }

    /// What is so where the variable has another value.
    fn with_other<T>(
        &self,
        var: VarId,
        other: Value,
        situation: &Situation<'_>,
        ask: impl FnOnce(Env<'_>) -> T,
    ) -> T {
        let env = situation.env;
        let of_step = situation.next.is_some();
        let mut changed = if of_step { env.next } else { env.state }.to_vec();
        changed[var.index()] = other;
        ask(match of_step {
            true => Env {
                next: &changed,
                ..env
            },
            false => Env {
                state: &changed,
                ..env
            },
        })
    }

    /// The other values that the variable could have had, everything else being as it is.
    fn allowed(&self, at: OccurrenceId, var: VarId, situations: &[Situation<'_>]) -> Vec<Value> {
        let now = self.evidence.occurrences[at].values[var.index()];
        let mut others = self.others(var).unwrap_or_default();
        others.retain(|&other| {
            other != now
                && situations
                    .iter()
                    .all(|situation| self.fits(var, other, situation))
        });
        others
    }

    fn fits(&self, var: VarId, other: Value, situation: &Situation<'_>) -> bool {
        self.with_other(var, other, situation, |env| {
            let assigned = if situation.next.is_some() {
                env.next
            } else {
                env.state
            };
            situation.constraints.iter().all(|constraint| {
                let term = constraint.requires.term();
                let denoted = self.interpreter.values(term, env);
                match constraint.requires {
                    Requirement::Assign(var, _) => assigned
                        .get(var.index())
                        .is_none_or(|value| denoted.contains(value)),
                    Requirement::Holds(_) => denoted == [Value::Bool(true)],
                }
            })
        })
    }
}

/// What an expression reads where it is evaluated, and which conditions decide what it denotes.
struct Reading<'s, 'a> {
    slicer: &'s Slicer<'a>,
    situation: &'s Situation<'a>,
    reads: BTreeSet<(OccurrenceId, VarId)>,
    since: Vec<(Span, bool)>,
    seen: HashSet<(TermId, bool)>,
}

impl<'s, 'a> Reading<'s, 'a> {
    fn new(slicer: &'s Slicer<'a>, situation: &'s Situation<'a>) -> Self {
        Self {
            slicer,
            situation,
            reads: BTreeSet::new(),
            since: Vec::new(),
            seen: HashSet::new(),
        }
    }

    fn truth(&self, term: TermId) -> bool {
        self.slicer.interpreter.truth(term, self.situation.env)
    }

    /// The conditions that were noted, without what says no more than the expression at this place.
    fn take_since(&mut self, span: Span) -> Vec<(Span, bool)> {
        // Each expression is looked at anew for each part.
        self.seen.clear();
        let mut since = std::mem::take(&mut self.since);
        since.retain(|&(condition, _)| condition != span);
        since
    }

    /// The branches of an assignment up to the one that was taken.
    fn assigned(&mut self, mut term: TermId, span: Span) -> Vec<SlicePart> {
        let terms = &self.slicer.model.terms;
        let mut parts: Vec<SlicePart> = Vec::new();
        let mut is_given = false;
        while let Term::Ite(condition, then, otherwise) = *terms.get(term) {
            if is_given && let Some(outer) = parts.last_mut() {
                outer.role = SliceRole::Taken;
            }
            is_given = self.truth(condition);
            let branch = terms.span(term).unwrap_or(span);
            self.walk(condition, true);
            parts.push(SlicePart {
                span: branch,
                role: match is_given {
                    true => SliceRole::Gave,
                    false => SliceRole::NotTaken,
                },
                since: self.take_since(branch),
            });
            term = if is_given { then } else { otherwise };
        }
        self.walk(term, true);
        let span = terms.span(term).unwrap_or(span);
        let since = self.take_since(span);
        match parts.last_mut() {
            Some(branch) if is_given => branch.since.extend(since),
            _ => parts.push(SlicePart {
                span,
                role: SliceRole::Gave,
                since,
            }),
        }
        parts
    }

    /// Notes what a term reads, and if that is wanted the conditions in it that decide.
    fn walk(&mut self, term: TermId, note: bool) {
        let mut open = vec![(term, note)];
        while let Some((term, note)) = open.pop() {
            if !self.seen.insert((term, note)) {
                continue;
            }
            use BinaryOp as B;
            let model = self.slicer.model;
            match model.terms.get(term) {
                Term::Const(_) => {}
                Term::Var(var) => {
                    self.reads.insert((self.situation.now, *var));
                    if note {
                        self.note(term);
                    }
                }
                Term::Next(var) => {
                    self.reads.extend(self.situation.next.map(|at| (at, *var)));
                    if note {
                        self.note(term);
                    }
                }
                Term::Not(a) => open.push((*a, note)),
                Term::Binary(op @ (B::And | B::Or | B::Implies), a, b) => {
                    // Of what decides alone, the first; otherwise both.
                    let decides = |term: TermId, left: bool| match op {
                        B::And => !self.truth(term),
                        B::Or => self.truth(term),
                        _ => self.truth(term) != left,
                    };
                    if decides(*a, true) {
                        open.push((*a, note));
                    } else if decides(*b, false) {
                        open.push((*b, note));
                    } else {
                        open.extend([(*b, note), (*a, note)]);
                    }
                }
                Term::Ite(condition, then, otherwise) => {
                    let taken = if self.truth(*condition) {
                        *then
                    } else {
                        *otherwise
                    };
                    open.extend([(taken, note), (*condition, note)]);
                }
                other => {
                    open.extend(other.operands().map(|operand| (operand, false)));
                    if note {
                        self.note(term);
                    }
                }
            }
        }
    }

    /// Notes a condition with its truth.
    fn note(&mut self, term: TermId) {
        let slicer = self.slicer;
        let values = slicer.interpreter.values(term, self.situation.env);
        if let (Some(span), [Value::Bool(truth)]) = (slicer.model.terms.span(term), &values[..]) {
            let noted = (span, *truth);
            if !self.since.contains(&noted) {
                self.since.push(noted);
            }
        }
    }
}
