//! Runs that are cut short: by Ctrl-C, once or twice, or because nobody reads on. Nothing found is lost, no engine stays behind.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::run::{Run, command, ended};
use super::{Folder, KIWIPETE, START};

fn interrupt(child: &Child) {
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

fn wait_for(child: Child, limit: Duration) -> Run {
    let start = Instant::now();
    let run = ended(child.wait_with_output().unwrap());
    assert!(start.elapsed() < limit, "it took {:?} to stop", start.elapsed());
    run
}

#[test]
fn ctrl_c_stops_a_run_at_once_and_says_what_was_counted() {
    let folder = Folder::new();
    let text = format!("{START} ;D3 8902 ;id quick\n{START} ;D9 2439530234167 ;id endless\n");
    let suite = folder.file("long.epd", text);
    let child = command(&["perft", &suite]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let run = wait_for(child, Duration::from_secs(3));
    assert_eq!(run.code, 130, "{}{}", run.out, run.err);
    assert!(run.out.contains("PASS  quick  depth 3  8902"), "{}", run.out);
    assert!(run.out.contains("INTERRUPTED: 1 of 2 positions passed, 1 counts"), "{}", run.out);
}

#[test]
fn ctrl_c_after_a_difference_ends_with_one() {
    let folder = Folder::new();
    let text = format!("{START} ;D3 8903 ;id wrong\n{START} ;D9 2439530234167 ;id endless\n");
    let suite = folder.file("long.epd", text);
    let child = command(&["perft", &suite]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    interrupt(&child);
    let run = wait_for(child, Duration::from_secs(3));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
}

/// An engine that never answers, and writes its process number into a file.
fn sleeper(folder: &Folder) -> (String, PathBuf) {
    let mark = folder.0.path().join("pid");
    let script = format!("echo $$ > {}; read l; echo uciok; exec sleep 1000", mark.display());
    (folder.engine("sleeper", &script), mark)
}

fn assert_ended(mark: &Path) {
    let pid = fs::read_to_string(mark).unwrap();
    let until = Instant::now() + Duration::from_secs(3);
    loop {
        let alive = Command::new("kill").args(["-0", pid.trim()]).stderr(Stdio::null()).status();
        if !alive.unwrap().success() {
            return;
        }
        assert!(Instant::now() < until, "process {pid} still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn wait_for_file(mark: &Path) {
    let until = Instant::now() + Duration::from_secs(10);
    while !fs::read_to_string(mark).is_ok_and(|text| text.ends_with('\n')) {
        assert!(Instant::now() < until, "{} was not written", mark.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn ctrl_c_leaves_no_engine_behind() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", format!("{START} ;D1 20\n"));
    let (referee, mark) = sleeper(&folder);
    for verb in [&["perft"][..], &["suite", "verify"]] {
        let mut arguments = verb.to_vec();
        arguments.extend([suite.as_str(), "--referee", &referee]);
        let child = command(&arguments).spawn().unwrap();
        wait_for_file(&mark);
        interrupt(&child);
        let run = wait_for(child, Duration::from_secs(3));
        assert_eq!(run.code, 130, "{verb:?}: {}{}", run.out, run.err);
        assert_ended(&mark);
        fs::remove_file(&mark).unwrap();
    }
}

#[test]
fn a_second_ctrl_c_kills_the_run_and_its_engines() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", format!("{START} ;D1 20\n"));
    let (referee, mark) = sleeper(&folder);
    let child = command(&["perft", &suite, "--referee", &referee]).spawn().unwrap();
    wait_for_file(&mark);
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(30));
    interrupt(&child);
    assert_eq!(wait_for(child, Duration::from_secs(3)).code, 130);
    assert_ended(&mark);
}

#[test]
fn a_closed_pipe_leaves_no_engine_behind() {
    let folder = Folder::new();
    let text = format!("{KIWIPETE} ;D1 48\n{START} ;D1 20\n");
    let suite = folder.file("two.epd", text);
    let (referee, mark) = sleeper(&folder);
    let mut child = command(&["perft", &suite, "--referee", &referee, "--timeout", "1s"])
        .args(["--threads", "1"])
        .spawn()
        .unwrap();
    wait_for_file(&mark);
    drop(child.stdout.take());
    assert_eq!(wait_for(child, Duration::from_secs(20)).code, 3);
    assert_ended(&mark);
}

/// What was counted and is wrong is told, also when a referee was still busy with it.
#[test]
fn a_difference_that_was_found_is_not_lost_by_ctrl_c() {
    let folder = Folder::new();
    let suite = folder.file("one.epd", format!("{START} ;D1 21\n"));
    let (referee, mark) = sleeper(&folder);
    let child = command(&["perft", &suite, "--referee", &referee]).spawn().unwrap();
    wait_for_file(&mark);
    interrupt(&child);
    let run = wait_for(child, Duration::from_secs(5));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("depth 1, listed 21, counted 20"), "{}", run.out);
}

#[test]
fn ctrl_c_is_answered_while_a_difference_is_explained() {
    let folder = Folder::new();
    // Counted at once; for a referee it is some work.
    let suite = folder.file("one.epd", format!("{START} ;D6 119060325\n"));
    let arguments = ["perft", &suite, "--format", "json"];
    let mut child = command(&arguments).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("\"position\"") {
        assert_ne!(out.read_line(&mut text).unwrap(), 0, "{text}");
    }
    interrupt(&child);
    let start = Instant::now();
    out.read_to_string(&mut text).unwrap();
    assert!(start.elapsed() < Duration::from_secs(3), "it took {:?} to stop", start.elapsed());
    assert_eq!(child.wait().unwrap().code(), Some(1), "{text}");
    assert!(text.lines().last().unwrap().contains("summary"), "{text}");
}

#[test]
fn ctrl_c_ends_a_run_that_waits_for_its_input() {
    let folder = Folder::new();
    let fifo = folder.0.path().join("fifo.epd");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let child = command(&["perft", fifo.to_str().unwrap()]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(wait_for(child, Duration::from_secs(3)).code, 130);
}

#[test]
fn divide_has_no_total_when_it_was_interrupted() {
    let child = command(&["divide", "startpos", "99"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let run = wait_for(child, Duration::from_secs(3));
    assert_eq!(run.code, 130);
    assert!(!run.out.contains("Nodes searched"), "{}", run.out);
    assert!(run.err.contains("interrupted: 0 of 20 moves were counted"), "{}", run.err);
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    let mut child = command(&["divide", "startpos", "6"]).spawn().unwrap();
    drop(child.stdout.take());
    let run = wait_for(child, Duration::from_secs(20));
    assert_eq!((run.code, run.err.as_str()), (3, ""), "no verdict, no complaint");
}
