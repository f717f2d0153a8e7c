//! The Alloy language: text of a model in, resolved and typed model with its commands out.

pub mod ast;
mod effort;
mod lexer;
mod parser;
mod report;
mod token;

pub use lexer::Edition;

/// test
pub fn parse_only(sources: &wherefore_base::SourceMap, file: wherefore_base::FileId) -> (ast::Module, Vec<wherefore_base::Diagnostic>) {
    let mut names = wherefore_base::Names::default();
    let r = parser::module(sources, file, &mut names, None, &effort::Effort::default());
    (r.module, r.report.finish())
}
