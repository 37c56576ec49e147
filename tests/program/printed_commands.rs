//! The fio commands that the program prints: a shell and Debian's fio take them as they stand.

use std::collections::BTreeMap;

use cardiograph_testing::part_or_all;

use crate::common::Bench;
use crate::common::fio::{Fio, debian_fio_version};
use crate::common::fio_shell::shell;

/// Makes a job short. It runs on file systems without direct I/O, too.
const SHORT: &str = "--size=32M --filesize=32M --io_size=64k --offset=0 --runtime=200ms --loops=1 --number_ios=2 --numjobs=1 --direct=0 \
                     --startdelay=0";

/// The fio commands of a suite's dry run.
fn commands(suite: &str) -> Vec<String> {
    let bench = Bench::new();
    let outcome = bench.run(&format!("check --simulate bad-card --dry-run --suite {suite}")).exits_with(0);
    outcome
        .stdout
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("fio "))
        .map(str::to_string)
        .collect()
}

/// What a command asks for, without the values that differ between steps.
fn form(command: &str) -> String {
    let words = command.split(' ').filter_map(|word| match word.split_once('=') {
        Some(("--rw" | "--readwrite" | "--ioengine" | "--sync" | "--verify", _)) => Some(word),
        Some((option, _)) => Some(option),
        None => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn runner() -> Fio {
    if debian_fio_version().is_some() { Fio::Debian } else { Fio::Ours }
}

#[test]
fn printed_commands_run_as_they_stand() {
    let suites = cardiograph_suites::SUITES.iter().map(|suite| suite.name());
    let forms: BTreeMap<String, String> = suites
        .flat_map(commands)
        .filter(|command| !command.contains("verify_only"))
        .map(|command| (form(&command), command))
        .collect();
    assert!(forms.len() > 20, "{forms:?}");
    let bench = Bench::new();
    for command in forms.into_values().step_by(part_or_all(2, 1)) {
        let outcome = shell(&bench, runner(), &format!("{command} {SHORT}"));
        assert_eq!(outcome.status.code(), Some(0), "{command}\n{}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn the_printed_proof_of_a_capacity_reads_what_it_wrote() {
    let short = "--size=4M --number_ios=16 --direct=0 --ioengine=psync";
    let proof = commands("capacity").iter().map(|command| format!("{command} {short}")).collect::<Vec<_>>();
    assert_eq!(proof.len(), 2);
    let outcome = shell(&Bench::new(), runner(), &proof.join(" && ")).exits_with(0);
    // Bad blocks do not end the command.
    assert!(!outcome.stderr.contains("verify"), "{}", outcome.stderr);
}
