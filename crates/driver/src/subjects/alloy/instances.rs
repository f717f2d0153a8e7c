//! Instances of a command, one after the other.

use std::cell::OnceCell;

use wherefore_alloy::model::Command;
use wherefore_alloy::scene::Moment;
use wherefore_alloy::{LoweredCommand, Scene, Scopes, TraceShape, lower_lassos, rounds, scopes};
use wherefore_base::{Budget, Diagnostic, Span, Stop};
use wherefore_relational::{ProblemRefusal, Search, Size};
use wherefore_sat::Strongest;
use wherefore_tcmc::order_states;

use super::{AlloyOptions, AlloySubject, AnswerInstance, CommandFault, Refused, key};

/// A command with everything that a search for its instances needs.
///
/// Where scopes grow there are problems for each round, and for traces one for each number of states; the last
/// state may go back to any of them. Each problem is made when it is first looked at.
#[derive(Debug)]
pub struct CommandQuestion<'s> {
    session: &'s AlloySubject,
    place: usize,
    choices: AlloyOptions,
    rounds: Vec<(Command, Scopes)>,
    problems: Vec<Problem>,
}

/// A problem that is perhaps not made yet.
#[derive(Debug)]
struct Problem {
    round: usize,
    states: usize,
    lowered: OnceCell<LoweredCommand>,
}

/// Why there is no next instance, other than that there is none.
#[derive(Clone, Debug)]
pub enum Hitch {
    /// Time, memory or patience ran out.
    Stopped(Stop),
    /// The command cannot be answered.
    Refused(Box<Refused>),
}

impl<'s> CommandQuestion<'s> {
    pub(super) fn new(
        session: &'s AlloySubject,
        place: usize,
        choices: &AlloyOptions,
    ) -> Result<Self, Refused> {
        Self::scoped(session, place, &session.commands()[place], choices)
    }

    /// The same with the scopes of another command.
    pub(super) fn scoped(
        session: &'s AlloySubject,
        place: usize,
        command: &Command,
        choices: &AlloyOptions,
    ) -> Result<Self, Refused> {
        let outside = &choices.lowering.scopes;
        let (mut found, mut problems) = (Vec::new(), Vec::new());
        for command in rounds(command) {
            let scopes = scopes(session.model(), &command, outside).map_err(wrong)?;
            if let Some((_, None)) = scopes.steps {
                // Lowering says what is wrong with that.
                let states = TraceShape::longest(&scopes);
                let lowered = lower_lassos(session.model(), &command, &choices.lowering, states);
                return Err(limited(lowered.err().unwrap_or_else(|| {
                    Diagnostic::error(command.span, "Traces of any length are not searched")
                })));
            }
            let mut lengths: Vec<usize> =
                TraceShape::all(&scopes).iter().map(|s| s.states).collect();
            lengths.dedup();
            problems.extend(lengths.into_iter().map(|states| Problem {
                round: found.len(),
                states,
                lowered: OnceCell::new(),
            }));
            found.push((command, scopes));
        }
        Ok(Self {
            session,
            place,
            choices: choices.clone(),
            rounds: found,
            problems,
        })
    }

    /// The command.
    pub fn command(&self) -> &'s Command {
        &self.session.commands()[self.place]
    }

    /// The place of the command.
    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// The scopes, and the atoms that follow from them; of growing scopes those of the last round.
    pub fn scopes(&self) -> &Scopes {
        &self.last_round().1
    }

    /// The command with the scopes of the last round.
    pub(super) fn last_round(&self) -> &(Command, Scopes) {
        self.rounds.last().expect("there is a round")
    }

    /// The scopes in which an instance was found.
    pub fn scopes_of(&self, found: &AnswerInstance) -> &Scopes {
        &self.rounds[self.problems[found.problem].round].1
    }

    /// How it is asked.
    pub fn choices(&self) -> &AlloyOptions {
        &self.choices
    }

    /// How many states the longest traces have; one where nothing changes.
    pub(super) fn longest(&self) -> usize {
        self.problems.last().map_or(1, |problem| problem.states)
    }

    /// The last problem: if it has no instance, no trace of the last round has one, of whatever length.
    pub(super) fn last_problem(&self) -> usize {
        self.problems.len() - 1
    }

    /// The problem with a place.
    ///
    /// # Errors
    /// When a predicate calls itself, or something is too large.
    ///
    /// # Panics
    /// When there is no problem with this place.
    pub fn lowered(&self, place: usize) -> Result<&LoweredCommand, Refused> {
        let problem = &self.problems[place];
        if let Some(lowered) = problem.lowered.get() {
            return Ok(lowered);
        }
        let (model, choices) = (self.session.model(), &self.choices.lowering);
        let command = &self.rounds[problem.round].0;
        let mut lowered = lower_lassos(model, command, choices, problem.states).map_err(wrong)?;
        order_states(model, &mut lowered);
        Ok(problem.lowered.get_or_init(|| lowered))
    }

    /// The problem that an instance was found for.
    ///
    /// # Errors
    /// As [`CommandQuestion::lowered`].
    pub fn lowered_for(&self, found: &AnswerInstance) -> Result<&LoweredCommand, Refused> {
        self.lowered(found.problem)
    }

    /// Its instances, one after the other; of a check, its counterexamples.
    pub fn instances(&self) -> Instances<'_> {
        Instances {
            question: self,
            at: 0,
            looked_ahead: None,
            search: None,
            size: None,
        }
    }

    pub(super) fn scope_key(&self) -> String {
        key(self.scopes(), self.choices.lowering.overflow)
    }

    pub(super) fn session(&self) -> &'s AlloySubject {
        self.session
    }

    /// Why a problem is refused, in the words of the model.
    pub(super) fn hitch(&self, refusal: ProblemRefusal) -> Hitch {
        hitch_at(refusal, self.command().span)
    }
}

/// Why a problem is refused, in the words of the model; `here` is the place of what is asked.
pub(super) fn hitch_at(refusal: ProblemRefusal, here: Span) -> Hitch {
    let refused = match refusal {
        ProblemRefusal::Stopped(stop) => return Hitch::Stopped(stop),
        ProblemRefusal::HigherOrder { variable, span } => {
            let message = format!(
                "The quantified variable `{variable}` stands for a set or a relation, and no witness can \
                 be guessed for it"
            );
            let diagnostic = Diagnostic::error(span.unwrap_or(here), message).help(
                "A set or relation can be quantified by `some` at the top of what is run, and by `all` at \
                 the top of what is checked.",
            );
            limited(diagnostic)
        }
        ProblemRefusal::TooLarge { message, span } => {
            let message = message.trim_end_matches('.');
            let diagnostic =
                Diagnostic::error(span.unwrap_or(here), message).help("Choose a smaller scope.");
            limited(diagnostic)
        }
        ProblemRefusal::Misfit { message } => limited(Diagnostic::error(
            here,
            message.trim_end_matches('.').to_string(),
        )),
        ProblemRefusal::Mistake { message } => Refused {
            diagnostic: Diagnostic::error(here, message.trim_end_matches('.').to_string()),
            fault: CommandFault::Mistake,
        },
    };
    Hitch::Refused(Box::new(refused))
}

fn wrong(diagnostic: Diagnostic) -> Refused {
    let fault = CommandFault::Model;
    Refused { diagnostic, fault }
}

fn limited(diagnostic: Diagnostic) -> Refused {
    let fault = CommandFault::Limits;
    Refused { diagnostic, fault }
}

/// The instances of a command, one after the other.
///
/// Every instance is checked by an evaluator that shares no code with the search. Of traces that are the
/// same when they are written longer, only the shortest that the scope allows is given.
pub struct Instances<'q> {
    question: &'q CommandQuestion<'q>,
    /// The problem that is searched.
    at: usize,
    /// The round whose longest traces were looked at: it has some.
    looked_ahead: Option<usize>,
    search: Option<Search<'q, Strongest>>,
    size: Option<Size>,
}

impl<'q> Instances<'q> {
    /// The next instance, different from those before; none if there is no other.
    ///
    /// # Errors
    /// When the budget ends, or the command cannot be answered.
    pub fn next(&mut self, budget: &Budget) -> Result<Option<AnswerInstance>, Hitch> {
        while self.at < self.question.problems.len() {
            if !self.has_traces(budget)? {
                continue;
            }
            let found = self.next_here(budget)?;
            match found {
                Some(found) if self.is_new(&found) => return Ok(Some(found)),
                Some(_) => {}
                None => self.go_on(self.at + 1),
            }
        }
        Ok(None)
    }

    /// Whether a trace is not one that was given before, written differently.
    fn is_new(&self, found: &AnswerInstance) -> bool {
        let shortest_allowed = match self.question.scopes_of(found).steps {
            Some((least, _)) => i64::from(least) == found.shape.states as i64,
            None => true,
        };
        let (moments, shape) = (&found.scene.moments, found.shape);
        goes_round_once(moments, shape) && (shortest_allowed || loops_soonest(moments, shape))
    }

    /// Goes on to another problem. The search of the last one stays: it knows why there is nothing.
    fn go_on(&mut self, to: usize) {
        self.at = to;
        if self.at < self.question.problems.len() {
            self.search = None;
        }
    }

    /// Whether the round at hand has traces of any length. A trace of fewer states is one of more states as
    /// well, so only the longest are looked at; without any, the round is left.
    fn has_traces(&mut self, budget: &Budget) -> Result<bool, Hitch> {
        let question = self.question;
        let round = question.problems[self.at].round;
        let mut of_round = question
            .problems
            .iter()
            .filter(|problem| problem.round == round);
        let several = of_round.nth(1).is_some();
        if !several || self.looked_ahead == Some(round) {
            return Ok(true);
        }
        let after = question
            .problems
            .iter()
            .rposition(|problem| problem.round == round);
        let longest = after.expect("the problem at hand is one of them");
        let lowered = question.lowered(longest).map_err(refused)?;
        let mut search = self.search_of(lowered, budget)?;
        let some = search.next_unchecked(budget);
        if some.map_err(|refusal| question.hitch(refusal))?.is_some() {
            self.looked_ahead = Some(round);
            return Ok(true);
        }
        self.search = Some(search);
        self.go_on(longest + 1);
        Ok(false)
    }

    /// A search for the instances of a problem.
    fn search_of(
        &mut self,
        lowered: &'q LoweredCommand,
        budget: &Budget,
    ) -> Result<Search<'q, Strongest>, Hitch> {
        let options = &self.question.choices.search;
        let search = Search::new(&lowered.problem, options, budget);
        let search = search.map_err(|refusal| self.question.hitch(refusal))?;
        self.size = Some(search.size());
        Ok(search)
    }

    /// Translates the problem at hand, if that was not done before.
    pub(super) fn made(&mut self, budget: &Budget) -> Result<(), Hitch> {
        if self.search.is_none() {
            let lowered = self.question.lowered(self.at).map_err(refused)?;
            self.search = Some(self.search_of(lowered, budget)?);
        }
        Ok(())
    }

    /// The next instance of the problem at hand.
    fn next_here(&mut self, budget: &Budget) -> Result<Option<AnswerInstance>, Hitch> {
        let question = self.question;
        let hitch = |refusal| question.hitch(refusal);
        self.made(budget)?;
        let lowered = question.lowered(self.at).map_err(refused)?;
        let search = self.search.as_mut().expect("it was made above");
        let Some(instance) = search.next(budget).map_err(hitch)? else {
            return Ok(None);
        };
        let model = question.session.model();
        let scene =
            Scene::new(model, question.command(), lowered, &instance, budget).map_err(hitch)?;
        let shape = lowered.shape_in(&instance);
        Ok(Some(AnswerInstance {
            scene,
            instance,
            shape,
            problem: self.at,
            values: Vec::new(),
        }))
    }

    /// How large the problem is that was translated last.
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// No trace has so few states, or fewer; none where nothing changes or no length is done.
    pub fn reached(&self) -> Option<usize> {
        let problem = self.question.problems.get(self.at)?;
        let before = self.question.problems[..self.at].last()?;
        (before.round == problem.round).then_some(before.states)
    }

    pub(super) fn into_search(self) -> Option<Search<'q, Strongest>> {
        self.search
    }
}

fn refused(refused: Refused) -> Hitch {
    Hitch::Refused(Box::new(refused))
}

/// Whether the states that come again and again are told once only.
fn goes_round_once(moments: &[Moment], shape: TraceShape) -> bool {
    let around = &moments[shape.back..shape.states];
    let repeats = |part: usize| {
        around.len().is_multiple_of(part)
            && (part..around.len()).all(|at| around[at] == around[at - part])
    };
    !(1..around.len()).any(repeats)
}

/// Whether no state before those that come again and again is one of them already.
fn loops_soonest(moments: &[Moment], shape: TraceShape) -> bool {
    shape.back == 0 || moments[shape.back - 1] != moments[shape.states - 1]
}
