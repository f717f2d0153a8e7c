//! Regular expressions over labels.
//!
//! They are written as in UNIX tools of old: basic regular expressions (POSIX 1003.2), in which `(`, `)`,
//! `{`, `}`, `+`, `?` and `|` are plain characters, as they are frequent in labels, and get their special
//! meaning by a backslash. They match whole labels. Here they are translated for a library that reads
//! the modern notation and takes time linear in the label.

use regex_lite::{Regex, RegexBuilder};

/// Programs of larger expressions would take too long on every label.
const LARGEST: usize = 1 << 17;

/// What matches labels.
#[derive(Debug)]
pub(super) enum Matcher {
    /// One label: nothing in the expression is special.
    Plain(String),
    /// All labels that begin so: nothing is special but `.*` at the end.
    Prefix(String),
    /// An expression.
    Regex(Regex),
}

impl Matcher {
    /// Whether a label is matched as a whole.
    pub(super) fn matches(&self, label: &str) -> bool {
        match self {
            Matcher::Plain(text) => text == label,
            Matcher::Prefix(text) => label.starts_with(text.as_str()),
            Matcher::Regex(regex) => regex.is_match(label),
        }
    }
}

/// What is wrong with an expression: the byte where, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RegexError {
    pub(super) at: usize,
    pub(super) why: String,
}

/// Reads an expression.
pub(super) fn matcher(text: &str) -> Result<Matcher, RegexError> {
    // After a backslash `.*` is not special: then what is before it ends in one and is no expression.
    let head = text.strip_suffix(".*").map(RegexTranslation::of);
    if let Some(Ok(RegexTranslation {
        plain: Some(plain), ..
    })) = head
    {
        return Ok(Matcher::Prefix(plain));
    }
    let translation = RegexTranslation::of(text)?;
    if let Some(plain) = translation.plain {
        return Ok(Matcher::Plain(plain));
    }
    let regex = RegexBuilder::new(&format!("^(?:{})$", translation.modern))
        .dot_matches_new_line(true)
        .size_limit(LARGEST)
        .build();
    let why = |error: regex_lite::Error| {
        let error = error.to_string();
        // The library tells its errors apart by their texts only.
        if error.contains("size") || error.contains("limit") || error.contains("nest") {
            "It is too large".to_owned()
        } else {
            format!("It cannot be read: {error}")
        }
    };
    regex.map(Matcher::Regex).map_err(|error| RegexError {
        at: 0,
        why: why(error),
    })
}

struct RegexTranslation<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    modern: String,
    /// The only label that is matched, as long as nothing special was seen.
    plain: Option<String>,
    /// Where groups were opened.
    groups: Vec<usize>,
    /// Whether something stands before that can be repeated.
    repeatable: bool,
}

impl<'a> RegexTranslation<'a> {
    fn of(text: &'a str) -> Result<Self, RegexError> {
        let mut translation = RegexTranslation {
            text,
            bytes: text.as_bytes(),
            at: 0,
            modern: String::new(),
            plain: Some(String::new()),
            groups: Vec::new(),
            repeatable: false,
        };
        translation.run()?;
        Ok(translation)
    }

    fn run(&mut self) -> Result<(), RegexError> {
        while let Some(character) = self.text[self.at..].chars().next() {
            let start = self.at;
            self.at += character.len_utf8();
            match character {
                '.' => self.special(".", true),
                // With nothing before it to repeat, a star is a plain character.
                '*' if self.repeatable => self.special("*", true),
                // Elsewhere `^` and `$` are plain characters.
                '^' if start == 0 || self.text[..start].ends_with(r"\(") => {
                    self.special("^", false);
                }
                '$' if self.at == self.text.len() || self.text[self.at..].starts_with(r"\)") => {
                    self.special("$", false);
                }
                '[' => self.bracket(start)?,
                '\\' => self.escaped(start)?,
                _ => self.literal(character),
            }
        }
        match self.groups.last() {
            Some(&at) => Err(wrong(at, r"This `\(` has no `\)`")),
            None => Ok(()),
        }
    }

    fn literal(&mut self, character: char) {
        self.modern
            .push_str(&regex_lite::escape(character.encode_utf8(&mut [0; 4])));
        if let Some(plain) = &mut self.plain {
            plain.push(character);
        }
        self.repeatable = true;
    }

    fn special(&mut self, modern: &str, repeatable: bool) {
        self.modern.push_str(modern);
        self.plain = None;
        self.repeatable = repeatable;
    }

    fn escaped(&mut self, start: usize) -> Result<(), RegexError> {
        let Some(character) = self.text[self.at..].chars().next() else {
            return Err(wrong(start, r"A `\` at the end stands before nothing"));
        };
        self.at += character.len_utf8();
        match character {
            '(' => {
                self.groups.push(start);
                self.special("(?:", false);
            }
            ')' if self.groups.pop().is_some() => self.special(")", true),
            ')' => return Err(wrong(start, r"This `\)` has no `\(`")),
            '{' => self.interval(start)?,
            '}' => return Err(wrong(start, r"This `\}` has no `\{`")),
            '|' => self.special("|", false),
            '+' | '?' if self.repeatable => {
                let sign = if character == '+' { "+" } else { "?" };
                self.special(sign, true);
            }
            '+' | '?' => return Err(wrong(start, "There is nothing before this to repeat")),
            '1'..='9' => {
                return Err(wrong(
                    start,
                    "References to earlier groups are not supported",
                ));
            }
            '<' | '>' | 'b' | 'B' | 'w' | 'W' => {
                return Err(wrong(
                    start,
                    "Word boundaries and classes with `\\` are not supported",
                ));
            }
            _ => self.literal(character),
        }
        Ok(())
    }

    /// `\{m\}`, `\{m,\}`, `\{m,n\}`
    fn interval(&mut self, start: usize) -> Result<(), RegexError> {
        if !self.repeatable {
            return Err(wrong(start, "There is nothing before this to repeat"));
        }
        let rest = &self.text[self.at..];
        let Some(length) = rest.find(r"\}") else {
            return Err(wrong(start, r"This `\{` has no `\}`"));
        };
        let inside = &rest[..length];
        let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let fits = match inside.split_once(',') {
            None => number(inside),
            Some((low, high)) => number(low) && (high.is_empty() || number(high)),
        };
        if !fits {
            return Err(wrong(
                start,
                r"An interval is written `\{2\}`, `\{2,\}` or `\{2,3\}`",
            ));
        }
        self.at += length + 2;
        let interval = format!("{{{inside}}}");
        self.special(&interval, true);
        Ok(())
    }

    /// `[a-z]`, `[^]x]`, `[[:digit:]]`: a backslash is a plain character in it.
    fn bracket(&mut self, start: usize) -> Result<(), RegexError> {
        let mut modern = String::from("[");
        if self.bytes.get(self.at) == Some(&b'^') {
            modern.push('^');
            self.at += 1;
        }
        let first = self.at;
        loop {
            let rest = &self.text[self.at..];
            let Some(character) = rest.chars().next() else {
                return Err(wrong(start, "This `[` has no `]`"));
            };
            // A `]` that comes first is a plain character.
            if character == ']' && self.at > first {
                self.at += 1;
                break;
            }
            if rest.starts_with("[:") {
                let Some(length) = rest.find(":]") else {
                    return Err(wrong(self.at, "This `[:` has no `:]`"));
                };
                let Some(class) = class(&rest[2..length]) else {
                    return Err(wrong(self.at, "There is no such class of characters"));
                };
                modern.push_str(class);
                self.at += length + 2;
                continue;
            }
            if rest.starts_with("[.") || rest.starts_with("[=") {
                return Err(wrong(self.at, "Collating symbols are not supported"));
            }
            self.at += character.len_utf8();
            push_in_class(&mut modern, character);
            let after = &self.text[self.at..];
            let mut next = after.chars();
            if next.next() == Some('-')
                && let Some(last) = next.next().filter(|&last| last != ']')
            {
                if last < character {
                    return Err(wrong(self.at, "This range of characters is empty"));
                }
                modern.push('-');
                push_in_class(&mut modern, last);
                self.at += 1 + last.len_utf8();
            }
        }
        modern.push(']');
        self.special(&modern, true);
        Ok(())
    }
}

fn push_in_class(modern: &mut String, character: char) {
    if matches!(character, '\\' | '[' | ']' | '^' | '-' | '&' | '~') {
        modern.push('\\');
    }
    modern.push(character);
}

fn class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alnum" => "0-9A-Za-z",
        "alpha" => "A-Za-z",
        "blank" => " \\t",
        "cntrl" => "\\x00-\\x1f\\x7f",
        "digit" => "0-9",
        "graph" => "!-~",
        "lower" => "a-z",
        "print" => " -~",
        "punct" => "!-/:-@\\[-`{-~",
        "space" => " \\t\\n\\r\\x0b\\x0c",
        "upper" => "A-Z",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
}

fn wrong(at: usize, why: &str) -> RegexError {
    let why = why.to_owned();
    RegexError { at, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_match_whole_labels_as_basic_regular_expressions_do() {
        let table = [
            ("SEND", "SEND", true),
            ("SEND", "SEND !1", false),
            ("SEND", "RESEND", false),
            ("SEND.*", "SEND !1", true),
            ("SEND.*", "RESEND", false),
            (r"SEND\.*", "SEND...", true),
            (r"SEND\.*", "SEND !1", false),
            (".*.*", "SEND", true),
            (".*!1", "SEND !1", true),
            ("^SEND.*$", "SEND", true),
            ("A+B", "A+B", true),
            ("A+B", "AAB", false),
            ("f(x|y)", "f(x|y)", true),
            ("{A, B}", "{A, B}", true),
            (r"A\+B", "AAB", true),
            (r"\(A\|B\)*C", "ABAC", true),
            (r"\(A\|B\)*C", "AXC", false),
            (r"A\{2,3\}", "AAA", true),
            (r"A\{2\}", "AAA", false),
            (r"A\?B", "B", true),
            ("[A-C]x[^0-9]", "Bxy", true),
            ("[A-C]x[^0-9]", "Bx1", false),
            ("[]a-]*", "]-a", true),
            ("[\\]x", "\\x", true),
            ("[[:digit:]_]*", "1_2", true),
            ("a*b", "b", true),
            ("*b", "*b", true),
            (r"\(*b\)", "*b", true),
            ("a$b^", "a$b^", true),
            (r"1\.5", "1.5", true),
            (r"1\.5", "1x5", false),
            ("GAME .*. !1 .*", "GAME !2 !1 !ROCK", true),
            ("GAME .*. !1 .*", "GAME !1 !2 !ROCK", false),
            ("é.", "éü", true),
            ("", "", true),
            ("a&&b[&&]", "a&&b&", true),
        ];
        for (expression, label, expected) in table {
            let matcher = matcher(expression).expect("it is an expression");
            assert_eq!(matcher.matches(label), expected, "{expression} {label}");
        }
    }

    #[test]
    fn broken_expressions_are_told_with_their_places() {
        let table = [
            ("ab[c", 2),
            (r"a\(b", 1),
            (r"ab\)", 2),
            (r"a\{2", 1),
            (r"a\{x\}", 1),
            (r"a\", 1),
            (r"\(a\)\1", 5),
            ("[z-a]", 2),
            ("[[:what:]]", 1),
            (r"\{2\}", 0),
        ];
        for (expression, at) in table {
            let wrong = matcher(expression).expect_err(expression);
            assert_eq!(wrong.at, at, "{expression}: {}", wrong.why);
        }
    }

    #[test]
    fn expressions_that_would_grow_without_bound_are_rejected() {
        let wide = r"\(a\{1000\}\)\{1000\}";
        assert_eq!(matcher(wide).expect_err("too large").why, "It is too large");
        let deep = format!(r"{}a{}", r"\(".repeat(100_000), r"\)".repeat(100_000));
        assert_eq!(matcher(&deep).expect_err("too deep").why, "It is too large");
    }

    #[test]
    fn expressions_that_make_backtracking_slow_are_fast() {
        let matcher = matcher(r"\(a*\)*\(a*\)*\(a*\)*b").expect("it is an expression");
        assert!(!matcher.matches(&"a".repeat(10_000)));
    }
}
