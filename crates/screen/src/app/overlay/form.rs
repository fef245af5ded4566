//! The form for a new game.

use std::borrow::Cow;
use std::collections::HashMap;

use crossterm::event::{KeyEvent, KeyModifiers};
use ratatui_core::layout::Rect;
use tabiya_front::cells::{fitted, row, width};
use tabiya_front::config::settings::clock_text;
use tabiya_front::key_map::Keys;
use tabiya_front::wording::{about_player, offered_player};
use tabiya_game::{DrawPolicy, TimeControl};
use tabiya_play::players::{Level, PlayerSpec};
use tabiya_play::request::{GameRequest, NewGameRequest, Side, Start};
use tabiya_rules::{ByColor, Color, Position};

use super::super::action::Action;
use super::super::canvas::{Canvas, KeyNames, rows};
use super::super::press::{ENTER, ESC, Edit, KeyLabel, Press, stepped};
use super::super::text_line::TextLine;
use super::super::{App, board};
use super::{Component, Response};
use crate::message::Hit;
use crate::tui::geometry::{above, below, centered, columns, from_column};

/// The greatest number of lines of the form.
const MAX_LINES: u16 = 9;

/// The width of the names.
const NAMES: u16 = 10;

/// The time controls that the arrows cycle through.
const CLOCKS: [&str; 9] = [
    "none", "1+0", "3+2", "5+3", "10+5", "15+10", "30+0", "60+30", "90+30",
];

const SIDES: [(Side, &str); 3] = [
    (Side::Of(Color::White), Color::White.name()),
    (Side::Of(Color::Black), Color::Black.name()),
    (Side::Random, "at random"),
];

/// Where the game begins: the line for it, if it is not the standard position.
const STARTS: [(Option<Field>, &str); 3] = [
    (None, "standard"),
    (Some(Field::Number), "Chess960"),
    (Some(Field::Fen), "a position"),
];

const DRAWS: [(DrawPolicy, &str); 2] = [
    (DrawPolicy::Claim, "claimed by the players"),
    (DrawPolicy::Automatic, "end the game at once"),
];

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Field {
    /// The player of the other side.
    Opponent,
    /// The name of a side's player.
    Name(Color),
    Side,
    Clock,
    Start,
    Number,
    Fen,
    Draws,
    Begin,
}

impl Field {
    /// Whether the line cycles through known values.
    fn has_choices(self) -> bool {
        match self {
            Field::Opponent | Field::Side | Field::Clock | Field::Start | Field::Draws => true,
            Field::Name(_) | Field::Number | Field::Fen | Field::Begin => false,
        }
    }
}

/// The state of the form.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    chosen: usize,
    /// The opponents to choose from: bots, engines, a person.
    pub(crate) opponents: Vec<PlayerSpec>,
    opponent: usize,
    /// The texts of the lines that have one.
    typed: HashMap<Field, TextLine>,
    side: Side,
    /// Whether the clock was chosen and not typed. The first letter then replaces it.
    clock_is_chosen: bool,
    /// The line for the start, if it is not the standard position.
    start: Option<Field>,
    draws: DrawPolicy,
    pub(crate) problem: Option<String>,
}

impl Form {
    /// The same form with another line chosen.
    fn with_chosen(mut self, field: Field) -> Form {
        self.choose(field);
        self
    }

    fn choose(&mut self, field: Field) {
        let place = self.fields().iter().position(|known| *known == field);
        self.chosen = place.unwrap_or(0);
    }

    /// The current lines of the form.
    fn fields(&self) -> Vec<Field> {
        let mut fields = vec![Field::Opponent];
        // Against an engine, the player's name comes from the settings.
        if self.is_for_two() {
            fields.extend([Field::Name(Color::White), Field::Name(Color::Black)]);
        }
        fields.extend([Field::Side, Field::Clock, Field::Start]);
        fields.extend(self.start);
        fields.extend([Field::Draws, Field::Begin]);
        fields
    }

    /// The chosen opponent.
    fn opponent(&self) -> &PlayerSpec {
        self.opponents
            .get(self.opponent)
            .unwrap_or(&PlayerSpec::Human)
    }

    /// Whether two people play.
    fn is_for_two(&self) -> bool {
        *self.opponent() == PlayerSpec::Human
    }

    /// The line that has the focus.
    fn field(&self) -> Field {
        let fields = self.fields();
        fields.get(self.chosen).copied().unwrap_or(Field::Begin)
    }

    /// The text of a line.
    fn text(&self, field: Field) -> &str {
        self.typed.get(&field).map_or("", TextLine::text)
    }

    /// Prepares the line of the clock for editing, if it is the current one.
    fn edit_clock(&mut self, is_text: bool) {
        if self.field() == Field::Clock && std::mem::take(&mut self.clock_is_chosen) && is_text {
            self.typed.entry(Field::Clock).or_default().clear();
        }
    }

    /// Sets the next or previous value of the chosen line.
    fn step_value(&mut self, forward: bool) {
        self.problem = None;
        match self.field() {
            Field::Opponent => {
                self.opponent = stepped(self.opponent, self.opponents.len(), forward);
            }
            Field::Side => self.side = neighbor(&SIDES, self.side, forward),
            Field::Clock => {
                let clock = self.text(Field::Clock);
                let at = CLOCKS.iter().position(|one| *one == clock);
                let next = at.map_or(0, |at| stepped(at, CLOCKS.len(), forward));
                self.typed.insert(Field::Clock, CLOCKS[next].into());
                self.clock_is_chosen = true;
            }
            Field::Start => self.start = neighbor(&STARTS, self.start, forward),
            Field::Draws => self.draws = neighbor(&DRAWS, self.draws, forward),
            Field::Name(_) | Field::Number | Field::Fen | Field::Begin => {}
        }
    }

    /// The game that the form describes, or what is wrong with which line.
    fn request(&self) -> Result<NewGameRequest, (Field, String)> {
        let clock: TimeControl = match self.text(Field::Clock).trim() {
            "" => TimeControl::UNLIMITED,
            text => text
                .parse()
                .map_err(|error| (Field::Clock, format!("{error}")))?,
        };
        let start = match self.start {
            None => None,
            Some(Field::Fen) => {
                let position = Position::from_fen(self.text(Field::Fen).trim());
                let position = position.map_err(|error| (Field::Fen, error.to_string()))?;
                Some(Start::Position(position))
            }
            Some(_) => {
                let text = self.text(Field::Number).trim();
                let number = text.parse().ok().filter(|&number| number < 960);
                if number.is_none() && !text.is_empty() {
                    let problem = "A start position of Chess960 has a number from 0 to 959.";
                    return Err((Field::Number, problem.to_owned()));
                }
                Some(Start::Chess960(number))
            }
        };
        Ok(NewGameRequest {
            // Against an engine, the names of the previous game are removed, and the table writes the new ones.
            names: ByColor::from_fn(|color| {
                let typed = self.text(Field::Name(color)).trim();
                Some(if self.is_for_two() { typed } else { "" }.to_owned())
            }),
            opponent: Some(self.opponent().clone()),
            side: Some(self.side),
            clock: Some(clock),
            start,
            draws: Some(self.draws),
        })
    }
}

/// The next or previous of several values.
fn neighbor<T: Copy + PartialEq>(all: &[(T, &str)], now: T, forward: bool) -> T {
    let at = all.iter().position(|(known, _)| *known == now);
    all[stepped(at.unwrap_or(0), all.len(), forward)].0
}

/// How a value is labeled.
fn label_of<T: Copy + PartialEq>(all: &[(T, &str)], now: T) -> String {
    let found = all.iter().find(|(known, _)| *known == now);
    found.map_or("", |(_, label)| label).to_owned()
}

impl Form {
    /// Opens the form with the last game's clock and opponent, or with the user's settings if there was none.
    pub(crate) fn of(app: &App) -> Form {
        let board = app.desk.game();
        let session = board.session();
        let (control, draws) = if board.has_begun() {
            (&session.clocks()[Color::White], session.policy().draws)
        } else {
            (&app.settings.clock, app.settings.draws)
        };
        let is_person = |color| board.opponents().is_human(color);
        let name = |color| match board::name(session, color) {
            Some(name) if is_person(color) => name,
            _ => "",
        };
        let (opponents, opponent) = opponents(app);
        Form {
            chosen: 0,
            opponents,
            opponent,
            typed: HashMap::from([
                (Field::Name(Color::White), name(Color::White).into()),
                (Field::Name(Color::Black), name(Color::Black).into()),
                (Field::Clock, clock_text(control).as_str().into()),
                (Field::Number, TextLine::default()),
                (Field::Fen, TextLine::default()),
            ]),
            side: Side::Of(app.look.bottom),
            clock_is_chosen: true,
            start: None,
            draws,
            problem: None,
        }
        .with_chosen(Field::Begin)
    }

    /// Opens the form for a game from the position on the screen.
    pub(crate) fn from_position(app: &App) -> Form {
        let mut form = Form::of(app);
        form.start = Some(Field::Fen);
        let fen = app.board().position().fen();
        form.typed.insert(Field::Fen, fen.as_str().into());
        form.with_chosen(Field::Begin)
    }

    fn draw_field(&self, at: usize, field: Field, row: Rect, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let chosen = at == self.chosen;
        let (sign, style) = canvas.line_style(chosen);
        canvas.put(row, 0, &format!("{sign} {}", about(field).0), style);
        canvas.make_clickable(row, Hit::Field(at, None));
        let value = from_column(row, NAMES + 2);
        let signs = match chosen {
            true => styles.accent(),
            false => styles.dim(),
        };
        let before = if field.has_choices() { "‹ " } else { "" };
        // As much of the value as leaves room for the arrows around it.
        let room = value.width.saturating_sub(2 * width(before));
        let shown = fitted(&shown(self, field), room);
        let end = match self.typed.get(&field) {
            Some(line) => {
                let cursor = canvas.cursor;
                let end = canvas.draw_typed_line(value, before, line, (signs, styles.text()));
                if !chosen {
                    canvas.cursor = cursor;
                }
                end
            }
            None => {
                let column = canvas.put(value, 0, before, signs);
                canvas.put(value, column, &shown, styles.text())
            }
        };
        if field.has_choices() {
            canvas.put(value, end, " ›", signs);
            // The spaces beside the arrows belong to them.
            let back = Rect { width: 2, ..value };
            let forward = columns(value, 2 + width(&shown), 3);
            canvas.make_clickable(forward, Hit::Field(at, Some(true)));
            canvas.make_clickable(back, Hit::Field(at, Some(false)));
        }
    }

    /// The note about the chosen line; for a bot, its description.
    fn note(&self, keys: &Keys) -> Cow<'static, str> {
        let field = self.field();
        let about_player = about_player(self.opponent()).filter(|_| field == Field::Opponent);
        let note = about_player.unwrap_or(about(field).1);
        match field {
            Field::Opponent if about_player.is_none() => {
                let new = keys.typed("new uci:PATH?Name=Value");
                format!("{note} By its path, and with options: {new}.").into()
            }
            Field::Opponent
            | Field::Name(_)
            | Field::Side
            | Field::Clock
            | Field::Start
            | Field::Number
            | Field::Fen
            | Field::Draws
            | Field::Begin => note.into(),
        }
    }

    /// Begins the game, or says what is wrong with the form.
    fn begin(&mut self) -> Response {
        match self.request() {
            Ok(request) => {
                Response::CloseAndDo(Action::perform(GameRequest::New(Box::new(request))))
            }
            Err((field, problem)) => {
                self.problem = Some(problem);
                self.choose(field);
                Response::Stay
            }
        }
    }
}

/// All possible opponents, and the index of the current one.
fn opponents(app: &App) -> (Vec<PlayerSpec>, usize) {
    let levels = (1..=10).filter_map(Level::new);
    let bots = levels.map(|level| PlayerSpec::Bot(Some(level)));
    let engine = |name: &String| format!("uci:{name}").parse().ok();
    let mut all: Vec<PlayerSpec> = bots
        .chain(app.engines.iter().filter_map(engine))
        .chain([PlayerSpec::Human])
        .collect();
    let game = app.desk.game();
    let mut present = match game.opponents().person() {
        _ if !game.has_begun() => app.settings.first_opponent(),
        Some(person) => game.opponents().specs()[!person].clone(),
        None => PlayerSpec::Human,
    };
    // A player who has outgrown a bot, or lost to it, is offered the level that fits.
    let fits = game.session().outcome().is_some() && app.settings.opponent.is_none();
    if fits && matches!(present, PlayerSpec::Bot(Some(_))) {
        present = app.settings.first_opponent();
    }
    let known = all.iter().position(|spec| *spec == present);
    let at = known.unwrap_or(all.len());
    if known.is_none() {
        all.push(present);
    }
    (all, at)
}

impl Component for Form {
    fn key(&mut self, key: KeyEvent, _: &App) -> Response {
        let (field, count) = (self.field(), self.fields().len());
        let is_fixed = matches!(field, Field::Side | Field::Start | Field::Draws);
        match Press::from(key) {
            Press::Esc => return Response::Close,
            Press::Up | Press::BackTab => self.chosen = stepped(self.chosen, count, false),
            Press::Down | Press::Tab => self.chosen = stepped(self.chosen, count, true),
            Press::Enter => return self.begin(),
            Press::Edit(Edit::Left) if field.has_choices() => self.step_value(false),
            Press::Edit(Edit::Right) if field.has_choices() => self.step_value(true),
            Press::Edit(Edit::Char(' ')) if field == Field::Begin => return self.begin(),
            Press::Edit(Edit::Char(' ')) if is_fixed => self.step_value(true),
            Press::PageUp | Press::PageDown | Press::Edit(_) => {
                self.problem = None;
                let control = key.modifiers.contains(KeyModifiers::CONTROL);
                self.edit_clock(Press::from(key).is_char() && !control);
                if let Some(line) = self.typed.get_mut(&field) {
                    line.edit(key);
                }
            }
        }
        Response::Stay
    }

    /// Chooses a line, or changes it with a click on its arrows.
    fn click(&mut self, hit: &Hit, _: &App) -> Response {
        let &Hit::Field(row, forward) = hit else {
            return Response::Stay;
        };
        self.chosen = row;
        match forward {
            _ if self.field() == Field::Begin => return self.begin(),
            Some(forward) => self.step_value(forward),
            None => {}
        }
        Response::Stay
    }

    /// The wheel chooses a line and changes it.
    fn wheel(&mut self, steps: isize, hit: Option<&Hit>, _: &App) -> Response {
        if let Some(&Hit::Field(row, _)) = hit
            && self
                .fields()
                .get(row)
                .is_some_and(|field| field.has_choices())
        {
            self.chosen = row;
            self.step_value(steps > 0);
        }
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.problem = None;
        self.edit_clock(true);
        if let Some(line) = self.typed.get_mut(&self.field()) {
            line.insert(text);
        }
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        const KEYS: KeyNames = &[
            (ENTER, "begin"),
            (ESC, "back"),
            (KeyLabel::Several("↑↓"), "choose"),
            (KeyLabel::Several("←→"), "change"),
        ];
        let styles = canvas.styles;
        // The lines, a gap, and the note. Nothing moves when a line is added.
        let area = centered(app.look.size, 64, MAX_LINES + 5);
        let inside = canvas.draw_frame(area, "New game");
        // The keys are on the lower edge of the frame, because small screens have no other room for them.
        let edge = row(area, area.height.saturating_sub(1));
        canvas.draw_keys_at_right(columns(edge, 2, inside.width), KEYS);
        let fields = self.fields();
        let mut lines = 0;
        for (at, row) in rows(above(inside, 1), self.chosen, fields.len()) {
            self.draw_field(at, fields[at], row, canvas);
            lines += 1;
        }
        let (note, style) = match &self.problem {
            Some(problem) => (problem.as_str().into(), styles.warning()),
            None => (self.note(&app.keys), styles.dim()),
        };
        // A gap between them, if there is room.
        let lines = lines + u16::from(lines + 3 <= inside.height);
        canvas.put_paragraph(below(inside, lines), &note, style);
    }
}

/// The value of a line as text; empty for a name, a number or a FEN, which are drawn as they are typed.
fn shown(form: &Form, field: Field) -> String {
    match field {
        Field::Opponent => offered_player(form.opponent()),
        Field::Side => label_of(&SIDES, form.side),
        Field::Start => label_of(&STARTS, form.start),
        Field::Draws => label_of(&DRAWS, form.draws),
        Field::Clock => form.text(field).to_owned(),
        Field::Name(_) | Field::Number | Field::Fen | Field::Begin => String::new(),
    }
}

/// The name of a line, and the note about it.
fn about(field: Field) -> (&'static str, &'static str) {
    match field {
        Field::Opponent => (
            "Opponent",
            "←→ change: a bot and its level, an engine, or a person.",
        ),
        Field::Name(color) => (color.name(), "Type the player's name, or leave it empty."),
        Field::Side => ("Side", "←→ change: your side, at the bottom of the board."),
        Field::Clock => ("Clock", "←→ change, or type minutes+seconds such as 5+3."),
        Field::Start => ("Start", "←→ change: where the game begins."),
        Field::Number => ("Number", "0 to 959; empty leaves it to chance."),
        Field::Fen => ("FEN", "Type or paste the position as FEN."),
        Field::Draws => ("Draws", "←→ change: threefold repetition and 50 moves."),
        Field::Begin => (
            "Begin",
            "Enter begins. ↑↓ go to the other lines, Esc goes back.",
        ),
    }
}
