//! Zones: parts of a file or device that are used one after the other.

use super::kind::OptionKind;
use super::row::{refused, works};
use super::{OptionDef, WordStatus};

const ZBD: &str =
    "zoned block devices have rules of their own, which are not here; conventional drives need none";
const OPEN: OptionKind = OptionKind::Count { min: 0, max: 4_096 };

pub(super) const ROWS: &[OptionDef] = &[
    works!("zonemode")
        .kind(OptionKind::Word(&["none", "strided", "zbd"]))
        .default("none")
        .words(&[WordStatus::refused(&["zbd"], ZBD)])
        .help("Whether the I/O keeps to one zone at a time."),
    works!("zonesize")
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Bytes that are moved in each zone before the next one's turn."),
    works!("zonerange").kind(OptionKind::Bytes).default("0").help("Length of a zone; zonesize if not set."),
    works!("zoneskip").kind(OptionKind::Bytes).default("0").help("Bytes that are left out after each zone."),
    refused("zonecapacity", ZBD)
        .kind(OptionKind::Bytes)
        .default("0")
        .help("Bytes of a zone that can be written."),
    refused("read_beyond_wp", ZBD)
        .kind(OptionKind::Switch)
        .default("0")
        .help("Read where a zone is not written yet."),
    refused("max_open_zones", ZBD)
        .kind(OPEN)
        .default("0")
        .help("Zones that are written at once, by all jobs."),
    refused("job_max_open_zones", ZBD)
        .kind(OPEN)
        .default("0")
        .help("Zones that are written at once, by this job."),
    refused("ignore_zone_limits", ZBD)
        .kind(OptionKind::Switch)
        .default("0")
        .help("Do not keep to the drive's own limits of open zones."),
    refused("zone_reset_threshold", ZBD)
        .kind(OptionKind::Float { min: 0, max: 1 })
        .help("Share of written data from which zones are reset."),
    refused("zone_reset_frequency", ZBD)
        .kind(OptionKind::Float { min: 0, max: 1 })
        .help("How often zones are reset then."),
    refused("recover_zbd_write_error", ZBD)
        .kind(OptionKind::Switch)
        .default("0")
        .help("Go on in a zone after a failed write."),
    refused("write_zone_remainder", ZBD)
        .kind(OptionKind::Switch)
        .default("0")
        .help("Fill the rest of a zone with a shorter write."),
];
