//! Which swaps leave a model as it is.
//!
//! A swap turns the system into itself if every state it allows, every initial state and every step becomes
//! another one. Two swaps are the way back, so nothing else becomes one. What formulas and fairness ask of a state must
//! be the same after the swap, each for itself: then a state and its image cannot be told apart, and one of
//! them may stand for both (Clarke, Enders, Filkorn and Jha 1996; Emerson and Sistla 1996).

use wherefore_base::{Budget, Run};
use wherefore_model::{Model, PropertyBody, Swap, TermId, VarId};
use wherefore_sat::{BitSystem, CircuitEdge, Cnf, Lit, SatAnswer, Solver, Strongest, Unrolling};

/// How often a solver may ask for more time to prove a swap.
const EFFORT: u64 = 200_000;

/// The positions of the present state and of the next one.
const NOW: usize = 0;
const NEXT: usize = 1;

/// For each of some properties, the swaps of the model that are proved to leave the system and what the
/// property asks of its states as they are. Whether a swap is proved depends on counted effort. Only of properties
/// about states and the paths from them there is something to prove.
///
/// # Panics
/// When the model has no property with one of these indices.
pub fn symmetries<'m>(
    model: &'m Model,
    properties: &[usize],
    budget: &Budget,
) -> Run<Vec<Vec<&'m Swap>>> {
    budget.phase("looking for symmetries");
    let mut found = vec![Vec::new(); properties.len()];
    let mut prover = SymmetryProver::new(model, budget)?;
    let fairness = &model.fairness;
    let pairs = fairness.compassion.iter().flat_map(|&(a, b)| [a, b]);
    let fair: Vec<_> = fairness.justice.iter().copied().chain(pairs).collect();
    let fair = prover.conditions(&fair)?;
    let mut asked = Vec::new();
    for &property in properties {
        asked.push(match &model.properties[property].body {
            PropertyBody::Query(query) => Some(prover.conditions(query.atoms.as_slice())?),
            _ => None,
        });
    }
    for swap in model.swaps.iter().filter(|swap| swap.fits(model)) {
        let counted = budget.counted(EFFORT);
        let image = prover.image(swap);
        let proved = prover.keeps_system(image, &counted);
        let proved = proved.and_then(|kept| Ok(kept && prover.keeps(image, &fair, &counted)?));
        if !settled(proved, budget)? {
            continue;
        }
        for (found, atoms) in found.iter_mut().zip(&asked) {
            let Some(atoms) = atoms else { continue };
            if settled(prover.keeps(image, atoms, &counted), budget)? {
                found.push(swap);
            }
        }
    }
    Ok(found)
}

/// Whether something is proved; not if only the counted part of the budget ended.
fn settled(proved: Run<bool>, budget: &Budget) -> Run<bool> {
    match proved {
        Ok(proved) => Ok(proved),
        Err(_) => budget.check().map(|()| false),
    }
}

/// A step of a system beside its images, and a solver that knows them.
struct SymmetryProver<'m> {
    system: BitSystem<'m>,
    unrolling: Unrolling,
    cnf: Cnf,
    solver: Strongest,
    allowed: CircuitEdge,
    initial: CircuitEdge,
    steps: CircuitEdge,
}

impl<'m> SymmetryProver<'m> {
    fn new(model: &'m Model, budget: &Budget) -> Run<Self> {
        let mut system = BitSystem::new(model, budget)?;
        let [init, invar, trans] = [&system.init, &system.invar, &system.trans].map(Vec::clone);
        let circuit = system.circuit_mut();
        let [initial, allowed, steps] = [init, invar, trans].map(|edges| circuit.all(edges));
        let mut prover = Self {
            system,
            unrolling: Unrolling::new(),
            cnf: Cnf::new(),
            solver: Strongest::empty(),
            allowed,
            initial,
            steps,
        };
        // The positions of the step come first; images are added behind them, two at a time.
        prover.bits(NEXT);
        Ok(prover)
    }

    fn conditions(&mut self, terms: &[TermId]) -> Run<Vec<CircuitEdge>> {
        terms
            .iter()
            .map(|&term| self.system.condition(term))
            .collect()
    }

    /// The bits of all variables at a position.
    fn bits(&mut self, position: usize) -> Vec<Vec<CircuitEdge>> {
        let vars = (0..self.system.model().vars.len()).map(VarId::new);
        let bits = vars.map(|var| self.unrolling.bits(&self.system, position, var));
        bits.collect()
    }

    /// The image of the step: two more positions, the first of which is returned.
    fn image(&mut self, swap: &Swap) -> usize {
        let image = self.image_of(swap, NOW);
        self.image_of(swap, NEXT);
        image
    }

    fn image_of(&mut self, swap: &Swap, position: usize) -> usize {
        let own = self.bits(position);
        let mut image = own.clone();
        for &(a, b) in &swap.vars {
            image.swap(a.index(), b.index());
        }
        let model = self.system.model();
        for &(var, a, b) in &swap.values {
            let domain = &model.vars[var].domain;
            let index = |value| domain.index_of(value).expect("the swap fits");
            let (a, b) = (index(a), index(b));
            let circuit = self.unrolling.circuit_mut();
            // A variable that exchanges values does not move, so its own bits are those of the
            // image so far.
            let has = |number: u64| {
                let bits = own[var.index()].iter().enumerate();
                bits.map(move |(place, bit)| bit.negated_if(number >> place & 1 == 0))
            };
            let (has_a, has_b) = (circuit.all(has(a)), circuit.all(has(b)));
            let either = circuit.or(has_a, has_b);
            for (place, bit) in image[var.index()].iter_mut().enumerate() {
                if (a ^ b) >> place & 1 == 1 {
                    *bit = circuit.xor(*bit, either);
                }
            }
        }
        self.unrolling.add(image)
    }

    /// Whether states that are allowed, initial states and steps have such images.
    fn keeps_system(&mut self, image: usize, budget: &Budget) -> Run<bool> {
        let (allowed, initial, steps) = (self.allowed, self.initial, self.steps);
        Ok(self.follows(&[], image, allowed, budget)?
            && self.follows(&[(NOW, initial)], image, initial, budget)?
            && self.follows(&[(NEXT, allowed), (NOW, steps)], image, steps, budget)?)
    }

    /// Whether conditions on a state are true of its image where they are true of the state.
    fn keeps(&mut self, image: usize, conditions: &[CircuitEdge], budget: &Budget) -> Run<bool> {
        // One direction is enough: the image of the image is the state itself.
        for &condition in conditions {
            if !self.follows(&[(NOW, condition)], image, condition, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an edge is true of the image of every allowed state of which some others are.
    fn follows(
        &mut self,
        given: &[(usize, CircuitEdge)],
        image: usize,
        edge: CircuitEdge,
        budget: &Budget,
    ) -> Run<bool> {
        let mut assumed = vec![self.demand(NOW, self.allowed)];
        for &(position, edge) in given {
            assumed.push(self.demand(position, edge));
        }
        assumed.push(self.demand(image, !edge));
        Ok(self.solver.solve(&assumed, budget)? == SatAnswer::Unsat)
    }

    fn demand(&mut self, position: usize, edge: CircuitEdge) -> Lit {
        let edge = self.unrolling.at(&self.system, position, edge);
        let circuit = self.unrolling.circuit();
        self.cnf.demand(circuit, edge, &mut self.solver)
    }
}
