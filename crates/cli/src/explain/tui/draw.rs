//! The explorer on the screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style as Look};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Paragraph};
use wherefore_driver::evidence::Claim;
use wherefore_driver::explain::Tactic;
use wherefore_driver::logic::SubId;
use wherefore_driver::view::explain::{ExplainedNode, Explainer};
use wherefore_driver::view::explore::Style;
use wherefore_driver::view::{Ink, VariableRole};

use super::app::{App, Entry, Mode, Pane};

/// Screens with fewer columns or lines show one pane only.
const NARROW: u16 = 40;
const LOW: u16 = 10;

/// What `?` shows.
const HELP: [&str; 22] = [
    "up, down, j, k   move",
    "tab              to the other pane",
    "right, enter     show the selected obligation; unfold a branch",
    "1 to 9           show it that way",
    "left             make an obligation of it again; fold a branch",
    "n                show it another way",
    "u                undo",
    "x                show everything that is left",
    "y                why it holds, if it does",
    "s                pick a strategy",
    "a                avoid this state, and start anew",
    "b                read backward",
    "d                all values, or changes only",
    "/                show only some variables",
    "e                value of an expression at this step",
    "w                write evidence and choices",
    "esc, ctrl-c      cancel what is being done",
    "q                quit",
    "",
    "+ is true at the selected step, - is false;",
    "> is the sub-formula of the selected claim",
    "any key closes this",
];

impl App {
    /// Draws everything.
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if area.width < NARROW || area.height < LOW {
            match self.pane {
                Pane::Run => self.draw_run(frame, area),
                Pane::Claims => self.draw_claims(frame, area),
            }
        } else {
            let [title, body, status, keys] = Layout::vertical([
                Constraint::Length(1),
                Constraint::Min(1),
                Constraint::Length(1),
                Constraint::Length(1),
            ])
            .areas(area);
            let claims = (self.claim_lines(area.width).0.len() as u16 + 1).max(4);
            let claims = claims.min(body.height / 2);
            let [above, below] =
                Layout::vertical([Constraint::Min(1), Constraint::Length(claims)]).areas(body);
            let left = (area.width * 2 / 5).min(self.widest_formula() + 1);
            let [left, right] =
                Layout::horizontal([Constraint::Length(left), Constraint::Min(1)]).areas(above);
            self.draw_title(frame, title);
            self.draw_formula(frame, left);
            self.draw_run(frame, right);
            self.draw_claims(frame, below);
            self.draw_status(frame, status);
            self.draw_keys(frame, keys);
        }
        match self.mode.clone() {
            Mode::Normal => {}
            Mode::Help => popup(frame, "keys", HELP.map(String::from).to_vec()),
            Mode::Reason(why) => {
                let explainer = self.explainer(area.width.saturating_sub(4));
                let lines = explainer.why(&why).iter().map(Ink::text).collect();
                popup(frame, "reason", lines);
            }
            Mode::Menu(at) => {
                let names = Tactic::NAMES.iter().enumerate();
                let lines = names.map(|(number, name)| match number == at {
                    true => format!("> {name}"),
                    false => format!("  {name}"),
                });
                popup(frame, "strategy", lines.collect());
            }
            Mode::Prompt(purpose, text) => {
                let bottom = Rect {
                    y: area.y + area.height.saturating_sub(1),
                    height: area.height.min(1),
                    ..area
                };
                let line = format!("{}{text}_", purpose.label());
                let hidden = line.chars().count().saturating_sub(usize::from(area.width));
                let line: String = line.chars().skip(hidden).collect();
                frame.render_widget(Clear, bottom);
                frame.render_widget(Paragraph::new(line), bottom);
            }
        }
    }

    fn explainer(&self, width: u16) -> Explainer<'_> {
        let style = Style {
            width: usize::from(width).max(20),
            ..self.style
        };
        self.backdrop.explainer(&self.scene, style)
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect) {
        let property = &self.backdrop.model().properties[self.backdrop.property];
        let title = self.explainer(u16::MAX).heading(property, self.scene.holds);
        let lines = title.into_iter().take(1);
        let lines = lines.map(|ink| self.line(&ink.cut(area.width.into(), "..")));
        frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
    }

    /// The sub-formula of the selected claim.
    fn focus(&self) -> Option<SubId> {
        let claim = match self.entry()? {
            Entry::Open(open) => open.claim,
            Entry::Shown(node) => self.scene.evidence.proof[node].claim,
        };
        match claim {
            Claim::Formula(goal, _) => Some(goal.sub),
            Claim::HasPath => None,
        }
    }

    fn widest_formula(&self) -> u16 {
        let lines = self.explainer(u16::MAX).formula(self.step, None);
        let widest = lines.iter().map(Ink::len).max().unwrap_or(0);
        u16::try_from(widest.max(18)).unwrap_or(u16::MAX - 1)
    }

    fn draw_formula(&self, frame: &mut Frame<'_>, area: Rect) {
        let width = area.width.saturating_sub(1);
        let mut lines = vec![self.head(&format!("formula at step {}", self.step.index()), false)];
        let formula = self.explainer(width).formula(self.step, self.focus());
        let focus = formula.iter().position(|ink| starts_with(ink, ">"));
        let room = usize::from(area.height.saturating_sub(1)).max(1);
        let top = focus.map_or(0, |focus| (focus + 1).saturating_sub(room));
        lines.extend(formula.iter().skip(top).map(|ink| self.line(ink)));
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn draw_run(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let width = area.width.saturating_sub(2);
        let width = usize::from(width).max(20);
        if self.run.as_ref().is_none_or(|(known, _)| *known != width) {
            let filter = |name: &str| {
                let filter = self.filter.as_ref();
                filter.is_none_or(|filter| filter.is_match(name))
            };
            let style = Style {
                width,
                ..self.style
            };
            let explainer = Explainer {
                full: self.full,
                backward: self.backward,
                vars: self.filter.as_ref().map(|_| &filter as _),
                ..self.backdrop.explainer(&self.scene, style)
            };
            let lines = explainer.run(&|branch| self.unfolded.contains(&branch));
            self.run = Some((width, lines));
        }
        let (_, run) = self.run.as_ref().expect("it was just made");
        let first = run.iter().position(|line| line.about == self.spot);
        let height = usize::from(area.height.saturating_sub(1)).max(1);
        let chosen = first.map(|first| {
            let block = run[first..].iter();
            (
                first,
                block.take_while(|line| line.about == self.spot).count(),
            )
        });
        let mut top = self.run_top.min(run.len().saturating_sub(1));
        if let Some((first, len)) = chosen {
            top = top.max((first + len).saturating_sub(height)).min(first);
        }
        let mut lines = vec![self.head("run", self.pane == Pane::Run)];
        for (at, line) in run.iter().enumerate().skip(top).take(height) {
            let here = line.about == self.spot && line.about != ExplainedNode::Nothing;
            let gutter = match (here, Some(at) == first) {
                (true, true) => "> ",
                _ => "  ",
            };
            let mut ink = Ink::new(VariableRole::Strong, gutter);
            ink.append(line.ink.clone());
            let selected = here && self.pane == Pane::Run;
            lines.push(self.selected(&ink, selected));
        }
        self.run_top = top;
        frame.render_widget(Paragraph::new(lines), area);
    }

    /// The lines of the claims, and where the selected one is.
    fn claim_lines(&self, width: u16) -> (Vec<Ink>, usize) {
        let explainer = self.explainer(width);
        let (mut lines, mut selected) = (Vec::new(), 0);
        for (at, entry) in self.entries().into_iter().enumerate() {
            let (sign, text) = match entry {
                Entry::Open(open) => ("?", explainer.claim(open.claim, open.at, open.rank)),
                Entry::Shown(node) => ("=", explainer.node(node)),
            };
            let chosen = at == self.cursor;
            let pointer = if chosen { "> " } else { "  " };
            let head = format!("{pointer}{sign} ");
            if chosen {
                selected = lines.len();
            }
            match chosen {
                true => lines.extend(explainer.item(&head, &text)),
                false => {
                    let line = Ink::new(VariableRole::Strong, head).then(VariableRole::Plain, text);
                    lines.push(line.cut(width.into(), self.cut()));
                }
            }
            if let (true, Entry::Open(open)) = (chosen, entry) {
                lines.extend(self.way_lines(&explainer, open.number, width));
            }
        }
        if lines.is_empty() {
            lines.push(Ink::plain("  nothing is claimed at this step"));
        }
        (lines, selected)
    }

    fn way_lines(
        &self,
        explainer: &Explainer<'_>,
        leaf: wherefore_driver::evidence::ProofId,
        width: u16,
    ) -> Vec<Ink> {
        let Some((_, offers)) = self.offers.as_ref().filter(|(known, _)| *known == leaf) else {
            return vec![Ink::new(VariableRole::Dim, "      looking for ways")];
        };
        let node = self.scene.find(leaf);
        let at = node.map_or(self.step, |node| self.scene.evidence.proof[node].at);
        let ways = offers.iter().enumerate().map(|(number, offer)| {
            let key = match number {
                0..9 => (number + 1).to_string(),
                _ => " ".to_string(),
            };
            let planned = match offer.way.planned && offers.len() > 1 {
                true => " (planned)",
                false => "",
            };
            let text = explainer.way(at, &offer.way, offer.outlook);
            Ink::new(VariableRole::Strong, format!("      {key} "))
                .then(VariableRole::Plain, text)
                .then(VariableRole::Dim, planned)
                .cut(width.into(), self.cut())
        });
        ways.collect()
    }

    fn draw_claims(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let (claims, selected) = self.claim_lines(area.width);
        let height = usize::from(area.height.saturating_sub(1)).max(1);
        let ways = claims[selected..].iter().skip(1);
        let ways = ways.take_while(|ink| starts_with(ink, "    ")).count();
        let wanted = selected + (ways + 1).min(height);
        let top = self.claims_top.min(claims.len().saturating_sub(1));
        let top = top.max(wanted.saturating_sub(height)).min(selected);
        self.claims_top = top;
        let open = match self.scene.open.len() {
            0 => "everything is shown".to_string(),
            1 => "1 obligation open".to_string(),
            n => format!("{n} obligations open"),
        };
        let title = format!("claims ({open})");
        let mut lines = vec![self.head(&title, self.pane == Pane::Claims)];
        for (at, ink) in claims.iter().enumerate().skip(top).take(height) {
            let selected = at == selected && self.pane == Pane::Claims;
            lines.push(self.selected(ink, selected));
        }
        frame.render_widget(Paragraph::new(lines), area);
    }

    fn draw_status(&self, frame: &mut Frame<'_>, area: Rect) {
        let badge = self.explainer(area.width).badge(self.scene.open.len());
        let engine = self.backdrop.summary.engine;
        let status = format!("{badge}  [{engine}]  [{}]", self.scene.tactic);
        let line = Ink::new(VariableRole::Dim, status).cut(area.width.into(), self.cut());
        frame.render_widget(Paragraph::new(self.line(&line)), area);
    }

    /// The last line: what is being done, what was said last, or the keys.
    fn draw_keys(&self, frame: &mut Frame<'_>, area: Rect) {
        let keys = match self.style.ascii {
            true => {
                "right expand  left collapse  n next  x all  u undo  s strategy  ? help  q quit"
            }
            false => "→ expand  ← collapse  n next  x all  u undo  s strategy  ? help  q quit",
        };
        let line = match (self.busy, &self.message) {
            (_, Some(message)) => Ink::new(VariableRole::Warn, message),
            (Some(busy), None) => {
                let done = self.progress.as_ref().filter(|progress| progress.done > 0);
                let done = done.map(|progress| format!(", {} {}", progress.phase, progress.done));
                let done = done.unwrap_or_default();
                Ink::new(VariableRole::Warn, format!("{busy}{done}; Esc cancels"))
            }
            (None, None) => Ink::new(VariableRole::Dim, keys),
        };
        let line = line.cut(area.width.into(), self.cut());
        frame.render_widget(Paragraph::new(self.line(&line)), area);
    }

    fn cut(&self) -> &'static str {
        match self.style.ascii {
            true => "..",
            false => "…",
        }
    }

    /// The title of a pane; a star says that keys move in it.
    fn head(&self, title: &str, active: bool) -> Line<'static> {
        let star = if active { "*" } else { " " };
        let look = Look::new().add_modifier(Modifier::UNDERLINED);
        Line::from(Span::styled(format!("{star}{title}"), look))
    }

    fn selected(&self, ink: &Ink, selected: bool) -> Line<'static> {
        let line = self.line(ink);
        match selected {
            true => line.style(Look::new().add_modifier(Modifier::REVERSED)),
            false => line,
        }
    }

    fn line(&self, ink: &Ink) -> Line<'static> {
        let spans = ink.pieces().iter();
        let spans = spans.map(|(role, text)| {
            let text = text.clone();
            Span::styled(text, look(*role, self.style.color))
        });
        Line::from(spans.collect::<Vec<_>>())
    }
}

fn look(role: VariableRole, color: bool) -> Look {
    let look = Look::new();
    let tinted = |tint: Color| match color {
        true => look.fg(tint).add_modifier(Modifier::BOLD),
        false => look.add_modifier(Modifier::BOLD),
    };
    match role {
        VariableRole::Plain => look,
        VariableRole::Strong => look.add_modifier(Modifier::BOLD),
        VariableRole::Good => tinted(Color::Green),
        VariableRole::Bad => tinted(Color::Red),
        VariableRole::Warn => tinted(Color::Yellow),
        VariableRole::Dim => look.add_modifier(Modifier::DIM),
    }
}

fn starts_with(ink: &Ink, start: &str) -> bool {
    let first = ink.pieces().first();
    first.is_some_and(|(_, text)| text.starts_with(start))
}

/// Lines in the middle of the screen, over everything else.
fn popup(frame: &mut Frame<'_>, title: &str, lines: Vec<String>) {
    let area = frame.area();
    let widest = lines.iter().map(|line| line.chars().count()).max();
    let width = u16::try_from(widest.unwrap_or(0) + 4).unwrap_or(u16::MAX);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let (width, height) = (width.min(area.width), height.min(area.height));
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let rule = "-".repeat(usize::from(width).saturating_sub(title.len() + 4));
    let mut text = vec![Line::from(format!("- {title} {rule}"))];
    text.extend(
        lines
            .into_iter()
            .map(|line| Line::from(format!("  {line}"))),
    );
    text.push(Line::from("-".repeat(width.into())));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(text), place);
}
