//! An inquiry: a proof in the hands of a person.

use std::collections::{BTreeMap, BTreeSet};

use wherefore_base::{Run, Value};
use wherefore_evidence::{
    Claim, Exploring, Finding, Note, ProofId, ProofNode, Rule, SpaceSummary, Verdict, Way, WayKind,
    WishBest, WishOutcome,
};
use wherefore_logic::{Kernel, PathRule, class_of, run_kernel};

use super::{Offer, OpenObligation, OpenedProof, ProofScene, Tactic};
use crate::strategy::Remark;

/// For so many ways somebody looks what is to come after them.
const LOOKED_AT: usize = 9;

/// What was done in an inquiry; it lasts when the proof is opened anew.
#[derive(Clone, Default, Debug)]
pub struct Past {
    tactic: Tactic,
    /// Whether the model is a part of another one: of the runs that are not in it nothing is known.
    part: bool,
    changes: Vec<Change>,
    /// The number of the way that was taken last at an obligation.
    taken: BTreeMap<ProofId, usize>,
}

/// Something that was done, as it can be said again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InquiryChoice {
    /// From here on this tactic chooses.
    Tactic(Tactic),
    /// The way with this number was taken at an obligation.
    Take(ProofId, usize),
    /// Everything that was left was shown.
    Grow,
    /// A node that was shown became an obligation again.
    Reopen(ProofId),
}

#[derive(Clone, Debug)]
struct Change {
    tactic: Tactic,
    what: What,
    /// How often the proof itself must be told to undo.
    moves: usize,
}

#[derive(Clone, Debug)]
enum What {
    Take {
        leaf: ProofId,
        number: usize,
        kind: WayKind,
        to: Option<Vec<Value>>,
    },
    Grow,
    Reopen(ProofId),
}

impl Past {
    /// Nothing was done yet; this tactic chooses.
    pub fn led_by(tactic: Tactic) -> Self {
        Self {
            tactic,
            ..Self::default()
        }
    }

    /// The same, of a model that is a part of another one.
    pub fn of_part(self) -> Self {
        Self { part: true, ..self }
    }

    /// Forgets every change, but not the tactic.
    pub fn forget(&mut self) {
        self.changes.clear();
        self.taken.clear();
    }

    /// Who makes the choices that nobody makes by hand.
    pub fn tactic(&self) -> &Tactic {
        &self.tactic
    }

    /// Everything that was done and not undone, in order.
    pub fn choices(&self) -> Vec<InquiryChoice> {
        let mut choices = Vec::new();
        let mut tactic = Tactic::default();
        for change in &self.changes {
            if change.tactic != tactic {
                tactic = change.tactic.clone();
                choices.push(InquiryChoice::Tactic(tactic.clone()));
            }
            choices.push(match &change.what {
                What::Take { leaf, number, .. } => InquiryChoice::Take(*leaf, *number),
                What::Grow => InquiryChoice::Grow,
                What::Reopen(node) => InquiryChoice::Reopen(*node),
            });
        }
        if self.tactic != tactic {
            choices.push(InquiryChoice::Tactic(self.tactic.clone()));
        }
        choices
    }
}

/// A proof in the hands of a person.
///
/// Numbers of nodes last: a node keeps its number until it is forgotten. A change that cannot be made,
/// because the budget ends, leaves everything as it was.
pub struct Inquiry<'p> {
    proof: &'p mut dyn Exploring,
    summary: &'p SpaceSummary,
    holds: bool,
    past: &'p mut Past,
}

impl<'p> Inquiry<'p> {
    /// Goes on where the past ended. What does not fit this proof is forgotten.
    pub fn new<'o: 'p>(opened: OpenedProof<'o>, past: &'p mut Past) -> Run<Self> {
        let OpenedProof {
            summary,
            holds,
            proof,
        } = opened;
        let mut inquiry = Self {
            proof,
            summary,
            holds,
            past,
        };
        let tactic = inquiry.past.tactic.clone();
        for change in std::mem::take(&mut inquiry.past.changes) {
            inquiry.set_tactic(change.tactic)?;
            if !inquiry.again(change.what)? {
                break;
            }
        }
        inquiry.set_tactic(tactic)?;
        Ok(inquiry)
    }

    /// How large the space is.
    pub fn summary(&self) -> &SpaceSummary {
        self.summary
    }

    /// What was done so far.
    pub fn past(&self) -> &Past {
        self.past
    }

    /// Whether the proof was opened when the model had these conditions already.
    pub fn knows(&self, tactic: &Tactic) -> bool {
        let terms = self.proof.model().terms.len();
        tactic.terms().all(|term| term.index() < terms)
    }

    /// Lets another tactic choose from now on. Where everything was shown, it is shown again as that tactic
    /// chooses; with `anew`, what was shown is forgotten in any case.
    ///
    /// # Panics
    /// When the model has got a condition of the tactic only after the proof was opened.
    pub fn switch(&mut self, tactic: Tactic, anew: bool) -> Run<()> {
        let whole = self.is_whole();
        if whole || anew {
            while self.undo() {}
        }
        self.set_tactic(tactic)?;
        match whole {
            true => self.grow(),
            false => Ok(()),
        }
    }

    /// Whether something was shown, and nothing is left to show.
    fn is_whole(&self) -> bool {
        !self.past.changes.is_empty() && self.proof.leaves().is_empty()
    }

    /// Lets another tactic make the choices that come, whatever is shown.
    ///
    /// # Panics
    /// When the model has got a condition of the tactic only after the proof was opened.
    pub fn set_tactic(&mut self, tactic: Tactic) -> Run<()> {
        assert!(self.knows(&tactic), "the proof knows the conditions");
        let (_, rules) = tactic.strategy()?;
        self.proof.set_rules(rules)?;
        self.past.tactic = tactic;
        Ok(())
    }

    /// The same, the next time the proof is opened.
    pub fn switch_later(&mut self, tactic: Tactic, anew: bool) {
        let whole = self.is_whole();
        if whole || anew {
            self.past.forget();
        }
        if whole {
            self.past.changes.push(Change {
                tactic: tactic.clone(),
                what: What::Grow,
                moves: 0,
            });
        }
        self.past.tactic = tactic;
    }

    /// What strategies have said since somebody asked last.
    pub fn remarks(&self) -> Vec<Remark> {
        self.past.tactic.remarks()
    }

    /// What is shown at present.
    pub fn scene(&self) -> Run<ProofScene> {
        let (evidence, nodes) = self.proof.evidence()?;
        let places: BTreeMap<ProofId, ProofId> = nodes.ids().map(|id| (nodes[id], id)).collect();
        let leaves = self.proof.leaves().into_iter();
        let open = leaves.filter_map(|number| {
            let node = &evidence.proof[*places.get(&number)?];
            Some(OpenObligation {
                number,
                claim: node.claim,
                at: node.at,
                rank: node.rank,
            })
        });
        Ok(ProofScene {
            holds: self.holds,
            open: open.collect(),
            evidence,
            nodes,
            tactic: self.past.tactic.name(),
            wishes: match self.proof.leaves().is_empty() {
                true => self.outcomes()?,
                false => vec![],
            },
            changes: self.past.changes.len(),
        })
    }

    /// What became of wishes about whole runs.
    fn outcomes(&self) -> Run<Vec<WishOutcome>> {
        let mut outcomes = self.proof.outcomes()?;
        for outcome in outcomes.iter_mut().filter(|_| self.past.part) {
            outcome.best = WishBest::Open;
        }
        Ok(outcomes)
    }

    /// The evidence so far as the finding it belongs to.
    pub fn finding(&self, property: usize) -> Run<Finding> {
        let query = self.proof.query();
        let unfair = self.proof.model().fairness.is_empty() || query.rule == PathRule::Reach;
        Ok(Finding {
            evidence: Some(self.proof.evidence()?.0),
            wishes: self.outcomes()?,
            ..Finding::new(
                property,
                match self.holds {
                    true => Verdict::Holds,
                    false => Verdict::Fails,
                },
                Some(class_of(&query.formula, !unfair)),
            )
        })
    }

    /// Whether a number is that of an obligation.
    pub fn is_open(&self, number: ProofId) -> bool {
        self.proof.leaves().contains(&number)
    }

    /// Whether a number is that of a node that is shown.
    pub fn is_shown(&self, number: ProofId) -> bool {
        let mut seen = BTreeSet::new();
        let mut waiting = vec![ProofId::new(0)];
        while let Some(node) = waiting.pop() {
            if seen.insert(node) {
                waiting.extend(&self.proof.nodes()[node].premises);
            }
        }
        seen.contains(&number) && self.proof.nodes()[number].rule.is_some()
    }

    /// The ways to show an obligation; nothing when there is no such obligation. For the first few it
    /// is looked what comes after them, unless that takes too long.
    pub fn offers(&mut self, number: ProofId) -> Run<Vec<Offer>> {
        if !self.is_open(number) {
            return Ok(vec![]);
        }
        let ways = self.proof.ways(number)?;
        let mut offers = Vec::new();
        for (at, way) in ways.into_iter().enumerate() {
            let outlook = match at < LOOKED_AT {
                true => Some(self.proof.outlook_after(at)?),
                false => None,
            };
            offers.push(Offer { way, outlook });
        }
        Ok(offers)
    }

    /// Takes a way to show an obligation, by number; whether there is such an obligation and way.
    pub fn take(&mut self, leaf: ProofId, number: usize) -> Run<bool> {
        if !self.is_open(leaf) {
            return Ok(false);
        }
        let ways = self.proof.ways(leaf)?;
        let Some(Way { kind, to, .. }) = ways.get(number) else {
            return Ok(false);
        };
        let what = What::Take {
            leaf,
            number,
            kind: *kind,
            to: to.clone(),
        };
        self.change(what)?;
        Ok(true)
    }

    /// Shows an obligation the way that the tactic likes best; whether there is such an obligation.
    pub fn expand(&mut self, leaf: ProofId) -> Run<bool> {
        if !self.is_open(leaf) {
            return Ok(false);
        }
        let ways = self.proof.ways(leaf)?;
        let (mut strategy, _) = self.past.tactic.strategy()?;
        let liked = match strategy.has_opinions() && ways.len() > 1 {
            true => strategy.pick_rule(&*self.proof, leaf, &ways)?,
            false => vec![],
        };
        let liked = liked.into_iter().filter(|&way| way < ways.len()).min();
        self.take(leaf, liked.unwrap_or(0))
    }

    /// Shows everything that is left, as the tactic chooses.
    pub fn grow(&mut self) -> Run<()> {
        self.change(What::Grow)
    }

    /// Makes an obligation of a node that is shown; whether there is such a node.
    pub fn reopen(&mut self, number: ProofId) -> Run<bool> {
        if !self.is_shown(number) {
            return Ok(false);
        }
        self.change(What::Reopen(number))?;
        Ok(true)
    }

    /// Shows a node the next other way, of which the first comes after the last; whether there is such
    /// a node and another way.
    pub fn another(&mut self, number: ProofId) -> Run<bool> {
        if !self.is_shown(number) {
            return Ok(false);
        }
        let node = self.proof.nodes()[number].clone();
        self.change(What::Reopen(number))?;
        let taken = self.proof.ways(number).and_then(|ways| {
            let known = self.past.taken.get(&number).copied();
            let last = known.or_else(|| ways.iter().position(|way| self.is_way_of(way, &node)));
            let next = last.map_or(0, |last| last + 1) % ways.len();
            match ways.len() {
                1 => Ok(false),
                _ => self.take(number, next),
            }
        });
        if taken != Ok(true) {
            self.undo();
        }
        taken
    }

    /// Takes the last change back; whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(change) = self.past.changes.pop() else {
            return false;
        };
        self.undo_moves(change.moves);
        true
    }

    /// Whether a node was shown that way.
    fn is_way_of(&self, way: &Way, node: &ProofNode) -> bool {
        let leads_to = |premise: Option<&ProofId>| {
            premise.map(|&premise| self.proof.values(self.proof.nodes()[premise].at))
        };
        match (node.rule, way.kind) {
            (Some(Rule::Branch(number)), WayKind::Branch(other)) => number == other,
            (Some(Rule::Step), WayKind::Step) => leads_to(node.premises.first()) == way.to,
            (Some(Rule::Continue), WayKind::Continue | WayKind::Loop(_) | WayKind::Close(_)) => {
                leads_to(node.premises.last()) == way.to
            }
            (Some(Rule::Goal), WayKind::Goal)
            | (Some(Rule::Start), WayKind::Start)
            | (Some(Rule::DeadEnd), WayKind::DeadEnd)
            | (Some(Rule::Stop), WayKind::Stop) => true,
            _ => false,
        }
    }

    /// Does again what was done in the past; whether it fits.
    fn again(&mut self, what: What) -> Run<bool> {
        let fits = match &what {
            What::Take { leaf, kind, to, .. } => {
                let same = |way: &Way| way.kind == *kind && way.to == *to;
                self.is_open(*leaf) && self.proof.ways(*leaf)?.iter().any(same)
            }
            What::Grow => true,
            What::Reopen(node) => self.is_shown(*node),
        };
        if fits {
            self.change(what)?;
        }
        Ok(fits)
    }

    fn change(&mut self, what: What) -> Run<()> {
        let mut moves = 0;
        let made = self.make(&what, &mut moves);
        if let Err(stop) = made.and_then(|()| self.settle(&mut moves)) {
            self.undo_moves(moves);
            return Err(stop);
        }
        if let What::Take { leaf, number, .. } = what {
            self.past.taken.insert(leaf, number);
        }
        self.past.changes.push(Change {
            tactic: self.past.tactic.clone(),
            what,
            moves,
        });
        Ok(())
    }

    fn make(&mut self, what: &What, moves: &mut usize) -> Run<()> {
        match what {
            What::Take {
                leaf,
                number,
                kind,
                to,
            } => {
                let ways = self.proof.ways(*leaf)?;
                let same = |way: &Way| way.kind == *kind && way.to == *to;
                let number = match ways.get(*number).is_some_and(same) {
                    true => Some(*number),
                    false => ways.iter().position(same),
                };
                *moves += 1;
                self.proof
                    .take(*leaf, number.expect("it was looked up before"))?;
            }
            What::Grow => {
                *moves += 1;
                let (mut strategy, _) = self.past.tactic.strategy()?;
                self.proof.grow(&mut *strategy, usize::MAX)?;
            }
            What::Reopen(node) => {
                *moves += 1;
                self.proof.reopen(*node);
            }
        }
        Ok(())
    }

    /// Shows what is plain to see: claims that the values of a state decide, and that paths go on
    /// where they all do.
    fn settle(&mut self, moves: &mut usize) -> Run<()> {
        let deadlocks = self.summary.notes.iter();
        let deadlocks = deadlocks.filter(|note| matches!(note, Note::Deadlocks { .. }));
        let endless = deadlocks.count() == 0 && self.proof.model().fairness.is_empty();
        for leaf in self.proof.leaves() {
            let plain = match self.proof.nodes()[leaf].claim {
                Claim::HasPath => endless,
                Claim::Formula(goal, _) => {
                    run_kernel(&self.proof.query().formula, goal).kernel == Kernel::State
                }
            };
            if plain {
                *moves += 1;
                self.proof.take(leaf, 0)?;
            }
        }
        Ok(())
    }

    fn undo_moves(&mut self, moves: usize) {
        for _ in 0..moves {
            self.proof.undo();
        }
    }
}
