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

use super::{evidence, investigate, label, replay, solve, state};

/// So many smaller systems are asked at most.
const MOST_SYSTEMS: usize = 400;
/// So many transitions are looked at in all smaller systems together.
const MOST_TRANSITIONS: usize = 50_000_000;

/// What evidence about a system is wanted beyond the shortest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SystemWishes {
    /// Labels to do without, the most important wish first.
    pub avoid: Vec<AvoidedLabels>,
    /// How many runs are wanted.
    pub count: usize,
    /// What tells runs apart; if there is nothing, every difference does.
    pub distinct: Vec<RunAspect>,
}

/// Labels that a run should do without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AvoidedLabels {
    /// The wish as it was written.
    pub name: String,
    /// The labels.
    pub labels: Vec<LabelId>,
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
    let wanted = wishes.count > 1 || !wishes.avoid.is_empty();
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
        let mut best = first;
        let mut served = Vec::new();
        for wish in &wishes.avoid {
            let mut without = gone.clone();
            without.labels.extend(&wish.labels);
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
        for (at, (wish, known)) in wishes.avoid.iter().zip(served).enumerate() {
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

    /// How often an evidence takes steps that somebody wants to do without.
    fn outcome(&self, wish: &AvoidedLabels, evidence: &Evidence, first: bool) -> WishOutcome {
        let (run, back) = evidence.main_run();
        let loop_from = back.and_then(|back| run.iter().position(|&at| at == back));
        let (mut way, mut turn) = (0, 0);
        for edge in &evidence.edges {
            let avoided = label(self.lts, &edge.input).is_some_and(|l| wish.labels.contains(&l));
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

    /// Notes what is true at the states of an evidence in the whole system.
    fn noted(&mut self, evidence: &mut Evidence) -> Run<()> {
        let whole = match &self.whole {
            Some(whole) => Rc::clone(whole),
            None => {
                let whole = Rc::new(solve(self.lts, self.question, self.budget)?);
                self.whole = Some(Rc::clone(&whole));
                whole
            }
        };
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
            false if self.unsure || !wishes.distinct.is_empty() => Some(NoMore::NotWithinSearch),
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
