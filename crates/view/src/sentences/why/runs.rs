//! What runs from reachable states must do, and what they can do.

use wherefore_base::Value;
use wherefore_evidence::certificate::{EndlessStates, Layer, LayerReason, StateSet};
use wherefore_evidence::{SaidOfReached, SaidRun, WhyStatement};
use wherefore_logic::PathPattern;
use wherefore_model::VarId;

use super::{WhyKind, WhyLines};
use crate::sentences::{Sentence, count, formula};
use crate::words::{clean, fair};

impl WhyLines<'_> {
    pub(super) fn must_happen(
        &mut self,
        statement: &WhyStatement,
        pattern: &PathPattern,
        layers: &[Layer],
    ) {
        let (from, goal) = (self.from(&statement.states), self.pattern_goal(pattern));
        let endless = self.some_end();
        let says = |within| {
            let run = said_run(pattern, within);
            SaidOfReached::EveryRun(SaidRun { endless, ..run })
        };
        let stay = match pattern.stay.is_empty() {
            true => Sentence::default(),
            false => say!(", and {} holds until then", self.goals(&pattern.stay)),
        };
        let line = (WhyKind::MustHappen, 0);
        let Some(steps) = statement.steps else {
            let runs = match fair(self.report, &self.why.query) {
                "" => self.runs(),
                _ => "fair run",
            };
            let text = say!("{} every {} reaches {}{}:", from, runs, goal, stay);
            if self.tell(line, text, &[&statement.states], says(None)) {
                self.fair_layers(layers);
            }
            return;
        };
        if steps == 0 {
            return self.already(line, statement, pattern);
        }
        let most = count(steps, "step");
        let runs = self.runs();
        let sets: Vec<&StateSet> = layers.iter().map(|layer| &layer.states).collect();
        if let Some(distance) = self.distance(&sets) {
            let text = say!(
                "{} every {} reaches {} within {}: within {} steps{}",
                from,
                runs,
                goal,
                most,
                formula(distance),
                stay
            );
            self.tell(line, text, &[&statement.states], says(Some(steps)));
            return;
        }
        let text = say!(
            "{} every {} reaches {} within {}{}",
            from,
            runs,
            goal,
            most,
            stay
        );
        if self.tell(line, text, &[&statement.states], says(Some(steps))) {
            self.bounds(WhyKind::Layer, statement, &says);
        }
    }

    /// What is asked for is so where it is asked.
    fn already(&mut self, line: (WhyKind, usize), statement: &WhyStatement, pattern: &PathPattern) {
        let goal = self.pattern_goal(pattern);
        // That a condition holds where it holds is no reason.
        if self.set(&statement.states).to_string() != goal.to_string() {
            let text = say!("{} {} holds already", self.from(&statement.states), goal);
            let says = SaidOfReached::Goals(pattern.goal.clone().unwrap_or_default());
            self.tell(line, text, &[&statement.states], says);
        }
    }

    pub(super) fn can_happen(
        &mut self,
        statement: &WhyStatement,
        pattern: &PathPattern,
        rings: &[StateSet],
        endless: Option<&EndlessStates>,
    ) {
        let from = self.from(&statement.states);
        let fair = fair(self.report, &self.why.query);
        let line = (WhyKind::CanHappen, 0);
        let states = &statement.states;
        let says = |within| SaidOfReached::SomeRun(said_run(pattern, within));
        if let Some(endless) = endless {
            return self.can_stay(statement, pattern, endless);
        }
        let Some(steps) = statement.steps.filter(|_| !pattern.weak) else {
            let stay = self.goals(&pattern.stay);
            // No run stays for ever: it reaches its goal, or may end where it is.
            let (text, says) = match &pattern.goal {
                Some(goals) if pattern.weak => (
                    say!(
                        "{} some {}run keeps {} until {}, or to its end",
                        from,
                        fair,
                        stay,
                        self.goals(goals)
                    ),
                    SaidOfReached::SomeRun(SaidRun {
                        stays: true,
                        ..said_run(pattern, None)
                    }),
                ),
                Some(goals) => (
                    say!(
                        "{} some {}run reaches {}, and {} holds until then",
                        from,
                        fair,
                        self.goals(goals),
                        stay
                    ),
                    says(None),
                ),
                None => (
                    say!("{} {} holds", from, stay),
                    SaidOfReached::Goals(pattern.stay.clone()),
                ),
            };
            self.tell(line, text, &[states], says);
            return;
        };
        let goal = self.pattern_goal(pattern);
        if steps == 0 {
            return self.already(line, statement, pattern);
        }
        let most = count(steps, "step");
        let through = match pattern.stay.is_empty() {
            true => Sentence::default(),
            false => say!(" through states with {}", self.goals(&pattern.stay)),
        };
        let sets: Vec<&StateSet> = rings.iter().collect();
        if let Some(distance) = self.distance(&sets) {
            let text = say!(
                "{} some {}run reaches {} within {}: within {} steps{}",
                from,
                fair,
                goal,
                most,
                formula(distance),
                through
            );
            self.tell(line, text, &[states], says(Some(steps)));
            return;
        }
        let text = say!(
            "{} some {}run reaches {} within {}{}",
            from,
            fair,
            goal,
            most,
            through
        );
        if self.tell(line, text, &[states], says(Some(steps))) {
            self.bounds(WhyKind::Ring, statement, &says);
        }
    }

    /// Some run goes on for ever where it may stay.
    fn can_stay(
        &mut self,
        statement: &WhyStatement,
        pattern: &PathPattern,
        endless: &EndlessStates,
    ) {
        let from = self.from(&statement.states);
        let fair = fair(self.report, &self.why.query);
        let line = (WhyKind::CanHappen, 0);
        let states = &statement.states;
        let goal = match &pattern.goal {
            Some(goals) => say!("reaches {} or ", self.goals(goals)),
            None => Sentence::default(),
        };
        let stay = self.goals(&pattern.stay);
        let text = say!(
            "{} some {}run {}stays in {} for ever",
            from,
            fair,
            goal,
            stay
        );
        let says = SaidOfReached::SomeRun(SaidRun {
            stays: true,
            ..said_run(pattern, None)
        });
        if self.tell(line, text, &[states], says) {
            let set = self.set(&endless.states);
            let text = say!("where {}, some step leads to such a state again", set);
            self.push(WhyKind::Ring, 1, text);
        }
    }

    /// From where it is fewer steps, and a state from where it is as many as from any.
    fn bounds(
        &mut self,
        kind: WhyKind,
        statement: &WhyStatement,
        says: &dyn Fn(Option<usize>) -> SaidOfReached,
    ) {
        let counted = statement.count.as_ref();
        for (at, bound) in statement.bounds.iter().enumerate() {
            let states = counted.and_then(|count| count.bounds.get(at).copied());
            let (steps, set) = (count(bound.steps, "step"), self.set(&bound.states));
            let text = match states {
                Some(states) => say!(
                    "within {} where {} ({})",
                    steps,
                    set,
                    count(states, "state")
                ),
                None => say!("within {} where {}", steps, set),
            };
            let says = says(Some(bound.steps));
            if self.tell((kind, 1), text, &[&statement.states, &bound.states], says)
                && let Some(line) = self.lines.last_mut()
            {
                line.states = states;
            }
        }
        if let Some((state, steps)) = counted.and_then(|count| count.farthest.as_ref())
            && *steps > 1
        {
            let state = self.report.state_text(state, self.full);
            let steps = count(*steps, "step");
            let text = match kind {
                WhyKind::Ring => say!("the shortest run takes {} from ({})", steps, state),
                _ => say!("the longest run takes {} from ({})", steps, state),
            };
            self.push(WhyKind::Example, 1, text);
        }
    }

    fn fair_layers(&mut self, layers: &[Layer]) {
        let fairness = &self.report.model.fairness;
        let shown = self.shown(layers.len());
        for (at, layer) in layers.iter().take(shown).enumerate() {
            // Each line is about what the lines before it have left.
            let set = match layer.states.is_everything() {
                true if at > 0 => Sentence::from("what is left"),
                true => Sentence::from("until then"),
                false => self.set(&layer.states),
            };
            let text = match layer.reason {
                LayerReason::StepsOut => say!("{}: the next step leads nearer", set),
                LayerReason::Justice(at) => {
                    let term = fairness.justice.get(at);
                    let term = term.map(|&term| self.report.fairness_text(term));
                    let term = formula(clean(&term.unwrap_or_default()));
                    say!("{}: a run that stays there is not fair to {}", set, term)
                }
                LayerReason::Compassion(at) => {
                    let pair = fairness.compassion.get(at);
                    let pair = pair.map(|&(p, q)| (self.report.term(p), self.report.term(q)));
                    let (p, q) = pair.unwrap_or_default();
                    say!(
                        "{}: a fair run meets {} there only finitely often, since it never comes to {}",
                        set,
                        formula(clean(&p)),
                        formula(clean(&q))
                    )
                }
            };
            self.push(WhyKind::Layer, 1, text);
        }
        self.more(layers.len(), shown);
    }

    /// `10 - x`, where that is the number of every set in a list: each is one value of the same number, next to the one
    /// before.
    fn distance(&self, sets: &[&StateSet]) -> Option<String> {
        let mut values = Vec::new();
        let mut of: Option<VarId> = None;
        for set in sets {
            let [cube] = &set.cubes[..] else {
                return None;
            };
            let ([(var, found)], [], []) = (&cube.values[..], &cube.bits[..], &cube.terms[..])
            else {
                return None;
            };
            let ([Value::Int(value)], false) = (&found[..], set.outside) else {
                return None;
            };
            if of.is_some_and(|of| of != *var) {
                return None;
            }
            of = Some(*var);
            values.push(*value);
        }
        let (first, var) = (*values.first()?, of?);
        let name = self.report.name(var);
        let is_line = |by: i64| values.windows(2).all(|pair| pair[1] - pair[0] == by);
        match values.len() > 2 {
            true if is_line(-1) => Some(format!("{} - {name}", first + 1)),
            true if is_line(1) && first == 1 => Some(name),
            true if is_line(1) => Some(format!("{name} - {}", first - 1)),
            _ => None,
        }
    }
}

/// What runs do that have the shape of a pattern.
pub(super) fn said_run(pattern: &PathPattern, within: Option<usize>) -> SaidRun {
    SaidRun {
        reaches: pattern.goal.clone(),
        keeps: pattern.stay.clone(),
        within,
        ..SaidRun::default()
    }
}
