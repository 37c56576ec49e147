//! Developer commands: `cargo xtask COMMAND`.
#![forbid(unsafe_code)]

mod calibrate;
mod cast;
mod cross;
mod deaths;
mod debian;
mod deny;
mod differ;
mod dist;
mod docs;
mod faults;
mod fuzz;
mod kills;
mod prove;
mod registry;
mod rig;
mod sanitize;
mod served;
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
           measure speed and size against fio and a bare loop; exits with 1 if a target is missed
  calibrate [ROW...] [--sample] [--list]
           measure how often 95 % intervals contain the true value, and how often comparisons find differences, in
           minutes, or a sample in seconds; exits with 1 if a share is out of bounds
  calibrate --disk DIRECTORY
           compare ten pairs of checkups of the drive there, in about ten minutes; exits with 1 if more than two differ
  cast     write the moving pictures of the README, from simulated drives
  docs [--check]
           write docs/fio.md and the man pages; with --check compare docs/fio.md, and look for the tests it names
  spellings
           write how Debian's fio reads each spelling in crates/jobs/src/options/spellings.tsv
  deny     check licences, duplicates and sources of all crates by deny.toml; exits with 77 without cargo-deny
  tidy [--count]
           check the design's rules over the source tree: lengths, cycles, purity of core, messages; exits with 1 if one
           is broken; with --count show the lines of code of each crate
  differ [--seeds N] [--from SEED] [--seed SEED] [--fio FILE]
           run random jobs with the program and with fio, and compare the reproducible results; exits with 1 on
           undocumented differences, and with 77 without fio
  dist [--to DIRECTORY] [--key FILE] [--twice] [amd64|arm64|armhf]...
           make a release in target/dist: static programs in archives, packages and an image for containers, SHA256SUMS, signed
           by an OpenSSH key; --twice: in two directories, which must give the same bytes; exits with 77 if the tools for it
           are not available
  prove [--from DIRECTORY] [--short] [--roots] [amd64|arm64|armhf]...
           run a release as people would: in empty root directories, other processors under QEMU, with the installer, and with
           --roots as packages in three Debians; exits with 1 if something fails, and with 77 without root
  traces DIRECTORY [LOAD]
           record the I/O of the suite apps' applications on the drive there with strace, for simulated drives
  fuzz [TARGET...] [--seconds N] [--seed N]
           search for job files, command lines, outputs of other programs and more that crash or hang the program;
           --help lists the targets
  faults [calls|allocations] [--every N] [--only N] [--program FILE]
           run a short checkup once for each of its system calls and allocations, which fails; exits with 1 if a checkup
           does not end clearly or leaves something behind, and with 77 if faults cannot be injected here
  deaths [--rounds N] [--seed N] [--program FILE]
           kill 300 runs, their Agents or both at random times; exits with 1 if a finished step is lost or something is
           left behind
  kills [--rounds N] [--seed N] [--program FILE]
           kill the server 200 times under 20 senders, restart its PostgreSQL; exits with 2 if a Report that it accepted is
           missing, or is there twice
  soak [CHECK...] [--list]
           run the long versions of checks, for hours; output is in target/soak/CHECK.log; exits with 1 if one fails
  sanitize [address|thread]... [--lib]
           run the tests of the crates with unsafe code or threads under AddressSanitizer and ThreadSanitizer, or only unit
           tests; exits with 1 on findings, and with 77 if a sanitizer is not available
  cross    check that everything compiles for 64-bit and 32-bit ARM
  rig [SCENE...] [--arch amd64|arm64] [--kernel RELEASE] [--program FILE] [--list]
           boot an emulated machine with a memory card, NVMe, RAID and more, and check the program's output there;
           exits with 1 on unexpected output, and with 77 if the rig is not available";

/// The locale variable with the highest priority.
const LOCALE: &str = "LC_ALL";

fn main() -> ExitCode {
    // It parses outputs of programs, which inherit an English locale.
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
        ["cast"] => cast::run(),
        ["calibrate", rest @ ..] => calibrate::run(rest),
        ["deny"] => deny::run(),
        ["differ", rest @ ..] => differ::run(rest),
        ["dist", rest @ ..] => dist::run(rest),
        ["docs", rest @ ..] => docs::run(rest),
        ["prove", rest @ ..] => prove::run(rest),
        ["spellings"] => spellings::run(),
        ["tidy", rest @ ..] => tidy::run(rest),
        ["traces", directory] => traces::run(directory, None),
        ["traces", directory, load] => traces::run(directory, Some(load)),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["faults", rest @ ..] => faults::run(rest),
        ["deaths", rest @ ..] => deaths::run(rest),
        ["kills", rest @ ..] => kills::run(rest),
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
