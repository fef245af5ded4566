//! Every public type can go to another thread and be shared with it.

use crate::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<advice::Purpose>();
    both::<advice::Stage>();
    both::<contest::ContestError>();
    both::<contest::End>();
    both::<contest::Entrant>();
    both::<contest::Event>();
    both::<contest::FaultKind>();
    both::<contest::Lapse>();
    both::<contest::Openings>();
    both::<contest::OpeningsError>();
    both::<contest::Pace>();
    both::<contest::Rule>();
    both::<contest::statistics::Decision>();
    both::<engines::Source>();
    both::<opponents::EngineEvent>();
    both::<opponents::EngineOrder>();
    both::<opponents::NotAdmitted>();
    both::<opponents::Seat>();
    both::<opponents::players::EngineEvent>();
    both::<outcome::Answer>();
    both::<outcome::Outcome>();
    both::<outcome::Refused>();
    both::<players::BlockingPlayer>();
    both::<players::Player>();
    both::<players::PlayerConfig>();
    both::<players::PlayerError>();
    both::<players::PlayerSpec>();
    both::<players::ResolveError>();
    both::<players::SpecError>();
    both::<remote::Presence>();
    both::<remote::ServerNews>();
    both::<remote::ServerEvent>();
    both::<request::GameRequest>();
    both::<request::Line>();
    both::<request::NotesRequest>();
    both::<request::Pending>();
    both::<request::Question>();
    both::<request::Request>();
    both::<request::SeatRequest>();
    both::<request::ServerRequest>();
    both::<request::Side>();
    both::<request::Start>();
    both::<request::StudyRequest>();
    both::<request::Target>();
    both::<study::Studied>();
    both::<study::Tried>();
    both::<study::explanation::Cost>();
    both::<table::Admission>();
    both::<table::Display>();
    both::<typed_move::Unplayable>();
    both::<variations::NoVariation>();
    both::<variations::Variation>();
    both::<advice::Adviser>();
    both::<advice::Evaluation>();
    both::<analysis::Bench>();
    both::<analysis::GameAnalysis>();
    both::<analysis::Judged<'_>>();
    both::<analysis::Verdict>();
    both::<contest::Adjudication>();
    both::<contest::ByEntrant<u8>>();
    both::<contest::Contest>();
    both::<contest::Fault>();
    both::<contest::Faults>();
    both::<contest::Finished>();
    both::<contest::Plan>();
    both::<contest::Standing>();
    both::<contest::statistics::Estimate>();
    both::<contest::statistics::Sprt>();
    both::<contest::statistics::SprtError>();
    both::<course::Course>();
    both::<course::Known>();
    both::<engines::KnownEngine>();
    both::<engines::KnownEngines>();
    both::<opponents::Opponents>();
    both::<opponents::Players>();
    both::<opponents::SearchRequest>();
    both::<opponents::Stranger>();
    both::<opponents::Thinking>();
    both::<opponents::players::Players>();
    both::<outcome::Errand>();
    both::<outcome::Happened>();
    both::<outcome::LastMove>();
    both::<outcome::NamedOpening>();
    both::<players::BookUnreadable>();
    both::<players::BotConfig>();
    both::<players::EngineSpec>();
    both::<players::SharedBook>();
    both::<players::StopHandle>();
    both::<players::Thought>();
    both::<remote::Joined>();
    both::<remote::Standing>();
    both::<request::NewRequest>();
    both::<study::Mistake>();
    both::<study::Study>();
    both::<study::StudyTask>();
    both::<study::Thinker>();
    both::<study::explanation::Explanation>();
    both::<table::Helpers>();
    both::<table::Table>();
    both::<threads::NoThread>();
    both::<typed_move::Candidate>();
    both::<typed_move::Read>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("play", include_str!("send_sync.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
