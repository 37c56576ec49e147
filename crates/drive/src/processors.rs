//! Processors: core types and idle states.

use std::path::PathBuf;

use cardiograph_core::drive::{IdleState, ProcessorKind};

use crate::system::System;
use crate::{attribute, block};

/// Kinds of processors, fastest first: by the kernel's capacity value, or by maximum clock. Empty if neither
/// is known for all.
pub(crate) fn kinds(system: &System) -> Vec<ProcessorKind> {
    let cpus = processors(system);
    let speeds = ["cpu_capacity", "cpufreq/cpuinfo_max_freq"].into_iter().find_map(|file| {
        let speed = |(cpu, dir): &(u32, PathBuf)| {
            Some((*cpu, attribute::number(&dir.join(file)).filter(|&speed| speed > 0)?))
        };
        cpus.iter().map(speed).collect::<Option<Vec<(u32, u64)>>>()
    });
    let speeds = speeds.unwrap_or_default();
    let Some(fastest) = speeds.iter().map(|(_, speed)| *speed).max() else { return Vec::new() };
    let mut kinds: Vec<ProcessorKind> = Vec::new();
    for (cpu, speed) in speeds {
        let speed_percent = (speed as f64 / fastest as f64 * 100.0).round() as u32;
        match kinds.iter_mut().find(|kind| kind.speed_percent == speed_percent) {
            Some(kind) => kind.cpus.push(cpu),
            None => kinds.push(ProcessorKind { cpus: vec![cpu], speed_percent }),
        }
    }
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.speed_percent));
    kinds
}

/// Idle states of the first processor, lightest first. `None` if the kernel shows none, as in most virtual
/// machines.
pub(crate) fn idle_states(system: &System) -> Option<Vec<IdleState>> {
    let dir = system.under_root("sys/devices/system/cpu/cpu0/cpuidle");
    let mut states: Vec<IdleState> = block::entries(&dir)
        .iter()
        .filter(|dir| attribute::number(&dir.join("disable")).unwrap_or(0) == 0)
        .filter_map(|dir| {
            let exit_us = attribute::number(&dir.join("latency"))?;
            let residency_us = attribute::number(&dir.join("residency")).unwrap_or(exit_us);
            Some(IdleState { name: attribute::text(&dir.join("name"))?, exit_us, residency_us })
        })
        .collect();
    states.sort_by_key(|state| (state.residency_us, state.exit_us));
    (!states.is_empty()).then_some(states)
}

/// Online processors, with their directories.
fn processors(system: &System) -> Vec<(u32, PathBuf)> {
    let dirs = block::entries(&system.under_root("sys/devices/system/cpu")).into_iter();
    let numbered = dirs.filter_map(|dir| {
        let number = dir.file_name()?.to_str()?.strip_prefix("cpu")?.parse().ok()?;
        Some((number, dir))
    });
    let mut cpus: Vec<(u32, PathBuf)> =
        numbered.filter(|(_, dir)| attribute::number(&dir.join("online")) != Some(0)).collect();
    cpus.sort();
    cpus
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Fixture;

    const CPU: &str = "sys/devices/system/cpu";

    fn kind(cpus: &[u32], speed_percent: u32) -> ProcessorKind {
        ProcessorKind { cpus: cpus.to_vec(), speed_percent }
    }

    #[test]
    fn slower_processors_are_found() {
        // An RK3399: four small cores and two large ones.
        let board = Fixture::new();
        for cpu in 0..6 {
            board.file(&format!("{CPU}/cpu{cpu}/cpu_capacity"), if cpu < 4 { "485\n" } else { "1024\n" });
            board.file(&format!("{CPU}/cpu{cpu}/cpufreq/cpuinfo_max_freq"), "1\n");
        }
        board.file(&format!("{CPU}/cpufreq/boost"), "1\n");
        assert_eq!(kinds(&board.system()), [kind(&[4, 5], 100), kind(&[0, 1, 2, 3], 47)]);
        // One is offline and has no attributes.
        board.remove(&format!("{CPU}/cpu5/cpu_capacity"));
        board.file(&format!("{CPU}/cpu5/online"), "0\n");
        assert_eq!(kinds(&board.system()), [kind(&[4], 100), kind(&[0, 1, 2, 3], 47)]);
    }

    #[test]
    fn the_clock_is_used_if_capacity_is_unknown() {
        let laptop = Fixture::new();
        for (cpu, khz) in [(0, 5_200_000), (1, 5_000_000), (2, 3_900_000)] {
            laptop.file(&format!("{CPU}/cpu{cpu}/cpufreq/cpuinfo_max_freq"), format!("{khz}\n"));
        }
        assert_eq!(kinds(&laptop.system()), [kind(&[0], 100), kind(&[1], 96), kind(&[2], 75)]);
        for garbage in ["", "0\n", "-5\n", "fast\n"] {
            laptop.file(&format!("{CPU}/cpu1/cpufreq/cpuinfo_max_freq"), garbage);
            assert_eq!(kinds(&laptop.system()), [], "{garbage}");
        }
        assert_eq!(kinds(&Fixture::new().system()), []);
    }

    #[test]
    fn disabled_states_are_omitted() {
        let fixture = Fixture::new();
        assert_eq!(idle_states(&fixture.system()), None);
        // intel_idle on a sixth-generation Core.
        for (index, name, latency, residency, disable) in [
            (0, "POLL", "0", "0", "0"),
            (1, "C1", "2", "2", "0"),
            (2, "C8", "200", "800", "0"),
            (3, "C10", "890", "5000", "1"),
        ] {
            let dir = format!("{CPU}/cpu0/cpuidle/state{index}");
            for (file, value) in
                [("name", name), ("latency", latency), ("residency", residency), ("disable", disable)]
            {
                fixture.file(&format!("{dir}/{file}"), format!("{value}\n"));
            }
        }
        let state =
            |name: &str, exit_us, residency_us| IdleState { name: name.to_string(), exit_us, residency_us };
        let expected = [state("POLL", 0, 0), state("C1", 2, 2), state("C8", 200, 800)];
        assert_eq!(idle_states(&fixture.system()), Some(expected.to_vec()));
        fixture.file(&format!("{CPU}/cpu0/cpuidle/state2/latency"), "soon\n");
        assert_eq!(idle_states(&fixture.system()), Some(expected[..2].to_vec()));
    }
}
