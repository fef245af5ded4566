//! Every public type can be sent to another thread and shared with it, except a part of an input, which stays in its
//! thread: [`pgn::Part`].

use tabiya_game::*;

fn both<T: Send + Sync>() {}

#[test]
fn every_public_type_is_send_and_sync() {
    both::<Annotation>();
    both::<Arrow>();
    both::<Comment>();
    both::<CommentCommand>();
    both::<Evaluation>();
    both::<Glyph>();
    both::<MarkColor>();
    both::<SquareMark>();
    both::<Claim>();
    both::<ClaimRule>();
    both::<Grounds>();
    both::<Bonus>();
    both::<ClockFace>();
    both::<Period>();
    both::<TimeControl>();
    both::<TimeControlError>();
    both::<Timestamp>();
    both::<Command>();
    both::<MoveInput>();
    both::<NewGame>();
    both::<UndoTo>();
    both::<Deadness>();
    both::<Event>();
    both::<EventKind>();
    both::<Moved>();
    both::<DrawBy>();
    both::<GameResult>();
    both::<Outcome>();
    both::<ParseResultError>();
    both::<Policy>();
    both::<AddError>();
    both::<Children<'_>>();
    both::<Node<'_>>();
    both::<NodeId>();
    both::<Record>();
    both::<RecordTags<'_>>();
    both::<Step>();
    both::<ClaimRefusal>();
    both::<MoveRefusal>();
    both::<Refusal>();
    both::<Session>();
    both::<Takeback>();
    both::<TagError>();
    both::<Tags>();
    both::<pgn::PgnError>();
    both::<pgn::PgnErrorKind>();
    both::<pgn::Format>();
    both::<Branching>();
    both::<CommentCommandError>();
    both::<DeadPositions>();
    both::<DrawPolicy>();
    both::<GoTo>();
    both::<pgn::Flow>();
    both::<pgn::Games<'_>>();
    both::<pgn::Interrupt<()>>();
    both::<pgn::Notation>();
    both::<pgn::PgnGame>();
    both::<pgn::ReadError<(), ()>>();
    both::<pgn::ReadSource<&[u8]>>();
    both::<pgn::Reader<&[u8]>>();
    both::<pgn::RecordReader<&[u8]>>();
    both::<pgn::Replay<()>>();
    both::<pgn::Text<'_>>();
    both::<pgn::TextPosition>();
    both::<pgn::Canceled>();
    both::<pgn::LostThread>();
    both::<pgn::PartEvent<()>>();
}

#[test]
fn no_public_type_is_left_out() {
    let left_out = test_suites::unlisted_types("game", include_str!("threads.rs"));
    assert!(left_out.is_empty(), "not in the list above: {left_out:?}");
}
