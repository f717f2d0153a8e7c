//! What a query says. Names are resolved: a variable is a slot of the row.

use std::rc::Rc;

use wherefore_base::Span;

use super::value::Value;

/// A query: clauses that pass rows on, the last one the answer.
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) clauses: Vec<Clause>,
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
    pub(super) what: Named,
    pub(super) name: Rc<str>,
    pub(super) span: Span,
}

/// What is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    Label,
    Type,
    Property,
}

#[derive(Clone, Debug)]
pub(super) enum Clause {
    Match { pattern: Pattern, optional: bool },
    Unwind { list: Expr, slot: usize, mark: Mark },
    Project(Project),
}

/// `WITH` and `RETURN`
#[derive(Clone, Debug)]
pub(super) struct Project {
    /// How many slots the rows before it have.
    pub(super) width: usize,
    pub(super) items: Vec<Expr>,
    /// The aggregates in the items; without any, each row gives a row.
    pub(super) aggregates: Vec<Aggregate>,
    /// The items that are grouped by.
    pub(super) keys: Vec<usize>,
    pub(super) distinct: bool,
    /// What to sort by, and whether downwards.
    pub(super) order: Vec<(Expr, bool)>,
    pub(super) skip: Option<usize>,
    pub(super) limit: Option<usize>,
    pub(super) condition: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Aggregate {
    pub(super) kind: AggregateKind,
    pub(super) distinct: bool,
    /// `None`: `count(*)`.
    pub(super) argument: Option<Expr>,
    pub(super) mark: Mark,
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
pub(super) struct Pattern {
    /// Its number among the patterns of the query.
    pub(super) number: usize,
    pub(super) parts: Vec<Part>,
    /// How many slots a row has before and after it.
    pub(super) before: usize,
    pub(super) after: usize,
    /// What must hold besides: all of these.
    pub(super) conditions: Vec<Expr>,
}

/// One path of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Part {
    /// Where the path is put, if it has a name.
    pub(super) path: Option<usize>,
    pub(super) shortest: Option<Shortest>,
    /// One more than relationships.
    pub(super) nodes: Vec<NodePattern>,
    pub(super) relationships: Vec<RelationshipPattern>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shortest {
    One,
    All,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct NodePattern {
    pub(super) slot: usize,
    pub(super) labels: Vec<Rc<str>>,
    pub(super) properties: Vec<(Rc<str>, Expr)>,
    pub(super) mark: Mark,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct RelationshipPattern {
    pub(super) slot: usize,
    /// Whether the slot has a name, so that somebody may read it.
    pub(super) named: bool,
    pub(super) types: Vec<Rc<str>>,
    pub(super) properties: Vec<(Rc<str>, Expr)>,
    pub(super) direction: Direction,
    /// How many; `None`: one that is no list.
    pub(super) length: Option<(u32, Option<u32>)>,
    pub(super) mark: Mark,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Out,
    In,
    Both,
}

/// A place that does not count when expressions are compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(pub(super) Span);

impl PartialEq for Mark {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expr {
    Literal(Value),
    Slot(usize),
    /// The value of an aggregate.
    Aggregate(usize),
    Property(Box<Expr>, Rc<str>, Mark),
    Index(Box<[Expr; 2]>, Mark),
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>, Mark),
    List(Vec<Expr>),
    Map(Vec<(Rc<str>, Expr)>),
    Not(Box<Expr>, Mark),
    And(Vec<Expr>, Mark),
    Or(Vec<Expr>, Mark),
    Xor(Vec<Expr>, Mark),
    /// `a < b < c`: one comparison less than expressions.
    Compare(Vec<Expr>, Vec<Comparison>),
    /// The first, then each with the sign before it.
    Arithmetic(Box<Expr>, Vec<(Arithmetic, Expr, Mark)>),
    Negate(Box<Expr>, Mark),
    Test(TextTest, Box<[Expr; 2]>, Mark),
    In(Box<[Expr; 2]>, Mark),
    IsNull(Box<Expr>),
    HasLabels(Box<Expr>, Vec<Rc<str>>, Mark),
    Call(Function, Vec<Expr>, Mark),
    /// `all(x IN list WHERE condition)`
    Quantifier(Quantifier, usize, Box<[Expr; 2]>, Mark),
    /// `[x IN list WHERE condition | result]`
    Comprehension(Box<Comprehension>),
    /// `reduce(sum = start, x IN list | result)`
    Reduce(Box<Reduce>),
    /// Whether a pattern matches.
    Exists(Box<Pattern>),
    Case(Box<Case>),
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Comprehension {
    pub(super) slot: usize,
    pub(super) list: Expr,
    pub(super) condition: Option<Expr>,
    pub(super) result: Option<Expr>,
    pub(super) mark: Mark,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reduce {
    pub(super) sum: usize,
    pub(super) start: Expr,
    pub(super) slot: usize,
    pub(super) list: Expr,
    pub(super) result: Expr,
    pub(super) mark: Mark,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Case {
    pub(super) subject: Option<Expr>,
    pub(super) branches: Vec<(Expr, Expr)>,
    pub(super) otherwise: Option<Expr>,
    pub(super) mark: Mark,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
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
pub(super) enum Quantifier {
    All,
    Any,
    None,
    Single,
}

/// The functions, with the fewest and the most arguments they take.
macro_rules! functions {
    ($($name:ident $text:literal $least:literal $most:literal)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Function { $($name),* }

        impl Function {
            /// Their names in lower case, with the fewest and the most arguments they take.
            pub(super) const ALL: &'static [(&'static str, Function, usize, usize)] =
                &[$(($text, Function::$name, $least, $most)),*];

            pub(super) fn name(self) -> &'static str {
                match self { $(Function::$name => $text),* }
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

impl Expr {
    /// Calls `visit` with each expression that this one is made of.
    pub(super) fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            Expr::Literal(_) | Expr::Slot(_) | Expr::Aggregate(_) => {}
            Expr::Property(one, ..)
            | Expr::Not(one, _)
            | Expr::Negate(one, _)
            | Expr::IsNull(one)
            | Expr::HasLabels(one, ..) => visit(one),
            Expr::Index(two, _) | Expr::Test(_, two, _) | Expr::In(two, _) => {
                two.iter().for_each(visit)
            }
            Expr::Quantifier(_, _, two, _) => two.iter().for_each(visit),
            Expr::Slice(list, from, to, _) => {
                visit(list);
                from.iter().chain(to).for_each(|end| visit(end));
            }
            Expr::List(items)
            | Expr::And(items, _)
            | Expr::Or(items, _)
            | Expr::Xor(items, _)
            | Expr::Compare(items, _)
            | Expr::Call(_, items, _) => items.iter().for_each(visit),
            Expr::Map(entries) => entries.iter().for_each(|(_, value)| visit(value)),
            Expr::Arithmetic(first, rest) => {
                visit(first);
                rest.iter().for_each(|(_, operand, _)| visit(operand));
            }
            Expr::Comprehension(of) => {
                visit(&of.list);
                of.condition.iter().chain(&of.result).for_each(visit);
            }
            Expr::Reduce(of) => [&of.start, &of.list, &of.result]
                .into_iter()
                .for_each(visit),
            Expr::Exists(pattern) => pattern.expressions(visit),
            Expr::Case(case) => {
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
        if let Expr::Slot(slot) = self
            && *slot < width
        {
            slots.push(*slot);
        }
        if let Expr::Exists(pattern) = self {
            let nodes = pattern.parts.iter().flat_map(|part| &part.nodes);
            let nodes = nodes.map(|node| node.slot);
            let steps = pattern.parts.iter().flat_map(|part| &part.relationships);
            let steps = steps.map(|step| step.slot);
            slots.extend(nodes.chain(steps).filter(|slot| *slot < width));
        }
        self.children(&mut |child| wherefore_base::deep(|| child.reads(width, slots)));
    }
}

impl Pattern {
    /// Calls `visit` with each expression in it.
    pub(super) fn expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        for part in &self.parts {
            let nodes = part.nodes.iter().flat_map(|node| &node.properties);
            let steps = part.relationships.iter().flat_map(|step| &step.properties);
            nodes.chain(steps).for_each(|(_, value)| visit(value));
        }
        self.conditions.iter().for_each(visit);
    }
}
