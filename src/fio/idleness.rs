//! How idle the CPUs were during a run (`--idle-prof`), by the kernel's own count of their time. fio has threads of the lowest
//! priority do units of work on each CPU; counting disturbs nothing, and needs no calibration.

use std::collections::BTreeMap;

use cardiograph_fio::invocation::IdleProf;
use cardiograph_fio::output::run::Idleness;

/// Said where a run has no figure.
pub const TOO_SHORT: &str = "--idle-prof: the run was too short for the kernel's count of idle time, which goes by hundredths of a second";

/// What the kernel has counted of a CPU since it started, in ticks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    idle: u64,
    all: u64,
}

/// Looks at the CPUs from its beginning on.
#[derive(Debug)]
pub struct IdleWatch {
    shows_cpus: bool,
    began: BTreeMap<u32, Counts>,
}

impl IdleWatch {
    /// A watch that begins now; `None` where nobody asked for it.
    pub fn begin(asked: IdleProf) -> Option<Self> {
        let shows_cpus = asked == IdleProf::PerCpu;
        (asked != IdleProf::Off).then(|| Self { shows_cpus, began: counts(&read()) })
    }

    /// How idle the CPUs were until now; `None` where the kernel has counted nothing yet.
    pub fn end(&self) -> Option<Idleness> {
        idleness(&self.began, &counts(&read()), self.shows_cpus)
    }
}

fn read() -> String {
    std::fs::read_to_string("/proc/stat").unwrap_or_default()
}

/// The CPUs in the kernel's table. A CPU that waits for I/O is idle.
fn counts(stat: &str) -> BTreeMap<u32, Counts> {
    let line = |line: &str| {
        let (cpu, ticks) = line.strip_prefix("cpu")?.split_once(' ')?;
        // user nice system idle iowait irq softirq steal; guests are in user and nice.
        let ticks: Vec<u64> = ticks.split_whitespace().take(8).map_while(|of| of.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4).copied().unwrap_or(0);
        Some((cpu.parse().ok()?, Counts { idle, all: ticks.iter().sum() }))
    };
    stat.lines().filter_map(line).collect()
}

fn idleness(
    began: &BTreeMap<u32, Counts>,
    ended: &BTreeMap<u32, Counts>,
    shows_cpus: bool,
) -> Option<Idleness> {
    // A CPU that came or went in the meantime was not there for the run.
    let both = ended.iter().filter_map(|(&cpu, ended)| Some((cpu, began.get(&cpu)?, ended)));
    let cpus: Vec<(u32, f64)> = both
        .filter(|(_, began, ended)| ended.all > began.all)
        .map(|(cpu, began, ended)| {
            // The kernel's count of a CPU's wait for I/O may go back.
            let idle = ended.idle.saturating_sub(began.idle) as f64;
            (cpu, (idle * 100.0 / (ended.all - began.all) as f64).min(100.0))
        })
        .collect();
    let system_percent = cpus.iter().map(|(_, percent)| percent).sum::<f64>() / cpus.len() as f64;
    let shown = !cpus.is_empty();
    shown.then(|| Idleness { system_percent, cpus: if shows_cpus { cpus } else { Vec::new() } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_time_between_two_looks() {
        let began = "cpu  9 9 9 9 9\ncpu0 100 0 50 800 50 0 0 0 70 0\ncpu1 10 0 0 90 0 0 0 0 0 0\ncpu2 1 1 1 1 1\nintr 1 2\n";
        let ended =
            "cpu  9 9 9 9 9\ncpu0 120 5 50 860 60 3 2 0 90 0\ncpu1 10 0 0 190 0 0 0 0 0 0\ncpu3 9 9 9 9 9\n";
        let found = |shows_cpus| idleness(&counts(began), &counts(ended), shows_cpus).unwrap();
        assert_eq!(found(true), Idleness { system_percent: 85.0, cpus: vec![(0, 70.0), (1, 100.0)] });
        assert_eq!(found(false), Idleness { system_percent: 85.0, cpus: Vec::new() });
        assert_eq!(idleness(&counts(began), &counts(began), true), None);
        assert_eq!(counts("cpu0\ncpux 1 2 3 4\n\u{0}"), BTreeMap::new());
    }
}
