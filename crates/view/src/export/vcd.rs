//! Waveforms: a run as a value change dump (IEEE 1364), for GTKWave, Surfer and the like.
//!
//! A moment is a state of the run, and inputs are those of the step that follows. Beside the variables there
//! are wires for the truth of the sub-formulas, one that is high in the part that repeats, and for each variable that the
//! failure depends on one that is high where it does. A lasso is shown once round and then once more, so that one sees it close.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use wherefore_base::Value;
use wherefore_evidence::OccurrenceId;
use wherefore_logic::Op;
use wherefore_model::{Domain, Property, VarId};

use super::Run;
use crate::words::Telling;

/// A signal: its code, and what it shows at a moment.
struct Signal<'a> {
    code: String,
    at: Box<dyn Fn(usize) -> String + 'a>,
}

/// The dump of a run.
pub(crate) fn render(telling: &Telling<'_>, property: &Property, run: &Run) -> String {
    let report = telling.report;
    let moments = moments(run);
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    line(&format!(
        "$comment {} of {} $end",
        word(&property.name),
        word(report.path())
    ));
    if let Some(back) = run.back {
        line(&format!(
            "$comment after moment {} comes moment {back} again, for ever $end",
            run.states.len() - 1
        ));
    }
    line("$timescale 1 ns $end");
    let mut writer = Writer {
        out,
        signals: Vec::new(),
        names: HashSet::new(),
    };
    writer.scope("state");
    for var in report.state_vars() {
        let moments = &moments;
        let at = move |moment: usize| telling.values(moments[moment])[var.index()];
        writer.variable(telling, var, Box::new(at));
    }
    writer.up();
    if report.model.input_vars() > 0 {
        writer.scope("input");
        for at in 0..report.model.input_vars() {
            let var = VarId::new(report.model.state_vars() + at);
            let moments = &moments;
            let value = move |moment: usize| {
                let next = moments.get(moment + 1);
                let input = next.map_or(&[][..], |&to| telling.input(moments[moment], to));
                // Nothing is chosen after the last moment: the value stays.
                let last = |moment: usize| telling.input(moments[moment - 1], moments[moment]);
                let first = report.model.vars[var].domain.value(0);
                match (input.get(at), moment) {
                    (Some(value), _) => *value,
                    (None, 0) => first,
                    (None, moment) => last(moment).get(at).copied().unwrap_or(first),
                }
            };
            writer.variable(telling, var, Box::new(value));
        }
        writer.up();
    }
    writer.scope("truth");
    let formula = &telling.query.formula;
    let mut seen = HashSet::new();
    for sub in formula.subs() {
        let text = telling.sub(sub);
        if matches!(formula.op(sub), Op::Const(_)) || !seen.insert(text.clone()) {
            continue;
        }
        let moments = &moments;
        let is_true = move |moment: usize| {
            let occurrence = &telling.evidence.occurrences[moments[moment]];
            match occurrence.truth.get(sub).copied().flatten() {
                Some(truth) => bit(truth),
                None => "x".into(),
            }
        };
        writer.signal("wire 1", &text, Box::new(is_true));
    }
    let back = run.back;
    let repeats = move |moment: usize| bit(back.is_some_and(|back| moment >= back));
    writer.signal("wire 1", "repeats", Box::new(repeats));
    writer.up();
    causes(&mut writer, telling, &moments);
    writer.changes(moments.len());
    writer.out
}

/// A wire for each variable that the failure depends on, high where it depends on its value.
fn causes<'a>(writer: &mut Writer<'a>, telling: &'a Telling<'a>, moments: &'a [OccurrenceId]) {
    let Some(causes) = &telling.evidence.causes else {
        return;
    };
    let vars: BTreeSet<VarId> = causes.pairs.iter().map(|&(_, var)| var).collect();
    if vars.is_empty() {
        return;
    }
    writer.scope("cause");
    for var in vars {
        let at = move |moment: usize| bit(causes.pairs.contains(&(moments[moment], var)));
        let name = &telling.report.model.vars[var].name;
        writer.signal("wire 1", name, Box::new(at));
    }
    writer.up();
}

/// The run, and where it is a lasso the part that repeats once more.
fn moments(run: &Run) -> Vec<OccurrenceId> {
    let again = run.back.map_or(&[][..], |back| &run.states[back..]);
    run.states.iter().chain(again).copied().collect()
}

struct Writer<'a> {
    out: String,
    signals: Vec<Signal<'a>>,
    names: HashSet<String>,
}

impl<'a> Writer<'a> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn scope(&mut self, name: &str) {
        self.names.clear();
        self.line(&format!("$scope module {name} $end"));
    }

    fn up(&mut self) {
        self.line("$upscope $end");
    }

    fn variable(
        &mut self,
        telling: &Telling<'a>,
        var: VarId,
        value: Box<dyn Fn(usize) -> Value + 'a>,
    ) {
        let report = telling.report;
        let variable = &report.model.vars[var];
        match &variable.domain {
            Domain::Bool => {
                let at = move |moment| bit(value(moment) == Value::Bool(true));
                self.signal("wire 1", &variable.name, Box::new(at));
            }
            Domain::Word { width, .. } => {
                let width = *width;
                let at = move |moment| match value(moment) {
                    Value::Word(word) => binary(word.bits(), width),
                    _ => binary(0, width),
                };
                let kind = format!("wire {width}");
                self.signal(&kind, &variable.name, Box::new(at));
            }
            Domain::Range { .. } => {
                let at = move |moment| match value(moment) {
                    Value::Int(n) => binary(n as u64, u64::BITS),
                    _ => binary(0, u64::BITS),
                };
                self.signal("integer 64", &variable.name, Box::new(at));
            }
            Domain::Enum(_) => {
                let at = move |moment| format!("s{}", word(&report.value(value(moment))));
                self.signal("string 1", &variable.name, Box::new(at));
            }
        }
    }

    fn signal(&mut self, kind: &str, name: &str, at: Box<dyn Fn(usize) -> String + 'a>) {
        let mut name = word(name);
        while !self.names.insert(name.clone()) {
            name.push('_');
        }
        let code = code(self.signals.len());
        self.line(&format!("$var {kind} {code} {name} $end"));
        self.signals.push(Signal { code, at });
    }

    /// All values at the first moment, and then those that change.
    fn changes(&mut self, moments: usize) {
        self.line("$enddefinitions $end");
        let mut last: Vec<String> = vec![String::new(); self.signals.len()];
        for moment in 0..moments {
            let _ = writeln!(self.out, "#{moment}");
            for (signal, last) in self.signals.iter().zip(&mut last) {
                let value = (signal.at)(moment);
                if value != *last {
                    let space = if value.len() > 1 { " " } else { "" };
                    let _ = writeln!(self.out, "{value}{space}{}", signal.code);
                    *last = value;
                }
            }
        }
        let _ = writeln!(self.out, "#{moments}");
    }
}

fn bit(is_true: bool) -> String {
    if is_true { "1" } else { "0" }.to_owned()
}

fn binary(bits: u64, width: u32) -> String {
    let digits = format!("{bits:b}");
    let from = digits.len().saturating_sub(width as usize);
    format!("b{}", &digits[from..])
}

/// A code of printable characters for a number.
fn code(mut number: usize) -> String {
    const FIRST: u8 = b'!';
    const MANY: usize = 94;
    let mut code = String::new();
    loop {
        let digit = u8::try_from(number % MANY).expect("it is below 94");
        code.push(char::from(FIRST + digit));
        number /= MANY;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}

/// A text without blanks, which are ends of words in this format; `$` would begin a keyword.
fn word(text: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_whitespace() || c.is_control() || !c.is_ascii() => '_',
        '$' => '.',
        c => c,
    };
    match text.is_empty() {
        true => "_".to_owned(),
        false => text.chars().map(plain).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_all_different() {
        let codes: HashSet<_> = (0..20_000).map(code).collect();
        assert_eq!(codes.len(), 20_000);
    }

    #[test]
    fn numbers_are_cut_to_their_width() {
        assert_eq!(binary(5, 8), "b101");
        assert_eq!(binary(u64::MAX, 4), "b1111");
        assert_eq!(binary(0, 64), "b0");
    }
}
