//! Models as SMV text, so that other checkers can be asked the same questions.
//!
//! SMV speaks of infinite fair paths only. Where a question speaks of other paths, too, each state of the
//! written model may stop: it has a step to a copy of itself that stays for ever, told by a variable of
//! its own. Then every finite path is the beginning of an infinite one, stopping is fair, and the operators
//! of the question become operators about states that have not stopped. A path that is fair in the model is
//! one that never stops.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use wherefore_base::{IndexVec, Value, deep};
use wherefore_logic::{Op, PathOp, PathRule, Quantifier, SubId};
use wherefore_model::{
    BinaryOp, Constraint, Domain, Model, PropertyBody, Query, Requirement, Term, TermId, VarId,
    VarKind,
};

use crate::token::Keyword;

/// Writes a model without words and its properties in CTL. `title` is a comment of one line. A property
/// that SMV cannot say becomes a comment with the reason.
///
/// # Errors
/// When the model has words: the sentence says so.
pub fn write(model: &Model, title: &str) -> Result<String, String> {
    let has_words = |domain: &Domain| match domain {
        Domain::Word { .. } => true,
        Domain::Enum(values) => values.iter().any(|v| matches!(v, Value::Word(_))),
        Domain::Bool | Domain::Range { .. } => false,
    };
    if let Some(var) = model.vars.iter().find(|var| has_words(&var.domain)) {
        return Err(format!(
            "`{}` is a word, and models with words are not written",
            var.name
        ));
    }
    let mut writer = SmvWriter::new(model);
    writer.line(format_args!("-- {}", one_line(title)));
    writer.line(format_args!("MODULE main"));
    writer.variables();
    writer.constraints();
    writer.fairness();
    writer.properties();
    Ok(writer.text)
}

/// How many levels of operators a line has at most before a part of it gets a name.
const LEVELS: u32 = 12;

struct SmvWriter<'m> {
    model: &'m Model,
    text: String,
    taken: HashSet<String>,
    vars: IndexVec<VarId, String>,
    values: HashMap<Value, String>,
    /// How often each term is used by others.
    uses: IndexVec<TermId, u32>,
    /// Names of terms that were defined.
    defined: HashMap<TermId, String>,
    /// The variable that says whether a state has stopped, if states can.
    stopped: Option<String>,
    /// Whether the fairness of the model is the fairness of the text.
    fair: bool,
}

impl<'m> SmvWriter<'m> {
    fn new(model: &'m Model) -> Self {
        let mut uses: IndexVec<TermId, u32> = (0..model.terms.len()).map(|_| 0).collect();
        for id in uses.ids() {
            for operand in model.terms.get(id).operands() {
                uses[operand] += 1;
            }
        }
        let mut writer = Self {
            model,
            text: String::new(),
            taken: HashSet::new(),
            vars: IndexVec::new(),
            values: HashMap::new(),
            uses,
            defined: HashMap::new(),
            stopped: None,
            fair: false,
        };
        for var in model.vars.iter() {
            let name = writer.name(&var.name);
            writer.vars.push(name);
        }
        for var in model.vars.iter() {
            let Domain::Enum(values) = &var.domain else {
                continue;
            };
            for &value in values {
                writer.name_value(value);
            }
        }
        for id in writer.uses.ids() {
            if let Term::Const(value) = model.terms.get(id) {
                writer.name_value(*value);
            }
        }
        let queries = || model.properties.iter().filter_map(|p| p.body.query());
        if queries().any(|query| matches!(query.rule, PathRule::Plain | PathRule::PlainFair)) {
            writer.stopped = Some(writer.name("stopped"));
        }
        writer.fair = queries().any(|query| query.rule != PathRule::Plain || speaks_of_fair(query));
        writer
    }

    /// A name that SMV takes and that no one else has.
    fn name(&mut self, wanted: &str) -> String {
        let mut name = String::new();
        for c in wanted.chars() {
            match c {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '$' | '#' => name.push(c),
                _ if name.ends_with('_') => {}
                _ => name.push('_'),
            }
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            name.insert(0, '_');
        }
        while Keyword::find(&name).is_some() || !self.taken.insert(name.clone()) {
            name.push('_');
        }
        name
    }

    fn name_value(&mut self, value: Value) {
        if let Value::Symbol(symbol) = value
            && !self.values.contains_key(&value)
        {
            let name = self.name(self.model.names.text(symbol));
            self.values.insert(value, name);
        }
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{text}").expect("a string takes everything");
    }

    fn variables(&mut self) {
        for (id, var) in self.model.vars.entries() {
            let section = match var.kind {
                VarKind::State => "VAR",
                VarKind::Frozen => "FROZENVAR",
                VarKind::Input => "IVAR",
            };
            let domain = match &var.domain {
                Domain::Bool => "boolean".to_owned(),
                Domain::Range { low, high } => format!("{low}..{high}"),
                Domain::Enum(values) => {
                    let values: Vec<_> = values.iter().map(|&v| self.value(v)).collect();
                    format!("{{{}}}", values.join(", "))
                }
                Domain::Word { .. } => unreachable!("models with words are refused"),
            };
            let comment = match self.vars[id] == var.name {
                true => String::new(),
                false => format!("  -- {}", one_line(&var.name)),
            };
            let name = self.vars[id].clone();
            self.line(format_args!("{section} {name} : {domain};{comment}"));
        }
        let Some(stopped) = self.stopped.clone() else {
            return;
        };
        self.line(format_args!(
            "VAR {stopped} : boolean;  -- the path has ended in this state"
        ));
        self.line(format_args!("INIT !{stopped};"));
        self.line(format_args!("TRANS {stopped} -> next({stopped});"));
        for (id, var) in self.model.vars.entries() {
            if var.kind == VarKind::State {
                let name = self.vars[id].clone();
                self.line(format_args!(
                    "TRANS next({stopped}) -> next({name}) = {name};"
                ));
            }
        }
    }

    fn constraints(&mut self) {
        let model = self.model;
        for constraint in &model.init {
            let text = self.constraint(constraint, false);
            self.line(format_args!("INIT {text};"));
        }
        for constraint in &model.invar {
            let text = self.constraint(constraint, false);
            self.line(format_args!("INVAR {text};"));
        }
        for constraint in &model.trans {
            let text = self.constraint(constraint, true);
            match self.stopped.clone() {
                // A step to the stopped copy obeys none of the constraints on steps: it is always there.
                Some(stopped) => self.line(format_args!("TRANS !next({stopped}) -> {text};")),
                None => self.line(format_args!("TRANS {text};")),
            }
        }
    }

    fn constraint(&mut self, constraint: &Constraint, of_step: bool) -> String {
        match constraint.requires {
            Requirement::Holds(term) => self.term(term),
            Requirement::Assign(var, term) => {
                let name = match of_step {
                    true => format!("next({})", self.vars[var]),
                    false => self.vars[var].clone(),
                };
                format!("{name} in {}", self.term(term))
            }
        }
    }

    fn fairness(&mut self) {
        if !self.fair {
            return;
        }
        let or_stopped = match &self.stopped {
            Some(stopped) => format!(" | {stopped}"),
            None => String::new(),
        };
        for &condition in &self.model.fairness.justice {
            let text = self.term(condition);
            self.line(format_args!("FAIRNESS {text}{or_stopped};"));
        }
        for &(from, to) in &self.model.fairness.compassion {
            let (from, to) = (self.term(from), self.term(to));
            self.line(format_args!("COMPASSION ({from}, {to}{or_stopped});"));
        }
    }

    fn properties(&mut self) {
        for property in &self.model.properties {
            let name = self.name(&property.name);
            let said = match &property.body {
                PropertyBody::Query(query) => self.query(query),
                PropertyBody::Linear(_) => Err("it is about every run".to_owned()),
                PropertyBody::Distance(_) => Err("it asks for a number of steps".to_owned()),
                PropertyBody::Unsupported(why) => Err(why.clone()),
            };
            self.line(format_args!(
                "-- {}",
                one_line(&format!("{}: {}", property.name, property.text))
            ));
            match said {
                Ok(text) => self.line(format_args!("CTLSPEC NAME {name} := {text};")),
                Err(why) => self.line(format_args!("-- is not written: {}", one_line(&why))),
            }
        }
    }

    /// A formula, or why SMV cannot say it.
    fn query(&mut self, query: &Query) -> Result<String, String> {
        let known = match query.rule {
            PathRule::FairInfinite => self.stopped.is_none(),
            PathRule::Plain | PathRule::PlainFair => true,
            PathRule::Reach | PathRule::Maximal => false,
        };
        if !known {
            return Err("it speaks of paths that the others do not speak of".into());
        }
        if query.rule == PathRule::Plain && self.fair && speaks_of_all_infinite(query) {
            return Err(
                "SMV cannot speak of fair and of unfair infinite paths in one model".into(),
            );
        }
        self.formula(query, query.formula.root())
    }

    fn formula(&mut self, query: &Query, sub: SubId) -> Result<String, String> {
        deep(|| {
            Ok(match query.formula.op(sub) {
                Op::Const(true) => "TRUE".into(),
                Op::Const(false) => "FALSE".into(),
                Op::Atom(atom) => self.term(query.atoms[atom]),
                Op::Not(f) => format!("!{}", self.formula(query, f)?),
                Op::And(f, g) => self.infix(query, f, "&", g)?,
                Op::Or(f, g) => self.infix(query, f, "|", g)?,
                Op::Implies(f, g) => self.infix(query, f, "->", g)?,
                Op::Iff(f, g) => self.infix(query, f, "<->", g)?,
                Op::Xor(f, g) => self.infix(query, f, "xor", g)?,
                Op::Path(quantifier, path) => self.path(query, quantifier, path)?,
                Op::Linear(_) => return Err("it is about every run".into()),
            })
        })
    }

    fn infix(&mut self, query: &Query, f: SubId, op: &str, g: SubId) -> Result<String, String> {
        let (f, g) = (self.formula(query, f)?, self.formula(query, g)?);
        Ok(format!("({f} {op} {g})"))
    }

    fn path(
        &mut self,
        query: &Query,
        quantifier: Quantifier,
        path: PathOp,
    ) -> Result<String, String> {
        use PathOp as P;
        use Quantifier::{Exists, Forall};
        let (f, g) = match path {
            P::Next(f) | P::Finally(f) | P::Globally(f) | P::FairGlobally(f) => {
                (self.formula(query, f)?, String::new())
            }
            P::Until(f, g) => (self.formula(query, f)?, self.formula(query, g)?),
            _ => return Err("it has an operator that SMV does not have".into()),
        };
        let Some(stopped) = self.stopped.clone() else {
            return Ok(match (quantifier, path) {
                (Exists, P::Next(_)) => format!("(EX {f})"),
                (Exists, P::Finally(_)) => format!("(EF {f})"),
                (Exists, P::Until(..)) => format!("E [{f} U {g}]"),
                (Exists, _) => format!("(EG {f})"),
                (Forall, P::Next(_)) => format!("(AX {f})"),
                (Forall, P::Finally(_)) => format!("(AF {f})"),
                (Forall, P::Until(..)) => format!("A [{f} U {g}]"),
                (Forall, _) => format!("(AG {f})"),
            });
        };
        // Where a path may end, and what must be so where `AcG` looks.
        let never_stops = format!("(EG !{stopped})");
        let end = match query.rule {
            PathRule::PlainFair => never_stops.clone(),
            _ => format!("!{stopped}"),
        };
        Ok(match (quantifier, path) {
            (Exists, P::Next(_)) => format!("(EX ({end} & {f}))"),
            (Exists, P::Finally(_)) => format!("(EF ({end} & {f}))"),
            (Exists, P::Until(..)) => format!("E [{f} U ({end} & {g})]"),
            (Exists, _) => format!("(EG (!{stopped} & {f}))"),
            (Forall, P::Next(_)) => format!("(AX ({end} -> {f}))"),
            (Forall, P::Finally(_)) => format!("(AF ({stopped} | {f}))"),
            (Forall, P::Until(..)) => format!("A [({end} -> {f}) U ({stopped} | {g})]"),
            (Forall, P::FairGlobally(_)) => format!("(AG ({never_stops} -> {f}))"),
            (Forall, _) => format!("(AG ({end} -> {f}))"),
        })
    }

    /// A term. Parts that are used several times, and those far below, are defined first.
    fn term(&mut self, term: TermId) -> String {
        for id in self.parts(term) {
            let name = self.name(&format!("part{}", self.defined.len() + 1));
            let text = self.operator(id);
            self.line(format_args!("DEFINE {name} := {text};"));
            self.defined.insert(id, name);
        }
        match self.defined.get(&term) {
            Some(name) => name.clone(),
            None => self.operator(term),
        }
    }

    /// The parts of a term that are to be defined and are not yet, operands first.
    fn parts(&self, term: TermId) -> Vec<TermId> {
        let mut below = vec![term];
        let mut seen: HashSet<TermId> = [term].into();
        while let Some(id) = below.pop() {
            if self.defined.contains_key(&id) {
                continue;
            }
            for operand in self.model.terms.get(id).operands() {
                if seen.insert(operand) {
                    below.push(operand);
                }
            }
        }
        let mut ids: Vec<_> = seen.into_iter().collect();
        // Operands were made before the terms that use them, so this order has them first.
        ids.sort_unstable();
        let mut levels: HashMap<TermId, u32> = HashMap::new();
        let mut parts = Vec::new();
        for id in ids {
            if self.defined.contains_key(&id) {
                levels.insert(id, 0);
                continue;
            }
            let term = self.model.terms.get(id);
            let above = term.operands().map(|operand| levels[&operand] + 1);
            let level = above.max().unwrap_or(0);
            let choice = matches!(term, Term::Set(_));
            let part = level > 1 && !choice && (self.uses[id] > 1 || level >= LEVELS);
            if part {
                parts.push(id);
            }
            levels.insert(id, if part { 0 } else { level });
        }
        parts
    }

    /// A term, whose operands are written out unless they are defined.
    fn operator(&self, term: TermId) -> String {
        let part = |id: TermId| match self.defined.get(&id) {
            Some(name) => name.clone(),
            None => deep(|| self.operator(id)),
        };
        let list = |ids: &[TermId]| {
            ids.iter()
                .map(|&id| part(id))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self.model.terms.get(term) {
            Term::Const(value) => self.value(*value),
            Term::Var(var) => self.vars[*var].clone(),
            Term::Next(var) => format!("next({})", self.vars[*var]),
            Term::Not(a) => format!("!{}", part(*a)),
            Term::Negate(a) => format!("(-{})", part(*a)),
            Term::Binary(op, a, b) => format!("({} {} {})", part(*a), symbol(*op), part(*b)),
            Term::Ite(a, b, c) => format!("({} ? {} : {})", part(*a), part(*b), part(*c)),
            Term::Set(members) => format!("{{{}}}", list(members)),
            Term::Member(a, b) => format!("({} in {})", part(*a), part(*b)),
            Term::Count(members) if members.is_empty() => "0".into(),
            Term::Count(members) => format!("count({})", list(members)),
            Term::Word(..) => unreachable!("models with words are refused"),
        }
    }

    fn value(&self, value: Value) -> String {
        match value {
            Value::Bool(true) => "TRUE".into(),
            Value::Bool(false) => "FALSE".into(),
            Value::Int(n) => n.to_string(),
            Value::Symbol(_) => self.values[&value].clone(),
            Value::Word(_) => unreachable!("models with words are refused"),
        }
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::And => "&",
        B::Or => "|",
        B::Implies => "->",
        B::Equal => "=",
        B::Unequal => "!=",
        B::Less => "<",
        B::LessEqual => "<=",
        B::Greater => ">",
        B::GreaterEqual => ">=",
        B::Add => "+",
        B::Sub => "-",
        B::Mul => "*",
        B::Div => "/",
        B::Mod => "mod",
        B::BitAnd | B::BitOr | B::BitXor | B::ShiftLeft | B::ShiftRight | B::Concat => {
            unreachable!("models with words are refused")
        }
    }
}

/// Whether a question has an operator for fair paths only.
fn speaks_of_fair(query: &Query) -> bool {
    let mut ops = query.formula.subs().map(|sub| query.formula.op(sub));
    ops.any(|op| matches!(op, Op::Path(_, PathOp::FairGlobally(_))))
}

/// Whether a question depends on all infinite paths: by `EG`, or by `AF` and `AU`, which deny one.
fn speaks_of_all_infinite(query: &Query) -> bool {
    let mut ops = query.formula.subs().map(|sub| query.formula.op(sub));
    ops.any(|op| {
        matches!(
            op,
            Op::Path(Quantifier::Exists, PathOp::Globally(_))
                | Op::Path(Quantifier::Forall, PathOp::Finally(_) | PathOp::Until(..))
        )
    })
}

/// A text for a comment of one line.
fn one_line(text: &str) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.collect()
}
