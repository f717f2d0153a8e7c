//! What a search still has to make true, and what follows from it.
//!
//! A goal is looked at under the slots fixed so far. It is settled or refuted when it is known; it
//! fixes a slot when it leaves only one value for it; it falls into simpler goals where it is a
//! conjunction; otherwise it waits.

use wherefore_base::Value;
use wherefore_model::{BinaryOp, Domain, Term, TermId, VarId};

use super::search::StateSearch;
use crate::eval::{ReadMode, SearchSlot};

/// Something to make true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchGoal {
    /// The condition has the truth value wanted.
    Holds {
        mode: ReadMode,
        term: TermId,
        wanted: bool,
    },
    /// The slot has one of the values of the term.
    Assign {
        mode: ReadMode,
        slot: SearchSlot,
        term: TermId,
    },
}

impl SearchGoal {
    pub(super) fn mode(self) -> ReadMode {
        match self {
            SearchGoal::Holds { mode, .. } | SearchGoal::Assign { mode, .. } => mode,
        }
    }

    pub(super) fn term(self) -> TermId {
        match self {
            SearchGoal::Holds { term, .. } | SearchGoal::Assign { term, .. } => term,
        }
    }
}

/// What looking at a goal finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GoalOutcome {
    /// It is true, or other goals stand for it now.
    Settled,
    /// It cannot become true.
    Conflict,
    /// It depends on slots that are not fixed yet.
    Waiting,
}

use GoalOutcome::{Conflict, Settled, Waiting};

impl StateSearch<'_> {
    /// Looks at a goal; simpler goals that stand for it go to `todo`.
    pub(super) fn examine(&mut self, goal: SearchGoal, todo: &mut Vec<SearchGoal>) -> GoalOutcome {
        match goal {
            SearchGoal::Assign { mode, slot, term } => self.examine_assign(mode, slot, term, todo),
            SearchGoal::Holds { mode, term, wanted } => match self.eval.truth(mode, term) {
                Some(truth) if truth == wanted => Settled,
                Some(_) => Conflict,
                None => self.examine_unknown(mode, term, wanted, todo),
            },
        }
    }

    fn examine_assign(
        &mut self,
        mode: ReadMode,
        slot: SearchSlot,
        term: TermId,
        todo: &mut Vec<SearchGoal>,
    ) -> GoalOutcome {
        let fixed = self.eval.slot(slot);
        if let Some(other) = self.eval.as_slot(mode, term) {
            return match (fixed, self.eval.slot(other)) {
                (Some(a), Some(b)) if a == b => Settled,
                (Some(_), Some(_)) => Conflict,
                (Some(value), None) => self.fix(other, value),
                (None, Some(value)) => self.fix(slot, value),
                (None, None) => Waiting,
            };
        }
        let mut values = std::mem::take(&mut self.scratch);
        values.clear();
        let known = self.eval.choices(mode, term, &mut values).is_some();
        let outcome = match (known, fixed) {
            (true, Some(value)) if values.contains(&value) => Settled,
            (true, Some(_)) => Conflict,
            (true, None) => {
                self.keep_fitting(slot, &mut values);
                match values[..] {
                    [] => Conflict,
                    [value] => self.fix(slot, value),
                    _ => Waiting,
                }
            }
            (false, Some(Value::Bool(wanted))) if self.is_condition(term) => {
                todo.push(SearchGoal::Holds { mode, term, wanted });
                Settled
            }
            (false, _) => Waiting,
        };
        self.scratch = values;
        outcome
    }

    /// A condition whose truth is not known.
    fn examine_unknown(
        &mut self,
        mode: ReadMode,
        term: TermId,
        wanted: bool,
        todo: &mut Vec<SearchGoal>,
    ) -> GoalOutcome {
        let holds = |term, wanted| SearchGoal::Holds { mode, term, wanted };
        match self.model.terms.get(term) {
            Term::Var(_) | Term::Next(_) => match self.eval.as_slot(mode, term) {
                Some(slot) => self.fix(slot, Value::Bool(wanted)),
                None => Conflict,
            },
            Term::Not(a) => {
                todo.push(holds(*a, !wanted));
                Settled
            }
            Term::Binary(op, a, b) => match (op, wanted) {
                (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                    // `todo` is a stack: reversed, the first operand is looked at first.
                    for &term in self.eval.chain(mode, term).iter().rev() {
                        if self.eval.truth(mode, term) != Some(wanted) {
                            todo.push(holds(term, wanted));
                        }
                    }
                    Settled
                }
                (BinaryOp::Implies, false) => {
                    todo.extend([holds(*b, false), holds(*a, true)]);
                    Settled
                }
                (BinaryOp::And, false) | (BinaryOp::Or | BinaryOp::Implies, true) => {
                    match self.open_parts(holds(term, wanted)) {
                        None => Settled,
                        Some(parts) => match parts[..] {
                            [] => Conflict,
                            [part] => {
                                todo.push(part);
                                Settled
                            }
                            _ => Waiting,
                        },
                    }
                }
                (BinaryOp::Equal, true) | (BinaryOp::Unequal, false) => {
                    self.examine_equation(mode, *a, *b, todo)
                }
                (BinaryOp::Equal, false) | (BinaryOp::Unequal, true) => {
                    self.examine_difference(mode, *a, *b, todo)
                }
                _ => Waiting,
            },
            Term::Ite(condition, then, otherwise) => {
                let condition = (*condition, self.eval.truth(mode, *condition));
                let [a, b] = [*then, *otherwise].map(|t| (t, self.eval.truth(mode, t)));
                match (condition.1, a.1, b.1) {
                    (Some(true), _, _) => todo.push(holds(a.0, wanted)),
                    (Some(false), _, _) => todo.push(holds(b.0, wanted)),
                    // A branch that has the wrong value forces the condition to choose the other one.
                    (None, Some(truth), _) if truth != wanted => {
                        todo.extend([holds(b.0, wanted), holds(condition.0, false)]);
                    }
                    (None, _, Some(truth)) if truth != wanted => {
                        todo.extend([holds(a.0, wanted), holds(condition.0, true)]);
                    }
                    _ => return Waiting,
                }
                Settled
            }
            Term::Member(a, members) if wanted => match self.eval.as_slot(mode, *a) {
                Some(slot) => {
                    let term = *members;
                    todo.push(SearchGoal::Assign { mode, slot, term });
                    Settled
                }
                None => Waiting,
            },
            _ => Waiting,
        }
    }

    /// `a = b`, not known.
    fn examine_equation(
        &mut self,
        mode: ReadMode,
        a: TermId,
        b: TermId,
        todo: &mut Vec<SearchGoal>,
    ) -> GoalOutcome {
        for (side, term) in [(a, b), (b, a)] {
            if let Some(slot) = self.eval.as_slot(mode, side) {
                todo.push(SearchGoal::Assign { mode, slot, term });
                return Settled;
            }
        }
        for (side, term) in [(a, b), (b, a)] {
            if let Some(wanted) = self.eval.truth(mode, side)
                && self.is_condition(term)
            {
                todo.push(SearchGoal::Holds { mode, term, wanted });
                return Settled;
            }
        }
        Waiting
    }

    /// `a != b`, not known.
    fn examine_difference(
        &mut self,
        mode: ReadMode,
        a: TermId,
        b: TermId,
        todo: &mut Vec<SearchGoal>,
    ) -> GoalOutcome {
        for (side, term) in [(a, b), (b, a)] {
            if let Some(truth) = self.eval.truth(mode, side)
                && self.is_condition(term)
            {
                let wanted = !truth;
                todo.push(SearchGoal::Holds { mode, term, wanted });
                return Settled;
            }
        }
        Waiting
    }

    /// The parts of a disjunctive goal that are not known, one of which must come true; `None` when
    /// one is true already.
    fn open_parts(&mut self, goal: SearchGoal) -> Option<Vec<SearchGoal>> {
        let mut parts = Vec::new();
        let mut open = vec![goal];
        while let Some(goal) = open.pop() {
            let SearchGoal::Holds { mode, term, wanted } = goal else {
                parts.push(goal);
                continue;
            };
            match self.eval.truth(mode, term) {
                Some(truth) if truth == wanted => return None,
                Some(_) => continue,
                None => {}
            }
            let holds = |term, wanted| SearchGoal::Holds { mode, term, wanted };
            match (self.model.terms.get(term), wanted) {
                (Term::Not(a), _) => open.push(holds(*a, !wanted)),
                (Term::Binary(BinaryOp::Or, ..), true)
                | (Term::Binary(BinaryOp::And, ..), false) => {
                    let chain = self.eval.chain(mode, term);
                    open.extend(chain.iter().rev().map(|&term| holds(term, wanted)));
                }
                (Term::Binary(BinaryOp::Implies, a, b), true) => {
                    open.extend([holds(*b, true), holds(*a, false)]);
                }
                _ => parts.push(goal),
            }
        }
        Some(parts)
    }

    /// Ways to make a waiting goal true, one of which any solution takes: each a list of goals.
    pub(super) fn alternatives(&mut self, goal: SearchGoal) -> Option<Vec<Vec<SearchGoal>>> {
        let SearchGoal::Holds { mode, term, wanted } = goal else {
            return None;
        };
        let holds = |term, wanted| SearchGoal::Holds { mode, term, wanted };
        match self.model.terms.get(term) {
            Term::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, ..) => {
                let parts = self.open_parts(goal)?;
                Some(self.disjoint_by_literals(parts))
            }
            Term::Binary(op @ (BinaryOp::Equal | BinaryOp::Unequal), a, b)
                if self.is_condition(*a) && self.is_condition(*b) =>
            {
                let equal = (*op == BinaryOp::Equal) == wanted;
                let way = |truth| vec![holds(*a, truth), holds(*b, truth == equal)];
                Some(vec![way(true), way(false)])
            }
            Term::Ite(condition, then, otherwise) => Some(vec![
                vec![holds(*condition, true), holds(*then, wanted)],
                vec![holds(*condition, false), holds(*otherwise, wanted)],
            ]),
            _ => None,
        }
    }

    /// One alternative for each part; once a part that is a variable was tried, it is false in the
    /// alternatives that follow, so that fewer solutions are found twice.
    fn disjoint_by_literals(&self, parts: Vec<SearchGoal>) -> Vec<Vec<SearchGoal>> {
        let mut refuted: Vec<SearchGoal> = Vec::new();
        let mut ways = Vec::with_capacity(parts.len());
        for part in parts {
            let mut way = refuted.clone();
            way.push(part);
            ways.push(way);
            if let SearchGoal::Holds { mode, term, wanted } = part
                && self.eval.as_slot(mode, term).is_some()
            {
                let wanted = !wanted;
                refuted.push(SearchGoal::Holds { mode, term, wanted });
            }
        }
        ways
    }

    /// The values among which a waiting assignment of a free slot chooses, if they are known.
    pub(super) fn candidates(&mut self, goal: SearchGoal) -> Option<(SearchSlot, Vec<Value>)> {
        let SearchGoal::Assign { mode, slot, term } = goal else {
            return None;
        };
        if self.eval.slot(slot).is_some() {
            return None;
        }
        let mut values = Vec::new();
        self.eval.choices(mode, term, &mut values)?;
        self.keep_fitting(slot, &mut values);
        Some((slot, values))
    }

    /// Whether a term denotes one truth value.
    fn is_condition(&self, term: TermId) -> bool {
        match self.model.terms.get(term) {
            Term::Var(var) | Term::Next(var) => self.model.vars[*var].domain == Domain::Bool,
            Term::Not(_) | Term::Member(..) => true,
            Term::Binary(op, ..) => op.is_condition(),
            _ => false,
        }
    }

    /// Keeps the values that are in the domain of a slot, each once.
    fn keep_fitting(&self, slot: SearchSlot, values: &mut Vec<Value>) {
        let var = VarId::new(slot);
        values.retain(|&value| self.indices.of(self.model, var, value).is_some());
        values.sort_unstable();
        values.dedup();
    }
}
