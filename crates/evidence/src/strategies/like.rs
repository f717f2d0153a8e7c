//! Choices that were made before.

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Value};
use wherefore_proof::{Claim, Evidence, OccurrenceId, ProofId, ProofNode, Rule};

use super::steps::closes;
use crate::strategy::{Guide, Proof, Rules, Strategy, Way, WayKind};

/// Chooses as somebody chose before: for the same claim at the same values the same rule, and a step to
/// the same state. Where nothing was chosen, or it is no more on offer, it has no opinion.
///
/// A claim that was shown several times at the same state, as on a loop that passes it twice, is shown
/// in the same ways one after the other.
#[derive(Clone, Debug)]
pub struct Like {
    choices: FxHashMap<(Claim, Vec<Value>), Vec<LikeChosen>>,
    start: Option<Vec<Value>>,
    /// How often a claim was shown at a state.
    shown: FxHashMap<(Claim, Vec<Value>), usize>,
}

/// A choice that was made in a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LikeChoice {
    /// The claim.
    pub claim: Claim,
    /// The state where it was made.
    pub values: Vec<Value>,
    /// The rule that was applied.
    pub rule: Rule,
    /// The state that the rule stepped to.
    pub to: Option<Vec<Value>>,
}

/// What was chosen for a claim at a state.
#[derive(Clone, Debug)]
struct LikeChosen {
    rule: Rule,
    to: Option<Vec<Value>>,
}

impl Like {
    /// These choices. The first is about the claim itself and says where the proof starts.
    pub fn new(choices: Vec<LikeChoice>) -> Self {
        let start = choices.first().map(|choice| choice.values.clone());
        let mut known: FxHashMap<_, Vec<LikeChosen>> = FxHashMap::default();
        for LikeChoice {
            claim,
            values,
            rule,
            to,
        } in choices
        {
            let chosen = known.entry((claim, values)).or_default();
            chosen.push(LikeChosen { rule, to });
        }
        Self {
            choices: known,
            start,
            shown: FxHashMap::default(),
        }
    }

    /// The choices that an evidence was made by. Its obligations are none: what was open is shown as if
    /// nobody had an opinion.
    pub fn from_evidence(evidence: &Evidence) -> Self {
        let values = |at: OccurrenceId| evidence.occurrences[at].values.clone();
        let choice = |node: &ProofNode| {
            let rule = node.rule?;
            let next = match rule {
                Rule::Step => node.premises.first(),
                Rule::Continue => node.premises.last(),
                _ => None,
            };
            Some(LikeChoice {
                claim: node.claim,
                values: values(node.at),
                rule,
                to: next.map(|&next| values(evidence.proof[next].at)),
            })
        };
        Self::new(evidence.proof.iter().filter_map(choice).collect())
    }

    /// The choices for a claim at a state that are left, the next one first.
    fn left(&self, key: &(Claim, Vec<Value>)) -> &[LikeChosen] {
        let choices = self.choices.get(key).map_or(&[][..], Vec::as_slice);
        let shown = self.shown.get(key).copied().unwrap_or(0);
        &choices[shown.min(choices.len())..]
    }
}

impl Strategy for Like {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        self.shown.clear();
        if let Some(start) = &self.start {
            rules.add(Guide::Start(start.clone()));
        }
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let ProofNode { claim, at, .. } = proof.nodes()[leaf];
        let key = (claim, proof.values(at));
        let all = self.choices.get(&key);
        // Where more is to be shown than was chosen before, the last choice is made again.
        let chosen = self.left(&key).first().or(all.and_then(|all| all.last()));
        let Some(LikeChosen { rule, to }) = chosen else {
            return Ok(vec![]);
        };
        let of_kind = |likes: &dyn Fn(WayKind) -> bool| -> Vec<usize> {
            let liked = |way: &Way| likes(way.kind) && way.to == *to;
            (0..ways.len()).filter(|&way| liked(&ways[way])).collect()
        };
        let Rule::Continue = rule else {
            return Ok(of_kind(&|kind| is_by(kind, *rule)));
        };
        // If the claim was shown once more at the next state, the path went on to there.
        // A step to the same state has this very choice among those that are left there.
        let this = usize::from(to.as_ref() == Some(&key.1));
        let next = to.clone().map(|to| (claim, to));
        let goes_on = next.is_some_and(|next| self.left(&next).len() > this);
        let on = |kind: WayKind| kind == WayKind::Continue;
        let round = |kind: WayKind| matches!(kind, WayKind::Loop(2..));
        let tries: [&dyn Fn(WayKind) -> bool; 3] = match goes_on {
            true => [&on, &round, &closes],
            false => [&closes, &on, &round],
        };
        let mut tries = tries.iter().map(|likes| of_kind(likes));
        Ok(tries.find(|liked| !liked.is_empty()).unwrap_or_default())
    }

    fn rule_applied(
        &mut self,
        proof: &dyn Proof,
        leaf: ProofId,
        _: &Way,
        _: &[ProofId],
    ) -> Run<()> {
        let ProofNode { claim, at, .. } = proof.nodes()[leaf];
        let key = (claim, proof.values(at));
        if self.choices.contains_key(&key) {
            *self.shown.entry(key).or_default() += 1;
        }
        Ok(())
    }
}

/// Whether a kind of way applies a rule that is not about the next state of a path.
fn is_by(kind: WayKind, rule: Rule) -> bool {
    match rule {
        Rule::State => kind == WayKind::State,
        Rule::Branch(number) => kind == WayKind::Branch(number),
        Rule::Step => kind == WayKind::Step,
        Rule::EveryStep => kind == WayKind::EveryStep,
        Rule::Goal => kind == WayKind::Goal,
        Rule::Continue => kind == WayKind::Continue,
        Rule::DeadEnd => kind == WayKind::DeadEnd,
        Rule::Stop => kind == WayKind::Stop,
        Rule::Region(_) => kind == WayKind::Region,
        Rule::Total => kind == WayKind::Total,
        Rule::Start => kind == WayKind::Start,
        Rule::Run => kind == WayKind::Run,
    }
}
