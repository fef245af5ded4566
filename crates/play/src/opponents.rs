//! Who plays each side, what an engine is asked, and what its answers mean for the game.
//!
//! All fronts share it. Nothing is started or waited for here: what must be done becomes an [`EngineOrder`], which
//! [`RunningEngines`] carries out, and the owner of the game passes back the results.

pub mod limits;
mod manners;
pub mod running;
mod untrusted;

use tabiya_game::{Command, NodeId, Session, Tags, Timestamp};
use tabiya_rules::{ByColor, Color, Move, MoveHistory, PIECE_VALUES, Role, Score};
use tabiya_uci::{BestMove, Go, SearchInfo};

use crate::engines::KnownEngines;
use crate::players::{EngineSpec, PlayerConfig, PlayerError, PlayerSpec};
use manners::{Manners, has_manners};

pub use running::{EngineEvent, RunningEngines};
pub use untrusted::{NotAllowed, UntrustedEngine};

/// No engine agrees to a draw before this ply.
const MIN_DRAW_PLY: u32 = 20;
/// The built-in engine scores drawn positions within this distance of zero.
const DRAW_SCORE: i32 = 1;

/// A place at the table for which an engine can think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The player of a side.
    Side(Color),
    /// The adviser, which plays no side: hints, evaluations and lines come from it.
    Adviser,
}

/// An order for an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineOrder {
    /// Think. Starts the player first if it is not running.
    Think(Box<SearchRequest>),
    /// Stop thinking. The result is not wanted.
    Stop(Seat),
    /// Prepare for another game.
    NewGame(Seat),
    /// Quit. The player is no longer needed.
    Dismiss(Seat),
}

/// A search that an engine is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// The seat that is to think.
    pub seat: Seat,
    /// The player in that seat.
    pub spec: PlayerSpec,
    /// The number of lines wanted.
    pub lines: usize,
    /// The number of the search, greater than all earlier ones.
    pub number: u64,
    /// The game so far.
    pub played: MoveHistory,
    /// The search limits.
    pub go: Go,
}

/// A running search for a move.
#[derive(Clone, Debug)]
pub struct Thinking {
    /// The side it is for.
    pub color: Color,
    /// When it began.
    pub begun: Timestamp,
    /// The last report about its best line.
    pub info: Option<SearchInfo>,
    number: u64,
    node: NodeId,
}

/// What bots do in games that are decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BotManners {
    /// They resign hopeless games and offer draws.
    #[default]
    ResignAndOfferDraws,
    /// They play to the end.
    PlayOn,
}

impl From<bool> for BotManners {
    /// Reads a setting that is on or off.
    fn from(on: bool) -> BotManners {
        match on {
            true => BotManners::ResignAndOfferDraws,
            false => BotManners::PlayOn,
        }
    }
}

/// Who sits at the table.
#[derive(Debug)]
pub struct Opponents {
    specs: ByColor<PlayerSpec>,
    thinking: Option<Thinking>,
    /// The number of the last search.
    count: u64,
    /// Each player's last evaluation of the game, from its own point of view.
    scores: ByColor<Option<Score>>,
    manners: ByColor<Manners>,
    bot_manners: BotManners,
    /// The name of the last engine on each side.
    signed: ByColor<Option<String>>,
    /// The last side that an engine had. Another engine takes it over unless a side is given.
    engine_side: Color,
    /// Which engines a file may start without asking.
    known: KnownEngines,
    /// The name of the person who plays against an engine.
    person_name: Option<String>,
}

impl Default for Opponents {
    fn default() -> Opponents {
        Opponents::new(ByColor::default())
    }
}

impl Opponents {
    /// Seats players at a new table.
    pub fn new(specs: ByColor<PlayerSpec>) -> Opponents {
        let engine_side = match specs.white == PlayerSpec::Human || specs.black.is_engine() {
            true => Color::Black,
            false => Color::White,
        };
        Opponents {
            specs,
            thinking: None,
            count: 0,
            scores: ByColor::default(),
            manners: ByColor::default(),
            bot_manners: BotManners::default(),
            signed: ByColor::default(),
            engine_side,
            known: KnownEngines::default(),
            person_name: None,
        }
    }

    /// Sets the name of the person who plays against an engine; an empty one removes it.
    pub fn set_person_name(&mut self, name: &str) {
        self.person_name = Some(name.to_owned()).filter(|name| !name.is_empty());
    }

    /// Sets the engines that a file may start without asking.
    pub fn set_known_engines(&mut self, engines: KnownEngines) {
        self.known = engines;
    }

    /// A player that only a file names, and that the user has not allowed yet. Until the user does, or gives its side
    /// to another player, no engine is asked for anything.
    pub fn untrusted_engine(&self) -> Option<UntrustedEngine> {
        UntrustedEngine::among(&self.specs, &self.known)
    }

    /// A known engine for which a file has options. They are ignored: only those of the config are set.
    pub fn engine_with_ignored_options(&self) -> Option<&PlayerSpec> {
        let has_ignored_options = |spec: &&PlayerSpec| {
            matches!(spec, PlayerSpec::Named(engine)
                if !engine.options.is_empty() && self.known.allows(&engine.target))
        };
        let mut specs = self.specs.iter().map(|(_, spec)| spec);
        specs.find(has_ignored_options)
    }

    /// Allows an engine to be started when it is needed, as if the user had typed it, but without the file's options.
    pub(crate) fn allow(&mut self, untrusted: &UntrustedEngine) -> Vec<EngineOrder> {
        let engine = EngineSpec {
            target: untrusted.engine.target.clone(),
            options: Vec::new(),
        };
        self.replace(untrusted.color, PlayerSpec::Uci(engine))
    }

    /// Checks whether a player can be started, as far as that is known in advance.
    ///
    /// # Errors
    /// There is no such engine.
    pub(crate) fn check(&self, spec: &PlayerSpec) -> Result<(), PlayerError> {
        PlayerConfig::of(spec, &self.known)?;
        Ok(())
    }

    /// The players of both sides.
    pub fn specs(&self) -> &ByColor<PlayerSpec> {
        &self.specs
    }

    /// Whether a person plays that side.
    pub fn is_human(&self, color: Color) -> bool {
        self.specs[color] == PlayerSpec::Human
    }

    /// Whether an engine of this program plays that side.
    pub fn is_engine(&self, color: Color) -> bool {
        self.specs[color].is_engine()
    }

    /// The side of the only person at the table; `None` if there are two or none.
    pub fn person(&self) -> Option<Color> {
        only_person(&self.specs)
    }

    /// Sets whether bots resign hopeless games and offer draws.
    pub fn set_manners(&mut self, manners: BotManners) {
        self.bot_manners = manners;
    }

    /// Whether the player of a side resigns and offers draws: a bot that is strong enough, against a person.
    fn has_manners(&self, color: Color) -> bool {
        self.bot_manners == BotManners::ResignAndOfferDraws
            && self.is_human(!color)
            && has_manners(&self.specs[color])
    }

    /// Whether only engines play.
    pub fn nobody_plays(&self) -> bool {
        !self.is_human(Color::White) && !self.is_human(Color::Black)
    }

    /// The side that acts if none is given: that of the only person, otherwise the side to move.
    pub fn acting_side(&self, session: &Session) -> Color {
        self.person().unwrap_or_else(|| session.turn())
    }

    /// The side that takes back a move if none is given: the only person, otherwise the side that moved last.
    pub fn takeback_side(&self, session: &Session) -> Color {
        self.person().unwrap_or_else(|| !session.turn())
    }

    /// The side that another engine takes if none is given.
    pub(crate) fn engine_side(&self) -> Color {
        self.engine_side
    }

    /// The default name of a player; `None` for a person.
    pub fn name(&self, color: Color) -> Option<String> {
        self.specs[color].name()
    }

    /// The running search for a move.
    pub fn thinking(&self) -> Option<&Thinking> {
        self.thinking.as_ref()
    }

    /// The players of a new game: this opponent, otherwise the present one, against a person, who plays this side, otherwise
    /// the side they play now. Without an opponent, everybody stays.
    pub(crate) fn seating(
        &self,
        opponent: Option<PlayerSpec>,
        side: Option<Color>,
    ) -> ByColor<PlayerSpec> {
        let present = || self.person().map(|color| self.specs[!color].clone());
        let Some(opponent) = opponent.or_else(present) else {
            return self.specs.clone();
        };
        let person = side.or(self.person()).unwrap_or(!self.engine_side);
        let mut specs = ByColor::default();
        specs[!person] = opponent;
        specs
    }

    /// Whether exactly one person would play against this opponent, or against the current one if none is given.
    pub fn is_against_engine(&self, opponent: Option<&PlayerSpec>) -> bool {
        only_person(&self.seating(opponent.cloned(), None)).is_some()
    }

    /// Writes the names of the engines into the tags of a game, and removes those of engines that no longer play.
    pub(crate) fn write_names(&self, tags: &mut Tags) {
        for color in Color::ALL {
            let name = self.name(color);
            let signed = self.signed[color].as_deref();
            if signed.is_some() && tags.get(color.name()) == signed {
                tags.remove(color.name());
            }
            if let Some(name) = name {
                // A name is a single line, and a tag refuses nothing else.
                let _ = tags.set(color.name(), &name);
            }
        }
        self.write_person_name(tags);
    }

    /// Writes the name of the person who plays against an engine, and removes it from the other side.
    pub(crate) fn write_person_name(&self, tags: &mut Tags) {
        let Some(name) = self.person_name.as_deref() else {
            return;
        };
        for color in Color::ALL {
            let written = tags.get(color.name());
            if self.person() != Some(color) {
                if written == Some(name) {
                    tags.remove(color.name());
                }
            } else if written.is_none_or(|written| written == "?") {
                // A name from the settings is a single line, and a tag refuses nothing else.
                let _ = tags.set(color.name(), name);
            }
        }
    }

    /// Seats these players. Engines that are no longer needed are dismissed.
    pub(crate) fn seat(&mut self, specs: ByColor<PlayerSpec>) -> Vec<EngineOrder> {
        let mut orders = Vec::new();
        for color in Color::ALL {
            if self.specs[color] != specs[color] {
                if self.is_engine(color) {
                    self.signed[color] = self.name(color);
                    orders.push(EngineOrder::Dismiss(Seat::Side(color)));
                }
                self.scores[color] = None;
                self.manners[color] = Manners::default();
                if specs[color].is_engine() {
                    self.engine_side = color;
                }
            }
        }
        self.specs = specs;
        self.thinking = None;
        orders
    }

    /// Prepares for another game with the same players.
    pub(crate) fn new_game(&mut self) -> Vec<EngineOrder> {
        self.thinking = None;
        self.scores = ByColor::default();
        self.manners = ByColor::default();
        let engines = Color::ALL
            .into_iter()
            .filter(|&color| self.is_engine(color));
        engines
            .map(|color| EngineOrder::NewGame(Seat::Side(color)))
            .collect()
    }

    /// What an engine does besides moving: it answers offers and requests, claims a draw that it welcomes, resigns, and
    /// offers a draw after its move.
    pub(crate) fn pending_command(&self, session: &Session) -> Option<Command> {
        if session.outcome().is_some() {
            return None;
        }
        if let Some(takeback) = session.takeback()
            && self.is_engine(!takeback.by)
        {
            return Some(Command::GrantTakeback(!takeback.by));
        }
        if let Some(by) = session.draw_offer()
            && self.is_engine(!by)
        {
            return Some(if self.agrees_to_draw(!by, session) {
                Command::AcceptDraw(!by)
            } else {
                Command::DeclineDraw(!by)
            });
        }
        let turn = session.turn();
        let claims = self.is_engine(turn) && !session.claims().is_empty();
        if claims && self.is_glad_of_draw(turn, session) {
            return Some(Command::claim());
        }
        if self.resigns(turn) {
            return Some(Command::Resign(turn));
        }
        let offers = self.has_manners(!turn)
            && session.draw_offer().is_none()
            && self.manners[!turn].offers_draw(session.ply());
        offers.then_some(Command::OfferDraw(!turn))
    }

    /// Whether a side's player resigns now.
    fn resigns(&self, color: Color) -> bool {
        self.has_manners(color) && self.manners[color].resigns()
    }

    /// Early in a game no engine agrees to a draw, unless it could be claimed anyway or the engine cannot win.
    fn agrees_to_draw(&self, color: Color, session: &Session) -> bool {
        let early = session.ply() < MIN_DRAW_PLY
            && session.claims().is_empty()
            && session.position().has_mating_material(color);
        !early && self.is_glad_of_draw(color, session)
    }

    /// Whether a side's player does not believe that it stands better. Before its first search, material decides.
    fn is_glad_of_draw(&self, color: Color, session: &Session) -> bool {
        if !session.position().has_mating_material(color) {
            return true;
        }
        match self.scores[color] {
            Some(Score::Centipawns(value)) => value <= DRAW_SCORE,
            Some(Score::MateIn(_)) => false,
            Some(Score::MatedIn(_)) => true,
            None => material(session, color) <= material(session, !color),
        }
    }

    /// Orders the engine that is to move to think, unless it already thinks about this position.
    pub(crate) fn update(&mut self, session: &Session, now: Timestamp) -> Vec<EngineOrder> {
        let turn = session.turn();
        let node = session.record().cursor().id();
        let open = session.outcome().is_none() && !session.is_paused();
        let wanted = open && self.is_engine(turn) && self.untrusted_engine().is_none();
        if session.outcome().is_some() {
            // If the end of a game is taken back, the bot judges the game afresh.
            self.manners = ByColor::default();
        }
        if let Some(by) = session.draw_offer() {
            self.manners[by].record_offer(session.ply());
        }
        let thinks_of_it = self
            .thinking
            .as_ref()
            .is_some_and(|thinking| thinking.color == turn && thinking.node == node);
        if wanted && thinks_of_it {
            return Vec::new();
        }
        let mut orders = self.stop_thinking();
        if wanted {
            self.count += 1;
            self.thinking = Some(Thinking {
                color: turn,
                begun: now,
                info: None,
                number: self.count,
                node,
            });
            orders.push(EngineOrder::Think(Box::new(SearchRequest {
                seat: Seat::Side(turn),
                spec: self.specs[turn].clone(),
                lines: 1,
                number: self.count,
                played: MoveHistory::from(session),
                go: limits::limits(session, now),
            })));
        }
        orders
    }

    /// Stops the running search.
    pub(crate) fn stop_thinking(&mut self) -> Vec<EngineOrder> {
        let thinking = self.thinking.take();
        let stop = thinking.map(|thinking| EngineOrder::Stop(Seat::Side(thinking.color)));
        stop.into_iter().collect()
    }

    /// Stores a report of the running search.
    pub(crate) fn report(&mut self, color: Color, number: u64, info: SearchInfo) {
        let Some(thinking) = self
            .running_search(color, number)
            .filter(|_| info.rank() == 1)
        else {
            return;
        };
        let exact = info.exact_score();
        if info.info.score.is_some() || thinking.info.is_none() {
            thinking.info = Some(info);
        }
        // A bound is not a score.
        self.scores[color] = exact.or(self.scores[color]);
    }

    /// The move that a search found, if it is still wanted. A bot that resigns returns none; its resignation is then
    /// due.
    pub(crate) fn answer(&mut self, color: Color, number: u64, reply: BestMove) -> Option<Move> {
        self.running_search(color, number)?;
        self.thinking = None;
        self.manners[color].judge(self.scores[color]);
        reply.best.filter(|_| !self.resigns(color))
    }

    /// Gives the side of a player that has failed to a person.
    pub(crate) fn fail(&mut self, color: Color) -> Vec<EngineOrder> {
        self.engine_side = color;
        self.replace(color, PlayerSpec::Human)
    }

    /// Seats another player on one side.
    pub(crate) fn replace(&mut self, color: Color, spec: PlayerSpec) -> Vec<EngineOrder> {
        let mut specs = self.specs.clone();
        specs[color] = spec;
        self.seat(specs)
    }

    /// The running search of a side, if it has this number.
    fn running_search(&mut self, color: Color, number: u64) -> Option<&mut Thinking> {
        let thinking = self.thinking.as_mut()?;
        (thinking.color == color && thinking.number == number).then_some(thinking)
    }
}

fn only_person(specs: &ByColor<PlayerSpec>) -> Option<Color> {
    let is_human = |color: Color| specs[color] == PlayerSpec::Human;
    let mut colors = Color::ALL.into_iter();
    colors.find(|&color| is_human(color) && !is_human(!color))
}

/// The material of a side.
fn material(session: &Session, color: Color) -> i32 {
    let board = session.position().board();
    Role::ALL
        .into_iter()
        .map(|role| board.pieces(color, role).count() as i32 * PIECE_VALUES[role])
        .sum()
}

#[cfg(test)]
mod tests;
