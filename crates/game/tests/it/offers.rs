//! Draw offers, takebacks, resignations.

use tabiya_game::{Command, Event, GoTo, Outcome, Refusal, Session, Takeback};
use tabiya_rules::Color::{self, Black, White};

use crate::common::{apply, play, refused};

#[test]
fn an_offer_is_accepted_or_declined_by_the_opponent() {
    let mut session = Session::default();
    assert_eq!(
        refused(&mut session, Command::AcceptDraw(White)),
        Refusal::NoDrawOffer { by: White }
    );
    assert_eq!(
        apply(&mut session, Command::OfferDraw(White)).unwrap(),
        [Event::DrawOffered { by: White }]
    );
    assert_eq!(session.draw_offer(), Some(White));
    for by in Color::ALL {
        let refusal = refused(&mut session, Command::OfferDraw(by));
        assert_eq!(
            refusal.to_string(),
            "White has offered a draw already: Black can accept or decline."
        );
    }
    assert_eq!(
        refused(&mut session, Command::AcceptDraw(White)),
        Refusal::NoDrawOffer { by: White }
    );
    assert_eq!(
        refused(&mut session, Command::DeclineDraw(White)),
        Refusal::NoDrawOffer { by: White }
    );
    assert_eq!(
        apply(&mut session, Command::DeclineDraw(Black)).unwrap(),
        [Event::DrawDeclined { by: Black }]
    );
    assert_eq!(session.draw_offer(), None);
    assert_eq!(
        refused(&mut session, Command::AcceptDraw(Black)).to_string(),
        "There is no draw offer for Black to answer."
    );
    apply(&mut session, Command::OfferDraw(Black)).unwrap();
    let events = apply(&mut session, Command::AcceptDraw(White)).unwrap();
    assert_eq!(
        events,
        [
            Event::DrawAccepted { by: White },
            Event::Ended(Outcome::Agreement)
        ]
    );
    assert_eq!(session.outcome().unwrap().to_string(), "Draw agreed.");
    assert_eq!(session.draw_offer(), None);
}

#[test]
fn an_offer_lives_until_the_opponent_moves() {
    let mut session = Session::default();
    apply(&mut session, Command::OfferDraw(White)).unwrap();
    play(&mut session, "e4");
    assert_eq!(session.draw_offer(), Some(White));
    let events = play(&mut session, "e5");
    assert_eq!(events[1..], [Event::DrawLapsed { by: White }]);
    assert_eq!(session.draw_offer(), None);
    // Offered while the opponent thinks.
    apply(&mut session, Command::OfferDraw(Black)).unwrap();
    play(&mut session, "Nf3");
    assert_eq!(session.draw_offer(), None);
    // Walking through the record is not an answer.
    apply(&mut session, Command::OfferDraw(Black)).unwrap();
    apply(&mut session, Command::GoTo(GoTo::Start)).unwrap();
    apply(&mut session, Command::GoTo(GoTo::End)).unwrap();
    assert_eq!(session.draw_offer(), Some(Black));
    // The end of the game is one.
    apply(&mut session, Command::Resign(Black)).unwrap();
    assert_eq!(session.draw_offer(), None);
}

/// An offer or request belongs to the place where it was made, and does not outlive it.
#[test]
fn an_offer_ends_where_the_game_goes_another_way() {
    let offered = || {
        let mut session = Session::default();
        play(&mut session, "e4");
        apply(&mut session, Command::OfferDraw(White)).unwrap();
        session
    };
    let mut session = offered();
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(session.draw_offer(), None);
    play(&mut session, "d4");
    assert_eq!(
        refused(&mut session, Command::AcceptDraw(Black)),
        Refusal::NoDrawOffer { by: Black }
    );
    // Going back and playing another move is not an answer either.
    let mut session = offered();
    apply(&mut session, Command::GoTo(GoTo::Start)).unwrap();
    play(&mut session, "d4");
    assert_eq!(session.draw_offer(), None);
    // A move that follows an offer keeps it, even in a new variation.
    let mut session = offered();
    apply(&mut session, Command::undo(1)).unwrap();
    apply(&mut session, Command::OfferDraw(White)).unwrap();
    play(&mut session, "d4");
    assert_eq!(session.draw_offer(), Some(White));
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(session.draw_offer(), None);
    apply(&mut session, Command::Redo(1)).unwrap();
    assert_eq!(session.draw_offer(), Some(White), "nothing has changed");
    let mut session = offered();
    apply(&mut session, Command::AskTakeback(White)).unwrap();
    apply(&mut session, Command::GrantTakeback(Black)).unwrap();
    assert_eq!(session.draw_offer(), None);
}

/// Loading a game announces its pending offers.
#[test]
fn a_restored_game_says_what_is_offered() {
    let mut session = Session::default();
    play(&mut session, "e4");
    apply(&mut session, Command::OfferDraw(White)).unwrap();
    apply(&mut session, Command::AskTakeback(White)).unwrap();
    let load = Command::LoadGame(Box::new(session.save()));
    let mut other = Session::default();
    assert_eq!(
        apply(&mut other, load).unwrap(),
        [
            Event::GameLoaded,
            Event::DrawOffered { by: White },
            Event::TakebackAsked { by: White }
        ]
    );
    play(&mut other, "e5");
    assert_eq!((other.draw_offer(), other.takeback()), (None, None));
}

#[test]
fn an_offer_ends_with_a_mate() {
    let mut session = Session::default();
    play(&mut session, "f3 e5 g4");
    apply(&mut session, Command::OfferDraw(Black)).unwrap();
    play(&mut session, "Qh4");
    assert_eq!(session.draw_offer(), None);
    assert!(matches!(
        refused(&mut session, Command::AcceptDraw(White)),
        Refusal::GameOver(_)
    ));
}

#[test]
fn anyone_may_resign_at_any_time() {
    for by in Color::ALL {
        let mut session = Session::default();
        play(&mut session, "e4");
        let events = apply(&mut session, Command::Resign(by)).unwrap();
        assert_eq!(
            events,
            [
                Event::Resigned { by },
                Event::Ended(Outcome::Resignation { loser: by })
            ]
        );
        assert_eq!(
            session.outcome().unwrap().to_string(),
            format!("{by} resigns. {} wins.", !by)
        );
        let refusal = refused(&mut session, Command::Resign(!by));
        assert_eq!(
            refusal.to_string(),
            format!("The game is over: {by} resigns. {} wins.", !by)
        );
    }
}

#[test]
fn a_takeback_goes_to_before_the_askers_last_move() {
    let mut session = Session::default();
    let refusal = refused(&mut session, Command::AskTakeback(White));
    assert_eq!(refusal.to_string(), "White has no move to take back.");
    play(&mut session, "e4");
    assert_eq!(
        refused(&mut session, Command::AskTakeback(Black)),
        Refusal::NoMoveToTakeBack { by: Black }
    );
    assert_eq!(
        apply(&mut session, Command::AskTakeback(White)).unwrap(),
        [Event::TakebackAsked { by: White }]
    );
    assert_eq!(session.takeback(), Some(Takeback { by: White, to: 0 }));
    assert_eq!(
        refused(&mut session, Command::AskTakeback(Black)).to_string(),
        "White has asked for a takeback already: Black can grant or decline."
    );
    assert_eq!(
        refused(&mut session, Command::GrantTakeback(White)),
        Refusal::NoTakeback { by: White }
    );
    assert_eq!(
        apply(&mut session, Command::DeclineTakeback(Black)).unwrap(),
        [Event::TakebackDeclined { by: Black }]
    );
    assert_eq!(
        refused(&mut session, Command::DeclineTakeback(Black)).to_string(),
        "There is no takeback for Black to answer."
    );
    play(&mut session, "e5 Nf3 Nc6");
    apply(&mut session, Command::AskTakeback(White)).unwrap();
    let events = apply(&mut session, Command::GrantTakeback(Black)).unwrap();
    assert_eq!(
        events,
        [
            Event::TakebackGranted { by: Black },
            Event::Undone {
                plies: 2,
                reopened: None
            }
        ]
    );
    assert_eq!(
        session.position().fen(),
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    );
    // Nothing is lost.
    apply(&mut session, Command::Redo(2)).unwrap();
    assert_eq!(session.ply(), 4);
    apply(&mut session, Command::AskTakeback(Black)).unwrap();
    let events = play(&mut session, "Bb5");
    assert_eq!(events[1..], [Event::TakebackLapsed { by: Black }]);
}

#[test]
fn a_takeback_dies_with_the_opponents_move_or_for_lack_of_moves() {
    let mut session = Session::default();
    play(&mut session, "e4");
    apply(&mut session, Command::AskTakeback(White)).unwrap();
    play(&mut session, "e5");
    assert_eq!(session.takeback(), None);
    apply(&mut session, Command::AskTakeback(Black)).unwrap();
    apply(&mut session, Command::undo(1)).unwrap();
    assert_eq!(
        refused(&mut session, Command::GrantTakeback(White)),
        Refusal::NoTakeback { by: White }
    );
    apply(&mut session, Command::Redo(1)).unwrap();
    apply(&mut session, Command::GrantTakeback(White)).unwrap();
    assert_eq!(session.ply(), 1);
    apply(&mut session, Command::Redo(1)).unwrap();
    apply(&mut session, Command::AskTakeback(Black)).unwrap();
    apply(&mut session, Command::Resign(Black)).unwrap();
    assert_eq!(session.takeback(), None);
    assert!(matches!(
        refused(&mut session, Command::AskTakeback(White)),
        Refusal::GameOver(_)
    ));
}
