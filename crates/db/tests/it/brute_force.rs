//! The counts of a database equal those of walking through all games.

use std::collections::BTreeMap;
use std::fs;

use tabiya_db::{Database, Effort, Filter, Game, Player, Query, ResultCounts, Speed};
use tabiya_openings::Book;
use tabiya_rules::{Color, Move, Position, SplitMix64};

use crate::support::{Plain, Scratch, Wanted, build, count, extend, games, options, plain};

fn ask(
    database: &Database,
    path: &[(Position, Move)],
    position: &Position,
    wanted: &Wanted,
) -> BTreeMap<String, ResultCounts> {
    let is = |name: &str| wanted.white.as_deref() == Some(name);
    let filter = Filter {
        ratings: wanted.ratings.clone(),
        years: wanted.years.clone(),
        speeds: wanted.speed.into_iter().collect(),
    };
    let player = wanted.white.as_ref().map(|_| Player {
        is: &is,
        color: Some(Color::White),
    });
    let query = Query {
        path,
        position: *position,
        filter,
        player,
        games: 4,
        effort: Effort::EveryGame,
    };
    let answer = database.explore(&query).expect("an answer");
    let mut total = ResultCounts::default();
    let moves = answer.moves.iter().map(|stats| {
        total.white += stats.score.white;
        total.draws += stats.score.draws;
        total.black += stats.score.black;
        (position.san(stats.m).to_string(), stats.score)
    });
    let moves = moves.collect();
    assert_eq!(total, answer.score);
    moves
}

fn compare(database: &Database, games: &[Plain], positions: usize) {
    let mut random = SplitMix64::new(7);
    let filters = [
        Wanted::default(),
        Wanted {
            ratings: Some(2000..=u16::MAX),
            ..Wanted::default()
        },
        Wanted {
            ratings: Some(1800..=2199),
            years: Some(2012..=2018),
            speed: Some(Speed::Blitz),
            ..Wanted::default()
        },
        Wanted {
            white: Some("Player 7".to_owned()),
            years: Some(2011..=u16::MAX),
            ..Wanted::default()
        },
    ];
    let mut found = 0;
    for number in 0..positions {
        let game = &games[random.below(games.len())];
        // Half of them near the beginning, where games go together.
        let deepest = if number.is_multiple_of(2) {
            8
        } else {
            usize::MAX
        };
        let ply = random.below(game.positions.len().min(deepest));
        let position = &game.positions[ply];
        let wanted = &filters[number % filters.len()];
        let expected = count(games, position, wanted);
        found += usize::from(!expected.is_empty());
        let path: Vec<(Position, Move)> = game.positions[..ply]
            .iter()
            .copied()
            .zip(game.moves.iter().copied())
            .collect();
        for path in [&path[..], &[]] {
            assert_eq!(
                ask(database, path, position, wanted),
                expected,
                "{} {wanted:?}",
                position.fen()
            );
        }
    }
    assert!(
        found > positions / 3,
        "only {found} of {positions} positions have games"
    );
}

#[test]
fn counts_are_those_of_going_through_all_games() {
    let scratch = Scratch::new();
    let text = games(1, 1500);
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, &text).expect("a file");
    let built = build(&folder, &file, options()).expect("a database");
    let games = plain(&text);
    assert_eq!((built.read, built.games), (1500, games.len() as u64));
    assert!(built.errors > 0);
    let database = Database::open(&folder).expect("a database");
    database.check().expect("a whole database");
    compare(&database, &games, 400);
    assert_eq!(database.info().games, games.len() as u64);
}

/// The games of an answer, each with the move played in it.
fn shown(database: &Database, position: &Position, filter: Filter) -> Vec<(Move, Game)> {
    let query = Query {
        path: &[],
        position: *position,
        filter,
        player: None,
        games: usize::MAX,
        effort: Effort::Tables,
    };
    let answer = database.explore(&query).expect("an answer");
    answer.games
}

#[test]
fn the_games_that_are_shown_are_those_that_pass() {
    let scratch = Scratch::new();
    let text = games(8, 1500);
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, &text).expect("a file");
    build(&folder, &file, options()).expect("a database");
    let database = Database::open(&folder).expect("a database");
    let games = plain(&text);
    let mut random = SplitMix64::new(9);
    let (mut all, mut passed) = (0, 0);
    for _ in 0..200 {
        let game = &games[random.below(games.len())];
        let position = &game.positions[random.below(game.positions.len().min(6))];
        let (low, year) = (1600 + 200 * random.below(4) as u16, 2005 + random.below(12));
        let (ratings, years) = (low..=low + 799, year as u16..=u16::MAX);
        let speeds = match random.below(2) {
            0 => Vec::new(),
            _ => vec![Speed::Blitz, Speed::Rapid],
        };
        let mut expected = shown(&database, position, Filter::default());
        all += expected.len();
        expected.retain(|(_, game)| {
            let facts = game.facts();
            facts.rating.is_some_and(|rating| ratings.contains(&rating))
                && facts.year.is_some_and(|year| years.contains(&year))
                && (speeds.is_empty() || facts.speed.is_some_and(|speed| speeds.contains(&speed)))
        });
        passed += expected.len();
        // A database that was asked before, and one that was not.
        let fresh = Database::open(&folder).expect("a database");
        for database in [&database, &fresh] {
            let filter = Filter {
                ratings: Some(ratings.clone()),
                years: Some(years.clone()),
                speeds: speeds.clone(),
            };
            assert_eq!(shown(database, position, filter), expected);
        }
    }
    assert!(
        passed > 20 && passed < all,
        "{passed} of {all} games passed"
    );
}

#[test]
fn with_every_position_in_a_table_they_are_the_same() {
    let scratch = Scratch::new();
    let text = games(2, 600);
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, &text).expect("a file");
    let mut options = options();
    options.full = true;
    build(&folder, &file, options).expect("a database");
    compare(
        &Database::open(&folder).expect("a database"),
        &plain(&text),
        200,
    );
}

#[test]
fn games_that_are_added_count_and_those_that_are_there_do_not() {
    let scratch = Scratch::new();
    let (one, two) = (games(3, 500), games(4, 300));
    let (first, second) = (scratch.path("one.pgn"), scratch.path("two.pgn"));
    fs::write(&first, &one).expect("a file");
    fs::write(&second, &two).expect("a file");
    let folder = scratch.path("db");
    build(&folder, &first, options()).expect("a database");
    let games = plain(&format!("{one}{two}"));

    let added = extend(&folder, &second, options()).expect("a database");
    assert_eq!((added.games, added.read), (games.len() as u64, 300));
    let database = Database::open(&folder).expect("a database");
    compare(&database, &games, 200);

    let before = crate::support::contents(&folder);
    let again = extend(&folder, &second, options()).expect("a database");
    assert_eq!((again.games, again.before), (added.games, added.games));
    assert!(
        before == crate::support::contents(&folder),
        "adding twice changes nothing"
    );
}

#[test]
fn little_memory_gives_the_same_database() {
    let scratch = Scratch::new();
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, games(5, 6000)).expect("a file");
    build(&folder, &file, options()).expect("a database");
    let mut little = options();
    little.memory = 0;
    let other = scratch.path("little");
    build(&other, &file, little).expect("a database");
    assert!(crate::support::contents(&folder) == crate::support::contents(&other));
}

#[test]
fn a_database_is_a_book() {
    let scratch = Scratch::new();
    let text = games(6, 400);
    let (file, folder) = (scratch.path("games.pgn"), scratch.path("db"));
    fs::write(&file, &text).expect("a file");
    build(&folder, &file, options()).expect("a database");
    let mut database = Database::open(&folder).expect("a database");
    let start = Position::start();
    let expected = count(&plain(&text), &start, &Wanted::default());
    let moves = database.moves(&start).expect("moves");
    assert_eq!(moves.len(), expected.len());
    for found in moves {
        let score = expected[&start.san(found.m).to_string()];
        assert_eq!(u64::from(found.weight), 2 * score.white + score.draws);
    }
    assert_eq!(database.game(12345).expect("an answer"), None);
}
