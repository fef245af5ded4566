//! Games are searched with the real engine.

use tabiya_game::{Record, Step, pgn};
use tabiya_rules::ByColor;

use super::noon;
use crate::item::{Item, ItemKind};
use crate::log::Change;
use crate::memory::Memory;
use crate::mine::{Control, Mined, Miner, RULES, Stopped, game_digest};
use crate::trainer::{Event, Options, Request, Trainer};

/// Réti against Tartakower, Vienna 1910: 8...Nxe4 allows a famous mate.
const MATE: &str = "[White \"Reti\"]\n[Black \"Tartakower\"]\n[Date \"1910.??.??\"]\n[Result \"1-0\"]\n\n\
    1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nf6 5. Qd3 e5 6. dxe5 Qa5+ 7. Bd2 Qxe5 8. O-O-O Nxe4 \
    9. Qd8+ Kxd8 10. Bg5+ Kc7 11. Bd8# 1-0";

/// 6...Qxg5 loses the queen, with three seconds left.
const QUEEN: &str = "[White \"Bo\"]\n[Black \"Anna\"]\n[Date \"2026.11.12\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3 Qf6 5. Bg5 Qg6 6. Nc3 Qxg5 {[%clk 0:00:03]} 7. Nxg5 d6 8. O-O 1-0";

const BLACK: ByColor<bool> = ByColor {
    white: false,
    black: true,
};

fn game(text: &str) -> Record {
    let mut games = pgn::games(text.as_bytes());
    games.next().expect("a game").record
}

fn mined(text: &str, sides: ByColor<bool>) -> Mined {
    let mined = Miner::default().mine(&game(text), "games.pgn#1", sides, &Control::new());
    mined.expect("nobody stops it")
}

fn moves(item: &Item, line: &[tabiya_rules::Move]) -> Vec<String> {
    let mut here = item.position;
    let texts = line.iter().map(|&played| {
        let text = here.san(played).to_string();
        here = here.play(played).expect("a legal move");
        text
    });
    texts.collect()
}

#[test]
fn a_mistake_and_what_it_allows() {
    let found = mined(MATE, BLACK);
    let [own] = &found.own[..] else {
        panic!("{found:?}");
    };
    assert_eq!(own.ply, Some(16));
    assert_eq!(moves(own, own.wrong.as_slice()), ["Nxe4"]);
    assert!(!own.accepts(own.wrong.expect("a move")));
    assert_eq!(own.vs.as_deref(), Some("Reti"));
    let tactic = &found.tactics[0];
    let item = &tactic.item;
    let line = moves(item, &item.line);
    assert_eq!(line[..3], ["Qd8+", "Kxd8", "Bg5+"]);
    assert!(line.len() == 5 && line[4].ends_with('#'), "{line:?}");
    assert_eq!((item.kind, item.ply), (ItemKind::Tactic, Some(17)));
    assert_eq!(item.vs, None, "it is not the player who solves it");
    let after = tactic
        .puzzle
        .before
        .play(tactic.puzzle.last)
        .expect("a move");
    assert_eq!(after, item.position);
}

#[test]
fn whose_mistakes_they_are_and_how_much_time_there_was() {
    let found = mined(QUEEN, BLACK);
    let own = found.own.first().expect("a mistake");
    assert_eq!(moves(own, own.wrong.as_slice()), ["Qxg5"]);
    assert_eq!(own.themes, ["time"]);
    assert!(own.best.len() + own.also.len() <= 4 && own.w < Some(0.9));
    assert!(found.tactics.is_empty(), "7. Bxf7+ wins as well");
    // The mistakes of others are no exercises of one's own, but what they allow is a tactic.
    let others = mined(MATE, ByColor::default());
    assert!(others.own.is_empty());
    assert_eq!(others.tactics, mined(MATE, BLACK).tactics);
    // The same game is searched the same way, and one search leaves nothing for the next.
    let mut miner = Miner::default();
    for _ in 0..2 {
        let again = miner.mine(&game(QUEEN), "games.pgn#1", BLACK, &Control::new());
        assert_eq!(again, Ok(found.clone()));
    }
}

#[test]
fn a_stored_judgment_saves_the_first_two_passes() {
    let mut text = String::new();
    let mut before = "{[%eval 0.20] [%best e2e4]} ".to_owned();
    let record = game(QUEEN);
    for node in record.main_line() {
        let parent = node.parent().expect("a move");
        let san = parent
            .position()
            .san(node.step().and_then(Step::played).expect("a move"));
        let eval = if node.ply() >= 12 { "8.00" } else { "0.20" };
        let best = node.position().legal_moves()[0];
        let best = node.position().uci(best);
        let number = parent.position().fullmove_number();
        let dots = if node.ply() % 2 == 1 { "." } else { "..." };
        text += &format!("{before}{number}{dots} {san} {{[%eval {eval}] [%best {best}]}} ");
        before.clear();
    }
    let judged = mined(&format!("{text}1-0"), BLACK);
    assert_eq!((judged.looked_at, judged.left), (1, [0, 0, 1]));
    assert_eq!(judged.own.len(), 1);
    assert_eq!(judged.own[0].position, mined(QUEEN, BLACK).own[0].position);
}

#[test]
fn it_can_be_stopped_and_a_short_game_has_nothing() {
    let control = Control::new();
    control.stop();
    let stopped = Miner::default().mine(&game(MATE), "", BLACK, &control);
    assert_eq!(stopped, Err(Stopped));
    for text in [
        "*",
        "1. f3 e5 2. g4 Qh4# 0-1",
        "1. e4 -- 2. d4 -- 3. c4 -- 4. f4 -- 5. g4 *",
    ] {
        let found = mined(text, ByColor::from_fn(|_| true));
        assert!(found.own.is_empty() && found.tactics.is_empty(), "{text}");
    }
}

#[test]
fn a_game_is_known_by_its_moves_players_and_date() {
    let digest = game_digest(&game(MATE));
    assert_eq!(digest, game_digest(&game(MATE)));
    // SHA-256 of what the documentation says, by another program.
    assert_eq!(
        format!("{:016x}", game_digest(&game("*"))),
        "bf2771b4686d5938"
    );
    assert_eq!(format!("{digest:016x}"), "ea28e8211cb8f402");
    assert_eq!(
        digest,
        game_digest(&game(&MATE.replace("8. O-O-O", "8. O-O-O {a comment}")))
    );
    for (from, to) in [
        ("Reti", "Anna"),
        ("1910", "1911"),
        ("11. Bd8#", "11. Bd8# {}"),
    ] {
        let same = from.starts_with("11");
        let other = game_digest(&game(&MATE.replace(from, to)));
        assert_eq!(other == digest, same, "{from}");
    }
    assert_ne!(digest, game_digest(&game(&MATE.replace(" 11. Bd8#", ""))));
}

/// What is found while a session goes on is asked in it, as far as the day has room.
#[test]
fn new_exercises_come_into_the_session() {
    let mut items = super::items(9);
    let mut trainer = Trainer::new(Memory::default(), 0, 1, Options::default());
    let late = items.split_off(2);
    trainer.add(items, noon(1, 0));
    trainer.handle(Request::Start, noon(1, 1));
    let entries = trainer.add_mined(7, late, noon(1, 2));
    assert_eq!(entries.len(), 8);
    let last = entries.last().map(|entry| entry.change.clone());
    let scanned = Change::Scanned {
        game: 7,
        rules: RULES,
    };
    assert_eq!(last, Some(scanned));
    assert_eq!(trainer.memory().scanned(7), Some(RULES));
    let mut asked = 1;
    loop {
        let outcomes = trainer.handle(Request::Show, noon(1, 3 + asked));
        match outcomes.events.last() {
            Some(Event::Exercise(next)) if !next.is_return => {
                asked += 1;
                assert_eq!((next.number as i64, next.of), (asked, 5));
            }
            Some(Event::Exercise(_)) => {}
            other => {
                assert!(matches!(other, Some(Event::Ended(_))), "{other:?}");
                break;
            }
        }
    }
    assert_eq!(asked, 5, "no more new ones a day");
}
