//! Parsing of PSL as far as it is LTL or CTL in other words (IEEE 1850, foundation language without clocks and sequences).
//!
//! Runs never end here, so an operator and its strong form, with `!`, differ only where they promise that something
//! happens: `until!` and `before!`, but not `next!`.

use wherefore_base::Span;
use wherefore_syntax::{Failed, Parser};

use super::linear::Logic;
use super::{Parse, ParsedSmv, SmvParser};
use crate::ast::{LinearSign, ModuleItem, SmvExprKind, SmvUnaryOp, Spec, SpecBody, StepBounds};
use crate::token::{Keyword, Sign, SmvToken};

/// An operator of PSL between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    /// `before` instead of `until`.
    before: bool,
    /// With `!`: the second operand (of `until`) or the first (of `before`) holds at some time.
    strong: bool,
    /// With `_`: the two overlap (`until_`), or may come at once (`before_`).
    overlapping: bool,
}

impl Meeting {
    /// How many tokens it has.
    pub(super) fn tokens(self) -> usize {
        match (self.strong, self.overlapping) {
            (true, true) => 3,
            (true, false) => 2,
            (false, _) => 1,
        }
    }
}

impl SmvParser<'_> {
    /// `PSLSPEC f`; what cannot be read is skipped, up to its semicolon or the next section.
    pub(super) fn psl_spec(&mut self, items: &mut Vec<ModuleItem>) -> Parse<()> {
        let name = self.spec_name()?;
        let (start, at) = (self.here(), self.cursor.at);
        let told = self.report.clone();
        let cases = self.open_cases;
        let read = self.in_logic(Logic::Psl, |p| {
            let formula = p.expression()?;
            p.optional_end()?;
            Ok(formula)
        });
        let (body, span) = match read {
            Ok(formula) => (SpecBody::Psl(Some(formula.id)), formula.span),
            Err(Failed) => {
                self.report = told;
                self.open_cases = cases;
                self.cursor.at = at;
                (SpecBody::Psl(None), self.skipped(start)?)
            }
        };
        items.push(ModuleItem::Spec(Spec { name, body, span }));
        Ok(())
    }

    /// The operator of PSL that stands here between two operands, if one may.
    pub(super) fn meeting(&self) -> Option<Meeting> {
        if self.logic != Logic::Psl || self.peek() != SmvToken::Ident {
            return None;
        }
        let (before, joined) = match self.text() {
            "until" => (false, false),
            "until_" => (false, true),
            "before" => (true, false),
            "before_" => (true, true),
            _ => return None,
        };
        let strong = !joined && self.touches("!", 1);
        let apart = strong && self.touches("_", 2);
        Some(Meeting {
            before,
            strong,
            overlapping: joined || apart,
        })
    }

    /// Whether a token so far ahead is this sign and stands right behind the one before it: in `until !p` the sign belongs
    /// to `p`.
    fn touches(&self, sign: &str, ahead: usize) -> bool {
        let cursor = &self.cursor;
        let before = cursor.tokens.get(cursor.at + ahead - 1);
        let token = cursor.tokens.get(cursor.at + ahead);
        before.zip(token).is_some_and(|(before, token)| {
            before.text.1 == token.text.0 && cursor.text_of(token) == sign
        })
    }

    /// What an operator of PSL between two operands says, in LTL. No operand is doubled: the strong ones that stop
    /// one of the operands at the other are the opposite of a weak until.
    pub(super) fn met(&mut self, meeting: Meeting, p: ParsedSmv, q: ParsedSmv) -> ParsedSmv {
        use LinearSign::{Release, Until, WeakUntil};
        let Meeting {
            before,
            strong,
            overlapping,
        } = meeting;
        let span = p.span.to(q.span);
        match (before, overlapping) {
            (false, false) if strong => self.linear_of(Until, p, q, span),
            (false, false) => self.linear_of(WeakUntil, p, q, span),
            (false, true) if strong => {
                let (not_q, not_p) = (self.not(q), self.not(p));
                self.opposite(WeakUntil, not_q, not_p, span)
            }
            (false, true) => self.linear_of(Release, q, p, span),
            (true, false) if strong => {
                let not_p = self.not(p);
                self.opposite(WeakUntil, not_p, q, span)
            }
            (true, false) => {
                let not_q = self.not(q);
                self.linear_of(Release, p, not_q, span)
            }
            (true, true) => {
                let not_q = self.not(q);
                let sign = if strong { Until } else { WeakUntil };
                self.linear_of(sign, not_q, p, span)
            }
        }
    }

    fn linear_of(&mut self, sign: LinearSign, a: ParsedSmv, b: ParsedSmv, span: Span) -> ParsedSmv {
        self.add(SmvExprKind::Linear(sign, None, a.id, Some(b.id)), span)
    }

    /// A negation that nobody wrote: it has no text of its own, or it would be told in the words of its operand.
    fn not(&mut self, operand: ParsedSmv) -> ParsedSmv {
        let not = SmvExprKind::Unary(SmvUnaryOp::Not, operand.id);
        self.unwritten(not, operand.span)
    }

    /// The opposite of an operator that nobody wrote, which has the text of the whole.
    fn opposite(&mut self, sign: LinearSign, a: ParsedSmv, b: ParsedSmv, span: Span) -> ParsedSmv {
        let kind = SmvExprKind::Linear(sign, None, a.id, Some(b.id));
        let never = self.unwritten(kind, span);
        self.add(SmvExprKind::Unary(SmvUnaryOp::Not, never.id), span)
    }

    /// An expression at a place where something else is written.
    fn unwritten(&mut self, kind: SmvExprKind, span: Span) -> ParsedSmv {
        let place = Span {
            end: span.start,
            ..span
        };
        let made = self.add(kind, place);
        ParsedSmv { span, ..made }
    }

    /// `next f`, `next[n] f`, `next_a[m:n] f` and `next_e[m:n] f`, each with or without `!`; `sign` says how the
    /// bounds are meant.
    pub(super) fn psl_next(&mut self, sign: LinearSign) -> Parse<ParsedSmv> {
        let start = self.here();
        self.skip(1 + usize::from(self.touches("!", 1)));
        let open = self.here();
        let within = match self.eat(Sign::OpenBracket) {
            true => Some(self.psl_bounds(open)?),
            false => None,
        };
        let operand = self.psl_operand()?;
        let sign = if within.is_some() {
            sign
        } else {
            LinearSign::Next
        };
        let kind = SmvExprKind::Linear(sign, within, operand.id, None);
        Ok(self.add(kind, start.to(operand.span)))
    }

    /// `n]` or `m:n]`
    fn psl_bounds(&mut self, open: Span) -> Parse<StepBounds> {
        let least = self.bound()?.id;
        let most = match self.eat(Sign::Colon) {
            true => self.bound()?.id,
            false => least,
        };
        self.expect_close(Sign::CloseBracket, open)?;
        Ok(StepBounds { least, most })
    }

    /// The place of everything up to the end of a property.
    fn skipped(&mut self, start: Span) -> Parse<Span> {
        let mut end = None;
        loop {
            match self.peek() {
                SmvToken::End => break,
                SmvToken::Keyword(keyword) if keyword.opens_section() => break,
                SmvToken::Sign(Sign::Semicolon) => {}
                _ => end = Some(self.here()),
            }
            self.skip(1);
        }
        match end {
            Some(end) => Ok(start.to(end)),
            None => Err(self.unexpected("a formula")),
        }
    }

    /// An operator of PSL that is spelled as a name; `None` when there is none here.
    pub(super) fn psl(&mut self) -> Option<Parse<ParsedSmv>> {
        if self.logic != Logic::Psl {
            return None;
        }
        let strong = self.touches("!", 1);
        Some(match self.text() {
            "always" => self.linear(LinearSign::Globally, Self::expression),
            "never" => self.psl_never(),
            "eventually" if strong => {
                let start = self.here();
                self.skip(1);
                let made = self.linear(LinearSign::Finally, Self::psl_operand);
                made.map(|made| self.written_from(start, made))
            }
            "next_a" => self.psl_next(LinearSign::Globally),
            "next_e" => self.psl_next(LinearSign::Finally),
            "forall" => self.psl_forall(),
            _ => return None,
        })
    }

    /// An expression whose text begins earlier.
    fn written_from(&mut self, start: Span, made: ParsedSmv) -> ParsedSmv {
        let span = start.to(made.span);
        self.exprs[made.id].span = span;
        ParsedSmv { span, ..made }
    }

    /// `never f` is `G !f`.
    fn psl_never(&mut self) -> Parse<ParsedSmv> {
        self.linear(LinearSign::Globally, |p| {
            let operand = p.expression()?;
            Ok(p.not(operand))
        })
    }

    /// `forall i in {..} : f` where `f` does not speak of `i`, so that it is `f`.
    fn psl_forall(&mut self) -> Parse<ParsedSmv> {
        self.skip(1);
        let variable = self.ident("a variable")?;
        if !self.eat(Keyword::In) {
            return Err(self.unexpected("`in`"));
        }
        let open = self.here();
        self.expect(Sign::OpenBrace, "after `in`")?;
        self.list(Sign::CloseBrace, open)?;
        self.expect(Sign::Colon, "before what is said of all")?;
        let from = self.cursor.at;
        let body = self.expression()?;
        let (name, cursor) = (self.names.text(variable.symbol), &self.cursor);
        let mut tokens = cursor.tokens[from..cursor.at].iter();
        if tokens.any(|token| cursor.text_of(token) == name) {
            return Err(self.unexpected("the end of the formula"));
        }
        Ok(body)
    }
}
