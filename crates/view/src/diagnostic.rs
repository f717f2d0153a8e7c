//! Diagnostics as text: the message, the source lines it is about, and advice.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use wherefore_base::{Diagnostic, FileId, Label, Severity, SourceMap};

/// How many bytes of a line are looked at beyond its last label: lines can be large.
const BEYOND: usize = 512;

/// Renders a diagnostic with the source lines it points at, without a final newline.
pub fn render_diagnostic(sources: &SourceMap, diagnostic: &Diagnostic, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message);
    let mut group = Group::with_title(title);
    for (at, file) in files(diagnostic).into_iter().enumerate() {
        let labels: Vec<&Label> = diagnostic
            .labels
            .iter()
            .filter(|l| l.span.file == file)
            .collect();
        group = group.element(snippet(sources, file, &labels, at == 0));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.decor_style(DecorStyle::Unicode);
    renderer.render(&[group])
}

/// The files a diagnostic is about, that of its main place first.
fn files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = Vec::new();
    for label in &diagnostic.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
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
        .path(source.name());
    for (at, (label, range)) in labels.iter().zip(ranges).enumerate() {
        let kind = if primary && at == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let mut annotation = kind.span(range.start - start..range.end - start);
        if !label.text.is_empty() {
            annotation = annotation.label(&label.text);
        }
        snippet = snippet.annotation(annotation);
    }
    snippet
}

/// The nearest border of a character at or before an offset inside the text.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The bytes of a label, kept inside the text and at the borders of characters.
fn range(text: &str, label: &Label) -> Range<usize> {
    let start = boundary(text, label.span.start as usize);
    let end = boundary(text, label.span.end as usize);
    start..end.max(start)
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
    fn places_at_and_beyond_the_end_are_shown() {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("é.smv", "é"));
        for (start, end) in [(2, 2), (0, 9), (1, 1), (7, 5)] {
            let diagnostic = Diagnostic::warning(Span::new(file, start, end), "Look");
            assert!(render_diagnostic(&sources, &diagnostic, true).contains("Look"));
        }
    }
}
