//! The *because* sentence.
//!
//! It is read off the proof and nothing else: it follows the root claim down to what decides it. The
//! wording is a table of templates, so the same proof always reads the same.

use num_bigint::BigUint;
use wherefore_evidence::{
    Assertion, Claim, OccurrenceId, ProofId, ProofNode, Region, RegionId, Rule, StatesFrom,
};
use wherefore_logic::{Bounds, Goal, Kernel, Op, PathOp, Quantifier, SubId, kernel};

use super::checked::SentenceKind;
use super::paths::ClaimPath;
use super::{Sentence, add, count, joined, list};
use crate::Report;
use crate::words::Telling;

/// Why the property is as it is, in one sentence without a capital or a full stop.
pub(crate) fn because(telling: &Telling<'_>) -> Sentence {
    let because = match telling.evidence.proof.get(ProofId::new(0)) {
        Some(_) => telling.sentence(ProofId::new(0), Origin::Start, 0),
        None => "of the run below".into(),
    };
    match because.is_empty() {
        true => "of the proof below".into(),
        false => because,
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
    fn here(self, report: &Report<'_>) -> Sentence {
        match self {
            Origin::Start => say!("in the {}", report.start()),
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

    /// A node in a sentence, or in one that says less, whichever is known to be true.
    fn sentence(&self, id: ProofId, origin: Origin, depth: usize) -> Sentence {
        let node = self.node(id);
        let plainly = self.plainly(node, origin);
        let Claim::Formula(goal, _) = node.claim else {
            let sentence = say!("{} {}", self.claim_at(node.claim, node.at), origin.from());
            return self.if_true(SentenceKind::Because, sentence);
        };
        if depth > DEEPEST {
            return self.if_true(SentenceKind::Because, plainly);
        }
        let mut sentences = match node.rule {
            Some(Rule::Branch(_)) => {
                vec![self.all_of(&self.formulas(node), node.at, origin, depth)]
            }
            Some(Rule::Step) => vec![self.one_step(node, origin, depth)],
            Some(Rule::EveryStep) => self.every_step(goal, node.at, origin),
            Some(Rule::Goal | Rule::Continue | Rule::DeadEnd | Rule::Stop) => {
                self.path(id, goal, origin, depth)
            }
            Some(Rule::Region(region)) => self.region(region, goal, node.at, origin),
            Some(Rule::Run) => vec![self.along_run(goal, node.at)],
            Some(Rule::State | Rule::Total | Rule::Start) | None => vec![],
        };
        sentences.push(plainly);
        self.first_true(SentenceKind::Because, sentences)
    }

    /// "`p` is false at step 2".
    fn plainly(&self, node: &ProofNode, origin: Origin) -> Sentence {
        say!(
            "{} {}",
            self.claim_at(node.claim, node.at),
            origin.here(&self.report)
        )
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
            return say!("{} {}", facts, origin.here(&self.report));
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
        // What is not known to be true is not said.
        sentences.retain(|sentence| !sentence.is_empty());
        let sentences = joined(&sentences, "; and ");
        if facts.is_empty() {
            sentences
        } else if sentences.is_empty() {
            say!("{} {}", facts, origin.here(&self.report))
        } else {
            say!("{} {}, and {}", origin.here(&self.report), facts, sentences)
        }
    }

    /// "`p` holds and `q` is false".
    fn facts(&self, ids: &[ProofId]) -> Sentence {
        let mut facts = Vec::new();
        for &id in ids {
            let node = self.node(self.decisive(id));
            add(&mut facts, self.claim_at(node.claim, node.at));
        }
        list(&facts)
    }

    fn one_step(&self, node: &ProofNode, origin: Origin, depth: usize) -> Sentence {
        let [target] = self.formulas(node)[..] else {
            return self.plainly(node, origin);
        };
        let at = self.node(target).at;
        let leads = say!("one step leads to {}", at).asserting(Assertion::Path {
            run: vec![node.at, at],
            keep: vec![],
            arrive: vec![],
        });
        if self.is_constant(target) {
            return say!("{} {}", origin.from(), leads);
        }
        if self.is_of_state(target) {
            let facts = self.facts(&[target]);
            return say!("{} {}, where {}", origin.from(), leads, facts);
        }
        let rest = self.sentence(target, Origin::There, depth + 1);
        match rest.is_empty() {
            true => say!("{} {}", origin.from(), leads),
            false => say!("{} {}, and {}", origin.from(), leads, rest),
        }
    }

    fn every_step(&self, goal: Goal, at: OccurrenceId, origin: Origin) -> Vec<Sentence> {
        let Kernel::Step(_, next) = kernel(&self.query.formula, goal) else {
            return vec![];
        };
        let every = if next.holds { "every" } else { "no" };
        let sentence = |counted: bool| {
            let come = match counted {
                true => say!(" that {} come to", self.counted_runs()),
                false => Sentence::default(),
            };
            let words = say!(
                "{} {} next state{} satisfies {}",
                origin.from(),
                every,
                come,
                self.quoted(next.sub)
            );
            words.asserting(Assertion::Every {
                of: self.said(StatesFrom::Next, at, counted),
                goals: vec![next],
            })
        };
        vec![sentence(false), sentence(true)]
    }

    fn path(&self, id: ProofId, goal: Goal, origin: Origin, depth: usize) -> Vec<Sentence> {
        let path = self.claim_path(id);
        let bounds = match self.node(id).claim {
            Claim::Formula(_, bounds) => bounds,
            Claim::HasPath => None,
        };
        if path.back.is_some() {
            return vec![self.for_ever(&path, goal, bounds, origin, "loop")];
        }
        let end = self.node(path.end);
        match end.rule {
            Some(Rule::Goal) => vec![self.reached(&path, goal, origin, depth)],
            Some(Rule::DeadEnd) => {
                let sentence = self.for_ever(&path, goal, bounds, origin, "path");
                let sentence = say!(
                    "{} and ends at {}, which has no successor",
                    sentence,
                    end.at
                );
                vec![sentence.asserting(Assertion::Size {
                    of: self.said(StatesFrom::Next, end.at, false),
                    size: BigUint::ZERO,
                })]
            }
            Some(Rule::Stop) => vec![self.for_ever(&path, goal, bounds, origin, "path")],
            Some(Rule::Region(region)) => self.region(region, goal, end.at, Origin::at(end.at)),
            _ => vec![self.plainly(end, Origin::at(end.at))],
        }
    }

    /// A path that keeps to something: "there is a fair loop that never reaches `ack`".
    fn for_ever(
        &self,
        path: &ClaimPath,
        goal: Goal,
        left: Option<Bounds>,
        origin: Origin,
        noun: &str,
    ) -> Sentence {
        let fair = self.fair();
        let stay = self.stay_goals(goal);
        let start = path.run[0];
        let of_bounds = |bounds: Bounds| Assertion::Left {
            goal,
            bounds,
            at: start,
        };
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
                    let b = left.unwrap_or(b);
                    let words = say!(
                        "{}does not reach {} within {}",
                        that,
                        self.quoted(g),
                        within(b)
                    );
                    words.asserting(of_bounds(b))
                }
                (Op::Path(_, PathOp::GloballyWithin(b, f)), true) => {
                    let b = left.unwrap_or(b);
                    let words = say!("{}satisfies {} within {}", that, self.quoted(f), within(b));
                    words.asserting(of_bounds(b))
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
        let words = match origin {
            Origin::There => say!("from there a {}{} {}", fair, noun, says(false)),
            _ => say!(
                "{} there is a {}{} {}",
                origin.from(),
                fair,
                noun,
                says(true)
            ),
        };
        words.asserting(path.asserted(&stay, &stay, !fair.is_empty()))
    }

    /// A path pattern whose goal is reached at the end of a path.
    fn reached(&self, path: &ClaimPath, goal: Goal, origin: Origin, depth: usize) -> Sentence {
        let end = self.node(path.end);
        let steps = path.steps();
        let goals = self.formulas(end);
        let leads = path.asserted(&[], &[], false);
        if !goals.iter().all(|&id| self.is_of_state(id)) {
            let here = if steps == 0 {
                origin
            } else {
                Origin::at(end.at)
            };
            return self.all_of(&goals, end.at, here, depth + 1);
        }
        let after = match (origin, steps) {
            (_, 0) => origin.here(&self.report),
            (Origin::Start, _) => say!("after {}", count(steps, "step")),
            (Origin::Step(from), _) => {
                say!("{} after {}", count(steps, "step"), from)
            }
            (Origin::There, _) => say!("{} later", count(steps, "step")),
        };
        let facts = self.facts(&goals);
        if steps == 0 {
            return say!("{} {}", facts, after);
        }
        if let (Op::Path(_, operator), false) = (self.query.formula.op(goal.sub), goal.holds) {
            let unmet = match operator {
                PathOp::Until(f, g) | PathOp::WeakUntil(f, g) | PathOp::UntilWithin(_, f, g) => {
                    Some((f, g))
                }
                PathOp::Release(f, g) => Some((g, f)),
                _ => None,
            };
            if let Some((broken, missing)) = unmet {
                let asserted =
                    path.asserted(&[Goal::fails(missing)], &[Goal::fails(broken)], false);
                let (broken, missing) = (self.quoted(broken), self.quoted(missing));
                return say!(
                    "{} {} is false, and {} was not true before",
                    after,
                    broken,
                    missing
                )
                .asserting(asserted);
            }
        }
        let through = match (self.query.formula.op(goal.sub), goal.holds) {
            (Op::Path(_, PathOp::Until(f, _) | PathOp::WeakUntil(f, _)), true) => {
                let words = say!(", through states where {} holds", self.quoted(f));
                words.asserting(path.asserted(&[Goal::holds(f)], &[], false))
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
        .asserting(leads)
    }

    /// A claim about everything that can follow, the sentence that says most first.
    fn region(
        &self,
        region: RegionId,
        goal: Goal,
        at: OccurrenceId,
        origin: Origin,
    ) -> Vec<Sentence> {
        let (Some(region), Op::Path(quantifier, path)) = (
            self.evidence.regions.get(region),
            self.query.formula.op(goal.sub),
        ) else {
            return vec![];
        };
        let claimed = Assertion::at(goal, at);
        let fair = self.fair();
        let mut sentences = Vec::new();
        for counted in [false, true] {
            let what = match (quantifier, path, goal.holds) {
                (Quantifier::Exists, PathOp::Finally(p), false) => {
                    sentences.extend(self.never_reached(p, at, origin, region, counted));
                    continue;
                }
                (Quantifier::Forall, PathOp::Globally(p), true) => {
                    let come = match counted {
                        true => say!("that {} come to", self.counted_runs()),
                        false => "that can follow".into(),
                    };
                    let words = say!("{} holds in every state {}", self.quoted(p), come);
                    words.asserting(Assertion::Every {
                        of: self.said(StatesFrom::All, at, counted),
                        goals: vec![Goal::holds(p)],
                    })
                }
                (Quantifier::Exists, PathOp::Until(f, g), false) => {
                    self.never_through(f, g, at, counted)
                }
                (Quantifier::Forall, PathOp::Finally(p), true) => {
                    say!("every {}path reaches {}", fair, self.quoted(p))
                }
                (Quantifier::Forall, PathOp::Until(f, g), true) => say!(
                    "every {}path reaches {} through states that satisfy {}",
                    fair,
                    self.quoted(g),
                    self.quoted(f)
                ),
                (Quantifier::Exists, PathOp::Globally(p), false) => say!(
                    "every {}path reaches a state where {} is false",
                    fair,
                    self.quoted(p)
                ),
                _ => {
                    let words = say!(
                        "{} {}",
                        self.claim(Claim::Formula(goal, None)),
                        origin.here(&self.report)
                    );
                    sentences.extend(self.with_states(words, goal, at, region, counted));
                    continue;
                }
            };
            let words = say!("{} {}", origin.from(), what).asserting(claimed.clone());
            sentences.extend(self.with_states(words, goal, at, region, counted));
        }
        sentences
    }

    /// A sentence about everything that can follow, with the states that show it.
    fn with_states(
        &self,
        words: Sentence,
        goal: Goal,
        at: OccurrenceId,
        region: &Region,
        counted: bool,
    ) -> Option<Sentence> {
        let words = words.asserting(Assertion::at(goal, at));
        // What every path comes to may be so at once, and then nothing that follows was looked at.
        let at_once = self
            .region_goals(goal)
            .filter(|_| region.size == BigUint::from(1u8));
        if let Some(goals) = at_once.filter(|goals| self.are_known(goals, at)) {
            let facts = goals
                .iter()
                .map(|&goal| self.claim_at(Claim::Formula(goal, None), at));
            return Some(say!(
                "{}: {} there",
                words,
                list(&facts.collect::<Vec<_>>())
            ));
        }
        let states = self.shown_states(goal, region, counted)?;
        let are = if region.size == BigUint::from(1u8) {
            "is"
        } else {
            "are"
        };
        Some(say!("{}: {} {} checked", words, states, are))
    }

    /// "no state that satisfies `g` can be reached through states that satisfy `f`".
    fn never_through(&self, f: SubId, g: SubId, at: OccurrenceId, counted: bool) -> Sentence {
        let come = match counted {
            true => say!("{} come to no state that satisfies", self.counted_runs()),
            false => "no state can be reached that satisfies".into(),
        };
        let words = say!(
            "{} {} through states that satisfy {}",
            come,
            self.quoted(g),
            self.quoted(f)
        );
        words.asserting(Assertion::Every {
            of: self.said(StatesFrom::Through(vec![Goal::holds(f)]), at, counted),
            goals: vec![Goal::fails(g)],
        })
    }

    /// No state that can follow satisfies a sub-formula.
    fn never_reached(
        &self,
        p: SubId,
        at: OccurrenceId,
        origin: Origin,
        region: &Region,
        counted: bool,
    ) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        let p_text = self.quoted(p);
        let come = match counted {
            true => say!(" that {} come to", self.counted_runs()),
            false => Sentence::default(),
        };
        if origin == Origin::Start {
            let states = match region.size.to_string().as_str() {
                "1" => say!("the only reachable state{} is checked", &come),
                n => say!("all {} reachable states{} are checked", n, &come),
            };
            let of = self.said(StatesFrom::Initial, at, counted);
            let words = say!(
                "no reachable state{} satisfies {}: {}",
                come,
                &p_text,
                states
            );
            let words = words.asserting(Assertion::Every {
                of: of.clone(),
                goals: vec![Goal::fails(p)],
            });
            sentences.push(words.asserting(Assertion::Size {
                of,
                size: region.size.clone(),
            }));
        }
        let again = match self.true_before(p, at) {
            Some(before) => {
                Sentence::from(" again").asserting(Assertion::at(Goal::holds(p), before))
            }
            None => Sentence::default(),
        };
        let words = match counted {
            true => say!(
                "{} {} never come to a state that satisfies {}{}",
                origin.from(),
                self.counted_runs(),
                p_text,
                again
            ),
            false => say!("{} {} can never be reached{}", origin.from(), p_text, again),
        };
        let words = words.asserting(Assertion::Every {
            of: self.said(StatesFrom::All, at, counted),
            goals: vec![Goal::fails(p)],
        });
        let Claim::Formula(goal, _) = region.claim else {
            return sentences;
        };
        sentences.extend(self.with_states(words, goal, at, region, counted));
        sentences
    }

    /// Where a sub-formula is true on the main run before an occurrence.
    fn true_before(&self, sub: SubId, at: OccurrenceId) -> Option<OccurrenceId> {
        let (run, _) = self.evidence.main_run();
        let mut before = run.into_iter().take_while(|&step| step != at);
        before.find(|&step| self.are_known(&[Goal::holds(sub)], step))
    }
}

/// "3 steps", "2..3 steps".
fn within(bounds: Bounds) -> Sentence {
    match bounds.least {
        0 => count(bounds.most as usize, "step"),
        least => say!("{}..{} steps", least, bounds.most),
    }
}
