//! The screen: counts first, then what fails and why, then the rest in a line each.

use wherefore_evidence::certificate::Certified;
use wherefore_evidence::{
    Abstracted, Choice as Decided, Claim, Ending, Evidence, Finding, Note, OccurrenceId, Region,
    Replay, UnknownReason, Vacuity, Verdict,
};
use wherefore_logic::Class;
use wherefore_model::{Property, PropertyBody};

use crate::Report;
use crate::abstracted;
use crate::because::because;
use crate::blocks;
use crate::certificate;
use crate::english;
use crate::excerpt::{Excerpt, Trimmed};
use crate::hints::hints;
use crate::layout::{Ink, Page, Role, flow};
use crate::manner::{Manner, View, Why};
use crate::phrases::{
    BY_FORM, NO_START, decision_text, note_text, quantity_text, region_text, run_text, shape_text,
    up_to, vacuity_text, witness_text,
};
use crate::several::{Piece, parts_text, pieces};
use crate::sheet::{self, Signs};
use crate::strands::{Strand, groups, strands};
use crate::table::Choice;
use crate::told::{self, Notes, Told};
use crate::truths::Truths;
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
    /// Instances of Alloy models as trees.
    pub tree: bool,
    /// Which variables to show, by name; `None`: all.
    pub vars: Option<&'a dyn Fn(&str) -> bool>,
    /// With commands to try next.
    pub hints: bool,
    /// Which view, how much of the reasons, in which direction, between which parts.
    pub manner: Manner<'a>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            color: false,
            ascii: false,
            width: 80,
            full: false,
            all: false,
            tree: false,
            vars: None,
            hints: true,
            manner: Manner::default(),
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

/// What there is to say about the findings alone, without the name of the model and without advice.
pub fn findings(report: &Report<'_>, options: &Options<'_>) -> String {
    let mut screen = Screen {
        report: *report,
        options: *options,
        signs: Signs::new(options.ascii),
        page: Page::new(options.width, options.color),
    };
    screen.findings();
    screen.page.finish()
}

/// The evidence of the findings alone, for a screen that has told the verdicts already.
pub fn evidence(report: &Report<'_>, options: &Options<'_>) -> String {
    let mut screen = Screen {
        report: *report,
        options: *options,
        signs: Signs::new(options.ascii),
        page: Page::new(options.width, options.color),
    };
    for finding in report.findings {
        screen.certificate(finding);
        if let Some(evidence) = &finding.evidence {
            screen.evidence(finding, evidence);
        }
    }
    screen.page.finish()
}

/// Commands that go on from what was found out.
pub fn hints_of(report: &Report<'_>) -> Vec<String> {
    let hints = hints(report, false, false).into_iter();
    hints.map(|(command, _)| command).collect()
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
        let mut facts = vec![states + &up_to(space)];
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
                self.said(finding);
                match &finding.evidence {
                    Some(evidence) => self.evidence(finding, evidence),
                    // What refutes it may be a proof, which was told.
                    None if finding
                        .notes
                        .iter()
                        .any(|note| matches!(note, Note::Said(_))) => {}
                    None => self.sentence("no evidence was built before the work had to stop"),
                }
            }
            (Verdict::Unknown(reason), _) => {
                self.verdict(Role::Warn, "UNDECIDED", property);
                match reason {
                    UnknownReason::Stopped(stop) => self.sentence(&format!("{stop}")),
                    UnknownReason::Unsupported(why) => self.sentence(&clean(why)),
                }
                self.said(finding);
            }
            _ if self.report.holds_of_nothing(finding) => {
                self.verdict(Role::Warn, "VACUOUS", property);
                self.sentence(&format!("holds, but {NO_START}"));
                self.certificate(finding);
            }
            (Verdict::Holds, Vacuity::Vacuous { sub }) => {
                self.verdict(Role::Warn, "VACUOUS", property);
                if let Some(query) = property.body.query() {
                    let text = vacuity_text(&self.report, query, *sub);
                    self.sentence(&format!("holds, but {text}"));
                }
                self.said(finding);
                if finding.by_form {
                    self.sentence(&format!("holds {BY_FORM}"));
                }
                self.certificate(finding);
            }
            (Verdict::Holds, _) => self.holds(finding, property),
        }
    }

    /// What the engine says of its answer.
    fn said(&mut self, finding: &Finding) {
        for note in &finding.notes {
            if let Note::Said(sentence) = note {
                self.sentence(&clean(sentence));
            }
        }
    }

    fn holds(&mut self, finding: &'a Finding, property: &Property) {
        if let Some(quantity) = finding.quantity {
            self.verdict(Role::Good, "VALUE", property);
            self.sentence(&quantity_text(quantity));
            self.certificate(finding);
            return;
        }
        self.verdict(Role::Good, "HOLDS", property);
        self.said(finding);
        if finding.by_form {
            self.sentence(BY_FORM);
        }
        self.certificate(finding);
        match &finding.evidence {
            Some(evidence)
                if self.options.all
                    || self.options.manner.is_special()
                    || !finding.more.others.is_empty() =>
            {
                self.evidence(finding, evidence);
                self.page.gap();
            }
            Some(evidence) if finding.class == Some(Class::Existential) => {
                self.sentence(&format!("witness: {}", shape_text(evidence)));
                self.abstracted(finding);
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

    /// Why it holds, as data, if asked for.
    fn certificate(&mut self, finding: &Finding) {
        let Some(certified) = &finding.certificate else {
            return;
        };
        self.sentence(&certificate::summary(&self.report, certified));
        let query = self.report.property(finding).body.query();
        if let (
            true,
            Certified::Given {
                certificate, over, ..
            },
            Some(query),
        ) = (self.options.full, certified, query)
        {
            let scope = certificate::Scope::new(&self.report, *over);
            for (depth, line) in certificate::lines(scope, query, certificate) {
                let head = Ink::plain(" ".repeat(2 * depth + 3));
                self.page.paragraph(head, &Ink::plain(line), 2 * depth + 6);
            }
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
            self.piece(finding, piece);
            if let Some(closing) = &piece.closing {
                self.sentence(closing);
            }
        }
    }

    /// One evidence, with its heading if it has one.
    fn piece(&mut self, finding: &Finding, piece: &Piece<'_>) {
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
        if self.options.manner.why() == Why::English {
            self.sentence(&format!(
                "{} {}",
                english::reading(&telling),
                english::answer(&telling)
            ));
        } else {
            self.page.paragraph(
                Ink::new(Role::Strong, "  because"),
                &Ink::plain(because(&telling)),
                4,
            );
        }
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
        if !piece.further {
            self.abstracted(finding);
            if let Some(Abstracted::Run(_)) = finding.abstraction {
                return;
            }
        }
        self.page.gap();
        let excerpt = self.strands(&telling);
        let truths = self.options.full || self.options.manner.view == View::Proof;
        if let Some(truths) = Truths::of(&telling).filter(|_| truths) {
            truths.print(&mut self.page, self.signs.cut);
        }
        let told = piece.decisions.iter().filter(|decision| {
            let mut steps = decided_at(&decision.choice);
            steps.all(|step| excerpt.shows(step))
        });
        for decision in told.take(DECISIONS) {
            self.sentence(&decision_text(&telling, decision));
        }
    }

    /// All shortest evidence at once, if asked for.
    fn abstracted(&mut self, finding: &Finding) {
        let property = self.report.property(finding);
        if let (Some(outcome), PropertyBody::Query(query)) = (&finding.abstraction, &property.body)
        {
            let told = abstracted::told(&self.report, query, outcome, self.options.full);
            abstracted::print(&mut self.page, &told);
        }
    }

    /// All runs and the regions, as far as they are told.
    fn strands(&mut self, telling: &Telling<'_>) -> Excerpt {
        let Manner { backward, .. } = self.options.manner;
        let excerpt = Excerpt::new(telling, &self.options.manner);
        if excerpt.is_empty() {
            self.sentence("the explanation does not need the part that --start names");
            self.page.gap();
            return excerpt;
        }
        let notes = Notes::new(telling, &excerpt, &self.options.manner, self.options.full);
        let strands = strands(telling.evidence);
        let mut groups = groups(&strands);
        if backward {
            self.regions(telling, &excerpt);
            groups.reverse();
        }
        let several = groups.len() > 1;
        let mut hidden = 0;
        for group in groups {
            let strand = group[0];
            let branch = strand.from.is_some() || !std::ptr::eq(strand, &strands[0]);
            if !branch && backward && several {
                self.page.gap();
                self.page.line(&Ink::new(Role::Strong, "  main run:"));
            }
            if branch && strand.only_goes_on() && !self.options.full {
                let shown = strand.from.is_some_and(|from| excerpt.shows(from));
                if shown && !strands[0].shows_that_goes_on(strand) {
                    self.folded(telling, strand);
                }
                continue;
            }
            if !self.group(telling, &group, branch, &excerpt, &notes) {
                hidden += 1;
            }
        }
        if let Some(claim) = excerpt.stopped {
            self.dim(&format!(
                "why {} is not shown: --stop",
                telling.claim(claim)
            ));
        }
        if hidden > 0 {
            let runs = if hidden == 1 { "run is" } else { "runs are" };
            self.dim(&format!("{hidden} {runs} not shown: {}", self.limits()));
        }
        if !backward {
            self.regions(telling, &excerpt);
        }
        self.page.gap();
        excerpt
    }

    /// Prints a run or a fan as far as it is told; whether there is anything to tell.
    fn group(
        &mut self,
        telling: &Telling<'_>,
        group: &[&Strand<'_>],
        branch: bool,
        excerpt: &Excerpt,
        notes: &Notes,
    ) -> bool {
        let trimmed: Vec<Trimmed<'_>> = group.iter().filter_map(|s| excerpt.trim(s)).collect();
        let Some(first) = trimmed.first() else {
            return false;
        };
        if branch {
            self.page.gap();
            self.branch_heading(telling, group[0]);
        }
        let choice = Choice {
            full: self.options.full,
            vars: self.options.vars,
        };
        let backward = self.options.manner.backward;
        let told = if group[0].fan {
            let fan: Vec<&Strand<'_>> = trimmed.iter().map(|trimmed| &trimmed.strand).collect();
            told::fan_rows(telling, &fan, notes, choice)
        } else {
            told::rows(telling, &first.strand, notes, choice, backward)
        };
        let (mut before, mut after) = (
            not_shown(first.before, "before", self.options.manner.start.is_some()),
            not_shown(first.after, "after", self.options.manner.stop.is_none()),
        );
        if backward {
            std::mem::swap(&mut before, &mut after);
        }
        before.iter().for_each(|text| self.dim(text));
        self.rows(told, backward && !group[0].fan);
        after.iter().for_each(|text| self.dim(text));
        self.never_occurs(telling, &first.strand);
        true
    }

    fn rows(&mut self, told: Vec<Told>, backward: bool) {
        match self.options.manner.view {
            View::Trace if backward => {
                sheet::print_backward(&mut self.page, &told::flat(told), self.signs);
            }
            View::Trace => sheet::print(&mut self.page, &told::flat(told), self.signs),
            View::States => blocks::print(&mut self.page, &told, self.signs, true),
            View::Proof => blocks::print(&mut self.page, &told, self.signs, false),
        }
    }

    fn regions(&mut self, telling: &Telling<'_>, excerpt: &Excerpt) {
        for (id, region) in telling.evidence.regions.entries() {
            if excerpt.shows_region(id) {
                self.page.gap();
                self.region(telling, region);
            }
        }
        if self.options.manner.backward {
            self.page.gap();
        }
    }

    /// The options that limit what is told.
    fn limits(&self) -> &'static str {
        let manner = &self.options.manner;
        match (manner.start.is_some(), manner.stop.is_some()) {
            (true, true) => "--start and --stop",
            (false, _) => "--stop",
            (true, false) => "--start",
        }
    }

    fn dim(&mut self, text: &str) {
        self.page
            .paragraph(Ink::plain(" "), &Ink::new(Role::Dim, text), 4);
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
        let full = self.options.full;
        let mut told: Vec<String> = Vec::new();
        for state in states {
            let mut text = self.report.state_text(state, full);
            if let Some(process) = self.report.ran(state).filter(|_| !full) {
                text.push_str(&format!(" ({process} ran last)"));
            }
            if !full {
                // States that differ in what is not shown are one.
                if told.contains(&text) {
                    continue;
                }
                told.push(text.clone());
            }
            self.page
                .paragraph(Ink::plain("      state"), &Ink::new(Role::Dim, text), 8);
        }
    }

    fn warnings(&mut self) {
        let space = self.report.space.iter().flat_map(|space| &space.notes);
        let mut notes: Vec<&Note> = space.collect();
        for finding in self.report.findings {
            let said = |note: &&Note| matches!(note, Note::Said(_));
            notes.extend(finding.notes.iter().filter(|note| !said(note)));
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
        let all = self.options.all || self.options.manner.is_special();
        let hints = hints(&self.report, self.options.full, all);
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

/// "2 steps before are not shown: --start".
fn not_shown(steps: usize, place: &str, by_start: bool) -> Option<String> {
    let option = if by_start { "--start" } else { "--stop" };
    match steps {
        0 => None,
        1 => Some(format!("1 step {place} is not shown: {option}")),
        n => Some(format!("{n} steps {place} are not shown: {option}")),
    }
}

/// The occurrences a decision speaks about.
fn decided_at(choice: &Decided) -> impl Iterator<Item = OccurrenceId> {
    let (first, second) = match choice {
        Decided::Fated(at) => (Some(*at), None),
        Decided::Lost { from, to, .. } => (Some(*from), Some(*to)),
        Decided::StillFree => (None, None),
    };
    first.into_iter().chain(second)
}
