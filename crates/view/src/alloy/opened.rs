//! Instances in the documents of the Alloy visualizer, ours and its own, to be told again.
//!
//! What [`xml`](super::xml) writes is read back by name: an atom stands in the smallest signature that it is in,
//! and is in all that this one extends. A witness has the name that Alloy made for it; the variable that is meant,
//! and how many columns are those of others, follow from the model.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;
use wherefore_alloy::model::AlloyModel;
use wherefore_wire::{AtomDoc, InstanceDoc, InstanceStateDoc, QuantifiedDoc, ScopeDoc};

use super::retold::Checked;
use crate::markup::{all, first_document};

type Element<'d> = Node<'d, 'd>;

/// A document, read.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    /// The file of the model.
    pub(super) path: String,
    /// The command, as the document has it.
    pub(super) command: String,
    /// The names and texts of the files of the model.
    pub(super) sources: Vec<(String, String)>,
    scope: ScopeDoc,
    atoms: Vec<AtomDoc>,
    states: Vec<InstanceStateDoc>,
    back: Option<usize>,
    /// By name: how many columns, and the rows.
    witnesses: Vec<(String, usize, Vec<Vec<String>>)>,
}

impl Opened {
    /// Reads a document.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let (document, _) = first_document(text).map_err(|error| {
            let before = &text[..error.offset];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            format!("Line {line}, column {column}: {}.", error.message)
        })?;
        let document = document.root_element();
        let states: Vec<Element<'_>> = match document.tag_name().name() {
            "alloy" => all(document, "instance").collect(),
            name => {
                return Err(format!(
                    "An instance stands in `<alloy>`, not in `<{name}>`."
                ));
            }
        };
        let Some(&first) = states.first() else {
            return Err("The document has no instance.".to_string());
        };
        if first.attribute("metamodel") == Some("yes") {
            return Err("The document has a picture of the model, not an instance.".to_string());
        }
        let number = |key: &str, otherwise: Option<i32>| match first.attribute(key) {
            Some(text) => text
                .parse()
                .map_err(|_| format!("The attribute `{key}` is not a number.")),
            None => otherwise.ok_or_else(|| format!("The attribute `{key}` is missing.")),
        };
        // Documents of Alloy before version 6 say nothing about traces.
        let (least, most) = (number("mintrace", Some(-1))?, number("maxtrace", Some(-1))?);
        let is_trace = least > 0 || states.len() > 1;
        let back = number("backloop", Some(0))?;
        let back = usize::try_from(back).map_err(|_| "The trace goes back to no state.")?;
        let sources = all(document, "source").filter_map(|source| {
            let (name, text) = (source.attribute("filename")?, source.attribute("content")?);
            Some((name.to_string(), text.to_string()))
        });
        let mut opened = Self {
            path: first.attribute("filename").unwrap_or_default().to_string(),
            command: first.attribute("command").unwrap_or_default().to_string(),
            sources: sources.collect(),
            scope: ScopeDoc {
                bits: u32::try_from(number("bitwidth", None)?).unwrap_or(0),
                sequence: number("maxseq", None)?,
                steps: is_trace.then_some((least.max(1), Some(most).filter(|&m| m != i32::MAX))),
                signatures: Vec::new(),
            },
            atoms: Vec::new(),
            states: Vec::new(),
            back: is_trace.then_some(back),
            witnesses: Vec::new(),
        };
        let mut known = BTreeSet::new();
        for state in states {
            let state = opened.state(state, &mut known)?;
            opened.states.push(state);
        }
        for witness in all(first, "skolem") {
            if id(witness)?.starts_with(FUNCTION) {
                continue;
            }
            let name = label(witness)?.to_string();
            let rows = rows(witness)?;
            let types = all(witness, "types").next();
            let columns = types.map(|types| all(types, "type").count());
            let arity = columns.or(rows.first().map(Vec::len)).unwrap_or(1);
            opened.witnesses.push((name, arity, rows));
        }
        Ok(opened)
    }

    fn state(
        &mut self,
        state: Element<'_>,
        known: &mut BTreeSet<String>,
    ) -> Result<InstanceStateDoc, String> {
        let mut signatures: BTreeMap<&str, Element<'_>> = BTreeMap::new();
        for signature in all(state, "sig") {
            if signatures.insert(id(signature)?, signature).is_some() {
                let id = id(signature)?;
                return Err(format!("Two signatures have the number `{id}`."));
            }
        }
        let built_in = |signature: Element<'_>| signature.attribute("builtin") == Some("yes");
        let mut told = InstanceStateDoc::default();
        for signature in all(state, "sig") {
            let name = plain(label(signature)?);
            let own: Vec<String> = atoms(signature)?;
            let is_subset = all(signature, "type").next().is_some();
            if !is_subset {
                for atom in &own {
                    if known.insert(atom.clone()) {
                        self.atoms.push(AtomDoc {
                            name: atom.clone(),
                            signature: name.to_string(),
                        });
                    }
                }
            }
            let mut at = signature;
            // Its own atoms are also those of all that it extends.
            for _ in 0..=signatures.len() {
                if built_in(at) {
                    break;
                }
                let name = plain(label(at)?).to_string();
                let all = told.signatures.entry(name).or_default();
                all.extend(own.iter().cloned());
                let parent = at.attribute("parentID").filter(|_| !is_subset);
                let Some(parent) = parent else { break };
                let Some(parent) = signatures.get(parent) else {
                    let name = plain(label(at)?);
                    return Err(format!("`{name}` extends a signature that is missing."));
                };
                at = *parent;
            }
        }
        for field in all(state, "field") {
            let parent = field
                .attribute("parentID")
                .and_then(|id| signatures.get(id));
            let Some(parent) = parent else {
                let name = label(field)?;
                return Err(format!("The field `{name}` belongs to no signature."));
            };
            let name = format!("{}.{}", plain(label(*parent)?), label(field)?);
            told.fields.insert(name, rows(field)?);
        }
        Ok(told)
    }

    /// The instance as a check would have told it, for the model it is about.
    pub(super) fn checked(&self, model: &AlloyModel) -> (Checked, &ScopeDoc) {
        let witnesses = self.witnesses.iter().filter_map(|(name, arity, rows)| {
            let (variable, own) = variable(model, name, *arity)?;
            let witness = QuantifiedDoc {
                name: name.clone(),
                variable,
                line: 0,
                outer: arity - own,
                rows: rows.clone(),
            };
            Some((witness, *arity))
        });
        let (witnesses, arities) = witnesses.unzip();
        let instance = InstanceDoc {
            atoms: self.atoms.clone(),
            states: self.states.clone(),
            loop_start: self.back,
            witnesses,
            values: Vec::new(),
        };
        (Checked { instance, arities }, &self.scope)
    }
}

/// The numbers of functions begin with this, among those of witnesses.
pub(super) const FUNCTION: &str = "m";

/// The name of a command in the words of a document: `run show for 3`, `Run show for 3`, `all: check Safe`.
pub(super) fn command_name(text: &str) -> &str {
    let (before, rest) = text.split_once(':').unwrap_or(("", text));
    let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    if is_word(before.trim()) {
        return before.trim();
    }
    let mut words = rest.split_whitespace();
    let asks = |word: &&str| {
        ["run", "check"]
            .iter()
            .any(|w| word.eq_ignore_ascii_case(w))
    };
    match words.next().filter(asks).and(words.next()) {
        Some(name) if !name.starts_with('{') && name != "for" => name,
        _ => text,
    }
}

/// The variable that a witness stands for, which is at the end of its name, and how many columns it has.
fn variable(model: &AlloyModel, name: &str, arity: usize) -> Option<(String, usize)> {
    let name = name.trim_start_matches('$').trim_end_matches('"');
    let places = name.char_indices().filter(|(_, c)| *c == '_');
    let ends = std::iter::once(0).chain(places.map(|(at, _)| at + 1));
    let mut ends = ends.map(|start| &name[start..]);
    ends.find_map(|end| {
        let mut variables = model.vars.iter();
        let named = variables.find(|variable| model.names.text(variable.name) == end)?;
        let own = named.ty.arity().unwrap_or(1).min(arity);
        Some((end.to_string(), own))
    })
}

/// The name of a signature as the model has it.
fn plain(label: &str) -> &str {
    label.strip_prefix("this/").unwrap_or(label)
}

fn label(element: Element<'_>) -> Result<&str, String> {
    let label = element.attribute("label");
    label.ok_or_else(|| format!("A `<{}>` has no label.", element.tag_name().name()))
}

fn id(element: Element<'_>) -> Result<&str, String> {
    let id = element.attribute("ID");
    id.ok_or_else(|| format!("A `<{}>` has no ID.", element.tag_name().name()))
}

fn atoms(element: Element<'_>) -> Result<Vec<String>, String> {
    let atoms = all(element, "atom").map(|atom| label(atom).map(str::to_string));
    atoms.collect()
}

fn rows(element: Element<'_>) -> Result<Vec<Vec<String>>, String> {
    all(element, "tuple").map(atoms).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_command_is_found_in_what_documents_call_it() {
        assert_eq!(command_name("run show for 3 but 1 Book"), "show");
        assert_eq!(command_name("Run run$1 for 3"), "run$1");
        assert_eq!(command_name("Check Safe expect 0"), "Safe");
        assert_eq!(command_name("small: run show"), "small");
        assert_eq!(command_name("run {} for 3"), "run {} for 3");
        assert_eq!(
            command_name("check { all b: Book | no b.lent }"),
            "check { all b: Book | no b.lent }"
        );
        assert_eq!(command_name(""), "");
    }

    #[test]
    fn documents_that_are_no_instances_are_told() {
        let wrong = |text: &str| Opened::read(text).expect_err("it is wrong");
        let told = [
            (
                "<instance/>",
                "An instance stands in `<alloy>`, not in `<instance>`.",
            ),
            ("<alloy/>", "The document has no instance."),
            (
                "<alloy><instance/></alloy>",
                "The attribute `bitwidth` is missing.",
            ),
            (
                "<alloy><instance bitwidth='x'/></alloy>",
                "The attribute `bitwidth` is not a number.",
            ),
            (
                "<alloy><instance bitwidth='4' maxseq='2' backloop='-3'/></alloy>",
                "The trace goes back to no state.",
            ),
            (
                "<alloy><instance bitwidth='4' maxseq='2' metamodel='yes'/></alloy>",
                "The document has a picture of the model, not an instance.",
            ),
            (
                "<alloy><instance bitwidth='4' maxseq='2'><sig ID='1'/></instance></alloy>",
                "A `<sig>` has no label.",
            ),
            (
                "<alloy><instance bitwidth='4' maxseq='2'><sig label='A'/></instance></alloy>",
                "A `<sig>` has no ID.",
            ),
            (
                "<alloy><instance bitwidth='4' maxseq='2'><sig label='A' ID='1' parentID='7'/></instance></alloy>",
                "`A` extends a signature that is missing.",
            ),
            (
                "<alloy><instance bitwidth='4' maxseq='2'><field label='f' ID='1'/></instance></alloy>",
                "The field `f` belongs to no signature.",
            ),
        ];
        for (text, message) in told {
            assert_eq!(wrong(text), message);
        }
        // Signatures that extend each other end, too.
        let round = "<alloy><instance bitwidth='4' maxseq='2'><sig label='A' ID='1' parentID='2'/>\
                     <sig label='B' ID='2' parentID='1'><atom label='B$0'/></sig></instance></alloy>";
        assert!(Opened::read(round).is_ok());
    }
}
