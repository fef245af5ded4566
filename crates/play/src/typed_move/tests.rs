use tabiya_game::MoveRefusal;
use tabiya_rules::{Position, SanError};

use super::{Unplayable, candidates, meant, parse};

fn found(typed: &str, position: &Position) -> Vec<String> {
    candidates(typed, position)
        .into_iter()
        .map(|candidate| candidate.san)
        .collect()
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a position")
}

/// The move that a text says in a position.
fn said(typed: &str, fen: &str) -> String {
    let position = position(fen);
    match parse(typed, &position) {
        Ok(read) => position.san(read.played).to_string(),
        Err(why) => format!("{why:?}"),
    }
}

#[test]
fn the_beginning_of_a_move_finds_it_in_every_spelling() {
    let start = Position::start();
    assert_eq!(found("N", &start), ["Na3", "Nc3", "Nf3", "Nh3"]);
    assert_eq!(found("Nf", &start), ["Nf3"]);
    assert_eq!(found("nf", &start), ["Nf3"]);
    assert_eq!(found("g1", &start), ["Nf3", "Nh3"]);
    assert_eq!(found("e", &start)[..2], ["e3", "e4"]);
    assert_eq!(found("Ng1-f", &start), ["Nf3"]);
    assert!(found("", &start).is_empty());
    assert!(found("Qh5", &start).is_empty());
    assert!(found("+", &start).is_empty());
}

#[test]
fn captures_need_no_sign_and_castling_takes_zeros() {
    let open = position("r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(found("ed", &open), ["exd5"]);
    assert_eq!(found("0-0", &open), ["O-O", "O-O-O"]);
    assert_eq!(found("0-0-0", &open), ["O-O-O"]);
    assert_eq!(found("e1g", &open), ["O-O"]);
}

#[test]
fn a_small_b_is_a_pawn_first_and_a_bishop_second() {
    let both = position("4k3/8/8/8/8/2n5/1P6/B3K3 w - - 0 1");
    assert_eq!(found("bxc3", &both)[0], "bxc3");
    let both = position("4k3/8/8/8/3n4/2p5/1P1B4/4K3 w - - 0 1");
    assert_eq!(found("bxc3", &both), ["bxc3", "Bxc3"]);
    assert_eq!(found("Bxc3", &both), ["Bxc3"], "a capital is a bishop");
}

#[test]
fn promotions_are_all_there() {
    let pawn = position("8/4P3/8/8/8/8/8/k6K w - - 0 1");
    assert_eq!(found("e8", &pawn), ["e8=Q", "e8=R", "e8=B", "e8=N"]);
    assert_eq!(found("e8q", &pawn), ["e8=Q"]);
    assert_eq!(found("e7e8q", &pawn), ["e8=Q"]);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn moves_are_read_however_they_are_written() {
    for typed in [
        "E4", "e2e4", "E2E4", "e2 e4", "e2 - e4", "e2–e4", "e4!?", "Pe4",
    ] {
        assert_eq!(said(typed, START), "e4", "{typed}");
    }
    for typed in ["nf3", "NF3", "Ng1f3", "ngf3", "N1f3", "g1-f3", "Nf3+"] {
        assert_eq!(said(typed, START), "Nf3", "{typed}");
    }
    let captures = "4k3/8/8/2pPp3/1P6/8/8/4K3 w - c6 0 1";
    for typed in ["bc", "bxc", "b:c5", "bc5", "b4c5", "b4×c5"] {
        assert_eq!(said(typed, captures), "bxc5", "{typed}");
    }
    for typed in ["dxc6 e.p.", "dxc6ep", "dxc6e.p.", "d5c6", "dc6"] {
        assert_eq!(said(typed, captures), "dxc6", "{typed}");
    }
    assert_eq!(said("D8=q", "8/3P4/8/8/8/8/8/k6K w - - 0 1"), "d8=Q");
}

#[test]
fn an_origin_that_is_not_needed_fits_while_it_is_typed() {
    let position = position("4k3/8/8/4p3/8/5N2/8/4K2R w K - 0 1");
    for typed in ["nf", "nfx", "nfxe", "nfxe5", "N3xe5", "nfe5"] {
        assert!(
            found(typed, &position).contains(&"Nxe5".to_owned()),
            "{typed}"
        );
    }
    assert_eq!(
        found("rhx", &position),
        [""; 0],
        "nothing is there to be captured"
    );
}

#[test]
fn what_several_pieces_can_do_is_shown_and_asked() {
    let knights = position("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1");
    let both = candidates("nd2", &knights);
    assert_eq!(found("nd2", &knights), ["Nbd2", "Nfd2"]);
    assert_eq!(meant(&both), None);
    assert!(matches!(
        parse("nd2", &knights),
        Err(Unplayable::Refused(MoveRefusal::San(SanError::Ambiguous { candidates }))) if candidates.len() == 2
    ));
}

#[test]
fn a_pawn_or_a_bishop_with_a_small_letter() {
    let bb3 = position("4k3/8/8/3B4/8/8/1P6/4K3 w - - 0 1");
    // Nobody writes the file of a pawn that captures nothing, so the bishop comes first.
    assert_eq!(found("bb3", &bb3), ["Bb3", "b3"]);
    let read = parse("bb3", &bb3).expect("a move");
    assert_eq!(bb3.san(read.played).to_string(), "Bb3");
    assert_eq!(read.also, bb3.parse_san("b3").ok());
    assert_eq!(found("b3", &bb3), ["b3"]);
    assert_eq!(found("B3", &bb3), ["b3"], "no bishop goes without a square");
    // Coordinates stay coordinates.
    let third = "4k3/8/8/8/8/5B2/8/4K3 w - - 0 1";
    assert!(
        said("b3e4", third).contains("NoPiece"),
        "{}",
        said("b3e4", third)
    );
}

#[test]
fn a_capture_needs_something_to_capture() {
    let empty = "4k3/8/8/4B3/8/2p5/1P6/4K3 w - - 0 1";
    for typed in ["bxd6", "Bxd6", "Be5xd6", "e5xd6"] {
        let read = parse(typed, &position(empty));
        assert!(
            matches!(read, Err(Unplayable::NothingToCapture(_))),
            "{typed}: {read:?}"
        );
    }
    assert_eq!(found("bxd", &position(empty)), [""; 0]);
    assert_eq!(found("bx", &position(empty)), ["bxc3", "Bxc3"]);
    assert!(said("B-d6 x", empty).contains("Unreadable"));
}

#[test]
fn texts_of_no_move_stay_unreadable() {
    let pawn = "8/4P3/8/8/8/8/8/k6K w - - 0 1";
    for typed in [
        "e7e8k",
        "e7e8p",
        "e7e8qx",
        "e4,",
        "",
        "x",
        "--e",
        &"e".repeat(99),
    ] {
        assert!(
            said(typed, pawn).starts_with("Refused("),
            "{typed}: {}",
            said(typed, pawn)
        );
    }
    assert!(said("e7e8", pawn).contains("PromotionRequired"));
}

/// Whatever the rules parse from a printed move, this parses too.
#[test]
fn every_legal_move_is_read_in_every_notation() {
    for fen in [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/3N1N2/8/3N1N2/8/8/k1K5 w - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ] {
        let position = position(fen);
        for played in position.legal_moves() {
            let uci = position.uci(played).to_string();
            for text in [&position.san(played), &*uci, &position.lan(played)] {
                let read = parse(text, &position).map(|read| read.played);
                assert_eq!(read, Ok(played), "{text} in {fen}");
            }
        }
    }
}

#[test]
fn the_rooks_square_with_the_kings_letter_is_a_castle_in_chess960_only() {
    let (standard, chess960) = (
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w HA - 0 1",
    );
    for text in ["Kg1", "kg1", "e1g1", "e1h1", "0-0"] {
        assert_eq!(said(text, standard), "O-O", "{text}");
        assert_eq!(said(text, chess960), "O-O", "{text}");
    }
    for (text, castle) in [("Kh1", "O-O"), ("kh1", "O-O"), ("Ka1", "O-O-O")] {
        assert!(said(text, standard).starts_with("Refused("), "{text}");
        assert_eq!(said(text, chess960), castle, "{text}");
    }
}
