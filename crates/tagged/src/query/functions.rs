//! The functions of queries, grouped by the sort of value they are called with.

use std::rc::Rc;

use super::ast::{QueryFunction, SourceMark};
use super::engine::{Do, QueryEngine};
use super::eval::wrong;
use super::graph::{NODE_PROPERTIES, RELATIONSHIP_PROPERTIES};
use super::operators::{LARGEST, TOO_LARGE, plain};
use super::value::{QueryPath, QueryValue};

impl QueryEngine<'_> {
    pub(super) fn call(
        &mut self,
        function: QueryFunction,
        given: &[QueryValue],
        mark: SourceMark,
    ) -> Do<QueryValue> {
        match function {
            QueryFunction::Coalesce => {
                let known = given.iter().find(|value| !value.is_null());
                return Ok(known.cloned().unwrap_or(QueryValue::Null));
            }
            QueryFunction::Exists => return Ok(QueryValue::Bool(!given[0].is_null())),
            _ if given.iter().any(QueryValue::is_null) => return Ok(QueryValue::Null),
            _ => {}
        }
        // The first argument decides: `size` and `reverse` differ between lists and texts.
        let value = match given {
            [QueryValue::Int(number), rest @ ..] => {
                self.of_integer(function, *number, rest, mark)?
            }
            [QueryValue::Float(number)] => of_float(function, *number),
            [QueryValue::Text(text), rest @ ..] => of_text(function, text, rest, mark)?,
            [QueryValue::List(list)] => of_list(function, list),
            [QueryValue::Path(path)] => self.of_path(function, path),
            [element] => self.of_element(function, element),
            _ => None,
        };
        value.map_or_else(
            || {
                let sorts: Vec<&str> = given.iter().map(QueryValue::sort).collect();
                let message = format!(
                    "`{}` cannot be used with {}",
                    function.name(),
                    sorts.join(" and ")
                );
                wrong(mark, message)
            },
            Ok,
        )
    }

    fn of_integer(
        &mut self,
        function: QueryFunction,
        number: i64,
        rest: &[QueryValue],
        mark: SourceMark,
    ) -> Do<Option<QueryValue>> {
        Ok(Some(match (function, rest) {
            (QueryFunction::Abs, []) => match number.checked_abs() {
                Some(number) => QueryValue::Int(number),
                None => return wrong(mark, TOO_LARGE),
            },
            (QueryFunction::Sign, []) => QueryValue::Int(number.signum()),
            (QueryFunction::ToString, []) => {
                QueryValue::Text(plain(&QueryValue::Int(number)).into())
            }
            (QueryFunction::ToInteger, []) => QueryValue::Int(number),
            (QueryFunction::ToFloat, []) => QueryValue::Float(number as f64),
            (QueryFunction::Range, [QueryValue::Int(to)]) => self.range(number, *to, 1, mark)?,
            (QueryFunction::Range, [QueryValue::Int(_), QueryValue::Int(0)]) => {
                return wrong(mark, "A range cannot have steps of zero");
            }
            (QueryFunction::Range, [QueryValue::Int(to), QueryValue::Int(by)]) => {
                self.range(number, *to, *by, mark)?
            }
            _ => return Ok(None),
        }))
    }

    fn range(&mut self, from: i64, to: i64, by: i64, mark: SourceMark) -> Do<QueryValue> {
        let mut items = Vec::new();
        let mut next = Some(from);
        while let Some(number) = next
            && (if by > 0 { number <= to } else { number >= to })
        {
            self.step()?;
            if items.len() == LARGEST {
                return wrong(mark, "The range is too long");
            }
            items.push(QueryValue::Int(number));
            // Where the next number would be too large, the range ends.
            next = number.checked_add(by);
        }
        Ok(QueryValue::list(items))
    }

    fn of_path(&self, function: QueryFunction, path: &QueryPath) -> Option<QueryValue> {
        Some(match function {
            QueryFunction::Size | QueryFunction::Length => QueryValue::Int(path.len() as i64),
            QueryFunction::Nodes => {
                let (start, relationships) = path.parts();
                let nodes = self.graph.along(start, &relationships);
                QueryValue::list(nodes.into_iter().map(QueryValue::Node).collect())
            }
            QueryFunction::Relationships | QueryFunction::Rels => {
                let relationships = path.parts().1.into_iter();
                QueryValue::list(relationships.map(QueryValue::Relationship).collect())
            }
            _ => return None,
        })
    }

    /// Functions of nodes, relationships, maps and truth values.
    fn of_element(&self, function: QueryFunction, of: &QueryValue) -> Option<QueryValue> {
        let graph = self.graph;
        Some(match (function, of) {
            (QueryFunction::ToString, QueryValue::Bool(_)) => QueryValue::Text(plain(of).into()),
            (QueryFunction::StartNode, QueryValue::Relationship(edge)) => {
                QueryValue::Node(graph.ends(*edge).0)
            }
            (QueryFunction::EndNode, QueryValue::Relationship(edge)) => {
                QueryValue::Node(graph.ends(*edge).1)
            }
            (QueryFunction::Type, QueryValue::Relationship(edge)) => {
                graph.relationship_property(*edge, "action")
            }
            (QueryFunction::Id, QueryValue::Node(node)) => graph.node_property(*node, "id"),
            (QueryFunction::Id, QueryValue::Relationship(edge)) => {
                graph.relationship_property(*edge, "id")
            }
            (QueryFunction::Labels, QueryValue::Node(node)) => {
                let labels = graph.labels(*node);
                QueryValue::list(labels.into_iter().map(QueryValue::text).collect())
            }
            (QueryFunction::Properties, _) => {
                QueryValue::Map(Rc::new(self.properties(of)?.into_iter().collect()))
            }
            (QueryFunction::Keys, _) => {
                let names = self.properties(of)?.into_iter();
                QueryValue::list(names.map(|(name, _)| QueryValue::Text(name)).collect())
            }
            _ => return None,
        })
    }

    /// The entries of a map, or the properties that a node or a relationship has.
    fn properties(&self, of: &QueryValue) -> Option<Vec<(Rc<str>, QueryValue)>> {
        let known = |names: &[&str], value: &dyn Fn(&str) -> QueryValue| {
            let properties = names.iter().map(|&name| (name.into(), value(name)));
            properties.filter(|(_, value)| !value.is_null()).collect()
        };
        Some(match of {
            // A map keeps its nulls: they were written.
            QueryValue::Map(map) => map
                .iter()
                .map(|(name, value)| (Rc::clone(name), value.clone()))
                .collect(),
            QueryValue::Node(node) => known(&NODE_PROPERTIES, &|name| {
                self.graph.node_property(*node, name)
            }),
            QueryValue::Relationship(edge) => known(&RELATIONSHIP_PROPERTIES, &|name| {
                self.graph.relationship_property(*edge, name)
            }),
            _ => return None,
        })
    }
}

fn of_float(function: QueryFunction, number: f64) -> Option<QueryValue> {
    Some(match function {
        QueryFunction::Abs => QueryValue::Float(number.abs()),
        QueryFunction::Sign => QueryValue::Int(i64::from(number > 0.0) - i64::from(number < 0.0)),
        QueryFunction::ToString => QueryValue::Text(plain(&QueryValue::Float(number)).into()),
        QueryFunction::ToInteger => QueryValue::Int(number as i64),
        QueryFunction::ToFloat => QueryValue::Float(number),
        _ => return None,
    })
}

fn of_list(function: QueryFunction, list: &[QueryValue]) -> Option<QueryValue> {
    Some(match function {
        QueryFunction::Head => list.first().cloned().unwrap_or(QueryValue::Null),
        QueryFunction::Last => list.last().cloned().unwrap_or(QueryValue::Null),
        QueryFunction::Tail => QueryValue::list(list.iter().skip(1).cloned().collect()),
        QueryFunction::Reverse => QueryValue::list(list.iter().rev().cloned().collect()),
        QueryFunction::Size | QueryFunction::Length => QueryValue::Int(list.len() as i64),
        _ => return None,
    })
}

fn of_text(
    function: QueryFunction,
    text: &Rc<str>,
    rest: &[QueryValue],
    mark: SourceMark,
) -> Do<Option<QueryValue>> {
    Ok(Some(match (function, rest) {
        (QueryFunction::Reverse, []) => {
            QueryValue::Text(text.chars().rev().collect::<String>().into())
        }
        (QueryFunction::Size | QueryFunction::Length, []) => {
            QueryValue::Int(text.chars().count() as i64)
        }
        (QueryFunction::ToString, []) => QueryValue::Text(Rc::clone(text)),
        (QueryFunction::ToInteger, []) => {
            let whole = text.trim().parse::<i64>().ok();
            let real = || {
                text.trim()
                    .parse()
                    .ok()
                    .filter(|real: &f64| real.is_finite())
            };
            let number = whole.or_else(|| real().map(|number| number as i64));
            number.map_or(QueryValue::Null, QueryValue::Int)
        }
        (QueryFunction::ToFloat, []) => text
            .trim()
            .parse()
            .map_or(QueryValue::Null, QueryValue::Float),
        (QueryFunction::ToLower, []) => QueryValue::Text(text.to_lowercase().into()),
        (QueryFunction::ToUpper, []) => QueryValue::Text(text.to_uppercase().into()),
        (QueryFunction::Trim, []) => QueryValue::text(text.trim()),
        (QueryFunction::Split, [QueryValue::Text(at)]) if at.is_empty() => {
            let characters = text.chars().map(|c| QueryValue::Text(c.to_string().into()));
            QueryValue::list(characters.collect())
        }
        (QueryFunction::Split, [QueryValue::Text(at)]) => {
            QueryValue::list(text.split(&**at).map(QueryValue::text).collect())
        }
        (QueryFunction::Replace, [QueryValue::Text(what), QueryValue::Text(_)])
            if what.is_empty() =>
        {
            QueryValue::Text(Rc::clone(text))
        }
        (QueryFunction::Replace, [QueryValue::Text(what), QueryValue::Text(with)]) => {
            // The length is looked at before the text is made.
            if text.matches(&**what).count().saturating_mul(with.len()) > LARGEST {
                return wrong(mark, TOO_LARGE);
            }
            QueryValue::Text(text.replace(&**what, with).into())
        }
        (QueryFunction::Left | QueryFunction::Right | QueryFunction::Substring, numbers) => {
            return part_of_text(function, text, numbers, mark);
        }
        _ => return Ok(None),
    }))
}

/// The part of a text that `left`, `right` and `substring` cut out, counted in characters.
fn part_of_text(
    function: QueryFunction,
    text: &str,
    numbers: &[QueryValue],
    mark: SourceMark,
) -> Do<Option<QueryValue>> {
    let mut counts = Vec::new();
    for number in numbers {
        match number {
            QueryValue::Int(count @ 0..) => counts.push(*count as usize),
            QueryValue::Int(_) => return wrong(mark, "A place in a text is not negative"),
            _ => return Ok(None),
        }
    }
    let size = text.chars().count();
    let (skip, take) = match function {
        QueryFunction::Left => (0, counts[0]),
        QueryFunction::Right => (size.saturating_sub(counts[0]), size),
        _ => (counts[0], counts.get(1).copied().unwrap_or(size)),
    };
    let part: String = text.chars().skip(skip).take(take).collect();
    Ok(Some(QueryValue::Text(part.into())))
}
