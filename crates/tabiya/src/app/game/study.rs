//! What an engine says about a reviewed game: the curve of White's chances, and the accuracy of both sides.

use ratatui::layout::Rect;

use tabiya_play::study::Study;
use tabiya_rules::{Color, Score};

use super::super::App;
use super::super::canvas::Canvas;
use super::curve::Curve;
use crate::tui::text::row;
use crate::wording::study::percent;

pub(super) fn draw(app: &App, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(study) = app.board.study().filter(|_| area.height >= 2) else {
        return;
    };
    let palette = canvas.palette;
    canvas.rule(row(area, 0));
    canvas.put(row(area, 1), 0, &summary(app, study), palette.text());
    let curve = Rect {
        y: area.y + 2,
        height: area.height - 2,
        ..area
    };
    draw_curve(app, study, curve, canvas);
}

fn summary(app: &App, study: &Study) -> String {
    let (known, all) = study.progress();
    if !study.done && known < all {
        return format!("Judging: {known} of {all} positions");
    }
    let Some(analysis) = &study.analysis else {
        return String::new();
    };
    let here = study.at(app.board.node().id());
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
        Score::MateIn(moves) => format!("#{moves}"),
        Score::MatedIn(moves) => format!("#−{moves}"),
    }
}

fn draw_curve(app: &App, study: &Study, area: Rect, canvas: &mut Canvas<'_>) {
    let Some(analysis) = &study.analysis else {
        return;
    };
    let chances: Vec<Option<f64>> = analysis.chances().collect();
    Curve {
        chances: &chances,
        // While the engine still looks, the rest of the curve stays empty.
        count: study.progress().1,
        here: study.at(app.board.node().id()).map(|(ply, _)| ply),
    }
    .draw(area, canvas);
}
