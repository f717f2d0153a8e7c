//! Clauses: a formula as a piece of an English sentence.
//!
//! Short conditions are read aloud ("floor is 3", "btn3.r holds"); long ones stay in quotes. Temporal
//! operators are read through their kernels, so a negation never has to be said before one.

use wherefore_base::deep;
use wherefore_logic::{Bounds, Goal, Kernel, Op, PathPattern, Quantifier, kernel};

use super::{Sentence, add, count, formula, joined};
use crate::forms::peeled;
use crate::words::Telling;

/// The mood of a clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mood {
    /// "floor is 3", "p holds"
    Is,
    /// "floor must be 3", "p must hold"
    Must,
    /// "floor being 3", "p holding"
    Being,
}

/// A condition longer than this stays in quotes.
const LONG: usize = 60;
/// Operators nested deeper than this stay in quotes.
const DEEPEST: usize = 5;

impl Telling<'_> {
    /// A claim as a clause.
    pub(crate) fn clause(&self, goal: Goal, mood: Mood) -> Sentence {
        self.clause_at(goal, mood, 0)
    }

    /// Several claims as one clause.
    pub(crate) fn clause_of_all(&self, goals: &[Goal], mood: Mood) -> Sentence {
        let mut texts = Vec::new();
        for &goal in goals {
            add(&mut texts, self.clause(goal, mood));
        }
        joined(&texts, " and ")
    }

    fn clause_at(&self, goal: Goal, mood: Mood, depth: usize) -> Sentence {
        deep(|| self.clause_here(goal, mood, depth))
    }

    fn clause_here(&self, goal: Goal, mood: Mood, depth: usize) -> Sentence {
        let formula = &self.query.formula;
        let goal = peeled(formula, goal);
        if let Op::Const(value) = formula.op(goal.sub) {
            return constant(value == goal.holds, mood);
        }
        let text = self.sub(goal.sub);
        if let Op::Atom(_) = formula.op(goal.sub) {
            return condition(&text, goal.holds, mood);
        }
        if let Op::Linear(_) = formula.op(goal.sub) {
            return quoted(&text, goal.holds, mood);
        }
        if depth > DEEPEST || text.chars().count() > LONG && !is_path(formula.op(goal.sub)) {
            return quoted(&text, goal.holds, mood);
        }
        match (formula.op(goal.sub), goal.holds) {
            (Op::Iff(f, g), holds) | (Op::Xor(f, g), holds) => {
                let same = matches!(formula.op(goal.sub), Op::Iff(..)) == holds;
                let f = self.clause_at(Goal::holds(f), mood, depth + 1);
                let g = self.clause_at(Goal::holds(g), Mood::Is, depth + 1);
                let when = if same {
                    "exactly when"
                } else {
                    "exactly when not"
                };
                say!("{} {} {}", f, when, g)
            }
            (Op::Implies(f, g), true) => {
                let f = self.clause_at(Goal::holds(f), Mood::Is, depth + 1);
                let g = self.clause_at(Goal::holds(g), mood, depth + 1);
                say!("{} if {}", g, f)
            }
            (Op::And(..) | Op::Or(..) | Op::Implies(..), _) => self.joined(goal, mood, depth),
            _ => self.path_clause(goal, depth),
        }
    }

    /// A conjunction or a disjunction.
    fn joined(&self, goal: Goal, mood: Mood, depth: usize) -> Sentence {
        let formula = &self.query.formula;
        let Kernel::Branches(branches) = kernel(formula, goal) else {
            return quoted(&self.sub(goal.sub), goal.holds, mood);
        };
        let word = if branches.len() == 1 { "and" } else { "or" };
        let parts = branches.concat();
        let texts = parts.iter().map(|&part| {
            let part = peeled(formula, part);
            let text = self.clause_at(part, mood, depth + 1);
            // The other connective inside is set off by commas.
            let inner = match kernel(formula, part) {
                Kernel::Branches(inner) => (inner.len() == 1) != (word == "and"),
                Kernel::State => false,
                _ => true,
            };
            (text, inner)
        });
        let texts: Vec<(Sentence, bool)> = texts.collect();
        let mut clause = Sentence::default();
        for (at, (text, _)) in texts.iter().enumerate() {
            if at > 0 {
                let apart = texts[at - 1].1 || texts[at].1;
                clause = say!("{}{} {} ", clause, if apart { "," } else { "" }, word);
            }
            clause = say!("{}{}", clause, text);
        }
        clause
    }

    /// A claim about paths or next states.
    fn path_clause(&self, goal: Goal, depth: usize) -> Sentence {
        let all = |goals: &[Goal]| {
            let texts = goals
                .iter()
                .map(|&goal| self.clause_at(goal, Mood::Is, depth + 1));
            joined(&texts.collect::<Vec<_>>(), " and ")
        };
        let fair = self.fair();
        match kernel(&self.query.formula, goal) {
            Kernel::Step(Quantifier::Exists, f) if self.is_true(f) => "a step can be made".into(),
            Kernel::Step(Quantifier::Exists, f) => say!("in some next state {}", all(&[f])),
            Kernel::Step(Quantifier::Forall, f) => say!("in every next state {}", all(&[f])),
            Kernel::Path(PathPattern {
                quantifier,
                weak,
                stay,
                goal,
                ..
            }) => {
                let some = quantifier == Quantifier::Exists;
                match (goal, &stay[..]) {
                    (None, stay) => {
                        let when = if some {
                            say!("on some {}run", fair)
                        } else {
                            "from then on".into()
                        };
                        match stay.iter().map(|&f| peeled(&self.query.formula, f)).next() {
                            Some(f) if !f.holds => {
                                say!("{} it never happens that {}", when, all(&[f.negated()]))
                            }
                            _ => say!("{} always {}", when, all(stay)),
                        }
                    }
                    (Some(goal), []) if some => say!("it can happen that {}", all(&goal)),
                    (Some(goal), []) => say!("sooner or later {}", all(&goal)),
                    (Some(goal), stay) => {
                        let on = if some {
                            say!("on some {}run ", fair)
                        } else {
                            Sentence::default()
                        };
                        let until = if weak { "unless and until" } else { "until" };
                        let surely = if weak {
                            ""
                        } else {
                            ", which comes sooner or later"
                        };
                        say!("{}{} {} {}{}", on, all(stay), until, all(&goal), surely)
                    }
                }
            }
            Kernel::Bounded(bounds, pattern) => {
                let runs = match pattern.quantifier {
                    Quantifier::Exists => say!("on some {}run", fair),
                    Quantifier::Forall => say!("on every {}run", fair),
                };
                let (stay, steps) = (all(&pattern.stay), within(bounds));
                match pattern.goal {
                    None => say!("{} {} {}", runs, stay, throughout(bounds)),
                    Some(goal) if pattern.stay.is_empty() => {
                        say!("{} {} {}", runs, all(&goal), steps)
                    }
                    Some(goal) => say!("{} {} until {} {}", runs, stay, all(&goal), steps),
                }
            }
            Kernel::State | Kernel::Branches(_) => {
                quoted(&self.sub(goal.sub), goal.holds, Mood::Is)
            }
        }
    }

    fn is_true(&self, goal: Goal) -> bool {
        let goal = peeled(&self.query.formula, goal);
        self.query.formula.op(goal.sub) == Op::Const(goal.holds)
    }
}

fn is_path(op: Op) -> bool {
    matches!(op, Op::Path(..))
}

fn within(bounds: Bounds) -> Sentence {
    match bounds.least {
        0 => say!("within {}", count(bounds.most as usize, "step")),
        least => say!("after {} to {} steps", least, bounds.most),
    }
}

fn throughout(bounds: Bounds) -> Sentence {
    match bounds.least {
        0 => say!("for {}", count(bounds.most as usize, "step")),
        least => say!(
            "from step {} to step {} counted from there",
            least,
            bounds.most
        ),
    }
}

fn constant(holds: bool, mood: Mood) -> Sentence {
    let text = match (holds, mood) {
        (true, Mood::Being) => "anything being so",
        (false, Mood::Being) => "nothing being so",
        (true, _) => "anything is so",
        (false, _) => "the impossible is so",
    };
    text.into()
}

/// "`a very long condition` holds".
fn quoted(text: &str, holds: bool, mood: Mood) -> Sentence {
    say!("{} {}", formula(text), holding(holds, mood))
}

fn holding(holds: bool, mood: Mood) -> &'static str {
    match (mood, holds) {
        (Mood::Is, true) => "holds",
        (Mood::Is, false) => "does not hold",
        (Mood::Must, true) => "must hold",
        (Mood::Must, false) => "must not hold",
        (Mood::Being, true) => "holding",
        (Mood::Being, false) => "not holding",
    }
}

/// A basic condition, read from its text: "floor is 3", "p does not hold".
pub(crate) fn condition(text: &str, holds: bool, mood: Mood) -> Sentence {
    if is_name(text) {
        return say!("{} {}", text, holding(holds, mood));
    }
    let Some((left, sign, right)) = comparison(text) else {
        return quoted(text, holds, mood);
    };
    let truth = match right {
        "TRUE" => Some(true),
        "FALSE" => Some(false),
        _ => None,
    };
    if let (Some(truth), "=" | "!=") = (truth, sign) {
        let holds = (truth == (sign == "=")) == holds;
        return say!("{} {}", left, holding(holds, mood));
    }
    let (what, holds) = match (sign, holds) {
        ("=", holds) => ("", holds),
        ("!=", holds) => ("", !holds),
        ("in", holds) => ("one of ", holds),
        ("<", true) | (">=", false) => ("less than ", true),
        ("<=", true) | (">", false) => ("at most ", true),
        (">", true) | ("<=", false) => ("more than ", true),
        _ => ("at least ", true),
    };
    let is = match (mood, holds) {
        (Mood::Is, true) => "is",
        (Mood::Is, false) => "is not",
        (Mood::Must, true) => "must be",
        (Mood::Must, false) => "must not be",
        (Mood::Being, true) => "being",
        (Mood::Being, false) => "not being",
    };
    let right = right.trim_start_matches('{').trim_end_matches('}').trim();
    say!("{} {} {}{}", left, is, what, right)
}

/// The two sides of a text that is nothing but a comparison of short things.
fn comparison(text: &str) -> Option<(&str, &'static str, &str)> {
    const SIGNS: [&str; 7] = ["!=", "<=", ">=", "=", "<", ">", " in "];
    let (at, sign) = text.char_indices().find_map(|(at, _)| {
        let sign = SIGNS
            .into_iter()
            .find(|sign| text[at..].starts_with(sign))?;
        Some((at, sign))
    })?;
    let (left, right) = (text[..at].trim(), text[at + sign.len()..].trim());
    let is_set = |side: &str| side.starts_with('{') && side.ends_with('}');
    let short = |side: &str| {
        let plain = |c: char| c.is_alphanumeric() || "_.[]#$-".contains(c);
        !side.is_empty() && side.chars().count() <= LONG / 2 && side.chars().all(plain)
    };
    let member = |side: &str| {
        is_set(side)
            && side.len() > 1
            && side[1..side.len() - 1].split(',').all(|m| short(m.trim()))
    };
    let fits = match sign {
        " in " => short(left) && member(right),
        _ => short(left) && short(right),
    };
    fits.then_some((left, sign.trim(), right))
}

/// Whether a text is only the name of something.
fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_alphanumeric() || "_.[]#$".contains(c);
    text.chars().count() <= LONG / 2
        && text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, holds: bool, mood: Mood) -> String {
        condition(text, holds, mood).to_string()
    }

    #[test]
    fn conditions_are_read_aloud() {
        assert_eq!(read("floor = 3", true, Mood::Is), "floor is 3");
        assert_eq!(read("floor = 3", false, Mood::Being), "floor not being 3");
        assert_eq!(read("floor!=1", true, Mood::Is), "floor is not 1");
        assert_eq!(read("n < 3", false, Mood::Must), "n must be at least 3");
        assert_eq!(read("n >= 3", false, Mood::Is), "n is less than 3");
        assert_eq!(read("btn3.r", true, Mood::Must), "btn3.r must hold");
        assert_eq!(read("p = FALSE", true, Mood::Is), "p does not hold");
        assert_eq!(read("d in {a, b}", true, Mood::Is), "d is one of a, b");
    }

    #[test]
    fn what_is_too_long_or_too_odd_stays_in_quotes() {
        let sum = read("a + b = 3", true, Mood::Is);
        assert_eq!(sum, "`a + b = 3` holds");
        let long = "x".repeat(40);
        assert_eq!(
            read(&long, false, Mood::Is),
            format!("`{long}` does not hold")
        );
        assert_eq!(read("a = b = c", true, Mood::Is), "`a = b = c` holds");
        assert_eq!(read("größe = 3", true, Mood::Is), "größe is 3");
    }
}
