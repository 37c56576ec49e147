//! Derives a job's Method: from its command line if there is a matching one, else from the settings that the output
//! repeats.

use cardiograph_core::imported::{Figure, Imported};
use cardiograph_core::method::{JOBS_BESIDE, Method, Pattern};
use cardiograph_core::metric::Unit;
use cardiograph_core::words::method::title as method_title;
use cardiograph_core::{Direction, JobSpec, Message, NS_PER_MS, Origin, Parameter, message, units};
use cardiograph_jobs::method as jobs_method;
use cardiograph_jobs::settings::Settings as _;
use cardiograph_jobs::value::parse_count;

use super::super::lines::named_title;
use super::TOOL;
use super::units::{UnitNames, bytes};

/// fio's default window length for minimum, mean and maximum.
const WINDOW_MS: u64 = 500;

/// The line in which fio repeats a job: `name: (g=0): rw=read, bs=..., ioengine=psync, iodepth=1`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Headline {
    pub(super) name: String,
    pub(super) group: Option<u64>,
    rw: String,
    /// Block sizes of reads, writes and trims in bytes, where constant.
    lengths_bytes: [Option<u64>; 3],
    /// The block size, if it is the same in all directions.
    block_bytes: Option<u64>,
    engine: Option<String>,
    depth: Option<u64>,
}

impl Headline {
    pub(super) fn parse(line: &str) -> Option<Self> {
        let (name, rest) = line.split_once(": (g=")?;
        let (group, settings) = rest.split_once("): ")?;
        let setting = |name: &str| {
            let (_, value) = settings.split_once(&format!("{name}="))?;
            value.split(", ").next().map(|value| value.trim().trim_end_matches(','))
        };
        let rw = setting("rw")?.to_string();
        let lengths_bytes = lengths_bytes(settings);
        Some(Self {
            name: name.to_string(),
            group: group.parse().ok(),
            lengths_bytes,
            block_bytes: block_bytes(lengths_bytes, &rw),
            rw,
            engine: setting("ioengine").map(str::to_string),
            depth: setting("iodepth").and_then(|text| text.parse().ok()),
        })
    }

    /// Whether another job did the same, apart from its name.
    pub(super) fn is_same_workload(&self, other: &Self) -> bool {
        let deeds = |one: &Self| (one.rw.clone(), one.lengths_bytes, one.engine.clone(), one.depth);
        deeds(self) == deeds(other)
    }

    fn spec(&self) -> JobSpec {
        let spec = JobSpec::new(self.name.clone(), Origin::CommandLine { word: 1 }).set("rw", &self.rw);
        let spec = self.engine.iter().fold(spec, |spec, engine| spec.set("ioengine", engine));
        self.depth.iter().fold(spec, |spec, depth| spec.set("iodepth", depth))
    }

    /// The line's part of the method.
    fn method(&self) -> Method {
        let method = jobs_method::from_specs(TOOL, &[self.spec()]);
        Method {
            block_bytes: self.block_bytes,
            read_percent: None,
            direct: None,
            durability: None,
            jobs: None,
            depth: self.depth.and(method.depth),
            engine: self.engine.clone(),
            ..method
        }
    }
}

/// Parses block sizes of reads, writes and trims from `bs=(R) 4096B-4096B, (W) ..., (T) ...`, or in version 2
/// `bs=4K-4K/4K-4K/4K-4K`.
fn lengths_bytes(settings: &str) -> [Option<u64>; 3] {
    let mut lengths = [None; 3];
    let Some((_, text)) = settings.split_once("bs=") else { return lengths };
    let text = text.split(", ioengine=").next().unwrap_or("");
    // These are for sequential and random I/O, not for directions.
    if text.contains("bs_is_seq_rand") {
        return lengths;
    }
    let parts: Vec<&str> = match text.strip_prefix("(R) ") {
        Some(text) => {
            text.split(", (").map(|part| part.split_once(") ").map_or(part, |(_, len)| len)).collect()
        }
        None => text.split('/').collect(),
    };
    lengths.iter_mut().zip(parts).for_each(|(length, part)| *length = constant_length(part));
    lengths
}

/// Whether there are reads, writes and trims.
fn directions_used(rw: &str) -> [bool; 3] {
    let has = |what: &str| rw.contains(what) || rw.contains("rw");
    [has("read"), has("write"), rw.contains("trim")]
}

/// The common block size of all directions in use.
fn block_bytes(lengths_bytes: [Option<u64>; 3], rw: &str) -> Option<u64> {
    let mut lengths = lengths_bytes
        .into_iter()
        .zip(directions_used(rw))
        .filter(|(_, is_used)| *is_used)
        .map(|(len, _)| len);
    let first = lengths.next()??;
    lengths.all(|len| len == Some(first)).then_some(first)
}

fn constant_length(range: &str) -> Option<u64> {
    let (low, high) = range.trim().split_once('-')?;
    // Version 2 prints `K` without `B`.
    let len = |text: &str| {
        let text = if text.ends_with('B') { text.to_string() } else { format!("{text}B") };
        bytes(&text, if text.contains('i') { UnitNames::Version3 } else { UnitNames::Version2 }).ok()
    };
    let (low, high) = (len(low)?, len(high)?);
    (low == high).then_some(low as u64)
}

/// The known facts about a job's method.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    /// The job from a command line or a job file.
    pub(super) spec: Option<JobSpec>,
    /// The job as repeated in the output.
    pub(super) headline: Option<Headline>,
}

impl Known {
    /// Collects the known facts about the job `name`. A command line that contradicts the output belongs to another
    /// run.
    pub(super) fn new<'s>(
        name: &str,
        specs: impl IntoIterator<Item = &'s JobSpec>,
        headlines: &[Headline],
    ) -> Self {
        let headline = headlines.iter().find(|line| line.name == name);
        // It may follow the output of a script without a newline.
        let headline = headline.or_else(|| headlines.iter().find(|line| line.name.ends_with(name))).cloned();
        let repeated = headline.as_ref().map(Headline::method);
        let fits = |spec: &&JobSpec| {
            let Some(repeated) = &repeated else { return true };
            if spec.last("read_iolog").is_some() {
                // A replayed job follows its recording.
                return true;
            }
            let method = jobs_method::from_specs(TOOL, std::slice::from_ref(*spec));
            let is_same_block = repeated
                .block_bytes
                .zip(method.block_bytes)
                .is_none_or(|(repeated, block)| repeated == block);
            repeated.pattern == method.pattern && is_same_block
        };
        let spec = specs.into_iter().filter(|spec| spec.name == name).find(fits).cloned();
        Self { spec, headline }
    }

    /// Makes the Method. `jobs` is the number of jobs that share the figures, `other_jobs` the number of concurrent
    /// jobs with separate figures.
    pub(super) fn method(&self, version: Option<&str>, jobs: Option<u64>, other_jobs: u64) -> Method {
        let mut method = match (&self.spec, &self.headline) {
            (Some(spec), _) => jobs_method::from_specs(TOOL, std::slice::from_ref(spec)),
            (None, Some(headline)) => headline.method(),
            (None, None) => Method { tool: TOOL.to_string(), ..Method::default() },
        };
        method.tool_version = version.map(str::to_string);
        method.jobs = jobs.or(method.jobs);
        if other_jobs > 0 {
            method.others.insert(JOBS_BESIDE.to_string(), other_jobs.to_string());
        }
        method
    }

    /// Whether fio's figures of fsync, fdatasync and sync_file_range are only of sync_file_range. That waits for pages
    /// and makes nothing durable, so it must not be compared with fsync.
    fn has_only_range_syncs(&self) -> bool {
        let Some(spec) = &self.spec else { return false };
        let is_set = |name: &str| spec.last(name).is_some_and(|text| parse_count(text) != Ok(0));
        spec.last("sync_file_range").is_some() && !is_set("fsync") && !is_set("fdatasync")
    }

    /// Moves figures of sync_file_range from the compared figures to the others.
    pub(super) fn separate_range_syncs(&self, imported: &mut Imported) {
        if !self.has_only_range_syncs() {
            return;
        }
        let is_sync = |figure: &mut Figure| figure.direction == Some(Direction::Sync);
        for figure in imported.figures.extract_if(.., is_sync) {
            let value = match figure.quantity.unit() {
                Unit::Nanoseconds => units::duration_f64(figure.estimate.value),
                _ => units::number(figure.estimate.value),
            };
            imported.others.insert(format!("sync_file_range {}", figure.quantity), value);
        }
        imported.latency.sync = None;
    }

    /// Length of the windows in fio's statistics; `None` if the options are unknown.
    pub(super) fn window_ns(&self) -> Option<u64> {
        let spec = self.spec.as_ref()?;
        let ms = |name: &str| spec.last(name).and_then(|text| parse_count(text).ok());
        let logged = spec.last("write_bw_log").and_then(|_| ms("log_avg_msec")).filter(|&ms| ms > 0);
        ms("bwavgtime").or(logged).unwrap_or(WINDOW_MS).checked_mul(NS_PER_MS)
    }
}

/// Title of a test: its name and method.
pub(super) fn title(name: &str, method: &Method) -> Message {
    match method.pattern.filter(|&pattern| pattern != Pattern::Application) {
        Some(_) => named_title(name, method_title(method)),
        None => Message::verbatim(name),
    }
}

/// Title of jobs that fio reports as one.
pub(super) fn group_title(group: u64, method: &Method) -> Message {
    message!("import-title.group", group = Parameter::Count(group), what = method_title(method))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIXED: &str = "a: (g=0): rw=rw, bs=(R) 1024KiB-1024KiB, (W) 1024KiB-1024KiB, (T) 4096B-4096B, ioengine=psync, iodepth=2";

    #[test]
    fn headlines_are_parsed() {
        let method = |line: &str| Headline::parse(line).unwrap().method();
        let mixed = method(MIXED);
        assert_eq!((mixed.pattern, mixed.block_bytes), (Some(Pattern::ReadWrite), Some(1 << 20)));
        // psync has a queue depth of 1, whatever is requested. The rest is unknown.
        assert_eq!((mixed.depth, mixed.direct, mixed.durability), (Some(1), None, None));
        let old = method("b: (g=0): rw=randwrite, bs=8K-8K/4K-4K/4K-4K, ioengine=libaio, iodepth=32");
        assert_eq!((old.block_bytes, old.depth), (Some(4_096), Some(32)));
        let seq_rand = Headline::parse(
            "b: (g=1): rw=randread, bs=(R) 8192B-8192B, (W) 4096B-4096B, bs_is_seq_rand, ioengine=psync, iodepth=1",
        );
        assert_eq!(seq_rand.as_ref().unwrap().block_bytes, None);
        assert_eq!(seq_rand.unwrap().group, Some(1));
        let range = method("b: (g=0): rw=randread, bs=4K-64K/4K-4K/4K-4K, ioengine=libaio, iodepth=1");
        assert_eq!(range.block_bytes, None);
        for line in ["a: (groupid=0, jobs=1): err= 0", "a: (g=0)", ""] {
            assert_eq!(Headline::parse(line), None, "{line}");
        }
    }

    #[test]
    fn commands_of_the_same_run_add_settings() {
        let spec = JobSpec::new("a", Origin::CommandLine { word: 1 });
        let spec = spec.set("rw", "readwrite").set("bs", "1M").set("direct", "1");
        let headline = Headline::parse(MIXED).unwrap();
        let known = |spec: JobSpec| Known::new("a", &[spec], std::slice::from_ref(&headline));
        let method = known(spec.clone()).method(Some("3.39"), Some(1), 0);
        assert_eq!((method.direct, method.tool_version.as_deref()), (Some(true), Some("3.39")));
        assert_eq!(known(spec.clone()).window_ns(), Some(500 * NS_PER_MS));
        assert_eq!(known(spec.clone().set("bwavgtime", "1000")).window_ns(), Some(1_000 * NS_PER_MS));
        let other = known(spec.set("bs", "4k"));
        assert_eq!((other.method(None, None, 3).direct, other.window_ns()), (None, None));
        assert_eq!(other.method(None, None, 3).others[JOBS_BESIDE], "3");
    }
}
