//! The list of a file's games, which grows while the file is read, and the search in it.

use std::path::{Path, PathBuf};

use ratatui::crossterm::event::{KeyCode, KeyEvent};
use tabiya_play::request::Target;

use super::review::Origin;
use super::text_line::TextLine;
use super::{App, Screen};
use crate::game_file::{BATCH, Batch, GameFileError, Listed, Opened};
use crate::message::{FileEffect, NotDone};

/// How far a page goes; the screen shows at least about as many.
const PAGE: usize = 10;

/// A file's games as far as they are known.
#[derive(Debug)]
pub(crate) struct Picker {
    pub(crate) path: PathBuf,
    /// Which reading the batches belong to; those of earlier ones come too late.
    number: u64,
    batches: Vec<Batch>,
    pub(crate) query: TextLine,
    /// The games that fit the query; `None` stands for all.
    found: Option<Vec<usize>>,
    pub(crate) chosen: usize,
    /// How the reading ended, if it has.
    pub(crate) ended: Option<Result<(), GameFileError>>,
}

impl Picker {
    fn new(path: PathBuf, number: u64) -> Picker {
        Picker {
            path,
            number,
            batches: Vec::new(),
            query: TextLine::default(),
            found: None,
            chosen: 0,
            ended: None,
        }
    }

    /// How many games are known.
    pub(crate) fn count(&self) -> usize {
        match self.batches.last() {
            None => 0,
            Some(last) => (self.batches.len() - 1) * BATCH + last.len(),
        }
    }

    /// How many of them fit.
    pub(crate) fn len(&self) -> usize {
        self.found.as_ref().map_or_else(|| self.count(), Vec::len)
    }

    /// A game of those that fit, with its number in the file, from zero on.
    pub(crate) fn game(&self, at: usize) -> Option<(usize, Listed<'_>)> {
        let at = match &self.found {
            Some(found) => *found.get(at)?,
            None => at,
        };
        let listed = self.batches.get(at / BATCH)?.get(at % BATCH)?;
        Some((at, listed))
    }

    fn take(&mut self, batch: Batch) {
        let before = self.count();
        self.batches.push(batch);
        if self.found.is_some() {
            let more = self.fitting(before);
            self.found.get_or_insert_default().extend(more);
        }
    }

    /// To be called when the query was edited.
    fn search(&mut self) {
        self.chosen = 0;
        self.found = None;
        if !self.query.text().trim().is_empty() {
            self.found = Some(self.fitting(0));
        }
    }

    /// The games from a number on that fit the query.
    fn fitting(&self, from: usize) -> Vec<usize> {
        let query = self.query.text().trim();
        let fits = |listed: Listed<'_>| {
            [listed.white, listed.black, listed.date]
                .into_iter()
                .any(|text| contains(text, query))
        };
        let batches = self.batches.iter().enumerate().skip(from / BATCH);
        batches
            .flat_map(|(batch, games)| {
                (0..games.len()).map(move |at| (batch * BATCH + at, games.get(at)))
            })
            .filter(|(at, listed)| *at >= from && listed.is_some_and(fits))
            .map(|(at, _)| at)
            .collect()
    }

    /// The place of a game in the list, by its number in the file from 1 on.
    fn place_of(&self, number: usize) -> Option<usize> {
        let at = number.checked_sub(1)?;
        match &self.found {
            Some(found) => found.binary_search(&at).ok(),
            None => Some(at).filter(|&at| at < self.count()),
        }
    }

    fn step(&mut self, by: isize) {
        let last = self.len().saturating_sub(1);
        self.chosen = self.chosen.saturating_add_signed(by).min(last);
    }
}

/// Whether a text contains another, whatever the case of its letters.
fn contains(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    text.windows(part.len().max(1))
        .any(|window| window.eq_ignore_ascii_case(part))
}

impl App {
    /// Opens a file: its games are listed while they are found.
    pub(crate) fn open_file(&mut self, path: &Path) {
        self.lists += 1;
        self.picker = Some(Picker::new(path.to_owned(), self.lists));
        self.screen = Screen::Picker;
        self.effects.push(FileEffect::List {
            path: path.to_owned(),
            number: self.lists,
        });
    }

    /// Lists the games of the file again, because it has changed. What was searched for and chosen stays.
    pub(super) fn list_again(&mut self) {
        let Some(old) = self.picker.take() else {
            return;
        };
        self.lists += 1;
        let path = old.path.clone();
        self.picker = Some(Picker {
            // Where something is searched for, what fits is found batch by batch.
            found: old.found.map(|_| Vec::new()),
            query: old.query,
            chosen: old.chosen,
            ..Picker::new(old.path, self.lists)
        });
        self.effects.push(FileEffect::List {
            path,
            number: self.lists,
        });
    }

    pub(super) fn listed(&mut self, number: u64, batch: Batch) {
        if let Some(picker) = self.current_list(number) {
            picker.take(batch);
        }
    }

    pub(super) fn list_ended(&mut self, number: u64, how: Result<(), GameFileError>) {
        let Some(picker) = self.current_list(number) else {
            return;
        };
        picker.ended = Some(how);
        // Nobody needs to choose among one.
        if picker.count() == 1 && picker.query.is_empty() && self.screen == Screen::Picker {
            self.open_listed(0);
        }
    }

    fn current_list(&mut self, number: u64) -> Option<&mut Picker> {
        self.picker
            .as_mut()
            .filter(|picker| picker.number == number)
    }

    pub(super) fn picker_key(&mut self, key: KeyEvent) {
        let Some(picker) = &mut self.picker else {
            self.screen = Screen::Home;
            return;
        };
        match key.code {
            KeyCode::Esc if !picker.query.is_empty() => {
                picker.query.clear();
                picker.search();
            }
            KeyCode::Esc => {
                self.screen = Screen::Home;
                self.home = 0;
            }
            KeyCode::Up => picker.step(-1),
            KeyCode::Down | KeyCode::Tab => picker.step(1),
            KeyCode::PageUp => picker.step(-(PAGE as isize)),
            KeyCode::PageDown => picker.step(PAGE as isize),
            KeyCode::Home => picker.chosen = 0,
            KeyCode::End => picker.chosen = picker.len().saturating_sub(1),
            KeyCode::Enter => self.open_listed(self.picker_chosen()),
            // A name may contain any letter, so the signs that no name begins with are for the rest.
            KeyCode::Char(':') if picker.query.is_empty() => self.open_palette(),
            KeyCode::Char('?') if picker.query.is_empty() => self.open_help(""),
            _ => {
                if picker.query.edit(key) {
                    picker.search();
                }
            }
        }
    }

    /// Chooses a game of the list: the first, the last, or the one of a number.
    pub(super) fn go_to_listed(&mut self, target: Target) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        let place = match target {
            Target::Start => Some(0),
            Target::End => Some(picker.len().saturating_sub(1)),
            Target::Move { number, .. } => picker.place_of(number as usize),
        };
        match (place, target) {
            (Some(place), _) => picker.chosen = place,
            (None, Target::Move { number, .. }) => {
                self.tell(Err(NotDone::NotListed(number)));
            }
            (None, _) => {}
        }
    }

    fn picker_chosen(&self) -> usize {
        self.picker.as_ref().map_or(0, |picker| picker.chosen)
    }

    pub(super) fn picker_paste(&mut self, text: &str) {
        if let Some(picker) = &mut self.picker {
            picker.query.insert(text);
            picker.search();
        }
    }

    pub(super) fn picker_scroll(&mut self, by: isize) {
        if let Some(picker) = &mut self.picker {
            picker.step(by);
        }
    }

    /// Opens a game of the list.
    pub(super) fn open_listed(&mut self, at: usize) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        let Some((number, listed)) = picker.game(at) else {
            return;
        };
        let offset = listed.offset;
        picker.chosen = at;
        self.effects.push(FileEffect::Open {
            path: picker.path.clone(),
            offset,
            number: number + 1,
        });
    }

    /// A game of a file was read, or could not be.
    pub(super) fn opened(&mut self, number: usize, opened: Result<Box<Opened>, GameFileError>) {
        match opened {
            Ok(opened) => {
                let path = self.picker.as_ref().map(|picker| picker.path.clone());
                let path = path.unwrap_or_default();
                let problem = opened.problem;
                if self.open_review(opened.record, Origin::File { path, number }) {
                    if let Some(review) = &mut self.table.review {
                        review.extent = opened.extent;
                    }
                    if let Some(problem) = problem {
                        self.table.refuse(problem);
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
