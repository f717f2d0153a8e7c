//! How well a change fits to the rest of a text.
//!
//! Texts of models repeat themselves: what is done for one floor is done for the next. A place that was written by mistake
//! often stands out (Ray, Hellendoorn, Godhane, Tu, Bacchelli, Devanbu 2016), so of two changes that mend a property alike, the one
//! that makes its line more like the others is the likelier. Likelihoods are those of three tokens in a row.

use std::collections::HashMap;
use std::hash::Hash;

use wherefore_base::Span;

/// How often tokens follow each other in a text.
pub struct Likeness<'t> {
    text: &'t str,
    /// The byte where each line begins, and one past the last.
    lines: Vec<usize>,
    counts: TokenCounts<'t>,
    /// The counts of lines that were looked at, by where they begin and end.
    own: HashMap<(usize, usize), TokenCounts<'t>>,
}

/// Before the first token of a line and after its last.
const EDGE: &str = "\n";

impl<'t> Likeness<'t> {
    /// Counts the tokens of a text.
    pub fn new(text: &'t str) -> Self {
        let begins = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut lines: Vec<usize> = std::iter::once(0).chain(begins).collect();
        lines.push(text.len());
        let mut counts = TokenCounts::default();
        for line in lines.windows(2) {
            counts.add(&tokens(&text[line[0]..line[1]]));
        }
        Self {
            text,
            lines,
            counts,
            own: HashMap::new(),
        }
    }

    /// How much likelier the lines of a stretch become, judged by the other lines, if another text stands there: a
    /// logarithm.
    pub fn gain(&mut self, span: Span, instead: &str) -> f64 {
        let (start, end) = (span.start as usize, span.end as usize);
        let first = self.lines.partition_point(|&begin| begin <= start) - 1;
        let last = self
            .lines
            .partition_point(|&begin| begin < end.max(start + 1));
        let (from, to) = (
            self.lines[first],
            self.lines[last.min(self.lines.len() - 1)].max(end),
        );
        let before = &self.text[from..to];
        let after = [&self.text[from..start], instead, &self.text[end..to]].concat();
        let (own, new) = (tokens(before), tokens(&after));
        // Only what is near the change differs.
        let alike = |pair: &(&&str, &&str)| pair.0 == pair.1;
        let head = own.iter().zip(&new).take_while(alike).count();
        let tail = own
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take_while(alike)
            .count();
        let tail = tail.min(own.len().min(new.len()) - head);
        let near = |tokens: &'_ [&'_ str]| {
            let from = head.saturating_sub(2);
            let to = (tokens.len() - tail + 2).min(tokens.len());
            (from, to)
        };
        let (own_from, own_to) = near(&own);
        let (new_from, new_to) = near(&new);
        self.own.entry((from, to)).or_insert_with(|| {
            let mut counts = TokenCounts::default();
            counts.add(&own);
            counts
        });
        let counts = &self.own[&(from, to)];
        self.likelihood(&new[new_from..new_to], counts)
            - self.likelihood(&own[own_from..own_to], counts)
    }

    /// The logarithm of how likely tokens are, judged by the text without the lines that are counted in `own`.
    fn likelihood(&self, tokens: &[&str], own: &TokenCounts<'_>) -> f64 {
        let all = &self.counts;
        let mut sum = 0.0;
        for three in tokens.windows(3) {
            let [a, b, c] = [three[0], three[1], three[2]];
            let of_three = without(&all.three, &own.three, &[a, b, c]);
            let of_two = without(&all.two, &own.two, &[a, b]);
            let last_two = without(&all.two, &own.two, &[b, c]);
            let of_b = without(&all.one, &own.one, &b);
            let of_c = without(&all.one, &own.one, &c);
            // A token that the text has nowhere else is possible, too.
            let alone = (of_c + 1.0) / (all.tokens + 50.0);
            let likely =
                0.5 * of_three / of_two.max(1.0) + 0.3 * last_two / of_b.max(1.0) + 0.2 * alone;
            sum += likely.ln();
        }
        sum
    }
}

/// How often something is counted in a text without some of its lines.
fn without<K: Hash + Eq>(all: &HashMap<K, f64>, own: &HashMap<K, f64>, key: &K) -> f64 {
    let count = |counts: &HashMap<K, f64>| counts.get(key).copied().unwrap_or(0.0);
    (count(all) - count(own)).max(0.0)
}

/// How often tokens stand alone, in pairs and in threes.
#[derive(Default)]
struct TokenCounts<'t> {
    one: HashMap<&'t str, f64>,
    two: HashMap<[&'t str; 2], f64>,
    three: HashMap<[&'t str; 3], f64>,
    tokens: f64,
}

impl<'t> TokenCounts<'t> {
    fn add(&mut self, tokens: &[&'t str]) {
        for &token in tokens {
            *self.one.entry(token).or_default() += 1.0;
            self.tokens += 1.0;
        }
        for pair in tokens.windows(2) {
            *self.two.entry([pair[0], pair[1]]).or_default() += 1.0;
        }
        for three in tokens.windows(3) {
            let three = [three[0], three[1], three[2]];
            *self.three.entry(three).or_default() += 1.0;
        }
    }
}

/// The tokens of some lines with what stands before the first and after the last: names, numbers and signs; comments of
/// one line left out.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = vec![EDGE, EDGE];
    for line in text.lines() {
        let code = line.split("--").next().unwrap_or_default();
        let mut rest = code.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
            let end = if word(first) {
                rest.find(|c: char| !word(c)).unwrap_or(rest.len())
            } else {
                let two = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
                let signs = ["!=", "<=", ">=", ":=", "->", "..", "=>"];
                if signs.contains(&&rest[..two]) {
                    two
                } else {
                    first.len_utf8()
                }
            };
            found.push(&rest[..end]);
            rest = rest[end..].trim_start();
        }
    }
    found.extend([EDGE, EDGE]);
    found
}
