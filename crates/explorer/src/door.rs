//! The door: who may come in.
//!
//! A page of somebody else that a browser on this machine has open can send requests to every port of it.
//! It cannot read our address, so it does not know the secret; and a browser tells us where a page comes
//! from (`Origin`) and under which name it thinks to speak to us (`Host`), so neither a foreign page nor a
//! foreign name that leads here gets in.

use std::io;

use crate::http::Request;

/// How many random bytes the secret has.
const BYTES: usize = 32;

/// The secret of a server, and its names.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    secret: String,
    /// The values of `Host` that mean this server.
    hosts: Vec<String>,
}

impl Door {
    /// A door with a new secret, for a port.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(crate) fn new(port: u16) -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        let secret = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        Ok(Self {
            secret,
            hosts: hosts.to_vec(),
        })
    }

    /// The secret, as it stands in addresses.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// Why a request may not come in; nothing when it may. A request that may begins with the secret.
    pub(crate) fn refuses(&self, request: &Request) -> Option<&'static str> {
        let ours = |name: &str| self.hosts.iter().any(|host| host == name);
        if !request.host.as_deref().is_some_and(ours) {
            return Some("The request is for another host.");
        }
        if let Some(origin) = &request.origin {
            let same = origin.strip_prefix("http://").is_some_and(ours);
            if !same {
                return Some("The request comes from another page.");
            }
        }
        let given = request.path.first().map_or("", String::as_str);
        match same(given.as_bytes(), self.secret.as_bytes()) {
            true => None,
            false => {
                Some("The address has no valid secret. Use the one that `wherefore open` printed.")
            }
        }
    }
}

/// Whether two texts are the same; how long it takes tells nothing about where they differ.
fn same(given: &[u8], secret: &[u8]) -> bool {
    let mut differences = u8::from(given.len() != secret.len());
    for (at, byte) in secret.iter().enumerate() {
        differences |= byte ^ given.get(at).copied().unwrap_or(0);
    }
    differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Method;

    fn request(host: &str, origin: Option<&str>, first: &str) -> Request {
        Request {
            method: Method::Get,
            path: vec![first.to_string(), "api".to_string()],
            query: vec![],
            host: Some(host.to_string()),
            origin: origin.map(str::to_string),
            manner: crate::http::Manner::Whole,
            body: vec![],
        }
    }

    #[test]
    fn only_who_knows_the_secret_and_comes_from_here_gets_in() {
        let door = Door::new(7).expect("there are random numbers");
        let secret = door.secret().to_string();
        assert_eq!(secret.len(), 2 * BYTES);
        let refused = |host: &str, origin: Option<&str>, first: &str| {
            door.refuses(&request(host, origin, first)).is_some()
        };
        assert!(!refused("127.0.0.1:7", None, &secret));
        assert!(!refused("localhost:7", Some("http://localhost:7"), &secret));
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
    fn every_server_has_another_secret() {
        let secrets = [Door::new(7), Door::new(7)].map(|door| door.expect("random").secret);
        assert_ne!(secrets[0], secrets[1]);
    }
}
