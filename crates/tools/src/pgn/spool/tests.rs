//! Texts come back from the temporary file.

use super::Spool;

#[test]
fn texts_come_back_in_any_order() {
    let mut spool = Spool::new().expect("a file");
    let places: Vec<_> = ["one", "", "three"]
        .map(|text| spool.add(text.as_bytes()).expect("written"))
        .to_vec();
    for (place, text) in places.iter().zip(["one", "", "three"]).rev() {
        assert_eq!(spool.read(*place).expect("read"), text.as_bytes());
    }
}
