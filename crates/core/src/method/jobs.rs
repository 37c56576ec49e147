//! The [`Method`] of jobs, from what was written for them.

use super::{Durability, Method, Pattern, TOOL};
use crate::spec::JobSpec;
use crate::value::{parse_bytes, parse_count, parse_duration_ns, parse_switch};
use crate::{KIB, NS_PER_S};

/// Engines that have one I/O in flight, whatever depth is written.
const ONE_AT_A_TIME: [&str; 6] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"];
/// What fio uses where none is written.
const DEFAULT_ENGINE: &str = "psync";
const DEFAULT_BLOCK_BYTES: u64 = 4 * KIB;
/// Options that make it another test and have no field of their own.
const OTHERS: [&str; 10] = [
    "bssplit",
    "bsrange",
    "bs_unaligned",
    "loops",
    "percentage_random",
    "random_distribution",
    "rate",
    "rate_iops",
    "thinktime",
    "zonemode",
];

/// The method of jobs that run together. Where they differ, it is not known.
pub(super) fn of_jobs(specs: &[JobSpec]) -> Method {
    let mut methods = specs.iter().map(of_job);
    let Some(mut all) = methods.next() else {
        return Method { tool: TOOL.to_string(), ..Method::default() };
    };
    for one in methods {
        fn keep<T: PartialEq>(mine: &mut Option<T>, theirs: Option<T>) {
            if *mine != theirs {
                *mine = None;
            }
        }
        all.jobs = all.jobs.zip(one.jobs).map(|(mine, theirs)| mine + theirs);
        keep(&mut all.pattern, one.pattern);
        keep(&mut all.read_percent, one.read_percent);
        keep(&mut all.block_bytes, one.block_bytes);
        keep(&mut all.depth, one.depth);
        keep(&mut all.direct, one.direct);
        keep(&mut all.durability, one.durability);
        keep(&mut all.engine, one.engine);
        keep(&mut all.size_bytes, one.size_bytes);
        keep(&mut all.time_ns, one.time_ns);
        all.others.extend(one.others);
    }
    all
}

fn of_job(spec: &JobSpec) -> Method {
    let number = |name: &str| spec.last(name).and_then(|text| parse_count(text).ok());
    let bytes = |name: &str| spec.last(name).and_then(|text| parse_bytes(text).ok());
    // `rw=randread:8` and `rw=read:4k` say more of the order behind the colon.
    let rw = spec.last("rw").unwrap_or("read");
    let word = rw.split_once(':').map_or(rw, |(word, _)| word);
    let pattern = Pattern::from_fio(word);
    let engine = spec.last("ioengine").unwrap_or(DEFAULT_ENGINE);
    let depth = if ONE_AT_A_TIME.contains(&engine) { Some(1) } else { number("iodepth").or(Some(1)) };
    let has_lengths = spec.last("bssplit").is_some() || spec.last("bsrange").is_some();
    let block_bytes = match spec.last("bs") {
        _ if has_lengths => None,
        Some(text) => parse_bytes(text).ok(),
        None => Some(DEFAULT_BLOCK_BYTES),
    };
    let others = OTHERS.iter().filter_map(|&name| Some((name, spec.last(name)?)));
    let mut others: std::collections::BTreeMap<_, _> =
        others.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    others.extend(rw.split_once(':').map(|(_, order)| ("rw".to_string(), order.to_string())));
    Method {
        tool: TOOL.to_string(),
        tool_version: None,
        pattern,
        read_percent: pattern
            .filter(|pattern| pattern.is_mixed())
            .map(|_| number("rwmixread").map_or(50, |percent| percent as u32)),
        block_bytes,
        depth,
        jobs: number("numjobs").or(Some(1)),
        direct: Some(spec.last("direct").is_some_and(is_on)),
        durability: pattern.filter(|pattern| pattern.writes()).map(|_| durability(spec)),
        engine: Some(engine.to_string()),
        size_bytes: bytes("size"),
        time_ns: spec.last("runtime").and_then(|text| parse_duration_ns(text, NS_PER_S).ok()),
        others,
    }
}

/// A switch that stands alone is on.
fn is_on(text: &str) -> bool {
    text.is_empty() || parse_switch(text).unwrap_or(false)
}

fn durability(spec: &JobSpec) -> Durability {
    let every = |name: &str| spec.last(name).and_then(|text| parse_count(text).ok()).unwrap_or(0);
    let by_itself = |text: &str| !matches!(text, "0" | "none");
    match (every("fsync"), every("fdatasync")) {
        (1, _) => Durability::Fsync,
        (_, 1) => Durability::Fdatasync,
        _ if spec.last("sync").is_some_and(by_itself) => Durability::Dsync,
        (0, 0) if spec.last("end_fsync").is_some_and(is_on) => Durability::AtEnd,
        (0, 0) => Durability::Never,
        _ => Durability::NowAndThen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Origin;

    fn job(settings: &[(&str, &str)]) -> JobSpec {
        let job = JobSpec::new("j", Origin::CommandLine { word: 1 });
        settings.iter().fold(job, |job, (option, value)| job.set(option, value))
    }

    #[test]
    fn what_the_jobs_of_the_seeds_do() {
        let mixed = of_job(&job(&[("size", "200M"), ("bs", "1M"), ("rw", "readwrite"), ("direct", "1")]));
        assert_eq!((mixed.pattern, mixed.read_percent), (Some(Pattern::ReadWrite), Some(50)));
        assert_eq!((mixed.block_bytes, mixed.depth, mixed.jobs), (Some(1 << 20), Some(1), Some(1)));
        assert_eq!((mixed.direct, mixed.durability), (Some(true), Some(Durability::Never)));
        let fsync = of_job(&job(&[("rw", "write"), ("bs", "4k"), ("fsync", "1"), ("runtime", "30")]));
        assert_eq!((fsync.durability, fsync.direct), (Some(Durability::Fsync), Some(false)));
        assert_eq!(fsync.time_ns, Some(30 * NS_PER_S));
        // psync takes one I/O at a time: fio says so itself.
        let deep = [("rw", "write"), ("iodepth", "2")];
        assert_eq!(of_job(&job(&deep)).depth, Some(1));
        assert_eq!(of_job(&job(&[deep[0], deep[1], ("ioengine", "libaio")])).depth, Some(2));
        assert_eq!(of_job(&job(&[("rw", "randread")])).durability, None);
    }

    #[test]
    fn options_are_asked_for_by_the_name_that_the_table_has() {
        let names = ["rw", "bs", "ioengine", "iodepth", "numjobs", "direct", "fsync", "fdatasync", "sync"];
        let more = ["end_fsync", "size", "runtime", "rwmixread"];
        for name in names.iter().chain(&more).chain(&OTHERS) {
            assert!(crate::options::find(name).is_some_and(|def| def.name == *name), "{name}");
        }
    }

    #[test]
    fn what_jobs_differ_in_is_not_known() {
        let jobs =
            [job(&[("rw", "read"), ("bs", "4k"), ("numjobs", "4")]), job(&[("rw", "read"), ("bs", "8k")])];
        let method = of_jobs(&jobs);
        assert_eq!((method.pattern, method.block_bytes, method.jobs), (Some(Pattern::Read), None, Some(5)));
    }

    #[test]
    fn when_writes_are_durable() {
        for (settings, expected) in [
            (&[("fdatasync", "1")][..], Durability::Fdatasync),
            (&[("fsync", "32")], Durability::NowAndThen),
            (&[("end_fsync", "1"), ("sync", "0")], Durability::AtEnd),
            (&[("sync", "dsync")], Durability::Dsync),
            (&[("sync", "1")], Durability::Dsync),
            (&[], Durability::Never),
        ] {
            let spec = settings.iter().fold(job(&[("rw", "randwrite")]), |job, (o, v)| job.set(o, v));
            assert_eq!(of_job(&spec).durability, Some(expected), "{settings:?}");
        }
    }
}
