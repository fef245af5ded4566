//! Dead positions: those in which no sequence of legal moves, however bad, leads to mate.
//!
//! The answer comes from a search for a helpmate. Finding one proves the position alive, and running out of
//! positions proves it dead; a search that stops early proves nothing and says so. It ignores repetitions and the
//! counters of the 50- and 75-move rules, because the Laws speak of any series of moves.

use core::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use tabiya_rules::{Bitboard, Color, Position, Role, Square, Status, attacks};

/// Whether mate is still possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deadness {
    /// No sequence of legal moves leads to mate.
    Dead,
    /// Some sequence of legal moves leads to mate.
    Alive,
    /// The search stopped before it found out.
    Unknown,
}

/// The default limit on the positions that [`deadness`] looks at. It takes some hundredths of a second at most, and
/// is enough for two kings behind any wall, with a minor piece or two.
pub const DEAD_SEARCH_POSITIONS: usize = 50_000;

/// Returns whether a position is dead, by a search of at most this many positions.
///
/// ```
/// use tabiya_game::{DEAD_SEARCH_POSITIONS, Deadness, deadness};
/// use tabiya_rules::Position;
///
/// let wall = Position::from_fen("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1")?;
/// assert_eq!(deadness(&wall, DEAD_SEARCH_POSITIONS), Deadness::Dead);
/// assert_eq!(deadness(&Position::start(), DEAD_SEARCH_POSITIONS), Deadness::Alive);
/// assert_eq!(deadness(&wall, 10), Deadness::Unknown);
/// # Ok::<(), tabiya_rules::ParseFenError>(())
/// ```
pub fn deadness(position: &Position, positions: usize) -> Deadness {
    match position.status() {
        Status::Checkmate { .. } => return Deadness::Alive,
        Status::Stalemate | Status::InsufficientMaterial => return Deadness::Dead,
        Status::Ongoing => {}
    }
    let sides: Vec<Color> = Color::ALL
        .into_iter()
        .filter(|&side| position.has_mating_material(side))
        .collect();
    if sides.is_empty() {
        return Deadness::Dead;
    }
    for &winner in &sides {
        match search_for_mate(position, winner, positions / sides.len()) {
            Deadness::Unknown => {}
            answer => return answer,
        }
    }
    Deadness::Unknown
}

/// Searches for a mate, trying first what brings this side closer to one. A mate by either side counts, so an
/// exhaustive search is exhaustive for both.
fn search_for_mate(start: &Position, winner: Color, max_positions: usize) -> Deadness {
    let mut seen = HashSet::from([*start]);
    let mut waiting = BinaryHeap::from([Waiting {
        promise: 0,
        position: *start,
    }]);
    while let Some(Waiting { position, .. }) = waiting.pop() {
        for played in position.legal_moves() {
            let next = position.play_unchecked(played);
            match next.status() {
                Status::Checkmate { .. } => return Deadness::Alive,
                Status::Stalemate | Status::InsufficientMaterial => continue,
                Status::Ongoing => {}
            }
            if seen.len() >= max_positions && !seen.contains(&next) {
                return Deadness::Unknown;
            }
            if seen.insert(next) {
                waiting.push(Waiting {
                    promise: promise(&next, winner),
                    position: next,
                });
            }
        }
    }
    Deadness::Dead
}

/// A position whose moves have not been searched. The most promising one comes first.
struct Waiting {
    promise: i32,
    position: Position,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.promise == other.promise
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        self.promise.cmp(&other.promise)
    }
}

/// Returns how close a side looks to giving mate: the enemy king in a corner without squares, the own king close, and
/// pieces that can mate. It only orders the search.
fn promise(position: &Position, winner: Color) -> i32 {
    let board = position.board();
    let mut promise = 0;
    for (role, value) in [
        (Role::Queen, 40),
        (Role::Rook, 25),
        (Role::Bishop, 8),
        (Role::Knight, 8),
    ] {
        // A third piece of a kind adds nothing.
        promise += value * board.pieces(winner, role).count().min(2) as i32;
    }
    for pawn in board.pieces(winner, Role::Pawn) {
        promise += 2 * pawn.rank().relative_to(winner).index() as i32;
    }
    let Some(king) = board.pieces(!winner, Role::King).first() else {
        return promise;
    };
    let mut exits = 0;
    for square in attacks::king(king) {
        let own = board
            .piece_at(square)
            .is_some_and(|piece| piece.color != winner);
        let guarded = !position.attackers(square, winner).is_empty();
        exits += i32::from(!own && !guarded);
    }
    promise -= 12 * exits;
    promise -= 6 * corner_distance(king, mating_corners(position, winner));
    if let Some(other) = board.pieces(winner, Role::King).first() {
        promise -= 3 * king.distance(other) as i32;
    }
    // The loser's own pieces block its king.
    for square in board.by_color(!winner) - board.by_role(Role::Pawn) {
        promise -= square.distance(king) as i32;
    }
    if position.turn() != winner && position.is_check() {
        promise += 10;
    }
    promise
}

/// Returns the corners in which this side can mate: all of them, unless its only pieces are bishops on one color.
fn mating_corners(position: &Position, winner: Color) -> Bitboard {
    const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];
    let corners: Bitboard = CORNERS.into_iter().collect();
    let board = position.board();
    let bishops = board.pieces(winner, Role::Bishop);
    let others = board.by_color(winner) - bishops - board.pieces(winner, Role::King);
    match (bishops.first(), others.is_empty()) {
        (Some(bishop), true) if bishop.is_light() => corners & Bitboard::LIGHT_SQUARES,
        (Some(_), true) => corners & Bitboard::DARK_SQUARES,
        _ => corners,
    }
}

/// Returns the number of steps along the edges of the board to the nearest of some corners.
fn corner_distance(square: Square, corners: Bitboard) -> i32 {
    let apart = |a: usize, b: usize| a.abs_diff(b) as i32;
    corners
        .into_iter()
        .map(|corner| {
            apart(square.file().index(), corner.file().index())
                + apart(square.rank().index(), corner.rank().index())
        })
        .min()
        .unwrap_or(0)
}
