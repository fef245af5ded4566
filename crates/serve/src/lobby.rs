//! All games by their IDs, and who may begin one. IDs that come from the network are looked up here and lead nowhere else.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};

use tabiya_rules::{ByColor, SplitMix64};
use tabiya_store::disk::{Computer, Disk};
use tabiya_store::{Autosave, Autosaver, SaveError, SaveName, Store};
use thiserror::Error;
use tokio::sync::{Mutex, oneshot};
use tokio::task::spawn_blocking;

use crate::links::{self, Links};
use crate::role::Role;
use crate::room::{self, Plan, Room};
use crate::sides::Sides;
use crate::task::{self, Handle, Message, Shared};
use crate::token::{NoRandom, Token};

/// Why there is no such game, or no new one.
#[derive(Debug, Error)]
pub(crate) enum LobbyError {
    #[error("There is no such game.")]
    NoGame,
    #[error("There are as many games as this server takes.")]
    Full,
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error("The links of a game cannot be kept: {0}")]
    Links(#[from] io::Error),
    #[error(transparent)]
    NoRandom(#[from] NoRandom),
    #[error("The server is ending.")]
    Ending,
}

/// All games, and the secrets of whoever runs the server.
pub(crate) struct Lobby {
    pub(crate) shared: Arc<Shared>,
    games: Mutex<Games>,
    host: Token,
    once: SyncMutex<Option<Token>>,
    keys: AtomicU64,
}

#[derive(Default)]
struct Games {
    entries: HashMap<String, Entry>,
    ending: bool,
}

struct Entry {
    order: u64,
    links: Arc<Links>,
    names: Sides<String>,
    handle: Option<Handle>,
}

/// A game in a list.
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) links: Arc<Links>,
    pub(crate) names: Sides<String>,
    pub(crate) order: u64,
}

impl Entry {
    fn alive(&self) -> Option<&Handle> {
        self.handle
            .as_ref()
            .filter(|handle| !handle.inbox.is_closed())
    }
}

impl Lobby {
    /// Reads what was kept. Games that are not over go on at once.
    pub(crate) async fn open(shared: Arc<Shared>) -> Result<Lobby, LobbyError> {
        let folder = shared.config.folder.clone();
        links::make_folders(&folder)?;
        let lobby = Lobby {
            host: host_secret(&folder)?,
            once: SyncMutex::new(Some(Token::random()?)),
            games: Mutex::default(),
            keys: AtomicU64::new(0),
            shared,
        };
        let found = Links::all(&folder)?;
        let store = Store::new(Computer, &folder);
        for (id, links) in found {
            let name = SaveName::new(&id).map_err(SaveError::from)?;
            let summary = match store.peek(&name) {
                Ok(summary) => summary,
                // The server was ended between the two files; nobody has seen such a link.
                Err(SaveError::Missing(_)) => continue,
                Err(error) => {
                    (lobby.shared.config.log)(&error.to_string());
                    continue;
                }
            };
            let white = summary.names.white.clone().unwrap_or_default();
            let black = summary.names.black.clone().unwrap_or_default();
            let entry = Entry {
                order: lobby.key(),
                links: Arc::new(links),
                names: Sides { white, black },
                handle: None,
            };
            lobby.games.lock().await.entries.insert(id.clone(), entry);
            if summary.result == "*"
                && let Err(error) = lobby.find(&id).await
            {
                (lobby.shared.config.log)(&error.to_string());
            }
        }
        Ok(lobby)
    }

    fn key(&self) -> u64 {
        self.keys.fetch_add(1, Ordering::Relaxed)
    }

    /// The secret that lets somebody in once, who then is the host.
    pub(crate) fn once(&self) -> Option<Token> {
        self.once
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Takes the secret that lets somebody in once.
    pub(crate) fn enter(&self, token: &Token) -> Option<Token> {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        if once.as_ref() == Some(token) {
            *once = None;
            return Some(self.host.clone());
        }
        None
    }

    pub(crate) fn is_host(&self, token: &Token) -> bool {
        self.host == *token
    }

    /// The links of a game.
    pub(crate) async fn links(&self, id: &str) -> Option<Arc<Links>> {
        let games = self.games.lock().await;
        games.entries.get(id).map(|entry| Arc::clone(&entry.links))
    }

    /// The latest games.
    pub(crate) async fn list(&self, most: usize) -> Vec<Listed> {
        let games = self.games.lock().await;
        let mut listed: Vec<Listed> = games
            .entries
            .iter()
            .map(|(id, entry)| Listed {
                id: id.clone(),
                links: Arc::clone(&entry.links),
                names: entry.names.clone(),
                order: entry.order,
            })
            .collect();
        drop(games);
        listed.sort_unstable_by_key(|one| std::cmp::Reverse(one.order));
        listed.truncate(most);
        listed
    }

    /// The door to a game, which is read from the disk if it is not in memory.
    pub(crate) async fn find(&self, id: &str) -> Result<Handle, LobbyError> {
        let mut games = self.games.lock().await;
        let entry = games.entries.get(id).ok_or(LobbyError::NoGame)?;
        if let Some(handle) = entry.alive() {
            return Ok(handle.clone());
        }
        if games.ending {
            return Err(LobbyError::Ending);
        }
        self.has_room(&games)?;
        let name = SaveName::new(id).map_err(SaveError::from)?;
        let mut saver = self.saver();
        let opened = spawn_blocking(move || {
            let game = saver.open(&name)?;
            Ok::<_, SaveError>((saver, game))
        });
        let (saver, game) = opened.await.map_err(|_| LobbyError::Ending)??;
        let players = room::players(&game.players);
        let sentences = Arc::clone(&self.shared.config.sentences);
        let now = self.shared.now();
        let (room, effects) = Room::restore(
            id.to_owned(),
            &game.session,
            players,
            sentences,
            random()?,
            now,
        );
        let shared = Arc::clone(&self.shared);
        let handle = task::start(self.key(), room, effects, saver, shared, random()?);
        if let Some(entry) = games.entries.get_mut(id) {
            entry.handle = Some(handle.clone());
        }
        Ok(handle)
    }

    /// Begins a game.
    pub(crate) async fn create(
        &self,
        plan: Plan,
        roles: &[Role],
    ) -> Result<(String, Arc<Links>), LobbyError> {
        let mut games = self.games.lock().await;
        if games.ending {
            return Err(LobbyError::Ending);
        }
        self.has_room(&games)?;
        let id: String = Token::random()?.reveal().chars().take(16).collect();
        let links = Arc::new(Links::random(roles)?);
        links.write(&self.shared.config.folder, &id)?;
        let sentences = Arc::clone(&self.shared.config.sentences);
        let now = self.shared.now();
        let names = ByColor::from_fn(|color| {
            plan.names[color]
                .clone()
                .or_else(|| plan.players[color].name())
        });
        let (room, effects) = Room::new(id.clone(), plan, sentences, random()?, now);
        let name = SaveName::new(&id).map_err(SaveError::from)?;
        let mut saver = self.saver();
        let game = room.to_keep();
        let saved = spawn_blocking(move || {
            saver.save_as(Some(&name), &game)?;
            Ok::<_, SaveError>(saver)
        });
        let saver = saved.await.map_err(|_| LobbyError::Ending)??;
        let shared = Arc::clone(&self.shared);
        let key = self.key();
        let handle = task::start(key, room, effects, saver, shared, random()?);
        let entry = Entry {
            order: key,
            links: Arc::clone(&links),
            names: Sides {
                white: names.white.unwrap_or_default(),
                black: names.black.unwrap_or_default(),
            },
            handle: Some(handle),
        };
        games.entries.insert(id.clone(), entry);
        Ok((id, links))
    }

    /// Whether another game may be in memory.
    fn has_room(&self, games: &Games) -> Result<(), LobbyError> {
        let open = games.entries.values();
        let open = open.filter(|entry| entry.alive().is_some()).count();
        match open < self.shared.config.limits.games {
            true => Ok(()),
            false => Err(LobbyError::Full),
        }
    }

    fn saver(&self) -> Autosaver {
        Autosaver::in_folder(&self.shared.config.folder, Autosave::On)
    }

    /// Brings every game to the disk; none begins any more.
    pub(crate) async fn end(&self) {
        let mut games = self.games.lock().await;
        games.ending = true;
        let mut ended = Vec::new();
        for entry in games.entries.values_mut() {
            if let Some(handle) = entry.handle.take() {
                let (done, waits) = oneshot::channel();
                if handle.inbox.send(Message::Stop(done)).await.is_ok() {
                    ended.push(waits);
                }
            }
        }
        for waits in ended {
            // A game that has ended by itself answers nothing.
            let _ = waits.await;
        }
    }
}

/// The secret of whoever runs the server, which outlives it, as cookies do.
fn host_secret(folder: &Path) -> Result<Token, LobbyError> {
    let path = folder.join("host");
    let kept = Computer.read(&path, 64).ok();
    let kept = kept.and_then(|bytes| Token::read(std::str::from_utf8(&bytes).ok()?.trim()));
    if let Some(token) = kept {
        return Ok(token);
    }
    let token = Token::random()?;
    links::write_secret(&path, &token.reveal())?;
    Ok(token)
}

fn random() -> Result<SplitMix64, NoRandom> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| NoRandom)?;
    Ok(SplitMix64::new(u64::from_le_bytes(bytes)))
}
