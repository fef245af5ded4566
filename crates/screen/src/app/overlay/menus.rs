//! The menus of the game screen: the actions in a game and in a review, and the marks for a move.

use tabiya_front::commands::OpenCommand;
use tabiya_front::key_map::KeyAction;
use tabiya_front::review::Origin;
use tabiya_game::{Claim, ClaimRule, Comment, Glyph};
use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::desk::DeskRequest;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::{GameRequest, NotesRequest, Pending, Request, StudyRequest};
use tabiya_play::variations::{self, VariationAction};

use super::super::action::Action;
use super::super::board::Board;
use super::super::{App, Screen};
use super::command_palette::CommandPalette;
use super::dialog::{Choice, Dialog, REMATCH, accept, decline};

/// The menu of the board.
pub(crate) fn board(app: &App) -> Dialog {
    if app.board().is_review() {
        return review(app);
    }
    let mut choices = if app.desk.front().session().outcome().is_none() {
        choices_in_game(app)
    } else {
        let undo = Action::request(GameRequest::Undo(1));
        vec![
            Choice::new('r', REMATCH, Action::perform(GameRequest::Rematch)),
            Choice::new('j', "Judge it with the engine", judge()),
            Choice::new('u', undo_label(app.board()), undo),
        ]
    };
    let review = Action::perform(OpenCommand::Review(None));
    choices.extend([
        Choice::new('n', "New game…", Action::Form),
        Choice::new('v', "Review this game", review),
        Choice::new('h', "Home", Action::Screen(Screen::Home)),
    ]);
    // Enter alone never ends a game.
    let ends = |request: &DeskRequest<Origin>| {
        use GameRequest::{Accept, Claim};
        let DeskRequest::Table(Request::Game(request)) = request else {
            return false;
        };
        matches!(request, Claim { .. } | Accept(_))
    };
    let is_safe = |one: &Choice| !matches!(&one.act, Action::Request(request) if ends(request));
    Dialog {
        chosen: choices.iter().position(is_safe).unwrap_or(0),
        ..Dialog::new("This game", choices)
    }
}

/// What an undo takes back after the end of the game.
pub(crate) fn undo_label(board: Board<'_>) -> &'static str {
    match board.session().ended_by_act() {
        true => "Reopen the game",
        false => "Take back the last move",
    }
}

/// Has the built-in engine judge the game.
pub(super) fn judge() -> Action {
    Action::perform(StudyRequest::Judge(PlayerSpec::Bot(None)))
}

/// The actions of players during the game.
fn choices_in_game(app: &App) -> Vec<Choice> {
    let session = app.desk.front().session();
    let turn = app.board().acting_side();
    let mover = app.board().opponents().takeback_side(session);
    let label = |own: &str, by, what| match app.board().opponents().person() {
        // A player who has one side knows whose actions these are.
        Some(_) => own.to_owned(),
        None => format!("{} {what}", app.board().called(by)),
    };
    let mut choices = Vec::new();
    if session.draw_offer().is_some() {
        choices.extend([
            Choice::new('d', "Decline the draw", decline(Pending::Draw)),
            Choice::new('a', "Accept the draw", accept(Pending::Draw)),
        ]);
    }
    if app.board().opponents().is_human(session.turn()) {
        choices.extend(session.claims().iter().map(claim_choice));
    }
    if session.draw_offer().is_none() {
        let label = label("Offer a draw", turn, "offers a draw");
        let offer = Dialog::draw_offer(turn, app.board());
        choices.push(Choice::new('o', label, Action::open(offer)));
    }
    let is_second = session.record().start().turn() != mover;
    if session.ply() > u32::from(is_second) {
        let asks = Action::request(GameRequest::Takeback(Some(mover)));
        let label = label("Ask to take back", mover, "asks to take back");
        choices.push(Choice::new('t', label, asks));
    }
    let label = label("Resign", turn, "resigns");
    let resign = Dialog::resignation(turn, app.board());
    choices.push(Choice::new('r', label, Action::open(resign)));
    choices
}

fn claim_choice(claim: &Claim) -> Choice {
    let label = match claim.rule() {
        ClaimRule::FiftyMoves => "Claim a draw: 50 moves",
        ClaimRule::Threefold => "Claim a draw: threefold",
    };
    let claim = GameRequest::Claim {
        rule: Some(claim.rule()),
        intended: None,
    };
    Choice::new('c', label, Action::request(claim))
}

/// The menu of a review.
fn review(app: &App) -> Dialog {
    let node = app.desk.front().node();
    let is_move = node.parent().is_some();
    let main = Action::request(NotesRequest::Variation(VariationAction::Main));
    let delete = Action::perform(NotesRequest::Variation(VariationAction::Delete));
    let retry = Action::request(StudyRequest::Retry);
    let study = match app.board().study() {
        Some(study) if study.done => Choice::new('t', "Try again at the next mistake", retry),
        Some(_) | None => Choice::new('j', "Judge the game with the engine", judge()),
    };
    let line = |key, label, which| {
        let is_there = is_move && app.board().study().is_some_and(|study| study.done);
        is_there.then(|| Choice::new(key, label, Action::request(StudyRequest::Line(which))))
    };
    let (has_file, others) = (app.screens.picker.is_some(), Action::Screen(Screen::Picker));
    let choices = [
        Some(Choice::new('p', "Play on from here…", Action::PlayOn)),
        is_move.then(|| {
            Choice::new(
                'm',
                "Mark or comment the move…",
                Action::Key(KeyAction::Marks),
            )
        }),
        variations::branch(node).map(|_| Choice::new('l', "Make this the main line", main)),
        is_move.then(|| Choice::new('d', "Delete from here on", delete)),
        Some(study).filter(|_| app.desk.front().session().record().len() > 1),
        line('b', "Show the better line", LineKind::Best),
        line('r', "Show the refutation", LineKind::Refutation),
        Some(Choice::new(
            's',
            "Save as PGN…",
            Action::Key(KeyAction::Type("pgn ")),
        )),
        Some(Choice::new(
            'v',
            "Picture as SVG…",
            Action::Key(KeyAction::Type("svg ")),
        )),
        has_file.then(|| Choice::new('g', "Other games of the file", others)),
        Some(Choice::new('h', "Home", Action::Screen(Screen::Home))),
    ];
    Dialog::new("This review", choices.into_iter().flatten().collect())
}

/// The glyphs and the comment for the current move.
pub(crate) fn marks(app: &App) -> Dialog {
    let node = app.desk.front().node();
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
            let mark = Action::request(NotesRequest::Glyph(Glyph::from_symbol(sign)));
            choices.push(Choice::new(key, format!("{sign:<2} {what}"), mark));
        }
        let unmark = Action::request(NotesRequest::Glyph(None));
        choices.push(Choice::new('0', "No sign", unmark));
    }
    // The input line starts with the existing comment.
    let comments = &node.annotation().comments;
    let text: Vec<&str> = comments.iter().map(Comment::as_str).collect();
    let comment = CommandPalette::with(&format!("comment {}", text.join(" ")));
    choices.push(Choice::new('c', "Comment…", Action::open(comment)));
    Dialog::new(title, choices)
}
