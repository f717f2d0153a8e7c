//! Labels and their numbers, shared by all threads.
//!
//! Most files have few labels and many lines. Each thread has a small table of labels it met, found by a
//! hash of their bytes, and asks the shared one only about others. Who asks first decides about the
//! number; that does not matter, since an [`Lts`](wherefore_model::lts::Lts) orders its labels by their
//! texts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use wherefore_model::lts::{ActionLabel, LabelId};

/// How many labels a thread remembers; a power of two.
const REMEMBERED: usize = 1 << 13;

/// Longer labels are not remembered: there may be many of them, and a copy for each thread.
const LONG: usize = 1 << 10;

/// About how many bytes a label takes besides its text.
const OVERHEAD: usize = 80;

/// All labels met so far.
#[derive(Default)]
pub(super) struct LabelTable {
    /// Hashed with random keys: nobody can write a file whose labels collide.
    ids: Mutex<HashMap<Box<str>, LabelId>>,
    bytes: AtomicUsize,
}

impl LabelTable {
    /// A thread's view of the labels.
    pub(super) fn cache(&self) -> LabelCache<'_> {
        let mut slots = Vec::new();
        slots.resize_with(REMEMBERED, LabelSlot::default);
        LabelCache {
            labels: self,
            slots,
        }
    }

    /// About how much memory they take.
    pub(super) fn bytes(&self) -> usize {
        // The number is an estimate, so it does not matter which thread comes first.
        self.bytes.load(Ordering::Relaxed)
    }

    /// The labels in the order of their numbers.
    pub(super) fn into_labels(self, internal: &[String]) -> Vec<ActionLabel> {
        let ids = self
            .ids
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let none = ActionLabel {
            text: String::new(),
            internal: false,
        };
        let mut labels = vec![none; ids.len()];
        for (text, id) in ids {
            labels[id.index()] = ActionLabel {
                internal: internal.iter().any(|name| **name == *text),
                text: text.into_string(),
            };
        }
        labels
    }

    fn id(&self, text: &str) -> LabelId {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&id) = ids.get(text) {
            return id;
        }
        let id = LabelId::new(ids.len());
        ids.insert(text.into(), id);
        self.bytes
            .fetch_add(text.len() + OVERHEAD, Ordering::Relaxed);
        id
    }
}

/// A thread's view of the labels.
pub(super) struct LabelCache<'l> {
    labels: &'l LabelTable,
    slots: Vec<LabelSlot>,
}

#[derive(Default)]
struct LabelSlot {
    text: Box<[u8]>,
    /// `None` when the slot is empty.
    id: Option<LabelId>,
}

impl LabelCache<'_> {
    /// The number of a label; `None` when it is not UTF-8.
    #[inline]
    pub(super) fn id(&mut self, text: &[u8]) -> Option<LabelId> {
        let slot = &mut self.slots[hash(text) as usize % REMEMBERED];
        match slot.id {
            Some(id) if *slot.text == *text => Some(id),
            _ => {
                let id = self.labels.id(str::from_utf8(text).ok()?);
                if text.len() <= LONG {
                    *slot = LabelSlot {
                        text: text.into(),
                        id: Some(id),
                    };
                }
                Some(id)
            }
        }
    }
}

/// A quick hash that spreads labels over the slots.
#[inline]
fn hash(text: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = text.as_chunks::<8>();
    let hash = words.iter().fold(text.len() as u64, |hash, word| {
        mix(hash, u64::from_le_bytes(*word))
    });
    let last = rest
        .iter()
        .fold(0, |last, byte| last << 8 | u64::from(*byte));
    let hash = mix(hash, last);
    // The highest bits of a product are mixed best.
    hash >> 40 ^ hash >> 52
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_one_number_in_all_threads() {
        let labels = LabelTable::default();
        let (mut one, mut other) = (labels.cache(), labels.cache());
        let long = "x".repeat(LONG);
        let texts: Vec<String> = (0..3 * REMEMBERED)
            .map(|n| match n % 100 {
                99 => format!("{long} !{n}"),
                _ => format!("LABEL !{n}"),
            })
            .collect();
        for round in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                let cache = [&mut one, &mut other][(number + round) % 2].id(text.as_bytes());
                assert_eq!(cache, Some(LabelId::new(number)));
            }
        }
        let found = labels.into_labels(&["LABEL !7".to_string()]);
        let found_texts: Vec<&String> = found.iter().map(|label| &label.text).collect();
        assert_eq!(found_texts, texts.iter().collect::<Vec<_>>());
        let internal = found.iter().position(|label| label.internal);
        assert_eq!(internal, Some(7));
    }

    #[test]
    fn bytes_that_are_no_text_are_no_label() {
        let labels = LabelTable::default();
        assert_eq!(labels.cache().id(b"caf\xe9"), None);
        assert_eq!(labels.cache().id(b""), Some(LabelId::new(0)));
    }
}
