//! What a certificate comes down to: conditions on states and steps.
//!
//! Whoever trusts this file and a solver need trust nothing else. Conditions are about the states of the
//! invariant only; that these are all reachable ones is what the first two conditions say.

use wherefore_logic::{Bounds, Goal, Kernel, Op, PathPattern, PathRule, Quantifier, SubId, kernel};
use wherefore_model::{Model, Query, TermId};
use wherefore_proof::certificate::{
    Certificate, ConditionSubject, EndlessStates, How, Layer, LayerReason, StateSet,
};

/// A condition on one state.
#[derive(Clone, Debug)]
pub enum StateCondition<'c> {
    /// The same for all states.
    Const(bool),
    /// A condition of the model.
    Term(TermId),
    /// The state is in a set.
    In(&'c StateSet),
    /// The contrary.
    Not(Box<StateCondition<'c>>),
    /// All of them.
    All(Vec<StateCondition<'c>>),
    /// One of them.
    Any(Vec<StateCondition<'c>>),
}

/// What is to be shown, of states of the invariant.
#[derive(Clone, Debug)]
pub enum ConditionForm<'c> {
    /// No state is so.
    Never(StateCondition<'c>),
    /// No initial state is so, in the invariant or not.
    NeverAtStart(StateCondition<'c>),
    /// No step leads from a state that is like the first to one that is like the second.
    NoStep(StateCondition<'c>, StateCondition<'c>),
    /// From each state that is like the first some step leads to one that is like the second.
    SomeStep(StateCondition<'c>, StateCondition<'c>),
}

/// Something that must be so for a certificate to be right.
#[derive(Clone, Debug)]
pub struct VerificationCondition<'c> {
    /// What it is about.
    pub about: ConditionSubject,
    /// The condition as a sentence without its end.
    pub text: String,
    /// The condition.
    pub what: ConditionForm<'c>,
}

/// All conditions of a certificate for a query, those about the invariant first.
///
/// # Errors
/// What in the certificate makes no sense for this query.
pub fn conditions<'c>(
    model: &Model,
    query: &Query,
    certificate: &'c Certificate,
) -> Result<Vec<VerificationCondition<'c>>, String> {
    if query.rule == PathRule::Maximal {
        return Err("certificates do not know this path rule".into());
    }
    let mut list = ConditionList::new(model, query, certificate);
    list.all()?;
    Ok(list.conditions)
}

fn not(expr: StateCondition<'_>) -> StateCondition<'_> {
    match expr {
        StateCondition::Const(value) => StateCondition::Const(!value),
        StateCondition::Not(inner) => *inner,
        other => StateCondition::Not(Box::new(other)),
    }
}

fn all<'c, const N: usize>(exprs: [StateCondition<'c>; N]) -> StateCondition<'c> {
    StateCondition::All(exprs.into())
}

fn any<'c, const N: usize>(exprs: [StateCondition<'c>; N]) -> StateCondition<'c> {
    StateCondition::Any(exprs.into())
}

pub(crate) struct ConditionList<'q, 'c> {
    pub(crate) query: &'q Query,
    pub(crate) certificate: &'c Certificate,
    justice: Vec<TermId>,
    compassion: Vec<(TermId, TermId)>,
    about: ConditionSubject,
    conditions: Vec<VerificationCondition<'c>>,
}

impl<'q, 'c> ConditionList<'q, 'c> {
    pub(crate) fn new(model: &Model, query: &'q Query, certificate: &'c Certificate) -> Self {
        Self {
            query,
            certificate,
            justice: model.fairness.justice.clone(),
            compassion: model.fairness.compassion.clone(),
            about: ConditionSubject::Start,
            conditions: Vec::new(),
        }
    }

    fn all(&mut self) -> Result<(), String> {
        let certificate = self.certificate;
        let outside = not(StateCondition::In(&certificate.invariant));
        self.push(
            "every initial state is in the invariant",
            ConditionForm::NeverAtStart(outside.clone()),
        );
        self.about = ConditionSubject::Kept;
        self.no_step(
            "no step leaves the invariant",
            StateCondition::Const(true),
            outside,
        );
        self.about = ConditionSubject::Property;
        let root = self.truth(Goal::holds(self.query.formula.root()));
        let uncounted = match self.query.rule.skips_initial_states_without_path() {
            true => self.unfair(true),
            false => StateCondition::Const(false),
        };
        self.push(
            "the property is claimed at every initial state that counts",
            ConditionForm::NeverAtStart(not(any([root, uncounted]))),
        );
        if let Some(unfair) = &certificate.unfair {
            self.about = ConditionSubject::Unfair;
            let states = StateCondition::In(&unfair.states);
            self.no_step(
                "no step leaves the states without a fair path",
                states.clone(),
                not(states.clone()),
            );
            self.layers(states, &unfair.layers, true)?;
        }
        if let Some(live) = &certificate.live {
            self.about = ConditionSubject::Live;
            self.endless(&live.endless, true)?;
            let ends = StateCondition::In(&live.endless.states);
            self.rings(ends, &live.around, &StateCondition::Const(true));
        }
        for claim in &certificate.claims {
            if claim.goal.sub.index() >= self.query.formula.len() {
                return Err("it speaks of a sub-formula that the property does not have".into());
            }
            self.about = ConditionSubject::Claim(claim.goal);
            self.claim(claim.goal, &claim.states, &claim.how)?;
        }
        Ok(())
    }

    fn claim(&mut self, goal: Goal, states: &'c StateSet, how: &'c How) -> Result<(), String> {
        let set = StateCondition::In(states);
        match (kernel(&self.query.formula, goal), how) {
            (Kernel::Step(Quantifier::Forall, next), How::Step) => {
                let fair = self.query.rule.targets_have_paths();
                let good = any([self.truth(next), self.unfair(fair)]);
                self.no_step("what is claimed of the next states is so", set, not(good));
            }
            (Kernel::Step(Quantifier::Exists, next), How::Step) => {
                let fair = self.query.rule.targets_have_paths();
                let good = all([self.truth(next), self.live(fair)]);
                self.some_step("some next state is as claimed and has a path", set, good);
            }
            (Kernel::Path(pattern), How::Closed)
                if pattern.quantifier == Quantifier::Forall && pattern.weak =>
            {
                self.closed(&pattern, set);
            }
            (Kernel::Path(pattern), How::Leaves(layers))
                if pattern.quantifier == Quantifier::Forall && !pattern.weak =>
            {
                let region = self.closed(&pattern, set);
                match self.is_finite(&pattern) {
                    // A path that may stop at once reaches its goal only where it starts at one.
                    true => self.never("the goal is reached at once", region),
                    false => {
                        let fair = self.is_fair(&pattern);
                        self.layers(region, layers, fair)?;
                    }
                }
            }
            (Kernel::Path(pattern), How::Reaches { rings, endless })
                if pattern.quantifier == Quantifier::Exists =>
            {
                self.reaches(&pattern, set, rings, endless.as_ref())?;
            }
            (Kernel::Bounded(bounds, pattern), How::Bounded(steps)) => {
                if steps.len() != bounds.most as usize + 1 || steps.last() != Some(states) {
                    return Err("it has not one set for each step of a bounded operator".into());
                }
                match pattern.quantifier {
                    Quantifier::Exists => self.bounded_some(bounds, &pattern, steps),
                    Quantifier::Forall => self.bounded_all(bounds, goal, steps)?,
                }
            }
            _ => return Err("a claim has a reason that does not fit its operator".into()),
        }
        Ok(())
    }

    /// A universal pattern, as far as its stay goals are concerned; returns where its goal is still open.
    fn closed(&mut self, pattern: &PathPattern, set: StateCondition<'c>) -> StateCondition<'c> {
        let goal = self.goal(pattern);
        let unfair = self.unfair(self.is_fair(pattern));
        let done = any([goal, unfair]);
        let open = all([set.clone(), not(done.clone())]);
        let stay = self.every(&pattern.stay);
        self.never(
            "what is claimed up to the goal is so",
            all([open.clone(), not(stay)]),
        );
        self.no_step(
            "no step leaves the set before the goal",
            open.clone(),
            not(any([set, done])),
        );
        open
    }

    fn reaches(
        &mut self,
        pattern: &PathPattern,
        set: StateCondition<'c>,
        rings: &'c [StateSet],
        endless: Option<&'c EndlessStates>,
    ) -> Result<(), String> {
        let fair = self.is_fair(pattern);
        let stay = self.every(&pattern.stay);
        let goal = all([self.goal(pattern), self.live(fair)]);
        let forever = match (pattern.weak, self.is_finite(pattern), endless) {
            (false, ..) | (true, false, None) => StateCondition::Const(false),
            // A finite path may stop wherever it may stay.
            (true, true, _) => stay.clone(),
            (true, false, Some(endless)) => {
                let states = StateCondition::In(&endless.states);
                self.never(
                    "what is claimed for ever is so",
                    all([states.clone(), not(stay.clone())]),
                );
                self.endless(endless, fair)?;
                states
            }
        };
        let ends = any([goal, forever]);
        if !rings.is_empty() {
            let on_the_way = StateCondition::Any(rings.iter().map(StateCondition::In).collect());
            self.never(
                "what is claimed on the way to the goal is so",
                all([on_the_way, not(ends.clone()), not(stay)]),
            );
        }
        let reached = self.rings(ends, rings, &StateCondition::Const(true));
        self.never(
            "every state of the claim is an end or in a ring",
            all([set, not(reached)]),
        );
        Ok(())
    }

    /// Each ring has a step to what is inside of it; returns all states of the rings and inside.
    fn rings(
        &mut self,
        inside: StateCondition<'c>,
        rings: &'c [StateSet],
        within: &StateCondition<'c>,
    ) -> StateCondition<'c> {
        let mut reached = vec![inside];
        for ring in rings {
            let ring = all([StateCondition::In(ring), within.clone()]);
            let before = StateCondition::Any(reached.clone());
            // The description of a ring may take in nearer states: only the others must step inward.
            self.some_step(
                "from each state of a ring a step leads to a ring before",
                all([ring.clone(), not(before.clone())]),
                before,
            );
            reached.push(ring);
        }
        StateCondition::Any(reached)
    }

    fn endless(&mut self, endless: &'c EndlessStates, fair: bool) -> Result<(), String> {
        let states = StateCondition::In(&endless.states);
        self.some_step(
            "a step leads on within the set that a path stays in",
            states.clone(),
            states.clone(),
        );
        let (justice, compassion) = match fair {
            true => (self.justice.clone(), self.compassion.clone()),
            false => (Vec::new(), Vec::new()),
        };
        if endless.rings.len() != justice.len() + compassion.len() {
            return Err("it has not one list of rings for each fairness constraint".into());
        }
        let justice = justice
            .into_iter()
            .map(|goal| (StateCondition::Const(true), goal));
        // A pair asks for `q` only where `p` is met.
        let pairs = compassion
            .into_iter()
            .map(|(p, q)| (StateCondition::Term(p), q));
        for ((obliged, goal), rings) in justice.chain(pairs).zip(&endless.rings) {
            let inside = all([states.clone(), StateCondition::Term(goal)]);
            let reached = self.rings(inside, rings, &states);
            self.never(
                "the fairness constraint can be met again from every state of the set",
                all([states.clone(), obliged, not(reached)]),
            );
        }
        Ok(())
    }

    /// No run stays in a region for ever; only fair ones count if `fair`.
    fn layers(
        &mut self,
        region: StateCondition<'c>,
        layers: &'c [Layer],
        fair: bool,
    ) -> Result<(), String> {
        let mut left = region;
        for layer in layers {
            let states = StateCondition::In(&layer.states);
            let here = all([left.clone(), states.clone()]);
            let elsewhere = all([left.clone(), not(states.clone())]);
            let missing = "it names a fairness constraint that does not count here";
            match layer.reason {
                LayerReason::StepsOut => {
                    self.no_step(
                        "every step from a layer leads out of what is left",
                        here,
                        left.clone(),
                    );
                    left = elsewhere;
                }
                LayerReason::Justice(at) => {
                    let met = *self.justice.get(at).filter(|_| fair).ok_or(missing)?;
                    self.trapped(here, StateCondition::Term(met), elsewhere.clone());
                    left = elsewhere;
                }
                LayerReason::Compassion(at) => {
                    let pair = self.compassion.get(at).filter(|_| fair).ok_or(missing)?;
                    let (p, q) = *pair;
                    self.trapped(here, StateCondition::Term(q), elsewhere);
                    // Only the states with `p` go: a run that avoids `p` may still stay in the others.
                    left = all([left, not(all([states, StateCondition::Term(p)]))]);
                }
            }
        }
        self.never("the layers take everything away", left);
        Ok(())
    }

    /// A layer that is never left and never meets a condition.
    fn trapped(
        &mut self,
        here: StateCondition<'c>,
        met: StateCondition<'c>,
        elsewhere: StateCondition<'c>,
    ) {
        self.never(
            "a layer never meets its fairness constraint",
            all([here.clone(), met]),
        );
        self.no_step(
            "no step from a layer leads elsewhere in what is left",
            here,
            elsewhere,
        );
    }

    fn bounded_some(&mut self, bounds: Bounds, pattern: &PathPattern, steps: &'c [StateSet]) {
        let live = self.live(self.is_fair(pattern));
        let stay = self.every(&pattern.stay);
        let goal = all([self.goal(pattern), live.clone()]);
        let last = match pattern.weak {
            true => all([stay.clone(), live]),
            false => goal.clone(),
        };
        const HERE: &str = "what a bounded operator claims here is so";
        const NEXT: &str = "some next state is as a bounded operator claims";
        self.never(HERE, all([StateCondition::In(&steps[0]), not(last)]));
        for (number, pair) in (1..).zip(steps.windows(2)) {
            let (before, here) = (StateCondition::In(&pair[0]), StateCondition::In(&pair[1]));
            // The number is how many steps are left; with at most so many the lower bound is passed.
            let inside = number <= bounds.most - bounds.least;
            let open = match pattern.weak || inside {
                true => all([here.clone(), not(goal.clone())]),
                false => here.clone(),
            };
            let staying = match (pattern.weak, inside) {
                (true, true) => Some(here),
                (true, false) => None,
                (false, _) => Some(open.clone()),
            };
            if let Some(staying) = staying {
                self.never(HERE, all([staying, not(stay.clone())]));
            }
            self.some_step(NEXT, open, before);
        }
    }

    /// The dual: `steps` are complements of the sets of the pattern that refutes the goal.
    fn bounded_all(
        &mut self,
        bounds: Bounds,
        goal: Goal,
        steps: &'c [StateSet],
    ) -> Result<(), String> {
        let Kernel::Bounded(_, refuted) = kernel(&self.query.formula, goal.negated()) else {
            return Err("a claim has a reason that does not fit its operator".into());
        };
        let unfair = self.unfair(self.is_fair(&refuted));
        let no_stay = self.some_not(&refuted.stay);
        let no_goal = match &refuted.goal {
            Some(goals) => self.some_not(goals),
            None => StateCondition::Const(true),
        };
        const HERE: &str = "what a bounded operator claims here is so";
        const NEXT: &str = "every next state is as a bounded operator claims";
        let last = match refuted.weak {
            true => no_stay.clone(),
            false => no_goal.clone(),
        };
        let fails = |open: StateCondition<'c>, good: StateCondition<'c>| {
            all([open, not(any([good, unfair.clone()]))])
        };
        self.never(HERE, fails(StateCondition::In(&steps[0]), last));
        for (number, pair) in (1..).zip(steps.windows(2)) {
            let (before, here) = (StateCondition::In(&pair[0]), StateCondition::In(&pair[1]));
            let inside = number <= bounds.most - bounds.least;
            let staying = all([here.clone(), not(no_stay.clone())]);
            let (open, goal_here) = match (refuted.weak, inside) {
                (false, true) => (staying, Some(here)),
                (false, false) => (staying, None),
                (true, true) => (staying.clone(), Some(staying)),
                (true, false) => (here.clone(), Some(here)),
            };
            if let Some(here) = goal_here {
                self.never(HERE, fails(here, no_goal.clone()));
            }
            self.no_step(NEXT, open, not(before));
        }
        Ok(())
    }

    /// Where a goal is claimed.
    fn truth(&self, goal: Goal) -> StateCondition<'c> {
        wherefore_base::deep(|| match kernel(&self.query.formula, goal) {
            Kernel::State => self.state(goal.sub, goal.holds),
            Kernel::Branches(branches) => {
                let branches = branches.iter().map(|goals| self.every(goals));
                StateCondition::Any(branches.collect())
            }
            Kernel::Step(..) | Kernel::Path(_) | Kernel::Bounded(..) => {
                let mut claims = self.certificate.claims.iter();
                let claim = claims.find(|claim| claim.goal == goal);
                // A goal that nobody claims counts as so nowhere.
                claim.map_or(StateCondition::Const(false), |claim| {
                    StateCondition::In(&claim.states)
                })
            }
        })
    }

    fn state(&self, sub: SubId, holds: bool) -> StateCondition<'c> {
        let expr = match self.query.formula.op(sub) {
            Op::Const(value) => StateCondition::Const(value),
            Op::Atom(atom) => StateCondition::Term(self.query.atoms[atom]),
            // What is said of one run is asked over a product, where it is an atom.
            _ => return StateCondition::Const(false),
        };
        if holds { expr } else { not(expr) }
    }

    fn every(&self, goals: &[Goal]) -> StateCondition<'c> {
        StateCondition::All(goals.iter().map(|&goal| self.truth(goal)).collect())
    }

    fn some_not(&self, goals: &[Goal]) -> StateCondition<'c> {
        let goals = goals.iter().map(|goal| self.truth(goal.negated()));
        StateCondition::Any(goals.collect())
    }

    pub(crate) fn goal(&self, pattern: &PathPattern) -> StateCondition<'c> {
        match &pattern.goal {
            Some(goals) => self.every(goals),
            None => StateCondition::Const(false),
        }
    }

    /// States that no path counts from, where only fair paths count.
    pub(crate) fn unfair(&self, fair: bool) -> StateCondition<'c> {
        let unfair = self.certificate.unfair.as_ref().filter(|_| fair);
        unfair.map_or(StateCondition::Const(false), |unfair| {
            StateCondition::In(&unfair.states)
        })
    }

    /// States that a path starts from.
    pub(crate) fn live(&self, fair: bool) -> StateCondition<'c> {
        match (fair, &self.certificate.live) {
            (false, _) => StateCondition::Const(true),
            (true, Some(live)) => {
                let ends = std::iter::once(&live.endless.states);
                StateCondition::Any(ends.chain(&live.around).map(StateCondition::In).collect())
            }
            (true, None) => StateCondition::Const(false),
        }
    }

    pub(crate) fn is_fair(&self, pattern: &PathPattern) -> bool {
        pattern.fair || self.query.rule.targets_have_paths()
    }

    /// Whether a path may end anywhere.
    pub(crate) fn is_finite(&self, pattern: &PathPattern) -> bool {
        self.query.rule == PathRule::Reach && !pattern.fair
    }

    fn never(&mut self, text: &str, expr: StateCondition<'c>) {
        self.push(text, ConditionForm::Never(expr));
    }

    fn no_step(&mut self, text: &str, from: StateCondition<'c>, to: StateCondition<'c>) {
        self.push(text, ConditionForm::NoStep(from, to));
    }

    fn some_step(&mut self, text: &str, from: StateCondition<'c>, to: StateCondition<'c>) {
        self.push(text, ConditionForm::SomeStep(from, to));
    }

    fn push(&mut self, text: &str, what: ConditionForm<'c>) {
        self.conditions.push(VerificationCondition {
            about: self.about,
            text: text.to_string(),
            what,
        });
    }
}
