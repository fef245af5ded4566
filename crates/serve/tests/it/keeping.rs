//! Everything that was shown is on disk, and games go on after a restart.

use serde_json::json;

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
    let host = served.again(&host);
    // The same links and cookies work.
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
    let listed = served.get("/api/games", &[("Cookie", &host)]).json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        served.join(&fresh, "white").wait("state")["board"]["begun"],
        false
    );
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

/// An unused game is removed from memory, and is there again when somebody joins.
#[test]
fn unused_games_leave_the_memory() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.idle = std::time::Duration::from_millis(100);
        config.limits.games = 1;
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    let mut both = served.join(&game, "both");
    both.play("e4");
    // While a client is connected, there is no room for another game.
    let full = served.post(
        "/api/games",
        &[("Cookie", &host)],
        &json!({ "opponent": "here" }),
    );
    assert_eq!(full.status, 503);
    drop(both);
    let start = std::time::Instant::now();
    let other = loop {
        let answer = served.post(
            "/api/games",
            &[("Cookie", &host)],
            &json!({ "opponent": "here" }),
        );
        if answer.status == 201 {
            break answer;
        }
        assert!(
            start.elapsed() < std::time::Duration::from_secs(20),
            "{answer:?}"
        );
        std::thread::sleep(std::time::Duration::from_millis(50));
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
        assert!(
            start.elapsed() < std::time::Duration::from_secs(20),
            "{answer:?}"
        );
        std::thread::sleep(std::time::Duration::from_millis(50));
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
    let host = served.again(&host);
    let state = served
        .get(&format!("/api/games/{}", game.id), &[("Cookie", &host)])
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
    // The cookie of one server is valid for the other.
    let host = servers[0].enter();
    assert!(host.starts_with("host80="), "{host}");
    let mut games = Vec::new();
    for (at, served) in servers.iter().enumerate() {
        for _ in 0..4 {
            let game = served.game(&host, &json!({ "opponent": "here" }));
            let first = game.id.chars().next().and_then(|digit| digit.to_digit(16));
            assert_eq!(first.map(|digit| digit >= 8), Some(at == 1), "{}", game.id);
            served.join(&game, "both").play("e4");
            games.push((at, game));
            // The times of files have a limited resolution.
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    for (at, game) in &games {
        let path = format!("/api/games/{}", game.id);
        assert_eq!(servers[*at].get(&path, &[("Cookie", &host)]).status, 200);
        let other = &servers[1 - at];
        assert_eq!(other.get(&path, &[("Cookie", &host)]).status, 404);
        let bearer = format!("Bearer {}", game.token("both"));
        assert_eq!(other.get(&path, &[("Authorization", &bearer)]).status, 401);
    }
    for served in &servers {
        let listed = served.get("/api/games", &[("Cookie", &host)]).json();
        assert_eq!(listed["games"].as_array().map(Vec::len), Some(8));
        // The latest games come first.
        assert_eq!(listed["games"][0]["id"], games[7].1.id.as_str());
        assert_eq!(listed["games"][7]["id"], games[0].1.id.as_str());
    }
    let [one, two] = servers;
    one.stop();
    two.stop();
    let alone = Served::start(folder.path());
    let host = alone.again(&host);
    for (_, game) in &games {
        let path = format!("/api/games/{}", game.id);
        let state = alone.get(&path, &[("Cookie", &host)]).json();
        assert_eq!(state["board"]["ply"], 1, "one server has them all");
    }
}

/// A client can join a game even while it is being removed from memory.
#[test]
fn whoever_comes_while_a_game_leaves_the_memory_gets_in() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.idle = std::time::Duration::from_millis(1);
    });
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    for at in 0..200 {
        let state = served.get(&format!("/api/games/{}", game.id), &[("Cookie", &host)]);
        assert_eq!(state.status, 200, "{at}: {}", state.body);
        served.join(&game, "both").wait("state");
    }
}
