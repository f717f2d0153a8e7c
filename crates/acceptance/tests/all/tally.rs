//! Answers of SMT solvers beside those that are known: none is wrong, and not too few are given.

use std::cell::Cell;

use wherefore_base::Budget;
use wherefore_driver::subjects::smt::{SmtAnswer, SmtSubject, SmtVerdict};
use wherefore_evidence::{EvidenceOptions, Replay, Verdict as Found};

/// How many questions were asked, and how many were answered.
#[derive(Default)]
pub(crate) struct Tally {
    asked: Cell<usize>,
    decided: Cell<usize>,
}

impl Tally {
    /// Compares an answer with what is so; a run that refutes must replay.
    pub(crate) fn compare(
        &self,
        session: &SmtSubject,
        (property, answer): (usize, SmtAnswer),
        expected: bool,
        about: &str,
    ) {
        self.asked.set(self.asked.get() + 1);
        let Some(held) = answer.holds() else {
            return;
        };
        self.decided.set(self.decided.get() + 1);
        assert_eq!(held, expected, "{about}\n{answer:?}");
        if let SmtVerdict::Fails(_) = answer.verdict {
            let answers = [(property, answer)];
            let told = session.tell(&answers, &EvidenceOptions::default(), &Budget::unlimited());
            let finding = &told.findings[0];
            assert_eq!(finding.verdict, Found::Fails, "{about}");
            if let Some(evidence) = &finding.evidence {
                assert_eq!(evidence.replay, Replay::Ok, "{about}");
            }
        }
    }

    /// Usually most questions are answered; how many a slow machine decides in time is not what is tested.
    pub(crate) fn is_enough(&self) {
        let (asked, decided) = (self.asked.get(), self.decided.get());
        assert!(decided * 8 >= asked, "{decided} of {asked}");
    }
}
