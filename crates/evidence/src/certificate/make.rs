//! From a verdict to a certificate.
//!
//! The sets come from the checker and are described by cubes among the reachable states, so whatever the
//! engine, they are the same. What the descriptions say of other states is settled last, when the
//! invariant is made to fit them.

use wherefore_base::{Budget, Run, Stop};
use wherefore_check::{Checker, Solution};
use wherefore_logic::{Fairness, Goal, Kernel, PathPattern, PathRule, Quantifier, kernel};
use wherefore_model::Query;
use wherefore_proof::WhyStatement;
use wherefore_proof::certificate::{
    Certificate, Certified, EndlessStates, How, Layer, LiveStates, NoCertificate, Over, Proved,
    StateSet, UnfairStates,
};
use wherefore_space::{StateSpace, Vocabulary, cover_apart};

use super::invariant::InvariantNeeds;
use super::layers::{core, layers, rings};
use super::recheck;

/// The most cubes of a certificate.
pub(super) const CUBES: usize = 5000;
/// The most cubes of one that people read.
const FEW_CUBES: usize = 600;
/// The most layers and rings of a certificate.
const LAYERS: usize = 500;
/// From so many cubes on a set is described by its complement, if that takes fewer.
const MANY: usize = 4;

/// The most cubes of a certificate that is told in words, or of another one.
fn most_cubes(worded: bool) -> usize {
    match worded {
        true => FEW_CUBES,
        false => CUBES,
    }
}

/// Why a property of a space holds, and what the independent check says of it.
///
/// `product` tells whether the space is that of a tableau.
pub(crate) fn produce<S: StateSpace>(
    checker: &Checker<'_, S>,
    query: &Query,
    solution: &Solution<S::Set>,
    product: bool,
) -> Certified {
    let space = checker.space();
    space.budget().phase("making a certificate");
    let made = CertificateMaker::new(checker, query, solution, None).make(space.budget());
    let certificate = match made {
        Ok(made) => made.certificate,
        Err(CertificateHalt::No(why)) => return Certified::None(why),
        Err(CertificateHalt::Stop(stop)) => return Certified::None(NoCertificate::Stopped(stop)),
    };
    let over = match product {
        true => Over::Product,
        false => Over::Model,
    };
    recheck(space.model(), query, certificate, over, space.budget())
}

/// Why there is no certificate yet.
pub(super) enum CertificateHalt {
    No(NoCertificate),
    Stop(Stop),
}

impl From<Stop> for CertificateHalt {
    fn from(stop: Stop) -> Self {
        CertificateHalt::Stop(stop)
    }
}

pub(super) type CertificateResult<T> = Result<T, CertificateHalt>;

pub(super) struct CertificateMaker<'a, 's, S: StateSpace> {
    pub(super) checker: &'a Checker<'s, S>,
    pub(super) space: &'s S,
    pub(super) query: &'a Query,
    pub(super) solution: &'a Solution<S::Set>,
    pub(super) none: Fairness<S::Set>,
    pub(super) cubes: usize,
    pub(super) layers: usize,
    /// For people: the words to describe sets with.
    pub(super) words: Option<Vocabulary<S::Set>>,
    pub(super) needs_unfair: bool,
    pub(super) needs_live: bool,
    pub(super) claims: Vec<Proved>,
    /// For people: what the claims say about the states where they are needed.
    pub(super) statements: Vec<WhyStatement>,
    /// The layers or rings that were described last, before they were.
    pub(super) ladder: Vec<S::Set>,
}

/// A certificate, and for people what there is to say about it.
pub(super) struct MadeCertificate {
    pub(super) certificate: Certificate,
    /// How many clauses of the invariant are the property's own.
    pub(super) own: usize,
    pub(super) statements: Vec<WhyStatement>,
}

impl<'a, 's, S: StateSpace> CertificateMaker<'a, 's, S> {
    pub(super) fn new(
        checker: &'a Checker<'s, S>,
        query: &'a Query,
        solution: &'a Solution<S::Set>,
        words: Option<Vocabulary<S::Set>>,
    ) -> Self {
        let cubes = most_cubes(words.is_some());
        Self {
            checker,
            space: checker.space(),
            query,
            solution,
            none: Fairness::default(),
            cubes,
            layers: LAYERS,
            words,
            needs_unfair: false,
            needs_live: false,
            claims: Vec::new(),
            statements: Vec::new(),
            ladder: Vec::new(),
        }
    }

    /// The certificate, with an invariant that a solver finds within a budget.
    pub(super) fn make(mut self, budget: &Budget) -> CertificateResult<MadeCertificate> {
        let (space, rule) = (self.space, self.query.rule);
        if rule == PathRule::Maximal {
            return Err(CertificateHalt::No(NoCertificate::Rule(rule)));
        }
        let counted = self.checker.counted(rule)?;
        // Initial states that do not count are left out because no fair path starts there, which must be
        // shown.
        self.needs_unfair = counted != *space.initial();
        if !space.is_empty(&counted) {
            self.claim(Goal::holds(self.query.formula.root()), &counted)?;
        }
        let unfair = match self.needs_unfair {
            true => self.unfair_states()?,
            false => None,
        };
        let live = match self.needs_live {
            true => self.live_states()?,
            false => None,
        };
        let certificate = Certificate {
            invariant: StateSet::everything(),
            unfair,
            live,
            claims: self.claims,
        };
        let mut needs = InvariantNeeds {
            space,
            query: self.query,
            statements: &self.statements,
            most: self.cubes,
            words: self.words,
            budget,
        };
        let (certificate, own) = needs.strengthen(certificate)?;
        Ok(MadeCertificate {
            certificate,
            own,
            statements: self.statements,
        })
    }

    fn unfair_states(&mut self) -> CertificateResult<Option<UnfairStates>> {
        let unfair = self.unfair(true)?;
        if self.space.is_empty(&unfair) {
            return Ok(None);
        }
        let states = self.describe(&unfair)?;
        let layers = self.layers(&unfair, self.checker.fairness())?;
        Ok(Some(UnfairStates { states, layers }))
    }

    fn live_states(&mut self) -> CertificateResult<Option<LiveStates>> {
        let fair = self.checker.fair()?.clone();
        let Some((endless, core)) = self.endless(&fair, self.checker.fairness())? else {
            return Ok(None);
        };
        let around = self.rings(&fair, &core, self.space.reachable())?;
        Ok(Some(LiveStates { endless, around }))
    }

    /// Claims a goal. For people, only where it is needed somewhere.
    fn claim(&mut self, goal: Goal, needed: &S::Set) -> CertificateResult<()> {
        let known = self.claims.iter().position(|claim| claim.goal == goal);
        let kernel = kernel(&self.query.formula, goal);
        if kernel == Kernel::State {
            return Ok(());
        }
        let states = self.checker.set_of(self.solution, goal)?;
        let needed = self.space.meet(needed, &states)?;
        if let Some(at) = known {
            return self.again(at, &needed, &states);
        }
        let wanted = match self.words {
            Some(_) => &needed,
            None => &states,
        };
        // Without a claim a goal counts as so nowhere, and this one is.
        if self.space.is_empty(wanted) {
            return Ok(());
        }
        self.ladder.clear();
        let how = match kernel {
            Kernel::State => return Ok(()),
            Kernel::Branches(branches) => {
                return self.branches(&branches, &needed);
            }
            Kernel::Step(quantifier, next) => {
                let after = self.space.post(&states)?;
                wherefore_base::deep(|| self.claim(next, &after))?;
                let fair = self.query.rule.targets_have_paths();
                self.needs(quantifier, fair);
                How::Step
            }
            Kernel::Path(pattern) => {
                self.operands(&pattern)?;
                self.needs(pattern.quantifier, self.is_fair(&pattern));
                match pattern.quantifier {
                    Quantifier::Forall => self.every_path(&pattern, &states)?,
                    Quantifier::Exists => self.some_path(&pattern)?,
                }
            }
            Kernel::Bounded(bounds, pattern) => {
                self.operands(&pattern)?;
                self.needs(pattern.quantifier, self.is_fair(&pattern));
                if bounds.most as usize >= self.layers {
                    return Err(CertificateHalt::No(NoCertificate::Layers(LAYERS)));
                }
                self.layers -= bounds.most as usize;
                self.bounded(goal)?
            }
        };
        let told = states.clone();
        let states = match &how {
            How::Bounded(steps) => steps.last().expect("there is a last step").clone(),
            // Of the next states no more need be said than is needed.
            How::Step => match self.needed_states(&needed, &states)? {
                Some(found) => found,
                None => self.describe(&states)?,
            },
            _ => self.describe(&states)?,
        };
        self.state(goal, &needed, &told, &how)?;
        self.claims.push(Proved { goal, states, how });
        Ok(())
    }

    /// Claims the parts of a goal, each where those before it do not decide.
    fn branches(&mut self, branches: &[Vec<Goal>], needed: &S::Set) -> CertificateResult<()> {
        let propositional = self.query.formula.propositional();
        let is_plain = |goals: &&Vec<Goal>| goals.iter().all(|goal| propositional[goal.sub]);
        let mut rest = needed.clone();
        for goals in branches.iter().filter(is_plain) {
            let decided = self.checker.all_of(self.solution, goals)?;
            rest = self.space.minus(&rest, &decided)?;
        }
        for goals in branches.iter().filter(|goals| !is_plain(goals)) {
            let here = self.checker.all_of(self.solution, goals)?;
            let here = self.space.meet(&rest, &here)?;
            for &goal in goals {
                wherefore_base::deep(|| self.claim(goal, &here))?;
            }
        }
        Ok(())
    }

    fn operands(&mut self, pattern: &PathPattern) -> CertificateResult<()> {
        let goals = pattern.goal.iter().flatten();
        // The set of the claim is where it is true, and its operands are needed anywhere there.
        let space = self.space;
        for &goal in pattern.stay.iter().chain(goals) {
            wherefore_base::deep(|| self.claim(goal, space.reachable()))?;
        }
        self.ladder.clear();
        Ok(())
    }

    fn every_path(&mut self, pattern: &PathPattern, states: &S::Set) -> CertificateResult<How> {
        if pattern.weak {
            return Ok(How::Closed);
        }
        // A path that may stop at once reaches a goal only where it starts at one: nothing is left to take
        // apart.
        if self.is_finite(pattern) {
            return Ok(How::Leaves(Vec::new()));
        }
        let space = self.space;
        let fair = self.is_fair(pattern);
        // No path from an unfair state counts, and at the goal a path has arrived: only the rest must be
        // left.
        let mut open = space.minus(states, &self.unfair(fair)?)?;
        if let Some(goals) = &pattern.goal {
            open = space.minus(&open, &self.checker.all_of(self.solution, goals)?)?;
        }
        let none = self.none.clone();
        let fairness = if fair { self.checker.fairness() } else { &none };
        // People are not told of fairness where the goal is reached without it.
        if self.words.is_some() && self.leaves_without_fairness(&open)? {
            return Ok(How::Leaves(self.layers(&open, &none)?));
        }
        Ok(How::Leaves(self.layers(&open, fairness)?))
    }

    /// Whether every path leaves a set, fair or not, in few enough steps.
    fn leaves_without_fairness(&self, open: &S::Set) -> Run<bool> {
        Ok(layers(self.space, open, &self.none, self.layers)?.is_some())
    }

    fn some_path(&mut self, pattern: &PathPattern) -> CertificateResult<How> {
        let space = self.space;
        let sets = self
            .checker
            .path_sets(self.query.rule, self.solution, pattern)?;
        let mut ends = sets.goal;
        let mut endless = None;
        if pattern.weak && self.is_finite(pattern) {
            // A path that may end anywhere may end wherever it may stay.
            ends = space.join(&ends, &sets.stay)?;
        } else if pattern.weak {
            let none = self.none.clone();
            let fairness = match self.is_fair(pattern) {
                true => self.checker.fairness(),
                false => &none,
            };
            if let Some((found, states)) = self.endless(&sets.endless, fairness)? {
                ends = space.join(&ends, &states)?;
                endless = Some(found);
            }
        }
        let rings = self.rings(&sets.stay, &ends, space.reachable())?;
        Ok(How::Reaches { rings, endless })
    }

    fn bounded(&mut self, goal: Goal) -> CertificateResult<How> {
        let formula = &self.query.formula;
        let (exists, refuted) = match kernel(formula, goal) {
            Kernel::Bounded(bounds, pattern) if pattern.quantifier == Quantifier::Exists => {
                ((bounds, pattern), false)
            }
            // The checker works out existential operators; a universal one is the complement of its
            // refutation.
            _ => match kernel(formula, goal.negated()) {
                Kernel::Bounded(bounds, pattern) => ((bounds, pattern), true),
                _ => unreachable!("the refutation of a bounded operator is one"),
            },
        };
        let (bounds, pattern) = exists;
        let sets = self
            .checker
            .bounded(self.query.rule, self.solution, &pattern, bounds)?;
        let mut steps = Vec::new();
        for set in sets {
            let set = match refuted {
                true => self.space.minus(self.space.reachable(), &set)?,
                false => set,
            };
            steps.push(self.describe(&set)?);
        }
        Ok(How::Bounded(steps))
    }

    /// States of a hull that a path can stay in, with rings for each constraint; and all of them.
    fn endless(
        &mut self,
        hull: &S::Set,
        fairness: &Fairness<S::Set>,
    ) -> CertificateResult<Option<(EndlessStates, S::Set)>> {
        let space = self.space;
        let core = core(space, hull, fairness)?;
        if space.is_empty(&core) {
            return Ok(None);
        }
        let states = self.describe(&core)?;
        let pairs = fairness.compassion.iter().map(|(_, q)| q);
        let mut around = Vec::new();
        for condition in fairness.justice.iter().chain(pairs) {
            let goal = space.meet(&core, condition)?;
            around.push(self.rings(&core, &goal, &core)?);
        }
        let endless = EndlessStates {
            states,
            rings: around,
        };
        Ok(Some((endless, core)))
    }

    fn rings(
        &mut self,
        stay: &S::Set,
        goal: &S::Set,
        care: &S::Set,
    ) -> CertificateResult<Vec<StateSet>> {
        let found = rings(self.space, stay, goal, self.layers)?;
        let found = found.ok_or(CertificateHalt::No(NoCertificate::Layers(LAYERS)))?;
        // No more rings were asked for than are left, so this cannot underflow.
        self.layers -= found.len();
        self.ladder = found.iter().map(|(ring, _)| ring.clone()).collect();
        let mut described = Vec::new();
        for (ring, reached) in found {
            // A description may take in nearer states: only farther ones would spoil the descent.
            let outside = self.space.minus(care, &reached)?;
            described.push(self.apart(&ring, &outside)?);
        }
        Ok(described)
    }

    fn layers(
        &mut self,
        region: &S::Set,
        fairness: &Fairness<S::Set>,
    ) -> CertificateResult<Vec<Layer>> {
        let found = layers(self.space, region, fairness, self.layers)?;
        let found = found.ok_or(CertificateHalt::No(NoCertificate::Layers(LAYERS)))?;
        self.layers -= found.len();
        self.ladder = found.iter().map(|layer| layer.states.clone()).collect();
        let mut described = Vec::new();
        for layer in found {
            described.push(Layer {
                states: self.apart(&layer.states, &layer.elsewhere)?,
                reason: layer.reason,
            });
        }
        Ok(described)
    }

    /// A set, told from the other reachable states.
    pub(super) fn describe(&mut self, set: &S::Set) -> CertificateResult<StateSet> {
        let outside = self.space.minus(self.space.reachable(), set)?;
        self.apart(set, &outside)
    }

    /// A set, told from another one.
    fn apart(&mut self, set: &S::Set, outside: &S::Set) -> CertificateResult<StateSet> {
        if let Some(found) = self.worded(set, outside)? {
            self.cubes = self.cubes.saturating_sub(found.cubes.len());
            return Ok(found);
        }
        let direct = cover_apart(self.space, set, outside, self.cubes)?;
        // The complement is worth a try only if it takes fewer cubes.
        let limit = match direct.complete {
            true => direct.cubes.len().saturating_sub(1),
            false => self.cubes,
        };
        let mut found = direct.complete.then_some(StateSet {
            cubes: direct.cubes,
            outside: false,
        });
        if limit >= MANY {
            let dual = cover_apart(self.space, outside, set, limit)?;
            if dual.complete {
                found = Some(StateSet {
                    cubes: dual.cubes,
                    outside: true,
                });
            }
        }
        let most = most_cubes(self.words.is_some());
        let found = found.ok_or(CertificateHalt::No(NoCertificate::Cubes(most)))?;
        self.cubes -= found.cubes.len();
        Ok(found)
    }

    fn needs(&mut self, quantifier: Quantifier, fair: bool) {
        match quantifier {
            Quantifier::Forall => self.needs_unfair |= fair,
            Quantifier::Exists => self.needs_live |= fair,
        }
    }

    fn unfair(&self, fair: bool) -> Run<S::Set> {
        match fair {
            true => self
                .space
                .minus(self.space.reachable(), self.checker.fair()?),
            false => Ok(self.space.nothing()),
        }
    }

    fn is_fair(&self, pattern: &PathPattern) -> bool {
        pattern.fair || self.query.rule.targets_have_paths()
    }

    pub(super) fn is_finite(&self, pattern: &PathPattern) -> bool {
        self.query.rule == PathRule::Reach && !pattern.fair
    }
}
