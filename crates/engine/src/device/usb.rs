//! Serial numbers of USB drives, some of which are not unique.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::attribute;

/// Minimum length of a serial number of a storage device (USB Mass Storage Class, Bulk-Only Transport 1.0,
/// 4.1.1).
const SERIAL_LEN_MIN: usize = 12;
/// A serial number with at most this many distinct characters is a placeholder.
const LETTERS_MAX_OF_NONE: usize = 2;

/// The serial number of the drive's USB device or bridge. `None` if it is too short or a vendor's
/// placeholder: one repeated character, or a counting sequence.
pub(super) fn serial(drive_dir: &Path) -> Option<String> {
    let serial = attribute::text(device_dir(drive_dir)?.join("serial"))?;
    let letters: Vec<char> = serial.to_ascii_uppercase().chars().collect();
    let mut different = letters.clone();
    different.sort_unstable();
    different.dedup();
    let is_next = |pair: &[char]| {
        matches!((pair[0], pair[1]), ('9', '0' | 'A')) || pair[0] as u32 + 1 == pair[1] as u32
    };
    let is_serial = letters.len() >= SERIAL_LEN_MIN
        && different.len() > LETTERS_MAX_OF_NONE
        && !letters.windows(2).all(is_next);
    is_serial.then_some(serial)
}

/// The USB device above a drive; `None` for drives on other buses. A device's interface is a subdirectory
/// named after it: `2-1:1.0` in `2-1`.
pub(super) fn device_dir(drive_dir: &Path) -> Option<PathBuf> {
    let name = |dir: &Path| dir.file_name().and_then(OsStr::to_str).map(str::to_string);
    drive_dir.ancestors().find_map(|interface| {
        let device = interface.parent()?;
        let is_interface = name(interface)?.strip_prefix(&name(device)?)?.starts_with(':');
        (is_interface && device.join("idVendor").exists()).then(|| device.to_path_buf())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::super::DeviceNumber;
    use super::super::facts::DeviceFacts;
    use super::*;

    /// Plugs in a drive, given its slot, its letter, and the serial numbers of its USB device and of the
    /// drive itself.
    fn plug(root: &Path, slot: &str, letter: u8, bridge_serial: &str, own_serial: &str) {
        let device = root.join("sys/devices/usb2").join(slot);
        let disk =
            device.join(format!("{slot}:1.0/host0/0:0:0:{letter}/block/sd{}", (b'a' + letter) as char));
        fs::create_dir_all(disk.join("device")).unwrap();
        fs::write(device.join("idVendor"), "13fe\n").unwrap();
        fs::write(device.join("serial"), format!("{bridge_serial}\n")).unwrap();
        if !own_serial.is_empty() {
            let page = [&[0, 0x80, 0, own_serial.len() as u8], own_serial.as_bytes()].concat();
            fs::write(disk.join("device/vpd_pg80"), page).unwrap();
        }
        let number = format!("8:{}", 16 * u32::from(letter));
        fs::write(disk.join("dev"), format!("{number}\n")).unwrap();
        fs::write(disk.join("size"), "4096\n").unwrap();
        for links in ["sys/block", "sys/dev/block"] {
            fs::create_dir_all(root.join(links)).unwrap();
        }
        symlink(&disk, root.join("sys/block").join(disk.file_name().unwrap())).unwrap();
        symlink(&disk, root.join("sys/dev/block").join(number)).unwrap();
    }

    fn id(root: &Path, letter: u8) -> String {
        DeviceFacts::look_up(root, DeviceNumber { major: 8, minor: 16 * u32::from(letter) }).unwrap().id
    }

    #[test]
    fn a_stick_is_identified_by_its_usb_device() {
        let cases = [
            ("07B20D03E8D1A5F3", "", "07B20D03E8D1A5F3"),
            ("AA00000000012754", "", "AA00000000012754"),
            ("191951815235", "", "191951815235"),
            // The serial number of the drive behind the bridge takes precedence.
            ("191951815235", "1927E1234567", "1927E1234567"),
            ("0123456789", "", "8:0-2097152"),
            ("0123456789ABCDEF", "", "8:0-2097152"),
            ("123456789012", "", "8:0-2097152"),
            ("000000000000", "", "8:0-2097152"),
            ("010000000000", "", "8:0-2097152"),
            ("FFFFFFFFFFFFFFFF", "", "8:0-2097152"),
            ("20160823", "", "8:0-2097152"),
            ("", "", "8:0-2097152"),
        ];
        for (bridge_serial, own_serial, expected) in cases {
            let root = tempfile::tempdir().unwrap();
            plug(root.path(), "2-1", 0, bridge_serial, own_serial);
            assert_eq!(id(root.path(), 0), expected, "{bridge_serial} {own_serial}");
        }
    }

    #[test]
    fn a_serial_number_of_two_drives_identifies_neither() {
        let root = tempfile::tempdir().unwrap();
        plug(root.path(), "2-1", 0, "07B20D03E8D1A5F3", "");
        plug(root.path(), "2-2", 1, "07B20D03E8D1A5F4", "");
        assert_eq!(
            (id(root.path(), 0).as_str(), id(root.path(), 1).as_str()),
            ("07B20D03E8D1A5F3", "07B20D03E8D1A5F4")
        );
        // Another of the first kind, and a reader with two slots.
        plug(root.path(), "2-3", 2, "07B20D03E8D1A5F3", "");
        plug(root.path(), "2-4", 3, "058F63666471", "");
        plug(root.path(), "2-4", 4, "058F63666471", "");
        for (letter, number) in [(0, "8:0"), (2, "8:32"), (3, "8:48"), (4, "8:64")] {
            assert_eq!(id(root.path(), letter), format!("{number}-2097152"));
        }
        assert_eq!(id(root.path(), 1), "07B20D03E8D1A5F4");
        // The same holds for bridges that give the drives behind them one number.
        let root = tempfile::tempdir().unwrap();
        plug(root.path(), "2-1", 0, "07B20D03E8D1A5F3", "DD56419883914");
        plug(root.path(), "2-2", 1, "07B20D03E8D1A5F4", "DD56419883914");
        assert_eq!(id(root.path(), 0), "8:0-2097152");
    }
}
