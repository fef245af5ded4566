//! Filters as people type them.

use tabiya_db::Speed;
use tabiya_rules::Color;

use super::{DatabaseKind, Filter, FilterError, GameSources};

#[test]
fn a_filter_is_typed_in_words() {
    let read = |text: &str| text.parse::<Filter>();
    assert_eq!(read(""), Ok(Filter::default()));
    assert_eq!(
        read("carlsen magnus WHITE blitz rating 2400.. years 2015..2020 rapid"),
        Ok(Filter {
            ratings: Some(2400..=u16::MAX),
            years: Some(2015..=2020),
            speeds: vec![Speed::Blitz, Speed::Rapid],
            player: Some("carlsen magnus".to_owned()),
            color: Some(Color::White),
        })
    );
    assert_eq!(
        read("rating"),
        Err(FilterError::NoRange {
            word: "rating",
            example: "2000.."
        })
    );
    assert!(matches!(read("years soon"), Err(FilterError::Range { .. })));
}

#[test]
fn without_a_database_of_games_the_own_are_meant() {
    let both = GameSources {
        folder: Some("games.db".into()),
        own: Some(String::new()),
    };
    let own = GameSources {
        folder: None,
        ..both.clone()
    };
    assert_eq!(both.meant(None), DatabaseKind::Games);
    assert_eq!(both.meant(Some(DatabaseKind::Own)), DatabaseKind::Own);
    assert_eq!(own.meant(None), DatabaseKind::Own);
    assert!(own.find(DatabaseKind::Games).is_err());
    assert!(GameSources::default().find(DatabaseKind::Own).is_err());
    assert!(!GameSources::default().is_any());
}
