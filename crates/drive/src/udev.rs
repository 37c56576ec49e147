//! Udev's database of device properties (`/run/udev/data`). It is a world-readable file, which may be
//! missing.

use crate::attribute;
use crate::block::BlockDevice;
use crate::system::System;

/// A property of a block device; `None` if udev does not run, or does not have it.
pub(crate) fn property(system: &System, device: &BlockDevice, name: &str) -> Option<String> {
    let number = device.text("dev")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let path = system.under_root("run/udev/data").join(format!("b{number}"));
    let notes = is_number.then(|| attribute::list_text(&path)).flatten()?;
    let value =
        notes.lines().find_map(|line| line.strip_prefix("E:")?.strip_prefix(name)?.strip_prefix('='))?;
    attribute::clean(value.as_bytes())
}
