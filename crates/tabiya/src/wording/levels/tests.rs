use tabiya_play::players::{Level, PlayerSpec};

use super::{about, offered};

#[test]
fn every_level_has_its_rating_and_a_line_of_its_own() {
    let bots = Level::ALL.map(|level| PlayerSpec::Bot(Some(level)));
    let mut lines: Vec<&str> = bots.iter().filter_map(about).collect();
    assert_eq!(lines.len(), 10);
    assert!(lines.iter().all(|line| line.len() <= 64), "{lines:?}");
    lines.dedup();
    assert_eq!(lines.len(), 10);
    assert_eq!(offered(&bots[2]), "Bot 3 «Casual», about 1200");
    assert_eq!(offered(&PlayerSpec::Bot(None)), "Bot, about 3650");
    assert_eq!(offered(&PlayerSpec::Human), "a person at this board");
    assert_eq!(about(&PlayerSpec::Human), None);
}
