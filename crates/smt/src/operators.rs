//! The operators of SMT-LIB by name, with their sorts.

use wherefore_base::{Diagnostic, Span};

use crate::sort::{Sort, SortId};
use crate::term::{BitsOp, SmtOp, SmtTermId, SmtTerms};

/// A term with the place where it stands.
pub(crate) type Placed = (SmtTermId, Span);

/// All operators that are plain names, for suggestions.
pub(crate) const NAMES: [&str; 58] = [
    "not", "and", "or", "xor", "=>", "ite", "=", "distinct", "-", "+", "*", "/", "div", "mod",
    "abs", "<", "<=", ">", ">=", "to_real", "to_int", "is_int", "select", "store", "concat",
    "bvnot", "bvneg", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvsub",
    "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr",
    "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "bvcomp", "true",
    "false", "let", "forall", "exists",
];

/// An operator applied to terms; none if there is no operator of this name.
pub(crate) fn apply(
    terms: &mut SmtTerms,
    name: &str,
    args: &[Placed],
    span: Span,
) -> Option<Result<SmtTermId, Diagnostic>> {
    let mut call = Call {
        terms,
        name,
        args,
        span,
    };
    Some(match name {
        "not" => call.fixed(SmtOp::Not, &[SortId::BOOL]),
        "and" => call.all(SmtOp::And, SortId::BOOL),
        "or" => call.all(SmtOp::Or, SortId::BOOL),
        "xor" => call.xor(),
        "=>" | "implies" => call.implies(),
        "ite" => call.ite(),
        "=" => call.equal(),
        "distinct" => call.distinct(),
        "-" if args.len() == 1 => call.numbers(1, |terms, args| terms.op(SmtOp::Neg, args)),
        "-" => call.numbers(2, |terms, args| terms.op(SmtOp::Sub, args)),
        "+" => call.numbers(1, |terms, args| match args {
            [one] => *one,
            _ => terms.op(SmtOp::Add, args),
        }),
        "*" => call.numbers(1, |terms, args| match args {
            [one] => *one,
            _ => terms.op(SmtOp::Mul, args),
        }),
        "/" => call.quotient(),
        "div" => call.chain(SmtOp::IntDiv, SortId::INT),
        "mod" => call.fixed(SmtOp::Mod, &[SortId::INT, SortId::INT]),
        "abs" => call.fixed(SmtOp::Abs, &[SortId::INT]),
        "<" => call.compare(SmtOp::Less, false),
        "<=" => call.compare(SmtOp::LessEqual, false),
        ">" => call.compare(SmtOp::Less, true),
        ">=" => call.compare(SmtOp::LessEqual, true),
        "to_real" => call.fixed(SmtOp::ToReal, &[SortId::INT]),
        "to_int" => call.fixed(SmtOp::ToInt, &[SortId::REAL]),
        "is_int" => call.fixed(SmtOp::IsInt, &[SortId::REAL]),
        "select" => call.select(),
        "store" => call.store(),
        _ => return call.bits(),
    })
}

/// An operator with numbers in its name, such as `(_ extract 3 0)`.
pub(crate) fn apply_indexed(
    terms: &mut SmtTerms,
    name: &str,
    indices: &[u32],
    args: &[Placed],
    span: Span,
) -> Option<Result<SmtTermId, Diagnostic>> {
    let mut call = Call {
        terms,
        name,
        args,
        span,
    };
    Some(match (name, indices) {
        ("divisible", &[by]) if by > 0 => call.fixed(SmtOp::Divisible(by), &[SortId::INT]),
        ("extract", &[high, low]) => call.extract(high, low),
        ("zero_extend", &[by]) => call.extend(BitsOp::ZeroExtend(by), by),
        ("sign_extend", &[by]) => call.extend(BitsOp::SignExtend(by), by),
        _ => return None,
    })
}

/// The widest bit vectors that are read.
const WIDEST: u32 = 1 << 16;

struct Call<'a> {
    terms: &'a mut SmtTerms,
    name: &'a str,
    args: &'a [Placed],
    span: Span,
}

type MadeTerm = Result<SmtTermId, Diagnostic>;

impl Call<'_> {
    fn count(&self, wanted: usize) -> Result<(), Diagnostic> {
        match self.args.len() == wanted {
            true => Ok(()),
            false => Err(self.error(format!(
                "`{}` takes {wanted} operand{}, and there {} {}",
                self.name,
                if wanted == 1 { "" } else { "s" },
                if self.args.len() == 1 { "is" } else { "are" },
                self.args.len()
            ))),
        }
    }

    fn at_least(&self, wanted: usize) -> Result<(), Diagnostic> {
        match self.args.len() >= wanted {
            true => Ok(()),
            false => Err(self.error(format!("`{}` takes at least {wanted} operands", self.name))),
        }
    }

    fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(self.span, message)
    }

    fn sort(&self, at: usize) -> SortId {
        self.terms.sort(self.args[at].0)
    }

    fn wrong(&self, at: usize, wanted: &str) -> Diagnostic {
        let sort = self.terms.sorts.text(self.sort(at));
        Diagnostic::error(
            self.args[at].1,
            format!(
                "`{}` takes {wanted} here, and this is of sort {sort}",
                self.name
            ),
        )
    }

    fn expect(&self, at: usize, sort: SortId) -> Result<(), Diagnostic> {
        match self.sort(at) == sort {
            true => Ok(()),
            false => Err(self.wrong(
                at,
                &format!("a term of sort {}", self.terms.sorts.text(sort)),
            )),
        }
    }

    fn ids(&self) -> Vec<SmtTermId> {
        self.args.iter().map(|(term, _)| *term).collect()
    }

    fn fixed(&mut self, op: SmtOp, sorts: &[SortId]) -> MadeTerm {
        self.count(sorts.len())?;
        let mut ids = self.ids();
        for (at, &sort) in sorts.iter().enumerate() {
            if sort == SortId::REAL && self.sort(at) == SortId::INT {
                ids[at] = self.terms.op(SmtOp::ToReal, &[ids[at]]);
                continue;
            }
            self.expect(at, sort)?;
        }
        Ok(self.terms.op(op, &ids))
    }

    fn all(&mut self, op: SmtOp, sort: SortId) -> MadeTerm {
        for at in 0..self.args.len() {
            self.expect(at, sort)?;
        }
        let ids = self.ids();
        Ok(self.terms.op(op, &ids))
    }

    fn xor(&mut self) -> MadeTerm {
        self.at_least(2)?;
        for at in 0..self.args.len() {
            self.expect(at, SortId::BOOL)?;
        }
        let ids = self.ids();
        let mut result = ids[0];
        for &next in &ids[1..] {
            let equal = self.terms.equal(result, next);
            result = self.terms.not(equal);
        }
        Ok(result)
    }

    fn implies(&mut self) -> MadeTerm {
        self.at_least(2)?;
        for at in 0..self.args.len() {
            self.expect(at, SortId::BOOL)?;
        }
        let ids = self.ids();
        // `=>` groups to the right.
        let mut result = ids[ids.len() - 1];
        for &premise in ids[..ids.len() - 1].iter().rev() {
            result = self.terms.implies(premise, result);
        }
        Ok(result)
    }

    fn ite(&mut self) -> MadeTerm {
        self.count(3)?;
        self.expect(0, SortId::BOOL)?;
        let both = self.alike(1)?;
        Ok(self.terms.ite(self.args[0].0, both[0], both[1]))
    }

    /// The operands from one on, which must be of one sort; integers among reals are made real.
    fn alike(&mut self, from: usize) -> Result<Vec<SmtTermId>, Diagnostic> {
        let sorts: Vec<SortId> = (from..self.args.len()).map(|at| self.sort(at)).collect();
        let mut ids: Vec<SmtTermId> = self.ids()[from..].to_vec();
        if sorts.contains(&SortId::REAL)
            && sorts.iter().all(|&sort| self.terms.sorts.is_number(sort))
        {
            for id in &mut ids {
                if self.terms.sort(*id) == SortId::INT {
                    *id = self.terms.op(SmtOp::ToReal, &[*id]);
                }
            }
            return Ok(ids);
        }
        if let Some(at) = sorts.iter().position(|&sort| sort != sorts[0]) {
            let (one, other) = (
                self.terms.sorts.text(sorts[0]),
                self.terms.sorts.text(sorts[at]),
            );
            return Err(Diagnostic::error(
                self.args[from + at].1,
                format!(
                    "`{}` compares or joins terms of one sort, and this is of sort {other}",
                    self.name
                ),
            )
            .see(self.args[from].1, format!("this is of sort {one}")));
        }
        Ok(ids)
    }

    fn equal(&mut self) -> MadeTerm {
        self.at_least(2)?;
        let ids = self.alike(0)?;
        let pairs: Vec<SmtTermId> = ids
            .windows(2)
            .map(|pair| self.terms.equal(pair[0], pair[1]))
            .collect();
        Ok(self.terms.and(&pairs))
    }

    fn distinct(&mut self) -> MadeTerm {
        self.at_least(2)?;
        let ids = self.alike(0)?;
        Ok(self.terms.op(SmtOp::Distinct, &ids))
    }

    fn numbers(
        &mut self,
        least: usize,
        make: impl Fn(&mut SmtTerms, &[SmtTermId]) -> SmtTermId,
    ) -> MadeTerm {
        self.at_least(least)?;
        if let Some(at) =
            (0..self.args.len()).find(|&at| !self.terms.sorts.is_number(self.sort(at)))
        {
            return Err(self.wrong(at, "numbers"));
        }
        let ids = self.alike(0)?;
        Ok(make(self.terms, &ids))
    }

    fn quotient(&mut self) -> MadeTerm {
        self.at_least(2)?;
        if let Some(at) =
            (0..self.args.len()).find(|&at| !self.terms.sorts.is_number(self.sort(at)))
        {
            return Err(self.wrong(at, "numbers"));
        }
        let mut result = None;
        for id in self.ids() {
            let id = match self.terms.sort(id) {
                SortId::INT => self.terms.op(SmtOp::ToReal, &[id]),
                _ => id,
            };
            result = Some(match result {
                None => id,
                Some(result) => self.terms.op(SmtOp::Div, &[result, id]),
            });
        }
        Ok(result.expect("there are at least two operands"))
    }

    fn chain(&mut self, op: SmtOp, sort: SortId) -> MadeTerm {
        self.at_least(2)?;
        for at in 0..self.args.len() {
            self.expect(at, sort)?;
        }
        let ids = self.ids();
        let mut result = ids[0];
        for &next in &ids[1..] {
            result = self.terms.op(op, &[result, next]);
        }
        Ok(result)
    }

    fn compare(&mut self, op: SmtOp, swapped: bool) -> MadeTerm {
        self.at_least(2)?;
        self.numbers(2, |terms, ids| {
            let pairs: Vec<SmtTermId> = ids
                .windows(2)
                .map(|pair| match swapped {
                    true => terms.op(op, &[pair[1], pair[0]]),
                    false => terms.op(op, &[pair[0], pair[1]]),
                })
                .collect();
            terms.and(&pairs)
        })
    }

    fn array(&self) -> Result<(SortId, SortId), Diagnostic> {
        match self.terms.sorts.get(self.sort(0)) {
            Sort::Array(index, element) => Ok((*index, *element)),
            _ => Err(self.wrong(0, "an array")),
        }
    }

    fn select(&mut self) -> MadeTerm {
        self.count(2)?;
        let (index, _) = self.array()?;
        self.expect(1, index)?;
        let ids = self.ids();
        Ok(self.terms.op(SmtOp::Select, &ids))
    }

    fn store(&mut self) -> MadeTerm {
        self.count(3)?;
        let (index, element) = self.array()?;
        self.expect(1, index)?;
        self.expect(2, element)?;
        let ids = self.ids();
        Ok(self.terms.op(SmtOp::Store, &ids))
    }

    fn vector(&self, at: usize) -> Result<u32, Diagnostic> {
        match self.terms.sorts.get(self.sort(at)) {
            Sort::BitVec(width) => Ok(*width),
            _ => Err(self.wrong(at, "a bit vector")),
        }
    }

    fn extract(&mut self, high: u32, low: u32) -> MadeTerm {
        self.count(1)?;
        let width = self.vector(0)?;
        if high < low || high >= width {
            let bits = format!("Bits {high} to {low} are not bits of a vector of {width}");
            return Err(self.error(bits));
        }
        let ids = self.ids();
        Ok(self.terms.op(SmtOp::Bits(BitsOp::Extract(high, low)), &ids))
    }

    fn extend(&mut self, op: BitsOp, by: u32) -> MadeTerm {
        self.count(1)?;
        let width = self.vector(0)?;
        if width.saturating_add(by) > WIDEST {
            return Err(self.error(format!("Bit vectors have at most {WIDEST} bits")));
        }
        let ids = self.ids();
        Ok(self.terms.op(SmtOp::Bits(op), &ids))
    }

    fn bits(&mut self) -> Option<MadeTerm> {
        let (op, negated, swapped) = match self.name {
            "concat" => (BitsOp::Concat, false, false),
            "bvnot" => (BitsOp::Not, false, false),
            "bvneg" => (BitsOp::Neg, false, false),
            "bvand" => (BitsOp::And, false, false),
            "bvor" => (BitsOp::Or, false, false),
            "bvxor" => (BitsOp::Xor, false, false),
            "bvnand" => (BitsOp::And, true, false),
            "bvnor" => (BitsOp::Or, true, false),
            "bvxnor" => (BitsOp::Xor, true, false),
            "bvadd" => (BitsOp::Add, false, false),
            "bvsub" => (BitsOp::Sub, false, false),
            "bvmul" => (BitsOp::Mul, false, false),
            "bvudiv" => (BitsOp::Udiv, false, false),
            "bvurem" => (BitsOp::Urem, false, false),
            "bvsdiv" => (BitsOp::Sdiv, false, false),
            "bvsrem" => (BitsOp::Srem, false, false),
            "bvsmod" => (BitsOp::Smod, false, false),
            "bvshl" => (BitsOp::Shl, false, false),
            "bvlshr" => (BitsOp::Lshr, false, false),
            "bvashr" => (BitsOp::Ashr, false, false),
            "bvult" => (BitsOp::Ult, false, false),
            "bvule" => (BitsOp::Ule, false, false),
            "bvugt" => (BitsOp::Ult, false, true),
            "bvuge" => (BitsOp::Ule, false, true),
            "bvslt" => (BitsOp::Slt, false, false),
            "bvsle" => (BitsOp::Sle, false, false),
            "bvsgt" => (BitsOp::Slt, false, true),
            "bvsge" => (BitsOp::Sle, false, true),
            "bvcomp" => return Some(self.bvcomp()),
            _ => return None,
        };
        Some(self.bits_op(op, negated, swapped))
    }

    fn bits_op(&mut self, op: BitsOp, negated: bool, swapped: bool) -> MadeTerm {
        let several = matches!(
            op,
            BitsOp::Concat | BitsOp::And | BitsOp::Or | BitsOp::Xor | BitsOp::Add | BitsOp::Mul
        );
        match op {
            BitsOp::Not | BitsOp::Neg => self.count(1)?,
            _ if several && !negated => self.at_least(2)?,
            _ => self.count(2)?,
        }
        let mut total = 0u32;
        for at in 0..self.args.len() {
            total = total.saturating_add(self.vector(at)?);
            if op != BitsOp::Concat {
                self.expect(at, self.sort(0))?;
            }
        }
        if op == BitsOp::Concat && total > WIDEST {
            return Err(self.error(format!("Bit vectors have at most {WIDEST} bits")));
        }
        let mut ids = self.ids();
        if swapped {
            ids.reverse();
        }
        let result = self.terms.op(SmtOp::Bits(op), &ids);
        Ok(match negated {
            true => self.terms.op(SmtOp::Bits(BitsOp::Not), &[result]),
            false => result,
        })
    }

    fn bvcomp(&mut self) -> MadeTerm {
        self.count(2)?;
        self.vector(0)?;
        self.expect(1, self.sort(0))?;
        let ids = self.ids();
        let equal = self.terms.equal(ids[0], ids[1]);
        let bit = |value: u32| crate::term::SmtTerm::BitVec(value.into(), 1);
        let (one, zero) = (self.terms.add(bit(1)), self.terms.add(bit(0)));
        Ok(self.terms.ite(equal, one, zero))
    }
}
