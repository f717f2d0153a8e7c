//! Who chooses the evidence: strategies from the command line, answers from standard input.

use std::cell::RefCell;
use std::fmt::Write;
use std::io::{self, BufRead, Read};
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use wherefore_base::Budget;
use wherefore_driver::strategy::{
    Asker, Remark, StrategyAnswer, StrategyQuestion, StrategySpec, choices_file,
};

use crate::args::Color;
use crate::terminal;

/// An answer is no longer than this.
const LONGEST: u64 = 1 << 10;

/// A number of seconds that was checked to be one.
pub(crate) fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Somebody who answers on standard input, one line for each choice.
pub(crate) fn asker(budget: &Budget) -> Asker {
    let budget = budget.clone();
    Rc::new(RefCell::new(move |asked: &StrategyQuestion| {
        let phase = budget.progress().phase;
        // Nothing may be written over the question.
        budget.phase("");
        terminal::error(&question(asked));
        let answer = answer(&mut io::stdin().lock(), asked.ways.len());
        budget.phase(&phase);
        answer
    }))
}

/// What a strategy has to say.
pub(crate) fn remark(remark: &Remark, color: Color) -> String {
    match remark {
        Remark::Warning(rejected) => rejected.render(terminal::error_color(color)),
        Remark::Said(line) => format!("note: {line}"),
    }
}

/// A line about choices that were saved beside a model, unless strategies are given.
pub(crate) fn hint(model: &Path, given: &[StrategySpec]) -> Option<String> {
    let file = choices_file(model);
    (given.is_empty() && file.is_file()).then(|| {
        let file = quoted(&format!("like:{}", terminal::shown(&file)));
        format!("choices saved earlier: --strategy {file}")
    })
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+".contains(c);
    match word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn question(asked: &StrategyQuestion) -> String {
    let StrategyQuestion { claim, state, ways } = asked;
    let mut text = format!("{claim} at {state}; which way?\n");
    for (number, way) in ways.iter().enumerate() {
        writeln!(text, "  {}  {way}", number + 1).expect("a string grows");
    }
    text
}

/// Reads lines until one is an answer; an empty one takes the planned way.
fn answer(from: &mut impl BufRead, ways: usize) -> StrategyAnswer {
    loop {
        let mut line = Vec::new();
        let read = from.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return StrategyAnswer::End;
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            return StrategyAnswer::Planned;
        }
        match line.parse::<usize>() {
            Ok(number) if (1..=ways).contains(&number) => return StrategyAnswer::Way(number - 1),
            _ => terminal::error(&format!(
                "give a number from 1 to {ways}, or an empty line for the planned way"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_and_empty_lines() {
        let mut lines: &[u8] = b"7\nx\n2\n\n";
        assert_eq!(answer(&mut lines, 3), StrategyAnswer::Way(1));
        assert_eq!(answer(&mut lines, 3), StrategyAnswer::Planned);
        assert_eq!(answer(&mut lines, 3), StrategyAnswer::End);
    }

    #[test]
    fn any_number_of_seconds_is_a_time() {
        assert_eq!(duration(0.5), Duration::from_millis(500));
        assert_eq!(duration(1e300), Duration::MAX);
    }
}
