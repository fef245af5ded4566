//! Is a position dead: can no series of legal moves, however foolish, lead to a mate?
//!
//! The answer comes from a search for a mate in which both sides help. Finding one proves the position alive, and
//! running out of positions proves it dead; a search that is cut short proves nothing and says so. The counters of
//! the 50- and 75-move rules and repetitions are left aside, as the Laws do when they speak of any series of moves.

use core::cmp::Ordering;
use std::collections::{BinaryHeap, HashSet};

use tabiya_rules::{Bitboard, Color, Position, Role, Square, Status, attacks};

/// What is known about the rest of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deadness {
    /// No series of legal moves leads to a mate.
    Dead,
    /// Some series of legal moves does.
    Alive,
    /// The search was cut short before it knew.
    Unknown,
}

/// The number of positions that [`deadness`] may look at where nothing else is said. It takes some hundredths of a
/// second at most and is enough for two kings behind any wall, with a minor piece or two.
pub const DEAD_SEARCH_POSITIONS: usize = 50_000;

/// Whether a position is dead, decided by a search of at most this many positions.
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
        match search(position, winner, positions / sides.len()) {
            Deadness::Unknown => {}
            answer => return answer,
        }
    }
    Deadness::Unknown
}

/// Looks for a mate, trying first what brings this side nearer to one. A mate by either side counts, so a search
/// that has seen everything has seen it for both.
fn search(start: &Position, winner: Color, positions: usize) -> Deadness {
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
            if seen.len() >= positions && !seen.contains(&next) {
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

/// A position whose moves are still to be looked at. The one with the greatest promise comes first.
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

/// How near a mate by this side looks: a king in a corner with nowhere to go, the other king close, and pieces that
/// can give mate. It only orders the search; no answer rests on it.
fn promise(position: &Position, winner: Color) -> i32 {
    let board = position.board();
    let mut promise = 0;
    for (role, value) in [
        (Role::Queen, 40),
        (Role::Rook, 25),
        (Role::Bishop, 8),
        (Role::Knight, 8),
    ] {
        // A second piece of a kind adds little, and a sixth queen nothing.
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
    // The loser's own pieces stand in its king's way.
    for square in board.by_color(!winner) - board.by_role(Role::Pawn) {
        promise -= square.distance(king) as i32;
    }
    if position.turn() != winner && position.is_check() {
        promise += 10;
    }
    promise
}

/// The corners in which this side gives mate: any, unless bishops of one color are all it has.
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

/// Steps along the edges of the board to the nearest of some corners.
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
