//! Lines as engines print them, valid and not.

use tabiya_rules::Position;

use super::{Info, MAX_LINE_MOVES, Reply};
use crate::is_plain;

fn round(line: &str) -> String {
    Reply::parse(line.as_bytes()).to_string()
}

fn info(line: &str) -> Info {
    match Reply::parse(line.as_bytes()) {
        Reply::Info(info) => *info,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn good_lines_come_back_as_they_were() {
    for line in [
        "id name Some Engine 1.0",
        "id author A. Person",
        "uciok",
        "readyok",
        "bestmove e2e4",
        "bestmove e7e8q ponder a1a2",
        "bestmove (none)",
        "copyprotection checking",
        "registration error",
        "option name Hash type spin default 16 min 1 max 1024",
        "info depth 2 seldepth 4 multipv 1 score cp -20 lowerbound wdl 10 980 10 nodes 400 nps 7000 hashfull 3 tbhits 1 \
         cpuload 999 time 12 currmove e2e4 currmovenumber 1 refutation d1h5 g6h5 currline 1 e2e4 pv e2e4 e7e5",
        "info score mate -3",
        "info string hello  there",
    ] {
        assert_eq!(round(line), line);
    }
}

#[test]
fn what_is_no_message_is_kept() {
    for line in [
        "",
        "Stockfish 15.1 by many",
        "id",
        "id rank 5",
        "option name x",
        "bestm",
    ] {
        assert_eq!(Reply::parse(line.as_bytes()), Reply::Unknown(line.into()));
    }
    assert_eq!(round("junk words readyok"), "readyok");
    assert_eq!(
        round("bestmove g7g4  ponder d4c3 \r"),
        "bestmove g7g4 ponder d4c3"
    );
}

#[test]
fn a_bestmove_that_is_none_is_known_as_such() {
    for text in ["aaaa", "E2E4", "e7e6\0", "e2e4e", "e7e8k", "O-O"] {
        assert!(
            matches!(
                Reply::parse(format!("bestmove {text}").as_bytes()),
                Reply::BadBestMove(_)
            ),
            "{text}"
        );
    }
    for text in ["", "(none)", "0000", "NULL"] {
        assert_eq!(round(&format!("bestmove {text}")), "bestmove (none)");
    }
    assert_eq!(round("bestmove e2e4 ponder nonsense"), "bestmove e2e4");
}

#[test]
fn nonsense_in_an_info_is_dropped_and_the_rest_is_kept() {
    let read = info(
        "info depth 99999999999999999999 score cp 9e999 nodes -1 nps 18446744073709551616 time x",
    );
    assert_eq!(read, Info::default());
    for line in [
        "info score mate",
        "info score cp",
        "info score cp x",
        "info score lowerbound",
        "info score cp 99999999",
        "info multipv 1000000",
        "info wdl 1 2",
        "info wdl 1 2 3",
        "info hashfull 1001",
        "info joho 5 6",
    ] {
        assert_eq!(info(line), Info::default(), "{line}");
    }
    assert_eq!(info("info score cp depth 5").depth, Some(5));
    let long = format!("info pv{}", " e2e4 e7e5".repeat(5000));
    let read = info(&long);
    assert_eq!(read.pv.len(), MAX_LINE_MOVES);
    assert_eq!(read.legal_pv(&Position::start()).len(), 2);
}

#[test]
fn escapes_of_terminals_do_not_come_through() {
    for line in [
        &b"id name \x1b]0;pwn\x07\x1b[2JEvil"[..],
        b"info string \x1b[?1049l\x1bc",
        b"option name a\x1bb\xff type string default \x07",
        b"bestmove \x1b[2J",
        b"\x00\x01\xff\xfe",
    ] {
        let reply = Reply::parse(line);
        assert!(reply.to_string().chars().all(is_plain));
        assert!(!format!("{reply:?}").contains('\x1b'));
    }
}
