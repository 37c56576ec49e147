//! fio's JSON and json+, of versions 2 and 3: one document, those of several runs, or a stream of documents
//! (`--status-interval`). Other text may surround documents: fio writes its messages there.
//!
//! Reading order: [`read`] → [`document`] (its structure) → [`Runs`] (which documents are of one run) → [`figures`].

mod cut;
mod document;
mod figures;

use cardiograph_core::{Message, Parameter, message};
use std::collections::BTreeMap;

use cardiograph_core::direction::{Direction, PerDirection};
use cardiograph_core::imported::Imported;
use cardiograph_core::quantity::LatencyKind;
use cardiograph_core::text::shown;
use cardiograph_core::{JobSpec, Origin};
use cardiograph_jobs::options;
use cardiograph_jobs::settings::Settings as _;
use document::{Disk, Document, Job};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::super::lines::find_line;
use super::super::{
    ImportProblem, ImportProblems, ImportedTest, Importer, Named, Problems, Reading, Subject, Tests,
};
use super::method::{Known, title};
use super::stream::{Snapshot, series};
use super::{Figures, device, outcome, remove_sum};

pub(in super::super) const IMPORTER: Importer = Importer {
    name: "fio-json",
    title: &message!("import-format.fio-json"),
    origin: "fio/3.33-same-run.json",
    recognise: |text, _| {
        find_line(text, |line| line.contains("\"fio version\"")).filter(|_| text.contains('{'))
    },
    reading: Reading::Whole(read),
};

/// Tolerance between the start times of a run computed from two of its documents, in milliseconds.
const START_OFF_MS: u64 = 1_500;
/// Maximum length of a document in bytes: sixty jobs with all histogram buckets. A text may have many documents.
const DOCUMENT_LEN_BYTES_MAX: usize = 6 << 20;

fn read(text: &str, _: &Named) -> Result<Vec<ImportedTest>, ImportProblems> {
    let text = without_nan(text);
    let mut runs = Runs::default();
    let mut problems = Problems::default();
    let mut rest = Rest { text: &text, line: 1 };
    let mut cut_off = None;
    while let Some(start) = rest.next_document() {
        // Check before parsing, which takes many times as much memory.
        let mut passed = serde_json::Deserializer::from_str(start.text).into_iter::<IgnoredAny>();
        let too_long = match passed.next() {
            Some(Err(error)) if start.text.len() > DOCUMENT_LEN_BYTES_MAX => {
                Some(not_json(&error, start.line))
            }
            Some(Ok(_)) if passed.byte_offset() > DOCUMENT_LEN_BYTES_MAX => {
                let max = Parameter::Bytes(DOCUMENT_LEN_BYTES_MAX as u64);
                Some(ImportProblem::at_line(start.line, message!("import-fio.document-too-long", max)))
            }
            _ => None,
        };
        if let Some(problem) = too_long {
            problems.add(problem);
            break;
        }
        let mut documents = serde_json::Deserializer::from_str(start.text).into_iter::<Document>();
        match documents.next() {
            Some(Ok(document)) => runs.take(document, start.line, &mut problems),
            Some(Err(error)) => {
                let closed = Some(start.text).filter(|_| error.is_eof()).and_then(cut::closed);
                let document = closed.and_then(|text| serde_json::from_str::<Document>(&text).ok());
                let problem = not_json(&error, start.line);
                match document.filter(|document| jobs(document).next().is_some()) {
                    Some(document) => {
                        runs.take_cut(document, start.line, &mut problems);
                        cut_off = Some(problem);
                    }
                    None => problems.add(problem),
                }
                break;
            }
            None => break,
        }
        rest.skip(documents.byte_offset());
    }
    runs.end(&mut problems);
    match (runs.tests.0.first_mut(), cut_off) {
        (Some(test), Some(ImportProblem { line, message, .. })) => {
            test.notes.push(message!("import-text.cut-off", line = line.unwrap_or(1), problem = message));
        }
        (None, Some(problem)) => problems.add(problem),
        _ => {}
    }
    problems.result(runs.tests.0)
}

fn not_json(error: &serde_json::Error, line: u64) -> ImportProblem {
    let problem = ImportProblem::from_json(error, line);
    ImportProblem { message: message!("import-fio.not-json", reason = problem.message), ..problem }
}

/// Replaces numbers that JSON lacks (nan, inf) by null.
fn without_nan(text: &str) -> std::borrow::Cow<'_, str> {
    if !["nan", "inf"].iter().any(|word| text.contains(word)) {
        return text.into();
    }
    let line = |line: &str| {
        let Some((key, value)) = line.split_once("\" : ") else { return line.to_string() };
        let word = value.trim_end().trim_end_matches(',').trim_start_matches('-');
        let end = if value.trim_end().ends_with(',') { "," } else { "" };
        if matches!(word, "nan" | "inf") { format!("{key}\" : null{end}") } else { line.to_string() }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n").into()
}

/// The unread part of a text.
#[derive(Clone, Copy)]
struct Rest<'t> {
    text: &'t str,
    /// Line of its first character.
    line: u64,
}

impl Rest<'_> {
    /// Skips to the next line that starts with a brace; messages may precede it.
    fn next_document(&mut self) -> Option<Self> {
        let at = if self.text.trim_start().starts_with('{') {
            self.text.find('{')?
        } else {
            self.text.find("\n{")? + 1
        };
        self.skip(at);
        Some(*self)
    }

    fn skip(&mut self, len: usize) {
        let (skipped, rest) = self.text.split_at(len);
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.text = rest;
    }
}

/// The documents of one run.
#[derive(Default)]
struct Runs {
    /// The last document, and its line.
    last: Option<(Document, u64)>,
    /// Snapshots of each job from the documents of the run so far.
    snapshots: BTreeMap<usize, Vec<Snapshot>>,
    tests: Tests,
}

impl Runs {
    fn take(&mut self, document: Document, line: u64, problems: &mut Problems) {
        if self.last.as_ref().is_some_and(|(last, _)| !is_same_run(last, &document)) {
            self.end(problems);
        }
        for (at, job) in jobs(&document).enumerate() {
            self.snapshots.entry(at).or_default().push(snapshot(job));
        }
        self.last = Some((document, line));
    }

    /// Takes a document that ends early; nothing of it, if an earlier one of the same jobs is complete.
    fn take_cut(&mut self, document: Document, line: u64, problems: &mut Problems) {
        let name = |document: &Document| jobs(document).next().map(|job| job.jobname.clone());
        if self.last.as_ref().is_none_or(|(last, _)| name(last) != name(&document)) {
            self.take(Document { is_cut: true, ..document }, line, problems);
        }
    }

    /// Ends the run: its last document has the results.
    fn end(&mut self, problems: &mut Problems) {
        let Some((document, line)) = self.last.take() else { return };
        let snapshots = std::mem::take(&mut self.snapshots);
        if jobs(&document).next().is_none() {
            problems.add_at(line, message!("import-fio.no-jobs"));
        }
        for (at, job) in jobs(&document).enumerate() {
            let snapshots = snapshots.get(&at).map_or(&[][..], Vec::as_slice);
            let test = test(&document, job, snapshots);
            let test = test.map_err(|message| {
                ImportProblem::at_line(
                    line,
                    message!("import-at.part", part = shown(&job.jobname), problem = message),
                )
            });
            // A job that was cut off before its figures has none.
            let is_whole = |test: &ImportedTest| !document.is_cut || !test.imported.figures.is_empty();
            if let Some(test) = problems.take(test).filter(is_whole) {
                self.tests.push(ImportedTest { line: Some(line), output_line: Some(line), ..test });
            }
        }
    }
}

/// Jobs, without the sum over servers that fio's client prints last.
fn jobs(document: &Document) -> impl Iterator<Item = &Job> {
    let of_clients = document.client_stats.iter().filter(|job| job.jobname != "All clients");
    document.jobs.iter().chain(of_clients)
}

/// Whether `later` is of the same run: the same jobs, at a later time, with the same start.
fn is_same_run(earlier: &Document, later: &Document) -> bool {
    // A finished job is repeated unchanged while others run.
    let is_further = |(a, b): (&Job, &Job)| snapshot(a) != snapshot(b);
    let is_same = |(a, b): (&Job, &Job)| {
        let began = |document: &Document, job: &Job| {
            job.job_start.unwrap_or(printed_ms(document).saturating_sub(snapshot(job).time_ms))
        };
        let (one, other) = (snapshot(a), snapshot(b));
        let off_ms = began(earlier, a).abs_diff(began(later, b));
        let is_same_run = one.can_precede(&other) && (off_ms <= START_OFF_MS || one.time_ms == 0);
        a.jobname == b.jobname && a.groupid == b.groupid && (one == other || is_same_run)
    };
    let apart_ms = printed_ms(later).checked_sub(printed_ms(earlier));
    let pairs = || jobs(earlier).zip(jobs(later));
    jobs(earlier).count() == jobs(later).count()
        && apart_ms.is_some_and(|apart_ms| apart_ms <= START_OFF_MS || pairs().any(is_further))
        && pairs().all(is_same)
}

fn printed_ms(document: &Document) -> u64 {
    if document.timestamp_ms > 0 { document.timestamp_ms } else { document.timestamp.saturating_mul(1_000) }
}

fn snapshot(job: &Job) -> Snapshot {
    let data = [&job.read, &job.write, &job.trim, &job.mixed];
    let time_ms = data.iter().filter_map(|data| Some(data.as_ref()?.runtime)).max().unwrap_or(0);
    let done = |data: &Option<Box<document::Data>>| data.as_ref().map(|data| data.done()).unwrap_or_default();
    let [read, write, trim, mixed] = data.map(done);
    Snapshot { time_ms, done: PerDirection { read, write, trim, sync: Default::default() }, mixed }
}

fn test(document: &Document, job: &Job, snapshots: &[Snapshot]) -> Result<ImportedTest, Message> {
    let version = document.version.strip_prefix("fio-").unwrap_or(&document.version);
    let all = document.global.iter().chain(&job.options);
    let spec = all.fold(JobSpec::new(&job.jobname, Origin::CommandLine { word: 1 }), set);
    let is_told = !job.options.is_empty() || !document.global.is_empty();
    let known = Known { spec: is_told.then_some(spec), headline: None };
    let is_group = known.spec.as_ref().is_some_and(|spec| spec.last("group_reporting").is_some());
    let other_jobs = jobs(document).filter(|other| other.groupid == job.groupid).count() as u64 - 1;
    // Separately reported clones each did only a part of the work.
    let jobs = if is_group || other_jobs == 0 && !document.is_cut { None } else { Some(1) };
    let method = known.method(Some(version), jobs, other_jobs);
    let mut figures = Figures::default();
    let mut imported = Imported::default();
    let data = [
        (Some(Direction::Read), &job.read),
        (Some(Direction::Write), &job.write),
        (Some(Direction::Trim), &job.trim),
        (None, &job.mixed),
    ];
    for (direction, data) in data {
        let Some(data) = data.as_ref().filter(|data| data.is_used()) else { continue };
        data.add(&mut figures, direction)?;
        if let (Some(direction), Some((kind, latency))) = (direction, data.latency()) {
            let kind = if kind == LatencyKind::Total { "whole" } else { "completion" };
            imported.others.insert(format!("{}_distribution", direction.name()), kind.to_string());
            imported.latency[direction] = Some(latency);
        }
    }
    remove_sum(&mut figures);
    if let Some((sync, times)) = job.sync.as_ref().and_then(|sync| Some((sync, sync.lat_ns.as_ref()?))) {
        times.add(&mut figures, Some(Direction::Sync), LatencyKind::Total, 1.0, sync.total_ios)?;
        imported.latency.sync = times.latency();
    }
    let cpu = [("cpu_user", job.usr_cpu), ("cpu_system", job.sys_cpu)];
    let cpu = cpu.into_iter().filter_map(|(name, share)| Some((name.to_string(), format!("{:.2}%", share?))));
    imported.others.extend(cpu);
    imported.others.extend(job.ctx.map(|count| ("context_switches".to_string(), count.to_string())));
    imported.series = if snapshots.len() > 1 { series(snapshots) } else { None };
    figures.set_window(known.window_ns());
    imported.figures = figures.0;
    known.separate_range_syncs(&mut imported);
    let reckoned = printed_ms(document).checked_sub(snapshot(job).time_ms).filter(|&ms| ms > 0);
    Ok(ImportedTest {
        outcome: outcome(job.error, None),
        started_unix_ms: job.job_start.filter(|&ms| ms > 0).or(reckoned),
        subject: Subject {
            device: device(&bottom_drives(&document.disk_util)),
            host: job.hostname.clone(),
            ..Subject::default()
        },
        imported,
        ..ImportedTest::new(&job.jobname, title(&job.jobname, &method), method)
    })
}

/// Sets an option under its name in the option table.
fn set(spec: JobSpec, (name, value): (&String, &Value)) -> JobSpec {
    let name = options::find(name).map_or(name.as_str(), |def| def.name);
    match value {
        Value::String(value) => spec.set(name, value),
        value => spec.set(name, value),
    }
}

/// The kernel's names of the bottom-level drives.
fn bottom_drives(disks: &[Disk]) -> Vec<&str> {
    disks.iter().filter(|disk| disk.aggr_read_ios.is_none()).map(|disk| disk.name.as_str()).collect()
}

#[cfg(test)]
mod tests;
