//! `tabiya serve` as a program: what it prints, how it ends, and what a kill costs.

#![cfg(all(unix, feature = "serve"))]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::ops::Deref;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::saves::Home;

/// The address of a server, with the token that it printed.
pub(crate) struct Site {
    pub(crate) base: String,
    token: String,
}

/// A server as a program.
pub(crate) struct Served {
    child: Child,
    site: Site,
}

impl Deref for Served {
    type Target = Site;

    fn deref(&self) -> &Site {
        &self.site
    }
}

/// A test that fails leaves no server behind.
impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    pub(crate) fn start(home: &Home) -> Served {
        Served::start_at(home, "127.0.0.1:0")
    }

    pub(crate) fn start_at(home: &Home, address: &str) -> Served {
        let mut child = home
            .command(&["serve", "--listen", address])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output)
            .read_line(&mut line)
            .expect("an address");
        Served {
            site: Site::printed(&line),
            child,
        }
    }

    pub(crate) fn end(mut self, signal: &str) -> (Option<i32>, String) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill")
            .args([signal, &id])
            .status()
            .expect("sent");
        assert!(sent.success());
        let status = self.child.wait().expect("it ends");
        let mut said = String::new();
        let errors = self.child.stderr.as_mut().expect("a pipe");
        errors.read_to_string(&mut said).expect("text");
        (status.code(), said)
    }
}

impl Site {
    /// From the line that a server prints.
    pub(crate) fn printed(line: &str) -> Site {
        let (base, token) = line
            .trim()
            .split_once("/#")
            .expect("an address with a token");
        Site {
            base: base.strip_prefix("http://").expect("plain HTTP").to_owned(),
            token: token.to_owned(),
        }
    }

    /// The answer to a request, or nothing if the server is gone.
    fn try_post(&self, path: &str, token: &str, body: &Value) -> Option<(String, String)> {
        let body = body.to_string();
        let mut stream = TcpStream::connect(&self.base).ok()?;
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .ok()?;
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n{body}",
            self.base,
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some((head.to_owned(), body.to_owned()))
    }

    /// The secret of the host, after entering by the printed address.
    pub(crate) fn enter(&self) -> String {
        let entered = self.post("/api/enter", "", &json!({ "token": self.token }));
        entered["session"].as_str().expect("a secret").to_owned()
    }

    pub(crate) fn post(&self, path: &str, token: &str, body: &Value) -> Value {
        let (head, body) = self.try_post(path, token, body).expect("an answer");
        assert!(head.starts_with("HTTP/1.1 20"), "{head}\n{body}");
        serde_json::from_str(&body).expect("JSON")
    }
}

#[test]
fn it_prints_one_address_and_ends_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let home = Home::new("serve-ends");
        let served = Served::start(&home);
        assert!(served.base.starts_with("127.0.0.1:"));
        assert_eq!(served.token.len(), 32);
        // Somebody plays, and somebody else tries to get in; none of their secrets is logged.
        let host = served.enter();
        let made = served.post("/api/games", &host, &json!({ "opponent": "here" }));
        let id = made["id"].as_str().expect("an ID");
        let link = made["links"]["both"].as_str().expect("a link");
        let seat = link.split_once('#').expect("a token").1.to_owned();
        served.post(
            &format!("/api/games/{id}/moves"),
            &seat,
            &json!({ "move": "e4" }),
        );
        let wrong = "0123456789abcdef".repeat(2);
        for body in [
            json!({ "token": wrong }),
            json!({ "token": seat, "game": wrong }),
        ] {
            let (head, _) = served
                .try_post("/api/enter", &wrong, &body)
                .expect("an answer");
            assert!(head.starts_with("HTTP/1.1 401"), "{head}");
        }
        let secrets = [served.token.clone(), host, seat, wrong];
        let (code, said) = served.end(signal);
        assert_eq!(code, Some(0), "{said}");
        assert!(said.contains("every game is on disk"), "{said}");
        for secret in secrets {
            assert!(!said.contains(&secret), "nothing secret is logged: {said}");
        }
    }
}

/// Whatever was answered is there after a kill, and the game goes on with the same link.
#[test]
fn a_killed_server_loses_no_move_that_was_shown() {
    let home = Home::new("serve-killed");
    let mut served = Served::start(&home);
    let host = served.enter();
    let made = served.post(
        "/api/games",
        &host,
        &json!({ "opponent": "here", "clock": "60" }),
    );
    let id = made["id"].as_str().expect("an ID").to_owned();
    let link = made["links"]["both"].as_str().expect("a link");
    let token = link.split_once('#').expect("a token").1.to_owned();
    let path = format!("/api/games/{id}/moves");
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8", "Nc3", "Nc6", "Nb1", "Nb8"];
    let mut shown = 0;
    for round in 0..4 {
        // It is killed while moves are made, after more and more of them.
        let kill = served.child.id().to_string();
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(40 + round * 60));
            Command::new("kill")
                .args(["-KILL", &kill])
                .status()
                .expect("sent");
        });
        // With one more, the position would be there for the fifth time.
        while shown < 15 {
            let played = moves[shown % moves.len()];
            let body = json!({ "move": played, "ply": shown });
            let Some((head, body)) = served.try_post(&path, &token, &body) else {
                break;
            };
            assert!(head.starts_with("HTTP/1.1 200"), "{head} {body}");
            shown += 1;
        }
        killer.join().expect("killed");
        served.child.wait().expect("it is gone");
        served = Served::start(&home);
        let state = served.post(
            &format!("/api/games/{id}/requests"),
            &token,
            &json!({ "command": "pause" }),
        );
        let ply = state["board"]["ply"].as_u64().expect("a ply") as usize;
        // A move that was not answered any more may be there or not.
        assert!(
            ply == shown || ply == shown + 1,
            "{ply} plies, {shown} were shown"
        );
        shown = ply;
        served.post(
            &format!("/api/games/{id}/requests"),
            &token,
            &json!({ "command": "resume" }),
        );
    }
    assert_eq!(served.end("-TERM").0, Some(0));
}

#[test]
fn an_address_that_is_taken_is_said() {
    let home = Home::new("serve-taken");
    let served = Served::start(&home);
    let other = Home::new("serve-other");
    let output = other
        .command(&["serve", "--listen", &served.base])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let listens = "another program listens there already; choose another port\n";
    assert!(
        said.contains("cannot listen on") && said.ends_with(listens),
        "{said}"
    );
    let wrong = other.command(&["serve", "--listen", "here"]).output();
    let wrong = wrong.expect("it runs").stderr;
    let wrong = String::from_utf8_lossy(&wrong).into_owned();
    assert!(wrong.contains("such as 127.0.0.1:8080"), "{wrong}");
    served.end("-TERM");
}

/// One sentence, and not one about each game.
#[test]
fn a_second_server_on_the_same_folder_is_said_and_ends() {
    let home = Home::new("serve-second");
    let served = Served::start(&home);
    let host = served.enter();
    for _ in 0..3 {
        served.post("/api/games", &host, &json!({ "opponent": "here" }));
    }
    let output = home
        .command(&["serve", "--listen", "127.0.0.1:0"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("another server runs the games in"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(output.stdout.is_empty());
    // The first one goes on.
    served.post("/api/games", &host, &json!({ "opponent": "here" }));
    assert_eq!(served.end("-TERM").0, Some(0));
}

#[test]
fn whoever_listens_to_others_is_told_what_that_means() {
    for (public, told) in [
        (&[][..], "Put TLS in front"),
        (
            &["--public", "http://chess.example.org"],
            "Put TLS in front",
        ),
        (
            &["--public", "https://chess.example.org"],
            "only the proxy at https://chess.example.org",
        ),
    ] {
        let home = Home::new("serve-open");
        let arguments = [&["serve", "--listen", "0.0.0.0:0"], public].concat();
        let mut child = home
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let errors = child.stderr.take().expect("a pipe");
        BufReader::new(errors).read_line(&mut line).expect("a line");
        assert!(
            line.contains("nothing on the way there is encrypted"),
            "{line}"
        );
        assert!(line.contains(told), "{line}");
        child.kill().expect("ours");
        child.wait().expect("it ends");
    }
}
