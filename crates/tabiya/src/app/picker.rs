//! The list of a file's games, which grows while the file is read, and the search in it.

use std::path::{Path, PathBuf};

use crossterm::event::KeyEvent;
use ratatui_core::layout::Rect;
use tabiya_play::request::Target;

use super::action::Action;
use super::canvas::{Canvas, KeyNames, rows};
use super::overlay::help::Help;
use super::overlay::{Component, Response};
use super::text_line::TextLine;
use super::{App, Screen};
use crate::app::press::{ENTER, ESC, Edit, KeyLabel, Press, moved};
use crate::game_file::{BATCH, Batch, GameFileError, Listed, Opened};
use crate::key_map::KeyAction;
use crate::message::{FileEffect, Hit, NotDone};
use crate::opening_names;
use crate::ranges::counted;
use crate::review::Origin;
use crate::tui::geometry::{columns, from_column};
use crate::tui::text::row;
use crate::wording::LEAVE_AGAIN;

/// How far a page goes. The screen shows about this many at least.
const PAGE: usize = 10;

/// The width of an opening's code, and of its name.
const CODE: u16 = 5;
const NAME: u16 = 40;

/// The keys, most important first.
const KEYS: KeyNames = &[
    (KeyLabel::Several("↑↓"), "choose"),
    (ENTER, "open"),
    (ESC, "back"),
    (KeyLabel::Several("letters"), "search"),
    (KeyLabel::Several(":goto N"), "game N"),
    (KeyLabel::Char('?'), "help"),
    (KeyLabel::Char(':'), "command"),
];

/// The games of a file, as far as they have been read.
#[derive(Debug, Default)]
pub(crate) struct Picker {
    pub(crate) path: PathBuf,
    /// The number of this reading. Batches of earlier ones are ignored.
    number: u64,
    batches: Vec<Batch>,
    pub(crate) query: TextLine,
    /// The games that match the query; `None` stands for all.
    found: Option<Vec<usize>>,
    pub(crate) chosen: usize,
    /// How reading ended, if it has.
    pub(crate) ended: Option<Result<(), GameFileError>>,
}

impl Picker {
    /// Lists a file again that has changed. The query and the selection stay.
    pub(super) fn again(self) -> Picker {
        Picker {
            // During a search, matches are found batch by batch.
            found: self.found.map(|_| Vec::new()),
            batches: Vec::new(),
            ended: None,
            ..self
        }
    }

    /// Whether the reading of this number is the current one.
    pub(super) fn is_reading(&self, number: u64) -> bool {
        self.number == number
    }

    /// Notes that the file was read to its end, or why not. Returns whether it has a single game, which needs no choice.
    pub(super) fn end(&mut self, how: Result<(), GameFileError>) -> bool {
        self.ended = Some(how);
        self.count() == 1 && self.query.is_empty()
    }

    /// The number of games read so far.
    pub(crate) fn count(&self) -> usize {
        let last = self.batches.last();
        last.map_or(0, |last| (self.batches.len() - 1) * BATCH + last.len())
    }

    /// The number of matches.
    pub(crate) fn len(&self) -> usize {
        self.found.as_ref().map_or_else(|| self.count(), Vec::len)
    }

    /// One of the matches, with its index in the file.
    pub(crate) fn game(&self, at: usize) -> Option<(usize, Listed<'_>)> {
        let at = match &self.found {
            Some(found) => *found.get(at)?,
            None => at,
        };
        Some((at, self.listed(at)?))
    }

    /// A game by its index in the file.
    fn listed(&self, at: usize) -> Option<Listed<'_>> {
        self.batches.get(at / BATCH)?.get(at % BATCH)
    }

    pub(super) fn take(&mut self, batch: Batch) {
        let before = self.count();
        self.batches.push(batch);
        if self.found.is_some() {
            let more = self.fitting(before);
            self.found.get_or_insert_default().extend(more);
        }
    }

    /// Searches again.
    fn search(&mut self) {
        self.chosen = 0;
        self.found = None;
        if !self.query.text().trim().is_empty() {
            self.found = Some(self.fitting(0));
        }
    }

    /// The matches from an index on.
    fn fitting(&self, from: usize) -> Vec<usize> {
        let query = self.query.text().trim();
        let fits = |listed: Listed<'_>| {
            [listed.white, listed.black, listed.date]
                .into_iter()
                .any(|text| contains(text, query))
                || listed.opening.is_some_and(|opening| {
                    contains(opening.family, query)
                        || opening.variation.is_some_and(|name| contains(name, query))
                        || contains(&opening.eco.to_string(), query)
                })
        };
        (from..self.count())
            .filter(|&at| self.listed(at).is_some_and(fits))
            .collect()
    }

    /// The line of a game in the list, by its number in the file, from 1.
    fn place_of(&self, number: usize) -> Option<usize> {
        let at = number.checked_sub(1)?;
        match &self.found {
            Some(found) => found.binary_search(&at).ok(),
            None => Some(at).filter(|&at| at < self.count()),
        }
    }

    fn step(&mut self, by: isize) {
        self.chosen = moved(self.chosen, self.len(), by);
    }
}

/// Whether a text contains another, ignoring ASCII case.
fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    text.windows(part.len().max(1))
        .any(|window| window.eq_ignore_ascii_case(part))
}

impl Picker {
    /// Chooses a game of the list: the first, the last, a neighbor, or the one of a number.
    ///
    /// # Errors
    /// The game is not in the list.
    pub(super) fn go_to(&mut self, target: Target) -> Result<(), NotDone> {
        self.chosen = match target {
            Target::Start => 0,
            Target::End => self.len().saturating_sub(1),
            Target::Move { number, .. } => {
                let place = self.place_of(number as usize);
                place.ok_or(NotDone::NotListed(number))?
            }
            Target::Step(steps) => moved(self.chosen, self.len(), steps as isize),
        };
        Ok(())
    }
}

impl Component for Picker {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        match Press::from(key) {
            Press::Esc if !self.query.is_empty() => {
                self.query.clear();
                self.search();
            }
            Press::Esc => return Response::Close,
            Press::Up => self.step(-1),
            Press::Down | Press::Tab => self.step(1),
            Press::PageUp => self.step(-(PAGE as isize)),
            Press::PageDown => self.step(PAGE as isize),
            Press::Edit(Edit::Home) => self.step(isize::MIN),
            Press::Edit(Edit::End) => self.step(isize::MAX),
            Press::Enter => return self.click_row(self.chosen, app),
            // A name may contain any letter, so commands use characters that begin no name.
            Press::Edit(Edit::Char(':')) if self.query.is_empty() => {
                return Response::Do(Action::Key(KeyAction::Type("")));
            }
            Press::Edit(Edit::Char('?')) if self.query.is_empty() => {
                return Response::Do(Action::open(Help::about("")));
            }
            Press::BackTab | Press::Edit(_) => {
                if self.query.edit(key) {
                    self.search();
                }
            }
        }
        Response::Stay
    }

    /// Opens a game of the list.
    fn click_row(&mut self, at: usize, _: &App) -> Response {
        let Some((number, listed)) = self.game(at) else {
            return Response::Stay;
        };
        let offset = listed.offset;
        self.chosen = at;
        Response::effect(FileEffect::Open {
            path: self.path.clone(),
            offset,
            number: number + 1,
        })
    }

    fn wheel(&mut self, steps: isize, _: Option<&Hit>, _: &App) -> Response {
        self.step(steps);
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.query.insert(text);
        self.search();
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let palette = canvas.palette;
        let screen = canvas.screen();
        let path = self.path.display().to_string();
        canvas.put(row(screen, 0), 1, &path, palette.accent());
        let standing = format!("{} ", standing(self));
        canvas.put_right(row(screen, 0), &standing, palette.dim());
        canvas.search(row(screen, 1), " search: ", &self.query);
        canvas.rule(row(screen, 2));
        let list = Rect::new(0, 3, app.size.width, app.size.height.saturating_sub(5));
        draw_list(self, list, canvas);
        let bottom = screen.height.saturating_sub(1);
        canvas.rule(row(screen, bottom.saturating_sub(1)));
        if app.leaving {
            canvas.put(row(screen, bottom), 1, LEAVE_AGAIN, palette.warning());
        } else {
            canvas.keys(from_column(row(screen, bottom), 1), KEYS);
        }
    }
}

fn standing(picker: &Picker) -> String {
    let count = picker.count();
    let games = counted(count as u64, "game", "games");
    let found = match picker.len() {
        all if all == count => games,
        some => format!("{some} of {games}"),
    };
    match &picker.ended {
        None => format!("{found}, reading…"),
        Some(_) => found,
    }
}

fn draw_list(picker: &Picker, room: Rect, canvas: &mut Canvas<'_>) {
    let palette = canvas.palette;
    if let Some(Err(error)) = &picker.ended {
        canvas.put(room, 1, &error.to_string(), palette.warning());
        return;
    }
    if picker.len() == 0 && picker.ended.is_some() {
        let sentence = match picker.count() {
            0 => "There is no game in this file.",
            _ => "No player or opening has that name.",
        };
        canvas.put(room, 1, sentence, palette.dim());
    }
    for (at, area) in rows(room, picker.chosen, picker.len()) {
        let Some((number, listed)) = picker.game(at) else {
            break;
        };
        let (sign, style) = canvas.line_style(at == picker.chosen);
        if at == picker.chosen {
            canvas.buffer.set_style(area, style);
        }
        canvas.hit(area, Hit::Row(at));
        // With enough room: the number, both players, the opening, the date and the result, in columns.
        let (dated, ends) = (room.width >= 60, 9);
        let dates = if dated { ends + 12 } else { ends };
        let right = match room.width {
            0..80 => dates,
            80..110 => dates + CODE,
            _ => dates + NAME,
        };
        let players = columns(area, 0, room.width.saturating_sub(right));
        let [white, black] = [listed.white, listed.black].map(|name| match name {
            "" => "?",
            name => name,
        });
        let text = format!("{sign}{:>7}  {white} – {black}", number + 1);
        canvas.put(players, 0, &text, style);
        if dated {
            canvas.put(area, room.width - dates + 1, listed.date, style);
        }
        if let Some(opening) = listed.opening {
            let text = match right - dates {
                0 => String::new(),
                CODE => opening.eco.to_string(),
                _ => opening_names::shown(opening),
            };
            let openings = columns(area, 0, room.width - dates);
            canvas.put(openings, room.width - right + 1, &text, style);
        }
        canvas.put(area, room.width - ends + 1, listed.result, style);
    }
}

impl App {
    /// Opens a file. Its games are listed as they are found.
    pub(crate) fn open_file(&mut self, path: &Path) {
        self.list(Picker {
            path: path.to_owned(),
            ..Picker::default()
        });
        self.screen = Screen::Picker;
    }

    /// Lists the games of a file, from the first on.
    pub(super) fn list(&mut self, picker: Picker) {
        self.lists += 1;
        let (path, number) = (picker.path.clone(), self.lists);
        self.picker = Some(Picker { number, ..picker });
        self.effects.push(FileEffect::List { path, number });
    }

    /// Handles a game of a file that was read, or could not be.
    pub(super) fn handle_opened(
        &mut self,
        number: usize,
        opened: Result<Box<Opened>, GameFileError>,
    ) {
        match opened {
            Ok(opened) => {
                let path = self.picker.as_ref().map(|picker| picker.path.clone());
                let path = path.unwrap_or_default();
                let problem = opened.problem;
                if self.open_review(opened.record, Origin::File { path, number }) {
                    if let Some(review) = &mut self.board_mut().reviewed {
                        review.extent = opened.extent;
                    }
                    if let Some(problem) = problem {
                        self.board_mut().refuse(problem);
                    }
                }
            }
            Err(error) => {
                if let Some(picker) = &mut self.picker {
                    picker.ended = Some(Err(error));
                }
            }
        }
    }
}
