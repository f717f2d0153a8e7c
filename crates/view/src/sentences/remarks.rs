//! Remarks: why each step of a run is there.
//!
//! A remark is a claim that the proof makes at a step. Not every claim is worth one: what a path keeps
//! to at every step is said where the path starts, and what follows from the property itself is not
//! said at all.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use wherefore_evidence::{Assertion, Claim, OccurrenceId, ProofId, ProofNode, Rule, StatesFrom};
use wherefore_logic::{Goal, Kernel, Op, kernel};

use super::checked::SentenceKind;
use super::{Sentence, add};
use crate::excerpt::Excerpt;
use crate::words::Telling;

/// More than so many remarks about one step are not read.
const MOST: usize = 24;

/// For each occurrence, what is to be said about it.
pub(crate) fn remarks(
    telling: &Telling<'_>,
    excerpt: &Excerpt,
) -> BTreeMap<OccurrenceId, Vec<Sentence>> {
    let mut remarks = Remarks {
        telling,
        excerpt,
        propositional: telling.query.formula.propositional().as_slice().to_vec(),
        texts: BTreeMap::new(),
    };
    remarks.collect();
    remarks.texts
}

/// What a claim is for, seen from the claim above it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It is worth a remark.
    Told,
    /// It is what a path keeps to: only the part of it that decides is worth a remark.
    Kept,
    /// It goes on with a claim made a step before.
    GoesOn,
    /// It is the property itself.
    Root,
}

/// Walks the proof from its root and collects remarks.
struct Remarks<'t, 'a> {
    telling: &'t Telling<'a>,
    excerpt: &'t Excerpt,
    propositional: Vec<bool>,
    texts: BTreeMap<OccurrenceId, Vec<Sentence>>,
}

impl Remarks<'_, '_> {
    fn collect(&mut self) {
        let proof = &self.telling.evidence.proof;
        let mut seen = vec![false; proof.len()];
        let part = |id: ProofId| match id.index() {
            0 => Part::Root,
            _ => Part::Told,
        };
        let roots = self.excerpt.roots.iter().rev();
        let mut open: Vec<_> = roots.map(|&id| (id, part(id))).collect();
        while let Some((id, part)) = open.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            let node = &proof[id];
            let Claim::Formula(goal, _) = node.claim else {
                continue;
            };
            if self.excerpt.stops_at(node.claim) {
                continue;
            }
            let premises = self.telling.formulas(node);
            let below = match node.rule {
                None if part == Part::Root => vec![],
                None => {
                    self.remark(node, goal, ", which is not shown yet");
                    vec![]
                }
                Some(Rule::State) => {
                    if part != Part::Kept {
                        self.remark(node, goal, "");
                    }
                    vec![]
                }
                Some(Rule::Branch(_))
                    if premises.len() > 1 && self.propositional[goal.sub.index()] =>
                {
                    if part != Part::Kept {
                        self.remark(node, goal, "");
                    }
                    vec![]
                }
                Some(Rule::Branch(_)) => {
                    let part = if part == Part::Root {
                        Part::Root
                    } else {
                        Part::Told
                    };
                    premises.iter().map(|&id| (id, part)).collect()
                }
                Some(Rule::Continue) => {
                    self.start(node, goal, part);
                    let last = node.premises.last();
                    let kept = |id| {
                        if Some(&id) == last {
                            Part::GoesOn
                        } else {
                            Part::Kept
                        }
                    };
                    premises.iter().map(|&id| (id, kept(id))).collect()
                }
                Some(Rule::DeadEnd | Rule::Stop) => {
                    self.start(node, goal, part);
                    premises.iter().map(|&id| (id, Part::Kept)).collect()
                }
                Some(Rule::Goal | Rule::Step | Rule::EveryStep) => {
                    self.start(node, goal, part);
                    premises.iter().map(|&id| (id, Part::Told)).collect()
                }
                Some(Rule::Region(_)) => {
                    let formula = &self.telling.query.formula;
                    let for_ever = match kernel(formula, goal) {
                        Kernel::Path(pattern) => pattern.goal.is_none(),
                        _ => false,
                    };
                    self.remark(node, goal, if for_ever { " from here on" } else { " here" });
                    vec![]
                }
                Some(Rule::Run) => {
                    let facts = self.telling.run_facts(goal, node.at).into_iter();
                    // Of a part that is replaced by a constant there is nothing to remark.
                    for fact in facts.filter(|fact| !self.telling.is_constant_fact(fact)) {
                        let text = self.telling.fact_here(&fact);
                        let text = self.telling.if_true(SentenceKind::Remark, text);
                        let texts = self.texts.entry(fact.at).or_default();
                        if texts.len() < MOST && !text.is_empty() {
                            add(texts, text);
                        }
                    }
                    vec![]
                }
                Some(Rule::Total | Rule::Start) => vec![],
            };
            open.extend(below.into_iter().rev());
        }
    }

    /// A claim about paths is worth a remark where it starts, unless it is the property itself.
    fn start(&mut self, node: &ProofNode, goal: Goal, part: Part) {
        if matches!(part, Part::Told | Part::Kept) {
            self.remark(node, goal, " here");
        }
    }

    fn remark(&mut self, node: &ProofNode, goal: Goal, place: &str) {
        if matches!(self.telling.query.formula.op(goal.sub), Op::Const(_)) {
            return;
        }
        let occurrence = &self.telling.evidence.occurrences[node.at];
        if occurrence
            .truth
            .get(goal.sub)
            .is_some_and(|&truth| truth == Some(!goal.holds))
        {
            return;
        }
        let told = self.texts.get(&node.at).map_or(0, Vec::len);
        let text = match told.cmp(&MOST) {
            Ordering::Less => {
                let here = self.telling.claim_at(node.claim, node.at);
                let sentences = match place {
                    " from here on" => vec![
                        self.lasting(node, goal, false),
                        self.lasting(node, goal, true),
                        say!("{} here", here),
                    ],
                    _ => vec![say!("{}{}", here, place)],
                };
                self.telling.first_true(SentenceKind::Remark, sentences)
            }
            Ordering::Equal => "and more".into(),
            Ordering::Greater => return,
        };
        if !text.is_empty() {
            add(self.texts.entry(node.at).or_default(), text);
        }
    }

    /// A claim at a state and at all that can follow, or at those that count.
    fn lasting(&self, node: &ProofNode, goal: Goal, counted: bool) -> Sentence {
        let claim = self.telling.claim(node.claim);
        let words = match counted {
            true => say!(
                "{} from here on, where {} come",
                claim,
                self.telling.counted_runs()
            ),
            false => say!("{} from here on", claim),
        };
        words.asserting(Assertion::Every {
            of: self.telling.said(StatesFrom::All, node.at, counted),
            goals: vec![goal],
        })
    }
}
