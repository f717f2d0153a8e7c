//! Words for runs of actions: which labels, why they matter, how they end.

use wherefore_base::Value;
use wherefore_evidence::modal::{label, state};
use wherefore_evidence::{Claim, Ending, OccurrenceId, ProofNode, Region, Rule, Shape};
use wherefore_logic::Goal;
use wherefore_logic::modal::ModalOp;

use super::Telling;
use crate::words::clean;

/// Of longer words only the ends are quoted.
const WORD: usize = 6;

impl<'a> Telling<'a> {
    /// The number of the state of an occurrence.
    pub(super) fn state(&self, at: OccurrenceId) -> usize {
        let values = &self.evidence.occurrences[at].values;
        state(self.report.lts, values).map_or(0, |state| state.index())
    }

    /// The text of the label of a step.
    pub(super) fn action(&self, from: OccurrenceId, to: OccurrenceId) -> String {
        let edge = self.edges.get(&(from, to));
        edge.map_or(String::new(), |&edge| {
            self.label(&self.evidence.edges[edge].input)
        })
    }

    /// The text of the label that is the input of an edge, for people.
    pub(super) fn label(&self, input: &[Value]) -> String {
        clean(&self.plain_label(input))
    }

    /// The text of the label that is the input of an edge, as it is.
    pub(super) fn plain_label(&self, input: &[Value]) -> String {
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
    pub(super) fn first_claim(&self, at: OccurrenceId) -> Option<String> {
        let equations = &self.property.question.system.equations;
        let mut claims = self.claims(at);
        let first = claims.find(|(_, goal)| !matches!(equations[goal.sub].op, ModalOp::Const(_)));
        first.map(|(_, goal)| self.goal_text(goal))
    }

    /// Why nothing more needs to be shown at an occurrence.
    pub(super) fn end(&self, at: OccurrenceId) -> Option<String> {
        let stopped = self
            .claims(at)
            .find(|(node, _)| node.rule == Some(Rule::EveryStep) && node.premises.is_empty());
        if let Some((_, goal)) = stopped {
            return Some(match self.has_no_step(at) {
                true => "no step is possible here".to_string(),
                false => format!("{}: there is no such step", self.goal_text(goal)),
            });
        }
        let mut constants = self
            .claims(at)
            .filter(|(node, _)| node.rule == Some(Rule::State));
        let (_, goal) = constants.next()?;
        Some(match goal.holds {
            true => "this is what is asked for".to_string(),
            false => "this must not happen".to_string(),
        })
    }

    fn has_no_step(&self, at: OccurrenceId) -> bool {
        let values = &self.evidence.occurrences[at].values;
        let state = state(self.report.lts, values);
        state.is_some_and(|state| self.report.lts.steps(state).is_empty())
    }

    /// Why the verdict is as it is, in a sentence that follows "because".
    pub(super) fn because(&self) -> String {
        let Some(Claim::Formula(root, _)) = self.evidence.proof.iter().next().map(|n| n.claim)
        else {
            return "of the proof".to_string();
        };
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
                .map_or(String::new(), |claim| format!(", so {claim}"));
            return format!(
                "{}this can go on for ever: {}{so}",
                after(&word),
                told(&round)
            );
        }
        if let Some(region) = self
            .evidence
            .regions
            .iter()
            .find(|region| region.at == last)
        {
            return format!("{}{}", after(&word), self.region(region));
        }
        if self.evidence.shape == Shape::Tree {
            let runs = self.evidence.segments.iter().filter(|s| !s.main).count();
            let also = if runs == 1 {
                "the other run"
            } else {
                "the other runs"
            };
            return format!("{}, and of {also} below", self.path(root, last, &word));
        }
        self.path(root, last, &word)
    }

    fn path(&self, root: Goal, last: OccurrenceId, word: &[String]) -> String {
        let mut nodes = self.claims(last);
        let stopped =
            nodes.find(|(node, _)| node.rule == Some(Rule::EveryStep) && node.premises.is_empty());
        match stopped {
            Some(_) if self.has_no_step(last) => {
                format!("{}state {} has no step", after(word), self.state(last))
            }
            Some((_, goal)) => format!(
                "{}{} in state {}, where no such step is possible",
                after(word),
                self.goal_text(goal),
                self.state(last)
            ),
            None if word.is_empty() => format!("{} in the initial state", self.goal_text(root)),
            None if root.holds => format!("this can happen: {}", told(word)),
            None => format!("this can happen and must not: {}", told(word)),
        }
    }

    /// What a region shows.
    pub(super) fn region(&self, region: &Region) -> String {
        let claim = match region.claim {
            Claim::Formula(goal, _) => self.goal_text(goal),
            Claim::HasPath => String::new(),
        };
        match region.size.to_string().as_str() {
            "1" => format!(
                "{claim} in state {}, and no other can follow",
                self.state(region.at)
            ),
            n => format!("{claim}, as all {n} states show that can follow"),
        }
    }
}

/// "after `A`, then `B`, "
fn after(word: &[String]) -> String {
    match word {
        [] => String::new(),
        word => format!("after {}, ", told(word)),
    }
}

/// "`A`, then `B`"
fn told(word: &[String]) -> String {
    let quoted = |labels: &[String]| {
        let labels = labels.iter().map(|label| format!("`{label}`"));
        labels.collect::<Vec<_>>().join(", then ")
    };
    if word.len() <= WORD {
        return quoted(word);
    }
    let (first, last) = (&word[..WORD / 2], &word[word.len() - WORD / 2..]);
    let between = word.len() - WORD;
    format!(
        "{}, then {between} more, then {}",
        quoted(first),
        quoted(last)
    )
}

/// How a run ends, as a remark beside its last row.
pub(super) fn ending(ending: Ending) -> Option<String> {
    match ending {
        Ending::Loop(to) => Some(format!("back to step {}, for ever", to.index())),
        Ending::Joins(to) => Some(format!("goes on at step {}", to.index())),
        Ending::Goal | Ending::DeadEnd => None,
    }
}
