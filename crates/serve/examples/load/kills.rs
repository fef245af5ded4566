//! Kills the server while moves are played. After a restart, everything that a client was shown must be there, with the clocks,
//! and at most one more move, which was saved but not shown.

use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::Fault;
use crate::player::{Board, Ended, Pair};
use crate::server::{Game, Program, Server};

const GAMES: u64 = 20;
/// The longest pause before a kill, in milliseconds.
const MAX_PAUSE_MS: u64 = 250;
/// How far a clock may be from what was shown, in milliseconds: the time spent on the current move is not saved.
const CLOCK: u64 = 60_000;

pub(crate) async fn run(program: Program, count: u64) -> Result<String, Fault> {
    let mut server = Server::start(program)?;
    let mut random = SplitMix64::new(0x6b11);
    let mut games = Vec::new();
    for _ in 0..GAMES {
        games.push((server.begin("60+5")?, None));
    }
    let (mut moves, mut slowest) = (0, Duration::ZERO);
    for kill in 0..count {
        let mut playing = JoinSet::new();
        for (game, shown) in games.drain(..) {
            let pair = Pair::join(server.address, game).await?;
            check(kill, &pair, shown.as_ref())?;
            playing.spawn(play(pair, SplitMix64::new(random.next_u64())));
        }
        sleep(Duration::from_millis(random.next_u64() % MAX_PAUSE_MS)).await;
        // A game that ends before the kill met a fault, unless it is over.
        if let Some(ended) = playing.try_join_next() {
            let (_, _, made, over) = ended??;
            if !over {
                return Err(format!("a connection ended after {made} moves, before a kill").into());
            }
            moves += made;
        }
        let begun = Instant::now();
        server.kill_and_restart()?;
        slowest = slowest.max(begun.elapsed());
        while let Some(ended) = playing.join_next().await {
            let (game, shown, made, over) = ended??;
            moves += made;
            if !over {
                games.push((game, Some(shown)));
            }
        }
        while (games.len() as u64) < GAMES {
            games.push((server.begin("60+5")?, None));
        }
    }
    Ok(format!(
        "{count} kills in {moves} moves of {GAMES} games, 0 moves lost; there again after {:.0} ms at most",
        slowest.as_secs_f64() * 1e3
    ))
}

/// What the two clients of a game were shown: the longer list of moves, and the board.
struct Shown {
    moves: Vec<String>,
    board: Board,
}

/// Plays until the connection is gone or the game is over.
async fn play(mut pair: Pair, mut random: SplitMix64) -> Result<(Game, Shown, u64, bool), Fault> {
    let mut made = 0;
    loop {
        if pair.is_over() {
            break;
        }
        match pair.play(random.next_u64()).await {
            Ok(_) => made += 1,
            Err(Ended::Closed) => break,
            Err(Ended::Fault(fault)) => return Err(fault),
        }
        sleep(Duration::from_millis(random.next_u64() % 20)).await;
    }
    let over = pair.is_over();
    let longer = match pair.white.moves.len() > pair.black.moves.len() {
        true => pair.white,
        false => pair.black,
    };
    let shown = Shown {
        moves: longer.moves,
        board: longer.board,
    };
    Ok((pair.game, shown, made, over))
}

/// Whether a game is where it was shown last.
fn check(kill: u64, pair: &Pair, shown: Option<&Shown>) -> Result<(), Fault> {
    let Some(shown) = shown else { return Ok(()) };
    let found = &pair.white.moves;
    let extra = found.len().checked_sub(shown.moves.len());
    if !found.starts_with(&shown.moves) || extra.is_none_or(|extra| extra > 1) {
        let (found, shown) = (found.join(" "), shown.moves.join(" "));
        return Err(format!("kill {kill}: shown were {shown}; there are {found}").into());
    }
    let (now, then) = (&pair.white.board.clock.left_ms, &shown.board.clock.left_ms);
    for (now, then) in [(now.white, then.white), (now.black, then.black)] {
        let (Some(now), Some(then)) = (now, then) else {
            return Err(format!("kill {kill}: a clock is gone").into());
        };
        if now.abs_diff(then) > CLOCK {
            return Err(format!("kill {kill}: a clock showed {then} ms and shows {now} ms").into());
        }
    }
    Ok(())
}
