//! What powers the machine, as Linux says it.

use std::fs;

use super::is_on_battery;

#[test]
fn only_a_battery_of_the_machine_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |supply: &str, file: &str, text: &str| {
        fs::create_dir_all(folder.path().join(supply)).expect("a folder");
        fs::write(folder.path().join(supply).join(file), text).expect("a file");
    };
    assert!(!is_on_battery(&folder.path().join("none")));
    write("AC", "type", "Mains\n");
    write("mouse", "type", "Battery\n");
    write("mouse", "scope", "Device\n");
    write("mouse", "status", "Discharging\n");
    write("BAT0", "type", "Battery\n");
    write("BAT0", "status", "Charging\n");
    assert!(!is_on_battery(folder.path()));
    write("BAT0", "status", "Discharging\n");
    assert!(is_on_battery(folder.path()));
}
