//! Reading traces in the XML of NuSMV and nuXmv.
//!
//! A small reader of this format only: elements, attributes, text and the five named entities. Names
//! it does not know are skipped with what they hold. A state may leave values out: they are open.

use std::collections::BTreeMap;

use super::Unreadable;
use super::trace::{Datum, Format, Trace, Valuation};

/// Whether a text has a trace in it, perhaps after other output.
pub(super) fn is_xml(text: &str) -> bool {
    text.contains("<counter-example")
}

/// All traces of a text.
pub(super) fn read(text: &str) -> Result<Vec<Trace>, Unreadable> {
    let skipped = match text.starts_with('<') {
        true => 0,
        false => text.find("<counter-example").unwrap_or(0),
    };
    let mut reader = Reader::default();
    let mut rest = &text[skipped..];
    let offset = |rest: &str| text.len() - rest.len();
    loop {
        let Some(open) = rest.find('<') else {
            if reader.path.is_empty() {
                break;
            }
            let name = reader.path.last().map_or("", |(name, _)| name);
            let message = format!("The file ends inside <{}>", crate::clean(name));
            return Err(Unreadable::new(text.len(), message));
        };
        reader.text(&rest[..open], offset(rest))?;
        rest = &rest[open..];
        let here = offset(rest);
        if let Some(after) = skip(rest) {
            rest = after
                .ok_or_else(|| Unreadable::new(here, "This comment or instruction has no end"))?;
            continue;
        }
        let Some(close) = end_of_tag(rest) else {
            return Err(Unreadable::new(here, "This tag has no end"));
        };
        let tag = &rest[1..close];
        rest = &rest[close + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            reader.close(name.trim(), here)?;
            // After the last trace, whatever is printed next is no concern of ours.
            if reader.path.is_empty() && !rest.trim_start().starts_with('<') {
                match rest.find("<counter-example") {
                    Some(next) => rest = &rest[next..],
                    None => break,
                }
            }
        } else {
            let (tag, empty) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let (name, attributes) = parts(tag, here + 1)?;
            reader.open(name, &attributes, here)?;
            if empty {
                reader.close(name, here)?;
            }
        }
    }
    match reader.traces.is_empty() {
        true => Err(Unreadable::new(
            0,
            "There is no <counter-example> with a state in this file",
        )),
        false => Ok(reader.traces),
    }
}

/// What follows a comment, an instruction or a declaration, if this is one; inside, if it ends.
fn skip(text: &str) -> Option<Option<&str>> {
    let ends = [("<!--", "-->"), ("<?", "?>"), ("<!", ">")];
    let (start, end) = ends.iter().find(|(start, _)| text.starts_with(start))?;
    let body = &text[start.len()..];
    Some(body.find(end).map(|at| &body[at + end.len()..]))
}

/// The offset of the `>` that ends a tag; those in quotes do not count.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            _ => {}
        }
    }
    None
}

/// The name and the attributes of a tag.
fn parts(tag: &str, offset: usize) -> Result<(&str, BTreeMap<&str, String>), Unreadable> {
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    if name.is_empty() {
        return Err(Unreadable::new(offset, "A tag has no name"));
    }
    let mut attributes = BTreeMap::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return Ok((name, attributes));
        }
        let here = offset + tag.len() - rest.len();
        let wrong = || Unreadable::new(here, "An attribute is written as name=\"value\"");
        let (key, after) = rest.split_once('=').ok_or_else(wrong)?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let quote = quote.ok_or_else(wrong)?;
        let (value, after) = after[1..].split_once(quote).ok_or_else(wrong)?;
        attributes.insert(key.trim(), plain(value, here)?);
        rest = after;
    }
}

/// A text with its entities replaced.
fn plain(text: &str, offset: usize) -> Result<String, Unreadable> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        result.push_str(&rest[..at]);
        let here = offset + text.len() - rest.len() + at;
        let wrong = || Unreadable::new(here, "This is no entity; a plain & is written as &amp;");
        let (entity, after) = rest[at + 1..].split_once(';').ok_or_else(wrong)?;
        result.push(match entity {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            _ => {
                let number = entity.strip_prefix('#').ok_or_else(wrong)?;
                let number = match number.strip_prefix(['x', 'X']) {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => number.parse(),
                };
                number.ok().and_then(char::from_u32).ok_or_else(wrong)?
            }
        });
        rest = after;
    }
    result.push_str(rest);
    Ok(result)
}

#[derive(Default)]
struct Reader {
    traces: Vec<Trace>,
    /// The open elements with the offsets where they start.
    path: Vec<(String, usize)>,
    title: Option<String>,
    states: Vec<Valuation>,
    /// The inputs that lead to the state with each number.
    into: BTreeMap<usize, Valuation>,
    /// Where the values of this block go: an input to this state, or the last state.
    input_to: Option<usize>,
    /// The variable whose value comes next, and what there is of it.
    value: Option<(String, String)>,
    loops: String,
}

impl Reader {
    fn is_inside(&self, name: &str) -> bool {
        self.path.iter().any(|(open, _)| open == name)
    }

    fn open(
        &mut self,
        name: &str,
        attributes: &BTreeMap<&str, String>,
        offset: usize,
    ) -> Result<(), Unreadable> {
        let id = attributes.get("id").and_then(|id| id.trim().parse().ok());
        match name {
            "counter-example" => {
                if self.is_inside(name) {
                    return Err(Unreadable::new(
                        offset,
                        "A <counter-example> inside another one",
                    ));
                }
                self.title = attributes.get("desc").cloned();
                self.states.clear();
                self.into.clear();
                self.loops.clear();
            }
            "state" if self.is_inside("counter-example") => self.states.push(Valuation::new()),
            "input" => self.input_to = Some(id.unwrap_or(self.states.len() + 1)),
            "value" => {
                let Some(variable) = attributes.get("variable") else {
                    return Err(Unreadable::new(offset, "A <value> has no `variable`"));
                };
                self.value = Some((variable.clone(), String::new()));
            }
            _ => {}
        }
        self.path.push((name.to_string(), offset));
        Ok(())
    }

    fn text(&mut self, text: &str, offset: usize) -> Result<(), Unreadable> {
        if let Some((_, value)) = &mut self.value {
            value.push_str(&plain(text, offset)?);
        } else if self.path.last().is_some_and(|(name, _)| name == "loops") {
            self.loops.push_str(text);
        }
        Ok(())
    }

    fn close(&mut self, name: &str, offset: usize) -> Result<(), Unreadable> {
        if self.path.last().is_none_or(|(open, _)| open != name) {
            let message = match self.path.last() {
                Some((open, _)) => format!("<{}> is not closed before this", crate::clean(open)),
                None => format!("</{}> closes nothing", crate::clean(name)),
            };
            return Err(Unreadable::new(offset, message));
        }
        self.path.pop();
        match name {
            "value" => {
                if let Some((variable, value)) = self.value.take() {
                    let values = match self.input_to {
                        Some(state) => Some(self.into.entry(state).or_default()),
                        None => self.states.last_mut(),
                    };
                    if let Some(values) = values {
                        values.insert(variable, Datum::printed(value.trim()));
                    }
                }
            }
            "input" => self.input_to = None,
            "counter-example" => self.finish_trace(),
            _ => {}
        }
        Ok(())
    }

    fn finish_trace(&mut self) {
        let states = std::mem::take(&mut self.states);
        if states.is_empty() {
            return;
        }
        // Several loops are several ways to read the same run; the first is the longest.
        let mut starts = self.loops.split([',', ' ', '\n', '\t', '\r']);
        let back = starts.find_map(|number| number.parse::<usize>().ok()?.checked_sub(1));
        let back = back.filter(|&back| back < states.len());
        let into = (1..=states.len()).map(|id| self.into.remove(&id).unwrap_or_default());
        let into = into.collect();
        let trace = Trace::repeating(Format::Xml, self.title.take(), states, into, back);
        self.traces.push(trace);
    }
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
            ("<counter-example><node>", "ends inside <node>", 23),
            ("<counter-example></node>", "is not closed", 17),
            ("</node>", "closes nothing", 0),
            (
                "<counter-example></counter-example>",
                "no <counter-example>",
                0,
            ),
            ("<counter-example><value>", "no `variable`", 17),
            ("<counter-example x=3>", "An attribute", 17),
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
