//! The clerk of a labelled transition system.

use std::collections::BTreeMap;

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::evidence::{Finding, SpaceSummary};
use wherefore_driver::model::lts::StateId;
use wherefore_driver::subjects::lts::LtsReading;
use wherefore_driver::view::api;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::lts as view;
use wherefore_driver::view::wire::{
    AbilityName, AroundRequest, ListedPropertyDoc, PathRequest, RangeRequest, SpotDoc,
    StateRequest, StepsAnswer, WindowAnswer, to_line,
};
use wherefore_driver::{LtsSubject, QuestionId, Refusal, Subject, SubjectEvent};

use crate::ask::Ask;
use crate::clerk::{Answer, Job, Outcome};
use crate::problem::Problem;
use crate::shift::{Clerk, Shift};

/// Who has a labelled transition system at hand.
pub(crate) struct Systems {
    session: LtsSubject,
    space: Option<SpaceSummary>,
    findings: BTreeMap<usize, Finding>,
}

impl Clerk for Systems {
    fn open(shift: &Shift<'_>) -> Result<Self, Refusal> {
        let files = &shift.plan.files;
        let reading = LtsReading::default();
        let mut session = LtsSubject::open(&files.path, &files.properties, &reading, shift.budget)?;
        for formula in shift.formulas() {
            session.add_formula(&formula).map_err(Refusal::Rejected)?;
        }
        let report = session.report(None, &[]);
        let model = view::json::model(&report)
            .with_diagnostics(diagnostics(session.sources(), session.warnings()));
        let properties = 0..session.properties().len();
        let listed = properties.map(|property| {
            let question = QuestionId::new(property);
            let wherefore_driver::Answer::Finding(finding) =
                session.undecided(question, Stop::Cancelled)
            else {
                unreachable!("a property has a finding");
            };
            ListedPropertyDoc::unchecked(view::json::property(&report, &finding), finding.property)
        });
        let listed = listed.collect();
        shift.board.write(|notes| {
            // After memory ran out, what was found out before stays found.
            if notes.is_blank() {
                notes.entry.tell(model, listed);
            }
            notes.entry.abilities = vec![AbilityName::States, AbilityName::Debug];
        });
        Ok(Self {
            session,
            space: None,
            findings: BTreeMap::new(),
        })
    }

    fn serve(&mut self, shift: &Shift<'_>, job: Job<Ask>) -> Run<()> {
        shift.answer(job, |ask| self.answer(shift, ask))
    }
}

impl Systems {
    fn answer(&mut self, shift: &Shift<'_>, ask: &Ask) -> Run<Outcome> {
        let session = &self.session;
        let known = |property: usize| property < session.properties().len();
        if ask.property().is_some_and(|property| !known(property)) {
            return Ok(Err(Problem::missing("There is no such property.")));
        }
        match ask {
            Ask::Check => shift.check(|| self.check(shift)),
            Ask::Add(text) => self.add(shift, text),
            Ask::Initial(some) => {
                let initial = session.lts().initial().index();
                let items = vec![api::spot_of_system(initial, None, None)];
                Ok(Ok(window(*some, items.into_iter(), 1)))
            }
            Ask::Successors(around) => Ok(successors(session, around)),
            Ask::Predecessors(around) => self.predecessors(around, shift.budget),
            Ask::Path(path) => self.path(path, shift.budget),
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
            | Ask::Value(..)
            | Ask::Instance(..)
            | Ask::Blocked(_) => {
                let why =
                    "This is for models with variables, and a labelled transition system has none.";
                Ok(Err(Problem::unsupported(why)))
            }
        }
    }

    /// Checks all properties, and writes what is found out on the board.
    fn check(&mut self, shift: &Shift<'_>) {
        let Self {
            session,
            space,
            findings,
        } = self;
        let all: Vec<_> = session.questions().ids().collect();
        let answered =
            session.answer_all(
                &all,
                &Default::default(),
                shift.budget,
                &mut |event| match event {
                    SubjectEvent::Space(known) => {
                        let model = view::json::model(&session.report(Some(&known), &[]));
                        shift.board.write(|notes| notes.entry.tell_space(model));
                        *space = Some(known);
                    }
                    SubjectEvent::Answer(answer) => {
                        if let wherefore_driver::Answer::Finding(finding) = *answer {
                            tell(shift, session, space.as_ref(), &finding);
                            findings.insert(finding.property, finding);
                        }
                    }
                    _ => {}
                },
            );
        answered.expect("a system has no meaning that could be wrong");
    }

    fn add(&mut self, shift: &Shift<'_>, text: &str) -> Run<Outcome> {
        let first = match self.session.add_formula(text) {
            Ok(first) => first,
            Err(rejected) => return Ok(Err(Problem::rejected(&rejected))),
        };
        shift
            .board
            .write(|notes| notes.added.push(text.to_string()));
        for property in first..self.session.properties().len() {
            let finding = self.session.check(property, shift.budget);
            tell(shift, &self.session, self.space.as_ref(), &finding);
            self.findings.insert(property, finding);
        }
        shift.budget.check()?;
        let detail = shift.board.read().detail(first);
        Ok(detail.map(Answer::Document).ok_or_else(Problem::internal))
    }

    fn predecessors(&self, around: &AroundRequest, budget: &Budget) -> Run<Outcome> {
        let lts = self.session.lts();
        let to = match find(&self.session, &around.state) {
            Ok(state) => state,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut meter = budget.meter();
        let mut spots = Vec::new();
        for from in lts.state_ids() {
            meter.tick()?;
            for step in lts.steps(from).iter().filter(|step| step.to == to) {
                let action = lts.text(step.label);
                spots.push((from.index(), action));
            }
        }
        let total = spots.len();
        let items = spots.into_iter().map(|(from, action)| SpotDoc {
            changes: Some(
                api::spot_of_system(to.index(), None, Some(from))
                    .changes
                    .unwrap_or_default(),
            ),
            ..api::spot_of_system(from, Some(action), None)
        });
        Ok(Ok(window(around.range(), items, total)))
    }

    /// The shortest way to a state without a step, or to one with a step of some label.
    fn path(&self, path: &PathRequest, budget: &Budget) -> Run<Outcome> {
        let lts = self.session.lts();
        let from = match find(&self.session, &path.from) {
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
        let found = shortest(&self.session, from, label, budget)?;
        let spots = found.map(|way| {
            let mut here = from.index();
            let spots = way.into_iter().map(|(label, to)| {
                let spot = api::spot_of_system(to.index(), Some(lts.text(label)), Some(here));
                here = to.index();
                spot
            });
            spots.collect()
        });
        Ok(Ok(to_line(&StepsAnswer { steps: spots }).into()))
    }
}

/// Writes what was found out about a property on the board.
fn tell(shift: &Shift<'_>, session: &LtsSubject, space: Option<&SpaceSummary>, finding: &Finding) {
    let report = session.report(space, &[]);
    let detail = api::property_of_system(shift.plan.id, &report, finding);
    let listed = api::listed(detail.property.clone(), finding, detail.told.as_ref());
    shift.tell(listed, &detail);
}

type Way = Vec<(wherefore_driver::model::lts::LabelId, StateId)>;

/// The shortest way with a last step of some label, or to a state without a step.
fn shortest(
    session: &LtsSubject,
    from: StateId,
    label: Option<wherefore_driver::model::lts::LabelId>,
    budget: &Budget,
) -> Run<Option<Way>> {
    let lts = session.lts();
    let mut before: Vec<Option<(StateId, wherefore_driver::model::lts::LabelId)>> =
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

fn successors(session: &LtsSubject, around: &AroundRequest) -> Outcome {
    let lts = session.lts();
    let from = find(session, &around.state)?;
    let steps = lts.steps(from);
    let items = steps.iter().map(|step| {
        let action = lts.text(step.label);
        api::spot_of_system(step.to.index(), Some(action), Some(from.index()))
    });
    Ok(window(around.range(), items, steps.len()))
}

fn find(session: &LtsSubject, state: &StateRequest) -> Result<StateId, Problem> {
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
fn window(some: RangeRequest, items: impl Iterator<Item = SpotDoc>, total: usize) -> Answer {
    let window = WindowAnswer {
        first: some.first(),
        total: Some(total as u64),
        items: items
            .skip(some.first())
            .take(some.count())
            .collect::<Vec<_>>(),
    };
    to_line(&window).into()
}
