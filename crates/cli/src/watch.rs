//! Limits from outside: memory in use, and the keyboard.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use wherefore_base::{Budget, Run, Stop};

/// How often time and memory are looked at.
const TICK: Duration = Duration::from_millis(20);
/// Work that ends within this many looks is noticed at once.
const FIRST_LOOKS: u32 = 20;

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

/// Waits until something is done, and stops the work when its memory is used up.
///
/// # Errors
/// Why the work had to stop, when it is not done so long after that; `patience` is asked at the time
/// of the stop.
pub(crate) fn wait_for(
    done: &dyn Fn() -> bool,
    budget: &Budget,
    patience: &dyn Fn() -> Duration,
) -> Run<()> {
    let mut until: Option<Instant> = None;
    let mut looks = 0;
    while !done() {
        watch_memory(budget);
        if let Err(stop) = budget.check() {
            let until = *until.get_or_insert_with(|| Instant::now() + patience());
            if Instant::now() >= until {
                return Err(stop);
            }
        }
        looks += 1;
        thread::sleep(if looks <= FIRST_LOOKS {
            TICK / 20
        } else {
            TICK
        });
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
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    Some(kilobytes(&text, "MemAvailable:")? / 10 * 9 * 1024)
}

/// How many bytes of memory this process has; `None` where the system does not say.
fn resident_bytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    Some(kilobytes(&text, "VmRSS:")? * 1024)
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
        let budget = Budget::unlimited();
        assert_eq!(wait_for(&|| true, &budget, &|| Duration::ZERO), Ok(()));
        budget.stop(Stop::Cancelled);
        let waited = wait_for(&|| false, &budget, &|| Duration::from_millis(30));
        assert_eq!(waited, Err(Stop::Cancelled));
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
