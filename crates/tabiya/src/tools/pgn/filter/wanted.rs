//! Everything a game can be asked for at once.

use tabiya_game::GameResult;
use tabiya_rules::Position;

use crate::failure::Failure;
use crate::position;
use crate::tools::pgn::criteria::{Dates, Ecos, Numbers, Words};
use crate::tools::pgn::flags::Filter;
use crate::tools::pgn::material::Material;

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
            && self.date.is_none_or(|range| range.contains(&tags.date))
            && self.eco.is_none_or(|range| range.contains(&tags.eco))
    }
}
