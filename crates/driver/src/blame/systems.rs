//! Which transitions are to blame in files that a labelled transition system is made from.
//!
//! A counterexample that rests on its runs alone stays one where a transition is changed that none of its steps takes; so only
//! transitions that every known counterexample takes are changed. Each changed network is made anew, and all properties are checked.

mod behaviour;
mod taken;

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Budget, Run, Span, Stop};
use wherefore_check::modal::solve;
use wherefore_evidence::modal::evidence;
use wherefore_evidence::{
    Blame, Finding, Mend, OccurrenceId, PlacePower, Suspect, SuspectRole, Verdict, is_broken,
};
use wherefore_lts::aut::AutPlaces;
use wherefore_lts::compose::PartMove;
use wherefore_model::lts::{LabelId, Transition};
use wherefore_model::{ChangeKind, TextChange};

use self::behaviour::{Behaviour, behaviour};
use self::taken::{TakenTransitions, lifted, move_at, rests_on_runs, slice, taken, touches};
use super::BlameEffort;
use crate::subjects::lts::LtsSubject;
use crate::subjects::lts::network::{ChangedNetwork, Network};

/// Of each property, so many counterexamples are kept to refute changes with.
const COUNTEREXAMPLES: usize = 16;
/// For each network that is made, so many changes are looked at that counterexamples seen before refute.
const LOOKS: usize = 10;
/// A state or transition of a changed network counts for so many bytes.
const BYTES: usize = 16;
/// Beyond so many states and transitions of the system nothing is tried.
const LARGEST: usize = 400_000;

/// The transitions that are to blame for each failure among the findings.
pub(crate) fn blame(
    subject: &LtsSubject,
    findings: &[Finding],
    effort: BlameEffort,
    budget: &Budget,
) -> BTreeMap<usize, Blame> {
    let failing = findings.iter().filter(|finding| {
        let evidence = finding.evidence.as_ref();
        finding.verdict == Verdict::Fails && evidence.is_some() && !is_broken(finding)
    });
    let failing: Vec<&Finding> = failing.collect();
    let size = subject.lts().states() + subject.lts().transitions();
    let Some(network) = subject.network().filter(|_| size <= LARGEST) else {
        return BTreeMap::new();
    };
    if failing.is_empty() || network.is_mute().is_some() || budget.check().is_err() {
        return BTreeMap::new();
    }
    let Some(mut search) = SystemSearch::new(subject, network, &failing) else {
        return BTreeMap::new();
    };
    budget.phase("looking for who is to blame");
    // What was found before the budget ended stays found.
    let _ = search.run(effort, budget);
    search.told()
}

/// What is changed about a transition, the smallest change first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum EditKind {
    Removal,
    Label,
    Target,
}

/// A change of one line of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct LineChange {
    kind: EditKind,
    /// The file, by number.
    file: usize,
    /// The transition, by its place in the file.
    line: usize,
    /// What stands there instead.
    instead: Option<Transition>,
}

struct SystemTarget {
    property: usize,
    /// The transitions that the counterexample takes, each with the steps that take it.
    slice: BTreeMap<PartMove, BTreeSet<OccurrenceId>>,
    /// What counterexamples that rest on their runs alone take.
    known: Vec<TakenTransitions>,
    blame: Blame,
}

/// A change that was checked, with which some property holds that fails now.
struct SystemTrial {
    change: LineChange,
    holds: BTreeSet<usize>,
    breaks: Vec<usize>,
    ends: bool,
    diverges: bool,
    loses: Vec<String>,
}

impl SystemTrial {
    fn is_costly(&self) -> bool {
        !self.breaks.is_empty() || self.ends || self.diverges
    }
}

struct SystemSearch<'a> {
    subject: &'a LtsSubject,
    network: &'a Network,
    places: Vec<AutPlaces>,
    targets: Vec<SystemTarget>,
    /// The properties that hold now, and all that are decided.
    held: BTreeSet<usize>,
    decided: BTreeSet<usize>,
    base: Behaviour,
    trials: Vec<SystemTrial>,
}

impl<'a> SystemSearch<'a> {
    fn new(subject: &'a LtsSubject, network: &'a Network, failing: &[&Finding]) -> Option<Self> {
        let places = network.components.iter().map(|component| {
            let text = subject.sources().file(component.file?).text();
            AutPlaces::of(text, &component.lts)
        });
        let places: Vec<AutPlaces> = places.collect::<Option<_>>()?;
        let targets = failing.iter().filter_map(|finding| {
            let evidence = finding.evidence.as_ref()?;
            let lift = |step| network.lift(subject.lts(), step);
            let lifted = lifted(subject.lts(), evidence, lift);
            let known = lifted.as_ref().filter(|_| rests_on_runs(evidence));
            Some(SystemTarget {
                property: finding.property,
                known: known.map(|steps| taken(steps)).into_iter().collect(),
                slice: slice(lifted.unwrap_or_default()),
                blame: Blame::default(),
            })
        });
        Some(Self {
            targets: targets.collect(),
            subject,
            network,
            places,
            held: BTreeSet::new(),
            decided: BTreeSet::new(),
            base: Behaviour::default(),
            trials: Vec::new(),
        })
    }

    /// How many changes there are of each line of a file.
    fn changes_of_a_line(&self, file: usize) -> usize {
        let lts = &self.network.components[file].lts;
        // It is left out, or has another label or another target.
        lts.labels().len() + lts.states() - 1
    }

    /// The changes of one kind of a line.
    fn changes(&self, kind: EditKind, file: usize, line: usize) -> Vec<LineChange> {
        let lts = &self.network.components[file].lts;
        let now = self.places[file].transitions[line].transition;
        let change = |instead| LineChange {
            kind,
            file,
            line,
            instead,
        };
        match kind {
            EditKind::Removal => vec![change(None)],
            EditKind::Label => {
                let others = lts.labels().ids().filter(|&label| label != now.label);
                let others = others.map(|label| Transition { label, ..now });
                others.map(|other| change(Some(other))).collect()
            }
            EditKind::Target => {
                let others = lts.state_ids().filter(|&to| to != now.to);
                let others = others.map(|to| Transition { to, ..now });
                others.map(|other| change(Some(other))).collect()
            }
        }
    }

    fn run(&mut self, effort: BlameEffort, budget: &Budget) -> Run<()> {
        let part = budget.counted(effort.listing);
        let looked = self.look_at_system(&part);
        let listing = part.questions_left().unwrap_or(0);
        // The lines that some counterexample takes, each with the targets whose counterexample may take it.
        let mut lines: Vec<(usize, usize, Vec<usize>)> = Vec::new();
        for file in 0..self.places.len() {
            let changes = self.changes_of_a_line(file);
            for line in 0..self.places[file].transitions.len() {
                let one = (file, line);
                let all = 0..self.targets.len();
                let (open, closed): (Vec<usize>, Vec<usize>) =
                    all.partition(|&target| self.is_open(target, one));
                for target in closed {
                    self.targets[target].blame.excluded += changes;
                }
                for &target in &open {
                    self.targets[target].blame.untried += changes;
                }
                if !open.is_empty() {
                    lines.push((file, line, open));
                }
            }
        }
        looked?;
        self.try_in_order(&lines, (effort, listing), budget)
    }

    /// Finds out what holds in the system as it is, and what it can do.
    fn look_at_system(&mut self, budget: &Budget) -> Run<()> {
        let lts = self.subject.lts();
        for (at, property) in self.subject.properties().iter().enumerate() {
            let solution = solve(lts, &property.question, budget)?;
            if solution.holds(property.question.system.root, lts.initial()) {
                self.held.insert(at);
            }
            self.decided.insert(at);
        }
        self.base = behaviour(lts, budget)?;
        Ok(())
    }

    /// Tries the changes of lines, the smallest kind first, until the effort is spent.
    fn try_in_order(
        &mut self,
        lines: &[(usize, usize, Vec<usize>)],
        (effort, mut listing): (BlameEffort, u64),
        budget: &Budget,
    ) -> Run<()> {
        let mut looked_at = 0;
        let (mut made, mut bytes) = (0, 0);
        for kind in [EditKind::Removal, EditKind::Label, EditKind::Target] {
            for (file, line, targets) in lines {
                let cost = self.cost(*file);
                for change in self.changes(kind, *file, *line) {
                    budget.check()?;
                    looked_at += 1;
                    if looked_at > effort.texts.saturating_mul(LOOKS) {
                        return Err(Stop::TimeOut);
                    }
                    let mut wanted = targets.clone();
                    wanted.retain(|&target| self.is_open(target, (*file, *line)));
                    if !wanted.is_empty() {
                        if made == effort.texts || bytes > effort.bytes || listing == 0 {
                            return Err(Stop::TimeOut);
                        }
                        made += 1;
                        bytes += cost;
                        let most = listing.min(effort.listing / 4);
                        let part = budget.counted(most);
                        let outcome = self.try_change(change, &wanted, &part);
                        listing -= most - part.questions_left().unwrap_or(0).min(most);
                        budget.check()?;
                        // A network that is too large for its share is given up, and others are tried.
                        if outcome.is_err() && listing == 0 {
                            return outcome;
                        }
                    }
                    for &target in targets {
                        let blame = &mut self.targets[target].blame;
                        blame.tried += 1;
                        blame.untried -= 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// How many bytes a changed network has, roughly.
    fn cost(&self, file: usize) -> usize {
        let (part, whole) = (&self.network.components[file].lts, self.subject.lts());
        let systems = [&**part, whole];
        let sizes = systems.map(|lts| lts.states() + lts.transitions());
        BYTES * (sizes[0] + sizes[1] * self.subject.properties().len().max(1))
    }

    /// Whether every known counterexample of a target may take a line.
    fn is_open(&self, target: usize, (file, line): (usize, usize)) -> bool {
        let mut known = self.targets[target].known.iter();
        known.all(|known| touches(&self.places, known, file, line))
    }

    /// Makes the network with a change and checks the properties.
    fn try_change(&mut self, change: LineChange, wanted: &[usize], budget: &Budget) -> Run<()> {
        let LineChange {
            file,
            line,
            instead,
            ..
        } = change;
        let component = &self.network.components[file].lts;
        let other = self.places[file].changed(component, line, instead);
        let Some(changed) = self.network.changed(file, &other, budget)? else {
            return Ok(());
        };
        let mut mended = false;
        let mut holds = BTreeSet::new();
        for &target in wanted {
            let property = self.targets[target].property;
            match self.ask(property, &changed, true, budget)? {
                Some(Ok(())) => {
                    mended = true;
                    holds.insert(property);
                }
                Some(Err(Some(taken))) => {
                    let known = &mut self.targets[target].known;
                    if known.len() < COUNTEREXAMPLES {
                        known.push(taken);
                    }
                }
                Some(Err(None)) => {}
                None => return Ok(()),
            }
        }
        if !mended {
            return Ok(());
        }
        let asked: BTreeSet<usize> = wanted.iter().map(|&t| self.targets[t].property).collect();
        for property in 0..self.subject.properties().len() {
            if asked.contains(&property) {
                continue;
            }
            match self.ask(property, &changed, false, budget)? {
                Some(Ok(())) => {
                    holds.insert(property);
                }
                Some(Err(_)) => {}
                None => return Ok(()),
            }
        }
        let can = behaviour(&changed.lts, budget)?;
        self.trials.push(SystemTrial {
            change,
            breaks: self.held.difference(&holds).copied().collect(),
            holds,
            ends: can.ends && !self.base.ends,
            diverges: can.diverges && !self.base.diverges,
            loses: self.base.labels.difference(&can.labels).cloned().collect(),
        });
        Ok(())
    }

    /// Whether a property holds in a changed network. Where it fails, what its counterexample takes, if that is wanted and of use;
    /// `None` where the property means nothing there.
    fn ask(
        &self,
        property: usize,
        changed: &ChangedNetwork,
        why: bool,
        budget: &Budget,
    ) -> Run<Option<Result<(), Option<TakenTransitions>>>> {
        let lts = &changed.lts;
        let Some(question) = self.subject.question_in(property, lts) else {
            return Ok(None);
        };
        let solution = solve(lts, &question, budget)?;
        if solution.holds(question.system.root, lts.initial()) {
            return Ok(Some(Ok(())));
        }
        if !why {
            return Ok(Some(Err(None)));
        }
        let evidence = evidence(lts, &question, &solution, budget)?;
        let lift = |step| self.network.lift_changed(changed, step);
        let found = lifted(lts, &evidence, lift).filter(|_| rests_on_runs(&evidence));
        let found = found.as_deref().map(taken);
        // A run over the new transition says nothing about other changes.
        let is_old = |taken: &TakenTransitions| {
            let mut moves = taken.moves.iter();
            taken.reduced.is_empty() && moves.all(|one| self.is_there(one))
        };
        Ok(Some(Err(found.filter(is_old))))
    }

    /// Whether the files have a transition as they are.
    fn is_there(&self, one: &PartMove) -> bool {
        let steps = self.network.components[one.file].lts.steps(one.from);
        let mut steps = steps.iter();
        steps.any(|step| step.label == one.label && step.to == one.to)
    }

    /// What is known about each target.
    fn told(mut self) -> BTreeMap<usize, Blame> {
        let mut told = BTreeMap::new();
        for target in std::mem::take(&mut self.targets) {
            let mut blame = target.blame.clone();
            blame.suspects = self.suspects(&target);
            told.insert(target.property, blame);
        }
        told
    }

    /// The lines that mend a property, the best first, and then those that its counterexample takes, in the order of its steps.
    fn suspects(&self, target: &SystemTarget) -> Vec<Suspect> {
        let mends = |trial: &&SystemTrial| trial.holds.contains(&target.property);
        let mut trials: Vec<&SystemTrial> = self.trials.iter().filter(mends).collect();
        trials.sort_by_key(|trial| {
            let cost = (trial.is_costly(), trial.breaks.len(), trial.loses.len());
            (cost, trial.change)
        });
        let mut lines = BTreeSet::new();
        let mut suspects = Vec::new();
        for trial in trials {
            let change = &trial.change;
            if !lines.insert((change.file, change.line)) {
                continue;
            }
            suspects.push(Suspect {
                span: self.span(change.file, change.line),
                role: match trial.is_costly() {
                    true => SuspectRole::MendsAtACost,
                    false => SuspectRole::Mends,
                },
                power: match trial.is_costly() {
                    true => PlacePower::Mends,
                    false => PlacePower::MendsAndKeeps,
                },
                hinge: None,
                steps: self.steps(target, change.file, change.line),
                mend: Some(self.mend(trial)),
            });
        }
        let mut taken: Vec<(&PartMove, &BTreeSet<OccurrenceId>)> = target.slice.iter().collect();
        taken.sort_by_key(|(one, steps)| (steps.first().copied(), **one));
        for (one, steps) in taken {
            let places = &self.places[one.file];
            let Some(line) = places.lines_of(one.from, one.label, one.to).next() else {
                continue;
            };
            if lines.insert((one.file, line)) {
                suspects.push(Suspect {
                    span: self.span(one.file, line),
                    role: SuspectRole::Hinges,
                    power: PlacePower::Open,
                    hinge: None,
                    steps: steps.iter().copied().collect(),
                    mend: None,
                });
            }
        }
        suspects
    }

    fn steps(&self, target: &SystemTarget, file: usize, line: usize) -> Vec<OccurrenceId> {
        let steps = target.slice.get(&self.move_at(file, line));
        steps.into_iter().flatten().copied().collect()
    }

    fn move_at(&self, file: usize, line: usize) -> PartMove {
        move_at(&self.places, file, line)
    }

    fn span(&self, file: usize, line: usize) -> Span {
        let place = &self.places[file].transitions[line];
        self.of_file(file, place.line.start, place.line.end)
    }

    fn of_file(&self, file: usize, start: usize, end: usize) -> Span {
        let source = self.network.components[file].file;
        Span::new(
            source.expect("files without a text are not searched"),
            start,
            end,
        )
    }

    fn mend(&self, trial: &SystemTrial) -> Mend {
        let LineChange {
            file,
            line,
            instead,
            kind,
        } = trial.change;
        let places = &self.places[file];
        let place = &places.transitions[line];
        let edit = |(start, end), text: String, kind| TextChange {
            span: self.of_file(file, start, end),
            text,
            place: self.span(file, line),
            kind,
        };
        let mut also = Vec::new();
        let change = match (kind, instead) {
            (EditKind::Label, Some(other)) => {
                let text = self.label_text(file, other.label);
                edit(
                    (place.label.start, place.label.end),
                    text,
                    ChangeKind::Value,
                )
            }
            (EditKind::Target, Some(other)) => {
                let text = other.to.index().to_string();
                edit(
                    (place.target.start, place.target.end),
                    text,
                    ChangeKind::Value,
                )
            }
            _ => {
                // The header says how many transitions there are.
                let count = (places.transitions.len() - 1).to_string();
                let at = (places.count.start, places.count.end);
                also.push(edit(at, count, ChangeKind::Value));
                edit(
                    (place.line.start, place.end),
                    String::new(),
                    ChangeKind::Dropped,
                )
            }
        };
        Mend {
            change,
            holds: trial.holds.len(),
            of: self.decided.len(),
            breaks: trial.breaks.clone(),
            open: vec![],
            vacuous: vec![],
            ends: trial.ends,
            diverges: trial.diverges,
            loses: trial.loses.clone(),
            also,
        }
    }

    /// A label as the file writes it.
    fn label_text(&self, file: usize, label: LabelId) -> String {
        let text = |at: std::ops::Range<usize>| {
            let span = self.of_file(file, at.start, at.end);
            self.subject.sources().text(span).to_string()
        };
        let mut places = self.places[file].transitions.iter();
        let place = places.find(|place| place.transition.label == label);
        place.map_or_else(String::new, |place| text(place.label.clone()))
    }
}
