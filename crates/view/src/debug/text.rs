//! The screen of `debug`.

use wherefore_tagged::{Course, Group, Kind, NodeId, Outlook, Reading, Tag, Tagged};

use super::choices::{TAGS, decisions, label_text, labels, sign, some_labels};
use super::hints::hints;
use super::rows::{Row, rows};
use super::sentences::{
    ending_text, kind_text, kinds_text, outlook_text, percent, reading_text, tag_text,
};
use super::values::{Told, by_values, told};
use super::{Shown, Story, Which};
use crate::explore::Style;
use crate::layout::{Ink, Page, Role};
use crate::words::{clean, count};

/// So many labels of each tag are told at a neighbourhood.
pub(super) const FEW: usize = 6;
/// So many decisions are told.
const DECISIONS: usize = 6;
/// So many groups of neighbourhoods are told.
const GROUPS: usize = 200;
/// So many steps of a long course are told at each end.
const STEPS: usize = 200;
/// So many labels that do not decide are told.
const IDLE: usize = 12;

/// Everything there is to say.
pub fn render(story: &Story<'_>, style: Style) -> String {
    let mut screen = Screen {
        story,
        page: Page::new(style.width, style.color),
    };
    screen.header();
    screen.verdict();
    screen.body();
    screen.hints();
    screen.page.finish()
}

struct Screen<'a> {
    story: &'a Story<'a>,
    page: Page,
}

impl Screen<'_> {
    fn header(&mut self) {
        let lts = self.story.graph().lts();
        let path = Ink::new(Role::Strong, clean(self.story.path));
        self.page.paragraph(path, &Ink::default(), 2);
        let mut facts = vec![
            count(lts.states(), "state"),
            count(lts.transitions(), "transition"),
            count(lts.labels().len(), "label"),
        ];
        facts.extend(self.story.seconds.map(|seconds| format!("{seconds:.2} s")));
        let facts = Ink::new(Role::Dim, facts.join(", "));
        self.page.paragraph(Ink::default(), &facts, 2);
        self.page.gap();
    }

    /// The verdict, how it stands, and the counts.
    fn verdict(&mut self) {
        let (asked, graph) = (&self.story.asked, self.story.graph());
        let (role, word) = match self.story.analysis.outlook {
            Outlook::Holds => (Role::Good, "HOLDS"),
            _ => (Role::Bad, "FAILS"),
        };
        let line = asked.place.map(|(line, _)| format!(" (line {line})"));
        let title = format!("{}{}", clean(asked.name), line.unwrap_or_default());
        let head = Ink::new(role, word)
            .then(Role::Plain, "  ")
            .then(Role::Strong, title)
            .then(Role::Plain, ": ");
        let text = Ink::plain(clean(asked.text));
        self.page.paragraph(head, &text, word.len() + 2);
        self.sentence(outlook_text(self.story.analysis.outlook, graph.reading()));
        if self.story.holds() {
            return self.notes();
        }
        if let Some(text) = reading_text(graph.reading(), self.story.analysis.switched) {
            self.sentence(text);
        }
        self.notes();
        self.page.gap();
        let counts = graph.counts();
        let size = format!(
            "{}, {}, {}",
            count(counts.states, "state"),
            count(counts.transitions, "transition"),
            count(counts.labels, "label"),
        );
        self.fact("counterexamples", Ink::plain(size));
        let mut tags = Ink::default();
        for (at, tag) in TAGS.into_iter().enumerate() {
            let comma = if at > 0 { ", " } else { "" };
            tags = tags
                .then(
                    Role::Plain,
                    format!("{comma}{} {} (", counts.tagged(tag), tag.name()),
                )
                .then(role_of(tag), sign(tag))
                .then(Role::Plain, ")");
        }
        self.fact("transitions", tags);
        let neighbourhoods = match counts.neighbourhoods() {
            0 => "none: no step decides between right and wrong".to_string(),
            n => format!(
                "{n} ({:.2} % of the states): {}",
                percent(graph),
                kinds_text(graph)
            ),
        };
        self.fact("neighbourhoods", Ink::plain(neighbourhoods));
    }

    /// What a reader should know of the model behind the system.
    fn notes(&mut self) {
        let notes = self.story.behind.map_or(&[][..], |behind| behind.notes);
        for note in notes {
            self.sentence(&clean(note));
        }
    }

    /// `counterexamples  24 states, ...`
    fn fact(&mut self, name: &str, text: Ink) {
        const COLUMN: usize = 19;
        let head = Ink::new(Role::Dim, format!("  {name:<15} "));
        self.page.paragraph(head, &text, COLUMN);
    }

    fn body(&mut self) {
        if self.story.holds() {
            return;
        }
        self.page.gap();
        match &self.story.shown {
            Shown::Course(which, course) => {
                self.course(*which, course);
                let outlook = self.story.analysis.outlook;
                let whole = *which == Which::Shortest && self.story.kinds.is_empty();
                if whole && outlook != Outlook::AlwaysViolated {
                    self.decisions();
                    // The names of a model's steps are many, and say less than its variables.
                    if self.story.behind.is_none() {
                        self.idle();
                    }
                }
            }
            Shown::Missing(why) => {
                let why = Ink::plain(clean(why));
                self.page.paragraph(Ink::default(), &why, 2);
            }
            Shown::Neighbourhood(nodes) => nodes.iter().for_each(|&node| self.whole(node)),
            Shown::Groups => self.groups(),
        }
    }

    /// A course with its neighbourhoods.
    fn course(&mut self, which: Which, course: &Course) {
        self.heading(&course_title(self.story, which, course));
        if let (Which::Shortest, Ok(shortest)) = (which, &self.story.analysis.shortest)
            && self.story.kinds.is_empty()
            && let Some(count) = shortest.count.as_ref().map(ToString::to_string)
            && count != "1"
        {
            let steps = match (shortest.least, shortest.most) {
                (1, 1) => "1 step matters".to_string(),
                (least, most) if least == most => format!("{least} steps matter"),
                (least, most) => format!("{least} to {most} steps matter"),
            };
            self.sentence(&format!(
                "the first, in the order of labels, of {count} shortest ones, in which {steps}"
            ));
        }
        self.page.gap();
        let rows = rows(self.story, course);
        let last = Ink::plain(course.len().to_string()).len().max(3);
        let skipped = rows.len().saturating_sub(2 * STEPS);
        for (at, row) in rows.iter().enumerate() {
            if skipped > 0 && at == STEPS {
                self.page.gap();
                let text = format!("(and {skipped} more lines, which --format json has)");
                self.sentence(&text);
                self.page.gap();
            }
            if skipped == 0 || at < STEPS || at >= STEPS + skipped {
                self.row(row, last);
            }
        }
        if let Some(ending) = ending_text(self.story.graph(), course) {
            let margin = " ".repeat(last + 3);
            let ending = Ink::new(Role::Strong, ending);
            self.page.paragraph(Ink::plain(margin), &ending, last + 6);
        }
        let places = course
            .nodes
            .iter()
            .filter_map(|&node| self.story.graph().kind(node));
        if places.filter(|&kind| self.story.wants(kind)).count() == 0 && !course.is_empty() {
            self.page.gap();
            self.sentence(match self.story.kinds {
                [] => "it comes to no neighbourhood, so all of its steps are shown",
                _ => "it comes to no neighbourhood of this type, so all of its steps are shown",
            });
        }
    }

    fn row(&mut self, row: &Row, width: usize) {
        let graph = self.story.graph();
        match *row {
            Row::Dropped(n) => {
                let dots = Ink::plain(format!("  {:>width$} ", "..."));
                let steps = Ink::new(Role::Dim, count(n, "step"));
                self.page.paragraph(dots, &steps, width + 4);
            }
            Row::Step(number, label, tag) => {
                let head = Ink::new(Role::Dim, format!("  {number:>width$}  "))
                    .then(role_of(tag), sign(tag));
                let label = Ink::new(Role::Strong, label_text(graph, label));
                self.page.paragraph(head, &label, width + 8);
            }
            Row::Place(node, kind) => self.place(node, kind, "", width + 4, FEW),
        }
    }

    /// A neighbourhood: its type, how many are `alike`, and what could be done there.
    fn place(&mut self, node: NodeId, kind: Kind, alike: &str, margin: usize, most: usize) {
        let graph = self.story.graph();
        let state = graph.pair(node).state.index();
        let text = if graph.reading() != Reading::Inevitable && alone(graph, node) {
            "everything is wrong"
        } else {
            kind_text(kind)
        };
        let margin = " ".repeat(margin);
        let head = Ink::plain(&*margin)
            .then(Role::Warn, kind.name())
            .then(Role::Plain, format!(" at state {state}{alike}: {text}"));
        self.page.paragraph(head, &Ink::default(), margin.len() + 4);
        if let Some(told) = told(self.story, node) {
            return self.told(&told, &margin, most);
        }
        for tag in TAGS {
            let labels = labels(graph, node, tag);
            if labels.is_empty() {
                continue;
            }
            let head = Ink::plain(format!("{margin}  "))
                .then(role_of(tag), format!("{} {:<6}", sign(tag), tag_text(tag)));
            let labels = Ink::plain(some_labels(graph, &labels, most));
            self.page.paragraph(head, &labels, margin.len() + 11);
        }
    }

    /// What is so at a neighbourhood of a model, and which values lead right or wrong.
    fn told(&mut self, told: &Told, margin: &str, most: usize) {
        if let Some(here) = &told.here {
            let head = Ink::plain(format!("{margin} "));
            self.page
                .paragraph(head, &Ink::new(Role::Dim, here.as_str()), margin.len() + 4);
        }
        for tag in TAGS {
            let ways: Vec<&String> = (told.ways.iter())
                .filter(|(way, _)| way.tag == tag)
                .map(|(_, text)| text)
                .collect();
            for text in ways.iter().take(most) {
                let head = Ink::plain(format!("{margin}  "))
                    .then(role_of(tag), format!("{} {:<6}", sign(tag), tag_text(tag)));
                let text = Ink::plain(text.as_str());
                self.page.paragraph(head, &text, margin.len() + 11);
            }
            let more = ways.len().saturating_sub(most);
            if more > 0 {
                let text = Ink::plain(format!(
                    "{margin}           and {}",
                    count(more, "more way")
                ));
                self.page
                    .paragraph(text, &Ink::default(), margin.len() + 11);
            }
        }
    }

    /// A neighbourhood with all its steps.
    fn whole(&mut self, node: NodeId) {
        let graph = self.story.graph();
        if let Some(kind) = graph.kind(node) {
            self.page.gap();
            self.place(node, kind, "", 2, usize::MAX);
        }
    }

    /// What decides: neighbourhoods together at which the same is right and the same is wrong.
    fn decisions(&mut self) {
        let decisions = decisions(self.story);
        let all = self.story.graph().counts().neighbourhoods();
        if all < 2 {
            return;
        }
        self.page.gap();
        self.heading(&format!("What decides, at all {all} neighbourhoods"));
        if let Some(by_values) = by_values(self.story) {
            return self.by_values(&by_values);
        }
        let widest = decisions.first().map_or(0, |(n, _)| times(*n).len());
        for (n, node) in decisions.iter().take(DECISIONS) {
            let mut head = format!("  {:<widest$}  ", times(*n));
            for tag in [Tag::Correct, Tag::Incorrect] {
                let labels = labels(self.story.graph(), *node, tag);
                if labels.is_empty() {
                    continue;
                }
                let text = Ink::plain(some_labels(self.story.graph(), &labels, FEW));
                let hang = head.len() + 10;
                let sign = format!("{} {:<5}", sign(tag), tag_text(tag));
                let ink = Ink::plain(&*head).then(role_of(tag), sign);
                self.page.paragraph(ink, &text, hang);
                head = " ".repeat(head.len());
            }
        }
        let more = decisions.len().saturating_sub(DECISIONS);
        if more > 0 {
            self.sentence(&format!("and {more} more"));
        }
    }

    /// What decides in a model, by values.
    fn by_values(&mut self, decisions: &[(usize, Tag, String)]) {
        let widest = decisions.first().map_or(0, |(n, ..)| times(*n).len());
        for (n, tag, text) in decisions.iter().take(DECISIONS) {
            let head = format!("  {:<widest$}  ", times(*n));
            let hang = head.len() + 10;
            let sign = format!("{} {:<5}", sign(*tag), tag_text(*tag));
            let ink = Ink::plain(head).then(role_of(*tag), sign);
            self.page.paragraph(ink, &Ink::plain(text.as_str()), hang);
        }
        let more = decisions.len().saturating_sub(DECISIONS);
        if more > 0 {
            self.sentence(&format!("and {more} more"));
        }
    }

    /// All groups of similar neighbourhoods.
    fn groups(&mut self) {
        let wanted = |group: &&Group| self.story.wants(group.kind);
        let groups: Vec<&Group> = self.story.analysis.groups.iter().filter(wanted).collect();
        let all: usize = groups.iter().map(|group| group.members.len()).sum();
        self.heading(&format!(
            "{} in {} of similar ones",
            count(all, "neighbourhood"),
            count(groups.len(), "group")
        ));
        self.page.gap();
        for group in groups.iter().take(GROUPS) {
            let alike = match group.members.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more like it"),
            };
            self.place(group.members[0], group.kind, &alike, 2, FEW);
        }
        let more = groups.len().saturating_sub(GROUPS);
        if more > 0 {
            self.sentence(&format!("and {more} more groups, which --format json has"));
        }
    }

    /// Labels that decide nothing.
    fn idle(&mut self) {
        let idle = self.story.idle();
        if idle.is_empty() {
            return;
        }
        self.page.gap();
        let labels: Vec<_> = idle.iter().map(|&label| (label, 1)).collect();
        let text = some_labels(self.story.graph(), &labels, IDLE);
        let head = Ink::new(Role::Strong, "Labels that decide nothing:");
        self.page.paragraph(head, &Ink::plain(text), 2);
    }

    fn hints(&mut self) {
        let hints = hints(self.story);
        if hints.is_empty() {
            return;
        }
        self.page.gap();
        self.page.line(&Ink::new(Role::Dim, "Try:"));
        let widest = hints
            .iter()
            .map(|(command, _)| command.chars().count())
            .max();
        let widest = widest.unwrap_or(0);
        for (command, what) in hints {
            let line = format!("  {command:<widest$}  ");
            let fits = line.chars().count() + what.len() <= self.page.width;
            let ink = match fits {
                true => Ink::plain(line).then(Role::Dim, what),
                false => Ink::plain(format!("  {command}")),
            };
            self.page.line(&ink);
        }
    }

    fn heading(&mut self, text: &str) {
        let text = Ink::new(Role::Strong, text);
        self.page.paragraph(Ink::default(), &text, 2);
    }

    fn sentence(&mut self, text: &str) {
        self.page.paragraph(Ink::plain(" "), &Ink::plain(text), 4);
    }
}

/// What a course is, and how much of it matters.
pub(super) fn course_title(story: &Story<'_>, which: Which, course: &Course) -> String {
    let steps = count(course.len(), "step");
    let kept = story.kept(course).iter().filter(|kept| **kept).count();
    let matter = match (kept == course.len(), course.is_empty()) {
        (_, true) => String::new(),
        (true, _) => String::new(),
        (false, _) => format!(
            ", {kept} of which {}",
            if kept == 1 { "matters" } else { "matter" }
        ),
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

/// Whether all steps of a node are wrong.
fn alone(graph: &Tagged<'_>, node: NodeId) -> bool {
    let mut steps = graph.steps(node);
    steps.all(|step| step.tag == Tag::Incorrect)
}

/// `once`, `12 times`.
fn times(n: usize) -> String {
    match n {
        1 => "once".to_string(),
        n => format!("{n} times"),
    }
}

fn role_of(tag: Tag) -> Role {
    match tag {
        Tag::Correct => Role::Good,
        Tag::Incorrect => Role::Bad,
        Tag::Neutral => Role::Plain,
    }
}
