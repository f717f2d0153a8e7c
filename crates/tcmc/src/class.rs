//! The class of the formula that a command asks for.
//!
//! The classes are those of Farheen, Day, Vakili and Abbassi (2020) with corrections: they are read off the
//! negation normal form; a formula with `A` and `E` is mixed; and *finite liveness* is a conjunction of `AF` and
//! `AU` that are not inside each other, over propositional operands and without fairness. Only for these does
//! it mean something that every path gets there within a scope.

use wherefore_logic::{Class, Op, PathOp, Quantifier, class_of};

use crate::property::AskedFormula;

impl AskedFormula {
    /// The class of the formula.
    pub fn class(&self) -> Class {
        class_of(&self.formula, self.is_fair())
    }

    /// Whether fair paths count for more than others.
    pub fn is_fair(&self) -> bool {
        let fair = |sub| matches!(self.formula.op(sub), Op::Path(_, PathOp::FairGlobally(_)));
        self.rule.globally_is_fair() || self.formula.subs().any(fair)
    }

    /// Whether it is about every path and about no single one: what holds of all steps then holds of some.
    pub fn is_universal(&self) -> bool {
        is_universal(self.class())
    }

    /// What a counterexample is, if it is a row of different states: the formula is `AG`, `AF` or `AU` over
    /// propositional operands.
    pub fn row(&self) -> Option<ClassRow> {
        let Op::Path(Quantifier::Forall, path) = self.formula.op(self.formula.root()) else {
            return None;
        };
        let propositional = self.formula.propositional();
        if self.is_fair() || !path.operands().all(|sub| propositional[sub]) {
            return None;
        }
        match path {
            PathOp::Globally(_) => Some(ClassRow::Path),
            PathOp::Finally(_) | PathOp::Until(..) => Some(ClassRow::Lasso),
            _ => None,
        }
    }
}

/// Whether formulas of a class are about every path only.
pub fn is_universal(class: Class) -> bool {
    match class {
        Class::Safety | Class::FiniteLiveness | Class::InfiniteLiveness => true,
        Class::Existential | Class::Mixed => false,
    }
}

/// A counterexample in which no state occurs twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClassRow {
    /// A path: one state more than steps.
    Path,
    /// A lasso, as many states as steps, or a path.
    Lasso,
}

impl ClassRow {
    /// The fewest different states of a counterexample with at least so many steps.
    pub fn states(self, steps: u32) -> usize {
        match self {
            ClassRow::Path => steps as usize + 1,
            ClassRow::Lasso => (steps as usize).max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use wherefore_alloy::load;
    use wherefore_base::{Budget, SourceFile, SourceMap};

    use super::*;
    use crate::{SystemReading, asked};

    /// What a command asks for in a model that opens a module.
    fn formula(module: &str, text: &str) -> AskedFormula {
        let (fair, ask) = match module {
            "ctl" => ("", "ctl_mc"),
            _ => ("all s: S | s in fc iff some s.p", "ctlfc_mc"),
        };
        let text = format!(
            "open {module}[S]
            one sig Bit {{}}
            sig S {{ p, q: lone Bit }}
            fact {{
              all s: S | s in initialState iff no s.p
              all s, t: S | s -> t in nextState iff s.p != t.p
              {fair}
            }}
            check {{ {ask}[{text}] }} for 2 S"
        );
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("model.als", text.as_str()));
        let budget = Budget::unlimited();
        let loaded = load(&mut sources, file, None, &mut |_| None, &budget).expect("no limit");
        let model = loaded.model;
        let reading = SystemReading::of(&model)
            .expect("it fits")
            .expect("it is one");
        let asked = asked(&model, &reading, &model.commands[0]);
        asked.expect("it fits").expect("it asks for a formula")
    }

    fn class(text: &str) -> Class {
        formula("ctl", text).class()
    }

    #[test]
    fn a_formula_about_some_path_only_is_existential() {
        for text in [
            "ef[p.Bit]",
            "eg[eu[p.Bit, ex[q.Bit]]]",
            "not_[af[p.Bit]]",
            "not_[au[p.Bit, q.Bit]]",
            "and_[ef[p.Bit], not_[ag[q.Bit]]]",
        ] {
            assert_eq!(class(text), Class::Existential, "{text}");
        }
    }

    #[test]
    fn a_formula_about_all_and_about_some_paths_is_mixed() {
        for text in [
            "ag[ef[p.Bit]]",
            "ef[ag[p.Bit]]",
            "imp_[ef[p.Bit], ef[q.Bit]]",
        ] {
            assert_eq!(class(text), Class::Mixed, "{text}");
        }
    }

    #[test]
    fn a_formula_about_every_path_that_waits_for_nothing_is_safety() {
        for text in [
            "p.Bit",
            "ag[p.Bit]",
            "ax[ax[p.Bit]]",
            "not_[ef[p.Bit]]",
            "not_[eu[p.Bit, q.Bit]]",
            "ag[imp_[p.Bit, ax[q.Bit]]]",
        ] {
            assert_eq!(class(text), Class::Safety, "{text}");
        }
    }

    #[test]
    fn a_conjunction_of_plain_promises_is_finite_liveness() {
        for text in [
            "af[p.Bit]",
            "au[p.Bit, q.Bit]",
            "not_[eg[p.Bit]]",
            "and_[af[p.Bit], au[S - p.Bit, q.Bit]]",
            "not_[or_[eg[p.Bit], eg[q.Bit]]]",
        ] {
            assert_eq!(class(text), Class::FiniteLiveness, "{text}");
        }
    }

    #[test]
    fn every_other_promise_is_infinite_liveness() {
        for text in [
            "af[ag[p.Bit]]",
            "ag[af[p.Bit]]",
            "af[af[p.Bit]]",
            "or_[af[p.Bit], af[q.Bit]]",
            "imp_[p.Bit, af[q.Bit]]",
            "and_[ag[q.Bit], af[p.Bit]]",
        ] {
            assert_eq!(class(text), Class::InfiniteLiveness, "{text}");
        }
    }

    #[test]
    fn a_promise_of_fair_paths_is_never_finite() {
        let fair = |module: &str, text: &str| formula(module, text).class();
        assert_eq!(fair("ctlfc", "af[p.Bit]"), Class::InfiniteLiveness);
        assert_eq!(fair("ctlfc_def3", "af[p.Bit]"), Class::FiniteLiveness);
        assert_eq!(
            fair("ctlfc_def3", "not_[ecg[p.Bit]]"),
            Class::InfiniteLiveness
        );
        assert_eq!(fair("ctlfc_def3", "ecg[p.Bit]"), Class::Existential);
    }

    #[test]
    fn a_row_of_states_refutes_plain_formulas_only() {
        let row = |text: &str| formula("ctl", text).row();
        assert_eq!(row("ag[p.Bit]"), Some(ClassRow::Path));
        assert_eq!(row("af[p.Bit]"), Some(ClassRow::Lasso));
        assert_eq!(row("ag[af[p.Bit]]"), None);
        assert_eq!(formula("ctlfc", "ag[p.Bit]").row(), None);
        assert_eq!(
            (ClassRow::Path.states(3), ClassRow::Lasso.states(3)),
            (4, 3)
        );
    }
}
