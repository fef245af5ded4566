//! The form for a new game.

use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEventKind};
use tabiya_game::{DrawPolicy, TimeControl};
use tabiya_play::players::{Level, PlayerSpec};
use tabiya_play::request::{NewRequest, Side, Start};
use tabiya_rules::{ByColor, Color, Position};

use super::dialog::Act;
use super::text_line::TextLine;
use super::{App, Overlay, table};
use crate::message::Part;

/// The clocks that the arrows go through.
const CLOCKS: [&str; 9] = [
    "none", "1+0", "3+2", "5+3", "10+5", "15+10", "30+0", "60+30", "90+30",
];

/// Where the game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartChoice {
    Standard,
    Chess960,
    Fen,
}

/// A line of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// Who plays the other side.
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
    /// Whether it goes through values that are known.
    pub(crate) fn turns(self) -> bool {
        match self {
            Field::Opponent | Field::Side | Field::Clock | Field::Start | Field::Draws => true,
            Field::Name(_) | Field::Number | Field::Fen | Field::Begin => false,
        }
    }
}

/// What was filled in so far.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    pub(crate) chosen: usize,
    /// Who can be chosen, people first.
    pub(crate) opponents: Vec<PlayerSpec>,
    pub(crate) opponent: usize,
    pub(crate) names: ByColor<TextLine>,
    pub(crate) side: Side,
    pub(crate) clock: TextLine,
    pub(crate) start: StartChoice,
    pub(crate) number: TextLine,
    pub(crate) fen: TextLine,
    pub(crate) draws: DrawPolicy,
    pub(crate) problem: Option<String>,
}

impl Form {
    fn new(names: ByColor<&str>, clock: &str, bottom: Color, draws: DrawPolicy) -> Form {
        let line = |text: &str| {
            let mut line = TextLine::default();
            line.insert(text);
            line
        };
        Form {
            chosen: 0,
            opponents: vec![PlayerSpec::Human],
            opponent: 0,
            names: ByColor::new(line(names.white), line(names.black)),
            side: Side::Of(bottom),
            clock: line(clock),
            start: StartChoice::Standard,
            number: TextLine::default(),
            fen: TextLine::default(),
            draws,
            problem: None,
        }
        .at(Field::Begin)
    }

    fn at(mut self, field: Field) -> Form {
        self.chosen = self
            .fields()
            .iter()
            .position(|&known| known == field)
            .unwrap_or(0);
        self
    }

    /// The lines that the form has now.
    pub(crate) fn fields(&self) -> Vec<Field> {
        let mut fields = vec![
            Field::Opponent,
            Field::Name(Color::White),
            Field::Name(Color::Black),
            Field::Side,
            Field::Clock,
            Field::Start,
        ];
        match self.start {
            StartChoice::Standard => {}
            StartChoice::Chess960 => fields.push(Field::Number),
            StartChoice::Fen => fields.push(Field::Fen),
        }
        fields.extend([Field::Draws, Field::Begin]);
        fields
    }

    /// The line that has the keys.
    pub(crate) fn field(&self) -> Field {
        self.fields()
            .get(self.chosen)
            .copied()
            .unwrap_or(Field::Begin)
    }

    /// The text of a line that takes one.
    fn text(&mut self) -> Option<&mut TextLine> {
        match self.field() {
            Field::Name(color) => Some(&mut self.names[color]),
            Field::Clock => Some(&mut self.clock),
            Field::Number => Some(&mut self.number),
            Field::Fen => Some(&mut self.fen),
            _ => None,
        }
    }

    /// Lets the game begin from a position.
    pub(crate) fn begin_from(&mut self, position: &Position) {
        self.start = StartChoice::Fen;
        self.fen.set(&position.fen());
        self.chosen = self.fields().len() - 1;
    }

    pub(crate) fn insert(&mut self, text: &str) {
        self.problem = None;
        if let Some(line) = self.text() {
            line.insert(text);
        }
    }

    /// The next value of the chosen line, or the one before.
    fn turn(&mut self, forward: bool) {
        self.problem = None;
        match self.field() {
            Field::Opponent => {
                let all: Vec<usize> = (0..self.opponents.len()).collect();
                self.opponent = next(&all, self.opponent, forward);
            }
            Field::Side => {
                let all = [Side::Of(Color::White), Side::Of(Color::Black), Side::Random];
                self.side = next(&all, self.side, forward);
            }
            Field::Clock => {
                let now = CLOCKS
                    .iter()
                    .copied()
                    .find(|known| *known == self.clock.text());
                let then = now.map_or("none", |now| next(&CLOCKS, now, forward));
                self.clock.set(then);
            }
            Field::Start => {
                let all = [
                    StartChoice::Standard,
                    StartChoice::Chess960,
                    StartChoice::Fen,
                ];
                self.start = next(&all, self.start, forward);
            }
            Field::Draws => {
                self.draws = next(
                    &[DrawPolicy::Claim, DrawPolicy::Automatic],
                    self.draws,
                    forward,
                );
            }
            Field::Name(_) | Field::Number | Field::Fen | Field::Begin => {}
        }
    }

    /// The game that the form describes, or what is wrong and where.
    fn request(&self) -> Result<NewRequest, (Field, String)> {
        let clock: TimeControl = match self.clock.text().trim() {
            "" => TimeControl::UNLIMITED,
            text => text
                .parse()
                .map_err(|error| (Field::Clock, format!("{error}")))?,
        };
        let start = match self.start {
            StartChoice::Standard => None,
            StartChoice::Chess960 => Some(Start::Chess960(self.start_number()?)),
            StartChoice::Fen => {
                let text = self.fen.text().trim();
                let position =
                    Position::from_fen(text).map_err(|error| (Field::Fen, error.to_string()))?;
                Some(Start::Position(position))
            }
        };
        Ok(NewRequest {
            names: ByColor::from_fn(|color| Some(self.names[color].text().trim().to_owned())),
            opponent: self.opponents.get(self.opponent).cloned(),
            side: Some(self.side),
            clock: Some(clock),
            start,
            draws: Some(self.draws),
        })
    }

    fn start_number(&self) -> Result<Option<u16>, (Field, String)> {
        let wrong = || {
            (
                Field::Number,
                "A start position of Chess960 has a number from 0 to 959.".to_owned(),
            )
        };
        match self.number.text().trim() {
            "" => Ok(None),
            text => text
                .parse()
                .ok()
                .filter(|&number| number < 960)
                .map(Some)
                .ok_or_else(wrong),
        }
    }
}

/// The next of several values, or the one before.
fn next<T: Copy + PartialEq>(all: &[T], now: T, forward: bool) -> T {
    let at = all.iter().position(|&known| known == now).unwrap_or(0);
    let step = if forward { 1 } else { all.len() - 1 };
    all.get((at + step) % all.len()).copied().unwrap_or(now)
}

impl App {
    pub(super) fn open_form(&mut self) {
        // A form begins with the last game's clock, and where there was none yet, with what the user has settled.
        let table = self.game_table();
        let session = &table.session;
        let (control, draws) = if table.begun {
            (&session.clocks()[Color::White], session.policy().draws)
        } else {
            (&self.settings.clock, self.settings.draws)
        };
        let clock = if control.is_unlimited() {
            "none".to_owned()
        } else {
            control.to_string()
        };
        let names = ByColor::from_fn(|color| table::name(session, color).unwrap_or_default());
        let form = Form::new(names, &clock, self.look.bottom, draws);
        let form = self.with_opponents(form);
        self.overlay = Some(Overlay::Form(form));
    }

    /// Everybody who can be played against; whoever is, is chosen.
    fn with_opponents(&self, form: Form) -> Form {
        let levels = (1..=10).filter_map(Level::new);
        let bots = levels.map(|level| PlayerSpec::Bot(Some(level)));
        let engine = |name: &String| format!("uci:{name}").parse().ok();
        let engines = self.engines.iter().filter_map(engine);
        let mut opponents = vec![PlayerSpec::Human];
        opponents.extend(bots.chain(engines));
        let present = match self.opponents.person() {
            // A form begins with the last game's opponent, and where there was none yet, with what the user has settled.
            _ if !self.game_table().begun => self.settings.opponent.clone(),
            Some(person) => self.opponents.specs()[!person].clone(),
            None => PlayerSpec::Human,
        };
        let known = opponents.iter().position(|spec| *spec == present);
        let opponent = known.unwrap_or_else(|| {
            opponents.push(present);
            opponents.len() - 1
        });
        Form {
            opponents,
            opponent,
            ..form
        }
    }

    pub(super) fn form_key(&mut self, mut form: Form, key: KeyEvent) {
        let count = form.fields().len();
        match key.code {
            KeyCode::Esc => return,
            KeyCode::Up | KeyCode::BackTab => {
                form.chosen = form.chosen.checked_sub(1).unwrap_or(count - 1);
            }
            KeyCode::Down | KeyCode::Tab => form.chosen = (form.chosen + 1) % count,
            KeyCode::Enter => return self.form_begin(form),
            KeyCode::Left | KeyCode::Right if form.field().turns() => {
                form.turn(key.code == KeyCode::Right);
            }
            KeyCode::Char(' ')
                if matches!(
                    form.field(),
                    Field::Side | Field::Start | Field::Draws | Field::Begin
                ) =>
            {
                if form.field() == Field::Begin {
                    return self.form_begin(form);
                }
                form.turn(true);
            }
            _ => {
                form.problem = None;
                // The first letter of a clock takes the place of what the arrows had chosen.
                if form.field() == Field::Clock
                    && matches!(key.code, KeyCode::Char(_))
                    && CLOCKS.contains(&form.clock.text())
                    && form.clock.text() == "none"
                {
                    form.clock.clear();
                }
                if let Some(line) = form.text() {
                    line.edit(key);
                }
            }
        }
        self.overlay = Some(Overlay::Form(form));
    }

    /// A click on a line: chosen, turned by a click on its signs, or begun. The wheel chooses a line and turns it.
    pub(super) fn form_mouse(
        &mut self,
        mut form: Form,
        kind: MouseEventKind,
        (row, part): (usize, Part),
    ) {
        let chosen = form.chosen;
        form.chosen = row;
        match (kind, part) {
            (MouseEventKind::Down(MouseButton::Left), _) if form.field() == Field::Begin => {
                return self.form_begin(form);
            }
            (MouseEventKind::Down(MouseButton::Left), Part::Back) => form.turn(false),
            (MouseEventKind::Down(MouseButton::Left), Part::Forward) => form.turn(true),
            (MouseEventKind::Down(MouseButton::Left), Part::Elsewhere) => {}
            (MouseEventKind::ScrollUp, _) if form.field().turns() => form.turn(false),
            (MouseEventKind::ScrollDown, _) if form.field().turns() => form.turn(true),
            _ => form.chosen = chosen,
        }
        self.overlay = Some(Overlay::Form(form));
    }

    fn form_begin(&mut self, form: Form) {
        match form.request() {
            Ok(request) => {
                let another = Act::BeginAnyway(Box::new(request.clone()), form.draws);
                if !self.asks_before_another_game(another) {
                    self.begin_form(request, form.draws);
                }
            }
            Err((field, problem)) => {
                let form = Form {
                    problem: Some(problem),
                    ..form
                }
                .at(field);
                self.overlay = Some(Overlay::Form(form));
            }
        }
    }
}
