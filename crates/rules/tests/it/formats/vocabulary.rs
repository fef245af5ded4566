//! The basic types: colors, pieces, squares, sets, and their texts.

use tabiya_rules::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, CastlingSide, Color, File, ParseSquareError,
    Piece, Position, Rank, Role, Score, Square, attacks,
};

#[test]
fn squares_have_a_number_a_file_a_rank_and_a_name() {
    for (index, square) in Square::ALL.into_iter().enumerate() {
        assert_eq!(square.index(), index);
        assert_eq!(Square::from_index(index), Some(square));
        assert_eq!(Square::new(square.file(), square.rank()), square);
        let name = square.to_string();
        assert_eq!(name, format!("{}{}", square.file(), square.rank()));
        assert_eq!(name.parse(), Ok(square));
        assert_eq!(File::from_char(square.file().char()), Some(square.file()));
        assert_eq!(
            File::from_char(square.file().char().to_ascii_uppercase()),
            Some(square.file())
        );
        assert_eq!(Rank::from_char(square.rank().char()), Some(square.rank()));
        assert_eq!(square.flip_vertical().flip_vertical(), square);
        assert_eq!(
            square.flip_horizontal().file().index(),
            7 - square.file().index()
        );
        assert_eq!(square.is_light(), Bitboard::LIGHT_SQUARES.contains(square));
        assert_ne!(square.is_light(), Bitboard::DARK_SQUARES.contains(square));
    }
    assert!(Square::H1.is_light() && !Square::A1.is_light());
    assert_eq!(
        (
            Square::from_index(64),
            File::from_index(8),
            Rank::from_index(8)
        ),
        (None, None, None)
    );
    assert_eq!((File::from_char('i'), Rank::from_char('9')), (None, None));
}

#[test]
fn what_is_no_square_says_what_one_looks_like() {
    for text in ["", "e", "e0", "e9", "i1", "E4", "e44", "é4", " e4"] {
        assert_eq!(text.parse::<Square>(), Err(ParseSquareError), "{text}");
    }
    assert!(ParseSquareError.to_string().contains("such as e4"));
}

#[test]
fn steps_off_the_board_are_none() {
    assert_eq!(Square::E4.offset(1, 2), Some(Square::F6));
    assert_eq!(Square::A1.offset(-1, 0), None);
    assert_eq!(Square::H8.offset(1, 0), None);
    assert_eq!(Square::H8.offset(i8::MAX, i8::MIN), None);
    assert_eq!(Square::A1.distance(Square::H8), 7);
    assert_eq!(Square::E4.distance(Square::F6), 2);
    assert_eq!(Square::E4.distance(Square::E4), 0);
    assert_eq!(Rank::Second.relative_to(Color::Black), Rank::Seventh);
    assert_eq!(Rank::Second.relative_to(Color::White), Rank::Second);
}

#[test]
fn pieces_have_letters_names_and_figures() {
    let mut figures = String::new();
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = role.of(color);
            assert_eq!(Piece::from_char(piece.char()), Some(piece));
            assert_eq!(piece.to_string(), format!("{color} {role}"));
            assert_eq!(Role::from_char(role.char()), Some(role));
            assert_eq!(Role::from_char(role.upper_char()), Some(role));
            figures.push(piece.figure());
        }
    }
    assert_eq!(figures, "♙♘♗♖♕♔♟♞♝♜♛♚");
    assert_eq!((Piece::from_char('x'), Role::from_char('é')), (None, None));
    assert_eq!(
        format!("{:>7}|{:>6}", Role::Knight, Color::Black),
        " Knight| Black"
    );
    assert_eq!(Role::PROMOTIONS.map(Role::char), ['q', 'r', 'b', 'n']);
}

#[test]
fn colors_are_two() {
    for color in Color::ALL {
        assert_eq!(!!color, color);
        assert_eq!(color.is_white(), color == Color::White);
        assert_eq!(
            color.name().to_lowercase().chars().next(),
            Some(color.char())
        );
    }
}

#[test]
fn a_value_for_each_color_and_each_role() {
    let mut by_color = ByColor::from_fn(Color::char);
    assert_eq!(by_color, ByColor::new('w', 'b'));
    by_color[Color::White] = 'x';
    by_color[Color::Black] = 'y';
    assert_eq!(by_color.iter().map(|(_, &c)| c).collect::<String>(), "xy");
    assert_eq!(by_color.map(|c| c as u32)[Color::Black], 'y' as u32);
    assert_eq!((by_color[Color::White], by_color[Color::Black]), ('x', 'y'));
    let mut by_role = ByRole::from_fn(Role::char);
    by_role[Role::King] = 'K';
    assert_eq!(
        by_role.iter().map(|(_, &c)| c).collect::<String>(),
        "pnbrqK"
    );
    assert_eq!(by_role[Role::Pawn], 'p');
}

#[test]
fn sets_of_squares_behave_like_sets() {
    let set = Bitboard::from_iter([Square::A1, Square::C3, Square::H8]);
    assert_eq!(
        (set.count(), set.first(), set.last()),
        (3, Some(Square::A1), Some(Square::H8))
    );
    assert!(set.has_several() && set.single().is_none());
    assert_eq!(set.into_iter().len(), 3);
    assert_eq!(
        set.into_iter().collect::<Vec<_>>(),
        [Square::A1, Square::C3, Square::H8]
    );
    assert_eq!((set - Square::A1 - Square::H8).single(), Some(Square::C3));
    assert_eq!((set & Square::C3) | Square::A1 | Square::H8, set);
    assert_eq!(set ^ set, Bitboard::EMPTY);
    assert_eq!(!Bitboard::EMPTY, Bitboard::FULL);
    assert!(
        (set & Bitboard::FIRST_RANK).is_subset_of(set) && !set.is_subset_of(Bitboard::FIRST_RANK)
    );
    let mut other = set;
    other -= Square::A1;
    other |= Square::B2;
    other ^= Square::C3;
    other &= Bitboard::file(File::B);
    assert_eq!(other, Bitboard::from(Square::B2));
    assert_eq!(
        (
            Bitboard::EMPTY.first(),
            Bitboard::EMPTY.last(),
            Bitboard::EMPTY.single()
        ),
        (None, None, None)
    );
    for file in File::ALL {
        assert_eq!(Bitboard::file(file).flip_vertical(), Bitboard::file(file));
        assert!(
            Bitboard::file(file)
                .into_iter()
                .all(|square| square.file() == file)
        );
    }
    for rank in Rank::ALL {
        assert_eq!(Bitboard::rank(rank).flip_horizontal(), Bitboard::rank(rank));
        assert!(
            Bitboard::rank(rank)
                .into_iter()
                .all(|square| square.rank() == rank)
        );
    }
    assert_eq!(Bitboard::back_rank(Color::Black), Bitboard::EIGHTH_RANK);
    let drawing = format!("{set:?}");
    assert_eq!(drawing.lines().next(), Some(". . . . . . . 1"));
    assert_eq!(drawing.lines().last(), Some("1 . . . . . . ."));
}

#[test]
fn a_board_is_what_was_put_on_it() {
    let mut board = Board::default();
    assert_eq!(board, Board::EMPTY);
    let (knight, rook) = (Role::Knight.of(Color::White), Role::Rook.of(Color::Black));
    board.set(Square::C3, knight);
    board.set(Square::C3, rook);
    board.set(Square::D4, knight);
    assert_eq!(
        board.iter().collect::<Vec<_>>(),
        [(Square::C3, rook), (Square::D4, knight)]
    );
    assert_eq!(
        (board.role_at(Square::C3), board.color_at(Square::C3)),
        (Some(Role::Rook), Some(Color::Black))
    );
    assert_eq!(
        (
            board.role_at(Square::A1),
            board.color_at(Square::A1),
            board.piece_at(Square::A1)
        ),
        (None, None, None)
    );
    assert_eq!(board.attacks_from(Square::D4), attacks::knight(Square::D4));
    assert_eq!(board.attacks_from(Square::A1), Bitboard::EMPTY);
    assert_eq!(board.king(Color::White), None);
    assert_eq!(
        (board.remove(Square::C3), board.remove(Square::C3)),
        (Some(rook), None)
    );
    assert_eq!(
        board.mirror().piece_at(Square::D5),
        Some(Role::Knight.of(Color::Black))
    );
    assert_eq!(board.flip_horizontal().piece_at(Square::E4), Some(knight));
}

#[test]
fn lines_and_what_lies_between() {
    let between = attacks::between(Square::A1, Square::D4);
    assert_eq!(
        between.into_iter().collect::<Vec<_>>(),
        [Square::B2, Square::C3]
    );
    assert_eq!(attacks::between(Square::A1, Square::B3), Bitboard::EMPTY);
    assert_eq!(attacks::line(Square::A1, Square::D4).count(), 8);
    assert_eq!(
        attacks::line(Square::A4, Square::B4),
        Bitboard::rank(Rank::Fourth)
    );
    assert_eq!(attacks::line(Square::A1, Square::B3), Bitboard::EMPTY);
    assert_eq!(attacks::line(Square::A1, Square::A1), Bitboard::EMPTY);
}

#[test]
fn castling_has_two_sides_and_two_modes() {
    assert_eq!(
        CastlingSide::ALL.map(|side| side.to_string()),
        ["O-O", "O-O-O"]
    );
    assert_eq!(CastlingSide::King.king_target(Color::Black), Square::G8);
    assert_eq!(CastlingSide::King.rook_target(Color::Black), Square::F8);
    assert_eq!(CastlingSide::Queen.king_target(Color::White), Square::C1);
    assert_eq!(CastlingSide::Queen.rook_target(Color::White), Square::D1);
    assert_eq!(CastlingSide::Queen.standard_rook(Color::Black), Square::A8);
    assert_eq!(CastlingSide::of(Square::E1, Square::H1), CastlingSide::King);
    assert_eq!(
        CastlingSide::of(Square::E1, Square::A1),
        CastlingSide::Queen
    );
    assert_eq!(CastlingMode::default(), CastlingMode::Standard);
}

#[test]
fn colors_roles_pieces_and_boards_are_read_from_what_they_print() {
    for color in Color::ALL {
        assert_eq!(color.to_string().parse(), Ok(color));
        assert_eq!(color.char().to_string().parse(), Ok(color));
        for role in Role::ALL {
            let piece = role.of(color);
            assert_eq!(role.to_string().parse(), Ok(role));
            assert_eq!(role.char().to_string().parse(), Ok(role));
            assert_eq!(piece.to_string().parse(), Ok(piece));
            assert_eq!(piece.char().to_string().parse(), Ok(piece));
        }
    }
    for text in ["", "x", "White  Knight", "Whit Knight", "nn", "♞"] {
        assert!(text.parse::<Color>().is_err(), "{text}");
        assert!(text.parse::<Role>().is_err(), "{text}");
        assert!(text.parse::<Piece>().is_err(), "{text}");
    }
    let board = *Position::start().board();
    assert_eq!(board.to_string().parse(), Ok(board));
    assert!("8/8/8/8/8/8/8".parse::<Board>().is_err());
    assert!("8/8/8/8/8/8/8/8 w".parse::<Board>().is_err());
}

#[test]
fn sets_grow_shrink_and_move() {
    let mut set = Bitboard::EMPTY;
    assert!(set.insert(Square::E4) && !set.insert(Square::E4));
    assert!(set.remove(Square::E4) && !set.remove(Square::E4));
    set.toggle(Square::A1);
    set.toggle(Square::H8);
    set.toggle(Square::A1);
    assert_eq!(set, Bitboard::of(Square::H8));
    for files in -9..=9 {
        for ranks in -9..=9 {
            for from in [
                Bitboard::FULL,
                Bitboard::LIGHT_SQUARES,
                Bitboard::of(Square::D5),
            ] {
                let expected: Bitboard = from
                    .into_iter()
                    .filter_map(|square| square.offset(files, ranks))
                    .collect();
                assert_eq!(from.shift(files, ranks), expected, "{files} {ranks}");
            }
        }
    }
}

#[test]
fn texts_take_the_width_they_are_given() {
    let start = Position::start();
    let e4 = start.parse_san("e4").expect("a legal move");
    let padded = [
        format!("{:>14}", Square::E4),
        format!("{:>14}", File::E),
        format!("{:>14}", Rank::Fourth),
        format!("{:>14}", Color::White),
        format!("{:>14}", Role::Knight),
        format!("{:>14}", Role::Knight.of(Color::White)),
        format!("{:>14}", start.san(e4)),
        format!("{:>14}", start.uci(e4)),
        format!("{:>14}", Score::Centipawns(35)),
        format!("{:>+14}", Score::Centipawns(i32::MAX)),
        format!("{:>14}", Score::Centipawns(i32::MIN)),
        format!("{:>14}", Score::mate(-3)),
    ];
    let texts = padded.each_ref().map(|text| text.trim_start());
    assert_eq!(
        texts,
        [
            "e4",
            "e",
            "4",
            "White",
            "Knight",
            "White Knight",
            "e4",
            "e2e4",
            "0.35",
            "+21474836.47",
            "-21474836.48",
            "#-3"
        ]
    );
    assert!(padded.iter().all(|text| text.len() == 14), "{padded:?}");
}
