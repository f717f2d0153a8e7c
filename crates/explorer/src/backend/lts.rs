//! Labelled transition systems.

use std::collections::{BTreeMap, VecDeque};

use wherefore_base::{Budget, Run, Stop};
use wherefore_driver::evidence::{Finding, SpaceSummary};
use wherefore_driver::model::lts::{LabelId, StateId};
use wherefore_driver::view::api;
use wherefore_driver::view::json::diagnostics;
use wherefore_driver::view::lts as view;
use wherefore_driver::view::wire::{
    AroundRequest, ListedPropertyDoc, PathRequest, RangeRequest, SpotDoc, StateRequest,
    StepsAnswer, WindowAnswer, to_line,
};
use wherefore_driver::{Answer, Ask, LtsSubject, QuestionId, Refusal, Subject, SubjectEvent};

use crate::error::RequestError;
use crate::profile::LanguageProfile;
use crate::queue::{RequestAnswer, RequestResult};
use crate::request::ModelRequest;
use crate::worker::{
    BackendResult, CheckEvent, CheckSelection, ModelBackend, ModelOverview, ModelWorker,
};

/// A labelled transition system.
pub(crate) struct LtsBackend {
    session: LtsSubject,
    space: Option<SpaceSummary>,
    findings: BTreeMap<usize, Finding>,
}

impl ModelBackend for LtsBackend {
    type Served = LtsSubject;

    fn open(
        mut session: LtsSubject,
        worker: &ModelWorker<'_>,
    ) -> Result<(Self, ModelOverview), Refusal> {
        for formula in worker.formulas() {
            session.add_formula(&formula).map_err(Refusal::Rejected)?;
        }
        let model = view::json::model(&session.report(None, &[]));
        let overview = ModelOverview {
            model: model.with_diagnostics(diagnostics(session.sources(), session.warnings())),
            variables: Vec::new(),
            source: None,
        };
        let backend = Self {
            session,
            space: None,
            findings: BTreeMap::new(),
        };
        Ok((backend, overview))
    }

    fn profile(&self) -> LanguageProfile {
        LanguageProfile::LTS
    }

    fn questions(&self) -> usize {
        self.session.properties().len()
    }

    fn unchecked(&self, first: usize, _: &Budget) -> Vec<ListedPropertyDoc> {
        let report = self.session.report(None, &[]);
        let listed = (first..self.questions()).filter_map(|property| {
            match self
                .session
                .undecided(QuestionId::new(property), Stop::Cancelled)
            {
                Answer::Finding(finding) => Some(ListedPropertyDoc::unchecked(
                    view::json::property(&report, &finding),
                    finding.property,
                )),
                Answer::Command(_) => None,
            }
        });
        listed.collect()
    }

    fn add(&mut self, text: &str) -> Result<usize, RequestError> {
        Ok(self.session.add_formula(text)?)
    }

    fn check(
        &mut self,
        selection: CheckSelection,
        worker: &ModelWorker<'_>,
        emit: &mut dyn FnMut(CheckEvent),
    ) {
        let properties = selection.first()..self.questions();
        let questions: Vec<QuestionId> = properties.map(QuestionId::new).collect();
        let Self {
            session,
            space,
            findings,
        } = self;
        let (ask, budget) = (Ask::default(), &worker.budget);
        let answered = session.answer_all(&questions, &ask, budget, &mut |event| match event {
            SubjectEvent::Space(known) => {
                let model = view::json::model(&session.report(Some(&known), &[]));
                *space = Some(known);
                emit(CheckEvent::Space(Box::new(model)));
            }
            SubjectEvent::Answer(answer) => {
                if let Answer::Finding(finding) = *answer {
                    let report = session.report(space.as_ref(), &[]);
                    let detail = api::property_of_system(worker.settings.id, &report, &finding);
                    emit(CheckEvent::answer(detail, &finding));
                    findings.insert(finding.property, *finding);
                }
            }
            _ => {}
        });
        answered.expect("a system has no meaning that could be wrong");
    }

    fn answer(&mut self, request: &ModelRequest, worker: &ModelWorker<'_>) -> BackendResult {
        let answer = match request {
            ModelRequest::Initial(some) => {
                let initial = self.session.lts().initial().index();
                let items = [api::spot_of_system(initial, None, None)];
                Ok(window(*some, items.into_iter(), 1))
            }
            ModelRequest::Successors(around) => self.successors(around),
            ModelRequest::Predecessors(around) => self.predecessors(around, &worker.budget),
            ModelRequest::Path(path) => self.path(path, &worker.budget),
            ModelRequest::Export(property, format, run) => {
                let finding = self.findings.get(property);
                let finding = finding.ok_or(RequestError::CANCELLED)?;
                let report = self.session.report(self.space.as_ref(), &[]);
                let file = format.of_system(&report, finding, *run);
                file.map(RequestAnswer::File)
            }
            _ => Err(RequestError::Internal),
        };
        Ok(answer?.into())
    }
}

impl LtsBackend {
    fn successors(&self, around: &AroundRequest) -> RequestResult {
        let lts = self.session.lts();
        let from = self.state(&around.state)?;
        let steps = lts.steps(from);
        let items = steps.iter().map(|step| {
            let action = lts.text(step.label);
            api::spot_of_system(step.to.index(), Some(action), Some(from.index()))
        });
        Ok(window(around.range(), items, steps.len()))
    }

    fn predecessors(&self, around: &AroundRequest, budget: &Budget) -> RequestResult {
        let lts = self.session.lts();
        let to = self.state(&around.state)?;
        let mut meter = budget.meter();
        let mut spots = Vec::new();
        for from in lts.state_ids() {
            meter.tick()?;
            for step in lts.steps(from).iter().filter(|step| step.to == to) {
                spots.push((from.index(), lts.text(step.label)));
            }
        }
        let total = spots.len();
        let items = spots.into_iter().map(|(from, action)| {
            let changes = api::spot_of_system(to.index(), None, Some(from)).changes;
            SpotDoc {
                changes: Some(changes.unwrap_or_default()),
                ..api::spot_of_system(from, Some(action), None)
            }
        });
        Ok(window(around.range(), items, total))
    }

    /// The shortest path to a deadlock, or to a step of some label.
    fn path(&self, path: &PathRequest, budget: &Budget) -> RequestResult {
        let lts = self.session.lts();
        let from = self.state(&path.from)?;
        let label = match (&path.to, path.deadlock) {
            (Some(text), false) => {
                let label = lts.label(text);
                Some(label.ok_or_else(|| {
                    RequestError::wrong(
                        "No label is called so. In a labelled transition system `to` is a label.",
                    )
                })?)
            }
            (None, true) => None,
            _ => {
                let why = "Say where to: either with `to` or with `deadlock`.";
                return Err(RequestError::bad(why));
            }
        };
        let found = shortest(&self.session, from, label, budget)?;
        let spots = found.map(|path| {
            let mut here = from.index();
            let spots = path.into_iter().map(|(label, to)| {
                let spot = api::spot_of_system(to.index(), Some(lts.text(label)), Some(here));
                here = to.index();
                spot
            });
            spots.collect()
        });
        Ok(to_line(&StepsAnswer { steps: spots }).into())
    }

    fn state(&self, state: &StateRequest) -> Result<StateId, RequestError> {
        let number = state.number().ok_or_else(|| {
            RequestError::bad("A state of a labelled transition system is `{\"state\": 7}`.")
        })?;
        if number >= self.session.lts().states() {
            return Err(RequestError::missing("There is no such state."));
        }
        Ok(StateId::new(number))
    }
}

/// The shortest path whose last step has some label, or to a state without a step.
fn shortest(
    session: &LtsSubject,
    from: StateId,
    label: Option<LabelId>,
    budget: &Budget,
) -> Run<Option<Vec<(LabelId, StateId)>>> {
    let lts = session.lts();
    let mut before: Vec<Option<(StateId, LabelId)>> = vec![None; lts.states()];
    let mut seen = vec![false; lts.states()];
    let mut queue = VecDeque::from([from]);
    seen[from.index()] = true;
    let mut meter = budget.meter();
    let trace = |before: &[Option<(StateId, _)>], mut at: StateId| {
        let mut path = Vec::new();
        while let Some((from, label)) = before[at.index()] {
            path.push((label, at));
            at = from;
        }
        path.reverse();
        path
    };
    while let Some(state) = queue.pop_front() {
        let steps = lts.steps(state);
        if label.is_none() && steps.is_empty() {
            return Ok(Some(trace(&before, state)));
        }
        for step in steps {
            meter.tick()?;
            if label == Some(step.label) {
                let mut path = trace(&before, state);
                path.push((step.label, step.to));
                return Ok(Some(path));
            }
            if !std::mem::replace(&mut seen[step.to.index()], true) {
                before[step.to.index()] = Some((state, step.label));
                queue.push_back(step.to);
            }
        }
    }
    Ok(None)
}

/// Some of many items.
fn window(some: RangeRequest, items: impl Iterator<Item = SpotDoc>, total: usize) -> RequestAnswer {
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
