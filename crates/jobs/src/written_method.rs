//! The [`Method`] of jobs, from what was written for them.

use cardiograph_core::NS_PER_S;
use cardiograph_core::direction::Direction;
use cardiograph_core::method::{Durability, Method, OF_SEVERAL, PLACE, Pattern, TOOL};
use cardiograph_core::report::{Step, Work};
use cardiograph_core::spec::JobSpec;

use crate::options::{self, EngineDef};
use crate::settings::Settings;
use crate::value::{parse_bytes_in, parse_count, parse_duration_ns, parse_per_direction, parse_switch};

/// Options that make it another test and have no field of their own.
const OTHERS: [&str; 11] = [
    "bssplit",
    "bsrange",
    "bs_unaligned",
    "loops",
    "percentage_random",
    "random_distribution",
    "rate",
    "rate_iops",
    "sync_file_range",
    "thinktime",
    "zonemode",
];

/// Of a step, whether this program measured it or it was imported.
pub fn of_step(step: &Step) -> Method {
    match &step.work {
        Work::Jobs(specs) => {
            let mut method = of_jobs(TOOL, specs);
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

/// Of jobs as fio's words have them, run by `tool` at the same time. Where jobs differ in something, it is not known.
pub fn of_jobs(tool: &str, specs: &[JobSpec]) -> Method {
    Method { tool: tool.to_string(), ..alike(specs) }
}

fn alike(specs: &[JobSpec]) -> Method {
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
        // What not all of them have in the same way is told as what each has.
        for (name, value) in one.others {
            let told = all.others.entry(name).or_insert_with(|| value.clone());
            if *told != value {
                *told = format!("{told}, {value}");
            }
        }
    }
    all
}

fn of_job(spec: &JobSpec) -> Method {
    let spec = &spec.plain();
    // `rw=randread:8` and `rw=read:4k` say more of the order behind the colon.
    let rw = written(spec, "rw");
    let (word, order) = rw.split_once(':').map_or((rw, None), |(word, order)| (word, Some(order)));
    let pattern = Pattern::from_fio(word);
    let engine = written(spec, "ioengine");
    let is_one_at_a_time = options::find_engine(engine).is_some_and(EngineDef::is_one_at_a_time);
    let depth = if is_one_at_a_time { Some(1) } else { count(spec, "iodepth") };
    let kb_base = count(spec, "kb_base").unwrap_or(1_024);
    let others = OTHERS.iter().filter_map(|&name| Some((name, spec.last(name)?)));
    let mut others: std::collections::BTreeMap<_, _> =
        others.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    others.extend(order.map(|order| ("rw".to_string(), order.to_string())));
    let block_bytes = block_bytes(spec, pattern, kb_base);
    // Lengths that differ by direction make another test than one length does.
    let lens = spec.last("bs").filter(|text| block_bytes.is_none() && text.contains(','));
    others.extend(lens.map(|lens| ("bs".to_string(), lens.to_string())));
    Method {
        tool: TOOL.to_string(),
        tool_version: None,
        pattern,
        read_percent: pattern.filter(|pattern| pattern.is_mixed()).map(|_| read_percent(spec)),
        block_bytes,
        depth,
        jobs: count(spec, "numjobs"),
        direct: Some(is_on(spec, "direct")),
        durability: pattern.filter(|pattern| pattern.writes()).map(|_| durability(spec)),
        engine: Some(engine.to_string()),
        size_bytes: spec.last("size").and_then(|text| parse_bytes_in(text, kb_base).ok()),
        time_ns: spec.last("runtime").and_then(|text| parse_duration_ns(text, NS_PER_S).ok()),
        others,
    }
}

/// What was written for an option, else what the table has.
fn written<'s>(spec: &'s JobSpec, name: &str) -> &'s str {
    spec.last(name).or_else(|| Some(options::find(name)?.default)).unwrap_or_default()
}

fn count(spec: &JobSpec, name: &str) -> Option<u64> {
    parse_count(written(spec, name)).ok()
}

/// A switch that stands alone is on.
fn is_on(spec: &JobSpec, name: &str) -> bool {
    spec.last(name).is_some_and(|text| parse_switch(text).unwrap_or(false))
}

/// The one length of all I/Os; `None` where they have several.
fn block_bytes(spec: &JobSpec, pattern: Option<Pattern>, kb_base: u64) -> Option<u64> {
    if spec.last("bssplit").is_some() || spec.last("bsrange").is_some() {
        return None;
    }
    let default = parse_bytes_in(options::find("bs")?.default, kb_base).ok()?;
    let lens = parse_per_direction(written(spec, "bs"), |text| parse_bytes_in(text, kb_base)).ok()?;
    let of = |direction: Direction| lens[direction].unwrap_or(default);
    let (read, write) = (of(Direction::Read), of(Direction::Write));
    match pattern? {
        Pattern::Read | Pattern::RandomRead => Some(read),
        Pattern::Write | Pattern::RandomWrite => Some(write),
        Pattern::Trim => Some(of(Direction::Trim)),
        Pattern::ReadWrite | Pattern::RandomReadWrite => (read == write).then_some(read),
        Pattern::Application => None,
    }
}

/// Of a mix: what was written later of the share of reads and that of writes decides.
fn read_percent(spec: &JobSpec) -> u32 {
    let is_it = |name: &str, option: &str| options::find(option).is_some_and(|def| def.name == name);
    let mut later = spec.settings.iter().rev();
    let decides = later.find(|of| is_it("rwmixread", &of.option) || is_it("rwmixwrite", &of.option));
    let percent = |name| count(spec, name).unwrap_or(50).min(100) as u32;
    match decides {
        Some(setting) if is_it("rwmixwrite", &setting.option) => 100 - percent("rwmixwrite"),
        _ => percent("rwmixread"),
    }
}

fn durability(spec: &JobSpec) -> Durability {
    let every = |name: &str| count(spec, name).unwrap_or(0);
    let by_itself = |text: &str| !matches!(text, "0" | "none");
    match (every("fsync"), every("fdatasync")) {
        (1, _) => Durability::Fsync,
        (_, 1) => Durability::Fdatasync,
        _ if spec.last("sync").is_some_and(by_itself) => Durability::Dsync,
        (0, 0) if is_on(spec, "end_fsync") => Durability::AtEnd,
        (0, 0) => Durability::Never,
        _ => Durability::NowAndThen,
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::spec::Origin;

    use super::*;

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
        let method = of_jobs(TOOL, &jobs);
        assert_eq!((method.pattern, method.block_bytes, method.jobs), (Some(Pattern::Read), None, Some(5)));
    }

    #[test]
    fn lengths_and_mixes_are_those_that_the_jobs_have() {
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
            let found = of_job(&job(settings));
            assert_eq!((found.block_bytes, found.read_percent), (block_bytes, read_percent), "{settings:?}");
        }
        let of = |bs| of_job(&job(&[("rw", "randrw"), ("bs", bs)]));
        assert_ne!(of("4k,64k").likeness(&of("8k,1m")), cardiograph_core::method::Likeness::Same);
        let many = [job(&[("rw", "read"), ("numjobs", "18446744073709551615")]), job(&[("rw", "read")])];
        assert_eq!(of_jobs(TOOL, &many).jobs, Some(u64::MAX));
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
