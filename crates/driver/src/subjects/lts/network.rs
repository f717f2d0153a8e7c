//! The files that a labelled transition system was read from, and how they make it.

use std::collections::BTreeSet;
use std::io::{Chain, Cursor, Read};
use std::sync::Arc;

use wherefore_base::{Budget, FileId, Run};
use wherefore_lts::compose::{BuildFailure, LiftedStep, Net, Origins, PartMove};
use wherefore_lts::reduce::{Reduction, reduce};
use wherefore_lts::{LtsHalt, aut};
use wherefore_model::lts::{Lts, LtsStateTexts, StateId, Transition};

/// The text of a larger file is not kept: nothing in it is pointed at or changed.
pub(crate) const LARGEST_TEXT: usize = 1 << 20;
/// Of a composition with more states it is not kept where they come from.
pub(crate) const MOST_STATES: usize = 1 << 20;

/// A system in a file.
#[derive(Debug)]
pub(crate) struct Component {
    /// What the composition calls it.
    pub(crate) name: String,
    /// Its text among the sources, if that is kept.
    pub(crate) file: Option<FileId>,
    /// The system as it was read.
    pub(crate) lts: Arc<Lts>,
}

/// How a system is made from files.
#[derive(Debug)]
pub(crate) enum Wiring {
    /// It is the one in a file, perhaps reduced.
    Single(Option<Reduction>),
    /// Files are composed; where states and steps come from, unless these are too many.
    Composed(Net, Option<Origins>),
}

/// The files that a system was read from.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) wiring: Wiring,
    pub(crate) components: Vec<Component>,
    /// The names of internal steps.
    pub(crate) internal: Vec<String>,
}

/// A network with a change.
pub(crate) struct ChangedNetwork {
    /// The system.
    pub(crate) lts: Lts,
    origins: Option<Origins>,
}

impl Network {
    /// What takes part in a step of the system; `None` where that is not known.
    pub(crate) fn lift(&self, lts: &Lts, step: Transition) -> Option<LiftedStep> {
        match &self.wiring {
            Wiring::Single(reduced) => Some(lift_single(*reduced, step)),
            Wiring::Composed(_, origins) => lift_in(origins.as_ref()?, lts, step),
        }
    }

    /// The same of the system with a change.
    pub(crate) fn lift_changed(
        &self,
        changed: &ChangedNetwork,
        step: Transition,
    ) -> Option<LiftedStep> {
        match (&self.wiring, &changed.origins) {
            (Wiring::Single(reduced), _) => Some(lift_single(*reduced, step)),
            (Wiring::Composed(..), origins) => lift_in(origins.as_ref()?, &changed.lts, step),
        }
    }

    /// The system with another one in a file; `None` where it cannot be made or is too large.
    ///
    /// # Errors
    /// When the budget ends first.
    pub(crate) fn changed(
        &self,
        file: usize,
        other: &Lts,
        budget: &Budget,
    ) -> Run<Option<ChangedNetwork>> {
        match &self.wiring {
            Wiring::Single(None) => Ok(Some(ChangedNetwork {
                lts: other.clone(),
                origins: None,
            })),
            Wiring::Single(Some(how)) => match reduce(other, *how, budget) {
                Ok(lts) => Ok(Some(ChangedNetwork { lts, origins: None })),
                Err(LtsHalt::Stopped(stop)) => Err(stop),
                Err(LtsHalt::TooMany(_)) => Ok(None),
            },
            Wiring::Composed(net, _) => {
                let load = |name: &str| {
                    let mut all = self.components.iter().enumerate();
                    match all.find(|(_, component)| component.name == name) {
                        Some((at, _)) if at == file => Ok(other.clone()),
                        Some((_, component)) => Ok(Lts::clone(&component.lts)),
                        None => Err(()),
                    }
                };
                match net.build_with_origins(load, &self.internal, budget) {
                    Ok((built, origins)) => Ok(Some(ChangedNetwork {
                        lts: built.lts,
                        origins: Some(origins),
                    })),
                    Err(BuildFailure::Halted(LtsHalt::Stopped(stop))) => Err(stop),
                    Err(_) => Ok(None),
                }
            }
        }
    }

    /// Why no place of the files can be pointed at; `None` where that is possible.
    pub(crate) fn is_mute(&self) -> Option<String> {
        let mut components = self.components.iter();
        if let Some(large) = components.find(|component| component.file.is_none()) {
            return Some(format!(
                "{} is compressed or larger than {LARGEST_TEXT} bytes, and changes are tried in plain files up to that size",
                large.name
            ));
        }
        matches!(self.wiring, Wiring::Composed(_, None)).then(|| {
            format!("the composition has more than {MOST_STATES} states, and changes are tried in smaller ones")
        })
    }
}

impl LtsStateTexts for Network {
    fn state_text(&self, state: StateId) -> Option<String> {
        let Wiring::Composed(_, Some(origins)) = &self.wiring else {
            return None;
        };
        let leaves = origins.leaves(state);
        let texts: Vec<String> = leaves.iter().map(ToString::to_string).collect();
        (texts.len() > 1).then(|| texts.join("."))
    }
}

fn lift_single(reduced: Option<Reduction>, step: Transition) -> LiftedStep {
    match reduced {
        Some(_) => LiftedStep {
            moves: vec![],
            reduced: BTreeSet::from([0]),
        },
        None => LiftedStep {
            moves: vec![PartMove {
                file: 0,
                from: step.from,
                label: step.label,
                to: step.to,
            }],
            reduced: BTreeSet::new(),
        },
    }
}

fn lift_in(origins: &Origins, lts: &Lts, step: Transition) -> Option<LiftedStep> {
    origins.lift(step.from, lts.text(step.label), step.to)
}

/// The beginning of an input, as text if that is all of it.
pub(crate) enum BegunText<R> {
    /// All of it.
    Whole(String),
    /// More than is kept, or no plain text.
    Stream(Chain<Cursor<Vec<u8>>, R>),
}

/// Reads the beginning of an input.
pub(crate) fn begin<R: Read>(mut input: R) -> std::io::Result<BegunText<R>> {
    let mut bytes = Vec::new();
    let most = LARGEST_TEXT as u64 + 1;
    input.by_ref().take(most).read_to_end(&mut bytes)?;
    if bytes.len() <= LARGEST_TEXT && std::str::from_utf8(&bytes).is_ok() {
        let text = String::from_utf8(bytes).unwrap_or_default();
        return Ok(BegunText::Whole(text));
    }
    Ok(BegunText::Stream(Cursor::new(bytes).chain(input)))
}

/// Reads a system, with its text if that is kept.
pub(crate) fn read_input(
    input: impl Read + Send,
    options: &aut::ReadOptions,
    budget: &Budget,
) -> Run<Result<(Lts, Option<String>), aut::AutError>> {
    Ok(match begin(input) {
        Ok(BegunText::Whole(text)) => {
            let lts = aut::read(text.as_bytes(), options, budget)?;
            lts.map(|lts| (lts, Some(text)))
        }
        Ok(BegunText::Stream(rest)) => aut::read(rest, options, budget)?.map(|lts| (lts, None)),
        Err(error) => Err(aut::AutError::cannot_be_read(&error)),
    })
}
