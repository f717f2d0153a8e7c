//! Values of expressions as Alloy writes them: `{Book$0->Name$1, Book$0->Name$2}`.

use wherefore_alloy::Scene;
use wherefore_alloy::scene::Row;
use wherefore_relational::AtomId;

use crate::words::clean;

/// A set of rows.
pub fn rows(scene: &Scene, rows: &[Row]) -> String {
    let rows: Vec<String> = rows.iter().map(|atoms| row(scene, atoms)).collect();
    format!("{{{}}}", rows.join(", "))
}

/// One row: `Book$0->Name$1`.
pub fn row(scene: &Scene, row: &[AtomId]) -> String {
    let atoms: Vec<String> = row.iter().map(|&atom| clean(scene.name(atom))).collect();
    atoms.join("->")
}
