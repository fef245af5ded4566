//! Properties that hold for any bytes, one function for each kind of text. Seeded tests, replayed
//! corpora and fuzz targets share them: each takes bytes and panics if a property fails.

use std::collections::BTreeSet;
use std::str;

use tabiya_rules::{
    CastlingNotation, EnPassantMode, Epd, Move, Position, SanError, Setup, Status, UciError,
    UciMove, Waivers,
};

use crate::slow::{SlowMove, SlowPosition};

/// Reads bytes as a FEN: what is read prints back to the same, and if it is a position, all its moves
/// are consistent.
///
/// # Panics
/// Panics if a property does not hold.
pub fn fen(bytes: &[u8]) {
    let Ok(setup) = Setup::from_fen_bytes(bytes) else {
        return;
    };
    let read_back = |castling| {
        let text = setup.fen_with(EnPassantMode::Always, castling);
        Setup::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
    };
    for castling in [CastlingNotation::XFen, CastlingNotation::Shredder] {
        assert_eq!(
            Setup {
                mode: setup.mode,
                ..read_back(castling)
            },
            setup
        );
    }
    assert_eq!(read_back(CastlingNotation::ByMode), setup);
    if let Ok(position) = setup.position_waiving(Waivers::ALL) {
        position_holds_together(&position);
        comes_back_packed(&position);
    }
}

/// Reads bytes as packed positions of 32 bytes each: whatever is read packs into the same bytes, and
/// is a valid position.
///
/// # Panics
/// Panics if a property does not hold.
pub fn packed(bytes: &[u8]) {
    for bytes in bytes.chunks(32) {
        let Ok(packed) = <&[u8; 32]>::try_from(bytes) else {
            return;
        };
        if let Ok(position) = Position::unpack(packed) {
            assert_eq!(position.pack().as_ref(), Some(packed));
            position_holds_together(&position);
        }
    }
}

/// Checks that a position survives packing, unless it has too many pieces or too large a counter.
fn comes_back_packed(position: &Position) {
    let setup = position.setup();
    let Some(packed) = position.pack() else {
        let most = 1 << 31;
        let is_large = setup.halfmove_clock >= most || setup.fullmove_number.get() >= most;
        assert!(
            is_large || setup.board.occupied().count() > 32,
            "{position}"
        );
        return;
    };
    let back = Position::unpack(&packed).unwrap_or_else(|error| panic!("{position}: {error}"));
    assert_eq!(back.setup(), setup);
    assert_eq!(back.key(), position.key());
}

/// Reads bytes as a FEN, a line break and a move as people type it. If the FEN is not a valid
/// position, the start position is used.
///
/// # Panics
/// Panics if a property does not hold.
pub fn san(bytes: &[u8]) {
    let (position, text) = position_and_text(bytes);
    let read = position.parse_san_bytes(text);
    let legal = position.legal_moves();
    match &read {
        Ok(m) => assert!(legal.contains(m), "{position}: {m:?} is not legal"),
        Err(SanError::Ambiguous { candidates }) => {
            assert!(candidates.len() > 1 && candidates.iter().all(|m| legal.contains(m)));
        }
        Err(SanError::Illegal { candidates, .. }) => {
            assert!(candidates.iter().all(|m| legal.contains(m)));
        }
        Err(SanError::Syntax | SanError::PromotionRequired) => {}
        Err(error @ SanError::NotAsPrinted { .. }) => panic!("{error} comes from strict reading"),
        Err(error) => panic!("{error}: no property is known of it"),
    }
    if let Ok(text) = str::from_utf8(text) {
        assert_eq!(position.parse_san(text), read);
        let strict = match read {
            Ok(meant) if *position.san(meant) != *text => Err(SanError::NotAsPrinted { meant }),
            read => read,
        };
        assert_eq!(position.parse_san_strict(text), strict);
    }
}

/// Reads bytes as a FEN, a line break and a move in UCI notation.
///
/// # Panics
/// Panics if a property does not hold.
pub fn uci_move(bytes: &[u8]) {
    let (position, text) = position_and_text(bytes);
    let Ok(text) = str::from_utf8(text) else {
        return;
    };
    let uci: UciMove = match text.parse() {
        Ok(uci) => uci,
        Err(error) => {
            assert_eq!(position.parse_uci(text), Err(UciError::Syntax(error)));
            return;
        }
    };
    assert_eq!(uci.to_string(), text);
    match (uci, position.parse_uci(text)) {
        (_, Ok(m)) => {
            assert!(position.legal_moves().contains(&m));
            assert_eq!(position.resolve_uci(position.uci(m)), Ok(m));
        }
        (UciMove::Null, read) => assert_eq!(read, Err(UciError::NullMove)),
        (
            UciMove::Normal {
                from,
                to,
                promotion,
            },
            Err(error),
        ) => {
            let reason = position
                .find_move(from, to, promotion)
                .expect_err("it was refused");
            assert_eq!(error, UciError::Illegal(reason));
            assert!(reason.to_string().ends_with('.'), "{reason} is a sentence");
        }
    }
}

/// Reads bytes as an EPD: what is read prints back to the same, and its moves are legal.
///
/// # Panics
/// Panics if a property does not hold.
pub fn epd(bytes: &[u8]) {
    let Some(epd) = str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse::<Epd>().ok())
    else {
        return;
    };
    let printed = epd.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&epd), "{printed}");
    for operation in &epd.operations {
        assert!(epd.operands(&operation.opcode).is_some());
        if let (Ok(moves), Ok(position)) = (epd.moves(&operation.opcode), epd.position()) {
            assert!(moves.into_iter().all(|m| position.is_legal(m)));
        }
    }
}

fn position_and_text(bytes: &[u8]) -> (Position, &[u8]) {
    let line_end = bytes.iter().position(|&byte| byte == b'\n');
    let (first, rest) = line_end.map_or((&[][..], bytes), |at| (&bytes[..at], &bytes[at + 1..]));
    let setup = Setup::from_fen_bytes(first).ok();
    let position = setup.and_then(|setup| setup.position_waiving(Waivers::ALL).ok());
    (position.unwrap_or_default(), rest)
}

/// Checks that the answers about one position agree with each other and with those of the slow rules.
///
/// # Panics
/// Panics if a property does not hold.
pub fn position_holds_together(position: &Position) {
    let again = reread(position);
    assert_eq!(again.setup(), position.setup());
    assert_eq!((again, again.key()), (*position, position.key()));

    let slow = SlowPosition::from(position);
    let moves = position.legal_moves();
    let set: BTreeSet<SlowMove> = moves.iter().map(|&m| m.into()).collect();
    assert_eq!(set, slow.moves(), "{position}");
    assert_eq!(set.len(), moves.len(), "{position}: no move comes twice");
    assert_eq!(position.count_legal_moves(), moves.len(), "{position}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position}");
    assert_eq!(position.is_check(), slow.is_check(), "{position}");
    let over = match (moves.is_empty(), position.is_check()) {
        (true, true) => Status::Checkmate {
            winner: !position.turn(),
        },
        (true, false) => Status::Stalemate,
        (false, _) if position.is_insufficient_material() => Status::InsufficientMaterial,
        (false, _) => Status::Ongoing,
    };
    assert_eq!(position.status(), over, "{position}");
    for &m in &moves {
        move_holds_together(position, &slow, m);
    }
}

/// Returns the position read back from its own FEN.
fn reread(position: &Position) -> Position {
    let text = position.fen_with(EnPassantMode::Always, CastlingNotation::ByMode);
    let setup = Setup::from_fen(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let again = setup.position_waiving(Waivers::ALL);
    // The text does not contain a mode that the rights do not show.
    again
        .unwrap_or_else(|error| panic!("{text}: {error}"))
        .with_castling_mode(position.castling_mode())
}

fn move_holds_together(position: &Position, slow: &SlowPosition, m: Move) {
    assert!(position.is_legal(m), "{position}: {m:?}");
    assert_eq!(position.move_from_bits(m.bits()), Some(m), "{position}");
    let (san, lan, uci) = (position.san(m), position.lan(m), position.uci(m));
    assert_eq!(position.parse_san_strict(&san), Ok(m), "{position}: {san}");
    assert_eq!(position.parse_san(&lan), Ok(m), "{position}: {lan}");
    assert_eq!(
        position.parse_uci(&uci.to_string()),
        Ok(m),
        "{position}: {uci}"
    );
    assert_eq!(
        position.find_move(m.from(), m.to(), m.promotion()),
        Ok(m),
        "{position}: {uci}"
    );

    let next = position
        .play(m)
        .unwrap_or_else(|error| panic!("{position}: {error}"));
    assert_eq!(
        SlowPosition::from(&next),
        slow.play(m.into()),
        "{position}: {san}"
    );
    let valid = next.setup().position_waiving(Waivers::ALL);
    let valid = valid.unwrap_or_else(|error| panic!("{position}: {san}: {error}"));
    assert_eq!(valid.setup(), next.setup(), "{position}: {san}");
    assert_eq!(
        (valid.key(), valid),
        (next.key(), next),
        "{position}: {san}"
    );
    assert_eq!(
        position.gives_check(m),
        next.is_check(),
        "{position}: {san}"
    );
    let mark = match (next.is_check(), next.has_legal_move()) {
        (true, false) => Some('#'),
        (true, true) => Some('+'),
        (false, _) => None,
    };
    let ends = san.chars().last().filter(|c| "+#".contains(*c));
    assert_eq!(ends, mark, "{position}: {san}");

    let mut board = *position.board();
    let delta = position.delta(m);
    for &(square, piece) in delta.removed() {
        assert_eq!(board.remove(square), Some(piece), "{position}: {san}");
    }
    for &(square, piece) in delta.added() {
        assert_eq!(board.piece_at(square), None, "{position}: {san}");
        board.set(square, piece);
    }
    assert_eq!(board, *next.board(), "{position}: {san}");
}
