//! The scopes that a command is written with, and those from outside that replace them.

use wherefore_base::{Diagnostic, Span};

use super::MOST_ATOMS;
use crate::model::{AlloyModel, Command, ScopeOf, SigId};
use crate::outside::{Override, find};

/// The most states a trace may have.
const MOST_STEPS: i32 = 1_000;

/// The scope that is given to a signature.
pub(super) struct GivenSigScope {
    pub(super) sig: SigId,
    pub(super) number: i32,
    pub(super) exactly: bool,
    pub(super) span: Span,
}

/// The least and the greatest number of states of a trace, and where it is written.
#[derive(Clone, Copy)]
struct GivenSteps {
    least: i32,
    most: Option<i32>,
    span: Span,
}

/// The scopes that are written in a command or given from outside.
#[derive(Default)]
pub(super) struct GivenScopes {
    bits: Option<i32>,
    sequence: Option<(i32, Span)>,
    steps: Option<GivenSteps>,
    pub(super) strings: Option<i32>,
    pub(super) sigs: Vec<GivenSigScope>,
}

impl GivenScopes {
    pub(super) fn of_command(command: &Command) -> Result<Self, Diagnostic> {
        let mut given = Self::default();
        for scope in &command.scopes {
            let (number, span) = (scope.from, scope.span);
            match scope.of {
                ScopeOf::Sig(sig) => given.sigs.push(GivenSigScope {
                    sig,
                    number,
                    exactly: scope.exactly,
                    span,
                }),
                ScopeOf::Int => given.bits = Some(number),
                ScopeOf::Seq => given.sequence = Some((number, span)),
                ScopeOf::Steps => {
                    // `10 steps` is short for `1..10 steps`.
                    let up_to = scope.to == Some(number) && !scope.exactly;
                    given.steps = Some(GivenSteps {
                        least: if up_to { 1 } else { number },
                        most: scope.to,
                        span,
                    });
                }
                ScopeOf::String if scope.exactly => given.strings = Some(number),
                ScopeOf::String => {
                    return Err(inexact_strings(span).help("Write `exactly` before the number."));
                }
            }
        }
        Ok(given)
    }

    /// Replaces scopes by those from outside.
    pub(super) fn override_with(
        &mut self,
        model: &AlloyModel,
        command: &Command,
        outside: &[Override],
    ) -> Result<(), Diagnostic> {
        let span = command.span;
        for other in outside {
            let number = other.number;
            match other.name.as_str() {
                "Int" | "int" => self.bits = Some(number),
                "seq" => self.sequence = Some((number, span)),
                "steps" => {
                    self.steps = Some(GivenSteps {
                        least: 1,
                        most: Some(number),
                        span,
                    });
                }
                "String" if other.exactly => self.strings = Some(number),
                "String" => {
                    let advice = format!("Write `--scope String=exactly:{number}`.");
                    return Err(inexact_strings(span).help(advice));
                }
                name => {
                    let sig = find(model, name).map_err(|near| {
                        let message = format!("There is no signature `{name}`");
                        let diagnostic = Diagnostic::error(span, message);
                        match near {
                            Some(near) => diagnostic.help(format!("Is `{near}` meant?")),
                            None => diagnostic,
                        }
                    })?;
                    self.sigs.retain(|given| given.sig != sig);
                    self.sigs.push(GivenSigScope {
                        sig,
                        number,
                        exactly: other.exactly,
                        span,
                    });
                }
            }
        }
        Ok(())
    }

    /// How many bits an integer has.
    pub(super) fn bits(&self, command: &Command) -> Result<i32, Diagnostic> {
        let bits = self.bits.unwrap_or(4);
        if !(1..=30).contains(&bits) {
            let message = format!("Integers of {bits} bits cannot be used: they have 1 to 30");
            return Err(Diagnostic::error(command.span, message));
        }
        let integers = 1i64 << bits;
        if integers > MOST_ATOMS {
            let message = format!(
                "Integers of {bits} bits are {integers} atoms, which is more than {MOST_ATOMS}"
            );
            return Err(Diagnostic::error(command.span, message));
        }
        Ok(bits)
    }

    /// How long a sequence is at most: its places are integers.
    pub(super) fn longest_sequence(&self, command: &Command, bits: i32) -> Result<i32, Diagnostic> {
        let greatest = (1i32 << (bits - 1)) - 1;
        match self.sequence {
            Some((number, span)) if number > greatest => {
                let message = format!(
                    "Sequences of length {number} need integers up to {number}, and those of {bits} bits end at {greatest}"
                );
                let advice = format!("Give integers more bits, as in `{} Int`.", bits + 1);
                Err(Diagnostic::error(span, message).help(advice))
            }
            Some((number, _)) => Ok(number.max(0)),
            None => Ok(command.overall.unwrap_or(4).clamp(0, greatest)),
        }
    }

    /// How many states a trace has, at least and at most; `None` where nothing changes over time.
    pub(super) fn trace_steps(
        &self,
        has_time: bool,
    ) -> Result<Option<(i32, Option<i32>)>, Diagnostic> {
        let Some(given) = self.steps else {
            return Ok(has_time.then_some((1, Some(10))));
        };
        if !has_time {
            let message = "`steps` has no meaning in a model in which nothing changes over time";
            return Err(Diagnostic::error(given.span, message)
                .help("Leave it out, or declare with `var` what changes."));
        }
        let most = given.most.unwrap_or(given.least);
        if most > MOST_STEPS {
            let message = format!("Traces of {most} states are longer than {MOST_STEPS}");
            return Err(Diagnostic::error(given.span, message));
        }
        Ok(Some((given.least.max(1), given.most)))
    }
}

fn inexact_strings(span: Span) -> Diagnostic {
    Diagnostic::error(span, "The scope of `String` must be exact")
}
