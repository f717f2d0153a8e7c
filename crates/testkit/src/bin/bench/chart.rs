//! Small charts as SVG: lines over two logarithmic axes.

use std::fmt::Write;

/// A line of a chart.
pub(crate) struct Line {
    /// What it is, for the legend.
    pub(crate) name: String,
    /// Where it goes, from left to right.
    pub(crate) points: Vec<Point>,
}

/// A measurement.
#[derive(Clone, Copy)]
pub(crate) struct Point {
    /// The size.
    pub(crate) x: f64,
    /// What was measured.
    pub(crate) y: f64,
    /// Whether the run ended by itself; otherwise the point is only a lower bound.
    pub(crate) done: bool,
}

/// A pair of axes with lines.
pub(crate) struct Panel {
    /// What is measured, above the axis.
    pub(crate) title: String,
    /// What grows to the right.
    pub(crate) across: String,
    /// The sizes, marked on the axis.
    pub(crate) sizes: Vec<usize>,
    /// The lines. Their colours are the same in all panels of a chart.
    pub(crate) lines: Vec<Line>,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 64.0;
const GAP: f64 = 76.0;
const BELOW: f64 = 84.0;
/// How wide a letter is, at most on average, and in the title.
const LETTER: f64 = 7.0;
const TITLE_LETTER: f64 = 9.0;
/// How far apart the rows of the legend are.
const ROW: f64 = 20.0;
/// Colours that people with any kind of sight can tell apart, after Okabe and Ito (2008).
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"];
/// Each line has its own strokes too, for lines that lie on each other.
const STROKES: [&str; 5] = ["none", "7 4", "2 3", "9 3 2 3", "12 4"];

/// Draws panels side by side below a title, with one legend. What follows a colon in the title stands below.
pub(crate) fn svg(title: &str, note: &str, panels: &[Panel]) -> String {
    let (title, more) = title.split_once(": ").unwrap_or((title, ""));
    let notes = [note, more];
    let count = panels.len() as f64;
    let panels_end = LEFT + count * WIDTH + (count - 1.0) * GAP;
    let letters = |text: &str| text.chars().count() as f64;
    let texts_end = LEFT + (TITLE_LETTER * letters(title)).max(LETTER * letters(more));
    let width = panels_end.max(texts_end) + 24.0;
    let places = panels.first().map_or(Vec::new(), |panel| {
        legend_places(panel, &notes, width - 12.0)
    });
    let rows = places.iter().map(|&(_, row)| row).max().unwrap_or(0);
    let below_panels = TOP + HEIGHT + BELOW;
    let height = below_panels + ROW * rows as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" \
         fill=\"#222222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    text(
        &mut out,
        (LEFT, 24.0),
        "start",
        "font-size=\"16\" font-weight=\"bold\"",
        title,
    );
    for (at, panel) in panels.iter().enumerate() {
        draw(&mut out, panel, LEFT + at as f64 * (WIDTH + GAP));
    }
    if let Some(panel) = panels.first() {
        legend(&mut out, panel, &notes, &places, below_panels - 16.0);
    }
    out.push_str("</svg>\n");
    out
}

/// Where a value lies between two powers of ten, as a part of the whole.
struct Scale {
    from: f64,
    to: f64,
}

impl Scale {
    fn at(&self, value: f64) -> f64 {
        let part = (value.log10() - self.from) / (self.to - self.from);
        part.clamp(0.0, 1.0)
    }
}

fn draw(out: &mut String, panel: &Panel, left: f64) {
    let values = || {
        panel
            .lines
            .iter()
            .flat_map(|line| line.points.iter().map(|point| point.y))
    };
    let low = values().fold(f64::INFINITY, f64::min).log10().floor();
    let high = values().fold(f64::NEG_INFINITY, f64::max).log10().ceil();
    let (low, high) = match low.is_finite() && high.is_finite() {
        true => (low, high.max(low + 1.0)),
        false => (0.0, 1.0),
    };
    let up = Scale {
        from: low,
        to: high,
    };
    let (first, last) = match (panel.sizes.first(), panel.sizes.last()) {
        (Some(first), Some(last)) if first < last => (*first as f64, *last as f64),
        _ => (1.0, 10.0),
    };
    let right = Scale {
        from: (first * 0.93).log10(),
        to: (last * 1.07).log10(),
    };
    let x = |value: f64| left + WIDTH * right.at(value);
    let y = |value: f64| TOP + HEIGHT * (1.0 - up.at(value));
    let bottom = TOP + HEIGHT;

    text(
        out,
        (left, TOP - 14.0),
        "start",
        "font-weight=\"bold\"",
        &panel.title,
    );
    let mut exponent = low;
    while exponent <= high {
        let tick = 10f64.powf(exponent);
        stroke(out, (left, y(tick)), (left + WIDTH, y(tick)), "#d8d8d8");
        text(out, (left - 8.0, y(tick) + 4.0), "end", "", &number(tick));
        for minor in 2..10 {
            let tick = tick * f64::from(minor);
            if exponent < high {
                stroke(out, (left, y(tick)), (left + WIDTH, y(tick)), "#f2f2f2");
            }
        }
        exponent += 1.0;
    }
    for &size in &panel.sizes {
        let at = x(size as f64);
        stroke(out, (at, TOP), (at, bottom), "#eeeeee");
        stroke(out, (at, bottom), (at, bottom + 5.0), "#888888");
        text(out, (at, bottom + 19.0), "middle", "", &size.to_string());
    }
    stroke(out, (left, TOP), (left, bottom), "#888888");
    stroke(out, (left, bottom), (left + WIDTH, bottom), "#888888");
    text(
        out,
        (left + WIDTH / 2.0, bottom + 38.0),
        "middle",
        "",
        &panel.across,
    );

    for (at, line) in panel.lines.iter().enumerate() {
        let look = look(at);
        let points: Vec<String> = line
            .points
            .iter()
            .map(|point| format!("{:.1},{:.1}", x(point.x), y(point.y)))
            .collect();
        let points = points.join(" ");
        push(
            out,
            format_args!("<polyline points=\"{points}\" fill=\"none\" {look}/>"),
        );
        for point in &line.points {
            mark(out, (x(point.x), y(point.y)), at, point.done);
        }
    }
}

/// Where the parts of the legend stand, the notes last: from where to the right, and in which row.
fn legend_places(panel: &Panel, notes: &[&str], end: f64) -> Vec<(f64, usize)> {
    let names = panel.lines.iter().map(|line| (46.0, line.name.as_str()));
    let (mut x, mut row) = (LEFT, 0);
    let mut places = Vec::new();
    for (sign, name) in names.chain(notes.iter().map(|&note| (0.0, note))) {
        let size = sign + LETTER * name.chars().count() as f64;
        if x > LEFT && x + size > end {
            (x, row) = (LEFT, row + 1);
        }
        places.push((x, row));
        x += size + 18.0;
    }
    places
}

fn legend(out: &mut String, panel: &Panel, notes: &[&str], places: &[(f64, usize)], top: f64) {
    let at_row = |row: usize| top + ROW * row as f64;
    for (at, (line, &(x, row))) in panel.lines.iter().zip(places).enumerate() {
        let (look, y) = (look(at), at_row(row));
        let (from, to, middle) = (x, x + 34.0, y - 4.0);
        push(
            out,
            format_args!(
                "<line x1=\"{from}\" y1=\"{middle}\" x2=\"{to}\" y2=\"{middle}\" {look}/>"
            ),
        );
        mark(out, (x + 17.0, middle), at, true);
        text(out, (to + 6.0, y), "start", "", &line.name);
    }
    for (note, &(x, row)) in notes.iter().zip(places.iter().skip(panel.lines.len())) {
        text(out, (x, at_row(row)), "start", "fill=\"#555555\"", note);
    }
}

fn look(at: usize) -> String {
    let colour = COLOURS[at % COLOURS.len()];
    let strokes = STROKES[at % STROKES.len()];
    format!("stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{strokes}\"")
}

/// A full dot for a run that ended, an empty one for a run that was stopped.
fn mark(out: &mut String, (x, y): (f64, f64), at: usize, done: bool) {
    let colour = COLOURS[at % COLOURS.len()];
    let fill = if done { colour } else { "#ffffff" };
    push(
        out,
        format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        ),
    );
}

fn stroke(out: &mut String, from: (f64, f64), to: (f64, f64), colour: &str) {
    push(
        out,
        format_args!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{colour}\"/>",
            from.0, from.1, to.0, to.1
        ),
    );
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, style: &str, words: &str) {
    let words = words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    push(
        out,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {style}>{words}</text>"
        ),
    );
}

fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(out, "{line}").expect("a string takes everything");
}

/// A power of ten as people write it.
fn number(value: f64) -> String {
    match value {
        value if value >= 0.9 => format!("{value:.0}"),
        value => format!("{:.*}", (-value.log10()).round() as usize, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_well_formed_even_when_nothing_was_measured() {
        let panel = |lines| Panel {
            title: "time < space".into(),
            across: "cells & more".into(),
            sizes: vec![2, 4],
            lines,
        };
        let point = |x, y, done| Point { x, y, done };
        let line = Line {
            name: "auto".into(),
            points: vec![point(2.0, 0.01, true), point(4.0, 30.0, false)],
        };
        for chart in [
            svg("a", "b", &[]),
            svg("a", "b", &[panel(vec![]), panel(vec![line])]),
        ] {
            let read = chart
                .replace("/>", "")
                .replace("</svg>", "")
                .replace("</text>", "");
            assert!(!read.contains("NaN") && !read.contains("inf"));
            assert_eq!(
                chart.matches("<text").count(),
                chart.matches("</text>").count()
            );
        }
    }

    #[test]
    fn a_legend_that_is_too_long_goes_on_in_the_next_row() {
        let line = |name: &str| Line {
            name: name.to_string(),
            points: Vec::new(),
        };
        let panel = Panel {
            title: "time".into(),
            across: "size".into(),
            sizes: vec![],
            lines: vec![line("solvers, unbounded"), line("decision diagrams")],
        };
        let rows = |end: f64| -> Vec<usize> {
            let places = legend_places(&panel, &["a note about the dots"], end);
            places.into_iter().map(|(_, row)| row).collect()
        };
        assert_eq!(rows(1000.0), [0, 0, 0]);
        assert_eq!(rows(450.0), [0, 0, 1]);
        assert_eq!(rows(100.0), [0, 1, 2]);
    }

    #[test]
    fn powers_of_ten_are_written_without_exponents() {
        let written = [0.001, 0.1, 1.0, 1000.0].map(number);
        assert_eq!(written, ["0.001", "0.1", "1", "1000"]);
    }
}
