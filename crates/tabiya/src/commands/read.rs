//! The arguments of each command, from text to values.

use std::str::FromStr;

use tabiya_game::{DrawPolicy, Glyph, TimeControl};
use tabiya_rules::{Color, DiagramPieces, File, Position, Rank, Role, Square};

use super::{
    Copied, Line, Misuse, NewRequest, Question, Request, Reviewed, Setting, Shown, Side, Start,
    Target, Variation, find,
};
use crate::app::watch::MatchWish;
use crate::config::settings::{self, Settings};
use crate::contest::{ByEntrant, Pace};
use crate::line::suggest;
use crate::position::{self, Mode};
use crate::room::{PlayerSpec, SpecError, entrant};
use crate::storage::{NameError, SaveName};
use crate::tui::pieces::PieceStyle;
use crate::tui::theme::{self, THEMES};

type Read = Result<Request, Misuse>;

/// A command without arguments.
pub(super) fn nothing(text: &str, request: Request) -> Read {
    if text.is_empty() {
        Ok(request)
    } else {
        Err(Misuse::Form)
    }
}

/// An argument that can be left out.
fn optional<T>(text: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Misuse> {
    if text.is_empty() {
        return Ok(None);
    }
    read(text).map(Some).ok_or(Misuse::Form)
}

pub(super) fn undo(text: &str) -> Read {
    Ok(Request::Undo(count(text)?))
}

pub(super) fn redo(text: &str) -> Read {
    Ok(Request::Redo(count(text)?))
}

/// How often: at least once, which is meant where nothing is said.
fn count(text: &str) -> Result<u32, Misuse> {
    let read = |text: &str| digits(text).filter(|&times| times > 0);
    Ok(optional(text, read)?.unwrap_or(1))
}

fn digits<T: FromStr>(text: &str) -> Option<T> {
    // The standard reader also takes a plus sign.
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

pub(super) fn goto(text: &str) -> Read {
    let target = match text.to_ascii_lowercase().as_str() {
        "start" | "0" => Target::Start,
        "end" => Target::End,
        place => {
            let (number, by) = match place.strip_suffix('b') {
                Some(number) => (number, Color::Black),
                None => (place.strip_suffix('w').unwrap_or(place), Color::White),
            };
            let number = digits(number)
                .filter(|_| !number.is_empty())
                .ok_or(Misuse::Form)?;
            Target::Move { number, by }
        }
    };
    Ok(Request::GoTo(target))
}

pub(super) fn draw(text: &str) -> Read {
    Ok(Request::Draw(optional(text, |text| Some(text.to_owned()))?))
}

fn color(text: &str) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|color| color.name().eq_ignore_ascii_case(text))
}

pub(super) fn offer(text: &str) -> Read {
    Ok(Request::Offer(optional(text, color)?))
}

pub(super) fn takeback(text: &str) -> Read {
    Ok(Request::Takeback(optional(text, color)?))
}

pub(super) fn resign(text: &str) -> Read {
    Ok(Request::Resign(optional(text, color)?))
}

fn question(text: &str) -> Option<Question> {
    match text.to_ascii_lowercase().as_str() {
        "draw" => Some(Question::Draw),
        "takeback" => Some(Question::Takeback),
        _ => None,
    }
}

pub(super) fn accept(text: &str) -> Read {
    Ok(Request::Accept(optional(text, question)?))
}

pub(super) fn decline(text: &str) -> Read {
    Ok(Request::Decline(optional(text, question)?))
}

fn position(text: &str) -> Result<Position, Misuse> {
    position::read(&[text.to_owned()], Mode::AsWritten)
        .map_err(|failure| Misuse::Because(failure.sentence().unwrap_or_default().to_owned()))
}

pub(super) fn fen(text: &str) -> Read {
    Ok(Request::Fen(match text {
        "" => None,
        text => Some(Box::new(position(text)?)),
    }))
}

pub(super) fn pgn(text: &str) -> Read {
    Ok(Request::Pgn(optional(text, |text| Some(text.into()))?))
}

/// The name of a save.
fn save_name(text: &str) -> Result<SaveName, Misuse> {
    // Whoever knows that saves are PGN files may write it.
    let end = text.len().checked_sub(".pgn".len());
    let text = match end.and_then(|end| text.split_at_checked(end)) {
        Some((name, ending)) if ending.eq_ignore_ascii_case(".pgn") => name,
        _ => text,
    };
    SaveName::new(text).map_err(|error| match error {
        NameError::Empty => Misuse::Form,
        error => Misuse::Because(error.to_string()),
    })
}

pub(super) fn save(text: &str) -> Read {
    match text {
        "" => Ok(Request::Save(None)),
        text => Ok(Request::Save(Some(save_name(text)?))),
    }
}

pub(super) fn load(text: &str) -> Read {
    Ok(Request::Load(save_name(text)?))
}

pub(super) fn delete(text: &str) -> Read {
    Ok(Request::Delete(save_name(text)?))
}

pub(super) fn pieces(text: &str) -> Read {
    let mut letters = text.chars();
    match (letters.next().and_then(Role::from_char), letters.next()) {
        (Some(role), None) => Ok(Request::Pieces(role)),
        _ => Err(Misuse::Form),
    }
}

pub(super) fn squares(text: &str) -> Read {
    let [letter] = *text.as_bytes() else {
        return Err(Misuse::Form);
    };
    let line = match letter.to_ascii_lowercase() {
        letter @ b'a'..=b'h' => File::from_index(letter - b'a').map(Line::File),
        letter @ b'1'..=b'8' => Rank::from_index(letter - b'1').map(Line::Rank),
        _ => None,
    };
    line.map(Request::Squares).ok_or(Misuse::Form)
}

fn square(text: &str) -> Option<Square> {
    text.to_ascii_lowercase().parse().ok()
}

pub(super) fn moves(text: &str) -> Read {
    Ok(Request::Moves(optional(text, square)?))
}

pub(super) fn attackers(text: &str) -> Read {
    square(text).map(Request::Attackers).ok_or(Misuse::Form)
}

pub(super) fn set(text: &str) -> Read {
    if text.is_empty() {
        return Ok(Request::Set(None));
    }
    let lower = text.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let setting = match words[..] {
        ["board", "on"] => Setting::Board(Shown::On),
        ["board", "off"] => Setting::Board(Shown::Off),
        ["pieces", "letters"] => Setting::Pieces(DiagramPieces::Letters),
        ["pieces", "figures"] => Setting::Pieces(DiagramPieces::Figures),
        ["draws", "claim"] => Setting::Draws(DrawPolicy::Claim),
        ["draws", "auto"] => Setting::Draws(DrawPolicy::Automatic),
        _ => lasting(text)?,
    };
    Ok(Request::Set(Some(setting)))
}

/// One of the user's settings with a value that it takes.
fn lasting(text: &str) -> Result<Setting, Misuse> {
    let (key, value) = text.split_once(char::is_whitespace).ok_or(Misuse::Form)?;
    let setting = settings::find(&key.to_ascii_lowercase()).ok_or(Misuse::Form)?;
    let value = value.trim();
    setting
        .set(&mut Settings::default(), value)
        .map_err(Misuse::Because)?;
    Ok(Setting::Lasting {
        key: setting.key,
        value: value.to_owned(),
    })
}

/// The signs a move can be marked with.
pub(super) const SIGNS: &[&str] = &["!", "?", "!!", "??", "!?", "?!", "none"];

pub(super) fn mark(text: &str) -> Read {
    match text {
        "none" => Ok(Request::Mark(None)),
        sign if SIGNS.contains(&sign) => Ok(Request::Mark(Glyph::from_symbol(sign))),
        _ => Err(Misuse::Form),
    }
}

pub(super) fn variation(text: &str) -> Read {
    let wish = match text.to_ascii_lowercase().as_str() {
        "next" => Variation::Next,
        "previous" => Variation::Previous,
        "leave" => Variation::Leave,
        "up" => Variation::Up,
        "main" => Variation::Main,
        "delete" => Variation::Delete,
        _ => return Err(Misuse::Form),
    };
    Ok(Request::Vary(wish))
}

pub(super) fn json(text: &str) -> Read {
    Ok(Request::Json(optional(text, |text| Some(text.into()))?))
}

pub(super) fn svg(text: &str) -> Read {
    match text {
        "" => Err(Misuse::Form),
        path => Ok(Request::Svg(path.into())),
    }
}

/// What reads as a position is one, `save NAME` is a save, and everything else is the name of a file.
pub(super) fn review(text: &str) -> Read {
    let reviewed = match (text, first_word(text)) {
        ("", _) => None,
        (_, ("save", name)) => Some(Reviewed::Save(save_name(name)?)),
        _ => Some(match position(text) {
            Ok(position) => Reviewed::Position(Box::new(position)),
            Err(_) => Reviewed::File(text.into()),
        }),
    };
    Ok(Request::Review(reviewed))
}

/// An engine to judge the game with; the one inside where none is named.
pub(super) fn study(text: &str) -> Read {
    match text {
        "" => Ok(Request::Study(PlayerSpec::Bot(None))),
        text => match text.parse() {
            Ok(PlayerSpec::Human) => Err(Misuse::Form),
            Ok(player) => Ok(Request::Study(player)),
            Err(error) => Err(Misuse::Because(error.to_string())),
        },
    }
}

/// Two players, how many games, how long they may think, and a file of openings.
pub(super) fn watch(text: &str) -> Read {
    let (text, openings) = match text.split_once(" openings ") {
        Some((text, path)) => (text, Some(path.trim().into())),
        None => (text, None),
    };
    let mut words = text.split_whitespace();
    let mut player = || -> Result<PlayerSpec, Misuse> {
        let word = words.next().ok_or(Misuse::Form)?;
        entrant(word).map_err(|error| Misuse::Because(sentence(&error.to_string())))
    };
    let players = ByEntrant::new(player()?, player()?);
    let rest: Vec<&str> = words.collect();
    let (games, rest) = match rest.split_first() {
        Some((first, rest)) if digits::<u32>(first).is_some() => (digits(first), rest),
        _ => (Some(10), &rest[..]),
    };
    let number = |word: &str| digits::<u64>(word).filter(|&number| number > 0);
    let pace = match *rest {
        [] => TimeControl::from_str("5s+0.05s").ok().map(Pace::Clock),
        ["nodes", count] => number(count).map(Pace::Nodes),
        ["depth", count] => {
            number(count).and_then(|depth| Some(Pace::Depth(depth.try_into().ok()?)))
        }
        [clock] => {
            let control = TimeControl::from_str(clock);
            Some(Pace::Clock(
                control.map_err(|error| Misuse::Because(error.to_string()))?,
            ))
        }
        _ => None,
    };
    Ok(Request::Match(Box::new(MatchWish {
        players,
        games: games.filter(|&games| games > 0).ok_or(Misuse::Form)?,
        pace: pace.ok_or(Misuse::Form)?,
        openings,
    })))
}

pub(super) fn theme(text: &str) -> Read {
    let unknown = || {
        let names: Vec<&str> = THEMES.iter().map(|theme| theme.name).collect();
        Misuse::Because(format!("The themes are {}.", names.join(", ")))
    };
    match text {
        "" => Ok(Request::Theme(None)),
        name => Ok(Request::Theme(Some(theme::find(name).ok_or_else(unknown)?))),
    }
}

pub(super) fn piece_style(text: &str) -> Read {
    let known = PieceStyle::ALL
        .into_iter()
        .find(|style| style.name().eq_ignore_ascii_case(text));
    known.map(Request::PieceStyle).ok_or(Misuse::Form)
}

pub(super) fn copy(text: &str) -> Read {
    match text.to_ascii_lowercase().as_str() {
        "fen" => Ok(Request::Copy(Copied::Fen)),
        "pgn" => Ok(Request::Copy(Copied::Pgn)),
        _ => Err(Misuse::Form),
    }
}

pub(super) fn help(text: &str) -> Read {
    let no_command = || Misuse::Because(suggest::no_command(text));
    match text {
        "" => Ok(Request::Help(None)),
        name => Ok(Request::Help(Some(find(name).ok_or_else(no_command)?))),
    }
}

pub(super) fn new(text: &str) -> Read {
    let mut request = NewRequest::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let after = after.trim_start();
        rest = match word.to_ascii_lowercase().as_str() {
            "white" => side(&mut request, Side::Of(Color::White), after)?,
            "black" => side(&mut request, Side::Of(Color::Black), after)?,
            "random" => side(&mut request, Side::Random, after)?,
            "human" | "bot" | "uci" => {
                let (spec, rest) = player(word, after)?;
                if request.opponent.replace(spec).is_some() {
                    return Err(Misuse::Form);
                }
                rest
            }
            "fen" => {
                start(&mut request, Start::Position(position(after)?))?;
                ""
            }
            "960" => numbered_start(&mut request, after)?,
            _ => {
                let control = TimeControl::from_str(word);
                let control = control.map_err(|error| Misuse::Because(error.to_string()))?;
                if request.clock.replace(control).is_some() {
                    return Err(Misuse::Form);
                }
                after
            }
        };
    }
    Ok(Request::New(Box::new(request)))
}

/// A player: `human`, `bot` with or without a level, `uci` with a name or path, which quotes keep together.
fn player<'a>(word: &str, after: &'a str) -> Result<(PlayerSpec, &'a str), Misuse> {
    let because = |error: SpecError| Misuse::Because(sentence(&error.to_string()));
    let (next, rest) = first_word(after);
    match word.to_ascii_lowercase().as_str() {
        "human" => Ok((PlayerSpec::Human, after)),
        // A level is a number and a clock has a sign in it, so that they cannot be mixed up.
        "bot" if !next.is_empty() && next.bytes().all(|byte| byte.is_ascii_digit()) => {
            let spec = format!("bot:{next}").parse().map_err(because)?;
            Ok((spec, rest))
        }
        "bot" => Ok((PlayerSpec::Bot(None), after)),
        _ => Ok((format!("uci:{next}").parse().map_err(because)?, rest)),
    }
}

/// The first word and what follows it; quotes make one word of several.
fn first_word(text: &str) -> (&str, &str) {
    if let Some(quoted) = text.strip_prefix('"')
        && let Some((word, rest)) = quoted.split_once('"')
    {
        return (word, rest.trim_start());
    }
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// A reason as a sentence of its own.
fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(char::to_uppercase);
    let first: String = first.into_iter().flatten().collect();
    format!("{first}{}.", letters.as_str())
}

/// `opponent [white|black] human|bot [N]|uci NAME`.
pub(super) fn opponent(text: &str) -> Read {
    let (word, rest) = first_word(text);
    let (side, text) = match color(word) {
        Some(side) => (Some(side), rest),
        None => (None, text),
    };
    let (word, rest) = first_word(text);
    if !matches!(word.to_ascii_lowercase().as_str(), "human" | "bot" | "uci") {
        return Err(Misuse::Form);
    }
    match player(word, rest)? {
        (spec, "") => Ok(Request::Opponent(side, spec)),
        _ => Err(Misuse::Form),
    }
}

/// `lines [bot|uci NAME]`.
pub(super) fn lines(text: &str) -> Read {
    let (word, rest) = first_word(text);
    match word.to_ascii_lowercase().as_str() {
        "" => Ok(Request::Lines(None)),
        "bot" | "uci" => match player(word, rest)? {
            (spec, "") => Ok(Request::Lines(Some(spec))),
            _ => Err(Misuse::Form),
        },
        _ => Err(Misuse::Form),
    }
}

fn side<'a>(request: &mut NewRequest, side: Side, after: &'a str) -> Result<&'a str, Misuse> {
    match request.side.replace(side) {
        None => Ok(after),
        Some(_) => Err(Misuse::Form),
    }
}

fn start(request: &mut NewRequest, start: Start) -> Result<(), Misuse> {
    match request.start.replace(start) {
        None => Ok(()),
        Some(_) => Err(Misuse::Form),
    }
}

/// The number after `960`, if the next word is one.
fn numbered_start<'a>(request: &mut NewRequest, after: &'a str) -> Result<&'a str, Misuse> {
    let (word, rest) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
    let (number, rest) = match digits::<u16>(word).filter(|_| !word.is_empty()) {
        None => (None, after),
        Some(number) if number < 960 => (Some(number), rest.trim_start()),
        Some(_) => {
            let sentence = "The start positions of Chess960 are numbered from 0 to 959.";
            return Err(Misuse::Because(sentence.to_owned()));
        }
    };
    start(request, Start::Chess960(number))?;
    Ok(rest)
}
