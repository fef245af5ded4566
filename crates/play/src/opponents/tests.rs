//! Engines are asked on their turn, and late answers are not played.

use tabiya_game::NewGame;
use tabiya_rules::{Position, SplitMix64};
use tabiya_uci::{BoundedScore, Info};

use super::*;
use crate::players::Level;

const NOW: Timestamp = Timestamp::ORIGIN;

fn against_bot() -> (Opponents, Session) {
    let specs = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(Level::new(3)));
    (Opponents::new(specs), Session::new(NewGame::default()))
}

fn play(session: &mut Session, text: &str) {
    session.apply(Command::play(text), NOW).expect("legal");
}

fn number(orders: &[EngineOrder]) -> u64 {
    match orders {
        [.., EngineOrder::Think(task)] => task.number,
        other => panic!("no search: {other:?}"),
    }
}

fn best(session: &Session, text: &str) -> BestMove {
    BestMove {
        best: session.position().parse_san(text).ok(),
        ponder: None,
    }
}

fn report(score: i32) -> SearchInfo {
    SearchInfo::new(
        Box::new(Info::new().with_score(BoundedScore::exact(Score::Centipawns(score)))),
        Vec::new(),
    )
}

#[test]
fn an_engine_is_asked_on_its_turn_and_once() {
    let (mut table, mut session) = against_bot();
    assert_eq!(table.update(&session, NOW), []);
    play(&mut session, "e4");
    let search = number(&table.update(&session, NOW));
    assert_eq!(table.update(&session, NOW), []);
    let m = table.answer(Color::Black, search, best(&session, "e5"));
    assert!(m.is_some());
    assert!(table.thinking().is_none());
    // The same answer again belongs to no search.
    assert_eq!(
        table.answer(Color::Black, search, best(&session, "e5")),
        None
    );
}

#[test]
fn a_move_that_is_taken_back_ends_the_search() {
    let (mut table, mut session) = against_bot();
    play(&mut session, "e4");
    let search = number(&table.update(&session, NOW));
    session
        .apply(Command::AskTakeback(Color::White), NOW)
        .expect("a move");
    let granted = table.pending_command(&session).expect("an engine agrees");
    session.apply(granted, NOW).expect("granted");
    assert_eq!(table.pending_command(&session), None);
    let orders = table.update(&session, NOW);
    assert_eq!(orders, [EngineOrder::Stop(Seat::Side(Color::Black))]);
    assert_eq!(
        table.answer(Color::Black, search, best(&session, "e4")),
        None
    );
    play(&mut session, "d4");
    assert!(number(&table.update(&session, NOW)) > search);
}

#[test]
fn a_draw_is_agreed_to_by_evaluation_and_not_at_once() {
    let (mut table, mut session) = against_bot();
    for text in [
        "Nf3", "Nf6", "Ng1", "Ng8", "e3", "e6", "d3", "d6", "c3", "c6", "h3",
    ] {
        play(&mut session, text);
    }
    session
        .apply(Command::OfferDraw(Color::White), NOW)
        .expect("an offer");
    let search = number(&table.update(&session, NOW));
    table.report(Color::Black, search, report(-10));
    // It would welcome a draw, but ten moves are too few.
    assert_eq!(
        table.pending_command(&session),
        Some(Command::DeclineDraw(Color::Black))
    );
    session
        .apply(Command::DeclineDraw(Color::Black), NOW)
        .expect("declined");
    for text in [
        "h6", "g3", "g6", "b3", "b6", "a3", "a6", "Nd2", "Nd7", "Rb1", "Rb8",
    ] {
        play(&mut session, text);
    }
    session
        .apply(Command::OfferDraw(Color::White), NOW)
        .expect("an offer");
    assert_eq!(
        table.pending_command(&session),
        Some(Command::AcceptDraw(Color::Black))
    );
    table.update(&session, NOW);
    table.scores[Color::Black] = Some(Score::Centipawns(40));
    assert_eq!(
        table.pending_command(&session),
        Some(Command::DeclineDraw(Color::Black))
    );
}

#[test]
fn an_engine_that_fails_leaves_its_side_to_a_person() {
    let (mut table, mut session) = against_bot();
    play(&mut session, "e4");
    table.update(&session, NOW);
    let orders = table.fail(Color::Black);
    assert_eq!(orders, [EngineOrder::Dismiss(Seat::Side(Color::Black))]);
    assert!(table.is_human(Color::Black));
    assert_eq!(table.update(&session, NOW), []);
    // The next player takes the side that was left.
    let specs = table.seating(Some(PlayerSpec::Bot(None)), None);
    assert_eq!(specs.black, PlayerSpec::Bot(None));
    assert_eq!(specs.white, PlayerSpec::Human);
}

#[test]
fn a_person_can_change_sides() {
    let (table, _) = against_bot();
    let specs = table.seating(None, Some(Color::Black));
    assert_eq!(specs.black, PlayerSpec::Human);
    assert_eq!(specs.white, PlayerSpec::Bot(Level::new(3)));
    let people = table.seating(Some(PlayerSpec::Human), None);
    assert_eq!(people, ByColor::default());
}

/// A quiet game against a bot with Black, whose searches return the given scores: how it ends, and what else the bot
/// does.
fn quiet_game(level: u8, on: bool, scores: [i32; 9]) -> (Session, Vec<Command>) {
    let specs = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(Level::new(level)));
    let mut table = Opponents::new(specs);
    table.set_manners(on);
    let mut session = Session::new(NewGame::default());
    let mut done = Vec::new();
    let moves = [
        ["a3", "a6"],
        ["b3", "b6"],
        ["c3", "c6"],
        ["d3", "d6"],
        ["e3", "e6"],
        ["f3", "f6"],
        ["g3", "g6"],
        ["h3", "h6"],
        ["Ra2", "Ra7"],
    ];
    for (score, [white, black]) in scores.into_iter().zip(moves) {
        play(&mut session, white);
        let search = number(&table.update(&session, NOW));
        table.report(Color::Black, search, report(score));
        match table.answer(Color::Black, search, best(&session, black)) {
            Some(_) => play(&mut session, black),
            None => assert_eq!(
                table.pending_command(&session),
                Some(Command::Resign(Color::Black))
            ),
        }
        if let Some(command) = table.pending_command(&session) {
            session.apply(command.clone(), NOW).expect("it is due");
            done.push(command);
        }
        table.update(&session, NOW);
        if session.outcome().is_some() {
            break;
        }
    }
    (session, done)
}

#[test]
fn a_hopeless_game_is_resigned_by_stronger_bots() {
    let hopeless = [-950, -950, -950, 0, -900, -950, -1000, -2000, -3000];
    let (session, done) = quiet_game(5, true, hopeless);
    // Not before four moves in a row, and the move that was found is not played.
    assert_eq!(session.ply(), 15);
    assert_eq!(done, [Command::Resign(Color::Black)]);
    for (level, on) in [(4, true), (5, false)] {
        assert_eq!(quiet_game(level, on, hopeless).1, []);
    }
}

/// A bot that has considered its game even for a long time.
fn bored() -> Manners {
    let mut manners = Manners::default();
    (0..10).for_each(|_| manners.judge(Some(Score::Centipawns(-15))));
    manners
}

#[test]
fn a_draw_is_offered_late_and_seldom() {
    let mut manners = bored();
    assert!(!manners.offers_draw(79) && manners.offers_draw(80));
    manners.record_offer(80);
    assert!(!manners.offers_draw(119) && manners.offers_draw(120));
    // Something happens, and there is hope again.
    manners.judge(Some(Score::Centipawns(16)));
    assert!(!manners.offers_draw(120));
    assert!(!Manners::default().offers_draw(200));
}

#[test]
fn an_offer_is_made_after_the_move_and_once() {
    let specs = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(None));
    let mut table = Opponents::new(specs);
    let mut session = Session::new(NewGame::default());
    let mut random = SplitMix64::new(1);
    while session.ply() < 80 {
        let moves = session.position().legal_moves();
        let m = moves[random.below(moves.len())];
        session
            .apply(Command::Play(tabiya_game::MoveInput::Move(m)), NOW)
            .expect("legal");
        assert_eq!(session.outcome(), None);
    }
    table.manners[Color::Black] = bored();
    let offer = Command::OfferDraw(Color::Black);
    assert_eq!(table.pending_command(&session), Some(offer.clone()));
    session.apply(offer, NOW).expect("an offer");
    assert_eq!(table.pending_command(&session), None);
    table.update(&session, NOW);
    let declined = Command::DeclineDraw(Color::White);
    session.apply(declined, NOW).expect("declined");
    assert_eq!(table.pending_command(&session), None);
}

fn against_bot_from(fen: &str) -> (Opponents, Session) {
    let specs = ByColor::new(PlayerSpec::Human, PlayerSpec::Bot(Level::new(10)));
    let start = Position::from_fen(fen).expect("valid");
    let game = NewGame::default().with_start(start);
    (Opponents::new(specs), Session::new(game))
}

#[test]
fn a_bot_that_cannot_win_takes_any_draw() {
    let (mut table, mut session) = against_bot_from("4k3/8/8/8/8/8/8/R3K3 w - - 10 60");
    play(&mut session, "Ra2");
    session
        .apply(Command::OfferDraw(Color::White), NOW)
        .expect("an offer");
    table.update(&session, NOW);
    assert_eq!(
        table.pending_command(&session),
        Some(Command::AcceptDraw(Color::Black))
    );
}

#[test]
fn a_bot_claims_a_draw_on_its_first_turn_and_with_a_drawn_score() {
    // Material is even: it claims before it has searched.
    let (table, mut session) = against_bot_from("r3k3/8/8/8/8/8/8/R3K3 w - - 99 60");
    play(&mut session, "Ra2");
    assert_eq!(table.pending_command(&session), Some(Command::claim()));
    // It is a queen up, but its search says that the game is drawn.
    let (mut table, mut session) = against_bot_from("q3k3/8/8/8/8/8/8/R3K3 w - - 99 60");
    play(&mut session, "Rb1");
    assert_eq!(table.pending_command(&session), None);
    let search = number(&table.update(&session, NOW));
    table.report(Color::Black, search, report(1));
    assert_eq!(table.pending_command(&session), Some(Command::claim()));
}
