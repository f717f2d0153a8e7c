//! Deciding that no evidence has fewer distinct transitions or states.
//!
//! An evidence is a piece of the graph: it may use what it has as often as it likes. Whether a claim can be shown with a
//! given piece is a fixpoint, and a larger piece never shows less. So the least piece is found as a least hitting set
//! (Moreno-Centeno and Karp 2013): what is left out by a piece that shows nothing, and to which nothing can be added
//! without showing it, must be hit by every evidence. If no set of fewer elements hits all that was found, there is no
//! smaller evidence.

use std::collections::HashMap;

use wherefore_base::deep;
use wherefore_logic::{Goal, Kernel, PathPattern, PathRule, Quantifier, kernel};
use wherefore_proof::{LISTED_SUCCESSORS, Measure};

use super::{Confirmed, Doubt, SentenceChecker, Surroundings};
use crate::explored::{ExploredSet, ExploredStates};

/// So many states and transitions are looked at, of all pieces together.
const MOST_WORK: usize = 20_000_000;
/// So many sets are tried that may hit everything.
const MOST_HITTING: usize = 400_000;

/// What is left out of a piece: one of these is in every evidence.
type Cut = Vec<usize>;

/// Pieces of the explored graph.
struct Pieces<'c, 'a> {
    checker: &'c SentenceChecker<'a>,
    around: &'c Surroundings,
    /// The transitions that are counted, or the states.
    elements: PieceElements,
    goal: Goal,
    starts: Vec<usize>,
    /// Whether what is claimed of every step is shown by a list of successors, if these are few. Otherwise it takes nothing.
    listed: bool,
    /// What was looked at so far.
    work: usize,
    /// How many sets were tried so far that may hit everything.
    tried: usize,
}

/// What is counted.
enum PieceElements {
    /// Distinct states.
    States,
    /// Distinct transitions: the number of the first from each state.
    Transitions(Vec<usize>),
}

/// Where goals can be shown with a piece.
type Showable = HashMap<Goal, ExploredSet>;

impl SentenceChecker<'_> {
    /// No evidence of a goal has fewer distinct states or transitions.
    pub(super) fn no_smaller_piece(
        &self,
        goal: Goal,
        measure: Measure,
        at_least: u32,
    ) -> Confirmed {
        let around = self.reachable()?;
        let skips = self.base.query.rule.skips_initial_states_without_path();
        let starts = around.initial.iter().copied();
        let starts = starts.filter(|&s| around.live[s] || !skips);
        let elements = match measure {
            Measure::States => PieceElements::States,
            _ => {
                let mut first = 0;
                let mut number = |next: &Vec<usize>| {
                    first += next.len();
                    first - next.len()
                };
                PieceElements::Transitions(around.states.next.iter().map(&mut number).collect())
            }
        };
        let mut pieces = Pieces {
            checker: self,
            around,
            elements,
            goal,
            starts: starts.collect(),
            listed: false,
            work: 0,
            tried: 0,
        };
        if pieces.smaller(at_least as usize)?.is_none() {
            return Ok(());
        }
        pieces.listed = true;
        match pieces.smaller(at_least as usize)? {
            Some(fewer) => Err(Doubt::Wrong(format!("an evidence has {fewer}"))),
            None => Err(Doubt::Unknown("a list of successors may be left out")),
        }
    }
}

impl Pieces<'_, '_> {
    /// The size of a piece with fewer elements that shows the goal, if there is one.
    fn smaller(&mut self, at_least: usize) -> Confirmed<Option<usize>> {
        let size = match self.elements {
            PieceElements::States => self.around.states.states.len(),
            PieceElements::Transitions(_) => self.around.states.next.iter().map(Vec::len).sum(),
        };
        let mut cuts: Vec<Cut> = Vec::new();
        loop {
            self.checker.base.budget.check()?;
            let mut hitting = Vec::new();
            if !self.hits(&cuts, &mut hitting, at_least - 1)? {
                return Ok(None);
            }
            let mut piece = vec![false; size];
            hitting.iter().for_each(|&element| piece[element] = true);
            if self.shows(&piece)? {
                return Ok(Some(hitting.len()));
            }
            let others: Vec<usize> = (0..size).filter(|&element| !piece[element]).collect();
            self.grow(&mut piece, &others)?;
            cuts.push((0..size).filter(|&element| !piece[element]).collect());
        }
    }

    /// Adds what can be added to a piece without showing the goal.
    fn grow(&mut self, piece: &mut ExploredSet, others: &[usize]) -> Confirmed {
        if others.is_empty() {
            return Ok(());
        }
        others.iter().for_each(|&element| piece[element] = true);
        if !self.shows(piece)? {
            return Ok(());
        }
        others.iter().for_each(|&element| piece[element] = false);
        if others.len() > 1 {
            let (some, rest) = others.split_at(others.len() / 2);
            self.grow(piece, some)?;
            self.grow(piece, rest)?;
        }
        Ok(())
    }

    /// Whether so many elements more hit every cut; which ones.
    fn hits(&mut self, cuts: &[Cut], hitting: &mut Vec<usize>, more: usize) -> Confirmed<bool> {
        self.tried += 1;
        if self.tried > MOST_HITTING {
            return Err(Doubt::Unknown("there are too many pieces"));
        }
        let missed = |cut: &&Cut| !cut.iter().any(|element| hitting.contains(element));
        let mut missed: Vec<&Cut> = cuts.iter().filter(missed).collect();
        missed.sort_by_key(|cut| cut.len());
        // Cuts that have nothing in common need an element each.
        let mut apart: Vec<&Cut> = Vec::new();
        for cut in &missed {
            let shares = |other: &&Cut| other.iter().any(|element| cut.contains(element));
            if !apart.iter().any(shares) {
                apart.push(cut);
            }
        }
        if apart.len() > more {
            return Ok(false);
        }
        let Some(first) = missed.first() else {
            return Ok(true);
        };
        for &element in *first {
            hitting.push(element);
            if self.hits(cuts, hitting, more - 1)? {
                return Ok(true);
            }
            hitting.pop();
        }
        Ok(false)
    }

    /// Whether the goal can be shown from an initial state with a piece.
    fn shows(&mut self, piece: &ExploredSet) -> Confirmed<bool> {
        let states = &self.around.states;
        let all: usize = states.next.iter().map(|next| next.len() + 1).sum();
        self.work += all * self.checker.base.query.formula.len();
        if self.work > MOST_WORK {
            return Err(Doubt::Unknown("there are too many pieces"));
        }
        let kept = |s: usize, place: usize, to: usize| match &self.elements {
            PieceElements::States => piece[s] && piece[to],
            PieceElements::Transitions(first) => piece[first[s] + place],
        };
        let next = states.next.iter().enumerate().map(|(s, next)| {
            let next = next.iter().copied().enumerate();
            let next = next.filter(|&(place, to)| kept(s, place, to));
            next.map(|(_, to)| to).collect()
        });
        let graph = states.product(0..states.states.len(), next.collect(), std::iter::empty());
        let mut known = Showable::new();
        let shown = self.showable(&graph, &mut known, self.goal)?;
        let counts = |s: usize| match &self.elements {
            PieceElements::States => piece[s],
            PieceElements::Transitions(_) => true,
        };
        Ok(self.starts.iter().any(|&s| shown[s] && counts(s)))
    }

    /// Where a goal can be shown with the steps of a piece.
    fn showable(
        &self,
        graph: &ExploredStates,
        known: &mut Showable,
        goal: Goal,
    ) -> Confirmed<ExploredSet> {
        if let Some(set) = known.get(&goal) {
            return Ok(set.clone());
        }
        let set = deep(|| self.shown_anew(graph, known, goal))?;
        known.insert(goal, set.clone());
        Ok(set)
    }

    fn shown_anew(
        &self,
        graph: &ExploredStates,
        known: &mut Showable,
        goal: Goal,
    ) -> Confirmed<ExploredSet> {
        let base = &self.checker.base;
        let truth = || -> ExploredSet {
            let truth = self.around.truth[goal.sub.index()].iter();
            truth.map(|&truth| truth == goal.holds).collect()
        };
        if base.propositional[goal.sub.index()] {
            return Ok(truth());
        }
        let asked = base.query.rule.targets_have_paths();
        let counts = |s: usize| !asked || self.around.live[s];
        match kernel(&base.query.formula, goal) {
            Kernel::State => Ok(truth()),
            Kernel::Branches(branches) => {
                let mut all = vec![false; graph.states.len()];
                for branch in branches {
                    let branch = self.all_of(graph, known, &branch)?;
                    all.iter_mut().zip(branch).for_each(|(all, is)| *all |= is);
                }
                Ok(all)
            }
            Kernel::Step(Quantifier::Exists, next) => {
                let next = self.showable(graph, known, next)?;
                Ok(graph.before(&set_of(next.len(), |s| next[s] && counts(s))))
            }
            Kernel::Step(Quantifier::Forall, next) => {
                let (truth, next) = (truth(), self.showable(graph, known, next)?);
                let all = &self.around.states.next;
                // More successors are shown together, which adds nothing to the piece.
                let listed = |s: usize| self.listed && all[s].len() <= LISTED_SUCCESSORS;
                let shown = |s: usize, to: usize| next[to] && graph.next[s].contains(&to);
                let every = |s: usize| {
                    let mut to = all[s].iter().filter(|&&to| counts(to));
                    to.all(|&to| shown(s, to))
                };
                Ok(set_of(truth.len(), |s| {
                    truth[s] && (!listed(s) || every(s))
                }))
            }
            Kernel::Path(pattern) if pattern.quantifier == Quantifier::Exists => {
                self.some_path(graph, known, &pattern)
            }
            // What is claimed of every path is shown by a region, which adds nothing to the piece.
            Kernel::Bounded(_, pattern) | Kernel::Path(pattern)
                if pattern.quantifier == Quantifier::Forall =>
            {
                Ok(truth())
            }
            Kernel::Path(_) | Kernel::Bounded(..) => {
                Err(Doubt::Unknown("runs of a given length may go round"))
            }
        }
    }

    fn all_of(
        &self,
        graph: &ExploredStates,
        known: &mut Showable,
        goals: &[Goal],
    ) -> Confirmed<ExploredSet> {
        let mut all = vec![true; graph.states.len()];
        for &goal in goals {
            let set = self.showable(graph, known, goal)?;
            all.iter_mut().zip(set).for_each(|(all, is)| *all &= is);
        }
        Ok(all)
    }

    fn some_path(
        &self,
        graph: &ExploredStates,
        known: &mut Showable,
        pattern: &PathPattern,
    ) -> Confirmed<ExploredSet> {
        let rule = match pattern.fair {
            true => PathRule::FairInfinite,
            false => self.checker.base.query.rule,
        };
        let size = graph.states.len();
        let stay = self.all_of(graph, known, &pattern.stay)?;
        let mut ends = vec![false; size];
        if let Some(goals) = &pattern.goal {
            let goals = self.all_of(graph, known, goals)?;
            let fair = pattern.fair.then(|| self.around.states.fair());
            let live = fair.as_ref().unwrap_or(&self.around.live);
            let asked = rule.targets_have_paths();
            ends = set_of(size, |s| goals[s] && (!asked || live[s]));
        }
        if pattern.weak {
            // Whether a path ends is a matter of all steps, not of those of the piece.
            let stops = |s: usize| match rule {
                PathRule::Reach => true,
                PathRule::Maximal => self.around.states.is_dead(s),
                PathRule::FairInfinite | PathRule::Plain | PathRule::PlainFair => false,
            };
            let endless = match rule {
                PathRule::Reach => vec![false; size],
                _ => graph.fair_within(&stay, rule.globally_is_fair()),
            };
            ends = set_of(size, |s| ends[s] || endless[s] || stay[s] && stops(s));
        }
        Ok(graph.reach(&stay, &ends))
    }
}

fn set_of(size: usize, is_in: impl Fn(usize) -> bool) -> ExploredSet {
    (0..size).map(is_in).collect()
}
