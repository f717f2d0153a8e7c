//! An exploration: a proof in the hands of a person or a strategy.

use std::cell::RefCell;

use wherefore_base::{Budget, IndexVec, Run, Value};
use wherefore_logic::Kernel;
use wherefore_model::{Model, Query, TermId};
use wherefore_proof::{
    Claim, Evidence, Minimality, OccurrenceId, ProofId, ProofNode, WishBest, WishOutcome,
};
use wherefore_replay::replay;
use wherefore_space::{Rings, StateSpace};

use crate::case::ProofCase;
use crate::choose::quick_start;
use crate::minimal::name_product_steps;
use crate::plan::{PlanEnd, PlanRef, ProofPlan};
use crate::plans::{Plans, ProofPlanner};
use crate::prover::{GrownProof, ProofBuilder, ProverMove};
use crate::strategy::{Outlook, Proof, Rules, RunWish, Strategy, Way, WayKind};
use crate::tell::ToldEvidence;
use crate::ways::WayOffer;
use crate::wished::{OfferedMove, WishPlanner, WishedPlan, outcomes};

/// A proof that somebody explores: obligations are shown one by one, in any order, and taken back.
pub trait Exploring: Proof {
    /// The obligations, in the order in which they are best shown.
    fn leaves(&self) -> Vec<ProofId>;

    /// The ways to show an obligation; never none.
    fn ways(&mut self, leaf: ProofId) -> Run<Vec<Way>>;

    /// Goes one of the ways to show an obligation; returns its premises.
    ///
    /// # Panics
    /// When the node is no obligation, or has no such way.
    fn take(&mut self, leaf: ProofId, way: usize) -> Run<Vec<ProofId>>;

    /// From now on other rules are added and removed. What is shown stays; where nothing is shown yet, the proof
    /// starts where the rules like best.
    fn set_rules(&mut self, rules: Rules) -> Run<()>;

    /// What became of each wish about whole runs in what is shown.
    fn outcomes(&self) -> Run<Vec<WishOutcome>>;

    /// Lets a strategy choose until nothing is open that it wants to show, or so many rules are
    /// applied; how many were.
    fn grow(&mut self, strategy: &mut dyn Strategy, most: usize) -> Run<usize>;

    /// Makes an obligation of a node that was shown. What followed from it alone is forgotten.
    fn reopen(&mut self, node: ProofId);

    /// Takes the last change back; whether there was one.
    fn undo(&mut self) -> bool;

    /// The evidence as far as it is shown, and for each node of its proof the node here. It is
    /// replayed. How short it could be is said once nothing is open.
    fn evidence(&self) -> Run<(Evidence, IndexVec<ProofId, ProofId>)>;
}

/// What was there before a change.
struct ProofHistory<'p, T> {
    grown: GrownProof<T>,
    plans: Plans<'p, T>,
}

/// The best evidence for wishes, if somebody wishes for something and the search gets to its end.
pub(crate) type WishSlot<'k, 'c, 's, S> = RefCell<Option<WishPlanner<'k, 'c, 's, S>>>;

/// An exploration over some state space.
pub(crate) struct Exploration<'p, 'k, 'c, 's, S: StateSpace> {
    claim: Claim,
    /// The states where the claim is so and its proof may start.
    starts: S::Set,
    /// Where it starts, and with which plan, when nobody wishes for anything else.
    usual: (S::State, Option<PlanRef<S::State>>),
    wished: &'p WishSlot<'k, 'c, 's, S>,
    /// The best evidence for the wishes.
    best: Option<WishedPlan<S::State>>,
    wishes: Vec<RunWish>,
    /// Whether another rule than a wish has narrowed where the proof starts.
    narrowed: bool,
    prover: ProofBuilder<'k, 'c, 's, S>,
    plans: Plans<'p, S::State>,
    rules: Rules,
    /// The ways that are on offer, and for which obligation.
    offers: Option<(ProofId, Vec<WayOffer<S::State>>)>,
    planner: &'p ProofPlanner<'p, S::State>,
    /// How long it may grow.
    patience: Option<Budget>,
    /// What is known of the least evidence there is.
    least: Option<Minimality>,
    past: Vec<ProofHistory<'p, S::State>>,
}

impl<'p, 'k, 'c, 's, S: StateSpace> Exploration<'p, 'k, 'c, 's, S> {
    /// A proof that is nothing but a claim, at one of the states where it is so: the given one with its plan, when
    /// nobody wishes for anything else. The planner looks into the slot first.
    pub(crate) fn new(
        case: &'k ProofCase<'c, 's, S>,
        claim: Claim,
        starts: &S::Set,
        (start, plan): (&S::State, Option<&PlanRef<S::State>>),
        wished: &'p WishSlot<'k, 'c, 's, S>,
        planner: &'p ProofPlanner<'p, S::State>,
    ) -> Self {
        Self {
            claim,
            starts: starts.clone(),
            usual: (start.clone(), plan.cloned()),
            wished,
            best: None,
            wishes: Vec::new(),
            narrowed: false,
            prover: ProofBuilder::new(case, claim, start),
            plans: Plans::new(planner),
            rules: Rules::default(),
            offers: None,
            planner,
            patience: None,
            least: None,
            past: Vec::new(),
        }
    }

    /// Where nothing is shown yet: lets the proof start here, and gives the claim itself a plan.
    pub(crate) fn start(&mut self, start: &S::State, plan: Option<&PlanRef<S::State>>) {
        let root = ProofId::new(0);
        if self.prover.grown.proof[root].rule.is_none() {
            self.offers = None;
            self.prover.grown = GrownProof::claim(self.claim, start, true);
            self.plans.forget(root);
            if let Some(plan) = plan {
                self.plans.replace(root, plan.clone(), None);
            }
        }
    }

    /// Whether the search for the evidence that is best for all wishes got to its end.
    pub(crate) fn is_best_known(&self) -> bool {
        self.best.is_some()
    }

    /// The states that the rules like the proof to start in.
    pub(crate) fn liked_starts(&self) -> Run<S::Set> {
        self.prover.case.liked_starts(&self.starts, &self.rules)
    }

    /// What became of each wish in an evidence told from here.
    pub(crate) fn outcomes_of(&self, told: &ToldEvidence<S::State>) -> Run<Vec<WishOutcome>> {
        let case = self.prover.case;
        let best = self.best.as_ref();
        let (evidence, states) = (&told.evidence, &told.states);
        let mut outcomes = outcomes(case, self.claim, &self.wishes, best, evidence, states)?;
        // Of runs from the other starts nothing is known.
        let proved = outcomes.iter_mut().filter(|it| it.best == WishBest::Proved);
        proved
            .filter(|_| self.narrowed)
            .for_each(|it| it.best = WishBest::Open);
        Ok(outcomes)
    }

    /// Lets it grow within a budget only; what is not shown when that ends stays open.
    pub(crate) fn wait_no_longer_than(&mut self, patience: Option<Budget>) {
        self.patience = patience;
    }

    /// Says what is known of the least evidence there is.
    pub(crate) fn set_least(&mut self, least: Minimality) {
        self.least = Some(least);
    }

    /// The evidence as far as it is shown.
    pub(crate) fn tell(&self) -> Run<ToldEvidence<S::State>> {
        self.prover.tell()
    }

    /// The same; how short it could be is said once nothing is open.
    pub(crate) fn measured(&self) -> Run<ToldEvidence<S::State>> {
        let mut told = self.tell()?;
        let complete = self.prover.grown.leaves.is_empty();
        if let Some(least) = self.least.as_ref().filter(|_| complete) {
            let length = least.measure.of(&told.evidence);
            told.evidence.minimal = Minimality {
                measure: least.measure,
                length,
                at_least: least.at_least.min(length),
            };
        }
        Ok(told)
    }

    fn offers(&mut self, leaf: ProofId) -> Run<&[WayOffer<S::State>]> {
        let known = self.offers.as_ref().is_some_and(|(at, _)| *at == leaf);
        if !known {
            let offers = self.prover.ways(leaf, &self.rules, &mut self.plans)?;
            self.offers = Some((leaf, offers));
        }
        let (_, offers) = self.offers.as_ref().expect("they were just made");
        Ok(offers)
    }

    fn go(&mut self, leaf: ProofId, way: usize) -> Run<Vec<ProofId>> {
        self.offers(leaf)?;
        let (_, mut offers) = self.offers.take().expect("they were just made");
        let WayOffer { way, make, plan } = offers.swap_remove(way);
        match plan {
            Some(plan) => self.plans.replace(leaf, plan, way.by),
            None if way.planned => {}
            None => {
                self.plans.forget(leaf);
                return self.prover.apply(leaf, &make, false);
            }
        }
        self.plans.follow(&mut self.prover, leaf)
    }

    fn remember(&mut self) {
        self.past.push(ProofHistory {
            grown: self.prover.grown.clone(),
            plans: self.plans.clone(),
        });
    }

    /// The state that one of the ways on offer steps to.
    fn target(&self, way: usize) -> Option<&S::State> {
        let (_, offers) = self.offers.as_ref()?;
        match &offers.get(way)?.make {
            ProverMove::Step(state) | ProverMove::Continue(state) => Some(state),
            ProverMove::Close(back) => {
                let home = self.prover.grown.proof[*back].at;
                Some(&self.prover.grown.states[home])
            }
            _ => None,
        }
    }

    fn outlook_of(&self, claim: Claim, state: &S::State) -> Run<Outlook> {
        let case = self.prover.case;
        let Claim::Formula(goal, _) = claim else {
            return Ok(Outlook::default());
        };
        if !case.needs_steps(goal) {
            return Ok(Outlook::default());
        }
        if let Kernel::Path(pattern) = case.kernel(goal) {
            let goals = pattern.goal.as_deref().unwrap_or_default();
            if !pattern.weak && !goals.iter().any(|&goal| case.needs_steps(goal)) {
                // The distance is exact: at the goal nothing is left that takes steps.
                let distance = case.path(claim)?.rings.distance(state);
                let steps = distance.expect("what is so has a distance");
                return Ok(Outlook { steps, turn: None });
            }
        }
        let (plan, _) = (self.planner)(claim, state)?;
        Ok(outlook(&plan))
    }
}

impl<S: StateSpace> Proof for Exploration<'_, '_, '_, '_, S> {
    fn model(&self) -> &Model {
        self.prover.case.space.model()
    }

    fn query(&self) -> &Query {
        self.prover.case.query
    }

    fn nodes(&self) -> &IndexVec<ProofId, ProofNode> {
        &self.prover.grown.proof
    }

    fn values(&self, at: OccurrenceId) -> Vec<Value> {
        let state = &self.prover.grown.states[at];
        self.prover.case.space.values(state)
    }

    fn depth(&self, node: ProofId) -> usize {
        self.prover.grown.depth(node)
    }

    fn before(&self, node: ProofId) -> Option<ProofId> {
        self.prover.grown.before(node)
    }

    fn is_true(&self, condition: TermId, at: OccurrenceId) -> Run<bool> {
        let set = self.prover.case.condition(condition)?;
        let state = &self.prover.grown.states[at];
        Ok(self.prover.case.space.contains(&set, state))
    }

    fn outlook(&self, leaf: ProofId) -> Run<Outlook> {
        let ProofNode { claim, at, .. } = self.prover.grown.proof[leaf];
        self.outlook_of(claim, &self.prover.grown.states[at])
    }

    fn takes_more_than(&self, leaf: ProofId, steps: u32) -> Run<bool> {
        let ProofNode { claim, at, .. } = self.prover.grown.proof[leaf];
        let state = &self.prover.grown.states[at];
        Ok(self.outlook_of(claim, state)?.steps > steps
            || self.prover.case.region_exceeds(claim, state, steps)?)
    }

    fn is_true_after(&self, condition: TermId, way: usize) -> Run<Option<bool>> {
        let Some(state) = self.target(way) else {
            return Ok(None);
        };
        let set = self.prover.case.condition(condition)?;
        Ok(Some(self.prover.case.space.contains(&set, state)))
    }

    fn is_known_after(&self, way: usize) -> Option<bool> {
        let state = self.target(way)?;
        Some(self.prover.grown.shown.contains_key(state))
    }

    fn outlook_after(&self, way: usize) -> Run<Outlook> {
        let offer = self.offers.as_ref();
        let offer = offer.and_then(|(leaf, offers)| Some((leaf, offers.get(way)?)));
        let Some((&leaf, WayOffer { way, make, plan })) = offer else {
            return Ok(Outlook::default());
        };
        if let Some(plan) = plan {
            return Ok(outlook(plan));
        }
        if way.planned
            && let Some((plan, passed)) = self.plans.of(leaf)
        {
            let Outlook { steps, turn } = outlook(plan);
            let steps = steps.saturating_sub(u32::try_from(passed).unwrap_or(u32::MAX));
            return Ok(Outlook { steps, turn });
        }
        if let WayKind::Loop(turn) | WayKind::Close(turn) = way.kind {
            let turn = u32::try_from(turn).ok();
            return Ok(Outlook { steps: 1, turn });
        }
        let here = &self.prover.grown.states[self.prover.grown.proof[leaf].at];
        let (next, mut steps) = match make {
            ProverMove::Step(state) | ProverMove::Continue(state) => (state, 1u32),
            _ => (here, 0),
        };
        let mut turn = None;
        for premise in &way.premises {
            // What must be so on the way is about this state, the rest about the next one.
            let state = match way.to.as_ref() == Some(&premise.values) {
                true => next,
                false => here,
            };
            let outlook = self.outlook_of(premise.claim, state)?;
            steps = steps.saturating_add(outlook.steps);
            turn = turn.or(outlook.turn);
        }
        Ok(Outlook { steps, turn })
    }

    fn is_best_for(&self, wish: usize, way: usize) -> Run<Option<bool>> {
        let Some((leaf, offers)) = &self.offers else {
            return Ok(None);
        };
        let mut wished = self.wished.borrow_mut();
        let (Some(planner), Some(offer)) = (wished.as_mut(), offers.get(way)) else {
            return Ok(None);
        };
        let ProofNode { claim, at, .. } = self.prover.grown.proof[*leaf];
        let best = planner.is_best(
            &OfferedMove {
                claim,
                at: &self.prover.grown.states[at],
                make: &offer.make,
                plan: offer.plan.as_deref(),
                rests: offer.make == ProverMove::Close(*leaf),
            },
            wish,
        )?;
        // What is planned was planned for all wishes, or by a strategy that comes before them.
        Ok(best.map(|best| offer.way.planned || best && !self.is_turning(*leaf)))
    }
}

impl<S: StateSpace> Exploration<'_, '_, '_, '_, S> {
    /// Whether a plan for a path is past the point where its loop begins: the rest of it belongs together.
    fn is_turning(&self, leaf: ProofId) -> bool {
        match self.plans.of(leaf) {
            Some((ProofPlan::Path(_, PlanEnd::Loop(back)), passed)) => passed > *back,
            _ => false,
        }
    }
}

impl<S: StateSpace> Exploring for Exploration<'_, '_, '_, '_, S> {
    fn leaves(&self) -> Vec<ProofId> {
        self.prover.grown.leaves.iter().copied().collect()
    }

    fn ways(&mut self, leaf: ProofId) -> Run<Vec<Way>> {
        let offers = self.offers(leaf)?.iter();
        Ok(offers.map(|offer| offer.way.clone()).collect())
    }

    fn take(&mut self, leaf: ProofId, way: usize) -> Run<Vec<ProofId>> {
        self.remember();
        self.go(leaf, way)
    }

    fn set_rules(&mut self, rules: Rules) -> Run<()> {
        self.offers = None;
        let case = self.prover.case;
        let exact = rules.without_stand_ins();
        let liked = case.liked_starts(&self.starts, &exact)?;
        let known = rules.wishes == self.wishes && exact.added == self.rules.added;
        if !known {
            self.best = None;
            let mut planner = WishPlanner::new(case, &rules.wishes, &liked)?;
            if let Some(planner) = &mut planner {
                self.best = planner.best(self.claim)?;
            }
            // A planner that cannot show the claim itself is of no use for its parts.
            *self.wished.borrow_mut() = planner.filter(|_| self.best.is_some());
            // Plans were made for other wishes.
            self.plans.forget_all();
        }
        self.wishes.clone_from(&rules.wishes);
        self.narrowed = liked != self.starts;
        self.rules = match self.best {
            Some(_) => exact,
            None => rules,
        };
        match &self.best {
            Some(best) => {
                let (start, plan) = (best.start.clone(), best.plan.clone());
                self.start(&start, Some(&plan));
            }
            None => {
                let liked = self.liked_starts()?;
                let (start, plan) = match case.space.contains(&liked, &self.usual.0) {
                    true => self.usual.clone(),
                    false => (quick_start(case, self.claim, &liked)?.0, None),
                };
                self.start(&start, plan.as_ref());
            }
        }
        Ok(())
    }

    fn outcomes(&self) -> Run<Vec<WishOutcome>> {
        match self.wishes.is_empty() {
            true => Ok(vec![]),
            false => self.outcomes_of(&self.tell()?),
        }
    }

    fn grow(&mut self, strategy: &mut dyn Strategy, most: usize) -> Run<usize> {
        self.remember();
        for applied in 0..most {
            self.prover.case.space.budget().check()?;
            if self.patience.as_ref().is_some_and(|p| p.check().is_err()) {
                return Ok(applied);
            }
            // Nobody would look at the other ways, so they are not worked out.
            if !strategy.has_opinions() {
                let Some(&leaf) = self.prover.grown.leaves.front() else {
                    return Ok(applied);
                };
                self.plans.follow(&mut self.prover, leaf)?;
                continue;
            }
            let leaves = self.leaves();
            let liked = strategy.pick_leaf(self, &leaves)?;
            let Some(leaf) = leaves.into_iter().find(|leaf| liked.contains(leaf)) else {
                return Ok(applied);
            };
            let mut rules = self.rules.clone();
            if strategy.change_rules(&mut rules)? {
                // Wishes look at whole runs from the start, so they stay as they are.
                self.rules = rules;
                self.offers = None;
            }
            let ways = self.ways(leaf)?;
            let liked = match ways.len() {
                1 => vec![],
                _ => strategy.pick_rule(self, leaf, &ways)?,
            };
            // The ways are in order of preference, so of those that are liked the first is taken.
            let first = liked.into_iter().filter(|&way| way < ways.len()).min();
            let way = first.unwrap_or(0);
            let premises = self.go(leaf, way)?;
            strategy.rule_applied(self, leaf, &ways[way], &premises)?;
        }
        Ok(most)
    }

    fn reopen(&mut self, node: ProofId) {
        self.remember();
        self.offers = None;
        self.plans.forget(node);
        self.prover.grown.reopen(node);
    }

    fn undo(&mut self) -> bool {
        let Some(ProofHistory { grown, plans }) = self.past.pop() else {
            return false;
        };
        self.offers = None;
        self.prover.grown = grown;
        self.plans = plans;
        true
    }

    fn evidence(&self) -> Run<(Evidence, IndexVec<ProofId, ProofId>)> {
        let case = self.prover.case;
        let ToldEvidence {
            mut evidence,
            nodes,
            ..
        } = self.measured()?;
        let holds = match self.prover.grown.proof[ProofId::new(0)].claim {
            Claim::Formula(goal, _) => goal.holds,
            Claim::HasPath => true,
        };
        let complete = self.prover.grown.leaves.is_empty();
        if self.least.is_some() && complete {
            name_product_steps(case.space.model(), &mut evidence);
        }
        let space = case.space;
        evidence.replay = replay(space.model(), case.query, holds, &evidence, space.budget())?;
        Ok((evidence, nodes))
    }
}

fn outlook<T: Clone>(plan: &ProofPlan<T>) -> Outlook {
    let turn = match plan {
        ProofPlan::Path(states, PlanEnd::Loop(back)) => Some(states.len() + 1 - back),
        _ => None,
    };
    Outlook {
        steps: plan.cost().steps,
        turn: turn.and_then(|turn| u32::try_from(turn).ok()),
    }
}
