//! Zones: parts of a file or device used one after the other.

use super::kind::OptionKind;
use super::row::{WordStatus, rows};
use cardiograph_core::{Message, message};

const ZBD: &Message = &message!("jobs-option.zbd");
const OPEN: OptionKind = OptionKind::Count { min: 0, max: 4_096 };

rows! {
    "Zones";
    works "zonemode": Word(&["none", "strided", "zbd"]), "none",
        "Whether I/O stays in one zone at a time.", words: &[WordStatus::refused(&["zbd"], ZBD)];
    works "zonesize": Bytes, "0", "Bytes to move in each zone before moving to the next.";
    works "zonerange": Bytes, "0", "Length of a zone; zonesize if not set.";
    works "zoneskip": Bytes, "0", "Bytes to skip after each zone.";
    refused(ZBD) "zonecapacity": Bytes, "0", "Bytes of a zone that can be written.";
    refused(ZBD) "read_beyond_wp": Switch, "0", "Read where a zone is not written yet.";
    refused(ZBD) "max_open_zones": OPEN, "0", "Zones that are written at once, by all jobs.";
    refused(ZBD) "job_max_open_zones": OPEN, "0", "Zones that are written at once, by this job.";
    refused(ZBD) "ignore_zone_limits": Switch, "0", "Do not keep to the drive's own limits of open zones.";
    refused(ZBD) "zone_reset_threshold": Float { min: 0, max: 1 }, "",
        "Share of written data from which zones are reset.";
    refused(ZBD) "zone_reset_frequency": Float { min: 0, max: 1 }, "", "How often zones are reset then.";
    refused(ZBD) "recover_zbd_write_error": Switch, "0", "Go on in a zone after a failed write.";
    refused(ZBD) "write_zone_remainder": Switch, "0", "Fill the rest of a zone with a shorter write.";
}
