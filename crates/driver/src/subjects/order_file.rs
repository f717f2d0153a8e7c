//! Order files: in which order decision diagrams ask the variables of a model.
//!
//! A file lists one name in each line, top first. The bits of a variable may be listed too, as `x.0`;
//! a variable stands where its first bit does. Empty lines and comments after `--` are skipped.

use std::collections::HashMap;

use wherefore_base::{Diagnostic, FileId, Span};
use wherefore_model::{Model, VarId};

/// The variables that the text of an order file lists, each once, and what is odd about the text.
pub(crate) fn read(model: &Model, file: FileId, text: &str) -> (Vec<VarId>, Vec<Diagnostic>) {
    let named: HashMap<&str, VarId> = model
        .vars
        .entries()
        .map(|(id, var)| (var.name.as_str(), id))
        .collect();
    let mut listed: Vec<Option<&str>> = vec![None; model.vars.len()];
    let mut order = Vec::new();
    let mut messages = Vec::new();
    let mut unknown: Vec<Span> = Vec::new();
    for (name, span) in names(file, text) {
        if name.split_whitespace().count() > 1 {
            messages.push(
                Diagnostic::error(span, "A line of an order file has more than one name")
                    .because("one name is expected in each line"),
            );
            continue;
        }
        let of_bit = || {
            let (var, bit) = name.rsplit_once('.')?;
            let digits = !bit.is_empty() && bit.bytes().all(|b| b.is_ascii_digit());
            named.get(var).filter(|_| digits)
        };
        let Some(&var) = named.get(name).or_else(of_bit) else {
            unknown.push(span);
            continue;
        };
        match listed[var.index()] {
            None => order.push(var),
            Some(before) if before == name => {
                messages.push(Diagnostic::warning(
                    span,
                    format!("`{name}` is listed twice"),
                ));
            }
            Some(_) => {}
        }
        listed[var.index()].get_or_insert(name);
    }
    if let Some(&first) = unknown.first() {
        let name = &text[first.start as usize..first.end as usize];
        let message = format!("No variable is called `{name}`, so its place in the order is empty");
        let warning = Diagnostic::warning(first, message);
        messages.push(match unknown.len() - 1 {
            0 => warning,
            1 => warning.help("One more name of the file is unknown."),
            more => warning.help(format!("{more} more names of the file are unknown.")),
        });
    }
    (order, messages)
}

/// What lines say, without comments and white space around it.
fn names(file: FileId, text: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut offset = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = offset;
        offset += line.len();
        let said = line.find("--").map_or(line, |end| &line[..end]);
        let name = said.trim();
        let start = start + (said.len() - said.trim_start().len());
        let span = Span::new(file, start, start + name.len());
        (!name.is_empty()).then_some((name, span))
    })
}

#[cfg(test)]
mod tests {
    use crate::ModelSubject;

    const MODEL: &str =
        "MODULE m\nVAR b : boolean;\nMODULE main\nVAR x : 0..5; y : boolean; z : m;\n";

    fn ordered(text: &str) -> Result<(Vec<String>, String), String> {
        let mut session = ModelSubject::from_text("m.smv", MODEL).expect("the model is right");
        let before = session.warnings().len();
        session
            .set_order("m.ord", text)
            .map_err(|rejected| rejected.render(false))?;
        let vars = &session.model().vars;
        let order = session.model().order.iter();
        let names = order.map(|&var| vars[var].name.clone()).collect();
        let warnings = session.warnings()[before..].to_vec();
        Ok((names, session.rejected(warnings).render(false)))
    }

    #[test]
    fn an_order_file_lists_variables_and_bits_of_variables() {
        let text = "-- the order\ny\n\n  z.b  -- first\nx.1\nx.0\nx.2\n";
        let (names, warnings) = ordered(text).expect("the text is right");
        assert_eq!(names, ["y", "z.b", "x"]);
        assert_eq!(warnings, "");
    }

    #[test]
    fn an_unknown_name_is_a_warning_that_says_the_line() {
        let (names, warnings) = ordered("y\nq\nx\nr.0\nx\n").expect("the text is usable");
        assert_eq!(names, ["y", "x"]);
        assert!(warnings.contains("No variable is called `q`"), "{warnings}");
        assert!(warnings.contains("m.ord:2:1"), "{warnings}");
        assert!(warnings.contains("One more name"), "{warnings}");
        assert!(warnings.contains("`x` is listed twice"), "{warnings}");
    }

    #[test]
    fn two_names_in_a_line_are_an_error() {
        let wrong = ordered("y\nx z.b\n").expect_err("there are two names");
        assert!(wrong.contains("more than one name"), "{wrong}");
        assert!(wrong.contains("m.ord:2:1"), "{wrong}");
    }

    #[test]
    fn answers_do_not_depend_on_the_order() {
        use crate::Engine;
        let model =
            format!("{MODEL}ASSIGN next(x) := (x + 1) mod 6;\nSPEC AG x < 5\nSPEC EF z.b\n");
        let verdicts = |order: &str| {
            let session =
                ModelSubject::from_text("m.smv", model.clone()).expect("the model is right");
            let mut session = session.with_engine(Engine::Bdd);
            session
                .set_order("m.ord", order)
                .expect("the order is right");
            [0, 1].map(|at| format!("{:?}", session.check(at).expect("the model is right")))
        };
        assert_eq!(verdicts(""), verdicts("z.b\ny\nx"));
    }
}
