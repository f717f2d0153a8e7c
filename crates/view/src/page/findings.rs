//! The page of what was found out about a model.

use wherefore_evidence::certificate::Certified;
use wherefore_evidence::{Abstracted, Finding, Note, Replay, Vacuity, Verdict, Why};
use wherefore_model::PropertyBody;

use super::reasons::{refutation, why_blocks, witness};
use super::runs::{
    branch_heading, branch_name, decided_at, folded, left_out, never_occurs, not_shown, positions,
    reason, region_blocks, region_states, set_proof, witnessed,
};
use super::{
    Inline, NO_EVIDENCE, Page, PageAnswer, PageBlock, PageExtent, PageItem, PageTable, Status,
    Title, WHAT, WHAT_NEXT, totals, undecided, wrong_evidence,
};
use crate::Report;
use crate::abstracted;
use crate::because::because;
use crate::certificate;
use crate::english;
use crate::excerpt::{Excerpt, Trimmed};
use crate::export::ExportFormat;
use crate::export::evidence::{self, ModelEvidence};
use crate::fold::fold;
use crate::hints::hints;
use crate::layout::Ink;
use crate::manner::{View, WhyStyle};
use crate::nothing::{deadlocks_matter, of_nothing_text};
use crate::page::to_blame;
use crate::phrases::{
    BY_FORM, checked_badges, checked_note, quantity_text, shape_of, shape_text, vacuity_text,
    witness_text,
};
use crate::sentences::decisions::{decision_text, worth_telling};
use crate::sentences::starts::start_text;
use crate::sentences::{Sentence, evidence_noun, readings};
use crate::several::{Piece, parts_text, pieces};
use crate::strands::{Strand, groups, strands};
use crate::table::Choice;
use crate::told::{self, Notes};
use crate::truths::Truths;
use crate::wished::wish_text;
use crate::words::{Telling, clean};

/// So many decisions are told.
const DECISIONS: usize = 3;

/// Everything there is to say about one model.
pub(crate) fn page(report: &Report<'_>, extent: PageExtent<'_>) -> Page {
    let (total, tally) = totals::of_properties(report.counts());
    let builder = FindingPage {
        report: *report,
        extent,
    };
    let title = Title {
        path: clean(report.path()),
        total,
        tally,
    };
    let all = extent.all || extent.manner.is_special();
    let mut page = Page {
        title,
        facts: totals::facts(report),
        from: report.from.map(start_text),
        answers: Some(answers(report, extent)),
        end: vec![],
        hints: match extent.hints {
            true => hints(report, extent.full, all),
            false => vec![],
        },
    };
    if extent.document {
        page.end.extend(builder.said_of_all());
    }
    page.end.extend(builder.warnings());
    page.end
        .extend(report.unused_names().into_iter().map(PageBlock::Warning));
    page
}

/// What was found out, answer by answer.
pub(crate) fn answers(report: &Report<'_>, extent: PageExtent<'_>) -> Vec<PageAnswer> {
    let builder = FindingPage {
        report: *report,
        extent,
    };
    let findings = report.findings.iter();
    findings.map(|finding| builder.answer(finding)).collect()
}

/// The evidence of the findings alone, where the verdicts are told already.
pub(crate) fn evidence(report: &Report<'_>, extent: PageExtent<'_>) -> Vec<PageBlock> {
    let builder = FindingPage {
        report: *report,
        extent,
    };
    let mut blocks = Vec::new();
    for finding in report.findings {
        if !extent.document {
            builder.certificate(&mut blocks, finding);
        }
        builder.evidence(&mut blocks, finding);
    }
    blocks
}

struct FindingPage<'a> {
    report: Report<'a>,
    extent: PageExtent<'a>,
}

impl<'a> FindingPage<'a> {
    fn answer(&self, finding: &'a Finding) -> PageAnswer {
        let property = self.report.property(finding);
        let query = property.body.query();
        let (status, says) = match (&finding.verdict, &finding.vacuity) {
            (Verdict::Fails, _) => (Status::Fails, None),
            (Verdict::Unknown(_), _) => (Status::Undecided, undecided(finding)),
            _ if self.report.holds_of_nothing(finding) => {
                (Status::Vacuous, of_nothing_text(&self.report, finding))
            }
            (Verdict::Holds, Vacuity::Vacuous { sub }) => {
                let says = query.map(|query| vacuity_text(&self.report, query, *sub));
                (Status::Vacuous, says)
            }
            (Verdict::Holds, _) => match finding.quantity {
                Some(quantity) => (
                    Status::Value,
                    Some(quantity_text(&self.report, finding, quantity)),
                ),
                None => (Status::Holds, None),
            },
        };
        let mut answer = PageAnswer {
            status,
            title: self.report.title(property),
            formula: clean(&property.text),
            says,
            blocks: vec![],
        };
        match self.extent.document {
            true => {
                if finding.why.is_some() {
                    answer.blocks.push(self.section(finding, None));
                }
                if finding.verdict == Verdict::Fails {
                    answer
                        .blocks
                        .extend(refutation(&self.report, finding, self.extent.full));
                }
                self.why(&mut answer.blocks, finding);
                if finding.verdict == Verdict::Holds && finding.evidence.is_none() {
                    answer
                        .blocks
                        .extend(witness(&self.report, finding, self.extent.full));
                }
                self.evidence(&mut answer.blocks, finding);
            }
            false => self.body(&mut answer, finding),
        }
        answer
    }

    /// What a screen tells of an answer below its verdict.
    fn body(&self, answer: &mut PageAnswer, finding: &'a Finding) {
        let query = self.report.property(finding).body.query();
        let said = finding.notes.iter().filter_map(|note| match note {
            Note::NoFairState(why) if finding.verdict == Verdict::Fails && why.decisive => {
                Some(say!("because {}", checked_note(&self.report, query, note)))
            }
            note => said(note),
        });
        let said: Vec<PageBlock> = said.map(PageBlock::sentence).collect();
        let told = !said.is_empty();
        let blocks = &mut answer.blocks;
        if answer.status != Status::Value && !self.report.holds_without_start(finding) {
            blocks.extend(said);
        }
        match answer.status {
            Status::Fails => match &finding.evidence {
                Some(_) => self.evidence(blocks, finding),
                // Why it fails without a run is told among the circumstances.
                None if finding.rests_on_no_run() => {}
                None if matches!(finding.why, Some(Why::Proved(_))) => {
                    blocks.extend(refutation(&self.report, finding, self.extent.full));
                    self.why(blocks, finding);
                    blocks.push(PageBlock::Gap);
                }
                // What refutes it may be a proof, which was told.
                None if told => {}
                None => blocks.push(PageBlock::sentence(NO_EVIDENCE)),
            },
            Status::Undecided => {}
            Status::Vacuous => {
                self.why(blocks, finding);
                if finding.by_form && !self.report.holds_of_nothing(finding) {
                    blocks.push(PageBlock::sentence(say!("holds {}", BY_FORM)));
                }
                self.certificate(blocks, finding);
            }
            Status::Holds | Status::Value => {
                if finding.by_form && answer.status == Status::Holds {
                    blocks.push(PageBlock::sentence(BY_FORM));
                }
                self.why(blocks, finding);
                self.certificate(blocks, finding);
                if answer.status == Status::Holds {
                    self.holds(blocks, finding);
                }
            }
        }
    }

    /// The witness of a property that holds.
    fn holds(&self, blocks: &mut Vec<PageBlock>, finding: &'a Finding) {
        let all = self.extent.all || self.extent.manner.is_special();
        match &finding.evidence {
            Some(_) if all || !finding.more.others.is_empty() => {
                self.evidence(blocks, finding);
                blocks.push(PageBlock::Gap);
            }
            Some(evidence) => {
                blocks.push(PageBlock::sentence(say!(
                    "witness: {}",
                    shape_text(self.report.start(), evidence)
                )));
                self.abstracted(blocks, finding);
            }
            None => {
                let shown = witness(&self.report, finding, self.extent.full);
                if !shown.is_empty() {
                    blocks.extend(shown);
                    blocks.push(PageBlock::Gap);
                }
            }
        }
        if finding.witness.is_some() {
            self.witness(blocks, finding);
            blocks.push(PageBlock::Gap);
        }
    }

    /// Why it holds, for people, if asked for.
    fn why(&self, blocks: &mut Vec<PageBlock>, finding: &Finding) {
        // Where there is a certificate, that nothing shorter was found says nothing.
        let certified = finding.certificate.is_some();
        let told = finding.why.as_ref();
        if let Some(found) = told.filter(|why| !matches!(why, Why::NotShown(_)) || !certified) {
            blocks.extend(why_blocks(&self.report, found, self.extent.full));
        }
    }

    /// Why it holds, as data, if asked for.
    fn certificate(&self, blocks: &mut Vec<PageBlock>, finding: &Finding) {
        let Some(certified) = &finding.certificate else {
            return;
        };
        let summary = certificate::summary(&self.report, certified);
        blocks.push(PageBlock::sentence(summary));
        let query = self.report.property(finding).body.query();
        let Certified::Given {
            certificate, over, ..
        } = certified
        else {
            return;
        };
        if let Some(query) = query.filter(|_| self.extent.full) {
            let scope = certificate::Scope::new(&self.report, *over);
            let lines = certificate::lines(scope, query, certificate).into_iter();
            let items = lines.map(|(depth, line)| PageItem {
                head: Ink::plain(" ".repeat(2 * depth + 3)),
                text: Ink::plain(line.as_str()),
                hang: 2 * depth + 6,
                depth,
                document: Inline::prose(line),
            });
            blocks.push(PageBlock::List(items.collect()));
        }
    }

    /// All evidence of a finding; in a document also the run on which it matters.
    fn evidence(&self, blocks: &mut Vec<PageBlock>, finding: &'a Finding) {
        let Some(evidence) = &finding.evidence else {
            if self.extent.document {
                self.witness(blocks, finding);
            }
            return;
        };
        if let Some(text) = parts_text(&self.report, finding).filter(|_| !self.extent.document) {
            blocks.push(PageBlock::sentence(text));
        }
        for (at, piece) in pieces(self.report, finding, evidence).iter().enumerate() {
            if at > 0 {
                blocks.push(PageBlock::Gap);
            }
            self.piece(blocks, finding, piece);
            blocks.extend(piece.closing.clone().map(PageBlock::sentence));
        }
        if let Some(blame) = &finding.blame {
            blocks.extend(to_blame::blocks(&self.report, blame));
        }
    }

    fn section(&self, finding: &Finding, which: Option<Sentence>) -> PageBlock {
        PageBlock::Section {
            title: self.report.title(self.report.property(finding)),
            which,
            level: 2,
        }
    }

    /// The run on which a property matters.
    fn witness(&self, blocks: &mut Vec<PageBlock>, finding: &'a Finding) {
        let Some(witness) = &finding.witness else {
            return;
        };
        let telling = Telling::of_witness(self.report, witness);
        blocks.push(self.section(finding, None));
        let text = witness_text(&telling, finding, witness);
        blocks.push(PageBlock::headed(
            Ink::plain(" "),
            "Holds, and matters:",
            text,
        ));
        let shape = shape_of(&telling);
        match self.extent.document {
            true => blocks.push(witnessed("witness", shape, checked_badges(&telling))),
            false => blocks.push(witnessed("that run", shape, vec![])),
        }
        blocks.push(PageBlock::Gap);
        self.strands(blocks, &telling);
        self.diagram(blocks, finding, &telling);
    }

    /// One evidence, with its heading if it has one.
    fn piece(&self, blocks: &mut Vec<PageBlock>, finding: &Finding, piece: &Piece<'_>) {
        let telling = &piece.telling;
        blocks.push(self.section(finding, piece.heading.clone()));
        if let Replay::Failed(why) = &telling.evidence.replay {
            blocks.push(wrong_evidence(why));
            return;
        }
        blocks.push(if self.extent.manner.why() == WhyStyle::English {
            let (reading, answer) = (readings::reading(telling), english::answer(telling));
            PageBlock::sentence(say!("{} {}", reading, answer))
        } else {
            reason(&finding.verdict, because(telling))
        });
        let shape = shape_of(telling);
        let noun = evidence_noun(finding.verdict == Verdict::Holds);
        blocks.push(witnessed(noun, shape, piece.badges()));
        if !piece.further {
            let wishes = finding.wishes.iter().map(wish_text);
            blocks.extend(wishes.map(PageBlock::sentence));
            self.abstracted(blocks, finding);
            if matches!(finding.abstraction, Some(Abstracted::Run(_))) && !self.extent.document {
                return;
            }
        }
        blocks.push(PageBlock::Gap);
        let excerpt = self.strands(blocks, telling);
        if self.extent.full || self.extent.manner.view == View::Proof {
            let truths = Truths::of(telling).map(|truths| truths.blocks(self.extent.document));
            blocks.extend(truths.unwrap_or_default());
        }
        let told = worth_telling(telling, piece.decisions).filter(|decision| {
            let mut steps = decided_at(&decision.choice);
            steps.all(|step| excerpt.shows(step)) && !self.extent.document
        });
        let told = told.take(DECISIONS);
        let told = told.map(|decision| decision_text(telling, decision));
        let told = told.filter(|sentence| !sentence.is_empty());
        blocks.extend(told.map(PageBlock::sentence));
        self.diagram(blocks, finding, telling);
    }

    fn diagram(&self, blocks: &mut Vec<PageBlock>, finding: &Finding, telling: &Telling<'_>) {
        if self.extent.document {
            let property = self.report.property(finding);
            let words = ModelEvidence::new(telling, property, &self.extent.manner);
            let diagram = evidence::render(&words, ExportFormat::Mermaid);
            blocks.extend(diagram.map(PageBlock::Diagram));
        }
    }

    /// All shortest evidence at once, if asked for.
    fn abstracted(&self, blocks: &mut Vec<PageBlock>, finding: &Finding) {
        let property = self.report.property(finding);
        if let (Some(outcome), PropertyBody::Query(query)) = (&finding.abstraction, &property.body)
        {
            let told = abstracted::told(&self.report, query, outcome, self.extent.full);
            blocks.extend(positions(told, self.extent.document));
            if let Abstracted::Run(run) = outcome {
                blocks.extend(set_proof(&self.report, query, run, self.extent.full));
            }
        }
    }

    /// All runs and the regions, as far as they are told.
    fn strands(&self, blocks: &mut Vec<PageBlock>, telling: &Telling<'_>) -> Excerpt {
        let PageExtent {
            full,
            document,
            manner,
            ..
        } = self.extent;
        let excerpt = Excerpt::new(telling, &manner);
        if excerpt.is_empty() {
            let text = "the explanation does not need the part that --start names";
            blocks.extend([PageBlock::sentence(text), PageBlock::Gap]);
            return excerpt;
        }
        let notes = Notes::new(telling, &excerpt, &manner, full);
        let strands = strands(telling.evidence);
        let mut groups = groups(&strands);
        if manner.backward {
            self.regions(blocks, telling, &excerpt);
            groups.reverse();
        }
        let several = groups.len() > 1;
        let (mut hidden, mut shown): (usize, Vec<&Strand<'_>>) = (0, vec![]);
        for group in groups {
            let strand = group[0];
            let branch = strand.from.is_some() || !std::ptr::eq(strand, &strands[0]);
            if !branch && manner.backward && several {
                blocks.extend([PageBlock::Gap, PageBlock::named("main run:", "")]);
            }
            if branch && strand.only_goes_on() && !full {
                let shown = strand.from.is_some_and(|from| excerpt.shows(from));
                if shown && !document && !strands[0].shows_that_goes_on(strand) {
                    blocks.push(folded(telling, strand));
                }
                continue;
            }
            let alike = |other: &&&Strand<'_>| strand.has_states_of(other, telling.evidence);
            let before = shown.iter().find(alike).filter(|_| branch && !full);
            if let Some(other) = before {
                blocks.push(PageBlock::Gap);
                blocks.push(branch_heading(telling, &group, document));
                blocks.push(PageBlock::aside(say!("as {}", branch_name(other))));
            } else if !self.group(blocks, telling, &group, branch, (&excerpt, &notes)) {
                hidden += 1;
            } else if branch && !strand.fan {
                shown.push(strand);
            }
        }
        if !document {
            blocks.extend(left_out(telling, &excerpt, hidden, &manner));
        }
        if !manner.backward {
            self.regions(blocks, telling, &excerpt);
        }
        if manner.causes {
            blocks.extend(to_blame::legend(telling.evidence));
        }
        blocks.push(PageBlock::Gap);
        excerpt
    }

    /// Adds a run or a fan as far as it is told; whether there is anything to tell.
    fn group(
        &self,
        blocks: &mut Vec<PageBlock>,
        telling: &Telling<'_>,
        group: &[&Strand<'_>],
        branch: bool,
        (excerpt, notes): (&Excerpt, &Notes),
    ) -> bool {
        let PageExtent {
            document, manner, ..
        } = self.extent;
        let trimmed: Vec<Trimmed<'_>> = group.iter().filter_map(|s| excerpt.trim(s)).collect();
        let Some(first) = trimmed.first() else {
            return false;
        };
        if branch {
            blocks.push(PageBlock::Gap);
            blocks.push(branch_heading(telling, group, document));
        }
        let choice = Choice {
            full: self.extent.full,
            vars: self.extent.vars,
            causes: manner.causes,
        };
        let fan = group[0].fan;
        let backward = manner.backward && !fan;
        let told = if fan {
            let fan: Vec<&Strand<'_>> = trimmed.iter().map(|trimmed| &trimmed.strand).collect();
            told::fan_rows(telling, &fan, notes, choice)
        } else {
            let told = told::rows(telling, &first.strand, notes, choice, manner.backward);
            match manner.view {
                View::Trace if !manner.backward => fold(telling, told, choice),
                _ => told,
            }
        };
        let (mut before, mut after) = (
            not_shown(first.before, "before", manner.start.is_some()),
            not_shown(first.after, "after", manner.stop.is_none()),
        );
        if manner.backward {
            std::mem::swap(&mut before, &mut after);
        }
        blocks.extend(before.filter(|_| !document));
        blocks.push(match manner.view {
            View::Trace => {
                let what = if backward { WHAT_NEXT } else { WHAT };
                PageBlock::Table(PageTable::of_steps(&told::flat(told), what))
            }
            view => PageBlock::States {
                told,
                a_line_each: view == View::States,
            },
        });
        blocks.extend(after.filter(|_| !document));
        if !document {
            blocks.extend(never_occurs(telling, &first.strand));
        }
        true
    }

    fn regions(&self, blocks: &mut Vec<PageBlock>, telling: &Telling<'_>, excerpt: &Excerpt) {
        for (id, region) in telling.evidence.regions.entries() {
            if excerpt.shows_region(id) {
                blocks.push(PageBlock::Gap);
                blocks.extend(region_blocks(telling, region));
                if !self.extent.document {
                    blocks.extend(region_states(&self.report, region, self.extent.full));
                }
            }
        }
        if self.extent.manner.backward {
            blocks.push(PageBlock::Gap);
        }
    }

    /// What engines say of their answers, and why properties hold by their form, in a document.
    fn said_of_all(&self) -> Vec<PageBlock> {
        let mut blocks = Vec::new();
        for finding in self.report.findings {
            let title = self.report.title(self.report.property(finding));
            for text in finding.notes.iter().filter_map(said) {
                blocks.push(PageBlock::headed(
                    Ink::default(),
                    &format!("{title}:"),
                    text,
                ));
            }
            if finding.by_form {
                let lead = format!("{title} holds");
                blocks.push(PageBlock::headed(Ink::default(), &lead, BY_FORM));
            }
        }
        blocks
    }

    fn warnings(&self) -> Vec<PageBlock> {
        let mut notes: Vec<&Note> = Vec::new();
        let mut texts: Vec<Sentence> = Vec::new();
        let space = self.report.space.iter().flat_map(|space| &space.notes);
        let space = space.map(|note| (None, note));
        let findings = self.report.findings.iter().flat_map(|finding| {
            // That a verdict rests on the lack of runs is told with it.
            let told = finding.rests_on_no_run() && !self.extent.document
                || finding.holds_without_run().is_some();
            let notes = finding.notes.iter();
            let notes = notes.filter(move |note| !(told && matches!(note, Note::NoFairState(_))));
            let query = self.report.property(finding).body.query();
            notes.map(move |note| (query, note))
        });
        for (query, note) in space.chain(findings.filter(|(_, note)| said(note).is_none())) {
            if !notes.contains(&note) {
                notes.push(note);
                texts.push(checked_note(&self.report, query, note));
            }
        }
        texts.retain(|text| !text.is_empty());
        texts.into_iter().map(PageBlock::Warning).collect()
    }
}

/// What an engine says of its answer.
fn said(note: &Note) -> Option<Sentence> {
    match note {
        Note::Said(sentence) => Some(clean(sentence).into()),
        Note::DeadlocksMatter(holds) => Some(deadlocks_matter(*holds)),
        _ => None,
    }
}
