//! The options of a job: names, aliases, types, units, defaults, ranges and help.
//!
//! This table is the only truth about job options. The resolver refuses what is not in it, and help and documentation
//! are printed from it. Names and meanings are fio's, so that a JobSpec can be printed as a fio command line.

use crate::NS_PER_S;

/// How an option's value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// Free text.
    Text,
    /// One of some words.
    Word(&'static [&'static str]),
    /// A whole number in a range.
    Count {
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
    },
    /// A size in bytes.
    Bytes,
    /// Up to three sizes for reads, writes and trims, separated by commas; a missing one repeats the one before.
    BytesPerDirection,
    /// A time; a number without unit counts so many nanoseconds.
    Duration {
        /// What 1 means, in nanoseconds.
        unit_ns: u64,
    },
    /// 0 or 1; the bare name is 1.
    Switch,
    /// Percentiles separated by colons.
    Percentiles,
}

/// What an option changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionEffect {
    /// The I/O that is done.
    Workload,
    /// Only what is shown of it.
    Display,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct OptionDef {
    /// fio's name.
    pub name: &'static str,
    /// fio's other names for it.
    pub aliases: &'static [&'static str],
    /// How its value is read.
    pub kind: OptionKind,
    /// The value when it is not written, as text; empty when there is none.
    pub default: &'static str,
    /// What it changes.
    pub effect: OptionEffect,
    /// One sentence.
    pub help: &'static str,
}

const fn workload(
    name: &'static str,
    kind: OptionKind,
    default: &'static str,
    help: &'static str,
) -> OptionDef {
    OptionDef { name, aliases: &[], kind, default, effect: OptionEffect::Workload, help }
}

const fn alias(mut def: OptionDef, aliases: &'static [&'static str]) -> OptionDef {
    def.aliases = aliases;
    def
}

const fn display(
    name: &'static str,
    kind: OptionKind,
    default: &'static str,
    help: &'static str,
) -> OptionDef {
    OptionDef { name, aliases: &[], kind, default, effect: OptionEffect::Display, help }
}

/// The words of `rw`.
pub const RW_WORDS: &[&str] = &["read", "write", "randread", "randwrite", "rw", "readwrite", "randrw"];

const SECONDS: OptionKind = OptionKind::Duration { unit_ns: NS_PER_S };
const PERCENT: OptionKind = OptionKind::Count { min: 0, max: 100 };
const ANY_COUNT: OptionKind = OptionKind::Count { min: 0, max: u64::MAX };

/// All job options that this version has, in the order in which they are best read.
pub const OPTIONS: &[OptionDef] = &[
    workload("filename", OptionKind::Text, "", "Name of the test file."),
    workload("directory", OptionKind::Text, "", "Directory in which test files are made."),
    alias(
        workload("rw", OptionKind::Word(RW_WORDS), "read", "Direction and order of the I/O."),
        &["readwrite"],
    ),
    workload("rwmixread", PERCENT, "50", "Share of reads in a mixed workload, in percent."),
    workload("rwmixwrite", PERCENT, "", "Share of writes in a mixed workload, in percent."),
    alias(
        workload("bs", OptionKind::BytesPerDirection, "4096", "Length of one I/O, per direction."),
        &["blocksize"],
    ),
    workload("size", OptionKind::Bytes, "", "Length of the region that is used."),
    alias(
        workload(
            "io_size",
            OptionKind::Bytes,
            "",
            "Bytes to move before the job ends; the region's length if not set.",
        ),
        &["io_limit"],
    ),
    workload("offset", OptionKind::Bytes, "0", "Where the region starts."),
    workload("ioengine", OptionKind::Text, "psync", "How I/O is executed (see `cardiograph engines`)."),
    workload("iodepth", OptionKind::Count { min: 1, max: 32_768 }, "1", "I/Os kept in flight."),
    workload("numjobs", OptionKind::Count { min: 1, max: 4_096 }, "1", "Clones of the job that run at once."),
    workload("direct", OptionKind::Switch, "0", "Bypass the page cache (O_DIRECT)."),
    workload("buffered", OptionKind::Switch, "1", "The reverse of direct."),
    alias(workload("runtime", SECONDS, "", "End after this time."), &["timeout"]),
    workload("time_based", OptionKind::Switch, "0", "Start over at the region's end until runtime is over."),
    workload("ramp_time", SECONDS, "0", "Run this long before anything counts."),
    workload("startdelay", SECONDS, "0", "Wait this long before the first I/O."),
    alias(
        workload("stonewall", OptionKind::Switch, "0", "Wait for all jobs written before."),
        &["wait_for_previous"],
    ),
    workload("wait_for", OptionKind::Text, "", "Start when the job of this name has ended."),
    workload("exitall", OptionKind::Switch, "0", "When this job ends, end all others."),
    workload("fsync", ANY_COUNT, "0", "fsync after so many writes; 0 is never."),
    workload("fdatasync", ANY_COUNT, "0", "fdatasync after so many writes; 0 is never."),
    workload("end_fsync", OptionKind::Switch, "0", "fsync when all writes are done; its time counts."),
    workload("norandommap", OptionKind::Switch, "0", "Random blocks may repeat within a pass."),
    alias(
        workload("randrepeat", OptionKind::Switch, "1", "The same random sequence in each run."),
        &["allrandrepeat"],
    ),
    workload("randseed", ANY_COUNT, "0x89", "Seed of the random sequence."),
    workload(
        "refill_buffers",
        OptionKind::Switch,
        "0",
        "New random content for each write, instead of new stamps.",
    ),
    workload("thread", OptionKind::Switch, "0", "Clones as threads. They always are."),
    display("group_reporting", OptionKind::Switch, "0", "Show a job's clones as one."),
    display("percentile_list", OptionKind::Percentiles, "", "Percentiles to show."),
    display("lat_percentiles", OptionKind::Switch, "0", "Show percentiles of the total latency too."),
];

/// Finds an option by its name or an alias.
pub fn find(name: &str) -> Option<&'static OptionDef> {
    OPTIONS.iter().find(|def| def.name == name || def.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_stands_for_one_option() {
        let mut names: Vec<_> =
            OPTIONS.iter().flat_map(|def| def.aliases.iter().chain([&def.name])).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_row_is_explained_in_a_sentence() {
        for def in OPTIONS {
            assert!(def.help.ends_with('.') && def.help.len() > 10, "{}: '{}'", def.name, def.help);
        }
    }

    #[test]
    fn defaults_can_be_read() {
        for def in OPTIONS.iter().filter(|def| !def.default.is_empty()) {
            let read = match def.kind {
                OptionKind::Text | OptionKind::Percentiles => true,
                OptionKind::Word(words) => words.contains(&def.default),
                OptionKind::Count { min, max } => {
                    crate::value::parse_count(def.default).is_ok_and(|n| (min..=max).contains(&n))
                }
                OptionKind::Bytes | OptionKind::BytesPerDirection => {
                    crate::value::parse_bytes(def.default).is_ok()
                }
                OptionKind::Duration { unit_ns } => {
                    crate::value::parse_duration_ns(def.default, unit_ns).is_ok()
                }
                OptionKind::Switch => crate::value::parse_switch(def.default).is_ok(),
            };
            assert!(read, "{}={}", def.name, def.default);
        }
    }
}
