//! Endgame knowledge: how to win with the last pieces, and which material advantages are drawn.

use tabiya_rules::{Bitboard, Board, Color, Role, Square};

/// The scale of an ending like any other.
pub(super) const FULL_SCALE: i32 = 64;

/// The least score of a won ending, so that it is preferred to any advantage.
const WON: i32 = 4000;
/// Piece values in a won ending: the more is left, the better.
const LEFT: [(Role, i32); 5] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 320),
    (Role::Rook, 500),
    (Role::Queen, 900),
];
/// In a won ending, for each square that the kings are nearer to each other.
const KINGS_NEAR: i32 = 10;
/// For each step of the lone king towards the edge, where any edge will do.
const TO_THE_EDGE: i32 = 12;
/// With bishop and knight: for each step of the lone king towards a corner of the bishop's color, and towards the edge.
const TO_THE_CORNER: i32 = 30;
const TO_THE_EDGE_FIRST: i32 = 4;

/// What pieces count where it is asked whether a side has enough more of them, in pawns.
const COUNTED: [(Role, i32); 4] = [
    (Role::Knight, 3),
    (Role::Bishop, 3),
    (Role::Rook, 5),
    (Role::Queen, 9),
];
/// A side without pawns that has no more than a minor piece more hardly wins.
const MINOR: i32 = 3;
const ROOK: i32 = 5;
/// The scale of such an ending if that side has less than a rook, which is as good as drawn, and if it has more.
const MINOR_ONLY: i32 = 2;
const MINOR_MORE: i32 = 12;
/// The scale with bishops on different colors, with nothing else and with other pieces.
const BISHOPS_ONLY: i32 = 32;
const BISHOPS_AND_OTHERS: i32 = 52;
/// The scale without a pawn, and what each pawn adds: the fewer, the harder to win.
const PAWNLESS: i32 = 48;
const EACH_PAWN: i32 = 4;

/// The score of an ending whose outcome follows from the material, as White sees it.
pub(super) fn known(board: &Board) -> Option<i32> {
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
    if !of(Role::Pawn).is_empty() {
        // Pawns have to become pieces first, unless there is a piece that wins already.
        let wins = !(of(Role::Queen) | of(Role::Rook)).is_empty();
        if !wins {
            return None;
        }
    }
    let (king, victim) = (board.king(strong)?, board.king(!strong)?);
    let bishops = of(Role::Bishop);
    let both_colors = !(bishops & Bitboard::LIGHT_SQUARES).is_empty()
        && !(bishops & Bitboard::DARK_SQUARES).is_empty();
    let major = !(of(Role::Queen) | of(Role::Rook)).is_empty();
    let mates = major || both_colors || (!bishops.is_empty() && !of(Role::Knight).is_empty());
    if !mates && of(Role::Knight).count() < 3 {
        return Some(0);
    }
    let material: i32 = LEFT
        .into_iter()
        .map(|(role, value)| of(role).count() as i32 * value)
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

/// How much of an ending's score counts, in parts of [`FULL_SCALE`].
pub(super) fn scale(board: &Board, ending: i32) -> i32 {
    let strong = if ending > 0 {
        Color::White
    } else {
        Color::Black
    };
    let pawns = board.pieces(strong, Role::Pawn);
    let pieces = |color: Color| {
        COUNTED
            .into_iter()
            .map(|(role, value)| board.pieces(color, role).count() as i32 * value)
            .sum::<i32>()
    };
    if pawns.is_empty() {
        let (ours, theirs) = (pieces(strong), pieces(!strong));
        if ours - theirs <= MINOR {
            return if ours < ROOK { MINOR_ONLY } else { MINOR_MORE };
        }
    }
    if opposite_bishops(board) {
        let others =
            board.by_role(Role::Knight) | board.by_role(Role::Rook) | board.by_role(Role::Queen);
        return if others.is_empty() {
            BISHOPS_ONLY
        } else {
            BISHOPS_AND_OTHERS
        };
    }
    (PAWNLESS + EACH_PAWN * pawns.count() as i32).min(FULL_SCALE)
}

/// One bishop on each side, on squares of different colors.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.by_role(Role::Bishop);
    let one_each = Color::ALL
        .into_iter()
        .all(|color| (bishops & board.by_color(color)).single().is_some());
    one_each && (bishops & Bitboard::LIGHT_SQUARES).single().is_some()
}
