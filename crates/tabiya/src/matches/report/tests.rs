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
    assert_eq!(plural(1, "crash"), "1 crash");
    assert_eq!(plural(0, "crash"), "0 crashes");
    assert_eq!(plural(2, "loss on time"), "2 losses on time");
    assert_eq!(plural(3, "illegal move"), "3 illegal moves");
}
