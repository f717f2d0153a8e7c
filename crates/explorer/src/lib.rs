//! The web explorer: a server on the loopback interface that answers a page, and one-file reports.
//!
//! [`Explorer::start`] opens models, checks them in the background and serves the page and the API of
//! `docs/explorer-api.md`. Each model has a worker thread, which answers requests one after the other and
//! keeps the states of the model at hand. One more thread runs the HTTP server: it waits for answers, tells
//! progress, and stops work when the client goes away. [`report`] writes the same page with data inside.
//!
//! The server listens on the loopback interface only, expects a secret in every address, checks `Host` and
//! `Origin`, bounds what it reads, and opens no file but those it was started with.

pub mod report;

mod analysis;
mod auth;
mod backend;

mod choices;
mod delivery;
mod error;
mod export;
mod page;
mod profile;
mod queue;
mod request;
mod routes;
mod server;
mod stamp;
mod status;
mod worker;
mod workspace;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use wherefore_base::Budget;
use wherefore_driver::subjects::alloy::AnswerExtent;
use wherefore_driver::{Engine, Opening};

use server::Server;
use workspace::Workspace;

/// What is served, and how.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The models, in order.
    pub models: Vec<ModelFiles>,
    /// The property of the first model to start with, by its name.
    pub property: Option<String>,
    /// Formulas to check besides the properties of the first model.
    pub formulas: Vec<String>,
    /// How models are read.
    pub opening: Opening,
    /// The engine that checks them.
    pub engine: Engine,
    /// How far answers to the commands of Alloy models reach; none: a model that describes a transition system
    /// is explored state by state.
    pub extent: Option<AnswerExtent>,
    /// The port; 0: any that is free.
    pub port: u16,
    /// How many bytes may be in use while a model is at work.
    pub memory: Option<usize>,
    /// The command line, to be shown.
    pub command: String,
}

/// A model and the files of its properties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelFiles {
    /// The model.
    pub path: PathBuf,
    /// Files of properties, for labelled transition systems.
    pub properties: Vec<PathBuf>,
}

/// A server that is running; it stops when this is dropped.
pub struct Explorer {
    workspace: Arc<Workspace>,
    server: Server,
}

impl Explorer {
    /// Starts the server and the checks.
    ///
    /// # Errors
    /// When the port is taken, or no secret can be drawn.
    pub fn start(settings: Settings) -> io::Result<Self> {
        let port = settings.port;
        let workspace = Arc::new(Workspace::open(settings));
        let server = Server::start(port, Arc::clone(&workspace))?;
        Ok(Self { workspace, server })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The address of the page, with the secret.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Shows the budgets of all work, for instance to stop it when memory runs out.
    pub fn watch(&self, look: &mut dyn FnMut(&Budget)) {
        self.workspace.watch(look);
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        self.workspace.close();
    }
}
