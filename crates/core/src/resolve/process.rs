//! What a job's threads are told about the machine.

use crate::value::{ValueError, parse_cpu_list};
use crate::workload::Affinity;

use super::reader::Reader;

pub(super) fn affinity(reader: &mut Reader<'_>) -> Option<Affinity> {
    let cpus = match reader.later_of("cpus_allowed", "cpumask")? {
        "cpus_allowed" => reader.read("cpus_allowed", parse_cpu_list)?,
        _ => {
            let mask = reader.count("cpumask");
            (0..64).filter(|cpu| mask >> cpu & 1 == 1).collect()
        }
    };
    let is_split = reader.word("cpus_allowed_policy", &["shared", "split"]) == "split";
    Some(Affinity { cpus, is_split })
}

pub(super) fn nice(reader: &mut Reader<'_>) -> i32 {
    let parse = |text: &str| {
        let nice: i32 = text.trim().parse().map_err(|_| ValueError::NotANumber)?;
        let is_allowed = (-20..=19).contains(&nice);
        is_allowed.then_some(nice).ok_or(ValueError::NotBetween { min: -20, max: 19 })
    };
    reader.read("nice", parse).unwrap_or(0)
}
