//! Who is to blame for a command that does not come out as expected: small changes of the text are tried, and those that
//! mend it are ranked.
//!
//! Each change is read anew. For a command that has an instance and should have none, the instances that were seen so far are kept:
//! a change under which one of them is still an instance is refused by the evaluator, without a solver. How many of them a change
//! gets rid of tells how suspicious its place is (mutation-based fault localisation, Wang, Sullivan, Marinov, Khurshid 2020), and
//! larger changes are tried at suspicious places first. What is left is given to a solver, and a change that mends a command is
//! checked with all the others. The effort is counted, so that the outcome is the same on every machine.

mod changed;
mod hinges;
mod pairs;
mod rank;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use wherefore_alloy::model::Command;
use wherefore_alloy::{AlloyChange, changes, lower_facts, without_comments};
use wherefore_base::{Budget, Run, Span, Stop};
use wherefore_blame::Likeness;
use wherefore_evidence::Blame;
use wherefore_model::TextChange;
use wherefore_relational::{Instance, Search};
use wherefore_sat::Strongest;

use super::{AlloyAnswer, AlloyOptions, AlloySubject, CommandOutcome, CommandQuestion, Hitch};
use crate::blame::BlameEffort;
use changed::{holds_in, standing};
use hinges::InstanceHinges;

/// So many instances of a command that should have none are looked for at the beginning.
const FIRST: usize = 8;
/// So many are kept at most.
const MOST: usize = 40;
/// How often a solver may ask whether to go on with one command of one changed text.
const PATIENCE: u64 = 60_000;
/// An instance of a command, and the place of the problem it is one of.
type Kept = (usize, Instance);

/// The commands of a model as they were answered, and what is known of each.
pub(super) struct MendSearch<'a> {
    subject: &'a AlloySubject,
    choices: AlloyOptions,
    /// Of each command that was answered: whether it has an instance, and one of them.
    known: BTreeMap<usize, (bool, Option<Kept>)>,
    changes: Vec<AlloyChange>,
    /// How much likelier each of the small changes makes the text.
    gains: Vec<f64>,
    /// How many changed texts may still be read, and how many problems be given to a solver.
    texts: usize,
    trials: usize,
    /// How many pairs of changes may be tried.
    pairs: usize,
    /// How often solvers may still ask whether to go on.
    questions: u64,
    /// How often evaluators may.
    evaluating: u64,
}

/// A command that is not as expected.
struct Target<'a> {
    command: usize,
    hinges: InstanceHinges<'a>,
    /// Instances that it should not have.
    unwanted: Vec<Kept>,
    /// Of a check: instances of the facts in which the assertion is true.
    wanted: Vec<Kept>,
}

/// What an instance of a command is under a change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It is one still.
    Instance,
    /// The facts are true in it, and what the command asks for is not.
    OtherGoal,
    /// A fact or a declaration is false in it.
    Excluded,
}

/// What a change does to a command.
enum Tried {
    /// The changed text is no model, or one with other commands.
    Unfit,
    /// Instances that should be none are none then, but not all; the number is larger the more they are.
    Refuted(usize),
    /// The command is as expected then; the others are, by position, as expected or not.
    Mends(Verdicts),
}

/// What becomes of all commands under a change.
struct Verdicts {
    good: usize,
    of: usize,
    /// How many took too long.
    open: usize,
    breaks: Vec<usize>,
    /// Whether it also excludes instances of the facts, and does not only say something else of them.
    excludes: bool,
}

impl Verdicts {
    /// Whether a command that is as expected is not any more, or perhaps not.
    fn are_costly(&self) -> bool {
        !self.breaks.is_empty() || self.open > 0
    }
}

/// What came of a search so far.
#[derive(Default)]
struct Progress {
    found: Vec<Found>,
    /// Of each change that was tried and is one of this model: how well it gets rid of unwanted instances.
    scores: BTreeMap<usize, usize>,
    /// The changes that were tried by themselves.
    singles: BTreeSet<usize>,
    /// How many pairs were tried.
    pairs: usize,
}

/// A change that mends a command.
struct Found {
    change: TextChange,
    order: usize,
    verdicts: Verdicts,
}

impl<'a> MendSearch<'a> {
    pub(super) fn new(
        subject: &'a AlloySubject,
        answers: &[AlloyAnswer],
        choices: &AlloyOptions,
        effort: BlameEffort,
    ) -> Self {
        let known = answers.iter().filter_map(|answer| {
            let kept = match &answer.outcome {
                CommandOutcome::Found { found, .. } => {
                    let first = found.first()?;
                    Some((first.problem, first.instance.clone()))
                }
                _ => None,
            };
            Some((answer.command, (answer.satisfiable()?, kept)))
        });
        let (sources, file) = (subject.sources(), subject.file());
        let changes = changes(sources, file, subject.model());
        let text = without_comments(sources, file);
        let mut likeness = Likeness::new(&text);
        let gains = changes.iter().map(|one| match one.size {
            0 => likeness.gain(one.change.span, &one.change.text),
            _ => 0.0,
        });
        let gains: Vec<f64> = gains.collect();
        Self {
            subject,
            choices: AlloyOptions {
                instances: 1,
                evaluate: Vec::new(),
                why: false,
                ..choices.clone()
            },
            known: known.collect(),
            gains,
            changes,
            texts: effort.texts.min(effort.bytes / text.len().max(1)),
            // A solver is asked about one command, and diagrams about all properties.
            trials: 3 * effort.trials,
            pairs: effort.texts / 10,
            // A solver asks less often than decision diagrams do.
            questions: effort.diagrams / 20,
            evaluating: effort.listing,
        }
    }

    /// The places that are to blame for a command that is not as expected.
    pub(super) fn blame(&mut self, command: usize, budget: &Budget) -> Option<Blame> {
        let (satisfiable, kept) = self.known.get(&command)?.clone();
        if self.subject.commands()[command].expects_instance() == satisfiable {
            return None;
        }
        budget.phase("looking for who is to blame");
        let mut target = Target {
            command,
            hinges: InstanceHinges::of(self.subject, command, &self.choices),
            unwanted: kept.into_iter().collect(),
            wanted: Vec::new(),
        };
        let mut search = Progress::default();
        // What was found before the effort was spent stays found.
        let _ = self.search(&mut target, &mut search, budget);
        Some(self.ranked(search, &mut target, budget))
    }

    fn search(
        &mut self,
        target: &mut Target<'a>,
        search: &mut Progress,
        budget: &Budget,
    ) -> Run<()> {
        self.gather(target, budget)?;
        let mut near: Vec<usize> = (0..self.changes.len())
            .filter(|&at| self.changes[at].size == 0)
            .collect();
        near.sort_by(|&a, &b| {
            let asserted = |at: usize| self.changes[at].asserted;
            let gain = self.gains[b].total_cmp(&self.gains[a]);
            asserted(a).cmp(&asserted(b)).then(gain).then(a.cmp(&b))
        });
        for at in near {
            self.single(at, target, search, budget)?;
        }
        for at in self.larger(&search.scores) {
            self.single(at, target, search, budget)?;
        }
        // What costs something, or changes what only checks use, is perhaps not what was meant.
        let asserted = |one: &Found| self.changes[one.order].asserted;
        let free = |one: &Found| !one.verdicts.are_costly() && !asserted(one);
        if !search.found.iter().any(free) {
            self.pairs(target, search, budget)?;
        }
        Ok(())
    }

    /// Tries a change, unless no change at its place mends the command.
    fn single(
        &mut self,
        at: usize,
        target: &mut Target<'a>,
        search: &mut Progress,
        budget: &Budget,
    ) -> Run<()> {
        if self.excluded(&[at], target, budget)? {
            return Ok(());
        }
        let change = self.changes[at].change.clone();
        let score = self.attempt(&change, at, target, search, budget)?;
        search.singles.insert(at);
        if let Some(score) = score {
            search.scores.insert(at, score);
        }
        Ok(())
    }

    /// Whether no changes at the places of some changes mend the command.
    fn excluded(&mut self, at: &[usize], target: &mut Target<'a>, budget: &Budget) -> Run<bool> {
        let changes: Vec<&AlloyChange> = at.iter().map(|&at| &self.changes[at]).collect();
        let part = budget.counted(self.evaluating);
        let Target {
            hinges, unwanted, ..
        } = target;
        let excluded = hinges.excludes(&changes, unwanted, &part);
        self.evaluating = part.questions_left().unwrap_or(0);
        excluded
    }

    /// Further instances that the command should not have.
    fn gather(&mut self, target: &mut Target<'a>, budget: &Budget) -> Run<()> {
        if target.unwanted.is_empty() {
            return Ok(());
        }
        let command = &self.subject.commands()[target.command];
        for one in self.first_instances(target.command, command, budget) {
            if !target.unwanted.contains(&one) {
                target.unwanted.push(one);
            }
        }
        if command.check {
            let run = Command {
                check: false,
                ..command.clone()
            };
            target.wanted = self.first_instances(target.command, &run, budget);
        }
        budget.check()
    }

    /// The first instances of a command, or of one that stands for it.
    fn first_instances(&self, place: usize, command: &Command, budget: &Budget) -> Vec<Kept> {
        let question = CommandQuestion::scoped(self.subject, place, command, &self.choices);
        let Ok(question) = question else {
            return Vec::new();
        };
        let part = budget.counted(PATIENCE.min(self.questions));
        let mut instances = question.instances();
        let mut kept: Vec<Kept> = Vec::new();
        while kept.len() < FIRST
            && let Ok(Some(next)) = instances.next(&part)
        {
            kept.push((next.problem, next.instance));
        }
        kept
    }

    /// Whether a change excludes most of the instances in which the assertion is true.
    fn excludes_most(
        &self,
        question: &CommandQuestion<'_>,
        target: &Target<'_>,
        budget: &Budget,
    ) -> Run<bool> {
        let mut excluded = 0;
        for (problem, instance) in &target.wanted {
            let standing = standing(question, *problem, instance, budget)?;
            excluded += usize::from(standing == Some(Standing::Excluded));
        }
        Ok(2 * excluded > target.wanted.len())
    }

    /// The changes that write more than a token, in the order in which they are tried: at suspicious places first, and small
    /// ones first.
    fn larger(&self, scores: &BTreeMap<usize, usize>) -> Vec<usize> {
        let lines = self.lines(scores);
        let mut by_place: BTreeMap<(bool, Span), Vec<usize>> = BTreeMap::new();
        for (at, one) in self.changes.iter().enumerate() {
            if one.size > 0 {
                let place = (one.asserted, one.change.place);
                by_place.entry(place).or_default().push(at);
            }
        }
        let mut places: Vec<(Reverse<usize>, bool, Span)> = by_place
            .keys()
            .map(|&(asserted, place)| {
                let score = lines.get(&self.line(place)).copied().unwrap_or(0);
                (Reverse(score), asserted, place)
            })
            .collect();
        places.sort_by_key(|&(score, asserted, place)| (asserted, score, place));
        let mut order: Vec<(bool, usize, usize)> = Vec::new();
        let mut rank = 0;
        let mut last = None;
        for (score, asserted, place) in places {
            if last != Some((score, asserted)) {
                rank += 1;
                last = Some((score, asserted));
            }
            let mut here = by_place.remove(&(asserted, place)).unwrap_or_default();
            here.sort_by_key(|&at| (self.changes[at].size, at));
            for (position, at) in here.into_iter().enumerate() {
                // Places take turns, and a suspicious one has more of them.
                order.push((asserted, (position + 4) * rank, at));
            }
        }
        order.sort_unstable();
        order.into_iter().map(|(_, _, at)| at).collect()
    }

    /// The most unwanted instances that a change on each line got rid of.
    fn lines(&self, scores: &BTreeMap<usize, usize>) -> BTreeMap<usize, usize> {
        let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
        for (&at, &score) in scores {
            let line = self.line(self.changes[at].change.place);
            let known = lines.entry(line).or_default();
            *known = (*known).max(score);
        }
        lines
    }

    fn line(&self, span: Span) -> usize {
        self.subject.sources().place(span).line
    }

    /// Tries a change and notes what it does: how many unwanted instances it gets rid of, twice if it does so without a fact;
    /// none if it is no change of this model.
    fn attempt(
        &mut self,
        change: &TextChange,
        order: usize,
        target: &mut Target<'a>,
        search: &mut Progress,
        budget: &Budget,
    ) -> Run<Option<usize>> {
        if self.texts == 0 {
            return Err(Stop::TimeOut);
        }
        self.texts -= 1;
        budget.check()?;
        let part = budget.counted(self.evaluating);
        let tried = self.tried(change, target, &part, budget);
        self.evaluating = part.questions_left().unwrap_or(0);
        Ok(match tried? {
            Tried::Unfit => None,
            Tried::Refuted(score) => Some(score),
            Tried::Mends(verdicts) => {
                search.found.push(Found {
                    change: change.clone(),
                    order,
                    verdicts,
                });
                Some(2 * target.unwanted.len())
            }
        })
    }

    /// Tries a change; `part` is for everything but solvers.
    fn tried(
        &mut self,
        change: &TextChange,
        target: &mut Target<'a>,
        part: &Budget,
        budget: &Budget,
    ) -> Run<Tried> {
        let Some(changed) = self.subject.changed(change, part)? else {
            return Ok(Tried::Unfit);
        };
        let Ok(question) = changed.question(target.command, &self.choices) else {
            return Ok(Tried::Unfit);
        };
        let (mut shown, mut score, mut excludes) = (false, 0, false);
        for (problem, instance) in target.unwanted.iter().rev() {
            match standing(&question, *problem, instance, part)? {
                Some(Standing::Instance) => shown = true,
                Some(Standing::OtherGoal) => score += 2,
                Some(Standing::Excluded) => {
                    score += 1;
                    excludes = true;
                }
                None => return Ok(Tried::Unfit),
            }
        }
        // What forbids most of what is right does not mend what is wrong.
        if excludes && self.excludes_most(&question, target, part)? {
            return Ok(Tried::Unfit);
        }
        if shown {
            return Ok(Tried::Refuted(score));
        }
        let expected = self.subject.commands()[target.command].expects_instance();
        match self.solved(&question, budget)? {
            None => return Ok(Tried::Refuted(score)),
            Some(None) if expected => return Ok(Tried::Refuted(score)),
            Some(Some(kept)) if !expected => {
                if target.unwanted.len() < MOST {
                    target.unwanted.push(kept);
                }
                return Ok(Tried::Refuted(score));
            }
            Some(_) => {}
        }
        // A change under which the facts cannot hold together mends nothing.
        if !expected && !self.consistent(&question, target, budget)? {
            return Ok(Tried::Refuted(score));
        }
        let mut verdicts = Verdicts {
            good: 1,
            of: self.known.len(),
            open: 0,
            breaks: Vec::new(),
            excludes,
        };
        let others: Vec<usize> = self.known.keys().copied().collect();
        for command in others.into_iter().filter(|&c| c != target.command) {
            let expected = self.subject.commands()[command].expects_instance();
            let before = self.known[&command].0;
            match self.satisfiable(&changed, command, budget)? {
                Some(found) if found == expected => verdicts.good += 1,
                Some(_) if before == expected => verdicts.breaks.push(command),
                Some(_) => {}
                None => verdicts.open += 1,
            }
        }
        Ok(Tried::Mends(verdicts))
    }

    /// Whether a command of a changed model has an instance; an instance that is known of the model is tried first.
    fn satisfiable(
        &mut self,
        changed: &AlloySubject,
        command: usize,
        budget: &Budget,
    ) -> Run<Option<bool>> {
        let Ok(question) = changed.question(command, &self.choices) else {
            return Ok(None);
        };
        if let (_, Some((problem, instance))) = &self.known[&command]
            && standing(&question, *problem, instance, budget)? == Some(Standing::Instance)
        {
            return Ok(Some(true));
        }
        let solved = self.solved(&question, budget)?;
        Ok(solved.map(|kept| kept.is_some()))
    }

    /// An instance of a command, if there is one; nothing if that is not known in time.
    fn solved(
        &mut self,
        question: &CommandQuestion<'_>,
        budget: &Budget,
    ) -> Run<Option<Option<Kept>>> {
        if self.trials == 0 || self.questions == 0 {
            return Err(Stop::TimeOut);
        }
        self.trials -= 1;
        let most = PATIENCE.min(self.questions);
        let part = budget.counted(most);
        let next = question.instances().next(&part);
        self.questions -= most - part.questions_left().unwrap_or(0).min(most);
        budget.check()?;
        Ok(match next {
            Ok(next) => Some(next.map(|found| (found.problem, found.instance))),
            Err(Hitch::Stopped(_) | Hitch::Refused(_)) => None,
        })
    }

    /// Whether the facts can hold together in the scope of a command; unwanted instances are tried first.
    fn consistent(
        &mut self,
        question: &CommandQuestion<'_>,
        target: &Target<'_>,
        budget: &Budget,
    ) -> Run<bool> {
        let (command, _) = question.last_round();
        let (model, lowering) = (question.session().model(), &self.choices.lowering);
        let Ok(facts) = lower_facts(model, command, lowering, question.longest()) else {
            return Ok(false);
        };
        for (_, instance) in &target.unwanted {
            if holds_in(&facts, instance, budget)? == Some(Standing::Instance) {
                return Ok(true);
            }
        }
        let part = budget.counted(PATIENCE.min(self.questions));
        let options = &self.choices.search;
        let search = Search::<Strongest>::new(&facts.problem, options, &part);
        let some = search.and_then(|mut search| search.next_unchecked(&part));
        budget.check()?;
        Ok(matches!(some, Ok(Some(_))))
    }
}
