//! The explorer: it follows the board, takes keys only while it has the focus, and never gets in the way of a game.

use crossterm::event::{KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui_core::layout::Size;
use tabiya_db::{Answer, Game, MoveStats, ResultCounts};
use tabiya_front::explorer::{
    ExplorerError, ExplorerQuery, Found, GameFilter, GameSource, OwnResults,
};
use tabiya_game::{GameResult, Timestamp};
use tabiya_rules::{Color, Position};

use super::engines::against_bot;
use super::reviewing::reviewed;
use super::{game, home, key, mouse, place_of, press, said, shown, start, update, write};
use crate::app::{App, Screen};
use crate::message::{Effect, ExplorerEffect, ExplorerMessage};

/// The query among effects.
fn query(effects: &[Effect]) -> Option<(u64, ExplorerQuery)> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Explorer(ExplorerEffect::Ask { number, query }) => {
            Some((*number, (**query).clone()))
        }
        _ => None,
    })
}

/// The answer of a database: moves as typed, and the results.
fn found(position: &Position, moves: &[(&str, [u64; 3])]) -> Found {
    let mut answer = Answer::default();
    for (text, [white, draws, black]) in moves {
        let score = ResultCounts {
            white: *white,
            draws: *draws,
            black: *black,
        };
        answer.score.white += white;
        answer.score.draws += draws;
        answer.score.black += black;
        let m = position.parse_san(text).expect("a move");
        answer.moves.push(MoveStats {
            m,
            score,
            average_rating: Some(2450),
            last_year: Some(2024),
        });
        let mut game = Game::default();
        game.id = answer.games.len() as u64 + 7;
        game.white = Some("Anand, Viswanathan".to_owned());
        game.black = Some("Short, Nigel".to_owned());
        game.white_elo = Some(2700);
        game.year = Some(1993);
        game.result = GameResult::WhiteWins;
        answer.games.push((m, game));
    }
    Found {
        position: *position,
        filter: GameFilter::default(),
        opening: None,
        answer,
        mine: None,
    }
}

const START_MOVES: [(&str, [u64; 3]); 4] = [
    ("e4", [5210, 3300, 4031]),
    ("d4", [4100, 3900, 3000]),
    ("Nf3", [900, 800, 700]),
    ("c4", [10, 0, 2]),
];

/// Answers the pending query.
fn answer(app: &mut App, number: u64, found: Result<Found, ExplorerError>) {
    let found = found.map(Box::new);
    update(
        app,
        ExplorerMessage::Found { number, found },
        Timestamp::ORIGIN,
    );
}

/// A board with a database, whose query is answered.
pub(crate) fn explored(mut app: App) -> App {
    app.settings.db = Some("/games.db".into());
    let asked = update(&mut app, crate::message::Message::Tick, Timestamp::ORIGIN);
    let (number, asked) = query(&asked).expect("a query");
    let moves = match asked.position == Position::start() {
        true => &START_MOVES[..],
        false => &[],
    };
    answer(&mut app, number, Ok(found(&asked.position, moves)));
    app
}

#[test]
fn it_follows_the_board() {
    let mut app = reviewed();
    app.settings.db = Some("/games.db".into());
    let asked = update(&mut app, crate::message::Message::Tick, Timestamp::ORIGIN);
    let (first, asked) = query(&asked).expect("a query");
    let folder = GameSource::Folder("/games.db".into());
    assert_eq!(*asked.selection.source(), folder);
    assert_eq!(asked.position, Position::start());
    assert!(shown(&app).contains("looking…"));
    // Nothing is queried twice.
    assert_eq!(query(&press(&mut app, KeyCode::Char('v'))), None);
    let asked = press(&mut app, KeyCode::Right);
    let (second, asked) = query(&asked).expect("another query");
    assert_eq!(asked.path.len(), 1);
    assert_eq!(asked.position, *app.board().position());
    // A late answer is ignored.
    answer(&mut app, first, Ok(found(&Position::start(), &START_MOVES)));
    assert!(shown(&app).contains("looking…"));
    answer(&mut app, second, Ok(found(&asked.position, &[])));
    assert!(shown(&app).contains("No game goes on from this position."));
}

/// A column that is empty for all moves would be a row of dashes without a meaning.
#[test]
fn what_is_known_of_no_move_has_no_column() {
    for is_rated in [true, false] {
        let mut app = start();
        app.settings.db = Some("/games.db".into());
        let asked = update(&mut app, crate::message::Message::Tick, Timestamp::ORIGIN);
        let (number, asked) = query(&asked).expect("a query");
        let mut found = found(&asked.position, &START_MOVES);
        for stats in &mut found.answer.moves {
            stats.average_rating = stats.average_rating.filter(|_| is_rated);
        }
        answer(&mut app, number, Ok(found));
        let screen = shown(&app);
        let line = screen.lines().find(|line| line.contains(" d4 "));
        let line = line.unwrap_or_else(|| panic!("{screen}")).trim_end();
        assert_eq!(line.ends_with("2450"), is_rated, "{screen}");
        assert!(!line.ends_with('-'), "{screen}");
    }
}

#[test]
fn against_a_bot_it_is_shown_only_when_asked_for() {
    let mut app = against_bot(80, 24);
    app.settings.db = Some("/games.db".into());
    let effects = update(&mut app, crate::message::Message::Tick, Timestamp::ORIGIN);
    assert_eq!(query(&effects), None);
    assert!(!shown(&app).contains("Explorer"));
    let effects = press(&mut app, KeyCode::Char('w'));
    assert!(query(&effects).is_some());
    assert!(shown(&app).contains("Explorer"));
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Char('W'));
    assert!(!shown(&app).contains("Explorer"));
    // Two people at one board see it.
    assert!(shown(&explored(start())).contains("Explorer"));
}

#[test]
fn keys_are_for_it_only_while_it_has_the_focus() {
    let mut app = explored(start());
    // Typing means a move, as always.
    write(&mut app, "d");
    assert!(!app.board().view.typing.is_empty());
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Char('w'));
    assert!(app.screens.explorer.has_focus());
    write(&mut app, "carl");
    assert!(app.board().view.typing.is_empty());
    assert!(shown(&app).contains("Filter: carl"));
    // The typed filter is applied first.
    assert!(shown(&app).contains("Enter filter"), "{}", shown(&app));
    let effects = press(&mut app, KeyCode::Enter);
    let (number, asked) = query(&effects).expect("a query");
    let filter = asked.selection.filter().clone();
    assert_eq!(filter.player.as_deref(), Some("carl"));
    let mut nothing = found(&asked.position, &[]);
    nothing.filter = filter;
    answer(&mut app, number, Ok(nothing));
    let screen = shown(&app);
    assert!(
        screen.contains("No game that passes the filter"),
        "{screen}"
    );
    answer(&mut app, number, Ok(found(&asked.position, &START_MOVES)));
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert_eq!(said(&app), "White played d4.");
    assert!(app.screens.explorer.has_focus());
    // A filter that is not applied yet stays where the database is another.
    app.settings.own_db = true;
    write(&mut app, "sen");
    key(&mut app, KeyCode::Char('o'), KeyModifiers::CONTROL);
    assert!(shown(&app).contains("Filter: carlsen"), "{}", shown(&app));
    // An invalid filter is reported, and changes nothing.
    key(&mut app, KeyCode::Char('u'), KeyModifiers::CONTROL);
    write(&mut app, "rating soon");
    press(&mut app, KeyCode::Enter);
    assert!(shown(&app).contains("is not a range"), "{}", shown(&app));
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    press(&mut app, KeyCode::Esc);
    assert!(!app.screens.explorer.has_focus());
    assert_eq!(app.screens.front, Screen::Game);
}

#[test]
fn tab_goes_to_the_games_and_enter_opens_one() {
    let mut app = explored(start());
    press(&mut app, KeyCode::Char('w'));
    let screen = shown(&app);
    assert!(screen.contains("Enter play  Tab games"), "{screen}");
    press(&mut app, KeyCode::Tab);
    let screen = shown(&app);
    assert!(screen.contains("Enter open  Tab moves"), "{screen}");
    press(&mut app, KeyCode::Down);
    let effects = press(&mut app, KeyCode::Enter);
    let opened = effects
        .iter()
        .any(|effect| matches!(effect, Effect::Explorer(ExplorerEffect::Open { id: 8, .. })));
    assert!(opened, "{effects:?}");
    let mut record = tabiya_game::Record::new(Position::start());
    let root = record.root().id();
    record.add_line(root, ["e4", "e5", "Nf3"]).expect("moves");
    let position = record.main_line().nth(1).expect("two plies");
    let position = Box::new(*position.position());
    let game = Ok(Box::new(record));
    let message = ExplorerMessage::Game { position, game };
    update(&mut app, message, Timestamp::ORIGIN);
    assert!(app.board().is_review());
    let node = app.desk.front().node();
    assert_eq!(node.san().map(|san| san.to_string()).as_deref(), Some("e5"));
    // A game that cannot be read is reported.
    let message = ExplorerMessage::Game {
        position: Box::new(Position::start()),
        game: Err(ExplorerError::NoGame),
    };
    update(&mut app, message, Timestamp::ORIGIN);
    assert!(shown(&app).contains("no longer in the database"));
}

#[test]
fn a_click_always_plays() {
    let mut app = explored(start());
    let (column, row) = place_of(&app, "Nf3 ");
    mouse(
        &mut app,
        MouseEventKind::Down(MouseButton::Left),
        column,
        row,
    );
    assert_eq!(said(&app), "White played Nf3.");
    assert!(!app.screens.explorer.has_focus());
}

#[test]
fn on_the_home_screen_a_move_begins_a_review() {
    let mut app = explored(home());
    assert!(shown(&app).contains("Explorer"));
    assert!(!shown(&app).contains("Tab games"));
    press(&mut app, KeyCode::Char('w'));
    assert!(shown(&app).contains("Tab games"), "{}", shown(&app));
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.screens.front, Screen::Game);
    assert!(app.board().is_review());
    let node = app.desk.front().node();
    assert_eq!(node.san().map(|san| san.to_string()).as_deref(), Some("d4"));
    assert!(app.screens.explorer.has_focus());
}

#[test]
fn the_menu_of_the_home_screen_writes_nothing_over_it() {
    let start = Position::start();
    let names: Vec<String> = start
        .legal_moves()
        .iter()
        .map(|&m| start.san(m).to_string())
        .collect();
    let moves: Vec<(&str, [u64; 3])> = names.iter().map(|name| (&**name, [3, 2, 1])).collect();
    for (width, height) in [(80, 24), (100, 30), (132, 43)] {
        let mut app = home();
        app.look.size = Size::new(width, height);
        app.settings.db = Some("/games.db".into());
        let asked = update(&mut app, crate::message::Message::Tick, Timestamp::ORIGIN);
        let (number, _) = query(&asked).expect("a query");
        answer(&mut app, number, Ok(found(&start, &moves)));
        let screen = shown(&app);
        let games: Vec<&str> = screen
            .lines()
            .filter(|line| line.contains("Anand"))
            .collect();
        assert!(!games.is_empty(), "{screen}");
        assert!(
            games.iter().all(|line| line.contains("  1993 1-0")),
            "{screen}"
        );
    }
}

#[test]
fn own_games_are_one_key() {
    let mut app = start();
    press(&mut app, KeyCode::Char('j'));
    assert!(
        shown(&app).contains("the setting db.own"),
        "{}",
        shown(&app)
    );
    app.overlay = None;
    app.settings.own_db = true;
    let effects = press(&mut app, KeyCode::Char('j'));
    let (number, asked) = query(&effects).expect("a query");
    assert!(matches!(asked.selection.source(), GameSource::Own { .. }));
    let mut found = found(&asked.position, &START_MOVES[3..]);
    found.mine = Some(OwnResults {
        won: 8,
        drawn: 2,
        lost: 2,
    });
    answer(&mut app, number, Ok(found));
    let screen = shown(&app);
    assert!(
        screen.contains("You score 75 %") || screen.contains("you 75 %"),
        "{screen}"
    );
    // There is no other database to switch to.
    key(&mut app, KeyCode::Char('o'), KeyModifiers::CONTROL);
    assert!(shown(&app).contains("db.path"), "{}", shown(&app));
}

#[test]
fn what_is_wrong_with_a_database_is_said_and_the_game_goes_on() {
    let mut app = start();
    press(&mut app, KeyCode::Char('w'));
    assert!(shown(&app).contains("db.path"), "{}", shown(&app));
    app.overlay = None;
    app.settings.db = Some("/games.db".into());
    let effects = update(&mut app, crate::message::Message::Tick, Timestamp::ORIGIN);
    let (number, _) = query(&effects).expect("a query");
    answer(&mut app, number, Err(ExplorerError::NoThread));
    assert!(shown(&app).contains("no thread left"), "{}", shown(&app));
    super::play(&mut app, "e4 e5");
    assert_eq!(app.board().session().ply(), 2);
    assert_eq!(app.board().position().turn(), Color::White);
}

#[test]
fn wherever_there_is_room_it_is_seen() {
    for (width, height) in [(132, 43), (100, 30), (80, 24), (60, 18), (40, 12)] {
        let mut app = explored(game(&Position::start().fen(), width, height));
        press(&mut app, KeyCode::Char('w'));
        let screen = shown(&app);
        assert!(screen.contains("▸ e4"), "{width}×{height}\n{screen}");
    }
}
