//! Arrays: which one an expression means, and its elements.
//!
//! An array has no value; it is always taken apart. With a constant index the element is meant, with
//! any other one a choice among the elements, under the obligation that the index is one of theirs.

use wherefore_base::{Diagnostic, IndexVec, Span, Value};
use wherefore_model::{BinaryOp as TermOp, Requirement, Term, TermId, VarId};

use super::{ExprContext, SmvLowering, Time};
use crate::ast::{SmvExpr, SmvExprId, SmvExprKind};
use crate::scope::{ArrayId, Entity, NamedId, Resolved, Typed, ValueSort};

/// The longest way through names to an array.
const LONGEST: usize = 32;

/// An array that an expression means.
#[derive(Clone)]
enum ArrayRef<'a> {
    /// Declared variables.
    Declared(ArrayId, ExprContext),
    /// A list of expressions.
    Listed(ExprList<'a>),
    /// The first array whose condition is true; at least one.
    Choice(Vec<(TermId, ArrayRef<'a>)>),
}

/// A list of expressions.
#[derive(Clone)]
struct ExprList<'a> {
    items: &'a [SmvExprId],
    /// The tree they are in.
    exprs: &'a IndexVec<SmvExprId, SmvExpr>,
    context: ExprContext,
    /// The name that the list is the value of.
    named: Option<NamedId>,
}

/// What is at an index.
enum ElementAt<'a> {
    Value(Typed),
    Array(ArrayRef<'a>),
}

impl<'a> SmvLowering<'a> {
    /// `of[index]`, which must be a value and not an array itself.
    pub(super) fn element(
        &mut self,
        context: ExprContext,
        of: SmvExprId,
        index: SmvExprId,
        span: Span,
    ) -> Option<Typed> {
        match self.item(context, of, index, span)? {
            ElementAt::Value(typed) => Some(typed),
            ElementAt::Array(_) => self.whole_array(span),
        }
    }

    /// Tells that an array stands where a value is meant.
    pub(super) fn whole_array(&mut self, span: Span) -> Option<Typed> {
        let diagnostic = Diagnostic::error(span, "An array has no value of its own")
            .help("Name one of its elements, as in `a[0]`.");
        self.report.tell(diagnostic);
        None
    }

    /// Whether an expression means an array.
    pub(super) fn is_array(&self, context: ExprContext, id: SmvExprId) -> bool {
        self.array(self.exprs, context, id, LONGEST).is_some()
    }

    /// The elements of a name that stands for a list of values, each with its name.
    pub(super) fn listed(&mut self, id: NamedId) -> Option<Vec<(String, Option<Typed>)>> {
        let named = &self.scope.named[id];
        let context = self.context_of(id, Time::Now);
        let array = self.array(self.program, context, named.body, LONGEST)?;
        let ArrayRef::Listed(list) = array else {
            return Some(Vec::new());
        };
        let list = ExprList {
            named: Some(id),
            ..list
        };
        let list = (0..list.items.len()).map(|at| {
            let name = format!("{}[{at}]", named.name);
            let item = self.listed_item(&list, at);
            let value = item.and_then(|item| match item {
                ElementAt::Value(typed) => Some(typed),
                ElementAt::Array(_) => None,
            });
            (name, value)
        });
        Some(list.collect())
    }

    /// The variable that `of[index]` is, where it is assigned.
    pub(super) fn assigned_element(
        &mut self,
        context: ExprContext,
        of: SmvExprId,
        index: SmvExprId,
    ) -> Option<VarId> {
        let span = self.exprs[of].span;
        let Some(array) = self.array(self.exprs, context, of, LONGEST) else {
            return self.no_array(context, of);
        };
        let number = self.constant_index(context, index)?;
        let place = self.place(&array, number, self.exprs[index].span)?;
        let found = match array {
            ArrayRef::Declared(id, _) => Some(self.scope.arrays[id].items[place]),
            _ => None,
        };
        if let Some(Entity::Var(var)) = found {
            return Some(var);
        }
        let message = "Only single elements of declared arrays can be assigned";
        self.report.tell(Diagnostic::error(span, message));
        None
    }

    /// The array an expression means, if it means one.
    fn array(
        &self,
        exprs: &'a IndexVec<SmvExprId, SmvExpr>,
        context: ExprContext,
        id: SmvExprId,
        fuel: usize,
    ) -> Option<ArrayRef<'a>> {
        let fuel = fuel.checked_sub(1)?;
        match &exprs[id].kind {
            SmvExprKind::Array(items) => Some(ArrayRef::Listed(ExprList {
                items,
                exprs,
                context,
                named: None,
            })),
            SmvExprKind::Name(_) | SmvExprKind::Dot(..) => {
                match self.scope.resolve(exprs, context.instance, id).ok()? {
                    Resolved::Entity(Entity::Array(array)) => {
                        Some(ArrayRef::Declared(array, context))
                    }
                    Resolved::Entity(Entity::Named(named)) => {
                        let inside = self.context_of(named, context.time);
                        let body = self.scope.named[named].body;
                        match self.array(self.program, inside, body, fuel)? {
                            ArrayRef::Listed(list) if list.named.is_none() => {
                                let named = Some(named);
                                Some(ArrayRef::Listed(ExprList { named, ..list }))
                            }
                            ArrayRef::Declared(array, _) => {
                                Some(ArrayRef::Declared(array, context))
                            }
                            other => Some(other),
                        }
                    }
                    _ => None,
                }
            }
            SmvExprKind::Next(inner) if context.time == Time::Now && context.rules.next => {
                let time = Time::Next;
                self.array(exprs, ExprContext { time, ..context }, *inner, fuel)
            }
            SmvExprKind::Index(of, index) => {
                // Only whether this is an array is of interest here, so any index will do.
                let ArrayRef::Declared(array, context) = self.array(exprs, context, *of, fuel)?
                else {
                    return None;
                };
                let array = &self.scope.arrays[array];
                let place = match exprs[*index].kind {
                    SmvExprKind::Int(n) => usize::try_from(n.checked_sub(array.low)?).ok()?,
                    _ => 0,
                };
                match array.items.get(place)? {
                    Entity::Array(array) => Some(ArrayRef::Declared(*array, context)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What is at an index of the array an expression means.
    fn item(
        &mut self,
        context: ExprContext,
        of: SmvExprId,
        index: SmvExprId,
        span: Span,
    ) -> Option<ElementAt<'a>> {
        let array = match self.exprs[of].kind {
            SmvExprKind::Index(of, index) => {
                let span = self.exprs[of].span;
                match self.item(context, of, index, span)? {
                    ElementAt::Array(array) => Some(array),
                    ElementAt::Value(_) => None,
                }
            }
            _ => self.array(self.exprs, context, of, LONGEST),
        };
        let Some(array) = array else {
            return self.no_array(context, of);
        };
        let index_span = self.exprs[index].span;
        let index = self.expr(context, index)?;
        let index = self.want(index, ValueSort::Int, index_span)?;
        // An index with one possible value is as good as a constant.
        if let Some(number) = index.values.single() {
            let place = self.place(&array, number, index_span)?;
            return self.at(&array, place, span);
        }
        self.chosen(&array, index, index_span, span)
    }

    /// What is at an index that is no constant.
    fn chosen(
        &mut self,
        array: &ArrayRef<'a>,
        index: Typed,
        index_span: Span,
        span: Span,
    ) -> Option<ElementAt<'a>> {
        let (low, size) = self.extent(array);
        let high = low + size as i64 - 1;
        let (least, most) = index.values.bounds()?;
        if least < low || most > high {
            let fits = [(TermOp::GreaterEqual, low), (TermOp::LessEqual, high)].map(|(op, n)| {
                let bound = self.constant(Value::Int(n), index_span).term;
                self.term(Term::Binary(op, index.term, bound), index_span)
            });
            let fits = self.term(Term::Binary(TermOp::And, fits[0], fits[1]), index_span);
            let message = format!("This index can be outside of the array, {low}..{high}");
            let otherwise = Diagnostic::error(index_span, message)
                .help("Use it inside a `case` or `? :` whose condition keeps it in the array.");
            self.oblige(Requirement::Holds(fits), otherwise);
        }
        let mut items = Vec::new();
        for number in least.max(low)..=most.min(high) {
            self.effort.spend(0)?;
            let here = self.constant(Value::Int(number), index_span).term;
            let condition = self.term(Term::Binary(TermOp::Equal, index.term, here), index_span);
            let item = self.at(array, (number - low) as usize, span)?;
            items.push((condition, item));
        }
        if items.is_empty() {
            let message = format!("This index is never in the array, {low}..{high}");
            self.report.tell(Diagnostic::error(index_span, message));
            return None;
        }
        // The obligation excludes all other indices, so the last item needs no condition.
        let item = self.first(items, span)?;
        Some(match item {
            ElementAt::Value(value) => ElementAt::Value(Typed {
                reads_next: value.reads_next || index.reads_next,
                reads_input: value.reads_input || index.reads_input,
                ..value
            }),
            array => array,
        })
    }

    /// The first item whose condition is true; the last one otherwise.
    fn first(&mut self, items: Vec<(TermId, ElementAt<'a>)>, span: Span) -> Option<ElementAt<'a>> {
        let mut arrays = Vec::new();
        let mut values = Vec::new();
        for (condition, item) in items {
            match item {
                ElementAt::Value(value) => values.push((condition, value)),
                ElementAt::Array(array) => arrays.push((condition, array)),
            }
        }
        if values.is_empty() {
            return Some(ElementAt::Array(ArrayRef::Choice(arrays)));
        }
        let (_, mut result) = values.pop()?;
        for (condition, value) in values.into_iter().rev() {
            // What the condition reads is what the index reads, which `chosen` adds.
            let condition = Typed {
                term: condition,
                sort: ValueSort::Bool,
                ..value.clone()
            };
            result = self.ite(condition, value, result, span, span)?;
        }
        Some(ElementAt::Value(result))
    }

    /// What is at a place, counted from 0.
    fn at(&mut self, array: &ArrayRef<'a>, place: usize, span: Span) -> Option<ElementAt<'a>> {
        match array {
            ArrayRef::Declared(array, context) => match self.scope.arrays[*array].items[place] {
                Entity::Array(inner) => Some(ElementAt::Array(ArrayRef::Declared(inner, *context))),
                Entity::Var(var) => self.variable(*context, var, span).map(ElementAt::Value),
                _ => unreachable!("arrays hold variables and arrays"),
            },
            ArrayRef::Listed(list) => self.listed_item(list, place),
            ArrayRef::Choice(arrays) => {
                let mut items = Vec::new();
                for (condition, array) in arrays {
                    let (_, size) = self.extent(array);
                    if place < size {
                        items.push((*condition, self.at(array, place, span)?));
                    }
                }
                self.first(items, span)
            }
        }
    }

    /// An expression in a list, which must not need the name of the list.
    fn listed_item(&mut self, list: &ExprList<'a>, place: usize) -> Option<ElementAt<'a>> {
        let item = list.items[place];
        let here = std::mem::replace(&mut self.exprs, list.exprs);
        let value = match list.named {
            None => self.item_of(list.context, item),
            Some(named) if !self.open.insert((named, list.context.time)) => {
                self.recursive(named, self.exprs[item].span);
                None
            }
            Some(named) => {
                self.visiting.push(named);
                let value = self.item_of(list.context, item);
                self.visiting.pop();
                self.open.remove(&(named, list.context.time));
                value
            }
        };
        self.exprs = here;
        value
    }

    fn item_of(&mut self, context: ExprContext, item: SmvExprId) -> Option<ElementAt<'a>> {
        match self.array(self.exprs, context, item, LONGEST) {
            Some(array) => Some(ElementAt::Array(array)),
            None => self.expr(context, item).map(ElementAt::Value),
        }
    }

    /// The least index of an array and how many elements it has.
    fn extent(&self, array: &ArrayRef<'_>) -> (i64, usize) {
        match array {
            ArrayRef::Declared(array, _) => {
                let array = &self.scope.arrays[*array];
                (array.low, array.items.len())
            }
            ArrayRef::Listed(list) => (0, list.items.len()),
            ArrayRef::Choice(arrays) => self.extent(&arrays[0].1),
        }
    }

    /// The place of a constant index.
    fn place(&mut self, array: &ArrayRef<'_>, index: i64, span: Span) -> Option<usize> {
        let (low, size) = self.extent(array);
        let place = index.checked_sub(low).and_then(|n| usize::try_from(n).ok());
        if let Some(place) = place.filter(|&place| place < size) {
            return Some(place);
        }
        let high = low + size as i64 - 1;
        let message = format!("The index {index} is outside of the array, {low}..{high}");
        self.report.tell(Diagnostic::error(span, message));
        None
    }

    fn constant_index(&mut self, context: ExprContext, index: SmvExprId) -> Option<i64> {
        let span = self.exprs[index].span;
        let typed = self.expr(context, index)?;
        let typed = self.want(typed, ValueSort::Int, span)?;
        let number = typed.values.single();
        if number.is_none() {
            let diagnostic =
                Diagnostic::error(span, "The index of an assigned element must be constant")
                    .help("Assign each element, and let the values say when it changes.");
            self.report.tell(diagnostic);
        }
        number
    }

    /// Tells that something with an index is no array.
    fn no_array<T>(&mut self, context: ExprContext, of: SmvExprId) -> Option<T> {
        if let SmvExprKind::Name(_) | SmvExprKind::Dot(..) = self.exprs[of].kind {
            self.resolve(context.instance, of)?;
        }
        let span = self.exprs[of].span;
        self.report.tell(Diagnostic::error(
            span,
            "This is no array and has no elements",
        ));
        None
    }
}
