//! Growing scopes: `for 3..5 A` is tried with 3 atoms, then with 4, then with 5.
//!
//! Each round is a command of its own with fixed scopes. All scopes that grow do so together, each by
//! its own step, and one that has come to its end stays there. The first round with an instance answers the
//! command; without one, the last round does.

use wherefore_base::Diagnostic;

use crate::model::{Command, ScopeOf, SigScope};

/// The commands that a command stands for, in the order in which they are tried: only itself if no scope of a
/// signature grows.
pub fn rounds(command: &Command) -> impl Iterator<Item = Command> + use<'_> {
    let last = command.scopes.iter().map(rounds_of).max().unwrap_or(0);
    (0..=last).map(move |round| {
        let mut command = command.clone();
        for scope in &mut command.scopes {
            if grows(scope) {
                let number = in_round(scope, round);
                (scope.from, scope.to) = (number, Some(number));
            }
        }
        command
    })
}

/// Whether the growing scopes of a command make sense.
pub(crate) fn check(command: &Command) -> Result<(), Diagnostic> {
    for scope in &command.scopes {
        let error = |message: &str| Diagnostic::error(scope.span, message);
        if scope.to.is_some_and(|to| to < scope.from) {
            return Err(error("This scope ends before it begins")
                .help("Write the smaller number first, as in `3..5`."));
        }
        if grows(scope) && scope.to.is_none() {
            return Err(error("This scope grows without end")
                .help(format!("Write where it ends, as in `{}..10`.", scope.from)));
        }
        if scope.step < 1 {
            return Err(error("This scope grows by 0, so it does not grow")
                .help("Leave the step out, and it grows by 1."));
        }
    }
    Ok(())
}

/// Lengths of traces are a range of their own kind: all of them are tried in every round.
fn grows(scope: &SigScope) -> bool {
    matches!(scope.of, ScopeOf::Sig(_)) && scope.to != Some(scope.from)
}

/// The number of the last round in which a scope grows.
fn rounds_of(scope: &SigScope) -> i64 {
    if !grows(scope) {
        return 0;
    }
    let to = i64::from(scope.to.unwrap_or(scope.from));
    let way = (to - i64::from(scope.from)).max(0);
    let step = i64::from(scope.step.max(1));
    // This rounds up: the last step may be a smaller one.
    (way + step - 1) / step
}

fn in_round(scope: &SigScope, round: i64) -> i32 {
    let number = i64::from(scope.from).saturating_add(round * i64::from(scope.step.max(1)));
    let last = i64::from(scope.to.unwrap_or(scope.from).max(scope.from));
    i32::try_from(number.min(last)).unwrap_or(i32::MAX)
}
