//! Several engines at one model: while the first is stuck, the next one begins beside it.
//!
//! When it begins is a matter of how much the others have done since the last answer, so a busy machine does not
//! bring in more engines than an idle one, and neither does a model with more properties. Time counts only where they do
//! nothing that is counted.
//! Whoever answers a property first is heard, and the others leave that property alone from then on. All
//! engines give the same verdicts and the same evidence, so who wins shows in the time only.

use std::collections::HashSet;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Run, Stop};
use wherefore_evidence::{UnknownReason, Verdict};

use crate::engines::Event;

/// Somebody who answers properties: it is given its budget, asks before each property whether the answer
/// is still wanted, and tells what becomes known.
pub(crate) struct Runner<'a> {
    /// How many steps of work the others have done since the last answer when this one begins, unless all of them gave up
    /// before.
    pub(crate) after: u64,
    /// How long the others have been at it without an answer when this one begins, if they do next to nothing that is counted.
    pub(crate) latest: Duration,
    /// What it does.
    pub(crate) work: Box<Work<'a>>,
}

/// What a [`Runner`] does.
pub(crate) type Work<'a> =
    dyn FnOnce(&Budget, &dyn Fn(usize) -> bool, &mut dyn FnMut(Event)) -> Run<()> + Send + 'a;

/// Time counts where less than this part of the work is done in it that brings in the next one.
const BUSY: u64 = 20;

/// How often it is looked at how much was done.
const LOOK: Duration = Duration::from_millis(100);

enum Message {
    Event(Event),
    Stopped(Stop),
    Ended,
}

/// Lets the runners, in the order of their beginnings, answer these properties.
///
/// # Errors
/// When all of them end before every property is answered: why the last one did.
pub(crate) fn race(
    runners: Vec<Runner<'_>>,
    properties: &[usize],
    budget: &Budget,
    tell: &mut dyn FnMut(Event),
) -> Run<()> {
    let whole = budget.part();
    let open = Mutex::new(properties.iter().copied().collect::<HashSet<usize>>());
    let wanted = |property: usize| lock(&open).contains(&property);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let (mut answered, mut done) = (Instant::now(), whole.work());
        let mut waiting = runners.into_iter().peekable();
        let (mut running, mut space_told) = (0, false);
        let mut why = Ok(());
        while !lock(&open).is_empty() {
            let late = |runner: &Runner<'_>| {
                let work = whole.work().saturating_sub(done);
                let idle = work < runner.after / BUSY;
                work >= runner.after || idle && answered.elapsed() >= runner.latest
            };
            if let Some(runner) = waiting.next_if(|runner| running == 0 || late(runner)) {
                let (sender, part) = (Last(sender.clone()), whole.clone());
                scope.spawn(move || {
                    let mut forward = |event| sender.send(Message::Event(event));
                    if let Err(stop) = (runner.work)(&part, &wanted, &mut forward) {
                        sender.send(Message::Stopped(stop));
                    }
                });
                running += 1;
                continue;
            }
            if running == 0 {
                break;
            }
            let patience = match waiting.peek() {
                Some(_) => LOOK,
                None => Duration::MAX,
            };
            match receiver.recv_timeout(patience) {
                Ok(Message::Event(Event::Finding(finding))) => {
                    let gave_up =
                        matches!(finding.verdict, Verdict::Unknown(UnknownReason::Stopped(_)));
                    if !gave_up && lock(&open).remove(&finding.property) {
                        tell(Event::Finding(finding));
                        (answered, done) = (Instant::now(), whole.work());
                    }
                }
                Ok(Message::Event(event)) => {
                    if !std::mem::replace(&mut space_told, true) {
                        tell(event);
                    }
                }
                Ok(Message::Stopped(stop)) => why = Err(stop),
                Ok(Message::Ended) => running -= 1,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
        whole.cancel_part();
        match lock(&open).is_empty() {
            true => Ok(()),
            false => why,
        }
    })
}

fn lock(open: &Mutex<HashSet<usize>>) -> MutexGuard<'_, HashSet<usize>> {
    open.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A sender that says when it is gone, even after a panic.
struct Last(Sender<Message>);

impl Last {
    fn send(&self, message: Message) {
        // Nobody listens any more once everything is answered.
        let _ = self.0.send(message);
    }
}

impl Drop for Last {
    fn drop(&mut self) {
        self.send(Message::Ended);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::undecided;
    use wherefore_evidence::Finding;
    use wherefore_model::Model;

    fn model() -> Model {
        let session =
            crate::ModelSubject::from_text("m", "MODULE main\nVAR x : boolean;\nSPEC x\nSPEC !x\n");
        session.expect("it is right").model().clone()
    }

    fn answer(model: &Model, property: usize, verdict: Verdict) -> Event {
        let finding = undecided(model, property, Stop::Cancelled);
        Event::Finding(Box::new(Finding { verdict, ..finding }))
    }

    #[test]
    fn the_next_runner_answers_what_the_first_is_stuck_at() {
        let model = model();
        let stuck = Runner {
            after: 0,
            latest: Duration::ZERO,
            work: Box::new(
                |budget: &Budget, _: &dyn Fn(usize) -> bool, tell: &mut dyn FnMut(Event)| {
                    tell(answer(&model, 0, Verdict::Holds));
                    loop {
                        budget.worked(1);
                        budget.check()?;
                        thread::yield_now();
                    }
                },
            ),
        };
        let next = Runner {
            after: 1000,
            latest: Duration::MAX,
            work: Box::new(
                |_: &Budget, wanted: &dyn Fn(usize) -> bool, tell: &mut dyn FnMut(Event)| {
                    for property in (0..2).filter(|property| wanted(*property)) {
                        tell(answer(&model, property, Verdict::Fails));
                    }
                    Ok(())
                },
            ),
        };
        let mut heard = Vec::new();
        let outcome = race(
            vec![stuck, next],
            &[0, 1],
            &Budget::unlimited(),
            &mut |event| {
                if let Event::Finding(finding) = event {
                    heard.push((finding.property, finding.verdict));
                }
            },
        );
        assert_eq!(outcome, Ok(()));
        assert_eq!(heard, [(0, Verdict::Holds), (1, Verdict::Fails)]);
    }

    #[test]
    fn when_all_give_up_the_next_begins_at_once_and_the_last_reason_stays() {
        let runner = |after, stop| Runner {
            after,
            latest: Duration::MAX,
            work: Box::new(
                move |_: &Budget, _: &dyn Fn(usize) -> bool, _: &mut dyn FnMut(Event)| Err(stop),
            ),
        };
        let runners = vec![runner(0, Stop::Memory), runner(u64::MAX, Stop::TimeOut)];
        let outcome = race(runners, &[0], &Budget::unlimited(), &mut |_| {});
        assert_eq!(outcome, Err(Stop::TimeOut));
    }
}
