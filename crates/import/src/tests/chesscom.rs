//! Imports from chess.com.

use std::net::TcpListener;

use super::lichess::gzip;
use super::server::{Reply, Server, answer, good};
use super::{Home, counts, fine, run};
use crate::{ImportError, Site};

/// A game as chess.com sends it, in JSON.
fn game(number: u32, rules: &str, link: bool) -> String {
    let link = match link {
        true => format!("[Link \\\"https://www.chess.com/game/live/{number}\\\"]\\n"),
        false => String::new(),
    };
    format!(
        "{{\"url\":\"https://www.chess.com/game/live/{number}\",\"pgn\":\"[Event \\\"Live Chess\\\"]\\n\
         [Site \\\"Chess.com\\\"]\\n[White \\\"Anna\\\"]\\n[Black \\\"Bo\\\"]\\n[Result \\\"0-1\\\"]\\n{link}\\n\
         1. f3 {{[%clk 0:03:00]}} 1... e5 {{[%clk 0:03:00]}} 2. g4 2... Qh4# 0-1\\n\",\
         \"time_control\":\"180\",\"end_time\":1794507721,\"rated\":true,\"rules\":\"{rules}\",\
         \"time_class\":\"blitz\",\"white\":{{\"rating\":1500}}}}"
    )
}

fn month(games: &[String]) -> String {
    format!("{{\"games\":[{}]}}", games.join(","))
}

fn tagged(tag: &str, body: &str) -> Reply {
    answer(200, &format!("ETag: {tag}\r\n"), body)
}

/// A server whose first answer is the list of these months at its own address.
fn server(months: &[&str], replies: Vec<Reply>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let archive = |month: &&str| format!("\"http://{address}/pub/player/anna/games/{month}\"");
    let list: Vec<String> = months.iter().map(archive).collect();
    let list = good(format!("{{\"archives\":[{}]}}", list.join(",")));
    Server::on(listener, std::iter::once(list).chain(replies).collect())
}

#[test]
fn months_are_fetched_in_order_and_only_the_last_one_again() {
    let home = Home::new();
    let october = month(&[game(1, "chess", true), game(2, "bughouse", true)]);
    let november = month(&[game(3, "chess", true), game(4, "chess", false)]);
    let replies = vec![
        tagged("\"ten\"", &october),
        tagged("W/\"eleven\"", &november),
    ];
    let first = server(&["2026/11", "2026/10"], replies);
    assert_eq!(fine(&home.import(Site::ChessCom, &first)), [3, 0, 1, 0]);
    let path = |end: &str| format!("/pub/player/anna/games/{end}");
    let asked = ["archives", "2026/10", "2026/11"].map(path);
    assert_eq!(first.paths(), asked);
    assert_eq!(
        home.files(),
        ["chesscom-anna-2026-10.pgn", "chesscom-anna-2026-11.pgn"]
    );
    let file = home.file("chesscom-anna-2026-11.pgn");
    assert!(
        file.starts_with("% etag W/\"eleven\"\n[Event \"Live Chess\"]\n"),
        "{file}"
    );
    assert_eq!(tabiya_game::pgn::games(file.as_bytes()).count(), 2);
    // A game that came without its address has it now.
    assert!(
        file.contains("\n[Link \"https://www.chess.com/game/live/4\"]\n"),
        "{file}"
    );

    let unchanged = server(&["2026/10", "2026/11"], vec![answer(304, "", "")]);
    assert_eq!(fine(&home.import(Site::ChessCom, &unchanged)), [0; 4]);
    assert_eq!(unchanged.paths(), ["archives", "2026/11"].map(path));
    let asked = unchanged.asked()[1].to_lowercase();
    assert!(asked.contains("if-none-match: w/\"eleven\"\r\n"), "{asked}");

    let november = month(&[
        game(3, "chess", true),
        game(4, "chess", false),
        game(5, "chess", true),
    ]);
    let december = month(&[game(6, "chess", true)]);
    let replies = vec![tagged("\"again\"", &november), good(december)];
    let more = server(&["2026/10", "2026/11", "2026/12"], replies);
    assert_eq!(fine(&home.import(Site::ChessCom, &more)), [2, 2, 0, 0]);
    let now = home.file("chesscom-anna-2026-11.pgn");
    let games = file.trim_start_matches("% etag W/\"eleven\"\n");
    assert!(
        now.starts_with(&format!("% etag \"again\"\n{games}")),
        "{now}"
    );
    assert!(!home.file("chesscom-anna-2026-12.pgn").contains("% etag"));

    let mut import = home.import(
        Site::ChessCom,
        &server(&["2026/10"], vec![answer(304, "", "")]),
    );
    import.since = Some("2026-10-20".parse().expect("a day"));
    assert_eq!(fine(&import), [0; 4]);
}

#[test]
fn a_file_changed_by_hand_is_completed() {
    let home = Home::new();
    let november = month(&[game(1, "chess", true), game(2, "chess", true)]);
    let first = server(&["2026/11"], vec![tagged("\"eleven\"", &november)]);
    assert_eq!(fine(&home.import(Site::ChessCom, &first)), [2, 0, 0, 0]);
    let text = home.file("chesscom-anna-2026-11.pgn");
    let second = text.rfind("[Event").expect("a game");
    let changed = text[..second].replace("\"eleven\"", "\u{1b} \u{e9}");
    let path = home.path("games/chesscom-anna-2026-11.pgn");
    std::fs::write(path, changed).expect("a file");
    let again = server(&["2026/11"], vec![tagged("\"eleven\"", &november)]);
    assert_eq!(fine(&home.import(Site::ChessCom, &again)), [1, 1, 0, 0]);
    assert!(!again.asked()[1].to_lowercase().contains("if-none-match"));
    assert_eq!(home.file("chesscom-anna-2026-11.pgn"), text);
}

#[test]
fn an_address_elsewhere_is_not_asked() {
    for place in [
        "https://evil.example/pub/player/anna/games/2026/11",
        "http://127.0.0.1:1/pub/player/anna/games/2026/11",
        "/pub/player/anna/games/../../../2026/11",
        "2026/11",
    ] {
        let list = good(format!("{{\"archives\":[\"{place}\"]}}"));
        let (home, server) = (Home::new(), Server::start(vec![list]));
        let (_, done) = run(&home.import(Site::ChessCom, &server));
        assert!(
            matches!(done, Err(ImportError::NotUnderstood { .. })),
            "{place} {done:?}"
        );
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn what_is_not_understood_leaves_the_months_before_it() {
    let october = month(&[game(1, "chess", true)]);
    let november = month(&[game(2, "chess", true)]);
    let cut = &november[..november.len() - 9];
    let length = format!("Content-Length: {}\r\n", november.len());
    let torn = vec![
        super::server::begin(200, &length),
        super::server::Step::Send(cut.into()),
    ];
    for (reply, expected) in [
        (good("<html>"), "something other"),
        (torn, "broke in the middle"),
    ] {
        let home = Home::new();
        let server = server(&["2026/10", "2026/11"], vec![good(&october), reply]);
        let (summary, done) = run(&home.import(Site::ChessCom, &server));
        let error = done.expect_err("it fails").to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(counts(&summary), [1, 0, 0, 0]);
        assert_eq!(home.files(), ["chesscom-anna-2026-10.pgn"]);
    }
}

#[test]
fn games_without_moves_or_with_escapes_do_no_harm() {
    let odd =
        "{\"rules\":\"chess\",\"url\":\"https://www.chess.com/\\u001b[2J\",\"pgn\":\"\\u001b\"}";
    let bad = game(1, "chess", true).replace("Bo", "\\u001b[31m\\u202e");
    let november = month(&[
        odd.to_owned(),
        "{\"url\":\"\",\"rules\":\"\"}".to_owned(),
        bad,
    ]);
    let home = Home::new();
    let server = server(&["2026/11"], vec![tagged("\"a tag\"", &november)]);
    assert_eq!(fine(&home.import(Site::ChessCom, &server)), [1, 0, 1, 1]);
    let text = home.file("chesscom-anna-2026-11.pgn");
    let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!text.contains(acts), "{text:?}");
}

#[test]
fn a_bomb_of_games_or_months_does_not_burst() {
    let zipped = |begin: &str, item: &str, count: usize| {
        let body = [begin, &item.repeat(count), "]}"].concat();
        answer(200, "Content-Encoding: gzip\r\n", gzip(body.as_bytes()))
    };
    let strange = |reply: Reply, is_list: bool| {
        let home = Home::new();
        let server = match is_list {
            true => Server::start(vec![reply]),
            false => server(&["2026/11"], vec![reply]),
        };
        let (summary, done) = run(&home.import(Site::ChessCom, &server));
        let is_refused = matches!(done, Err(ImportError::NotUnderstood { .. }));
        assert!(is_refused, "{done:?}");
        summary
    };
    strange(zipped("{\"archives\":[", "\"\",", 10_000_000), true);
    strange(zipped("{\"games\":[", "{},", 10_000_000), false);
    strange(zipped("{\"games\":[\"", "x", 10_000_000), false);
    strange(zipped("[", "{},", 1), true);
    // Games that are read one by one, until there is something else.
    let game = "{\"url\":\"\",\"rules\":\"none\"},";
    let summary = strange(zipped("{\"games\":[", game, 100_000), false);
    assert_eq!(counts(&summary), [0, 0, 100_000, 0]);
    let many = vec!["2026/11"; 1201];
    let (_, done) = run(&Home::new().import(Site::ChessCom, &server(&many, vec![])));
    assert!(matches!(done, Err(ImportError::NotUnderstood { .. })));
}

#[test]
fn only_a_missing_list_means_that_there_is_no_such_player() {
    let gone = || answer(410, "", "");
    let (home, server) = (
        Home::new(),
        server(
            &["2026/09", "2026/10", "2026/11"],
            vec![
                good(month(&[game(1, "chess", true)])),
                gone(),
                good(month(&[game(2, "chess", true)])),
            ],
        ),
    );
    let (summary, done) = run(&home.import(Site::ChessCom, &server));
    assert_eq!((counts(&summary), done), ([2, 0, 0, 0], Ok(())));
    assert_eq!(summary.missing, ["2026-10"]);
    let (_, done) = run(&home.import(Site::ChessCom, &Server::start(vec![gone()])));
    assert!(matches!(done, Err(ImportError::UnknownPlayer { .. })));
}

#[test]
fn a_day_leaves_out_the_games_before_it() {
    let on = |number, day: &str| {
        let tags =
            format!("[UTCDate \\\"2026.11.{day}\\\"]\\n[UTCTime \\\"08:00:00\\\"]\\n[White ");
        game(number, "chess", true).replace("[White ", &tags)
    };
    let november = month(&[on(1, "19"), on(2, "20")]);
    let home = Home::new();
    let late = server(&["2026/11"], vec![tagged("\"eleven\"", &november)]);
    let mut import = home.import(Site::ChessCom, &late);
    import.since = Some("2026-11-20".parse().expect("a day"));
    assert_eq!(fine(&import), [1, 0, 0, 0]);
    // The month is asked for again, as there is more in it.
    let whole = server(&["2026/11"], vec![tagged("\"eleven\"", &november)]);
    assert_eq!(fine(&home.import(Site::ChessCom, &whole)), [1, 1, 0, 0]);
    assert!(!whole.asked()[1].to_lowercase().contains("if-none-match"));
}
