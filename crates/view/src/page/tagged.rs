//! The page of all counterexamples of a property at once.

use wherefore_tagged::{
    AnalysisOutlook, Course, Group, NeighbourhoodKind, NodeId, Tagged, ZoneTag,
};

use super::{Inline, InlinePart, Page, PageAnswer, PageBlock, PageFact, PageItem, Status, Title};
use crate::debug::choices::{TAGS, decisions, label_text, labels, sign, some_labels};
use crate::debug::hints::hints;
use crate::debug::rows::{CourseRow, rows};
use crate::debug::values::{by_values, told};
use crate::debug::{ShownGraph, Story, Which};
use crate::layout::{Ink, VariableRole};
use crate::sentences::tagged::{
    ending_text, kind_text, kinds_text, outlook_text, percent, reading_text, tag_text,
};
use crate::sentences::{Sentence, count, joined};
use crate::words::clean;

/// So many labels of each tag are told at a neighbourhood.
pub(crate) const FEW: usize = 6;
/// So many decisions are told.
const DECISIONS: usize = 6;
/// So many groups of neighbourhoods are told.
const GROUPS: usize = 200;
/// So many steps of a long course are told at each end.
const STEPS: usize = 200;
/// So many labels that do not decide are told.
const IDLE: usize = 12;

/// Everything there is to say.
pub(crate) fn page(story: &Story<'_>, document: bool) -> Page {
    let (lts, asked) = (story.graph().lts(), &story.asked);
    let fact = |text: String, lasting: bool| PageFact { text, lasting };
    let sizes = sizes(lts.states(), lts.transitions(), lts.labels().len());
    let mut facts = vec![fact(sizes, true)];
    let seconds = story.seconds.map(|seconds| format!("{seconds:.2} s"));
    facts.extend(seconds.map(|seconds| fact(seconds, false)));
    let line = asked.place.map(|(line, _)| format!(" (line {line})"));
    let outlook = story.analysis.outlook;
    let answer = PageAnswer {
        status: match outlook {
            AnalysisOutlook::Holds => Status::Holds,
            _ => Status::Fails,
        },
        title: format!("{}{}", clean(asked.name), line.unwrap_or_default()),
        formula: clean(asked.text),
        says: Some(outlook_text(outlook, story.graph().reading())),
        blocks: TaggedPage { story, document }.blocks(),
    };
    Page {
        title: Title {
            path: clean(story.path),
            ..Title::default()
        },
        facts,
        from: None,
        answers: Some(vec![answer]),
        end: vec![],
        hints: if document { vec![] } else { hints(story) },
    }
}

fn sizes(states: usize, transitions: usize, labels: usize) -> String {
    let sizes = [
        count(states, "state"),
        count(transitions, "transition"),
        count(labels, "label"),
    ];
    joined(&sizes, ", ").to_string()
}

struct TaggedPage<'a> {
    story: &'a Story<'a>,
    document: bool,
}

impl<'a> TaggedPage<'a> {
    fn blocks(&self) -> Vec<PageBlock> {
        let (story, graph) = (self.story, self.story.graph());
        let notes = story.behind.map_or(&[][..], |behind| behind.notes);
        let notes = notes.iter().map(|note| PageBlock::sentence(clean(note)));
        if story.holds() {
            return notes.collect();
        }
        let reading = reading_text(graph.reading(), story.analysis.switched);
        let mut blocks: Vec<PageBlock> = reading.map(PageBlock::sentence).into_iter().collect();
        blocks.extend(notes);
        blocks.extend([PageBlock::Gap, self.counts(), PageBlock::Gap]);
        match &story.shown {
            ShownGraph::Course(which, course) => self.course(&mut blocks, *which, course),
            ShownGraph::Missing(why) => {
                let mut item = plain(Ink::default(), &clean(why), 2);
                item.document = Inline::prose(clean(why));
                blocks.push(PageBlock::List(vec![item]));
            }
            ShownGraph::Neighbourhood(nodes) => {
                for &node in nodes {
                    if let Some(kind) = graph.kind(node) {
                        let place = self.place((node, kind), "", 2, usize::MAX);
                        blocks.extend([PageBlock::Gap, PageBlock::List(place)]);
                    }
                }
            }
            ShownGraph::Groups => self.groups(&mut blocks),
        }
        blocks
    }

    /// How many states, transitions and neighbourhoods the counterexamples have.
    fn counts(&self) -> PageBlock {
        let graph = self.story.graph();
        let counts = graph.counts();
        let size = sizes(counts.states, counts.transitions, counts.labels);
        let mut tags = Ink::default();
        for (at, tag) in TAGS.into_iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            let number = format!("{comma}{} {} (", counts.tagged(tag), tag.name());
            tags = tags
                .then(VariableRole::Plain, number)
                .then(role_of(tag), sign(tag))
                .then(VariableRole::Plain, ")");
        }
        let neighbourhoods = match counts.neighbourhoods() {
            0 => "none: no step decides between right and wrong".to_string(),
            n => {
                let (percent, kinds) = (percent(graph), kinds_text(graph));
                format!("{n} ({percent:.2} % of the states): {kinds}")
            }
        };
        let facts = [
            ("counterexamples", Ink::plain(size)),
            ("transitions", tags),
            ("neighbourhoods", Ink::plain(neighbourhoods)),
        ];
        let items = facts.map(|(name, text)| PageItem {
            head: Ink::new(VariableRole::Dim, format!("  {name:<15} ")),
            document: Inline::prose(format!("{name}: {}", text.text())),
            text,
            hang: 19,
            depth: 0,
        });
        PageBlock::List(items.into())
    }

    /// A course with its neighbourhoods, and what decides everywhere.
    fn course(&self, blocks: &mut Vec<PageBlock>, which: Which, course: &Course) {
        let story = self.story;
        blocks.push(PageBlock::Heading(
            course_title(story, which, course).into(),
        ));
        blocks.extend(several(story, which).map(PageBlock::sentence));
        blocks.push(PageBlock::Gap);
        let width = course.len().to_string().len().max(3);
        let rows = rows(story, course);
        let skipped = rows.len().saturating_sub(2 * STEPS);
        let kept = match skipped {
            0 => (&rows[..], &[][..]),
            skipped => (&rows[..STEPS], &rows[STEPS + skipped..]),
        };
        let items = |rows: &[CourseRow]| {
            let items = rows.iter().flat_map(|row| self.row(row, width));
            items.collect::<Vec<PageItem>>()
        };
        let (first, mut last) = (items(kept.0), items(kept.1));
        let ending = ending_text(story.graph(), course);
        let ending = ending.map(|ending| PageItem {
            head: Ink::plain(" ".repeat(width + 3)),
            text: Ink::new(VariableRole::Strong, ending.to_string()),
            hang: width + 6,
            depth: 0,
            document: Inline(vec![InlinePart::Strong(ending.to_string())]),
        });
        last.extend(ending);
        blocks.push(PageBlock::List(first));
        if skipped > 0 {
            let text = say!("(and {} more lines, which --format json has)", skipped);
            blocks.extend([PageBlock::Gap, PageBlock::sentence(text), PageBlock::Gap]);
        }
        blocks.push(PageBlock::List(last));
        let places = course.nodes.iter();
        let places = places.filter_map(|&node| story.graph().kind(node));
        if places.filter(|&kind| story.wants(kind)).count() == 0 && !course.is_empty() {
            let of_this_type = if story.kinds.is_empty() {
                ""
            } else {
                " of this type"
            };
            blocks.push(PageBlock::Gap);
            blocks.push(PageBlock::sentence(say!(
                "it comes to no neighbourhood{}, so all of its steps are shown",
                of_this_type
            )));
        }
        let whole = which == Which::Shortest && story.kinds.is_empty();
        if whole && story.analysis.outlook != AnalysisOutlook::AlwaysViolated {
            self.decisions(blocks);
            // The names of a model's steps are many, and say less than its variables.
            if story.behind.is_none() {
                self.idle(blocks);
            }
        }
    }

    fn row(&self, row: &CourseRow, width: usize) -> Vec<PageItem> {
        let graph = self.story.graph();
        match *row {
            CourseRow::Dropped(n) => {
                let steps = count(n, "step").to_string();
                vec![PageItem {
                    head: Ink::plain(format!("  {:>width$} ", "...")),
                    text: Ink::new(VariableRole::Dim, steps.as_str()),
                    hang: width + 4,
                    depth: 0,
                    document: Inline::prose(format!("... {steps}")),
                }]
            }
            CourseRow::Step(number, label, tag) => {
                let label = label_text(graph, label);
                let number_text = Ink::new(VariableRole::Dim, format!("  {number:>width$}  "));
                let step = Inline::prose(format!("step {number}, {}: ", tag.name()));
                vec![PageItem {
                    head: number_text.then(role_of(tag), sign(tag)),
                    text: Ink::new(VariableRole::Strong, label.as_str()),
                    hang: width + 8,
                    depth: 0,
                    document: Inline([step.0, Inline::code(label).0].concat()),
                }]
            }
            CourseRow::Place(node, kind) => self.place((node, kind), "", width + 4, FEW),
        }
    }

    /// A neighbourhood: its type, how many are `alike`, and what could be done there.
    fn place(
        &self,
        (node, kind): (NodeId, NeighbourhoodKind),
        alike: &str,
        margin: usize,
        most: usize,
    ) -> Vec<PageItem> {
        let graph = self.story.graph();
        let state = graph.pair(node).state.index();
        let text = if !graph.reading().is_of_whole_runs() && alone(graph, node) {
            "everything is wrong"
        } else {
            kind_text(kind)
        };
        let space = " ".repeat(margin);
        let says = format!(" at state {state}{alike}: {text}");
        let mut items = vec![PageItem {
            head: Ink::plain(space.as_str())
                .then(VariableRole::Warn, kind.name())
                .then(VariableRole::Plain, says.as_str()),
            text: Ink::default(),
            hang: margin + 4,
            depth: 0,
            document: Inline(vec![InlinePart::Strong(kind.name().to_string())]).then(says),
        }];
        let way = |tag: ZoneTag, text: &str| {
            let sign = format!("{} {:<6}", sign(tag), tag_text(tag));
            PageItem {
                head: Ink::plain(format!("{space}  ")).then(role_of(tag), sign),
                text: Ink::plain(text),
                hang: margin + 11,
                depth: 1,
                document: Inline::prose(format!("{}: {}", tag_text(tag), unquoted(text))),
            }
        };
        let Some(told) = told(self.story, node) else {
            for tag in TAGS {
                let labels = labels(graph, node, tag);
                if !labels.is_empty() {
                    items.push(way(tag, &some_labels(graph, &labels, most)));
                }
            }
            return items;
        };
        if let Some(here) = &told.here {
            let mut item = plain(Ink::plain(format!("{space} ")), here, margin + 4);
            item.text = Ink::new(VariableRole::Dim, here.as_str());
            item.depth = 1;
            items.push(item);
        }
        for tag in TAGS {
            let ways = told.ways.iter().filter(|(way, _)| way.tag == tag);
            let ways: Vec<&String> = ways.map(|(_, text)| text).collect();
            items.extend(ways.iter().take(most).map(|text| way(tag, text)));
            let more = ways.len().saturating_sub(most);
            if more > 0 {
                let text = format!("and {}", count(more, "more way"));
                let head = Ink::plain(format!("{space}           {text}"));
                let mut item = plain(head, "", margin + 11);
                (item.depth, item.document) = (1, Inline::prose(text));
                items.push(item);
            }
        }
        items
    }

    /// What decides: neighbourhoods together at which the same is right and the same is wrong.
    fn decisions(&self, blocks: &mut Vec<PageBlock>) {
        let graph = self.story.graph();
        let all = graph.counts().neighbourhoods();
        if all < 2 {
            return;
        }
        blocks.push(PageBlock::Gap);
        let heading = say!("What decides, at all {} neighbourhoods", all);
        blocks.push(PageBlock::Heading(heading));
        // How often, and what is right or wrong then.
        let decisions: Vec<(usize, Vec<(ZoneTag, String)>)> = match by_values(self.story) {
            Some(by_values) => {
                let decisions = by_values.into_iter();
                decisions
                    .map(|(n, tag, text)| (n, vec![(tag, text)]))
                    .collect()
            }
            None => {
                let decisions = decisions(self.story).into_iter();
                let of_node = |node: NodeId| {
                    let tags = [ZoneTag::Correct, ZoneTag::Incorrect].into_iter();
                    let labels = tags.map(|tag| (tag, labels(graph, node, tag)));
                    let labels = labels.filter(|(_, labels)| !labels.is_empty());
                    let texts = labels.map(|(tag, labels)| (tag, some_labels(graph, &labels, FEW)));
                    texts.collect()
                };
                decisions.map(|(n, node)| (n, of_node(node))).collect()
            }
        };
        let widest = decisions.first().map_or(0, |(n, _)| times(*n).len());
        let mut items = Vec::new();
        for (n, ways) in decisions.iter().take(DECISIONS) {
            let mut head = format!("  {:<widest$}  ", times(*n));
            for (tag, text) in ways {
                let sign = format!("{} {:<5}", sign(*tag), tag_text(*tag));
                let way = format!("{}, {}: {}", times(*n), tag_text(*tag), unquoted(text));
                let hang = head.len() + 10;
                let blank = " ".repeat(head.len());
                items.push(PageItem {
                    head: Ink::plain(std::mem::replace(&mut head, blank)).then(role_of(*tag), sign),
                    text: Ink::plain(text.as_str()),
                    hang,
                    depth: 0,
                    document: Inline::prose(way),
                });
            }
        }
        blocks.push(PageBlock::List(items));
        let more = decisions.len().saturating_sub(DECISIONS);
        if more > 0 {
            blocks.push(PageBlock::sentence(say!("and {} more", more)));
        }
    }

    /// All groups of similar neighbourhoods.
    fn groups(&self, blocks: &mut Vec<PageBlock>) {
        let wanted = |group: &&Group| self.story.wants(group.kind);
        let groups: Vec<&Group> = self.story.analysis.groups.iter().filter(wanted).collect();
        let all: usize = groups.iter().map(|group| group.members.len()).sum();
        let heading = say!(
            "{} in {} of similar ones",
            count(all, "neighbourhood"),
            count(groups.len(), "group")
        );
        blocks.extend([PageBlock::Heading(heading), PageBlock::Gap]);
        let most = if self.document { usize::MAX } else { GROUPS };
        let items = groups.iter().take(most).flat_map(|group| {
            let alike = match group.members.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more like it"),
            };
            self.place((group.members[0], group.kind), &alike, 2, FEW)
        });
        blocks.push(PageBlock::List(items.collect()));
        let more = groups.len().saturating_sub(most);
        if more > 0 {
            let text = say!("and {} more groups, which --format json has", more);
            blocks.push(PageBlock::sentence(text));
        }
    }

    /// Labels that decide nothing.
    fn idle(&self, blocks: &mut Vec<PageBlock>) {
        let idle = self.story.idle();
        if idle.is_empty() {
            return;
        }
        let labels: Vec<_> = idle.iter().map(|&label| (label, 1)).collect();
        let text = some_labels(self.story.graph(), &labels, IDLE);
        let name = "Labels that decide nothing:";
        let mut item = plain(Ink::new(VariableRole::Strong, name), &text, 2);
        item.document = Inline::prose(format!("{name} {}", unquoted(&text)));
        blocks.extend([PageBlock::Gap, PageBlock::List(vec![item])]);
    }
}

/// An item that is the same in a document.
fn plain(head: Ink, text: &str, hang: usize) -> PageItem {
    PageItem {
        head,
        text: Ink::plain(text),
        hang,
        depth: 0,
        document: Inline::prose(unquoted(text)),
    }
}

/// A text in which quotes do not mean code.
fn unquoted(text: &str) -> String {
    text.replace('`', "'")
}

/// What a course is, and how much of it matters.
fn course_title(story: &Story<'_>, which: Which, course: &Course) -> String {
    let steps = count(course.len(), "step").to_string();
    let kept = story.kept(course).iter().filter(|kept| **kept).count();
    let matter = match kept == course.len() {
        true => String::new(),
        false => {
            let verb = if kept == 1 { "matters" } else { "matter" };
            format!(", {kept} of which {verb}")
        }
    };
    let proved = (story.analysis.shortest.as_ref()).is_ok_and(|shortest| shortest.proved);
    let shortest = match proved {
        true => "The shortest counterexample",
        false => "The shortest counterexample found",
    };
    match which {
        Which::Shortest => format!("{shortest}: {steps}{matter}"),
        Which::Pattern => format!("{shortest} with this pattern: {steps}{matter}"),
        Which::Random(seed) => format!("A random counterexample (seed {seed}): {steps}{matter}"),
        Which::Given => format!("The given counterexample: {steps}{matter}"),
        Which::Nearest => format!("The shortest way to a neighbourhood: {steps}"),
    }
}

/// How many other counterexamples are as short.
fn several(story: &Story<'_>, which: Which) -> Option<Sentence> {
    let shortest = story.analysis.shortest.as_ref().ok()?;
    let number = shortest.count.as_ref()?.to_string();
    if which != Which::Shortest || !story.kinds.is_empty() || number == "1" {
        return None;
    }
    let steps = match (shortest.least, shortest.most) {
        (1, 1) => "1 step matters".to_string(),
        (least, most) if least == most => format!("{least} steps matter"),
        (least, most) => format!("{least} to {most} steps matter"),
    };
    Some(say!(
        "the first, in the order of labels, of {} shortest ones, in which {}",
        number,
        steps
    ))
}

/// Whether all steps of a node are wrong.
fn alone(graph: &Tagged<'_>, node: NodeId) -> bool {
    let mut steps = graph.steps(node);
    steps.all(|step| step.tag == ZoneTag::Incorrect)
}

/// `once`, `12 times`.
fn times(n: usize) -> String {
    match n {
        1 => "once".to_string(),
        n => format!("{n} times"),
    }
}

fn role_of(tag: ZoneTag) -> VariableRole {
    match tag {
        ZoneTag::Correct => VariableRole::Good,
        ZoneTag::Incorrect => VariableRole::Bad,
        ZoneTag::Neutral => VariableRole::Plain,
    }
}
