//! `cargo xtask spellings`: how Debian's fio reads spellings of values.
//!
//! The table is `crates/jobs/src/options/spellings.tsv`: an option, a spelling, fio's reading of it, and a
//! class if it is read differently here. The first two columns are the input; the third is rewritten. A test
//! of jobs reads the table.

use std::path::Path;
use std::process::{Command, ExitCode, Output};

use serde_json::Value;

use crate::workspace;

const FIO: &str = "/usr/bin/fio";
/// The table's version of fio.
const VERSION: &str = "fio-3.33";
const TABLE: &str = "crates/jobs/src/options/spellings.tsv";
/// Columns of a row.
type Row = [String; 4];

/// Runs fio for each row, and writes the table.
pub fn run() -> Result<ExitCode, String> {
    if let Some(reason) = missing() {
        return Err(reason);
    }
    let path = workspace::root().join(TABLE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut lines = String::new();
    for line in text.lines() {
        let written = match parse_row(line) {
            Some([option, spelling, _, class]) => {
                let made = fio_reading(&option, &spelling)?;
                format!("{option}\t{spelling}\t{made}\t{class}").trim_end_matches('\t').to_string()
            }
            None => line.to_string(),
        };
        lines.push_str(&written);
        lines.push('\n');
    }
    std::fs::write(&path, &lines).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {} lines to {}", lines.lines().count(), path.display());
    Ok(ExitCode::SUCCESS)
}

/// Why fio cannot be run here.
fn missing() -> Option<String> {
    let version = Command::new(FIO).arg("--version").output();
    let version = version.map_or_else(
        |error| error.to_string(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_string(),
    );
    (version != VERSION).then(|| format!("the table needs {VERSION}, but {FIO} is {version}"))
}

fn parse_row(line: &str) -> Option<Row> {
    if line.starts_with('#') || line.is_empty() {
        return None;
    }
    let mut columns = line.split('\t').map(str::to_string);
    Some(std::array::from_fn(|_| columns.next().unwrap_or_default()))
}

/// fio's reading of a value: refused, its numbers, or its effect in a short job.
fn fio_reading(option: &str, spelling: &str) -> Result<String, String> {
    let setting = format!("--{option}={spelling}");
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let parsed = fio(directory.path(), &["--debug=parse", "--parse-only", &setting])?;
    if !parsed.status.success() {
        return Ok("refused".to_string());
    }
    let more: &[&str] = match option {
        "percentile_list" => &[],
        "steadystate" => &["--steadystate_duration=1"],
        "buffer_pattern" => &["--ioengine=psync", "--rw=write", "--size=4k", "--filename=data"],
        "bssplit" | "bsrange" => {
            &["--rw=randread", "--norandommap", "--size=1g", "--number_ios=2000", "--write_iolog=log"]
        }
        "cpus_allowed" => &["--exec_prerun=grep Cpus_allowed_list /proc/self/status"],
        _ => {
            let numbers = numbers(&String::from_utf8_lossy(&parsed.stdout));
            return Ok(if numbers.is_empty() { "accepted".to_string() } else { numbers });
        }
    };
    // A value accepted by the parser may still be refused when the job begins.
    let output = fio(directory.path(), &[&["--output-format=json", &setting], more].concat())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let json = text.find('{').and_then(|start| serde_json::from_str::<Value>(&text[start..]).ok());
    let Some(json) = json.filter(|_| output.status.success()) else { return Ok("refused".to_string()) };
    let job = &json["jobs"][0];
    let file = |name| std::fs::read(directory.path().join(name)).unwrap_or_default();
    let text = |name| String::from_utf8_lossy(&file(name)).into_owned();
    Ok(match option {
        "percentile_list" => percentiles(&job["read"]["clat_ns"]["percentile"]),
        "steadystate" => job["steadystate"]["ss"].as_str().unwrap_or_default().to_string(),
        "buffer_pattern" => file("data").iter().take(24).map(|byte| format!("{byte:02x}")).collect(),
        "cpus_allowed" => text("x.prerun.txt").split_whitespace().last().unwrap_or_default().to_string(),
        _ => lengths(&text("log"), option == "bsrange"),
    })
}

fn fio(directory: &Path, arguments: &[&str]) -> Result<Output, String> {
    let mut command = Command::new(FIO);
    // With the default clock, fio compares the counters of all processors at each start.
    command.args(["--clocksource=clock_gettime", "--name=x", "--ioengine=null", "--size=1m"]);
    command.args(arguments).current_dir(directory);
    command.output().map_err(|error| format!("{FIO}: {error}"))
}

/// The numbers in fio's debug output for the last setting of an option; `-` for a refused one.
fn numbers(debug: &str) -> String {
    let lines: Vec<&str> = debug.lines().collect();
    // Each value of a list is handled separately, by a function with two underscores.
    let start = lines.iter().rposition(|line| line.contains(" handle_option=")).unwrap_or(lines.len());
    let number = |line: &&str| {
        let (status, number) = line.trim().rsplit_once("ret=")?.1.split_once(", out=")?;
        Some(if status == "0" { number.to_string() } else { "-".to_string() })
    };
    lines.iter().skip(start).filter_map(number).collect::<Vec<_>>().join(" ")
}

/// Percentiles of JSON in rising order.
fn percentiles(json: &Value) -> String {
    let keys = json.as_object().into_iter().flat_map(|object| object.keys());
    let mut shown: Vec<f64> = keys.filter_map(|key| key.parse().ok()).collect();
    shown.sort_by(f64::total_cmp);
    let shown: Vec<String> = shown.iter().map(f64::to_string).collect();
    if shown.is_empty() { "none".to_string() } else { shown.join(" ") }
}

/// The lengths in a recording with their counts, or only the shortest and the longest.
fn lengths(log: &str, only_ends: bool) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for line in log.lines().filter(|line| line.contains(" read ")) {
        let len: u64 = line.rsplit(' ').next().and_then(|len| len.parse().ok()).unwrap_or(0);
        *counts.entry(len).or_insert(0) += 1;
    }
    match (only_ends, counts.keys().next(), counts.keys().next_back()) {
        (true, Some(min), Some(max)) => format!("{min} {max}"),
        _ => counts.iter().map(|(len, count)| format!("{len}:{count}")).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::rng::Rng;

    use super::*;

    #[test]
    fn a_sample_of_the_table_matches_fio() {
        const SEED: u64 = 21;
        if let Some(reason) = missing() {
            return cardiograph_testing::skip("fio's reading of spellings", &reason);
        }
        let text = std::fs::read_to_string(workspace::root().join(TABLE)).unwrap();
        let rows: Vec<Row> = text.lines().filter_map(parse_row).collect();
        let mut rng = Rng::new(SEED);
        let has_processors = std::thread::available_parallelism().is_ok_and(|count| count.get() > 1);
        for [option, spelling, made, _] in rows {
            let is_asked = rng.below(cardiograph_testing::part_or_all(12, 1)) == 0;
            if is_asked && (has_processors || option != "cpus_allowed") {
                assert_eq!(fio_reading(&option, &spelling).as_ref(), Ok(&made), "{option}={spelling}");
            }
        }
    }

    #[test]
    fn numbers_are_those_of_the_last_setting() {
        let debug = "\
parse 1 handle_option=size, ptr=1m
parse 1 __handle_option=size, type=OPT_STR_VAL_ZONE, ptr=1m
parse 1   ret=0, out=1048576
parse 1 handle_option=size, ptr=5,
parse 1 __handle_option=size, type=OPT_STR_VAL_ZONE, ptr=5,
parse 1   ret=0, out=5
parse 1 __handle_option=size, type=OPT_STR_VAL_ZONE, ptr=
parse 1   ret=1, out=5
parse 1 free options
";
        assert_eq!(numbers(debug), "5 -");
        assert_eq!(numbers("parse 1 free options\n"), "");
    }
}
