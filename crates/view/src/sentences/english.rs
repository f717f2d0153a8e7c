//! English: how the evidence answers a property, and what each state is for.
//!
//! Everything here is a template over the proof, so the same proof always
//! reads the same. Sentences are whole: a capital letter, a full stop.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use wherefore_evidence::{
    Assertion, Claim, OccurrenceId, ProofId, ProofNode, RegionId, Rule, StatesFrom,
};
use wherefore_logic::{Goal, Kernel, PathPattern, kernel};

use super::checked::SentenceKind;
use super::clauses::Mood;
use super::paths::{ClaimPath, no_step};
use super::{Sentence, add, count, joined};
use crate::ahead::{Ahead, End};
use crate::excerpt::Excerpt;
use crate::forms::peeled;
use crate::walk::{Part, Visit, walk};
use crate::words::Telling;

/// How the evidence answers the property, in a sentence.
pub(crate) fn answer(telling: &Telling<'_>) -> Sentence {
    let ahead = Ahead::new(telling.evidence);
    let teller = Teller::new(telling, &ahead);
    match telling.evidence.proof.get(ProofId::new(0)) {
        Some(_) => match teller.how(ProofId::new(0), None, 0) {
            how if how.is_empty() => "The proof below shows it.".into(),
            how => say!("here {}", how).whole(),
        },
        None => "The run below shows it.".into(),
    }
}

/// For each occurrence that is told, what it is for, in a sentence.
pub(crate) fn sentences(
    telling: &Telling<'_>,
    excerpt: &Excerpt,
    backward: bool,
) -> BTreeMap<OccurrenceId, Sentence> {
    let ahead = Ahead::new(telling.evidence);
    let teller = Teller::new(telling, &ahead);
    let mut phrases: BTreeMap<OccurrenceId, Vec<Sentence>> = BTreeMap::new();
    for visit in walk(telling, excerpt) {
        let here = phrases.entry(visit.at).or_default();
        let phrases = teller.phrases(&visit, backward);
        let phrase = match phrases.is_empty() {
            true => continue,
            false => telling.first_true(SentenceKind::English, phrases),
        };
        if !phrase.is_empty() {
            add(here, phrase);
        }
    }
    let sentences = phrases
        .into_iter()
        .map(|(at, phrases)| (at, state_sentence(at, &phrases, backward)));
    sentences.collect()
}

/// The phrases about a state as one sentence.
fn state_sentence(at: OccurrenceId, phrases: &[Sentence], backward: bool) -> Sentence {
    let first = at.index() == 0;
    let text: Sentence = match (phrases, first, backward) {
        ([], true, _) => "the run starts here".into(),
        ([], false, _) => "the run passes through here".into(),
        (phrases, true, false) => say!("the run starts here: {}", joined(phrases, ", and ")),
        (phrases, true, true) => {
            say!("{}, and here the run starts", joined(phrases, ", and "))
        }
        (phrases, false, _) => joined(phrases, ", and "),
    };
    text.whole()
}

/// Sentences nest no deeper than this.
const DEEPEST: usize = 6;

struct Teller<'t, 'a> {
    telling: &'t Telling<'a>,
    ahead: &'t Ahead,
    propositional: Vec<bool>,
}

impl<'t, 'a> Teller<'t, 'a> {
    fn new(telling: &'t Telling<'a>, ahead: &'t Ahead) -> Self {
        Self {
            telling,
            ahead,
            propositional: telling.query.formula.propositional().as_slice().to_vec(),
        }
    }

    fn node(&self, id: ProofId) -> &ProofNode {
        &self.telling.evidence.proof[id]
    }

    fn goal(&self, id: ProofId) -> Option<Goal> {
        match self.node(id).claim {
            Claim::Formula(goal, _) => Some(goal),
            Claim::HasPath => None,
        }
    }

    fn is_of_state(&self, id: ProofId) -> bool {
        let shown = self.node(id).rule.is_some();
        let goal = self.goal(id);
        shown && goal.is_some_and(|goal| self.propositional[goal.sub.index()])
    }

    /// The claims at one place as a clause, without those about constants.
    fn facts(&self, ids: &[ProofId]) -> Sentence {
        let worth = |id: &&ProofId| !self.telling.is_trivial(self.node(**id).claim);
        let mut facts = Vec::new();
        for &id in ids.iter().filter(worth) {
            if let Some(goal) = self.goal(id) {
                add(&mut facts, self.fact(self.node(id), goal));
            }
        }
        joined(&facts, " and ")
    }

    /// A claim at its place as a clause; of a bounded operator, with the bounds that are left.
    fn fact(&self, node: &ProofNode, goal: Goal) -> Sentence {
        match node.claim {
            Claim::Formula(_, None) => {
                let clause = self.telling.clause(goal, Mood::Is);
                clause.asserting(Assertion::at(goal, node.at))
            }
            claim => self.telling.claim_at(claim, node.at),
        }
    }

    /// Why a claim is so, or that it is. `named` is the step that was named last.
    fn how(&self, id: ProofId, named: Option<OccurrenceId>, depth: usize) -> Sentence {
        let node = self.node(id);
        let mut sentences = self.why(id, named, depth);
        match self.goal(id) {
            Some(goal) if node.rule.is_some() => sentences.push(self.plainly(node, goal, named)),
            Some(goal) => sentences.push(say!(
                "{}, which is not shown yet",
                self.plainly(node, goal, named)
            )),
            None => {}
        }
        self.telling.first_true(SentenceKind::Answer, sentences)
    }

    /// Why a claim is so, the sentence that says most first.
    fn why(&self, id: ProofId, named: Option<OccurrenceId>, depth: usize) -> Vec<Sentence> {
        let node = self.node(id);
        let Some(goal) = self.goal(id) else {
            let words = say!(
                "a {}run goes on {}",
                self.telling.fair(),
                from(node.at, named)
            );
            return vec![words.asserting(Assertion::GoesOn(node.at))];
        };
        if depth > DEEPEST {
            return vec![];
        }
        match node.rule {
            Some(Rule::Run) => vec![self.telling.along_run(goal, node.at)],
            Some(Rule::State | Rule::Total | Rule::Start) | None => vec![],
            Some(Rule::Branch(_)) if self.is_of_state(id) => vec![],
            Some(Rule::Branch(_) | Rule::Goal) => {
                vec![self.all_at(&self.telling.formulas(node), node.at, named, depth)]
            }
            Some(Rule::Step) => {
                let [to] = self.telling.formulas(node)[..] else {
                    return vec![];
                };
                let target = self.node(to);
                let words = match self.telling.is_trivial(target.claim) {
                    true => say!("one step leads {} to {}", from(node.at, named), target.at),
                    false => say!("one step later {}", self.how(to, None, depth + 1)),
                };
                vec![words.asserting(Assertion::Path {
                    run: vec![node.at, target.at],
                    keep: vec![],
                    arrive: vec![],
                })]
            }
            Some(Rule::EveryStep) => {
                let next = self.next_goal(goal);
                let clause = self.telling.clause(next, Mood::Is);
                let sentence = |counted: bool| {
                    let words = match counted {
                        true => say!(
                            "in every state that {} come to next from {}, {}",
                            self.telling.counted_runs(),
                            node.at,
                            &clause
                        ),
                        false => say!("in every state that follows {}, {}", node.at, &clause),
                    };
                    words.asserting(self.at_every_next(node.at, next, counted))
                };
                vec![sentence(false), sentence(true)]
            }
            Some(Rule::Continue | Rule::DeadEnd | Rule::Stop) => self.along(id, goal, named, depth),
            Some(Rule::Region(region)) => self.by_region(region, node, goal, named),
        }
    }

    /// What a claim about every next state, or about every path, says of the next states.
    fn next_goal(&self, goal: Goal) -> Goal {
        match kernel(&self.telling.query.formula, goal) {
            Kernel::Step(_, next) => next,
            _ => goal,
        }
    }

    fn at_every_next(&self, at: OccurrenceId, next: Goal, counted: bool) -> Assertion {
        Assertion::Every {
            of: self.telling.said(StatesFrom::Next, at, counted),
            goals: vec![next],
        }
    }

    /// A claim that everything that can follow shows.
    fn by_region(
        &self,
        region: RegionId,
        node: &ProofNode,
        goal: Goal,
        named: Option<OccurrenceId>,
    ) -> Vec<Sentence> {
        let Some(region) = self.telling.evidence.regions.get(region) else {
            return vec![];
        };
        let sentence = |counted: bool| {
            let what = self.for_all_that_follows(goal, node.at, counted);
            let states = self.telling.shown_states(goal, region, counted)?;
            let were = if region.size == BigUint::from(1u8) {
                "was"
            } else {
                "were"
            };
            let who = match counted {
                true => say!("whatever {} do", self.telling.counted_runs()),
                false => "whatever happens".into(),
            };
            Some(say!(
                "{} {}, {}: {} {} checked",
                from(node.at, named),
                what,
                who,
                states,
                were
            ))
        };
        [false, true].into_iter().filter_map(sentence).collect()
    }

    /// "p holds at step 2".
    fn plainly(&self, node: &ProofNode, goal: Goal, named: Option<OccurrenceId>) -> Sentence {
        say!("{} {}", at(node.at, named), self.fact(node, goal))
    }

    /// Several claims at one place.
    fn all_at(
        &self,
        ids: &[ProofId],
        place: OccurrenceId,
        named: Option<OccurrenceId>,
        depth: usize,
    ) -> Sentence {
        let (of_state, others): (Vec<_>, Vec<_>) =
            ids.iter().copied().partition(|&id| self.is_of_state(id));
        let facts = self.facts(&of_state);
        let mut parts = Vec::new();
        let mut named = named;
        if !facts.is_empty() {
            parts.push(say!("{} {}", at(place, named), facts));
            named = Some(place);
        }
        for &id in &others {
            let part = self.how(id, named, depth + 1);
            if !part.is_empty() {
                parts.push(part);
            }
            named = None;
        }
        if parts.is_empty() {
            return say!("the run comes to {}", place);
        }
        joined(&parts, ", and ")
    }

    /// A claim about a path, to its end.
    fn along(
        &self,
        id: ProofId,
        goal: Goal,
        named: Option<OccurrenceId>,
        depth: usize,
    ) -> Vec<Sentence> {
        let start = self.node(id).at;
        let path = self.telling.claim_path(id);
        let stays = [self.stay(goal), Sentence::default()];
        let keeps = [self.stay_goals(goal), vec![]];
        let node = self.node(path.end);
        let sentence = |stay: &Sentence, keep: &[Goal]| {
            let words = match (path.back, node.rule) {
                (Some(_), _) => {
                    let go = loop_text(&path, "the run ");
                    say!("{} {} for ever{}", from(start, named), go, stay)
                }
                (None, Some(Rule::DeadEnd)) => {
                    let words = say!(
                        "{} the run goes to {}, where no step leads on{}",
                        from(start, named),
                        node.at,
                        stay
                    );
                    words.asserting(no_step(node.at))
                }
                _ => say!("{} the run goes to {}{}", from(start, named), node.at, stay),
            };
            words.asserting(path.asserted(keep, keep, self.is_fair()))
        };
        match (path.back, node.rule) {
            (Some(_), _) | (None, Some(Rule::DeadEnd | Rule::Stop)) => {
                let both = stays.iter().zip(&keeps);
                both.map(|(stay, keep)| sentence(stay, keep)).collect()
            }
            (None, Some(Rule::Continue)) => vec![],
            (None, _) if path.end == id => vec![],
            (None, _) => {
                let named = named.filter(|&named| named == node.at);
                let how = self.how(path.end, named, depth + 1);
                vec![how.asserting(path.asserted(&[], &[], false))]
            }
        }
    }

    fn is_fair(&self) -> bool {
        !self.telling.fair().is_empty()
    }

    /// What a path keeps to.
    fn stay_goals(&self, goal: Goal) -> Vec<Goal> {
        match kernel(&self.telling.query.formula, goal) {
            Kernel::Path(PathPattern { stay, .. })
            | Kernel::Bounded(_, PathPattern { stay, .. }) => stay,
            _ => vec![],
        }
    }

    /// What a path keeps to: ", without f holding", ", while p holds".
    fn stay(&self, goal: Goal) -> Sentence {
        let formula = &self.telling.query.formula;
        let stay = self.stay_goals(goal);
        let stay: Vec<Goal> = stay.into_iter().map(|goal| peeled(formula, goal)).collect();
        match stay[..] {
            [] => Sentence::default(),
            [goal] if !goal.holds && self.propositional[goal.sub.index()] => {
                let being = self.telling.clause(goal.negated(), Mood::Being);
                say!(", without {}", being)
            }
            _ => say!(", while {}", self.telling.clause_of_all(&stay, Mood::Is)),
        }
    }

    /// What is so of everything that can follow.
    fn for_all_that_follows(&self, goal: Goal, at: OccurrenceId, counted: bool) -> Sentence {
        let claimed = Assertion::at(goal, at);
        match kernel(&self.telling.query.formula, goal) {
            Kernel::Path(PathPattern {
                stay, goal: None, ..
            }) => {
                let formula = &self.telling.query.formula;
                let words = match stay.iter().map(|&goal| peeled(formula, goal)).next() {
                    Some(goal) if !goal.holds && self.propositional[goal.sub.index()] => {
                        let is = self.telling.clause(goal.negated(), Mood::Is);
                        say!("it never happens that {}", is)
                    }
                    Some(goal) => say!("always {}", self.telling.clause(goal, Mood::Is)),
                    None => "it is so".into(),
                };
                words.asserting(claimed).asserting(Assertion::Every {
                    of: self.telling.said(StatesFrom::All, at, counted),
                    goals: stay,
                })
            }
            _ => self.telling.clause(goal, Mood::Is).asserting(claimed),
        }
    }

    /// What a claim says about the state it is attached to, the phrase that says most first.
    fn phrases(&self, visit: &Visit, backward: bool) -> Vec<Sentence> {
        let node = self.node(visit.id);
        let Some(goal) = self.goal(visit.id) else {
            return vec![];
        };
        if visit.stopped || self.telling.is_trivial(node.claim) {
            return vec![];
        }
        let here = say!("here {}", self.fact(node, goal));
        if node.rule.is_none() {
            return vec![say!("{}, which is not shown yet", here)];
        }
        if self.is_of_state(visit.id) {
            let told = visit.part != Part::Kept && !visit.covered;
            return if told { vec![here] } else { vec![] };
        }
        let both = [false, true];
        let mut phrases: Vec<Sentence> = match node.rule {
            Some(Rule::Continue) => self.on_the_way(visit, goal, backward),
            Some(Rule::DeadEnd | Rule::Stop) => {
                let words = match node.rule {
                    Some(Rule::DeadEnd) => {
                        Sentence::from("here no step leads on").asserting(no_step(node.at))
                    }
                    _ => "here the run may end".into(),
                };
                let kept = self.stay_goals(goal);
                let kept = kept.iter().map(|&goal| Assertion::at(goal, node.at));
                let stay = say!("{}{}", &words, self.stay(goal));
                vec![kept.fold(stay, Sentence::asserting), words]
            }
            Some(Rule::Region(_)) => {
                let phrase = |counted: bool| {
                    let what = self.for_all_that_follows(goal, node.at, counted);
                    match counted {
                        true => say!(
                            "from here on, whatever {} do, {}",
                            self.telling.counted_runs(),
                            what
                        ),
                        false => say!("from here on, whatever happens, {}", what),
                    }
                };
                both.map(phrase).into()
            }
            Some(Rule::Step) => {
                let [to] = self.telling.formulas(node)[..] else {
                    return vec![];
                };
                let to = self.node(to).at;
                let words = say!("from here one step leads to {}", to);
                vec![words.asserting(Assertion::Path {
                    run: vec![node.at, to],
                    keep: vec![],
                    arrive: vec![],
                })]
            }
            Some(Rule::EveryStep) if self.telling.successors(node).is_empty() => {
                vec![Sentence::from("here no step leads on").asserting(no_step(node.at))]
            }
            Some(Rule::EveryStep) => {
                let next = self.next_goal(goal);
                let is = self.telling.clause(next, Mood::Is);
                let phrase = |counted: bool| {
                    let words = match counted {
                        true => say!(
                            "from here every step of {} leads to where {}",
                            self.telling.counted_runs(),
                            &is
                        ),
                        false => say!("from here every step leads to where {}", &is),
                    };
                    words.asserting(self.at_every_next(node.at, next, counted))
                };
                both.map(phrase).into()
            }
            _ => return vec![],
        };
        phrases.push(here);
        phrases
    }

    /// What is so where a path arrives: what can be seen there, or otherwise what is claimed.
    fn arrival(&self, ids: &[ProofId]) -> (Sentence, Vec<Goal>) {
        let formula = &self.telling.query.formula;
        let mut seen: Vec<Goal> = Vec::new();
        let mut open: Vec<Goal> = ids.iter().rev().filter_map(|&id| self.goal(id)).collect();
        while let Some(goal) = open.pop() {
            match kernel(formula, goal) {
                _ if self.propositional[goal.sub.index()] => seen.push(goal),
                Kernel::Branches(branches) if branches.len() == 1 => {
                    open.extend(branches.concat().into_iter().rev());
                }
                _ => {}
            }
        }
        match self.telling.clause_of_all(&seen, Mood::Is) {
            text if text.is_empty() => (say!("it comes to this: {}", self.facts(ids)), vec![]),
            text => (text, seen),
        }
    }

    /// Where on its path a claim stands.
    fn on_the_way(&self, visit: &Visit, goal: Goal, backward: bool) -> Vec<Sentence> {
        let goes_on = visit.part == Part::GoesOn;
        let end = self.ahead.end(visit.id);
        // Along a long path what is kept and where it leads was looked at where it starts.
        let path = match goes_on {
            true => self.telling.short_path(visit.id, end),
            false => Some(self.telling.claim_path(visit.id)),
        };
        let asserting = |words: Sentence, keep: &[Goal], arrive: &[Goal]| match &path {
            Some(path) => words.asserting(path.asserted(keep, arrive, self.is_fair())),
            None => words,
        };
        let (end, steps) = match end {
            End::Loop(turn) => {
                let phrase = |stay: &Sentence, keep: &[Goal]| {
                    let words = match (goes_on, turn.away, &path) {
                        (false, _, Some(path)) => {
                            let go = loop_text(path, "the run ");
                            say!("from here on {} for ever{}", go, stay)
                        }
                        (true, 0, _) if turn.last == visit.at && turn.length > 1 => {
                            say!("from here the loop goes back to {}{}", turn.first, stay)
                        }
                        (_, 0, _) => say!("here the loop goes on{}", stay),
                        (_, away, _) => {
                            say!("here the loop is {} away{}", count(away, "step"), stay)
                        }
                    };
                    asserting(words, keep, keep)
                };
                let keep = self.stay_goals(goal);
                let kept = phrase(&self.stay(goal), &keep);
                return vec![kept, phrase(&Sentence::default(), &[])];
            }
            End::Node(end, steps) => (end, steps),
        };
        let node = self.node(end);
        let (arrives, arrive) = match node.rule {
            Some(Rule::Goal) => self.arrival(&self.telling.formulas(node)),
            Some(Rule::DeadEnd) => {
                let words = Sentence::from("no step leads on").asserting(no_step(node.at));
                (words, vec![])
            }
            _ => (self.fact(node, goal), vec![]),
        };
        let steps = count(steps, "step");
        let words = match (backward, goes_on) {
            (true, _) => say!(
                "this is because, one step before, the run is here; {} on, {}",
                steps,
                arrives
            ),
            (false, true) => say!("still {} until {}", steps, arrives),
            (false, false) => say!("{} from here {}", steps, arrives),
        };
        vec![asserting(words, &[], &arrive)]
    }
}

/// "at step 2", "there".
fn at(place: OccurrenceId, named: Option<OccurrenceId>) -> Sentence {
    if named == Some(place) {
        "there".into()
    } else {
        say!("at {}", place)
    }
}

/// "from step 2 on", "from then on".
fn from(place: OccurrenceId, named: Option<OccurrenceId>) -> Sentence {
    if named == Some(place) {
        "from then on".into()
    } else {
        say!("from {} on", place)
    }
}

/// "the run goes round steps 3 and 4".
fn loop_text(path: &ClaimPath, who: &str) -> Sentence {
    let turn = &path.run[path.back.unwrap_or(0)..];
    let (first, last) = (turn[0].index(), turn[turn.len() - 1].index());
    // Seen from within a loop its first step may be any of it.
    let least = turn.iter().map(|at| at.index()).min().unwrap_or(first);
    let most = turn.iter().map(|at| at.index()).max().unwrap_or(last);
    let in_a_row = most - least + 1 == turn.len();
    match turn.len() {
        1 => say!("{}stays at step {}", who, first),
        2 if in_a_row => say!("{}goes round steps {} and {}", who, least, most),
        _ if in_a_row => say!("{}goes round steps {} to {}", who, least, most),
        length => say!(
            "{}goes round a loop of {} from step {}",
            who,
            count(length, "step"),
            first
        ),
    }
}
