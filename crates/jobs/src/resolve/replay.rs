//! Jobs that replay recordings.

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::message;
use cardiograph_core::plan::FileUse;
use cardiograph_core::replay::{Recorded, RecordedFile, Recording, RecordingProblem, Replay, ReplayRules};
use cardiograph_core::text::shown_path;
use cardiograph_core::workload::{BlockLen, Order, Workload};

use super::reader::Reader;
use super::stop::StopWritten;
use super::targets::Targets;
use super::{FILES_MAX, FileFacts, Problem, ResolveContext};
use crate::options;
use crate::value::{ValueError, parse_skip, split_list};

/// Options that conflict with a recording.
const CONTRADICTIONS: [&str; 12] = [
    "verify",
    "verify_pattern",
    "rate",
    "rate_iops",
    "bssplit",
    "io_size",
    "thinktime",
    "thinkcycles",
    "flow",
    "latency_target",
    "fsync",
    "fdatasync",
];

/// The recordings of a job.
pub(super) struct Replayed {
    recordings: Vec<(String, Recording)>,
    rules: ReplayRules,
    is_chunked: bool,
}

/// The recordings that a job replays, if any; `None` on errors.
pub(super) fn replayed(reader: &mut Reader<'_>, context: &ResolveContext<'_>) -> Option<Option<Replayed>> {
    let paths = reader.read("read_iolog", split_list).unwrap_or_default();
    let rules = rules(reader);
    if paths.is_empty() {
        return if reader.is_bad("read_iolog") { None } else { Some(None) };
    }
    let contradiction = CONTRADICTIONS.into_iter().find(|option| {
        reader.find(option).is_some_and(|setting| !matches!(setting.value.as_str(), "" | "0" | "none"))
    });
    if let Some(option) = contradiction {
        reader.report(option, Problem::Contradicts { other: "read_iolog" });
        return None;
    }
    let (rules, is_chunked) = (rules?, reader.switch("read_iolog_chunked"));
    let mut recordings = Vec::with_capacity(paths.len());
    for path in paths {
        match context.surroundings.recording(&path, &rules) {
            Ok(recording) => recordings.push((path, recording)),
            Err(problem) => {
                reader.report("read_iolog", bad_recording(&path, problem));
                return None;
            }
        }
    }
    Some(Some(Replayed { recordings, rules, is_chunked }))
}

fn rules(reader: &mut Reader<'_>) -> Option<ReplayRules> {
    let align_bytes = reader.bytes("replay_align").unwrap_or(0);
    if align_bytes > 0 && !align_bytes.is_power_of_two() {
        reader.report(
            "replay_align",
            Problem::BadValue(ValueError::Said(message!("jobs-value.not-a-power-of-two"))),
        );
        return None;
    }
    let skip = reader.read("replay_skip", parse_skip);
    let rules = ReplayRules {
        no_stall: reader.switch("replay_no_stall"),
        speed_percent: reader.count("replay_time_scale").max(1),
        // fio treats 0 as none.
        scale: reader.count("replay_scale").max(1),
        align_bytes,
        skip: skip.unwrap_or_default(),
        redirect: reader.text("replay_redirect"),
    };
    let options = ["replay_align", "replay_skip", "replay_time_scale", "replay_scale", "replay_redirect"];
    (!options.into_iter().any(|option| reader.is_bad(option))).then_some(rules)
}

/// The files of each clone, by the names in its recording. Sets all workload fields that follow from the recording.
pub(super) fn clones(
    reader: &mut Reader<'_>,
    workload: &mut Workload,
    replayed: &Replayed,
    stop: &StopWritten,
    targets: &mut Targets,
    context: &ResolveContext<'_>,
) -> Option<Vec<Vec<FileUse>>> {
    let mut all = Recorded::default();
    replayed.recordings.iter().for_each(|(_, recording)| all.merge(&recording.recorded));
    if all.directions.iter().all(|(_, direction)| direction.ios == 0) {
        let (path, _) = &replayed.recordings[0];
        let what = message!("jobs-recording.nothing-replayed");
        let problem = RecordingProblem { line: None, what };
        reader.report("read_iolog", bad_recording(path, problem));
        return None;
    }
    let clones = reader.count("numjobs").max(1);
    let recording_of = |clone: u64| &replayed.recordings[(clone % replayed.recordings.len() as u64) as usize];
    let (log_of, files_of) =
        (|clone: u64| recording_of(clone).0.as_str(), |clone: u64| &recording_of(clone).1.files);
    let longest = replayed.recordings.iter().map(|(_, recording)| recording.files.len() as u64).max()?;
    if !targets.holds(clones.saturating_mul(longest)) {
        reader.report("numjobs", Problem::TooManyFiles { max: FILES_MAX });
        return None;
    }
    let directory = reader.read("directory", split_list).unwrap_or_default().into_iter().next();
    let named = reader.read("filename", split_list).unwrap_or_default();
    let mut uses = Vec::with_capacity(clones as usize);
    for clone in 0..clones {
        let mut files = Vec::new();
        for file in files_of(clone) {
            let is_placed = directory.is_some() && replayed.rules.redirect.is_none();
            let path = match directory.as_ref().filter(|_| is_placed) {
                Some(directory) => format!("{}/{}", directory.trim_end_matches('/'), file.name),
                None => file.name.clone(),
            };
            let is_checked = options::engine(&workload.engine).is_on_files();
            let is_named = replayed.rules.redirect.is_some() || named.contains(&path);
            let facts = is_checked.then(|| context.surroundings.file(&path));
            let log = log_of(clone);
            if let Some(problem) =
                facts.and_then(|facts| unfit(file, &path, facts, log, (is_placed, is_named)))
            {
                reader.report("read_iolog", problem);
                return None;
            }
            files.push(FileUse {
                target: targets.index(path),
                offset_bytes: 0,
                region_len_bytes: file.end_bytes,
            });
        }
        uses.push(files);
    }
    describe(workload, &all);
    workload.stop = stop.replay_stop_when();
    workload.replay = Some(Box::new(Replay {
        recordings: replayed
            .recordings
            .iter()
            .map(|(path, found)| (path.clone(), found.recorded.clone()))
            .collect(),
        rules: replayed.rules.clone(),
        is_chunked: replayed.is_chunked,
    }));
    Some(uses)
}

/// Why a recorded file cannot be replayed on the target.
fn unfit(
    file: &RecordedFile,
    path: &str,
    facts: FileFacts,
    log: &str,
    (is_placed, is_named): (bool, bool),
) -> Option<Problem> {
    let is_foreign =
        (file.name.starts_with('/') && !is_placed) || file.name.split('/').any(|part| part == "..");
    let path = path.to_string();
    match facts {
        FileFacts::Other { what } => Some(Problem::NotAFile { path, what }),
        FileFacts::File { .. } | FileFacts::Missing if file.is_trimmed => {
            let what = message!("jobs-recording.trims-file", path = shown_path(&path));
            let problem = RecordingProblem { line: None, what };
            Some(bad_recording(log, problem))
        }
        // Devices need separate consent.
        FileFacts::File { .. } if file.is_modified && is_foreign && !is_named => {
            let path = shown_path(&path);
            Some(Problem::OfFile(message!("jobs-problem-of-job.replay-writes", path)))
        }
        _ => None,
    }
}

/// A recording that cannot be replayed.
fn bad_recording(path: &str, RecordingProblem { line, what }: RecordingProblem) -> Problem {
    let line = line.map_or_else(String::new, |line| format!(":{line}"));
    let recording = format!("{}{line}", shown_path(path));
    Problem::OfFile(message!("jobs-problem-of-job.bad-recording", recording, problem = what))
}

/// Sets the workload fields that follow from a recording.
fn describe(workload: &mut Workload, all: &Recorded) {
    let has = |direction: Direction| all.directions[direction].ios > 0;
    workload.read_percent = if has(Direction::Read) { 100 } else { 0 };
    workload.order = Order::Sequential;
    (workload.random_run, workload.sequential_skip_bytes, workload.sync_every) = (1, 0, None);
    for direction in Direction::DATA {
        let recorded = &all.directions[direction];
        if recorded.ios > 0 {
            let (min_bytes, max_bytes) = (recorded.len_bytes_min, recorded.len_bytes_max);
            workload.block_len[direction] = match min_bytes == max_bytes {
                true => BlockLen::Fixed { len_bytes: min_bytes },
                false => BlockLen::Range { min_bytes, max_bytes },
            };
        }
    }
    workload.align_bytes =
        PerDirection::from_fn(|direction| workload.block_len[direction].min_bytes().max(1));
}
