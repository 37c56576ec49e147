//! Start and end conditions of a job.

use cardiograph_core::NS_PER_S;
use cardiograph_core::plan::{EndCondition, EndScope, StartAfter, StartCondition};

use super::Problem;
use super::reader::Reader;
use crate::value::parse_duration_range_ns;

pub(super) fn start_condition<'n>(
    reader: &mut Reader<'_>,
    mut names_before: impl Iterator<Item = &'n str>,
) -> StartCondition {
    // Each clone draws a time from a range.
    let range = reader.read("startdelay", |text| parse_duration_range_ns(text, NS_PER_S));
    let (low_ns, high_ns) = range.unwrap_or((0, 0));
    let after = match reader.text("wait_for") {
        Some(name) => match names_before.position(|before| before == name) {
            Some(job) => StartAfter::Job { job },
            None => {
                reader.report("wait_for", Problem::NoSuchJob);
                StartAfter::Nothing
            }
        },
        None if reader.switch("stonewall") => StartAfter::AllBefore,
        None => StartAfter::Nothing,
    };
    StartCondition { after, delay_ns: low_ns, spread_ns: high_ns - low_ns }
}

pub(super) fn end_condition(reader: &mut Reader<'_>) -> EndCondition {
    let scope = match reader.word("exit_what", &["group", "stonewall", "all"]) {
        "group" => EndScope::Group,
        "stonewall" => EndScope::Started,
        _ => EndScope::All,
    };
    EndCondition {
        others: reader.switch("exitall").then_some(scope),
        others_on_error: reader.switch("exitall_on_error").then_some(scope),
    }
}
