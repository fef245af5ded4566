//! Descriptions of the levels of the bot, for choosing one.

use tabiya_play::players::{Level, PlayerSpec};

/// The label of a player: its name, and for a level its rating.
pub(crate) fn offered(player: &PlayerSpec) -> String {
    match (player, player.name()) {
        (PlayerSpec::Bot(level), Some(name)) => {
            let level = level.unwrap_or(Level::FULL);
            format!("{name}, about {}", level.elo())
        }
        (_, Some(name)) => name,
        (_, None) => "a person at this board".to_owned(),
    }
}

/// A description of a player in one line; `None` if there is none.
pub(crate) fn about(player: &PlayerSpec) -> Option<&'static str> {
    match player {
        PlayerSpec::Bot(level) => Some(about_level(level.unwrap_or(Level::FULL))),
        PlayerSpec::Human | PlayerSpec::Uci(_) | PlayerSpec::Named(_) | PlayerSpec::Remote(_) => {
            None
        }
    }
}

fn about_level(level: Level) -> &'static str {
    match level.number() {
        1 => "Knows the rules, overlooks most moves and leaves pieces hanging.",
        2 => "Takes what it sees, and overlooks every other move.",
        3 => "Plays sensibly, and overlooks a move in three: beatable.",
        4 => "Sees short tactics, and still overlooks a move in six.",
        5 => "A club player: few oversights, so wait for small mistakes.",
        6 => "A strong club player: hangs a piece only now and then.",
        7 => "Calculates well and hardly overlooks anything.",
        8 => "Plays like a master: patience alone does not beat it.",
        9 => "Plays like a grandmaster, with nothing overlooked.",
        _ => "All the engine has, for as long as the clock allows.",
    }
}

#[cfg(test)]
mod tests;
