//! Asking many models at a counted cost.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use wherefore_base::{Budget, Diagnostic, Run, Stop};
use wherefore_evidence::{Evidence, EvidenceOptions, Investigator, SpaceSummary, Vacuity, Verdict};
use wherefore_logic::{Op, SubId, replaced};
use wherefore_model::{Model, PropertyBody, Query};
use wherefore_space::explicit::{Explicit, ExplorationLimits};
use wherefore_space::symbolic::Symbolic;
use wherefore_space::{StateSpace, discharge};

use super::BlameEffort;
use crate::engines::{Event, Investigation, Job, OverSpace};
use crate::strategy::Strategies;

/// Where decision diagrams are too large for a changed model, its states are listed if that asks no more often than so.
const LISTED_NEXT: u64 = 2_000;

/// So many steps of work over decision diagrams count as a question whether it may go on.
const STEPS: u64 = 300;

/// What is asked of a model, and what is found out.
#[derive(Default)]
pub(super) struct Asked {
    /// The properties that decide whether the others are looked at.
    pub(super) properties: Vec<usize>,
    /// The others, which are looked at if one of these holds.
    pub(super) others: Vec<usize>,
    /// Whether it is asked of those that hold whether a part of them has no effect.
    pub(super) vacuity: bool,
    /// Those that hold with a part that has no effect, and whether they hold for want of what they speak about. What always
    /// follows needs no premise, and says something all the same.
    pub(super) vacuous: BTreeMap<usize, bool>,
    pub(super) holding: BTreeSet<usize>,
    pub(super) failing: BTreeSet<usize>,
    pub(super) counterexamples: Vec<(usize, Evidence)>,
    pub(super) space: Option<SpaceSummary>,
    /// Whether some run ends, or none counts.
    pub(super) lacks_runs: bool,
}

impl Asked {
    /// Forgets what was found out.
    pub(super) fn forget(&mut self) {
        let (properties, others) = (mem::take(&mut self.properties), mem::take(&mut self.others));
        *self = Asked {
            properties,
            others,
            vacuity: self.vacuity,
            ..Asked::default()
        };
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Space(space) => self.space = Some(space),
            Event::Finding(finding) if finding.verdict == Verdict::Holds => {
                if let Vacuity::Vacuous { .. } = finding.vacuity {
                    self.vacuous.insert(finding.property, true);
                }
                self.holding.insert(finding.property);
            }
            Event::Finding(finding) if finding.verdict == Verdict::Fails => {
                self.failing.insert(finding.property);
            }
            Event::Finding(_) | Event::Rejected(_) => {}
        }
    }
}

impl OverSpace for &mut Asked {
    type Outcome = ();

    fn over<S: StateSpace>(self, space: &S) -> Run<()> {
        let budget = space.budget().clone();
        let investigator = Investigator::new(space)?;
        if self.vacuity {
            self.ask_whole(space, self.properties.clone(), &budget)?;
            return self.look_for_premises(&investigator);
        }
        self.space = Some(investigator.summary().clone());
        self.lacks_runs = investigator.lacks_runs()?;
        let mut linear = Vec::new();
        let first = self.properties.clone();
        for (at, property) in first
            .iter()
            .chain(&self.others.clone())
            .copied()
            .enumerate()
        {
            // The others are looked at for the sake of the first ones that hold.
            if at == first.len() {
                self.ask_whole(space, mem::take(&mut linear), &budget)?;
                if self.holding.is_empty() && !first.is_empty() {
                    break;
                }
            }
            match investigator.quick_counterexample(property)? {
                Some(Ok(())) => {
                    self.holding.insert(property);
                }
                Some(Err(evidence)) => {
                    self.failing.insert(property);
                    if at < first.len() {
                        self.counterexamples.push((property, evidence));
                    }
                }
                None => linear.push(property),
            }
        }
        self.ask_whole(space, linear, &budget)
    }
}

impl Asked {
    /// Finds the properties that hold vacuously though each of their premises comes about with something to follow.
    fn look_for_premises<S: StateSpace>(&mut self, investigator: &Investigator<'_, S>) -> Run<()> {
        let checker = investigator.checker();
        let space = checker.space();
        for (&property, empty) in &mut self.vacuous {
            let PropertyBody::Query(query) = &space.model().properties[property].body else {
                continue;
            };
            let ops = query.formula.subs().map(|sub| query.formula.op(sub));
            let conclusions = ops.filter_map(|op| match op {
                Op::Implies(_, conclusion) => Some(conclusion),
                _ => None,
            });
            let conclusions: Vec<SubId> = conclusions.collect();
            *empty = conclusions.is_empty();
            for conclusion in conclusions {
                let never = Query {
                    formula: replaced(&query.formula, conclusion, false),
                    ..query.clone()
                };
                let solution = checker.solve(&never)?;
                *empty |= space.is_empty(&checker.failing(&never, &solution)?);
            }
        }
        Ok(())
    }

    /// Asks properties for more than a quick verdict: those of linear time, and whether a part has no effect.
    fn ask_whole<S: StateSpace>(
        &mut self,
        space: &S,
        properties: Vec<usize>,
        budget: &Budget,
    ) -> Run<()> {
        if properties.is_empty() {
            return Ok(());
        }
        let job = Job {
            options: EvidenceOptions {
                evidence: false,
                vacuity: self.vacuity,
                ..EvidenceOptions::default()
            },
            properties: Some(properties),
            ..Job::default()
        };
        let work = Investigation {
            job: &job,
            strategies: &Strategies::default(),
            budget,
            wanted: &|_| true,
            tell: &mut |event| self.take(event),
        };
        work.over(space)
    }
}

/// How much may still be spent.
pub(super) struct Purse {
    pub(super) budget: Budget,
    /// How often work over listed states may still ask whether to go on.
    pub(super) listing: u64,
    /// How often work over decision diagrams may.
    pub(super) diagrams: u64,
    /// How many models may be looked at in diagrams.
    pub(super) trials: usize,
    /// Whether states are too many to be listed.
    pub(super) by_diagrams: bool,
    /// How often work over one model may ask, listed and in diagrams.
    pub(super) most: (u64, u64),
}

impl Purse {
    /// What may be spent.
    pub(super) fn new(effort: BlameEffort, budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            listing: effort.listing,
            diagrams: effort.diagrams,
            trials: effort.trials,
            by_diagrams: false,
            most: (effort.listing / 4, effort.diagrams / 12),
        }
    }

    /// What may be spent on a closer look at what was found: a part of the first effort.
    pub(super) fn refill(&mut self, effort: BlameEffort) {
        self.listing = effort.listing / 4;
        self.diagrams = effort.diagrams / 4;
        self.trials = effort.trials / 4;
    }

    /// Asks a model whose meaning is right, over its states; whether there was enough for it.
    ///
    /// # Errors
    /// When the budget ended, or nothing is left to spend.
    pub(super) fn spend_on(
        &mut self,
        model: &Model,
        limits: ExplorationLimits,
        asked: &mut Asked,
    ) -> Run<bool> {
        if !self.by_diagrams {
            let most = self.most.0;
            let listed = self.list(model, limits, most, asked)?;
            return if listed || self.listing > 0 {
                Ok(listed)
            } else {
                Err(Stop::TimeOut)
            };
        }
        if self.diagrams == 0 || self.trials == 0 {
            return Err(Stop::TimeOut);
        }
        let most = self.most.1.min(self.diagrams);
        let part = self.budget.part().counted(most);
        let done = Self::in_diagrams(model, &part, asked);
        // Large diagrams take much work between two questions.
        let questions = most - part.questions_left().unwrap_or(0).min(most);
        let spent = questions.max(part.work() / STEPS);
        self.diagrams = self.diagrams.saturating_sub(spent);
        self.trials -= 1;
        self.budget.check()?;
        if done == Ok(true) {
            return Ok(true);
        }
        // A mended model may be small where the one that fails is not.
        asked.forget();
        self.list(model, limits, LISTED_NEXT.min(self.most.0), asked)
    }

    /// Asks a model by listing its states; whether `most` was enough.
    ///
    /// # Errors
    /// When the budget ended.
    pub(super) fn list(
        &mut self,
        model: &Model,
        limits: ExplorationLimits,
        most: u64,
        asked: &mut Asked,
    ) -> Run<bool> {
        let most = most.min(self.listing);
        let part = self.budget.counted(most);
        let listed = Self::listed(model, limits, &part, asked);
        self.listing -= most - part.questions_left().unwrap_or(0).min(most);
        self.budget.check()?;
        Ok(listed == Ok(true))
    }

    fn listed(
        model: &Model,
        limits: ExplorationLimits,
        part: &Budget,
        asked: &mut Asked,
    ) -> Run<bool> {
        if discharge(model, part)?.iter().any(Diagnostic::is_error) {
            return Ok(true);
        }
        match Explicit::explore_on(model, limits, 1, part)? {
            Ok(space) => asked.over(&space).map(|()| true),
            Err(_) => Ok(false),
        }
    }

    fn in_diagrams(model: &Model, part: &Budget, asked: &mut Asked) -> Run<bool> {
        if discharge(model, part)?.iter().any(Diagnostic::is_error) {
            return Ok(true);
        }
        asked.over(&Symbolic::build(model, part)?).map(|()| true)
    }
}
