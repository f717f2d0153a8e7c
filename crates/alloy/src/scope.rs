//! Scopes: from a command to how many atoms each signature has at most, and which.
//!
//! Scopes that are not written are derived in the order of the Alloy Analyzer: an abstract signature has
//! as many atoms as its children together, or its one child without a scope has what the others leave;
//! top-level signatures get the scope over all; the others that of the signature they extend.

mod given;

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use wherefore_base::{Diagnostic, Span, Symbol};

use self::given::GivenScopes;
use crate::growth;
use crate::model::{AlloyModel, AlloyPlace, Command, Mult, SigId};
use crate::outside::Override;
use crate::texts::texts;

/// The scopes of a command, and the atoms that follow from them.
#[derive(Clone, Debug)]
pub struct Scopes {
    /// How many bits an integer has.
    pub bits: u32,
    /// How long a sequence is at most.
    pub sequence: i32,
    /// How many states a trace has, at least and at most; only where something changes over time.
    pub steps: Option<(i32, Option<i32>)>,
    /// The exact number of strings, if it is given.
    pub strings: Option<i32>,
    /// The strings that the command is written with.
    pub texts: Vec<Symbol>,
    /// Those that were given from outside.
    pub outside: Vec<Override>,
    /// The names of the atoms of signatures, in order.
    pub atoms: Vec<String>,
    /// By signature: how many atoms it has at most.
    pub most: Vec<i32>,
    /// By signature: whether that many are there.
    pub exact: Vec<bool>,
    /// By signature: the atoms it always has.
    pub lower: Vec<Vec<usize>>,
    /// By signature: the atoms it may have.
    pub upper: Vec<Vec<usize>>,
}

/// The most atoms there may be.
const MOST_ATOMS: i64 = 100_000;

/// The scopes of a command, with those from outside.
///
/// # Errors
/// When a signature has no scope, or one that does not fit it.
pub fn scopes(
    model: &AlloyModel,
    command: &Command,
    outside: &[Override],
) -> Result<Scopes, Diagnostic> {
    growth::check(command)?;
    let count = model.sigs.len();
    let mut scoping = Scoping {
        model,
        span: command.span,
        overall: command.overall,
        known: vec![None; count],
        exact: vec![false; count],
    };
    let mut given = GivenScopes::of_command(command)?;
    // Signatures that are scoped from outside only leave the default over all in force.
    let nothing_given = given.sigs.is_empty() && given.strings.is_none();
    given.override_with(model, command, outside)?;
    for sig in &given.sigs {
        scoping.give(sig.sig, sig.number, sig.exactly, sig.span)?;
    }
    scoping.derive(command.scoped, nothing_given)?;
    let bits = given.bits(command)?;
    let sequence = given.longest_sequence(command, bits)?;
    let steps = given.trace_steps(model.has_time())?;
    let strings = (given.strings, texts(model, command));
    let scopes = scoping.allocate(bits as u32, sequence, steps, strings)?;
    Ok(Scopes {
        outside: outside.to_vec(),
        ..scopes
    })
}

struct Scoping<'m> {
    model: &'m AlloyModel,
    span: Span,
    overall: Option<i32>,
    known: Vec<Option<i32>>,
    exact: Vec<bool>,
}

impl Scoping<'_> {
    fn error<T>(&self, span: Span, message: String) -> Result<T, Diagnostic> {
        Err(Diagnostic::error(span, message))
    }

    /// The scope that a command gives to a signature.
    fn give(
        &mut self,
        id: SigId,
        number: i32,
        exactly: bool,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let sig = &self.model.sigs[id];
        let label = &sig.label;
        if id.index() < AlloyModel::BUILT_IN {
            return self.error(span, format!("`{label}` has no scope of its own"));
        }
        if matches!(sig.place, AlloyPlace::In { .. }) {
            let message = format!("`{label}` is a subset of others and has no scope of its own");
            return Err(Diagnostic::error(span, message)
                .help("Give a scope to the signatures it is a subset of."));
        }
        if sig.is_enum {
            return self.error(span, format!("The enumeration `{label}` has a fixed size"));
        }
        if sig.var && !sig.is_top_level() {
            let message = format!(
                "`{label}` changes over time and is not a top-level signature: it has no scope of its own"
            );
            return self.error(span, message);
        }
        if sig.var && exactly {
            let message = format!("`{label}` changes over time, so its scope cannot be exact");
            return self.error(span, message);
        }
        let fits = match sig.mult {
            Some(Mult::One) if sig.var => number >= 1,
            Some(Mult::One) => number == 1,
            Some(Mult::Lone) => sig.var || number <= 1,
            Some(Mult::Some) => number >= 1,
            _ => number >= 0,
        };
        if !fits {
            let word = match sig.mult {
                Some(Mult::One) => "one",
                Some(Mult::Lone) => "lone",
                _ => "some",
            };
            let message = format!("A scope of {number} does not fit `{word} sig {label}`");
            return self.error(span, message);
        }
        if let Some(before) = self.known[id.index()]
            && before != number
        {
            let message = format!("`{label}` already has a scope of {before}");
            return self.error(span, message);
        }
        self.known[id.index()] = Some(number);
        self.exact[id.index()] |= exactly;
        Ok(())
    }

    fn sigs(&self) -> impl Iterator<Item = SigId> + use<> {
        (AlloyModel::BUILT_IN..self.model.sigs.len()).map(SigId::new)
    }

    /// The scopes that are not given, until nothing changes.
    fn derive(&mut self, scoped: bool, nothing_given: bool) -> Result<(), Diagnostic> {
        for id in self.sigs() {
            let sig = &self.model.sigs[id];
            if sig.extends().is_none() || sig.var {
                continue;
            }
            match sig.mult {
                Some(Mult::One) => {
                    self.exact[id.index()] = true;
                    self.known[id.index()] = Some(1);
                }
                Some(Mult::Lone) if self.known[id.index()] != Some(0) => {
                    self.known[id.index()] = Some(1);
                }
                _ => {}
            }
        }
        // Without a word about signatures, the scope is 3. The rest of a `for` clause does not count.
        let overall = match self.overall {
            Some(number) => Some(number),
            None if !scoped || nothing_given => Some(3),
            None => None,
        };
        loop {
            // Each rule is tried only where those before it change nothing: their order decides the scopes.
            if self.derive_abstract() || self.derive_overall(overall)? || self.derive_below()? {
                continue;
            }
            return Ok(());
        }
    }

    fn derive_abstract(&mut self) -> bool {
        let mut changed = false;
        for id in self.sigs() {
            let sig = &self.model.sigs[id];
            if !sig.is_abstract || sig.children.is_empty() {
                continue;
            }
            let scope = |child: &SigId| self.known[child.index()];
            let missing: Vec<SigId> = sig
                .children
                .iter()
                .copied()
                .filter(|c| scope(c).is_none())
                .collect();
            let sum = sig
                .children
                .iter()
                .filter_map(scope)
                .fold(0i32, i32::saturating_add);
            match (self.known[id.index()], &missing[..]) {
                (None, []) => self.known[id.index()] = Some(sum),
                (Some(own), &[one]) => self.known[one.index()] = Some((own - sum).max(0)),
                _ => continue,
            }
            changed = true;
        }
        changed
    }

    fn derive_overall(&mut self, overall: Option<i32>) -> Result<bool, Diagnostic> {
        let mut changed = false;
        for id in self.sigs() {
            let sig = &self.model.sigs[id];
            if !sig.is_top_level() || self.known[id.index()].is_some() {
                continue;
            }
            // The values of an enumeration are its children, which `lower_bound` counts.
            let number = if sig.is_enum { Some(0) } else { overall };
            let Some(number) = number else {
                return Err(self.no_scope(id));
            };
            self.known[id.index()] = Some(number);
            changed = true;
        }
        Ok(changed)
    }

    fn derive_below(&mut self) -> Result<bool, Diagnostic> {
        let mut changed = false;
        let mut trouble = None;
        for id in self.sigs() {
            let Some(parent) = self.model.sigs[id].extends() else {
                continue;
            };
            let below = parent.index() >= AlloyModel::BUILT_IN;
            if self.known[id.index()].is_some() || !below {
                if self.known[id.index()].is_none() && parent.index() != AlloyModel::UNIV {
                    trouble = Some(id);
                }
                continue;
            }
            match self.known[parent.index()] {
                Some(number) => {
                    self.known[id.index()] = Some(number);
                    changed = true;
                }
                None => trouble = Some(id),
            }
        }
        match trouble {
            Some(id) if !changed => Err(self.no_scope(id)),
            _ => Ok(changed),
        }
    }

    fn no_scope(&self, id: SigId) -> Diagnostic {
        let label = &self.model.sigs[id].label;
        let message = format!("You must specify a scope for sig `{label}`");
        Diagnostic::error(self.span, message)
            .see(self.model.sigs[id].span, "it is declared here")
            .help(format!(
                "Add it to the scope, as in `for .., 3 {label}`, or begin with a scope for all, as in `for 3 but ..`."
            ))
    }

    /// Names atoms, and says which signature has which.
    fn allocate(
        mut self,
        bits: u32,
        sequence: i32,
        steps: Option<(i32, Option<i32>)>,
        (strings, texts): (Option<i32>, Vec<Symbol>),
    ) -> Result<Scopes, Diagnostic> {
        let count = self.model.sigs.len();
        let total: i64 = self
            .sigs()
            .filter(|&id| self.model.sigs[id].is_top_level())
            .filter_map(|id| self.known[id.index()])
            .map(i64::from)
            .sum();
        let total = total + i64::from(strings.unwrap_or(0));
        if total > MOST_ATOMS {
            let message =
                format!("The scopes come to {total} atoms, which is more than {MOST_ATOMS}");
            return self.error(self.span, message);
        }
        let mut allocation = Allocation {
            atoms: Vec::new(),
            taken: BTreeMap::new(),
            lower: vec![Vec::new(); count],
            upper: vec![Vec::new(); count],
        };
        let tops: Vec<SigId> = self
            .sigs()
            .filter(|&id| self.model.sigs[id].is_top_level())
            .collect();
        for &top in &tops {
            let mut below = self.below(top);
            match self.model.sigs[top].is_enum {
                // Its values in the order in which they are declared.
                true => below.rotate_left(1),
                // A signature has the atoms of its children, so these come before it.
                false => below.reverse(),
            }
            for id in below {
                self.lower_bound(id, &mut allocation);
            }
        }
        for &top in &tops {
            for id in self.below(top) {
                self.upper_bounds(id, &mut allocation);
            }
        }
        Ok(Scopes {
            bits,
            sequence,
            steps,
            strings,
            texts,
            outside: Vec::new(),
            atoms: allocation.atoms,
            most: self.known.iter().map(|known| known.unwrap_or(0)).collect(),
            exact: self.exact,
            lower: allocation.lower,
            upper: allocation.upper,
        })
    }

    /// A signature and all below it, each after the one it extends.
    fn below(&self, top: SigId) -> Vec<SigId> {
        let mut list = vec![top];
        let mut at = 0;
        while let Some(&id) = list.get(at) {
            list.extend(&self.model.sigs[id].children);
            at += 1;
        }
        list
    }

    /// The atoms a signature must have: those of its children, and fresh ones up to an exact scope.
    fn lower_bound(&mut self, id: SigId, allocation: &mut Allocation) {
        let sig = &self.model.sigs[id];
        let mut lower: Vec<usize> = Vec::new();
        for child in &sig.children {
            lower.extend(&allocation.lower[child.index()]);
        }
        // A signature has at least the atoms of its children, whatever its scope is.
        let scope = self.known[id.index()].unwrap_or(0).max(lower.len() as i32);
        self.known[id.index()] = Some(scope);
        if self.model.exact.contains(&id) {
            self.exact[id.index()] = true;
        }
        let exact = self.exact[id.index()];
        let mut upper = lower.clone();
        // Below the top, other atoms are those of the signature above, unless the scope is exact.
        if exact || sig.is_top_level() {
            let fresh = allocation.fresh(&sig.label, scope as usize - lower.len());
            upper.extend(fresh.clone());
            if exact {
                lower.extend(fresh);
            }
        }
        allocation.lower[id.index()] = lower;
        allocation.upper[id.index()] = upper;
    }

    /// Children that may have more atoms may have all those that no child must have.
    fn upper_bounds(&self, id: SigId, allocation: &mut Allocation) {
        let sig = &self.model.sigs[id];
        if sig.children.is_empty() {
            return;
        }
        let lower = sig
            .children
            .iter()
            .flat_map(|child| &allocation.lower[child.index()]);
        let must: FxHashSet<usize> = lower.copied().collect();
        let mut free = allocation.upper[id.index()].clone();
        free.retain(|atom| !must.contains(atom));
        for child in &sig.children {
            let scope = self.known[child.index()].unwrap_or(0);
            if scope as usize > allocation.lower[child.index()].len() {
                let upper = &mut allocation.upper[child.index()];
                upper.extend(&free);
                upper.sort_unstable();
                upper.dedup();
            }
        }
    }
}

struct Allocation {
    atoms: Vec<String>,
    /// How often a name is used for atoms.
    taken: BTreeMap<String, usize>,
    lower: Vec<Vec<usize>>,
    upper: Vec<Vec<usize>>,
}

impl Allocation {
    fn fresh(&mut self, label: &str, count: usize) -> Vec<usize> {
        if count == 0 {
            return Vec::new();
        }
        let start = self.atoms.len();
        let used = self.taken.entry(label.to_owned()).or_default();
        *used += 1;
        let name = if *used == 1 {
            label.to_owned()
        } else {
            format!("{label}'{used}")
        };
        self.atoms
            .extend((0..count).map(|at| format!("{name}${at}")));
        (start..self.atoms.len()).collect()
    }
}
