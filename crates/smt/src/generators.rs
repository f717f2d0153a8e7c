//! Generator axioms: that there is a state for every result of an operation.
//!
//! Where the state is a value of a declared sort, nothing says that the sort has a value for each state that one can
//! think of: in a system in which `delete` may be applied but no state is its result, nothing can be reached by deleting.
//! The axiom of an operation says that the operation is total: for every state and choice for which it may be applied
//! there is a state that is its result (Vakili and Day 2014, section 4.4). Such axioms make the class of systems smaller,
//! so they are added on request only.

use wherefore_base::deep;

use crate::shape::Substitution;
use crate::sort::Sort;
use crate::system::TermSystem;
use crate::term::{SmtQuantifier, SmtTerm, SmtTermId, SymbolId};

impl TermSystem {
    /// Adds the generator axiom of each operation: of each named kind of step, or of each alternative of the
    /// transition relation where none has a name. Returns how many were added.
    ///
    /// # Errors
    /// Why that makes no sense here: a sentence without its full stop.
    pub fn add_generators(&mut self) -> Result<usize, String> {
        let declared = |symbol: &SymbolId| {
            let sort = self.terms.info(*symbol).sort;
            matches!(self.terms.sorts.get(sort), Sort::Uninterpreted(_))
        };
        if self.has_functions() || !self.current().iter().any(declared) {
            return Err("no part of the state is a value of a declared sort, so every result of a step is a state".into());
        }
        let mut steps: Vec<SmtTermId> = self.actions.iter().map(|action| action.term).collect();
        if steps.is_empty() {
            steps = self.terms.disjuncts(self.trans);
        }
        for &step in &steps {
            let axiom = self.generator(step);
            self.axioms.push(axiom);
        }
        Ok(steps.len())
    }

    /// That an operation that may be applied has a result.
    fn generator(&mut self, step: SmtTermId) -> SmtTermId {
        let mut chosen: Vec<SymbolId> = self.current();
        chosen.extend(&self.inputs);
        let (mut result, mut inner) = (self.next(), step);
        let mut by = Substitution::default();
        for symbols in [&mut chosen, &mut result] {
            for symbol in symbols {
                let info = self.terms.info(*symbol).clone();
                let bound = self.terms.bound(info.name, info.sort);
                by.rename(*symbol, bound);
                *symbol = bound;
            }
        }
        // What the operation chooses is chosen for it: the axiom speaks of each choice.
        while let SmtTerm::Quantified(SmtQuantifier::Exists, symbols, body) =
            self.terms.get(inner).clone()
        {
            chosen.extend(symbols.iter().copied());
            inner = body;
        }
        let body = self.terms.substitute(inner, &by);
        let conjuncts = self.terms.conjuncts(body);
        let of_result = |conjunct: &SmtTermId| {
            let free = self.terms.free(*conjunct);
            result.iter().any(|symbol| free.contains(symbol))
        };
        let (effect, guard): (Vec<SmtTermId>, Vec<SmtTermId>) =
            conjuncts.into_iter().partition(of_result);
        deep(|| {
            let (guard, effect) = (self.terms.and(&guard), self.terms.and(&effect));
            let some = self
                .terms
                .quantified(SmtQuantifier::Exists, &result, effect);
            let total = self.terms.implies(guard, some);
            self.terms.quantified(SmtQuantifier::Forall, &chosen, total)
        })
    }
}

#[cfg(test)]
mod tests {
    use wherefore_base::FileId;

    use crate::{print, read};

    #[test]
    fn an_operation_that_may_be_applied_has_a_result() {
        let text = "(declare-sort State 0) (declare-fun size (State) Int)
            (define-fun Init ((s State)) Bool (= (size s) 0))
            (define-fun pop ((s State) (t State)) Bool (and (> (size s) 0) (= (size t) (- (size s) 1))))
            (define-fun push ((s State) (t State)) Bool (exists ((n Int)) (and (> n 0) (= (size t) (+ (size s) n)))))
            (define-fun Next ((s State) (t State)) Bool (or (pop s t) (push s t)))";
        let mut reading = read("stack.smt2", FileId::new(0), text);
        assert!(reading.is_usable(), "{:?}", reading.diagnostics);
        assert_eq!(reading.system.add_generators(), Ok(2));
        let shown: Vec<String> = reading
            .system
            .axioms
            .iter()
            .map(|&axiom| print::text(&reading.system.terms, axiom))
            .collect();
        assert!(
            shown[0].contains("(forall")
                && shown[0].contains("(=> ")
                && shown[0].contains("(exists"),
            "{shown:?}"
        );
        assert!(shown[1].matches("(exists").count() == 1, "{shown:?}");
    }

    #[test]
    fn a_state_of_numbers_needs_none() {
        let text = "(define-fun Init ((x Int)) Bool (= x 0)) (define-fun Next ((x Int) (y Int)) Bool (= y (+ x 1)))";
        let mut reading = read("numbers.smt2", FileId::new(0), text);
        assert!(reading.system.add_generators().is_err());
    }
}
