//! Sequences of moves with gaps.

use tabiya_rules::Position;

use super::Sequence;

fn is_in(sequence: &str, game: &str) -> bool {
    let sequence: Sequence = sequence.parse().expect(sequence);
    let mut position = Position::start();
    let mut reached = sequence.begin();
    for text in game.split(' ') {
        let m = position.parse_san(text).expect(game);
        reached = sequence.after(reached, &position, Some(m));
        position = position.play(m).expect(game);
    }
    sequence.is_found(reached)
}

#[test]
fn moves_are_found_one_after_another_or_with_gaps() {
    let game = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6";
    for sequence in [
        "e4",
        "1. e4 c5 2.Nf3",
        "e2e4 c7c5",
        "... Nxd4",
        "e4 ... d4 cxd4 ... a6",
        "e4 ? Nf3",
        "e4 e5|c5",
        "e4 !e5",
        "... a6 ...",
        "...",
        "... cxd4 ... Nc3",
    ] {
        assert!(is_in(sequence, game), "{sequence}");
    }
    for sequence in [
        "d4",
        "e4 Nf3",
        "c5",
        "... a6 ?",
        "e4 !c5",
        "... cxd4 Nf6",
        "... Nxd4 ... cxd4",
    ] {
        assert!(!is_in(sequence, game), "{sequence}");
    }
    let two = "d4 d5 Nf3 Nf6 Nbd2";
    assert!(is_in("... Nd2", two) && is_in("... Nbd2", two) && !is_in("... Nfd2", two));
    for text in ["", "1.", "e", "é4", "e9", "Zz9", "e4 foo", "e4 !x"] {
        assert!(text.parse::<Sequence>().is_err(), "{text}");
    }
    assert!("e4 ".repeat(61).parse::<Sequence>().is_err());
}
