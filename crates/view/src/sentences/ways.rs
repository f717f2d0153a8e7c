//! The ways to show an obligation, in words.

use wherefore_base::Value;
use wherefore_evidence::{Claim, OccurrenceId, Outlook, Way, WayKind};

use super::nothing::total;
use super::{Sentence, count, list};
use crate::explain::Explainer;

/// So many changes of a step are told.
const CHANGES: usize = 4;

impl Explainer<'_> {
    /// A way in words, with what is to come after it: "a loop of 4 steps here".
    pub fn way(&self, at: OccurrenceId, way: &Way, outlook: Option<Outlook>) -> String {
        self.way_sentence(at, way, outlook).to_string()
    }

    fn way_sentence(&self, at: OccurrenceId, way: &Way, outlook: Option<Outlook>) -> Sentence {
        let to = way.to.as_deref().map(|to| self.target(at, to));
        let to = to.unwrap_or_default();
        match way.kind {
            WayKind::State => "the values of the state decide".into(),
            WayKind::Branch(_) => say!("because {}{}", self.premises(way), later(outlook, 0)),
            // A step back in time leads to no state that comes.
            WayKind::Step if way.to.is_none() => "look at the step before".into(),
            WayKind::Continue if way.to.is_none() => "go back to the step before".into(),
            WayKind::Step => say!("one step to {}{}", to, later(outlook, 1)),
            WayKind::EveryStep => "look at every successor".into(),
            WayKind::Goal => match self.premises(way) {
                claims if claims.is_empty() => "it is reached here".into(),
                claims => say!(
                    "it is reached here, because {}{}",
                    claims,
                    later(outlook, 0)
                ),
            },
            WayKind::Continue => say!("go on to {}{}", to, later(outlook, 1)),
            WayKind::Loop(1) => "a loop of 1 step here: the step to itself".into(),
            WayKind::Loop(turn) => say!("a loop of {} steps here, first to {}", turn, to),
            WayKind::Close(turn) => {
                say!(
                    "back to {}, which closes a loop of {}",
                    to,
                    count(turn, "step")
                )
            }
            WayKind::DeadEnd => "the run ends here: no step leads on".into(),
            WayKind::Stop => "the run may end here".into(),
            WayKind::Region => "look at everything that can follow".into(),
            WayKind::Total => total(self.telling().query.rule).into(),
            WayKind::Start => "the run begins here".into(),
            WayKind::Run => "the run shows it".into(),
        }
    }

    /// The claims that a way leaves, without those about paths that go on.
    fn premises(&self, way: &Way) -> Sentence {
        let telling = self.telling();
        let claims = way.premises.iter().map(|premise| premise.claim);
        let claims = claims.filter(|claim| *claim != Claim::HasPath);
        list(&claims.map(|claim| telling.claim(claim)).collect::<Vec<_>>())
    }

    /// A state by what differs from another: "(p = TRUE, f = FALSE)".
    fn target(&self, from: OccurrenceId, to: &[Value]) -> Sentence {
        let report = self.report;
        let from = self.telling().values(from);
        let changes = report.moves(from, to);
        match changes.len() {
            0 => "the same state".into(),
            n if n > CHANGES => {
                let told = changes[..CHANGES].join(", ");
                say!("({} and {} more)", told, n - CHANGES)
            }
            _ => say!("({})", changes.join(", ")),
        }
    }
}

/// What is to come, after so many steps that are part of it already.
fn later(outlook: Option<Outlook>, taken: u32) -> Sentence {
    let Some(Outlook { steps, turn }) = outlook else {
        return Sentence::default();
    };
    match turn {
        Some(turn) => {
            let before = steps.saturating_sub(turn) as usize;
            let turn = count(turn as usize, "step");
            match before {
                0 => say!("; a loop of {}", turn),
                before => say!("; a loop of {} after {}", turn, count(before, "step")),
            }
        }
        None if steps <= taken => Sentence::default(),
        None => say!("; {} in all", count(steps as usize, "step")),
    }
}
