//! Games to save, and the property that they come back equal.

use std::time::Duration;

use tabiya_game::{Command, Glyph, GoTo, NewGame, Session, Timestamp, UndoTo};
use tabiya_rules::{ByColor, Color, Position, SplitMix64};

use crate::disk::model::ModelDisk;
use crate::save_file::{self, SavedGame, Tail};
use crate::save_name::SaveName;
use crate::store::Store;

pub(super) fn name(text: &str) -> SaveName {
    SaveName::new(text).expect("a good name")
}

pub(super) fn store(disk: &ModelDisk) -> Store<ModelDisk> {
    Store::new(disk.clone(), "/data".as_ref())
}

pub(super) fn played(moves: &[&str]) -> Session {
    let mut session = Session::default();
    for text in moves {
        session
            .apply(Command::play(text), Timestamp::ORIGIN)
            .expect("a legal move");
    }
    session
}

pub(super) fn game(session: Session) -> SavedGame {
    SavedGame {
        session,
        players: ByColor::default(),
    }
}

/// Returns a game of random commands.
pub(super) fn any_game(random: &mut SplitMix64) -> SavedGame {
    let clock = ["none", "5+3", "1", "40/90+30:30d5", "2b4"][random.below(5)];
    let start = match random.below(4) {
        0 => Position::chess960(random.below(960) as u16).expect("a start"),
        _ => Position::start(),
    };
    let new = NewGame::default().with_start(start);
    let control = clock.parse().expect("a clock");
    let mut session = Session::new(new.with_clock(&control));
    let mut now = Timestamp::ORIGIN;
    for _ in 0..random.below(60) {
        now = now + Duration::from_millis(random.below(3000) as u64);
        // Refusals change nothing.
        let _ = session.apply(any_command(&session, random), now);
    }
    let players = ByColor::from_fn(|_| {
        let player = ["human", "bot", "bot:3", "uci:stockfish?Hash=64&Clear Hash"];
        player.get(random.below(5)).map(|&player| player.to_owned())
    });
    SavedGame { session, players }
}

fn any_command(session: &Session, random: &mut SplitMix64) -> Command {
    let by = if random.below(2) == 0 {
        Color::White
    } else {
        Color::Black
    };
    let node = Some(session.record().cursor().id());
    match random.below(24) {
        0 => Command::Undo(UndoTo::Plies(1 + random.below(4) as u32)),
        1 => Command::Redo(1 + random.below(3) as u32),
        2 => Command::GoTo(GoTo::Ply(random.below(20) as u32)),
        3 => {
            let text = ["good", "a \"quote\" \\ {x}", "[%clk", "é\n\nß", "]}"][random.below(5)];
            Command::Comment {
                node,
                text: text.to_owned(),
            }
        }
        4 => Command::Glyph {
            node,
            glyph: Some(Glyph(random.below(20) as u8)),
        },
        5 => Command::OfferDraw(by),
        6 => Command::AskTakeback(by),
        7 if random.below(4) == 0 => Command::Resign(by),
        8 => Command::Pause,
        9 => Command::Resume,
        10 => Command::SetTag {
            name: "White".to_owned(),
            value: Some("Müller, \"K\" \\".to_owned()),
        },
        _ => {
            let moves = session.position().legal_moves();
            match moves.get(random.below(moves.len().max(1))) {
                Some(&played) => Command::Play(tabiya_game::MoveInput::Move(played)),
                None => Command::Tick,
            }
        }
    }
}

#[test]
fn saved_and_restored_games_are_equal() {
    // A release checks more of them.
    let wanted = std::env::var("TABIYA_SAVED_GAMES").ok();
    let count = wanted.map_or(2000, |text| text.parse().expect("a number"));
    let mut random = SplitMix64::new(9);
    for number in 0..count {
        let game = any_game(&mut random);
        let text = save_file::save_text(&game, number, "");
        let copy = save_file::read(text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(copy.is_own, "{text}");
        assert_eq!(copy.number, number, "{text}");
        assert_eq!(copy.game, game, "{text}");
        let entry = save_file::journal_entry(&text);
        let twice = format!("{entry}{entry}");
        let journal = save_file::read_journal(twice.as_bytes());
        assert_eq!(journal.last, Some(text.as_bytes()));
        assert_eq!(journal.tail, Tail::Nothing);
    }
}

#[test]
fn a_save_is_pgn_that_any_program_reads() {
    let mut game = game(played(&["f3", "e5", "g4", "Qh4#"]));
    // A game of other people says nothing about who plays here.
    let text = save_file::save_text(&game, 3, "2026.11.15");
    assert!(!text.contains("Player"), "{text}");
    game.players.white = Some("human".to_owned());
    let text = save_file::save_text(&game, 3, "2026.11.15");
    for part in [
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.15\"]\n",
        "[Result \"0-1\"]\n",
        "[WhitePlayer \"human\"]\n",
        "\n1. f3 e5 2. g4 Qh4# 0-1\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}
