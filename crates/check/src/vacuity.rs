//! Vacuity: did every part of a property that holds matter?
//!
//! An occurrence of a sub-formula matters when the property stops holding once the occurrence is
//! replaced by the constant that is worst for the property (both constants, if its polarity is mixed).
//! If replacing changes nothing, the property holds *vacuously* there (Beer, Ben-David, Eisner and
//! Rodeh 2001). The replaced formula that fails is also the source of an interesting witness: its
//! counterexample is a run of the model on which the property had to work to hold.

use wherefore_base::Run;
use wherefore_logic::{
    Class, Formula, Op, PathOp, Quantifier, SubId, class_of, occurrences, replaced,
};
use wherefore_model::Query;
use wherefore_space::StateSpace;

use crate::{Checker, Solution};

/// A formula with more leaves than this is not looked at.
const MOST_LEAVES: usize = 256;

/// What became of a property that holds when its parts were replaced one by one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Strengthened {
    /// It still holds with this occurrence replaced: the largest such occurrence, the last of several
    /// of the same size.
    StillHolds(SubId),
    /// It fails with any part replaced. The counterexample of this replacement is an interesting
    /// witness; `None` when there is nothing to replace.
    Fails(Option<Replacement>),
}

/// A formula with one occurrence replaced by a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The formula after it.
    pub formula: Formula,
    /// The occurrence.
    pub replaced: SubId,
    /// The constant.
    pub by: bool,
}

/// Looks for an occurrence that never mattered in a query that holds; `None` for a formula with
/// hundreds of parts, where nobody looks.
pub fn vacuity<S: StateSpace>(
    checker: &Checker<'_, S>,
    query: &Query,
    solution: &Solution<S::Set>,
) -> Run<Option<Strengthened>> {
    strengthened(&query.formula, &mut |stronger, here| {
        holds_replaced(checker, query, solution, stronger, here)
    })
}

/// Looks for an occurrence that never mattered in a formula that holds, given who decides whether the formula holds with
/// an occurrence replaced; `None` for a formula with hundreds of parts, where nobody looks.
pub fn strengthened(
    formula: &Formula,
    holds: &mut dyn FnMut(&Formula, SubId) -> Run<bool>,
) -> Run<Option<Strengthened>> {
    let leaves = formula.subs().filter(|&sub| is_leaf(formula, sub));
    let leaves: Vec<SubId> = leaves.collect();
    if leaves.len() > MOST_LEAVES {
        return Ok(None);
    }
    let polarity = occurrences(formula);
    let parents = parents(formula);
    let sizes = sizes(formula);
    let mut witness = None;
    let mut largest: Option<SubId> = None;
    for leaf in leaves {
        let mut vacuous = None;
        // What does not matter makes everything inside it not matter, so leaves find all of it; then
        // climb to the largest part around the leaf that does not matter either.
        let mut sub = Some(leaf);
        while let Some(here) = sub.filter(|&here| here != formula.root()) {
            let mut still_holds = true;
            for &constant in polarity[here].worst() {
                let stronger = replaced(formula, here, constant);
                if !holds(&stronger, here)? {
                    still_holds = false;
                    // A formula that is existential is not refuted by a single run, so it gives no witness.
                    if here == leaf && class_of(&stronger, false) != Class::Existential {
                        witness = Some(Replacement {
                            formula: stronger,
                            replaced: here,
                            by: constant,
                        });
                    }
                    break;
                }
            }
            if !still_holds {
                break;
            }
            vacuous = Some(here);
            sub = parents[here.index()];
        }
        let size = |sub: Option<SubId>| sub.map(|sub| sizes[sub.index()]);
        if vacuous.is_some() && size(vacuous) >= size(largest) {
            largest = vacuous;
        }
    }
    Ok(Some(match largest {
        Some(sub) => Strengthened::StillHolds(sub),
        None => Strengthened::Fails(witness),
    }))
}

/// Whether a sub-formula is a basic proposition.
fn is_leaf(formula: &Formula, sub: SubId) -> bool {
    matches!(formula.op(sub), Op::Atom(_))
}

/// How many sub-formulas each sub-formula has, itself included.
fn sizes(formula: &Formula) -> Vec<usize> {
    let mut sizes: Vec<usize> = Vec::new();
    for sub in formula.subs() {
        let operands = formula.op(sub).operands();
        sizes.push(
            1 + operands
                .map(|operand| sizes[operand.index()])
                .sum::<usize>(),
        );
    }
    sizes
}

fn parents(formula: &Formula) -> Vec<Option<SubId>> {
    let mut parents = vec![None; formula.len()];
    for sub in formula.subs() {
        for operand in formula.op(sub).operands() {
            parents[operand.index()] = Some(sub);
        }
    }
    parents
}

/// Whether the query holds with one occurrence replaced; only what contains it is solved anew.
fn holds_replaced<S: StateSpace>(
    checker: &Checker<'_, S>,
    query: &Query,
    solution: &Solution<S::Set>,
    stronger: &Formula,
    occurrence: SubId,
) -> Run<bool> {
    let stronger = Query {
        formula: stronger.clone(),
        atoms: query.atoms.clone(),
        rule: query.rule,
    };
    let mut touched = vec![false; stronger.formula.len()];
    let mut result = solution.clone();
    let root = stronger.formula.root();
    for sub in stronger.formula.subs() {
        let mut operands = stronger.formula.op(sub).operands();
        // Operands come before what contains them, so it is known whether they were touched.
        touched[sub.index()] =
            sub == occurrence || operands.any(|operand| touched[operand.index()]);
        if !touched[sub.index()] {
            continue;
        }
        // Every state is reachable, so `AG f` fails as soon as `f` does anywhere that counts: no need
        // to go back to the initial states.
        if let (true, Op::Path(Quantifier::Forall, PathOp::Globally(f))) =
            (sub == root, stronger.formula.op(sub))
        {
            let live = checker.with_path(stronger.rule)?;
            let broken = checker.space().minus(live, &result.sat[f])?;
            return Ok(checker.space().is_empty(&broken));
        }
        result.sat[sub] = checker.sat(&stronger, &result, sub)?;
    }
    let failing = checker.failing(&stronger, &result)?;
    Ok(checker.space().is_empty(&failing))
}
