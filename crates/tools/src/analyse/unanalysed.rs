//! Games that cannot be read in full and so are not analyzed: their text is copied with a mark.

use tabiya_game::pgn::{self, PgnError, PgnErrorKind, PgnGame};

use crate::pgn::filter::standalone;

/// The tag that says why a game was not analyzed.
const MARK: &str = "AnalysisError";

/// The greatest length of a reason.
const MAX_REASON_LENGTH: usize = 200;

/// The error because of which a game cannot be rewritten without losing moves or tags.
pub(super) fn reason(game: &PgnGame) -> Option<&PgnError> {
    game.errors.iter().find(|error| {
        !matches!(
            error.kind,
            PgnErrorKind::Unexpected
                | PgnErrorKind::Glyph
                | PgnErrorKind::UnfinishedComment
                | PgnErrorKind::UnfinishedVariation
        )
    })
}

/// The text of such a game with its mark, so that another game may follow.
pub(super) fn marked(text: &[u8], error: &PgnError) -> String {
    let text = standalone(text);
    let reason = error.message().to_string();
    let reason: String = reason.chars().take(MAX_REASON_LENGTH).collect();
    let reason = reason.replace('\\', "\\\\").replace('"', "\\\"");
    let (tags, moves) = text.split_at(end_of_tags(&text));
    let gap = if tags.is_empty() { "\n" } else { "" };
    let marked = format!("{tags}[{MARK} \"{reason}\"]\n{gap}{moves}");
    let games: Vec<PgnGame> = pgn::games(marked.as_bytes()).collect();
    match &games[..] {
        [game] if game.record.tags().get(MARK).is_some() => marked,
        // Broken tags swallow what follows them.
        _ => format!("% not analyzed: {reason}\n{text}"),
    }
}

/// Whether a text has such a mark.
pub(super) fn is_marked(text: &str) -> bool {
    text.contains(&format!("\n[{MARK} \""))
        || text.starts_with(&format!("[{MARK} \""))
        // The second spelling is that of version 0.1.
        || text.starts_with("% not analyzed: ")
        || text.starts_with("% not analysed: ")
}

/// Where the tags of a game end.
fn end_of_tags(text: &str) -> usize {
    let lines = text.split_inclusive('\n');
    lines
        .take_while(|line| line.starts_with('[') && line.ends_with('\n'))
        .map(str::len)
        .sum()
}
