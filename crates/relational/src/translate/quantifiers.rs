//! Quantifiers: written out over the tuples of their bounds, or guessed.

use std::rc::Rc;

use wherefore_sat::CircuitEdge;

use super::closures::ApproximationSide;
use super::formulas::FormulaContext;
use super::{ProblemTranslator, Skolem};
use crate::matrix::{Gates, Matrix, all, any};
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::terms::{FormulaId, Multiplicity, RelDecl, RelExpr, RelVarId};

impl RelDecl {
    /// Whether the variable stands for one tuple.
    pub fn is_single(&self) -> bool {
        self.multiplicity == Multiplicity::One
    }
}

impl ProblemTranslator<'_> {
    /// A quantified formula, written out.
    pub(super) fn quantify(
        &mut self,
        for_all: bool,
        decls: &[RelDecl],
        body: FormulaId,
        context: FormulaContext,
    ) -> SearchResult<CircuitEdge> {
        let (universal, rescues) = (for_all == context.positive, for_all != context.denied);
        let mut inner = context;
        inner.skolem = context.below_universal(decls.len(), self.options.skolem_depth);
        let mut edges = Vec::new();
        let side = self.side_of_bounds(universal, body, inner);
        self.ground(
            decls,
            (universal, rescues, side),
            CircuitEdge::TRUE,
            &mut |this, guard| {
                // An existential formula is the negation of a universal one: the body is negated here, the
                // whole below.
                let edge = this.formula(body, inner)?.negated_if(!for_all);
                let held = this.circuit.or(!guard, edge);
                edges.push(held);
                // One value settles it.
                Ok(held != CircuitEdge::FALSE)
            },
        )?;
        Ok(all(&mut self.circuit, edges).negated_if(!for_all))
    }

    /// A quantified formula that is existential, negations moved inwards, with inputs for the values of
    /// its variables.
    pub(super) fn skolemize(
        &mut self,
        for_all: bool,
        decls: &[RelDecl],
        body: FormulaId,
        context: FormulaContext,
    ) -> SearchResult<CircuitEdge> {
        let mut parts = Vec::new();
        let edge = self.guess(decls, body, context, &mut parts)?;
        parts.push(edge.negated_if(for_all));
        Ok(all(&mut self.circuit, parts).negated_if(for_all))
    }

    fn guess(
        &mut self,
        decls: &[RelDecl],
        body: FormulaId,
        context: FormulaContext,
        parts: &mut Vec<CircuitEdge>,
    ) -> SearchResult<CircuitEdge> {
        let Some((decl, rest)) = decls.split_first() else {
            return self.formula(body, context);
        };
        let bound = self.expr(decl.bound)?;
        let universal = self
            .scope
            .iter()
            .filter(|scoped| scoped.universal.is_some());
        let outer: Vec<RelVarId> = universal.clone().map(|scoped| scoped.variable).collect();
        let values: Vec<u64> = universal
            .clone()
            .filter_map(|scoped| scoped.universal)
            .collect();
        let guards: Vec<CircuitEdge> = universal.map(|scoped| scoped.guard).collect();
        let inside = all(&mut self.circuit, guards);
        let mut cells = Vec::with_capacity(bound.cells.len());
        for &(tuple, edge) in &bound.cells {
            self.tick()?;
            let input = self.circuit.input();
            cells.push((tuple, input));
            parts.push(self.circuit.or(!input, edge));
            // Where the universal variables have no such values, there is no witness.
            if inside != CircuitEdge::TRUE {
                let held = self.circuit.or(!input, inside);
                self.side.push(held);
            }
        }
        let mut matrix = Matrix::of(bound.arity, cells);
        let several = matrix.cells.len() > 1;
        match decl.multiplicity {
            Multiplicity::One => {
                parts.push(matrix.some(&mut self.circuit));
                parts.push(matrix.at_most_one(&mut self.circuit));
            }
            Multiplicity::Lone => parts.push(matrix.at_most_one(&mut self.circuit)),
            Multiplicity::Some => parts.push(matrix.some(&mut self.circuit)),
            Multiplicity::Set => {}
        }
        // Where more are guessed than may be, the formula is false already.
        let single = matches!(decl.multiplicity, Multiplicity::One | Multiplicity::Lone);
        matrix.lone = single || !several;
        let inputs = matrix.cells.iter();
        let inputs = inputs.map(|&(tuple, input)| (values.clone(), tuple, input));
        let inputs: Vec<_> = inputs.collect();
        let mut known = self.skolems.iter().enumerate();
        let known = known.find(|(_, s)| s.variable == decl.variable && s.outer == outer);
        let number = match known.map(|(number, _)| number) {
            Some(number) => {
                self.skolems[number].cells.extend(inputs);
                number
            }
            None => {
                self.skolems.push(Skolem {
                    variable: decl.variable,
                    outer,
                    cells: inputs,
                });
                self.skolems.len() - 1
            }
        };
        // The inputs are new, so the first of them tells this value from others.
        let mark = matrix.cells.first().map_or(0, |cell| cell.1.gate() as u64);
        // The lowest bit tells keys of witnesses from those of tuples, where it is zero.
        let key = mark << 8 | (number as u64 & 0x3F) << 2 | 1;
        let around = self.scope.iter().rfind(|scoped| scoped.universal.is_some());
        let overflow = around.map_or((false, false), |around| (around.integer, around.rescues));
        let value = (Rc::new(matrix), key, None, CircuitEdge::TRUE);
        self.with(decl, value, overflow, |this| {
            this.guess(rest, body, context, parts)
        })
    }

    /// On which side of their values the bounds of a quantifier may lie. A witness for an existential variable in
    /// the body is asked for just where values are in the bounds, so then these are what they are.
    pub(super) fn side_of_bounds(
        &self,
        universal: bool,
        body: FormulaId,
        inner: FormulaContext,
    ) -> ApproximationSide {
        let guesses = inner.skolem.is_some() && self.problem.arena.formula_facts(body).quantifier;
        match inner.loose && !guesses {
            true if universal => ApproximationSide::Most,
            true => ApproximationSide::Least,
            false => ApproximationSide::Exact,
        }
    }

    /// Calls back for each value of some variables, with the edge that says whether the values are in
    /// the bounds, until it says that this is enough. `how` says whether they are universal, whether overflow with them is
    /// as if they were, and on which side the bounds may lie.
    pub(super) fn ground(
        &mut self,
        decls: &[RelDecl],
        how: (bool, bool, ApproximationSide),
        guard: CircuitEdge,
        then: &mut dyn FnMut(&mut Self, CircuitEdge) -> SearchResult<bool>,
    ) -> SearchResult<bool> {
        let Some((decl, rest)) = decls.split_first() else {
            return then(self, guard);
        };
        if !decl.is_single() {
            let variable = &self.problem.variables()[decl.variable];
            return Err(ProblemRefusal::HigherOrder {
                variable: variable.name.clone(),
                span: variable.span,
            });
        }
        let (universal, rescues, side) = how;
        let overflow = (*self.problem.expr(decl.bound) == RelExpr::Ints, rescues);
        let bound = self.expr_on(decl.bound, side)?;
        for &(tuple, edge) in &bound.cells {
            self.tick()?;
            let inside = self.circuit.and(guard, edge);
            if inside == CircuitEdge::FALSE {
                continue;
            }
            let matrix = Rc::new(Matrix::tuple(bound.arity, tuple));
            let key = tuple << 2 | u64::from(rescues) << 1;
            let value = (matrix, key, universal.then_some(tuple), edge);
            let go_on = self.with(decl, value, overflow, |this| {
                this.ground(rest, how, inside, then)
            })?;
            if !go_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Calls back for each row of values of the variables of a comprehension or of a sum.
    pub(super) fn rows(
        &mut self,
        decls: &[RelDecl],
        then: &mut dyn FnMut(&mut Self, u64, CircuitEdge) -> SearchResult<()>,
    ) -> SearchResult<()> {
        let variables: Vec<RelVarId> = decls.iter().map(|decl| decl.variable).collect();
        let how = (false, false, ApproximationSide::Exact);
        self.ground(decls, how, CircuitEdge::TRUE, &mut |this, guard| {
            let mut row = 0;
            for variable in &variables {
                let place = this.places[variable.index()];
                let scoped = &this.scope[place.expect("the variable was given a value")];
                let matrix = &scoped.matrix;
                row = this.packing.glue(row, matrix.cells[0].0, matrix.arity);
            }
            let around = std::mem::take(&mut this.denied);
            let done = then(this, row, guard);
            this.denied = around;
            done.map(|()| true)
        })?;
        Ok(())
    }

    /// Whether some of the edges are true: for callers that have no matrix.
    pub(super) fn any_of(&mut self, edges: Vec<CircuitEdge>) -> CircuitEdge {
        any(&mut self.circuit, edges)
    }
}
