//! Properties of generated games: no command panics, no refusal changes anything, and nothing is lost by undo
//! and redo or through a saved record.

use proptest::prelude::*;
use tabiya_game::{NewGame, TimeControl};

use fuzz_properties::session::{
    Op, game, refusals_change_nothing, saved_sessions_come_back, undo_and_redo_is_nothing,
};

fn starts() -> impl Strategy<Value = NewGame> {
    (any::<u16>(), any::<u16>(), any::<u16>(), any::<u16>())
        .prop_map(|(a, b, c, d)| game(a, b, c, d))
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    prop::collection::vec(any::<Op>(), 1..120)
}

proptest! {
    #[test]
    fn refusals_change_nothing_and_what_is_derived_stays_right(start in starts(), ops in ops()) {
        refusals_change_nothing(start, &ops);
    }

    #[test]
    fn undo_and_redo_of_everything_is_nothing(start in starts(), ops in ops()) {
        undo_and_redo_is_nothing(start, &ops);
    }

    #[test]
    fn saved_sessions_come_back_equal(start in starts(), ops in ops()) {
        saved_sessions_come_back(start, &ops);
    }

    #[test]
    fn time_controls_survive_both_texts(text in "[0-9./+dbsmh:,]{0,24}|([1-9]{1,2}/)?[0-9]{1,3}(\\.[0-9]{1,4})?[smh]?[+db][0-9]{1,2}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            assert_eq!(control.to_string().parse::<TimeControl>().unwrap(), control);
            assert_eq!(TimeControl::from_pgn(&control.pgn()).unwrap(), control);
        }
        let _ = TimeControl::from_pgn(&text);
    }
}
