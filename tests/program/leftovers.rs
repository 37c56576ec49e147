//! Leftovers of killed runs: the next run removes those that are provably ours and leaves others alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cardiograph_core::rng::Rng;
use cardiograph_testing::{disk_dir, run, skip};

use crate::common::{Bench, entries};

const NEXT: &str = "check --yes --suite apps --set load=log-fsync --set time=1s --no-keep";
/// A user without any processes.
const NOBODY: &str = "65534";

#[test]
fn leftovers_of_runs_killed_at_any_moment_are_removed_by_the_next() {
    let mut rng = Rng::new(21);
    let lines = [
        "check --yes --suite apps --set load=unpack --set time=40s --no-keep",
        "check --yes --suite apps --set load=sqlite-wal --set time=40s --no-keep",
        "check --yes --suite capacity --set size=64M --no-keep",
        "check --yes --suite apps --set load=photos --set time=40s --no-keep",
        "check --yes --suite capacity --set size=256M --set proof=full --no-keep",
        "check --no-keep --max-time 24s",
    ];
    let bench = Bench::new();
    let (mut left, mut kills) = (0, 0);
    for (round, line) in lines.iter().cycle().take(12).enumerate() {
        let before = bench.entries();
        let mut running = bench.start(line);
        // Some are killed once there is something to leave behind, which takes seconds on a busy machine.
        if round < lines.len() && line.contains("apps") {
            let has_made = || bench.entries().iter().any(|name| !before.contains(name));
            running.wait_until(has_made, "it makes a directory");
        }
        std::thread::sleep(Duration::from_millis(100 + rng.below(900)));
        running.signal("KILL");
        kills += u32::from(running.finish().status.code().is_none());
        left += bench.entries().len();
        // Whole parts stay for the next capacity check, as documented.
        if line.contains("capacity") && round % 2 == 0 {
            bench.run("check --suite capacity --set leftovers=remove").exits_with(0);
        }
    }
    assert!(kills > 6 && left > 0, "{kills} kills left {left}: nothing was tested");
    bench.run("check --suite capacity --set leftovers=remove").exits_with(0);
    bench.run(NEXT).exits_with(0).says(&["@cleaned-all"]);
    assert_eq!(bench.entries(), [""; 0]);
}

/// The directory that a killed application left in `work`.
fn abandon(bench: &Bench) -> PathBuf {
    let mut running = bench.start("check --yes --suite apps --set load=unpack --set time=40s --no-keep");
    let test_directory = || {
        let names = entries(&bench.work()).into_iter();
        names
            .map(|name| bench.work().join(name))
            .find(|path| path.extension().is_some_and(|end| end == "dir"))
    };
    running
        .wait_until(|| test_directory().is_some_and(|path| path.join("package1/doc").exists()), "it unpacks");
    running.signal("KILL");
    running.finish();
    test_directory().expect("nobody removed it")
}

/// All names below a directory, including mounts, sorted, with the contents of files.
fn all(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let is_directory = entry.file_type().unwrap().is_dir();
        if is_directory {
            found.extend(all(&entry.path()));
        }
        let content = if is_directory { Vec::new() } else { std::fs::read(entry.path()).unwrap_or_default() };
        found.push((entry.path(), content));
    }
    found.sort();
    found
}

fn as_nobody(script: &str, directory: &Path) -> Result<(), String> {
    let mut command = Command::new("setpriv");
    command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "sh", "-ec", script]);
    run(command.current_dir(directory))
}

/// Traps that the user `nobody`, who owns the directory, sets in the test directory `$d`; some with the help of root.
#[test]
fn root_does_not_remove_traps_of_another_user() {
    let what = "removing as root what nobody prepared";
    if !rustix::process::geteuid().is_root() {
        return skip(what, "it needs root");
    }
    let probe = disk_dir();
    if let Err(reason) = as_nobody("true", probe.path()) {
        return skip(what, &reason);
    }
    let can_mount = run(Command::new("mount").arg("--bind").arg(probe.path()).arg(probe.path()));
    if let Err(reason) =
        can_mount.and_then(|()| cardiograph_testing::run_when_free(Command::new("umount").arg(probe.path())))
    {
        return skip(what, &reason);
    }
    // The case, commands as root, commands as nobody, and the reason why the directory stays, if it is reported.
    let cases = [
        (
            "another directory of root's gets the name",
            "mkdir other; echo 1 > other/data",
            "mv $d gone; mv other $d",
            "nothing in it shows",
        ),
        (
            "one with a copy of the marker",
            "mkdir other; cp -a $d/cardiograph-* other/; echo 1 > other/data; chmod 700 other",
            "mv $d gone; mv other $d",
            "nothing in it shows",
        ),
        ("a directory of nobody's gets the name", "true", "mv $d gone; mkdir $d; echo 1 > $d/data", ""),
        (
            "something of root's is in it",
            "mkdir $d/photos; echo 1 > $d/photos/1.jpg",
            "true",
            "@tree.unexpected",
        ),
        (
            "something of nobody's is in it",
            "echo 1 > $d/package0/bin/file99; chown nobody $d/package0/bin/file99",
            "true",
            "@tree.owner",
        ),
        (
            "a directory is mounted in it",
            "mkdir data $d/package90; echo 1 > data/keep; mount --bind data $d/package90",
            "true",
            "@tree.mounted",
        ),
        (
            "a file is mounted in it",
            "echo 1 > data; touch $d/package0/bin/file98; mount --bind data $d/package0/bin/file98",
            "true",
            "",
        ),
        (
            "a link leads out of it",
            "mkdir data; echo 1 > data/keep; ln -s $PWD/data $d/package91",
            "true",
            "@tree.unexpected",
        ),
        (
            "a file in it has another name",
            "echo 1 > data; ln data $d/package0/bin/file97",
            "true",
            "@tree.two-names",
        ),
        ("nobody may write in it", "chmod 777 $d/package0; echo 1 > data", "true", "@tree.others-write"),
    ];
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || stays(case));
        }
    });
}

fn stays((case, as_root, of_nobody, said): (&str, &str, &str, &str)) {
    let (bench, work) = (Bench::new(), disk_dir());
    std::os::unix::fs::chown(work.path(), Some(65_534), Some(65_534)).unwrap();
    let left = abandon(&bench);
    run(Command::new("mv").arg(&left).arg(work.path())).unwrap();
    let name = left.file_name().unwrap().to_str().unwrap();
    let script = |lines: &str| format!("d={name}\n{lines}");
    run(Command::new("sh").args(["-ec", &script(as_root)]).current_dir(work.path())).unwrap();
    as_nobody(&script(of_nobody), work.path()).unwrap();
    let before = all(work.path());
    let next = format!("check {} {}", work.path().display(), NEXT.strip_prefix("check ").unwrap());
    let outcome = bench.run(&next);
    let after = all(work.path());
    for mounted in ["package90", "package0/bin/file98"] {
        let _ = Command::new("umount").arg(work.path().join(name).join(mounted)).output();
    }
    let outcome = outcome.exits_with(0);
    let is_kept = |file: &(PathBuf, Vec<u8>)| file.1 != b"1\n" || after.contains(file);
    assert!(before.iter().all(is_kept), "{case}: {after:?}");
    // A mount on a file is noticed after other files were removed.
    assert!(case.starts_with("a file is mounted") || after == before, "{case}: {after:?}");
    if !said.is_empty() {
        outcome.says(&["@cleaned-left", said]);
    }
}
