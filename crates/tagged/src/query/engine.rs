//! Runs a query: clause by clause, row by row.
//!
//! A row is passed on as soon as it is found, so that `LIMIT` ends a search early and nothing is kept that
//! nobody asks for: sorted rows with a limit only as many as the limit, groups only their aggregates.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, Diagnostic, Meter, Stop};

use super::QueryLimits;
use super::ast::{Aggregate, AggregateKind, Project, QueryClause, QueryExpr, QueryText};
use super::graph::QueryGraph;
use super::plan::MatchPlan;
use super::shortest::ShortestTree;
use super::value::{QueryValue, ValueKey};

/// The values of the slots.
pub(super) type QueryRow = Vec<QueryValue>;

/// Why a query ends early.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum QueryHalt {
    Stop(Stop),
    Rows,
    Steps,
    Wrong(Box<Diagnostic>),
}

impl From<Stop> for QueryHalt {
    fn from(stop: Stop) -> Self {
        QueryHalt::Stop(stop)
    }
}

impl From<Diagnostic> for QueryHalt {
    fn from(wrong: Diagnostic) -> Self {
        QueryHalt::Wrong(Box::new(wrong))
    }
}

pub(super) type Do<T> = Result<T, QueryHalt>;

/// Whether more is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RowFlow {
    More,
    Enough,
}

/// A query at work.
pub(super) struct QueryEngine<'g> {
    pub(super) graph: &'g QueryGraph<'g>,
    query: &'g QueryText,
    limits: QueryLimits,
    meter: Meter,
    steps: u64,
    stages: Vec<ProjectStage>,
    found: Vec<QueryRow>,
    /// The values of the aggregates of the group at hand.
    pub(super) aggregates: Vec<QueryValue>,
    /// The relationships that the pattern at hand uses already.
    pub(super) used: FxHashSet<u32>,
    pub(super) plans: Vec<Option<Rc<MatchPlan>>>,
    /// The tree found last for each part of each pattern, and how many were found in all.
    pub(super) trees: FxHashMap<(usize, usize, bool), (u32, Rc<ShortestTree>)>,
    pub(super) grown: usize,
    pub(super) expressions: FxHashMap<Rc<str>, Rc<regex_lite::Regex>>,
}

/// What a `WITH` or `RETURN` remembers.
#[derive(Default)]
struct ProjectStage {
    groups: BTreeMap<ValueKey, usize>,
    list: Vec<RowGroup>,
    seen: BTreeSet<ValueKey>,
    sorted: Vec<Ranked>,
    /// How many rows came and how many went.
    came: usize,
    went: usize,
}

struct RowGroup {
    row: QueryRow,
    sums: Vec<Sum>,
}

/// An aggregate in the making.
#[derive(Default)]
struct Sum {
    count: i64,
    values: Vec<QueryValue>,
    best: Option<QueryValue>,
    whole: i64,
    real: f64,
    is_real: bool,
    seen: BTreeSet<ValueKey>,
}

struct Ranked {
    keys: Vec<QueryValue>,
    number: usize,
    columns: QueryRow,
}

impl<'g> QueryEngine<'g> {
    pub(super) fn new(
        graph: &'g QueryGraph<'g>,
        query: &'g QueryText,
        limits: QueryLimits,
        budget: &Budget,
    ) -> Self {
        Self {
            graph,
            query,
            limits,
            meter: budget.meter(),
            steps: 0,
            stages: query
                .clauses
                .iter()
                .map(|_| ProjectStage::default())
                .collect(),
            found: Vec::new(),
            aggregates: Vec::new(),
            used: FxHashSet::default(),
            plans: vec![None; query.patterns],
            trees: FxHashMap::default(),
            grown: 0,
            expressions: FxHashMap::default(),
        }
    }

    /// Runs the query. When it ends early, the rows found until then are given if they are rows of the
    /// answer whatever the rest is.
    pub(super) fn run(mut self) -> (Vec<QueryRow>, Option<QueryHalt>) {
        // A query begins with one row that has nothing in it.
        let outcome = self.push(0, Vec::new()).and_then(|_| self.finish(0));
        match outcome {
            Ok(()) => (self.found, None),
            Err(halt) => {
                // Of what is sorted or summed up, the rows found so far need not be rows of the answer.
                let streams = self.query.clauses.iter().all(|clause| match clause {
                    QueryClause::Project(project) => {
                        project.aggregates.is_empty() && project.order.is_empty()
                    }
                    _ => true,
                });
                if !streams {
                    self.found.clear();
                }
                (self.found, Some(halt))
            }
        }
    }

    /// One step of work.
    #[inline]
    pub(super) fn step(&mut self) -> Do<()> {
        self.meter.tick()?;
        self.steps += 1;
        match self.steps > self.limits.steps {
            true => Err(QueryHalt::Steps),
            false => Ok(()),
        }
    }

    /// Gives a row to a clause.
    fn push(&mut self, at: usize, mut row: QueryRow) -> Do<RowFlow> {
        self.step()?;
        let query = self.query;
        let Some(clause) = query.clauses.get(at) else {
            if self.found.len() >= self.limits.rows {
                return Err(QueryHalt::Rows);
            }
            self.found.push(row);
            return Ok(RowFlow::More);
        };
        match clause {
            QueryClause::Match { pattern, optional } => {
                let mut any = false;
                let flow = self.matches(pattern, &mut row, &mut |engine, row| {
                    any = true;
                    engine.push(at + 1, row.clone())
                })?;
                if *optional && !any {
                    // What a match that failed has left in the row is forgotten.
                    row.truncate(pattern.before);
                    row.resize(pattern.after, QueryValue::Null);
                    return self.push(at + 1, row);
                }
                Ok(flow)
            }
            QueryClause::Unwind { list, slot, mark } => {
                let items = match self.eval(list, &mut row)? {
                    QueryValue::Null => return Ok(RowFlow::More),
                    QueryValue::List(items) => items,
                    other => {
                        let message = format!("UNWIND takes a list, not {}", other.sort());
                        return Err(Diagnostic::error(mark.0, message).into());
                    }
                };
                row.resize(*slot + 1, QueryValue::Null);
                for item in items.iter() {
                    row[*slot] = item.clone();
                    if self.push(at + 1, row.clone())? == RowFlow::Enough {
                        return Ok(RowFlow::Enough);
                    }
                }
                Ok(RowFlow::More)
            }
            QueryClause::Project(project) if project.aggregates.is_empty() => {
                let columns = self.columns(project, &mut row)?;
                self.deliver(at, project, row, columns)
            }
            QueryClause::Project(project) => {
                self.gather(at, project, row)?;
                Ok(RowFlow::More)
            }
        }
    }

    /// Says that no more rows come.
    fn finish(&mut self, at: usize) -> Do<()> {
        let query = self.query;
        let Some(clause) = query.clauses.get(at) else {
            return Ok(());
        };
        if let QueryClause::Project(project) = clause {
            let mut flow = RowFlow::More;
            if !project.aggregates.is_empty() {
                let mut groups = std::mem::take(&mut self.stages[at].list);
                // Without keys there is one group, also of no rows.
                if groups.is_empty() && project.keys.is_empty() {
                    groups.push(RowGroup::new(
                        vec![QueryValue::Null; project.width],
                        project,
                    ));
                }
                for mut group in groups {
                    self.aggregates = (group.sums.into_iter().zip(&project.aggregates))
                        .map(|(sum, aggregate)| sum.value(aggregate))
                        .collect();
                    let columns = self.columns(project, &mut group.row)?;
                    flow = self.deliver(at, project, group.row, columns)?;
                    if flow == RowFlow::Enough {
                        break;
                    }
                }
            }
            let mut sorted = std::mem::take(&mut self.stages[at].sorted);
            sort(&mut sorted, project);
            for ranked in sorted {
                if flow == RowFlow::Enough {
                    break;
                }
                flow = self.pass(at, project, ranked.columns)?;
            }
        }
        self.finish(at + 1)
    }

    fn columns(&mut self, project: &Project, row: &mut QueryRow) -> Do<QueryRow> {
        let items = project.items.iter();
        items.map(|item| self.eval(item, row)).collect()
    }

    fn gather(&mut self, at: usize, project: &Project, mut row: QueryRow) -> Do<()> {
        let mut key = Vec::with_capacity(project.keys.len());
        for &item in &project.keys {
            key.push(self.eval(&project.items[item], &mut row)?);
        }
        let key = ValueKey(key);
        let stage = &mut self.stages[at];
        let group = match stage.groups.get(&key) {
            Some(&group) => group,
            None => {
                if stage.list.len() >= self.limits.rows {
                    return Err(QueryHalt::Rows);
                }
                let group = stage.list.len();
                stage.groups.insert(key, group);
                // The first row of a group stands for it where columns read what is grouped by.
                stage.list.push(RowGroup::new(row.clone(), project));
                group
            }
        };
        for (number, aggregate) in project.aggregates.iter().enumerate() {
            let value = match &aggregate.argument {
                Some(argument) => self.eval(argument, &mut row)?,
                None => QueryValue::Bool(true),
            };
            self.stages[at].list[group].sums[number].add(aggregate, value)?;
        }
        Ok(())
    }

    /// Takes the columns of a row: leaves out what was there, sorts.
    fn deliver(
        &mut self,
        at: usize,
        project: &Project,
        mut row: QueryRow,
        columns: QueryRow,
    ) -> Do<RowFlow> {
        if project.distinct {
            let stage = &mut self.stages[at];
            if !stage.seen.insert(ValueKey(columns.clone())) {
                return Ok(RowFlow::More);
            }
            if stage.seen.len() > self.limits.rows {
                return Err(QueryHalt::Rows);
            }
        }
        if project.order.is_empty() {
            return self.pass(at, project, columns);
        }
        // What the rows are sorted by may read the old variables and the new columns.
        row.resize(project.width, QueryValue::Null);
        row.extend(columns.iter().cloned());
        let mut keys = Vec::with_capacity(project.order.len());
        for (by, _) in &project.order {
            keys.push(self.eval(by, &mut row)?);
        }
        let stage = &mut self.stages[at];
        let number = stage.came;
        stage.came += 1;
        stage.sorted.push(Ranked {
            keys,
            number,
            columns,
        });
        let wanted = project
            .limit
            .map(|limit| limit.saturating_add(project.skip.unwrap_or(0)));
        match wanted {
            // Sorting only when twice as many have come keeps the memory bounded and the sorts rare.
            Some(wanted) if stage.sorted.len() >= wanted.saturating_mul(2).saturating_add(64) => {
                sort(&mut stage.sorted, project);
                stage.sorted.truncate(wanted);
            }
            _ if stage.sorted.len() > self.limits.rows => return Err(QueryHalt::Rows),
            _ => {}
        }
        Ok(RowFlow::More)
    }

    /// Skips, limits, filters, and gives a row to the next clause.
    fn pass(&mut self, at: usize, project: &Project, mut columns: QueryRow) -> Do<RowFlow> {
        let stage = &mut self.stages[at];
        let (skip, limit) = (
            project.skip.unwrap_or(0),
            project.limit.unwrap_or(usize::MAX),
        );
        if limit == 0 {
            return Ok(RowFlow::Enough);
        }
        stage.went += 1;
        let number = stage.went;
        if number <= skip {
            return Ok(RowFlow::More);
        }
        // SKIP and LIMIT come before the WHERE of a WITH.
        let last = number - skip >= limit;
        let kept = match &project.condition {
            Some(condition) => self.holds(condition, &mut columns)?,
            None => true,
        };
        let flow = match kept {
            true => self.push(at + 1, columns)?,
            false => RowFlow::More,
        };
        Ok(if last { RowFlow::Enough } else { flow })
    }

    /// Whether a condition is true, and not false or unknown.
    pub(super) fn holds(&mut self, condition: &QueryExpr, row: &mut QueryRow) -> Do<bool> {
        let value = self.eval(condition, row)?;
        Ok(matches!(value, QueryValue::Bool(true)))
    }
}

fn sort(rows: &mut [Ranked], project: &Project) {
    rows.sort_unstable_by(|one, two| {
        for (at, (_, down)) in project.order.iter().enumerate() {
            let order = one.keys[at].order(&two.keys[at]);
            let order = if *down { order.reverse() } else { order };
            if order.is_ne() {
                return order;
            }
        }
        // The number makes the unstable sort a stable one.
        one.number.cmp(&two.number)
    });
}

impl RowGroup {
    fn new(row: QueryRow, project: &Project) -> Self {
        let sums = project.aggregates.iter().map(|_| Sum::default()).collect();
        Self { row, sums }
    }
}

impl Sum {
    fn add(&mut self, aggregate: &Aggregate, value: QueryValue) -> Do<()> {
        if value.is_null() {
            return Ok(());
        }
        if aggregate.distinct && !self.seen.insert(ValueKey(vec![value.clone()])) {
            return Ok(());
        }
        let wrong = |message: String| Err(Diagnostic::error(aggregate.mark.0, message).into());
        self.count += 1;
        match aggregate.kind {
            AggregateKind::Count => {}
            AggregateKind::Collect => self.values.push(value),
            AggregateKind::Min | AggregateKind::Max => {
                let wanted = match aggregate.kind {
                    AggregateKind::Min => std::cmp::Ordering::Less,
                    _ => std::cmp::Ordering::Greater,
                };
                let better = self
                    .best
                    .as_ref()
                    .is_none_or(|best| value.order(best) == wanted);
                if better {
                    self.best = Some(value);
                }
            }
            AggregateKind::Sum | AggregateKind::Avg => match value {
                QueryValue::Int(number) => {
                    self.real += number as f64;
                    match self.whole.checked_add(number) {
                        Some(sum) => self.whole = sum,
                        None => return wrong("The sum is too large".to_string()),
                    }
                }
                QueryValue::Float(number) => {
                    self.is_real = true;
                    self.real += number;
                }
                other => return wrong(format!("Numbers can be added up, {} cannot", other.sort())),
            },
        }
        Ok(())
    }

    fn value(self, aggregate: &Aggregate) -> QueryValue {
        match aggregate.kind {
            AggregateKind::Count => QueryValue::Int(self.count),
            AggregateKind::Collect => QueryValue::list(self.values),
            AggregateKind::Min | AggregateKind::Max => self.best.unwrap_or(QueryValue::Null),
            AggregateKind::Sum if self.is_real => QueryValue::Float(self.real),
            AggregateKind::Sum => QueryValue::Int(self.whole),
            AggregateKind::Avg if self.count == 0 => QueryValue::Null,
            AggregateKind::Avg => QueryValue::Float(self.real / self.count as f64),
        }
    }
}
