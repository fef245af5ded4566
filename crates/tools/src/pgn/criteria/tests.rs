//! Ranges as people type them, and what is in them.

use super::{Dates, Ecos, Numbers, Words, date_of, year};

#[test]
fn numbers() {
    let read = |text: &str| text.parse::<Numbers>();
    for (text, inside, outside) in [
        ("20..40", [20, 40], [19, 41]),
        ("..40", [0, 40], [41, 99]),
        ("40", [40, 40], [39, 41]),
    ] {
        let range = read(text).unwrap();
        assert!(
            inside.iter().all(|&number| range.contains(number)),
            "{text}"
        );
        assert!(
            !outside.iter().any(|&number| range.contains(number)),
            "{text}"
        );
    }
    assert!(read("2600..").unwrap().contains(u64::MAX));
    for text in ["", "..", "a", "1..b", "40..20", "-1", "1...2"] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn dates_with_unknown_parts_lie_inside_only_if_they_do_for_sure() {
    let range: Dates = "2020..2022.06".parse().unwrap();
    for inside in [
        "2020.01.01",
        "2021.??.??",
        "2022.06.30",
        "2022.06.??",
        "2022-06-01",
        "2021",
    ] {
        assert!(range.contains(inside), "{inside}");
    }
    for outside in [
        "2019.12.31",
        "2022.??.??",
        "2022.07.01",
        "????.??.??",
        "",
        "20",
        "2021.13.01",
        "2021.1.1.1",
    ] {
        assert!(!range.contains(outside), "{outside}");
    }
    let day: Dates = "2021.12.24".parse().unwrap();
    assert!(day.contains("2021.12.24") && !day.contains("2021.12.??"));
    let later: Dates = "2021.05..".parse().unwrap();
    assert!(later.contains("9999.12.31") && !later.contains("2021.04.30"));
    let before: Dates = "..1900".parse().unwrap();
    assert!(before.contains("1851.06.21") && !before.contains("1901.01.01"));
    for text in [
        "",
        "..",
        "20",
        "2020.13",
        "2022..2020",
        "2020.02.40",
        "é020",
        "+202",
    ] {
        assert!(text.parse::<Dates>().is_err(), "{text}");
    }
    assert_eq!(
        (year("1972.07.11"), year("????.??.??"), year("19")),
        (Some(1972), None, None)
    );
}

#[test]
fn openings() {
    let read = |text: &str| text.parse::<Ecos>().unwrap();
    assert!(read("B20..B99").contains("B90") && !read("B20..B99").contains("C00"));
    assert!(read("c").contains("C99") && read("C").contains("c00") && !read("C").contains("D00"));
    assert!(read("B2").contains("B29/03") && !read("B2").contains("B30"));
    assert!(read("..A39").contains("A00") && !read("E97").contains("E98"));
    assert!(!read("A..").contains("") && !read("A..").contains("?") && read("A..").contains("E99"));
    for text in ["", "..", "F00", "A000", "B20..A00", "é"] {
        assert!(text.parse::<Ecos>().is_err(), "{text}");
    }
}

#[test]
fn words() {
    assert!(Words::from("magnus CARLSEN").are_in("Carlsen, Magnus"));
    assert!(Words::from("gé").are_in("MARÓCZY, GÉZA"));
    assert!(!Words::from("magnus").are_in("Anand"));
    for (asked, found, missed) in [
        (
            "so",
            &["So, Wesley", "Wesley So", "Sokolov, Ivan"][..],
            &["Karlsson", "Ni Hua"][..],
        ),
        (
            "=so",
            &["So, Wesley", "Wesley SO"],
            &["Sokolov, Ivan", "Karlsson"],
        ),
        ("\"so\"", &["So,W"], &["Sokolov, Ivan"]),
        ("\"so\" wes", &["So, Wesley"], &["So, Anna", "Soe, Wesley"]),
        ("=So, Wesley", &["So, Wesley", "Wesley So"], &["So, Wes"]),
        ("\"So, Wesley\"", &["So, Wesley"], &["So"]),
        ("o'kelly", &["O'Kelly de Galway"], &["Kelly"]),
        ("", &["anybody", ""], &[]),
    ] {
        let words = Words::from(asked);
        assert!(found.iter().all(|name| words.are_in(name)), "{asked}");
        assert!(!missed.iter().any(|name| words.are_in(name)), "{asked}");
    }
}

#[test]
fn dates_of_games() {
    assert_eq!(date_of("2021.03.05", "2022.01.01"), "2021.03.05");
    assert_eq!(date_of("", "2022.01.01"), "2022.01.01");
    assert_eq!(date_of("????.??.??", "2022.01.01"), "2022.01.01");
    assert_eq!(date_of("2021.??.??", "2022.01.01"), "2021.??.??");
}
