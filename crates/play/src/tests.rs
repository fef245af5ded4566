//! Every public type can go to another thread and be shared with it.

use crate::*;

fn both<T: Send + Sync>() {}

macro_rules! both {
    ($($type:ty,)*) => { $(both::<$type>();)* };
}

#[test]
fn every_public_type_is_send_and_sync() {
    both! {
        advice::Adviser, advice::EvaluatedLine, advice::Purpose, advice::Stage,
        analysis::GameAnalysis, analysis::GameAnalyzer, analysis::Judged<'_>, analysis::Verdict, analysis::Wanted<'_>,
        contest::Adjudication, contest::ByEntrant<u8>, contest::Contest, contest::ContestError, contest::End,
        contest::Entrant, contest::Event, contest::Fault, contest::FaultKind, contest::Faults,
        contest::Finished, contest::FaultCause, contest::Openings, contest::OpeningsError, contest::ThinkingLimit,
        contest::Plan, contest::Rule, contest::Standing, contest::statistics::Decision,
        contest::statistics::Estimate, contest::statistics::Sprt, contest::statistics::SprtError,
        desk::Beside<u8>, desk::BoardId, desk::Desk<u8>, desk::DeskOutcome, desk::DeskQuestion, desk::DeskRequest<u8>,
        desk::Filed<'_, u8>, desk::FinishedGame, desk::Look, desk::SaveOrder, desk::Saving, desk::Step<'_, u8>,
        evaluation_history::EvaluationHistory, glicko2::Played, glicko2::Rating,
        engines::KnownEngine, engines::KnownEngines, engines::Source,
        opponents::BotManners, opponents::EngineEvent, opponents::EngineOrder, opponents::NotAllowed, opponents::Opponents,
        opponents::RunningEngines, opponents::SearchRequest, opponents::Seat, opponents::UntrustedEngine, opponents::Thinking,
        opponents::running::EngineEvent, opponents::running::RunningEngines,
        outcome::Answer, outcome::Happened, outcome::LastMove,
        outcome::Outcome, outcome::TableRefusal,
        players::BlockingPlayer, players::BookUnreadable, players::BotConfig, players::EngineSpec,
        players::Player, players::PlayerConfig, players::PlayerError, players::PlayerSpec,
        players::ResolveError, players::SharedBook, players::SpecError, players::StopHandle, players::PlayerReply,
        remote::Joined, remote::Presence, remote::RemoteState, remote::ServerEvent, remote::ServerNews,
        request::GameRequest, request::Line, request::NewGameRequest, request::NotesRequest, request::Pending,
        request::Question, request::Request, request::ServerRequest, request::Side,
        request::Start, request::StudyRequest, request::Target,
        review::JudgmentHome, review::Review<u8>,
        study::Mistake, study::StudyReport, study::Study, study::StudyTask, study::StudyWorker, study::Attempt,
        analysis::explanation::Cost, analysis::explanation::Exchanged, analysis::explanation::Explanation,
        analysis::explanation::LineKind, analysis::Judging,
        table::Permission, table::Display, table::Assistance, table::ResumedClocks, table::Table,
        threads::NoThread,
        typed_move::Aim, typed_move::Candidate, typed_move::ParsedMove, typed_move::Unplayable,
        variations::VariationError, variations::VariationAction,
    }
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("play", include_str!("tests.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
