//! Watched matches: they are played by `contest`, and their moves wait at the watcher's pace.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tabiya_front::matches::{Export, MatchError, MatchOrder, Pacing, plan};
use tabiya_front::opening_names;
use tabiya_game::Record;
use tabiya_play::contest::{ByEntrant, Contest, Event};
use tabiya_play::engines::KnownEngines;
use tabiya_store::disk::FileError;
use tabiya_store::text_file::Written;

use super::Incoming;
use super::match_file::MatchFile;
use crate::message::{MatchMessage, Message};

/// The running match, if there is one.
pub(super) struct Matches {
    sender: SyncSender<Incoming>,
    engines: KnownEngines,
    gate: Arc<Gate>,
    contest: Option<Contest>,
    file: Arc<Mutex<MatchFile>>,
}

/// Where the moves of a match wait.
struct Gate {
    /// `None` if nobody watches any more, so that nothing waits.
    pacing: Mutex<Option<Pacing>>,
    changed: Condvar,
}

impl Gate {
    /// Lets the moves pass at the default pace.
    fn new() -> Gate {
        let pacing = Pacing {
            paused: false,
            step: false,
            delay: Duration::from_millis(600),
        };
        Gate {
            pacing: Mutex::new(Some(pacing)),
            changed: Condvar::new(),
        }
    }

    /// The pace of the match; `None` once nothing waits for it any more.
    fn pacing(&self) -> MutexGuard<'_, Option<Pacing>> {
        self.pacing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the pace, or stops waiting, unless nothing waits any more.
    fn change(&self, pacing: Option<Pacing>) {
        let mut now = self.pacing();
        *now = now.and(pacing);
        self.changed.notify_all();
    }

    /// Waits until the next move may be played.
    fn pass(&self) {
        let begun = Instant::now();
        let mut pacing = self.pacing();
        while let Some(now) = &mut *pacing
            && !std::mem::take(&mut now.step)
        {
            let rest = match now.paused {
                true => Duration::from_secs(3600),
                false => now.delay.saturating_sub(begun.elapsed()),
            };
            if rest.is_zero() {
                return;
            }
            let woken = self.changed.wait_timeout(pacing, rest);
            pacing = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Matches {
    /// Prepares to play matches.
    pub(super) fn new(sender: SyncSender<Incoming>, engines: KnownEngines) -> Matches {
        Matches {
            sender,
            engines,
            gate: Arc::new(Gate::new()),
            contest: None,
            file: Arc::new(Mutex::new(MatchFile::new())),
        }
    }

    /// Starts a match, and ends the previous one.
    pub(super) fn start(
        &mut self,
        order: MatchOrder,
    ) -> Result<(ByEntrant<String>, u32), MatchError> {
        self.end();
        let plan = plan(order, &self.engines)?;
        let started = (plan.names.clone(), plan.games);
        let gate = Arc::new(Gate::new());
        self.gate = Arc::clone(&gate);
        let file = Arc::new(Mutex::new(MatchFile::new()));
        self.file = Arc::clone(&file);
        let sender = self.sender.clone();
        let contest = Contest::start(plan, move |event| {
            let moved = matches!(event, Event::Moved { .. });
            let mut stored = None;
            if let Event::GameEnded(game) = &event {
                let record = opening_names::tagged(game.record.clone());
                stored = Some((game.number, lock(&file).append(game.number, &record)));
            }
            let message = MatchMessage::Event(Box::new(event));
            // A receiver that is gone has stopped the match too.
            let heard = send(&sender, message, &gate);
            if let Some((game, at)) = stored {
                send(&sender, MatchMessage::Stored { game, at }, &gate);
            }
            if moved && heard {
                gate.pass();
            }
        });
        self.contest = Some(contest?);
        Ok(started)
    }

    /// Stores unfinished games that are not in the file yet, and reports where they are.
    pub(super) fn store(&self, games: &[(u32, Record)]) -> Vec<Message> {
        let mut file = lock(&self.file);
        let mut answers = Vec::new();
        for (game, record) in games {
            let game = *game;
            if file.has(game) {
                continue;
            }
            match file.append(game, record) {
                Ok(at) => answers.push(MatchMessage::Stored { game, at: Ok(at) }.into()),
                Err(error) => {
                    answers.push(MatchMessage::File(Err(error)).into());
                    return answers;
                }
            }
        }
        let path = file.path().map(|path| Ok(path.to_owned()));
        answers.extend(path.map(|path| MatchMessage::File(path).into()));
        answers
    }

    /// Reads games of the match that the screen no longer has in memory.
    pub(super) fn read(&self, games: Vec<(u32, u64)>) -> Vec<Message> {
        let file = lock(&self.file);
        let read = |(game, at)| MatchMessage::Game(game, file.read(at).map(Box::new)).into();
        games.into_iter().map(read).collect()
    }

    /// Writes the match to a new file.
    pub(super) fn export(&self, export: &Export) -> Result<Written, FileError> {
        lock(&self.file).export(export)
    }

    pub(super) fn pace(&self, pacing: Pacing) {
        self.gate.change(Some(pacing));
    }

    /// Stops the match. The screen keeps what was played.
    pub(super) fn stop(&self) {
        self.gate.change(None);
        if let Some(contest) = &self.contest {
            contest.stop();
        }
    }

    /// Stops the match, and waits until nothing more is written to the file.
    pub(super) fn end(&mut self) {
        self.stop();
        self.contest = None;
    }
}

/// Locks the file, whatever has happened to its last owner.
fn lock(file: &Mutex<MatchFile>) -> MutexGuard<'_, MatchFile> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends an event, unless it can never be received: the channel is full, and its reader waits for the match to end.
fn send(sender: &SyncSender<Incoming>, message: MatchMessage, gate: &Gate) -> bool {
    use std::sync::mpsc::TrySendError;
    let mut incoming = message.into();
    loop {
        match sender.try_send(incoming) {
            Ok(()) => return true,
            Err(TrySendError::Disconnected(_)) => return false,
            Err(TrySendError::Full(back)) => {
                if gate.pacing().is_none() {
                    return false;
                }
                incoming = back;
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

impl Drop for Matches {
    fn drop(&mut self) {
        self.end();
    }
}
