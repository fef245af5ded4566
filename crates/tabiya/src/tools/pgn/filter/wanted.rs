//! All criteria of a filter.

use tabiya_game::GameResult;
use tabiya_openings::{Opening, Openings};
use tabiya_rules::Position;

use crate::failure::Failure;
use crate::opening_names;
use crate::position;
use crate::tools::pgn::criteria::{
    Dates, Ecos, Ending, Material, Numbers, Pattern, Sequence, TagTest, Words, date_of,
};
use crate::tools::pgn::flags::Filter;

/// The criteria. Those that were not given are `None` or empty.
#[derive(Debug)]
pub(super) struct Wanted {
    player: Option<Words>,
    white: Option<Words>,
    black: Option<Words>,
    event: Option<Words>,
    elo: Option<Numbers>,
    white_elo: Option<Numbers>,
    black_elo: Option<Numbers>,
    elo_difference: Option<Numbers>,
    date: Option<Dates>,
    pub(super) tags: Vec<TagTest>,
    eco: Option<Ecos>,
    opening: Option<Words>,
    /// The table of opening names.
    pub(super) openings: &'static Openings,
    pub(super) result: Option<GameResult>,
    pub(super) plies: Option<Numbers>,
    pub(super) endings: Vec<Ending>,
    pub(super) underpromotion: bool,
    pub(super) position: Option<Position>,
    /// Any of these is enough: a pattern, and its mirror image.
    pub(super) boards: Vec<Pattern>,
    pub(super) pawns: Vec<Pattern>,
    pub(super) material: Option<Material>,
    /// For how many positions in a row.
    pub(super) material_plies: u64,
    pub(super) moves: Option<Sequence>,
    /// Whether the games that do not match are wanted.
    pub(super) invert: bool,
}

/// The values of the tags that matter.
#[derive(Debug, Default)]
pub(super) struct Tags {
    white: String,
    black: String,
    event: String,
    date: String,
    utc_date: String,
    pub(super) eco: String,
    white_elo: String,
    black_elo: String,
    pub(super) termination: String,
    /// The values for the tag tests, in their order.
    pub(super) others: Vec<Option<String>>,
}

impl Tags {
    /// For this many tag tests.
    pub(super) fn new(tests: usize) -> Tags {
        Tags {
            others: vec![None; tests],
            ..Tags::default()
        }
    }

    /// Where the value of a tag goes, if it matters.
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
            b"Termination" => &mut self.termination,
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
            &mut self.termination,
        ] {
            value.clear();
        }
        self.others.fill(None);
    }
}

impl Wanted {
    pub(super) fn new(args: &Filter) -> Result<Wanted, Failure> {
        let words = |text: &Option<String>| text.as_deref().map(Words::new);
        let read = |fen: &String| position::read(std::slice::from_ref(fen), None);
        let patterns = |one: &Option<Pattern>| {
            let mut patterns: Vec<Pattern> = one.iter().cloned().collect();
            if args.mirrored {
                patterns.extend(one.as_ref().map(Pattern::mirrored));
            }
            patterns
        };
        if args
            .pawns
            .as_ref()
            .is_some_and(|pawns| !pawns.is_of_pawns())
        {
            let sentence = "--pawns takes pawns, P and p; --board takes all pieces";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        Ok(Wanted {
            player: words(&args.player),
            white: words(&args.white),
            black: words(&args.black),
            event: words(&args.event),
            elo: args.elo,
            white_elo: args.white_elo,
            black_elo: args.black_elo,
            elo_difference: args.elo_difference,
            date: args.date,
            tags: args.tag.clone(),
            eco: args.eco,
            opening: words(&args.opening),
            openings: opening_names::known(),
            result: args.result,
            plies: args.plies,
            endings: args.ended.clone(),
            underpromotion: args.underpromotion,
            position: args.position.as_ref().map(read).transpose()?,
            boards: patterns(&args.board),
            pawns: patterns(&args.pawns),
            material: args.material,
            material_plies: args.material_plies.map_or(1, |plies| plies.get().into()),
            moves: args.moves.clone(),
            invert: args.invert,
        })
    }

    /// Whether the tags match.
    pub(super) fn fits(&self, tags: &Tags) -> bool {
        let has =
            |words: &Option<Words>, text: &str| words.as_ref().is_none_or(|it| it.are_in(text));
        let player = self
            .player
            .as_ref()
            .is_none_or(|words| words.are_in(&tags.white) || words.are_in(&tags.black));
        let mut tests = self.tags.iter().zip(&tags.others);
        player
            && self.ratings_fit(tags)
            && has(&self.white, &tags.white)
            && has(&self.black, &tags.black)
            && has(&self.event, &tags.event)
            && self
                .date
                .is_none_or(|range| range.contains(date_of(&tags.date, &tags.utc_date)))
            && tests.all(|(test, value)| test.passes(value.as_deref()))
            && (self.names_opening(tags) || self.eco.is_none_or(|range| range.contains(&tags.eco)))
    }

    fn ratings_fit(&self, tags: &Tags) -> bool {
        let rating = |text: &str| text.trim().parse::<u64>().ok();
        let (white, black) = (rating(&tags.white_elo), rating(&tags.black_elo));
        let fits = |range: Option<Numbers>, number: Option<u64>| {
            range.is_none_or(|range| number.is_some_and(|number| range.contains(number)))
        };
        let difference = white.zip(black).map(|(white, black)| white.abs_diff(black));
        fits(self.elo, white)
            && fits(self.elo, black)
            && fits(self.white_elo, white)
            && fits(self.black_elo, black)
            && fits(self.elo_difference, difference)
    }

    /// Whether the moves must determine the opening: its name always, its code if no tag has it.
    pub(super) fn names_opening(&self, tags: &Tags) -> bool {
        self.opening.is_some() || self.eco.is_some() && has_no_code(&tags.eco)
    }

    /// Whether an opening matches. A code in the tags takes precedence over the table.
    pub(super) fn opening_fits(&self, tags: &Tags, found: Option<Opening<'_>>) -> bool {
        let code = || found.map_or_else(String::new, |found| found.eco.to_string());
        let eco = self.eco.is_none_or(|range| match has_no_code(&tags.eco) {
            true => range.contains(&code()),
            false => range.contains(&tags.eco),
        });
        let name = self
            .opening
            .as_ref()
            .is_none_or(|words| found.is_some_and(|found| words.are_in(&found.to_string())));
        eco && name
    }
}

fn has_no_code(eco: &str) -> bool {
    matches!(eco.trim(), "" | "?" | "-")
}
