//! A problem: a universe, relations between bounds, and formulas that must be true.

use wherefore_base::{IndexVec, Span};

use crate::arena::Arena;
use crate::records::Records;
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::terms::{
    FormulaId, Int, IntId, RelDecl, RelExpr, RelExprId, RelFormula, RelVarId, RelationId,
};
use crate::tuples::TupleSet;
use crate::universe::{Universe, UniverseAtomId};

/// A relation whose value lies between two sets of tuples.
///
/// Invariant: the lower bound is a subset of the upper bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Its name.
    pub name: String,
    /// The tuples it has in every instance.
    pub lower: TupleSet,
    /// The tuples it may have.
    pub upper: TupleSet,
}

impl Relation {
    /// How many columns its tuples have.
    pub fn arity(&self) -> usize {
        self.upper.arity()
    }

    /// Whether its value is fixed.
    pub fn is_exact(&self) -> bool {
        self.lower.len() == self.upper.len()
    }
}

/// A variable of quantifiers, comprehensions and sums.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelVariable {
    /// Its name.
    pub name: String,
    /// How many columns its tuples have.
    pub arity: usize,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// What happens when the result of arithmetic does not fit the width of integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Overflow {
    /// It wraps around, as in two's complement.
    Wrap,
    /// It does not count (Milicevic and Jackson 2012): values of variables for which arithmetic
    /// overflows neither refute a universal quantifier nor witness an existential one.
    ///
    /// An operand of an atomic formula overflows if an operation in it does, outside of the formulas in
    /// it and of sets whose integers are added up. The atomic formula is then true if the innermost variable declared
    /// with the bound [`RelExpr::Ints`] behind the operand's integers is universal, and false otherwise; below an odd number of
    /// `not`, it is the other way round. False wins. Only `not` moves inwards: on the left of an implication, polarity is
    /// what it is around it. The formulas of comprehensions are positive, and the variables of comprehensions and of sums
    /// count as existential. A variable that is existential at the top, or below one universal
    /// variable, is a function of that one, and it stands for it.
    Forbid,
}

impl Overflow {
    /// Below so many universal variables an existential one is a function of them.
    pub(crate) const DEPTH: usize = 1;
}

/// The integers of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Integers {
    /// How many bits an integer has, with its sign: from 1 to [`Integers::WIDEST`].
    pub width: u32,
    /// What happens on overflow.
    pub overflow: Overflow,
    /// The atoms that stand for integers, with their values.
    pub atoms: Vec<(UniverseAtomId, i64)>,
}

impl Integers {
    /// The most bits an integer may have.
    pub const WIDEST: u32 = 30;

    /// Integers without atoms, of 4 bits, that wrap around.
    pub fn none() -> Self {
        Self {
            width: 4,
            overflow: Overflow::Wrap,
            atoms: Vec::new(),
        }
    }
}

/// A set in a total order: `first` has its first atom, `next` the pairs of neighbours. The empty set has
/// no such order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TotalOrder {
    /// The set that is ordered.
    pub elements: RelExprId,
    /// A relation of one column.
    pub first: RelationId,
    /// A relation of two columns.
    pub next: RelationId,
    /// Where it is written.
    pub span: Option<Span>,
}

/// A problem of relational logic: is there an instance of the relations for which every requirement is
/// true?
///
/// Nodes are made by the methods of the arena it owns (see [`Problem::join`] and the like). A node whose
/// parts do not fit is remembered, and the problem is refused when it is translated or evaluated.
#[derive(Clone, Debug)]
pub struct Problem {
    universe: Universe,
    integers: Integers,
    relations: IndexVec<RelationId, Relation>,
    variables: IndexVec<RelVarId, RelVariable>,
    requirements: Vec<FormulaId>,
    /// The total orders, each with the formula that says what it means.
    pub(crate) orders: Vec<(TotalOrder, FormulaId)>,
    /// The sets whose atoms are ordered by their rows.
    pub(crate) records: Vec<Records>,
    pub(crate) arena: Arena,
    pub(crate) misfit: Option<ProblemRefusal>,
}

impl Problem {
    /// A problem without relations.
    pub fn new(universe: Universe, integers: Integers) -> Self {
        let mut problem = Self {
            universe,
            integers,
            relations: IndexVec::new(),
            variables: IndexVec::new(),
            requirements: Vec::new(),
            orders: Vec::new(),
            records: Vec::new(),
            arena: Arena::default(),
            misfit: None,
        };
        let width = problem.integers.width;
        if width == 0 || width > Integers::WIDEST {
            let most = Integers::WIDEST;
            problem.misfit(format!(
                "Integers of {width} bits are not supported: they have 1 to {most}."
            ));
        }
        let known = problem.universe.len();
        let outside = |(atom, _): &(UniverseAtomId, i64)| atom.index() >= known;
        if problem.integers.atoms.iter().any(outside) {
            problem.misfit("An atom of an integer is not in the universe.".to_string());
        }
        problem
    }

    /// The universe.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// The integers.
    pub fn integers(&self) -> &Integers {
        &self.integers
    }

    /// Adds a relation between two bounds.
    pub fn relation(
        &mut self,
        name: impl Into<String>,
        lower: TupleSet,
        upper: TupleSet,
    ) -> RelationId {
        let name = name.into();
        let packing = self.universe.packing();
        let shapes = [&lower, &upper].map(|set| (set.packing(), set.arity()));
        if shapes != [(packing, upper.arity()); 2] || upper.arity() == 0 {
            self.misfit(format!(
                "The bounds of the relation `{name}` have different columns."
            ));
            return self.relations.push(Relation {
                name,
                lower: upper.clone(),
                upper,
            });
        }
        if !lower.is_subset(&upper) {
            let text =
                format!("The relation `{name}` has a lower bound that is not in its upper one.");
            self.misfit(text);
        }
        self.relations.push(Relation { name, lower, upper })
    }

    /// Adds a relation with a fixed value.
    pub fn constant(&mut self, name: impl Into<String>, value: TupleSet) -> RelationId {
        self.relation(name, value.clone(), value)
    }

    /// Gives a relation other bounds, which lie between those that it has.
    pub fn narrow(&mut self, id: RelationId, lower: TupleSet, upper: TupleSet) {
        let old = &self.relations[id];
        let between = old.lower.is_subset(&lower) && upper.is_subset(&old.upper);
        if !between || !lower.is_subset(&upper) {
            let text = format!(
                "The relation `{}` gets bounds that are not between those that it has.",
                old.name
            );
            self.misfit(text);
            return;
        }
        let relation = &mut self.relations[id];
        (relation.lower, relation.upper) = (lower, upper);
    }

    /// The relations, in the order in which they were added.
    pub fn relations(&self) -> &IndexVec<RelationId, Relation> {
        &self.relations
    }

    /// Adds a variable.
    pub fn variable(
        &mut self,
        name: impl Into<String>,
        arity: usize,
        span: Option<Span>,
    ) -> RelVarId {
        let name = name.into();
        self.variables.push(RelVariable { name, arity, span })
    }

    /// The variables, in the order in which they were added.
    pub fn variables(&self) -> &IndexVec<RelVarId, RelVariable> {
        &self.variables
    }

    /// Requires a formula.
    pub fn require(&mut self, formula: FormulaId) {
        if let Some(&free) = self.arena.formula_facts(formula).free.first() {
            let name = &self.variables[free].name;
            self.misfit(format!(
                "The variable `{name}` is used where it is not declared."
            ));
        }
        self.requirements.push(formula);
    }

    /// Requires nothing any more, total orders included; no set is taken as one of records.
    pub fn forget_requirements(&mut self) {
        self.requirements.clear();
        self.orders.clear();
        self.records.clear();
    }

    /// Requires only the first formulas that were required, so many of them; total orders stay.
    pub fn forget_requirements_after(&mut self, count: usize) {
        self.requirements.truncate(count);
    }

    /// The formulas that must be true.
    pub fn requirements(&self) -> &[FormulaId] {
        &self.requirements
    }

    /// Requires that a set is totally ordered. Where the atoms of the set are interchangeable, symmetry
    /// breaking takes them in the order of the universe.
    pub fn require_order(&mut self, order: TotalOrder) {
        let columns = [
            self.arity(order.elements),
            self.relations[order.first].arity(),
            self.relations[order.next].arity(),
        ];
        if columns != [1, 1, 2] {
            self.misfit(
                "A total order has a set, a set and a relation of two columns.".to_string(),
            );
            return;
        }
        let axioms = self.order_axioms(order);
        self.orders.push((order, axioms));
    }

    /// The total orders that must hold.
    pub fn orders(&self) -> impl ExactSizeIterator<Item = &TotalOrder> {
        self.orders.iter().map(|(order, _)| order)
    }

    /// The node of an expression.
    pub fn expr(&self, id: RelExprId) -> &RelExpr {
        self.arena.expr(id)
    }

    /// The node of a formula.
    pub fn formula(&self, id: FormulaId) -> &RelFormula {
        self.arena.formula(id)
    }

    /// The node of an integer expression.
    pub fn int(&self, id: IntId) -> &Int {
        self.arena.int(id)
    }

    /// How many columns the tuples of an expression have.
    pub fn arity(&self, id: RelExprId) -> usize {
        self.arena.expr_facts(id).arity
    }

    /// Whether there is arithmetic in an expression, which may overflow.
    pub fn has_arithmetic(&self, id: RelExprId) -> bool {
        self.arena.expr_facts(id).arithmetic
    }

    /// Whether there is arithmetic in a formula, which may overflow.
    pub fn formula_has_arithmetic(&self, id: FormulaId) -> bool {
        self.arena.formula_facts(id).arithmetic
    }

    /// The variables that are free in an expression, in order.
    pub fn free_in_expr(&self, id: RelExprId) -> &[RelVarId] {
        &self.arena.expr_facts(id).free
    }

    /// The variables that are free in a formula, in order.
    pub fn free_in_formula(&self, id: FormulaId) -> &[RelVarId] {
        &self.arena.formula_facts(id).free
    }

    /// The variables that are free in an integer expression, in order.
    pub fn free_in_int(&self, id: IntId) -> &[RelVarId] {
        &self.arena.int_facts(id).free
    }

    /// Where a formula is written, if it carries a place.
    pub fn span(&self, id: FormulaId) -> Option<Span> {
        match *self.formula(id) {
            RelFormula::At(_, span) => Some(span),
            _ => None,
        }
    }

    /// Says where an expression is written; the first place given stays.
    pub fn place_expr(&mut self, id: RelExprId, span: Span) {
        self.arena.place_expr(id, span);
    }

    /// Where an expression is first written, if somebody said so.
    pub fn expr_span(&self, id: RelExprId) -> Option<Span> {
        self.arena.expr_span(id)
    }

    /// Says where an integer expression is written; the first place given stays.
    pub fn place_int(&mut self, id: IntId, span: Span) {
        self.arena.place_int(id, span);
    }

    /// Where an integer expression is first written, if somebody said so.
    pub fn int_span(&self, id: IntId) -> Option<Span> {
        self.arena.int_span(id)
    }

    /// Whether every node is put together from parts that fit.
    pub fn check(&self) -> SearchResult<()> {
        self.misfit.clone().map_or(Ok(()), Err)
    }

    /// There is one first element, which has no predecessor; every element is reached from it, and has
    /// at most one successor and one predecessor.
    fn order_axioms(&mut self, order: TotalOrder) -> FormulaId {
        let (first, next) = (self.rel(order.first), self.rel(order.next));
        let element = self.variable("e", 1, order.span);
        let each = RelDecl::one(element, order.elements);
        let element = self.var(element);
        let pairs = self.product(order.elements, order.elements);
        let star = self.reflexive_closure(next);
        let reached = self.join(first, star);
        let before_first = self.join(next, first);
        let (after, before) = (self.join(element, next), self.join(next, element));
        let single = [self.lone(after), self.lone(before)];
        let single = self.and(single);
        let parts = [
            self.one(first),
            self.is_in(first, order.elements),
            self.is_in(next, pairs),
            self.is_in(order.elements, reached),
            self.no(before_first),
            self.all([each], single),
        ];
        let axioms = self.and(parts);
        match order.span {
            Some(span) => self.at(axioms, span),
            None => axioms,
        }
    }

    /// Remembers that something does not fit; the first such thing stays.
    pub(crate) fn misfit(&mut self, message: String) {
        self.misfit
            .get_or_insert(ProblemRefusal::Misfit { message });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_do_not_fit_are_refused() {
        let universe = Universe::new(["a", "b"]);
        let all = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        problem.relation("r", universe.no_tuples(1), all.clone());
        assert_eq!(problem.check(), Ok(()));
        problem.relation("s", all.clone(), universe.no_tuples(1));
        let text = problem.check().expect_err("it does not fit").to_string();
        assert_eq!(
            text,
            "The relation `s` has a lower bound that is not in its upper one."
        );
        let mut problem = Problem::new(universe, Integers::none());
        problem.relation("t", all.clone(), all.product(&all));
        assert!(problem.check().is_err());
        let wide = Integers {
            width: 31,
            ..Integers::none()
        };
        assert!(Problem::new(Universe::new(["a"]), wide).check().is_err());
    }
}
