use tabiya_game::{Arrow, MarkColor, SquareMark};
use tabiya_rules::{Bitboard, Color, Position, Square};

use super::Picture;

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn every_piece_and_square_is_drawn_where_it_is() {
    let position = Position::start();
    let svg = Picture::of(position.board()).svg();
    assert_eq!(count(&svg, "<g transform"), 32);
    assert_eq!(count(&svg, "<rect"), 65);
    assert_eq!(count(&svg, "<text"), 16);
    // White's king on e1, the fifth column of the last row.
    assert!(svg.contains("translate(440 740)"), "{svg}");
    let turned = Picture {
        bottom: Color::Black,
        ..Picture::of(position.board())
    };
    assert!(turned.svg().contains("translate(340 40)"));
}

#[test]
fn marks_and_the_last_move_are_seen() {
    let position = Position::start();
    let svg = Picture {
        last: Bitboard::of(Square::E2) | Square::E4,
        squares: &[SquareMark {
            color: MarkColor::Red,
            square: Square::D5,
        }],
        arrows: &[Arrow {
            color: MarkColor::Green,
            from: Square::G1,
            to: Square::F3,
        }],
        ..Picture::of(position.board())
    }
    .svg();
    assert_eq!(count(&svg, "#d3c36a") + count(&svg, "#b39b3f"), 2);
    assert_eq!(count(&svg, "<circle"), 1);
    assert_eq!(count(&svg, "<line"), 1);
    assert!(!svg.contains("NaN"));
}
