//! Diagnostics as text: the message, the source lines it is about, and advice.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use wherefore_base::{Diagnostic, FileId, Label, Severity, SourceMap, clean};

/// How many bytes of a line are looked at beyond its last label: lines can be large.
const BEYOND: usize = 512;

/// Longer words are shortened in the middle.
const LONGEST: usize = 100;

/// A label or the text between labels is not shown whole when it has longer lines.
const LONGEST_LINE: usize = 1000;

/// Renders a diagnostic with the source lines it points at, without a final newline.
pub fn render_diagnostic(sources: &SourceMap, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let Diagnostic {
        message,
        labels,
        help,
        ..
    } = diagnostic;
    render(sources, (level, message), labels, help, color)
}

/// Renders a note with the source lines it points at, without a final newline.
pub fn render_note(
    sources: &SourceMap,
    message: &str,
    labels: &[Label],
    help: &[String],
    color: bool,
) -> String {
    render(sources, (Level::NOTE, message), labels, help, color)
}

fn render(
    sources: &SourceMap,
    (level, message): (Level<'_>, &str),
    labels: &[Label],
    help: &[String],
    color: bool,
) -> String {
    let title = level.primary_title(shortened(message));
    let mut group = Group::with_title(title);
    for (at, file) in files(labels).into_iter().enumerate() {
        let labels: Vec<&Label> = labels.iter().filter(|l| l.span.file == file).collect();
        for (part, labels) in together(sources.file(file).text(), &labels).enumerate() {
            group = group.element(snippet(sources, file, labels, at == 0 && part == 0));
        }
    }
    for help in help {
        group = group.element(Level::HELP.message(shortened(help)));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.decor_style(DecorStyle::Unicode);
    let rendered = renderer.render(&[group]);
    // Some terminals obey these as they obey escape sequences; the renderer lets them through.
    rendered.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "\u{fffd}")
}

/// The files that labels are in, that of the main place first.
fn files(labels: &[Label]) -> Vec<FileId> {
    let mut files = Vec::new();
    for label in labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

/// The labels that are shown together: all, unless a very long line would have to be shown between
/// them.
fn together<'a, 'l>(text: &str, labels: &'l [&'a Label]) -> std::slice::Chunks<'l, &'a Label> {
    let ranges = || labels.iter().map(|label| range(text, label));
    let first = ranges().map(|range| range.start).min().unwrap_or(0);
    let last = ranges().map(|range| range.end).max().unwrap_or(0);
    let long = text[first..last]
        .split('\n')
        .any(|line| line.len() > LONGEST_LINE);
    labels.chunks(if long { 1 } else { labels.len().max(1) })
}

/// The lines of one file with their labels; the first label is the main one if `primary`.
fn snippet<'a>(
    sources: &'a SourceMap,
    file: FileId,
    labels: &[&'a Label],
    primary: bool,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = sources.file(file);
    let text = source.text();
    let ranges: Vec<Range<usize>> = labels.iter().map(|label| range(text, label)).collect();
    // Only the lines from the first to the last label are handed on: files can be large.
    let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
    let last = ranges.iter().map(|range| range.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    let end = boundary(text, end.min(last.saturating_add(BEYOND)));
    let mut snippet = Snippet::source(&text[start..end])
        .line_start(source.place(first).line)
        .path(clean(source.name()));
    for (at, (label, range)) in labels.iter().zip(ranges).enumerate() {
        let kind = if primary && at == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let mut annotation = kind.span(range.start - start..range.end - start);
        if !label.text.is_empty() {
            annotation = annotation.label(shortened(&label.text));
        }
        snippet = snippet.annotation(annotation);
    }
    snippet
}

/// A text in which no word is longer than a line: names can be.
fn shortened(text: &str) -> String {
    let mut short = String::new();
    for part in text.split_inclusive(' ') {
        let letters = part.chars().count();
        if letters <= LONGEST {
            short.push_str(part);
        } else {
            short.extend(part.chars().take(LONGEST / 2));
            short.push('…');
            short.extend(part.chars().skip(letters - LONGEST / 4));
        }
    }
    short
}

/// The nearest border of a character at or before an offset inside the text.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The bytes of a label, kept inside the text and at the borders of characters; of a very long line
/// only the beginning.
fn range(text: &str, label: &Label) -> Range<usize> {
    let start = boundary(text, label.span.start as usize);
    let end = boundary(text, label.span.end as usize).max(start);
    let line = text[start..end].find('\n').map_or(end, |at| start + at);
    if line - start > LONGEST_LINE {
        return start..boundary(text, start + LONGEST);
    }
    start..end
}

#[cfg(test)]
mod tests {
    use wherefore_base::{SourceFile, Span};

    use super::*;

    #[test]
    fn a_diagnostic_shows_its_lines_labels_and_advice() {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(
            "lift.smv",
            "MODULE main\nVAR x : 0..3;\nINIT y = 1\n",
        ));
        let diagnostic = Diagnostic::error(Span::new(file, 31, 32), "Nothing is called `y`")
            .because("used here")
            .see(Span::new(file, 16, 17), "did you mean this?")
            .help("Declare it with `VAR`.");
        let text = render_diagnostic(&sources, &diagnostic, false);
        for part in [
            "error: Nothing is called `y`",
            "lift.smv:3:6",
            "used here",
            "did you mean this?",
            "Declare it",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn hostile_texts_neither_steer_the_terminal_nor_fill_it() {
        let mut sources = SourceMap::default();
        let name = "y".repeat(1_000_000);
        let text = format!("\u{1b}[31m{name} -- \u{7}\u{9b}\u{202e}\n");
        let file = sources.add(SourceFile::new("a\u{1b}[2J\n.smv", text));
        let message = format!("Nothing \u{1b}[0m is called `{name}`");
        let diagnostic = Diagnostic::error(Span::new(file, 5, 5 + name.len()), message)
            .because(format!("`{name}`"))
            .help(format!("Is it `{name}`?"));
        let text = render_diagnostic(&sources, &diagnostic, false);
        let raw = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(raw), "{text:?}");
        assert!(text.contains("a\\u{1b}[2J\\n.smv:1:6"), "{text}");
        assert!(text.len() < 3000, "{} bytes", text.len());
    }

    #[test]
    fn places_at_and_beyond_the_end_are_shown() {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("é.smv", "é"));
        for (start, end) in [(2, 2), (0, 9), (1, 1), (7, 5)] {
            let diagnostic = Diagnostic::warning(Span::new(file, start, end), "Look");
            assert!(render_diagnostic(&sources, &diagnostic, true).contains("Look"));
        }
    }
}
