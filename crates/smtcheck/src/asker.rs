//! A session that knows terms: whatever a formula needs is declared before it is asserted.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Budget, FileId};
use wherefore_smt::{SmtTermId, SmtTerms, SmtValue, SymbolId, SymbolKind, print, sexp};

use crate::process::ProcessLimits;
use crate::reading::ModelReader;
use crate::solver::{Satisfiability, SmtSolver, SolverDialogue, SolverKind};
use crate::trouble::SolverTrouble;

/// What z3 does with a query without quantifiers: it simplifies the whole of it each time, which its incremental core
/// does not, and which is worth far more than what that core remembers.
const TACTIC: &str = "(then simplify propagate-values solve-eqs smt)";

/// How many values are asked for at a time.
const VALUES: usize = 500;

/// A conversation in terms.
#[derive(Debug)]
pub(crate) struct TermSession {
    session: SolverDialogue,
    script: Script,
}

impl TermSession {
    /// Starts a solver for terms with these sorts.
    pub(crate) fn start(
        solver: &SmtSolver,
        terms: &SmtTerms,
        limits: ProcessLimits,
        budget: &Budget,
    ) -> Result<Self, SolverTrouble> {
        let mut session = SolverDialogue::start(solver, "ALL", limits, budget)?;
        session.tell(sorts(terms).trim_end());
        Ok(Self {
            session,
            script: Script::default(),
        })
    }

    /// Asserts every conjunct of a formula.
    pub(crate) fn assert(&mut self, terms: &mut SmtTerms, formula: SmtTermId) {
        let mut lines = String::new();
        self.script.assert(terms, formula, &mut lines);
        self.session.tell(lines.trim_end());
    }

    pub(crate) fn push(&mut self) {
        self.session.push();
        self.script.push();
    }

    pub(crate) fn pop(&mut self) {
        self.session.pop();
        self.script.pop();
    }

    /// Whether what was asserted has a model, by the way that suits it.
    pub(crate) fn check(&mut self, budget: &Budget) -> Result<Satisfiability, SolverTrouble> {
        let quantified = self.script.quantified.last().is_some_and(|&any| any);
        match self.session.solver().kind {
            SolverKind::Z3 if !quantified => self
                .session
                .check_by(&format!("(check-sat-using {TACTIC})"), budget),
            _ => self.session.check(budget),
        }
    }

    /// The same for a short time, where the solver can be told so.
    pub(crate) fn check_briefly(
        &mut self,
        time: Duration,
        budget: &Budget,
    ) -> Result<Satisfiability, SolverTrouble> {
        let quantified = self.script.quantified.last().is_some_and(|&any| any);
        let tactic = if quantified { "smt" } else { TACTIC };
        match self.session.solver().kind {
            SolverKind::Z3 => {
                let command = format!("(check-sat-using (try-for {tactic} {}))", time.as_millis());
                self.session.check_by(&command, budget)
            }
            SolverKind::Cvc5 | SolverKind::Other => self.check(budget),
        }
    }

    /// The same by another command.
    pub(crate) fn check_by(
        &mut self,
        command: &str,
        budget: &Budget,
    ) -> Result<Satisfiability, SolverTrouble> {
        self.session.check_by(command, budget)
    }

    /// The values of constants in the model that was found; `None` for a value that cannot be read. A constant that no
    /// assertion mentions may have any value.
    pub(crate) fn values(
        &mut self,
        terms: &SmtTerms,
        symbols: &[SymbolId],
        reading: &mut ModelReader,
        budget: &Budget,
    ) -> Result<Vec<Option<SmtValue>>, SolverTrouble> {
        // The solver knows only the symbols that were declared to it.
        let told = |symbol: &SymbolId| self.script.told.contains(symbol);
        let known: Vec<SymbolId> = symbols.iter().copied().filter(told).collect();
        let mut found = FxHashMap::default();
        for chunk in known.chunks(VALUES) {
            let names = chunk.iter().map(|&s| print::quoted(&terms.info(s).name));
            let names: Vec<String> = names.collect();
            let reply = self.session.values(&names, budget)?;
            let (all, _) = sexp::read(FileId::new(0), &reply);
            let pairs = all.first().and_then(|list| list.list()).unwrap_or_default();
            if pairs.len() != chunk.len() {
                return Err(SolverTrouble::Garbage(reply.chars().take(160).collect()));
            }
            for (&symbol, pair) in chunk.iter().zip(pairs) {
                let sort = terms.info(symbol).sort;
                let value = pair.list().and_then(|pair| pair.get(1));
                let value = value.and_then(|value| reading.value(terms, value, sort));
                found.insert(symbol, value);
            }
        }
        let values = symbols.iter().map(|symbol| match found.get(symbol) {
            Some(value) => value.clone(),
            None => reading.any(terms, terms.info(*symbol).sort),
        });
        Ok(values.collect())
    }
}

/// Declarations and assertions as text, scope by scope.
#[derive(Debug)]
pub(crate) struct Script {
    told: FxHashSet<SymbolId>,
    scopes: Vec<AssertionScope>,
    /// Whether a quantifier was asserted, scope by scope.
    quantified: Vec<bool>,
    names: SymbolNames,
}

/// What a scope adds: symbols that were told, names that were given, and how many symbols had names before it.
#[derive(Debug, Default)]
struct AssertionScope {
    symbols: Vec<SymbolId>,
    names: Vec<String>,
    upto: usize,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            told: FxHashSet::default(),
            scopes: vec![AssertionScope::default()],
            quantified: vec![false],
            names: SymbolNames::default(),
        }
    }
}

impl Script {
    /// A query of its own: everything it needs, the formulas, `(check-sat)`.
    pub(crate) fn query(terms: &mut SmtTerms, logic: &str, formulas: &[SmtTermId]) -> String {
        let mut script = Self::default();
        let mut text = format!("(set-logic {logic})\n{}", sorts(terms));
        for &formula in formulas {
            script.assert(terms, formula, &mut text);
        }
        text.push_str("(check-sat)\n");
        text
    }

    fn assert(&mut self, terms: &mut SmtTerms, formula: SmtTermId, out: &mut String) {
        let new = self.names.make_unique(terms);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.extend(new);
        }
        for part in terms.conjuncts(formula) {
            self.declare_for(terms, part, out);
            if terms.has_quantifier(part)
                && let Some(any) = self.quantified.last_mut()
            {
                *any = true;
            }
            out.push_str(&format!("(assert {})\n", print::text(terms, part)));
        }
    }

    /// Declares whatever a term mentions.
    fn declare_for(&mut self, terms: &SmtTerms, term: SmtTermId, out: &mut String) {
        for symbol in terms.free(term) {
            let info = terms.info(symbol);
            if info.kind == SymbolKind::Bound || self.told.contains(&symbol) {
                continue;
            }
            if let SymbolKind::Defined { body, .. } = &info.kind {
                // A definition may only mention what is declared before it.
                wherefore_base::deep(|| self.declare_for(terms, *body, out));
            }
            self.told.insert(symbol);
            if let Some(scope) = self.scopes.last_mut() {
                scope.symbols.push(symbol);
            }
            out.push_str(&print::declaration(terms, symbol));
            out.push('\n');
        }
    }

    fn push(&mut self) {
        self.scopes.push(AssertionScope {
            upto: self.names.upto,
            ..AssertionScope::default()
        });
        let any = self.quantified.last().is_some_and(|&any| any);
        self.quantified.push(any);
    }

    fn pop(&mut self) {
        self.quantified.pop();
        // What comes next may be about other terms, in which the same ids are other symbols.
        let scope = self.scopes.pop().unwrap_or_default();
        for symbol in scope.symbols {
            self.told.remove(&symbol);
        }
        for name in scope.names {
            self.names.seen.remove(&name);
        }
        self.names.upto = scope.upto;
    }
}

/// Keeps the names of symbols apart: in a text, a bound variable with the name of another symbol would hide it.
#[derive(Debug, Default)]
struct SymbolNames {
    seen: FxHashSet<String>,
    upto: usize,
}

impl SymbolNames {
    /// Gives the symbols that are new names of their own; gives these names.
    fn make_unique(&mut self, terms: &mut SmtTerms) -> Vec<String> {
        let mut given = Vec::new();
        let new: Vec<SymbolId> = terms.symbols().skip(self.upto).collect();
        self.upto += new.len();
        let bound =
            |terms: &SmtTerms, symbol: SymbolId| terms.info(symbol).kind == SymbolKind::Bound;
        let (inner, outer): (Vec<_>, Vec<_>) = new.into_iter().partition(|&s| bound(terms, s));
        // Free symbols get their names first: a bound one is renamed rather than the symbol that it would
        // hide.
        for symbol in outer.into_iter().chain(inner) {
            let name = terms.info(symbol).name.clone();
            let mut own = name.clone();
            if self.seen.contains(&own) {
                own = format!("{name}!{}", symbol.index());
            }
            while !self.seen.insert(own.clone()) {
                own.push('!');
            }
            given.push(own.clone());
            if own != name {
                terms.rename(symbol, own);
            }
        }
        given
    }
}

fn sorts(terms: &SmtTerms) -> String {
    print::sort_declarations(terms)
        .iter()
        .map(|line| format!("{line}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use wherefore_smt::{SmtQuantifier, SortId};

    use super::*;

    #[test]
    fn a_bound_variable_never_hides_another_symbol() {
        let mut terms = SmtTerms::default();
        let (outer, inner) = (
            terms.declare("x", &[], SortId::INT),
            terms.bound("x", SortId::INT),
        );
        let (x, y) = (terms.var(outer), terms.var(inner));
        let less = terms.less(y, x);
        let some = terms.quantified(SmtQuantifier::Exists, &[inner], less);
        let query = Script::query(&mut terms, "ALL", &[some]);
        assert!(query.contains("(declare-fun x () Int)"), "{query}");
        assert!(query.contains("(exists ((x!1 Int)) (< x!1 x))"), "{query}");
    }

    #[test]
    fn what_a_scope_declares_is_gone_with_it() {
        let mut terms = SmtTerms::default();
        let p = terms.declare("p", &[], SortId::BOOL);
        let var = terms.var(p);
        let (mut script, mut out) = (Script::default(), String::new());
        script.push();
        script.assert(&mut terms, var, &mut out);
        script.pop();
        script.assert(&mut terms, var, &mut out);
        assert_eq!(out.matches("declare-fun").count(), 2);
    }
}
