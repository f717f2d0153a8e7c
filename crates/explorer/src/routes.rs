//! Routes: which request is answered by what, as `docs/explorer-api.md` describes it.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Path, RawQuery, Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, delete, get, post};
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use wherefore_driver::tagged::query::named::QUERIES;
use wherefore_driver::view::api;
use wherefore_driver::view::wire::{
    AnalyseRequest, CancelledAnswer, ClosedAnswer, EmptyRequest, FormulaRequest, RequestBody,
    to_line,
};

use crate::analysis::AnalysisRequest;
use crate::auth::Auth;
use crate::delivery::{Delivery, LongAnswer};
use crate::error::RequestError;
use crate::export::EvidenceFormat;
use crate::page::asset;
use crate::queue::{RequestAnswer, RequestId};
use crate::request::ModelRequest;
use crate::server::CLIENT_PATIENCE;
use crate::workspace::Workspace;

/// The longest body, in bytes.
const LONGEST_BODY: usize = 1 << 20;

/// Headers of every response. The page may load what this server has and nothing else; nobody may frame
/// it, guess types, learn addresses or keep copies.
const SECURITY_HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

type SharedWorkspace = State<Arc<Workspace>>;
type RouteResult = Result<Response, RequestError>;

/// All routes of a server, behind its authentication.
pub(crate) fn router(workspace: Arc<Workspace>, auth: Arc<Auth>) -> Router {
    let states = Router::new()
        .route("/initial", about_model(ModelRequest::Initial))
        .route("/successors", about_model(ModelRequest::Successors))
        .route("/predecessors", about_model(ModelRequest::Predecessors))
        .route("/truth", about_model(ModelRequest::Truth))
        .route("/evaluate", about_model(ModelRequest::Evaluate))
        .route("/path", about_model(ModelRequest::Path))
        .route("/blocked", about_model(ModelRequest::Blocked));
    let properties = Router::new()
        .route(
            "/",
            about_model(|it: FormulaRequest| ModelRequest::Add(it.formula)),
        )
        .route("/{property}", get(property))
        .route("/{property}/another", about_property(ModelRequest::Another))
        .route("/{property}/blame", about_property(ModelRequest::Blame))
        .route("/{property}/mend", about_property(ModelRequest::Mend))
        .route("/{property}/proof", about_property(ModelRequest::Proof))
        .route("/{property}/value", about_property(ModelRequest::Value))
        .route("/{property}/export/{format}", get(export))
        .route("/{property}/analyses", post(open_analysis));
    let analyses = Router::new()
        .route("/{analysis}", delete(close_analysis))
        .route("/{analysis}/run", about_analysis(AnalysisRequest::Run))
        .route("/{analysis}/nodes", about_analysis(AnalysisRequest::Nodes))
        .route(
            "/{analysis}/around",
            about_analysis(AnalysisRequest::Around),
        )
        .route("/{analysis}/steps", about_analysis(AnalysisRequest::Steps))
        .route(
            "/{analysis}/groups",
            about_analysis(AnalysisRequest::Groups),
        )
        .route("/{analysis}/query", about_analysis(AnalysisRequest::Query))
        .route("/{analysis}/queries", get(named_queries))
        .route("/{analysis}/export/{format}", get(export_analysis));
    let check = get(follow_check).post(start_check).delete(cancel_check);
    let api = Router::new()
        .route("/about", get(about))
        .route("/models", get(models))
        .route("/models/{model}/check", check)
        .nest("/models/{model}/states", states)
        .nest("/models/{model}/properties", properties)
        .nest("/analyses", analyses)
        .route("/requests/{id}", delete(cancel_request));
    let page = format!("/{}/", auth.secret());
    Router::new()
        .nest(&format!("{page}api/1"), api)
        .route(page.trim_end_matches('/'), get(Redirect::permanent(&page)))
        .route(&page, get(async || page_file(Wanted(String::new())).await))
        .route(&format!("{page}{{file}}"), get(page_file))
        .method_not_allowed_fallback(async || RequestError::Method)
        .fallback(async || no_route())
        .layer(from_fn_with_state(auth, admit))
        .with_state(workspace)
}

fn no_route() -> RequestError {
    RequestError::missing("There is no such route.")
}

/// Answers a request that comes from the right place and whose body arrives in time.
async fn admit(State(auth): State<Arc<Auth>>, request: Request, next: Next) -> Response {
    let response = match admitted(&auth, request).await {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    hardened(response)
}

/// The request with its whole body.
async fn admitted(auth: &Auth, request: Request) -> Result<Request, RequestError> {
    let (parts, body) = request.into_parts();
    auth.check(&parts)?;
    // A body that says that it is too long is not even read.
    if body.size_hint().lower() > LONGEST_BODY as u64 {
        return Err(RequestError::TooLarge);
    }
    let body = timeout(CLIENT_PATIENCE, to_bytes(body, LONGEST_BODY)).await;
    let body = body.map_err(|_| RequestError::Slow)?;
    let body = body.map_err(|_| RequestError::TooLarge)?;
    Ok(Request::from_parts(parts, Body::from(body)))
}

/// The response with the headers that all of them have.
pub(crate) fn hardened(mut response: Response) -> Response {
    for (name, value) in SECURITY_HEADERS {
        let name = HeaderName::from_static(name);
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Parts of the path, in order. Where a number is expected and none is there, there is no such route.
struct Wanted<T>(T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Wanted<T> {
    type Rejection = RequestError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RequestError> {
        let path = Path::from_request_parts(parts, state).await;
        path.map(|Path(wanted)| Self(wanted))
            .map_err(|_| no_route())
    }
}

/// The body of a request.
struct JsonBody<T>(T);

impl<T: RequestBody, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = RequestError;

    async fn from_request(request: Request, _: &S) -> Result<Self, RequestError> {
        let bytes = to_bytes(request.into_body(), LONGEST_BODY).await;
        let bytes = bytes.map_err(|_| RequestError::TooLarge)?;
        T::read(&bytes).map(Self).map_err(RequestError::bad)
    }
}

/// A route whose body becomes a request to the worker of a model.
fn about_model<T>(request: fn(T) -> ModelRequest) -> MethodRouter<Arc<Workspace>>
where
    T: RequestBody + Send + 'static,
{
    post(
        async move |State(workspace): SharedWorkspace,
                    Wanted(model),
                    delivery: Delivery,
                    JsonBody(body)| {
            ask_model(&workspace, model, request(body), delivery).await
        },
    )
}

/// The same with the number of a property.
fn about_property<T>(request: fn(usize, T) -> ModelRequest) -> MethodRouter<Arc<Workspace>>
where
    T: RequestBody + Send + 'static,
{
    post(
        async move |State(workspace): SharedWorkspace,
                    Wanted((model, property)),
                    delivery: Delivery,
                    JsonBody(body)| {
            ask_model(&workspace, model, request(property, body), delivery).await
        },
    )
}

async fn ask_model(
    workspace: &Arc<Workspace>,
    model: usize,
    request: ModelRequest,
    delivery: Delivery,
) -> RouteResult {
    let queue = &workspace.model(model)?.queue;
    if !request.needs_space() {
        // A state space that nobody has asked for yet can wait.
        queue.control.abandon(RequestId::Prefetch);
    }
    let answer = LongAnswer::request(workspace, queue, request);
    Ok(answer.deliver(delivery).await)
}

/// A route whose body becomes a request to the worker of an analysis.
fn about_analysis<T>(request: fn(T) -> AnalysisRequest) -> MethodRouter<Arc<Workspace>>
where
    T: RequestBody + Send + 'static,
{
    post(
        async move |State(workspace): SharedWorkspace,
                    Wanted(analysis),
                    delivery: Delivery,
                    JsonBody(body)| {
            ask_analysis(&workspace, analysis, request(body), delivery).await
        },
    )
}

async fn ask_analysis(
    workspace: &Arc<Workspace>,
    analysis: u64,
    request: AnalysisRequest,
    delivery: Delivery,
) -> RouteResult {
    let queue = workspace.analysis(analysis)?;
    let answer = LongAnswer::request(workspace, &queue, request);
    Ok(answer.deliver(delivery).await)
}

async fn about(State(workspace): SharedWorkspace) -> RequestAnswer {
    workspace.about().await.into()
}

async fn models(State(workspace): SharedWorkspace) -> RequestAnswer {
    workspace.models().into()
}

async fn cancel_request(
    State(workspace): SharedWorkspace,
    Wanted(id): Wanted<u64>,
) -> RequestAnswer {
    to_line(&CancelledAnswer {
        cancelled: workspace.cancel(id),
    })
    .into()
}

async fn follow_check(
    State(workspace): SharedWorkspace,
    Wanted(model): Wanted<usize>,
    delivery: Delivery,
) -> RouteResult {
    let answer = LongAnswer::check(workspace.model(model)?);
    Ok(answer.deliver(delivery).await)
}

async fn start_check(
    State(workspace): SharedWorkspace,
    Wanted(model): Wanted<usize>,
    delivery: Delivery,
    _: JsonBody<EmptyRequest>,
) -> RouteResult {
    let model = workspace.model(model)?;
    model.recheck();
    Ok(LongAnswer::check(model).deliver(delivery).await)
}

async fn cancel_check(
    State(workspace): SharedWorkspace,
    Wanted(model): Wanted<usize>,
) -> Result<RequestAnswer, RequestError> {
    let is_cancelled = workspace.model(model)?.cancel_check();
    Ok(to_line(&CancelledAnswer {
        cancelled: is_cancelled,
    })
    .into())
}

async fn property(
    State(workspace): SharedWorkspace,
    Wanted((model, property)): Wanted<(usize, usize)>,
    delivery: Delivery,
) -> RouteResult {
    let answer = LongAnswer::question(workspace.model(model)?, property);
    Ok(answer.deliver(delivery).await)
}

async fn export(
    State(workspace): SharedWorkspace,
    Wanted((model, property, format)): Wanted<(usize, usize, String)>,
    RawQuery(query): RawQuery,
    delivery: Delivery,
) -> RouteResult {
    let format = EvidenceFormat::named(&format);
    let format = format.ok_or_else(|| RequestError::missing("There is no such format."))?;
    let query = query.unwrap_or_default();
    let request = match number_in(&query, "instance")? {
        Some(instance) => ModelRequest::Instance(property, format, instance),
        None => {
            let run = number_in(&query, "run")?.unwrap_or(0);
            ModelRequest::Export(property, format, run)
        }
    };
    ask_model(&workspace, model, request, delivery).await
}

/// The number with a name in the query of an address, if it is there.
fn number_in(query: &str, name: &str) -> Result<Option<usize>, RequestError> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let number = pairs.find(|(given, _)| *given == name);
    let number = number.map(|(_, number)| number.parse()).transpose();
    number.map_err(|_| RequestError::bad("What should be a number in the address is none."))
}

async fn open_analysis(
    State(workspace): SharedWorkspace,
    Wanted((model, property)): Wanted<(usize, usize)>,
    delivery: Delivery,
    JsonBody(options): JsonBody<AnalyseRequest>,
) -> RouteResult {
    let queue = workspace.analyse(workspace.model(model)?, property, options);
    let answer = LongAnswer::request(&workspace, &queue, AnalysisRequest::Open);
    Ok(answer.deliver(delivery).await)
}

async fn close_analysis(
    State(workspace): SharedWorkspace,
    Wanted(id): Wanted<u64>,
) -> RequestAnswer {
    to_line(&ClosedAnswer {
        closed: workspace.close_analysis(id),
    })
    .into()
}

async fn named_queries(_: Wanted<u64>) -> RequestAnswer {
    to_line(&api::named_queries(&QUERIES)).into()
}

async fn export_analysis(
    State(workspace): SharedWorkspace,
    Wanted((analysis, format)): Wanted<(u64, String)>,
    delivery: Delivery,
) -> RouteResult {
    ask_analysis(
        &workspace,
        analysis,
        AnalysisRequest::Export(format),
        delivery,
    )
    .await
}

async fn page_file(Wanted(name): Wanted<String>) -> RouteResult {
    let file = asset(&name).ok_or_else(|| RequestError::missing("There is no such file."))?;
    Ok(([(CONTENT_TYPE, file.media)], file.text).into_response())
}
