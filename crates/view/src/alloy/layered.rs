//! Where the nodes and arrows of a graph go: layers from top to bottom.
//!
//! After Sugiyama, Tagawa and Toda (1981), as refined by Gansner, Koutsofios, North and Vo (1993): arrows
//! that close a cycle are turned round, nodes get layers, long arrows get a point in every layer they
//! cross, nodes of a layer are ordered by where their neighbours are, and then moved towards them. The
//! label of an arrow is a point as wide as the label, so nothing is drawn over it.

/// A width and a height.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct LayeredSize {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A place, from the left and from the top.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct LayeredPoint {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// An arrow between two different nodes, by their numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayeredArrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: LayeredSize,
}

/// Where everything is.
#[derive(Debug)]
pub(crate) struct LayeredLayout {
    /// The middle of each node.
    pub(crate) nodes: Vec<LayeredPoint>,
    /// The points between the ends of each arrow, in the direction of the arrow.
    pub(crate) bends: Vec<Vec<LayeredPoint>>,
    /// The middle of each label.
    pub(crate) labels: Vec<LayeredPoint>,
    pub(crate) size: LayeredSize,
}

/// The room between things beside each other.
const BESIDE: f64 = 28.0;
/// The room between layers.
const BETWEEN: f64 = 22.0;
/// The most points of arrows; with more, arrows go straight.
const MOST_POINTS: usize = 20_000;
/// How often nodes are ordered, and how often they are moved.
const SWEEPS: usize = 24;

/// Finds places for nodes and arrows.
pub(crate) fn layout(sizes: &[LayeredSize], arrows: &[LayeredArrow]) -> LayeredLayout {
    let mut layers = Layers::new(sizes, arrows);
    layers.order();
    layers.place(sizes, arrows)
}

/// A node, or a point of an arrow.
#[derive(Clone, Default, Debug)]
struct LayeredItem {
    layer: usize,
    size: LayeredSize,
    above: Vec<usize>,
    below: Vec<usize>,
    /// Whether it is a point of an arrow.
    point: bool,
    x: f64,
}

struct Layers {
    /// The nodes, and then the points of arrows.
    items: Vec<LayeredItem>,
    /// The items of each layer, from left to right.
    rows: Vec<Vec<usize>>,
    /// Of each arrow its points from top to bottom, which of them is the label, and whether it is turned.
    paths: Vec<LayeredPath>,
}

#[derive(Clone, Default, Debug)]
struct LayeredPath {
    points: Vec<usize>,
    label: usize,
    turned: bool,
}

impl Layers {
    fn new(sizes: &[LayeredSize], arrows: &[LayeredArrow]) -> Self {
        let turned = turned(sizes.len(), arrows);
        let down = arrows.iter().zip(&turned);
        let down = down.map(|(arrow, &turned)| match turned {
            true => (arrow.to, arrow.from),
            false => (arrow.from, arrow.to),
        });
        let down: Vec<(usize, usize)> = down.collect();
        let levels = levels(sizes.len(), &down);
        let items = sizes
            .iter()
            .zip(&levels)
            .map(|(&size, &layer)| LayeredItem {
                layer,
                size,
                ..LayeredItem::default()
            });
        let mut layers = Self {
            items: items.collect(),
            rows: Vec::new(),
            paths: Vec::new(),
        };
        let span = |&(from, to): &(usize, usize)| levels[to] - levels[from];
        let routed = down.iter().map(span).sum::<usize>() <= MOST_POINTS;
        for ((arrow, &(from, to)), turned) in arrows.iter().zip(&down).zip(turned) {
            let mut path = LayeredPath {
                turned,
                ..LayeredPath::default()
            };
            if routed {
                layers.route(&mut path, from, to, arrow.label);
            }
            layers.paths.push(path);
        }
        let depth = layers.items.iter().map(|item| item.layer + 1).max();
        layers.rows = vec![Vec::new(); depth.unwrap_or(0)];
        for (at, item) in layers.items.iter().enumerate() {
            layers.rows[item.layer].push(at);
        }
        layers
    }

    /// Gives an arrow a point in every layer between its ends; the middle one is as large as the label.
    fn route(&mut self, path: &mut LayeredPath, from: usize, to: usize, label: LayeredSize) {
        let (first, last) = (self.items[from].layer, self.items[to].layer);
        let middle = (first + last) / 2;
        let mut before = from;
        for layer in first + 1..last {
            let size = if layer == middle {
                label
            } else {
                LayeredSize::default()
            };
            let point = self.items.len();
            self.items.push(LayeredItem {
                layer,
                size,
                point: true,
                ..LayeredItem::default()
            });
            if layer == middle {
                path.label = path.points.len();
            }
            path.points.push(point);
            self.connect(before, point);
            before = point;
        }
        self.connect(before, to);
    }

    fn connect(&mut self, above: usize, below: usize) {
        self.items[above].below.push(below);
        self.items[below].above.push(above);
    }

    /// Orders the layers so that arrows cross seldom.
    fn order(&mut self) {
        let sweeps = (4_000_000 / (self.items.len() + 1)).clamp(2, SWEEPS);
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..sweeps {
            let down = sweep % 2 == 0;
            let mut layers: Vec<usize> = (0..self.rows.len()).collect();
            if !down {
                layers.reverse();
            }
            let mut place = vec![0.0; self.items.len()];
            for &layer in &layers {
                let mut row = std::mem::take(&mut self.rows[layer]);
                let wish = |at: usize, now: usize| {
                    let item = &self.items[at];
                    let near = if down { &item.above } else { &item.below };
                    match near.len() {
                        0 => now as f64,
                        count => near.iter().map(|&n| place[n]).sum::<f64>() / count as f64,
                    }
                };
                let mut wishes: Vec<(f64, usize)> = row
                    .iter()
                    .enumerate()
                    .map(|(now, &at)| (wish(at, now), at))
                    .collect();
                wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
                row.clear();
                row.extend(wishes.into_iter().map(|(_, at)| at));
                for (now, &at) in row.iter().enumerate() {
                    place[at] = now as f64;
                }
                self.rows[layer] = row;
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
            if best.0 == 0 {
                break;
            }
        }
        self.rows = best.1;
    }

    /// How often arrows cross between neighbouring layers.
    fn crossings(&self) -> u64 {
        let mut place = vec![0; self.items.len()];
        for row in &self.rows {
            for (now, &at) in row.iter().enumerate() {
                place[at] = now;
            }
        }
        let mut crossings = 0;
        for (layer, row) in self.rows.iter().enumerate() {
            let width = self.rows.get(layer + 1).map_or(0, Vec::len);
            // How many ends so far lie at each place or to the left of it, as a tree of sums.
            let mut sums = vec![0u64; width + 1];
            let mut total = 0;
            for &at in row {
                let mut ends: Vec<usize> = self.items[at].below.iter().map(|&n| place[n]).collect();
                ends.sort_unstable();
                for &end in &ends {
                    let mut left = 0;
                    let mut index = end + 1;
                    while index > 0 {
                        left += sums[index];
                        index &= index - 1;
                    }
                    crossings += total - left;
                }
                for end in ends {
                    total += 1;
                    let mut index = end + 1;
                    while index <= width {
                        sums[index] += 1;
                        index += index & index.wrapping_neg();
                    }
                }
            }
        }
        crossings
    }

    fn place(mut self, sizes: &[LayeredSize], arrows: &[LayeredArrow]) -> LayeredLayout {
        self.move_apart();
        for sweep in 0..SWEEPS {
            let mut layers: Vec<usize> = (0..self.rows.len()).collect();
            if sweep % 2 == 1 {
                layers.reverse();
            }
            for layer in layers {
                self.settle(layer);
            }
        }
        let left = self.items.iter().map(|item| item.x - item.size.width / 2.0);
        let left = left.fold(f64::INFINITY, f64::min);
        let right = self.items.iter().map(|item| item.x + item.size.width / 2.0);
        let right = right.fold(f64::NEG_INFINITY, f64::max);
        let mut middles = Vec::with_capacity(self.rows.len());
        let mut y = 0.0;
        for row in &self.rows {
            let heights = row.iter().map(|&at| self.items[at].size.height);
            let height = heights.fold(0.0, f64::max);
            middles.push(y + height / 2.0);
            y += height + BETWEEN;
        }
        let at = |item: &LayeredItem| LayeredPoint {
            x: item.x - left,
            y: middles[item.layer],
        };
        let nodes: Vec<LayeredPoint> = self.items[..sizes.len()].iter().map(at).collect();
        let mut bends = Vec::with_capacity(arrows.len());
        let mut labels = Vec::with_capacity(arrows.len());
        for (arrow, path) in arrows.iter().zip(&self.paths) {
            let points = path.points.iter().map(|&point| at(&self.items[point]));
            let mut points: Vec<LayeredPoint> = points.collect();
            let (from, to) = (nodes[arrow.from], nodes[arrow.to]);
            labels.push(points.get(path.label).copied().unwrap_or(LayeredPoint {
                x: (from.x + to.x) / 2.0,
                y: (from.y + to.y) / 2.0,
            }));
            if path.turned {
                points.reverse();
            }
            bends.push(points);
        }
        LayeredLayout {
            nodes,
            bends,
            labels,
            size: LayeredSize {
                width: (right - left).max(0.0),
                height: (y - BETWEEN).max(0.0),
            },
        }
    }

    /// Puts the items of each layer beside each other.
    fn move_apart(&mut self) {
        for row in &self.rows {
            let mut x = 0.0;
            for &at in row {
                let width = self.items[at].size.width;
                self.items[at].x = x + width / 2.0;
                x += width + BESIDE;
            }
        }
    }

    /// Moves the items of a layer as near to their neighbours as their order and sizes allow: what lies
    /// too close together is moved as one, to the mean of what its parts want.
    fn settle(&mut self, layer: usize) {
        /// Items that touch: where the first one goes, how much they weigh, how many they are.
        struct LayeredBlock {
            x: f64,
            weight: f64,
            count: usize,
        }
        let row = &self.rows[layer];
        let mut blocks: Vec<LayeredBlock> = Vec::new();
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(row.len());
        for (now, &at) in row.iter().enumerate() {
            let item = &self.items[at];
            if now > 0 {
                let before = &self.items[row[now - 1]];
                offset += (before.size.width + item.size.width) / 2.0 + BESIDE;
            }
            offsets.push(offset);
            let near = item.above.iter().chain(&item.below);
            let (mut sum, mut weight) = (0.0, 0.0);
            for &other in near {
                // Long arrows should be straight.
                let pull = if item.point && self.items[other].point {
                    4.0
                } else {
                    1.0
                };
                sum += pull * self.items[other].x;
                weight += pull;
            }
            let (wish, weight) = if weight > 0.0 {
                (sum / weight, weight)
            } else {
                (item.x, 0.1)
            };
            blocks.push(LayeredBlock {
                x: wish - offset,
                weight,
                count: 1,
            });
            while let [.., before, last] = &blocks[..]
                && before.x > last.x
            {
                let weight = before.weight + last.weight;
                let x = (before.x * before.weight + last.x * last.weight) / weight;
                let count = before.count + last.count;
                blocks.pop();
                blocks.pop();
                blocks.push(LayeredBlock { x, weight, count });
            }
        }
        let mut now = 0;
        for block in blocks {
            for _ in 0..block.count {
                self.items[self.rows[layer][now]].x = block.x + offsets[now];
                now += 1;
            }
        }
    }
}

/// Which arrows must be turned round so that none lead back: those that a walk along the arrows finds
/// leading to where it came from.
fn turned(nodes: usize, arrows: &[LayeredArrow]) -> Vec<bool> {
    let mut out = vec![Vec::new(); nodes];
    let mut has_way_in = vec![false; nodes];
    for (at, arrow) in arrows.iter().enumerate() {
        out[arrow.from].push(at);
        has_way_in[arrow.to] = true;
    }
    let mut turned = vec![false; arrows.len()];
    // 0: not seen, 1: on the way, 2: done.
    let mut seen = vec![0u8; nodes];
    let starts = (0..nodes).filter(|&node| !has_way_in[node]);
    for start in starts.chain(0..nodes) {
        if seen[start] != 0 {
            continue;
        }
        seen[start] = 1;
        let mut way = vec![(start, 0)];
        while let Some((node, next)) = way.last_mut() {
            match out[*node].get(*next) {
                Some(&arrow) => {
                    *next += 1;
                    let to = arrows[arrow].to;
                    match seen[to] {
                        0 => {
                            seen[to] = 1;
                            way.push((to, 0));
                        }
                        1 => turned[arrow] = true,
                        _ => {}
                    }
                }
                None => {
                    seen[*node] = 2;
                    way.pop();
                }
            }
        }
    }
    turned
}

/// The layer of each node: at least two below those that lead to it, so that there is one for labels, and
/// no higher than needed.
fn levels(nodes: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut below = vec![Vec::new(); nodes];
    let mut waiting_for = vec![0usize; nodes];
    for &(from, to) in down {
        below[from].push(to);
        waiting_for[to] += 1;
    }
    let mut levels = vec![0usize; nodes];
    let mut order: Vec<usize> = (0..nodes).filter(|&n| waiting_for[n] == 0).collect();
    let mut at = 0;
    while let Some(&node) = order.get(at) {
        at += 1;
        for &next in &below[node] {
            levels[next] = levels[next].max(levels[node] + 2);
            waiting_for[next] -= 1;
            if waiting_for[next] == 0 {
                order.push(next);
            }
        }
    }
    let mut has_above = vec![false; nodes];
    for &(_, to) in down {
        has_above[to] = true;
    }
    for &node in order.iter().rev() {
        if !has_above[node]
            && let Some(nearest) = below[node].iter().map(|&next| levels[next]).min()
        {
            levels[node] = nearest.saturating_sub(2);
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: LayeredSize = LayeredSize {
        width: 40.0,
        height: 20.0,
    };

    fn arrows(ends: &[(usize, usize)]) -> Vec<LayeredArrow> {
        let arrow = |&(from, to): &(usize, usize)| LayeredArrow {
            from,
            to,
            label: BOX,
        };
        ends.iter().map(arrow).collect()
    }

    #[test]
    fn arrows_lead_down_and_labels_have_a_place_between() {
        let layout = layout(&[BOX; 3], &arrows(&[(0, 1), (1, 2)]));
        assert!(layout.nodes[0].y < layout.labels[0].y && layout.labels[0].y < layout.nodes[1].y);
        assert!(layout.nodes[1].y < layout.nodes[2].y);
        assert_eq!(layout.nodes[0].x, layout.nodes[2].x);
    }

    #[test]
    fn a_cycle_is_cut_in_one_place() {
        let layout = layout(&[BOX; 3], &arrows(&[(0, 1), (1, 2), (2, 0)]));
        let ys: Vec<f64> = layout.nodes.iter().map(|node| node.y).collect();
        assert!(ys[0] < ys[1] && ys[1] < ys[2]);
        let bends: Vec<f64> = layout.bends[2].iter().map(|point| point.y).collect();
        assert!(bends.is_sorted_by(|a, b| a > b), "{bends:?}");
    }

    #[test]
    fn nothing_in_a_layer_overlaps() {
        let ends = arrows(&[(0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4), (5, 4)]);
        let layout = layout(&[BOX; 7], &ends);
        for (at, a) in layout.nodes.iter().enumerate() {
            for b in &layout.nodes[at + 1..] {
                let apart = (a.x - b.x).abs() >= BOX.width + BESIDE - 1e-6;
                assert!(a.y != b.y || apart, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn crossings_that_need_not_be_are_undone() {
        let mut layers = Layers::new(&[BOX; 4], &arrows(&[(0, 3), (1, 2)]));
        assert_eq!(layers.crossings(), 1);
        layers.order();
        assert_eq!(layers.crossings(), 0);
    }

    #[test]
    fn an_empty_graph_has_a_layout() {
        let layout = layout(&[], &[]);
        assert_eq!(layout.size.width, 0.0);
    }
}
