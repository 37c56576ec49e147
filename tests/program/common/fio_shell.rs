//! Commands and scripts that call `fio`, run by a shell, with the program or Debian's fio under that name.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use cardiograph_testing::write_program;

use super::fio::{Fio, QUICK_CLOCK};
use super::{Bench, Outcome, PROGRAM, run};

/// Runs a script in this bench.
pub fn shell(bench: &Bench, fio: Fio, script: &str) -> Outcome {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = bench.command("/bin/sh", ["-c", script]);
    command.env("PATH", format!("{}:{path}", called_fio(bench, fio).display()));
    run(command)
}

/// A run of `fio` by a script.
#[derive(Debug)]
pub struct FioRun {
    /// Its exit status.
    pub status: String,
    /// Its standard output.
    pub stdout: String,
}

/// Records its arguments and results in the next file.
const RECORDER: &str = r#"#!/bin/sh
number=$(ls "$RECORDS" | wc -l)
"$RECORDED" "$@" > "$RECORDS/$number"
status=$?
cat "$RECORDS/$number"
echo "$status" >> "$RECORDS.status"
exit $status
"#;

/// Runs a script in this bench. Returns its outcome, and each run of `fio` in it.
pub fn recorded(bench: &Bench, fio: Fio, script: &str) -> (Outcome, Vec<FioRun>) {
    let home = bench.work().parent().unwrap().to_path_buf();
    let (directory, records) = (home.join("recorder"), home.join("records"));
    for directory in [&directory, &records] {
        std::fs::create_dir(directory).unwrap();
    }
    let recorder = directory.join("fio");
    write_program(&recorder, RECORDER.as_bytes());
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = bench.command("/bin/sh", ["-c", script]);
    command
        .env("PATH", format!("{}:{path}", directory.display()))
        .env("RECORDED", called_fio(bench, fio).join("fio"))
        .env("RECORDS", &records);
    let outcome = run(command);
    let statuses = std::fs::read_to_string(home.join("records.status")).unwrap_or_default();
    let stdout = |number: usize| std::fs::read_to_string(records.join(number.to_string())).unwrap();
    let run = |(number, status): (usize, &str)| FioRun { status: status.to_string(), stdout: stdout(number) };
    (outcome, statuses.lines().enumerate().map(run).collect())
}

/// A directory with one of the two as `fio`.
fn called_fio(bench: &Bench, fio: Fio) -> PathBuf {
    let directory = bench.work().parent().unwrap().join(format!("{fio:?}"));
    let path = directory.join("fio");
    // It exists when a test runs two scripts.
    let _ = std::fs::create_dir(&directory);
    match fio {
        Fio::Ours => drop(symlink(PROGRAM, path)),
        Fio::Debian => {
            let script = format!("#!/bin/sh\nexec /usr/bin/fio {QUICK_CLOCK} \"$@\"\n");
            write_program(&path, script.as_bytes());
        }
    }
    directory
}
