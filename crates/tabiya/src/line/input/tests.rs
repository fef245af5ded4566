use std::sync::mpsc::{channel, sync_channel};

use rustyline::ExternalPrinter;
use tabiya_play::contest::{End, Event, Standing};
use tabiya_play::opponents::{EngineEvent, Seat};
use tabiya_play::players::PlayerError;

use super::super::editor::{LivePrompt, Moves, Printer, Words};
use super::super::game::Effect;
use super::{Input, LONGEST, News, Source, Taken, next_line};
use crate::wording::Reply;

fn lines(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while let Taken::Line(line) = next_line(&mut bytes) {
        lines.push(line);
    }
    lines
}

#[test]
fn the_last_line_needs_no_end() {
    assert_eq!(lines(b"e2e4\r\n\nquit"), ["e2e4\r\n", "\n", "quit"]);
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    assert_eq!(lines(b"\xff\0e4\nNf3\n"), ["\u{fffd}\0e4\n", "Nf3\n"]);
}

#[test]
fn an_endless_line_is_refused_and_what_follows_is_read() {
    for length in [LONGEST, LONGEST + 1, 3 * LONGEST] {
        let mut bytes = vec![b'x'; length as usize];
        bytes.extend(b"\ne2e4\n");
        let mut input = &bytes[..];
        assert!(matches!(next_line(&mut input), Taken::TooLong), "{length}");
        assert!(matches!(next_line(&mut input), Taken::Line(line) if line == "e2e4\n"));
    }
    // The greatest length, with and without a line end.
    let whole = "x".repeat(LONGEST as usize - 1) + "\n";
    let open = "x".repeat(LONGEST as usize);
    for text in [whole, open] {
        assert_eq!(lines(text.as_bytes()), [text]);
    }
}

/// A terminal that shows nothing.
struct Dark;

impl ExternalPrinter for Dark {
    fn print(&mut self, _: String) -> rustyline::Result<()> {
        Ok(())
    }
}

#[test]
fn a_match_is_heard_of_while_a_fallen_flag_is_announced() {
    let (telling, happened) = channel();
    let (questions, _asked) = sync_channel(1);
    let mut input = Input::reading(
        happened,
        Source::Editor {
            questions,
            printer: Printer(Box::new(Dark)),
            front: LivePrompt::default(),
            moves: Moves::default(),
            asked: true,
        },
    );
    let of_match = |event| Taken::News(News::Match(Box::new(event)));
    let of_game = EngineEvent::Failed(PlayerError::Person);
    for taken in [
        of_match(Event::Score(Standing::default())),
        Taken::News(News::EngineEvent(Seat::Adviser, of_game)),
        of_match(Event::Over(End::Played)),
        Taken::Line("e4".to_owned()),
        Taken::Line("d4".to_owned()),
    ] {
        telling.send(taken).expect("somebody listens");
    }
    let fallen = Reply::refusal("flag", "A flag fell.");
    assert!(input.announce(&[Effect::Say(fallen)]));
    let mut next = || {
        let words = || Words::new(Vec::new(), None);
        input.take("> ", words, None)
    };
    assert!(matches!(next(), Taken::News(News::Match(event)) if matches!(*event, Event::Score(_))));
    assert!(matches!(next(), Taken::News(News::Match(event)) if matches!(*event, Event::Over(_))));
    assert!(matches!(next(), Taken::Line(line) if line == "d4"));
}
