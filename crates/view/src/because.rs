//! The *because* sentence.
//!
//! It is read off the proof and nothing else: it follows the root claim down to what decides it. The
//! wording is a table of templates, so the same proof always reads the same.

use std::collections::BTreeSet;

use wherefore_evidence::{Claim, OccurrenceId, ProofId, ProofNode, RegionId, Rule};
use wherefore_logic::{Bounds, Goal, Kernel, Op, PathOp, Quantifier, SubId, kernel};

use crate::words::{Telling, count, list};

/// Why the property is as it is, in one sentence without a capital or a full stop.
pub(crate) fn because(telling: &Telling<'_>) -> String {
    match telling.evidence.proof.get(ProofId::new(0)) {
        Some(_) => telling.sentence(ProofId::new(0), Origin::Start, 0),
        None => "of the run below".to_string(),
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
    fn from(self) -> String {
        match self {
            Origin::Start => "from the start".to_string(),
            Origin::Step(step) => format!("from step {}", step.index()),
            Origin::There => "from there".to_string(),
        }
    }

    /// "in the initial state", "at step 2", "there".
    fn here(self) -> String {
        match self {
            Origin::Start => "in the initial state".to_string(),
            Origin::Step(step) => format!("at step {}", step.index()),
            Origin::There => "there".to_string(),
        }
    }
}

/// How a path pattern goes: the proof nodes of its claim along the run, and how they end.
struct Chain {
    steps: usize,
    end: ChainEnd,
}

enum ChainEnd {
    /// At a node whose rule is not `Continue`.
    Node(ProofId),
    /// Back at an earlier node.
    Loop,
}

/// Sentences nest no deeper than this; beyond, the claim itself is the sentence.
const DEEPEST: usize = 6;

impl Telling<'_> {
    fn node(&self, id: ProofId) -> &ProofNode {
        &self.evidence.proof[id]
    }

    fn sentence(&self, id: ProofId, origin: Origin, depth: usize) -> String {
        let node = self.node(id);
        let Claim::Formula(goal, _) = node.claim else {
            return format!("{} {}", self.claim(node.claim), origin.from());
        };
        if depth > DEEPEST {
            return self.plainly(node, origin);
        }
        match node.rule {
            Some(Rule::Branch(_)) => self.all_of(&self.formulas(node), node.at, origin, depth),
            Some(Rule::Step) => self.one_step(node, origin, depth),
            Some(Rule::EveryStep) => self.every_step(goal, origin),
            Some(Rule::Goal | Rule::Continue | Rule::DeadEnd | Rule::Stop) => {
                self.path(id, goal, origin, depth)
            }
            Some(Rule::Region(region)) => self.region(region, goal, node.at, origin),
            Some(Rule::Run) => self.along_run(goal, node.at),
            Some(Rule::State | Rule::Total) | None => self.plainly(node, origin),
        }
    }

    /// "`p` is false at step 2".
    fn plainly(&self, node: &ProofNode, origin: Origin) -> String {
        format!("{} {}", self.claim(node.claim), origin.here())
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
    fn all_of(&self, ids: &[ProofId], at: OccurrenceId, origin: Origin, depth: usize) -> String {
        let (of_state, others): (Vec<_>, Vec<_>) =
            ids.iter().copied().partition(|&id| self.is_of_state(id));
        let facts = self.facts(&of_state);
        if others.is_empty() {
            return format!("{facts} {}", origin.here());
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
        let sentences = sentences.join("; and ");
        if facts.is_empty() {
            sentences
        } else {
            format!("{} {facts}, and {sentences}", origin.here())
        }
    }

    /// "`p` holds and `q` is false".
    fn facts(&self, ids: &[ProofId]) -> String {
        let mut facts: Vec<String> = Vec::new();
        for &id in ids {
            let fact = self.claim(self.node(self.decisive(id)).claim);
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        list(&facts)
    }

    fn one_step(&self, node: &ProofNode, origin: Origin, depth: usize) -> String {
        let [target] = self.formulas(node)[..] else {
            return self.plainly(node, origin);
        };
        let at = self.node(target).at;
        if self.is_constant(target) {
            return format!("{} one step leads to step {}", origin.from(), at.index());
        }
        if self.is_of_state(target) {
            let facts = self.facts(&[target]);
            return format!(
                "{} one step leads to step {}, where {facts}",
                origin.from(),
                at.index()
            );
        }
        let rest = self.sentence(target, Origin::There, depth + 1);
        format!(
            "{} one step leads to step {}, and {rest}",
            origin.from(),
            at.index()
        )
    }

    fn every_step(&self, goal: Goal, origin: Origin) -> String {
        match self.query.formula.op(goal.sub) {
            Op::Path(_, PathOp::Next(f)) if goal.holds => {
                format!(
                    "{} every next state satisfies {}",
                    origin.from(),
                    self.quoted(f)
                )
            }
            Op::Path(_, PathOp::Next(f)) => {
                format!(
                    "{} no next state satisfies {}",
                    origin.from(),
                    self.quoted(f)
                )
            }
            _ => format!(
                "{} {}",
                self.claim(Claim::Formula(goal, None)),
                origin.here()
            ),
        }
    }

    /// Follows a claim about a path from node to node.
    fn chain(&self, id: ProofId) -> Chain {
        let mut seen = BTreeSet::from([id]);
        let (mut at, mut steps) = (id, 0);
        loop {
            let node = self.node(at);
            let next = match (node.rule, node.premises.last()) {
                (Some(Rule::Continue), Some(&next)) => next,
                _ => {
                    break Chain {
                        steps,
                        end: ChainEnd::Node(at),
                    };
                }
            };
            if !seen.insert(next) {
                break Chain {
                    steps,
                    end: ChainEnd::Loop,
                };
            }
            steps += 1;
            at = next;
        }
    }

    fn path(&self, id: ProofId, goal: Goal, origin: Origin, depth: usize) -> String {
        let chain = self.chain(id);
        let end = match chain.end {
            ChainEnd::Loop => return self.for_ever(goal, origin, "loop"),
            ChainEnd::Node(end) => self.node(end),
        };
        match end.rule {
            Some(Rule::Goal) => self.reached(end, goal, chain.steps, origin, depth),
            Some(Rule::DeadEnd) => {
                let sentence = self.for_ever(goal, origin, "path");
                format!(
                    "{sentence} and ends at step {}, which has no successor",
                    end.at.index()
                )
            }
            Some(Rule::Stop) => self.for_ever(goal, origin, "path"),
            Some(Rule::Region(region)) => self.region(region, goal, end.at, Origin::at(end.at)),
            _ => self.plainly(end, Origin::at(end.at)),
        }
    }

    /// A path that keeps to something: "there is a fair loop that never reaches `ack`".
    fn for_ever(&self, goal: Goal, origin: Origin, noun: &str) -> String {
        let fair = self.fair();
        let says = |there: bool| {
            let that = if there { "that " } else { "" };
            match (self.query.formula.op(goal.sub), goal.holds) {
                (Op::Path(_, PathOp::Finally(g) | PathOp::Until(_, g)), false) => {
                    format!("{that}never reaches {}", self.quoted(g))
                }
                (
                    Op::Path(_, PathOp::FinallyWithin(b, g) | PathOp::UntilWithin(b, _, g)),
                    false,
                ) => {
                    format!(
                        "{that}does not reach {} within {}",
                        self.quoted(g),
                        within(b)
                    )
                }
                (Op::Path(_, PathOp::GloballyWithin(b, f)), true) => {
                    format!("{that}satisfies {} within {}", self.quoted(f), within(b))
                }
                (Op::Path(_, path), true) => {
                    let kept = match path {
                        PathOp::Release(_, g) => g,
                        _ => path.operands().next().unwrap_or(goal.sub),
                    };
                    format!("{that}satisfies {} all the time", self.quoted(kept))
                }
                _ => format!("{that}shows it"),
            }
        };
        match origin {
            Origin::There => format!("from there a {fair}{noun} {}", says(false)),
            _ => format!("{} there is a {fair}{noun} {}", origin.from(), says(true)),
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
    ) -> String {
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
            (Origin::Start, _) => format!("after {}", count(steps, "step")),
            (Origin::Step(from), _) => {
                format!("{} after step {}", count(steps, "step"), from.index())
            }
            (Origin::There, _) => format!("{} later", count(steps, "step")),
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
                return format!("{after} {broken} is false, and {missing} was not true before");
            }
        }
        let facts = self.facts(&goals);
        if steps == 0 {
            return format!("{facts} {after}");
        }
        let through = match (self.query.formula.op(goal.sub), goal.holds) {
            (Op::Path(_, PathOp::Until(f, _) | PathOp::WeakUntil(f, _)), true) => {
                format!(", through states where {} holds", self.quoted(f))
            }
            _ => String::new(),
        };
        match origin {
            Origin::Start => format!("a state where {facts} is reached {after}{through}"),
            _ => format!(
                "{} a state where {facts} is reached after {}{through}",
                origin.from(),
                count(steps, "step")
            ),
        }
    }

    /// A claim about everything that can follow.
    fn region(&self, region: RegionId, goal: Goal, at: OccurrenceId, origin: Origin) -> String {
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
            Some("1") => format!("the only state {where_from} is checked"),
            Some("2") => format!("both states {where_from} are checked"),
            Some(n) => format!("all {n} states {where_from} are checked"),
            None => format!("all states {where_from} are checked"),
        };
        let Op::Path(quantifier, path) = self.query.formula.op(goal.sub) else {
            return format!(
                "{} {}",
                self.claim(Claim::Formula(goal, None)),
                origin.here()
            );
        };
        match (quantifier, path, goal.holds) {
            (Quantifier::Exists, PathOp::Finally(p), false) => {
                let p_text = self.quoted(p);
                match (origin, &size) {
                    (Origin::Start, Some(n)) if n == "1" => {
                        format!(
                            "no reachable state satisfies {p_text}: the only reachable state is checked"
                        )
                    }
                    (Origin::Start, Some(n)) => {
                        format!(
                            "no reachable state satisfies {p_text}: all {n} reachable states are checked"
                        )
                    }
                    _ => {
                        let again = if self.was_true_before(p, at) {
                            " again"
                        } else {
                            ""
                        };
                        format!(
                            "{} {p_text} can never be reached{again}: {states}",
                            origin.from()
                        )
                    }
                }
            }
            (Quantifier::Forall, PathOp::Globally(p), true) => {
                format!(
                    "{} {} holds in every state that can follow: {states}",
                    origin.from(),
                    self.quoted(p)
                )
            }
            (Quantifier::Forall, PathOp::Finally(p), true) => {
                format!(
                    "{} every {}path reaches {}: {states}",
                    origin.from(),
                    self.fair(),
                    self.quoted(p)
                )
            }
            (Quantifier::Exists, PathOp::Until(f, g), false) => format!(
                "{} no state that satisfies {} can be reached through states that satisfy {}: {states}",
                origin.from(),
                self.quoted(g),
                self.quoted(f)
            ),
            (Quantifier::Forall, PathOp::Until(f, g), true) => format!(
                "{} every {}path reaches {} through states that satisfy {}: {states}",
                origin.from(),
                self.fair(),
                self.quoted(g),
                self.quoted(f)
            ),
            (Quantifier::Exists, PathOp::Globally(p), false) => format!(
                "{} every {}path reaches a state where {} is false: {states}",
                origin.from(),
                self.fair(),
                self.quoted(p)
            ),
            _ => format!(
                "{} {}: {states}",
                self.claim(Claim::Formula(goal, None)),
                origin.here()
            ),
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
fn within(bounds: Bounds) -> String {
    match bounds.least {
        0 => count(bounds.most as usize, "step"),
        least => format!("{least}..{} steps", bounds.most),
    }
}
