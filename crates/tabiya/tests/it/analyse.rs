//! `tabiya analyse` through the real program: positions and games.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::line_players::stockfish;
use crate::support::{run, run_with};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn a_mate_is_found_and_told_in_both_forms() {
    let out = run(&["analyse", MATE_IN_ONE, "--depth", "3"]).fine();
    assert!(out.contains("#1") && out.contains("Ra8#"), "{out}");
    let found = json(&run(&["analyse", MATE_IN_ONE, "--depth", "3", "--json"]).fine());
    let best = &found["lines"][0];
    assert_eq!(best["mate"], 1);
    assert_eq!(best["pv"][0], "a1a8");
    assert_eq!(best["san"][0], "Ra8#");
    // Scores are White's, also where Black mates.
    let mirrored = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1";
    let found = json(&run(&["analyse", mirrored, "--depth", "3", "--json"]).fine());
    assert_eq!(found["lines"][0]["mate"], -1);
}

#[test]
fn several_lines_and_chances() {
    let arguments = [
        "analyse",
        "startpos",
        "--nodes",
        "3000",
        "--multipv",
        "3",
        "--json",
    ];
    let found = json(&run(&arguments).fine());
    let lines = found["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 3);
    for line in lines {
        let chances = line["wdl"].as_array().expect("chances");
        let sum: u64 = chances.iter().filter_map(Value::as_u64).sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

/// An engine that thinks on for ever, whatever it is asked, until it is told to stop.
#[cfg(unix)]
#[test]
fn an_engine_that_ignores_its_limit_is_told_to_stop() {
    let script = folder("endless").join("engine.sh");
    fs::write(
        &script,
        "while read -r line; do case \"$line\" in\n\
         uci) echo uciok;;\n\
         isready) echo readyok;;\n\
         quit) exit 0;;\n\
         go*) echo info depth 7 score cp 31 nodes 5000 pv e2e4; echo info depth 8 nodes 60000;;\n\
         stop) echo bestmove e2e4;;\n\
         esac; done\n",
    )
    .expect("a script");
    let engine = format!("sh {}", script.display());
    for (limit, said) in [
        (
            ["--nodes", "1000"],
            "asked for 1000 positions and looked at 60000",
        ),
        (["--depth", "7"], "asked for depth 7 and went on to depth 8"),
    ] {
        let arguments = [&["analyse", "startpos", "--engine", &engine], &limit[..]].concat();
        let run = run(&arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains("+0.31  1. e4"), "{}", run.out);
        assert!(run.err.contains(said), "{}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    }
    // Games without moves, for the engine knows but one.
    let games = "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n*\n";
    let arguments = ["analyse", "-", "--nodes", "1000", "--engine", &engine];
    let run = run_with(&arguments, games);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.matches("[Annotator ").count(), 2, "{}", run.out);
    assert_eq!(run.err.matches("told to stop").count(), 1, "{}", run.err);
}

#[test]
fn a_limit_that_is_too_small_is_said() {
    let limits = ["--depth", "3", "--nodes", "1"];
    let out = run(&[&["analyse", "startpos"], &limits[..]].concat()).fine();
    assert!(out.contains("Nothing was found within this limit"), "{out}");
    let found = json(&run(&[&["analyse", "--json"], &limits[..]].concat()).fine());
    assert_eq!(found["lines"], Value::Array(Vec::new()));
    // Of a game nothing is judged by what nobody knows; mate is known without an engine.
    let run = run_with(&["analyse", "-", "--nodes", "1"], GAME);
    assert_eq!(run.code, 0, "{}", run.err);
    let said = "The engine gave no score for 5 of 6 positions";
    assert!(run.err.contains(said), "{}", run.err);
    assert!(!run.err.contains("accuracy"), "{}", run.err);
    assert!(!run.out.contains('$'), "{}", run.out);
    let judged = run_with(&["analyse", "-", "--nodes", "1", "--json"], GAME).fine();
    let judged = json(&judged);
    assert_eq!(judged["accuracy_white"], Value::Null);
    let moves = judged["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|one| one["loss"].is_null()), "{judged}");
}

#[test]
fn a_finished_position_needs_no_engine() {
    let out = run(&["analyse", "k6Q/8/K7/8/8/8/8/8 b - - 0 1"]).fine();
    assert_eq!(out, "Checkmate: White has won.\n");
}

#[test]
fn what_is_refused() {
    for (arguments, code) in [
        (&["analyse", "8/8"][..], 1),
        (&["analyse", "no-such-file.pgn"], 3),
        (&["analyse", "startpos", "--engine", "no-such-engine"], 3),
        (&["analyse", "startpos", "--depth", "0"], 2),
        (&["analyse", "startpos", "--out", "x.pgn"], 2),
        (&["analyse", "startpos", "--option", "Hash=1"], 2),
    ] {
        let run = run_with(arguments, "");
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{arguments:?}");
        assert!(!run.err.is_empty(), "{arguments:?}");
    }
}

#[test]
fn folders_and_several_files_are_no_positions() {
    let folder = folder("words");
    let file = folder.join("games.txt").display().to_string();
    fs::write(&file, GAME).expect("written");
    let folder = folder.display().to_string();
    for (words, code, sentence) in [
        (&[folder.as_str()][..], 3, "is a folder; name a file"),
        (&[&folder, &file], 3, "is a folder; name a file"),
        (&[&file, &file], 2, "one file of games is taken at a time"),
        (&["a.pgn", "b.pgn"], 2, "a.pgn is not the only one"),
    ] {
        let run = run(&[&["analyse"], words].concat());
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{words:?}");
        assert!(run.err.contains(sentence), "{}", run.err);
    }
}

#[test]
fn a_game_gets_evaluations_marks_lines_and_pictures() {
    let folder = folder("analyse");
    let at = |name: &str| folder.join(name).display().to_string();
    let (game, out, svg) = (at("game.pgn"), at("out.pgn"), at("game.svg"));
    fs::write(&game, format!("{GAME}\n{GAME}")).expect("written");
    let arguments = [
        "analyse",
        &game,
        "--nodes",
        "3000",
        "--out",
        &out,
        "--svg",
        &svg,
        "--threads",
        "2",
    ];
    let said = run(&arguments).fine();
    assert!(said.contains("1. Ann – Bob, 1-0"), "{said}");
    assert!(said.contains("2. Ann – Bob, 1-0"), "{said}");
    assert!(
        said.contains("White: accuracy ") && said.contains("Black: accuracy "),
        "{said}"
    );
    let written = fs::read_to_string(&out).expect("the game");
    assert_eq!(
        written.matches("[Annotator \"Tabiya").count(),
        2,
        "{written}"
    );
    assert!(written.contains("[%eval "), "{written}");
    assert!(
        written.contains("Ke7 $4") || written.contains("Ke7??"),
        "{written}"
    );
    assert!(!PathBuf::from(&svg).exists(), "each picture has its number");
    for picture in [at("game-1.svg"), at("game-2.svg")] {
        assert!(
            fs::read_to_string(picture)
                .expect("a picture")
                .contains("</svg>")
        );
    }
    let alone = at("alone.svg");
    run_with(
        &["analyse", "-", "--nodes", "100", "--json", "--svg", &alone],
        GAME,
    )
    .fine();
    assert!(PathBuf::from(&alone).exists(), "one game needs no number");
    // What is written is read again without an error, and nothing is ever written over.
    assert_eq!(run(&["pgn", "check", &out]).code, 0);
    let again = run_with(&arguments, "");
    assert_eq!(again.code, 3);
}

/// Whoever interrupts it gets the games that were finished, in a whole file and nothing else.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_keeps_its_games() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    let folder = folder("interrupted");
    let (game, out) = (folder.join("game.pgn"), folder.join("out.pgn"));
    // The first game is over after a look at the start; the second would take hours.
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n";
    let over = "[SetUp \"1\"]\n[FEN \"k6Q/8/K7/8/8/8/8/8 b - - 0 1\"]\n\n1-0\n";
    fs::write(&game, format!("{over}\n{long}")).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(["analyse", "--movetime", "3600000", "--out"])
        .args([&out, &game])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("1. "), "{first}");
    assert!(!out.exists());
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill").success());
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(2));
    let checked = run(&["pgn", "check", &out.display().to_string()]).fine();
    assert!(checked.contains("1 games"), "{checked}");
    let count = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(count, 2, "no draft is left behind");
}

#[test]
fn a_game_from_stdin_as_json() {
    let out = run_with(&["analyse", "-", "--nodes", "2000", "--json"], GAME).fine();
    let found = json(&out);
    assert_eq!(
        (&found["white"], &found["game"]),
        (&Value::from("Ann"), &Value::from(1))
    );
    let moves = found["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 5);
    assert_eq!(moves[3]["mark"], "??");
    assert!(found["accuracy_white"].as_f64() > found["accuracy_black"].as_f64());
    let empty = run_with(&["analyse", "-", "--nodes", "10"], "");
    assert_eq!(empty.code, 1);
}

#[test]
#[ignore = "needs Stockfish"]
fn a_real_engine_analyses() {
    let path = stockfish();
    let path = path.display().to_string();
    let arguments = [
        "analyse",
        "startpos",
        "--engine",
        &path,
        "--depth",
        "8",
        "--multipv",
        "2",
        "--json",
    ];
    let found = json(&run(&arguments).fine());
    assert_eq!(found["lines"].as_array().map(Vec::len), Some(2));
    assert!(
        found["engine"]
            .as_str()
            .is_some_and(|name| name.contains("Stockfish"))
    );
    let arguments = ["analyse", "-", "--engine", &path, "--depth", "6", "--json"];
    let found = json(&run_with(&arguments, GAME).fine());
    assert_eq!(found["moves"][3]["mark"], "??");
}

/// Games with errors that would cost some of their moves or tags.
const UNPLAYABLE: [(&str, &str); 4] = [
    (
        "[White \"A\"]\n[FEN \"nothing\"]\n\n1. e4 {why} e5 (1... c5) 1-0",
        "FEN",
    ),
    (
        "[White \"B\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Qh5 $4 *",
        "Atomic",
    ),
    (
        "[White \"C\"]\n\n1. e4 Qh7 2. d4 {all of it} d5 3. c4 0-1",
        "Qh7",
    ),
    ("1. e4 e5 (1... Qh1 2. d4 d5) 2. Nf3 *", "Qh1"),
];

#[test]
fn what_cannot_be_played_is_kept_as_it_was_and_marked() {
    let folder = folder("unplayable");
    let input = folder.join("in.pgn");
    let mut text = String::new();
    for (game, _) in UNPLAYABLE {
        text += &format!("{game}\n\n{GAME}\n");
    }
    fs::write(&input, &text).expect("a file");
    let input = input.to_str().expect("UTF-8");
    let out = folder.join("out.pgn");
    let arguments = [
        "analyse",
        input,
        "--depth",
        "1",
        "--out",
        out.to_str().expect("UTF-8"),
    ];
    let found = run(&arguments);
    assert_eq!(found.code, 1, "{}", found.err);
    assert!(
        found
            .err
            .contains("games that were not analyzed and are kept as they were: 4"),
        "{}",
        found.err
    );
    let written = fs::read_to_string(&out).expect("a file");
    let games: Vec<_> = tabiya_game::pgn::games(written.as_bytes()).collect();
    assert_eq!(games.len(), 8, "{written}");
    for ((game, reason), read) in UNPLAYABLE.iter().zip(games.iter().step_by(2)) {
        for line in game.lines() {
            assert!(written.contains(line), "{line}\n{written}");
        }
        let mark = read.record.tags().get("AnalysisError").expect("a mark");
        assert!(mark.contains(reason), "{mark}");
    }
    for read in games.iter().skip(1).step_by(2) {
        assert_eq!(read.errors, []);
        assert!(read.record.tags().get("Annotator").is_some());
    }
    let lines = run(&["analyse", input, "--depth", "1", "--json"]).out;
    let first = json(lines.lines().next().expect("a line"));
    assert!(
        first["error"]
            .as_str()
            .is_some_and(|error| error.contains("FEN"))
    );
}

#[test]
fn who_annotated_a_game_before_is_named_still() {
    for (before, after) in [
        ("", "[Annotator \"Tabiya"),
        ("[Annotator \"?\"]\n", "[Annotator \"Tabiya"),
        (
            "[Annotator \"Smith, J.\"]\n",
            "[Annotator \"Smith, J.:Tabiya",
        ),
    ] {
        let game = format!("{before}{GAME}");
        let once = run_with(&["analyse", "-", "--depth", "1"], &game).out;
        assert!(once.contains(after), "{once}");
        let twice = run_with(&["analyse", "-", "--depth", "1"], &once).out;
        assert!(
            twice.contains(after) && !twice.contains(":Tabiya:"),
            "{twice}"
        );
        assert_eq!(
            twice.matches("Tabiya").count(),
            once.matches("Tabiya").count()
        );
    }
}

/// The file of a run that was killed, as far as it was written.
#[cfg(unix)]
fn leftover(folder: &std::path::Path) -> Option<(PathBuf, String)> {
    let entries = fs::read_dir(folder).expect("a folder");
    let draft = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|ending| ending == "part"))?;
    let text = fs::read_to_string(&draft).ok()?;
    Some((draft, text))
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_is_taken_up_where_it_ended() {
    let folder = folder("killed");
    let input = folder.join("in.pgn");
    let game = |name: &str| GAME.replace("Ann", name);
    let text = ["One", "Two", "Three", "Four"].map(game).join("\n");
    fs::write(&input, text).expect("a file");
    let input = input.to_str().expect("UTF-8");
    let out = folder.join("out.pgn");
    let out_name = out.to_str().expect("UTF-8");
    let mut child =
        crate::support::spawn(&["analyse", input, "--movetime", "300", "--out", out_name]);
    let begun = std::time::Instant::now();
    let two_games =
        || leftover(&folder).is_some_and(|(_, text)| text.matches("[Event").count() >= 2);
    while !two_games() {
        assert!(begun.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().expect("the child is killed");
    child.wait().expect("the child ends");
    let (draft, finished) = leftover(&folder).expect("what was written");
    let whole = finished.matches("[Event").count();
    // The power went in the middle of a game, and somebody wrote into one that was finished.
    let finished = finished.replacen("1. e4", "{by hand} 1. e4", 1);
    fs::write(&draft, format!("{finished}[Event \"?\"]\n[White \"Thr")).expect("a file");

    let found = run(&["analyse", input, "--depth", "1", "--out", out_name]);
    assert_eq!(found.code, 0, "{}", found.err);
    let said = format!("games that an earlier run had finished: {whole}");
    assert!(found.err.contains(&said), "{}", found.err);
    let written = fs::read_to_string(&out).expect("a file");
    assert!(written.starts_with(&finished), "{written}");
    let games: Vec<_> = tabiya_game::pgn::games(written.as_bytes()).collect();
    let names: Vec<_> = games
        .iter()
        .filter_map(|game| game.record.tags().get("White"))
        .collect();
    assert_eq!(names, ["One", "Two", "Three", "Four"]);
    assert!(games.iter().all(|game| game.errors.is_empty()));
    assert_eq!(leftover(&folder), None);

    // Another game or another engine is not mistaken for it.
    fs::remove_file(&out).expect("a file");
    fs::write(&draft, finished.replace("Tabiya", "Somebody")).expect("a file");
    let found = run(&["analyse", input, "--depth", "1", "--out", out_name]);
    assert!(!found.err.contains("earlier run"), "{}", found.err);
}

/// A picture is made of what was found, so a game is taken over only with its picture.
#[cfg(unix)]
#[test]
fn a_run_with_pictures_that_was_killed_is_taken_up() {
    let folder = folder("killed-svg");
    let input = folder.join("in.pgn");
    let text = ["One", "Two", "Three"].map(|name| GAME.replace("Ann", name));
    fs::write(&input, text.join("\n")).expect("a file");
    let (out, svg) = (folder.join("out.pgn"), folder.join("x.svg"));
    let path = |path: &PathBuf| path.to_str().expect("UTF-8").to_owned();
    let analyse = [
        "analyse",
        &path(&input),
        "--nodes",
        "500",
        "--out",
        &path(&out),
        "--svg",
        &path(&svg),
    ];
    // A whole run, made into one that was killed after the second game and before its picture.
    run(&analyse).fine();
    let picture = |number: usize| folder.join(format!("x-{number}.svg"));
    let first = fs::read(picture(1)).expect("a picture");
    let written = fs::read_to_string(&out).expect("a file");
    let third = written.rfind("[Event").expect("three games");
    fs::write(folder.join(".out.pgn.1.part"), &written[..third]).expect("a file");
    for file in [&out, &picture(2), &picture(3)] {
        fs::remove_file(file).expect("a file");
    }
    let found = run(&analyse);
    assert_eq!(found.code, 0, "{}", found.err);
    let said = "games that an earlier run had finished: 1";
    assert!(found.err.contains(said), "{}", found.err);
    assert_eq!(fs::read(picture(1)).expect("a picture"), first);
    assert!(picture(2).is_file() && picture(3).is_file());
    assert_eq!(fs::read_to_string(&out).expect("a file"), written);
}

#[cfg(unix)]
#[test]
fn marks_that_turn_text_around_do_not_reach_a_terminal() {
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};
    use std::io::Read;
    let input = folder("marks").join("in.pgn");
    fs::write(
        &input,
        "[White \"\u{202e}evil\"]\n\n1. e4 {\u{202e}txet} e5 *\n",
    )
    .expect("a file");
    let pty = native_pty_system();
    let pair = pty
        .openpty(PtySize {
            rows: 24,
            cols: 200,
            pixel_width: 0,
            pixel_height: 0,
        })
        .expect("a terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(["analyse", input.to_str().expect("UTF-8"), "--depth", "1"]);
    let mut child = pair.slave.spawn_command(command).expect("a child");
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let mut shown = Vec::new();
    // The other side of a terminal that was closed is an error on some systems.
    let _ = reader.read_to_end(&mut shown);
    child.wait().expect("the child ends");
    let shown = String::from_utf8_lossy(&shown);
    assert!(shown.contains("{\\u{202e}txet}"), "{shown}");
    assert!(!shown.contains('\u{202e}'), "{shown:?}");
}
