//! All games by ID, and the sessions of the host. IDs from the network are looked up here, and nothing else is done with them.
//! If nobody watches a game, only its number is in memory, so that a server does not grow with the number of its games.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex as SyncMutex, PoisonError};

use tabiya_rules::SplitMix64;
use tabiya_store::disk::{self, Disk, SystemDisk};
use tabiya_store::{Autosave, Autosaver, SaveError, SaveName, Store};
use thiserror::Error;
use tokio::sync::Mutex;

use crate::links::{self, Links};
use crate::rates;
use crate::role::Role;
use crate::room::{self, Plan, Room};
use crate::sessions::{SessionError, Sessions};
use crate::sides::Sides;
use crate::task::{self, Handle, Message, Next, Rematch, Rematches, Shared};
use crate::token::{NoRandom, Secret, Token};

/// Why a game cannot be found or created.
#[derive(Debug, Error)]
pub(crate) enum LobbyError {
    #[error("There is no such game.")]
    NoGame,
    #[error("This server has as many games as it can take.")]
    Full,
    #[error("Too many games begin at once. Try again in a moment.")]
    TooManyNew,
    #[error(transparent)]
    Save(#[from] SaveError),
    #[error("The links of a game cannot be saved: {}.", disk::why(.0))]
    Links(#[from] io::Error),
    #[error(transparent)]
    Session(#[from] SessionError),
    #[error(transparent)]
    NoRandom(#[from] NoRandom),
    #[error("The server is ending.")]
    Ending,
}

/// All games, and the sessions of the host.
pub(crate) struct Lobby {
    pub(crate) shared: Arc<Shared>,
    games: Mutex<Games>,
    pub(crate) sessions: Sessions,
    once: SyncMutex<Option<Token>>,
    /// Limits the rate of new games.
    new_games: rates::SharedBucket,
}

#[derive(Default)]
struct Games {
    /// The IDs of all games of this server, as numbers.
    known: HashSet<u64>,
    /// The games in memory.
    open: HashMap<String, Open>,
    ending: bool,
}

struct Open {
    links: Arc<Links>,
    handle: Handle,
}

/// A game in a list.
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) links: Links,
    pub(crate) names: Sides<String>,
}

impl Games {
    fn knows(&self, id: &str) -> bool {
        links::id_number(id).is_some_and(|number| self.known.contains(&number))
    }
}

impl Lobby {
    /// Opens the folder. Games that are not over go on at once.
    pub(crate) async fn open(shared: Arc<Shared>) -> Result<Lobby, LobbyError> {
        let folder = shared.config.folder.clone();
        let lobby = Lobby {
            sessions: Sessions::open(&folder, shared.config.limits.session),
            once: SyncMutex::new(Some(Token::random()?)),
            games: Mutex::default(),
            new_games: rates::SharedBucket::new(shared.config.limits.new_games),
            shared,
        };
        lobby.forget_cookies();
        let store = Store::new(SystemDisk, &folder);
        let share = lobby.shared.config.share;
        // Oldest first, in the order in which they began.
        for id in links::ids(&folder)?.into_iter().rev() {
            let (Some(number), true) = (links::id_number(&id), share.has(&id)) else {
                continue;
            };
            let name = SaveName::new(&id).map_err(SaveError::from)?;
            let summary = match store.peek(&name) {
                Ok(summary) => summary,
                // The server was killed after writing the links and before writing the save. Nobody has seen these links.
                Err(SaveError::Missing(_)) => continue,
                Err(error) => {
                    (lobby.shared.config.log)(&error.to_string());
                    continue;
                }
            };
            lobby.games.lock().await.known.insert(number);
            if summary.result == "*"
                && let Err(error) = lobby.find(&id).await
            {
                (lobby.shared.config.log)(&error.to_string());
            }
        }
        Ok(lobby)
    }

    /// The one-time token; whoever uses it is the host.
    pub(crate) fn one_time_token(&self) -> Option<Token> {
        self.once
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Exchanges the one-time token for the secret of a session.
    pub(crate) fn redeem_token(&self, token: &Token) -> Result<Option<Secret>, SessionError> {
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        if once.as_ref() != Some(token) {
            return Ok(None);
        }
        let secret = self.sessions.begin()?;
        *once = None;
        Ok(Some(secret))
    }

    /// Removes the secret that hosts had before there were sessions. It was in a cookie, and browsers send cookies to all
    /// ports of a machine, so others may have it.
    fn forget_cookies(&self) {
        if SystemDisk
            .remove(&self.shared.config.folder.join("host"))
            .is_ok()
        {
            let sentence = "The host must open the printed address again; the earlier secret is no longer valid.";
            (self.shared.config.log)(sentence);
        }
    }

    /// The links of a game.
    pub(crate) async fn links(&self, id: &str) -> Option<Arc<Links>> {
        let games = self.games.lock().await;
        if let Some(open) = games.open.get(id) {
            return Some(Arc::clone(&open.links));
        }
        let knows = games.knows(id);
        drop(games);
        match knows {
            true => self.read_links(id).await.ok(),
            false => None,
        }
    }

    async fn read_links(&self, id: &str) -> Result<Arc<Links>, LobbyError> {
        let (folder, id) = (self.shared.config.folder.clone(), id.to_owned());
        let read = self.shared.disk.run(move || Links::read(&folder, &id));
        let links = read.await.ok_or(LobbyError::Ending)?;
        links.map(Arc::new).ok_or(LobbyError::NoGame)
    }

    /// The latest games in the folder, including those of other servers that share it.
    pub(crate) async fn list(&self, most: usize) -> Result<Vec<Listed>, LobbyError> {
        let folder = self.shared.config.folder.clone();
        let listed = self.shared.disk.run(move || {
            let store = Store::new(SystemDisk, &folder);
            let listed = links::ids(&folder)?.into_iter().filter_map(|id| {
                let summary = store.peek(&SaveName::new(&id).ok()?).ok()?;
                let names = summary.names;
                Some(Listed {
                    links: Links::read(&folder, &id)?,
                    names: Sides {
                        white: names.white.unwrap_or_default(),
                        black: names.black.unwrap_or_default(),
                    },
                    id,
                })
            });
            Ok::<_, io::Error>(listed.take(most).collect())
        });
        Ok(listed.await.ok_or(LobbyError::Ending)??)
    }

    /// Returns the handle of a game, which is read from disk if it is not in memory.
    pub(crate) async fn find(&self, id: &str) -> Result<Handle, LobbyError> {
        let mut games = self.games.lock().await;
        if let Some(Open { handle, .. }) = games.open.get(id) {
            if handle.is_open() {
                return Ok(handle.clone());
            }
            // It is being removed from memory.
            handle.gone().await;
        }
        if !games.knows(id) {
            return Err(LobbyError::NoGame);
        }
        if games.ending {
            return Err(LobbyError::Ending);
        }
        self.make_place(&mut games).await?;
        let open = self.restore(id).await?;
        let handle = open.handle.clone();
        games.open.insert(id.to_owned(), open);
        Ok(handle)
    }

    /// Reads a game from disk, and starts its task.
    async fn restore(&self, id: &str) -> Result<Open, LobbyError> {
        let links = self.read_links(id).await?;
        let next = match links.next() {
            Some(next) => self.read_links(next).await.ok(),
            None => None,
        };
        let next = links.next().map(str::to_owned).zip(next);
        let name = SaveName::new(id).map_err(SaveError::from)?;
        let mut saver = self.saver();
        let opened = self.shared.disk.run(move || {
            let game = saver.open(&name)?;
            Ok::<_, SaveError>((saver, game))
        });
        let (saver, game) = opened.await.ok_or(LobbyError::Ending)??;
        let players = room::saved_players(&game.players);
        let sentences = Arc::clone(&self.shared.config.sentences);
        let now = self.shared.now();
        let (room, effects) = Room::restore(
            id.to_owned(),
            &game.session,
            players,
            sentences,
            random_source()?,
            now,
        );
        let shared = Arc::clone(&self.shared);
        let rematches = Rematches::new(self.rematch_budget(), next);
        let handle = task::start(room, effects, saver, shared, random_source()?, rematches);
        Ok(Open { links, handle })
    }

    /// Begins a game.
    pub(crate) async fn create(&self, plan: Plan, roles: &[Role]) -> Result<Next, LobbyError> {
        self.begin(plan, roles, self.rematch_budget()).await
    }

    /// Begins the rematch of a game, and writes where it is, so that the game has no other one when it is read from disk.
    pub(crate) async fn create_rematch(&self, wanted: Rematch) -> Result<Next, LobbyError> {
        let (id, links) = self
            .begin(wanted.plan, &wanted.roles, wanted.budget)
            .await?;
        if let Some(before) = self.links(&wanted.of).await {
            let folder = self.shared.config.folder.clone();
            let (before, of) = (before.with_next(&id), wanted.of);
            let written = self.shared.disk.run(move || before.write(&folder, &of));
            if let Some(Err(error)) = written.await {
                (self.shared.config.log)(&LobbyError::Links(error).to_string());
            }
        }
        Ok((id, links))
    }

    /// What counts the rematches after a game.
    fn rematch_budget(&self) -> Arc<rates::SharedBucket> {
        let most = self.shared.config.limits.rematches;
        Arc::new(rates::SharedBucket::of_rematches(most))
    }

    async fn begin(
        &self,
        plan: Plan,
        roles: &[Role],
        budget: Arc<rates::SharedBucket>,
    ) -> Result<Next, LobbyError> {
        let mut games = self.games.lock().await;
        if games.ending {
            return Err(LobbyError::Ending);
        }
        if !self.new_games.take() {
            return Err(LobbyError::TooManyNew);
        }
        self.make_place(&mut games).await?;
        let (id, number) = self.new_id()?;
        let links = Arc::new(Links::random(roles)?);
        let sentences = Arc::clone(&self.shared.config.sentences);
        let now = self.shared.now();
        let (room, effects) = Room::new(id.clone(), plan, sentences, random_source()?, now);
        let saver = self.save_new(&room, Arc::clone(&links)).await?;
        let shared = Arc::clone(&self.shared);
        let rematches = Rematches::new(budget, None);
        let handle = task::start(room, effects, saver, shared, random_source()?, rematches);
        let open = Open {
            links: Arc::clone(&links),
            handle,
        };
        games.known.insert(number);
        games.open.insert(id.clone(), open);
        Ok((id, links))
    }

    /// Saves a new game with its links.
    async fn save_new(&self, room: &Room, links: Arc<Links>) -> Result<Autosaver, LobbyError> {
        let name = SaveName::new(room.id()).map_err(SaveError::from)?;
        let mut saver = self.saver();
        let (game, folder) = (room.to_save(), self.shared.config.folder.clone());
        let saved = self.shared.disk.run(move || {
            // The links come first, because no server finds a game without them.
            let linked = links.write(&folder, name.as_str());
            let saved = linked.map_err(LobbyError::from).and_then(|()| {
                saver.save_as(Some(&name), &game)?;
                Ok(saver)
            });
            saved.inspect_err(|_| {
                // Nobody has seen them.
                let _ = links::remove(&folder, name.as_str());
            })
        });
        saved.await.ok_or(LobbyError::Ending)?
    }

    /// Returns a new ID that belongs to the share of this server.
    fn new_id(&self) -> Result<(String, u64), NoRandom> {
        loop {
            let id: String = <Token>::random()?.reveal().chars().take(16).collect();
            if let (Some(number), true) = (links::id_number(&id), self.shared.config.share.has(&id))
            {
                return Ok((id, number));
            }
        }
    }

    /// Makes room for another game in memory, or fails if there are too many. Games that are over and that nobody watches give
    /// way at once.
    async fn make_place(&self, games: &mut Games) -> Result<(), LobbyError> {
        let most = self.shared.config.limits.games;
        games.open.retain(|_, open| !open.handle.is_gone());
        while games.open.len() >= most {
            let mut open = games.open.values();
            let free = open.find(|open| open.handle.is_free());
            let free = free.ok_or(LobbyError::Full)?.handle.clone();
            free.give_way().await;
            games.open.retain(|_, open| !open.handle.is_gone());
        }
        Ok(())
    }

    fn saver(&self) -> Autosaver {
        Autosaver::in_folder(&self.shared.config.folder, Autosave::On)
    }

    /// Saves every game. No game can begin after that.
    pub(crate) async fn end(&self) {
        let mut games = self.games.lock().await;
        games.ending = true;
        let handles: Vec<Handle> = games.open.drain().map(|(_, open)| open.handle).collect();
        for handle in &handles {
            // A game that is being removed from memory saves itself.
            let _ = handle.inbox.send(Message::Stop).await;
        }
        for handle in &handles {
            handle.gone().await;
        }
    }
}

fn random_source() -> Result<SplitMix64, NoRandom> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| NoRandom)?;
    Ok(SplitMix64::new(u64::from_le_bytes(bytes)))
}
