//! Values of queries: their equality, which may be unknown, and their order, which never is.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::shortest::ShortestTree;

/// A value of a query.
#[derive(Clone, Debug)]
pub enum QueryValue {
    /// Nothing is known.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Another number.
    Float(f64),
    /// A text.
    Text(Rc<str>),
    /// A list.
    List(Rc<[QueryValue]>),
    /// Values by their names.
    Map(Rc<BTreeMap<Rc<str>, QueryValue>>),
    /// A node, by its number in the graph.
    Node(u32),
    /// A relationship, by its number in the graph.
    Relationship(u32),
    /// A path.
    Path(QueryPath),
}

/// A path: where it starts, and its relationships.
#[derive(Clone, Debug)]
pub struct QueryPath(ValueShape);

#[derive(Clone, Debug)]
enum ValueShape {
    Listed(Rc<(u32, Vec<u32>)>),
    /// The way between the root of a tree and a node.
    Hanging(Rc<ShortestTree>, u32),
}

impl QueryPath {
    /// The path from a node along relationships.
    pub(super) fn new(start: u32, relationships: Vec<u32>) -> Self {
        Self(ValueShape::Listed(Rc::new((start, relationships))))
    }

    /// The path between the root of a tree and a node that it reaches.
    pub(super) fn hanging(tree: &Rc<ShortestTree>, node: u32) -> Self {
        Self(ValueShape::Hanging(Rc::clone(tree), node))
    }

    /// How many relationships it has.
    pub fn len(&self) -> usize {
        match &self.0 {
            ValueShape::Listed(path) => path.1.len(),
            ValueShape::Hanging(tree, node) => tree.length(*node),
        }
    }

    /// Whether it stays at its start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where it starts, and its relationships.
    pub fn parts(&self) -> (u32, Vec<u32>) {
        match &self.0 {
            ValueShape::Listed(path) => (path.0, path.1.clone()),
            ValueShape::Hanging(tree, node) => tree.path(*node),
        }
    }
}

impl QueryValue {
    /// A text.
    pub(super) fn text(text: &str) -> Self {
        QueryValue::Text(text.into())
    }

    /// A list.
    pub(super) fn list(items: Vec<QueryValue>) -> Self {
        QueryValue::List(items.into())
    }

    /// Whether it is nothing.
    pub(super) fn is_null(&self) -> bool {
        matches!(self, QueryValue::Null)
    }

    /// What it is, for messages: "a number".
    pub(super) fn sort(&self) -> &'static str {
        match self {
            QueryValue::Null => "null",
            QueryValue::Bool(_) => "a truth value",
            QueryValue::Int(_) | QueryValue::Float(_) => "a number",
            QueryValue::Text(_) => "a text",
            QueryValue::List(_) => "a list",
            QueryValue::Map(_) => "a map",
            QueryValue::Node(_) => "a node",
            QueryValue::Relationship(_) => "a relationship",
            QueryValue::Path(_) => "a path",
        }
    }

    /// Whether two values are equal; `None`: unknown, because something in them is null.
    pub(super) fn equals(&self, other: &QueryValue) -> Option<bool> {
        match (self, other) {
            (QueryValue::Null, _) | (_, QueryValue::Null) => None,
            (QueryValue::List(one), QueryValue::List(two)) => {
                if one.len() != two.len() {
                    return Some(false);
                }
                all(one.iter().zip(two.iter()).map(|(one, two)| one.equals(two)))
            }
            (QueryValue::Map(one), QueryValue::Map(two)) => {
                if !one.keys().eq(two.keys()) {
                    return Some(false);
                }
                all(one
                    .values()
                    .zip(two.values())
                    .map(|(one, two)| one.equals(two)))
            }
            // In the order of sorting NaN equals itself, but here it equals nothing.
            (QueryValue::Float(one), QueryValue::Float(two)) => Some(one == two),
            _ => Some(self.order(other) == Ordering::Equal),
        }
    }

    /// Which is less; `None`: they cannot be compared.
    pub(super) fn compares(&self, other: &QueryValue) -> Option<Ordering> {
        match (self, other) {
            (
                QueryValue::Int(_) | QueryValue::Float(_),
                QueryValue::Int(_) | QueryValue::Float(_),
            ) => number_order(self, other),
            (QueryValue::Text(_), QueryValue::Text(_))
            | (QueryValue::Bool(_), QueryValue::Bool(_)) => Some(self.order(other)),
            (QueryValue::List(one), QueryValue::List(two)) => {
                for (one, two) in one.iter().zip(two.iter()) {
                    match one.compares(two)? {
                        Ordering::Equal => {}
                        unequal => return Some(unequal),
                    }
                }
                Some(one.len().cmp(&two.len()))
            }
            _ => None,
        }
    }

    /// The order of `ORDER BY`: maps, nodes, relationships, lists, paths, texts, truth values, numbers,
    /// null. Equal here are also nulls, as `DISTINCT` takes them.
    pub(super) fn order(&self, other: &QueryValue) -> Ordering {
        match (self, other) {
            (QueryValue::Null, QueryValue::Null) => Ordering::Equal,
            (QueryValue::Bool(one), QueryValue::Bool(two)) => one.cmp(two),
            (QueryValue::Int(one), QueryValue::Int(two)) => one.cmp(two),
            (
                QueryValue::Int(_) | QueryValue::Float(_),
                QueryValue::Int(_) | QueryValue::Float(_),
            ) => {
                let is_number =
                    |value: &QueryValue| !matches!(value, QueryValue::Float(x) if x.is_nan());
                // NaN comes after all numbers.
                number_order(self, other).unwrap_or_else(|| is_number(other).cmp(&is_number(self)))
            }
            (QueryValue::Text(one), QueryValue::Text(two)) => one.cmp(two),
            (QueryValue::List(one), QueryValue::List(two)) => by_items(one.iter(), two.iter()),
            (QueryValue::Map(one), QueryValue::Map(two)) => {
                (one.keys().cmp(two.keys())).then_with(|| by_items(one.values(), two.values()))
            }
            (QueryValue::Node(one), QueryValue::Node(two)) => one.cmp(two),
            (QueryValue::Relationship(one), QueryValue::Relationship(two)) => one.cmp(two),
            (QueryValue::Path(one), QueryValue::Path(two)) => one.parts().cmp(&two.parts()),
            _ => self.rank().cmp(&other.rank()),
        }
    }

    fn rank(&self) -> u8 {
        match self {
            QueryValue::Map(_) => 0,
            QueryValue::Node(_) => 1,
            QueryValue::Relationship(_) => 2,
            QueryValue::List(_) => 3,
            QueryValue::Path(_) => 4,
            QueryValue::Text(_) => 5,
            QueryValue::Bool(_) => 6,
            QueryValue::Int(_) | QueryValue::Float(_) => 7,
            QueryValue::Null => 8,
        }
    }
}

/// For expressions that are compared as they are written.
impl PartialEq for QueryValue {
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank() && self.order(other) == Ordering::Equal
    }
}

/// Values one after the other, as a key: for groups and for `DISTINCT`.
#[derive(Clone, Debug)]
pub(super) struct ValueKey(pub(super) Vec<QueryValue>);

impl Ord for ValueKey {
    fn cmp(&self, other: &Self) -> Ordering {
        by_items(self.0.iter(), other.0.iter())
    }
}

impl PartialOrd for ValueKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ValueKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ValueKey {}

/// Whether all are true: false as soon as one is false, otherwise unknown as soon as one is unknown.
pub(super) fn all(items: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut sum = Some(true);
    for item in items {
        match item {
            Some(true) => {}
            Some(false) => return Some(false),
            None => sum = None,
        }
    }
    sum
}

fn by_items<'a>(
    mut one: impl Iterator<Item = &'a QueryValue>,
    mut two: impl Iterator<Item = &'a QueryValue>,
) -> Ordering {
    loop {
        match (one.next(), two.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(one), Some(two)) => match one.order(two) {
                Ordering::Equal => {}
                unequal => return unequal,
            },
        }
    }
}

fn number_order(one: &QueryValue, two: &QueryValue) -> Option<Ordering> {
    let float = |value: &QueryValue| match value {
        QueryValue::Int(number) => *number as f64,
        QueryValue::Float(number) => *number,
        _ => f64::NAN,
    };
    match (one, two) {
        (QueryValue::Int(one), QueryValue::Int(two)) => Some(one.cmp(two)),
        _ => float(one).partial_cmp(&float(two)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_nothing_is_equal_to_nothing_known() {
        let list = |items: &[QueryValue]| QueryValue::list(items.to_vec());
        let (one, two) = (QueryValue::Int(1), QueryValue::Int(2));
        assert_eq!(QueryValue::Null.equals(&QueryValue::Null), None);
        assert_eq!(
            list(&[one.clone(), QueryValue::Null]).equals(&list(&[one.clone(), two.clone()])),
            None
        );
        assert_eq!(
            list(&[two.clone(), QueryValue::Null]).equals(&list(&[one.clone(), two])),
            Some(false)
        );
        assert_eq!(one.equals(&QueryValue::Float(1.0)), Some(true));
        assert_eq!(one.equals(&QueryValue::text("1")), Some(false));
    }

    #[test]
    fn null_is_last_and_texts_stand_before_numbers() {
        let mut values = [
            QueryValue::Null,
            QueryValue::Int(2),
            QueryValue::Float(1.5),
            QueryValue::text("b"),
            QueryValue::Bool(true),
            QueryValue::Node(0),
        ];
        values.sort_by(QueryValue::order);
        let sorts: Vec<&str> = values.iter().map(QueryValue::sort).collect();
        assert_eq!(
            sorts,
            [
                "a node",
                "a text",
                "a truth value",
                "a number",
                "a number",
                "null"
            ]
        );
        assert_eq!(values[3].equals(&QueryValue::Float(1.5)), Some(true));
    }
}
