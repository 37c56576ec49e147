//! Process limits and threads of a run.

use std::process::Command;

use cardiograph_core::result::{EngineNote, RunOutcome};
use cardiograph_core::workload::Affinity;
use cardiograph_engine::target::Naming;
use cardiograph_engine::{Control, Target};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::bench::*;

#[test]
fn refusals_of_the_system_are_noted_once() {
    let bare = Target::without_storage(1 << 20);
    let mut plan = plan(&[job("job", "rw=read bs=4k size=1M ioengine=null numjobs=3")]);
    plan.jobs[0].workload.affinity = Some(Affinity { cpus: vec![1_020, 1_021], is_split: true });
    let result = run_plan(&plan, &[bare], 7, &Control::default(), &Events::default(), None).unwrap();
    assert_eq!((result.outcome, result.merged(|_| true).read.ios), (RunOutcome::Completed, 768));
    assert!(
        matches!(&result.notes[..], [EngineNote::NotPinned { job, .. }] if job == "job"),
        "{:?}",
        result.notes
    );
}

/// Set when this test runs in a separate process.
const ALONE: &str = "CARDIOGRAPH_TEST_FEW_DESCRIPTORS";

#[test]
fn many_clones_get_enough_descriptors() {
    if std::env::var_os(ALONE).is_none() {
        // The limit applies to the process, and other tests must not be affected.
        let program = std::env::current_exe().unwrap();
        let name = "run::process::many_clones_get_enough_descriptors";
        let output = Command::new(program).args([name, "--exact"]).env(ALONE, "1").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let maximum = getrlimit(Resource::Nofile).maximum;
    if maximum.is_some_and(|maximum| maximum < 400) {
        return cardiograph_testing::skip("descriptors for 200 clones", "the hard limit is too low");
    }
    setrlimit(Resource::Nofile, Rlimit { current: Some(100), maximum }).unwrap();
    let directory = cardiograph_testing::disk_dir();
    let target = Target::create_file(directory.path(), 1 << 20, Naming::Automatic).unwrap();
    fill(&target, "psync", 1);
    let line = "rw=read bs=4k size=1M io_size=64k ioengine=psync numjobs=200";
    let result = run_one(line, &target);
    assert_eq!((result.outcome, result.notes.len()), (RunOutcome::Completed, 0), "{:?}", result.notes);
    assert_eq!(result.merged(|_| true).read.ios, 200 * 16);
}
