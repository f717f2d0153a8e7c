//! The web explorer: a server on the loopback interface that answers a page, and one-file reports.
//!
//! [`Explorer::start`] opens models, checks them in the background and serves `docs/explorer-api.md` and
//! the page. Each model has a thread of its own, a `clerk`, which answers requests one after the other and
//! keeps the states of the model at hand; each connection has a thread that waits for an answer, tells
//! progress and notices when nobody waits any more. [`report`] writes the same page with data inside.
//!
//! The server is careful about who asks: it listens on the loopback interface, knows a secret that is part
//! of every address, checks `Host` and `Origin`, bounds what it reads, and opens no file but those it was
//! started with.

pub mod report;

mod alloy;
mod analysis;
mod ask;
mod board;
mod choices;
mod clerk;
mod door;
mod export;
mod house;
mod http;
mod live;
mod lts;
mod page;
mod problem;
mod routes;
mod server;
mod shift;
mod smv;
mod stamp;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use wherefore_base::Budget;
use wherefore_driver::subjects::alloy::Extent;
use wherefore_driver::{Engine, Opening};

use house::House;
use server::Server;

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
    /// Who looks at their states.
    pub engine: Engine,
    /// How far answers to the commands of Alloy models reach; none: a model that describes a transition system is
    /// looked at state by state.
    pub extent: Option<Extent>,
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
    house: Arc<House>,
    server: Server,
}

impl Explorer {
    /// Starts to serve, and to check.
    ///
    /// # Errors
    /// When the port is taken, or no secret can be drawn.
    pub fn start(settings: Settings) -> io::Result<Self> {
        let port = settings.port;
        let house = Arc::new(House::open(settings));
        let server = Server::start(port, Arc::clone(&house))?;
        Ok(Self { house, server })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.server.address()
    }

    /// The address of the page, with the secret.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Lets somebody look at the budgets of all work, for instance to stop it when memory runs out.
    pub fn watch(&self, look: &mut dyn FnMut(&Budget)) {
        self.house.watch(look);
    }
}

impl Drop for Explorer {
    fn drop(&mut self) {
        self.server.stop();
        self.house.close();
    }
}
