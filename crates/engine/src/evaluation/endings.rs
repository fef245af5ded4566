//! Endgame knowledge: how to win against a lone king, and with which pieces nobody can.

use tabiya_rules::{Bitboard, Board, Color, PIECE_VALUES, Role, Square};

/// The least score of a won ending, so that it is preferred to any advantage.
const WON: i32 = 4000;
/// In a won ending, for each square that the kings are nearer to each other.
const KINGS_NEAR: i32 = 10;
/// For each step of the lone king towards the edge, where any edge will do.
const TO_THE_EDGE: i32 = 12;
/// With bishop and knight: for each step of the lone king towards a corner of the bishop's color, and towards the edge.
const TO_THE_CORNER: i32 = 30;
const TO_THE_EDGE_FIRST: i32 = 4;

/// The score of an ending whose outcome follows from the material, as White sees it.
pub(super) fn known_score(board: &Board) -> Option<i32> {
    let kings = board.by_role(Role::King);
    for strong in Color::ALL {
        let bare = board.by_color(!strong) - kings;
        if bare.is_empty() && !(board.by_color(strong) - kings).is_empty() {
            let score = against_bare_king(board, strong)?;
            return Some(if strong.is_white() { score } else { -score });
        }
    }
    None
}

/// Driving a lone king to the edge, or to the corner that a bishop needs.
fn against_bare_king(board: &Board, strong: Color) -> Option<i32> {
    let of = |role| board.pieces(strong, role);
    let major = !(of(Role::Queen) | of(Role::Rook)).is_empty();
    // Pawns have to become pieces first, unless there is a piece that wins already.
    if !of(Role::Pawn).is_empty() && !major {
        return None;
    }
    let (king, victim) = (board.king(strong)?, board.king(!strong)?);
    let bishops = of(Role::Bishop);
    let both_colors = !(bishops & Bitboard::LIGHT_SQUARES).is_empty()
        && !(bishops & Bitboard::DARK_SQUARES).is_empty();
    let mates = major || both_colors || (!bishops.is_empty() && !of(Role::Knight).is_empty());
    if !mates && of(Role::Knight).count() < 3 {
        return Some(0);
    }
    // The more is left, the better.
    let material: i32 = Role::ALL
        .into_iter()
        .filter(|&role| role != Role::King)
        .map(|role| of(role).count() as i32 * PIECE_VALUES[role])
        .sum();
    let near = (7 - king.distance(victim) as i32) * KINGS_NEAR;
    let driven = if major || both_colors {
        edge(victim) * TO_THE_EDGE
    } else {
        corner(victim, bishops) * TO_THE_CORNER + edge(victim) * TO_THE_EDGE_FIRST
            - far_pieces(board, strong, victim)
    };
    Some(WON + material + driven + near)
}

/// How far the knights and bishops are from a king, all together.
fn far_pieces(board: &Board, color: Color, king: Square) -> i32 {
    let pieces = board.pieces(color, Role::Knight) | board.pieces(color, Role::Bishop);
    pieces
        .into_iter()
        .map(|square| square.distance(king) as i32)
        .sum()
}

/// How near the edge: 0 in the middle, 6 in a corner.
fn edge(square: Square) -> i32 {
    let from_middle = |index: usize| (index as i32 * 2 - 7).abs() / 2;
    from_middle(square.file() as usize) + from_middle(square.rank() as usize)
}

/// How near a corner of the bishop's color: 7 in it, 0 on the diagonal between the others.
fn corner(square: Square, bishops: Bitboard) -> i32 {
    let (file, rank) = (square.file() as i32, square.rank() as i32);
    let light = !(bishops & Bitboard::LIGHT_SQUARES).is_empty();
    // The light corners are a8 and h1.
    let file = if light { 7 - file } else { file };
    (file + rank - 7).abs()
}
