//! The pieces of evidence: why, what was found, its runs, its regions, and what is left out.

use wherefore_evidence::{
    AbstractRun, Assertion, Claim, DecisiveChoice as Decided, OccurrenceId, Region, Replay,
    SegmentEnding, StatesFrom, Verdict,
};
use wherefore_model::Query;

use super::{Inline, PageBlock, PageColumn, PageItem, PageTable, TableCell, TableLayout, TableRow};
use crate::Report;
use crate::abstracted::AbstractTable;
use crate::excerpt::Excerpt;
use crate::layout::{Ink, VariableRole};
use crate::manner::Manner;
use crate::phrases::{region_text, run_text};
use crate::sentences::checked::SentenceKind;
use crate::sentences::set_proof::SetProofWords;
use crate::sentences::{COUNTEREXAMPLE, Sentence, count, formula};
use crate::strands::Strand;
use crate::table::Mark;
use crate::words::Telling;

/// So many states of a region are told one by one.
const STATES: usize = 4;

/// Why a verdict is as it is.
pub(crate) fn reason(verdict: &Verdict, because: Sentence) -> PageBlock {
    let lead = match verdict {
        Verdict::Fails => "Fails because",
        _ => "Holds because",
    };
    PageBlock::headed(Ink::new(VariableRole::Strong, "  because"), lead, because)
}

/// The shape of an evidence, which the screen calls by this name, and what is known of it.
pub(crate) fn witnessed(name: &str, shape: Sentence, badges: Vec<Sentence>) -> PageBlock {
    let lead = match name {
        COUNTEREXAMPLE => "Counterexample:",
        _ => "Witness:",
    };
    let mut block = PageBlock::headed(Ink::plain(format!("  {name}:")), lead, shape);
    if let PageBlock::Paragraph(paragraph) = &mut block {
        paragraph.badges = badges;
    }
    block
}

/// So many claims of a proof over sets are told, unless everything is.
const CLAIMS: usize = 12;

/// The proof of an abstract run, claim by claim.
pub(crate) fn set_proof(
    report: &Report<'_>,
    query: &Query,
    run: &AbstractRun,
    full: bool,
) -> Vec<PageBlock> {
    if matches!(run.replay, Replay::Failed(_)) {
        return vec![];
    }
    let Some(words) = SetProofWords::new(*report, query, run) else {
        let text = "the proof over sets is not shown, since it was not re-checked";
        return vec![PageBlock::aside(text), PageBlock::Gap];
    };
    let head = Ink::new(VariableRole::Strong, "  proof");
    let mut heading = PageBlock::headed(head, "Proof", "over sets of states:");
    if let PageBlock::Paragraph(paragraph) = &mut heading {
        paragraph.badges.push(Sentence::from("[re-checked: ok]"));
    }
    let most = if full {
        words.len()
    } else {
        words.len().min(CLAIMS)
    };
    let items = (0..most).map(|number| {
        let text = words.text(number).to_string();
        let head = format!("#{number}");
        PageItem {
            head: Ink::new(VariableRole::Strong, format!("    {head}")),
            text: Ink::plain(text.as_str()),
            hang: 7,
            depth: 0,
            document: Inline::prose(format!("{head} {text}")),
        }
    });
    let mut blocks = vec![heading, PageBlock::List(items.collect())];
    if most < words.len() {
        let more = count(words.len() - most, "claim");
        blocks.push(PageBlock::aside(say!("{} more: --full shows them", more)));
    }
    blocks.push(PageBlock::Gap);
    blocks
}

/// An abstract run, or why there is none.
pub(crate) fn positions(told: AbstractTable, document: bool) -> Vec<PageBlock> {
    let lead = match told.lines.is_empty() {
        true => "Abstract evidence:",
        false => "The abstract run",
    };
    let mut block = PageBlock::headed(Ink::plain(" "), lead, told.lead);
    if let PageBlock::Paragraph(paragraph) = &mut block {
        paragraph.badges = told.badge.into_iter().collect();
    }
    if told.lines.is_empty() {
        return vec![block];
    }
    let columns = [
        "step",
        "what its states have in common",
        "states",
        "does not matter",
    ];
    let rows = told.lines.into_iter().enumerate().map(|(at, line)| {
        let free = Ink::new(VariableRole::Dim, line.free.as_str());
        TableRow {
            mark: Mark::None,
            cells: vec![
                TableCell::prose(at.to_string()),
                TableCell::code(line.formula),
                TableCell::prose(line.states),
                TableCell::one(free, Inline::prose(line.free)),
            ],
        }
    });
    let table = PageBlock::Table(PageTable {
        layout: TableLayout::Positions,
        columns: columns.map(PageColumn::new).into(),
        rows: rows.collect(),
    });
    let mut blocks = vec![block, PageBlock::Gap, table, PageBlock::Gap];
    if !document {
        blocks.extend(told.notes.into_iter().map(PageBlock::aside));
    }
    blocks.push(PageBlock::Gap);
    blocks
}

/// "branch at step 2: why `AG p` is false there"
pub(crate) fn branch_heading(
    telling: &Telling<'_>,
    group: &[&Strand<'_>],
    document: bool,
) -> PageBlock {
    let serves = branch_claim(telling, group[0], document);
    PageBlock::named(&format!("{}:", group_name(telling, group)), serves)
}

/// What a branch shows: "why `AG p` is false there".
pub(crate) fn branch_claim(telling: &Telling<'_>, strand: &Strand<'_>, document: bool) -> Sentence {
    let place = strand.from.unwrap_or(OccurrenceId::new(0));
    let claim = telling.claim_at(strand.serves, place);
    let serves = match strand.serves {
        Claim::Formula(..) if !document => say!("why {} there", claim),
        _ => claim,
    };
    telling.if_true(SentenceKind::Branch, serves)
}

/// "branch at step 2", "every step from step 2"
pub(crate) fn group_name(telling: &Telling<'_>, group: &[&Strand<'_>]) -> Sentence {
    let from = group[0].from.unwrap_or(OccurrenceId::new(0));
    if !group[0].fan {
        return branch_name(group[0]).into();
    }
    let to = group.iter();
    let to = to.filter_map(|strand| strand.states.first().copied().or(strand.closing()));
    let to: Vec<OccurrenceId> = to.collect();
    let sentence = |counted: bool| {
        let of = match counted {
            true => say!(" of {}", telling.counted_runs()),
            false => Sentence::default(),
        };
        say!("every step{} from {}", of, from).asserting(Assertion::Exactly {
            of: telling.said(StatesFrom::Next, from, counted),
            at: to.clone(),
        })
    };
    // Other successors may be on another run that is told.
    let some: Sentence = branch_name(group[0]).into();
    telling.first_true(
        SentenceKind::Branch,
        vec![sentence(false), sentence(true), some],
    )
}

/// "branch at step 2", "steps from step 2"
pub(crate) fn branch_name(strand: &Strand<'_>) -> String {
    let place = strand.from.map_or(0, OccurrenceId::index);
    match strand.fan {
        true => format!("steps from step {place}"),
        false => format!("branch at step {place}"),
    }
}

pub(crate) fn folded(telling: &Telling<'_>, strand: &Strand<'_>) -> PageBlock {
    let place = strand.from.unwrap_or(OccurrenceId::new(0));
    let run = match strand.ending {
        SegmentEnding::Joins(to) => say!(
            "{}, then as from {}",
            run_text(telling.report.start(), strand),
            to
        ),
        _ => run_text(telling.report.start(), strand),
    };
    let fair = telling.fair();
    let words = say!(
        "a {}run goes on from {}: {}; --full shows it",
        fair,
        place,
        run
    );
    PageBlock::aside(telling.if_true(
        SentenceKind::Branch,
        words.asserting(Assertion::GoesOn(place)),
    ))
}

/// What the options for parts of an explanation leave out.
pub(crate) fn left_out(
    telling: &Telling<'_>,
    excerpt: &Excerpt,
    hidden: usize,
    manner: &Manner<'_>,
) -> Vec<PageBlock> {
    let stopped = excerpt.stopped.map(|claim| {
        let claim = telling.claim(claim);
        PageBlock::aside(say!("why {} is not shown: --stop", claim))
    });
    let limits = match (manner.start.is_some(), manner.stop.is_some()) {
        (true, true) => "--start and --stop",
        (false, _) => "--stop",
        (true, false) => "--start",
    };
    let runs = if hidden == 1 { "run is" } else { "runs are" };
    let hidden =
        (hidden > 0).then(|| PageBlock::aside(say!("{} {} not shown: {}", hidden, runs, limits)));
    stopped.into_iter().chain(hidden).collect()
}

/// "2 steps before are not shown: --start".
pub(crate) fn not_shown(steps: usize, place: &str, by_start: bool) -> Option<PageBlock> {
    let option = if by_start { "--start" } else { "--stop" };
    let are = if steps == 1 { "is" } else { "are" };
    let steps = (steps > 0).then(|| count(steps, "step"))?;
    Some(PageBlock::aside(say!(
        "{} {} {} not shown: {}",
        steps,
        place,
        are,
        option
    )))
}

/// Says which compassion constraints a loop meets by never needing them.
pub(crate) fn never_occurs(telling: &Telling<'_>, strand: &Strand<'_>) -> Option<PageBlock> {
    let SegmentEnding::Loop(_) = strand.ending else {
        return None;
    };
    let constraints = telling.constraints();
    let unmet = constraints.iter().zip(&strand.last.fair);
    let unmet = unmet.filter(|(_, at)| at.is_none());
    let items = unmet.map(|(text, _)| {
        let why = "its first condition never occurs in the loop";
        let text = say!("compassion {}: {}", formula(text), why).to_string();
        PageItem {
            head: Ink::plain("   "),
            text: Ink::new(VariableRole::Dim, text.as_str()),
            hang: 6,
            depth: 0,
            document: Inline::prose(text),
        }
    });
    Some(PageBlock::List(items.collect()))
}

/// What a region shows, and its states as conditions.
pub(crate) fn region_blocks(telling: &Telling<'_>, region: &Region) -> Vec<PageBlock> {
    let head = format!("region at step {}:", region.at.index());
    let cubes = telling.cover(region).into_iter().enumerate();
    let items = cubes.map(|(at, cube)| PageItem {
        head: Ink::plain(if at == 0 { "     " } else { "   or" }),
        text: Ink::plain(cube.as_str()),
        hang: 8,
        depth: 0,
        document: Inline::code(cube),
    });
    let mut blocks = vec![
        PageBlock::named(&head, region_text(telling, region)),
        PageBlock::List(items.collect()),
    ];
    if !region.cover.complete {
        let rest = Ink::new(VariableRole::Dim, "   or … and other states");
        blocks.push(PageBlock::Lines(vec![rest]));
    }
    blocks
}

/// The states of a region one by one, if they are few.
pub(crate) fn region_states(report: &Report<'_>, region: &Region, full: bool) -> Option<PageBlock> {
    let states = region.states.as_ref();
    let states = states.filter(|states| full || states.len() <= STATES)?;
    let mut told: Vec<String> = Vec::new();
    for state in states {
        let mut text = report.state_text(state, full);
        if let Some(process) = report.ran(state).filter(|_| !full) {
            text.push_str(&format!(" ({process} ran last)"));
        }
        // States that differ in what is not shown are one.
        if full || !told.contains(&text) {
            told.push(text);
        }
    }
    let items = told.into_iter().map(|text| PageItem {
        head: Ink::plain("      state"),
        text: Ink::new(VariableRole::Dim, text.as_str()),
        hang: 8,
        depth: 0,
        document: Inline::code(text),
    });
    Some(PageBlock::List(items.collect()))
}

/// The occurrences a decision speaks about.
pub(crate) fn decided_at(choice: &Decided) -> impl Iterator<Item = OccurrenceId> {
    let (first, second) = match choice {
        Decided::Fated(at) => (Some(*at), None),
        Decided::Lost { from, to, .. } => (Some(*from), Some(*to)),
        Decided::StillFree { .. } => (None, None),
    };
    first.into_iter().chain(second)
}
