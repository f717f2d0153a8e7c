//! Ink on a page: text with roles, wrapped to a width, in colour or not.
//!
//! Roles carry colour only; whatever a colour says is said by a word or a sign as well.

use anstyle::{AnsiColor, Style};

/// What a piece of text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableRole {
    /// Nothing in particular.
    Plain,
    /// What the eye should find first.
    Strong,
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// To be noticed.
    Warn,
    /// To be read last.
    Dim,
}

impl VariableRole {
    fn style(self) -> Style {
        match self {
            VariableRole::Plain => Style::new(),
            VariableRole::Strong => Style::new().bold(),
            VariableRole::Good => AnsiColor::Green.on_default().bold(),
            VariableRole::Bad => AnsiColor::Red.on_default().bold(),
            VariableRole::Warn => AnsiColor::Yellow.on_default().bold(),
            VariableRole::Dim => Style::new().dimmed(),
        }
    }
}

/// A stretch of text with roles, on one line.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Ink {
    pieces: Vec<(VariableRole, String)>,
}

impl Ink {
    /// The stretches of text in order, each with its role.
    pub fn pieces(&self) -> &[(VariableRole, String)] {
        &self.pieces
    }

    /// The text without its roles.
    pub fn text(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Text with a role.
    pub fn new(role: VariableRole, text: impl Into<String>) -> Self {
        let text = text.into();
        let pieces = if text.is_empty() {
            vec![]
        } else {
            vec![(role, text)]
        };
        Self { pieces }
    }

    /// Text without any role.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(VariableRole::Plain, text)
    }

    /// Appends text with a role.
    #[must_use]
    pub fn then(mut self, role: VariableRole, text: impl Into<String>) -> Self {
        self.append(Ink::new(role, text));
        self
    }

    /// Appends other ink.
    pub fn append(&mut self, other: Ink) {
        for (role, text) in other.pieces {
            match self.pieces.last_mut() {
                Some((last, end)) if *last == role => end.push_str(&text),
                _ => self.pieces.push((role, text)),
            }
        }
    }

    /// A space that continues whatever role comes next.
    fn space_before(next: &Ink) -> Ink {
        let role = next
            .pieces
            .first()
            .map_or(VariableRole::Plain, |(role, _)| *role);
        Ink::new(role, " ")
    }

    /// Appends spaces up to a width.
    pub(crate) fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.len());
        self.append(Ink::plain(" ".repeat(missing)));
    }

    /// How many columns it takes.
    pub fn len(&self) -> usize {
        self.pieces
            .iter()
            .map(|(_, text)| text.chars().count())
            .sum()
    }

    /// Whether nothing of it can be seen.
    fn is_blank(&self) -> bool {
        let mut pieces = self.pieces.iter();
        pieces.all(|(_, text)| text.trim_end_matches(' ').is_empty())
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The words in it, without the space between them. A quotation is one word if it is short and
    /// fits the width.
    fn words(&self, width: usize) -> Vec<Ink> {
        let mut words = vec![Ink::default()];
        for (role, text) in &self.pieces {
            let mut start = 0;
            for end in breaks(text, width.min(SHORT_QUOTATION)) {
                words
                    .last_mut()
                    .expect("there is a word")
                    .append(Ink::new(*role, &text[start..end]));
                words.push(Ink::default());
                start = end + 1;
            }
            words
                .last_mut()
                .expect("there is a word")
                .append(Ink::new(*role, &text[start..]));
        }
        words.retain(|word| !word.is_empty());
        words
    }

    /// The first `width` columns, and the rest.
    fn split(self, width: usize) -> (Ink, Ink) {
        let (mut head, mut tail, mut left) = (Ink::default(), Ink::default(), width);
        for (role, text) in self.pieces {
            let cut = text
                .char_indices()
                .nth(left)
                .map_or(text.len(), |(at, _)| at);
            left -= text[..cut].chars().count();
            head.append(Ink::new(role, &text[..cut]));
            tail.append(Ink::new(role, &text[cut..]));
        }
        (head, tail)
    }

    /// At most `width` columns; what is cut off leaves the sign.
    pub fn cut(self, width: usize, sign: &str) -> Ink {
        if self.len() <= width {
            return self;
        }
        let sign_width = sign.chars().count();
        if width <= sign_width {
            return Ink::plain(sign).split(width).0;
        }
        self.split(width - sign_width)
            .0
            .then(VariableRole::Dim, sign)
    }
}

/// A quotation up to this width is never broken.
const SHORT_QUOTATION: usize = 36;

/// The offsets of the spaces where a text may be broken: not within a short quotation.
fn breaks(text: &str, short: usize) -> Vec<usize> {
    let mut breaks = Vec::new();
    let mut start = 0;
    for (number, part) in text.split('`').enumerate() {
        let quotation = number % 2 == 1;
        if !quotation || part.len() + 2 > short {
            breaks.extend(part.match_indices(' ').map(|(at, _)| start + at));
        }
        start += part.len() + 1;
    }
    breaks
}

/// Puts items on as few lines as fit, in order. An item wider than a line goes on in the next ones;
/// only a word wider than a line is cut.
pub(crate) fn flow(items: &[Ink], gap: &str, width: usize, sign: &str) -> Vec<Ink> {
    let mut lines: Vec<Ink> = Vec::new();
    for item in items {
        if let Some(line) = lines.last_mut()
            && line.len() + gap.len() + item.len() <= width
        {
            line.append(Ink::plain(gap));
            line.append(item.clone());
            continue;
        }
        if item.len() <= width {
            lines.push(item.clone());
            continue;
        }
        let mut line = Ink::default();
        for word in item.words(width) {
            if !line.is_empty() && line.len() + 1 + word.len() > width {
                lines.push(std::mem::take(&mut line).cut(width, sign));
                line = Ink::plain(" ");
            }
            if !line.is_empty() {
                line.append(Ink::space_before(&word));
            }
            line.append(word);
        }
        lines.push(line.cut(width, sign));
    }
    lines
}

/// Breaks ink into lines at its spaces. A word wider than a line is broken.
pub(crate) fn wrap(ink: &Ink, width: usize) -> Vec<Ink> {
    let width = width.max(1);
    let mut lines: Vec<Ink> = Vec::new();
    for mut word in ink.words(width) {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.append(Ink::space_before(&word));
                line.append(word);
            }
            _ => {
                while word.len() > width {
                    let (head, tail) = word.split(width);
                    lines.push(head);
                    word = tail;
                }
                lines.push(word);
            }
        }
    }
    lines
}

/// The signs a table is drawn with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs {
    pub(crate) arrow: &'static str,
    pub(crate) top: &'static str,
    pub(crate) side: &'static str,
    pub(crate) bottom: &'static str,
    pub(crate) cut: &'static str,
    pub(crate) dot: &'static str,
    pub(crate) down: &'static str,
}

impl Signs {
    /// Plain letters, or signs of Unicode.
    pub(crate) fn new(ascii: bool) -> Self {
        if ascii {
            Self {
                arrow: "->",
                top: ".",
                side: "|",
                bottom: "'",
                cut: "...",
                dot: "*",
                down: "v ",
            }
        } else {
            Self {
                arrow: "→",
                top: "┌",
                side: "│",
                bottom: "└",
                cut: "…",
                dot: "•",
                down: "↓ ",
            }
        }
    }

    /// The ink with arrows and dots as these signs have them.
    pub(crate) fn adapt(self, ink: &Ink) -> Ink {
        let mut adapted = Ink::default();
        for (role, text) in &ink.pieces {
            let text = text
                .replace('→', self.arrow)
                .replace('…', self.cut)
                .replace('•', self.dot);
            adapted.append(Ink::new(*role, text));
        }
        adapted
    }
}

/// Lines of ink on their way to a string.
#[derive(Debug)]
pub(crate) struct TextLines {
    lines: Vec<Ink>,
    color: bool,
    /// How many columns there are.
    pub(crate) width: usize,
}

impl TextLines {
    /// An empty page.
    pub(crate) fn new(width: usize, color: bool) -> Self {
        Self {
            lines: Vec::new(),
            color,
            width: width.max(20),
        }
    }

    /// A line as it is.
    pub(crate) fn line(&mut self, ink: &Ink) {
        self.lines.push(ink.clone());
    }

    /// An empty line, unless there is one already or the page is empty.
    pub(crate) fn gap(&mut self) {
        if self.lines.last().is_some_and(|line| !line.is_blank()) {
            self.lines.push(Ink::default());
        }
    }

    /// A head and then text that wraps; its further lines are indented by `hang`.
    pub(crate) fn paragraph(&mut self, head: Ink, body: &Ink, hang: usize) {
        let mut words = body.words(self.width);
        let mut line = head;
        if line.len() > self.width {
            words.splice(0..0, std::mem::take(&mut line).words(self.width));
        }
        let mut fresh = line.is_empty();
        for word in words {
            let gap = usize::from(!fresh);
            if line.len() + gap + word.len() > self.width && !fresh {
                self.line(&line);
                line = Ink::plain(" ".repeat(hang));
                fresh = true;
            }
            if !fresh {
                line.append(Ink::space_before(&word));
            }
            let mut word = word;
            while line.len() + word.len() > self.width && line.len() < self.width {
                let (head, tail) = word.split(self.width - line.len());
                line.append(head);
                self.line(&line);
                line = Ink::plain(" ".repeat(hang));
                word = tail;
            }
            line.append(word);
            fresh = false;
        }
        self.line(&line);
    }

    /// Text that has its own colours, as it is; its last line may be empty.
    pub(crate) fn verbatim(&mut self, text: &str) {
        let lines = text.split('\n');
        self.lines.extend(lines.map(Ink::plain));
    }

    /// Everything written so far.
    pub(crate) fn finish(self) -> String {
        print(&self.lines, self.color)
    }

    /// The lines written so far.
    pub(crate) fn into_lines(self) -> Vec<Ink> {
        self.lines
    }
}

/// Lines as one text, in colour or not.
pub fn print(lines: &[Ink], color: bool) -> String {
    let mut out = String::new();
    for ink in lines {
        let start = out.len();
        for (role, text) in &ink.pieces {
            if color && *role != VariableRole::Plain {
                let style = role.style();
                out.push_str(&format!("{}{text}{}", style.render(), style.render_reset()));
            } else {
                out.push_str(text);
            }
        }
        out.truncate(start + out[start..].trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paragraph_wraps_at_spaces_and_hangs() {
        let mut page = TextLines::new(20, false);
        page.paragraph(
            Ink::plain("FAILS "),
            &Ink::plain("one two three four five"),
            4,
        );
        assert_eq!(page.finish(), "FAILS  one two three\n    four five\n");
    }

    #[test]
    fn a_word_wider_than_the_page_is_broken_and_nothing_is_lost() {
        let mut page = TextLines::new(20, false);
        let long = "abcdefghij".repeat(5);
        page.paragraph(Ink::default(), &Ink::plain(long.clone()), 2);
        let text = page.finish();
        assert!(text.lines().all(|line| line.chars().count() <= 20));
        assert_eq!(text.replace(['\n', ' '], ""), long);
    }

    #[test]
    fn an_item_wider_than_its_column_goes_on_in_the_next_line_and_a_word_is_cut() {
        let items = [
            Ink::plain("short"),
            Ink::plain("door: closed -> open"),
            Ink::plain("unbreakable_word"),
        ];
        let lines = flow(&items, "  ", 12, "…");
        let mut page = TextLines::new(20, false);
        lines.iter().for_each(|line| page.line(line));
        assert_eq!(
            page.finish(),
            "short\ndoor: closed\n  -> open\nunbreakable…\n"
        );
    }

    #[test]
    fn a_short_quotation_stays_on_one_line() {
        let lines = wrap(&Ink::plain("says that `a = b` holds"), 14);
        let widths: Vec<_> = lines.iter().map(Ink::len).collect();
        assert_eq!(widths, ["says that".len(), "`a = b` holds".len()]);
    }
}
