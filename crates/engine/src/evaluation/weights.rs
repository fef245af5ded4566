//! The numbers of the evaluation, in hundredths of a pawn, each for the middle game and the ending.

#![expect(
    missing_docs,
    reason = "the names say what is counted, and only tuning sees them from outside"
)]

use super::tapered_score::TaperedScore;

/// All the numbers.
#[derive(Clone, Debug)]
pub struct Weights {
    /// From pawn to queen.
    pub material: [TaperedScore; 5],
    /// By role; from the first rank to the eighth, from the edge of the board to its middle.
    pub places: [[TaperedScore; 32]; 6],
    pub mobility: MobilityWeights,
    pub tempo: TaperedScore,
    pub pawns: PawnWeights,
    pub pieces: PieceWeights,
    pub king: KingWeights,
}

/// How far pieces get, by the number of squares they can go to.
#[derive(Clone, Debug)]
pub struct MobilityWeights {
    pub knight: [TaperedScore; 9],
    pub bishop: [TaperedScore; 14],
    pub rook: [TaperedScore; 15],
    pub queen: [TaperedScore; 28],
}

/// Pawns, for themselves.
#[derive(Clone, Debug)]
pub struct PawnWeights {
    pub isolated: TaperedScore,
    pub doubled: TaperedScore,
    pub backward: TaperedScore,
    /// Defended by a pawn or beside one, by rank.
    pub connected: [TaperedScore; 8],
    /// By rank, like all below.
    pub passed: [TaperedScore; 8],
    pub passed_free: [TaperedScore; 8],
    pub passed_supported: TaperedScore,
    /// For each step the enemy king is away from the square ahead, and the own king.
    pub passed_enemy_king: [TaperedScore; 8],
    pub passed_own_king: [TaperedScore; 8],
}

/// Pieces, with the pawns around them and what they threaten.
#[derive(Clone, Debug)]
pub struct PieceWeights {
    pub bishop_pair: TaperedScore,
    /// For each pawn on the bishop's color.
    pub bishop_pawns: TaperedScore,
    pub knight_outpost: TaperedScore,
    pub bishop_outpost: TaperedScore,
    pub rook_open_file: TaperedScore,
    pub rook_half_open_file: TaperedScore,
    pub behind_pawn: TaperedScore,
    /// A pawn attacks a piece; a minor piece attacks a rook or queen; a rook attacks a queen.
    pub pawn_threat: TaperedScore,
    pub minor_threat: TaperedScore,
    pub rook_threat: TaperedScore,
    /// An attacked piece that nothing defends.
    pub hanging: TaperedScore,
    /// A pawn can step to where it attacks a piece.
    pub push_threat: TaperedScore,
    /// Squares in the own half, behind the pawns, that the enemy does not attack.
    pub space: TaperedScore,
}

/// The safety of the king.
#[derive(Clone, Debug)]
pub struct KingWeights {
    /// The nearest own pawn on each of the three files, by how many ranks it is ahead; 0 for none.
    pub shield: [TaperedScore; 8],
    /// The nearest enemy pawn on each of them.
    pub storm: [TaperedScore; 8],
    pub open_file: TaperedScore,
    pub half_open_file: TaperedScore,
    /// Danger, counted in units: for each piece near the king, from knight to queen.
    pub attacker: [i32; 4],
    /// For each attacked square beside the king, and each that only the king defends.
    pub attacked: i32,
    pub weak: i32,
    /// For each kind of safe check, from knight to queen.
    pub check: [i32; 4],
    /// Without an enemy queen there is less.
    pub no_queen: i32,
}
