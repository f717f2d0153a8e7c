//! Exact search for the evidence with the fewest distinct states or transitions.
//!
//! An evidence may use what it has as often as it likes, so this is a search for a small piece of the
//! graph in which the claim can be shown, and a hard one (with several goals it is a Steiner tree). It
//! goes by what is left to show: the first open claim is shown in every possible way, each way adds its
//! transitions to the piece and its premises to what is open. What a way does not add costs nothing,
//! and a run that meets a claim shown already ends there. Pieces are searched by size, one after the
//! other, so that a search that is cut short still knows a size below which there is none; whatever
//! cannot be completed within the size is cut, by the distance of the nearest end of the open run from
//! the piece.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::deep;
use wherefore_logic::{Goal, Kernel, Quantifier};
use wherefore_proof::{Claim, LISTED_SUCCESSORS, Measure};
use wherefore_space::{Rings, StateSpace};

use crate::case::{Finite, PathCase, ProofCase};
use crate::fragment::{FragmentSpot, SearchHalt, SearchLimits, SpaceFragment};
use crate::piece::{GraphPiece, PieceMove, PieceWalk, WalkEnd};

/// What is counted once, however often it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Distinct {
    States,
    Transitions,
}

impl Distinct {
    /// The measure that counts this.
    pub(crate) fn measure(self) -> Measure {
        match self {
            Distinct::States => Measure::States,
            Distinct::Transitions => Measure::Transitions,
        }
    }

    /// The size of an evidence that is one state.
    pub(crate) fn smallest(self) -> u32 {
        match self {
            Distinct::States => 1,
            Distinct::Transitions => 0,
        }
    }
}

/// What is known of the least size.
pub(crate) struct SmallestPiece<T> {
    /// No evidence is smaller than this.
    pub(crate) at_least: u32,
    /// The best evidence of that size, if it was found.
    pub(crate) piece: Option<GraphPiece<T>>,
}

impl<T> SmallestPiece<T> {
    /// Nothing is known but that evidence has a state.
    pub(crate) fn unknown(distinct: Distinct) -> Self {
        Self {
            at_least: distinct.smallest(),
            piece: None,
        }
    }
}

/// The smallest evidence for a claim that is so at the starts, which are in order. `known` is the size
/// of one that is known.
pub(crate) fn smallest<S: StateSpace>(
    case: &ProofCase<'_, '_, S>,
    claim: Claim,
    distinct: Distinct,
    starts: &[S::State],
    known: u32,
    limits: SearchLimits,
) -> Result<SmallestPiece<S::State>, SearchHalt> {
    let mut hunt = Hunt {
        case,
        fragment: SpaceFragment::new(case.space, limits, None),
        distinct,
        limit: distinct.smallest(),
        states: FxHashMap::default(),
        steps: FxHashMap::default(),
        distances: FxHashMap::default(),
        piece: GraphPiece::default(),
        best: None,
        first: true,
    };
    let spots: Vec<FragmentSpot> = starts.iter().map(|s| hunt.fragment.spot(s)).collect();
    // The limit ends at the least size: that of a piece, or the known one when nothing is smaller.
    while hunt.best.is_none() && hunt.limit < known {
        match hunt.start_in_each(claim, &spots) {
            Ok(()) if hunt.best.is_none() => hunt.limit += 1,
            Ok(()) => {}
            Err(SearchHalt::Exhausted) => {
                return Ok(SmallestPiece {
                    at_least: hunt.limit,
                    piece: None,
                });
            }
            Err(stop) => return Err(stop),
        }
    }
    // The size is known. Of all evidence of that size take the best, as far as the search gets.
    hunt.first = false;
    hunt.clear();
    hunt.fragment.start_anew();
    match hunt.start_in_each(claim, &spots) {
        Ok(()) | Err(SearchHalt::Exhausted) => {}
        Err(stop) => return Err(stop),
    }
    let piece = hunt.best.take();
    Ok(SmallestPiece {
        at_least: hunt.limit,
        piece: piece.map(|piece| piece.with_states(|spot| hunt.fragment.state(spot).clone())),
    })
}

/// What is left to show, the next first.
type OpenPiece = Option<Rc<Claims>>;

struct Claims {
    claim: Claim,
    at: FragmentSpot,
    rest: OpenPiece,
}

/// How far each state is from the nearest end of a run of a claim.
type PieceDistances = FxHashMap<(Claim, FragmentSpot), Option<u32>>;

fn distance<S: StateSpace>(
    distances: &mut PieceDistances,
    fragment: &SpaceFragment<'_, S>,
    way: &PieceWay<'_, S>,
    spot: FragmentSpot,
) -> Option<u32> {
    let distance = || way.path.rings.distance(fragment.state(spot));
    *distances.entry((way.claim, spot)).or_insert_with(distance)
}

struct Hunt<'c, 'k, 's, S: StateSpace> {
    case: &'c ProofCase<'k, 's, S>,
    fragment: SpaceFragment<'s, S>,
    distinct: Distinct,
    /// Pieces larger than this are not looked for.
    limit: u32,
    /// The states of the piece, each with how often it was added; and its transitions.
    states: FxHashMap<FragmentSpot, u32>,
    steps: FxHashMap<(FragmentSpot, FragmentSpot), u32>,
    distances: PieceDistances,
    /// How the claims met so far are shown.
    piece: GraphPiece<FragmentSpot>,
    best: Option<GraphPiece<FragmentSpot>>,
    /// Whether the first piece will do.
    first: bool,
}

impl<S: StateSpace> Hunt<'_, '_, '_, S> {
    fn start_in_each(&mut self, claim: Claim, starts: &[FragmentSpot]) -> Result<(), SearchHalt> {
        for &start in starts {
            self.clear();
            self.states.insert(start, 1);
            self.piece.start = Some(start);
            self.show(open(claim, start, None))?;
            if self.first && self.best.is_some() {
                break;
            }
        }
        Ok(())
    }

    /// Forgets the piece, which a search that was cut short leaves as it is.
    fn clear(&mut self) {
        self.states.clear();
        self.steps.clear();
        self.piece = GraphPiece::default();
    }

    fn size(&self) -> u32 {
        let size = match self.distinct {
            Distinct::States => self.states.len(),
            Distinct::Transitions => self.steps.len(),
        };
        u32::try_from(size).unwrap_or(u32::MAX)
    }

    /// Whether the search may end.
    fn is_done(&self) -> bool {
        self.first && self.best.is_some()
    }

    fn add(&mut self, from: FragmentSpot, to: FragmentSpot) {
        *self.states.entry(to).or_insert(0) += 1;
        *self.steps.entry((from, to)).or_insert(0) += 1;
        self.piece.changes += self.fragment.changes(from, to);
        self.piece.length += 1;
    }

    fn take_back(&mut self, from: FragmentSpot, to: FragmentSpot) {
        less(&mut self.states, to);
        less(&mut self.steps, (from, to));
        self.piece.changes -= self.fragment.changes(from, to);
        self.piece.length -= 1;
    }

    /// Shows what is open, in every way that stays within the limit.
    fn show(&mut self, todo: OpenPiece) -> Result<(), SearchHalt> {
        self.fragment.visit()?;
        if self.size() > self.limit || self.is_done() {
            return Ok(());
        }
        let Some(next) = todo else {
            self.keep_better();
            return Ok(());
        };
        let (claim, at) = (next.claim, next.at);
        let rest = next.rest.clone();
        let Claim::Formula(goal, _) = claim else {
            return self.show(rest);
        };
        if !self.case.adds_states(goal) || self.piece.moves.contains_key(&(claim, at)) {
            return deep(|| self.show(rest));
        }
        deep(|| match self.case.kernel(goal) {
            Kernel::State => self.show(rest),
            Kernel::Branches(branches) => self.show_branch(claim, &branches, at, &rest),
            Kernel::Step(Quantifier::Exists, next) => self.show_step(claim, next, at, &rest),
            Kernel::Step(Quantifier::Forall, next) => self.show_every_step(claim, next, at, &rest),
            Kernel::Path(pattern) | Kernel::Bounded(_, pattern)
                if pattern.quantifier == Quantifier::Forall =>
            {
                // A region shows it, and a region adds nothing to the piece.
                self.show(rest)
            }
            Kernel::Path(_) => {
                let path = self.case.path(claim)?;
                let mut way = PieceWay {
                    claim,
                    path: &path,
                    spots: vec![at],
                    home: None,
                };
                self.walk(&mut way, &rest)
            }
            // Runs of a given length may go round in what they have: they are not searched.
            Kernel::Bounded(..) => Err(SearchHalt::Exhausted),
        })
    }

    fn show_branch(
        &mut self,
        claim: Claim,
        branches: &[Vec<Goal>],
        at: FragmentSpot,
        rest: &OpenPiece,
    ) -> Result<(), SearchHalt> {
        for (number, goals) in branches.iter().enumerate() {
            let state = self.fragment.state(at);
            if goals.iter().all(|&goal| self.case.is_so(goal, state)) {
                self.piece
                    .moves
                    .insert((claim, at), PieceMove::Branch(number));
                self.show(open_all(goals, at, rest.clone()))?;
                self.piece.moves.remove(&(claim, at));
            }
        }
        Ok(())
    }

    fn show_step(
        &mut self,
        claim: Claim,
        next: Goal,
        at: FragmentSpot,
        rest: &OpenPiece,
    ) -> Result<(), SearchHalt> {
        let target = self.case.set(next)?;
        let live = self.case.live()?;
        let space = self.case.space;
        for &to in self.fragment.next(at)?.iter() {
            let state = self.fragment.state(to);
            if space.contains(&target, state) && space.contains(live, state) {
                self.add(at, to);
                self.piece.moves.insert((claim, at), PieceMove::Step(to));
                self.show(open(Claim::Formula(next, None), to, rest.clone()))?;
                self.piece.moves.remove(&(claim, at));
                self.take_back(at, to);
            }
        }
        Ok(())
    }

    fn show_every_step(
        &mut self,
        claim: Claim,
        next: Goal,
        at: FragmentSpot,
        rest: &OpenPiece,
    ) -> Result<(), SearchHalt> {
        let live = self.case.live()?;
        let after = self.fragment.next(at)?;
        if after.len() > LISTED_SUCCESSORS {
            // Too many successors are shown by a region, which adds nothing to the piece.
            return self.show(rest.clone());
        }
        let listed = |to: &FragmentSpot| self.case.space.contains(live, self.fragment.state(*to));
        let listed: Vec<FragmentSpot> = after.iter().copied().filter(listed).collect();
        let mut todo = rest.clone();
        // Claims are pushed in reverse, so that the first successor is shown first.
        for &to in listed.iter().rev() {
            self.add(at, to);
            todo = open(Claim::Formula(next, None), to, todo);
        }
        self.piece.moves.insert((claim, at), PieceMove::EveryStep);
        self.show(todo)?;
        self.piece.moves.remove(&(claim, at));
        for &to in &listed {
            self.take_back(at, to);
        }
        Ok(())
    }

    /// Goes on with a run in every way.
    fn walk(&mut self, way: &mut PieceWay<'_, S>, rest: &OpenPiece) -> Result<(), SearchHalt> {
        self.fragment.visit()?;
        if self.size() > self.limit || self.is_done() {
            return Ok(());
        }
        if way.home.is_some() {
            return self.go_round(way, rest);
        }
        if self.size() + self.missing(way) > self.limit {
            return Ok(());
        }
        let space = self.case.space;
        let path = way.path;
        let at = way.last();
        if way.spots.len() > 1 && self.piece.moves.contains_key(&(way.claim, at)) {
            return self.end(way, WalkEnd::Joins, rest);
        }
        let state = self.fragment.state(at).clone();
        if space.contains(&path.sets.goal, &state) {
            self.end(way, WalkEnd::Goal, rest)?;
            let goals = path.pattern.goal.iter().flatten();
            // Going on past a goal can pay only where the goal itself adds states.
            if !goals.into_iter().any(|&goal| self.case.adds_states(goal)) {
                return Ok(());
            }
        }
        if !space.contains(&path.sets.stay, &state) {
            return Ok(());
        }
        if path.pattern.weak {
            match path.finite {
                Finite::Anywhere => return self.end(way, WalkEnd::Stop, rest),
                Finite::InDeadlock if space.contains(self.case.checker.dead()?, &state) => {
                    return self.end(way, WalkEnd::Deadlock, rest);
                }
                _ => {}
            }
            if space.contains(&path.sets.endless, &state) {
                let met = self.met(path, at)?;
                way.home = Some(Home {
                    position: way.spots.len() - 1,
                    turns: vec![(at, met)],
                });
                self.walk(way, rest)?;
                way.home = None;
            }
        }
        for &next in self.fragment.next(at)?.iter() {
            // A stem that passes a state twice can be cut short, so simple ones are enough.
            if self.distance(way, next).is_some() && !way.spots.contains(&next) {
                self.add(at, next);
                way.spots.push(next);
                deep(|| self.walk(way, rest))?;
                way.spots.pop();
                self.take_back(at, next);
            }
        }
        Ok(())
    }

    /// Goes on with the loop of a run in every way. No place is passed twice with the same constraints
    /// met.
    fn go_round(&mut self, way: &mut PieceWay<'_, S>, rest: &OpenPiece) -> Result<(), SearchHalt> {
        let at = way.last();
        let path = way.path;
        for &next in self.fragment.next(at)?.iter() {
            self.fragment.visit()?;
            let home = way.home.as_mut().expect("a loop has a home");
            let (first, _) = home.turns[0];
            let (_, met) = *home.turns.last().expect("a loop has a first state");
            if next == first && self.case.is_fair(path, met) {
                let position = home.position;
                self.add(at, next);
                self.end(way, WalkEnd::Loop(position), rest)?;
                self.take_back(at, next);
                continue;
            }
            let state = self.fragment.state(next);
            if !self.case.space.contains(&path.sets.endless, state) {
                continue;
            }
            let turn = (next, met | self.met(path, next)?);
            let home = way.home.as_mut().expect("a loop has a home");
            if home.turns.contains(&turn) {
                continue;
            }
            home.turns.push(turn);
            way.spots.push(next);
            self.add(at, next);
            deep(|| self.walk(way, rest))?;
            self.take_back(at, next);
            way.spots.pop();
            let home = way.home.as_mut().expect("a loop has a home");
            home.turns.pop();
        }
        Ok(())
    }

    /// How many states, and transitions, the piece lacks at least for a run of this pattern: after the
    /// last state of the piece on it, all are new.
    fn missing(&mut self, way: &PieceWay<'_, S>) -> u32 {
        let Self {
            states,
            distances,
            fragment,
            ..
        } = self;
        let spots = states.keys();
        let distances = spots.filter_map(|&spot| distance(distances, fragment, way, spot));
        distances.min().unwrap_or(0)
    }

    fn distance(&mut self, way: &PieceWay<'_, S>, spot: FragmentSpot) -> Option<u32> {
        distance(&mut self.distances, &self.fragment, way, spot)
    }

    /// Ends a run, and shows the rest and what the run rests on.
    fn end(
        &mut self,
        way: &PieceWay<'_, S>,
        end: WalkEnd,
        rest: &OpenPiece,
    ) -> Result<(), SearchHalt> {
        let pattern = &way.path.pattern;
        let number = self.piece.walks.len();
        let mut todo = rest.clone();
        let mut new = Vec::new();
        for (position, &spot) in way.spots.iter().enumerate() {
            let last = position + 1 == way.spots.len();
            let key = (way.claim, spot);
            // A loop may pass a state twice, or one that is shown already: the first move there stands.
            if let Entry::Vacant(entry) = self.piece.moves.entry(key) {
                entry.insert(PieceMove::Walk(number, position));
                new.push(key);
            }
            match end {
                WalkEnd::Goal if last => {
                    let goals = pattern.goal.as_deref().unwrap_or_default();
                    todo = open_all(goals, spot, todo);
                }
                // What the joined node rests on is shown already, or is open already.
                WalkEnd::Joins if last => {}
                _ => todo = open_all(&pattern.stay, spot, todo),
            }
        }
        let prefix = match end {
            WalkEnd::Loop(position) => position,
            _ => way.spots.len() - 1,
        };
        self.piece.prefix += prefix;
        self.piece.walks.push(PieceWalk {
            spots: way.spots.clone(),
            end,
        });
        self.show(todo)?;
        self.piece.walks.pop();
        self.piece.prefix -= prefix;
        for key in new {
            self.piece.moves.remove(&key);
        }
        Ok(())
    }

    fn keep_better(&mut self) {
        let better = match &self.best {
            None => true,
            Some(best) => self
                .piece
                .compare(best, |a, b| {
                    self.fragment.state(a).cmp(self.fragment.state(b))
                })
                .is_lt(),
        };
        if better {
            self.best = Some(self.piece.clone());
        }
    }

    fn met(&self, path: &PathCase<S>, spot: FragmentSpot) -> Result<u64, SearchHalt> {
        self.case
            .met(path, self.fragment.state(spot))
            .ok_or(SearchHalt::Exhausted)
    }
}

/// A run on its way.
struct PieceWay<'p, S: StateSpace> {
    claim: Claim,
    path: &'p PathCase<S>,
    spots: Vec<FragmentSpot>,
    home: Option<Home>,
}

/// Where the loop of a run starts, and its places so far with the constraints met on the way.
struct Home {
    position: usize,
    turns: Vec<(FragmentSpot, u64)>,
}

impl<S: StateSpace> PieceWay<'_, S> {
    fn last(&self) -> FragmentSpot {
        *self.spots.last().expect("a run has a first state")
    }
}

fn open(claim: Claim, at: FragmentSpot, rest: OpenPiece) -> OpenPiece {
    Some(Rc::new(Claims { claim, at, rest }))
}

fn open_all(goals: &[Goal], at: FragmentSpot, rest: OpenPiece) -> OpenPiece {
    let goals = goals.iter().rev();
    goals.fold(rest, |rest, &goal| {
        open(Claim::Formula(goal, None), at, rest)
    })
}

fn less<K: Copy + Eq + Hash>(counts: &mut FxHashMap<K, u32>, key: K) {
    // A transition leaves the piece only when its last use is taken back.
    if let Some(count) = counts.get_mut(&key) {
        *count -= 1;
        if *count == 0 {
            counts.remove(&key);
        }
    }
}
