//! Reading traces in the XML of NuSMV and nuXmv.
//!
//! Elements that are not known are passed over. A state may leave values out: they are open.

use std::collections::BTreeMap;

use roxmltree::Node;

use super::Unreadable;
use super::trace::{Datum, SavedTrace, TraceFormat, Valuation};
use crate::markup::first_document;

const TRACE: &str = "counter-example";

/// Whether a text has a trace in it, perhaps after other output.
pub(super) fn is_xml(text: &str) -> bool {
    next_trace(text).is_some()
}

fn next_trace(text: &str) -> Option<usize> {
    text.find("<counter-example")
}

/// All traces of a text, with whatever is printed before, between and after them.
pub(super) fn read(text: &str) -> Result<Vec<SavedTrace>, Unreadable> {
    let mut traces = Vec::new();
    let mut next = match text.starts_with('<') {
        true => Some(0),
        false => next_trace(text),
    };
    while let Some(from) = next {
        let (document, length) = first_document(&text[from..])
            .map_err(|error| Unreadable::new(from + error.offset, error.message))?;
        let elements = document.descendants();
        for element in elements.filter(|node| node.has_tag_name(TRACE)) {
            let trace = trace(element).map_err(|error| Unreadable {
                offset: from + error.offset,
                ..error
            })?;
            traces.extend(trace);
        }
        let end = from + length;
        next = next_trace(&text[end..]).map(|at| end + at);
    }
    if traces.is_empty() {
        let message = "There is no <counter-example> with a state in this file";
        return Err(Unreadable::new(0, message));
    }
    Ok(traces)
}

/// The trace of an element, if it has a state.
fn trace(element: Node<'_, '_>) -> Result<Option<SavedTrace>, Unreadable> {
    let mut states: Vec<Valuation> = Vec::new();
    // The inputs that lead to the state with each number.
    let mut inputs: BTreeMap<usize, Valuation> = BTreeMap::new();
    let mut loops = String::new();
    for node in element.descendants().skip(1).filter(Node::is_element) {
        match node.tag_name().name() {
            TRACE => {
                let message = "A <counter-example> inside another one";
                return Err(Unreadable::new(node.range().start, message));
            }
            "state" => states.push(Valuation::new()),
            "value" => {
                let Some(variable) = node.attribute("variable") else {
                    let message = "A <value> has no `variable`";
                    return Err(Unreadable::new(node.range().start, message));
                };
                let input = node.ancestors().find(|outer| outer.has_tag_name("input"));
                let values = match input {
                    Some(input) => {
                        let id = input.attribute("id").and_then(|id| id.trim().parse().ok());
                        Some(inputs.entry(id.unwrap_or(states.len() + 1)).or_default())
                    }
                    None => states.last_mut(),
                };
                if let Some(values) = values {
                    values.insert(variable.to_string(), Datum::printed(text(node).trim()));
                }
            }
            "loops" => loops.push_str(&text(node)),
            _ => {}
        }
    }
    if states.is_empty() {
        return Ok(None);
    }
    // Several loops are several ways to read the same run; the first is the longest.
    let mut starts = loops.split([',', ' ', '\n', '\t', '\r']);
    let back = starts.find_map(|number| number.parse::<usize>().ok()?.checked_sub(1));
    let back = back.filter(|&back| back < states.len());
    let into = (1..=states.len()).map(|id| inputs.remove(&id).unwrap_or_default());
    let into = into.collect();
    let title = element.attribute("desc").map(str::to_string);
    let trace = SavedTrace::repeating(TraceFormat::Xml, title, states, into, back);
    Ok(Some(trace))
}

/// All text in an element.
fn text(element: Node<'_, '_>) -> String {
    let texts = element.descendants().filter(Node::is_text);
    texts.filter_map(|node| node.text()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!-- made by a checker -->
<counter-example type="0" id="1" desc="a &gt; b">
  <node>
    <state id="1">
      <value variable="x">0</value>
      <value variable="door">open</value>
    </state>
    <combinatorial id="1"/>
    <input id="2"><value variable="go">TRUE</value></input>
  </node>
  <node>
    <state id="2">
      <value variable="x">1</value>
      <value variable="door">closed</value>
    </state>
  </node>
  <node>
    <state id="3">
      <value variable="x">0</value>
      <value variable="door">open</value>
    </state>
  </node>
  <loops> 1 ,3 </loops>
</counter-example>
"#;

    #[test]
    fn states_inputs_and_loops_are_read() {
        for text in [TEXT.to_string(), format!("{TEXT}trailing output\n")] {
            let traces = read(&text).expect("a good trace");
            let [trace] = &traces[..] else {
                panic!("one trace, not {}", traces.len());
            };
            assert_eq!(trace.title.as_deref(), Some("a > b"));
            assert_eq!((trace.states.len(), trace.back), (2, Some(0)));
            assert_eq!(trace.inputs[0]["go"], Datum::Bool(true));
            assert_eq!(trace.inputs.len(), 2);
            assert_eq!(trace.states[1]["door"], Datum::Word("closed".to_string()));
        }
        let twice = format!("output\n{TEXT}more\n{TEXT}");
        assert_eq!(read(&twice).map(|traces| traces.len()), Ok(2));
    }

    #[test]
    fn broken_files_are_refused_with_the_place() {
        let cases = [
            ("<counter-example><node>", "The document ends", 23),
            ("<counter-example></node>", "is not closed", 17),
            ("</node>", "A name is expected", 1),
            (
                "<counter-example></counter-example>",
                "no <counter-example>",
                0,
            ),
            (
                "out\n<counter-example><value/></counter-example>",
                "no `variable`",
                21,
            ),
            (
                "<counter-example><counter-example/></counter-example>",
                "inside another one",
                17,
            ),
            ("<counter-example x=3>", "A value in quotes", 19),
            ("<a ", "no end", 0),
            ("<!-- ", "no end", 0),
        ];
        for (text, part, offset) in cases {
            let error = read(text).expect_err(text);
            assert!(error.message.contains(part), "{text}: {error}");
            assert_eq!(error.offset, offset, "{text}");
        }
        let entity = TEXT.replace(">open<", ">&nbsp;<");
        assert!(read(&entity).is_err());
        let entity = TEXT.replace(">open<", ">&#111;pen<");
        assert!(read(&entity).is_ok());
    }
}
