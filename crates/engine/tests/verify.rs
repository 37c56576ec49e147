//! Written blocks carry checksums that this program and fio verify: whole runs on real files.

use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Output};

use cardiograph_core::result::{RunOutcome, RunResult};
use cardiograph_core::{Direction, JobSpec, NS_PER_S, Origin};
use cardiograph_engine::files::{PrepareRequest, prepare};
use cardiograph_engine::observer::Silent;
use cardiograph_engine::{Consent, Control, ENGINES, RunRequest, run};
use cardiograph_jobs::resolve::{ResolveContext, resolve};
use cardiograph_testing::disk_dir;

const KIB: u64 = 1 << 10;

/// Runs one job on `file` in a directory.
fn run_job(directory: &Path, options: &str) -> RunResult {
    let name = directory.join("file").display().to_string();
    let spec = JobSpec::new("job", Origin::CommandLine { word: 1 }).set("filename", &name);
    let spec = options.split_whitespace().fold(spec, |spec, option| {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        spec.set(name, value)
    });
    let plan = resolve(&[spec], &ResolveContext::new(7, NS_PER_S)).unwrap();
    let (control, consent) = (Control::default(), Consent::default());
    let request = PrepareRequest {
        plan: &plan,
        consent: &consent,
        control: &control,
        observer: &Silent,
        seed: 3,
        root: Path::new("/"),
        of_tool: false,
    };
    let prepared = prepare(&request).unwrap();
    let request = RunRequest::new(&plan, &prepared.targets, prepared.permit.as_ref(), 5, &control, &Silent);
    run(&request).unwrap()
}

fn fio(directory: &Path, options: &str) -> Option<Output> {
    let mut command = Command::new("fio");
    command.current_dir(directory).args(["--name=job", "--filename=file", "--bs=4k", "--size=256k"]);
    match command.args(options.split_whitespace().map(|option| format!("--{option}"))).output() {
        Ok(output) => Some(output),
        Err(error) => {
            cardiograph_testing::skip("checksums against fio", &error.to_string());
            None
        }
    }
}

fn damage(directory: &Path, at: u64) {
    let file = std::fs::File::options().read(true).write(true).open(directory.join("file")).unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at).unwrap();
    file.write_all_at(&[byte[0] ^ 1], at).unwrap();
}

#[test]
fn every_engine_verifies_its_own_writes() {
    let real = ENGINES.iter().filter(|entry| entry.moves_data());
    for entry in real.filter(|entry| (entry.probe)().is_ok()) {
        for options in ["rw=write direct=1 iodepth=8", "rw=randwrite fsync=7 end_fsync=1"] {
            let directory = disk_dir();
            let line = format!("{options} bs=4k size=256k verify=crc32c ioengine={}", entry.name);
            let result = run_job(directory.path(), &line);
            assert_eq!((result.outcome, result.failure()), (RunOutcome::Completed, None), "{line}");
            let verified = result.workers[0].verified.clone().unwrap();
            assert_eq!((verified.blocks, verified.bad_blocks), (64, 0), "{line}");
            let merged = result.merged(|_| true);
            assert_eq!((merged[Direction::Read].ios, merged[Direction::Write].ios), (64, 64), "{line}");
            assert!(result.workers[0].phases.verify_ns > 0, "{line}");
        }
    }
}

#[test]
fn fio_accepts_the_data_of_a_run() {
    let directory = disk_dir();
    run_job(directory.path(), "rw=randwrite bs=4k size=256k verify=crc32c do_verify=0");
    for line in ["rw=read verify=crc32c", "rw=write verify=crc32c verify_only"] {
        let Some(output) = fio(directory.path(), line) else { return };
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !stderr.contains("verify"), "{line}: {stderr}");
    }
    damage(directory.path(), 100 * KIB + 77);
    assert!(!fio(directory.path(), "rw=read verify=crc32c").unwrap().status.success());
}

#[test]
fn data_written_by_fio_is_verified() {
    let directory = disk_dir();
    let Some(output) = fio(directory.path(), "rw=randwrite verify=crc32c do_verify=0") else { return };
    assert!(output.status.success());
    let line = "rw=randread bs=4k size=256k verify=crc32c";
    let result = run_job(directory.path(), line);
    let verified = result.workers[0].verified.clone().unwrap();
    assert_eq!((result.outcome, verified.blocks, verified.bad_blocks), (RunOutcome::Completed, 64, 0));
    damage(directory.path(), 100 * KIB + 77);
    let result = run_job(directory.path(), line);
    let verified = result.workers[0].verified.clone().unwrap();
    assert_eq!((result.outcome, verified.blocks, verified.bad_blocks), (RunOutcome::Failed, 64, 1));
    let (first, failure) = (verified.first.unwrap(), result.failure().unwrap());
    assert_eq!((first.offset_bytes, first.len_bytes), (100 * KIB, 4 * KIB));
    // EILSEQ, as in fio.
    assert_eq!((failure.errno, failure.offset_bytes), (84, 100 * KIB));
}
