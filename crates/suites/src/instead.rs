//! What a refusal ends with: the checkup that fits, or what even that one lacks.

use crate::budget::Budget;
use crate::quick::{BUDGET_BYTES_MIN, Quick, least};
use crate::setting::Settings;
use crate::suite::{Context, Options, Suite};

/// A sentence that names the suite `quick` where it fits, and otherwise what it needs.
pub(crate) fn instead(context: &Context<'_>) -> String {
    let drive = context.drive;
    let options = Options { settings: Settings::NONE, kept: None, ..context.options.clone() };
    let outline = Quick.outline(&Context { options: &options, ..*context });
    match outline.notes.last() {
        _ if !outline.steps.is_empty() && drive.mount.is_none() && !drive.simulated => {
            "--suite quick fits a file system on it.".to_string()
        }
        _ if !outline.steps.is_empty() => "--suite quick fits.".to_string(),
        _ if Budget::of(drive).write_bytes < BUDGET_BYTES_MIN => {
            format!("Not even --suite quick fits: it needs {}.", least(drive))
        }
        Some(why) => format!("Not even --suite quick fits: {why}"),
        None => "Not even --suite quick fits.".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use cardiograph_core::drive::Drive;
    use cardiograph_core::{MIB, NS_PER_MS};

    use super::*;
    use crate::testing::{GB, card, with_context};

    #[test]
    fn only_what_fits_is_named() {
        let on = |fs_type: &str, mut drive: Drive| {
            drive.mount.as_mut().unwrap().fs_type = fs_type.to_string();
            drive
        };
        let none = Options::default();
        let hurried = Options { max_time_ns: Some(500 * NS_PER_MS), ..Options::default() };
        let mut part = card(64 * GB, 50 * MIB);
        part.mount.as_mut().unwrap().size_bytes = 60 * MIB;
        let bare = Drive { capacity_bytes: Some(GB), ..Drive::default() };
        for (drive, options, expected) in [
            (card(64 * GB, 60 * GB), &none, "--suite quick fits."),
            (bare, &none, "--suite quick fits a file system on it."),
            (card(64 * MIB, 50 * MIB), &none, "Not even --suite quick fits: it needs one that holds 420 MB."),
            (part, &none, "Not even --suite quick fits: it needs a larger file system, with 68 MiB free."),
            (card(GB, 66 * MIB), &none, "Not even --suite quick fits: it needs 68 MiB of free space."),
            (
                on("vfat", card(GB, 70 * MIB)),
                &none,
                "Not even --suite quick fits: it needs 72 MiB of free space.",
            ),
            (
                card(64 * GB, 60 * GB),
                &hurried,
                "Not even --suite quick fits: 0.5 s are too short: no step takes less than 1 s.",
            ),
        ] {
            assert_eq!(with_context(&drive, options, instead), expected);
            // What it is said to need is enough, and no more than that.
            let fits = |drive: &Drive| {
                with_context(drive, options, |context| !Quick.outline(context).steps.is_empty())
            };
            assert_eq!(fits(&drive), expected.starts_with("--suite"), "{expected}");
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
