//! Writing a response.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::request::is_late;

/// The media type of documents.
const JSON: &str = "application/json; charset=utf-8";
/// The media type of streams.
const LINES: &str = "application/x-ndjson; charset=utf-8";

/// How long whoever asked may take to read a piece.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of a request that was refused is read before the connection is closed, and for how long.
const LINGER: (usize, Duration) = (4 << 20, Duration::from_millis(800));

/// What every response says: the page may load what this server has and nothing else, nobody may frame it,
/// guess types, learn addresses or keep copies.
const GUARDS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\n\
    Referrer-Policy: no-referrer\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Cache-Control: no-store\r\n\
    Connection: close\r\n";

/// A response that is known as a whole.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) media: &'static str,
    pub(crate) body: Vec<u8>,
    /// Further header lines, each with its line break.
    pub(crate) extra: String,
}

impl Response {
    /// A document.
    pub(crate) fn json(status: u16, text: String) -> Self {
        Self::new(status, JSON, text.into_bytes())
    }

    /// Anything.
    pub(crate) fn new(status: u16, media: &'static str, body: Vec<u8>) -> Self {
        Self {
            status,
            media,
            body,
            extra: String::new(),
        }
    }

    /// Writes it; a response to `HEAD` has no body.
    pub(crate) fn write(&self, stream: &mut TcpStream, bodiless: bool) -> io::Result<()> {
        let head = head(self.status, self.media, &self.extra);
        let head = format!("{head}Content-Length: {}\r\n\r\n", self.body.len());
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(head.as_bytes())?;
        if !bodiless {
            stream.write_all(&self.body)?;
        }
        stream.flush()
    }
}

/// A response whose lines come one after the other.
pub(crate) struct Stream<'s> {
    stream: &'s mut TcpStream,
}

impl<'s> Stream<'s> {
    /// Begins a stream.
    pub(crate) fn begin(stream: &'s mut TcpStream) -> io::Result<Self> {
        let head = head(200, LINES, "");
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        stream.write_all(format!("{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes())?;
        Ok(Self { stream })
    }

    /// Sends a line, which has its line break.
    pub(crate) fn send(&mut self, line: &str) -> io::Result<()> {
        let head = format!("{:x}\r\n", line.len());
        self.stream.write_all(head.as_bytes())?;
        self.stream.write_all(line.as_bytes())?;
        self.stream.write_all(b"\r\n")?;
        self.stream.flush()
    }

    /// Ends the stream.
    pub(crate) fn end(self) -> io::Result<()> {
        self.stream.write_all(b"0\r\n\r\n")?;
        self.stream.flush()
    }

    /// Whether nobody listens any more.
    pub(crate) fn is_gone(&self) -> bool {
        is_gone(self.stream)
    }
}

/// Whether whoever asked has closed the connection.
pub(crate) fn is_gone(stream: &TcpStream) -> bool {
    if stream
        .set_read_timeout(Some(Duration::from_millis(1)))
        .is_err()
    {
        return true;
    }
    match stream.peek(&mut [0]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => !is_late(&error) && error.kind() != io::ErrorKind::Interrupted,
    }
}

/// Closes a connection so that whoever asked can still read the response: what they are still sending is
/// read and thrown away, for a while.
pub(crate) fn linger(stream: &mut TcpStream) {
    let (most, time) = LINGER;
    let until = Instant::now() + time;
    let _ = stream.shutdown(Shutdown::Write);
    let mut piece = [0; 16 << 10];
    let mut read = 0;
    while read < most {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => return,
            Ok(n) => read += n,
        }
    }
}

fn head(status: u16, media: &str, extra: &str) -> String {
    let reason = match status {
        200 => "OK",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    };
    format!("HTTP/1.1 {status} {reason}\r\nContent-Type: {media}\r\n{GUARDS}{extra}")
}
