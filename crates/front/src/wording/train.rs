//! A training session in sentences. An answer to an exercise begins with Right, Playable or Wrong.

use tabiya_rules::{Color, Role, UciMove};
use tabiya_train::fsrs::Grade;
use tabiya_train::item::{Item, ItemKind};
use tabiya_train::memory::Standing;
use tabiya_train::themes::is_shown;
use tabiya_train::trainer::{Event, Exercise, Grading, Judged, Quality, Request, Summary};

use super::answers::hint;
use super::refusals::{LINE_MODE, refused};
use super::{Reply, Tone, refusals};
use crate::ranges::counted;

/// What can be typed instead of a move.
pub const HELP: [&str; 9] = [
    "A move, such as Nf3 or g1f3, answers the exercise. Some have several moves: the replies are played for you.",
    "hint (or i): the piece, then its square, then the move.",
    "show (or =): the solution. The exercise counts as failed, and comes back at the end.",
    "later (or -): the exercise comes at the end.",
    "easy (or +): the last exercise was easy, and comes back later.",
    "undo (or u): withdraws the last answer that counted, and asks that exercise again.",
    "board: the board. fen: the position as FEN.",
    "help (or ?): this text.",
    "quit (or q): ends the session.",
];

/// What happened, as a reply of the line mode.
pub fn reply(event: Event) -> Reply {
    match event {
        Event::Refused { why, position } => Reply::Refused {
            code: refusals::code(&why),
            lines: refused(&why, &position, &LINE_MODE).lines,
        },
        Event::Nothing(request) => Reply::refusal("nothing", nothing_to_act_on(&request)),
        Event::Exercise(_)
        | Event::Judged(_)
        | Event::Asked { .. }
        | Event::Unjudged { .. }
        | Event::Hinted { .. }
        | Event::Shown { .. }
        | Event::Postponed
        | Event::Eased(_)
        | Event::Undone
        | Event::Ended(_) => Reply::Training(Box::new(event)),
    }
}

/// What happened, in lines.
pub fn lines(event: &Event) -> Vec<String> {
    let line = match event {
        Event::Exercise(asked) => exercise(asked),
        Event::Judged(judged) => self::judged(judged),
        Event::Asked { san } => format!("{san}: the engine is checking it…"),
        Event::Unjudged { san } => {
            format!("The engine gave no score for {san}. It does not count; try another move.")
        }
        Event::Hinted { stage, best, san } => hint(*stage, *best, san),
        Event::Shown {
            san, grading, line, ..
        } => {
            let line = solution_line(line);
            format!("The best move was {san}{line}.{}", next_time(*grading))
        }
        Event::Postponed => "It comes at the end.".to_owned(),
        Event::Eased(grading) => format!("Easy.{}", next_time(Some(*grading))),
        Event::Undone => "The last answer is withdrawn.".to_owned(),
        Event::Refused { why, position } => return refused(why, position, &LINE_MODE).lines,
        Event::Nothing(request) => nothing_to_act_on(request),
        Event::Ended(summary) => return vec![ended(summary)],
    };
    vec![line]
}

/// How far the search for exercises is, such as `Looking for exercises: 12 of 212 games`.
pub fn mining(done: usize, of: usize, waits: bool) -> String {
    let waits = if waits {
        ", waiting for mains power"
    } else {
        ""
    };
    format!("Looking for exercises: {done} of {of} games{waits}")
}

/// The tone of an event.
pub fn tone(event: &Event) -> Tone {
    match event {
        Event::Judged(_) | Event::Shown { .. } => Tone::Notable,
        Event::Refused { .. } | Event::Nothing(_) | Event::Unjudged { .. } => Tone::Refusal,
        Event::Ended(_) => Tone::Ending,
        Event::Exercise(_)
        | Event::Asked { .. }
        | Event::Hinted { .. }
        | Event::Postponed
        | Event::Eased(_)
        | Event::Undone => Tone::Plain,
    }
}

/// An exercise, such as `1 of 5, about 1480. White to move. Against Bo, 2026.11.12. You played 12.Be3. Find better.`
pub fn exercise(asked: &Exercise) -> String {
    let Exercise { number, of, .. } = asked;
    let (item, turn) = (&asked.item, asked.turn());
    let again = if asked.is_return { " again" } else { "" };
    let about = about(item);
    let last = last_move(item).unwrap_or_default();
    format!(
        "{number} of {of}{again}{about}. {turn} to move.{last}{} {}",
        game(item),
        task(item)
    )
}

/// The rating of an exercise. An estimate or not, people solve it better and worse than that.
fn about(item: &Item) -> String {
    let about = item.rating.map(|rating| format!(", about {rating}"));
    about.unwrap_or_default()
}

/// The opponent's last move, such as ` Black moved the knight from b6 to c4.`
fn last_move(item: &Item) -> Option<String> {
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = item.last?
    else {
        return None;
    };
    let by = !item.position.turn();
    let name = |role: Role| role.name().to_lowercase();
    let board = item.position.board();
    let role = board
        .role_at(to)
        .filter(|_| board.color_at(to) == Some(by))?;
    let is_castle =
        role == Role::King && from.file() as u8 == 4 && matches!(to.file() as u8, 2 | 6);
    Some(match promotion {
        _ if is_castle => format!(" {by} castled."),
        Some(role) => format!(" {by} promoted to a {} on {to}.", name(role)),
        None => format!(" {by} moved the {} from {from} to {to}.", name(role)),
    })
}

/// What is to be done in an exercise.
fn task(item: &Item) -> String {
    match played(item) {
        Some(played) => format!("You played {played}. Find better."),
        None => "Find the best move.".to_owned(),
    }
}

/// An exercise in a list, such as `due: 12.Be3, White to move. Against Bo, 2026.11.12.`
pub fn listed(item: &Item, standing: Standing) -> String {
    let when = match standing {
        Standing::New => "new".to_owned(),
        Standing::Due => "due".to_owned(),
        Standing::Waiting(days) => format!("in {}", counted(days, "day", "days")),
        Standing::Learned(days) => format!("learned, in {days} days"),
        Standing::Suspended => "suspended".to_owned(),
    };
    let what = match (item.kind, played(item)) {
        (ItemKind::Tactic, _) => {
            let themes = item.themes.iter().map(String::as_str);
            let shown: Vec<&str> = themes.filter(|theme| is_shown(theme)).collect();
            format!("tactic{}, {}; ", about(item), shown.join(" "))
        }
        (_, Some(played)) => format!("{played}, "),
        (_, None) => String::new(),
    };
    format!(
        "{when}: {what}{} to move.{}",
        item.position.turn(),
        game(item)
    )
}

/// The move of the game with its number, such as `12...Nf6`.
pub fn played(item: &Item) -> Option<String> {
    let san = item.position.san(item.wrong?);
    let dots = match item.position.turn() {
        Color::White => ".",
        Color::Black => "...",
    };
    Some(format!("{}{dots}{san}", item.position.fullmove_number()))
}

/// The game that an exercise is from, as far as it is known.
fn game(item: &Item) -> String {
    match (&item.vs, &item.date) {
        (Some(vs), Some(date)) => format!(" Against {vs}, {date}."),
        (Some(vs), None) => format!(" Against {vs}."),
        (None, Some(date)) => format!(" {date}."),
        (None, None) => String::new(),
    }
}

/// The verdict on an answer.
fn judged(judged: &Judged) -> String {
    let san = &judged.san;
    let retry = "Try again.";
    if let Some(reply) = &judged.reply {
        return format!("Right: {san}. The reply is {}. Go on.", reply.san);
    }
    match judged.quality {
        Quality::Right => {
            let line = solution_line(&judged.line);
            format!("Right: {san}{line}.{}", next_time(judged.grading))
        }
        Quality::Playable => {
            format!("Playable: {san} keeps most of it; there is better. {retry}")
        }
        Quality::WinsToo => format!("Playable: {san} wins too; there is a mate. {retry}"),
        Quality::Same => format!("Wrong: {san} is what you played. {retry}"),
        Quality::Wrong => {
            let percent = judged.loss.unwrap_or_default() * 100.0;
            format!("Wrong: {san} costs {percent:.0} % of the winning chances. {retry}")
        }
    }
}

/// The line of a solution, if it says more than the move.
fn solution_line(line: &[String]) -> String {
    match line {
        [] | [_] => String::new(),
        line => format!(": {}", line.join(" ")),
    }
}

/// When an exercise comes back.
fn next_time(grading: Option<Grading>) -> String {
    let Some(Grading {
        grade,
        due,
        is_learned,
    }) = grading
    else {
        return String::new();
    };
    let when = match due {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        days => format!("in {days} days"),
    };
    match (grade, is_learned) {
        (Grade::Again, _) => " It comes back at the end.".to_owned(),
        (_, true) => format!(" It counts as learned, and comes back {when}."),
        (_, false) => format!(" It comes back {when}."),
    }
}

/// Why a request has nothing to act on.
fn nothing_to_act_on(request: &Request) -> String {
    match request {
        Request::Easy => "Only the last exercise that you solved at once can be easy.",
        Request::Undo => "There is no answer of this session to withdraw.",
        Request::Start
        | Request::Typed(_)
        | Request::Move(_)
        | Request::Hint
        | Request::Show
        | Request::Later
        | Request::Judged { .. }
        | Request::JudgeEnded { .. }
        | Request::End => "There is no exercise.",
    }
    .to_owned()
}

/// The end of a session, such as `10 solved, 8 at once; 1538 → 1544; tomorrow 9.`
fn ended(summary: &Summary) -> String {
    let Summary {
        asked,
        solved,
        at_once,
        tomorrow,
        known,
        rating,
    } = *summary;
    let rated = rating.map(|[before, after]| format!("; {before} → {after}"));
    let rated = rated.unwrap_or_default();
    match (asked, known) {
        (0, 0) => "There are no exercises yet. They are the mistakes of your own games; tabiya train add looks for \
                   them there, or in files."
            .to_owned(),
        (0, _) => format!(
            "Nothing is due; tomorrow {tomorrow} of {}.",
            counted(known as u64, "exercise", "exercises")
        ),
        (asked, _) if solved < asked => {
            format!("{solved} of {asked} solved, {at_once} at once{rated}; tomorrow {tomorrow}.")
        }
        (..) => format!("{solved} solved, {at_once} at once{rated}; tomorrow {tomorrow}."),
    }
}
