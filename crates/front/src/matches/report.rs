//! The output about a match: the line about its state, the finished games, and the score at the end.

use std::time::Instant;

use tabiya_play::contest::statistics::{Decision, Estimate, Sprt};
use tabiya_play::contest::{ByEntrant, End, Entrant, Finished, Plan, Standing};
use tabiya_rules::text::clean;
use tabiya_uci::Overrun;

use super::overran;
use crate::ranges::counted;

/// Texts about a match.
#[derive(Debug)]
pub struct Report {
    names: ByEntrant<String>,
    planned: u32,
    begun: Instant,
    /// The latest score.
    pub standing: Standing,
}

impl Report {
    pub fn new(plan: &Plan) -> Report {
        Report {
            names: plan.names.clone(),
            planned: plan.games,
            begun: Instant::now(),
            standing: Standing::default(),
        }
    }

    /// The message about a player that exceeded its limits.
    pub fn overrun(&self, by: Entrant, overrun: Overrun) -> String {
        overran(&self.names[by], overrun)
    }

    /// A finished game in one line.
    pub fn game_line(&self, game: &Finished) -> String {
        let (white, black) = (&self.names[game.white], &self.names[!game.white]);
        let fault = game.fault.as_ref();
        let fault = fault.map_or(String::new(), |fault| format!(" {}", fault.cause));
        format!(
            "Game {} of {}: {white} – {black} {}, {}. {}{fault}",
            game.number,
            self.planned,
            game.outcome.result().as_str(),
            counted(game.plies.div_ceil(2), "move", "moves"),
            game.outcome,
        )
    }

    /// The state of the match in one line.
    pub fn line(&self) -> String {
        let standing = &self.standing;
        let games = standing.games();
        let minutes = self.begun.elapsed().as_secs_f64() / 60.0;
        let mut line = format!("{games} of {} games: {}", self.planned, result(standing));
        if let Some(estimate) = standing.estimate() {
            line += &format!(", Elo {}", elo(&estimate));
        }
        if let Some(sprt) = standing.sprt {
            let ratio = sprt.log_likelihood_ratio(&standing.pairs);
            line += &format!(", LLR {ratio:.2}");
        }
        let pace = f64::from(games) / minutes.max(1e-3);
        format!("{line}, {pace:.1} games a minute")
    }

    /// The final report.
    pub fn ended(&self, end: End) -> Final {
        Final {
            names: self.names.clone(),
            planned: self.planned,
            standing: self.standing.clone(),
            end,
        }
    }
}

/// A finished match.
#[derive(Clone, Debug)]
pub struct Final {
    pub names: ByEntrant<String>,
    planned: u32,
    pub standing: Standing,
    pub end: End,
}

impl Final {
    /// The final score as text.
    pub fn lines(&self) -> Vec<String> {
        let Final { standing, end, .. } = self;
        let mut lines = vec![
            format!("A: {}", clean(&self.names.a)),
            format!("B: {}", clean(&self.names.b)),
        ];
        if standing.games() == 0 {
            lines.push("No game was finished.".to_owned());
            return lines;
        }
        let stopped = match end {
            End::Stopped => format!(" of {}, stopped", self.planned),
            End::Broken(_) => format!(" of {}, broken off", self.planned),
            End::Played | End::Decided(_) => String::new(),
        };
        let games = counted(standing.games(), "game", "games");
        lines.push(format!("{games}{stopped}: {}", result(standing)));
        if let Some(estimate) = standing.estimate() {
            let (elo, superiority) = (elo(&estimate), 100.0 * estimate.superiority);
            lines.push(format!(
                "Elo: {elo}, likelihood of superiority {superiority:.1} %"
            ));
        }
        let pairs = standing.pairs.map(|count| count.to_string()).join(" ");
        lines.push(format!("Pairs by A's points, from 0 to 2: {pairs}"));
        if let Some(sprt) = standing.sprt {
            lines.push(sprt_line(sprt, standing));
        }
        lines.extend([Entrant::A, Entrant::B].map(|entrant| fault_line(entrant, standing)));
        let (repeated, all) = (standing.repeated_games, standing.games());
        if repeated > 0 {
            let what = "games repeated an earlier one move for move";
            lines.push(format!("{repeated} of {all} {what}"));
        }
        lines
    }
}

/// How an entrant is called in a report.
pub fn letter(entrant: Entrant) -> &'static str {
    match entrant {
        Entrant::A => "A",
        Entrant::B => "B",
    }
}

/// How often an entrant crashed, and lost in other ways than on the board.
fn fault_line(entrant: Entrant, standing: &Standing) -> String {
    let faults = standing.faults[entrant];
    format!(
        "{}: {}, {}, {}",
        letter(entrant),
        counted(faults.crashes, "crash", "crashes"),
        counted(faults.illegal_moves, "illegal move", "illegal moves"),
        counted(faults.time_losses, "loss on time", "losses on time"),
    )
}

/// `+12 =3 -5, 67.5 %`
fn result(standing: &Standing) -> String {
    let share = 100.0 * standing.points() / f64::from(standing.games().max(1));
    let (wins, draws, losses) = (standing.wins, standing.draws, standing.losses);
    format!("+{wins} ={draws} -{losses}, {share:.1} %")
}

/// If one side of an interval is this many times as long as the other, the interval is given by its ends.
const LOPSIDED: f64 = 1.25;

/// `+35.2 ± 20.1 (95 %)`, or `+436.4 (95 %: +320.1 to +749.0)` if one side is much less certain than the other.
pub fn elo(estimate: &Estimate) -> String {
    let (figures, rest) = elo_parts(estimate);
    figures + &rest
}

/// `+35.2 ± 20.1` or `+436.4`: only the figures.
pub fn elo_figures(estimate: &Estimate) -> String {
    elo_parts(estimate).0
}

/// The figures of an estimate, and what follows them.
fn elo_parts(estimate: &Estimate) -> (String, String) {
    let known = |elo: &f64| elo.is_finite();
    let (low, high) = estimate.interval.unzip();
    let elo = format!("{:+.1}", estimate.elo);
    match (estimate.elo, low.filter(known), high.filter(known)) {
        (f64::INFINITY, ..) => ("+∞".to_owned(), ", every point".to_owned()),
        (f64::NEG_INFINITY, ..) => ("-∞".to_owned(), ", no point".to_owned()),
        (middle, Some(low), Some(high)) => {
            let (below, above) = (middle - low, high - middle);
            if below.max(above) > LOPSIDED * below.min(above) {
                (elo, format!(" (95 %: {low:+.1} to {high:+.1})"))
            } else {
                let half = (high - low) / 2.0;
                (format!("{elo} ± {half:.1}"), " (95 %)".to_owned())
            }
        }
        (_, Some(low), None) => (elo, format!(", at least {low:+.1} (95 %)")),
        (_, None, Some(high)) => (elo, format!(", at most {high:+.1} (95 %)")),
        (_, None, None) => (elo, ", error unknown".to_owned()),
    }
}

/// The state of the sequential test.
fn sprt_line(sprt: Sprt, standing: &Standing) -> String {
    let (low, high) = sprt.bounds();
    let ratio = sprt.log_likelihood_ratio(&standing.pairs);
    let verdict = match sprt.decision(&standing.pairs) {
        Decision::Open => "undecided".to_owned(),
        Decision::Elo0 => format!("{} accepted", sprt.elo0),
        Decision::Elo1 => format!("{} accepted", sprt.elo1),
    };
    format!(
        "SPRT {sprt}: log-likelihood ratio {ratio:.2} between {low:.2} and {high:.2}, {verdict}"
    )
}

#[cfg(test)]
mod tests;
