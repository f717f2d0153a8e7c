//! Expressions to matrices.

use std::rc::Rc;

use wherefore_base::deep;
use wherefore_sat::CircuitEdge;

use super::ProblemTranslator;
use super::closures::ApproximationSide;
use super::formulas::FormulaContext;
use crate::matrix::{Gates, Matrix};
use crate::refusal::SearchResult;
use crate::terms::{Binary, RelExpr, RelExprId, Unary};

impl ProblemTranslator<'_> {
    /// The matrix of an expression.
    pub(crate) fn expr(&mut self, id: RelExprId) -> SearchResult<Rc<Matrix>> {
        self.expr_on(id, ApproximationSide::Exact)
    }

    /// A matrix on a side of the value of an expression.
    pub(super) fn expr_on(
        &mut self,
        id: RelExprId,
        side: ApproximationSide,
    ) -> SearchResult<Rc<Matrix>> {
        match self.problem.expr(id) {
            RelExpr::Relation(relation) => return Ok(Rc::clone(&self.relations[*relation])),
            RelExpr::Variable(variable) => {
                let place = self.places[variable.index()];
                let place = place.expect("a problem that was checked has no free variables");
                return Ok(Rc::clone(&self.scope[place].matrix));
            }
            _ => {}
        }
        self.tick()?;
        let facts = self.problem.arena.expr_facts(id);
        let side = match facts.closure {
            true => side,
            false => ApproximationSide::Exact,
        };
        let how = side as u64 | u64::from(self.denied && facts.arithmetic) << 2;
        let key = self.key(id.index(), how, &facts.free, facts.uses);
        if let Some(known) = key.as_ref().and_then(|key| self.matrices.get(key)) {
            return Ok(Rc::clone(known));
        }
        let span = self.problem.expr_span(id);
        let matrix = Rc::new(deep(|| self.at(span, |this| this.expr_here(id, side)))?);
        if let Some(key) = key {
            self.kept += size_of_val(&*key) + size_of::<Matrix>() + size_of_val(&matrix.cells[..]);
            self.matrices.insert(key, Rc::clone(&matrix));
        }
        Ok(matrix)
    }

    fn expr_here(&mut self, id: RelExprId, side: ApproximationSide) -> SearchResult<Matrix> {
        let problem = self.problem;
        let packing = self.packing;
        let atoms = problem.universe().atoms();
        Ok(match problem.expr(id) {
            RelExpr::Relation(_) | RelExpr::Variable(_) => {
                unreachable!("these have matrices already")
            }
            RelExpr::Univ => Matrix::constant(&problem.universe().everything()),
            RelExpr::Iden => {
                let pair = |atom| (packing.pack(&[atom, atom]), CircuitEdge::TRUE);
                Matrix::of(2, atoms.map(pair).collect())
            }
            RelExpr::None(arity) => Matrix::empty(*arity),
            RelExpr::Ints => {
                let atoms = problem.integers().atoms.iter().map(|(atom, _)| *atom);
                Matrix::constant(&problem.universe().set(atoms))
            }
            RelExpr::Unary(Unary::Transpose, a) => {
                let matrix = self.expr_on(*a, side)?;
                let turned = matrix.transpose(packing);
                self.marked(turned, &[&matrix])
            }
            RelExpr::Unary(op, a) => self.closure(*op, *a)?,
            RelExpr::Binary(op, a, b) => self.binary(id, *op, (*a, *b), side)?,
            RelExpr::Comprehension(decls, body) => {
                let arity = problem.arity(id);
                let mut cells = Vec::new();
                self.rows(decls, &mut |this, row, guard| {
                    let body = this.formula(*body, FormulaContext::inner())?;
                    let edge = this.circuit.and(guard, body);
                    if edge != CircuitEdge::FALSE {
                        cells.push((row, edge));
                    }
                    Ok(())
                })?;
                Matrix::of(arity, cells)
            }
            RelExpr::Choice(condition, a, b) => {
                let condition = self.formula(*condition, self.condition())?;
                let (left, right) = match condition.as_constant() {
                    Some(true) => return Ok(Matrix::clone(&*self.expr_on(*a, side)?)),
                    Some(false) => return Ok(Matrix::clone(&*self.expr_on(*b, side)?)),
                    None => (self.expr_on(*a, side)?, self.expr_on(*b, side)?),
                };
                let mut matrix = left.choice(&right, condition, &mut self.circuit);
                matrix.lone = left.lone && right.lone;
                let circuit = &mut self.circuit;
                matrix.overflow = circuit.ite(condition, left.overflow, right.overflow);
                matrix
            }
            RelExpr::FromInt(a) => self.atom_of(*a)?,
        })
    }

    fn binary(
        &mut self,
        id: RelExprId,
        op: Binary,
        (a, b): (RelExprId, RelExprId),
        side: ApproximationSide,
    ) -> SearchResult<Matrix> {
        if op == Binary::Join
            && let Some(image) = self.image_of(a, b, side)?
        {
            return Ok(image);
        }
        let packing = self.packing;
        let (on_left, on_right) = match op {
            Binary::Override => (ApproximationSide::Exact, ApproximationSide::Exact),
            Binary::Difference => (side, side.other()),
            _ => (side, side),
        };
        let left = self.expr_on(a, on_left)?;
        let overflows = self.forbids() && self.problem.arena.expr_facts(b).arithmetic;
        let empty = left.cells.is_empty() && left.overflow == CircuitEdge::FALSE;
        if empty
            && !overflows
            && matches!(op, Binary::Intersection | Binary::Join | Binary::Product)
        {
            return Ok(Matrix::empty(match op {
                Binary::Intersection => left.arity,
                Binary::Join => left.arity + self.problem.arity(b) - 2,
                _ => left.arity + self.problem.arity(b),
            }));
        }
        let right = self.expr_on(b, on_right)?;
        let mut lone = left.lone && right.lone;
        let mut matrix = match op {
            Binary::Union => {
                lone = false;
                left.union(&right, &mut self.circuit)
            }
            Binary::Intersection => {
                lone = left.lone || right.lone;
                left.intersection(&right, &mut self.circuit)
            }
            Binary::Difference => {
                lone = left.lone;
                left.difference(&right, &mut self.circuit)
            }
            Binary::Join => left.join(&right, packing, self)?,
            Binary::Product => left.product(&right, packing, self)?,
            Binary::Override => {
                lone = false;
                left.overridden(&right, packing, &mut self.circuit)
            }
            Binary::Domain => {
                lone = right.lone;
                right.restricted(&left, true, packing, &mut self.circuit)
            }
            Binary::Range => {
                lone = left.lone;
                left.restricted(&right, false, packing, &mut self.circuit)
            }
        };
        matrix.lone |= lone;
        if op == Binary::Join && side == ApproximationSide::Exact {
            matrix.sole = self.sole(id);
        }
        Ok(self.marked(matrix, &[&left, &right]))
    }

    /// For the condition of a choice.
    pub(super) fn condition(&self) -> FormulaContext {
        FormulaContext {
            denied: self.denied,
            ..FormulaContext::inner()
        }
    }

    /// A matrix that overflows where one of its operands does.
    pub(super) fn marked(&mut self, mut matrix: Matrix, operands: &[&Matrix]) -> Matrix {
        for operand in operands {
            matrix.overflow = self.circuit.or(matrix.overflow, operand.overflow);
        }
        matrix
    }
}
