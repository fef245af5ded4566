//! Any bytes as the answers of a terminal, with keys in between.

use tabiya_screen::typed_among_answers;

/// Complete answers of real terminals.
const ANSWERS: [&[u8]; 4] = [
    b"\x1b[?62;4;22c",
    b"\x1b_Gi=31;OK\x1b\\",
    b"\x1bP>|XTerm(390)\x1b\\",
    b"\x1b]11;rgb:ffff/ffff/dddd\x07",
];

/// Checks that no typed text is lost or invented, whatever answers come before and after it.
///
/// # Panics
/// Panics if the property does not hold.
pub fn terminal_answers(bytes: &[u8]) {
    let typed = typed_among_answers(bytes);
    assert!(typed.len() <= bytes.len());
    let mut rest = bytes.iter();
    assert!(
        typed.iter().all(|byte| rest.any(|other| other == byte)),
        "{typed:?} does not come from {bytes:?}"
    );
    if !bytes.contains(&0x1b) {
        assert_eq!(typed, bytes, "there is no answer in it");
        for answer in ANSWERS {
            let around = [answer, bytes, answer].concat();
            assert_eq!(typed_among_answers(&around), bytes);
        }
    }
}
