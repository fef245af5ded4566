use super::*;

/// Moves everything that has happened to a session into the past.
fn age(sessions: &Sessions, by: Duration) {
    let aged = sessions.change(|all| {
        for session in all {
            session.since -= by;
            if let Some((_, offered)) = &mut session.next {
                *offered -= by;
            }
        }
    });
    aged.expect("written");
}

const WEEK: Duration = Duration::from_secs(7 * 24 * 3600);

#[test]
fn a_session_is_stored_as_a_digest_and_found_by_another_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = Sessions::open(folder.path(), WEEK);
    let other = Sessions::open(folder.path(), WEEK);
    assert!(!other.accepts(&Secret::random().expect("random numbers")));
    let secret = sessions.begin().expect("written");
    assert!(sessions.accepts(&secret) && other.accepts(&secret));
    let stored = std::fs::read_to_string(&sessions.path).expect("a file");
    assert!(!stored.contains(&secret.reveal()), "{stored}");
    assert!(stored.contains(&secret.digest().reveal()), "{stored}");
    other.end(&secret).expect("written");
    assert!(!sessions.accepts(&secret));
    // A session that has ended does not come back by a change to another one.
    let second = sessions.begin().expect("written");
    let third = other.begin().expect("written");
    assert!(!sessions.accepts(&secret) && sessions.accepts(&second) && sessions.accepts(&third));
    other.end_all().expect("written");
    assert!(!sessions.accepts(&second) && !sessions.accepts(&third));
}

#[test]
fn a_secret_is_renewed_after_a_week_and_the_old_one_dies_with_the_first_use_of_the_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = Sessions::open(folder.path(), WEEK);
    let first = sessions.begin().expect("written");
    assert_eq!(sessions.renew(&first).expect("read"), None);
    age(&sessions, WEEK);
    sessions.renew(&first).expect("written").expect("a secret");
    // The answer was lost: the old secret is still valid. Two tabs that ask at once do not get two secrets.
    assert!(sessions.accepts(&first));
    assert_eq!(sessions.renew(&first).expect("read"), None);
    age(&sessions, 2 * OFFER_TIME);
    let second = sessions.renew(&first).expect("written").expect("a secret");
    assert!(sessions.accepts(&first) && sessions.accepts(&second));
    assert!(!sessions.accepts(&first), "the new one was used");
    // A request that was on its way has not ended the session.
    assert!(sessions.accepts(&second));
    age(&sessions, 2 * IN_FLIGHT);
    assert!(!sessions.accepts(&first));
    assert!(
        !sessions.accepts(&second),
        "a secret that was copied ends it"
    );
}

/// Two have the old secret: one got a new one and then the other got another. When both use theirs, the session ends.
#[test]
fn a_new_secret_that_was_replaced_ends_its_session() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = Sessions::open(folder.path(), WEEK);
    let first = sessions.begin().expect("written");
    age(&sessions, WEEK);
    let own = sessions.renew(&first).expect("written").expect("a secret");
    age(&sessions, 2 * OFFER_TIME);
    let copied = sessions.renew(&first).expect("written").expect("a secret");
    assert!(sessions.accepts(&copied));
    age(&sessions, 2 * IN_FLIGHT);
    assert!(!sessions.accepts(&own));
    assert!(!sessions.accepts(&copied));
}

#[test]
fn sessions_end_after_a_year_and_there_are_so_many_at_most() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = Sessions::open(folder.path(), WEEK);
    let first = sessions.begin().expect("written");
    age(&sessions, MAX_AGE);
    let second = sessions.begin().expect("written");
    assert!(!sessions.accepts(&first));
    age(&sessions, WEEK);
    for _ in 0..MAX_SESSIONS - 1 {
        sessions.begin().expect("written");
    }
    assert!(sessions.accepts(&second));
    sessions.begin().expect("written");
    assert!(!sessions.accepts(&second), "the oldest goes");
}

#[test]
fn a_damaged_file_lets_nobody_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let sessions = Sessions::open(folder.path(), WEEK);
    let secret = sessions.begin().expect("written");
    let digest = secret.digest().reveal();
    for text in [
        String::new(),
        "{".to_owned(),
        digest.clone(),
        format!("{{\"sessions\":[{{\"current\":\"{digest}\",\"since\":-1}}]}}"),
        format!(
            "{{\"sessions\":[{{\"current\":\"{}\",\"since\":{}}}]}}",
            &digest[1..],
            u64::MAX
        ),
    ] {
        std::fs::write(&sessions.path, &text).expect("written");
        assert!(!sessions.accepts(&secret), "{text}");
    }
    let again = sessions.begin().expect("written");
    assert!(sessions.accepts(&again));
}
