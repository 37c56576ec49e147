//! The checkups: which step comes next, and what the results mean.
//!
//! Everything here is data and pure judgement. A [`Suite`] runs nothing and reads no clock: it sees what is known of a
//! drive and what its steps gave so far, and answers "run this next" or "done". The same results give the same steps,
//! so a checkup can be resumed by replaying what was stored.
//!
//! Each suite is one file and one line in [`SUITES`]. What a figure means for a purpose is the same for all of them, and is
//! decided by `cardiograph-judge`.
#![forbid(unsafe_code)]

mod apps;
mod article;
mod budget;
#[cfg(test)]
mod by_method;
mod capacity;
mod cliff;
mod dramble;
mod durability;
mod figure;
mod fixed;
mod geerling_2024;
mod gnome_disks;
mod group;
mod instead;
mod iot_sd;
mod kdiskmark;
mod measure;
mod next_step;
mod open_units;
mod pibench;
mod quick;
mod rpdiags;
mod schedule;
mod sd_class;
mod server_ssd;
mod setting;
mod ssd_test;
mod steady;
mod suite;
mod sweep;
mod tabulate;
#[cfg(test)]
mod testing;
mod text;
mod traits;
mod tries;
mod yabs;

pub use article::ARTICLE;
pub use budget::margin_bytes;
pub use fixed::FixedSuite;
pub use group::Group;
pub use next_step::{NextStep, Part, Sequence};
pub use quick::Quick;
pub use setting::{Setting, SettingKind, Settings};
pub use suite::{Context, KeptParts, Need, Options, Outline, OutlineStep, Suite};
pub use traits::{OnDevice, SuiteTraits};

/// All suites, in the order in which they are listed.
pub const SUITES: &[&dyn Suite] = &[
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
    &ARTICLE,
    &dramble::DRAMBLE,
    &iot_sd::IOT_SD,
    &kdiskmark::KDISKMARK,
    &server_ssd::SERVER_SSD,
    &ssd_test::SSD_TEST,
    &geerling_2024::GEERLING_2024,
    &pibench::PIBENCH,
    &rpdiags::RpDiags,
    &yabs::YABS,
    &gnome_disks::GnomeDisks,
];

/// Name of the suite that runs when none is named.
pub const DEFAULT: &str = "quick";

/// The suite of that name.
pub fn find(name: &str) -> Option<&'static dyn Suite> {
    SUITES.iter().copied().find(|suite| suite.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_has_one_name_and_one_suite() {
        let ids: Vec<String> = SUITES.iter().flat_map(|suite| suite.claim_ids()).collect();
        let unique: std::collections::BTreeSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len());
        assert!(ids.iter().all(|id| *id == id.to_lowercase()), "{ids:?}");
    }

    #[test]
    fn suites_are_found_by_their_own_name() {
        for suite in SUITES {
            assert_eq!(find(suite.name()).map(|found| found.summary()), Some(suite.summary()));
            assert!(suite.summary().ends_with('.'), "{}", suite.name());
        }
        assert!(find(DEFAULT).is_some());
        assert!(find("slow").is_none());
    }
}
