//! Rules are parsed, and end a game exactly when both sides agree for long enough.

use super::*;

fn judge(rules: &[&str]) -> Adjudicator {
    let rules = rules.iter().map(|rule| rule.parse().expect(rule));
    Adjudicator::new(rules.fold(Adjudication::default(), Adjudication::with))
}

/// The judge's verdict on alternating scores of White and Black.
fn hear(judge: &mut Adjudicator, scores: &[i32]) -> Option<Ruling> {
    let mut verdict = None;
    for (at, &score) in scores.iter().enumerate() {
        let side = if at % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        let number = u32::try_from(at / 2 + 1).expect("a short game");
        assert_eq!(verdict, None, "the verdict came before score {at}");
        verdict = judge.hear(side, Some(Score::Centipawns(score)), number);
    }
    verdict
}

#[test]
fn what_is_no_rule_is_refused() {
    for text in [
        "",
        "resign",
        "resign:600",
        "resign:600:0",
        "resign:-6:4",
        "resign:600:4:1",
        "draw:10:8",
        "length:",
        "length:x",
        "mercy:1",
        "resign:4294967295:1",
    ] {
        assert_eq!(text.parse::<Rule>(), Err(RuleError), "{text}");
    }
}

#[test]
fn without_rules_nothing_ends() {
    assert_eq!(hear(&mut judge(&[]), &[0; 2000]), None);
}

#[test]
fn a_win_needs_both_sides_for_so_many_moves() {
    let rules = ["resign:500:2"];
    let won = Some(Ruling::Wins(Color::Black));
    assert_eq!(hear(&mut judge(&rules), &[-500, 600, -500, 600]), won);
    assert_eq!(hear(&mut judge(&rules), &[-500, 499, -500, 600]), None);
    // White has doubts for a moment, and the count starts over.
    let doubts = [-500, 600, 0, 600, -500, 600, -500];
    assert_eq!(hear(&mut judge(&rules), &doubts), won);
}

#[test]
fn a_mate_counts_and_silence_does_not() {
    let mut judge = judge(&["resign:500:1"]);
    let said = Some(Score::MatedIn(3));
    assert_eq!(judge.hear(Color::White, said, 1), None);
    assert_eq!(judge.hear(Color::Black, None, 1), None);
    assert_eq!(judge.hear(Color::White, said, 2), None);
    let said = Some(Score::MateIn(2));
    assert_eq!(
        judge.hear(Color::Black, said, 2),
        Some(Ruling::Wins(Color::Black))
    );
}

#[test]
fn a_draw_needs_both_sides_and_a_late_hour() {
    let rules = ["draw:10:2:4"];
    let draw = Some(Ruling::Draw);
    // Four quiet plies are enough only from move 4 on, which is the seventh ply.
    assert_eq!(hear(&mut judge(&rules), &[0, 0, 0, 0, 0, 0, 0]), draw);
    assert_eq!(
        hear(&mut judge(&rules), &[0, 0, 0, 0, 11, 0, 0, 0, 0]),
        draw
    );
}

#[test]
fn a_long_game_is_a_draw() {
    assert_eq!(
        hear(
            &mut judge(&["length:3"]),
            &[900, -900, 900, -900, 900, -900]
        ),
        Some(Ruling::Draw)
    );
}
