//! Relations that are functions, and what follows for equations.
//!
//! Where it is required that `x.r` has at most one tuple, for each `x` of a set, two such images that share
//! a tuple are equal. A solver sees that only once it knows everything about both; told in clauses of its
//! own, it knows from one tuple of one of them what the other must not have.

use rustc_hash::FxHashMap;
use wherefore_sat::CircuitEdge;

use super::closures::ApproximationSide;
use super::{ProblemTranslator, TranslatedConjunct};
use crate::matrix::{Gates, Matrix};
use crate::refusal::SearchResult;
use crate::terms::{
    Amount, Binary, RelDecl, RelExpr, RelExprId, RelFormula, RelQuantifier, RelVarId, RelationId,
};

/// For relations and the first columns of their tuples: the edge under which at most one tuple has them.
pub(crate) type Functions = FxHashMap<(RelationId, u64), CircuitEdge>;

impl ProblemTranslator<'_> {
    /// Remembers what a conjunct says about images with at most one tuple, if it says something. Returns the edge
    /// under which that is so: a new input where conjuncts can be left out (`apart`).
    pub(crate) fn note_function(
        &mut self,
        conjunct: &TranslatedConjunct,
        apart: bool,
    ) -> SearchResult<CircuitEdge> {
        let Some((decls, relation, path)) = self.function(conjunct) else {
            return Ok(CircuitEdge::TRUE);
        };
        let in_force = match apart {
            true => self.circuit.input(),
            false => CircuitEdge::TRUE,
        };
        self.ground(
            &decls,
            (true, true, ApproximationSide::Exact),
            CircuitEdge::TRUE,
            &mut |this, guard| {
                if let Some(columns) = this.columns(&path) {
                    let known = this.functions.entry((relation, columns));
                    let known = known.or_insert(CircuitEdge::FALSE);
                    let guard = this.circuit.and(guard, in_force);
                    *known = this.circuit.or(*known, guard);
                }
                Ok(true)
            },
        )?;
        Ok(in_force)
    }

    /// The edge under which an image `y.(x.r)` has at most one tuple, by what is required of `r`.
    pub(super) fn sole(&self, image: RelExprId) -> CircuitEdge {
        if self.functions.is_empty() {
            return CircuitEdge::FALSE;
        }
        let known = self.image(image).and_then(|(relation, path)| {
            let columns = self.columns(&path)?;
            self.functions.get(&(relation, columns)).copied()
        });
        known.unwrap_or(CircuitEdge::FALSE)
    }

    /// Two sets with at most one tuple each that share a tuple are equal.
    pub(super) fn hint_equal(
        &mut self,
        left: &Matrix,
        right: &Matrix,
        equal: CircuitEdge,
    ) -> SearchResult<()> {
        let few = left.cells.len() < 2 || right.cells.len() < 2;
        if few || equal.as_constant().is_some() {
            return Ok(());
        }
        let guard = self.circuit.and(left.sole, right.sole);
        if guard == CircuitEdge::FALSE {
            return Ok(());
        }
        for &(tuple, a) in &left.cells {
            self.tick()?;
            let both = self.circuit.and(a, right.get(tuple));
            let shared = self.circuit.and(both, guard);
            let hint = self.circuit.or(!shared, equal);
            if hint != CircuitEdge::TRUE {
                self.hints.push(hint);
            }
        }
        Ok(())
    }

    /// A conjunct that says that images have at most one tuple: the variables around it, the relation, and
    /// the variables of the image.
    fn function(
        &self,
        conjunct: &TranslatedConjunct,
    ) -> Option<(Vec<RelDecl>, RelationId, Vec<RelVarId>)> {
        let mut around: Vec<RelDecl> = Vec::new();
        for &outer in &conjunct.within {
            match self.problem.formula(outer) {
                RelFormula::Quantified(_, decls, _) => around.extend(decls),
                _ => return None,
            }
        }
        let mut formula = conjunct.formula;
        loop {
            match self.problem.formula(formula) {
                _ if conjunct.negated => return None,
                RelFormula::At(inner, _) => formula = *inner,
                RelFormula::Quantified(RelQuantifier::All, decls, body)
                    if decls.iter().all(RelDecl::is_single) =>
                {
                    around.extend(decls);
                    formula = *body;
                }
                RelFormula::Amount(Amount::One | Amount::Lone, image) => {
                    let (relation, path) = self.image(*image)?;
                    let declared =
                        |variable: &RelVarId| around.iter().any(|d| d.variable == *variable);
                    return path
                        .iter()
                        .all(declared)
                        .then_some((around, relation, path));
                }
                _ => return None,
            }
        }
    }

    /// An expression as `z.(y.(x.r))`, with `x`, `y` and `z` in this order.
    fn image(&self, mut expr: RelExprId) -> Option<(RelationId, Vec<RelVarId>)> {
        let mut path = Vec::new();
        loop {
            match self.problem.expr(expr) {
                RelExpr::Binary(Binary::Join, left, right) => {
                    let RelExpr::Variable(variable) = self.problem.expr(*left) else {
                        return None;
                    };
                    path.push(*variable);
                    expr = *right;
                }
                RelExpr::Relation(relation) if !path.is_empty() => {
                    path.reverse();
                    return Some((*relation, path));
                }
                _ => return None,
            }
        }
    }

    /// The tuple of the values of variables, if each stands for one atom.
    fn columns(&self, path: &[RelVarId]) -> Option<u64> {
        let mut columns = 0;
        for variable in path {
            let place = self.places[variable.index()]?;
            let matrix = &self.scope[place].matrix;
            match (matrix.arity, &matrix.cells[..]) {
                (1, &[(atom, CircuitEdge::TRUE)]) => columns = self.packing.glue(columns, atom, 1),
                _ => return None,
            }
        }
        Some(columns)
    }
}
