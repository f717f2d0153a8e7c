//! The *because* sentence.
//!
//! It is read off the proof and nothing else: it follows the root claim down to what decides it. The
//! wording is a table of templates, so the same proof always reads the same.

use wherefore_evidence::{Claim, OccurrenceId, ProofId, ProofNode, RegionId, Rule};
use wherefore_logic::{Bounds, Goal, Kernel, Op, PathOp, Quantifier, SubId, kernel};

use super::{Sentence, add, count, joined, list};
use crate::ahead::{Ahead, End};
use crate::words::Telling;

/// Why the property is as it is, in one sentence without a capital or a full stop.
pub(crate) fn because(telling: &Telling<'_>) -> Sentence {
    match telling.evidence.proof.get(ProofId::new(0)) {
        Some(_) => telling.sentence(ProofId::new(0), Origin::Start, 0),
        None => "of the run below".into(),
    }
}

/// Where a sentence starts to speak.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// At the first occurrence, and nothing was said before.
    Start,
    /// At this occurrence.
    Step(OccurrenceId),
    /// At the place the sentence named last.
    There,
}

impl Origin {
    fn at(step: OccurrenceId) -> Self {
        if step.index() == 0 {
            Origin::Start
        } else {
            Origin::Step(step)
        }
    }

    /// "from the start", "from step 2", "from there".
    fn from(self) -> Sentence {
        match self {
            Origin::Start => "from the start".into(),
            Origin::Step(step) => say!("from {}", step),
            Origin::There => "from there".into(),
        }
    }

    /// "in the initial state", "at step 2", "there".
    fn here(self) -> Sentence {
        match self {
            Origin::Start => "in the initial state".into(),
            Origin::Step(step) => say!("at {}", step),
            Origin::There => "there".into(),
        }
    }
}

/// Sentences nest no deeper than this; beyond, the claim itself is the sentence.
const DEEPEST: usize = 6;

impl Telling<'_> {
    fn node(&self, id: ProofId) -> &ProofNode {
        &self.evidence.proof[id]
    }

    fn sentence(&self, id: ProofId, origin: Origin, depth: usize) -> Sentence {
        let node = self.node(id);
        let end = Ahead::new(self.evidence).end(id);
        let asserted = self.asserted(id, end);
        let Claim::Formula(goal, _) = node.claim else {
            return say!("{} {}", self.claim(node.claim), origin.from()).asserting(asserted);
        };
        if depth > DEEPEST {
            return self.plainly(node, origin).asserting(asserted);
        }
        let sentence = match node.rule {
            Some(Rule::Branch(_)) => self.all_of(&self.formulas(node), node.at, origin, depth),
            Some(Rule::Step) => self.one_step(node, origin, depth),
            Some(Rule::EveryStep) => self.every_step(goal, origin),
            Some(Rule::Goal | Rule::Continue | Rule::DeadEnd | Rule::Stop) => {
                self.path(end, goal, origin, depth)
            }
            Some(Rule::Region(region)) => self.region(region, goal, node.at, origin),
            Some(Rule::Run) => self.along_run(goal, node.at),
            Some(Rule::State | Rule::Total) | None => self.plainly(node, origin),
        };
        sentence.asserting(asserted)
    }

    /// "`p` is false at step 2".
    fn plainly(&self, node: &ProofNode, origin: Origin) -> Sentence {
        say!("{} {}", self.claim(node.claim), origin.here())
    }

    /// The premises that are about sub-formulas.
    pub(crate) fn formulas(&self, node: &ProofNode) -> Vec<ProofId> {
        let premises = node.premises.iter().copied();
        premises
            .filter(|&id| self.node(id).claim != Claim::HasPath)
            .collect()
    }

    /// Whether a claim is decided by the state it is about.
    fn is_of_state(&self, id: ProofId) -> bool {
        match (self.node(id).rule, self.node(id).claim) {
            (Some(Rule::State), _) => true,
            (Some(Rule::Branch(_)), Claim::Formula(goal, _)) => {
                self.query.formula.propositional()[goal.sub]
            }
            _ => false,
        }
    }

    /// Whether a claim is about `TRUE` or `FALSE`, so that there is nothing to say about it.
    fn is_constant(&self, id: ProofId) -> bool {
        match self.node(id).claim {
            Claim::Formula(goal, _) => matches!(self.query.formula.op(goal.sub), Op::Const(_)),
            Claim::HasPath => false,
        }
    }

    /// The part of a claim about a state that decides it: the false side of a conjunction.
    fn decisive(&self, id: ProofId) -> ProofId {
        let mut id = id;
        while let (Some(Rule::Branch(_)), [one]) =
            (self.node(id).rule, &self.formulas(self.node(id))[..])
        {
            id = *one;
        }
        id
    }

    /// Several claims at one place, all of which are made.
    fn all_of(&self, ids: &[ProofId], at: OccurrenceId, origin: Origin, depth: usize) -> Sentence {
        let (of_state, others): (Vec<_>, Vec<_>) =
            ids.iter().copied().partition(|&id| self.is_of_state(id));
        let facts = self.facts(&of_state);
        if others.is_empty() {
            return say!("{} {}", facts, origin.here());
        }
        let mut sentences = Vec::new();
        for (place, &id) in others.iter().enumerate() {
            let origin = match (facts.is_empty(), place) {
                (false, 0) => Origin::There,
                (true, 0) => origin,
                _ => Origin::at(at),
            };
            sentences.push(self.sentence(id, origin, depth + 1));
        }
        let sentences = joined(&sentences, "; and ");
        if facts.is_empty() {
            sentences
        } else {
            say!("{} {}, and {}", origin.here(), facts, sentences)
        }
    }

    /// "`p` holds and `q` is false".
    fn facts(&self, ids: &[ProofId]) -> Sentence {
        let mut facts = Vec::new();
        for &id in ids {
            add(&mut facts, self.claim(self.node(self.decisive(id)).claim));
        }
        list(&facts)
    }

    fn one_step(&self, node: &ProofNode, origin: Origin, depth: usize) -> Sentence {
        let [target] = self.formulas(node)[..] else {
            return self.plainly(node, origin);
        };
        let at = self.node(target).at;
        if self.is_constant(target) {
            return say!("{} one step leads to {}", origin.from(), at);
        }
        if self.is_of_state(target) {
            let facts = self.facts(&[target]);
            return say!(
                "{} one step leads to {}, where {}",
                origin.from(),
                at,
                facts
            );
        }
        let rest = self.sentence(target, Origin::There, depth + 1);
        say!("{} one step leads to {}, and {}", origin.from(), at, rest)
    }

    fn every_step(&self, goal: Goal, origin: Origin) -> Sentence {
        match self.query.formula.op(goal.sub) {
            Op::Path(_, PathOp::Next(f)) if goal.holds => {
                say!(
                    "{} every next state satisfies {}",
                    origin.from(),
                    self.quoted(f)
                )
            }
            Op::Path(_, PathOp::Next(f)) => {
                say!(
                    "{} no next state satisfies {}",
                    origin.from(),
                    self.quoted(f)
                )
            }
            _ => say!(
                "{} {}",
                self.claim(Claim::Formula(goal, None)),
                origin.here()
            ),
        }
    }

    fn path(&self, end: End, goal: Goal, origin: Origin, depth: usize) -> Sentence {
        let (end, steps) = match end {
            End::Loop(_) => return self.for_ever(goal, origin, "loop"),
            End::Node(end, steps) => (self.node(end), steps),
        };
        match end.rule {
            Some(Rule::Goal) => self.reached(end, goal, steps, origin, depth),
            Some(Rule::DeadEnd) => {
                let sentence = self.for_ever(goal, origin, "path");
                say!(
                    "{} and ends at {}, which has no successor",
                    sentence,
                    end.at
                )
            }
            Some(Rule::Stop) => self.for_ever(goal, origin, "path"),
            Some(Rule::Region(region)) => self.region(region, goal, end.at, Origin::at(end.at)),
            _ => self.plainly(end, Origin::at(end.at)),
        }
    }

    /// A path that keeps to something: "there is a fair loop that never reaches `ack`".
    fn for_ever(&self, goal: Goal, origin: Origin, noun: &str) -> Sentence {
        let fair = self.fair();
        let says = |there: bool| {
            let that = if there { "that " } else { "" };
            match (self.query.formula.op(goal.sub), goal.holds) {
                (Op::Path(_, PathOp::Finally(g) | PathOp::Until(_, g)), false) => {
                    say!("{}never reaches {}", that, self.quoted(g))
                }
                (
                    Op::Path(_, PathOp::FinallyWithin(b, g) | PathOp::UntilWithin(b, _, g)),
                    false,
                ) => {
                    say!(
                        "{}does not reach {} within {}",
                        that,
                        self.quoted(g),
                        within(b)
                    )
                }
                (Op::Path(_, PathOp::GloballyWithin(b, f)), true) => {
                    say!("{}satisfies {} within {}", that, self.quoted(f), within(b))
                }
                (Op::Path(_, path), true) => {
                    let kept = match path {
                        PathOp::Release(_, g) => g,
                        _ => path.operands().next().unwrap_or(goal.sub),
                    };
                    say!("{}satisfies {} all the time", that, self.quoted(kept))
                }
                _ => say!("{}shows it", that),
            }
        };
        match origin {
            Origin::There => say!("from there a {}{} {}", fair, noun, says(false)),
            _ => say!(
                "{} there is a {}{} {}",
                origin.from(),
                fair,
                noun,
                says(true)
            ),
        }
    }

    /// A path pattern whose goal is reached at the node `end`, after some steps.
    fn reached(
        &self,
        end: &ProofNode,
        goal: Goal,
        steps: usize,
        origin: Origin,
        depth: usize,
    ) -> Sentence {
        let goals = self.formulas(end);
        if !goals.iter().all(|&id| self.is_of_state(id)) {
            let here = if steps == 0 {
                origin
            } else {
                Origin::at(end.at)
            };
            return self.all_of(&goals, end.at, here, depth + 1);
        }
        let after = match (origin, steps) {
            (_, 0) => origin.here(),
            (Origin::Start, _) => say!("after {}", count(steps, "step")),
            (Origin::Step(from), _) => {
                say!("{} after {}", count(steps, "step"), from)
            }
            (Origin::There, _) => say!("{} later", count(steps, "step")),
        };
        if let (Op::Path(_, path), false) = (self.query.formula.op(goal.sub), goal.holds) {
            let unmet = match path {
                PathOp::Until(f, g) | PathOp::WeakUntil(f, g) | PathOp::UntilWithin(_, f, g) => {
                    Some((f, g))
                }
                PathOp::Release(f, g) => Some((g, f)),
                _ => None,
            };
            if let Some((broken, missing)) = unmet {
                let (broken, missing) = (self.quoted(broken), self.quoted(missing));
                return say!(
                    "{} {} is false, and {} was not true before",
                    after,
                    broken,
                    missing
                );
            }
        }
        let facts = self.facts(&goals);
        if steps == 0 {
            return say!("{} {}", facts, after);
        }
        let through = match (self.query.formula.op(goal.sub), goal.holds) {
            (Op::Path(_, PathOp::Until(f, _) | PathOp::WeakUntil(f, _)), true) => {
                say!(", through states where {} holds", self.quoted(f))
            }
            _ => Sentence::default(),
        };
        match origin {
            Origin::Start => say!("a state where {} is reached {}{}", facts, after, through),
            _ => say!(
                "{} a state where {} is reached after {}{}",
                origin.from(),
                facts,
                count(steps, "step"),
                through
            ),
        }
    }

    /// A claim about everything that can follow.
    fn region(&self, region: RegionId, goal: Goal, at: OccurrenceId, origin: Origin) -> Sentence {
        let size = self
            .evidence
            .regions
            .get(region)
            .map(|region| region.size.to_string());
        let where_from = match kernel(&self.query.formula, goal) {
            Kernel::Bounded(..) => "within the bounds",
            _ => "that can follow",
        };
        let states = match size.as_deref() {
            Some("1") => say!("the only state {} is checked", where_from),
            Some("2") => say!("both states {} are checked", where_from),
            Some(n) => say!("all {} states {} are checked", n, where_from),
            None => say!("all states {} are checked", where_from),
        };
        let Op::Path(quantifier, path) = self.query.formula.op(goal.sub) else {
            return say!(
                "{} {}",
                self.claim(Claim::Formula(goal, None)),
                origin.here()
            );
        };
        match (quantifier, path, goal.holds) {
            (Quantifier::Exists, PathOp::Finally(p), false) => {
                self.never_reached(p, at, origin, size.as_deref(), &states)
            }
            (Quantifier::Forall, PathOp::Globally(p), true) => {
                say!(
                    "{} {} holds in every state that can follow: {}",
                    origin.from(),
                    self.quoted(p),
                    states
                )
            }
            (Quantifier::Forall, PathOp::Finally(p), true) => {
                say!(
                    "{} every {}path reaches {}: {}",
                    origin.from(),
                    self.fair(),
                    self.quoted(p),
                    states
                )
            }
            (Quantifier::Exists, PathOp::Until(f, g), false) => say!(
                "{} no state that satisfies {} can be reached through states that satisfy {}: {}",
                origin.from(),
                self.quoted(g),
                self.quoted(f),
                states
            ),
            (Quantifier::Forall, PathOp::Until(f, g), true) => say!(
                "{} every {}path reaches {} through states that satisfy {}: {}",
                origin.from(),
                self.fair(),
                self.quoted(g),
                self.quoted(f),
                states
            ),
            (Quantifier::Exists, PathOp::Globally(p), false) => say!(
                "{} every {}path reaches a state where {} is false: {}",
                origin.from(),
                self.fair(),
                self.quoted(p),
                states
            ),
            _ => say!(
                "{} {}: {}",
                self.claim(Claim::Formula(goal, None)),
                origin.here(),
                states
            ),
        }
    }

    /// No state that can follow satisfies a sub-formula.
    fn never_reached(
        &self,
        p: SubId,
        at: OccurrenceId,
        origin: Origin,
        size: Option<&str>,
        states: &Sentence,
    ) -> Sentence {
        let p_text = self.quoted(p);
        match (origin, size) {
            (Origin::Start, Some("1")) => say!(
                "no reachable state satisfies {}: the only reachable state is checked",
                p_text
            ),
            (Origin::Start, Some(n)) => say!(
                "no reachable state satisfies {}: all {} reachable states are checked",
                p_text,
                n
            ),
            _ => {
                let again = if self.was_true_before(p, at) {
                    " again"
                } else {
                    ""
                };
                say!(
                    "{} {} can never be reached{}: {}",
                    origin.from(),
                    p_text,
                    again,
                    states
                )
            }
        }
    }

    /// Whether a sub-formula is true on the main run before an occurrence.
    fn was_true_before(&self, sub: SubId, at: OccurrenceId) -> bool {
        let (run, _) = self.evidence.main_run();
        let before = run.into_iter().take_while(|&step| step != at);
        let truths = before.map(|step| self.evidence.occurrences[step].truth.get(sub).copied());
        truths.into_iter().any(|truth| truth == Some(Some(true)))
    }
}

/// "3 steps", "2..3 steps".
fn within(bounds: Bounds) -> Sentence {
    match bounds.least {
        0 => count(bounds.most as usize, "step"),
        least => say!("{}..{} steps", least, bounds.most),
    }
}
