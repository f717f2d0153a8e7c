//! The transition relation as a disjunction over processes.
//!
//! Where an input chooses which process makes a step, most variables keep their values once it is chosen.
//! The steps of one process are a relation over the few variables that it changes; the others are neither
//! quantified nor renamed (Burch, Clarke and Long 1991). A fixpoint takes the processes in turn, each from
//! all that was found so far.

use std::collections::BTreeSet;

use wherefore_base::Run;
use wherefore_model::{Model, VarId};

use super::bdd::{Bdd, Bdds, Bit, Renaming};
use super::encoding::{Encoding, Side};
use super::relation::{Part, Relation};

/// An input with more values chooses no process.
const MOST: u64 = 256;

/// The steps of each process.
pub(crate) struct Processes(Vec<Process>);

/// The steps of one process.
pub(crate) struct Process {
    relation: Relation,
    /// The variables that it changes, from the present to the next state and back.
    to_next: Renaming,
    to_now: Renaming,
}

impl Processes {
    /// The processes of a model, if there is an input that chooses among them: given its value, less than
    /// half of the state may change, on average.
    pub(crate) fn find(
        model: &Model,
        encoding: &Encoding,
        bdds: &Bdds,
        parts: &[Part],
    ) -> Run<Option<Self>> {
        for input in model.vars.ids().skip(model.state_vars()) {
            let values = model.vars[input].domain.size();
            if !(2..=MOST).contains(&values) {
                continue;
            }
            let mut chosen = Vec::new();
            let mut changes = 0;
            for value in 0..values {
                let cube = bdds.cube(encoding.literals(input, Side::Now, value))?;
                let mut own = Vec::with_capacity(parts.len());
                for part in parts {
                    let mut reads = part.reads.clone();
                    reads.remove(&(Side::Now, input));
                    let function = bdds.restrict(&part.function, &cube)?;
                    own.push(Part { function, reads });
                }
                let changed = changed(model, encoding, bdds, &own)?;
                changes += width(encoding, &changed);
                chosen.push((own, changed));
            }
            let all = (0..model.state_vars()).map(VarId::new).collect();
            if 2 * changes >= values as usize * width(encoding, &all) {
                continue;
            }
            let processes = chosen
                .into_iter()
                .map(|(own, changed)| Process::new(model, encoding, bdds, own, &changed));
            return Ok(Some(Self(processes.collect::<Run<_>>()?)));
        }
        Ok(None)
    }

    /// The union over all processes.
    pub(crate) fn any(&self, of: impl Fn(&Process) -> Run<Bdd>, bdds: &Bdds) -> Run<Bdd> {
        bdds.any(self.0.iter().map(of).collect::<Run<_>>()?)
    }

    /// A set with all that processes add to it, again and again.
    pub(crate) fn grown(
        &self,
        from: &Bdd,
        more: impl Fn(&Process, &Bdd) -> Run<Bdd>,
        bdds: &Bdds,
    ) -> Run<Bdd> {
        let mut all = from.clone();
        // How many processes in a row, up to now, added nothing.
        let mut idle = 0;
        for process in self.0.iter().cycle() {
            bdds.budget().check()?;
            let larger = bdds.or(&all, &more(process, &all)?)?;
            idle = if larger == all { idle + 1 } else { 0 };
            all = larger;
            if idle == self.0.len() {
                break;
            }
        }
        Ok(all)
    }
}

impl Process {
    fn new(
        model: &Model,
        encoding: &Encoding,
        bdds: &Bdds,
        parts: Vec<Part>,
        changed: &BTreeSet<VarId>,
    ) -> Run<Self> {
        let states = || (0..model.state_vars()).map(VarId::new);
        let pairs = |vars: &mut dyn Iterator<Item = VarId>| -> Vec<(Bit, Bit)> {
            let bits = |var, side| encoding.bits(var, side).iter().copied();
            vars.flat_map(|var| bits(var, Side::Now).zip(bits(var, Side::Next)))
                .collect()
        };
        let back = |pairs: &[(Bit, Bit)]| -> Vec<(Bit, Bit)> {
            pairs.iter().map(|&(now, next)| (next, now)).collect()
        };
        let kept = pairs(&mut states().filter(|var| !changed.contains(var)));
        let kept_to_now = bdds.renaming(&back(&kept));
        let mut own = Vec::new();
        for part in parts {
            let of_kept =
                |&(side, var): &(Side, VarId)| side == Side::Next && !changed.contains(&var);
            if !part.reads.iter().any(of_kept) {
                own.push(part);
                continue;
            }
            // That a variable is kept is no part any more, nor that its value is one of its domain.
            if let [var] = part
                .reads
                .iter()
                .filter(|var| of_kept(var))
                .collect::<Vec<_>>()[..]
                && (part.function == encoding.valid((model, bdds), var.1, Side::Next)?
                    || keeps(model, encoding, bdds, &part, var.1)?)
            {
                continue;
            }
            let now = |&(side, var): &(Side, VarId)| match of_kept(&(side, var)) {
                true => (Side::Now, var),
                false => (side, var),
            };
            own.push(Part {
                function: bdds.rename(&part.function, &kept_to_now)?,
                reads: part.reads.iter().map(now).collect(),
            });
        }
        let moved = pairs(&mut changed.iter().copied());
        Ok(Self {
            relation: Relation::changing(changed, model, encoding, bdds, own)?,
            to_next: bdds.renaming(&moved),
            to_now: bdds.renaming(&back(&moved)),
        })
    }

    /// The next states of a set.
    pub(crate) fn post(&self, bdds: &Bdds, from: &Bdd) -> Run<Bdd> {
        bdds.rename(&self.relation.post(bdds, from)?, &self.to_now)
    }

    /// The states before a set, and perhaps others that cannot be reached.
    pub(crate) fn pre(&self, bdds: &Bdds, to: &Bdd) -> Run<Bdd> {
        self.relation.pre(bdds, &bdds.rename(to, &self.to_next)?)
    }
}

/// The variables of the state that some parts do not keep as they are.
fn changed(
    model: &Model,
    encoding: &Encoding,
    bdds: &Bdds,
    parts: &[Part],
) -> Run<BTreeSet<VarId>> {
    let mut changed: BTreeSet<VarId> = (0..model.state_vars()).map(VarId::new).collect();
    for part in parts {
        let next = part.reads.iter().filter(|(side, _)| *side == Side::Next);
        if let [(_, var)] = next.collect::<Vec<_>>()[..]
            && changed.contains(var)
            && keeps(model, encoding, bdds, part, *var)?
        {
            changed.remove(var);
        }
    }
    Ok(changed)
}

/// Whether a part says of a variable that it keeps its value, and nothing else of any state.
fn keeps(model: &Model, encoding: &Encoding, bdds: &Bdds, part: &Part, var: VarId) -> Run<bool> {
    let bits = |side| encoding.bits(var, side);
    let mut same = encoding.valid((model, bdds), var, Side::Now)?;
    let stated = bdds.and(&part.function, &same)?;
    for (&now, &next) in bits(Side::Now).iter().zip(bits(Side::Next)) {
        same = bdds.and(&same, &bdds.iff(bdds.var(now), bdds.var(next))?)?;
    }
    Ok(stated == same)
}

fn width(encoding: &Encoding, vars: &BTreeSet<VarId>) -> usize {
    let bits = vars.iter().map(|&var| encoding.bits(var, Side::Now).len());
    bits.sum()
}
