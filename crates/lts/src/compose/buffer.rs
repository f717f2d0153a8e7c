//! Buffers: messages that were sent and not yet received, as states of a system.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_model::lts::{ActionLabel, LabelId, LtsStep, StateId};

use crate::LtsHalt;
use crate::halt::counted;

use super::net::Queue;

/// What a label does with a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Act {
    Send(u32),
    Receive(u32),
}

/// A buffer, whose states are made when they are asked for; state 0 is empty.
pub(super) struct Messages {
    queue: Queue,
    bound: usize,
    labels: Vec<ActionLabel>,
    acts: Vec<Act>,
    contents: Vec<Arc<[u32]>>,
    known: FxHashMap<Arc<[u32]>, u32>,
}

impl Messages {
    /// An empty buffer; the labels are in the order of their texts.
    pub(super) fn new(queue: Queue, bound: usize, labels: Vec<(ActionLabel, Act)>) -> Self {
        let (labels, acts) = labels.into_iter().unzip();
        let empty: Arc<[u32]> = Arc::from([]);
        Self {
            queue,
            bound,
            labels,
            acts,
            contents: vec![Arc::clone(&empty)],
            known: FxHashMap::from_iter([(empty, 0)]),
        }
    }

    pub(super) fn labels(&self) -> &[ActionLabel] {
        &self.labels
    }

    /// The steps from a state, by label.
    pub(super) fn steps(&mut self, state: u32, steps: &mut Vec<LtsStep>) -> Result<(), LtsHalt> {
        let content = Arc::clone(&self.contents[state as usize]);
        for at in 0..self.acts.len() {
            if let Some(after) = self.after(&content, self.acts[at]) {
                let to = StateId::new(self.number(after)? as usize);
                let label = LabelId::new(at);
                steps.push(LtsStep { label, to });
            }
        }
        Ok(())
    }

    /// Whether a step with a label leads from one state to another.
    pub(super) fn leads(&self, from: u32, label: u32, to: u32) -> bool {
        let after = self.after(&self.contents[from as usize], self.acts[label as usize]);
        after.is_some_and(|after| after == *self.contents[to as usize])
    }

    /// How many messages there are in a state.
    pub(super) fn count(&self, state: u32) -> usize {
        self.contents[state as usize].len()
    }

    /// What is in the buffer after an act, when it is possible.
    fn after(&self, content: &[u32], act: Act) -> Option<Vec<u32>> {
        let mut after = content.to_vec();
        match act {
            Act::Send(message) => {
                let place = match self.queue {
                    Queue::Fifo => content.len(),
                    // A bag has no order: kept sorted, equal bags are equal lists.
                    Queue::Bag => content.partition_point(|&other| other <= message),
                };
                after.insert(place, message);
                (content.len() < self.bound).then_some(after)
            }
            Act::Receive(message) => {
                let place = content.iter().position(|&other| other == message)?;
                after.remove(place);
                // From a queue only the oldest message can be received.
                (place == 0 || self.queue == Queue::Bag).then_some(after)
            }
        }
    }

    fn number(&mut self, content: Vec<u32>) -> Result<u32, LtsHalt> {
        if let Some(&number) = self.known.get(&content[..]) {
            return Ok(number);
        }
        let number = counted(self.contents.len(), "states")?;
        let content: Arc<[u32]> = content.into();
        self.contents.push(Arc::clone(&content));
        self.known.insert(content, number);
        Ok(number)
    }
}
