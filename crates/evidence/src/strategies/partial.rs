//! Only what is short.

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Value};
use wherefore_logic::{Kernel, kernel};
use wherefore_proof::{Claim, ProofId, ProofNode};

use crate::strategy::{Proof, Strategy};

/// Leaves open what takes more than so many steps to show (Chechik and Gurfinkel 2005, section 5.2).
///
/// Connectives make no step: they are always taken apart, and it is their parts that are measured.
#[derive(Clone, Debug)]
pub struct Partial {
    most: u32,
    known: FxHashMap<(Claim, Vec<Value>), bool>,
}

impl Partial {
    /// Shows what takes at most so many steps.
    pub fn new(most: u32) -> Self {
        Self {
            most,
            known: FxHashMap::default(),
        }
    }

    fn is_short(&mut self, proof: &dyn Proof, leaf: ProofId) -> Run<bool> {
        let ProofNode { claim, at, .. } = proof.nodes()[leaf];
        if let Claim::Formula(goal, _) = claim {
            let kernel = kernel(&proof.query().formula, goal);
            if matches!(kernel, Kernel::State | Kernel::Branches(_)) {
                return Ok(true);
            }
        }
        let key = (claim, proof.values(at));
        if let Some(&short) = self.known.get(&key) {
            return Ok(short);
        }
        let short = !proof.takes_more_than(leaf, self.most)?;
        self.known.insert(key, short);
        Ok(short)
    }
}

impl Strategy for Partial {
    fn pick_leaf(&mut self, proof: &dyn Proof, leaves: &[ProofId]) -> Run<Vec<ProofId>> {
        let mut short = Vec::new();
        for &leaf in leaves {
            if self.is_short(proof, leaf)? {
                short.push(leaf);
            }
        }
        Ok(short)
    }
}
