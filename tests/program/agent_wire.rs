//! Another program controls the Agent, as docs/agent.md describes.

use cardiograph_checkup::job_runner::{JobsSpec, RunSpec};
use cardiograph_checkup::runner::{TargetSpec, Terms};
use cardiograph_core::report::{Step, TestFile, Work};
use cardiograph_core::{JobSpec, NS_PER_MS};
use cardiograph_jobs::resolve::{ResolveContext, Resolved, resolve_all};
use cardiograph_suites::{NextStep, SuiteTraits};
use serde_json::{Value, json};

use crate::common::{Bench, PROGRAM, run};

const LEN_BYTES: u64 = 1 << 20;

fn reads(file: &str, time: &str) -> JobSpec {
    let settings = [
        ("rw", "randread"),
        ("bs", "4k"),
        ("size", "1m"),
        ("time_based", "1"),
        ("filename", file),
        ("runtime", time),
    ];
    settings.iter().fold(JobSpec::for_step("wire", "reads"), |job, (name, value)| job.set(name, value))
}

fn step(nth: u64, time: &str) -> Value {
    let writes = JobSpec::for_step("wire", "writes").set("rw", "randwrite");
    let job = JobSpec { settings: [reads("data", time).settings, writes.settings].concat(), ..writes };
    let files = vec![TestFile { name: "data".to_string(), len_bytes: LEN_BYTES }];
    let step = Step {
        files,
        write_bytes_max: u64::MAX,
        ..Step::measuring("reads", cardiograph_core::Message::verbatim("Reads"), Work::Jobs(vec![job]))
    };
    json!({ "nth": nth, "next": NextStep::from(step), "wants_latency": false })
}

#[test]
fn another_program_can_speak_to_an_agent() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return cardiograph_testing::skip("an Agent and a program of others", "python3 is not installed");
    }
    let bench = Bench::new();
    let directory = bench.work().join("drive");
    std::fs::create_dir(&directory).unwrap();
    let open = TargetSpec {
        path: directory.clone(),
        suite: "wire".to_string(),
        traits: SuiteTraits::default(),
        consents: Vec::new(),
        is_dry: false,
    };
    let job = reads(directory.join("data").to_str().unwrap(), "60s").set("unlink", "1");
    let Resolved { plan, displays, .. } =
        resolve_all(&[job], &ResolveContext::new(7, 100 * NS_PER_MS)).unwrap();
    let calls = json!({
        "open": open,
        "begin": Terms { direct: false, max_time_ns: None, seed: 7, resumed: None },
        "step": step(0, "300ms"),
        "long_step": step(0, "60s"),
        "prepare": JobsSpec { plan, displays, ..JobsSpec::default() },
        "run": RunSpec { tick_ns: 50 * NS_PER_MS, wants_progress: true, ..RunSpec::default() },
    });
    let calls = bench.file("calls.json", &calls.to_string());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/agent_wire.py");
    let arguments = [script, PROGRAM, directory.to_str().unwrap(), calls.to_str().unwrap()];
    let outcome = run(bench.command("python3", arguments)).exits_with(0);
    outcome.says(&["questions", "nonsense", "hangs_up_within_a_job"]);
}
