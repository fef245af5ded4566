//! The config comes first, and what is not installed is not known.

use super::*;

fn known(
    configured: Vec<(String, EngineCommand)>,
    installed: impl Fn(&str) -> Installed,
) -> KnownEngines {
    KnownEngines {
        all: Arc::new(RwLock::new(among(configured, installed))),
        ..KnownEngines::default()
    }
}

impl KnownEngines {
    /// Knows the engines of a config, and no installed ones.
    pub(crate) fn only(configured: Vec<(String, EngineCommand)>) -> KnownEngines {
        known(configured, |_| Installed {
            called: None,
            for_file: None,
        })
    }
}

#[test]
fn a_file_starts_what_the_config_or_the_system_knows_and_nothing_else() {
    let mut mine = EngineCommand::new("/opt/mine");
    mine.arguments.push("--quiet".into());
    mine.set("Hash", "64");
    let by_name = EngineCommand::new("engine-on-path");
    let configured = vec![
        ("mine".to_owned(), mine.clone()),
        ("other".to_owned(), by_name.clone()),
        ("beside".to_owned(), EngineCommand::new("./beside")),
        ("below".to_owned(), EngineCommand::new("bin/below")),
    ];
    let known = known(configured, |name| Installed {
        called: Some(Path::new("/home/somebody/bin").join(name)),
        for_file: (name == "gnuchess").then(|| PathBuf::from("/usr/games/gnuchess")),
    });
    let gnuchess = known.command_for_file("gnuchess").expect("a system has it");
    assert_eq!(gnuchess.program, Path::new("/usr/games/gnuchess"));
    assert_eq!(gnuchess.arguments, ["--uci"]);
    // It finds nothing in the working folder, which may have come with the save.
    assert_eq!(gnuchess.folder.as_deref(), Some(Path::new("/usr/games")));
    assert_eq!(
        known.command_for_file("/usr/games/gnuchess"),
        Some(gnuchess)
    );
    assert_eq!(known.command_for_file("mine"), Some(mine.clone()));
    assert_eq!(known.command_for_file("/opt/mine"), Some(mine));
    assert_eq!(known.command_for_file("other"), Some(by_name));
    let strange = [
        // Well known, but only on PATH.
        "stockfish",
        "/home/somebody/bin/stockfish",
        "engine-on-path",
        // In the config, but by a relative path.
        "beside",
        "below",
        "./beside",
        "sh",
        "/bin/sh",
        "mine -c x",
        "/opt/mine --other",
        "/opt/../opt/mine",
        "gnuchess x",
        "",
    ];
    for target in strange {
        assert!(!known.allows(target), "{target}");
        let is_relative = matches!(target, "beside" | "below" | "./beside");
        assert_eq!(known.has_relative_path(target), is_relative, "{target}");
    }
    let allowed = EngineCommand::new("/bin/sh");
    let known = known.allowing(vec![("sh -c x".to_owned(), allowed.clone())]);
    assert_eq!(known.command_for_file("sh -c x"), Some(allowed));
    assert!(!known.allows("sh"));
}

#[test]
fn the_config_comes_before_what_is_installed() {
    let mine = EngineCommand::new("/opt/mine");
    let configured = vec![("stockfish".to_owned(), mine.clone())];
    let installed = |name: &str| {
        let there = matches!(name, "stockfish" | "gnuchess");
        let path = there.then(|| Path::new("/usr/games").join(name));
        Installed {
            called: path.clone(),
            for_file: path,
        }
    };
    let known = known(configured, installed);
    assert_eq!(known.command("stockfish"), Some(mine));
    let gnuchess = known.command("gnuchess").expect("it is installed");
    assert_eq!(gnuchess.arguments, ["--uci"]);
    assert_eq!(known.command("toga2"), None);
    let names: Vec<String> = known.all().into_iter().map(|engine| engine.name).collect();
    assert_eq!(names, ["stockfish", "gnuchess"]);
}
