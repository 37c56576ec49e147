//! Effects of mount options on measurements.

use cardiograph_core::drive::MountEffect;

/// The effect of an option; `None` if it does not affect measurements.
pub(super) fn parse_option(option: &str) -> Option<MountEffect> {
    let (name, value) = match option.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (option, None),
    };
    match (name, value) {
        ("sync", None) => Some(MountEffect::WritesWait),
        ("dirsync", None) => Some(MountEffect::DirectoryChangesWait),
        ("data", Some("journal")) => Some(MountEffect::DataJournaled),
        ("data", Some("writeback")) => Some(MountEffect::DataUnordered),
        ("nobarrier", None) | ("barrier", Some("0" | "none")) | ("fsync_mode", Some("nobarrier")) => {
            Some(MountEffect::NoBarriers)
        }
        ("discard", Some("async")) => Some(MountEffect::Discards { in_background: true }),
        ("discard", None | Some("sync")) => Some(MountEffect::Discards { in_background: false }),
        ("noatime", None) => Some(MountEffect::NoAccessTimes),
        ("strictatime", None) => Some(MountEffect::AllAccessTimes),
        ("compress" | "compress_algorithm" | "compression", Some(method)) => compresses(method, false),
        ("compress-force", Some(method)) => compresses(method, true),
        ("nodatacow", None) => Some(MountEffect::NoCopyOnWrite),
        ("dax", None | Some("always")) => Some(MountEffect::Dax),
        ("commit", Some(seconds)) => {
            seconds.parse().ok().map(|seconds| MountEffect::CommitsEvery { seconds })
        }
        _ => None,
    }
}

fn compresses(method: &str, is_forced: bool) -> Option<MountEffect> {
    let is_off = ["no", "none", "off", ""].contains(&method);
    (!is_off).then(|| MountEffect::Compresses { method: method.to_string(), is_forced })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_affect_measurements_are_known() {
        let zstd = |is_forced| MountEffect::Compresses { method: "zstd:3".to_string(), is_forced };
        let cases = [
            ("sync", Some(MountEffect::WritesWait)),
            ("dirsync", Some(MountEffect::DirectoryChangesWait)),
            ("data=journal", Some(MountEffect::DataJournaled)),
            ("data=ordered", None),
            ("nobarrier", Some(MountEffect::NoBarriers)),
            ("barrier=0", Some(MountEffect::NoBarriers)),
            ("barrier=1", None),
            ("discard", Some(MountEffect::Discards { in_background: false })),
            ("discard=async", Some(MountEffect::Discards { in_background: true })),
            ("nodiscard", None),
            ("noatime", Some(MountEffect::NoAccessTimes)),
            ("relatime", None),
            ("compress=zstd:3", Some(zstd(false))),
            ("compress-force=zstd:3", Some(zstd(true))),
            ("compress=no", None),
            ("compress_algorithm=zstd:3", Some(zstd(false))),
            ("commit=30", Some(MountEffect::CommitsEvery { seconds: 30 })),
            ("commit=often", None),
            ("nodatacow", Some(MountEffect::NoCopyOnWrite)),
            ("rw", None),
            ("sync=standard", None),
            ("", None),
        ];
        for (option, effect) in cases {
            assert_eq!(parse_option(option), effect, "{option}");
        }
    }
}
