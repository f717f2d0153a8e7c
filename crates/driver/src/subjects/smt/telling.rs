//! From answers of solvers to findings: runs become finite models, and evidence is told over these.

use wherefore_base::{Budget, Span};
use wherefore_evidence::{
    EvidenceOptions, Finding, Note, ProofStart, Replay, SolverReason, UnknownReason, Vacuity,
    Verdict as Found, Why,
};
use wherefore_logic::{Quantifier, class_of};
use wherefore_model::Model;
use wherefore_smt::{
    Deadlock, FragmentRuns, Fragments, FunctionValue, SmtCtl, SmtPropertyKind, SmtValue,
    SolverTrace, TraceFault, TraceMeaning, fragments,
};
use wherefore_view::wire::{RunDoc, RunStateDoc, ValueDoc, ValuesDoc};

use wherefore_smtcheck::{RefutationRun, SmtAnswer, SmtProof, SmtRefutation, SmtVerdict};

use super::{SmtSubject, Written};
use crate::engines::{Engine, Event, Job, check_model};
use crate::subjects::model::ModelSubject;

/// Answers as findings, with a session that views take them from.
#[derive(Debug)]
pub struct ToldRuns {
    /// A session over the runs that were found. Its model is a fragment: it has the steps of these runs only.
    pub session: ModelSubject,
    /// A finding for each answer, in their order.
    pub findings: Vec<Finding>,
    /// For each answer, in their order, the runs of a refutation that is not shown by runs alone, and so has no evidence.
    pub runs: Vec<Vec<RunDoc>>,
}

impl SmtSubject {
    /// Tells answers about properties.
    pub fn tell(
        &self,
        answers: &[(usize, SmtAnswer)],
        options: &EvidenceOptions,
        budget: &Budget,
    ) -> ToldRuns {
        let runs: Vec<FragmentRuns<'_>> = answers
            .iter()
            .filter_map(|(property, answer)| self.runs(*property, answer))
            .collect();
        let start = Span::new(self.file(), 0, 0);
        let (mut fragments, trouble) = match fragments(self.system(), &runs, start) {
            Ok(fragments) => (fragments, None),
            Err(why) => {
                let none = wherefore_smt::fragments(self.system(), &[], start);
                let none = none.unwrap_or_else(|_| Fragments {
                    whole: Model::default(),
                    parts: Vec::new(),
                });
                (none, Some(why))
            }
        };
        if let Written::Smv(smv) = &self.written {
            smv.reword(&mut fragments.whole);
            for (_, model) in &mut fragments.parts {
                smv.reword(model);
            }
        }
        let findings = answers.iter().map(|(property, answer)| {
            let part = fragments
                .parts
                .iter()
                .find(|(of, _)| of == property)
                .map(|(_, model)| model);
            let mut finding =
                self.finding(*property, answer, part, &fragments.whole, options, budget);
            if let (SmtVerdict::Fails(_), Some(why)) = (&answer.verdict, &trouble) {
                finding.notes.push(said(format!(
                    "The run is not shown as evidence, since {why}"
                )));
            }
            finding
        });
        let findings: Vec<Finding> = findings.collect();
        let runs = answers.iter().zip(&findings).map(|((_, answer), finding)| {
            match (&answer.verdict, &finding.evidence) {
                (SmtVerdict::Fails(refutation), None) => self.plain_runs(&refutation.runs),
                // What is proved of their states goes with the reason.
                (SmtVerdict::Holds(_), None) if finding.why.is_some() => {
                    self.plain_runs(&answer.witness.runs)
                }
                _ => Vec::new(),
            }
        });
        let runs = runs.collect();
        ToldRuns {
            session: self.session(fragments.whole, String::new()),
            findings,
            runs,
        }
    }

    /// Runs as documents have them.
    fn plain_runs(&self, runs: &[RefutationRun]) -> Vec<RunDoc> {
        let system = self.system();
        let runs = runs.iter().map(|branch| {
            let trace = &branch.trace;
            let actions = trace.actions(system);
            // The step that leads to a state is the one before it.
            let step = |at: usize| at.checked_sub(1);
            let states = (0..trace.states.len()).map(|at| RunStateDoc {
                operation: step(at).and_then(|step| {
                    let action = actions.get(step).copied().flatten()?;
                    Some(system.actions[action].name.clone())
                }),
                inputs: step(at)
                    .map(|step| self.inputs(trace, step))
                    .unwrap_or_default(),
                values: self.values(trace, at),
            });
            RunDoc {
                from: branch.from.map(|(run, state)| [run, state]),
                states: states.collect(),
                back: trace.back,
            }
        });
        runs.collect()
    }

    /// The inputs of a step of a run.
    fn inputs(&self, trace: &SolverTrace, step: usize) -> ValuesDoc {
        let system = self.system();
        let names = system
            .inputs
            .iter()
            .map(|&input| system.terms.info(input).name.clone());
        let values = trace.inputs.get(step).into_iter().flatten();
        names
            .zip(values.map(|meaning| self.value(meaning)))
            .collect()
    }

    fn value(&self, meaning: &TraceMeaning) -> ValueDoc {
        let system = self.system();
        match meaning {
            TraceMeaning::Value(SmtValue::Bool(value)) => ValueDoc::Bool(*value),
            TraceMeaning::Value(value @ SmtValue::Int(number)) => match i64::try_from(number) {
                Ok(number) => ValueDoc::Int(number),
                Err(_) => ValueDoc::Text(value.show(&system.terms).to_string()),
            },
            TraceMeaning::Value(value) => ValueDoc::Text(value.show(&system.terms).to_string()),
            TraceMeaning::Function(function) => ValueDoc::Text(self.table(function)),
        }
    }

    fn values(&self, trace: &SolverTrace, at: usize) -> ValuesDoc {
        let system = self.system();
        let value = |meaning: &TraceMeaning| self.value(meaning);
        let parameters = trace
            .parameters
            .iter()
            .map(|(symbol, meaning)| (system.terms.info(*symbol).name.clone(), value(meaning)));
        let state = system
            .state
            .iter()
            .zip(&trace.states[at])
            .map(|(var, meaning)| (var.name.clone(), value(meaning)));
        parameters.chain(state).collect()
    }

    /// A function as people read it: `[1,2: 3, else 0]`.
    fn table(&self, function: &FunctionValue) -> String {
        let terms = &self.system().terms;
        let mut entries: Vec<String> = function
            .entries
            .iter()
            .map(|(key, value)| {
                let key: Vec<String> = key.iter().map(|arg| arg.show(terms).to_string()).collect();
                format!("{}: {}", key.join(","), value.show(terms))
            })
            .collect();
        if let Some(default) = &function.default {
            entries.push(format!("else {}", default.show(terms)));
        }
        format!("[{}]", entries.join(", "))
    }

    /// A session over the runs that refute a property, or show it, and nothing else, in which its evidence can be
    /// explored; none if runs alone do neither.
    pub fn fragment(&self, property: usize, answer: &SmtAnswer) -> Option<ModelSubject> {
        let runs = self.runs(property, answer)?;
        let start = Span::new(self.file(), 0, 0);
        let fragments = fragments(self.system(), &[runs], start).ok()?;
        let (_, mut model) = fragments.parts.into_iter().next()?;
        if let Written::Smv(smv) = &self.written {
            smv.reword(&mut model);
        }
        Some(self.session(model, String::new()))
    }

    /// The runs of an answer, if they are all that it takes to show it.
    fn runs<'a>(&self, property: usize, answer: &'a SmtAnswer) -> Option<FragmentRuns<'a>> {
        let (runs, closed, holds) = match &answer.verdict {
            SmtVerdict::Fails(refutation) => {
                (&refutation.runs, refutation.closed_by.is_some(), false)
            }
            SmtVerdict::Holds(_) => (
                &answer.witness.runs,
                !answer.witness.claims.is_empty(),
                true,
            ),
            SmtVerdict::Unknown => return None,
        };
        let traces: Vec<&SolverTrace> = runs.iter().map(|branch| &branch.trace).collect();
        let shown =
            !traces.is_empty() && !closed && self.is_shown_by_runs(property, &traces, holds);
        shown.then_some(FragmentRuns { property, traces })
    }

    /// Whether a property that fails is refuted by paths that exist, or one that holds is shown by such, so that a fragment
    /// shows why.
    fn is_shown_by_runs(&self, property: usize, traces: &[&SolverTrace], holds: bool) -> bool {
        let asked = &self.properties()[property];
        let endless = traces.iter().all(|trace| trace.back.is_some());
        if matches!(asked.kind, SmtPropertyKind::Live | SmtPropertyKind::Linear) {
            return endless;
        }
        let mut terms = self.system().terms.clone();
        let Some(formula) = asked.ctl(&mut terms) else {
            return false;
        };
        let denied = match holds {
            true => formula.negation_normal(&mut terms),
            false => formula.negated(&mut terms),
        };
        // A run that is only cut short looks like one that ends.
        let ends = self.system().deadlock == Deadlock::Fail && !endless && has_globally(&denied);
        is_existential(&denied) && !ends
    }

    fn finding(
        &self,
        property: usize,
        answer: &SmtAnswer,
        part: Option<&Model>,
        whole: &Model,
        options: &EvidenceOptions,
        budget: &Budget,
    ) -> Finding {
        let asked = &whole.properties.get(property);
        let class = asked.and_then(|asked| asked.body.query()).map(|query| {
            let fair = !self.system().fairness.is_empty() && query.rule.globally_is_fair();
            class_of(&query.formula, fair)
        });
        let mut finding = match &answer.verdict {
            SmtVerdict::Holds(proof) => {
                let mut finding = Finding::new(property, Found::Holds, class);
                finding.notes.push(said(proved(proof, options.why)));
                let claims = answer.witness.claims.iter();
                let reason = SolverReason {
                    at_states: claims.map(|claim| claim.reason(answer.dead_ends)).collect(),
                    ..proof.reason(answer.dead_ends)
                };
                finding.why = options.why.then(|| Why::Proved(Box::new(reason)));
                if let Some(told) = part.and_then(|model| told(model, property, options, budget))
                    && told.verdict == Found::Holds
                {
                    finding.evidence = told.evidence;
                    self.qualified(&mut finding, &answer.witness.runs);
                }
                if let (Some(_), Some(query)) =
                    (&answer.vacuous, asked.and_then(|asked| asked.body.query()))
                {
                    finding.vacuity = Vacuity::Vacuous {
                        sub: query.formula.root(),
                    };
                }
                finding
            }
            SmtVerdict::Fails(refutation) => self.failing(
                property,
                (refutation, answer.dead_ends),
                part,
                options,
                budget,
                class,
            ),
            SmtVerdict::Unknown => {
                let why = undecided(answer);
                Finding::new(
                    property,
                    Found::Unknown(UnknownReason::Unsupported(why)),
                    class,
                )
            }
        };
        let vacuous = answer
            .vacuous
            .iter()
            .filter(|_| !matches!(answer.verdict, SmtVerdict::Unknown));
        let reached: &[String] = match answer.verdict {
            SmtVerdict::Unknown => &[],
            SmtVerdict::Holds(_) | SmtVerdict::Fails(_) => &answer.reached,
        };
        if answer.no_run {
            finding.notes.push(self.no_run());
        }
        for sentence in vacuous.chain(&answer.remarks).chain(reached) {
            finding.notes.push(said(sentence.clone()));
        }
        if let (Some(expected), Some(is)) = (self.expectations()[property], answer.holds())
            && !(is && expected)
        {
            let word = if expected { "hold" } else { "fail" };
            finding
                .notes
                .push(said(format!("The file expects it to {word}")));
        }
        finding
    }

    fn failing(
        &self,
        property: usize,
        (refutation, dead_ends): (&SmtRefutation, bool),
        part: Option<&Model>,
        options: &EvidenceOptions,
        budget: &Budget,
        class: Option<wherefore_logic::Class>,
    ) -> Finding {
        let mut finding = Finding::new(property, Found::Fails, class);
        let found_by = said(format!("The run is found by {}", refutation.engine));
        let Some(model) = part else {
            match &refutation.closed_by {
                Some(proof) => {
                    let states = refutation
                        .runs
                        .first()
                        .map_or(0, |run| run.trace.states.len());
                    let start = ProofStart::Step {
                        run: 0,
                        step: states.saturating_sub(1),
                    };
                    let reason = SolverReason {
                        start,
                        ..proof.reason(dead_ends)
                    };
                    finding.why = Some(Why::Proved(Box::new(reason)));
                }
                None => finding.notes.push(found_by),
            }
            return finding;
        };
        match told(model, property, options, budget) {
            Some(told) if told.verdict == Found::Fails => finding = told,
            Some(told) if matches!(told.verdict, Found::Unknown(UnknownReason::Stopped(_))) => {}
            _ => {
                let why =
                    "the run that a solver found does not refute the property in our own checker";
                finding.verdict = Found::Unknown(UnknownReason::Unsupported(why.into()));
                return finding;
            }
        }
        finding.notes.clear();
        finding.decisions.clear();
        finding.notes.push(found_by);
        if finding.evidence.is_none() {
            let stopped = "No evidence was built before the work had to stop";
            finding.notes.push(said(stopped));
        }
        self.qualified(&mut finding, &refutation.runs);
        finding
    }

    /// Says of the evidence over runs of a system what is known of it.
    fn qualified(&self, finding: &mut Finding, runs: &[RefutationRun]) {
        if let Some(evidence) = &mut finding.evidence {
            // Other runs of the system may be shorter: nobody looked.
            evidence.minimal.at_least = 0;
            if evidence.replay == Replay::Ok {
                evidence.replay = self.replayed(runs);
            }
        }
    }

    /// Whether our own evaluator finds the runs to be runs of the system.
    fn replayed(&self, runs: &[RefutationRun]) -> Replay {
        for (at, branch) in runs.iter().enumerate() {
            match branch.trace.replay(self.system(), at == 0) {
                Ok(()) => {}
                Err(TraceFault::Broken(what)) => {
                    return Replay::Failed(format!("the run breaks {what}"));
                }
                Err(TraceFault::Unknown(what, why)) => {
                    return Replay::Partial(format!("{what} is not re-checked, since {why}"));
                }
            }
        }
        Replay::Ok
    }
}

/// What is told of a property over runs of a system, as a finite model.
fn told(
    model: &Model,
    property: usize,
    options: &EvidenceOptions,
    budget: &Budget,
) -> Option<Finding> {
    let job = Job {
        engine: Engine::Explicit,
        options: EvidenceOptions {
            vacuity: false,
            witness: false,
            why: false,
            abstraction: None,
            certificate: false,
            ..options.clone()
        },
        properties: Some(vec![property]),
        bound: None,
    };
    let mut told = None;
    check_model(model, &job, budget, &mut |event| {
        if let Event::Finding(found) = event {
            told = Some(*found);
        }
    });
    told
}

/// A sentence that belongs to a verdict.
fn said(sentence: impl Into<String>) -> Note {
    let sentence = sentence.into();
    Note::Said(sentence.trim_end_matches('.').to_string())
}

/// Several sentences as one text without a full stop at its end.
fn sentences(all: &[String]) -> String {
    all.join(" ").trim_end_matches('.').to_string()
}

/// How a property is proved, in words; who checked it is told with the reason, if that is told.
fn proved(proof: &SmtProof, reason: bool) -> String {
    match reason {
        true => format!("Proved by {}", proof.engine),
        false => {
            let standing = proof.reason(false).standing();
            format!("Proved by {} ({standing})", proof.engine)
        }
    }
}

/// Why there is no answer: "Not decided. Tried: ranking functions (none found), runs up to 5 steps (no failure)".
fn undecided(answer: &SmtAnswer) -> String {
    let mut said = answer.reached.clone();
    if !answer.tried.is_empty() {
        let tried: Vec<String> = answer.tried.iter().map(ToString::to_string).collect();
        said.insert(0, format!("Not decided. Tried: {}.", tried.join(", ")));
    }
    match said.is_empty() {
        true => "no engine came to an answer".to_string(),
        false => sentences(&said),
    }
}

/// Whether a formula with its negations at atoms says of some paths only that they exist.
pub(super) fn is_existential(formula: &SmtCtl) -> bool {
    all_operators(formula, &|f| {
        !matches!(
            f,
            SmtCtl::Next(Quantifier::Forall, _)
                | SmtCtl::Finally(Quantifier::Forall, _)
                | SmtCtl::Globally(Quantifier::Forall, _)
                | SmtCtl::Until(Quantifier::Forall, ..)
                | SmtCtl::WeakUntil(Quantifier::Forall, ..)
        )
    })
}

fn has_globally(formula: &SmtCtl) -> bool {
    !all_operators(formula, &|f| {
        !matches!(f, SmtCtl::Globally(..) | SmtCtl::WeakUntil(..))
    })
}

fn all_operators(formula: &SmtCtl, is: &dyn Fn(&SmtCtl) -> bool) -> bool {
    let inside = |f: &SmtCtl| wherefore_base::deep(|| all_operators(f, is));
    is(formula)
        && match formula {
            SmtCtl::Atom(_) => true,
            SmtCtl::Not(f)
            | SmtCtl::Next(_, f)
            | SmtCtl::Finally(_, f)
            | SmtCtl::Globally(_, f) => inside(f),
            SmtCtl::And(all) | SmtCtl::Or(all) => all.iter().all(inside),
            SmtCtl::Until(_, f, g) | SmtCtl::WeakUntil(_, f, g) => inside(f) && inside(g),
        }
}
