//! The functions of queries, grouped by the sort of value they are called with.

use std::rc::Rc;

use super::ast::{QueryFunction, SourceMark};
use super::engine::{Do, QueryEngine};
use super::eval::wrong;
use super::graph::{NODE_PROPERTIES, RELATIONSHIP_PROPERTIES};
use super::operators::{LARGEST, TOO_LARGE, plain};
use super::value::{Path, Value};

impl QueryEngine<'_> {
    pub(super) fn call(
        &mut self,
        function: QueryFunction,
        given: &[Value],
        mark: SourceMark,
    ) -> Do<Value> {
        match function {
            QueryFunction::Coalesce => {
                let known = given.iter().find(|value| !value.is_null());
                return Ok(known.cloned().unwrap_or(Value::Null));
            }
            QueryFunction::Exists => return Ok(Value::Bool(!given[0].is_null())),
            _ if given.iter().any(Value::is_null) => return Ok(Value::Null),
            _ => {}
        }
        // The first argument decides: `size` and `reverse` differ between lists and texts.
        let value = match given {
            [Value::Int(number), rest @ ..] => self.of_integer(function, *number, rest, mark)?,
            [Value::Float(number)] => of_float(function, *number),
            [Value::Text(text), rest @ ..] => of_text(function, text, rest, mark)?,
            [Value::List(list)] => of_list(function, list),
            [Value::Path(path)] => self.of_path(function, path),
            [element] => self.of_element(function, element),
            _ => None,
        };
        value.map_or_else(
            || {
                let sorts: Vec<&str> = given.iter().map(Value::sort).collect();
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
        rest: &[Value],
        mark: SourceMark,
    ) -> Do<Option<Value>> {
        Ok(Some(match (function, rest) {
            (QueryFunction::Abs, []) => match number.checked_abs() {
                Some(number) => Value::Int(number),
                None => return wrong(mark, TOO_LARGE),
            },
            (QueryFunction::Sign, []) => Value::Int(number.signum()),
            (QueryFunction::ToString, []) => Value::Text(plain(&Value::Int(number)).into()),
            (QueryFunction::ToInteger, []) => Value::Int(number),
            (QueryFunction::ToFloat, []) => Value::Float(number as f64),
            (QueryFunction::Range, [Value::Int(to)]) => self.range(number, *to, 1, mark)?,
            (QueryFunction::Range, [Value::Int(_), Value::Int(0)]) => {
                return wrong(mark, "A range cannot have steps of zero");
            }
            (QueryFunction::Range, [Value::Int(to), Value::Int(by)]) => {
                self.range(number, *to, *by, mark)?
            }
            _ => return Ok(None),
        }))
    }

    fn range(&mut self, from: i64, to: i64, by: i64, mark: SourceMark) -> Do<Value> {
        let mut items = Vec::new();
        let mut next = Some(from);
        while let Some(number) = next
            && (if by > 0 { number <= to } else { number >= to })
        {
            self.step()?;
            if items.len() == LARGEST {
                return wrong(mark, "The range is too long");
            }
            items.push(Value::Int(number));
            next = number.checked_add(by);
        }
        Ok(Value::list(items))
    }

    fn of_path(&self, function: QueryFunction, path: &Path) -> Option<Value> {
        Some(match function {
            QueryFunction::Size | QueryFunction::Length => Value::Int(path.len() as i64),
            QueryFunction::Nodes => {
                let (start, relationships) = path.parts();
                let nodes = self.graph.along(start, &relationships);
                Value::list(nodes.into_iter().map(Value::Node).collect())
            }
            QueryFunction::Relationships | QueryFunction::Rels => {
                let relationships = path.parts().1.into_iter();
                Value::list(relationships.map(Value::Relationship).collect())
            }
            _ => return None,
        })
    }

    /// Functions of nodes, relationships, maps and truth values.
    fn of_element(&self, function: QueryFunction, of: &Value) -> Option<Value> {
        let graph = self.graph;
        Some(match (function, of) {
            (QueryFunction::ToString, Value::Bool(_)) => Value::Text(plain(of).into()),
            (QueryFunction::StartNode, Value::Relationship(edge)) => {
                Value::Node(graph.ends(*edge).0)
            }
            (QueryFunction::EndNode, Value::Relationship(edge)) => Value::Node(graph.ends(*edge).1),
            (QueryFunction::Type, Value::Relationship(edge)) => {
                graph.relationship_property(*edge, "action")
            }
            (QueryFunction::Id, Value::Node(node)) => graph.node_property(*node, "id"),
            (QueryFunction::Id, Value::Relationship(edge)) => {
                graph.relationship_property(*edge, "id")
            }
            (QueryFunction::Labels, Value::Node(node)) => {
                let labels = graph.labels(*node);
                Value::list(labels.into_iter().map(Value::text).collect())
            }
            (QueryFunction::Properties, _) => {
                Value::Map(Rc::new(self.properties(of)?.into_iter().collect()))
            }
            (QueryFunction::Keys, _) => {
                let names = self.properties(of)?.into_iter();
                Value::list(names.map(|(name, _)| Value::Text(name)).collect())
            }
            _ => return None,
        })
    }

    /// The entries of a map, or the properties that a node or a relationship has.
    fn properties(&self, of: &Value) -> Option<Vec<(Rc<str>, Value)>> {
        let known = |names: &[&str], value: &dyn Fn(&str) -> Value| {
            let properties = names.iter().map(|&name| (name.into(), value(name)));
            properties.filter(|(_, value)| !value.is_null()).collect()
        };
        Some(match of {
            // A map keeps its nulls: they were written.
            Value::Map(map) => map
                .iter()
                .map(|(name, value)| (Rc::clone(name), value.clone()))
                .collect(),
            Value::Node(node) => known(&NODE_PROPERTIES, &|name| {
                self.graph.node_property(*node, name)
            }),
            Value::Relationship(edge) => known(&RELATIONSHIP_PROPERTIES, &|name| {
                self.graph.relationship_property(*edge, name)
            }),
            _ => return None,
        })
    }
}

fn of_float(function: QueryFunction, number: f64) -> Option<Value> {
    Some(match function {
        QueryFunction::Abs => Value::Float(number.abs()),
        QueryFunction::Sign => Value::Int(i64::from(number > 0.0) - i64::from(number < 0.0)),
        QueryFunction::ToString => Value::Text(plain(&Value::Float(number)).into()),
        QueryFunction::ToInteger => Value::Int(number as i64),
        QueryFunction::ToFloat => Value::Float(number),
        _ => return None,
    })
}

fn of_list(function: QueryFunction, list: &[Value]) -> Option<Value> {
    Some(match function {
        QueryFunction::Head => list.first().cloned().unwrap_or(Value::Null),
        QueryFunction::Last => list.last().cloned().unwrap_or(Value::Null),
        QueryFunction::Tail => Value::list(list.iter().skip(1).cloned().collect()),
        QueryFunction::Reverse => Value::list(list.iter().rev().cloned().collect()),
        QueryFunction::Size | QueryFunction::Length => Value::Int(list.len() as i64),
        _ => return None,
    })
}

fn of_text(
    function: QueryFunction,
    text: &Rc<str>,
    rest: &[Value],
    mark: SourceMark,
) -> Do<Option<Value>> {
    Ok(Some(match (function, rest) {
        (QueryFunction::Reverse, []) => Value::Text(text.chars().rev().collect::<String>().into()),
        (QueryFunction::Size | QueryFunction::Length, []) => {
            Value::Int(text.chars().count() as i64)
        }
        (QueryFunction::ToString, []) => Value::Text(Rc::clone(text)),
        (QueryFunction::ToInteger, []) => {
            let whole = text.trim().parse::<i64>().ok();
            let real = || {
                text.trim()
                    .parse()
                    .ok()
                    .filter(|real: &f64| real.is_finite())
            };
            let number = whole.or_else(|| real().map(|number| number as i64));
            number.map_or(Value::Null, Value::Int)
        }
        (QueryFunction::ToFloat, []) => text.trim().parse().map_or(Value::Null, Value::Float),
        (QueryFunction::ToLower, []) => Value::Text(text.to_lowercase().into()),
        (QueryFunction::ToUpper, []) => Value::Text(text.to_uppercase().into()),
        (QueryFunction::Trim, []) => Value::text(text.trim()),
        (QueryFunction::Split, [Value::Text(at)]) if at.is_empty() => {
            let characters = text.chars().map(|c| Value::Text(c.to_string().into()));
            Value::list(characters.collect())
        }
        (QueryFunction::Split, [Value::Text(at)]) => {
            Value::list(text.split(&**at).map(Value::text).collect())
        }
        (QueryFunction::Replace, [Value::Text(what), Value::Text(_)]) if what.is_empty() => {
            Value::Text(Rc::clone(text))
        }
        (QueryFunction::Replace, [Value::Text(what), Value::Text(with)]) => {
            if text.matches(&**what).count().saturating_mul(with.len()) > LARGEST {
                return wrong(mark, TOO_LARGE);
            }
            Value::Text(text.replace(&**what, with).into())
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
    numbers: &[Value],
    mark: SourceMark,
) -> Do<Option<Value>> {
    let mut counts = Vec::new();
    for number in numbers {
        match number {
            Value::Int(count @ 0..) => counts.push(*count as usize),
            Value::Int(_) => return wrong(mark, "A place in a text is not negative"),
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
    Ok(Some(Value::Text(part.into())))
}
