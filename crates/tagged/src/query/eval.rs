//! The values of expressions. Three truth values: true, false, and null for unknown.

use std::rc::Rc;

use regex_lite::Regex;
use wherefore_base::{Diagnostic, deep};

use super::ast::{
    CaseExpr, Comprehension, ListQuantifier, QueryExpr, Reduce, SourceMark, TextTest,
};
use super::engine::{Do, QueryEngine, QueryRow, RowFlow};
use super::graph::NodeLabel;
use super::operators::{calculate, compare, negate, slice};
use super::value::{QueryValue, all};

impl QueryEngine<'_> {
    /// The value of an expression. Slots beyond the row are scratch room for its own variables.
    pub(super) fn eval(&mut self, expr: &QueryExpr, row: &mut QueryRow) -> Do<QueryValue> {
        match expr {
            QueryExpr::Literal(value) => Ok(value.clone()),
            QueryExpr::Slot(slot) => Ok(row.get(*slot).cloned().unwrap_or(QueryValue::Null)),
            QueryExpr::Aggregate(number) => Ok(self.aggregates[*number].clone()),
            _ => deep(|| self.compound(expr, row)),
        }
    }

    fn compound(&mut self, expr: &QueryExpr, row: &mut QueryRow) -> Do<QueryValue> {
        match expr {
            QueryExpr::Literal(_) | QueryExpr::Slot(_) | QueryExpr::Aggregate(_) => {
                self.eval(expr, row)
            }
            QueryExpr::Property(of, name, mark) => {
                let of = self.eval(of, row)?;
                self.property(&of, name, *mark)
            }
            QueryExpr::Index(two, mark) => {
                let (of, index) = (self.eval(&two[0], row)?, self.eval(&two[1], row)?);
                self.index(&of, &index, *mark)
            }
            QueryExpr::Slice(list, from, to, mark) => {
                let list = self.eval(list, row)?;
                let mut ends = [None, None];
                for (end, given) in ends.iter_mut().zip([from, to]) {
                    if let Some(given) = given {
                        *end = Some(self.eval(given, row)?);
                    }
                }
                slice(&list, &ends, *mark)
            }
            QueryExpr::List(items) => Ok(QueryValue::list(self.values(items, row)?)),
            QueryExpr::Map(entries) => {
                let mut map = std::collections::BTreeMap::new();
                for (name, value) in entries {
                    map.insert(Rc::clone(name), self.eval(value, row)?);
                }
                Ok(QueryValue::Map(Rc::new(map)))
            }
            QueryExpr::Not(inner, mark) => {
                let truth = self.truth(inner, row, *mark)?;
                Ok(of_truth(truth.map(|truth| !truth)))
            }
            QueryExpr::And(items, mark) => self.junction(items, row, *mark, false),
            QueryExpr::Or(items, mark) => self.junction(items, row, *mark, true),
            QueryExpr::Xor(items, mark) => self.exclusive_or(items, row, *mark),
            QueryExpr::Compare(operands, signs) => {
                let values = self.values(operands, row)?;
                let pairs = values.windows(2).zip(signs);
                let truths = pairs.map(|(pair, sign)| compare(&pair[0], *sign, &pair[1]));
                Ok(of_truth(all(truths)))
            }
            QueryExpr::Arithmetic(first, rest) => {
                let mut sum = self.eval(first, row)?;
                for (sign, operand, mark) in rest {
                    let operand = self.eval(operand, row)?;
                    sum = calculate(*sign, sum, operand, *mark)?;
                }
                Ok(sum)
            }
            QueryExpr::Negate(inner, mark) => negate(self.eval(inner, row)?, *mark),
            QueryExpr::Test(test, two, mark) => {
                let (text, with) = (self.eval(&two[0], row)?, self.eval(&two[1], row)?);
                match (&text, &with) {
                    (QueryValue::Text(text), QueryValue::Text(with)) => {
                        Ok(QueryValue::Bool(self.test(*test, text, with, *mark)?))
                    }
                    _ => Ok(QueryValue::Null),
                }
            }
            QueryExpr::In(two, mark) => {
                let item = self.eval(&two[0], row)?;
                let Some(list) = self.items(&two[1], row, *mark)? else {
                    return Ok(QueryValue::Null);
                };
                // An item is in a list unless it differs from all: so one match decides, and null leaves it
                // unknown.
                let differs = |other: &QueryValue| item.equals(other).map(|same| !same);
                Ok(of_truth(all(list.iter().map(differs)).map(|none| !none)))
            }
            QueryExpr::IsNull(inner) => Ok(QueryValue::Bool(self.eval(inner, row)?.is_null())),
            QueryExpr::HasLabels(of, labels, mark) => {
                let of = self.eval(of, row)?;
                self.has_labels(&of, labels, *mark)
            }
            QueryExpr::Call(function, arguments, mark) => {
                let values = self.values(arguments, row)?;
                self.call(*function, &values, *mark)
            }
            QueryExpr::Quantifier(quantifier, slot, two, mark) => {
                self.quantified(*quantifier, *slot, two, *mark, row)
            }
            QueryExpr::Comprehension(of) => self.comprehension(of, row),
            QueryExpr::Reduce(of) => self.reduce(of, row),
            QueryExpr::Exists(pattern) => {
                // A pattern inside an expression may use the relationships of the outer one again.
                let used = std::mem::take(&mut self.used);
                let flow = self.matches(pattern, row, &mut |_, _| Ok(RowFlow::Enough));
                self.used = used;
                Ok(QueryValue::Bool(flow? == RowFlow::Enough))
            }
            QueryExpr::Case(case) => self.case(case, row),
        }
    }

    fn values(&mut self, items: &[QueryExpr], row: &mut QueryRow) -> Do<Vec<QueryValue>> {
        items.iter().map(|item| self.eval(item, row)).collect()
    }

    /// `AND` and `OR`: the value that decides wins over the unknown.
    fn junction(
        &mut self,
        items: &[QueryExpr],
        row: &mut QueryRow,
        mark: SourceMark,
        decides: bool,
    ) -> Do<QueryValue> {
        let mut sum = Some(!decides);
        for item in items {
            match self.truth(item, row, mark)? {
                Some(truth) if truth == decides => return Ok(QueryValue::Bool(decides)),
                Some(_) => {}
                None => sum = None,
            }
        }
        Ok(of_truth(sum))
    }

    fn exclusive_or(
        &mut self,
        items: &[QueryExpr],
        row: &mut QueryRow,
        mark: SourceMark,
    ) -> Do<QueryValue> {
        let mut sum = Some(false);
        // The others are evaluated after an unknown one too: one that is no condition is an error.
        for item in items {
            let truth = self.truth(item, row, mark)?;
            sum = sum.zip(truth).map(|(one, two)| one ^ two);
        }
        Ok(of_truth(sum))
    }

    fn truth(
        &mut self,
        expr: &QueryExpr,
        row: &mut QueryRow,
        mark: SourceMark,
    ) -> Do<Option<bool>> {
        match self.eval(expr, row)? {
            QueryValue::Bool(truth) => Ok(Some(truth)),
            QueryValue::Null => Ok(None),
            other => wrong(
                mark,
                format!("Here a condition is expected, not {}", other.sort()),
            ),
        }
    }

    /// The items of a list; `None`: null.
    fn items(
        &mut self,
        list: &QueryExpr,
        row: &mut QueryRow,
        mark: SourceMark,
    ) -> Do<Option<Rc<[QueryValue]>>> {
        match self.eval(list, row)? {
            QueryValue::List(list) => Ok(Some(list)),
            QueryValue::Null => Ok(None),
            other => wrong(
                mark,
                format!("A list stands after IN, not {}", other.sort()),
            ),
        }
    }

    fn quantified(
        &mut self,
        quantifier: ListQuantifier,
        slot: usize,
        two: &[QueryExpr; 2],
        mark: SourceMark,
        row: &mut QueryRow,
    ) -> Do<QueryValue> {
        let Some(list) = self.items(&two[0], row, mark)? else {
            return Ok(QueryValue::Null);
        };
        let (mut met, mut missed, mut unknown) = (0, 0, 0);
        for item in list.iter() {
            self.step()?;
            set(row, slot, item.clone());
            match self.truth(&two[1], row, mark)? {
                Some(true) => met += 1,
                Some(false) => missed += 1,
                None => unknown += 1,
            }
        }
        let open = |otherwise: bool| (unknown == 0).then_some(otherwise);
        Ok(of_truth(match quantifier {
            ListQuantifier::All if missed > 0 => Some(false),
            ListQuantifier::All => open(true),
            ListQuantifier::Any if met > 0 => Some(true),
            ListQuantifier::Any => open(false),
            ListQuantifier::None if met > 0 => Some(false),
            ListQuantifier::None => open(true),
            ListQuantifier::Single if met > 1 => Some(false),
            ListQuantifier::Single => open(met == 1),
        }))
    }

    /// `[x IN list WHERE condition | result]`
    fn comprehension(&mut self, of: &Comprehension, row: &mut QueryRow) -> Do<QueryValue> {
        let Some(list) = self.items(&of.list, row, of.mark)? else {
            return Ok(QueryValue::Null);
        };
        let mut results = Vec::new();
        for item in list.iter() {
            self.step()?;
            set(row, of.slot, item.clone());
            if let Some(condition) = &of.condition
                && !self.holds(condition, row)?
            {
                continue;
            }
            results.push(match &of.result {
                Some(result) => self.eval(result, row)?,
                None => item.clone(),
            });
        }
        Ok(QueryValue::list(results))
    }

    /// `reduce(sum = start, x IN list | result)`
    fn reduce(&mut self, of: &Reduce, row: &mut QueryRow) -> Do<QueryValue> {
        let Some(list) = self.items(&of.list, row, of.mark)? else {
            return Ok(QueryValue::Null);
        };
        let mut sum = self.eval(&of.start, row)?;
        for item in list.iter() {
            self.step()?;
            set(row, of.sum, sum);
            set(row, of.slot, item.clone());
            sum = self.eval(&of.result, row)?;
        }
        Ok(sum)
    }

    fn case(&mut self, case: &CaseExpr, row: &mut QueryRow) -> Do<QueryValue> {
        let subject = match &case.subject {
            Some(subject) => Some(self.eval(subject, row)?),
            None => None,
        };
        for (when, then) in &case.branches {
            let met = match &subject {
                Some(subject) => {
                    let when = self.eval(when, row)?;
                    subject.equals(&when) == Some(true)
                }
                None => self.truth(when, row, case.mark)? == Some(true),
            };
            if met {
                return self.eval(then, row);
            }
        }
        match &case.otherwise {
            Some(otherwise) => self.eval(otherwise, row),
            None => Ok(QueryValue::Null),
        }
    }

    fn has_labels(&self, of: &QueryValue, labels: &[Rc<str>], mark: SourceMark) -> Do<QueryValue> {
        match of {
            QueryValue::Null => Ok(QueryValue::Null),
            QueryValue::Node(node) => {
                let has = |label: &Rc<str>| {
                    NodeLabel::named(label).is_some_and(|label| self.graph.has(*node, label))
                };
                Ok(QueryValue::Bool(labels.iter().all(has)))
            }
            QueryValue::Relationship(relationship) => {
                let action = self.graph.action(*relationship);
                Ok(QueryValue::Bool(
                    labels.iter().all(|label| **label == *action),
                ))
            }
            other => wrong(
                mark,
                format!("A node has labels, {} has none", other.sort()),
            ),
        }
    }

    fn property(&self, of: &QueryValue, name: &str, mark: SourceMark) -> Do<QueryValue> {
        match of {
            QueryValue::Null => Ok(QueryValue::Null),
            QueryValue::Node(node) => Ok(self.graph.node_property(*node, name)),
            QueryValue::Relationship(relationship) => {
                Ok(self.graph.relationship_property(*relationship, name))
            }
            QueryValue::Map(map) => Ok(map.get(name).cloned().unwrap_or(QueryValue::Null)),
            other => wrong(
                mark,
                format!(
                    "`{name}` is asked of {}, which has no properties",
                    other.sort()
                ),
            ),
        }
    }

    fn index(&self, of: &QueryValue, index: &QueryValue, mark: SourceMark) -> Do<QueryValue> {
        match (of, index) {
            (QueryValue::Null, _) | (_, QueryValue::Null) => Ok(QueryValue::Null),
            (QueryValue::List(list), QueryValue::Int(index)) => {
                // A negative index counts from the end.
                let at = match index {
                    0.. => usize::try_from(*index).ok(),
                    back => usize::try_from(back.unsigned_abs())
                        .ok()
                        .and_then(|back| list.len().checked_sub(back)),
                };
                Ok(at
                    .and_then(|at| list.get(at))
                    .cloned()
                    .unwrap_or(QueryValue::Null))
            }
            (
                QueryValue::Map(_) | QueryValue::Node(_) | QueryValue::Relationship(_),
                QueryValue::Text(name),
            ) => self.property(of, name, mark),
            _ => wrong(
                mark,
                format!(
                    "{} cannot be indexed with {}",
                    capital(of.sort()),
                    index.sort()
                ),
            ),
        }
    }

    fn test(&mut self, test: TextTest, text: &str, with: &Rc<str>, mark: SourceMark) -> Do<bool> {
        Ok(match test {
            TextTest::StartsWith => text.starts_with(&**with),
            TextTest::EndsWith => text.ends_with(&**with),
            TextTest::Contains => text.contains(&**with),
            TextTest::Matches => self.regex(with, mark)?.is_match(text),
        })
    }

    /// A regular expression for whole texts.
    fn regex(&mut self, text: &Rc<str>, mark: SourceMark) -> Do<Rc<Regex>> {
        if let Some(regex) = self.expressions.get(text) {
            return Ok(Rc::clone(regex));
        }
        let whole = format!(r"\A(?:{})\z", unquoted(text));
        match Regex::new(&whole) {
            Ok(regex) => {
                let regex = Rc::new(regex);
                self.expressions.insert(Rc::clone(text), Rc::clone(&regex));
                Ok(regex)
            }
            Err(error) => {
                let message = format!("The regular expression is wrong: {error}");
                let help = "It is matched against the whole text; look-around and back-references are not supported.";
                Err(Diagnostic::error(mark.0, message).help(help).into())
            }
        }
    }
}

/// Java's `\Q...\E` as single escaped characters.
fn unquoted(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(r"\Q") {
        result.push_str(&rest[..start]);
        let quoted = &rest[start + 2..];
        let end = quoted.find(r"\E");
        result.push_str(&regex_lite::escape(&quoted[..end.unwrap_or(quoted.len())]));
        rest = end.map_or("", |end| &quoted[end + 2..]);
    }
    result.push_str(rest);
    result
}

pub(super) fn wrong<T>(mark: SourceMark, message: impl Into<String>) -> Do<T> {
    Err(Diagnostic::error(mark.0, message).into())
}

/// Puts a value into a slot, and makes room for it.
pub(super) fn set(row: &mut QueryRow, slot: usize, value: QueryValue) {
    if row.len() <= slot {
        row.resize(slot + 1, QueryValue::Null);
    }
    row[slot] = value;
}

fn of_truth(truth: Option<bool>) -> QueryValue {
    truth.map_or(QueryValue::Null, QueryValue::Bool)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_stretches_of_a_regular_expression_mean_themselves() {
        assert_eq!(unquoted(r"a.\Qb.c\E.*"), r"a.b\.c.*");
        assert_eq!(unquoted(r"\Qx+"), r"x\+");
    }
}
