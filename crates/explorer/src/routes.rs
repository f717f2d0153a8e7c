//! Routes: what a request means.

use wherefore_driver::view::wire::{AnalyseRequest, Body, EmptyRequest, FormulaRequest};

use crate::analysis::Inquire;
use crate::ask::Ask;
use crate::export::Form;
use crate::http::{Method, Request};
use crate::problem::Problem;

/// What is to be done. Models, properties and requests are meant by their numbers.
#[derive(Debug)]
pub(crate) enum Work {
    /// A file of the page.
    Asset(String),
    /// The page is one slash further.
    Redirect,
    About,
    Models,
    /// Follow a check.
    Follow(usize),
    /// Start a check anew, and follow it.
    Recheck(usize),
    /// Cancel a check.
    StopCheck(usize),
    /// Everything about a property.
    Detail(usize, usize),
    /// Something that the clerk of a model answers.
    Ask(usize, Ask),
    /// Cancel a request.
    Cancel(u64),
    /// Analyse all counterexamples of a property.
    Analyse(usize, usize, AnalyseRequest),
    /// Something that an analyst answers.
    Inquire(u64, Inquire),
    /// The queries that have names.
    Queries,
    /// Let an analysis go.
    CloseAnalysis(u64),
}

/// What a request means; its path begins with the secret.
pub(crate) fn work(request: &Request) -> Result<Work, Problem> {
    let path: Vec<&str> = request.path.iter().skip(1).map(String::as_str).collect();
    match (request.method, &path[..]) {
        (_, ["api", "1", route @ ..]) => api(request, route),
        (Method::Get | Method::Head, []) => Ok(Work::Redirect),
        (Method::Get | Method::Head, [name]) => Ok(Work::Asset((*name).to_string())),
        (_, [] | [_]) => Err(Problem::method()),
        _ => Err(nothing_there()),
    }
}

fn api(request: &Request, route: &[&str]) -> Result<Work, Problem> {
    let get = matches!(request.method, Method::Get | Method::Head);
    let (post, delete) = (
        request.method == Method::Post,
        request.method == Method::Delete,
    );
    let allowed = |allowed: bool| match allowed {
        true => Ok(()),
        false => Err(Problem::method()),
    };
    match *route {
        ["about"] => allowed(get).map(|()| Work::About),
        ["models"] => allowed(get).map(|()| Work::Models),
        ["requests", id] => {
            allowed(delete)?;
            let id = id.parse().map_err(|_| nothing_there())?;
            Ok(Work::Cancel(id))
        }
        ["models", model, "check"] => {
            let model = number(model)?;
            match request.method {
                Method::Get | Method::Head => Ok(Work::Follow(model)),
                Method::Post => body::<EmptyRequest>(request).map(|_| Work::Recheck(model)),
                Method::Delete => Ok(Work::StopCheck(model)),
            }
        }
        ["models", model, "properties"] => {
            allowed(post)?;
            let formula: FormulaRequest = body(request)?;
            Ok(Work::Ask(number(model)?, Ask::Add(formula.formula)))
        }
        ["models", model, "properties", property] => {
            allowed(get)?;
            Ok(Work::Detail(number(model)?, number(property)?))
        }
        ["models", model, "properties", property, "export", format] => {
            allowed(get)?;
            let form = Form::named(format);
            let form = form.ok_or_else(|| Problem::missing("There is no such format."))?;
            let given = |wanted: &str| {
                let given = request.query.iter().find(|(name, _)| name == wanted);
                let number = given.map(|(_, number)| number.parse::<usize>()).transpose();
                number.map_err(|_| Problem::bad("What should be a number in the address is none."))
            };
            let property = number(property)?;
            let ask = match given("instance")? {
                Some(instance) => Ask::Instance(property, form, instance),
                None => Ask::Export(property, form, given("run")?.unwrap_or(0)),
            };
            Ok(Work::Ask(number(model)?, ask))
        }
        ["models", model, "properties", property, what] => {
            let ask = match what {
                "another" => {
                    allowed(post)?;
                    Ask::Another(number(property)?, body(request)?)
                }
                "analyses" => {
                    allowed(post)?;
                    let wishes = body(request)?;
                    return Ok(Work::Analyse(number(model)?, number(property)?, wishes));
                }
                "proof" => {
                    allowed(post)?;
                    Ask::Proof(number(property)?, body(request)?)
                }
                "value" => {
                    allowed(post)?;
                    Ask::Value(number(property)?, body(request)?)
                }
                _ => return Err(nothing_there()),
            };
            Ok(Work::Ask(number(model)?, ask))
        }
        ["analyses", id, ref what @ ..] => {
            let id = id.parse().map_err(|_| nothing_there())?;
            analysis(request, id, what)
        }
        ["models", model, "states", what] => {
            let known = [
                "initial",
                "successors",
                "predecessors",
                "truth",
                "evaluate",
                "path",
                "blocked",
            ];
            if !known.contains(&what) {
                return Err(nothing_there());
            }
            allowed(post)?;
            let ask = match what {
                "initial" => Ask::Initial(body(request)?),
                "successors" => Ask::Successors(body(request)?),
                "predecessors" => Ask::Predecessors(body(request)?),
                "truth" => Ask::Truth(body(request)?),
                "evaluate" => Ask::Evaluate(body(request)?),
                "blocked" => Ask::Blocked(body(request)?),
                _ => Ask::Path(body(request)?),
            };
            Ok(Work::Ask(number(model)?, ask))
        }
        _ => Err(nothing_there()),
    }
}

/// What is asked of an analysis.
fn analysis(request: &Request, id: u64, what: &[&str]) -> Result<Work, Problem> {
    let method = match what {
        [] => Method::Delete,
        ["queries"] | ["export", _] => Method::Get,
        ["run" | "nodes" | "around" | "steps" | "groups" | "query"] => Method::Post,
        _ => return Err(nothing_there()),
    };
    if request.method != method {
        return Err(Problem::method());
    }
    let ask = match *what {
        ["run"] => Inquire::Run(body(request)?),
        ["nodes"] => Inquire::Nodes(body(request)?),
        ["around"] => Inquire::Around(body(request)?),
        ["steps"] => Inquire::Steps(body(request)?),
        ["groups"] => Inquire::Groups(body(request)?),
        ["query"] => Inquire::Query(body(request)?),
        ["export", format] => Inquire::Export(format.to_string()),
        ["queries"] => return Ok(Work::Queries),
        _ => return Ok(Work::CloseAnalysis(id)),
    };
    Ok(Work::Inquire(id, ask))
}

fn body<T: Body>(request: &Request) -> Result<T, Problem> {
    T::read(&request.body).map_err(|wrong| Problem::bad(&wrong))
}

fn number(text: &str) -> Result<usize, Problem> {
    text.parse().map_err(|_| nothing_there())
}

fn nothing_there() -> Problem {
    Problem::missing("There is no such route.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: Method, path: &str, body: &str) -> Request {
        Request {
            method,
            path: path.split('/').map(str::to_string).collect(),
            query: vec![],
            host: None,
            origin: None,
            manner: crate::http::Manner::Whole,
            body: body.as_bytes().to_vec(),
        }
    }

    fn status(method: Method, path: &str, body: &str) -> u16 {
        match work(&request(method, path, body)) {
            Ok(_) => 200,
            Err(problem) => problem.status,
        }
    }

    #[test]
    fn routes_say_what_they_take() {
        assert_eq!(status(Method::Get, "s/api/1/models", ""), 200);
        assert_eq!(status(Method::Post, "s/api/1/models", ""), 405);
        assert_eq!(status(Method::Get, "s/api/1/models/0/check", ""), 200);
        assert_eq!(
            status(Method::Post, "s/api/1/models/0/check", r#"{"x":1}"#),
            400
        );
        assert_eq!(
            status(Method::Post, "s/api/1/models/0/states/initial", ""),
            200
        );
        assert_eq!(
            status(Method::Get, "s/api/1/models/0/states/initial", ""),
            405
        );
        assert_eq!(
            status(Method::Post, "s/api/1/models/0/states/jump", ""),
            404
        );
        assert_eq!(
            status(Method::Get, "s/api/1/models/-1/properties/0", ""),
            404
        );
        assert_eq!(
            status(Method::Get, "s/api/1/models/0/properties/0/export/exe", ""),
            404
        );
        assert_eq!(status(Method::Get, "s/api/2/models", ""), 404);
        assert_eq!(status(Method::Delete, "s/", ""), 405);
    }
}
