//! The numbers of the evaluation, in hundredths of a pawn, each for the middle game and the ending.

use super::pair::TaperedScore;

/// All the numbers.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// From pawn to queen.
    pub(crate) material: [TaperedScore; 5],
    /// By role; from the first rank to the eighth, from the edge of the board to its middle.
    pub(crate) places: [[TaperedScore; 32]; 6],
    pub(crate) mobility: MobilityWeights,
    pub(crate) tempo: TaperedScore,
    pub(crate) pawns: PawnWeights,
    pub(crate) pieces: PieceWeights,
    pub(crate) king: KingWeights,
}

/// How far pieces get, by the number of squares they can go to.
#[derive(Clone, Debug)]
pub(crate) struct MobilityWeights {
    pub(crate) knight: [TaperedScore; 9],
    pub(crate) bishop: [TaperedScore; 14],
    pub(crate) rook: [TaperedScore; 15],
    pub(crate) queen: [TaperedScore; 28],
}

/// Pawns, for themselves.
#[derive(Clone, Debug)]
pub(crate) struct PawnWeights {
    pub(crate) isolated: TaperedScore,
    pub(crate) doubled: TaperedScore,
    pub(crate) backward: TaperedScore,
    /// Defended by a pawn or beside one, by rank.
    pub(crate) connected: [TaperedScore; 8],
    /// By rank, like all below.
    pub(crate) passed: [TaperedScore; 8],
    pub(crate) passed_free: [TaperedScore; 8],
    pub(crate) passed_supported: TaperedScore,
    /// For each step the enemy king is away from the square ahead, and the own king.
    pub(crate) passed_enemy_king: [TaperedScore; 8],
    pub(crate) passed_own_king: [TaperedScore; 8],
}

/// Pieces, with the pawns around them and what they threaten.
#[derive(Clone, Debug)]
pub(crate) struct PieceWeights {
    pub(crate) bishop_pair: TaperedScore,
    /// For each pawn on the bishop's color.
    pub(crate) bishop_pawns: TaperedScore,
    pub(crate) knight_outpost: TaperedScore,
    pub(crate) bishop_outpost: TaperedScore,
    pub(crate) rook_open_file: TaperedScore,
    pub(crate) rook_half_open_file: TaperedScore,
    pub(crate) behind_pawn: TaperedScore,
    /// A pawn attacks a piece; a minor piece attacks a rook or queen; a rook attacks a queen.
    pub(crate) pawn_threat: TaperedScore,
    pub(crate) minor_threat: TaperedScore,
    pub(crate) rook_threat: TaperedScore,
    /// An attacked piece that nothing defends.
    pub(crate) hanging: TaperedScore,
    /// A pawn can step to where it attacks a piece.
    pub(crate) push_threat: TaperedScore,
    /// Squares in the own half, behind the pawns, that the enemy does not attack.
    pub(crate) space: TaperedScore,
}

/// The safety of the king.
#[derive(Clone, Debug)]
pub(crate) struct KingWeights {
    /// The nearest own pawn on each of the three files, by how many ranks it is ahead; 0 for none.
    pub(crate) shield: [TaperedScore; 8],
    /// The nearest enemy pawn on each of them.
    pub(crate) storm: [TaperedScore; 8],
    pub(crate) open_file: TaperedScore,
    pub(crate) half_open_file: TaperedScore,
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
