//! What is written twice agrees: links and files, rooms and their first lines, the gate and its workflow.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && name != ".git" {
            files.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files
}

#[test]
fn every_source_file_opens_by_saying_what_it_holds() {
    let files = files_below(&workspace(), "rs");
    assert!(files.len() > 50, "the walk found the sources");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{}", file.display());
    }
}

#[test]
fn every_link_in_the_documents_has_its_file() {
    let mut links = 0;
    for file in files_below(&workspace(), "md") {
        let text = fs::read_to_string(&file).unwrap();
        for rest in text.split("](").skip(1) {
            let target = rest.split([')', '#']).next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            links += 1;
            assert!(file.parent().unwrap().join(target).exists(), "{}: {target}", file.display());
        }
    }
    assert!(links >= 8, "{links} links");
}

#[test]
fn unsafe_code_is_in_one_file() {
    let root = workspace();
    for file in files_below(&root.join("engine/src"), "rs") {
        let text = fs::read_to_string(&file).unwrap();
        let has_unsafe = text.lines().any(|line| {
            let code = line.split("//").next().unwrap();
            code.contains("unsafe {") || code.contains("unsafe fn") || code.contains("unsafe impl")
        });
        assert_eq!(has_unsafe, file.ends_with("processor.rs"), "{}", file.display());
    }
}

/// It is undefined behaviour: no other package may depend on it, and no command without its name may build it.
#[test]
fn nothing_links_the_raw_race() {
    let root = workspace();
    let is_named = |line: &&str| line.contains("raw-race") && !line.starts_with('#');
    for file in files_below(&root, "toml") {
        let text = fs::read_to_string(&file).unwrap();
        let expected = match file.strip_prefix(&root).unwrap().to_str().unwrap() {
            "Cargo.toml" => 1, // as a member, not as a default one
            "xtask/raw-race/Cargo.toml" => 1,
            _ => 0,
        };
        assert_eq!(text.lines().filter(is_named).count(), expected, "{}", file.display());
    }
}

/// The workflow calls each step of the gate and nothing else of ours.
#[test]
fn the_workflow_calls_the_steps_of_the_gate() {
    let list = Command::new(env!("CARGO_BIN_EXE_xtask")).args(["ci", "--list"]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let steps: Vec<&str> = list.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let workflow = fs::read_to_string(workspace().join(".github/workflows/ci.yml")).unwrap();
    let called: Vec<&str> = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: cargo xtask ci "))
        .collect();
    assert_eq!(called, steps);
}

#[test]
fn the_engine_depends_on_nothing() {
    let manifest = fs::read_to_string(workspace().join("engine/Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]\n").nth(1).unwrap_or_default();
    let dependencies = dependencies.split("\n[").next().unwrap_or_default();
    let needed = |line: &&str| !line.is_empty() && !line.contains("optional = true");
    assert_eq!(dependencies.lines().find(needed), None);
}

#[test]
fn the_chooser_depends_on_the_engine_alone() {
    let manifest = fs::read_to_string(workspace().join("engine/chooser/Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let section = dependencies.split("\n[").next().unwrap();
    assert_eq!(section.trim(), "touchmove.workspace = true");
    assert!(!manifest.contains("dev-dependencies"));
}
