//! `tabiya pgn check`: prints every error in files of games, and every contradiction, with its place.

mod warning;

use std::convert::Infallible;
use std::ops::ControlFlow;

use self::warning::{TagNames, Warning, WarningCounts, WarningKind};
use serde::Serialize;
use tabiya_front::failure::Failure;
use tabiya_game::pgn::{
    self, Canceled, Flow, Part, PgnError, Replay, Response, Text, TextPosition, Visitor,
};
use tabiya_game::{GameResult, Step};
use tabiya_rules::text::clean;
use tabiya_rules::{Position, Status};

use super::flags::Check;
use super::job::{Job, PartWriter};
use super::work;

/// How many findings are passed on at once.
const MAX_FINDINGS_AT_ONCE: usize = 256;

/// How many bytes of a player's name are shown.
const MAX_NAME_LENGTH: usize = 80;

/// What was found in a run of consecutive games: counts, and what to print.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Findings {
    /// Whether they are the first of a file.
    #[serde(skip)]
    begins_file: bool,
    games: u64,
    /// In main lines.
    moves: u64,
    variation_moves: u64,
    errors: u64,
    warnings: WarningCounts,
    #[serde(skip)]
    to_print: Vec<Finding>,
}

/// An error or a warning to print.
#[derive(Debug, Serialize)]
struct Finding {
    file: String,
    line: u64,
    column: u64,
    offset: u64,
    /// The number of the game in the file, or `None` outside all games. Until [`Finding::numbered`], it is only the
    /// number of games that its run has up to this one: none, if this game began in an earlier run.
    game: Option<u64>,
    white: Option<String>,
    black: Option<String>,
    #[serde(flatten)]
    what: FindingKind,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum FindingKind {
    Error { error: String },
    Warning { warning: String, kind: &'static str },
}

pub(crate) fn run(args: &Check) -> Result<(), Failure> {
    let mut sum = Findings::default();
    // How many games of the current file came before those of a run.
    let mut before = 0;
    let job = CheckJob {
        lists_warnings: args.warnings,
    };
    let mut printer = work::run_job(job, &args.reading, &mut |found: Findings, output| {
        if found.begins_file {
            before = 0;
        }
        sum.add(&found);
        for finding in found.to_print {
            let finding = finding.numbered(before);
            output.answer(args.json, &finding, [finding.text()])?;
        }
        before += found.games;
        Ok(ControlFlow::Continue(()))
    })?;
    if args.json || printer.has_counts() {
        let (games, moves, errors) = (sum.games, sum.moves, sum.errors);
        let mut line = format!("{games} games, {moves} moves, {errors} errors");
        let warnings = sum.warnings.total();
        if warnings > 0 {
            line += &format!(", {warnings} warnings");
        }
        let kinds = (args.warnings && warnings > 0).then(|| sum.warnings.to_string());
        let lines = kinds.into_iter().chain([line]);
        printer.output.answer(args.json, &sum, lines)?;
    }
    printer.finish()?;
    if sum.games == 0 && sum.warnings.total() > 0 {
        let sentence = "there is text, but no game; pgn check reads files in PGN";
        return Err(Failure::No(sentence.to_owned()));
    }
    Failure::if_errors(sum.errors)
}

impl Findings {
    /// Adds the counts of another run.
    fn add(&mut self, other: &Findings) {
        self.games += other.games;
        self.moves += other.moves;
        self.variation_moves += other.variation_moves;
        self.errors += other.errors;
        self.warnings.add(&other.warnings);
    }
}

impl Finding {
    /// Numbers the game within its file, which has this many games before those of the run.
    fn numbered(self, before: u64) -> Finding {
        Finding {
            game: self.game.map(|game| before + game),
            ..self
        }
    }

    /// The line about the finding.
    fn text(&self) -> String {
        let mut line = format!("{}:{}:{}: ", self.file, self.line, self.column);
        if let Some(number) = self.game {
            line += &format!("game {number}");
            if let (Some(white), Some(black)) = (&self.white, &self.black) {
                line += &format!(", {white} – {black}");
            }
            line += ": ";
        }
        match &self.what {
            FindingKind::Error { error } => line += error,
            FindingKind::Warning { warning, .. } => line += &format!("warning: {warning}"),
        }
        clean(&line).into_owned()
    }
}

struct CheckJob {
    lists_warnings: bool,
}

impl Job for CheckJob {
    type Item = Findings;

    fn read(&self, part: Part<'_>, writer: &mut PartWriter<'_, Findings>) -> Result<(), Canceled> {
        let found = Findings {
            begins_file: part.start == TextPosition::START,
            ..Findings::default()
        };
        let mut reader = part.reader();
        let mut replay = Replay::new(Checker {
            writer,
            lists_warnings: self.lists_warnings,
            depth: 0,
            found,
            game: CurrentGame::default(),
        });
        while reader.read_game(&mut replay)?.is_some() {
            let mut warnings = replay.visitor().contradictions(replay.position());
            let checker = replay.visitor_mut();
            warnings.extend(std::mem::take(&mut checker.game.tag_warnings));
            if !warnings.is_empty() {
                let place = reader.game_place();
                for warning in warnings {
                    checker.warn(place, &warning);
                }
            }
            checker.name_players();
        }
        let checker = replay.into_visitor();
        checker.writer.item(checker.found);
        Ok(())
    }
}

/// Finds errors and contradictions while games are read.
struct Checker<'a, 'b> {
    writer: &'a mut PartWriter<'b, Findings>,
    lists_warnings: bool,
    /// How many variations are open.
    depth: u32,
    found: Findings,
    game: CurrentGame,
}

/// The current game.
#[derive(Debug, Default)]
struct CurrentGame {
    /// The index of its first finding in the run.
    first_finding: usize,
    white: Vec<u8>,
    black: Vec<u8>,
    names: TagNames,
    tag_warnings: Vec<Warning>,
    tagged_result: Option<GameResult>,
    /// The result after the moves.
    result: Option<GameResult>,
    has_null_move: bool,
    /// Whether the main line could be played to its end.
    is_whole: bool,
}

impl Checker<'_, '_> {
    /// The contradictions of a game that was read to this final position.
    fn contradictions(&self, end: &Position) -> Vec<Warning> {
        let game = &self.game;
        let mut warnings = Vec::new();
        if let (Some(tag), Some(moves)) = (game.tagged_result, game.result)
            && tag != moves
        {
            warnings.push(Warning::ResultMismatch { tag, moves });
        }
        let on_board = match end.status() {
            Status::Checkmate { winner } => Some(GameResult::won_by(winner)),
            Status::Stalemate => Some(GameResult::Draw),
            Status::Ongoing | Status::InsufficientMaterial => None,
        };
        if let (Some(board), Some(stated)) = (on_board, game.result.or(game.tagged_result))
            && game.is_whole
            && board != stated
        {
            warnings.push(Warning::FinalPosition { board, stated });
        }
        warnings.extend(game.has_null_move.then_some(Warning::NullMove));
        warnings.extend(game.result.is_none().then_some(Warning::MissingTermination));
        warnings
    }

    /// Counts a warning, and lists it if that is wanted.
    fn warn(&mut self, place: TextPosition, warning: &Warning) {
        let kind = warning.kind();
        self.found.warnings.count(kind);
        if self.lists_warnings {
            let is_in_game = kind != WarningKind::StrayText;
            let (warning, kind) = (warning.to_string(), kind.name());
            self.add_finding(place, is_in_game, FindingKind::Warning { warning, kind });
        }
    }

    /// Adds a finding. When there are many, they are passed on before the run ends.
    fn add_finding(&mut self, place: TextPosition, is_in_game: bool, what: FindingKind) {
        self.found.to_print.push(Finding {
            file: self.writer.file.to_owned(),
            line: place.line(),
            column: place.column(),
            offset: place.offset(),
            game: is_in_game.then_some(self.found.games),
            white: None,
            black: None,
            what,
        });
        if self.found.to_print.len() >= MAX_FINDINGS_AT_ONCE {
            self.name_players();
            self.game.first_finding = 0;
            self.writer.item(std::mem::take(&mut self.found));
        }
    }

    /// Adds the names of the players to the findings about the current game. They are known by now.
    fn name_players(&mut self) {
        let findings = self.found.to_print.get_mut(self.game.first_finding..);
        if self.game.white.is_empty() && self.game.black.is_empty() {
            return;
        }
        let name = |raw: &[u8]| match Text::quoted(raw).decode().trim() {
            "" => "?".to_owned(),
            name => name.to_owned(),
        };
        for finding in findings
            .into_iter()
            .flatten()
            .filter(|it| it.game.is_some())
        {
            finding.white = Some(name(&self.game.white));
            finding.black = Some(name(&self.game.black));
        }
    }
}

impl Visitor for Checker<'_, '_> {
    type Output = ();
    type Stop = Infallible;

    #[cold]
    fn stray_text(&mut self, place: TextPosition, text: Text<'_>) {
        self.warn(place, &Warning::StrayText(text.decode().into()));
    }

    fn begin_game(&mut self, _: u64) -> ControlFlow<Infallible, Flow> {
        self.found.games += 1;
        let game = &mut self.game;
        game.first_finding = self.found.to_print.len();
        game.white.clear();
        game.black.clear();
        game.names.clear();
        game.tagged_result = None;
        game.result = None;
        game.has_null_move = false;
        game.is_whole = true;
        ControlFlow::Continue(Flow::Read)
    }

    fn tag(&mut self, name: &[u8], value: Text<'_>) -> Response<Infallible> {
        let game = &mut self.game;
        if !game.names.insert(name) {
            let name = String::from_utf8_lossy(name).into();
            game.tag_warnings.push(Warning::DuplicateTag(name));
        }
        let raw = value.raw();
        let start = &raw[..raw.len().min(MAX_NAME_LENGTH)];
        match name {
            b"White" => start.clone_into(&mut game.white),
            b"Black" => start.clone_into(&mut game.black),
            b"Result" => {
                game.tagged_result = pgn::parse_result(value);
                if !matches!(raw, b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
                    let text = Text::quoted(start).decode().into();
                    game.tag_warnings.push(Warning::ImpossibleResult(text));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn step(&mut self, _: &Position, step: Step, _: &Position) -> Response<Infallible> {
        if self.depth == 0 {
            self.found.moves += 1;
            self.game.has_null_move |= step == Step::Null;
        } else {
            self.found.variation_moves += 1;
        }
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self) -> ControlFlow<Infallible, Flow> {
        self.depth += 1;
        ControlFlow::Continue(Flow::Read)
    }

    fn end_variation(&mut self) {
        self.depth -= 1;
    }

    fn result(&mut self, result: GameResult) {
        self.game.result = Some(result);
    }

    #[cold]
    fn error(&mut self, error: PgnError) {
        self.found.errors += 1;
        self.game.is_whole &= self.depth > 0;
        let message = error.message().to_string();
        self.add_finding(error.place, true, FindingKind::Error { error: message });
    }

    fn end_game(&mut self) {}
}
