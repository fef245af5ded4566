//! The mates that everybody learns are given, from random starts, at a fixed number of positions a move.

use tabiya_engine::{AlphaBeta, Control, Request, Searcher, Settings};
use tabiya_rules::MoveHistory;
use tabiya_rules::{Color, Position, Role, Setup, SplitMix64, Square, Status};

/// A position with White's pieces and a lone black king, White to move, in which nothing can be taken at once.
fn start(roles: &[Role], random: &mut SplitMix64) -> Position {
    loop {
        let mut setup = Setup {
            castling_rooks: tabiya_rules::Bitboard::EMPTY,
            ..Position::start().setup()
        };
        for square in Square::ALL {
            setup.board.remove(square);
        }
        let mut any = || Square::ALL[random.below(64)];
        setup.board.set(any(), Role::King.of(Color::Black));
        setup.board.set(any(), Role::King.of(Color::White));
        for &role in roles {
            setup.board.set(any(), role.of(Color::White));
        }
        let whole = setup.board.occupied().count() as usize == roles.len() + 2;
        if let (true, Ok(position)) = (whole, setup.position()) {
            let safe = position.board().pieces(Color::White, Role::King).count() == 1
                && !position.is_insufficient_material()
                && position.has_legal_move()
                && position
                    .pass()
                    .is_some_and(|black| black.captures().is_empty());
            let bishops = position.board().by_role(Role::Bishop);
            let both = roles.iter().filter(|&&role| role == Role::Bishop).count() < 2
                || (bishops & tabiya_rules::Bitboard::LIGHT_SQUARES).count() == 1;
            if safe && both {
                return position;
            }
        }
    }
}

/// Plays both sides until the game is over; whether White gave mate.
fn is_won(start: Position, nodes: u64) -> bool {
    let settings = Settings::new().with_hash(8);
    let mut searcher = AlphaBeta::new(&settings);
    let mut played = MoveHistory::new(start);
    loop {
        let position = *played.current();
        match position.status() {
            Status::Checkmate { winner } => return winner == Color::White,
            Status::Ongoing if position.halfmove_clock() < 100 => {}
            _ => return false,
        }
        let request = Request::new(played.clone()).with_nodes(nodes);
        let answer = searcher.search(&request, &Control::new(), &mut |_| {});
        played
            .push(answer.best.expect("there are moves"))
            .expect("legal");
    }
}

#[test]
fn the_basic_mates_are_given() {
    let count = std::env::var("TABIYA_RELEASE").map_or(2, |_| 20);
    let mut random = SplitMix64::new(4);
    for (roles, nodes) in [
        (&[Role::Queen][..], 5_000),
        (&[Role::Rook], 5_000),
        (&[Role::Bishop, Role::Bishop], 10_000),
        (&[Role::Bishop, Role::Knight], 20_000),
    ] {
        for _ in 0..count {
            let position = start(roles, &mut random);
            assert!(is_won(position, nodes), "{position}");
        }
    }
}
