//! Formulas to edges.

use wherefore_base::deep;
use wherefore_sat::CircuitEdge;

use super::ProblemTranslator;
use super::closures::ApproximationSide;
use crate::matrix::{Gates, all, any};
use crate::problem::Overflow;
use crate::refusal::SearchResult;
use crate::terms::{Amount, FormulaId, RelExprId, RelFormula, RelQuantifier, RelVarId};

/// Where a formula stands, and what its edge is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FormulaContext {
    /// Whether it is below an even number of negations.
    pub(crate) positive: bool,
    /// Whether it is below an odd number of `not`: of negations, only these count where overflow is forbidden.
    pub(crate) denied: bool,
    /// If existential variables get a witness here: how many universal variables are around. Then, where
    /// the formula is positive, its edge implies it, and a solver can make the edge true wherever the
    /// formula is; where it is negative, the same goes for their negations.
    pub(crate) skolem: Option<usize>,
    /// Whether closures may get a witness here; the edge is used as above. Otherwise it is the value of the
    /// formula.
    pub(crate) loose: bool,
}

impl FormulaContext {
    /// For a conjunct of the requirements.
    pub(crate) fn top(positive: bool) -> Self {
        Self {
            positive,
            denied: !positive,
            skolem: Some(0),
            loose: true,
        }
    }

    /// For the formula of a comprehension.
    pub(crate) fn inner() -> Self {
        Self {
            positive: true,
            denied: false,
            skolem: None,
            loose: false,
        }
    }

    /// For the condition of an implication that must hold.
    pub(crate) fn condition() -> Self {
        Self {
            positive: false,
            denied: false,
            skolem: None,
            loose: true,
        }
    }

    /// For formulas whose value is needed.
    fn tight(self) -> Self {
        Self {
            loose: false,
            ..self.branch()
        }
    }

    /// On which side of its value a set may lie that the formula grows with.
    fn side(self) -> ApproximationSide {
        match (self.loose, self.positive) {
            (false, _) => ApproximationSide::Exact,
            (true, true) => ApproximationSide::Least,
            (true, false) => ApproximationSide::Most,
        }
    }

    fn negated(self) -> Self {
        Self {
            denied: !self.denied,
            ..self.opposed()
        }
    }

    /// For the condition of an implication.
    fn opposed(self) -> Self {
        Self {
            positive: !self.positive,
            ..self
        }
    }

    /// For the parts of a disjunction, negations moved inwards.
    pub(crate) fn branch(self) -> Self {
        Self {
            skolem: None,
            ..self
        }
    }

    /// For the parts of a connective: all of them must be as they are, or one of them is enough.
    fn below(self, all: bool) -> Self {
        if all { self } else { self.branch() }
    }

    /// How many universal variables are around the body of a universal quantifier, if existential
    /// variables still get a witness there.
    pub(crate) fn below_universal(self, declared: usize, depth: usize) -> Option<usize> {
        let around = self.skolem?.saturating_add(declared);
        Some(around).filter(|&around| around <= depth)
    }
}

impl ProblemTranslator<'_> {
    /// The edge of a formula.
    pub(crate) fn formula(
        &mut self,
        id: FormulaId,
        context: FormulaContext,
    ) -> SearchResult<CircuitEdge> {
        if let RelFormula::At(inner, span) = self.problem.formula(id) {
            return deep(|| self.at(Some(*span), |this| this.formula(*inner, context)));
        }
        self.tick()?;
        let facts = self.problem.arena.formula_facts(id);
        // What makes no difference is left out, so that more is known already.
        let mut context = context;
        if !facts.quantifier {
            context.skolem = None;
        }
        context.loose &= facts.closure;
        context.positive |= context.skolem.is_none() && !context.loose;
        context.denied &= facts.arithmetic && self.forbids();
        let how = u64::from(context.positive)
            | u64::from(context.loose) << 1
            | u64::from(context.denied) << 2;
        let key = match context.skolem {
            // A witness belongs to all universal variables around it, not only to those that are used.
            Some(_) => None,
            None => self.key(id.index(), how, &facts.free, facts.uses),
        };
        if let Some(&known) = key.as_ref().and_then(|key| self.edges.get(key)) {
            return Ok(known);
        }
        let around = std::mem::replace(&mut self.denied, context.denied);
        let edge = deep(|| self.formula_here(id, context));
        self.denied = around;
        let edge = edge?;
        if let Some(key) = key {
            self.edges.insert(key, edge);
        }
        Ok(edge)
    }

    fn formula_here(
        &mut self,
        id: FormulaId,
        context: FormulaContext,
    ) -> SearchResult<CircuitEdge> {
        let problem = self.problem;
        Ok(match problem.formula(id) {
            RelFormula::In(a, b) => {
                let side = context.side();
                // An inclusion gets truer with fewer tuples on its left.
                let left = self.expr_on(*a, side.other())?;
                let right = self.expr_on(*b, side)?;
                let edge = left.is_in(&right, &mut self.circuit);
                self.settle(
                    edge,
                    [(left.overflow, *a), (right.overflow, *b)],
                    context,
                    |id| problem.behind_expr(id),
                )
            }
            RelFormula::Equal(a, b) => {
                // An equation grows with neither of its sides: both must be exact.
                let (left, right) = (self.expr(*a)?, self.expr(*b)?);
                let edge = left.equals(&right, &mut self.circuit);
                self.hint_equal(&left, &right, edge)?;
                self.settle(
                    edge,
                    [(left.overflow, *a), (right.overflow, *b)],
                    context,
                    |id| problem.behind_expr(id),
                )
            }
            RelFormula::Amount(amount, a) => self.amount(*amount, *a, context)?,
            RelFormula::Compare(how, a, b) => {
                let (edge, overflows) = self.compare(*how, *a, *b)?;
                let operands = [(overflows[0], *a), (overflows[1], *b)];
                self.settle(edge, operands, context, |id| problem.behind_int(id))
            }
            RelFormula::Quantified(quantifier, decls, body) => {
                let all = *quantifier == RelQuantifier::All;
                // It is existential once negations are moved inwards.
                if context.skolem.is_some() && all != context.positive {
                    self.skolemize(all, decls, *body, context)?
                } else {
                    self.quantify(all, decls, *body, context)?
                }
            }
            RelFormula::Not(a) => !self.formula(*a, context.negated())?,
            // With negations moved inwards, nothing below a disjunction gets a witness.
            RelFormula::And(parts) => {
                let edges =
                    self.parts(parts, context.below(context.positive), CircuitEdge::FALSE)?;
                edges.map_or(CircuitEdge::FALSE, |edges| all(&mut self.circuit, edges))
            }
            RelFormula::Or(parts) => {
                let edges =
                    self.parts(parts, context.below(!context.positive), CircuitEdge::TRUE)?;
                edges.map_or(CircuitEdge::TRUE, |edges| any(&mut self.circuit, edges))
            }
            RelFormula::Implies(a, b) => {
                let inner = context.below(!context.positive);
                let left = self.formula(*a, inner.opposed())?;
                if left == CircuitEdge::FALSE {
                    return Ok(CircuitEdge::TRUE);
                }
                let right = self.formula(*b, inner)?;
                self.circuit.or(!left, right)
            }
            RelFormula::Iff(a, b) => {
                // Both sides are used as they are and negated, so their exact values are needed.
                let context = context.tight();
                let (left, right) = (self.formula(*a, context)?, self.formula(*b, context)?);
                self.circuit.iff(left, right)
            }
            RelFormula::At(inner, _) => self.formula(*inner, context)?,
        })
    }

    fn amount(
        &mut self,
        amount: Amount,
        a: RelExprId,
        context: FormulaContext,
    ) -> SearchResult<CircuitEdge> {
        let side = match amount {
            Amount::Some => context.side(),
            Amount::No | Amount::Lone => context.side().other(),
            // More in the set may make it true and may make it false.
            Amount::One => ApproximationSide::Exact,
        };
        let set = self.expr_on(a, side)?;
        let circuit = &mut self.circuit;
        let edge = match amount {
            Amount::Some => set.some(circuit),
            Amount::No => !set.some(circuit),
            Amount::Lone => set.at_most_one(circuit),
            Amount::One => {
                let (some, lone) = (set.some(circuit), set.at_most_one(circuit));
                circuit.and(some, lone)
            }
        };
        let problem = self.problem;
        Ok(self.settle(edge, [(set.overflow, a)], context, |id| {
            problem.behind_expr(id)
        }))
    }

    /// The edges of the parts of a conjunction or disjunction; `None` once one of them decides it.
    fn parts(
        &mut self,
        parts: &[FormulaId],
        context: FormulaContext,
        decides: CircuitEdge,
    ) -> SearchResult<Option<Vec<CircuitEdge>>> {
        let mut edges = Vec::with_capacity(parts.len());
        for &part in parts {
            let edge = self.formula(part, context)?;
            if edge == decides {
                return Ok(None);
            }
            edges.push(edge);
        }
        Ok(Some(edges))
    }

    pub(super) fn forbids(&self) -> bool {
        self.problem.integers().overflow == Overflow::Forbid
    }

    /// The edge of an atomic formula whose operands may overflow; `behind` has the variables that count for one.
    fn settle<I: Copy, const N: usize>(
        &mut self,
        mut edge: CircuitEdge,
        operands: [(CircuitEdge, I); N],
        context: FormulaContext,
        behind: impl Fn(I) -> Vec<RelVarId>,
    ) -> CircuitEdge {
        if !self.forbids() {
            return edge;
        }
        let operands = operands.map(|(over, id)| (over, self.rescues(&behind(id))));
        // What makes it true comes first, what makes it false has the last word.
        for &(over, rescues) in &operands {
            if rescues != context.denied {
                edge = self.circuit.or(edge, over);
            }
        }
        for &(over, rescues) in &operands {
            if rescues == context.denied {
                edge = self.circuit.and(edge, !over);
            }
        }
        edge
    }

    /// Whether the innermost of some variables that stands for an integer is universal.
    fn rescues(&self, variables: &[RelVarId]) -> bool {
        let places = variables.iter();
        let places = places.filter_map(|variable| self.places[variable.index()]);
        let integers = places.filter(|&place| self.scope[place].integer);
        integers
            .max()
            .is_some_and(|place| self.scope[place].rescues)
    }
}
