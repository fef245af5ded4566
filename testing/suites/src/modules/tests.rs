//! No crate has modules in a circle, and circles are detected.

use super::*;

fn names(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_modules_of_every_crate_point_in_one_direction() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut seen = 0;
    for entry in fs::read_dir(crates).expect("the folder of the crates") {
        let src = entry.expect("a crate").path().join("src");
        let uses = uses(&src);
        assert!(!uses.is_empty(), "{} has modules", src.display());
        let circles = circles(&uses);
        assert!(
            circles.is_empty(),
            "{} has modules in circles: {circles:?}; what each uses: {uses:#?}",
            src.display()
        );
        seen += 1;
    }
    assert!(seen >= 8, "{seen} crates");
}

#[test]
fn paths_are_read_wherever_they_stand() {
    let inner = ["a".to_owned(), "inner".to_owned()];
    let found = |text: &str| -> BTreeSet<String> { targets(text, &inner).collect() };
    assert_eq!(found("use crate::b::{C, d::E};"), names("b"));
    assert_eq!(
        found("use crate::{b, c::{self, D}, e::f as g,\n};"),
        names("b c e")
    );
    // One up is `a` itself, two up is the crate.
    assert_eq!(
        found("use super::b::C; use super::super::d::E;"),
        names("d")
    );
    assert_eq!(found("use super::super::{d, e::F};"), names("d e"));
    assert_eq!(found("let x = crate::b::c(crate::d::E);"), names("b d"));
    assert_eq!(
        found("// crate::b\n/// [`crate::c`]\nuse other::crate_b;"),
        names("")
    );
    assert_eq!(
        found(r##"("crate::b", "\" crate::c // ", r#"" crate::d"#, '"', '\'', crate::e)"##),
        names("e")
    );
    assert_eq!(
        found("use crate::b;\n\n#[cfg(test)]\nmod tests {\n    use crate::c;\n}"),
        names("b")
    );
    let top = ["a".to_owned()];
    let found: BTreeSet<String> = targets("use super::b;", &top).collect();
    assert_eq!(found, names("b"));
}

#[test]
fn circles_are_found_whatever_their_length() {
    let uses = |edges: &[(&str, &str)]| -> Uses {
        edges
            .iter()
            .map(|&(from, to)| (from.to_owned(), names(to)))
            .collect()
    };
    let line = uses(&[("a", "b c"), ("b", "c"), ("c", "")]);
    assert_eq!(circles(&line), []);
    let two = uses(&[("a", "b"), ("b", "a"), ("c", "a d"), ("d", "e"), ("e", "c")]);
    assert_eq!(circles(&two), [names("a b"), names("c d e")]);
}
