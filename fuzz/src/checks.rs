//! Checks of jobs.

use std::ffi::OsStr;

use cardiograph_core::workload::BlockLen;
use cardiograph_core::{Direction, JobSpec, Message, NS_PER_MS, Parameter};
use cardiograph_fio::diagnostics;
use cardiograph_fio::invocation::{FioJob, Invocation};
use cardiograph_fio::{parse, showcmd::showcmd};
use cardiograph_jobs::options::{self, OptionKind, Status};
use cardiograph_jobs::resolve::{ResolveContext, Resolved, Surroundings, resolve_all};
use cardiograph_jobs::value::{PatternKind, parse_pattern};
use cardiograph_render::lang::Lang;

use crate::machine::Machine;
use crate::shell;

/// Maximum length of a message in bytes.
const MESSAGE_LEN_BYTES_MAX: usize = 8_192;

/// Parses words, resolves the jobs, formats them as a command line and parses that again.
pub fn all(words: &[&OsStr], machine: &mut Machine<'_>) {
    let invocation = match parse(words, machine) {
        Ok(invocation) => invocation,
        Err(rejection) => {
            assert!(!rejection.errors.is_empty(), "refused without an error");
            rejection.errors.iter().for_each(|error| is_message(&error.message()));
            rejection.notes.iter().for_each(|note| is_message(&note.message()));
            return;
        }
    };
    invocation.notes.iter().for_each(|note| is_message(&note.message()));
    let specs: Vec<JobSpec> = invocation.jobs.iter().map(|job| job.spec.clone()).collect();
    resolves(&specs, machine);
    shows(&invocation, machine);
}

/// Parses a pattern and writes with it.
pub fn pattern(text: &str, kind: PatternKind) {
    let machine = Machine { written: None };
    let loaded = parse_pattern(text, kind, |path| machine.pattern_file(path));
    match loaded {
        Err(error) => {
            is_message(&error);
            let Some(&Parameter::Count(position)) = error.parameter("position") else { panic!("{error:?}") };
            assert!((1..=text.chars().count() as u64 + 1).contains(&position), "{error:?}");
        }
        Ok(pattern) => {
            assert!(pattern.len_bytes() > 0 && (kind == PatternKind::Verify || !pattern.has_offsets()));
            let mut written = vec![0; 2 * pattern.len_bytes() + 1];
            pattern.fill(&mut written, 7);
            let (first, rest) = written.split_at(pattern.len_bytes());
            assert_eq!(first, &rest[..first.len()], "the second time it is something else");
        }
    }
}

/// Checks that a message is one printable line.
fn is_message(message: &Message) {
    for language in Lang::ALL {
        let text = language.text(message);
        assert!(text != message.to_string(), "{language:?} has no text for {message:?}");
        assert!(!text.is_empty() && text.len() <= MESSAGE_LEN_BYTES_MAX, "{text:?}");
        assert!(!text.contains(char::is_control), "{text:?}");
    }
}

fn resolves(specs: &[JobSpec], machine: &Machine<'_>) {
    let context = ResolveContext { run_seed: 1, window_ns: 100 * NS_PER_MS, surroundings: machine };
    let found = resolve_all(specs, &context);
    match &found {
        Ok(resolved) => {
            resolved.remarks.iter().for_each(|remark| is_message(&diagnostics::remark(remark)));
            specs.iter().for_each(accepted_options_work);
            can_run(specs, resolved);
        }
        Err(found) => {
            assert!(!found.is_empty(), "refused without an error");
            found.iter().for_each(|diagnostic| is_message(&diagnostics::message(diagnostic)));
        }
    }
    assert!(found == resolve_all(specs, &context), "a second time it is something else");
}

/// Checks that no accepted option changes the workload without working.
fn accepted_options_work(spec: &JobSpec) {
    let mut decided = Vec::new();
    for setting in spec.settings.iter().rev() {
        let def = options::find(&setting.option).expect("an option that does not exist was accepted");
        let is_first = !decided.contains(&def.name);
        decided.push(def.name);
        let plain = def.plain(&setting.value);
        if is_first && def.engines.is_empty() && !options::asks_for_nothing(def, &plain) {
            let status = options::status_of(def, &plain);
            assert!(matches!(status, Status::Works { .. } | Status::Hint { .. }), "{setting:?}");
        }
    }
}

fn can_run(specs: &[JobSpec], resolved: &Resolved) {
    let Resolved { plan, displays, .. } = resolved;
    assert_eq!((plan.jobs.len(), displays.len()), (specs.len(), specs.len()));
    for (index, job) in plan.jobs.iter().enumerate() {
        let workload = &job.workload;
        assert!(workload.read_percent <= 100 && workload.depth > 0 && workload.window_ns > 0);
        assert!(workload.block_len_bytes_min() > 0);
        for direction in [Direction::Read, Direction::Write].into_iter().filter(|way| workload.uses(*way)) {
            assert!(workload.align_bytes[direction] > 0);
            match &workload.block_len[direction] {
                BlockLen::Fixed { .. } => {}
                BlockLen::Range { min_bytes, max_bytes } => assert!(min_bytes < max_bytes),
                BlockLen::Split { parts } => {
                    assert_eq!(parts.iter().map(|part| part.percent).sum::<u32>(), 100);
                }
            }
        }
        assert!(!job.clones.is_empty());
        for clone in &job.clones {
            assert!(!clone.is_empty());
        }
        for file in job.files() {
            assert!(file.target < plan.targets.len());
            let end_bytes =
                file.offset_bytes.checked_add(file.region_len_bytes).expect("a region has an end");
            assert!(end_bytes <= i64::MAX as u64);
            assert!(file.region_len_bytes >= workload.block_len_bytes_max());
        }
        if let cardiograph_core::plan::StartAfter::Job { job } = job.start.after {
            assert!(job < index, "a job waits for one after it");
        }
    }
}

/// Checks that job files formatted as command lines give the same jobs.
fn shows(invocation: &Invocation, machine: &mut Machine<'_>) {
    let of_files = |job: &&FioJob| matches!(job.spec.origin, cardiograph_core::Origin::File { .. });
    let jobs: Vec<&FioJob> = invocation.jobs.iter().filter(of_files).collect();
    let shown = showcmd(invocation);
    // A name that a command line takes for a global section, and an option that it takes for the program's own.
    let is_other = |job: &&FioJob| {
        job.spec.name.starts_with("global")
            || job.spec.settings.iter().any(|setting| setting.option == "profile")
    };
    if jobs.iter().any(is_other) {
        return;
    }
    let mut again = Vec::new();
    for line in shown.lines() {
        let words = shell::words(line);
        let read = parse(&words[1..], machine).unwrap_or_else(|rejection| panic!("{line}: {rejection:?}"));
        assert!(!read.jobs.is_empty(), "{line}");
        again.extend(read.jobs.iter().map(written));
    }
    assert_eq!(jobs.into_iter().map(written).collect::<Vec<_>>(), again, "{shown}");
}

/// A job's name and its settings, except for names. A switch without a value is on.
fn written(job: &FioJob) -> (String, Vec<(String, String)>) {
    let is_switch = |option: &str| options::find(option).is_some_and(|def| def.kind == OptionKind::Switch);
    let settings = job.spec.settings.iter().filter(|setting| setting.option != "name").map(|setting| {
        let value = if setting.value.is_empty() && is_switch(&setting.option) { "1" } else { &setting.value };
        (setting.option.clone(), value.to_string())
    });
    (job.spec.name.clone(), settings.collect())
}
