//! The data of a report: what a server would have answered, as far as it fits into one file.

use wherefore_wire::{ExplorerSchemaName, to_line};

/// The responses in a report, by route.
#[derive(Clone, Default, Debug)]
pub struct Responses {
    responses: Vec<(String, String)>,
    left_out: Vec<String>,
}

impl Responses {
    /// Adds what a server answers to a route; the body is the text of a document.
    pub fn add(&mut self, route: &str, body: String) {
        self.responses.push((route.to_string(), body));
    }

    /// Says that something is not there.
    pub fn leave_out(&mut self, sentence: String) {
        self.left_out.push(sentence);
    }

    /// How many bytes there are so far.
    pub fn size(&self) -> usize {
        self.responses.iter().map(|(_, body)| body.len()).sum()
    }

    /// The text that stands in the element of the page: nothing in it can end the element.
    pub fn render(&self) -> String {
        let quoted = |text: &str| to_line(&text);
        let responses = self.responses.iter();
        let responses = responses.map(|(route, body)| format!("{}:{body}", quoted(route)));
        let text = format!(
            "{{\"schema\":{},\"responses\":{{{}}},\"left_out\":{}}}",
            quoted(ExplorerSchemaName::Version1.name()),
            responses.collect::<Vec<_>>().join(","),
            to_line(&self.left_out)
        );
        escaped(&text)
    }
}

/// JSON without any letter that means something to HTML or ends a line of a script.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 32);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use wherefore_wire::{ReportDocument, TextAnswer};

    use super::*;

    #[test]
    fn nothing_in_a_report_can_end_its_element_and_nothing_is_lost() {
        let name = "</script><!--\u{2028}&\"\\";
        let mut responses = Responses::default();
        let text = name.to_string();
        responses.add("models", to_line(&TextAnswer { text }));
        responses.leave_out("One is </script> too large.".to_string());
        let text = responses.render();
        assert!(!text.contains('<') && !text.contains('>') && !text.contains('&'));
        assert!(!text.contains('\u{2028}'));
        let read: ReportDocument = serde_json::from_str(&text).expect("it is still JSON");
        assert_eq!(
            read.responses.get("models").expect("it is there")["text"],
            name
        );
        assert_eq!(read.left_out, ["One is </script> too large."]);
    }
}
