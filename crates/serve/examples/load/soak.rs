//! Games that end and begin again, and clients that come and go: does the server grow?

use std::time::{Duration, Instant};

use tabiya_rules::SplitMix64;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::Fault;
use crate::player::{Ended, Pair, Player};
use crate::server::{Program, Server};

const PERIOD: Duration = Duration::from_millis(200);
/// For so long, or for a quarter of the time, nobody waits between moves. The server starts a thread for the disk, which never
/// ends and keeps the stack that it has used, whenever more has to be saved than the others can do at once: it shall have all
/// of them, rather than start some more when the machine is busy for a moment, and seem to grow.
const WARM_UP: Duration = Duration::from_secs(20);
/// How long each pair rests between two games of that time.
const BEFORE_REMATCH: Duration = Duration::from_secs(2);
/// After this many plies somebody resigns, and both players ask for a rematch.
const LENGTH: u32 = 40;
/// After one in this many moves, a client reconnects.
const RESTLESS: u64 = 10;

pub(crate) async fn run(program: Program, count: u64, time: Duration) -> Result<String, Fault> {
    let server = Server::start(program)?;
    let end = Instant::now() + time;
    let warm = Instant::now() + WARM_UP.min(time / 4);
    let mut games = JoinSet::new();
    for at in 0..count {
        let pair = Pair::join(server.address, server.begin("60+5")?).await?;
        games.spawn(play(pair, SplitMix64::new(at), warm, end));
    }
    // The first half is the warm-up. Then the third and the fourth quarter are compared: the most memory, and the fewest open
    // files, because their number goes up and down with the clients.
    let mut quarters = [(0, usize::MAX); 4];
    let begun = Instant::now();
    while Instant::now() < end {
        sleep(Duration::from_millis(500)).await;
        let quarter = (begun.elapsed().as_secs_f64() / time.as_secs_f64() * 4.0) as usize;
        let usage = server.usage();
        if let Some((memory, files)) = quarters.get_mut(quarter) {
            *memory = usage.resident_kib.max(*memory);
            *files = usage.descriptors.min(*files);
        }
        if let Some(ended) = games.try_join_next()
            && Instant::now() < end
        {
            ended??;
        }
    }
    let (mut moves, mut played) = (0, 0);
    while let Some(ended) = games.join_next().await {
        let (of_pair, games) = ended??;
        moves += of_pair;
        played += games;
    }
    let [_, _, (third, files_before), (fourth, files)] = quarters;
    let growth = (fourth as f64 / third.max(1) as f64 - 1.0) * 100.0;
    let more_files = files.saturating_sub(files_before);
    Ok(format!(
        "{played} games, {moves} moves in {:.0} s: {growth:.2} % growth of memory in the last quarter to {} MiB, \
         {more_files} more files",
        begun.elapsed().as_secs_f64(),
        fourth / 1024
    ))
}

async fn play(
    mut pair: Pair,
    mut random: SplitMix64,
    warm: Instant,
    end: Instant,
) -> Result<(u64, u64), Ended> {
    let (mut moves, mut games) = (0, 1);
    let address = pair.address();
    while Instant::now() < end {
        if Instant::now() > warm {
            sleep(PERIOD).await;
        }
        if pair.is_over() || pair.white.board.ply >= LENGTH {
            // A server refuses more than ten rematches at once.
            if Instant::now() <= warm {
                sleep(BEFORE_REMATCH).await;
            }
            pair = pair.rematch().await?;
            games += 1;
        }
        pair.play(random.next_u64()).await?;
        moves += 1;
        if random.next_u64().is_multiple_of(RESTLESS) {
            pair.join_again().await?;
            // A third client joins for a moment.
            Player::join(address, &pair.game.id, &pair.game.black).await?;
        }
    }
    Ok((moves, games))
}
