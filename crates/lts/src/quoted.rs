//! Labels and regular expressions between quotes, as MCL and composition files have them.

/// What stands between the quotes of a token. A backslash is dropped before the quote, and in a label before a backslash;
/// in a regular expression two backslashes are a literal one already.
pub(crate) fn unquoted(token: &str) -> String {
    let inside = token.get(1..token.len().saturating_sub(1)).unwrap_or("");
    let is_label = token.starts_with('"');
    let mut plain = String::with_capacity(inside.len());
    let mut characters = inside.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(&next)) if token.starts_with(next) || next == '\\' => {
                characters.next();
                if !is_label && next == '\\' {
                    plain.push('\\');
                }
                plain.push(next);
            }
            _ => plain.push(character),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_a_label_is_written_with_a_backslash() {
        assert_eq!(unquoted(r#""PUT !\"a\" \ \\""#), r#"PUT !"a" \ \"#);
    }

    #[test]
    fn a_regular_expression_keeps_its_backslashes() {
        assert_eq!(unquoted(r"'a\'\.b\\'"), r"a'\.b\\");
    }
}
