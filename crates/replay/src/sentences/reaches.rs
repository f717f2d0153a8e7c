//! Deciding what is said of sets of states: every one, how many, only these, and how they are described.

use wherefore_base::Value;
use wherefore_logic::{
    Bounds, Goal, Kernel, Op, PathOp, PathPattern, PathRule, Quantifier, SubId, kernel,
};
use wherefore_model::{Env, Query, Support};
use wherefore_proof::{
    Claim, Deadlocked, NoRun, Note, OccurrenceId, Region, RegionId, SaidStates, StatesFrom,
};

use super::{Confirmed, Doubt, SentenceChecker, Surroundings, TOO_MANY, confirm};
use crate::explored::ExploredSet;
use crate::{FEW_STATES, proposition};

impl Surroundings {
    /// The states by their distance from the initial ones.
    fn layers(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.states.next.len()];
        let mut fresh = |states: &mut dyn Iterator<Item = usize>| -> Vec<usize> {
            let fresh = states.filter(|&s| !std::mem::replace(&mut seen[s], true));
            fresh.collect()
        };
        let mut layers = vec![fresh(&mut self.initial.iter().copied())];
        while let Some(last) = layers.last().filter(|last| !last.is_empty()) {
            let next = last
                .iter()
                .flat_map(|&s| self.states.next[s].iter().copied());
            let next = fresh(&mut next.collect::<Vec<_>>().into_iter());
            layers.push(next);
        }
        layers
    }

    /// Whether some run goes on for ever: what is left when states without a next one are left out, and so on.
    fn has_loop(&self) -> bool {
        let next = &self.states.next;
        let mut ends = vec![false; next.len()];
        loop {
            let more = (0..next.len()).filter(|&s| !ends[s] && next[s].iter().all(|&to| ends[to]));
            let more: Vec<usize> = more.collect();
            if more.is_empty() {
                return ends.contains(&false);
            }
            more.into_iter().for_each(|s| ends[s] = true);
        }
    }
}

impl SentenceChecker<'_> {
    /// All goals are so in every state of a set.
    pub(super) fn every(&self, of: &SaidStates, goals: &[Goal]) -> Confirmed {
        if of.which == StatesFrom::At {
            return self.all_at(goals, of.at);
        }
        let of_state = |goal: &Goal| self.base.propositional[goal.sub.index()];
        if of.which == StatesFrom::Next && !of.going_on && goals.iter().all(of_state) {
            let next = self.successors(self.values(of.at)?)?;
            for state in next {
                let env = Env::state(&state);
                let truth = |goal: &Goal| {
                    proposition(self.base.query, &self.base.interpreter, goal.sub, env)
                        == goal.holds
                };
                confirm(goals.iter().all(truth), || "a successor differs".into())?;
            }
            return Ok(());
        }
        let (around, states) = self.states(of)?;
        if self.is_run && !(goals.iter().all(of_state) && self.reads_states()) {
            return Err(Doubt::Unknown("a linear-time formula is about runs"));
        }
        let truth = |goal: &Goal, state: usize| match self.is_run {
            true => {
                let env = Env::state(&around.states.states[state]);
                proposition(self.base.query, &self.base.interpreter, goal.sub, env) == goal.holds
            }
            false => around.truth[goal.sub.index()][state] == goal.holds,
        };
        for state in states {
            for goal in goals {
                confirm(truth(goal, state), || {
                    self.otherwise(*goal, format!("{:?}", around.states.states[state]))
                })?;
            }
        }
        Ok(())
    }

    /// How many states a set has.
    pub(super) fn count(&self, of: &SaidStates) -> Confirmed<usize> {
        if of.which == StatesFrom::Next && !of.going_on {
            return Ok(self.successors(self.values(of.at)?)?.len());
        }
        Ok(self.states(of)?.1.len())
    }

    /// A set has the states of these occurrences and no others.
    pub(super) fn exactly(&self, of: &SaidStates, at: &[OccurrenceId]) -> Confirmed {
        let mut said: Vec<&[Value]> = Vec::new();
        for &at in at {
            said.push(self.values(at)?);
        }
        let states: Vec<Vec<Value>> = match of.which == StatesFrom::Next && !of.going_on {
            true => self.successors(self.values(of.at)?)?,
            false => {
                let (around, states) = self.states(of)?;
                let states = states.into_iter().map(|s| around.states.states[s].to_vec());
                states.collect()
            }
        };
        said.sort_unstable();
        let twice = said.windows(2).any(|pair| pair[0] == pair[1]);
        confirm(!twice, || "a state is said twice".into())?;
        let same = states.len() == said.len() && states.iter().all(|s| said.contains(&&s[..]));
        confirm(same, || {
            format!(
                "there are {} states, not the {} said",
                states.len(),
                said.len()
            )
        })
    }

    /// The successors of a state, each once.
    fn successors(&self, state: &[Value]) -> Confirmed<Vec<Vec<Value>>> {
        let met = self.base.walked.meet(state);
        let next =
            self.base
                .walked
                .next(&self.base.interpreter, met, FEW_STATES, &self.base.budget)?;
        let next = next.ok_or(Doubt::Unknown("too many steps lead on"))?;
        Ok(next
            .iter()
            .map(|&to| self.base.walked.state(to).to_vec())
            .collect())
    }

    /// The states of a set.
    fn states(&self, of: &SaidStates) -> Confirmed<(&Surroundings, Vec<usize>)> {
        if of.which == StatesFrom::Initial {
            let around = self.reachable()?;
            let all = (0..around.states.states.len()).filter(|&s| !of.going_on || around.live[s]);
            return Ok((around, all.collect()));
        }
        let around = self.following()?;
        let start = self.number(around, of.at)?;
        let is = |goals: &[Goal], state: usize| {
            let mut goals = goals.iter();
            goals.all(|g| around.truth[g.sub.index()][state] == g.holds)
        };
        let mut states = match &of.which {
            StatesFrom::At => vec![start],
            StatesFrom::Next => {
                let mut next = around.states.next[start].clone();
                next.sort_unstable();
                next.dedup();
                next
            }
            StatesFrom::All => self.spread(around, start, u32::MAX, |_| true),
            StatesFrom::UpTo(goals) => self.spread(around, start, u32::MAX, |s| !is(goals, s)),
            StatesFrom::Through(goals) => self.spread(around, start, u32::MAX, |s| is(goals, s)),
            StatesFrom::Within(most) => self.spread(around, start, *most, |_| true),
            StatesFrom::Initial => vec![],
        };
        let own = of.which != StatesFrom::Next;
        states.retain(|&s| !of.going_on || around.live[s] || (own && s == start));
        Ok((around, states))
    }

    /// A state and what can be reached from it with so many steps, each from a state that goes on.
    fn spread(
        &self,
        around: &Surroundings,
        start: usize,
        most: u32,
        goes_on: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let mut seen = vec![false; around.states.states.len()];
        seen[start] = true;
        let mut all = vec![start];
        let mut layer = vec![start];
        let mut left = most;
        while !layer.is_empty() && left > 0 {
            let mut next = Vec::new();
            for &state in layer.iter().filter(|&&state| goes_on(state)) {
                for &to in &around.states.next[state] {
                    if !std::mem::replace(&mut seen[to], true) {
                        next.push(to);
                    }
                }
            }
            all.extend(&next);
            layer = next;
            left -= 1;
        }
        all
    }

    /// A bounded operator with the bounds that are left.
    pub(super) fn left(&self, goal: Goal, bounds: Bounds, at: OccurrenceId) -> Confirmed {
        let op = match self.base.query.formula.op(goal.sub) {
            Op::Path(q, PathOp::FinallyWithin(_, f)) => {
                Op::Path(q, PathOp::FinallyWithin(bounds, f))
            }
            Op::Path(q, PathOp::GloballyWithin(_, f)) => {
                Op::Path(q, PathOp::GloballyWithin(bounds, f))
            }
            Op::Path(q, PathOp::UntilWithin(_, f, g)) => {
                Op::Path(q, PathOp::UntilWithin(bounds, f, g))
            }
            _ => return Err(Doubt::Wrong("the operator has no bounds".into())),
        };
        let around = self.following()?;
        let start = self.number(around, at)?;
        let changed = self.changed(goal.sub, op, self.base.query.rule);
        let truth = around.states.truth(&self.base.interpreter, &changed);
        confirm(truth[goal.sub.index()][start] == goal.holds, || {
            self.otherwise(goal, at.index().to_string())
        })
    }

    /// The property holds whatever constant a sub-formula is.
    pub(super) fn never_matters(&self, sub: SubId) -> Confirmed {
        let around = self.reachable()?;
        for by in [false, true] {
            let changed = self.changed(sub, Op::Const(by), self.base.query.rule);
            if self.is_run {
                self.holds_on_every_run(around, &changed)?;
                continue;
            }
            let truth = around.states.truth(&self.base.interpreter, &changed);
            let root = self.base.query.formula.root();
            let counts = |&&s: &&usize| {
                around.live[s] || !self.base.query.rule.skips_initial_states_without_path()
            };
            let mut initial = around.initial.iter().filter(counts);
            confirm(initial.all(|&s| truth[root.index()][s]), || {
                format!(
                    "the property fails where sub-formula {} is {by}",
                    sub.index()
                )
            })?;
        }
        Ok(())
    }

    /// Whether the atoms of the query read states only, not steps.
    pub(super) fn reads_states(&self) -> bool {
        let support = Support::of(self.base.model, self.base.query.atoms.iter().copied());
        let states = self.base.model.state_vars();
        support.next.is_empty() && support.now.iter().all(|var| var.index() < states)
    }

    /// A formula of linear time holds along every fair run.
    fn holds_on_every_run(&self, around: &Surroundings, query: &Query) -> Confirmed {
        if !self.reads_states() {
            return Err(Doubt::Unknown("an atom reads more than a state"));
        }
        let (interpreter, budget) = (&self.base.interpreter, &self.base.budget);
        let initial = &around.initial;
        let refuting = (around.states).guessed(interpreter, query, false, initial, budget)?;
        let refuting = refuting.ok_or(Doubt::Unknown("the formula has too many parts"))?;
        let refuted = refuting.fair[..refuting.initial].contains(&true);
        confirm(!refuted, || "a run refutes the changed formula".into())
    }

    /// Why no run counts.
    fn no_run(&self, why: NoRun) -> Confirmed {
        let around = self.reachable()?;
        let wrong = || "why no run counts is wrong".to_string();
        confirm(!around.live.contains(&true), wrong)?;
        let layers = around.layers();
        let is_dead = |s: &usize| around.states.is_dead(*s);
        let dead = layers.iter().flatten().filter(|s| is_dead(s)).count();
        let first = layers.iter().position(|layer| layer.iter().any(is_dead));
        match why.deadlock {
            None => confirm(dead == 0, wrong)?,
            Some(Deadlocked::Only(at)) => confirm(dead == 1 && first == Some(at as usize), wrong)?,
            Some(Deadlocked::Nearest(at)) => {
                confirm(dead > 1 && first == Some(at as usize), wrong)?;
            }
            // Said where states are not listed.
            Some(Deadlocked::Within(_)) => return Err(Doubt::Unknown("no run is listed")),
        }
        confirm(around.has_loop() == why.unfair.is_some(), wrong)
    }

    /// What a note says of the model.
    pub(super) fn noted(&self, note: &Note) -> Confirmed {
        let around = self.reachable()?;
        let fair = around.states.with_path(PathRule::FairInfinite);
        let wrong = || "the note is wrong".to_string();
        match note {
            Note::NoInitialState => confirm(around.initial.is_empty(), wrong),
            Note::NoFairState(why) => self.no_run(*why),
            Note::DeadlocksMatter(holds) => {
                let root = self.base.query.formula.root();
                let op = self.base.query.formula.op(root);
                let maximal = self.changed(root, op, PathRule::Maximal);
                let truth = around.states.truth(&self.base.interpreter, &maximal);
                let everywhere = around.initial.iter().all(|&s| truth[root.index()][s]);
                confirm(everywhere == *holds, wrong)
            }
            Note::UnfairInitialStates(n, least) => {
                let unfair: Vec<usize> = (around.initial.iter().copied())
                    .filter(|&s| !fair[s])
                    .collect();
                let counted = n.to_string() == unfair.len().to_string();
                let listed = unfair
                    .iter()
                    .any(|&s| around.states.states[s][..] == least[..]);
                confirm(counted && listed, wrong)
            }
            Note::Deadlocks {
                count,
                nearest,
                distance,
            } => {
                let dead: ExploredSet = (0..fair.len()).map(|s| around.states.is_dead(s)).collect();
                let number = dead.iter().filter(|&&dead| dead).count();
                confirm(count.to_string() == number.to_string(), wrong)?;
                let layers = around.layers();
                let first = layers
                    .iter()
                    .position(|layer| layer.iter().any(|&s| dead[s]));
                confirm(first == Some(*distance as usize), wrong)?;
                let here = |&s: &usize| dead[s] && around.states.states[s][..] == nearest[..];
                confirm(layers[*distance as usize].iter().any(here), wrong)
            }
            Note::Unavailable { .. } | Note::Said(_) => {
                Err(Doubt::Unknown("it is not about states"))
            }
        }
    }

    /// The conditions of a region are met by its states and by no other reachable state.
    pub(super) fn described(&self, id: RegionId) -> Confirmed {
        let evidence = self.evidence()?;
        let region = evidence.regions.get(id);
        let region = region.ok_or_else(|| Doubt::Wrong("there is no such region".into()))?;
        let (around, states) = self.states(&self.region_states(region)?)?;
        let meets = |state: &[Value]| {
            region.cover.cubes.iter().any(|cube| {
                let mut values = cube.values.iter();
                values.all(|(var, values)| values.contains(&state[var.index()]))
            })
        };
        let within = |state: usize| meets(&around.states.states[state]);
        let complete = states.iter().all(|&state| within(state));
        confirm(complete || !region.cover.complete, || {
            "a state is not described".into()
        })?;
        let mut inside = vec![false; around.states.states.len()];
        states.iter().for_each(|&state| inside[state] = true);
        let others = (0..inside.len()).filter(|&state| !inside[state]);
        confirm(others.clone().all(|state| !within(state)), || {
            "another state is described".into()
        })?;
        // Of states that cannot follow, too, but only where they are few.
        let Ok(reachable) = self.reachable() else {
            return Ok(());
        };
        let strangers = reachable.states.states.iter();
        let mut strangers = strangers.filter(|state| around.states.find(state).is_none());
        confirm(!strangers.any(|state| meets(state)), || {
            "another state is described".into()
        })
    }

    /// The states of a region, as its claim has them.
    fn region_states(&self, region: &Region) -> Confirmed<SaidStates> {
        let Claim::Formula(goal, None) = region.claim else {
            return Err(Doubt::Wrong("the region is about no formula".into()));
        };
        let which = match kernel(&self.base.query.formula, goal) {
            Kernel::Step(Quantifier::Forall, _) => StatesFrom::Next,
            Kernel::Path(PathPattern { fair: true, .. }) => return Err(Doubt::Unknown(TOO_MANY)),
            Kernel::Path(PathPattern {
                goal: Some(goals), ..
            }) => StatesFrom::UpTo(goals),
            Kernel::Path(_) => StatesFrom::All,
            Kernel::Bounded(bounds, _) => StatesFrom::Within(bounds.most),
            _ => return Err(Doubt::Wrong("the region does not fit its claim".into())),
        };
        Ok(SaidStates {
            which,
            at: region.at,
            going_on: self.base.query.rule.targets_have_paths(),
        })
    }
}
