//! Limits from outside: memory in use, and the keyboard.

use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Run, Stop};

/// How often time and memory are looked at.
const TICK: Duration = Duration::from_millis(20);

/// The limits from the command line: seconds, and megabytes; without the latter, most of what there is.
pub(crate) fn limits(seconds: Option<f64>, megabytes: Option<usize>) -> Budget {
    let time = seconds.map(Duration::from_secs_f64);
    let asked = megabytes.map(|megabytes| megabytes.saturating_mul(1 << 20));
    Budget::new(time, asked.or_else(most_memory))
}

/// Ctrl-C stops the work, which then shows what it knows; a second one ends the process.
pub(crate) fn stop_on_interrupt(budget: &Budget) {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    let budget = budget.clone();
    // Without a handler Ctrl-C ends the process at once, which is good enough.
    let _ = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        budget.stop(Stop::Cancelled);
    });
}

/// Ctrl-C from outside raises a flag.
#[cfg(feature = "tui")]
pub(crate) fn raise_on_interrupt(flag: &'static AtomicBool) {
    // Without a handler the process ends at once, and the shell restores the terminal.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
}

/// Somebody comes to an end.
#[derive(Default, Debug)]
pub(crate) struct Signal {
    ended: Mutex<bool>,
    told: Condvar,
}

/// Tells at its own end that somebody came to theirs, after a panic too.
#[derive(Debug)]
pub(crate) struct AtTheEnd<'a>(&'a Signal);

impl Signal {
    /// Whoever holds this is at work.
    pub(crate) fn at_the_end(&self) -> AtTheEnd<'_> {
        AtTheEnd(self)
    }

    /// Waits for the end, at most this long; whether it came.
    fn wait(&self, patience: Duration) -> bool {
        let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let going_on = |ended: &mut bool| !*ended;
        let waited = self.told.wait_timeout_while(ended, patience, going_on);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Drop for AtTheEnd<'_> {
    fn drop(&mut self) {
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.told.notify_all();
    }
}

/// Waits until somebody comes to an end, and stops the work when its memory is used up; `look` is what
/// else is done now and then.
///
/// # Errors
/// Why the work had to stop, when it is not done so long after that; `patience` is asked at the time
/// of the stop.
pub(crate) fn wait_for(
    end: &Signal,
    look: &dyn Fn(),
    budget: &Budget,
    patience: &dyn Fn() -> Duration,
) -> Run<()> {
    let mut until: Option<Instant> = None;
    while !end.wait(TICK) {
        look();
        watch_memory(budget);
        if let Err(stop) = budget.check() {
            let until = *until.get_or_insert_with(|| Instant::now() + patience());
            if Instant::now() >= until {
                return Err(stop);
            }
        }
    }
    Ok(())
}

/// Stops the work when more memory is in use than the budget allows.
pub(crate) fn watch_memory(budget: &Budget) {
    if let (Some(limit), Some(used)) = (budget.memory(), resident_bytes())
        && used > limit
    {
        budget.stop(Stop::Memory);
    }
}

/// How much memory the work may use when nobody says: most of what the machine has to give, so that
/// the work ends with an answer before the system ends it without one.
fn most_memory() -> Option<usize> {
    let text = beginning("/proc/meminfo")?;
    Some(kilobytes(&text, "MemAvailable:")? / 10 * 9 * 1024)
}

/// How many bytes of memory this process has; `None` where the system does not say.
fn resident_bytes() -> Option<usize> {
    let text = beginning("/proc/self/status")?;
    Some(kilobytes(&text, "VmRSS:")? * 1024)
}

/// The first page of a file that the system makes up, in one piece: each piece is made anew.
fn beginning(path: &str) -> Option<String> {
    let mut page = [0; 4096];
    let length = File::open(path).ok()?.read(&mut page).ok()?;
    String::from_utf8(page[..length].to_vec()).ok()
}

/// The number in the line that starts with a name, as the system writes it: `VmRSS:   5096 kB`.
fn kilobytes(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_not_done_in_time_after_a_stop_is_left() {
        let (budget, end) = (Budget::unlimited(), Signal::default());
        budget.stop(Stop::Cancelled);
        let patience = || Duration::from_millis(30);
        let waited = wait_for(&end, &|| {}, &budget, &patience);
        assert_eq!(waited, Err(Stop::Cancelled));
        drop(end.at_the_end());
        assert_eq!(wait_for(&end, &|| {}, &budget, &patience), Ok(()));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_above_the_limit_stops_the_work() {
        let budget = Budget::new(None, Some(1));
        watch_memory(&budget);
        assert_eq!(budget.check(), Err(Stop::Memory));
        let budget = Budget::new(None, Some(usize::MAX));
        watch_memory(&budget);
        assert_eq!(budget.check(), Ok(()));
    }
}
