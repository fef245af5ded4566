//! No more is said about a difference than is known.

use super::*;

#[test]
fn differences_with_what_is_known_of_their_error() {
    let shown = |counts: &[u32]| elo(&Estimate::of(counts).expect("observations"));
    assert_eq!(shown(&[1, 1, 3, 3, 2]), "+70.4 ± 143.1 (95 %)");
    let lopsided = "+368.3 (95 %: +264.6 to +574.7)";
    assert_eq!(shown(&[0, 1, 2, 5, 20]), lopsided);
    let mirrored = "-368.3 (95 %: -574.7 to -264.6)";
    assert_eq!(shown(&[20, 5, 2, 1, 0]), mirrored);
    assert_eq!(shown(&[0, 0, 0, 0, 5]), "+∞, every point");
    assert_eq!(shown(&[5, 0, 0, 0, 0]), "-∞, no point");
    assert_eq!(shown(&[0, 0, 5, 0, 0]), "+0.0, error unknown");
    // Nineteen won pairs of twenty and one drawn: the upper end is a full score.
    assert!(
        shown(&[0, 0, 1, 0, 19]).contains(", at least +"),
        "{}",
        shown(&[0, 0, 1, 0, 19])
    );
    assert!(shown(&[19, 0, 1, 0, 0]).contains(", at most -"));
}

#[test]
fn counts_have_their_plurals() {
    let mut standing = Standing::default();
    standing.losses = 3;
    standing.faults.a.crashes = 1;
    standing.faults.a.time_losses = 2;
    standing.faults.b.illegal_moves = 3;
    standing.faults.b.time_losses = 1;
    let ended = Final {
        names: ByEntrant::new("one".to_owned(), "other".to_owned()),
        planned: 3,
        standing,
        end: End::Played,
    };
    let lines = ended.lines();
    for expected in [
        "A: 1 crash, 0 illegal moves, 2 losses on time",
        "B: 0 crashes, 3 illegal moves, 1 loss on time",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{lines:?}");
    }
}
