//! Reads operators, by precedence climbing.

use wherefore_base::{Diagnostic, Span};
use wherefore_syntax::{Infix, Level, Parser, Precedence};

use super::{Parse, QueryParser};
use crate::query::ast::{ArithmeticOp, ComparisonOp, QueryExpr, TextTest};
use crate::query::value::QueryValue;

const OR: Level = 0;
const XOR: Level = 1;
const AND: Level = 2;
const NOT: Level = 3;
const COMPARE: Level = 4;
const TEST: Level = 5;
const ADD: Level = 6;
const MULTIPLY: Level = 7;
const POWER: Level = 8;

/// An operator after an operand.
#[derive(Clone, Copy)]
enum QueryInfix {
    Or,
    Xor,
    And,
    Compare(ComparisonOp),
    Text(TextTest),
    In,
    Is,
    Arithmetic(ArithmeticOp),
}

/// All of them, by their first words.
const OPERATORS: [(&str, QueryInfix, Level); 21] = [
    ("OR", QueryInfix::Or, OR),
    ("XOR", QueryInfix::Xor, XOR),
    ("AND", QueryInfix::And, AND),
    ("=", QueryInfix::Compare(ComparisonOp::Equal), COMPARE),
    ("<>", QueryInfix::Compare(ComparisonOp::Unequal), COMPARE),
    ("<", QueryInfix::Compare(ComparisonOp::Less), COMPARE),
    ("<=", QueryInfix::Compare(ComparisonOp::LessEqual), COMPARE),
    (">", QueryInfix::Compare(ComparisonOp::Greater), COMPARE),
    (
        ">=",
        QueryInfix::Compare(ComparisonOp::GreaterEqual),
        COMPARE,
    ),
    ("=~", QueryInfix::Text(TextTest::Matches), TEST),
    ("STARTS", QueryInfix::Text(TextTest::StartsWith), TEST),
    ("ENDS", QueryInfix::Text(TextTest::EndsWith), TEST),
    ("CONTAINS", QueryInfix::Text(TextTest::Contains), TEST),
    ("IN", QueryInfix::In, TEST),
    ("IS", QueryInfix::Is, TEST),
    ("+", QueryInfix::Arithmetic(ArithmeticOp::Plus), ADD),
    ("-", QueryInfix::Arithmetic(ArithmeticOp::Minus), ADD),
    ("*", QueryInfix::Arithmetic(ArithmeticOp::Times), MULTIPLY),
    ("/", QueryInfix::Arithmetic(ArithmeticOp::Divide), MULTIPLY),
    ("%", QueryInfix::Arithmetic(ArithmeticOp::Modulo), MULTIPLY),
    ("^", QueryInfix::Arithmetic(ArithmeticOp::Power), POWER),
];

/// An expression and where it starts, with the parentheses around it.
struct ParsedOperand {
    expr: QueryExpr,
    start: Span,
}

impl QueryParser<'_> {
    pub(super) fn expression(&mut self) -> Parse<QueryExpr> {
        self.nested(|p| p.at_level(OR))
    }

    /// An expression whose operators all bind at least as tightly as `level`.
    fn at_level(&mut self, level: Level) -> Parse<QueryExpr> {
        let grammar = Precedence {
            operand: |parser: &mut Self, level| {
                let start = parser.here();
                let expr = parser.operand(level)?;
                Ok(ParsedOperand { expr, start })
            },
            infix: |parser: &Self, _: &ParsedOperand| parser.infix(),
            join: Self::joined,
        };
        Ok(self.climb(level, &grammar)?.expr)
    }

    fn operand(&mut self, level: Level) -> Parse<QueryExpr> {
        let start = self.here();
        // An operand of what binds tighter than NOT cannot begin with it.
        if level > NOT || !self.eat_word("NOT") {
            return self.signed();
        }
        let inner = self.nested(|p| p.at_level(NOT))?;
        Ok(QueryExpr::Not(Box::new(inner), self.mark(start)))
    }

    fn signed(&mut self) -> Parse<QueryExpr> {
        let start = self.here();
        if self.eat("+") {
            return self.nested(Self::signed);
        }
        if !self.eat("-") {
            return self.extended();
        }
        let inner = self.nested(Self::signed)?;
        Ok(match inner {
            // A parameter may be the least integer, whose negation overflows: that is told when it is evaluated.
            QueryExpr::Literal(QueryValue::Int(number)) if number != i64::MIN => {
                QueryExpr::Literal(QueryValue::Int(-number))
            }
            QueryExpr::Literal(QueryValue::Float(number)) => {
                QueryExpr::Literal(QueryValue::Float(-number))
            }
            inner => QueryExpr::Negate(Box::new(inner), self.mark(start)),
        })
    }

    fn infix(&self) -> Option<Infix<QueryInfix>> {
        let here = self.text();
        let mut all = OPERATORS.iter();
        let &(_, op, level) = all.find(|(text, ..)| here.eq_ignore_ascii_case(text))?;
        let width = 1;
        Some(Infix { op, level, width })
    }

    /// Passes an operator of a level, if one stands here.
    fn eat_infix(&mut self, level: Level) -> Option<QueryInfix> {
        let infix = self.infix().filter(|infix| infix.level == level)?;
        self.skip(infix.width);
        Some(infix.op)
    }

    fn joined(&mut self, left: ParsedOperand, infix: Infix<QueryInfix>) -> Parse<ParsedOperand> {
        let ParsedOperand { expr, start } = left;
        let expr = if infix.level == TEST {
            self.tested(expr, start, infix.op)?
        } else {
            self.chained(expr, start, infix)?
        };
        Ok(ParsedOperand { expr, start })
    }

    /// Operators of one level are one expression with all of their operands.
    fn chained(
        &mut self,
        first: QueryExpr,
        start: Span,
        infix: Infix<QueryInfix>,
    ) -> Parse<QueryExpr> {
        let mut operands = vec![first];
        let (mut comparisons, mut terms) = (Vec::new(), Vec::new());
        let mut next = Some(infix.op);
        while let Some(op) = next {
            if matches!(op, QueryInfix::Compare(_)) && self.is("=") {
                let error = Diagnostic::error(self.here(), "This `=` is one too many");
                return Err(error.help("Equality is written `=`."));
            }
            let operand = self.at_level(infix.level + 1)?;
            match op {
                QueryInfix::Arithmetic(op) => terms.push((op, operand, self.mark(start))),
                QueryInfix::Compare(op) => {
                    comparisons.push(op);
                    operands.push(operand);
                }
                _ => operands.push(operand),
            }
            next = self.eat_infix(infix.level);
        }
        let mark = self.mark(start);
        Ok(match infix.op {
            QueryInfix::Or => QueryExpr::Or(operands, mark),
            QueryInfix::Xor => QueryExpr::Xor(operands, mark),
            QueryInfix::And => QueryExpr::And(operands, mark),
            QueryInfix::Compare(_) => QueryExpr::Compare(operands, comparisons),
            _ => QueryExpr::Arithmetic(Box::new(operands.remove(0)), terms),
        })
    }

    /// `=~`, `STARTS WITH`, `IN`, `IS NULL`: each is about all that stands before it, so each is one level deeper.
    fn tested(&mut self, mut expr: QueryExpr, start: Span, first: QueryInfix) -> Parse<QueryExpr> {
        let mut levels = 0;
        let mut next = Some(first);
        while let Some(op) = next {
            if let QueryInfix::Is = op {
                let not = self.eat_word("NOT");
                self.expect_word("NULL")?;
                expr = QueryExpr::IsNull(Box::new(expr));
                if not {
                    expr = QueryExpr::Not(Box::new(expr), self.mark(start));
                }
            } else {
                if let QueryInfix::Text(TextTest::StartsWith | TextTest::EndsWith) = op {
                    self.expect_word("WITH")?;
                }
                let both = Box::new([expr, self.at_level(TEST + 1)?]);
                expr = match op {
                    QueryInfix::Text(test) => QueryExpr::Test(test, both, self.mark(start)),
                    _ => QueryExpr::In(both, self.mark(start)),
                };
            }
            self.deeper(1)?;
            levels += 1;
            next = self.eat_infix(TEST);
        }
        self.cursor.depth -= levels;
        Ok(expr)
    }
}
