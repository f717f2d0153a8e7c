//! Deciding that no shorter run refutes a linear-time formula.
//!
//! Where the formula reads states only and remembers nothing, the shortest lasso of the states with the truth of its
//! operators is looked for. Otherwise every shorter run is tried, as long as these are few.

use wherefore_base::{IndexVec, Value};
use wherefore_logic::Op;
use wherefore_model::{Env, Step};
use wherefore_proof::{
    Claim, Evidence, EvidenceEdge, Measure, Minimality, Occurrence, OccurrenceId, Replay, Segment,
    SegmentEnding, Shape,
};

use super::{Confirmed, Doubt, SentenceChecker, TOO_MANY, confirm};
use crate::walked::TRIES;
use crate::{EvidenceReplay, ReplayFault};

/// So many runs are compared with the one that refutes a linear-time formula.
const MOST_RUNS: usize = 5_000;

/// A run that may become shorter evidence.
struct Candidate {
    states: Vec<Vec<Value>>,
    inputs: Vec<Vec<Value>>,
}

impl SentenceChecker<'_> {
    /// No fair run that refutes the formula has less of what is measured.
    pub(super) fn no_shorter_run(&self, measure: Measure, at_least: u32) -> Confirmed {
        match measure {
            // Every lasso has a step.
            Measure::Steps | Measure::Nodes | Measure::ProductSteps if at_least <= 1 => Ok(()),
            // A lasso has as many occurrences as steps.
            Measure::Steps | Measure::Nodes if self.base.model.memory().next().is_some() => Err(
                Doubt::Unknown("a loop need not repeat what fairness remembers"),
            ),
            Measure::Steps | Measure::Nodes => self.no_run_of_fewer_steps(at_least),
            // A run that is shortest among all is so among those that repeat more.
            Measure::ProductSteps => match self.no_run_of_fewer_steps(at_least) {
                Err(Doubt::Wrong(_)) => {
                    self.no_shorter_lasso(at_least)
                        .map_err(|doubt| match doubt {
                            // What is remembered may be told apart in more ways than truth is.
                            Doubt::Wrong(_) => Doubt::Unknown("the product may have more states"),
                            unknown => unknown,
                        })
                }
                known => known,
            },
            Measure::States | Measure::Transitions | Measure::TraceSteps => {
                Err(Doubt::Unknown("only steps of runs are counted again"))
            }
        }
    }

    fn no_run_of_fewer_steps(&self, at_least: u32) -> Confirmed {
        let mut subs = self.base.query.formula.subs();
        let remembers = subs
            .any(|sub| matches!(self.base.query.formula.op(sub), Op::Linear(op) if op.is_past()));
        // Positions of a loop with the same future make the same formulas true, unless these look back.
        if !remembers {
            match self.no_shorter_lasso(at_least) {
                Err(Doubt::Unknown(_)) => {}
                known => return known,
            }
        }
        self.no_listed_run(at_least)
    }

    /// No lasso has fewer steps along which states repeat with the truth of all operators.
    fn no_shorter_lasso(&self, at_least: u32) -> Confirmed {
        if !self.reads_states() {
            return Err(Doubt::Unknown("an atom reads more than a state"));
        }
        let around = self.reachable()?;
        let (interpreter, budget) = (&self.base.interpreter, &self.base.budget);
        let (query, initial) = (self.base.query, &around.initial);
        let refuting = (around.states).guessed(interpreter, query, false, initial, budget)?;
        let refuting = refuting.ok_or(Doubt::Unknown("the formula has too many parts"))?;
        let starts: Vec<usize> = (0..refuting.initial).collect();
        let shortest = refuting
            .product
            .shortest_lasso(&starts, at_least, budget)?
            .ok_or(Doubt::Unknown("there are too many loops"))?;
        confirm(shortest >= at_least, || {
            format!("a run of {shortest} steps refutes it")
        })
    }

    /// None of the runs of fewer steps refutes the formula, tried one by one.
    fn no_listed_run(&self, at_least: u32) -> Confirmed {
        let (interpreter, budget) = (&self.base.interpreter, &self.base.budget);
        let initial = interpreter.initial_states_within(TRIES, budget)?;
        let initial = initial.ok_or(Doubt::Unknown(TOO_MANY))?;
        let mut tried = 0;
        let start = |state| Candidate {
            states: vec![state],
            inputs: vec![],
        };
        let mut open: Vec<Candidate> = initial.into_iter().map(start).collect();
        // A run that closes at its last state has as many steps as states.
        while let Some(run) = open
            .pop()
            .filter(|run| run.states.len() < at_least as usize)
        {
            budget.check()?;
            let last = run.states.last().map_or(&[][..], |state| &state[..]);
            let steps = interpreter.few_steps(last, MOST_RUNS, TRIES, budget)?;
            for step in steps.ok_or(Doubt::Unknown(TOO_MANY))? {
                tried += 1;
                if tried > MOST_RUNS {
                    return Err(Doubt::Unknown("there are too many shorter runs"));
                }
                for back in (0..run.states.len()).filter(|&at| run.states[at] == step.next) {
                    confirm(!self.refutes(&run, &step, back)?, || {
                        format!("a run of {} steps refutes it", run.states.len())
                    })?;
                }
                if run.states.len() + 1 < at_least as usize {
                    let mut states = run.states.clone();
                    states.push(step.next);
                    let mut inputs = run.inputs.clone();
                    inputs.push(step.input);
                    open.push(Candidate { states, inputs });
                }
            }
        }
        Ok(())
    }

    /// Whether a run that goes back to one of its states is fair and refutes the formula.
    fn refutes(&self, run: &Candidate, last: &Step, back: usize) -> Confirmed<bool> {
        let turn = &run.states[back..];
        let meets = |term| {
            turn.iter()
                .any(|s| self.base.interpreter.truth(term, Env::state(s)))
        };
        let fairness = &self.base.model.fairness;
        let mut pairs = fairness.compassion.iter();
        let fair = fairness.justice.iter().all(|&term| meets(term))
            && pairs.all(|&(p, q)| !meets(p) || meets(q));
        if !fair {
            return Ok(false);
        }
        let evidence = lasso_evidence(self.base.query.formula.len(), run, last, back);
        let sub = self.base.query.formula.root();
        let replay = EvidenceReplay::new(
            &self.base.walked,
            self.base.model,
            self.base.query,
            &evidence,
            &self.base.budget,
        );
        match replay.along_run() {
            Ok(Some(along)) => Ok(!along.truth[sub.index()][0]),
            Ok(None) => Err(Doubt::Unknown("the run is too long")),
            Err(ReplayFault::Wrong(why)) => Err(Doubt::Wrong(why)),
            Err(ReplayFault::Stop(stop)) => Err(stop.into()),
        }
    }
}

/// A run as an evidence without a proof.
fn lasso_evidence(subs: usize, run: &Candidate, last: &Step, back: usize) -> Evidence {
    let occurrence = |values: &Vec<Value>| Occurrence {
        values: values.clone(),
        truth: IndexVec::from(vec![None; subs]),
    };
    let count = run.states.len();
    let inputs = run.inputs.iter().chain([&last.input]);
    let edges = inputs.enumerate().map(|(at, input)| EvidenceEdge {
        from: OccurrenceId::new(at),
        to: OccurrenceId::new(if at + 1 == count { back } else { at + 1 }),
        input: input.clone(),
    });
    Evidence {
        shape: Shape::Lasso,
        occurrences: run.states.iter().map(occurrence).collect(),
        edges: edges.collect(),
        segments: vec![Segment {
            from: None,
            serves: Claim::HasPath,
            states: (0..count).map(OccurrenceId::new).collect(),
            main: true,
            ending: SegmentEnding::Loop(OccurrenceId::new(back)),
            fair: vec![],
        }],
        regions: IndexVec::default(),
        proof: IndexVec::default(),
        minimal: Minimality {
            measure: Measure::Steps,
            length: 0,
            at_least: 0,
        },
        replay: Replay::NotDone,
        causes: None,
    }
}
