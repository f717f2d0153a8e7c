//! Models that must be rejected, for the right reason at the right line, and accepted once mended.

use std::path::Path;

use wherefore_smv::SmvDialect;

use crate::run::load;

/// What must be said about a model, and how it is mended.
struct Negative {
    file: &'static str,
    /// Where the error is.
    line: usize,
    /// What the message speaks of.
    word: &'static str,
    /// What to replace by what.
    mend: Result<(&'static str, &'static str), &'static str>,
}

const NEGATIVES: [Negative; 8] = [
    Negative {
        file: "micro/neg-bool01.smv",
        line: 4,
        word: "boolean",
        mend: Ok(("init(x) := 0", "init(x) := FALSE")),
    },
    Negative {
        file: "micro/neg-case-nodefault.smv",
        line: 4,
        word: "case",
        mend: Ok(("x=2: 3;", "TRUE: 3;")),
    },
    Negative {
        file: "micro/neg-circular.smv",
        line: 4,
        word: "recursively",
        mend: Ok(("y := !x", "next(y) := !x")),
    },
    Negative {
        file: "micro/neg-double.smv",
        line: 4,
        word: "assigned",
        mend: Ok(("x := TRUE", "init(x) := TRUE")),
    },
    Negative {
        file: "micro/neg-minus-in-name.smv",
        line: 4,
        word: "y#2-1",
        mend: Ok(("y#2-1", "y#2 - 1")),
    },
    Negative {
        file: "micro/neg-nestednext.smv",
        line: 4,
        word: "next",
        mend: Ok(("next(next(x))", "next(x)")),
    },
    Negative {
        file: "micro/neg-range.smv",
        line: 3,
        word: "4",
        mend: Ok(("x + 1", "(x + 1) mod 4")),
    },
    Negative {
        file: "micro/neg-running-in-ctl.smv",
        line: 9,
        word: "running",
        mend: Ok((
            "CTLSPEC AG (p1.running | p2.running | running)\n\
             CTLSPEC AG !(p1.running & p2.running)\n\
             CTLSPEC AG AF p1.running\n",
            "",
        )),
    },
];

/// Whether a model is rejected as it must be; a sentence either way.
pub(crate) fn check(folder: &Path, name: &str) -> Result<String, String> {
    let Some(negative) = NEGATIVES.iter().find(|negative| negative.file == name) else {
        return Err("it is not written down what must be said about it".to_string());
    };
    let text = std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())?;
    let (line, message) = match load(name, &text, SmvDialect::New) {
        Ok(_) => return Err("it is accepted".to_string()),
        Err(told) => told,
    };
    if line != negative.line || !message.contains(negative.word) {
        return Err(format!(
            "line {line}: {message}; an error about `{}` in line {} is expected",
            negative.word, negative.line
        ));
    }
    let (from, to) = match negative.mend {
        Ok(mend) => mend,
        Err(why) => {
            return Ok(format!(
                "rejected in line {line} ({message}); not mended: {why}"
            ));
        }
    };
    if !text.contains(from) {
        return Err(format!("there is no `{from}` to mend"));
    }
    match load(name, &text.replace(from, to), SmvDialect::New) {
        Ok(_) => Ok(format!(
            "rejected in line {line} ({message}), accepted once mended"
        )),
        Err((line, message)) => Err(format!("mended, line {line}: {message}")),
    }
}
