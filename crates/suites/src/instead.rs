//! The end of a refusal: a suggestion of `quick`, or why even that does not fit.

use cardiograph_core::{Message, message};

use crate::budget::Budget;
use crate::quick::{BUDGET_BYTES_MIN, Quick, least};
use crate::setting::Settings;
use crate::suite::{Context, Options, Suite};

/// Sentences that suggest the suite `quick` if it fits, or its requirements.
pub(crate) fn instead(context: &Context<'_>) -> Vec<Message> {
    let drive = context.drive;
    let options = Options { settings: Settings::NONE, kept: None, ..context.options.clone() };
    let outline = Quick.outline(&Context { options: &options, ..*context });
    match outline.notes.last() {
        _ if !outline.steps.is_empty() && drive.mount.is_none() && !drive.simulated => {
            vec![message!("note-instead.on-file-system")]
        }
        _ if !outline.steps.is_empty() => vec![message!("note-instead.quick")],
        _ if Budget::for_drive(drive).write_bytes < BUDGET_BYTES_MIN => {
            vec![message!("note-instead.none"), least(drive)]
        }
        why => std::iter::once(message!("note-instead.none")).chain(why.cloned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::Drive;
    use cardiograph_core::message::Parameter;
    use cardiograph_core::{MIB, NS_PER_MS};

    use super::*;
    use crate::testing::{GB, card, with_context};

    #[test]
    fn quick_is_suggested_only_if_it_fits() {
        let on = |fs_type: &str, mut drive: Drive| {
            drive.mount.as_mut().unwrap().fs_type = fs_type.to_string();
            drive
        };
        let not_even = |why: Message| vec![message!("note-instead.none"), why];
        let none = Options::default();
        let hurried = Options { max_time_ns: Some(500 * NS_PER_MS), ..Options::default() };
        let mut part = card(64 * GB, 50 * MIB);
        part.mount.as_mut().unwrap().size_bytes = 60 * MIB;
        let bare = Drive { capacity_bytes: Some(GB), ..Drive::default() };
        for (drive, options, expected) in [
            (card(64 * GB, 60 * GB), &none, vec![message!("note-instead.quick")]),
            (bare, &none, vec![message!("note-instead.on-file-system")]),
            (
                card(64 * MIB, 50 * MIB),
                &none,
                not_even(message!("note-quick-needs.drive", bytes = Parameter::CapacityBytes(420_000_000))),
            ),
            (
                part,
                &none,
                not_even(message!("note-quick-needs.file-system", bytes = Parameter::Bytes(68 * MIB))),
            ),
            (
                card(GB, 66 * MIB),
                &none,
                not_even(message!("note-quick-needs.free", bytes = Parameter::Bytes(68 * MIB))),
            ),
            (
                on("vfat", card(GB, 70 * MIB)),
                &none,
                not_even(message!("note-quick-needs.free", bytes = Parameter::Bytes(72 * MIB))),
            ),
            (
                card(64 * GB, 60 * GB),
                &hurried,
                not_even(message!(
                    "note-time.too-short",
                    limit = Parameter::DurationNs(500 * NS_PER_MS),
                    least = Parameter::DurationNs(1_000 * NS_PER_MS)
                )),
            ),
        ] {
            assert_eq!(with_context(&drive, options, instead), expected);
            // The requirement is sufficient.
            let fits = |drive: &Drive| {
                with_context(drive, options, |context| !Quick.outline(context).steps.is_empty())
            };
            assert_eq!(fits(&drive), expected[0] != message!("note-instead.none"), "{expected:?}");
        }
        for (enough, too_little) in [
            (card(420_000_000, 300 * MIB), card(410_000_000, 300 * MIB)),
            (card(GB, 68 * MIB), card(GB, 67 * MIB)),
        ] {
            let fits = |drive: &Drive| {
                with_context(drive, &none, |context| !Quick.outline(context).steps.is_empty())
            };
            assert!(fits(&enough) && !fits(&too_little));
        }
    }
}
