//! Reading traces as NuSMV and nuXmv print them.
//!
//! A state shows the values that changed; the others are those of the state before. The last state of
//! a lasso repeats the one before which `-- Loop starts here` stands. Whatever else is printed around
//! the traces is skipped.

use super::Unreadable;
use super::trace::{Datum, SavedTrace, TraceFormat, Valuation};

/// Whether a text looks like the output of NuSMV with a trace in it.
pub(super) fn is_listing(text: &str) -> bool {
    text.lines().any(|line| heading(line).is_some())
}

/// All traces of a text that has one.
pub(super) fn read(text: &str) -> Result<Vec<SavedTrace>, Unreadable> {
    let mut reader = Reader::default();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        reader.line(line.trim(), offset)?;
        offset += line.len();
    }
    reader.finish_trace();
    match reader.traces.is_empty() {
        true => Err(Unreadable::new(
            text.len(),
            "The file ends before the first state",
        )),
        false => Ok(reader.traces),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Outside,
    State,
    Input,
}

/// `-> State: 1.2 <-` or `-> Input: 1.2 <-`: which block starts, and the label.
fn heading(line: &str) -> Option<(Block, &str)> {
    let inner = line.trim().strip_prefix("-> ")?.strip_suffix("<-")?.trim();
    let blocks = [("State", Block::State), ("Input", Block::Input)];
    blocks.into_iter().find_map(|(word, block)| {
        let label = inner.strip_prefix(word)?;
        let label = label.strip_prefix(':').unwrap_or(label).trim();
        let plain = label.chars().all(|c| c.is_ascii_digit() || c == '.');
        (plain && !label.is_empty()).then_some((block, label))
    })
}

struct Reader {
    traces: Vec<SavedTrace>,
    block: Block,
    /// The number of the trace that is being read.
    number: Option<String>,
    /// The property that the next traces are about.
    title: Option<String>,
    states: Vec<Valuation>,
    /// The inputs that lead to each state.
    into: Vec<Valuation>,
    input: Valuation,
    back: Option<usize>,
    /// The next state starts the loop.
    loops: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            traces: Vec::new(),
            block: Block::Outside,
            number: None,
            title: None,
            states: Vec::new(),
            into: Vec::new(),
            input: Valuation::new(),
            back: None,
            loops: false,
        }
    }
}

impl Reader {
    fn line(&mut self, line: &str, offset: usize) -> Result<(), Unreadable> {
        if let Some((block, label)) = heading(line) {
            let number = label.split('.').next().unwrap_or_default();
            if self.number.as_deref() != Some(number) {
                // A loop may start with the first state of a trace.
                let loops = self.loops;
                self.finish_trace();
                self.loops = loops;
                self.number = Some(number.to_string());
            }
            self.block = block;
            if block == Block::State {
                if std::mem::take(&mut self.loops) && self.back.is_none() {
                    self.back = Some(self.states.len());
                }
                let before = self.states.last().cloned().unwrap_or_default();
                self.states.push(before);
                self.into.push(self.input.clone());
            }
            return Ok(());
        }
        if let Some(comment) = line.strip_prefix("--") {
            self.block = Block::Outside;
            let comment = comment.trim();
            if comment == "Loop starts here" {
                self.loops = true;
            } else if let Some(property) = comment
                .strip_prefix("specification")
                .or_else(|| comment.strip_prefix("invariant"))
            {
                self.finish_trace();
                let property = property.trim();
                let text = property.strip_suffix(" is false").unwrap_or(property);
                self.title = Some(text.trim().to_string());
            }
            return Ok(());
        }
        if line.starts_with("Trace Description:") || line.starts_with("Trace Type:") {
            self.block = Block::Outside;
            if !self.states.is_empty() {
                self.finish_trace();
            }
            return Ok(());
        }
        if self.block == Block::Outside || line.is_empty() {
            return Ok(());
        }
        let Some((name, value)) = line.split_once(" = ") else {
            return Err(Unreadable::new(
                offset,
                "A state lists values as `name = value`, but this line does not",
            ));
        };
        let values = match self.block {
            Block::Input => &mut self.input,
            _ => self.states.last_mut().expect("a state has begun"),
        };
        values.insert(name.trim().to_string(), Datum::printed(value.trim()));
        Ok(())
    }

    fn finish_trace(&mut self) {
        let states = std::mem::take(&mut self.states);
        let into = std::mem::take(&mut self.into);
        let back = self.back.take().filter(|&back| back < states.len());
        self.input = Valuation::new();
        self.block = Block::Outside;
        self.loops = false;
        self.number = None;
        if !states.is_empty() {
            let title = self.title.clone();
            let trace = SavedTrace::repeating(TraceFormat::Listing, title, states, into, back);
            self.traces.push(trace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
*** This is a checker
-- specification AG !(x = 2) is false
-- as demonstrated by the following execution sequence
Trace Description: CTL Counterexample
Trace Type: Counterexample
  -> State: 1.1 <-
    x = 0
    door = open
  -> Input: 1.2 <-
    go = TRUE
  -- Loop starts here
  -> State: 1.2 <-
    x = 1
  -> State: 1.3 <-
    x = 2
    door = closed
  -> State: 1.4 <-
    x = 1
    door = open
-- specification AG EF x = 0 is true
-- specification AF x = 3 is false
-- as demonstrated by the following execution sequence
Trace Type: Counterexample
-> State: 2.1 <-
  x = 0
";

    #[test]
    fn values_are_carried_forward_and_the_loop_is_closed() {
        let traces = read(TEXT).expect("good traces");
        let [first, second] = &traces[..] else {
            panic!("two traces, not {}", traces.len());
        };
        assert_eq!(first.title.as_deref(), Some("AG !(x = 2)"));
        assert_eq!(
            (first.states.len(), first.back, first.steps()),
            (3, Some(1), 3)
        );
        assert_eq!(first.states[1]["door"], Datum::Word("open".to_string()));
        assert_eq!(first.states[2]["x"], Datum::Int(2));
        assert_eq!(first.inputs[0]["go"], Datum::Bool(true));
        assert_eq!(first.inputs.len(), 3);
        assert_eq!(second.title.as_deref(), Some("AF x = 3"));
        assert_eq!((second.states.len(), second.steps()), (1, 0));
    }

    #[test]
    fn a_line_that_is_no_value_is_told() {
        let text = "-> State: 1.1 <-\n  x = 1\n  oops\n";
        let error = read(text).expect_err("a bad trace");
        assert_eq!(error.offset, 25);
        assert!(read("-> State: 1.1 <-\n\n").is_ok());
    }
}
