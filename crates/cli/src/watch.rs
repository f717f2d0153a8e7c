//! Limits from outside: memory in use, and the keyboard.

use std::sync::atomic::{AtomicBool, Ordering};

use wherefore_base::{Budget, Stop};

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

/// Stops the work when more memory is in use than the budget allows.
pub(crate) fn watch_memory(budget: &Budget) {
    if let (Some(limit), Some(used)) = (budget.memory(), resident_bytes())
        && used > limit
    {
        budget.stop(Stop::Memory);
    }
}

/// How many bytes of memory this process has; `None` where the system does not say.
fn resident_bytes() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

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
