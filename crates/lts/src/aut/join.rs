//! Parsed blocks, joined in their order to a system.
//!
//! Whoever has parsed a block adds it; a block that comes before its time waits. Most files list the
//! transitions of a state together and the states in order; the steps of the blocks in a row are then
//! those of the system. Otherwise they are distributed by their sources at the end (a counting sort).

use std::collections::BTreeMap;

use wherefore_base::{Budget, Run, Stop};
use wherefore_model::lts::{ActionLabel, LabelId, Lts, LtsStep, StateId};

use super::error::AutError;
use super::header::AutHeader;
use super::line::BlockTransitions;

/// What was read so far.
pub(super) struct Joiner<'b> {
    header: AutHeader,
    budget: &'b Budget,
    /// Blocks that came before their time.
    waiting: BTreeMap<usize, Result<BlockTransitions, AutError>>,
    /// The number of the next block.
    next: usize,
    lines: usize,
    /// How many transitions were read, also beyond those that the header says.
    count: usize,
    sources: Vec<StateId>,
    steps: Vec<LtsStep>,
    is_sorted: bool,
    /// Pieces that were joined, whose memory can be used again.
    spare: Vec<BlockTransitions>,
    /// Why it ends early.
    end: Option<Run<AutError>>,
}

impl<'b> Joiner<'b> {
    pub(super) fn new(header: AutHeader, budget: &'b Budget) -> Self {
        Self {
            lines: header.lines,
            header,
            budget,
            waiting: BTreeMap::new(),
            next: 0,
            count: 0,
            sources: Vec::new(),
            steps: Vec::new(),
            is_sorted: true,
            spare: Vec::new(),
            end: None,
        }
    }

    /// Whether no more blocks are needed.
    pub(super) fn is_over(&self) -> bool {
        self.end.is_some()
    }

    /// A piece whose memory can be used again.
    pub(super) fn spare(&mut self) -> BlockTransitions {
        self.spare.pop().unwrap_or_default()
    }

    /// Adds a block; `label_bytes` is the memory that labels take.
    pub(super) fn add(
        &mut self,
        number: usize,
        piece: Result<BlockTransitions, AutError>,
        label_bytes: usize,
    ) {
        self.waiting.insert(number, piece);
        while let None = self.end
            && let Some(piece) = self.waiting.remove(&self.next)
        {
            self.next += 1;
            match piece {
                Ok(piece) => {
                    self.join(&piece);
                    self.spare.push(piece);
                }
                Err(error) => self.end = Some(Ok(error.after(self.lines))),
            }
            self.budget.done(self.count as u64);
            // A source takes 4 bytes and a step 8.
            let bytes = label_bytes + 12 * self.steps.len();
            if let Err(stop) = self.check(bytes) {
                self.end = Some(Err(stop));
            }
        }
    }

    fn join(&mut self, piece: &BlockTransitions) {
        self.lines += piece.lines;
        self.count += piece.steps.len();
        if self.count > self.header.transitions {
            // Too many: the rest is only counted.
            (self.sources, self.steps) = Default::default();
            return;
        }
        let ends = [self.sources.last(), piece.sources.first()];
        // An empty block says nothing of the order.
        self.is_sorted &= ends[0] <= ends[1] || ends[1].is_none();
        self.is_sorted &= piece.sources.is_sorted();
        // The header says how many more there will be, but is not believed at once.
        let most = self.header.transitions - self.steps.len();
        let room = most.min(self.steps.len().max(piece.steps.len()));
        if room_for(&mut self.sources, piece.sources.len(), room).is_err()
            || room_for(&mut self.steps, piece.steps.len(), room).is_err()
        {
            self.end = Some(Err(Stop::Memory));
            return;
        }
        self.sources.extend_from_slice(&piece.sources);
        self.steps.extend_from_slice(&piece.steps);
    }

    /// Whether time and so many bytes of memory are left.
    fn check(&self, bytes: usize) -> Run<()> {
        if self.budget.memory().is_some_and(|most| bytes > most) {
            self.budget.stop(Stop::Memory);
        }
        self.budget.check()
    }

    /// The whole system.
    pub(super) fn finish(
        self,
        labels: impl FnOnce() -> Vec<ActionLabel>,
    ) -> Run<Result<Lts, AutError>> {
        match self.end {
            Some(Ok(error)) => return Ok(Err(error)),
            Some(Err(stop)) => return Err(stop),
            None => {}
        }
        if self.count != self.header.transitions {
            return Ok(Err(self.header.wrong_count(self.count)));
        }
        let each = if self.is_sorted { 12 } else { 20 };
        self.check(each * self.count + 4 * self.header.states)?;
        let mut starts = vec![0u32; self.header.states + 1];
        for source in &self.sources {
            starts[source.index() + 1] += 1;
        }
        for state in 0..self.header.states {
            starts[state + 1] += starts[state];
        }
        let steps = match self.is_sorted {
            true => self.steps,
            false => distributed(&self.sources, &self.steps, &mut starts),
        };
        drop(self.sources);
        Ok(Ok(Lts::from_rows(
            labels(),
            self.header.initial,
            starts,
            steps,
        )))
    }
}

/// Makes room for more items, if there is not enough, and for no more than asked for.
fn room_for<T>(
    items: &mut Vec<T>,
    needed: usize,
    room: usize,
) -> Result<(), std::collections::TryReserveError> {
    match items.capacity() - items.len() < needed {
        true => items.try_reserve_exact(room),
        false => Ok(()),
    }
}

/// The steps by their sources; `starts` says where those of each state start.
fn distributed(sources: &[StateId], steps: &[LtsStep], starts: &mut [u32]) -> Vec<LtsStep> {
    let unset = LtsStep {
        label: LabelId::new(0),
        to: StateId::new(0),
    };
    let mut rows = vec![unset; steps.len()];
    for (source, step) in sources.iter().zip(steps) {
        let place = &mut starts[source.index()];
        rows[*place as usize] = *step;
        *place += 1;
    }
    // Each start is now the end of its row, which is the start of the next one.
    starts.rotate_right(1);
    starts[0] = 0;
    rows
}
