//! Random placements: pins, checks and en passant squares that games from a
//! start position hardly ever reach.

use crate::random::SplitMix64;

/// A board as letters, a1 first.
type Placement = [Option<char>; 64];

/// A FEN of pieces put anywhere, often with rights to castle or an en passant
/// square that may be captured on. Many are impossible positions.
pub(super) fn scatter(random: &mut SplitMix64) -> String {
    let mut board: Placement = [None; 64];
    let white_to_move = random.one_in(2);
    put(&mut board, random, 'K');
    put(&mut board, random, 'k');
    let en_passant = random
        .one_in(2)
        .then(|| passed_pawn(&mut board, random, white_to_move));
    for _ in 0..3 + random.below(20) {
        let piece = ['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q'][random.below(10)];
        put(&mut board, random, piece);
    }
    let rights = rights(&board, random);
    format!(
        "{} {} {} {} {} {}",
        placement(&board),
        if white_to_move { 'w' } else { 'b' },
        if rights.is_empty() { "-" } else { &rights },
        en_passant.clone().flatten().as_deref().unwrap_or("-"),
        if en_passant.is_some() {
            0
        } else {
            random.below(99)
        },
        1 + random.below(200)
    )
}

/// Puts a piece on some empty square; a pawn never on the back ranks.
fn put(board: &mut Placement, random: &mut SplitMix64, piece: char) {
    let square = if piece.eq_ignore_ascii_case(&'p') {
        8 + random.below(48)
    } else if piece.eq_ignore_ascii_case(&'k') && random.one_in(3) {
        // A king at home may have rights to castle.
        random.below(8) + if piece == 'k' { 56 } else { 0 }
    } else {
        random.below(64)
    };
    board[square].get_or_insert(piece);
}

/// A pawn of the side not to move that has just made two steps, with one of
/// the other side's beside it; the square between, if there was room.
fn passed_pawn(
    board: &mut Placement,
    random: &mut SplitMix64,
    white_to_move: bool,
) -> Option<String> {
    let (pawn, captor, rank, behind) = if white_to_move {
        ('p', 'P', 4, 8_isize)
    } else {
        ('P', 'p', 3, -8)
    };
    let file = random.below(8);
    let beside = if file == 0 || file < 7 && random.one_in(2) {
        file + 1
    } else {
        file - 1
    };
    let square = rank * 8 + file;
    let passed = square.checked_add_signed(behind)?;
    let from = passed.checked_add_signed(behind)?;
    if [square, rank * 8 + beside, passed, from]
        .iter()
        .any(|&square| board[square].is_some())
    {
        return None;
    }
    board[square] = Some(pawn);
    board[rank * 8 + beside] = Some(captor);
    // The squares behind stay empty only if nothing is put there later; the
    // libraries refuse the position otherwise.
    Some(square_name(passed))
}

fn square_name(square: usize) -> String {
    let (file, rank) = (square % 8, square / 8);
    format!("{}{}", char::from(b'a' + file as u8), rank + 1)
}

/// The files of rooks that could castle, at most one to each side of the king,
/// as Shredder-FEN has them.
fn rights(board: &Placement, random: &mut SplitMix64) -> String {
    let mut rights = String::new();
    for (king, rook, home) in [('K', 'R', 0), ('k', 'r', 56)] {
        let rank = &board[home..home + 8];
        let Some(king) = rank.iter().position(|&piece| piece == Some(king)) else {
            continue;
        };
        let is_rook = |file: &usize| rank[*file] == Some(rook);
        let sides = [(0..king).find(is_rook), (king + 1..8).rev().find(is_rook)];
        for file in sides.into_iter().flatten().rev() {
            if !random.one_in(3) {
                let first = if home == 0 { b'A' } else { b'a' };
                rights.push(char::from(first + file as u8));
            }
        }
    }
    rights
}

fn placement(board: &Placement) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        for piece in &board[rank * 8..rank * 8 + 8] {
            match piece {
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    text.push(*piece);
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}
