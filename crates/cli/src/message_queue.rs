//! Messages from the worker to whoever shows them.
//!
//! Most of what the worker tells is only kept until it is done with a model. To wake somebody for each of these
//! messages costs more than checking a small model does, so only those ring that somebody waits for;
//! whoever looks into the queue now and then finds the others as well.

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// A queue of messages, first in, first out.
#[derive(Debug)]
pub(crate) struct MessageQueue<T> {
    inside: Mutex<Inside<T>>,
    rung: Condvar,
}

#[derive(Debug)]
struct Inside<T> {
    messages: Vec<T>,
    /// Somebody should look, although the time of the next look has not come.
    rings: bool,
}

impl<T> Default for MessageQueue<T> {
    fn default() -> Self {
        let inside = Inside {
            messages: Vec::new(),
            rings: false,
        };
        Self {
            inside: Mutex::new(inside),
            rung: Condvar::new(),
        }
    }
}

impl<T> MessageQueue<T> {
    /// Leaves a message, and wakes who waits if it rings.
    pub(crate) fn put(&self, message: T, ring: bool) {
        let mut inside = self.lock();
        inside.messages.push(message);
        inside.rings |= ring;
        drop(inside);
        if ring {
            self.rung.notify_one();
        }
    }

    /// All messages, once one of them rings; those that are there after so long otherwise.
    pub(crate) fn take(&self, patience: Duration) -> Vec<T> {
        let quiet = |inside: &mut Inside<T>| !inside.rings;
        let waited = self.rung.wait_timeout_while(self.lock(), patience, quiet);
        let (mut inside, _) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
        inside.rings = false;
        std::mem::take(&mut inside.messages)
    }

    fn lock(&self) -> MutexGuard<'_, Inside<T>> {
        self.inside
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Instant;

    use super::*;

    #[test]
    fn messages_come_in_order_and_wait_for_one_that_rings() {
        let queue = MessageQueue::default();
        thread::scope(|scope| {
            scope.spawn(|| {
                queue.put(1, false);
                queue.put(2, false);
                queue.put(3, true);
            });
            assert_eq!(queue.take(Duration::MAX), [1, 2, 3]);
        });
        assert!(queue.take(Duration::ZERO).is_empty());
    }

    #[test]
    fn without_a_ring_they_are_there_when_patience_ends() {
        let queue = MessageQueue::default();
        queue.put("quiet", false);
        let begin = Instant::now();
        assert_eq!(queue.take(Duration::from_millis(5)), ["quiet"]);
        assert!(begin.elapsed() >= Duration::from_millis(5));
    }
}
