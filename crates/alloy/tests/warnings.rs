//! No warning is false: what is said not to matter can be left out, and nothing changes.
//!
//! Formulas are made at random. Where a warning says that an expression is empty or does not matter, the
//! expression is replaced by the empty one, and the two formulas are checked to be the same in a small scope.

use wherefore_alloy::{LoweringOptions, lower};
use wherefore_base::{Budget, Diagnostic};
use wherefore_relational::{Search, SearchOptions};
use wherefore_sat::Batsat;

use crate::common::read;

const SIGNATURES: &str = "abstract sig P { r: set P } sig A, B extends P { f: set C } \
    sig C { g: A -> B, h: lone A } sig D in A + C { k: set B } one sig E extends C { m: set A }\n";

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % most
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    /// An expression with so many columns.
    fn expression(&mut self, columns: usize, depth: usize) -> String {
        if depth == 0 || self.below(5) == 0 {
            return match columns {
                1 => self.one_of(&["P", "A", "B", "C", "D", "E", "univ"]),
                2 => self.one_of(&["r", "(A <: f)", "(B <: f)", "h", "k", "m", "iden"]),
                _ => "g",
            }
            .to_owned();
        }
        let less = depth - 1;
        match self.below(if columns == 2 { 8 } else { 6 }) {
            0 => {
                let left = 1 + self.below(columns.min(2));
                let right = columns + 2 - left;
                let (left, right) = if right > 3 {
                    (2, columns)
                } else {
                    (left, right)
                };
                let (a, b) = (self.expression(left, less), self.expression(right, less));
                format!("({a}.{b})")
            }
            1 | 2 => {
                let sign = self.one_of(&["+", "&", "-", "++", "else"]);
                let (a, b) = (
                    self.expression(columns, less),
                    self.expression(columns, less),
                );
                match sign {
                    "else" => format!("(some C => {a} else {b})"),
                    "++" if columns == 1 => a,
                    _ => format!("({a} {sign} {b})"),
                }
            }
            3 if columns > 1 => {
                let (a, b) = (self.expression(1, less), self.expression(columns, less));
                format!("({a} <: {b})")
            }
            4 if columns > 1 => {
                let (a, b) = (self.expression(columns, less), self.expression(1, less));
                format!("({a} :> {b})")
            }
            5 if columns > 1 => {
                let (a, b) = (self.expression(1, less), self.expression(columns - 1, less));
                format!("({a} -> {b})")
            }
            6 | 7 => {
                let sign = self.one_of(&["~", "^", "*"]);
                let a = self.expression(2, less);
                format!("{sign}{a}")
            }
            _ => self.expression(columns, less),
        }
    }

    fn formula(&mut self) -> String {
        let columns = 1 + self.below(3);
        let a = self.expression(columns, 3);
        if self.below(2) == 0 {
            let how_many = self.one_of(&["some", "no", "lone", "one"]);
            return format!("{how_many} {a}");
        }
        let b = self.expression(columns, 3);
        let sign = self.one_of(&["in", "="]);
        format!("{a} {sign} {b}")
    }
}

/// Whether two formulas say the same in a small scope; `None` if the second cannot be read.
fn same(one: &str, other: &str) -> Option<bool> {
    let text = format!("{SIGNATURES} check {{ ({one}) iff ({other}) }} for 2");
    let (_, loaded) = read("model.als", &text);
    if loaded.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let command = &loaded.model.commands[0];
    let lowered = lower(&loaded.model, command, &LoweringOptions::default()).expect("it fits");
    let budget = Budget::unlimited();
    let search = Search::<Batsat>::new(&lowered.problem, &SearchOptions::default(), &budget);
    let found = search.expect("it fits").next(&budget).expect("no limit");
    Some(found.is_none())
}

#[test]
fn what_a_warning_says_does_not_matter_does_not_matter() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut kinds = std::collections::BTreeMap::new();
    for _ in 0..800 {
        let formula = random.formula();
        let begin = format!("{SIGNATURES} run {{ ");
        let (_, loaded) = read("model.als", &format!("{begin}{formula} }}"));
        if loaded.diagnostics.iter().any(Diagnostic::is_error) {
            continue;
        }
        for warning in &loaded.diagnostics {
            let span = warning.span().expect("a warning has a place");
            let (start, end) = (
                span.start as usize - begin.len(),
                span.end as usize - begin.len(),
            );
            let part = &formula[start..end];
            let (before, after) = (&formula[..start], &formula[end..]);
            let closure = warning.message.starts_with("This closure");
            let overrides = warning.message.starts_with("Nothing is overridden");
            let itself = warning.message.starts_with("Both sides of");
            let of_sides = warning.message.contains("in common");
            let agrees = if of_sides {
                // What the two sides have in common is nothing.
                let sign = if part.contains(" in ") { " in " } else { " = " };
                let (a, b) = part.split_once(sign).expect("it is a comparison");
                same("some univ", &format!("no ({a} & {b}) and some univ"))
            } else if itself {
                same(&formula, "no none")
            } else if overrides {
                let sign = outermost_override(part);
                let plain = format!("{} + {}", &part[..sign], &part[sign + 2..]);
                same(&formula, &format!("{before}{plain}{after}"))
            } else if closure && part.starts_with('*') {
                let plain = format!("({} + iden)", &part[1..]);
                same(&formula, &format!("{before}{plain}{after}"))
            } else if closure {
                same(&formula, &format!("{before}{}{after}", &part[1..]))
            } else {
                let empty = ["none", "(none -> none)", "(none -> none -> none)"];
                let replaced = empty.map(|empty| format!("{before}{empty}{after}"));
                replaced.iter().find_map(|other| same(&formula, other))
            };
            assert_eq!(
                agrees,
                Some(true),
                "{}: `{part}` in `{formula}`",
                warning.message
            );
            *kinds.entry(warning.message.clone()).or_insert(0) += 1;
        }
    }
    assert!(kinds.len() >= 10, "{kinds:?}");
}

/// Where the `++` of an expression stands that is in the fewest parentheses.
fn outermost_override(part: &str) -> usize {
    let depth = |at: usize| {
        let count = |sign: char| part[..at].matches(sign).count();
        count('(') - count(')')
    };
    let places = part.match_indices("++").map(|(at, _)| at);
    places.min_by_key(|&at| depth(at)).expect("there is one")
}
