//! The file on a failing disk: it has the old or the new contents, and a failure is reported.

use std::path::Path;

use tabiya_store::disk::model::{Fault, ModelDisk, try_all};

use super::rewrite_on;

const OLD: &[u8] = b"# mine\ntheme = \"wood\"\n";
const NEW: &[u8] = b"# mine\ntheme = \"sea\"\n";

#[test]
fn every_call_can_fail_in_every_way() {
    let path = Path::new("/config/config.toml");
    let before = ModelDisk::default();
    before.put(path, OLD);
    let write = |disk: &ModelDisk| rewrite_on(disk, path, |old| Ok(old.replace("wood", "sea")));
    try_all(&before, path, write, |done, found| match found {
        Some(NEW) => true,
        Some(OLD) => !done,
        _ => false,
    });
    let disk = before.restarted();
    disk.fail(0, Fault::Forever(28));
    let sentence = write(&disk).expect_err("the disk is full").to_string();
    assert!(sentence.starts_with("/config/config.toml: "), "{sentence}");
}
