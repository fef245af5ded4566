//! `tabiya play --join`: games over a server, line by line and on the full screen.

#![cfg(all(unix, feature = "serve"))]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_game::Session;
use tabiya_play::outcome::{Happened, TableRefusal};
use tabiya_rules::Position;
use tabiya_serve::{Config, Sentences, Server};

use crate::saves::Home;
use crate::screen::Screen;
use crate::serve::{Served, Site};
use crate::support::{run, run_with, spawn};

const PATIENCE: Duration = Duration::from_secs(60);

/// Somebody who plays line by line.
struct Player {
    child: Child,
    input: ChildStdin,
    events: Receiver<Value>,
}

impl Player {
    fn join(link: &str) -> Player {
        let mut child = spawn(&["play", "--json", "--join", link]);
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let (sender, events) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let event = serde_json::from_str(&line).expect("JSON");
                if sender.send(event).is_err() {
                    return;
                }
            }
        });
        Player {
            child,
            input,
            events,
        }
    }

    fn type_line(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("it reads");
        self.input.flush().expect("it reads");
    }

    /// The next event of a kind; others are passed over.
    fn wait(&self, kind: &str) -> Value {
        self.wait_until(|event| event["event"] == kind)
    }

    fn wait_until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        let mut passed = Vec::new();
        loop {
            let left = PATIENCE.saturating_sub(begun.elapsed());
            match self.events.recv_timeout(left) {
                Ok(event) if wanted(&event) => return event,
                Ok(event) => passed.push(event.to_string()),
                Err(error) => panic!("{error} after\n{}", passed.join("\n")),
            }
        }
    }

    /// Plays a move when it is the turn to.
    fn play(&mut self, played: &str, side: &str) {
        self.wait_until(|event| event["event"] == "turn" && event["side"] == side);
        self.type_line(played);
        self.wait_until(|event| event["event"] == "moved" && event["san"] == played);
    }

    fn quit(mut self) {
        self.type_line("quit");
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// A game for two, with its links.
fn game(served: &Site, clock: &str) -> (String, String, String) {
    game_of(served, &served.enter(), clock)
}

/// Another game of the host.
fn game_of(served: &Site, host: &str, clock: &str) -> (String, String, String) {
    let asked =
        json!({ "opponent": "person", "clock": clock, "name": "Ann", "opponent_name": "Bob" });
    let made = served.post("/api/games", host, &asked);
    let link = |role: &str| made["links"][role].as_str().expect("a link").to_owned();
    (link("white"), link("black"), link("watch"))
}

#[test]
fn two_at_terminals_play_a_game_over_a_server() {
    let home = Home::new("join-two");
    let served = Served::start(&home);
    let (white, black, watch) = game(&served, "5+3");
    let mut white = Player::join(&white);
    white.wait_until(|event| event["lines"][0] == "The game begins when everybody has joined.");
    let mut black = Player::join(&black);
    let watcher = Player::join(&watch);
    white.play("f3", "white");
    black.wait_until(|event| event["san"] == "f3");
    // An offer is declined, and a move is taken back.
    white.type_line("offer");
    black.wait("draw_offered");
    black.type_line("decline");
    white.wait("draw_declined");
    white.type_line("takeback");
    black.wait("takeback_asked");
    black.type_line("accept");
    black.wait("undone");
    white.wait("undone");
    white.play("f3", "white");
    let turn = black.wait_until(|event| event["event"] == "turn" && event["side"] == "black");
    let left = turn["black_ms"].as_u64().expect("a clock");
    assert!((100_000..=303_000).contains(&left), "{left}");
    black.type_line("e5");
    white.wait_until(|event| event["san"] == "e5");
    white.play("g4", "white");
    black.play("Qh4#", "black");
    for player in [&white, &black, &watcher] {
        let ended = player.wait("ended");
        assert_eq!(ended["reason"], "checkmate");
        assert_eq!(ended["winner"], "black");
    }
    // Whoever only watches leaves with the end.
    let mut watcher = watcher;
    assert!(watcher.child.wait().expect("it ends").success());
    white.quit();
    black.quit();
    assert_eq!(served.end("-TERM").0, Some(0));
}

/// What is typed out of turn, for the other side or against the rules is refused here or there, and nothing happens.
#[test]
fn nobody_moves_for_others_and_a_resignation_ends_the_game() {
    let home = Home::new("join-refused");
    let served = Served::start(&home);
    let (white, black, _) = game(&served, "unlimited");
    let mut white = Player::join(&white);
    let mut black = Player::join(&black);
    white.wait("turn");
    white.type_line("e5");
    white.wait("refused");
    white.type_line("comment not mine to write");
    assert_eq!(white.wait("refused")["code"], "on_server");
    white.type_line("undo");
    assert_eq!(white.wait("refused")["code"], "server");
    white.type_line("e4");
    black.wait_until(|event| event["san"] == "e4");
    black.type_line("resign");
    let ended = white.wait("ended");
    assert_eq!(ended["reason"], "resignation");
    assert_eq!(ended["winner"], "white");
    // The game is judged here, beside the server's.
    white.type_line("study");
    white.wait_until(|event| event["event"] == "answer" && event["command"] == "review");
    white.wait_until(|event| event["event"] == "answer" && event["command"] == "study");
    white.type_line("back");
    white.wait_until(|event| event["event"] == "answer" && event["command"] == "back");
    // Another game begins when both want it, with the colors swapped.
    white.type_line("offer");
    black.wait_until(|event| {
        let said = event["lines"][0].as_str();
        said.is_some_and(|said| said.contains("wants a rematch"))
    });
    black.type_line("accept");
    white.wait("new_game");
    black.wait("new_game");
    black.play("d4", "white");
    white.wait_until(|event| event["san"] == "d4");
    white.quit();
    black.quit();
    served.end("-TERM");
}

#[test]
fn a_killed_server_is_found_again_and_the_game_goes_on() {
    let home = Home::new("join-killed");
    let served = Served::start(&home);
    let base = served.base.clone();
    let (white, black, _) = game(&served, "60");
    let mut white = Player::join(&white);
    let mut black = Player::join(&black);
    white.play("e4", "white");
    black.wait_until(|event| event["san"] == "e4");
    served.end("-KILL");
    for player in [&white, &black] {
        player.wait_until(|event| event["code"] == "server");
    }
    let served = Served::start_at(&home, &base);
    for player in [&white, &black] {
        player.wait_until(|event| event["lines"][0] == "The connection is back.");
    }
    black.play("e5", "black");
    white.wait_until(|event| event["san"] == "e5");
    white.quit();
    black.quit();
    served.end("-TERM");
}

/// The sentences of a server that nobody reads in a browser.
struct Silence;

impl Sentences for Silence {
    fn happened(&self, _: &Happened, _: &Session) -> Vec<String> {
        Vec::new()
    }

    fn refused(&self, _: &TableRefusal, _: &Position) -> Vec<String> {
        vec!["That is refused.".to_owned()]
    }
}

/// The game of somebody who lost the connection is claimed, also while it is their turn.
#[test]
fn the_game_of_an_opponent_who_stays_away_is_claimed() {
    let home = Home::new("join-away");
    let listen = "127.0.0.1:0".parse().expect("an address");
    let mut config = Config::new(listen, home.path().join("serve"), Arc::new(Silence));
    // The program waits two minutes.
    config.limits.away = Duration::from_secs(1);
    let server = Server::start(config).expect("a server");
    let site = Site::printed(&server.entry().expect("an address"));
    let shutdown = server.shutdown_handle();
    let serving = std::thread::spawn(move || server.run());
    let (white, black, _) = game(&site, "5+3");
    let mut white = Player::join(&white);
    let mut black = Player::join(&black);
    white.play("e4", "white");
    black.wait_until(|event| event["san"] == "e4");
    black.child.kill().expect("it runs");
    black.child.wait().expect("it is gone");
    white.wait_until(|event| {
        event["lines"][0] == "Bob has been away for too long: claim wins the game."
    });
    white.type_line("claim");
    let ended = white.wait("ended");
    assert_eq!(ended["reason"], "abandoned");
    assert_eq!(ended["winner"], "white");
    white.quit();
    shutdown.stop();
    serving.join().expect("it ends");
}

/// Nobody leaves a game on a server for another one by accident: a person is asked, and a program is told.
#[test]
fn another_game_does_not_leave_the_server_unasked() {
    let home = Home::new("join-leave");
    let served = Served::start(&home);
    let host = served.enter();
    let (white, black, _) = game_of(&served, &host, "unlimited");
    let mut screen = Screen::start(&["play", "--line", "--join", &white]);
    let mut black = Player::join(&black);
    let ends_with = |screen: &Screen, end: &str| {
        screen.wait(|screen| screen.contents().trim_end().ends_with(end));
    };
    ends_with(&screen, "White's turn. Enter move:");
    screen.send("set board off\r");
    ends_with(&screen, "set board off\nWhite's turn. Enter move:");
    let question = "The game goes on at the server without you. Leave it anyway? \
                    Type yes; anything else means no.\nWhite's turn. Enter move:";
    for typed in ["new", "fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "load x"] {
        screen.send(&format!("{typed}\r"));
        ends_with(&screen, question);
        screen.send("no\r");
        ends_with(&screen, "The game continues.\nWhite's turn. Enter move:");
    }
    screen.send("e4\r");
    black.wait_until(|event| event["san"] == "e4");
    black.play("e5", "black");
    screen.wait_for("Black plays e5.");
    screen.send("new\r");
    ends_with(&screen, question);
    screen.send("yes\r");
    screen.wait_for("You have left the game on the server, where it goes on.");
    black.wait_until(|event| event["lines"][0] == "Ann is not connected.");
    black.type_line("resign");
    black.wait("ended");
    black.quit();
    screen.send("quit\r");
    assert!(screen.ends().success());
    // A program is not asked.
    let (white, black, _) = game_of(&served, &host, "unlimited");
    let mut white = Player::join(&white);
    let black = Player::join(&black);
    white.wait("turn");
    white.type_line("new");
    let left = "You have left the game on the server, where it goes on.";
    white.wait_until(|event| event["lines"][0] == left);
    white.quit();
    black.quit();
    served.end("-TERM");
}

#[test]
fn the_full_screen_plays_against_the_line_mode() {
    let home = Home::new("join-screen");
    let served = Served::start(&home);
    let (white, black, _) = game(&served, "10");
    let mut screen = Screen::start(&["play", "--join", &black]);
    screen.wait_for("Waiting for the opponent");
    let mut white = Player::join(&white);
    screen.wait_for("White to move");
    white.play("e4", "white");
    screen.wait_for("Black to move");
    // Only what a server allows is offered.
    let shown = screen.shown();
    assert!(shown.contains("v flip"), "{shown}");
    for key in ["u undo", "i hint", "l lines"] {
        assert!(!shown.contains(key), "{shown}");
    }
    screen.send("e5\r");
    white.wait_until(|event| event["san"] == "e5");
    // A premove is played when its turn comes.
    screen.send("Nc6\r");
    screen.wait_for("waits · Esc takes it back");
    white.play("Nf3", "white");
    white.wait_until(|event| event["san"] == "Nc6");
    white.type_line("offer");
    screen.wait_for("offers a draw");
    // Questions that come by themselves take no key for a moment.
    std::thread::sleep(Duration::from_millis(800));
    screen.send("a");
    assert_eq!(white.wait("ended")["reason"], "agreement");
    screen.wait_for("Rematch");
    screen.send("\u{1b}");
    white.quit();
    served.end("-TERM");
    screen.wait_for("Trying again");
}

/// The end of a pipe leaves the game whoever is to move, but what was typed before is sent. A watcher has no turn, so no line
/// waits for one.
#[test]
fn the_end_of_the_input_leaves() {
    let home = Home::new("join-end");
    let served = Served::start(&home);
    let (white, black, watch) = game(&served, "5");
    let leaves = |link: &str, input: &'static str| {
        let (link, (sender, ended)) = (link.to_owned(), channel());
        std::thread::spawn(move || sender.send(run_with(&["play", "--join", &link], input)));
        let ended = ended.recv_timeout(PATIENCE).expect("it ends");
        assert_eq!(ended.code, 0, "{input:?}: {}", ended.err);
    };
    leaves(&watch, "");
    leaves(&watch, "board\nquit\n");
    leaves(&black, "");
    let black = Player::join(&black);
    leaves(&white, "e4\n");
    black.wait_until(|event| event["san"] == "e4");
    black.quit();
    assert_eq!(served.end("-TERM").0, Some(0));
}

#[test]
fn links_that_lead_nowhere_are_said() {
    let home = Home::new("join-nowhere");
    let served = Served::start(&home);
    let (white, ..) = game(&served, "5");
    let wrong = white.split_once('#').expect("a token").0.to_owned() + "#" + &"0".repeat(32);
    let refused = run(&["play", "--json", "--join", &wrong]);
    assert_eq!(refused.code, 3);
    assert!(
        refused.err.contains("does not know this link"),
        "{}",
        refused.err
    );
    assert!(!refused.err.contains(&"0".repeat(32)));
    served.end("-TERM");
    let gone = run(&["play", "--json", "--join", &white]);
    assert_eq!(gone.code, 3);
    let nobody = "cannot be reached: no server listens there\n";
    assert!(gone.err.ends_with(nobody), "{}", gone.err);
    // A link with TLS is for a browser, and it is said what a terminal needs; its secret is not repeated.
    let secret = "0123456789abcdef".repeat(2);
    let secure = format!("https://example.org/game/0123456789abcdef#{secret}");
    let told = run(&["play", "--join", &secure]);
    assert_eq!(told.code, 2);
    for part in [
        "browser",
        "ssh -L 8080:127.0.0.1:8080",
        "http://127.0.0.1:8080",
    ] {
        assert!(told.err.contains(part), "{part}: {}", told.err);
    }
    assert!(!told.err.contains(&secret), "{}", told.err);
    for link in [
        "nonsense",
        "https://example.org/game/0123456789abcdef#00",
        "http://a/game/../x#1",
    ] {
        assert_eq!(run(&["play", "--join", link]).code, 2, "{link}");
    }
}
