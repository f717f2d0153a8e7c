//! Other evidence about a system: without the steps that somebody wants to do without, and several runs.
//!
//! Both are asked of the system without some of its steps. A proof of a claim chooses steps, or lists all of them; if
//! its chosen steps are still there, it is a proof in the smaller system, too. So where the smaller system has another
//! verdict, every evidence takes one of the steps that are gone. The converse needs a look: what is listed may be
//! incomplete, so evidence from the smaller system counts only if its replay over the whole system succeeds.

use std::collections::{BTreeSet, BinaryHeap};
use std::rc::Rc;

use wherefore_base::{Budget, Run};
use wherefore_check::modal::ModalSolution;
use wherefore_model::lts::{LabelId, Lts, ModalQuestion, StateId, Transition};
use wherefore_proof::{
    Evidence, Finding, FurtherEvidence, More, NoMore, Replay, Shape, Verdict, WishBest, WishOutcome,
};

use super::build::build;
use super::case::ModalCase;
use super::cheapest::cheapest;
use super::{evidence, investigate, label, replay, solve, state};

/// So many smaller systems are asked at most.
const MOST_SYSTEMS: usize = 400;
/// So many transitions are looked at in all smaller systems together.
const MOST_TRANSITIONS: usize = 50_000_000;

/// What evidence about a system is wanted beyond the shortest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SystemWishes {
    /// Wishes about labels, the most important one first.
    pub labels: Vec<LabelWish>,
    /// How many runs are wanted.
    pub count: usize,
    /// What tells runs apart; if there is nothing, every difference does.
    pub distinct: Vec<RunAspect>,
}

/// A wish for runs with as few steps as possible with some labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LabelWish {
    /// The wish as it was written.
    pub name: String,
    /// The labels; a step with one of them is an exception.
    pub unwanted: BTreeSet<LabelId>,
}

/// What a run is told from others by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RunAspect {
    /// The labels of its steps in order.
    Actions,
    /// Its states in order.
    States,
}

/// Everything about a question, as [`investigate`], with the evidence that is wished for.
pub fn investigate_wished(
    lts: &Lts,
    question: &ModalQuestion,
    property: usize,
    wishes: &SystemWishes,
    budget: &Budget,
) -> Finding {
    let mut finding = investigate(lts, question, property, budget);
    let wanted = wishes.count > 1 || !wishes.labels.is_empty();
    let Some(first) = finding.evidence.clone().filter(|_| wanted) else {
        return finding;
    };
    let mut work = SmallerSystems {
        lts,
        question,
        holds: finding.verdict == Verdict::Holds,
        at_least: first.minimal.at_least,
        asked: 0,
        unsure: false,
        whole: None,
        budget,
    };
    let mut gone = GoneSteps::default();
    let led = match work.led(wishes, first, &mut gone, &mut finding.wishes) {
        Ok(led) => led,
        // The shortest evidence stays.
        Err(_) => return finding,
    };
    finding.evidence = Some(led.clone());
    if wishes.count > 1 {
        finding.more = work.several(wishes, led, gone);
    }
    finding
}

/// Steps that a smaller system does not have.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct GoneSteps {
    labels: BTreeSet<LabelId>,
    steps: BTreeSet<RunStep>,
}

type RunStep = (StateId, LabelId, StateId);

struct SmallerSystems<'a> {
    lts: &'a Lts,
    question: &'a ModalQuestion,
    holds: bool,
    /// Every evidence has so many steps.
    at_least: u32,
    asked: usize,
    /// Whether something was not settled, so that there may be more.
    unsure: bool,
    /// What is true in the whole system, once somebody asks.
    whole: Option<Rc<ModalSolution>>,
    budget: &'a Budget,
}

/// What a smaller system shows.
enum Smaller {
    /// Evidence that is one of the whole system, too.
    Shown(Box<Evidence>),
    /// It has another verdict: every evidence takes a step that is gone.
    Otherwise,
    /// It has evidence, but none that is known to be one of the whole system.
    Unsure,
}

impl SmallerSystems<'_> {
    /// The evidence that serves the wishes, one after the other.
    fn led(
        &mut self,
        wishes: &SystemWishes,
        first: Evidence,
        gone: &mut GoneSteps,
        outcomes: &mut Vec<WishOutcome>,
    ) -> Run<Evidence> {
        if let Some(best) = self.cheapest(wishes, gone, outcomes)? {
            return Ok(best);
        }
        let mut best = first;
        let mut served = Vec::new();
        for wish in &wishes.labels {
            let mut without = gone.clone();
            without.labels.extend(&wish.unwanted);
            let known = match self.without(&without)? {
                Smaller::Shown(evidence) => {
                    (best, *gone) = (*evidence, without);
                    WishBest::Proved
                }
                Smaller::Otherwise => WishBest::Proved,
                Smaller::Unsure => WishBest::Open,
            };
            served.push(known);
        }
        for (at, (wish, known)) in wishes.labels.iter().zip(served).enumerate() {
            let mut outcome = self.outcome(wish, &best, at == 0);
            // One exception is the fewest if none is impossible; of more nobody knows.
            outcome.best = match outcome.turn + outcome.way {
                0 | 1 => known,
                _ => WishBest::Open,
            };
            outcomes.push(outcome);
        }
        Ok(best)
    }

    /// The evidence that serves the wishes best, if that is one run that ends.
    fn cheapest(
        &mut self,
        wishes: &SystemWishes,
        gone: &mut GoneSteps,
        outcomes: &mut Vec<WishOutcome>,
    ) -> Run<Option<Evidence>> {
        if wishes.labels.is_empty() {
            return Ok(None);
        }
        let solution = self.whole()?;
        let case = ModalCase::new(self.lts, self.question, &solution, self.holds, self.budget);
        let start = (self.question.system.root, self.lts.initial());
        let Some(run) = cheapest(&case, start, &wishes.labels)? else {
            return Ok(None);
        };
        let mut found = build(&case, run.ways.into_iter().collect())?;
        found.replay = replay(self.lts, self.question, self.holds, &found, self.budget)?;
        found.minimal.at_least = self.at_least.min(found.minimal.length);
        if found.replay != Replay::Ok {
            return Ok(None);
        }
        for (at, (wish, fewest)) in wishes.labels.iter().zip(run.exceptions).enumerate() {
            let outcome = self.outcome(wish, &found, at == 0);
            let best = match outcome.turn + outcome.way == fewest {
                true => WishBest::Proved,
                false => WishBest::Open,
            };
            // Further runs are to be as good as this one.
            if fewest == 0 {
                gone.labels.extend(&wish.unwanted);
            }
            outcomes.push(WishOutcome { best, ..outcome });
        }
        Ok(Some(found))
    }

    /// How often an evidence takes steps that somebody wants to do without.
    fn outcome(&self, wish: &LabelWish, evidence: &Evidence, first: bool) -> WishOutcome {
        let (run, back) = evidence.main_run();
        let loop_from = back.and_then(|back| run.iter().position(|&at| at == back));
        let (mut way, mut turn) = (0, 0);
        for edge in &evidence.edges {
            let avoided = label(self.lts, &edge.input).is_some_and(|l| wish.unwanted.contains(&l));
            if !avoided {
                continue;
            }
            let from = run.iter().position(|&at| at == edge.from);
            match (loop_from, from) {
                (Some(start), Some(at)) if at >= start => turn += 1,
                _ => way += 1,
            }
        }
        WishOutcome {
            name: wish.name.clone(),
            first,
            loops: loop_from.is_some(),
            idle: false,
            turn,
            way,
            best: WishBest::Open,
        }
    }

    /// Asks the system without some steps.
    fn without(&mut self, gone: &GoneSteps) -> Run<Smaller> {
        self.budget.check()?;
        self.asked += 1;
        let kept: Vec<Transition> = self
            .lts
            .all_transitions()
            .filter(|step| {
                !gone.labels.contains(&step.label)
                    && !gone.steps.contains(&(step.from, step.label, step.to))
            })
            .collect();
        // All labels stay, so that they keep their numbers.
        let labels = self.lts.labels().iter().cloned().collect();
        let smaller = Lts::new(labels, self.lts.states(), self.lts.initial(), &kept);
        let solution = solve(&smaller, self.question, self.budget)?;
        if solution.holds(self.question.system.root, smaller.initial()) != self.holds {
            return Ok(Smaller::Otherwise);
        }
        let mut found = evidence(&smaller, self.question, &solution, self.budget)?;
        self.noted(&mut found)?;
        found.replay = replay(self.lts, self.question, self.holds, &found, self.budget)?;
        // What is least among the runs that are left need not be least of all.
        found.minimal.at_least = self.at_least.min(found.minimal.length);
        Ok(match found.replay {
            Replay::Ok => Smaller::Shown(Box::new(found)),
            _ => Smaller::Unsure,
        })
    }

    /// What is true in the whole system.
    fn whole(&mut self) -> Run<Rc<ModalSolution>> {
        if let Some(whole) = &self.whole {
            return Ok(Rc::clone(whole));
        }
        let whole = Rc::new(solve(self.lts, self.question, self.budget)?);
        self.whole = Some(Rc::clone(&whole));
        Ok(whole)
    }

    /// Notes what is true at the states of an evidence in the whole system.
    fn noted(&mut self, evidence: &mut Evidence) -> Run<()> {
        let whole = self.whole()?;
        for at in evidence.occurrences.ids() {
            let occurrence = &mut evidence.occurrences[at];
            if let Some(state) = state(self.lts, &occurrence.values) {
                for sub in occurrence.truth.ids() {
                    occurrence.truth[sub] = Some(whole.holds(sub, state));
                }
            }
        }
        Ok(())
    }

    /// Further runs, the shorter ones first. Each comes from a system without one step more than the run before it took.
    fn several(&mut self, wishes: &SystemWishes, first: Evidence, gone: GoneSteps) -> More {
        if !matches!(first.shape, Shape::Path | Shape::Lasso) {
            return More {
                end: Some(NoMore::NoMainRun),
                ..More::default()
            };
        }
        let mut found: Vec<Evidence> = vec![first.clone()];
        let mut asked: BTreeSet<GoneSteps> = BTreeSet::new();
        let mut open: BinaryHeap<OpenRun> = BinaryHeap::new();
        let mut next = Some((first, gone));
        let mut stopped = false;
        while let Some((evidence, gone)) = next.take() {
            stopped = self
                .branch(&evidence, &gone, &mut asked, &mut open)
                .is_err();
            if stopped {
                break;
            }
            if let Some(run) = open.pop() {
                let key = self.key(&run.evidence, &wishes.distinct);
                let known = found.iter().any(|f| self.key(f, &wishes.distinct) == key);
                if !known {
                    found.push(run.evidence.clone());
                }
                if found.len() >= wishes.count {
                    break;
                }
                next = Some((run.evidence, run.gone));
            }
        }
        let end = match found.len() >= wishes.count {
            true => None,
            false if stopped => Some(NoMore::Stopped),
            false if self.unsure => Some(NoMore::NotWithinSearch),
            // A run that is left out takes all steps of one that was found, or is told apart from it by nothing.
            false if !wishes.distinct.is_empty() => Some(NoMore::AllDistinct),
            false => Some(NoMore::AllFound),
        };
        let others = found.into_iter().skip(1).map(|evidence| FurtherEvidence {
            evidence,
            decisions: vec![],
        });
        More {
            others: others.collect(),
            end,
            parts: vec![],
        }
    }

    /// Asks the systems that lack one step of a run more.
    fn branch(
        &mut self,
        evidence: &Evidence,
        gone: &GoneSteps,
        asked: &mut BTreeSet<GoneSteps>,
        open: &mut BinaryHeap<OpenRun>,
    ) -> Run<()> {
        for step in self.steps(evidence) {
            let mut without = gone.clone();
            without.steps.insert(step);
            if !asked.insert(without.clone()) {
                continue;
            }
            let most = MOST_TRANSITIONS / self.lts.transitions().max(1);
            if self.asked >= MOST_SYSTEMS.min(most.max(8)) {
                self.unsure = true;
                return Ok(());
            }
            match self.without(&without)? {
                Smaller::Shown(evidence) => open.push(OpenRun {
                    word: self.word(&evidence),
                    evidence: *evidence,
                    gone: without,
                }),
                Smaller::Otherwise => {}
                Smaller::Unsure => self.unsure = true,
            }
        }
        Ok(())
    }

    fn steps(&self, evidence: &Evidence) -> BTreeSet<RunStep> {
        let steps = evidence.edges.iter().filter_map(|edge| {
            let place = |at| state(self.lts, &evidence.occurrences[at].values);
            Some((
                place(edge.from)?,
                label(self.lts, &edge.input)?,
                place(edge.to)?,
            ))
        });
        steps.collect()
    }

    /// The labels and states of a run in order, and where it goes back to.
    fn word(&self, evidence: &Evidence) -> RunWord {
        let (run, back) = evidence.main_run();
        let mut actions = Vec::new();
        for edge in &evidence.edges {
            actions.extend(label(self.lts, &edge.input));
        }
        let states = run
            .iter()
            .filter_map(|&at| state(self.lts, &evidence.occurrences[at].values));
        RunWord {
            steps: actions.len(),
            actions,
            states: states.collect(),
            back: back.and_then(|back| run.iter().position(|&at| at == back)),
        }
    }

    fn key(&self, evidence: &Evidence, distinct: &[RunAspect]) -> RunWord {
        let mut word = self.word(evidence);
        if !distinct.is_empty() {
            if !distinct.contains(&RunAspect::Actions) {
                word.actions.clear();
            }
            if !distinct.contains(&RunAspect::States) {
                word.states.clear();
            }
        }
        word
    }
}

/// A run as it is compared with others: the shorter one first, then the one with the least labels.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RunWord {
    steps: usize,
    actions: Vec<LabelId>,
    states: Vec<StateId>,
    back: Option<usize>,
}

/// A run that was found in a smaller system.
struct OpenRun {
    word: RunWord,
    evidence: Evidence,
    gone: GoneSteps,
}

impl PartialEq for OpenRun {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for OpenRun {}

impl PartialOrd for OpenRun {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OpenRun {
    /// The heap gives the greatest first, so the least word is the greatest.
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let words = other.word.cmp(&self.word);
        words.then_with(|| other.gone.cmp(&self.gone))
    }
}
