//! Any bytes as what clients send to a game, and as what a server sends to a client.

use tabiya_serve::Role;
use tabiya_serve::offline::{OfflineClient, OfflineGame};

/// More messages take long, and show nothing more.
const MOST: usize = 64;

/// Each line is a message, after a letter for who sends it: `w`, `b`, `+` for both sides, and anything else for somebody
/// who watches. No message panics, a client understands everything that comes of one, and whoever watches changes nothing.
/// The same lines as what a server sends do a client no harm.
///
/// # Panics
/// If the property does not hold.
pub fn serve_messages(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').take(MOST);
    let lines = lines.filter_map(|line| {
        let (&sender, text) = line.split_first()?;
        Some((role(sender), std::str::from_utf8(text).ok()?))
    });
    let (mut game, mut client) = (OfflineGame::default(), OfflineClient::default());
    let mut stranger = OfflineClient::default();
    assert!(client.hear(&game.state(Role::Watch)), "a state makes sense");
    for (role, text) in lines {
        let before = game.state(Role::Watch);
        let told = game.take(role, text);
        assert!(!told.is_empty(), "every message is answered");
        for message in told {
            assert!(client.hear(&message), "{message}");
        }
        let after = game.state(Role::Watch);
        if role == Role::Watch {
            assert_eq!(before, after, "somebody who watches changes nothing");
        }
        assert!(OfflineClient::default().hear(&after), "{after}");
        stranger.hear(text);
    }
}

fn role(sender: u8) -> Role {
    match sender {
        b'w' => Role::White,
        b'b' => Role::Black,
        b'+' => Role::Both,
        _ => Role::Watch,
    }
}
