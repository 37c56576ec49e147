//! From what was written to what will run: JobSpecs become a [`Plan`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::direction::PerDirection;
use crate::options::{self, OptionDef, OptionKind};
use crate::plan::{EndCondition, Plan, PlannedJob, StartCondition};
use crate::rng::derive_seed;
use crate::spec::{JobSpec, Origin, Setting};
use crate::value::{ValueError, parse_bytes, parse_count, parse_duration_ns, parse_switch};
use crate::workload::{Content, Order, StopWhen, SyncEvery, SyncMethod, Workload};

/// The longest single I/O in bytes: Linux moves at most 2 GiB less a page in one call.
const BLOCK_LEN_BYTES_MAX: u64 = 1 << 30;
/// Where the longest file ends, in bytes: offsets are signed.
const FILE_LEN_BYTES_MAX: u64 = i64::MAX as u64;

/// What is wrong with a setting or with a whole job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No option has this name.
    UnknownOption,
    /// The value cannot be read.
    BadValue(ValueError),
    /// A length is needed and there is nothing to infer it from.
    SizeMissing,
    /// `time_based` without `runtime`.
    RuntimeMissing,
    /// The region does not hold one I/O.
    RegionTooSmall {
        /// The region's length in bytes.
        region_len_bytes: u64,
        /// The I/O's length in bytes.
        block_len_bytes: u64,
    },
    /// The block length is zero.
    BlockEmpty,
    /// No job written before has the name that `wait_for` gives.
    NoSuchJob,
    /// Both of two options that exclude each other.
    Contradicts {
        /// The other option.
        other: &'static str,
    },
}

/// A problem, where it is, and what was written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The job.
    pub job: String,
    /// The option and its value as written; `None` when the job as a whole is meant.
    pub setting: Option<Setting>,
    /// Where.
    pub origin: Origin,
    /// What is wrong.
    pub problem: Problem,
}

/// What a resolver needs to know beside the jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResolveContext {
    /// Seed of the whole run. Jobs with `randrepeat=1` and the same `randseed` still repeat across runs.
    pub run_seed: u64,
    /// Length of a window of the series in nanoseconds.
    pub window_ns: u64,
}

/// Turns jobs into a Plan.
///
/// # Errors
/// All problems of all jobs, in the order in which they were written.
pub fn resolve(jobs: &[JobSpec], context: &ResolveContext) -> Result<Plan, Vec<Diagnostic>> {
    let mut plan = Plan::default();
    let mut diagnostics = Vec::new();
    let mut exitall = None;
    for (index, spec) in jobs.iter().enumerate() {
        let mut reader = Reader { spec, diagnostics: &mut diagnostics };
        reader.refuse_unknown();
        let names: Vec<&str> = jobs[..index].iter().map(|job| job.name.as_str()).collect();
        if let Some(job) = planned_job(&mut reader, &mut plan.targets, &names, index, context) {
            if reader.switch("exitall") {
                exitall = Some(index);
            }
            plan.jobs.push(job);
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    if let Some(ender) = exitall {
        let others = plan.jobs.iter_mut().enumerate().filter(|&(index, _)| index != ender);
        others.for_each(|(_, job)| job.end = EndCondition::WithJob { job: ender });
    }
    Ok(plan)
}

fn planned_job(
    reader: &mut Reader<'_>,
    targets: &mut Vec<String>,
    names_before: &[&str],
    index: usize,
    context: &ResolveContext,
) -> Option<PlannedJob> {
    let start = start_condition(reader, names_before);
    let clones = reader.count("numjobs") as u32;
    let target_name = reader.text("filename").unwrap_or_else(|| reader.spec.name.clone());
    let workload = workload(reader, index, context)?;
    let target = targets.iter().position(|name| *name == target_name).unwrap_or_else(|| {
        targets.push(target_name);
        targets.len() - 1
    });
    let workload = Workload { target, ..workload };
    Some(PlannedJob { workload, clones, group: index as u32, start, end: EndCondition::Own })
}

fn start_condition(reader: &mut Reader<'_>, names_before: &[&str]) -> StartCondition {
    let delay_ns = reader.duration_ns("startdelay").unwrap_or(0);
    if let Some(name) = reader.text("wait_for") {
        return match names_before.iter().position(|before| *before == name) {
            Some(job) => StartCondition::AfterJob { job },
            None => {
                reader.report("wait_for", Problem::NoSuchJob);
                StartCondition::Together
            }
        };
    }
    match (reader.switch("stonewall"), delay_ns) {
        (true, _) => StartCondition::AfterAllBefore,
        (false, 0) => StartCondition::Together,
        (false, delay_ns) => StartCondition::At { delay_ns },
    }
}

fn workload(reader: &mut Reader<'_>, index: usize, context: &ResolveContext) -> Option<Workload> {
    let (read_percent, order) = direction_and_order(reader);
    let block_len_bytes = reader.bytes_per_direction("bs");
    let stop_time_ns = reader.duration_ns("runtime").filter(|&ns| ns > 0);
    let time_based = reader.switch("time_based");
    if time_based && stop_time_ns.is_none() {
        reader.report("time_based", Problem::RuntimeMissing);
    }
    let Some(region_len_bytes) = reader.bytes("size") else {
        if reader.find("size").is_none() {
            reader.report("size", Problem::SizeMissing);
        }
        return None;
    };
    let io_size = reader.bytes("io_size").filter(|&bytes| bytes > 0);
    let stop_bytes = if time_based { None } else { Some(io_size.unwrap_or(region_len_bytes)) };
    let repeat = reader.switch("randrepeat");
    let written_seed = reader.count("randseed");
    let seed = derive_seed(if repeat { written_seed } else { written_seed ^ context.run_seed }, index as u64);
    let direct = match (reader.find("direct"), reader.find("buffered")) {
        (Some(_), Some(_)) if reader.switch("direct") == reader.switch("buffered") => {
            reader.report("buffered", Problem::Contradicts { other: "direct" });
            return None;
        }
        (None, Some(_)) => !reader.switch("buffered"),
        _ => reader.switch("direct"),
    };
    let workload = Workload {
        name: reader.spec.name.clone(),
        engine: reader.text("ioengine").unwrap_or_else(|| "psync".to_string()),
        target: 0,
        read_percent,
        order,
        block_len_bytes,
        offset_bytes: reader.bytes("offset").unwrap_or(0),
        region_len_bytes,
        depth: reader.count("iodepth") as u32,
        direct,
        sync_every: sync_every(reader),
        end_sync: reader.switch("end_fsync"),
        content: if reader.switch("refill_buffers") { Content::Refilled } else { Content::Stamped },
        stop: StopWhen { bytes: stop_bytes, time_ns: stop_time_ns },
        ramp_ns: reader.duration_ns("ramp_time").unwrap_or(0),
        seed,
        window_ns: context.window_ns,
    };
    let block_len_bytes = workload.block_len_bytes_max();
    if block_len_bytes == 0 {
        reader.report("bs", Problem::BlockEmpty);
    } else if block_len_bytes > BLOCK_LEN_BYTES_MAX {
        let error = ValueError::OutOfRange { min: 1, max: BLOCK_LEN_BYTES_MAX };
        reader.report("bs", Problem::BadValue(error));
    } else if workload.offset_bytes.checked_add(region_len_bytes).is_none_or(|end| end > FILE_LEN_BYTES_MAX) {
        let error = ValueError::OutOfRange { min: 1, max: FILE_LEN_BYTES_MAX };
        reader.report("size", Problem::BadValue(error));
    } else if region_len_bytes < block_len_bytes {
        reader.report("size", Problem::RegionTooSmall { region_len_bytes, block_len_bytes });
    }
    Some(workload)
}

fn direction_and_order(reader: &mut Reader<'_>) -> (u32, Order) {
    let word = reader.word("rw");
    let mixed = match (reader.find("rwmixread"), reader.find("rwmixwrite")) {
        (None, Some(_)) => 100 - reader.count("rwmixwrite") as u32,
        _ => reader.count("rwmixread") as u32,
    };
    let read_percent = match word {
        "read" | "randread" => 100,
        "write" | "randwrite" => 0,
        _ => mixed,
    };
    let order = match (word.starts_with("rand"), reader.switch("norandommap")) {
        (false, _) => Order::Sequential,
        (true, false) => Order::RandomUnique,
        (true, true) => Order::RandomRepeating,
    };
    (read_percent, order)
}

fn sync_every(reader: &mut Reader<'_>) -> Option<SyncEvery> {
    let every = |writes, method| (writes > 0).then_some(SyncEvery { writes, method });
    let fsync = every(reader.count("fsync"), SyncMethod::Fsync);
    let fdatasync = every(reader.count("fdatasync"), SyncMethod::Fdatasync);
    if fsync.is_some() && fdatasync.is_some() {
        reader.report("fdatasync", Problem::Contradicts { other: "fsync" });
    }
    fsync.or(fdatasync)
}

/// Reads the settings of one job by the option table, and collects what is wrong with them.
struct Reader<'a> {
    spec: &'a JobSpec,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn refuse_unknown(&mut self) {
        for setting in &self.spec.settings {
            if options::find(&setting.option).is_none() {
                self.push(Some(setting.clone()), Problem::UnknownOption);
            }
        }
    }

    fn push(&mut self, setting: Option<Setting>, problem: Problem) {
        let origin =
            setting.as_ref().map_or_else(|| self.spec.origin.clone(), |setting| setting.origin.clone());
        let diagnostic = Diagnostic { job: self.spec.name.clone(), setting, origin, problem };
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn report(&mut self, option: &str, problem: Problem) {
        let setting = self.find(option).cloned();
        self.push(setting, problem);
    }

    fn find(&self, option: &str) -> Option<&'a Setting> {
        let def = definition(option);
        let mut settings = self.spec.settings.iter().rev();
        settings.find(|setting| setting.option == def.name || def.aliases.contains(&setting.option.as_str()))
    }

    /// Reads the option's text, or its default's; `None` when there is neither, or the text is wrong.
    fn read<T>(&mut self, option: &str, parse: impl Fn(&str) -> Result<T, ValueError>) -> Option<T> {
        let default = definition(option).default;
        match self.find(option) {
            Some(setting) => match parse(&setting.value) {
                Ok(value) => Some(value),
                Err(error) => {
                    self.push(Some(setting.clone()), Problem::BadValue(error));
                    parse(default).ok()
                }
            },
            None if default.is_empty() => None,
            None => parse(default).ok(),
        }
    }

    fn text(&mut self, option: &str) -> Option<String> {
        self.read(option, |text| if text.is_empty() { Err(ValueError::Empty) } else { Ok(text.to_string()) })
    }

    fn word(&mut self, option: &str) -> &'static str {
        let OptionKind::Word(words) = definition(option).kind else { unreachable!("{option} is not a word") };
        let unknown = || ValueError::UnknownWord { allowed: words.to_vec() };
        self.read(option, |text| words.iter().copied().find(|word| *word == text).ok_or_else(unknown))
            .expect("options that are words have defaults")
    }

    fn count(&mut self, option: &str) -> u64 {
        let OptionKind::Count { min, max } = definition(option).kind else {
            unreachable!("{option} is not a count")
        };
        let in_range =
            |n| if (min..=max).contains(&n) { Ok(n) } else { Err(ValueError::OutOfRange { min, max }) };
        self.read(option, |text| parse_count(text).and_then(in_range)).unwrap_or(min)
    }

    fn switch(&mut self, option: &str) -> bool {
        self.read(option, parse_switch).unwrap_or(false)
    }

    fn bytes(&mut self, option: &str) -> Option<u64> {
        self.read(option, parse_bytes)
    }

    fn duration_ns(&mut self, option: &str) -> Option<u64> {
        let OptionKind::Duration { unit_ns } = definition(option).kind else {
            unreachable!("{option} is not a duration")
        };
        self.read(option, |text| parse_duration_ns(text, unit_ns))
    }

    fn bytes_per_direction(&mut self, option: &str) -> PerDirection<u64> {
        let read = self.read(option, |text| {
            let mut lens = [None; 3];
            for (len, part) in lens.iter_mut().zip(text.splitn(3, ',')) {
                *len = if part.is_empty() { None } else { Some(parse_bytes(part)?) };
            }
            let first = lens[0].ok_or(ValueError::Empty)?;
            let second = lens[1].unwrap_or(first);
            Ok(PerDirection { read: first, write: second, trim: lens[2].unwrap_or(second), sync: 0 })
        });
        read.unwrap_or_default()
    }
}

fn definition(option: &str) -> &'static OptionDef {
    options::find(option).expect("the resolver asks only for options of the table")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GIB, MIB, NS_PER_S};

    const CONTEXT: ResolveContext = ResolveContext { run_seed: 1, window_ns: 100_000_000 };

    fn spec(settings: &[(&str, &str)]) -> JobSpec {
        let origin = Origin::CommandLine { word: 1 };
        settings.iter().fold(JobSpec::new("job", origin), |spec, (option, value)| spec.set(option, value))
    }

    fn one(settings: &[(&str, &str)]) -> Workload {
        resolve(&[spec(settings)], &CONTEXT).unwrap().jobs.remove(0).workload
    }

    fn problems(settings: &[(&str, &str)]) -> Vec<Problem> {
        resolve(&[spec(settings)], &CONTEXT).unwrap_err().into_iter().map(|d| d.problem).collect()
    }

    #[test]
    fn seed_000_sustained_write() {
        let workload = one(&[
            ("size", "3G"),
            ("bs", "1M"),
            ("rw", "write"),
            ("direct", "1"),
            ("time_based", "1"),
            ("runtime", "120"),
            ("iodepth", "2"),
        ]);
        assert_eq!(workload.region_len_bytes, 3 * GIB);
        assert_eq!(workload.stop, StopWhen { bytes: None, time_ns: Some(120 * NS_PER_S) });
        assert_eq!(workload.block_len_bytes.write, MIB);
        assert_eq!((workload.depth, workload.direct), (2, true));
        assert!(workload.is_modifying());
    }

    #[test]
    fn without_time_based_the_region_is_done_once() {
        let workload = one(&[("size", "200M"), ("rw", "readwrite"), ("runtime", "10")]);
        assert_eq!(workload.stop, StopWhen { bytes: Some(200 * MIB), time_ns: Some(10 * NS_PER_S) });
        assert_eq!(workload.read_percent, 50);
        assert_eq!(one(&[("size", "1M"), ("io_size", "8M")]).stop.bytes, Some(8 * MIB));
    }

    #[test]
    fn orders_and_mixes() {
        assert_eq!(one(&[("size", "1M"), ("rw", "randread")]).order, Order::RandomUnique);
        assert_eq!(
            one(&[("size", "1M"), ("rw", "randread"), ("norandommap", "")]).order,
            Order::RandomRepeating
        );
        assert_eq!(one(&[("size", "1M"), ("rw", "randrw"), ("rwmixwrite", "30")]).read_percent, 70);
        assert_eq!(one(&[("size", "1M"), ("rw", "read"), ("rwmixread", "30")]).read_percent, 100);
    }

    #[test]
    fn block_lengths_per_direction() {
        let lens = one(&[("size", "1M"), ("rw", "rw"), ("blocksize", "4k,8k")]).block_len_bytes;
        assert_eq!((lens.read, lens.write, lens.trim), (4_096, 8_192, 8_192));
    }

    #[test]
    fn the_last_setting_wins_under_any_of_its_names() {
        assert_eq!(one(&[("size", "1M"), ("bs", "4k"), ("blocksize", "8k")]).block_len_bytes.read, 8_192);
    }

    #[test]
    fn buffered_and_direct_are_one_thing() {
        assert!(!one(&[("size", "1M"), ("buffered", "1")]).direct);
        assert!(one(&[("size", "1M"), ("buffered", "0")]).direct);
        assert_eq!(
            problems(&[("size", "1M"), ("direct", "1"), ("buffered", "1")]),
            [Problem::Contradicts { other: "direct" }]
        );
    }

    #[test]
    fn all_problems_are_found_at_once() {
        let found = problems(&[("size", "4kk"), ("rw", "raed"), ("runtime", "5x"), ("blok", "1")]);
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(found[0], Problem::UnknownOption);
        assert!(found.contains(&Problem::BadValue(ValueError::UnknownUnit("kk".into()))));
        assert!(found.contains(&Problem::BadValue(ValueError::UnknownUnit("x".into()))));
    }

    #[test]
    fn what_is_missing_or_too_small_is_said() {
        assert_eq!(problems(&[("rw", "read")]), [Problem::SizeMissing]);
        assert_eq!(problems(&[("size", "1M"), ("time_based", "1")]), [Problem::RuntimeMissing]);
        let small = Problem::RegionTooSmall { region_len_bytes: 512, block_len_bytes: 4_096 };
        assert_eq!(problems(&[("size", "512")]), [small]);
        assert_eq!(problems(&[("size", "1M"), ("bs", "0")]), [Problem::BlockEmpty]);
        let outside = |max| [Problem::BadValue(ValueError::OutOfRange { min: 1, max })];
        assert_eq!(problems(&[("size", "8G"), ("bs", "2G")]), outside(1 << 30));
        assert_eq!(problems(&[("size", "15E"), ("bs", "1")]), outside(i64::MAX as u64));
        assert_eq!(problems(&[("size", "7E"), ("offset", "7E")]), outside(i64::MAX as u64));
    }

    #[test]
    fn start_and_end_conditions() {
        let origin = Origin::CommandLine { word: 1 };
        let job = |name: &str| JobSpec::new(name, origin.clone()).set("size", "1M");
        let plan = resolve(
            &[
                job("a").set("exitall", "1"),
                job("b").set("startdelay", "2"),
                job("c").set("stonewall", ""),
                job("d").set("wait_for", "b"),
            ],
            &CONTEXT,
        )
        .unwrap();
        let starts: Vec<_> = plan.jobs.iter().map(|job| job.start).collect();
        assert_eq!(
            starts,
            [
                StartCondition::Together,
                StartCondition::At { delay_ns: 2 * NS_PER_S },
                StartCondition::AfterAllBefore,
                StartCondition::AfterJob { job: 1 },
            ]
        );
        assert_eq!(plan.jobs[0].end, EndCondition::Own);
        assert_eq!(plan.jobs[3].end, EndCondition::WithJob { job: 0 });
        assert_eq!(
            resolve(&[job("a").set("wait_for", "z")], &CONTEXT).unwrap_err()[0].problem,
            Problem::NoSuchJob
        );
    }

    #[test]
    fn seeds_repeat_or_follow_the_run() {
        let seed = |settings: &[(&str, &str)], run_seed| {
            let context = ResolveContext { run_seed, ..CONTEXT };
            resolve(&[spec(settings)], &context).unwrap().jobs[0].workload.seed
        };
        assert_eq!(seed(&[("size", "1M")], 1), seed(&[("size", "1M")], 2));
        let fresh = [("size", "1M"), ("randrepeat", "0")];
        assert_ne!(seed(&fresh, 1), seed(&fresh, 2));
    }

    #[test]
    fn jobs_that_name_one_file_share_a_target() {
        let origin = Origin::CommandLine { word: 1 };
        let job = |name: &str, file: &str| {
            JobSpec::new(name, origin.clone()).set("size", "1M").set("filename", file)
        };
        let plan = resolve(&[job("a", "x"), job("b", "y"), job("c", "x")], &CONTEXT).unwrap();
        assert_eq!(plan.targets, ["x", "y"]);
        assert_eq!(plan.jobs[2].workload.target, 0);
    }
}
