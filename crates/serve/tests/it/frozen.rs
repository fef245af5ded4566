//! Half-open connections: one direction or both are frozen, and neither end is told.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use serde_json::json;
use tabiya_game::{Command, MoveInput};
use tabiya_play::remote::{Presence, ServerEvent, ServerLink};
use tabiya_play::request::ServerRequest;
use tabiya_rules::Color;
use tabiya_serve::{Client, GameLink, Limits};

use crate::harness::{self, Served, folder};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// After this time without a sign of life, a connection is lost.
const SILENCE: Duration = Duration::from_secs(9);
/// When both ends have noticed it at the latest.
const NOTICED: Duration = Duration::from_secs(13);

/// One direction of a connection.
struct Way {
    frozen: AtomicBool,
    /// When something came through last.
    passed: Mutex<Instant>,
}

impl Default for Way {
    fn default() -> Way {
        Way {
            frozen: AtomicBool::new(false),
            passed: Mutex::new(Instant::now()),
        }
    }
}

/// The directions of a connection.
#[derive(Clone, Default)]
struct Frozen {
    to_server: Arc<Way>,
    to_client: Arc<Way>,
}

/// What is between a server and its clients. What it freezes stays frozen; connections that are made later are frozen for as
/// long as `later` says.
struct Wire {
    open: Arc<Mutex<Vec<Frozen>>>,
    later: Arc<AtomicBool>,
}

impl Wire {
    fn to(server: SocketAddr, listener: TcpListener) -> Wire {
        let open: Arc<Mutex<Vec<Frozen>>> = Arc::default();
        let kept = Arc::clone(&open);
        let later = Arc::new(AtomicBool::new(false));
        let is_frozen = Arc::clone(&later);
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect(server) else {
                    return;
                };
                let frozen = Frozen::default();
                if is_frozen.load(Ordering::SeqCst) {
                    frozen.set(true, true);
                }
                kept.lock().expect("no panic").push(frozen.clone());
                let copy = |stream: &TcpStream| stream.try_clone().expect("a stream");
                pass_on(copy(&near), copy(&far), frozen.to_server);
                pass_on(far, near, frozen.to_client);
            }
        });
        Wire { open, later }
    }

    /// Returns when something came through last in a direction that is frozen now.
    fn freeze(&self, to_server: bool, to_client: bool) -> Instant {
        let open = self.open.lock().expect("no panic");
        let last = open.iter().map(|frozen| {
            frozen.set(to_server, to_client);
            let way = match to_client {
                true => &frozen.to_client,
                false => &frozen.to_server,
            };
            *way.passed.lock().expect("no panic")
        });
        last.max().expect("a connection")
    }
}

impl Frozen {
    fn set(&self, to_server: bool, to_client: bool) {
        self.to_server.frozen.store(to_server, Ordering::SeqCst);
        self.to_client.frozen.store(to_client, Ordering::SeqCst);
    }
}

/// Passes on one direction. While it is frozen, everything is swallowed, even the end.
fn pass_on(mut from: TcpStream, mut to: TcpStream, way: Arc<Way>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        loop {
            let read = from.read(&mut bytes).unwrap_or(0);
            if way.frozen.load(Ordering::SeqCst) {
                if read == 0 {
                    return;
                }
                continue;
            }
            *way.passed.lock().expect("no panic") = Instant::now();
            if read == 0 || to.write_all(&bytes[..read]).is_err() {
                let _ = to.shutdown(Shutdown::Both);
                return;
            }
        }
    });
}

/// A server behind a wire, and a game for two.
struct Scene {
    _folder: tempfile::TempDir,
    served: Served,
    wire: Wire,
    game: harness::Game,
}

/// A player who answers pings whatever else happens.
struct Player {
    client: Client,
    events: mpsc::Receiver<ServerEvent>,
}

impl Scene {
    fn new() -> Scene {
        let folder = folder();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let front = listener.local_addr().expect("an address");
        let served = Served::with(folder.path(), |config| {
            config.public = Some(format!("http://{front}").parse().expect("an address"));
            config.limits.silence = Limits::default().silence;
            config.limits.away = 2 * SILENCE;
        });
        let wire = Wire::to(served.address, listener);
        let host = served.enter();
        let asked = json!({ "opponent": "person", "clock": "10" });
        let game = served.game(&host, &asked);
        Scene {
            _folder: folder,
            served,
            wire,
            game,
        }
    }

    fn get(&self, path: &str) -> harness::Answer {
        let bearer = format!("Bearer {}", self.game.token("watch"));
        let path = format!("/api/games/{}{path}", self.game.id);
        self.served.get(&path, &[("Authorization", &bearer)])
    }

    /// The link of a role, beside the wire or through it.
    fn player_link(&self, role: &str, behind: bool) -> GameLink {
        let direct = format!(
            "http://{}/game/{}#{}",
            self.served.address,
            self.game.id,
            self.game.token(role)
        );
        let link = match behind {
            true => self.game.links[role].as_str().expect("a link"),
            false => &direct,
        };
        link.parse().expect("a link")
    }

    /// A player beside the wire, or behind it.
    fn player(&self, role: &str, behind: bool) -> Player {
        let link = self.player_link(role, behind);
        let (mut client, _) = Client::join(&link).expect("the server is there");
        let (told, events) = mpsc::channel();
        let told = Mutex::new(told);
        client.listen(Arc::new(move |event| {
            let told = told.lock().expect("no panic");
            told.send(event).is_ok()
        }));
        Player { client, events }
    }
}

impl Player {
    fn play(&mut self, text: &str, ply: u32) {
        let played = Command::Play(MoveInput::Text(text.to_owned()));
        self.client.ask(ServerRequest::Command(played), ply);
    }

    fn wait(&self, wanted: impl Fn(&ServerEvent) -> bool) -> ServerEvent {
        let begun = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            let event = self.events.recv_timeout(left).expect("an event");
            if wanted(&event) {
                return event;
            }
        }
    }

    fn wait_for_ply(&self, ply: u32) {
        self.wait(|event| matches!(event, ServerEvent::State(state) if state.ply == ply));
    }
}

/// Whichever direction is frozen, the client notices and comes back by itself, and a move that got no answer is in the game
/// exactly once. The opponent cannot claim the game.
fn a_frozen_connection(to_server: bool, to_client: bool) {
    let scene = Scene::new();
    let mut white = scene.player("white", false);
    let mut black = scene.player("black", true);
    white.wait(|event| matches!(event, ServerEvent::State(state) if state.begun));
    white.play("e2e4", 0);
    black.wait_for_ply(1);
    let last = scene.wire.freeze(to_server, to_client);
    black.play("e7e5", 1);
    black.wait(|event| *event == ServerEvent::Lost);
    let took = last.elapsed();
    assert!(took >= SILENCE && took < NOTICED, "{took:?}");
    black.wait(|event| matches!(event, ServerEvent::Joined(_)));
    white.wait_for_ply(2);
    let claim = Command::Abandon {
        winner: Some(Color::White),
    };
    white.client.ask(ServerRequest::Command(claim), 2);
    let refused = white.wait(|event| matches!(event, ServerEvent::Refused(_)));
    assert!(
        format!("{refused:?}").contains("not been away"),
        "{refused:?}"
    );
    white.play("g1f3", 2);
    black.wait_for_ply(3);
    black.play("b8c6", 3);
    white.wait_for_ply(4);
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    assert_eq!(scene.get("/fen").body, fen);
}

#[test]
fn a_connection_frozen_towards_the_server_is_noticed_by_both_ends() {
    a_frozen_connection(true, false);
}

#[test]
fn a_connection_frozen_towards_the_client_is_noticed_by_both_ends() {
    a_frozen_connection(false, true);
}

#[test]
fn a_connection_frozen_in_both_directions_is_noticed_by_both_ends() {
    a_frozen_connection(true, true);
}

/// A path on which nothing comes through, not even for new connections, is tried until it is free again.
#[test]
fn a_path_that_is_frozen_for_long_is_tried_until_it_is_free() {
    let scene = Scene::new();
    let mut white = scene.player("white", false);
    let mut black = scene.player("black", true);
    white.wait(|event| matches!(event, ServerEvent::State(state) if state.begun));
    scene.wire.later.store(true, Ordering::SeqCst);
    scene.wire.freeze(true, true);
    let path = scene.player_link("black", true);
    let refused = Client::join(&path).expect_err("nothing comes through");
    let said = refused.to_string();
    assert!(
        said.ends_with(" cannot be reached: there is no answer"),
        "{said}"
    );
    black.wait(|event| *event == ServerEvent::Lost);
    // At least one try to connect again has had no answer by now.
    std::thread::sleep(2 * SILENCE);
    white.play("e2e4", 0);
    white.wait_for_ply(1);
    scene.wire.later.store(false, Ordering::SeqCst);
    let back = black.wait(|event| *event != ServerEvent::Lost);
    let ServerEvent::Joined(joined) = back else {
        panic!("it gave up: {back:?}");
    };
    assert_eq!(joined.state.ply, 1);
    black.play("e7e5", 1);
    white.wait_for_ply(2);
}

/// The server drops a client that does not answer, but not one that does, however long it says nothing else. The time away
/// begins when the server has noticed.
#[test]
fn who_answers_no_ping_is_dropped_and_who_does_stays() {
    let scene = Scene::new();
    let white = scene.player("white", false);
    let begun = Instant::now();
    let mut black = scene.served.join(&scene.game, "black");
    let away = white.wait(|event| {
        matches!(event, ServerEvent::Presence(who) if who.black != Presence::Here && begun.elapsed() > SILENCE / 2)
    });
    let took = begun.elapsed();
    assert!(took >= SILENCE && took < NOTICED, "{took:?}");
    let ServerEvent::Presence(who) = away else {
        panic!("{away:?}");
    };
    let all = Some(2 * SILENCE);
    assert!(
        matches!(who.black, Presence::Away { claim_in } if claim_in > all.map(|all| all - SILENCE / 2)),
        "{who:?}"
    );
    while black.next().is_some() {}
    std::thread::sleep(SILENCE);
    let here = scene.get("").json()["presence"]["here"].clone();
    assert_eq!(here, json!({ "white": true, "black": false }));
}
