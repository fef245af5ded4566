//! Shows the best lines of a position, live on a terminal.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use crossterm::terminal;
use serde::Serialize;
use tabiya_front::cells::{assumed_size, fitted};
use tabiya_front::failure::Failure;
use tabiya_front::json::{Named, ScoreJson};
use tabiya_front::opening_names;
use tabiya_front::output::{Output, answer, say};
use tabiya_play::advice::{line_text, score_text};
use tabiya_play::players::StopHandle;
use tabiya_rules::text::clean;
use tabiya_rules::{Color, Move, MoveHistory, Position};
use tabiya_uci::{SearchInfo, Wdl};

use super::{Analyse, POSITION_TIME, go, player_config, start};

/// The shortest time between two redraws.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// The greatest number of moves printed of a line.
const MAX_SHOWN_MOVES: usize = 12;

/// What the engine has found so far.
struct Found {
    engine: String,
    position: Position,
    /// The latest report about each line, best first.
    lines: Vec<SearchInfo>,
}

pub(super) fn run(args: &Analyse, position: Position) -> Result<(), Failure> {
    if !position.has_legal_move() {
        return print_game_over(&position, args.json);
    }
    let mut player = start(&player_config(args)?)?;
    let mut found = Found {
        engine: clean(player.name()).into_owned(),
        position,
        lines: Vec::new(),
    };
    let mut output = Output::stdout();
    let is_live = !args.json && io::stdout().is_terminal();
    let mut drawn_rows = 0;
    let mut last_drawn = Instant::now();
    let mut write_error = None;
    let stop = StopHandle::default();
    let thought = player.think(
        &MoveHistory::new(position),
        go(args, POSITION_TIME),
        &stop,
        |info| {
            found.update(info, args.multipv.get());
            if is_live && write_error.is_none() && last_drawn.elapsed() >= REDRAW_INTERVAL {
                last_drawn = Instant::now();
                write_error = redraw(&mut output, &found.text(), &mut drawn_rows).err();
                if write_error.is_some() {
                    stop.stop();
                }
            }
        },
    );
    if let Some(error) = write_error {
        return Err(error);
    }
    let thought = thought.map_err(Failure::unusable)?;
    player.quit();
    if args.json {
        output.json(&found.json())?;
    } else {
        found.print(&mut output, drawn_rows, thought.reply.best)?;
    }
    output.finish()?;
    if let Some(how) = thought.overrun {
        say(&how.to_string());
    }
    Ok(())
}

/// The sequence that moves up this many rows and clears everything below.
fn clear_rows(rows: usize) -> String {
    format!("\x1b[{rows}A\x1b[J")
}

/// Redraws the lines. Until the final output, no line may wrap at the edge of the terminal, and there are no more lines
/// than rows: what has scrolled off the screen cannot be redrawn.
fn redraw(output: &mut Output, lines: &[String], drawn_rows: &mut usize) -> Result<(), Failure> {
    if *drawn_rows > 0 {
        output.text(&clear_rows(*drawn_rows))?;
    }
    let (columns, rows) = assumed_size(terminal::size().unwrap_or_default());
    // The cursor ends on the row below them.
    let lines = &lines[..lines.len().min(usize::from(rows.max(2) - 1))];
    for line in lines {
        output.line(&fitted(line, columns))?;
    }
    *drawn_rows = lines.len();
    output.flush()
}

/// The message if the limit was reached before the engine reported anything.
fn nothing_found(position: &Position, best: Option<Move>) -> String {
    let nothing = "Nothing was found within this limit; give it more";
    match best {
        Some(best) => format!("{nothing}. It would play {}.", position.san(best)),
        None => format!("{nothing}."),
    }
}

/// Prints a position in which the game is over.
fn print_game_over(position: &Position, json: bool) -> Result<(), Failure> {
    let over = GameOverJson {
        fen: position.fen(),
        engine: None,
        lines: [],
    };
    let line = match position.is_check() {
        true => format!("Checkmate: {} has won.", !position.turn()),
        false => "Stalemate: the game is drawn.".to_owned(),
    };
    answer(json, &over, [line])
}

impl Found {
    /// Replaces a line by a later report about it, or adds it if there are fewer than `max_lines`.
    fn update(&mut self, info: &SearchInfo, max_lines: usize) {
        // A bound is not a score, and has no complete line.
        if info.pv.is_empty() || info.exact_score().is_none() {
            return;
        }
        let count = self.lines.len();
        let mut lines = self.lines.iter_mut();
        match lines.find(|known| known.rank() == info.rank()) {
            Some(known) => *known = info.clone(),
            None if count < max_lines => self.lines.push(info.clone()),
            None => {}
        }
        self.lines.sort_by_key(SearchInfo::rank);
    }

    /// Prints the final results in full, in place of the rows drawn so far.
    fn print(&self, output: &mut Output, drawn: usize, best: Option<Move>) -> Result<(), Failure> {
        if drawn > 0 {
            output.text(&clear_rows(drawn))?;
        }
        for line in self.text() {
            output.line(&line)?;
        }
        if self.lines.is_empty() {
            output.line(&nothing_found(&self.position, best))?;
        }
        Ok(())
    }

    /// The engine, the opening, the facts about the search, and the lines.
    fn text(&self) -> Vec<String> {
        let mut text = vec![self.engine.clone()];
        let opening = opening_names::known().lookup(&self.position);
        text.extend(opening.map(opening_names::shown));
        let turn = self.position.turn();
        let Some(best) = self.lines.first() else {
            return text;
        };
        let info = &best.info;
        let speed = info.nodes_per_second;
        let mut facts = Vec::new();
        facts.extend(info.depth.map(|depth| format!("depth {depth}")));
        facts.extend(info.nodes.map(|nodes| format!("{nodes} positions")));
        facts.extend(speed.map(|speed| format!("{speed} a second")));
        facts.extend(info.time.map(|time| format!("{:.1} s", time.as_secs_f64())));
        text.push(facts.join(", "));
        for line in &self.lines {
            let score = line.info.score.map(|score| score_text(score.value, turn));
            let chances = line.info.wdl.map(|wdl| {
                let [wins, draws, _] = for_white(wdl, turn).map(|part| f64::from(part) / 10.0);
                format!("  White wins {wins:.0} %, draws {draws:.0} %")
            });
            let (score, chances) = (score.unwrap_or_default(), chances.unwrap_or_default());
            let moves = line_text(&self.position, &line.pv, MAX_SHOWN_MOVES);
            text.push(format!("{score:>7}{chances}  {moves}"));
        }
        text
    }

    fn json(&self) -> PositionJson<'_> {
        let best = self.lines.first().map(|line| &line.info);
        let time = best.and_then(|info| info.time);
        let opening = opening_names::known().lookup(&self.position);
        PositionJson {
            fen: self.position.fen(),
            opening: opening.map(Named::from),
            engine: &self.engine,
            depth: best.and_then(|info| info.depth),
            seldepth: best.and_then(|info| info.selective_depth),
            nodes: best.and_then(|info| info.nodes),
            nodes_per_second: best.and_then(|info| info.nodes_per_second),
            time_ms: time.and_then(|time| u64::try_from(time.as_millis()).ok()),
            lines: self.lines.iter().map(|line| self.line_json(line)).collect(),
        }
    }

    fn line_json(&self, line: &SearchInfo) -> LineJson {
        let turn = self.position.turn();
        let score = line.info.score.map(|score| score.value.for_white(turn));
        let mut here = self.position;
        let (mut uci, mut san) = (Vec::new(), Vec::new());
        for &m in &line.pv {
            uci.push(here.uci(m).to_string());
            san.push(here.san(m).to_string());
            here = here.play_unchecked(m);
        }
        LineJson {
            score: score.into(),
            wdl: line.info.wdl.map(|wdl| for_white(wdl, turn)),
            pv: uci,
            san,
        }
    }
}

/// The results for `--json`.
#[derive(Serialize)]
struct PositionJson<'a> {
    fen: String,
    opening: Option<Named>,
    engine: &'a str,
    depth: Option<u32>,
    seldepth: Option<u32>,
    nodes: Option<u64>,
    nodes_per_second: Option<u64>,
    time_ms: Option<u64>,
    lines: Vec<LineJson>,
}

#[derive(Serialize)]
struct LineJson {
    #[serde(flatten)]
    score: ScoreJson,
    wdl: Option<[u16; 3]>,
    pv: Vec<String>,
    san: Vec<String>,
}

/// The same for a position in which the game is over.
#[derive(Serialize)]
struct GameOverJson {
    fen: String,
    engine: Option<String>,
    lines: [LineJson; 0],
}

/// How often White wins, draws and loses, in thousandths.
fn for_white(wdl: Wdl, turn: Color) -> [u16; 3] {
    match turn {
        Color::White => [wdl.win, wdl.draw, wdl.loss],
        Color::Black => [wdl.loss, wdl.draw, wdl.win],
    }
}
