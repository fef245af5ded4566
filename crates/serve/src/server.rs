//! Listening, limits on connections, and shutting down.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tabiya_play::threads::{self, NoThread};
use tabiya_store::disk;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::{Sleep, sleep};

use crate::addresses;
use crate::config::{Config, Limits};
use crate::disk_threads::DiskThreads;
use crate::engines::Engines;
use crate::links;
use crate::lobby::{Lobby, LobbyError};
use crate::rates::{self, Bucket};
use crate::running::Running;
use crate::task::{Message, Rematch, Shared};
use crate::web::access::Peer;
use crate::web::{self, Web};

/// The largest head of a request, in bytes.
const MAX_HEAD_SIZE: usize = 16 * 1024;
/// How many rematches may wait until they are begun.
const MAX_WAITING_REMATCHES: usize = 256;
/// How long connections may take to close at the end.
const CLOSING_TIME: Duration = Duration::from_millis(300);

/// Why a server cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// It cannot listen on the address.
    #[error("cannot listen on {address}: {}", listening(.why))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        why: io::Error,
    },
    /// The system refuses threads.
    #[error("the server cannot start: {0}")]
    Threads(io::Error),
    /// The saved games cannot be read.
    #[error("{0}")]
    Games(String),
    /// Another server runs the games of the folder.
    #[error(
        "another server runs the games in {} already. Stop it first, or start both with --share, as docs/serve.md says",
        .0.display()
    )]
    Running(PathBuf),
}

fn unusable(folder: &Path, why: &io::Error) -> ServeError {
    let why = disk::why(why);
    ServeError::Games(format!("{} cannot be used: {why}", folder.display()))
}

/// Why an address cannot be listened on, in plain words.
fn listening(why: &io::Error) -> String {
    if why.kind() == io::ErrorKind::AddrInUse {
        return "another program listens there already; choose another port".to_owned();
    }
    disk::why(why).to_string()
}

impl From<NoThread> for ServeError {
    fn from(none: NoThread) -> ServeError {
        ServeError::Threads(none.into())
    }
}

impl From<LobbyError> for ServeError {
    fn from(error: LobbyError) -> ServeError {
        ServeError::Games(error.to_string())
    }
}

/// A server that is listening.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    parts: ServerParts,
    stop: watch::Sender<bool>,
}

struct ServerParts {
    listener: TcpListener,
    address: SocketAddr,
    web: Arc<Web>,
    limits: Limits,
    running: Running,
}

impl ServerParts {
    /// Listens on the address, and opens the saved games.
    async fn open(
        config: Config,
        engines: Engines,
        disk: DiskThreads,
        running: Running,
    ) -> Result<ServerParts, ServeError> {
        let limits = config.limits.clone();
        let address = config.listen;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|why| ServeError::Listen { address, why })?;
        let address = listener.local_addr().unwrap_or(address);
        let (rematches, wanted) = mpsc::channel(MAX_WAITING_REMATCHES);
        let shared = Arc::new(Shared {
            config,
            engines,
            disk,
            origin: Instant::now(),
            rematches,
        });
        let lobby = Lobby::open(shared).await?;
        let web = Arc::new(Web::new(lobby, address));
        tokio::spawn(begin_rematches(Arc::clone(&web), wanted));
        Ok(ServerParts {
            listener,
            address,
            web,
            limits,
            running,
        })
    }
}

impl std::fmt::Debug for ServerParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServerParts")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

/// Ends a server, from any thread.
#[derive(Clone, Debug)]
pub struct ShutdownHandle(watch::Sender<bool>);

impl ShutdownHandle {
    /// Tells the server to save every game and end.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Opens the saved games, and starts to listen.
    ///
    /// # Errors
    /// The address is taken, or the folder cannot be used.
    pub fn start(config: Config) -> Result<Server, ServeError> {
        raise_file_limit();
        let limits = &config.limits;
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        // Those of the runtime and of the engines, one for the disk, and one for signals, which the program starts.
        check_threads(workers + limits.engine_threads.max(1) + 2)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(workers)
            .enable_io()
            .enable_time()
            .build()
            .map_err(ServeError::Threads)?;
        let running = links::make_folders(&config.folder)
            .and_then(|()| Running::lock(&config.folder, config.share))
            .map_err(|why| unusable(&config.folder, &why))?
            .ok_or_else(|| ServeError::Running(config.folder.clone()))?;
        let engines = Engines::start(limits)?;
        let disk = DiskThreads::start()?;
        let parts = runtime.block_on(ServerParts::open(config, engines, disk, running))?;
        let (stop, _) = watch::channel(false);
        Ok(Server {
            runtime,
            parts,
            stop,
        })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.parts.address
    }

    /// The address with the one-time token, or `None` after it has been used.
    pub fn entry(&self) -> Option<String> {
        self.entries().into_iter().next()
    }

    /// The same for each address of this machine, if the server listens on all of them; those that others may reach come
    /// first. The links of games begin with the address by which the host has come.
    pub fn entries(&self) -> Vec<String> {
        let Some(token) = self.parts.web.lobby.one_time_token() else {
            return Vec::new();
        };
        let bases = match &self.parts.web.lobby.shared.config.public {
            Some(public) => vec![public.to_string()],
            None => addresses::reaching(self.parts.address),
        };
        let entry = |base| format!("{base}/#{}", token.reveal());
        bases.into_iter().map(entry).collect()
    }

    /// Returns a handle that can end the server.
    pub fn shutdown_handle(&self) -> ShutdownHandle {
        ShutdownHandle(self.stop.clone())
    }

    /// Serves until it is told to stop. Returns after all games have been saved.
    pub fn run(self) {
        let Server {
            runtime,
            parts,
            stop,
        } = self;
        let running = runtime.block_on(serve(parts, stop.subscribe()));
        runtime.shutdown_timeout(CLOSING_TIME);
        // Another server may take the games now.
        drop(running);
    }
}

/// Begins the games that players have agreed on.
async fn begin_rematches(web: Arc<Web>, mut wanted: mpsc::Receiver<Rematch>) {
    while let Some(rematch) = wanted.recv().await {
        let after = rematch.after.clone();
        let made = web.lobby.create_rematch(rematch).await;
        // The previous game may no longer be in memory.
        let _ = after.send(Message::Next(made.ok())).await;
    }
}

/// Accepts connections until the server is told to stop, and then saves all games.
async fn serve(parts: ServerParts, mut stopped: watch::Receiver<bool>) -> Running {
    let router = web::router(&parts.web);
    let counts = Arc::new(ConnectionCounts::new(&parts.limits));
    loop {
        let accepted = tokio::select! {
            accepted = parts.listener.accept() => accepted,
            () = wait_for_shutdown(&mut stopped) => break,
        };
        let Ok((stream, peer)) = accepted else {
            // There are no file descriptors left, or the client is gone already. Other clients are served meanwhile.
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let Some(place) = counts.take(peer.ip()) else {
            continue;
        };
        // Messages are small, and must not wait until there are more of them.
        let _ = stream.set_nodelay(true);
        let stream = CountedStream {
            stream,
            patience: parts.limits.patience,
            stalled: None,
            received: Arc::default(),
            _place: place,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = serve_connection(stream, peer.ip(), service, parts.limits.clone());
        let mut end = stopped.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = connection => {}
                () = wait_for_shutdown(&mut end) => sleep(CLOSING_TIME).await,
            }
        });
    }
    parts.web.lobby.end().await;
    sleep(CLOSING_TIME).await;
    parts.running
}

/// Waits until the server is told to stop.
async fn wait_for_shutdown(stopped: &mut watch::Receiver<bool>) {
    // Without a sender nobody can stop the server, and it goes on.
    if stopped.wait_for(|stopped| *stopped).await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A connection that counts until it is closed, even after it has become a WebSocket. Writing fails if the client has not
/// read for too long.
struct CountedStream {
    stream: TcpStream,
    patience: Duration,
    /// Runs while nothing can be written, because the client does not read.
    stalled: Option<Pin<Box<Sleep>>>,
    received: Arc<Received>,
    _place: ConnectionSlot,
}

/// How many bytes a client may still send, once its connection is a WebSocket. The messages are counted elsewhere, but what is
/// not a message takes work too, such as fragments without an end.
type Received = OnceLock<Mutex<Bucket>>;

/// As many bytes as the messages of a client can have, with their heads.
fn bytes_of_messages(limits: &Limits) -> Mutex<Bucket> {
    const FRAME_HEAD: usize = 14;
    let bytes = (limits.messages as usize).saturating_mul(limits.message_bytes + FRAME_HEAD);
    Mutex::new(Bucket::new(u32::try_from(bytes).unwrap_or(u32::MAX)))
}

impl CountedStream {
    /// Passes on the result of a write, or fails if the client has not read for too long.
    fn limit_stall(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let patience = self.patience;
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        stalled
            .as_mut()
            .poll(cx)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for CountedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let count = buffer.filled().len() - before;
        let allowed = self.received.get().is_none_or(|bytes| {
            let mut bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
            bytes.take_many(count)
        });
        match allowed {
            true => read,
            false => Poll::Ready(Err(io::ErrorKind::QuotaExceeded.into())),
        }
    }
}

impl AsyncWrite for CountedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.limit_stall(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.limit_stall(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Serves the requests of a connection, until it is closed or becomes a WebSocket.
async fn serve_connection(
    stream: CountedStream,
    peer: IpAddr,
    service: TowerToHyperService<axum::Router>,
    limits: Limits,
) {
    let received = Arc::clone(&stream.received);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.patience)
        .max_buf_size(MAX_HEAD_SIZE);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        let (answer, received) = (service.call(request), Arc::clone(&received));
        let bytes = bytes_of_messages(&limits);
        async move {
            let answer = answer.await?;
            if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
                // It happens once for a connection.
                let _ = received.set(bytes);
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let connection = builder
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // Errors of a client are answered to the client, and need not be logged.
    let _ = connection.await;
}

/// Counts the connections: all of them, and those of each address.
struct ConnectionCounts {
    all: usize,
    of_one: usize,
    open: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

/// One counted connection.
struct ConnectionSlot {
    counts: Arc<ConnectionCounts>,
    /// The address that it counts for, unless it is on this machine.
    client: Option<IpAddr>,
}

impl ConnectionCounts {
    fn new(limits: &Limits) -> ConnectionCounts {
        ConnectionCounts {
            all: limits.connections,
            of_one: limits.connections_of_one,
            open: Mutex::default(),
        }
    }

    fn take(self: &Arc<ConnectionCounts>, peer: IpAddr) -> Option<ConnectionSlot> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let client = rates::counted_address(peer);
        let here = client.and_then(|client| open.1.get(&client).copied());
        let here = here.unwrap_or(0);
        if open.0 >= self.all || (client.is_some() && here >= self.of_one) {
            return None;
        }
        open.0 += 1;
        if let Some(client) = client {
            open.1.insert(client, here + 1);
        }
        drop(open);
        Some(ConnectionSlot {
            counts: Arc::clone(self),
            client,
        })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut open = self
            .counts
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        open.0 -= 1;
        let Some(client) = self.client else { return };
        if let Some(here) = open.1.get_mut(&client) {
            *here -= 1;
            if *here == 0 {
                open.1.remove(&client);
            }
        }
    }
}

/// Checks that the system allows so many threads. The runtime would panic if it got none for itself.
fn check_threads(count: usize) -> Result<(), NoThread> {
    let gate = Arc::new(Mutex::new(()));
    let closed = gate.lock().unwrap_or_else(PoisonError::into_inner);
    let wait = |_| {
        let gate = Arc::clone(&gate);
        threads::spawn(move || drop(gate.lock()))
    };
    let (started, refused): (Vec<_>, Vec<_>) = (0..count).map(wait).partition(Result::is_ok);
    drop(closed);
    for thread in started.into_iter().flatten() {
        // It does nothing that could panic.
        let _ = thread.join();
    }
    match refused.is_empty() {
        true => Ok(()),
        false => Err(NoThread),
    }
}

/// Raises the limit on open files: every connection is one, and every game two.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        let wanted = Rlimit {
            current: maximum,
            maximum,
        };
        // If this fails, there can be fewer connections, and the system refuses the others.
        let _ = setrlimit(Resource::Nofile, wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An address elsewhere has its own limit; this machine has only the limit in all.
    #[test]
    fn one_address_elsewhere_does_not_take_all_connections() {
        let limits = Limits {
            connections: 5,
            connections_of_one: 2,
            ..Limits::default()
        };
        let counts = Arc::new(ConnectionCounts::new(&limits));
        let far = IpAddr::from([192, 0, 2, 1]);
        let places = [counts.take(far), counts.take(far)];
        assert!(places.iter().all(Option::is_some));
        assert!(counts.take(far).is_none());
        let other = counts.take(IpAddr::from([192, 0, 2, 2]));
        assert!(other.is_some());
        drop(places);
        let again = counts.take(far);
        assert!(again.is_some(), "places come free again");
        let near = IpAddr::from([127, 0, 0, 1]);
        let here: Vec<_> = (0..3).map(|_| counts.take(near)).collect();
        assert!(here.iter().all(Option::is_some));
        assert!(counts.take(near).is_none(), "five in all");
        drop((other, again, here));
        // All addresses of an IPv6 network count as one.
        let of_network = |last| IpAddr::from([0x2001, 0xdb8, 1, 2, 3, 4, 5, last]);
        let places = [counts.take(of_network(1)), counts.take(of_network(2))];
        assert!(places.iter().all(Option::is_some));
        assert!(counts.take(of_network(3)).is_none());
    }
}
