//! The server under load, in a process of its own, and requests to it over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tabiya_game::Session;
use tabiya_play::outcome::{Happened, TableRefusal};
use tabiya_rules::Position;
use tabiya_serve::{Config, Sentences, Server as Served};
use tempfile::TempDir;

use crate::Fault;

/// How long a server of this program keeps an unused game in memory.
const IDLE: Duration = Duration::from_secs(2);

/// What is run as the server.
pub(crate) enum Program {
    Tabiya(PathBuf),
    Own,
}

/// A running server.
pub(crate) struct Server {
    program: Program,
    child: Child,
    folder: TempDir,
    pub(crate) address: SocketAddr,
    host: String,
}

/// A game that was begun.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) watch: String,
}

/// What the system says about the server's process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    pub(crate) peak_kib: u64,
    pub(crate) resident_kib: u64,
    pub(crate) descriptors: usize,
    pub(crate) cpu: Duration,
}

impl Server {
    pub(crate) fn start(program: Program) -> Result<Server, Fault> {
        let folder = tempfile::tempdir()?;
        let (child, entry) = spawn(&program, &folder, 0)?;
        let (base, token) = entry.split_once("/#").ok_or("the address has no token")?;
        let address = base.strip_prefix("http://").ok_or("no plain HTTP")?;
        let mut server = Server {
            program,
            child,
            folder,
            address: address.parse()?,
            host: String::new(),
        };
        let entered = server.request("POST", "/api/enter", "", &json!({ "token": token }))?;
        let secret = entered["session"].as_str();
        server.host = secret.ok_or("no session")?.to_owned();
        Ok(server)
    }

    /// Kills the server, and starts it again at the same address.
    pub(crate) fn kill_and_restart(&mut self) -> Result<(), Fault> {
        self.child.kill()?;
        self.child.wait()?;
        self.child = spawn(&self.program, &self.folder, self.address.port())?.0;
        Ok(())
    }

    /// Begins a game between two people.
    pub(crate) fn begin(&self, clock: &str) -> Result<Game, Fault> {
        let asked = json!({ "opponent": "person", "clock": clock });
        let body = self.request("POST", "/api/games", &self.host, &asked)?;
        let token = |role: &str| -> Option<String> {
            let (_, token) = body["links"][role].as_str()?.split_once('#')?;
            Some(token.to_owned())
        };
        let found = || {
            Some(Game {
                id: body["id"].as_str()?.to_owned(),
                white: token("white")?,
                black: token("black")?,
                watch: token("watch")?,
            })
        };
        found().ok_or_else(|| format!("no game: {body}").into())
    }

    fn request(&self, method: &str, path: &str, token: &str, body: &Value) -> Result<Value, Fault> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let body = body.to_string();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
        if !head.starts_with("HTTP/1.1 20") {
            return Err(format!("{path}: {} {body}", head.lines().next().unwrap_or("")).into());
        }
        Ok(serde_json::from_str(body)?)
    }

    /// What the process uses, as far as the system tells.
    pub(crate) fn usage(&self) -> Usage {
        let process = format!("/proc/{}", self.child.id());
        let status = std::fs::read_to_string(format!("{process}/status")).unwrap_or_default();
        let kib = |field: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(field));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
            number.unwrap_or(0)
        };
        let files = std::fs::read_dir(format!("{process}/fd")).map_or(0, Iterator::count);
        let stat = std::fs::read_to_string(format!("{process}/stat")).unwrap_or_default();
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
        let ticks = fields.split_whitespace().skip(11).take(2);
        let ticks: u64 = ticks.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Usage {
            peak_kib: kib("VmHWM:"),
            resident_kib: kib("VmRSS:"),
            descriptors: files,
            // Linux counts in hundredths of a second.
            cpu: Duration::from_millis(10 * ticks),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server, and reads the address that it prints.
fn spawn(program: &Program, folder: &TempDir, port: u16) -> Result<(Child, String), Fault> {
    let mut command = match program {
        Program::Tabiya(path) => {
            let mut command = Command::new(path);
            let listen = format!("127.0.0.1:{port}");
            command.args(["serve", "--listen", &listen]);
            command.env("XDG_DATA_HOME", folder.path());
            command.env("XDG_CONFIG_HOME", folder.path());
            command
        }
        Program::Own => {
            let mut command = Command::new(std::env::current_exe()?);
            command
                .arg("serve")
                .arg(folder.path())
                .arg(port.to_string());
            command
        }
    };
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let output = child.stdout.take().ok_or("no pipe")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    if line.is_empty() {
        return Err(format!("the server ended: {}", child.wait()?).into());
    }
    Ok((child, line.trim().to_owned()))
}

/// Runs the server in a process of this program, which soon removes unused games from memory.
pub(crate) fn serve(folder: PathBuf, port: u16) -> Result<(), Fault> {
    let listen = SocketAddr::from(([127, 0, 0, 1], port));
    let mut config = Config::new(listen, folder, Arc::new(Silent));
    config.limits.idle = IDLE;
    config.log = Arc::new(|line| eprintln!("{line}"));
    let server = Served::start(config)?;
    println!("{}", server.entry().ok_or("no address to enter by")?);
    server.run();
    Ok(())
}

/// Sentences that nobody reads.
struct Silent;

impl Sentences for Silent {
    fn happened(&self, _: &Happened, _: &Session) -> Vec<String> {
        Vec::new()
    }

    fn refused(&self, refused: &TableRefusal, _: &Position) -> Vec<String> {
        vec![format!("{refused:?}")]
    }
}
