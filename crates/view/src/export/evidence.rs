//! Evidence as a graph: nodes are occurrences of states, edges are steps, regions are remarks.
//!
//! [`EvidenceWords`] is what evidence about models and evidence about labelled transition systems say in words of
//! their own; the graph is the same.

use wherefore_base::Value;
use wherefore_evidence::{Claim, Evidence, EvidenceEdge, OccurrenceId, Region, RegionId, Segment};
use wherefore_model::{Property, VarId};

use super::dot::{self, DotCluster};
use super::graph::{
    AttributeKind, AttributeValue, ExportAttribute, ExportEdge, ExportGraph, ExportNode,
    ExportRole, GraphStyle,
};
use super::{ExportFormat, GraphFormat};
use crate::excerpt::Excerpt;
use crate::layout::{Ink, wrap};
use crate::lts::SystemTelling;
use crate::manner::{Manner, View, WhyStyle};
use crate::page::CAUSE;
use crate::phrases::region_text;
use crate::things::Thing;
use crate::told::Notes;
use crate::words::{Telling, clean};

/// What evidence says of its occurrences, steps and regions.
pub(crate) trait EvidenceWords {
    fn evidence(&self) -> &Evidence;

    /// The name of the property and its formula.
    fn headline(&self) -> String;

    /// The attributes of states.
    fn attributes(&self) -> Vec<ExportAttribute>;

    /// The values of the attributes at an occurrence.
    fn values(&self, id: OccurrenceId) -> Vec<AttributeValue>;

    /// What a node shows: its number, then what is known of its state, a line each.
    fn lines(&self, id: OccurrenceId) -> Vec<String>;

    /// Whether the failure depends on values of an occurrence, and that is to be seen.
    fn is_marked(&self, id: OccurrenceId) -> bool {
        let _ = id;
        false
    }

    /// What a node shows in a diagram that tells changes at its arrows.
    fn caption(&self, id: OccurrenceId) -> String;

    /// What a step is called.
    fn label(&self, edge: &EvidenceEdge) -> String;

    /// What stands at an arrow where nodes tell what changes.
    fn arrow(&self, edge: &EvidenceEdge) -> String;

    /// What stands at an arrow where nodes do not tell what changes.
    fn changes(&self, edge: &EvidenceEdge) -> String;

    /// What a run that branches off serves; empty: it is only drawn in another way.
    fn serves(&self, segment: &Segment) -> String;

    /// What a region shows.
    fn region(&self, region: &Region) -> String;

    /// The states of a region as conditions.
    fn cover(&self, region: &Region) -> Vec<String>;
}

/// Evidence in a format of graphs; `None`: it is a format of runs.
pub(crate) fn render(words: &dyn EvidenceWords, format: ExportFormat) -> Option<String> {
    let format = match format {
        ExportFormat::Mermaid => GraphFormat::Mermaid,
        ExportFormat::Svg => GraphFormat::Svg,
        ExportFormat::GraphMl => GraphFormat::GraphMl,
        ExportFormat::Aut => GraphFormat::Aut,
        ExportFormat::Cypher => GraphFormat::CypherStatement,
        ExportFormat::Itf
        | ExportFormat::NuSmv
        | ExportFormat::Vcd
        | ExportFormat::Csv
        | ExportFormat::PlantUml => return None,
    };
    Some(format.text(&EvidenceGraph(words)))
}

/// Several pieces of evidence as one document for Graphviz, each with its number and its title. A node shows what
/// changed; runs that branch off are dashed and say what they serve.
pub(crate) fn dot<W: EvidenceWords>(pieces: impl Iterator<Item = (usize, String, W)>) -> String {
    let pieces: Vec<_> = pieces.collect();
    let graphs: Vec<_> = pieces.iter().map(|piece| EvidenceGraph(&piece.2)).collect();
    let clusters = pieces.iter().zip(&graphs);
    let clusters = clusters.map(|((number, title, _), graph)| DotCluster {
        number: *number,
        prefix: format!("e{number}_"),
        title: Some(title.clone()),
        graph,
    });
    let clusters: Vec<_> = clusters.collect();
    let style = GraphStyle {
        name: "wherefore",
        ..STYLE
    };
    super::text(|out| dot::write(style, &clusters, out))
}

const STYLE: GraphStyle = GraphStyle {
    name: "evidence",
    label: "State",
    edge_label: "label",
    nodes: "shape=box, style=rounded",
    labelled: false,
    flows: false,
    centred: false,
    joined: false,
};

/// How long a line of a claim may be in a node.
const WIDEST: usize = 60;

/// The graph of evidence.
struct EvidenceGraph<'w>(&'w dyn EvidenceWords);

impl EvidenceGraph<'_> {
    /// The number of a region, after those of the states.
    fn number(&self, id: RegionId) -> i64 {
        (self.0.evidence().occurrences.len() + id.index()) as i64
    }

    fn state(&self, id: OccurrenceId) -> ExportNode {
        ExportNode {
            number: id.index() as i64,
            lines: self.0.lines(id),
            caption: Some(self.0.caption(id)),
            values: self.0.values(id),
            style: self.0.is_marked(id).then_some("filled"),
            fill: self.0.is_marked(id).then_some("#fbe3e0"),
            ..ExportNode::default()
        }
    }

    fn region(&self, id: RegionId, region: &Region) -> ExportNode {
        let text = self.0.region(region);
        let lines = text.split("; ").map(str::to_string);
        ExportNode {
            number: self.number(id),
            role: ExportRole::Remark,
            lines: lines.chain(self.0.cover(region)).collect(),
            caption: Some(format!("a region of {} states", region.size)),
            style: Some("solid"),
            doubled: true,
            ..ExportNode::default()
        }
    }

    fn step(&self, edge: &EvidenceEdge) -> ExportEdge<'_> {
        let branch = self.0.evidence().segments.iter().find(|segment| {
            let starts =
                segment.from == Some(edge.from) && segment.states.first() == Some(&edge.to);
            !segment.main && starts
        });
        let serves = branch.map(|segment| self.0.serves(segment));
        let texts = [self.0.arrow(edge), serves.unwrap_or_default()];
        let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        ExportEdge {
            from: edge.from.index() as i64,
            to: edge.to.index() as i64,
            label: self.0.label(edge).into(),
            arrow: Some(texts.join("\n")),
            changes: Some(self.0.changes(edge)),
            style: branch.map(|_| "dashed"),
            ..ExportEdge::default()
        }
    }
}

impl ExportGraph for EvidenceGraph<'_> {
    fn style(&self) -> GraphStyle {
        STYLE
    }

    fn headline(&self) -> Option<String> {
        Some(self.0.headline())
    }

    fn initial(&self) -> Option<i64> {
        Some(0)
    }

    fn nodes(&self) -> impl Iterator<Item = ExportNode> {
        let evidence = self.0.evidence();
        let states = evidence.occurrences.ids().map(|id| self.state(id));
        let regions = evidence.regions.entries();
        states.chain(regions.map(|(id, region)| self.region(id, region)))
    }

    fn edges(&self) -> impl Iterator<Item = ExportEdge<'_>> {
        let evidence = self.0.evidence();
        let steps = evidence.edges.iter().map(|edge| self.step(edge));
        let regions = evidence.regions.entries();
        steps.chain(regions.map(|(id, region)| ExportEdge {
            from: region.at.index() as i64,
            to: self.number(id),
            role: ExportRole::Remark,
            style: Some("dotted"),
            ..ExportEdge::default()
        }))
    }

    fn name(&self, number: i64) -> String {
        let states = self.0.evidence().occurrences.len() as i64;
        match number < states {
            true => format!("s{number}"),
            false => format!("r{}", number - states),
        }
    }

    fn attributes(&self) -> Vec<ExportAttribute> {
        self.0.attributes()
    }
}

/// The evidence of a property of a model.
pub(crate) struct ModelEvidence<'t, 'a> {
    telling: &'t Telling<'a>,
    property: &'t Property,
    /// What is said about each occurrence, where nodes show the claims they serve.
    notes: Option<Notes>,
    /// Whether values that the failure depends on are marked.
    causes: bool,
}

impl<'t, 'a> ModelEvidence<'t, 'a> {
    /// With the claims of the proof at each state, as far as the manner shows proofs.
    pub(crate) fn new(
        telling: &'t Telling<'a>,
        property: &'t Property,
        manner: &Manner<'_>,
    ) -> Self {
        let proof = manner.view == View::Proof && manner.why() != WhyStyle::None;
        let notes = proof.then(|| {
            let excerpt = Excerpt::new(telling, manner);
            Notes::new(telling, &excerpt, manner, false)
        });
        Self {
            telling,
            property,
            notes,
            causes: manner.causes,
        }
    }

    /// Whether a value is marked as one that the failure depends on.
    fn is_cause(&self, id: OccurrenceId, var: VarId) -> bool {
        let causes = self.telling.evidence.causes.as_ref();
        self.causes && causes.is_some_and(|causes| causes.pairs.contains(&(id, var)))
    }

    /// The claims that a state serves, a line each, below a line that divides them from its values.
    fn claims(&self, id: OccurrenceId) -> Vec<String> {
        let lines = self.notes.iter().flat_map(|notes| notes.at(id));
        let texts = lines.flat_map(|line| {
            let text = line.text.to_string();
            let room = WIDEST.saturating_sub(2 * line.depth).max(WIDEST / 2);
            let broken = wrap(&Ink::plain(text), room).into_iter().enumerate();
            let depth = 2 * line.depth;
            broken.map(move |(at, line)| {
                let indent = if at == 0 { depth } else { depth + 2 };
                format!("{}{}", " ".repeat(indent), line.text())
            })
        });
        let texts: Vec<String> = texts.collect();
        let divided = (!texts.is_empty()).then(|| "--".to_string());
        divided.into_iter().chain(texts).collect()
    }
}

impl EvidenceWords for ModelEvidence<'_, '_> {
    fn evidence(&self) -> &Evidence {
        self.telling.evidence
    }

    fn headline(&self) -> String {
        clean(&format!("{}: {}", self.property.name, self.property.text))
    }

    fn attributes(&self) -> Vec<ExportAttribute> {
        let report = self.telling.report;
        let attributes = report.state_vars().map(|var| {
            let key = format!("v{}", var.index());
            ExportAttribute {
                key: key.into(),
                name: report.name(var).into(),
                kind: AttributeKind::Text,
            }
        });
        attributes.collect()
    }

    fn values(&self, id: OccurrenceId) -> Vec<AttributeValue> {
        let values = self.telling.values(id).iter();
        let values = values.map(|&value| match value {
            Value::Bool(truth) => AttributeValue::Bool(truth),
            Value::Int(number) => AttributeValue::Int(number),
            _ => AttributeValue::Text(self.telling.report.value(value)),
        });
        values.collect()
    }

    fn lines(&self, id: OccurrenceId) -> Vec<String> {
        let report = &self.telling.report;
        let before = self.telling.evidence.edges.iter();
        let before = before.filter(|edge| edge.to == id && edge.from < id);
        let before = before.map(|edge| edge.from).min();
        let old = before.map(|from| self.telling.values(from));
        let new = self.telling.values(id);
        let things = report.things(false).into_iter();
        let is_cause = |thing: &Thing<'_>| thing.vars().iter().any(|&var| self.is_cause(id, var));
        let told = things.filter(|thing| {
            is_cause(thing) || old.is_none_or(|old| thing.change(old, new).is_some())
        });
        let told = told.filter(|thing| !report.hides_variable(&report.thing_name(*thing)));
        let told = told.map(|thing| {
            let value = report.thing_value(thing, new);
            let mark = if is_cause(&thing) { CAUSE } else { "" };
            format!("{mark}{}={value}", report.thing_name(thing))
        });
        std::iter::once(report.numbered(id.index(), new))
            .chain(report.caption(new))
            .chain(told)
            .chain(self.claims(id))
            .collect()
    }

    fn is_marked(&self, id: OccurrenceId) -> bool {
        let mut vars = self.telling.report.state_vars();
        vars.any(|var| self.is_cause(id, var))
    }

    fn caption(&self, id: OccurrenceId) -> String {
        let values = self.telling.values(id);
        let number = self.telling.report.numbered(id.index(), values);
        match id.index() {
            0 => format!(
                "{number}: {}",
                self.telling.report.state_text(values, false)
            ),
            _ => number,
        }
    }

    fn label(&self, edge: &EvidenceEdge) -> String {
        let report = &self.telling.report;
        let (old, new) = (self.telling.values(edge.from), self.telling.values(edge.to));
        let things = report.things(false).into_iter();
        let changed = things.filter(|thing| thing.change(old, new).is_some());
        let changes = changed.map(|thing| report.thing_change(thing, old, new));
        let changes: Vec<String> = changes.collect();
        match self.arrow(edge) {
            input if !input.is_empty() => input,
            _ if changes.is_empty() => "nothing changes".to_string(),
            _ => changes.join(", "),
        }
    }

    fn arrow(&self, edge: &EvidenceEdge) -> String {
        self.telling.report.input_text(&edge.input)
    }

    fn changes(&self, edge: &EvidenceEdge) -> String {
        let report = &self.telling.report;
        let changes = self.telling.changes(edge);
        let changes = changes.filter(|change| report.model.vars[change.var].is_declared());
        let changes = changes.map(|change| {
            let (old, new) = (report.value(change.old), report.value(change.new));
            format!("{}: {old} → {new}", report.name(change.var))
        });
        let input = Some(self.arrow(edge)).filter(|input| !input.is_empty());
        let texts: Vec<String> = input.into_iter().chain(changes).collect();
        texts.join(", ")
    }

    fn serves(&self, segment: &Segment) -> String {
        match segment.serves {
            Claim::Formula(..) => self.telling.claim(segment.serves).to_string(),
            Claim::HasPath => "goes on".to_string(),
        }
    }

    fn region(&self, region: &Region) -> String {
        region_text(self.telling, region).to_string()
    }

    fn cover(&self, region: &Region) -> Vec<String> {
        self.telling.cover(region)
    }
}

impl EvidenceWords for SystemTelling<'_> {
    fn evidence(&self) -> &Evidence {
        self.evidence
    }

    fn headline(&self) -> String {
        clean(&format!("{}: {}", self.property.name, self.property.text))
    }

    fn attributes(&self) -> Vec<ExportAttribute> {
        vec![ExportAttribute {
            key: "state".into(),
            name: "state".into(),
            kind: AttributeKind::Long,
        }]
    }

    fn values(&self, id: OccurrenceId) -> Vec<AttributeValue> {
        vec![AttributeValue::Int(self.state(id) as i64)]
    }

    fn lines(&self, id: OccurrenceId) -> Vec<String> {
        let state = format!("state {}", self.state(id));
        vec![id.index().to_string(), state]
    }

    fn caption(&self, id: OccurrenceId) -> String {
        format!("{}: state {}", id.index(), self.state(id))
    }

    fn label(&self, edge: &EvidenceEdge) -> String {
        SystemTelling::label(self, &edge.input)
    }

    fn arrow(&self, edge: &EvidenceEdge) -> String {
        SystemTelling::label(self, &edge.input)
    }

    fn changes(&self, edge: &EvidenceEdge) -> String {
        match SystemTelling::label(self, &edge.input) {
            // The empty label is that of a step which cannot be seen.
            label if label.is_empty() => "i".to_string(),
            label => label,
        }
    }

    fn serves(&self, _: &Segment) -> String {
        String::new()
    }

    fn region(&self, region: &Region) -> String {
        SystemTelling::region(self, region).to_string()
    }

    fn cover(&self, _: &Region) -> Vec<String> {
        vec![]
    }
}
