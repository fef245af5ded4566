use tabiya_game::{Record, Timestamp, pgn};
use tabiya_play::table::Display;

use super::*;

fn record(text: &str) -> Record {
    let mut games = pgn::games(text.as_bytes());
    games.next().expect("a game").record
}

fn opened(record: Record, origin: Origin, player: &str) -> Review {
    Review::open(record, origin, player, Display::Text, Timestamp::ORIGIN)
}

/// The player's own mistakes come first: those of the person who played here, or of the side with the player's name.
#[test]
fn the_player_is_the_person_or_the_name() {
    let text = "[White \"Anna\"]\n[Black \"Bert\"]\n\n1. e4 e5 *\n";
    let player = |origin: Origin, name: &str| opened(record(text), origin, name).table().player();
    let words = |player: &str| Some(player.to_owned());
    let against_bot = ByColor::new(words("bot:3"), words("human"));
    assert_eq!(
        player(Origin::Game(against_bot.clone()), "Anna"),
        Some(Color::Black)
    );
    let name = SaveName::new("mine").expect("a name");
    assert_eq!(
        player(Origin::Save(name.clone(), against_bot), ""),
        Some(Color::Black)
    );
    // Two people, or nobody that is known.
    for players in [
        ByColor::new(words("human"), words("human")),
        ByColor::new(None, None),
        ByColor::new(None, words("bot:3")),
    ] {
        let origin = Origin::Save(name.clone(), players);
        assert_eq!(player(origin.clone(), "Bert"), Some(Color::Black));
        assert_eq!(player(origin, ""), None);
    }
    assert_eq!(player(Origin::Text, "Anna"), Some(Color::White));
    // A side without a name is not that of a player without one.
    let nameless = opened(record("1. e4 *"), Origin::Text, "");
    assert_eq!(nameless.table().player(), None);
}

/// A saved review names the players of a game that was played here, and invents none for the games of others.
#[test]
fn no_player_is_invented() {
    let players = |origin: Origin| reviewed_game(&opened(record("1. e4 e5 *"), origin, "")).players;
    let others = [Origin::Text, Origin::Database, Origin::Match(1)];
    for origin in others {
        assert_eq!(players(origin), ByColor::new(None, None));
    }
    let own = ByColor::new(Some("human".to_owned()), Some("bot:3".to_owned()));
    assert_eq!(players(Origin::Game(own.clone())), own);
}
