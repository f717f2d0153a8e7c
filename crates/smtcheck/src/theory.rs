//! The one query: the first-order theory of a property of CTL-live (Vakili and Day 2014).
//!
//! For every temporal operator there is a relation over states, and axioms that any relation satisfies which contains the
//! states where the operator holds; only this direction matters, since no operator stands under a negation. A
//! property holds in all systems of the class if no choice of these relations leaves an initial state out. The axiom for
//! `EF` is the corrected one: in print it speaks of the operand where it must speak of the whole formula. What is
//! given by definition is written as a definition, which solvers expand; boolean operators need no relation.
//!
//! A model of the query is no counterexample: a relation may be larger than the least one.

use wherefore_base::deep;
use wherefore_logic::Quantifier as For;
use wherefore_smt::{
    Deadlock, SmtClass, SmtCtl, SmtQuantifier, SmtSymbol, SmtTermId, SortId, SymbolId, SymbolKind,
};

use crate::asker::Script;
use crate::kripke::{PlaceGraph, StateCopy};

/// The theory of a property, and what to ask of it.
#[derive(Clone, Debug)]
pub(crate) struct Theory {
    /// The axioms: of the system, and of the relations.
    pub(crate) axioms: Vec<SmtTermId>,
    /// That some state is initial and the property fails there.
    pub(crate) refuted: SmtTermId,
    /// That some state is initial.
    pub(crate) started: SmtTermId,
    /// Whether all states are meant, not only initial ones.
    pub(crate) everywhere: bool,
}

impl Theory {
    /// The theory of a property with its negations at atoms.
    ///
    /// # Errors
    /// A sentence that says why there is none.
    pub(crate) fn new(kripke: &mut PlaceGraph, formula: &SmtCtl) -> Result<Self, String> {
        let (formula, everywhere) = match formula.class(kripke.terms()) {
            SmtClass::State | SmtClass::Live => (formula.clone(), false),
            SmtClass::Invariant | SmtClass::AlwaysLive => {
                match formula.negation_normal(kripke.terms()) {
                    // The inner formula is asked of all states, reachable or not, which is more than `AG`
                    // demands.
                    SmtCtl::Globally(_, inner) => (*inner, true),
                    other => (other, false),
                }
            }
            SmtClass::Other(why) => return Err(format!("{why}; the engine auto answers it.")),
        };
        let formula = formula.negation_normal(kripke.terms());
        let Some(sorts) = kripke.sorts() else {
            let why = "The state has functions, over which first-order logic cannot quantify; the engine auto unrolls them.";
            return Err(why.to_string());
        };
        if kripke.deadlock == Deadlock::Fail && kripke.live.is_none() {
            return Err("Dead ends of this system cannot be described.".to_string());
        }
        let mut work = TheoryWorker::new(kripke, sorts);
        let start = work.kripke.place();
        let holds = work.relation(&formula, start)?;
        let init = match everywhere {
            true => work.kripke.terms().bool(true),
            false => work.initial(start),
        };
        let mut axioms = work.kripke.system.axioms.clone();
        axioms.extend(work.axioms);
        let terms = kripke.terms();
        let fails = terms.not(holds);
        let refuted = terms.and(&[init, fails]);
        Ok(Self {
            axioms,
            refuted,
            started: init,
            everywhere,
        })
    }

    /// The query that has no model if the property holds.
    pub(crate) fn query(&self, kripke: &mut PlaceGraph) -> String {
        self.with(kripke, self.refuted)
    }

    /// The query that has no model only if the theory contradicts itself or nothing is initial: then every property would be
    /// proved, a false one too.
    pub(crate) fn vacuity(&self, kripke: &mut PlaceGraph) -> String {
        self.with(kripke, self.started)
    }

    fn with(&self, kripke: &mut PlaceGraph, goal: SmtTermId) -> String {
        let mut formulas = self.axioms.clone();
        formulas.push(goal);
        Script::query(kripke.terms(), "ALL", &formulas)
    }
}

struct TheoryWorker<'a> {
    kripke: &'a mut PlaceGraph,
    sorts: Vec<SortId>,
    axioms: Vec<SmtTermId>,
    init: SymbolId,
    next: SymbolId,
    relations: usize,
}

impl<'a> TheoryWorker<'a> {
    fn new(kripke: &'a mut PlaceGraph, sorts: Vec<SortId>) -> Self {
        let (from, to) = (kripke.bound_place(), kripke.bound_place());
        let edge = kripke.bound_edge(from, to);
        let (init, step) = (kripke.system.init, kripke.step(&edge));
        let init = kripke.at(init, from);
        let state = kripke.symbols(from).to_vec();
        let mut both = state.clone();
        both.extend(kripke.binders(&edge));
        let init = defined(kripke, "Init", &state, init);
        let next = defined(kripke, "Next", &both, step);
        Self {
            kripke,
            sorts,
            axioms: Vec::new(),
            init,
            next,
            relations: 0,
        }
    }

    fn vars(&mut self, symbols: &[SymbolId]) -> Vec<SmtTermId> {
        symbols
            .iter()
            .map(|&symbol| self.kripke.terms().var(symbol))
            .collect()
    }

    fn initial(&mut self, at: StateCopy) -> SmtTermId {
        let symbols = self.kripke.symbols(at).to_vec();
        let args = self.vars(&symbols);
        let init = self.init;
        self.kripke.terms().apply(init, &args)
    }

    /// The formula at a place, with relations for its temporal operators.
    fn relation(&mut self, formula: &SmtCtl, at: StateCopy) -> Result<SmtTermId, String> {
        let always = |work: &mut Self| SmtCtl::Atom(work.kripke.terms().bool(true));
        match formula {
            SmtCtl::Atom(term) => Ok(self.kripke.at(*term, at)),
            SmtCtl::And(parts) | SmtCtl::Or(parts) => {
                let parts: Result<Vec<SmtTermId>, String> = parts
                    .iter()
                    .map(|f| deep(|| self.relation(f, at)))
                    .collect();
                let terms = self.kripke.terms();
                Ok(match formula {
                    SmtCtl::And(_) => terms.and(&parts?),
                    _ => terms.or(&parts?),
                })
            }
            SmtCtl::Next(path, inner) => {
                let relation = self.named(match path {
                    For::Exists => "EX",
                    For::Forall => "AX",
                });
                self.step_axiom(*path, relation, None, |work, to| {
                    deep(|| work.relation(inner, to))
                })?;
                Ok(self.holds(relation, at))
            }
            SmtCtl::Finally(path, goal) => {
                let stay = always(self);
                let name = match path {
                    For::Exists => "EF",
                    For::Forall => "AF",
                };
                self.until(*path, name, &stay, goal, at)
            }
            SmtCtl::Until(path, stay, goal) => {
                let name = match path {
                    For::Exists => "EU",
                    For::Forall => "AU",
                };
                self.until(*path, name, stay, goal, at)
            }
            SmtCtl::Not(_) | SmtCtl::Globally(..) | SmtCtl::WeakUntil(..) => {
                Err("The property is not in CTL-live.".to_string())
            }
        }
    }

    fn until(
        &mut self,
        path: For,
        name: &str,
        stay: &SmtCtl,
        goal: &SmtCtl,
        at: StateCopy,
    ) -> Result<SmtTermId, String> {
        let relation = self.named(name);
        let here = self.kripke.bound_place();
        let goal = deep(|| self.relation(goal, here))?;
        let holds = self.holds(relation, here);
        let symbols = self.kripke.symbols(here).to_vec();
        let terms = self.kripke.terms();
        let base = terms.implies(goal, holds);
        let base = terms.quantified(SmtQuantifier::Forall, &symbols, base);
        self.axioms.push(base);
        self.step_axiom(path, relation, Some(stay), |work, to| {
            Ok(work.holds(relation, to))
        })?;
        Ok(self.holds(relation, at))
    }

    /// That the relation has the states with `stay` and with a next state, or only next states, where `then` holds.
    fn step_axiom(
        &mut self,
        path: For,
        relation: SymbolId,
        stay: Option<&SmtCtl>,
        then: impl FnOnce(&mut Self, StateCopy) -> Result<SmtTermId, String>,
    ) -> Result<(), String> {
        let (from, to) = (self.kripke.bound_place(), self.kripke.bound_place());
        let edge = self.kripke.bound_edge(from, to);
        let mut symbols = self.kripke.symbols(from).to_vec();
        let targets = self.kripke.binders(&edge);
        let mut both = symbols.clone();
        both.extend(&targets);
        let args = self.vars(&both);
        let next = self.next;
        let step = self.kripke.terms().apply(next, &args);
        let then = then(self, to)?;
        let mut premises = Vec::new();
        if let Some(stay) = stay {
            premises.push(deep(|| self.relation(stay, from))?);
        }
        // A dead end satisfies the universal premise below, since no step leaves it. Under `Fail` nothing
        // comes after it, so an until must not hold there for this reason.
        if path == For::Forall
            && stay.is_some()
            && self.kripke.deadlock == Deadlock::Fail
            && let Some(live) = self.kripke.live
        {
            premises.push(self.kripke.at(live, from));
        }
        let holds = self.holds(relation, from);
        let terms = self.kripke.terms();
        match path {
            For::Exists => {
                // "Some next state, then the relation" is "for each next state: if it fits, then the
                // relation", so the quantifier moves to the front and none is nested.
                premises.extend([step, then]);
                symbols.extend(targets);
            }
            For::Forall => {
                let implied = terms.implies(step, then);
                premises.push(terms.quantified(SmtQuantifier::Forall, &targets, implied));
            }
        }
        let premise = terms.and(&premises);
        let axiom = terms.implies(premise, holds);
        let axiom = terms.quantified(SmtQuantifier::Forall, &symbols, axiom);
        self.axioms.push(axiom);
        Ok(())
    }

    fn named(&mut self, name: &str) -> SymbolId {
        self.relations += 1;
        let name = format!("{name}_{}", self.relations);
        let sorts = self.sorts.clone();
        self.kripke.terms().declare(name, &sorts, SortId::BOOL)
    }

    fn holds(&mut self, relation: SymbolId, at: StateCopy) -> SmtTermId {
        let symbols = self.kripke.symbols(at).to_vec();
        let args = self.vars(&symbols);
        self.kripke.terms().apply(relation, &args)
    }
}

fn defined(kripke: &mut PlaceGraph, name: &str, params: &[SymbolId], body: SmtTermId) -> SymbolId {
    let terms = kripke.terms();
    // Definitions of the model are written out everywhere: their names are free.
    let same: Vec<SymbolId> = terms
        .symbols()
        .filter(|&symbol| {
            let info = terms.info(symbol);
            info.name == name && matches!(info.kind, SymbolKind::Defined { .. })
        })
        .collect();
    for symbol in same {
        terms.rename(symbol, format!("{name}!model"));
    }
    let args = params.iter().map(|&param| terms.info(param).sort).collect();
    terms.symbol(SmtSymbol {
        name: name.to_string(),
        args,
        sort: SortId::BOOL,
        kind: SymbolKind::Defined {
            params: params.into(),
            body,
        },
        span: None,
    })
}
