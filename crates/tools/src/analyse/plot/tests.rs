//! The curve in text and as a picture.

use tabiya_play::analysis::Verdict;
use tabiya_rules::{Position, Score};

use super::*;

fn found(score: i32, turn: Color) -> Verdict {
    let start = Position::start();
    let position = match turn {
        Color::White => start,
        Color::Black => start.pass().expect("no check"),
    };
    Verdict::found(Score::Centipawns(score), &position, Some(9), Vec::new())
}

/// A game in which Black's second move gives everything away, as an engine judges it.
fn blunder() -> GameAnalysis {
    let mut analysis = GameAnalysis::new(found(30, Color::White));
    for (by, score) in [
        (Color::White, -30),
        (Color::Black, 30),
        (Color::White, 10),
        (Color::Black, 900),
    ] {
        analysis.push(by, None, found(score, !by));
    }
    analysis
}

#[test]
fn what_is_not_known_is_a_gap() {
    let mut analysis = GameAnalysis::new(found(900, Color::White));
    for (by, after) in [
        (Color::White, Verdict::default()),
        (Color::Black, found(900, Color::White)),
        (Color::White, found(-900, Color::Black)),
    ] {
        analysis.push(by, None, after);
    }
    let rows = text(&analysis, 80);
    assert_eq!(rows[3], " even █·██", "{rows:?}");
    // Two areas: the start, and from the second move on.
    let picture = svg(&analysis, 1, "");
    assert_eq!(picture.matches(" Z").count(), 2, "{picture}");
}

#[test]
fn the_curve_fits_and_the_picture_is_whole() {
    let analysis = blunder();
    for width in [1, 10, 80] {
        let lines = text(&analysis, width);
        assert_eq!(lines.len(), 7);
        assert!(
            lines
                .iter()
                .all(|line| line.chars().count() <= width.max(7))
        );
    }
    let picture = svg(&analysis, 1, "<Ann> & \"Bob\"");
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    assert!(picture.contains("&lt;Ann&gt; &amp; &quot;Bob&quot;"));
    assert_eq!(picture.matches("<circle").count(), 1);
    let number = |svg: &str| -> u32 {
        let (_, rest) = svg.split_once("<circle").expect("a marked move");
        let (_, rest) = rest.split_once("<title>").expect("its words");
        let (number, _) = rest.split_once(' ').expect("its number");
        number.parse().expect("a number")
    };
    // A game from a position has its own numbers.
    let later = svg(&analysis, 31, "");
    assert_eq!(number(&later), number(&picture) + 30);
}
