//! Imports from Lichess.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::server::{Reply, Server, Step, answer, begin, good};
use super::{Home, counts, fine, names, run};
use crate::{ImportError, Progress, Site, Stopper};

/// A game in the form in which Lichess sends it.
pub(super) fn game(id: &str, date: &str, time: &str) -> String {
    format!(
        "[Event \"Rated blitz game\"]\n[Site \"https://lichess.org/{id}\"]\n[Date \"{date}\"]\n\
         [White \"Anna\"]\n[Black \"Bo\"]\n[Result \"0-1\"]\n[UTCDate \"{date}\"]\n\
         [UTCTime \"{time}\"]\n[Variant \"Standard\"]\n[ECO \"A00\"]\n\n\
         1. f3 {{ [%clk 0:03:00] }} e5 {{ [%clk 0:03:00] }} 2. g4 {{ [%clk 0:02:58] }} Qh4# 0-1\n\n\n"
    )
}

fn three() -> [String; 3] {
    [
        game("aaaaaaaa", "2026.10.31", "23:59:59"),
        game("bbbbbbbb", "2026.11.01", "00:00:00"),
        game("cccccccc", "2026.11.12", "18:22:01"),
    ]
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// The error of an import to which a server replies.
#[track_caller]
fn refused(replies: Vec<Reply>) -> ImportError {
    let (home, server) = (Home::new(), Server::start(replies));
    let (summary, done) = run(&home.import(Site::Lichess, &server));
    assert_eq!(counts(&summary), [0; 4]);
    assert!(home.files().is_empty(), "{:?}", home.files());
    done.expect_err("it fails")
}

#[test]
fn games_lie_in_a_file_for_each_month() {
    let (home, server) = (Home::new(), Server::start(vec![good(three().concat())]));
    let (summary, done) = run(&home.import(Site::Lichess, &server));
    assert_eq!((counts(&summary), done), ([3, 0, 0, 0], Ok(())));
    let files = ["lichess-anna-2026-10.pgn", "lichess-anna-2026-11.pgn"];
    assert_eq!(names(&summary.files), files);
    assert_eq!(home.files(), files);
    let [_, second, third] = three();
    let expected = format!("{}\n\n{}\n", second.trim(), third.trim());
    assert_eq!(home.file(files[1]), expected);
    let asked = server.asked().concat().to_lowercase();
    let path = "get /api/games/user/anna?sort=dateasc&clocks=true&evals=false http/1.1\r\n";
    assert!(asked.starts_with(path), "{asked}");
    let agent = format!("user-agent: tabiya/{} (", env!("CARGO_PKG_VERSION"));
    for header in [
        &agent,
        "accept: application/x-chess-pgn\r\n",
        "accept-encoding: gzip\r\n",
    ] {
        assert!(asked.contains(header), "{asked}");
    }
}

#[test]
fn the_next_import_goes_on_after_the_newest_game_and_leaves_what_is_there() {
    let home = Home::new();
    let first = Server::start(vec![good(three().concat())]);
    assert_eq!(fine(&home.import(Site::Lichess, &first)), [3, 0, 0, 0]);
    // What the user has written into a game is there afterwards.
    let path = home.path("games/lichess-anna-2026-11.pgn");
    let edited = home
        .file("lichess-anna-2026-11.pgn")
        .replace("Qh4#", "Qh4# {ouch}");
    std::fs::write(&path, edited.trim_end()).expect("a file");
    let more = three()[2].clone() + &game("dddddddd", "2026.11.12", "19:00:00");
    let second = Server::start(vec![good(more)]);
    assert_eq!(fine(&home.import(Site::Lichess, &second)), [1, 1, 0, 0]);
    // 12 November 2026, 18:22:01.
    let path = "/api/games/user/anna?sort=dateAsc&clocks=true&evals=false&since=1794507721000";
    assert_eq!(second.paths(), [path]);
    let now = home.file("lichess-anna-2026-11.pgn");
    assert!(now.starts_with(edited.trim_end()), "{now}");
    assert_eq!(now.matches("[Event ").count(), 3);
    assert_eq!(now.matches("\n\n[Event ").count(), 2);
    // Nothing new leaves the file alone; a day asks for everything since.
    let third = Server::start(vec![good("")]);
    assert_eq!(fine(&home.import(Site::Lichess, &third)), [0; 4]);
    let fourth = Server::start(vec![good(three().concat())]);
    let mut import = home.import(Site::Lichess, &fourth);
    import.since = Some("2026-10-01".parse().expect("a day"));
    let (summary, done) = run(&import);
    assert_eq!((counts(&summary), done), ([0, 3, 0, 0], Ok(())));
    assert!(summary.files.is_empty());
    assert!(fourth.paths().concat().ends_with("&since=1790812800000"));
    // Before the site's first day there is nothing.
    let fifth = Server::start(vec![good("")]);
    let mut import = home.import(Site::Lichess, &fifth);
    import.since = Some("1066-10-14".parse().expect("a day"));
    assert_eq!(fine(&import), [0; 4]);
    assert!(fifth.paths().concat().ends_with("&since=1356998400070"));
}

/// What is written to a file while games arrive is there afterwards, and no game twice.
#[test]
fn an_edit_during_an_import_stays() {
    let home = Home::new();
    let first = Server::start(vec![good(three()[1].clone())]);
    assert_eq!(fine(&home.import(Site::Lichess, &first)), [1, 0, 0, 0]);
    let name = "lichess-anna-2026-11.pgn";
    let edited = home.file(name).replace("Qh4#", "Qh4# {ouch}")
        + "\n"
        + &game("eeeeeeee", "2026.11.13", "10:00:00");
    let more = three()[2].clone() + &game("eeeeeeee", "2026.11.13", "10:00:00");
    let server = Server::start(vec![good(more)]);
    let import = home.import(Site::Lichess, &server);
    let mut edit = |_: Progress<'_>| {
        std::fs::write(home.path("games").join(name), &edited).expect("a file");
    };
    let (summary, done) = import.run(&Stopper::default(), &mut edit);
    assert_eq!((counts(&summary), done), ([1, 1, 0, 0], Ok(())));
    let now = home.file(name);
    assert!(now.starts_with(edited.trim_end()), "{now}");
    for id in ["bbbbbbbb", "cccccccc", "eeeeeeee"] {
        assert_eq!(now.matches(id).count(), 1, "{now}");
    }
}

/// Whoever sends months by turns does not make a file be written for each game.
#[test]
fn games_that_arrive_together_are_sorted_by_month() {
    let [first, second, third] = three();
    let body = [second, first, third].concat();
    let (home, server) = (Home::new(), Server::start(vec![good(body)]));
    let (summary, done) = run(&home.import(Site::Lichess, &server));
    assert_eq!((counts(&summary), done), ([3, 0, 0, 0], Ok(())));
    let files = ["lichess-anna-2026-10.pgn", "lichess-anna-2026-11.pgn"];
    assert_eq!(names(&summary.files), files);
}

#[test]
fn games_that_trickle_arrive() {
    let body = three().concat();
    let headers = format!("Content-Length: {}\r\n", body.len());
    let reply = vec![begin(200, &headers), Step::Trickle(body.into_bytes())];
    let (home, server) = (Home::new(), Server::start(vec![reply]));
    assert_eq!(fine(&home.import(Site::Lichess, &server)), [3, 0, 0, 0]);
}

/// A connection that breaks is noticed however the length was announced, and the next import goes on from there.
#[test]
fn a_cut_in_the_middle_of_a_game_keeps_the_whole_ones() {
    let body = three().concat();
    let cut = body.len() - 60;
    let chunk = format!("{cut:x}\r\n{}\r\n", &body[..cut]);
    let length = format!("Content-Length: {}\r\n", body.len());
    for (headers, sent) in [
        (&*length, &body[..cut]),
        ("Transfer-Encoding: chunked\r\n", &*chunk),
        ("", &body[..cut]),
    ] {
        let home = Home::new();
        let reply = vec![begin(200, headers), Step::Send(sent.as_bytes().to_vec())];
        let server = Server::start(vec![reply]);
        let (summary, done) = run(&home.import(Site::Lichess, &server));
        assert!(matches!(done, Err(ImportError::Cut { .. })), "{done:?}");
        assert_eq!(counts(&summary), [2, 0, 0, 0], "{headers}");
        let there = home.file("lichess-anna-2026-11.pgn");
        assert_eq!(there.trim(), three()[1].trim());
        let again = Server::start(vec![good(three()[1..].concat())]);
        assert_eq!(fine(&home.import(Site::Lichess, &again)), [1, 1, 0, 0]);
    }
}

#[test]
fn every_refusal_has_its_error() {
    let host = |error: &ImportError| error.to_string().contains("127.0.0.1:");
    let unknown = refused(vec![answer(404, "", "{\"error\":\"Not found\"}")]);
    let sentence = unknown.to_string();
    assert!(sentence.contains("knows no player 'Anna'"), "{sentence}");
    let broken = refused(vec![answer(500, "", "oops")]);
    assert!(matches!(broken, ImportError::Status { status: 500, .. }) && host(&broken));
    let page = format!("<!doctype html>\n<p>1. e4 * {}", "Log in. ".repeat(500));
    let login = refused(vec![answer(200, "Content-Type: text/html\r\n", page)]);
    assert!(
        login.to_string().contains("something other than games"),
        "{login}"
    );
    let nonsense = refused(vec![vec![begin(200, ""), Step::Endless(vec![b'<'; 9000])]]);
    assert!(matches!(nonsense, ImportError::NotUnderstood { .. }) && host(&nonsense));
    let torn = refused(vec![vec![Step::Send(b"HTTP/1.1 200".to_vec())]]);
    assert!(matches!(torn, ImportError::Unreachable { .. }), "{torn}");
    let text = vec![Step::Send(b"SSH-2.0-OpenSSH\r\n\r\n".to_vec())];
    let other = refused(vec![text]);
    assert!(matches!(other, ImportError::Unreachable { .. }), "{other}");
}

#[test]
fn whoever_is_not_there_is_said_to_be_unreachable() {
    let home = Home::new();
    let server = Server::start(Vec::new());
    // Nobody listens any more once the thread with the listener has ended.
    thread::sleep(Duration::from_millis(100));
    let (_, done) = run(&home.import(Site::Lichess, &server));
    assert!(
        matches!(done, Err(ImportError::Unreachable { .. })),
        "{done:?}"
    );
}

#[test]
fn a_redirect_stays_at_the_same_host() {
    let to = |place: &str| answer(302, &format!("Location: {place}\r\n"), "");
    for place in [
        "http://127.0.0.1:1/",
        "//127.0.0.1:1/x",
        "https://evil.example/",
        "x",
        "",
    ] {
        let error = refused(vec![to(place)]);
        assert!(matches!(error, ImportError::Redirect { .. }), "{error}");
        assert!(error.to_string().contains("was not asked"), "{error}");
    }
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let whole = format!(
        "http://{}/there",
        listener.local_addr().expect("an address")
    );
    let home = Home::new();
    let replies = vec![to("/here"), to(&whole), good(three().concat())];
    let server = Server::on(listener, replies);
    assert_eq!(fine(&home.import(Site::Lichess, &server)), [3, 0, 0, 0]);
    assert_eq!(server.paths()[1..], ["/here", "/there"]);
    let circle = refused(vec![to("/"), to("/"), to("/"), to("/"), to("/"), to("/")]);
    assert!(
        matches!(circle, ImportError::Status { status: 302, .. }),
        "{circle}"
    );
}

#[test]
fn too_many_requests_are_followed_by_one_pause() {
    let much = || answer(429, "", "slow down");
    let (home, server) = (
        Home::new(),
        Server::start(vec![much(), good(three().concat())]),
    );
    let begun = Instant::now();
    let mut waited = 0;
    let mut count = |progress: Progress<'_>| {
        waited += u32::from(matches!(progress, Progress::Waiting(_)));
    };
    let import = home.import(Site::Lichess, &server);
    let (summary, done) = import.run(&Stopper::default(), &mut count);
    assert_eq!((counts(&summary), done), ([3, 0, 0, 0], Ok(())));
    assert!(waited > 0 && begun.elapsed() >= Duration::from_millis(120));
    let error = refused(vec![much(), much()]);
    assert!(
        matches!(error, ImportError::TooManyRequests { .. }),
        "{error}"
    );
}

#[test]
fn compressed_games_are_read_and_a_bomb_does_not_burst() {
    let zipped = |body: &[u8]| answer(200, "Content-Encoding: gzip\r\n", gzip(body));
    let home = Home::new();
    let server = Server::start(vec![zipped(three().concat().as_bytes())]);
    assert_eq!(fine(&home.import(Site::Lichess, &server)), [3, 0, 0, 0]);
    // Some 100 kB become 40 MB, of which 3 are wanted.
    let games = three()[1].repeat(100_000);
    let server = Server::start(vec![zipped(games.as_bytes())]);
    let mut import = home.import(Site::Lichess, &server);
    import.max_bytes = 3_000_000;
    let (summary, done) = run(&import);
    let host = import.origin.host().to_owned();
    let megabytes = 3;
    assert_eq!(done, Err(ImportError::TooLong { host, megabytes }));
    assert!((1000..11_000).contains(&summary.known), "{summary:?}");
    let damaged = [&gzip(three()[0].as_bytes())[..40], &[0; 99]].concat();
    let server = Server::start(vec![answer(200, "Content-Encoding: gzip\r\n", damaged)]);
    let (_, done) = run(&home.import(Site::Lichess, &server));
    assert!(matches!(done, Err(ImportError::Cut { .. })), "{done:?}");
}

#[test]
fn an_endless_answer_ends_at_the_limit() {
    let games = three().concat().into_bytes();
    let reply = vec![begin(200, ""), Step::Endless(games)];
    let (home, server) = (Home::new(), Server::start(vec![reply]));
    let mut import = home.import(Site::Lichess, &server);
    import.max_bytes = 1_000_000;
    let (summary, done) = run(&import);
    assert!(matches!(done, Err(ImportError::TooLong { .. })), "{done:?}");
    assert_eq!((summary.new, summary.unreadable), (3, 0));
    assert_eq!(home.files().len(), 2);
}

#[test]
fn a_silent_server_is_left() {
    let half = begin(200, "Content-Length: 100000\r\n");
    let sent = Step::Send(three().concat().into_bytes());
    let wait = || Step::Wait(Duration::from_secs(3));
    for (reply, new) in [(vec![wait()], 0), (vec![half, sent, wait()], 3)] {
        let (home, server) = (Home::new(), Server::start(vec![reply]));
        let mut import = home.import(Site::Lichess, &server);
        import.read_timeout = Duration::from_millis(300);
        let (summary, done) = run(&import);
        assert!(matches!(done, Err(ImportError::Silent { .. })), "{done:?}");
        assert_eq!(counts(&summary), [new, 0, 0, 0]);
    }
}

#[test]
fn a_site_that_trickles_for_too_long_is_left() {
    let reply = vec![
        begin(200, "Content-Length: 100000\r\n"),
        Step::Send(three().concat().into_bytes()),
        Step::Drip(Duration::from_millis(50)),
    ];
    let (home, server) = (Home::new(), Server::start(vec![reply]));
    let mut import = home.import(Site::Lichess, &server);
    import.window = Duration::from_millis(400);
    let begun = Instant::now();
    let (summary, done) = run(&import);
    assert!(matches!(done, Err(ImportError::TooSlow { .. })), "{done:?}");
    assert_eq!(counts(&summary), [3, 0, 0, 0]);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn it_is_stopped_while_it_waits() {
    let body = three().concat();
    let reply = vec![
        begin(200, "Content-Length: 100000\r\n"),
        Step::Send(body.into_bytes()),
        Step::Wait(Duration::from_secs(30)),
    ];
    let much = answer(429, "", "");
    let (home, server) = (Home::new(), Server::start(vec![much, reply]));
    let mut import = home.import(Site::Lichess, &server);
    let begun = Instant::now();
    let stop_soon = || {
        let stopper = Stopper::default();
        let stop = stopper.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            stop.stop();
        });
        stopper
    };
    import.pause = Duration::from_secs(30);
    let (_, done) = import.run(&stop_soon(), &mut |_| {});
    assert_eq!(done, Err(ImportError::Stopped));
    let (summary, done) = import.run(&stop_soon(), &mut |_| {});
    assert_eq!(
        (counts(&summary), done),
        ([3, 0, 0, 0], Err(ImportError::Stopped))
    );
    assert!(begun.elapsed() < Duration::from_secs(15));
}

#[test]
fn one_import_runs_at_a_time() {
    let reply = vec![Step::Wait(Duration::from_millis(600))];
    let (home, server) = (Home::new(), Server::start(vec![reply]));
    let import = home.import(Site::Lichess, &server);
    thread::scope(|scope| {
        let first = scope.spawn(|| run(&import).1);
        while server.asked().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(run(&import).1, Err(ImportError::Busy));
        let first = first.join().expect("it ends");
        assert!(
            matches!(first, Err(ImportError::Unreachable { .. })),
            "{first:?}"
        );
    });
}

#[test]
fn what_is_stored_acts_on_no_terminal() {
    let bad = "\u{1b}[31m\u{9b}2J\u{202e}\u{7}";
    let body = three()[1]
        .replace("Bo\"", &format!("{bad}\""))
        .replace("{ [", &format!("{{ {bad}\t h5 \u{b}* 1-0\r\u{2028}["))
        .replace('\n', "\r\n");
    let mut body = body.into_bytes();
    body.extend(three()[2].replace("Bo\"", "\u{0}\"").into_bytes());
    let (home, server) = (Home::new(), Server::start(vec![good(body)]));
    assert_eq!(fine(&home.import(Site::Lichess, &server)), [2, 0, 0, 0]);
    let text = home.file("lichess-anna-2026-11.pgn");
    let acts = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!text.contains(acts), "{text:?}");
    for game in tabiya_game::pgn::games(text.as_bytes()) {
        assert!(game.errors.is_empty(), "{text} {:?}", game.errors);
        assert_eq!(game.record.main_line().count(), 4, "{text}");
    }
    assert_eq!(crate::games::games(text.as_bytes()).len(), 2);
}

/// A date that is still to come does not keep the games until then away.
#[test]
fn a_date_to_come_is_not_the_newest() {
    let home = Home::new();
    let odd =
        game("ffffffff", "9999.12.31", "00:00:00") + &game("gggggggg", "2027.01.02", "00:00:00");
    let first = Server::start(vec![good(odd + &three()[2])]);
    assert_eq!(fine(&home.import(Site::Lichess, &first)), [3, 0, 0, 0]);
    let second = Server::start(vec![good("")]);
    let mut import = home.import(Site::Lichess, &second);
    assert_eq!(fine(&import), [0; 4]);
    assert!(second.paths().concat().ends_with("&since=1794507721000"));
    // The same within the month, and then there is no other game.
    let third = Server::start(vec![good("")]);
    import = home.import(Site::Lichess, &third);
    import.now = 1_794_500_000;
    assert_eq!(fine(&import), [0; 4]);
    assert!(third.paths().concat().ends_with("&evals=false"));
}

#[test]
fn a_file_does_not_grow_beyond_what_can_be_read() {
    let home = Home::new();
    let size = three()[1].len() as u64;
    for (games, new) in [(three()[1..].concat(), 1), (three()[1].clone(), 0)] {
        let server = Server::start(vec![good(games)]);
        let mut import = home.import(Site::Lichess, &server);
        import.max_file = size + 400;
        let (summary, done) = run(&import);
        assert_eq!(summary.new, new);
        match new {
            0 => assert_eq!(done, Ok(())),
            _ => assert!(done.is_err_and(|error| error.to_string().contains("too large"))),
        }
    }
}

#[test]
fn variants_and_games_without_an_id_are_counted_and_left_out() {
    let [first, second, third] = three();
    let variant = first.replace("\"Standard\"", "\"Crazyhouse\"");
    let nameless = second.replace("https://lichess.org/bbbbbbbb", "?");
    let endless = three()[1].replace("Qh4# 0-1", "Qh4#");
    let body = [variant, nameless, endless, third].concat();
    let (home, server) = (Home::new(), Server::start(vec![good(body)]));
    assert_eq!(fine(&home.import(Site::Lichess, &server)), [1, 0, 1, 2]);
    assert_eq!(home.files(), ["lichess-anna-2026-11.pgn"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let home = Home::new();
    std::fs::write(home.path("games"), "in the way").expect("a file");
    let server = Server::start(Vec::new());
    let (_, done) = run(&home.import(Site::Lichess, &server));
    let Err(ImportError::File(error)) = done else {
        panic!("{done:?}");
    };
    assert_eq!(error.path, home.path("games"));
}
