//! Instances of a command, one after the other.

use std::cell::OnceCell;

use wherefore_alloy::model::Command;
use wherefore_alloy::scene::Moment;
use wherefore_alloy::{Lowered, Scene, Scopes, Shape, lower_trace, scopes};
use wherefore_base::{Budget, Diagnostic, Stop};
use wherefore_relational::{Refusal, Search, Size};
use wherefore_sat::Strongest;

use super::{AlloyChoices, AlloySession, Fault, Found, Refused, key};

/// A command with everything that a search for its instances needs.
///
/// A model in which nothing changes has one problem. Traces have one for each shape: how many states there
/// are, and to which the last one goes back. Each is made when it is first looked at.
#[derive(Debug)]
pub struct Question<'s> {
    session: &'s AlloySession,
    place: usize,
    choices: AlloyChoices,
    scopes: Scopes,
    shapes: Vec<(Shape, OnceCell<Lowered>)>,
}

/// Why there is no next instance, other than that there is none.
#[derive(Clone, Debug)]
pub enum Hitch {
    /// Time, memory or patience ran out.
    Stopped(Stop),
    /// The command cannot be answered.
    Refused(Box<Refused>),
}

impl<'s> Question<'s> {
    pub(super) fn new(
        session: &'s AlloySession,
        place: usize,
        choices: &AlloyChoices,
    ) -> Result<Self, Refused> {
        let command = &session.commands()[place];
        let scopes = scopes(session.model(), command, &choices.lowering.scopes).map_err(wrong)?;
        if let Some((_, None)) = scopes.steps {
            let message = "Traces of any length are not searched yet";
            let diagnostic = Diagnostic::error(command.span, message)
                .help("Give the most steps a trace may have, as in `1..10 steps`.");
            return Err(limited(diagnostic));
        }
        let shapes = Shape::all(&scopes).into_iter();
        Ok(Self {
            session,
            place,
            choices: choices.clone(),
            scopes,
            shapes: shapes.map(|shape| (shape, OnceCell::new())).collect(),
        })
    }

    /// The command.
    pub fn command(&self) -> &'s Command {
        &self.session.commands()[self.place]
    }

    /// The scopes, and the atoms that follow from them.
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// How it is asked.
    pub fn choices(&self) -> &AlloyChoices {
        &self.choices
    }

    /// The shapes of traces, the shortest first; a single state where nothing changes.
    pub fn shapes(&self) -> impl ExactSizeIterator<Item = Shape> + '_ {
        self.shapes.iter().map(|(shape, _)| *shape)
    }

    /// The problem for the traces of one of the shapes.
    ///
    /// # Errors
    /// When a predicate calls itself, or something is too large.
    ///
    /// # Panics
    /// When there is no shape with this place.
    pub fn lowered(&self, place: usize) -> Result<&Lowered, Refused> {
        let (shape, cell) = &self.shapes[place];
        if let Some(lowered) = cell.get() {
            return Ok(lowered);
        }
        let (model, choices) = (self.session.model(), &self.choices.lowering);
        let lowered = lower_trace(model, self.command(), choices, *shape).map_err(wrong)?;
        Ok(cell.get_or_init(|| lowered))
    }

    /// The problem that an instance was found for.
    ///
    /// # Errors
    /// As [`Question::lowered`].
    pub fn lowered_for(&self, found: &Found) -> Result<&Lowered, Refused> {
        let place = self.shapes().position(|shape| shape == found.shape);
        self.lowered(place.unwrap_or(0))
    }

    /// Its instances, one after the other; of a check, its counterexamples.
    pub fn instances(&self) -> Instances<'_> {
        Instances {
            question: self,
            at: 0,
            search: None,
            size: None,
        }
    }

    pub(super) fn scope_key(&self) -> String {
        key(&self.scopes, self.choices.lowering.overflow)
    }

    pub(super) fn session(&self) -> &'s AlloySession {
        self.session
    }

    /// Why a problem is refused, in the words of the model.
    pub(super) fn hitch(&self, refusal: Refusal) -> Hitch {
        let here = self.command().span;
        let refused = match refusal {
            Refusal::Stopped(stop) => return Hitch::Stopped(stop),
            Refusal::HigherOrder { variable, span } => {
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
            Refusal::TooLarge { message, span } => {
                let message = message.trim_end_matches('.');
                let diagnostic = Diagnostic::error(span.unwrap_or(here), message)
                    .help("Choose a smaller scope.");
                limited(diagnostic)
            }
            Refusal::Misfit { message } => limited(Diagnostic::error(
                here,
                message.trim_end_matches('.').to_string(),
            )),
            Refusal::Mistake { message } => Refused {
                diagnostic: Diagnostic::error(here, message.trim_end_matches('.').to_string()),
                fault: Fault::Mistake,
            },
        };
        Hitch::Refused(Box::new(refused))
    }
}

fn wrong(diagnostic: Diagnostic) -> Refused {
    let fault = Fault::Model;
    Refused { diagnostic, fault }
}

fn limited(diagnostic: Diagnostic) -> Refused {
    let fault = Fault::Limits;
    Refused { diagnostic, fault }
}

/// The instances of a command, one after the other.
///
/// Every instance is checked by an evaluator that shares no code with the search. Of traces that are the
/// same when they are written longer, only the shortest is given.
pub struct Instances<'q> {
    question: &'q Question<'q>,
    /// The shape that is searched.
    at: usize,
    search: Option<Search<'q, Strongest>>,
    size: Option<Size>,
}

impl<'q> Instances<'q> {
    /// The next instance, different from those before; none if there is no other.
    ///
    /// # Errors
    /// When the budget ends, or the command cannot be answered.
    pub fn next(&mut self, budget: &Budget) -> Result<Option<Found>, Hitch> {
        loop {
            if self.at >= self.question.shapes.len() {
                return Ok(None);
            }
            let found = self.next_here(budget)?;
            match found {
                Some(found) if is_shortest(&found.scene.moments, found.shape) => {
                    return Ok(Some(found));
                }
                Some(_) => {}
                None if self.question.shapes.len() == 1 => {
                    // The search stays: it knows why.
                    self.at += 1;
                }
                None => {
                    self.at += 1;
                    self.search = None;
                }
            }
        }
    }

    /// The next instance of the shape at hand.
    fn next_here(&mut self, budget: &Budget) -> Result<Option<Found>, Hitch> {
        let question = self.question;
        let hitch = |refusal| question.hitch(refusal);
        let lowered = question.lowered(self.at).map_err(refused)?;
        let search = match &mut self.search {
            Some(search) => search,
            none => {
                let options = &question.choices.search;
                let search = Search::new(&lowered.problem, options, budget).map_err(hitch)?;
                self.size = Some(search.size());
                none.insert(search)
            }
        };
        let Some(instance) = search.next(budget).map_err(hitch)? else {
            return Ok(None);
        };
        let model = question.session.model();
        let scene =
            Scene::new(model, question.command(), lowered, &instance, budget).map_err(hitch)?;
        let shape = lowered.shape;
        Ok(Some(Found {
            scene,
            instance,
            shape,
            values: Vec::new(),
        }))
    }

    /// How large the problem is that was translated last.
    pub fn size(&self) -> Option<Size> {
        self.size
    }

    /// No trace has so few states, or fewer; none where nothing changes or no length is done.
    pub fn reached(&self) -> Option<usize> {
        let (shape, _) = self.question.shapes.get(self.at)?;
        let done = shape.states.checked_sub(1)?;
        (done > 0).then_some(done)
    }

    pub(super) fn into_search(self) -> Option<Search<'q, Strongest>> {
        self.search
    }
}

fn refused(refused: Refused) -> Hitch {
    Hitch::Refused(Box::new(refused))
}

/// Whether a trace cannot be written with fewer states.
fn is_shortest(moments: &[Moment], shape: Shape) -> bool {
    let Shape { states, back } = shape;
    if back > 0 && moments[back - 1] == moments[states - 1] {
        return false;
    }
    let around = &moments[back..states];
    let repeats = |part: usize| {
        around.len().is_multiple_of(part)
            && (part..around.len()).all(|at| around[at] == around[at - part])
    };
    !(1..around.len()).any(repeats)
}
