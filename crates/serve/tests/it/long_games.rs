//! Games and reviews that are too long for one message come in pieces, to pages and to terminals.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use serde_json::{Value, json};
use tabiya_game::{NewGame, Timestamp};
use tabiya_play::opponents::Opponents;
use tabiya_play::remote::ServerLink;
use tabiya_play::table::{Display, Table};
use tabiya_rules::{Move, Position, Role, SplitMix64};
use tabiya_serve::{Client, GameLink};

use crate::harness::{self, Served, folder};

/// More than any message should have; a piece has about half.
const LARGE: usize = 128 * 1024;

/// A game with many moves, of few bytes each.
fn shuffling(plies: usize) -> String {
    let moves = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].into_iter().cycle();
    moves.take(plies).collect::<String>() + "e4 e5 *"
}

/// A long game that goes on: nothing repeats often, and there is always a pawn's move or a capture in time.
fn wandering(plies: usize) -> Vec<String> {
    let mut random = SplitMix64::new(7);
    let mut position = Position::start();
    let mut seen: HashMap<String, u32> = HashMap::new();
    let place = |position: &Position| {
        let fen = position.fen();
        fen.rsplitn(3, ' ').last().unwrap_or_default().to_owned()
    };
    let mut made = Vec::new();
    while made.len() < plies {
        let is_progress = |played: &&Move| {
            let piece = position.board().piece_at(played.from());
            piece.is_some_and(|piece| piece.role == Role::Pawn) || position.is_capture(**played)
        };
        let fits = |played: &&Move| {
            let after = position.play(**played).expect("a legal move");
            let count = seen.get(&place(&after)).copied().unwrap_or_default();
            !after.legal_moves().is_empty() && count < 3
        };
        let legal = position.legal_moves();
        let (progress, others): (Vec<&Move>, Vec<&Move>) =
            legal.iter().filter(fits).partition(is_progress);
        let is_due = position.halfmove_clock() >= 120 || others.is_empty();
        let among = if is_due && !progress.is_empty() {
            progress
        } else {
            others
        };
        let at = random.next_u64() as usize % among.len().max(1);
        let played = **among.get(at).expect("a move that fits");
        made.push(position.uci(played).to_string());
        position = position.play(played).expect("a legal move");
        *seen.entry(place(&position)).or_default() += 1;
    }
    made
}

/// Puts the pieces of a message together, as a page does.
fn whole(client: &mut harness::Client, mut first: Value, list: &str) -> Value {
    let count = first["count"].as_u64().expect("a count") as usize;
    while first[list].as_array().expect("a list").len() < count {
        let more = client.next().expect("the connection stays");
        assert_eq!(more["type"], "more");
        assert!(more.to_string().len() < LARGE);
        let items = more["items"].as_array().expect("a list").clone();
        assert!(!items.is_empty());
        first[list].as_array_mut().expect("a list").extend(items);
    }
    first
}

#[test]
fn a_long_game_can_be_joined() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let plies = 12_000;
    let rest = shuffling(900);
    let begin = shuffling(plies - 900).replace("e4 e5 *", "a4 a5");
    let asked = json!({ "opponent": "here", "pgn": format!("{begin} {rest}") });
    let game = served.game(&host, &asked);
    let mut both = served.join(&game, "both");
    let first = both.next().expect("a state");
    assert_eq!(first["type"], "state");
    assert!(first.to_string().len() < LARGE);
    let state = whole(&mut both, first, "moves");
    assert_eq!(state["moves"].as_array().map(Vec::len), Some(plies + 4));
    assert_eq!(state["board"]["ply"], plies + 4);

    let link: GameLink = game.links["watch"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (_, joined) = Client::join(&link).expect("the server is there");
    assert_eq!(joined.state.moves.len(), plies + 4);

    // What changes meanwhile is in the pieces of those who join later.
    both.does(&json!({ "command": "undo", "to": { "plies": 902 } }));
    both.play("b4");
    let mut later = served.join(&game, "both");
    let first = later.next().expect("a state");
    let state = whole(&mut later, first, "moves");
    let moves = state["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), plies + 4 - 902 + 1);
    assert_eq!(moves.last().expect("a move")["uci"], "b2b4");
    let path = format!("/api/games/{}", game.id);
    let over_http = served.get(&path, &[("Authorization", &host)]).json();
    assert_eq!(
        over_http["moves"], state["moves"],
        "over HTTP it is one answer"
    );
}

#[test]
fn a_long_game_is_played_at_a_terminal() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let moves = wandering(2_750);
    let asked = json!({ "opponent": "here", "pgn": moves.join(" ") });
    let game = served.game(&host, &asked);
    let link: GameLink = game.links["both"]
        .as_str()
        .and_then(|link| link.parse().ok())
        .expect("a link");
    let (mut client, joined) = Client::join(&link).expect("the server is there");
    client.listen(Arc::new(|_| true));
    let (new, seats) = (NewGame::default(), Opponents::default());
    let mut table = Table::new(new, Display::Text, seats, SplitMix64::new(1));
    table.join(joined, Timestamp::ORIGIN);
    assert_eq!(table.session().ply() as usize, moves.len());
    assert!(!table.is_shut_out());
}

#[test]
fn a_game_that_is_too_long_does_not_begin() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let asked = json!({ "opponent": "here", "pgn": shuffling(20_000) });
    let refused = served.post("/api/games", &[("Authorization", &host)], &asked);
    assert_eq!(refused.status, 422);
    assert!(
        refused.body.contains("more than 20000 plies"),
        "{}",
        refused.body
    );
    // The longest game takes no more moves.
    let asked = json!({ "opponent": "here", "pgn": shuffling(19_996) });
    let game = served.game(&host, &asked);
    let mut both = served.join(&game, "both");
    let first = both.next().expect("a state");
    whole(&mut both, first, "moves");
    both.play("d4");
    both.play("d5");
    let refused = both.refused(&json!({ "command": "play", "move": "c4" }));
    let said = refused["sentences"][0].as_str().expect("a sentence");
    assert!(said.contains("as many moves as it can have"), "{said}");
}

/// A review with very many marks comes in pieces; one with more than that is refused, and nobody is disconnected.
#[test]
fn a_large_review_is_sent_or_refused() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| config.limits.body_bytes = 1 << 20);
    let host = served.enter();
    for (marks_of_move, fits) in [(600, true), (1_400, false)] {
        let mut pgn = String::new();
        for ply in 0..100 {
            let marks = "Ra1,".repeat(marks_of_move);
            let played = ["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4];
            write!(pgn, "{played} {{[%csl {}]}} ", marks.trim_end_matches(',')).expect("a string");
        }
        let game = served.game(&host, &json!({ "opponent": "here", "pgn": pgn + "*" }));
        let mut both = served.join(&game, "both");
        both.wait("state");
        let id = both.ask(&json!({ "command": "review" }));
        if fits {
            let first = both.wait("review");
            assert!(first.to_string().len() < LARGE);
            let review = whole(&mut both, first, "nodes");
            assert_eq!(review["nodes"].as_array().map(Vec::len), Some(101));
            let marks = review["nodes"][100]["marks"].as_array();
            assert_eq!(marks.map(Vec::len), Some(marks_of_move));
        } else {
            let refused = both.wait("refused");
            assert_eq!(refused["id"], id);
            assert!(
                refused
                    .to_string()
                    .contains("too many moves, comments or marks")
            );
        }
        // It is still connected; the game was over long ago.
        both.refused(&json!({ "command": "play", "move": "h4" }));
    }
}
