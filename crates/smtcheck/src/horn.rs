//! Invariants by Spacer, the engine for Horn clauses in z3 (Komuravelli, Gurfinkel and Chaki 2014).
//!
//! The clauses say that an unknown predicate has the initial states, goes along with every step, and has no bad state. If
//! there is such a predicate, z3 prints one. We do not trust it: it is put back as a definition, and the three clauses
//! become obligations of their own, which any solver can discharge.

use std::time::Duration;

use wherefore_base::Budget;
use wherefore_smt::{Quantifier, SortId, Substitution, SymbolId, SymbolKind, TermId, print};

use crate::answer::{Certificate, Obligation, Proof};
use crate::asker::Script;
use crate::kripke::{Edge, Kripke, Place};
use crate::process::Limits;
use crate::solver::{Kind, Outcome, Session, Solver};
use crate::trouble::Trouble;

/// What Spacer says of a condition that should always hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Horn {
    /// There is an invariant, and its obligations are discharged.
    Safe(Proof),
    /// A bad state is reached.
    Unsafe,
    /// Neither is known: why, as a sentence without its beginning.
    Unknown(String),
}

/// Looks for an invariant that implies a condition on states.
pub(crate) fn invariant(
    kripke: &Kripke,
    good: TermId,
    solvers: &[Solver],
    limits: Limits,
    budget: &Budget,
) -> Result<Horn, Trouble> {
    let Some(solver) = solvers.iter().find(|solver| solver.kind == Kind::Z3) else {
        return Ok(Horn::Unknown("z3 is not among the solvers".to_string()));
    };
    let Some(clauses) = Clauses::new(kripke, good) else {
        return Ok(Horn::Unknown(
            "functions and quantified axioms do not fit Horn clauses".to_string(),
        ));
    };
    clauses.solve(solver, limits, budget)
}

struct Clauses {
    kripke: Kripke,
    predicate: SymbolId,
    /// What the predicate is about: parameters first, then the state.
    arguments: Vec<String>,
    initial: Clause,
    step: Clause,
    good: Clause,
}

/// A clause: what is quantified, what is assumed, what follows.
struct Clause {
    symbols: Vec<SymbolId>,
    premise: TermId,
    conclusion: TermId,
}

impl Clauses {
    fn new(kripke: &Kripke, good: TermId) -> Option<Self> {
        let mut kripke = kripke.clone();
        let state = kripke.sorts()?;
        let parameters = kripke.system.parameters.clone();
        let terms = &kripke.system.terms;
        let functions = parameters.iter().any(|&p| !terms.info(p).args.is_empty());
        let quantified = [kripke.axioms, kripke.system.init, kripke.trans, good]
            .iter()
            .any(|&term| terms.has_quantifier(term));
        if functions || quantified {
            return None;
        }
        let mut sorts: Vec<SortId> = parameters.iter().map(|&p| terms.info(p).sort).collect();
        let names = parameters.iter().map(|&p| terms.info(p).name.clone());
        let arguments = names
            .chain(kripke.system.state.iter().map(|var| var.name.clone()))
            .collect();
        sorts.extend(state);
        let predicate = kripke.terms().declare("Invariant", &sorts, SortId::BOOL);
        let (from, to) = (kripke.bound_place(), kripke.bound_place());
        let edge = kripke.bound_edge(from, to);
        // Parameters are the same in all states of a system, but any in all systems.
        let bound: Vec<SymbolId> = parameters
            .iter()
            .map(|&p| {
                let info = kripke.system.terms.info(p).clone();
                kripke.terms().bound(info.name, info.sort)
            })
            .collect();
        let mut by = Substitution::default();
        for (&parameter, &symbol) in parameters.iter().zip(&bound) {
            by.rename(parameter, symbol);
        }
        let mut work = Making {
            kripke: &mut kripke,
            by,
            bound,
            predicate,
        };
        let initial = work.initial(from);
        let step = work.step(&edge);
        let good = work.good(from, good);
        Some(Self {
            kripke,
            predicate,
            arguments,
            initial,
            step,
            good,
        })
    }

    fn solve(mut self, solver: &Solver, limits: Limits, budget: &Budget) -> Result<Horn, Trouble> {
        let mut session = Session::start(solver, "HORN", limits, budget)?;
        let mut query = String::new();
        let clauses: Vec<TermId> = [&self.initial, &self.step, &self.good]
            .iter()
            .map(|clause| {
                let terms = &mut self.kripke.system.terms;
                let implied = terms.implies(clause.premise, clause.conclusion);
                terms.add(wherefore_smt::Term::Quantified(
                    Quantifier::Forall,
                    clause.symbols.clone().into(),
                    implied,
                ))
            })
            .collect();
        let text = Script::query(self.kripke.terms(), "HORN", &clauses);
        query.push_str(body(&text));
        session.tell(query.trim_end());
        match session.check(budget)? {
            Outcome::Unsat => return Ok(Horn::Unsafe),
            Outcome::Unknown(why) => return Ok(Horn::Unknown(format!("Spacer gives up: {why}"))),
            Outcome::Sat => {}
        }
        let model = session.ask("(get-model)", budget)?;
        let Some(definition) = definition(&model, "Invariant") else {
            return Ok(Horn::Unknown(
                "the invariant of Spacer cannot be read".to_string(),
            ));
        };
        let obligations = self.obligations(&definition);
        let patience = budget.within(Duration::from_secs(20));
        for obligation in &obligations {
            let mut session = Session::start(solver, "ALL", limits, &patience)?;
            session.tell(body(&obligation.query).trim_end());
            if session.check(&patience)? != Outcome::Unsat {
                return Ok(Horn::Unknown("the invariant of Spacer is none".to_string()));
            }
        }
        Ok(Horn::Safe(Proof {
            engine: "Spacer".to_string(),
            certificates: vec![Certificate::Invariant(self.readable(&definition))],
            obligations,
            checked_by: vec![solver.title()],
        }))
    }

    /// The clauses as queries, with the definition of the predicate in place of its declaration.
    fn obligations(&mut self, definition: &str) -> Vec<Obligation> {
        let declared = print::declaration(&self.kripke.system.terms, self.predicate);
        let claims = [
            "every initial state satisfies the invariant",
            "every step from the invariant leads to the invariant",
            "every state of the invariant is as it must be",
        ];
        let clauses = [&self.initial, &self.step, &self.good];
        let mut obligations = Vec::new();
        for (claim, clause) in claims.into_iter().zip(clauses) {
            let terms = &mut self.kripke.system.terms;
            // The query asks for values: the symbols become constants.
            let mut by = Substitution::default();
            for &symbol in &clause.symbols {
                let info = terms.info(symbol).clone();
                let constant = terms.declare(info.name, &[], info.sort);
                by.rename(symbol, constant);
            }
            let denied = terms.not(clause.conclusion);
            let both = terms.and(&[clause.premise, denied]);
            let both = terms.substitute(both, &by);
            let query = Script::query(terms, "ALL", &[both]);
            obligations.push(Obligation {
                claim: claim.to_string(),
                query: query.replace(&declared, definition),
            });
        }
        obligations
    }

    /// The body of the definition, with the names of the model.
    fn readable(&self, definition: &str) -> String {
        let (files, _) = wherefore_smt::sexp::read(wherefore_base::FileId::new(0), definition);
        let params = files
            .first()
            .and_then(|list| list.list())
            .and_then(|list| list.get(2)?.list());
        let names: Vec<&str> = params
            .unwrap_or_default()
            .iter()
            .filter_map(|param| param.list()?.first()?.symbol())
            .collect();
        let body = files
            .first()
            .and_then(|list| list.list()?.get(4))
            .map(|body| body.span);
        let Some(span) = body else {
            return definition.to_string();
        };
        let text = &definition[span.start as usize..span.end as usize];
        let mut out = String::new();
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_whitespace() || c == '(' || c == ')' {
                match names.iter().position(|name| *name == word) {
                    Some(at) => out.push_str(self.arguments.get(at).map_or("", String::as_str)),
                    None => out.push_str(&word),
                }
                word.clear();
                out.push(if c.is_whitespace() { ' ' } else { c });
            } else {
                word.push(c);
            }
        }
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

struct Making<'a> {
    kripke: &'a mut Kripke,
    by: Substitution,
    bound: Vec<SymbolId>,
    predicate: SymbolId,
}

impl Making<'_> {
    fn about(&mut self, place: Place) -> TermId {
        let mut symbols = self.bound.clone();
        symbols.extend(self.kripke.symbols(place));
        let terms = &mut self.kripke.system.terms;
        let args: Vec<TermId> = symbols.iter().map(|&symbol| terms.var(symbol)).collect();
        terms.apply(self.predicate, &args)
    }

    fn any(&mut self, term: TermId) -> TermId {
        self.kripke.system.terms.substitute(term, &self.by)
    }

    fn initial(&mut self, at: Place) -> Clause {
        let init = self.kripke.at(self.kripke.system.init, at);
        let axioms = self.kripke.axioms;
        let premise = self.kripke.terms().and(&[axioms, init]);
        Clause {
            symbols: self.symbols(at, &[]),
            premise: self.any(premise),
            conclusion: self.about(at),
        }
    }

    fn step(&mut self, edge: &Edge) -> Clause {
        let step = self.kripke.step(edge);
        let before = self.about(edge.from);
        let premise = self.kripke.terms().and(&[before, step]);
        let more = self.kripke.binders(edge);
        Clause {
            symbols: self.symbols(edge.from, &more),
            premise: self.any(premise),
            conclusion: self.about(edge.to),
        }
    }

    fn good(&mut self, at: Place, good: TermId) -> Clause {
        let good = self.kripke.at(good, at);
        let bad = self.kripke.terms().not(good);
        let here = self.about(at);
        let premise = self.kripke.terms().and(&[here, bad]);
        Clause {
            symbols: self.symbols(at, &[]),
            premise: self.any(premise),
            conclusion: self.kripke.terms().bool(false),
        }
    }

    fn symbols(&self, at: Place, more: &[SymbolId]) -> Vec<SymbolId> {
        let all = self.bound.iter().chain(self.kripke.symbols(at)).chain(more);
        let is_bound =
            |symbol: &&SymbolId| self.kripke.system.terms.info(**symbol).kind == SymbolKind::Bound;
        all.filter(is_bound).copied().collect()
    }
}

/// A query without its logic and its question.
pub(crate) fn body(query: &str) -> &str {
    let query = query.split_once('\n').map_or(query, |(_, rest)| rest);
    query.trim_end().trim_end_matches("(check-sat)")
}

/// The definition of a function in a model, as text.
fn definition(model: &str, name: &str) -> Option<String> {
    let (all, _) = wherefore_smt::sexp::read(wherefore_base::FileId::new(0), model);
    let items = all.first()?.list()?;
    let found = items.iter().find(|item| {
        let parts = item.list().unwrap_or_default();
        item.head() == Some("define-fun")
            && parts.get(1).and_then(|part| part.symbol()) == Some(name)
    })?;
    Some(
        model
            .get(found.span.start as usize..found.span.end as usize)?
            .to_string(),
    )
}
