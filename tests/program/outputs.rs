//! Only files are overwritten: every argument that takes a path is tried with a block device with a file system, a directory,
//! a socket, and devices that are not streams.

use std::collections::BTreeSet;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use cardiograph_catalogue::english;
use cardiograph_fio::program_options;
use cardiograph_fio::tools::{dd, hdparm, iozone};
use cardiograph_jobs::options::{OPTIONS, OptionKind, Status};
use cardiograph_testing::{run as command, skip};

use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, Outcome};

mod options;

use options::{CARDIOGRAPH, FIO, Row, TOOLS, Use};

/// A short job that would leave the file `t` if it ran.
const JOB: &str = "--name=a --filename=t --rw=write --size=64k --bs=4k";

#[test]
fn no_argument_of_a_front_end_is_forgotten() {
    let known = |rows: &[Row], parser: &str| -> BTreeSet<&str> {
        rows.iter().filter(|row| row.0 == parser).map(|row| row.1).collect()
    };
    let of_program: BTreeSet<&str> =
        program_options().filter(|option| option.1).map(|option| option.0).collect();
    assert_eq!(of_program, known(FIO, "fio"));

    let is_text = |kind| {
        use OptionKind::{List, OptionalText, Text, WordWithArguments};
        matches!(kind, Text | OptionalText | List | WordWithArguments(_))
    };
    let of_jobs =
        OPTIONS.iter().filter(|def| is_text(def.kind) && !matches!(def.status, Status::Refused { .. }));
    let mut of_jobs: BTreeSet<&str> = of_jobs.map(|def| def.name).collect();
    of_jobs.insert("verify_dump");
    assert_eq!(of_jobs, known(FIO, "job"));

    // These parsers have no tables: every letter is tried.
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9').map(|letter| format!("-{letter}"));
    let takes_value = |option: &String| {
        iozone::parse(&words(&[option])).is_err_and(|error| error.id() == "iozone-option.no-value")
    };
    let of_iozone: Vec<String> = letters.clone().filter(takes_value).collect();
    assert_eq!(of_iozone.iter().map(String::as_str).collect::<BTreeSet<_>>(), known(TOOLS, "iozone"));
    let is_known = |option: &String| hdparm::parse(&words(&[option, "/dev/null"])).is_ok();
    assert_eq!(letters.filter(is_known).collect::<Vec<_>>(), ["-t", "-T"], "letters without a value");
    let listed = english(&dd::parse(&words(&["x"])).unwrap_err());
    let listed = listed.split("; use ").nth(1).and_then(|list| list.split(", as").next()).unwrap();
    let of_dd: BTreeSet<&str> = listed.split([',', ' ']).filter(|word| !["", "and"].contains(word)).collect();
    assert_eq!(of_dd, known(TOOLS, "dd"));
}

/// A bench with the files that the command lines name.
fn bench() -> Bench {
    let bench = Bench::new();
    for (seed, file) in [(1, "report"), (2, "other")] {
        let check = "check --simulate sandisk-ultra-64 --max-time 1s --no-keep";
        bench.run(&format!("{check} --seed {seed} --export-json {file}.json")).exits_with(0);
    }
    bench.file(
        "job.fio",
        &format!("[a]\n{}\n", JOB.replace("--name=a ", "").replace("--", "").replace(' ', "\n")),
    );
    bench.run("import report.json").exits_with(0);
    bench.file("zeros", &"\0".repeat(4_096));
    bench
}

fn rows() -> impl Iterator<Item = &'static Row> {
    CARDIOGRAPH.iter().chain(FIO).chain(TOOLS)
}

/// Runs a command line with a path, and checks that it is refused without measuring anything.
fn refused(bench: &Bench, line: &str, path: &str) -> Outcome {
    let line = line.replace("JOB", JOB).replace("{}", path);
    let outcome = bench.run(&line);
    assert!(!outcome.status.success(), "{line}\n{}\n{}", outcome.stdout, outcome.stderr);
    assert!(!outcome.stderr.contains("panicked"), "{line}\n{}", outcome.stderr);
    assert!(!bench.work().join("t").exists(), "{line}: the job ran");
    assert!(bench.saved().len() <= 1, "{line}: something was kept");
    outcome
}

fn output_text(outcome: &Outcome) -> String {
    let said = format!("{} {}", outcome.stdout, outcome.stderr);
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tries every argument that takes a path with a block device.
fn give_device_to_all(bench: &Bench, device: &str) {
    let before = std::fs::read(device).unwrap();
    for (parser, option, of) in rows() {
        match of {
            Use::NotAPath => continue,
            Use::Output(line) => {
                let said = output_text(&refused(bench, line, device));
                let names = said.contains(device) && said.contains("block device");
                assert!(names, "{parser} {option}: {said}");
            }
            Use::Named(name, line) => {
                let link = bench.work().join(name);
                symlink(device, &link).unwrap();
                let outcome = bench.run(&line.replace("JOB", JOB));
                assert!(!outcome.status.success(), "{parser} {option}: {}", output_text(&outcome));
                // Jobs refuse a device with a longer message.
                assert!(
                    output_text(&outcome).contains("device"),
                    "{parser} {option}: {}",
                    output_text(&outcome)
                );
                assert!(!bench.work().join("t").exists(), "{parser} {option}: the job ran");
                assert!(link.is_symlink(), "{parser} {option}");
                std::fs::remove_file(link).unwrap();
            }
            Use::Other(line) => {
                bench.run(&line.replace("JOB", JOB).replace("{}", device));
                let _ = std::fs::remove_file(bench.work().join("t"));
                bench.delete_saved();
            }
        }
        let after = std::fs::read(device).unwrap();
        assert!(after == before, "{parser} {option} changed {device}");
    }
}

#[test]
fn no_argument_overwrites_a_block_device() {
    let bench = bench();
    let Some(device) = LoopDevice::new(&bench) else {
        return skip("block devices as outputs", "no root, or no loop devices");
    };
    if let Err(why) = command(Command::new("mkfs.ext4").arg("-q").arg(&device.path)) {
        return skip("block devices as outputs", &why);
    }
    give_device_to_all(&bench, &device.path);
    let mounted = bench.work().join("mounted");
    std::fs::create_dir(&mounted).unwrap();
    match command(Command::new("mount").args(["-o", "ro", &device.path]).arg(&mounted)) {
        Ok(()) => {
            give_device_to_all(&bench, &device.path);
            cardiograph_testing::run_when_free(Command::new("umount").arg(&mounted)).unwrap();
        }
        Err(why) => skip("mounted block devices as outputs", &why),
    }
}

#[test]
fn directories_sockets_and_devices_are_refused_before_anything_is_measured() {
    let bench = bench();
    std::fs::create_dir(bench.work().join("dir")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(bench.work().join("socket")).unwrap();
    let cases =
        [("dir", "directory"), ("socket", "socket"), ("/dev/urandom", "device"), ("/dev/full", "/dev/full")];
    for (path, what) in cases {
        for (parser, option, of) in rows() {
            let Use::Output(line) = of else { continue };
            let said = output_text(&refused(&bench, line, path));
            assert!(said.contains(path) && said.contains(what), "{parser} {option} {path}: {said}");
        }
    }
    assert!(Path::new("/dev/urandom").exists() && bench.work().join("dir").is_dir());
    // SQLite would create other files next to a store.
    assert!(!Path::new("/dev/full-journal").exists());
}

#[test]
fn files_keep_their_modes_and_streams_are_written_once() {
    let bench = bench();
    for (parser, option, of) in rows() {
        let Use::Output(line) = of else { continue };
        if *option == "store" || (*option == "export_png" && !has_fonts(&bench)) {
            continue;
        }
        let path = bench.file("old", "precious");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        let line = line.replace("JOB", JOB);
        let outcome = bench.run(&line.replace("{}", "old"));
        assert!(outcome.status.success(), "{parser} {option}: {}", output_text(&outcome));
        let new = std::fs::metadata(&path).unwrap();
        assert_eq!(new.mode() & 0o7777, 0o600, "{parser} {option}");
        let content = std::fs::read(&path).unwrap();
        assert!(!content.is_empty() && content != b"precious", "{parser} {option}");
        let left = bench.entries().into_iter().find(|name| name.contains(".tmp"));
        assert_eq!(left, None, "{parser} {option}");

        // The same into a pipe: everything, and once.
        let pipe = bench.work().join("pipe");
        command(Command::new("mkfifo").arg(&pipe)).unwrap();
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        let outcome = bench.run(&line.replace("{}", "pipe"));
        assert!(outcome.status.success(), "{parser} {option}: {}", output_text(&outcome));
        let piped = reader.join().unwrap();
        let beginning = &content[..content.len().min(12)];
        let times = piped.windows(beginning.len()).filter(|part| part == &beginning).count();
        assert!(times == 1 || piped == content, "{parser} {option}: {times}");
        std::fs::remove_file(&pipe).unwrap();
        bench.delete_saved();
    }
}

fn has_fonts(bench: &Bench) -> bool {
    let drawn = bench.run("plot report.json --export-png picture.png").status.success();
    if !drawn {
        skip("PNG as an output", "no font is installed, or the program draws none");
    }
    drawn
}
