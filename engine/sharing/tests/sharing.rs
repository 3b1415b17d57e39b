//! What threads may do with a shared position, as the compiler sees it: what it must refuse, beside a twin that it accepts.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::process::Command;

/// The compiler whose words stand in the `.stderr` files; others say the same otherwise.
const SPOKEN: &str = concat!("rustc ", env!("CARGO_PKG_RUST_VERSION"), ".");

#[test]
fn the_compiler_refuses_a_race_and_says_why() {
    let version = Command::new("rustc").arg("--version").output().expect("rustc runs").stdout;
    let version = String::from_utf8(version).expect("a version is text");
    if !version.starts_with(SPOKEN) {
        // Not by a macro: those of a test that passes are not shown.
        let told = format!("not run: tests/ui asks for {SPOKEN}x, this is {version}");
        io::stderr().write_all(told.as_bytes()).expect("standard error is open");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/refused/*.rs");
    cases.pass("tests/ui/accepted/*.rs");
}

/// A program that is refused for another reason than the race would prove nothing; its twin differs by the race alone.
#[test]
fn every_refused_program_has_its_reason_and_its_twin() {
    let names = |folder: &str, extension: &str| -> BTreeSet<String> {
        let folder = format!("{}/tests/ui/{folder}", env!("CARGO_MANIFEST_DIR"));
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let names = files.map(|name| name.into_string().unwrap());
        names.filter_map(|name| Some(name.strip_suffix(extension)?.to_string())).collect()
    };
    let refused = names("refused", ".rs");
    assert!(refused.len() >= 5, "{refused:?}");
    assert_eq!(refused, names("accepted", ".rs"));
    assert_eq!(refused, names("refused", ".stderr"));
}
