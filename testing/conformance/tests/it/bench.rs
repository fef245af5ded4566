//! The benchmark: games are split rightly, counts are known, tables add up.

use tabiya_conformance::{
    corpus::{Game, games, positions, split_games},
    entrant::{Job, Material, PERFT, entrants},
    measure::{Rate, Summary, geometric_mean, table},
    pgn::{Entrant, Workload},
    pgn_bench::repeated,
};

const TEXT: &str = "\
[Event \"a\"]\n\n1. e4 {comment 1-0} e5 2.Nf3 $1 (2. f4 exf4 {x (y}) 2... Nc6!? 1-0\n\n\
[Event \"b\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. Kd1 *\n\n\
[Event \"c\"]\n\n1. d4 d5 ; rest of the line\n2. c4 1/2-1/2\n\n\
[Event \"unfinished\"]\n\n1. c4";

#[test]
fn main_lines_of_finished_standard_games_are_found() {
    let expected: [Game<'_>; 2] = [vec!["e4", "e5", "Nf3", "Nc6"], vec!["d4", "d5", "c4"]];
    assert_eq!(split_games(TEXT), expected);
}

#[test]
fn a_text_without_games_is_an_error() {
    assert!(games("").is_err());
    assert!(games("1. e5 *").is_err());
}

#[test]
fn all_libraries_do_the_same_work() {
    let games = games(TEXT).unwrap();
    let fens = positions(&games, 100);
    assert_eq!(fens.len(), 7);
    let material = Material {
        fens: &fens,
        games: &games,
    };
    let known = [197_281, 97_862, 43_238, 9_467, 62_379];
    let depths = [4, 3, 4, 3, 3];
    for entrant in entrants(&material).unwrap() {
        for which in 0..PERFT.len() {
            for job in [
                Job::Counted(which, depths[which]),
                Job::Played(which, depths[which]),
            ] {
                let count = entrant.run(job, &material);
                assert_eq!(count, known[which], "{} {job:?}", entrant.name());
            }
        }
        assert_eq!(entrant.run(Job::ReplaySan, &material), 7);
        assert_eq!(entrant.wrong_games(&material), 0, "{}", entrant.name());
        for job in [Job::ReadFen, Job::WriteFen, Job::ListMoves] {
            assert_eq!(entrant.run(job, &material), 7);
        }
        for job in [Job::PlayMoves, Job::ListPlayKey] {
            assert_eq!(entrant.run(job, &material), 180, "{}", entrant.name());
        }
        if entrant.does(Job::WriteSan) {
            assert_eq!(entrant.run(Job::WriteSan, &material), 7);
            assert_eq!(entrant.written(), "e4 e5 Nf3 Nc6 d4 d5 c4 ");
        }
    }
}

fn rate(median: f64) -> Rate {
    Rate {
        median,
        slowest: median,
        fastest: median,
    }
}

#[test]
fn a_summary_has_medians_and_the_range_of_the_ratios() {
    let mut summary = Summary::default();
    for (own, base, peer) in [(8e6, 2e6, 4e6), (9e6, 2e6, 3e6), (40e6, 10e6, 20e6)] {
        let rates = vec![rate(own), rate(base), rate(peer)];
        summary.add("moves", &["tabiya", "shakmaty", "esca"], rates);
        summary.add(
            "games",
            &["tabiya", "reader"],
            vec![rate(200e6), rate(100e6)],
        );
    }
    let expected = "\
| | tabiya | shakmaty | esca | reader | vs. shakmaty | vs. best peer |
| --- | --- | --- | --- | --- | --- | --- |
| moves | **9.0** | 2.0 | 4.0 | – | 4.00 to 4.50× | 2.00 to 3.00× |
| games | **200** | – | – | 100 | – | 2.00× |
";
    assert_eq!(summary.markdown(), expected);
}

#[test]
fn ratios_are_those_of_the_medians() {
    let text = table(
        "title",
        &["tabiya", "shakmaty", "cozy-chess"],
        &[rate(8e6), rate(2e6), rate(4e6)],
        &[],
    );
    let line = text.lines().find(|line| line.contains("tabiya")).unwrap();
    let words: Vec<_> = line.split_whitespace().collect();
    assert_eq!(words, ["tabiya", "8.00", "8.00..8.00", "4.00", "2.00"]);
    let mean = geometric_mean(&[vec![rate(2.0)], vec![rate(8.0)]]);
    assert!((mean[0].median - 4.0).abs() < 1e-9);
}

#[test]
fn both_readers_of_pgn_find_the_same() {
    // The peer does not show comments after a semicolon.
    let text = TEXT.replace("; rest of the line", "{rest of the line}");
    let found = |entrant: Entrant, task| entrant.read(task, text.as_bytes()).unwrap();
    let ours = found(Entrant::Tabiya, Workload::Tokens);
    assert_eq!((ours.games, ours.moves, ours.comments), (4, 9, 2));
    assert_eq!(ours, found(Entrant::PgnReader, Workload::Tokens));
    let bad = "1. e4 Ke6 *\n\n1. d4 d5 *\n";
    for entrant in Entrant::ALL {
        let found = entrant.read(Workload::Validation, bad.as_bytes()).unwrap();
        assert_eq!((found.moves, found.errors), (3, 1), "{}", entrant.name());
    }
    assert_eq!(repeated(b"*", 7), b"*\n\n*\n\n*\n\n");
}
