//! The descriptions of players.

use tabiya_play::players::{Level, PlayerSpec};

use super::{about_player, offered_player};

#[test]
fn every_level_has_its_rating_and_a_line_of_its_own() {
    let bots = Level::ALL.map(|level| PlayerSpec::Bot(Some(level)));
    let mut lines: Vec<&str> = bots.iter().filter_map(about_player).collect();
    assert_eq!(lines.len(), 10);
    assert!(lines.iter().all(|line| line.len() <= 64), "{lines:?}");
    lines.dedup();
    assert_eq!(lines.len(), 10);
    assert_eq!(offered_player(&bots[2]), "Bot 3 «Casual», about 1200");
    assert_eq!(
        offered_player(&PlayerSpec::Bot(None)),
        "Bot, about 3470 (CCRL Blitz)"
    );
    assert_eq!(offered_player(&PlayerSpec::Human), "a person at this board");
    assert_eq!(about_player(&PlayerSpec::Human), None);
}
