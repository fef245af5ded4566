//! The record of the training: opened and counted in a thread, written by the loop, so that nothing is shown before it is
//! stored. While it is open, another thread searches games for exercises.

use std::collections::HashSet;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabiya_front::flags::random;
use tabiya_front::training::mining::{Mining, MiningEvent, MiningPolicy};
use tabiya_front::training::{self, Learner, Training};
use tabiya_play::engines::KnownEngines;
use tabiya_play::study::StudyWorker;
use tabiya_play::threads;
use tabiya_store::disk::SystemDisk;
use tabiya_train::mine::RULES;
use tabiya_train::record::Record;
use tabiya_train::trainer::Options;

use super::Incoming;
use crate::message::{Message, OpenTraining, TrainEffect, TrainMessage};

/// The open record, once there is one.
type Slot = Arc<Mutex<Option<OpenRecord>>>;

struct OpenRecord {
    record: Record<SystemDisk>,
    /// The search for exercises, which ends with this.
    mining: Option<Mining>,
}

/// The record, and the engine that judges answers.
pub(super) struct TrainingRecord {
    sender: SyncSender<Incoming>,
    record: Slot,
    judge: StudyWorker,
}

impl TrainingRecord {
    pub(super) fn new(sender: SyncSender<Incoming>) -> TrainingRecord {
        let judged = sender.clone();
        let listener = move |report| judged.send(TrainMessage::Judged(report).into()).is_ok();
        TrainingRecord {
            sender,
            record: Slot::default(),
            // Nobody but the built-in engine judges exercises.
            judge: StudyWorker::new(KnownEngines::default(), Arc::new(listener)),
        }
    }

    /// Counts the exercises that are left of the day.
    pub(super) fn count_due(&self, learner: Learner) {
        let sender = self.sender.clone();
        // Without a thread the home screen has no number.
        let _ = threads::spawn(move || {
            let due = training::look(&learner).ok().and_then(|(trainer, _)| {
                let queue = trainer.queue(training::now());
                let has_some = trainer.memory().count() > 0 || training::has_games_elsewhere();
                has_some.then_some(queue.items.len())
            });
            // Nobody receives it if the program is about to exit.
            let _ = sender.send(TrainMessage::Due(due).into());
        });
    }

    /// Performs an effect, and returns the answer if it is known at once.
    pub(super) fn perform(&mut self, effect: TrainEffect) -> Option<Message> {
        match effect {
            TrainEffect::Open(learner, options) => self.open(learner, options),
            TrainEffect::Store(entries) => {
                let stored = lock(&self.record).as_mut()?.record.append(&entries);
                return Some(TrainMessage::Stored(stored).into());
            }
            TrainEffect::Judge(task) => self.judge.begin(*task),
            TrainEffect::Close(learner) => {
                lock(&self.record).take();
                self.count_due(learner);
            }
        }
        None
    }

    /// Opens the record in a thread of its own.
    fn open(&self, learner: Learner, options: Options) {
        let (sender, record) = (self.sender.clone(), Arc::clone(&self.record));
        // Without a thread there is no training, as without memory.
        let _ = threads::spawn(move || {
            let mut scanned = HashSet::new();
            let opened = training::open(options, &learner, random(None));
            let opened = opened.map(|opened| {
                let Training {
                    trainer,
                    record: own,
                    notices,
                } = opened;
                scanned = trainer.memory().all_scanned(RULES);
                *lock(&record) = Some(OpenRecord {
                    record: own,
                    mining: None,
                });
                Box::new(OpenTraining {
                    trainer,
                    notices,
                    at: training::now(),
                    mines: learner.mining != MiningPolicy::Never,
                })
            });
            // Nobody receives what is sent if the program is about to exit.
            let _ = sender.send(TrainMessage::Opened(opened).into());
            // It may have been closed again.
            if let Some(open) = lock(&record).as_mut() {
                let listener = {
                    let sender = sender.clone();
                    move |event| sender.send(TrainMessage::Mining(event).into()).is_ok()
                };
                open.mining = Mining::start(&learner, scanned, listener);
                if open.mining.is_none() {
                    let _ = sender.send(TrainMessage::Mining(MiningEvent::Ended).into());
                }
            }
        });
    }
}

/// Locks the record, whatever has happened to its last owner.
fn lock(record: &Slot) -> MutexGuard<'_, Option<OpenRecord>> {
    // It is replaced as a whole.
    record.lock().unwrap_or_else(PoisonError::into_inner)
}
