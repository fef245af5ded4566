//! Everything a game can be asked for at once, and finding out while it is read whether it is one of those.

use std::convert::Infallible;
use std::ops::ControlFlow;

use tabiya_game::pgn::{self, Flow, PgnError, PgnErrorKind, Response, Text, Visitor};
use tabiya_game::{GameResult, Step};
use tabiya_rules::Position;

use crate::failure::Failure;
use crate::position;
use crate::tools::pgn::criteria::{Dates, Ecos, Material, Numbers, Words, date_of};
use crate::tools::pgn::flags::Filter;

/// What is asked for; what is not is `None`.
#[derive(Debug)]
pub(super) struct Wanted {
    player: Option<Words>,
    white: Option<Words>,
    black: Option<Words>,
    event: Option<Words>,
    elo: Option<Numbers>,
    date: Option<Dates>,
    eco: Option<Ecos>,
    pub(super) result: Option<GameResult>,
    pub(super) plies: Option<Numbers>,
    pub(super) position: Option<Position>,
    pub(super) material: Option<Material>,
    /// Whether the games are wanted of which this does not hold.
    pub(super) invert: bool,
}

/// The tags that are asked about.
#[derive(Debug, Default)]
pub(super) struct Tags {
    pub(super) white: String,
    pub(super) black: String,
    pub(super) event: String,
    pub(super) date: String,
    pub(super) utc_date: String,
    pub(super) eco: String,
    pub(super) white_elo: String,
    pub(super) black_elo: String,
}

impl Tags {
    /// Where the value of a tag belongs, if anybody asks about it.
    pub(super) fn place(&mut self, name: &[u8]) -> Option<&mut String> {
        Some(match name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Event" => &mut self.event,
            b"Date" => &mut self.date,
            b"UTCDate" => &mut self.utc_date,
            b"ECO" => &mut self.eco,
            b"WhiteElo" => &mut self.white_elo,
            b"BlackElo" => &mut self.black_elo,
            _ => return None,
        })
    }

    pub(super) fn clear(&mut self) {
        for value in [
            &mut self.white,
            &mut self.black,
            &mut self.event,
            &mut self.date,
            &mut self.utc_date,
            &mut self.eco,
            &mut self.white_elo,
            &mut self.black_elo,
        ] {
            value.clear();
        }
    }
}

impl Wanted {
    pub(super) fn new(asked: &Filter) -> Result<Wanted, Failure> {
        let words = |text: &Option<String>| text.as_deref().map(Words::new);
        let read =
            |fen: &String| position::read(std::slice::from_ref(fen), position::Mode::AsWritten);
        Ok(Wanted {
            player: words(&asked.player),
            white: words(&asked.white),
            black: words(&asked.black),
            event: words(&asked.event),
            elo: asked.elo,
            date: asked.date,
            eco: asked.eco,
            result: asked.result,
            plies: asked.plies,
            position: asked.position.as_ref().map(read).transpose()?,
            material: asked.material,
            invert: asked.invert,
        })
    }

    /// Whether the tags are as asked.
    pub(super) fn fits(&self, tags: &Tags) -> bool {
        let has =
            |words: &Option<Words>, text: &str| words.as_ref().is_none_or(|it| it.are_in(text));
        let player = self
            .player
            .as_ref()
            .is_none_or(|words| words.are_in(&tags.white) || words.are_in(&tags.black));
        let elo = self.elo.is_none_or(|range| {
            let is_inside = |text: &str| text.trim().parse().is_ok_and(|elo| range.contains(elo));
            is_inside(&tags.white_elo) && is_inside(&tags.black_elo)
        });
        player
            && elo
            && has(&self.white, &tags.white)
            && has(&self.black, &tags.black)
            && has(&self.event, &tags.event)
            && self
                .date
                .is_none_or(|range| range.contains(date_of(&tags.date, &tags.utc_date)))
            && self.eco.is_none_or(|range| range.contains(&tags.eco))
    }
}

/// Looks at one game after the other.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    wanted: &'a Wanted,
    tags: Tags,
    tags_fit: bool,
    /// Where the game begins.
    pub(super) offset: u64,
    plies: u64,
    position_seen: bool,
    material_seen: bool,
    /// Nobody knows from where the moves are played.
    unplayable: bool,
    tagged_result: GameResult,
    /// The result after the moves.
    result: Option<GameResult>,
    pub(super) errors: u64,
}

impl<'a> Judge<'a> {
    pub(super) fn new(wanted: &'a Wanted) -> Judge<'a> {
        Judge {
            wanted,
            tags: Tags::default(),
            tags_fit: false,
            offset: 0,
            plies: 0,
            position_seen: false,
            material_seen: false,
            unplayable: false,
            tagged_result: GameResult::Unknown,
            result: None,
            errors: 0,
        }
    }

    /// Whether the game that was read is to be written.
    pub(super) fn approves(&self) -> bool {
        let wanted = self.wanted;
        let result = match self.tagged_result {
            GameResult::Unknown => self.result.unwrap_or(GameResult::Unknown),
            tagged => tagged,
        };
        let fits = self.tags_fit
            && wanted.result.is_none_or(|asked| asked == result)
            && wanted.plies.is_none_or(|range| range.contains(self.plies))
            && (wanted.position.is_none() || self.position_seen)
            && (wanted.material.is_none() || self.material_seen);
        fits != wanted.invert
    }

    #[inline]
    fn look(&mut self, position: &Position) {
        if let Some(asked) = &self.wanted.position {
            self.position_seen |= asked == position;
        }
        if let Some(asked) = &self.wanted.material {
            self.material_seen |= asked.is_on(position.board());
        }
    }
}

impl Visitor for Judge<'_> {
    type Output = ();
    type Stop = Infallible;

    fn begin_game(&mut self, offset: u64) -> ControlFlow<Infallible, Flow> {
        let Judge { wanted, tags, .. } = self;
        tags.clear();
        *self = Judge {
            tags: std::mem::take(tags),
            offset,
            ..Judge::new(wanted)
        };
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        if name == b"Result" {
            self.tagged_result = pgn::parse_result(value).unwrap_or_default();
        } else if let Some(place) = self.tags.place(name) {
            place.clear();
            place.push_str(&value.decode());
        }
        ControlFlow::Continue(())
    }

    fn start(&mut self, position: &Position) {
        if !self.unplayable {
            self.look(position);
        }
    }

    fn end_tags(&mut self) -> ControlFlow<Infallible, Flow> {
        self.tags_fit = self.wanted.fits(&self.tags);
        let is_skipped = !self.tags_fit && !self.wanted.invert;
        ControlFlow::Continue(if is_skipped { Flow::Skip } else { Flow::Read })
    }

    #[inline]
    fn step(&mut self, _: &Position, _: Step, after: &Position) -> Response<Infallible> {
        self.plies += 1;
        self.look(after);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        ControlFlow::Continue(Flow::Skip)
    }

    fn result(&mut self, result: GameResult) {
        self.result = Some(result);
    }

    fn error(&mut self, error: PgnError) {
        self.errors += 1;
        self.unplayable |= matches!(error.kind, PgnErrorKind::Fen(_) | PgnErrorKind::Variant);
    }

    fn end_game(&mut self) {}
}
