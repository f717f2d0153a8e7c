//! Parts of a property: which of its sub-formulas are the formula somebody else wrote.
//!
//! Formulas are compared by what was read, not by their text: spaces and brackets do not matter, and
//! neither does the place of a name. Equal terms and equal sub-formulas get equal numbers, operands
//! first, so the comparison is linear in the size of what is compared, up to a logarithm.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use wherefore_logic::{AtomId, Formula, Op, SubId};
use wherefore_model::{Model, PropertyBody, Query, Term, TermId};

use crate::Report;
use crate::words::{shortened, sub_text};

/// The sub-formulas of a property that say the same as `part`, in the order of their ids.
pub fn parts(model: &Model, query: &Query, part: &Query) -> Vec<SubId> {
    let terms = Numbers::of_terms(model, query.atoms.iter().chain(part.atoms.iter()));
    let mut known = Numbers::default();
    let wanted = known.of_formula(&part.formula, |atom| terms[&part.atoms[atom]]);
    let found = known.of_formula(&query.formula, |atom| terms[&query.atoms[atom]]);
    let Some(wanted) = wanted.last() else {
        return vec![];
    };
    let same = query.formula.subs().zip(&found);
    same.filter(|(_, number)| *number == wanted)
        .map(|(sub, _)| sub)
        .collect()
}

/// The texts of the sub-formulas of a property, the property itself first, each once; of very large
/// properties only the first.
pub fn part_texts(report: &Report<'_>, property: usize) -> Vec<String> {
    let body = report.model.properties.get(property).map(|p| &p.body);
    let Some(PropertyBody::Query(query)) = body else {
        return vec![];
    };
    let mut texts: Vec<String> = Vec::new();
    for sub in query.formula.subs().rev().take(LISTED) {
        let text = shortened(sub_text(report, query, sub), LONGEST);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// So many sub-formulas of a property are looked at.
const LISTED: usize = 100;
/// Of each, so many letters are told.
const LONGEST: usize = 200;

/// For each atom of a query a number; atoms with the same meaning have the same.
pub(crate) fn atom_numbers(model: &Model, query: &Query) -> Vec<usize> {
    let terms = Numbers::of_terms(model, query.atoms.iter());
    query.atoms.iter().map(|term| terms[term]).collect()
}

/// Numbers for things that are told apart by value.
struct Numbers<T> {
    known: HashMap<T, usize>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
        }
    }
}

impl<T: Eq + Hash> Numbers<T> {
    fn number(&mut self, item: T) -> usize {
        let next = self.known.len();
        *self.known.entry(item).or_insert(next)
    }
}

impl Numbers<Term> {
    /// The number of each term that these terms need, themselves included.
    fn of_terms<'a>(
        model: &Model,
        roots: impl Iterator<Item = &'a TermId>,
    ) -> HashMap<TermId, usize> {
        let mut open: Vec<TermId> = roots.copied().collect();
        let mut needed: BTreeSet<TermId> = BTreeSet::new();
        while let Some(id) = open.pop() {
            if needed.insert(id) {
                open.extend(model.terms.get(id).operands());
            }
        }
        let mut known = Self::default();
        let mut numbers: HashMap<TermId, usize> = HashMap::with_capacity(needed.len());
        for id in needed {
            let at = |id: TermId| TermId::new(numbers[&id]);
            let term = match model.terms.get(id) {
                Term::Const(value) => Term::Const(*value),
                Term::Var(var) => Term::Var(*var),
                Term::Next(var) => Term::Next(*var),
                Term::Not(a) => Term::Not(at(*a)),
                Term::Negate(a) => Term::Negate(at(*a)),
                Term::Binary(op, a, b) => Term::Binary(*op, at(*a), at(*b)),
                Term::Ite(a, b, c) => Term::Ite(at(*a), at(*b), at(*c)),
                Term::Set(members) => Term::Set(members.iter().map(|&m| at(m)).collect()),
                Term::Member(a, b) => Term::Member(at(*a), at(*b)),
                Term::Count(members) => Term::Count(members.iter().map(|&m| at(m)).collect()),
                Term::Word(op, a) => Term::Word(*op, at(*a)),
            };
            numbers.insert(id, known.number(term));
        }
        numbers
    }
}

impl Numbers<Op> {
    /// The number of each sub-formula, given one for each atom.
    fn of_formula(&mut self, formula: &Formula, atom: impl Fn(AtomId) -> usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = Vec::with_capacity(formula.len());
        for sub in formula.subs() {
            let at = |id: SubId| SubId::new(numbers[id.index()]);
            let op = match formula.op(sub) {
                Op::Const(value) => Op::Const(value),
                Op::Atom(id) => Op::Atom(AtomId::new(atom(id))),
                Op::Not(a) => Op::Not(at(a)),
                Op::And(a, b) => Op::And(at(a), at(b)),
                Op::Or(a, b) => Op::Or(at(a), at(b)),
                Op::Implies(a, b) => Op::Implies(at(a), at(b)),
                Op::Iff(a, b) => Op::Iff(at(a), at(b)),
                Op::Xor(a, b) => Op::Xor(at(a), at(b)),
                Op::Path(quantifier, path) => Op::Path(quantifier, path.map(at)),
                Op::Linear(linear) => Op::Linear(linear.map(at)),
            };
            numbers.push(self.number(op));
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use wherefore_logic::{PathOp, PathRule, Quantifier};
    use wherefore_model::VarId;

    use super::*;

    fn query(model: &mut Model, vars: [usize; 2]) -> Query {
        let mut formula = Formula::new();
        let mut atoms = wherefore_base::IndexVec::new();
        let subs = vars.map(|var| {
            let term = model.terms.add(Term::Var(VarId::new(var)), None);
            formula.add(Op::Atom(atoms.push(term)), None)
        });
        formula.add(Op::Or(subs[0], subs[1]), None);
        Query {
            formula,
            atoms,
            rule: PathRule::FairInfinite,
        }
    }

    #[test]
    fn a_part_is_found_at_all_its_places_whatever_its_terms_are_called() {
        let mut model = Model::default();
        let part = query(&mut model, [0, 1]);
        let mut whole = query(&mut model, [0, 1]);
        let first = whole.formula.root();
        let other = query(&mut model, [0, 1]);
        let shift = whole.formula.len();
        let terms = other.atoms.iter().map(|&term| whole.atoms.push(term));
        let atoms: Vec<AtomId> = terms.collect();
        for (at, &atom) in atoms.iter().enumerate() {
            assert_eq!(
                whole.formula.add(Op::Atom(atom), None).index(),
                shift + at,
                "atoms follow"
            );
        }
        let second = whole
            .formula
            .add(Op::Or(SubId::new(shift), SubId::new(shift + 1)), None);
        let path = PathOp::Until(first, second);
        whole.formula.add(Op::Path(Quantifier::Exists, path), None);
        assert_eq!(parts(&model, &whole, &part), [first, second]);
        let turned = query(&mut model, [1, 0]);
        assert_eq!(parts(&model, &whole, &turned), []);
    }
}
