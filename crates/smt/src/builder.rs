//! Models made in code: the spirit of Avestan (Vakili and Day 2012), in Rust.

use wherefore_base::{FileId, IndexVec, Span, deep};
use wherefore_logic::{AtomId, Formula, Op, PathOp, SubId};

use crate::ctl::SmtCtl;
use crate::print;
use crate::sort::SortId;
use crate::system::{
    Action, Deadlock, ExpectedVerdict, SmtProperty, SmtPropertyKind, StateVar, TermSystem,
};
use crate::term::{SmtTermId, SmtTerms};

/// A state variable: what it is now and what it is after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Var {
    /// In the present state.
    pub now: SmtTermId,
    /// In the next state.
    pub next: SmtTermId,
}

/// Makes a system piece by piece.
///
/// A counter that two processes share, which passes five whoever runs:
///
/// ```
/// use wherefore_logic::Quantifier;
/// use wherefore_smt::{Builder, SmtCtl, SmtOp, SortId};
///
/// let mut model = Builder::new("counter");
/// let c = model.state("c", SortId::INT);
/// let (zero, two, three, five) = {
///     let terms = model.terms();
///     (terms.int(0), terms.int(2), terms.int(3), terms.int(5))
/// };
/// let start = model.terms().equal(c.now, zero);
/// model.initially(start);
/// for (name, by) in [("two", two), ("three", three)] {
///     let sum = model.terms().op(SmtOp::Add, &[c.now, by]);
///     let step = model.terms().equal(c.next, sum);
///     model.step(name, step);
/// }
/// let above = model.terms().less(five, c.now);
/// model.property("passes-five", &SmtCtl::Finally(Quantifier::Forall, Box::new(SmtCtl::Atom(above))));
/// let system = model.build();
/// assert_eq!(system.actions.len(), 2);
/// assert_eq!(system.properties[0].text, "(ctl.AF (< 5 c))");
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    system: TermSystem,
    init: Vec<SmtTermId>,
    steps: Vec<SmtTermId>,
    always: Vec<SmtTermId>,
}

impl Builder {
    /// A system without state.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            system: TermSystem::new(name),
            init: Vec::new(),
            steps: Vec::new(),
            always: Vec::new(),
        }
    }

    /// Where terms and sorts are made.
    pub fn terms(&mut self) -> &mut SmtTerms {
        &mut self.system.terms
    }

    /// A state variable.
    pub fn state(&mut self, name: &str, sort: SortId) -> Var {
        let terms = &mut self.system.terms;
        let plain = terms.unused(name);
        let current = terms.declare(plain, &[], sort);
        let primed = terms.unused(&format!("{name}.next"));
        let next = terms.declare(primed, &[], sort);
        let var = Var {
            now: terms.var(current),
            next: terms.var(next),
        };
        self.system.state.push(StateVar {
            name: name.to_string(),
            current,
            next,
            span: None,
        });
        var
    }

    /// A constant that never changes and of which only the axioms are known.
    pub fn parameter(&mut self, name: &str, sort: SortId) -> SmtTermId {
        let terms = &mut self.system.terms;
        let plain = terms.unused(name);
        let symbol = terms.declare(plain, &[], sort);
        self.system.parameters.push(symbol);
        terms.var(symbol)
    }

    /// A value that is chosen anew at each step.
    pub fn input(&mut self, name: &str, sort: SortId) -> SmtTermId {
        let terms = &mut self.system.terms;
        let plain = terms.unused(name);
        let symbol = terms.declare(plain, &[], sort);
        self.system.inputs.push(symbol);
        terms.var(symbol)
    }

    /// Requires something of the parameters.
    pub fn axiom(&mut self, term: SmtTermId) {
        self.system.axioms.push(term);
    }

    /// Requires something of initial states.
    pub fn initially(&mut self, term: SmtTermId) {
        self.init.push(term);
    }

    /// Requires something of every step.
    pub fn every_step(&mut self, term: SmtTermId) {
        self.always.push(term);
    }

    /// Adds a kind of step. A step is one of those that are added.
    pub fn step(&mut self, name: &str, term: SmtTermId) {
        self.steps.push(term);
        self.system.actions.push(Action {
            name: name.to_string(),
            term,
            span: None,
        });
    }

    /// Adds a condition that fair paths satisfy again and again.
    pub fn fair(&mut self, term: SmtTermId) {
        self.system.fairness.push(term);
    }

    /// Says what a state without a next one means.
    pub fn deadlock(&mut self, deadlock: Deadlock) {
        self.system.deadlock = deadlock;
    }

    /// Adds a property; returns its place among the properties.
    pub fn property(&mut self, name: &str, formula: &SmtCtl) -> usize {
        self.add(name, formula, None)
    }

    /// Adds a property of which something is expected; returns its place among the properties.
    pub fn expect(&mut self, name: &str, formula: &SmtCtl, expected: ExpectedVerdict) -> usize {
        self.add(name, formula, Some(expected))
    }

    /// The system.
    pub fn build(mut self) -> TermSystem {
        let terms = &mut self.system.terms;
        let mut all = self.always;
        if !self.steps.is_empty() {
            let any = terms.or(&self.steps);
            all.push(any);
        }
        self.system.init = terms.and(&self.init);
        self.system.trans = terms.and(&all);
        self.system
    }

    fn add(&mut self, name: &str, formula: &SmtCtl, expected: Option<ExpectedVerdict>) -> usize {
        let (tree, atoms) = formula.formula();
        let property = SmtProperty {
            name: name.to_string(),
            named: true,
            text: formula.text(&self.system.terms),
            span: Span::new(FileId::new(0), 0, 0),
            kind: SmtPropertyKind::Ctl,
            formula: tree,
            atoms,
            expected,
        };
        self.system.properties.push(property);
        self.system.properties.len() - 1
    }
}

impl SmtCtl {
    /// The formula as a tree with numbered atoms.
    pub fn formula(&self) -> (Formula, IndexVec<AtomId, SmtTermId>) {
        let (mut formula, mut atoms) = (Formula::new(), IndexVec::new());
        tree(self, &mut formula, &mut atoms);
        (formula, atoms)
    }

    /// The formula as our extension of VMT-LIB writes it.
    pub fn text(&self, terms: &SmtTerms) -> String {
        let path = |quantifier: &wherefore_logic::Quantifier, op: &str, operands: &[&SmtCtl]| {
            let letter = match quantifier {
                wherefore_logic::Quantifier::Forall => 'A',
                wherefore_logic::Quantifier::Exists => 'E',
            };
            application(&format!("ctl.{letter}{op}"), operands, terms)
        };
        match self {
            SmtCtl::Atom(term) => print::text(terms, *term),
            SmtCtl::Not(f) => application("not", &[f], terms),
            SmtCtl::And(all) => application("and", &all.iter().collect::<Vec<_>>(), terms),
            SmtCtl::Or(all) => application("or", &all.iter().collect::<Vec<_>>(), terms),
            SmtCtl::Next(q, f) => path(q, "X", &[f]),
            SmtCtl::Finally(q, f) => path(q, "F", &[f]),
            SmtCtl::Globally(q, f) => path(q, "G", &[f]),
            SmtCtl::Until(q, f, g) => path(q, "U", &[f, g]),
            SmtCtl::WeakUntil(q, f, g) => path(q, "W", &[f, g]),
        }
    }
}

fn application(head: &str, operands: &[&SmtCtl], terms: &SmtTerms) -> String {
    let operands: Vec<String> = operands.iter().map(|f| deep(|| f.text(terms))).collect();
    format!("({head} {})", operands.join(" "))
}

fn tree(ctl: &SmtCtl, formula: &mut Formula, atoms: &mut IndexVec<AtomId, SmtTermId>) -> SubId {
    let mut go = |f: &SmtCtl, formula: &mut Formula| deep(|| tree(f, formula, atoms));
    let op = match ctl {
        SmtCtl::Atom(term) => Op::Atom(atoms.push(*term)),
        SmtCtl::Not(f) => Op::Not(go(f, formula)),
        SmtCtl::And(all) | SmtCtl::Or(all) => {
            let is_and = matches!(ctl, SmtCtl::And(_));
            let Some((first, rest)) = all.split_first() else {
                return formula.add(Op::Const(is_and), None);
            };
            let mut joined = go(first, formula);
            for f in rest {
                let f = go(f, formula);
                let op = if is_and {
                    Op::And(joined, f)
                } else {
                    Op::Or(joined, f)
                };
                joined = formula.add(op, None);
            }
            return joined;
        }
        SmtCtl::Next(q, f) => Op::Path(*q, PathOp::Next(go(f, formula))),
        SmtCtl::Finally(q, f) => Op::Path(*q, PathOp::Finally(go(f, formula))),
        SmtCtl::Globally(q, f) => Op::Path(*q, PathOp::Globally(go(f, formula))),
        SmtCtl::Until(q, f, g) => Op::Path(*q, PathOp::Until(go(f, formula), go(g, formula))),
        SmtCtl::WeakUntil(q, f, g) => {
            Op::Path(*q, PathOp::WeakUntil(go(f, formula), go(g, formula)))
        }
    };
    formula.add(op, None)
}

#[cfg(test)]
mod tests {
    use wherefore_logic::Quantifier;

    use super::*;

    #[test]
    fn a_formula_comes_back_from_its_tree() {
        let mut model = Builder::new("m");
        let (a, b) = (
            model.state("a", SortId::BOOL),
            model.state("b", SortId::BOOL),
        );
        let atom = |var: Var| SmtCtl::Atom(var.now);
        let until = SmtCtl::Until(
            Quantifier::Exists,
            Box::new(atom(a)),
            Box::new(SmtCtl::Not(Box::new(atom(b)))),
        );
        let formula = SmtCtl::And(vec![
            until,
            SmtCtl::Globally(Quantifier::Forall, Box::new(atom(b))),
        ]);
        let (tree, atoms) = formula.formula();
        assert_eq!(
            SmtCtl::of(&tree, &atoms, model.terms()),
            Some(formula.clone())
        );
        assert_eq!(
            formula.text(model.terms()),
            "(and (ctl.EU a (not b)) (ctl.AG b))"
        );
    }

    #[test]
    fn a_system_has_the_steps_that_were_added_and_no_others() {
        let mut model = Builder::new("m");
        let x = model.state("x", SortId::INT);
        let by = model.input("by", SortId::INT);
        let sum = model.terms().op(crate::term::SmtOp::Add, &[x.now, by]);
        let moved = model.terms().equal(x.next, sum);
        model.step("move", moved);
        let positive = {
            let terms = model.terms();
            let zero = terms.int(0);
            terms.less(zero, by)
        };
        model.every_step(positive);
        let system = model.build();
        assert_eq!(
            print::text(&system.terms, system.trans),
            "(and (< 0 by) (= x.next (+ x by)))"
        );
        assert_eq!(print::text(&system.terms, system.init), "true");
    }
}
