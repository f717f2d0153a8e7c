//! Invariants by Spacer, the engine for Horn clauses in z3 (Komuravelli, Gurfinkel and Chaki 2014).
//!
//! The clauses say that an unknown predicate has the initial states, goes along with every step, and has no bad state. If
//! there is such a predicate, z3 prints one. We do not trust it: it is put back as a definition, and the three clauses
//! become obligations of their own, which any solver can discharge.

use std::time::Duration;

use wherefore_base::Budget;
use wherefore_smt::{
    SmtQuantifier, SmtTermId, SortId, Substitution, SymbolId, SymbolKind, condition_over, infix,
    print,
};

use crate::always::Safety;
use crate::answer::{SmtCertificate, SmtObligation, SmtProof};
use crate::asker::{Script, TermSession};
use crate::houdini::{conditions, lean};
use crate::kripke::{PlaceEdge, PlaceGraph, StateCopy};
use crate::process::ProcessLimits;
use crate::solver::{Satisfiability, SmtSolver, SolverDialogue, SolverKind};
use crate::trouble::SolverTrouble;

/// What Spacer says of a condition that should always hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Horn {
    /// There is an invariant, and its obligations are discharged.
    Safe(SmtProof),
    /// A bad state is reached.
    Unsafe,
    /// Neither is known: why, as a sentence without its beginning.
    Unknown(String),
}

/// Looks for an invariant that implies a condition on states.
pub(crate) fn invariant(
    safety: &Safety,
    solvers: &[SmtSolver],
    limits: ProcessLimits,
    budget: &Budget,
) -> Result<Horn, SolverTrouble> {
    let Some(solver) = solvers.iter().find(|solver| solver.kind == SolverKind::Z3) else {
        return Ok(Horn::Unknown("z3 is not among the solvers".to_string()));
    };
    let Some(clauses) = Clauses::new(&safety.kripke, safety.good) else {
        return Ok(Horn::Unknown(
            "functions and quantified axioms do not fit Horn clauses".to_string(),
        ));
    };
    let proof = clauses.solve(solver, limits, budget)?;
    let terms = &safety.kripke.system.terms;
    Ok(match proof {
        Horn::Safe(mut proof) => {
            for certificate in &mut proof.certificates {
                if let SmtCertificate::Invariant { until, implies, .. } = certificate {
                    *until = safety.until.map(|goal| infix::text(terms, goal));
                    *implies = Some(infix::text(terms, safety.good));
                }
            }
            Horn::Safe(proof)
        }
        other => other,
    })
}

struct Clauses {
    kripke: PlaceGraph,
    predicate: SymbolId,
    /// What the predicate is about: parameters first, then the state.
    arguments: Vec<String>,
    initial: HornClause,
    step: HornClause,
    good: HornClause,
}

/// A clause: what is quantified, what is assumed, what follows.
struct HornClause {
    symbols: Vec<SymbolId>,
    premise: SmtTermId,
    conclusion: SmtTermId,
}

impl Clauses {
    fn new(kripke: &PlaceGraph, good: SmtTermId) -> Option<Self> {
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
        let mut work = HornBuilder {
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

    fn solve(
        mut self,
        solver: &SmtSolver,
        limits: ProcessLimits,
        budget: &Budget,
    ) -> Result<Horn, SolverTrouble> {
        let mut session = SolverDialogue::start(solver, "HORN", limits, budget)?;
        let mut query = String::new();
        let clauses: Vec<SmtTermId> = [&self.initial, &self.step, &self.good]
            .iter()
            .map(|clause| {
                let terms = &mut self.kripke.system.terms;
                let implied = terms.implies(clause.premise, clause.conclusion);
                terms.add(wherefore_smt::SmtTerm::Quantified(
                    SmtQuantifier::Forall,
                    clause.symbols.clone().into(),
                    implied,
                ))
            })
            .collect();
        let text = Script::query(self.kripke.terms(), "HORN", &clauses);
        query.push_str(body(&text));
        session.tell(query.trim_end());
        match session.check(budget)? {
            Satisfiability::Unsat => return Ok(Horn::Unsafe),
            Satisfiability::Unknown(why) => {
                return Ok(Horn::Unknown(format!("Spacer gives up: {why}")));
            }
            Satisfiability::Sat => {}
        }
        let model = session.ask("(get-model)", budget)?;
        let Some(definition) = definition(&model, "Invariant") else {
            return Ok(Horn::Unknown(
                "the invariant of Spacer cannot be read".to_string(),
            ));
        };
        // What is shown is what is checked; the text of Spacer is taken only where that does not succeed.
        let plain = self.plain(&definition, solver, limits, budget);
        let given = (definition.clone(), vec![self.readable(&definition)]);
        for (definition, condition) in plain.into_iter().chain([given]) {
            let obligations = self.obligations(&definition);
            if !discharged(&obligations, solver, limits, budget)? {
                continue;
            }
            let invariant = SmtCertificate::Invariant {
                condition,
                until: None,
                implies: None,
            };
            return Ok(Horn::Safe(SmtProof {
                engine: "Spacer".to_string(),
                certificates: vec![invariant],
                obligations,
                checked_by: vec![solver.title()],
            }));
        }
        Ok(Horn::Unknown("the invariant of Spacer is none".to_string()))
    }

    /// The definition in plain form, and its conditions, if it can be read.
    fn plain(
        &mut self,
        definition: &str,
        solver: &SmtSolver,
        limits: ProcessLimits,
        budget: &Budget,
    ) -> Option<(String, Vec<String>)> {
        let (read, _) = wherefore_smt::sexp::read(wherefore_base::FileId::new(0), definition);
        let parts = read.first()?.list()?;
        let (params, body) = (parts.get(2)?.list()?, parts.get(4)?);
        let mut symbols = self.kripke.system.parameters.clone();
        symbols.extend(self.kripke.system.current());
        if params.len() != symbols.len() {
            return None;
        }
        let mut names = Vec::new();
        let mut binders = String::new();
        for (param, &symbol) in params.iter().zip(&symbols) {
            let name = param.list()?.first()?.symbol()?.to_string();
            let terms = self.kripke.terms();
            names.push((name, terms.var(symbol)));
            let sort = terms.sorts.text(terms.info(symbol).sort);
            binders.push_str(&format!("({} {sort}) ", print::name(terms, symbol)));
        }
        let condition = condition_over(self.kripke.terms(), &names, body)?;
        let mut kripke = self.kripke.clone();
        // Axioms are assumed of initial states only: what follows from them is a part of the invariant.
        kripke.axioms = kripke.terms().bool(true);
        let mut asker = TermSession::start(solver, &kripke.system.terms, limits, budget).ok()?;
        let patience = budget.within(Duration::from_secs(5));
        let kept = lean(&mut kripke, vec![condition], &mut asker, &patience).ok()?;
        let all = kripke.terms().and(&kept);
        let text = print::text(&kripke.system.terms, all);
        let definition = format!(
            "(define-fun Invariant ({}) Bool {text})",
            binders.trim_end()
        );
        Some((definition, conditions(&kripke, &kept)))
    }

    /// The clauses as queries, with the definition of the predicate in place of its declaration.
    fn obligations(&mut self, definition: &str) -> Vec<SmtObligation> {
        let declared = print::declaration(&self.kripke.system.terms, self.predicate);
        let claims = [
            "every initial state satisfies the invariant",
            "every step from the invariant leads to the invariant",
            "every state of the invariant satisfies the condition",
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
            obligations.push(SmtObligation {
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
        // The space at the end lets the last word be written.
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

struct HornBuilder<'a> {
    kripke: &'a mut PlaceGraph,
    by: Substitution,
    bound: Vec<SymbolId>,
    predicate: SymbolId,
}

impl HornBuilder<'_> {
    fn about(&mut self, place: StateCopy) -> SmtTermId {
        let mut symbols = self.bound.clone();
        symbols.extend(self.kripke.symbols(place));
        let terms = &mut self.kripke.system.terms;
        let args: Vec<SmtTermId> = symbols.iter().map(|&symbol| terms.var(symbol)).collect();
        terms.apply(self.predicate, &args)
    }

    fn any(&mut self, term: SmtTermId) -> SmtTermId {
        self.kripke.system.terms.substitute(term, &self.by)
    }

    fn initial(&mut self, at: StateCopy) -> HornClause {
        let init = self.kripke.at(self.kripke.system.init, at);
        let axioms = self.kripke.axioms;
        let premise = self.kripke.terms().and(&[axioms, init]);
        HornClause {
            symbols: self.symbols(at, &[]),
            premise: self.any(premise),
            conclusion: self.about(at),
        }
    }

    fn step(&mut self, edge: &PlaceEdge) -> HornClause {
        let step = self.kripke.step(edge);
        let before = self.about(edge.from);
        // Axioms are assumed in the first clause only: parameters are arguments of the predicate and never
        // change.
        let premise = self.kripke.terms().and(&[before, step]);
        let more = self.kripke.binders(edge);
        HornClause {
            symbols: self.symbols(edge.from, &more),
            premise: self.any(premise),
            conclusion: self.about(edge.to),
        }
    }

    fn good(&mut self, at: StateCopy, good: SmtTermId) -> HornClause {
        let good = self.kripke.at(good, at);
        let bad = self.kripke.terms().not(good);
        let here = self.about(at);
        let premise = self.kripke.terms().and(&[here, bad]);
        HornClause {
            symbols: self.symbols(at, &[]),
            premise: self.any(premise),
            conclusion: self.kripke.terms().bool(false),
        }
    }

    fn symbols(&self, at: StateCopy, more: &[SymbolId]) -> Vec<SymbolId> {
        let all = self.bound.iter().chain(self.kripke.symbols(at)).chain(more);
        let is_bound =
            |symbol: &&SymbolId| self.kripke.system.terms.info(**symbol).kind == SymbolKind::Bound;
        all.filter(is_bound).copied().collect()
    }
}

/// Whether a solver finds all obligations to have no model.
fn discharged(
    obligations: &[SmtObligation],
    solver: &SmtSolver,
    limits: ProcessLimits,
    budget: &Budget,
) -> Result<bool, SolverTrouble> {
    let patience = budget.within(Duration::from_secs(20));
    for obligation in obligations {
        let mut session = SolverDialogue::start(solver, "ALL", limits, &patience)?;
        session.tell(body(&obligation.query).trim_end());
        if session.check(&patience)? != Satisfiability::Unsat {
            return Ok(false);
        }
    }
    Ok(true)
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
