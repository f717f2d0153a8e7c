//! Why a property holds, in words: an invariant as a list of conditions, what must happen as layers, what can happen as
//! rings.
//!
//! Each line says what a certificate shows, all of whose conditions were re-checked; numbers of states are those that the
//! plain interpreter counted.

use wherefore_base::Value;
use wherefore_evidence::certificate::{
    EndlessStates, How, Layer, LayerReason, NoCertificate, Recheck, StateSet,
};
use wherefore_evidence::{Cube, Why, WhyHolds, WhyStatement};
use wherefore_logic::{Goal, Kernel, PathPattern, Quantifier, kernel};
use wherefore_model::VarId;

use super::literals::{literals, negated};
use super::{Sentence, SentenceAssertion, count, formula, joined};
use crate::Report;
use crate::words::{LONGEST, clean, fair, shortened, sub_text};

/// The most lines of one list, unless everything is asked for.
const LINES: usize = 8;
/// The most cubes that a set is told with, unless everything is asked for.
const CUBES: usize = 3;

/// What a line of a reason is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WhyKind {
    /// What every reachable state satisfies, and why.
    Invariant,
    /// One condition of that.
    Clause,
    /// What must happen, and within how many steps.
    MustHappen,
    /// States from where it happens sooner or later, or within so many steps.
    Layer,
    /// What can happen, and within how many steps.
    CanHappen,
    /// States from where it can happen within so many steps.
    Ring,
    /// What the next states are like.
    NextStates,
    /// Where a sub-formula is true.
    Claim,
    /// A state from where it takes as many steps as from any.
    Example,
    /// How many lines are not told.
    More,
}

/// A line of a reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WhyLine {
    pub(crate) kind: WhyKind,
    /// 1 for an item of the line before it.
    pub(crate) depth: usize,
    pub(crate) text: Sentence,
    /// How many states a layer or ring has, if they were counted.
    pub(crate) states: Option<usize>,
}

/// Why there is no reason to show.
pub(crate) fn not_shown(why: NoCertificate) -> Sentence {
    match why {
        NoCertificate::Runs => {
            "no reason in terms of states: the property is about runs; --certificate gives one as data"
                .into()
        }
        NoCertificate::Effort => {
            "no short reason was found with the effort that is spent on it; --certificate spends more"
                .into()
        }
        why => say!(
            "no short reason was found: {}",
            super::certificate::no_certificate(why)
        ),
    }
}

/// The lines of a reason; `None`: there is none to show.
pub(crate) fn lines(report: &Report<'_>, why: &Why, full: bool) -> Option<Vec<WhyLine>> {
    let why = match why {
        Why::Shown(why) => why,
        Why::Proved(reason) => return Some(super::proved::lines(reason, full)),
        Why::NotShown(_) => return None,
    };
    let mut told = WhyLines {
        report,
        why,
        full,
        lines: Vec::new(),
    };
    // What the property itself requires of every state comes first, what else it takes last.
    if why.own > 0 {
        told.invariant();
    }
    // Operands come first in a certificate; people read what the property says first.
    for statement in why.statements.iter().rev() {
        told.statement(statement);
    }
    if why.own == 0 {
        told.invariant();
    }
    if told.lines.is_empty() {
        let everywhere = why.certificate.invariant.is_everything()
            && why
                .certificate
                .claims
                .iter()
                .all(|claim| claim.states.is_everything());
        let text = match everywhere {
            true => "it holds in every state that the variables can have, reachable or not",
            false => "its reason takes too many words; --certificate --full lists all of it",
        };
        told.push(WhyKind::Claim, 0, text);
    }
    if let Some(first) = told.lines.first_mut() {
        let recheck = SentenceAssertion::Certified(Recheck::Ok(why.conditions));
        first.text = std::mem::take(&mut first.text).asserting(recheck);
    }
    Some(told.lines)
}

struct WhyLines<'a> {
    report: &'a Report<'a>,
    why: &'a WhyHolds,
    full: bool,
    lines: Vec<WhyLine>,
}

impl WhyLines<'_> {
    fn push(&mut self, kind: WhyKind, depth: usize, text: impl Into<Sentence>) {
        self.lines.push(WhyLine {
            kind,
            depth,
            text: text.into(),
            states: None,
        });
    }

    /// The number of lines of a list that are told.
    fn shown(&self, all: usize) -> usize {
        // One line more is as long as the line that says so.
        match self.full || all <= LINES + 1 {
            true => all,
            false => LINES,
        }
    }

    fn more(&mut self, all: usize, shown: usize) {
        if shown < all {
            let more = all - shown;
            self.push(WhyKind::More, 1, say!("and {} more", more));
        }
    }

    fn invariant(&mut self) {
        let (cubes, own) = (&self.why.certificate.invariant.cubes, self.why.own);
        let clauses = &cubes[own.min(cubes.len())..];
        let required = self.required();
        match (&required[..], clauses.len()) {
            ([], 0) => {}
            (required, 0) => {
                let text = say!(
                    "{} true at the start, and every step keeps it so",
                    are(required)
                );
                self.push(WhyKind::Invariant, 0, text);
            }
            ([], _) => {
                let text = "true at the start, and kept by every step:";
                self.push(WhyKind::Invariant, 0, text);
            }
            (required, _) => {
                let text = say!(
                    "{} true at the start, and kept by every step together with:",
                    are(required)
                );
                self.push(WhyKind::Invariant, 0, text);
            }
        }
        let shown = self.shown(clauses.len());
        for cube in &clauses[..shown] {
            let text = self.clause(cube);
            self.push(WhyKind::Clause, 1, text);
        }
        self.more(clauses.len(), shown);
    }

    /// What the property itself requires of every state, where that is a part of the invariant.
    fn required(&self) -> Vec<Sentence> {
        if self.why.own == 0 {
            return vec![];
        }
        let formula = &self.why.query.formula;
        let propositional = formula.propositional();
        let mut required = Vec::new();
        for claim in self.why.certificate.claims.iter().rev() {
            let everywhere = claim.how == How::Closed && claim.states.is_everything();
            if let (true, Kernel::Path(pattern)) = (everywhere, kernel(formula, claim.goal)) {
                let stay = pattern.stay.iter();
                let stay = stay.filter(|goal| propositional[goal.sub] && pattern.goal.is_none());
                required.extend(stay.map(|&goal| self.goal(goal)));
            }
        }
        required
    }

    fn statement(&mut self, statement: &WhyStatement) {
        let claim = &self.why.certificate.claims[statement.claim];
        let kernel = kernel(&self.why.query.formula, claim.goal);
        let from = self.from(&statement.states);
        match (&claim.how, kernel) {
            (How::Leaves(layers), Kernel::Path(pattern)) => {
                self.must_happen(statement, &pattern, layers);
            }
            (How::Reaches { rings, endless }, Kernel::Path(pattern)) => {
                self.can_happen(statement, &pattern, rings, endless.as_ref());
            }
            (How::Step, Kernel::Step(quantifier, next)) => {
                let next = self.goal(next);
                let text = match quantifier {
                    Quantifier::Forall => say!("{} every step leads to {}", from, next),
                    Quantifier::Exists => say!("{} some step leads to {}", from, next),
                };
                self.push(WhyKind::NextStates, 0, text);
            }
            (How::Closed, Kernel::Path(pattern)) if !claim.states.is_everything() => {
                let stay = self.goals(&pattern.stay);
                let text = match &pattern.goal {
                    None => say!("{} {} holds for ever", from, stay),
                    Some(goals) => {
                        let goals = self.goals(goals);
                        say!("{} {} holds at least until {}", from, stay, goals)
                    }
                };
                self.push(WhyKind::Claim, 0, text);
            }
            (How::Bounded(_), _) => {
                let text = say!("{} {} holds", from, self.goal(claim.goal));
                self.push(WhyKind::Claim, 0, text);
            }
            _ => {}
        }
    }

    fn must_happen(&mut self, statement: &WhyStatement, pattern: &PathPattern, layers: &[Layer]) {
        let (from, goal) = (self.from(&statement.states), self.pattern_goal(pattern));
        let stay = match pattern.stay.is_empty() {
            true => Sentence::default(),
            false => say!(", and {} holds until then", self.goals(&pattern.stay)),
        };
        let Some(steps) = statement.steps else {
            let fair = fair(self.report, &self.why.query);
            let text = say!("{} every {}run reaches {}{}:", from, fair, goal, stay);
            self.push(WhyKind::MustHappen, 0, text);
            return self.fair_layers(layers);
        };
        if steps == 0 {
            let text = say!("{} {} holds", from, goal);
            return self.push(WhyKind::MustHappen, 0, text);
        }
        let most = count(steps, "step");
        // Runs from states without a fair path do not count where there are such states.
        let counted = match self.why.certificate.unfair {
            Some(_) => "fair ",
            None => "",
        };
        let sets: Vec<&StateSet> = layers.iter().map(|layer| &layer.states).collect();
        if let Some(distance) = self.distance(&sets) {
            let text = say!(
                "{} every {}run reaches {} within {}: within {} steps{}",
                from,
                counted,
                goal,
                most,
                formula(distance),
                stay
            );
            return self.push(WhyKind::MustHappen, 0, text);
        }
        let text = say!(
            "{} every {}run reaches {} within {}{}",
            from,
            counted,
            goal,
            most,
            stay
        );
        self.push(WhyKind::MustHappen, 0, text);
        self.bounds(WhyKind::Layer, statement);
    }

    fn can_happen(
        &mut self,
        statement: &WhyStatement,
        pattern: &PathPattern,
        rings: &[StateSet],
        endless: Option<&EndlessStates>,
    ) {
        let from = self.from(&statement.states);
        let fair = fair(self.report, &self.why.query);
        if let Some(endless) = endless {
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
            self.push(WhyKind::CanHappen, 0, text);
            let set = self.set(&endless.states);
            let text = say!("where {}, some step leads to such a state again", set);
            return self.push(WhyKind::Ring, 1, text);
        }
        let Some(steps) = statement.steps.filter(|_| !pattern.weak) else {
            let stay = self.goals(&pattern.stay);
            // No run stays for ever: it reaches its goal, or may end where it is.
            let text = match &pattern.goal {
                Some(goals) => say!(
                    "{} some {}run reaches {}, and {} holds until then",
                    from,
                    fair,
                    self.goals(goals),
                    stay
                ),
                None => say!("{} {} holds", from, stay),
            };
            return self.push(WhyKind::CanHappen, 0, text);
        };
        let goal = self.pattern_goal(pattern);
        if steps == 0 {
            let text = say!("{} {} holds", from, goal);
            return self.push(WhyKind::CanHappen, 0, text);
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
            return self.push(WhyKind::CanHappen, 0, text);
        }
        let text = say!(
            "{} some {}run reaches {} within {}{}",
            from,
            fair,
            goal,
            most,
            through
        );
        self.push(WhyKind::CanHappen, 0, text);
        self.bounds(WhyKind::Ring, statement);
    }

    /// From where it is fewer steps, and a state from where it is as many as from any.
    fn bounds(&mut self, kind: WhyKind, statement: &WhyStatement) {
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
            self.lines.push(WhyLine {
                kind,
                depth: 1,
                text,
                states,
            });
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

    /// "from every state with `x`,"
    fn from(&self, states: &StateSet) -> Sentence {
        match states.is_everything() {
            true => "from every reachable state,".into(),
            false => say!("from every reachable state where {},", self.set(states)),
        }
    }

    fn pattern_goal(&self, pattern: &PathPattern) -> Sentence {
        self.goals(pattern.goal.as_deref().unwrap_or_default())
    }

    fn goals(&self, goals: &[Goal]) -> Sentence {
        let goals: Vec<Sentence> = goals.iter().map(|&goal| self.goal(goal)).collect();
        joined(&goals, " and ")
    }

    /// A sub-formula or its negation, in quotes.
    fn goal(&self, goal: Goal) -> Sentence {
        let text = clean(&sub_text(self.report, &self.why.query, goal.sub));
        let text = match goal.holds {
            true => text,
            false => negated(&text),
        };
        formula(shortened(text, LONGEST))
    }

    /// A condition that every reachable state satisfies: that it is in no state of a cube.
    fn clause(&self, cube: &Cube) -> Sentence {
        let literals = literals(self.report, cube);
        if let [one] = &literals[..] {
            return say!("always {}", formula(one.opposite.clone()));
        }
        // The conclusion is what is said more plainly when it is turned round.
        let conclusion = literals.iter().rposition(|literal| literal.is_negative);
        let texts = |skipped: Option<usize>| {
            let kept = literals
                .iter()
                .enumerate()
                .filter(|(at, _)| Some(*at) != skipped);
            let texts: Vec<&str> = kept.map(|(_, literal)| literal.text.as_str()).collect();
            formula(texts.join(" & "))
        };
        match conclusion {
            Some(at) => say!(
                "where {}, always {}",
                texts(Some(at)),
                formula(literals[at].opposite.clone())
            ),
            None => say!("never {}", texts(None)),
        }
    }

    /// A set in words.
    fn set(&self, set: &StateSet) -> Sentence {
        if set.is_everything() {
            return "every state".into();
        }
        let most = match self.full {
            true => set.cubes.len(),
            false => CUBES,
        };
        let cubes: Vec<Sentence> = set
            .cubes
            .iter()
            .take(most)
            .map(|cube| {
                let literals = literals(self.report, cube);
                let alone = set.cubes.len() == 1 && set.outside;
                match (&literals[..], alone) {
                    ([one], true) => formula(one.opposite.clone()),
                    (literals, _) => {
                        let texts: Vec<&str> = literals.iter().map(|l| l.text.as_str()).collect();
                        let text = match texts.is_empty() {
                            true => "TRUE".to_string(),
                            false => texts.join(" & "),
                        };
                        formula(match alone {
                            true => negated(&text),
                            false => text,
                        })
                    }
                }
            })
            .collect();
        let text = match (set.outside, cubes.len()) {
            (_, 0 | 1) => joined(&cubes, ""),
            (false, _) => joined(&cubes, " or "),
            (true, _) => say!("neither {}", joined(&cubes, " nor ")),
        };
        match set.cubes.len().saturating_sub(most) {
            0 => text,
            more => say!("{} (and {} more)", text, more),
        }
    }
}

/// "`a` is", "`a` and `b` are".
fn are(conditions: &[Sentence]) -> Sentence {
    let verb = if conditions.len() == 1 { "is" } else { "are" };
    say!("{} {}", super::list(conditions), verb)
}
