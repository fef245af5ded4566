//! Finds out whether the compiler has the target features of AVX-512. They are stable since Rust 1.89; with 1.88, which
//! the crate supports too, the widest code path is AVX2.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(has_avx512)");
    // A compiler whose version cannot be read may be an old one.
    if minor_version().is_some_and(|minor| minor >= 89) {
        println!("cargo::rustc-cfg=has_avx512");
    }
}

/// 95 for `rustc 1.95.0 (59807616e 2026-04-14)`.
fn minor_version() -> Option<u32> {
    let rustc = std::env::var_os("RUSTC")?;
    let output = Command::new(rustc).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.strip_prefix("rustc 1.")?;
    version.split('.').next()?.parse().ok()
}
