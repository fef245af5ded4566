//! A question with a few answers: promotions, confirmations, offers, the menu of a game, its end.

pub(crate) mod layout;

use std::path::PathBuf;
use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use tabiya_game::{ClaimRule, Command, DrawPolicy, Glyph, MoveInput, NodeId, Record, Timestamp};
use tabiya_play::opponents::Stranger;
use tabiya_play::players::PlayerSpec;
use tabiya_play::request::NewRequest;
use tabiya_play::variations::Variation;
use tabiya_rules::text::excerpt;
use tabiya_rules::{ByColor, Color, Role, Square};
use tabiya_store::SaveName;

use super::review::Origin;
use super::strangers::Answer;
use super::{App, Overlay, Screen, table};
use crate::commands;
use crate::game_file::Extent;
use crate::matches::MatchOrder;
use crate::message::{Effect, MatchEffect, StoreEffect};

/// What an answer does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act {
    /// Changes the game.
    Apply(Command),
    /// Asks first.
    ConfirmResignation(Color),
    ConfirmOffer(Color),
    /// Takes back, without anyone to ask.
    Undo,
    Rematch,
    Form,
    Home,
    Close,
    /// Starts an engine that only a save knows.
    Admit(Box<Stranger>),
    /// Leaves its side to a person.
    TurnAway(Box<Stranger>),
    /// Marks the move on the screen.
    Glyph(Option<Glyph>),
    /// Opens a line for its comment.
    Comment,
    /// Looks back at the game.
    Review,
    /// Opens the choice of marks.
    Marks,
    Vary(Variation),
    /// Deletes a move and what follows it.
    Delete(NodeId),
    DeleteSave(SaveName),
    /// Puts the reviewed game in the place of a save.
    SaveOver(SaveName),
    /// Writes a text in the place of a file.
    Replace(Box<Replacement>),
    /// Puts the reviewed game back into its file.
    PutBack(Box<Replacement>, Extent),
    /// Opens the form for a game from the position on the screen.
    PlayOn,
    /// Opens the palette with the beginning of a command.
    Type(&'static str),
    /// Shows the games of the file again.
    Picker,
    /// Opens a game in the place of another review.
    OpenReview(Box<Record>, Origin),
    /// Opens a review again that was cut off.
    OpenCutOff(SaveName),
    /// Moves it to the trash.
    DeleteCutOff(SaveName),
    /// Does what begins another game, although this one is not kept.
    Anyway(Box<commands::Command>),
    /// Begins the game of a form, although this one is not kept.
    BeginAnyway(Box<NewRequest>, DrawPolicy),
    /// Begins a match in the place of another.
    StartMatch(Box<MatchOrder>),
    /// Lets the engine judge the game.
    Study,
    /// Goes to the next mistake.
    Retry,
    StopMatch,
    Leave,
}

/// Another game of the same kind.
const REMATCH: &str = "Rematch, colors swapped";

/// A text for a file that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// Whether everything that was written in the review is in it.
    pub(crate) is_review: bool,
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// The letter that chooses it at once.
    pub(crate) key: char,
    pub(crate) label: String,
    pub(crate) act: Act,
}

impl Choice {
    pub(crate) fn new(key: char, label: impl Into<String>, act: Act) -> Choice {
        Choice {
            key,
            label: label.into(),
            act,
        }
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Dialog {
    pub(crate) title: String,
    pub(crate) text: Vec<String>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) chosen: usize,
    /// The move that it is about, from where to where.
    pub(crate) about: Option<(Square, Square)>,
    /// When it came by itself, perhaps in the middle of something that is being typed.
    pub(crate) came: Option<Timestamp>,
    /// Whether the board matters more than the answers.
    pub(crate) spares_board: bool,
    /// What happens when it is closed without an answer.
    pub(crate) unanswered: Act,
}

/// How long a question that came by itself takes no letter.
const SURPRISE: Duration = Duration::from_millis(500);

impl Dialog {
    pub(crate) fn new(title: impl Into<String>, choices: Vec<Choice>) -> Dialog {
        Dialog {
            title: title.into(),
            text: Vec::new(),
            choices,
            chosen: 0,
            about: None,
            came: None,
            spares_board: false,
            unanswered: Act::Close,
        }
    }

    /// What a pawn becomes.
    pub(crate) fn promotion(from: Square, to: Square) -> Dialog {
        let choices = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].map(|role| {
            let input = MoveInput::Squares {
                from,
                to,
                promotion: Some(role),
            };
            Choice::new(role.char(), role.name(), Act::Apply(Command::Play(input)))
        });
        Dialog {
            about: Some((from, to)),
            ..Dialog::new(
                format!("The pawn goes to {to} and becomes"),
                choices.to_vec(),
            )
        }
    }

    pub(crate) fn yes_or_no(title: String, yes: Act) -> Dialog {
        Dialog::new(
            title,
            vec![
                Choice::new('y', "Yes", yes),
                Choice::new('n', "No", Act::Close),
            ],
        )
    }

    /// Before something is done that forgets what no file has.
    pub(crate) fn forget(title: impl Into<String>, act: Act) -> Dialog {
        Dialog::yes_or_no(title.into(), act).at_no()
    }

    /// The same with the careful answer chosen.
    pub(crate) fn at_no(self) -> Dialog {
        Dialog { chosen: 1, ..self }
    }

    /// Before an engine is started that only a save knows.
    pub(crate) fn stranger(stranger: Stranger) -> Dialog {
        let no = format!("No, you move for {}", stranger.color);
        let title = stranger.introduction();
        let stranger = Box::new(stranger);
        let choices = vec![
            Choice::new('y', "Start it", Act::Admit(stranger.clone())),
            Choice::new('n', no, Act::TurnAway(stranger.clone())),
        ];
        Dialog {
            unanswered: Act::TurnAway(stranger),
            ..Dialog::new(title, choices)
        }
        .at_no()
    }

    pub(crate) fn deletion(name: SaveName) -> Dialog {
        let title = format!("Move '{name}' to the trash?");
        Dialog::yes_or_no(title, Act::DeleteSave(name)).at_no()
    }

    /// It ends the game, so that the careful answer is chosen.
    pub(crate) fn resignation(by: Color, called: &str) -> Dialog {
        Dialog::yes_or_no(
            format!("Does {called} resign?"),
            Act::Apply(Command::Resign(by)),
        )
        .at_no()
    }

    pub(crate) fn draw_offer(by: Color, called: &str) -> Dialog {
        Dialog::yes_or_no(
            format!("Does {called} offer a draw?"),
            Act::Apply(Command::OfferDraw(by)),
        )
    }

    /// An offer, for the side that was made it.
    pub(crate) fn answer_draw(by: Color, called: &ByColor<String>) -> Dialog {
        let answers = !by;
        Dialog::new(
            format!("{} offers a draw. {}:", called[by], called[answers]),
            vec![
                Choice::new('d', "Decline", Act::Apply(Command::DeclineDraw(answers))),
                Choice::new('a', "Accept", Act::Apply(Command::AcceptDraw(answers))),
            ],
        )
    }

    pub(crate) fn answer_takeback(by: Color, called: &ByColor<String>) -> Dialog {
        let answers = !by;
        Dialog::new(
            format!(
                "{} asks to take a move back. {}:",
                called[by], called[answers]
            ),
            vec![
                Choice::new('g', "Grant it", Act::Apply(Command::GrantTakeback(answers))),
                Choice::new(
                    'd',
                    "Decline",
                    Act::Apply(Command::DeclineTakeback(answers)),
                ),
            ],
        )
    }

    /// The end of a game.
    pub(crate) fn end(sentence: String, result: &str, moves: u32) -> Dialog {
        let length = match moves {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        Dialog {
            text: vec![format!("{result} · {length}")],
            spares_board: true,
            ..Dialog::new(
                sentence,
                vec![
                    Choice::new('r', REMATCH, Act::Rematch),
                    Choice::new('n', "New game…", Act::Form),
                    Choice::new('v', "Review it", Act::Review),
                    Choice::new('j', "Judge it with the engine", Act::Study),
                    Choice::new('l', "Look at the board", Act::Close),
                    Choice::new('u', "Take back the last", Act::Undo),
                    Choice::new('h', "Home", Act::Home),
                ],
            )
        }
    }
}

impl App {
    /// What can be done beside moving.
    pub(crate) fn open_menu(&mut self) {
        if self.table.is_review() {
            let menu = self.review_menu();
            self.ask(menu);
            return;
        }
        let mut choices = if self.table.session.outcome().is_none() {
            self.choices_in_game()
        } else {
            vec![
                Choice::new('r', REMATCH, Act::Rematch),
                Choice::new('j', "Judge it with the engine", Act::Study),
                Choice::new('u', "Take back the last", Act::Undo),
            ]
        };
        choices.push(Choice::new('n', "New game…", Act::Form));
        choices.push(Choice::new('v', "Review this game", Act::Review));
        choices.push(Choice::new('h', "Home", Act::Home));
        // Enter alone never ends a game.
        let ends = |choice: &Choice| {
            matches!(
                choice.act,
                Act::Apply(Command::Claim { .. } | Command::AcceptDraw(_))
            )
        };
        let chosen = choices.iter().position(|choice| !ends(choice));
        self.ask(Dialog {
            chosen: chosen.unwrap_or(0),
            ..Dialog::new("This game", choices)
        });
    }

    /// What the players can do while the game goes on.
    fn choices_in_game(&self) -> Vec<Choice> {
        let session = &self.table.session;
        let turn = self.speaker();
        let mover = self.opponents.regretful(session);
        let mut choices = Vec::new();
        if let Some(by) = session.draw_offer() {
            let decline = Act::Apply(Command::DeclineDraw(!by));
            let accept = Act::Apply(Command::AcceptDraw(!by));
            choices.push(Choice::new('d', "Decline the draw", decline));
            choices.push(Choice::new('a', "Accept the draw", accept));
        }
        let own = self.is_person(session.turn());
        for claim in session.claims().into_iter().filter(|_| own) {
            let label = match claim.rule() {
                ClaimRule::FiftyMoves => "Claim a draw: 50 moves",
                ClaimRule::Threefold => "Claim a draw: threefold",
            };
            let claim = Command::Claim {
                rule: Some(claim.rule()),
                intended: None,
            };
            choices.push(Choice::new('c', label, Act::Apply(claim)));
        }
        if session.draw_offer().is_none() {
            let label = format!("{} offers a draw", self.called(turn));
            choices.push(Choice::new('o', label, Act::ConfirmOffer(turn)));
        }
        if self.has_moved(mover) {
            let asks = Act::Apply(Command::AskTakeback(mover));
            let label = format!("{} asks to take back", self.called(mover));
            choices.push(Choice::new('t', label, asks));
        }
        let label = format!("{} resigns", self.called(turn));
        choices.push(Choice::new('r', label, Act::ConfirmResignation(turn)));
        choices
    }

    /// What a side is called: by the player's name where two people with names play, and else by its color.
    pub(super) fn called(&self, color: Color) -> String {
        let names = ByColor::from_fn(|color| {
            let is_known = self.opponents.is_human(color) && !self.table.is_review();
            table::name(&self.table.session, color).filter(|_| is_known)
        });
        match (names.white, names.black) {
            (Some(_), Some(_)) => excerpt(names[color].unwrap_or_default()),
            _ => color.name().to_owned(),
        }
    }

    /// Whether a side has a move to take back.
    fn has_moved(&self, color: Color) -> bool {
        let session = &self.table.session;
        let first = if session.record().start().turn() == color {
            1
        } else {
            2
        };
        session.ply() >= first
    }

    pub(super) fn dialog_key(&mut self, mut dialog: Dialog, key: KeyEvent) {
        let count = dialog.choices.len().max(1);
        let surprises = |came| self.now.since(came) < SURPRISE;
        let typed = matches!(key.code, KeyCode::Char(_) | KeyCode::Enter);
        if typed && dialog.came.is_some_and(surprises) {
            // Whoever was typing a move does not mean the question.
            self.overlay = Some(Overlay::Dialog(dialog));
            return;
        }
        match key.code {
            KeyCode::Esc => return self.act(dialog.unanswered),
            KeyCode::Up | KeyCode::Left | KeyCode::BackTab => {
                dialog.chosen = dialog.chosen.checked_sub(1).unwrap_or(count - 1);
            }
            KeyCode::Down | KeyCode::Right | KeyCode::Tab => {
                dialog.chosen = (dialog.chosen + 1) % count;
            }
            KeyCode::Enter | KeyCode::Char(' ') => return self.choose(&dialog, dialog.chosen),
            KeyCode::Char(letter) => {
                let letter = letter.to_ascii_lowercase();
                if let Some(at) = dialog
                    .choices
                    .iter()
                    .position(|choice| choice.key == letter)
                {
                    return self.choose(&dialog, at);
                }
            }
            _ => {}
        }
        self.overlay = Some(Overlay::Dialog(dialog));
    }

    /// Does what an answer says. The dialog is closed by then.
    pub(super) fn choose(&mut self, dialog: &Dialog, at: usize) {
        if let Some(choice) = dialog.choices.get(at) {
            self.act(choice.act.clone());
        }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Apply(command @ Command::Play(_)) => {
                self.play(command);
            }
            Act::Apply(command) => {
                self.apply(command);
            }
            Act::ConfirmResignation(by) => {
                let dialog = Dialog::resignation(by, &self.called(by));
                self.ask(dialog);
            }
            Act::ConfirmOffer(by) => {
                let dialog = Dialog::draw_offer(by, &self.called(by));
                self.ask(dialog);
            }
            Act::Undo => self.undo(1),
            Act::Rematch => self.rematch(),
            Act::Form => self.open_form(),
            Act::Home => self.screen = Screen::Home,
            Act::Close => {}
            Act::Admit(stranger) => self.answer_about_stranger(&stranger, Answer::Start),
            Act::TurnAway(stranger) => self.answer_about_stranger(&stranger, Answer::TurnAway),
            other => self.choose_in_review(&other),
        }
    }

    fn choose_in_review(&mut self, act: &Act) {
        match *act {
            Act::Glyph(glyph) => self.set_glyph(glyph),
            Act::Comment => self.type_comment(),
            Act::Marks => self.open_marks(),
            Act::Review => self.review_game(),
            Act::Vary(wish) => self.variation(wish),
            Act::Delete(node) => self.delete_line(node),
            Act::SaveOver(ref name) => self.save_over(name.clone()),
            Act::Replace(ref replacement) => self.replace_file(replacement),
            Act::PutBack(ref replacement, extent) => self.put_back(replacement, extent),
            Act::DeleteSave(ref name) => self.effects.push(StoreEffect::Delete(name.clone())),
            Act::PlayOn => self.play_on(),
            Act::Type(text) => self.open_palette_with(text),
            Act::Picker => self.screen = Screen::Picker,
            Act::OpenReview(ref record, ref origin) => {
                self.replace_review((**record).clone(), origin.clone());
            }
            Act::OpenCutOff(ref name) => self.effects.push(StoreEffect::OpenReview(name.clone())),
            Act::DeleteCutOff(ref name) => {
                self.effects.push(StoreEffect::DeleteReview(name.clone()));
            }
            Act::Anyway(ref request) => {
                self.keeping.is_unsaved = false;
                self.perform((**request).clone());
            }
            Act::BeginAnyway(ref asked, draws) => {
                self.keeping.is_unsaved = false;
                self.begin_form((**asked).clone(), draws);
            }
            Act::StartMatch(ref wish) => self.effects.push(MatchEffect::Start(wish.clone())),
            Act::Study => self.study(PlayerSpec::Bot(None)),
            Act::Retry => self.retry(),
            Act::StopMatch => self.effects.push(MatchEffect::Stop),
            Act::Leave => self.effects.push(Effect::Leave),
            // Everything else is done by the caller.
            _ => {}
        }
    }

    pub(super) fn ask(&mut self, dialog: Dialog) {
        self.overlay = Some(Overlay::Dialog(dialog));
    }
}
