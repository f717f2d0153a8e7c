//! An instance as a picture that browsers show, without any other program.
//!
//! The top-level signatures have shapes of their own, witnesses a second border, and the arrows of witnesses
//! are dashed. The states of a trace stand beside each other, and an atom is at the same place in all of
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use wherefore_relational::UniverseAtomId;

use super::ShownInstance;
use super::graph::{Ends, InstanceEdge, InstanceGraph, InstanceNode, InstanceState};
use super::layered::{LayeredArrow, LayeredLayout, LayeredPoint, LayeredSize, layout};
use crate::export::xml;

/// How many shapes there are.
pub(crate) const KINDS: usize = 8;

/// The shapes, as Graphviz calls them.
pub(crate) const SHAPES: [&str; KINDS] = [
    "ellipse",
    "box",
    "hexagon",
    "octagon",
    "parallelogram",
    "trapezium",
    "invtrapezium",
    "house",
];

/// The colour of the nodes of a kind; light, so that the text on it can be read.
pub(crate) fn fill(kind: usize) -> &'static str {
    const FILLS: [&str; KINDS] = [
        "#fdf3c7", "#d9e8fb", "#dff3dc", "#fbe0dc", "#ebe1f7", "#d8f1f1", "#fde6cf", "#ececec",
    ];
    FILLS[kind % KINDS]
}

/// The width of a letter and the height of a line.
const LETTER: f64 = 7.3;
const LINE: f64 = 16.0;
/// The room around everything.
const MARGIN: f64 = 16.0;
/// How wide a row of states or of nodes without arrows may become.
const ROW: f64 = 1200.0;
/// The room that the heading of a state takes.
const HEADING: f64 = 28.0;
/// How far an arrow from a node to itself reaches out.
const LOOP: f64 = 22.0;
/// The length and half the width of the head of an arrow.
const HEAD: (f64, f64) = (8.0, 4.0);

/// The instance as a picture.
pub fn render(instance: &ShownInstance<'_>) -> String {
    draw(&InstanceGraph::new(instance))
}

/// A graph as a picture.
pub(crate) fn draw(graph: &InstanceGraph) -> String {
    let plan = Plan::new(graph);
    let panel = LayeredSize {
        width: plan.size.width + 2.0 * MARGIN,
        height: plan.size.height + 2.0 * MARGIN,
    };
    let titled = graph.states.iter().any(|state| state.heading.is_some());
    let top = if titled { HEADING } else { 0.0 };
    let heading = |state: &InstanceState| {
        state
            .heading
            .as_deref()
            .map_or(0, |text| text.chars().count())
    };
    let heading = graph.states.iter().map(heading).max().unwrap_or(0) as f64;
    let width = panel.width.max(heading * LETTER + 2.0 * MARGIN);
    let height = panel.height + top;
    let columns = ((ROW / width) as usize).clamp(1, graph.states.len().max(1));
    let rows = graph.states.len().div_ceil(columns);
    let mut out = String::new();
    let (all_width, all_height) = (width * columns as f64, height * rows as f64);
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all_width:.0}\" height=\"{all_height:.0}\" \
         viewBox=\"0 0 {all_width:.0} {all_height:.0}\" font-family=\"monospace\" font-size=\"12\" \
         text-anchor=\"middle\">"
    );
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
    for (at, state) in graph.states.iter().enumerate() {
        let (x, y) = (
            (at % columns) as f64 * width,
            (at / columns) as f64 * height,
        );
        let _ = writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">");
        if let Some(heading) = &state.heading {
            let _ = writeln!(
                out,
                "<rect x=\"4\" y=\"4\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"#bbbbbb\"/>",
                width - 8.0,
                height - 8.0
            );
            let bold = " font-weight=\"bold\"";
            let middle = LayeredPoint {
                x: width / 2.0,
                y: 22.0,
            };
            line(&mut out, middle, bold, heading);
        }
        let (x, y) = (MARGIN, top + MARGIN);
        let _ = writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">");
        plan.draw(&mut out, state);
        out.push_str("</g>\n</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Where everything of all states goes.
struct Plan {
    nodes: BTreeMap<UniverseAtomId, (LayeredPoint, LayeredSize)>,
    /// The shape of each node.
    kinds: BTreeMap<UniverseAtomId, usize>,
    arrows: BTreeMap<Ends, Route>,
    size: LayeredSize,
}

/// Where an arrow starts or ends at a side of a node.
struct Port {
    /// How far to the right it leads.
    towards: f64,
    arrow: usize,
    /// Whether it starts here.
    start: bool,
}

/// The way of an arrow.
struct Route {
    points: Vec<LayeredPoint>,
    label: LayeredPoint,
}

impl Plan {
    fn new(graph: &InstanceGraph) -> Self {
        let mut sizes: BTreeMap<UniverseAtomId, LayeredSize> = BTreeMap::new();
        let mut labels: BTreeMap<Ends, LayeredSize> = BTreeMap::new();
        for state in &graph.states {
            for (&atom, node) in &state.nodes {
                let lines = std::iter::once(&node.title).chain(&node.lines);
                grow(sizes.entry(atom).or_default(), lines, (34.0, 18.0));
            }
            for (&ends, edge) in &state.edges {
                grow(
                    labels.entry(ends).or_default(),
                    edge.labels.iter(),
                    (8.0, 0.0),
                );
            }
        }
        // An arrow from a node to itself lies within the room of the node.
        let mut rooms = sizes.clone();
        for (ends, label) in &labels {
            if ends.from == ends.to
                && let Some(room) = rooms.get_mut(&ends.from)
            {
                room.width += 2.0 * (LOOP + label.width);
                room.height = room.height.max(label.height);
            }
        }
        let ends: Vec<Ends> = labels.keys().copied().filter(|e| e.from != e.to).collect();
        let touched: BTreeSet<UniverseAtomId> = ends.iter().flat_map(|e| [e.from, e.to]).collect();
        let (linked, alone): (Vec<UniverseAtomId>, Vec<UniverseAtomId>) =
            rooms.keys().partition(|atom| touched.contains(atom));
        let number: BTreeMap<UniverseAtomId, usize> = linked.iter().copied().zip(0..).collect();
        let arrows = ends.iter().map(|ends| LayeredArrow {
            from: number[&ends.from],
            to: number[&ends.to],
            label: labels[ends],
        });
        let arrows: Vec<LayeredArrow> = arrows.collect();
        let boxes: Vec<LayeredSize> = linked.iter().map(|atom| rooms[atom]).collect();
        let found = layout(&boxes, &arrows);
        let nodes = graph.states.iter().flat_map(|state| &state.nodes);
        let mut plan = Plan {
            nodes: BTreeMap::new(),
            kinds: nodes.map(|(&atom, node)| (atom, node.kind)).collect(),
            arrows: BTreeMap::new(),
            size: found.size,
        };
        for (atom, point) in linked.iter().zip(&found.nodes) {
            plan.nodes.insert(*atom, (*point, sizes[atom]));
        }
        plan.routes(&ends, &found);
        plan.flow(&alone, &rooms, &sizes);
        for (&ends, &label) in labels.iter().filter(|(ends, _)| ends.from == ends.to) {
            let route = plan.around(ends.from, label);
            plan.arrows.insert(ends, route);
        }
        plan
    }

    /// The ways of arrows between different nodes. Those that share a side of a node start or end beside
    /// each other, in the order of where they lead.
    fn routes(&mut self, ends: &[Ends], found: &LayeredLayout) {
        let mut sides: BTreeMap<(UniverseAtomId, bool), Vec<Port>> = BTreeMap::new();
        for (at, arrow) in ends.iter().enumerate() {
            let (from, to) = (self.nodes[&arrow.from].0, self.nodes[&arrow.to].0);
            let bends = &found.bends[at];
            let first = *bends.first().unwrap_or(&to);
            let last = *bends.last().unwrap_or(&from);
            let side = sides.entry((arrow.from, first.y > from.y)).or_default();
            side.push(Port {
                towards: first.x,
                arrow: at,
                start: true,
            });
            let side = sides.entry((arrow.to, last.y > to.y)).or_default();
            side.push(Port {
                towards: last.x,
                arrow: at,
                start: false,
            });
        }
        let mut ports = vec![[LayeredPoint::default(); 2]; ends.len()];
        for ((atom, below), mut side) in sides {
            side.sort_by(|a, b| a.towards.total_cmp(&b.towards));
            let (middle, size) = self.nodes[&atom];
            let room = 0.6 * size.width;
            let step = (room / side.len() as f64).min(18.0);
            let first = -step * (side.len() - 1) as f64 / 2.0;
            for (place, port) in side.into_iter().enumerate() {
                let dx = first + step * place as f64;
                // An ellipse is lower in the middle than at its sides.
                let round = match self.kinds[&atom] % KINDS {
                    0 => (1.0 - (2.0 * dx / size.width).powi(2)).sqrt(),
                    _ => 1.0,
                };
                let dy = round * size.height / 2.0 * if below { 1.0 } else { -1.0 };
                ports[port.arrow][usize::from(!port.start)] = LayeredPoint {
                    x: middle.x + dx,
                    y: middle.y + dy,
                };
            }
        }
        for (at, arrow) in ends.iter().enumerate() {
            let [from, to] = ports[at];
            let bends = found.bends[at].iter().copied();
            let points = std::iter::once(from).chain(bends).chain([to]);
            let route = Route {
                points: points.collect(),
                label: found.labels[at],
            };
            self.arrows.insert(*arrow, route);
        }
    }

    /// Puts nodes without arrows into rows below the others.
    fn flow(
        &mut self,
        alone: &[UniverseAtomId],
        rooms: &BTreeMap<UniverseAtomId, LayeredSize>,
        sizes: &BTreeMap<UniverseAtomId, LayeredSize>,
    ) {
        const GAP: f64 = 28.0;
        let widest = self.size.width.max(ROW / 2.0);
        let start = if self.nodes.is_empty() { 0.0 } else { GAP };
        let (mut x, mut y, mut height) = (0.0, self.size.height + start, 0.0f64);
        for atom in alone {
            let room = rooms[atom];
            if x > 0.0 && x + room.width > widest {
                x = 0.0;
                y += height + GAP;
                height = 0.0;
            }
            let middle = LayeredPoint {
                x: x + room.width / 2.0,
                y: y + room.height / 2.0,
            };
            self.nodes.insert(*atom, (middle, sizes[atom]));
            self.size.width = self.size.width.max(x + room.width);
            height = height.max(room.height);
            x += room.width + GAP;
        }
        if !alone.is_empty() {
            self.size.height = y + height;
        }
    }

    /// The way of an arrow from a node to itself, at its right.
    fn around(&self, atom: UniverseAtomId, label: LayeredSize) -> Route {
        let (middle, size) = self.nodes[&atom];
        let right = middle.x + size.width / 2.0;
        let (up, down) = (middle.y - size.height / 5.0, middle.y + size.height / 5.0);
        Route {
            points: vec![
                LayeredPoint { x: right, y: up },
                LayeredPoint {
                    x: right + LOOP,
                    y: middle.y,
                },
                LayeredPoint { x: right, y: down },
            ],
            label: LayeredPoint {
                x: right + LOOP + label.width / 2.0 - 6.0,
                y: middle.y,
            },
        }
    }

    fn draw(&self, out: &mut String, state: &InstanceState) {
        for (ends, edge) in &state.edges {
            self.arrow(out, *ends, edge);
        }
        for (ends, edge) in &state.edges {
            self.label(out, *ends, edge);
        }
        for (atom, node) in &state.nodes {
            let (middle, size) = self.nodes[atom];
            draw_node(out, middle, size, node);
        }
    }

    fn arrow(&self, out: &mut String, ends: Ends, edge: &InstanceEdge) {
        let mut points = self.arrows[&ends].points.clone();
        let dashed = if ends.witness {
            " stroke-dasharray=\"5 3\""
        } else {
            ""
        };
        let around = ends.from == ends.to;
        let mut heads = String::new();
        points.reverse();
        head(&mut heads, &mut points, around);
        points.reverse();
        if edge.both {
            head(&mut heads, &mut points, around);
        }
        let mut way = format!("M{:.1} {:.1}", points[0].x, points[0].y);
        if around {
            let (first, last, reach) = (points[0], points[2], points[1].x + 6.0);
            let _ = write!(
                way,
                " C{reach:.1} {:.1} {reach:.1} {:.1} {:.1} {:.1}",
                first.y, last.y, last.x, last.y
            );
        } else {
            smooth(&mut way, &points);
        }
        let _ = writeln!(
            out,
            "<path d=\"{way}\" fill=\"none\" stroke=\"#444444\"{dashed}/>"
        );
        out.push_str(&heads);
    }

    fn label(&self, out: &mut String, ends: Ends, edge: &InstanceEdge) {
        let label = self.arrows[&ends].label;
        let width = edge.labels.iter().map(|label| label.chars().count()).max();
        let width = width.unwrap_or(0) as f64 * LETTER;
        let height = edge.labels.len() as f64 * LINE;
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"white\" \
             fill-opacity=\"0.8\"/>",
            label.x - width / 2.0,
            label.y - height / 2.0
        );
        lines(out, label, edge.labels.iter().map(|label| ("", label)));
    }
}

/// A smooth way through points: it leaves and enters nodes upright, and passes a point in the direction
/// from the one before it to the one after it.
fn smooth(way: &mut String, points: &[LayeredPoint]) {
    let slope = |at: usize| match (at.checked_sub(1).map(|at| points[at]), points.get(at + 1)) {
        (Some(before), Some(after)) => (after.x - before.x) / (after.y - before.y),
        _ => 0.0,
    };
    for at in 1..points.len() {
        let (from, to) = (points[at - 1], points[at]);
        let third = (to.y - from.y) / 2.5;
        let _ = write!(
            way,
            " C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
            from.x + third * slope(at - 1),
            from.y + third,
            to.x - third * slope(at),
            to.y - third,
            to.x,
            to.y
        );
    }
}

/// Draws the head of an arrow at the first of its points, and moves that point to where the head begins.
fn head(out: &mut String, points: &mut [LayeredPoint], sideways: bool) {
    let (tip, next) = (points[0], points[1]);
    let (length, half) = HEAD;
    let back = if sideways {
        LayeredPoint {
            x: tip.x + length,
            ..tip
        }
    } else {
        let towards = if next.y > tip.y { length } else { -length };
        LayeredPoint {
            y: tip.y + towards,
            ..tip
        }
    };
    let (dx, dy) = if sideways { (0.0, half) } else { (half, 0.0) };
    let _ = writeln!(
        out,
        "<polygon points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\" fill=\"#444444\"/>",
        tip.x,
        tip.y,
        back.x - dx,
        back.y - dy,
        back.x + dx,
        back.y + dy
    );
    points[0] = back;
}

fn draw_node(out: &mut String, middle: LayeredPoint, size: LayeredSize, node: &InstanceNode) {
    outline(out, middle, size, node.kind, fill(node.kind));
    if node.witness {
        let inner = LayeredSize {
            width: size.width - 8.0,
            height: size.height - 6.0,
        };
        outline(out, middle, inner, node.kind, "none");
    }
    let title = std::iter::once((" font-weight=\"bold\"", &node.title));
    lines(
        out,
        middle,
        title.chain(node.lines.iter().map(|line| ("", line))),
    );
}

/// Draws the shape of a kind.
fn outline(out: &mut String, middle: LayeredPoint, size: LayeredSize, kind: usize, fill: &str) {
    let (x, y) = (middle.x, middle.y);
    let (w, h) = (size.width / 2.0, size.height / 2.0);
    let paint = format!("fill=\"{fill}\" stroke=\"black\"");
    let slant = (0.3 * w).min(12.0);
    let cut = (0.4 * h).min(8.0);
    let corners: Vec<(f64, f64)> = match kind % KINDS {
        0 => {
            let _ = writeln!(
                out,
                "<ellipse cx=\"{x:.1}\" cy=\"{y:.1}\" rx=\"{w:.1}\" ry=\"{h:.1}\" {paint}/>"
            );
            return;
        }
        1 => vec![(-w, -h), (w, -h), (w, h), (-w, h)],
        2 => vec![
            (slant - w, -h),
            (w - slant, -h),
            (w, 0.0),
            (w - slant, h),
            (slant - w, h),
            (-w, 0.0),
        ],
        3 => vec![
            (cut - w, -h),
            (w - cut, -h),
            (w, cut - h),
            (w, h - cut),
            (w - cut, h),
            (cut - w, h),
            (-w, h - cut),
            (-w, cut - h),
        ],
        4 => vec![(slant - w, -h), (w, -h), (w - slant, h), (-w, h)],
        5 => vec![(slant - w, -h), (w - slant, -h), (w, h), (-w, h)],
        6 => vec![(-w, -h), (w, -h), (w - slant, h), (slant - w, h)],
        _ => vec![
            (slant - w, -h),
            (w - slant, -h),
            (w, cut - h),
            (w, h),
            (-w, h),
            (-w, cut - h),
        ],
    };
    let corners: Vec<String> = corners
        .into_iter()
        .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy))
        .collect();
    let _ = writeln!(out, "<polygon points=\"{}\" {paint}/>", corners.join(" "));
}

/// Writes lines of text around a point.
fn lines<'a>(
    out: &mut String,
    middle: LayeredPoint,
    lines: impl Iterator<Item = (&'static str, &'a String)>,
) {
    let lines: Vec<_> = lines.collect();
    let top = middle.y - lines.len() as f64 * LINE / 2.0;
    for (at, (style, text)) in lines.into_iter().enumerate() {
        let y = top + (at as f64 + 0.5) * LINE + 4.0;
        line(out, LayeredPoint { x: middle.x, y }, style, text);
    }
}

fn line(out: &mut String, at: LayeredPoint, style: &str, text: &str) {
    let text = xml(text);
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\"{style}>{text}</text>",
        at.x, at.y
    );
}

/// Makes room for lines of text with some space around them.
fn grow<'a>(size: &mut LayeredSize, lines: impl Iterator<Item = &'a String>, (x, y): (f64, f64)) {
    let (mut count, mut widest) = (0, 0);
    for line in lines {
        count += 1;
        widest = widest.max(line.chars().count());
    }
    size.width = size.width.max(widest as f64 * LETTER + x);
    size.height = size.height.max(count as f64 * LINE + y);
}
