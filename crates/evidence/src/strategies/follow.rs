//! Sequences of conditions.

use rustc_hash::FxHashMap;
use wherefore_base::Run;
use wherefore_model::TermId;
use wherefore_proof::{OccurrenceId, ProofId};

use super::steps::{StepKind, best_for, kind, planned_by};
use crate::strategy::{Arrow, Automaton, Guide, Proof, Rules, Strategy, Way, WishKind};

/// Paths of automata with at most so many states look ahead from each of them; of larger ones, from the
/// first.
const LOOKED_AHEAD: usize = 8;

/// Follows an automaton of conditions, state by state, along every run of the evidence (Chechik and
/// Gurfinkel 2005, Fig. 7f).
///
/// If an arrow of the first state of the automaton allows the state where the evidence starts, that
/// arrow is taken first. Paths look ahead, so that they make as few steps as possible that no arrow
/// allows; at such a step the automaton waits. A loop should enter a state of the automaton that is to be entered again
/// and again, if there are such.
#[derive(Clone, Debug)]
pub struct Follow {
    name: String,
    wish: usize,
    automaton: Automaton,
    /// For each state of the automaton, the rule that plans paths from there.
    along: Vec<usize>,
    /// In which state the automaton is at a node.
    places: FxHashMap<ProofId, usize>,
}

impl Follow {
    /// States where the first condition is true alternate with states where the second is.
    pub fn alternate(first: TermId, second: TermId) -> Self {
        let arrow = |condition, to| {
            vec![Arrow {
                condition,
                truth: true,
                to,
            }]
        };
        let automaton = Automaton {
            arrows: vec![arrow(first, 1), arrow(second, 0)],
            again: vec![],
        };
        Self::automaton(automaton).named("alternate")
    }

    /// The same, called by the name that users know it by.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The states follow this automaton. Arrows that lead to no state of it are left out.
    pub fn automaton(mut automaton: Automaton) -> Self {
        let states = automaton.arrows.len();
        for arrows in &mut automaton.arrows {
            arrows.retain(|arrow| arrow.to < states);
        }
        automaton.again.retain(|state| *state < states);
        Self {
            name: "follow".to_string(),
            wish: 0,
            automaton,
            along: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    /// Where the automaton is at a node.
    fn place(&self, proof: &dyn Proof, node: ProofId) -> Run<usize> {
        match self.places.get(&node) {
            Some(&place) => Ok(place),
            None => self.after(proof, 0, proof.nodes()[node].at),
        }
    }

    /// Where the automaton goes from a place when a state is entered.
    fn after(&self, proof: &dyn Proof, place: usize, entered: OccurrenceId) -> Run<usize> {
        for arrow in self.arrows(place) {
            if proof.is_true(arrow.condition, entered)? == arrow.truth {
                return Ok(arrow.to);
            }
        }
        Ok(place)
    }

    fn arrows(&self, place: usize) -> &[Arrow] {
        self.automaton.arrows.get(place).map_or(&[], Vec::as_slice)
    }
}

impl Strategy for Follow {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        self.places.clear();
        self.wish = rules.wish(&self.name, WishKind::Along(self.automaton.clone()));
        // Each place needs a product of its own: of many, only the first has one.
        let places = self.automaton.arrows.len();
        let starts = match places <= LOOKED_AHEAD {
            true => 0..places,
            false => 0..1,
        };
        let along =
            starts.map(|start| rules.stand_in(Guide::Along(starting_at(&self.automaton, start))));
        self.along = along.collect();
        for arrow in self.automaton.arrows.iter().flatten() {
            let guide = Guide::Where(arrow.condition, arrow.truth);
            if !rules.added.contains(&guide) {
                rules.stand_in(guide);
            }
        }
        Ok(())
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        if let Some(best) = best_for(proof, self.wish, ways)? {
            return Ok(best);
        }
        let kind = kind(proof, leaf);
        match kind {
            StepKind::Still => return Ok(vec![]),
            StepKind::Strong | StepKind::Weak => {
                // A path that one of the rules planned is followed to its end.
                for &rule in &self.along {
                    if ways.iter().any(|way| way.planned && way.by == Some(rule)) {
                        return Ok(planned_by(ways, rule));
                    }
                }
            }
            StepKind::Step | StepKind::BoundedStrong | StepKind::BoundedWeak => {}
        }
        let place = self.place(proof, leaf)?;
        if matches!(kind, StepKind::Strong | StepKind::Weak) {
            let rule = self.along.get(place).or(self.along.first());
            return Ok(rule.map_or(vec![], |&rule| planned_by(ways, rule)));
        }
        let mut liked = Vec::new();
        for way in 0..ways.len() {
            for arrow in self.arrows(place) {
                if proof.is_true_after(arrow.condition, way)? == Some(arrow.truth) {
                    liked.push(way);
                    break;
                }
            }
        }
        Ok(liked)
    }

    fn rule_applied(
        &mut self,
        proof: &dyn Proof,
        leaf: ProofId,
        _: &Way,
        premises: &[ProofId],
    ) -> Run<()> {
        let place = self.place(proof, leaf)?;
        let here = proof.nodes()[leaf].at;
        for &premise in premises {
            let at = proof.nodes()[premise].at;
            let next = match at == here {
                true => place,
                false => self.after(proof, place, at)?,
            };
            // What was shown before stays where it was.
            self.places.entry(premise).or_insert(next);
        }
        Ok(())
    }
}

/// The automaton with another first state.
fn starting_at(automaton: &Automaton, start: usize) -> Automaton {
    // Exchanging two names makes another state the first one, and undoes itself.
    let swap = |state: usize| match state {
        0 => start,
        state if state == start => 0,
        state => state,
    };
    let arrows = (0..automaton.arrows.len()).map(|state| {
        let arrows = automaton.arrows[swap(state)].iter();
        let renamed = arrows.map(|arrow| Arrow {
            to: swap(arrow.to),
            ..*arrow
        });
        renamed.collect()
    });
    Automaton {
        arrows: arrows.collect(),
        again: automaton.again.iter().map(|&state| swap(state)).collect(),
    }
}
