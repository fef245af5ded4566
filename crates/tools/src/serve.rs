//! `tabiya serve`: games in the browser and over a network.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;
use tabiya_front::failure::Failure;
use tabiya_front::output::{print, say};
use tabiya_front::signals::{self, Heard};
use tabiya_front::wording::{answers, events, refusals, study};
use tabiya_game::{Event, Session};
use tabiya_play::analysis::explanation::LineKind;
use tabiya_play::outcome::{Answer, Happened, TableRefusal};
use tabiya_play::players::PlayerError;
use tabiya_play::study::{Attempt, Mistake, Study};
use tabiya_rules::text::clean;
use tabiya_rules::{Color, Position};
use tabiya_serve::{Config, PublicUrl, Sentences, Server, Share};
use tabiya_store::paths::Folders;
use tabiya_store::text_file;
use thiserror::Error;

pub const EXAMPLES: &str = "\
Examples:
  tabiya serve --open
  tabiya serve --listen 127.0.0.1:9000
  tabiya serve --listen 127.0.0.1:8080 --public https://chess.example.org

It prints one address. Whoever opens it first is the host: the one who begins games, against a level
of the engine or against other people, who get links. Every move is saved to disk before it is
shown; all games continue when the server is restarted.

It listens on this machine only, unless --listen names another address; then others on the network
can eavesdrop, so put a TLS proxy in front (docs/serve.md has a recipe for nginx) and name its
address with --public.";

/// Where the server listens, and what it is called.
#[derive(Debug, Args)]
pub struct Serve {
    /// The address and the port to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// The public address, if a TLS proxy is in front
    #[arg(long, value_name = "URL")]
    public: Option<PublicUrl>,
    /// Which share of the games this server runs, if several use the same folder: 1/2 and 2/2 for two
    #[arg(long, value_name = "NUMBER/COUNT")]
    share: Option<Share>,
    /// Open the board in the browser
    #[arg(long)]
    open: bool,
}

/// A text that is not an address to listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an address is a number and a port, such as 127.0.0.1:8080 or [::1]:8080")]
struct NoAddress;

fn address(text: &str) -> Result<SocketAddr, NoAddress> {
    text.parse().map_err(|_| NoAddress)
}

/// Runs `tabiya serve`, until a signal ends it.
pub fn run(args: &Serve) -> Result<(), Failure> {
    let folders = Folders::find().map_err(Failure::unusable)?;
    let folder = folders.data().join("serve");
    let mut config = Config::new(args.listen, folder.clone(), Arc::new(PageSentences));
    config.public = args.public.clone();
    config.share = args.share.unwrap_or_default();
    config.log = Arc::new(|line| say(&clean(line)));
    let server = Server::start(config).map_err(Failure::unusable)?;
    if !args.listen.ip().is_loopback() {
        say(&open_to_others(server.address(), args.public.as_ref()));
    }
    let shutdown = server.shutdown_handle();
    let watched = signals::watch(Heard::Ends, move |_| {
        shutdown.stop();
        true
    });
    watched.map_err(|error| Failure::system("signals cannot be received", &error))?;
    let entries = server.entries();
    for entry in &entries {
        print(&format!("{entry}\n"))?;
    }
    if entries.len() > 1 {
        say(CHOOSE);
    }
    if let (true, Some(entry)) = (args.open, entries.first()) {
        open(&folder, entry);
    }
    server.run();
    say("tabiya: every game is on disk");
    Ok(())
}

/// For a server that listens on all addresses.
const CHOOSE: &str = "tabiya: open one of these addresses, which works once. The links of games begin with the one that you \
                      open, so choose one that the others can reach.";

/// What it means to listen on an address that others can reach.
fn open_to_others(address: SocketAddr, public: Option<&PublicUrl>) -> String {
    let what = format!(
        "tabiya: {address} can be reached by others, and nothing on the way there is encrypted: whoever sees the \
         traffic can play for the players."
    );
    match public {
        Some(public) if public.is_secure() => {
            format!("{what} Make sure that only the proxy at {public} can reach it.")
        }
        Some(_) | None => {
            format!("{what} Put TLS in front, and name its address with --public https://NAME.")
        }
    }
}

/// Opens the browser. The address contains a secret, and others may see the arguments of a program, so the browser
/// reads it from a file that only its user may read.
fn open(folder: &Path, entry: &str) {
    let file = folder.join("open.html");
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>Tabiya</title>\
         <meta http-equiv=\"refresh\" content=\"0; url={entry}\"><a href=\"{entry}\">Tabiya</a>\n"
    );
    let opened = text_file::replace(&file, &page)
        .map_err(|error| error.to_string())
        .and_then(|_| browser(&file).map_err(|error| error.to_string()));
    if let Err(why) = opened {
        let sentence = format!("tabiya: the browser cannot be opened: {why}");
        say(&clean(&sentence));
    }
}

/// Shows a file in the browser of the desktop.
fn browser(file: &PathBuf) -> std::io::Result<()> {
    let mut command = Command::new(match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    });
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null());
    silent.stderr(Stdio::null()).arg(file).spawn().map(drop)
}

/// The program's wording, for the page.
#[derive(Clone, Copy, Debug)]
pub struct PageSentences;

impl Sentences for PageSentences {
    fn happened(&self, happened: &Happened, session: &Session) -> Vec<String> {
        // On a page every move is announced, whoever made it, because not everyone sees the board.
        let happened = Happened {
            by_engine: true,
            ..happened.clone()
        };
        let called = events::colors();
        let told = events::detailed(&happened, session);
        let lines = told.iter().flat_map(|told| {
            if matches!(told.event, Event::Paused) {
                vec!["The game is paused.".to_owned()]
            } else {
                events::lines(told, &called)
            }
        });
        lines.collect()
    }

    fn refused(&self, refused: &TableRefusal, position: &Position) -> Vec<String> {
        refusals::refused(refused, position, &refusals::WEB_PAGE).lines
    }

    fn engine_failed(&self, color: Color, why: &PlayerError) -> Vec<String> {
        refusals::engine_failed(color, why, &refusals::WEB_PAGE)
    }

    fn answered(&self, answer: &Answer) -> Vec<String> {
        answers::lines(answer)
    }

    fn retry(&self, mistake: &Mistake) -> Vec<String> {
        vec![study::retry(mistake)]
    }

    fn tried(&self, tried: &Attempt) -> Vec<String> {
        vec![study::tried(tried)]
    }

    fn line(&self, which: LineKind, moves: &[String]) -> Vec<String> {
        vec![study::line(which, moves, "The arrow keys go through it.")]
    }

    fn judged(&self, judged: &Study) -> Vec<String> {
        vec![study::summary(judged, "the button")]
    }
}
