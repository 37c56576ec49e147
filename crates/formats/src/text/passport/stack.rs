//! What lies between a path and its drives.

use cardiograph_core::drive::Drive;

use super::Rows;
use crate::text::words;

/// The layers, from top to bottom.
pub(super) fn rows(drive: &Drive, rows: &mut Rows) {
    if let Some(layers) = words::layers(&drive.layers) {
        rows.head("What lies above it");
        rows.row("Through", &layers);
    }
}
