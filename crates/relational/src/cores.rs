//! Cores: parts that cannot hold together, each of them needed.
//!
//! Parts are left out one after the other. Of those for which that is not answered soon, some are guessed: where
//! parts can hold together, one of those that do not is needed, and a choice of one of each such set, none too many, is
//! a core once it cannot hold together (Ignatiev, Previti, Liffiton and Marques-Silva 2015). So there is one hard
//! question instead of many.

use std::collections::BTreeSet;

use wherefore_base::Budget;

use crate::refusal::SearchResult;

/// What is found out about some parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoreProgress {
    /// They can hold together, and with them all of these.
    Can(Vec<usize>),
    /// Already these of them cannot.
    Cannot(Vec<usize>),
}

/// How a question is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solving {
    /// With all that was learned before.
    Again,
    /// By itself: for hard questions.
    Afresh,
}

/// Parts of a problem that can be left out.
pub trait CoreParts {
    /// Whether some parts can hold together.
    ///
    /// # Errors
    /// When that is not known after so many questions whether to stop.
    fn ask(
        &mut self,
        parts: &[usize],
        solving: Solving,
        questions: u64,
    ) -> SearchResult<CoreProgress>;
}

/// How hard it is tried to leave parts out, in questions of the solver whether it must stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CoreEffort {
    /// For a part, the first time.
    pub look: u64,
    /// For a guess by itself, the first time.
    pub guess: u64,
    /// For all parts together, guesses aside.
    pub most: u64,
}

/// So many times longer it is tried again.
const LONGER: u64 = 8;

/// As few of some parts that cannot hold together as are needed, in their order, and whether all of these are.
pub fn core(
    parts: &mut impl CoreParts,
    among: Vec<usize>,
    effort: CoreEffort,
    budget: &Budget,
) -> (Vec<usize>, bool) {
    let mut cores = Cores {
        parts,
        effort,
        spent: 0,
        needed: Vec::new(),
        missing: Vec::new(),
    };
    let (mut look, mut guess) = (effort.look, effort.guess);
    let mut open = cores.leave_out(among, look);
    while !open.is_empty() {
        look = look.saturating_mul(LONGER);
        if cores.spent.saturating_add(look) >= effort.most || budget.check().is_err() {
            cores.needed.append(&mut open);
            cores.needed.sort_unstable();
            return (cores.needed, false);
        }
        // A guess may settle all open parts with one question: it comes before longer looks at each.
        if let Some(core) = cores.guess(&open, guess, budget) {
            return (core, true);
        }
        guess = guess.saturating_mul(LONGER);
        open = cores.leave_out(open, look);
    }
    cores.needed.sort_unstable();
    (cores.needed, true)
}

struct Cores<'p, P> {
    parts: &'p mut P,
    effort: CoreEffort,
    spent: u64,
    /// Without any one of them the others can hold together.
    needed: Vec<usize>,
    /// Sets of parts, of each of which one is needed: without them the others can hold together.
    missing: Vec<BTreeSet<usize>>,
}

impl<P: CoreParts> Cores<'_, P> {
    /// Leaves out parts one after the other, as far as that is known soon to change nothing. Returns those for which
    /// it is not known.
    fn leave_out(&mut self, mut open: Vec<usize>, look: u64) -> Vec<usize> {
        let mut unknown: Vec<usize> = Vec::new();
        while !open.is_empty() {
            let part = open.remove(0);
            if self.spent >= self.effort.most {
                unknown.push(part);
                continue;
            }
            let rest = [&self.needed[..], &unknown, &open].concat();
            match self.parts.ask(&rest, Solving::Again, look) {
                Ok(CoreProgress::Can(_)) => self.needed.push(part),
                Ok(CoreProgress::Cannot(failed)) => {
                    // What is needed is part of every contradiction that is left, so only the others can be
                    // dropped.
                    unknown.retain(|part| failed.contains(part));
                    open.retain(|part| failed.contains(part));
                }
                Err(_) => {
                    self.spent = self.spent.saturating_add(look);
                    unknown.push(part);
                }
            }
        }
        unknown
    }

    /// A core of what is needed and of some open parts; none where guesses take too long. Of two guesses, one may
    /// be much easier than the other.
    fn guess(&mut self, open: &[usize], questions: u64, budget: &Budget) -> Option<Vec<usize>> {
        let (mut last, mut hard) = (false, Vec::new());
        while self.spent < self.effort.most && budget.check().is_ok() {
            let mut guess = [&self.needed[..], &self.choice(open, last)].concat();
            guess.sort_unstable();
            // Both orders choose the same parts, and this guess was too hard before.
            if guess == hard {
                return None;
            }
            let mut told = self.parts.ask(&guess, Solving::Again, self.effort.look);
            self.spent += self.effort.look;
            if told.is_err() {
                told = self.parts.ask(&guess, Solving::Afresh, questions);
            }
            match told {
                // Each part of the guess is the only one in it of some set of which one is needed.
                Ok(CoreProgress::Cannot(_)) => return Some(guess),
                Ok(CoreProgress::Can(with)) => {
                    let missing = self.left_out(open, &with);
                    self.missing.push(missing);
                }
                Err(_) if last => return None,
                Err(_) => (last, hard) = (true, guess),
            }
        }
        None
    }

    /// As few of the open parts as are soon found to be all that is missing where others hold together.
    fn left_out(&mut self, open: &[usize], with: &[usize]) -> BTreeSet<usize> {
        let mut missing: Vec<usize> = open.to_vec();
        missing.retain(|part| !with.contains(part));
        let mut kept = BTreeSet::new();
        while let Some(part) = missing.pop() {
            // All parts together cannot hold.
            if kept.is_empty() && missing.is_empty() {
                kept.insert(part);
                break;
            }
            let held = open.iter().copied();
            let held = held.filter(|part| !missing.contains(part) && !kept.contains(part));
            let more: Vec<usize> = self.needed.iter().copied().chain(held).collect();
            match self.parts.ask(&more, Solving::Again, self.effort.look) {
                Ok(CoreProgress::Can(with)) => missing.retain(|part| !with.contains(part)),
                Ok(CoreProgress::Cannot(_)) => {
                    kept.insert(part);
                }
                Err(_) => {
                    self.spent += self.effort.look;
                    kept.insert(part);
                }
            }
        }
        kept
    }

    /// Open parts with one of each set that has none of those needed, and none too many; of equally good ones the first,
    /// or the last.
    fn choice(&self, open: &[usize], last: bool) -> Vec<usize> {
        let sets = self.missing.iter();
        let sets = sets.filter(|set| !self.needed.iter().any(|part| set.contains(part)));
        let sets: Vec<&BTreeSet<usize>> = sets.collect();
        let mut chosen: Vec<usize> = Vec::new();
        loop {
            let hits = |part: usize| {
                let left = |set: &&&BTreeSet<usize>| !chosen.iter().any(|part| set.contains(part));
                let hit = sets.iter().filter(left).filter(|set| set.contains(&part));
                hit.count()
            };
            let rank = |part: &usize| (hits(*part), if last { *part } else { usize::MAX - part });
            match open.iter().copied().max_by_key(rank) {
                Some(best) if hits(best) > 0 => chosen.push(best),
                _ => break,
            }
        }
        // A part that was chosen early may be superfluous next to those that came later.
        let mut at = 0;
        while at < chosen.len() {
            let mut others = chosen.clone();
            others.remove(at);
            let hit = |set: &&BTreeSet<usize>| others.iter().any(|part| set.contains(part));
            match sets.iter().all(hit) {
                true => chosen = others,
                false => at += 1,
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::Stop;

    use super::*;

    /// Parts that cannot hold together where they have all of one of some sets. Some questions are not answered.
    struct Sets {
        sets: Vec<BTreeSet<usize>>,
        count: usize,
        state: u64,
        /// Of so many questions to a solver that learns, one is not answered; 0 for none.
        dark: u64,
    }

    impl Sets {
        fn below(&mut self, most: u64) -> u64 {
            self.state = self
                .state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.state >> 33) % most
        }

        fn can(&self, parts: &[usize]) -> bool {
            let within = |set: &BTreeSet<usize>| set.iter().all(|part| parts.contains(part));
            !self.sets.iter().any(within)
        }
    }

    impl CoreParts for Sets {
        fn ask(&mut self, parts: &[usize], solving: Solving, _: u64) -> SearchResult<CoreProgress> {
            let dark = self.dark > 0 && self.below(self.dark) == 0;
            if dark && (solving == Solving::Again || self.below(8) == 0) {
                return Err(Stop::TimeOut.into());
            }
            let mut told = parts.to_vec();
            let can = self.can(parts);
            for part in 0..self.count {
                if self.below(2) == 0 {
                    continue;
                }
                let mut other = told.clone();
                match can {
                    true if !other.contains(&part) => other.push(part),
                    true => {}
                    false => other.retain(|&kept| kept != part),
                }
                if self.can(&other) == can {
                    told = other;
                }
            }
            Ok(match can {
                true => CoreProgress::Can(told),
                false => CoreProgress::Cannot(told),
            })
        }
    }

    #[test]
    fn a_core_cannot_hold_and_without_any_part_of_it_the_rest_can() {
        let effort = CoreEffort {
            look: 1,
            guess: 8,
            most: 400,
        };
        let mut found = [0, 0];
        for seed in 0..3000 {
            let mut sets = Sets {
                sets: Vec::new(),
                count: 3 + seed as usize % 6,
                state: seed,
                dark: seed % 4,
            };
            for _ in 0..1 + sets.below(4) {
                let size = 1 + sets.below(4);
                let count = sets.count as u64;
                let set = (0..size).map(|_| sets.below(count) as usize);
                let set = set.collect();
                sets.sets.push(set);
            }
            let every: Vec<usize> = (0..sets.count).collect();
            let effort = CoreEffort {
                most: if seed % 5 == 0 { u64::MAX } else { effort.most },
                ..effort
            };
            let (core, minimal) = core(&mut sets, every, effort, &Budget::unlimited());
            assert!(!sets.can(&core), "seed {seed}: {core:?}");
            for part in &core {
                let mut rest = core.clone();
                rest.retain(|other| other != part);
                assert!(!minimal || sets.can(&rest), "seed {seed}: {core:?} {part}");
            }
            assert!(
                minimal || sets.dark > 0,
                "seed {seed}: everything was answered"
            );
            found[usize::from(minimal)] += 1;
        }
        assert!(found[0] > 20 && found[1] > 2000, "{found:?}");
    }
}
