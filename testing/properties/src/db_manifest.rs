//! Any bytes as the manifest of a database: nothing panics, and the error can be shown.

use tabiya_rules::text::is_safe;

/// Reads bytes as the manifest of a database.
///
/// # Panics
/// Panics if the property does not hold.
pub fn db_manifest(bytes: &[u8]) {
    if let Err(error) = tabiya_db::check_manifest(bytes) {
        let sentence = error.to_string();
        assert!(sentence.chars().all(is_safe), "{sentence:?}");
        assert!(sentence.len() < 1000);
    }
}
