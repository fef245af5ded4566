//! Any bytes as a table of openings: nothing panics, and what is read is bounded and can be shown.

use tabiya_openings::{MAX_NAME_BYTES, Openings};
use tabiya_rules::text::is_safe;

/// Reads bytes as a table of openings.
///
/// # Panics
/// Panics if the property does not hold.
pub fn openings_table(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').count();
    match Openings::from_tsv(bytes) {
        Ok(openings) => {
            assert!(openings.iter().count() <= lines);
            for opening in openings.iter() {
                let name = opening.to_string();
                assert!(!opening.family.is_empty() && name.chars().all(is_safe));
                // A colon without a space after it is shown with one.
                assert!(name.len() <= MAX_NAME_BYTES + 1);
            }
            let mut both = Openings::standard().clone();
            let standard = both.iter().count();
            both.add_tsv(bytes).expect("what was read before");
            assert!(both.iter().count() >= standard.max(openings.iter().count()));
        }
        Err(error) => {
            assert!((1..=lines).contains(&error.line));
            assert!(error.to_string().chars().all(is_safe));
        }
    }
}
