//! The README says what happens: its console blocks are run and compared.

use std::fs;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn the_console_blocks_of_the_readme_are_true() {
    let cargo = PathBuf::from(env!("CARGO"));
    trycmd::TestCases::new().register_bin("cargo", cargo).case("../README.md").run();
}

/// A block that is skipped would prove nothing.
#[test]
fn no_console_block_of_the_readme_is_ignored() {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let blocks: Vec<&str> = readme.lines().filter(|line| line.starts_with("```console")).collect();
    assert!(blocks.len() >= 3, "{blocks:?}");
    assert!(blocks.iter().all(|block| *block == "```console"), "{blocks:?}");
    assert!(!readme.contains("trycmd") && !readme.contains("ignore"));
}
