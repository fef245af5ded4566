//! Where random games begin.

use cozy_chess::Board;
use tabiya_rules::{CastlingMode, Position};

use super::{scatter::scatter, trio::Trio};
use crate::{corpus::START, random::SplitMix64};

/// The kinds of start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The usual start position.
    Standard,
    /// The 960 start positions, one after another.
    Chess960,
    /// A different arrangement for each side.
    Double960,
    /// Positions in which special moves are near.
    Special,
    /// Pieces anywhere, where all three libraries accept them.
    Scattered,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::Chess960,
        Self::Double960,
        Self::Special,
        Self::Scattered,
    ];

    /// The word for it on the command line.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
            Self::Double960 => "double960",
            Self::Special => "special",
            Self::Scattered => "scattered",
        }
    }

    /// How many games in a row, and of how many plies at most. Random
    /// placements are worth more at their start than later on; games are long
    /// enough for the half-move clock to pass 150 now and then.
    #[must_use]
    pub const fn measure(self) -> (u64, usize) {
        match self {
            Self::Standard | Self::Chess960 | Self::Double960 | Self::Special => (1, 240),
            Self::Scattered => (20, 10),
        }
    }
}

/// Positions close to pins of en passant captures, promotions on rooks that
/// may still castle, double checks, and endings with little material.
const SPECIAL: [&str; 16] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "8/2p1p1p1/8/K2P1P1r/R2p1p1k/8/2P1P1P1/8 w - - 0 1",
    "4k1b1/2p1p3/8/3P1P2/2K5/8/8/q7 b - - 0 1",
    "8/pppppppp/8/1k6/6K1/8/PPPPPPPP/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/3bk3/8/8/3BK3/8/8 w - - 0 1",
    "8/8/2nbk3/8/8/3NK3/8/8 w - - 20 40",
    "8/8/4k3/8/8/3QK3/8/8 w - - 90 80",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "k7/2QQQQ2/8/8/8/8/2qqqq2/K7 w - - 0 1",
    "1k6/1b1r4/8/3p4/4P3/8/1B1R4/1K6 b - e3 0 1",
];

/// A start position, with the mode in which it is played.
#[derive(Clone, Debug)]
pub struct Start {
    /// The FEN, with the rooks' files as castling rights in Chess960.
    pub fen: String,
    /// How castles and rights are written.
    pub mode: CastlingMode,
    /// What Tabiya itself makes of the start's number.
    pub numbered: Option<Position>,
}

impl Start {
    /// The `round`th start of its kind.
    #[must_use]
    pub fn new(kind: Kind, round: u64, random: &mut SplitMix64) -> Self {
        let number = (round % 960) as u16;
        match kind {
            Kind::Standard => Self {
                fen: START.into(),
                mode: CastlingMode::Standard,
                numbered: Some(Position::start()),
            },
            Kind::Chess960 => Self {
                fen: format!("{:#}", Board::chess960_startpos(number.into())),
                mode: CastlingMode::Chess960,
                numbered: Position::chess960(number),
            },
            Kind::Double960 => {
                let black = random.below(960) as u16;
                let board = Board::double_chess960_startpos(number.into(), black.into());
                Self {
                    fen: format!("{board:#}"),
                    mode: CastlingMode::Chess960,
                    numbered: Position::double_chess960(number, black),
                }
            }
            Kind::Special => Self {
                fen: SPECIAL[(round % SPECIAL.len() as u64) as usize].into(),
                mode: CastlingMode::Standard,
                numbered: None,
            },
            Kind::Scattered => scattered(random),
        }
    }
}

/// The first random placement that every library accepts. What to refuse is a
/// question on which they differ rightly, so that it is not compared here.
fn scattered(random: &mut SplitMix64) -> Start {
    loop {
        let start = Start {
            fen: scatter(random),
            mode: CastlingMode::Chess960,
            numbered: None,
        };
        if Trio::read(&start).is_some() {
            return start;
        }
    }
}
