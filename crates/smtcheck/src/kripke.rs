//! The system as the engines see it: copies of its state and inputs at as many places as are needed.
//!
//! A [`StateCopy`] is a copy of the state. Its symbols are constants of their own where a solver is to find values, or bound
//! variables where all values are meant.

use wherefore_base::{IndexVec, deep, define_id};
use wherefore_smt::{
    Deadlock, SmtOp, SmtQuantifier, SmtTerm, SmtTermId, SmtTerms, SmtValuation, SortId,
    Substitution, SymbolId, TermSystem,
};

use crate::enabled::can_step;

define_id!(
    /// A copy of the state.
    pub(crate) struct StateCopy
);

/// A step from one place to another, with inputs of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlaceEdge {
    pub(crate) from: StateCopy,
    pub(crate) to: StateCopy,
    /// In the order of [`PlaceGraph::inputs`], of which the inputs of the system come first.
    pub(crate) inputs: Vec<SymbolId>,
}

/// A system with copies of its state.
#[derive(Clone, Debug)]
pub(crate) struct PlaceGraph {
    pub(crate) system: TermSystem,
    pub(crate) deadlock: Deadlock,
    /// All axioms.
    pub(crate) axioms: SmtTermId,
    /// What a step is: choices that quantifiers make are inputs here.
    pub(crate) trans: SmtTermId,
    /// The inputs, and the choices that quantifiers made.
    pub(crate) inputs: Vec<SymbolId>,
    /// That a state has a next one, if that can be said.
    pub(crate) live: Option<SmtTermId>,
    places: IndexVec<StateCopy, Vec<SymbolId>>,
    edges: usize,
    /// The constants among the copies that were made so far.
    constants: Vec<SymbolId>,
}

impl PlaceGraph {
    pub(crate) fn new(system: &TermSystem, deadlock: Option<Deadlock>) -> Self {
        let mut system = system.clone();
        let axioms = system.axioms.clone();
        let axioms = system.terms.and(&axioms);
        let live = can_step(&mut system);
        let mut inputs = system.inputs.clone();
        let trans = hoisted(&mut system.terms, system.trans, &mut inputs);
        let deadlock = deadlock.unwrap_or(system.deadlock);
        Self {
            system,
            deadlock,
            axioms,
            trans,
            inputs,
            live,
            places: IndexVec::new(),
            edges: 0,
            constants: Vec::new(),
        }
    }

    pub(crate) fn terms(&mut self) -> &mut SmtTerms {
        &mut self.system.terms
    }

    /// The constants of all places and edges, except bound variables.
    pub(crate) fn all_symbols(&self) -> Vec<SymbolId> {
        self.constants.clone()
    }

    /// A new copy of the state, of constants.
    pub(crate) fn place(&mut self) -> StateCopy {
        self.copy(false)
    }

    /// A new copy of the state, of bound variables.
    pub(crate) fn bound_place(&mut self) -> StateCopy {
        self.copy(true)
    }

    /// A new truth value, a constant.
    pub(crate) fn flag(&mut self) -> SymbolId {
        let name = format!("@?{}", self.constants.len());
        let flag = self.system.terms.declare(name, &[], SortId::BOOL);
        self.constants.push(flag);
        flag
    }

    /// The symbols of a place, in the order of the parts of the state.
    pub(crate) fn symbols(&self, place: StateCopy) -> &[SymbolId] {
        &self.places[place]
    }

    /// A step between two places, with new inputs.
    pub(crate) fn edge(&mut self, from: StateCopy, to: StateCopy) -> PlaceEdge {
        self.new_edge(from, to, false)
    }

    /// The same with inputs that are bound variables.
    pub(crate) fn bound_edge(&mut self, from: StateCopy, to: StateCopy) -> PlaceEdge {
        self.new_edge(from, to, true)
    }

    /// A condition on the present state, said of a place.
    pub(crate) fn at(&mut self, term: SmtTermId, place: StateCopy) -> SmtTermId {
        let mut by = Substitution::default();
        for (var, &copy) in self.system.state.iter().zip(&self.places[place]) {
            by.rename(var.current, copy);
        }
        self.system.terms.substitute(term, &by)
    }

    /// That an edge is a step.
    pub(crate) fn step(&mut self, edge: &PlaceEdge) -> SmtTermId {
        self.along(self.trans, edge)
    }

    /// A condition on a step, said of an edge.
    pub(crate) fn along(&mut self, term: SmtTermId, edge: &PlaceEdge) -> SmtTermId {
        let mut by = Substitution::default();
        let copies = self.places[edge.from].iter().zip(&self.places[edge.to]);
        for (var, (&from, &to)) in self.system.state.iter().zip(copies) {
            by.rename(var.current, from);
            by.rename(var.next, to);
        }
        for (&input, &copy) in self.inputs.iter().zip(&edge.inputs) {
            by.rename(input, copy);
        }
        self.system.terms.substitute(term, &by)
    }

    /// The values of a place and of the parameters, as values of the present state.
    pub(crate) fn as_present(&self, at: StateCopy, values: &SmtValuation) -> SmtValuation {
        let mut here = SmtValuation::default();
        for (current, &copy) in self.system.current().into_iter().zip(self.symbols(at)) {
            if let Some(value) = values.get(copy) {
                here.set(current, value.clone());
            }
        }
        for &parameter in &self.system.parameters {
            if let Some(value) = values.get(parameter) {
                here.set(parameter, value.clone());
            }
        }
        here
    }

    /// The symbols that a quantifier over this edge and its target binds.
    pub(crate) fn binders(&self, edge: &PlaceEdge) -> Vec<SymbolId> {
        let target = self.places[edge.to].iter().chain(&edge.inputs);
        target.copied().collect()
    }

    fn copy(&mut self, bound: bool) -> StateCopy {
        let number = self.places.len();
        let vars: Vec<SymbolId> = self.system.current();
        let copies = vars
            .into_iter()
            .map(|var| self.copied(var, &format!("@{number}"), bound));
        let copies = copies.collect();
        self.places.push(copies)
    }

    fn new_edge(&mut self, from: StateCopy, to: StateCopy, bound: bool) -> PlaceEdge {
        let number = self.edges;
        self.edges += 1;
        let inputs = self.inputs.clone();
        let inputs = inputs
            .into_iter()
            .map(|input| self.copied(input, &format!("@>{number}"), bound));
        let inputs = inputs.collect();
        PlaceEdge { from, to, inputs }
    }

    fn copied(&mut self, symbol: SymbolId, suffix: &str, bound: bool) -> SymbolId {
        let terms = &mut self.system.terms;
        let info = terms.info(symbol).clone();
        let name = format!("{}{suffix}", info.name);
        if bound && info.args.is_empty() {
            return terms.bound(name, info.sort);
        }
        // A function cannot be bound: its copy is a constant in any case.
        let copy = terms.declare(name, &info.args, info.sort);
        self.constants.push(copy);
        copy
    }

    /// The sorts of the parts of the state, if none of them is a function.
    pub(crate) fn sorts(&self) -> Option<Vec<SortId>> {
        let info = |symbol| self.system.terms.info(symbol);
        let plain = !self.system.has_functions();
        plain.then(|| {
            self.system
                .current()
                .into_iter()
                .map(|s| info(s).sort)
                .collect()
        })
    }
}

/// The condition with a constant for each variable of an existential quantifier that is not denied and not inside another
/// one; they are added to the list.
fn hoisted(terms: &mut SmtTerms, condition: SmtTermId, constants: &mut Vec<SymbolId>) -> SmtTermId {
    match terms.get(condition).clone() {
        // Below `or`, the choice of a disjunct that is not taken is free.
        SmtTerm::Op(op @ (SmtOp::And | SmtOp::Or), operands) => {
            let operands = operands
                .iter()
                .map(|&operand| deep(|| hoisted(terms, operand, constants)));
            let operands: Vec<SmtTermId> = operands.collect();
            terms.op(op, &operands)
        }
        SmtTerm::Quantified(SmtQuantifier::Exists, symbols, body) => {
            let mut by = Substitution::default();
            for symbol in symbols {
                let info = terms.info(symbol).clone();
                let constant = terms.declare(format!("{}@?", info.name), &[], info.sort);
                by.rename(symbol, constant);
                constants.push(constant);
            }
            let body = terms.substitute(body, &by);
            deep(|| hoisted(terms, body, constants))
        }
        _ => condition,
    }
}
