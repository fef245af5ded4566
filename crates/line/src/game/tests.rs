use std::time::Duration;

use tabiya_front::commands::COMMANDS;
use tabiya_front::json::{self, events};
use tabiya_front::matches::{self, Report};
use tabiya_game::{NewGame, Session, Timestamp, pgn};
use tabiya_play::contest::{End, Event};
use tabiya_play::engines::KnownEngines;
use tabiya_play::opponents::{EngineEvent, EngineOrder, Opponents, Seat};
use tabiya_play::players::{Level, PlayerSpec};
use tabiya_rules::{ByColor, Color, SplitMix64};
use tabiya_store::SavedGame;
use tabiya_uci::BestMove;

use super::{LineEffect, LineGame, LineSaveEffect, Prompt, Reply};

const ARGUMENTS: &[&str] = &[
    "",
    "",
    "",
    "1",
    "2",
    "7",
    "99999999999",
    "x",
    "white",
    "black",
    "draw",
    "takeback",
    "e4",
    "Nf3",
    "start",
    "end",
    "3b",
    "board off",
    "board on",
    "draws auto",
    "draws claim",
    "pieces figures",
    "960",
    "960 77",
    "1s",
    "5+3",
    "n",
    "e",
    "4",
    "startpos",
    "4k3/8/8/8/8/8/8/R3K3 w - - 99 90",
    "k6Q/8/K7/8/8/8/8/8 b - - 0 1",
    "fen 8/8",
    "\u{1b}[0m",
    "♞",
];

const LINES: &[&str] = &[
    "", "1", "2", "3", "e2e4", "O-O", "e7e8q", "--", "\0", "zzz", "Nf3 Nf6", "\u{202e}",
];

fn some_line(game: &LineGame, random: &mut SplitMix64) -> String {
    let mut any = |from: &[&str]| from[random.below(from.len())].to_owned();
    match any(&["move", "move", "move", "command", "line"]).as_str() {
        "move" => {
            let position = game.position();
            let moves = position.legal_moves();
            let chosen = moves.get(random.below(moves.len().max(1)));
            match (chosen, random.below(2)) {
                (None, _) => String::new(),
                (Some(&played), 0) => position.san(played).to_string(),
                (Some(&played), _) => position.uci(played).to_string(),
            }
        }
        "command" => {
            let names: Vec<&str> = COMMANDS.iter().map(|entry| entry.name).collect();
            format!("{} {}", any(&names), any(ARGUMENTS))
        }
        _ => any(LINES),
    }
}

fn check(reply: &Reply) {
    assert!(
        reply.lines().iter().all(|line| !line.contains('\n')),
        "{reply:?}"
    );
    let printed = json::line(&events::event(reply));
    let json: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
    assert!(json["event"].is_string(), "{reply:?}");
}

/// Whatever is typed, in whatever order and however late: nothing panics, there is always a game to continue, and every
/// reply can be printed in either form.
#[test]
fn any_lines_can_be_typed() {
    let mut random = SplitMix64::new(20);
    for _ in 0..60 {
        let mut game = LineGame::new(SplitMix64::new(random.next_u64()), Opponents::default());
        let mut time = Duration::ZERO;
        game.begin(NewGame::default(), Timestamp::ORIGIN);
        for _ in 0..300 {
            let line = some_line(&game, &mut random);
            time += Duration::from_millis(random.next_u64() % 400);
            let now = Timestamp::after_origin(time);
            for effect in game.submit(&line, now) {
                if let LineEffect::Say(reply) = effect {
                    check(&reply);
                }
            }
            if !game.is_review() {
                assert_eq!(game.table().session().outcome(), None, "after {line:?}");
            }
            // Otherwise an engine was asked for advice, or to play.
            let Some(Prompt {
                text, menu, turn, ..
            }) = game.prompt(now)
            else {
                continue;
            };
            match menu {
                Some(lines) => assert!(lines[0].starts_with('[')),
                None => assert!(
                    text.ends_with("'s turn. Enter move: ") || text.starts_with("Reviewing, ")
                ),
            }
            let printed = json::line(&turn);
            serde_json::from_str::<serde_json::Value>(&printed).expect("JSON");
        }
    }
}

/// A running match is neither stopped by another nor mixed up with it.
#[test]
fn one_match_goes_on_at_a_time() {
    let mut game = LineGame::new(SplitMix64::new(0), Opponents::default());
    game.begin(NewGame::default(), Timestamp::ORIGIN);
    let line = "match bot:1 bot:2 2 nodes 40";
    let begin = |game: &mut LineGame| match &game.submit(line, Timestamp::ORIGIN)[..] {
        [LineEffect::Match(order)] => Ok(order.clone()),
        [LineEffect::Say(reply)] => Err(reply.lines().join("\n")),
        other => panic!("{other:?}"),
    };
    let order = begin(&mut game).expect("nothing goes on");
    let plan = matches::plan(*order, &KnownEngines::default()).expect("bots");
    game.match_started(Ok(Report::new(&plan)));
    let refused = begin(&mut game).expect_err("one goes on");
    assert!(
        refused.starts_with("A match is in progress.") && refused.contains("quit"),
        "{refused}"
    );
    game.match_event(Event::Over(End::Stopped));
    begin(&mut game).expect("it is over");
}

/// What is refused leaves the game as it was.
#[test]
fn refusals_change_nothing() {
    let mut random = SplitMix64::new(21);
    let mut game = LineGame::new(SplitMix64::new(0), Opponents::default());
    game.begin(NewGame::default(), Timestamp::ORIGIN);
    let mut refused = 0;
    for _ in 0..5_000 {
        let line = some_line(&game, &mut random);
        let (before, look) = (game.table().session().clone(), game.display);
        let is_menu_open = game.is_menu_open;
        let effects = game.submit(&line, Timestamp::ORIGIN);
        let refusal =
            |effect: &LineEffect| matches!(effect, LineEffect::Say(Reply::Refused { .. }));
        if effects.iter().any(refusal) {
            refused += 1;
            // A suggestion may be printed too.
            let said = |effect: &LineEffect| matches!(effect, LineEffect::Say(_));
            assert!(effects.iter().all(said), "{line:?}: {effects:?}");
            assert_eq!(
                (game.table().session(), game.display, game.is_menu_open),
                (&before, look, is_menu_open),
                "{line:?}"
            );
        }
    }
    assert!(refused > 500, "{refused} of 5000 were refused");
}

/// Nobody has just typed a premove, so it is said when it is played. Both moves are saved once, before that.
#[test]
fn a_premove_is_said_when_it_is_played() {
    let now = Timestamp::ORIGIN;
    let players = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(Level::new(1)));
    let mut game = LineGame::new(SplitMix64::new(0), Opponents::new(players));
    game.begin(NewGame::default(), now);
    game.set_saves_changes(true);
    let asked = game.submit("e4", now);
    let number = asked.iter().find_map(|effect| match effect {
        LineEffect::Order(EngineOrder::Think(search)) => Some(search.number),
        _ => None,
    });
    game.submit("premove d4", now);
    let best = game.position().parse_san("e5").ok();
    let reply = BestMove { best, ponder: None };
    let told = EngineEvent::Move(number.expect("a search"), reply);
    let effects = game.handle_engine_event(Seat::Side(Color::Black), told, now);
    let said: Vec<String> = effects
        .iter()
        .filter_map(|effect| match effect {
            LineEffect::Say(reply) => Some(reply.lines()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(said, ["Black plays e5.", "White plays d4."]);
    let is_save =
        |effect: &LineEffect| matches!(effect, LineEffect::Save(LineSaveEffect::Autosave(_)));
    assert!(is_save(&effects[0]), "{effects:?}");
    assert_eq!(effects.iter().filter(|effect| is_save(effect)).count(), 1);
}

/// A person decides for the own side only.
#[test]
fn nobody_resigns_or_offers_for_a_bot() {
    let now = Timestamp::ORIGIN;
    let players = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(Level::new(1)));
    let mut game = LineGame::new(SplitMix64::new(0), Opponents::new(players));
    game.begin(NewGame::default(), now);
    for line in ["resign black", "offer black", "takeback black"] {
        let effects = game.submit(line, now);
        let [LineEffect::Say(Reply::Refused { code, lines })] = &effects[..] else {
            panic!("{line}: {effects:?}");
        };
        assert_eq!(*code, "engines_decision", "{line}");
        assert_eq!(
            lines[..],
            ["Bot 1 «Newcomer» plays Black and decides that itself."]
        );
    }
}

/// The bot that fits follows the games of the line mode too.
#[test]
fn the_level_that_fits_follows_how_games_end() {
    let now = Timestamp::ORIGIN;
    let players = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(Level::new(4)));
    let mut game = LineGame::new(SplitMix64::new(0), Opponents::new(players));
    game.level = Level::new(4);
    game.begin(NewGame::default(), now);
    game.submit("e4", now);
    let effects = game.submit("resign", now);
    let remembered = effects.iter().find_map(|effect| match effect {
        LineEffect::StoreLevel(level) => Some(level.number()),
        _ => None,
    });
    assert_eq!(remembered, Some(3));
}

/// A user who agrees to lose an unsaved game loses it only if the command is carried out, and is not told that all of it is
/// saved.
#[test]
fn an_unsaved_game_stays_unsaved_until_another_begins() {
    let mut game = LineGame::new(SplitMix64::new(0), Opponents::default());
    game.begin(NewGame::default(), Timestamp::ORIGIN);
    game.is_interactive = true;
    let mut type_line = |line: &str| {
        let effects = game.submit(line, Timestamp::ORIGIN);
        (effects, game.desk.has_unsaved_game())
    };
    assert!(type_line("e4").1);
    for line in ["fen 8/8/8/8/8/8/8/8 w - - 0 1", "yes"] {
        let (effects, is_unsaved) = type_line(line);
        assert!(is_unsaved, "after {line}: {effects:?}");
    }
    assert!(type_line("new").1);
    let (effects, is_unsaved) = type_line("yes");
    let released = effects.iter().find_map(|effect| match effect {
        LineEffect::Save(LineSaveEffect::Release { is_whole }) => Some(*is_whole),
        _ => None,
    });
    assert_eq!((released, is_unsaved), (Some(false), false), "{effects:?}");
}

/// The player's own mistakes come first, although an engine plays the other side of the board.
#[test]
fn a_resumed_game_that_is_over_is_tried_again() {
    let text = "{[%eval 0.3]} 1. f3 {[%eval -0.9]} e5 {[%eval -0.9]} 2. g4 {[%eval #-1]} h6 {[%eval -1.0]} \
                3. h3 {[%eval #-1]} Qh4# 0-1";
    let record = pgn::games(text.as_bytes()).next().expect("a game").record;
    let saved = SavedGame {
        session: Session::restore(record),
        players: ByColor::new(Some("bot:1".to_owned()), Some("human".to_owned())),
    };
    for lines in [&["retry"][..], &["study", "retry"]] {
        let mut game = LineGame::new(SplitMix64::new(1), Opponents::default());
        game.resume_game(&saved, Timestamp::ORIGIN);
        let effects = lines
            .iter()
            .flat_map(|line| game.submit(line, Timestamp::ORIGIN));
        let said = format!("{:?}", effects.collect::<Vec<_>>());
        assert!(said.contains("Black played h6 here."), "{lines:?}: {said}");
        let back = format!("{:?}", game.submit("back", Timestamp::ORIGIN));
        assert!(back.contains("Back in your game."), "{back}");
    }
}
