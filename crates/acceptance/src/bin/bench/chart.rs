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
/// Colours that people with any kind of sight can tell apart, after Okabe and Ito (2008).
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"];
/// Each line has its own strokes too, for lines that lie on each other.
const STROKES: [&str; 5] = ["none", "7 4", "2 3", "9 3 2 3", "12 4"];

/// How wide a letter of a title is, and one of the legend, on average and generously.
const TITLE_LETTER: f64 = 9.0;
const LETTER: f64 = 7.0;
/// How far lines of a title are apart, and rows of the legend.
const TITLE_LINE: f64 = 20.0;
const ROW: f64 = 20.0;
/// What is free at the right.
const RIGHT: f64 = 24.0;

/// Draws panels side by side below a title, with one legend. Title and legend take as many lines as they need.
pub(crate) fn svg(title: &str, note: &str, panels: &[Panel]) -> String {
    let count = panels.len().max(1) as f64;
    let width = LEFT + count * WIDTH + (count - 1.0) * GAP + RIGHT;
    let room = width - LEFT - RIGHT;
    let titles = folded(title, (room / TITLE_LETTER) as usize);
    let lower = TITLE_LINE * (titles.len().max(1) - 1) as f64;
    let names = panels.first().map_or(&[][..], |panel| &panel.lines);
    let (places, rows) = legend_places(names, note, width - RIGHT);
    let first_row = lower + TOP + HEIGHT + BELOW - 16.0;
    let height = first_row + 16.0 + ROW * (rows - 1) as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" \
         fill=\"#222222\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (at, line) in titles.iter().enumerate() {
        let place = (LEFT, 24.0 + TITLE_LINE * at as f64);
        let style = "font-size=\"16\" font-weight=\"bold\"";
        text(&mut out, place, "start", style, line);
    }
    push(
        &mut out,
        format_args!("<g transform=\"translate(0 {lower})\">"),
    );
    for (at, panel) in panels.iter().enumerate() {
        draw(&mut out, panel, LEFT + at as f64 * (WIDTH + GAP));
    }
    out.push_str("</g>\n");
    let at = |(x, row): (f64, usize)| (x, first_row + ROW * row as f64);
    for (number, (line, &place)) in names.iter().zip(&places).enumerate() {
        entry(&mut out, &line.name, number, at(place));
    }
    if let Some(&place) = places.last() {
        text(&mut out, at(place), "start", "fill=\"#555555\"", note);
    }
    out.push_str("</svg>\n");
    out
}

/// A text in lines of at most so many letters, unless a word is longer.
fn folded(words: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// Where the names of lines and after them the note stand: how far right and in which row, and how many rows
/// there are.
fn legend_places(lines: &[Line], note: &str, right: f64) -> (Vec<(f64, usize)>, usize) {
    let letters = |words: &str| LETTER * words.chars().count() as f64;
    let widths = lines.iter().map(|line| 40.0 + letters(&line.name));
    let (mut x, mut row) = (LEFT, 0);
    let mut places = Vec::new();
    for width in widths.chain([letters(note)]) {
        if x > LEFT && x + width > right {
            (x, row) = (LEFT, row + 1);
        }
        places.push((x, row));
        x += width + 24.0;
    }
    (places, row + 1)
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

/// The name of a line in the legend, with its look.
fn entry(out: &mut String, name: &str, number: usize, (x, y): (f64, f64)) {
    let look = look(number);
    let (to, middle) = (x + 34.0, y - 4.0);
    push(
        out,
        format_args!("<line x1=\"{x}\" y1=\"{middle}\" x2=\"{to}\" y2=\"{middle}\" {look}/>"),
    );
    mark(out, (x + 17.0, middle), number, true);
    text(out, (to + 6.0, y), "start", "", name);
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
    fn long_titles_and_legends_take_more_lines_instead_of_leaving_the_picture() {
        let line = |name: &str| Line {
            name: name.into(),
            points: vec![],
        };
        let names = ["smt, unbounded", "bdd", "explicit", "relational logic"];
        let lines: Vec<Line> = names.into_iter().map(line).collect();
        let (places, rows) = legend_places(&lines, "empty dot: no answer within 60 s", 484.0);
        assert_eq!(rows, 2);
        let next_row = places.iter().position(|&(_, row)| row == 1);
        assert_eq!(next_row.map(|at| places[at].0), Some(LEFT));
        let title = "one word after the other";
        assert_eq!(folded(title, 10), ["one word", "after the", "other"]);
        assert_eq!(folded(title, 100), [title]);
        assert!(svg(title, "", &[]).contains(title));
    }

    #[test]
    fn powers_of_ten_are_written_without_exponents() {
        let written = [0.001, 0.1, 1.0, 1000.0].map(number);
        assert_eq!(written, ["0.001", "0.1", "1", "1000"]);
    }
}
