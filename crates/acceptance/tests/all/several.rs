//! Further evidence is all there is, in order, each different, against a search through all runs; and a
//! property is the conjunction of its parts.

use std::collections::BTreeSet;

use wherefore_acceptance::agreement::{explicit, query, symbolic};
use wherefore_evidence::{
    Evidence, EvidenceOptions, Finding, Investigator, NoMore, Replay, SeveralOptions, Verdict,
};
use wherefore_logic::{AtomId, PathRule, Quantifier, parts};
use wherefore_model::Model;
use wherefore_space::StateSpace;
use wherefore_testkit::formulas::{self, CtlTree, Operator};
use wherefore_testkit::kripke::{self, Kripke, StepEncoding, members};
use wherefore_testkit::naive;
use wherefore_testkit::{Rng, campaign};

/// Runs with more steps than this are not tried.
const MOST_STEPS: usize = 7;
/// So many runs are asked for.
const COUNT: usize = 60;

/// A run: its states and, for a lasso, the position its last step goes back to.
type Run = (Vec<usize>, Option<usize>);

fn steps((run, back): &Run) -> usize {
    run.len() - 1 + usize::from(back.is_some())
}

fn order(run: &Run) -> (usize, usize, Vec<usize>) {
    (steps(run), run.1.unwrap_or(steps(run)), run.0.clone())
}

/// The run as it looks: its first so many values, with equal ones in a row as one where `merged`.
fn word((run, back): &Run, look: &dyn Fn(usize) -> usize, merged: bool) -> (bool, Vec<usize>) {
    let mut word: Vec<usize> = run.iter().map(|&state| look(state)).collect();
    if let Some(back) = *back {
        let turn = word[back..].to_vec();
        while word.len() < 400 {
            word.extend(&turn);
        }
    }
    if merged {
        word.dedup();
    }
    word.truncate(60);
    (back.is_some(), word)
}

/// All runs with at most [`MOST_STEPS`] steps.
fn all_runs(kripke: &Kripke, visit: &mut dyn FnMut(&Run)) {
    fn grow(kripke: &Kripke, run: &mut Vec<usize>, visit: &mut dyn FnMut(&Run)) {
        visit(&(run.clone(), None));
        let last = *run.last().expect("a run has a first state");
        for back in 0..run.len() {
            if run.len() <= MOST_STEPS && kripke.steps_to(last, run[back]) {
                visit(&(run.clone(), Some(back)));
            }
        }
        if run.len() > MOST_STEPS {
            return;
        }
        for next in members(kripke.steps[last]) {
            run.push(next);
            grow(kripke, run, visit);
            run.pop();
        }
    }
    let fair = naive::Naive::new(kripke).counted(PathRule::FairInfinite);
    for start in members(fair) {
        grow(kripke, &mut vec![start], visit);
    }
}

fn distinct<T: Ord + Clone>(items: &[T]) -> bool {
    items.iter().cloned().collect::<BTreeSet<T>>().len() == items.len()
}

/// Whether a lasso is fair and, from a position on, without detour.
fn is_simple_lasso(kripke: &Kripke, run: &[usize], back: usize, from: usize) -> bool {
    let conditions: Vec<u64> = (kripke.fairness.justice.iter().copied())
        .chain(kripke.fairness.compassion.iter().flat_map(|&(p, q)| [p, q]))
        .collect();
    let justice = kripke.fairness.justice.len();
    let is_fair = |met: &[bool]| {
        let mut pairs = met[justice..].chunks(2);
        met[..justice].iter().all(|&met| met) && pairs.all(|pair| !pair[0] || pair[1])
    };
    let mut met = vec![false; conditions.len()];
    let mut pairs = Vec::new();
    for (at, &state) in run[back..].iter().enumerate() {
        // A loop is over when it is back home and has met everything.
        if at > 0 && state == run[back] && is_fair(&met) {
            return false;
        }
        for (met, condition) in met.iter_mut().zip(&conditions) {
            *met |= condition >> state & 1 == 1;
        }
        pairs.push((state, met.clone()));
    }
    let way = &run[from..back];
    let apart = !run[back..].iter().any(|state| way.contains(state));
    is_fair(&met) && distinct(way) && distinct(&pairs) && apart
}

/// The runs that are told, in order: of those that look the same the first.
fn expected(
    kripke: &Kripke,
    shows: &dyn Fn(&Run) -> bool,
    look: &dyn Fn(usize) -> usize,
    merged: bool,
) -> Vec<Run> {
    let mut found = Vec::new();
    all_runs(kripke, &mut |run| {
        if shows(run) {
            found.push(run.clone());
        }
    });
    found.sort_by_key(order);
    let mut told = BTreeSet::new();
    found.retain(|run| told.insert(word(run, look, merged)));
    found
}

fn told(evidence: &Evidence) -> Run {
    let (run, back) = evidence.main_run();
    let state = |at| {
        let value = evidence.occurrences[at].values[0];
        usize::try_from(value.as_int().expect("a state is a number")).expect("not negative")
    };
    let position = run.iter().position(|&at| Some(at) == back);
    (run.iter().map(|&at| state(at)).collect(), position)
}

fn investigate<S: StateSpace>(space: &S, several: SeveralOptions) -> Finding {
    let options = EvidenceOptions {
        several,
        ..EvidenceOptions::default()
    };
    let investigator = Investigator::new(space).expect("no limit");
    investigator.investigate(0, &options)
}

fn several(model: &Model, by: &[usize]) -> SeveralOptions {
    let atoms = &query(model, 0).atoms;
    SeveralOptions {
        each: false,
        count: COUNT,
        distinct_by: by.iter().map(|&atom| atoms[AtomId::new(atom)]).collect(),
    }
}

/// Compares what is told with all runs; `by` are the propositions that make a difference.
fn compare(kripke: &Kripke, formula: &CtlTree, by: &[usize], shows: &dyn Fn(&Run) -> bool) {
    let rule = PathRule::FairInfinite;
    let model = kripke.model(&formula.formula(), rule, StepEncoding::Constraint);
    let finding = investigate(&explicit(&model), several(&model, by));
    let Some(first) = &finding.evidence else {
        return;
    };
    let others = finding.more.others.iter().map(|another| &another.evidence);
    let all: Vec<&Evidence> = std::iter::once(first).chain(others).collect();
    assert!(
        all.iter().all(|evidence| evidence.replay == Replay::Ok),
        "{kripke:?}"
    );
    let look = |state: usize| match by {
        [] => state,
        by => by.iter().fold(0, |look, &atom| {
            2 * look + (kripke.labels[atom] >> state & 1) as usize
        }),
    };
    let found: Vec<Run> = all.iter().map(|evidence| told(evidence)).collect();
    assert!(found.is_sorted_by_key(steps), "{found:?}");
    let expected = expected(kripke, shows, &look, !by.is_empty());
    if by.is_empty() {
        let short: Vec<_> = found
            .iter()
            .filter(|run| steps(run) <= MOST_STEPS)
            .collect();
        let wanted: Vec<_> = expected.iter().take(COUNT).collect();
        assert_eq!(short, wanted, "{kripke:?}");
        let exhausted = finding.more.end == Some(NoMore::AllFound);
        assert_eq!(
            exhausted,
            found.len() < COUNT,
            "small structures are searched"
        );
        return;
    }
    let words = |runs: &[Run]| -> Vec<(bool, Vec<usize>)> {
        runs.iter().map(|run| word(run, &look, true)).collect()
    };
    assert!(distinct(&words(&found)), "{kripke:?} {found:?}");
    if finding.more.end == Some(NoMore::AllDistinct) {
        let found: BTreeSet<_> = words(&found).into_iter().collect();
        let missing = words(&expected)
            .into_iter()
            .find(|word| !found.contains(word));
        assert_eq!(missing, None, "{kripke:?}");
    }
}

fn apply(operator: Operator, operands: &[CtlTree]) -> CtlTree {
    CtlTree::Apply(operator, operands.to_vec())
}

fn structure(rng: &mut Rng) -> Kripke {
    kripke::random(rng, 4, 2)
}

fn is(states: u64, state: usize) -> bool {
    states >> state & 1 == 1
}

#[test]
fn all_ways_to_a_bad_state_are_told_in_order() {
    let not = apply(Operator::Not, &[CtlTree::Atom(0)]);
    let formula = apply(Operator::Globally(Quantifier::Forall), &[not]);
    campaign("several AG !p", 400, |rng| {
        let kripke = structure(rng);
        let bad = kripke.labels[0] & fair(&kripke);
        let shows = |(run, back): &Run| {
            let (last, way) = run.split_last().expect("a run has a first state");
            back.is_none() && is(bad, *last) && !way.iter().any(|&s| is(bad, s)) && distinct(run)
        };
        compare(&kripke, &formula, &[], &shows);
        compare(&kripke, &formula, &[1], &shows);
    });
}

#[test]
fn all_loops_that_never_reach_something_are_told_in_order() {
    let formula = apply(Operator::Finally(Quantifier::Forall), &[CtlTree::Atom(0)]);
    campaign("several AF p", 300, |rng| {
        let kripke = structure(rng);
        let p = kripke.labels[0];
        let shows = |(run, back): &Run| {
            let simple = back.is_some_and(|back| is_simple_lasso(&kripke, run, back, 0));
            simple && !run.iter().any(|&state| is(p, state))
        };
        compare(&kripke, &formula, &[], &shows);
        compare(&kripke, &formula, &[1], &shows);
    });
}

#[test]
fn all_requests_that_are_never_answered_are_told_in_order() {
    let answered = apply(Operator::Finally(Quantifier::Forall), &[CtlTree::Atom(1)]);
    let response = apply(Operator::Implies, &[CtlTree::Atom(0), answered]);
    let formula = apply(Operator::Globally(Quantifier::Forall), &[response]);
    campaign("several AG (p -> AF q)", 200, |rng| {
        let kripke = structure(rng);
        let (p, q) = (kripke.labels[0], kripke.labels[1]);
        let shows = |(run, back): &Run| {
            let Some(back) = *back else {
                return false;
            };
            (0..=back).any(|at| {
                is(p, run[at])
                    && distinct(&run[..=at])
                    && !run[at..].iter().any(|&state| is(q, state))
                    && is_simple_lasso(&kripke, run, back, at)
            })
        };
        compare(&kripke, &formula, &[], &shows);
        compare(&kripke, &formula, &[0], &shows);
    });
}

/// The states with a fair path.
fn fair(kripke: &Kripke) -> u64 {
    let always = Operator::Globally(Quantifier::Exists);
    let formula = apply(always, &[CtlTree::Const(true)]).formula();
    naive::evaluate(kripke, &formula, PathRule::FairInfinite)[formula.root()]
}

#[test]
fn further_evidence_of_any_formula_is_right_and_different_and_the_same_from_both_engines() {
    campaign("several of anything", 1500, |rng| {
        let kripke = kripke::random(rng, 5, 3);
        let size = 1 + rng.below(5);
        let formula = formulas::random(rng, size, 3).formula();
        let rule = *rng.pick(&PathRule::ALL);
        let model = kripke.model(&formula, rule, StepEncoding::Constraint);
        let by = if rng.chance(1, 2) {
            &[][..]
        } else {
            &[0, 1][..]
        };
        let several = SeveralOptions {
            each: rng.chance(1, 2),
            count: 5,
            ..several(&model, by)
        };
        let finding = investigate(&explicit(&model), several.clone());
        for evidence in finding.evidences() {
            assert_eq!(evidence.replay, Replay::Ok, "{kripke:?} {rule}");
        }
        if let Some(first) = &finding.evidence {
            let others = finding.more.others.iter().map(|another| &another.evidence);
            let runs: Vec<Run> = std::iter::once(first).chain(others).map(told).collect();
            let look = |state: usize| match by {
                [] => state,
                by => by.iter().fold(0, |look, &atom| {
                    2 * look + (kripke.labels[atom] >> state & 1) as usize
                }),
            };
            let words: Vec<_> = runs
                .iter()
                .map(|run| word(run, &look, !by.is_empty()))
                .collect();
            assert!(distinct(&words), "{kripke:?} {runs:?}");
        }
        let parts = &finding.more.parts;
        if finding.verdict == Verdict::Fails && !parts.is_empty() {
            assert!(parts.iter().any(|part| part.fails), "{kripke:?}");
            let shown = |fails: bool, runs: usize| !several.each || fails == (runs > 0);
            assert!(
                parts
                    .iter()
                    .all(|part| shown(part.fails, part.evidence.len()))
            );
        }
        let other = investigate(&symbolic(&model), several);
        assert_eq!(finding, other, "{kripke:?} {rule}");
    });
}

#[test]
fn a_property_is_the_conjunction_of_its_parts_under_every_path_rule() {
    campaign("parts", 6000, |rng| {
        let kripke = kripke::random(rng, 5, 3);
        let size = 2 + rng.below(7);
        let formula = formulas::random(rng, size, 3).formula();
        let parts = parts(&formula);
        for rule in PathRule::ALL {
            let whole = naive::evaluate(&kripke, &formula, rule)[formula.root()];
            let each = parts.iter().map(|part| {
                let holds = naive::evaluate(&kripke, &part.formula, rule);
                holds[part.formula.root()]
            });
            let all = each.fold(kripke.all(), |all, holds| all & holds);
            let name = |atom: AtomId| format!("p{}", atom.index());
            let text = formula.show(formula.root(), &name).to_string();
            assert_eq!(whole, all, "{text} under {rule} in {kripke:?}");
        }
    });
}
