//! What changed around a drive between its checkups: kernel, firmware, file system, where it is plugged in; and whether it
//! still is the same drive.

use crate::record::RunFigures;

/// Facts ([`crate::facts::collect`]) that are watched, in the order in which they are told.
const WATCHED: [&str; 13] = [
    "model",
    "capacity_bytes",
    "serial",
    "firmware",
    "host",
    "bus",
    "link_bytes_per_s",
    "write_cache",
    "file_system",
    "mount_options",
    "scheduler",
    "kernel",
    PATH,
];
/// The path that was checked.
pub const PATH: &str = "path";
/// Facts that a drive keeps for its life: with others, it is another drive behind the same adapter.
const FOR_LIFE: [&str; 3] = ["model", "capacity_bytes", "serial"];

/// A fact that a checkup found otherwise than the one before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Start of the later checkup, in milliseconds since 1970.
    pub unix_ms: u64,
    /// Its id.
    pub checkup: String,
    /// Name of the fact.
    pub fact: &'static str,
    /// Its value before.
    pub before: String,
    /// Its value from then on.
    pub after: String,
}

impl Event {
    /// Whether the drive is another one since then: adapters have one id for whatever is plugged into them.
    pub fn is_swap(&self) -> bool {
        FOR_LIFE.contains(&self.fact)
    }
}

/// What changed between checkups of one drive; `runs` are oldest first. A fact that one checkup did not find is compared with
/// the last that did.
pub fn events(runs: &[RunFigures]) -> Vec<Event> {
    let mut events = Vec::new();
    let mut known: [Option<&str>; WATCHED.len()] = [None; WATCHED.len()];
    for run in runs {
        for (fact, known) in WATCHED.into_iter().zip(&mut known) {
            let found = match fact {
                PATH => Some(run.run.path.as_str()).filter(|path| !path.is_empty()),
                _ => run.facts.get(fact).map(String::as_str),
            };
            let Some(found) = found else { continue };
            if let Some(before) = known.replace(found).filter(|before| *before != found) {
                events.push(Event {
                    unix_ms: run.run.started_unix_ms,
                    checkup: run.run.id.to_string(),
                    fact,
                    before: before.to_string(),
                    after: found.to_string(),
                });
            }
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use cardiograph_testing::reports;

    use super::*;

    #[test]
    fn a_changed_fact_is_an_event_and_an_unknown_one_is_none() {
        let run = |at: u64, facts: &[(&str, &str)], path: &str| {
            let mut run = RunFigures::from_report(&reports::report(&format!("r{at}"), at));
            run.run.path = path.into();
            run.facts = facts.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
            run
        };
        let runs = [
            run(1, &[("kernel", "6.1"), ("capacity_bytes", "64"), ("os", "a")], "/a"),
            run(2, &[("capacity_bytes", "64"), ("os", "b")], "/a"),
            run(3, &[("kernel", "6.12"), ("capacity_bytes", "64")], "/b"),
            run(4, &[("kernel", "6.12"), ("capacity_bytes", "128")], "/b"),
        ];
        let found = events(&runs);
        let told: Vec<_> = found
            .iter()
            .map(|event| {
                (event.unix_ms, event.fact, event.before.as_str(), event.after.as_str(), event.is_swap())
            })
            .collect();
        assert_eq!(
            told,
            [
                (3, "kernel", "6.1", "6.12", false),
                (3, "path", "/a", "/b", false),
                (4, "capacity_bytes", "64", "128", true)
            ]
        );
        assert!(events(&runs[..1]).is_empty());
    }
}
