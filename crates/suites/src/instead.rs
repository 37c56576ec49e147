//! What a refusal ends with: the checkup that fits, or what even that one lacks.

use cardiograph_core::drive::Drive;

use crate::budget::{Budget, fills_files, margin_bytes};
use crate::quick::{BUDGET_BYTES_MIN, Quick};
use crate::setting::Settings;
use crate::suite::{Context, Options, Suite};
use crate::text;

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

/// What the suite `quick` needs of a drive that has less.
pub(crate) fn least(drive: &Drive) -> String {
    let mount = drive.mount.as_ref();
    // Where new files are filled with zeros, half of what is written is not the checkup's.
    let bytes = BUDGET_BYTES_MIN * if fills_files(drive).is_some() { 2 } else { 1 };
    let holds_bytes = drive.capacity_bytes.or(mount.map(|mount| mount.size_bytes));
    match (holds_bytes, mount) {
        (Some(holds_bytes), _) if holds_bytes / 100 < bytes => {
            format!("one that holds {}", text::capacity((bytes * 100).next_multiple_of(10_000_000)))
        }
        (_, Some(mount)) => {
            let free_bytes = margin_bytes(mount.size_bytes) + bytes;
            let free = text::size(free_bytes);
            match free_bytes < mount.size_bytes {
                true => format!("{free} of free space"),
                false => format!("a larger file system, with {free} free"),
            }
        }
        (_, None) => format!("{} to write", text::size(bytes)),
    }
}

#[cfg(test)]
mod tests {
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
