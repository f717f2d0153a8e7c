//! Reading the Informal Trace Format (Apalache ADR-015).

use serde_json::{Map, Value as Json};

use super::trace::{Datum, SavedTrace, TraceFormat, Valuation};

/// A trace from a document that has `states`; the error is a sentence.
pub(super) fn read(document: &Json) -> Result<SavedTrace, String> {
    let Some(Json::Array(listed)) = document.get("states") else {
        return Err("`states` of an ITF trace is a list".to_string());
    };
    let mut states = Vec::new();
    let mut inputs = Vec::new();
    for (at, state) in listed.iter().enumerate() {
        let Json::Object(state) = state else {
            return Err(format!(
                "State {at} of the ITF trace is no record of values"
            ));
        };
        let meta = state.get("#meta");
        if at > 0 {
            let map = meta.and_then(|meta| meta.get("inputs")?.as_object());
            inputs.push(map.map(valuation).unwrap_or_default());
        }
        states.push(valuation(state));
    }
    if states.is_empty() {
        return Err("The ITF trace has no state".to_string());
    }
    let back = match document.get("loop") {
        None | Some(Json::Null) => None,
        Some(number) => {
            let number = number.as_u64().and_then(|n| usize::try_from(n).ok());
            match number.filter(|&n| n < states.len()) {
                Some(back) => Some(back),
                None => return Err("`loop` of an ITF trace is the number of a state".to_string()),
            }
        }
    };
    if back.is_some() {
        inputs.push(Valuation::new());
    }
    let meta = document.get("#meta");
    let title = meta.and_then(|meta| Some(meta.get("property")?.as_str()?.to_string()));
    Ok(SavedTrace {
        format: TraceFormat::Itf,
        title,
        states,
        inputs,
        back,
    })
}

fn valuation(map: &Map<String, Json>) -> Valuation {
    let values = map.iter().filter(|(name, _)| !name.starts_with('#'));
    values
        .map(|(name, value)| (plain(name), Datum::json(value)))
        .collect()
}

/// Names that the format keeps for itself are set apart when they are written.
fn plain(name: &str) -> String {
    match name.strip_prefix('_') {
        Some(rest) if rest.starts_with('#') => rest.to_string(),
        _ => name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn states_inputs_and_the_loop_are_read() {
        let trace = read(&json!({
            "#meta": {"property": "served"},
            "vars": ["x", "_#y"],
            "states": [
                {"#meta": {"index": 0}, "x": 1, "_#y": true},
                {"#meta": {"inputs": {"go": "left"}}, "x": {"#bigint": "-9007199254740993"}},
            ],
            "loop": 1
        }));
        let trace = trace.expect("a good trace");
        assert_eq!(trace.title.as_deref(), Some("served"));
        assert_eq!((trace.steps(), trace.back), (2, Some(1)));
        assert_eq!(trace.states[0]["#y"], Datum::Bool(true));
        assert_eq!(trace.states[1]["x"], Datum::Int(-9_007_199_254_740_993));
        assert_eq!(trace.inputs[0]["go"], Datum::Word("left".to_string()));
        assert!(trace.inputs[1].is_empty());
    }

    #[test]
    fn what_the_format_does_not_allow_is_told() {
        let message = |json| read(&json).expect_err("a bad trace");
        assert!(message(json!({"states": 1})).contains("is a list"));
        assert!(message(json!({"states": [1]})).contains("State 0"));
        assert!(message(json!({"states": []})).contains("no state"));
        assert!(message(json!({"states": [{}], "loop": 1})).contains("`loop`"));
        assert!(message(json!({"states": [{}], "loop": -1})).contains("`loop`"));
    }
}
