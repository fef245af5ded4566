//! What the desk decides, the same for all fronts: which board is meant, what is saved when, and what is asked before.

use tabiya_game::{MoveInput, TimeControl};
use tabiya_rules::{Color, SplitMix64};

use super::*;
use crate::opponents::Opponents;
use crate::outcome::TableRefusal;
use crate::request::NotesRequest;
use crate::review::Source;

const NOW: Timestamp = Timestamp::ORIGIN;

/// Where the games of these tests come from.
#[derive(Clone, Debug, PartialEq)]
enum From {
    Played,
    File(&'static str),
}

impl Source for From {
    fn person(&self) -> Option<Color> {
        None
    }
}

impl DeskSource for From {
    fn played(_: &ByColor<Option<PlayerSpec>>) -> From {
        From::Played
    }

    fn judgment_home(&self) -> JudgmentHome {
        match self {
            From::Played => JudgmentHome::Played,
            From::File(_) => JudgmentHome::Nowhere,
        }
    }

    fn is_same_stored(&self, other: &From) -> bool {
        self == other && *self != From::Played
    }
}

fn desk(display: Display) -> Desk<From> {
    let game = NewGame::default().with_clock(&"5+0".parse::<TimeControl>().expect("a clock"));
    let table = Table::new(game, display, Opponents::default(), SplitMix64::new(1));
    let mut desk = Desk::new(table);
    desk.handle(DeskRequest::Begin, NOW);
    desk
}

fn play(desk: &mut Desk<From>, moves: &str) -> DeskOutcomes {
    let play = |text: &str| {
        let input = MoveInput::Text(text.to_owned());
        desk.handle(GameRequest::Play(input), NOW)
    };
    moves.split(' ').flat_map(play).collect()
}

fn review(desk: &mut Desk<From>, moves: &'static str) -> DeskOutcomes {
    let mut record = Record::default();
    record
        .add_line(record.root().id(), moves.split(' '))
        .expect("legal moves");
    desk.handle(
        DeskRequest::Review(Box::new(record), From::File(moves)),
        NOW,
    )
}

/// What was ordered to be saved.
fn saves(outcomes: &[DeskOutcome]) -> Vec<SaveOrder> {
    let order = |outcome: &DeskOutcome| match outcome {
        DeskOutcome::Save(order) => Some(*order),
        _ => None,
    };
    outcomes.iter().filter_map(order).collect()
}

#[test]
fn a_game_shown_as_text_waits_for_its_review_and_on_a_screen_it_goes_on() {
    for (display, waits) in [(Display::Text, true), (Display::Board, false)] {
        let mut desk = desk(display);
        play(&mut desk, "e4 e5");
        let opened = desk.handle(DeskRequest::ReviewGame, NOW);
        assert!(opened.contains(&DeskOutcome::Opened));
        assert_eq!(desk.game().session().is_paused(), waits);
        // The same moves, tried out in the review.
        play(&mut desk, "d4");
        assert_eq!(desk.front().session().record().len(), 4);
        assert_eq!(desk.game().session().record().len(), 3);
        let back = match display {
            Display::Text => DeskRequest::CloseReview,
            Display::Board => DeskRequest::Show(BoardId::Game),
        };
        desk.handle(back, NOW);
        assert_eq!(desk.front_id(), BoardId::Game);
        assert_eq!(desk.review().is_some(), display == Display::Board);
        assert!(!desk.game().session().is_paused());
        // A game that its players had paused stays paused.
        desk.handle(GameRequest::Pause, NOW);
        desk.handle(DeskRequest::ReviewGame, NOW);
        desk.handle(DeskRequest::CloseReview, NOW);
        assert!(desk.game().session().is_paused());
    }
}

#[test]
fn a_request_is_about_the_board_in_front_but_another_game_is_not() {
    for display in [Display::Text, Display::Board] {
        let mut desk = desk(display);
        play(&mut desk, "e4");
        review(&mut desk, "d4 d5");
        let resigned = desk.handle(GameRequest::Resign(None), NOW);
        let refused = DeskOutcome::At(
            BoardId::Review,
            Outcome::Refused(TableRefusal::OnlyReviewed),
        );
        assert_eq!(resigned, [refused]);
        let opponent = Request::Opponent(None, PlayerSpec::Bot(None));
        desk.handle(opponent, NOW);
        assert!(desk.game().opponents().person().is_some());
        desk.handle(GameRequest::New(Box::default()), NOW);
        assert_eq!(desk.front_id(), BoardId::Game);
        assert_eq!(desk.game().session().ply(), 0);
    }
}

/// A program that is killed does not give back the time that a player has used since the last move.
#[test]
fn the_time_on_a_running_clock_is_saved() {
    let after = |seconds: u64| Timestamp::from_millis(seconds * 1000);
    let mut desk = desk(Display::Text);
    play(&mut desk, "e4");
    assert!(desk.clock_to_save(after(3)).is_none(), "nothing is saved");
    for saving in [Saving::OnRequest, Saving::EveryChange] {
        desk.set_saving(saving);
        let saved = desk.clock_to_save(after(3)).expect("a running clock");
        let resumed = Session::restore(saved.save());
        let left = resumed.clock(NOW).left.black.expect("a clock");
        assert_eq!(left.as_secs(), 297);
        // A fallen flag ends the game, which is another change.
        assert!(!desk.saves_clock(after(300)));
    }
    // The time runs at the position where the game stands, and not while it is paused.
    desk.handle(GameRequest::GoTo(Target::Start), NOW);
    desk.handle(GameRequest::GoTo(Target::End), NOW);
    assert!(desk.saves_clock(after(3)));
    desk.handle(GameRequest::Pause, NOW);
    assert!(!desk.saves_clock(after(3)));
}

#[test]
fn what_happened_is_saved_before_it_is_shown() {
    let mut desk = desk(Display::Board);
    desk.set_saving(Saving::EveryChange);
    let outcomes = play(&mut desk, "e4");
    assert_eq!(outcomes[0], DeskOutcome::Save(SaveOrder::Game));
    assert!(matches!(
        outcomes[1],
        DeskOutcome::At(BoardId::Game, Outcome::Happened(_))
    ));
    assert!(!desk.has_unsaved_game());
    let again = desk.handle(GameRequest::Rematch, NOW);
    let release = SaveOrder::ReleaseGame { is_whole: true };
    assert_eq!(saves(&again), [release]);
    // A review is saved once something was added to it.
    assert_eq!(saves(&review(&mut desk, "d4 d5")), []);
    assert_eq!(saves(&play(&mut desk, "d4")), [], "nothing is new");
    let comment = NotesRequest::Comment("best by test".to_owned());
    assert_eq!(saves(&desk.handle(comment, NOW)), [SaveOrder::Review]);
    assert!(desk.has_unsaved_review());
    // The same game is opened only once, and another one takes its place.
    assert_eq!(saves(&review(&mut desk, "d4 d5")), []);
    assert!(desk.has_unsaved_review());
    assert_eq!(saves(&review(&mut desk, "c4")), [SaveOrder::DiscardReview]);
    assert!(!desk.has_unsaved_review());
}

#[test]
fn without_autosave_the_game_is_unsaved_until_another_one_begins() {
    let mut desk = desk(Display::Text);
    desk.set_saving(Saving::OnRequest);
    assert_eq!(saves(&play(&mut desk, "e4")), []);
    assert!(desk.has_unsaved_game());
    desk.mark_written();
    assert!(!desk.has_unsaved_game());
    // Looking back changes nothing that a file shows.
    desk.handle(GameRequest::GoTo(Target::Start), NOW);
    desk.handle(GameRequest::GoTo(Target::End), NOW);
    assert!(!desk.has_unsaved_game());
    play(&mut desk, "e5");
    let begun = desk.handle(GameRequest::New(Box::default()), NOW);
    let release = SaveOrder::ReleaseGame { is_whole: false };
    assert_eq!(saves(&begun), [release]);
    assert!(!desk.has_unsaved_game());
    // Where nobody expects it, nothing is said.
    desk.set_saving(Saving::Never);
    play(&mut desk, "e4");
    assert!(!desk.has_unsaved_game());
}

#[test]
fn the_game_that_ended_last_is_within_reach_until_the_next_one_is_played() {
    let mut desk = desk(Display::Text);
    play(&mut desk, "f3 e5 g4 Qh4");
    desk.handle(DeskRequest::StartNext, NOW);
    assert_eq!(desk.game().session().ply(), 0);
    let Filed::Finished(finished) = desk.filed() else {
        panic!("{:?}", desk.filed());
    };
    assert_eq!(finished.session.ply(), 4);
    desk.handle(DeskRequest::ReviewGame, NOW);
    assert!(matches!(desk.filed(), Filed::Review(_)));
    assert_eq!(desk.front().session().record().len(), 5);
    desk.handle(DeskRequest::CloseReview, NOW);
    assert!(desk.finished().is_some());
    play(&mut desk, "e4");
    assert!(matches!(desk.filed(), Filed::Game(_)));
}

/// A finished game against an engine, with the judgment that was saved with it.
fn resume_judged(desk: &mut Desk<From>) {
    let text = "{[%eval 0.3]} 1. f3 {[%eval -0.9]} e5 {[%eval -0.9]} 2. g4 {[%eval #-1]} Qh4# 0-1";
    let game = tabiya_game::pgn::games(text.as_bytes()).next();
    let resume = DeskRequest::Resume {
        game: Box::new(game.expect("a game").record),
        players: ByColor::new(Some(PlayerSpec::Human), Some(PlayerSpec::Bot(None))),
        clocks: ResumedClocks::Stopped,
    };
    desk.handle(resume, NOW);
}

#[test]
fn a_game_that_is_over_is_judged_and_tried_again_in_a_review() {
    for display in [Display::Text, Display::Board] {
        let mut desk = desk(display);
        resume_judged(&mut desk);
        let is_retry = |outcome: &DeskOutcome| {
            matches!(outcome, DeskOutcome::At(BoardId::Review, Outcome::Retry(_)))
        };
        let tried = desk.handle(StudyRequest::Retry, NOW);
        assert!(tried.iter().any(is_retry), "{display:?}: {tried:?}");
        desk.handle(DeskRequest::CloseReview, NOW);
        desk.handle(StudyRequest::Judge(PlayerSpec::Bot(None)), NOW);
        assert_eq!(desk.front_id(), BoardId::Review, "{display:?}");
        let tried = desk.handle(StudyRequest::Retry, NOW);
        assert!(tried.iter().any(is_retry), "{display:?}: {tried:?}");
    }
    // The line mode has begun the next game, and a game without a judgment is left as it is.
    let mut desk = desk(Display::Text);
    resume_judged(&mut desk);
    desk.handle(DeskRequest::StartNext, NOW);
    desk.handle(StudyRequest::Retry, NOW);
    assert_eq!(desk.front_id(), BoardId::Review);
    let mut desk = self::desk(Display::Text);
    play(&mut desk, "f3 e5 g4 Qh4");
    let refused = DeskOutcome::At(BoardId::Game, Outcome::Refused(TableRefusal::NotJudged));
    assert_eq!(desk.handle(StudyRequest::Retry, NOW), [refused]);
}

#[test]
fn whatever_loses_something_is_asked_about() {
    use DeskQuestion::{TakeBack, UnsavedGame, UnsavedReview};
    let asked = |desk: &Desk<From>, step: Step<'_, From>| desk.question_before(&step, NOW);
    for display in [Display::Text, Display::Board] {
        let is_text = display == Display::Text;
        let mut desk = desk(display);
        desk.set_saving(Saving::OnRequest);
        let other = From::File("e4");
        let steps = || {
            let other = &other;
            [
                Step::NewGame,
                Step::Review(Some(other)),
                Step::Review(None),
                Step::CloseReview,
                Step::Quit,
            ]
        };
        let all = |desk: &Desk<From>| steps().map(|step| asked(desk, step));
        assert_eq!(all(&desk), [None; 5]);
        play(&mut desk, "e4 e5 Nf3");
        let game = Some(UnsavedGame);
        assert_eq!(all(&desk), [game, None, None, None, game]);
        // The clock runs, so another move at an earlier position takes back what followed.
        desk.handle(
            GameRequest::GoTo(Target::Move {
                number: 1,
                by: Color::White,
            }),
            NOW,
        );
        let text = |text: &str| MoveInput::Text(text.to_owned());
        let (same, different) = (text("e5"), text("c5"));
        assert_eq!(asked(&desk, Step::Play(&same)), None);
        let back = asked(&desk, Step::Play(&different));
        assert!(matches!(back, Some(TakeBack(_))), "{back:?}");
        desk.mark_written();
        review(&mut desk, "d4 d5");
        play(&mut desk, "c4");
        let review = Some(UnsavedReview);
        let new_game = review.filter(|_| is_text);
        assert_eq!(all(&desk), [new_game, review, review, review, review]);
        let same = From::File("d4 d5");
        assert_eq!(asked(&desk, Step::Review(Some(&same))), None, "it is open");
    }
}
