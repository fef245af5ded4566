//! The numbers of the evaluation, in hundredths of a pawn, each for the middle game and the ending.

use super::pair::Pair;

/// All the numbers.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    /// From pawn to queen.
    pub(crate) material: [Pair; 5],
    /// By role; from the first rank to the eighth, from the edge of the board to its middle.
    pub(crate) places: [[Pair; 32]; 6],
    pub(crate) mobility: MobilityWeights,
    pub(crate) tempo: Pair,
    pub(crate) pawns: PawnWeights,
    pub(crate) pieces: PieceWeights,
    pub(crate) king: KingWeights,
}

/// How far pieces get, by the number of squares they can go to.
#[derive(Clone, Debug)]
pub(crate) struct MobilityWeights {
    pub(crate) knight: [Pair; 9],
    pub(crate) bishop: [Pair; 14],
    pub(crate) rook: [Pair; 15],
    pub(crate) queen: [Pair; 28],
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
