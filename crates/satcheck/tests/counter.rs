//! A counter that can be held and cannot skip: what holds is proved, what fails has the shortest run.

use wherefore_base::{Budget, FileId, IndexVec, Span, Value};
use wherefore_logic::{AtomId, Formula, LinearOp, Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, Property, PropertyBody, PropertyKind, Query, Requirement,
    Term, TermId, VarId, VarKind, Variable,
};
use wherefore_satcheck::{
    InvariantClauses, SatOutcome, SatQuestion, decide, inductive, loops, question,
};

fn span() -> Span {
    Span::new(FileId::new(0), 0, 0)
}

/// `count` goes from 0 to 5 and starts again; it may stay where it is unless it is held by nobody, which
/// is fair to ask for now and then.
struct Counter {
    model: Model,
}

impl Counter {
    fn new(fair: bool) -> Self {
        let mut model = Model::default();
        let mut var = |name: &str, domain, kind| {
            model.vars.push(Variable {
                name: name.into(),
                domain,
                kind,
                span: span(),
                origin: Default::default(),
            })
        };
        let count = var("count", Domain::Range { low: 0, high: 7 }, VarKind::State);
        let held = var("held", Domain::Bool, VarKind::State);
        let mut add = |term| model.terms.add(term, None);
        let now = add(Term::Var(count));
        let hold = add(Term::Var(held));
        let zero = add(Term::Const(Value::Int(0)));
        let one = add(Term::Const(Value::Int(1)));
        let five = add(Term::Const(Value::Int(5)));
        let more = add(Term::Binary(BinaryOp::Add, now, one));
        let last = add(Term::Binary(BinaryOp::Equal, now, five));
        let next = add(Term::Ite(last, zero, more));
        let next = add(Term::Ite(hold, now, next));
        let free = add(Term::Not(hold));
        let constraint = |var, term| Constraint {
            requires: Requirement::Assign(var, term),
            span: span(),
        };
        model.init.push(constraint(count, zero));
        model.trans.push(constraint(count, next));
        if fair {
            model.fairness.justice.push(free);
        }
        Self { model }
    }

    fn is(&mut self, number: i64) -> TermId {
        let now = self.model.terms.add(Term::Var(VarId::new(0)), None);
        let number = Term::Const(Value::Int(number));
        let number = self.model.terms.add(number, None);
        let equal = Term::Binary(BinaryOp::Equal, now, number);
        self.model.terms.add(equal, None)
    }

    /// Decides a formula whose one atom is that the counter has this value.
    fn ask(
        &mut self,
        number: i64,
        linear: bool,
        build: impl Fn(&mut Formula, SubId),
    ) -> SatOutcome {
        let mut formula = Formula::new();
        let atom = formula.add(Op::Atom(AtomId::new(0)), None);
        build(&mut formula, atom);
        let atoms: IndexVec<AtomId, TermId> = [self.is(number)].into_iter().collect();
        let query = Query {
            formula,
            atoms,
            rule: PathRule::FairInfinite,
        };
        let body = match linear {
            true => PropertyBody::Linear(query),
            false => PropertyBody::Query(query),
        };
        self.model.properties = vec![Property {
            name: "p".into(),
            named: false,
            text: String::new(),
            span: span(),
            instance: String::new(),
            kind: PropertyKind::Ctl,
            body,
        }];
        decide(&self.model, 0, &Budget::unlimited()).expect("no limits")
    }
}

fn never(formula: &mut Formula, atom: SubId) {
    let not = formula.add(Op::Not(atom), None);
    let always = PathOp::Globally(not);
    formula.add(Op::Path(Quantifier::Forall, always), None);
}

fn at_last(formula: &mut Formula, atom: SubId) {
    formula.add(Op::Linear(LinearOp::Finally(atom)), None);
}

fn again_and_again(formula: &mut Formula, atom: SubId) {
    let some_time = formula.add(Op::Linear(LinearOp::Finally(atom)), None);
    formula.add(Op::Linear(LinearOp::Globally(some_time)), None);
}

#[test]
fn what_is_out_of_reach_is_proved_to_be() {
    for fair in [false, true] {
        let outcome = Counter::new(fair).ask(6, false, never);
        assert!(matches!(outcome, SatOutcome::Holds(_)), "{outcome:?}");
    }
}

#[test]
fn what_is_reached_is_reached_by_the_shortest_run() {
    let SatOutcome::Fails(refutation) = Counter::new(false).ask(3, false, never) else {
        panic!("the counter reaches 3");
    };
    let counts: Vec<Value> = refutation.trace.states.iter().map(|s| s[0]).collect();
    assert_eq!(counts, [0, 1, 2, 3].map(Value::Int));
    assert!(
        refutation
            .trace
            .states
            .iter()
            .all(|s| s[1] == Value::Bool(false))
    );
    assert_eq!((refutation.at_least, refutation.trace.back), (3, None));
}

#[test]
fn what_may_be_put_off_for_ever_fails_on_a_lasso() {
    let SatOutcome::Fails(refutation) = Counter::new(false).ask(3, true, at_last) else {
        panic!("the counter may stay at 0");
    };
    assert_eq!(refutation.trace.states.len(), 1);
    assert_eq!(refutation.trace.back, Some(0));
}

#[test]
fn what_fairness_asks_for_is_proved_to_happen() {
    for build in [at_last, again_and_again] {
        let outcome = Counter::new(true).ask(3, true, build);
        let SatOutcome::Holds(InvariantClauses::Turns { turns, .. }) = outcome else {
            panic!("a fair counter arrives: {outcome:?}");
        };
        assert!(turns > 0);
    }
}

/// `AG (count = n -> AX count != n)`.
fn leaves_at_once(formula: &mut Formula, atom: SubId) {
    let not = formula.add(Op::Not(atom), None);
    let next = formula.add(Op::Path(Quantifier::Forall, PathOp::Next(not)), None);
    let step = formula.add(Op::Implies(atom, next), None);
    formula.add(Op::Path(Quantifier::Forall, PathOp::Globally(step)), None);
}

#[test]
fn what_a_step_forbids_is_refuted_by_the_shortest_path_whatever_is_fair() {
    for fair in [false, true] {
        let SatOutcome::Fails(refutation) = Counter::new(fair).ask(2, false, leaves_at_once) else {
            panic!("the counter may be held at 2");
        };
        assert_eq!(refutation.at_least, 3, "fair: {fair}");
        let counts = refutation.trace.states.iter().map(|state| state[0]);
        let first: Vec<Value> = counts.take(4).collect();
        assert_eq!(first, [0, 1, 2, 2].map(Value::Int), "fair: {fair}");
        let held = refutation.trace.states.iter().map(|state| state[1]);
        let held: Vec<Value> = held.take(3).collect();
        assert_eq!(held, [false, false, true].map(Value::Bool), "fair: {fair}");
        assert!(refutation.trace.back.is_some());
    }
    let outcome = Counter::new(true).ask(6, false, leaves_at_once);
    assert!(matches!(outcome, SatOutcome::Holds(_)), "{outcome:?}");
}

#[test]
fn a_fair_loop_is_closed_exactly_where_a_formula_of_linear_time_fails() {
    for build in [at_last, again_and_again] {
        for (fair, number, holds) in [(true, 3, true), (true, 6, false), (false, 3, false)] {
            let mut counter = Counter::new(fair);
            let outcome = counter.ask(number, true, build);
            assert_eq!(
                matches!(outcome, SatOutcome::Holds(_)),
                holds,
                "{outcome:?}"
            );
            let Ok(SatQuestion::NoRun { tableau, .. }) = question(&counter.model, 0) else {
                panic!("it is about runs");
            };
            let asked = loops(&tableau.model);
            let invariant = inductive(&asked, &Budget::unlimited()).expect("no limits");
            assert_eq!(invariant.is_some(), holds, "fair: {fair}, {number}");
        }
    }
}
