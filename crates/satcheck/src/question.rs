//! What a property asks, in the terms of this engine: no reachable state is bad, or no fair run is.
//!
//! A CTL formula becomes a linear-time one where the two say the same of every model: conjunctions,
//! disjunctions with one side that speaks of the present state only, and universal path operators whose
//! choice of a moment depends on the present state only (Maidl 2000).

use std::collections::BTreeSet;

use wherefore_base::{IndexVec, Value, deep};
use wherefore_check::Tableau;
use wherefore_logic::{Formula, LinearOp, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{
    BinaryOp, Model, PropertyBody, Query, Requirement, Support, Term, TermId, VarKind,
};

use crate::path::path;

/// A question for this engine.
#[derive(Clone, Debug)]
pub enum SatQuestion {
    /// No reachable state satisfies a condition.
    NoState(NoState),
    /// No fair run refutes a formula.
    NoRun {
        /// The product whose fair runs refute it.
        tableau: Box<Tableau>,
        /// The formula holds if this does. It may hold without.
        enough: Option<NoState>,
        /// What every run comes to that refutes it, if it is refuted by paths that end.
        path: Option<NoState>,
    },
}

/// No reachable state satisfies a condition.
#[derive(Clone, Debug)]
pub struct NoState {
    /// The model, with the condition among its terms.
    pub model: Box<Model>,
    /// The condition.
    pub bad: TermId,
}

/// The question that a property asks, or a sentence that says why this engine cannot answer it.
///
/// # Panics
/// When the model has no property with this index.
pub fn question(model: &Model, property: usize) -> Result<SatQuestion, String> {
    let property = &model.properties[property];
    let branching = matches!(property.body, PropertyBody::Query(_));
    let linear = match &property.body {
        PropertyBody::Unsupported(why) => return Err(why.clone()),
        PropertyBody::Distance(_) => return Err(NUMBERS.into()),
        PropertyBody::Query(query) if matches!(query.rule, PathRule::Reach | PathRule::Plain) => {
            if let Some(condition) = always(query) {
                return Ok(SatQuestion::NoState(refuted(model, query, condition)));
            }
            // What never comes is put off by an infinite path, under this rule too.
            let unfair = query.rule == PathRule::Plain && model.fairness.is_empty();
            match unfair && is_eventually(query) {
                true => linear(model, query).ok_or_else(|| String::from(BRANCHES))?,
                false => return Err(RUNS.into()),
            }
        }
        PropertyBody::Query(query) if query.rule == PathRule::FairInfinite => {
            linear(model, query).ok_or_else(|| String::from(BRANCHES))?
        }
        PropertyBody::Query(_) => return Err(RUNS.into()),
        PropertyBody::Linear(query) => query.clone(),
    };
    let of_state = linear.atoms.iter().all(|&atom| is_of_state(model, atom));
    let enough = always(&linear)
        .filter(|_| of_state)
        .map(|condition| refuted(model, &linear, condition));
    Ok(match enough {
        // Where every path goes on for ever, a run through any bad state refutes the formula.
        Some(no_state) if goes_on(model) => SatQuestion::NoState(no_state),
        enough => SatQuestion::NoRun {
            tableau: Box::new(Tableau::new(model, &linear, property.span)),
            // A formula of linear time is refuted by a run that goes on, whatever is wrong with it.
            path: match branching && of_state {
                true => path(model, &linear),
                false => None,
            },
            enough,
        },
    })
}

/// The condition that no reachable state may satisfy, if that is all a property asks.
pub fn invariant(model: &Model, property: usize) -> Option<NoState> {
    match question(model, property) {
        Ok(SatQuestion::NoState(asked)) => Some(asked),
        _ => None,
    }
}

/// Whether a property holds in every model, by its form: `AG EX TRUE` says of fair infinite runs only that
/// they go on.
pub fn holds_by_form(model: &Model, property: usize) -> bool {
    match &model.properties[property].body {
        PropertyBody::Query(query) if query.rule == PathRule::FairInfinite => {
            certain(model, query)[query.formula.root()]
        }
        _ => false,
    }
}

const NUMBERS: &str =
    "the SAT engine does not compute numbers of steps; take the explicit or the BDD engine";
const BRANCHES: &str = "the SAT engine answers CTL properties that say of every run what a formula of \
     linear time says; take the explicit or the BDD engine for this one";
const RUNS: &str = "the SAT engine answers invariants and properties of fair infinite runs; take the \
     explicit or the BDD engine for this one";

/// Whether every path goes on for ever, and fairly, by the form of the model.
pub(crate) fn goes_on(model: &Model) -> bool {
    model.fairness.is_empty() && is_total(model)
}

/// Whether every state has a successor, by the form of the constraints: each variable is assigned once at
/// most, and nothing else is required of a step.
pub fn is_total(model: &Model) -> bool {
    let mut assigned = BTreeSet::new();
    let mut constraints = model.trans.iter().chain(&model.invar);
    constraints.all(|constraint| match constraint.requires {
        Requirement::Assign(var, _) => assigned.insert(var),
        Requirement::Holds(term) => *model.terms.get(term) == Term::Const(Value::Bool(true)),
    })
}

/// Whether a condition reads the present state only.
fn is_of_state(model: &Model, term: TermId) -> bool {
    let support = Support::of(model, [term]);
    let input = |var: &_| model.vars[*var].kind == VarKind::Input;
    support.next.is_empty() && !support.now.iter().any(input)
}

/// What must always be so, if that is all the formula says.
pub(crate) fn always(query: &Query) -> Option<SubId> {
    let formula = &query.formula;
    let inner = match formula.op(formula.root()) {
        Op::Path(Quantifier::Forall, PathOp::Globally(inner)) => inner,
        Op::Linear(LinearOp::Globally(inner)) => inner,
        _ => return None,
    };
    formula.propositional()[inner].then_some(inner)
}

/// Whether all the formula says is that something comes on every path.
pub(crate) fn is_eventually(query: &Query) -> bool {
    let formula = &query.formula;
    match formula.op(formula.root()) {
        Op::Path(Quantifier::Forall, PathOp::Finally(inner)) => formula.propositional()[inner],
        _ => false,
    }
}

/// No state where a part of the formula that speaks of the present state is false.
pub(crate) fn refuted(model: &Model, query: &Query, condition: SubId) -> NoState {
    let mut model = Model {
        properties: vec![],
        ..model.clone()
    };
    let terms = conditions(&mut model, query);
    let condition = terms[condition].expect("the condition speaks of the present state");
    let bad = model.terms.add(Term::Not(condition), None);
    NoState {
        model: Box::new(model),
        bad,
    }
}

/// The parts of a formula that speak of the present state, as conditions of the model.
pub(crate) fn conditions(model: &mut Model, query: &Query) -> IndexVec<SubId, Option<TermId>> {
    let mut terms: IndexVec<SubId, Option<TermId>> = IndexVec::new();
    for sub in query.formula.subs() {
        let of = |sub: SubId| terms[sub];
        let pair = |op, f, g| Some(Term::Binary(op, of(f)?, of(g)?));
        let term = match query.formula.op(sub) {
            Op::Const(value) => Some(Term::Const(Value::Bool(value))),
            Op::Atom(atom) => {
                terms.push(Some(query.atoms[atom]));
                continue;
            }
            Op::Not(f) => of(f).map(Term::Not),
            Op::And(f, g) => pair(BinaryOp::And, f, g),
            Op::Or(f, g) => pair(BinaryOp::Or, f, g),
            Op::Implies(f, g) => pair(BinaryOp::Implies, f, g),
            Op::Iff(f, g) => pair(BinaryOp::Equal, f, g),
            Op::Xor(f, g) => pair(BinaryOp::Unequal, f, g),
            Op::Path(..) | Op::Linear(_) => None,
        };
        terms.push(term.map(|term| model.terms.add(term, None)));
    }
    terms
}

/// The linear-time formula that says the same as a CTL formula, if they are of the forms that do.
pub(crate) fn linear(model: &Model, query: &Query) -> Option<Query> {
    let certain = certain(model, query);
    let mut plain: IndexVec<SubId, bool> = IndexVec::new();
    for sub in query.formula.subs() {
        let op = query.formula.op(sub);
        let steps = matches!(op, Op::Path(..) | Op::Linear(_));
        plain.push(certain[sub] || !steps && op.operands().all(|operand| plain[operand]));
    }
    let mut translation = Translation {
        from: &query.formula,
        certain,
        plain,
        to: Formula::new(),
    };
    translation.sub(query.formula.root(), true)?;
    Some(Query {
        formula: translation.to,
        ..query.clone()
    })
}

/// For each sub-formula, whether it is true in every state of every fair run by its form: `TRUE`, and that
/// some run goes on from here.
fn certain(model: &Model, query: &Query) -> IndexVec<SubId, bool> {
    let mut certain: IndexVec<SubId, bool> = IndexVec::new();
    for sub in query.formula.subs() {
        certain.push(match query.formula.op(sub) {
            Op::Const(value) => value,
            Op::Atom(atom) => *model.terms.get(query.atoms[atom]) == Term::Const(Value::Bool(true)),
            Op::And(f, g) => certain[f] && certain[g],
            Op::Or(f, g) => certain[f] || certain[g],
            Op::Implies(_, g) => certain[g],
            Op::Path(_, PathOp::Next(f) | PathOp::Finally(f) | PathOp::Globally(f)) => certain[f],
            _ => false,
        });
    }
    certain
}

struct Translation<'f> {
    from: &'f Formula,
    /// Sub-formulas that are true by their form.
    certain: IndexVec<SubId, bool>,
    /// Sub-formulas that speak of the present state only.
    plain: IndexVec<SubId, bool>,
    to: Formula,
}

impl Translation<'_> {
    /// A sub-formula, or its negation, over runs.
    fn sub(&mut self, sub: SubId, holds: bool) -> Option<SubId> {
        deep(|| self.sub_here(sub, holds))
    }

    fn sub_here(&mut self, sub: SubId, holds: bool) -> Option<SubId> {
        if self.plain[sub] {
            let copy = self.copy(sub);
            return Some(match holds {
                true => copy,
                false => self.to.add(Op::Not(copy), None),
            });
        }
        match (self.from.op(sub), holds) {
            (Op::Not(f), _) => self.sub(f, !holds),
            (Op::And(f, g), true) => self.both((f, true), (g, true)),
            (Op::Or(f, g), false) => self.both((f, false), (g, false)),
            (Op::Implies(f, g), false) => self.both((f, true), (g, false)),
            (Op::Or(f, g), true) => self.either((f, true), (g, true)),
            (Op::And(f, g), false) => self.either((f, false), (g, false)),
            (Op::Implies(f, g), true) => self.either((f, false), (g, true)),
            (Op::Path(Quantifier::Forall, path), true) => self.path(path, true),
            (Op::Path(Quantifier::Exists, path), false) => self.path(path, false),
            _ => None,
        }
    }

    fn both(&mut self, f: (SubId, bool), g: (SubId, bool)) -> Option<SubId> {
        let (f, g) = (self.sub(f.0, f.1)?, self.sub(g.0, g.1)?);
        Some(self.to.add(Op::And(f, g), None))
    }

    fn either(&mut self, f: (SubId, bool), g: (SubId, bool)) -> Option<SubId> {
        // `A (f | g)` is weaker than `A f | A g`, unless one side is about the present state.
        if !self.plain[f.0] && !self.plain[g.0] {
            return None;
        }
        let (f, g) = (self.sub(f.0, f.1)?, self.sub(g.0, g.1)?);
        Some(self.to.add(Op::Or(f, g), None))
    }

    /// A universal path operator, or the negation of an existential one.
    fn path(&mut self, path: PathOp, holds: bool) -> Option<SubId> {
        use LinearOp as L;
        use PathOp as P;
        let plain = |translation: &Self, sub: SubId| translation.plain[sub].then_some(());
        let op = match (path, holds) {
            (P::Next(f), _) => L::Next(self.sub(f, holds)?),
            (P::Globally(f), true) | (P::Finally(f), false) => L::Globally(self.sub(f, holds)?),
            (P::Finally(f), true) | (P::Globally(f), false) => {
                // `AF AG p` is not `F G p`: what must come has to be a condition on the present state.
                plain(self, f)?;
                L::Finally(self.sub(f, holds)?)
            }
            (P::GloballyWithin(b, f), true) | (P::FinallyWithin(b, f), false) => {
                L::GloballyWithin(b, self.sub(f, holds)?)
            }
            (P::FinallyWithin(b, f), true) | (P::GloballyWithin(b, f), false) => {
                plain(self, f)?;
                L::FinallyWithin(b, self.sub(f, holds)?)
            }
            (P::Until(f, g), true) | (P::Release(f, g), false) => {
                plain(self, g)?;
                let (f, g) = (self.sub(f, holds)?, self.sub(g, holds)?);
                L::Until(f, g)
            }
            (P::Release(f, g), true) | (P::Until(f, g), false) => {
                plain(self, f)?;
                let (f, g) = (self.sub(f, holds)?, self.sub(g, holds)?);
                L::Release(f, g)
            }
            (P::WeakUntil(f, g), true) => {
                plain(self, g)?;
                let (f, g) = (self.sub(f, holds)?, self.sub(g, holds)?);
                L::WeakUntil(f, g)
            }
            _ => return None,
        };
        Some(self.to.add(Op::Linear(op), None))
    }

    /// A sub-formula that speaks of the present state only.
    fn copy(&mut self, sub: SubId) -> SubId {
        if self.certain[sub] {
            return self.to.add(Op::Const(true), self.from.node(sub).span);
        }
        let op = self.from.op(sub);
        let mut copy = |sub| deep(|| self.copy(sub));
        let op = match op {
            Op::Not(f) => Op::Not(copy(f)),
            Op::And(f, g) => Op::And(copy(f), copy(g)),
            Op::Or(f, g) => Op::Or(copy(f), copy(g)),
            Op::Implies(f, g) => Op::Implies(copy(f), copy(g)),
            Op::Iff(f, g) => Op::Iff(copy(f), copy(g)),
            Op::Xor(f, g) => Op::Xor(copy(f), copy(g)),
            other => other,
        };
        self.to.add(op, self.from.node(sub).span)
    }
}
