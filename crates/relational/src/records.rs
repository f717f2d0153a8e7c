//! Sets whose atoms are records: told apart by what belongs to each of them.
//!
//! The row of an atom is what relations with the atom in their first column, and no other atom of its set,
//! say of it. Where the atoms are interchangeable, symmetry breaking puts them into the order of their rows;
//! where the requirements say that no two of them have the same row, that order is strict, and leaves one
//! instance of all those that differ by an exchange of records.

use std::collections::BTreeSet;

use wherefore_base::Budget;
use wherefore_sat::Batsat;

use crate::arena::{Operands, expr_operands, formula_operands, int_operands};
use crate::options::SearchOptions;
use crate::problem::Problem;
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::search::Search;
use crate::symmetry::AtomClasses;
use crate::terms::{FormulaId, RelDecl, RelExpr, RelExprId, RelFormula, RelQuantifier, RelationId};
use crate::tuples::TupleSet;
use crate::universe::UniverseAtomId;

/// A set whose atoms are ordered by their rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Records {
    /// A relation of one column: the set.
    pub elements: RelationId,
    /// What is asked about: relations in it make for an order that helps.
    pub asked: Vec<FormulaId>,
}

impl Problem {
    /// Has symmetry breaking order the atoms of a set by their rows, where they are interchangeable; if
    /// the requirements about every two of them say that rows are different, strictly so. No answer
    /// depends on it; which of symmetric instances are given does.
    ///
    /// `asked` are formulas whose relations tell records apart well. If the set is not a relation, nothing
    /// happens.
    pub fn take_as_records(&mut self, elements: RelExprId, asked: &[FormulaId]) {
        if let RelExpr::Relation(elements) = *self.expr(elements) {
            let asked = asked.to_vec();
            self.records.push(Records { elements, asked });
        }
    }

    /// The sets whose atoms are ordered by their rows.
    pub fn records(&self) -> &[Records] {
        &self.records
    }

    /// The relations that rows are made of, the one that counts most first: sets of records, then relations to
    /// atoms that nothing can be exchanged for, as the values of an enumeration are; where there are none,
    /// those that are asked about. Of the others, smaller ones come first.
    pub(crate) fn columns(&self, records: &Records, classes: &AtomClasses) -> Vec<RelationId> {
        let set = &self.relations()[records.elements].upper;
        let is_record = |atom: &UniverseAtomId| set.contains(&[*atom]);
        let is_row =
            |tuple: Vec<UniverseAtomId>| is_record(&tuple[0]) && !tuple[1..].iter().any(is_record);
        let relations = self.relations().entries();
        let rows = relations
            .filter(|(_, relation)| !relation.is_exact() && relation.upper.iter().all(is_row));
        let mut columns: Vec<RelationId> = rows.map(|(id, _)| id).collect();
        let alone: BTreeSet<UniverseAtomId> = classes
            .iter()
            .filter(|class| class.len() == 1)
            .map(|class| class[0])
            .collect();
        let is_control = |id: RelationId| {
            let mut tuples = self.relations()[id].upper.iter();
            tuples.all(|tuple| tuple.len() == 2 && alone.contains(&tuple[1]))
        };
        let asked = match columns.iter().any(|&id| is_control(id)) {
            true => BTreeSet::new(),
            false => self.relations_in(&records.asked),
        };
        columns.sort_by_key(|&id| {
            let relation = &self.relations()[id];
            let kind = match relation.arity() {
                1 => 0,
                _ if is_control(id) => 1,
                _ if asked.contains(&id) => 2,
                _ => 3,
            };
            (kind, relation.arity(), relation.upper.len())
        });
        columns
    }

    /// Whether the requirements about every two atoms of a set say that two of them have different rows. What
    /// is so for the first two is so for all that are interchangeable with them.
    pub(crate) fn tells_apart(
        &self,
        records: &Records,
        columns: &[RelationId],
        budget: &Budget,
    ) -> SearchResult<bool> {
        let atoms = self.relations()[records.elements].upper.iter();
        let atoms: Vec<UniverseAtomId> = atoms.map(|row| row[0]).take(2).collect();
        let &[first, second] = &atoms[..] else {
            return Ok(false);
        };
        let mut problem = self.clone();
        problem.forget_requirements();
        let elements = problem.rel(records.elements);
        let about: Vec<FormulaId> = self
            .requirements()
            .iter()
            .flat_map(|&formula| self.parts(formula))
            .filter(|&part| self.is_about_two(part, elements))
            .collect();
        if about.is_empty() {
            return Ok(false);
        }
        // Some of the requirements allow whatever all of them allow: what they exclude is excluded.
        for formula in about {
            problem.require(formula);
        }
        let universe = problem.universe().clone();
        let [a, b] = [first, second].map(|atom| {
            let value: TupleSet = universe.set([atom]);
            let constant = problem.constant("record", value);
            problem.rel(constant)
        });
        for atom in [a, b] {
            let there = problem.is_in(atom, elements);
            problem.require(there);
        }
        for &column in columns {
            let relation = problem.rel(column);
            let same = match problem.arity(relation) {
                1 => {
                    let [a, b] = [a, b].map(|atom| problem.is_in(atom, relation));
                    problem.iff(a, b)
                }
                _ => {
                    let [a, b] = [a, b].map(|atom| problem.join(atom, relation));
                    problem.equal(a, b)
                }
            };
            problem.require(same);
        }
        let options = SearchOptions {
            symmetry: 0,
            ..SearchOptions::default()
        };
        let search = Search::<Batsat>::new(&problem, &options, budget);
        match search.and_then(|mut search| search.next_unchecked(budget)) {
            Ok(instance) => Ok(instance.is_none()),
            // Whoever asks for an instance of the whole is told about these.
            Err(ProblemRefusal::HigherOrder { .. } | ProblemRefusal::TooLarge { .. }) => Ok(false),
            Err(refusal) => Err(refusal),
        }
    }

    /// The conjuncts of a formula.
    fn parts(&self, formula: FormulaId) -> Vec<FormulaId> {
        let mut open = vec![formula];
        let mut found = Vec::new();
        while let Some(formula) = open.pop() {
            match self.formula(formula) {
                RelFormula::At(inner, _) => open.push(*inner),
                RelFormula::And(parts) => open.extend(parts.iter().rev()),
                _ => found.push(formula),
            }
        }
        found
    }

    /// Whether a formula is universal over two atoms of a set.
    fn is_about_two(&self, mut formula: FormulaId, elements: RelExprId) -> bool {
        let mut count = 0;
        loop {
            match self.formula(formula) {
                RelFormula::At(inner, _) => formula = *inner,
                RelFormula::Quantified(RelQuantifier::All, decls, body) => {
                    let from_set = |decl: &RelDecl| decl.is_single() && decl.bound == elements;
                    if !decls.iter().all(from_set) {
                        return false;
                    }
                    count += decls.len();
                    formula = *body;
                }
                _ => return count == 2,
            }
        }
    }

    /// The relations that formulas speak of.
    fn relations_in(&self, formulas: &[FormulaId]) -> BTreeSet<RelationId> {
        let mut found = BTreeSet::new();
        let mut known = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut open = vec![Operands {
            formulas: formulas.to_vec(),
            ..Operands::default()
        }];
        while let Some(operands) = open.pop() {
            for id in operands.exprs {
                if let RelExpr::Relation(relation) = self.expr(id) {
                    found.insert(*relation);
                }
                if known.0.insert(id) {
                    open.push(expr_operands(self.expr(id)));
                }
            }
            for id in operands.formulas {
                if known.1.insert(id) {
                    open.push(formula_operands(self.formula(id)));
                }
            }
            for id in operands.ints {
                if known.2.insert(id) {
                    open.push(int_operands(self.int(id)));
                }
            }
        }
        found
    }
}
