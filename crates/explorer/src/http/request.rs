//! Reading a request.

use std::io::{self, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest head, in bytes.
const HEAD: usize = 16 << 10;
/// The longest body, in bytes.
const BODY: usize = 1 << 20;
/// The most header fields.
const FIELDS: usize = 64;
/// How long a whole request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

/// What is to be done with a resource.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Method {
    Get,
    Head,
    Post,
    Delete,
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// The parts of the path between slashes, decoded. A path that ends with a slash has an empty last part.
    pub(crate) path: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) host: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) manner: Manner,
    pub(crate) body: Vec<u8>,
}

/// How an answer is to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// When it is there, as it is.
    Whole,
    /// As the last line of a stream that tells progress.
    Lines,
    /// The same, but in pieces if it is long.
    Pieces,
}

/// Why there is no request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unreadable {
    /// Nobody is there any more, or nobody ever spoke.
    Gone,
    /// It is no request of HTTP/1.1 that is understood here.
    Bad(&'static str),
    /// The method is not known here.
    Method,
    /// The head or the body is too long.
    TooLarge,
    /// It did not arrive in time.
    Slow,
}

impl Request {
    /// Reads a request from a connection.
    pub(crate) fn read(stream: &mut TcpStream) -> Result<Self, Unreadable> {
        let mut source = Source {
            stream,
            until: Instant::now() + PATIENCE,
        };
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = find_end(&bytes) {
                break end;
            }
            if bytes.len() >= HEAD {
                return Err(Unreadable::TooLarge);
            }
            source.more(&mut bytes, HEAD)?;
        };
        if end > HEAD {
            return Err(Unreadable::TooLarge);
        }
        let head = std::str::from_utf8(&bytes[..end]);
        let head = head.map_err(|_| Unreadable::Bad("The head of the request is not UTF-8."))?;
        let (mut request, length) = Self::parse(head)?;
        if length > BODY {
            return Err(Unreadable::TooLarge);
        }
        let mut body = bytes.split_off(end + 4);
        while body.len() < length {
            source.more(&mut body, length)?;
        }
        body.truncate(length);
        request.body = body;
        Ok(request)
    }

    /// Reads a head, without the empty line at its end; returns the length of the body, too.
    fn parse(head: &str) -> Result<(Self, usize), Unreadable> {
        let mut lines = head.split("\r\n");
        let line = lines.next().unwrap_or_default();
        let mut words = line.split(' ');
        let (method, target, version) = (words.next(), words.next(), words.next());
        let (Some(method), Some(target), Some("HTTP/1.1" | "HTTP/1.0"), None) =
            (method, target, version, words.next())
        else {
            return Err(Unreadable::Bad("This is no request of HTTP/1.1."));
        };
        let method = match method {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            "DELETE" => Method::Delete,
            _ => return Err(Unreadable::Method),
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let Some(path) = path.strip_prefix('/') else {
            return Err(Unreadable::Bad("The path must begin with a slash."));
        };
        let wrong = Unreadable::Bad("The address is not well-formed.");
        let path = path.split('/').map(decoded).collect::<Option<Vec<_>>>();
        let query = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Some((decoded(name)?, decoded(value)?))
            });
        let mut request = Self {
            method,
            path: path.ok_or(wrong)?,
            query: query.collect::<Option<Vec<_>>>().ok_or(wrong)?,
            host: None,
            origin: None,
            manner: Manner::Whole,
            body: Vec::new(),
        };
        let mut length = None;
        for (at, line) in lines.enumerate() {
            if at >= FIELDS {
                return Err(Unreadable::TooLarge);
            }
            let Some((name, value)) = line.split_once(':') else {
                return Err(Unreadable::Bad("A header field has no colon."));
            };
            let value = value.trim();
            if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
                return Err(Unreadable::Bad(
                    "The name of a header field is not well-formed.",
                ));
            }
            request.take(&name.to_ascii_lowercase(), value, &mut length)?;
        }
        Ok((request, length.unwrap_or(0)))
    }

    /// Takes a header field.
    fn take(
        &mut self,
        name: &str,
        value: &str,
        length: &mut Option<usize>,
    ) -> Result<(), Unreadable> {
        let twice = Unreadable::Bad("A header field is given twice.");
        match name {
            "host" if self.host.is_some() => return Err(twice),
            "host" => self.host = Some(value.to_ascii_lowercase()),
            "origin" if self.origin.is_some() => return Err(twice),
            "origin" => self.origin = Some(value.to_ascii_lowercase()),
            "accept" => {
                let value = value.to_ascii_lowercase();
                if value.contains("application/x-ndjson;pieces=1") {
                    self.manner = Manner::Pieces;
                } else if value.contains("application/x-ndjson") {
                    self.manner = Manner::Lines;
                }
            }
            "content-length" if length.is_some() => return Err(twice),
            "content-length" => {
                let digits = !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit());
                // More digits than a number holds are too large, too.
                *length = match digits {
                    true => Some(value.parse().unwrap_or(usize::MAX)),
                    false => return Err(Unreadable::Bad("The length of the body is no number.")),
                };
            }
            "transfer-encoding" => {
                return Err(Unreadable::Bad("Bodies must come with their length."));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Where bytes come from, and until when.
struct Source<'s> {
    stream: &'s mut TcpStream,
    until: Instant,
}

impl Source<'_> {
    /// Adds what comes next, up to about so many bytes in all.
    fn more(&mut self, bytes: &mut Vec<u8>, most: usize) -> Result<(), Unreadable> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Unreadable::Slow);
        }
        let gone = |_| Unreadable::Gone;
        self.stream.set_read_timeout(Some(left)).map_err(gone)?;
        let mut piece = [0; 4096];
        let room = most.saturating_sub(bytes.len()).clamp(1, piece.len());
        match self.stream.read(&mut piece[..room]) {
            Ok(0) => Err(Unreadable::Gone),
            Ok(read) => {
                bytes.extend_from_slice(&piece[..read]);
                Ok(())
            }
            Err(error) if is_late(&error) => Err(Unreadable::Slow),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(_) => Err(Unreadable::Gone),
        }
    }
}

/// Whether a time-out has passed.
pub(super) fn is_late(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

/// Where the empty line after the head begins.
fn find_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|four| four == b"\r\n\r\n")
}

/// A part of an address with its escapes read; nothing if they are wrong, or hide what is no letter.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                let (high, low) = (digit(rest.next())?, digit(rest.next())?);
                bytes.push((high * 16 + low) as u8);
            }
            byte if byte.is_ascii_control() => return None,
            byte => bytes.push(byte),
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    (!text.contains(|c: char| c.is_control())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(head: &str) -> Result<(Request, usize), Unreadable> {
        Request::parse(head)
    }

    #[test]
    fn the_parts_of_an_address_are_decoded_one_by_one() {
        let (request, length) =
            parse("GET /a%2Fb/..%2f/c/?run=1&x=%C3%A4 HTTP/1.1\r\nHost: LOCALHOST:1")
                .expect("fine");
        assert_eq!(request.path, ["a/b", "../", "c", ""]);
        let query = request.query.iter().map(|(n, v)| (n.as_str(), v.as_str()));
        assert_eq!(query.collect::<Vec<_>>(), [("run", "1"), ("x", "ä")]);
        assert_eq!(request.host.as_deref(), Some("localhost:1"));
        assert_eq!(length, 0);
    }

    #[test]
    fn what_is_ambiguous_is_refused() {
        for head in [
            "GET / HTTP/2",
            "GET /",
            "GET  / HTTP/1.1",
            "GET a HTTP/1.1",
            "GET /%0 HTTP/1.1",
            "GET /%00 HTTP/1.1",
            "GET /%0d%0aSet-Cookie:%20a HTTP/1.1",
            "GET /%ff HTTP/1.1",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b",
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1",
            "GET / HTTP/1.1\r\nContent-Length: -1",
            "GET / HTTP/1.1\r\nContent-Length: +1",
            "GET / HTTP/1.1\r\nTransfer-Encoding: chunked",
            "GET / HTTP/1.1\r\nHost : a",
            "GET / HTTP/1.1\r\n folded",
            "GET / HTTP/1.1\r\n: a",
        ] {
            let read = parse(head);
            assert!(
                matches!(read, Err(Unreadable::Bad(_))),
                "{head:?}: {read:?}"
            );
        }
        assert_eq!(parse("BREW / HTTP/1.1").err(), Some(Unreadable::Method));
    }

    #[test]
    fn a_length_beyond_all_numbers_is_too_large_and_not_forgotten() {
        let head = format!("POST / HTTP/1.1\r\nContent-Length: {}", "9".repeat(40));
        let (_, length) = parse(&head).expect("it is a number");
        assert!(length > BODY);
    }

    #[test]
    fn there_are_not_more_header_fields_than_a_browser_sends() {
        let head = format!("GET / HTTP/1.1{}", "\r\nX: y".repeat(FIELDS + 1));
        assert_eq!(parse(&head).err(), Some(Unreadable::TooLarge));
    }
}
