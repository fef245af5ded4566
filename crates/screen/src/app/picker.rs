//! The list of a file's games, which grows while the file is read, the search in it and its order.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use crossterm::event::{KeyEvent, KeyModifiers};
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;
use tabiya_front::cells::{row, width};
use tabiya_front::game_file::{BATCH, Batch, GameFileError, Listed, Opened};
use tabiya_front::game_search::GameSearch;
use tabiya_front::key_map::KeyAction;
use tabiya_front::opening_names;
use tabiya_front::ranges::counted;
use tabiya_front::review::Origin;
use tabiya_front::wording::LEAVE_AGAIN;
use tabiya_game::GameResult;
use tabiya_play::request::Target;
use tabiya_rules::Color;

use super::action::Action;
use super::canvas::{Canvas, KeyNames, rows};
use super::overlay::help::Help;
use super::overlay::{Component, Response};
use super::text_line::TextLine;
use super::{App, Screen};
use crate::app::press::{ENTER, ESC, Edit, KeyLabel, Press, moved};
use crate::message::{FileEffect, Hit, NotDone};
use crate::tui::geometry::{columns, from_column};

/// How far a page goes. The screen shows about this many at least.
const PAGE: usize = 10;

/// The width of an opening's code, and of its name.
const CODE: u16 = 5;
const NAME: u16 = 40;

/// The width of two ratings, and the least one of a screen that has room for them beside any names.
const RATINGS: u16 = 11;
const WIDE: u16 = 90;

/// The keys, most important first.
const KEYS: KeyNames = &[
    (KeyLabel::Several("↑↓"), "choose"),
    (ENTER, "open"),
    (ESC, "back"),
    (KeyLabel::Several("letters"), "search"),
    (KeyLabel::Control('s'), "sort"),
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
    /// What is typed there, in words.
    search: GameSearch,
    order: Order,
    /// The games that match the query, in their order; `None` stands for all as they are in the file.
    found: Option<Vec<usize>>,
    /// Whether any of its games has a rating.
    is_rated: bool,
    pub(crate) chosen: usize,
    /// How reading ended, if it has.
    pub(crate) ended: Option<Result<(), GameFileError>>,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    /// As in the file.
    #[default]
    File,
    /// The latest first.
    Date,
    Players,
    /// The highest first, by the mean of both players.
    Rating,
    /// Wins of White, draws, wins of Black, unfinished games.
    Result,
}

impl Order {
    /// The next one, and after the last the first again.
    fn next(self) -> Order {
        match self {
            Order::File => Order::Date,
            Order::Date => Order::Players,
            Order::Players => Order::Rating,
            Order::Rating => Order::Result,
            Order::Result => Order::File,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Order::File => "as in the file",
            Order::Date => "by date, latest first",
            Order::Players => "by players",
            Order::Rating => "by rating, highest first",
            Order::Result => "by result",
        }
    }
}

/// A date as a number, unknown parts being 0.
fn date_number(date: &str) -> u32 {
    let mut parts = date.splitn(3, ['.', '-', '/']);
    let mut part = || {
        parts
            .next()
            .and_then(|part| part.parse::<u16>().ok())
            .unwrap_or(0)
    };
    let (year, month, day) = (part(), part(), part());
    (u32::from(year) * 100 + u32::from(month.min(99))) * 100 + u32::from(day.min(99))
}

/// Twice the mean rating of the players; a missing one counts as much as the other.
fn rating_sum(listed: &Listed<'_>) -> u32 {
    let known = Color::ALL.map(|color| listed.ratings[color].map_or(0, |it| u32::from(it.get())));
    match known {
        [0, one] | [one, 0] => 2 * one,
        [white, black] => white + black,
    }
}

/// Letters in the order of a list, whatever their case.
fn letters(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().map(|byte| byte.to_ascii_lowercase())
}

impl Picker {
    /// The state in which a file that has changed is listed again. The query and the selection stay.
    pub(super) fn listing_again(self) -> Picker {
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

    /// Records that the file was read to its end, or why not. Returns whether it has a single game, which needs no choice.
    pub(super) fn end_reading(&mut self, how: Result<(), GameFileError>) -> bool {
        self.ended = Some(how);
        // Until then, the games that come are at the end.
        self.change_list(Picker::sort);
        self.count() == 1 && self.query.is_empty()
    }

    /// The number of games read so far.
    pub(crate) fn count(&self) -> usize {
        let last = self.batches.last();
        last.map_or(0, |last| (self.batches.len() - 1) * BATCH + last.count())
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

    /// Adds games that were read from the file.
    pub(super) fn add_games(&mut self, batch: Batch) {
        let before = self.count();
        self.is_rated |= batch.is_rated();
        self.batches.push(batch);
        if self.found.is_some() {
            let more = self.fitting(before..self.count());
            self.found.get_or_insert_default().extend(more);
        }
    }

    /// Searches again, as the query has changed.
    fn search(&mut self) {
        let search = GameSearch::from(self.query.text());
        let narrows = search.narrows(&self.search);
        self.search = search;
        match self.found.take() {
            Some(found) if narrows => self.found = Some(self.fitting(found)),
            _ => self.find_matches(),
        }
        self.chosen = 0;
    }

    /// Finds the games that match the query, among all games.
    fn find_matches(&mut self) {
        let is_whole = self.search.is_empty() && self.order == Order::File;
        self.found = (!is_whole).then(|| self.fitting(0..self.count()));
        self.sort();
    }

    /// The matches among games.
    fn fitting(&self, among: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let fits = |listed: Listed<'_>| self.search.fits(|word| listed.has(word));
        let fitting = among.into_iter();
        fitting
            .filter(|&at| self.listed(at).is_some_and(fits))
            .collect()
    }

    /// Brings the matches into the next order.
    fn sort_by_next_order(&mut self) {
        self.order = self.order.next();
        self.change_list(Picker::find_matches);
    }

    /// Changes the list; the selection stays at its game.
    fn change_list(&mut self, change: fn(&mut Picker)) {
        let chosen = self.game(self.chosen).map(|(at, _)| at);
        change(self);
        let place = chosen.and_then(|at| self.line_of(at + 1));
        self.chosen = place.unwrap_or(0);
    }

    /// Sorts the matches. Equal ones stay as in the file.
    fn sort(&mut self) {
        let Some(mut found) = self.found.take() else {
            return;
        };
        let of = |at: usize| self.listed(at);
        match self.order {
            Order::File => {}
            Order::Date => {
                found.sort_by_cached_key(|&at| Reverse(of(at).map(|it| date_number(it.date))));
            }
            Order::Rating => {
                found.sort_by_cached_key(|&at| Reverse(of(at).map(|it| rating_sum(&it))));
            }
            Order::Result => found.sort_by_cached_key(|&at| {
                of(at).map(|it| match it.result {
                    GameResult::WhiteWins => 0,
                    GameResult::Draw => 1,
                    GameResult::BlackWins => 2,
                    GameResult::Unknown => 3,
                })
            }),
            Order::Players => found.sort_by(|&one, &other| {
                let [one, other] = [one, other].map(|at| {
                    let players = of(at).map(|it| [it.white, it.black]);
                    players.unwrap_or_default()
                });
                let order = |at: usize| letters(one[at]).cmp(letters(other[at]));
                order(0).then_with(|| order(1))
            }),
        }
        self.found = Some(found);
    }

    /// The line of a game in the list, by its number in the file, from 1.
    fn line_of(&self, number: usize) -> Option<usize> {
        let at = number.checked_sub(1)?;
        match &self.found {
            Some(found) => found.iter().position(|&other| other == at),
            None => Some(at).filter(|&at| at < self.count()),
        }
    }

    fn move_choice(&mut self, by: isize) {
        self.chosen = moved(self.chosen, self.len(), by);
    }
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
                let place = self.line_of(number as usize);
                place.ok_or(NotDone::NotListed(number))?
            }
            Target::Step(steps) => moved(self.chosen, self.len(), steps as isize),
        };
        Ok(())
    }
}

impl Component for Picker {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match Press::from(key) {
            Press::Edit(Edit::Char('s')) if control => self.sort_by_next_order(),
            Press::Esc if !self.query.is_empty() => {
                self.query.clear();
                self.search();
            }
            Press::Esc => return Response::Close,
            Press::Up => self.move_choice(-1),
            Press::Down | Press::Tab => self.move_choice(1),
            Press::PageUp => self.move_choice(-(PAGE as isize)),
            Press::PageDown => self.move_choice(PAGE as isize),
            Press::Edit(Edit::Home) => self.move_choice(isize::MIN),
            Press::Edit(Edit::End) => self.move_choice(isize::MAX),
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
        self.move_choice(steps);
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        self.query.insert(text);
        self.search();
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let screen = canvas.screen();
        let path = self.path.display().to_string();
        canvas.put(row(screen, 0), 1, &path, styles.accent());
        let standing = format!("{} ", standing(self));
        canvas.put_right(row(screen, 0), &standing, styles.dim());
        canvas.draw_search_line(row(screen, 1), " search: ", &self.query);
        if self.order != Order::File {
            let order = format!("{} ", self.order.name());
            canvas.put_right(row(screen, 1), &order, styles.dim());
        }
        canvas.draw_rule(row(screen, 2));
        let list = Rect::new(
            0,
            3,
            app.look.size.width,
            app.look.size.height.saturating_sub(5),
        );
        draw_list(self, list, canvas);
        let bottom = screen.height.saturating_sub(1);
        canvas.draw_rule(row(screen, bottom.saturating_sub(1)));
        if app.reminders.leaving {
            canvas.put(row(screen, bottom), 1, LEAVE_AGAIN, styles.warning());
        } else {
            canvas.draw_keys(from_column(row(screen, bottom), 1), KEYS);
        }
    }
}

/// How many games are listed, and whether more are being read.
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

/// Draws the games, or says why there are none.
fn draw_list(picker: &Picker, room: Rect, canvas: &mut Canvas<'_>) {
    let styles = canvas.styles;
    if let Some(Err(error)) = &picker.ended {
        canvas.put(room, 1, &error.to_string(), styles.warning());
        return;
    }
    if picker.len() == 0 && picker.ended.is_some() {
        let sentence = match picker.count() {
            0 => "There is no game in this file.",
            _ => {
                "No game has all of these words in its players, event, site, date, result or opening."
            }
        };
        canvas.put(room, 1, sentence, styles.dim());
    }
    for (at, area) in rows(room, picker.chosen, picker.len()) {
        let Some((number, listed)) = picker.game(at) else {
            break;
        };
        let (sign, style) = canvas.line_style(at == picker.chosen);
        if at == picker.chosen {
            canvas.buffer.set_style(area, style);
        }
        canvas.make_clickable(area, Hit::Row(at));
        let numbered = format!("{sign}{:>7}", number + 1);
        draw_game(picker, &numbered, listed, (area, style), canvas);
    }
}

/// Draws a game in columns, as far as there is room: the number, both players, their ratings, the opening, the date and the
/// result.
fn draw_game(
    picker: &Picker,
    numbered: &str,
    listed: Listed<'_>,
    (area, style): (Rect, Style),
    canvas: &mut Canvas<'_>,
) {
    // How far before the right edge the result, the date and the opening begin.
    let (dated, ends) = (area.width >= 60, 9);
    let dates = if dated { ends + 12 } else { ends };
    let right = match area.width {
        0..80 => dates,
        80..110 => dates + CODE,
        110..125 if picker.is_rated => dates + CODE,
        _ => dates + NAME,
    };
    let [white, black] = [listed.white, listed.black].map(|name| match name {
        "" => "?",
        name => name,
    });
    let text = format!("{numbered}  {white} – {black}");
    let is_rating_order = dated && picker.order == Order::Rating;
    let fits = || width(&text) <= area.width.saturating_sub(right + RATINGS);
    let ratings = match picker.is_rated && (area.width >= WIDE || is_rating_order || fits()) {
        true => RATINGS,
        false => 0,
    };
    let players = columns(area, 0, area.width.saturating_sub(right + ratings));
    canvas.put(players, 0, &text, style);
    if ratings > 0 {
        let shown = |color| listed.ratings[color].map_or("–".to_owned(), |it| it.to_string());
        let text = format!("{:>4} {:>4}", shown(Color::White), shown(Color::Black));
        canvas.put(area, area.width - right - ratings + 1, &text, style);
    }
    if dated {
        canvas.put(area, area.width - dates + 1, listed.date, style);
    }
    if let Some(opening) = listed.opening {
        let text = match right - dates {
            0 => String::new(),
            CODE => opening.eco.to_string(),
            _ => opening_names::shown(opening),
        };
        let openings = columns(area, 0, area.width - dates);
        canvas.put(openings, area.width - right + 1, &text, style);
    }
    canvas.put(area, area.width - ends + 1, listed.result.as_str(), style);
}

impl App {
    /// Opens a file. Its games are listed as they are found.
    pub(crate) fn open_file(&mut self, path: &Path) {
        self.list(Picker {
            path: path.to_owned(),
            ..Picker::default()
        });
        self.screens.front = Screen::Picker;
    }

    /// Lists the games of a file, from the first on.
    pub(super) fn list(&mut self, picker: Picker) {
        self.screens.lists += 1;
        let (path, number) = (picker.path.clone(), self.screens.lists);
        self.screens.picker = Some(Picker { number, ..picker });
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
                let path = self
                    .screens
                    .picker
                    .as_ref()
                    .map(|picker| picker.path.clone());
                let path = path.unwrap_or_default();
                let problem = opened.problem;
                let origin = Origin::File {
                    path,
                    number,
                    extent: opened.extent,
                };
                if self.open_review(opened.record, origin)
                    && let Some(problem) = problem
                {
                    self.view_mut().refuse(problem);
                }
            }
            Err(error) => {
                if let Some(picker) = &mut self.screens.picker {
                    picker.ended = Some(Err(error));
                }
            }
        }
    }
}
