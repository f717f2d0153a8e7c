//! The screen: counts first, then what fails and why, then the rest in a line each.

use wherefore_evidence::{
    Claim, Ending, Evidence, Finding, Note, Region, Replay, UnknownReason, Vacuity, Verdict,
};
use wherefore_logic::Class;
use wherefore_model::{Property, PropertyBody};

use crate::Report;
use crate::because::because;
use crate::hints::hints;
use crate::layout::{Ink, Page, Role, flow};
use crate::phrases::{
    decision_text, note_text, region_text, run_text, shape_text, vacuity_text, witness_text,
};
use crate::remarks::remarks;
use crate::several::{Piece, parts_text, pieces};
use crate::sheet::{self, Signs};
use crate::strands::{Strand, groups, strands};
use crate::table::{self, Choice};
use crate::words::{Telling, clean, count};

/// How the screen looks and how much it shows.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// With colour.
    pub color: bool,
    /// With plain letters instead of lines and arrows.
    pub ascii: bool,
    /// How many columns there are.
    pub width: usize,
    /// All values at every step, and every run that is otherwise folded.
    pub full: bool,
    /// Tables also for properties that hold.
    pub all: bool,
    /// Which variables to show, by name; `None`: all.
    pub vars: Option<&'a dyn Fn(&str) -> bool>,
    /// With commands to try next.
    pub hints: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            color: false,
            ascii: false,
            width: 80,
            full: false,
            all: false,
            vars: None,
            hints: true,
        }
    }
}

/// Everything there is to say about one model.
pub fn render(report: &Report<'_>, options: &Options<'_>) -> String {
    let page = Page::new(options.width, options.color);
    let mut screen = Screen {
        report: *report,
        options: *options,
        signs: Signs::new(options.ascii),
        page,
    };
    screen.header();
    screen.findings();
    screen.warnings();
    if options.hints {
        screen.hints();
    }
    screen.page.finish()
}

/// So many decisions are told.
const DECISIONS: usize = 3;

struct Screen<'a> {
    report: Report<'a>,
    options: Options<'a>,
    signs: Signs,
    page: Page,
}

impl<'a> Screen<'a> {
    fn header(&mut self) {
        let counts = self.report.counts();
        let total = self.report.findings.len();
        let properties = if total == 1 {
            "1 property".to_string()
        } else {
            format!("{total} properties")
        };
        let path = Ink::new(Role::Strong, clean(self.report.path()));
        let mut items = vec![path.then(Role::Plain, format!("  {properties}"))];
        let holds = |n: usize| if n == 1 { "holds" } else { "hold" };
        let fails = if counts.fail == 1 { "FAILS" } else { "FAIL" };
        let parts = [
            (counts.hold, Role::Good, holds(counts.hold).to_string()),
            (
                counts.vacuous,
                Role::Warn,
                format!("{} vacuously", holds(counts.vacuous)),
            ),
            (counts.fail, Role::Bad, fails.to_string()),
            (counts.undecided, Role::Warn, "undecided".to_string()),
        ];
        for (n, role, word) in parts.into_iter().filter(|(n, ..)| *n > 0) {
            items.push(Ink::new(role, format!("{n} {word}")));
        }
        for line in flow(&items, "   ", self.page.width, self.signs.cut) {
            self.page.line(&line);
        }
        let Some(space) = self.report.space else {
            return;
        };
        let states = match space.states.to_string().as_str() {
            "1" => "1 state".to_string(),
            n => format!("{n} states"),
        };
        let mut facts = vec![states];
        facts.extend(
            space
                .transitions
                .map(|n| count(usize::try_from(n).unwrap_or(usize::MAX), "transition")),
        );
        facts.push(format!("engine {}", space.engine));
        facts.extend(self.report.seconds.map(|seconds| format!("{seconds:.2} s")));
        self.page
            .paragraph(Ink::default(), &Ink::new(Role::Dim, facts.join(", ")), 2);
    }

    fn findings(&mut self) {
        type Is = fn(&Finding) -> bool;
        let groups: [Is; 4] = [
            |f| f.verdict == Verdict::Fails,
            |f| matches!(f.verdict, Verdict::Unknown(_)),
            |f| f.verdict == Verdict::Holds && matches!(f.vacuity, Vacuity::Vacuous { .. }),
            |f| f.verdict == Verdict::Holds && !matches!(f.vacuity, Vacuity::Vacuous { .. }),
        ];
        for group in groups {
            self.page.gap();
            for finding in self.report.findings.iter().filter(|finding| group(finding)) {
                self.finding(finding);
            }
        }
    }

    fn finding(&mut self, finding: &'a Finding) {
        let property = self.report.property(finding);
        match (&finding.verdict, &finding.vacuity) {
            (Verdict::Fails, _) => {
                self.page.gap();
                self.verdict(Role::Bad, "FAILS", property);
                match &finding.evidence {
                    Some(evidence) => self.evidence(finding, evidence),
                    None => self.sentence("no evidence was built before the work had to stop"),
                }
            }
            (Verdict::Unknown(reason), _) => {
                self.verdict(Role::Warn, "UNDECIDED", property);
                match reason {
                    UnknownReason::Stopped(stop) => self.sentence(&format!("{stop}")),
                    UnknownReason::Unsupported(why) => self.sentence(&clean(why)),
                }
            }
            (Verdict::Holds, Vacuity::Vacuous { sub }) => {
                self.verdict(Role::Warn, "VACUOUS", property);
                if let PropertyBody::Query(query) = &property.body {
                    let text = vacuity_text(&self.report, query, *sub);
                    self.sentence(&format!("holds, but {text}"));
                }
            }
            (Verdict::Holds, _) => self.holds(finding, property),
        }
    }

    fn holds(&mut self, finding: &'a Finding, property: &Property) {
        self.verdict(Role::Good, "HOLDS", property);
        match &finding.evidence {
            Some(evidence) if self.options.all || !finding.more.others.is_empty() => {
                self.evidence(finding, evidence);
                self.page.gap();
            }
            Some(evidence) if finding.class == Some(Class::Existential) => {
                self.sentence(&format!("witness: {}", shape_text(evidence)));
            }
            _ => {}
        }
        if let Some(witness) = &finding.witness {
            self.sentence(&witness_text(&self.report, finding, witness));
            self.sentence(&format!("that run: {}", shape_text(&witness.evidence)));
            self.page.gap();
            self.strands(&Telling::of_witness(self.report, witness));
            self.page.gap();
        }
    }

    /// `FAILS  served (line 41):  AG (req -> AF ack)`
    fn verdict(&mut self, role: Role, word: &str, property: &Property) {
        let title = self.report.title(property);
        let head = Ink::new(role, word)
            .then(Role::Plain, "  ")
            .then(Role::Strong, title)
            .then(Role::Plain, ": ");
        self.page
            .paragraph(head, &Ink::plain(clean(&property.text)), word.len() + 2);
    }

    fn sentence(&mut self, text: &str) {
        self.page.paragraph(Ink::plain(" "), &Ink::plain(text), 4);
    }

    fn evidence(&mut self, finding: &'a Finding, evidence: &'a Evidence) {
        if let Some(text) = parts_text(&self.report, finding) {
            self.sentence(&text);
        }
        for (at, piece) in pieces(self.report, finding, evidence).iter().enumerate() {
            if at > 0 {
                self.page.gap();
            }
            self.piece(piece);
            if let Some(closing) = &piece.closing {
                self.sentence(closing);
            }
        }
    }

    /// One evidence, with its heading if it has one.
    fn piece(&mut self, piece: &Piece<'_>) {
        if let Some(heading) = &piece.heading {
            let heading = Ink::new(Role::Strong, heading);
            self.page.paragraph(Ink::plain(" "), &heading, 4);
        }
        let evidence = piece.telling.evidence;
        if let Replay::Failed(why) = &evidence.replay {
            let text = format!(
                "the evidence found for this verdict is wrong and not shown: {}",
                clean(why)
            );
            self.sentence(&text);
            return;
        }
        let telling = piece.telling;
        self.page.paragraph(
            Ink::new(Role::Strong, "  because"),
            &Ink::plain(because(&telling)),
            4,
        );
        let witness = format!("witness: {}", shape_text(evidence));
        let badges = piece.badges();
        let mut line = Ink::plain(format!("  {witness}"));
        for badge in &badges {
            line.append(Ink::new(Role::Dim, format!("  {badge}")));
        }
        if line.len() <= self.page.width {
            self.page.line(&line);
        } else {
            self.sentence(&witness);
            let badges: Vec<Ink> = badges
                .iter()
                .map(|badge| Ink::new(Role::Dim, badge))
                .collect();
            for line in flow(&badges, "  ", self.page.width - 4, self.signs.cut) {
                let mut indented = Ink::plain("    ");
                indented.append(line);
                self.page.line(&indented);
            }
        }
        self.page.gap();
        self.strands(&telling);
        for decision in piece.decisions.iter().take(DECISIONS) {
            self.sentence(&decision_text(&telling, decision));
        }
    }

    /// The tables of all runs, and the regions.
    fn strands(&mut self, telling: &Telling<'_>) {
        let remarks = remarks(telling);
        let choice = Choice {
            full: self.options.full,
            vars: self.options.vars,
        };
        let strands = strands(telling.evidence);
        for (at, group) in groups(&strands).into_iter().enumerate() {
            let strand = group[0];
            if at > 0 && strand.only_goes_on() && !self.options.full {
                if !strands[0].shows_that_goes_on(strand) {
                    self.folded(telling, strand);
                }
                continue;
            }
            if at > 0 {
                self.page.gap();
                self.branch_heading(telling, strand);
            }
            let rows = if strand.fan {
                table::fan_rows(telling, &group, &remarks, choice)
            } else {
                table::rows(telling, strand, &remarks, choice)
            };
            sheet::print(&mut self.page, &rows, self.signs);
            self.never_occurs(telling, strand);
        }
        for region in telling.evidence.regions.iter() {
            self.page.gap();
            self.region(telling, region);
        }
        self.page.gap();
    }

    /// "branch at step 2: why `AG p` is false here"
    fn branch_heading(&mut self, telling: &Telling<'_>, strand: &Strand<'_>) {
        let place = strand.from.map_or(0, |from| from.index());
        let serves = match strand.serves {
            Claim::Formula(..) => format!("why {} there", telling.claim(strand.serves)),
            Claim::HasPath => telling.claim(strand.serves),
        };
        let what = if strand.fan {
            "every step from"
        } else {
            "branch at"
        };
        let head = Ink::new(Role::Strong, format!("  {what} step {place}:"));
        self.page.paragraph(head, &Ink::plain(serves), 4);
    }

    fn folded(&mut self, telling: &Telling<'_>, strand: &Strand<'_>) {
        let place = strand.from.map_or(0, |from| from.index());
        let run = match strand.ending {
            Ending::Joins(to) => format!("{}, then as from step {}", run_text(strand), to.index()),
            _ => run_text(strand),
        };
        let text = format!(
            "a {}run goes on from step {place}: {run}; --full shows it",
            telling.fair()
        );
        self.page
            .paragraph(Ink::plain(" "), &Ink::new(Role::Dim, text), 4);
    }

    /// Says which compassion constraints a loop meets by never needing them.
    fn never_occurs(&mut self, telling: &Telling<'_>, strand: &Strand<'_>) {
        let Ending::Loop(_) = strand.ending else {
            return;
        };
        let constraints = telling.constraints();
        for (text, at) in constraints.iter().zip(&strand.last.fair) {
            if at.is_none() {
                let text =
                    format!("compassion `{text}`: its first condition never occurs in the loop");
                self.page
                    .paragraph(Ink::plain("   "), &Ink::new(Role::Dim, text), 6);
            }
        }
    }

    fn region(&mut self, telling: &Telling<'_>, region: &Region) {
        let text = region_text(telling, region);
        let head = Ink::new(
            Role::Strong,
            format!("  region at step {}:", region.at.index()),
        );
        self.page.paragraph(head, &Ink::plain(text), 4);
        for (at, cube) in telling.cover(region).into_iter().enumerate() {
            let head = if at == 0 { "     " } else { "   or" };
            self.page.paragraph(Ink::plain(head), &Ink::plain(cube), 8);
        }
        if !region.cover.complete {
            self.page.line(&Ink::new(
                Role::Dim,
                format!("   or {} and other states", self.signs.cut),
            ));
        }
        let Some(states) = region
            .states
            .as_ref()
            .filter(|states| self.options.full || states.len() <= 4)
        else {
            return;
        };
        for state in states {
            let text = self.report.state_text(state);
            self.page
                .paragraph(Ink::plain("      state"), &Ink::new(Role::Dim, text), 8);
        }
    }

    fn warnings(&mut self) {
        let space = self.report.space.iter().flat_map(|space| &space.notes);
        let mut notes: Vec<&Note> = space.collect();
        for finding in self.report.findings {
            notes.extend(&finding.notes);
        }
        let mut told: Vec<&Note> = Vec::new();
        for note in notes {
            if told.contains(&note) {
                continue;
            }
            if told.is_empty() {
                self.page.gap();
            }
            told.push(note);
            let text = note_text(&self.report, note);
            self.page
                .paragraph(Ink::new(Role::Warn, "WARN "), &Ink::plain(text), 6);
        }
    }

    fn hints(&mut self) {
        let hints = hints(&self.report, self.options.full, self.options.all);
        if hints.is_empty() {
            return;
        }
        self.page.gap();
        self.page.line(&Ink::plain("Try:"));
        let widest = hints
            .iter()
            .map(|(command, _)| command.chars().count())
            .max()
            .unwrap_or(0);
        for (command, what) in hints {
            if 2 + widest + 2 + what.len() <= self.page.width {
                let line = Ink::plain(format!("  {command:<widest$}  ")).then(Role::Dim, what);
                self.page.line(&line);
            } else {
                self.page.line(&Ink::plain(format!("  {command}")));
            }
        }
    }
}
