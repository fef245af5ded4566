//! Pieces with everything around them: how far they get, what they threaten, which pawns they help or stop. It is most of the
//! work of an evaluation, so that all of it is inlined into a task that is compiled for the CPU at hand.

use tabiya_rules::cpu::{Sliders, Task};
use tabiya_rules::{Bitboard, Board, ByColor, Color, Role, Square, attacks};

use super::king;
use super::pawns::{self, Structure};
use super::tapered_score::TaperedScore;
use super::weights::Weights;

/// What a side attacks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    pub(super) by_role: [Bitboard; 6],
    pub(super) all: Bitboard,
    /// Attacked by two or more.
    pub(super) twice: Bitboard,
    /// Units of danger for the enemy king from pieces that attack near it, and how many they are.
    pub(super) danger: i32,
    pub(super) near_king: i32,
}

impl Reach {
    #[inline(always)]
    fn add(&mut self, role: Role, attacked: Bitboard) {
        self.by_role[role as usize] |= attacked;
        self.twice |= self.all & attacked;
        self.all |= attacked;
    }
}

/// The score of the pieces on a board, White's minus Black's.
pub(super) struct Pieces<'a> {
    pub(super) board: &'a Board,
    pub(super) structure: &'a Structure,
    pub(super) weights: &'a Weights,
}

impl Task for Pieces<'_> {
    type Output = TaperedScore;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> TaperedScore {
        let Pieces {
            board,
            structure,
            weights,
        } = self;
        let mut reach = ByColor::from_fn(|color| start(board, color));
        let zones = ByColor::from_fn(|color| king::zone(board, color));
        let mut score = TaperedScore::ZERO;
        for color in Color::ALL {
            let area = area(board, color, &reach);
            let side = Side {
                board,
                structure,
                weights,
                color,
                area,
                zone: zones[!color],
            };
            add(&mut score, color, side.mobility(&mut reach[color], sliders));
        }
        for color in Color::ALL {
            let (own, enemy) = (&reach[color], &reach[!color]);
            let mut part = threats(board, color, own, enemy, weights);
            part += king::score(board, color, own, enemy, &weights.king, sliders);
            part += passed(board, structure, color, own, enemy, weights);
            add(&mut score, color, part);
        }
        score
    }
}

#[inline(always)]
fn add(score: &mut TaperedScore, color: Color, part: TaperedScore) {
    match color {
        Color::White => *score += part,
        Color::Black => *score -= part,
    }
}

/// What pawns and king attack.
#[inline(always)]
fn start(board: &Board, color: Color) -> Reach {
    let mut reach = Reach::default();
    reach.add(
        Role::Pawn,
        pawns::attacked(board.pieces(color, Role::Pawn), color),
    );
    if let Some(king) = board.king(color) {
        reach.add(Role::King, attacks::king(king));
    }
    reach
}

/// The mobility area: squares not attacked by enemy pawns and not occupied by the own king or a blocked pawn.
#[inline(always)]
fn area(board: &Board, color: Color, reach: &ByColor<Reach>) -> Bitboard {
    let own = board.pieces(color, Role::Pawn);
    let stuck = own & pawns::ahead(board.occupied(), !color);
    !(stuck | board.pieces(color, Role::King) | reach[!color].by_role[Role::Pawn as usize])
}

/// The pieces of one side.
struct Side<'a> {
    board: &'a Board,
    structure: &'a Structure,
    weights: &'a Weights,
    color: Color,
    area: Bitboard,
    /// The squares around the enemy king.
    zone: Bitboard,
}

impl Side<'_> {
    #[inline(always)]
    fn mobility<S: Sliders>(&self, reach: &mut Reach, sliders: S) -> TaperedScore {
        let occupied = self.board.occupied();
        let queens = self.board.pieces(self.color, Role::Queen);
        let rooks = self.board.pieces(self.color, Role::Rook);
        let weights = &self.weights.mobility;
        let mut score = TaperedScore::ZERO;
        for square in self.board.pieces(self.color, Role::Knight) {
            let attacked = attacks::knight(square);
            score += weights.knight[self.squares(Role::Knight, attacked, reach)];
            score += self.minor(square, self.weights.pieces.knight_outpost);
        }
        let bishops = self.board.pieces(self.color, Role::Bishop);
        for square in bishops {
            // Through the queen, which goes the same way.
            let attacked = sliders.bishop(square, occupied - queens);
            score += weights.bishop[self.squares(Role::Bishop, attacked, reach)];
            score += self.minor(square, self.weights.pieces.bishop_outpost);
            score += self.weights.pieces.bishop_pawns * self.pawns_on_color_of(square);
        }
        if bishops.has_several() {
            score += self.weights.pieces.bishop_pair;
        }
        for square in rooks {
            let attacked = sliders.rook(square, occupied - queens - rooks);
            score += weights.rook[self.squares(Role::Rook, attacked, reach)];
            score += self.rook_file(square);
        }
        for square in queens {
            let attacked = sliders.queen(square, occupied);
            score += weights.queen[self.squares(Role::Queen, attacked, reach)];
        }
        score
    }

    /// How many squares a piece can go to; what it attacks is noted down for what comes after.
    #[inline(always)]
    fn squares(&self, role: Role, attacked: Bitboard, reach: &mut Reach) -> usize {
        reach.add(role, attacked);
        if !(attacked & self.zone).is_empty() {
            reach.near_king += 1;
            reach.danger += self.weights.king.attacker[role as usize - 1];
        }
        (attacked & self.area).count() as usize
    }

    /// A knight or bishop: outposts, and shelter behind a pawn.
    #[inline(always)]
    fn minor(&self, square: Square, outpost: TaperedScore) -> TaperedScore {
        let mut score = TaperedScore::ZERO;
        let own = self.board.pieces(self.color, Role::Pawn);
        let rank = square.rank().relative_to(self.color) as usize;
        let defended = !(attacks::pawn(!self.color, square) & own).is_empty();
        if (3..6).contains(&rank) && defended && !self.structure.reach[!self.color].contains(square)
        {
            score += outpost;
        }
        if pawns::ahead(Bitboard::of(square), self.color).0 & self.board.by_role(Role::Pawn).0 != 0
        {
            score += self.weights.pieces.behind_pawn;
        }
        score
    }

    #[inline(always)]
    fn pawns_on_color_of(&self, square: Square) -> i32 {
        let squares = match square.is_light() {
            true => Bitboard::LIGHT_SQUARES,
            false => Bitboard::DARK_SQUARES,
        };
        (self.board.pieces(self.color, Role::Pawn) & squares).count() as i32
    }

    #[inline(always)]
    fn rook_file(&self, square: Square) -> TaperedScore {
        let file = Bitboard::file(square.file());
        let on_file = self.board.by_role(Role::Pawn) & file;
        if on_file.is_empty() {
            self.weights.pieces.rook_open_file
        } else if (on_file & self.board.by_color(self.color)).is_empty() {
            self.weights.pieces.rook_half_open_file
        } else {
            TaperedScore::ZERO
        }
    }
}

/// Threats on more valuable or undefended pieces, and space.
#[inline(always)]
fn threats(
    board: &Board,
    color: Color,
    own: &Reach,
    enemy: &Reach,
    weights: &Weights,
) -> TaperedScore {
    let weights = &weights.pieces;
    let theirs = board.by_color(!color);
    let [pawn, knight, bishop, rook, ..] = own.by_role;
    let queens = board.pieces(!color, Role::Queen);
    let rooks = board.pieces(!color, Role::Rook);
    let minors = board.pieces(!color, Role::Knight) | board.pieces(!color, Role::Bishop);
    let pieces = minors | rooks | queens;
    let count = |set: Bitboard| set.count() as i32;
    let mut score = weights.pawn_threat * count(pawn & pieces);
    score += weights.minor_threat * count((knight | bishop) & (rooks | queens));
    score += weights.rook_threat * count(rook & queens);
    let undefended = own.all & !enemy.all & (theirs - board.pieces(!color, Role::King));
    score += weights.hanging * count(undefended);
    let free = !board.occupied() & (!enemy.all | own.all) & !enemy.by_role[Role::Pawn as usize];
    let pawns = board.pieces(color, Role::Pawn);
    let pushed = pawns::ahead(pawns, color) & free;
    score += weights.push_threat * count(pawns::attacked(pushed, color) & pieces & !pawn);
    let half = match color {
        Color::White => Bitboard(0x3c3c_3c00),
        Color::Black => Bitboard(0x003c_3c3c_0000_0000),
    };
    let safe = half & !pawns & !enemy.by_role[Role::Pawn as usize] & !enemy.all;
    score + weights.space * count(safe)
}

/// Passed pawns: the distance of the kings, and blockers.
#[inline(always)]
fn passed(
    board: &Board,
    structure: &Structure,
    color: Color,
    own: &Reach,
    enemy: &Reach,
    weights: &Weights,
) -> TaperedScore {
    let weights = &weights.pawns;
    let mut score = TaperedScore::ZERO;
    for square in structure.passed & board.by_color(color) {
        let rank = square.rank().relative_to(color) as usize;
        score += weights.passed[rank];
        let Some(next) = square.offset(0, pawns::step(color)) else {
            continue;
        };
        if let Some(king) = board.king(!color) {
            score += weights.passed_enemy_king[rank] * next.distance(king) as i32;
        }
        if let Some(king) = board.king(color) {
            score += weights.passed_own_king[rank] * next.distance(king) as i32;
        }
        let stoppers = board.occupied() | (enemy.all & !own.all);
        if !stoppers.contains(next) {
            score += weights.passed_free[rank];
        }
        if own.by_role[Role::Pawn as usize].contains(square) {
            score += weights.passed_supported;
        }
    }
    score
}
