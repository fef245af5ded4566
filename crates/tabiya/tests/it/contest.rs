//! `tabiya match` through the real program, with real processes as players.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tabiya_game::pgn;

use crate::line_players::stockfish;
use crate::line_support::run_lines;
use crate::support::{command, finished, run};

/// What means a hang.
const HANG: Duration = Duration::from_secs(120);

/// An empty folder of this test.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabiya-match-{}-{test}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A player that does everything as it should, except what it does on `go`.
fn scripted(test: &str, on_go: &str) -> String {
    let path = folder(test).join("engine.sh");
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo 'id name scripted'; echo uciok;;\n\
         isready) echo readyok;;\n\
         quit) exit 0;;\n\
         go*) {on_go};;\n\
         esac; done\n"
    );
    fs::write(&path, script).expect("a script");
    format!("uci:sh {}", path.display())
}

/// The program under test as a player.
fn itself() -> String {
    format!("uci:'{}' uci", env!("CARGO_BIN_EXE_tabiya"))
}

/// The objects that a match prints; the last is the score.
fn objects(arguments: &[&str]) -> (Vec<Value>, Value) {
    let run = run(&[&["match"], arguments, &["--json"]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let parse = |line| serde_json::from_str::<Value>(line).expect("JSON");
    let mut objects: Vec<Value> = run.out.lines().map(parse).collect();
    let score = objects.pop().expect("a score");
    assert_eq!(score["event"], "score");
    assert!(objects.iter().all(|object| object["event"] == "game"));
    (objects, score)
}

/// The games of a file: round, players, result and moves, in the order of rounds.
fn games(path: &Path) -> Vec<(u32, String, String)> {
    let bytes = fs::read(path).expect("a file");
    let mut games: Vec<_> = pgn::games(&bytes)
        .map(|game| {
            assert_eq!(game.errors, []);
            let tag = |name: &str| game.record.tags().get(name).unwrap_or("-").to_owned();
            let moves = game.record.root().subtree();
            let moves: Vec<_> = moves
                .filter_map(|node| Some(node.san()?.to_string()))
                .collect();
            let round = tag("Round").parse().expect("a round");
            let players = format!(
                "{} - {} {}",
                tag("White"),
                tag("Black"),
                game.record.result()
            );
            (round, players, moves.join(" "))
        })
        .collect();
    games.sort();
    games
}

#[test]
fn a_match_is_counted_and_kept() {
    let path = folder("kept").join("games.pgn");
    let out = path.to_str().expect("a name");
    let arguments = [
        "bot", "bot", "--games", "4", "--nodes", "200", "--seed", "1", "--pgn", out,
    ];
    let (told, score) = objects(&arguments);
    assert_eq!(told.len(), 4);
    let count = |key: &str| score[key].as_u64().expect(key);
    assert_eq!(count("wins") + count("draws") + count("losses"), 4);
    assert_eq!(score["end"], "played");
    let pairs = score["pairs"].as_array().expect("pairs");
    assert_eq!(
        pairs
            .iter()
            .map(|count| count.as_u64().expect("a count"))
            .sum::<u64>(),
        2
    );
    // The same openings in pairs, colors swapped.
    let kept = games(&path);
    assert_eq!(kept.len(), 4);
    assert!(kept[0].1.starts_with("Bot A - Bot B"), "{}", kept[0].1);
    assert!(kept[1].1.starts_with("Bot B - Bot A"), "{}", kept[1].1);
    let opening = |game: usize| kept[game].2.split(' ').take(8).collect::<Vec<_>>();
    assert_eq!(opening(0), opening(1));
    assert_ne!(opening(0), opening(2));
    // Another match is added to the file, not put in its place.
    objects(&arguments);
    assert_eq!(games(&path).len(), 8);
}

#[test]
fn the_same_seed_gives_the_same_games_at_any_concurrency() {
    let folder = folder("seed");
    let play = |name: &str, seed: &str, concurrency: &str| {
        let path = folder.join(name);
        let out = path.to_str().expect("a name");
        objects(&[
            "bot",
            &itself(),
            "--games",
            "4",
            "--nodes",
            "150",
            "--seed",
            seed,
            "--concurrency",
            concurrency,
            "--pgn",
            out,
        ]);
        games(&path)
    };
    let one = play("one", "7", "1");
    assert_eq!(one.len(), 4);
    assert_eq!(play("two", "7", "3"), one);
    assert_ne!(play("other", "8", "1"), one);
}

#[test]
#[ignore = "needs Stockfish in /usr/games"]
fn an_installed_engine_plays_by_its_name() {
    let mut command = command(&["match", "uci:stockfish", "bot:1", "--games", "2"]);
    // Debian has games in a folder of their own, which is not on every PATH.
    let output = command
        .args(["--nodes", "200"])
        .env("PATH", "/bin")
        .output();
    let output = output.expect("it starts");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
}

#[test]
fn the_score_is_printed_for_people() {
    let out = run(&[
        "match", "bot:2", "bot:1", "--games", "2", "--nodes", "50", "--seed", "1",
    ])
    .fine();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "A: Bot 2 «Beginner»");
    assert_eq!(lines[1], "B: Bot 1 «Newcomer»");
    assert!(lines[2].starts_with("2 games: +"), "{out}");
    assert!(lines[3].starts_with("Elo: "), "{out}");
    assert!(
        lines[4].starts_with("Pairs by A's points, from 0 to 2: "),
        "{out}"
    );
    assert_eq!(lines[5], "A: 0 crashes, 0 illegal moves, 0 losses on time");
    assert_eq!(lines[6], "B: 0 crashes, 0 illegal moves, 0 losses on time");
    assert_eq!(lines.len(), 7);
}

#[test]
fn a_crash_loses_the_game_and_the_player_is_started_again() {
    let player = scripted("crash", "echo oh no >&2; exit 3");
    let path = folder("crash-games").join("games.pgn");
    let out = path.to_str().expect("a name");
    let (told, score) = objects(&[
        &player, "bot", "--games", "3", "--nodes", "50", "--pgn", out,
    ]);
    assert_eq!(
        (&score["losses"], &score["faults_a"]["crashes"]),
        (&3.into(), &3.into())
    );
    assert!(
        told.iter()
            .all(|game| game["fault"]["kind"] == "crash" && game["fault"]["by"] == "A")
    );
    assert!(
        told[0]["fault"]["text"]
            .as_str()
            .expect("a text")
            .contains("oh no")
    );
    let text = fs::read_to_string(&path).expect("a file");
    assert_eq!(text.matches("[Termination \"abandoned\"]").count(), 3);
}

#[test]
fn an_illegal_move_loses_the_game() {
    for (test, on_go) in [
        ("illegal", "echo bestmove e1e8"),
        ("nonsense", "echo bestmove castle"),
        ("none", "echo bestmove 0000"),
    ] {
        let player = scripted(test, on_go);
        let (told, score) = objects(&["bot", &player, "--games", "2", "--nodes", "50"]);
        assert_eq!(score["wins"], 2, "{test}");
        assert_eq!(score["faults_b"]["illegal_moves"], 2, "{test}");
        assert!(
            told.iter()
                .all(|game| game["fault"]["kind"] == "illegal_move"),
            "{test}"
        );
    }
}

#[test]
fn a_late_move_and_no_move_lose_on_time() {
    let start = start_as_opening("late-start");
    for (test, on_go) in [("late", "sleep 1; echo bestmove a2a3"), ("never", ":")] {
        let player = scripted(test, on_go);
        let clock = ["--games", "1", "--clock", "0.2s", "--openings", &start];
        let (told, score) = objects(&[&[player.as_str(), "bot"], &clock[..]].concat());
        assert_eq!(
            (&told[0]["reason"], &told[0]["fault"]["kind"]),
            (&"time".into(), &"time".into())
        );
        assert_eq!(score["faults_a"]["time_losses"], 1, "{test}");
    }
}

#[test]
fn a_late_move_and_no_move_lose_on_time_where_each_move_has_its_own() {
    let start = start_as_opening("move-start");
    for (test, on_go, sentence) in [
        (
            "move-late",
            "sleep 2; echo bestmove a2a3",
            "The answer came after ",
        ),
        ("move-never", ":", "No answer came within "),
    ] {
        let player = scripted(test, on_go);
        let path = folder(&format!("{test}-games")).join("games.pgn");
        let out = path.to_str().expect("a name");
        let (told, score) = objects(&[
            &player,
            "bot",
            "--games",
            "1",
            "--movetime",
            "50",
            "--openings",
            &start,
            "--pgn",
            out,
        ]);
        assert_eq!(
            (&told[0]["reason"], &told[0]["fault"]["kind"]),
            (&"time".into(), &"time".into())
        );
        let text = told[0]["fault"]["text"].as_str().expect("a sentence");
        assert!(
            text.starts_with(sentence) && text.ends_with(" s."),
            "{text}"
        );
        assert_eq!(score["faults_a"]["time_losses"], 1, "{test}");
        let kept = fs::read_to_string(&path).expect("a file");
        assert!(kept.contains("[Termination \"time forfeit\"]"), "{kept}");
        assert!(kept.contains("[Result \"0-1\"]"), "{kept}");
    }
}

/// A position a line, with one line: the start.
fn start_as_opening(test: &str) -> String {
    let path = folder(test).join("start.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    fs::write(&path, start).expect("a file");
    path.display().to_string()
}

#[test]
fn an_engine_that_ignores_the_positions_asked_for_plays_all_the_same() {
    // It goes on for ever, as some engines do, until it is told to stop.
    let on_go = "echo info depth 9 nodes 900000;; stop) echo bestmove a2a3";
    let player = scripted("endless", on_go);
    let start = start_as_opening("endless-start");
    let run = run(&[
        "match",
        &player,
        "bot",
        "--games",
        "1",
        "--nodes",
        "50",
        "--openings",
        &start,
        "--adjudicate",
        "length:1",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("1 game: +0 =1 -0"), "{}", run.out);
    let faultless = "A: 0 crashes, 0 illegal moves, 0 losses on time";
    assert!(run.out.contains(faultless), "{}", run.out);
    let said = "asked for 50 positions and looked at 900000; it was told to stop.";
    assert_eq!(run.err.matches(said).count(), 1, "{}", run.err);
    // A match of the line mode says so as well, once in two games.
    let line = format!("match \"{player}\" bot:1 2 nodes 50 openings {start}");
    let out = run_lines(&["play"], &[&line]).fine();
    assert_eq!(out.matches(said).count(), 1, "{out}");
    let out = run_lines(&["play", "--json"], &[&line]).fine();
    let told = out
        .lines()
        .filter(|line| line.contains(r#""event":"overrun""#));
    let told: Vec<&str> = told.collect();
    assert!(
        matches!(&told[..], [one] if one.contains(r#""by":"A""#) && one.contains(said)),
        "{out}"
    );
}

#[test]
fn a_test_ends_the_match_by_itself() {
    let player = scripted("sprt", "exit 1");
    let flags = ["--games", "1000", "--nodes", "20", "--sprt", "0,50"];
    let (told, score) = objects(&[&["bot", player.as_str()], &flags[..]].concat());
    assert_eq!(
        (&score["end"], &score["sprt"]["accepted"]),
        (&"decided".into(), &"elo1".into())
    );
    assert!(told.len() < 100, "{}", told.len());
    let run = run(&[&["match", player.as_str(), "bot"], &flags[..]].concat());
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(
        run.out.contains("SPRT 0,50: ") && run.out.contains("0 accepted"),
        "{}",
        run.out
    );
}

#[test]
fn rules_end_games_early() {
    let flags = ["--games", "2", "--depth", "1", "--adjudicate", "length:5"];
    let (told, score) = objects(&[&["bot", "bot"], &flags[..]].concat());
    assert_eq!(score["draws"], 2);
    // Eight plies of the opening, and ten of the players.
    assert!(
        told.iter()
            .all(|game| game["reason"] == "adjudicated" && game["plies"] == 18)
    );
}

#[test]
fn openings_come_from_a_file() {
    let folder = folder("openings");
    let (book, out) = (folder.join("book.pgn"), folder.join("games.pgn"));
    fs::write(&book, "1. e4 e5 2. Nf3 *\n\n1. d4 d5 2. c4 *\n").expect("a file");
    let (book, name) = (
        book.to_str().expect("a name"),
        out.to_str().expect("a name"),
    );
    objects(&[
        "bot",
        "bot",
        "--games",
        "4",
        "--nodes",
        "20",
        "--openings",
        book,
        "--plies",
        "2",
        "--pgn",
        name,
    ]);
    let kept = games(&out);
    assert!(kept[..2].iter().all(|game| game.2.starts_with("e4 e5 ")));
    assert!(kept[2..].iter().all(|game| game.2.starts_with("d4 d5 ")));
}

#[test]
fn what_cannot_be_played_is_said() {
    for (arguments, code, sentence) in [
        (&["human", "bot"][..], 2, "played by bots and engines"),
        (&["bot:11", "bot"], 2, "from 1 to 10"),
        (
            &["bot", "bot", "--nodes", "5", "--depth", "5"],
            2,
            "cannot be used with",
        ),
        (&["bot", "bot", "--games", "0"], 2, "games"),
        (&["bot", "bot", "--sprt", "5,0"], 2, "ELO0 below ELO1"),
        (&["bot", "bot", "--adjudicate", "mercy"], 2, "resign:600:4"),
        (
            &["bot", "uci:/no/such/engine"],
            3,
            "There is no engine '/no/such/engine'",
        ),
        (&["bot", "uci:sh -c 'exit 1'"], 3, "The engine ended"),
        (
            &["bot", "bot", "--openings", "/no/such/file"],
            3,
            "/no/such/file",
        ),
        (&["bot", "bot", "--openings", "/dev/null"], 1, "no opening"),
        (
            &["bot", "bot", "--pgn", "/no/such/folder/x.pgn"],
            3,
            "/no/such/folder",
        ),
    ] {
        let run = run(&[&["match"], arguments].concat());
        assert_eq!(run.code, code, "{arguments:?}: {} {}", run.out, run.err);
        assert!(run.err.contains(sentence), "{arguments:?}: {}", run.err);
    }
}

/// Starts a match that would take very long.
fn long_match(out: &Path) -> Child {
    let name = out.to_str().expect("a name");
    command(&[
        "match", "bot", "bot", "--games", "100000", "--nodes", "20", "--pgn", name,
    ])
    .stdin(Stdio::null())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the binary can be started")
}

/// Waits until a file has more than this many games.
fn wait_for_games(out: &Path, games: usize) {
    let begun = Instant::now();
    while fs::read_to_string(out)
        .unwrap_or_default()
        .matches("[Round ")
        .count()
        <= games
    {
        assert!(begun.elapsed() < HANG, "no games came");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_match_prints_its_score_and_keeps_its_games() {
    interrupted("interrupt", 1);
}

/// `timeout` sends a signal to the program and once more to its process group.
#[cfg(unix)]
#[test]
fn signals_at_the_same_time_are_one_request() {
    interrupted("interrupts", 40);
}

#[cfg(unix)]
fn interrupted(name: &str, signals: usize) {
    use std::os::unix::process::ExitStatusExt;

    let out = folder(name).join("games.pgn");
    let child = long_match(&out);
    wait_for_games(&out, 3);
    let id = rustix::process::Pid::from_child(&child);
    for _ in 0..signals {
        // The program may have ended by the first ones.
        let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("the child ends");
    assert_eq!(output.status.signal(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let kept = games(&out).len();
    assert!(kept >= 3);
    assert!(
        text.contains(&format!("{kept} games of 100000, stopped: +")),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn a_killed_match_keeps_its_games() {
    let out = folder("kill").join("games.pgn");
    let mut child = long_match(&out);
    wait_for_games(&out, 3);
    child.kill().expect("a kill");
    child.wait().expect("the child ends");
    // The last game may be cut off; all before it are whole.
    let bytes = fs::read(&out).expect("a file");
    let whole = pgn::games(&bytes)
        .filter(|game| game.errors.is_empty())
        .count();
    assert!(whole >= 3, "{whole}");
}

#[test]
#[ignore = "needs Stockfish"]
fn other_engines_play() {
    let stockfish = stockfish();
    let player = format!("uci:{}?Skill Level=0&Hash=1", stockfish.display());
    let (_, score) = objects(&[
        "bot",
        &player,
        "--games",
        "2",
        "--clock",
        "1s+0.02s",
        "--concurrency",
        "2",
    ]);
    assert_eq!(score["games"], 2);
    for faults in ["faults_a", "faults_b"] {
        assert_eq!(score[faults]["crashes"], 0, "{score}");
        assert_eq!(score[faults]["illegal_moves"], 0, "{score}");
    }
}

/// A device that is always full stands for a disk that is.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_cost_the_score() {
    let arguments = ["match", "bot", "bot", "--games", "4", "--nodes", "20"];
    let run = run(&[&arguments[..], &["--pgn", "/dev/full"]].concat());
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.out.contains(" of 4, stopped: +"), "{}", run.out);
    assert!(run.err.contains("/dev/full: "), "{}", run.err);
}

#[test]
fn nobody_who_reads_is_no_failure() {
    let mut child = command(&[
        "match", "bot", "bot", "--games", "50", "--nodes", "20", "--json",
    ])
    .stdin(Stdio::null())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .expect("the binary can be started");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the child ends");
    let run = finished(&output);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}
