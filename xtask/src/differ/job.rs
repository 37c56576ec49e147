//! Random jobs: small ones with reproducible facts.

use cardiograph_core::rng::Rng;

use super::facts::Kind;

/// An option that a job may have.
struct Choice {
    option: &'static str,
    values: &'static [&'static str],
    /// One in this many jobs has it.
    one_in: u64,
}

const fn often(option: &'static str, values: &'static [&'static str]) -> Choice {
    Choice { option, values, one_in: 3 }
}

const fn rarely(option: &'static str, values: &'static [&'static str]) -> Choice {
    Choice { option, values, one_in: 12 }
}

/// The options of a job other than size, direction and engine.
const CHOICES: &[Choice] = &[
    often("bs", &["512", "4k", "8k", "16k", "4k,8k", "8k,4k", "6k"]),
    rarely("bsrange", &["4k-16k", "1k-8k", "512-4k,4k-8k"]),
    rarely("bssplit", &["4k/50:8k/50", "1k/10:4k/80:16k/10", "4k:8k", "2k/60:4k/40,8k"]),
    rarely("blockalign", &["4k", "16k"]),
    often("io_size", &["32k", "100k", "512k", "1m"]),
    rarely("offset", &["8k", "4096", "25%"]),
    rarely("offset_increment", &["64k", "16k"]),
    rarely("filesize", &["32k", "64k", "200k"]),
    often("nrfiles", &["1", "2", "3", "5"]),
    rarely("openfiles", &["1", "2"]),
    rarely("file_service_type", &["roundrobin", "sequential", "roundrobin:3"]),
    often("numjobs", &["1", "2", "3"]),
    often("loops", &["1", "2", "3"]),
    rarely("number_ios", &["5", "20", "100"]),
    often("iodepth", &["1", "4", "16"]),
    rarely("iodepth_batch", &["1", "4"]),
    rarely("iodepth_batch_complete_max", &["4"]),
    rarely("direct", &["0", "1"]),
    rarely("fsync", &["0", "1", "4", "7"]),
    rarely("fdatasync", &["0", "1", "5"]),
    rarely("end_fsync", &["0", "1"]),
    rarely("fsync_on_close", &["0", "1"]),
    rarely("sync", &["0", "1", "dsync"]),
    rarely("rwmixread", &["0", "30", "70", "100"]),
    rarely("rwmixwrite", &["10", "90"]),
    rarely("norandommap", &["0", "1"]),
    rarely("randrepeat", &["0", "1"]),
    rarely("randseed", &["7"]),
    rarely("random_generator", &["lfsr", "tausworthe64"]),
    rarely("random_distribution", &["zipf:1.2", "pareto:0.2", "normal:20", "zoned:60/10:40/90"]),
    rarely("percentage_random", &["0", "50", "100"]),
    rarely("verify", &["crc32c", "md5", "crc16", "xxhash", "pattern"]),
    rarely("verify_pattern", &["0xdeadbeef", "\"abcd\""]),
    rarely("do_verify", &["0", "1"]),
    rarely("verify_interval", &["512", "4k"]),
    rarely("refill_buffers", &["1"]),
    rarely("zero_buffers", &["1"]),
    rarely("buffer_compress_percentage", &["50"]),
    rarely("buffer_pattern", &["0xaa", "\"text\""]),
    rarely("invalidate", &["0", "1"]),
    rarely("pre_read", &["1"]),
    rarely("overwrite", &["1"]),
    rarely("fallocate", &["none", "posix", "keep", "truncate"]),
    rarely("create_on_open", &["1"]),
    rarely("create_serialize", &["0"]),
    rarely("create_fsync", &["0"]),
    rarely("unlink", &["1"]),
    rarely("unlink_each_loop", &["1"]),
    rarely("fadvise_hint", &["0", "sequential"]),
    rarely("thinktime", &["10"]),
    rarely("thinktime_blocks", &["4"]),
    rarely("rate_iops", &["20000"]),
    rarely("startdelay", &["1ms"]),
    rarely("group_reporting", &["1"]),
    rarely("percentile_list", &["50:99", "1:99.9"]),
    rarely("clat_percentiles", &["0"]),
    rarely("lat_percentiles", &["1"]),
    rarely("slat_percentiles", &["1"]),
    rarely("disable_clat", &["1"]),
    rarely("disable_slat", &["1"]),
    rarely("disable_lat", &["1"]),
    rarely("disable_bw_measurement", &["1"]),
    rarely("gtod_reduce", &["1"]),
    rarely("unified_rw_reporting", &["1"]),
    rarely("continue_on_error", &["all", "io"]),
    rarely("description", &["words"]),
    rarely("zonemode", &["strided"]),
    rarely("zonesize", &["16k"]),
    rarely("zonerange", &["32k"]),
    rarely("zoneskip", &["16k"]),
];
/// Sequential ones are as frequent as random ones; a number after a colon is rare.
const DIRECTIONS: &[&str] = &[
    "read",
    "write",
    "rw",
    "read",
    "write",
    "randread",
    "randwrite",
    "randrw",
    "randread",
    "randwrite",
    "read:4k",
    "write:8k",
    "randread:4",
    "randwrite:2",
    "readwrite",
];
const ENGINES: &[&str] = &[
    "psync", "psync", "psync", "sync", "pvsync", "pvsync2", "vsync", "libaio", "libaio", "io_uring",
    "posixaio", "mmap", "null",
];
const SIZES: &[&str] = &["64k", "100k", "256k", "256k", "1m"];

/// Options and values of a job, in the order of the command line.
pub type Job = Vec<(&'static str, &'static str)>;

/// Jobs that once differed: regression tests.
pub fn kept() -> impl Iterator<Item = Job> {
    let pairs = |line: &'static str| line.split(' ').filter_map(|pair| pair.split_once('=')).collect();
    include_str!("kept.txt").lines().map(pairs)
}

/// The job that belongs to a seed.
pub fn job(seed: u64) -> Job {
    let mut rng = Rng::new(seed);
    let mut job = vec![
        ("ioengine", pick(&mut rng, ENGINES)),
        ("rw", pick(&mut rng, DIRECTIONS)),
        ("size", pick(&mut rng, SIZES)),
    ];
    for choice in CHOICES {
        let is_wanted = rng.below(choice.one_in) == 0;
        let value = pick(&mut rng, choice.values);
        // Not all at once: jobs with so many options are rare, and one difference would hide another.
        if is_wanted && rng.below(2) == 0 && !contradicts(&job, choice.option) {
            job.push((choice.option, value));
        }
    }
    job
}

/// Options that exclude each other in the manual.
fn contradicts(job: &[(&str, &str)], option: &str) -> bool {
    let pairs = [
        ("bs", "bsrange"),
        ("bs", "bssplit"),
        ("bsrange", "bssplit"),
        ("fsync", "fdatasync"),
        ("rwmixread", "rwmixwrite"),
        ("zero_buffers", "buffer_pattern"),
        // It turns the map off, which lfsr replaces: fio does nothing then.
        ("blockalign", "random_generator"),
    ];
    pairs.iter().any(|&(first, second)| option == second && job.iter().any(|&(written, _)| written == first))
}

fn pick(rng: &mut Rng, values: &[&'static str]) -> &'static str {
    values[rng.below(values.len() as u64) as usize]
}

/// The value of an option.
pub fn value<'a>(job: &[(&str, &'a str)], option: &str) -> Option<&'a str> {
    job.iter().find(|(written, _)| *written == option).map(|&(_, value)| value)
}

/// The reproducible properties of a job: each program has its own random order, and chance decides which of
/// several I/Os in flight completes first.
pub fn kind(job: &[(&str, &str)]) -> Kind {
    let has = |option| value(job, option).is_some();
    let is_random = value(job, "rw").is_some_and(|rw| rw.starts_with("rand")) || has("percentage_random");
    let is_mixed = is_mixed(job);
    let is_deep = value(job, "iodepth").is_some_and(|depth| depth != "1");
    // Random lengths, whose number varies.
    let varies = ["bsrange", "bssplit", "random_distribution", "percentage_random"].into_iter().any(has);
    let is_checked = ["verify", "verify_pattern"].into_iter().any(has);
    // Its passes end when one direction reaches the end of a file.
    let is_by_share = is_mixed && (has("io_size") || value(job, "bs").is_some_and(|lens| lens.contains(',')));
    Kind {
        is_counted: !(varies || is_by_share || (is_mixed && is_checked)),
        is_ordered: !is_random && !is_mixed && !is_deep,
        is_mixed,
        is_checked,
    }
}

/// Whether a job reads and writes.
pub fn is_mixed(job: &[(&str, &str)]) -> bool {
    value(job, "rw").is_some_and(|rw| rw.contains("rw") || rw.starts_with("readwrite"))
}

/// The same as words of a command line.
pub fn words(job: &[(&str, &str)]) -> Vec<String> {
    job.iter().map(|(option, value)| format!("--{option}={value}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_one_job_and_seeds_have_many() {
        assert_eq!(job(7), job(7));
        let jobs: std::collections::BTreeSet<String> =
            (0..100).map(|seed| words(&job(seed)).join(" ")).collect();
        assert_eq!(jobs.len(), 100);
    }

    #[test]
    fn each_option_is_known_and_comes_up() {
        let mut missing: Vec<&str> = CHOICES.iter().map(|choice| choice.option).collect();
        for option in &missing {
            assert!(cardiograph_jobs::options::find(option).is_some(), "{option}");
        }
        for seed in 0..500 {
            let written = job(seed);
            missing.retain(|option| value(&written, option).is_none());
        }
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn only_sequential_jobs_of_one_direction_have_an_order() {
        let ordered = |rw, depth| kind(&[("rw", rw), ("iodepth", depth)]).is_ordered;
        assert!(ordered("read", "1") && ordered("write:8k", "1"));
        assert!(!ordered("randread", "1") && !ordered("rw", "1") && !ordered("read", "4"));
        assert!(kind(&[("rw", "readwrite")]).is_mixed && !kind(&[("rw", "write:8k")]).is_mixed);
        assert!(
            kind(&[("rw", "randrw")]).is_counted && !kind(&[("rw", "read"), ("bsrange", "1k-4k")]).is_counted
        );
    }
}
