//! Every public type can be sent to another thread and shared with it.

use tabiya_uci::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<Analysis<'_, Engine>>();
    both::<AnalysisLimits>();
    both::<AnalysisResult>();
    both::<UciCommand>();
    both::<UciCommandError>();
    both::<DebugMode>();
    both::<Go>();
    both::<PositionCommand>();
    both::<PositionError>();
    both::<Registration>();
    both::<Skipped>();
    both::<Start>();
    both::<BestMove>();
    both::<Deadlines>();
    both::<Engine>();
    both::<EngineError>();
    both::<SearchEvent>();
    both::<ExitNote>();
    both::<Notice>();
    both::<Overrun>();
    both::<Phase>();
    both::<EngineHandle>();
    both::<SearchInfo>();
    both::<Worker>();
    both::<WorkerEvent>();
    both::<OptionDeclaration>();
    both::<OptionError>();
    both::<OptionKind>();
    both::<OptionValue>();
    both::<SetOption>();
    both::<EngineCommand>();
    both::<BestMove<tabiya_rules::UciMove>>();
    both::<Bound>();
    both::<CheckState>();
    both::<CurrentLine>();
    both::<Info>();
    both::<Reply>();
    both::<BoundedScore>();
    both::<Wdl>();
    both::<Line>();
    both::<LineReader<std::io::Empty>>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("uci", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
