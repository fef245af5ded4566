//! `tabiya explorer`: queries a database about what was played in a position.

use std::path::PathBuf;

use crate::position::play;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tabiya_db::{Effort, Filter, Speed};
use tabiya_front::explorer::{ExplorerQuery, GameFilter, GameSource, Library, Selection};
use tabiya_front::failure::Failure;
use tabiya_front::flags::{Draws, PositionArgs};
use tabiya_front::json::explorer::explored;
use tabiya_front::output;
use tabiya_front::ranges::Numbers;
use tabiya_front::wording::explorer::report;
use tabiya_rules::Color;

pub const EXAMPLES: &str = "\
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
that no game goes on from the position.";

#[derive(Debug, Args)]
pub struct ExplorerFlags {
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
    player: Option<String>,
    /// The player's side
    #[arg(long, value_parser = side())]
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

/// Runs `tabiya explorer`.
pub fn run(flags: &ExplorerFlags) -> Result<(), Failure> {
    let start = flags.position.read()?;
    let moves = flags.moves.as_deref().unwrap_or_default();
    let (session, _) = play(start, moves, Draws::Claim)?;
    let filter = GameFilter {
        text: String::new(),
        facts: Filter {
            ratings: flags.rating.as_ref().map(Numbers::as_range),
            years: flags.years.as_ref().map(Numbers::as_range),
            speeds: flags.speed.clone(),
        },
        player: flags.player.clone(),
        color: flags.color,
    };
    let source = GameSource::Folder(flags.db.clone());
    let selection =
        Selection::new(source, filter).map_err(|error| Failure::Usage(error.to_string()))?;
    let node = session.record().cursor();
    let query = ExplorerQuery::at(selection, node, flags.games, Effort::EveryGame);
    let found = Library::default()
        .answer(&query)
        .map_err(Failure::unusable)?;
    output::answer(flags.json, &explored(&found), report(&found))?;
    match found.answer.score.games() {
        0 => Err(Failure::NoAlreadyPrinted),
        _ => Ok(()),
    }
}
