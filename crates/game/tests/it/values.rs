//! Small values: outcomes and results, time controls as text, tags, comments and their commands.

use core::time::Duration;

use tabiya_game::{
    Annotation, Bonus, Comment, DrawBy, Evaluation, GameResult, Glyph, MarkColor, MoveRefusal,
    Outcome, Period, Refusal, TagError, Tags, TimeControl, TimeControlError, clock_text,
    parse_clock,
};
use tabiya_rules::{Color, Score, Square};

const ENDINGS: &str = include_str!("../../../../docs/endings.md");

fn control(text: &str) -> TimeControl {
    text.parse().unwrap()
}

#[test]
fn every_outcome_has_its_sentence_result_and_word() {
    let white = Some(Color::White);
    for (outcome, sentence, result, word) in [
        (
            Outcome::Checkmate {
                winner: Color::White,
            },
            "Checkmate! White wins.",
            "1-0",
            "checkmate",
        ),
        (
            Outcome::Stalemate,
            "Stalemate! The game is a draw.",
            "1/2-1/2",
            "stalemate",
        ),
        (
            Outcome::InsufficientMaterial,
            "Draw by insufficient material.",
            "1/2-1/2",
            "insufficient_material",
        ),
        (
            Outcome::DeadPosition,
            "Draw by dead position.",
            "1/2-1/2",
            "dead_position",
        ),
        (
            Outcome::Threefold(DrawBy::Claim),
            "Draw claimed by threefold repetition.",
            "1/2-1/2",
            "threefold",
        ),
        (
            Outcome::Threefold(DrawBy::Policy),
            "Draw by threefold repetition.",
            "1/2-1/2",
            "threefold",
        ),
        (
            Outcome::FiftyMoves(DrawBy::Claim),
            "Draw claimed by 50-move rule.",
            "1/2-1/2",
            "fifty",
        ),
        (
            Outcome::FiftyMoves(DrawBy::Policy),
            "Draw by 50-move rule.",
            "1/2-1/2",
            "fifty",
        ),
        (
            Outcome::Fivefold,
            "Draw by fivefold repetition.",
            "1/2-1/2",
            "fivefold",
        ),
        (
            Outcome::SeventyFiveMoves,
            "Draw by 75-move rule.",
            "1/2-1/2",
            "seventy_five",
        ),
        (Outcome::Agreement, "Draw agreed.", "1/2-1/2", "agreement"),
        (
            Outcome::Resignation {
                loser: Color::White,
            },
            "White resigns. Black wins.",
            "0-1",
            "resignation",
        ),
        (
            Outcome::Time {
                loser: Color::Black,
            },
            "Black ran out of time. White wins.",
            "1-0",
            "time",
        ),
        (
            Outcome::TimeWithoutMaterial {
                flagged: Color::White,
            },
            "White ran out of time. The game is a draw.",
            "1/2-1/2",
            "time_without_material",
        ),
        (
            Outcome::Abandoned { winner: None },
            "Game abandoned. No result.",
            "*",
            "abandoned",
        ),
        (
            Outcome::Abandoned { winner: white },
            "Game abandoned. White wins.",
            "1-0",
            "abandoned",
        ),
        (
            Outcome::Adjudicated { winner: None },
            "Game adjudicated. The game is a draw.",
            "1/2-1/2",
            "adjudicated",
        ),
        (
            Outcome::RulesInfraction {
                loser: Color::White,
            },
            "White broke the rules. Black wins.",
            "0-1",
            "rules_infraction",
        ),
        (
            Outcome::Recorded { winner: None },
            "The record ends here. The game is a draw.",
            "1/2-1/2",
            "recorded",
        ),
    ] {
        assert_eq!(outcome.to_string(), sentence);
        // The page about endings has each of them, whoever wins.
        let by_black = sentence.replace("White wins", "Black wins");
        let has = |text: &str| ENDINGS.contains(&format!("`{text}`"));
        assert!(has(sentence) || has(&by_black), "{sentence}");
        assert!(has(word), "{word}");
        assert_eq!(outcome.result().to_string(), result);
        assert_eq!(outcome.reason(), word);
        assert_eq!(outcome.is_draw(), result == "1/2-1/2");
        assert_eq!(outcome.winner(), outcome.result().winner());
        assert_eq!(result.parse::<GameResult>().unwrap(), outcome.result());
    }
    let error = "2-0".parse::<GameResult>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "A result is one of 1-0, 0-1, 1/2-1/2 and *."
    );
    assert_eq!(GameResult::won_by(Color::Black), GameResult::BlackWins);
}

#[test]
fn time_controls_read_and_write() {
    let minutes = |n: u64| Duration::from_secs(60 * n);
    assert_eq!(control("5"), TimeControl::sudden_death(minutes(5)).unwrap());
    assert_eq!(control("5+0"), control("5"));
    assert_eq!(
        control("5+3"),
        TimeControl::increment(minutes(5), Duration::from_secs(3)).unwrap()
    );
    for (text, written, pgn) in [
        ("5", "5+0", "300"),
        ("5+3", "5+3", "300+3"),
        ("0.5+1", "30s+1s", "30+1"),
        ("5s+0.05s", "5s+0.05s", "5+0.05"),
        ("1h+1m", "60+60", "3600+60"),
        ("40/90+30", "40/90+30", "40/5400+30"),
        ("40/90+30, 30+30", "40/90+30:30+30", "40/5400+30:1800+30"),
        (
            "40/120:20/60:15+10",
            "40/120+0:20/60+0:15+10",
            "40/7200:20/3600:900+10",
        ),
        ("5d3", "5d3", "300d3"),
        ("90sb2.5", "90sb2.5s", "90b2.5"),
        ("0+1", "0+1", "0+1"),
        ("0.000000001s", "0.000000001s+0s", "0.000000001"),
        (" unlimited ", "unlimited", "-"),
        ("none", "unlimited", "-"),
        ("-", "unlimited", "-"),
    ] {
        let read = control(text);
        assert_eq!(read.to_string(), written);
        assert_eq!(read.pgn(), pgn);
        assert_eq!(control(written), read);
        assert_eq!(TimeControl::from_pgn(pgn).unwrap(), read);
    }
}

#[test]
fn bad_time_controls_are_refused() {
    for text in [
        "", "x", "5+", "+3", "5+3+2", "5-3", "/5", "0/5", "+4/5", "4/", "5.", ".5", "5s5", "é",
        "5+3:", "1e3", "*60", "?",
    ] {
        let error = text.parse::<TimeControl>().unwrap_err();
        assert!(
            matches!(error, TimeControlError::Unreadable(_)),
            "{text}: {error:?}"
        );
        assert!(TimeControl::from_pgn(text).is_err());
    }
    for (text, error, sentence) in [
        (
            "5:3",
            TimeControlError::PeriodWithoutMoves,
            "Every period but the last needs a number of moves, as in 40/90+30:30+30.",
        ),
        (
            "0",
            TimeControlError::NoTime,
            "A clock needs some time to begin with.",
        ),
        (
            "60001",
            TimeControlError::TooLong,
            "A clock can hold a thousand hours at most.",
        ),
        (
            "5+9999999",
            TimeControlError::TooLong,
            "A clock can hold a thousand hours at most.",
        ),
    ] {
        assert_eq!(text.parse::<TimeControl>(), Err(error.clone()));
        assert_eq!(error.to_string(), sentence);
    }
    let many = "1/1:".repeat(17) + "1";
    assert_eq!(
        many.parse::<TimeControl>(),
        Err(TimeControlError::TooManyPeriods)
    );
    let period = Period {
        moves: None,
        time: Duration::from_secs(1),
        bonus: Bonus::None,
    };
    let error = TimeControl::periods(&[period; 17]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "A time control can have sixteen periods at most."
    );
    let long = "9".repeat(1 << 20).parse::<TimeControl>().unwrap_err();
    assert!(long.to_string().len() < 300);
    assert_eq!(control("5").stages().len(), 1);
}

#[test]
fn tags_keep_their_order_and_normal_form() {
    let mut tags = Tags::new();
    assert!(tags.is_empty());
    for (name, value) in [
        ("Opening", "Ruy"),
        ("Black", "B"),
        ("Event", "E"),
        ("ECO", "C60"),
        ("White", "W"),
    ] {
        tags.set(name, value).unwrap();
    }
    let names: Vec<&str> = tags.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["Event", "White", "Black", "Opening", "ECO"]);
    tags.set("Opening", "two\nlines").unwrap();
    assert_eq!(tags.get("Opening"), Some("two lines"));
    tags.set("White", "?").unwrap();
    tags.set("Date", "????.??.??").unwrap();
    assert_eq!(tags.get("White"), None);
    assert_eq!(tags.len(), 4);
    assert_eq!(tags.remove("ECO").as_deref(), Some("C60"));
    assert_eq!(tags.remove("ECO"), None);
    for name in ["", "a b", "a\"", "[a", "ä", &"x".repeat(256)] {
        assert_eq!(tags.set(name, "v"), Err(TagError::BadName(name.to_owned())));
    }
    for (name, value) in [
        ("Result", "1-0"),
        ("FEN", "x"),
        ("SetUp", "1"),
        ("Variant", "Chess 960"),
        ("Variant", "Fischerandom"),
    ] {
        let error = tags.set(name, value).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("The tag {name} follows from the game itself and cannot be set.")
        );
    }
    tags.set("Variant", "Atomic").unwrap();
    tags.set("Variant", "Standard").unwrap();
}

#[test]
fn comments_have_a_normal_form() {
    for (text, normal) in [
        ("plain", "plain"),
        (" a\t\r\nb  c ", "a b c"),
        ("} {", ") {"),
        ("[%clk 1:00:00]", "[ %clk 1:00:00]"),
        ("[[%%", "[[ %%"),
        ("\u{1b}[31mred\u{9b}", "[31mred"),
        ("Zug\u{a0}zwang", "Zug zwang"),
    ] {
        let comment = Comment::new(text).unwrap();
        assert_eq!(comment.as_str(), normal);
        assert_eq!(comment.to_string(), normal);
        assert_eq!(Comment::new(normal), Some(comment));
    }
    assert_eq!(Comment::new("\0"), None);
}

#[test]
fn embedded_commands_find_their_fields() {
    let mut annotation = Annotation::default();
    assert!(annotation.is_empty());
    for (name, argument) in [
        ("clk", "1:02:03.25"),
        ("emt", "59"),
        ("eval", "-0.35,20"),
        ("csl", "Ga1, Rh8"),
        ("cal", "Ye2e4,Bd1d8"),
        ("clk", "soon"),
        ("eval", "1.2.3"),
        ("csl", "Xa1"),
        ("cal", "Ge2"),
        ("tqu", ""),
        ("note", "two  words"),
    ] {
        annotation.add_command(name, argument).unwrap();
    }
    assert_eq!(annotation.clock, Some(Duration::from_millis(3_723_250)));
    assert_eq!(annotation.elapsed, Some(Duration::from_secs(59)));
    assert_eq!(
        annotation.evaluation,
        Some(Evaluation {
            score: Score::Centipawns(-35),
            depth: Some(20)
        })
    );
    assert_eq!(annotation.squares.len(), 2);
    assert_eq!(
        (annotation.squares[1].color, annotation.squares[1].square),
        (MarkColor::Red, Square::H8)
    );
    assert_eq!(annotation.arrows[0].color.letter(), 'Y');
    assert_eq!(
        (annotation.arrows[1].from, annotation.arrows[1].to),
        (Square::D1, Square::D8)
    );
    let rest: Vec<String> = annotation
        .commands()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        rest,
        [
            "[%clk soon]",
            "[%eval 1.2.3]",
            "[%csl Xa1]",
            "[%cal Ge2]",
            "[%tqu]",
            "[%note two words]"
        ]
    );
    let command = &annotation.commands()[5];
    assert_eq!((command.name(), command.argument()), ("note", "two words"));
    assert_eq!(annotation.remove_commands("clk").len(), 1);
    assert_eq!(annotation.commands().len(), 5);
    for (name, argument) in [("", "x"), ("a b", ""), ("x", "]"), ("x", "}"), ("é", "")] {
        let error = annotation.add_command(name, argument).unwrap_err();
        assert_eq!(
            error.to_string(),
            "The text cannot stand in an embedded command of a comment."
        );
    }
    for color in [
        MarkColor::Green,
        MarkColor::Red,
        MarkColor::Yellow,
        MarkColor::Blue,
    ] {
        assert_eq!(MarkColor::from_letter(color.letter()), Some(color));
    }
}

#[test]
fn evaluations_read_and_write() {
    for (text, written) in [
        ("0.35", "0.35"),
        ("+1.2", "1.20"),
        ("-0.05", "-0.05"),
        ("3", "3.00"),
        ("0.999", "0.99"),
        ("#3", "#3"),
        ("#-12,40", "#-12,40"),
        ("#+1", "#1"),
    ] {
        let evaluation: Evaluation = text.parse().unwrap();
        assert_eq!(evaluation.to_string(), written);
        assert_eq!(written.parse::<Evaluation>().unwrap(), evaluation);
    }
    for text in [
        "",
        "#",
        "-",
        "1.",
        ".5",
        "1,",
        "1,x",
        "99999999999",
        "21474837",
        "1.é",
        "--1",
        "#1.5",
    ] {
        assert!(text.parse::<Evaluation>().is_err(), "{text}");
    }
}

#[test]
fn clock_times_read_and_write() {
    for (text, time) in [
        ("0:00:00", Duration::ZERO),
        ("0:05:00.1", Duration::from_millis(300_100)),
        ("100:00:00", Duration::from_secs(360_000)),
        ("0:00:00.000000001", Duration::from_nanos(1)),
    ] {
        assert_eq!(clock_text(time).to_string(), text);
        assert_eq!(parse_clock(text), Some(time));
    }
    assert_eq!(
        parse_clock(&clock_text(Duration::MAX).to_string()),
        Some(Duration::MAX)
    );
    assert_eq!(parse_clock("1:30"), Some(Duration::from_secs(90)));
    assert_eq!(parse_clock("7.5"), Some(Duration::from_millis(7_500)));
    assert_eq!(
        parse_clock("0.12345678999"),
        Some(Duration::from_nanos(123_456_789))
    );
    for text in [
        "",
        ":",
        "1:",
        "1:2:3:4",
        "1.",
        "-1",
        "+1",
        "1:-2",
        "99999999999999999999",
        "5124095576030432:00:00",
    ] {
        assert_eq!(parse_clock(text), None, "{text}");
    }
}

#[test]
fn glyphs_have_symbols_and_numbers() {
    for (symbol, number) in [
        ("!", 1),
        ("?", 2),
        ("!!", 3),
        ("??", 4),
        ("!?", 5),
        ("?!", 6),
    ] {
        assert_eq!(Glyph::from_symbol(symbol), Some(Glyph(number)));
        assert_eq!(Glyph(number).symbol(), Some(symbol));
        assert!(Glyph(number).is_move_assessment());
    }
    for number in 0..=255 {
        assert_eq!(
            Glyph::from_symbol(&Glyph(number).to_string()),
            Some(Glyph(number))
        );
    }
    let signs = [7, 10, 13, 14, 15, 16, 17, 18, 19, 22, 23, 146]
        .map(|n| Glyph(n).symbol().unwrap())
        .concat();
    assert_eq!(signs, "□=∞⩲⩱±∓+--+⨀⨀N");
    assert_eq!(Glyph(0).symbol(), None);
    for text in ["", "$", "$256", "$-1", "$+1", "!!!", "1"] {
        assert_eq!(Glyph::from_symbol(text), None);
    }
}

#[test]
fn every_refusal_is_a_sentence() {
    let by = Color::White;
    for refusal in [
        Refusal::Paused,
        Refusal::NotPaused,
        Refusal::NothingToUndo,
        Refusal::NothingToRedo,
        Refusal::NoSuchPly { ply: 3, last: 2 },
        Refusal::NoSuchMove,
        Refusal::NoOtherPlace,
        Refusal::StartStays,
        Refusal::NoDrawOffer { by },
        Refusal::DrawIsOffered { by },
        Refusal::NoTakeback { by },
        Refusal::TakebackIsAsked { by },
        Refusal::NoMoveToTakeBack { by },
        Refusal::RecordFull,
        Refusal::TooDeep,
        Refusal::TextTooLong { most: 10 },
        Refusal::GameOver(Outcome::Agreement),
        Refusal::Move(MoveRefusal::NullMove),
        Refusal::Tag(TagError::BadName("x y".into())),
    ] {
        let sentence = refusal.to_string();
        assert!(sentence.ends_with('.') && sentence.len() > 10, "{sentence}");
    }
    let refusal = MoveRefusal::Unreadable {
        text: "xyzzy".into(),
    };
    assert_eq!(
        refusal.to_string(),
        "Invalid move format 'xyzzy'. Use coordinate notation, e.g. e2e4."
    );
}
