//! Queries: a tagged graph can be asked, in a subset of openCypher.
//!
//! The graph has the names of Barbon, Leroy and Salaün (2019), so that their queries run unchanged. What
//! the subset is stands in `docs/query.md`; everything else is an error with its place. The same questions
//! by name, answered by searches of their own, are in [`named`].
//!
//! Rows come in an order that depends on the graph and the query only: a node before those with greater
//! numbers, where the search takes one after the other.

mod ast;
mod engine;
mod eval;
mod functions;
mod graph;
mod lexer;
mod matching;
pub mod named;
mod operators;
mod parser;
mod plan;
mod shortest;
mod value;

use std::collections::BTreeMap;

use wherefore_base::{Budget, Diagnostic, FileId, Run, Span, nearest};

pub use ast::QueryText;
pub use graph::{QueryGraph, colour_name, node_labels, type_name, zone_name};
pub use value::{QueryPath, QueryValue};

use ast::NameKind;
use engine::{QueryEngine, QueryHalt};
use graph::{NODE_PROPERTIES, NodeLabel, RELATIONSHIP_PROPERTIES};

/// Reads queries, one after the other: each ends with its `RETURN`, a `;` may follow. `parameters` are the
/// values of `$name`.
pub fn parse(
    text: &str,
    file: FileId,
    parameters: &BTreeMap<String, QueryValue>,
) -> Result<Vec<QueryText>, Diagnostic> {
    parser::parse(text, file, parameters)
}

/// How much a query may do. Both are counts, so that the same query ends the same way everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryLimits {
    /// The most rows that are kept.
    pub rows: usize,
    /// The most steps of its search.
    pub steps: u64,
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self {
            rows: 1_000_000,
            steps: 100_000_000,
        }
    }
}

/// What a query gives.
#[derive(Clone, Debug)]
pub struct QueryAnswer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a value for each column.
    pub rows: Vec<Vec<QueryValue>>,
    /// Why there may be more rows than these, or other ones: a whole sentence without its full stop.
    pub incomplete: Option<String>,
    /// Why there are no rows, where something can be said about it: a whole sentence.
    pub note: Option<String>,
    /// What may be wrong with the query: warnings.
    pub hints: Vec<Diagnostic>,
}

impl QueryText {
    /// The comment before the query, on one line.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Where the query stands.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Asks a graph. An error is about the query: a value that an operator cannot take.
    pub fn run(
        &self,
        graph: &QueryGraph<'_>,
        limits: QueryLimits,
        budget: &Budget,
    ) -> Run<Result<QueryAnswer, Diagnostic>> {
        let (rows, halt) = QueryEngine::new(graph, self, limits, budget).run();
        let incomplete = match halt {
            None => None,
            Some(QueryHalt::Stop(stop)) => return Err(stop),
            Some(QueryHalt::Wrong(wrong)) => return Ok(Err(*wrong)),
            Some(QueryHalt::Rows) => Some(format!("The query has more than {} rows", limits.rows)),
            Some(QueryHalt::Steps) => Some(format!(
                "The search was not finished after {} steps",
                limits.steps
            )),
        };
        let mut hints = self.unknown(graph);
        if let Some(late) = self.late
            && rows.is_empty()
            && incomplete.is_none()
        {
            let message =
                "One shortest path for each pair of nodes was tried against this condition";
            hints.push(Diagnostic::warning(late, message).help(
                "A longer path may fulfil it. Put the condition into the WHERE of MATCH, or use a query by name, which searches under the condition.",
            ));
        }
        Ok(Ok(QueryAnswer {
            columns: self.columns.clone(),
            rows,
            incomplete,
            note: None,
            hints,
        }))
    }

    /// Warnings about names that the graph does not know.
    fn unknown(&self, graph: &QueryGraph<'_>) -> Vec<Diagnostic> {
        let lts = graph.tagged().lts();
        let mut hints: Vec<Diagnostic> = Vec::new();
        for mention in &self.mentions {
            let name = &*mention.name;
            let (known, what): (Vec<&str>, &str) = match mention.what {
                NameKind::Label => (
                    NodeLabel::NAMES.map(|(name, _)| name).to_vec(),
                    "node has the label",
                ),
                NameKind::Type if lts.label(name).is_some() => continue,
                NameKind::Type => {
                    let labels = lts.labels().iter().map(|label| label.text.as_str());
                    (labels.collect(), "relationship has the type")
                }
                NameKind::Property => {
                    let mut names = NODE_PROPERTIES.to_vec();
                    names.extend(RELATIONSHIP_PROPERTIES);
                    (names, "node or relationship has the property")
                }
            };
            if known.contains(&name) {
                continue;
            }
            let hint = Diagnostic::warning(mention.span, format!("No {what} `{name}`"));
            let near = nearest(name, known.iter().copied(), 2);
            let hint = match near {
                Some(near) => hint.because(format!("perhaps `{near}`")),
                None => hint,
            };
            hints.push(match mention.what {
                NameKind::Type => hint,
                _ => hint.help(format!("There are {}.", known.join(", "))),
            });
        }
        hints
    }
}
