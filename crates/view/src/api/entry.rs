//! The overview: models and their properties, without evidence.

use wherefore_evidence::{Evidence, Finding};
use wherefore_wire::{EvidenceSizeDoc, ListedPropertyDoc, PropertyDoc, ToldDoc, VariableDoc};

use crate::Report;
use crate::json::{names, value};
use crate::words::clean;

/// The most values of a variable that are listed.
const MOST_VALUES: u64 = 64;

/// A property that was checked, in short.
pub fn listed(
    property: PropertyDoc,
    finding: &Finding,
    told: Option<&ToldDoc>,
) -> ListedPropertyDoc {
    let size = |(evidence, told): (&Evidence, &ToldDoc)| EvidenceSizeDoc {
        shape: names::shape(evidence.shape),
        steps: evidence.minimal.length,
        because: told.because.clone(),
    };
    let size = finding.evidence.as_ref().zip(told).map(size);
    ListedPropertyDoc::new(property, finding.property, size)
}

/// The variables of a model.
pub fn variables(report: &Report<'_>) -> Vec<VariableDoc> {
    let variables = report.model.vars.iter().map(|var| VariableDoc {
        name: var.name.clone(),
        kind: names::variable(var.kind),
        hidden: !var.is_declared(),
        values: (var.domain.size() <= MOST_VALUES.into()).then(|| {
            let values = var.domain.values();
            values.map(|v| value(report, v)).collect()
        }),
    });
    variables.collect()
}

/// A name that fits into the head of a response and into a file name.
pub fn file_name(name: &str, ending: &str) -> String {
    let letter = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_-.".contains(c) => c,
        _ => '_',
    };
    let stem: String = clean(name).chars().take(60).map(letter).collect();
    format!("{}{ending}", stem.trim_start_matches('.'))
}
