//! Everything that was shown is on disk, and games go on after a restart.

#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tabiya_serve::ServeError;

use crate::harness::{Served, folder};

#[test]
fn games_go_on_after_the_server_was_stopped() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(
        &host,
        &json!({ "opponent": "person", "clock": "5+3", "name": "Ann" }),
    );
    let fresh = served.game(&host, &json!({ "opponent": "person" }));
    let bot = served.game(&host, &json!({ "opponent": "bot:1" }));
    let (mut white, mut black) = (served.join(&game, "white"), served.join(&game, "black"));
    black.wait("state");
    white.play("e4");
    black.play("e5");
    white.does(&json!({ "command": "offer_draw", "side": "white" }));
    let mut person = served.join(&bot, "white");
    person.play("d4");
    served.stop();
    assert!(
        white.next().is_none() || black.next().is_some(),
        "the connection ends"
    );

    let served = Served::start(folder.path());
    // The same links and sessions work.
    let (mut white, mut black) = (served.join(&game, "white"), served.join(&game, "black"));
    let state = white.wait("state");
    assert_eq!(state["board"]["ply"], 2);
    assert_eq!(state["board"]["offer"], "white");
    assert_eq!(state["names"]["white"], "Ann");
    let left = state["board"]["clock"]["left_ms"]["white"]
        .as_u64()
        .expect("a clock");
    assert!((200_000..303_001).contains(&left), "{left}");
    black.does(&json!({ "command": "accept_draw", "side": "black" }));
    // The bot answers the move from before the restart.
    let mut person = served.join(&bot, "white");
    let state = person.wait("state");
    if state["board"]["ply"] != 2 {
        person.until(|board| board["ply"] == 2);
    }
    let listed = served.get("/api/games", &[("Authorization", &host)]).json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        served.join(&fresh, "white").wait("state")["board"]["begun"],
        false
    );
}

/// The time spent on a move is on disk while the move is thought about, so that a killed server does not give it back.
#[test]
fn the_time_on_a_running_clock_is_saved() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here", "clock": "5" }));
    let mut both = served.join(&game, "both");
    both.play("e4");
    let journal = folder.path().join(format!("saves/{}.journal", game.id));
    let thought = || {
        let text = std::fs::read_to_string(&journal).unwrap_or_default();
        let (_, time) = text.rsplit_once("[%thinking 0:00:")?;
        time.get(..2)?.parse::<u32>().ok()
    };
    let begun = std::time::Instant::now();
    while thought().is_none_or(|seconds| seconds < 2) {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_game_that_is_over_can_still_be_seen() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    both.play("e4");
    both.does(&json!({ "command": "resign", "side": "black" }));
    served.stop();
    let served = Served::start(folder.path());
    let bearer = format!("Bearer {}", game.token("watch"));
    let answer = served.get(
        &format!("/api/games/{}/pgn", game.id),
        &[("Authorization", &bearer)],
    );
    assert!(answer.body.contains("1. e4 1-0"), "{}", answer.body);
}

/// A game that cannot be saved goes on. That is said after each move and to everybody who comes, and the game is saved as
/// soon as that is possible, even if nobody moves.
#[test]
fn a_game_that_cannot_be_saved_says_so_and_is_saved_later() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.save_again = Duration::from_millis(100);
        config.limits.idle = Duration::from_millis(100);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    both.play("e4");
    let (saves, away) = (folder.path().join("saves"), folder.path().join("away"));
    std::fs::rename(&saves, &away).expect("renamed");
    std::fs::write(&saves, "no folder").expect("written");
    let says = |message: &Value, what: &str| {
        let said = message["sentences"][0].as_str().expect("a sentence");
        assert!(said.starts_with(what), "{said}");
    };
    for played in ["e5", "Nf3"] {
        both.ask(&json!({ "command": "play", "move": played }));
        says(&both.wait("notice"), "The game is not saved:");
    }
    let mut other = served.join(&game, "watch");
    says(&other.wait("notice"), "The game is not saved:");
    // It stays in memory although nobody watches it.
    drop((both, other));
    std::thread::sleep(Duration::from_millis(500));
    let log = served.log.lock().expect("no panic").clone();
    assert_eq!(log.matches("not saved").count(), 1, "{log}");
    let mut both = served.join(&game, "both");
    assert_eq!(both.wait("state")["board"]["ply"], 3);
    says(&both.wait("notice"), "The game is not saved:");
    std::fs::remove_file(&saves).expect("removed");
    std::fs::rename(&away, &saves).expect("renamed");
    says(&both.wait("notice"), "The game is saved again.");
    both.play("Nc6");
    served.stop();
    let served = Served::start(folder.path());
    let state = served.join(&game, "both").wait("state");
    assert_eq!(state["board"]["ply"], 4);
}

/// A game that cannot be saved does not begin, and leaves no links behind. The answer is a sentence.
#[test]
fn a_game_that_cannot_be_saved_at_first_does_not_begin() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let files = || {
        std::fs::read_dir(folder.path().join("links"))
            .expect("a folder")
            .count()
    };
    let asked = json!({ "opponent": "here" });
    let refused = || {
        let answer = served.post("/api/games", &[("Authorization", &host)], &asked);
        assert_eq!(answer.status, 500, "{}", answer.body);
        let said = answer.json()["error"].to_string();
        assert!(
            said.ends_with(".\"") && !said.contains("os error"),
            "{said}"
        );
    };
    let [saves, links, away] = ["saves", "links", "away"].map(|name| folder.path().join(name));
    std::fs::write(&saves, "no folder").expect("written");
    refused();
    assert_eq!(files(), 0);
    std::fs::remove_file(&saves).expect("removed");
    std::fs::rename(&links, &away).expect("renamed");
    std::fs::write(&links, "no folder").expect("written");
    refused();
    std::fs::remove_file(&links).expect("removed");
    std::fs::rename(&away, &links).expect("renamed");
    served.game(&host, &asked);
    assert_eq!(files(), 1);
}

/// An unused game is removed from memory, and is there again when somebody joins.
#[test]
fn unused_games_leave_the_memory() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.idle = Duration::from_millis(100);
        config.limits.games = 1;
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    both.play("e4");
    // While a client is connected, there is no room for another game.
    let full = served.post(
        "/api/games",
        &[("Authorization", &host)],
        &json!({ "opponent": "here" }),
    );
    assert_eq!(full.status, 503);
    drop(both);
    let start = std::time::Instant::now();
    let other = loop {
        let answer = served.post(
            "/api/games",
            &[("Authorization", &host)],
            &json!({ "opponent": "here" }),
        );
        if answer.status == 201 {
            break answer;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{answer:?}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(other.body.contains("links"));
    let state = loop {
        let bearer = format!("Bearer {}", game.token("both"));
        let answer = served.get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &bearer)],
        );
        if answer.status == 200 {
            break answer.json();
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{answer:?}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(state["board"]["ply"], 1);
}

/// Foreign and damaged files in the folder neither stop the server nor start a program.
#[test]
fn damaged_and_foreign_files_do_no_harm() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    served.join(&game, "both").play("e4");
    let other = served.game(&host, &json!({ "opponent": "here" }));
    served.stop();
    let saves = folder.path().join("saves");
    let path = saves.join(format!("{}.pgn", game.id));
    let text = std::fs::read_to_string(&path).expect("a save");
    let text = text.replace(
        "[BlackPlayer \"human\"]",
        "[BlackPlayer \"uci:/bin/false\"]",
    );
    std::fs::write(&path, text).expect("written");
    std::fs::write(saves.join(format!("{}.pgn", other.id)), "rubbish {").expect("written");
    let links = folder.path().join("links");
    std::fs::write(links.join("0123456789abcdef.json"), "{").expect("written");
    std::fs::write(links.join("..json"), "{\"links\":{}}").expect("written");
    let served = Served::start(folder.path());
    let state = served
        .get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        )
        .json();
    assert_eq!(
        state["players"]["black"], "human",
        "no file starts a program"
    );
    assert_eq!(state["board"]["ply"], 1);
}

/// Two servers on one folder: each runs the games of its share, both have the same host, and both list all games.
#[test]
fn two_servers_share_the_games_of_a_folder_by_their_ids() {
    let folder = folder();
    let public: tabiya_serve::PublicUrl = "http://chess.example.org".parse().expect("an address");
    let start = |share: &str| {
        Served::with(folder.path(), |config| {
            config.share = share.parse().expect("a share");
            config.public = Some(public.clone());
        })
    };
    let servers = [start("1/2"), start("2/2")];
    // The session of one server is valid for the other.
    let host = servers[0].enter();
    let mut games = Vec::new();
    for (at, served) in servers.iter().enumerate() {
        for _ in 0..4 {
            let game = served.game(&host, &json!({ "opponent": "here" }));
            let first = game.id.chars().next().and_then(|digit| digit.to_digit(16));
            assert_eq!(first.map(|digit| digit >= 8), Some(at == 1), "{}", game.id);
            served.join(&game, "both").play("e4");
            games.push((at, game));
            // The times of files have a limited resolution.
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    for (at, game) in &games {
        let path = format!("/api/games/{}", game.id);
        assert_eq!(
            servers[*at].get(&path, &[("Authorization", &host)]).status,
            200
        );
        let other = &servers[1 - at];
        assert_eq!(other.get(&path, &[("Authorization", &host)]).status, 404);
        let bearer = format!("Bearer {}", game.token("both"));
        assert_eq!(other.get(&path, &[("Authorization", &bearer)]).status, 401);
    }
    for served in &servers {
        let listed = served.get("/api/games", &[("Authorization", &host)]).json();
        assert_eq!(listed["games"].as_array().map(Vec::len), Some(8));
        // The latest games come first.
        assert_eq!(listed["games"][0]["id"], games[7].1.id.as_str());
        assert_eq!(listed["games"][7]["id"], games[0].1.id.as_str());
    }
    let [one, two] = servers;
    one.stop();
    two.stop();
    let alone = Served::start(folder.path());
    for (_, game) in &games {
        let path = format!("/api/games/{}", game.id);
        let state = alone.get(&path, &[("Authorization", &host)]).json();
        assert_eq!(state["board"]["ply"], 1, "one server has them all");
    }
}

/// Two servers never run the same games, also if they start with different shares.
#[test]
fn a_second_server_on_the_games_of_another_one_does_not_start() {
    let folder = folder();
    let share = |share: &str| share.parse().expect("a share");
    let first = Served::with(folder.path(), |config| config.share = share("1/2"));
    for overlapping in ["1/1", "1/2", "1/4", "2/3"] {
        let refused = Served::refused(folder.path(), |config| config.share = share(overlapping));
        assert!(matches!(refused, ServeError::Running(_)), "{refused}");
        assert!(refused.to_string().contains("--share"), "{refused}");
    }
    let second = Served::with(folder.path(), |config| config.share = share("2/2"));
    first.stop();
    second.stop();
    Served::start(folder.path()).stop();
}

/// A client can join a game even while it is being removed from memory.
#[test]
fn whoever_comes_while_a_game_leaves_the_memory_gets_in() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.idle = Duration::from_millis(1);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    for at in 0..200 {
        let state = served.get(
            &format!("/api/games/{}", game.id),
            &[("Authorization", &host)],
        );
        assert_eq!(state.status, 200, "{at}: {}", state.body);
        served.join(&game, "both").wait("state");
    }
}

/// The modes of everything in a folder that others must not read.
#[cfg(unix)]
fn modes(folder: &Path) -> Vec<(PathBuf, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mut modes = Vec::new();
    for path in [folder.to_owned(), folder.join("links")] {
        for entry in std::fs::read_dir(&path).expect("a folder") {
            let file = entry.expect("a file").path();
            if file.is_file() {
                let mode = file.metadata().expect("a file").permissions().mode();
                modes.push((file, mode & 0o777));
            }
        }
        let mode = path.metadata().expect("a folder").permissions().mode();
        modes.push((path, mode & 0o777));
    }
    modes
}

/// A folder of an earlier version, which others could read: its links work, only its user can read it from now on, and the
/// secret that was in a cookie is gone.
#[cfg(unix)]
#[test]
fn an_earlier_folder_is_taken_over_and_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    served.join(&game, "both").play("e4");
    served.stop();
    let secret = "0123456789abcdef".repeat(2);
    std::fs::write(folder.path().join("host"), &secret).expect("written");
    std::fs::remove_file(folder.path().join("sessions.json")).expect("it was there");
    for (path, mode) in modes(folder.path()) {
        let loose = std::fs::Permissions::from_mode(mode | 0o055);
        std::fs::set_permissions(path, loose).expect("ours");
    }
    let served = Served::start(folder.path());
    let bearer = format!("Bearer {secret}");
    let headers = [("Authorization", bearer.as_str())];
    assert_eq!(served.get("/api/games", &headers).status, 401);
    assert!(!folder.path().join("host").exists());
    assert!(
        served
            .log
            .lock()
            .expect("no panic")
            .contains("printed address")
    );
    let state = served.join(&game, "both").wait("state");
    assert_eq!(state["board"]["ply"], 1);
    // What is written from now on is closed to others too.
    let host = served.enter();
    served.game(&host, &json!({ "opponent": "here" }));
    for (path, mode) in modes(folder.path()) {
        assert_eq!(mode & 0o077, 0, "{}: {mode:o}", path.display());
    }
}
