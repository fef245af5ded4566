use std::time::{Duration, Instant};

use tabiya_game::DrawPolicy;
use tabiya_uci::{EngineCommand, OptionValue, SetOption};

use super::settings::{BOOK, SETTINGS, Settings, Sound, find};
use super::{Config, MAX_ENGINES, MAX_KEYS, edit, file};
use crate::appearance::Graphics;
use crate::appearance::PieceStyle;
use crate::color::Depth;
use crate::key_map::KeyMap;

/// An empty folder for the test, which the system cleans up.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("tabiya-config-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The time it takes to read a text of about this size, made of numbered parts.
fn time_to_read(bytes: usize, part: impl Fn(usize) -> String, head: &str, tail: &str) -> Duration {
    let mut text = head.to_owned();
    for number in 0.. {
        if text.len() > bytes {
            break;
        }
        text.push_str(&part(number));
    }
    text.push_str(tail);
    let begun = Instant::now();
    Config::read(&text);
    begun.elapsed()
}

/// What used to take most of a minute: a file of each kind, of the greatest length.
#[test]
fn a_file_as_long_as_it_may_be_is_read_in_time() {
    type Part = fn(usize) -> String;
    // Letters that are not control characters, so that each is another key.
    fn letter(number: usize) -> char {
        char::from_u32(0x4e00 + number as u32 % 20_000).expect("a letter")
    }
    let kinds: [(&str, Part, &str, &str); 6] = [
        ("engines", |n| format!("[engines.e{n}]\npath='x'\n"), "", ""),
        ("no paths", |n| format!("[engines.e{n}]\n"), "", ""),
        (
            "inline",
            |n| format!("e{n}={{path='x'}},"),
            "engines={",
            "}\n",
        ),
        (
            "keys",
            |n| format!("\"{}\",", letter(n)),
            "[keys]\nflip=[",
            "]\n",
        ),
        ("no keys", |n| format!("x{n}=1\n"), "[keys]\n", ""),
        ("no settings", |n| format!("x{n}=1\n"), "", ""),
    ];
    let most = usize::try_from(file::MAX_CONFIG_SIZE).expect("it fits") - 100;
    for (kind, part, head, tail) in kinds {
        let took = time_to_read(most, part, head, tail);
        assert!(took < Duration::from_secs(10), "{kind}: {took:?}");
    }
}

#[test]
fn more_engines_and_keys_than_the_limits_are_left_out_with_a_warning() {
    let engines: String = (0..MAX_ENGINES + 2)
        .map(|n| format!("[engines.e{n}]\npath='x'\n"))
        .collect();
    let config = Config::read(&engines);
    assert_eq!(config.engines.len(), MAX_ENGINES);
    let sentences: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
    let first = format!(
        "config.toml:{}:10: The engine e1000 is left out: there are 1000 already.",
        2 * MAX_ENGINES + 1
    );
    assert_eq!(sentences.len(), 2);
    assert_eq!(sentences[0], first);
    let keys: Vec<String> = (0..MAX_KEYS as u32 + 1)
        .filter_map(|n| char::from_u32(0x4e00 + n))
        .map(|letter| format!("\"{letter}\""))
        .collect();
    let config = Config::read(&format!("[keys]\nflip = [{}]\n", keys.join(",")));
    assert_eq!(config.keys.len(), MAX_KEYS);
    assert_eq!(config.warnings.len(), 1, "{:?}", config.warnings);
}

#[test]
fn an_empty_file_gives_the_defaults() {
    assert_eq!(Config::read(""), Config::default());
    assert_eq!(Config::read("# nothing\n\n[game]\n"), Config::default());
}

#[test]
fn every_setting_is_read() {
    let text = r#"
        theme = "night"
        pieces = "letters"
        board.graphics = "off"
        colors = 256
        board.coordinates = false
        board.moves = false
        board.keys = false
        sound = "bell"
        mouse = false
        autosave = false
        game.clock = "10+5"
        game.draws = "auto"
        game.opponent = "uci:stockfish"
        game.level = 7
        game.manners = false
        game.spoilers = true
        game.book = "book.bin"
        name = "Anna"
        [keys]
        map = "vim"
        [openings]
        file = "~/own.txt"
        [db]
        path = "~/games.db"
        own = true
        [train]
        names = "anna64; Anna Doe"
        retention = 0.9
        mining = "never"
    "#;
    let config = Config::read(text);
    assert_eq!(config.warnings, []);
    let settings = config.settings;
    assert_eq!(settings.theme.name, "night");
    assert_eq!(settings.pieces, PieceStyle::Letters);
    assert_eq!(settings.graphics, Graphics::Off);
    assert_eq!(settings.colors, Some(Depth::Indexed));
    assert!(!settings.coordinates && !settings.move_list && !settings.key_line);
    assert_eq!(settings.sound, Sound::Bell);
    assert!(!settings.mouse && !settings.autosave);
    assert_eq!(settings.clock.to_string(), "10+5");
    // What earlier versions wrote is read, and written by its name of today.
    assert_eq!(settings.draws, DrawPolicy::Automatic);
    let draws = find("game.draws").expect("a setting");
    assert_eq!(draws.get(&settings), "automatic");
    let opponent = settings.opponent.as_ref().map(ToString::to_string);
    assert_eq!(opponent.as_deref(), Some("uci:stockfish"));
    assert_eq!(settings.level.number(), 7);
    assert!(!settings.manners && settings.spoilers);
    assert_eq!(settings.book.as_deref(), Some("book.bin".as_ref()));
    assert_eq!(settings.player(), "Anna");
    assert_eq!(settings.key_map, KeyMap::Vim);
    assert_eq!(settings.openings, Some("~/own.txt".into()));
    assert_eq!(settings.db, Some("~/games.db".into()));
    assert!(settings.own_db);
    let learner = settings.learner();
    assert_eq!(learner.names, ["Anna", "anna64", "Anna Doe"]);
    assert!((learner.retention - 0.9).abs() < 1e-9);
    // The example above must not forget one.
    for setting in SETTINGS {
        let default = setting.get(&Settings::default());
        assert_ne!(setting.get(&settings), default, "{}", setting.key);
    }
}

#[test]
fn every_value_of_every_setting_can_be_written_and_read_again() {
    for setting in SETTINGS {
        assert!(setting.help.ends_with('.'), "{}", setting.key);
        assert!(std::ptr::eq(
            find(setting.key).expect("it is there"),
            setting
        ));
        for choice in setting.choices() {
            let mut settings = Settings::default();
            setting.set(&mut settings, choice).expect(choice);
            assert_eq!(setting.get(&settings), choice, "{}", setting.key);
            let text = edit::with_setting("", setting, choice).expect(choice);
            let config = Config::read(&text);
            assert_eq!(
                (config.settings, config.warnings),
                (settings, vec![]),
                "{text}"
            );
        }
        if matches!(setting.key, BOOK | "db.path" | "openings.file") {
            // Any name may be that of a file or a folder.
            continue;
        }
        let mut settings = Settings::default();
        assert!(
            setting.set(&mut settings, "no such\u{1b} thing").is_err(),
            "{}",
            setting.key
        );
        assert_eq!(settings, Settings::default());
    }
}

#[test]
fn what_cannot_be_used_is_said_with_its_place_and_the_default_is_kept() {
    for (text, line, column, said) in [
        (
            "theme = \"mud\"",
            1,
            1,
            "theme cannot be 'mud'; wood is used.",
        ),
        ("\n  theme = 7 # é", 2, 3, "theme cannot be '7'"),
        (
            "mouse = \"yes\"",
            1,
            1,
            "mouse must be true or false; on is used.",
        ),
        (
            "theme = [1]",
            1,
            1,
            "theme must be a text such as \"wood\"; wood is used.",
        ),
        ("thme = \"sea\"", 1, 1, "There is no setting 'thme'."),
        ("[game]\nclok = 1", 2, 1, "There is no setting 'game.clok'."),
        (
            "[game]\nclock = \"x\"",
            2,
            1,
            "game.clock cannot be 'x'; none is used.",
        ),
        ("game = 3", 1, 1, "game is a table: write [game]"),
        ("theme = \"sea", 1, 13, "This is not TOML"),
        (
            "[keys]\nmap = \"emacs\"",
            2,
            1,
            "keys.map cannot be 'emacs'; standard is used. It can be standard, vim.",
        ),
        ("[engines]\nx = 1", 2, 1, "An engine is a table"),
        (
            "[engines.x]\nargs = [\"a\"]",
            1,
            10,
            "The engine x has no path",
        ),
        (
            "[engines.x]\npath = \"p\"\nargs = 1",
            3,
            1,
            "The args of x must be a list",
        ),
        (
            "[engines.x]\npath = \"p\"\nhash = 1",
            3,
            1,
            "An engine has path, args and options, and no 'hash'.",
        ),
        (
            "[engines.x]\npath = \"p\"\n[engines.x.options]\nHash = 1.5",
            4,
            1,
            "The option 'Hash' of x",
        ),
        (
            "\"a\\u001bb\" = 1",
            1,
            1,
            "There is no setting 'a\\u{1b}b'.",
        ),
    ] {
        let config = Config::read(text);
        let [warning] = &config.warnings[..] else {
            panic!("{text}: {:?}", config.warnings)
        };
        assert_eq!(warning.at, Some((line, column)), "{text}: {warning}");
        assert!(warning.sentence.starts_with(said), "{text}: {warning}");
        assert_eq!(config.settings, Settings::default(), "{text}");
    }
}

#[test]
fn a_bad_line_costs_only_itself_and_a_thousand_are_not_all_listed() {
    let config = Config::read("x = 1\ntheme = \"sea\"\ny = 2\nmouse = false\n");
    assert_eq!(config.settings.theme.name, "sea");
    assert!(!config.settings.mouse);
    assert_eq!(config.warnings.len(), 2);
    assert_eq!(
        config.warnings[0].to_string(),
        "config.toml:1:1: There is no setting 'x'."
    );
    let many: String = (0..1000).map(|n| format!("x{n} = 1\n")).collect();
    let warnings = Config::read(&many).warnings;
    assert_eq!(warnings.len(), 21);
    assert_eq!(
        warnings[20].to_string(),
        "config.toml: There are 980 more lines that cannot be used."
    );
}

#[test]
fn engines_have_a_path_arguments_and_options() {
    let text = r#"
        [engines.stockfish]
        path = "/usr/games/stockfish"
        args = ["bench"]
        options = { Hash = 64, Ponder = false, "Clear Hash" = "" }
        [engines.other]
        path = "~/other"
    "#;
    let config = Config::read(text);
    assert_eq!(config.warnings, []);
    let [(first, engine), (second, other)] = &config.engines[..] else {
        panic!("{config:?}");
    };
    assert_eq!(first, "stockfish");
    assert_eq!(engine.program, std::path::Path::new("/usr/games/stockfish"));
    assert_eq!(engine.arguments, ["bench"]);
    let option = |name: &str, value: &str| SetOption {
        name: name.to_owned(),
        value: Some(value.to_owned()),
    };
    let wanted = [
        option("Hash", "64"),
        option("Ponder", "false"),
        option("Clear Hash", ""),
    ];
    assert_eq!(engine.options, wanted);
    assert_eq!(second, "other");
    assert!(other.program.ends_with("other") && !other.program.starts_with("~"));
}

#[test]
fn keys_are_bound_and_conflicts_are_reported() {
    let text = "[keys]\nundo = \"Z\"\nflip = [\"v\", \"é\"]\nredo = \"Z\"\nmenu = \"e\"\npause = \"pp\"\ntheme = 1\n\
                'help' = \"\\u001b\"\nx = \"i\"\n";
    let config = Config::read(text);
    assert_eq!(config.keys, [("undo", 'Z'), ("flip", 'v'), ("flip", 'é')]);
    let said: Vec<String> = config.warnings.iter().map(ToString::to_string).collect();
    let unknown = format!(
        "config.toml:9:1: There is no action 'x' for a key; the actions are {}.",
        crate::key_map::names().join(", ")
    );
    assert_eq!(
        said,
        [
            "config.toml:4:1: The key 'Z' is bound to 'undo' already, so 'redo' does not get it.",
            "config.toml:5:1: 'e' cannot be the key of 'menu': typing it begins a move.",
            "config.toml:6:1: A key is one visible letter or sign; 'pause' has none.",
            "config.toml:7:1: A key is one visible letter or sign; 'theme' has none.",
            "config.toml:8:1: A key is one visible letter or sign; 'help' has none.",
            &unknown,
        ]
    );
}

#[test]
fn writing_keeps_everything_else_as_the_user_wrote_it() {
    let theme = find("theme").expect("a setting");
    let clock = find("game.clock").expect("a setting");
    let text =
        "# mine\ntheme   = 'sea'   # like water\n\n[game] # games\nclock = \"5+3\"\nunknown = 3\n";
    let new = edit::with_setting(text, theme, "night").expect("it can be written");
    assert_eq!(new, text.replace("'sea'", "\"night\""));
    let new = edit::with_setting(text, clock, "none").expect("it can be written");
    assert_eq!(new, text.replace("5+3", "none"));
    let mouse = find("mouse").expect("a setting");
    let new = edit::with_setting(text, mouse, "off").expect("it can be written");
    assert!(
        new.contains("mouse = false\n") && new.contains("# like water"),
        "{new}"
    );
    assert!(!Config::read(&new).settings.mouse);
    assert!(edit::with_setting("theme = [", theme, "sea").is_err());
    assert!(edit::with_setting("game = 3", clock, "none").is_err());
    assert!(edit::with_setting("[theme]", theme, "sea").is_err());
}

#[test]
fn files_that_cannot_be_read_or_written_are_said_and_left_alone() {
    let folder = folder("files");
    let path = folder.join("deep").join("config.toml");
    let theme = find("theme").expect("a setting");
    assert_eq!(file::load(&path), Config::default());
    file::write(&path, theme, "sea").expect("the folder is made");
    assert_eq!(file::load(&path).settings.theme.name, "sea");

    let broken = folder.join("broken.toml");
    std::fs::write(&broken, "theme = ").expect("written");
    let sentence = file::write(&broken, theme, "sea").expect_err("it is broken");
    assert!(sentence.to_string().contains("fix it first"), "{sentence}");
    assert_eq!(std::fs::read_to_string(&broken).expect("read"), "theme = ");

    std::fs::write(&broken, [0xff, 0xfe]).expect("written");
    assert_eq!(file::load(&broken).warnings.len(), 1);
    assert!(file::write(&broken, theme, "sea").is_err());
    std::fs::write(&broken, "#".repeat((1 << 20) + 1)).expect("written");
    assert!(
        file::load(&broken).warnings[0]
            .sentence
            .contains("longer than 1048576 bytes")
    );
    assert!(
        file::load(&folder).warnings[0]
            .sentence
            .contains("not a plain file")
    );
    assert!(file::write(&folder, theme, "sea").is_err());
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = folder("link");
    let real = folder.join("real.toml");
    let link = folder.join("config.toml");
    std::fs::write(&real, "# mine\n").expect("written");
    std::os::unix::fs::symlink(&real, &link).expect("a link");
    file::write(&link, find("theme").expect("a setting"), "sea").expect("written");
    assert!(
        std::fs::symlink_metadata(&link)
            .expect("there")
            .is_symlink()
    );
    assert_eq!(
        std::fs::read_to_string(&real).expect("read"),
        "# mine\ntheme = \"sea\"\n"
    );
}

#[test]
fn the_documentation_names_every_setting() {
    let page = include_str!("../../../../docs/config.md");
    for setting in SETTINGS {
        let default = setting.get(&Settings::default());
        let row = format!("| `{}` | `{default}` | ", setting.key);
        let row = page.lines().find(|line| line.starts_with(&row));
        let row = row.unwrap_or_else(|| panic!("{} is not documented", setting.key));
        assert!(row.contains(setting.help), "{row}");
        for choice in setting.choices() {
            assert!(
                row.contains(&format!("`{choice}`")),
                "{choice} is missing: {row}"
            );
        }
    }
}

#[test]
fn an_option_of_an_engine_is_written_and_everything_else_stays() {
    let mut command = EngineCommand::new("/usr/games/gnuchess");
    command.arguments = vec!["--uci".into()];
    let set = |text: &str, engine: &str, option: &str, value: Option<OptionValue>| {
        edit::with_engine_option(text, engine, &command, option, value.as_ref())
    };
    // An engine that the file does not name is added with its command.
    let text = set("# mine\n", "gnu", "Hash", Some(OptionValue::Spin(64))).expect("written");
    assert_eq!(
        text,
        "# mine\n[engines.gnu]\npath = \"/usr/games/gnuchess\"\nargs = [\"--uci\"]\noptions = { Hash = 64 }\n"
    );
    let config = Config::read(&text);
    assert_eq!(config.warnings, []);
    assert_eq!(config.engines[0].1.arguments, ["--uci"]);
    // Comments, order and other engines stay; names ignore case.
    let text = "theme = \"sea\" # blue\n\n[engines.other]\npath = \"/o\"\n\n[engines.gnu] # good\npath = \"/g\" # here\n\
                [engines.gnu.options]\n# small\nhash = 16 # MiB\nPonder = true\n";
    let new = set(text, "gnu", "Hash", Some(OptionValue::Spin(32))).expect("written");
    assert_eq!(new, text.replace("16 # MiB", "32 # MiB"));
    let new = set(text, "gnu", "Ponder", None).expect("written");
    assert_eq!(new, text.replace("Ponder = true\n", ""));
    let text = OptionValue::Text("a \"b\" \\ c".to_owned());
    let new = set("", "x.y", "Log File", Some(text)).expect("written");
    let options = &Config::read(&new).engines[0].1.options;
    assert_eq!(options[0].name, "Log File");
    assert_eq!(options[0].value.as_deref(), Some("a \"b\" \\ c"));
    let pressed = set("", "x", "Clear Hash", Some(OptionValue::Button)).expect("written");
    assert!(pressed.contains("\"Clear Hash\" = true"), "{pressed}");
    // The name of an option stays a name, whatever it contains.
    let evil =
        "x\" = 1 }\npath = \"/bin/sh\"\n[engines.evil]\npath = \"/bin/sh\"\n[keys]\nundo = \"p";
    let new = set("", "x", evil, Some(OptionValue::Text(evil.to_owned()))).expect("written");
    let config = Config::read(&new);
    let [(_, engine)] = &config.engines[..] else {
        panic!("{new}");
    };
    assert_eq!(engine.program, std::path::Path::new("/usr/games/gnuchess"));
    assert_eq!(engine.options[0].name, evil);
    assert!(
        config.keys.is_empty() && config.warnings.is_empty(),
        "{new}"
    );
    for broken in [
        "engines = 3",
        "[engines]\nx = 1",
        "[engines.x]\npath = 'p'\noptions = 4",
        "a = [",
    ] {
        assert!(
            set(broken, "x", "Hash", Some(OptionValue::Spin(1))).is_err(),
            "{broken}"
        );
    }
}
