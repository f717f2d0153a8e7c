//! The tagged graph alone, for queries and exports.

use wherefore_base::{Budget, Run};
use wherefore_debug::{Prospect, Reading, Tagged};

use super::{Asked, System};

impl System {
    /// The tagged graph of a property. `reading` is how zones are read; `None`: as published, and by fate
    /// where no step would be correct.
    ///
    /// # Errors
    /// When the budget ends first.
    pub fn graph(
        &self,
        asked: &Asked,
        reading: Option<Reading>,
        budget: &Budget,
    ) -> Run<Tagged<'_>> {
        budget.phase("looking for counterexamples");
        let choose = |prospect| match (asked.safety, reading, prospect) {
            (false, _, _) => Reading::Inevitable,
            (true, Some(Reading::Fate), _) | (true, None, Prospect::Stuck) => Reading::Fate,
            (true, _, _) => Reading::Branching,
        };
        Tagged::choosing(&self.lts, asked.monitor.clone(), choose, budget)
    }
}
