//! The ways to show an obligation, in words.

use wherefore_base::Value;
use wherefore_evidence::{Claim, OccurrenceId, Outlook, Way, WayKind};

use super::Explainer;
use crate::words::{count, list};

/// So many changes of a step are told.
const CHANGES: usize = 4;

impl Explainer<'_> {
    /// A way in words, with what is to come after it: "a loop of 4 steps here".
    pub fn way(&self, at: OccurrenceId, way: &Way, outlook: Option<Outlook>) -> String {
        let to = way.to.as_deref().map(|to| self.target(at, to));
        let to = to.unwrap_or_default();
        match way.kind {
            WayKind::State => "the values of the state decide".to_string(),
            WayKind::Branch(_) => format!("because {}{}", self.premises(way), later(outlook, 0)),
            WayKind::Step => format!("one step to {to}{}", later(outlook, 1)),
            WayKind::EveryStep => "look at every successor".to_string(),
            WayKind::Goal => match self.premises(way) {
                claims if claims.is_empty() => "it is reached here".to_string(),
                claims => format!("it is reached here, because {claims}{}", later(outlook, 0)),
            },
            WayKind::Continue => format!("go on to {to}{}", later(outlook, 1)),
            WayKind::Loop(1) => "a loop of 1 step here: the step to itself".to_string(),
            WayKind::Loop(turn) => format!("a loop of {turn} steps here, first to {to}"),
            WayKind::Close(turn) => {
                format!(
                    "back to {to}, which closes a loop of {}",
                    count(turn, "step")
                )
            }
            WayKind::DeadEnd => "the run ends here: no step leads on".to_string(),
            WayKind::Stop => "the run may end here".to_string(),
            WayKind::Region => "look at everything that can follow".to_string(),
            WayKind::Total => "every state has a successor".to_string(),
        }
    }

    /// The claims that a way leaves, without those about paths that go on.
    fn premises(&self, way: &Way) -> String {
        let telling = self.telling();
        let claims = way.premises.iter().map(|premise| premise.claim);
        let claims = claims.filter(|claim| *claim != Claim::HasPath);
        list(&claims.map(|claim| telling.claim(claim)).collect::<Vec<_>>())
    }

    /// A state by what differs from another: "(p = TRUE, f = FALSE)".
    fn target(&self, from: OccurrenceId, to: &[Value]) -> String {
        let report = self.report;
        let from = self.telling().values(from);
        let changes = report.moves(from, to);
        match changes.len() {
            0 => "the same state".to_string(),
            n if n > CHANGES => {
                let told = changes[..CHANGES].join(", ");
                format!("({told} and {} more)", n - CHANGES)
            }
            _ => format!("({})", changes.join(", ")),
        }
    }
}

/// What is to come, after so many steps that are part of it already.
fn later(outlook: Option<Outlook>, taken: u32) -> String {
    let Some(Outlook { steps, turn }) = outlook else {
        return String::new();
    };
    match turn {
        Some(turn) => {
            let before = steps.saturating_sub(turn) as usize;
            let turn = count(turn as usize, "step");
            match before {
                0 => format!("; a loop of {turn}"),
                before => format!("; a loop of {turn} after {}", count(before, "step")),
            }
        }
        None if steps <= taken => String::new(),
        None => format!("; {} in all", count(steps as usize, "step")),
    }
}
