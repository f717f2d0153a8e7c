//! The clerk of a model whose states are values of variables.
//!
//! It checks the properties, and then has the states of the model at hand: while they are, the clerk is a
//! visitor of [`explore`]'s world and answers from there. A request that needs a condition which the world
//! does not know makes it come again, with the request still in its hands.

mod proof;
mod world;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::evidence::{Finding, Options, Several, SpaceSummary};
use wherefore_driver::explain::Tactic;
use wherefore_driver::explore::{Next, explore};
use wherefore_driver::model::{PropertyBody, Query, TermId};
use wherefore_driver::strategy::StrategySpec;
use wherefore_driver::subjects::alloy::Extent;
use wherefore_driver::view::api;
use wherefore_driver::view::json;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::wire::{
    AbilityName, AnotherRequest, CheckingName, ListedPropertyDoc, PropertyAnswer,
};
use wherefore_driver::{Engine, Event, Job as CheckJob, ModelSubject, Opening, Refusal, undecided};

use crate::ModelFiles;
use crate::ask::Ask;
use crate::board::{Board, Notes};
use crate::clerk::{Answer, Desk, Job, LATER, NOBODY, Outcome};
use crate::export::Form;
use crate::problem::Problem;
use crate::shift::Shift;
use crate::stamp::Stamp;

/// At most so many runs are asked for at once.
pub(crate) const MOST_RUNS: usize = 100;

/// What is to be served.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The number of the model.
    pub(crate) id: usize,
    pub(crate) files: ModelFiles,
    /// Formulas to check besides its properties.
    pub(crate) formulas: Vec<String>,
    pub(crate) opening: Opening,
    pub(crate) engine: Engine,
    /// How far answers to the commands of an Alloy model reach, unless its transition system is looked at.
    pub(crate) extent: Option<Extent>,
}

/// Answers requests until there are no more; files that have changed before a check are read again.
pub(crate) fn serve(plan: &Plan, board: &Arc<Board>, desk: &Desk, jobs: &Receiver<Job<Ask>>) {
    let mut pending = None;
    loop {
        pending = sit(plan, board, desk, jobs, pending);
        if pending.is_none() {
            return;
        }
    }
}

/// Answers requests until there are no more, or until the files have changed before a check: that is returned, and
/// the board is ready for a model that is read anew. When memory runs out, everything is forgotten but the board.
pub(crate) fn sit(
    plan: &Plan,
    board: &Arc<Board>,
    desk: &Desk,
    jobs: &Receiver<Job<Ask>>,
    mut pending: Option<Job<Ask>>,
) -> Option<Job<Ask>> {
    loop {
        let budget = desk.renew();
        let shift = Shift {
            plan,
            board,
            desk,
            budget: &budget,
        };
        let mut clerk = Clerk::new(&shift, jobs, pending.take());
        let stop = match clerk.live() {
            Ok(Left::Reread) => {
                board.write(Notes::begin_anew);
                return clerk.pending.take();
            }
            Ok(_) => return None,
            Err(stop) => stop,
        };
        if let Some(job) = clerk.pending.take() {
            job.tell(Err(stop.into()));
        }
        // Nothing is done again before somebody asks.
        pending = Some(jobs.recv().ok()?);
    }
}

/// Answers one request that needs states, from a model that is small.
///
/// # Errors
/// When nothing more can be done under the budget.
pub(crate) fn answer_once(shift: &Shift<'_>, session: &mut ModelSubject, job: Job<Ask>) -> Run<()> {
    // Nobody else asks: when the request is answered, the visit ends.
    let (_, nobody) = channel();
    let mut clerk = Clerk::new(shift, &nobody, Some(job));
    while clerk.pending.is_some() && clerk.visit(session, false)? == Left::Again {}
    Ok(())
}

/// A clerk at work.
struct Clerk<'c> {
    plan: &'c Plan,
    board: &'c Board,
    desk: &'c Desk,
    jobs: &'c Receiver<Job<Ask>>,
    budget: &'c Budget,
    space: Option<SpaceSummary>,
    /// What was found out, by property.
    findings: BTreeMap<usize, Finding>,
    /// A request that was taken and not answered yet.
    pending: Option<Job<Ask>>,
    /// How the files looked when they were read.
    stamp: Stamp,
    /// What formulas, expressions and strategies mean that were read before, by their texts.
    goals: BTreeMap<String, Query>,
    terms: BTreeMap<String, TermId>,
    tactics: BTreeMap<String, Tactic>,
}

/// How a visit to the states ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// Nobody asks any more.
    End,
    /// The pending request needs more than this world knows.
    Again,
    /// The pending request is a check, and the files have changed.
    Reread,
}

impl<'c> Clerk<'c> {
    fn new(shift: &Shift<'c>, jobs: &'c Receiver<Job<Ask>>, pending: Option<Job<Ask>>) -> Self {
        Self {
            plan: shift.plan,
            board: shift.board,
            desk: shift.desk,
            jobs,
            budget: shift.budget,
            space: None,
            findings: BTreeMap::new(),
            pending,
            stamp: Stamp::of(&shift.plan.files),
            goals: BTreeMap::new(),
            terms: BTreeMap::new(),
            tactics: BTreeMap::new(),
        }
    }

    /// Answers until nobody asks any more, or the files are to be read again.
    ///
    /// # Errors
    /// When the budget ran out.
    fn live(&mut self) -> Run<Left> {
        let mut session = match self.open()? {
            Ok(session) => session,
            Err(why) => {
                while let Some(job) = self.next() {
                    if self.wants_rereading(&job) {
                        self.pending = Some(job);
                        return Ok(Left::Reread);
                    }
                    self.board
                        .write(|notes| notes.entry.checking = CheckingName::Failed);
                    job.tell(Err(Problem::unsupported(&why)));
                }
                return Ok(Left::End);
            }
        };
        let mut prepare = false;
        loop {
            if !prepare {
                let Some(job) = self.next() else {
                    return Ok(Left::End);
                };
                if self.wants_rereading(&job) {
                    self.pending = Some(job);
                    return Ok(Left::Reread);
                }
                if !job.ask.needs_states() {
                    let checks = matches!(job.ask, Ask::Check);
                    self.answer_without(&mut session, job)?;
                    prepare = checks && self.is_worth_preparing();
                    continue;
                }
                self.pending = Some(job);
            }
            match self.visit(&mut session, prepare)? {
                Left::Again => prepare = false,
                left => return Ok(left),
            }
        }
    }

    /// The next request.
    fn next(&mut self) -> Option<Job<Ask>> {
        self.pending.take().or_else(|| self.jobs.recv().ok())
    }

    /// Whether a request is a check of files that have changed.
    fn wants_rereading(&self, job: &Job<Ask>) -> bool {
        matches!(job.ask, Ask::Check) && self.stamp.is_stale()
    }

    /// Whether somebody will want to see states: what was found out has evidence.
    fn is_worth_preparing(&self) -> bool {
        self.findings
            .values()
            .any(|finding| finding.evidence.is_some())
    }

    /// Has the states at hand until nobody asks any more, or something is to be done without them.
    fn visit(&mut self, session: &mut ModelSubject, prepare: bool) -> Run<Left> {
        let id = match &self.pending {
            Some(job) if !prepare => job.id,
            _ => LATER,
        };
        if self.desk.begin(id).is_err() {
            if let Some(job) = self.pending.take() {
                job.tell(Err(Problem::cancelled()));
            }
            return Ok(Left::Again);
        }
        let (engine, budget) = (self.plan.engine, self.budget);
        let mut left = Left::Again;
        let visited = explore(session, engine, budget, &mut |session, world| {
            self.desk.end();
            left = self.serve_states(session, world)?;
            if left != Left::Again {
                return Ok(Next::Done);
            }
            // The states are listed again for the pending request, which can be cancelled meanwhile.
            let id = self.pending.as_ref().map_or(LATER, |job| job.id);
            if self.desk.begin(id).is_err()
                && let Some(job) = self.pending.take()
            {
                job.tell(Err(Problem::cancelled()));
            }
            Ok(Next::Again)
        });
        self.desk.end();
        let (problem, stop) = match visited {
            Ok(()) => return Ok(left),
            Err(Refusal::Stopped(stop)) => (Problem::from(stop), Some(stop)),
            Err(refusal) => (Problem::from(refusal), None),
        };
        if let Some(job) = self.pending.take() {
            job.tell(Err(problem));
        }
        match stop {
            Some(stop @ (Stop::TimeOut | Stop::Memory)) => Err(stop),
            _ => Ok(Left::Again),
        }
    }

    /// Reads the model and writes it on the board; otherwise says why it cannot be used.
    fn open(&mut self) -> Run<Result<ModelSubject, String>> {
        // Before the model is read there is nothing to cancel.
        let _ = self.desk.begin(NOBODY);
        self.budget.phase("reading the model");
        let opened = ModelSubject::open_as(&self.plan.opening, &self.plan.files.path, self.budget);
        let mut session = match opened {
            Ok(session) => session.with_engine(self.plan.engine),
            Err(Refusal::Stopped(stop @ (Stop::Memory | Stop::TimeOut))) => return Err(stop),
            Err(error) => return Ok(Err(self.refuse(&error))),
        };
        let added = self.board.read().added.clone();
        for formula in self.plan.formulas.iter().chain(&added) {
            if let Err(rejected) = session.add_formula(formula) {
                return Ok(Err(self.refuse(&Refusal::Rejected(rejected))));
            }
        }
        self.desk.end();
        let report = session.report(None, &[]);
        let model = json::model(&report)
            .with_diagnostics(diagnostics(session.sources(), session.warnings()));
        let properties = 0..session.model().properties.len();
        let listed = properties.map(|property| {
            let finding = undecided(session.model(), property, Stop::Cancelled);
            ListedPropertyDoc::unchecked(json::property(&report, &finding), finding.property)
        });
        let listed = listed.collect();
        let source = session.sources().file(session.file()).text();
        self.board.write(|notes| {
            // After memory ran out, what was found out before stays found.
            if notes.is_blank() {
                notes.entry.tell(model, listed);
            }
            notes.entry.variables = api::variables(&report);
            notes.entry.abilities =
                vec![AbilityName::States, AbilityName::Proofs, AbilityName::Debug];
            notes.entry.show_source(source);
        });
        Ok(Ok(session))
    }

    /// Writes on the board that the model cannot be used; returns why.
    fn refuse(&self, error: &Refusal) -> String {
        self.desk.end();
        self.board.refuse(&self.plan.files.path, error)
    }

    /// Answers a request that needs no states.
    fn answer_without(&mut self, session: &mut ModelSubject, job: Job<Ask>) -> Run<()> {
        if self.desk.begin(job.id).is_err() {
            if matches!(job.ask, Ask::Check) {
                self.board
                    .write(|notes| notes.entry.checking = CheckingName::Cancelled);
            }
            job.tell(Err(Problem::cancelled()));
            return Ok(());
        }
        let outcome = self.without_states(session, &job.ask);
        self.desk.end();
        job.settle(outcome)
    }

    fn without_states(&mut self, session: &mut ModelSubject, ask: &Ask) -> Run<Outcome> {
        if let Some(problem) = no_property(session, ask) {
            return Ok(Err(problem));
        }
        match ask {
            Ask::Check => self.check(session),
            Ask::Add(text) => self.add(session, text),
            Ask::Another(property, wishes) => self.another(session, *property, wishes),
            Ask::Evaluate(evaluate) => self.evaluate(session, evaluate),
            Ask::Blocked(blocked) => self.blocked(session, blocked),
            Ask::Export(property, form, run) => Ok(self.export(session, *property, *form, *run)),
            Ask::Value(..) | Ask::Instance(..) => {
                let why = "This is for the instances of commands, and this model has states.";
                Ok(Err(Problem::unsupported(why)))
            }
            _ => Ok(Err(Problem::internal())),
        }
    }

    /// Checks all properties, and writes what is found out on the board.
    fn check(&mut self, session: &ModelSubject) -> Run<Outcome> {
        self.board.write(|notes| {
            notes.forget();
            notes.entry.checking = CheckingName::Running;
        });
        let job = CheckJob {
            engine: self.plan.engine,
            ..CheckJob::default()
        };
        let mut rejected = None;
        session.check_all(&job, self.budget, &mut |event| match event {
            Event::Rejected(diagnostics) => rejected = Some(session.rejected(diagnostics)),
            Event::Space(space) => self.tell_space(session, space),
            Event::Finding(finding) => self.tell(session, *finding),
        });
        if let Some(rejected) = rejected {
            let why = self.refuse(&Refusal::Rejected(rejected));
            return Ok(Err(Problem::unsupported(&why)));
        }
        let stopped = self.budget.check();
        self.board.write(|notes| {
            notes.entry.checking = match stopped {
                Ok(()) => CheckingName::Done,
                Err(_) => CheckingName::Cancelled,
            };
        });
        stopped.map(|()| Ok(self.board.read().entry.render().into()))
    }

    fn tell_space(&mut self, session: &ModelSubject, space: SpaceSummary) {
        let model = json::model(&session.report(Some(&space), &[]));
        self.board.write(|notes| notes.entry.tell_space(model));
        self.space = Some(space);
    }

    fn tell(&mut self, session: &ModelSubject, finding: Finding) {
        let detail = self.detail(session, &finding);
        let listed = api::listed(detail.property.clone(), &finding, detail.told.as_ref());
        self.board
            .write(|notes| notes.answer(listed, detail.render()));
        self.findings.insert(finding.property, finding);
    }

    fn detail(&self, session: &ModelSubject, finding: &Finding) -> PropertyAnswer {
        let report = session.report(self.space.as_ref(), &[]);
        api::property(self.plan.id, &report, finding)
    }

    /// Adds a formula, and checks it.
    fn add(&mut self, session: &mut ModelSubject, text: &str) -> Run<Outcome> {
        let property = match session.add_formula(text) {
            Ok(property) => property,
            Err(rejected) => return Ok(Err(Problem::rejected(&rejected))),
        };
        let unchecked = undecided(session.model(), property, Stop::Cancelled);
        let listed = ListedPropertyDoc::unchecked(
            json::property(&session.report(None, &[]), &unchecked),
            unchecked.property,
        );
        self.board.write(|notes| {
            notes.entry.tell_property(listed);
            notes.added.push(text.to_string());
        });
        let job = CheckJob {
            engine: self.plan.engine,
            properties: Some(vec![property]),
            ..CheckJob::default()
        };
        let finding = match self.ask_engine(session, &job)? {
            Ok(finding) => finding,
            Err(problem) => return Ok(Err(problem)),
        };
        let answer = self.detail(session, &finding).render().into();
        self.tell(session, finding);
        Ok(Ok(answer))
    }

    /// Has one property answered.
    fn ask_engine(
        &mut self,
        session: &ModelSubject,
        job: &CheckJob,
    ) -> Run<Result<Finding, Problem>> {
        let (mut found, mut wrong) = (None, None);
        session.check_all(job, self.budget, &mut |event| match event {
            Event::Rejected(diagnostics) => wrong = Some(session.rejected(diagnostics)),
            Event::Space(_) => {}
            Event::Finding(finding) => found = Some(*finding),
        });
        self.budget.check()?;
        Ok(match (found, wrong) {
            (_, Some(rejected)) => Err(Problem::rejected(&rejected)),
            (Some(finding), None) => Ok(finding),
            (None, None) => Err(Problem::internal()),
        })
    }

    /// Further evidence of a property.
    fn another(
        &mut self,
        session: &mut ModelSubject,
        property: usize,
        wishes: &AnotherRequest,
    ) -> Run<Outcome> {
        let (options, specs) = match self.wishes(session, wishes)? {
            Ok(wishes) => wishes,
            Err(problem) => return Ok(Err(problem)),
        };
        let strategies = match session.strategies(&specs, None, self.budget) {
            Ok(strategies) => strategies,
            Err(Refusal::Stopped(stop)) => return Err(stop),
            Err(Refusal::Rejected(rejected)) => {
                return Ok(Err(Problem::rejected(&rejected)));
            }
            Err(error) => return Ok(Err(Problem::wrong(&format!("{error}.")))),
        };
        let job = CheckJob {
            engine: self.plan.engine,
            options,
            properties: Some(vec![property]),
            bound: None,
        };
        let mut found = None;
        session.check_all_with(&job, &strategies, self.budget, &mut |event| {
            if let Event::Finding(finding) = event {
                found = Some(*finding);
            }
        });
        self.budget.check()?;
        let Some(finding) = found else {
            return Ok(Err(Problem::internal()));
        };
        Ok(Ok(self.detail(session, &finding).render().into()))
    }

    /// What is wished for, as the options of a check.
    fn wishes(
        &mut self,
        session: &mut ModelSubject,
        wishes: &AnotherRequest,
    ) -> Run<Result<(Options, Vec<StrategySpec>), Problem>> {
        let mut distinct_by = Vec::new();
        for text in &wishes.distinct_by {
            match self.term(session, text)? {
                Ok(term) => distinct_by.push(term),
                Err(problem) => return Ok(Err(problem)),
            }
        }
        let avoid = wishes.avoid.iter().map(|text| format!("avoid:{text}"));
        let texts = avoid.chain(wishes.strategy.iter().cloned());
        let specs = texts.map(|text| strategy(&text)).collect();
        let minimal = wishes
            .minimal
            .as_deref()
            .map_or(Ok(Default::default()), str::parse);
        let (specs, minimal): (Result<_, _>, _) = (specs, minimal);
        Ok(match (specs, minimal) {
            (Err(problem), _) => Err(problem),
            (_, Err(wrong)) => Err(Problem::bad(&format!("{wrong}."))),
            (Ok(specs), Ok(minimal)) => {
                let several = Several {
                    each: wishes.each,
                    count: wishes.count.unwrap_or(1).clamp(1, MOST_RUNS),
                    distinct_by,
                };
                let options = Options {
                    witness: wishes.witness,
                    certificate: wishes.certificate,
                    minimal,
                    several,
                    ..Options::default()
                };
                Ok((options, specs))
            }
        })
    }

    /// The evidence of a property as a file.
    fn export(&self, session: &ModelSubject, property: usize, form: Form, run: usize) -> Outcome {
        let Some(finding) = self.findings.get(&property) else {
            return Err(Problem::cancelled());
        };
        let report = session.report(self.space.as_ref(), &[]);
        form.of(&report, finding, run).map(Answer::File)
    }
}

/// Why a request about a property makes no sense, if it does not.
fn no_property(session: &ModelSubject, ask: &Ask) -> Option<Problem> {
    let property = session.model().properties.get(ask.property()?);
    match (property.map(|property| &property.body), ask) {
        (None, _) => Some(Problem::missing("There is no such property.")),
        (Some(PropertyBody::Unsupported(why)), Ask::Another(..) | Ask::Proof(..)) => {
            Some(Problem::unsupported(&format!("{why}.")))
        }
        (Some(PropertyBody::Linear(_) | PropertyBody::Distance(_)), Ask::Proof(..)) => {
            let why = "Only proofs of properties of CTL are explored step by step.";
            Some(Problem::unsupported(why))
        }
        _ => None,
    }
}

/// A strategy that reads no file and asks nobody.
fn strategy(text: &str) -> Result<StrategySpec, Problem> {
    let spec: StrategySpec = text
        .parse()
        .map_err(|bad: wherefore_driver::strategy::BadSpec| Problem::wrong(&format!("{bad}.")))?;
    match spec.is_self_contained() {
        true => Ok(spec),
        false => {
            let why = "Strategies that read a file or ask somebody are for the command line only.";
            Err(Problem::unsupported(why))
        }
    }
}
