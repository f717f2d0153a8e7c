//! Random queries, and their texts.

use std::fmt;

use wherefore_testkit::campaign::Rng;

use super::{Chain, Condition, Direction, Link, Query, Returned, Spot};

const NODES: [&str; 3] = ["a", "b", "c"];
const LINKS: [&str; 3] = ["r", "s", "t"];

/// Makes queries.
pub(crate) struct Generator<'r> {
    rng: &'r mut Rng,
    /// The names of nodes and links used so far.
    nodes: Vec<&'static str>,
    links: usize,
    /// Whether a link of any length is there already: more would be too many assignments.
    long: bool,
}

impl<'r> Generator<'r> {
    pub(crate) fn new(rng: &'r mut Rng) -> Self {
        Self {
            rng,
            nodes: Vec::new(),
            links: 0,
            long: false,
        }
    }

    pub(crate) fn query(mut self) -> Query {
        let count = 1 + self.rng.below(2);
        let mut paths: Vec<Chain> = Vec::new();
        for number in 0..count {
            let links = if number == 0 {
                self.rng.below(3)
            } else {
                self.rng.below(2)
            };
            let mut chain = Chain {
                spots: vec![self.spot(number == 0)],
                links: vec![],
            };
            for _ in 0..links {
                chain.links.push(self.link());
                chain.spots.push(self.spot(false));
            }
            paths.push(chain);
        }
        let ordered = self.rng.chance(1, 3);
        Query {
            paths,
            condition: self.condition(2),
            returned: match self.rng.chance(1, 4) {
                true => Returned::Count,
                false => Returned::Columns,
            },
            distinct: self.rng.chance(1, 4),
            ordered,
            limit: (ordered && self.rng.chance(1, 2)).then(|| self.rng.below(4)),
        }
    }

    fn spot(&mut self, named: bool) -> Spot {
        let name = (named || self.rng.chance(2, 3)).then(|| *self.rng.pick(&NODES));
        if let Some(name) = name
            && !self.nodes.contains(&name)
        {
            self.nodes.push(name);
        }
        Spot {
            name,
            ..Spot::random(self.rng, "a")
        }
    }

    fn link(&mut self) -> Link {
        let name = self.rng.chance(1, 2).then_some(LINKS[self.links % 3]);
        self.links += usize::from(name.is_some());
        let lengths = [
            (0, Some(2)),
            (1, Some(3)),
            (2, Some(2)),
            (1, Some(1)),
            (0, Some(0)),
        ];
        let length = (!self.long && self.rng.chance(1, 3)).then(|| *self.rng.pick(&lengths));
        self.long = self.long || length.is_some();
        Link {
            name,
            types: match self.rng.below(4) {
                0 => vec!["A"],
                1 => vec!["A", "BAD"],
                _ => vec![],
            },
            direction: *self
                .rng
                .pick(&[Direction::Out, Direction::In, Direction::Both]),
            length,
            tag: self.rng.chance(1, 5).then_some("neutral"),
        }
    }

    fn condition(&mut self, depth: usize) -> Condition {
        let node = |this: &mut Self| *this.rng.pick(&this.nodes);
        match self.rng.below(if depth > 0 { 10 } else { 6 }) {
            0 => Condition::True,
            1 => {
                let sign = *self.rng.pick(&["=", "<>", "<", ">="]);
                Condition::Id(node(self), sign, self.rng.between(-1, 3))
            }
            2 => {
                let labels = ["INITIALSTATE", "NEIGHBOURHOOD", "IS_FINAL", "IS_SINK"];
                Condition::Label(node(self), self.rng.pick::<&str>(&labels))
            }
            3 => Condition::Kind(
                node(self),
                self.rng.pick::<&str>(&["cn", "in", "ci", "cin"]),
            ),
            4 => Condition::Same(node(self), node(self)),
            5 => Condition::Step(node(self), node(self)),
            6 | 7 => Condition::Not(Box::new(self.condition(depth - 1))),
            8 => {
                let (one, two) = (self.condition(depth - 1), self.condition(depth - 1));
                Condition::And(Box::new(one), Box::new(two))
            }
            _ => {
                let (one, two) = (self.condition(depth - 1), self.condition(depth - 1));
                Condition::Or(Box::new(one), Box::new(two))
            }
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<String> = self.paths.iter().map(Chain::to_string).collect();
        write!(f, "MATCH {} WHERE {} ", paths.join(", "), self.condition)?;
        let mut nodes: Vec<&str> = Vec::new();
        for spot in self.paths.iter().flat_map(|path| &path.spots) {
            if let Some(name) = spot.name
                && !nodes.contains(&name)
            {
                nodes.push(name);
            }
        }
        let links = self.paths.iter().flat_map(|path| &path.links);
        let links = links.filter_map(|link| link.name.map(|name| (name, link.length.is_some())));
        let columns: Vec<String> = match self.returned {
            Returned::Count => vec![format!("{}.id", nodes[0]), "count(*)".to_string()],
            Returned::Columns => {
                let nodes = nodes.iter().map(|name| format!("{name}.id"));
                let links = links.map(|(name, list)| match list {
                    true => format!("[x IN {name} | x.id]"),
                    false => format!("[{name}.id]"),
                });
                nodes.chain(links).collect()
            }
        };
        let named: Vec<String> = (columns.iter().enumerate())
            .map(|(at, column)| format!("{column} AS c{at}"))
            .collect();
        let distinct = if self.distinct { "DISTINCT " } else { "" };
        write!(f, "RETURN {distinct}{}", named.join(", "))?;
        if self.ordered {
            let keys: Vec<String> = (0..columns.len()).map(|at| format!("c{at}")).collect();
            write!(f, " ORDER BY {}", keys.join(", "))?;
        }
        match self.limit {
            Some(limit) => write!(f, " LIMIT {limit}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.spots[0])?;
        for (link, spot) in self.links.iter().zip(&self.spots[1..]) {
            write!(f, "{link}{spot}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name.unwrap_or(""))?;
        if let Some(label) = self.label {
            write!(f, ":{label}")?;
        }
        if let Some(id) = self.id {
            write!(f, " {{id: {id}}}")?;
        }
        write!(f, ")")
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = if let Direction::In = self.direction {
            "<"
        } else {
            ""
        };
        write!(f, "{left}-[{}", self.name.unwrap_or(""))?;
        if !self.types.is_empty() {
            write!(f, ":`{}`", self.types.join("`|`"))?;
        }
        match self.length {
            Some((least, Some(most))) => write!(f, "*{least}..{most}")?,
            Some((least, None)) => write!(f, "*{least}..")?,
            None => {}
        }
        if let Some(tag) = self.tag {
            write!(f, " {{tag: '{tag}'}}")?;
        }
        let right = if let Direction::Out = self.direction {
            ">"
        } else {
            ""
        };
        write!(f, "]-{right}")
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::True => write!(f, "true"),
            Condition::Id(name, sign, number) => write!(f, "{name}.id {sign} {number}"),
            Condition::Label(name, label) => write!(f, "{name}:{label}"),
            Condition::Kind(name, kind) => write!(f, "{name}.kind = '{kind}'"),
            Condition::Same(one, two) => write!(f, "{one} = {two}"),
            Condition::Step(one, two) => write!(f, "({one})-->({two})"),
            Condition::Not(inner) => write!(f, "NOT ({inner})"),
            Condition::And(one, two) => write!(f, "({one} AND {two})"),
            Condition::Or(one, two) => write!(f, "({one} OR {two})"),
        }
    }
}
