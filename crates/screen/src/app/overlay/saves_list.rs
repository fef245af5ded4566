//! The list of saved games: search, view, resume, delete. Each name is followed by the players, the date and the
//! result, and the chosen game has a board.

use std::borrow::Cow;
use std::collections::HashMap;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_core::layout::{Offset, Position as Cell, Rect, Size};
use tabiya_front::cells::{row, width, wrap};
use tabiya_front::commands::FileCommand;
use tabiya_front::game_search::GameSearch;
use tabiya_front::key_map::Keys;
use tabiya_front::opening_names;
use tabiya_front::ranges::counted;
use tabiya_front::saved;
use tabiya_front::wording::trash_question;
use tabiya_openings::Opening;
use tabiya_rules::{ByColor, Color};
use tabiya_store::{SaveEntry, SaveError, SaveName, Summary};

use super::super::App;
use super::super::action::Action;
use super::super::canvas::{Canvas, KeyNames};
use super::super::text_line::TextLine;
use super::{Component, Response};
use crate::app::press::{DELETE, ENTER, ESC, Edit, KeyLabel, Press, moved};
use crate::message::{Hit, StoreEffect};
use crate::tui::board::BoardView;
use crate::tui::geometry::{BoardGeometry, above, below, columns, from_column, inside_of};

/// The width of a generated name. These differ only at the end.
const NAMES: u16 = 25;

/// The keys, most important first.
const KEYS: KeyNames = &[
    (ENTER, "resume"),
    (KeyLabel::Control('r'), "review"),
    (DELETE, "delete"),
    (ESC, "back"),
    (KeyLabel::Several("↑↓"), "choose"),
    (KeyLabel::Several("letters"), "search"),
];

/// The answers to the question whether to delete a save. A click on "no" is like Esc.
const ANSWERS: KeyNames = &[
    (KeyLabel::Char('y'), "yes"),
    (KeyLabel::Named("any other key", KeyCode::Esc), "no"),
];

/// How many viewed saves are remembered.
const REMEMBERED: usize = 500;

/// The lines inside the frame that are not saves: the search line above, and the keys below.
const ABOVE: u16 = 1;
const BELOW: u16 = 2;

/// The width of the small board: eight squares of two cells, and the rank numbers.
const BOARD: u16 = 20;

/// The smallest width of a screen with a board beside the list.
const WIDE: u16 = 60;

/// The area inside the frame.
fn inside(size: Size) -> Rect {
    inside_of(Rect::from((Cell::ORIGIN, size)))
}

/// The lines of the list, and beside it of the board.
fn middle(size: Size) -> Rect {
    above(below(inside(size), ABOVE), BELOW)
}

/// The area of the list.
fn list(size: Size) -> Rect {
    let middle = middle(size);
    let board = if size.width >= WIDE { BOARD + 2 } else { 0 };
    columns(middle, 0, middle.width.saturating_sub(board))
}

/// The number of visible saves.
fn rows(size: Size) -> usize {
    usize::from(list(size).height)
}

/// What is known about a save.
#[derive(Clone, Debug)]
struct Known {
    summary: Summary,
    players: ByColor<String>,
    opening: Option<Opening<'static>>,
}

/// The state of the list.
#[derive(Clone, Debug, Default)]
pub(crate) struct SavesList {
    /// `None` until the folder has been read.
    listed: Option<Result<Vec<SaveEntry>, SaveError>>,
    /// The indices of the saves that match the query.
    fitting: Vec<usize>,
    search: TextLine,
    chosen: usize,
    /// The first visible line.
    top: usize,
    /// What is known about the saves that were visible.
    known: HashMap<SaveName, Result<Known, SaveError>>,
    /// Whether the user is being asked if the chosen save should be deleted.
    asks_to_delete: bool,
    /// The last message.
    pub(crate) message: Option<String>,
}

impl SavesList {
    /// The text shown in place of an empty list.
    fn text_if_empty(&self, keys: &Keys) -> Option<Cow<'_, str>> {
        match &self.listed {
            None => Some("Looking…".into()),
            Some(Err(error)) => Some(error.to_string().into()),
            Some(Ok(listed)) if listed.is_empty() => {
                let save = keys.typed("save NAME");
                let sentence =
                    format!("Nothing is saved yet. Games are kept by themselves, or with {save}.");
                Some(sentence.into())
            }
            Some(Ok(_)) if self.fitting.is_empty() => Some("No save has that in its name.".into()),
            Some(Ok(_)) => None,
        }
    }

    /// The save at a line of the list.
    fn get(&self, at: usize) -> Option<&SaveEntry> {
        let Some(Ok(listed)) = &self.listed else {
            return None;
        };
        listed.get(*self.fitting.get(at)?)
    }

    fn chosen_name(&self) -> Option<SaveName> {
        self.get(self.chosen).map(|listed| listed.name.clone())
    }

    /// What is known about the chosen save.
    fn chosen_known(&self) -> Option<&Result<Known, SaveError>> {
        self.known.get(&self.get(self.chosen)?.name)
    }

    /// Lists these saves, or says why they cannot be listed.
    pub(crate) fn set_entries(&mut self, listed: Result<Vec<SaveEntry>, SaveError>) {
        self.listed = Some(listed);
        self.filter();
    }

    /// Applies the query to the list.
    fn filter(&mut self) {
        let search = GameSearch::from(self.search.text());
        let fits = |one: &SaveEntry| search.fits(|word| word.is_in(one.name.as_str()));
        let listed = self.listed.iter().flatten().flatten().enumerate();
        let fitting = listed.filter(|(_, one)| fits(one));
        self.fitting = fitting.map(|(at, _)| at).collect();
        self.move_choice(0);
    }

    /// Moves the selection.
    fn move_choice(&mut self, by: isize) {
        self.chosen = moved(self.chosen, self.fitting.len(), by);
    }

    pub(crate) fn add_summary(&mut self, name: SaveName, about: Result<Summary, SaveError>) {
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        let known = about.map(|summary| Known {
            players: saved::shown_names(&summary),
            opening: opening_names::of_save(&summary),
            summary,
        });
        self.known.insert(name, known);
    }

    pub(crate) fn remove(&mut self, name: &SaveName) {
        if let Some(Ok(listed)) = &mut self.listed {
            listed.retain(|one| one.name != *name);
        }
        self.known.remove(name);
        self.filter();
    }
}

impl SavesList {
    /// Scrolls, and requests the visible entries that are not known yet.
    pub(crate) fn scroll_to_chosen(&mut self, size: Size) -> Option<StoreEffect> {
        let rows = rows(size);
        let first = (self.chosen + 1).saturating_sub(rows.max(1));
        self.top = self.top.clamp(first, self.chosen);
        let unknown: Vec<SaveName> = (self.top..self.top + rows)
            .filter_map(|at| self.get(at))
            .filter(|listed| !self.known.contains_key(&listed.name))
            .map(|listed| listed.name.clone())
            .collect();
        (!unknown.is_empty()).then_some(StoreEffect::Peek(unknown))
    }

    /// Scrolls after a key or a click, as [`SavesList::scroll_to_chosen`] does.
    fn scroll(&mut self, app: &App) -> Response {
        self.scroll_to_chosen(app.look.size)
            .map_or(Response::Stay, Response::effect)
    }

    /// Resumes the chosen game.
    fn resume(&self) -> Option<Response> {
        let name = self.chosen_name()?;
        Some(Response::Do(Action::perform(FileCommand::Load(name))))
    }
}

impl Component for SavesList {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        if std::mem::take(&mut self.asks_to_delete) {
            if matches!(Press::from(key), Press::Edit(Edit::Char('y' | 'Y')))
                && let Some(name) = self.chosen_name()
            {
                return Response::effect(StoreEffect::Delete(name));
            }
            return self.scroll(app);
        }
        self.message = None;
        let page = rows(app.look.size).cast_signed();
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match Press::from(key) {
            Press::Esc if self.search.is_empty() => return Response::Close,
            Press::Esc => {
                self.search.clear();
                self.filter();
            }
            Press::Up => self.move_choice(-1),
            Press::Down | Press::Tab => self.move_choice(1),
            Press::PageUp => self.move_choice(-page),
            Press::PageDown => self.move_choice(page),
            Press::Edit(Edit::Home) => self.move_choice(isize::MIN),
            Press::Edit(Edit::End) => self.move_choice(isize::MAX),
            Press::Edit(Edit::Delete) => self.asks_to_delete = self.chosen_name().is_some(),
            Press::Edit(Edit::Char('d')) if control => {
                self.asks_to_delete = self.chosen_name().is_some();
            }
            Press::Edit(Edit::Char('r')) if control && let Some(name) = self.chosen_name() => {
                return Response::effect(StoreEffect::Read(name));
            }
            Press::Enter if let Some(response) = self.resume() => return response,
            Press::Enter | Press::BackTab | Press::Edit(_) => {
                if self.search.edit(key) {
                    self.filter();
                }
            }
        }
        self.scroll(app)
    }

    /// Chooses a line, or resumes the chosen one.
    fn click_row(&mut self, line: usize, app: &App) -> Response {
        self.asks_to_delete = false;
        let again = line == self.chosen;
        self.chosen = line;
        let resumed = self.resume().filter(|_| again);
        resumed.unwrap_or_else(|| self.scroll(app))
    }

    fn wheel(&mut self, steps: isize, _: Option<&Hit>, app: &App) -> Response {
        self.move_choice(steps);
        self.scroll(app)
    }

    fn paste(&mut self, text: &str) {
        self.search.insert(text);
        self.filter();
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        canvas.draw_frame(canvas.screen(), "Saved games");
        let inside = inside(app.look.size);
        canvas.draw_search_line(row(inside, 0), "search: ", &self.search);
        let list = list(app.look.size);
        match self.text_if_empty(&app.keys) {
            Some(sentence) => canvas.put_paragraph(list, &sentence, canvas.styles.dim()),
            None => draw_list(self, list, canvas),
        }
        if app.look.size.width >= WIDE {
            draw_chosen(self, app, canvas);
        }
        draw_below(self, app, inside, canvas);
        let last = row(inside, inside.height.saturating_sub(1));
        canvas.draw_keys(last, if self.asks_to_delete { ANSWERS } else { KEYS });
    }
}

fn draw_list(saves: &SavesList, list: Rect, canvas: &mut Canvas<'_>) {
    let names = name_width(saves, list);
    for (at, line) in (saves.top..).zip(list.rows()) {
        let Some(listed) = saves.get(at) else { break };
        let (sign, style) = canvas.line_style(at == saves.chosen);
        let about = match saves.known.get(&listed.name) {
            Some(Ok(known)) => line_about(known, list.width - names),
            Some(Err(_)) => "cannot be read".to_owned(),
            None => String::new(),
        };
        canvas.put(line, 0, &" ".repeat(usize::from(line.width)), style);
        let left = columns(line, 0, names.saturating_sub(1));
        canvas.put(left, 0, &format!("{sign} {}", listed.name), style);
        canvas.put(line, names, &about, style);
        canvas.make_clickable(line, Hit::Row(at));
    }
    let count = saves.fitting.len();
    if count > usize::from(list.height) {
        let above = row(list, 0).offset(Offset::new(0, -1));
        let place = format!("{} of {count}", saves.chosen + 1);
        canvas.put_right(above, &place, canvas.styles.dim());
    }
}

/// The width of the visible names: as wide as needed, but no wider than half the list if a generated name fits into
/// that.
fn name_width(saves: &SavesList, list: Rect) -> u16 {
    let seen = saves.top..saves.top + usize::from(list.height);
    let widest = seen
        .filter_map(|at| saves.get(at))
        .map(|listed| width(listed.name.as_str()) + 3)
        .max();
    let most = (list.width / 2).max(NAMES.min(list.width));
    widest.unwrap_or(most).min(most)
}

/// The result, the players, the date and the opening, as far as they fit beside the board.
fn line_about(known: &Known, room: u16) -> String {
    let ByColor { white, black } = &known.players;
    let result = match known.summary.result {
        "1/2-1/2" => "½-½",
        result => result,
    };
    if room < 12 {
        return result.to_owned();
    }
    let short = format!("{result:<3}  {white} – {black}");
    let whole = format!("{short}  {}", known.summary.date);
    let named = |opening| [opening_names::shown(opening), opening.eco.to_string()];
    let names = known.opening.map(named).into_iter().flatten();
    let with_name = names.map(|name| format!("{whole}  {name}"));
    let mut lines = with_name.chain([whole.clone()]);
    lines.find(|line| width(line) <= room).unwrap_or(short)
}

/// Draws the board of the chosen save, and the details below it.
fn draw_chosen(saves: &SavesList, app: &App, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let middle = middle(app.look.size);
    let area = from_column(middle, middle.width.saturating_sub(BOARD));
    match saves.chosen_known() {
        None => {}
        Some(Err(error)) => canvas.put_paragraph(area, &error.to_string(), styles.warning()),
        Some(Ok(known)) => {
            let (summary, players) = (&known.summary, &known.players);
            let geometry = BoardGeometry::small(Cell::new(area.x + 2, area.y), Color::White);
            let board = BoardView::plain(&summary.position, geometry, styles, app.look.pieces());
            if area.height >= 9 {
                canvas.draw_board(&board);
            }
            let length = counted(summary.moves, "move", "moves");
            let lines = [
                format!("○ {}", players.white),
                format!("● {}", players.black),
                format!("{} · {length}", summary.result),
                summary.date.clone(),
            ];
            let details = below(area, 10);
            canvas.put_lines(details, &lines, styles.text());
            if let Some(opening) = known.opening {
                let named = below(details, lines.len() as u16);
                canvas.put_paragraph(named, &opening_names::shown(opening), styles.text());
            }
        }
    }
}

/// Draws the line below the list: a question, a message, or what is wrong with the chosen save.
fn draw_below(saves: &SavesList, app: &App, inside: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    let message = row(inside, inside.height.saturating_sub(2));
    if saves.asks_to_delete
        && let Some(listed) = saves.get(saves.chosen)
    {
        canvas.put(message, 0, &trash_question(&listed.name), styles.warning());
    } else if let Some(sentence) = &saves.message {
        // A long message covers the end of the list until the next key.
        let lines = u16::try_from(wrap(sentence, message.width).len()).unwrap_or(1);
        let lines = lines.min(1 + inside.height / 2);
        let area = above(inside, 1);
        let area = below(area, area.height.saturating_sub(lines));
        canvas.clear(area);
        canvas.put_paragraph(area, sentence, styles.accent());
    } else if app.look.size.width < WIDE
        && let Some(about) = saves.chosen_known()
    {
        // Without room for a board, the chosen save has only this line.
        let line = match about {
            Ok(known) => {
                let ByColor { white, black } = &known.players;
                let Summary { moves, date, .. } = &known.summary;
                let length = counted(*moves, "move", "moves");
                let opening = known.opening.map(opening_names::shown);
                let opening = opening.map_or(String::new(), |name| format!(" · {name}"));
                format!("{white} – {black} · {length} · {date}{opening}")
            }
            Err(error) => error.to_string(),
        };
        canvas.put(message, 0, &line, styles.dim());
    }
}
