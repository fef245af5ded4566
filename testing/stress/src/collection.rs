//! Games like those of a collection of master games: openings from the table with Zipf weights, then choices that most
//! games share, and from the middle of the game on each goes its own way.

use std::fmt::Write as _;
use std::io::{self, Write};

use tabiya_rules::{Move, Position, SplitMix64};

use crate::process::root;

/// The number of games in the real collection that this one resembles.
pub(crate) const GAMES: u64 = 334_427;

/// An opening: its code and its moves.
struct Line {
    eco: String,
    moves: Vec<Move>,
}

/// The share of games that are the previous one again, spelled differently.
const TWICE: f64 = 0.02;

/// Writes this many games, always the same, and returns the number of their plies.
pub(crate) fn write(count: u64, out: &mut dyn Write) -> io::Result<u64> {
    let lines = lines()?;
    let weights: Vec<f64> = cumulated((1..=lines.len()).map(|rank| 1.0 / rank as f64));
    let mut random = SplitMix64::new(GAMES);
    let mut text = String::new();
    let mut plies = 0;
    let mut last = 0;
    for number in 0..count {
        // Some games come twice, under another spelling.
        if last > 0 && fraction(&mut random) < TWICE {
            let again = text.replacen(", A\"]", ", A.\"]", 1);
            out.write_all(again.as_bytes())?;
            plies += last;
            last = 0;
            continue;
        }
        text.clear();
        let line = &lines[pick(&weights, &mut random)];
        let result = ["1-0", "1/2-1/2", "0-1"][[0, 0, 0, 1, 1, 1, 1, 2, 2, 2][random.below(10)]];
        tags(&mut text, number, count, line, result, &mut random);
        last = moves(&mut text, line, &mut random);
        plies += last;
        let _ = writeln!(text, "{result}\n");
        out.write_all(text.as_bytes())?;
    }
    Ok(plies)
}

/// Returns the openings of the table, in an order unrelated to their codes.
fn lines() -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for volume in ["a", "b", "c", "d", "e"] {
        let path = root().join(format!("crates/openings/data/{volume}.tsv"));
        for text in std::fs::read_to_string(path)?.lines() {
            let mut fields = text.split('\t');
            let (Some(eco), Some(_), Some(moves)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let mut position = Position::start();
            let mut line = Line {
                eco: eco.to_owned(),
                moves: Vec::new(),
            };
            for san in moves.split_whitespace() {
                let Ok(m) = position.parse_san(san) else {
                    break;
                };
                line.moves.push(m);
                position = position.play_unchecked(m);
            }
            lines.push((SplitMix64::new(position.key()).next_u64(), line));
        }
    }
    lines.sort_by_key(|(order, _)| *order);
    Ok(lines.into_iter().map(|(_, line)| line).collect())
}

fn cumulated(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |weight| {
        sum += weight;
        sum
    };
    weights.map(add).collect()
}

fn pick(cumulated: &[f64], random: &mut SplitMix64) -> usize {
    let whole = cumulated.last().copied().unwrap_or_default();
    let at = whole * fraction(random);
    cumulated
        .partition_point(|&sum| sum <= at)
        .min(cumulated.len() - 1)
}

fn fraction(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn tags(
    text: &mut String,
    number: u64,
    count: u64,
    line: &Line,
    result: &str,
    random: &mut SplitMix64,
) {
    // Few players have many games.
    let mut player = || (20_000.0 * fraction(random).powi(3)) as u64;
    let (white, black) = (player(), player());
    let elo = |player: u64| 2_760 - player / 30 - player % 97;
    // A year of weekly issues.
    let month = 1 + number * 12 / count.max(1);
    let day = 1 + random.below(28);
    let _ = write!(
        text,
        "[Event \"Open {}\"]\n[Site \"Town {}\"]\n[Date \"2024.{month:02}.{day:02}\"]\n[Round \"{}.{}\"]\n\
         [White \"Player{white:05}, A\"]\n[Black \"Player{black:05}, B\"]\n[Result \"{result}\"]\n\
         [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[ECO \"{}\"]\n",
        number / 180,
        number / 180 % 700,
        1 + random.below(9),
        1 + random.below(40),
        elo(white),
        elo(black),
        line.eco
    );
    if number.is_multiple_of(20) {
        let control = ["5400+30", "900+10", "180+2"][random.below(3)];
        let _ = writeln!(text, "[TimeControl \"{control}\"]");
    }
    text.push('\n');
}

/// Writes the moves of a game, and returns their number.
fn moves(text: &mut String, line: &Line, random: &mut SplitMix64) -> u64 {
    let length = 30 + random.below(103);
    let mut position = Position::start();
    let mut column = 0;
    for ply in 0..length {
        let Some(m) = line
            .moves
            .get(ply)
            .copied()
            .or_else(|| choose(&position, ply, random))
        else {
            return ply as u64;
        };
        let begun = text.len();
        if ply.is_multiple_of(2) {
            let _ = write!(text, "{}.", ply / 2 + 1);
        }
        let _ = write!(text, "{}", position.san(m));
        column += text.len() - begun + 1;
        text.push(if column > 75 { '\n' } else { ' ' });
        column = if column > 75 { 0 } else { column };
        position = position.play_unchecked(m);
    }
    length as u64
}

/// Chooses a move from a distribution that depends on the position: some positions have one good move, others several.
fn choose(position: &Position, ply: usize, random: &mut SplitMix64) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let key = position.key();
    // The probability of taking the next best move instead, which grows as the opening ends.
    let own = SplitMix64::new(key).below(100) as f64 / 100.0;
    let spread = (0.05 + 0.5 * own * own + 0.03 * ply.saturating_sub(11) as f64).min(0.9);
    let mut rank = 0;
    while rank + 1 < moves.len() && fraction(random) < spread {
        rank += 1;
    }
    let mut ranked: Vec<(u64, Move)> = moves
        .iter()
        .map(|&m| {
            (
                SplitMix64::new(key ^ u64::from(m.bits()) << 40).next_u64(),
                m,
            )
        })
        .collect();
    let (_, &mut (_, m), _) = ranked.select_nth_unstable_by_key(rank, |&(order, _)| order);
    Some(m)
}
