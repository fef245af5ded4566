use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tabiya_game::GameResult;

use super::{BATCH, Batch, Listed, list, open_at};

/// A file for one test, removed when the test is over.
struct Kept(PathBuf);

impl Kept {
    fn new(name: &str, bytes: &[u8]) -> Kept {
        let path = std::env::temp_dir().join(format!("tabiya-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("a file can be written");
        Kept(path)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn batches(path: &std::path::Path) -> Vec<Batch> {
    let mut all = Vec::new();
    list(path, &AtomicBool::new(false), |batch| {
        all.push(batch);
        true
    })
    .expect("the file can be read");
    all
}

fn games(count: usize) -> String {
    (0..count)
        .map(|at| {
            format!("[Event \"Club\"]\n[Site \"https://example.org/{at}\"]\n[White \"Player {at}\"]\n[Black \"É\"]\n[Date \"2026.01.02\"]\n\n1. e4 e5 {{{at}}} 1-0\n\n")
        })
        .collect()
}

#[test]
fn games_are_listed_and_opened_where_they_begin() {
    let text = games(2 * BATCH + 3);
    let compressed = zstd::encode_all(text.as_bytes(), 1).expect("it can be compressed");
    for (name, bytes) in [("plain.pgn", text.into_bytes()), ("packed.zst", compressed)] {
        let file = Kept::new(name, &bytes);
        let all = batches(&file.0);
        assert_eq!(
            all.iter().map(Batch::count).collect::<Vec<_>>(),
            [BATCH, BATCH, 3]
        );
        let listed = all[2].get(1).expect("a game");
        assert_eq!(
            listed,
            Listed {
                offset: listed.offset,
                white: "Player 1025",
                black: "É",
                date: "2026.01.02",
                event: "Club",
                site: "",
                ratings: listed.ratings,
                result: GameResult::WhiteWins,
                opening: listed.opening,
            }
        );
        let opening = listed.opening.map(|opening| opening.to_string());
        assert_eq!(opening.as_deref(), Some("King's Pawn Game"));
        let opened = open_at(&file.0, listed.offset).expect("it can be read");
        assert_eq!(opened.problem, None);
        assert_eq!(opened.record.tags().get("White"), Some("Player 1025"));
        assert_eq!(opened.record.len(), 3, "the start and two moves");
    }
}

#[test]
fn a_list_names_openings_by_their_moves() {
    let named = |text: &str| {
        let file = Kept::new("named.pgn", text.as_bytes());
        let all = batches(&file.0);
        let listed = all[0].get(0).expect("a game");
        assert_eq!(listed.result, GameResult::WhiteWins, "{text}");
        listed.opening.map(|opening| opening.to_string())
    };
    let najdorf = Some("Sicilian Defense: Najdorf Variation".to_owned());
    let moves = "1. e4 (1. d4 d5 2. c4) 1... c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
    // Tags do not matter, nor do later moves or variations.
    assert_eq!(named(&format!("[ECO \"A00\"]\n\n{moves} 1-0")), najdorf);
    assert_eq!(
        named(&format!("{moves} 6. Qd2 {{?}} e5 7. Ke5 1-0")),
        najdorf
    );
    let set_up = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 1-0";
    assert_eq!(named(set_up), None);
}

#[test]
fn what_cannot_be_read_is_said() {
    let file = Kept::new("broken.pgn", b"1. e4 e5 2. Ke3 *");
    let opened = open_at(&file.0, 0).expect("a game with an error is a game");
    assert!(opened.problem.is_some());
    // By its place in the file, not in the game.
    let second = Kept::new("second.pgn", b"1. e4 *\n\n1. e4 e5\n2. Ke3 *");
    let listed = batches(&second.0)[0].get(1).expect("a game").offset;
    let problem = open_at(&second.0, listed).expect("a game").problem;
    let problem = problem.expect("an error");
    assert!(
        problem.starts_with("4:4: 'Ke3' cannot be played"),
        "{problem}"
    );
    let none = Kept::new("none.pgn", b"\n\n");
    assert!(open_at(&none.0, 0).is_err());
    assert!(open_at(&std::env::temp_dir().join("tabiya-no-such-file"), 0).is_err());
    let stop = AtomicBool::new(false);
    let folder = list(&std::env::temp_dir(), &stop, |_| true).expect_err("a folder");
    assert!(folder.to_string().contains("folder"), "{folder}");
}

#[test]
fn long_names_are_shortened_between_letters() {
    let name = "é".repeat(100);
    let file = Kept::new("long.pgn", format!("[White \"{name}\"]\n\n*").as_bytes());
    let all = batches(&file.0);
    let listed = all[0].get(0).expect("a game");
    assert_eq!((listed.white, listed.black), (&*"é".repeat(32), ""));
}

#[test]
fn events_and_sites_are_shared_by_neighbors_and_found() {
    let tags = |event: &str, elo: &str| {
        format!("[Event \"{event}\"]\n[Site \"Köln\"]\n[WhiteElo \"{elo}\"]\n\n*\n\n")
    };
    let text = [
        tags("One", "2500"),
        tags("Two", "?"),
        tags("One", "0"),
        tags("?", "99999"),
    ];
    let file = Kept::new("events.pgn", text.concat().as_bytes());
    let batch = &batches(&file.0)[0];
    assert_eq!(batch.text, "OneKölnTwo");
    let listed: Vec<Listed<'_>> = (0..4).filter_map(|at| batch.get(at)).collect();
    assert_eq!(
        listed.iter().map(|it| it.event).collect::<Vec<_>>(),
        ["One", "Two", "One", ""]
    );
    assert!(listed.iter().all(|it| it.site == "Köln"));
    let ratings: Vec<_> = listed
        .iter()
        .map(|it| it.ratings.white.map(std::num::NonZero::get))
        .collect();
    assert_eq!(ratings, [Some(2500), None, None, None]);
}
