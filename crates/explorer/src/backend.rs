//! Backends: models of each language, as the workers ask them.

pub(crate) mod alloy;
pub(crate) mod lts;
pub(crate) mod smt;
pub(crate) mod states;

use wherefore_base::Run;

use crate::error::RequestError;
use crate::request::ModelRequest;
use crate::worker::{LoopExit, ModelBackend, ModelWorker};
use states::StatesBackend;

/// The most runs or instances that one request asks for.
const MOST_RUNS: usize = 100;

/// Answers requests of a model whose states are not at hand. A request that is deferred is answered over
/// the part of the state space that shows an answer.
fn serve_with_parts<B: ModelBackend>(
    backend: &mut B,
    worker: &mut ModelWorker<'_>,
    part: impl Fn(&B, &mut ModelRequest) -> Result<StatesBackend, RequestError>,
) -> Run<LoopExit> {
    loop {
        let exit = worker.run(backend, &mut B::answer)?;
        if exit != LoopExit::Deferred {
            return Ok(exit);
        }
        match worker.pending().map(|request| part(backend, request)) {
            Some(Ok(mut part)) => {
                part.serve(&mut worker.for_pending())?;
            }
            Some(Err(error)) => worker.reply_pending(error),
            None => {}
        }
    }
}
