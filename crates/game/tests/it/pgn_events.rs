//! The games of the PGN files of the suites, event by event.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;

use tabiya_game::pgn::{Flow, PgnError, Reader, Replay, Response, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_rules::Position;
use test_suites::{PGN_EVENTS, PGN_FILES, Suites, unescape};

/// The events of a game, as the suite writes them.
#[derive(Default)]
struct Events(Vec<String>);

impl Visitor for Events {
    type Output = Vec<String>;
    type Stop = Infallible;

    fn begin_game(&mut self, _: u64) -> ControlFlow<Infallible, Flow> {
        self.0.clear();
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let name = String::from_utf8_lossy(name);
        self.0.push(format!("[{name}={}", value.decode()));
        ControlFlow::Continue(())
    }

    fn step(&mut self, before: &Position, step: Step, _: &Position) -> Response<Infallible> {
        self.0.push(match step.played() {
            Some(m) => before.san(m).to_string(),
            None => "--".to_owned(),
        });
        ControlFlow::Continue(())
    }

    fn glyph(&mut self, glyph: u8) -> Response<Infallible> {
        self.0.push(format!("${glyph}"));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, text: Text<'_>) -> Response<Infallible> {
        let text = text.decode();
        let words: Vec<&str> = text.split_whitespace().collect();
        self.0.push(format!("{{{}}}", words.join(" ")));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        self.0.push("(".to_owned());
        ControlFlow::Continue(Flow::Read)
    }

    fn end_variation(&mut self) {
        self.0.push(")".to_owned());
    }

    fn result(&mut self, result: GameResult) {
        self.0.push(result.to_string());
    }

    fn error(&mut self, error: PgnError) {
        let kind = format!("{:?}", error.kind);
        let kind = kind.split('(').next().unwrap_or_default();
        self.0.push(format!("!{kind}@{}", error.place));
    }

    fn end_game(&mut self) -> Vec<String> {
        std::mem::take(&mut self.0)
    }
}

#[test]
fn every_game_has_its_events() {
    let suites = Suites::own();
    let mut expected: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for mut row in suites.rows(PGN_EVENTS) {
        let events = row.split_off(2).into_iter();
        let events = events.map(|event| String::from_utf8(unescape(&event)).expect("text"));
        let games = expected.entry(format!("pgn/{}", row[0])).or_default();
        games.push(events.collect());
        assert_eq!(row[1], games.len().to_string(), "{row:?}");
    }
    for suite in suites.files(PGN_FILES) {
        let (bytes, mut games) = (suite.bytes(), Vec::new());
        let (mut reader, mut events) = (Reader::new(&bytes[..]), Replay::new(Events::default()));
        while let Ok(Some(game)) = reader.read_game(&mut events) {
            games.push(game);
        }
        let expected = expected.remove(&suite.name);
        assert_eq!(Some(games), expected, "{}", suite.name);
    }
    assert!(expected.is_empty(), "not there: {:?}", expected.keys());
}
