//! Reads what operators stand between: names, literals, calls, lists, and what follows them.

use std::rc::Rc;

use wherefore_base::{Diagnostic, Span, nearest};
use wherefore_syntax::Parser;

use super::{Parse, QueryParser};
use crate::query::ast::{
    Aggregate, AggregateKind, CaseExpr, Comprehension, ListQuantifier, NameKind, QueryExpr,
    QueryFunction, Reduce, SourceMark,
};
use crate::query::lexer::QueryToken;
use crate::query::value::QueryValue;

const AGGREGATES: [(&str, AggregateKind); 6] = [
    ("count", AggregateKind::Count),
    ("collect", AggregateKind::Collect),
    ("min", AggregateKind::Min),
    ("max", AggregateKind::Max),
    ("sum", AggregateKind::Sum),
    ("avg", AggregateKind::Avg),
];

const QUANTIFIERS: [(&str, ListQuantifier); 4] = [
    ("all", ListQuantifier::All),
    ("any", ListQuantifier::Any),
    ("none", ListQuantifier::None),
    ("single", ListQuantifier::Single),
];

/// Words that end an expression, unless they are names of variables.
const KEYWORDS: [&str; 16] = [
    "MATCH", "OPTIONAL", "WHERE", "WITH", "RETURN", "UNWIND", "ORDER", "SKIP", "LIMIT", "AND",
    "OR", "XOR", "THEN", "ELSE", "END", "WHEN",
];

impl QueryParser<'_> {
    /// `.name`, `[index]`, `[from..to]`, `:LABEL`
    pub(super) fn extended(&mut self) -> Parse<QueryExpr> {
        let start = self.here();
        let mut expr = self.atom()?;
        let mut levels = 0;
        loop {
            if self.eat(".") {
                let (name, span) = self.name("a property")?;
                self.mention(NameKind::Property, &name, span);
                expr = QueryExpr::Property(Box::new(expr), name, SourceMark(start.to(span)));
            } else if self.eat("[") {
                expr = self.indexed(expr, start)?;
            } else if self.is(":") && is_reference(&expr) {
                let labels = self.labels()?;
                expr = QueryExpr::HasLabels(Box::new(expr), labels, self.mark(start));
            } else {
                self.cursor.depth -= levels;
                return Ok(expr);
            }
            // Each of these makes the tree one level deeper, though nothing is nested in the text.
            levels += 1;
            self.deeper(1)?;
        }
    }

    fn indexed(&mut self, list: QueryExpr, start: Span) -> Parse<QueryExpr> {
        let from = match self.peek() {
            QueryToken::Sign("..") => None,
            _ => Some(self.expression()?),
        };
        let slice = self.eat("..");
        let to = match self.peek() {
            QueryToken::Sign("]") => None,
            _ if slice => Some(Box::new(self.expression()?)),
            _ => None,
        };
        self.expect("]", "")?;
        let mark = self.mark(start);
        Ok(match (slice, from) {
            (false, Some(index)) => QueryExpr::Index(Box::new([list, index]), mark),
            (_, from) => QueryExpr::Slice(Box::new(list), from.map(Box::new), to, mark),
        })
    }

    fn atom(&mut self) -> Parse<QueryExpr> {
        let span = self.here();
        match self.peek() {
            QueryToken::Int(number) => self.literal(QueryValue::Int(number)),
            QueryToken::Float(number) => self.literal(QueryValue::Float(number)),
            QueryToken::Text(text) => self.literal(QueryValue::Text(text)),
            QueryToken::Parameter(name) => {
                let value = self.parameters.get(&*name).cloned();
                let value = value.ok_or_else(|| {
                    Diagnostic::error(span, format!("The parameter `${name}` has no value"))
                })?;
                self.literal(value)
            }
            QueryToken::Sign("(") if self.is_pattern() => self.asked(),
            QueryToken::Sign("(") => {
                self.skip(1);
                let inner = self.expression()?;
                self.expect(")", "")?;
                Ok(inner)
            }
            QueryToken::Sign("[") => self.list(),
            QueryToken::Sign("{") => self.map(),
            QueryToken::Word => {
                let word = self.text();
                let call = self.ahead(1) == QueryToken::Sign("(");
                match word.to_lowercase().as_str() {
                    "true" => self.literal(QueryValue::Bool(true)),
                    "false" => self.literal(QueryValue::Bool(false)),
                    "null" => self.literal(QueryValue::Null),
                    "case" if self.lookup(word).is_none() => self.case(),
                    "exists" if self.ahead(1) == QueryToken::Sign("{") => self.exists(),
                    lower if call => self.call(word, lower, span),
                    _ => self.variable(),
                }
            }
            QueryToken::Quoted(_) => self.variable(),
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn literal(&mut self, value: QueryValue) -> Parse<QueryExpr> {
        self.skip(1);
        Ok(QueryExpr::Literal(value))
    }

    fn variable(&mut self) -> Parse<QueryExpr> {
        let (name, span) = self.name("a variable")?;
        match self.lookup(&name) {
            Some(slot) => Ok(QueryExpr::Slot(slot)),
            None if KEYWORDS.iter().any(|word| name.eq_ignore_ascii_case(word)) => {
                // The message is about the keyword, which was passed.
                self.cursor.at -= 1;
                Err(self.unexpected("an expression"))
            }
            None => Err(self.unknown_variable(&name, span)),
        }
    }

    /// Whether a pattern with a relationship begins here: a node, then `--`, `-[` or `<-`.
    fn is_pattern(&self) -> bool {
        let tokens = &self.cursor.tokens;
        let sign = |at: usize| match tokens.get(at).map(|token| &token.kind) {
            Some(QueryToken::Sign(sign)) => sign,
            _ => "",
        };
        let Some(&close) = self.closes.get(&self.cursor.at) else {
            return false;
        };
        let mut at = self.cursor.at + 1;
        if matches!(tokens[at].kind, QueryToken::Word | QueryToken::Quoted(_)) {
            at += 1;
        }
        while sign(at) == ":" {
            at += 2;
        }
        if sign(at) == "{" {
            match self.closes.get(&at) {
                Some(end) => at = end + 1,
                None => return false,
            }
        }
        at == close
            && match sign(close + 1) {
                "-" => matches!(sign(close + 2), "-" | "["),
                "<" => sign(close + 2) == "-" && matches!(sign(close + 3), "-" | "["),
                _ => false,
            }
    }

    /// A pattern as a condition.
    fn asked(&mut self) -> Parse<QueryExpr> {
        let before = self.scope.len();
        let part = self.part(before, true)?;
        let pattern = self.numbered(vec![part], before, Vec::new());
        // What the pattern declares is unknown outside of it.
        self.scope.truncate(before);
        Ok(QueryExpr::Exists(Box::new(pattern)))
    }

    /// `EXISTS { MATCH ... WHERE ... }`
    fn exists(&mut self) -> Parse<QueryExpr> {
        self.skip(2);
        self.eat_word("MATCH");
        let before = self.scope.len();
        let pattern = self.matching()?;
        self.scope.truncate(before);
        if !self.eat("}") {
            let error = self.unexpected("`}`");
            return Err(error.help("In `EXISTS { }` stand patterns and WHERE, nothing else."));
        }
        Ok(QueryExpr::Exists(Box::new(pattern)))
    }

    fn list(&mut self) -> Parse<QueryExpr> {
        let start = self.here();
        self.skip(1);
        let after = self.cursor.ahead(1);
        let is_in = self.cursor.text_of(after).eq_ignore_ascii_case("IN");
        if self.is_name() && is_in && after.kind == QueryToken::Word {
            return self.comprehension("]", start);
        }
        let items = self.up_to("]", |p| {
            let item = p.expression()?;
            if p.is("|") {
                let error = Diagnostic::error(p.here(), "Lists of patterns are not supported");
                return Err(error.help("Use MATCH and `collect`."));
            }
            Ok(item)
        })?;
        Ok(QueryExpr::List(items))
    }

    /// `x IN list WHERE condition | result` and what closes it.
    fn comprehension(&mut self, close: &'static str, start: Span) -> Parse<QueryExpr> {
        let (slot, list) = self.each()?;
        let condition = self.after_word("WHERE")?;
        let result = self.eat("|").then(|| self.expression()).transpose()?;
        self.scope.truncate(slot);
        self.expect(close, "")?;
        Ok(QueryExpr::Comprehension(Box::new(Comprehension {
            slot,
            list,
            condition,
            result,
            mark: self.mark(start),
        })))
    }

    /// `x IN list`: afterwards `x` is a variable.
    fn each(&mut self) -> Parse<(usize, QueryExpr)> {
        let (name, _) = self.name("a variable")?;
        self.expect_word("IN")?;
        let list = self.expression()?;
        // The list is read before the variable is there.
        self.scope.push(Some(name));
        Ok((self.scope.len() - 1, list))
    }

    fn map(&mut self) -> Parse<QueryExpr> {
        self.skip(1);
        let mut keys: Vec<Rc<str>> = Vec::new();
        let entries = self.up_to("}", |p| {
            let (name, span) = p.name("a key")?;
            if keys.contains(&name) {
                let message = format!("The map has two values for `{name}`");
                return Err(p.wrong(span, message));
            }
            keys.push(Rc::clone(&name));
            p.expect(":", "")?;
            Ok((name, p.expression()?))
        })?;
        Ok(QueryExpr::Map(entries))
    }

    fn case(&mut self) -> Parse<QueryExpr> {
        let start = self.here();
        self.skip(1);
        let subject = (!self.is_word("WHEN")).then(|| self.expression());
        let subject = subject.transpose()?;
        let mut branches = Vec::new();
        while self.eat_word("WHEN") {
            let when = self.expression()?;
            self.expect_word("THEN")?;
            branches.push((when, self.expression()?));
        }
        if branches.is_empty() {
            return Err(self.unexpected("`WHEN`"));
        }
        let otherwise = self.after_word("ELSE")?;
        self.expect_word("END")?;
        let mark = self.mark(start);
        Ok(QueryExpr::Case(Box::new(CaseExpr {
            subject,
            branches,
            otherwise,
            mark,
        })))
    }

    fn call(&mut self, word: &str, lower: &str, span: Span) -> Parse<QueryExpr> {
        self.skip(2);
        if let Some((_, kind)) = AGGREGATES.iter().find(|(name, _)| *name == lower) {
            return self.aggregate(*kind, span);
        }
        if let Some((_, quantifier)) = QUANTIFIERS.iter().find(|(name, _)| *name == lower) {
            let (slot, list) = self.each()?;
            self.expect_word("WHERE")?;
            let condition = self.expression()?;
            self.scope.truncate(slot);
            self.expect(")", "")?;
            let mark = self.mark(span);
            return Ok(QueryExpr::Quantifier(
                *quantifier,
                slot,
                Box::new([list, condition]),
                mark,
            ));
        }
        match lower {
            "reduce" => return self.reduce(span),
            "extract" | "filter" => return self.comprehension(")", span),
            "shortestpath" | "allshortestpaths" => {
                let message = format!("`{word}` is supported in MATCH only");
                return Err(Diagnostic::error(span, message)
                    .help("Write `MATCH p = shortestPath((a)-[*]->(b))`."));
            }
            _ => {}
        }
        let known = QueryFunction::ALL.iter();
        let Some(&(name, function, least, most)) = known
            .clone()
            .find(|(name, ..)| name.eq_ignore_ascii_case(lower))
        else {
            let error = Diagnostic::error(span, format!("There is no function `{word}`"));
            let others = [
                "all", "any", "none", "single", "reduce", "extract", "filter",
            ];
            let mut names: Vec<&str> = known.map(|(name, ..)| *name).collect();
            names.extend(AGGREGATES.iter().map(|(name, _)| *name));
            names.extend(others);
            names.sort_unstable_by_key(|name| name.to_lowercase());
            let error = match nearest(word, names.iter().copied(), 2) {
                Some(near) => error.because(format!("perhaps `{near}`")),
                None => error,
            };
            return Err(error.help(format!("Supported are {}.", names.join(", "))));
        };
        let mut arguments = self.up_to(")", Self::expression)?;
        let span = span.to(self.before());
        if !(least..=most).contains(&arguments.len()) {
            let wanted = match (least, most) {
                (1, 1) => "1 argument".to_string(),
                (least, 99) => format!("at least {least}"),
                (least, most) if least == most => format!("{least} arguments"),
                (least, most) => format!("{least} or {most} arguments"),
            };
            let message = format!("`{name}` takes {wanted}, not {}", arguments.len());
            return Err(Diagnostic::error(span, message));
        }
        match (function, arguments.first()) {
            // Asked for twice is asked for once.
            (QueryFunction::Exists, Some(QueryExpr::Exists(_))) => Ok(arguments.remove(0)),
            _ => Ok(QueryExpr::Call(function, arguments, SourceMark(span))),
        }
    }

    fn aggregate(&mut self, kind: AggregateKind, span: Span) -> Parse<QueryExpr> {
        // It is taken away while the argument is read, so that an aggregate within is refused.
        let Some(mut found) = self.aggregates.take() else {
            let message =
                "An aggregate stands in the columns of WITH or RETURN only, and not in another one";
            return Err(Diagnostic::error(span, message)
                .help("Give it a name with `WITH ... AS name`, then use the name."));
        };
        let distinct = self.eat_word("DISTINCT");
        let argument = match kind {
            AggregateKind::Count if !distinct && self.eat("*") => None,
            _ => Some(self.expression()?),
        };
        self.expect(")", "")?;
        let aggregate = Aggregate {
            kind,
            distinct,
            argument,
            mark: self.mark(span),
        };
        let number = found.iter().position(|known| *known == aggregate);
        let number = number.unwrap_or_else(|| {
            found.push(aggregate);
            found.len() - 1
        });
        self.aggregates = Some(found);
        Ok(QueryExpr::Aggregate(number))
    }

    fn reduce(&mut self, span: Span) -> Parse<QueryExpr> {
        let (name, _) = self.name("a variable")?;
        self.expect("=", "")?;
        let start = self.expression()?;
        self.expect(",", "")?;
        self.scope.push(Some(name));
        let sum = self.scope.len() - 1;
        let (slot, list) = self.each()?;
        self.expect("|", "")?;
        let result = self.expression()?;
        self.scope.truncate(sum);
        self.expect(")", "")?;
        let mark = self.mark(span);
        Ok(QueryExpr::Reduce(Box::new(Reduce {
            sum,
            start,
            slot,
            list,
            result,
            mark,
        })))
    }
}

/// Whether labels may follow.
fn is_reference(expr: &QueryExpr) -> bool {
    matches!(
        expr,
        QueryExpr::Slot(_) | QueryExpr::Call(..) | QueryExpr::Index(..)
    )
}
