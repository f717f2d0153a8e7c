//! Certificates: every property that holds gets one that a solver accepts, the same from both engines; and
//! none is accepted that does not prove what it claims.

use std::cell::Cell;

use wherefore_acceptance::agreement::{explicit, query, symbolic};
use wherefore_base::{Budget, Value};
use wherefore_check::Tableau;
use wherefore_evidence::certificate::{
    Certificate, Certified, ConditionForm, EndlessStates, How, Layer, LayerReason, NoCertificate,
    Recheck, StateCondition, StateSet, VerificationCondition, conditions, verify,
};
use wherefore_evidence::{EvidenceOptions, Finding, Investigator, Verdict};
use wherefore_logic::{Formula, PathRule};
use wherefore_model::{Env, Interpreter, Model, PropertyBody, Query, VarId};
use wherefore_space::StateSpace;
use wherefore_testkit::kripke::{self, Kripke, StepEncoding, nowhere};
use wherefore_testkit::{Rng, campaign, formulas, linear, random_model};

fn options() -> EvidenceOptions {
    EvidenceOptions {
        evidence: false,
        vacuity: false,
        certificate: true,
        ..EvidenceOptions::default()
    }
}

fn findings<S: StateSpace>(space: &S) -> Vec<Finding> {
    let investigator = Investigator::new(space).expect("no limit");
    let all = 0..space.model().properties.len();
    all.map(|property| investigator.investigate(property, &options()))
        .collect()
}

fn accepts(model: &Model, query: &Query, certificate: &Certificate) -> bool {
    let verdict = verify(model, query, certificate, &Budget::unlimited());
    verdict.expect("no limit").is_ok()
}

/// The certificate of a finding, which is right; `None` where there is no reason for one.
fn certificate(finding: &Finding, rule: PathRule) -> Option<&Certificate> {
    match (&finding.verdict, &finding.certificate) {
        (Verdict::Holds, Some(Certified::None(NoCertificate::Rule(_)))) => {
            assert_eq!(rule, PathRule::Maximal);
            None
        }
        (
            Verdict::Holds,
            Some(Certified::Given {
                certificate,
                recheck,
                ..
            }),
        ) => {
            assert!(matches!(recheck, Recheck::Ok(_)), "{recheck:?}");
            Some(&**certificate)
        }
        (Verdict::Holds, other) => panic!("no certificate: {other:?}"),
        (_, certificate) => {
            assert_eq!(*certificate, None);
            None
        }
    }
}

#[test]
fn every_property_that_holds_gets_a_certificate_and_the_same_from_both_engines() {
    campaign("certificates of models", 150, |rng| {
        let model = random_model::random(rng);
        let one = findings(&explicit(&model));
        let other = findings(&symbolic(&model));
        for (one, other) in one.iter().zip(&other) {
            let rule = query(&model, one.property).rule;
            certificate(one, rule);
            assert_eq!(one.certificate, other.certificate, "the engines differ");
        }
    });
}

#[test]
fn fairness_and_deadlocks_are_certified_under_every_path_rule() {
    campaign("certificates of structures", 80, |rng| {
        let kripke: Kripke = kripke::random(rng, 5, 2);
        let size = 1 + rng.below(4);
        let formula = formulas::random(rng, size, 2).formula();
        for rule in PathRule::ALL {
            let model = kripke.model(&formula, rule, StepEncoding::Constraint);
            for finding in findings(&explicit(&model)) {
                certificate(&finding, rule);
            }
        }
    });
}

fn linear_model(kripke: &Kripke, formula: &Formula) -> Model {
    let mut model = kripke.model(formula, PathRule::FairInfinite, StepEncoding::Constraint);
    let PropertyBody::Query(query) = model.properties[0].body.clone() else {
        panic!("it asks about a formula");
    };
    model.properties[0].body = PropertyBody::Linear(query);
    model
}

#[test]
fn a_property_of_runs_is_certified_over_its_product_with_the_tableau() {
    campaign("certificates of runs", 80, |rng| {
        let kripke: Kripke = kripke::random(rng, 4, 2);
        let size = 1 + rng.below(4);
        let formula = linear::random(rng, size, 2, true);
        let model = linear_model(&kripke, &formula);
        let tableau = Tableau::new(&model, query_of(&model), nowhere());
        let (space, product) = (explicit(&model), explicit(&tableau.model));
        let investigator = Investigator::new(&space).expect("no limit");
        let one = investigator.investigate_linear(0, &options(), &tableau, &product);
        certificate(&one, PathRule::FairInfinite);
        let product = symbolic(&tableau.model);
        let other = investigator.investigate_linear(0, &options(), &tableau, &product);
        assert_eq!(one.certificate, other.certificate, "the engines differ");
    });
}

fn query_of(model: &Model) -> &Query {
    model.properties[0].body.query().expect("it has a formula")
}

/// All values of the state variables that the constraints on states allow, reachable or not.
fn every_state(model: &Model) -> Vec<Vec<Value>> {
    let interpreter = Interpreter::new(model);
    let mut states = vec![Vec::new()];
    for var in (0..model.state_vars()).map(VarId::new) {
        let longer = states.iter().flat_map(|state: &Vec<Value>| {
            let values = model.vars[var].domain.values();
            values.map(move |value| [&state[..], &[value]].concat())
        });
        states = longer.collect();
    }
    states.retain(|state| interpreter.broken_by_state(state).is_none());
    states
}

fn is_in(set: &StateSet, state: &[Value]) -> bool {
    let inside = set.cubes.iter().any(|cube| {
        let mut conditions = cube.values.iter();
        conditions.all(|(var, values)| values.contains(&state[var.index()]))
    });
    inside != set.outside
}

fn is_so(interpreter: &Interpreter<'_>, expr: &StateCondition<'_>, state: &[Value]) -> bool {
    match expr {
        StateCondition::Const(value) => *value,
        StateCondition::Term(term) => interpreter.truth(*term, Env::state(state)),
        StateCondition::In(set) => is_in(set, state),
        StateCondition::Not(expr) => !is_so(interpreter, expr, state),
        StateCondition::All(exprs) => exprs.iter().all(|e| is_so(interpreter, e, state)),
        StateCondition::Any(exprs) => exprs.iter().any(|e| is_so(interpreter, e, state)),
    }
}

/// Whether all conditions of a certificate are true, by trying all states.
fn stands(model: &Model, query: &Query, certificate: &Certificate) -> bool {
    let Ok(conditions) = conditions(model, query, certificate) else {
        return false;
    };
    let interpreter = Interpreter::new(model);
    let budget = Budget::unlimited();
    let states = every_state(model);
    let steps: Vec<Vec<Vec<Value>>> = states
        .iter()
        .map(|state| {
            let steps = interpreter.steps(state, &budget).expect("no limit");
            steps.into_iter().map(|step| step.next).collect()
        })
        .collect();
    let so = |expr: &StateCondition<'_>, state: &[Value]| is_so(&interpreter, expr, state);
    let kept = |state: &[Value]| is_in(&certificate.invariant, state);
    let mut rows = states.iter().zip(&steps);
    rows.all(|(state, steps)| {
        conditions
            .iter()
            .all(|VerificationCondition { what, .. }| match what {
                ConditionForm::Never(expr) => !(kept(state) && so(expr, state)),
                ConditionForm::NeverAtStart(expr) => {
                    interpreter.broken_by_initial(state).is_some() || !so(expr, state)
                }
                ConditionForm::NoStep(from, to) => {
                    !(kept(state) && so(from, state) && steps.iter().any(|next| so(to, next)))
                }
                ConditionForm::SomeStep(from, to) => {
                    !(kept(state) && so(from, state)) || steps.iter().any(|next| so(to, next))
                }
            })
    })
}

/// One change by hand.
fn mutate(rng: &mut Rng, model: &Model, certificate: &mut Certificate) {
    if rng.chance(1, 4) {
        change_rules(rng, certificate);
        return;
    }
    let mut sets = sets(certificate);
    let at = rng.below(sets.len());
    let other = sets[rng.below(sets.len())].clone();
    let set = &mut *sets[at];
    match rng.below(6) {
        0 => set.outside = !set.outside,
        1 => *set = other,
        2 => *set = StateSet::everything(),
        3 if !set.cubes.is_empty() => {
            set.cubes.remove(rng.below(set.cubes.len()));
        }
        4 if !set.cubes.is_empty() => {
            let cube = rng.below(set.cubes.len());
            set.cubes[cube].values.pop();
        }
        _ if !set.cubes.is_empty() => {
            let cube = rng.below(set.cubes.len());
            let Some((var, values)) = set.cubes[cube].values.first_mut() else {
                return;
            };
            let all: Vec<Value> = model.vars[*var].domain.values().collect();
            *values = vec![*rng.pick(&all)];
        }
        _ => set.outside = !set.outside,
    }
}

fn sets(certificate: &mut Certificate) -> Vec<&mut StateSet> {
    fn of_endless<'e>(endless: &'e mut EndlessStates, sets: &mut Vec<&'e mut StateSet>) {
        sets.push(&mut endless.states);
        sets.extend(endless.rings.iter_mut().flatten());
    }
    let mut sets = vec![&mut certificate.invariant];
    if let Some(unfair) = &mut certificate.unfair {
        sets.push(&mut unfair.states);
        sets.extend(unfair.layers.iter_mut().map(|layer| &mut layer.states));
    }
    if let Some(live) = &mut certificate.live {
        of_endless(&mut live.endless, &mut sets);
        sets.extend(&mut live.around);
    }
    for claim in &mut certificate.claims {
        sets.push(&mut claim.states);
        match &mut claim.how {
            How::Step | How::Closed => {}
            How::Leaves(layers) => sets.extend(layers.iter_mut().map(|layer| &mut layer.states)),
            How::Reaches { rings, endless } => {
                sets.extend(rings);
                if let Some(endless) = endless {
                    of_endless(endless, &mut sets);
                }
            }
            How::Bounded(steps) => sets.extend(steps),
        }
    }
    sets
}

/// Takes claims, layers and rings away, swaps them, or gives them other reasons.
fn change_rules(rng: &mut Rng, certificate: &mut Certificate) {
    let change = |rng: &mut Rng, layers: &mut Vec<Layer>| {
        if layers.is_empty() {
            return;
        }
        let at = rng.below(layers.len());
        match rng.below(3) {
            0 => drop(layers.remove(at)),
            1 => layers.swap(0, at),
            _ => {
                let reasons = [
                    LayerReason::StepsOut,
                    LayerReason::Justice(rng.below(2)),
                    LayerReason::Compassion(rng.below(2)),
                ];
                layers[at].reason = *rng.pick(&reasons);
            }
        }
    };
    if let Some(unfair) = &mut certificate.unfair {
        change(rng, &mut unfair.layers);
    }
    if rng.chance(1, 4) {
        certificate.live = None;
    }
    if certificate.claims.is_empty() {
        return;
    }
    let at = rng.below(certificate.claims.len());
    match &mut certificate.claims[at].how {
        How::Leaves(layers) => change(rng, layers),
        How::Reaches { rings, endless } => {
            rings.pop();
            if rng.chance(1, 3) {
                *endless = None;
            }
        }
        How::Bounded(steps) => drop(steps.pop()),
        How::Step | How::Closed => drop(certificate.claims.remove(at)),
    }
}

#[test]
fn the_solver_refuses_a_changed_certificate_exactly_if_a_condition_is_not_true() {
    let (refused, harmless) = (Cell::new(0), Cell::new(0));
    campaign("mutants of certificates", 60, |rng| {
        let model = random_model::random(rng);
        for finding in findings(&explicit(&model)) {
            let query = query(&model, finding.property);
            let Some(certificate) = certificate(&finding, query.rule) else {
                continue;
            };
            assert!(stands(&model, query, certificate));
            for _ in 0..6 {
                let mut changed = certificate.clone();
                mutate(rng, &model, &mut changed);
                let stands = stands(&model, query, &changed);
                assert_eq!(accepts(&model, query, &changed), stands, "{changed:#?}");
                let count = if stands { &harmless } else { &refused };
                count.set(count.get() + 1);
            }
        }
    });
    let (refused, harmless) = (refused.get(), harmless.get());
    assert!(
        refused > 100 && harmless > 100,
        "{refused} and {harmless} are few"
    );
}

#[test]
fn no_certificate_is_accepted_for_a_property_that_fails() {
    let tried = Cell::new(0);
    campaign("certificates of other models", 150, |rng| {
        let model = random_model::random(rng);
        let given = findings(&explicit(&model));
        // The same properties over a model with a constraint or a fairness condition less.
        let mut other = model.clone();
        let lists = [&mut other.init, &mut other.invar, &mut other.trans];
        let mut lists: Vec<_> = lists.into_iter().filter(|list| !list.is_empty()).collect();
        if rng.chance(1, 3) {
            other.fairness = wherefore_logic::Fairness::default();
        } else if !lists.is_empty() {
            let list = rng.below(lists.len());
            let at = rng.below(lists[list].len());
            lists[list].remove(at);
        }
        let verdicts = findings(&explicit(&other));
        for (given, now) in given.iter().zip(&verdicts) {
            let query = query(&model, given.property);
            let Some(certificate) = certificate(given, query.rule) else {
                continue;
            };
            if now.verdict == Verdict::Fails {
                tried.set(tried.get() + 1);
                assert!(!accepts(&other, query, certificate));
                let mut changed = certificate.clone();
                for _ in 0..5 {
                    mutate(rng, &other, &mut changed);
                    assert!(!accepts(&other, query, &changed));
                }
            }
        }
        let verdicts_of: Vec<Verdict> = given.iter().map(|f| f.verdict.clone()).collect();
        // The certificates of one property for the others of the same model.
        for given in &given {
            let Some(certificate) = certificate(given, query(&model, given.property).rule) else {
                continue;
            };
            for (property, _) in model.properties.iter().enumerate() {
                let query = query(&model, property);
                let fails = verdicts_of[property] == Verdict::Fails;
                if fails {
                    tried.set(tried.get() + 1);
                    assert!(!accepts(&model, query, certificate));
                }
            }
        }
    });
    let tried = tried.get();
    assert!(tried > 100 || one_seed(), "{tried} attempts are few");
}

/// Whether a campaign repeats one seed only, which proves little.
fn one_seed() -> bool {
    std::env::var_os("WHEREFORE_SEED").is_some()
}
