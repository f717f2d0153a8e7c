//! Action formulas: the labels of a system that they match.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use wherefore_base::{Diagnostic, IndexVec, Span, deep, nearest};
use wherefore_logic::ActionId;
use wherefore_model::lts::{LabelId, LabelSet, Lts};

use super::super::ast::{ActionPattern, MclKind, MclNodeId, OfferPattern};
use super::super::data::{self, DataValue, Offers};
use super::super::regexp::matcher;
use super::{FrameId, Held, MclLower, MclLowering};

/// At most so many labels are looked through for the one that was meant.
const CANDIDATES: usize = 100_000;

/// The sets of labels of a question so far.
pub(super) struct LabelSets<'a> {
    pub(super) lts: &'a Lts,
    sets: IndexVec<ActionId, FixedBitSet>,
    known: FxHashMap<FixedBitSet, ActionId>,
    /// What regular expressions match.
    expressions: FxHashMap<&'a str, FixedBitSet>,
    /// The labels in their parts, once somebody asks.
    offers: Vec<Offers>,
    /// The places of labels, expressions and patterns, and whether they match any label.
    matched: BTreeMap<Span, (MclNodeId, bool)>,
}

impl<'a> LabelSets<'a> {
    pub(super) fn new(lts: &'a Lts) -> Self {
        Self {
            lts,
            sets: IndexVec::new(),
            known: FxHashMap::default(),
            expressions: FxHashMap::default(),
            offers: Vec::new(),
            matched: BTreeMap::new(),
        }
    }

    fn add(&mut self, set: FixedBitSet) -> ActionId {
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        let id = self.sets.push(set.clone());
        self.known.insert(set, id);
        id
    }

    pub(super) fn sets(&self) -> IndexVec<ActionId, LabelSet> {
        let sets = self.sets.iter().map(|set| {
            // Labels are asked for in order, so their numbers are counted along.
            let mut at = 0;
            LabelSet::new(self.lts, |_| {
                at += 1;
                set.contains(at - 1)
            })
        });
        sets.collect()
    }

    fn all(&self, holds: impl Fn(usize) -> bool) -> FixedBitSet {
        let labels = self.lts.labels().len();
        let mut set = FixedBitSet::with_capacity(labels);
        for label in (0..labels).filter(|&label| holds(label)) {
            set.insert(label);
        }
        set
    }

    fn text(&self, label: usize) -> &str {
        self.lts.text(LabelId::new(label))
    }

    fn note(&mut self, span: Span, node: MclNodeId, set: &FixedBitSet) {
        let any = !set.is_clear();
        let entry = self.matched.entry(span).or_insert((node, any));
        // A place in a macro, or after a variable over data, is lowered several times: one match is enough.
        entry.1 |= any;
    }

    fn take_apart(&mut self) {
        if self.offers.is_empty() {
            let labels = self.lts.labels().iter();
            self.offers = labels.map(|label| data::offers(&label.text)).collect();
        }
    }
}

impl<'a> MclLowering<'a> {
    /// The set of labels that an action formula matches.
    pub(super) fn action(&mut self, id: MclNodeId, frame: FrameId) -> MclLower<ActionId> {
        let set = self.labels(id, frame)?;
        Ok(self.actions.add(set))
    }

    fn labels(&mut self, id: MclNodeId, frame: FrameId) -> MclLower<FixedBitSet> {
        self.spend()?;
        // Sets take time in the number of labels, so that counts as work.
        self.work += self.actions.lts.labels().len() / 256;
        deep(|| self.new_labels(id, frame))
    }

    fn new_labels(&mut self, id: MclNodeId, frame: FrameId) -> MclLower<FixedBitSet> {
        let tree = self.tree;
        let node = &tree.nodes[id];
        let labels = self.actions.lts.labels();
        match &node.kind {
            MclKind::True => Ok(self.actions.all(|_| true)),
            MclKind::False => Ok(self.actions.all(|_| false)),
            MclKind::Tau => Ok(self
                .actions
                .all(|label| labels[LabelId::new(label)].internal)),
            MclKind::Visible => Ok(self
                .actions
                .all(|label| !labels[LabelId::new(label)].internal)),
            MclKind::Label(text) => {
                let found = self.actions.lts.label(text);
                let mut set = FixedBitSet::with_capacity(labels.len());
                if let Some(found) = found {
                    set.insert(found.index());
                }
                self.actions.note(node.span, id, &set);
                Ok(set)
            }
            MclKind::Regex(text) => {
                let set = match self.actions.expressions.get(text.as_str()) {
                    Some(known) => known.clone(),
                    None => self.expression(id, text)?,
                };
                self.actions.note(node.span, id, &set);
                Ok(set)
            }
            MclKind::Pattern(pattern) => {
                let mut set = FixedBitSet::with_capacity(labels.len());
                self.actions.take_apart();
                for label in 0..self.actions.offers.len() {
                    if self.pattern(pattern, label, frame)? {
                        set.insert(label);
                    }
                }
                self.actions.note(node.span, id, &set);
                Ok(set)
            }
            MclKind::Not(inner) => {
                let mut set = self.labels(*inner, frame)?;
                set.toggle_range(..);
                Ok(set)
            }
            MclKind::And(parts) => {
                let mut set = self.labels(parts[0], frame)?;
                for &part in &parts[1..] {
                    set.intersect_with(&self.labels(part, frame)?);
                }
                Ok(set)
            }
            MclKind::Or(parts) => {
                let mut set = self.labels(parts[0], frame)?;
                for &part in &parts[1..] {
                    set.union_with(&self.labels(part, frame)?);
                }
                Ok(set)
            }
            MclKind::Implies(one, other) => {
                let mut set = self.labels(*one, frame)?;
                set.toggle_range(..);
                set.union_with(&self.labels(*other, frame)?);
                Ok(set)
            }
            MclKind::Equ(one, other) => {
                let mut set = self.labels(*one, frame)?;
                set.symmetric_difference_with(&self.labels(*other, frame)?);
                set.toggle_range(..);
                Ok(set)
            }
            MclKind::Parameter(slot) => match self.frames[frame].slots[slot.index()] {
                Held::Argument(argument, home) => self.labels(argument, home),
                _ => Err(self.not_a(id, "an action")),
            },
            MclKind::Call(called, arguments) => {
                let inner = self.expand(*called, arguments, frame)?;
                self.labels(tree.macros[*called].body, inner)
            }
            _ => Err(self.not_a(id, "an action")),
        }
    }

    fn expression(&mut self, id: MclNodeId, text: &'a str) -> MclLower<FixedBitSet> {
        let span = self.tree.nodes[id].span;
        self.work += self.actions.lts.labels().len() / 8;
        let matcher = matcher(text).map_err(|wrong| {
            let start = span.start as usize + 1;
            let at = Span::new(span.file, start + wrong.at, span.end as usize - 1);
            let message = "This is not a regular expression that labels can be matched with";
            Box::new(Diagnostic::error(at, message).because(wrong.why).help(
                r"They are basic regular expressions: `.`, `*`, `[..]`, `^` and `$` are special, and so are `\(`, `\)`, `\|`, `\+`, `\?` and `\{n\}`; `\` makes any other character plain.",
            ))
        })?;
        let set = self
            .actions
            .all(|label| matcher.matches(self.actions.text(label)));
        self.actions.expressions.insert(text, set.clone());
        Ok(set)
    }

    /// The values that a pattern gives its variables that are used later, with the labels that give
    /// them.
    pub(super) fn matches(
        &mut self,
        id: MclNodeId,
        frame: FrameId,
    ) -> MclLower<Vec<(Vec<DataValue>, ActionId)>> {
        let tree = self.tree;
        let MclKind::Pattern(pattern) = &tree.nodes[id].kind else {
            return Err(self.not_a(id, "an action pattern"));
        };
        self.spend()?;
        self.actions.take_apart();
        let labels = self.actions.offers.len();
        self.work += labels / 16;
        // The map is ordered, so that equations come in the same order on every run.
        let mut found: BTreeMap<Vec<DataValue>, FixedBitSet> = BTreeMap::new();
        let mut any = FixedBitSet::with_capacity(labels);
        for label in 0..labels {
            if !self.pattern(pattern, label, frame)? {
                continue;
            }
            any.insert(label);
            // The match has just put the values into the slots.
            let binders = pattern.binders.iter();
            // Variables that nobody reads later do not tell labels apart.
            let values = binders
                .filter(|binder| tree.used[binder.id])
                .filter_map(
                    |binder| match &self.frames[frame].slots[binder.slot.index()] {
                        Held::Value(value) => Some(value.clone()),
                        _ => None,
                    },
                );
            let set = found
                .entry(values.collect())
                .or_insert_with(|| FixedBitSet::with_capacity(labels));
            set.insert(label);
        }
        self.actions.note(tree.nodes[id].span, id, &any);
        let found = found.into_iter();
        Ok(found
            .map(|(values, set)| (values, self.actions.add(set)))
            .collect())
    }

    /// Whether a pattern matches a label; if so, its variables hold the values there.
    fn pattern(&mut self, pattern: &ActionPattern, label: usize, frame: FrameId) -> MclLower<bool> {
        let Offers { gate, values } = &self.actions.offers[label];
        let fits = pattern.gate.as_ref().is_none_or(|wanted| wanted == gate)
            && (values.len() == pattern.offers.len()
                || pattern.more && values.len() > pattern.offers.len());
        if !fits {
            return Ok(false);
        }
        for (at, offer) in pattern.offers.iter().enumerate() {
            let fits = match offer {
                OfferPattern::Any(kind) => {
                    data::value(&self.actions.offers[label].values[at], *kind).is_some()
                }
                OfferPattern::Bind(kind, slot) => {
                    match data::value(&self.actions.offers[label].values[at], *kind) {
                        Some(value) => {
                            self.frames[frame].slots[slot.index()] = Held::Value(value);
                            true
                        }
                        None => false,
                    }
                }
                OfferPattern::Equal(term) => {
                    let value = self.value(*term, frame)?;
                    data::is(&self.actions.offers[label].values[at], &value)
                }
            };
            if !fits {
                return Ok(false);
            }
        }
        let Some(condition) = pattern.condition else {
            return Ok(true);
        };
        match self.value(condition, frame)? {
            DataValue::Bool(truth) => Ok(truth),
            other => {
                let span = self.tree.terms[condition].span;
                let message = format!("This condition is `{other}`, which is no truth value");
                Err(Box::new(Diagnostic::error(span, message)))
            }
        }
    }

    /// What matches no label, with what was meant perhaps.
    pub(super) fn warnings(&self) -> Vec<Diagnostic> {
        let unmatched = self.actions.matched.values().filter(|(_, any)| !any);
        unmatched.map(|(node, _)| self.unmatched(*node)).collect()
    }

    fn unmatched(&self, id: MclNodeId) -> Diagnostic {
        let node = &self.tree.nodes[id];
        let shown = super::one_line(self.tree.text(node.span), super::SHOWN_ARGUMENT);
        let warning = Diagnostic::warning(node.span, format!("`{shown}` matches no label"));
        let labels = || {
            let labels = self.actions.lts.labels().iter().take(CANDIDATES);
            labels.map(|label| label.text.as_str())
        };
        let near = |name: &str| nearest(name, labels(), (name.len() / 4).max(1));
        match &node.kind {
            MclKind::Label(text) | MclKind::Regex(text) => {
                let begins = |label: &str| {
                    let rest = label.strip_prefix(text.as_str());
                    rest.is_some_and(|rest| rest.starts_with([' ', '(', '!']))
                };
                let longer = labels().find(|label| begins(label));
                let modern = matches!(node.kind, MclKind::Regex(_)) && has_modern_signs(text);
                if let Some(longer) = longer {
                    warning.help(format!(
                        "Whole labels are matched: '{text}.*' matches `{longer}`."
                    ))
                } else if let Some(meant) = near(text) {
                    warning.help(format!("Did you mean `{meant}`?"))
                } else if modern {
                    warning.help(r"`|`, `+`, `(` and `{` are plain characters in regular expressions; `\|`, `\+`, `\(` and `\{` are special.")
                } else {
                    warning
                }
            }
            MclKind::Pattern(pattern) => {
                let gate = pattern.gate.as_deref().unwrap_or_default();
                let offers = self.actions.offers.iter().take(CANDIDATES);
                if let Some(same) = offers.clone().position(|offers| offers.gate == gate) {
                    let label = self.actions.text(same);
                    return warning.help(format!("A label of this gate is `{label}`."));
                }
                let gates = offers.map(|offers| offers.gate.as_str());
                match nearest(gate, gates, (gate.len() / 4).max(1)) {
                    Some(meant) => warning.help(format!("Did you mean the gate `{meant}`?")),
                    None => warning,
                }
            }
            _ => warning,
        }
    }
}

/// Whether there are signs in an expression that would be special in other tools.
fn has_modern_signs(text: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '|' | '+' | '{' => return true,
            _ => {}
        }
    }
    false
}
