//! Requests: where to, how long, how much, and what an answer means.

use std::cell::Cell;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_rules::text::excerpt;
use tabiya_store::disk::why;
use thiserror::Error;
use ureq::http::{HeaderMap, header};
use ureq::{Agent, BodyReader, Timeout};

use crate::account::{Account, Site};
use crate::error::ImportError;
use crate::{Import, Progress};

/// The most redirects of one request.
const MAX_REDIRECTS: u32 = 5;

/// How often a pause checks whether it is to be stopped.
const STEP: Duration = Duration::from_millis(50);

/// Whom to ask: the site itself, or a program on this machine in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Scheme and host, as all addresses begin.
    base: String,
    /// The host, for people.
    host: String,
    is_local: bool,
}

/// Text that is not an address of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an address of this machine is expected, such as http://127.0.0.1:8000")]
pub struct NotLocal;

impl Origin {
    /// The site itself.
    #[must_use]
    pub fn of(site: Site) -> Origin {
        let host = match site {
            Site::Lichess => "lichess.org",
            Site::ChessCom => "api.chess.com",
        };
        Origin {
            base: format!("https://{host}"),
            host: host.to_owned(),
            is_local: false,
        }
    }

    /// The host, for people.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The path of an address at this origin; `None` for an address elsewhere.
    pub(crate) fn path<'a>(&self, address: &'a str) -> Option<&'a str> {
        let path = address.strip_prefix(&*self.base)?;
        path.starts_with('/').then_some(path)
    }
}

impl FromStr for Origin {
    type Err = NotLocal;

    fn from_str(text: &str) -> Result<Origin, NotLocal> {
        let host = text.strip_prefix("http://").ok_or(NotLocal)?;
        let host = host.strip_suffix('/').unwrap_or(host);
        let address: SocketAddr = host.parse().map_err(|_| NotLocal)?;
        let is_local = address.ip().is_loopback();
        let origin = || Origin {
            base: format!("http://{address}"),
            host: address.to_string(),
            is_local,
        };
        is_local.then(origin).ok_or(NotLocal)
    }
}

/// Ends an import from another thread, also while it waits for an answer.
#[derive(Clone, Debug, Default)]
pub struct Stopper {
    is_stopped: Arc<AtomicBool>,
    agent: Arc<Mutex<Option<Agent>>>,
}

impl Stopper {
    /// Ends the import.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::SeqCst);
        let agent = self.agent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(agent) = agent.clone() {
            agent.shutdown();
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }
}

/// Asks one site, one request at a time.
pub(crate) struct Http<'a> {
    agent: Agent,
    origin: &'a Origin,
    account: &'a Account,
    stopper: &'a Stopper,
    pause: Duration,
    read_timeout: Duration,
    window: Duration,
    max_bytes: u64,
    has_paused: Cell<bool>,
}

/// An answer.
pub(crate) enum Answer {
    /// What was asked for, with its tag.
    Body(Body, Option<String>),
    /// It is as it was with the tag of the request.
    Unchanged,
    /// There is no such thing.
    Missing,
}

/// What arrives after the head of an answer, decompressed, and no more than the limit.
pub(crate) struct Body {
    reader: BodyReader<'static>,
    left: u64,
    /// How long to wait for [`MIN_BYTES`].
    window: Duration,
    /// Since when so many bytes have arrived.
    since: (Instant, u64),
}

/// The least that arrives in a minute, in bytes.
const MIN_BYTES: u64 = 1024;

/// The error of a body that arrives too slowly.
#[derive(Debug, Error)]
#[error("too slow")]
struct TooSlow;

/// The error of a body that is longer than the limit.
#[derive(Debug, Error)]
#[error("too long")]
struct TooLong;

impl Read for Body {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => return Err(io::Error::other(TooLong)),
        }
        // The end is not late.
        if count == 0 {
            return Ok(0);
        }
        let (begun, bytes) = self.since;
        self.since.1 = bytes + count as u64;
        if begun.elapsed() >= self.window {
            if self.since.1 < MIN_BYTES {
                return Err(io::Error::other(TooSlow));
            }
            self.since = (Instant::now(), 0);
        }
        Ok(count)
    }
}

impl Http<'_> {
    pub(crate) fn new<'a>(import: &'a Import, stopper: &'a Stopper) -> Http<'a> {
        let origin = &import.origin;
        let config = Agent::config_builder()
            .user_agent(user_agent())
            .https_only(!origin.is_local)
            .http_status_as_error(false)
            // Where a redirect leads is checked here.
            .max_redirects(0)
            .timeout_resolve(Some(import.read_timeout))
            .timeout_connect(Some(import.read_timeout))
            .timeout_per_read(Some(import.read_timeout));
        // This machine is not asked through another one.
        let config = match origin.is_local {
            true => config.proxy(None),
            false => config,
        };
        let agent = config.build().new_agent();
        let mut stopped = stopper.agent.lock().unwrap_or_else(PoisonError::into_inner);
        *stopped = Some(agent.clone());
        drop(stopped);
        Http {
            agent,
            origin,
            account: &import.account,
            stopper,
            pause: import.pause,
            read_timeout: import.read_timeout,
            window: import.window,
            max_bytes: import.max_bytes,
            has_paused: Cell::new(false),
        }
    }

    /// Asks for a path of the site; with the tag of an earlier answer only if it has changed since.
    pub(crate) fn ask(
        &self,
        path: &str,
        accept: &str,
        tag: Option<&str>,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Answer, ImportError> {
        // It has been in a file, which anybody can write.
        let tag = tag.filter(|tag| is_tag(tag));
        let mut address = format!("{}{path}", self.origin.base);
        let mut redirects = 0;
        loop {
            self.check()?;
            let mut request = self.agent.get(&address).header(header::ACCEPT, accept);
            if let Some(tag) = tag {
                request = request.header(header::IF_NONE_MATCH, tag);
            }
            let answer = request.call().map_err(|error| self.no_answer(&error))?;
            match answer.status().as_u16() {
                200 => {
                    let tag = text(answer.headers(), header::ETAG).filter(|tag| is_tag(tag));
                    let reader = answer.into_body().into_reader();
                    let body = Body {
                        reader,
                        left: self.max_bytes,
                        window: self.window,
                        since: (Instant::now(), 0),
                    };
                    return Ok(Answer::Body(body, tag));
                }
                304 if tag.is_some() => return Ok(Answer::Unchanged),
                301 | 302 | 303 | 307 | 308 if redirects < MAX_REDIRECTS => {
                    redirects += 1;
                    address = self.redirected(answer.headers())?;
                }
                404 | 410 => return Ok(Answer::Missing),
                429 if !self.has_paused.replace(true) => {
                    // Its connection is closed first.
                    drop(answer);
                    self.wait(report)?;
                }
                429 => {
                    let host = self.host();
                    return Err(ImportError::TooManyRequests { host });
                }
                status => {
                    let host = self.host();
                    return Err(ImportError::Status { host, status });
                }
            }
        }
    }

    /// Fails if the import is stopped.
    pub(crate) fn check(&self) -> Result<(), ImportError> {
        match self.stopper.is_stopped() {
            true => Err(ImportError::Stopped),
            false => Ok(()),
        }
    }

    /// The error of a body that is not what it should be.
    pub(crate) fn not_understood(&self, expected: &'static str) -> ImportError {
        let host = self.host();
        ImportError::NotUnderstood { host, expected }
    }

    /// The error of a body that ends where it should not.
    pub(crate) fn cut(&self) -> ImportError {
        let (host, why) = (self.host(), "a game has no end".to_owned());
        ImportError::Cut { host, why }
    }

    /// The error of a body that could not be read to its end.
    pub(crate) fn broken(&self, error: &io::Error) -> ImportError {
        let inner = error.get_ref();
        if self.stopper.is_stopped() {
            return ImportError::Stopped;
        }
        if inner.is_some_and(|inner| inner.downcast_ref::<TooLong>().is_some()) {
            let (host, megabytes) = (self.host(), self.max_bytes.div_ceil(1_000_000));
            return ImportError::TooLong { host, megabytes };
        }
        if inner.is_some_and(|inner| inner.downcast_ref::<TooSlow>().is_some()) {
            let host = self.host();
            return ImportError::TooSlow { host };
        }
        let why = match inner.and_then(|inner| inner.downcast_ref()) {
            Some(ureq::Error::Timeout(_)) => return self.silent(),
            Some(error) => reason(error),
            None => why(error).to_string(),
        };
        let host = self.host();
        ImportError::Cut { host, why }
    }

    fn no_answer(&self, error: &ureq::Error) -> ImportError {
        if self.stopper.is_stopped() {
            return ImportError::Stopped;
        }
        if matches!(error, ureq::Error::Timeout(Timeout::PerRead)) {
            return self.silent();
        }
        let (host, why) = (self.host(), reason(error));
        ImportError::Unreachable { host, why }
    }

    fn silent(&self) -> ImportError {
        let (host, seconds) = (self.host(), self.read_timeout.as_secs());
        ImportError::Silent { host, seconds }
    }

    /// The error of a player whom the site does not know.
    pub(crate) fn unknown_player(&self) -> ImportError {
        let name = self.account.name().to_owned();
        let host = self.host();
        ImportError::UnknownPlayer { host, name }
    }

    /// Where a redirect leads, if that is at the same origin.
    fn redirected(&self, headers: &HeaderMap) -> Result<String, ImportError> {
        let to = text(headers, header::LOCATION).unwrap_or_default();
        let path = match to.starts_with('/') && !to.starts_with("//") {
            true => Some(&*to),
            false => self.origin.path(&to),
        };
        match path {
            Some(path) => Ok(format!("{}{path}", self.origin.base)),
            None => {
                let (host, to) = (self.host(), excerpt(&to));
                Err(ImportError::Redirect { host, to })
            }
        }
    }

    /// Waits for as long as a site that asks for fewer requests gets none.
    fn wait(&self, report: &mut dyn FnMut(Progress<'_>)) -> Result<(), ImportError> {
        let begun = Instant::now();
        while let Some(left) = self.pause.checked_sub(begun.elapsed()) {
            self.check()?;
            report(Progress::Waiting(left));
            thread::sleep(left.min(STEP));
        }
        Ok(())
    }

    fn host(&self) -> String {
        self.origin.host.clone()
    }
}

/// What the program calls itself: its name, its version, and where it comes from once that has an address.
fn user_agent() -> String {
    let program = concat!("tabiya/", env!("CARGO_PKG_VERSION"));
    match env!("CARGO_PKG_REPOSITORY") {
        "" => format!("{program} (fetches games for the player who runs it)"),
        address => format!("{program} (+{address})"),
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

/// Whether a tag can be stored in a line of a file and sent back.
fn is_tag(tag: &str) -> bool {
    tag.len() <= 200 && tag.chars().all(|c| c.is_ascii_graphic())
}

/// Why there is no answer, in plain words where possible.
fn reason(error: &ureq::Error) -> String {
    if let ureq::Error::Io(error) = error {
        return why(error).to_string();
    }
    if matches!(error, ureq::Error::HostNotFound) {
        return "its name is not known here".to_owned();
    }
    if matches!(error, ureq::Error::Timeout(_)) {
        return "it does not answer".to_owned();
    }
    excerpt(&error.to_string())
}
