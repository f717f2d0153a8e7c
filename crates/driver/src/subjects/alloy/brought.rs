//! A counterexample of the complete system, brought into the scope of a command.
//!
//! Where the complete system is known, a run that refutes a formula about every path is found at once, while a solver may
//! look for a system that has one for very long. The states of the run are the first states of the scope then, and the
//! solver is asked for the rest: also for what makes a run fair, if its own states are too many. What it finds is an
//! instance as any other, and is checked as such.

use wherefore_alloy::{Scene, lower_lassos};
use wherefore_base::{Budget, Value};
use wherefore_evidence::OccurrenceId;
use wherefore_relational::{Search, SearchOptions};
use wherefore_sat::Strongest;
use wherefore_tcmc::{AskedFormula, CompleteSystem, SystemReading, give_states};

use super::{AlloySubject, AnswerInstance, CommandQuestion};
use crate::engines::Job;
use crate::engines::quick::quick;

/// How often the budget is asked while the system is made, while its states are looked at, and while the rest of the instance
/// is looked for.
const EFFORT: u64 = 200_000;

impl AlloySubject {
    /// An instance of a check in its scope that has all states of a run of the complete system; none if that is not found
    /// soon.
    pub(super) fn brought(
        &self,
        question: &CommandQuestion<'_>,
        (reading, asked): (&SystemReading, &AskedFormula),
        budget: &Budget,
    ) -> Option<AnswerInstance> {
        let (model, choices) = (self.model(), question.choices());
        let (command, scopes) = question.last_round();
        let problem = question.last_problem();
        if problem > 0 || reading.counted {
            return None;
        }
        let counted = budget.counted(EFFORT);
        let wanted = [(command, Ok(asked.clone()))];
        let system = self.system(reading, &wanted, &choices.lowering, &counted);
        let system = system.ok()?;
        let most = usize::try_from(scopes.most[reading.state.index()]).ok()?;
        let runs = states_of_runs(&system, budget)?;
        let fitting = runs.iter().filter(|states| states.len() <= most);
        let mut instances = fitting.filter_map(|states| {
            let mut lowered = lower_lassos(model, command, &choices.lowering, 1).ok()?;
            give_states(model, reading.state, &mut lowered, (&system, states))?;
            let options = SearchOptions {
                symmetry: 0,
                ..choices.search.clone()
            };
            let counted = budget.counted(EFFORT);
            let mut search = Search::<Strongest>::new(&lowered.problem, &options, &counted).ok()?;
            let instance = search.next(&counted).ok()??;
            drop(search);
            Some((lowered, instance))
        });
        let (lowered, instance) = instances.next()?;
        let scene = Scene::new(model, question.command(), &lowered, &instance, budget).ok()?;
        Some(AnswerInstance {
            scene,
            shape: lowered.shape_in(&instance),
            instance,
            problem,
            values: Vec::new(),
        })
    }
}

/// The states of the evidence against the only property of a system, each once: all of them, and those of its main run.
fn states_of_runs(system: &CompleteSystem, budget: &Budget) -> Option<[Vec<Vec<Value>>; 2]> {
    let job = Job {
        properties: Some(vec![0]),
        ..Job::default()
    };
    let known = quick(&system.model, &job, EFFORT, budget);
    let evidence = known.findings.first()?.evidence.as_ref()?;
    let once = |run: Vec<OccurrenceId>| {
        let mut states: Vec<Vec<Value>> = Vec::new();
        for at in run {
            let values = &evidence.occurrences[at].values;
            if !states.contains(values) {
                states.push(values.clone());
            }
        }
        states
    };
    let all = evidence.occurrences.entries().map(|(at, _)| at);
    Some([once(all.collect()), once(evidence.main_run().0)])
}
