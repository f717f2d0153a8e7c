//! Parsing of commands and their scopes.

use wherefore_base::Diagnostic;
use wherefore_syntax::Parser;

use super::{AlloyParser, Parse};
use crate::ast::{CommandDecl, CommandTarget, Scoped, TypeScope};
use crate::lexer::parse_number;
use crate::token::{AlloyToken, Keyword, Sign};

impl AlloyParser<'_> {
    /// `label: run name for scope expect n`, and what goes on from it by `=>`.
    pub(super) fn command(&mut self) -> Parse<()> {
        let mut follows = false;
        loop {
            self.one_command(follows)?;
            if !(self.is(Sign::Implies) && self.goes_on_with_a_command()) {
                return Ok(());
            }
            self.skip(1);
            follows = true;
        }
    }

    fn one_command(&mut self, follows: bool) -> Parse<()> {
        let start = self.here();
        let mut label = None;
        if self.is(AlloyToken::Ident) {
            label = Some(self.declared("a command")?);
            self.expect(Sign::Colon, "after the name of a command")?;
        }
        let check = self.is(Keyword::Check);
        self.skip(1);
        let target = if self.is(Sign::OpenBrace) {
            CommandTarget::Formula(self.block()?.id)
        } else {
            let name = self.name("what is run or checked")?;
            let is_label = self.is(Sign::OpenBrace) || self.is(AlloyToken::Ident);
            // `run name { .. }` and `run label name` name the command first. The next paragraph
            // may also start with a name, as the label of a command.
            let next_paragraph = self.ahead(1) == AlloyToken::Sign(Sign::Colon);
            if is_label && !next_paragraph {
                label.get_or_insert(name);
                if self.is(Sign::OpenBrace) {
                    CommandTarget::Formula(self.block()?.id)
                } else {
                    CommandTarget::Name(self.name("what is run or checked")?)
                }
            } else {
                CommandTarget::Name(name)
            }
        };
        let mut command = CommandDecl {
            check,
            label,
            target,
            overall: None,
            scoped: false,
            scopes: Vec::new(),
            expect: None,
            follows,
            span: start,
        };
        if self.eat(Keyword::For) {
            command.scoped = true;
            self.scope(&mut command)?;
        }
        if self.eat(Keyword::Expect) {
            command.expect = Some(self.count("after `expect`")?);
        }
        command.span = start.to(self.before());
        self.module.commands.push(command);
        Ok(())
    }

    fn scope(&mut self, command: &mut CommandDecl) -> Parse<()> {
        let next = self.ahead(1);
        let names_a_type = matches!(next, AlloyToken::Ident)
            && self.ahead(2) != AlloyToken::Sign(Sign::Colon)
            || matches!(
                next,
                AlloyToken::Keyword(
                    Keyword::SigInt
                        | Keyword::Int
                        | Keyword::Seq
                        | Keyword::String
                        | Keyword::Steps
                        | Keyword::This
                        | Keyword::Univ
                        | Keyword::None
                ) | AlloyToken::Sign(Sign::Dot | Sign::Colon)
            );
        if self.is(AlloyToken::Number) && !names_a_type {
            command.overall = Some(self.count("after `for`")?);
            if !self.eat(Keyword::But) {
                return Ok(());
            }
        }
        loop {
            let scope = self.type_scope()?;
            command.scopes.push(scope);
            if !self.eat(Sign::Comma) {
                return Ok(());
            }
        }
    }

    fn count(&mut self, place: &str) -> Parse<i32> {
        if !self.is(AlloyToken::Number) {
            return Err(self.unexpected(&format!("a number {place}")));
        }
        Ok(parse_number(self.advance()).unwrap_or(0))
    }

    fn type_scope(&mut self) -> Parse<TypeScope> {
        let start = self.here();
        let exactly = self.eat(Keyword::Exactly);
        let from = self.count("in a scope")?;
        let (mut to, mut step, mut ranged) = (Some(from), 1, false);
        if self.is(Sign::Dot) && self.ahead(1) == AlloyToken::Sign(Sign::Dot) {
            self.skip(2);
            to = if self.is(AlloyToken::Number) {
                Some(self.count("in a scope")?)
            } else {
                None
            };
            ranged = true;
        }
        if self.eat(Sign::Colon) {
            step = self.count("in a scope")?;
            if to == Some(from) {
                to = None;
            }
        }
        let word = self.here();
        let what = match self.peek() {
            AlloyToken::Keyword(Keyword::SigInt | Keyword::Int) => Scoped::Int,
            AlloyToken::Keyword(Keyword::Seq) if self.ahead(1) != AlloyToken::Sign(Sign::Slash) => {
                Scoped::Seq
            }
            AlloyToken::Keyword(Keyword::String) => Scoped::String,
            AlloyToken::Keyword(Keyword::Steps) => Scoped::Steps,
            AlloyToken::Keyword(word @ (Keyword::Univ | Keyword::None)) => {
                let message = format!("`{}` has no scope of its own", word.text());
                return Err(self.wrong(self.here(), message));
            }
            _ => Scoped::Sig(self.name("a signature")?),
        };
        if !matches!(what, Scoped::Sig(_)) {
            self.skip(1);
        }
        let span = start.to(self.before());
        if matches!(what, Scoped::Int | Scoped::Seq) && exactly {
            let diagnostic =
                Diagnostic::error(word, "This scope is always exact").help("Leave `exactly` out.");
            self.report.tell(diagnostic);
        }
        if matches!(what, Scoped::Int | Scoped::Seq | Scoped::String) && to != Some(from) {
            self.report
                .tell(Diagnostic::error(word, "This scope cannot grow"));
        }
        // `2 steps` are at most that many, `2..2 steps` are not.
        let exactly = exactly || ranged && to == Some(from) && matches!(what, Scoped::Steps);
        Ok(TypeScope {
            exactly,
            from,
            to,
            step,
            what,
            span,
        })
    }
}
