//! Many idle watchers of one game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::Fault;
use crate::games::percentile;
use crate::player::{Pair, Player};
use crate::server::{Program, Server};

/// How many join at the same time.
const AT_ONCE: usize = 50;
/// How often there is something to see.
const PERIOD: Duration = Duration::from_secs(5);

pub(crate) async fn run(program: Program, count: u64, time: Duration) -> Result<String, Fault> {
    let server = Server::start(program)?;
    let address = server.address;
    let mut pair = Pair::join(address, server.begin("unlimited")?).await?;
    let plies = (time.as_secs() / PERIOD.as_secs()).max(1) as usize;
    let (told, _) = tokio::sync::watch::channel((0, Instant::now()));
    let joined = Arc::new(Semaphore::new(0));
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut watchers = JoinSet::new();
    for _ in 0..count {
        let game = pair.game.clone();
        let (told, joined, places) = (told.subscribe(), Arc::clone(&joined), Arc::clone(&places));
        watchers.spawn(async move {
            let place = places.acquire_owned().await?;
            let mut watcher = Player::join(address, &game.id, &game.watch).await?;
            drop(place);
            joined.add_permits(1);
            let mut latest = Duration::ZERO;
            for ply in 1..=plies {
                // Reading also answers pings.
                while (watcher.board.ply as usize) < ply {
                    watcher.hear().await?;
                }
                let (of, sent) = *told.borrow();
                if of == ply {
                    latest = latest.max(sent.elapsed());
                }
            }
            Ok::<_, Fault>(latest)
        });
    }
    let permits = u32::try_from(count)?;
    tokio::select! {
        all = joined.acquire_many(permits) => drop(all?),
        // A client that ends before all have joined could not join.
        ended = watchers.join_next() => {
            ended.transpose()?.transpose()?;
            return Err("a watcher has seen everything before anything happened".into());
        }
    }
    let idle = server.usage();
    let mut random = SplitMix64::new(1);
    for ply in 1..=plies {
        tokio::time::sleep(PERIOD).await;
        told.send_replace((ply, Instant::now()));
        pair.play(random.next_u64()).await?;
    }
    let mut took = Vec::new();
    while let Some(ended) = watchers.join_next().await {
        took.push(ended??);
    }
    took.sort_unstable();
    let usage = server.usage();
    Ok(format!(
        "{count} watchers saw all of {plies} moves, the slowest after {}; {} MiB, {} MiB at rest",
        percentile(&took, 100),
        usage.peak_kib / 1024,
        idle.resident_kib / 1024
    ))
}
