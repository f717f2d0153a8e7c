//! The screen: counts first, then what fails and why, then the rest in a line each.

use wherefore_evidence::{Claim, Finding, Replay, UnknownReason, Verdict};
use wherefore_logic::Class;

use super::rows::{Row, fan, rows};
use super::{Report, Telling};
use crate::hints::{file_stem, quoted};
use crate::layout::{Ink, Page, Role, flow, wrap};
use crate::phrases::{badges, shape_text};
use crate::sheet::Signs;
use crate::strands::{groups, strands};
use crate::table::Mark;
use crate::text::Options;
use crate::words::{clean, count};

/// Everything there is to say about one system. Of the options, those about variables, parts and views
/// have no meaning here.
pub fn render(report: &Report<'_>, options: &Options<'_>) -> String {
    let mut screen = Screen {
        report: *report,
        options: *options,
        signs: Signs::new(options.ascii),
        page: Page::new(options.width, options.color),
    };
    screen.header();
    for is in [
        (|v| *v == Verdict::Fails) as fn(&Verdict) -> bool,
        |v| matches!(v, Verdict::Unknown(_)),
        |v| *v == Verdict::Holds,
    ] {
        screen.page.gap();
        for finding in report.findings.iter().filter(|f| is(&f.verdict)) {
            screen.finding(finding);
        }
    }
    if options.hints {
        screen.hints();
    }
    screen.page.finish()
}

/// Columns of the margin with the bracket, before the number of the step.
const MARGIN: usize = 4;
/// The narrowest column for remarks; otherwise they stand under the row.
const NARROW: usize = 24;

struct Screen<'a> {
    report: Report<'a>,
    options: Options<'a>,
    signs: Signs,
    page: Page,
}

impl<'a> Screen<'a> {
    fn header(&mut self) {
        let counts = self.report.counts();
        let total = match self.report.findings.len() {
            1 => "1 property".to_string(),
            n => format!("{n} properties"),
        };
        let path = Ink::new(Role::Strong, clean(self.report.path));
        let mut items = vec![path.then(Role::Plain, format!("  {total}"))];
        let parts = [
            (counts.hold, Role::Good, ["holds", "hold"]),
            (counts.fail, Role::Bad, ["FAILS", "FAIL"]),
            (counts.undecided, Role::Warn, ["undecided", "undecided"]),
        ];
        for (n, role, [one, many]) in parts.into_iter().filter(|(n, ..)| *n > 0) {
            let word = if n == 1 { one } else { many };
            items.push(Ink::new(role, format!("{n} {word}")));
        }
        for line in flow(&items, "   ", self.page.width, self.signs.cut) {
            self.page.line(&line);
        }
        let lts = self.report.lts;
        let mut facts = vec![
            count(lts.states(), "state"),
            count(lts.transitions(), "transition"),
            count(lts.labels().len(), "label"),
        ];
        facts.extend(self.report.seconds.map(|seconds| format!("{seconds:.2} s")));
        let facts = Ink::new(Role::Dim, facts.join(", "));
        self.page.paragraph(Ink::default(), &facts, 2);
    }

    fn finding(&mut self, finding: &'a Finding) {
        match &finding.verdict {
            Verdict::Fails => {
                self.page.gap();
                self.verdict(Role::Bad, "FAILS", finding);
                self.evidence(finding);
            }
            Verdict::Unknown(reason) => {
                self.verdict(Role::Warn, "UNDECIDED", finding);
                match reason {
                    UnknownReason::Stopped(stop) => self.sentence(&stop.to_string()),
                    UnknownReason::Unsupported(why) => self.sentence(&clean(why)),
                }
            }
            Verdict::Holds => {
                self.verdict(Role::Good, "HOLDS", finding);
                match &finding.evidence {
                    Some(_) if self.options.all => {
                        self.evidence(finding);
                        self.page.gap();
                    }
                    Some(evidence) if finding.class == Some(Class::Existential) => {
                        self.sentence(&format!("witness: {}", shape_text(evidence)));
                    }
                    _ => {}
                }
            }
        }
    }

    /// `FAILS  served (machine.mcl, line 3):  [ true* . REQ ] ...`
    fn verdict(&mut self, role: Role, word: &str, finding: &Finding) {
        let property = self.report.property(finding);
        let head = Ink::new(role, word)
            .then(Role::Plain, "  ")
            .then(Role::Strong, self.report.title(property))
            .then(Role::Plain, ": ");
        let text = Ink::plain(clean(&property.text));
        self.page.paragraph(head, &text, word.len() + 2);
    }

    fn sentence(&mut self, text: &str) {
        self.page.paragraph(Ink::plain(" "), &Ink::plain(text), 4);
    }

    fn evidence(&mut self, finding: &'a Finding) {
        let Some(evidence) = &finding.evidence else {
            self.sentence("no evidence was built before the work had to stop");
            return;
        };
        let Some(telling) = Telling::of(self.report, finding) else {
            if let Replay::Failed(why) = &evidence.replay {
                let why = clean(why);
                self.sentence(&format!(
                    "the evidence found for this verdict is wrong and not shown: {why}"
                ));
            }
            return;
        };
        let because = Ink::plain(telling.because());
        self.page
            .paragraph(Ink::new(Role::Strong, "  because"), &because, 4);
        let mut items = vec![Ink::plain(format!("  witness: {}", shape_text(evidence)))];
        items.extend(
            badges(evidence)
                .iter()
                .map(|badge| Ink::new(Role::Dim, badge)),
        );
        for (at, line) in flow(&items, "  ", self.page.width - 4, self.signs.cut)
            .into_iter()
            .enumerate()
        {
            let mut indented = Ink::plain(if at == 0 { "" } else { "    " });
            indented.append(line);
            self.page.line(&indented);
        }
        self.page.gap();
        let strands = strands(evidence);
        for group in groups(&strands) {
            let strand = group[0];
            if !std::ptr::eq(strand, &strands[0]) {
                let place = strand.from.map_or(0, |from| from.index());
                let (what, claim) = match (strand.fan, strand.serves) {
                    (true, _) => ("every step from", String::new()),
                    (false, Claim::Formula(goal, _)) => ("branch at", telling.goal_text(goal)),
                    (false, Claim::HasPath) => ("branch at", String::new()),
                };
                self.page.gap();
                let head = Ink::new(Role::Strong, format!("  {what} step {place}:"));
                self.page.paragraph(head, &Ink::plain(claim), 4);
            }
            match strand.fan {
                true => self.table(&fan(&telling, &group)),
                false => self.table(&rows(&telling, strand)),
            }
        }
        for region in evidence.regions.iter() {
            self.page.gap();
            let head = format!("  region at step {}:", region.at.index());
            let text = Ink::plain(telling.region(region));
            self.page.paragraph(Ink::new(Role::Strong, head), &text, 4);
        }
        self.page.gap();
    }

    fn table(&mut self, rows: &[Row]) {
        let widest = |widths: &mut dyn Iterator<Item = usize>| widths.max().unwrap_or(0);
        let number = |n: usize| n.to_string().len();
        let step = widest(&mut rows.iter().map(|row| number(row.step.index()))).max(4);
        let actions = widest(&mut rows.iter().map(|row| row.action.chars().count()));
        let action = actions.clamp(6, (self.page.width * 2 / 5).max(6));
        let state = widest(&mut rows.iter().map(|row| number(row.state))).max(5);
        let left = MARGIN + step + 2 + action + 2 + state + 2;
        let beside = self.page.width.saturating_sub(left);
        let under = beside < NARROW;
        let said = rows.iter().any(|row| !row.why.is_empty());
        let mut head = Ink::plain(" ".repeat(MARGIN));
        head.append(Ink::new(
            Role::Dim,
            format!(
                "{:>step$}  {:action$}  {:>state$}",
                "step", "action", "state"
            ),
        ));
        if said && !under {
            head.append(Ink::new(Role::Dim, "  why this step matters"));
        }
        self.page.line(&head.cut(self.page.width, self.signs.cut));
        for row in rows {
            let actions = wrap(&Ink::plain(row.action.as_str()), action);
            let room = if under {
                self.page.width - MARGIN
            } else {
                beside
            };
            let why = wrap(&Ink::plain(row.why.join("; ")), room.max(1));
            let beside = if under { 0 } else { why.len() };
            let height = actions.len().max(beside).max(1);
            let below = if under { why.len() } else { 0 };
            for at in 0..height + below {
                let mut line = self.margin(row.mark, at, height + below);
                if at >= height {
                    line.append(why[at - height].clone());
                    self.page.line(&line);
                    continue;
                }
                let (step_text, state_text) = match at {
                    0 => (row.step.index().to_string(), row.state.to_string()),
                    _ => (String::new(), String::new()),
                };
                line.append(Ink::plain(format!("{step_text:>step$}  ")));
                line.append(actions.get(at).cloned().unwrap_or_default());
                line.pad(MARGIN + step + 2 + action + 2);
                line.append(Ink::plain(format!("{state_text:>state$}  ")));
                if let Some(text) = why.get(at).filter(|_| !under) {
                    line.append(text.clone());
                }
                self.page.line(&line);
            }
        }
    }

    /// The bracket of a loop.
    fn margin(&self, mark: Mark, at: usize, height: usize) -> Ink {
        let sign = match mark {
            Mark::None => " ",
            Mark::Top if at == 0 => self.signs.top,
            Mark::Bottom if at + 1 == height => self.signs.bottom,
            _ => self.signs.side,
        };
        let role = match mark {
            Mark::None => Role::Plain,
            _ => Role::Warn,
        };
        let mut line = Ink::plain("  ").then(role, sign);
        line.pad(MARGIN);
        line
    }

    /// How to draw the first failure.
    fn hints(&mut self) {
        let fails =
            |finding: &&Finding| finding.verdict == Verdict::Fails && finding.evidence.is_some();
        let Some(finding) = self.report.findings.iter().find(fails) else {
            return;
        };
        let property = self.report.property(finding);
        let mut words = vec![self.report.path];
        let select = match property.span {
            Some(span) => {
                words.push(self.report.sources.file(span.file).name());
                format!("-p {}", quoted(&property.name))
            }
            None => format!("-e {}", quoted(&property.text)),
        };
        // A name that cannot be printed as it is cannot be copied into a command either.
        let plain = |text: &&str| clean(text) == **text;
        if !words
            .iter()
            .chain([&property.text.as_str(), &property.name.as_str()])
            .all(plain)
        {
            return;
        }
        let files: Vec<String> = words.into_iter().map(quoted).collect();
        let command = format!(
            "wherefore check {} {select} --dot {}.dot",
            files.join(" "),
            file_stem(&property.name)
        );
        self.page.gap();
        self.page.line(&Ink::plain("Try:"));
        self.page
            .line(&Ink::plain(format!("  {command}")).then(Role::Dim, "  draw it"));
    }
}
