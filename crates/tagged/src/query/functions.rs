//! The functions of queries.

use std::rc::Rc;

use super::ast::{QueryFunction, SourceMark};
use super::engine::{Do, QueryEngine};
use super::eval::{LARGEST, plain, wrong};
use super::graph::{NODE_PROPERTIES, RELATIONSHIP_PROPERTIES};
use super::value::Value;

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
        let graph = self.graph;
        let bad = || {
            let sorts: Vec<&str> = given.iter().map(Value::sort).collect();
            let message = format!(
                "`{}` cannot be used with {}",
                function.name(),
                sorts.join(" and ")
            );
            wrong(mark, message)
        };
        Ok(match (function, given) {
            (QueryFunction::Abs, [Value::Int(number)]) => match number.checked_abs() {
                Some(number) => Value::Int(number),
                None => return wrong(mark, "The result is too large"),
            },
            (QueryFunction::Abs, [Value::Float(number)]) => Value::Float(number.abs()),
            (QueryFunction::Sign, [Value::Int(number)]) => Value::Int(number.signum()),
            (QueryFunction::Sign, [Value::Float(number)]) => {
                Value::Int(i64::from(*number > 0.0) - i64::from(*number < 0.0))
            }
            (QueryFunction::Head, [Value::List(list)]) => {
                list.first().cloned().unwrap_or(Value::Null)
            }
            (QueryFunction::Last, [Value::List(list)]) => {
                list.last().cloned().unwrap_or(Value::Null)
            }
            (QueryFunction::Tail, [Value::List(list)]) => {
                Value::list(list.iter().skip(1).cloned().collect())
            }
            (QueryFunction::Reverse, [Value::List(list)]) => {
                Value::list(list.iter().rev().cloned().collect())
            }
            (QueryFunction::Reverse, [Value::Text(text)]) => {
                Value::Text(text.chars().rev().collect::<String>().into())
            }
            (QueryFunction::Size | QueryFunction::Length, [Value::List(list)]) => {
                Value::Int(list.len() as i64)
            }
            (QueryFunction::Size | QueryFunction::Length, [Value::Text(text)]) => {
                Value::Int(text.chars().count() as i64)
            }
            (QueryFunction::Size | QueryFunction::Length, [Value::Path(path)]) => {
                Value::Int(path.len() as i64)
            }
            (QueryFunction::Nodes, [Value::Path(path)]) => {
                let (start, relationships) = path.parts();
                let nodes = graph.along(start, &relationships);
                Value::list(nodes.into_iter().map(Value::Node).collect())
            }
            (QueryFunction::Relationships | QueryFunction::Rels, [Value::Path(path)]) => {
                let relationships = path.parts().1.into_iter();
                Value::list(relationships.map(Value::Relationship).collect())
            }
            (QueryFunction::StartNode, [Value::Relationship(edge)]) => {
                Value::Node(graph.ends(*edge).0)
            }
            (QueryFunction::EndNode, [Value::Relationship(edge)]) => {
                Value::Node(graph.ends(*edge).1)
            }
            (QueryFunction::Type, [Value::Relationship(edge)]) => {
                graph.relationship_property(*edge, "action")
            }
            (QueryFunction::Id, [Value::Node(node)]) => graph.node_property(*node, "id"),
            (QueryFunction::Id, [Value::Relationship(edge)]) => {
                graph.relationship_property(*edge, "id")
            }
            (QueryFunction::Labels, [Value::Node(node)]) => {
                let labels = graph.labels(*node);
                Value::list(labels.into_iter().map(Value::text).collect())
            }
            (QueryFunction::Properties | QueryFunction::Keys, [of]) => {
                let entries: Vec<(Rc<str>, Value)> = match of {
                    Value::Map(map) => map
                        .iter()
                        .map(|(name, value)| (Rc::clone(name), value.clone()))
                        .collect(),
                    Value::Node(node) => {
                        let names = NODE_PROPERTIES.into_iter();
                        names
                            .map(|name| (name.into(), graph.node_property(*node, name)))
                            .collect()
                    }
                    Value::Relationship(edge) => {
                        let names = RELATIONSHIP_PROPERTIES.into_iter();
                        let value = |name| graph.relationship_property(*edge, name);
                        names.map(|name| (name.into(), value(name))).collect()
                    }
                    _ => return bad(),
                };
                let is_map = matches!(of, Value::Map(_));
                let known = entries
                    .into_iter()
                    .filter(|(_, value)| is_map || !value.is_null());
                match function {
                    QueryFunction::Keys => {
                        Value::list(known.map(|(name, _)| Value::Text(name)).collect())
                    }
                    _ => Value::Map(Rc::new(known.collect())),
                }
            }
            (
                QueryFunction::ToString,
                [Value::Text(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_)],
            ) => Value::Text(plain(&given[0]).into()),
            (QueryFunction::ToInteger, [Value::Int(number)]) => Value::Int(*number),
            (QueryFunction::ToInteger, [Value::Float(number)]) => Value::Int(*number as i64),
            (QueryFunction::ToInteger, [Value::Text(text)]) => {
                let whole = text.trim().parse::<i64>().ok();
                let real = || {
                    text.trim()
                        .parse::<f64>()
                        .ok()
                        .filter(|number| number.is_finite())
                };
                let number = whole.or_else(|| real().map(|number| number as i64));
                number.map_or(Value::Null, Value::Int)
            }
            (QueryFunction::ToFloat, [Value::Int(number)]) => Value::Float(*number as f64),
            (QueryFunction::ToFloat, [Value::Float(number)]) => Value::Float(*number),
            (QueryFunction::ToFloat, [Value::Text(text)]) => {
                text.trim().parse().map_or(Value::Null, Value::Float)
            }
            (QueryFunction::ToLower, [Value::Text(text)]) => {
                Value::Text(text.to_lowercase().into())
            }
            (QueryFunction::ToUpper, [Value::Text(text)]) => {
                Value::Text(text.to_uppercase().into())
            }
            (QueryFunction::Trim, [Value::Text(text)]) => Value::text(text.trim()),
            (QueryFunction::Split, [Value::Text(text), Value::Text(at)]) => {
                let parts: Vec<Value> = match at.is_empty() {
                    true => text
                        .chars()
                        .map(|c| Value::Text(c.to_string().into()))
                        .collect(),
                    false => text.split(&**at).map(Value::text).collect(),
                };
                Value::list(parts)
            }
            (QueryFunction::Replace, [Value::Text(text), Value::Text(what), Value::Text(with)]) => {
                let times = if what.is_empty() {
                    0
                } else {
                    text.matches(&**what).count()
                };
                match what.is_empty() {
                    _ if times.saturating_mul(with.len()) > LARGEST => {
                        return wrong(mark, "The result is too large");
                    }
                    true => Value::Text(Rc::clone(text)),
                    false => Value::Text(text.replace(&**what, with).into()),
                }
            }
            (
                QueryFunction::Left | QueryFunction::Right | QueryFunction::Substring,
                [Value::Text(text), numbers @ ..],
            ) => {
                let mut counts = Vec::new();
                for number in numbers {
                    match number {
                        Value::Int(count @ 0..) => counts.push(*count as usize),
                        Value::Int(_) => return wrong(mark, "A place in a text is not negative"),
                        _ => return bad(),
                    }
                }
                let size = text.chars().count();
                let (skip, take) = match function {
                    QueryFunction::Left => (0, counts[0]),
                    QueryFunction::Right => (size.saturating_sub(counts[0]), size),
                    _ => (counts[0], counts.get(1).copied().unwrap_or(size)),
                };
                Value::Text(
                    text.chars()
                        .skip(skip)
                        .take(take)
                        .collect::<String>()
                        .into(),
                )
            }
            (QueryFunction::Range, [Value::Int(from), Value::Int(to)]) => {
                self.range(*from, *to, 1, mark)?
            }
            (QueryFunction::Range, [Value::Int(_), Value::Int(_), Value::Int(0)]) => {
                return wrong(mark, "A range cannot have steps of zero");
            }
            (QueryFunction::Range, [Value::Int(from), Value::Int(to), Value::Int(by)]) => {
                self.range(*from, *to, *by, mark)?
            }
            _ => return bad(),
        })
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
}
