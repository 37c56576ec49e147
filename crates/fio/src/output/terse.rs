//! One line per job of fields separated by semicolons, for scripts that count fields.
//!
//! `--minimal` gives version 3. Version 2 has trims, but neither the program's version nor disks; 4 is 3 with trims; 5
//! adds IOPS samples. Combined directions have a direction's fields, in place of all directions or after them. A
//! field's position is its meaning, so none is ever left out, except those of disks, errors and the description at the
//! end.

use cardiograph_core::{Direction, Latency};

use super::distributions::{LatencyClasses, depth_shares, percentile_values_ns};
use super::group::{self, Group, GroupFigures};
use super::numbers::finite;
use super::run::{DirectionFigures, DiskEntry, DiskFigures, FioRun, JobEntry, Samples, Style};
use super::shown::Way;

/// Number of percentile fields, whatever the number of percentiles.
const PERCENTILE_FIELDS: usize = 20;

/// A version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum TerseVersion {
    /// The oldest.
    V2 = 2,
    /// fio's default.
    #[default]
    V3,
    /// With trims.
    V4,
    /// With trims and IOPS samples.
    V5,
}

impl TerseVersion {
    /// The version with a number; `None` if unknown.
    pub fn from_number(number: u64) -> Option<Self> {
        [Self::V2, Self::V3, Self::V4, Self::V5].into_iter().find(|version| version.number() == number)
    }

    /// Its number, as in the first field.
    pub fn number(self) -> u64 {
        self as u64
    }
}

/// `run` in terse form: one line per job.
pub fn terse(run: &FioRun, version: TerseVersion) -> String {
    let groups = run.groups();
    let mut text = String::new();
    for job in &run.jobs {
        if let Some(group) = group::find(&groups, job.group) {
            text.push_str(&line(job, run, version, group));
        }
    }
    text
}

fn line(job: &JobEntry, run: &FioRun, version: TerseVersion, group: &Group<'_>) -> String {
    let mut fields = Fields(vec![version.number().to_string()]);
    if version > TerseVersion::V2 {
        fields.add(&run.version);
    }
    fields.add(&job.name);
    fields.add(job.group);
    fields.add(job.error.as_ref().map_or(0, |error| error.errno));
    let has_trims = version != TerseVersion::V3;
    let has_fields = |way| has_trims || way != Way::One(Direction::Trim);
    for (way, figures) in job.shown().filter(|&(way, _)| has_fields(way)) {
        fields.direction(figures, group.figures(way), &job.style, version);
    }
    let cpu = &job.cpu;
    fields.add(format_args!("{:.6}%", cpu.user_percent()));
    fields.add(format_args!("{:.6}%", cpu.system_percent()));
    [cpu.context_switches, cpu.major_faults, cpu.minor_faults].iter().for_each(|count| fields.add(count));
    depth_shares(job).iter().for_each(|share| fields.add(format_args!("{share:3.1}%")));
    let mut classes = LatencyClasses::from_job(job);
    // There are no nanosecond fields: count these in the first microsecond class.
    classes.us[0] += classes.ns.iter().sum::<u64>();
    let (us, ms) = (classes.shares(&classes.us), classes.shares(&classes.ms));
    us.iter().chain(&ms).for_each(|share| fields.add(format_args!("{share:3.2}%")));
    if version > TerseVersion::V2 {
        run.disks.iter().for_each(|disk| fields.disk(disk));
    }
    if let Some(tally) = &job.tolerated_errors {
        fields.add(tally.total);
        fields.add(tally.first_errno);
    }
    if let Some(description) = job.description() {
        if version == TerseVersion::V2 {
            return format!("{}\n;{description}\n", fields.0.join(";"));
        }
        fields.add(description);
    }
    format!("{}\n", fields.0.join(";"))
}

/// The fields of a line.
struct Fields(Vec<String>);

impl Fields {
    fn add(&mut self, field: impl std::fmt::Display) {
        self.0.push(field.to_string());
    }

    fn direction(
        &mut self,
        figures: &DirectionFigures,
        group: &GroupFigures,
        style: &Style,
        version: TerseVersion,
    ) {
        self.add(figures.bytes / 1_024);
        self.add(figures.bytes_per_s() / 1_024);
        self.add(figures.iops() as u64);
        self.add(figures.runtime_ms);
        self.latency(&figures.submission);
        self.latency(&figures.completion);
        self.percentiles(figures, style);
        self.latency(&figures.total);
        let Samples { n, min, max, mean, .. } = figures.bandwidth;
        self.add(min);
        self.add(max);
        self.add(format_args!("{:.6}%", group.terse_percent(&figures.bandwidth)));
        self.add(format_args!("{mean:.6}"));
        self.add(format_args!("{:.6}", figures.bandwidth.stdev()));
        if version == TerseVersion::V5 {
            self.add(n);
            let Samples { n, min, max, mean, .. } = figures.iops;
            self.add(min);
            self.add(max);
            self.add(format_args!("{mean:.6}"));
            self.add(format_args!("{:.6}", figures.iops.stdev()));
            self.add(n);
        }
    }

    /// Minimum, maximum, mean and deviation in microseconds.
    fn latency(&mut self, latency: &Latency) {
        self.add(latency.min_ns() / 1_000);
        self.add(latency.max_ns() / 1_000);
        self.add(format_args!("{:.6}", latency.mean_ns() / 1e3));
        self.add(format_args!("{:.6}", latency.stdev_ns() / 1e3));
    }

    /// Percentiles in microseconds: of `lat` if requested, else of `clat`.
    fn percentiles(&mut self, figures: &DirectionFigures, style: &Style) {
        let latency = match (style.lat_percentiles, style.clat_percentiles) {
            (true, _) => Some(&figures.total),
            (false, true) => Some(&figures.completion),
            (false, false) => None,
        };
        let mut percentiles = latency.map_or(Vec::new(), |_| style.sorted_percentiles());
        percentiles.truncate(PERCENTILE_FIELDS);
        let values = latency.map_or(Vec::new(), |latency| percentile_values_ns(latency, &percentiles));
        for (percentile, ns) in percentiles.iter().zip(values) {
            self.add(format_args!("{percentile:.6}%={}", ns / 1_000));
        }
        (percentiles.len()..PERCENTILE_FIELDS).for_each(|_| self.add("0%=0"));
    }

    fn disk(&mut self, disk: &DiskEntry) {
        self.add(&disk.name);
        self.counters(&disk.figures);
        if let Some(aggregate) = disk.aggregate() {
            self.add(disk.members.len());
            self.counters(&aggregate);
        }
    }

    fn counters(&mut self, disk: &DiskFigures) {
        let DiskFigures {
            read_ios, write_ios, read_merges, write_merges, read_ms, write_ms, queue_ms, ..
        } = disk;
        for counter in [read_ios, write_ios, read_merges, write_merges, read_ms, write_ms, queue_ms] {
            self.add(counter);
        }
        self.add(format_args!("{:3.2}%", finite(disk.util_percent)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::run::ErrorTally;
    use crate::output::samples;

    fn fields(run: &FioRun, version: TerseVersion) -> Vec<String> {
        terse(run, version).trim_end().split(';').map(str::to_string).collect()
    }

    #[test]
    fn fields_have_the_positions_that_scripts_expect() {
        let mut run = samples::run(vec![samples::job()]);
        let with_disk = fields(&run, TerseVersion::V3);
        assert_eq!(with_disk.len(), 130);
        assert_eq!(with_disk[121..123], ["mmcblk0", "4"]);
        run.disks.clear();
        let v3 = fields(&run, TerseVersion::V3);
        assert_eq!(v3.len(), 121);
        assert_eq!(v3[..9], ["3", "fio-3.39", "job", "0", "0", "16", "1600", "400", "10"]);
        assert_eq!(v3[46..50], ["8", "800", "200", "10"]);
        assert_eq!(v3[13..18], ["150", "2500", "745.000000", "1170.028490", "1.000000%=150"]);
        assert_eq!(v3[34..37], ["0%=0"; 3]);
        assert_eq!(v3[87..93], ["10.000000%", "20.000000%", "6", "0", "3", "100.0%"]);
        assert_eq!(fields(&run, TerseVersion::V2).len(), 161);
        assert_eq!(fields(&run, TerseVersion::V4).len(), 162);
        assert_eq!(fields(&run, TerseVersion::V5).len(), 180);
    }

    #[test]
    fn optional_fields_come_last() {
        let mut job = samples::job();
        job.tolerated_errors =
            Some(ErrorTally { total: 3, first_errno: 5, first_text: "Input/output error".to_string() });
        job.style.0.description = Some("words".to_string());
        let member = DiskFigures { write_ios: 7, util_percent: 1.25, ..DiskFigures::default() };
        let mut run = samples::run(vec![job]);
        run.disks[0].members = vec![member];
        let v3 = fields(&run, TerseVersion::V3);
        assert_eq!(v3[130..], ["1", "0", "7", "0", "0", "0", "0", "0", "1.25%", "3", "5", "words"]);
        let v2 = terse(&run, TerseVersion::V2);
        assert!(v2.ends_with(";3;5\n;words\n"), "{v2}");
    }

    #[test]
    fn excess_percentiles_are_dropped() {
        let mut job = samples::job();
        job.style.0.percentiles = (1..=25).map(f64::from).collect();
        let run = samples::run(vec![job]);
        let v3 = fields(&run, TerseVersion::V3);
        assert_eq!((v3.len(), v3[36].as_str(), v3[37].as_str()), (130, "20.000000%=150", "150"));
    }

    #[test]
    fn versions_have_numbers() {
        for number in 0..10 {
            let version = TerseVersion::from_number(number);
            assert_eq!(version.map(TerseVersion::number), (2..=5).contains(&number).then_some(number));
        }
    }
}
