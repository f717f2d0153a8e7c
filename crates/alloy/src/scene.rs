//! An instance in the words of the model.
//!
//! A problem knows relations over atoms; a [`Scene`] has the signatures and fields that the user wrote, with
//! atoms named after the signature they are in, as Alloy names them: `Book$0`, `Book$1`. Every way to show an
//! instance starts from here.

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, IndexVec, Span};
use wherefore_relational::{
    Instance, InstanceWitness as Chosen, Overflow, Problem, RelEvaluator, SearchResult, TupleSet,
    UniverseAtomId,
};

use crate::Given;
use crate::lower::{LoweredCommand, State};
use crate::model::{AlloyModel, Command, FieldId, SigId};
use crate::types::AlloyType;

/// A row of a relation.
pub type SceneRow = Vec<UniverseAtomId>;

/// An instance, or a trace, of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// The atoms of the universe, each in an instance or not.
    pub atoms: IndexVec<UniverseAtomId, Atom>,
    /// What there is, state by state; one state where nothing changes.
    pub moments: Vec<Moment>,
    /// The state that comes after the last one; none where nothing changes.
    pub back: Option<usize>,
    /// The values that show what the command asks for: `$show_b` and the like.
    pub witnesses: Vec<SceneWitness>,
    /// The bits of an integer.
    pub bits: u32,
    /// What happens when a result has more.
    pub overflow: Overflow,
    /// How long a sequence is at most.
    pub sequence: i32,
    /// How many states a trace may have, at least and at most; only where something changes.
    pub steps: Option<(i32, Option<i32>)>,
}

/// An atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// Its name: that of its signature and a number, the number it is, or a string in quotes.
    pub name: String,
    /// The smallest signature it is in, of those that extend others, in the first state that has it;
    /// none if no state has it.
    pub sig: Option<SigId>,
}

/// A state: the values of all signatures and fields, in the order of their ids. Rows are in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The atoms of each signature.
    pub sigs: IndexVec<SigId, Vec<UniverseAtomId>>,
    /// The rows of each field, with the column of its signature.
    pub fields: IndexVec<FieldId, Vec<SceneRow>>,
}

/// What a variable of the command, or of a fact, stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SceneWitness {
    /// Its name, as Alloy makes it: `$show_b`.
    pub name: String,
    /// Its name, as it is written: `b`.
    pub variable: String,
    /// Where it is declared.
    pub span: Span,
    /// How many columns, from the first on, are those of variables that it depends on.
    pub outer: usize,
    /// How many columns a row has.
    pub arity: usize,
    /// The products of signatures that make its type, as it is declared; empty where that is not known.
    pub types: Vec<Vec<SigId>>,
    /// Its rows; before its own columns are those of the variables that it depends on.
    pub rows: Vec<SceneRow>,
}

impl Scene {
    /// The scene that an instance of a lowered command shows.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn new(
        model: &AlloyModel,
        command: &Command,
        lowered: &LoweredCommand,
        instance: &Instance,
        budget: &Budget,
    ) -> SearchResult<Self> {
        let mut evaluator = RelEvaluator::new(&lowered.problem, instance, budget)?;
        let mut moments = Vec::with_capacity(lowered.states.len());
        for state in &lowered.states {
            moments.push(Moment::new(state, &mut evaluator)?);
        }
        let changes = model.has_time();
        let variables = lowered.problem.variables();
        let written = model.vars.iter().map(|var| (var.span, &var.ty));
        let written: FxHashMap<Span, &AlloyType> = written.collect();
        let mut names = FxHashSet::default();
        let witnesses = instance.witnesses().iter().filter_map(|witness| {
            let variable = &variables[witness.variable];
            // Variables that nobody wrote, of which there are some around declarations, stay hidden.
            let span = variable.span.filter(|span| written.contains_key(span))?;
            let outer = witness.outer.iter().map(|&outer| variables[outer].arity);
            let outer: usize = outer.sum();
            let mut name = witness_name(command, &variable.name);
            while !names.insert(name.clone()) {
                name.push('"');
            }
            Some(SceneWitness {
                name,
                variable: variable.name.clone(),
                span,
                outer,
                arity: outer + variable.arity,
                types: declared(&lowered.problem, witness, &written),
                rows: witness.rows.clone(),
            })
        });
        Ok(Self {
            atoms: named(model, lowered, &moments),
            moments,
            back: changes.then_some(lowered.shape_in(instance).back),
            witnesses: witnesses.collect(),
            bits: lowered.scopes.bits,
            overflow: lowered.problem.integers().overflow,
            sequence: lowered.scopes.sequence,
            steps: lowered.scopes.steps.filter(|_| changes),
        })
    }

    /// The name of an atom.
    pub fn name(&self, atom: UniverseAtomId) -> &str {
        &self.atoms[atom].name
    }

    /// The columns of a witness: for each the smallest signature that has all its atoms.
    pub fn columns(&self, model: &AlloyModel, witness: &SceneWitness) -> Vec<SigId> {
        let univ = SigId::new(AlloyModel::UNIV);
        let common = |a: SigId, b: SigId| {
            let mut at = a;
            while !model.is_within(b, at) {
                at = model.sigs[at].extends().unwrap_or(univ);
            }
            at
        };
        let column = |at: usize| {
            let atoms = witness.rows.iter().map(|row| row[at]);
            let sigs = atoms.map(|atom| self.atoms[atom].sig.unwrap_or(univ));
            sigs.reduce(common).unwrap_or(univ)
        };
        (0..witness.arity).map(column).collect()
    }

    /// The names that expressions about this scene may use beside those of the model: `Book$0` for an atom,
    /// `$show_b` for a witness. Each has its columns and its rows.
    pub fn given(&self, model: &AlloyModel) -> Vec<(Given, Vec<SceneRow>)> {
        let atoms = self.atoms.entries().filter_map(|(id, atom)| {
            let sig = atom.sig.filter(|sig| sig.index() >= AlloyModel::BUILT_IN)?;
            let given = Given {
                name: atom.name.clone(),
                columns: vec![sig],
            };
            Some((given, vec![vec![id]]))
        });
        let witnesses = self.witnesses.iter().map(|witness| {
            let given = Given {
                name: witness.name.clone(),
                columns: self.columns(model, witness),
            };
            (given, witness.rows.clone())
        });
        atoms.chain(witnesses).collect()
    }
}

impl Moment {
    fn new(state: &State, evaluator: &mut RelEvaluator<'_>) -> SearchResult<Self> {
        let mut sigs = IndexVec::new();
        for &sig in &state.sigs {
            let rows = evaluator.tuples(sig)?;
            sigs.push(rows.iter().map(|row| row[0]).collect());
        }
        let mut fields = IndexVec::new();
        for &field in &state.fields {
            fields.push(rows_of(&evaluator.tuples(field)?));
        }
        Ok(Self { sigs, fields })
    }
}

/// The products that make the type of a witness: those of the variables that it depends on, then its own.
fn declared(
    problem: &Problem,
    witness: &Chosen,
    written: &FxHashMap<Span, &AlloyType>,
) -> Vec<Vec<SigId>> {
    let mut products = vec![Vec::new()];
    for &variable in witness.outer.iter().chain([&witness.variable]) {
        let variable = &problem.variables()[variable];
        let ty = variable.span.and_then(|span| written.get(&span));
        let own = ty.map_or(Vec::new(), |ty| ty.real_products(variable.arity));
        products = (products.iter())
            .flat_map(|before| own.iter().map(|own| [&before[..], own].concat()))
            .collect();
    }
    products
}

fn rows_of(tuples: &TupleSet) -> Vec<SceneRow> {
    tuples.iter().collect()
}

/// `$show_b` for a variable of a command with a name, `$b` otherwise.
fn witness_name(command: &Command, variable: &str) -> String {
    if command.label.contains('$') {
        format!("${variable}")
    } else {
        format!("${}_{variable}", command.label)
    }
}

/// The atoms of the universe, named after the smallest signatures they are in.
fn named(
    model: &AlloyModel,
    lowered: &LoweredCommand,
    moments: &[Moment],
) -> IndexVec<UniverseAtomId, Atom> {
    let universe = lowered.problem.universe();
    let mut sig_of: FxHashMap<UniverseAtomId, SigId> = FxHashMap::default();
    for moment in moments {
        let mut now: FxHashMap<UniverseAtomId, SigId> = FxHashMap::default();
        for (id, sig) in model.sigs.entries() {
            if sig.extends().is_none() {
                continue;
            }
            for &atom in &moment.sigs[id] {
                let smallest = now.entry(atom).or_insert(id);
                if model.is_within(id, *smallest) {
                    *smallest = id;
                }
            }
        }
        for (atom, sig) in now {
            sig_of.entry(atom).or_insert(sig);
        }
    }
    let mut numbers: FxHashMap<SigId, usize> = FxHashMap::default();
    let mut atoms = IndexVec::new();
    for atom in universe.atoms() {
        let sig = sig_of.get(&atom).copied();
        let name = match sig {
            Some(sig) if sig.index() >= AlloyModel::BUILT_IN => {
                let number = numbers.entry(sig).or_default();
                let name = format!("{}${number}", model.sigs[sig].label);
                *number += 1;
                name
            }
            _ => universe.name(atom).to_owned(),
        };
        atoms.push(Atom { name, sig });
    }
    atoms
}
