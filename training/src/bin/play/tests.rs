//! Games follow from their numbers, are legal, and are written in order.

use tabiya_rules::{MoveHistory, Position, Status};

use super::*;
use std::time::Duration;
use training::game_line::GameResult;

/// The nodes for each move in these tests.
const NODES: u64 = 300;

fn games(player: &mut Player, numbers: std::ops::Range<u64>) -> Vec<Option<Game>> {
    numbers.map(|number| player.play(number)).collect()
}

#[test]
fn a_game_follows_from_its_number_alone() {
    let mut used = Player::new(None, NODES);
    let games = games(&mut used, 1..7);
    for (number, game) in (1..7).zip(&games) {
        assert_eq!(Player::new(None, NODES).play(number), *game, "{number}");
    }
    let lines: Vec<String> = games.iter().flatten().map(ToString::to_string).collect();
    assert!(lines.len() > 1, "{games:?}");
    assert_ne!(lines[0], lines[1]);
}

#[test]
fn lines_can_be_read_and_played_again() {
    let mut player = Player::new(None, NODES);
    for game in games(&mut player, 20..26).into_iter().flatten() {
        let line = game.to_string();
        let fields: Vec<&str> = line.split('\t').collect();
        let [fen, result, moves] = fields[..] else {
            panic!("three fields: {line}");
        };
        let start = Position::from_fen(fen).expect("a position");
        let mut played = MoveHistory::new(start);
        let words: Vec<&str> = moves.split(' ').collect();
        assert_eq!(words.len(), 2 * game.plies.len());
        for pair in words.chunks(2) {
            assert_eq!(played.current().status(), Status::Ongoing, "{line}");
            let m = played.current().parse_uci(pair[0]).expect("a legal move");
            let score: i32 = pair[1].parse().expect("a score");
            assert!(score.abs() <= 32_000, "{score}");
            played.push(m).expect("legal");
        }
        if let Status::Checkmate { winner } = played.current().status() {
            assert_eq!(result, GameResult::Won(winner).to_string());
        }
        assert!(["w", "d", "l"].contains(&result), "{line}");
    }
}

#[test]
fn games_are_written_in_the_order_of_their_numbers() {
    let mut player = Player::new(None, NODES);
    let games = games(&mut player, 1..7);
    let written = |order: &[usize]| {
        let mut output = Output::new(Vec::new(), 1);
        for &i in order {
            output.add(i as u64 + 1, games[i].clone());
        }
        let text = String::from_utf8(output.writer.clone()).expect("text");
        (text, output.finish(1).expect("written").to_string())
    };
    let in_order = written(&[0, 1, 2, 3, 4, 5]);
    assert_eq!(in_order.0.lines().count(), games.iter().flatten().count());
    assert!(in_order.1.ends_with(" numbers 1..7"), "{}", in_order.1);
    assert_eq!(written(&[5, 0, 2, 1, 4, 3]), in_order);
}

#[test]
fn wrong_arguments_are_refused() {
    let of = |line: &str| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Arguments::parse(&words).is_some()
    };
    assert!(of("1 60 2 5000 out.txt"));
    assert!(of("1 60 2 5000 out.txt network.bin"));
    for wrong in [
        "1 60 2 5000",
        "1 60 2 5000 out.txt network.bin more",
        "x 60 2 5000 out.txt",
        "1 60 0 5000 out.txt",
        "1 60 2 0 out.txt",
        "1 60 -2 5000 out.txt",
    ] {
        assert!(!of(wrong), "{wrong}");
    }
}

#[test]
fn what_cannot_be_opened_is_named() {
    let arguments = |out: &str, network: Option<&str>| Arguments {
        run: Run {
            first_number: 1,
            time: Duration::ZERO,
            threads: 1,
            nodes: NODES,
        },
        out: out.into(),
        network: network.map(PathBuf::from),
    };
    let error = run(&arguments("no/such/folder/out.txt", None)).expect_err("no folder");
    assert!(
        error
            .to_string()
            .starts_with("no/such/folder/out.txt cannot be written: ")
    );
    let error = run(&arguments("out.txt", Some("Cargo.toml"))).expect_err("no network");
    assert_eq!(
        error.to_string(),
        "Cargo.toml: the file is not a network of this engine"
    );
}
