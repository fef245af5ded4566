//! The key map: every shortcut with its standard keys, further keys for people used to vim, and the user's own.
//!
//! Typing always means a move, so no key of any map can begin one. That is checked for the user's keys and tested for
//! the others.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with an action: a letter, and its modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Plain(char),
    Control(char),
    Alt(char),
}

impl Key {
    fn of(event: KeyEvent) -> Option<Key> {
        let KeyCode::Char(letter) = event.code else {
            return None;
        };
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        let alt = event.modifiers.contains(KeyModifiers::ALT);
        match (control, alt) {
            (false, false) => Some(Key::Plain(letter)),
            (true, false) => Some(Key::Control(letter.to_ascii_lowercase())),
            (false, true) => Some(Key::Alt(letter)),
            (true, true) => None,
        }
    }

    /// Its name in the help and the hints.
    pub fn label(self) -> String {
        match self {
            Key::Plain(letter) => letter.to_string(),
            Key::Control(letter) => format!("Ctrl-{}", letter.to_ascii_uppercase()),
            Key::Alt(letter) => format!("Alt-{letter}"),
        }
    }

    /// The event of pressing it.
    pub fn event(self) -> KeyEvent {
        let (letter, modifiers) = match self {
            Key::Plain(letter) => (letter, KeyModifiers::NONE),
            Key::Control(letter) => (letter, KeyModifiers::CONTROL),
            Key::Alt(letter) => (letter, KeyModifiers::ALT),
        };
        KeyEvent::new(KeyCode::Char(letter), modifiers)
    }

    /// Whether it is a letter without a modifier.
    pub fn is_plain(self) -> bool {
        matches!(self, Key::Plain(_))
    }
}

/// Whether a letter can begin a move, so that it cannot be a shortcut.
pub(crate) fn begins_a_move(letter: char) -> bool {
    matches!(
        letter.to_ascii_lowercase(),
        'a'..='h' | 'k' | 'n' | 'o' | 'q' | 'r' | '0'..='9'
    )
}

/// The action of a shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyAction {
    /// Runs a line of the command table.
    Run(&'static str),
    /// Steps through the record by this many plies.
    Walk(i64),
    /// Moves the cursor like this arrow.
    Arrow(KeyCode),
    Menu,
    /// Opens the menu of marks for the current move.
    Marks,
    /// Opens the palette, perhaps with the beginning of a command.
    Type(&'static str),
}

/// An action of a key while nothing is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortcut {
    /// Its name in the table `[keys]` of the config.
    pub name: &'static str,
    keys: &'static [Key],
    /// Further keys for people used to vim.
    vim: &'static [Key],
    pub action: KeyAction,
    /// Its text in the hint bar during a game; empty if only the help has it.
    pub hint: &'static str,
    /// The same in a review.
    pub review: &'static str,
    /// Its text in the help.
    pub help: &'static str,
}

/// An entry of the table of shortcuts.
const fn shortcut(
    name: &'static str,
    keys: &'static [Key],
    action: KeyAction,
    hint: &'static str,
    help: &'static str,
) -> Shortcut {
    Shortcut {
        name,
        keys,
        vim: &[],
        action,
        hint,
        review: hint,
        help,
    }
}

impl Shortcut {
    const fn review(self, review: &'static str) -> Shortcut {
        Shortcut { review, ..self }
    }

    const fn vim(self, vim: &'static [Key]) -> Shortcut {
        Shortcut { vim, ..self }
    }
}

/// More plies than any game has.
pub const FAR: i64 = 1 << 20;

/// All shortcuts, in the order of the hint bar.
#[rustfmt::skip]
pub const SHORTCUTS: &[Shortcut] = &[
    shortcut("undo", &[Key::Plain('u')], KeyAction::Run("undo"), "undo", "Take back a move").review(""),
    shortcut("redo", &[Key::Plain('U')], KeyAction::Run("redo"), "", "Play it again").vim(&[Key::Control('r')]),
    shortcut("flip", &[Key::Plain('v')], KeyAction::Run("flip"), "flip", "Turn the board around"),
    shortcut("hint", &[Key::Plain('i')], KeyAction::Run("hint"), "hint", "A hint: the piece, the square, the move"),
    shortcut("lines", &[Key::Plain('l')], KeyAction::Run("lines"), "lines", "Show or hide the best lines"),
    shortcut("menu", &[Key::Plain('x')], KeyAction::Menu, "draw/resign", "Draw, takeback, resign, new game").review("play on, save…"),
    shortcut("command", &[Key::Plain(':')], KeyAction::Type(""), "command", "Type a command"),
    shortcut("back", &[Key::Plain(',')], KeyAction::Walk(-1), "back", "Look one move back").review("").vim(&[Key::Control('y')]),
    shortcut("forward", &[Key::Plain('.')], KeyAction::Walk(1), "forward", "Look one move forward").review("")
        .vim(&[Key::Control('e')]),
    shortcut("far-back", &[], KeyAction::Walk(-10), "", "Look five moves back").vim(&[Key::Control('u')]),
    shortcut("far-forward", &[], KeyAction::Walk(10), "", "Look five moves forward").vim(&[Key::Control('d')]),
    shortcut("marks", &[Key::Plain('m')], KeyAction::Marks, "", "Mark the move with ! or ?, comment it").review("mark"),
    shortcut("next-variation", &[Key::Plain(']')], KeyAction::Run("variation next"), "", "The next move in this place"),
    shortcut("last-variation", &[Key::Plain('[')], KeyAction::Run("variation previous"), "", "The one before it"),
    shortcut("leave-variation", &[Key::Plain('(')], KeyAction::Run("variation leave"), "", "Back to where a variation begins"),
    shortcut("start", &[Key::Plain('<')], KeyAction::Walk(-FAR), "", "Look at the start"),
    shortcut("end", &[Key::Plain('>')], KeyAction::Walk(FAR), "", "Look at the end"),
    shortcut("help", &[Key::Plain('?')], KeyAction::Run("help"), "help", "Keys and commands"),
    shortcut("save", &[Key::Plain('s')], KeyAction::Type("save "), "", "Save the game under a name"),
    shortcut("explorer", &[Key::Plain('w')], KeyAction::Run("explorer"), "", "What was played here, from a database"),
    shortcut("own-games", &[Key::Plain('j')], KeyAction::Run("explorer own"), "", "How you score here, from your saves"),
    shortcut("explorer-off", &[Key::Plain('W')], KeyAction::Run("explorer off"), "", "Databases no longer"),
    shortcut("copy-fen", &[Key::Plain('y')], KeyAction::Run("copy fen"), "", "Copy the position as FEN"),
    shortcut("copy-pgn", &[Key::Plain('Y')], KeyAction::Run("copy pgn"), "", "Copy the game as PGN"),
    shortcut("theme", &[Key::Plain('t')], KeyAction::Run("theme"), "", "The next theme"),
    shortcut("blindfold", &[Key::Plain('z')], KeyAction::Run("blindfold"), "", "Hide the pieces, or show them"),
    shortcut("pause", &[Key::Plain('p')], KeyAction::Run("pause"), "", "Stop the clocks, or go on"),
    shortcut("left", &[], KeyAction::Arrow(KeyCode::Left), "", "As the arrow").vim(&[Key::Alt('h')]),
    shortcut("down", &[], KeyAction::Arrow(KeyCode::Down), "", "As the arrow").vim(&[Key::Alt('j')]),
    shortcut("up", &[], KeyAction::Arrow(KeyCode::Up), "", "As the arrow").vim(&[Key::Alt('k')]),
    shortcut("right", &[], KeyAction::Arrow(KeyCode::Right), "", "As the arrow").vim(&[Key::Alt('l')]),
];

/// The other keys, which cannot be bound, for the help.
pub const OTHER_KEYS: [(&str, &str); 13] = [
    ("letters, digits", "A move: Nf3, e2e4, O-O"),
    ("Tab, Shift-Tab", "Cycle through the moves that fit"),
    ("Enter", "Play it; with nothing typed, pick up or put down"),
    ("arrows", "Move the cursor on the board"),
    ("Space", "Pick up or put down at the cursor"),
    ("Esc", "Clear, put back, go back; never leaves"),
    (
        "PgUp, PgDn, wheel",
        "Walk through the moves; Home, End: all the way",
    ),
    ("← →, ↑ ↓ in a review", "Back and forward, other variations"),
    ("click, drag", "Move a piece; click a move to look at it"),
    ("right click, drag", "Mark a square, draw an arrow"),
    (
        "click elsewhere",
        "Press a key that is named; close what is open",
    ),
    ("Ctrl-C", "Clear; twice: leave"),
    ("Ctrl-Z", "Suspend; fg comes back"),
];

/// The map that the user's own keys are added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMap {
    Standard,
    Vim,
}

/// The current keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    bound: Vec<(Key, &'static Shortcut)>,
    own: Vec<(&'static str, char)>,
}

impl Keys {
    /// The keys of a map, and the user's own by the names of their actions, which the config has checked. A shortcut
    /// that the user has bound has only the user's keys, and a key that the user has bound loses its standard action.
    /// Also returns warnings about shortcuts that lost a key.
    pub fn new(map: KeyMap, own: Vec<(&'static str, char)>) -> (Keys, Vec<String>) {
        let mut problems = Vec::new();
        let mut bound: Vec<(Key, &'static Shortcut)> = Vec::new();
        for &(name, letter) in &own {
            let found = SHORTCUTS.iter().find(|shortcut| shortcut.name == name);
            bound.extend(found.map(|shortcut| (Key::Plain(letter), shortcut)));
        }
        let rebound = bound.clone();
        for shortcut in SHORTCUTS {
            if rebound.iter().any(|(_, owner)| *owner == shortcut) {
                continue;
            }
            let vim = shortcut.vim.iter().filter(|_| map == KeyMap::Vim);
            for &key in shortcut.keys.iter().chain(vim) {
                match rebound.iter().find(|(taken, _)| *taken == key) {
                    Some((_, owner)) => problems.push(format!(
                        "The key '{}' now does '{}', so '{}' has lost it.",
                        key.label(),
                        owner.name,
                        shortcut.name
                    )),
                    None => bound.push((key, shortcut)),
                }
            }
        }
        (Keys { bound, own }, problems)
    }

    /// The keys that the user has bound, by the names of their actions.
    pub fn own(&self) -> &[(&'static str, char)] {
        &self.own
    }

    /// The action of a key.
    pub fn find(&self, event: KeyEvent) -> Option<(Key, &'static Shortcut)> {
        let key = Key::of(event)?;
        self.bound.iter().find(|(known, _)| *known == key).copied()
    }

    /// The name of a shortcut's key; `None` if it has none.
    pub fn label(&self, wanted: &Shortcut) -> Option<String> {
        let found = self.bound.iter().find(|(_, shortcut)| *shortcut == wanted);
        found.map(|(key, _)| key.label())
    }

    /// The key of an action, by the action's name.
    pub fn key(&self, action: &str) -> Option<Key> {
        let found = self.bound.iter().find(|(_, one)| one.name == action);
        found.map(|&(key, _)| key)
    }

    /// What a sentence says to press for an action: its key, or else the command that does the same.
    pub fn named(&self, action: &str) -> String {
        if let Some(key) = self.key(action) {
            return key.label();
        }
        let found = SHORTCUTS.iter().find(|shortcut| shortcut.name == action);
        match found.map(|shortcut| shortcut.action) {
            Some(KeyAction::Run(line)) => self.typed(line),
            Some(
                KeyAction::Walk(_)
                | KeyAction::Arrow(_)
                | KeyAction::Menu
                | KeyAction::Marks
                | KeyAction::Type(_),
            )
            | None => format!("the key that config.toml gives to '{action}'"),
        }
    }

    /// A command as it is typed on the full screen, with the key that comes before it.
    pub fn typed(&self, line: &str) -> String {
        let key = self.key("command").unwrap_or(Key::Plain(':'));
        format!("{}{line}", key.label())
    }

    /// The key of a command, for the help.
    pub fn of_command(&self, name: &str) -> Option<String> {
        let runs = |one: &&Shortcut| matches!(one.action, KeyAction::Run(line) if line == name);
        self.label(SHORTCUTS.iter().find(runs)?)
    }
}

impl Default for Keys {
    fn default() -> Keys {
        Keys::new(KeyMap::Standard, Vec::new()).0
    }
}

/// The names of all actions that can be bound.
pub fn names() -> Vec<&'static str> {
    SHORTCUTS.iter().map(|shortcut| shortcut.name).collect()
}

#[cfg(test)]
mod tests;
