//! `tabiya pgn filter` by tags, positions, moves and endings.

use crate::pgn_support::{GAMES, file};
use crate::support::{run, run_with};

/// Games with something to find in each, by their White players.
const MANY: &str = r#"[White "mate"]
[TimeControl "600+0"]
[WhiteElo "2500"]
[BlackElo "2100"]

1. f3 e5 2. g4 Qh4# 0-1

[White "stalemate"]
[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]
[Round "3"]

1. Qf7 1/2-1/2

[White "repetition"]
[TimeControl "60+1"]
[WhiteElo "1500"]
[BlackElo "1600"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2

[White "fifty"]
[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 99 90"]

1. Ra2 1/2-1/2

[White "insufficient"]
[FEN "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"]

1. Kxd2 1/2-1/2

[White "time"]
[Termination "Time forfeit"]
[Round "10"]

1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1-0

[White "under"]
[FEN "7k/3P4/8/8/8/8/P7/4K3 w - - 0 1"]

1. d8=N Kg8 2. Ne6 *
"#;

fn passing(flags: &[&str]) -> Vec<String> {
    let found = run_with(&[&["pgn", "filter"], flags].concat(), MANY);
    assert_eq!((found.code, found.err.as_str()), (0, ""), "{flags:?}");
    let names = found
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("[White \""));
    names
        .map(|name| name.trim_end_matches("\"]").to_owned())
        .collect()
}

#[test]
fn every_kind_of_question() {
    for (flags, expected) in [
        (&["--tag", "TimeControl=600+0"][..], &["mate"][..]),
        (
            &["--tag", "TimeControl!=600+0", "--tag", "Round>=3"],
            &["stalemate", "time"],
        ),
        (&["--tag", "Round<10"], &["stalemate"]),
        (&["--tag", "TimeControl~^6"], &["mate", "repetition"]),
        (&["--tag", "White!~e"], &["fifty"]),
        (&["--white-elo", "2000.."], &["mate"]),
        (&["--black-elo", "..1700"], &["repetition"]),
        (&["--elo-difference", "200.."], &["mate"]),
        (&["--elo-difference", "0..150"], &["repetition"]),
        (&["--ended", "mate"], &["mate"]),
        (&["--ended", "stalemate"], &["stalemate"]),
        (&["--ended", "repetition"], &["repetition"]),
        (&["--ended", "50"], &["fifty"]),
        (&["--ended", "insufficient"], &["insufficient"]),
        (&["--ended", "time,mate"], &["mate", "time"]),
        (&["--underpromotion"], &["under"]),
        (&["--eco", "B90"], &["time"]),
        (&["--opening", "najdorf"], &["time"]),
        (&["--opening", "sicilian najdorf"], &["time"]),
        (&["--opening", "zzz"], &[]),
        (&["--moves", "e4 ... Nxd4 ... a6"], &["time"]),
        (&["--moves", "... Qh4"], &["mate"]),
        (&["--moves", "Nf3 Nf6 ... Nf3 Nf6"], &["repetition"]),
        (&["--board", "....k.../8/8/8/8/8/...Q"], &[]),
        (&["--board", "......../.....Q.k"], &[]),
        (&["--board", ".......k/.....Q"], &["stalemate"]),
        (
            &["--board", "......../......../..../...K", "--mirrored"],
            &[],
        ),
        (&["--board", "...N"], &["under"]),
        (
            &["--pawns", "8/1p..pppp/p2p4/8/4P3/8/PPP..PPP/8"],
            &["time"],
        ),
        (
            &["--pawns", "8/ppp..ppp/8/4p3/P2P1P2/8/1PP3/8", "--mirrored"],
            &[],
        ),
        (&["--material", "KRvK"], &["fifty"]),
        (
            &["--material", "KQvK", "--material-plies", "2"],
            &["stalemate"],
        ),
        (&["--material", "KQvK", "--material-plies", "3"], &[]),
        (&["--first", "2"], &["mate", "stalemate"]),
        (&["--last", "2"], &["time", "under"]),
        (
            &["--games", "2,5..6"],
            &["stalemate", "insufficient", "time"],
        ),
        (&["--games", "5..", "--last", "1"], &["under"]),
        (&["--first", "3", "--last", "1"], &["repetition"]),
        (&["--first", "0"], &[]),
        (&["--last", "0"], &[]),
        (
            &["--tag", "Round>=3", "--invert"],
            &["mate", "repetition", "fifty", "insufficient", "under"],
        ),
    ] {
        assert_eq!(passing(flags), expected, "{flags:?}");
    }
    let wrong = run(&["pgn", "filter", "--tag", "Site~("]).err;
    let why = "the regular expression cannot be read: unclosed group\n";
    assert!(wrong.contains(why), "{wrong}");
}

#[test]
fn mirrored_boards_have_the_colors_exchanged() {
    // A white knight on e8 is a black one on e1.
    let text = "[FEN \"4k3/8/8/8/8/8/8/3nK3 w - - 0 1\"]\n\n1. Ke2 *\n";
    let found = |flags: &[&str]| {
        run_with(
            &[&["pgn", "filter", "--board", "...N"], flags].concat(),
            text,
        )
        .fine()
    };
    assert_eq!(found(&[]), "");
    assert!(found(&["--mirrored"]).contains("Ke2"));
}

#[test]
fn numbers_go_through_all_parts_and_files() {
    let text: String = (1..=20_000)
        .map(|number| format!("[White \"{number}\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n"))
        .collect();
    let one = file("numbered-1.pgn", text.as_bytes());
    let two = file("numbered-2.pgn", text.as_bytes());
    for threads in ["1", "3"] {
        let with = |flags: &[&str]| {
            let fixed = ["pgn", "filter", &one, &two, "--threads", threads];
            run(&[&fixed[..], flags].concat()).fine()
        };
        let found = with(&["--games", "19999..20001,35000"]);
        let names: Vec<&str> = found.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(
            names,
            [
                "[White \"19999\"]",
                "[White \"20000\"]",
                "[White \"1\"]",
                "[White \"15000\"]"
            ]
        );
        assert_eq!(
            with(&["--first", "25000"]).matches("[White").count(),
            25_000
        );
        assert_eq!(with(&["--last", "7"]).matches("[White").count(), 7);
    }
}

#[test]
fn folders_stand_for_the_files_in_them() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("folder of games");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("b/empty")).expect("a folder");
    let put = |name: &str, text: &[u8]| std::fs::write(folder.join(name), text).expect("a file");
    put("a.pgn", b"[White \"1\"]\n\n1. e4 *\n");
    put("b/c.PGN", b"[White \"2\"]\n\n1. d4 *\n");
    put(
        "z.pgn.zst",
        &zstd::encode_all(&b"[White \"3\"]\n\n1. c4 *\n"[..], 3).expect("zstd"),
    );
    put("notes.txt", b"1. h4 *\n");
    let name = folder.to_str().expect("UTF-8");
    for threads in ["1", "2"] {
        let found = run(&["pgn", "filter", name, "--threads", threads]).fine();
        let names: Vec<&str> = found.lines().filter(|line| line.starts_with('[')).collect();
        assert_eq!(names, ["[White \"1\"]", "[White \"2\"]", "[White \"3\"]"]);
    }
    let empty = folder.join("b/empty");
    let found = run(&["pgn", "check", empty.to_str().expect("UTF-8")]);
    assert_eq!(found.code, 3);
    assert!(
        found
            .err
            .contains("there is no file of games in this folder"),
        "{}",
        found.err
    );
}

#[test]
fn what_cannot_be_asked_is_exit_code_2() {
    for flags in [
        &["--tag", "Event"][..],
        &["--tag", "Event~("],
        &["--ended", "boredom"],
        &["--board", "xyz"],
        &["--pawns", "k"],
        &["--moves", ""],
        &["--games", "a"],
        &["--first", "-1"],
        &["--material-plies", "3"],
        &["--elo-difference", "a"],
    ] {
        let found = run(&[&["pgn", "filter"], flags].concat());
        assert_eq!((found.code, found.out.as_str()), (2, ""), "{flags:?}");
    }
    assert_eq!(run_with(&["pgn", "filter", "--games", "2"], GAMES).code, 1);
}
