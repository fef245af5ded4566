//! `tabiya train` in the line mode: exercises as sentences, one answer a line.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::channel;

use tabiya_front::color::ColorChoice;
use tabiya_front::failure::Failure;
use tabiya_front::json::train::listed;
use tabiya_front::output::{Output, say};
use tabiya_front::training::{self, Learner, Training};
use tabiya_front::wording::{Reply, train as wording};
use tabiya_play::engines::KnownEngines;
use tabiya_play::study::{StudyReport, StudyTask, StudyWorker};
use tabiya_rules::Color;
use tabiya_train::memory::Standing;
use tabiya_train::record::RecordError;
use tabiya_train::trainer::{Event, Judged, Options, Outcomes, Request};

use crate::input::{Input, InputEvent, too_long};
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
    };
    let (mut input, _sender) = Input::new(&session.screen)?;
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
            InputEvent::Background(_) | InputEvent::TimedOut => ControlFlow::Continue(()),
            InputEvent::Ended => session.request(Request::End)?,
            InputEvent::Failed(error) => return Err(Failure::system("stdin", &error)),
        };
    }
    session.finish()
}

/// Lists all exercises, the next ones first.
pub fn list(learner: &Learner, form: Form) -> Result<(), Failure> {
    let (trainer, notices) = training::look(learner).map_err(Failure::unusable)?;
    for notice in &notices {
        say(&format!("tabiya: {notice}"));
    }
    let today = training::now().day();
    let items = trainer.memory().items();
    let mut items: Vec<_> = items
        .map(|(item, known)| (item, known.standing(today, learner.retention)))
        .collect();
    let rank = |standing: &Standing| match standing {
        Standing::Due => (0, 0),
        Standing::New => (1, 0),
        Standing::Waiting(days) | Standing::Learned(days) => (2, *days),
        Standing::Suspended => (3, 0),
    };
    items.sort_by_cached_key(|(item, standing)| {
        let date = std::cmp::Reverse(item.date.clone());
        (rank(standing), date, item.ply, item.id)
    });
    let mut output = Output::stdout();
    for (item, standing) in items {
        match form {
            Form::Json => output.json(&listed(item, standing))?,
            Form::Text => {
                let line = wording::listed(item, standing);
                output.foreign(format!("{line}\n").as_bytes())?;
            }
        }
    }
    output.finish()
}

struct Session {
    training: Training,
    screen: Screen,
    /// Why the last entries could not be stored.
    failed: Option<RecordError>,
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

    /// Carries out a request, and what follows from it. Breaks at the end of the session.
    fn request(&mut self, request: Request) -> Result<ControlFlow<()>, Failure> {
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
        let ends = matches!(event, Event::Ended(_));
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
        self.screen.print(text)
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
