//! Games with two clients each and a move a second: how long a move takes to reach the other client.

use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval_at};

use crate::Fault;
use crate::player::{Ended, Pair};
use crate::server::{Program, Server};

const PERIOD: Duration = Duration::from_secs(1);

pub(crate) async fn run(program: Program, count: u64, time: Duration) -> Result<String, Fault> {
    let server = Server::start(program)?;
    let mut pairs = Vec::new();
    for _ in 0..count {
        pairs.push(Pair::join(server.address, server.begin("60+5")?).await?);
    }
    let before = server.usage().cpu;
    let begun = Instant::now();
    let mut games = JoinSet::new();
    for (at, pair) in pairs.into_iter().enumerate() {
        // The games do not all move at the same moment.
        let offset = PERIOD.mul_f64(at as f64 / count as f64);
        games.spawn(play(pair, SplitMix64::new(at as u64), offset, begun + time));
    }
    let mut took = Vec::new();
    while let Some(ended) = games.join_next().await {
        took.extend(ended??);
    }
    took.sort_unstable();
    let wall = begun.elapsed().as_secs_f64();
    let usage = server.usage();
    Ok(format!(
        "{count} games, {} moves in {wall:.0} s: {} (median), {} (99 %), {} (worst); {} MiB; {:.1} s of CPU time",
        took.len(),
        percentile(&took, 50),
        percentile(&took, 99),
        percentile(&took, 100),
        usage.peak_kib / 1024,
        (usage.cpu - before).as_secs_f64()
    ))
}

async fn play(
    mut pair: Pair,
    mut random: SplitMix64,
    offset: Duration,
    end: Instant,
) -> Result<Vec<Duration>, Ended> {
    let mut took = Vec::new();
    let mut ticks = interval_at(tokio::time::Instant::now() + offset, PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    while Instant::now() < end {
        ticks.tick().await;
        if pair.is_over() {
            pair = pair.rematch().await?;
        }
        took.push(pair.play(random.next_u64()).await?);
    }
    Ok(took)
}

/// A percentile of sorted times.
pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> String {
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    let time = sorted.get(at).copied().unwrap_or_default();
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}
