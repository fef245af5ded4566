//! The file on a disk that fails: it is what it was, or as it was to be, and whoever changed a setting is told.

use std::path::Path;

use super::rewrite_on;
use crate::disk::tests::model::{FAULTS, Fault, Model};

const OLD: &str = "# mine\ntheme = \"wood\"\n";
const NEW: &str = "# mine\ntheme = \"sea\"\n";

#[test]
fn every_call_can_fail_in_every_way() {
    let path = Path::new("/config/config.toml");
    let disk = || {
        let disk = Model::default();
        disk.put(path, OLD.as_bytes());
        disk
    };
    let write = |disk: &Model| rewrite_on(disk, path, |old| Ok(old.replace("wood", "sea")));
    let plain = disk();
    write(&plain).expect("nothing fails");
    assert_eq!(plain.bytes(path).as_deref(), Some(NEW.as_bytes()));
    for (at, call) in plain.calls().iter().enumerate() {
        for fault in FAULTS.into_iter().chain([28, 5].map(Fault::Forever)) {
            let disk = disk();
            disk.fail(at, fault);
            let result = write(&disk);
            let context = format!("{fault:?} at call {at}, {call}: {result:?}");
            let mut left = vec![disk.restarted()];
            if fault == Fault::Death {
                left = disk.after_power_cut();
            }
            for after in left {
                let found = after.bytes(path).unwrap_or_default();
                let found = String::from_utf8_lossy(&found).into_owned();
                let whole = found == NEW || (found == OLD && result.is_err());
                assert!(whole, "{context}: {found}");
            }
            if let Err(sentence) = result {
                assert!(sentence.starts_with("/config/config.toml: "), "{context}");
            }
        }
    }
}
