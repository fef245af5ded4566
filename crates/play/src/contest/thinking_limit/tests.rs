//! What engines are told follows from the clock.

use tabiya_game::{Command, NewGame};
use tabiya_rules::Color;

use super::*;
use crate::opponents::limits::moves_to_go;

#[test]
fn moves_to_go_count_down_in_every_period() {
    let control: TimeControl = "3/5:2/1".parse().expect("a control");
    let to_go: Vec<_> = (0..8).map(|made| moves_to_go(&control, made)).collect();
    assert_eq!(to_go, [3, 2, 1, 2, 1, 2, 1, 2].map(Some));
    let control: TimeControl = "5+3".parse().expect("a control");
    assert_eq!(moves_to_go(&control, 7), None);
    assert_eq!(moves_to_go(&TimeControl::UNLIMITED, 7), None);
}

#[test]
fn the_clocks_stand_at_their_beginning_after_the_opening() {
    for text in ["5s+0.05s", "1+1", "0+2"] {
        let control: TimeControl = text.parse().expect("a control");
        let limit = ThinkingLimit::Clock(control.clone());
        let mut session = Session::new(NewGame::default().with_clock(&control));
        let mut now = Timestamp::ORIGIN;
        session.apply(Command::Tick, now).expect("a tick");
        for text in "e4 e5 Nf3 Nc6 Bb5 a6 Ba4".split(' ') {
            now = now + limit.opening_move(&session, now);
            session.apply(Command::play(text), now).expect(text);
        }
        let go = limit.go(&session, now);
        let initial = control.initial().expect("a clock");
        for color in Color::ALL {
            let left = go.time[color].expect("a clock");
            let off = left.abs_diff(initial);
            assert!(off <= Duration::from_millis(10), "{text}: {left:?}");
        }
        assert_eq!(go.increment.white, control.stages()[0].bonus.time());
    }
}
