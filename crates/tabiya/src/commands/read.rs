//! The arguments of each command, from text to values.

use std::str::FromStr;

use tabiya_game::{DrawPolicy, Glyph, TimeControl};
use tabiya_play::contest::{ByEntrant, Pace};
use tabiya_play::players::{PlayerSpec, SpecError};
use tabiya_play::variations::Variation;
use tabiya_rules::text::excerpt;
use tabiya_rules::{Color, DiagramPieces, File, Position, Rank, Role, Square};
use tabiya_store::{NameError, SaveName};

use super::{
    Copied, Line, Misuse, NewRequest, Question, Request, Reviewed, Setting, Shown, Side, Start,
    Target, find,
};
use crate::commands::suggest;
use crate::config::settings::{self, Settings};
use crate::matches::MatchOrder;
use crate::position::{self, Mode};
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
    SaveName::typed(text).map_err(|error| match error {
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
        letter @ b'a'..=b'h' => File::from_char(char::from(letter)).map(Line::File),
        letter @ b'1'..=b'8' => Rank::from_char(char::from(letter)).map(Line::Rank),
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
    let (first, rest) = word(text);
    let reviewed = match (text, first.as_str()) {
        ("", _) => None,
        (_, "save") => Some(Reviewed::Save(save_name(rest)?)),
        _ => Some(match position(text) {
            Ok(position) => Reviewed::Position(Box::new(position)),
            Err(_) => Reviewed::File(text.into()),
        }),
    };
    Ok(Request::Review(reviewed))
}

/// An engine to judge the game with; the one inside where none is named.
pub(super) fn study(text: &str) -> Read {
    Ok(Request::Study(match text {
        "" => PlayerSpec::Bot(None),
        text => only(engine(text)?)?,
    }))
}

/// Two players, how many games, how long they may think, and a file of openings.
pub(super) fn watch(text: &str) -> Read {
    let (text, openings) = match text.split_once(" openings ") {
        Some((text, path)) => (text, Some(path.trim().into())),
        None => (text, None),
    };
    if text.is_empty() {
        return Err(Misuse::Form);
    }
    let (first, rest) = engine(text)?;
    if rest.is_empty() {
        return Err(Misuse::Form);
    }
    // A number behind a bot is its level, but a single one behind the second is that of the games, unless the first
    // was written so.
    let spaced = |text: &str| word(text).0.eq_ignore_ascii_case("bot");
    let numbers = rest.split_whitespace().skip(1);
    let numbers = numbers.take_while(|word| digits::<u32>(word).is_some());
    let counts = spaced(rest) && numbers.count() == 1;
    let levelled = spaced(text) && first != PlayerSpec::Bot(None);
    let (second, rest) = if counts && !levelled {
        (PlayerSpec::Bot(None), word(rest).1)
    } else {
        engine(rest)?
    };
    let players = ByEntrant::new(first, second);
    let words = rest.split_whitespace();
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
    Ok(Request::Match(Box::new(MatchOrder {
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
        let kind = word.split(':').next().unwrap_or(word);
        rest = match word.to_ascii_lowercase().as_str() {
            _ if is_player(kind) => {
                let (spec, rest) = player(rest)?;
                if request.opponent.replace(spec).is_some() {
                    return Err(Misuse::Form);
                }
                rest
            }
            "white" => side(&mut request, Side::Of(Color::White), after)?,
            "black" => side(&mut request, Side::Of(Color::Black), after)?,
            "random" => side(&mut request, Side::Random, after)?,
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

/// The player that a text begins with, and what follows: `human`, `bot`, `bot 4` or `bot:4`, `uci NAME` or `uci:NAME`,
/// with options behind a question mark. Quotes keep a name with spaces together.
fn player(text: &str) -> Result<(PlayerSpec, &str), Misuse> {
    let (mut spec, mut rest) = word(text);
    let (next, after) = word(rest);
    let is_number = !next.is_empty() && next.bytes().all(|byte| byte.is_ascii_digit());
    // A level is a number and a clock has a sign in it, so that they cannot be mixed up.
    if spec.eq_ignore_ascii_case("uci") || (spec.eq_ignore_ascii_case("bot") && is_number) {
        spec = format!("{spec}:{next}");
        rest = after;
    }
    let spec = spec.parse().map_err(|error: SpecError| match error {
        SpecError::Unknown => Misuse::Form,
        error => Misuse::Because(sentence(&error.to_string())),
    })?;
    Ok((spec, rest))
}

/// A player that is no person, where no person can be one.
fn engine(text: &str) -> Result<(PlayerSpec, &str), Misuse> {
    match player(text) {
        Ok((PlayerSpec::Human, _)) | Err(Misuse::Form) => {
            let (typed, _) = word(text);
            Err(Misuse::Because(format!(
                "Only bots and engines can do that: bot, bot:LEVEL with a level from 1 to 10, or uci:NAME with an \
                 engine's name or path, not '{}'.",
                excerpt(&typed)
            )))
        }
        other => other,
    }
}

/// A player with nothing behind it.
fn only((spec, rest): (PlayerSpec, &str)) -> Result<PlayerSpec, Misuse> {
    if rest.is_empty() {
        Ok(spec)
    } else {
        Err(Misuse::Form)
    }
}

/// The first word and what follows it. What stands between quotes belongs to the word, and the quotes do not.
fn word(text: &str) -> (String, &str) {
    let mut quoted = false;
    let end = text.find(|sign: char| {
        quoted ^= sign == '"';
        sign.is_whitespace() && !quoted
    });
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word.replace('"', ""), rest.trim_start())
}

/// A reason as a sentence of its own.
fn sentence(reason: &str) -> String {
    let mut letters = reason.chars();
    let first = letters.next().map(char::to_uppercase);
    let first: String = first.into_iter().flatten().collect();
    format!("{first}{}.", letters.as_str())
}

/// Whether a word, or what stands before its colon, is a kind of player.
fn is_player(kind: &str) -> bool {
    matches!(
        kind.trim_start_matches('"').to_ascii_lowercase().as_str(),
        "human" | "bot" | "uci"
    )
}

/// `opponent [white|black] PLAYER`.
pub(super) fn opponent(text: &str) -> Read {
    let (first, rest) = word(text);
    let (side, text) = match color(&first) {
        Some(side) => (Some(side), rest),
        None => (None, text),
    };
    Ok(Request::Opponent(side, only(player(text)?)?))
}

/// `lines [ENGINE]`.
pub(super) fn lines(text: &str) -> Read {
    Ok(Request::Lines(match text {
        "" => None,
        text => Some(only(engine(text)?)?),
    }))
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
