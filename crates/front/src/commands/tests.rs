use tabiya_game::MoveInput;
use tabiya_play::request::{GameRequest, Question, Request, Side, Start, StudyRequest, Target};
use tabiya_rules::Color;

use super::{COMMANDS, Command, Misuse, OpenCommand, ProgramCommand, complete, find, read};
use crate::appearance::PieceStyle;
use crate::theme::THEMES;
use crate::wording::refusals;

#[test]
fn names_are_told_apart_and_no_name_is_a_move() {
    let mut names: Vec<&str> = COMMANDS
        .iter()
        .flat_map(|entry| {
            [entry.name]
                .into_iter()
                .chain(entry.aliases.iter().copied())
        })
        .collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "a name is used twice");
    let start = tabiya_rules::Position::start();
    for name in names {
        assert_eq!(
            start.parse_san(name),
            Err(tabiya_rules::SanError::Syntax),
            "{name} reads as a move"
        );
        assert_eq!(name, name.to_ascii_lowercase());
        // Letters that begin a move are not commands, except the one that exits.
        assert!(name.len() > 1 || "psu?q".contains(name), "{name}");
    }
}

#[test]
fn every_command_is_explained() {
    for entry in COMMANDS {
        assert!(!entry.name.is_empty(), "{entry:?}");
        assert!(
            !entry.summary.is_empty() && !entry.summary.ends_with('.'),
            "{}",
            entry.name
        );
        assert!(
            entry.summary.len() <= 50,
            "{} is too long for the help",
            entry.name
        );
        assert!(
            entry.help().is_empty() || entry.help().ends_with('.'),
            "{}",
            entry.name
        );
    }
}

#[test]
fn a_line_is_a_command_in_any_case_or_a_move() {
    assert_eq!(read("DRAW"), Ok(GameRequest::CLAIM.into()));
    assert_eq!(read("  Quit \r\n"), Ok(ProgramCommand::Quit.into()));
    let claim = GameRequest::Claim {
        rule: None,
        intended: Some("Nf3".to_owned()),
    };
    assert_eq!(read("draw Nf3"), Ok(claim.into()));
    let play = |text: &str| Ok(GameRequest::Play(MoveInput::Text(text.to_owned())).into());
    assert_eq!(read(" e2e4 "), play("e2e4"));
    assert_eq!(read(""), play(""));
    assert_eq!(read("drawn"), play("drawn"));
}

#[test]
fn quotes_can_stand_around_any_value() {
    for (quoted, plain) in [
        ("set theme \"sea\"", "set theme sea"),
        ("set board \"off\"", "set board off"),
        ("theme \"night\"", "theme night"),
        ("pieces \"letters\"", "pieces letters"),
        ("load \"my game\"", "load my game"),
        ("opponent \"bot:5\"", "opponent bot:5"),
        ("study \"bot:5\"", "study bot:5"),
        ("new white \"bot:5\" \"5+3\"", "new white bot:5 5+3"),
    ] {
        assert!(read(plain).is_ok(), "{plain}");
        assert_eq!(read(quoted), read(plain), "{quoted}");
    }
    for line in ["set theme \"sea", "theme \"sea", "load \"my game"] {
        let Err(misused) = read(line) else {
            panic!("{line}");
        };
        assert!(
            matches!(misused.why, Misuse::OpenQuote(_)),
            "{line}: {misused:?}"
        );
    }
}

#[test]
fn arguments_that_do_not_fit_show_the_usage() {
    for line in [
        "quit now",
        "undo x",
        "undo 0",
        "undo -1",
        "undo +1",
        "undo 5000000000",
        "redo 1 2",
        "goto",
        "goto b",
        "goto 12c",
        "p",
        "p x",
        "p nn",
        "s",
        "s i",
        "s 9",
        "s e4e",
        "moves e9",
        "attackers",
        "attackers e",
        "set board",
        "offer red",
        "accept it",
        "new white black",
        "new 5+3 5+3",
        "new 960 5 960",
    ] {
        let misused = read(line).expect_err(line);
        assert_eq!(misused.why, Misuse::Form, "{line}");
        assert!(line.starts_with(misused.entry.name), "{line}");
    }
    for line in [
        "fen 8/8",
        "new fen x",
        "new 960 1000",
        "new bot 11",
        "new uci",
        "opponent bot 0",
        "new x",
        "help me",
    ] {
        let misused = read(line).expect_err(line);
        assert_ne!(misused.why, Misuse::Form, "{line}");
        assert!(!refusals::misused(&misused).concat().is_empty(), "{line}");
    }
}

#[test]
fn places_are_moves_of_a_side() {
    let by = |number, by| Ok(GameRequest::GoTo(Target::Move { number, by }).into());
    assert_eq!(read("goto 12b"), by(12, Color::Black));
    assert_eq!(read("goto 12w"), by(12, Color::White));
    assert_eq!(read("goto 12"), by(12, Color::White));
    assert_eq!(read("goto 0"), Ok(GameRequest::GoTo(Target::Start).into()));
    assert_eq!(read("goto END"), Ok(GameRequest::GoTo(Target::End).into()));
}

#[test]
fn a_new_game_takes_its_words_in_any_order() {
    let Ok(Command::Table(Request::Game(GameRequest::New(request)))) =
        read("new 960 5 black human 3+2")
    else {
        panic!()
    };
    assert_eq!(request.clock.expect("a clock").to_string(), "3+2");
    assert_eq!(request.start, Some(Start::Chess960(Some(5))));
    assert_eq!(request.side, Some(Side::Of(Color::Black)));
    let new = |line: &str| match read(line) {
        Ok(Command::Table(Request::Game(GameRequest::New(new)))) => new,
        other => panic!("{other:?}"),
    };
    assert!(new("new 960 3+2").clock.is_some());
    assert!(new("new fen startpos").start.is_some());
}

#[test]
fn completion_knows_moves_commands_and_arguments() {
    let moves = || ["Nc3", "Nf3", "e2e4", "e4"].map(str::to_owned).to_vec();
    let saves = || ["My game", "my other", "yours"].map(str::to_owned).to_vec();
    let complete = |line: &str| complete(line, moves, saves);
    assert_eq!(
        complete("N"),
        (0, ["Nc3", "Nf3", "new", "next"].map(str::to_owned).to_vec())
    );
    assert_eq!(complete("e2"), (0, vec!["e2e4".to_owned()]));
    assert_eq!(complete("und"), (0, vec!["undo".to_owned()]));
    assert_eq!(
        complete("help re"),
        (
            5,
            ["redo", "resign", "review", "read", "retry", "refutation"]
                .map(str::to_owned)
                .to_vec()
        )
    );
    assert_eq!(complete("draw Nf"), (5, vec!["Nf3".to_owned()]));
    assert_eq!(
        complete("set board.g"),
        (4, vec!["board.graphics".to_owned()])
    );
    assert_eq!(complete("last "), (5, Vec::new()));
    assert_eq!(complete("♞ ♞").1, Vec::<String>::new());
    for command in ["load", "save", "delete"] {
        let (begin, found) = complete(&format!("{command} my"));
        assert_eq!(begin, command.len() + 1);
        assert_eq!(found, ["My game", "my other"], "{command}");
    }
    assert_eq!(complete("load  my g"), (6, vec!["My game".to_owned()]));
    assert_eq!(complete("load ").1.len(), 3);
    assert!(find("?").is_some());
}

#[test]
fn what_is_reviewed_can_be_a_file_a_position_or_a_save() {
    use super::{ArgumentKind, expected, file_begun, instead_of_file};
    assert_eq!(file_begun("review my g"), Some((7, "my g")));
    let words = |line: &str| instead_of_file(line).collect::<Vec<_>>();
    assert_eq!(words("review "), ["save ", "startpos"]);
    assert_eq!(words("review st"), ["startpos"]);
    assert_eq!(words("review x"), [""; 0]);
    assert_eq!(words("pgn s"), [""; 0], "a game is written to files only");
    assert_eq!(file_begun("review save my g"), None);
    assert_eq!(expected("review save my g"), (12, ArgumentKind::Saves));
    assert_eq!(expected("review save "), (12, ArgumentKind::Saves));
    assert_eq!(expected("review save"), (7, ArgumentKind::Files));
}

#[test]
fn every_setting_is_offered_and_named() {
    let (_, offered) = complete("set ", Vec::new, Vec::new);
    let help = find("set").expect("a command").help();
    for setting in crate::config::settings::SETTINGS {
        assert!(
            offered.iter().any(|word| word == setting.key),
            "{}",
            setting.key
        );
        assert!(help.contains(setting.key), "{}", setting.key);
    }
}

#[test]
fn every_theme_and_piece_style_is_offered() {
    let offered = |line: &str| complete(line, Vec::new, Vec::new).1;
    assert_eq!(offered("theme "), THEMES.map(|theme| theme.name));
    let styles = offered("pieces ");
    let entry = find("pieces").expect("a command");
    assert_eq!(entry.arguments, styles.join("|"));
    assert_eq!(styles.len(), PieceStyle::ALL.len());
    for style in PieceStyle::ALL {
        assert!(styles.iter().any(|name| name == style.name()));
    }
}

#[test]
fn the_ending_of_a_save_may_be_written() {
    assert_eq!(read("save mine.pgn"), read("save mine"));
    assert_eq!(read("review save mine.PGN"), read("review save mine"));
    assert!(matches!(read("save .pgn"), Err(misused) if misused.why == Misuse::Form));
}

#[test]
fn players_are_written_the_same_everywhere() {
    use tabiya_play::players::PlayerSpec;
    let engine = |line: &str| -> PlayerSpec {
        match read(line).unwrap_or_else(|misused| panic!("{line}: {:?}", misused.why)) {
            Command::Table(Request::Game(GameRequest::New(new))) => {
                new.opponent.expect("an opponent")
            }
            Command::Table(
                Request::Opponent(_, spec)
                | Request::Ask(Question::Lines(Some(spec)))
                | Request::Study(StudyRequest::Judge(spec)),
            ) => spec,
            Command::Open(OpenCommand::Match(order)) => order.players.a,
            other => panic!("{line}: {other:?}"),
        }
    };
    for command in ["new", "opponent", "lines", "study", "match"] {
        let second = if command == "match" { " bot:1 20" } else { "" };
        for (typed, meant) in [
            ("bot", "bot"),
            ("bot:4", "bot:4"),
            ("bot 4", "bot:4"),
            ("uci:stockfish", "uci:stockfish"),
            ("uci stockfish?Hash=64", "uci:stockfish?Hash=64"),
            (
                "uci \"/opt/my engine?Skill Level=3\"",
                "uci:/opt/my engine?Skill Level=3",
            ),
            ("uci:\"/opt/my engine\"", "uci:/opt/my engine"),
            ("\"uci:/opt/my engine\"", "uci:/opt/my engine"),
        ] {
            let line = format!("{command} {typed}{second}");
            assert_eq!(engine(&line).to_string(), meant, "{line}");
        }
    }
    for command in ["lines", "study", "match"] {
        let misused = read(&format!("{command} human bot")).expect_err("no human");
        let sentence = refusals::misused(&misused).concat();
        assert!(sentence.contains("bot:LEVEL"), "{sentence}");
        assert!(!sentence.contains("human,"), "{sentence}");
    }
}

#[test]
fn numbers_in_a_match_are_levels_where_they_can_be() {
    let order = |line: &str| match read(line) {
        Ok(Command::Open(OpenCommand::Match(order))) => {
            let players = &order.players;
            format!("{} {} {}", players.a, players.b, order.games)
        }
        other => format!("{other:?}"),
    };
    assert_eq!(order("match bot bot 20"), "bot bot 20");
    assert_eq!(order("match bot:2 bot 20"), "bot:2 bot 20");
    assert_eq!(order("match bot 4 bot 6"), "bot:4 bot:6 10");
    assert_eq!(order("match bot 4 bot 6 20"), "bot:4 bot:6 20");
    assert_eq!(order("match bot bot 6 20 depth 3"), "bot bot:6 20");
    assert_eq!(order("match uci x bot:6 20"), "uci:x bot:6 20");
}

#[test]
fn a_colon_before_a_command_is_skipped() {
    assert_eq!(read(":saves"), read("saves"));
    assert_eq!(read(": q"), read("quit"));
    // Before anything else it is part of what was typed.
    let typed = MoveInput::Text(":e9".to_owned());
    assert_eq!(read(":e9"), Ok(GameRequest::Play(typed).into()));
}

#[test]
fn wrong_settings_and_games_say_what_is_wrong() {
    let why = |line: &str| refusals::misused(&read(line).expect_err(line)).concat();
    assert_eq!(why("set draws x"), "draws is claim or automatic.");
    assert_eq!(why("set board maybe"), "board is on or off.");
    assert!(why("set nosuch 1").contains("nosuch"));
    assert_eq!(
        why("new blue"),
        "'blue' is neither a side, an opponent nor a clock. help new shows what can be given."
    );
    assert!(why("new 5+x").contains("is no time control"));
}

#[test]
fn words_that_stand_for_the_same() {
    assert_eq!(read("claim"), read("draw"));
    assert_eq!(read("offer draw"), read("offer"));
    assert_eq!(read("set draws auto"), read("set draws automatic"));
}
