//! Evaluation of terms where some variables have no value yet.
//!
//! A term is *known* when the variables that are fixed decide it, whatever the others will be: a
//! false part makes a conjunction false. The search for successors rests on this. Shared operands
//! are evaluated once as long as nothing they depend on changes.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use wherefore_base::{Value, deep};
use wherefore_model::{BinaryOp, Model, Term, TermId, VarId, apply};

/// How a term reads variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ReadMode {
    /// As a term of a step: the present state is given, the next state and the input are sought.
    Step,
    /// As a term about one state, which is the one sought.
    Target,
}

/// Something a search fixes: a variable of the state sought, or an input.
///
/// Slots have the numbers of their variables.
pub(crate) type SearchSlot = usize;

/// A set of slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots<'a>(&'a [u64]);

impl<'a> Slots<'a> {
    pub(crate) fn contains(self, slot: SearchSlot) -> bool {
        self.0[slot / 64] & (1 << (slot % 64)) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether all of them are among these bits.
    pub(crate) fn are_within(self, bits: &[u64]) -> bool {
        let given = bits.iter().copied().chain(std::iter::repeat(0));
        self.0
            .iter()
            .zip(given)
            .all(|(own, given)| own & !given == 0)
    }

    /// The slots, ascending.
    pub(crate) fn iter(self) -> impl Iterator<Item = SearchSlot> + use<'a> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let bits = (0..64).filter(move |bit| word & (1 << bit) != 0);
            bits.map(move |bit| at * 64 + bit)
        })
    }
}

/// Which slots each term reads, in one mode.
#[derive(Debug)]
struct Reads {
    words: usize,
    sets: Vec<u64>,
}

impl Reads {
    fn new(model: &Model, mode: ReadMode) -> Self {
        let states = model.state_vars();
        let words = model.vars.len().div_ceil(64).max(1);
        let mut sets = vec![0; words * model.terms.len()];
        for id in (0..model.terms.len()).map(TermId::new) {
            // Operands have smaller numbers than their terms, so their sets are complete.
            let (before, own) = sets.split_at_mut(id.index() * words);
            let own = &mut own[..words];
            let term = model.terms.get(id);
            let read = match (term, mode) {
                (Term::Next(var), _) => Some(var.index()),
                (Term::Var(var), ReadMode::Target) => Some(var.index()),
                (Term::Var(var), ReadMode::Step) if var.index() >= states => Some(var.index()),
                _ => None,
            };
            if let Some(slot) = read {
                own[slot / 64] |= 1 << (slot % 64);
            }
            for operand in term.operands() {
                let from = operand.index() * words;
                for (word, more) in own.iter_mut().zip(&before[from..from + words]) {
                    *word |= more;
                }
            }
        }
        Self { words, sets }
    }

    fn of(&self, term: TermId) -> Slots<'_> {
        let from = term.index() * self.words;
        Slots(&self.sets[from..from + self.words])
    }
}

/// The values of a set, ascending and each once, if they are known.
type Members = Option<Arc<[Value]>>;

/// What is known of a term, and since when.
#[derive(Clone, Copy, Debug)]
struct TermMemo {
    stamp: u64,
    value: Option<Value>,
}

/// Evaluates the terms of a model for one present state and a partial target state and input.
#[derive(Debug)]
pub(crate) struct PartialEvaluator<'m> {
    model: &'m Model,
    /// Values of the present state.
    present: Vec<Value>,
    slots: Vec<Option<Value>>,
    reads: [Reads; 2],
    /// Whether a term reads no slot.
    given: [Vec<bool>; 2],
    /// The operands of a chain of conjunctions or of disjunctions, once asked for.
    chains: [Vec<Option<Arc<[TermId]>>>; 2],
    /// Whether evaluating a term asks for more stack: now and then on the way down a deep term.
    deep: Vec<bool>,
    memo: [Vec<TermMemo>; 2],
    sets: FxHashMap<(ReadMode, TermId), (u64, Members)>,
    clock: u64,
    /// When the present state was set.
    present_stamp: u64,
    /// When a slot was last fixed or freed.
    slot_stamp: u64,
}

impl<'m> PartialEvaluator<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let terms = model.terms.len();
        let mut depth = vec![0u32; terms];
        for id in (0..terms).map(TermId::new) {
            let below = model
                .terms
                .get(id)
                .operands()
                .map(|o| depth[o.index()])
                .max();
            depth[id.index()] = below.map_or(0, |d| d + 1);
        }
        let reads = [
            Reads::new(model, ReadMode::Step),
            Reads::new(model, ReadMode::Target),
        ];
        let given = |reads: &Reads| {
            let terms = (0..terms).map(TermId::new);
            terms.map(|term| reads.of(term).is_empty()).collect()
        };
        let given = [given(&reads[0]), given(&reads[1])];
        let empty = TermMemo {
            stamp: 0,
            value: None,
        };
        Self {
            model,
            present: Vec::new(),
            slots: vec![None; model.vars.len()],
            reads,
            given,
            chains: [vec![None; terms], vec![None; terms]],
            deep: depth.into_iter().map(|d| d % 32 == 31).collect(),
            memo: [vec![empty; terms], vec![empty; terms]],
            sets: FxHashMap::default(),
            // Nothing was calculated at time 0, so every memo is out of date at first.
            clock: 1,
            present_stamp: 1,
            slot_stamp: 1,
        }
    }

    /// Starts afresh at a present state, with nothing else fixed.
    pub(crate) fn start(&mut self, present: impl IntoIterator<Item = Value>) {
        self.present.clear();
        self.present.extend(present);
        self.slots.fill(None);
        self.clock += 1;
        self.present_stamp = self.clock;
        self.slot_stamp = self.clock;
    }

    /// Fixes a slot, or frees it.
    pub(crate) fn set(&mut self, slot: SearchSlot, value: Option<Value>) {
        self.slots[slot] = value;
        self.clock += 1;
        self.slot_stamp = self.clock;
    }

    /// The value of a slot, if it is fixed.
    pub(crate) fn slot(&self, slot: SearchSlot) -> Option<Value> {
        self.slots[slot]
    }

    /// The slots a term reads.
    pub(crate) fn reads(&self, mode: ReadMode, term: TermId) -> Slots<'_> {
        self.reads[mode as usize].of(term)
    }

    /// The slot a term is, if it is one.
    pub(crate) fn as_slot(&self, mode: ReadMode, term: TermId) -> Option<SearchSlot> {
        let var = match (self.model.terms.get(term), mode) {
            (Term::Next(var), _) | (Term::Var(var), ReadMode::Target) => *var,
            (Term::Var(var), ReadMode::Step) if var.index() >= self.present.len() => *var,
            _ => return None,
        };
        Some(var.index())
    }

    /// The one value of a term, if it is known.
    pub(crate) fn value(&mut self, mode: ReadMode, id: TermId) -> Option<Value> {
        let model = self.model;
        let term = model.terms.get(id);
        match term {
            Term::Const(value) => return Some(*value),
            Term::Var(var) => return self.read(mode, *var),
            Term::Next(var) => return self.slots[var.index()],
            _ => {}
        }
        let stamp = self.stamp(mode, id);
        let memo = self.memo[mode as usize][id.index()];
        if memo.stamp == stamp {
            return memo.value;
        }
        let value = match self.deep[id.index()] {
            true => deep(|| self.compute(mode, id)),
            false => self.compute(mode, id),
        };
        self.memo[mode as usize][id.index()] = TermMemo { stamp, value };
        value
    }

    /// The truth of a condition, if it is known.
    pub(crate) fn truth(&mut self, mode: ReadMode, term: TermId) -> Option<bool> {
        self.value(mode, term)?.as_bool()
    }

    /// Adds all values of a term to `out`, if they are known; some may be added twice.
    pub(crate) fn choices(
        &mut self,
        mode: ReadMode,
        id: TermId,
        out: &mut Vec<Value>,
    ) -> Option<()> {
        let model = self.model;
        match model.terms.get(id) {
            Term::Ite(condition, then, otherwise) => {
                let branch = match self.truth(mode, *condition)? {
                    true => *then,
                    false => *otherwise,
                };
                match self.deep[id.index()] {
                    true => deep(|| self.choices(mode, branch, out)),
                    false => self.choices(mode, branch, out),
                }
            }
            Term::Set(_) => {
                let members = self.members(mode, id)?;
                out.extend_from_slice(&members);
                Some(())
            }
            _ => {
                let value = self.value(mode, id)?;
                out.push(value);
                Some(())
            }
        }
    }

    /// Whether a term reads no slot, so that the present state alone decides it.
    pub(crate) fn is_given(&self, mode: ReadMode, term: TermId) -> bool {
        self.given[mode as usize][term.index()]
    }

    /// The operands of a chain `a & b & c` or `a | b | c`, each once, those that are given first.
    pub(crate) fn chain(&mut self, mode: ReadMode, id: TermId) -> Arc<[TermId]> {
        if let Some(known) = &self.chains[mode as usize][id.index()] {
            return Arc::clone(known);
        }
        let model = self.model;
        let top = match model.terms.get(id) {
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => Some(*op),
            _ => None,
        };
        let mut operands = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            match model.terms.get(id) {
                Term::Binary(op, a, b) if Some(*op) == top => open.extend([*b, *a]),
                _ => operands.push(id),
            }
        }
        // Given operands are always known, and one of them may decide the chain before anything is sought.
        operands.sort_by_key(|&operand| !self.is_given(mode, operand));
        let chain: Arc<[TermId]> = operands.into();
        self.chains[mode as usize][id.index()] = Some(Arc::clone(&chain));
        chain
    }

    /// When what a term depends on last changed.
    fn stamp(&self, mode: ReadMode, id: TermId) -> u64 {
        match self.is_given(mode, id) {
            true => self.present_stamp,
            false => self.slot_stamp,
        }
    }

    fn read(&self, mode: ReadMode, var: VarId) -> Option<Value> {
        let at = var.index();
        match mode {
            ReadMode::Step if at < self.present.len() => Some(self.present[at]),
            _ => self.slots[at],
        }
    }

    /// The values of a set, ascending and each once, if they are known.
    fn members(&mut self, mode: ReadMode, id: TermId) -> Members {
        let stamp = self.stamp(mode, id);
        if let Some((since, members)) = self.sets.get(&(mode, id))
            && *since == stamp
        {
            return members.clone();
        }
        let model = self.model;
        let mut values = Vec::new();
        let known = model.terms.get(id).operands().all(|member| {
            let more = deep(|| self.choices(mode, member, &mut values));
            more.is_some()
        });
        values.sort_unstable();
        values.dedup();
        let members = known.then(|| Arc::from(values));
        self.sets.insert((mode, id), (stamp, members.clone()));
        members
    }

    fn compute(&mut self, mode: ReadMode, id: TermId) -> Option<Value> {
        let model = self.model;
        match model.terms.get(id) {
            Term::Const(value) => Some(*value),
            Term::Var(var) => self.read(mode, *var),
            Term::Next(var) => self.slots[var.index()],
            Term::Not(a) => Some(Value::Bool(!self.truth(mode, *a)?)),
            Term::Negate(a) => Some(Value::Int(self.value(mode, *a)?.as_int()?.wrapping_neg())),
            Term::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let deciding = *op == BinaryOp::Or;
                let mut known = true;
                for &operand in self.chain(mode, id).iter() {
                    match self.truth(mode, operand) {
                        Some(truth) if truth == deciding => return Some(Value::Bool(deciding)),
                        truth => known &= truth.is_some(),
                    }
                }
                known.then_some(Value::Bool(!deciding))
            }
            Term::Binary(BinaryOp::Implies, a, b) => {
                let a = self.truth(mode, *a);
                if a == Some(false) {
                    return Some(Value::Bool(true));
                }
                match self.truth(mode, *b) {
                    Some(true) => Some(Value::Bool(true)),
                    // Here `a` is true or unknown, and `b` is false or unknown.
                    b => a.and(b).map(Value::Bool),
                }
            }
            Term::Binary(op, a, b) => apply(*op, self.value(mode, *a)?, self.value(mode, *b)?),
            Term::Ite(condition, then, otherwise) => match self.truth(mode, *condition) {
                Some(true) => self.value(mode, *then),
                Some(false) => self.value(mode, *otherwise),
                None => {
                    let (then, otherwise) = (self.value(mode, *then), self.value(mode, *otherwise));
                    // Where both branches agree, the condition does not matter.
                    then.filter(|_| then == otherwise)
                }
            },
            Term::Set(_) => match &*self.members(mode, id)? {
                [value] => Some(*value),
                _ => None,
            },
            Term::Member(a, b) => {
                let (mut values, mut members) = (Vec::new(), Vec::new());
                self.choices(mode, *a, &mut values)?;
                self.choices(mode, *b, &mut members)?;
                Some(Value::Bool(values.iter().all(|v| members.contains(v))))
            }
            Term::Word(op, a) => Some(op.apply(self.value(mode, *a)?.as_word()?)),
            Term::Count(conditions) => {
                let mut count = 0;
                for &condition in conditions {
                    count += i64::from(self.truth(mode, condition)?);
                }
                Some(Value::Int(count))
            }
        }
    }
}
