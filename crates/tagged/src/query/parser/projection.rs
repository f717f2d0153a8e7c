//! `WITH` and `RETURN`: columns, groups, order.

use std::rc::Rc;

use wherefore_base::{Diagnostic, Span};
use wherefore_syntax::Parser;

use super::{Parse, QueryParser};
use crate::query::ast::{Project, QueryExpr};
use crate::query::lexer::QueryToken;
use crate::query::value::QueryValue;

impl QueryParser<'_> {
    /// What follows `WITH` or `RETURN`, and the names of its columns. Afterwards these are the
    /// variables.
    pub(super) fn projection(&mut self, last: bool) -> Parse<(Project, Vec<String>)> {
        let start = self.here();
        let distinct = self.eat_word("DISTINCT");
        self.aggregates = Some(Vec::new());
        let mut items = Vec::new();
        let mut names: Vec<(Rc<str>, bool)> = Vec::new();
        let mut spans = Vec::new();
        if self.eat("*") {
            for (slot, name) in self.scope.iter().enumerate() {
                if let Some(name) = name {
                    items.push(QueryExpr::Slot(slot));
                    names.push((Rc::clone(name), true));
                    spans.push(start);
                }
            }
            if items.is_empty() {
                return Err(Diagnostic::error(start, "There is no variable for `*`"));
            }
            if self.eat(",") {
                self.items(last, &mut items, &mut names, &mut spans)?;
            }
        } else {
            self.items(last, &mut items, &mut names, &mut spans)?;
        }
        for (at, (name, _)) in names.iter().enumerate() {
            if names[..at].iter().any(|(other, _)| other == name) {
                let message = format!("There are two columns `{name}`");
                return Err(Diagnostic::error(spans[at], message));
            }
        }
        let aggregated = self
            .aggregates
            .as_ref()
            .is_some_and(|found| !found.is_empty());
        let mut keys: Vec<usize> = (0..items.len()).collect();
        if aggregated {
            keys.retain(|&at| !has_aggregate(&items[at]));
            let grouped: Vec<&QueryExpr> = keys.iter().map(|&at| &items[at]).collect();
            for (item, span) in items.iter().zip(&spans) {
                if has_aggregate(item) {
                    self.grouped(item, &grouped, *span)?;
                }
            }
        }
        let width = self.scope.len();
        let order = self.order(&items, &names, distinct, aggregated, &keys)?;
        let aggregates = self.aggregates.take().unwrap_or_default();
        let columns: Vec<Option<Rc<str>>> = names
            .iter()
            .map(|(name, _)| Some(Rc::clone(name)))
            .collect();
        // The names of columns were known for sorting only.
        self.scope.truncate(width);
        let skip = self.count("SKIP")?;
        let limit = self.count("LIMIT")?;
        self.scope = columns;
        let condition = if last {
            None
        } else {
            self.after_word("WHERE")?
        };
        let project = Project {
            width,
            items,
            aggregates,
            keys,
            distinct,
            order,
            skip,
            limit,
            condition,
        };
        let names = names
            .into_iter()
            .map(|(name, _)| name.to_string())
            .collect();
        Ok((project, names))
    }

    fn items(
        &mut self,
        last: bool,
        items: &mut Vec<QueryExpr>,
        names: &mut Vec<(Rc<str>, bool)>,
        spans: &mut Vec<Span>,
    ) -> Parse<()> {
        loop {
            let start = self.here();
            let item = self.expression()?;
            let span = start.to(self.before());
            let name = if self.eat_word("AS") {
                (self.name("a column")?.0, true)
            } else if let QueryExpr::Slot(slot) = item
                && let Some(name) = &self.scope[slot]
            {
                (Rc::clone(name), true)
            } else if last {
                let text = &self.cursor.text[span.start as usize..span.end as usize];
                let words: Vec<&str> = text.split_whitespace().collect();
                (words.join(" ").into(), false)
            } else {
                let message = "In `WITH`, what is no variable needs a name";
                return Err(Diagnostic::error(span, message).help("Write `AS name` after it."));
            };
            items.push(item);
            names.push(name);
            spans.push(span);
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    fn order(
        &mut self,
        items: &[QueryExpr],
        names: &[(Rc<str>, bool)],
        distinct: bool,
        aggregated: bool,
        keys: &[usize],
    ) -> Parse<Vec<(QueryExpr, bool)>> {
        let mut order = Vec::new();
        if !self.eat_word("ORDER") {
            return Ok(order);
        }
        self.expect_word("BY")?;
        let width = self.scope.len();
        let named = names
            .iter()
            .map(|(name, named)| named.then(|| Rc::clone(name)));
        self.scope.extend(named);
        loop {
            let start = self.here();
            let read = self.expression()?;
            let span = start.to(self.before());
            // What is a column already is read from the column, also where rows were grouped.
            let same = items.iter().position(|item| *item == read);
            let expr = same.map_or(read, |at| QueryExpr::Slot(width + at));
            if distinct || aggregated {
                let mut slots = Vec::new();
                expr.reads(width, &mut slots);
                let grouped = |slot: &usize| {
                    !distinct && keys.iter().any(|&key| items[key] == QueryExpr::Slot(*slot))
                };
                if !slots.iter().all(grouped) {
                    let message = "After DISTINCT or an aggregate, only columns can be sorted by";
                    return Err(Diagnostic::error(span, message)
                        .help("Name it as a column with `AS`, and sort by that name."));
                }
            }
            let down = self.eat_word("DESC") || self.eat_word("DESCENDING");
            if !down && !self.eat_word("ASC") {
                self.eat_word("ASCENDING");
            }
            order.push((expr, down));
            if !self.eat(",") {
                return Ok(order);
            }
        }
    }

    /// `SKIP n`, `LIMIT n`
    fn count(&mut self, word: &str) -> Parse<Option<usize>> {
        if !self.eat_word(word) {
            return Ok(None);
        }
        let given = match self.peek() {
            QueryToken::Int(count) => Some(QueryValue::Int(count)),
            QueryToken::Parameter(name) => self.parameters.get(&*name).cloned(),
            _ => None,
        };
        match given {
            Some(QueryValue::Int(count)) if count >= 0 => {
                self.skip(1);
                Ok(Some(usize::try_from(count).unwrap_or(usize::MAX)))
            }
            _ => {
                let message = format!("`{word}` takes a number that is not negative");
                Err(self.wrong(self.here(), message))
            }
        }
    }

    /// Outside its aggregates, an item may read only what is grouped by.
    fn grouped(&self, item: &QueryExpr, keys: &[&QueryExpr], span: Span) -> Parse<()> {
        if keys.contains(&item) {
            return Ok(());
        }
        if let QueryExpr::Slot(slot) = item
            && let Some(Some(name)) = self.scope.get(*slot)
        {
            let message = format!("`{name}` stands beside an aggregate but is no column");
            return Err(Diagnostic::error(span, message).help(format!(
                "Make `{name}` a column of its own, so that rows are grouped by it."
            )));
        }
        let mut children = Vec::new();
        item.children(&mut |child| children.push(child));
        for child in children {
            self.grouped(child, keys, span)?;
        }
        Ok(())
    }
}

fn has_aggregate(expr: &QueryExpr) -> bool {
    let mut found = matches!(expr, QueryExpr::Aggregate(_));
    expr.children(&mut |child| found = found || has_aggregate(child));
    found
}
