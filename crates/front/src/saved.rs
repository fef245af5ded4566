//! The players of saves, which a save stores as text, as both fronts use them.

use tabiya_game::{Record, Session};
use tabiya_play::engines::KnownEngines;
use tabiya_play::opponents::UntrustedEngine;
use tabiya_play::players::PlayerSpec;
use tabiya_rules::{ByColor, Color};
use tabiya_store::{Autosaver, SaveName, SavedGame, Summary};

/// The players of a game as a save names them; `None` where nobody of this program plays.
pub type SavedPlayers = ByColor<Option<String>>;

/// The players of a game, to be saved.
pub fn written(players: &ByColor<Option<PlayerSpec>>) -> SavedPlayers {
    ByColor::from_fn(|color| {
        let player = match players[color].as_ref()? {
            PlayerSpec::Human | PlayerSpec::Remote(_) => &PlayerSpec::Human,
            player @ (PlayerSpec::Bot(_) | PlayerSpec::Uci(_) | PlayerSpec::Named(_)) => player,
        };
        Some(player.to_string())
    })
}

/// A game with its players, to be saved.
pub fn game(session: Session, players: &ByColor<Option<PlayerSpec>>) -> Box<SavedGame> {
    let players = written(players);
    Box::new(SavedGame { session, players })
}

/// The side of the only person who played here, against an engine.
pub fn person(saved: &SavedPlayers) -> Option<Color> {
    let seated = players(saved);
    let is_it = |color: &Color| {
        saved[*color].is_some()
            && seated[*color] == PlayerSpec::Human
            && seated[!*color].is_engine()
    };
    Color::ALL.into_iter().find(is_it)
}

/// The players that a save names. It is a file like any other, and does not choose what is started.
pub fn named(saved: &SavedPlayers) -> ByColor<Option<PlayerSpec>> {
    ByColor::from_fn(|color| saved[color].as_deref().map(PlayerSpec::from_file))
}

/// The players of a saved game: a person where it names nobody.
pub fn players(saved: &SavedPlayers) -> ByColor<PlayerSpec> {
    named(saved).map(Option::unwrap_or_default)
}

/// Who played a game.
#[derive(Debug)]
pub(crate) struct Seats {
    players: SavedPlayers,
    names: ByColor<Option<String>>,
}

impl Seats {
    pub(crate) fn of(about: &Summary) -> Seats {
        Seats {
            players: about.players.clone(),
            names: about.names.clone(),
        }
    }

    /// Those of a saved game.
    pub(crate) fn of_game(game: &SavedGame) -> Seats {
        Seats {
            players: game.players.clone(),
            ..Seats::elsewhere(game.session.record())
        }
    }

    /// Those of a game that was played elsewhere.
    pub(crate) fn elsewhere(record: &Record) -> Seats {
        let tags = record.tags();
        Seats {
            players: SavedPlayers::default(),
            names: ByColor::from_fn(|color: Color| tags.get(color.name()).map(str::to_owned)),
        }
    }

    /// The sides of the player with these names: both, if two people without names sat at this board.
    pub(crate) fn sides_of(&self, names: &[String]) -> ByColor<bool> {
        let has_one = |color| names.iter().any(|name| self.is_player(color, name));
        let own = ByColor::from_fn(|color| self.is_player(color, "") || has_one(color));
        match own.white || own.black {
            true => own,
            false => ByColor::from_fn(|_| self.has_player("")),
        }
    }

    /// Whether the player sat at a side: a person against an engine, someone with the player's name, or two people
    /// without names at this board.
    pub(crate) fn has_player(&self, player: &str) -> bool {
        let is_nameless =
            |color: Color| self.players[color].is_some() && self.names[color].is_none();
        let seated = players(&self.players);
        let are_people = Color::ALL.iter().all(|&color| !seated[color].is_engine());
        are_people && Color::ALL.into_iter().all(is_nameless)
            || Color::ALL
                .into_iter()
                .any(|color| self.is_player(color, player))
    }

    /// Whether the player has this side, by the engine on the other side or by name.
    pub(crate) fn is_player(&self, color: Color, player: &str) -> bool {
        let is_engine = players(&self.players)[color].is_engine();
        let is_named = |name: &String| name.to_lowercase() == player.to_lowercase();
        let has_name = !player.is_empty() && self.names[color].as_ref().is_some_and(is_named);
        person(&self.players) == Some(color) || !is_engine && has_name
    }
}

/// The engine that only the save names, if there is one. A save that cannot be read has none.
pub fn untrusted_engine(
    autosaver: &Autosaver,
    name: &SaveName,
    engines: &KnownEngines,
) -> Option<UntrustedEngine> {
    let summary = autosaver.peek(name)?.ok()?;
    UntrustedEngine::among(&players(&summary.players), engines)
}

/// The names of a save's players in a list: those in the game, or else those of the seated players.
pub fn names(summary: &Summary) -> ByColor<String> {
    let seated = players(&summary.players);
    ByColor::from_fn(|color| {
        let named = summary.names[color].clone();
        named
            .or_else(|| seated[color].name())
            .unwrap_or_else(|| PlayerSpec::Human.to_string())
    })
}

/// Like [`names`], for a screen, where two people without names are called White and Black, as on the board.
pub fn shown_names(summary: &Summary) -> ByColor<String> {
    let seated = players(&summary.players);
    let is_for_two = seated == ByColor::default();
    let mut names = names(summary);
    for color in Color::ALL {
        if is_for_two && summary.names[color].is_none() {
            names[color] = color.name().to_owned();
        }
    }
    names
}
