//! A proof that is being explored: the run so far, the claims along it, what is open and the ways to
//! show it.
//!
//! An [`Explainer`] knows the model, the evidence so far and how text is to look; its methods give
//! lines of [`Ink`], which a terminal explorer draws and a pipe prints. Nothing here depends on the
//! engine.

use wherefore_evidence::{
    Claim, Evidence, OccurrenceId, ProofId, ProofNode, Replay, Rule, Segment, SegmentEnding, Why,
    WishOutcome,
};
use wherefore_logic::SubId;
use wherefore_model::{Property, Query};

use crate::because::because;
use crate::excerpt::Excerpt;
use crate::explore::Style;
use crate::layout::{Ink, Signs, TextLines, VariableRole, wrap};
use crate::manner::Manner;
use crate::nothing::total;
use crate::page::reasons::why_blocks;
use crate::page::runs::{branch_claim, group_name, region_blocks};
use crate::page::{PageBlock, PageTable, Status, WHAT, text};
use crate::phrases::{run_text, shape_of};
use crate::remarks::remarks;
use crate::sentences::evidence_noun;
use crate::sentences::length::KnownLength;
use crate::sentences::nodes::{by_region, every_successor};
use crate::sentences::run_nodes::along_steps;
use crate::sentences::starts::start_text;
use crate::strands::{Strand, groups, strands};
use crate::table::{self, Choice, Mark, Row};
use crate::wished::wish_text;
use crate::words::{Telling, clean, count, list, sub_text};
use crate::{Report, Shown};

/// Turns a proof that is being explored into lines.
#[derive(Clone, Copy)]
pub struct Explainer<'a> {
    /// The model, its texts, and expressions to show at every step.
    pub report: Report<'a>,
    /// The property.
    pub query: &'a Query,
    /// The evidence so far.
    pub evidence: &'a Evidence,
    /// How text looks.
    pub style: Style,
    /// All values at every step.
    pub full: bool,
    /// The last step first.
    pub backward: bool,
    /// Which variables to show, by name; `None`: all.
    pub vars: Option<&'a dyn Fn(&str) -> bool>,
}

/// A line of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLine {
    /// What it is about.
    pub about: ExplainedNode,
    /// What it says.
    pub ink: Ink,
}

/// What a line of a run is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExplainedNode {
    /// Nothing in particular.
    Nothing,
    /// A step.
    Step(OccurrenceId),
    /// The branch with this number, which can be folded and unfolded.
    Branch(usize),
}

/// So many sub-formulas are shown.
const SUB_FORMULAS: usize = 200;

impl<'a> Explainer<'a> {
    /// `FAILS  served (line 39):  AG (r -> AF f)`, and from which states it is asked, where the user chose them.
    pub fn heading(&self, property: &Property, holds: bool) -> Vec<Ink> {
        let status = if holds { Status::Holds } else { Status::Fails };
        let title = self.report.title(property);
        let mut lines = text::verdict(status, &title, &clean(&property.text), self.style);
        if let Some(from) = self.report.from {
            let said = PageBlock::sentence(start_text(from));
            lines.extend(text::lines(&[said], self.style));
        }
        lines
    }

    /// Every sub-formula on a line, with its truth at a step: `+` is true there, `-` is false. The one
    /// in focus has a `>` before it.
    pub fn formula(&self, at: OccurrenceId, focus: Option<SubId>) -> Vec<Ink> {
        let formula = &self.query.formula;
        let deepest = self.style.width / 2;
        let mut lines = Vec::new();
        let mut open = vec![(formula.root(), 0)];
        while let Some((sub, indent)) = open.pop() {
            if lines.len() == SUB_FORMULAS {
                let left = count(formula.len() - SUB_FORMULAS, "sub-formula");
                lines.push(Ink::new(VariableRole::Dim, format!("  and {left} more")));
                break;
            }
            let occurrence = self.evidence.occurrences.get(at);
            let truth =
                occurrence.and_then(|occurrence| occurrence.truth.get(sub).copied().flatten());
            let (role, mark) = match truth {
                Some(true) => (VariableRole::Good, "+ "),
                Some(false) => (VariableRole::Bad, "- "),
                None => (VariableRole::Dim, "? "),
            };
            let (pointer, text) = match focus == Some(sub) {
                true => ("> ", VariableRole::Strong),
                false => ("  ", VariableRole::Plain),
            };
            let line = Ink::new(text, pointer)
                .then(VariableRole::Plain, " ".repeat(usize::min(indent, deepest)))
                .then(role, mark)
                .then(text, sub_text(&self.report, self.query, sub));
            lines.push(line.cut(self.style.width, self.signs().cut));
            let operands: Vec<SubId> = formula.op(sub).operands().collect();
            open.extend(operands.into_iter().rev().map(|sub| (sub, indent + 2)));
        }
        lines
    }

    /// The runs so far: the main run, and each branch, which is folded unless somebody unfolds it.
    pub fn run(&self, unfolded: &dyn Fn(usize) -> bool) -> Vec<RunLine> {
        let telling = self.telling();
        let excerpt = Excerpt::new(&telling, &Manner::default());
        let remarks = remarks(&telling, &excerpt);
        let choice = Choice {
            full: self.full,
            vars: self.vars,
            causes: false,
        };
        let strands = strands(self.evidence);
        let mut lines = Vec::new();
        for (at, group) in groups(&strands).into_iter().enumerate() {
            let strand = group[0];
            if at > 0 {
                let open = unfolded(at);
                let ink = self.branch(&telling, &group, open);
                let about = ExplainedNode::Branch(at);
                lines.push(RunLine { about, ink });
                if !open {
                    continue;
                }
            }
            let mut rows = match strand.fan {
                true => table::fan_rows(&telling, &group, &remarks, choice),
                false => table::rows(&telling, strand, &remarks, choice),
            };
            if self.backward {
                turn(&mut rows);
            }
            let table = PageTable::of_steps(&rows, WHAT);
            let (ink, told) = text::tables::step_lines(&table, self.style);
            let about = ExplainedNode::Nothing;
            lines.extend((at == 0).then_some(RunLine { about, ink }));
            for (row, told) in rows.iter().zip(told) {
                let about = ExplainedNode::Step(row.step);
                lines.extend(told.into_iter().map(|ink| RunLine { about, ink }));
            }
        }
        for region in self.evidence.regions.iter() {
            let about = ExplainedNode::Step(region.at);
            let region = text::lines(&region_blocks(&telling, region)[..2], self.style);
            lines.extend(region.into_iter().map(|ink| RunLine { about, ink }));
        }
        lines
    }

    /// A claim at a step: "`AF f` is false at step 2".
    pub fn claim(&self, claim: Claim, at: OccurrenceId, rank: Option<u32>) -> String {
        let telling = self.telling();
        let text = telling.with_names(say!("{} at {}", telling.claim(claim), at));
        let mut text = text.to_string();
        if let Claim::Formula(_, Some(bounds)) = claim {
            let left = format!(", with {}..{} steps left", bounds.least, bounds.most);
            text.push_str(&left);
        }
        if let Some(rank) = rank.filter(|rank| *rank > 0) {
            text.push_str(&format!(", within {}", count(rank as usize, "step")));
        }
        text
    }

    /// A node of the proof in a sentence: what is claimed where, and why.
    pub fn node(&self, node: ProofId) -> String {
        let node = &self.evidence.proof[node];
        let claim = self.claim(node.claim, node.at, node.rank);
        match self.reason(node) {
            Some(reason) => format!("{claim}: {reason}"),
            None => format!("{claim}: not shown yet"),
        }
    }

    /// A text after a head, wrapped; its further lines stand below the first.
    pub fn item(&self, head: &str, text: &str) -> Vec<Ink> {
        let room = self.style.width.saturating_sub(head.len()).max(8);
        let lines = wrap(&Ink::plain(text), room).into_iter();
        let lines = lines.enumerate().map(|(at, line)| {
            let mut whole = Ink::new(VariableRole::Strong, if at == 0 { head } else { "" });
            whole.pad(head.len());
            whole.append(line);
            whole
        });
        lines.collect()
    }

    /// What the evidence comes to: the *because* sentence, its shape, and what was re-checked.
    pub fn summary(&self, open: usize) -> Vec<Ink> {
        let telling = self.telling();
        let mut lines = TextLines::new(self.style.width, self.style.color);
        let because = Ink::plain(because(&telling).to_string());
        lines.paragraph(Ink::new(VariableRole::Strong, "  because"), &because, 4);
        let far = if open == 0 { "" } else { " so far" };
        let root = telling
            .evidence
            .proof
            .get(ProofId::new(0))
            .map(|node| node.claim);
        let holds = matches!(root, Some(Claim::Formula(goal, _)) if goal.holds);
        let noun = evidence_noun(holds);
        let witness = format!("{noun}{far}: {}  ", shape_of(&telling));
        let length = match open {
            0 => self.length(),
            _ => String::new(),
        };
        let badge = format!("{length}{}", self.badge(open));
        let badge = Ink::plain(witness).then(VariableRole::Dim, badge);
        lines.paragraph(Ink::plain(" "), &badge, 4);
        lines.into_lines()
    }

    /// What became of wishes about whole runs, a sentence for each.
    pub fn wishes(&self, outcomes: &[WishOutcome]) -> Vec<Ink> {
        let sentences = outcomes.iter().map(wish_text);
        let lines = sentences.flat_map(|sentence| self.item("  ", &sentence.to_string()));
        lines.collect()
    }

    /// How long the evidence is, beside the shortest that is known; nothing where nobody looked.
    fn length(&self) -> String {
        match self.evidence.minimal.at_least {
            0 => String::new(),
            _ => {
                let telling = self.telling();
                let known = KnownLength::of(self.evidence, telling.judge.as_deref());
                format!("{}  ", known.sentence(true))
            }
        }
    }

    /// Why the property holds, for people.
    pub fn why(&self, why: &Why) -> Vec<Ink> {
        text::lines(&why_blocks(&self.report, why, self.full), self.style)
    }

    /// What was re-checked, and how much is left to show.
    pub fn badge(&self, open: usize) -> String {
        let obligations = match open {
            0 => String::new(),
            n => format!(", {} open", count(n, "obligation")),
        };
        // That something is open is said with its number.
        let rest = |what: &str| {
            let parts = what
                .split("; ")
                .filter(|part| *part != "an obligation is open");
            parts.collect::<Vec<_>>().join("; ")
        };
        match (&self.evidence.replay, open) {
            (Replay::NotDone, _) => format!("[not replayed{obligations}]"),
            (Replay::Ok, 0) => "[replayed: ok]".to_string(),
            (Replay::Ok, _) => format!("[shown part replayed{obligations}]"),
            (Replay::Partial(what), 0) => format!("[replayed in part, not re-checked: {what}]"),
            (Replay::Partial(what), _) => match rest(what).as_str() {
                "" => format!("[shown part replayed{obligations}]"),
                what => format!("[shown part replayed, not re-checked: {what}{obligations}]"),
            },
            (Replay::Failed(_), _) => "[replay FAILED]".to_string(),
        }
    }

    /// The values of all variables at a step, and those of the shown expressions, one on a line.
    pub fn state(&self, at: OccurrenceId) -> Vec<Ink> {
        let state = self.telling().values(at);
        let report = self.report;
        let things = report.things(self.full).into_iter();
        let wanted = |name: &String| self.vars.is_none_or(|wanted| wanted(name));
        let vars = things.map(|thing| (report.thing_name(thing), report.thing_value(thing, state)));
        let vars = vars.filter(|(name, _)| wanted(name));
        let shown = |shown: &Shown| (clean(&shown.text), report.shown_value(shown.term, state));
        let lines = vars.chain(report.shown.iter().map(shown));
        let lines = lines.map(|(name, value)| {
            Ink::plain(format!("  {name} = ")).then(VariableRole::Strong, value)
        });
        lines.collect()
    }

    /// Why a node is so, as its rule says.
    fn reason(&self, node: &ProofNode) -> Option<String> {
        let telling = self.telling();
        if let Some(reason) = along_steps(&telling, node) {
            return Some(reason.to_string());
        }
        let claims = || {
            let premises = telling.formulas(node);
            let claims = premises
                .iter()
                .map(|&premise| telling.claim(self.evidence.proof[premise].claim));
            list(&claims.map(|claim| claim.to_string()).collect::<Vec<_>>())
        };
        let place = |premise: Option<&ProofId>| {
            let at = premise.map_or(node.at, |&premise| self.evidence.proof[premise].at);
            at.index()
        };
        Some(match node.rule? {
            // An atom of a run may read the input of a step.
            Rule::State if self.is_run() => match telling.is_of_step(node.claim) {
                true => "the step after it decides".to_string(),
                false => "the values at this step decide".to_string(),
            },
            Rule::State => "the values of the state decide".to_string(),
            Rule::Branch(_) => format!("because {}", claims()),
            Rule::Step => format!("one step leads to step {}", place(node.premises.first())),
            Rule::EveryStep => every_successor(&telling, node).to_string(),
            Rule::Goal => match claims() {
                claims if claims.is_empty() => "reached here".to_string(),
                claims => format!("reached here, because {claims}"),
            },
            Rule::Continue => {
                let to = place(node.premises.last());
                match self.closes(node.at, OccurrenceId::new(to)) {
                    true => format!("back to step {to}, for ever"),
                    false => format!("goes on to step {to}"),
                }
            }
            Rule::DeadEnd => "no step leads on from here".to_string(),
            Rule::Stop => "the run may end here".to_string(),
            Rule::Region(region) => by_region(&telling, node, region).to_string(),
            Rule::Total => total(self.query.rule).to_string(),
            Rule::Start => "the run begins here".to_string(),
            Rule::Run => "the run shows it".to_string(),
        })
    }

    /// Whether the proof walks along a run.
    fn is_run(&self) -> bool {
        let root = self.evidence.proof.get(ProofId::new(0));
        root.is_some_and(|root| root.rule == Some(Rule::Run))
    }

    /// Whether a step closes a loop.
    fn closes(&self, from: OccurrenceId, to: OccurrenceId) -> bool {
        let ends_at = |segment: &Segment| segment.states.last().copied().or(segment.from);
        let mut segments = self.evidence.segments.iter();
        segments.any(|s| s.ending == SegmentEnding::Loop(to) && ends_at(s) == Some(from))
    }

    /// "branch at step 2: why `AG p` is false there (3 steps)"
    fn branch(&self, telling: &Telling<'_>, group: &[&Strand<'_>], open: bool) -> Ink {
        let (strand, fan) = (group[0], group.len());
        let why = branch_claim(telling, strand, false).to_string();
        let size = match strand.fan {
            true => count(fan, "step"),
            false => run_text(self.report.start(), strand).to_string(),
        };
        let sign = match (open, self.style.ascii) {
            (true, true) => "v",
            (true, false) => "▾",
            (false, true) => ">",
            (false, false) => "▸",
        };
        let line = Ink::new(
            VariableRole::Strong,
            format!("{sign} {}: ", group_name(telling, group)),
        )
        .then(VariableRole::Plain, why)
        .then(VariableRole::Dim, format!(" ({size})"));
        line.cut(self.style.width, self.signs().cut)
    }

    pub(crate) fn telling(&self) -> Telling<'a> {
        Telling::over(self.report, self.query, self.evidence)
    }

    fn signs(&self) -> Signs {
        Signs::new(self.style.ascii)
    }
}

/// Puts the last row first, and the bracket of the loop the other way round.
fn turn(rows: &mut [Row]) {
    rows.reverse();
    for row in rows {
        row.mark = match row.mark {
            Mark::Top => Mark::Bottom,
            Mark::Bottom => Mark::Top,
            mark => mark,
        };
    }
}
