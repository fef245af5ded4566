//! `tabiya show`.

use crate::support::run;

#[test]
fn a_position_as_text() {
    let expected = "\
8 . . . . . . . .
7 . . . . . . . .
6 . . . . k . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . K . . .
2 . . . . P . . .
1 . . . . . . . .
  a b c d e f g h
Black to move
";
    assert_eq!(
        run(&["show", "8/8/4k3/8/8/4K3/4P3/8 b - - 0 1"]).fine(),
        expected
    );
}

#[test]
fn figures_and_the_other_side() {
    let out = run(&["show", "startpos", "--figures", "--flip"]).fine();
    assert_eq!(out.lines().next(), Some("1 ♖ ♘ ♗ ♔ ♕ ♗ ♘ ♖"));
    assert_eq!(out.lines().nth(8), Some("  h g f e d c b a"));
}

#[test]
fn a_bad_fen_is_refused() {
    assert!(
        run(&["show", "nothing"])
            .refused()
            .starts_with("tabiya: bad FEN, field 1")
    );
}

#[test]
fn a_picture_replaces_a_picture_and_nothing_else() {
    let folder = std::env::temp_dir().join(format!("tabiya-show-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("board.svg");
    let name = path.to_str().expect("a name");
    for flip in [&[][..], &["--flip"]] {
        let arguments = [&["show", "startpos", "--svg", name][..], flip].concat();
        assert_eq!(run(&arguments).fine(), "");
        let svg = std::fs::read_to_string(&path).expect("it was written");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<g transform").count(), 32);
    }
    std::fs::write(&path, "my notes").expect("a file");
    let refused = run(&["show", "startpos", "--svg", name]);
    assert_eq!((refused.code, refused.out.as_str()), (3, ""));
    assert!(refused.err.contains("left alone"), "{}", refused.err);
    let kept = std::fs::read_to_string(&path).expect("it is still there");
    assert_eq!(kept, "my notes");
    let _ = std::fs::remove_dir_all(folder);
}

/// Whoever keeps a file from others finds it kept from them when it was replaced.
#[cfg(unix)]
#[test]
fn a_replaced_picture_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let path = std::env::temp_dir().join(format!("tabiya-private-{}.svg", std::process::id()));
    let name = path.to_str().expect("plain letters");
    run(&["show", "8/8/8/4k3/8/8/8/4K3 w - - 0 1", "--svg", name]).fine();
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(&path, private).expect("it is ours");
    run(&["show", "8/8/8/8/4k3/8/8/4K3 w - - 0 1", "--svg", name]).fine();
    let mode = std::fs::metadata(&path)
        .expect("a file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    std::fs::remove_file(&path).expect("removed");
}
