//! Lines of games: each position counts once, and copies have the same ID.

use tabiya_rules::Position;

use super::*;

fn line(start: Position, moves: &str) -> (Line, Game) {
    let mut line = Line::default();
    line.begin(&start);
    let mut position = start;
    for text in moves.split_whitespace() {
        let m = position.parse_san(text).expect("a move");
        let after = position.play_unchecked(m);
        line.play(&position, m, &after);
        position = after;
    }
    let mut game = Game {
        fen: start_fen(&start),
        ..Game::default()
    };
    complete(&mut game, &mut line);
    (line, game)
}

#[test]
fn a_position_that_comes_back_counts_once_with_its_first_move() {
    let (line, _) = line(Position::start(), "Nf3 Nf6 Ng1 Ng8 e4 e5");
    let plies: Vec<u16> = line.places.iter().map(|place| place.ply).collect();
    assert_eq!(plies, [0, 1, 2, 3, 5, 6]);
    assert_eq!(line.places[0].code.uci(), "g1f3");
}

#[test]
fn repetitions_are_found_also_where_nothing_is_ever_captured() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(100);
    let (line, game) = line(Position::start(), &shuffle);
    assert_eq!((line.places.len(), game.moves.len()), (4, 400));
}

#[test]
fn games_give_back_their_moves() {
    let start = Position::chess960(0).expect("a start");
    let (line, game) = line(start, "f4 f5 g4 fxg4");
    let played: Vec<String> = game
        .plies()
        .map(|(before, m)| before.san(m).to_string())
        .collect();
    assert_eq!(played, ["f4", "f5", "g4", "fxg4"]);
    assert_eq!(line.moves, game.moves);
    assert_eq!(pieces(game.material, 0), 14);
    assert_eq!(game.home_pawns, 0b1101_1111_1001_1111);
}

#[test]
fn the_end_of_a_game_tells_which_positions_it_cannot_have() {
    let (_, game) = line(Position::start(), "e4 d5 exd5");
    let before = Position::from_fen("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let never = Position::from_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert!(game.may_reach(&IrreversibleFeatures::of(
        before.expect("a position").board()
    )));
    assert!(!game.may_reach(&IrreversibleFeatures::of(
        never.expect("a position").board()
    )));
}
