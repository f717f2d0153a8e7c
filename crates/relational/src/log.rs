//! The translation log: from every clause back to what is written.
//!
//! Nothing is remembered while a problem is searched. Who wants to know has it translated once more, which
//! gives the same clauses in the same order, and this time with their origins, as Kodkod does for its cores
//! (Torlak, Chang and Jackson 2008).

use wherefore_base::{Budget, Span};
use wherefore_sat::{Circuit, CircuitEdge, Gate, Lit};

use crate::clauses::{ClausePurpose, ClauseSink, GateClauses};
use crate::options::SearchOptions;
use crate::problem::Problem;
use crate::refusal::SearchResult;
use crate::translate::{TranslatedConjunct, TranslatedProblem};

/// Where a clause comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClauseOrigin {
    /// The places of the conjuncts that need it, in order. Without any, it leaves out symmetric instances or
    /// witnesses of nothing, says what the witness of a closure is, or is redundant.
    pub conjuncts: Vec<usize>,
    /// Whether it follows from other clauses, and only helps the solver.
    pub redundant: bool,
    /// The innermost place whose translation first gave it.
    pub span: Option<Span>,
}

/// Where the clauses of a problem come from.
pub struct Log {
    conjuncts: Vec<TranslatedConjunct>,
    circuit: Circuit,
    places: GatePlaces,
    /// How many requirements come before the conjuncts.
    hard: usize,
    edges: Vec<CircuitEdge>,
    clauses: Vec<Vec<Lit>>,
    made: Vec<ClausePurpose>,
}

impl Log {
    /// Translates a problem and remembers where its clauses come from. A [`Search`](crate::Search) with these
    /// options hands the same clauses to its solver, in this order.
    pub fn new(problem: &Problem, options: &SearchOptions, budget: &Budget) -> SearchResult<Self> {
        let places = Some(GatePlaces::default());
        let translated = TranslatedProblem::new(problem, options, budget, places)?;
        let (hard, edges) = (translated.hard, translated.edges);
        let circuit = translated.translator.circuit;
        let places = translated.translator.origins.unwrap_or_default();
        let mut taken = Taken::default();
        let mut clauses = GateClauses::default();
        clauses.log = Some(Vec::new());
        let roots = hard.iter().chain(&edges).chain(&translated.hints);
        let roots: Vec<CircuitEdge> = roots.copied().collect();
        clauses.count_uses(&circuit, &roots);
        for edge in roots {
            budget.check()?;
            clauses.require(&circuit, edge, &mut taken);
        }
        Ok(Self {
            conjuncts: translated.conjuncts,
            circuit,
            places,
            hard: hard.len(),
            edges,
            clauses: taken.clauses,
            made: clauses.log.unwrap_or_default(),
        })
    }

    /// The conjuncts of the requirements.
    pub fn conjuncts(&self) -> &[TranslatedConjunct] {
        &self.conjuncts
    }

    /// The clauses, in the order in which a solver gets them.
    pub fn clauses(&self) -> &[Vec<Lit>] {
        &self.clauses
    }

    /// Where the clause with this number comes from, if there is such a clause.
    pub fn origin(&self, clause: usize) -> Option<ClauseOrigin> {
        let mut redundant = false;
        let (conjuncts, gate) = match *self.made.get(clause)? {
            ClausePurpose::Required(number, gate) => {
                // Requirements are numbered in the order in which they are handed over: hard ones, conjuncts,
                // hints.
                let conjunct = number.checked_sub(self.hard);
                redundant = conjunct.is_some_and(|place| place >= self.edges.len());
                let conjunct = conjunct.filter(|_| !redundant);
                (conjunct.into_iter().collect(), gate)
            }
            ClausePurpose::Gate(gate) => (self.users(gate), gate),
        };
        let first = conjuncts.first().copied();
        let conjunct = first.and_then(|place: usize| self.conjuncts[place].span);
        let own = match self.circuit.gate(gate) {
            Gate::And(..) => self.places.of(gate),
            _ => None,
        };
        Some(ClauseOrigin {
            conjuncts,
            redundant,
            span: own.or(conjunct),
        })
    }

    /// The conjuncts whose circuit has a gate.
    fn users(&self, gate: usize) -> Vec<usize> {
        let last = self.edges.iter().map(|edge| edge.gate()).max();
        let last = last.unwrap_or(0).max(gate);
        // By gate, from this one on: whether it uses this one.
        let mut above = vec![true];
        // A gate is made after its operands, so that one pass upwards is enough.
        for number in gate + 1..=last {
            let uses = |edge: CircuitEdge| edge.gate() >= gate && above[edge.gate() - gate];
            above.push(match self.circuit.gate(number) {
                Gate::And(a, b) => uses(a) || uses(b),
                _ => false,
            });
        }
        let uses = |edge: &CircuitEdge| edge.gate() >= gate && above[edge.gate() - gate];
        let edges = self.edges.iter().enumerate();
        edges
            .filter(|(_, edge)| uses(edge))
            .map(|(place, _)| place)
            .collect()
    }
}

/// For stretches of gates, the place that was translated when they were made.
#[derive(Clone, Default, Debug)]
pub(crate) struct GatePlaces {
    /// The first gate of each stretch with its place, in order.
    stretches: Vec<(usize, Option<Span>)>,
}

impl GatePlaces {
    /// The gates from this number on come from a place. Returns the place of those before.
    pub(crate) fn enter(&mut self, gate: usize, span: Option<Span>) -> Option<Span> {
        let before = self.stretches.last().copied();
        if before.is_some_and(|(first, _)| first == gate) {
            self.stretches.pop();
        }
        self.stretches.push((gate, span));
        before.and_then(|(_, span)| span)
    }

    fn of(&self, gate: usize) -> Option<Span> {
        let after = self.stretches.partition_point(|(first, _)| *first <= gate);
        let (_, span) = self.stretches.get(after.checked_sub(1)?)?;
        *span
    }
}

/// Clauses that are kept.
#[derive(Default)]
struct Taken {
    variables: usize,
    clauses: Vec<Vec<Lit>>,
}

impl ClauseSink for Taken {
    fn new_var(&mut self) -> Lit {
        self.variables += 1;
        Lit::new(self.variables - 1, false)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.clauses.push(clause.to_vec());
    }
}
