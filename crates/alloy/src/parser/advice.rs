//! What somebody who wrote a token where it does not fit probably wants.

use wherefore_base::{Diagnostic, Span, nearest};
use wherefore_syntax::Parser;

use super::AlloyParser;
use crate::ast::AlloyUnaryOp;
use crate::lexer::Edition;
use crate::token::{AlloyToken, Keyword, Sign};

/// Words of other languages that begin a quantifier there.
const QUANTIFIERS: [&str; 6] = ["forall", "foreach", "each", "every", "exists", "any"];

/// The words that begin a paragraph.
const PARAGRAPHS: [&str; 17] = [
    "abstract", "assert", "check", "enum", "fact", "fun", "let", "lone", "module", "one", "open",
    "pred", "private", "run", "sig", "some", "var",
];

impl AlloyParser<'_> {
    /// Adds advice about the present token, which stands where something else is expected.
    pub(super) fn advised(&self, mut diagnostic: Diagnostic, expected: &str) -> Diagnostic {
        if let Some(open) = self.unclosed() {
            diagnostic = diagnostic.see(open, "this is not closed");
        }
        match self.advice(expected) {
            Some(advice) => diagnostic.help(advice),
            None => diagnostic,
        }
    }

    /// The text of the token so many places before the present one.
    fn text_behind(&self, count: usize) -> &str {
        let token = self.cursor.behind(count);
        token.map_or("", |token| self.cursor.text_of(token))
    }

    fn advice(&self, expected: &str) -> Option<String> {
        let here = self.text();
        let near = |words: &[&'static str]| {
            let near = nearest(here, words.iter().copied(), (here.len() / 3).clamp(1, 2));
            near.map(|near| format!("Is `{near}` meant?"))
        };
        if expected.starts_with("a paragraph") && here != ";" {
            return near(&PARAGRAPHS);
        }
        if expected == "`sig`" {
            return near(&["sig"]);
        }
        if expected.starts_with("`{` before the fields")
            && let Some(near) = near(&["extends"])
        {
            return Some(near);
        }
        let advice = self.advice_by_sign(here);
        advice
            .or_else(|| self.advice_by_place(here, expected))
            .map(str::to_owned)
    }

    /// Signs that are written otherwise in other languages.
    fn advice_by_sign(&self, here: &str) -> Option<&'static str> {
        let before = self.cursor.behind(1);
        let touches = before.is_some_and(|token| token.end == self.here().start);
        let before = if touches { self.text_behind(1) } else { "" };
        Some(match (before, here) {
            ("=", "=") => "Equality is written `=`.",
            ("!", "=") | ("<", ">") => "Inequality is written `!=`.",
            (_, "|") => "Between formulas, write `or`.",
            (_, "'") if self.edition == Edition::Four => {
                "A prime belongs right after the letters of a name here."
            }
            (_, "'") => {
                "A prime is an operator in Alloy 6: it stands after an expression. In names, write `\"` instead."
            }
            (_, ";") => "Formulas and paragraphs follow each other without a sign between them.",
            (_, "(") => "A predicate or function gets its arguments in brackets: `p[a, b]`.",
            (_, "%") => "The remainder of a division is written `rem[a, b]`.",
            (_, "else") => "`else` belongs to `condition => a else b`.",
            (_, "if") => "A choice is written `condition => a else b`.",
            _ => return None,
        })
    }

    /// What goes wrong in the places of declarations.
    fn advice_by_place(&self, here: &str, expected: &str) -> Option<&'static str> {
        let next = self.ahead(1);
        let declares = matches!(next, AlloyToken::Sign(Sign::Colon | Sign::Comma));
        let is_name = self.is(AlloyToken::Ident);
        Some(match expected {
            "`{` before the fields of a signature" if here == "," => {
                "A signature extends one other. For a subset of several, write `in A + B`."
            }
            "`{` before the fields of a signature" => {
                "A signature without fields is written `sig A {}`."
            }
            "`{` before the formulas" if here == ":" => {
                "A predicate returns nothing. What returns something is a function: `fun f[a: A]: B { .. }`."
            }
            "`:` before what the function returns" => {
                "What holds or does not hold is a predicate: `pred p[a: A] { .. }`."
            }
            "a number in a scope" if is_name && next == AlloyToken::Number => {
                "The number comes before the name, as in `3 A`."
            }
            "an operator or `}`" | "an operator or `]`" | "an operator or `)`"
                if is_name && declares =>
            {
                "Declarations are separated by commas."
            }
            _ if here == ":" && self.text_behind(2) == ";" => {
                "Declarations are separated by commas."
            }
            _ if here == ":" && QUANTIFIERS.contains(&self.text_behind(2)) => {
                "The quantifiers are `all`, `some`, `no`, `lone` and `one`."
            }
            _ if here == ":"
                && self
                    .cursor
                    .behind(1)
                    .is_some_and(|t| t.kind == AlloyToken::Ident) =>
            {
                "A declaration has a quantifier before it, as in `all x: A | ..`."
            }
            _ if here == "}" && self.text_behind(1) == ";" => {
                "`;` stands between what holds now and what holds in the next state. Leave it out at the end."
            }
            _ => return None,
        })
    }

    /// Where the bracket is that a closing one of another kind does not close.
    fn unclosed(&self) -> Option<Span> {
        let AlloyToken::Sign(close @ (Sign::Close | Sign::CloseBracket | Sign::CloseBrace)) =
            self.peek()
        else {
            return None;
        };
        let mut depth = 0usize;
        for token in self.cursor.tokens[..self.cursor.at].iter().rev() {
            match token.kind {
                AlloyToken::Sign(Sign::Close | Sign::CloseBracket | Sign::CloseBrace) => depth += 1,
                AlloyToken::Sign(open @ (Sign::Open | Sign::OpenBracket | Sign::OpenBrace)) => {
                    if depth == 0 {
                        let fits = matches!(
                            (open, close),
                            (Sign::Open, Sign::Close)
                                | (Sign::OpenBracket, Sign::CloseBracket)
                                | (Sign::OpenBrace, Sign::CloseBrace)
                        );
                        return (!fits).then(|| self.cursor.span_of(token));
                    }
                    depth -= 1;
                }
                AlloyToken::Keyword(word) if word.opens_paragraph() && depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// What to do about an operator, the present token, that binds more loosely than the one before it.
    pub(super) fn advice_for_loose(&self, op: AlloyUnaryOp) -> String {
        let here = self.text();
        let of_sets = matches!(op, AlloyUnaryOp::Cardinality | AlloyUnaryOp::IntCast);
        let how_many = matches!(
            op,
            AlloyUnaryOp::No | AlloyUnaryOp::Some | AlloyUnaryOp::Lone | AlloyUnaryOp::One
        );
        match self.text_behind(1) {
            "&" if !of_sets => "`&` is for sets. Between formulas, write `and`.".to_owned(),
            "+" if !of_sets => "`+` is for sets. Between formulas, write `or`.".to_owned(),
            "=" if op == AlloyUnaryOp::Not => "Inequality is written `!=`.".to_owned(),
            "=" if how_many => {
                format!("`{here} ..` is a formula that says how many there are, and no set.")
            }
            _ => format!("Put parentheses around `{here}` and its operand."),
        }
    }

    /// What to say about a reserved word where a name is expected.
    pub(super) fn reserved(&self, keyword: Keyword, what: &str) -> Diagnostic {
        let text = self.text();
        let message = format!("`{text}` is a reserved word and cannot name {what}");
        let diagnostic = Diagnostic::error(self.here(), message);
        let after_comma = self.text_behind(1) == ",";
        diagnostic.help(if what == "a variable" && after_comma {
            "The body of a quantifier comes after `|`."
        } else if keyword.is_temporal() {
            "It is reserved since Alloy 6 only; older models may use it."
        } else {
            "Choose another name, for example with a letter or digit added."
        })
    }
}
