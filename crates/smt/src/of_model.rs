//! Models of other languages as systems: the finite domains of their variables become conditions, numbers without
//! bounds stay what they are.
//!
//! A variable of the state becomes a part of the state, a frozen one a parameter, an input an input. All symbolic
//! constants are of one enumeration, and words are numbers (see `words`). A choice among several values is a
//! disjunction. Whatever has no place here (variables that are sometimes integers and sometimes symbolic constants) is refused with a reason.

mod terms;
mod words;

use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, IndexVec, Symbol, Value as Plain};
use wherefore_logic::{AtomId, Formula, LinearOp, Op as FormulaOp, PathRule, as_ctl, stable};
use wherefore_model::{
    Domain, Model, Number, Property as Asked, PropertyBody, Requirement, Term as Low,
    TermId as LowId, VarId, VarKind, Variable,
};

use self::terms::{ModelTranslator, within};
use crate::sort::{Sort, SortId};
use crate::system::{Deadlock, SmtProperty, SmtPropertyKind, StateVar, TermSystem};
use crate::term::{SmtTerm, SmtTermId, SmtTerms, SymbolId};

/// A system that was made of a model.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The system. Its dead ends are errors: in the models it is made of, no path ends.
    pub system: TermSystem,
    /// For each property why it cannot be asked of the system, if it cannot: a whole sentence.
    pub refused: Vec<Option<String>>,
    /// What must have no model for the model to be right.
    pub obligations: Vec<Obliged>,
    /// What the variables of the model are in the system, for properties that are added.
    pub dictionary: Dictionary,
}

/// Something that must be so for all values of the variables.
#[derive(Clone, Debug)]
pub struct Obliged {
    /// That it is not so.
    pub denied: SmtTermId,
    /// The offending value, if there is one to tell.
    pub value: Option<SymbolId>,
    /// What to tell the user if it is not so. `{value}` in its texts stands for the offending value.
    pub otherwise: Diagnostic,
}

/// What the variables and constants of a model are in its system.
#[derive(Clone, Default, Debug)]
pub struct Dictionary {
    now: FxHashMap<VarId, SymbolId>,
    next: FxHashMap<VarId, SymbolId>,
    constants: FxHashMap<Symbol, u32>,
    sort: Option<SortId>,
    /// That variables have values of their domains: now, next, and inputs.
    domains: Vec<SmtTermId>,
    /// How many obligations of the model are translated.
    done: usize,
}

/// The system that a model describes.
///
/// # Errors
/// Why there is none: a sentence without its full stop, and the variable it is about, if it is about one.
pub fn of_model(name: &str, model: &Model) -> Result<Translated, (String, Option<VarId>)> {
    let mut system = TermSystem::new(name);
    system.deadlock = Deadlock::Error;
    let mut dictionary = Dictionary::default();
    dictionary
        .constants(model, &mut system.terms)
        .map_err(|why| (why, None))?;
    let (mut init, mut trans) = (Vec::new(), Vec::new());
    for (var, variable) in model.vars.entries() {
        let sort = dictionary
            .sort_of(model, var, variable)
            .map_err(|why| (why, Some(var)))?;
        let symbol = declare(&mut system.terms, &variable.name, sort);
        dictionary.now.insert(var, symbol);
        let term = system.terms.var(symbol);
        let inside = dictionary.inside(model, &mut system.terms, var, term);
        match variable.kind {
            VarKind::State => {
                let next = declare(&mut system.terms, &format!("{}.next", variable.name), sort);
                dictionary.next.insert(var, next);
                system.state.push(StateVar {
                    name: variable.name.clone(),
                    current: symbol,
                    next,
                    span: Some(variable.span),
                });
                let term = system.terms.var(next);
                let then = dictionary.inside(model, &mut system.terms, var, term);
                init.extend(inside);
                trans.extend(inside);
                trans.extend(then);
                dictionary.domains.extend(then);
            }
            VarKind::Frozen => {
                // A frozen variable is its own next value.
                dictionary.next.insert(var, symbol);
                system.parameters.push(symbol);
                system.axioms.extend(inside);
            }
            VarKind::Input => {
                system.inputs.push(symbol);
                trans.extend(inside);
            }
        }
        dictionary.domains.extend(inside);
    }
    let whole = |why| (why, None);
    let mut translator = ModelTranslator::new(&dictionary, model, &mut system.terms);
    for constraint in &model.init {
        init.push(translator.constraint(constraint, false).map_err(whole)?);
    }
    let mut always = Vec::new();
    for constraint in &model.invar {
        always.push(translator.constraint(constraint, false).map_err(whole)?);
    }
    for constraint in &model.trans {
        trans.push(translator.constraint(constraint, true).map_err(whole)?);
    }
    let mut fairness = Vec::new();
    for &condition in &model.fairness.justice {
        fairness.push(translator.value(condition).map_err(whole)?);
    }
    let defines = model.defines.iter().filter(|define| !define.of_step);
    let definitions = defines.filter_map(|define| {
        let term = translator.value(define.term).ok()?;
        Some((define.name.clone(), term))
    });
    let definitions = definitions.collect();
    // What is always true restrains no path, and several engines are for systems without fairness only.
    fairness.retain(|&condition| system.terms.as_bool(condition) != Some(true));
    (system.fairness, system.definitions) = (fairness, definitions);
    // What always holds is said of initial states and of both ends of every step.
    for condition in always {
        init.push(condition);
        trans.push(condition);
        let then = system.primed(condition);
        trans.push(then);
    }
    system.init = system.terms.and(&init);
    system.trans = system.terms.and(&trans);
    let mut translated = Translated {
        system,
        refused: Vec::new(),
        obligations: Vec::new(),
        dictionary,
    };
    for asked in &model.properties {
        translated.add(model, asked);
    }
    translated.oblige(model).map_err(whole)?;
    Ok(translated)
}

impl Translated {
    /// Adds a property of the model, and what the model obliges to since the last time.
    ///
    /// # Errors
    /// What has no place in systems: a sentence without its full stop.
    pub fn add_property(&mut self, model: &Model, asked: &Asked) -> Result<(), String> {
        self.add(model, asked);
        self.oblige(model)
    }

    fn add(&mut self, model: &Model, asked: &Asked) {
        let (property, refused) = self.property(model, asked);
        self.system.properties.push(property);
        self.refused.push(refused);
    }

    /// A property of the model, and why it cannot be asked of the system.
    fn property(&mut self, model: &Model, asked: &Asked) -> (SmtProperty, Option<String>) {
        let mut property = SmtProperty {
            name: asked.name.clone(),
            named: asked.named,
            text: asked.text.clone(),
            span: asked.span,
            kind: SmtPropertyKind::Ctl,
            formula: nothing(asked),
            atoms: IndexVec::new(),
            expected: None,
        };
        let query = match &asked.body {
            PropertyBody::Query(query) | PropertyBody::Linear(query) => query,
            PropertyBody::Distance(_) => {
                let why =
                    "Numbers of steps are computed for models with finitely many states only.";
                return (property, Some(why.to_string()));
            }
            PropertyBody::Unsupported(why) => return (property, Some(format!("{why}."))),
        };
        let mut atoms: IndexVec<AtomId, SmtTermId> = IndexVec::new();
        let mut translator = ModelTranslator::new(&self.dictionary, model, &mut self.system.terms);
        for &atom in query.atoms.iter() {
            match translator.value(atom) {
                Ok(term) => atoms.push(term),
                Err(why) => {
                    return (
                        property,
                        Some(format!("The property cannot be asked, since {why}.")),
                    );
                }
            };
        }
        let known: Vec<SymbolId> = self.system.current();
        let free = self
            .system
            .terms
            .free_in(&atoms.iter().copied().collect::<Vec<_>>());
        let of_states =
            |symbol: &SymbolId| known.contains(symbol) || self.system.parameters.contains(symbol);
        if !free.iter().all(of_states) {
            let why = "The property speaks of inputs or of the next state, which solvers are asked about in finite models only.";
            return (property, Some(why.to_string()));
        }
        property.atoms = atoms;
        if let PropertyBody::Query(query) = &asked.body {
            property.formula = query.formula.clone();
            if query.rule == PathRule::Reach {
                property.kind = SmtPropertyKind::Invar;
            }
            return (property, None);
        }
        if !model.fairness.compassion.is_empty() {
            let why = "`COMPASSION` is for models with finitely many states.";
            return (property, Some(why.to_string()));
        }
        if let Some(condition) = stable(&query.formula) {
            property.formula = condition;
            property.kind = SmtPropertyKind::Live;
            return (property, None);
        }
        match as_ctl(&query.formula) {
            Some(formula) => {
                property.formula = formula;
                (property, None)
            }
            None if has_bounds(&query.formula) => {
                property.formula = query.formula.clone();
                let why = "Operators of LTL with numbers of steps are for models with finitely many states; with --bound \
                           every formula can be asked of the finite version.";
                (property, Some(why.to_string()))
            }
            None => {
                property.formula = query.formula.clone();
                property.kind = SmtPropertyKind::Linear;
                (property, None)
            }
        }
    }

    fn oblige(&mut self, model: &Model) -> Result<(), String> {
        let todo = &model.obligations[self.dictionary.done..];
        let mut made = Vec::new();
        for obligation in todo {
            let terms = &mut self.system.terms;
            let mut all = self.dictionary.domains.clone();
            let mut translator = ModelTranslator::new(&self.dictionary, model, terms);
            for &condition in &obligation.when {
                all.push(translator.value(condition)?);
            }
            let value = match obligation.requires {
                Requirement::Holds(term) => {
                    let term = translator.value(term)?;
                    all.push(translator.terms.not(term));
                    None
                }
                Requirement::Assign(var, term) => {
                    let sort = self.dictionary.sort_of(model, var, &model.vars[var])?;
                    let value = declare(translator.terms, "value", sort);
                    let is = translator.terms.var(value);
                    all.push(translator.chosen(is, term)?);
                    // Every value of the sort is one of the variable's, so nothing can go wrong.
                    let Some(inside) = self.dictionary.inside(model, translator.terms, var, is)
                    else {
                        continue;
                    };
                    all.push(translator.terms.not(inside));
                    Some(value)
                }
            };
            made.push(Obliged {
                denied: self.system.terms.and(&all),
                value,
                otherwise: obligation.otherwise.clone(),
            });
        }
        self.dictionary.done = model.obligations.len();
        self.obligations.append(&mut made);
        Ok(())
    }
}

impl Dictionary {
    /// Makes one enumeration of all symbolic constants.
    fn constants(&mut self, model: &Model, terms: &mut SmtTerms) -> Result<(), String> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |value: Plain| -> Result<(), String> {
            let Plain::Symbol(symbol) = value else {
                return Ok(());
            };
            if self.constants.contains_key(&symbol) {
                return Ok(());
            }
            let name = model.names.text(symbol);
            if name.contains(['\\', '|']) {
                return Err(format!(
                    "solvers cannot read the name of the constant `{name}`"
                ));
            }
            let number = u32::try_from(names.len()).map_err(|_| "there are too many constants")?;
            self.constants.insert(symbol, number);
            names.push(name.to_string());
            Ok(())
        };
        for variable in model.vars.iter() {
            if let Domain::Enum(values) = &variable.domain {
                values.iter().try_for_each(|&value| add(value))?;
            }
        }
        for id in (0..model.terms.len()).map(LowId::new) {
            if let Low::Const(value) = model.terms.get(id) {
                add(*value)?;
            }
        }
        if !names.is_empty() {
            self.sort = Some(
                terms
                    .sorts
                    .add(Sort::Enumeration("Constant".to_string(), names)),
            );
        }
        Ok(())
    }

    fn sort_of(&self, model: &Model, var: VarId, variable: &Variable) -> Result<SortId, String> {
        match model.unbounded.vars.get(&var) {
            Some(Number::Integer) => return Ok(SortId::INT),
            Some(Number::Real) => return Ok(SortId::REAL),
            None => {}
        }
        let name = &variable.name;
        match &variable.domain {
            Domain::Bool => Ok(SortId::BOOL),
            Domain::Range { .. } | Domain::Word { .. } => Ok(SortId::INT),
            Domain::Enum(values) if values.iter().all(|value| value.as_int().is_some()) => {
                Ok(SortId::INT)
            }
            Domain::Enum(values) => {
                let symbols = values.iter().all(|value| matches!(value, Plain::Symbol(_)));
                let sort = self.sort.filter(|_| symbols);
                sort.ok_or_else(|| {
                    format!("`{name}` takes values of several kinds, which is for models with finitely many states")
                })
            }
        }
    }

    /// That a value of its sort is one of the variable's, if that says anything.
    fn inside(
        &self,
        model: &Model,
        terms: &mut SmtTerms,
        var: VarId,
        value: SmtTermId,
    ) -> Option<SmtTermId> {
        if model.unbounded.vars.contains_key(&var) {
            return None;
        }
        match &model.vars[var].domain {
            Domain::Bool => None,
            Domain::Range { low, high } => {
                Some(within(terms, value, (*low).into(), (*high).into()))
            }
            Domain::Word { signed, width } => {
                let (signed, width) = (*signed, *width);
                let (low, high) = words::WordSort { signed, width }.range();
                Some(within(terms, value, low, high))
            }
            // All constants there are belong to the variable, so this would say nothing.
            Domain::Enum(values)
                if self.sort == Some(terms.sort(value)) && values.len() == self.constants.len() =>
            {
                None
            }
            Domain::Enum(values) => {
                let mut any = Vec::new();
                for &one in values {
                    let one = self.constant(terms, one)?;
                    any.push(terms.equal(value, one));
                }
                Some(terms.or(&any))
            }
        }
    }

    fn constant(&self, terms: &mut SmtTerms, value: Plain) -> Option<SmtTermId> {
        match value {
            Plain::Bool(value) => Some(terms.bool(value)),
            Plain::Int(value) => Some(terms.int(value)),
            Plain::Symbol(symbol) => {
                let constant = SmtTerm::Constant(self.sort?, *self.constants.get(&symbol)?);
                Some(terms.add(constant))
            }
            Plain::Word(word) => Some(terms.int(word.number())),
        }
    }
}

/// Whether an operator of linear time says within how many steps.
fn has_bounds(formula: &Formula) -> bool {
    let bounded = |op: FormulaOp| match op {
        FormulaOp::Linear(op) => matches!(
            op,
            LinearOp::FinallyWithin(..)
                | LinearOp::GloballyWithin(..)
                | LinearOp::OnceWithin(..)
                | LinearOp::HistoricallyWithin(..)
        ),
        _ => false,
    };
    formula.subs().any(|sub| bounded(formula.op(sub)))
}

/// A formula that no engine answers, in the place of one that is refused.
fn nothing(asked: &Asked) -> Formula {
    let mut formula = Formula::new();
    let always = formula.add(FormulaOp::Const(true), Some(asked.span));
    formula.add(
        FormulaOp::Linear(LinearOp::Globally(always)),
        Some(asked.span),
    );
    formula
}

fn declare(terms: &mut SmtTerms, name: &str, sort: SortId) -> SymbolId {
    let name = terms.unused_by_symbols(&name.replace(['\\', '|'], "_"));
    terms.declare(name, &[], sort)
}
