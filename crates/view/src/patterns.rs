//! Patterns of properties: what a formula is, where it is one of the usual things to say.
//!
//! The patterns and their scopes are those of Dwyer, Avrunin and Corbett (1999), as they are written
//! in CTL, with a few more that CTL adds (what stays possible) and mutual exclusion. A formula is
//! looked at through its kernel, so a pattern is recognised behind double negation, in its dual
//! spelling (`!EF !p`), and with the weak until spelled out as `!E[.. U ..]`.

use wherefore_base::deep;
use wherefore_logic::{AtomId, Formula, Goal, Kernel, Quantifier};

use crate::forms::{Form, Look};

/// What a property says, and when it must be so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyPattern {
    /// What is said.
    pub kind: PatternKind,
    /// When it must be so.
    pub scope: PatternScope,
}

/// What a property says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternKind {
    /// It never is so.
    Absence(Goal),
    /// It always is so.
    Universality(Goal),
    /// Whenever the first is so, the second is so at the same time.
    Implication(Goal, Goal),
    /// Both are never so at the same time.
    Exclusion(Goal, Goal),
    /// It is so sooner or later.
    Existence(Goal),
    /// It becomes so at most this many times.
    AtMost(Goal, usize),
    /// The second is so only after the first.
    Precedence(Goal, Goal),
    /// Whenever the first is so, the second follows sooner or later.
    Response(Goal, Goal),
    /// Whenever the first is so, the second is so in every next state.
    NextResponse(Goal, Goal),
    /// Whenever the first is so, the second can follow.
    PossibleResponse(Goal, Goal),
    /// It is so again and again, for ever.
    Recurrence(Goal),
    /// Whatever happened, it can be so again.
    Reset(Goal),
    /// It can be so.
    Reachable(Goal),
    /// It can be so for ever.
    Lasting(Goal),
    /// A step can always be made.
    NoDeadlock,
}

/// When it must be so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternScope {
    /// All the time.
    Globally,
    /// Before this is so for the first time, if it ever is.
    Before(Goal),
    /// Once this was so.
    After(Goal),
}

/// The pattern of a claim about a formula, if it has one. `atom` tells atoms apart: atoms with the same
/// meaning have the same number.
pub fn pattern(
    formula: &Formula,
    goal: Goal,
    atom: &dyn Fn(AtomId) -> usize,
) -> Option<PropertyPattern> {
    let look = Look {
        formula,
        atom,
        propositional: formula.propositional().as_slice().to_vec(),
    };
    look.pattern(goal)
}

impl Look<'_> {
    fn pattern(&self, goal: Goal) -> Option<PropertyPattern> {
        let globally = |kind| {
            Some(PropertyPattern {
                kind,
                scope: PatternScope::Globally,
            })
        };
        match self.form(goal) {
            Form::Always(body) => self.always(body),
            Form::Inevitable(f) => globally(PatternKind::Existence(f)),
            Form::Possible(f) => globally(PatternKind::Reachable(f)),
            Form::Lasting(f) => globally(PatternKind::Lasting(f)),
            Form::Unless(stay, goal) => self.unless(&stay, &goal),
            Form::EveryNext(_) | Form::Until(..) | Form::Other => None,
        }
    }

    fn always(&self, body: Goal) -> Option<PropertyPattern> {
        let globally = |kind| {
            Some(PropertyPattern {
                kind,
                scope: PatternScope::Globally,
            })
        };
        let mut body = body;
        while let Form::Always(inner) = self.form(body) {
            body = inner;
        }
        match self.form(body) {
            Form::Inevitable(f) => return globally(PatternKind::Recurrence(f)),
            Form::Possible(f) => return globally(PatternKind::Reset(f)),
            _ => {}
        }
        if let Kernel::Step(Quantifier::Exists, f) = self.kernel(body)
            && self.is_true(f)
        {
            return globally(PatternKind::NoDeadlock);
        }
        if let Some((f, times)) = self.times(body.negated()) {
            return globally(PatternKind::AtMost(f, times - 1));
        }
        if let Some((p, s)) = self.implication(body) {
            return self.whenever(p, s);
        }
        if !self.is_of_state(body) {
            return None;
        }
        match self.all(&[body.negated()])[..] {
            [a, b] => globally(PatternKind::Exclusion(a, b)),
            _ => globally(self.constantly(body)),
        }
    }

    /// `AG (p -> s)`
    fn whenever(&self, p: Goal, s: Goal) -> Option<PropertyPattern> {
        let (kind, scope) = match self.form(s) {
            Form::Inevitable(a) => (PatternKind::Response(p, a), PatternScope::Globally),
            Form::Possible(a) => (PatternKind::PossibleResponse(p, a), PatternScope::Globally),
            Form::EveryNext(a) => (PatternKind::NextResponse(p, a), PatternScope::Globally),
            Form::Always(_) => return self.after(p, s),
            _ if self.is_of_state(p) && self.is_of_state(s) => {
                (PatternKind::Implication(p, s), PatternScope::Globally)
            }
            _ => return None,
        };
        Some(PropertyPattern { kind, scope })
    }

    /// Something that must be so once `q` was.
    fn after(&self, q: Goal, then: Goal) -> Option<PropertyPattern> {
        let found = deep(|| self.pattern(then))?;
        let fits = matches!(
            found.kind,
            PatternKind::Absence(_)
                | PatternKind::Universality(_)
                | PatternKind::Implication(..)
                | PatternKind::Exclusion(..)
                | PatternKind::Existence(_)
                | PatternKind::Precedence(..)
                | PatternKind::Response(..)
                | PatternKind::Recurrence(_)
                | PatternKind::Reset(_)
        );
        (fits && found.scope == PatternScope::Globally).then_some(PropertyPattern {
            kind: found.kind,
            scope: PatternScope::After(q),
        })
    }

    /// `A[stay W goal]`
    fn unless(&self, stay: &[Goal], goal: &[Goal]) -> Option<PropertyPattern> {
        if let ([stay], [a, b]) = (stay, goal) {
            for (a, b) in [(*a, *b), (*b, *a)] {
                // A[!q W (q & f)]: after q
                if self.same(a, stay.negated()) {
                    return self.after(a, b);
                }
                // A[!r W (p & !r)]: p before r
                if self.same(a, *stay) {
                    return Some(PropertyPattern {
                        kind: PatternKind::Existence(b),
                        scope: PatternScope::Before(self.peel(stay.negated())),
                    });
                }
            }
        }
        let [goal] = goal else {
            return None;
        };
        if let Some(found) = self.unless_never(stay, *goal) {
            return Some(found);
        }
        match stay {
            [stay] if !self.peel(*stay).holds && self.is_of_state(*stay) => {
                let then = self.peel(stay.negated());
                Some(PropertyPattern {
                    kind: PatternKind::Precedence(self.peel(*goal), then),
                    scope: PatternScope::Globally,
                })
            }
            _ => None,
        }
    }

    /// `A[(f | AG !r) W r]`: what must be so before `r`, if `r` ever is so.
    fn unless_never(&self, stay: &[Goal], goal: Goal) -> Option<PropertyPattern> {
        let ends = self.either(goal);
        let is_never = |f: &&Goal| match self.form(**f) {
            Form::Always(g) => ends.iter().any(|&r| self.same(g.negated(), r)),
            _ => false,
        };
        let never = *stay.iter().find(is_never)?;
        let Form::Always(not_r) = self.form(never) else {
            return None;
        };
        let r = self.peel(not_r.negated());
        let others: Vec<Goal> = ends.into_iter().filter(|&end| !self.same(end, r)).collect();
        let rest: Vec<Goal> = stay.iter().copied().filter(|&f| f != never).collect();
        let kind = match (&rest[..], &others[..]) {
            ([f], []) => self.constantly(*f),
            ([f], [s]) if !self.peel(*f).holds => {
                PatternKind::Precedence(*s, self.peel(f.negated()))
            }
            ([p, s], []) => {
                let Form::Until(stay, goal) = self.form(*s) else {
                    return None;
                };
                let holds_off = |f: &Goal| self.same(*f, not_r);
                let answer: Vec<Goal> = goal.into_iter().filter(|f| !holds_off(f)).collect();
                match (&stay[..], &answer[..]) {
                    ([f], [a]) if holds_off(f) => PatternKind::Response(self.peel(p.negated()), *a),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(PropertyPattern {
            kind,
            scope: PatternScope::Before(r),
        })
    }

    /// Universality, or absence where the claim is a negation.
    fn constantly(&self, f: Goal) -> PatternKind {
        let f = self.peel(f);
        if f.holds {
            PatternKind::Universality(f)
        } else {
            PatternKind::Absence(f.negated())
        }
    }

    /// `EF (!p & EX (p & EF (!p & EX p)))`: p becomes so this many times.
    fn times(&self, goal: Goal) -> Option<(Goal, usize)> {
        let mut at = goal;
        let mut found: Option<Goal> = None;
        let mut times = 0;
        loop {
            let [a, b] = self.all(&[at])[..] else {
                return None;
            };
            let step = |f: Goal| match self.kernel(f) {
                Kernel::Step(Quantifier::Exists, g) => Some(self.peel(g)),
                _ => None,
            };
            let (not_p, next) = match (step(a), step(b)) {
                (None, Some(next)) => (a, next),
                (Some(next), None) => (b, next),
                _ => return None,
            };
            let p = self.peel(not_p.negated());
            if found.is_some_and(|found| !self.same(found, p)) {
                return None;
            }
            found = Some(p);
            times += 1;
            if self.same(next, p) {
                return Some((p, times));
            }
            let rest: Vec<Goal> = self.all(&[next]);
            let rest: Vec<Goal> = rest.into_iter().filter(|&f| !self.same(f, p)).collect();
            match rest[..] {
                [rest] => match self.form(rest) {
                    Form::Possible(f) => at = f,
                    _ => return None,
                },
                _ => return None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wherefore_logic::{Op, PathOp, SubId};

    use super::*;

    /// Reads a formula in prefix notation: `AG > p AF s`. Every letter is an atom of its own place.
    fn read(text: &str) -> (Formula, Vec<String>) {
        let mut stack: Vec<SubId> = Vec::new();
        let (mut formula, mut atoms) = (Formula::new(), Vec::new());
        for token in text.split_whitespace().rev() {
            let mut pop = || stack.pop().expect("an operand follows");
            let op = match token {
                "!" => Op::Not(pop()),
                "&" => Op::And(pop(), pop()),
                "|" => Op::Or(pop(), pop()),
                ">" => Op::Implies(pop(), pop()),
                "1" => Op::Const(true),
                _ if token.len() == 2 => {
                    let (quantifier, path) = token.split_at(1);
                    let path = match path {
                        "X" => PathOp::Next(pop()),
                        "F" => PathOp::Finally(pop()),
                        "G" => PathOp::Globally(pop()),
                        "U" => PathOp::Until(pop(), pop()),
                        "W" => PathOp::WeakUntil(pop(), pop()),
                        _ => unreachable!("{token}"),
                    };
                    let quantifier = match quantifier {
                        "A" => Quantifier::Forall,
                        _ => Quantifier::Exists,
                    };
                    Op::Path(quantifier, path)
                }
                _ => {
                    atoms.push(token.to_string());
                    Op::Atom(AtomId::new(atoms.len() - 1))
                }
            };
            stack.push(formula.add(op, None));
        }
        (formula, atoms)
    }

    /// The pattern of a formula as a text.
    fn told(text: &str) -> String {
        let (formula, atoms) = read(text);
        let number = |atom: AtomId| {
            let same = |text: &String| *text == atoms[atom.index()];
            atoms.iter().position(same).expect("the atom is there")
        };
        let goal = Goal::holds(formula.root());
        let Some(found) = pattern(&formula, goal, &number) else {
            return "none".to_string();
        };
        let atom = |atom: AtomId| atoms[atom.index()].clone();
        let show = |goal: Goal| {
            let not = if goal.holds { "" } else { "!" };
            format!("{not}{}", formula.show(goal.sub, &atom))
        };
        let kind = match found.kind {
            PatternKind::Absence(p) => format!("absence of {}", show(p)),
            PatternKind::Universality(p) => format!("universality of {}", show(p)),
            PatternKind::Implication(p, q) => format!("implication {} {}", show(p), show(q)),
            PatternKind::Exclusion(p, q) => format!("exclusion of {} and {}", show(p), show(q)),
            PatternKind::Existence(p) => format!("existence of {}", show(p)),
            PatternKind::AtMost(p, n) => format!("at most {n} times {}", show(p)),
            PatternKind::Precedence(s, p) => format!("{} precedes {}", show(s), show(p)),
            PatternKind::Response(p, s) => format!("{} responds to {}", show(s), show(p)),
            PatternKind::NextResponse(p, s) => {
                format!("{} responds at once to {}", show(s), show(p))
            }
            PatternKind::PossibleResponse(p, s) => {
                format!("{} can respond to {}", show(s), show(p))
            }
            PatternKind::Recurrence(p) => format!("recurrence of {}", show(p)),
            PatternKind::Reset(p) => format!("reset to {}", show(p)),
            PatternKind::Reachable(p) => format!("{} is reachable", show(p)),
            PatternKind::Lasting(p) => format!("{} can last", show(p)),
            PatternKind::NoDeadlock => "no deadlock".to_string(),
        };
        match found.scope {
            PatternScope::Globally => kind,
            PatternScope::Before(r) => format!("{kind} before {}", show(r)),
            PatternScope::After(q) => format!("{kind} after {}", show(q)),
        }
    }

    #[test]
    fn absence_and_universality_have_three_scopes() {
        assert_eq!(told("AG ! p"), "absence of p");
        assert_eq!(told("AW | ! p AG ! r r"), "absence of p before r");
        assert_eq!(told("AG > q AG ! p"), "absence of p after q");
        assert_eq!(told("AG p"), "universality of p");
        assert_eq!(told("AW | p AG ! r r"), "universality of p before r");
        assert_eq!(told("AG > q AG p"), "universality of p after q");
    }

    #[test]
    fn existence_has_three_scopes() {
        assert_eq!(told("AF p"), "existence of p");
        assert_eq!(told("AW ! r & p ! r"), "existence of p before r");
        assert_eq!(told("AW ! q & q AF p"), "existence of p after q");
    }

    #[test]
    fn bounded_existence_counts() {
        assert_eq!(told("! EF & ! p EX p"), "at most 0 times p");
        let twice = "! EF & ! p EX & p EF & ! p EX & p EF & ! p EX p";
        assert_eq!(told(twice), "at most 2 times p");
        let mixed = "! EF & ! p EX & p EF & ! q EX q";
        assert_ne!(told(mixed), "at most 1 times p");
    }

    #[test]
    fn precedence_has_three_scopes() {
        assert_eq!(told("AW ! p s"), "s precedes p");
        assert_eq!(told("AW | ! p AG ! r | s r"), "s precedes p before r");
        assert_eq!(told("AW ! q & q AW ! p s"), "s precedes p after q");
    }

    #[test]
    fn response_has_three_scopes() {
        assert_eq!(told("AG > p AF s"), "s responds to p");
        let before = "AW | > p AU ! r & s ! r AG ! r r";
        assert_eq!(told(before), "s responds to p before r");
        assert_eq!(told("AW ! q & q AG > p AF s"), "s responds to p after q");
        assert_eq!(told("AG > q AG > p AF s"), "s responds to p after q");
        assert_eq!(told("AG | ! p AF s"), "s responds to p");
        assert_eq!(told("AG ! & p EG ! s"), "s responds to p");
    }

    #[test]
    fn what_can_be_or_recur_is_told_apart() {
        assert_eq!(told("AG EF p"), "reset to p");
        assert_eq!(told("AG AF p"), "recurrence of p");
        assert_eq!(told("AG > p EF s"), "s can respond to p");
        assert_eq!(told("AG > p AX s"), "s responds at once to p");
        assert_eq!(told("EF p"), "p is reachable");
        assert_eq!(told("EG ! p"), "!p can last");
        assert_eq!(told("AG EX 1"), "no deadlock");
    }

    #[test]
    fn mutual_exclusion_is_told_from_absence() {
        assert_eq!(told("AG ! & a b"), "exclusion of a and b");
        assert_eq!(told("! EF & a b"), "exclusion of a and b");
        assert_eq!(told("AG ! & & a b c"), "absence of (a & b) & c");
        assert_eq!(told("AG > a b"), "implication a b");
    }

    #[test]
    fn negations_duals_and_nested_always_do_not_matter() {
        assert_eq!(told("! ! AG ! ! p"), "universality of p");
        assert_eq!(told("! EF ! p"), "universality of p");
        assert_eq!(told("! EF p"), "absence of p");
        assert_eq!(told("AG AG p"), "universality of p");
        assert_eq!(told("! EG ! p"), "existence of p");
        assert_eq!(told("AG ! AG ! p"), "reset to p");
        assert_eq!(told("! EF ! > p ! EG ! s"), "s responds to p");
    }

    #[test]
    fn the_weak_until_may_be_spelled_out() {
        assert_eq!(told("! EU ! s & p ! s"), "s precedes p");
        let before = "! EU ! r & & p ! r EF r";
        assert_eq!(told(before), "absence of p before r");
        let existence = "! EU ! & p ! r & r ! & p ! r";
        assert_eq!(told(existence), "existence of p before r");
    }

    #[test]
    fn everything_else_has_no_pattern() {
        assert_eq!(told("AU p q"), "none");
        assert_eq!(told("| AG p AG q"), "none");
        assert_eq!(told("p"), "none");
    }

    #[test]
    fn very_deep_formulas_are_only_slow() {
        let always = format!("{}p", "AG ! ! ".repeat(100_000));
        assert_eq!(told(&always), "universality of p");
        let after = format!("{}AF p", "AW ! q & q ".repeat(20_000));
        assert_eq!(told(&after), "none");
    }
}
