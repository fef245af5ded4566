//! `tabiya pgn convert` and `tabiya pgn dedupe`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tabiya_game::pgn;
use test_suites::{PGN_FILES, Suites, test_on_suites};

use crate::pgn_support::{GAMES, file, run_bytes};
use crate::support::{run, run_with};

test_on_suites!(the_suites_come_back);

/// A folder that is not there yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    let _ = fs::remove_file(&path);
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

const THREE: &str = "\
[White \"B\"]\n[Black \"x\"]\n[WhiteElo \"900\"]\n[Date \"2021.03.05\"]\n\n1. e4! {good} c5 (1... e5 $2) 2. Nf3 1-0\n
[White \"a\"]\n[Black \"B\"]\n[WhiteElo \"2000\"]\n[Date \"2021.03.09\"]\n\n1. d4 {[%clk 0:01:00]} d5 0-1\n
[White \"C\"]\n[Black \"../x\"]\n[Date \"2020.01.01\"]\n\n1. O-O *\n1. c4 *\n";

fn whites(out: &str) -> Vec<String> {
    let names = out
        .lines()
        .filter_map(|line| line.strip_prefix("[White \""));
    names
        .map(|name| name.trim_end_matches("\"]").to_owned())
        .collect()
}

#[test]
fn games_come_out_stripped_sorted_and_in_other_notations() {
    let convert = |flags: &[&str]| run_with(&[&["pgn", "convert"], flags].concat(), THREE);
    let all = convert(&[]);
    assert_eq!((all.code, whites(&all.out).len()), (1, 4));
    assert!(all.err.contains("1 error"), "{}", all.err);
    let plain = convert(&["--strip", "comments,variations,glyphs"]).out;
    assert!(
        plain.contains("1. e4 c5 2. Nf3 1-0\n") && !plain.contains('{'),
        "{plain}"
    );
    let clocks = convert(&["--strip", "clocks"]).out;
    assert!(
        clocks.contains("{good}") && !clocks.contains("%clk"),
        "{clocks}"
    );
    assert!(
        convert(&["--moves", "uci", "--strip", "variations,comments"])
            .out
            .contains("1. e2e4 $1 c7c5 2. g1f3")
    );
    assert!(convert(&["--moves", "long"]).out.contains("2. Ng1-f3"));
    let by = |flags: &[&str]| whites(&convert(flags).out);
    assert_eq!(by(&["--sort", "White"]), ["a", "B", "C", "?"]);
    assert_eq!(by(&["--sort", "White", "--reverse"]), ["?", "C", "B", "a"]);
    assert_eq!(by(&["--sort", "WhiteElo"]), ["B", "a", "C", "?"]);
    assert_eq!(by(&["--sort", "Date"]), ["C", "B", "a", "?"]);
    assert_eq!(by(&["--sort", "plies,White"]), ["C", "?", "a", "B"]);
    let classified = convert(&["--classify"]).out;
    assert!(
        classified.contains("[ECO \"B27\"]\n[Opening \"Sicilian Defense\"]"),
        "{classified}"
    );
}

#[test]
fn parquet_is_a_file() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("converted.parquet");
    let out = out.to_str().expect("UTF-8");
    let _ = fs::remove_file(out);
    let flags = ["pgn", "convert", "--to", "parquet", "--columns"];
    let columns = ["White,WhiteElo,plies,uci", "--sort", "White", "--out", out];
    let converted = run_with(&[&flags[..], &columns[..]].concat(), THREE);
    // One of the games has an error.
    assert_eq!(converted.code, 1, "{}", converted.err);
    let bytes = fs::read(out).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    // The footer names the columns; `tabiya-db` tests what is in them.
    for name in ["White", "WhiteElo", "plies", "uci"] {
        let has = |name: &str| {
            bytes
                .windows(name.len())
                .any(|bytes| bytes == name.as_bytes())
        };
        assert!(has(name), "{name}");
    }
    let refused = run_with(&["pgn", "convert", "--to", "parquet"], THREE);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    let twice = [&flags[..], &["White,White", "--out", "x.parquet"]].concat();
    let twice = run_with(&twice, THREE);
    assert_eq!(twice.code, 3, "{}", twice.err);
    assert!(
        twice.err.contains("two columns are called White"),
        "{}",
        twice.err
    );
}

#[test]
fn tables_objects_and_positions() {
    let convert = |flags: &[&str]| run_with(&[&["pgn", "convert"], flags].concat(), THREE).out;
    assert_eq!(
        convert(&[
            "--to",
            "csv",
            "--columns",
            "White,Black,Result,plies,moves,eco"
        ]),
        "White,Black,Result,plies,moves,eco\n\
         B,x,1-0,3,e4 c5 Nf3,B27\na,B,0-1,2,d4 d5,D00\nC,../x,*,0,,\n,,*,1,c4,A10\n"
    );
    assert_eq!(
        run_with(&["pgn", "convert", "--to", "csv", "--columns", "White"], "").fine(),
        "White\n"
    );
    let objects = convert(&["--to", "jsonl"]);
    let objects: Vec<Value> = objects
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects.len(), 4);
    assert_eq!(objects[0]["moves"][2]["uci"], "g1f3");
    let epd = convert(&["--to", "epd"]);
    assert_eq!(epd.lines().count(), 4 + 3 + 1 + 2);
    assert!(epd.starts_with(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; sm e4; id \"B - x, 2021.03.05\";\n"
    ));
}

#[test]
fn games_are_joined_and_split_into_files_that_were_not_there() {
    let name = file("split.pgn", THREE.as_bytes());
    let out = fresh("split-out.pgn");
    let joined = run(&["pgn", "convert", &name, &name, "--out", text(&out)]);
    assert_eq!((joined.code, joined.out.as_str()), (1, ""));
    let written = fs::read(&out).expect("a file");
    assert_eq!(pgn::games(&written).count(), 8);
    let again = run(&["pgn", "convert", &name, "--out", text(&out)]);
    assert_eq!(again.code, 3, "a file is never replaced");
    for (how, expected) in [
        (
            "3",
            &["games-00001.pgn", "games-00002.pgn", "games-00003.pgn"][..],
        ),
        ("eco", &["A10.pgn", "B27.pgn", "D00.pgn", "unknown.pgn"]),
        (
            "player",
            &["B.pgn", "C.pgn", "a.pgn", "unknown.pgn", "x.pgn"],
        ),
        ("month", &["2020-01.pgn", "2021-03.pgn", "unknown.pgn"]),
    ] {
        let folder = fresh("split-folder");
        let found = run(&[
            "pgn",
            "convert",
            &name,
            &name,
            "--split",
            how,
            "--out",
            text(&folder),
        ]);
        assert_eq!(
            (found.code, found.out.as_str()),
            (1, ""),
            "{how}: {}",
            found.err
        );
        let mut names: Vec<String> = fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| {
                entry
                    .expect("a file")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .collect();
        names.sort();
        assert_eq!(names, expected, "{how}");
        let count = |name: &str| pgn::games(&fs::read(folder.join(name)).expect("a file")).count();
        let games: usize = names.iter().map(|name| count(name)).sum();
        assert_eq!(games, if how == "player" { 14 } else { 8 }, "{how}");
    }
}

#[test]
fn threads_change_nothing() {
    let text = THREE.repeat(3_000);
    let name = file("convert-threads.pgn", text.as_bytes());
    for flags in [
        &["convert"][..],
        &["convert", "--sort", "White,plies"],
        &["convert", "--to", "csv"],
        &["convert", "--to", "epd"],
        &["dedupe"],
        &["stats", "--families"],
        &["filter", "--eco", "B", "--first", "2500"],
    ] {
        let with = |threads: &str| run(&[&["pgn"], flags, &[&name, "--threads", threads]].concat());
        let alone = with("1");
        assert!(alone.out.len() > 50, "{flags:?}");
        assert!(with("3") == alone, "{flags:?}");
    }
}

/// What is written is read again as the same games, whatever the notation.
fn the_suites_come_back(suites: &Suites) {
    for suite in suites.files(PGN_FILES) {
        let bytes = suite.bytes();
        let lines = |bytes: &[u8]| -> Vec<Vec<String>> {
            let line = |game: pgn::PgnGame| {
                let nodes: Vec<_> = game.record.main_line().collect();
                nodes.iter().map(|node| node.position().fen()).collect()
            };
            pgn::games(bytes).map(line).collect()
        };
        for notation in ["san", "long", "uci"] {
            let (out, _, _) = run_bytes(&["pgn", "convert", "--moves", notation], &bytes);
            assert_eq!(lines(&out), lines(&bytes), "{} {notation}", suite.name);
        }
    }
}

#[test]
fn every_game_is_written_once() {
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7";
    let more = format!("{long} 11. Nbd2 Bb7");
    let game = |white: &str, black: &str, rest: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n{rest}\n{moves} *\n\n")
    };
    let text = [
        game("Carlsen,M", "Anand,V", "", &more),
        game(
            "Magnus Carlsen",
            "Anand, Viswanathan",
            "[Event \"x\"]\n",
            &more.replace("a6", "a6 {main}"),
        ),
        game("Carlsen, Magnus", "Anand", "", long),
        game("Carlsen, Henrik", "Anand", "", &more),
        game(
            "Ada Bell",
            "Cyd Dorn",
            "[Date \"2020.01.01\"]\n",
            "1. e4 e5",
        ),
        game(
            "Ada Bell",
            "Cyd Dorn",
            "[Date \"2021.01.01\"]\n",
            "1. e4 e5",
        ),
        game(
            "Ada Bell",
            "Cyd Dorn",
            "[Date \"2021.??.??\"]\n[Event \"x\"]\n",
            "1. e4 e5",
        ),
        game("Ada Bell", "Cyd Dorn", "", ""),
        game("Ada Bell", "Cyd Dorn", "", ""),
    ]
    .concat();
    let name = file("dedupe.pgn", text.as_bytes());
    let removed = fresh("dedupe-removed.pgn");
    let found = run(&["pgn", "dedupe", &name, "--removed", text_of(&removed)]);
    assert_eq!(found.code, 0, "{}", found.err);
    assert_eq!(
        whites(&found.out),
        [
            "Magnus Carlsen",
            "Carlsen, Henrik",
            "Ada Bell",
            "Ada Bell",
            "Ada Bell",
            "Ada Bell"
        ]
    );
    assert_eq!(
        found.err,
        format!(
            "{name}: game 1, Carlsen,M – Anand,V, has the same moves as game 2\n\
             {name}: game 3, Carlsen, Magnus – Anand, is the beginning of game 2\n\
             {name}: game 6, Ada Bell – Cyd Dorn, has the same moves as game 7\n\
             tabiya: 9 games, 3 removed\n"
        )
    );
    let removed = fs::read(&removed).expect("a file");
    assert_eq!(pgn::games(&removed).count(), 3);
    let found = run(&["pgn", "dedupe", &name, "--same-length", "--quiet"]);
    assert_eq!(found.err, "tabiya: 9 games, 2 removed\n");
    let once = run_with(&["pgn", "dedupe", "--quiet"], &found.out);
    let twice = run_with(&["pgn", "dedupe", "--quiet"], &once.out);
    assert_eq!(once.out, twice.out);
}

fn text_of(path: &Path) -> &str {
    text(path)
}

#[test]
fn stats_are_drawn() {
    let picture = fresh("stats.svg");
    let text = GAMES.replace("Qh7", "c4").replace("Ann Archer", "<script>");
    let found = run_with(&["pgn", "stats", "--svg", text_of(&picture)], &text);
    assert_eq!(found.code, 0, "{}", found.err);
    let svg = fs::read_to_string(&picture).expect("a picture");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for part in ["Openings", "Years", "2021", "2400–2599", "Slav Defense"] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    let again = run_with(&["pgn", "stats", "--svg", text_of(&picture)], &text);
    assert_eq!(again.code, 3, "a file is never replaced");
}

#[test]
fn what_does_not_go_together_is_exit_code_2() {
    for flags in [
        &["convert", "--columns", "White"][..],
        &["convert", "--to", "csv", "--columns", "white"],
        &["convert", "--to", "epd", "--moves", "uci"],
        &["convert", "--split", "eco"],
        &["convert", "--split", "0", "--out", "x"],
        &["convert", "--reverse"],
        &["convert", "--strip", "moves"],
    ] {
        let found = run(&[&["pgn"], flags].concat());
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{flags:?}");
    }
}
