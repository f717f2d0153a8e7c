//! Values for which a condition holds, for those who ask about a system without asking about its runs.

use wherefore_base::Budget;
use wherefore_smt::{SmtTermId, SmtTerms, SmtValue, SymbolId};

use crate::answer::SmtOptions;
use crate::asker::TermSession;
use crate::reading::ModelReader;
use crate::solver::Satisfiability;

/// What became of a search for values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sought {
    /// There are none.
    Nothing,
    /// These are some; a value that cannot be read is left out.
    Values(Vec<Option<SmtValue>>),
    /// Nobody can say, for this reason: a sentence without its full stop.
    Unknown(String),
}

/// Looks for values of symbols for which a condition holds. The first solver that knows decides.
pub fn find(
    terms: &mut SmtTerms,
    condition: SmtTermId,
    symbols: &[SymbolId],
    choices: &SmtOptions,
    budget: &Budget,
) -> Sought {
    match terms.as_bool(condition) {
        Some(false) => return Sought::Nothing,
        Some(true) => return Sought::Values(vec![None; symbols.len()]),
        None => {}
    }
    let mut why = "no solver is installed".to_string();
    for solver in &choices.solvers {
        let mut asker = match TermSession::start(solver, terms, choices.limits, budget) {
            Ok(asker) => asker,
            Err(trouble) => {
                why = format!("{} did not answer: {trouble}", solver.title());
                continue;
            }
        };
        asker.assert(terms, condition);
        match asker.check(budget) {
            Ok(Satisfiability::Unsat) => return Sought::Nothing,
            Ok(Satisfiability::Sat) => {
                let mut reading = ModelReader::default();
                let values = asker.values(terms, symbols, &mut reading, budget);
                return Sought::Values(values.unwrap_or_else(|_| vec![None; symbols.len()]));
            }
            Ok(Satisfiability::Unknown(reason)) => {
                why = format!("{} cannot tell: {reason}", solver.title())
            }
            Err(trouble) => why = format!("{} did not answer: {trouble}", solver.title()),
        }
    }
    Sought::Unknown(why)
}
