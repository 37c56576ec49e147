//! hdparm, dd and iozone under their own names, compared with the real ones where installed, on files and loop devices.

mod dd;
mod hdparm;
mod iozone;

use std::process::Command;

use crate::common::{Bench, Outcome};

/// Whether a program is installed; if not, the test is skipped.
fn is_installed(program: &str, argument: &str) -> bool {
    let is_there = Command::new(program).arg(argument).output().is_ok();
    if !is_there {
        cardiograph_testing::skip(
            &format!("the output of {program}"),
            &format!("{program} is not installed"),
        );
    }
    is_there
}

/// Runs the real program in the C locale.
fn real(bench: &Bench, line: &str) -> Outcome {
    let mut words = line.split_whitespace();
    let mut command = bench.command(words.next().unwrap(), words);
    command.env("LC_ALL", "C");
    crate::common::run(command)
}

/// The text without cardiograph's own notes.
fn without_notes(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("cardiograph ")).collect()
}

/// `text` with `#` for each number and the spaces before it, which pad columns.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_ascii_digit() {
            masked.push(letter);
            continue;
        }
        masked.truncate(masked.trim_end_matches(' ').len());
        masked.push('#');
        while letters.next_if(|next| next.is_ascii_digit() || *next == '.').is_some() {}
        // 5.1107e-05
        if letters.peek() == Some(&'e') {
            letters.by_ref().take_while(|next| *next != ' ').for_each(drop);
            masked.push(' ');
        }
    }
    masked
}

#[test]
fn numbers_are_masked() {
    assert_eq!(masked(" copied, 5.1107e-05 s, 19.6 MB/s"), " copied,# s,# MB/s");
    assert_eq!(
        masked("reads:  64 MB in  0.07 seconds = 976.88 MB/sec\n"),
        "reads:# MB in# seconds =# MB/sec\n"
    );
}

#[test]
fn help_is_shown_and_nothing_is_done_without_arguments() {
    let bench = Bench::new();
    for tool in ["hdparm", "dd", "iozone"] {
        let help = bench.run(&format!("{tool} --help")).exits_with(0);
        help.says(&["@manual-usage", &format!("cardiograph {tool}")]);
        assert!(help.stderr.is_empty());
        let lines = help.stdout.lines();
        assert!(lines.clone().all(|line| line.chars().count() <= 80), "{tool}");
        let outcome = bench.run(tool).exits_with(2);
        assert!(outcome.stdout.is_empty() && !outcome.stderr.is_empty(), "{tool}");
    }
    assert!(bench.entries().is_empty());
}
