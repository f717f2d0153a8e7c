//! Words to decision diagrams, bit by bit.
//!
//! A term that is a word becomes one function for each of its bits, the lowest one first. Sums ripple a
//! carry from bit to bit, products are sums of shifted words, quotients come from restoring division.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wherefore_base::{Run, Value, Word, deep};
use wherefore_model::{BinaryOp, Domain, Term, TermId, VarId, WordOp};

use super::bdd::Bdd;
use super::compile::{BddCompiler, ValueParts};
use super::encoding::StateSide;

/// The bits of a word, the lowest one first.
pub(super) type WordBits = Arc<[Bdd]>;

/// Whether a word has a sign, and how many bits it has.
type WordType = (bool, u32);

/// What was compiled before.
#[derive(Default, Debug)]
pub(super) struct CompiledWords {
    types: FxHashMap<TermId, Option<WordType>>,
    bits: FxHashMap<TermId, WordBits>,
}

impl BddCompiler<'_> {
    /// The type of a term that is a word.
    pub(super) fn word_type(&mut self, id: TermId) -> Option<WordType> {
        let of_domain = |domain: &Domain| match domain {
            Domain::Word { signed, width } => Some((*signed, *width)),
            _ => None,
        };
        match self.model.terms.get(id) {
            Term::Const(value) => value.as_word().map(|w| (w.is_signed(), w.width())),
            Term::Var(var) | Term::Next(var) => of_domain(&self.model.vars[*var].domain),
            Term::Word(WordOp::Select(high, low), _) => Some((false, high - low + 1)),
            Term::Word(WordOp::Convert { signed, width }, _) => Some((*signed, *width)),
            Term::Binary(op, a, b) if !op.is_condition() => {
                let (op, a, b) = (*op, *a, *b);
                self.known_type(id, |this| {
                    let left = this.word_type(a)?;
                    match op {
                        BinaryOp::Concat => Some((false, left.1 + this.word_type(b)?.1)),
                        _ => Some(left),
                    }
                })
            }
            Term::Ite(_, then, _) => {
                let then = *then;
                self.known_type(id, |this| this.word_type(then))
            }
            Term::Set(members) => {
                let first = members.first().copied();
                self.known_type(id, |this| this.word_type(first?))
            }
            _ => None,
        }
    }

    fn known_type(
        &mut self,
        id: TermId,
        find: impl FnOnce(&mut Self) -> Option<WordType>,
    ) -> Option<WordType> {
        if let Some(known) = self.memo.words.types.get(&id) {
            return *known;
        }
        let found = deep(|| find(self));
        self.memo.words.types.insert(id, found);
        found
    }

    /// The bits of a term that is one word.
    pub(super) fn bits(&mut self, id: TermId) -> Run<WordBits> {
        if let Some(known) = self.memo.words.bits.get(&id) {
            return Ok(known.clone());
        }
        let bits: WordBits = deep(|| self.bits_here(id))?.into();
        self.memo.words.bits.insert(id, bits.clone());
        Ok(bits)
    }

    /// The bits of a variable.
    pub(super) fn bits_of(&self, var: VarId, side: StateSide) -> Vec<Bdd> {
        let levels = self.encoding.bits(var, side).iter().rev();
        levels.map(|&level| self.bdds.var(level).clone()).collect()
    }

    fn bits_here(&mut self, id: TermId) -> Run<Vec<Bdd>> {
        let (model, bdds) = (self.model, self.bdds);
        match model.terms.get(id) {
            Term::Const(Value::Word(word)) => Ok(self.constant_bits(*word)),
            Term::Var(var) => Ok(self.bits_of(*var, StateSide::Now)),
            Term::Next(var) => Ok(self.bits_of(*var, StateSide::Next)),
            Term::Word(WordOp::Select(high, low), a) => {
                let bits = self.bits(*a)?;
                Ok(bits[*low as usize..=*high as usize].to_vec())
            }
            Term::Word(WordOp::Convert { width, .. }, a) => {
                let fill = self.fill(*a)?;
                let mut bits = self.bits(*a)?.to_vec();
                bits.resize(*width as usize, fill);
                Ok(bits)
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let (then, otherwise) = (self.bits(*then)?, self.bits(*otherwise)?);
                let pairs = then.iter().zip(otherwise.iter());
                pairs.map(|(a, b)| bdds.ite(&condition, a, b)).collect()
            }
            Term::Binary(BinaryOp::ShiftLeft | BinaryOp::ShiftRight, a, by) => {
                let left = matches!(model.terms.get(id), Term::Binary(BinaryOp::ShiftLeft, ..));
                self.shift(*a, *by, left)
            }
            Term::Binary(op, a, b) => {
                let signed = self.word_type(*a).is_some_and(|(signed, _)| signed);
                let (a, b) = (self.bits(*a)?, self.bits(*b)?);
                self.binary_bits(*op, &a, &b, signed)
            }
            Term::Set(members) if !members.is_empty() => Ok(self.bits(members[0])?.to_vec()),
            _ => Ok(Vec::new()),
        }
    }

    fn constant_bits(&self, word: Word) -> Vec<Bdd> {
        let bit = |place| match (word.bits() >> place) & 1 {
            1 => self.bdds.one(),
            _ => self.bdds.zero(),
        };
        (0..word.width()).map(bit).collect()
    }

    /// What comes in on the left of a word: its sign, or zero where it has none.
    fn fill(&mut self, id: TermId) -> Run<Bdd> {
        match self.word_type(id) {
            Some((true, _)) => {
                let bits = self.bits(id)?;
                Ok(bits.last().cloned().unwrap_or_else(|| self.bdds.zero()))
            }
            _ => Ok(self.bdds.zero()),
        }
    }

    fn binary_bits(&self, op: BinaryOp, a: &[Bdd], b: &[Bdd], signed: bool) -> Run<Vec<Bdd>> {
        let bdds = self.bdds;
        let each = |f: &dyn Fn(&Bdd, &Bdd) -> Run<Bdd>| {
            let pairs = a.iter().zip(b);
            pairs.map(|(a, b)| f(a, b)).collect::<Run<Vec<Bdd>>>()
        };
        match op {
            BinaryOp::BitAnd => each(&|a, b| bdds.and(a, b)),
            BinaryOp::BitOr => each(&|a, b| bdds.or(a, b)),
            BinaryOp::BitXor => each(&|a, b| self.xor(a, b)),
            // The lowest bit comes first, so the right operand does.
            BinaryOp::Concat => Ok([b, a].concat()),
            BinaryOp::Add => self.sum(a, b, bdds.zero()),
            // In two's complement `a - b` is `a + !b + 1`.
            BinaryOp::Sub => self.sum(a, &self.complement(b)?, bdds.one()),
            BinaryOp::Mul => self.product(a, b),
            BinaryOp::Div => Ok(self.quotient(a, b, signed)?.0),
            BinaryOp::Mod => Ok(self.quotient(a, b, signed)?.1),
            _ => Ok(Vec::new()),
        }
    }

    fn xor(&self, a: &Bdd, b: &Bdd) -> Run<Bdd> {
        self.bdds.not(&self.bdds.iff(a, b)?)
    }

    fn complement(&self, a: &[Bdd]) -> Run<Vec<Bdd>> {
        a.iter().map(|a| self.bdds.not(a)).collect()
    }

    /// `a + b + carry`
    fn sum(&self, a: &[Bdd], b: &[Bdd], mut carry: Bdd) -> Run<Vec<Bdd>> {
        let bdds = self.bdds;
        let mut sum = Vec::with_capacity(a.len());
        for (a, b) in a.iter().zip(b) {
            let half = self.xor(a, b)?;
            sum.push(self.xor(&half, &carry)?);
            // Where both bits differ the carry goes on; where they agree either of them is the new carry.
            carry = bdds.ite(&half, &carry, a)?;
        }
        Ok(sum)
    }

    fn product(&self, a: &[Bdd], b: &[Bdd]) -> Run<Vec<Bdd>> {
        let bdds = self.bdds;
        let mut product = vec![bdds.zero(); a.len()];
        for (place, bit) in b.iter().enumerate() {
            let mut shifted = vec![bdds.zero(); place];
            for a in &a[..a.len() - place] {
                shifted.push(bdds.and(a, bit)?);
            }
            product = self.sum(&product, &shifted, bdds.zero())?;
        }
        Ok(product)
    }

    /// `a` and, where the condition is true, `-a` instead.
    fn negated_if(&self, condition: &Bdd, a: &[Bdd]) -> Run<Vec<Bdd>> {
        let bdds = self.bdds;
        // `-a` is `!a + 1`; where the condition is false, nothing is flipped and nothing is added.
        let flipped = a.iter().map(|a| self.xor(a, condition));
        let flipped: Vec<Bdd> = flipped.collect::<Run<_>>()?;
        self.sum(&flipped, &vec![bdds.zero(); a.len()], condition.clone())
    }

    /// The quotient, rounded towards zero, and the remainder; both are zero where `b` is.
    fn quotient(&self, a: &[Bdd], b: &[Bdd], signed: bool) -> Run<(Vec<Bdd>, Vec<Bdd>)> {
        let bdds = self.bdds;
        if let (true, Some(a_sign), Some(b_sign)) = (signed, a.last(), b.last()) {
            let (x, y) = (self.negated_if(a_sign, a)?, self.negated_if(b_sign, b)?);
            let (quotient, remainder) = self.quotient(&x, &y, false)?;
            let negative = self.xor(a_sign, b_sign)?;
            let quotient = self.negated_if(&negative, &quotient)?;
            // The remainder has the sign of the dividend.
            return Ok((quotient, self.negated_if(a_sign, &remainder)?));
        }
        let nonzero = bdds.any(b.to_vec())?;
        // One bit more than the divisor, so that a difference does not overflow.
        let mut divisor = b.to_vec();
        divisor.push(bdds.zero());
        let mut remainder = vec![bdds.zero(); divisor.len()];
        let mut quotient = Vec::with_capacity(a.len());
        // Long division, from the highest bit down.
        for bit in a.iter().rev() {
            remainder.insert(0, bit.clone());
            remainder.pop();
            let fits = bdds.not(&self.less_words(&remainder, &divisor, false, false)?)?;
            let less = self.sum(&remainder, &self.complement(&divisor)?, bdds.one())?;
            for (bit, less) in remainder.iter_mut().zip(&less) {
                *bit = bdds.ite(&fits, less, bit)?;
            }
            quotient.insert(0, bdds.and(&fits, &nonzero)?);
        }
        remainder.pop();
        for bit in &mut remainder {
            *bit = bdds.and(bit, &nonzero)?;
        }
        Ok((quotient, remainder))
    }

    fn shift(&mut self, a: TermId, by: TermId, left: bool) -> Run<Vec<Bdd>> {
        let bdds = self.bdds;
        let fill = match left {
            true => bdds.zero(),
            false => self.fill(a)?,
        };
        let bits = self.bits(a)?;
        if self.word_type(by).is_some() {
            // One bit of the number after the other: a word may have too many values to try each.
            let mut bits = bits.to_vec();
            for (place, far) in self.bits(by)?.iter().enumerate() {
                // A distance that does not fit a number is beyond every width, so only the fill is left.
                let by = 1usize.checked_shl(place as u32).unwrap_or(usize::MAX);
                let moved = |at| moved(&bits, &fill, at, by, left);
                let shifted = (0..bits.len()).map(|at| bdds.ite(far, moved(at), &bits[at]));
                bits = shifted.collect::<Run<_>>()?;
            }
            return Ok(bits);
        }
        let mut cases: Vec<Vec<Bdd>> = vec![Vec::new(); bits.len()];
        for (value, when) in self.parts(by)?.iter() {
            let by = value.as_int().unwrap_or(0);
            let by = usize::try_from(by.max(0)).unwrap_or(usize::MAX);
            for (place, cases) in cases.iter_mut().enumerate() {
                let bit = moved(&bits, &fill, place, by, left);
                cases.push(bdds.and(bit, when)?);
            }
        }
        cases.into_iter().map(|cases| bdds.any(cases)).collect()
    }

    /// When two words have the same bits.
    pub(super) fn same_words(&self, a: &[Bdd], b: &[Bdd]) -> Run<Bdd> {
        let mut same = self.bdds.one();
        for (a, b) in a.iter().zip(b) {
            same = self.bdds.and(&self.bdds.iff(a, b)?, &same)?;
        }
        Ok(same)
    }

    /// When `a < b`, or `a <= b`.
    pub(super) fn less_words(
        &self,
        a: &[Bdd],
        b: &[Bdd],
        signed: bool,
        or_equal: bool,
    ) -> Run<Bdd> {
        let bdds = self.bdds;
        let mut less = match or_equal {
            true => bdds.one(),
            false => bdds.zero(),
        };
        let sign = a.len().saturating_sub(1);
        for (place, (a, b)) in a.iter().zip(b).enumerate() {
            // At the place of the sign the greater bit is the lesser number.
            let greater = match signed && place == sign {
                true => a,
                false => b,
            };
            // The highest place where the words differ decides, so it is looked at last.
            less = bdds.ite(&bdds.iff(a, b)?, &less, greater)?;
        }
        Ok(less)
    }

    /// When each word of `a` is a word of `b`.
    pub(super) fn member_words(&mut self, a: TermId, b: TermId) -> Run<Bdd> {
        let (model, bdds) = (self.model, self.bdds);
        match model.terms.get(a) {
            Term::Set(members) => {
                let mut all = bdds.one();
                for &member in members {
                    let inside = deep(|| self.member_words(member, b))?;
                    all = bdds.and(&all, &inside)?;
                }
                Ok(all)
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = deep(|| self.member_words(*then, b))?;
                let otherwise = deep(|| self.member_words(*otherwise, b))?;
                bdds.ite(&condition, &then, &otherwise)
            }
            _ => {
                let bits = self.bits(a)?;
                self.among(&bits, b)
            }
        }
    }

    /// When a word is one of those a term denotes.
    fn among(&mut self, bits: &[Bdd], id: TermId) -> Run<Bdd> {
        let (model, bdds) = (self.model, self.bdds);
        match model.terms.get(id) {
            Term::Set(members) => {
                let inside = members.iter().map(|&m| deep(|| self.among(bits, m)));
                let inside = inside.collect::<Run<_>>()?;
                bdds.any(inside)
            }
            Term::Ite(condition, then, otherwise) => {
                let condition = self.condition(*condition)?;
                let then = deep(|| self.among(bits, *then))?;
                let otherwise = deep(|| self.among(bits, *otherwise))?;
                bdds.ite(&condition, &then, &otherwise)
            }
            _ => {
                let other = self.bits(id)?;
                self.same_words(bits, &other)
            }
        }
    }

    /// The words a term can be, with when it is which.
    pub(super) fn word_parts(&mut self, id: TermId, (signed, width): WordType) -> Run<ValueParts> {
        let bdds = self.bdds;
        let bits = self.bits(id)?;
        let mut parts = vec![(0, bdds.one())];
        for bit in bits.iter().rev() {
            let mut longer = Vec::with_capacity(2 * parts.len());
            for (word, when) in parts {
                bdds.budget().check()?;
                let zero = bdds.minus(&when, bit)?;
                let one = bdds.and(&when, bit)?;
                for (digit, when) in [(0, zero), (1, one)] {
                    if !bdds.is_zero(&when) {
                        longer.push((word << 1 | digit, when));
                    }
                }
            }
            parts = longer;
        }
        let parts = parts.into_iter();
        let parts = parts.map(|(word, when)| (Value::Word(Word::new(signed, width, word)), when));
        Ok(parts.collect())
    }
}

/// The bit that comes to a place when bits are shifted by so many places.
fn moved<'b>(bits: &'b [Bdd], fill: &'b Bdd, place: usize, by: usize, left: bool) -> &'b Bdd {
    let from = match left {
        true => place.checked_sub(by),
        false => place.checked_add(by),
    };
    from.and_then(|from| bits.get(from)).unwrap_or(fill)
}
