//! An engine's judgment of a reviewed game: the curve of White's chances, and the accuracy of both sides.

use ratatui_core::layout::Rect;

use tabiya_front::cells::row;
use tabiya_front::wording::study::{percent, turning_points};
use tabiya_play::study::Study;
use tabiya_rules::{Color, Score};

use super::super::App;
use super::super::canvas::Canvas;
use super::curve;
use crate::tui::geometry::below;

/// Draws the judgment of a reviewed game.
pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(study) = app.desk.front().study().filter(|_| area.height >= 2) else {
        return;
    };
    let styles = canvas.styles;
    let rule = row(area, 0);
    canvas.draw_rule(rule);
    let here = study.at(app.desk.front().node().id());
    if let Some(here) = here.and_then(|(_, verdict)| verdict.evaluation) {
        let score = format!(" {} ", score_text(here.score));
        canvas.put(rule, 1, &score, styles.text());
    }
    let summary = summary(study, usize::from(area.width));
    canvas.put(row(area, 1), 0, &summary, styles.text());
    draw_curve(app, study, below(area, 2), canvas);
}

/// The progress of the engine, or its result, as much as fits.
fn summary(study: &Study, room: usize) -> String {
    let (known, all) = study.progress();
    if !study.done && known < all {
        return format!("Judging: {known} of {all} positions");
    }
    let Some(analysis) = study.analysis() else {
        return String::new();
    };
    let [white, black] = Color::ALL.map(|color| percent(analysis.accuracy(color)));
    let accuracy = format!("White {white}  Black {black}");
    let turns = turning_points(analysis.turning_points().len());
    let all = format!("{accuracy}  {turns}");
    match all.chars().count() <= room {
        true => all,
        false => accuracy,
    }
}

/// A score in pawns or in moves to mate, from White's point of view.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        Score::MateIn(moves) => format!("#{moves}"),
        Score::MatedIn(moves) => format!("#−{moves}"),
    }
}

/// Draws the curve of White's chances.
fn draw_curve(app: &App, study: &Study, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(analysis) = study.analysis() else {
        return;
    };
    let chances: Vec<Option<f64>> = analysis.chances().collect();
    let here = study.at(app.desk.front().node().id()).map(|(ply, _)| ply);
    // While the engine is at work, the rest of the curve stays empty.
    curve::draw(&chances, study.progress().1, here, area, canvas);
}
