//! Who is to blame, on a page.

use wherefore_base::SourceMap;
use wherefore_evidence::{Blame, Evidence, Finding, Mend, SliceValue, SuspectRole, Verdict};

use super::commands::CommandPage;
use super::{
    Inline, NO_EVIDENCE, Page, PageAnswer, PageBlock, PageExtent, PageItem, Status, Title,
    undecided,
};
use crate::Report;
use crate::alloy::AlloyReport;
use crate::layout::{Ink, VariableRole};
use crate::phrases::shape_text;
use crate::sentences::starts::start_text;
use crate::sentences::to_blame::{self, ChangedLines};
use crate::sentences::{Sentence, count, slice};
use crate::words::clean;

/// So many of the values are told of that a failure depends on.
const VALUES: usize = 5;

/// The first changes that mend a failure.
pub(super) fn blocks(report: &Report<'_>, blame: &Blame) -> Vec<PageBlock> {
    let lines = to_blame::lines(report, blame);
    if lines.is_empty() {
        return Vec::new();
    }
    let items = lines.into_iter().map(|line| PageItem {
        head: Ink::plain("     "),
        text: Ink::plain(line.to_string()),
        hang: 7,
        depth: 0,
        document: Inline::prose(line.to_string()),
    });
    vec![
        PageBlock::sentence(say!("To blame:")),
        PageBlock::List(items.collect()),
    ]
}

/// What the marks before values mean, below the runs of an evidence.
pub(super) fn legend(evidence: &Evidence) -> Vec<PageBlock> {
    let Some(causes) = &evidence.causes else {
        return Vec::new();
    };
    let legend = to_blame::legend(causes).to_string();
    let item = PageItem {
        head: Ink::plain(" "),
        text: Ink::new(VariableRole::Dim, legend.as_str()),
        hang: 4,
        depth: 0,
        document: Inline::prose(legend),
    };
    vec![PageBlock::Gap, PageBlock::List(vec![item])]
}

/// Everything that is known about who is to blame for the failures; `only`: of the mends of each failure the one with this
/// number, from 1.
pub(crate) fn page(report: &Report<'_>, only: Option<usize>) -> Page {
    let open = report.findings.iter().filter(|finding| {
        // What holds needs no mend.
        finding.verdict != Verdict::Holds
    });
    let answers: Vec<PageAnswer> = open.map(|finding| answer(report, finding, only)).collect();
    let end = match answers.is_empty() {
        true => vec![PageBlock::sentence(to_blame::nothing_fails(
            report.findings.len(),
        ))],
        false => vec![],
    };
    Page {
        title: Title {
            path: clean(report.path()),
            ..Title::default()
        },
        from: report.from.map(start_text),
        answers: (!answers.is_empty()).then_some(answers),
        end,
        ..Page::default()
    }
}

/// What is known about one failure.
fn answer(report: &Report<'_>, finding: &Finding, only: Option<usize>) -> PageAnswer {
    let property = report.property(finding);
    let mut blocks = vec![PageBlock::Section {
        title: report.title(property),
        which: None,
        level: 2,
    }];
    let status = match finding.verdict {
        Verdict::Fails => {
            match &finding.evidence {
                Some(evidence) => {
                    blocks.push(PageBlock::sentence(say!(
                        "counterexample: {}",
                        shape_text(report.start(), evidence)
                    )));
                    let causes = evidence.causes.as_ref();
                    let causes = causes.and_then(|causes| to_blame::causes(report, causes));
                    blocks.extend(causes.map(PageBlock::sentence));
                }
                // What solvers find can be more than runs.
                None if !report.runs.is_empty() => blocks.push(PageBlock::sentence(say!(
                    "what refutes it is no run that could be shown; `wherefore check` tells what is known"
                ))),
                None => blocks.push(PageBlock::sentence(NO_EVIDENCE)),
            }
            match &finding.blame {
                Some(blame) if blame.hinges_only => blocks.extend(hinges(report, blame)),
                Some(blame) => {
                    let told = BlameWords {
                        sources: report.sources,
                        mended: &|mend| to_blame::mended(report, mend),
                        rest: able(report, blame),
                        others: to_blame::others(report, blame),
                        search: to_blame::search(blame),
                    };
                    blocks.extend(all(blame, told, only));
                    if let (None, Some(evidence)) = (only, &finding.evidence) {
                        blocks.extend(sliced(report, evidence, blame));
                    }
                }
                None if !report.runs.is_empty() && finding.evidence.is_some() => {
                    blocks.push(PageBlock::sentence(say!(
                        "what it hinges on is not known: that is found out where one run through different states refutes the property"
                    )));
                }
                None => {}
            }
            Status::Fails
        }
        _ => Status::Undecided,
    };
    PageAnswer {
        status,
        title: report.title(property),
        formula: clean(&property.text),
        says: undecided(finding),
        blocks,
    }
}

/// Everything that is known about who is to blame for the commands that are not as expected; `only`: of the mends of each the
/// one with this number, from 1.
pub(crate) fn of_commands(
    report: &AlloyReport<'_>,
    only: Option<usize>,
    extent: PageExtent<'_>,
) -> Page {
    let builder = CommandPage::new(*report, extent);
    let mut end = Vec::new();
    for answer in report.answers {
        // What is as expected needs no mend.
        if answer.as_expected(report.command(answer)) == Some(true) {
            continue;
        }
        if !end.is_empty() {
            end.push(PageBlock::Gap);
        }
        end.extend(builder.head(answer));
        end.extend(builder.refusal(answer));
        if let Some(blame) = &answer.blame {
            end.extend(report.all_to_blame(answer, blame, only));
        }
    }
    if end.is_empty() {
        let nothing = to_blame::all_as_expected(report.answers.len());
        end.push(PageBlock::sentence(nothing));
    }
    Page {
        title: Title {
            path: clean(report.path),
            ..Title::default()
        },
        end,
        ..Page::default()
    }
}

/// What is said of the places to blame in the words of a language.
pub(crate) struct BlameWords<'a> {
    /// The texts.
    pub(crate) sources: &'a SourceMap,
    /// What a mend is and what it costs.
    pub(crate) mended: &'a dyn Fn(&Mend) -> Sentence,
    /// Further places where no change that was tried mends, and what is known of them.
    pub(crate) rest: Option<(Sentence, Vec<Sentence>)>,
    /// The other places.
    pub(crate) others: Vec<Sentence>,
    /// What was tried.
    pub(crate) search: Sentence,
}

/// Every place that is known, each mend with its lines before and after.
pub(crate) fn all(blame: &Blame, told: BlameWords<'_>, only: Option<usize>) -> Vec<PageBlock> {
    let mut blocks = Vec::new();
    let mends = blame
        .mends()
        .enumerate()
        .map(|(at, (suspect, mend))| (at + 1, suspect.role, mend))
        .filter(|(number, ..)| only.is_none_or(|only| only == *number));
    let mut before = None;
    for (number, role, mend) in mends {
        if before != Some(role) {
            blocks.push(PageBlock::Gap);
            blocks.push(PageBlock::sentence(match role {
                SuspectRole::MendsAtACost => "Changes that mend it at a cost:",
                _ => "Changes that mend it:",
            }));
            before = Some(role);
        }
        let line = (told.mended)(mend).to_string();
        blocks.push(PageBlock::List(vec![PageItem {
            head: Ink::plain(format!("  {number:>2}.")),
            text: Ink::plain(line.as_str()),
            hang: 6,
            depth: 0,
            document: Inline::prose(format!("{number}. {line}")),
        }]));
        let changed = to_blame::changed_lines(told.sources, &mend.change);
        blocks.push(PageBlock::Lines(diff(&changed)));
    }
    if only.is_none() {
        if let Some((title, places)) = told.rest {
            blocks.push(PageBlock::Gap);
            blocks.push(PageBlock::sentence(title));
            blocks.extend(places.into_iter().map(item));
        }
        blocks.push(PageBlock::Gap);
        let rest = told.others.into_iter().chain([told.search]);
        blocks.extend(rest.map(PageBlock::sentence));
    }
    blocks
}

/// The places that can mend a failure though no change does.
fn able(report: &Report<'_>, blame: &Blame) -> Option<(Sentence, Vec<Sentence>)> {
    let able = to_blame::able(blame);
    let told: Vec<Sentence> = able
        .map(|suspect| to_blame::can_mend_and_why(report, suspect))
        .collect();
    let title = say!("Other places that can mend it, though no change that was tried there does:");
    (!told.is_empty()).then_some((title, told))
}

/// Where the values come from that the failure depends on.
fn sliced(report: &Report<'_>, evidence: &Evidence, blame: &Blame) -> Vec<PageBlock> {
    let declared = |value: &&SliceValue| report.model.vars[value.var].is_declared();
    let values: Vec<&SliceValue> = blame.slice.values.iter().filter(declared).collect();
    if values.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        PageBlock::Gap,
        PageBlock::sentence("Where the values come from that it depends on:"),
    ];
    for value in values.iter().take(VALUES) {
        blocks.push(item(slice::value(report, evidence, value)));
        let parts = slice::parts(report, value);
        blocks.extend(parts.into_iter().map(|part| item_at(1, part)));
    }
    let more = values.len().saturating_sub(VALUES) + blame.slice.left_out;
    if more > 0 {
        blocks.push(PageBlock::sentence(say!(
            "and {} that these rest on; `--format json` has {}",
            count(more, "further value"),
            if blame.slice.left_out > 0 {
                "more"
            } else {
                "all"
            }
        )));
    }
    blocks
}

/// The conditions that a counterexample hinges on, in a language in which no changes are tried.
fn hinges(report: &Report<'_>, blame: &Blame) -> Vec<PageBlock> {
    let told: Vec<Sentence> = (blame.suspects.iter())
        .filter_map(|suspect| to_blame::hinged_at_line(report, suspect))
        .collect();
    let mut blocks = vec![PageBlock::Gap];
    if !told.is_empty() {
        blocks.push(PageBlock::sentence(
            "Conditions that the counterexample hinges on:",
        ));
        blocks.extend(told.into_iter().map(item));
        blocks.push(PageBlock::Gap);
    }
    blocks.push(PageBlock::sentence(to_blame::search(blame)));
    blocks
}

/// A sentence of a list.
fn item(sentence: Sentence) -> PageBlock {
    item_at(0, sentence)
}

/// A sentence of a list in a list.
fn item_at(depth: usize, sentence: Sentence) -> PageBlock {
    let text = sentence.to_string();
    PageBlock::List(vec![PageItem {
        head: Ink::plain(format!("{}  -", "  ".repeat(depth))),
        text: Ink::plain(text.as_str()),
        hang: 4 + 2 * depth,
        depth,
        document: Inline::prose(format!("- {text}")),
    }])
}

/// Lines before and after a change, as unified diffs have them.
pub(crate) fn diff(changed: &ChangedLines) -> Vec<Ink> {
    let range = |from: usize, lines: &[String]| match lines.len() {
        // Where nothing is left, the number is that of the line before.
        0 => format!("{},0", from - 1),
        1 => from.to_string(),
        n => format!("{from},{n}"),
    };
    let head = format!(
        "      @@ -{} +{} @@",
        range(changed.from, &changed.before),
        range(changed.from, &changed.after)
    );
    let line = |role: VariableRole, sign: char, line: &String| {
        Ink::new(role, format!("      {sign}{}", clean(line)))
    };
    let before = changed
        .before
        .iter()
        .map(|l| line(VariableRole::Bad, '-', l));
    let after = changed
        .after
        .iter()
        .map(|l| line(VariableRole::Good, '+', l));
    let head = Ink::new(VariableRole::Dim, head);
    std::iter::once(head).chain(before).chain(after).collect()
}
