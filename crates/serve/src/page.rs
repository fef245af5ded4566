//! The files of the page, compiled into the program: for the server, and for stand-alone pages.

use tabiya_rules::{Color, Piece, Role};

pub(crate) const INDEX: &str = include_str!("../page/index.html");
pub(crate) const STYLE: &str = include_str!("../page/style.css");
pub(crate) const OPENAPI: &str = include_str!("../page/openapi.json");

/// The scripts by name.
pub(crate) const SCRIPTS: [(&str, &str); 13] = [
    ("app.js", include_str!("../page/app.js")),
    BOARD,
    ("clocks.js", include_str!("../page/clocks.js")),
    ("connection.js", include_str!("../page/connection.js")),
    ("controls.js", include_str!("../page/controls.js")),
    ("elements.js", include_str!("../page/elements.js")),
    EVALUATION,
    ("game.js", include_str!("../page/game.js")),
    ("lobby.js", include_str!("../page/lobby.js")),
    MOVES,
    ("sentences.js", include_str!("../page/sentences.js")),
    ("server.js", include_str!("../page/server.js")),
    ("study.js", include_str!("../page/study.js")),
];

const BOARD: (&str, &str) = ("board.js", include_str!("../page/board.js"));
const EVALUATION: (&str, &str) = ("evaluation.js", include_str!("../page/evaluation.js"));
const MOVES: (&str, &str) = ("moves.js", include_str!("../page/moves.js"));

/// The scripts of an exported page, in the order of their imports.
pub(crate) const VIEWER: &[&str] = &[
    BOARD.1,
    MOVES.1,
    EVALUATION.1,
    include_str!("../page/viewer.js"),
];

/// Joins scripts into one that imports nothing. `import` and `export` must be at the beginning of a line.
pub(crate) fn bundle(scripts: &[&str]) -> String {
    let lines = scripts.iter().flat_map(|script| script.lines());
    let mut out = String::new();
    for line in lines.filter(|line| !line.starts_with("import ")) {
        let line = line.strip_prefix("export ").unwrap_or(line);
        // An exported page does not need comments.
        let comment = line.trim_start();
        if comment.is_empty() || comment.starts_with("//") || comment.starts_with("/** ") {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// All pieces.
pub(crate) fn pieces() -> impl Iterator<Item = Piece> {
    Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| Piece { color, role }))
}

/// The name of a piece on the page: `wk`, `bp`.
pub(crate) fn piece_name(piece: Piece) -> String {
    format!("{}{}", piece.color.char(), piece.role.char())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that a browser loads to show a game.
    #[test]
    fn the_page_is_small_and_loads_nothing_from_elsewhere() {
        let pieces: usize = pieces().map(|piece| tabiya_svg::piece(piece).len()).sum();
        let scripts: usize = SCRIPTS.iter().map(|(_, text)| text.len()).sum();
        let bytes = INDEX.len() + scripts + STYLE.len() + pieces;
        assert!(bytes <= 200_000, "{bytes} bytes");
        let texts = SCRIPTS.iter().map(|(_, text)| *text).chain([INDEX, STYLE]);
        for text in texts.chain(VIEWER.iter().copied()) {
            for foreign in [
                "http://",
                "https://",
                "//cdn",
                "@import",
                "eval(",
                "innerHTML",
            ] {
                assert!(!text.contains(foreign), "{foreign}");
            }
        }
        for inline in ["<script>", "onclick", "style=", "<style"] {
            assert!(!INDEX.contains(inline), "{inline}");
        }
    }

    #[test]
    fn a_bundle_imports_and_exports_nothing() {
        let script = bundle(VIEWER);
        assert!(script.contains("class Board {"));
        for word in ["import ", "export ", "</script"] {
            let begins = |line: &str| line.trim_start().starts_with(word);
            assert!(!script.lines().any(begins), "{word}");
        }
    }
}
