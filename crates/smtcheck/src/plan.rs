//! Plans of runs: what a solver has to find so that an existential formula holds, or cannot yet be denied.
//!
//! A formula whose path quantifiers are all `E` becomes a [`WitnessPlan`] over places of the system: a tree of paths of bounded
//! length. Read one way (*at most*), a plan that has no model proves that the formula fails everywhere, which is how
//! `AF` and its like are proved (bounded model checking, Biere et al. 1999). Read the other way (*surely*), a path that
//! must go on for ever has to close a loop, and what the solver finds is a real witness, which [`WitnessPlan::witness`]
//! reads off and evaluates again without the solver.

use wherefore_base::deep;
use wherefore_logic::Quantifier;
use wherefore_smt::eval::holds;
use wherefore_smt::{Deadlock, SmtCtl, SmtTermId, SmtValuation, SmtValue, SymbolId};

use crate::kripke::{PlaceEdge, PlaceGraph, StateCopy};
use crate::quantified::bounded_term;

/// How a bounded formula relates to the formula itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoundedReading {
    /// It is implied by the formula: where it fails, the formula does.
    AtMost,
    /// It implies the formula.
    Surely,
    /// Together with what it claims of states it implies the formula: what is said of all paths from a state is left to
    /// a proof, see [`PlanWitness::claims`]. A look so many steps ahead proposes states for which there may be one.
    Claiming(usize),
}

/// What has to be found.
#[derive(Clone, Debug)]
pub(crate) enum WitnessPlan {
    /// A condition at a place.
    Here(StateCopy, SmtTermId),
    /// All of them.
    All(Vec<WitnessPlan>),
    /// One of them.
    Any(Vec<WitnessPlan>),
    /// A step, and something after it.
    Step(PlaceEdge, Box<WitnessPlan>),
    /// A path.
    Path(Box<PathPlan>),
    /// A formula about all paths, which somebody else must prove at a place.
    Claim(Box<ClaimPlan>),
}

/// A formula about all paths from a place.
#[derive(Clone, Debug)]
pub(crate) struct ClaimPlan {
    formula: SmtCtl,
    place: StateCopy,
    /// Whether the formula is claimed at the place, and not only looked at: a truth value that the solver chooses.
    flag: SymbolId,
    /// What a look ahead says of the formula at the place.
    ahead: SmtTermId,
}

/// A path: at each place either the goal holds, or what has to stay holds and the path goes on.
#[derive(Clone, Debug)]
pub(crate) struct PathPlan {
    places: Vec<StateCopy>,
    edges: Vec<PlaceEdge>,
    stay: Vec<WitnessPlan>,
    goal: Vec<WitnessPlan>,
    /// The steps with which the path may go back, if it may go on for ever.
    back: Vec<PlaceEdge>,
    /// What must hold somewhere in a loop.
    fair: Vec<SmtTermId>,
    /// Whether a path of full length is enough.
    cut: bool,
    /// That a path may end here, if dead ends are ends of paths.
    end: Option<SmtTermId>,
}

/// A witness: a run from the place where the plan starts, and what hangs on its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlanWitness {
    /// The places of the run.
    pub(crate) places: Vec<StateCopy>,
    /// The steps between them, and the one that goes back if there is one.
    pub(crate) edges: Vec<PlaceEdge>,
    /// The position to which it goes back.
    pub(crate) back: Option<usize>,
    /// What hangs on a state of the run.
    pub(crate) branches: Vec<(usize, PlanWitness)>,
    /// What must be proved of a state of the run.
    pub(crate) claims: Vec<(usize, SmtCtl)>,
}

impl WitnessPlan {
    /// The plan of a formula (negations at atoms) at a place with paths of so many steps; none if the formula has an `A`, or an
    /// operator that this reading cannot bound.
    pub(crate) fn new(
        kripke: &mut PlaceGraph,
        formula: &SmtCtl,
        at: StateCopy,
        steps: usize,
        bounded: BoundedReading,
    ) -> Option<Self> {
        let mut go = |f: &SmtCtl| deep(|| Self::new(kripke, f, at, steps, bounded));
        match formula {
            SmtCtl::Atom(term) => Some(WitnessPlan::Here(at, *term)),
            SmtCtl::And(parts) => Some(WitnessPlan::All(
                parts.iter().map(go).collect::<Option<_>>()?,
            )),
            SmtCtl::Or(parts) => Some(WitnessPlan::Any(
                parts.iter().map(&mut go).collect::<Option<_>>()?,
            )),
            SmtCtl::Next(Quantifier::Exists, inner) => {
                let to = kripke.place();
                let edge = kripke.edge(at, to);
                let then = deep(|| Self::new(kripke, inner, to, steps, bounded))?;
                Some(WitnessPlan::Step(edge, Box::new(then)))
            }
            SmtCtl::Finally(Quantifier::Exists, goal) => {
                let always = SmtCtl::Atom(kripke.terms().bool(true));
                Self::path(kripke, &always, goal, true, at, steps, bounded)
            }
            SmtCtl::Globally(Quantifier::Exists, stay) => {
                let never = SmtCtl::Atom(kripke.terms().bool(false));
                Self::path(kripke, stay, &never, false, at, steps, bounded)
            }
            SmtCtl::Until(Quantifier::Exists, stay, goal) => {
                Self::path(kripke, stay, goal, true, at, steps, bounded)
            }
            SmtCtl::WeakUntil(Quantifier::Exists, stay, goal) => {
                Self::path(kripke, stay, goal, false, at, steps, bounded)
            }
            _ => {
                let BoundedReading::Claiming(look) = bounded else {
                    return None;
                };
                Some(WitnessPlan::Claim(Box::new(ClaimPlan {
                    formula: formula.clone(),
                    place: at,
                    flag: kripke.flag(),
                    ahead: look_ahead(kripke, formula, at, look),
                })))
            }
        }
    }

    fn path(
        kripke: &mut PlaceGraph,
        stay: &SmtCtl,
        goal: &SmtCtl,
        strong: bool,
        at: StateCopy,
        steps: usize,
        bounded: BoundedReading,
    ) -> Option<Self> {
        // A strong until may reach its goal after any number of steps, so it implies no bounded formula.
        if strong && bounded == BoundedReading::AtMost {
            return None;
        }
        let mut places = vec![at];
        let mut edges = Vec::new();
        for _ in 0..steps {
            let (from, to) = (places[places.len() - 1], kripke.place());
            edges.push(kripke.edge(from, to));
            places.push(to);
        }
        let plans = |kripke: &mut PlaceGraph, f: &SmtCtl| {
            let all = places
                .iter()
                .map(|&place| deep(|| Self::new(kripke, f, place, steps, bounded)));
            all.collect::<Option<Vec<WitnessPlan>>>()
        };
        let (stay, goal) = (plans(kripke, stay)?, plans(kripke, goal)?);
        let loops = !strong && bounded != BoundedReading::AtMost;
        let last = places[places.len() - 1];
        let back = match loops {
            true => places.iter().map(|&to| kripke.edge(last, to)).collect(),
            false => Vec::new(),
        };
        let end = match kripke.deadlock {
            // A path may end here without the goal, which only a weak operator allows.
            Deadlock::Fail if !strong => {
                let live = kripke.live?;
                Some(kripke.terms().not(live))
            }
            _ => None,
        };
        let fair = kripke.system.fairness.clone();
        let cut = !strong && bounded == BoundedReading::AtMost;
        Some(WitnessPlan::Path(Box::new(PathPlan {
            places,
            edges,
            stay,
            goal,
            back,
            fair,
            cut,
            end,
        })))
    }

    /// The formula that says that the plan succeeds.
    pub(crate) fn term(&self, kripke: &mut PlaceGraph) -> SmtTermId {
        match self {
            WitnessPlan::Here(place, term) => kripke.at(*term, *place),
            WitnessPlan::All(parts) => {
                let parts: Vec<SmtTermId> = parts.iter().map(|p| deep(|| p.term(kripke))).collect();
                kripke.terms().and(&parts)
            }
            WitnessPlan::Any(parts) => {
                let parts: Vec<SmtTermId> = parts.iter().map(|p| deep(|| p.term(kripke))).collect();
                kripke.terms().or(&parts)
            }
            WitnessPlan::Step(edge, then) => {
                let (step, then) = (kripke.step(edge), deep(|| then.term(kripke)));
                kripke.terms().and(&[step, then])
            }
            WitnessPlan::Path(path) => path.term(kripke),
            WitnessPlan::Claim(claim) => {
                let terms = kripke.terms();
                let flag = terms.var(claim.flag);
                terms.and(&[flag, claim.ahead])
            }
        }
    }

    /// The formulas that must be proved of places, with the truth values that say whether they are claimed there.
    pub(crate) fn claims<'a>(&'a self, out: &mut Vec<(&'a SmtCtl, StateCopy, SymbolId)>) {
        match self {
            WitnessPlan::Here(..) => {}
            WitnessPlan::All(parts) | WitnessPlan::Any(parts) => {
                for part in parts {
                    deep(|| part.claims(out));
                }
            }
            WitnessPlan::Step(_, then) => deep(|| then.claims(out)),
            WitnessPlan::Path(path) => {
                for part in path.stay.iter().chain(&path.goal) {
                    deep(|| part.claims(out));
                }
            }
            WitnessPlan::Claim(claim) => out.push((&claim.formula, claim.place, claim.flag)),
        }
    }

    /// The witness that values of the places give, checked by our own evaluator; none if they give none.
    pub(crate) fn witness(
        &self,
        kripke: &mut PlaceGraph,
        start: StateCopy,
        values: &SmtValuation,
    ) -> Option<PlanWitness> {
        let alone = || PlanWitness::at(start);
        match self {
            WitnessPlan::Here(place, term) => {
                let term = kripke.at(*term, *place);
                is_true(kripke, term, values).then(alone)
            }
            WitnessPlan::All(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.push(deep(|| part.witness(kripke, start, values))?);
                }
                Some(joined(start, all))
            }
            WitnessPlan::Any(parts) => parts
                .iter()
                .find_map(|p| deep(|| p.witness(kripke, start, values))),
            WitnessPlan::Step(edge, then) => {
                let step = kripke.step(edge);
                if !is_true(kripke, step, values) {
                    return None;
                }
                let then = deep(|| then.witness(kripke, edge.to, values))?;
                Some(after(start, edge.clone(), then))
            }
            WitnessPlan::Path(path) => path.witness(kripke, values),
            WitnessPlan::Claim(claim) => {
                let claimed = values.get(claim.flag) == Some(&SmtValue::Bool(true));
                claimed.then(|| PlanWitness {
                    claims: vec![(0, claim.formula.clone())],
                    ..alone()
                })
            }
        }
    }
}

impl PathPlan {
    fn term(&self, kripke: &mut PlaceGraph) -> SmtTermId {
        let last = self.places.len() - 1;
        // A strong operator has no ways back, and the empty disjunction is false: the goal must come.
        let mut rest = match self.cut {
            true => kripke.terms().bool(true),
            false => self.closing(kripke),
        };
        for at in (0..=last).rev() {
            let (stay, goal) = (
                deep(|| self.stay[at].term(kripke)),
                deep(|| self.goal[at].term(kripke)),
            );
            let mut on = match self.edges.get(at) {
                Some(edge) => {
                    let step = kripke.step(edge);
                    kripke.terms().and(&[step, rest])
                }
                None => rest,
            };
            if let Some(end) = self.end {
                let end = kripke.at(end, self.places[at]);
                on = kripke.terms().or(&[end, on]);
            }
            let on = kripke.terms().and(&[stay, on]);
            rest = kripke.terms().or(&[goal, on]);
        }
        rest
    }

    /// That the last place goes back to one of the path, through what is fair.
    fn closing(&self, kripke: &mut PlaceGraph) -> SmtTermId {
        let mut ways = Vec::new();
        for to in 0..self.back.len() {
            ways.push(self.closes(kripke, to));
        }
        kripke.terms().or(&ways)
    }

    fn closes(&self, kripke: &mut PlaceGraph, to: usize) -> SmtTermId {
        let mut parts = vec![kripke.step(&self.back[to])];
        for &fair in &self.fair {
            // The loop is the places from `to` on; a visit before it does not count.
            let visits: Vec<SmtTermId> = self.places[to..]
                .iter()
                .map(|&place| kripke.at(fair, place))
                .collect();
            parts.push(kripke.terms().or(&visits));
        }
        kripke.terms().and(&parts)
    }

    fn witness(&self, kripke: &mut PlaceGraph, values: &SmtValuation) -> Option<PlanWitness> {
        let mut run = PlanWitness {
            places: Vec::new(),
            edges: Vec::new(),
            back: None,
            branches: Vec::new(),
            claims: Vec::new(),
        };
        for (at, &place) in self.places.iter().enumerate() {
            run.places.push(place);
            if let Some(goal) = deep(|| self.goal[at].witness(kripke, place, values)) {
                return Some(run.then(goal));
            }
            let stay = deep(|| self.stay[at].witness(kripke, place, values))?;
            run.hang(at, stay);
            if let Some(end) = self.end {
                let end = kripke.at(end, place);
                if is_true(kripke, end, values) {
                    return Some(run);
                }
            }
            if let Some(edge) = self.edges.get(at) {
                let step = kripke.step(edge);
                if !is_true(kripke, step, values) {
                    return None;
                }
                run.edges.push(edge.clone());
            }
        }
        // The latest place first: this is the shortest loop.
        for (to, edge) in self.back.iter().enumerate().rev() {
            let closes = self.closes(kripke, to);
            if is_true(kripke, closes, values) {
                run.edges.push(edge.clone());
                run.back = Some(to);
                return Some(run);
            }
        }
        None
    }
}

impl PlanWitness {
    /// A state, and nothing to show beside it.
    fn at(start: StateCopy) -> Self {
        Self {
            places: vec![start],
            edges: Vec::new(),
            back: None,
            branches: Vec::new(),
            claims: Vec::new(),
        }
    }

    /// Hangs what starts at a state of this run on it, unless it says nothing.
    fn hang(&mut self, at: usize, other: PlanWitness) {
        if !other.edges.is_empty() {
            self.branches.push((at, other));
        } else {
            let branches = other.branches.into_iter().map(|(_, branch)| (at, branch));
            self.branches.extend(branches);
            let claims = other.claims.into_iter().map(|(_, claim)| (at, claim));
            self.claims.extend(claims);
        }
    }

    /// This run, going on with one that starts where it ends.
    fn then(mut self, other: PlanWitness) -> Self {
        let end = self.places.len() - 1;
        // The first place of the other run is the last one of this run.
        self.places.extend(&other.places[1..]);
        self.edges.extend(other.edges);
        self.back = other.back.map(|back| back + end);
        let branches = other
            .branches
            .into_iter()
            .map(|(at, branch)| (at + end, branch));
        self.branches.extend(branches);
        let claims = other.claims.into_iter();
        self.claims
            .extend(claims.map(|(at, claim)| (at + end, claim)));
        self
    }
}

/// One of several runs from the same place as the main one, the others as its branches.
fn joined(start: StateCopy, all: Vec<PlanWitness>) -> PlanWitness {
    let mut all = all;
    let main = match all.iter().position(|witness| !witness.edges.is_empty()) {
        Some(at) => all.remove(at),
        None => PlanWitness::at(start),
    };
    let mut main = main;
    for other in all {
        main.hang(0, other);
    }
    main
}

fn after(start: StateCopy, edge: PlaceEdge, then: PlanWitness) -> PlanWitness {
    let run = PlanWitness {
        places: vec![start, edge.to],
        edges: vec![edge],
        ..PlanWitness::at(start)
    };
    run.then(then)
}

/// What a look so many steps ahead from a place says of a formula: nothing if there is no such look.
fn look_ahead(kripke: &mut PlaceGraph, formula: &SmtCtl, at: StateCopy, look: usize) -> SmtTermId {
    let readings = [BoundedReading::AtMost, BoundedReading::Surely];
    let ahead = match look {
        0 => None,
        look => readings
            .into_iter()
            .find_map(|bounded| bounded_term(kripke, formula, at, look, bounded)),
    };
    ahead.unwrap_or_else(|| kripke.terms().bool(true))
}

fn is_true(kripke: &PlaceGraph, term: SmtTermId, values: &SmtValuation) -> bool {
    holds(&kripke.system.terms, term, values) == Ok(true)
}
