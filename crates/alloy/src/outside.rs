//! Scopes that are given beside a command.

use std::fmt;

use wherefore_base::nearest;

use crate::model::{AlloyModel, SigId};

/// A scope given from outside, which wins over the one of the command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Override {
    /// The name of a signature, or `Int` for the bits of an integer, `seq` for the length of sequences, `steps` for
    /// the length of traces.
    pub name: String,
    /// The number.
    pub number: i32,
    /// Whether it is exact.
    pub exactly: bool,
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exactly = if self.exactly { "exactly:" } else { "" };
        write!(f, "{}={exactly}{}", self.name, self.number)
    }
}

/// What is wrong with a scope from outside, whatever the command: no signature has its name, or it must be exact.
pub fn unknown_scope(model: &AlloyModel, outside: &Override) -> Option<String> {
    let name = outside.name.as_str();
    if name == "String" && !outside.exactly {
        let number = outside.number;
        return Some(format!(
            "the scope of `String` must be exact: `--scope String=exactly:{number}`"
        ));
    }
    if ["Int", "int", "seq", "steps", "String"].contains(&name) {
        return None;
    }
    let near = find(model, name).err()?;
    let advice = near.map_or(String::new(), |near| format!("; is `{near}` meant?"));
    Some(format!(
        "there is no signature `{name}`, which `--scope {outside}` is for{advice}"
    ))
}

/// The signature with this name, or the nearest name.
pub(crate) fn find<'m>(model: &'m AlloyModel, name: &str) -> Result<SigId, Option<&'m str>> {
    let name = name.strip_prefix("this/").unwrap_or(name);
    let exact = model.declared().find(|(_, sig)| sig.label == name);
    let ends = |label: &str| label.rsplit('/').next() == Some(name);
    let mut last = model.declared().filter(|(_, sig)| ends(&sig.label));
    if let Some((sig, _)) = exact.or_else(|| last.next()) {
        return Ok(sig);
    }
    let labels = model.declared().map(|(_, sig)| sig.label.as_str());
    Err(nearest(name, labels, 2))
}
