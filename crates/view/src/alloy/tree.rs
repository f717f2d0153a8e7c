//! An instance as a tree: signatures, their atoms, and of each atom what its fields have.
//!
//! Signatures that extend others stand below them, subset signatures and witnesses after them. An atom
//! stands in the smallest signature it is in; what it has by the fields of those above is told there, too.

use std::fmt::Write;

use wherefore_alloy::model::{AlloyModel, SigId};
use wherefore_alloy::scene::Moment;
use wherefore_base::deep;
use wherefore_relational::UniverseAtomId;

use super::ShownInstance;
use super::words::tuple_text;
use crate::words::clean;

/// The instance as lines of text, with plain letters or with lines drawn between them.
pub fn render(instance: &ShownInstance<'_>, ascii: bool) -> String {
    drawn(&roots(instance), ascii)
}

/// The signatures of each state, and the witnesses.
pub(crate) fn roots(instance: &ShownInstance<'_>) -> Vec<Branch> {
    let mut roots = Vec::new();
    for (state, moment) in instance.moments() {
        let branches = branches(instance, moment);
        match instance.heading(state) {
            Some(heading) => roots.push(Branch {
                text: heading,
                under: branches,
            }),
            None => roots.extend(branches),
        }
    }
    roots.extend(witnesses(instance));
    roots
}

/// Trees as lines of text.
pub(crate) fn drawn(roots: &[Branch], ascii: bool) -> String {
    let mut out = String::new();
    for root in roots {
        let _ = writeln!(out, "{}", root.text);
        write_under(&mut out, root, "", ascii);
    }
    out
}

/// Something with what stands below it.
pub(crate) struct Branch {
    text: String,
    under: Vec<Branch>,
}

impl Branch {
    fn leaf(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            under: Vec::new(),
        }
    }
}

fn write_under(out: &mut String, branch: &Branch, before: &str, ascii: bool) {
    deep(|| {
        let last = branch.under.len().saturating_sub(1);
        for (at, below) in branch.under.iter().enumerate() {
            let (joint, bar) = match (ascii, at == last) {
                (true, true) => ("`- ", "   "),
                (true, false) => ("|- ", "|  "),
                (false, true) => ("└─ ", "   "),
                (false, false) => ("├─ ", "│  "),
            };
            let _ = writeln!(out, "{before}{joint}{}", below.text);
            write_under(out, below, &format!("{before}{bar}"), ascii);
        }
    });
}

/// The signatures of a state.
fn branches(instance: &ShownInstance<'_>, moment: &Moment) -> Vec<Branch> {
    let model = instance.model;
    let strings = SigId::new(AlloyModel::STRING);
    let built_in = Some(strings).filter(|&sig| !moment.sigs[sig].is_empty());
    let tops = model.declared().filter(|(_, sig)| sig.is_top_level());
    // The order of an enumeration is the one in which it is written.
    let tops =
        tops.filter(|(id, _)| !instance.is_hidden(*id) || !orders_values(instance, moment, *id));
    let tops = built_in.into_iter().chain(tops.map(|(id, _)| id));
    let mut branches: Vec<Branch> = tops.map(|sig| signature(instance, moment, sig)).collect();
    for (id, sig) in model.declared() {
        if instance.is_subset(id) {
            branches.push(Branch {
                text: clean(&sig.label),
                under: atoms(instance, moment, id, &moment.sigs[id]),
            });
        }
    }
    branches
}

/// Whether a signature of a module has nothing but values.
fn orders_values(instance: &ShownInstance<'_>, moment: &Moment, sig: SigId) -> bool {
    let decls = instance.model.sigs[sig].decls.iter();
    let mut rows = decls
        .flat_map(|decl| &decl.fields)
        .flat_map(|&f| &moment.fields[f]);
    rows.all(|row| {
        let sig = instance.scene.atoms[row[1]].sig;
        sig.is_none_or(|sig| instance.is_value(sig))
    })
}

fn signature(instance: &ShownInstance<'_>, moment: &Moment, sig: SigId) -> Branch {
    deep(|| {
        let mut under = atoms(instance, moment, sig, &instance.own_atoms(moment, sig));
        for &child in &instance.model.sigs[sig].children {
            under.push(signature(instance, moment, child));
        }
        Branch {
            text: clean(&instance.model.sigs[sig].label),
            under,
        }
    })
}

fn atoms(
    instance: &ShownInstance<'_>,
    moment: &Moment,
    sig: SigId,
    atoms: &[UniverseAtomId],
) -> Vec<Branch> {
    let fields = fields_of(instance, moment, sig);
    let branch = |&atom: &UniverseAtomId| {
        let fields = fields.iter().filter_map(|(name, rows)| {
            let start = rows.partition_point(|row| row[0] < atom);
            let values = rows[start..].iter().take_while(|row| row[0] == atom);
            let values: Vec<String> = values
                .map(|row| tuple_text(instance.scene, &row[1..]))
                .collect();
            match &values[..] {
                [] => None,
                [value] => Some(Branch::leaf(format!("{name} = {value}"))),
                _ => Some(Branch {
                    text: name.clone(),
                    under: values.into_iter().map(Branch::leaf).collect(),
                }),
            }
        });
        Branch {
            text: instance.name(atom),
            under: fields.collect(),
        }
    };
    atoms.iter().map(branch).collect()
}

type Rows<'a> = &'a [Vec<UniverseAtomId>];

/// The fields that atoms of a signature have: its own, and those of the signatures it extends.
fn fields_of<'a>(
    instance: &ShownInstance<'_>,
    moment: &'a Moment,
    sig: SigId,
) -> Vec<(String, Rows<'a>)> {
    let mut above = vec![sig];
    while let Some(parent) = above.last().and_then(|&s| instance.model.sigs[s].extends()) {
        above.push(parent);
    }
    let mut fields = Vec::new();
    for &sig in above.iter().rev() {
        for decl in &instance.model.sigs[sig].decls {
            for &field in &decl.fields {
                fields.push((instance.field(field), &moment.fields[field][..]));
            }
        }
    }
    fields
}

fn witnesses(instance: &ShownInstance<'_>) -> impl Iterator<Item = Branch> {
    instance.scene.witnesses.iter().map(|witness| {
        let rows = witness.rows.iter();
        let rows = rows.map(|values| Branch::leaf(tuple_text(instance.scene, values)));
        Branch {
            text: clean(&witness.name),
            under: rows.collect(),
        }
    })
}
