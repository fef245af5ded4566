//! Whatever text comes from outside, and wherever it is shown: no cell of the screen ever holds anything that acts on a
//! terminal.
//!
//! `TABIYA_STRINGS` sets how many texts are tried; a release tries a million.

use tabiya_front::matches::OpeningsFileError;
use tabiya_front::review::Origin;
use tabiya_game::pgn;
use tabiya_play::opponents::{EngineEvent, Seat};
use tabiya_play::players::PlayerError;
use tabiya_play::study::StudyReport;
use tabiya_rules::text::is_safe;
use tabiya_store::disk::{FileError, FileFault};
use tabiya_store::{SaveError, SaveKind, SaveNotice, SaveProblem};
use tabiya_uci::EngineError;

use super::*;

fn strings() -> u32 {
    let wanted = std::env::var("TABIYA_STRINGS").ok();
    wanted.map_or(3_000, |text| {
        text.parse().expect("TABIYA_STRINGS is a number")
    })
}

/// Texts that are known to do harm, or to be drawn wrongly.
const PIECES: [&str; 26] = [
    "\u{1b}[2J",
    "\u{1b}]0;x\u{7}",
    "\u{1b}]52;c;YQ==\u{7}",
    "\u{1b}c",
    "\u{1b}[?1049l",
    "\u{9b}31m",
    "\u{90}q\u{9c}",
    "\u{7}",
    "\u{8}",
    "\u{0}",
    "\u{7f}",
    "\r",
    "\n",
    "\t",
    "\u{202e}",
    "\u{2066}",
    "\u{200d}",
    "\u{feff}",
    "\u{e0041}",
    "\u{301}\u{302}\u{303}",
    "♞\u{fe0f}",
    "漢字",
    "e4",
    " ",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "99999999999999999999",
];

fn text(random: &mut SplitMix64) -> String {
    let count = 1 + random.below(8);
    let piece = |random: &mut SplitMix64| match random.below(4) {
        0 => {
            char::from_u32(random.next_u64() as u32 % 0x11_0000).map_or(String::new(), String::from)
        }
        1 => char::from(random.below(256) as u8).to_string(),
        _ => PIECES[random.below(PIECES.len())].to_owned(),
    };
    (0..count).map(|_| piece(random)).collect()
}

fn paste(app: &mut App, text: &str) {
    update(app, Input::Paste(text.to_owned()), Timestamp::ORIGIN);
}

/// A game with the text in its tags and comments, as far as a game can hold it.
fn hostile_game(text: &str) -> String {
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    let inside = text.replace('}', "");
    format!(
        "[Event \"{quoted}\"]\n[White \"{quoted}\"]\n[Black \"{quoted}\"]\n[Result \"*\"]\n\n\
         {{{inside}}} 1. e4 {{{inside}}} e5 (1... c5 {{{inside}}}) *\n"
    )
}

/// The number of places that [`show`] knows.
const PLACES: usize = 14;

/// Shows a text at one of the places.
fn show(app: &mut App, place: usize, text: &str) {
    fn message(app: &mut App, message: impl Into<Message>) {
        update(app, message, Timestamp::ORIGIN);
    }
    let sentence = text.to_owned();
    match place {
        0 => {
            paste(app, text);
        }
        1 => {
            paste(app, text);
            press(app, KeyCode::Enter);
        }
        2 => {
            write(app, ":");
            paste(app, text);
        }
        3 => {
            write(app, ":fen ");
            paste(app, text);
            press(app, KeyCode::Enter);
        }
        4 => {
            write(app, "?");
            paste(app, text);
        }
        5 => {
            write(app, "xn");
            for _ in 0..8 {
                press(app, KeyCode::Up);
                paste(app, text);
            }
            press(app, KeyCode::Enter);
        }
        6 => {
            let game = hostile_game(text);
            if let Some(game) = pgn::games(game.as_bytes()).next() {
                app.open_review(
                    game.record,
                    Origin::File {
                        path: text.into(),
                        number: 1,
                        extent: None,
                    },
                );
                write(app, "..");
            }
        }
        7 => {
            let game = hostile_game(text);
            if let Some(game) = pgn::games(game.as_bytes()).next() {
                app.open_review(game.record, Origin::Text);
                write(app, "..Y");
            }
        }
        8 => message(
            app,
            EngineMessage::Event(Seat::Adviser, EngineEvent::Failed(engine_error(sentence))),
        ),
        9 => {
            let error = FileError {
                path: "x".into(),
                fault: FileFault::Other(sentence),
            };
            message(
                app,
                Message::written(Contents::Other, Err::<crate::message::Done, _>(error)),
            );
        }
        10 => {
            let error = SaveError::File {
                path: "x".into(),
                fault: FileFault::Other(sentence),
            };
            let trouble = SaveProblem::NotSaved(SaveKind::Game, error);
            message(app, StoreMessage::Autosaved(SaveNotice::Problem(trouble)));
        }
        11 => message(
            app,
            EngineMessage::Studied(StudyReport::Ended {
                number: 1,
                how: Err(engine_error(sentence)),
            }),
        ),
        12 => {
            let error = OpeningsFileError::File(sentence, FileFault::NotPlain);
            message(app, MatchMessage::Started(Err(error.into())));
        }
        _ => {
            app.open_file(std::path::Path::new(text));
        }
    }
}

#[test]
fn no_text_from_outside_acts_on_the_terminal() {
    const SIZES: [(u16, u16); 5] = [(132, 43), (100, 30), (80, 24), (60, 18), (40, 12)];
    let mut random = SplitMix64::new(33);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 132, 43));
    for round in 0..strings() {
        let text = text(&mut random);
        let (width, height) = SIZES[random.below(SIZES.len())];
        let mut app = game(&Position::start().fen(), width, height);
        show(&mut app, round as usize % PLACES, &text);
        buffer.resize(Rect::new(0, 0, width, height));
        buffer.reset();
        draw(&app, &mut buffer);
        for cell in &buffer.content {
            let safe = cell.symbol().chars().all(is_safe);
            assert!(safe, "{text:?} in {:?}", cell.symbol());
        }
    }
}

fn engine_error(problem: String) -> PlayerError {
    let program = "x".into();
    EngineError::Start { program, problem }.into()
}
