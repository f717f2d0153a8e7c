//! Values for which a condition holds, for those who ask about a system without asking about its runs.

use wherefore_base::Budget;
use wherefore_smt::{SymbolId, TermId, Terms, Value};

use crate::answer::Choices;
use crate::asker::Asker;
use crate::reading::Reading;
use crate::solver::Outcome;

/// What became of a search for values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sought {
    /// There are none.
    Nothing,
    /// These are some; a value that cannot be read is left out.
    Values(Vec<Option<Value>>),
    /// Nobody can say, for this reason: a sentence without its full stop.
    Unknown(String),
}

/// Looks for values of symbols for which a condition holds. The first solver that knows decides.
pub fn find(
    terms: &mut Terms,
    condition: TermId,
    symbols: &[SymbolId],
    choices: &Choices,
    budget: &Budget,
) -> Sought {
    match terms.as_bool(condition) {
        Some(false) => return Sought::Nothing,
        Some(true) => return Sought::Values(vec![None; symbols.len()]),
        None => {}
    }
    let mut why = "no solver is installed".to_string();
    for solver in &choices.solvers {
        let mut asker = match Asker::start(solver, terms, choices.limits, budget) {
            Ok(asker) => asker,
            Err(trouble) => {
                why = format!("{} did not answer: {trouble}", solver.title());
                continue;
            }
        };
        asker.assert(terms, condition);
        match asker.check(budget) {
            Ok(Outcome::Unsat) => return Sought::Nothing,
            Ok(Outcome::Sat) => {
                let mut reading = Reading::default();
                let values = asker.values(terms, symbols, &mut reading, budget);
                return Sought::Values(values.unwrap_or_else(|_| vec![None; symbols.len()]));
            }
            Ok(Outcome::Unknown(reason)) => {
                why = format!("{} cannot tell: {reason}", solver.title())
            }
            Err(trouble) => why = format!("{} did not answer: {trouble}", solver.title()),
        }
    }
    Sought::Unknown(why)
}
