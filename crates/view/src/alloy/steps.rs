//! What changes from one state of a trace to the next.

use std::collections::BTreeSet;

use wherefore_alloy::model::AlloyModel;
use wherefore_alloy::scene::{Scene, SceneRow};
use wherefore_relational::UniverseAtomId;

use super::picture::Plan;
use super::words::tuple_text;
use crate::words::clean;

/// A change of a signature, or of a field for one atom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// `Trash`, `Process$0.inbox`
    pub(crate) name: String,
    /// How it changes.
    pub(crate) how: How,
}

/// How something changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// One value becomes another.
    Becomes(String, String),
    /// Values that come, and values that go.
    Differs {
        more: Vec<String>,
        less: Vec<String>,
    },
}

/// What is different between two states.
pub(crate) fn changes(
    model: &AlloyModel,
    scene: &Scene,
    plan: &Plan<'_>,
    from: usize,
    to: usize,
) -> Vec<Change> {
    let (before, after) = (&scene.moments[from], &scene.moments[to]);
    let (sigs, fields) = plan.changing();
    let mut found = Vec::new();
    for sig in sigs {
        let rows = |atoms: &[UniverseAtomId]| {
            atoms
                .iter()
                .map(|&atom| vec![atom])
                .collect::<Vec<SceneRow>>()
        };
        let (old, new) = (rows(&before.sigs[sig]), rows(&after.sigs[sig]));
        let name = clean(&model.sigs[sig].label);
        found.extend(change(scene, name, (&old, &new), false));
    }
    for field in fields {
        let (old, new) = (&before.fields[field], &after.fields[field]);
        if old == new {
            continue;
        }
        let owners: BTreeSet<UniverseAtomId> = old.iter().chain(new).map(|row| row[0]).collect();
        for owner in owners {
            let of = |rows: &[SceneRow]| -> Vec<SceneRow> {
                let own = rows.iter().filter(|row| row[0] == owner);
                own.map(|row| row[1..].to_vec()).collect()
            };
            let name = format!("{}.{}", clean(scene.name(owner)), plan.field_name(field));
            let single = plan.is_single(field);
            found.extend(change(scene, name, (&of(old), &of(new)), single));
        }
    }
    found
}

fn change(
    scene: &Scene,
    name: String,
    (old, new): (&[SceneRow], &[SceneRow]),
    single: bool,
) -> Option<Change> {
    if old == new {
        return None;
    }
    let text = |row: &SceneRow| tuple_text(scene, row);
    let how = match (old, new) {
        ([] | [_], [] | [_]) if single => {
            let text = |rows: &[SceneRow]| rows.first().map_or("none".to_string(), text);
            How::Becomes(text(old), text(new))
        }
        ([old], [new]) => How::Becomes(text(old), text(new)),
        _ => {
            let missing = |rows: &[SceneRow], others: &[SceneRow]| -> Vec<String> {
                let rows = rows.iter().filter(|row| !others.contains(row));
                rows.map(text).collect()
            };
            How::Differs {
                more: missing(new, old),
                less: missing(old, new),
            }
        }
    };
    Some(Change { name, how })
}
