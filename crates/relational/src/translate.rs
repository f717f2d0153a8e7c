//! Problems to circuits, after Torlak and Jackson (2007).
//!
//! Each relation is a [`Matrix`] of inputs between its bounds, each expression a matrix, each formula an
//! edge. Quantifiers are written out over the cells of their bounds. What a node is translated to is kept
//! for each value of its free variables, and only where it is asked for again.

mod closures;
mod exprs;
mod formulas;
mod functions;
mod ints;
mod quantifiers;
mod witnesses;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, IndexVec, Meter, Span, Stop};
use wherefore_sat::{Circuit, CircuitEdge, Lit};

use crate::clauses::{ClauseSink, GateClauses};
use crate::log::GatePlaces;
use crate::matrix::{Gates, Matrix};
use crate::options::{Closures, SearchOptions};
use crate::problem::{Overflow, Problem};
use crate::refusal::{ProblemRefusal, SearchResult};
use crate::terms::{FormulaId, RelDecl, RelFormula, RelQuantifier, RelVarId, RelationId};
use crate::tuples::Packing;

use closures::Elimination;
pub(crate) use formulas::FormulaContext;
use functions::Functions;
use ints::BitNumber;

/// About how much memory a gate takes, with the table in which equal gates are found.
const BYTES_PER_GATE: usize = 40;

/// A part of the requirements: they hold if every conjunct does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranslatedConjunct {
    /// The place of the requirement it is a part of; total orders come after the requirements.
    pub requirement: usize,
    /// The formula; its free variables are declared by `within`.
    pub formula: FormulaId,
    /// Whether the formula must be false instead of true.
    pub negated: bool,
    /// The formulas around it, the outermost first: quantified ones, for all of whose values it must hold,
    /// and implications, under whose conditions it must.
    pub within: Vec<FormulaId>,
    /// The place that is written closest around it.
    pub span: Option<Span>,
}

/// A problem as a circuit.
pub(crate) struct TranslatedProblem<'p> {
    pub(crate) translator: ProblemTranslator<'p>,
    pub(crate) conjuncts: Vec<TranslatedConjunct>,
    /// For each conjunct, its edge.
    pub(crate) edges: Vec<CircuitEdge>,
    /// What must be true whatever is required.
    pub(crate) hard: Vec<CircuitEdge>,
    /// What follows from the conjuncts, and helps a solver.
    pub(crate) hints: Vec<CircuitEdge>,
    /// For each conjunct, the input that hints take for it where conjuncts can be left out; otherwise constant.
    pub(crate) in_force: Vec<CircuitEdge>,
}

impl<'p> TranslatedProblem<'p> {
    /// Translates a problem; `places` has it remember where gates come from. Where closures have witnesses, it is
    /// translated without them as well, and what has fewer clauses is taken: how much of a closure is shared is
    /// known only then.
    pub(crate) fn new(
        problem: &'p Problem,
        options: &SearchOptions,
        budget: &Budget,
        places: Option<GatePlaces>,
    ) -> SearchResult<Self> {
        Self::smaller(problem, options, budget, places, false)
    }

    /// Translates a problem so that conjuncts can be left out, and hints with them.
    pub(crate) fn apart(
        problem: &'p Problem,
        options: &SearchOptions,
        budget: &Budget,
    ) -> SearchResult<Self> {
        Self::smaller(problem, options, budget, None, true)
    }

    fn smaller(
        problem: &'p Problem,
        options: &SearchOptions,
        budget: &Budget,
        places: Option<GatePlaces>,
        apart: bool,
    ) -> SearchResult<Self> {
        let translated = Self::once(problem, options, budget, places.clone(), apart)?;
        if options.closures != Closures::Smaller || !translated.translator.witnessed {
            return Ok(translated);
        }
        let options = &SearchOptions {
            closures: Closures::Eliminated,
            ..options.clone()
        };
        let other = Self::once(problem, options, budget, places, apart)?;
        Ok(match other.clauses(budget)? < translated.clauses(budget)? {
            true => other,
            false => translated,
        })
    }

    /// How many clauses it has.
    fn clauses(&self, budget: &Budget) -> SearchResult<usize> {
        let circuit = &self.translator.circuit;
        let roots = self.hard.iter().chain(&self.edges).chain(&self.hints);
        let roots: Vec<CircuitEdge> = roots.copied().collect();
        let mut clauses = GateClauses::default();
        clauses.count_uses(circuit, &roots);
        let mut sink = CountedSink::default();
        for edge in roots {
            budget.check()?;
            clauses.require(circuit, edge, &mut sink);
        }
        Ok(clauses.size().1)
    }

    fn once(
        problem: &'p Problem,
        options: &SearchOptions,
        budget: &Budget,
        places: Option<GatePlaces>,
        apart: bool,
    ) -> SearchResult<Self> {
        let mut translator = ProblemTranslator::new(problem, options, budget)?;
        translator.origins = places;
        let fixed = translator.fix_orders()?;
        let mut required: Vec<(usize, FormulaId)> =
            problem.requirements().iter().copied().enumerate().collect();
        let first = required.len();
        let orders = problem.orders.iter().enumerate();
        let orders = orders.filter(|(place, _)| !fixed.contains(place));
        required.extend(orders.map(|(place, (_, axioms))| (first + place, *axioms)));
        let conjuncts = conjuncts(problem, &required);
        // Functions are noted before anything is translated, so that all equations get their hints.
        let mut in_force = Vec::with_capacity(conjuncts.len());
        for conjunct in &conjuncts {
            in_force.push(translator.note_function(conjunct, apart)?);
        }
        let mut edges = Vec::with_capacity(conjuncts.len());
        for conjunct in &conjuncts {
            edges.push(translator.conjunct(conjunct)?);
        }
        let mut hard = translator.break_symmetries(apart, budget)?;
        hard.extend_from_slice(&translator.side);
        // Symmetry breaking gives hints as well, so they are taken after it.
        let mut hints = std::mem::take(&mut translator.hints);
        hints.sort_unstable();
        hints.dedup();
        Ok(Self {
            translator,
            conjuncts,
            edges,
            hard,
            hints,
            in_force,
        })
    }
}

/// Takes clauses that are counted elsewhere.
#[derive(Default)]
struct CountedSink {
    variables: usize,
}

impl ClauseSink for CountedSink {
    fn new_var(&mut self) -> Lit {
        self.variables += 1;
        Lit::new(self.variables - 1, false)
    }

    fn add_clause(&mut self, _: &[Lit]) {}
}

/// A variable that has a value just now.
struct ScopedVariable {
    variable: RelVarId,
    matrix: Rc<Matrix>,
    /// A number for the value, different for different values.
    key: u64,
    /// The tuple, if the variable is universal: negations moved inwards.
    universal: Option<u64>,
    /// Whether it stands for an integer; of a witness, whether the universal variable around it does.
    integer: bool,
    /// Whether overflow with it is as with a universal variable, negations by `not` moved inwards.
    rescues: bool,
    /// Whether the value is in the bound of the variable.
    guard: CircuitEdge,
    /// The place of the variable's earlier value in the scope.
    hidden: Option<usize>,
}

/// The inputs that stand for the value of an existential variable.
#[derive(Debug)]
pub(crate) struct Skolem {
    pub(crate) variable: RelVarId,
    pub(crate) outer: Vec<RelVarId>,
    /// For the tuples of the outer variables and of its own: the input.
    pub(crate) cells: Vec<(Vec<u64>, u64, CircuitEdge)>,
}

/// Translates one problem.
pub(crate) struct ProblemTranslator<'p> {
    pub(crate) problem: &'p Problem,
    pub(crate) options: SearchOptions,
    pub(crate) packing: Packing,
    pub(crate) circuit: Circuit,
    pub(crate) relations: IndexVec<RelationId, Rc<Matrix>>,
    pub(crate) skolems: Vec<Skolem>,
    /// What must be true whatever is required.
    pub(crate) side: Vec<CircuitEdge>,
    functions: Functions,
    pub(crate) hints: Vec<CircuitEdge>,
    /// Whether a closure has a witness.
    witnessed: bool,
    /// Where gates come from, if somebody wants to know.
    pub(crate) origins: Option<GatePlaces>,
    meter: Meter,
    /// The most bytes that may be kept.
    memory: Option<usize>,
    /// About how many bytes the matrices take that are kept.
    kept: usize,
    ticks: u64,
    /// Whether the formula at hand is below an odd number of `not`, where overflow is forbidden.
    denied: bool,
    scope: Vec<ScopedVariable>,
    /// For each variable, its place in the scope.
    places: Vec<Option<usize>>,
    matrices: FxHashMap<Box<[u64]>, Rc<Matrix>>,
    edges: FxHashMap<Box<[u64]>, CircuitEdge>,
    numbers: FxHashMap<Box<[u64]>, Rc<BitNumber>>,
    eliminations: FxHashMap<Box<[u64]>, Rc<Elimination>>,
}

impl Gates for ProblemTranslator<'_> {
    fn circuit(&mut self) -> &mut Circuit {
        &mut self.circuit
    }

    fn tick(&mut self) -> SearchResult<()> {
        self.meter.tick()?;
        self.ticks += 1;
        if self.ticks & 0xFF != 0 {
            return Ok(());
        }
        if self.circuit.len() > self.options.most_gates {
            let most = self.options.most_gates;
            return Err(ProblemRefusal::TooLarge {
                message: format!("The circuit of the problem has more than {most} gates."),
                span: None,
            });
        }
        self.afford(0)
    }
}

impl<'p> ProblemTranslator<'p> {
    /// A circuit with the inputs of the relations.
    pub(crate) fn new(
        problem: &'p Problem,
        options: &SearchOptions,
        budget: &Budget,
    ) -> SearchResult<Self> {
        problem.check()?;
        let mut options = options.clone();
        if problem.integers().overflow == Overflow::Forbid {
            options.skolem_depth = Overflow::DEPTH;
        }
        let mut translator = Self {
            problem,
            options,
            packing: problem.universe().packing(),
            circuit: Circuit::new(),
            relations: IndexVec::new(),
            skolems: Vec::new(),
            side: Vec::new(),
            functions: Functions::default(),
            hints: Vec::new(),
            witnessed: false,
            origins: None,
            meter: budget.meter(),
            memory: budget.memory(),
            kept: 0,
            ticks: 0,
            denied: false,
            scope: Vec::new(),
            places: vec![None; problem.variables().len()],
            matrices: FxHashMap::default(),
            edges: FxHashMap::default(),
            numbers: FxHashMap::default(),
            eliminations: FxHashMap::default(),
        };
        for relation in problem.relations().iter() {
            let mut cells = Vec::with_capacity(relation.upper.len());
            // Both bounds are sorted and one contains the other: one walk along them is enough.
            let mut lower = relation.lower.packed().iter().peekable();
            for &tuple in relation.upper.packed() {
                translator.tick()?;
                let sure = lower.next_if_eq(&&tuple).is_some();
                let edge = match sure {
                    true => CircuitEdge::TRUE,
                    false => translator.circuit.input(),
                };
                cells.push((tuple, edge));
            }
            let matrix = Matrix::of(relation.arity(), cells);
            translator.relations.push(Rc::new(matrix));
        }
        Ok(translator)
    }

    /// Stops the work if the circuit, the matrices and something else come to more bytes than there are.
    pub(crate) fn afford(&self, more: usize) -> SearchResult<()> {
        let gates = self.circuit.len() * BYTES_PER_GATE;
        match self.memory {
            Some(most) if gates + self.kept + more > most => Err(Stop::Memory.into()),
            _ => Ok(()),
        }
    }

    /// The edge of a conjunct: true only where it holds, and possibly true wherever it does.
    pub(crate) fn conjunct(&mut self, conjunct: &TranslatedConjunct) -> SearchResult<CircuitEdge> {
        let context = FormulaContext::top(!conjunct.negated);
        let mut edges = Vec::new();
        self.at(conjunct.span, |this| {
            this.within(
                &conjunct.within,
                conjunct,
                context,
                CircuitEdge::TRUE,
                &mut edges,
            )
        })?;
        Ok(crate::matrix::all(&mut self.circuit, edges))
    }

    fn within(
        &mut self,
        quantified: &[FormulaId],
        conjunct: &TranslatedConjunct,
        context: FormulaContext,
        guard: CircuitEdge,
        edges: &mut Vec<CircuitEdge>,
    ) -> SearchResult<bool> {
        let Some((&outer, inner)) = quantified.split_first() else {
            let edge = self.formula(conjunct.formula, context)?;
            let edge = edge.negated_if(conjunct.negated);
            edges.push(self.circuit.or(!guard, edge));
            return Ok(true);
        };
        match self.problem.formula(outer) {
            RelFormula::Quantified(quantifier, decls, _) => {
                let inside = FormulaContext {
                    skolem: context.below_universal(decls.len(), self.options.skolem_depth),
                    ..context
                };
                let side = self.side_of_bounds(true, conjunct.formula, inside);
                // The quantifier is universal once negations are moved inwards.
                let denied = self.forbids() && *quantifier != RelQuantifier::All;
                let around = std::mem::replace(&mut self.denied, denied);
                let done = self.ground(decls, (true, true, side), guard, &mut |this, guard| {
                    this.within(inner, conjunct, inside, guard, edges)
                });
                self.denied = around;
                done
            }
            RelFormula::Implies(condition, _) => {
                let condition = self.formula(*condition, FormulaContext::condition())?;
                let guard = self.circuit.and(guard, condition);
                match guard {
                    CircuitEdge::FALSE => Ok(true),
                    _ => self.within(inner, conjunct, context.branch(), guard, edges),
                }
            }
            _ => unreachable!("only quantifiers and implications are around a conjunct"),
        }
    }

    /// Remembers, if somebody wants to know, that what is translated stands in a place.
    fn at<T>(&mut self, span: Option<Span>, then: impl FnOnce(&mut Self) -> T) -> T {
        if self.origins.is_none() || span.is_none() {
            return then(self);
        }
        let outer = self.enter(span);
        let result = then(self);
        self.enter(outer);
        result
    }

    /// Says where the next gates come from, and returns where those before did.
    fn enter(&mut self, span: Option<Span>) -> Option<Span> {
        let gates = self.circuit.len();
        let origins = self.origins.as_mut();
        origins.and_then(|origins| origins.enter(gates, span))
    }

    /// Gives a variable a value while something is translated.
    fn with<T>(
        &mut self,
        decl: &RelDecl,
        scoped: (Rc<Matrix>, u64, Option<u64>, CircuitEdge),
        (integer, rescues): (bool, bool),
        then: impl FnOnce(&mut Self) -> SearchResult<T>,
    ) -> SearchResult<T> {
        let (matrix, key, universal, guard) = scoped;
        let place = &mut self.places[decl.variable.index()];
        let hidden = place.replace(self.scope.len());
        self.scope.push(ScopedVariable {
            variable: decl.variable,
            matrix,
            key,
            universal,
            integer,
            rescues,
            guard,
            hidden,
        });
        let result = then(self);
        let scoped = self.scope.pop().expect("the value was pushed above");
        self.places[decl.variable.index()] = scoped.hidden;
        result
    }

    /// The key under which the translation of a node is kept, if it is worth keeping: the node, how it
    /// is asked for, and the values of its free variables.
    fn key(&self, id: usize, how: u64, free: &[RelVarId], uses: u32) -> Option<Box<[u64]>> {
        // It is used once, and every variable in scope is free in it: the same values do not come again.
        if !free.is_empty() && uses < 2 && free.len() == self.scope.len() {
            return None;
        }
        let value = |variable: &RelVarId| {
            let place = self.places[variable.index()];
            place.map_or(u64::MAX, |place| self.scope[place].key)
        };
        let node = how << 32 | id as u64;
        Some(
            std::iter::once(node)
                .chain(free.iter().map(value))
                .collect(),
        )
    }
}

/// The conjuncts of some requirements, in order: conjunctions are taken apart, also below universal
/// quantifiers and to the right of implications.
pub(crate) fn conjuncts(
    problem: &Problem,
    requirements: &[(usize, FormulaId)],
) -> Vec<TranslatedConjunct> {
    let whole = |&(requirement, formula): &(usize, FormulaId)| TranslatedConjunct {
        requirement,
        formula,
        negated: false,
        within: Vec::new(),
        span: None,
    };
    let mut open: Vec<TranslatedConjunct> = requirements.iter().rev().map(whole).collect();
    let mut found = Vec::new();
    while let Some(conjunct) = open.pop() {
        let negated = conjunct.negated;
        let part = |formula: FormulaId, negated: bool| TranslatedConjunct {
            formula,
            negated,
            ..conjunct.clone()
        };
        match problem.formula(conjunct.formula) {
            RelFormula::At(inner, span) => open.push(TranslatedConjunct {
                span: Some(*span),
                ..part(*inner, negated)
            }),
            RelFormula::Not(inner) => open.push(part(*inner, !negated)),
            RelFormula::And(parts) if !negated => {
                open.extend(parts.iter().rev().map(|&inner| part(inner, false)));
            }
            RelFormula::Or(parts) if negated => {
                open.extend(parts.iter().rev().map(|&inner| part(inner, true)));
            }
            RelFormula::Implies(a, b) if negated && !problem.overflow_counts(*a) => {
                open.extend([part(*b, true), part(*a, false)])
            }
            RelFormula::Implies(_, body) if !negated && divides(problem, *body, false) => {
                let mut inner = part(*body, false);
                inner.within.push(conjunct.formula);
                open.push(inner);
            }
            RelFormula::Quantified(quantifier, decls, body)
                if (*quantifier == RelQuantifier::All) != negated
                    && decls.iter().all(RelDecl::is_single)
                    && divides(problem, *body, negated) =>
            {
                let mut inner = part(*body, negated);
                inner.within.push(conjunct.formula);
                open.push(inner);
            }
            _ => found.push(conjunct),
        }
    }
    found
}

/// Whether a formula, or its negation, is a conjunction.
fn divides(problem: &Problem, mut formula: FormulaId, mut negated: bool) -> bool {
    loop {
        match problem.formula(formula) {
            RelFormula::At(inner, _) => formula = *inner,
            RelFormula::Not(inner) => (formula, negated) = (*inner, !negated),
            RelFormula::And(_) => return !negated,
            RelFormula::Or(_) => return negated,
            RelFormula::Implies(a, _) if negated => return !problem.overflow_counts(*a),
            RelFormula::Implies(_, body) => formula = *body,
            RelFormula::Quantified(quantifier, decls, body)
                if (*quantifier == RelQuantifier::All) != negated
                    && decls.iter().all(RelDecl::is_single) =>
            {
                formula = *body;
            }
            _ => return false,
        }
    }
}
