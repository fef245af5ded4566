//! Games made of random numbers: which command follows which, and what must always hold. The tests
//! try seeded numbers, and a fuzz target its own bytes.

use core::time::Duration;

use tabiya_game::pgn::{self, Format};
use tabiya_game::{
    Branching, ClaimRule, Command, DeadPositions, DrawPolicy, Evaluation, Event, Glyph, GoTo,
    MoveInput, NewGame, Node, NodeId, Policy, Refusal, Session, TimeControl, Timestamp, UndoTo,
};
use tabiya_rules::{ByColor, Color, Move, Position, Score};

const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 97 60",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 145 80",
    "4k3/8/8/8/8/8/8/R3K2R b KQ - 3 12",
    "8/1k4P1/8/8/8/8/1p4K1/8 w - - 0 40",
    "k7/8/K7/8/8/8/8/Q7 w - - 0 1",
    "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1",
    "8/8/4k3/8/8/4Kp2/8/8 w - - 0 1",
];

const CONTROLS: [&str; 6] = [
    "unlimited",
    "1",
    "0.2+2",
    "20sd3",
    "30sb4",
    "2/30s+1s:10s+2s",
];

/// One generated step: what to do, two numbers to choose with, and how much time passes before it.
pub type Op = (u8, u16, u16, u16);

fn color(number: u16) -> Color {
    if number.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

///
/// # Panics
/// Panics if a property does not hold.
pub fn game(start: u16, white: u16, black: u16, policy: u16) -> NewGame {
    let pick = |number: u16| {
        CONTROLS[usize::from(number) % CONTROLS.len()]
            .parse::<TimeControl>()
            .unwrap()
    };
    let start = match usize::from(start) % (STARTS.len() + 1) {
        at if at < STARTS.len() => position(STARTS[at]),
        _ => Position::chess960(start % 960).unwrap(),
    };
    NewGame::default()
        .with_start(start)
        .with_clocks(ByColor::new(pick(white), pick(black)))
        .with_policy(
            Policy::new()
                .with_draws(if policy.is_multiple_of(2) {
                    DrawPolicy::Claim
                } else {
                    DrawPolicy::Automatic
                })
                .with_dead_positions(DeadPositions::PlayOn)
                .with_branching(if policy.is_multiple_of(3) {
                    Branching::MainLine
                } else {
                    Branching::Variation
                }),
        )
}

fn node(session: &Session, number: u16) -> NodeId {
    let count = session.record().len();
    session
        .record()
        .root()
        .subtree()
        .nth(usize::from(number) % count)
        .map_or(NodeId::ROOT, Node::id)
}

fn command(session: &Session, op: Op, old: &[NodeId]) -> Command {
    let (kind, a, b, _) = op;
    let moves = session.position().legal_moves();
    let chosen = moves.get(usize::from(a) % moves.len().max(1)).copied();
    let input = match (chosen, b % 8) {
        (Some(played), 0) => MoveInput::Text(session.position().uci(played).to_string()),
        (Some(played), 1..=6) => MoveInput::Move(played),
        _ => Move::from_bits(a).map_or(MoveInput::Text("Qxq9".into()), MoveInput::Move),
    };
    let any_node = match b % 5 {
        0 => old
            .get(usize::from(a) % old.len().max(1))
            .copied()
            .unwrap_or(NodeId::ROOT),
        _ => node(session, a),
    };
    match kind % 40 {
        0..=15 => Command::Play(input),
        16 => Command::Undo(UndoTo::Plies(u32::from(a % 6))),
        17 => Command::Undo(UndoTo::TurnOf(color(a))),
        18 | 19 => Command::Redo(u32::from(a % 6)),
        20 => Command::GoTo(GoTo::Node(any_node)),
        21 => Command::GoTo(
            [GoTo::Start, GoTo::End, GoTo::Ply(u32::from(b % 40))][usize::from(a % 3)],
        ),
        22 => Command::Claim {
            rule: [None, Some(ClaimRule::Threefold)][usize::from(a % 2)],
            intended: None,
        },
        23 => Command::Claim {
            rule: None,
            intended: Some(input),
        },
        24..=32 => act(op),
        33..=37 => edit(session, op, any_node),
        38 => match a % 8 {
            0 => Command::NewGame(Box::new(game(b, a, b, a))),
            1 => Command::LoadGame(Box::new(session.save())),
            2 => Command::Abandon { winner: None },
            3 => Command::Adjudicate {
                winner: Some(color(b)),
            },
            4 => Command::ForfeitOnTime(color(b)),
            5 => Command::LoadPosition(Box::new(*session.position())),
            _ => Command::SetTag {
                name: format!("Tag{}", b % 3),
                value: (a % 3 > 0).then(|| b.to_string()),
            },
        },
        _ => Command::SetPolicy(game(0, 0, 0, a).policy),
    }
}

/// A command that is no move: an offer, an answer to one, or one about the clocks.
fn act((kind, a, b, _): Op) -> Command {
    match kind % 40 {
        24 => Command::OfferDraw(color(a)),
        25 if b % 2 == 0 => Command::AcceptDraw(color(a)),
        25 => Command::DeclineDraw(color(a)),
        26 => Command::Resign(color(a)),
        27 => Command::AskTakeback(color(a)),
        28 => Command::GrantTakeback(color(a)),
        29 => Command::DeclineTakeback(color(a)),
        30 => Command::Tick,
        31 => Command::Pause,
        _ => Command::Resume,
    }
}

/// A command that changes the notes or the variations of a record.
fn edit(session: &Session, (kind, a, b, _): Op, any_node: NodeId) -> Command {
    match kind % 40 {
        33 => Command::Comment {
            node: Some(any_node),
            text: format!("{{{a}}} [%clk {b}]"),
        },
        34 if a % 4 == 0 => Command::Evaluate {
            node: Some(any_node),
            evaluation: Some(Evaluation {
                score: Score::Centipawns(i32::from(b as i16)),
                depth: Some(u32::from(a)),
            }),
            best: session
                .position()
                .legal_moves()
                .into_iter()
                .take(2)
                .collect(),
        },
        34 => Command::Glyph {
            node: None,
            glyph: Some(Glyph((b % 256) as u8)),
        },
        35 => Command::Promote(any_node),
        36 if a % 2 == 0 => Command::Demote(any_node),
        36 => Command::PromoteToMainLine(any_node),
        _ => Command::Delete(any_node),
    }
}

/// Plays generated steps, and checks what must hold after each.
///
/// # Panics
/// Panics if a property does not hold.
pub fn walk(start: NewGame, ops: &[Op], mut check: impl FnMut(&Session, Timestamp)) {
    walk_with_answers(start, ops, |session, now, _, _| check(session, now));
}

/// Plays generated steps, and shows each with its answer and the session after it.
///
/// # Panics
/// Panics if a refusal changes anything.
pub fn walk_with_answers(
    start: NewGame,
    ops: &[Op],
    mut check: impl FnMut(&Session, Timestamp, &Command, &Result<Vec<Event>, Refusal>),
) {
    let mut session = Session::new(start);
    let mut now = Timestamp::ORIGIN;
    let mut old = Vec::new();
    for &op in ops {
        now = now + Duration::from_millis(u64::from(op.3 % 1500));
        old.push(node(&session, op.1));
        let before = session.clone();
        let command = command(&session, op, &old);
        let answer = session.apply(command.clone(), now);
        if answer.is_err() {
            same(&before, &session);
        }
        check(&session, now, &command, &answer);
    }
}

/// Checks that refusals change nothing, and that derived values stay correct.
///
/// # Panics
/// Panics if a property does not hold.
pub fn refusals_change_nothing(start: NewGame, ops: &[Op]) {
    walk(start, ops, |session, _| {
        let cursor = session.record().cursor().id();
        assert_eq!(session.repetitions(), session.record().occurrences(cursor));
        assert_eq!(session.ply(), session.record().cursor().ply());
        for claim in session.claims() {
            assert_eq!(claim.by, session.turn());
        }
    });
}

/// Checks now and then that undoing everything and redoing it changes nothing.
///
/// # Panics
/// Panics if a property does not hold.
pub fn undo_and_redo_is_nothing(start: NewGame, ops: &[Op]) {
    let mut count = 0;
    walk(start, ops, |session, now| {
        count += 1;
        if count % 7 > 0 {
            return;
        }
        let mut there_and_back = session.clone();
        // Counted first, so that both include the time since the last command.
        if !there_and_back.apply(Command::Tick, now).unwrap().is_empty() {
            return;
        }
        let before = there_and_back.clone();
        let by_act = session.ended_by_act();
        let steps = session.ply() + u32::from(by_act);
        if steps > 0 {
            there_and_back.apply(Command::undo(u32::MAX), now).unwrap();
            assert_eq!(there_and_back.ply(), 0);
            there_and_back.apply(Command::Redo(steps), now).unwrap();
            same(&before, &there_and_back);
            for _ in 0..steps {
                there_and_back.apply(Command::undo(1), now).unwrap();
            }
            assert!(there_and_back.apply(Command::undo(1), now).is_err());
            for _ in 0..steps {
                there_and_back.apply(Command::Redo(1), now).unwrap();
            }
            same(&before, &there_and_back);
        }
    });
}

/// Checks now and then that a saved session comes back equal, as a record and as text.
///
/// # Panics
/// Panics if a property does not hold.
pub fn saved_sessions_come_back(start: NewGame, ops: &[Op]) {
    let mut count = 0;
    walk(start, ops, |session, now| {
        count += 1;
        if count % 5 == 0 {
            let saved = session.save();
            let restored = Session::restore(saved.clone());
            same(session, &restored);
            assert_eq!(restored.save(), saved);
            through_text(session);
            let mut settled = session.clone();
            if settled.apply(Command::Tick, now).unwrap().is_empty() {
                let restored = Session::restore(settled.save());
                let left = settled.clock(now).left;
                assert_eq!(restored.clock(Timestamp::ORIGIN).left, left);
            }
        }
    });
}

/// Reads bytes as the start of a game and its commands, seven bytes each.
///
/// # Panics
/// Panics if a property does not hold.
pub fn session(bytes: &[u8]) {
    let mut pairs = bytes.chunks(2).map(|pair| match *pair {
        [low, high] => u16::from_le_bytes([low, high]),
        [low] => low.into(),
        _ => 0,
    });
    let mut next = || pairs.next().unwrap_or_default();
    let start = game(next(), next(), next(), next());
    let ops: Vec<Op> = bytes
        .get(8..)
        .unwrap_or_default()
        .chunks_exact(7)
        .take(120)
        .map(|op| {
            let pair = |at: usize| u16::from_le_bytes([op[at], op[at + 1]]);
            (op[0], pair(1), pair(3), pair(5))
        })
        .collect();
    refusals_change_nothing(start.clone(), &ops);
    undo_and_redo_is_nothing(start.clone(), &ops);
    saved_sessions_come_back(start, &ops);
}

/// Returns the position of a FEN that is known to be valid.
///
/// # Panics
/// Panics if a property does not hold.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

/// Checks that two sessions are equal, and so is everything visible of them.
///
/// # Panics
/// Panics if a property does not hold.
pub fn same(one: &Session, other: &Session) {
    assert_eq!(one, other);
    assert_eq!(one.position().setup(), other.position().setup());
    assert_eq!(one.outcome(), other.outcome());
    assert_eq!(one.claims(), other.claims());
    assert_eq!(one.repetitions(), other.repetitions());
    assert_eq!(one.ply(), other.ply());
    assert_eq!(one.draw_offer(), other.draw_offer());
    assert_eq!(one.takeback(), other.takeback());
    assert_eq!(one.is_paused(), other.is_paused());
}

/// Checks that a session survives PGN text in either format.
///
/// # Panics
/// Panics if a property does not hold.
pub fn through_text(session: &Session) {
    let saved = session.save();
    for format in [Format::Export, Format::Compact] {
        let text = pgn::to_string(&saved, format);
        let mut games = pgn::games(text.as_bytes());
        let game = games.next().unwrap();
        assert_eq!(game.errors, [], "{text}");
        assert!(games.next().is_none(), "{text}");
        assert_eq!(game.record, saved, "{text}");
        same(session, &Session::restore(game.record));
    }
}
