//! Analysis for programs: one interface for every engine, and a handle to the running search.

use std::time::Duration;

use tabiya_rules::MoveHistory;

use crate::command::Go;
use crate::link::{Engine, EngineError, SearchEvent, SearchInfo};
use crate::option::SetOption;
use crate::reply::BestMove;

/// How long one wait for an event takes. Nothing depends on it: a wait that ends without an event is repeated.
const WAIT: Duration = Duration::from_secs(1);

/// An engine that analyzes positions: [`Engine`], a process that speaks UCI, or `LocalEngine` of `tabiya-engine`, an
/// engine inside the program.
///
/// Programs call [`Analyst::analyse`]. Engines provide the other methods for it.
///
/// ```no_run
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{Analyst, AnalysisLimits, Deadlines, Engine, EngineCommand, Go};
///
/// let mut engine = Engine::start(&EngineCommand::new("stockfish"), Deadlines::default())?;
/// let game = MoveHistory::default();
/// let limits = AnalysisLimits::from(Go::new().with_depth(20)).with_multi_pv(3);
///
/// let mut analysis = engine.analyse(&game, limits)?;
/// while let Some(line) = analysis.next_line()? {
///     println!("{:?}: {:?}", line.info.depth, line.info.score);
/// }
/// let result = analysis.wait()?;
/// for line in &result.lines {
///     println!("{} {:?}", game.current().san(line.pv[0]), line.info.score);
/// }
/// # Ok::<(), tabiya_uci::EngineError>(())
/// ```
pub trait Analyst {
    /// Starts a search of the last position of a game.
    ///
    /// # Errors
    /// Fails if the engine is searching, has failed, or does not support the limits.
    fn begin(&mut self, game: &MoveHistory, limits: &AnalysisLimits) -> Result<(), EngineError>;

    /// Waits for the next event of the search, at most for `wait`.
    ///
    /// # Errors
    /// Fails if the engine has failed.
    fn next_event(&mut self, wait: Duration) -> Result<Option<SearchEvent>, EngineError>;

    /// Tells the engine to stop; its best move comes as an event. Does nothing without a search.
    ///
    /// # Errors
    /// Fails if the engine has failed.
    fn stop(&mut self) -> Result<(), EngineError>;

    /// Analyzes the last position of a game. The moves before it matter for repetitions.
    ///
    /// # Errors
    /// Same as [`Analyst::begin`].
    #[doc(alias = "analyze")]
    #[doc(alias = "analysis")]
    fn analyse(
        &mut self,
        game: &MoveHistory,
        limits: impl Into<AnalysisLimits>,
    ) -> Result<Analysis<'_, Self>, EngineError>
    where
        Self: Sized,
    {
        self.begin(game, &limits.into())?;
        Ok(Analysis {
            analyst: self,
            lines: Vec::new(),
            best: None,
            has_failed: false,
        })
    }
}

/// How long to analyze, and how many lines to find. A [`Go`] alone asks for one line.
///
/// ```
/// use tabiya_uci::{AnalysisLimits, Go};
///
/// let limits = AnalysisLimits::from(Go::new().with_nodes(100_000)).with_multi_pv(3);
/// assert_eq!((limits.go.nodes, limits.multi_pv), (Some(100_000), 3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AnalysisLimits {
    /// What ends the search.
    pub go: Go,
    /// The number of lines to find, at least one.
    #[doc(alias = "multipv")]
    pub multi_pv: u32,
}

crate::setters!(AnalysisLimits {
    /// Sets the number of lines to find.
    with_multi_pv(multi_pv: u32);
});

impl From<Go> for AnalysisLimits {
    fn from(go: Go) -> AnalysisLimits {
        AnalysisLimits { go, multi_pv: 1 }
    }
}

/// A running analysis. Dropping it stops the search and waits for the engine to finish.
///
/// It is an iterator over the lines as they arrive:
///
/// ```no_run
/// use tabiya_rules::MoveHistory;
/// use tabiya_uci::{AnalysisLimits, Analyst, Deadlines, Engine, EngineCommand, Go};
///
/// let mut engine = Engine::start(&EngineCommand::new("stockfish"), Deadlines::default())?;
/// let game = MoveHistory::default();
/// let limits = AnalysisLimits::from(Go::new().with_depth(20)).with_multi_pv(3);
/// let mut analysis = engine.analyse(&game, limits)?;
/// for line in &mut analysis {
///     let line = line?;
///     println!("{:?} {}", line.info.depth, game.current().variation_san(&line.pv)?);
/// }
/// let result = analysis.wait()?;
/// assert_eq!(result.lines.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Analysis<'a, A: Analyst> {
    analyst: &'a mut A,
    lines: Vec<SearchInfo>,
    best: Option<BestMove>,
    has_failed: bool,
}

/// What an analysis has found.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AnalysisResult {
    /// The move to play.
    pub best: BestMove,
    /// The last report on each line, the best line first.
    pub lines: Vec<SearchInfo>,
}

impl<A: Analyst> Analysis<'_, A> {
    /// Waits for the next line that is found, or found again at a greater depth; `None` once the search is over.
    ///
    /// # Errors
    /// Fails if the engine has failed.
    pub fn next_line(&mut self) -> Result<Option<SearchInfo>, EngineError> {
        while self.best.is_none() {
            if let Some(line) = self.next_line_within(WAIT)? {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// Waits for the next line, at most for `wait`. [`Analysis::best_move`] tells whether the search is over.
    ///
    /// # Errors
    /// Fails if the engine has failed.
    pub fn next_line_within(&mut self, wait: Duration) -> Result<Option<SearchInfo>, EngineError> {
        if self.best.is_some() || self.has_failed {
            return Ok(None);
        }
        match self.analyst.next_event(wait) {
            Ok(Some(SearchEvent::Info(line))) => {
                self.collect_line(&line);
                // Reports without moves are messages, or progress within an iteration.
                Ok(Some(line).filter(|line| !line.pv.is_empty()))
            }
            Ok(Some(SearchEvent::BestMove(best))) => {
                self.best = Some(best);
                Ok(None)
            }
            Ok(Some(SearchEvent::Notice(_)) | None) => Ok(None),
            Err(error) => {
                self.has_failed = true;
                Err(error)
            }
        }
    }

    /// Returns the latest report on each line, best line first. Bounds are left out, because their lines are
    /// incomplete.
    pub fn lines(&self) -> &[SearchInfo] {
        &self.lines
    }

    /// Returns the best move, once the search is over.
    pub fn best_move(&self) -> Option<BestMove> {
        self.best
    }

    /// Tells the engine to stop. What it has found still arrives.
    ///
    /// # Errors
    /// Fails if the engine has failed.
    pub fn stop(&mut self) -> Result<(), EngineError> {
        self.analyst.stop()
    }

    /// Waits for the search to end. Stop a search without limits first.
    ///
    /// # Errors
    /// Fails if the engine has failed.
    pub fn wait(mut self) -> Result<AnalysisResult, EngineError> {
        while self.next_line()?.is_some() {}
        Ok(AnalysisResult {
            best: self.best.unwrap_or(BestMove::NONE),
            lines: std::mem::take(&mut self.lines),
        })
    }

    fn collect_line(&mut self, line: &SearchInfo) {
        if line.pv.is_empty() || line.exact_score().is_none() {
            return;
        }
        let place = self
            .lines
            .binary_search_by_key(&line.rank(), SearchInfo::rank);
        match place {
            Ok(at) => self.lines[at] = line.clone(),
            Err(at) => self.lines.insert(at, line.clone()),
        }
    }
}

impl<A: Analyst> Iterator for Analysis<'_, A> {
    type Item = Result<SearchInfo, EngineError>;

    /// Calls [`Analysis::next_line`]. The iterator ends after a failure.
    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        self.next_line().transpose()
    }
}

impl<A: Analyst> Drop for Analysis<'_, A> {
    fn drop(&mut self) {
        if self.best.is_some() || self.has_failed || self.stop().is_err() {
            return;
        }
        // A failure ends it as well.
        while let Ok(Some(_)) = self.next_line() {}
    }
}

impl Analyst for Engine {
    fn begin(&mut self, game: &MoveHistory, limits: &AnalysisLimits) -> Result<(), EngineError> {
        let lines = limits.multi_pv.max(1);
        if lines > 1 || self.option("MultiPV").is_some() {
            self.set_option(&SetOption {
                name: "MultiPV".to_owned(),
                value: Some(lines.to_string()),
            })?;
        }
        self.go(game, limits.go.clone())
    }

    fn next_event(&mut self, wait: Duration) -> Result<Option<SearchEvent>, EngineError> {
        Engine::next_event(self, wait)
    }

    fn stop(&mut self) -> Result<(), EngineError> {
        Engine::stop(self)
    }
}

#[cfg(test)]
mod tests;
