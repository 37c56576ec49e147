//! The RAID controller that a drive hangs on.

use cardiograph_core::drive::{CacheBackup, Leaf, RaidVolume, WritePolicy};
use cardiograph_core::units;

use super::Rows;
use crate::text::layout::{joined, plain};

/// The controller, its cache and the volume.
pub(super) fn rows(leaf: &Leaf, rows: &mut Rows) {
    let Some(controller) = &leaf.controller else { return };
    let model = controller.model.as_deref().map(plain);
    let driver = plain(&controller.driver);
    let firmware = controller.firmware.as_deref().map(|firmware| format!(", firmware {}", plain(firmware)));
    let who = model.map_or_else(|| format!("driven by {driver}"), |model| format!("{model} ({driver})"));
    rows.row("Controller", &format!("{who}{}", firmware.unwrap_or_default()));
    if let Some(volume) = &controller.volume {
        of_volume(volume, rows);
    }
    rows.row_of("Cache backup", controller.backup.as_ref().map(backup));
}

fn of_volume(volume: &RaidVolume, rows: &mut Rows) {
    let drives = volume.drives.map(|drives| format!("of {} drives", units::count(u64::from(drives))));
    let strip = volume.strip_bytes.map(|bytes| format!("strips of {}", units::bytes(bytes)));
    let parts = [volume.level.as_deref().map(plain), drives, strip, volume.state.as_deref().map(plain)];
    rows.row_of("Volume", joined(parts, ", "));
    rows.row_of("Its writes", volume.write_policy.map(|now| writes(now, volume.write_policy_asked)));
    let ahead = volume.reads_ahead.map(|ahead| if ahead { "read ahead" } else { "not read ahead" });
    let cached = volume.reads_cached.map(|cached| if cached { "kept in its cache" } else { "not kept" });
    rows.row_of("Its reads", joined([ahead, cached], ", "));
    rows.row_of("Drive caches", volume.drive_cache.as_deref().map(plain));
}

fn writes(now: WritePolicy, asked: Option<WritePolicy>) -> String {
    let words = match now {
        WritePolicy::Through => "write through: done when they are on the drives",
        WritePolicy::Back => "write back: done when they are in its cache",
        WritePolicy::AlwaysBack => "always write back: a power cut may take what it acknowledged",
    };
    let fallen = now == WritePolicy::Through && asked.is_some_and(|asked| asked != WritePolicy::Through);
    format!("{words}{}", if fallen { "; write back was asked for" } else { "" })
}

fn backup(backup: &CacheBackup) -> String {
    let kind = if backup.is_flash { "flash" } else { "battery" };
    let model = backup.model.as_deref().map(|model| format!(" {}", plain(model)));
    let state = backup.state.as_deref().map(|state| format!(", {}", plain(state)));
    format!("{kind}{}{}", model.unwrap_or_default(), state.unwrap_or_default())
}
