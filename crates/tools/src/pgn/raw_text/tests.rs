//! What is recorded, and that it stays within bounds.

use tabiya_game::pgn::Source;

use super::{AHEAD, MAX_GAME_LENGTH, RawText};

#[test]
fn texts_come_back_until_they_are_forgotten_and_memory_is_bounded() {
    let text: Vec<u8> = (0..40_000_000_u32).map(|n| (n % 251) as u8).collect();
    let (kept, mut source) = RawText::record(&text[..], 100);
    let mut buffer = vec![0; 65_536];
    let mut read = 0;
    let mut pull = |until: usize| {
        while read < until {
            read += source.fill(&mut buffer).unwrap();
        }
    };
    pull(1_000_000);
    assert_eq!(kept.with(100, 150, <[u8]>::to_vec).unwrap(), text[..50]);
    kept.forget(900_100);
    pull(1_200_000);
    assert_eq!(kept.with(100, 150, <[u8]>::len), None);
    assert_eq!(
        kept.with(900_100, 1_100_100, <[u8]>::to_vec).unwrap(),
        text[900_000..1_100_000]
    );
    pull(30_000_000);
    assert_eq!(kept.with(900_100, 30_000_100, <[u8]>::len), None);
    let last = kept.with(29_000_100, 30_000_100, <[u8]>::to_vec).unwrap();
    assert_eq!(last, text[29_000_000..30_000_000]);
    assert!(kept.0.borrow().bytes.capacity() <= 2 * (MAX_GAME_LENGTH + AHEAD) + 65_536);
}
