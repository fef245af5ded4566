//! `tabiya train` in the line mode: exercises as sentences, one answer a line.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::channel;

use tabiya_front::color::ColorChoice;
use tabiya_front::failure::Failure;
use tabiya_front::output::say;
use tabiya_front::training::mining::{Mining, MiningEvent};
use tabiya_front::training::{self, Learner, Training};
use tabiya_front::wording::{Reply, train as wording};
use tabiya_play::engines::KnownEngines;
use tabiya_play::study::{StudyReport, StudyTask, StudyWorker};
use tabiya_rules::Color;
use tabiya_train::mine::RULES;
use tabiya_train::record::RecordError;
use tabiya_train::trainer::{Event, Judged, Options, Outcomes, Request};

use crate::input::{BackgroundEvent, Input, InputEvent, too_long};
use crate::screen::{Form, Screen};

const PROMPT: &str = "Your move: ";

/// Asks the exercises of the day, until they are done or the user leaves.
pub fn run(
    learner: &Learner,
    options: Options,
    form: Form,
    color: ColorChoice,
) -> Result<(), Failure> {
    let random = tabiya_front::flags::random(None);
    let training = training::open(options, learner, random).map_err(Failure::unusable)?;
    for notice in &training.notices {
        say(&format!("tabiya: {notice}"));
    }
    let mut session = Session {
        training,
        screen: Screen::new(form, color),
        failed: None,
        mining: None,
        is_waiting: false,
        shown: None,
        above: None,
    };
    let (mut input, sender) = Input::new(&session.screen)?;
    // What comes from a pipe gets the same answers every time.
    if session.screen.wants_editor() {
        let scanned = session.training.trainer.memory().all_scanned(RULES);
        let listener = move |event| sender.send(BackgroundEvent::Mining(event));
        session.mining = Mining::start(learner, scanned, listener);
    }
    let mut done = session.request(Request::Start)?;
    while done.is_continue() {
        session.print(&session.screen.prompt_without_board(PROMPT))?;
        let moves = || (session.moves(), None);
        done = match input.next_event(PROMPT, moves, None) {
            InputEvent::Line(line) => session.submit(line.trim())?,
            InputEvent::LineTooLong => {
                session.say(&Reply::refusal("usage", too_long()))?;
                ControlFlow::Continue(())
            }
            InputEvent::Background(BackgroundEvent::Mining(event)) => {
                session.above = Some(String::new());
                let done = session.mined(event)?;
                let text = session.above.take().unwrap_or_default();
                if !text.is_empty() {
                    input.update_line(PROMPT, session.moves());
                    input.print_above(text.trim_end());
                }
                done
            }
            InputEvent::Background(_) | InputEvent::TimedOut => ControlFlow::Continue(()),
            InputEvent::Ended => session.request(Request::End)?,
            InputEvent::Failed(error) => return Err(Failure::system("stdin", &error)),
        };
    }
    session.finish()
}

struct Session {
    training: Training,
    screen: Screen,
    /// Why the last entries could not be stored.
    failed: Option<RecordError>,
    /// The search for exercises.
    mining: Option<Mining>,
    /// Whether the session begins anew when that finds the first exercise.
    is_waiting: bool,
    /// How many tenths of the search were done when that was last said, and whether it waited.
    shown: Option<(usize, bool)>,
    /// What is to be printed above the line being typed.
    above: Option<String>,
}

impl Session {
    /// Handles a line: a command, or else a move. No command could begin a move.
    fn submit(&mut self, line: &str) -> Result<ControlFlow<()>, Failure> {
        let request = match line.to_ascii_lowercase().as_str() {
            "hint" | "i" => Request::Hint,
            "show" | "=" => Request::Show,
            "later" | "-" => Request::Later,
            "easy" | "+" => Request::Easy,
            "undo" | "u" => Request::Undo,
            "quit" | "exit" | "q" => Request::End,
            "" | "board" | "fen" | "help" | "?" => {
                self.show(line)?;
                return Ok(ControlFlow::Continue(()));
            }
            _ => Request::Typed(line.to_owned()),
        };
        self.request(request)
    }

    /// Answers a command that changes nothing.
    fn show(&mut self, line: &str) -> Result<(), Failure> {
        let (command, lines) = match line.to_ascii_lowercase().as_str() {
            "" => return Ok(()),
            "fen" => {
                let position = self.training.trainer.position();
                let fen = position.map(|position| position.fen());
                ("fen", fen.into_iter().collect())
            }
            "board" => {
                let board = self.board().unwrap_or_default();
                ("board", board.lines().map(str::to_owned).collect())
            }
            _ => ("help", wording::HELP.map(str::to_owned).to_vec()),
        };
        self.say(&Reply::text(command, lines))
    }

    /// Tells how far the search for exercises is, and stores what it found. Breaks if it has found nothing to ask.
    fn mined(&mut self, event: MiningEvent) -> Result<ControlFlow<()>, Failure> {
        match event {
            MiningEvent::Progress { done, of, waits } => {
                let now = Some((done * 10 / of.max(1), waits));
                if std::mem::replace(&mut self.shown, now) != now {
                    let line = format!("{}.", wording::mining(done, of, waits));
                    self.say(&Reply::news("train", vec![line]))?;
                }
            }
            MiningEvent::Mined { game, items } => {
                let now = training::now();
                let entries = self.training.trainer.add_mined(game, items, now);
                self.store(&entries)?;
                let has_some = || !self.training.trainer.queue(now).items.is_empty();
                if self.is_waiting && has_some() {
                    self.is_waiting = false;
                    return self.request(Request::Start);
                }
            }
            MiningEvent::Ended => {
                self.mining = None;
                if self.is_waiting {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Carries out a request, and what follows from it. Breaks at the end of the session.
    fn request(&mut self, request: Request) -> Result<ControlFlow<()>, Failure> {
        if request == Request::End {
            self.mining = None;
        }
        let now = training::now();
        let mut outcomes = vec![self.training.trainer.handle(request, now)];
        while let Some(Outcomes {
            entries,
            events,
            task,
        }) = outcomes.pop()
        {
            self.store(&entries)?;
            for event in events {
                if self.show_event(event)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            // At most one of these answers leads to events, so their order does not matter.
            let judged = task.map(judge).unwrap_or_default().into_iter();
            let now = training::now();
            let trainer = &mut self.training.trainer;
            outcomes.extend(judged.map(|request| trainer.handle(request, now)));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Stores entries before what follows from them is told. What cannot be stored is tried again with the next ones.
    fn store(&mut self, entries: &[tabiya_train::log::Entry]) -> Result<(), Failure> {
        if entries.is_empty() {
            return Ok(());
        }
        match (self.training.record.append(entries), self.failed.take()) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => {
                let lines = vec!["Your answers are stored again.".to_owned()];
                self.say(&Reply::news("train", lines))?;
            }
            (Err(error), known) => {
                if known.as_ref() != Some(&error) {
                    let sentence = format!("Your answer could not be stored yet. {error}");
                    self.say(&Reply::refusal("file", sentence))?;
                }
                self.failed = Some(error);
            }
        }
        Ok(())
    }

    /// Prints an event. Breaks at the end of the session.
    fn show_event(&mut self, event: Event) -> Result<ControlFlow<()>, Failure> {
        let mut ends = false;
        if let Event::Ended(summary) = &event {
            self.is_waiting = summary.asked == 0 && self.mining.is_some();
            ends = !self.is_waiting;
        }
        let is_new_position = matches!(
            &event,
            Event::Exercise(_) | Event::Judged(Judged { reply: Some(_), .. })
        );
        // People are not told that the engine is asked: its verdict follows at once.
        if !(matches!(event, Event::Asked { .. }) && self.screen.is_text()) {
            self.say(&wording::reply(event))?;
        }
        if is_new_position && self.screen.shows_boards() {
            let board = self.screen.board(self.board().as_deref());
            self.print(&board)?;
        }
        Ok(match ends {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }

    fn say(&mut self, reply: &Reply) -> Result<(), Failure> {
        let text = self.screen.reply_text(reply);
        self.print(&text)
    }

    fn print(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.above {
            Some(above) => {
                above.push_str(text);
                Ok(())
            }
            None => self.screen.print(text),
        }
    }

    /// The board from the side that is to move.
    fn board(&self) -> Option<String> {
        let position = self.training.trainer.position()?;
        let turn: Color = position.turn();
        Some(position.board().diagram().bottom(turn).to_string())
    }

    /// The moves that can be typed.
    fn moves(&self) -> Vec<String> {
        let Some(position) = self.training.trainer.position() else {
            return Vec::new();
        };
        let moves = position.legal_moves();
        let texts = moves.iter().map(|&m| position.san(m).to_string());
        texts.collect()
    }

    /// Leaves. What could not be stored is tried for the last time.
    fn finish(mut self) -> Result<(), Failure> {
        self.screen.finish()?;
        self.training
            .record
            .save_again()
            .map_err(|error| Failure::Unusable(format!("the last answers are not stored: {error}")))
    }
}

/// What the built-in engine says about a task, as requests.
fn judge(task: StudyTask) -> Vec<Request> {
    let (sender, reports) = channel();
    // Nobody but the built-in engine judges exercises.
    let engines = KnownEngines::default();
    let mut worker = StudyWorker::new(engines, Arc::new(move |report| sender.send(report).is_ok()));
    worker.begin(task);
    let mut requests = Vec::new();
    for report in reports {
        match report {
            StudyReport::Position { number, at, found } => {
                requests.push(Request::Judged { number, at, found });
            }
            StudyReport::Ended { number, .. } => {
                requests.push(Request::JudgeEnded { number });
                break;
            }
        }
    }
    requests
}
