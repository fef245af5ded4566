//! The shapes of the tokens of movetext, without knowledge of any position.

use super::pasted::{self, Spelled};
use super::text::Text;
use crate::outcome::GameResult;
use crate::record::Step;

/// Signs that people write instead of a numeric glyph, longer ones before their prefixes.
const SIGNS: [(&[u8], u8); 10] = [
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+/=", 14),
    (b"=/+", 15),
    (b"+-", 18),
    (b"-+", 19),
    (b"+=", 14),
    (b"=+", 15),
    (b"=", 10),
    (b"~", 13),
];

/// Returns whether a token is one of the [spellings of a null move](Step::NULL_SPELLINGS).
pub fn is_null_move(token: &[u8]) -> bool {
    Step::NULL_SPELLINGS
        .iter()
        .any(|spelling| spelling.as_bytes() == token)
}

/// Returns the result at the beginning of a text, and its length: `1-0`, `1:0`, `1 - 0`, `1/2`, `*` and the like.
pub(super) fn result(text: &[u8]) -> Option<(GameResult, usize)> {
    if let [b'*', rest @ ..] = text {
        // A line of stars is an ornament.
        return (rest.first() != Some(&b'*')).then_some((GameResult::Unknown, 1));
    }
    let (white, first) = points(text)?;
    let sides = dash(&text[first..]).and_then(|(length, is_plain)| {
        let (black, second) = points(&text[first + length..])?;
        let length = first + length + second;
        let result = match (white, black) {
            (Points::One, Points::Zero) => GameResult::WhiteWins,
            (Points::Zero, Points::One) => GameResult::BlackWins,
            (Points::Half, Points::Half) => GameResult::Draw,
            _ => return None,
        };
        let goes_on =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'/' | b':');
        (is_plain || !text.get(length).is_some_and(goes_on)).then_some((result, length))
    });
    let half = || (white == Points::Half).then_some((GameResult::Draw, first));
    sides.or_else(half)
}

/// Returns the result that a `Result` tag states, as people write it: `1/2`, `½-½` and `1:0` as well as the four of
/// the standard.
///
/// ```
/// use tabiya_game::GameResult;
/// use tabiya_game::pgn::{self, Text};
///
/// assert_eq!(pgn::parse_result(Text::quoted(b"0-1")), Some(GameResult::BlackWins));
/// assert_eq!(pgn::parse_result(Text::quoted("½–½".as_bytes())), Some(GameResult::Draw));
/// assert_eq!(pgn::parse_result(Text::quoted(b"adjourned")), None);
/// ```
pub fn parse_result(text: Text<'_>) -> Option<GameResult> {
    let text = text.raw().trim_ascii();
    let spelled = Spelled::new(text);
    let spelling = spelled.as_ref().map_or(text, Spelled::bytes);
    let (result, length) = result(spelling)?;
    (length == spelling.len()).then_some(result)
}

/// What a side scored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Points {
    Zero,
    Half,
    One,
}

/// Returns the points of a side at the beginning of a text, and their length.
fn points(text: &[u8]) -> Option<(Points, usize)> {
    match text {
        [b'1', b'/', b'2', ..] => Some((Points::Half, 3)),
        [b'1', ..] => Some((Points::One, 1)),
        [b'0', ..] => Some((Points::Zero, 1)),
        _ => None,
    }
}

/// Returns the length of what separates the points of the two sides, and whether it is the standard hyphen.
fn dash(text: &[u8]) -> Option<(usize, bool)> {
    match text {
        [b'-', b'0' | b'1', ..] => Some((1, true)),
        [b':', ..] => Some((1, false)),
        [b' ', b'-' | b':', b' ', ..] => Some((3, false)),
        _ => None,
    }
}

/// Returns the glyph for the symbol at the beginning of a text, and the length of the symbol.
pub(super) fn sign(text: &[u8]) -> Option<(u8, usize)> {
    match text {
        [b'!' | b'?', ..] => return Some(marks(text)),
        // A line of these is an ornament.
        [b'=', b'=', ..] | [b'~', b'~', ..] => return None,
        [0x80..=0xFF, ..] => {
            let (c, length) = pasted::first_char(text)?;
            return Some((pasted::glyph(c)?, length));
        }
        _ => {}
    }
    let (spelling, glyph) = SIGNS
        .into_iter()
        .find(|(spelling, _)| text.starts_with(spelling))?;
    Some((glyph, spelling.len()))
}

/// Like [`sign`], for a text with dashes of any kind.
pub(super) fn pasted_sign(text: &[u8]) -> Option<(u8, usize)> {
    let plain = sign(text);
    plain.or_else(|| {
        let spelled = Spelled::new(text)?;
        let (glyph, length) = sign(spelled.bytes())?;
        Some((glyph, spelled.source_length(length)))
    })
}

/// Returns whether a text begins with the number of a game's first move by White: `1.`, `1 e4` or `1e4`.
pub(super) fn is_first_move(text: &[u8]) -> bool {
    let [b'1', rest @ ..] = text else {
        return false;
    };
    let is_number = rest.first() == Some(&b'.');
    let rest = rest.strip_prefix(b".").unwrap_or(rest);
    let blank = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    let rest = &rest[blank..];
    if is_number {
        // More periods mean Black's move.
        !rest.starts_with(b".") && !rest.starts_with("…".as_bytes())
    } else {
        san(rest) > 0 || Spelled::new(rest).is_some_and(|spelled| san(spelled.bytes()) > 0)
    }
}

/// Returns the glyph for a run of exclamation and question marks, of which the first two decide, and its length.
fn marks(text: &[u8]) -> (u8, usize) {
    let length = text
        .iter()
        .take_while(|byte| matches!(byte, b'!' | b'?'))
        .count();
    let glyph = match &text[..length.min(2)] {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        _ => 6,
    };
    (glyph, length)
}

/// Returns the length of what has the shape of a move at the beginning of a text; 0 if there is none.
///
/// This is wide on purpose, because the position decides. `e4`, `Nbd7`, `exd8=Q+`, `e8(Q)`, `e7e8q`, `O-O`, `0-0-0`
/// and the null moves all have the shape of a move.
pub(super) fn san(text: &[u8]) -> usize {
    let null = Step::NULL_SPELLINGS
        .into_iter()
        .find(|spelling| text.starts_with(spelling.as_bytes()));
    let length = match null {
        // A line of dashes is an ornament.
        Some(Step::NULL_TEXT) if text.get(2) == Some(&b'-') => return 0,
        Some(spelling) => return spelling.len(),
        None => castle(text).max(piece_move(text)),
    };
    if length == 0 {
        0
    } else {
        length + check_mark(&text[length..])
    }
}

/// Returns the length of `O-O` or `O-O-O`, with letters or zeros.
fn castle(text: &[u8]) -> usize {
    let is_oh = |index: usize| matches!(text.get(index), Some(b'O' | b'o' | b'0'));
    let is_dash = |index: usize| text.get(index) == Some(&b'-');
    match is_oh(0) && is_dash(1) && is_oh(2) {
        true if is_dash(3) && is_oh(4) => 5,
        true => 3,
        false => 0,
    }
}

/// Returns the length of a move of a piece or a pawn, without castling.
fn piece_move(text: &[u8]) -> usize {
    let piece = usize::from(matches!(
        text.first(),
        Some(b'K' | b'Q' | b'R' | b'B' | b'N' | b'P')
    ));
    let squares = text[piece..]
        .iter()
        .take_while(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x' | b':' | b'-'))
        .take(6)
        .count();
    // The run may extend into what follows, as in `e5abc` or `exf6ep`: the last square in it ends the move.
    let run = &text[piece..piece + squares];
    let Some(last) = run.windows(2).rposition(is_square) else {
        return 0;
    };
    let length = piece + last + 2;
    length + promotion(text[length - 1], &text[length..])
}

fn is_square(pair: &[u8]) -> bool {
    matches!(pair, [b'a'..=b'h', b'1'..=b'8'])
}

/// Returns the length of `=Q`, `Q`, `(Q)` or `/Q` after a square of the first or last rank.
fn promotion(rank: u8, rest: &[u8]) -> usize {
    let is_piece = |byte: &u8| {
        matches!(
            byte,
            b'Q' | b'R' | b'B' | b'N' | b'K' | b'q' | b'r' | b'b' | b'n' | b'k'
        )
    };
    match rest {
        [b'=', piece, ..] if is_piece(piece) => 2,
        [b'(', piece, b')', ..] if is_piece(piece) && matches!(rank, b'1' | b'8') => 3,
        [b'/', piece, ..] if is_piece(piece) && matches!(rank, b'1' | b'8') => 2,
        [piece, ..] if is_piece(piece) && matches!(rank, b'1' | b'8') => 1,
        _ => 0,
    }
}

/// Returns the length of `ep`, `e.p.` or `e.p`, which may follow a move with or without a space, before a check
/// mark.
pub(super) fn en_passant(rest: &[u8]) -> usize {
    let length = match rest {
        [b'e', b'.', b'p', b'.', ..] => 4,
        [b'e', b'.', b'p', ..] => 3,
        [b'e', b'p', ..] => 2,
        _ => return 0,
    };
    if rest.get(length).is_some_and(u8::is_ascii_alphanumeric) {
        0
    } else {
        length + check_mark(&rest[length..])
    }
}

/// Returns the length of the check marks after a move, unless they begin a symbol such as `+-`.
fn check_mark(rest: &[u8]) -> usize {
    let length = rest
        .iter()
        .take_while(|byte| matches!(byte, b'+' | b'#'))
        .take(2)
        .count();
    match rest.get(length) {
        Some(b'-' | b'/' | b'=') if rest[..length].ends_with(b"+") => length - 1,
        _ => length,
    }
}
