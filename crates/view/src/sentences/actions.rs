//! Words for runs of actions: which labels, why they matter, how they end.

use wherefore_base::Value;
use wherefore_evidence::modal::{label, state};
use wherefore_evidence::{
    Assertion, Claim, OccurrenceId, ProofNode, Region, Rule, SaidStates, SegmentEnding, Shape,
    StatesFrom,
};
use wherefore_logic::Goal;
use wherefore_logic::modal::ModalOp;

use super::checked::SentenceKind;
use super::paths::no_step;
use super::{Sentence, formula, joined};
use crate::lts::SystemTelling;
use crate::words::clean;

/// Of longer words only the ends are quoted.
const WORD: usize = 6;

impl<'a> SystemTelling<'a> {
    /// The number of the state of an occurrence.
    pub(crate) fn state(&self, at: OccurrenceId) -> usize {
        let values = &self.evidence.occurrences[at].values;
        state(self.report.lts, values).map_or(0, |state| state.index())
    }

    /// The text of the label of a step.
    pub(crate) fn action(&self, from: OccurrenceId, to: OccurrenceId) -> String {
        let edge = self.edges.get(&(from, to));
        edge.map_or(String::new(), |&edge| {
            self.label(&self.evidence.edges[edge].input)
        })
    }

    /// The text of the label that is the input of an edge, for people.
    pub(crate) fn label(&self, input: &[Value]) -> String {
        clean(&self.plain_label(input))
    }

    /// The text of the label that is the input of an edge, as it is.
    pub(crate) fn plain_label(&self, input: &[Value]) -> String {
        let label = label(self.report.lts, input);
        label.map_or(String::new(), |label| {
            self.report.lts.text(label).to_string()
        })
    }

    /// The claims at an occurrence, in the order of the proof.
    fn claims(&self, at: OccurrenceId) -> impl Iterator<Item = (&'a ProofNode, Goal)> {
        let nodes = self.nodes[at].iter().map(|&id| &self.evidence.proof[id]);
        nodes.filter_map(|node| match node.claim {
            Claim::Formula(goal, _) => Some((node, goal)),
            Claim::HasPath => None,
        })
    }

    /// What is claimed first of an occurrence, besides constants.
    pub(crate) fn first_claim(&self, at: OccurrenceId) -> Option<Sentence> {
        let equations = &self.property.question.system.equations;
        let mut claims = self.claims(at);
        let first = claims.find(|(_, goal)| !matches!(equations[goal.sub].op, ModalOp::Const(_)));
        let (_, goal) = first?;
        let claim = self.goal_at(goal, at);
        let claim = self.judge.first_true(SentenceKind::Remark, vec![claim]);
        (!claim.is_empty()).then_some(claim)
    }

    /// Why nothing more needs to be shown at an occurrence.
    pub(crate) fn end(&self, at: OccurrenceId) -> Option<Sentence> {
        let stopped = self
            .claims(at)
            .find(|(node, _)| node.rule == Some(Rule::EveryStep) && node.premises.is_empty());
        if let Some((_, goal)) = stopped {
            let words = match self.has_no_step(at) {
                true => Sentence::from("no step is possible here").asserting(no_step(at)),
                false => say!("{}: there is no such step", self.goal_at(goal, at)),
            };
            let words = self.judge.first_true(SentenceKind::Remark, vec![words]);
            return (!words.is_empty()).then_some(words);
        }
        let mut constants = self
            .claims(at)
            .filter(|(node, _)| node.rule == Some(Rule::State));
        let (_, goal) = constants.next()?;
        let words = match goal.holds {
            true => "this is what is asked for",
            false => "this must not happen",
        };
        Some(Sentence::from(words).asserting(Assertion::at(goal, at)))
    }

    fn has_no_step(&self, at: OccurrenceId) -> bool {
        let values = &self.evidence.occurrences[at].values;
        let state = state(self.report.lts, values);
        state.is_some_and(|state| self.report.lts.steps(state).is_empty())
    }

    /// Why the verdict is as it is, in a sentence that follows "because".
    pub(crate) fn because(&self) -> Sentence {
        let Some(Claim::Formula(root, _)) = self.evidence.proof.iter().next().map(|n| n.claim)
        else {
            return "of the proof".into();
        };
        let plainly = self.goal_at(root, OccurrenceId::new(0));
        let plainly = say!("{} in the initial state", plainly);
        let sentences = vec![self.reason(root), plainly];
        match self.judge.first_true(SentenceKind::Because, sentences) {
            sentence if sentence.is_empty() => "of the proof".into(),
            sentence => sentence,
        }
    }

    fn reason(&self, root: Goal) -> Sentence {
        let (run, back) = self.evidence.main_run();
        let mut word: Vec<String> = run.windows(2).map(|w| self.action(w[0], w[1])).collect();
        let last = *run.last().expect("a run has a first state");
        if let Some(back) = back {
            let start = run.iter().position(|&at| at == back).unwrap_or(0);
            let round = word.split_off(start);
            let closing = self.action(last, back);
            let round: Vec<String> = round.into_iter().chain([closing]).collect();
            let so = self
                .first_claim(back)
                .map_or(Sentence::default(), |claim| say!(", so {}", claim));
            return say!(
                "{}this can go on for ever: {}{}",
                after(&word),
                told(&round),
                so
            )
            .asserting(Assertion::Lasso {
                run,
                back: start,
                keep: vec![],
                fair: false,
            });
        }
        let path = Assertion::Path {
            run,
            keep: vec![],
            arrive: vec![],
        };
        if let Some(region) = self
            .evidence
            .regions
            .iter()
            .find(|region| region.at == last)
        {
            return say!("{}{}", after(&word), self.region(region)).asserting(path);
        }
        let words = self.path(root, last, &word).asserting(path);
        if self.evidence.shape == Shape::Tree {
            let runs = self.evidence.segments.iter().filter(|s| !s.main).count();
            let also = if runs == 1 {
                "the other run"
            } else {
                "the other runs"
            };
            return say!("{}, and of {} below", words, also);
        }
        words
    }

    fn path(&self, root: Goal, last: OccurrenceId, word: &[String]) -> Sentence {
        let mut nodes = self.claims(last);
        let stopped =
            nodes.find(|(node, _)| node.rule == Some(Rule::EveryStep) && node.premises.is_empty());
        match stopped {
            Some(_) if self.has_no_step(last) => {
                let words = say!("{}state {} has no step", after(word), self.state(last));
                words.asserting(no_step(last))
            }
            Some((_, goal)) => say!(
                "{}{} in state {}, where no such step is possible",
                after(word),
                self.goal_at(goal, last),
                self.state(last)
            ),
            None if word.is_empty() => {
                let claim = self.goal_at(root, OccurrenceId::new(0));
                say!("{} in the initial state", claim)
            }
            None if root.holds => say!("this can happen: {}", told(word)),
            None => say!("this can happen and must not: {}", told(word)),
        }
    }

    /// What a region shows.
    pub(crate) fn region(&self, region: &Region) -> Sentence {
        let Claim::Formula(goal, _) = region.claim else {
            return Sentence::default();
        };
        let claim = self.goal_at(goal, region.at);
        let words = match region.size.to_string().as_str() {
            "1" => say!(
                "{} in state {}, and no other state decides it",
                &claim,
                self.state(region.at)
            ),
            n => say!("{}, as all {} states show that decide it", &claim, n),
        };
        // Of what follows, only the states that the equations of the formula lead to are looked at.
        let words = words.asserting(Assertion::Size {
            of: SaidStates::all(StatesFrom::Through(vec![goal]), region.at),
            size: region.size.clone(),
        });
        self.judge
            .first_true(SentenceKind::Region, vec![words, claim])
    }
}

/// "after `A`, then `B`, "
fn after(word: &[String]) -> Sentence {
    match word {
        [] => Sentence::default(),
        word => say!("after {}, ", told(word)),
    }
}

/// "`A`, then `B`"
fn told(word: &[String]) -> Sentence {
    let quoted = |labels: &[String]| {
        let labels = labels.iter().map(formula);
        joined(&labels.collect::<Vec<_>>(), ", then ")
    };
    if word.len() <= WORD {
        return quoted(word);
    }
    let (first, last) = (&word[..WORD / 2], &word[word.len() - WORD / 2..]);
    let between = word.len() - WORD;
    say!(
        "{}, then {} more, then {}",
        quoted(first),
        between,
        quoted(last)
    )
}

/// How a run ends, as a remark beside its last row.
pub(crate) fn ending(ending: SegmentEnding) -> Option<Sentence> {
    match ending {
        SegmentEnding::Loop(to) => Some(say!("back to {}, for ever", to)),
        SegmentEnding::Joins(to) => Some(say!("goes on at {}", to)),
        SegmentEnding::Goal | SegmentEnding::DeadEnd => None,
    }
}
