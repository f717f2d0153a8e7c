//! The goal of a command, taken apart: for finding out which parts of it are to blame.
//!
//! What a goal says exists is a relation of the problem here, so that everything it says about it can be
//! required, and left out, by itself (Skolem 1920). There is an instance of the goal taken apart if and only if
//! there is one of the goal.

use wherefore_base::deep;
use wherefore_relational::{Overflow, RelExprId};

use super::{AlloyLower, AlloyLowering, TermMeaning};
use crate::model::{
    AlloyBinaryOp, AlloyModel, AlloyQuantifier, AlloyTermId, AlloyTermKind, AlloyUnaryOp, Binding,
    Command, CommandGoal,
};

/// The most tuples that a relation for a variable may have.
const MOST: usize = 20_000;

impl<'m> AlloyLowering<'m> {
    /// Requires the goal of a command in as many parts as it has.
    pub(super) fn goal_apart(&mut self, command: &Command) -> AlloyLower<()> {
        let model: &'m AlloyModel = self.model;
        match command.goal {
            CommandGoal::Formula(term) => self.apart(term, !command.check)?,
            CommandGoal::Function(function) => {
                let callee = &model.functions[function];
                let predicate = callee.result.is_none() && !command.check;
                let Some(body) = callee.body.filter(|_| predicate) else {
                    return self.goal(command);
                };
                if !self.fit(&callee.params)? {
                    return self.goal(command);
                }
                self.calling.push(function);
                self.open(&callee.params)?;
                self.apart(body, true)?;
                self.calling.pop();
            }
        }
        self.env.clear();
        Ok(())
    }

    /// Requires a formula, or that it is false, in as many parts as it has.
    fn apart(&mut self, term: AlloyTermId, holds: bool) -> AlloyLower<()> {
        deep(|| self.apart_here(term, holds))
    }

    fn apart_here(&mut self, term: AlloyTermId, holds: bool) -> AlloyLower<()> {
        let model: &'m AlloyModel = self.model;
        match (&model.terms[term].kind, holds) {
            (AlloyTermKind::Block(parts), true) => {
                return parts.iter().try_for_each(|&part| self.apart(part, true));
            }
            // A block that is false says that some part of it is, so only a single part can be required.
            (AlloyTermKind::Block(parts), false) if parts.len() == 1 => {
                return self.apart(parts[0], false);
            }
            (&AlloyTermKind::Binary(AlloyBinaryOp::And, a, b), true) => {
                self.apart(a, true)?;
                return self.apart(b, true);
            }
            (&AlloyTermKind::Binary(AlloyBinaryOp::Or, a, b), false) => {
                self.apart(a, false)?;
                return self.apart(b, false);
            }
            (&AlloyTermKind::Binary(AlloyBinaryOp::Implies, a, b), false)
                if self.can_stand_alone(a)? =>
            {
                self.apart(a, true)?;
                return self.apart(b, false);
            }
            (&AlloyTermKind::Unary(AlloyUnaryOp::Not, a), holds) => return self.apart(a, !holds),
            (AlloyTermKind::Quantified(quantifier, bindings, body), holds) => {
                let inside = match (quantifier, holds) {
                    (AlloyQuantifier::Some, true) | (AlloyQuantifier::No, false) => Some(true),
                    (AlloyQuantifier::All, false) => Some(false),
                    _ => None,
                };
                if let Some(inside) = inside
                    && self.fit(bindings)?
                {
                    self.open(bindings)?;
                    return self.apart(*body, inside);
                }
            }
            _ => {}
        }
        let formula = self.formula(term)?;
        let formula = match holds {
            true => formula,
            false => self.problem.not(formula),
        };
        self.require(formula, model.terms[term].span);
        Ok(())
    }

    /// Whether the premise of an implication that is false can be required by itself. The negation of the implication
    /// counts for what overflows in the premise, and it is gone where the premise is required.
    fn can_stand_alone(&mut self, premise: AlloyTermId) -> AlloyLower<bool> {
        if self.problem.integers().overflow != Overflow::Forbid {
            return Ok(true);
        }
        let formula = self.formula(premise)?;
        Ok(!self.problem.formula_has_arithmetic(formula))
    }

    /// Whether some variables can be relations: these are not too large, and no bound overflows, which means
    /// something else where it is required that a value is in it.
    fn fit(&mut self, bindings: &[Binding]) -> AlloyLower<bool> {
        if self.problem.integers().overflow == Overflow::Forbid {
            for binding in bindings {
                let bound = self.expr(binding.bound)?;
                if self.problem.has_arithmetic(bound) {
                    return Ok(false);
                }
            }
        }
        let atoms = self.universe.len();
        let columns = |ty: &crate::AlloyType| ty.arity().unwrap_or(1) as u32;
        let vars = bindings.iter().flat_map(|binding| &binding.vars);
        let mut sizes = vars.map(|&var| atoms.saturating_pow(columns(&self.model.vars[var].ty)));
        Ok(sizes.all(|size| size <= MOST))
    }

    /// Makes relations of variables, and requires of them what their declarations say.
    fn open(&mut self, bindings: &[Binding]) -> AlloyLower<()> {
        let model: &'m AlloyModel = self.model;
        for binding in bindings {
            let mut exprs: Vec<RelExprId> = Vec::new();
            for &var in &binding.vars {
                let variable = &model.vars[var];
                let bound = self.expr(binding.bound)?;
                let columns = self.problem.atoms_in_columns(bound).into_iter();
                let upper = columns.reduce(|before, column| before.product(&column));
                let upper = upper.unwrap_or_else(|| self.universe.everything());
                let lower = self.universe.no_tuples(upper.arity());
                let name = model.names.text(variable.name);
                let relation = self.problem.relation(name, lower, upper);
                let expr = self.problem.rel(relation);
                let within = self.is_in_bound(expr, binding.bound)?;
                self.require(within, variable.span);
                exprs.push(expr);
            }
            for (&var, &expr) in binding.vars.iter().zip(&exprs) {
                self.env.insert(var, TermMeaning::Expr(expr));
            }
            if let (true, Some(var)) = (binding.disj, binding.vars.first()) {
                let disjoint = self.disjoint(&exprs);
                self.require(disjoint, model.vars[*var].span);
            }
        }
        Ok(())
    }
}
