//! As much of HTTP/1.1 as a page on the same machine needs: one request for each connection.
//!
//! A connection carries one request and is closed after its response. That keeps what can go wrong small:
//! there is no pipelining, no upgrade, no chunked request. Heads, bodies and the time they may take are
//! bounded.

mod request;
mod response;

pub(crate) use request::{Manner, Method, Request, Unreadable};
pub(crate) use response::{Response, Stream, is_gone, linger};
