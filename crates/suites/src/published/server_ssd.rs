//! The comparison created its file system with explicit options, which are printed next to those found here.

use cardiograph_core::drive::Geometry;
use cardiograph_core::table::Table;
use cardiograph_core::{Message, message};

use crate::suite::Context;
use crate::text;

/// Adds the options with which the file system here was created and mounted, in the form of the line above if possible.
pub(crate) fn add_file_system(context: &Context<'_>, mut tables: Vec<Table>) -> Vec<Table> {
    tables[1].notes.push(file_system(context));
    tables
}

fn file_system(context: &Context<'_>) -> Message {
    let Some(mount) = &context.drive.mount else {
        return message!("note-server-ssd.no-file-system");
    };
    let known = mount.file_system.as_ref();
    let made = match known.and_then(|known| known.geometry.as_ref()) {
        Some(Geometry::Xfs(xfs)) => {
            let log = text::option_bytes(xfs.log_bytes);
            format!("mkfs.xfs -b size={} -i size={} -l size={log}", xfs.block_bytes, xfs.inode_bytes)
        }
        Some(Geometry::Ext(ext)) => {
            format!("mkfs.{} -b {} -I {}", mount.fs_type, ext.block_bytes, ext.inode_bytes)
        }
        _ => mount.fs_type.clone(),
    };
    message!("note-server-ssd.file-system", made, options = mount.options.join(","))
}
