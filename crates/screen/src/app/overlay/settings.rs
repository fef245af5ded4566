//! The settings screen: every setting with its value, the engines known by name, and the options of each. What is
//! changed applies at once and is written to the user's file.

mod engine_options;

use crossterm::event::KeyEvent;
use ratatui_core::layout::Rect;
use tabiya_front::cells::row;
use tabiya_front::config::settings::{Kind, SETTINGS, Setting};
use tabiya_uci::OptionValue;

use super::super::App;
use super::super::action::Action;
use super::super::canvas::{Canvas, KeyNames, rows};
use super::super::press::{DELETE, ENTER, ESC, Edit, KeyLabel, Press, stepped};
use super::super::text_line::TextLine;
use super::{Component, Response};
use crate::message::{EngineEffect, EngineOption, Hit, NotDone};
use crate::tui::geometry::{above, below, centered, columns, from_column};
use engine_options::OpenedEngine;

/// The state of the settings screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SettingsForm {
    page: Page,
    chosen: usize,
    /// A value that is being typed.
    typed: Option<TextLine>,
    /// Why the last value was refused.
    problem: Option<String>,
}

/// What is listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Page {
    #[default]
    Settings,
    Engines,
    /// The options of an engine, by its index.
    Options(usize, OpenedEngine),
}

/// The line below the settings, which opens the engines.
const ENGINES: usize = SETTINGS.len();

impl SettingsForm {
    /// Goes to a page.
    fn open(&mut self, page: Page, chosen: usize) {
        *self = SettingsForm {
            page,
            chosen,
            ..SettingsForm::default()
        };
    }

    /// The number of lines.
    fn count(&self, app: &App) -> usize {
        match &self.page {
            Page::Settings => ENGINES + 1,
            Page::Engines => app.engines.len(),
            Page::Options(_, opened) => opened.options().len(),
        }
    }

    /// The chosen setting, on the page of the settings.
    fn chosen_setting(&self) -> Option<&'static Setting> {
        SETTINGS.get(self.chosen)
    }

    fn choose(&mut self, at: usize) {
        self.chosen = at;
        self.typed = None;
        self.problem = None;
    }

    /// Whether the chosen value is typed.
    fn is_text_line(&self) -> bool {
        match &self.page {
            Page::Settings => {
                let kind = self.chosen_setting().map(|setting| setting.kind);
                matches!(kind, Some(Kind::Text(_)))
            }
            Page::Engines => false,
            Page::Options(_, opened) => {
                let option = opened.options().get(self.chosen);
                option.is_some_and(EngineOption::is_typed)
            }
        }
    }

    /// Sets the next or previous value of the chosen line, or opens what the line stands for.
    fn step_value(&mut self, forward: bool, app: &App) -> Response {
        match (&mut self.page, SETTINGS.get(self.chosen)) {
            (Page::Settings, Some(setting)) => {
                let choices = setting.choices();
                let now = setting.get(&app.settings);
                let at = choices.iter().position(|choice| *choice == now);
                let next = at.map_or(0, |at| stepped(at, choices.len(), forward));
                if let Some(value) = choices.get(next) {
                    return self.change(setting, value, app);
                }
            }
            (Page::Settings, None) if forward => self.open(Page::Engines, 0),
            (Page::Engines, _) if forward => {
                if let Some(name) = app.engines.get(self.chosen) {
                    let opened = OpenedEngine {
                        name: name.clone(),
                        ..OpenedEngine::default()
                    };
                    self.open(Page::Options(self.chosen, opened), 0);
                    return Response::effect(EngineEffect::Ask(name.clone()));
                }
            }
            (Page::Settings | Page::Engines, _) => {}
            (Page::Options(_, opened), _) => {
                let option = opened.options().get(self.chosen);
                if let Some(value) = option.and_then(|option| option.neighbor(forward)) {
                    return self.set_option(Some(value));
                }
            }
        }
        Response::Stay
    }

    /// Changes a setting, or says why it cannot.
    fn change(&mut self, setting: &'static Setting, value: &str, app: &App) -> Response {
        let refused = setting.set(&mut app.settings.clone(), value).err();
        self.problem = refused.map(|error| error.to_string());
        if self.problem.is_some() {
            return Response::Stay;
        }
        Response::Do(Action::ChangeSetting {
            key: setting.key,
            value: value.to_owned(),
        })
    }

    /// Sets the chosen option of an engine, or leaves it to the engine.
    fn set_option(&mut self, value: Option<OptionValue>) -> Response {
        self.choose(self.chosen);
        let Page::Options(_, opened) = &mut self.page else {
            return Response::Stay;
        };
        let effect = opened.set(self.chosen, value);
        effect.map_or(Response::Stay, Response::effect)
    }

    /// Sets what is chosen to the typed value, or says why not and lets the user correct it.
    fn set_typed(&mut self, typed: TextLine, app: &App) -> Response {
        let text = typed.text().trim();
        let response = match &mut self.page {
            Page::Settings => match SETTINGS.get(self.chosen) {
                Some(setting) => self.change(setting, text, app),
                None => Response::Stay,
            },
            Page::Engines => Response::Stay,
            Page::Options(_, opened) => {
                let option = opened.options().get(self.chosen);
                match option.map(|option| option.declared.check(Some(text))) {
                    Some(Ok(value)) => return self.set_option(Some(value)),
                    Some(Err(error)) => self.problem = Some(error.to_string()),
                    None => {}
                }
                Response::Stay
            }
        };
        self.typed = Some(typed).filter(|_| self.problem.is_some());
        response
    }

    /// Says why the last change could not be written. An engine's option has its previous value again.
    pub(crate) fn not_written(&mut self, sentence: String) {
        self.problem = Some(sentence);
        if let Page::Options(_, opened) = &mut self.page {
            opened.restore();
        }
    }

    /// Shows the options of an engine, or why it cannot be asked, unless another engine is shown by now.
    pub(crate) fn show_options(&mut self, name: &str, answer: Result<Vec<EngineOption>, NotDone>) {
        if let Page::Options(_, opened) = &mut self.page
            && opened.name == name
        {
            opened.asked = Some(answer);
            self.chosen = 0;
        }
    }
}

impl Component for SettingsForm {
    fn key(&mut self, key: KeyEvent, app: &App) -> Response {
        let count = self.count(app);
        let typed = self.typed.take();
        let is_typing = typed.is_some();
        match Press::from(key) {
            Press::Esc if is_typing => self.problem = None,
            Press::Esc => match self.page {
                Page::Settings => return Response::Close,
                Page::Engines => self.open(Page::Settings, ENGINES),
                Page::Options(at, _) => self.open(Page::Engines, at),
            },
            Press::Up | Press::BackTab => self.choose(stepped(self.chosen, count, false)),
            Press::Down | Press::Tab => self.choose(stepped(self.chosen, count, true)),
            Press::Enter if let Some(typed) = &typed => return self.set_typed(typed.clone(), app),
            Press::Edit(Edit::Left) if !is_typing => return self.step_value(false, app),
            Press::Edit(Edit::Right) if !is_typing => return self.step_value(true, app),
            Press::Enter | Press::Edit(Edit::Char(' '))
                if !is_typing && (self.page == Page::Settings || !self.is_text_line()) =>
            {
                return self.step_value(true, app);
            }
            // Backspace is not included: it may still be held down from deleting typed text.
            Press::Edit(Edit::Delete) if !is_typing && matches!(self.page, Page::Options(..)) => {
                return self.set_option(None);
            }
            Press::Enter | Press::PageUp | Press::PageDown | Press::Edit(_) => {
                if self.is_text_line() {
                    let mut line = typed.unwrap_or_default();
                    line.edit(key);
                    self.problem = None;
                    self.typed = Some(line).filter(|line| !line.is_empty());
                }
            }
        }
        Response::Stay
    }

    /// Chooses a line, or changes or opens it if it was already chosen.
    fn click_row(&mut self, row: usize, app: &App) -> Response {
        if row == self.chosen {
            return self.step_value(true, app);
        }
        self.choose(row.min(self.count(app).saturating_sub(1)));
        Response::Stay
    }

    fn paste(&mut self, text: &str) {
        if self.is_text_line() {
            self.typed.get_or_insert_default().insert(text);
        }
    }

    fn render(&self, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let count = self.count(app);
        // The lines below the list are for the note, including the line of keys.
        let (title, width, height, lines) = match &self.page {
            Page::Settings => ("Settings".to_owned(), 72, ENGINES as u16 + 8, 3),
            Page::Engines => ("Engines".to_owned(), 76, 22, 4),
            Page::Options(_, opened) => (format!("Options of {}", opened.name), 76, 22, 4),
        };
        let inside = canvas.draw_frame(centered(app.look.size, width, height), &title);
        let list = above(inside, lines + 1);
        for (at, line) in rows(list, self.chosen, count) {
            canvas.make_clickable(line, Hit::Row(at));
            self.draw_line(at, line, app, canvas);
        }
        let first = (self.chosen + 1).saturating_sub(usize::from(list.height));
        let more = count.saturating_sub(first + usize::from(list.height));
        if more > 0 && self.page == Page::Settings {
            let line = row(inside, list.height);
            canvas.put(line, 2, &format!("↓ {more} more"), styles.dim());
        }
        let (note, is_bad) = self.note(app);
        let style = match is_bad {
            true => styles.warning(),
            false => styles.dim(),
        };
        let area = below(inside, inside.height.saturating_sub(lines));
        canvas.put_paragraph(above(area, 1), &note, style);
        let last = row(inside, inside.height.saturating_sub(1));
        canvas.draw_keys_at_right(last, self.keys(count));
    }
}

/// A line of the list.
struct Line<'a> {
    name: &'a str,
    name_width: u16,
    value: String,
    /// Whether the user has set it.
    is_set: bool,
}

impl SettingsForm {
    /// Draws a line: its name, and its value or the typed text. Options set by the user stand out.
    fn draw_line(&self, at: usize, area: Rect, app: &App, canvas: &mut Canvas<'_>) {
        let styles = canvas.styles;
        let chosen = at == self.chosen;
        let (sign, style) = canvas.line_style(chosen);
        let Some(line) = self.line(at, area.width, app) else {
            return;
        };
        let cells = columns(area, 0, line.name_width.saturating_sub(1));
        canvas.put(cells, 0, &format!("{sign} {}", line.name), style);
        let cells = from_column(area, line.name_width);
        if let Some(text) = self.typed.as_ref().filter(|_| chosen) {
            canvas.draw_typed_line(cells, "", text, (styles.dim(), styles.accent()));
            return;
        }
        let style = match line.is_set {
            true => styles.accent(),
            false => styles.text(),
        };
        canvas.put(cells, 0, &line.value, style);
    }

    /// What a line of this width shows, by its index.
    fn line<'a>(&'a self, at: usize, width: u16, app: &'a App) -> Option<Line<'a>> {
        let arrows = |value: String| match at == self.chosen {
            true => format!("‹ {value} ›"),
            false => value,
        };
        Some(match &self.page {
            Page::Settings => {
                let (name, value) = match SETTINGS.get(at) {
                    Some(setting) => (setting.key, arrows(setting.get(&app.settings))),
                    None => ("engines", format!("{} known ›", app.engines.len())),
                };
                Line {
                    name,
                    name_width: 20,
                    value,
                    is_set: false,
                }
            }
            Page::Engines => Line {
                name: app.engines.get(at).map_or("", String::as_str),
                name_width: width + 1,
                value: String::new(),
                is_set: false,
            },
            Page::Options(_, opened) => {
                let option = opened.options().get(at)?;
                Line {
                    name: option.declared.name.as_str(),
                    name_width: (width / 2).min(28),
                    value: arrows(option.shown()),
                    is_set: option.value.is_some(),
                }
            }
        })
    }

    /// The note below the list, and whether it is an error.
    fn note(&self, app: &App) -> (String, bool) {
        if let Some(problem) = &self.problem {
            return (problem.clone(), true);
        }
        let note = match &self.page {
            Page::Settings => self.chosen_setting().map_or(
                "The options of each engine that is known by name.",
                |setting| setting.help,
            ),
            Page::Engines if app.engines.is_empty() => {
                "No engine is known. Name one in config.toml: [engines.NAME] with its path."
            }
            Page::Engines => "The engines of config.toml, and well-known ones that are installed.",
            Page::Options(_, opened) => return opened.note(self.chosen),
        };
        (note.to_owned(), false)
    }

    /// The keys for a list of this many lines.
    fn keys(&self, count: usize) -> KeyNames {
        match &self.page {
            Page::Settings if self.chosen == ENGINES => &[(ENTER, "open"), (ESC, "close")],
            Page::Settings => &[(KeyLabel::Several("←→"), "change"), (ESC, "close")],
            Page::Engines | Page::Options(..) if count == 0 => &[(ESC, "back")],
            Page::Engines => &[(ENTER, "options"), (ESC, "back")],
            Page::Options(..) => &[
                (KeyLabel::Several("←→"), "change"),
                (DELETE, "default"),
                (ESC, "back"),
            ],
        }
    }
}
