//! Random expressions that are well typed.

use super::{ExprScope, RandomWriter, ReadableName, SmvType};

impl RandomWriter<'_> {
    /// Something to read of a type that fits, perhaps under `next`.
    pub(super) fn read(
        &mut self,
        scope: &ExprScope,
        fits: impl Fn(&SmvType) -> bool,
    ) -> Option<(String, SmvType)> {
        let now = scope.known.iter().map(|known| (known, false));
        let next = scope.next.iter().map(|known| (known, true));
        let all: Vec<(&ReadableName, bool)> = now
            .chain(next)
            .filter(|(known, _)| fits(&known.kind))
            .collect();
        if all.is_empty() {
            return None;
        }
        let (known, next) = *self.rng.pick(&all);
        let name = &known.name;
        let text = if next {
            format!("next({name})")
        } else {
            name.clone()
        };
        Some((text, known.kind.clone()))
    }

    pub(super) fn constant(&mut self, kind: &SmvType) -> String {
        match kind {
            SmvType::Bool => self.rng.pick(&["TRUE", "FALSE"]).to_string(),
            SmvType::Range(low, high) => self.rng.between(*low, *high).to_string(),
            SmvType::Enum(values) => self.rng.pick(values).to_string(),
            SmvType::Word(signed, width) => {
                let bits = self.rng.between(0, (1 << width) - 1);
                let sign = if *signed { 's' } else { 'u' };
                match self.rng.below(3) {
                    0 => format!("0{sign}h{width}_{bits:x}"),
                    1 if bits < 1 << (width - 1) => format!("{sign}wconst({bits}, {width})"),
                    _ => format!("0{sign}b{width}_{bits:b}"),
                }
            }
        }
    }

    /// An expression that fits a type; `choice` says whether it may have several values.
    pub(super) fn value(
        &mut self,
        kind: &SmvType,
        scope: &ExprScope,
        depth: usize,
        choice: bool,
    ) -> String {
        if depth > 0 {
            match self.rng.below(5) {
                0 => {
                    let condition = self.condition(scope, depth - 1);
                    let then = self.value(kind, scope, depth - 1, choice);
                    let otherwise = self.value(kind, scope, depth - 1, choice);
                    return format!("({condition} ? {then} : {otherwise})");
                }
                1 | 2 => {
                    let mut text = "case ".to_string();
                    for _ in 0..1 + self.rng.below(2) {
                        let condition = self.condition(scope, depth - 1);
                        let value = self.value(kind, scope, depth - 1, choice);
                        text.push_str(&format!("{condition} : {value}; "));
                    }
                    let last = self.value(kind, scope, depth - 1, choice);
                    return format!("{text}TRUE : {last}; esac");
                }
                _ => {}
            }
        }
        if choice {
            match (self.rng.below(6), kind) {
                (0, _) => {
                    let members = 1 + self.rng.below(3);
                    let members: Vec<String> = (0..members)
                        .map(|_| self.value(kind, scope, 0, false))
                        .collect();
                    return format!("{{{}}}", members.join(", "));
                }
                (1, _) => {
                    let left = self.value(kind, scope, 0, true);
                    let right = self.value(kind, scope, 0, true);
                    return format!("({left} union {right})");
                }
                (2, SmvType::Range(low, high)) => {
                    let from = self.rng.between(*low, *high);
                    return format!("{from}..{high}");
                }
                _ => {}
            }
        }
        match (self.rng.below(4), kind) {
            (0 | 1, SmvType::Word(signed, width)) => self.word(*signed, *width, scope, depth),
            (0, SmvType::Bool) => self.condition(scope, depth),
            (0, SmvType::Range(low, high)) => {
                // Folded into the range whatever the number is.
                let number = self.number(scope, depth);
                let size = high - low + 1;
                format!("(((({number}) mod {size}) + {size}) mod {size} + ({low}))")
            }
            (1, SmvType::Range(low, high)) => {
                // A step up or down, guarded so that it stays in the range.
                match self.read(scope, |other| other == kind) {
                    Some((name, _)) if self.rng.chance(1, 2) => {
                        format!("({name} < {high} ? {name} + 1 : {low})")
                    }
                    Some((name, _)) => format!("(({name} > {low}) ? ({name} - 1) : {high})"),
                    None => self.constant(kind),
                }
            }
            (1 | 2, _) => match self.read(scope, |other| other == kind) {
                Some((name, _)) => name,
                None => self.constant(kind),
            },
            _ => self.constant(kind),
        }
    }

    /// A word of a type, calculated.
    pub(super) fn word(
        &mut self,
        signed: bool,
        width: u32,
        scope: &ExprScope,
        depth: usize,
    ) -> String {
        let kind = SmvType::Word(signed, width);
        if depth == 0 {
            return match self.read(scope, |other| *other == kind) {
                Some((name, _)) => name,
                None => self.constant(&kind),
            };
        }
        let a = self.word(signed, width, scope, depth - 1);
        match self.rng.below(9) {
            0 => {
                let b = self.word(signed, width, scope, depth - 1);
                let op = *self.rng.pick(&["+", "-", "*"]);
                format!("({a} {op} {b})")
            }
            1 => {
                let b = self.word(signed, width, scope, depth - 1);
                let op = *self.rng.pick(&["&", "|", "xor", "xnor", "->", "<->"]);
                format!("({a} {op} {b})")
            }
            2 => {
                // Made odd, so that it is no zero.
                let b = self.word(signed, width, scope, depth - 1);
                let op = *self.rng.pick(&["/", "mod"]);
                let sign = if signed { 's' } else { 'u' };
                format!("({a} {op} ({b} | 0{sign}b{width}_1))")
            }
            3 => {
                let op = *self.rng.pick(&["<<", ">>", "<<<", ">>>"]);
                let by = match self.rng.chance(1, 2) {
                    true => self.rng.between(0, i64::from(width)).to_string(),
                    false => format!("toint({})", self.condition(scope, depth - 1)),
                };
                format!("({a} {op} {by})")
            }
            4 => {
                let prefix = *self.rng.pick(&["!", "-"]);
                format!("({prefix}({a}))")
            }
            5 => {
                let other = self.word(!signed, width, scope, depth - 1);
                let function = if signed { "signed" } else { "unsigned" };
                format!("{function}({other})")
            }
            6 if !signed => {
                let more = self.rng.between(0, 2);
                let low = self.rng.between(0, more);
                let high = low + i64::from(width) - 1;
                match self.rng.chance(1, 2) {
                    true => format!("extend({a}, {more})[{high}:{low}]"),
                    false => format!("({a} :: word1(TRUE))[{width}:1]"),
                }
            }
            6 => format!("resize(extend({a}, 1), {width})"),
            _ => {
                let b = self.word(signed, width, scope, depth - 1);
                let condition = self.condition(scope, depth - 1);
                format!("({condition} ? {a} : {b})")
            }
        }
    }

    pub(super) fn weak_condition(&mut self, scope: &ExprScope) -> String {
        let a = self.condition(scope, 1);
        let b = self.condition(scope, 1);
        format!("({a} | {b})")
    }

    pub(super) fn condition(&mut self, scope: &ExprScope, depth: usize) -> String {
        if depth > 0 {
            match self.rng.below(10) {
                9 => {
                    let (signed, width) = (self.rng.chance(1, 2), 1 + self.rng.below(3) as u32);
                    let a = self.word(signed, width, scope, depth - 1);
                    let b = self.word(signed, width, scope, depth - 1);
                    let op = *self.rng.pick(&["<", "<=", ">", ">=", "=", "!="]);
                    return format!("({a} {op} {b})");
                }
                0 => return format!("!{}", self.condition(scope, depth - 1)),
                1 => {
                    let a = self.number(scope, depth - 1);
                    let b = self.number(scope, depth - 1);
                    let op = *self.rng.pick(&["<", "<=", ">", ">=", "=", "!="]);
                    return format!("({a} {op} {b})");
                }
                2 => {
                    let number = self.number(scope, depth - 1);
                    return format!("bool({number})");
                }
                3 | 4 => {
                    let a = self.condition(scope, depth - 1);
                    let b = self.condition(scope, depth - 1);
                    let op = *self
                        .rng
                        .pick(&["&", "|", "->", "<->", "xor", "xnor", "=", "!="]);
                    return format!("({a} {op} {b})");
                }
                5 => {
                    let a = self.condition(scope, depth - 1);
                    let b = self.condition(scope, depth - 1);
                    let c = self.condition(scope, depth - 1);
                    return format!("case {a} : {b}; TRUE : {c}; esac");
                }
                _ => {}
            }
        }
        if self.rng.chance(1, 2)
            && let Some((name, _)) = self.read(scope, |kind| *kind == SmvType::Bool)
        {
            return name;
        }
        let Some((name, kind)) = self.read(scope, |kind| *kind != SmvType::Bool) else {
            return self.constant(&SmvType::Bool);
        };
        let first = self.constant(&kind);
        match self.rng.below(4) {
            0 => {
                let second = self.constant(&kind);
                format!("({name} in {{{first}, {second}}})")
            }
            1 => format!("({name} != {first})"),
            _ => format!("({name} = {first})"),
        }
    }

    pub(super) fn number(&mut self, scope: &ExprScope, depth: usize) -> String {
        if depth == 0 {
            let read = self.read(scope, |kind| matches!(kind, SmvType::Range(..)));
            return match read {
                Some((name, _)) if self.rng.chance(2, 3) => name,
                _ => self.rng.between(-3, 4).to_string(),
            };
        }
        match self.rng.below(9) {
            0 => format!("-({})", self.number(scope, depth - 1)),
            1 => {
                let a = self.number(scope, depth - 1);
                let op = *self.rng.pick(&["/", "mod"]);
                let divisor = *self.rng.pick(&["2", "3", "(-2)"]);
                format!("(({a}) {op} {divisor})")
            }
            2 => {
                let a = self.condition(scope, depth - 1);
                let b = self.condition(scope, depth - 1);
                format!("count({a}, {b})")
            }
            3 => format!("toint({})", self.condition(scope, depth - 1)),
            7 => {
                let signed = self.rng.chance(1, 2);
                format!("toint({})", self.word(signed, 2, scope, depth - 1))
            }
            4 => {
                let function = *self.rng.pick(&["max", "min"]);
                let a = self.number(scope, depth - 1);
                let b = self.number(scope, depth - 1);
                format!("{function}({a}, {b})")
            }
            5 => format!("abs({})", self.number(scope, depth - 1)),
            _ => {
                let a = self.number(scope, depth - 1);
                let b = self.number(scope, depth - 1);
                let op = *self.rng.pick(&["+", "-", "*"]);
                format!("(({a}) {op} ({b}))")
            }
        }
    }
}
