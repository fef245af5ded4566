use super::{encode, values};

#[test]
fn values_come_back_as_they_were() {
    for row in [&[][..], &[""], &["Magnus", "", "ü\0\n"]] {
        let row: Vec<String> = row.iter().map(|&value| value.to_owned()).collect();
        assert!(values(&encode(&row)).eq(row.iter()), "{row:?}");
    }
}
