//! Parses the arguments of each command.

use std::path::PathBuf;
use std::str::FromStr;

use tabiya_game::{ClaimRule, Glyph, MoveInput, TimeControl};
use tabiya_play::contest::{ByEntrant, ThinkingLimit};
use tabiya_play::players::{PlayerSpec, SpecError};
use tabiya_play::request::{
    GameRequest, Line, NewGameRequest, NotesRequest, Pending, Question, Request, Side, Start,
    StudyRequest, Target,
};
use tabiya_play::variations::VariationAction;
use tabiya_rules::{Color, DiagramPieces, File, Position, Rank, Role, Square};
use tabiya_store::{NameError, SaveName};

use super::{
    Command, Copied, Entry, FileCommand, Misuse, OpenCommand, ProgramCommand, Reviewed, Setting,
    find,
};
use crate::appearance::PieceStyle;
use crate::config::settings::{self, Settings};
use crate::explorer::{DatabaseKind, ExplorerCommand};
use crate::matches::{DEFAULT_CLOCK, MatchOrder};
use crate::position;
use crate::theme::{self, Theme};

/// How many games `watch` plays if no number is given.
const DEFAULT_GAMES: u32 = 10;

type Read = Result<Command, Misuse>;

/// Parses a command without arguments.
pub(super) fn nothing(text: &str, command: impl Into<Command>) -> Read {
    if text.is_empty() {
        Ok(command.into())
    } else {
        Err(Misuse::Form)
    }
}

/// Parses an optional argument.
pub(super) fn optional<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, Misuse>,
) -> Result<Option<T>, Misuse> {
    (!text.is_empty()).then(|| read(text)).transpose()
}

/// Parses one of several words, ignoring case.
fn one_of<T: Copy>(text: &str, known: &[(&str, T)]) -> Result<T, Misuse> {
    let mut known = known.iter();
    let found = known.find(|(word, _)| word.eq_ignore_ascii_case(text));
    found.map(|&(_, value)| value).ok_or(Misuse::Form)
}

/// Sets what can be given only once.
fn once<T>(slot: &mut Option<T>, value: T) -> Result<(), Misuse> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(Misuse::Form),
    }
}

/// Parses a count of at least one, which is the default.
pub(super) fn count(text: &str) -> Result<u32, Misuse> {
    match text {
        "" => Ok(1),
        text => digits(text).filter(|&times| times > 0).ok_or(Misuse::Form),
    }
}

/// Parses digits alone: no sign, no space.
fn digits<T: FromStr>(text: &str) -> Option<T> {
    // The standard parser also accepts a plus sign.
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// Parses a place to go to: a ply, a move number, `start` or `end`.
pub(super) fn goto(text: &str) -> Read {
    let target = match text.to_ascii_lowercase().as_str() {
        "start" | "0" => Target::Start,
        "end" => Target::End,
        place => {
            let (number, by) = match place.strip_suffix('b') {
                Some(number) => (number, Color::Black),
                None => (place.strip_suffix('w').unwrap_or(place), Color::White),
            };
            let number = digits(number).ok_or(Misuse::Form)?;
            Target::Move { number, by }
        }
    };
    Ok(GameRequest::GoTo(target).into())
}

/// Parses a number of plies to step. Larger numbers saturate, because no game is that long.
pub(super) fn steps(text: &str) -> Result<i32, Misuse> {
    Ok(i32::try_from(count(text)?).unwrap_or(i32::MAX))
}

/// `draw [fifty|threefold] [move]`; `draw offer` is an offer.
pub(super) fn draw(text: &str) -> Read {
    if text.eq_ignore_ascii_case("offer") {
        return offer("");
    }
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rule = match first.to_ascii_lowercase().as_str() {
        "fifty" | "50" => Some(ClaimRule::FiftyMoves),
        "threefold" | "3" => Some(ClaimRule::Threefold),
        _ => None,
    };
    let intended = if rule.is_some() { rest.trim() } else { text };
    let intended = (!intended.is_empty()).then(|| intended.to_owned());
    Ok(GameRequest::Claim { rule, intended }.into())
}

/// A premove, or none to remove it.
pub(super) fn premove(text: &str) -> Read {
    let input = (!text.is_empty()).then(|| MoveInput::Text(text.to_owned()));
    Ok(GameRequest::Premove(input).into())
}

/// Parses the name of a side.
pub(super) fn color(text: &str) -> Result<Color, Misuse> {
    one_of(text, &Color::ALL.map(|color| (color.name(), color)))
}

/// Parses what is offered or asked for: a draw, or a takeback.
pub(super) fn offer(text: &str) -> Read {
    let side = Some(text).filter(|text| !text.eq_ignore_ascii_case("draw"));
    Ok(GameRequest::Offer(optional(side.unwrap_or_default(), color)?).into())
}

/// Parses what is answered.
pub(super) fn pending(text: &str) -> Result<Pending, Misuse> {
    let known = [("draw", Pending::Draw), ("takeback", Pending::Takeback)];
    one_of(text, &known)
}

/// Parses a FEN.
fn position(text: &str) -> Result<Position, Misuse> {
    Ok(position::read(&[unquoted(text)?.to_owned()], None)?)
}

pub(super) fn fen(text: &str) -> Read {
    Ok(match text {
        "" => FileCommand::Fen.into(),
        text => GameRequest::LoadPosition(Box::new(position(text)?)).into(),
    })
}

/// The name of a file, if there is one.
pub(super) fn path(text: &str) -> Result<Option<PathBuf>, Misuse> {
    optional(unquoted(text)?, |path| Ok(path.into()))
}

/// The name of a save.
pub(super) fn save_name(text: &str) -> Result<SaveName, Misuse> {
    SaveName::typed(unquoted(text)?).map_err(|error| match error {
        NameError::Empty => Misuse::Form,
        NameError::TooLong
        | NameError::Sign(_)
        | NameError::Front(_)
        | NameError::End(_)
        | NameError::Device => error.into(),
    })
}

/// Parses a color and a role.
pub(super) fn pieces(text: &str) -> Read {
    let mut letters = text.chars();
    match (letters.next().and_then(Role::from_char), letters.next()) {
        (Some(role), None) => Ok(Question::Pieces(role).into()),
        _ => Err(Misuse::Form),
    }
}

/// Like [`pieces`], with the name of a piece, singular or plural: `knight`, `knights`.
pub(super) fn named_pieces(text: &str) -> Read {
    let text = text.to_ascii_lowercase();
    let is_meant = |role: &Role| {
        let name = role.name().to_ascii_lowercase();
        text == name || text.strip_suffix('s') == Some(&name)
    };
    match Role::ALL.into_iter().find(is_meant) {
        Some(role) => Ok(Question::Pieces(role).into()),
        None => pieces(&text),
    }
}

/// `file a`, `rank 4`, or whatever `s` accepts.
pub(super) fn read_aloud(text: &str) -> Read {
    let words: Vec<&str> = text.split_whitespace().collect();
    let kind_of = |line: &str| match line.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
        true => "file",
        false => "rank",
    };
    match words[..] {
        [kind, line] if line.len() == 1 && kind.eq_ignore_ascii_case(kind_of(line)) => {
            squares(line)
        }
        [_] => squares(text),
        _ => Err(Misuse::Form),
    }
}

/// Parses squares to mark, or none.
pub(super) fn squares(text: &str) -> Read {
    if let Ok(square) = square(text) {
        return Ok(Question::Square(square).into());
    }
    let [letter] = *text.as_bytes() else {
        return Err(Misuse::Form);
    };
    let letter = char::from(letter);
    let file = File::from_char(letter).map(Line::File);
    let line = file.or_else(|| Rank::from_char(letter).map(Line::Rank));
    Ok(Question::Squares(line.ok_or(Misuse::Form)?).into())
}

/// Parses the name of a square.
pub(super) fn square(text: &str) -> Result<Square, Misuse> {
    text.to_ascii_lowercase().parse().map_err(|_| Misuse::Form)
}

/// Parses a setting and its value; without any, the settings are listed.
pub(super) fn set(text: &str) -> Read {
    if text.is_empty() {
        return Ok(ProgramCommand::Set(None).into());
    }
    let lower = text.to_ascii_lowercase().replace('"', "");
    let words: Vec<&str> = lower.split_whitespace().collect();
    let setting = match words[..] {
        ["board", "on"] => Setting::Board(true),
        ["board", "off"] => Setting::Board(false),
        ["pieces", "letters"] => Setting::Pieces(DiagramPieces::Letters),
        ["pieces", "figures"] => Setting::Pieces(DiagramPieces::Figures),
        ["board", _] => {
            let (key, values) = ("board", "on or off");
            return Err(Misuse::GameSetting { key, values });
        }
        ["draws", policy] => {
            let (key, values) = ("draws", "claim or automatic");
            let draws = settings::draws_named(policy);
            Setting::Draws(draws.ok_or(Misuse::GameSetting { key, values })?)
        }
        _ => lasting(text)?,
    };
    Ok(ProgramCommand::Set(Some(setting)).into())
}

/// Parses one of the user's settings with a valid value.
fn lasting(text: &str) -> Result<Setting, Misuse> {
    let (key, value) = text.split_once(char::is_whitespace).ok_or(Misuse::Form)?;
    let setting = settings::known(&key.to_ascii_lowercase())?;
    let value = unquoted(value.trim())?;
    setting.set(&mut Settings::default(), value)?;
    Ok(Setting::Lasting {
        key: setting.key,
        value: value.to_owned(),
    })
}

/// The names of all settings, for completion: first those of the game being played.
pub(super) fn settings() -> impl Iterator<Item = &'static str> {
    let lasting = settings::SETTINGS.iter().map(|setting| setting.key);
    let others = lasting.filter(|key| *key != "pieces");
    ["board", "pieces", "draws"].into_iter().chain(others)
}

/// The glyphs a move can be marked with.
pub(super) const SIGNS: &[&str] = &["!", "?", "!!", "??", "!?", "?!", "none"];

/// Parses a glyph, or none to remove it.
pub(super) fn mark(text: &str) -> Read {
    match text {
        "none" => Ok(NotesRequest::Glyph(None).into()),
        sign if SIGNS.contains(&sign) => Ok(NotesRequest::Glyph(Glyph::from_symbol(sign)).into()),
        _ => Err(Misuse::Form),
    }
}

/// Parses what is done with a variation.
pub(super) fn variation(text: &str) -> Result<VariationAction, Misuse> {
    let known = [
        ("next", VariationAction::Next),
        ("previous", VariationAction::Previous),
        ("leave", VariationAction::Leave),
        ("up", VariationAction::Up),
        ("main", VariationAction::Main),
        ("delete", VariationAction::Delete),
    ];
    one_of(text, &known)
}

/// A FEN is a position, `save NAME` is a save, and everything else is the name of a file.
pub(super) fn reviewed(text: &str) -> Result<Reviewed, Misuse> {
    let (first, rest) = word(text);
    if first == "save" {
        return Ok(Reviewed::Save(save_name(rest)?));
    }
    let inside = unquoted(text)?;
    match position(inside) {
        Ok(position) => Ok(Reviewed::Position(Box::new(position))),
        Err(error) if looks_like_fen(inside) => Err(error),
        Err(_) => Ok(Reviewed::File(inside.into())),
    }
}

/// Whether a text was meant as a FEN and not as a path: eight ranks, followed by more.
fn looks_like_fen(text: &str) -> bool {
    let (placement, rest) = text.split_once(' ').unwrap_or((text, ""));
    placement.matches('/').count() == 7 && !rest.is_empty()
}

/// An engine to judge the game; the built-in one if none is named.
pub(super) fn study(text: &str) -> Read {
    let engine = optional(text, engine)?.unwrap_or(PlayerSpec::Bot(None));
    Ok(StudyRequest::Judge(engine).into())
}

/// Two players, the number of games, the time control, and a file of openings.
pub(super) fn watch(text: &str) -> Read {
    let (text, openings) = match text.split_once(" openings ") {
        Some((text, path)) => (text, Some(unquoted(path.trim())?.into())),
        None => (text, None),
    };
    if text.is_empty() {
        return Err(Misuse::Form);
    }
    let (first, rest) = leading_engine(text)?;
    if rest.is_empty() {
        return Err(Misuse::Form);
    }
    // A number after a bot is its level. But a single number after the second bot is the number of games, unless the
    // first bot has a level of the same form.
    let is_bare_bot = |text: &str| word(text).0.eq_ignore_ascii_case("bot");
    let numbers = rest.split_whitespace().skip(1);
    let numbers = numbers.take_while(|word| digits::<u32>(word).is_some());
    let has_one_number = is_bare_bot(rest) && numbers.count() == 1;
    let first_has_level = is_bare_bot(text) && first != PlayerSpec::Bot(None);
    let (second, rest) = if has_one_number && !first_has_level {
        (PlayerSpec::Bot(None), word(rest).1)
    } else {
        leading_engine(rest)?
    };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let (games, limit) = match words.split_first() {
        Some((first, rest)) if digits::<u32>(first).is_some() => (digits(first), rest),
        _ => (Some(DEFAULT_GAMES), &words[..]),
    };
    Ok(OpenCommand::Match(Box::new(MatchOrder {
        players: ByEntrant::new(first, second),
        games: games.filter(|&games| games > 0).ok_or(Misuse::Form)?,
        limit: thinking_limit(limit)?,
        openings,
    }))
    .into())
}

/// How long the players of a match think: `nodes N`, `depth N`, or a clock.
fn thinking_limit(words: &[&str]) -> Result<ThinkingLimit, Misuse> {
    let number = |word: &str| digits::<u64>(word).filter(|&number| number > 0);
    let limit = match *words {
        [] => Some(ThinkingLimit::Clock(TimeControl::from_str(DEFAULT_CLOCK)?)),
        ["nodes", count] => number(count).map(ThinkingLimit::Nodes),
        ["depth", count] => {
            number(count).and_then(|depth| Some(ThinkingLimit::Depth(depth.try_into().ok()?)))
        }
        [clock] => Some(ThinkingLimit::Clock(TimeControl::from_str(clock)?)),
        _ => None,
    };
    limit.ok_or(Misuse::Form)
}

pub(super) fn theme(name: &str) -> Result<Theme, Misuse> {
    theme::find(name).ok_or(Misuse::NoTheme)
}

/// Parses the name of a piece style.
pub(super) fn piece_style(text: &str) -> Result<PieceStyle, Misuse> {
    PieceStyle::find(text).ok_or(Misuse::Form)
}

pub(super) fn copied(text: &str) -> Result<Copied, Misuse> {
    one_of(text, &[("fen", Copied::Fen), ("pgn", Copied::Pgn)])
}

pub(super) fn command(name: &str) -> Result<&'static Entry, Misuse> {
    find(name).ok_or_else(|| Misuse::NoCommand(name.to_owned()))
}

/// Parses the settings of a new game, in any order.
pub(super) fn new(text: &str) -> Read {
    let mut request = NewGameRequest::default();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = word(rest);
        let lower = word.to_ascii_lowercase();
        rest = match lower.as_str() {
            _ if matches!(lower.split(':').next(), Some("human" | "bot" | "uci")) => {
                let (spec, rest) = player(rest)?;
                once(&mut request.opponent, spec)?;
                rest
            }
            side @ ("white" | "black" | "random") => {
                let side = color(side).map_or(Side::Random, Side::Of);
                once(&mut request.side, side)?;
                after
            }
            "fen" => {
                let (start, rest) = start_position(after)?;
                once(&mut request.start, Start::Position(start))?;
                rest
            }
            "960" => {
                let (number, rest) = start_number(after)?;
                once(&mut request.start, Start::Chess960(number))?;
                rest
            }
            _ => {
                let is_clock = word.starts_with(|c: char| c.is_ascii_digit());
                let control = TimeControl::from_str(&word).map_err(|error| match is_clock {
                    true => error.into(),
                    false => Misuse::NotForNewGame(word.clone()),
                })?;
                once(&mut request.clock, control)?;
                after
            }
        };
    }
    Ok(GameRequest::New(Box::new(request)).into())
}

/// The player that a text begins with, and the rest: `human`, `bot`, `bot 4` or `bot:4`, `uci NAME` or `uci:NAME`, with
/// options after a question mark. Quotes keep a name with spaces together.
fn player(text: &str) -> Result<(PlayerSpec, &str), Misuse> {
    let (mut spec, mut rest) = word(text);
    let (next, after) = word(rest);
    let is_number = !next.is_empty() && next.bytes().all(|byte| byte.is_ascii_digit());
    // A level is a number and a clock contains a plus sign, so they cannot be confused.
    if spec.eq_ignore_ascii_case("uci") || (spec.eq_ignore_ascii_case("bot") && is_number) {
        spec = format!("{spec}:{next}");
        rest = after;
    }
    let spec = spec.parse().map_err(|error: SpecError| match error {
        SpecError::Unknown => Misuse::Form,
        SpecError::NoProgram
        | SpecError::Level(_)
        | SpecError::NoEngine
        | SpecError::NamelessOption(_) => Misuse::Player(error),
    })?;
    Ok((spec, rest))
}

/// Parses a player that is not a person, and nothing else.
pub(super) fn engine(text: &str) -> Result<PlayerSpec, Misuse> {
    only(leading_engine(text)?)
}

/// Parses a player that is not a person. Also returns the rest.
fn leading_engine(text: &str) -> Result<(PlayerSpec, &str), Misuse> {
    let read = player(text);
    if matches!(read, Ok((PlayerSpec::Human, _)) | Err(Misuse::Form)) {
        let (typed, _) = word(text);
        return Err(Misuse::NotAnEngine(typed));
    }
    read
}

/// Parses a player and nothing else.
fn only((spec, rest): (PlayerSpec, &str)) -> Result<PlayerSpec, Misuse> {
    if rest.is_empty() {
        Ok(spec)
    } else {
        Err(Misuse::Form)
    }
}

/// `opponent [white|black] PLAYER`.
pub(super) fn opponent(text: &str) -> Read {
    let (first, rest) = word(text);
    let (side, text) = match color(&first) {
        Ok(side) => (Some(side), rest),
        Err(_) => (None, text),
    };
    let player = only(player(text)?)?;
    Ok(Command::Table(Request::Opponent(side, player)))
}

/// Parses which games the explorer is about.
pub(super) fn explorer(text: &str) -> Read {
    if text == "off" {
        return Ok(OpenCommand::Explorer(ExplorerCommand::Off).into());
    }
    let (which, rest) = match text.split_once(char::is_whitespace).unwrap_or((text, "")) {
        ("own", rest) => (Some(DatabaseKind::Own), rest.trim()),
        ("games", rest) => (Some(DatabaseKind::Games), rest.trim()),
        _ => (None, text),
    };
    let filter = match rest {
        "" => None,
        _ => Some(rest.parse()?),
    };
    Ok(OpenCommand::Explorer(ExplorerCommand::Show { which, filter }).into())
}

/// The position after `fen`, and the rest: a FEN in quotes, or else everything that follows.
fn start_position(after: &str) -> Result<(Position, &str), Misuse> {
    if !after.starts_with('"') {
        return Ok((position(after)?, ""));
    }
    let (fen, rest) = word(after);
    if rest.is_empty() {
        // An unclosed quote is an error.
        unquoted(after)?;
    }
    Ok((position(&fen)?, rest))
}

/// The number after `960`, if the next word is one, and the rest.
fn start_number(after: &str) -> Result<(Option<u16>, &str), Misuse> {
    let (word, rest) = after.split_once(char::is_whitespace).unwrap_or((after, ""));
    match digits(word) {
        None => Ok((None, after)),
        Some(number) if number < 960 => Ok((Some(number), rest.trim_start())),
        Some(_) => Err(Misuse::StartNumber),
    }
}

/// Removes the quotes around a text. An unclosed quote is an error.
pub(super) fn unquoted(text: &str) -> Result<&str, Misuse> {
    let Some(inside) = text.strip_prefix('"') else {
        return Ok(text);
    };
    match inside.strip_suffix('"') {
        Some(inside) if !inside.contains('"') => Ok(inside),
        Some(_) => Ok(text),
        None => Err(Misuse::OpenQuote(text.to_owned())),
    }
}

/// The first word and the rest. Quoted parts belong to the word, without their quotes.
fn word(text: &str) -> (String, &str) {
    let mut quoted = false;
    let end = text.find(|sign: char| {
        quoted ^= sign == '"';
        sign.is_whitespace() && !quoted
    });
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word.replace('"', ""), rest.trim_start())
}
