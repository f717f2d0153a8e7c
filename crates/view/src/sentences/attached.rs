//! The part of a proof that is attached to each state: claims, and what each follows from.
//!
//! This is the proof-like form of Chechik and Gurfinkel (2005): a run, and at each of its states the
//! claims that hold there. A claim about a path is summed up where it starts and counted down along
//! the path.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use wherefore_evidence::{
    Assertion, Claim, OccurrenceId, ProofId, ProofNode, RegionId, Rule, SaidStates, StatesFrom,
};
use wherefore_logic::{Goal, Kernel, PathPattern, kernel};

use super::checked::SentenceKind;
use super::{Sentence, count, list};
use crate::ahead::{Ahead, End};
use crate::excerpt::Excerpt;
use crate::walk::{Part, Visit, walk};
use crate::words::Telling;

/// A line of the proof and how deep it is indented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) depth: usize,
    pub(crate) text: Sentence,
}

/// How the proof is told.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    /// Every node with its rule, or only what it comes to.
    pub(crate) rules: bool,
    /// From the end back to the start.
    pub(crate) backward: bool,
    /// With the claims that a run goes on.
    pub(crate) full: bool,
}

/// Deeper than this, lines are not indented further.
const DEEPEST: usize = 12;

/// For each occurrence, the lines of the proof that are attached to it.
pub(crate) fn attached(
    telling: &Telling<'_>,
    excerpt: &Excerpt,
    wording: Wording,
) -> BTreeMap<OccurrenceId, Vec<Line>> {
    let writer = Writer {
        telling,
        ahead: Ahead::new(telling.evidence),
        propositional: telling.query.formula.propositional().as_slice().to_vec(),
        wording,
    };
    let visits = walk(telling, excerpt);
    let mut lines: BTreeMap<OccurrenceId, Vec<Line>> = BTreeMap::new();
    // For each visit: how deep what follows from it at the same place is indented.
    let mut below: Vec<usize> = Vec::with_capacity(visits.len());
    // For each visit: whether what lies below it is said already.
    let mut said: Vec<bool> = Vec::with_capacity(visits.len());
    for visit in &visits {
        let above = visit.above.map(|above| (above, &visits[above]));
        let depth = match above {
            Some((above, visit_above)) if visit_above.at == visit.at => below[above],
            _ => 0,
        };
        let covered = above.is_some_and(|(above, _)| said[above]);
        let text = if covered {
            None
        } else {
            writer.checked_line(visit, above.map(|(_, visit)| visit))
        };
        let (depth_below, covers) = match &text {
            Some(_) => (depth + 1, writer.says_all(visit)),
            None => (depth, covered),
        };
        below.push(depth_below.min(DEEPEST));
        said.push(covers);
        if let Some(text) = text {
            let here = lines.entry(visit.at).or_default();
            here.push(Line { depth, text });
        }
    }
    lines
}

/// The rule of a node, as `docs/evidence.md` names it.
pub(crate) fn rule_name(rule: Option<Rule>) -> &'static str {
    match rule {
        Some(Rule::State) => "state",
        Some(Rule::Branch(_)) => "branch",
        Some(Rule::Step) => "step",
        Some(Rule::EveryStep) => "every-step",
        Some(Rule::Goal) => "goal",
        Some(Rule::Continue) => "continue",
        Some(Rule::DeadEnd) => "dead-end",
        Some(Rule::Stop) => "stop",
        Some(Rule::Region(_)) => "region",
        Some(Rule::Total) => "total",
        Some(Rule::Start) => "start",
        Some(Rule::Run) => "run",
        None => "obligation",
    }
}

struct Writer<'t, 'a> {
    telling: &'t Telling<'a>,
    ahead: Ahead,
    propositional: Vec<bool>,
    wording: Wording,
}

impl Writer<'_, '_> {
    fn node(&self, id: ProofId) -> &ProofNode {
        &self.telling.evidence.proof[id]
    }

    /// Whether a line leaves nothing to say about what lies below it at the same place.
    fn says_all(&self, visit: &Visit) -> bool {
        if self.wording.rules {
            return false;
        }
        match self.node(visit.id).claim {
            Claim::Formula(goal, _) => self.propositional[goal.sub.index()],
            Claim::HasPath => !self.wording.full,
        }
    }

    /// A line if it is known to be true, otherwise the claim alone if that is.
    fn checked_line(&self, visit: &Visit, above: Option<&Visit>) -> Option<Sentence> {
        let line = self.line(visit, above)?;
        let lines = vec![line, self.claim(self.node(visit.id))];
        let line = self.telling.first_true(SentenceKind::ProofLine, lines);
        (!line.is_empty()).then_some(line)
    }

    fn line(&self, visit: &Visit, above: Option<&Visit>) -> Option<Sentence> {
        let node = self.node(visit.id);
        let claim = self.claim(node);
        if self.wording.rules {
            return Some(self.with_rule(visit, node, &claim));
        }
        if self.telling.is_trivial(node.claim) {
            return None;
        }
        let Claim::Formula(goal, _) = node.claim else {
            let worth = self.wording.full && node.rule != Some(Rule::Total);
            return worth.then(|| match visit.part {
                Part::GoesOn => say!("{}: {}", claim, self.going_on(visit.id)),
                _ => say!("{} from here", claim),
            });
        };
        if visit.stopped {
            return None;
        }
        let of_state = self.propositional[goal.sub.index()];
        // The claim above, at the same place, has said what it follows from.
        let explained = above.is_some_and(|above| {
            let rule = self.node(above.id).rule;
            let goal = rule == Some(Rule::Goal) && above.part != Part::GoesOn;
            goal || matches!(rule, Some(Rule::Branch(_)))
        });
        let said_above = visit.part == Part::Reason && node.rule == Some(Rule::State);
        if of_state && (visit.part == Part::Kept || said_above && explained) {
            return None;
        }
        let because = |premises: &[ProofId]| {
            let facts = premises.iter().map(|&id| self.claim(self.node(id)));
            say!("{}, because {}", &claim, list(&facts.collect::<Vec<_>>()))
        };
        Some(match node.rule {
            None => say!("{}: not shown yet (obligation)", claim),
            Some(Rule::State | Rule::Total | Rule::Start | Rule::Run) => claim,
            Some(Rule::Branch(_)) => because(&node.premises),
            Some(Rule::Step) => self.one_step(node, &claim),
            Some(Rule::EveryStep) => self.every_step(node, &claim),
            Some(Rule::Goal) if visit.part == Part::GoesOn => return None,
            Some(Rule::Goal) => because(&self.telling.formulas(node)),
            Some(Rule::Continue) => match (self.ahead.end(visit.id), visit.part) {
                (End::Node(..), _) if self.wording.backward => {
                    say!("so {}, {}", claim, self.going_on(visit.id))
                }
                (_, Part::GoesOn) => say!("{}: {}", claim, self.going_on(visit.id)),
                _ => say!("{}: {}", claim, self.summary(visit.id, goal)),
            },
            Some(Rule::DeadEnd) => {
                let words = say!("{}: the path ends here", claim);
                words.asserting(Assertion::Size {
                    of: SaidStates::all(StatesFrom::Next, node.at),
                    size: BigUint::ZERO,
                })
            }
            Some(Rule::Stop) => say!("{}: a finite path may end here", claim),
            Some(Rule::Region(region)) => self.by_region(region, goal, claim),
        })
    }

    /// A claim that everything that can follow shows.
    fn by_region(&self, region: RegionId, goal: Goal, claim: Sentence) -> Sentence {
        let telling = self.telling;
        let Some(region) = telling.evidence.regions.get(region) else {
            return claim;
        };
        let at_once = telling.region_goals(goal);
        let at_once = at_once.filter(|_| region.size == BigUint::from(1u8));
        if let Some(goals) = at_once.filter(|goals| telling.are_known(goals, region.at)) {
            let facts = goals.iter();
            let facts = facts.map(|&goal| telling.claim_at(Claim::Formula(goal, None), region.at));
            return say!("{}, because {}", claim, list(&facts.collect::<Vec<_>>()));
        }
        let show = if region.size == BigUint::from(1u8) {
            "shows"
        } else {
            "show"
        };
        let states = [false, true].map(|counted| telling.shown_states(goal, region, counted));
        let lines = states.into_iter().flatten();
        let lines = lines.map(|states| say!("{}, as {} {}", &claim, states, show));
        let lines: Vec<Sentence> = lines.chain([claim.clone()]).collect();
        telling.first_true(SentenceKind::ProofLine, lines)
    }

    /// A claim; of a bounded operator, with the bounds that are left.
    fn claim(&self, node: &ProofNode) -> Sentence {
        self.telling.claim_at(node.claim, node.at)
    }

    /// Everything about a node: "`EF p` holds  [continue, 2 steps to go]".
    fn with_rule(&self, visit: &Visit, node: &ProofNode, claim: &Sentence) -> Sentence {
        if visit.stopped {
            return say!("{}  [not explained: --stop]", claim);
        }
        let mut rule = Sentence::from(rule_name(node.rule));
        match (node.rule, node.rank) {
            (Some(Rule::Branch(number)), _) if self.branches(node) > 1 => {
                rule = say!("{} {}", rule, number + 1);
            }
            (Some(Rule::Continue), Some(rank)) => {
                rule = say!("{}, {} to go", rule, count(rank as usize, "step"));
            }
            (Some(Rule::Continue), None) => {
                rule = say!("{}, {}", rule, self.going_on(visit.id));
            }
            (None, _) => rule = "not shown yet: obligation".into(),
            _ => {}
        }
        say!("{}  [{}]", claim, rule)
    }

    fn branches(&self, node: &ProofNode) -> usize {
        match node.claim {
            Claim::Formula(goal, _) => match kernel(&self.telling.query.formula, goal) {
                Kernel::Branches(branches) => branches.len(),
                _ => 0,
            },
            Claim::HasPath => 0,
        }
    }

    fn one_step(&self, node: &ProofNode, claim: &Sentence) -> Sentence {
        let leads = |to: OccurrenceId| Assertion::Path {
            run: vec![node.at, to],
            keep: vec![],
            arrive: vec![],
        };
        match self.telling.formulas(node)[..] {
            [to] if self.telling.is_trivial(self.node(to).claim) => {
                let to = self.node(to).at;
                say!("{}: a step leads to {}", claim, to).asserting(leads(to))
            }
            [to] => {
                let next = self.node(to);
                let fact = self.claim(next);
                let words = say!("{}: one step on, at {}, {}", claim, next.at, fact);
                words.asserting(leads(next.at))
            }
            _ => claim.clone(),
        }
    }

    fn every_step(&self, node: &ProofNode, claim: &Sentence) -> Sentence {
        let at = self.telling.successors(node);
        let steps = at.iter().map(|at| Sentence::from(at.index()));
        let steps: Vec<Sentence> = steps.collect();
        let sentence = |counted: bool| {
            let come = match counted {
                true => say!(" of {}", self.telling.counted_runs()),
                false => Sentence::default(),
            };
            let words = match &steps[..] {
                [] => say!("{}: no step{} leads on from here", claim, come),
                [one] => say!("{}: the only step{} leads to step {}", claim, come, one),
                _ => say!(
                    "{}: every step{} is looked at, to {}",
                    claim,
                    come,
                    list(&steps)
                ),
            };
            words.asserting(Assertion::Exactly {
                of: self.telling.said(StatesFrom::Next, node.at, counted),
                at: at.clone(),
            })
        };
        let lines = vec![sentence(false), sentence(true), claim.clone()];
        self.telling.first_true(SentenceKind::ProofLine, lines)
    }

    /// What a claim about a path comes to, where it starts.
    fn summary(&self, id: ProofId, goal: Goal) -> Sentence {
        let (stay, goals) = match kernel(&self.telling.query.formula, goal) {
            Kernel::Path(PathPattern { stay, goal, .. })
            | Kernel::Bounded(_, PathPattern { stay, goal, .. }) => {
                (stay, goal.unwrap_or_default())
            }
            _ => (vec![], vec![]),
        };
        let path = self.telling.claim_path(id);
        let all = |goals: &[Goal]| {
            let goals = goals.iter().copied().filter(|goal| {
                let op = self.telling.query.formula.op(goal.sub);
                !matches!(op, wherefore_logic::Op::Const(_))
            });
            let texts = goals.map(|goal| self.telling.claim(Claim::Formula(goal, None)));
            list(&texts.collect::<Vec<_>>())
        };
        let end = self.node(path.end);
        // Of a bounded operator the bounds decide where it keeps to something.
        let bounded = matches!(
            kernel(&self.telling.query.formula, goal),
            Kernel::Bounded(..)
        );
        let stay = if bounded { vec![] } else { stay };
        let kept = all(&stay);
        let on_the_way = if kept.is_empty() {
            Sentence::default()
        } else {
            say!(", and on the way {}", &kept)
        };
        if path.back.is_some() {
            let away = path.back.unwrap_or(0);
            let way = self.turn(away, path.run.len() - away, path.run[away]);
            let words = match kept.is_empty() {
                true => way,
                false => say!("{}, and all the time {}", way, kept),
            };
            let fair = !self.telling.fair().is_empty();
            return words.asserting(path.asserted(&stay, &stay, fair));
        }
        let steps = count(path.steps(), "step");
        let words = match end.rule {
            Some(Rule::Goal) => {
                let words = say!("in exactly {}, {}{}", steps, all(&goals), on_the_way);
                return words.asserting(path.asserted(&stay, &goals, false));
            }
            Some(Rule::DeadEnd) => {
                let words = say!("in {} the path ends{}", steps, on_the_way);
                words.asserting(Assertion::Size {
                    of: SaidStates::all(StatesFrom::Next, end.at),
                    size: BigUint::ZERO,
                })
            }
            Some(Rule::Region(_)) => say!(
                "in {}, at {}, everything that can follow shows it{}",
                steps,
                end.at,
                on_the_way
            ),
            None => say!(
                "shown for {}, to {}; the rest is not shown yet (obligation)",
                steps,
                end.at
            ),
            _ => say!("shown by {}{}", steps, on_the_way),
        };
        words.asserting(path.asserted(&stay, &[], false))
    }

    /// Where a claim about a path is at, once it goes on.
    fn going_on(&self, id: ProofId) -> Sentence {
        let end = self.ahead.end(id);
        let words = match end {
            End::Loop(turn) => self.turn(turn.away, turn.length, turn.first),
            End::Node(_, steps) if self.wording.backward => {
                say!("{} before", count(steps, "step"))
            }
            End::Node(_, steps) => say!("{} to go", count(steps, "step")),
        };
        match self.telling.short_path(id, end) {
            Some(path) => words.asserting(path.asserted(&[], &[], false)),
            None => words,
        }
    }

    fn turn(&self, away: usize, length: usize, first: OccurrenceId) -> Sentence {
        let length = count(length, "step");
        let first = first.index();
        if away == 0 {
            say!("part of a loop of {}, back to step {}", length, first)
        } else {
            say!(
                "within {} a loop of {} starts at step {}",
                count(away, "step"),
                length,
                first
            )
        }
    }
}
