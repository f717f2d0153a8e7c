//! A walk through a labelled transition system, and the proof of a property claim by claim: each answer as a few lines of
//! text.

use std::collections::BTreeSet;

use wherefore_evidence::{Claim, Evidence, Finding, ProofId, Rule, Verdict};
use wherefore_logic::SubId;
use wherefore_model::lts::{LtsStep, StateId, StepBack};

use super::{LtsProperty, LtsReport, SystemTelling};
use crate::explore::Style;
use crate::layout::{Ink, TextLines, VariableRole};
use crate::sentences::checked::SentenceKind;
use crate::sentences::{Sentence, formula, list};
use crate::words::{LONGEST, clean, count, shortened};

/// So many equations of a property are told.
const EQUATIONS: usize = 200;

/// Turns the answers of a walk through a system into text.
#[derive(Clone, Copy, Debug)]
pub struct SystemTeller<'a> {
    /// The system and its properties.
    pub report: LtsReport<'a>,
    /// How text looks.
    pub style: Style,
}

impl<'a> SystemTeller<'a> {
    /// The first line: the file and how large it is.
    pub fn opening(&self) -> String {
        let lts = self.report.lts;
        let size = format!(
            "  {}, {}, {}",
            count(lts.states(), "state"),
            count(lts.transitions(), "transition"),
            count(lts.labels().len(), "label")
        );
        let line = Ink::new(VariableRole::Strong, clean(self.report.path));
        self.lines([line.then(VariableRole::Plain, size)])
    }

    /// Where the walk is: `step 2: state 7`.
    pub fn arrival(&self, number: usize, state: StateId) -> String {
        let line = Ink::new(VariableRole::Strong, format!("step {number}:"));
        self.lines([line.then(VariableRole::Plain, format!(" state {}", state.index()))])
    }

    /// A step of the walk: `step 2: OPEN !INNER, state 7`.
    pub fn step(&self, number: usize, step: LtsStep) -> String {
        let line = Ink::new(VariableRole::Strong, format!("step {number}:"));
        self.lines([line.then(VariableRole::Plain, format!(" {}", self.arrow(step)))])
    }

    /// Numbered steps from a state, of so many.
    pub fn steps(&self, first: usize, steps: &[LtsStep], all: usize) -> String {
        let lines = steps.iter().map(|&step| self.arrow(step));
        self.numbered(first, lines, all)
    }

    /// Numbered steps to a state, of so many.
    pub fn before(&self, first: usize, steps: &[StepBack], all: usize) -> String {
        let lines = steps.iter().map(|step| {
            let label = clean(self.report.lts.text(step.label));
            format!("state {}, by {label}", step.from.index())
        });
        self.numbered(first, lines, all)
    }

    /// The steps of a walk.
    pub fn trace(&self, start: StateId, steps: &[LtsStep]) -> String {
        let mut text = self.arrival(0, start);
        for (at, &step) in steps.iter().enumerate() {
            text += &self.step(at + 1, step);
        }
        text
    }

    /// Which equations of a property hold at a state: the property itself first.
    pub fn truth(&self, property: &LtsProperty, holds: &dyn Fn(SubId) -> bool) -> String {
        let system = &property.question.system;
        let verdict = match holds(system.root) {
            true => Ink::new(VariableRole::Good, "holds here"),
            false => Ink::new(VariableRole::Bad, "fails here"),
        };
        let title = Ink::new(VariableRole::Strong, self.report.title(property));
        let mut head = title.then(VariableRole::Plain, ": ");
        head.append(verdict);
        let mut lines = vec![head];
        let mut told: Vec<String> = Vec::new();
        for (sub, equation) in system.equations.entries() {
            let text = shortened(clean(&equation.text), LONGEST);
            // Equations that are written alike are parts of one.
            if told.contains(&text) || text.is_empty() {
                continue;
            }
            let sign = if holds(sub) { "+" } else { "-" };
            lines.push(Ink::plain(format!("  {sign} {text}")));
            told.push(text);
            if told.len() == EQUATIONS {
                break;
            }
        }
        self.lines(lines)
    }

    fn arrow(&self, step: LtsStep) -> String {
        let label = clean(self.report.lts.text(step.label));
        format!("{label}, state {}", step.to.index())
    }

    fn numbered(&self, first: usize, lines: impl Iterator<Item = String>, all: usize) -> String {
        let mut shown: Vec<Ink> = (first..)
            .zip(lines)
            .map(|(at, line)| Ink::plain(format!("  {at}: {line}")))
            .collect();
        let more = all.saturating_sub(first + shown.len());
        if more > 0 {
            shown.push(Ink::new(VariableRole::Dim, format!("  and {more} more")));
        }
        self.lines(shown)
    }

    fn lines(&self, lines: impl IntoIterator<Item = Ink>) -> String {
        let mut page = TextLines::new(self.style.width, self.style.color);
        for line in lines {
            page.line(&line);
        }
        page.finish()
    }
}

/// The proof of a property of a system, claim by claim.
pub struct SystemProof<'a> {
    telling: SystemTelling<'a>,
    evidence: &'a Evidence,
    holds: bool,
    style: Style,
}

impl<'a> SystemProof<'a> {
    /// The proof of a finding, if it has one that is not wrong.
    pub fn of(report: LtsReport<'a>, finding: &'a Finding, style: Style) -> Option<Self> {
        let telling = SystemTelling::of(report, finding)?;
        Some(Self {
            evidence: telling.evidence,
            telling,
            holds: finding.verdict == Verdict::Holds,
            style,
        })
    }

    /// How many claims it has.
    pub fn claims(&self) -> usize {
        self.evidence.proof.len()
    }

    /// The numbers of the claims that say something new: not those that read as the claim they are the only reason of.
    pub fn told(&self) -> Vec<usize> {
        let repeated: BTreeSet<ProofId> = self
            .evidence
            .proof
            .ids()
            .filter_map(|id| self.same(id))
            .collect();
        let ids = self.evidence.proof.ids();
        ids.filter(|id| !repeated.contains(id))
            .map(|id| id.index())
            .collect()
    }

    /// The only reason of a claim, if it reads as the claim itself: an equation of the formula that has no text of its own.
    fn same(&self, id: ProofId) -> Option<ProofId> {
        let node = &self.evidence.proof[id];
        let (Some(Rule::Branch(_)), [only]) = (node.rule, &node.premises[..]) else {
            return None;
        };
        let premise = &self.evidence.proof[*only];
        let (Claim::Formula(claim, _), Claim::Formula(reason, _)) = (node.claim, premise.claim)
        else {
            return None;
        };
        let equations = &self.telling.property.question.system.equations;
        let alike = equations[claim.sub].text == equations[reason.sub].text;
        (alike && node.at == premise.at && only.index() > id.index()).then_some(*only)
    }

    /// What is proved, and how large the proof is.
    pub fn opening(&self) -> String {
        let (title, property) = (
            self.telling.report.title(self.telling.property),
            self.telling.property,
        );
        let verdict = match self.holds {
            true => Ink::new(VariableRole::Good, "holds"),
            false => Ink::new(VariableRole::Bad, "fails"),
        };
        let mut head = Ink::new(VariableRole::Strong, title).then(VariableRole::Plain, " ");
        head.append(verdict);
        head.append(Ink::plain(":"));
        let mut page = self.page();
        page.paragraph(head, &Ink::plain(clean(&property.text)), 4);
        let proof = format!("the proof has {}", count(self.told().len(), "claim"));
        page.line(&Ink::plain(proof));
        page.finish()
    }

    /// A claim with its number, and why it is so.
    pub fn claim(&self, number: usize) -> Option<String> {
        let id = ProofId::new(number);
        let node = self.evidence.proof.get(id)?;
        let Claim::Formula(goal, _) = node.claim else {
            return None;
        };
        let claim = say!(
            "{} in state {}",
            self.telling.goal_at(goal, node.at),
            self.telling.state(node.at)
        );
        let claim = self.decided(claim);
        let head = Ink::new(VariableRole::Strong, format!("{number}:"));
        let mut page = self.page();
        page.paragraph(head, &Ink::plain(claim.to_string()), 4);
        page.paragraph(Ink::plain("  "), &Ink::plain(self.why(id).to_string()), 4);
        Some(page.finish())
    }

    /// The claims that a claim rests on.
    pub fn premises(&self, number: usize) -> Vec<usize> {
        let mut id = ProofId::new(number);
        while let Some(same) = self.evidence.proof.get(id).and_then(|_| self.same(id)) {
            id = same;
        }
        let node = self.evidence.proof.get(id);
        node.map_or(vec![], |node| {
            node.premises
                .iter()
                .map(|premise| premise.index())
                .collect()
        })
    }

    fn why(&self, id: ProofId) -> Sentence {
        let mut id = id;
        while let Some(same) = self.same(id) {
            id = same;
        }
        let node = &self.evidence.proof[id];
        let claims: Vec<Sentence> = node
            .premises
            .iter()
            .map(|premise| Sentence::from(premise.index()))
            .collect();
        let noun = if claims.len() == 1 { "claim" } else { "claims" };
        let claims = say!("{} {}", noun, list(&claims));
        match node.rule {
            None => "not shown".into(),
            Some(Rule::State) => "nothing more is needed".into(),
            Some(Rule::Step) => {
                let to = node.premises.first().map(|&to| self.evidence.proof[to].at);
                match to {
                    Some(to) => say!(
                        "the step {} leads to state {}: {}",
                        formula(self.telling.action(node.at, to)),
                        self.telling.state(to),
                        claims
                    ),
                    None => claims,
                }
            }
            Some(Rule::EveryStep) if node.premises.is_empty() => "there is no such step".into(),
            Some(Rule::EveryStep) => say!("each such step leads to one of: {}", claims),
            Some(Rule::Region(region)) => self.telling.region(&self.evidence.regions[region]),
            Some(_) => say!("because of {}", claims),
        }
    }

    fn decided(&self, sentence: Sentence) -> Sentence {
        self.telling
            .judge
            .first_true(SentenceKind::Remark, vec![sentence])
    }

    fn page(&self) -> TextLines {
        TextLines::new(self.style.width, self.style.color)
    }
}
