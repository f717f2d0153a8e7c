//! Writing AUT files.

use std::io::{self, Write};

use wherefore_model::lts::{ActionLabel, Lts};

/// So many bytes are written at once.
const PORTION: usize = 1 << 16;

/// Whose tools are to read a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum AutDialect {
    /// CADP's: internal steps are called `i`, and labels are quoted where they must be.
    #[default]
    Cadp,
    /// mCRL2's: internal steps are called `tau`, and labels are quoted always.
    Mcrl2,
}

/// Writes a system: the header, then its transitions by source, label and target.
///
/// What is written is read back as the same system if its internal label, should it have one, is that of
/// the dialect. A label that the dialect cannot express is an error of kind
/// [`InvalidInput`](io::ErrorKind::InvalidInput): one with a line feed, and in mCRL2's dialect one with
/// a quote.
pub fn write(lts: &Lts, out: &mut impl Write, dialect: AutDialect) -> io::Result<()> {
    // What stands around a label is the same on every line, so it is made once.
    let labels: io::Result<Vec<String>> = lts
        .labels()
        .iter()
        .map(|label| Ok(format!(", {}, ", shown(label, dialect)?)))
        .collect();
    let labels = labels?;
    let initial = lts.initial().index();
    let (transitions, states) = (lts.transitions(), lts.states());
    let mut text = format!("des ({initial}, {transitions}, {states})\n").into_bytes();
    for transition in lts.all_transitions() {
        text.push(b'(');
        push_number(&mut text, transition.from.index());
        text.extend_from_slice(labels[transition.label.index()].as_bytes());
        push_number(&mut text, transition.to.index());
        text.extend_from_slice(b")\n");
        if text.len() >= PORTION {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)?;
    out.flush()
}

/// A label as it stands in a file.
fn shown(label: &ActionLabel, dialect: AutDialect) -> io::Result<String> {
    let text = label.text.as_str();
    let wrong = |why: &str| {
        let message = format!(
            "The label `{}` cannot be written: {why}",
            text.escape_debug()
        );
        Err(io::Error::new(io::ErrorKind::InvalidInput, message))
    };
    match dialect {
        AutDialect::Cadp if label.internal => Ok("i".to_string()),
        AutDialect::Mcrl2 if label.internal => Ok("\"tau\"".to_string()),
        _ if text.contains('\n') => wrong("a line of an AUT file is a transition"),
        AutDialect::Mcrl2 if text.contains('"') => wrong("mCRL2 ends labels at the next quote"),
        AutDialect::Cadp if is_word(text) => Ok(text.to_string()),
        _ => Ok(format!("\"{text}\"")),
    }
}

/// Whether a label needs no quotes.
fn is_word(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic());
    begins && text.bytes().all(word)
}

fn push_number(text: &mut Vec<u8>, mut number: usize) {
    // The largest number of 64 bits has 20 digits.
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use wherefore_model::lts::{StateId, Transition};

    use super::*;

    fn written(texts: &[(&str, bool)], dialect: AutDialect) -> io::Result<String> {
        let label = |&(text, internal): &(&str, bool)| ActionLabel {
            text: text.to_string(),
            internal,
        };
        let labels: Vec<ActionLabel> = texts.iter().map(label).collect();
        let transitions: Vec<Transition> = (0..labels.len())
            .map(|label| Transition {
                from: label.into(),
                label: label.into(),
                to: (label + 1).into(),
            })
            .collect();
        let states = labels.len() + 1;
        let lts = Lts::new(labels, states, StateId::new(1), &transitions);
        let mut out = Vec::new();
        write(&lts, &mut out, dialect)?;
        Ok(String::from_utf8(out).expect("labels are text"))
    }

    const LABELS: [(&str, bool); 3] = [("UDP !ACK", false), ("LOSS_2", false), ("hidden", true)];

    #[test]
    fn cadp_quotes_what_it_must() {
        let text = written(&LABELS, AutDialect::Cadp).expect("it can be written");
        let expected = "des (1, 3, 4)\n(0, \"UDP !ACK\", 1)\n(1, LOSS_2, 2)\n(2, i, 3)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn mcrl2_quotes_everything() {
        let text = written(&LABELS, AutDialect::Mcrl2).expect("it can be written");
        let expected = "des (1, 3, 4)\n(0, \"UDP !ACK\", 1)\n(1, \"LOSS_2\", 2)\n(2, \"tau\", 3)\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn labels_that_a_dialect_cannot_express_are_refused() {
        for (label, cadp, mcrl2) in [("a\nb", false, false), ("a\"b", true, false)] {
            let ok = |dialect| written(&[(label, false)], dialect).is_ok();
            assert_eq!((ok(AutDialect::Cadp), ok(AutDialect::Mcrl2)), (cadp, mcrl2));
        }
    }
}
