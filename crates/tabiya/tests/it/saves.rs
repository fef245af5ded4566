//! Saved games through pipes: saving, listing, resuming, and what is said when that does not work.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support::{Run, command, finished};

/// A home of its own, empty at first.
pub(crate) struct Home(PathBuf);

impl Home {
    pub(crate) fn new(name: &str) -> Home {
        let folder = std::env::temp_dir().join(format!("tabiya-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Home(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn saves(&self) -> PathBuf {
        self.0.join("data/tabiya/saves")
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        for (name, value) in self.variables() {
            command.env(name, value);
        }
        command
    }

    pub(crate) fn variables(&self) -> [(&'static str, String); 2] {
        [("XDG_DATA_HOME", "data"), ("XDG_CONFIG_HOME", "config")]
            .map(|(name, folder)| (name, self.0.join(folder).display().to_string()))
    }

    /// Plays lines, and returns what was said: no boards and no prompts.
    pub(crate) fn play(&self, arguments: &[&str], lines: &[&str]) -> Run {
        let mut child = self.start(arguments);
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        for line in ["set board off"].iter().chain(lines) {
            // A program that ends early does not read on.
            let _ = writeln!(stdin, "{line}");
        }
        drop(stdin);
        let mut run = finished(&child.wait_with_output().expect("the child ends"));
        let spoken = |line: &&str| !line.contains("Enter move:") && !is_board(line);
        run.out = run
            .out
            .lines()
            .filter(spoken)
            .collect::<Vec<_>>()
            .join("\n");
        run
    }

    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary can be started")
    }
}

/// A game from elsewhere that is resumed has no players of this program until somebody moves.
#[test]
fn absent_players_stay_absent_until_somebody_moves() {
    let home = Home::new("absent-players");
    let file = home.path().join("cg.pgn");
    std::fs::write(
        &file,
        "[White \"Carlsen\"]\n[Black \"Giri\"]\n\n1. e4 e5 *\n",
    )
    .expect("a file");
    let review = format!("review {}", file.display());
    home.play(&["play"], &[&review, "save cg"]).fine();
    home.play(&["play", "--resume", "cg"], &["save cg2"]).fine();
    let players = |name: &str| {
        let path = home.saves().join(name).with_extension("pgn");
        let text = std::fs::read_to_string(path).expect("a save");
        text.matches("Player \"human\"]").count()
    };
    assert_eq!(["cg", "cg2"].map(players), [0, 0]);
    home.play(&["play", "--resume", "cg2"], &["Nf3"]).fine();
    assert_eq!(players("cg2"), 2);
}

/// The save of a game that has ended gets its judgment, although the next game has begun.
#[test]
fn a_save_gets_the_judgment_of_its_game() {
    let home = Home::new("line-judgment");
    let is_judged = |text: &String| {
        ["[%eval", "[%best", "WhiteAccuracy", "g4 $4"]
            .iter()
            .all(|part| text.contains(part))
    };
    let read = |name: &str| {
        let path = home.saves().join(name).with_extension("pgn");
        std::fs::read_to_string(path).expect("a save")
    };
    home.play(&["play"], &["f3", "e5", "g4", "save one"]).fine();
    let lines = ["Qh4", "study", "back", "e4"];
    let out = home.play(&["play", "--resume", "one"], &lines).fine();
    assert!(out.contains("Accuracy: White "), "{out}");
    assert!(read("one").contains("Qh4#"), "{}", read("one"));
    assert!(is_judged(&read("one")), "{}", read("one"));
}

/// A finished game under review gets its judgment into its save, as on the full screen. What the user writes beside it
/// is written only on request, and so is anything about a game that goes on.
#[test]
fn a_save_under_review_gets_the_judgment() {
    let home = Home::new("line-judged-review");
    let read = |name: &str| {
        let path = home.saves().join(name).with_extension("pgn");
        std::fs::read_to_string(path).expect("a save")
    };
    let lines = ["f3", "e5", "g4", "Qh4", "save mated", "e4"];
    home.play(&["play"], &lines).fine();
    let lines = ["f3", "e5", "g4", "resign", "save resigned", "e4"];
    home.play(&["play"], &lines).fine();
    home.play(&["play"], &["f3", "e5", "g4", "save open"])
        .fine();
    for name in ["mated", "resigned"] {
        let before = read(name);
        assert!(!before.contains("Accuracy"), "{before}");
        let review = format!("review save {name}");
        home.play(&["play"], &[&review, "comment mine", "study", "back"])
            .fine();
        assert_eq!(read(name), before);
        let out = home.play(&["play"], &[&review, "study", "back"]).fine();
        assert!(out.contains("Accuracy: White "), "{out}");
        let after = read(name);
        for part in ["[%eval", "WhiteAccuracy"] {
            assert!(after.contains(part), "{after}");
        }
        let tag = |text: &str| {
            text.lines()
                .find(|line| line.starts_with("[Result"))
                .map(str::to_owned)
        };
        assert_eq!(tag(&after), tag(&before));
    }
    let before = read("open");
    home.play(&["play"], &["review save open", "study"]).fine();
    assert_eq!(read("open"), before);
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_board(line: &str) -> bool {
    line.is_empty() || line.starts_with("  a b") || line.as_bytes().get(1) == Some(&b' ')
}

const GOODBYE: &str = "Game over. Goodbye!";

#[test]
fn a_game_is_saved_listed_and_resumed_with_everything() {
    let home = Home::new("resume");
    let lines = ["e4", "e5", "Nf3", "undo", "Bc4", "save My game", "saves"];
    let run = home.play(&["play", "--clock", "5+3", "--draws", "auto"], &lines);
    let said: Vec<&str> = run.out.lines().collect();
    assert_eq!(said[1], "Saved as My game.", "{run:?}");
    assert!(said[2].starts_with("My game: human – human, 2"), "{run:?}");
    assert!(
        said[2].ends_with(", *, 2 moves, C23 Bishop's Opening"),
        "{run:?}"
    );
    let run = home.play(
        &["play", "--resume", "My game"],
        &["set", "clock", "pgn", "Nf6"],
    );
    assert!(run.out.contains("draws auto"), "{}", run.out);
    assert!(
        run.out.contains("White 5:0") || run.out.contains("White 4:5"),
        "{}",
        run.out
    );
    let text = run.out.replace('\n', " ");
    assert!(
        text.contains("2. Bc4") && text.contains("(2. Nf3"),
        "{text}"
    );
    // It was resumed, so what was played since is in it.
    let run = home.play(&["play", "--resume"], &["last"]);
    assert!(run.out.contains("Black played Nf6 (g8f6)."), "{}", run.out);
    let run = home.play(&["play"], &["load My game", "last"]);
    assert!(run.out.contains("Black played Nf6 (g8f6)."), "{}", run.out);
}

#[test]
fn without_a_terminal_only_resumed_games_are_kept() {
    let home = Home::new("pipe");
    home.play(&["play"], &["e4", "e5"]);
    assert!(!home.saves().exists());
    home.play(&["play"], &["e4", "save one", "e5"]);
    let text = std::fs::read_to_string(home.saves().join("one.pgn")).expect("saved");
    assert!(text.ends_with("\n1. e4 *\n"), "{text}");
    let files = std::fs::read_dir(home.saves()).expect("a folder").count();
    assert_eq!(files, 1, "there is no journal when nobody plays");
}

#[test]
fn what_was_saved_comes_back_when_the_game_has_gone_on() {
    let home = Home::new("back");
    let lines = ["e4", "save mine", "e5", "Nf3", "load mine", "last", "fen"];
    let out = home.play(&["play"], &lines).fine();
    assert!(out.contains("White played e4 (e2e4)."), "{out}");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(out.contains(fen), "{out}");
}

#[test]
fn resuming_nothing_is_exit_3_and_with_another_start_exit_2() {
    let home = Home::new("nothing");
    let run = home.play(&["play", "--resume"], &[]);
    assert_eq!(
        (run.code, run.err.as_str()),
        (3, "tabiya: There is no game to resume.\n")
    );
    let run = home.play(&["play", "--resume", "x"], &[]);
    assert_eq!(
        (run.code, run.err.as_str()),
        (3, "tabiya: There is no save 'x'.\n")
    );
    let run = home.play(&["play", "--resume", "../x"], &[]);
    assert_eq!(run.code, 3);
    assert_eq!(
        run.err,
        "tabiya: The name of a save cannot have '/' in it.\n"
    );
    for other in [
        ["--fen", "startpos"],
        ["--white", "human"],
        ["--black", "human"],
    ] {
        let run = home.play(&["play", other[0], other[1], "--resume", "x"], &[]);
        assert_eq!(run.code, 2, "{other:?}");
    }
    let mut without = command(&["play", "--resume"]);
    let folders = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"];
    without.env("HOME", "somewhere").stdin(Stdio::null());
    folders[1..].iter().for_each(|name| {
        without.env_remove(name);
    });
    let run = finished(&without.output().expect("it runs"));
    assert_eq!(run.code, 3);
    assert!(
        run.err.starts_with("tabiya: There is no home folder"),
        "{}",
        run.err
    );
}

#[test]
fn saving_says_what_is_in_the_way() {
    let home = Home::new("trouble");
    let lines = [
        "save",
        "save ../x",
        "save a/b",
        "save -rf",
        "save CON",
        "load",
        "load none",
        "saves",
    ];
    let run = home.play(&["play"], &lines);
    assert_eq!(
        run.out.lines().collect::<Vec<_>>(),
        [
            "The game has no name yet: save NAME.",
            "The name of a save cannot have '/' in it.",
            "The name of a save cannot have '/' in it.",
            "The name of a save cannot begin with '-'.",
            "Windows does not let a file have that name.",
            "Usage: load NAME",
            "There is no save 'none'.",
            "Nothing is saved yet.",
            GOODBYE,
        ]
    );
    home.play(&["play"], &["e4", "save one"]);
    let run = home.play(&["play"], &["d4", "save one"]);
    assert!(
        run.out.starts_with("There is a save 'one' already"),
        "{}",
        run.out
    );
}

#[test]
fn the_second_program_is_told_politely() {
    let home = Home::new("two");
    home.play(&["play"], &["e4", "save one"]);
    let mut first = home.start(&["play", "--resume", "one"]);
    let mut out = BufReader::new(first.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("Enter move") {
        line.clear();
        assert_ne!(out.read_line(&mut line).expect("it plays"), 0);
    }
    let run = home.play(&["play", "--resume", "one"], &[]);
    assert_eq!(run.code, 3);
    let sentence = "tabiya: 'one' is being played in another window; close it there first.\n";
    assert_eq!(run.err, sentence);
    let run = home.play(&["play"], &["load one", "save two"]);
    assert!(
        run.out.contains("another window") && run.out.contains("Saved as two."),
        "{}",
        run.out
    );
    drop(first.stdin.take());
    first.wait().expect("it ends");
    assert_eq!(home.play(&["play", "--resume", "one"], &[]).code, 0);
}

#[test]
fn a_damaged_save_is_set_aside_and_the_others_are_listed() {
    let home = Home::new("damaged");
    home.play(&["play"], &["e4", "save good"]);
    let bad = home.saves().join("bad.pgn");
    std::fs::write(&bad, "1. e4 e5 2. Ke3 *").expect("written");
    let run = home.play(&["play"], &["saves", "load bad", "load good"]);
    assert!(run.out.contains("good: human – human"), "{}", run.out);
    assert!(run.out.contains("'bad' cannot be read: "), "{}", run.out);
    assert!(run.out.contains("It was set aside as "), "{}", run.out);
    assert!(!bad.exists());
    let aside = std::fs::read_dir(home.path().join("data/tabiya/damaged")).expect("a folder");
    let aside: Vec<_> = aside.map(|entry| entry.expect("a file").path()).collect();
    assert_eq!(aside.len(), 1);
    assert_eq!(
        std::fs::read_to_string(&aside[0]).expect("there"),
        "1. e4 e5 2. Ke3 *"
    );
}

#[test]
fn a_folder_that_cannot_be_used_is_said_and_the_game_goes_on() {
    let home = Home::new("unusable");
    // A file in the place of the folder: nobody can write into it, whoever they are.
    std::fs::create_dir_all(home.path().join("data/tabiya")).expect("a folder");
    std::fs::write(home.saves(), "").expect("written");
    let run = home.play(&["play"], &["e4", "save one", "e5", "last"]);
    assert!(run.out.contains("/saves."), "{}", run.out);
    assert!(run.out.contains("Black played e5 (e7e5)."), "{}", run.out);
    std::fs::remove_file(home.saves()).expect("removed");

    // A game that is resumed, and whose folder goes away.
    home.play(&["play"], &["e4", "save one"]);
    let mut child = home.start(&["play", "--resume", "one"]);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("Enter move") {
        line.clear();
        assert_ne!(out.read_line(&mut line).expect("it plays"), 0);
    }
    std::fs::remove_dir_all(home.path().join("data")).expect("removed");
    let mut stdin = child.stdin.take().expect("a pipe");
    writeln!(stdin, "e5\nNf3\nlast").expect("written");
    drop(stdin);
    let rest: String = out.lines().map(|line| line.expect("text") + "\n").collect();
    assert_eq!(
        rest.matches(
            "Somebody removed or renamed the files of this game; they were made again in "
        )
        .count(),
        1,
        "once while it goes on: {rest}"
    );
    assert!(rest.contains("White played Nf3 (g1f3)."), "{rest}");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn json_tells_about_saves() {
    let home = Home::new("json");
    let run = home.play(&["play", "--json"], &["e4", "save one", "saves"]);
    let saves = run
        .out
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find(|object| object["command"] == "saves")
        .expect("an answer");
    assert_eq!(saves["saves"][0]["name"], "one");
    assert_eq!(saves["saves"][0]["result"], "*");
    assert_eq!(saves["saves"][0]["moves"], 1);
    assert_eq!(saves["saves"][0]["opening"]["eco"], "B00");
    assert_eq!(saves["saves"][0]["opening"]["name"], "King's Pawn Game");
}

#[test]
fn deleting_asks_and_goes_to_the_trash() {
    let home = Home::new("delete");
    home.play(&["play"], &["e4", "save My game"]);
    let kept = |home: &Home| home.saves().join("My game.pgn").exists();
    // Anything but yes leaves it alone, and means what it always means.
    let lines = ["delete My game", "d4", "yes", "last"];
    let out = home.play(&["play"], &lines).fine();
    let question = "Move 'My game' to the trash? Type yes; anything else leaves it alone.";
    assert!(out.contains(question), "{out}");
    assert!(out.contains("White played d4 (d2d4)."), "{out}");
    assert!(kept(&home));
    let out = home.play(&["play"], &["delete My game", "no"]).fine();
    assert!(out.contains("'My game' was left alone."), "{out}");
    assert!(!out.contains("Invalid move format"), "{out}");
    assert!(kept(&home));
    let lines = [
        "delete none",
        "delete",
        "delete ../x",
        "delete My game",
        "yes",
    ];
    let out = home.play(&["play"], &lines).fine();
    let said: Vec<&str> = out.lines().collect();
    assert_eq!(
        said[..4],
        [
            "There is no save 'none'.",
            "Usage: delete NAME",
            "The name of a save cannot have '/' in it.",
            question,
        ]
    );
    assert!(
        said[4].starts_with("'My game' is in the trash now: "),
        "{out}"
    );
    assert!(!kept(&home));
    let trash = home.path().join("data/tabiya/trash");
    assert_eq!(std::fs::read_dir(trash).expect("a folder").count(), 1);
}

#[test]
fn json_asks_before_it_deletes() {
    let home = Home::new("delete-json");
    let lines = ["e4", "save one", "e5", "new", "delete one", "yes"];
    let run = home.play(&["play", "--json"], &lines);
    let events: Vec<serde_json::Value> = run
        .out
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let asked = events.iter().find(|event| event["event"] == "question");
    assert_eq!(asked.expect("a question")["name"], "one");
    let done = events
        .iter()
        .find(|event| event["command"] == "delete" && event["event"] == "answer");
    assert!(done.is_some(), "{}", run.out);
}

#[test]
fn a_save_is_looked_at_without_being_played() {
    let home = Home::new("look");
    home.play(&["play"], &["e4", "e5", "save one"]);
    let before = std::fs::read(home.saves().join("one.pgn")).expect("saved");
    let lines = ["review save one", "goto end", "last", "review save none"];
    let out = home.play(&["play"], &lines).fine();
    assert!(out.contains("Black played e5 (e7e5)."), "{out}");
    assert!(out.contains("There is no save 'none'."), "{out}");
    let after = std::fs::read(home.saves().join("one.pgn")).expect("saved");
    assert_eq!(before, after);
}

/// The game that was played is the one that is kept, and what ended stays as it ended when it is loaded.
#[test]
fn a_game_that_is_over_is_kept_as_it_was_played_and_loaded_as_it_ended() {
    let home = Home::new("over");
    let lines = ["f3", "e5", "e4", "save mine", "undo", "g4", "save mine"];
    home.play(&["play"], &lines).fine();
    let run = home.play(&["play"], &["load mine", "Qh4", "quit"]).fine();
    assert!(run.contains("Checkmate! Black wins."), "{run}");
    let saved = home.saves().join("mine.pgn");
    let text = std::fs::read_to_string(&saved).expect("a save");
    assert!(text.contains("2. g4"), "{text}");

    let mate = "[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
    std::fs::write(home.saves().join("over.pgn"), mate).expect("written");
    let lines = ["load over", "goto end", "last", "fen", "undo", "last"];
    let run = home.play(&["play"], &lines).fine();
    assert!(run.contains("Black played Qh4#"), "{run}");
    assert!(
        run.contains("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w"),
        "{run}"
    );
    assert!(run.contains("Game over. Enter command:"), "{run}");
}

#[test]
fn a_name_that_is_not_there_offers_those_that_come_near() {
    let home = Home::new("near");
    home.play(&["play"], &["e4", "save Immortal"]);
    let run = home.play(&["play", "--resume", "imortal"], &[]);
    assert_eq!(run.code, 3);
    assert!(
        run.err
            .contains("There is no save 'imortal'. Did you mean Immortal?"),
        "{}",
        run.err
    );
    let run = home.play(&["play", "--resume", "Imm"], &[]);
    assert!(run.err.contains("Did you mean Immortal?"), "{}", run.err);
}

#[test]
fn a_newer_save_that_cannot_be_read_is_named_when_another_is_resumed() {
    let home = Home::new("passed-over");
    home.play(&["play"], &["e4", "save old"]);
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(home.saves().join("new.pgn"), "1. e4 Qh9 \u{7}*").expect("a file");
    let run = home.play(&["play", "--resume"], &["last"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err.contains("'new' cannot be read: it is damaged"),
        "{}",
        run.err
    );
    assert!(run.out.contains("e4"), "{}", run.out);
}

#[test]
fn a_game_is_resumed_behind_a_thousand_newer_ones_that_are_over() {
    let home = Home::new("behind-many");
    home.play(&["play"], &["e4", "save old"]);
    std::thread::sleep(std::time::Duration::from_millis(20));
    home.play(&["play"], &["f3", "e5", "g4", "Qh4", "save over"]);
    let over = home.saves().join("over.pgn");
    for number in 1..=1000 {
        let copy = home.saves().join(format!("over-{number}.pgn"));
        std::fs::copy(&over, copy).expect("a file");
    }
    let run = home.play(&["play", "--resume"], &["last"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("White played e4"), "{}", run.out);
    // When that one is over as well, all are.
    home.play(&["play", "--resume"], &["resign"]);
    let run = home.play(&["play", "--resume"], &[]);
    assert_eq!(run.code, 3, "{run:?}");
}

/// Through a pipe a save is a copy of the moment. It is named at the end only if it has the whole game.
#[test]
fn a_save_that_lacks_moves_is_not_named_at_the_end() {
    let home = Home::new("whole");
    for (lines, is_named) in [
        (&["f3", "e5", "g4", "save Lost", "Qh4"][..], false),
        (&["e4", "save Open", "e5", "new"], false),
        (&["e4", "save Whole", "new"], true),
    ] {
        let out = home.play(&["play"], lines).fine();
        assert_eq!(out.contains("The game is saved as"), is_named, "{out}");
    }
    // A finished game is not played on.
    let moves = ["f3", "e5", "g4", "Qh4", "save Mated"];
    home.play(&["play"], &moves).fine();
    let out = home.play(&["play", "--resume", "Mated"], &[]).fine();
    assert!(out.contains("The game is saved as Mated.\n"), "{out}");
}
