//! Decisive choices against the definitions: where they say that a chance was lost, it was there
//! before and is gone after, and what was possible instead keeps it.

use std::cell::Cell;

use wherefore_acceptance::agreement::explicit;
use wherefore_base::Value;
use wherefore_evidence::{DecisiveChoice, Evidence, EvidenceOptions, Investigator, OccurrenceId};
use wherefore_logic::{PathRule, Quantifier};
use wherefore_model::Cube;
use wherefore_testkit::formulas::{CtlTree, Operator};
use wherefore_testkit::kripke::{self, StateMask, StepEncoding};
use wherefore_testkit::{campaign, naive};

fn number(values: &[Value]) -> usize {
    usize::try_from(values[0].as_int().expect("a state is a number")).expect("not negative")
}

fn has(states: StateMask, state: usize) -> bool {
    states >> state & 1 == 1
}

#[test]
fn a_lost_chance_was_there_before_and_is_gone_after() {
    let operators: [fn(Quantifier) -> Operator; 2] = [Operator::Finally, Operator::Globally];
    let (conditions, exits) = (Cell::new(0), Cell::new(0));
    campaign("decisions", 500, |rng| {
        let kripke = kripke::random(rng, 8, 1);
        let operator = *rng.pick(&operators);
        let claim = |q| CtlTree::Apply(operator(q), vec![CtlTree::Atom(0)]).formula();
        let (every, some) = (claim(Quantifier::Forall), claim(Quantifier::Exists));
        let rule = PathRule::FairInfinite;
        let kept = naive::evaluate(&kripke, &some, rule)[some.root()];
        let sure = naive::evaluate(&kripke, &every, rule)[every.root()];
        let is_in = |cube: &Cube, state: usize| {
            let fits = |value: &Value| value.as_int() == i64::try_from(state).ok();
            cube.values
                .iter()
                .all(|(_, values)| values.iter().any(fits))
        };

        let model = kripke.model(&every, rule, StepEncoding::Constraint);
        let space = explicit(&model);
        let investigator = Investigator::new(&space).expect("no limit");
        let finding = investigator.investigate(0, &EvidenceOptions::default());
        let Some(evidence) = &finding.evidence else {
            assert!(finding.decisions.is_empty());
            return;
        };
        let at = |evidence: &Evidence, at: OccurrenceId| number(&evidence.occurrences[at].values);
        for decision in &finding.decisions {
            match &decision.choice {
                DecisiveChoice::Fated(start) => assert!(!has(kept, at(evidence, *start))),
                DecisiveChoice::StillFree { exit } => {
                    let (run, back) = evidence.main_run();
                    assert!(run.iter().all(|&step| has(kept, at(evidence, step))));
                    let Some(exit) = exit else {
                        continue;
                    };
                    exits.set(exits.get() + 1);
                    let start = run.iter().position(|step| Some(*step) == back);
                    for &step in &run[start.expect("only a loop has an exit")..] {
                        let from = at(evidence, step);
                        let next = (0..kripke.size).filter(|&to| kripke.steps_to(from, to));
                        let next: Vec<usize> = next.filter(|&to| is_in(exit, to)).collect();
                        assert!(!next.is_empty() && next.iter().all(|&to| has(sure, to)));
                    }
                }
                DecisiveChoice::Lost {
                    from,
                    to,
                    instead,
                    condition,
                    ..
                } => {
                    let (from, to) = (at(evidence, *from), at(evidence, *to));
                    assert!(has(kept, from) && !has(kept, to));
                    assert!(!instead.is_empty());
                    for state in instead {
                        let state = number(state);
                        assert!(kripke.steps_to(from, state) && has(kept, state));
                    }
                    let Some(condition) = condition else {
                        continue;
                    };
                    conditions.set(conditions.get() + 1);
                    for state in (0..kripke.size).filter(|&to| kripke.steps_to(from, to)) {
                        let said = condition.cubes.iter().any(|cube| is_in(cube, state));
                        assert_eq!(said, has(kept, state));
                    }
                }
            }
        }
    });
    let found = (conditions.get(), exits.get());
    assert!(found.0 > 0 && found.1 > 0, "{found:?}");
}
