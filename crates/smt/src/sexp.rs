//! S-expressions with their places, by the lexical rules of SMT-LIB 2.6.

use wherefore_base::{Diagnostic, FileId, Span, deep};
use wherefore_syntax::Scanner;

/// An atom, or a list of expressions.
#[derive(PartialEq, Eq, Debug)]
pub struct Sexp {
    /// What it is.
    pub kind: SexpKind,
    /// Where it stands.
    pub span: Span,
}

/// What an s-expression is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SexpKind {
    /// A symbol, without its bars if it had any.
    Symbol(String),
    /// A keyword with its colon, such as `:next`.
    Keyword(String),
    /// A string, without its quotes.
    String(String),
    /// A numeral, such as `12`.
    Numeral(String),
    /// A decimal, such as `1.50`.
    Decimal(String),
    /// The digits of `#x..`.
    Hex(String),
    /// The digits of `#b..`.
    Binary(String),
    /// A list.
    List(Vec<Sexp>),
}

impl Sexp {
    /// The symbol, if it is one.
    pub fn symbol(&self) -> Option<&str> {
        match &self.kind {
            SexpKind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The keyword with its colon, if it is one.
    pub fn keyword(&self) -> Option<&str> {
        match &self.kind {
            SexpKind::Keyword(name) => Some(name),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn list(&self) -> Option<&[Sexp]> {
        match &self.kind {
            SexpKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The numeral as a small number, if it is one.
    pub fn number(&self) -> Option<u32> {
        match &self.kind {
            SexpKind::Numeral(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// The symbol at the head of a list, if it has one.
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.symbol()
    }
}

impl Clone for Sexp {
    fn clone(&self) -> Self {
        deep(|| Self {
            kind: self.kind.clone(),
            span: self.span,
        })
    }
}

impl Drop for Sexp {
    /// Deep lists are taken apart one by one, so that dropping them needs no stack.
    fn drop(&mut self) {
        let SexpKind::List(items) = &mut self.kind else {
            return;
        };
        let mut open = std::mem::take(items);
        while let Some(mut item) = open.pop() {
            if let SexpKind::List(items) = &mut item.kind {
                open.append(items);
            }
        }
    }
}

/// All expressions of a text, and what is wrong with it. What follows an error is read as far as it can be.
pub fn read(file: FileId, text: &str) -> (Vec<Sexp>, Vec<Diagnostic>) {
    let (scan, too_large) = Scanner::new(file, text);
    let errors = too_large.into_iter().collect();
    let mut reader = SexpReader { scan, errors };
    let all = reader.all();
    (all, reader.errors)
}

struct SexpReader<'t> {
    /// Expressions are read at once, without tokens between.
    scan: Scanner<'t, ()>,
    errors: Vec<Diagnostic>,
}

impl SexpReader<'_> {
    fn all(&mut self) -> Vec<Sexp> {
        let mut done = Vec::new();
        // Lists that are open: where they start, and what they have so far.
        let mut open: Vec<(usize, Vec<Sexp>)> = Vec::new();
        while let Some(byte) = self.skip() {
            let start = self.scan.at;
            let item = match byte {
                b'(' => {
                    self.scan.at += 1;
                    open.push((start, Vec::new()));
                    continue;
                }
                b')' => {
                    self.scan.at += 1;
                    let Some((start, items)) = open.pop() else {
                        let error = Diagnostic::error(
                            self.scan.span(start),
                            "There is no list that this `)` closes",
                        );
                        self.errors.push(
                            error.help("Remove it, or add the `(` that is missing before it."),
                        );
                        continue;
                    };
                    Some((SexpKind::List(items), start))
                }
                _ => self.atom(byte).map(|kind| (kind, start)),
            };
            let Some((kind, start)) = item else {
                continue;
            };
            let span = self.scan.span(start);
            let item = Sexp { kind, span };
            match open.last_mut() {
                Some((_, items)) => items.push(item),
                None => done.push(item),
            }
        }
        if let Some((start, _)) = open.pop() {
            let first = open.first().map(|(start, _)| *start);
            let error = Diagnostic::error(
                Span::new(self.scan.file, start, start + 1),
                "The list that starts here is not closed",
            );
            let error = match first {
                Some(first) if first != start => error.see(
                    Span::new(self.scan.file, first, first + 1),
                    "the command that it is a part of starts here",
                ),
                _ => error,
            };
            self.errors.push(error.help("Add the `)` that is missing."));
        }
        done
    }

    /// The first byte that is neither space nor comment.
    fn skip(&mut self) -> Option<u8> {
        loop {
            self.scan.skip_bytes(|byte| b" \t\r\n".contains(&byte));
            match self.scan.byte(0) {
                Some(b';') => self.scan.skip_line(),
                other => return other,
            }
        }
    }

    fn atom(&mut self, byte: u8) -> Option<SexpKind> {
        let start = self.scan.at;
        match byte {
            b'|' => self.between(start, '|', "symbol").map(SexpKind::Symbol),
            b'"' => self.string(start),
            b'#' => {
                self.scan.at += 1;
                let word = self.word();
                let digits = word.get(1..).unwrap_or("").to_string();
                match word.as_bytes().first() {
                    Some(b'x')
                        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()) =>
                    {
                        Some(SexpKind::Hex(digits))
                    }
                    Some(b'b')
                        if !digits.is_empty()
                            && digits.bytes().all(|b| matches!(b, b'0' | b'1')) =>
                    {
                        Some(SexpKind::Binary(digits))
                    }
                    _ => self.unreadable(start),
                }
            }
            b':' => {
                self.scan.at += 1;
                let word = self.word();
                match word.is_empty() {
                    true => self.unreadable(start),
                    false => Some(SexpKind::Keyword(format!(":{word}"))),
                }
            }
            b'0'..=b'9' => {
                let word = self.word();
                let (whole, part) = word.split_once('.').unwrap_or((&word, "0"));
                let digits =
                    |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                match digits(whole) && digits(part) {
                    true if word.contains('.') => Some(SexpKind::Decimal(word)),
                    true => Some(SexpKind::Numeral(word)),
                    false => self.unreadable(start),
                }
            }
            _ => {
                let word = self.word();
                match word.is_empty() {
                    true => self.unreadable(start),
                    false => Some(SexpKind::Symbol(word)),
                }
            }
        }
    }

    /// Letters, digits and signs that a simple symbol may have.
    fn word(&mut self) -> String {
        let start = self.scan.at;
        self.scan
            .skip_chars(|c| c.is_alphanumeric() || "~!@$%^&*_-+=<>.?/:'".contains(c));
        self.scan.text[start..self.scan.at].to_string()
    }

    fn between(&mut self, start: usize, end: char, what: &str) -> Option<String> {
        let inner = start + 1;
        let Some(length) = self.scan.text[inner..].find(end) else {
            self.scan.at = self.scan.text.len();
            let error = Diagnostic::error(
                Span::new(self.scan.file, start, inner),
                format!("The quoted {what} that starts here does not end"),
            );
            self.errors
                .push(error.help(format!("Add the `{end}` that is missing.")));
            return None;
        };
        self.scan.at = inner + length + 1;
        Some(self.scan.text[inner..inner + length].to_string())
    }

    /// A string; a quote inside it is written twice.
    fn string(&mut self, start: usize) -> Option<SexpKind> {
        let mut text = String::new();
        let mut from = start;
        loop {
            text.push_str(&self.between(from, '"', "string")?);
            if self.scan.text.as_bytes().get(self.scan.at) != Some(&b'"') {
                return Some(SexpKind::String(text));
            }
            text.push('"');
            from = self.scan.at;
        }
    }

    /// Something that is no expression: it is left out.
    fn unreadable(&mut self, start: usize) -> Option<SexpKind> {
        if self.scan.at == start {
            self.scan.skip_char();
        }
        let text = self.scan.text[start..self.scan.at].to_string();
        let error = Diagnostic::error(
            self.scan.span(start),
            format!("`{text}` is not a part of SMT-LIB"),
        );
        self.errors.push(match text.as_bytes().first() {
            Some(b'0'..=b'9') => {
                error.help("A symbol that starts with a digit is written between bars.")
            }
            _ => error,
        });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Vec<Sexp> {
        let (all, errors) = read(FileId::new(0), text);
        assert_eq!(errors, [], "{text}");
        all
    }

    fn error(text: &str) -> (String, usize) {
        let (_, errors) = read(FileId::new(0), text);
        let span = errors[0].span().expect("errors have a place");
        (errors[0].message.clone(), span.start as usize)
    }

    #[test]
    fn atoms_are_told_apart() {
        let all = one("abc |a b| :key \"say \"\"hi\"\"\" 12 1.50 #xfF #b01 ; a comment\n <=");
        let kinds: Vec<SexpKind> = all.iter().map(|item| item.kind.clone()).collect();
        assert_eq!(
            kinds,
            [
                SexpKind::Symbol("abc".into()),
                SexpKind::Symbol("a b".into()),
                SexpKind::Keyword(":key".into()),
                SexpKind::String("say \"hi\"".into()),
                SexpKind::Numeral("12".into()),
                SexpKind::Decimal("1.50".into()),
                SexpKind::Hex("fF".into()),
                SexpKind::Binary("01".into()),
                SexpKind::Symbol("<=".into()),
            ]
        );
    }

    #[test]
    fn lists_know_their_place() {
        let all = one("; first\n(f (g 1))");
        assert_eq!((all[0].span.start, all[0].span.end), (8, 17));
        let inner = &all[0].list().expect("a list")[1];
        assert_eq!(inner.head(), Some("g"));
        assert_eq!(inner.span.start, 11);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert_eq!(
            error("(a))"),
            ("There is no list that this `)` closes".into(), 3)
        );
        assert_eq!(
            error("(a (b)"),
            ("The list that starts here is not closed".into(), 0)
        );
        assert_eq!(
            error("(a \"b)"),
            ("The quoted string that starts here does not end".into(), 3)
        );
        assert_eq!(
            error("(a 12b)"),
            ("`12b` is not a part of SMT-LIB".into(), 3)
        );
        assert_eq!(
            error("(a #q1)"),
            ("`#q1` is not a part of SMT-LIB".into(), 3)
        );
        assert_eq!(error("(a [)"), ("`[` is not a part of SMT-LIB".into(), 3));
    }

    #[test]
    fn lists_nested_a_million_deep_are_only_slow() {
        let depth = 1_000_000;
        let text = format!("{}{}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(one(&text).len(), 1);
    }
}
