//! Alloy models as subjects: questions are commands, answers are instances or why there are none.

use wherefore_base::{Budget, Diagnostic, FileId, IndexVec, SourceMap, Stop};
use wherefore_evidence::EvidenceOptions;
use wherefore_view::alloy::AlloyReport;
use wherefore_view::any::{AnyReport, CommandReport};

use super::mend::MendSearch;
use super::{
    AlloyAnswer, AlloyOptions, AlloySubject, CommandFault, CommandOutcome, SystemExcerpt,
    unknown_scope,
};
use crate::blame::BlameEffort;
use crate::engines::Job;
use crate::opening::Opening;
use crate::refusal::Refusal;
use crate::results::Results;
use crate::subject::{
    Answer as SubjectAnswer, Ask, Capability, Explainable, Language, Question, QuestionId, Sink,
    Standing, Subject, SubjectEvent,
};
use crate::subjects::model::ModelSubject;

/// How often a solver may ask whether to go on with a command that nobody asked about.
const OTHERS: u64 = 1_000_000;

impl AlloySubject {
    /// What Alloy models without a transition system can do.
    pub const PLAIN: &[Capability] = &[
        Capability::Explain,
        Capability::Explore,
        Capability::Several,
        Capability::Enumerate,
        Capability::Blame,
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
        Capability::Shrink,
        Capability::Blame,
    ];
}

impl AlloySubject {
    /// Tells who is to blame for each command that is not as expected.
    pub fn tell_blame(
        &self,
        answers: &[AlloyAnswer],
        choices: &AlloyOptions,
        effort: BlameEffort,
        budget: &Budget,
        sink: &mut dyn Sink,
    ) {
        // Unasked, nothing is spent where every problem is a large one, or where there is no instance to refuse changes with.
        let unasked = effort == BlameEffort::SHARE;
        if unasked && (self.model().has_time() || self.describes_system()) {
            return;
        }
        let odd = |answer: &&AlloyAnswer| {
            let command = &self.commands()[answer.command];
            answer.as_expected(command) == Some(false) && (command.check || !unasked)
        };
        let odd: Vec<usize> = answers.iter().filter(odd).map(|a| a.command).collect();
        if odd.is_empty() {
            return;
        }
        let mut answers = answers.to_vec();
        if !unasked {
            answers.extend(self.other_answers(&answers, choices, budget));
        }
        for command in &odd {
            let share = effort.share_of(odd.len());
            let mut search = MendSearch::new(self, &answers, choices, share);
            if let Some(blame) = search.blame(*command, budget) {
                let question = QuestionId::new(*command);
                sink.tell(SubjectEvent::Blame(question, Box::new(blame)));
            }
        }
    }
}

impl AlloySubject {
    /// The answers to the commands that nobody asked about: a change that mends one command is judged by all of them.
    fn other_answers(
        &self,
        answers: &[AlloyAnswer],
        choices: &AlloyOptions,
        budget: &Budget,
    ) -> Vec<AlloyAnswer> {
        let asked = |command: &usize| answers.iter().any(|answer| answer.command == *command);
        let others = (0..self.commands().len()).filter(|command| !asked(command));
        let choices = AlloyOptions {
            instances: 1,
            evaluate: Vec::new(),
            why: false,
            ..choices.clone()
        };
        // What takes long is left out, and then changes are not judged by it.
        let answers = others.map(|command| self.answer(command, &choices, &budget.counted(OTHERS)));
        answers.collect()
    }
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
        let mut answers = Vec::new();
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
            if ask.blame.is_some() {
                answers.push(AlloyAnswer::new(command, answer.outcome.clone()));
            }
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
        if let Some(effort) = ask.blame {
            self.tell_blame(&answers, &ask.alloy, effort, budget, sink);
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
