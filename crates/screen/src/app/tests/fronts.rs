//! One script of requests through the full screen, the line mode and a server: after each, the game stands the same.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

use serde_json::{Value, json};
use tabiya_game::{Command, NewGame, Session, Timestamp};
use tabiya_play::desk::Filed;
use tabiya_play::opponents::Opponents;
use tabiya_rules::{Color, SplitMix64};
use tabiya_serve::{Config, Server};

use super::{press, start};
use crate::app::App;
use tabiya_line::game::LineGame;
use tabiya_tools::serve::PageSentences;

const NOW: Timestamp = Timestamp::ORIGIN;

/// How a game stands.
#[derive(Debug, PartialEq)]
struct Standing {
    fen: String,
    offer: Option<Color>,
    takeback: Option<Color>,
    is_paused: bool,
    result: Option<String>,
}

impl Standing {
    fn of(session: &Session) -> Standing {
        Standing {
            fen: session.position().fen(),
            offer: session.draw_offer(),
            takeback: session.takeback().map(|asked| asked.by),
            is_paused: session.is_paused(),
            result: session
                .outcome()
                .map(|outcome| outcome.result().as_str().to_owned()),
        }
    }

    /// As a server describes it.
    fn read(board: &Value) -> Standing {
        let side = |name: &str| match board[name].as_str() {
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            _ => None,
        };
        Standing {
            fen: board["fen"].as_str().expect("a FEN").to_owned(),
            offer: side("offer"),
            takeback: side("takeback"),
            is_paused: board["paused"] == true,
            result: board["outcome"]["result"].as_str().map(str::to_owned),
        }
    }
}

/// A game at one screen of a server in this process.
struct Site {
    address: String,
    path: String,
    token: String,
}

impl Site {
    fn start(folder: &std::path::Path) -> Site {
        let listen = ([127, 0, 0, 1], 0).into();
        let config = Config::new(listen, folder.to_owned(), Arc::new(PageSentences));
        let server = Server::start(config).expect("it starts");
        let entry = server.entry().expect("an address");
        // It ends with this process.
        thread::spawn(move || server.run());
        let (base, token) = entry.split_once("/#").expect("a token");
        let mut site = Site {
            address: base.trim_start_matches("http://").to_owned(),
            path: String::new(),
            token: String::new(),
        };
        let (_, entered) = site.post("/api/enter", &json!({ "token": token }));
        site.token = entered["session"].as_str().expect("a session").to_owned();
        let (_, made) = site.post("/api/games", &json!({ "opponent": "here" }));
        site.path = format!("/api/games/{}", made["id"].as_str().expect("an ID"));
        let link = made["links"]["both"].as_str().expect("a link");
        let (_, token) = link.split_once('#').expect("a token");
        token.clone_into(&mut site.token);
        site.join();
        site
    }

    /// Joins on a socket, because a game begins when its player has come.
    fn join(&self) {
        let Site {
            address,
            path,
            token,
        } = self;
        let mut stream = TcpStream::connect(address).expect("a connection");
        let text = format!(
            "GET {path}/socket HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(text.as_bytes()).expect("sent");
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).expect("an answer");
        assert_eq!(&begin, b"HTTP/1.1 101");
        let begun = || self.request("GET", path, "").1["board"]["begun"] == true;
        while !begun() {
            thread::yield_now();
        }
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.request("POST", path, &body.to_string())
    }

    fn request(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let Site { address, token, .. } = self;
        let mut stream = TcpStream::connect(address).expect("a connection");
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        let body = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        (status.expect("a status"), body)
    }

    /// Sends a command, and returns how the game stands then.
    fn ask(&self, command: &Command) -> Standing {
        let body = serde_json::to_value(command).expect("JSON");
        let (status, said) = self.post(&format!("{}/requests", self.path), &body);
        assert!([200, 409].contains(&status), "{body}: {said}");
        let (_, state) = self.request("GET", &self.path, "");
        Standing::read(&state["board"])
    }
}

/// Types a line into the command palette of the full screen, and says yes if that asks whether it is meant.
fn type_line(app: &mut App, line: &str) -> Standing {
    app.perform_line(line);
    if ["offer", "resign"]
        .iter()
        .any(|name| line.starts_with(name))
    {
        press(app, crossterm::event::KeyCode::Char('y'));
    }
    app.overlay = None;
    app.view_mut().typing.clear();
    Standing::of(app.desk.game().session())
}

fn submit(line_game: &mut LineGame, line: &str) -> Standing {
    line_game.submit(line, NOW);
    match line_game.desk().filed() {
        // In the line mode, the next game has begun.
        Filed::Finished(finished) => Standing::of(&finished.session),
        Filed::Game(_) | Filed::Review(_) => Standing::of(line_game.desk().game().session()),
    }
}

/// The requests, as typed lines and as commands.
fn script() -> Vec<(String, Command)> {
    use Color::{Black, White};
    let mut script = Vec::new();
    let moves = |script: &mut Vec<(String, Command)>, text: &str| {
        let played = text
            .split(' ')
            .map(|text| (text.to_owned(), Command::play(text)));
        script.extend(played);
    };
    let ask = |script: &mut Vec<(String, Command)>, asked: &[(&str, Command)]| {
        let asked = asked.iter().cloned();
        script.extend(asked.map(|(line, command)| (line.to_owned(), command)));
    };
    moves(&mut script, "e4 e5 Ke3 Nf3 e7e5 Nc6 Bb5 a6 Zz9");
    ask(
        &mut script,
        &[
            ("offer white", Command::OfferDraw(White)),
            ("decline", Command::DeclineDraw(Black)),
            ("decline", Command::DeclineDraw(Black)),
            ("offer black", Command::OfferDraw(Black)),
        ],
    );
    moves(&mut script, "Bxc6 dxc6 O-O Bg4 h3 h5 hxg4 hxg4");
    ask(
        &mut script,
        &[
            ("takeback black", Command::AskTakeback(Black)),
            ("decline", Command::DeclineTakeback(White)),
            ("takeback black", Command::AskTakeback(Black)),
            ("accept takeback", Command::GrantTakeback(White)),
            ("pause", Command::Pause),
            ("hxg4", Command::play("hxg4")),
            ("pause", Command::Resume),
            ("claim", Command::claim()),
            ("undo 2", Command::undo(2)),
            ("redo", Command::Redo(1)),
        ],
    );
    moves(
        &mut script,
        "Be6 d4 exd4 Nxd4 c5 Nxe6 fxe6 Qxd8 Rxd8 e5 f5 f6 Nf6 exf6 gxf6",
    );
    ask(&mut script, &[("claim f4", Command::claim_with("f4"))]);
    moves(
        &mut script,
        "b4 c4 b5 a5 b6 c3 bxc7 Rb8 cxb8 cxb8=Q Kf7 Qxb7",
    );
    moves(&mut script, "Be7 Kh1 Kf8 Kg1 Kf7 Kh1 Kf8 Kg1 Kf7 Kh1 Kf8");
    ask(&mut script, &[("claim", Command::claim())]);
    script
}

#[test]
fn the_three_fronts_agree_after_every_request() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = Site::start(folder.path());
    let mut app = start();
    let mut line_game = LineGame::new(SplitMix64::new(1), Opponents::default());
    line_game.begin(NewGame::default(), NOW);
    let script = script();
    assert!(script.len() >= 60, "{} requests", script.len());
    let mut before = None;
    let mut changes = 0;
    for (number, (line, command)) in script.iter().enumerate() {
        let screen = type_line(&mut app, line);
        let lines = submit(&mut line_game, line);
        assert_eq!(screen, lines, "{number}: {line}, full screen and line mode");
        let served = site.ask(command);
        assert_eq!(screen, served, "{number}: {line}, full screen and server");
        changes += u32::from(before.as_ref() != Some(&screen));
        before = Some(screen);
    }
    let end = before.expect("a game");
    assert_eq!(end.result.as_deref(), Some("1/2-1/2"), "{end:?}");
    assert!(changes > 50, "{changes} of {} did something", script.len());
}
