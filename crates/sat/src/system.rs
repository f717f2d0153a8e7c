//! A model over bits.

use wherefore_base::{Budget, Run, Value};
use wherefore_model::{Constraint, Model, Requirement, TermId, VarId};

use crate::blast::{Blaster, Side};
use crate::circuit::{Circuit, CircuitEdge};

/// A model as a circuit over the bits of a state, of an input and of a next state.
#[derive(Debug)]
pub struct BitSystem<'m> {
    blaster: Blaster<'m>,
    /// What initial states must satisfy, beside [`BitSystem::invar`].
    pub init: Vec<CircuitEdge>,
    /// What every state must satisfy: the bits of each of its variables name a value, then the constraints
    /// on states, in order.
    pub invar: Vec<CircuitEdge>,
    /// What every step must satisfy, beside [`BitSystem::invar`] at both its ends: the bits of each input name
    /// a value, then the constraints on steps, in order.
    pub trans: Vec<CircuitEdge>,
}

impl<'m> BitSystem<'m> {
    /// The model over bits.
    pub fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let mut blaster = Blaster::new(model, budget);
        let mut invar = Vec::new();
        let mut trans = Vec::new();
        for var in (0..model.vars.len()).map(VarId::new) {
            // Bits that name no value are excluded here, so terms need not look at them.
            let fits = blaster.fits(var, Side::Now);
            if var.index() < model.state_vars() {
                invar.push(fits);
            } else {
                trans.push(fits);
            }
        }
        let init = blaster.constraints(&model.init, Side::Now)?;
        invar.extend(blaster.constraints(&model.invar, Side::Now)?);
        trans.extend(blaster.constraints(&model.trans, Side::Next)?);
        Ok(Self {
            blaster,
            init,
            invar,
            trans,
        })
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.blaster.model()
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        self.blaster.circuit()
    }

    /// The circuit, to build on.
    pub fn circuit_mut(&mut self) -> &mut Circuit {
        self.blaster.circuit_mut()
    }

    /// A condition of the model as an edge.
    pub fn condition(&mut self, term: TermId) -> Run<CircuitEdge> {
        self.blaster.condition(term)
    }

    /// That a variable has the value with this index, in the present state or input.
    pub fn has(&mut self, var: VarId, index: u64) -> CircuitEdge {
        self.blaster.has(var, Side::Now, index)
    }

    /// That the index of a variable's value has this bit; never, where no index has it.
    pub fn has_bit(&self, var: VarId, place: usize, bit: bool) -> CircuitEdge {
        match self.blaster.bits(var, Side::Now).get(place) {
            Some(own) => own.negated_if(!bit),
            None => CircuitEdge::constant(!bit),
        }
    }

    /// What an input of the circuit means: a variable, the place of a bit, and whether it is one of the
    /// next state.
    ///
    /// # Panics
    /// When the gate is no input.
    pub fn meaning(&self, gate: usize) -> (VarId, usize, bool) {
        self.blaster.meaning(gate)
    }

    /// The values of variables from their bits, in declaration order, for variables `from..to`.
    pub fn values(
        &self,
        vars: std::ops::Range<usize>,
        mut bit: impl FnMut(VarId, usize) -> bool,
    ) -> Vec<Value> {
        let value = |at: usize| {
            let var = VarId::new(at);
            let domain = &self.model().vars[var].domain;
            let places = 0..domain.bits() as usize;
            let index = places.map(|place| u64::from(bit(var, place)) << place);
            domain.value(index.sum())
        };
        vars.map(value).collect()
    }
}

impl Blaster<'_> {
    fn constraints(&mut self, constraints: &[Constraint], side: Side) -> Run<Vec<CircuitEdge>> {
        let edge = |constraint: &Constraint| match constraint.requires {
            Requirement::Holds(term) => self.condition(term),
            Requirement::Assign(var, term) => self.takes(var, side, term),
        };
        constraints.iter().map(edge).collect()
    }
}
