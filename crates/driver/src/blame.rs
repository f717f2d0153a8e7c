//! Who is to blame for a failure: small changes of the text are tried, and those that mend it are ranked.
//!
//! A change is tried only if a counterexample could hinge on its place ([`RunHinges`]); it is read anew; a change that still
//! shows a counterexample that was seen before is dropped without a look at its states; and the verdicts of all properties are
//! found for the rest, by listing states. The effort is counted, so that the outcome is the same on every machine.

mod asked;
mod effort;
mod power;
mod suspects;
pub(crate) mod systems;
#[cfg(test)]
mod tests;

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::mem;

use wherefore_base::{Budget, Run, Span, Stop};
use wherefore_blame::{
    KnownRun, Likeness, MendGameEffort, Readers, RunHinges, TermUsers, TextPlaces, slice,
};
use wherefore_evidence::{Blame, Finding, SpaceSummary, Verdict};
use wherefore_model::{ChangeKind, Model, TextChange};
use wherefore_space::explicit::ExplorationLimits;

pub use self::effort::BlameEffort;

use self::asked::{Asked, Purse};
use crate::subjects::model::ModelSubject;

/// Of each property, so many counterexamples are kept to refute changes with.
const COUNTEREXAMPLES: usize = 16;
/// A changed model may have so many times the states of the model.
const GROWTH: u64 = 8;
/// So many mends of a property are to be known well.
const BEST: usize = 4;
/// At most so many are looked at for it.
const WEIGHED: usize = 48;
/// Beyond so many states of a model with free places nobody finds out whether they can mend.
const GAME_STATES: usize = 20_000;
/// So many tables of values are checked for a place.
const TABLES: usize = 1_000;
/// Beyond so many states of the model nothing is listed.
const MOST_STATES: usize = 200_000;
/// The states of changed models are listed if there is enough to list those of the model so many times.
const LISTINGS: u64 = 16;

/// The places that are to blame for each failure among the findings.
pub(crate) fn blame(
    subject: &ModelSubject,
    findings: &[Finding],
    effort: BlameEffort,
    budget: &Budget,
) -> BTreeMap<usize, Blame> {
    let failing: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.verdict == Verdict::Fails && finding.evidence.is_some())
        .collect();
    if failing.is_empty() || budget.check().is_err() {
        return BTreeMap::new();
    }
    let mut search = MendSearch::new(subject, &failing);
    let mut purse = Purse::new(effort, budget);
    // What was found before the budget ended stays found.
    let _ = search.run(findings, effort, &mut purse, budget);
    let mut told = search.told(effort, &purse);
    for finding in failing.into_iter().filter(|_| effort.slice) {
        let causes = finding
            .evidence
            .as_ref()
            .and_then(|e| Some((e, e.causes.as_ref()?)));
        if let (Some((evidence, causes)), Some(blame)) = (causes, told.get_mut(&finding.property)) {
            blame.slice = slice(subject.model(), evidence, causes, budget).unwrap_or_default();
        }
    }
    told
}

/// A failing property in the search.
struct Target<'a> {
    property: usize,
    /// What its counterexample asks of the model; `None` if that is more than its runs.
    hinges: Option<RunHinges<'a>>,
    counterexamples: Vec<KnownRun>,
    blame: Blame,
}

/// A change that was checked.
struct Trial {
    change: usize,
    /// The properties that hold then.
    holds: BTreeSet<usize>,
    /// How many properties are decided then.
    decided: usize,
    /// The properties that held and fail then.
    breaks: Vec<usize>,
    /// The properties that held and are not decided then.
    open: Vec<usize>,
    /// Those that hold vacuously and do not so now, if somebody looked, and whether for want of what they speak about.
    vacuous: Option<BTreeMap<usize, bool>>,
    /// Whether there are states without a successor or no runs, where there were none before.
    ends: bool,
}

impl Trial {
    /// Whether something else is worse with the change.
    fn is_costly(&self) -> bool {
        !self.breaks.is_empty() || !self.open.is_empty() || self.ends
    }
}

struct MendSearch<'a> {
    subject: &'a ModelSubject,
    targets: Vec<Target<'a>>,
    changes: Vec<TextChange>,
    /// How much likelier each change makes the text.
    gains: Vec<f64>,
    /// For each change, what reads its place.
    readers: Vec<Readers>,
    /// For each change, the targets whose counterexample may hinge on its place, by position.
    open: Vec<Vec<usize>>,
    /// For each change, whether it is known what it does: it was checked, shows a known counterexample, or is no text.
    tried: Vec<bool>,
    /// What is known of the model as it is: the properties that hold, those that are decided, and its states.
    held: BTreeSet<usize>,
    decided: BTreeSet<usize>,
    base: Option<SpaceSummary>,
    /// Whether some of its runs end, or none counts.
    lacks_runs: bool,
    trials: Vec<Trial>,
}

impl<'a> MendSearch<'a> {
    fn new(subject: &'a ModelSubject, failing: &[&Finding]) -> Self {
        let model = subject.model();
        let targets = failing.iter().filter_map(|finding| {
            let query = model.properties[finding.property].body.query()?;
            let evidence = finding.evidence.as_ref()?;
            Some(Target {
                property: finding.property,
                hinges: RunHinges::of(model, query, evidence),
                counterexamples: Vec::from_iter(KnownRun::of(
                    model,
                    Readers::default(),
                    query,
                    evidence,
                )),
                blame: Blame::default(),
            })
        });
        let targets: Vec<Target<'_>> = targets.collect();
        let text = subject.sources().file(subject.file()).text();
        let mut likeness = Likeness::new(text);
        let changes = subject.changes();
        // Further branches are many, and are looked at last.
        let gains = changes.iter().map(|change| match change.kind {
            ChangeKind::Branch => 0.0,
            _ => likeness.gain(change.span, &change.text),
        });
        let gains: Vec<f64> = gains.collect();
        Self {
            subject,
            gains,
            open: vec![Vec::new(); changes.len()],
            tried: vec![false; changes.len()],
            readers: vec![Readers::default(); changes.len()],
            changes,
            targets,
            held: BTreeSet::new(),
            decided: BTreeSet::new(),
            base: None,
            lacks_runs: false,
            trials: Vec::new(),
        }
    }

    fn run(
        &mut self,
        findings: &[Finding],
        effort: BlameEffort,
        purse: &mut Purse,
        budget: &Budget,
    ) -> Run<()> {
        // What was tried before the effort was spent is weighed all the same.
        let searched = self.search(findings, effort, purse, budget);
        purse.refill(effort);
        self.weigh(purse)?;
        searched
    }

    /// Of the best mends, finds those with which properties hold for want of what they speak about, until the first
    /// few are known to be good.
    fn weigh(&mut self, purse: &mut Purse) -> Run<()> {
        if self.trials.is_empty() {
            return Ok(());
        }
        let held = self.held.clone();
        let now = self.vacuous_in(self.subject.model(), &held, purse)?;
        for target in 0..self.targets.len() {
            let property = self.targets[target].property;
            for _ in 0..WEIGHED {
                let best = self.best_of(property);
                let mut open = best
                    .into_iter()
                    .filter(|&at| self.trials[at].vacuous.is_none());
                let Some(at) = open.next() else {
                    break;
                };
                self.trials[at].vacuous = Some(self.vacuous_with(at, &now, purse)?);
            }
        }
        Ok(())
    }

    /// The properties that hold with a part that has no effect once a change is made, and do not so `now`; all, where that
    /// is not found out.
    fn vacuous_with(
        &self,
        trial: usize,
        now: &BTreeMap<usize, bool>,
        purse: &mut Purse,
    ) -> Run<BTreeMap<usize, bool>> {
        let trial = &self.trials[trial];
        let change = &self.changes[trial.change];
        let Some(changed) = self.subject.changed(change, &purse.budget)? else {
            return Ok(BTreeMap::new());
        };
        let mut then = self.vacuous_in(changed.model(), &trial.holds, purse)?;
        then.retain(|property, _| !now.contains_key(property));
        Ok(then)
    }

    /// Which of some properties that hold in a model do so with a part that has no effect; none, where that is not found
    /// out.
    fn vacuous_in(
        &self,
        model: &Model,
        holding: &BTreeSet<usize>,
        purse: &mut Purse,
    ) -> Run<BTreeMap<usize, bool>> {
        let mut asked = Asked {
            properties: holding.iter().copied().collect(),
            vacuity: true,
            ..Asked::default()
        };
        let found = purse.spend_on(model, self.limits(), &mut asked)?;
        Ok(if found {
            asked.vacuous
        } else {
            BTreeMap::new()
        })
    }

    /// The best changes that mend a property at no cost, by their place among the trials: at most one of each line.
    fn best_of(&self, property: usize) -> Vec<usize> {
        let mends = |trial: &Trial| trial.holds.contains(&property) && !trial.is_costly();
        let mut best: Vec<usize> = (0..self.trials.len()).collect();
        best.retain(|&at| mends(&self.trials[at]));
        best.sort_by(|&a, &b| self.better(&self.trials[a], &self.trials[b]));
        let sources = self.subject.sources();
        let mut lines = BTreeSet::new();
        best.retain(|&at| {
            let change = &self.changes[self.trials[at].change];
            lines.insert(sources.place(change.span).line)
        });
        best.truncate(BEST);
        best
    }

    /// The effort of finding out which places can mend: none where the states of the model are too many to be listed.
    fn games(&self, effort: BlameEffort) -> MendGameEffort {
        let base = self.base.as_ref().map(|base| &base.states);
        let listed = base.is_some_and(|states| *states <= GAME_STATES.into());
        MendGameEffort {
            space: ExplorationLimits {
                states: GAME_STATES,
                transitions: 20 * GAME_STATES,
            },
            tables: TABLES,
            work: if listed { effort.games } else { 0 },
        }
    }

    /// How large a changed model may be.
    fn limits(&self) -> ExplorationLimits {
        let base = self.base.as_ref();
        let states = base.and_then(|base| usize::try_from(&base.states).ok());
        let most = GROWTH as usize * states.unwrap_or(MOST_STATES / 8) + 1000;
        ExplorationLimits {
            states: most,
            transitions: 20 * most,
        }
    }

    fn search(
        &mut self,
        findings: &[Finding],
        effort: BlameEffort,
        purse: &mut Purse,
        budget: &Budget,
    ) -> Run<()> {
        budget.phase("looking for who is to blame");
        let excluded = self.exclude(effort.hinges, budget);
        let mut order: Vec<usize> = (0..self.changes.len()).collect();
        order.retain(|&change| !self.open[change].is_empty());
        order.sort_by(|&a, &b| self.likelier(a, b));
        let searched = excluded.and_then(|()| self.try_in_order(&order, findings, effort, purse));
        for &change in &order {
            for &target in &self.open[change] {
                let blame = &mut self.targets[target].blame;
                match self.tried[change] {
                    true => blame.tried += 1,
                    false => blame.untried += 1,
                }
            }
        }
        searched
    }

    /// Tries changes one after the other. When nothing is left to check models with, what still shows a known counterexample
    /// is found all the same.
    fn try_in_order(
        &mut self,
        order: &[usize],
        findings: &[Finding],
        effort: BlameEffort,
        purse: &mut Purse,
    ) -> Run<()> {
        let mut checking = self.look_at_model(findings, purse);
        let (sources, file) = (self.subject.sources(), self.subject.file());
        let bytes = sources.file(file).text().len();
        let texts = effort.texts.min(effort.bytes / bytes.max(1));
        for &change in order.iter().take(texts) {
            purse.budget.check()?;
            let Some((changed, open)) = self.unrefuted(change, &purse.budget)? else {
                self.tried[change] = true;
                continue;
            };
            if checking.is_ok() {
                match self.try_change(change, &changed, &open, purse) {
                    Ok(tried) => self.tried[change] = tried,
                    Err(stop) => checking = Err(stop),
                }
            }
        }
        match order.len() > texts {
            true => Err(Stop::TimeOut),
            false => checking,
        }
    }

    /// Changes at which the search looks first: small ones, and of these the ones that fit to the text.
    fn likelier(&self, a: usize, b: usize) -> Ordering {
        let far = |change: usize| far(&self.changes[change]);
        let gain = self.gains[b].total_cmp(&self.gains[a]);
        far(a).cmp(&far(b)).then(gain).then(a.cmp(&b))
    }

    /// Finds for each change the counterexamples that may hinge on its place. Those for which that takes too long may, and
    /// so may all that are left when the budget ends.
    fn exclude(&mut self, effort: u64, budget: &Budget) -> Run<()> {
        let mut left = effort;
        let model = self.subject.model();
        let users = TermUsers::new(model);
        let places = TextPlaces::new(&users);
        let mut known: HashMap<Span, (Vec<usize>, Readers)> = HashMap::new();
        let mut stop = Ok(());
        for (at, change) in self.changes.iter().enumerate() {
            stop = stop.and_then(|()| budget.check());
            if stop.is_err() {
                self.open[at] = (0..self.targets.len()).collect();
                continue;
            }
            let (open, readers) = known.entry(change.place).or_insert_with(|| {
                let terms = places.terms(change.place);
                let targets = self.targets.iter().enumerate();
                let depends = targets.filter(|(_, target)| match (&target.hinges, &terms) {
                    (Some(hinges), Some(terms)) => {
                        let affordable = left.checked_sub(hinges.cost(terms));
                        left = affordable.unwrap_or(0);
                        affordable.is_none() || hinges.depends_on(terms)
                    }
                    _ => true,
                });
                let depends = depends.map(|(at, _)| at).collect();
                (depends, users.readers(terms.as_deref()))
            });
            self.open[at].clone_from(open);
            self.readers[at].clone_from(readers);
        }
        for (at, target) in self.targets.iter_mut().enumerate() {
            let open = self.open.iter().filter(|open| open.contains(&at)).count();
            target.blame.excluded = self.changes.len() - open;
        }
        stop
    }

    /// Finds out what holds in the model as it is.
    fn look_at_model(&mut self, findings: &[Finding], purse: &mut Purse) -> Run<()> {
        let model = self.subject.model();
        for finding in findings {
            if matches!(finding.verdict, Verdict::Holds | Verdict::Fails) {
                self.decided.insert(finding.property);
            }
            if finding.verdict == Verdict::Holds {
                self.held.insert(finding.property);
            }
        }
        let rest = (0..model.properties.len()).filter(|property| {
            !self.decided.contains(property) && model.properties[*property].body.query().is_some()
        });
        let limits = ExplorationLimits {
            states: MOST_STATES,
            transitions: 20 * MOST_STATES,
        };
        let mut asked = Asked {
            properties: rest.collect(),
            ..Asked::default()
        };
        let before = (purse.listing, purse.diagrams);
        if !purse.list(model, limits, purse.listing / LISTINGS, &mut asked)? {
            // Too many steps to list them for each change: from now on decision diagrams, which hold them all at once.
            purse.by_diagrams = true;
            asked.forget();
            purse.spend_on(model, limits, &mut asked)?;
        }
        // A changed model may cost so many times as much.
        let spent = (before.0 - purse.listing, before.1 - purse.diagrams);
        purse.most.0 = purse.most.0.min(GROWTH * spent.0 + 2_000);
        purse.most.1 = purse.most.1.min(GROWTH * spent.1 + 20_000);
        self.held.extend(&asked.holding);
        self.decided.extend(asked.holding);
        self.decided.extend(asked.failing);
        self.base = asked.space;
        self.lacks_runs = asked.lacks_runs;
        Ok(())
    }

    /// The model with a change, and the targets of which it shows no counterexample that was seen before; `None` if there is
    /// none, or if something is wrong with the text.
    fn unrefuted(&self, change: usize, budget: &Budget) -> Run<Option<(ModelSubject, Vec<usize>)>> {
        let Some(changed) = self.subject.changed(&self.changes[change], budget)? else {
            return Ok(None);
        };
        let model = changed.model();
        let comparable = self.is_comparable(model);
        let open = self.open[change].iter().copied().filter(|&target| {
            let target = &self.targets[target];
            // The newest ones come from changes much like this one.
            let mut known = target.counterexamples.iter().rev();
            model.properties[target.property]
                .body
                .query()
                .is_some_and(|query| {
                    !comparable || !known.any(|run| run.is_of(model, &self.readers[change], query))
                })
        });
        let open: Vec<usize> = open.collect();
        Ok((!open.is_empty()).then_some((changed, open)))
    }

    /// Whether values of a changed model mean what they mean in the model.
    fn is_comparable(&self, changed: &Model) -> bool {
        changed.names == self.subject.model().names
    }

    /// Checks a changed model, for the sake of some targets; whether there was enough for it.
    fn try_change(
        &mut self,
        change: usize,
        changed: &ModelSubject,
        open: &[usize],
        purse: &mut Purse,
    ) -> Run<bool> {
        let model = changed.model();
        let limits = self.limits();
        let targets: Vec<usize> = open.iter().map(|&at| self.targets[at].property).collect();
        let mut asked = Asked {
            properties: targets.clone(),
            others: self
                .decided
                .iter()
                .copied()
                .filter(|p| !targets.contains(p))
                .collect(),
            ..Asked::default()
        };
        if !purse.spend_on(model, limits, &mut asked)? {
            return Ok(false);
        }
        let comparable = self.is_comparable(model);
        for (property, evidence) in mem::take(&mut asked.counterexamples)
            .into_iter()
            .filter(|_| comparable)
        {
            let query = model.properties[property].body.query();
            let Some(run) = query.and_then(|query| {
                KnownRun::of(model, self.readers[change].clone(), query, &evidence)
            }) else {
                continue;
            };
            let target = self
                .targets
                .iter_mut()
                .find(|target| target.property == property);
            if let Some(target) = target.filter(|t| t.counterexamples.len() < COUNTEREXAMPLES) {
                target.counterexamples.push(run);
            }
        }
        if targets.iter().any(|target| asked.holding.contains(target)) {
            let held = self.held.iter().copied();
            let (breaks, rest): (Vec<usize>, Vec<usize>) =
                held.partition(|property| asked.failing.contains(property));
            let known = |property: &usize| asked.holding.contains(property);
            self.trials.push(Trial {
                change,
                decided: asked.holding.len() + asked.failing.len(),
                breaks,
                open: rest
                    .into_iter()
                    .filter(|property| !known(property))
                    .collect(),
                holds: asked.holding,
                vacuous: None,
                ends: asked.lacks_runs && !self.lacks_runs,
            });
        }
        Ok(true)
    }

    /// Which of two changes is the better mend.
    fn better(&self, a: &Trial, b: &Trial) -> Ordering {
        let cost = |trial: &Trial| {
            // What holds for want of what it speaks about is not kept.
            let vacuous = trial.vacuous.iter().flat_map(BTreeMap::values);
            let kept = trial.holds.len() - vacuous.filter(|&&empty| empty).count();
            // A branch can do much: that it does says less about where the slip is.
            let adds = self.changes[trial.change].kind == ChangeKind::Branch;
            (trial.is_costly(), adds, Reverse(kept))
        };
        cost(a)
            .cmp(&cost(b))
            .then(self.likelier(a.change, b.change))
    }
}

/// The kind of a change; `None` for all that are a slip of the pen, one token for another.
fn far(change: &TextChange) -> Option<ChangeKind> {
    (change.kind >= ChangeKind::Choice).then_some(change.kind)
}
