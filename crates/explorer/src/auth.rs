//! Authentication: whose requests are answered.
//!
//! A foreign page that a browser on this machine has open can send requests to every port of it. It cannot
//! read the address of the explorer, so it does not know the secret in it. The browser also says where a
//! page comes from (`Origin`) and under which name it addresses the server (`Host`), so neither a foreign
//! page nor a foreign name that resolves to this machine is let in.

use std::io;

use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::request::Parts;

use crate::error::RequestError;

/// The number of random bytes in the secret.
const SECRET_BYTES: usize = 32;

/// The secret of a server, and its names.
#[derive(Clone, Debug)]
pub(crate) struct Auth {
    secret: String,
    /// The values of `Host` that mean this server.
    hosts: [String; 2],
}

impl Auth {
    /// A new secret for the server at a port.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        let mut bytes = [0; SECRET_BYTES];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self {
            secret: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            hosts: ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}")),
        })
    }

    /// The secret, as it stands in addresses.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// Checks the host, the origin and the secret of a request.
    ///
    /// # Errors
    /// When one of them is wrong.
    pub(crate) fn check(&self, request: &Parts) -> Result<(), RequestError> {
        let values = |name: HeaderName| {
            let values = request.headers.get_all(name).into_iter();
            values.map(|value| value.to_str().unwrap_or_default().to_ascii_lowercase())
        };
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours == host);
        // A header that is given twice may be read differently by somebody in between.
        let hosts: Vec<String> = values(HOST).collect();
        if hosts.len() != 1 || !is_ours(&hosts[0]) {
            return Err(RequestError::Forbidden("The request is for another host."));
        }
        let same_origin = |origin: String| origin.strip_prefix("http://").is_some_and(is_ours);
        if !values(ORIGIN).all(same_origin) {
            let why = "The request comes from another page.";
            return Err(RequestError::Forbidden(why));
        }
        let path = request.uri.path();
        let given = path.split('/').nth(1).unwrap_or_default();
        if !is_equal(given.as_bytes(), self.secret.as_bytes()) {
            let why = "The address has no valid secret. Use the one that `wherefore open` printed.";
            return Err(RequestError::Forbidden(why));
        }
        Ok(())
    }
}

/// Whether two texts are equal. The time it takes does not depend on where they differ.
fn is_equal(given: &[u8], secret: &[u8]) -> bool {
    let mut differences = u8::from(given.len() != secret.len());
    for (at, byte) in secret.iter().enumerate() {
        differences |= byte ^ given.get(at).copied().unwrap_or(0);
    }
    differences == 0
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[test]
    fn only_who_knows_the_secret_and_comes_from_here_gets_in() {
        let auth = Auth::new(7).expect("there are random numbers");
        let secret = auth.secret().to_string();
        assert_eq!(secret.len(), 2 * SECRET_BYTES);
        let refused = |host: &str, origin: Option<&str>, first: &str| {
            let mut request = Request::get(format!("/{first}/api")).header(HOST, host);
            if let Some(origin) = origin {
                request = request.header(ORIGIN, origin);
            }
            let (parts, ()) = request.body(()).expect("a request").into_parts();
            auth.check(&parts).is_err()
        };
        assert!(!refused("127.0.0.1:7", None, &secret));
        assert!(!refused("localhost:7", Some("http://localhost:7"), &secret));
        assert!(!refused("LOCALHOST:7", None, &secret));
        assert!(refused("evil.example:7", None, &secret));
        assert!(refused("127.0.0.1:8", None, &secret));
        assert!(refused("127.0.0.1", None, &secret));
        assert!(refused("127.0.0.1:7", Some("http://evil.example"), &secret));
        assert!(refused("127.0.0.1:7", Some("https://127.0.0.1:7"), &secret));
        assert!(refused("127.0.0.1:7", Some("null"), &secret));
        assert!(refused("127.0.0.1:7", None, ""));
        assert!(refused("127.0.0.1:7", None, &secret[1..]));
        assert!(refused("127.0.0.1:7", None, &format!("{secret}0")));
    }

    #[test]
    fn a_host_that_is_given_twice_is_none() {
        let auth = Auth::new(7).expect("there are random numbers");
        let request = Request::get(format!("/{}/", auth.secret()));
        let request = request.header(HOST, "localhost:7").header(HOST, "b:7");
        let (parts, ()) = request.body(()).expect("a request").into_parts();
        assert!(auth.check(&parts).is_err());
    }

    #[test]
    fn every_server_has_another_secret() {
        let secrets = [Auth::new(7), Auth::new(7)].map(|auth| auth.expect("random").secret);
        assert_ne!(secrets[0], secrets[1]);
    }
}
