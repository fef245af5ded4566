//! A second implementation of the rules, written only to be obviously correct: one array of
//! squares, and every move is made and examined. It shares only its vocabulary with the library, no
//! code. Generated moves and counts are compared with it.

use std::collections::BTreeSet;

use tabiya_rules::{Color, Move, Piece, Position, Role, Square};

type Step = (i8, i8);

const STRAIGHT: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [Step; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// A move of the slow rules. Castling has the rook's square as its target.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SlowMove {
    /// The square it moves from.
    pub from: Square,
    /// The square it moves to; for castling, the rook's square.
    pub to: Square,
    /// The role that a pawn promotes to.
    pub promotion: Option<Role>,
    /// Whether it is castling.
    pub castle: bool,
}

impl From<Move> for SlowMove {
    fn from(m: Move) -> SlowMove {
        SlowMove {
            from: m.from(),
            to: m.to(),
            promotion: m.promotion(),
            castle: m.is_castle(),
        }
    }
}

/// A position on an array of squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowPosition {
    squares: [Option<Piece>; 64],
    turn: Color,
    rooks: Vec<Square>,
    en_passant: Option<Square>,
    clock: u32,
    number: u32,
}

impl From<&Position> for SlowPosition {
    fn from(position: &Position) -> SlowPosition {
        SlowPosition {
            squares: Square::ALL.map(|square| position.board().piece_at(square)),
            turn: position.turn(),
            rooks: position.castling_rooks().into_iter().collect(),
            en_passant: position.en_passant(),
            clock: position.halfmove_clock(),
            number: position.fullmove_number(),
        }
    }
}

fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

fn rank_number(square: Square) -> i8 {
    square as i8 / 8
}

fn file_number(square: Square) -> i8 {
    square as i8 % 8
}

/// Returns the rank on which a color's pieces stand at the start.
fn home(color: Color) -> i8 {
    if color == Color::White { 0 } else { 7 }
}

fn at(file: i8, rank: i8) -> Square {
    Square::ALL[(rank * 8 + file) as usize]
}

impl SlowPosition {
    fn piece(&self, square: Square) -> Option<Piece> {
        self.squares[square as usize]
    }

    fn king(&self, color: Color) -> Option<Square> {
        Square::ALL
            .into_iter()
            .find(|&square| self.piece(square) == Some(Role::King.of(color)))
    }

    /// Returns the empty squares in a direction, and the first piece after them.
    fn look(&self, from: Square, step: Step) -> (Vec<Square>, Option<Square>) {
        let mut passed = Vec::new();
        let mut square = from;
        while let Some(next) = square.offset(step.0, step.1) {
            if self.piece(next).is_some() {
                return (passed, Some(next));
            }
            passed.push(next);
            square = next;
        }
        (passed, None)
    }

    /// Returns whether a side attacks a square.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        let stands = |at: Option<Square>, roles: &[Role]| {
            at.and_then(|at| self.piece(at))
                .is_some_and(|piece| piece.color == by && roles.contains(&piece.role))
        };
        let leaped = LEAPS
            .iter()
            .any(|s| stands(square.offset(s.0, s.1), &[Role::Knight]));
        let stepped = STRAIGHT
            .iter()
            .chain(&DIAGONAL)
            .any(|s| stands(square.offset(s.0, s.1), &[Role::King]));
        let struck = [-1, 1]
            .into_iter()
            .any(|file| stands(square.offset(file, -forward(by)), &[Role::Pawn]));
        let straight = STRAIGHT
            .into_iter()
            .any(|step| stands(self.look(square, step).1, &[Role::Rook, Role::Queen]));
        let diagonal = DIAGONAL
            .into_iter()
            .any(|step| stands(self.look(square, step).1, &[Role::Bishop, Role::Queen]));
        leaped || stepped || struck || straight || diagonal
    }

    /// Returns whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.king_is_attacked(self.turn)
    }

    fn king_is_attacked(&self, color: Color) -> bool {
        self.king(color)
            .is_some_and(|king| self.is_attacked(king, !color))
    }

    /// Returns the legal moves: every move that the pieces can make and that does not leave the
    /// king attacked.
    pub fn moves(&self) -> BTreeSet<SlowMove> {
        let mut moves = BTreeSet::new();
        for from in Square::ALL {
            let Some(piece) = self.piece(from).filter(|piece| piece.color == self.turn) else {
                continue;
            };
            match piece.role {
                Role::Pawn => self.pawn_moves(from, &mut moves),
                Role::Knight => self.steps(from, &LEAPS, &mut moves),
                Role::Bishop => self.slides(from, &DIAGONAL, &mut moves),
                Role::Rook => self.slides(from, &STRAIGHT, &mut moves),
                Role::Queen => {
                    self.slides(from, &DIAGONAL, &mut moves);
                    self.slides(from, &STRAIGHT, &mut moves);
                }
                Role::King => {
                    self.steps(from, &STRAIGHT, &mut moves);
                    self.steps(from, &DIAGONAL, &mut moves);
                    self.castles(from, &mut moves);
                }
            }
        }
        moves.retain(|&m| !self.play(m).king_is_attacked(self.turn));
        moves
    }

    fn is_free_or_enemy(&self, square: Square) -> bool {
        self.piece(square)
            .is_none_or(|piece| piece.color != self.turn)
    }

    fn steps(&self, from: Square, steps: &[Step], moves: &mut BTreeSet<SlowMove>) {
        for to in steps.iter().filter_map(|step| from.offset(step.0, step.1)) {
            if self.is_free_or_enemy(to) {
                moves.insert(SlowMove {
                    from,
                    to,
                    promotion: None,
                    castle: false,
                });
            }
        }
    }

    fn slides(&self, from: Square, steps: &[Step], moves: &mut BTreeSet<SlowMove>) {
        for &step in steps {
            let (mut targets, piece) = self.look(from, step);
            targets.extend(piece);
            for to in targets.into_iter().filter(|&to| self.is_free_or_enemy(to)) {
                moves.insert(SlowMove {
                    from,
                    to,
                    promotion: None,
                    castle: false,
                });
            }
        }
    }

    fn pawn_moves(&self, from: Square, moves: &mut BTreeSet<SlowMove>) {
        let ahead = forward(self.turn);
        let mut targets = Vec::new();
        let one = from.offset(0, ahead).filter(|&to| self.piece(to).is_none());
        targets.extend(one);
        if rank_number(from) == home(self.turn) + ahead && one.is_some() {
            let two = from
                .offset(0, 2 * ahead)
                .filter(|&to| self.piece(to).is_none());
            targets.extend(two);
        }
        for to in [-1, 1]
            .into_iter()
            .filter_map(|file| from.offset(file, ahead))
        {
            let enemy = self.piece(to).is_some_and(|piece| piece.color != self.turn);
            if enemy || self.en_passant == Some(to) {
                targets.push(to);
            }
        }
        for to in targets {
            if rank_number(to) == home(!self.turn) {
                for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                    moves.insert(SlowMove {
                        from,
                        to,
                        promotion: Some(role),
                        castle: false,
                    });
                }
            } else {
                moves.insert(SlowMove {
                    from,
                    to,
                    promotion: None,
                    castle: false,
                });
            }
        }
    }

    fn castles(&self, king: Square, moves: &mut BTreeSet<SlowMove>) {
        for &rook in self
            .rooks
            .iter()
            .filter(|&&rook| rank_number(rook) == home(self.turn))
        {
            let (king_to, rook_to) = castled(king, rook);
            let span = |a: Square, b: Square| {
                let (first, last) = (a.min(b) as usize, a.max(b) as usize);
                Square::ALL[first..=last].iter().copied()
            };
            let mut needed = span(king, king_to)
                .chain(span(rook, rook_to))
                .chain(span(king, rook));
            let free = needed.all(|s| s == king || s == rook || self.piece(s).is_none());
            let safe = span(king, king_to).all(|square| {
                let mut walking = self.clone();
                walking.squares[king as usize] = None;
                walking.squares[square as usize] = Some(Role::King.of(self.turn));
                !walking.is_attacked(square, !self.turn)
            });
            if free && safe {
                moves.insert(SlowMove {
                    from: king,
                    to: rook,
                    promotion: None,
                    castle: true,
                });
            }
        }
    }

    /// Returns the position after a move that the pieces can make.
    pub fn play(&self, m: SlowMove) -> SlowPosition {
        let mut next = self.clone();
        let moved = self.piece(m.from).expect("a piece to move");
        let captured = !m.castle && self.piece(m.to).is_some();
        next.squares[m.from as usize] = None;
        if m.castle {
            let (king_to, rook_to) = castled(m.from, m.to);
            next.squares[m.to as usize] = None;
            next.squares[king_to as usize] = Some(moved);
            next.squares[rook_to as usize] = Some(Role::Rook.of(self.turn));
        } else {
            next.squares[m.to as usize] = Some(m.promotion.unwrap_or(moved.role).of(self.turn));
        }
        let pawn = moved.role == Role::Pawn;
        if pawn && self.en_passant == Some(m.to) && file_number(m.from) != file_number(m.to) {
            next.squares[at(file_number(m.to), rank_number(m.from)) as usize] = None;
        }
        next.en_passant = None;
        if pawn && (rank_number(m.from) - rank_number(m.to)).abs() == 2 {
            next.en_passant = m.from.offset(0, forward(self.turn));
        }
        if moved.role == Role::King {
            next.rooks
                .retain(|&rook| rank_number(rook) != home(self.turn));
        }
        next.rooks.retain(|&rook| rook != m.from && rook != m.to);
        next.clock = if pawn || captured { 0 } else { self.clock + 1 };
        next.number = self.number + u32::from(self.turn == Color::Black);
        next.turn = !self.turn;
        next
    }

    /// Returns the number of sequences of `depth` moves.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        match depth {
            1 => moves.len() as u64,
            _ => moves
                .into_iter()
                .map(|m| self.play(m).perft(depth - 1))
                .sum(),
        }
    }
}

/// Returns where castling takes the king and the rook.
fn castled(king: Square, rook: Square) -> (Square, Square) {
    let rank = rank_number(king);
    if rook > king {
        (at(6, rank), at(5, rank))
    } else {
        (at(2, rank), at(3, rank))
    }
}
