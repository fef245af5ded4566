//! The sessions of the host: a secret for each browser or program that has opened the printed address, stored as SHA-256.
//!
//! A secret is replaced from time to time ([`Sessions::renew`]). The old one is valid until the new one is used for the
//! first time, because the answer with the new one may get lost. Whoever uses it after that has copied it, so the session
//! ends. Servers that share a folder share the sessions: a file that has changed is read again.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tabiya_store::disk::{self, Disk, SystemDisk};
use thiserror::Error;

use crate::json;
use crate::private;
use crate::token::{Digest, NoRandom, Secret};

/// The most sessions; a new one replaces the one that was renewed the longest time ago.
const MAX_SESSIONS: usize = 64;
/// A session ends if it was not renewed for so long.
const MAX_AGE: Duration = Duration::from_secs(365 * 24 * 3600);
/// Requests that were on their way when the new secret was used for the first time do not end the session.
const IN_FLIGHT: Duration = Duration::from_secs(10);
/// A new secret is not replaced by another one for so long, so that two tabs do not get two.
const OFFER_TIME: Duration = Duration::from_secs(60);
/// How many earlier secrets of a session are recognized.
const MAX_OLD_SECRETS: usize = 8;
/// The largest file that is read.
const MAX_FILE_SIZE: u64 = 1 << 20;
/// How long to wait for another server that writes the file.
const LOCK_TRIES: u32 = 200;
const LOCK_WAIT: Duration = Duration::from_millis(10);

/// Why sessions cannot be changed.
#[derive(Debug, Error)]
pub(crate) enum SessionError {
    #[error("The sessions of the host cannot be saved: {}.", disk::why(.0))]
    File(#[from] io::Error),
    #[error(transparent)]
    NoRandom(#[from] NoRandom),
}

/// The sessions of the host.
#[derive(Debug)]
pub(crate) struct Sessions {
    path: PathBuf,
    renewed_after: Duration,
    known: Mutex<Known>,
}

/// The sessions as they were read last, and the file that they were read from.
#[derive(Debug, Default)]
struct Known {
    file: Option<Stamp>,
    sessions: Vec<Session>,
}

/// What tells one version of the file from another.
type Stamp = (SystemTime, u64, u64);

#[derive(Clone, Debug)]
struct Session {
    current: Digest,
    /// A new secret that was not used yet, and when it was given out.
    next: Option<(Digest, SystemTime)>,
    old: Vec<Digest>,
    /// When the current secret was used for the first time.
    since: SystemTime,
}

/// What a secret is good for.
enum Found {
    Current,
    /// It is used for the first time.
    Next(usize),
    /// It was replaced.
    Old(usize),
    Nothing,
}

impl Sessions {
    pub(crate) fn open(folder: &Path, renewed_after: Duration) -> Sessions {
        Sessions {
            path: folder.join("sessions.json"),
            renewed_after,
            known: Mutex::default(),
        }
    }

    /// Begins a session, and returns its secret.
    pub(crate) fn begin(&self) -> Result<Secret, SessionError> {
        let secret = Secret::random()?;
        self.change(|sessions| {
            let now = SystemTime::now();
            sessions.retain(|session| time_between(session.since, now) < MAX_AGE);
            sessions.sort_by_key(|session| session.since);
            sessions.drain(..(sessions.len() + 1).saturating_sub(MAX_SESSIONS));
            sessions.push(Session {
                current: secret.digest(),
                next: None,
                old: Vec::new(),
                since: now,
            });
        })?;
        Ok(secret)
    }

    /// Whether a secret is that of a session. A new secret replaces the old one here; an old one that is used again ends
    /// its session.
    pub(crate) fn accepts(&self, secret: &Secret) -> bool {
        let digest = secret.digest();
        match self.read(|sessions| find(sessions, &digest)) {
            Found::Current => true,
            Found::Nothing => false,
            Found::Next(_) => {
                let replaced = self.change(|sessions| {
                    if let Found::Next(at) = find(sessions, &digest) {
                        sessions[at].replace(digest.clone());
                    }
                });
                // If it cannot be saved, the old secret stays valid too.
                replaced.is_ok() || self.is_valid(&digest)
            }
            Found::Old(_) => {
                let ended = self.change(|sessions| {
                    let now = SystemTime::now();
                    if let Found::Old(at) = find(sessions, &digest)
                        && time_between(sessions[at].since, now) > IN_FLIGHT
                    {
                        sessions.remove(at);
                    }
                });
                // Whether that was saved or not, this secret is worth nothing.
                let _ = ended;
                false
            }
        }
    }

    /// Whether the session that a secret has opened still exists, even if it has got another secret since. Its sockets may then
    /// stay open.
    pub(crate) fn still_exists(&self, secret: &Secret) -> bool {
        let digest = secret.digest();
        self.read(|sessions| !matches!(find(sessions, &digest), Found::Nothing))
    }

    fn is_valid(&self, digest: &Digest) -> bool {
        self.read(|sessions| matches!(find(sessions, digest), Found::Current | Found::Next(_)))
    }

    /// Gives out a new secret for a session whose secret has been used for long enough.
    pub(crate) fn renew(&self, secret: &Secret) -> Result<Option<Secret>, SessionError> {
        let digest = secret.digest();
        let is_due = |session: &Session| {
            let now = SystemTime::now();
            let waits = session.next.as_ref();
            session.current == digest
                && time_between(session.since, now) >= self.renewed_after
                && waits.is_none_or(|(_, offered)| time_between(*offered, now) > OFFER_TIME)
        };
        if !self.read(|sessions| sessions.iter().any(is_due)) {
            return Ok(None);
        }
        let next = Secret::random()?;
        let mut offered = false;
        self.change(|sessions| {
            if let Some(session) = sessions.iter_mut().find(|session| is_due(session)) {
                // Whoever uses an offer that was replaced shows that two have the secret.
                if let Some((lost, _)) = session.next.take() {
                    session.remember_old(lost);
                }
                session.next = Some((next.digest(), SystemTime::now()));
                offered = true;
            }
        })?;
        Ok(offered.then_some(next))
    }

    /// Ends the session of a secret.
    pub(crate) fn end(&self, secret: &Secret) -> Result<(), SessionError> {
        let digest = secret.digest();
        self.change(|sessions| sessions.retain(|session| session.current != digest))
    }

    /// Ends all sessions.
    pub(crate) fn end_all(&self) -> Result<(), SessionError> {
        self.change(Vec::clear)
    }

    fn read<T>(&self, ask: impl FnOnce(&[Session]) -> T) -> T {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.refresh(&self.path);
        ask(&known.sessions)
    }

    /// Changes the sessions, as no other server does at the same time, and saves them.
    fn change(&self, change: impl FnOnce(&mut Vec<Session>)) -> Result<(), SessionError> {
        let lock = || SystemDisk.lock(&self.path.with_extension("lock"));
        let mut locked = lock()?;
        for _ in 0..LOCK_TRIES {
            if locked.is_some() {
                break;
            }
            sleep(LOCK_WAIT);
            locked = lock()?;
        }
        let _locked = locked.ok_or_else(|| io::Error::from(io::ErrorKind::WouldBlock))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.refresh(&self.path);
        let mut sessions = known.sessions.clone();
        change(&mut sessions);
        private::write(&self.path, &json::write(&File::from_sessions(&sessions)))?;
        known.file = stamp(&self.path);
        known.sessions = sessions;
        Ok(())
    }
}

impl Session {
    /// Remembers a secret that is no longer valid.
    fn remember_old(&mut self, secret: Digest) {
        self.old.push(secret);
        self.old
            .drain(..self.old.len().saturating_sub(MAX_OLD_SECRETS));
    }

    /// Makes the new secret the current one.
    fn replace(&mut self, new: Digest) {
        let before = std::mem::replace(&mut self.current, new);
        self.remember_old(before);
        self.next = None;
        self.since = SystemTime::now();
    }
}

impl Known {
    /// Reads the file again if it is not the one that was read last.
    fn refresh(&mut self, path: &Path) {
        let file = stamp(path);
        if file == self.file {
            return;
        }
        let bytes = SystemDisk.read(path, MAX_FILE_SIZE).unwrap_or_default();
        // A damaged file lets nobody in.
        let read = json::read::<File>(&bytes).map(File::into_sessions);
        self.sessions = read.unwrap_or_default();
        self.file = file;
    }
}

fn find(sessions: &[Session], digest: &Digest) -> Found {
    let now = SystemTime::now();
    for (at, session) in sessions.iter().enumerate() {
        if time_between(session.since, now) >= MAX_AGE {
            continue;
        }
        if session.current == *digest {
            return Found::Current;
        }
        if session
            .next
            .as_ref()
            .is_some_and(|(next, _)| next == digest)
        {
            return Found::Next(at);
        }
        if session.old.contains(digest) {
            return Found::Old(at);
        }
    }
    Found::Nothing
}

fn stamp(path: &Path) -> Option<Stamp> {
    let about = std::fs::symlink_metadata(path).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&about);
    #[cfg(not(unix))]
    let number = 0;
    let changed = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Some((changed, about.len(), number))
}

/// The time between two moments; none if the clock was set back.
fn time_between(earlier: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(earlier).unwrap_or_default()
}

/// The file, with moments in seconds since 1970.
#[derive(Serialize, Deserialize)]
struct File {
    sessions: Vec<FileSession>,
}

#[derive(Serialize, Deserialize)]
struct FileSession {
    current: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<FileNext>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    old: Vec<String>,
    since: u64,
}

#[derive(Serialize, Deserialize)]
struct FileNext {
    digest: String,
    offered: u64,
}

impl File {
    fn from_sessions(sessions: &[Session]) -> File {
        let seconds = |at: SystemTime| time_between(SystemTime::UNIX_EPOCH, at).as_secs();
        let sessions = sessions.iter().map(|session| FileSession {
            current: session.current.reveal(),
            next: session.next.as_ref().map(|(digest, offered)| FileNext {
                digest: digest.reveal(),
                offered: seconds(*offered),
            }),
            old: session.old.iter().map(Digest::reveal).collect(),
            since: seconds(session.since),
        });
        File {
            sessions: sessions.collect(),
        }
    }

    /// What the file says. Sessions that make no sense are left out.
    fn into_sessions(self) -> Vec<Session> {
        let at = |seconds| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        let sessions = self
            .sessions
            .into_iter()
            .take(MAX_SESSIONS)
            .filter_map(|session| {
                let next = session
                    .next
                    .and_then(|next| Some((Digest::read(&next.digest)?, at(next.offered)?)));
                let old = session.old.iter().filter_map(|old| Digest::read(old));
                Some(Session {
                    current: Digest::read(&session.current)?,
                    next,
                    old: old.take(MAX_OLD_SECRETS).collect(),
                    since: at(session.since)?,
                })
            });
        sessions.collect()
    }
}

#[cfg(test)]
mod tests;
