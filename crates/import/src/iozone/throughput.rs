//! Throughput of several processes or threads of iozone: a block of lines per pass, starting with the sum.

use cardiograph_core::KIB;
use cardiograph_core::method::Pattern;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::super::amount;
use super::{Pass, Unit};

const SUM: &str = "Children see throughput for ";

/// iozone's name of the processes, the pass, and its pattern.
const PASSES: [(&str, &str, Pattern); 13] = [
    ("initial writers", "write", Pattern::Write),
    ("rewriters", "rewrite", Pattern::Write),
    ("readers", "read", Pattern::Read),
    ("re-readers", "reread", Pattern::Read),
    ("reverse readers", "backward-read", Pattern::Read),
    ("stride readers", "stride-read", Pattern::Read),
    ("random readers", "random-read", Pattern::RandomRead),
    ("mixed workload", "mixed", Pattern::RandomReadWrite),
    ("random writers", "random-write", Pattern::RandomWrite),
    ("pwrite writers", "pwrite", Pattern::Write),
    ("pread readers", "pread", Pattern::Read),
    ("fwriters", "fwrite", Pattern::Write),
    ("freaders", "fread", Pattern::Read),
];
/// Lines after the sum with details, and their names.
const DETAILS: [(&str, &str); 3] = [
    ("Parent sees throughput for ", "as_the_parent_counts"),
    ("Min throughput per ", "slowest_process"),
    ("Max throughput per ", "fastest_process"),
];

/// Whether a line has the sum of a pass.
pub(super) fn is_pass(line: &str) -> bool {
    line.trim_start().starts_with(SUM)
}

/// Parses the sum of a pass: `Children see throughput for  4 initial writers  =  301113.50 kB/sec`.
///
/// # Errors
/// If it is not understood.
pub(super) fn pass(line: &str) -> Option<Result<Pass, Message>> {
    let rest = line.trim().strip_prefix(SUM)?;
    let (workers, figure) = rest.split_once('=').unwrap_or((rest, ""));
    Some(parse_pass(workers.trim(), figure.trim()))
}

fn parse_pass(workers: &str, figure: &str) -> Result<Pass, Message> {
    let (jobs, workers) = workers.split_once(' ').unwrap_or((workers, ""));
    let workers = workers.trim();
    let &(_, name, pattern) = PASSES
        .iter()
        .find(|(called, ..)| *called == workers)
        .ok_or_else(|| message!("import-iozone.unknown-test", test = shown(workers)))?;
    let (value, unit) = figure.split_once(' ').unwrap_or((figure, ""));
    let unit = match unit.trim().to_lowercase().as_str() {
        "kb/sec" | "kbytes/sec" => Unit::KibPerSecond,
        "ops/sec" => Unit::OpsPerSecond,
        _ => return Err(message!("import-iozone.throughput-unsupported", text = shown(figure))),
    };
    let value =
        amount::number(value).ok_or_else(|| message!("import-value.not-a-figure", text = shown(value)))?;
    Ok(Pass { name, pattern, jobs: Some(amount::whole(jobs)?), figure: value, unit })
}

/// A detail of the previous pass.
pub(super) struct Detail {
    pub(super) name: &'static str,
    pub(super) words: String,
}

/// Parses a detail of the previous pass.
pub(super) fn detail(line: &str) -> Option<Detail> {
    let line = line.trim();
    let (_, name) = DETAILS.into_iter().find(|(begin, _)| line.starts_with(begin))?;
    let (_, words) = line.split_once('=')?;
    Some(Detail { name, words: shown(words.trim()) })
}

/// Parses file length per process and record length, in bytes: `Each process writes a 131072 kByte file in 4 kByte
/// records`.
pub(super) fn lengths_bytes(line: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["Each", _, "writes", "a", file, file_unit, "file", "in", record, record_unit, "records"] = words[..]
    else {
        return None;
    };
    let bytes = |count: &str, unit: &str| {
        let is_kib = unit.eq_ignore_ascii_case("kByte");
        is_kib.then(|| count.parse::<u64>().ok()?.checked_mul(KIB)).flatten()
    };
    bytes(file, file_unit).zip(bytes(record, record_unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_in_kib() {
        let old = "\tEach process writes a 131072 Kbyte file in 4 Kbyte records";
        assert_eq!(lengths_bytes(old), Some((128 << 20, 4 << 10)));
        assert_eq!(lengths_bytes(&old.replace("process", "thread")), Some((128 << 20, 4 << 10)));
        for line in ["", "Each process writes a 131072 Mbyte file in 4 Kbyte records", "Each thing"] {
            assert_eq!(lengths_bytes(line), None, "{line}");
        }
        let huge = format!("Each process writes a {} kByte file in 4 kByte records", u64::MAX);
        assert_eq!(lengths_bytes(&huge), None);
    }
}
