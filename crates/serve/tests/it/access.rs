//! Access: tokens, sessions, host names, other sites.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::json;

use crate::harness::{Served, folder};

#[test]
fn the_printed_address_lets_in_once_and_only_with_its_token() {
    let folder = folder();
    let served = Served::start(folder.path());
    for wrong in [
        "",
        "0",
        &"0".repeat(32),
        &served.token().to_uppercase(),
        "é",
    ] {
        let answer = served.post("/api/enter", &[], &json!({ "token": wrong }));
        assert_eq!(answer.status, 401, "{wrong}");
    }
    let answer = served.post("/api/enter", &[], &json!({ "token": served.token() }));
    assert_eq!(answer.status, 200);
    let session = answer.session();
    assert_eq!(session.len(), "Bearer ".len() + 64);
    assert!(!session.contains(served.token()), "it is another secret");
    let host = [("Authorization", session.as_str())];
    assert_eq!(served.get("/api/games", &host).status, 200);
    let again = served.post("/api/enter", &[], &json!({ "token": served.token() }));
    assert_eq!(again.status, 401, "it lets in once");
}

#[test]
fn without_a_secret_nothing_of_a_game_is_seen() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let other = served.game(&host, &json!({ "opponent": "person" }));
    let path = format!("/api/games/{}", game.id);
    let foreign = format!("Bearer {}", other.token("white"));
    let none = format!("Bearer {}", "0".repeat(32));
    let nobody: [&[(&str, &str)]; 3] = [
        &[],
        &[("Authorization", &foreign)],
        &[("Authorization", &none)],
    ];
    for headers in nobody {
        for end in ["", "/pgn", "/fen", "/events", "/socket"] {
            assert_eq!(
                served.get(&format!("{path}{end}"), headers).status,
                401,
                "{end}"
            );
        }
        for end in ["/moves", "/requests"] {
            let body = json!({ "move": "e4", "command": "tick" });
            assert_eq!(
                served.post(&format!("{path}{end}"), headers, &body).status,
                401
            );
        }
        assert_eq!(served.join_with(&game.id, headers).err(), Some(401));
        assert_eq!(served.get("/api/games", headers).status, 401);
        assert_eq!(served.post("/api/games", headers, &json!({})).status, 401);
        // Strangers do not learn which games exist.
        assert_eq!(
            served.get("/api/games/0123456789abcdef", headers).status,
            401
        );
    }
    let entered = served.post(
        "/api/enter",
        &[],
        &json!({ "game": game.id, "token": other.token("white") }),
    );
    assert_eq!(entered.status, 401);
}

#[test]
fn a_link_is_for_one_game_and_one_role_in_it() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let entry = json!({ "game": game.id, "token": game.token("black") });
    let path = format!("/api/games/{}/enter", game.id);
    // The game is in the body or in the address. A link can be opened again, for example on another machine.
    for answer in [
        served.post("/api/enter", &[], &entry),
        served.post(&path, &[], &json!({ "token": game.token("black") })),
        served.post("/api/enter", &[], &entry),
    ] {
        assert_eq!(
            (answer.status, answer.json()["you"].as_str()),
            (200, Some("black"))
        );
        assert_eq!(answer.header("set-cookie"), None);
    }
    let bearer = format!("Bearer {}", game.token("black"));
    let black = [("Authorization", bearer.as_str())];
    let state = served.get(&format!("/api/games/{}", game.id), &black);
    assert_eq!(state.json()["you"], "black");
    let wrong = served.post(&path, &[], &json!({ "token": "0".repeat(32) }));
    assert_eq!(wrong.status, 401);
    // A player is not the host, and neither is a watcher.
    for role in ["black", "watch"] {
        let bearer = format!("Bearer {}", game.token(role));
        let seat = [("Authorization", bearer.as_str())];
        for path in ["/api/games", "/api/session", "/api/session/end"] {
            assert_eq!(served.post(path, &seat, &json!({})).status, 401, "{path}");
        }
    }
}

/// The secret that is in a cookie is none.
#[test]
fn nobody_gets_in_by_a_cookie() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let secret = host.strip_prefix("Bearer ").expect("a secret");
    let path = format!("/api/games/{}", game.id);
    for (name, secret) in [("host", secret), ("seat", &game.token("white"))] {
        let cookie = format!("{name}={secret}; {name}{}={secret}", served.address.port());
        let headers = [("Cookie", cookie.as_str())];
        assert_eq!(served.get("/api/games", &headers).status, 401);
        assert_eq!(served.get(&path, &headers).status, 401);
        assert_eq!(served.join_with(&game.id, &headers).err(), Some(401));
    }
}

/// Scripts can set no header of a WebSocket but its subprotocols, which the answer does not repeat.
#[test]
fn a_socket_takes_a_secret_as_a_subprotocol_and_does_not_repeat_it() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let secret = host.strip_prefix("Bearer ").expect("a secret");
    for (secret, role) in [
        (secret, "watch"),
        (&game.token("white"), "white"),
        (&game.token("watch"), "watch"),
    ] {
        let offered = format!("tabiya.2, tabiya.bearer.{secret}");
        let headers = [("Sec-WebSocket-Protocol", offered.as_str())];
        let (mut client, answered) = served.connect(&game.id, &headers).expect("a WebSocket");
        assert_eq!(answered.as_deref(), Some("tabiya.2"));
        assert_eq!(client.wait("state")["you"], role);
    }
    for offered in [
        "tabiya.2".to_owned(),
        format!("tabiya.2, tabiya.bearer.{}", "0".repeat(32)),
        format!("tabiya.2, tabiya.bearer.{}", "0".repeat(64)),
    ] {
        let headers = [("Sec-WebSocket-Protocol", offered.as_str())];
        assert_eq!(served.join_with(&game.id, &headers).err(), Some(401));
    }
}

#[test]
fn a_session_is_renewed_and_ended() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.limits.session = Duration::ZERO;
    });
    let none = json!({});
    let first = served.enter();
    let sends = |secret: &str, path: &str, body: &serde_json::Value| {
        served.post(path, &[("Authorization", secret)], body)
    };
    let second = sends(&first, "/api/session", &none).session();
    assert_ne!(first, second);
    // The new one is used for the first time, and the old one dies.
    for (secret, status) in [(&first, 200), (&second, 200), (&first, 401), (&second, 200)] {
        let listed = served.get("/api/games", &[("Authorization", secret)]);
        assert_eq!(listed.status, status);
    }
    assert_eq!(sends(&second, "/api/session/end", &none).status, 200);
    assert_eq!(sends(&second, "/api/session", &none).status, 401);
    served.stop();
    // The printed address begins another session each time that the server starts.
    let served = Served::start(folder.path());
    let host = served.enter();
    served.stop();
    let served = Served::start(folder.path());
    let other = served.enter();
    let listed = |secret: &str| {
        served
            .get("/api/games", &[("Authorization", secret)])
            .status
    };
    assert_eq!((listed(&host), listed(&other)), (200, 200));
    let everywhere = json!({ "everywhere": true });
    let ended = served.post("/api/session/end", &[("Authorization", &host)], &everywhere);
    assert_eq!(ended.status, 200);
    assert_eq!((listed(&host), listed(&other)), (401, 401));
}

#[test]
fn other_names_lead_nowhere() {
    let folder = folder();
    let served = Served::start(folder.path());
    let port = served.address.port();
    for name in [
        format!("evil.example:{port}"),
        "evil.example".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("192.168.0.7:{port}"),
        format!("localhost.evil.example:{port}"),
        String::new(),
    ] {
        let answer = served.get("/", &[("Host", &name)]);
        assert_eq!(answer.status, 421, "{name}");
    }
    for name in [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("LOCALHOST:{port}"),
        format!("[::1]:{port}"),
    ] {
        assert_eq!(served.get("/", &[("Host", &name)]).status, 200, "{name}");
    }
    // Without a host name, or with two, the request is refused.
    let bare = served.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(
        bare.starts_with("HTTP/1.1 421") || bare.starts_with("HTTP/1.1 400"),
        "{bare}"
    );
    let twice = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\nConnection: close\r\n\r\n"
    );
    assert!(served.raw(twice.as_bytes()).starts_with("HTTP/1.1 4"));
}

#[test]
fn a_public_address_is_answered() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.public = Some("https://chess.example.org".parse().expect("an address"));
    });
    assert!(
        served.entry.starts_with("https://chess.example.org/#"),
        "{}",
        served.entry
    );
    let name = [
        ("Host", "chess.example.org"),
        ("Origin", "https://chess.example.org"),
    ];
    let answer = served.post("/api/enter", &name, &json!({ "token": served.token() }));
    assert_eq!(answer.status, 200);
    // The same name without TLS is another site.
    for origin in ["http://chess.example.org", "https://chess.example.org:444"] {
        let headers = [("Host", "chess.example.org"), ("Origin", origin)];
        assert_eq!(served.get("/api/about", &headers).status, 403, "{origin}");
    }
}

#[test]
fn other_sites_may_not_ask() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let bearer = format!("Bearer {}", game.token("white"));
    let own = format!("http://{}", served.host_name());
    for origin in [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "file://",
        &own.replace("http://", "https://"),
        &own.replace("http://", ""),
        &format!("{own}.evil.example"),
        &format!("{own}/"),
    ] {
        let headers = [("Authorization", bearer.as_str()), ("Origin", origin)];
        assert_eq!(
            served.join_with(&game.id, &headers).err(),
            Some(403),
            "{origin}"
        );
        let path = format!("/api/games/{}/moves", game.id);
        assert_eq!(
            served
                .post(&path, &headers, &json!({ "move": "e4" }))
                .status,
            403,
            "{origin}"
        );
    }
    let headers = [("Authorization", bearer.as_str()), ("Origin", own.as_str())];
    assert!(served.join_with(&game.id, &headers).is_ok());
    // The `Sec-Fetch` headers of a browser count as well. Following a link is allowed.
    let site = ("Sec-Fetch-Site", "cross-site");
    assert_eq!(
        served
            .get("/script/app.js", &[site, ("Sec-Fetch-Mode", "no-cors")])
            .status,
        403
    );
    assert_eq!(
        served
            .get("/", &[site, ("Sec-Fetch-Mode", "navigate")])
            .status,
        200
    );
    // No header allows another site to read the answer.
    let answer = served.get("/api/about", &[("Origin", &own)]);
    assert_eq!(answer.status, 200);
    assert!(
        !answer.head.to_lowercase().contains("access-control"),
        "{}",
        answer.head
    );
    // A preflight request is refused, too.
    for origin in [own.as_str(), "http://evil.example"] {
        let asks = [
            ("Origin", origin),
            ("Access-Control-Request-Method", "POST"),
            ("Access-Control-Request-Headers", "content-type"),
        ];
        let answer = served.request("OPTIONS", "/api/games", &asks, "");
        assert!((400..500).contains(&answer.status), "{}", answer.status);
        let head = answer.head.to_lowercase();
        assert!(!head.contains("access-control"), "{head}");
    }
}

/// Whatever is sent as an ID, it is only looked up among the IDs that the server made, and never becomes part of a path.
#[test]
fn no_id_leads_to_another_file() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here" }));
    for id in [
        "..%2fhost",
        "%2e%2e%2flinks%2f0123456789abcdef",
        "..%5chost",
        "%2fetc%2fpasswd",
        "host",
        "%00",
        &format!("{}.json", game.id),
        &format!("{}%00", game.id),
        &format!("..%2flinks%2f{}", game.id),
        &game
            .id
            .to_uppercase()
            .replace(|sign: char| sign.is_ascii_digit(), "A"),
        &format!("+{}", &game.id[1..]),
    ] {
        for end in ["", "/pgn", "/fen", "/page", "/events", "/socket"] {
            let path = format!("/api/games/{id}{end}");
            let answer = served.get(&path, &[("Authorization", &host)]);
            assert_eq!(answer.status, 404, "{path}: {}", answer.body);
        }
        let entry = json!({ "game": id, "token": game.token("both") });
        assert_eq!(served.post("/api/enter", &[], &entry).status, 401, "{id}");
    }
}

/// Neither the tags nor the comments of a pasted game can name a player, an engine or an option.
#[test]
fn a_pasted_game_names_no_program() {
    let folder = folder();
    let pgn = "[White \"uci:/bin/false\"]\n[Black \"../../x\"]\n[WhitePlayer \"uci:/bin/false\"]\n\
               [BlackPlayer \"stockfish\"]\n[WhiteOptions \"SyzygyPath=/etc\"]\n[Session \"x\"]\n\n\
               1. e4 {%engine /bin/false} e5 *";
    let players = |served: &Served, host: &str, id: &str| {
        let state = served.get(&format!("/api/games/{id}"), &[("Authorization", host)]);
        state.json()["players"].clone()
    };
    let served = Served::start(folder.path());
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "here", "pgn": pgn }));
    let people = json!({ "white": "human", "black": "human" });
    assert_eq!(players(&served, &host, &game.id), people);
    served.join(&game, "both").play("Nf3");
    served.stop();
    // The same is true after the game was read from disk.
    let served = Served::start(folder.path());
    assert_eq!(players(&served, &host, &game.id), people);
    served.join(&game, "both").play("Nc6");
}

#[test]
fn a_form_of_another_site_cannot_ask() {
    let folder = folder();
    let served = Served::start(folder.path());
    let host = served.enter();
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let headers = [("Authorization", host.as_str()), ("Content-Type", kind)];
        let answer = served.request("POST", "/api/games", &headers, "{}");
        assert_eq!(answer.status, 415, "{kind}");
    }
}

#[test]
fn every_answer_has_a_strict_policy() {
    let folder = folder();
    let served = Served::start(folder.path());
    for path in [
        "/",
        "/game/0123456789abcdef",
        "/script/app.js",
        "/style.css",
        "/pieces/wk.svg",
        "/api/about",
        "/nothing",
        "/api/games",
    ] {
        let answer = served.get(path, &[]);
        let policy = answer
            .header("content-security-policy")
            .unwrap_or_else(|| panic!("{path}"));
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"));
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(
            answer.header("referrer-policy"),
            Some("no-referrer"),
            "{path}"
        );
    }
    let refused = served.get("/", &[("Host", "evil.example")]);
    assert!(refused.header("content-security-policy").is_some());
}

#[test]
fn on_all_addresses_a_number_is_answered_and_a_name_is_not() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.listen = SocketAddr::from(([0, 0, 0, 0], 0));
    });
    let port = served.address.port();
    assert_eq!(
        served
            .get("/", &[("Host", &format!("192.168.0.7:{port}"))])
            .status,
        200
    );
    assert_eq!(
        served
            .get("/", &[("Host", &format!("evil.example:{port}"))])
            .status,
        421
    );
}

#[test]
fn links_begin_with_the_address_by_which_the_host_came() {
    let folder = folder();
    let served = Served::with(folder.path(), |config| {
        config.listen = SocketAddr::from(([0, 0, 0, 0], 0));
    });
    let port = served.address.port();
    // All addresses of the machine are told, those that others may reach first, with the same secret.
    let last = format!("http://127.0.0.1:{port}/#{}", served.token());
    assert_eq!(served.entries.last(), Some(&last));
    for entry in &served.entries {
        let (base, token) = entry.split_once("/#").expect("a token");
        assert!(base.ends_with(&format!(":{port}")), "{base}");
        assert!(!base.contains("0.0.0.0"), "{base}");
        assert_eq!(token, served.token());
    }
    let host = served.enter();
    for name in ["192.168.0.7", "localhost", "127.0.0.1"] {
        let name = format!("{name}:{port}");
        let headers = [("Authorization", host.as_str()), ("Host", name.as_str())];
        let made = served.post("/api/games", &headers, &json!({ "opponent": "person" }));
        let listed = served.get("/api/games", &headers).json();
        let begin = format!("http://{name}/game/");
        for links in [&made.json()["links"], &listed["games"][0]["links"]] {
            for role in ["white", "black", "watch"] {
                let link = links[role].as_str().expect("a link");
                assert!(link.starts_with(&begin), "{link}");
            }
        }
    }
    // Whoever came by no address in particular gets links with the one that is told first.
    let (first, _) = served.entries[0].split_once("/#").expect("a token");
    let name = format!("0.0.0.0:{port}");
    let headers = [("Authorization", host.as_str()), ("Host", name.as_str())];
    let made = served.post("/api/games", &headers, &json!({ "opponent": "person" }));
    let made = made.json();
    let link = made["links"]["black"].as_str().expect("a link");
    assert!(link.starts_with(&format!("{first}/game/")), "{link}");
    // Nobody else chooses the address.
    let name = format!("evil.example:{port}");
    let headers = [("Authorization", host.as_str()), ("Host", name.as_str())];
    let refused = served.post("/api/games", &headers, &json!({}));
    assert_eq!(refused.status, 421);
}

#[test]
fn nothing_secret_is_logged_or_repeated() {
    let folder = folder();
    let served = Served::start(folder.path());
    let token = served.token().to_owned();
    let host = served.enter();
    let game = served.game(&host, &json!({ "opponent": "person" }));
    let secrets = [
        token,
        host.strip_prefix("Bearer ").expect("a secret").to_owned(),
        game.token("white"),
        game.token("watch"),
    ];
    let bearer = format!("Bearer {}", game.token("white"));
    let state = served.get(
        &format!("/api/games/{}", game.id),
        &[("Authorization", &bearer)],
    );
    assert_eq!(state.status, 200);
    // A token in the path, and a body that is not JSON.
    let lost = served.get(&format!("/{}", secrets[2]), &[]);
    let broken = served.request(
        "POST",
        "/api/enter",
        &[("Content-Type", "application/json")],
        &secrets[2],
    );
    let log = served.log.lock().expect("no panic").clone();
    for secret in &secrets {
        for text in [&state.body, &lost.body, &broken.body, &log] {
            assert!(!text.contains(secret.as_str()), "{text}");
        }
    }
}
