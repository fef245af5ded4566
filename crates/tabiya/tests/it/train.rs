//! `tabiya train`: the mistakes of a saved game are asked, and what was answered is found again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Run, command, finished};

/// A game of Anna's that was judged. 2...Ke7 was the only mistake.
const GAME: &str = r#"[White "Bo"]
[Black "Anna"]
[Date "2026.11.12"]
[Result "1-0"]

{[%eval 0.20] [%best e2e4]} 1. e4 {[%eval 0.25] [%best e7e5]} e5 {[%eval 0.20] [%best g1f3]}
2. Qh5 {[%eval -0.30] [%best b8c6]} Ke7 {[%eval 15.00] [%best h5e5]} 3. Qxe5# 1-0
"#;

/// The folders of a user.
struct Home(tempfile::TempDir);

impl Home {
    /// Anna's, with the game.
    fn new() -> Home {
        let home = Home(tempfile::tempdir().expect("a folder"));
        home.write("config/tabiya/config.toml", "name = \"Anna\"\n");
        home.write("data/tabiya/saves/lost.pgn", GAME);
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = command(arguments);
        for (name, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
        ] {
            command.env(name, self.path(folder));
        }
        command
    }

    fn train(&self, flags: &[&str], lines: &[&str]) -> Run {
        use std::io::Write;
        let mut child = self
            .command(&[&["train"], flags].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        for line in lines {
            // A session may end before all lines are read.
            let _ = writeln!(stdin, "{line}");
        }
        drop(stdin);
        finished(&child.wait_with_output().expect("it ends"))
    }

    /// The only log.
    fn log(&self) -> PathBuf {
        let logs = fs::read_dir(self.path("data/tabiya/train")).expect("a folder");
        let mut logs: Vec<PathBuf> = logs.map(|log| log.expect("a log").path()).collect();
        logs.retain(|log| log.is_file());
        assert_eq!(logs.len(), 1, "{logs:?}");
        logs.remove(0)
    }
}

fn kinds(log: &Path) -> Vec<String> {
    let text = fs::read_to_string(log).expect("a log");
    let kind = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        line["k"].as_str().expect("a kind").to_owned()
    };
    text.lines().map(kind).collect()
}

#[test]
fn a_mistake_is_asked_judged_and_kept() {
    let home = Home::new();
    let lines = ["Zz9", "hint", "Ke7", "g6", "Nc6", "Nc6"];
    let out = home.train(&[], &lines).fine();
    let said: Vec<&str> = out.lines().filter(|line| *line != "Your move: ").collect();
    assert!(said[0].starts_with("1 of 1, about "), "{out}");
    let expected = [
        ". Black to move. Against Bo, 2026.11.12. You played 2...Ke7. Find better.",
        "Invalid move format 'Zz9'. Use coordinate notation, e.g. e2e4.",
        "Algebraic notation is read too, e.g. Nf3.",
        "Hint: the knight on b8.",
        "Wrong: Ke7 is what you played. Try again.",
    ];
    assert!(said[0].ends_with(expected[0]), "{out}");
    assert_eq!(said[1..5], expected[1..], "{out}");
    // The engine is asked about a move that is not known.
    assert!(said[5].starts_with("Wrong: g6 costs "), "{out}");
    assert!(said[6].starts_with("Right: Nc6"), "{out}");
    assert!(said[7].starts_with("1 of 1 again, about "), "{out}");
    assert_eq!(said[8], "Right: Nc6. It comes back tomorrow.", "{out}");
    assert_eq!(said[9], "1 solved, 0 at once; tomorrow 1.", "{out}");
    assert_eq!(said.len(), 10, "{out}");
    assert_eq!(kinds(&home.log()), ["head", "item", "review", "review"]);

    let again = home.train(&[], &["quit"]).fine();
    assert_eq!(again, "Nothing is due; tomorrow 1 of 1 exercise.\n");
    let listed = home.train(&["list"], &[]).fine();
    let line = "in 1 day: 2...Ke7, Black to move. Against Bo, 2026.11.12.\n";
    assert_eq!(listed, line);
    // The games of others are not asked.
    home.write("config/tabiya/config.toml", "name = \"Cem\"\n");
    fs::remove_dir_all(home.path("data/tabiya/train")).expect("it is there");
    let none = home.train(&[], &[]).fine();
    assert!(none.starts_with("There are no exercises yet."), "{none}");
}

/// Who wants to know more of what comes back is asked more often.
#[test]
fn the_retention_decides_when_it_comes_back() {
    let due = |retention: &str| {
        let home = Home::new();
        let config = format!("name = \"Anna\"\n[train]\nretention = {retention}\n");
        home.write("config/tabiya/config.toml", &config);
        let out = home.train(&["--json"], &["Nc6", "easy"]).fine();
        let events = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut dues = events.filter_map(|event| event["due"].as_u64());
        let due = dues.next_back().expect("a grade");
        let listed = home.train(&["list", "--json"], &[]).fine();
        let listed: Value = serde_json::from_str(&listed).expect("one object");
        (due, listed["due"].as_u64())
    };
    let (often, seldom) = (due("0.95"), due("0.7"));
    assert!(often.0 < seldom.0, "{often:?} {seldom:?}");
    assert!(often.1 < seldom.1, "{often:?} {seldom:?}");
}

#[test]
fn a_session_as_json() {
    let home = Home::new();
    let out = home.train(&["--json"], &["hint", "Nc6", "easy"]).fine();
    let events: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let names: Vec<&str> = events
        .iter()
        .filter_map(|event| event["event"].as_str())
        .collect();
    assert_eq!(names, ["exercise", "answer", "judged", "session"], "{out}");
    assert_eq!(events[0]["played"]["uci"], "e8e7");
    assert_eq!(events[0]["opponent"], "Bo");
    assert_eq!(events[2]["verdict"], "right");
    assert_eq!(events[2]["grade"], 2);
    assert_eq!(events[3]["solved"], 1);
    let listed = home.train(&["list", "--json"], &[]).fine();
    let listed: Value = serde_json::from_str(&listed).expect("one object");
    assert_eq!(listed["state"], "waiting");
    assert_eq!(listed["best"][0], "Nc6");
}

#[test]
fn answers_are_withdrawn_and_what_is_shown_counts_as_failed() {
    let home = Home::new();
    let out = home.train(&[], &["Nc6"]).fine();
    assert!(out.contains("1 solved, 1 at once"), "{out}");
    fs::remove_file(home.log()).expect("it is there");
    let lines = ["undo", "show", "undo", "board", "fen", "later", "Nc6"];
    let out = home.train(&[], &lines).fine();
    for sentence in [
        "There is no answer of this session to withdraw.",
        "The best move was Nc6. It comes back at the end.",
        "The last answer is withdrawn.",
        "rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2",
        "It comes at the end.",
        "1 solved, 1 at once; tomorrow 0.",
    ] {
        assert!(out.contains(sentence), "{sentence} {out}");
    }
    assert_eq!(kinds(&home.log())[2..], ["review", "undo", "review"]);
}

#[test]
fn a_second_window_is_told_so_and_a_torn_log_is_mended() {
    let home = Home::new();
    let mut first = home
        .command(&["train"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = [0; 16];
    std::io::Read::read_exact(first.stdout.as_mut().expect("a pipe"), &mut said).expect("it asks");
    let second = home.train(&[], &["quit"]);
    assert_eq!((second.code, second.out.as_str()), (3, ""));
    let sentence = "tabiya: The training is open in another window; close it there first.\n";
    assert_eq!(second.err, sentence);
    drop(first.stdin.take());
    first.wait().expect("it ends");

    let log = home.log();
    let mut text = fs::read_to_string(&log).expect("a log");
    let whole = text.clone();
    text.push_str("{\"v\":1,\"k\":\"review\",\"id\":\"x:");
    fs::write(&log, &text).expect("written");
    let third = home.train(&[], &["Nc6"]);
    assert_eq!(third.code, 0);
    assert!(third.err.contains("set aside as "), "{}", third.err);
    let mended = fs::read_to_string(&log).expect("a log");
    assert!(mended.starts_with(&whole) && mended.len() > whole.len());
    assert_eq!(kinds(&log), ["head", "item", "review"]);
    let damaged = fs::read_dir(home.path("data/tabiya/damaged")).expect("a folder");
    assert_eq!(damaged.count(), 1);
    assert_eq!(home.train(&["list"], &[]).code, 0);
}

/// Two puzzles, the second of which has no rating, and rows that are none.
const PUZZLES: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,Themes
two,6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1,g8h8 h1h7 h8g8 e2e8,1500,80,9,mateIn2 short
bad,6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1,g8h8 h1h9,1500,80,9,mateIn2
hard,6k1/6pp/8/6N1/8/8/4Q3/K6R b - - 0 1,g8f8 e2e7,2500,80,9,mateIn2
one,7k/5ppp/8/8/8/8/8/KRR5 b - - 0 1,h8g8 b1b8,,,9,
nonsense
";

#[test]
fn puzzles_of_a_compressed_file_are_added_and_their_replies_played() {
    let home = Home::new();
    let packed = zstd::encode_all(PUZZLES.as_bytes(), 1).expect("packed");
    fs::write(home.path("puzzles.csv.zst"), packed).expect("written");
    let file = home.path("puzzles.csv.zst");
    let file = file.to_str().expect("UTF-8");
    let choice = ["--rating", "1300-1600", "--themes", "fork,matein2"];
    let add = [&["add", file][..], &choice].concat();
    let out = home.train(&add, &[]).fine();
    let said = "1 tactic added of 5 puzzles; 2 rows cannot be read, the first is line 3: move 2 is not legal.\n";
    assert_eq!(out, said);
    let again = home.train(&[&add[..], &["--json"]].concat(), &[]);
    assert_eq!(again.code, 1, "{}", again.err);
    let again: Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!((&again["added"], &again["known"]), (&0.into(), &1.into()));

    let out = home
        .train(&["--kind", "tactic"], &["Rxh7+", "fen", "Qe8#"])
        .fine();
    let said: Vec<&str> = out.lines().filter(|line| *line != "Your move: ").collect();
    let asked = "1 of 1, about 1500. White to move. Black moved the king from g8 to h8. Find the best move.";
    assert_eq!(said[0], asked);
    assert_eq!(said[1], "Right: Rxh7+. The reply is 2...Kg8. Go on.");
    assert_eq!(said[2], "6k1/6pR/8/6N1/8/8/4Q3/K7 w - - 1 3", "{out}");
    assert!(
        said[3].starts_with("Right: Qe8#: 2.Rxh7+ Kg8 3.Qe8#. It comes back in "),
        "{out}"
    );
    assert!(
        said[4].starts_with("1 solved, 1 at once; 1500 → 16"),
        "{out}"
    );

    let rest = home.train(&["add", file], &[]).fine();
    assert!(
        rest.starts_with("2 tactics added of 5 puzzles; 1 known already"),
        "{rest}"
    );
    let kinds: Vec<String> = home
        .train(&["list", "--json"], &[])
        .fine()
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            line["kind"].as_str().expect("a kind").to_owned()
        })
        .collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "tactic").count(), 3);
    home.write("games.csv", "White,Black\nAnna,Bo\n");
    let games = home.path("games.csv");
    let none = home.train(&["add", games.to_str().expect("UTF-8")], &[]);
    assert_eq!(none.code, 3);
    assert!(none.err.contains("FEN and Moves"), "{}", none.err);
}

#[test]
fn ratings_are_estimated_row_by_row() {
    let home = Home::new();
    home.write("puzzles.csv", PUZZLES);
    let file = home.path("puzzles.csv");
    let file = file.to_str().expect("UTF-8");
    let out = home.train(&["rate", file, "--json"], &[]).fine();
    let rows: Vec<Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 6, "{out}");
    assert_eq!(
        (&rows[0]["id"], &rows[0]["rating"]),
        (&"two".into(), &1500.into())
    );
    assert!((400..=2900).contains(&rows[0]["estimate"].as_u64().expect("a number")));
    assert_eq!(
        (&rows[1]["line"], &rows[1]["fault"]),
        (&3.into(), &"move 2 is not legal".into())
    );
    assert_eq!(
        (&rows[3]["id"], &rows[3]["rating"]),
        (&"one".into(), &Value::Null)
    );
    let totals = &rows[5];
    assert_eq!(
        (&totals["puzzles"], &totals["unreadable"]),
        (&3.into(), &2.into())
    );
    assert_eq!(totals["rated"], 2);
    assert!(totals["mae"].is_number() && totals["spearman"].is_number());
    let text = home.train(&["rate", file], &[]).fine();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("two 1500 "), "{text}");
    assert_eq!(lines[1], "line 3: move 2 is not legal");
    assert!(lines[3].starts_with("one - "), "{text}");
    assert!(
        lines[5].starts_with("3 puzzles; 2 with a rating: MAE "),
        "{text}"
    );
    assert!(
        lines[5].ends_with("; 2 rows cannot be read, the first is line 3: move 2 is not legal.")
    );
}

/// A log that cannot be written costs a sentence, and nothing else.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let home = Home::new();
    home.write("data/tabiya/train", "a file in the way");
    let run = home.train(&[], &["Nc6"]);
    assert_eq!((run.code, run.out.as_str()), (3, ""));
    assert!(run.err.contains("train"), "{}", run.err);
}

/// Two people at this board, as the full screen saves their game: the mistakes of both are asked.
#[test]
fn a_game_of_two_people_without_names_is_the_users_own() {
    let home = Home::new();
    let players = "[White \"?\"]\n[Black \"?\"]\n[WhitePlayer \"human\"]\n[BlackPlayer \"human\"]";
    let names = "[White \"Bo\"]\n[Black \"Anna\"]";
    home.write("data/tabiya/saves/lost.pgn", &GAME.replace(names, players));
    let list = finished(&home.command(&["train", "list"]).output().expect("it runs"));
    assert!(list.out.contains("Ke7"), "{}{}", list.out, list.err);
}

#[cfg(unix)]
#[test]
fn an_exercise_on_the_full_screen() {
    let home = Home::new();
    let start = |arguments: &[&str]| {
        let variables = [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
        ];
        let variables = variables.map(|(name, folder)| (name, home.path(folder)));
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, folder)| (*name, folder.to_str().expect("UTF-8")))
            .collect();
        crate::tui::Screen::start_with(arguments, &variables)
    };
    let mut screen = start(&[]);
    screen.wait_for("Train: 1 due");
    screen.send("\x1b[B");
    screen.wait_for("▸ Train");
    screen.send("\r");
    screen.wait_for("1 of 1, about ");
    screen.send("g6\r");
    screen.wait_for("Wrong: g6 costs");
    // What was shown is stored, whatever happens next.
    screen.signal("KILL");
    screen.ends();
    let mut stored = kinds(&home.log());
    stored.retain(|kind| kind != "scanned");
    assert_eq!(stored, ["head", "item", "review"]);
    let mut screen = start(&["train"]);
    screen.wait_for("Nothing is due; tomorrow 1 of 1 exercise.");
    screen.send("\r");
    screen.wait_for("Train: 0 due");
    screen.send("q");
    assert!(screen.ends().success());
}

/// A game of Anna's that nobody has judged. 6...Qxg5 was a mistake, with three seconds left.
const UNJUDGED: &str = r#"[Site "https://example.org/7"]
[White "Bo"]
[Black "Anna"]
[Date "2026.11.13"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Qf6 5. Bg5 Qg6 6. Nc3 Qxg5 {[%clk 0:00:03]} 7. Nxg5 d6 8. O-O 1-0
"#;

/// Réti against Tartakower: nobody's own, but 8...Nxe4 allows a mate.
const MATE: &str = r#"[White "Reti"]
[Black "Tartakower"]
[Date "1910.??.??"]
[Result "1-0"]

1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4
9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0
"#;

#[test]
fn files_folders_and_databases_are_searched_once() {
    let home = Home::new();
    home.write("club/games.pgn", &format!("{UNJUDGED}\n{MATE}"));
    let club = home.path("club");
    let add = |arguments: &[&str]| {
        let run = home.command(&[&["train", "add"], arguments].concat());
        finished(&{ run }.output().expect("it runs"))
    };
    let first = add(&[club.to_str().expect("UTF-8")]).fine();
    assert_eq!(first, "1 mistake of yours and 0 tactics from 1 game.\n");
    assert_eq!(kinds(&home.log()), ["head", "item", "item", "scanned"]);
    let again = add(&["--json", club.to_str().expect("UTF-8")]).fine();
    assert_eq!(again, "{\"games\":0,\"known\":1,\"own\":0,\"tactics\":0}\n");
    // A database of the same games has nothing new either.
    let db = home.path("games.db");
    let db = db.to_str().expect("UTF-8");
    let file = home.path("club/games.pgn");
    let build = ["db", "build", db, file.to_str().expect("UTF-8")];
    finished(&home.command(&build).output().expect("it runs")).fine();
    assert!(
        add(&[db])
            .fine()
            .contains("1 game had been searched before")
    );
    let listed = home.train(&["list", "--theme", "TIME"], &[]).fine();
    assert_eq!(
        listed,
        "new: 6...Qxg5, Black to move. Against Bo, 2026.11.13.\n"
    );
    assert_eq!(home.train(&["list", "--kind", "tactic"], &[]).fine(), "");
    // The saved game was judged, and is searched without a file; so is an imported one.
    home.write("data/tabiya/train/games/club.pgn", UNJUDGED);
    let own = add(&[]).fine();
    let expected =
        "0 mistakes of yours and 0 tactics from 1 game; 1 game had been searched before.\n";
    assert_eq!(own, expected);

    home.write("club/others.pgn", MATE);
    let others = home.path("club/others.pgn");
    let none = add(&[others.to_str().expect("UTF-8")]);
    assert_eq!((none.code, none.out.as_str()), (1, ""));
    assert!(
        none.err.contains("none of the games is yours"),
        "{}",
        none.err
    );
    let missing = add(&["no-such-file.pgn"]);
    assert_eq!(missing.code, 3, "{}", missing.err);
}

#[test]
fn tactics_are_written_in_the_columns_of_lichess() {
    let home = Home::new();
    home.write("games.pgn", &format!("{MATE}\n{UNJUDGED}\n{MATE}"));
    let (games, table) = (home.path("games.pgn"), home.path("tactics.csv"));
    let (games, table) = (
        games.to_str().expect("UTF-8"),
        table.to_str().expect("UTF-8"),
    );
    let mine = |arguments: &[&str]| {
        let mut run = home.command(&[&["train", "mine"], arguments].concat());
        finished(&run.output().expect("it runs"))
    };
    let run = mine(&[games, "-o", table]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert_eq!(run.err, "1 tactic from 3 games\n");
    let written = fs::read_to_string(table).expect("a table");
    let lines: Vec<&str> = written.lines().collect();
    let header =
        "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";
    assert_eq!(lines[0], header);
    let columns: Vec<&str> = lines[1].split(',').collect();
    assert_eq!((lines.len(), columns.len()), (2, 10), "{written}");
    assert_eq!(
        columns[1],
        "rnb1kb1r/pp3ppp/2p2n2/4q3/4N3/3Q4/PPPB1PPP/2KR1BNR b kq - 1 8"
    );
    assert!(
        columns[2].starts_with("f6e4 d3d8 e8d8 d2g5 "),
        "{}",
        columns[2]
    );
    assert_eq!(columns[9], "");
    assert_eq!(mine(&[games, "-o", table]).code, 3, "it is there already");
    assert_eq!(mine(&[games]).code, 2);
}

/// Whoever has no exercise yet sees the first ones as they are found.
#[cfg(unix)]
#[test]
fn games_are_searched_while_the_player_trains() {
    for arguments in [&["train"][..], &["train", "--line"]] {
        let home = Home::new();
        fs::remove_file(home.path("data/tabiya/saves/lost.pgn")).expect("it is there");
        home.write("data/tabiya/train/games/club.pgn", UNJUDGED);
        let variables = [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_STATE_HOME", "state"),
        ];
        let variables = variables.map(|(name, folder)| (name, home.path(folder)));
        let variables: Vec<(&str, &str)> = variables
            .iter()
            .map(|(name, folder)| (*name, folder.to_str().expect("UTF-8")))
            .collect();
        // A player with games can train before there is an exercise.
        let mut home_screen = crate::tui::Screen::start_with(&[], &variables);
        home_screen.wait_for("Train: 0 due");
        home_screen.send("q");
        assert!(home_screen.ends().success());
        let mut screen = crate::tui::Screen::start_with(arguments, &variables);
        screen.wait_for("1 of 1, about ");
        screen.wait_for("6...Qxg5.");
        if arguments.len() == 1 {
            assert!(
                !screen.shown().contains("There are no exercises"),
                "{}",
                screen.shown()
            );
        }
        assert_eq!(kinds(&home.log()), ["head", "item", "scanned"]);
        if arguments.len() == 1 {
            screen.send("\x1b");
            screen.wait_for("Nothing is due");
            screen.send("\r");
            screen.wait_for("Train: 1 due");
            screen.send("q");
        } else {
            screen.send("quit\r");
        }
        assert!(screen.ends().success());
        // The next session finds it, and searches nothing.
        assert!(
            home.train(&[], &["quit"])
                .fine()
                .starts_with("1 of 1, about ")
        );
        assert_eq!(kinds(&home.log()), ["head", "item", "scanned"]);
    }
}

/// Ctrl-C leaves what was found, and the next run goes on from there.
#[cfg(unix)]
#[test]
fn a_search_that_is_stopped_goes_on_the_next_time() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::process::ExitStatusExt;

    let home = Home::new();
    fs::remove_file(home.path("data/tabiya/saves/lost.pgn")).expect("it is there");
    let games = (1..=40).map(|day| UNJUDGED.replace("11.13", &format!("11.{day:02}")));
    home.write("games.pgn", &games.collect::<Vec<_>>().join("\n"));
    let file = home.path("games.pgn");
    let arguments = ["train", "add", "--json", file.to_str().expect("UTF-8")];
    let child = home.command(&arguments).stdout(Stdio::piped()).spawn();
    let child = child.expect("it starts");
    let is_scanned = |kind: &String| kind == "scanned";
    let searched = || {
        let folder = fs::read_dir(home.path("data/tabiya/train")).ok()?;
        let log = folder.flatten().next()?;
        let text = fs::read_to_string(log.path()).ok()?;
        Some(text.matches("\"scanned\"").count())
    };
    while searched().is_none_or(|count| count < 2) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = i32::try_from(child.id()).expect("a process");
    kill_process(Pid::from_raw(pid).expect("a process"), Signal::INT).expect("it runs");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.signal(), Some(Signal::INT.as_raw()));
    let number = |out: &[u8], key: &str| {
        let answer: Value = serde_json::from_slice(out).expect("one object");
        answer[key].as_u64().expect("a number")
    };
    let done = number(&out.stdout, "games");
    assert!((2..40).contains(&done), "{done}");
    let stored = kinds(&home.log());
    assert_eq!(
        stored.iter().filter(|kind| is_scanned(kind)).count() as u64,
        done
    );
    // All games have the same mistake, which is one exercise.
    assert_eq!(stored.iter().filter(|kind| *kind == "item").count(), 1);
    let rest = home.command(&arguments).output().expect("it runs").stdout;
    assert_eq!(
        (number(&rest, "known"), number(&rest, "games")),
        (done, 40 - done)
    );
}
