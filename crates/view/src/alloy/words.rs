//! The words for commands, values and parts of a model.

use wherefore_alloy::answer::{
    AlloyAnswer, CommandFault, CommandOutcome, CoreRole, ExpressionValue, Facts, Others,
};
use wherefore_alloy::model::{AlloyModel, Command, CommandGoal};
use wherefore_alloy::scene::{Scene, SceneRow, SceneWitness};
use wherefore_base::Span;

use super::AlloyReport;
use crate::sentences::{Sentence, SentenceAssertion, formula};
use crate::words::{clean, count, shortened};

/// The longest text of a command or expression in a line.
const LONGEST: usize = 120;

impl AlloyReport<'_> {
    /// A command as it is written, on one line, and where.
    pub(crate) fn title(&self, command: &Command) -> (String, Option<String>) {
        let text = self.on_one_line(command.span);
        if text.is_empty() {
            return ("run {}".to_string(), None);
        }
        let file = self.sources.file(command.span.file).name();
        let line = self.sources.place(command.span).line;
        let place = match file == self.path {
            true => format!("line {line}"),
            false => format!("{}, line {line}", clean(file)),
        };
        (shortened(clean(&text), LONGEST), Some(place))
    }

    /// The scopes that were given from outside to a command that is answered.
    pub(crate) fn given_scopes(&self, answer: &AlloyAnswer) -> String {
        let scopes = match &answer.outcome {
            CommandOutcome::Refused(_) => None,
            _ => answer.scopes.as_ref(),
        };
        let given = scopes.into_iter().flat_map(|scopes| &scopes.outside);
        let given = given.map(|scope| format!(" --scope {}", clean(&scope.to_string())));
        given.collect()
    }

    /// A piece of the source without comments, on one line.
    pub(crate) fn on_one_line(&self, span: Span) -> String {
        without_comments(self.sources.text(span))
    }

    /// A span that the goal of a command is in.
    fn in_goal(&self, command: &Command, span: Span) -> bool {
        let terms = &self.model.terms;
        let outer = match command.goal {
            CommandGoal::Formula(term) => Some(terms[term].span),
            CommandGoal::Function(function) => {
                let function = &self.model.functions[function];
                let mut vars = function.vars();
                if vars.any(|var| self.model.vars[var].span == span) {
                    return true;
                }
                function.body.map(|body| terms[body].span)
            }
        };
        outer.is_some_and(|outer| {
            outer.file == span.file && outer.start <= span.start && span.end <= outer.end
        })
    }

    /// The witnesses of the goal, and those of facts and of what is called.
    pub(crate) fn witnesses<'s>(
        &self,
        command: &Command,
        scene: &'s Scene,
    ) -> (Vec<&'s SceneWitness>, Vec<&'s SceneWitness>) {
        let witnesses = scene.witnesses.iter();
        witnesses.partition(|witness| self.in_goal(command, witness.span))
    }

    /// What there is to say about an outcome, in a line.
    pub(crate) fn outcome(&self, answer: &AlloyAnswer) -> String {
        let command = self.command(answer);
        match &answer.outcome {
            CommandOutcome::Found { found, others } => {
                let what = if command.check {
                    "counterexample"
                } else {
                    "instance"
                };
                let mut text = match found.len() {
                    1 => what.to_string(),
                    n => count(n, what),
                };
                match others {
                    Others::None if found.len() == 1 => text.push_str(", the only one"),
                    Others::None => text.push_str(", all there are"),
                    Others::Stopped(stop) => text.push_str(&format!("; {stop} before the next")),
                    Others::Unknown => {}
                }
                text
            }
            CommandOutcome::Nothing if command.check => {
                "no counterexample in this scope".to_string()
            }
            CommandOutcome::Nothing => "no instance in this scope".to_string(),
            CommandOutcome::Refused(refused) => match refused.fault {
                CommandFault::Model | CommandFault::Limits => "not answered".to_string(),
                CommandFault::Mistake => "internal error".to_string(),
            },
            CommandOutcome::Undecided { stop, reached } => {
                let mut text = match stop {
                    Some(stop) => format!("undecided: {stop}"),
                    None => {
                        "undecided in this scope, which `--reach scoped` goes on with".to_string()
                    }
                };
                if let Some(reached) = reached {
                    let what = if command.check {
                        "counterexample"
                    } else {
                        "trace"
                    };
                    let states = count(*reached, "state");
                    text.push_str(&format!(" (there is no {what} of up to {states})"));
                }
                text
            }
        }
    }

    /// What `expect` says about an outcome, if there is something to say.
    pub(crate) fn expectation(&self, answer: &AlloyAnswer) -> Option<String> {
        let command = self.command(answer);
        let expect = command.expect?;
        let word = match (command.check, expect != 0) {
            (true, true) => "a counterexample",
            (true, false) => "no counterexample",
            (false, true) => "an instance",
            (false, false) => "no instance",
        };
        (answer.as_expected(command) == Some(false))
            .then(|| format!("`expect {expect}` says that there is {word}"))
    }

    /// What there is to say about the facts beside an outcome.
    pub(crate) fn facts(&self, answer: &AlloyAnswer) -> Option<Sentence> {
        if let (Facts::Inconsistent, Some((number, sigs))) = (answer.facts, &answer.filled) {
            let sigs: Vec<String> = sigs.iter().map(|sig| format!("`{}`", clean(sig))).collect();
            let sigs = match sigs.is_empty() {
                true => "each signature".to_string(),
                false => sigs.join(" and of "),
            };
            let text = say!(
                "With at most {} of {} the facts cannot hold together, so every check would pass.",
                number.to_string(),
                sigs
            );
            return Some(text.asserting(SentenceAssertion::Facts(answer.facts)));
        }
        let text = self.facts_in_scope(answer).map(Sentence::from);
        text.map(|text| text.asserting(SentenceAssertion::Facts(answer.facts)))
    }

    fn facts_in_scope(&self, answer: &AlloyAnswer) -> Option<&'static str> {
        let command = self.command(answer);
        match (answer.facts, &answer.outcome) {
            (Facts::Inconsistent, CommandOutcome::Nothing) if command.check => {
                Some("The facts cannot hold together in this scope, so every check passes.")
            }
            (Facts::Inconsistent, CommandOutcome::Nothing) => Some(
                "The facts cannot hold together in this scope, so there is no instance whatever is run.",
            ),
            (Facts::Inconsistent, _) => Some("The facts cannot hold together in this scope."),
            (Facts::Consistent, CommandOutcome::Nothing) if !command.check => {
                Some("The facts alone can hold together in this scope.")
            }
            _ => None,
        }
    }

    /// What the witnesses say, as a sentence.
    pub(crate) fn witness_sentence(&self, command: &Command, scene: &Scene) -> Option<Sentence> {
        let (mut goal, _) = self.witnesses(command, scene);
        // One that depends on others is not there where these are not.
        goal.retain(|witness| witness.outer == 0 || !witness.rows.is_empty());
        if goal.is_empty() {
            return None;
        }
        let values = goal.iter().map(|witness| witness_text(scene, witness));
        let values = values.collect::<Vec<_>>().join(", ");
        let name = clean(&command.label);
        Some(match (command.check, command.label.contains('$')) {
            (true, false) => say!("{} is false for {}", formula(name), values),
            (true, true) => say!("it is false for {}", values),
            (false, false) => say!("{} is true for {}", formula(name), values),
            (false, true) => say!("it is true for {}", values),
        })
    }
}

/// A text without comments, its white space folded.
fn without_comments(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let ends = if rest.starts_with("/*") {
            rest.find("*/").map(|at| at + 2)
        } else if rest.starts_with("//") || rest.starts_with("--") {
            rest.find('\n')
        } else {
            kept.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        kept.push(' ');
        rest = &rest[ends.unwrap_or(rest.len())..];
    }
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `b = Book$0`
pub(crate) fn witness_text(scene: &Scene, witness: &SceneWitness) -> String {
    let name = clean(&witness.variable);
    if witness.outer == 0 {
        return format!("{name} = {}", set_text(scene, &witness.rows));
    }
    let few = witness.rows.iter().take(FEW).map(|row| {
        let (outer, own) = row.split_at(witness.outer.min(row.len()));
        let outer = tuple_text(scene, outer);
        format!("{name}[{outer}] = {}", tuple_text(scene, own))
    });
    let mut text = few.collect::<Vec<_>>().join(", ");
    if witness.rows.is_empty() {
        text = format!("{name} = none");
    }
    if witness.rows.len() > FEW {
        text.push_str(", …");
    }
    text
}

/// So many rows of a relation stand in a sentence.
const FEW: usize = 8;

/// A set or relation in a sentence: its only tuple, or all in braces, or the first few.
pub(crate) fn set_text(scene: &Scene, rows: &[SceneRow]) -> String {
    match rows {
        [] => "none".to_string(),
        [row] => tuple_text(scene, row),
        rows => {
            let few = rows.iter().take(FEW).map(|row| tuple_text(scene, row));
            let few = few.collect::<Vec<_>>().join(", ");
            match rows.len() > FEW {
                true => format!("{{{few}, … {} more}}", rows.len() - FEW),
                false => format!("{{{few}}}"),
            }
        }
    }
}

/// A tuple as Alloy writes it: `Name$0->Addr$1`.
pub(crate) fn tuple_text(scene: &Scene, row: &[wherefore_relational::UniverseAtomId]) -> String {
    let names = row.iter().map(|&atom| clean(scene.name(atom)));
    names.collect::<Vec<_>>().join("->")
}

/// The value of an expression, as Alloy's evaluator writes it.
pub fn value_text(scene: &Scene, value: &ExpressionValue) -> String {
    match value {
        ExpressionValue::Truth(truth) => truth.to_string(),
        ExpressionValue::Number(Some(number)) => number.to_string(),
        ExpressionValue::Number(None) => "overflow".to_string(),
        ExpressionValue::Rows { rows, .. } => {
            let rows = rows.iter().map(|row| tuple_text(scene, row));
            format!("{{{}}}", rows.collect::<Vec<_>>().join(", "))
        }
    }
}

/// What a part of a model is.
pub fn role_text(model: &AlloyModel, command: &Command, role: &CoreRole) -> String {
    match role {
        CoreRole::Fact(name) if name.is_empty() => "fact".to_string(),
        CoreRole::Fact(name) => format!("fact `{}`", clean(name)),
        CoreRole::SigFact(sig) => format!("fact of sig `{}`", clean(&model.sigs[*sig].label)),
        CoreRole::Sig(sig) => format!("declaration of sig `{}`", clean(&model.sigs[*sig].label)),
        CoreRole::Field(field) => {
            let name = model.names.text(model.fields[*field].name);
            format!("declaration of field `{}`", clean(name))
        }
        CoreRole::Goal if command.check => "what is checked, negated".to_string(),
        CoreRole::Goal => "what is run".to_string(),
        CoreRole::Function(name) => format!("in `{}`", clean(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_all_kinds_are_left_out() {
        let text = "run { some A -- one\n  no /* or two */ B // three\n} for 3";
        assert_eq!(without_comments(text), "run { some A no B } for 3");
        assert_eq!(without_comments("check /* never closed"), "check");
    }
}
