//! The events of a training session.

use serde::Serialize;
use tabiya_rules::{Color, UciMove};
use tabiya_train::item::Item;
use tabiya_train::memory::Standing;
use tabiya_train::trainer::{self, Exercise, Grading, Judged, Quality, Summary};

use super::events::{Event, text};
use crate::wording::train::lines;

/// An exercise that is asked.
#[derive(Debug, Serialize)]
pub struct ExerciseJson<'a> {
    id: String,
    kind: &'static str,
    number: usize,
    of: usize,
    new: bool,
    again: bool,
    side: Color,
    fen: String,
    last: Option<UciMove>,
    played: Option<Played>,
    from: Option<&'a str>,
    ply: Option<u32>,
    opponent: Option<&'a str>,
    date: Option<&'a str>,
    rating: Option<u32>,
}

/// The move of the game.
#[derive(Debug, Serialize)]
struct Played {
    san: String,
    uci: UciMove,
}

/// An answer that was judged, or the solution.
#[derive(Debug, Serialize)]
pub struct JudgedJson<'a> {
    id: String,
    san: &'a str,
    verdict: &'static str,
    grade: Option<u8>,
    loss: Option<f64>,
    reply: Option<ReplyJson<'a>>,
    line: &'a [String],
    due: Option<u32>,
    learned: Option<bool>,
}

/// The opponent's reply, after which there is more to find.
#[derive(Debug, Serialize)]
struct ReplyJson<'a> {
    san: &'a str,
    uci: UciMove,
    fen: String,
}

/// A session that is over.
#[derive(Debug, Serialize)]
pub struct SessionJson {
    asked: usize,
    solved: usize,
    at_once: usize,
    tomorrow: usize,
    exercises: usize,
    rating: Option<[u32; 2]>,
}

/// An exercise in a list.
#[derive(Debug, Serialize)]
pub struct ListedJson<'a> {
    id: String,
    kind: &'static str,
    themes: &'a [String],
    state: &'static str,
    due: Option<u32>,
    side: Color,
    fen: String,
    best: Vec<String>,
    played: Option<Played>,
    from: Option<&'a str>,
    ply: Option<u32>,
    opponent: Option<&'a str>,
    date: Option<&'a str>,
}

fn played(item: &Item) -> Option<Played> {
    let played = item.wrong?;
    Some(Played {
        san: item.position.san(played).to_string(),
        uci: item.position.uci(played),
    })
}

fn exercise(asked: &Exercise) -> ExerciseJson<'_> {
    let item = &asked.item;
    ExerciseJson {
        id: item.id.to_string(),
        kind: item.kind.name(),
        number: asked.number,
        of: asked.of,
        new: asked.is_new,
        again: asked.is_return,
        side: asked.turn(),
        fen: item.position.fen(),
        last: item.last,
        played: played(item),
        from: item.from.as_deref(),
        ply: item.ply,
        opponent: item.vs.as_deref(),
        date: item.date.as_deref(),
        rating: item.rating,
    }
}

/// The verdict on an answer.
fn judged(judged: &Judged) -> JudgedJson<'_> {
    JudgedJson {
        id: judged.id.to_string(),
        san: &judged.san,
        verdict: match judged.quality {
            Quality::Right => "right",
            Quality::Playable | Quality::WinsToo => "playable",
            Quality::Same | Quality::Wrong => "wrong",
        },
        loss: judged.loss,
        reply: judged.reply.as_ref().map(|reply| ReplyJson {
            san: &reply.san,
            uci: reply.uci,
            fen: reply.position.fen(),
        }),
        line: &judged.line,
        grade: judged.grading.map(|grading| grading.grade.into()),
        due: judged.grading.map(|grading| grading.due),
        learned: judged.grading.map(|grading| grading.is_learned),
    }
}

/// What happened in a session.
pub(super) fn event(event: &trainer::Event) -> Event<'_> {
    match event {
        trainer::Event::Exercise(asked) => Event::Exercise(exercise(asked)),
        trainer::Event::Judged(found) => Event::Judged(judged(found)),
        trainer::Event::Shown {
            id,
            san,
            grading,
            line,
        } => Event::Judged(JudgedJson {
            id: id.to_string(),
            san,
            verdict: "shown",
            loss: None,
            reply: None,
            line,
            grade: grading.map(|Grading { grade, .. }| grade.into()),
            due: grading.map(|grading| grading.due),
            learned: grading.map(|grading| grading.is_learned),
        }),
        trainer::Event::Ended(summary) => {
            let Summary {
                asked,
                solved,
                at_once,
                tomorrow,
                known,
                rating,
            } = *summary;
            Event::Session(SessionJson {
                asked,
                solved,
                at_once,
                tomorrow,
                exercises: known,
                rating,
            })
        }
        trainer::Event::Asked { .. } | trainer::Event::Unjudged { .. } => {
            text("move", lines(event))
        }
        trainer::Event::Hinted { .. } => text("hint", lines(event)),
        trainer::Event::Postponed => text("later", lines(event)),
        trainer::Event::Eased(_) => text("easy", lines(event)),
        trainer::Event::Undone => text("undo", lines(event)),
        trainer::Event::Refused { .. } | trainer::Event::Nothing(_) => text("train", lines(event)),
    }
}

/// An exercise for a list.
pub fn listed(item: &Item, standing: Standing) -> ListedJson<'_> {
    let (state, due) = match standing {
        Standing::New => ("new", None),
        Standing::Due => ("due", Some(0)),
        Standing::Waiting(days) => ("waiting", Some(days)),
        Standing::Learned(days) => ("learned", Some(days)),
        Standing::Suspended => ("suspended", None),
    };
    ListedJson {
        id: item.id.to_string(),
        kind: item.kind.name(),
        themes: &item.themes,
        state,
        due,
        side: item.position.turn(),
        fen: item.position.fen(),
        best: item
            .best
            .iter()
            .map(|&best| item.position.san(best).to_string())
            .collect(),
        played: played(item),
        from: item.from.as_deref(),
        ply: item.ply,
        opponent: item.vs.as_deref(),
        date: item.date.as_deref(),
    }
}
