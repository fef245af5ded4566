use tabiya_play::typed_move::candidates;
use tabiya_rules::{Position, Square};

use super::Typing;

#[test]
fn tab_goes_around_and_the_board_points() {
    let start = Position::start();
    let mut typing = Typing::default();
    typing.line.insert("N");
    typing.cycle(&start, true);
    assert_eq!(typing.line.text(), "Na3");
    typing.cycle(&start, false);
    assert_eq!(typing.line.text(), "Nh3");
    typing.cycle(&start, true);
    typing.cycle(&start, true);
    assert_eq!(typing.line.text(), "Nc3");
    assert_eq!(candidates(typing.text_to_fit(), &start).len(), 4);
    let (from, to) = Typing::default().squares(&candidates("N", &start));
    assert_eq!((from.count(), to.count()), (2, 4));
    assert!(from.contains(Square::B1) && to.contains(Square::F3));
}
