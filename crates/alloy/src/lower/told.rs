//! A scene as a problem in which everything is known: what expressions about it are evaluated on.

use rustc_hash::FxHashMap;
use wherefore_relational::{
    Instance, Integers, Overflow, RelExprId, TupleSet, Universe, UniverseAtomId,
};

use super::path::TracePath;
use super::{AlloyLowering, LoweredCommand, LoweredTables, TraceShape};
use crate::model::{AlloyModel, AlloyTermKind, SigId};
use crate::scene::{Moment, Scene};
use crate::scope::Scopes;

impl LoweredCommand {
    /// The problem that a scene is the only instance of, and that instance. It requires nothing: it is for
    /// [`LoweredCommand::meaning_with`], where nothing but the scene is at hand.
    pub fn of_scene(model: &AlloyModel, scene: &Scene, overflow: Overflow) -> (Self, Instance) {
        let universe = Universe::new(scene.atoms.iter().map(|atom| atom.name.clone()));
        let is_number = |sig: SigId| [AlloyModel::INT, AlloyModel::SEQ_INT].contains(&sig.index());
        let numbers = scene.atoms.entries().filter_map(|(id, atom)| {
            let number = atom.sig.is_some_and(is_number);
            let value = atom.name.parse::<i64>().ok().filter(|_| number)?;
            Some((id, value))
        });
        let mut integer_atoms: Vec<(UniverseAtomId, i64)> = numbers.collect();
        // `next_integers` takes neighbours in this list.
        integer_atoms.sort_by_key(|&(_, value)| value);
        let mut strings = FxHashMap::default();
        for term in model.terms.iter() {
            if let AlloyTermKind::Text(text) = term.kind {
                let name = format!("{:?}", model.names.text(text));
                if let Some(atom) = universe.atom(&name) {
                    strings.insert(text, atom);
                }
            }
        }
        let shape = TraceShape {
            states: scene.moments.len(),
            back: scene.back.unwrap_or(0),
        };
        let integers = Integers {
            width: scene.bits,
            overflow,
            atoms: integer_atoms.clone(),
        };
        let tables = LoweredTables {
            strings,
            integer_atoms,
            ..LoweredTables::default()
        };
        let scopes = scopes_of(model, scene);
        let path = TracePath::new(shape, 0, Vec::new());
        let mut lowering = AlloyLowering::over((model, scopes), universe, integers, tables, path);
        for (state, moment) in scene.moments.iter().enumerate() {
            lowering.go(state);
            lowering.told(moment);
        }
        let lowered = lowering.finish(0);
        let values = lowered.problem.relations().iter();
        let values = values.map(|relation| relation.lower.clone()).collect();
        (lowered, Instance::new(values, Vec::new()))
    }
}

impl AlloyLowering<'_> {
    /// The signatures and fields of the state at hand, with the values that they have.
    fn told(&mut self, moment: &Moment) {
        for (id, atoms) in moment.sigs.entries() {
            let value = self.universe.set(atoms.iter().copied());
            let expr = match id.index() {
                AlloyModel::INT => self.problem.ints(),
                _ => self.constant(&self.model.sigs[id].label, value.clone()),
            };
            self.tables.sig_exprs.push((expr, value));
        }
        for (id, rows) in moment.fields.entries() {
            let field = &self.model.fields[id];
            let arity = rows.first().map(Vec::len).or(field.ty.arity());
            let packing = self.universe.packing();
            let value = TupleSet::from_tuples(packing, arity.unwrap_or(2), rows);
            let expr = self.constant(self.model.names.text(field.name), value);
            self.tables.field_exprs.push(expr);
        }
    }

    fn constant(&mut self, name: &str, value: TupleSet) -> RelExprId {
        let relation = self.problem.constant(name, value);
        self.problem.rel(relation)
    }
}

/// The scopes that a scene could have been found in: what lowering a term asks of them.
fn scopes_of(model: &AlloyModel, scene: &Scene) -> Scopes {
    Scopes {
        bits: scene.bits,
        sequence: scene.sequence,
        steps: scene.steps,
        strings: None,
        texts: Vec::new(),
        outside: Vec::new(),
        atoms: scene.atoms.iter().map(|atom| atom.name.clone()).collect(),
        most: vec![0; model.sigs.len()],
        exact: vec![false; model.sigs.len()],
        lower: vec![Vec::new(); model.sigs.len()],
        upper: vec![Vec::new(); model.sigs.len()],
    }
}
