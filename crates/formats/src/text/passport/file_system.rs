//! The file system that a path lies on.

use cardiograph_core::drive::Drive;

use super::Rows;
use crate::text::layout::plain;
use crate::units;

/// The mount, where a path was asked for and not a device.
pub(super) fn rows(drive: &Drive, rows: &mut Rows) {
    let Some(mount) = &drive.mount else { return };
    rows.head(&format!("File system of {}", plain(&drive.path)));
    rows.row("Type", &plain(&mount.fs_type));
    rows.row("Mounted at", &plain(&mount.mount_point));
    rows.row("From", &plain(&mount.source));
    rows.row("Options", &plain(&mount.options.join(", ")));
    rows.row(
        "Free",
        &format!("{} of {}", units::bytes(mount.available_bytes), units::bytes(mount.size_bytes)),
    );
}
