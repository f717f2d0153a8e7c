//! A script as a strategy: what it is shown of a proof, and what its answers mean.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Array, Dynamic, FuncArgs, ImmutableString};
use wherefore_base::{Run, Value};
use wherefore_evidence::{Claim, Proof, ProofId, Rules, Strategy, Way, WayKind};

use super::super::words::temporal_operators;
use super::objects::{Facts, Leaf, ProofObject, RuleChange, WayObject};
use super::{Program, guide, shown_value};

/// So many obligations are shown to a script at a time.
const LEAVES: usize = 1_000;

/// A script at work on one property.
pub(in crate::strategy) struct Scripted {
    program: Rc<Program>,
    memory: Dynamic,
    /// The numbers that the proof knows the rules of the script by.
    rules: Vec<usize>,
    claims: BTreeMap<Claim, (ImmutableString, usize)>,
    /// Changes of rules that are not made yet.
    changes: Vec<RuleChange>,
}

impl Scripted {
    pub(in crate::strategy) fn new(program: &Rc<Program>) -> Self {
        Self {
            memory: program.ready.borrow().memory.clone(),
            program: Rc::clone(program),
            rules: Vec::new(),
            claims: BTreeMap::new(),
            changes: Vec::new(),
        }
    }

    fn facts(&mut self, proof: &dyn Proof, claim: Claim, values: Vec<Value>) -> Rc<Facts> {
        let words = &self.program.words;
        let (text, temporal) = self.claims.entry(claim).or_insert_with(|| {
            let temporal = temporal_operators(&proof.query().formula, claim);
            (words.claim(proof, claim).into(), temporal)
        });
        Rc::new(Facts {
            claim: text.clone(),
            temporal: *temporal,
            values,
        })
    }

    fn leaf(&mut self, proof: &dyn Proof, node: ProofId) -> Leaf {
        let at = proof.nodes()[node].at;
        Leaf {
            node,
            at,
            depth: proof.depth(node),
            facts: self.facts(proof, proof.nodes()[node].claim, proof.values(at)),
        }
    }

    fn way(&mut self, proof: &dyn Proof, number: usize, way: &Way) -> WayObject {
        let premises = way.premises.iter();
        let premises = premises.map(|p| self.facts(proof, p.claim, p.values.clone()));
        let premises: Vec<Rc<Facts>> = premises.collect();
        WayObject {
            number,
            kind: way.kind.name(),
            size: match way.kind {
                WayKind::Branch(size) | WayKind::Loop(size) | WayKind::Close(size) => Some(size),
                _ => None,
            },
            to: way.to.as_deref().map(Rc::from),
            by: way
                .by
                .and_then(|by| self.rules.iter().position(|&rule| rule == by)),
            planned: way.planned,
            premises: premises.into(),
        }
    }

    fn proof(&mut self, proof: &dyn Proof) -> ProofObject {
        let root = &proof.nodes()[ProofId::new(0)];
        let nodes = proof.nodes();
        ProofObject {
            property: self.facts(proof, root.claim, vec![]).claim.clone(),
            size: nodes.len(),
            open: nodes.iter().filter(|node| node.rule.is_none()).count(),
        }
    }

    /// What `pick_rule` returns.
    fn picked(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let at = self.leaf(proof, leaf);
        let numbered = ways.iter().enumerate();
        let objects: Vec<WayObject> = numbered.map(|(n, way)| self.way(proof, n, way)).collect();
        let object = self.proof(proof);
        let arguments = || {
            let ways: Array = objects.iter().cloned().map(Dynamic::from).collect();
            (object.clone(), at.clone(), ways)
        };
        let program = Rc::clone(&self.program);
        let value = self.call("pick_rule", proof, arguments)?;
        let Some(value) = value.filter(|value| !value.is_unit()) else {
            return Ok(vec![]);
        };
        let mut picked = Vec::new();
        for value in listed(value) {
            let number = match value.clone().try_cast::<WayObject>() {
                Some(way) => Some(way.number),
                None => value.as_int().ok().and_then(|n| usize::try_from(n).ok()),
            };
            let Some(number) = number.filter(|&number| number < ways.len()) else {
                let message = format!(
                    "`pick_rule` returns {}, but the ways are 0 to {}",
                    shown_value(&value),
                    ways.len().saturating_sub(1)
                );
                program.complain_about("pick_rule", &message);
                return Ok(vec![]);
            };
            picked.push(number);
        }
        Ok(picked)
    }

    /// Of the ways that were picked, or of all if none was, those to which `rank` gives the least number. A way without
    /// a number comes after those that have one.
    fn ranked(
        &mut self,
        proof: &dyn Proof,
        leaf: ProofId,
        ways: &[Way],
        picked: Vec<usize>,
    ) -> Run<Vec<usize>> {
        let at = self.leaf(proof, leaf);
        let object = self.proof(proof);
        let program = Rc::clone(&self.program);
        let among = match picked.is_empty() {
            true => (0..ways.len()).collect(),
            false => picked.clone(),
        };
        let mut ranks: Vec<(i64, usize)> = Vec::new();
        for number in among {
            let way = self.way(proof, number, &ways[number]);
            let arguments = || (object.clone(), at.clone(), way.clone());
            let value = self.call("rank", proof, arguments)?;
            // A script that went wrong has no opinion.
            let Some(value) = value else {
                return Ok(picked);
            };
            match value.as_int() {
                Ok(rank) => ranks.push((rank, number)),
                Err(_) if value.is_unit() => {}
                Err(_) => {
                    let message = format!(
                        "`rank` returns {}, which is neither a whole number nor nothing",
                        shown_value(&value)
                    );
                    program.complain_about("rank", &message);
                    return Ok(picked);
                }
            }
        }
        let Some(&(least, _)) = ranks.iter().min() else {
            return Ok(picked);
        };
        let best = ranks.into_iter().filter(|(rank, _)| *rank == least);
        Ok(best.map(|(_, number)| number).collect())
    }

    /// Calls a hook while the proof grows, and keeps what it changes of the rules.
    fn call<A: FuncArgs>(
        &mut self,
        hook: &str,
        proof: &dyn Proof,
        arguments: impl Fn() -> A,
    ) -> Run<Option<Dynamic>> {
        let is_added = |change: &&RuleChange| matches!(change, RuleChange::Add(_));
        let waiting = self.changes.iter().filter(is_added).count();
        self.program.desk.borrow_mut().rules = self.rules.len() + waiting;
        let program = Rc::clone(&self.program);
        let value = program.call(&mut self.memory, hook, Some(proof), arguments)?;
        self.changes.extend(program.take_changes());
        Ok(value)
    }

    fn has(&self, hook: &str) -> bool {
        !self.program.broken.get() && self.program.hooks.iter().any(|known| known == hook)
    }
}

impl Strategy for Scripted {
    fn init(&mut self, rules: &mut Rules) -> Run<()> {
        if self.program.broken.get() {
            return Ok(());
        }
        let ready = self.program.ready.borrow();
        let added = ready.guides.iter().map(|guide| rules.add(guide.clone()));
        self.rules = added.collect();
        for kind in &ready.removed {
            rules.remove(kind);
        }
        Ok(())
    }

    fn change_rules(&mut self, rules: &mut Rules) -> Run<bool> {
        let changed = !self.changes.is_empty();
        for change in std::mem::take(&mut self.changes) {
            match change {
                RuleChange::Add(added) => {
                    let guide = guide(&added, &self.program.ready.borrow().conditions);
                    self.rules.push(rules.add(guide));
                }
                RuleChange::Drop(rule) => match self.rules.get(rule) {
                    Some(&rule) => rules.drop(rule),
                    None => {
                        let message = format!("there is no rule {rule} to drop");
                        self.program.complain_at(&message, 0..1);
                    }
                },
                RuleChange::Remove(kind) => rules.remove(kind),
                RuleChange::Restore(kind) => rules.restore(kind),
            }
        }
        Ok(changed)
    }

    fn pick_leaf(&mut self, proof: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        if !self.has("pick_leaf") || leaves.is_empty() {
            return Ok(leaves.to_vec());
        }
        let shown = leaves.iter().take(LEAVES);
        let shown: Vec<Leaf> = shown.map(|&leaf| self.leaf(proof, leaf)).collect();
        let object = self.proof(proof);
        let arguments = || {
            let shown: Array = shown.iter().cloned().map(Dynamic::from).collect();
            (object.clone(), shown)
        };
        let program = Rc::clone(&self.program);
        let value = self.call("pick_leaf", proof, arguments)?;
        let Some(value) = value.filter(|value| !value.is_unit()) else {
            return Ok(leaves.to_vec());
        };
        let mut picked = Vec::new();
        for value in listed(value) {
            let number = match value.clone().try_cast::<Leaf>() {
                Some(leaf) => Some(leaf.node.index()),
                None => value.as_int().ok().and_then(|n| usize::try_from(n).ok()),
            };
            let leaf = leaves.iter().find(|leaf| Some(leaf.index()) == number);
            let Some(&leaf) = leaf else {
                let message = format!(
                    "`pick_leaf` returns {}, which is none of the {} obligations it was given",
                    shown_value(&value),
                    leaves.len().min(LEAVES)
                );
                program.complain_about("pick_leaf", &message);
                return Ok(leaves.to_vec());
            };
            picked.push(leaf);
        }
        Ok(picked)
    }

    fn pick_rule(&mut self, proof: &dyn Proof, leaf: ProofId, ways: &[Way]) -> Run<Vec<usize>> {
        let picked = match self.has("pick_rule") {
            true => self.picked(proof, leaf, ways)?,
            false => vec![],
        };
        match self.has("rank") {
            true => self.ranked(proof, leaf, ways, picked),
            false => Ok(picked),
        }
    }

    fn rule_applied(
        &mut self,
        proof: &dyn Proof,
        leaf: ProofId,
        way: &Way,
        premises: &[ProofId],
    ) -> Run<()> {
        if !self.has("rule_applied") {
            return Ok(());
        }
        let at = self.leaf(proof, leaf);
        let way = self.way(proof, 0, way);
        let premises = premises.iter().take(LEAVES);
        let premises: Vec<Leaf> = premises.map(|&premise| self.leaf(proof, premise)).collect();
        let object = self.proof(proof);
        let arguments = || {
            let premises: Array = premises.iter().cloned().map(Dynamic::from).collect();
            (object.clone(), at.clone(), way.clone(), premises)
        };
        self.call("rule_applied", proof, arguments)?;
        Ok(())
    }
}

/// The entries of a list, or the value alone.
fn listed(value: Dynamic) -> Array {
    match value.try_cast_result::<Array>() {
        Ok(array) => array,
        Err(value) => vec![value],
    }
}
