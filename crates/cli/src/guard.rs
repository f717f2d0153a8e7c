//! Panics: bugs of ours, told as such.

use std::backtrace::Backtrace;
use std::panic::{self, AssertUnwindSafe};

use crate::terminal;

/// Makes every panic say that it is a bug of ours, where it happened and how it came there.
pub(crate) fn install_hook() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".to_string());
        let place = info
            .location()
            .map(|place| format!(" at {place}"))
            .unwrap_or_default();
        terminal::error(&format!(
            "internal error: {text}{place}\n\
             This is a bug in wherefore {}. Please report it with the model and the lines below.\n{}",
            env!("CARGO_PKG_VERSION"),
            Backtrace::force_capture()
        ));
    }));
}

/// Runs something; `None` when it panicked, which the hook has told already.
pub(crate) fn guarded<T>(f: impl FnOnce() -> T) -> Option<T> {
    panic::catch_unwind(AssertUnwindSafe(f)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_caught() {
        assert_eq!(guarded(|| 1), Some(1));
        assert_eq!(guarded(|| -> u8 { panic!("on purpose") }), None);
    }
}
