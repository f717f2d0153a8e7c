//! Long documents in pieces, so that whoever reads them never has to take a long one at a breath.
//!
//! The pieces are lines of a stream. Each names a place in the document and has entries for the list or object that is
//! there: those of a list are appended, those of an object are added. Lists and objects that are long themselves
//! are empty at first and are filled by pieces that come later, so every place exists before it is filled.

use std::fmt::Write;

use wherefore_wire::result_line;

/// A document that is longer than this comes in pieces, each about as long, in bytes.
const PIECE: usize = 256 << 10;

/// The lines that a document is sent as, given its text on one line.
pub fn lines(text: &str) -> SourceLines<'_> {
    SourceLines::new(text, PIECE)
}

/// The lines of a document, one after the other.
#[derive(Debug)]
pub struct SourceLines<'t> {
    text: &'t str,
    most: usize,
    /// What is still to be sent; the last one first.
    open: Vec<Filling>,
    sent: usize,
    ended: bool,
}

impl<'t> SourceLines<'t> {
    fn new(text: &'t str, most: usize) -> Self {
        let whole = long_parts(text, most);
        let open = whole.map(|part| Filling::new(String::new(), part));
        Self {
            text,
            most,
            open: open.into_iter().collect(),
            sent: 0,
            ended: false,
        }
    }
}

impl Iterator for SourceLines<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let Some(filling) = self.open.last_mut() else {
            if std::mem::replace(&mut self.ended, true) {
                return None;
            }
            return Some(match self.sent {
                0 => result_line(self.text),
                sent => format!("{{\"event\":\"result\",\"pieces\":{sent}}}\n"),
            });
        };
        let entries = filling.piece(self.text, self.most);
        let at = &filling.at;
        let line = format!("{{\"event\":\"piece\",\"at\":[{at}],\"entries\":{entries}}}\n");
        if filling.is_full() {
            let found = self.open.pop().map(|filling| filling.found);
            self.open.extend(found.into_iter().flatten().rev());
        }
        self.sent += 1;
        Some(line)
    }
}

/// A list or an object that is long.
#[derive(Debug)]
struct Part {
    /// The bytes it has, with its brackets.
    from: usize,
    to: usize,
    /// Where its commas are.
    commas: Vec<usize>,
    /// Entries that are long themselves, in order.
    inner: Vec<Part>,
}

/// A long part that is being sent.
#[derive(Debug)]
struct Filling {
    /// Where it is in the document: keys and numbers, with commas.
    at: String,
    part: Part,
    /// How many entries are sent.
    sent: usize,
    /// Long entries that were found on the way, to be filled later.
    found: Vec<Filling>,
    /// Those that were not.
    inner: std::iter::Peekable<std::vec::IntoIter<Part>>,
}

impl Filling {
    fn new(at: String, mut part: Part) -> Self {
        let inner = std::mem::take(&mut part.inner).into_iter().peekable();
        Self {
            at,
            part,
            sent: 0,
            found: Vec::new(),
            inner,
        }
    }

    fn is_full(&self) -> bool {
        self.sent > self.part.commas.len()
    }

    /// The next entries, as a list or an object.
    fn piece(&mut self, text: &str, most: usize) -> String {
        let list = text.as_bytes()[self.part.from] == b'[';
        let (open, close) = if list { ("[", "]") } else { ("{", "}") };
        let mut piece = open.to_string();
        while !self.is_full() && piece.len() < most {
            let commas = &self.part.commas;
            let from = match self.sent.checked_sub(1) {
                None => self.part.from + 1,
                Some(before) => commas[before] + 1,
            };
            let to = commas
                .get(self.sent)
                .copied()
                .unwrap_or(self.part.to.saturating_sub(1));
            if piece.len() > 1 {
                piece.push(',');
            }
            match self.inner.next_if(|inner| inner.from < to) {
                None => piece.push_str(&text[from..to]),
                Some(inner) => {
                    let key = text[from..inner.from].trim();
                    let empty = if text.as_bytes()[inner.from] == b'[' {
                        "[]"
                    } else {
                        "{}"
                    };
                    piece.push_str(key);
                    piece.push_str(empty);
                    let mut at = self.at.clone();
                    if !at.is_empty() {
                        at.push(',');
                    }
                    match key.strip_suffix(':') {
                        Some(key) => at.push_str(key.trim_end()),
                        None => write!(at, "{}", self.sent).expect("strings take everything"),
                    }
                    self.found.push(Filling::new(at, inner));
                }
            }
            self.sent += 1;
        }
        piece.push_str(close);
        piece
    }
}

/// The whole document, if it is long, with its long parts; found in one walk along the text.
fn long_parts(text: &str, most: usize) -> Option<Part> {
    if text.len() <= most {
        return None;
    }
    struct Open {
        from: usize,
        /// How many commas and parts there were before.
        commas: usize,
        parts: usize,
    }
    let bytes = text.as_bytes();
    let (mut open, mut commas, mut parts): (Vec<Open>, Vec<usize>, Vec<Part>) = Default::default();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'[' | b'{' => open.push(Open {
                from: at,
                commas: commas.len(),
                parts: parts.len(),
            }),
            b',' => commas.push(at),
            b']' | b'}' => {
                let part = open.pop()?;
                match at - part.from >= most {
                    false => commas.truncate(part.commas),
                    true => {
                        let inner = parts.split_off(part.parts);
                        parts.push(Part {
                            from: part.from,
                            to: at + 1,
                            commas: commas.split_off(part.commas),
                            inner,
                        });
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    parts.pop()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use wherefore_wire::to_line;

    use super::*;

    /// What a reader makes of the lines.
    fn read(lines: SourceLines<'_>) -> (Json, usize) {
        let mut whole = Json::Null;
        for line in lines {
            let line: Json = serde_json::from_str(&line).expect("a line is JSON");
            if line["event"] == "result" {
                let pieces = line["pieces"].as_u64().unwrap_or(0);
                let result = line.get("result").cloned().unwrap_or(whole);
                return (result, pieces as usize);
            }
            let mut place = &mut whole;
            for step in line["at"].as_array().expect("a place") {
                place = match step {
                    Json::String(key) => &mut place[key.as_str()],
                    step => &mut place[step.as_u64().expect("a number") as usize],
                };
            }
            match (place, line["entries"].clone()) {
                (Json::Array(here), Json::Array(entries)) => here.extend(entries),
                (Json::Object(here), Json::Object(entries)) => here.extend(entries),
                (place, entries) => *place = entries,
            }
        }
        panic!("the last line is missing");
    }

    fn sample(rounds: usize) -> Json {
        let long = |of: usize| -> Vec<Json> {
            let item =
                |at| json!({"id": at, "text": format!("\"{at}\\,[{{"), "more": [at, [], {}]});
            (0..of).map(item).collect()
        };
        let keyed: serde_json::Map<String, Json> = (0..rounds)
            .map(|at| (format!("k,\"{at}"), json!([at, null])))
            .collect();
        json!({
            "model": 0,
            "property": {"name": "[é,", "evidence": {"states": long(rounds), "none": [], "truth": keyed}},
            "several": [1, {"runs": long(rounds / 2)}, [long(rounds / 3), 2.5, long(1)], "last"],
            "end": true,
        })
    }

    #[test]
    fn the_pieces_of_a_document_make_up_the_document_whatever_their_length() {
        for rounds in [0, 1, 2, 7, 40] {
            let document = sample(rounds);
            let text = to_line(&document);
            for most in [2, 3, 10, 33, 100, 1000, 100_000] {
                let (whole, pieces) = read(SourceLines::new(&text, most));
                assert_eq!(whole, document, "{rounds} {most}");
                assert_eq!(pieces == 0, text.len() <= most, "{rounds} {most}");
            }
        }
    }

    #[test]
    fn no_piece_is_much_longer_than_it_may_be() {
        let text = to_line(&sample(2000));
        let longest = SourceLines::new(&text, 1000).map(|line| line.len()).max();
        assert!(longest.is_some_and(|longest| longest < 1300), "{longest:?}");
    }

    #[test]
    fn a_short_document_is_one_line() {
        let lines: Vec<String> = lines("{\"closed\":true}").collect();
        assert_eq!(
            lines,
            ["{\"event\":\"result\",\"result\":{\"closed\":true}}\n"]
        );
    }

    #[test]
    fn long_texts_and_texts_that_are_no_document_come_as_they_are() {
        for text in ["\"aaaaaaaaaaaaaaaa\"", "]]]]]]]]]]]]]]", "1234567890123456"] {
            let lines: Vec<String> = SourceLines::new(text, 4).collect();
            assert_eq!(lines, [result_line(text)]);
        }
    }
}
