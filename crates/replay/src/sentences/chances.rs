//! Deciding where a run that refutes a formula of linear time could still have satisfied it.

use std::collections::BTreeSet;

use wherefore_logic::SubId;
use wherefore_model::Env;
use wherefore_proof::{DecisiveChoice, OccurrenceId};

use super::{Confirmed, Doubt, SentenceChecker, Surroundings, confirm};
use crate::guessed::GuessedRuns;

/// So many turns of the loop are followed.
const MOST_TURNS: usize = 64;

/// Which runs that satisfy the formula begin as the run does.
enum Chances {
    /// None does.
    Never,
    /// Up to this position of the run, the first time that it comes there, some do: these states may follow.
    UpTo(usize, BTreeSet<usize>),
    /// Some do, however far one follows the run.
    Always,
}

impl SentenceChecker<'_> {
    /// Where the run lost its last chance to satisfy the formula is where it is said to be.
    pub(super) fn decided_on_run(&self, sub: SubId, choice: &DecisiveChoice) -> Confirmed {
        if sub != self.base.query.formula.root() {
            return Err(Doubt::Unknown("it is not about the whole formula"));
        }
        // Of a step that is read the next state is only a part.
        if matches!(choice, DecisiveChoice::Lost { .. }) && !self.reads_states() {
            return Err(Doubt::Unknown("it is not about states"));
        }
        let around = self.reachable()?;
        let (interpreter, budget) = (&self.base.interpreter, &self.base.budget);
        let initial = &around.initial;
        let query = self.base.query;
        let keeping = (around.states).guessed(interpreter, query, true, initial, budget)?;
        let keeping = keeping.ok_or(Doubt::Unknown("the formula has too many parts"))?;
        let (run, _) = self.evidence()?.main_run();
        match (self.chances(around, &keeping)?, choice) {
            (Chances::Never, DecisiveChoice::Fated(at)) => confirm(run.first() == Some(at), || {
                "the run does not begin there".into()
            }),
            (Chances::Always, DecisiveChoice::StillFree { exit: None }) => Ok(()),
            (
                Chances::UpTo(last, after),
                DecisiveChoice::Lost {
                    from,
                    to,
                    instead,
                    more,
                    condition,
                    ..
                },
            ) => {
                confirm(run.get(last) == Some(from), || {
                    "the chance is lost elsewhere".into()
                })?;
                let all = 0..around.states.states.len();
                let kept = all.map(|state| after.contains(&state)).collect();
                self.lost(around, &kept, (*from, *to), instead, *more)?;
                self.tells_apart(around, &kept, *from, condition.as_ref())
            }
            _ => Err(Doubt::Wrong("the chance is lost elsewhere".into())),
        }
    }

    /// Follows the runs that satisfy the formula as long as they are like the run.
    fn chances(&self, around: &Surroundings, keeping: &GuessedRuns) -> Confirmed<Chances> {
        let (run, back) = self.evidence()?.main_run();
        let back = back.and_then(|back| run.iter().position(|&at| at == back));
        let back = back.ok_or(Doubt::Unknown("the run does not go on for ever"))?;
        let mut states = Vec::new();
        for at in &run {
            states.push(self.number(around, *at)?);
        }
        let like =
            |pair: &usize, at: usize| keeping.fair[*pair] && keeping.states[*pair] == states[at];
        let starts = (0..keeping.initial).filter(|pair| like(pair, 0));
        let mut chance: BTreeSet<usize> = starts.collect();
        if chance.is_empty() {
            return Ok(Chances::Never);
        }
        let taken = self.step_truths(keeping, &run, back)?;
        let (mut heads, mut here) = (Vec::new(), 0);
        loop {
            if here == back {
                if heads.contains(&chance) {
                    return Ok(Chances::Always);
                }
                if heads.len() == MOST_TURNS {
                    return Err(Doubt::Unknown("the loop is followed too long"));
                }
                heads.push(chance.clone());
            }
            let next = match here + 1 {
                end if end == run.len() => back,
                next => next,
            };
            let like_step = |pair: &&usize| keeping.step_truth[**pair] == taken[here];
            let going = chance.iter().filter(like_step);
            let after = going.flat_map(|&pair| &keeping.product.next[pair]).copied();
            let after: BTreeSet<usize> = after.filter(|&pair| keeping.fair[pair]).collect();
            let then: BTreeSet<usize> = after
                .iter()
                .copied()
                .filter(|pair| like(pair, next))
                .collect();
            if then.is_empty() {
                if heads.len() > 1 {
                    return Err(Doubt::Unknown("the chance is lost in a later turn"));
                }
                let after = after.iter().map(|&pair| keeping.states[pair]).collect();
                return Ok(Chances::UpTo(here, after));
            }
            (chance, here) = (then, next);
        }
    }

    /// The truth of the atoms that read steps, in each step of the run.
    fn step_truths(
        &self,
        keeping: &GuessedRuns,
        run: &[OccurrenceId],
        back: usize,
    ) -> Confirmed<Vec<Vec<bool>>> {
        let evidence = self.evidence()?;
        let next = run[1..].iter().chain(run.get(back));
        let mut truths = Vec::new();
        for (from, to) in run.iter().zip(next) {
            if keeping.of_steps.is_empty() {
                truths.push(Vec::new());
                continue;
            }
            let mut edges = evidence.edges.iter();
            let edge = edges.find(|edge| edge.from == *from && edge.to == *to);
            let edge = edge.ok_or(Doubt::Unknown("a step of the run is missing"))?;
            let env = Env {
                state: &evidence.occurrences[*from].values,
                input: &edge.input,
                next: &evidence.occurrences[*to].values,
            };
            let atoms = keeping.of_steps.iter();
            let truth = atoms.map(|(_, term)| self.base.interpreter.truth(*term, env));
            truths.push(truth.collect());
        }
        Ok(truths)
    }
}
