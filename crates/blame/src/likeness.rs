//! How well a change fits to the rest of a text.
//!
//! Texts of models repeat themselves: what is done for one floor is done for the next. A place that was written by mistake
//! often stands out (Ray, Hellendoorn, Godhane, Tu, Bacchelli, Devanbu 2016), so of two changes that mend a property alike, the one
//! that makes its line more like the others is the likelier. Likelihoods are those of three tokens in a row.

use std::hash::Hash;

use rustc_hash::FxHashMap;
use wherefore_base::Span;

/// How often tokens follow each other in a text.
pub struct Likeness<'t> {
    text: &'t str,
    /// The byte where each line begins, and one past the last.
    lines: Vec<usize>,
    /// The tokens of the text in order, each with where it begins and ends.
    tokens: Vec<(usize, usize, TokenId)>,
    ids: FxHashMap<&'t str, TokenId>,
    counts: TokenCounts,
    /// The counts of lines that were looked at, by where they begin and end.
    own: FxHashMap<(usize, usize), TokenCounts>,
}

/// A token by its number, so that equal ones are equal numbers.
type TokenId = u32;

/// Before the first token of a line and after its last, twice, so that each token has two before it.
const EDGE: TokenId = 0;
/// A token that the text has nowhere.
const UNKNOWN: TokenId = 1;

impl<'t> Likeness<'t> {
    /// Counts the tokens of a text.
    pub fn new(text: &'t str) -> Self {
        let begins = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut lines: Vec<usize> = std::iter::once(0).chain(begins).collect();
        lines.push(text.len());
        let mut ids: FxHashMap<&str, TokenId> = FxHashMap::default();
        let mut counts = TokenCounts::default();
        let mut all = Vec::new();
        for line in lines.windows(2) {
            let first = all.len();
            all.extend(tokens(&text[line[0]..line[1]]).map(|(start, token)| {
                let new = UNKNOWN + 1 + ids.len() as TokenId;
                let id = *ids.entry(token).or_insert(new);
                (line[0] + start, line[0] + start + token.len(), id)
            }));
            counts.add(&between_edges(all[first..].iter().map(|&(_, _, id)| id)));
        }
        Self {
            text,
            lines,
            tokens: all,
            ids,
            counts,
            own: FxHashMap::default(),
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
        let last = last.min(self.lines.len() - 1);
        let (from, to) = (self.lines[first], self.lines[last].max(end));
        let at = |byte: usize| self.tokens.partition_point(|&(begin, ..)| begin < byte);
        let own = &self.tokens[at(from)..at(to)];
        // What touches the change may become one token with it.
        let head = own.partition_point(|&(_, after, _)| after < start);
        let tail = own.partition_point(|&(begin, ..)| begin <= end).max(head);
        let near = [
            &self.text[head.checked_sub(1).map_or(from, |at| own[at].1)..start],
            instead,
            &self.text[end..own.get(tail).map_or(to, |token| token.0)],
        ];
        let near = near.concat();
        let new = tokens(&near).map(|(_, token)| self.ids.get(token).copied().unwrap_or(UNKNOWN));
        let ids = |part: &[(usize, usize, TokenId)]| -> Vec<TokenId> {
            part.iter().map(|&(_, _, id)| id).collect()
        };
        let (before, after) = (ids(&own[..head]), ids(&own[tail..]));
        let around = |middle: Vec<TokenId>| -> Vec<TokenId> {
            let whole = before.iter().copied().chain(middle);
            between_edges(whole.chain(after.iter().copied()))
        };
        let (new, old) = (around(new.collect()), around(ids(&own[head..tail])));
        self.own.entry((from, to)).or_insert_with(|| {
            let mut counts = TokenCounts::default();
            counts.add(&old);
            counts
        });
        let counts = &self.own[&(from, to)];
        let [new, old] = where_they_differ(&new, &old);
        self.likelihood(new, counts) - self.likelihood(old, counts)
    }

    /// The logarithm of how likely tokens are, judged by the text without the lines that are counted in `own`.
    fn likelihood(&self, tokens: &[TokenId], own: &TokenCounts) -> f64 {
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

/// Tokens with what stands before the first and after the last.
fn between_edges(tokens: impl Iterator<Item = TokenId>) -> Vec<TokenId> {
    let edges = || [EDGE, EDGE].into_iter();
    edges().chain(tokens).chain(edges()).collect()
}

/// Two rows of tokens without what they have in common at both ends, but for two tokens.
fn where_they_differ<'a>(a: &'a [TokenId], b: &'a [TokenId]) -> [&'a [TokenId]; 2] {
    let alike = |pair: &(&TokenId, &TokenId)| pair.0 == pair.1;
    let head = a.iter().zip(b).take_while(alike).count();
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(alike).count();
    let tail = tail.min(a.len().min(b.len()) - head);
    [a, b].map(|tokens| {
        let to = (tokens.len() - tail + 2).min(tokens.len());
        &tokens[head.saturating_sub(2)..to]
    })
}

/// How often something is counted in a text without some of its lines.
fn without<K: Hash + Eq>(all: &FxHashMap<K, f64>, own: &FxHashMap<K, f64>, key: &K) -> f64 {
    let count = |counts: &FxHashMap<K, f64>| counts.get(key).copied().unwrap_or(0.0);
    (count(all) - count(own)).max(0.0)
}

/// How often tokens stand alone, in pairs and in threes.
#[derive(Default)]
struct TokenCounts {
    one: FxHashMap<TokenId, f64>,
    two: FxHashMap<[TokenId; 2], f64>,
    three: FxHashMap<[TokenId; 3], f64>,
    tokens: f64,
}

impl TokenCounts {
    fn add(&mut self, tokens: &[TokenId]) {
        for &token in tokens {
            *self.one.entry(token).or_default() += 1.0;
            self.tokens += 1.0;
        }
        for pair in tokens.windows(2) {
            *self.two.entry([pair[0], pair[1]]).or_default() += 1.0;
        }
        for three in tokens.windows(3) {
            *self
                .three
                .entry([three[0], three[1], three[2]])
                .or_default() += 1.0;
        }
    }
}

/// The tokens of some lines, each with where it begins: names, numbers and signs; comments of one line left out.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut found = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
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
            found.push((begin + code.len() - rest.len(), &rest[..end]));
            rest = rest[end..].trim_start();
        }
        begin += line.len();
    }
    found.into_iter()
}
