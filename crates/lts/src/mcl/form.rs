//! What a formula says of the runs of a system, read off its equations.
//!
//! Where there are only conjunctions and `[a]`, and no least fixpoint depends on itself, a formula says
//! that runs never begin in certain ways: its equations are the states of an automaton that reads them,
//! and `false` is where it accepts. So all ways to write a safety property are recognised alike.

use wherefore_base::IndexVec;
use wherefore_logic::modal::{Fixpoint, ModalOp, ModalSystem};
use wherefore_logic::{ActionId, Nfa, Piece, SubId};
use wherefore_model::lts::{LabelSet, Lts, PropertyForm};

use super::equations::BuiltEquations;

/// What a formula says; sets of labels that it needs are added to the actions.
pub(super) fn form(
    built: &BuiltEquations,
    actions: &mut IndexVec<ActionId, LabelSet>,
    lts: &Lts,
) -> PropertyForm {
    match forbidden(built) {
        Ok((nfa, piece)) => PropertyForm::Never(nfa, piece),
        Err(reason) => match inevitable(built, actions, lts) {
            Some(sequence) => PropertyForm::Inevitable(sequence),
            None => PropertyForm::Other(reason),
        },
    }
}

/// The sequences with which no run may begin, or why there are none.
fn forbidden(built: &BuiltEquations) -> Result<(Nfa, Piece), String> {
    let system = &built.system;
    for (id, equation) in system.equations.entries() {
        let least = system.fixpoint(id) == Fixpoint::Least && built.cyclic[id];
        let reason = match equation.op {
            _ if least => "asks that something happens in the end",
            ModalOp::Some(..) => "asks for a step that is possible, which no single run refutes",
            ModalOp::Any(ref subs) if subs.len() > 1 => {
                "offers alternatives, which no single run refutes"
            }
            _ => continue,
        };
        return Err(format!("`{}` {reason}", equation.text));
    }
    let mut nfa = Nfa::new();
    let states: Vec<u32> = system.equations.iter().map(|_| nfa.state()).collect();
    let exit = nfa.state();
    for (id, equation) in system.equations.entries() {
        let from = states[id.index()];
        match &equation.op {
            ModalOp::Const(true) => {}
            ModalOp::Const(false) => nfa.step(from, None, exit),
            ModalOp::Every(action, sub) => nfa.step(from, Some(*action), states[sub.index()]),
            ModalOp::All(subs) => {
                for sub in subs {
                    nfa.step(from, None, states[sub.index()]);
                }
            }
            // A disjunction of nothing is false.
            ModalOp::Any(subs) if subs.is_empty() => nfa.step(from, None, exit),
            ModalOp::Any(subs) => nfa.step(from, None, states[subs[0].index()]),
            ModalOp::Some(..) => return Err("asks for a step that is possible".to_owned()),
        }
    }
    let entrance = states[system.root.index()];
    Ok((nfa, Piece { entrance, exit }))
}

/// The actions that every maximal run performs in this order:
/// `mu X . (<true> true and [not A] X and [A] ..)`.
fn inevitable(
    built: &BuiltEquations,
    actions: &mut IndexVec<ActionId, LabelSet>,
    lts: &Lts,
) -> Option<Vec<ActionId>> {
    let system = &built.system;
    let mut sequence = Vec::new();
    let mut at = system.root;
    let mut seen = vec![at];
    loop {
        let stage = stage(system, at)?;
        if system.fixpoint(at) != Fixpoint::Least || !built.cyclic[at] {
            return None;
        }
        let every = |set: &LabelSet| set.iter().count() == lts.labels().len();
        // Only `<true> true` says just that a run goes on; with fewer labels it would ask for one of them.
        let live = stage.possible.iter().all(|&action| every(&actions[action]));
        if stage.possible.is_empty() || !live {
            return None;
        }
        let repeated = LabelSet::new(lts, |_| false);
        let repeated = stage
            .repeats
            .iter()
            .fold(repeated, |all, &action| union(lts, &all, &actions[action]));
        // Whatever does not repeat the stage ends it.
        let wanted = complement(lts, &repeated);
        let action = find_or_add(actions, wanted);
        sequence.push(action);
        match stage.goes_on[..] {
            [] => return Some(sequence),
            [(with, next)] if actions[with] == actions[action] && !seen.contains(&next) => {
                seen.push(next);
                at = next;
            }
            _ => return None,
        }
    }
}

/// The parts of a conjunction that may be a stage of an inevitable sequence.
struct InevitableStage {
    /// `<a> true`
    possible: Vec<ActionId>,
    /// `[a] X`, X being the stage itself.
    repeats: Vec<ActionId>,
    /// `[a] Y`, Y being another one.
    goes_on: Vec<(ActionId, SubId)>,
}

fn stage(system: &ModalSystem, at: SubId) -> Option<InevitableStage> {
    let mut stage = InevitableStage {
        possible: Vec::new(),
        repeats: Vec::new(),
        goes_on: Vec::new(),
    };
    let mut seen = vec![at];
    let mut open = vec![at];
    while let Some(id) = open.pop() {
        match &system.equations[id].op {
            ModalOp::Const(true) => {}
            ModalOp::All(subs) => {
                for &sub in subs {
                    // A conjunction that goes round, or a large one, is none of ours.
                    if seen.contains(&sub) || seen.len() > 64 {
                        return None;
                    }
                    seen.push(sub);
                    open.push(sub);
                }
            }
            ModalOp::Some(action, sub) if system.equations[*sub].op == ModalOp::Const(true) => {
                stage.possible.push(*action);
            }
            ModalOp::Every(action, sub) if *sub == at => stage.repeats.push(*action),
            ModalOp::Every(_, sub) if system.equations[*sub].op == ModalOp::Const(true) => {}
            ModalOp::Every(action, sub) => stage.goes_on.push((*action, *sub)),
            _ => return None,
        }
    }
    Some(stage)
}

fn union(lts: &Lts, one: &LabelSet, other: &LabelSet) -> LabelSet {
    by_number(lts, |label| one.contains(label) || other.contains(label))
}

fn complement(lts: &Lts, set: &LabelSet) -> LabelSet {
    by_number(lts, |label| !set.contains(label))
}

fn by_number(lts: &Lts, holds: impl Fn(wherefore_model::lts::LabelId) -> bool) -> LabelSet {
    // Labels are asked for in order, so their numbers are counted along.
    let mut labels = lts.labels().ids();
    LabelSet::new(lts, |_| labels.next().is_some_and(&holds))
}

fn find_or_add(actions: &mut IndexVec<ActionId, LabelSet>, set: LabelSet) -> ActionId {
    let known = actions.entries().find(|(_, other)| **other == set);
    match known.map(|(id, _)| id) {
        Some(id) => id,
        None => actions.push(set),
    }
}
