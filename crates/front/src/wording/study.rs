//! The judgment of a game, in sentences.

use tabiya_game::{NodeId, Record};
use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::study::{Attempt, Mistake, Study};
use tabiya_rules::Color;

use super::events::place;
use crate::ranges::counted;

/// The message about a move tried in place of a mistake.
pub fn tried(tried: &Attempt) -> String {
    match tried {
        Attempt::Best => "Yes! That is the best move.".to_owned(),
        Attempt::Good(san) => format!("{san} is good: as good as the best."),
        Attempt::Same => "That is what was played. Find a better move.".to_owned(),
        Attempt::Worse(san, lost) => {
            let percent = lost * 100.0;
            format!(
                "{san} is not good enough: it costs {percent:.0} % of the winning chances. Try again."
            )
        }
        Attempt::Unknown(san) => format!("The engine gave no score for {san}. Try another move."),
        Attempt::Asked(san) => format!("{san}: the engine is checking it…"),
    }
}

/// The message to a player who retries a mistake.
pub fn retry(mistake: &Mistake) -> String {
    let Mistake { by, san, .. } = mistake;
    format!("{by} played {san} here. Find a better move.")
}

/// The message about a move that was worse than it had to be, such as `3...Nf6?? loses the knight: 4.Bxf6. Best was Nd7.`
pub fn judged(study: &Study, record: &Record, judged: NodeId) -> Option<String> {
    let (ply, _) = study.at(judged)?;
    let (id, mark, why) = study.judged(record, ply)?;
    let place = place(record.node(id)?)?;
    let sign = mark.symbol().unwrap_or_default();
    let why = why.map_or(String::new(), |why| format!(" {}", why.predicate()));
    Some(format!("{place}{sign}{why}"))
}

/// The message about a line that is a variation now, and how to go through it.
pub fn line(which: LineKind, moves: &[String], walk: &str) -> String {
    let moves = moves.join(" ");
    match which {
        LineKind::Best => format!("Better was {moves}. {walk}"),
        LineKind::Refutation => format!("The answer is {moves}. {walk}"),
    }
}

/// The accuracy of both sides, and how to continue.
pub fn summary(study: &Study, retry: &str) -> String {
    let Some(analysis) = study.analysis() else {
        return String::new();
    };
    let count = analysis.turning_points().len();
    let again = match count {
        0 => String::new(),
        1 => format!(": {retry} tries it again"),
        _ => format!(": {retry} tries them again"),
    };
    let turns = turning_points(count);
    format!(
        "Accuracy: White {}, Black {}; {turns}{again}.",
        percent(analysis.accuracy(Color::White)),
        percent(analysis.accuracy(Color::Black))
    )
}

/// The number of turning points.
pub fn turning_points(count: usize) -> String {
    match count {
        0 => "no turning point".to_owned(),
        _ => counted(count as u64, "turning point", "turning points"),
    }
}

/// Formats an accuracy.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{share:.0} %"))
}
