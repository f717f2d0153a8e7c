//! What is known about a subject, collected as it is told.

use std::collections::HashSet;
use std::sync::Arc;

use wherefore_alloy::reach::Advice;
use wherefore_base::Stop;
use wherefore_evidence::{Finding, Note, SpaceSummary};
use wherefore_view::Captions;
use wherefore_view::wire::RunDoc;

use crate::subject::{Answer, QuestionId, Sink, Subject, SubjectEvent};
use crate::subjects::alloy::{self, SystemExcerpt};
use crate::subjects::model::ModelSubject;

/// Everything that is known about a subject.
///
/// Invariant: `runs` has an entry for each of the first findings, in their order.
#[derive(Debug, Default)]
pub struct Results {
    /// How large it is and which engine looked; `None` when nobody got that far.
    pub space: Option<SpaceSummary>,
    /// What was found out about properties.
    pub findings: Vec<Finding>,
    /// What was found out about commands.
    pub commands: Vec<alloy::AlloyAnswer>,
    /// Parts of transition systems that show the answers to commands.
    pub excerpts: Vec<SystemExcerpt>,
    /// Advice on how a transition system is written, if that was asked for.
    pub advice: Option<Vec<Advice>>,
    /// The runs that solvers found, as a model over which findings are told.
    pub fragment: Option<Arc<ModelSubject>>,
    /// The runs of findings that are not shown as evidence.
    pub runs: Vec<Vec<RunDoc>>,
    /// The first-order theories of questions with their names, or why there are none.
    pub theories: Vec<(String, Result<String, String>)>,
    /// What a script of the user says of the states that are shown.
    pub captions: Option<Captions>,
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
}

impl Sink for Results {
    fn tell(&mut self, event: SubjectEvent) {
        match event {
            SubjectEvent::Space(space) => self.space = Some(space),
            SubjectEvent::Answer(answer) => self.push(*answer),
            SubjectEvent::Excerpt(excerpt) => self.excerpts.extend(excerpt.ok()),
            SubjectEvent::Fragment(fragment) => self.fragment = Some(fragment),
            SubjectEvent::Runs(runs) => self.runs.push(runs),
            SubjectEvent::Theory(name, theory) => self.theories.push((name, theory)),
            SubjectEvent::Blame(question, blame) => {
                let mut commands = self.commands.iter_mut();
                if let Some(answer) = commands.find(|a| a.command == question.index()) {
                    answer.blame = Some(*blame);
                    return;
                }
                let mut findings = self.findings.iter_mut();
                if let Some(finding) = findings.find(|f| f.property == question.index()) {
                    finding.blame = Some(*blame);
                }
            }
            SubjectEvent::Advice(advice) => self.advice = Some(advice),
            SubjectEvent::Verdict(_) | SubjectEvent::Remark(_) | SubjectEvent::Note(_) => {}
        }
    }
}

impl Results {
    /// Takes an answer.
    pub fn push(&mut self, answer: Answer) {
        match answer {
            Answer::Finding(finding) => self.findings.push(*finding),
            Answer::Command(answer) => self.commands.push(*answer),
        }
    }

    /// Whether everything holds for want of an initial state.
    pub(crate) fn is_of_nothing(&self) -> bool {
        let mut notes = self.space.iter().flat_map(|space| &space.notes);
        notes.any(|note| *note == Note::NoInitialState)
    }

    /// Says of selected questions that nobody answered that they are undecided, and puts answers in order.
    pub fn complete(&mut self, subject: &dyn Subject, selected: &[QuestionId], stop: Stop) {
        let answered: HashSet<usize> = self
            .findings
            .iter()
            .map(|finding| finding.property)
            .chain(self.commands.iter().map(|answer| answer.command))
            .collect();
        for question in selected {
            if !answered.contains(&question.index()) {
                self.push(subject.undecided(*question, stop));
            }
        }
        self.findings.sort_by_key(|finding| finding.property);
        self.commands.sort_by_key(|answer| answer.command);
    }
}
