//! From gates and vectors to rules: which labels of which branches make a step together.
//!
//! Labels that no gate and no vector speaks of are free: their steps are steps of the whole.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use wherefore_base::{Budget, Meter, Run, nearest};
use wherefore_model::lts::ActionLabel;

use super::build::BuildNote;
use super::internal::Internal;
use super::net::{NetBranch, Sync, Vector};
use super::pattern::{LabelPattern, gate};
use super::relabel::Relabelling;

const NONE: u32 = u32::MAX;

/// A step of several branches.
#[derive(Debug)]
pub(super) struct SyncRule {
    /// A label for each branch that can take part, by branch.
    pub(super) offers: Vec<BranchOffer>,
    /// How many of them take part.
    pub(super) together: usize,
    /// The label of the whole.
    pub(super) result: u32,
}

/// A branch and a label of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct BranchOffer {
    pub(super) branch: u32,
    pub(super) label: u32,
}

/// A rule whose step starts with this offer of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeadingOffer {
    pub(super) rule: u32,
    pub(super) offer: u32,
}

/// Which steps branches make, alone or together.
///
/// Invariant: the labels are in the order of their texts.
#[derive(Debug)]
pub(super) struct SyncRules {
    labels: Vec<ActionLabel>,
    /// By branch and label: what its free steps are called, or [`NONE`].
    free: Vec<Vec<u32>>,
    rules: Vec<SyncRule>,
    /// By branch and label: the rules that it can be the first offer of.
    leads: Vec<Vec<Vec<LeadingOffer>>>,
}

impl SyncRules {
    /// The labels of the whole.
    pub(super) fn labels(&self) -> &[ActionLabel] {
        &self.labels
    }

    /// What free steps of a branch with a label are called.
    pub(super) fn free(&self, branch: usize, label: usize) -> Option<u32> {
        Some(self.free[branch][label]).filter(|&free| free != NONE)
    }

    /// The rules that a step of a branch with a label starts.
    pub(super) fn leads(&self, branch: usize, label: usize) -> &[LeadingOffer] {
        &self.leads[branch][label]
    }

    pub(super) fn rule(&self, lead: LeadingOffer) -> &SyncRule {
        &self.rules[lead.rule as usize]
    }

    /// The labels of a branch whose free steps are called so.
    pub(super) fn free_as(&self, branch: usize, result: u32) -> impl Iterator<Item = u32> + '_ {
        let all = self.free[branch].iter().zip(0..);
        all.filter(move |(free, _)| **free == result)
            .map(|(_, label)| label)
    }

    /// The rules whose steps are called so.
    pub(super) fn with_result(&self, result: u32) -> impl Iterator<Item = &SyncRule> {
        let rules = self.rules.iter();
        rules.filter(move |rule| rule.result == result)
    }

    /// The labels of the whole become others, or are cut.
    pub(super) fn relabel(&mut self, how: &Relabelling, internal: &Internal<'_>) {
        let texts: Vec<Option<String>> = self
            .labels
            .iter()
            .map(|label| match label.internal {
                true => Some(label.text.clone()),
                false => how.apply(&label.text, internal),
            })
            .collect();
        let labels = internal.labels(texts.iter().flatten().cloned());
        let number = |old: u32| {
            // `NONE` is beyond the list, and so stays what it is.
            let text = texts.get(old as usize)?.as_ref()?;
            Some(position(&labels, text))
        };
        for free in self.free.iter_mut().flatten() {
            *free = number(*free).unwrap_or(NONE);
        }
        for rule in &mut self.rules {
            rule.result = number(rule.result).unwrap_or(NONE);
        }
        // Rules are known by their numbers, so one that is cut stays in the list, but nothing leads to it.
        for leads in self.leads.iter_mut().flatten() {
            leads.retain(|lead| self.rules[lead.rule as usize].result != NONE);
        }
        self.labels = labels;
    }
}

/// Rules in the making: results are texts.
pub(super) struct SyncRuleMaker<'a> {
    branches: &'a [&'a [ActionLabel]],
    internal: &'a Internal<'a>,
    meter: Meter,
    /// By branch and label: whether its steps are free.
    is_free: Vec<Vec<bool>>,
    rules: Vec<(Vec<BranchOffer>, usize, String)>,
    pub(super) notes: Vec<BuildNote>,
}

impl<'a> SyncRuleMaker<'a> {
    /// No rule yet; `branches` are the labels of each branch.
    pub(super) fn new(
        branches: &'a [&'a [ActionLabel]],
        internal: &'a Internal<'a>,
        budget: &Budget,
    ) -> Self {
        let is_free = branches.iter().map(|labels| vec![true; labels.len()]);
        Self {
            branches,
            internal,
            meter: budget.meter(),
            is_free: is_free.collect(),
            rules: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// All gates: those of the whole, and those that only branches name.
    pub(super) fn gates(&mut self, syncs: &[Sync], named: &[NetBranch]) -> Run<()> {
        let mut concerned: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, branch) in named.iter().enumerate() {
            for (gate, _) in &branch.gates {
                concerned.entry(gate).or_default().push(at);
            }
        }
        let by_branches = named.iter().flat_map(|branch| &branch.gates);
        let by_branches = by_branches.map(|(gate, span)| Sync {
            gate: gate.clone(),
            together: None,
            span: *span,
        });
        let mut done: BTreeSet<String> = BTreeSet::new();
        for sync in syncs.iter().cloned().chain(by_branches) {
            if !done.insert(sync.gate.clone()) {
                continue;
            }
            let all = || (0..self.branches.len()).collect();
            let mut who = concerned.remove(&*sync.gate).unwrap_or_else(all);
            // A branch may name a gate twice.
            who.dedup();
            self.gate(&sync, &who)?;
        }
        Ok(())
    }

    /// The labels of a gate are done by several of these branches at a time.
    fn gate(&mut self, sync: &Sync, who: &[usize]) -> Run<()> {
        let mut offers: BTreeMap<&str, Vec<BranchOffer>> = BTreeMap::new();
        for &branch in who {
            for (at, label) in self.branches[branch].iter().enumerate() {
                self.meter.tick()?;
                if !label.internal && gate(&label.text) == sync.gate {
                    // A label of the gate is not free any more, even where too few branches have it.
                    self.is_free[branch][at] = false;
                    let offer = BranchOffer {
                        branch: branch as u32,
                        label: at as u32,
                    };
                    offers.entry(&label.text).or_default().push(offer);
                }
            }
        }
        if offers.is_empty() {
            self.nobody_has_the_gate(sync, who);
        }
        let together = sync.together.unwrap_or(who.len());
        for (text, offers) in offers {
            // A label that fewer branches have than must do it together is never done.
            if offers.len() >= together {
                self.rules.push((offers, together, text.to_string()));
            }
        }
        Ok(())
    }

    fn nobody_has_the_gate(&mut self, sync: &Sync, who: &[usize]) {
        let labels = who.iter().flat_map(|&branch| self.branches[branch]);
        let gates = labels.filter(|l| !l.internal).map(|l| gate(&l.text));
        let near = nearest(&sync.gate, gates, 2);
        self.notes.push(BuildNote {
            span: sync.span,
            message: format!(
                "No branch that synchronises on `{}` has such a label",
                sync.gate
            ),
            help: near.map(|near| format!("Did you mean `{near}`?")),
        });
    }

    /// The labels of a vector are done together where their groups agree.
    pub(super) fn vector(&mut self, vector: &Vector) -> Run<()> {
        // What was joined so far: the offers, and the groups that the next ones must agree with.
        let mut joined: Vec<(Vec<BranchOffer>, Vec<&str>)> = vec![(vec![], vec![])];
        for (branch, pattern) in vector.slots.iter().enumerate() {
            let Some(pattern) = pattern else {
                continue;
            };
            // Everything that was joined so far has the same number of groups.
            let agreed = joined.first().map_or(0, |(_, groups)| groups.len());
            let shared = agreed.min(pattern.groups());
            let mut matching: FxHashMap<Vec<&str>, Vec<(BranchOffer, Vec<&str>)>> =
                FxHashMap::default();
            for (offer, groups) in self.matching(branch, pattern)? {
                // A label that matches is not free any more, even where no other branch agrees with it.
                self.is_free[branch][offer.label as usize] = false;
                let key = groups[..shared].to_vec();
                let further = groups[shared..].to_vec();
                matching.entry(key).or_default().push((offer, further));
            }
            if matching.is_empty() {
                self.notes.push(BuildNote {
                    span: vector.span,
                    message: format!("Branch {} has no label for this vector", branch + 1),
                    help: None,
                });
            }
            let mut longer = Vec::new();
            for (offers, groups) in &joined {
                for (offer, further) in matching.get(&groups[..shared]).into_iter().flatten() {
                    self.meter.tick()?;
                    let mut offers = offers.clone();
                    offers.push(*offer);
                    let mut groups = groups.clone();
                    groups.extend(further);
                    longer.push((offers, groups));
                }
            }
            joined = longer;
        }
        for (offers, groups) in joined {
            let together = offers.len();
            let result = vector.result.fill(&groups);
            self.rules
                .push((offers, together, self.internal.settle(result)));
        }
        Ok(())
    }

    /// The labels of a branch that match, with their groups.
    fn matching(
        &mut self,
        branch: usize,
        pattern: &LabelPattern,
    ) -> Run<Vec<(BranchOffer, Vec<&'a str>)>> {
        let mut matching = Vec::new();
        for (at, label) in self.branches[branch].iter().enumerate() {
            self.meter.tick()?;
            if label.internal {
                continue;
            }
            if let Some(groups) = pattern.captures(&label.text) {
                let offer = BranchOffer {
                    branch: branch as u32,
                    label: at as u32,
                };
                matching.push((offer, groups));
            }
        }
        Ok(matching)
    }

    /// These labels of two branches are done together and keep their text.
    pub(super) fn pair(&mut self, labels: [usize; 2]) {
        let text = self.branches[0][labels[0]].text.clone();
        let offer = |branch: usize| BranchOffer {
            branch: branch as u32,
            label: labels[branch] as u32,
        };
        for (branch, label) in labels.into_iter().enumerate() {
            self.is_free[branch][label] = false;
        }
        self.rules.push((vec![offer(0), offer(1)], 2, text));
    }

    pub(super) fn finish(self) -> SyncRules {
        let all = self.branches.iter().zip(&self.is_free);
        let free = all.flat_map(|(labels, is_free)| {
            let free = labels.iter().zip(is_free).filter(|(_, free)| **free);
            free.map(|(label, _)| label.text.clone())
        });
        let results = self.rules.iter().map(|(_, _, text)| text.clone());
        let labels = self.internal.labels(free.chain(results));
        let free = self.branches.iter().zip(&self.is_free);
        let free = free.map(|(texts, is_free)| {
            let named = texts.iter().zip(is_free);
            let number = |(label, free): (&ActionLabel, &bool)| match free {
                true => position(&labels, &label.text),
                false => NONE,
            };
            named.map(number).collect()
        });
        let free = free.collect();
        let empty = |labels: &&[ActionLabel]| vec![Vec::new(); labels.len()];
        let mut leads: Vec<Vec<Vec<LeadingOffer>>> = self.branches.iter().map(empty).collect();
        let mut rules = Vec::with_capacity(self.rules.len());
        for (at, (offers, together, text)) in self.rules.into_iter().enumerate() {
            // After the first offer as many must be left as step together with it.
            for (first, offer) in offers.iter().enumerate().take(offers.len() + 1 - together) {
                leads[offer.branch as usize][offer.label as usize].push(LeadingOffer {
                    rule: at as u32,
                    offer: first as u32,
                });
            }
            rules.push(SyncRule {
                offers,
                together,
                result: position(&labels, &text),
            });
        }
        SyncRules {
            labels,
            free,
            rules,
            leads,
        }
    }
}

fn position(labels: &[ActionLabel], text: &str) -> u32 {
    let found = labels.binary_search_by(|label| label.text.as_str().cmp(text));
    found.expect("every label is in the list") as u32
}
