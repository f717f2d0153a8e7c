//! The kit under the hand-written parsers: tokens with spans, a cursor, precedence climbing, reports.
//!
//! A language brings the kinds of its tokens ([`TokenKind`]), a lexer that uses a [`Scanner`], and a parser that implements
//! [`Parser`]. What is left of the parser is its grammar and its advice. Parsing never fails: a syntax error is a
//! diagnostic with a place, "`x` stands where `;` is expected", and the parser goes on where its language allows it.

mod cursor;
mod parser;
mod report;
mod scanner;
mod token;

pub use cursor::Cursor;
pub use parser::{Failed, Infix, Level, Parser, Precedence};
pub use report::ParseReport;
pub use scanner::Scanner;
pub use token::{Token, TokenKind};
