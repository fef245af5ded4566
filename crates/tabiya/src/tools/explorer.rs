//! `tabiya explorer`: queries a database about what was played in a position.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tabiya_db::{Database, Effort, Filter, Player, Query, RATING_BAND, Speed};
use tabiya_game::MoveInput;
use tabiya_rules::{Color, Move, Position};

use super::pgn::criteria::{Numbers, Words};
use crate::explorer::Found;
use crate::failure::Failure;
use crate::flags::PositionArgs;
use crate::json::explorer::explored;
use crate::opening_names;
use crate::output;
use crate::position;
use crate::tools::read_opening_names;
use crate::wording::Explored;
use crate::wording::explorer::report;

pub(crate) const EXAMPLES: &str = "\
Examples:
  tabiya explorer --db games.db
  tabiya explorer --db games.db --moves \"e4 c5 Nf3\" --rating 2400.. --years 2015..
  tabiya explorer --db games.db --moves \"d4 d5 c4\" --player carlsen --color white
  tabiya explorer --db games.db --speed blitz,rapid --json

A game counts once for a position, with the move that was made there the first time, and only if it has a
result. Ratings are the mean of both players', and counted in bands of 200: a range begins with one, such
as 2000, and ends before one, such as 2399, unless --player is given. Names are found as by `tabiya pgn
filter`. The bars show how many games White won (#), drew (=) and lost (.). For a move that several games
have, only the best game is listed; for other moves, all games. A position that only one game has is
looked for in all games, which takes longer; with `db build --full` and with --moves it does not. Keys of
--json, as clients of the Lichess explorer know them: opening ({eco, name} or null), white, draws, black,
moves (a list of {uci, san, white, draws, black, averageRating, lastYear}), topGames (a list of {id, uci,
winner, speed, white, black, year}); and fen, key, keyCheck for the tables themselves. Exit code 1 means
that no game has the position.";

#[derive(Debug, Args)]
pub(crate) struct ExplorerFlags {
    #[command(flatten)]
    position: PositionArgs,
    /// Moves to play first, in coordinates or algebraic notation, separated by spaces
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,
    /// The folder of the database
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Only games whose players have such a rating, such as 2000.. or 2000..2399
    #[arg(long, value_name = "RANGE")]
    rating: Option<Numbers>,
    /// Only games of these years, such as 2015..
    #[arg(long, value_name = "RANGE")]
    years: Option<Numbers>,
    /// Only games of these speeds: ultraBullet, bullet, blitz, rapid, classical, correspondence
    #[arg(long, value_name = "SPEED", value_delimiter = ',')]
    speed: Vec<Speed>,
    /// Only games of this player
    #[arg(long, value_name = "NAME")]
    player: Option<Words>,
    /// The player's side
    #[arg(long, requires = "player", value_parser = side())]
    color: Option<Color>,
    /// How many games to list
    #[arg(long, value_name = "N", default_value = "5")]
    games: usize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn side() -> impl TypedValueParser<Value = Color> {
    PossibleValuesParser::new(["white", "black"]).try_map(|side| side.parse())
}

pub(crate) fn run(flags: &ExplorerFlags) -> Result<(), Failure> {
    let start = flags.position.read()?;
    let (path, position) = play(start, flags.moves.as_deref().unwrap_or_default())?;
    let words = flags.player.as_ref();
    let is = |name: &str| words.is_some_and(|words| words.are_in(name));
    let filter = Filter {
        ratings: flags.rating.as_ref().map(Numbers::as_range),
        years: flags.years.as_ref().map(Numbers::as_range),
        speeds: flags.speed.clone(),
    };
    let player = words.is_some().then_some(Player {
        is: &is,
        color: flags.color,
    });
    if player.is_none() && !filter.is_banded() {
        return Err(Failure::Usage(format!(
            "ratings are counted in bands of {RATING_BAND}; a range is one such as 2000.. or 2000..2399"
        )));
    }
    let database = Database::open(&flags.db)?;
    let query = Query {
        path: &path,
        position,
        filter,
        player,
        games: flags.games,
        effort: Effort::EveryGame,
    };
    let answer = database.explore(&query)?;
    // The name of the last position on the way that has one.
    read_opening_names();
    let openings = opening_names::known();
    let opening = openings.lookup(&position).or_else(|| {
        let mut before = path.iter().rev();
        before.find_map(|(position, _)| openings.lookup(position))
    });
    let mine = None;
    let found = Found {
        position,
        answer,
        mine,
    };
    let found = Explored { found, opening };
    output::answer(flags.json, &explored(&found), report(&found))?;
    let is_filtered = flags.player.is_some()
        || flags.rating.is_some()
        || flags.years.is_some()
        || !flags.speed.is_empty();
    match found.found.answer.score.games() {
        0 if flags.json => Err(Failure::NoAlreadyPrinted),
        0 if is_filtered => {
            let sentence = "no game that fits the filter has the position";
            Err(Failure::No(sentence.to_owned()))
        }
        0 => Err(Failure::No("no game has the position".to_owned())),
        _ => Ok(()),
    }
}

/// The positions and moves that lead to a position.
type Path = Vec<(Position, Move)>;

/// The position after the moves, and the way there.
fn play(start: Position, moves: &str) -> Result<(Path, Position), Failure> {
    let mut position = start;
    let mut path = Vec::new();
    for (at, text) in position::moves(moves).enumerate() {
        let read = MoveInput::Text(text.to_owned()).resolve(&position);
        let m = read.map_err(|error| Failure::refused_move(at, text, error))?;
        path.push((position, m));
        position = position.play_unchecked(m);
    }
    Ok((path, position))
}
