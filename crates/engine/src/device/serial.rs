//! Serial numbers of drives, as far as they identify one drive.

use std::fs;
use std::path::Path;

use super::attribute::text;
use super::usb;

/// The drive's serial number, in a form that needs no quotes. `None` for all zeros, which many cheap drives
/// report.
pub(super) fn serial(drive_dir: &Path) -> Option<String> {
    let plain = ["device/serial", "serial"].iter().find_map(|name| text(drive_dir.join(name)));
    let serial = plain
        .or_else(|| vpd_serial(drive_dir))
        .or_else(|| ["device/wwid", "wwid"].iter().find_map(|name| text(drive_dir.join(name))))
        .or_else(|| usb::serial(drive_dir))?;
    let word = |c: char| if c.is_ascii_graphic() && !"'\"\\,;".contains(c) { c } else { '_' };
    let serial: String = serial.split_whitespace().collect::<Vec<_>>().join("_").chars().map(word).collect();
    let is_meaningful = serial.trim_start_matches("0x").chars().any(|c| c != '0' && c != '_');
    is_meaningful.then_some(serial)
}

/// SCSI's page 0x80 of product data: a header of four bytes, the last two of which count the bytes that
/// follow (SPC-4).
fn vpd_serial(drive_dir: &Path) -> Option<String> {
    let page = fs::read(drive_dir.join("device/vpd_pg80")).ok()?;
    let (head, rest) = page.split_at_checked(4)?;
    let len_bytes = usize::from(u16::from_be_bytes([head[2], head[3]]));
    let serial = String::from_utf8_lossy(rest.get(..len_bytes)?).trim_matches(['\0', ' ']).to_string();
    (head[1] == 0x80 && !serial.is_empty()).then_some(serial)
}

/// Whether another plugged-in USB drive reports the same serial number. The slots of a reader share the
/// reader's, and cheap devices their vendor's.
pub(super) fn is_shared(root: &Path, drive_dir: &Path, serial: &str) -> bool {
    if usb::device_dir(drive_dir).is_none() {
        return false;
    }
    let Ok(disks) = fs::read_dir(root.join("sys/block")) else { return false };
    let others = disks.filter_map(|disk| fs::canonicalize(disk.ok()?.path()).ok());
    others
        .filter(|other| other != drive_dir && usb::device_dir(other).is_some())
        .any(|other| self::serial(&other).as_deref() == Some(serial))
}
