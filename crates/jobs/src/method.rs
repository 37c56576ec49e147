//! Derives the [`Method`] of jobs from their resolved settings.

use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, OF_SEVERAL, PLACE, Pattern, TOOL};
use cardiograph_core::ran_job::{RanJob, UNKNOWN_REGION_BYTES};
use cardiograph_core::report::{StepResult, Work};
use cardiograph_core::spec::JobSpec;
use cardiograph_core::workload::{
    AccessZone, BlockLen, Distribution, Rate, SyncMethod, Trims, Workload, WriteThrough, ZoneLen,
};

use crate::options;
use crate::resolve::{FileFacts, ResolveContext, Surroundings, resolve_as_far_as_known};
use crate::settings::Settings as _;

/// The Method of a step, measured by this program or imported.
pub fn from_step(result: &StepResult) -> Method {
    let step = &result.step;
    match &step.work {
        Work::Jobs(_) => {
            let mut method = Method { tool: TOOL.to_string(), ..from_ran_jobs(&result.jobs) };
            if !step.files.is_empty() {
                method.others.insert(PLACE.to_string(), "a file".to_string());
            }
            if let Some(test) = &step.try_of {
                method.others.insert(OF_SEVERAL.to_string(), test.value_in_words());
            }
            method
        }
        Work::App(app) => Method {
            tool: TOOL.to_string(),
            pattern: Some(Pattern::Application),
            others: std::iter::once(("load".to_string(), app.load.clone()))
                .chain(app.parameters.iter().map(|(name, value)| (name.clone(), value.to_string())))
                .collect(),
            ..Method::default()
        },
        Work::Imported(method) => method.clone(),
    }
}

/// The Method of jobs in fio's options, run by `tool` at the same time. Where jobs differ, it is unknown.
pub fn from_specs(tool: &str, specs: &[JobSpec]) -> Method {
    let mut method = Method { tool: tool.to_string(), ..from_ran_jobs(&ran_jobs(specs)) };
    // Features of other programs that do not exist here.
    let ranges = specs.iter().filter_map(|spec| spec.last("sync_file_range")).next();
    method.others.extend(ranges.map(|text| ("sync_file_range".to_string(), text.to_string())));
    method
}

/// Jobs as they would run if every named file existed and was long enough. Empty if one of them is not understood.
pub fn ran_jobs(specs: &[JobSpec]) -> Vec<RanJob> {
    /// Files with unknown properties.
    struct SomeFiles;

    impl Surroundings for SomeFiles {
        fn file(&self, _: &str) -> FileFacts {
            FileFacts::File { len_bytes: UNKNOWN_REGION_BYTES }
        }
    }

    let context = ResolveContext { surroundings: &SomeFiles, ..ResolveContext::new(0, 1_000_000_000) };
    let (resolved, _) = resolve_as_far_as_known(specs, &context);
    let jobs = resolved.plan.jobs.iter().zip(resolved.displays);
    let jobs: Vec<RanJob> = jobs.map(|(job, display)| RanJob::new(job, display)).collect();
    if jobs.len() == specs.len() { jobs } else { Vec::new() }
}

/// The Method of jobs that ran together. Where they differ, it is unknown.
fn from_ran_jobs(jobs: &[RanJob]) -> Method {
    let mut methods = jobs.iter().map(from_job);
    let Some(mut all) = methods.next() else {
        return Method::default();
    };
    for one in methods {
        fn keep<T: PartialEq>(mine: &mut Option<T>, theirs: Option<T>) {
            if *mine != theirs {
                *mine = None;
            }
        }
        all.jobs = all.jobs.zip(one.jobs).map(|(mine, theirs)| mine.saturating_add(theirs));
        keep(&mut all.pattern, one.pattern);
        keep(&mut all.read_percent, one.read_percent);
        keep(&mut all.block_bytes, one.block_bytes);
        keep(&mut all.depth, one.depth);
        keep(&mut all.direct, one.direct);
        keep(&mut all.durability, one.durability);
        keep(&mut all.engine, one.engine);
        keep(&mut all.size_bytes, one.size_bytes);
        keep(&mut all.time_ns, one.time_ns);
        // Different values are listed.
        for (name, value) in one.others {
            let joined = all.others.entry(name).or_insert_with(|| value.clone());
            if *joined != value {
                *joined = format!("{joined}, {value}");
            }
        }
    }
    all
}

/// The Method of one job.
pub fn from_job(job: &RanJob) -> Method {
    let workload = &job.workload;
    let pattern = pattern(workload);
    let depth = match options::find_engine(&workload.engine) {
        Some(engine) if !workload.offload => engine.depth_of(workload),
        // The behaviour of engines that do not exist here is unknown.
        _ => workload.depth,
    };
    let block_bytes = block_bytes(workload, pattern);
    Method {
        tool: TOOL.to_string(),
        tool_version: None,
        pattern,
        read_percent: pattern.filter(|pattern| pattern.is_mixed()).map(|_| workload.read_percent),
        block_bytes,
        depth: Some(depth.into()),
        jobs: Some(job.clones),
        direct: Some(workload.direct),
        durability: pattern.filter(|pattern| pattern.writes()).map(|_| durability(workload)),
        engine: Some(workload.engine.clone()),
        size_bytes: job.region_bytes,
        time_ns: workload.stop.time_ns,
        others: others(job, block_bytes).into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
    }
}

fn pattern(workload: &Workload) -> Option<Pattern> {
    if workload.file_action.is_some() {
        return None;
    }
    let is_random = workload.order.is_random();
    Some(match (workload.trims, workload.read_percent) {
        (Trims::Only, _) => Pattern::Trim,
        (Trims::BeforeWrites, _) => return None,
        (Trims::None, 100) if is_random => Pattern::RandomRead,
        (Trims::None, 100) => Pattern::Read,
        (Trims::None, 0) if is_random => Pattern::RandomWrite,
        (Trims::None, 0) => Pattern::Write,
        (Trims::None, _) if is_random => Pattern::RandomReadWrite,
        (Trims::None, _) => Pattern::ReadWrite,
    })
}

/// The block size; `None` if it varies, as in recordings.
fn block_bytes(workload: &Workload, pattern: Option<Pattern>) -> Option<u64> {
    if workload.replay.is_some() {
        return None;
    }
    let len_of = |direction: Direction| match workload.block_len[direction] {
        BlockLen::Fixed { len_bytes } => Some(len_bytes),
        _ => None,
    };
    match pattern? {
        Pattern::Read | Pattern::RandomRead => len_of(Direction::Read),
        Pattern::Write | Pattern::RandomWrite => len_of(Direction::Write),
        Pattern::Trim => len_of(Direction::Trim),
        Pattern::ReadWrite | Pattern::RandomReadWrite => {
            len_of(Direction::Read).filter(|_| len_of(Direction::Read) == len_of(Direction::Write))
        }
        Pattern::Application => None,
    }
}

fn durability(workload: &Workload) -> Durability {
    match (workload.sync_every, workload.write_through) {
        (Some(sync), _) if sync.writes == 1 => match sync.method {
            SyncMethod::Fsync => Durability::Fsync,
            SyncMethod::Fdatasync => Durability::Fdatasync,
        },
        (_, WriteThrough::Data | WriteThrough::All) => Durability::Dsync,
        (Some(_), WriteThrough::None) => Durability::NowAndThen,
        (None, WriteThrough::None) if workload.end_sync => Durability::AtEnd,
        (None, WriteThrough::None) => Durability::Never,
    }
}

/// Settings that make it a different test and have no field.
fn others(job: &RanJob, block_bytes: Option<u64>) -> Vec<(&'static str, String)> {
    let workload = &job.workload;
    let mut others = Vec::new();
    let mut of_used = |name, text: &dyn Fn(Direction) -> String| {
        let mut texts: Vec<String> =
            Direction::DATA.into_iter().filter(|&of| workload.uses(of)).map(text).collect();
        texts.dedup();
        others.push((name, texts.join(",")));
    };
    if block_bytes.is_none() && workload.file_action.is_none() && workload.replay.is_none() {
        of_used("bs", &|of| lengths(&workload.block_len[of]));
    }
    if workload.order.is_random() && workload.random_percent.iter().any(|(_, &percent)| percent != 100) {
        of_used("percentage_random", &|of| workload.random_percent[of].to_string());
    }
    if workload.order.is_random() && workload.access_zones.iter().any(|(_, zones)| !zones.is_empty()) {
        of_used("random_distribution", &|of| zones(&workload.access_zones[of]));
    }
    let limit = |of: Direction, is_of_bytes: bool| match workload.rate[of] {
        Some(Rate::Bytes { per_second, .. }) if is_of_bytes => per_second,
        Some(Rate::Ios { per_second, .. }) if !is_of_bytes => per_second,
        _ => 0,
    };
    for (name, is_of_bytes) in [("rate", true), ("rate_iops", false)] {
        if Direction::DATA.into_iter().any(|of| limit(of, is_of_bytes) > 0) {
            of_used(name, &|of| limit(of, is_of_bytes).to_string());
        }
    }
    // Within a limit of time, the drive decides how many random I/Os there are.
    let stop = &workload.stop;
    let passes = stop.bytes.zip(job.region_bytes).map_or(1, |(bytes, region)| bytes / region);
    if passes > 1 && !(workload.order.is_random() && stop.time_ns.is_some()) {
        others.push(("loops", passes.to_string()));
    }
    if workload.random_run > 1 {
        others.push(("rw", workload.random_run.to_string()));
    }
    if workload.sequential_skip_bytes != 0 {
        others.push(("rw", workload.sequential_skip_bytes.to_string()));
    }
    if workload.order.is_random() {
        others.extend(distribution(&workload.distribution).map(|text| ("random_distribution", text)));
    }
    others.extend(workload.think.as_ref().map(|think| ("thinktime", think.pause_ns.to_string())));
    others.extend(workload.strided.as_ref().map(|_| ("zonemode", "strided".to_string())));
    others
}

/// Formats `4096`, `4096-65536` or `4096/50:8192/50`.
fn lengths(of: &BlockLen) -> String {
    match of {
        BlockLen::Fixed { len_bytes } => len_bytes.to_string(),
        BlockLen::Range { min_bytes, max_bytes } => format!("{min_bytes}-{max_bytes}"),
        BlockLen::Split { parts } => {
            let parts = parts.iter().map(|part| format!("{}/{}", part.len_bytes, part.percent));
            parts.collect::<Vec<_>>().join(":")
        }
    }
}

/// Formats `zipf:1.2`; `None` for a uniform distribution.
fn distribution(of: &Distribution) -> Option<String> {
    let (name, value, center) = match of {
        Distribution::Uniform => return None,
        Distribution::Zipf { theta, center } => ("zipf", theta, center),
        Distribution::Pareto { hot, center } => ("pareto", hot, center),
        Distribution::Normal { deviation_percent, center } => ("normal", deviation_percent, center),
    };
    let center = center.map(|center| format!(":{center}")).unwrap_or_default();
    Some(format!("{name}:{value}{center}"))
}

/// Formats `zoned:60/10:40/90`.
fn zones(of: &[AccessZone]) -> String {
    let zones = of.iter().map(|zone| match zone.len {
        ZoneLen::Percent { percent } => format!("{}/{percent}", zone.percent),
        ZoneLen::Bytes { len_bytes } => format!("{}/{len_bytes}B", zone.percent),
    });
    format!("zoned:{}", zones.collect::<Vec<_>>().join(":"))
}

#[cfg(test)]
mod tests {
    use cardiograph_core::NS_PER_S;
    use cardiograph_core::display::JobDisplay;
    use cardiograph_core::method::Likeness;
    use cardiograph_core::spec::Origin;

    use super::*;

    fn job(settings: &[(&str, &str)]) -> JobSpec {
        let job = JobSpec::new("j", Origin::CommandLine { word: 1 });
        settings.iter().fold(job, |job, (option, value)| job.set(option, value))
    }

    fn parse_method(settings: &[(&str, &str)]) -> Method {
        from_specs(TOOL, &[job(settings)])
    }

    #[test]
    fn methods_of_published_jobs() {
        let mixed = parse_method(&[("size", "200M"), ("bs", "1M"), ("rw", "readwrite"), ("direct", "1")]);
        assert_eq!((mixed.pattern, mixed.read_percent), (Some(Pattern::ReadWrite), Some(50)));
        assert_eq!((mixed.block_bytes, mixed.depth, mixed.jobs), (Some(1 << 20), Some(1), Some(1)));
        assert_eq!((mixed.direct, mixed.durability), (Some(true), Some(Durability::Never)));
        assert_eq!(mixed.size_bytes, Some(200 << 20));
        let fsync = parse_method(&[("rw", "write"), ("bs", "4k"), ("fsync", "1"), ("runtime", "30")]);
        assert_eq!((fsync.durability, fsync.direct), (Some(Durability::Fsync), Some(false)));
        assert_eq!((fsync.time_ns, fsync.size_bytes), (Some(30 * NS_PER_S), None));
        // psync has a queue depth of 1: fio reports it, too.
        let deep = [("rw", "write"), ("iodepth", "2")];
        assert_eq!(parse_method(&deep).depth, Some(1));
        assert_eq!(parse_method(&[deep[0], deep[1], ("ioengine", "libaio")]).depth, Some(2));
        // The behaviour of engines that do not exist here is unknown.
        assert_eq!(parse_method(&[deep[0], deep[1], ("ioengine", "windowsaio")]).depth, Some(2));
        assert_eq!(parse_method(&[("rw", "randread")]).durability, None);
    }

    /// Settings are compared by effect, however they are written: without a value, by an alias, twice.
    #[test]
    fn settings_have_one_meaning() {
        let direct = |settings: &[(&str, &str)]| parse_method(settings).direct == Some(true);
        for settings in [
            &[("direct", "")][..],
            &[("direct", "1")],
            &[("buffered", "0")],
            &[("buffered", "1"), ("direct", "1")],
            &[("direct", "0"), ("direct", "1")],
        ] {
            assert!(direct(settings), "{settings:?}");
        }
        for settings in [
            &[][..],
            &[("direct", "0")],
            &[("direct", "1"), ("buffered", "1")],
            &[("buffered", "")],
            &[("direct", "1"), ("direct", "0")],
        ] {
            assert!(!direct(settings), "{settings:?}");
        }
        for (settings, expected) in [
            (&[("fdatasync", "1")][..], Durability::Fdatasync),
            (&[("fsync", "32")], Durability::NowAndThen),
            (&[("end_fsync", "1"), ("sync", "0")], Durability::AtEnd),
            (&[("sync", "dsync")], Durability::Dsync),
            (&[("sync", "1")], Durability::Dsync),
            (&[("sync", "sync"), ("sync", "none")], Durability::Never),
            (&[("sync", "none")], Durability::Never),
            (&[("sync", "none"), ("fsync", "1")], Durability::Fsync),
            (&[], Durability::Never),
        ] {
            let settings = [&[("rw", "randwrite")], settings].concat();
            assert_eq!(parse_method(&settings).durability, Some(expected), "{settings:?}");
        }
    }

    #[test]
    fn empty_jobs_have_default_methods() {
        assert_eq!(ran_jobs(&[job(&[])])[0].display, JobDisplay::default());
    }

    #[test]
    fn differences_between_jobs_are_unknown() {
        let jobs =
            [job(&[("rw", "read"), ("bs", "4k"), ("numjobs", "4")]), job(&[("rw", "read"), ("bs", "8k")])];
        let method = from_specs(TOOL, &jobs);
        assert_eq!((method.pattern, method.block_bytes, method.jobs), (Some(Pattern::Read), None, Some(5)));
        // A job that is not understood could be anything.
        let jobs = [job(&[("rw", "read")]), job(&[("rw", "read"), ("bs", "0")])];
        assert_eq!(from_specs(TOOL, &jobs), Method { tool: TOOL.to_string(), ..Method::default() });
    }

    #[test]
    fn block_sizes_and_mixes_match_the_jobs() {
        for (settings, block_bytes, read_percent) in [
            (&[("rw", "randrw"), ("rwmixwrite", "90")][..], Some(4_096), Some(10)),
            (&[("rw", "randrw"), ("rwmixwrite", "90"), ("rwmixread", "70")], Some(4_096), Some(70)),
            (&[("rw", "randwrite"), ("bs", "4k,64k")], Some(65_536), None),
            (&[("rw", "randrw"), ("bs", "4k,64k")], None, Some(50)),
            (&[("rw", "rw"), ("bs", "8k,8k")], Some(8_192), Some(50)),
            (&[("rw", "read"), ("bs", "1k"), ("kb_base", "1000")], Some(1_000), None),
            (&[("rw", "read"), ("bs", "8192.0")], Some(8_192), None),
            (&[("rw", "read"), ("bssplit", "4k/50:8k/50")], None, None),
        ] {
            let found = parse_method(settings);
            assert_eq!((found.block_bytes, found.read_percent), (block_bytes, read_percent), "{settings:?}");
        }
        let of_bs = |bs| parse_method(&[("rw", "randrw"), ("bs", bs)]);
        assert_ne!(of_bs("4k,64k").likeness(&of_bs("8k,1m")), Likeness::Same);
    }

    /// Different spellings of the same setting are the same test; different settings are not.
    #[test]
    fn other_settings_are_compared_by_effect() {
        let others = |settings: &[(&str, &str)]| {
            let settings = [&[("rw", "randrw"), ("size", "1m")], settings].concat();
            let others = parse_method(&settings).others;
            others.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
        };
        for (settings, expected) in [
            (&[][..], ""),
            (&[("bsrange", "4k-8k")], "bs=4096-8192"),
            (&[("bssplit", "4k/50:8k/50")], "bs=4096/50:8192/50"),
            (&[("loops", "3")], "loops=3"),
            (&[("loops", "3"), ("runtime", "5")], ""),
            (&[("rate", "1m")], "rate=1048576"),
            (&[("rate", "1m,2m")], "rate=1048576,2097152"),
            (&[("rate_iops", "200")], "rate_iops=200"),
            (&[("random_distribution", "zipf:1.20")], "random_distribution=zipf:1.2"),
            (&[("percentage_random", "50")], "percentage_random=50"),
            (&[("thinktime", "5ms")], "thinktime=5000000"),
        ] {
            assert_eq!(others(settings), expected, "{settings:?}");
        }
        assert_eq!(parse_method(&[("rw", "randread:8")]).others["rw"], "8");
    }
}
