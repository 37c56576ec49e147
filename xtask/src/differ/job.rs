//! Random jobs: small ones, of which everything that is looked at is the same each time.

use cardiograph_core::rng::Rng;

use super::facts::Kind;

/// An option that a job may have.
struct Choice {
    option: &'static str,
    values: &'static [&'static str],
    /// It is written in one of so many jobs.
    one_in: u64,
}

const fn often(option: &'static str, values: &'static [&'static str]) -> Choice {
    Choice { option, values, one_in: 3 }
}

const fn seldom(option: &'static str, values: &'static [&'static str]) -> Choice {
    Choice { option, values, one_in: 12 }
}

/// What a job has but its size, direction and engine.
const CHOICES: &[Choice] = &[
    often("bs", &["512", "4k", "8k", "16k", "4k,8k", "8k,4k", "6k"]),
    seldom("bsrange", &["4k-16k", "1k-8k", "512-4k,4k-8k"]),
    seldom("bssplit", &["4k/50:8k/50", "1k/10:4k/80:16k/10", "4k:8k", "2k/60:4k/40,8k"]),
    seldom("blockalign", &["4k", "16k"]),
    often("io_size", &["32k", "100k", "512k", "1m"]),
    seldom("offset", &["8k", "4096", "25%"]),
    seldom("offset_increment", &["64k", "16k"]),
    seldom("filesize", &["32k", "64k", "200k"]),
    often("nrfiles", &["1", "2", "3", "5"]),
    seldom("openfiles", &["1", "2"]),
    seldom("file_service_type", &["roundrobin", "sequential", "roundrobin:3"]),
    often("numjobs", &["1", "2", "3"]),
    often("loops", &["1", "2", "3"]),
    seldom("number_ios", &["5", "20", "100"]),
    often("iodepth", &["1", "4", "16"]),
    seldom("iodepth_batch", &["1", "4"]),
    seldom("iodepth_batch_complete_max", &["4"]),
    seldom("direct", &["0", "1"]),
    seldom("fsync", &["0", "1", "4", "7"]),
    seldom("fdatasync", &["0", "1", "5"]),
    seldom("end_fsync", &["0", "1"]),
    seldom("fsync_on_close", &["0", "1"]),
    seldom("sync", &["0", "1", "dsync"]),
    seldom("rwmixread", &["0", "30", "70", "100"]),
    seldom("rwmixwrite", &["10", "90"]),
    seldom("norandommap", &["0", "1"]),
    seldom("randrepeat", &["0", "1"]),
    seldom("randseed", &["7"]),
    seldom("random_generator", &["lfsr", "tausworthe64"]),
    seldom("random_distribution", &["zipf:1.2", "pareto:0.2", "normal:20", "zoned:60/10:40/90"]),
    seldom("percentage_random", &["0", "50", "100"]),
    seldom("verify", &["crc32c", "md5", "crc16", "xxhash", "pattern"]),
    seldom("verify_pattern", &["0xdeadbeef", "\"abcd\""]),
    seldom("do_verify", &["0", "1"]),
    seldom("verify_interval", &["512", "4k"]),
    seldom("refill_buffers", &["1"]),
    seldom("zero_buffers", &["1"]),
    seldom("buffer_compress_percentage", &["50"]),
    seldom("buffer_pattern", &["0xaa", "\"text\""]),
    seldom("invalidate", &["0", "1"]),
    seldom("pre_read", &["1"]),
    seldom("overwrite", &["1"]),
    seldom("fallocate", &["none", "posix", "keep", "truncate"]),
    seldom("create_on_open", &["1"]),
    seldom("create_serialize", &["0"]),
    seldom("create_fsync", &["0"]),
    seldom("unlink", &["1"]),
    seldom("unlink_each_loop", &["1"]),
    seldom("fadvise_hint", &["0", "sequential"]),
    seldom("thinktime", &["10"]),
    seldom("thinktime_blocks", &["4"]),
    seldom("rate_iops", &["20000"]),
    seldom("startdelay", &["1ms"]),
    seldom("group_reporting", &["1"]),
    seldom("percentile_list", &["50:99", "1:99.9"]),
    seldom("clat_percentiles", &["0"]),
    seldom("lat_percentiles", &["1"]),
    seldom("slat_percentiles", &["1"]),
    seldom("disable_clat", &["1"]),
    seldom("disable_slat", &["1"]),
    seldom("disable_lat", &["1"]),
    seldom("disable_bw_measurement", &["1"]),
    seldom("gtod_reduce", &["1"]),
    seldom("unified_rw_reporting", &["1"]),
    seldom("continue_on_error", &["all", "io"]),
    seldom("description", &["words"]),
    seldom("zonemode", &["strided"]),
    seldom("zonesize", &["16k"]),
    seldom("zonerange", &["32k"]),
    seldom("zoneskip", &["16k"]),
];
/// Sequential ones come as often as random ones; a number behind a colon seldom.
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

/// Options and values of a job, in the order in which they are written.
pub type Job = Vec<(&'static str, &'static str)>;

/// The jobs that once were different, and are not again.
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
        // Not all at once: who writes so many options is hardly met, and one difference would hide another.
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
        // It turns the map off, which lfsr stands for: fio does nothing then.
        ("blockalign", "random_generator"),
    ];
    pairs.iter().any(|&(first, second)| option == second && job.iter().any(|&(written, _)| written == first))
}

fn pick(rng: &mut Rng, values: &[&'static str]) -> &'static str {
    values[rng.below(values.len() as u64) as usize]
}

/// What is written for an option.
pub fn value<'a>(job: &[(&str, &'a str)], option: &str) -> Option<&'a str> {
    job.iter().find(|(written, _)| *written == option).map(|&(_, value)| value)
}

/// What of a job is the same each time: what is drawn at random has an order of its own, and which of several I/Os in flight is
/// complete first is chance.
pub fn kind(job: &[(&str, &str)]) -> Kind {
    let has = |option| value(job, option).is_some();
    let is_random = value(job, "rw").is_some_and(|rw| rw.starts_with("rand")) || has("percentage_random");
    let is_mixed = is_mixed(job);
    let is_deep = value(job, "iodepth").is_some_and(|depth| depth != "1");
    // Lengths that are drawn, and how many I/Os find room by chance.
    let varies = ["bsrange", "bssplit", "random_distribution", "percentage_random"].into_iter().any(has);
    let is_checked = ["verify", "verify_pattern"].into_iter().any(has);
    // Its passes end where one direction comes to the end of a file.
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
