//! The clerk of a labelled transition system.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use wherefore::evidence::{Finding, SpaceSummary};
use wherefore::lts::aut::ReadOptions;
use wherefore::model::lts::StateId;
use wherefore::view::api::{Detail, Listed, Spot, Window, ask, render, steps};
use wherefore::view::lts as view;
use wherefore::{Event, LtsSession, OpenError};
use wherefore_base::{Budget, Run, Stop};

use crate::ask::Ask;
use crate::board::{Board, Notes};
use crate::clerk::{Answer, Desk, Job, NOBODY, Outcome};
use crate::problem::Problem;
use crate::smv::Plan;
use crate::stamp::Stamp;

/// Answers requests until there are no more. When memory runs out, everything is forgotten but the board.
pub(crate) fn serve(plan: &Plan, board: &Arc<Board>, desk: &Desk, jobs: &Receiver<Job<Ask>>) {
    let mut pending = None;
    loop {
        let budget = desk.renew();
        let mut clerk = Clerk {
            plan,
            board,
            desk,
            budget: &budget,
            space: None,
            findings: BTreeMap::new(),
            stamp: Stamp::of(&plan.files),
        };
        let stop = match clerk.live(&mut pending, jobs) {
            // The files have changed, and a check of them is pending.
            Ok(()) if pending.is_some() => {
                board.write(Notes::begin_anew);
                continue;
            }
            Ok(()) => return,
            Err(stop) => stop,
        };
        if let Some(job) = pending.take() {
            job.tell(Err(stop.into()));
        }
        // Nothing is done again before somebody asks.
        match jobs.recv() {
            Ok(job) => pending = Some(job),
            Err(_) => return,
        }
    }
}

/// A clerk at work.
struct Clerk<'c> {
    plan: &'c Plan,
    board: &'c Board,
    desk: &'c Desk,
    budget: &'c Budget,
    space: Option<SpaceSummary>,
    findings: BTreeMap<usize, Finding>,
    /// How the files looked when they were read.
    stamp: Stamp,
}

impl Clerk<'_> {
    /// Answers until nobody asks any more, or a check of files that have changed is pending.
    fn live(&mut self, pending: &mut Option<Job<Ask>>, jobs: &Receiver<Job<Ask>>) -> Run<()> {
        let mut session = match self.open()? {
            Ok(session) => session,
            Err(why) => {
                while let Ok(job) = jobs.recv() {
                    if self.wants_rereading(&job) {
                        *pending = Some(job);
                        return Ok(());
                    }
                    self.board.write(|notes| notes.entry.checking = "failed");
                    job.tell(Err(Problem::unsupported(&why)));
                }
                return Ok(());
            }
        };
        while let Some(job) = pending.take().or_else(|| jobs.recv().ok()) {
            if self.wants_rereading(&job) {
                *pending = Some(job);
                return Ok(());
            }
            if self.desk.begin(job.id).is_err() {
                if matches!(job.ask, Ask::Check) {
                    self.board.write(|notes| notes.entry.checking = "cancelled");
                }
                job.tell(Err(Problem::cancelled()));
                continue;
            }
            let outcome = self.answer(&mut session, &job.ask);
            self.desk.end();
            job.settle(outcome)?;
        }
        Ok(())
    }

    /// Whether a request is a check of files that have changed.
    fn wants_rereading(&self, job: &Job<Ask>) -> bool {
        matches!(job.ask, Ask::Check) && self.stamp.is_stale()
    }

    /// Reads the system and writes it on the board; otherwise says why it cannot be used.
    fn open(&mut self) -> Run<Result<LtsSession, String>> {
        // Before the system is read there is nothing to cancel.
        let _ = self.desk.begin(NOBODY);
        self.budget.phase("reading the model");
        let files = &self.plan.files;
        let options = ReadOptions::default();
        let opened = LtsSession::open(&files.path, &files.properties, &options, self.budget);
        let mut session = match opened {
            Ok(session) => session,
            Err(error) => match error.why {
                OpenError::Stopped(stop @ (Stop::Memory | Stop::TimeOut)) => return Err(stop),
                why => return Ok(Err(self.refuse(&why))),
            },
        };
        let added = self.board.read().added.clone();
        for formula in self.plan.formulas.iter().chain(&added) {
            if let Err(rejected) = session.add_formula(formula) {
                return Ok(Err(self.refuse(&OpenError::Rejected(rejected))));
            }
        }
        self.desk.end();
        let report = session.report(None, &[]);
        let model =
            view::json::model(&report).with_diagnostics(session.sources(), session.warnings());
        let properties = 0..session.properties().len();
        let listed = properties.map(|property| {
            let finding = session.undecided(property, Stop::Cancelled);
            Listed::unchecked_of_system(&report, &finding)
        });
        let listed = listed.collect();
        self.board.write(|notes| {
            // After memory ran out, what was found out before stays found.
            if notes.is_blank() {
                notes.entry.tell(model, listed);
            }
            notes.entry.abilities = vec!["states", "debug"];
        });
        Ok(Ok(session))
    }

    /// Writes on the board that the system cannot be used; returns why.
    fn refuse(&self, error: &OpenError) -> String {
        self.desk.end();
        self.board.refuse(&self.plan.files.path, error)
    }

    fn answer(&mut self, session: &mut LtsSession, ask: &Ask) -> Run<Outcome> {
        let known = |property: usize| property < session.properties().len();
        if ask.property().is_some_and(|property| !known(property)) {
            return Ok(Err(Problem::missing("There is no such property.")));
        }
        match ask {
            Ask::Check => self.check(session),
            Ask::Add(text) => self.add(session, text),
            Ask::Initial(some) => {
                let initial = session.lts().initial().index();
                let items = vec![Spot::of_system(initial, None, None)];
                Ok(Ok(window(*some, items.into_iter(), 1)))
            }
            Ask::Successors(around) => Ok(successors(session, around)),
            Ask::Predecessors(around) => self.predecessors(session, around),
            Ask::Path(path) => self.path(session, path),
            Ask::Export(property, form, run) => Ok(match self.findings.get(property) {
                Some(finding) => {
                    let report = session.report(self.space.as_ref(), &[]);
                    form.of_system(&report, finding, *run).map(Answer::File)
                }
                None => Err(Problem::cancelled()),
            }),
            Ask::Another(..)
            | Ask::Proof(..)
            | Ask::Truth(_)
            | Ask::Evaluate(_)
            | Ask::Blocked(_) => {
                let why =
                    "This is for models with variables, and a labelled transition system has none.";
                Ok(Err(Problem::unsupported(why)))
            }
        }
    }

    /// Checks all properties, and writes what is found out on the board.
    fn check(&mut self, session: &LtsSession) -> Run<Outcome> {
        self.board.write(|notes| {
            notes.forget();
            notes.entry.checking = "running";
        });
        let all: Vec<usize> = (0..session.properties().len()).collect();
        session.check_all(&all, self.budget, &mut |event| match event {
            // A system has no meaning that could be wrong.
            Event::Rejected(_) => {}
            Event::Space(space) => {
                let model = view::json::model(&session.report(Some(&space), &[]));
                self.board.write(|notes| notes.entry.tell_space(model));
                self.space = Some(space);
            }
            Event::Finding(finding) => self.tell(session, *finding),
        });
        let stopped = self.budget.check();
        self.board.write(|notes| {
            notes.entry.checking = match stopped {
                Ok(()) => "done",
                Err(_) => "cancelled",
            };
        });
        stopped.map(|()| Ok(self.board.read().entry.render().into()))
    }

    fn tell(&mut self, session: &LtsSession, finding: Finding) {
        let report = session.report(self.space.as_ref(), &[]);
        let detail = Detail::of_system(self.plan.id, &report, &finding);
        let listed = Listed::of(detail.property.clone(), &finding, detail.told.as_ref());
        self.board
            .write(|notes| notes.answer(listed, detail.render()));
        self.findings.insert(finding.property, finding);
    }

    fn add(&mut self, session: &mut LtsSession, text: &str) -> Run<Outcome> {
        let first = match session.add_formula(text) {
            Ok(first) => first,
            Err(rejected) => return Ok(Err(Problem::rejected(&rejected))),
        };
        self.board.write(|notes| notes.added.push(text.to_string()));
        for property in first..session.properties().len() {
            let finding = session.check(property, self.budget);
            self.tell(session, finding);
        }
        self.budget.check()?;
        let detail = self.board.read().detail(first);
        Ok(detail.map(Answer::Document).ok_or_else(Problem::internal))
    }

    fn predecessors(&self, session: &LtsSession, around: &ask::Around) -> Run<Outcome> {
        let lts = session.lts();
        let to = match find(session, &around.state) {
            Ok(state) => state,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut meter = self.budget.meter();
        let mut spots = Vec::new();
        for from in lts.state_ids() {
            meter.tick()?;
            for step in lts.steps(from).iter().filter(|step| step.to == to) {
                let action = lts.text(step.label);
                spots.push((from.index(), action));
            }
        }
        let total = spots.len();
        let items = spots.into_iter().map(|(from, action)| Spot {
            changes: Some(
                Spot::of_system(to.index(), None, Some(from))
                    .changes
                    .unwrap_or_default(),
            ),
            ..Spot::of_system(from, Some(action), None)
        });
        Ok(Ok(window(around.some(), items, total)))
    }

    /// The shortest way to a state without a step, or to one with a step of some label.
    fn path(&self, session: &LtsSession, path: &ask::Path) -> Run<Outcome> {
        let lts = session.lts();
        let from = match find(session, &path.from) {
            Ok(state) => state,
            Err(problem) => return Ok(Err(problem)),
        };
        let label = match (&path.to, path.deadlock) {
            (Some(text), false) => match lts.label(text) {
                Some(label) => Some(label),
                None => {
                    let why =
                        "No label is called so. In a labelled transition system `to` is a label.";
                    return Ok(Err(Problem::wrong(why)));
                }
            },
            (None, true) => None,
            _ => {
                let why = "Say where to: either with `to` or with `deadlock`.";
                return Ok(Err(Problem::bad(why)));
            }
        };
        let found = shortest(session, from, label, self.budget)?;
        let spots = found.map(|way| {
            let mut here = from.index();
            let spots = way.into_iter().map(|(label, to)| {
                let spot = Spot::of_system(to.index(), Some(lts.text(label)), Some(here));
                here = to.index();
                spot
            });
            spots.collect()
        });
        Ok(Ok(steps(spots).into()))
    }
}

type Way = Vec<(wherefore::model::lts::LabelId, StateId)>;

/// The shortest way with a last step of some label, or to a state without a step.
fn shortest(
    session: &LtsSession,
    from: StateId,
    label: Option<wherefore::model::lts::LabelId>,
    budget: &Budget,
) -> Run<Option<Way>> {
    let lts = session.lts();
    let mut before: Vec<Option<(StateId, wherefore::model::lts::LabelId)>> =
        vec![None; lts.states()];
    let mut seen = vec![false; lts.states()];
    let mut queue = std::collections::VecDeque::from([from]);
    seen[from.index()] = true;
    let mut meter = budget.meter();
    let trace = |before: &[Option<(StateId, _)>], mut at: StateId| {
        let mut way = Vec::new();
        while let Some((from, label)) = before[at.index()] {
            way.push((label, at));
            at = from;
        }
        way.reverse();
        way
    };
    while let Some(state) = queue.pop_front() {
        let steps = lts.steps(state);
        if label.is_none() && steps.is_empty() {
            return Ok(Some(trace(&before, state)));
        }
        for step in steps {
            meter.tick()?;
            if label == Some(step.label) {
                let mut way = trace(&before, state);
                way.push((step.label, step.to));
                return Ok(Some(way));
            }
            if !std::mem::replace(&mut seen[step.to.index()], true) {
                before[step.to.index()] = Some((state, step.label));
                queue.push_back(step.to);
            }
        }
    }
    Ok(None)
}

fn successors(session: &LtsSession, around: &ask::Around) -> Outcome {
    let lts = session.lts();
    let from = find(session, &around.state)?;
    let steps = lts.steps(from);
    let items = steps.iter().map(|step| {
        let action = lts.text(step.label);
        Spot::of_system(step.to.index(), Some(action), Some(from.index()))
    });
    Ok(window(around.some(), items, steps.len()))
}

fn find(session: &LtsSession, state: &ask::State) -> Result<StateId, Problem> {
    let Some(number) = state.number() else {
        return Err(Problem::bad(
            "A state of a labelled transition system is `{\"state\": 7}`.",
        ));
    };
    match number < session.lts().states() {
        true => Ok(StateId::new(number)),
        false => Err(Problem::missing("There is no such state.")),
    }
}

/// Some of many items.
fn window(some: ask::Some, items: impl Iterator<Item = Spot>, total: usize) -> Answer {
    let window = Window {
        first: some.first(),
        total: Some(total as u64),
        items: items
            .skip(some.first())
            .take(some.count())
            .collect::<Vec<_>>(),
    };
    render(&window).into()
}
