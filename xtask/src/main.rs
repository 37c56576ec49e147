//! Developer commands: `cargo xtask COMMAND`.
#![forbid(unsafe_code)]

mod calibrate;
mod cross;
mod deaths;
mod debian;
mod differ;
mod docs;
mod faults;
mod fuzz;
mod rig;
mod sanitize;
mod soak;
mod spellings;
mod tidy;
mod traces;
mod versus;
mod workspace;

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
Usage: cargo xtask COMMAND

Commands:
  versus [ROW...] [--slices N] [--list]
           measure speed and size against fio and a bare loop; exits with 1 when a target is missed
  calibrate [ROW...] [--sample] [--list]
           how often the 95 % intervals hold the true value, and comparisons find differences, in minutes, or a sample of
           that in seconds; exits with 1 where it is not in 93.5 to 96.5 % of runs, or not what is promised of pairs
  calibrate --disk DIRECTORY
           compare ten pairs of checkups of the drive there, in about ten minutes; exits with 1 where more than two differ
  docs [--check]
           write docs/fio.md from the option table; with --check compare it, and look for the tests that it names
  spellings
           write what Debian's fio makes of each spelling of crates/jobs/src/options/spellings.tsv
  tidy [--count]
           check the design's rules over the source tree: lengths, circles, what core may use; exits with 1 where one is
           broken; with --count show the lines of code of each crate
  differ [--seeds N] [--from SEED] [--seed SEED] [--fio FILE]
           run random jobs by the program and by fio, and compare what is the same each time; exits with 1 where something
           differs that is not documented, and with 77 without fio
  traces DIRECTORY [LOAD]
           record with strace what the applications of the suite apps ask of the drive there, for simulated drives
  fuzz [TARGET...] [--seconds N] [--seed N]
           look for job files, command lines, outputs of other programs and more that crash the program or hang it;
           --help names the targets
  faults [calls|allocations] [--every N] [--only N] [--program FILE]
           run a short checkup once for each of its system calls and allocations, which fails; exits with 1 where one does
           not end clearly or leaves something behind, and with 77 when calls cannot be made to fail here
  deaths [--rounds N] [--seed N] [--program FILE]
           kill 300 runs, their Agents or both at random moments; exits with 1 where a finished step is lost or something is left
  soak [PROOF...] [--list]
           run the long proofs of which CI runs a part, in hours; what each printed is in target/soak/PROOF.log, and it exits
           with 1 where one failed
  sanitize [address|thread]... [--lib]
           run the tests of the crates with unsafe code or threads under AddressSanitizer and ThreadSanitizer, or only unit
           tests; exits with 1 when something is found, and with 77 when a sanitizer cannot be had here
  cross    check that everything compiles for 64-bit and 32-bit ARM
  rig [SCENE...] [--arch amd64|arm64] [--program FILE] [--list]
           boot an emulated machine with a memory card, NVMe, RAID and more, and look at what the program says there;
           exits with 1 when something is not as expected, and with 77 when the rig cannot be had here";

/// The variable that decides the locale, before all others.
const LOCALE: &str = "LC_ALL";

fn main() -> ExitCode {
    // It reads what programs print: they inherit a locale in which they all speak English.
    if std::env::var_os(LOCALE).is_none_or(|locale| locale != "C") {
        let mut again = Command::new(std::env::current_exe().expect("the path of this program"));
        let error = again.args(std::env::args_os().skip(1)).env(LOCALE, "C").exec();
        eprintln!("xtask: cannot be started again with {LOCALE}=C: {error}");
        return ExitCode::FAILURE;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["versus", rest @ ..] => versus::run(rest),
        ["calibrate", rest @ ..] => calibrate::run(rest),
        ["differ", rest @ ..] => differ::run(rest),
        ["docs", rest @ ..] => docs::run(rest),
        ["spellings"] => spellings::run(),
        ["tidy", rest @ ..] => tidy::run(rest),
        ["traces", directory] => traces::run(directory, None),
        ["traces", directory, load] => traces::run(directory, Some(load)),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["faults", rest @ ..] => faults::run(rest),
        ["deaths", rest @ ..] => deaths::run(rest),
        ["soak", rest @ ..] => soak::run(rest),
        ["sanitize", rest @ ..] => sanitize::run(rest),
        ["cross"] => cross::run(),
        ["rig", rest @ ..] => rig::run(rest),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        _ => Err(USAGE.to_string()),
    };
    outcome.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}
