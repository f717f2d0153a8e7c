//! What a query says. Names are resolved: a variable is a slot of the row.

use std::rc::Rc;

use wherefore_base::Span;

use super::value::QueryValue;

/// A query: clauses that pass rows on, the last one the answer.
#[derive(Clone, Debug)]
pub struct QueryText {
    pub(super) clauses: Vec<QueryClause>,
    /// The names of the columns.
    pub(super) columns: Vec<String>,
    /// The comment before it.
    pub(super) title: Option<Rc<str>>,
    pub(super) span: Span,
    /// The labels, types and properties it names.
    pub(super) mentions: Vec<Mention>,
    /// How many patterns there are.
    pub(super) patterns: usize,
    /// Where a shortest path is filtered after it was chosen.
    pub(super) late: Option<Span>,
}

/// A name that the graph should know.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    pub(super) what: NameKind,
    pub(super) name: Rc<str>,
    pub(super) span: Span,
}

/// What is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NameKind {
    Label,
    Type,
    Property,
}

#[derive(Clone, Debug)]
pub(super) enum QueryClause {
    Match {
        pattern: MatchPattern,
        optional: bool,
    },
    Unwind {
        list: QueryExpr,
        slot: usize,
        mark: SourceMark,
    },
    Project(Project),
}

/// `WITH` and `RETURN`
#[derive(Clone, Debug)]
pub(super) struct Project {
    /// How many slots the rows before it have.
    pub(super) width: usize,
    pub(super) items: Vec<QueryExpr>,
    /// The aggregates in the items; without any, each row gives a row.
    pub(super) aggregates: Vec<Aggregate>,
    /// The items that are grouped by.
    pub(super) keys: Vec<usize>,
    pub(super) distinct: bool,
    /// What to sort by, and whether downwards.
    pub(super) order: Vec<(QueryExpr, bool)>,
    pub(super) skip: Option<usize>,
    pub(super) limit: Option<usize>,
    pub(super) condition: Option<QueryExpr>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Aggregate {
    pub(super) kind: AggregateKind,
    pub(super) distinct: bool,
    /// `None`: `count(*)`.
    pub(super) argument: Option<QueryExpr>,
    pub(super) mark: SourceMark,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AggregateKind {
    Count,
    Collect,
    Min,
    Max,
    Sum,
    Avg,
}

/// What `MATCH` looks for, or what a pattern in a condition asks for.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct MatchPattern {
    /// Its number among the patterns of the query.
    pub(super) number: usize,
    pub(super) parts: Vec<PatternPath>,
    /// How many slots a row has before and after it.
    pub(super) before: usize,
    pub(super) after: usize,
    /// What must hold besides: all of these.
    pub(super) conditions: Vec<QueryExpr>,
}

/// One path of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PatternPath {
    /// Where the path is put, if it has a name.
    pub(super) path: Option<usize>,
    pub(super) shortest: Option<ShortestMode>,
    /// One more than relationships.
    pub(super) nodes: Vec<NodePattern>,
    pub(super) relationships: Vec<RelationshipPattern>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ShortestMode {
    One,
    All,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct NodePattern {
    pub(super) slot: usize,
    pub(super) labels: Vec<Rc<str>>,
    pub(super) properties: Vec<(Rc<str>, QueryExpr)>,
    pub(super) mark: SourceMark,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct RelationshipPattern {
    pub(super) slot: usize,
    /// Whether the slot has a name, so that somebody may read it.
    pub(super) named: bool,
    pub(super) types: Vec<Rc<str>>,
    pub(super) properties: Vec<(Rc<str>, QueryExpr)>,
    pub(super) direction: Direction,
    /// How many; `None`: one that is no list.
    pub(super) length: Option<(u32, Option<u32>)>,
    pub(super) mark: SourceMark,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Out,
    In,
    Both,
}

/// A place that does not count when expressions are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceMark(pub(super) Span);

impl PartialEq for SourceMark {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum QueryExpr {
    Literal(QueryValue),
    Slot(usize),
    /// The value of an aggregate.
    Aggregate(usize),
    Property(Box<QueryExpr>, Rc<str>, SourceMark),
    Index(Box<[QueryExpr; 2]>, SourceMark),
    Slice(
        Box<QueryExpr>,
        Option<Box<QueryExpr>>,
        Option<Box<QueryExpr>>,
        SourceMark,
    ),
    List(Vec<QueryExpr>),
    Map(Vec<(Rc<str>, QueryExpr)>),
    Not(Box<QueryExpr>, SourceMark),
    And(Vec<QueryExpr>, SourceMark),
    Or(Vec<QueryExpr>, SourceMark),
    Xor(Vec<QueryExpr>, SourceMark),
    /// `a < b < c`: one comparison less than expressions.
    Compare(Vec<QueryExpr>, Vec<ComparisonOp>),
    /// The first, then each with the sign before it.
    Arithmetic(Box<QueryExpr>, Vec<(ArithmeticOp, QueryExpr, SourceMark)>),
    Negate(Box<QueryExpr>, SourceMark),
    Test(TextTest, Box<[QueryExpr; 2]>, SourceMark),
    In(Box<[QueryExpr; 2]>, SourceMark),
    IsNull(Box<QueryExpr>),
    HasLabels(Box<QueryExpr>, Vec<Rc<str>>, SourceMark),
    Call(QueryFunction, Vec<QueryExpr>, SourceMark),
    /// `all(x IN list WHERE condition)`
    Quantifier(ListQuantifier, usize, Box<[QueryExpr; 2]>, SourceMark),
    /// `[x IN list WHERE condition | result]`
    Comprehension(Box<Comprehension>),
    /// `reduce(sum = start, x IN list | result)`
    Reduce(Box<Reduce>),
    /// Whether a pattern matches.
    Exists(Box<MatchPattern>),
    Case(Box<CaseExpr>),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Comprehension {
    pub(super) slot: usize,
    pub(super) list: QueryExpr,
    pub(super) condition: Option<QueryExpr>,
    pub(super) result: Option<QueryExpr>,
    pub(super) mark: SourceMark,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reduce {
    pub(super) sum: usize,
    pub(super) start: QueryExpr,
    pub(super) slot: usize,
    pub(super) list: QueryExpr,
    pub(super) result: QueryExpr,
    pub(super) mark: SourceMark,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct CaseExpr {
    pub(super) subject: Option<QueryExpr>,
    pub(super) branches: Vec<(QueryExpr, QueryExpr)>,
    pub(super) otherwise: Option<QueryExpr>,
    pub(super) mark: SourceMark,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ComparisonOp {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ArithmeticOp {
    Plus,
    Minus,
    Times,
    Divide,
    Modulo,
    Power,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextTest {
    StartsWith,
    EndsWith,
    Contains,
    Matches,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListQuantifier {
    All,
    Any,
    None,
    Single,
}

/// The functions, with the fewest and the most arguments they take.
macro_rules! functions {
    ($($name:ident $text:literal $least:literal $most:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum QueryFunction { $($name),* }

        impl QueryFunction {
            /// Their names in lower case, with the fewest and the most arguments they take.
            pub(super) const ALL: &'static [(&'static str, QueryFunction, usize, usize)] =
                &[$(($text, QueryFunction::$name, $least, $most)),*];

            pub(super) fn name(self) -> &'static str {
                match self { $(QueryFunction::$name => $text),* }
            }
        }
    };
}

functions! {
    Abs "abs" 1 1
    Coalesce "coalesce" 1 99
    EndNode "endNode" 1 1
    Exists "exists" 1 1
    Head "head" 1 1
    Id "id" 1 1
    Keys "keys" 1 1
    Labels "labels" 1 1
    Last "last" 1 1
    Left "left" 2 2
    Length "length" 1 1
    Nodes "nodes" 1 1
    Properties "properties" 1 1
    Range "range" 2 3
    Relationships "relationships" 1 1
    Rels "rels" 1 1
    Replace "replace" 3 3
    Reverse "reverse" 1 1
    Right "right" 2 2
    Sign "sign" 1 1
    Size "size" 1 1
    Split "split" 2 2
    StartNode "startNode" 1 1
    Substring "substring" 2 3
    Tail "tail" 1 1
    ToFloat "toFloat" 1 1
    ToInteger "toInteger" 1 1
    ToLower "toLower" 1 1
    ToString "toString" 1 1
    ToUpper "toUpper" 1 1
    Trim "trim" 1 1
    Type "type" 1 1
}

impl QueryExpr {
    /// Calls `visit` with each expression that this one is made of.
    pub(super) fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a QueryExpr)) {
        match self {
            QueryExpr::Literal(_) | QueryExpr::Slot(_) | QueryExpr::Aggregate(_) => {}
            QueryExpr::Property(one, ..)
            | QueryExpr::Not(one, _)
            | QueryExpr::Negate(one, _)
            | QueryExpr::IsNull(one)
            | QueryExpr::HasLabels(one, ..) => visit(one),
            QueryExpr::Index(two, _) | QueryExpr::Test(_, two, _) | QueryExpr::In(two, _) => {
                two.iter().for_each(visit)
            }
            QueryExpr::Quantifier(_, _, two, _) => two.iter().for_each(visit),
            QueryExpr::Slice(list, from, to, _) => {
                visit(list);
                from.iter().chain(to).for_each(|end| visit(end));
            }
            QueryExpr::List(items)
            | QueryExpr::And(items, _)
            | QueryExpr::Or(items, _)
            | QueryExpr::Xor(items, _)
            | QueryExpr::Compare(items, _)
            | QueryExpr::Call(_, items, _) => items.iter().for_each(visit),
            QueryExpr::Map(entries) => entries.iter().for_each(|(_, value)| visit(value)),
            QueryExpr::Arithmetic(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, operand, _)| visit(operand));
            }
            QueryExpr::Comprehension(of) => {
                visit(&of.list);
                of.condition.iter().chain(&of.result).for_each(visit);
            }
            QueryExpr::Reduce(of) => [&of.start, &of.list, &of.result]
                .into_iter()
                .for_each(visit),
            QueryExpr::Exists(pattern) => pattern.expressions(visit),
            QueryExpr::Case(case) => {
                case.subject.iter().for_each(&mut *visit);
                for (when, then) in &case.branches {
                    visit(when);
                    visit(then);
                }
                case.otherwise.iter().for_each(visit);
            }
        }
    }

    /// Adds the slots below `width` that it reads: those of the row, and not its own variables.
    pub(super) fn reads(&self, width: usize, slots: &mut Vec<usize>) {
        if let QueryExpr::Slot(slot) = self
            && *slot < width
        {
            slots.push(*slot);
        }
        if let QueryExpr::Exists(pattern) = self {
            let nodes = pattern.parts.iter().flat_map(|part| &part.nodes);
            let nodes = nodes.map(|node| node.slot);
            let steps = pattern.parts.iter().flat_map(|part| &part.relationships);
            let steps = steps.map(|step| step.slot);
            slots.extend(nodes.chain(steps).filter(|slot| *slot < width));
        }
        self.children(&mut |child| wherefore_base::deep(|| child.reads(width, slots)));
    }
}

impl MatchPattern {
    /// Calls `visit` with each expression in it.
    pub(super) fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a QueryExpr)) {
        for part in &self.parts {
            let nodes = part.nodes.iter().flat_map(|node| &node.properties);
            let steps = part.relationships.iter().flat_map(|step| &step.properties);
            nodes.chain(steps).for_each(|(_, value)| visit(value));
        }
        self.conditions.iter().for_each(visit);
    }
}
