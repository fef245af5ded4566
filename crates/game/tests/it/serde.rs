//! Values in serde formats: the examples of docs/json.md, and everything that generated games produce.

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, from_value, to_string, to_value};
use tabiya_game::pgn::{self, MAX_NODES};
use tabiya_game::{
    Annotation, Claim, ClockFace, Command, Event, MoveInput, NewGame, NodeId, Outcome, Policy,
    Record, Refusal, Session, Step, Tags, TimeControl,
};
use tabiya_rules::{
    Bitboard, Color, IllegalMove, Move, MoveHistory, Piece, Position, Role, SanError, Square,
    Status, UciMove,
};

use fuzz_properties::session::{Op, game, same, walk_with_answers};

const JSON: &str = include_str!("../../../../docs/json.md");

/// Returns the value read back from JSON.
fn readable<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = to_string(value).expect("serializable");
    from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns the value read back from the compact form.
fn compact<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let bytes = postcard::to_allocvec(value).expect("serializable");
    postcard::from_bytes(&bytes).expect("deserializable")
}

/// Reads an example as a value of a type, and writes it again.
fn again<T: Serialize + DeserializeOwned>(example: &Value) -> Value {
    let value: T = from_value(example.clone()).unwrap_or_else(|error| panic!("{error}: {example}"));
    // Not through the value itself, whose `==` may ignore something that it writes.
    let compact = compact(&value);
    assert_eq!(to_value(&compact).unwrap(), to_value(&value).unwrap());
    to_value(&value).unwrap()
}

fn again_as(name: &str, example: &Value) -> Value {
    match name {
        "Annotation" => again::<Annotation>(example),
        "Bitboard" => again::<Bitboard>(example),
        "Claim" => again::<Claim>(example),
        "ClockFace" => again::<ClockFace>(example),
        "Color" => again::<Color>(example),
        "Command" => again::<Command>(example),
        "Event" => again::<Event>(example),
        "IllegalMove" => again::<IllegalMove>(example),
        "Move" => again::<Move>(example),
        "MoveHistory" => again::<MoveHistory>(example),
        "MoveInput" => again::<MoveInput>(example),
        "NewGame" => again::<NewGame>(example),
        "NodeId" => again::<NodeId>(example),
        "Outcome" => again::<Outcome>(example),
        "Piece" => again::<Piece>(example),
        "Policy" => again::<Policy>(example),
        "Position" => again::<Position>(example),
        "Record" => again::<Record>(example),
        "Refusal" => again::<Refusal>(example),
        "Role" => again::<Role>(example),
        "SanError" => again::<SanError>(example),
        "Session" => again::<Session>(example),
        "Square" => again::<Square>(example),
        "Status" => again::<Status>(example),
        "Tags" => again::<Tags>(example),
        "TimeControl" => again::<TimeControl>(example),
        "UciMove" => again::<UciMove>(example),
        _ => panic!("docs/json.md has an example of {name}, which is no type with a form"),
    }
}

/// Returns the blocks of docs/json.md that name a type, and the values in them.
fn examples() -> Vec<(&'static str, bool, Vec<Value>)> {
    let mut blocks = JSON.split("\n```");
    blocks.next();
    let named = blocks.step_by(2).filter_map(|block| {
        let (first, body) = block.split_once('\n')?;
        let mut words = first.strip_prefix("json ")?.split(' ');
        let name = words.next()?;
        let values = serde_json::Deserializer::from_str(body).into_iter::<Value>();
        let values: Result<Vec<Value>, _> = values.collect();
        let values = values.unwrap_or_else(|error| panic!("{name}: {error}: {body}"));
        Some((name, words.next() == Some("input"), values))
    });
    named.collect()
}

#[test]
fn the_examples_of_the_docs_are_read_and_written_as_they_stand() {
    let examples = examples();
    assert!(examples.len() > 20, "{}", examples.len());
    for (name, is_input, values) in examples {
        assert!(!values.is_empty(), "{name}");
        for value in values {
            let written = again_as(name, &value);
            // Alternative forms of input are written in one way.
            let expected = if is_input {
                again_as(name, &written)
            } else {
                value
            };
            assert_eq!(written, expected, "{name}");
        }
    }
}

#[test]
fn every_command_event_and_refusal_has_an_example() {
    let words = |name: &str, key: &str| {
        let values = examples().into_iter().filter(|example| example.0 == name);
        let words: Vec<String> = values
            .flat_map(|(_, _, values)| values)
            .filter_map(|value| Some(value.get(key)?.as_str()?.to_owned()))
            .collect();
        words
    };
    for (name, key, wrong) in [
        ("Command", "command", again_error::<Command>("command")),
        ("Event", "event", again_error::<Event>("event")),
        ("Refusal", "refusal", again_error::<Refusal>("refusal")),
    ] {
        // serde's error names all variants if it finds none.
        let all: Vec<&str> = wrong.split('`').skip(3).step_by(2).collect();
        assert!(all.len() > 15, "{wrong}");
        let given = words(name, key);
        for word in all {
            assert!(given.iter().any(|given| given == word), "{name} {word}");
        }
    }
}

/// Returns the error for an object with a variant that does not exist.
fn again_error<T: DeserializeOwned + std::fmt::Debug>(key: &str) -> String {
    let text = format!("{{\"{key}\":\"nothing\"}}");
    from_str::<T>(&text).unwrap_err().to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn everything_that_happens_in_a_game_comes_back(
        start in any::<[u16; 4]>(),
        ops in prop::collection::vec(any::<Op>(), 1..100),
    ) {
        let [a, b, c, d] = start;
        let start = game(a, b, c, d);
        assert_eq!(readable(&start), start);
        assert_eq!(compact(&start), start);
        let mut count = 0;
        walk_with_answers(start, &ops, |session, _, command, answer| {
            count += 1;
            assert_eq!(&readable(command), command);
            assert_eq!(&compact(command), command);
            assert_eq!(&compact(answer), answer);
            match answer {
                Ok(events) => assert_eq!(&readable(events), events),
                Err(refusal) => assert_eq!(&readable(refusal), refusal),
            }
            if count % 10 == 0 {
                same(&readable(session), session);
                same(&compact(session), session);
                assert_eq!(&readable(session.record()), session.record());
                assert_eq!(&compact(session.record()), session.record());
            }
        });
    }
}

#[test]
fn games_from_files_come_back_with_everything_written_in_them() {
    let text = "[White \"A \\\"B\\\" C\"]\n[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K2R w HA - 0 1\"]\n\n\
        {before all} 1. O-O $14 {[%clk 0:01:02.5][%eval 0.31,20][%csl Ge4,Ra1][%cal Gd1d5][%mood fine] so}\n\
        ({first} 1. O-O-O!? Ke7 (1... Kf7 2. --) {behind}) 1... Ke7 {[%eval #-3]} 2. -- Kd7 1/2-1/2\n";
    let game = pgn::games(text.as_bytes()).next().unwrap();
    assert_eq!(game.errors, []);
    assert_eq!(readable(&game.record), game.record);
    assert_eq!(compact(&game.record), game.record);
}

#[test]
fn what_comes_in_is_not_trusted() {
    let record = |moves: &str| {
        let start = Position::start().fen();
        from_str::<Record>(&format!("{{\"start\":\"{start}\",\"moves\":[{moves}]}}"))
    };
    let e4 = record("{\"san\":\"e4\"}").unwrap();
    assert_eq!(e4.main_line().count(), 1);
    assert!(matches!(e4.main_line_end().step(), Some(Step::Move(_))));
    let error = record("{\"uci\":\"e2e5\"}").unwrap_err().to_string();
    assert!(error.starts_with("e2e5: A Pawn cannot move"), "{error}");
    assert!(record("{}").is_err());
    assert!(record("{\"san\":\"e4\",\"comments_before\":1}").is_err());
    assert!(
        record("{\"san\":\"e4\",\"commands\":[{\"name\":\"a b\",\"argument\":\"\"}]}").is_err()
    );
    // A comment is normalized to the form that PGN can carry.
    let commented = record("{\"san\":\"e4\",\"comments\":[\"a }\\u001b[2J [%clk 1]\"]}").unwrap();
    let comment = &commented.main_line_end().annotation().comments[0];
    assert_eq!(comment.as_str(), "a ) [2J [ %clk 1]");
    let deep =
        "{\"san\":\"e4\",\"variations\":[[".repeat(40) + "{\"san\":\"d4\"}" + &"]]}".repeat(40);
    assert!(record(&deep).is_err());
    assert!(from_str::<TimeControl>("\"40/\"").is_err());
    assert!(from_str::<Tags>("[{\"name\":\"a b\",\"value\":\"\"}]").is_err());
    assert!(from_str::<Outcome>("{\"reason\":\"stalemate\",\"winner\":\"white\"}").is_err());
    assert!(from_str::<NodeId>("\"0\"").is_err());
    let bytes = postcard::to_allocvec(&e4).unwrap();
    for at in 0..bytes.len() {
        for wrong in [0, 1, 2, 0x7f, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = wrong;
            // Whatever is read can be written again.
            if let Ok(record) = postcard::from_bytes::<Record>(&bytes) {
                assert_eq!(compact(&record), record);
            }
        }
    }
}

#[test]
fn a_record_has_no_more_moves_than_one_from_a_file() {
    let mut record = Record::new(Position::start());
    let mut at = NodeId::ROOT;
    let cycle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    for san in cycle.iter().cycle().take(MAX_NODES) {
        at = record.add_san(at, san).unwrap();
    }
    assert_eq!(compact(&record), record);
    record.add_san(at, cycle[MAX_NODES % 4]).unwrap();
    let bytes = postcard::to_allocvec(&record).unwrap();
    assert!(postcard::from_bytes::<Record>(&bytes).is_err());
}
