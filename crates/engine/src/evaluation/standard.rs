//! The numbers the engine plays with, fitted to games that it played against itself. `tuning` writes this file.

use super::tapered_score::pair;
use super::weights::{KingWeights, MobilityWeights, PawnWeights, PieceWeights, Weights};

impl Weights {
    /// The numbers the engine plays with.
    #[rustfmt::skip]
    pub const STANDARD: Weights = Weights {
        material: [pair(72, 110), pair(292, 357), pair(303, 377), pair(413, 624), pair(923, 1136)],
        places: [
            [
                pair(0, 0), pair(0, 0), pair(0, 0), pair(0, 0),
                pair(-4, -6), pair(10, -2), pair(-6, 5), pair(-20, 11),
                pair(-3, -8), pair(3, -2), pair(-4, -5), pair(-5, 5),
                pair(-3, 2), pair(-3, 1), pair(8, -7), pair(10, -3),
                pair(6, 7), pair(9, -3), pair(6, 1), pair(20, -9),
                pair(8, 11), pair(21, 1), pair(8, 3), pair(11, -9),
                pair(28, 41), pair(18, 38), pair(53, 28), pair(99, 12),
                pair(0, 0), pair(0, 0), pair(0, 0), pair(0, 0),
            ],
            [
                pair(-61, -32), pair(-23, -54), pair(-28, -27), pair(-9, -30),
                pair(-16, -25), pair(-30, -4), pair(-2, -27), pair(-4, -19),
                pair(-14, -37), pair(2, 0), pair(0, -9), pair(7, 1),
                pair(7, -9), pair(6, 2), pair(8, 17), pair(5, 19),
                pair(12, 6), pair(9, -3), pair(37, -10), pair(16, 28),
                pair(10, -14), pair(17, -20), pair(13, 18), pair(22, 14),
                pair(-21, -29), pair(-35, -4), pair(14, -1), pair(2, 19),
                pair(-113, -74), pair(-48, 5), pair(-53, -32), pair(-54, 32),
            ],
            [
                pair(-8, -13), pair(-3, -17), pair(-18, -11), pair(-14, 0),
                pair(12, -9), pair(12, -12), pair(7, -13), pair(-5, -6),
                pair(5, 3), pair(21, -1), pair(1, 0), pair(6, -2),
                pair(-8, -1), pair(-9, 0), pair(0, 13), pair(12, 17),
                pair(1, -5), pair(10, -3), pair(25, 1), pair(30, 7),
                pair(-5, -4), pair(0, 1), pair(15, 2), pair(31, 3),
                pair(-32, 14), pair(-29, 11), pair(-29, 6), pair(12, 3),
                pair(-58, -4), pair(-26, 14), pair(-45, -1), pair(-20, 1),
            ],
            [
                pair(-17, -20), pair(-23, -14), pair(-4, -12), pair(4, -14),
                pair(-44, 4), pair(-17, -14), pair(-1, -11), pair(-22, -2),
                pair(-34, -6), pair(-17, 5), pair(-16, -1), pair(-25, 8),
                pair(-27, 7), pair(-13, 13), pair(-18, 15), pair(6, -3),
                pair(-9, 13), pair(-23, 22), pair(28, 3), pair(36, -7),
                pair(-2, 15), pair(2, 15), pair(30, 4), pair(15, 19),
                pair(10, 15), pair(9, 22), pair(21, 15), pair(19, 11),
                pair(-10, 16), pair(24, 6), pair(12, 11), pair(14, 12),
            ],
            [
                pair(13, -134), pair(-36, -17), pair(-9, -71), pair(-11, -40),
                pair(-32, -32), pair(-9, -34), pair(-4, -26), pair(-16, -6),
                pair(-16, -25), pair(-7, -4), pair(-20, 33), pair(-16, 4),
                pair(-22, 24), pair(-21, 24), pair(-25, 49), pair(-22, 52),
                pair(0, 17), pair(-10, 35), pair(2, 39), pair(-10, 62),
                pair(-19, 6), pair(25, -34), pair(-2, 53), pair(24, 18),
                pair(-19, 4), pair(-23, 10), pair(10, 53), pair(-8, 53),
                pair(8, 15), pair(37, -6), pair(20, 6), pair(-2, 28),
            ],
            [
                pair(6, -37), pair(21, -19), pair(-13, -7), pair(-13, -24),
                pair(8, -17), pair(11, -11), pair(-14, 3), pair(-18, 7),
                pair(-12, -12), pair(7, -11), pair(-28, 9), pair(-36, 15),
                pair(-33, -3), pair(4, 1), pair(-47, 21), pair(-71, 29),
                pair(8, -1), pair(9, 8), pair(-50, 35), pair(-115, 48),
                pair(-27, -8), pair(-17, 14), pair(-79, 46), pair(-98, 50),
                pair(25, -56), pair(-3, 19), pair(-10, 32), pair(35, 10),
                pair(-23, -87), pair(22, 6), pair(42, 36), pair(33, 30),
            ],
        ],
        mobility: MobilityWeights {
            knight: [
                pair(-72, -104), pair(-26, -32), pair(-17, -8), pair(-9, 8),
                pair(0, 11), pair(5, 19), pair(10, 28), pair(13, 24),
                pair(15, 25),
            ],
            bishop: [
                pair(-51, -49), pair(-30, -48), pair(-17, -17), pair(-6, 4),
                pair(3, 10), pair(10, 23), pair(13, 35), pair(14, 39),
                pair(15, 42), pair(19, 42), pair(17, 39), pair(37, 35),
                pair(69, 14), pair(-30, 38),
            ],
            rook: [
                pair(-74, -78), pair(-39, -61), pair(-15, -22), pair(-5, 9),
                pair(-1, 24), pair(1, 35), pair(0, 48), pair(5, 48),
                pair(5, 58), pair(13, 55), pair(11, 63), pair(11, 69),
                pair(15, 69), pair(16, 69), pair(15, 65),
            ],
            queen: [
                pair(-30, -50), pair(-18, -40), pair(6, -21), pair(-8, -34),
                pair(0, -7), pair(1, -4), pair(4, 4), pair(6, 7),
                pair(5, 33), pair(7, 38), pair(10, 54), pair(12, 53),
                pair(12, 54), pair(16, 68), pair(16, 67), pair(9, 88),
                pair(14, 80), pair(8, 94), pair(2, 97), pair(22, 71),
                pair(9, 86), pair(12, 58), pair(1, 73), pair(42, 24),
                pair(26, 49), pair(22, 49), pair(26, 63), pair(19, 53),
            ],
        },
        tempo: pair(22, 14),
        pawns: PawnWeights {
            isolated: pair(-5, -13),
            doubled: pair(-16, -9),
            backward: pair(-5, -11),
            connected: [
                pair(0, 0), pair(3, -2), pair(11, 3), pair(11, 6),
                pair(16, 26), pair(22, 67), pair(169, 63), pair(0, 0),
            ],
            passed: [
                pair(0, 0), pair(48, -36), pair(36, -8), pair(-32, 34),
                pair(30, 35), pair(132, 41), pair(113, 104), pair(0, 0),
            ],
            passed_free: [
                pair(0, 0), pair(3, 8), pair(-12, 9), pair(-1, 18),
                pair(1, 28), pair(1, 69), pair(22, 149), pair(0, 0),
            ],
            passed_supported: pair(23, 3),
            passed_enemy_king: [
                pair(0, 0), pair(-8, 5), pair(-12, 8), pair(-13, 16),
                pair(-11, 27), pair(-10, 39), pair(3, 35), pair(0, 0),
            ],
            passed_own_king: [
                pair(0, 0), pair(-4, 6), pair(3, -4), pair(18, -13),
                pair(2, -9), pair(-11, -8), pair(-4, -14), pair(0, 0),
            ],
        },
        pieces: PieceWeights {
            bishop_pair: pair(27, 50),
            bishop_pawns: pair(-2, -7),
            knight_outpost: pair(24, 7),
            bishop_outpost: pair(23, 13),
            rook_open_file: pair(30, 4),
            rook_half_open_file: pair(17, 19),
            behind_pawn: pair(2, 20),
            pawn_threat: pair(51, 21),
            minor_threat: pair(46, 23),
            rook_threat: pair(51, 5),
            hanging: pair(14, 34),
            push_threat: pair(17, 6),
            space: pair(-1, -1),
        },
        king: KingWeights {
            shield: [
                pair(-14, 22), pair(12, 3), pair(3, 3), pair(-4, -2),
                pair(-11, -4), pair(-17, 15), pair(-58, 34), pair(-20, 0),
            ],
            storm: [
                pair(-7, 18), pair(32, 4), pair(-35, 10), pair(-12, 9),
                pair(-8, 12), pair(-3, 7), pair(-6, 9), pair(0, 0),
            ],
            open_file: pair(-24, -26),
            half_open_file: pair(-10, -11),
            attacker: [26, 20, 24, 24],
            attacked: 10,
            weak: 12,
            check: [64, 34, 62, 65],
            no_queen: -85,
        },
    };
}
