//! The numbers of the evaluation, in hundredths of a pawn, each for the middle game and the ending.

use super::pair::{Pair, pair};

/// All the numbers.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// From pawn to queen.
    pub(crate) material: [Pair; 5],
    /// By role; from the first rank to the eighth, from the edge of the board to its middle.
    pub(crate) places: [[Pair; 32]; 6],
    /// By the number of squares a piece can go to, for knight, bishop, rook and queen.
    pub(crate) mobility: [[Pair; 28]; 4],
    pub(crate) tempo: Pair,
    pub(crate) pawns: PawnWeights,
    pub(crate) pieces: PieceWeights,
    pub(crate) king: KingWeights,
}

/// Pawns, for themselves.
#[derive(Clone, Debug)]
pub(crate) struct PawnWeights {
    pub(crate) isolated: Pair,
    pub(crate) doubled: Pair,
    pub(crate) backward: Pair,
    /// Defended by a pawn or beside one, by rank.
    pub(crate) connected: [Pair; 8],
    /// By rank, like all below.
    pub(crate) passed: [Pair; 8],
    pub(crate) passed_free: [Pair; 8],
    pub(crate) passed_supported: Pair,
    /// For each step the enemy king is away from the square ahead, and the own king.
    pub(crate) passed_enemy_king: [Pair; 8],
    pub(crate) passed_own_king: [Pair; 8],
}

/// Pieces, with the pawns around them and what they threaten.
#[derive(Clone, Debug)]
pub(crate) struct PieceWeights {
    pub(crate) bishop_pair: Pair,
    /// For each pawn on the bishop's color.
    pub(crate) bishop_pawns: Pair,
    pub(crate) knight_outpost: Pair,
    pub(crate) bishop_outpost: Pair,
    pub(crate) rook_open_file: Pair,
    pub(crate) rook_half_open_file: Pair,
    pub(crate) behind_pawn: Pair,
    /// A pawn attacks a piece; a minor piece attacks a rook or queen; a rook attacks a queen.
    pub(crate) pawn_threat: Pair,
    pub(crate) minor_threat: Pair,
    pub(crate) rook_threat: Pair,
    /// An attacked piece that nothing defends.
    pub(crate) hanging: Pair,
    /// A pawn can step to where it attacks a piece.
    pub(crate) push_threat: Pair,
    /// Squares in the own half, behind the pawns, that the enemy does not attack.
    pub(crate) space: Pair,
}

/// The safety of the king.
#[derive(Clone, Debug)]
pub(crate) struct KingWeights {
    /// The nearest own pawn on each of the three files, by how many ranks it is ahead; 0 for none.
    pub(crate) shield: [Pair; 8],
    /// The nearest enemy pawn on each of them.
    pub(crate) storm: [Pair; 8],
    pub(crate) open_file: Pair,
    pub(crate) half_open_file: Pair,
    /// Danger, counted in units: for each piece near the king, from knight to queen.
    pub(crate) attacker: [i32; 4],
    /// For each attacked square beside the king, and each that only the king defends.
    pub(crate) attacked: i32,
    pub(crate) weak: i32,
    /// For each kind of safe check, from knight to queen.
    pub(crate) check: [i32; 4],
    /// Without an enemy queen there is less.
    pub(crate) no_queen: i32,
}

/// A table by roles' rows, written as ranks of four numbers for each phase.
const fn places(middle: [[i32; 4]; 8], ending: [[i32; 4]; 8]) -> [Pair; 32] {
    let mut table = [Pair::ZERO; 32];
    let mut i = 0;
    while i < 32 {
        table[i] = pair(middle[i / 4][i % 4], ending[i / 4][i % 4]);
        i += 1;
    }
    table
}

/// A curve that rises fast at first: from `low`, by `step` and a little less for each further square.
const fn curve(low: Pair, high: Pair, count: i32) -> [Pair; 28] {
    let mut table = [Pair::ZERO; 28];
    let mut i = 0;
    while i < 28 {
        let n = if i < count { i } else { count };
        // The rest of the way shrinks with its square.
        let rest = (count - n) * (count - n);
        let all = count * count;
        let middle = high.middle() - (high.middle() - low.middle()) * rest / all;
        let ending = high.ending() - (high.ending() - low.ending()) * rest / all;
        table[i as usize] = pair(middle, ending);
        i += 1;
    }
    table
}

impl Weights {
    /// The numbers the engine plays with.
    pub(crate) const STANDARD: Weights = Weights {
        material: [
            pair(82, 110),
            pair(335, 310),
            pair(350, 325),
            pair(475, 560),
            pair(1000, 1040),
        ],
        places: [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING],
        mobility: [
            curve(pair(-50, -60), pair(26, 22), 8),
            curve(pair(-44, -55), pair(38, 44), 13),
            curve(pair(-36, -60), pair(26, 64), 14),
            curve(pair(-30, -50), pair(34, 80), 27),
        ],
        tempo: pair(18, 12),
        pawns: PawnWeights {
            isolated: pair(-10, -12),
            doubled: pair(-8, -22),
            backward: pair(-8, -10),
            connected: [
                Pair::ZERO,
                pair(2, 0),
                pair(10, 4),
                pair(12, 8),
                pair(22, 18),
                pair(48, 42),
                pair(90, 80),
                Pair::ZERO,
            ],
            passed: [
                Pair::ZERO,
                pair(0, 8),
                pair(0, 12),
                pair(4, 30),
                pair(28, 58),
                pair(60, 105),
                pair(110, 170),
                Pair::ZERO,
            ],
            passed_free: [
                Pair::ZERO,
                pair(0, 0),
                pair(0, 4),
                pair(2, 10),
                pair(8, 24),
                pair(16, 48),
                pair(24, 90),
                Pair::ZERO,
            ],
            passed_supported: pair(8, 14),
            passed_enemy_king: [
                Pair::ZERO,
                pair(0, 1),
                pair(0, 2),
                pair(0, 6),
                pair(0, 12),
                pair(0, 18),
                pair(0, 22),
                Pair::ZERO,
            ],
            passed_own_king: [
                Pair::ZERO,
                pair(0, -1),
                pair(0, -2),
                pair(0, -4),
                pair(0, -7),
                pair(0, -10),
                pair(0, -8),
                Pair::ZERO,
            ],
        },
        pieces: PieceWeights {
            bishop_pair: pair(28, 60),
            bishop_pawns: pair(-2, -5),
            knight_outpost: pair(28, 18),
            bishop_outpost: pair(20, 10),
            rook_open_file: pair(36, 8),
            rook_half_open_file: pair(14, 8),
            behind_pawn: pair(6, 4),
            pawn_threat: pair(66, 42),
            minor_threat: pair(42, 32),
            rook_threat: pair(44, 26),
            hanging: pair(34, 22),
            push_threat: pair(18, 14),
            space: pair(3, 0),
        },
        king: KingWeights {
            shield: [
                pair(-26, 0),
                pair(18, 0),
                pair(8, 0),
                pair(-6, 0),
                pair(-14, 0),
                pair(-18, 0),
                pair(-20, 0),
                pair(-20, 0),
            ],
            storm: [
                pair(0, 0),
                pair(-4, 0),
                pair(-34, 0),
                pair(-20, 0),
                pair(-8, 0),
                pair(-2, 0),
                pair(0, 0),
                pair(0, 0),
            ],
            open_file: pair(-28, 2),
            half_open_file: pair(-10, 4),
            attacker: [26, 22, 22, 18],
            attacked: 14,
            weak: 26,
            check: [42, 28, 54, 40],
            no_queen: -120,
        },
    };
}

const PAWN: [Pair; 32] = places(
    [
        [0, 0, 0, 0],
        [-14, 2, -6, -10],
        [-14, -2, -2, 2],
        [-12, -6, 6, 16],
        [-4, 4, 8, 22],
        [6, 16, 30, 34],
        [40, 50, 50, 56],
        [0, 0, 0, 0],
    ],
    [
        [0, 0, 0, 0],
        [4, 4, 6, 2],
        [0, 2, -2, 0],
        [6, 6, -2, -6],
        [16, 12, 4, 0],
        [34, 32, 22, 14],
        [54, 50, 44, 40],
        [0, 0, 0, 0],
    ],
);

const KNIGHT: [Pair; 32] = places(
    [
        [-80, -24, -32, -22],
        [-28, -24, -6, 0],
        [-20, -2, 10, 16],
        [-8, 8, 16, 14],
        [0, 10, 26, 36],
        [-8, 24, 38, 48],
        [-34, -16, 30, 26],
        [-130, -50, -40, -10],
    ],
    [
        [-44, -40, -18, -14],
        [-36, -16, -12, -4],
        [-22, -6, 0, 14],
        [-12, 2, 16, 24],
        [-10, 6, 20, 24],
        [-20, -4, 14, 14],
        [-30, -14, -12, 4],
        [-60, -44, -20, -18],
    ],
);

const BISHOP: [Pair; 32] = places(
    [
        [-16, -2, -12, -12],
        [2, 16, 12, 2],
        [2, 12, 10, 10],
        [-4, 4, 6, 18],
        [-10, 4, 14, 26],
        [-4, 16, 22, 20],
        [-30, -12, -6, -8],
        [-26, -20, -40, -36],
    ],
    [
        [-18, -12, -12, -6],
        [-16, -10, -6, 0],
        [-8, 0, 6, 8],
        [-6, 0, 10, 14],
        [-4, 6, 8, 14],
        [0, 0, 4, 6],
        [-8, -2, 0, -2],
        [-14, -10, -6, -6],
    ],
);

const ROOK: [Pair; 32] = places(
    [
        [-12, -12, -2, 8],
        [-30, -12, -8, -4],
        [-26, -10, -10, -8],
        [-24, -12, -10, -6],
        [-16, -6, 4, 8],
        [-6, 10, 12, 16],
        [4, 6, 24, 28],
        [12, 14, 8, 16],
    ],
    [
        [-8, -4, -2, -8],
        [-10, -8, -4, -6],
        [-8, -4, -6, -6],
        [0, 2, 2, 0],
        [6, 6, 6, 2],
        [8, 6, 6, 4],
        [12, 14, 8, 6],
        [12, 10, 12, 8],
    ],
);

const QUEEN: [Pair; 32] = places(
    [
        [-8, -12, -8, 4],
        [-14, -4, 6, 6],
        [-8, 0, -2, -4],
        [-8, -8, -8, -10],
        [-10, -10, -10, -14],
        [0, -6, 0, 0],
        [-2, -36, -8, -14],
        [4, 10, 14, 14],
    ],
    [
        [-36, -36, -30, -26],
        [-30, -26, -26, -16],
        [-16, -8, 4, 0],
        [-8, 10, 14, 26],
        [0, 20, 24, 36],
        [-4, 14, 30, 36],
        [-8, 20, 26, 36],
        [-4, 10, 18, 20],
    ],
);

const KING: [Pair; 32] = places(
    [
        [22, 42, 8, -16],
        [24, 16, -20, -42],
        [-20, -14, -34, -46],
        [-40, -20, -34, -50],
        [-30, -14, -24, -40],
        [-16, 6, -6, -20],
        [-10, 0, -4, -10],
        [-30, -10, -10, -20],
    ],
    [
        [-48, -28, -16, -26],
        [-24, -10, 4, 10],
        [-14, 0, 12, 20],
        [-14, 8, 20, 26],
        [-2, 20, 26, 28],
        [6, 28, 30, 24],
        [-2, 22, 20, 14],
        [-54, -22, -14, -16],
    ],
);
