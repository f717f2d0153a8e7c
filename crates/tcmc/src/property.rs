//! The CTL formula that a command asks for.

use wherefore_alloy::AlloyModel;
use wherefore_alloy::model::{
    AlloyBinaryOp, AlloyTermId, AlloyTermKind, Command, CommandGoal, SigId,
};
use wherefore_base::{IndexVec, deep};
use wherefore_logic::{AtomId, Formula, Op, PathOp, PathRule, Quantifier, SubId};

use crate::local::Locality;
use crate::misfit::TcmcMisfit;
use crate::reading::{SystemReading, TcmcModule, conjuncts, is_state_signature};

/// What a command asks of the transition system.
#[derive(Clone, Debug)]
pub struct AskedFormula {
    /// The formula.
    pub formula: Formula,
    /// What its atoms mean: sets of states.
    pub atoms: IndexVec<AtomId, AlloyTermId>,
    /// What a path is.
    pub rule: PathRule,
    /// Whether it must hold in all initial states, or in those of some instance.
    pub universal: bool,
}

/// The formula of a command; none if the command does not ask for one.
///
/// # Errors
/// When it asks for one in a way that cannot be taken apart.
pub fn asked(
    model: &AlloyModel,
    reading: &SystemReading,
    command: &Command,
) -> Result<Option<AskedFormula>, TcmcMisfit> {
    read(model, &reading.module, reading.state, command, true)
}

/// The formula of a command that is asked of one system at a time: its atoms may be any sets of states.
///
/// # Errors
/// As of [`asked`].
pub fn asked_in_scope(
    model: &AlloyModel,
    module: &TcmcModule,
    command: &Command,
) -> Result<Option<AskedFormula>, TcmcMisfit> {
    match module.states(model) {
        Some(state) => read(model, module, state, command, false),
        None => Ok(None),
    }
}

/// Why the temporal operators of a command are no formula that is read, if it has some: it says more than `ctl_mc[..]`.
pub fn unread(model: &AlloyModel, module: &TcmcModule, command: &Command) -> Option<TcmcMisfit> {
    let goal = match command.goal {
        CommandGoal::Formula(term) => term,
        CommandGoal::Function(function) => model.functions[function].body?,
    };
    let temporal = |name: &str| {
        const OPERATORS: [&str; 10] =
            ["ex", "ax", "ef", "af", "eg", "ag", "ecg", "acg", "eu", "au"];
        OPERATORS.contains(&name)
    };
    calls(model, module, goal, temporal).then(|| {
        let span = model.terms[goal].span;
        let message = "This is not read as a formula of CTL, which is `ctl_mc[..]` or `ctlfc_mc[..]` and nothing else";
        TcmcMisfit::new(span, message)
    })
}

/// Whether a term calls a function of the module, also in what it calls.
fn calls(
    model: &AlloyModel,
    module: &TcmcModule,
    term: AlloyTermId,
    wanted: impl Fn(&str) -> bool,
) -> bool {
    let mut open = vec![term];
    let mut known = rustc_hash::FxHashSet::default();
    while let Some(term) = open.pop() {
        let kind = &model.terms[term].kind;
        if let AlloyTermKind::Call(function, _) = kind {
            match module.function(model, *function) {
                Some(name) if wanted(name) => return true,
                Some(_) => {}
                None if known.insert(*function) => open.extend(model.functions[*function].body),
                None => {}
            }
        }
        open.extend(kind.operands());
    }
    false
}

/// Whether a command asks for a formula whose atoms are decided by the fields of single states.
pub(crate) fn asks_locally(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    command: &Command,
) -> bool {
    matches!(read(model, module, state, command, true), Ok(Some(_)))
}

fn read(
    model: &AlloyModel,
    module: &TcmcModule,
    state: SigId,
    command: &Command,
    local: bool,
) -> Result<Option<AskedFormula>, TcmcMisfit> {
    let goal = match command.goal {
        CommandGoal::Formula(term) => term,
        CommandGoal::Function(function) => {
            let function = &model.functions[function];
            match function.body {
                Some(body) if function.result.is_none() && function.params.is_empty() => body,
                _ => return Ok(None),
            }
        }
    };
    let mut wanted = Vec::new();
    let Some(()) = entries(model, module, goal, &mut wanted) else {
        return Ok(None);
    };
    if wanted.is_empty() {
        return Ok(None);
    }
    let plain = module.fair.is_none() || has_fair_operators(model, module);
    let mut reader = PropertyReader {
        model,
        module,
        state,
        locality: local.then(|| Locality::new(model, module, state)),
        formula: Formula::new(),
        atoms: IndexVec::new(),
    };
    let mut whole: Option<SubId> = None;
    for term in wanted {
        let sub = reader.set(term)?;
        let span = Some(model.terms[term].span);
        whole = Some(match whole {
            None => sub,
            Some(before) => reader.formula.add(Op::And(before, sub), span),
        });
    }
    Ok(Some(AskedFormula {
        formula: reader.formula,
        atoms: reader.atoms,
        rule: if plain {
            PathRule::Plain
        } else {
            PathRule::PlainFair
        },
        universal: command.check,
    }))
}

/// Whether the module has operators of its own for fair paths, so that the others are over all paths.
fn has_fair_operators(model: &AlloyModel, module: &TcmcModule) -> bool {
    let mut functions = model.functions.entries();
    functions.any(|(id, _)| module.function(model, id) == Some("ecg"))
}

/// The arguments of the calls of `ctl_mc` that a formula is the conjunction of; none if it is not one.
fn entries(
    model: &AlloyModel,
    module: &TcmcModule,
    goal: AlloyTermId,
    found: &mut Vec<AlloyTermId>,
) -> Option<()> {
    for term in conjuncts(model, goal) {
        let AlloyTermKind::Call(function, arguments) = &model.terms[term].kind else {
            return None;
        };
        match (module.function(model, *function), &arguments[..]) {
            (Some("ctl_mc" | "ctlfc_mc"), &[argument]) => found.push(argument),
            (None, []) => {
                let body = model.functions[*function].body?;
                deep(|| entries(model, module, body, found))?;
            }
            _ => return None,
        }
    }
    Some(())
}

struct PropertyReader<'m> {
    model: &'m AlloyModel,
    module: &'m TcmcModule,
    state: SigId,
    /// Looks at the atoms, if they must speak of single states.
    locality: Option<Locality<'m>>,
    formula: Formula,
    atoms: IndexVec<AtomId, AlloyTermId>,
}

impl PropertyReader<'_> {
    /// The sub-formula of a set of states.
    fn set(&mut self, term: AlloyTermId) -> Result<SubId, TcmcMisfit> {
        deep(|| self.set_here(term))
    }

    fn set_here(&mut self, term: AlloyTermId) -> Result<SubId, TcmcMisfit> {
        let model = self.model;
        let span = Some(model.terms[term].span);
        let op = match &model.terms[term].kind {
            AlloyTermKind::Mult(_, inner) => return self.set(*inner),
            AlloyTermKind::Call(function, arguments) => {
                match (self.module.function(model, *function), &arguments[..]) {
                    (Some(name), &[a]) => {
                        let a = self.set(a)?;
                        one_operand(name, a).ok_or_else(|| self.unknown(term))?
                    }
                    (Some(name), &[a, b]) => {
                        let (a, b) = (self.set(a)?, self.set(b)?);
                        two_operands(name, a, b).ok_or_else(|| self.unknown(term))?
                    }
                    (None, []) if self.asks(term) => {
                        let body = model.functions[*function].body;
                        return self.set(body.ok_or_else(|| self.unknown(term))?);
                    }
                    _ => return self.atom(term),
                }
            }
            // Without a temporal operator below it, an operation on sets is part of an atom.
            &AlloyTermKind::Binary(AlloyBinaryOp::Union, a, b) if self.asks(term) => {
                Op::Or(self.set(a)?, self.set(b)?)
            }
            &AlloyTermKind::Binary(AlloyBinaryOp::Intersection, a, b) if self.asks(term) => {
                Op::And(self.set(a)?, self.set(b)?)
            }
            &AlloyTermKind::Binary(AlloyBinaryOp::Difference, a, b) if self.asks(term) => {
                let other = Op::Not(self.set(b)?);
                // Every state is in the signature, so this difference is a negation.
                if is_state_signature(model, self.state, a) {
                    other
                } else {
                    let other = self.formula.add(other, span);
                    Op::And(self.set(a)?, other)
                }
            }
            _ => return self.atom(term),
        };
        Ok(self.formula.add(op, span))
    }

    fn atom(&mut self, term: AlloyTermId) -> Result<SubId, TcmcMisfit> {
        if let Some(locality) = &self.locality {
            locality.set(term)?;
        }
        let atom = self.atoms.push(term);
        let span = Some(self.model.terms[term].span);
        Ok(self.formula.add(Op::Atom(atom), span))
    }

    /// Whether a temporal operator is below a term.
    fn asks(&self, term: AlloyTermId) -> bool {
        calls(self.model, self.module, term, |_| true)
    }

    fn unknown(&self, term: AlloyTermId) -> TcmcMisfit {
        let message = "This is not a temporal operator that is known here";
        TcmcMisfit::new(self.model.terms[term].span, message)
    }
}

fn one_operand(name: &str, a: SubId) -> Option<Op> {
    let (quantifier, path) = match name {
        "not_" => return Some(Op::Not(a)),
        "ex" => (Quantifier::Exists, PathOp::Next(a)),
        "ax" => (Quantifier::Forall, PathOp::Next(a)),
        "ef" => (Quantifier::Exists, PathOp::Finally(a)),
        "af" => (Quantifier::Forall, PathOp::Finally(a)),
        "eg" => (Quantifier::Exists, PathOp::Globally(a)),
        "ag" => (Quantifier::Forall, PathOp::Globally(a)),
        "ecg" => (Quantifier::Exists, PathOp::FairGlobally(a)),
        "acg" => (Quantifier::Forall, PathOp::FairGlobally(a)),
        _ => return None,
    };
    Some(Op::Path(quantifier, path))
}

fn two_operands(name: &str, a: SubId, b: SubId) -> Option<Op> {
    Some(match name {
        "and_" => Op::And(a, b),
        "or_" => Op::Or(a, b),
        "imp_" => Op::Implies(a, b),
        "eu" => Op::Path(Quantifier::Exists, PathOp::Until(a, b)),
        "au" => Op::Path(Quantifier::Forall, PathOp::Until(a, b)),
        _ => return None,
    })
}
