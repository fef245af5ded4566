//! Names of players as names of files.

use super::file_name;

#[test]
fn no_name_leaves_its_folder() {
    for (name, expected) in [
        ("Carlsen, Magnus", "Carlsen_Magnus"),
        ("../../etc/passwd", "etc_passwd"),
        ("", "unknown"),
        ("..", "unknown"),
        ("-rf", "rf"),
        ("a\0b\u{1b}c", "a_b_c"),
        ("CON", "CON_"),
        ("com1", "com1_"),
        ("LPT²", "LPT²_"),
        ("Géza Maróczy", "Géza_Maróczy"),
    ] {
        assert_eq!(file_name(name), expected);
    }
    assert!(file_name(&"x".repeat(500)).len() <= 80);
}
