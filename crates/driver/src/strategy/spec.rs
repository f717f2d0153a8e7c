//! Strategies as a user writes them: `avoid:floor = 1`, `random:7`, `script:mine.rhai`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use wherefore_view::clean;

/// Every spelling, with what it asks for.
pub const SPELLINGS: [(&str, &str); 20] = [
    ("random", "random[:SEED]"),
    ("smallest", "smallest"),
    ("prefer", "prefer:EXPR"),
    ("avoid", "avoid:EXPR"),
    ("explored", "explored"),
    ("new", "new"),
    ("stay", "stay"),
    ("alternate", "alternate:EXPR;EXPR"),
    ("follow", "follow:FILE"),
    ("nearest", "nearest:VAR=VALUE,..."),
    ("farthest", "farthest:VAR=VALUE,..."),
    ("loop", "loop:STEPS"),
    ("loop-through", "loop-through:EXPR"),
    ("cheapest", "cheapest:TRIES"),
    ("partial", "partial:STEPS"),
    ("pattern", "pattern"),
    ("like", "like:FILE"),
    ("ask", "ask"),
    ("script", "script:FILE"),
    ("file", "file:FILE"),
];

/// A strategy as a user writes it. It is bound to no model yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrategySpec {
    text: String,
    pub(super) kind: Kind,
}

impl StrategySpec {
    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The condition of a `prefer:` or an `avoid:`, and whether it is wanted.
    pub(crate) fn condition(&self) -> Option<(&str, bool)> {
        match &self.kind {
            Kind::Where(piece, wanted) => Some((piece.text.trim(), *wanted)),
            _ => None,
        }
    }

    /// Whether it neither reads a file nor asks anybody.
    pub fn is_self_contained(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Follow(_) | Kind::Like(_) | Kind::Ask | Kind::Script(_) | Kind::List(_)
        )
    }
}

impl fmt::Display for StrategySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why a text is no strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadSpec {
    /// What is wrong: a whole sentence without its full stop.
    pub message: String,
    /// The bytes of the text it is about.
    pub at: Range<usize>,
}

impl fmt::Display for BadSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BadSpec {}

/// A piece of the text of a strategy: an expression, a name, a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    /// Where it starts in the text of the strategy.
    pub(super) at: usize,
}

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Random(u64),
    Smallest,
    Where(Piece, bool),
    Known(bool),
    Stay,
    Alternate(Piece, Piece),
    Follow(Piece),
    Distance(Vec<(Piece, Piece)>, bool),
    Loop(u32),
    LoopThrough(Piece),
    Cheapest(usize),
    Partial(u32),
    Pattern,
    Like(Piece),
    Ask,
    Script(Piece),
    List(Piece),
}

impl FromStr for StrategySpec {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(piece(rest, name.len() + 1))),
            None => (text, None),
        };
        let name = piece(name, 0);
        let reader = Reader {
            text,
            argument: rest.filter(|rest| !rest.text.is_empty()),
        };
        Ok(Self {
            text: text.trim().to_string(),
            kind: reader.kind(&name)?,
        })
    }
}

struct Reader<'t> {
    text: &'t str,
    argument: Option<Piece>,
}

impl Reader<'_> {
    fn kind(self, name: &Piece) -> Result<Kind, BadSpec> {
        let usage = SPELLINGS.iter().find(|(known, _)| *known == name.text);
        let Some((_, usage)) = usage else {
            return Err(unknown(name));
        };
        let kind = match &*name.text {
            "random" => Kind::Random(match &self.argument {
                Some(seed) => number(seed, "the seed")?,
                None => 0,
            }),
            "prefer" => Kind::Where(self.needed(usage)?, true),
            "avoid" => Kind::Where(self.needed(usage)?, false),
            "alternate" => {
                let (first, second) = self.pair(usage)?;
                Kind::Alternate(first, second)
            }
            "follow" => Kind::Follow(self.needed(usage)?),
            "nearest" => Kind::Distance(self.valuation(usage)?, true),
            "farthest" => Kind::Distance(self.valuation(usage)?, false),
            "loop" => Kind::Loop(number(&self.needed(usage)?, "the number of steps")?),
            "loop-through" => Kind::LoopThrough(self.needed(usage)?),
            "cheapest" => Kind::Cheapest(number(&self.needed(usage)?, "the number of tries")?),
            "partial" => Kind::Partial(number(&self.needed(usage)?, "the number of steps")?),
            "like" => Kind::Like(self.needed(usage)?),
            "script" => Kind::Script(self.needed(usage)?),
            "file" => Kind::List(self.needed(usage)?),
            "smallest" => self.alone(Kind::Smallest)?,
            "explored" => self.alone(Kind::Known(true))?,
            "new" => self.alone(Kind::Known(false))?,
            "stay" => self.alone(Kind::Stay)?,
            "pattern" => self.alone(Kind::Pattern)?,
            _ => self.alone(Kind::Ask)?,
        };
        Ok(kind)
    }

    fn alone(self, kind: Kind) -> Result<Kind, BadSpec> {
        match self.argument {
            None => Ok(kind),
            Some(argument) => Err(BadSpec {
                message: "this strategy takes nothing after its name".to_string(),
                at: range(&argument),
            }),
        }
    }

    fn needed(self, usage: &str) -> Result<Piece, BadSpec> {
        self.argument.ok_or_else(|| BadSpec {
            message: format!("something is missing; write `{usage}`"),
            at: 0..self.text.len(),
        })
    }

    fn pair(self, usage: &str) -> Result<(Piece, Piece), BadSpec> {
        let both = self.needed(usage)?;
        match <[Piece; 2]>::try_from(pieces(&both, ';')) {
            Ok([first, second]) if !first.text.is_empty() && !second.text.is_empty() => {
                Ok((first, second))
            }
            _ => Err(BadSpec {
                message: format!("two conditions are needed; write `{usage}`"),
                at: range(&both),
            }),
        }
    }

    fn valuation(self, usage: &str) -> Result<Vec<(Piece, Piece)>, BadSpec> {
        let all = self.needed(usage)?;
        let values = pieces(&all, ',').into_iter().map(|part| {
            match <[Piece; 2]>::try_from(pieces(&part, '=')) {
                Ok([var, value]) if !var.text.is_empty() && !value.text.is_empty() => {
                    Ok((var, value))
                }
                _ => Err(BadSpec {
                    message: format!("a variable and its value are needed; write `{usage}`"),
                    at: range(&part),
                }),
            }
        });
        values.collect()
    }
}

fn unknown(name: &Piece) -> BadSpec {
    let names = SPELLINGS.iter().map(|(name, _)| *name);
    let advice = match wherefore_base::nearest(&name.text, names.clone(), 2) {
        Some(near) => format!("did you mean `{near}`? "),
        None => String::new(),
    };
    let usages: Vec<&str> = SPELLINGS.iter().map(|(_, usage)| *usage).collect();
    BadSpec {
        message: format!(
            "there is no strategy `{}`; {advice}take one of {}",
            clean(&name.text),
            usages.join(", ")
        ),
        at: range(name),
    }
}

fn number<T: FromStr>(piece: &Piece, what: &str) -> Result<T, BadSpec> {
    piece.text.parse().map_err(|_| BadSpec {
        message: format!("{what} is a number, as 3, but not `{}`", clean(&piece.text)),
        at: range(piece),
    })
}

fn range(piece: &Piece) -> Range<usize> {
    piece.at..piece.at + piece.text.len()
}

/// A part of a text that starts at an offset, without white space around it.
fn piece(part: &str, at: usize) -> Piece {
    Piece {
        text: part.trim().to_string(),
        at: at + part.len() - part.trim_start().len(),
    }
}

/// The parts of a piece between separators.
fn pieces(whole: &Piece, separator: char) -> Vec<Piece> {
    let mut at = whole.at;
    let parts = whole.text.split(separator).map(|part| {
        let start = at;
        at += part.len() + separator.len_utf8();
        piece(part, start)
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Kind {
        text.parse::<StrategySpec>().expect(text).kind
    }

    fn wrong(text: &str) -> (String, Range<usize>) {
        let bad = text.parse::<StrategySpec>().expect_err(text);
        (bad.message, bad.at)
    }

    #[test]
    fn every_spelling_is_read() {
        assert_eq!(kind("random"), Kind::Random(0));
        assert_eq!(kind("random:7"), Kind::Random(7));
        assert_eq!(kind(" stay "), Kind::Stay);
        let Kind::Where(piece, true) = kind("prefer: x = 1") else {
            panic!("it prefers");
        };
        assert_eq!((&*piece.text, piece.at), ("x = 1", 8));
        let Kind::Alternate(first, second) = kind("alternate:a; b") else {
            panic!("it alternates");
        };
        assert_eq!((&*first.text, &*second.text, second.at), ("a", "b", 13));
        let Kind::Distance(values, false) = kind("farthest:x=1, y = on") else {
            panic!("it measures");
        };
        assert_eq!(&*values[1].1.text, "on");
        for (name, usage) in SPELLINGS {
            let text = usage.replace("EXPR", "x").replace("VAR=VALUE,...", "x=1");
            let text = text.replace("STEPS", "3").replace("TRIES", "3");
            let text = text.replace("[:SEED]", ":3");
            assert!(text.parse::<StrategySpec>().is_ok(), "{name}");
        }
    }

    #[test]
    fn a_wrong_text_says_where_and_what_to_write() {
        let (message, at) = wrong("prefre:x");
        assert!(message.contains("did you mean `prefer`?"), "{message}");
        assert!(message.contains("loop-through:EXPR"), "{message}");
        assert_eq!(at, 0..6);
        assert_eq!(wrong("loop:many").1, 5..9);
        assert_eq!(wrong("stay:here").1, 5..9);
        assert!(wrong("avoid:").0.contains("write `avoid:EXPR`"));
        assert!(wrong("alternate:x").0.contains("two conditions"));
        assert_eq!(wrong("nearest:x=1,y").1, 12..13);
        assert!(wrong("").0.contains("there is no strategy"));
        assert!(wrong("random:-1").0.contains("the seed"));
    }
}
