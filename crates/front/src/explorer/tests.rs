//! Filters as people type them, and which games are meant.

use tabiya_db::{Filter, Speed};
use tabiya_rules::Color;

use super::{DatabaseKind, Explorer, FilterError, GameFilter, GameSource, GameSources};

#[test]
fn a_filter_is_typed_in_words() {
    let read = |text: &str| text.parse::<GameFilter>();
    assert_eq!(read(""), Ok(GameFilter::default()));
    assert_eq!(read("all"), Ok(GameFilter::default()));
    let text = "carlsen magnus WHITE blitz rating 2400.. years 2015..2020 rapid";
    assert_eq!(
        read(text),
        Ok(GameFilter {
            text: text.to_owned(),
            facts: Filter {
                ratings: Some(2400..=u16::MAX),
                years: Some(2015..=2020),
                speeds: vec![Speed::Blitz, Speed::Rapid],
            },
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
    assert_eq!(both.kind_or_default(None), DatabaseKind::Games);
    assert_eq!(
        both.kind_or_default(Some(DatabaseKind::Own)),
        DatabaseKind::Own
    );
    assert_eq!(own.kind_or_default(None), DatabaseKind::Own);
    assert!(own.find(DatabaseKind::Games).is_err());
    assert!(GameSources::default().find(DatabaseKind::Own).is_err());
    assert!(!GameSources::default().is_any());
}

#[test]
fn what_is_refused_changes_nothing() {
    let sources = GameSources {
        folder: Some("games.db".into()),
        own: Some("Ann".to_owned()),
    };
    let mut explorer = Explorer::default();
    let mut turn = |which, filter: Option<&str>| {
        let filter = filter.map(|text| text.parse().expect("a filter"));
        let turned = explorer.turn_to(which, filter, &sources);
        let source = turned.map(|selection| selection.source().clone());
        let text = explorer.typed().to_owned();
        (source.map_err(|error| error.to_string()), text)
    };
    let folder = Ok(GameSource::Folder("games.db".into()));
    let own = Ok(GameSource::Own {
        name: "Ann".to_owned(),
    });
    let nobody = Err(FilterError::NobodysSide.to_string());
    let band = Err(FilterError::Band.to_string());
    let (games, mine) = (Some(DatabaseKind::Games), Some(DatabaseKind::Own));
    assert_eq!(turn(None, Some("rapid")), (folder.clone(), "rapid".into()));
    assert_eq!(turn(None, Some("white")), (nobody.clone(), "rapid".into()));
    assert_eq!(turn(None, Some("rating 2100..")), (band, "rapid".into()));
    // One's own side needs no name, and every game is looked at for it.
    let sided = "white rating 2100..";
    assert_eq!(turn(mine, Some(sided)), (own.clone(), sided.into()));
    // Nor does a filter go along to a database that it is not for.
    assert_eq!(turn(games, None), (nobody, sided.into()));
    assert_eq!(turn(None, None), (own, sided.into()));
    assert_eq!(turn(games, Some("all")), (folder, String::new()));
}
