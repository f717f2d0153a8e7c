//! The page of what was found out about a labelled transition system.

use std::collections::BTreeSet;

use wherefore_evidence::{Claim, Evidence, Finding, Replay, Verdict};
use wherefore_logic::Class;

use super::runs::{branch_name, reason, witnessed};
use super::{
    NO_EVIDENCE, Page, PageAnswer, PageBlock, PageColumn, PageExtent, PageFact, PageTable, Status,
    TableCell, TableLayout, TableRow, Title, WHY, totals, undecided, wrong_evidence,
};
use crate::fold::{FoldedRows, stretches};
use crate::hints::{Hint, file_stem, quoted};
use crate::lts::blame;
use crate::lts::rows::{ActionRow, fan, rows};
use crate::lts::{LtsReport, SystemTelling};
use crate::phrases::{badges, shape_text};
use crate::sentences::several::no_more_text;
use crate::sentences::{Sentence, evidence_noun, joined};
use crate::strands::{groups, strands};
use crate::table::Mark;
use crate::wished::wish_text;
use crate::words::{clean, count};

/// Everything there is to say about one system.
pub(crate) fn page(report: &LtsReport<'_>, extent: PageExtent<'_>) -> Page {
    let (total, tally) = totals::of_properties(report.counts());
    let fact = |text: String, lasting: bool| PageFact { text, lasting };
    let lts = report.lts;
    let mut facts = vec![
        fact(count(lts.states(), "state"), true),
        fact(count(lts.transitions(), "transition"), true),
        fact(count(lts.labels().len(), "label"), false),
    ];
    let seconds = report.seconds.map(|seconds| format!("{seconds:.2} s"));
    facts.extend(seconds.map(|seconds| fact(seconds, false)));
    let findings = report.findings.iter();
    let hints = match extent.hints {
        true => hint(report).into_iter().collect(),
        false => vec![],
    };
    Page {
        title: Title {
            path: clean(report.path),
            total,
            tally,
        },
        facts,
        from: None,
        answers: Some(findings.map(|f| answer(report, f, extent)).collect()),
        end: vec![],
        hints,
    }
}

fn answer(report: &LtsReport<'_>, finding: &Finding, extent: PageExtent<'_>) -> PageAnswer {
    let property = report.property(finding);
    let mut blocks = Vec::new();
    match (&finding.verdict, &finding.evidence) {
        (Verdict::Unknown(_), _) => {}
        (Verdict::Fails, Some(_)) => all_evidence(&mut blocks, report, finding, extent),
        (Verdict::Fails, None) if extent.document => {}
        (Verdict::Fails, None) => blocks.push(PageBlock::sentence(NO_EVIDENCE)),
        (Verdict::Holds, Some(_)) if extent.all || !finding.more.others.is_empty() => {
            all_evidence(&mut blocks, report, finding, extent);
            blocks.push(PageBlock::Gap);
        }
        (Verdict::Holds, Some(evidence)) if finding.class == Some(Class::Existential) => {
            blocks.push(PageBlock::sentence(say!(
                "witness: {}",
                shape_text("initial state", evidence)
            )));
        }
        (Verdict::Holds, _) => {}
    }
    PageAnswer {
        status: match finding.verdict {
            Verdict::Holds => Status::Holds,
            Verdict::Fails => Status::Fails,
            Verdict::Unknown(_) => Status::Undecided,
        },
        title: report.title(property),
        formula: clean(&property.text),
        says: undecided(finding),
        blocks,
    }
}

/// The evidence that is shown first, then further runs, and why there are not more.
fn all_evidence(
    blocks: &mut Vec<PageBlock>,
    report: &LtsReport<'_>,
    finding: &Finding,
    extent: PageExtent<'_>,
) {
    // A document keeps what a screen folds.
    let full = extent.full || extent.document;
    let others = finding.more.others.iter().map(|other| &other.evidence);
    let all: Vec<&Evidence> = finding.evidence.iter().chain(others).collect();
    let noun = evidence_noun(finding.verdict == Verdict::Holds);
    for (at, shown) in all.iter().enumerate() {
        let which = (all.len() > 1).then(|| say!("{} {} of {}", noun, at + 1, all.len()));
        if at > 0 {
            blocks.push(PageBlock::Gap);
        }
        evidence(blocks, report, finding, shown, (which, full));
        if at == 0 {
            let wishes = finding.wishes.iter().map(wish_text);
            blocks.extend(wishes.map(PageBlock::sentence));
        }
    }
    if let Some(end) = finding.more.end {
        blocks.push(PageBlock::aside(no_more_text(end, noun, all.len())));
    }
    if let Some(blame) = &finding.blame {
        let first = blame::blocks(report, blame);
        if !first.is_empty() {
            blocks.extend(first);
            blocks.push(PageBlock::Gap);
        }
    }
}

fn evidence(
    blocks: &mut Vec<PageBlock>,
    report: &LtsReport<'_>,
    finding: &Finding,
    evidence: &Evidence,
    (which, full): (Option<Sentence>, bool),
) {
    if let Replay::Failed(why) = &evidence.replay {
        blocks.push(wrong_evidence(why));
        return;
    }
    let further = which.is_some();
    let telling = SystemTelling::new(*report, report.property(finding), evidence);
    blocks.push(PageBlock::Section {
        title: report.title(telling.property),
        which,
        level: 2,
    });
    blocks.push(reason(&finding.verdict, telling.because()));
    blocks.push(witnessed(
        evidence_noun(finding.verdict == Verdict::Holds),
        shape_text("initial state", evidence),
        badges(
            evidence,
            further && !evidence.minimal.proved(),
            Some(&telling.judge),
        ),
    ));
    blocks.push(PageBlock::Gap);
    let strands = strands(evidence);
    for group in groups(&strands) {
        let strand = group[0];
        if !std::ptr::eq(strand, &strands[0]) {
            let claim = match (strand.fan, strand.serves) {
                (false, Claim::Formula(goal, _)) => telling.goal_text(goal),
                _ => "".into(),
            };
            let name = format!("{}:", branch_name(strand));
            blocks.extend([PageBlock::Gap, PageBlock::named(&name, claim)]);
        }
        blocks.push(PageBlock::Table(match strand.fan {
            true => table(fan(&telling, &group)),
            false => folded(rows(&telling, strand), full),
        }));
    }
    for region in evidence.regions.iter() {
        let name = format!("region at step {}:", region.at.index());
        let region = telling.region(region);
        blocks.extend([PageBlock::Gap, PageBlock::named(&name, region)]);
    }
    blocks.push(PageBlock::Gap);
}

/// The table of a run; a long one is folded where nothing is said of its steps, unless everything is asked for.
fn folded(rows: Vec<ActionRow>, full: bool) -> PageTable {
    let is_plain = |at: usize| {
        let row = &rows[at];
        !full && row.why.is_empty() && matches!(row.mark, Mark::None | Mark::Side)
    };
    let shown = stretches(rows.len(), is_plain);
    let shown = shown.into_iter().map(|shown| match shown {
        FoldedRows::Row(at) => row(&rows[at]),
        FoldedRows::Stretch(range) => stretch(&rows[range]),
    });
    actions(shown.collect())
}

/// One row for several steps: how many they are, and which labels they have if these are few.
fn stretch(rows: &[ActionRow]) -> TableRow {
    let labels: BTreeSet<&str> = rows.iter().map(|row| row.action.as_str()).collect();
    let labels: Vec<&str> = labels.into_iter().collect();
    let labels = match labels.len() {
        0..=3 => format!(": {}", labels.join(", ")),
        _ => String::new(),
    };
    TableRow {
        mark: rows[0].mark,
        cells: vec![
            TableCell::prose(""),
            TableCell::prose(format!("… {} steps{labels}", rows.len())),
            TableCell::prose(""),
            TableCell::prose("--full shows them"),
        ],
    }
}

fn table(rows: Vec<ActionRow>) -> PageTable {
    actions(rows.iter().map(row).collect())
}

fn row(row: &ActionRow) -> TableRow {
    TableRow {
        mark: row.mark,
        cells: vec![
            TableCell::prose(row.step.index().to_string()),
            TableCell::code(row.action.as_str()),
            TableCell::prose(row.state.as_str()),
            TableCell::prose(joined(&row.why, "; ").to_string()),
        ],
    }
}

fn actions(rows: Vec<TableRow>) -> PageTable {
    PageTable {
        layout: TableLayout::Actions,
        columns: ["step", "action", "state", WHY].map(PageColumn::new).into(),
        rows,
    }
}

/// How to draw the first failure.
fn hint(report: &LtsReport<'_>) -> Option<Hint> {
    let fails =
        |finding: &&Finding| finding.verdict == Verdict::Fails && finding.evidence.is_some();
    let property = report.property(report.findings.iter().find(fails)?);
    let mut words = vec![report.path];
    let select = match property.span {
        Some(span) => {
            words.push(report.sources.file(span.file).name());
            format!("-p {}", quoted(&property.name))
        }
        None => format!("-e {}", quoted(&property.text)),
    };
    // A name that cannot be printed as it is cannot be copied into a command either.
    let plain = |text: &&str| clean(text) == **text;
    let texts = [property.text.as_str(), property.name.as_str()];
    if !words.iter().chain(&texts).all(plain) {
        return None;
    }
    let files: Vec<String> = words.into_iter().map(quoted).collect();
    let (files, stem) = (files.join(" "), file_stem(&property.name));
    let command = format!("wherefore check {files} {select} --dot {stem}.dot");
    Some((command, "draw it"))
}
