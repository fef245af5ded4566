//! The counts as a picture: bars for openings, ratings and years, each divided by White's results.

use std::fmt::Write;

use tabiya_rules::text::clean;
use tabiya_svg::escaped;

use super::tally::{ResultCounts, Tally};

/// The dimensions of the picture, in pixels.
const WIDTH: f64 = 860.0;
const ROW: f64 = 20.0;
const LABELS: f64 = 380.0;
const BARS: f64 = 380.0;
const MARGIN: f64 = 16.0;

/// The greatest length of a name.
const MAX_LABEL_LENGTH: usize = 54;

/// The colors of a bar's parts: won, drawn, lost and unknown.
const FILLS: [&str; 4] = ["#f5f0e6", "#a8a29a", "#3b3733", "#d9e2ec"];

/// The picture of the counts, with this many openings.
pub(super) fn svg(sum: &Tally, top: usize) -> String {
    let openings = sum.openings.ranking().into_iter().take(top);
    let openings = openings.map(|(name, score)| (name.to_owned(), score));
    let mut groups: Vec<(&str, Vec<(String, ResultCounts)>)> = vec![
        ("Results", vec![("all games".to_owned(), sum.results)]),
        ("Openings", openings.collect()),
        ("Ratings, the mean of both", sum.ratings().collect()),
        ("Years", sum.years().collect()),
    ];
    groups.retain(|(_, rows)| !rows.is_empty());
    let rows: usize = groups.iter().map(|(_, rows)| rows.len() + 2).sum();
    let height = 2.0 * MARGIN + ROW * (rows as f64 + 1.0);
    let mut text = String::new();
    // Writing into a String never fails.
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{} games</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        sum.results.games
    );
    legend(&mut text);
    let mut y = MARGIN + 2.0 * ROW;
    for (title, rows) in groups {
        text += &format!("<text x=\"{MARGIN}\" y=\"{y}\" font-weight=\"bold\">{title}</text>\n");
        let most = rows.iter().map(|(_, score)| score.games).max().unwrap_or(1);
        for (name, score) in &rows {
            y += ROW;
            bar(&mut text, y, name, *score, most);
        }
        y += 2.0 * ROW;
    }
    text.push_str("</svg>\n");
    text
}

fn legend(text: &mut String) {
    let names = ["White wins", "draw", "Black wins", "no result"];
    for (at, (name, fill)) in names.into_iter().zip(FILLS).enumerate() {
        let x = LABELS + at as f64 * 110.0;
        let y = MARGIN;
        let (label_x, label_y) = (x + 18.0, y + 10.0);
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{fill}\" stroke=\"#3b3733\" stroke-width=\"0.5\"/>\
             <text x=\"{label_x}\" y=\"{label_y}\">{name}</text>",
        );
    }
}

fn bar(text: &mut String, y: f64, name: &str, score: ResultCounts, most: u64) {
    let label = label(name);
    *text += &format!("<text x=\"{MARGIN}\" y=\"{y}\">{label}</text>\n");
    let mut x = LABELS;
    let top = y - 11.0;
    for ((_, count), fill) in score.by_result().into_iter().zip(FILLS) {
        let width = BARS * count as f64 / most.max(1) as f64;
        if count > 0 {
            let _ = writeln!(
                text,
                "<rect x=\"{x:.2}\" y=\"{top}\" width=\"{width:.2}\" height=\"14\" fill=\"{fill}\" stroke=\"#3b3733\" stroke-width=\"0.5\"/>"
            );
        }
        x += width;
    }
    let (x, games) = (x + 6.0, score.games);
    *text += &format!("<text x=\"{x:.2}\" y=\"{y}\">{games}</text>\n");
}

/// A name for the picture: short, and escaped.
fn label(name: &str) -> String {
    let mut shown: String = name.chars().take(MAX_LABEL_LENGTH).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    escaped(clean(&shown).chars())
}

#[cfg(test)]
mod tests;
