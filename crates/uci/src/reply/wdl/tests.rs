//! Win, draw and loss add up, are symmetric, and grow with the score.

use super::*;

/// From full material to a single pawn.
const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2q1rk1/pp2bppp/2npbn2/4p3/4P3/1NN1BP2/PPPQ2PP/2KR1B1R b - - 0 10",
    "2rr2k1/pp3ppp/1qn1pn2/3p4/3P4/1PN1PN2/P4PPP/2RQ1RK1 w - - 0 15",
    "8/5pk1/4p1p1/1p1pP2p/1P1P1P1P/4K1P1/8/8 w - - 0 40",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/Q7/1PPPPPPP/RNBQKBNR w KQkq - 0 1",
];

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("valid")
}

/// Returns the expected points in thousandths.
fn expected(wdl: Wdl) -> f64 {
    f64::from(wdl.win) + f64::from(wdl.draw) / 2.0
}

#[test]
fn win_draw_and_loss_add_up_and_are_symmetric() {
    for position in POSITIONS.map(position) {
        for score in (-20_000..=20_000).step_by(25) {
            let mine = Wdl::of(Score::Centipawns(score), &position);
            let theirs = Wdl::of(Score::Centipawns(-score), &position);
            assert_eq!(mine.win + mine.draw + mine.loss, 1000);
            assert_eq!((mine.win, mine.loss), (theirs.loss, theirs.win));
        }
    }
}

/// Whatever the material: the polynomials have no bend that turns the curve around, and leave room for draws.
#[test]
fn a_higher_score_wins_more_and_loses_less() {
    for material in 0..=120 {
        for score in (-3000..=3000).step_by(10) {
            assert!(win(score, material) <= win(score + 10, material));
            let decided = win(score, material) + win(-score, material);
            assert!(decided <= 1.0, "{score} {material}: {decided}");
        }
        let share = win(100, material) - win(-100, material);
        assert!(
            (0.01..0.5).contains(&share),
            "{material}: a pawn wins {share}"
        );
    }
}

#[test]
fn fewer_pieces_mean_more_draws() {
    let even = |material| 1.0 - 2.0 * win(0, material);
    let draws: Vec<f64> = [78, 60, 45, 30, 15, 6].map(even).to_vec();
    assert!(draws.is_sorted(), "{draws:?}");
}

#[test]
fn material_is_counted_for_both_sides() {
    let counts = POSITIONS.map(|fen| material(&position(fen)));
    assert_eq!(counts, [78, 76, 64, 12, 1, 86]);
    // Promotions make no difference beyond the start of a game.
    assert_eq!(win(100, 86), win(100, FULL_MATERIAL));
}

#[test]
fn mates_leave_no_doubt() {
    let position = position(POSITIONS[0]);
    let all = |score| {
        let wdl = Wdl::of(score, &position);
        [wdl.win, wdl.draw, wdl.loss]
    };
    assert_eq!(all(Score::MateIn(3)), [1000, 0, 0]);
    assert_eq!(all(Score::MatedIn(3)), [0, 0, 1000]);
}

/// WDL and the expected score are one curve, for either side to move.
#[test]
fn a_pawn_means_the_same_everywhere() {
    let white = position(POSITIONS[3]);
    let black = position("8/5pk1/4p1p1/1p1pP2p/1P1P1P1P/4K1P1/8/8 b - - 0 40");
    for value in (-1200..=1200).step_by(50) {
        let score = Score::Centipawns(value);
        let wdl = Wdl::of(score, &white);
        assert_eq!(Wdl::of(score, &black), wdl);
        let said = expected_score(score, &white);
        assert!(
            (expected(wdl) / 1000.0 - said).abs() < 0.002,
            "{value}: {said}"
        );
        let other = expected_score(Score::Centipawns(-value), &white);
        assert!((said + other - 1.0).abs() < 1e-9);
    }
}

/// What a pawn is worth, in the opening and in an ending. It changes only with the numbers.
#[test]
fn a_pawn_more_in_the_opening_and_in_an_ending() {
    let pawn = |fen| expected(Wdl::of(Score::Centipawns(100), &position(fen)));
    let (opening, ending) = (pawn(POSITIONS[0]), pawn(POSITIONS[3]));
    assert!((600.0..750.0).contains(&opening), "{opening}");
    assert!((520.0..opening).contains(&ending), "{ending}");
}
