//! What the players of a match are called, before any of them was asked.

use std::borrow::Cow;
use std::path::Path;

use tabiya_play::contest::ByEntrant;
use tabiya_play::players::{EngineSpec, PlayerSpec};

/// A name for each player; two of the same kind are told apart by their letters.
pub(crate) fn of(players: ByEntrant<&PlayerSpec>) -> ByEntrant<String> {
    let (a, b) = (name(players.a), name(players.b));
    if a == b {
        ByEntrant::new(format!("{a} A"), format!("{b} B"))
    } else {
        ByEntrant::new(a, b)
    }
}

fn name(player: &PlayerSpec) -> String {
    match player {
        PlayerSpec::Human => "Human".to_owned(),
        PlayerSpec::Bot(None) => "Tabiya".to_owned(),
        PlayerSpec::Bot(Some(level)) => format!("Tabiya level {}", level.number()),
        PlayerSpec::Uci(engine) | PlayerSpec::Named(engine) => engine_name(engine),
    }
}

/// The last part of a path is what tells programs apart; options belong to the name.
fn engine_name(engine: &EngineSpec) -> String {
    let path = Path::new(&engine.target);
    let file = path.file_name().map(|name| name.to_string_lossy());
    let mut name = file.map_or_else(|| engine.target.clone(), Cow::into_owned);
    for (at, option) in engine.options.iter().enumerate() {
        name.push_str(if at == 0 { " (" } else { ", " });
        name.push_str(&option.name);
        if let Some(value) = &option.value {
            name.push(' ');
            name.push_str(value);
        }
    }
    if !engine.options.is_empty() {
        name.push(')');
    }
    name
}

#[cfg(test)]
mod tests {
    //! Names tell players apart.

    use super::*;

    fn names(a: &str, b: &str) -> (String, String) {
        let (a, b) = (a.parse().expect("a player"), b.parse().expect("a player"));
        let names = of(ByEntrant::new(&a, &b));
        (names.a, names.b)
    }

    #[test]
    fn names_say_what_is_different() {
        let (a, b) = names("bot:3", "uci:/usr/games/stockfish?Skill Level=3&Hash=1");
        assert_eq!(a, "Tabiya level 3");
        assert_eq!(b, "stockfish (Skill Level 3, Hash 1)");
        let (a, b) = names("uci:/new/tabiya uci", "uci:/old/tabiya uci");
        assert_eq!((a.as_str(), b.as_str()), ("tabiya uci A", "tabiya uci B"));
    }
}
