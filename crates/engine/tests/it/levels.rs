//! Levels against players that are simple enough to know how strong they are.

use tabiya_engine::{AlphaBeta, Control, Level, Request, Searcher};
use tabiya_rules::MoveHistory;
use tabiya_rules::{Color, Status};
use test_suites::players::{Player, choose, material};

/// What became of the games of a level.
#[derive(Debug, Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Tally {
    /// How many of a hundred games were won, or lost.
    fn percent(&self, count: u32) -> u32 {
        count * 100 / (self.won + self.drawn + self.lost)
    }
}

/// Who won a game between a level and another player. A long one is decided by a queen's worth of material, for neither
/// of these opponents knows how to mate.
fn winner(level: Level, color: Color, opponent: Player, seed: u64) -> Option<Color> {
    let mut searcher = AlphaBeta::default();
    let mut played = MoveHistory::default();
    loop {
        let position = *played.current();
        match position.status() {
            Status::Checkmate { winner } => return Some(winner),
            Status::Ongoing if position.halfmove_clock() >= 100 || played.moves().len() > 300 => {
                return match material(&position) {
                    9.. => Some(position.turn()),
                    ..=-9 => Some(!position.turn()),
                    _ => None,
                };
            }
            Status::Ongoing => {}
            _ => return None,
        }
        let request = Request::new(played.clone())
            .with_level(level)
            .with_seed(seed);
        let m = if position.turn() == color {
            let answer = searcher.search(&request, &Control::new(), &mut |_| {});
            answer.best
        } else {
            choose(opponent, &request.game, &request.moves, seed)
        };
        played.push(m.expect("there are moves")).expect("legal");
    }
}

/// The games of a level against a player, with both colors; many of them for a release.
fn play(level: u8, opponent: Player) -> Tally {
    let count = std::env::var("TABIYA_RELEASE").map_or(40, |_| 200);
    let level = Level::new(level).expect("from 1 to 10");
    let mut tally = Tally::default();
    for seed in 0..count {
        let color = Color::ALL[seed as usize % 2];
        match winner(level, color, opponent, seed) {
            Some(winner) if winner == color => tally.won += 1,
            Some(_) => tally.lost += 1,
            None => tally.drawn += 1,
        }
    }
    println!("level {} against {opponent:?}: {tally:?}", level.number());
    tally
}

#[test]
fn the_first_level_loses_to_somebody_careful() {
    let tally = play(1, Player::Careful);
    assert!(tally.percent(tally.lost) >= 90, "{tally:?}");
}

#[test]
fn the_first_level_is_no_random_mover() {
    let tally = play(1, Player::Random);
    assert!(tally.percent(tally.won) >= 90, "{tally:?}");
}

#[test]
fn the_sixth_level_beats_somebody_careful() {
    let tally = play(6, Player::Careful);
    assert!(tally.percent(tally.won) >= 80, "{tally:?}");
}
