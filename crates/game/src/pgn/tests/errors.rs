//! Every error is reported where it is, and affects nothing else.

use super::{Trace, trace, trace_with};

#[test]
fn a_refused_move_ends_its_line_only() {
    let refuses = |text: &str| {
        trace_with(
            text,
            Trace {
                refuses: "a1",
                ..Trace::default()
            },
        )
    };
    assert_eq!(
        refuses("1. e4 a1 e5 (d5 {x}) {y} $1\n2. d4 1-0\n\n1. d4"),
        "< | e4 a1 !NullMoveInCheck@1:7'a1' 1-0 > < | d4 >"
    );
    assert_eq!(
        refuses("1. e4 (1. a1 d5 (c5) {z}) 1... e5 (a1) ) *"),
        "< | e4 ( a1 !NullMoveInCheck@1:11'a1' ) e5 ( a1 !NullMoveInCheck@1:36'a1' ) * >"
    );
    assert_eq!(
        refuses("1. e4 a1 ) e5 *"),
        "< | e4 a1 !NullMoveInCheck@1:7'a1' * >"
    );
    assert_eq!(refuses("1. a1+"), "< | a1+ >");
    assert_eq!(
        refuses("1. e4 a1! {c}\n\n*"),
        "< | e4 a1 !NullMoveInCheck@1:7'a1' * >"
    );
    assert_eq!(
        refuses("1. a1 e4 {c}\n\n1. *"),
        "< | a1 !NullMoveInCheck@1:4'a1' > < | * >"
    );
}

#[test]
fn text_without_meaning_is_reported_once_a_game() {
    assert_eq!(
        trace("1. e4 % not escape\n e5 *"),
        "< | e4 !Unexpected@1:7'%' e5 * >"
    );
    assert_eq!(
        trace("e4 e5abc *\n\nd4 wow d5"),
        "< | e4 e5 !Unexpected@1:4'e5abc' * > < | d4 !Unexpected@3:4'wow' d5 >"
    );
    assert_eq!(
        trace("1. K d1 Qd5+ *"),
        "< | !Unexpected@1:4'K' d1 Qd5+ * >"
    );
    assert_eq!(trace("1. e4 \0 e5 *"), "< | e4 !Unexpected@1:7'\\0' e5 * >");
    assert_eq!(trace("1. e4 $ e5 $256 *"), "< | e4 !Glyph@1:7'$' e5 * >");
    assert_eq!(
        trace("1. e4 $99999999999999999999 *"),
        "< | e4 !Glyph@1:7'$99999999999999999999' * >"
    );
    assert_eq!(
        trace("1. e4 [%clk 0:01:00] e5 [x e6"),
        "< | e4 !Unexpected@1:7'[%clk 0:01:00]' e5 e6 >"
    );
    assert_eq!(
        trace("1. e4 ☃f3 e5 *"),
        "< | e4 !Unexpected@1:7'☃f3' e5 * >"
    );
    assert_eq!(
        trace("e4\n\nhello\n\n1. d4"),
        "< | e4 !Unexpected@3:1'hello' > < | d4 >"
    );
}

#[test]
fn markup_around_the_tags_is_passed_over_with_its_line() {
    assert_eq!(
        trace("[Event \"?\"]<br />[Site \"?\"]<br />1. d4 d5 1-0\n\n*"),
        "< Event=\"?\" !Unexpected@1:12'<br />[Site \\\"?\\\"]<br />1. d4 d5 1-0' | * >"
    );
    assert_eq!(
        trace("<pre>\n[Event \"?\"]<br />\n[Site \"?\"]<br />\n1. d4 d5 1-0\n</pre>"),
        "< Event=\"?\" !Unexpected@2:12'<br />' Site=\"?\" | d4 d5 1-0 >"
    );
}

#[test]
fn what_never_ends() {
    assert_eq!(
        trace("1. e4 {never closed"),
        "< | e4 !UnfinishedComment@1:7'{never closed' {never closed} >"
    );
    assert_eq!(
        trace("1. e4 (1. d4 (1. c4"),
        "< | e4 ( d4 ( c4 !UnfinishedVariation@1:7'(' ) ) >"
    );
    assert_eq!(
        trace("1. e4 (1. d4 1-0\n\n*"),
        "< | e4 ( d4 !UnfinishedVariation@1:7'(' ) 1-0 > < | * >"
    );
    assert_eq!(
        trace("[Event \"x"),
        "< !UnfinishedTag@1:1'[Event \\\"x' | >"
    );
    assert_eq!(trace("[Event"), "< !UnfinishedTag@1:1'[Event' | >");
    assert_eq!(trace("["), "< !UnfinishedTag@1:1'[' | >");
    assert_eq!(
        trace("[Event \"x\""),
        "< !UnfinishedTag@1:1'[Event \\\"x\\\"' | >"
    );
}

#[test]
fn a_forgotten_brace_costs_no_other_game() {
    for gap in ["\n\n", "\r\n\r\n", "\r\r", "\n\n\n"] {
        let text = format!("1. e4 {{oops{gap}[White \"b\"]{gap}1. d4 {{c}} *");
        let trace = trace(text);
        assert!(
            trace.starts_with("< | e4 !UnfinishedComment@1:7'{oops"),
            "{trace}"
        );
        assert!(trace.ends_with("< White=\"b\" | d4 {c} * >"), "{trace}");
    }
    assert_eq!(
        trace("1. e4 {oops\n[Event \"b\"]\n1. d4 *"),
        "< | e4 !UnfinishedComment@1:7'{oops' {oops} > < Event=\"b\" | d4 * >"
    );
    // Other text in brackets does not end a comment.
    assert_eq!(
        trace("e4 {a\n[%clk 0:01:00]\n\n[not a tag]\n[White \"b\"]} *"),
        "< | e4 {a\\n[%clk 0:01:00]\\n\\n[not a tag]\\n[White \\\"b\\\"]} * >"
    );
}

#[test]
fn broken_tags_are_left_out() {
    assert_eq!(
        trace("[Event]\n[White \"b\"]\n*"),
        "< !Tag@1:1'[Event]' White=\"b\" | * >"
    );
    assert_eq!(
        trace("[Event x]\n[White \"b\"]\n*"),
        "< !Tag@1:1'[Event x]' White=\"b\" | * >"
    );
    assert_eq!(
        trace("[Event \"x]\n[White \"b\"]\n*"),
        "< !Tag@1:1'[Event \\\"x]' White=\"b\" | * >"
    );
    assert_eq!(
        trace("[Event \"x\"\n[White \"b\"]\n*"),
        "< !Tag@1:1'[Event \\\"x\\\"' White=\"b\" | * >"
    );
    assert_eq!(
        trace("[Event \"x\n\n1. e4 *"),
        "< !Tag@1:1'[Event \\\"x' | e4 * >"
    );
    assert_eq!(
        trace("[]\n[ \"b\"]\n*"),
        "< !Tag@1:1'[]' !Tag@2:1'[ \\\"b\\\"]' | * >"
    );
    assert_eq!(
        trace("[Refused \"no\"]\n\n*"),
        "< Refused=\"no\" !Variant@1:11'no' | * >"
    );
}

#[test]
fn places_count_lines_of_every_kind_and_characters() {
    assert_eq!(trace("\r\n\r\n1. é e4\n"), "< | !Unexpected@3:4'é' e4 >");
    assert_eq!(trace("1. e4\r1... zz *"), "< | e4 !Unexpected@2:6'zz' * >");
    assert_eq!(trace("e4{éé}zz *"), "< | e4 {éé} !Unexpected@1:7'zz' * >");
    let far = format!(
        "{}1. e4\n{}zz",
        "e4 e5\n".repeat(50_000),
        " ".repeat(70_000)
    );
    assert!(trace(far).contains("!Unexpected@50002:70001'zz'"));
}
