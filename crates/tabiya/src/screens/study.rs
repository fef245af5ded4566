//! What an engine says about a reviewed game: the curve of White's chances, and the accuracy of both sides.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tabiya_game::Score;
use tabiya_rules::Color;

use super::rule;
use crate::app::App;
use crate::app::study::{Study, percent};
use crate::tui::text::{put, row};

/// The eighths of a cell, from the bottom on.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

pub(super) fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let study = app
        .table
        .review
        .as_ref()
        .and_then(|review| review.study.as_ref());
    let Some(study) = study.filter(|_| area.height >= 2) else {
        return;
    };
    let palette = app.palette();
    rule(buffer, row(area, 0), palette.dim());
    put(
        buffer,
        row(area, 1),
        0,
        &summary(app, study),
        palette.text(),
    );
    let curve = Rect {
        y: area.y + 2,
        height: area.height - 2,
        ..area
    };
    draw_curve(app, study, curve, buffer);
}

fn summary(app: &App, study: &Study) -> String {
    let (known, all) = study.progress();
    if !study.done && known < all {
        return format!("Judging: {known} of {all} positions");
    }
    let Some(analysis) = &study.analysis else {
        return String::new();
    };
    let here = study.at(app.table.node().id());
    let here = here.and_then(|(_, verdict)| verdict.evaluation);
    let here = here.map_or(String::new(), |here| {
        format!("{}  ", score_text(here.score))
    });
    format!(
        "{here}White {}  Black {}  turns {}",
        percent(analysis.accuracy(Color::White)),
        percent(analysis.accuracy(Color::Black)),
        analysis.turning_points().len()
    )
}

fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("#{moves}"),
        Score::Mate(moves) => format!("#−{}", moves.unsigned_abs()),
    }
}

/// White's chances from the start to the end of the game: the higher, the better. The place that is looked at stands
/// out.
fn draw_curve(app: &App, study: &Study, area: Rect, buffer: &mut Buffer) {
    let palette = app.palette();
    if area.height == 0 || area.width == 0 {
        return;
    }
    let Some(analysis) = &study.analysis else {
        return;
    };
    let chances: Vec<f64> = analysis.chances().collect();
    // While the engine still looks, the rest of the curve stays empty.
    let (count, columns) = (study.progress().1, usize::from(area.width));
    let here = study.at(app.table.node().id()).map(|(ply, _)| ply);
    for column in 0..columns {
        // A column shows its share of the positions, or a position has its share of the columns.
        let first = column * count / columns;
        let last = ((column + 1) * count / columns).max(first + 1);
        let Some(group) = chances
            .get(first..last.min(chances.len()))
            .filter(|group| !group.is_empty())
        else {
            break;
        };
        let mean = group.iter().sum::<f64>() / group.len() as f64;
        // At least an eighth is drawn, so that a lost game is seen too.
        let eighths = ((mean * f64::from(area.height) * 8.0).round() as u16).max(1);
        let style = if here.is_some_and(|ply| (first..last).contains(&ply)) {
            palette.accent()
        } else {
            palette.dim()
        };
        for down in 0..area.height {
            let above = (area.height - 1 - down) * 8;
            let part = eighths.saturating_sub(above).min(8);
            let symbol = EIGHTHS.get(usize::from(part)).copied().unwrap_or(" ");
            if let Some(cell) = buffer.cell_mut((area.x + column as u16, area.y + down)) {
                cell.set_symbol(symbol).set_style(style);
            }
        }
    }
}
