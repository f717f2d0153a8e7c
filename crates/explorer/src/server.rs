//! The HTTP server: connections on the loopback interface, with limits.
//!
//! hyper speaks HTTP/1.1 and [`routes`](crate::routes) answers. Here are the limits that neither of them
//! has: the number of connections, the size and the time of a head, the time a client may take to read.
//! A connection carries one request and is closed after its response.

use std::convert::Infallible;
use std::io::Cursor;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{HttpService, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutWriter;

use crate::auth::Auth;
use crate::error::RequestError;
use crate::routes::{hardened, router};
use crate::workspace::Workspace;

/// The most connections that are served at once.
const MOST_CONNECTIONS: usize = 64;
/// The longest head, in bytes.
const LONGEST_HEAD: usize = 16 << 10;
/// The most header fields.
const MOST_FIELDS: usize = 64;
/// How long a head or a body may take to arrive, and how long a client may take to read some bytes.
pub(crate) const CLIENT_PATIENCE: Duration = Duration::from_secs(10);
/// The pause after the system had no connection to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How many bytes of a request that was refused are read before the connection is closed.
const LINGER_BYTES: u64 = 4 << 20;
/// How long they are read.
const LINGER_TIME: Duration = Duration::from_millis(800);

/// A server that is running; it stops when this is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    auth: Arc<Auth>,
    /// Dropping it ends the runtime and with it all connections.
    _shutdown: oneshot::Sender<()>,
}

impl Server {
    /// Listens on a port of the loopback interface.
    ///
    /// # Errors
    /// When the port is taken, or the system has no random numbers.
    pub(crate) fn start(port: u16, workspace: Arc<Workspace>) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let auth = Arc::new(Auth::new(address.port())?);
        let router = router(workspace, Arc::clone(&auth));
        let (shutdown, ended) = oneshot::channel();
        thread::spawn(move || {
            runtime.spawn(accept(listener, router));
            let _ = runtime.block_on(ended);
            runtime.shutdown_background();
        });
        Ok(Self {
            address,
            auth,
            _shutdown: shutdown,
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, with the secret.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.auth.secret())
    }
}

/// Accepts connections for ever.
async fn accept(listener: TcpListener, router: Router) {
    let slots = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let slot = Arc::clone(&slots).try_acquire_owned();
        let router = router.clone();
        tokio::spawn(async move {
            match slot {
                Ok(_slot) => serve(stream, router).await,
                Err(_) => refuse(stream, RequestError::TooManyConnections).await,
            }
        });
    }
}

/// Serves the request of a connection.
async fn serve(mut stream: TcpStream, router: Router) {
    let head = timeout(CLIENT_PATIENCE, read_head(&mut stream)).await;
    match head.unwrap_or(Err(RequestError::Slow)) {
        Ok(head) => converse(stream, head, TowerToHyperService::new(router)).await,
        Err(error) => refuse(stream, error).await,
    }
}

/// Reads until the head of a request is complete; what follows it may be read, too.
///
/// hyper would bound it as well, but answers with other statuses and without a document.
async fn read_head(stream: &mut TcpStream) -> Result<Vec<u8>, RequestError> {
    let mut bytes = Vec::with_capacity(LONGEST_HEAD);
    loop {
        let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
        match httparse::Request::new(&mut fields).parse(&bytes) {
            Ok(httparse::Status::Complete(length)) if length <= LONGEST_HEAD => return Ok(bytes),
            Ok(httparse::Status::Partial) if bytes.len() < LONGEST_HEAD => {}
            Ok(_) | Err(httparse::Error::TooManyHeaders) => return Err(RequestError::TooLarge),
            Err(error) => {
                let why = format!("This is no request of HTTP/1.1: {error}.");
                return Err(RequestError::bad(why));
            }
        }
        if !matches!(stream.read_buf(&mut bytes).await, Ok(1..)) {
            return Err(RequestError::bad("The request ends before its head does."));
        }
    }
}

/// Answers a connection with an error, whatever its request is.
async fn refuse(stream: TcpStream, error: RequestError) {
    let service = service_fn(|_: Request<Incoming>| {
        let response = hardened(error.clone().into_response());
        async { Ok::<_, Infallible>(response) }
    });
    // The request itself is incomplete or wrong, so another one stands in for it.
    converse(stream, b"GET / HTTP/1.1\r\n\r\n".to_vec(), service).await;
}

/// Has hyper answer the request that begins with these bytes, and closes the connection.
async fn converse<S>(stream: TcpStream, begun: Vec<u8>, service: S)
where
    S: HttpService<Incoming, ResBody = Body>,
    S::Error: std::error::Error + Send + Sync,
{
    // Lines of a stream are sent at once.
    let _ = stream.set_nodelay(true);
    let (read, write) = stream.into_split();
    let mut write = TimeoutWriter::new(write);
    write.set_timeout(Some(CLIENT_PATIENCE));
    let io = tokio::io::join(Cursor::new(begun).chain(read), Box::pin(write));
    let mut connection = http1::Builder::new()
        .keep_alive(false)
        .title_case_headers(true)
        .max_headers(MOST_FIELDS)
        .serve_connection(TokioIo::new(io), service);
    // An error means that the client is gone, and it is not missed.
    let _ = (&mut connection).await;
    let (read, _write) = connection.into_parts().io.into_inner().into_inner();
    linger(read).await;
}

/// Reads what the client is still sending, for a while. If the connection were closed before, the system
/// would reset it, and the client might never see the response.
async fn linger(stream: impl AsyncRead + Unpin) {
    let mut rest = stream.take(LINGER_BYTES);
    let _ = timeout(
        LINGER_TIME,
        tokio::io::copy(&mut rest, &mut tokio::io::sink()),
    )
    .await;
}
