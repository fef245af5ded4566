//! Games whose IDs begin alike are told apart.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use tabiya_game::pgn::{Reader, Replay};
use tabiya_rules::{Move, Position};

use super::{Answer, Effort, Filter, Query};
use crate::build::{BuildOptions, Builder, SourceFile};
use crate::collect::{Collector, ReadFrom};
use crate::database::Database;
use crate::game_ref::IdPrefix;
use crate::game_row::Game;
use crate::move_code::MoveCode;
use crate::partition::{Scope, Share};

/// A temporary folder, removed when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A game by its players, ratings, moves and result.
#[derive(Clone, Debug)]
struct Sample {
    white: String,
    elo: u16,
    moves: &'static str,
    result: &'static str,
}

impl Sample {
    fn new(white: &str, elo: u16, moves: &'static str, result: &'static str) -> Sample {
        Sample {
            white: white.to_owned(),
            elo,
            moves,
            result,
        }
    }

    fn pgn(&self) -> String {
        let Sample {
            white,
            elo,
            moves,
            result,
        } = self;
        format!(
            "[White \"{white}\"]\n[WhiteElo \"{elo}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    }

    /// The game as a database has it.
    fn game(&self) -> Game {
        let scope = Scope::new(Share::WHOLE, false);
        let text = self.pgn();
        let mut replay = Replay::new(Collector::new(scope, "test", ReadFrom::Beginning));
        let mut reader = Reader::new(text.as_bytes());
        while reader.read_game(&mut replay).expect("memory").is_some() {}
        let mut games = replay.visitor_mut().take().games;
        games.pop().expect("a game").1
    }
}

/// Names the players of two games so that the IDs of the games begin alike.
fn make_alike(one: &mut Sample, other: &mut Sample) {
    let prefixes = |sample: &Sample, name: &'static str| {
        let mut game = sample.game();
        (0..).map(move |number: u32| {
            let white = format!("{name} {number}");
            game.white = Some(white.clone());
            game.identify();
            (IdPrefix::of(game.id), white)
        })
    };
    let known: HashMap<IdPrefix, String> = prefixes(one, "One").take(1 << 16).collect();
    let (prefix, white) = prefixes(other, "Other")
        .find(|(prefix, _)| known.contains_key(prefix))
        .expect("names without end");
    one.white.clone_from(&known[&prefix]);
    other.white = white;
    assert_eq!(IdPrefix::of(one.game().id), IdPrefix::of(other.game().id));
    assert_ne!(one.game().id, other.game().id);
}

fn database(name: &str, samples: &[Sample]) -> (Scratch, Database) {
    let name = format!("tabiya-db-alike-{}-{name}", std::process::id());
    let scratch = Scratch(std::env::temp_dir().join(name));
    let sources = vec![SourceFile::pipe("test")];
    let mut builder =
        Builder::create(&scratch.0, sources, BuildOptions::default()).expect("a builder");
    let text: String = samples.iter().map(Sample::pgn).collect();
    let collector = Collector::new(builder.scope(), "test", ReadFrom::Beginning);
    let mut replay = Replay::new(collector);
    let mut reader = Reader::new(text.as_bytes());
    while reader.read_game(&mut replay).expect("memory").is_some() {}
    builder.add(replay.visitor_mut().take()).expect("added");
    builder.finish(&|_, _| {}).expect("a database");
    let database = Database::open(&scratch.0).expect("a database");
    (scratch, database)
}

/// What the database answers after some moves.
fn ask(database: &Database, moves: &[&str]) -> Answer {
    let mut position = Position::start();
    let mut path: Vec<(Position, Move)> = Vec::new();
    for text in moves {
        let m = position.parse_san(text).expect("a move");
        path.push((position, m));
        position = position.play_unchecked(m);
    }
    let query = Query {
        path: &path,
        position,
        filter: Filter::default(),
        player: None,
        games: 10,
        effort: Effort::Tables,
    };
    database.explore(&query).expect("an answer")
}

/// The moves of an answer's games, and who had White in them.
fn shown(answer: &Answer) -> Vec<(String, &str)> {
    let mut games = Vec::new();
    for (m, game) in &answer.games {
        let white = game.white.as_deref().expect("a name");
        games.push((MoveCode::new(*m).uci(), white));
    }
    games
}

#[test]
fn the_move_tells_which_game_is_meant() {
    let mut one = Sample::new("", 2800, "1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0");
    let mut other = Sample::new("", 2700, "1. d4 d5 2. c4 e6 3. Nc3", "0-1");
    make_alike(&mut one, &mut other);
    let rest = [
        Sample::new("A", 2000, "1. e4 c5", "1-0"),
        Sample::new("B", 2000, "1. d4 Nf6", "0-1"),
    ];
    let samples = [&[one.clone(), other.clone()], &rest[..]].concat();
    let (_scratch, database) = database("moves", &samples);
    // Twice, since the first answer may leave something behind for the second.
    for _ in 0..2 {
        // From `tree`.
        let answer = ask(&database, &[]);
        let expected = [("e2e4", &*one.white), ("d2d4", &*other.white)];
        assert_eq!(
            shown(&answer),
            expected.map(|(m, name)| (m.to_owned(), name))
        );
        // From `exits`.
        let answer = ask(&database, &["e4"]);
        let expected = [("e7e5", &*one.white), ("c7c5", "A")];
        assert_eq!(
            shown(&answer),
            expected.map(|(m, name)| (m.to_owned(), name))
        );
        // From the games that the moves lead to.
        for (sample, moves) in [
            (&one, ["e4", "e5", "Nf3", "Nc6"]),
            (&other, ["d4", "d5", "c4", "e6"]),
        ] {
            let answer = ask(&database, &moves);
            assert_eq!(answer.score.games(), 1);
            assert_eq!(shown(&answer)[0].1, sample.white);
        }
    }
}

#[test]
fn of_games_with_the_same_move_the_best_is_meant() {
    let mut better = Sample::new("", 2800, "1. e4 e5 2. Nf3", "1-0");
    let mut worse = Sample::new("", 2700, "1. e4 e5 2. Bc4", "0-1");
    make_alike(&mut better, &mut worse);
    let (_scratch, both) = database("best", &[worse.clone(), better.clone()]);
    let expected = [("e2e4".to_owned(), &*better.white)];
    assert_eq!(shown(&ask(&both, &[])), expected);

    // A game without a result counts for nothing.
    let mut unfinished = Sample::new("", 2800, "1. e4 e5 2. Nf3", "*");
    make_alike(&mut unfinished, &mut worse);
    let third = Sample::new("A", 2000, "1. e4 c5", "1-0");
    let (_scratch, both) = database("unfinished", &[unfinished, worse.clone(), third]);
    let expected = [("e2e4".to_owned(), &*worse.white)];
    assert_eq!(shown(&ask(&both, &[])), expected);
}
