//! The checkups: which step comes next, and what the results mean.
//!
//! Everything here is data and pure judgement. A [`Suite`] runs nothing and reads no clock: it sees the facts about a drive
//! and the results so far, and answers "run this next" or "done". The same results give the same steps, so a checkup can be
//! resumed by replaying its stored results.
//!
//! Each suite is one file and one line in [`SUITES`]. `cardiograph-judge` decides what a figure means for a purpose, in the
//! same way for all suites.
#![forbid(unsafe_code)]

use cardiograph_core::message;
use cardiograph_core::nearest::is_same;

mod apps;
mod board;
mod budget;
#[cfg(test)]
mod by_method;
mod capacity;
mod cliff;
mod durability;
mod figure;
mod fixed;
mod gnome_disks;
mod group;
mod instead;
mod measure;
mod next_step;
mod open_units;
mod precondition;
mod published;
mod quick;
mod rpdiags;
mod schedule;
mod sd_class;
mod setting;
mod steady;
mod suite;
mod sweep;
mod tabulate;
#[cfg(test)]
mod testing;
mod text;
mod title;
mod traits;
mod tries;

pub use board::{Board, CameraTrial, PartState};
pub use budget::margin_bytes;
pub use group::Group;
pub use next_step::{NextStep, Part, Sequence};
use published::published;
pub use quick::Quick;
pub use setting::{Setting, SettingKind, Settings};
pub use suite::{Context, KeptParts, Need, Options, Outline, OutlineStep, Suite};
pub use traits::{OnDevice, SuiteTraits};

/// All suites, in listing order.
pub static SUITES: &[&dyn Suite] = &[
    &Quick,
    &cliff::Cliff,
    &durability::Durability,
    &sd_class::SdClass,
    &capacity::Capacity,
    &open_units::FindOpenUnits,
    &steady::STEADY,
    &steady::STEADY_SHORT,
    &sweep::Sweep,
    &apps::Apps,
    published!("article", message!("suite-article")),
    published!("dramble", message!("suite-dramble"), published::name_the_card),
    published!("iot-sd", message!("suite-iot-sd")),
    published!("kdiskmark", message!("suite-kdiskmark")),
    published!("server-ssd", message!("suite-server-ssd"), published::add_file_system),
    published!("ssd-test", message!("suite-ssd-test")),
    published!("geerling-2024", message!("suite-geerling-2024")),
    published!("pibench", message!("suite-pibench"), published::add_score),
    &rpdiags::RpDiags,
    published!("yabs", message!("suite-yabs")),
    &gnome_disks::GnomeDisks,
];

/// Name of the default suite.
pub const DEFAULT: &str = "quick";

/// The suite with this name.
pub fn find(name: &str) -> Option<&'static dyn Suite> {
    SUITES.iter().copied().find(|suite| is_same(name, suite.name()))
}

/// The names of all suites.
pub fn names() -> Vec<&'static str> {
    SUITES.iter().map(|suite| suite.name()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_claim_belongs_to_one_suite() {
        let ids: Vec<String> = SUITES.iter().flat_map(|suite| suite.claim_ids()).collect();
        let unique: std::collections::BTreeSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len());
        assert!(ids.iter().all(|id| *id == id.to_lowercase()), "{ids:?}");
    }

    #[test]
    fn suites_are_found_by_name() {
        for suite in SUITES {
            assert_eq!(find(suite.name()).map(|found| found.summary()), Some(suite.summary()));
        }
        assert!(find(DEFAULT).is_some());
        assert!(find("slow").is_none());
    }
}
