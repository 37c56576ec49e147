//! Volumes of LVM.

use cardiograph_core::drive::LogicalVolume;

/// Splits the device mapper's name of a volume into group, volume and, for an internal device of a volume,
/// its kind, separated by single dashes. A dash within a name is doubled. `None` for other forms.
pub(super) fn parse_name(name: &str) -> Option<LogicalVolume> {
    let mut parts = vec![String::new()];
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '-' && characters.next_if_eq(&'-').is_none() {
            parts.push(String::new());
        } else {
            parts.last_mut()?.push(character);
        }
    }
    let is_whole = parts.iter().all(|part| !part.is_empty());
    match parts.as_slice() {
        [group, volume, rest @ ..] if is_whole && rest.len() <= 1 => {
            Some(LogicalVolume { group: group.clone(), volume: volume.clone(), part: rest.first().cloned() })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_single_dashes() {
        let cases = [
            ("vg-root", Some(("vg", "root", None))),
            // The root of Debian's installer.
            ("debian--vg-root", Some(("debian-vg", "root", None))),
            ("a--b--c-d--e", Some(("a-b-c", "d-e", None))),
            ("vg0-pool0-tpool", Some(("vg0", "pool0", Some("tpool")))),
            ("pve-data_tdata", Some(("pve", "data_tdata", None))),
            ("vg0--lv_root", None),
            ("plain", None),
            ("a-b-c-d", None),
            ("-b", None),
            ("a-", None),
            ("a---b", Some(("a-", "b", None))),
            ("", None),
        ];
        for (name, expected) in cases {
            let volume = parse_name(name);
            let parts = volume
                .as_ref()
                .map(|volume| (volume.group.as_str(), volume.volume.as_str(), volume.part.as_deref()));
            assert_eq!(parts, expected, "{name}");
        }
    }
}
