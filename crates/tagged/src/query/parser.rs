//! Reads queries: clauses and patterns. Expressions are read next door.
//!
//! Names are resolved on the way, so that a misspelt one is told at its place.

mod expression;
mod operator;
mod projection;

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, FileId, Span, nearest};
use wherefore_syntax::{Cursor, Parser};

use super::ast::{
    Aggregate, Direction, MatchPattern, Mention, NameKind, NodePattern, PatternPath, QueryClause,
    QueryExpr, QueryText, RelationshipPattern, ShortestMode, SourceMark,
};
use super::lexer::{QueryToken, QueryTokens, lex};
use super::value::QueryValue;

const CLAUSES: &str = "Supported are MATCH, OPTIONAL MATCH, WHERE, UNWIND, WITH and RETURN with DISTINCT, ORDER BY, SKIP and LIMIT.";

/// Reads one query after the other, separated by `;` or by nothing: a query ends with its `RETURN`.
pub(super) fn parse(
    text: &str,
    file: FileId,
    parameters: &BTreeMap<String, QueryValue>,
) -> Result<Vec<QueryText>, Diagnostic> {
    let QueryTokens {
        tokens,
        closes,
        comments,
    } = lex(text, file)?;
    let mut parser = QueryParser {
        cursor: Cursor::new(file, text, tokens),
        closes,
        comments,
        parameters,
        scope: Vec::new(),
        mentions: Vec::new(),
        patterns: 0,
        aggregates: None,
    };
    let mut queries = Vec::new();
    loop {
        while parser.eat(";") {}
        if parser.is(QueryToken::End) {
            break;
        }
        queries.push(parser.query()?);
    }
    if queries.is_empty() {
        return Err(Diagnostic::error(parser.here(), "There is no query").help(CLAUSES));
    }
    Ok(queries)
}

type Parse<T> = Result<T, Diagnostic>;

struct QueryParser<'a> {
    cursor: Cursor<'a, QueryToken>,
    /// For an opening bracket: the index of the token that closes it.
    closes: FxHashMap<usize, usize>,
    /// The comments right before a token.
    comments: FxHashMap<usize, Rc<str>>,
    parameters: &'a BTreeMap<String, QueryValue>,
    /// The names of the slots; hidden ones have none.
    scope: Vec<Option<Rc<str>>>,
    mentions: Vec<Mention>,
    patterns: usize,
    /// Where aggregates are put, where there may be any.
    aggregates: Option<Vec<Aggregate>>,
}

impl<'a> Parser<'a> for QueryParser<'a> {
    type Kind = QueryToken;
    type Error = Diagnostic;

    const DEEPEST: usize = 500;

    fn cursor(&self) -> &Cursor<'a, QueryToken> {
        &self.cursor
    }

    fn cursor_mut(&mut self) -> &mut Cursor<'a, QueryToken> {
        &mut self.cursor
    }

    fn reject(&mut self, wrong: Diagnostic) -> Diagnostic {
        wrong
    }

    fn is_word(&self, word: &str) -> bool {
        self.word()
            .is_some_and(|here| here.eq_ignore_ascii_case(word))
    }
}

impl QueryParser<'_> {
    fn query(&mut self) -> Parse<QueryText> {
        self.scope.clear();
        self.mentions.clear();
        self.patterns = 0;
        let (start, title) = (self.here(), self.comments.get(&self.cursor.at).cloned());
        let mut clauses: Vec<QueryClause> = Vec::new();
        let mut late = None;
        loop {
            let here = self.here();
            if self.eat_word("MATCH") {
                let pattern = self.matching()?;
                clauses.push(QueryClause::Match {
                    pattern,
                    optional: false,
                });
            } else if self.eat_word("OPTIONAL") {
                self.expect_word("MATCH")?;
                let pattern = self.matching()?;
                clauses.push(QueryClause::Match {
                    pattern,
                    optional: true,
                });
            } else if self.eat_word("UNWIND") {
                let list = self.expression()?;
                self.expect_word("AS")?;
                let (name, span) = self.name("a variable")?;
                let slot = self.declare(name, span)?;
                clauses.push(QueryClause::Unwind {
                    list,
                    slot,
                    mark: SourceMark(here),
                });
            } else if self.eat_word("WITH") {
                let (project, _) = self.projection(false)?;
                if project.condition.is_some() && after_shortest(&clauses) {
                    late.get_or_insert(here);
                }
                clauses.push(QueryClause::Project(project));
            } else if self.eat_word("RETURN") {
                let (project, columns) = self.projection(true)?;
                clauses.push(QueryClause::Project(project));
                self.end_of_query()?;
                return Ok(QueryText {
                    clauses,
                    columns,
                    title,
                    span: start.to(self.before()),
                    mentions: std::mem::take(&mut self.mentions),
                    patterns: self.patterns,
                    late,
                });
            } else {
                return Err(self.no_clause());
            }
        }
    }

    /// After `RETURN` there is nothing, or the next query.
    fn end_of_query(&self) -> Parse<()> {
        let clauses = ["MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN"];
        let ends = matches!(self.peek(), QueryToken::End | QueryToken::Sign(";"))
            || clauses.iter().any(|clause| self.is_word(clause));
        if ends { Ok(()) } else { Err(self.no_clause()) }
    }

    fn no_clause(&self) -> Diagnostic {
        let error = |message: String| Diagnostic::error(self.here(), message).help(CLAUSES);
        let Some(word) = self.word() else {
            return match self.peek() {
                QueryToken::End => error("The query ends without `RETURN`".to_string()),
                _ => self.misplaced("a clause").help(CLAUSES),
            };
        };
        let upper = word.to_uppercase();
        let changing = [
            "CREATE", "MERGE", "DELETE", "DETACH", "SET", "REMOVE", "FOREACH", "LOAD", "DROP",
        ];
        let unknown = [
            "CALL", "UNION", "USE", "SHOW", "EXPLAIN", "PROFILE", "FINISH", "START",
        ];
        if changing.contains(&upper.as_str()) {
            return error(format!(
                "`{upper}` is not supported: the graph cannot be changed"
            ));
        }
        if unknown.contains(&upper.as_str()) {
            return error(format!("`{upper}` is not supported"));
        }
        if upper == "WHERE" {
            return error("`WHERE` follows `MATCH` or `WITH`".to_string());
        }
        let known = [
            "MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "WHERE", "ORDER", "SKIP", "LIMIT",
        ];
        let error = error(format!("`{word}` is no clause"));
        match nearest(&upper, known, 2) {
            Some(near) => error.because(format!("perhaps `{near}`")),
            None => error,
        }
    }

    fn matching(&mut self) -> Parse<MatchPattern> {
        let before = self.scope.len();
        let parts = self.separated(",", |p| p.part(before, false))?;
        let conditions = match self.after_word("WHERE")? {
            // Conditions that AND joins are kept apart, so that each is asked as soon as it can be.
            Some(QueryExpr::And(all, _)) => all,
            other => other.into_iter().collect(),
        };
        Ok(self.numbered(parts, before, conditions))
    }

    fn numbered(
        &mut self,
        parts: Vec<PatternPath>,
        before: usize,
        conditions: Vec<QueryExpr>,
    ) -> MatchPattern {
        let number = self.patterns;
        self.patterns += 1;
        MatchPattern {
            number,
            parts,
            before,
            after: self.scope.len(),
            conditions,
        }
    }

    /// One path of a pattern. In a condition it may name known variables only.
    fn part(&mut self, before: usize, asked: bool) -> Parse<PatternPath> {
        let mut path = None;
        if self.is_name() && self.ahead(1) == QueryToken::Sign("=") {
            let (name, span) = self.name("a path")?;
            path = Some((name, span));
            self.skip(1);
        }
        let shortest = if self.is_word("shortestPath") {
            Some(ShortestMode::One)
        } else if self.is_word("allShortestPaths") {
            Some(ShortestMode::All)
        } else {
            None
        };
        let (nodes, relationships) = match shortest {
            None => self.chain(before, asked)?,
            Some(_) => {
                let here = self.here();
                self.skip(1);
                self.expect("(", "")?;
                let chain = self.chain(before, asked)?;
                self.expect(")", "")?;
                let [step] = chain.1.as_slice() else {
                    let message =
                        "A shortest path has one relationship pattern, as in `(a)-[*]->(b)`";
                    return Err(Diagnostic::error(here, message));
                };
                if step.length.is_some_and(|(least, _)| least > 1) {
                    let message = "The least length of a shortest path is 0 or 1";
                    return Err(Diagnostic::error(step.mark.0, message)
                        .help("Write `[*]`, `[*0..]` or `[*..5]`, and `length(p) > 3` in WHERE."));
                }
                chain
            }
        };
        // The name of a path means nothing within its own pattern, so it is declared afterwards.
        let path = match path {
            Some((name, span)) => Some(self.declare(name, span)?),
            None => None,
        };
        Ok(PatternPath {
            path,
            shortest,
            nodes,
            relationships,
        })
    }

    fn chain(
        &mut self,
        before: usize,
        asked: bool,
    ) -> Parse<(Vec<NodePattern>, Vec<RelationshipPattern>)> {
        let mut nodes = vec![self.node(asked)?];
        let mut relationships = Vec::new();
        while matches!(self.peek(), QueryToken::Sign("-" | "<")) {
            relationships.push(self.relationship(before, asked)?);
            nodes.push(self.node(asked)?);
        }
        Ok((nodes, relationships))
    }

    fn node(&mut self, asked: bool) -> Parse<NodePattern> {
        let start = self.here();
        if !self.eat("(") {
            return Err(self.unexpected("a node such as `(n:STATE)`"));
        }
        let slot = if self.is_name() {
            let (name, span) = self.name("a variable")?;
            match self.lookup(&name) {
                Some(slot) => slot,
                None if asked => return Err(self.unknown_variable(&name, span)),
                None => self.declare(name, span)?,
            }
        } else {
            self.hide()
        };
        let labels = self.labels()?;
        let properties = self.properties()?;
        self.expect(")", "at the end of a node")?;
        Ok(NodePattern {
            slot,
            labels,
            properties,
            mark: self.mark(start),
        })
    }

    /// `:A:B`
    fn labels(&mut self) -> Parse<Vec<Rc<str>>> {
        let mut labels = Vec::new();
        while self.eat(":") {
            let (name, span) = self.name("a label")?;
            self.mention(NameKind::Label, &name, span);
            labels.push(name);
        }
        if !labels.is_empty() && self.is("|") {
            return Err(
                Diagnostic::error(self.here(), "Labels cannot be joined with `|`")
                    .help("Write `n:A OR n:B` in WHERE."),
            );
        }
        Ok(labels)
    }

    fn properties(&mut self) -> Parse<Vec<(Rc<str>, QueryExpr)>> {
        if matches!(self.peek(), QueryToken::Parameter(_)) {
            let message = "A parameter cannot stand for all properties";
            return Err(Diagnostic::error(self.here(), message)
                .help("Write them one by one, as in `{id: $id}`."));
        }
        if !self.eat("{") {
            return Ok(Vec::new());
        }
        self.up_to("}", |p| {
            let (name, span) = p.name("a property")?;
            p.mention(NameKind::Property, &name, span);
            p.expect(":", "")?;
            Ok((name, p.expression()?))
        })
    }

    fn relationship(&mut self, before: usize, asked: bool) -> Parse<RelationshipPattern> {
        let start = self.here();
        let left = self.eat("<");
        self.expect("-", "")?;
        let mut found = RelationshipPattern {
            slot: usize::MAX,
            named: false,
            types: Vec::new(),
            properties: Vec::new(),
            direction: Direction::Both,
            length: None,
            mark: SourceMark(start),
        };
        if self.eat("[") {
            if self.is_name() {
                let (name, span) = self.name("a variable")?;
                found.named = true;
                found.slot = match self.lookup(&name) {
                    Some(slot) if slot < before || asked => slot,
                    Some(_) => {
                        let message = format!("`{name}` is used for two relationships");
                        return Err(Diagnostic::error(span, message)
                            .help("A pattern uses each relationship once."));
                    }
                    None if asked => return Err(self.unknown_variable(&name, span)),
                    None => self.declare(name, span)?,
                };
            }
            if self.eat(":") {
                loop {
                    let (name, span) = self.name("a type of relationships")?;
                    self.mention(NameKind::Type, &name, span);
                    found.types.push(name);
                    if !self.eat("|") {
                        break;
                    }
                    self.eat(":");
                }
            }
            let star = self.here();
            if self.eat("*") {
                found.length = Some(self.length(star)?);
            }
            found.properties = self.properties()?;
            self.expect("]", "at the end of a relationship")?;
        }
        self.expect("-", "")?;
        let right = self.eat(">");
        found.direction = match (left, right) {
            (true, false) => Direction::In,
            (false, true) => Direction::Out,
            _ => Direction::Both,
        };
        if !found.named {
            found.slot = self.hide();
        }
        found.mark = self.mark(start);
        Ok(found)
    }

    /// What follows `*`: `2`, `1..5`, `..5`, `1..` or nothing.
    fn length(&mut self, star: Span) -> Parse<(u32, Option<u32>)> {
        let least = self.bound()?;
        if !self.eat("..") {
            return Ok((least.unwrap_or(1), least));
        }
        let most = self.bound()?;
        let least = least.unwrap_or(1);
        if most.is_some_and(|most| most < least) {
            let span = star.to(self.before());
            return Err(Diagnostic::error(span, "No length is in this range"));
        }
        Ok((least, most))
    }

    fn bound(&mut self) -> Parse<Option<u32>> {
        let QueryToken::Int(number) = self.peek() else {
            return Ok(None);
        };
        let span = self.here();
        self.skip(1);
        match u32::try_from(number) {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(Diagnostic::error(span, "This length is too large")),
        }
    }

    fn lookup(&self, name: &str) -> Option<usize> {
        // Of several variables with a name the innermost is meant.
        self.scope
            .iter()
            .rposition(|known| known.as_deref() == Some(name))
    }

    fn declare(&mut self, name: Rc<str>, span: Span) -> Parse<usize> {
        if self.lookup(&name).is_some() {
            let message = format!("`{name}` is already a variable");
            return Err(Diagnostic::error(span, message));
        }
        self.scope.push(Some(name));
        Ok(self.scope.len() - 1)
    }

    fn hide(&mut self) -> usize {
        self.scope.push(None);
        self.scope.len() - 1
    }

    fn unknown_variable(&self, name: &str, span: Span) -> Diagnostic {
        let error = Diagnostic::error(span, format!("There is no variable `{name}` here"));
        let known = self.scope.iter().flatten().map(|name| &**name);
        match nearest(name, known, 2) {
            Some(near) => error.because(format!("perhaps `{near}`")),
            None => error,
        }
    }

    fn mention(&mut self, what: NameKind, name: &Rc<str>, span: Span) {
        let name = Rc::clone(name);
        self.mentions.push(Mention { what, name, span });
    }

    /// Whether a name stands here.
    fn is_name(&self) -> bool {
        matches!(self.peek(), QueryToken::Word | QueryToken::Quoted(_))
    }

    fn name(&mut self, what: &str) -> Parse<(Rc<str>, Span)> {
        let name = match self.peek() {
            QueryToken::Word => self.text().into(),
            QueryToken::Quoted(name) => name,
            _ => return Err(self.unexpected(&format!("the name of {what}"))),
        };
        self.skip(1);
        Ok((name, self.before()))
    }

    /// What stands between commas up to a sign, which is passed.
    fn up_to<T>(
        &mut self,
        close: &'static str,
        mut read: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",", "")?;
            }
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// The expression after a word, if the word stands here.
    fn after_word(&mut self, word: &str) -> Parse<Option<QueryExpr>> {
        self.eat_word(word).then(|| self.expression()).transpose()
    }

    /// The place from a token to the present one.
    fn mark(&self, start: Span) -> SourceMark {
        SourceMark(start.to(self.before()))
    }
}

/// Whether some clause looks for a shortest path.
fn after_shortest(clauses: &[QueryClause]) -> bool {
    clauses.iter().any(|clause| match clause {
        QueryClause::Match { pattern, .. } => {
            pattern.parts.iter().any(|part| part.shortest.is_some())
        }
        _ => false,
    })
}
