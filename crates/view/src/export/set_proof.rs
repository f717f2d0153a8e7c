//! The proof of an abstract run as a graph: nodes are claims about sets of states, edges lead to what they follow from.

use wherefore_evidence::{AbstractPosition, Abstracted, ClaimStates, Finding, Replay};
use wherefore_model::PropertyBody;

use super::graph::{ExportEdge, ExportGraph, ExportNode, GraphStyle};
use crate::Report;
use crate::abstracted::formula;
use crate::sentences::set_proof::SetProofWords;
use crate::words::clean;

/// The proof over sets of a finding, if there is one that was re-checked.
pub(crate) struct SetProofGraph<'a> {
    report: Report<'a>,
    words: SetProofWords<'a>,
    positions: &'a [AbstractPosition],
    title: String,
}

impl<'a> SetProofGraph<'a> {
    pub(crate) fn of(report: &Report<'a>, finding: &'a Finding) -> Option<Self> {
        let property = report.property(finding);
        let (Some(Abstracted::Run(run)), PropertyBody::Query(query)) =
            (&finding.abstraction, &property.body)
        else {
            return None;
        };
        if matches!(run.replay, Replay::Failed(_)) {
            return None;
        }
        let words = SetProofWords::new(*report, query, run)?;
        Some(Self {
            report: *report,
            words,
            positions: &run.positions,
            title: clean(&format!(
                "{}: {}, for sets of states",
                property.name, property.text
            )),
        })
    }
}

impl ExportGraph for SetProofGraph<'_> {
    fn style(&self) -> GraphStyle {
        GraphStyle {
            name: "set_proof",
            label: "Claim",
            edge_label: "label",
            nodes: "shape=box, style=rounded",
            ..GraphStyle::default()
        }
    }

    fn headline(&self) -> Option<String> {
        Some(self.title.clone())
    }

    fn initial(&self) -> Option<i64> {
        Some(0)
    }

    fn nodes(&self) -> impl Iterator<Item = ExportNode> {
        (0..self.words.len()).map(|number| {
            let claim = self.words.claim(number);
            let states = match &claim.of {
                ClaimStates::Described(described) => Some(&**described),
                _ => self.positions.get(claim.position),
            };
            let states = states.map(|states| formula(&self.report, states, &[]));
            let what = self.words.what(number).to_string();
            let mut lines = vec![
                format!("#{number} {what}"),
                self.words.place(number).to_string(),
            ];
            // Where the set is a part of a position, its place says which.
            lines.extend(states.filter(|_| claim.of == ClaimStates::Position));
            lines.push(self.words.why(number).to_string());
            ExportNode {
                number: number as i64,
                caption: Some(lines.join("; ")),
                lines,
                ..ExportNode::default()
            }
        })
    }

    fn edges(&self) -> impl Iterator<Item = ExportEdge<'_>> {
        (0..self.words.len()).flat_map(move |number| {
            let claim = self.words.claim(number);
            let premises = self.words.premises(number).into_iter();
            premises.map(move |premise| {
                // A premise about the next position is reached by a step.
                let step = self.words.claim(premise).position > claim.position;
                ExportEdge {
                    from: number as i64,
                    to: premise as i64,
                    label: if step { "step" } else { "" }.into(),
                    ..ExportEdge::default()
                }
            })
        })
    }

    fn name(&self, number: i64) -> String {
        format!("c{number}")
    }
}
