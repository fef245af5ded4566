//! All criteria of a filter.

use std::io::IsTerminal;

use tabiya_front::failure::Failure;
use tabiya_front::opening_names;
use tabiya_front::position;
use tabiya_openings::{Opening, Openings};
use tabiya_rules::Position;

use crate::pgn::criteria::{Numbers, Pattern, Words, date_of};
use crate::pgn::flags::Filter;
use crate::pgn::tag_values::tag_values;

/// The criteria. Those that were not given are `None` or empty.
#[derive(Debug)]
pub(super) struct FilterCriteria {
    pub(super) filter: Filter,
    /// The table of opening names.
    pub(super) openings: &'static Openings,
    pub(super) position: Option<Position>,
    /// Any of these is enough: a pattern, and its mirror image.
    pub(super) boards: Vec<Pattern>,
    pub(super) pawns: Vec<Pattern>,
    /// Whether the output is a terminal, which must see no control characters.
    pub(super) for_terminal: bool,
}

tag_values! {
    /// The values of the tags that have flags of their own.
    Tags {
        white = b"White",
        black = b"Black",
        event = b"Event",
        date = b"Date",
        utc_date = b"UTCDate",
        eco = b"ECO",
        white_elo = b"WhiteElo",
        black_elo = b"BlackElo",
        termination = b"Termination",
    }
}

impl FilterCriteria {
    /// Prepares the criteria of the flags. Fails if they contradict themselves.
    pub(super) fn new(filter: &Filter) -> Result<FilterCriteria, Failure> {
        let pawns = filter.pawns.as_ref();
        if pawns.is_some_and(|pawns| !pawns.has_only_pawns()) {
            let sentence = "--pawns takes pawns, P and p; --board takes all pieces";
            return Err(Failure::Usage(sentence.to_owned()));
        }
        let patterns = |one: Option<&Pattern>| {
            let mirrored = one.filter(|_| filter.mirrored).map(Pattern::mirrored);
            one.cloned().into_iter().chain(mirrored).collect()
        };
        let read = |fen: &String| position::read(std::slice::from_ref(fen), None);
        Ok(FilterCriteria {
            filter: filter.clone(),
            openings: opening_names::known(),
            position: filter.position.as_ref().map(read).transpose()?,
            boards: patterns(filter.board.as_ref()),
            pawns: patterns(pawns),
            for_terminal: std::io::stdout().is_terminal(),
        })
    }

    /// Whether the tags match. The others are the values for the tag tests, in their order.
    pub(super) fn fits(&self, tags: &Tags, others: &[Option<String>]) -> bool {
        let filter = &self.filter;
        let has =
            |words: &Option<Words>, text: &str| words.as_ref().is_none_or(|it| it.are_in(text));
        let mut tests = filter.tag.iter().zip(others);
        let (dates, ecos) = (filter.date.as_ref(), filter.eco.as_ref());
        (has(&filter.player, &tags.white) || has(&filter.player, &tags.black))
            && self.ratings_fit(tags)
            && has(&filter.white, &tags.white)
            && has(&filter.black, &tags.black)
            && has(&filter.event, &tags.event)
            && dates.is_none_or(|range| range.contains(date_of(&tags.date, &tags.utc_date)))
            && tests.all(|(test, value)| test.passes(value.as_deref()))
            && (self.names_opening(tags) || ecos.is_none_or(|range| range.contains(&tags.eco)))
    }

    fn ratings_fit(&self, tags: &Tags) -> bool {
        let filter = &self.filter;
        let rating = |text: &str| text.trim().parse::<u64>().ok();
        let (white, black) = (rating(&tags.white_elo), rating(&tags.black_elo));
        let fits = |range: &Option<Numbers>, number: Option<u64>| {
            let range = range.as_ref();
            range.is_none_or(|range| number.is_some_and(|number| range.contains(number)))
        };
        let difference = white.zip(black).map(|(white, black)| white.abs_diff(black));
        fits(&filter.elo, white)
            && fits(&filter.elo, black)
            && fits(&filter.white_elo, white)
            && fits(&filter.black_elo, black)
            && fits(&filter.elo_difference, difference)
    }

    /// Whether the moves must determine the opening: its name always, its code if no tag has it.
    pub(super) fn names_opening(&self, tags: &Tags) -> bool {
        self.filter.opening.is_some() || self.filter.eco.is_some() && has_no_code(&tags.eco)
    }

    /// Whether an opening matches. A code in the tags takes precedence over the table.
    pub(super) fn opening_fits(&self, tags: &Tags, found: Option<Opening<'_>>) -> bool {
        let code = || found.map_or_else(String::new, |found| found.eco.to_string());
        let eco = self.filter.eco.as_ref();
        let eco = eco.is_none_or(|range| match has_no_code(&tags.eco) {
            true => range.contains(&code()),
            false => range.contains(&tags.eco),
        });
        let opening = self.filter.opening.as_ref();
        let name =
            opening.is_none_or(|words| found.is_some_and(|found| words.are_in(&found.to_string())));
        eco && name
    }
}

fn has_no_code(eco: &str) -> bool {
    matches!(eco.trim(), "" | "?" | "-")
}
