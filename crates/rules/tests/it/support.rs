//! Shared by the tests: positions from text, random games.

use tabiya_rules::{
    Bitboard, CastlingMode, Color, Position, Rank, Role, Setup, SplitMix64, Square, Waivers,
};

/// Returns the position of a FEN that is known to be valid.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns a teaching board: placement and side to move, with every possible waiver.
pub(crate) fn board(placement_and_turn: &str) -> Position {
    let fen = format!("{placement_and_turn} - - 0 1");
    let setup = Setup::from_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    setup
        .position_waiving(Waivers::ALL)
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the position after some moves, in any notation.
pub(crate) fn after(start: &Position, moves: &str) -> Position {
    let mut position = *start;
    for text in moves.split_whitespace() {
        let m = position
            .parse_san(text)
            .unwrap_or_else(|error| panic!("{text} in {position}: {error}"));
        position = position.play_unchecked(m);
    }
    position
}

/// Returns how many positions to visit: this many, or as many as `TABIYA_POSITIONS` says.
pub(crate) fn positions(count: usize) -> usize {
    std::env::var("TABIYA_POSITIONS").map_or(count, |text| text.parse().expect("a number"))
}

/// Visits `count` positions of random games. Every third game is Chess960, and in every sixth the
/// two sides have different arrangements.
pub(crate) fn random_positions(seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    let mut game = 0;
    while seen < count {
        let start = match game % 6 {
            1 => Position::chess960(random.below(960) as u16),
            4 => Position::double_chess960(random.below(960) as u16, random.below(960) as u16),
            _ => Some(Position::start()),
        };
        let mut position = start.expect("the number is below 960");
        game += 1;
        for _ in 0..160 {
            visit(&position);
            seen += 1;
            let moves = position.legal_moves();
            if moves.is_empty() || seen >= count {
                break;
            }
            position = position.play_unchecked(moves[random.below(moves.len())]);
        }
    }
}

/// Visits positions that no game reaches, as far as waivers allow them: pieces anywhere, kings
/// missing, pawns on the back ranks, any rights that fit, any en passant square that fits.
pub(crate) fn random_placements(seed: u64, count: usize, mut visit: impl FnMut(&Position)) {
    let mut random = SplitMix64::new(seed);
    let mut seen = 0;
    while seen < count {
        if let Ok(position) = random_setup(&mut random).position_waiving(Waivers::ALL) {
            visit(&position);
            seen += 1;
        }
    }
}

/// Returns any setup; about one in two is a position.
fn random_setup(random: &mut SplitMix64) -> Setup {
    let mut setup = Setup {
        turn: Color::ALL[random.below(2)],
        mode: [CastlingMode::Standard, CastlingMode::Chess960][random.below(2)],
        halfmove_clock: random.below(200) as u32,
        ..Setup::EMPTY
    };
    let near_home = random.below(2) == 0;
    for color in Color::ALL {
        for _ in 0..random.below(12) {
            let role = Role::ALL[random.below(5)];
            let square = Square::ALL[random.below(64)];
            let end = matches!(square.rank(), Rank::First | Rank::Eighth);
            if role != Role::Pawn || !end || random.below(16) == 0 {
                setup.board.set(square, role.of(color));
            }
        }
    }
    for color in Color::ALL {
        let square = Square::ALL[random.below(64)];
        let home = Square::new(square.file(), Rank::First.relative_to(color));
        if random.below(16) > 0 {
            setup
                .board
                .set(if near_home { home } else { square }, Role::King.of(color));
        }
        if near_home && random.below(4) > 0 {
            let rook = Square::new(Square::ALL[random.below(8)].file(), home.rank());
            setup.board.set(rook, Role::Rook.of(color));
        }
    }
    let rooks = setup.board.by_role(Role::Rook) & Bitboard::BACK_RANKS;
    setup.castling_rooks = rooks.into_iter().filter(|_| random.below(4) > 0).collect();
    let passed = Rank::Sixth.relative_to(setup.turn);
    let behind = |square: &Square| {
        let pawn = square.offset(0, if setup.turn == Color::White { -1 } else { 1 });
        let pawns = setup.board.pieces(!setup.turn, Role::Pawn);
        pawn.is_some_and(|pawn| pawns.contains(pawn))
    };
    setup.en_passant = Bitboard::rank(passed).into_iter().find(behind);
    setup
}
