//! What was found out about a labelled transition system: runs of actions, and why they matter.
//!
//! The views are those of models, in the words of labelled transition systems: a step has an action and
//! leads to a state with a number. [`text`] is the screen, [`markdown`] a page, [`dot`] a graph,
//! [`json`] a part of the one document, and [`export`] the formats of other tools.

pub(crate) mod blame;
pub mod export;
pub mod json;

pub(crate) mod rows;
pub(crate) mod story;
pub mod walk;

use std::collections::HashMap;

use wherefore_base::{IndexVec, SourceMap, Span};
use wherefore_evidence::{
    Assertion, Evidence, Finding, OccurrenceId, ProofId, Replay, SpaceSummary, Verdict,
};
use wherefore_logic::Goal;
use wherefore_model::lts::{Lts, LtsStateTexts, ModalQuestion, StateId};

use crate::report::Counts;
use crate::sentences::checked::SentenceJudge;
use crate::sentences::{Sentence, formula};
use crate::words::clean;

/// The evidence as a graph for Graphviz.
pub mod dot {
    use super::{LtsReport, SystemTelling};
    use crate::export::evidence;
    use crate::words::clean;

    /// The evidence of all findings as one graph: a cluster for each property, a node for each occurrence of a
    /// state, and actions beside the arrows.
    pub fn render(report: &LtsReport<'_>) -> String {
        let findings = report.findings.iter().enumerate();
        evidence::dot(findings.filter_map(|(at, finding)| {
            let telling = SystemTelling::of(*report, finding)?;
            let property = telling.property;
            let title = format!("{}: {}", report.title(property), clean(&property.text));
            Some((at, title, telling))
        }))
    }
}

/// The screen: counts first, then what fails and why, then the rest in a line each.
pub mod text {
    use super::LtsReport;
    use crate::explore::Style;
    use crate::page::{PageExtent, systems, text};
    use crate::text::TextOptions;

    /// Everything there is to say about one system. Of the options, those about variables, parts and views have
    /// no meaning here.
    pub fn render(report: &LtsReport<'_>, options: &TextOptions<'_>) -> String {
        let page = systems::page(report, PageExtent::of_screen(options));
        text::render(&page, options.style())
    }

    /// Everything that is known about who is to blame for failures; `mend`: of the mends of each failure only the one with
    /// this number, from 1.
    pub fn to_blame(report: &LtsReport<'_>, mend: Option<usize>, style: Style) -> String {
        text::render(&super::blame::page(report, mend), style)
    }
}

/// A report for a page: a table of verdicts, and for each evidence its steps.
pub mod markdown {
    use super::LtsReport;
    use crate::manner::Manner;
    use crate::page::{PageExtent, markdown, systems};

    /// The report about one system.
    pub fn render(report: &LtsReport<'_>) -> String {
        let extent = PageExtent::of_document(false, Manner::default());
        markdown::render(&systems::page(report, extent))
    }

    /// Everything that is known about who is to blame for failures; `mend`: of the mends of each failure only the one with
    /// this number, from 1.
    pub fn to_blame(report: &LtsReport<'_>, mend: Option<usize>) -> String {
        markdown::render(&super::blame::page(report, mend))
    }
}

/// A property of a system.
#[derive(Clone, Debug)]
pub struct LtsProperty {
    /// Its name.
    pub name: String,
    /// Its formula as it is written, on one line.
    pub text: String,
    /// Where it stands; `None`: on the command line.
    pub span: Option<Span>,
    /// What it means.
    pub question: ModalQuestion,
}

/// A system with everything found out about it.
#[derive(Clone, Copy, Debug)]
pub struct LtsReport<'a> {
    /// The name the user knows the system by.
    pub path: &'a str,
    /// The system.
    pub lts: &'a Lts,
    /// All source texts of its properties.
    pub sources: &'a SourceMap,
    /// Its properties.
    pub properties: &'a [LtsProperty],
    /// How large it is; `None` when nobody got that far.
    pub space: Option<&'a SpaceSummary>,
    /// What was found out, in the order of the properties.
    pub findings: &'a [Finding],
    /// What its states are called besides their numbers, if they are.
    pub names: Option<&'a dyn LtsStateTexts>,
    /// How long it took, when the user wants to know.
    pub seconds: Option<f64>,
}

impl<'a> LtsReport<'a> {
    /// The property a finding is about.
    pub fn property(&self, finding: &Finding) -> &'a LtsProperty {
        &self.properties[finding.property]
    }

    /// `served (machine.mcl, line 3)`: the name of a property and where it is.
    pub(crate) fn title(&self, property: &LtsProperty) -> String {
        let name = clean(&property.name);
        match property.span {
            Some(span) => {
                let file = clean(self.sources.file(span.file).name());
                let line = self.sources.place(span).line;
                format!("{name} ({file}, line {line})")
            }
            None => name,
        }
    }

    /// What a state is called: its number, or where the parts of a composition are.
    pub(crate) fn state_text(&self, state: usize) -> String {
        let named = self
            .names
            .and_then(|names| names.state_text(StateId::new(state)));
        named.unwrap_or_else(|| state.to_string())
    }

    pub(crate) fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for finding in self.findings {
            *match finding.verdict {
                Verdict::Holds => &mut counts.hold,
                Verdict::Fails => &mut counts.fail,
                Verdict::Unknown(_) => &mut counts.undecided,
            } += 1;
        }
        counts
    }
}

/// An evidence together with everything it speaks about.
pub(crate) struct SystemTelling<'a> {
    pub(crate) report: LtsReport<'a>,
    pub(crate) property: &'a LtsProperty,
    pub(crate) evidence: &'a Evidence,
    /// The nodes of the proof at each occurrence, in order.
    pub(crate) nodes: IndexVec<OccurrenceId, Vec<ProofId>>,
    /// The first edge from one occurrence to another.
    pub(crate) edges: HashMap<(OccurrenceId, OccurrenceId), usize>,
    /// Who decides what is said of it.
    pub(crate) judge: SentenceJudge<'a>,
}

impl<'a> SystemTelling<'a> {
    /// The evidence of a finding, if it has any and it is not wrong.
    pub(crate) fn of(report: LtsReport<'a>, finding: &'a Finding) -> Option<Self> {
        let evidence = finding.evidence.as_ref()?;
        let right = !matches!(evidence.replay, Replay::Failed(_));
        right.then(|| Self::new(report, report.property(finding), evidence))
    }

    pub(crate) fn new(
        report: LtsReport<'a>,
        property: &'a LtsProperty,
        evidence: &'a Evidence,
    ) -> Self {
        Self::logged(report, property, evidence, false)
    }

    /// The same; what is asked of the checker is noted if somebody wants to know.
    pub(crate) fn logged(
        report: LtsReport<'a>,
        property: &'a LtsProperty,
        evidence: &'a Evidence,
        logged: bool,
    ) -> Self {
        let mut nodes: IndexVec<OccurrenceId, Vec<ProofId>> =
            evidence.occurrences.iter().map(|_| vec![]).collect();
        let proof = evidence.proof.entries();
        for (id, node) in proof.filter(|(_, node)| evidence.occurrences.get(node.at).is_some()) {
            nodes[node.at].push(id);
        }
        let mut edges = HashMap::new();
        for (at, edge) in evidence.edges.iter().enumerate() {
            edges.entry((edge.from, edge.to)).or_insert(at);
        }
        Self {
            report,
            property,
            evidence,
            nodes,
            edges,
            judge: SentenceJudge::of_system(report.lts, &property.question, evidence, logged),
        }
    }

    /// What is claimed of an equation at an occurrence, which is asserted.
    pub(crate) fn goal_at(&self, goal: Goal, at: OccurrenceId) -> Sentence {
        self.goal_text(goal).asserting(Assertion::at(goal, at))
    }

    /// What is claimed of an equation.
    pub(crate) fn goal_text(&self, goal: Goal) -> Sentence {
        let text = &self.property.question.system.equations[goal.sub].text;
        let text = crate::words::shortened(clean(text), crate::words::LONGEST);
        let truth = if goal.holds { "holds" } else { "is false" };
        say!("{} {}", formula(text), truth)
    }
}
