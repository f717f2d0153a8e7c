//! Alloy models as subjects: questions are commands, answers are instances or why there are none.

use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, SourceMap, Stop};
use wherefore_evidence::EvidenceOptions;
use wherefore_view::alloy::AlloyReport;
use wherefore_view::any::{AnyReport, CommandReport};

use super::{
    AlloyAnswer, AlloySubject, CommandFault, CommandOutcome, SystemExcerpt, unknown_scope,
};
use crate::engines::Job;
use crate::opening::Opening;
use crate::refusal::Refusal;
use crate::results::Results;
use crate::subject::{
    Answer as SubjectAnswer, Ask, Capability, Explainable, Language, Question, QuestionId, Sink,
    Standing, Subject, SubjectEvent,
};
use crate::subjects::model::ModelSubject;

impl AlloySubject {
    /// What Alloy models without a transition system can do.
    pub const PLAIN: &[Capability] = &[
        Capability::Explain,
        Capability::Explore,
        Capability::Several,
        Capability::Enumerate,
    ];

    /// What Alloy models that describe a transition system can do.
    pub const CAPABILITIES: &[Capability] = &[
        Capability::Explain,
        Capability::Explore,
        Capability::Debug,
        Capability::Several,
        Capability::Enumerate,
        Capability::Strategies,
        Capability::Certify,
        Capability::Translate,
    ];
}

impl Subject for AlloySubject {
    fn name(&self) -> &str {
        self.sources.file(self.file).name()
    }

    fn language(&self) -> Language {
        Language::ALLOY
    }

    fn sources(&self) -> &SourceMap {
        &self.sources
    }

    fn file(&self) -> Option<FileId> {
        Some(self.file)
    }

    fn warnings(&self) -> &[Diagnostic] {
        &self.loaded.diagnostics
    }

    fn questions(&self) -> IndexVec<QuestionId, Question> {
        let questions = self.commands().iter().map(|command| Question {
            name: command.label.clone(),
            text: self.sources.text_on_one_line(command.span, "--"),
            span: Some(command.span),
            added: false,
            expected: None,
        });
        questions.collect()
    }

    fn named(&self, name: &str) -> Vec<QuestionId> {
        let commands = self.commands().iter().enumerate();
        let named = commands.filter(|(_, command)| command.label == name);
        let named: Vec<QuestionId> = named.map(|(at, _)| QuestionId::new(at)).collect();
        if !named.is_empty() {
            return named;
        }
        self.command(name)
            .map(QuestionId::new)
            .into_iter()
            .collect()
    }

    fn capabilities(&self) -> &'static [Capability] {
        if self.describes_system() {
            Self::CAPABILITIES
        } else {
            Self::PLAIN
        }
    }

    fn examine(&self, ask: &Ask) -> Result<(), Refusal> {
        for text in ask
            .alloy
            .evaluate
            .iter()
            .filter(|text| !names_a_witness(text))
        {
            self.read_expression(text)?;
        }
        let mut scopes = ask.alloy.lowering.scopes.iter();
        match scopes.find_map(|scope| unknown_scope(self.model(), scope)) {
            Some(why) => Err(Refusal::Unsupported(why)),
            None => Ok(()),
        }
    }

    fn answer_all(
        &self,
        questions: &[QuestionId],
        ask: &Ask,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) -> Result<(), Refusal> {
        for question in questions {
            let command = question.index();
            let answer = self.answer_telling(command, &ask.alloy, budget, &mut |answer| {
                let verdict = SubjectAnswer::Command(Box::new(answer.clone()));
                sink.tell(SubjectEvent::Verdict(Box::new(verdict)));
            });
            let found = match &answer.outcome {
                CommandOutcome::Found { found, .. } => found.first().cloned(),
                _ => None,
            };
            sink.tell(SubjectEvent::Answer(Box::new(SubjectAnswer::Command(
                Box::new(answer),
            ))));
            if let Some(found) = found
                && self.describes_system()
                && let Ok(question) = self.question(command, &ask.alloy)
            {
                let mut excerpt = self.excerpt(&question, &found, budget);
                if let Ok(part) = &mut excerpt {
                    look_again(part, ask, budget, sink)?;
                }
                sink.tell(SubjectEvent::Excerpt(Box::new(excerpt)));
            }
        }
        if ask.advice && self.describes_system() {
            let commands: Vec<usize> = questions.iter().map(|question| question.index()).collect();
            let advice = self.advice(&commands, &ask.alloy, budget);
            sink.tell(SubjectEvent::Advice(advice.unwrap_or_default()));
        }
        Ok(())
    }

    fn undecided(&self, question: QuestionId, stop: Stop) -> SubjectAnswer {
        let outcome = CommandOutcome::Undecided {
            stop: Some(stop),
            reached: None,
        };
        SubjectAnswer::Command(Box::new(AlloyAnswer::new(question.index(), outcome)))
    }

    fn explainable(
        &self,
        question: QuestionId,
        ask: &Ask,
        budget: &Budget,
    ) -> Result<Explainable, Refusal> {
        let command = &self.commands()[question.index()].label;
        let opening = Opening {
            scopes: ask.alloy.lowering.scopes.clone(),
            ..Opening::default()
        };
        let system = self.complete_with(&opening, Some(command), budget)?;
        Explainable::named(system, command)
    }

    fn standings(&self, results: &Results) -> Vec<Standing> {
        let standings = results.commands.iter().map(|answer| {
            let command = &self.commands()[answer.command];
            if answer.is_real_bug(command) {
                return Standing::Bad;
            }
            match &answer.outcome {
                CommandOutcome::Refused(refused) => match refused.fault {
                    CommandFault::Model => Standing::WrongModel,
                    CommandFault::Limits => Standing::Undecided,
                    CommandFault::Mistake => Standing::Broken,
                },
                CommandOutcome::Undecided { .. } => Standing::Undecided,
                _ if answer.as_expected(command) == Some(false) => Standing::Bad,
                _ if answer.is_vacuous(command) => Standing::Vacuous,
                _ => Standing::Good,
            }
        });
        standings.collect()
    }

    fn report<'a>(&'a self, results: &'a Results) -> AnyReport<'a> {
        AnyReport::Commands(CommandReport {
            base: AlloyReport {
                advice: results.advice.as_deref(),
                seconds: results.seconds,
                ..self.report(&results.commands)
            },
            excerpts: results.excerpts.iter().map(SystemExcerpt::shown).collect(),
        })
    }

    fn into_model(
        self: Box<Self>,
        opening: &Opening,
        budget: &Budget,
    ) -> Result<ModelSubject, Refusal> {
        self.complete_with(opening, opening.command.as_deref(), budget)
    }

    fn systems(
        &self,
        opening: &Opening,
        budget: &Budget,
    ) -> Option<Vec<Result<ModelSubject, Refusal>>> {
        let leaders = self.leading_commands(opening).into_iter();
        let systems =
            leaders.map(|command| self.complete_with(opening, command.as_deref(), budget));
        Some(systems.collect())
    }
}

impl AlloySubject {
    /// What views need to tell these answers.
    pub fn report<'a>(&'a self, answers: &'a [AlloyAnswer]) -> AlloyReport<'a> {
        AlloyReport {
            path: self.sources.file(self.file).name(),
            model: self.model(),
            sources: &self.sources,
            answers,
            excerpts: &[],
            advice: None,
            seconds: None,
        }
    }
}

/// Looks at a part of a system again, where somebody asks for a strategy or a certificate.
fn look_again(
    part: &mut SystemExcerpt,
    ask: &Ask,
    budget: &Budget,
    sink: &mut dyn Sink,
) -> Result<(), Refusal> {
    let certificate = ask.options.certificate;
    if ask.strategy.is_empty() && !certificate {
        return Ok(());
    }
    let asker = ask.asker.clone();
    let strategies = part.session.strategies(&ask.strategy, asker, budget)?;
    let job = Job {
        options: EvidenceOptions {
            certificate,
            ..EvidenceOptions::default()
        },
        ..Job::default()
    };
    part.check(&job, &strategies, budget)?;
    for remark in strategies.remarks() {
        sink.tell(SubjectEvent::Remark(remark));
    }
    Ok(())
}

/// Whether an expression has a name as `$show_b`, which is known only once there is an instance.
fn names_a_witness(text: &str) -> bool {
    let outside = |c: char| !(c.is_alphanumeric() || "_$'\"".contains(c));
    text.split(outside).any(|word| word.starts_with('$'))
}
