//! The menus of the game screen: the actions in a game and in a review, and the marks for a move.

use tabiya_game::{ClaimRule, Comment, Glyph};
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, NotesRequest, Pending, Request, StudyRequest};
use tabiya_play::variations::{self, Variation};
use tabiya_rules::Color;

use super::super::act::Act;
use super::super::board::Board;
use super::super::{App, Screen};
use super::dialog::{Choice, Dialog, REMATCH};
use super::palette::CommandPalette;
use crate::commands::OpenCommand;
use crate::key_map::KeyAction;

/// The menu of the board.
pub(crate) fn board(app: &App) -> Dialog {
    if app.board().is_review() {
        return review(app);
    }
    let mut choices = if app.board().session().outcome().is_none() {
        choices_in_game(app)
    } else {
        let undo = Act::request(GameRequest::Undo(1));
        vec![
            Choice::new('r', REMATCH, Act::perform(GameRequest::Rematch)),
            Choice::new('j', "Judge it with the engine", judge()),
            Choice::new('u', undo_label(app.board()), undo),
        ]
    };
    let review = Act::perform(OpenCommand::Review(None));
    choices.extend([
        Choice::new('n', "New game…", Act::Form),
        Choice::new('v', "Review this game", review),
        Choice::new('h', "Home", Act::Screen(Screen::Home)),
    ]);
    // Enter alone never ends a game.
    let ends = |request: &Request| {
        matches!(
            request,
            Request::Game(GameRequest::Claim { .. } | GameRequest::Accept(_))
        )
    };
    let chosen = choices
        .iter()
        .position(|choice| !matches!(&choice.act, Act::Request(request) if ends(request)));
    Dialog {
        chosen: chosen.unwrap_or(0),
        ..Dialog::new("This game", choices)
    }
}

/// What an undo takes back after the end of the game.
pub(crate) fn undo_label(board: &Board) -> &'static str {
    if board.session().ended_by_act() {
        "Reopen the game"
    } else {
        "Take back the last move"
    }
}

/// Has the built-in engine judge the game.
pub(super) fn judge() -> Act {
    Act::perform(StudyRequest::Judge(PlayerSpec::Bot(None)))
}

/// The actions of players during the game.
fn choices_in_game(app: &App) -> Vec<Choice> {
    let session = app.board().session();
    let turn = app.board().speaker();
    let mover = app.board().opponents().takeback_side(session);
    // A player who has one side knows whose actions these are.
    let alone = app.board().opponents().person().is_some();
    let label = |own: &str, by: Color, what: &str| {
        if alone {
            own.to_owned()
        } else {
            format!("{} {what}", app.board().called(by))
        }
    };
    let mut choices = Vec::new();
    if session.draw_offer().is_some() {
        let decline = Act::request(GameRequest::Decline(Some(Pending::Draw)));
        let accept = Act::request(GameRequest::Accept(Some(Pending::Draw)));
        choices.push(Choice::new('d', "Decline the draw", decline));
        choices.push(Choice::new('a', "Accept the draw", accept));
    }
    let own = app.board().opponents().is_human(session.turn());
    for claim in session.claims().into_iter().filter(|_| own) {
        let label = match claim.rule() {
            ClaimRule::FiftyMoves => "Claim a draw: 50 moves",
            ClaimRule::Threefold => "Claim a draw: threefold",
        };
        let claim = GameRequest::Claim {
            rule: Some(claim.rule()),
            intended: None,
        };
        choices.push(Choice::new('c', label, Act::request(claim)));
    }
    if session.draw_offer().is_none() {
        let label = label("Offer a draw", turn, "offers a draw");
        let offer = Dialog::draw_offer(turn, app.board());
        choices.push(Choice::new('o', label, Act::open(offer)));
    }
    if has_moved(app, mover) {
        let asks = Act::request(GameRequest::Takeback(Some(mover)));
        let label = label("Ask to take back", mover, "asks to take back");
        choices.push(Choice::new('t', label, asks));
    }
    let label = label("Resign", turn, "resigns");
    let resign = Dialog::resignation(turn, app.board());
    choices.push(Choice::new('r', label, Act::open(resign)));
    choices
}

/// Whether a side has a move to take back.
fn has_moved(app: &App, color: Color) -> bool {
    let session = app.board().session();
    let first = if session.record().start().turn() == color {
        1
    } else {
        2
    };
    session.ply() >= first
}

/// The menu of a review.
fn review(app: &App) -> Dialog {
    let node = app.board().node();
    let mut choices = vec![Choice::new('p', "Play on from here…", Act::PlayOn)];
    if node.parent().is_some() {
        choices.push(Choice::new(
            'm',
            "Mark or comment the move…",
            Act::Key(KeyAction::Marks),
        ));
    }
    if variations::branch(node).is_some() {
        let main = Act::request(NotesRequest::Variation(Variation::Main));
        choices.push(Choice::new('l', "Make this the main line", main));
    }
    if node.parent().is_some() {
        let delete = Act::perform(NotesRequest::Variation(Variation::Delete));
        choices.push(Choice::new('d', "Delete from here on", delete));
    }
    if app.board().session().record().len() > 1 {
        let judged = app.board().study().is_some_and(|study| study.done);
        let retry = Act::request(StudyRequest::Retry);
        choices.push(match judged {
            true => Choice::new('t', "Try again at the next mistake", retry),
            false => Choice::new('j', "Judge the game with the engine", judge()),
        });
    }
    choices.push(Choice::new(
        's',
        "Save as PGN…",
        Act::Key(KeyAction::Type("pgn ")),
    ));
    choices.push(Choice::new(
        'v',
        "Picture as SVG…",
        Act::Key(KeyAction::Type("svg ")),
    ));
    if app.picker.is_some() {
        let others = Act::Screen(Screen::Picker);
        choices.push(Choice::new('g', "Other games of the file", others));
    }
    choices.push(Choice::new('h', "Home", Act::Screen(Screen::Home)));
    Dialog::new("This review", choices)
}

/// The glyphs and the comment for the current move.
pub(crate) fn marks(app: &App) -> Dialog {
    let node = app.board().node();
    let title = match (node.san(), node.parent()) {
        (Some(san), _) => format!("Mark {san}"),
        (None, Some(_)) => "Mark the null move".to_owned(),
        (None, None) => "Comment the start".to_owned(),
    };
    let mut choices = Vec::new();
    if node.parent().is_some() {
        for (key, sign, what) in [
            ('1', "!", "good"),
            ('2', "?", "a mistake"),
            ('3', "!!", "brilliant"),
            ('4', "??", "a blunder"),
            ('5', "!?", "interesting"),
            ('6', "?!", "dubious"),
        ] {
            let mark = Act::request(NotesRequest::Glyph(Glyph::from_symbol(sign)));
            choices.push(Choice::new(key, format!("{sign:<2} {what}"), mark));
        }
        let unmark = Act::request(NotesRequest::Glyph(None));
        choices.push(Choice::new('0', "No sign", unmark));
    }
    // The input line starts with the existing comment.
    let comments = &node.annotation().comments;
    let text: Vec<&str> = comments.iter().map(Comment::as_str).collect();
    let comment = CommandPalette::with(&format!("comment {}", text.join(" ")));
    choices.push(Choice::new('c', "Comment…", Act::open(comment)));
    Dialog::new(title, choices)
}
