//! Refusals, as the fixed texts of the line mode.

use std::borrow::Cow;

use tabiya_game::{MoveRefusal, Refusal};
use tabiya_play::outcome::TableRefusal;
use tabiya_play::players::PlayerError;
use tabiya_play::variations::VariationError;
use tabiya_rules::text::excerpt;
use tabiya_rules::{Color, IllegalMove, Move, Position, Role, SanError, Square};

use super::{answers, study};
use crate::commands::{Misuse, MisusedCommand, suggest};
use crate::key_map::Keys;
use crate::theme::THEMES;

/// How a front refers to what a person can do there.
#[derive(Clone, Debug)]
pub struct Instructions {
    /// How to resume a paused game.
    pub resume: Cow<'static, str>,
    /// How to have a game judged.
    pub judge: Cow<'static, str>,
    /// How to leave a review.
    pub play: Cow<'static, str>,
    /// The text after the fixed one about an unreadable move.
    pub notation: Option<&'static str>,
    /// How to have another engine play.
    pub opponent: Option<Cow<'static, str>>,
}

/// The line mode has lines.
pub const LINE_MODE: Instructions = Instructions {
    resume: Cow::Borrowed("Enter pause to go on."),
    judge: Cow::Borrowed("enter study first."),
    play: Cow::Borrowed("Enter back to return to your game."),
    notation: Some("Algebraic notation is read too, e.g. Nf3."),
    opponent: Some(Cow::Borrowed("enter opponent bot:5 or opponent uci:NAME")),
};

/// The full screen has keys, and commands after one of them.
pub fn full_screen(keys: &Keys) -> Instructions {
    Instructions {
        resume: resume(keys).into(),
        judge: format!("type {} first.", keys.typed("study")).into(),
        play: format!("Press {} to play on from here.", keys.named("menu")).into(),
        notation: None,
        opponent: Some(format!("enter {}", keys.typed("opponent bot 5")).into()),
    }
}

/// How to resume a paused game on the full screen.
pub fn resume(keys: &Keys) -> String {
    format!("Press {} to go on.", keys.named("pause"))
}

/// The page of a server has buttons. Terminals that have joined show its sentences too.
pub const WEB_PAGE: Instructions = Instructions {
    resume: Cow::Borrowed("Resume it to go on."),
    judge: Cow::Borrowed("press Judge first."),
    play: Cow::Borrowed("Press Back to the game to return to it."),
    notation: None,
    opponent: None,
};

/// Sentences about a refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefusalText {
    pub lines: Vec<String>,
    /// Whether they suggest moves or commands.
    pub suggests: bool,
}

impl<S: Into<String>> From<S> for RefusalText {
    fn from(sentence: S) -> RefusalText {
        RefusalText {
            lines: vec![sentence.into()],
            suggests: false,
        }
    }
}

/// A sentence that suggests something.
fn suggestion(sentence: String) -> RefusalText {
    RefusalText {
        suggests: true,
        ..RefusalText::from(sentence)
    }
}

/// Why the engine of a side cannot continue, and how the game does.
pub fn engine_failed(color: Color, why: &PlayerError, instructions: &Instructions) -> Vec<String> {
    let other = instructions.opponent.as_ref();
    let other = other.map_or(String::new(), |how| format!(", or {how}"));
    vec![
        why.to_string(),
        format!("Move for {color} yourself{other}."),
    ]
}

/// Why a request was refused, given the position on the screen.
pub fn refused(
    refused: &TableRefusal,
    position: &Position,
    instructions: &Instructions,
) -> RefusalText {
    match refused {
        TableRefusal::Game { refusal, typed } => {
            refused_by_game(refusal, typed.as_deref(), position, instructions)
        }
        TableRefusal::NothingToCapture(meant) => {
            let why = nothing_to_capture(*meant, position);
            suggestion(format!("Illegal move. {why}"))
        }
        TableRefusal::EnginesTurn {
            turn,
            name,
            looking: true,
        } => format!(
            "It is {turn}'s turn, and {name} plays {turn}: go to one of your turns, or enter goto end."
        )
        .into(),
        TableRefusal::EnginesTurn {
            turn,
            name,
            looking: false,
        } => format!("It is {turn}'s turn: {name} is thinking.").into(),
        TableRefusal::Watching => "You are watching this game: its players move.".into(),
        TableRefusal::NoSuchMove { plies: 0 } => {
            "There is no such move: no move has been played yet.".into()
        }
        TableRefusal::NoSuchMove { plies: 1 } => {
            "There is no such move: the game has one ply.".into()
        }
        TableRefusal::NoSuchMove { plies } => {
            format!("There is no such move: the game has {plies} plies.").into()
        }
        TableRefusal::NothingToAnswer => "There is nothing to answer.".into(),
        TableRefusal::TwoToAnswer => {
            "There is a draw offer and a takeback request: say which one you mean.".into()
        }
        TableRefusal::NoMoveToMark => "There is no move here to mark.".into(),
        TableRefusal::Variation(VariationError::MainLine) => "This is the main line.".into(),
        TableRefusal::Variation(VariationError::NoOtherMove) => {
            "There is no alternative to this move.".into()
        }
        TableRefusal::Variation(VariationError::NothingToDelete) => {
            "There is no move here to delete.".into()
        }
        TableRefusal::OnServer => {
            "This game is on a server: moves are only made at its current position, and other changes need the \
             players' consent.".into()
        }
        TableRefusal::EnginesDecision { side, name } => {
            format!("{name} plays {side} and decides that itself.").into()
        }
        TableRefusal::NoHelp => {
            "Engines do not help in a game between two people. You can review it when it is over.".into()
        }
        TableRefusal::OnlyReviewed => {
            format!("That only works in a game being played. {}", instructions.play).into()
        }
        TableRefusal::NoPremove => "There is no premove.".into(),
        TableRefusal::StartIsOver(outcome) => {
            format!("No game can begin there: {outcome}").into()
        }
        TableRefusal::NothingToThinkAbout => "There is no move to think about.".into(),
        TableRefusal::NoAdvice => "The engine found nothing to say.".into(),
        TableRefusal::NothingToJudge => "There are no moves to judge.".into(),
        TableRefusal::NotJudged => format!("The game is not judged yet: {}", instructions.judge).into(),
        TableRefusal::EngineSeated => {
            "An engine plays a side of this game; enter opponent human first.".into()
        }
        TableRefusal::NoMistake => "There is no mistake to try again.".into(),
        TableRefusal::AllImproved => {
            "That was the last mistake. Retry again to start over with the first one.".into()
        }
        TableRefusal::NoLine => {
            "The engine has no other line here: go to a move that was a mistake.".into()
        }
        TableRefusal::Tried(tried) => study::tried(tried).into(),
        TableRefusal::Engine(error) => error.to_string().into(),
    }
}

/// Why the session refused a command.
fn refused_by_game(
    refusal: &Refusal,
    typed: Option<&str>,
    position: &Position,
    instructions: &Instructions,
) -> RefusalText {
    match refusal {
        Refusal::Move(refusal) => refused_move(refusal, typed, position, instructions),
        Refusal::Claim(refusal) => RefusalText {
            lines: refusal.sentences().map(str::to_owned).collect(),
            suggests: false,
        },
        Refusal::Paused => format!("The game is paused. {}", instructions.resume).into(),
        Refusal::GameOver(_)
        | Refusal::NotPaused
        | Refusal::NothingToUndo
        | Refusal::NothingToRedo
        | Refusal::NoSuchPly { .. }
        | Refusal::NoSuchMove
        | Refusal::NoOtherPlace
        | Refusal::StartStays
        | Refusal::NoDrawOffer { .. }
        | Refusal::DrawIsOffered { .. }
        | Refusal::NoTakeback { .. }
        | Refusal::TakebackIsAsked { .. }
        | Refusal::NoMoveToTakeBack { .. }
        | Refusal::Tag(_)
        | Refusal::RecordFull
        | Refusal::TooDeep
        | Refusal::TextTooLong { .. } => refusal.to_string().into(),
    }
}

/// Why a move was refused, and which one may have been meant.
fn refused_move(
    refusal: &MoveRefusal,
    typed: Option<&str>,
    position: &Position,
    instructions: &Instructions,
) -> RefusalText {
    match refusal {
        // The refusal quotes only the beginning of a long text.
        MoveRefusal::Unreadable { text } => {
            unreadable(typed.unwrap_or(text), position, instructions)
        }
        MoveRefusal::San(SanError::PromotionRequired) => {
            illegal(IllegalMove::PromotionRequired).into()
        }
        MoveRefusal::Illegal(reason) => illegal(*reason).into(),
        MoveRefusal::San(SanError::Illegal {
            reason: Some(reason),
            ..
        }) => illegal(*reason).into(),
        MoveRefusal::San(SanError::Ambiguous { candidates }) => {
            let which = alternatives(position, candidates);
            suggestion(format!("Illegal move. Which one: {which}?"))
        }
        MoveRefusal::San(SanError::Illegal {
            role: Some(Role::King),
            to: Some(to),
            ..
        }) if let Some(castle) = castling_meant_by_rook_square(*to, position) => {
            let (san, king) = (position.san(castle), castle.destination());
            suggestion(format!(
                "Illegal move. Your own Rook is on {}; castling is {san} or K{king}.",
                castle.to()
            ))
        }
        MoveRefusal::San(SanError::Illegal {
            reason: None,
            candidates,
            ..
        }) => match few_alternatives(position, candidates) {
            Some(moves) => suggestion(format!("Illegal move. {refusal} Possible: {moves}.")),
            None => format!("Illegal move. {refusal}").into(),
        },
        MoveRefusal::San(reason) => format!("Illegal move. {reason}").into(),
        MoveRefusal::NullMove => format!("Illegal move. {refusal}").into(),
    }
}

/// The castling move that was meant by a king's move to its rook.
fn castling_meant_by_rook_square(to: Square, position: &Position) -> Option<Move> {
    let mut legal = position.legal_moves().into_iter();
    legal.find(|played| played.is_castle() && played.to() == to)
}

/// The message about a move with a superfluous capture sign, and the move that is meant.
pub fn nothing_to_capture(meant: Move, position: &Position) -> String {
    let san = position.san(meant);
    format!("Nothing stands on {}: {san}?", meant.destination())
}

/// Why a text is not a move, and what it may have been meant to be.
fn unreadable(typed: &str, position: &Position, instructions: &Instructions) -> RefusalText {
    let typed = typed.trim();
    let complaint = format!(
        "Invalid move format '{}'. Use coordinate notation, e.g. e2e4.",
        excerpt(typed)
    );
    let near = suggest::near(typed, position);
    let suggestion =
        (!near.is_empty()).then(|| format!("Did you mean {}?", suggest::listed(&near)));
    RefusalText {
        suggests: suggestion.is_some(),
        lines: [complaint]
            .into_iter()
            .chain(instructions.notation.map(str::to_owned))
            .chain(suggestion)
            .collect(),
    }
}

/// The sentence about an illegal move.
fn illegal(reason: IllegalMove) -> String {
    if matches!(reason, IllegalMove::NoPiece { .. }) {
        reason.to_string()
    } else if matches!(reason, IllegalMove::OpponentsPiece { .. }) {
        "That is not your piece.".to_owned()
    } else {
        format!("Illegal move. {reason}")
    }
}

/// Moves in a sentence: `Nbd2 or Nfd2`.
fn alternatives(position: &Position, moves: &[Move]) -> String {
    let texts: Vec<String> = moves
        .iter()
        .map(|&found| position.san(found).to_string())
        .collect();
    suggest::listed(&texts)
}

/// The similar moves, if they are few enough to read.
fn few_alternatives(position: &Position, candidates: &[Move]) -> Option<String> {
    const MAX_SIMILAR_MOVES: usize = 6;
    (1..=MAX_SIMILAR_MOVES)
        .contains(&candidates.len())
        .then(|| alternatives(position, candidates))
}

/// The lines about arguments that a command refuses.
pub fn misused(misused: &MisusedCommand) -> Vec<String> {
    match &misused.why {
        Misuse::Form => {
            let usage = format!("Usage: {}", misused.entry.usage());
            let more = answers::wrapped(&misused.entry.help(), "  ");
            [usage].into_iter().chain(more).collect()
        }
        Misuse::OpenQuote(typed) => vec![format!("The quote in {} has no end.", excerpt(typed))],
        Misuse::Fen(error) => vec![sentence(error)],
        Misuse::SaveName(error) => vec![error.to_string()],
        Misuse::Clock(error) => vec![error.to_string()],
        Misuse::Player(error) => vec![sentence(error)],
        Misuse::NotAnEngine(typed) => vec![format!(
            "Only bots and engines can do that: bot, bot:LEVEL with a level from 1 to 10, or uci:NAME with an \
             engine's name or path, not '{}'.",
            excerpt(typed)
        )],
        Misuse::StartNumber => {
            vec!["The start positions of Chess960 are numbered from 0 to 959.".to_owned()]
        }
        Misuse::NotForNewGame(typed) => vec![format!(
            "'{}' is neither a side, an opponent nor a clock. help new shows what can be given.",
            excerpt(typed)
        )],
        Misuse::Filter(error) => vec![error.to_string()],
        Misuse::NoTheme => {
            let names: Vec<&str> = THEMES.iter().map(|theme| theme.name).collect();
            vec![format!("The themes are {}.", names.join(", "))]
        }
        Misuse::NoCommand(typed) => vec![suggest::no_command(typed)],
        Misuse::Setting(error) => vec![error.to_string()],
        Misuse::GameSetting { key, values } => vec![format!("{key} is {values}.")],
    }
}

/// The sentence for an error that displays without a capital letter and a full stop.
fn sentence(error: &impl std::error::Error) -> String {
    let reason = error.to_string();
    let mut letters = reason.chars();
    let first = letters.next().map(char::to_uppercase);
    let first: String = first.into_iter().flatten().collect();
    format!("{first}{}.", letters.as_str())
}

/// The code of a refusal, for programs.
pub fn code(refused: &TableRefusal) -> &'static str {
    match refused {
        TableRefusal::Game { refusal, .. } => game_code(refusal),
        TableRefusal::NothingToCapture(_) => "nothing_to_capture",
        TableRefusal::EnginesTurn { .. } => "engines_turn",
        TableRefusal::Watching => "watching",
        TableRefusal::NoSuchMove { .. } => "no_such_move",
        TableRefusal::NothingToAnswer => "nothing_to_answer",
        TableRefusal::TwoToAnswer => "two_to_answer",
        TableRefusal::NoMoveToMark => "no_move_to_mark",
        TableRefusal::Variation(_) => "no_variation",
        TableRefusal::OnServer => "on_server",
        TableRefusal::EnginesDecision { .. } => "engines_decision",
        TableRefusal::NoHelp => "no_help",
        TableRefusal::OnlyReviewed => "only_reviewed",
        TableRefusal::NoPremove => "no_premove",
        TableRefusal::StartIsOver(_) => "start_is_over",
        TableRefusal::NothingToThinkAbout => "nothing_to_think_about",
        TableRefusal::NoAdvice => "no_advice",
        TableRefusal::NothingToJudge => "nothing_to_judge",
        TableRefusal::NotJudged => "not_judged",
        TableRefusal::EngineSeated => "engine_seated",
        TableRefusal::NoMistake => "no_mistake",
        TableRefusal::AllImproved => "all_improved",
        TableRefusal::NoLine => "no_line",
        TableRefusal::Tried(_) => "not_good_enough",
        TableRefusal::Engine(_) => "engine",
    }
}

/// The code of a refusal of the session.
fn game_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Move(refusal) => match refusal {
            MoveRefusal::Unreadable { .. } | MoveRefusal::San(SanError::Syntax) => "move_format",
            MoveRefusal::Illegal(IllegalMove::NoPiece { .. }) => "empty_square",
            MoveRefusal::Illegal(IllegalMove::OpponentsPiece { .. }) => "opponents_piece",
            MoveRefusal::Illegal(IllegalMove::PromotionRequired)
            | MoveRefusal::San(SanError::PromotionRequired) => "promotion_required",
            MoveRefusal::San(SanError::Ambiguous { .. }) => "ambiguous_move",
            MoveRefusal::Illegal(_) | MoveRefusal::San(_) | MoveRefusal::NullMove => "illegal_move",
        },
        Refusal::Claim(_) => "claim",
        Refusal::GameOver(_) => "game_over",
        Refusal::Paused => "paused",
        Refusal::NotPaused => "not_paused",
        Refusal::NothingToUndo => "nothing_to_undo",
        Refusal::NothingToRedo => "nothing_to_redo",
        Refusal::NoSuchPly { .. } | Refusal::NoSuchMove => "no_such_move",
        Refusal::NoOtherPlace => "no_other_place",
        Refusal::StartStays => "start_stays",
        Refusal::NoDrawOffer { .. } => "no_draw_offer",
        Refusal::DrawIsOffered { .. } => "draw_is_offered",
        Refusal::NoTakeback { .. } => "no_takeback",
        Refusal::TakebackIsAsked { .. } => "takeback_is_asked",
        Refusal::NoMoveToTakeBack { .. } => "no_move_to_take_back",
        Refusal::Tag(_) => "tag",
        Refusal::RecordFull => "record_full",
        Refusal::TooDeep => "too_deep",
        Refusal::TextTooLong { .. } => "text_too_long",
    }
}
