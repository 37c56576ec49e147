//! Commands and scripts that call `fio`, as a shell runs them: with the program, or with Debian's fio, under that name.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use cardiograph_testing::write_program;

use super::fio::{Fio, QUICK_CLOCK};
use super::{Bench, Outcome, PROGRAM, run};

/// Runs the text of a script in this place.
pub fn shell(bench: &Bench, fio: Fio, script: &str) -> Outcome {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = bench.command("/bin/sh", ["-c", script]);
    let directory = match fio {
        Fio::Ours => link(bench),
        Fio::Debian => {
            let directory = bench.work().parent().unwrap().join("debian");
            let _ = std::fs::create_dir(&directory);
            write_program(&directory.join("fio"), DEBIANS.as_bytes());
            directory
        }
    };
    command.env("PATH", format!("{}:{path}", directory.display())).env("CLOCK", QUICK_CLOCK);
    run(command)
}

/// One of the runs of `fio` that a script made.
#[derive(Debug)]
pub struct FioRun {
    /// Its exit status.
    pub status: String,
    /// What it wrote on standard output.
    pub stdout: String,
}

/// What is called `fio` where Debian's is meant.
const DEBIANS: &str = "#!/bin/sh\nexec /usr/bin/fio $CLOCK \"$@\"\n";

/// Notes what it is called with and what comes of that, in the next file.
const RECORDER: &str = r#"#!/bin/sh
number=$(ls "$RECORDS" | wc -l)
"$RECORDED" $CLOCK "$@" > "$RECORDS/$number"
status=$?
cat "$RECORDS/$number"
echo "$status" >> "$RECORDS.status"
exit $status
"#;

/// Runs the text of a script in this place. Returns, beside what came of it, each run of `fio` in it.
pub fn recorded(bench: &Bench, fio: Fio, script: &str) -> (Outcome, Vec<FioRun>) {
    let home = bench.work().parent().unwrap().to_path_buf();
    let (directory, records) = (home.join("recorder"), home.join("records"));
    for directory in [&directory, &records] {
        std::fs::create_dir(directory).unwrap();
    }
    let recorder = directory.join("fio");
    write_program(&recorder, RECORDER.as_bytes());
    let (real, clock) = match fio {
        Fio::Ours => (link(bench).join("fio"), ""),
        Fio::Debian => (PathBuf::from("/usr/bin/fio"), QUICK_CLOCK),
    };
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = bench.command("/bin/sh", ["-c", script]);
    command
        .env("PATH", format!("{}:{path}", directory.display()))
        .env("RECORDED", real)
        .env("CLOCK", clock)
        .env("RECORDS", &records);
    let outcome = run(command);
    let statuses = std::fs::read_to_string(home.join("records.status")).unwrap_or_default();
    let stdout = |number: usize| std::fs::read_to_string(records.join(number.to_string())).unwrap();
    let run = |(number, status): (usize, &str)| FioRun { status: status.to_string(), stdout: stdout(number) };
    (outcome, statuses.lines().enumerate().map(run).collect())
}

/// A directory with the program under the name of `fio`.
fn link(bench: &Bench) -> PathBuf {
    let directory = bench.work().parent().unwrap().join("bin");
    let _ = std::fs::create_dir(&directory);
    // It is there when a test runs two scripts.
    let _ = symlink(PROGRAM, directory.join("fio"));
    directory
}
