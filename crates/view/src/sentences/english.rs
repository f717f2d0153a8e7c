//! English: what a property says, how the evidence answers it, and what each state is for.
//!
//! Everything here is a template over the property's pattern and the proof, so the same proof always
//! reads the same. Sentences are whole: a capital letter, a full stop.

use std::collections::BTreeMap;

use wherefore_evidence::{Claim, OccurrenceId, ProofId, ProofNode, Rule};
use wherefore_logic::{Goal, Kernel, PathPattern, kernel};

use super::clauses::Mood;
use super::{Sentence, add, count, joined};
use crate::ahead::{Ahead, End, Turn};
use crate::excerpt::Excerpt;
use crate::forms::peeled;
use crate::parts::atom_numbers;
use crate::patterns::{PatternKind, PatternScope, PropertyPattern, pattern};
use crate::walk::{Part, Visit, walk};
use crate::words::Telling;

/// What the property says, in a sentence.
pub(crate) fn reading(telling: &Telling<'_>) -> Sentence {
    let formula = &telling.query.formula;
    let numbers = atom_numbers(telling.report.model, telling.query);
    let root = Goal::holds(formula.root());
    let text: Sentence = match pattern(formula, root, &|atom| numbers[atom.index()]) {
        Some(pattern) => telling.pattern_text(pattern),
        None => say!("it must be so that {}", telling.clause(root, Mood::Is)),
    };
    text.whole()
}

/// How the evidence answers the property, in a sentence.
pub(crate) fn answer(telling: &Telling<'_>) -> Sentence {
    let ahead = Ahead::new(telling.evidence);
    let teller = Teller::new(telling, &ahead);
    match telling.evidence.proof.get(ProofId::new(0)) {
        Some(_) => say!("here {}", teller.how(ProofId::new(0), None, 0)).whole(),
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
        if let Some(phrase) = teller.phrase(&visit, backward) {
            let end = ahead.end(visit.id);
            add(here, phrase.asserting(telling.asserted(visit.id, end)));
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

impl Telling<'_> {
    fn pattern_text(&self, pattern: PropertyPattern) -> Sentence {
        let is = |goal| self.clause(goal, Mood::Is);
        let must = |goal| self.clause(goal, Mood::Must);
        let text = match pattern.kind {
            PatternKind::Absence(p) => say!("it must never happen that {}", is(p)),
            PatternKind::Universality(p) => say!("at all times {}", must(p)),
            PatternKind::Implication(p, q) => {
                say!("whenever {}, {} at the same time", is(p), must(q))
            }
            PatternKind::Exclusion(p, q) => {
                say!(
                    "it must never happen that {} and {} at the same time",
                    is(p),
                    is(q)
                )
            }
            PatternKind::Existence(p) => say!("sooner or later {}", must(p)),
            PatternKind::AtMost(p, 0) => say!("it must never come to be that {}", is(p)),
            PatternKind::AtMost(p, 1) => say!("at most once may it come to be that {}", is(p)),
            PatternKind::AtMost(p, n) => {
                say!("at most {} times may it come to be that {}", n, is(p))
            }
            PatternKind::Precedence(first, then) => {
                say!(
                    "it must never happen that {} before {}",
                    is(then),
                    is(first)
                )
            }
            PatternKind::Response(p, s) => say!("whenever {}, sooner or later {}", is(p), must(s)),
            PatternKind::NextResponse(p, s) => {
                say!("whenever {}, in every next state {}", is(p), must(s))
            }
            PatternKind::PossibleResponse(p, s) => {
                say!(
                    "whenever {}, it must be possible that later {}",
                    is(p),
                    is(s)
                )
            }
            PatternKind::Recurrence(p) => say!("again and again, for ever, {}", must(p)),
            PatternKind::Reset(p) => say!(
                "whatever has happened, it must be possible to come to where {}",
                is(p)
            ),
            PatternKind::Reachable(p) => say!("it must be possible to come to where {}", is(p)),
            PatternKind::Lasting(p) => {
                say!("it must be possible that from the start {} for ever", is(p))
            }
            PatternKind::NoDeadlock => "at all times it must be possible to make a step".into(),
        };
        match pattern.scope {
            PatternScope::Globally => text,
            PatternScope::Before(r) => {
                say!(
                    "before the first time that {}, if there is one, {}",
                    is(r),
                    text
                )
            }
            PatternScope::After(q) => say!("once it was so that {}, {}", is(q), text),
        }
    }
}

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
        let goals: Vec<Goal> = ids
            .iter()
            .filter(worth)
            .filter_map(|&id| self.goal(id))
            .collect();
        self.telling.clause_of_all(&goals, Mood::Is)
    }

    /// Why a claim is so. `named` is the step that was named last.
    fn how(&self, id: ProofId, named: Option<OccurrenceId>, depth: usize) -> Sentence {
        let asserted = self.telling.asserted(id, self.ahead.end(id));
        self.why(id, named, depth).asserting(asserted)
    }

    fn why(&self, id: ProofId, named: Option<OccurrenceId>, depth: usize) -> Sentence {
        let node = self.node(id);
        let Some(goal) = self.goal(id) else {
            return say!(
                "a {}run goes on {}",
                self.telling.fair(),
                from(node.at, named)
            );
        };
        if depth > DEEPEST {
            return self.plainly(node, goal, named);
        }
        match node.rule {
            Some(Rule::Run) => self.telling.along_run(goal, node.at),
            Some(Rule::State | Rule::Total) => self.plainly(node, goal, named),
            Some(Rule::Branch(_)) if self.is_of_state(id) => self.plainly(node, goal, named),
            Some(Rule::Branch(_) | Rule::Goal) => {
                self.all_at(&self.telling.formulas(node), node.at, named, depth)
            }
            Some(Rule::Step) => match self.telling.formulas(node)[..] {
                [to] if self.telling.is_trivial(self.node(to).claim) => say!(
                    "one step leads {} to {}",
                    from(node.at, named),
                    self.node(to).at
                ),
                [to] => say!("one step later {}", self.how(to, None, depth + 1)),
                _ => self.plainly(node, goal, named),
            },
            Some(Rule::EveryStep) => {
                let next = match kernel(&self.telling.query.formula, goal) {
                    Kernel::Step(_, next) => self.telling.clause(next, Mood::Is),
                    _ => self.telling.clause(goal, Mood::Is),
                };
                say!("in every state that follows {}, {}", node.at, next)
            }
            Some(Rule::Continue | Rule::DeadEnd | Rule::Stop) => self.along(id, goal, named, depth),
            Some(Rule::Region(region)) => {
                let size = self.telling.evidence.regions.get(region);
                let size = size.map_or_else(String::new, |region| region.size.to_string());
                let states = match size.as_str() {
                    "1" => "the only state that can follow was checked".into(),
                    n => say!("all {} states that can follow were checked", n),
                };
                let what = self.for_all_that_follows(goal);
                say!(
                    "{} {}, whatever happens: {}",
                    from(node.at, named),
                    what,
                    states
                )
            }
            None => say!(
                "{}, which is not shown yet",
                self.plainly(node, goal, named)
            ),
        }
    }

    /// "p holds at step 2".
    fn plainly(&self, node: &ProofNode, goal: Goal, named: Option<OccurrenceId>) -> Sentence {
        let place = at(node.at, named);
        say!("{} {}", place, self.telling.clause(goal, Mood::Is))
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
            parts.push(self.how(id, named, depth + 1));
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
    ) -> Sentence {
        let start = self.node(id).at;
        match self.ahead.end(id) {
            End::Loop(turn) => {
                let stay = self.stay(goal);
                let go = loop_text(turn, "the run ");
                say!("{} {} for ever{}", from(start, named), go, stay)
            }
            End::Node(end, _) => {
                let node = self.node(end);
                match node.rule {
                    Some(Rule::DeadEnd) => say!(
                        "{} the run goes to {}, where no step leads on{}",
                        from(start, named),
                        node.at,
                        self.stay(goal)
                    ),
                    Some(Rule::Stop) => say!(
                        "{} the run goes to {}{}",
                        from(start, named),
                        node.at,
                        self.stay(goal)
                    ),
                    Some(Rule::Continue) => self.plainly(node, goal, named),
                    _ => {
                        let named = named.filter(|&named| named == node.at);
                        self.how(end, named, depth + 1)
                    }
                }
            }
        }
    }

    /// What a path keeps to: ", without f holding", ", while p holds".
    fn stay(&self, goal: Goal) -> Sentence {
        let stay = match kernel(&self.telling.query.formula, goal) {
            Kernel::Path(PathPattern { stay, .. })
            | Kernel::Bounded(_, PathPattern { stay, .. }) => stay,
            _ => vec![],
        };
        let formula = &self.telling.query.formula;
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
    fn for_all_that_follows(&self, goal: Goal) -> Sentence {
        match kernel(&self.telling.query.formula, goal) {
            Kernel::Path(PathPattern {
                stay, goal: None, ..
            }) => {
                let formula = &self.telling.query.formula;
                match stay.iter().map(|&goal| peeled(formula, goal)).next() {
                    Some(goal) if !goal.holds && self.propositional[goal.sub.index()] => {
                        let is = self.telling.clause(goal.negated(), Mood::Is);
                        say!("it never happens that {}", is)
                    }
                    Some(goal) => say!("always {}", self.telling.clause(goal, Mood::Is)),
                    None => "it is so".into(),
                }
            }
            _ => self.telling.clause(goal, Mood::Is),
        }
    }

    /// What a claim says about the state it is attached to.
    fn phrase(&self, visit: &Visit, backward: bool) -> Option<Sentence> {
        let node = self.node(visit.id);
        let goal = self.goal(visit.id)?;
        if visit.stopped || self.telling.is_trivial(node.claim) {
            return None;
        }
        if node.rule.is_none() {
            let is = self.telling.clause(goal, Mood::Is);
            return Some(say!("here {}, which is not shown yet", is));
        }
        if self.is_of_state(visit.id) {
            let told = visit.part != Part::Kept && !visit.covered;
            return told.then(|| say!("here {}", self.telling.clause(goal, Mood::Is)));
        }
        match node.rule {
            Some(Rule::Continue) => Some(self.on_the_way(visit, goal, backward)),
            Some(Rule::DeadEnd) => Some(say!("here no step leads on{}", self.stay(goal))),
            Some(Rule::Stop) => Some(say!("here the run may end{}", self.stay(goal))),
            Some(Rule::Region(_)) => {
                let what = self.for_all_that_follows(goal);
                Some(say!("from here on, whatever happens, {}", what))
            }
            Some(Rule::Step) => {
                let [to] = self.telling.formulas(node)[..] else {
                    return None;
                };
                Some(say!("from here one step leads to {}", self.node(to).at))
            }
            Some(Rule::EveryStep) if node.premises.is_empty() => {
                Some("here no step leads on".into())
            }
            Some(Rule::EveryStep) => {
                let next = match kernel(&self.telling.query.formula, goal) {
                    Kernel::Step(_, next) => next,
                    _ => goal,
                };
                let is = self.telling.clause(next, Mood::Is);
                Some(say!("from here every step leads to where {}", is))
            }
            _ => None,
        }
    }

    /// What is so where a path arrives: what can be seen there, or otherwise what is claimed.
    fn arrival(&self, ids: &[ProofId]) -> Sentence {
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
            text if text.is_empty() => say!("it comes to this: {}", self.facts(ids)),
            text => text,
        }
    }

    /// Where on its path a claim stands.
    fn on_the_way(&self, visit: &Visit, goal: Goal, backward: bool) -> Sentence {
        let goes_on = visit.part == Part::GoesOn;
        match self.ahead.end(visit.id) {
            End::Loop(turn) => {
                let stay = self.stay(goal);
                let here = visit.at;
                match (goes_on, turn.away) {
                    (false, _) => {
                        say!(
                            "from here on {} for ever{}",
                            loop_text(turn, "the run "),
                            stay
                        )
                    }
                    (true, 0) if here == turn.last && turn.length > 1 => {
                        say!("from here the loop goes back to {}{}", turn.first, stay)
                    }
                    (true, 0) => say!("here the loop goes on{}", stay),
                    (true, away) => {
                        say!("here the loop is {} away{}", count(away, "step"), stay)
                    }
                }
            }
            End::Node(end, steps) => {
                let node = self.node(end);
                let steps = count(steps, "step");
                let arrives = match node.rule {
                    Some(Rule::Goal) => {
                        let ids = self.telling.formulas(node);
                        self.arrival(&ids)
                    }
                    Some(Rule::DeadEnd) => "no step leads on".into(),
                    _ => self.telling.clause(goal, Mood::Is),
                };
                match (backward, goes_on) {
                    (true, _) => say!(
                        "this is because, one step before, the run is here; {} on, {}",
                        steps,
                        arrives
                    ),
                    (false, true) => say!("still {} until {}", steps, arrives),
                    (false, false) => say!("{} from here {}", steps, arrives),
                }
            }
        }
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
fn loop_text(turn: Turn, who: &str) -> Sentence {
    let (first, last) = (turn.first.index(), turn.last.index());
    let in_a_row = last >= first && last - first + 1 == turn.length;
    match turn.length {
        1 => say!("{}stays at step {}", who, first),
        2 if in_a_row => say!("{}goes round steps {} and {}", who, first, last),
        _ if in_a_row => say!("{}goes round steps {} to {}", who, first, last),
        length => say!(
            "{}goes round a loop of {} from step {}",
            who,
            count(length, "step"),
            first
        ),
    }
}
