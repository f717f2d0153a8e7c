//! What is true of an instance whatever some of the formulas are: three truth values, after Kleene (1952).
//!
//! A formula that is freed may be anything, and another thing for each value of the variables around it. What is true still
//! is true whatever stands in its place; what is unknown then may be either.

use wherefore_base::{Span, deep};

use super::{OverflowStanding, RelEvaluator};
use crate::arena::{Operands, expr_operands, formula_operands, int_operands};
use crate::problem::Problem;
use crate::refusal::SearchResult;
use crate::terms::{FormulaId, IntId, RelDecl, RelExprId, RelFormula, RelQuantifier};

/// Formulas of a problem that may be anything, and what depends on them.
#[derive(Clone, Debug)]
pub struct FreedFormulas {
    /// By formula that was looked at: whether it is free or has a part that is.
    formulas: Vec<Option<bool>>,
    exprs: Vec<Option<bool>>,
    ints: Vec<Option<bool>>,
    /// By formula: whether it may be anything.
    free: Vec<bool>,
}

impl FreedFormulas {
    /// The formulas below the requirements of a problem that are written within some places ([`Problem::at`]).
    pub fn within(problem: &Problem, places: &[Span]) -> Self {
        let mut freed = Self {
            formulas: Vec::new(),
            exprs: Vec::new(),
            ints: Vec::new(),
            free: Vec::new(),
        };
        for &formula in problem.requirements() {
            freed.formula(problem, formula, places);
        }
        freed
    }

    /// Whether a requirement of the problem depends on a freed formula.
    pub fn is_used(&self) -> bool {
        self.free.contains(&true)
    }

    fn formula(&mut self, problem: &Problem, id: FormulaId, places: &[Span]) -> bool {
        if let Some(known) = known(&mut self.formulas, id.index()) {
            return known;
        }
        let node = problem.formula(id);
        let free = matches!(node, RelFormula::At(_, span) if is_within(*span, places));
        if free {
            set(&mut self.free, id.index(), true);
        }
        let touched = free | deep(|| self.any(problem, &formula_operands(node), places));
        self.formulas[id.index()] = Some(touched);
        touched
    }

    fn expr(&mut self, problem: &Problem, id: RelExprId, places: &[Span]) -> bool {
        if let Some(known) = known(&mut self.exprs, id.index()) {
            return known;
        }
        let operands = expr_operands(problem.expr(id));
        let touched = deep(|| self.any(problem, &operands, places));
        self.exprs[id.index()] = Some(touched);
        touched
    }

    fn int(&mut self, problem: &Problem, id: IntId, places: &[Span]) -> bool {
        if let Some(known) = known(&mut self.ints, id.index()) {
            return known;
        }
        let operands = int_operands(problem.int(id));
        let touched = deep(|| self.any(problem, &operands, places));
        self.ints[id.index()] = Some(touched);
        touched
    }

    /// Whether an operand depends on a freed formula; all are looked at.
    fn any(&mut self, problem: &Problem, operands: &Operands, places: &[Span]) -> bool {
        let mut touched = false;
        for &id in &operands.exprs {
            touched |= self.expr(problem, id, places);
        }
        for &id in &operands.formulas {
            touched |= self.formula(problem, id, places);
        }
        for &id in &operands.ints {
            touched |= self.int(problem, id, places);
        }
        touched
    }

    fn is_free(&self, id: FormulaId) -> bool {
        self.free.get(id.index()).copied().unwrap_or(false)
    }

    fn touches(&self, id: FormulaId) -> bool {
        self.formulas.get(id.index()).copied().flatten() == Some(true)
    }

    fn touches_expr(&self, id: RelExprId) -> bool {
        self.exprs.get(id.index()).copied().flatten() == Some(true)
    }
}

fn is_within(span: Span, places: &[Span]) -> bool {
    places
        .iter()
        .any(|place| place.file == span.file && place.start <= span.start && span.end <= place.end)
}

fn known(all: &mut Vec<Option<bool>>, at: usize) -> Option<bool> {
    if all.len() <= at {
        all.resize(at + 1, None);
    }
    all[at]
}

fn set(all: &mut Vec<bool>, at: usize, value: bool) {
    if all.len() <= at {
        all.resize(at + 1, false);
    }
    all[at] = value;
}

impl RelEvaluator<'_> {
    /// Whether every requirement is true whatever the freed formulas are. Total orders have no formula that could be freed.
    ///
    /// # Errors
    /// As of [`RelEvaluator::holds`].
    pub fn all_hold_whatever(&mut self, freed: &FreedFormulas) -> SearchResult<bool> {
        let problem = self.problem;
        for &formula in problem.requirements() {
            self.closed(problem.free_in_formula(formula))?;
            if self.known(formula, OverflowStanding::TOP, freed)? != Some(true) {
                return Ok(false);
            }
        }
        for (_, axioms) in &problem.orders {
            if !self.holds(*axioms)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The truth value of a formula, if it is one whatever the freed formulas are.
    fn known(
        &mut self,
        id: FormulaId,
        standing: OverflowStanding,
        freed: &FreedFormulas,
    ) -> SearchResult<Option<bool>> {
        if !freed.touches(id) {
            return self.formula(id, standing).map(Some);
        }
        if freed.is_free(id) {
            return Ok(None);
        }
        self.meter.tick()?;
        let before = std::mem::replace(&mut self.denied, standing.denied);
        let known = deep(|| self.known_here(id, standing, freed));
        self.denied = before;
        known
    }

    fn known_here(
        &mut self,
        id: FormulaId,
        standing: OverflowStanding,
        freed: &FreedFormulas,
    ) -> SearchResult<Option<bool>> {
        let problem = self.problem;
        Ok(match problem.formula(id) {
            // A set or an integer that depends on a freed formula may be any.
            RelFormula::In(..)
            | RelFormula::Equal(..)
            | RelFormula::Amount(..)
            | RelFormula::Compare(..) => None,
            RelFormula::Quantified(quantifier, decls, body) => {
                let all = *quantifier == RelQuantifier::All;
                self.known_quantified(decls, *body, all, standing, freed)?
            }
            RelFormula::Not(a) => self.known(*a, standing.negated(), freed)?.map(|a| !a),
            RelFormula::And(parts) => self.known_parts(parts, false, standing.part(true), freed)?,
            RelFormula::Or(parts) => self.known_parts(parts, true, standing.part(false), freed)?,
            RelFormula::Implies(a, b) => {
                let part = standing.part(false);
                let premise = self.known(*a, part.opposed(), freed)?;
                if premise == Some(false) {
                    return Ok(Some(true));
                }
                match (premise, self.known(*b, part, freed)?) {
                    (_, Some(true)) => Some(true),
                    (Some(true), other) => other,
                    _ => None,
                }
            }
            RelFormula::Iff(a, b) => {
                let part = OverflowStanding::inner(standing.denied);
                match (self.known(*a, part, freed)?, self.known(*b, part, freed)?) {
                    (Some(a), Some(b)) => Some(a == b),
                    _ => None,
                }
            }
            RelFormula::At(a, _) => self.known(*a, standing, freed)?,
        })
    }

    /// A conjunction or disjunction, which one part decides if it is `decisive`.
    fn known_parts(
        &mut self,
        parts: &[FormulaId],
        decisive: bool,
        standing: OverflowStanding,
        freed: &FreedFormulas,
    ) -> SearchResult<Option<bool>> {
        let mut unknown = false;
        for &part in parts {
            match self.known(part, standing, freed)? {
                Some(value) if value == decisive => return Ok(Some(decisive)),
                Some(_) => {}
                None => unknown = true,
            }
        }
        Ok((!unknown).then_some(!decisive))
    }

    fn known_quantified(
        &mut self,
        decls: &[RelDecl],
        body: FormulaId,
        all: bool,
        standing: OverflowStanding,
        freed: &FreedFormulas,
    ) -> SearchResult<Option<bool>> {
        if decls.iter().any(|decl| freed.touches_expr(decl.bound)) {
            return Ok(None);
        }
        let (scoped, existential, inner) = Self::around(decls, all, standing);
        let mut unknown = false;
        let decided = self.find_from(decls, scoped, existential, &mut |this| {
            let value = this.known(body, inner, freed)?;
            unknown |= value.is_none();
            Ok(value == Some(!all))
        })?;
        Ok(match decided {
            true => Some(!all),
            false => (!unknown).then_some(all),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, Integers, Universe};
    use wherefore_base::{Budget, FileId, IndexVec};

    fn place(at: usize) -> Span {
        Span::new(FileId::new(0), 10 * at, 10 * at + 5)
    }

    /// Whether `some r` stands whatever is at a place; the formula is made of `no r` at 1, `some r` at 2 and `r in r` at 3.
    fn stands(make: impl FnOnce(&mut Problem, [FormulaId; 3]) -> FormulaId, freed: usize) -> bool {
        let universe = Universe::new(["a", "b"]);
        let value = universe.everything();
        let mut problem = Problem::new(universe.clone(), Integers::none());
        let r = problem.relation("r", universe.no_tuples(1), value.clone());
        let r = problem.rel(r);
        let parts = [problem.no(r), problem.some(r), problem.is_in(r, r)];
        let mut at = 0;
        let parts = parts.map(|part| {
            at += 1;
            problem.at(part, place(at))
        });
        let formula = make(&mut problem, parts);
        problem.require(formula);
        let instance = Instance::new(IndexVec::from(vec![value]), Vec::new());
        let budget = Budget::unlimited();
        let mut evaluator = RelEvaluator::new(&problem, &instance, &budget).expect("it fits");
        let freed = FreedFormulas::within(&problem, &[place(freed)]);
        evaluator.all_hold_whatever(&freed).expect("it has a value")
    }

    #[test]
    fn a_formula_hinges_on_what_decides_it() {
        // `no r` is false, the others are true.
        assert!(stands(|p, [no, some, _]| p.or([no, some]), 1));
        assert!(!stands(|p, [no, some, _]| p.or([no, some]), 2));
        assert!(stands(|p, [_, some, own]| p.or([some, own]), 2));
        assert!(!stands(|p, [_, some, own]| p.and([some, own]), 2));
        assert!(stands(|p, [no, some, _]| p.implies(no, some), 2));
        assert!(stands(|p, [no, some, _]| p.implies(no, some), 1));
        assert!(!stands(|p, [no, _, _]| p.implies(no, no), 1));
        assert!(!stands(|p, [_, some, own]| p.iff(some, own), 3));
        assert!(stands(|p, [_, some, own]| p.iff(some, own), 1));
        let not_both = |p: &mut Problem, [no, some, _]: [FormulaId; 3]| {
            let both = p.and([no, some]);
            p.not(both)
        };
        assert!(stands(not_both, 2));
        assert!(!stands(not_both, 1));
    }

    #[test]
    fn a_freed_formula_may_differ_from_atom_to_atom() {
        let each = |all: bool| {
            move |p: &mut Problem, [no, some, _]: [FormulaId; 3]| {
                let univ = p.univ();
                let x = p.variable("x", 1, None);
                let body = if all { some } else { p.or([no, some]) };
                p.all([RelDecl::one(x, univ)], body)
            }
        };
        assert!(!stands(each(true), 2));
        assert!(stands(each(false), 1));
        assert!(!stands(each(false), 2));
        let none = |p: &mut Problem, [_, some, _]: [FormulaId; 3]| {
            let none = p.none(1);
            let x = p.variable("x", 1, None);
            p.all([RelDecl::one(x, none)], some)
        };
        assert!(stands(none, 2));
        // A set that is made with a freed formula may be any set.
        let made = |p: &mut Problem, [_, some, _]: [FormulaId; 3]| {
            let univ = p.univ();
            let x = p.variable("x", 1, None);
            let set = p.comprehension([RelDecl::one(x, univ)], some);
            p.is_in(set, univ)
        };
        assert!(!stands(made, 2));
        assert!(stands(made, 1));
    }
}
