//! `tabiya completions` and `tabiya man`.

use crate::support::run;

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).fine();
        assert!(
            script.contains("perft") && script.contains("max-nodes"),
            "{shell}"
        );
    }
    assert_eq!(run(&["completions", "abacus"]).code, 2);
}

#[test]
fn manual_pages() {
    assert!(run(&["man"]).fine().contains(".TH tabiya 1"));
    assert!(run(&["man", "perft"]).fine().contains(".TH tabiya-perft 1"));
    for words in [
        &["man", "pgn", "check"][..],
        &["man", "pgn check"],
        &["man", "pgn-check"],
    ] {
        let page = run(words).fine();
        assert!(page.contains(".TH tabiya-pgn-check 1"), "{words:?}");
        assert!(page.contains(".SH EXAMPLES"), "{words:?}");
    }
    assert_eq!(run(&["help", "--help"]).fine(), run(&["help"]).fine());
    let run = run(&["man", "castle"]);
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert_eq!(run.err, "tabiya: there is no command 'castle'\n");
}
