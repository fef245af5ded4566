//! How long an engine may think: as the clocks say, or a moment without clocks.

use std::time::Duration;

use tabiya_game::{Session, TimeControl, Timestamp};
use tabiya_rules::{ByColor, Color};
use tabiya_uci::Go;

/// How long an engine thinks about a move if its side has no clock.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);

/// The time limits for an engine to move: both clocks, the increments and the moves to the next time control; one
/// second if its side has no clock.
///
/// ```
/// use tabiya_game::{Command, NewGame, Session, Timestamp};
/// use tabiya_play::opponents::limits::limits;
///
/// let mut session = Session::new(NewGame::default().with_clock(&"5+3".parse()?));
/// session.apply(Command::play("e4"), Timestamp::ORIGIN)?;
/// let go = limits(&session, Timestamp::from_millis(2000));
/// assert_eq!(go.to_string(), "go wtime 303000 btime 298000 winc 3000 binc 3000");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "go")]
#[doc(alias = "wtime")]
pub fn limits(session: &Session, now: Timestamp) -> Go {
    match session.clock(now).left[session.turn()] {
        Some(_) => by_clock(session, now),
        None => Go::new().with_move_time(WITHOUT_CLOCK),
    }
}

/// The limits of a search as above, but without one if the side to move has no clock.
pub(crate) fn by_clock(session: &Session, now: Timestamp) -> Go {
    let turn = session.turn();
    let control = |color: Color| &session.clocks()[color];
    let bonus = |color: Color| {
        let period = control(color).period_after(session.moves_made(color));
        period.map_or(Duration::ZERO, |period| period.bonus.time())
    };
    Go::new()
        .with_time(session.clock(now).left)
        .with_increment(ByColor::from_fn(bonus))
        .with_moves_to_go(moves_to_go(control(turn), session.moves_made(turn)))
}

/// How many moves remain until the next time control.
pub fn moves_to_go(control: &TimeControl, made: u32) -> Option<u32> {
    let (last, earlier) = control.stages().split_last()?;
    let mut made = made;
    for period in earlier {
        let length = period.moves?.get();
        if made < length {
            return Some(length - made);
        }
        made -= length;
    }
    let length = last.moves?.get();
    Some(length - made % length)
}

#[cfg(test)]
mod tests;
