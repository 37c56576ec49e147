//! The purposes and their limits, as data. Each limit is listed with its source or its reason.
//!
//! # Where the limits come from
//!
//! * **Android**: the Compatibility Definition (8.1, section 8.2) requires for a handheld's storage, which holds system and
//!   apps, at least 15 MB/s and 5 MB/s of sequential reads and writes, and 3.5 MB/s and 0.5 MB/s of random ones in 4 KB
//!   blocks: 854 and 122 IOPS.
//! * **SD**: application performance class A2 requires 4,000 random reads and 2,000 random writes of 4 KB per second. The
//!   standard lets a host queue them; here they come one at a time, because a starting program or a query that follows an
//!   index waits for each. UHS speed class 3 requires 30 MB/s of sequential writes.
//! * **etcd**: its hardware page calls 50 sequential durable writes per second typical and recommends 500 for heavily
//!   loaded clusters; its FAQ wants 99 % of log syncs below 10 ms and of commits below 25 ms; its default election timeout
//!   is 1 s. It specifies the needs of a database more exactly than most. Changed pages are written to random offsets: a
//!   drive that is slower at that than at the log delays the commits.
//! * **Raspberry Pi**: its documentation recommends 32 GB for Raspberry Pi OS and 16 GB for the Lite edition, which was
//!   4 GB until 2024.
//! * **Response times** (Nielsen 1993): 0.1 s feels immediate, 1 s does not yet break a train of thought.
//! * **Updates**: package managers such as dpkg make unpacked files durable.
//! * **Readings**: with journal and metadata, ext4 was observed to write up to ten blocks for one durable block.
//! * **Gigabit Ethernet**: a frame of 1,500 bytes takes 1,538 bytes on the line and carries 1,448 bytes of TCP payload (with
//!   timestamps), which leaves 117.7 MB/s of 125 MB/s.
//! * **Cameras**: a home has one to four, and recorders are sold for four, eight, sixteen and more. 8 Mbit/s each, usual for
//!   4K video in H.265, is our own assumption. They record day and night: 86.4 GB per day each.
//! * **Rated life**: the daily writes of a purpose are our own assumption, and reported: 1 GB for a system, 5 and 50 GB for
//!   databases, 10 GB for containers and files, ten 4 KiB blocks per second (3.5 GB) for readings, and the recordings of
//!   four cameras. Enough lasts a year, comfortable five. It counts if the drive reports its written bytes and the used
//!   share of its life.
//!
//! A drive that is sold as 32 GB may have some percent less, so capacities are compared with nine tenths of the requirement.

use cardiograph_core::metric::Metric;
use cardiograph_core::verdict::Guards;
use cardiograph_core::{Message, NS_PER_MS, message};

use crate::purpose::Evidence::{Easier, Harder, Same};
use crate::purpose::{Evidence, Purpose, Rule};

const MB_PER_S: f64 = 1e6;
const MS: f64 = NS_PER_MS as f64;
/// A gigabyte as sold, with a tolerance.
const SOLD_GB: f64 = 0.9e9;

const ANDROID_RANDOM_READS: f64 = 854.0;
const ANDROID_RANDOM_WRITES: f64 = 122.0;
const A2_RANDOM_READS: f64 = 4_000.0;
const A2_RANDOM_WRITES: f64 = 2_000.0;
const ETCD_WRITES: f64 = 50.0;
const ETCD_HEAVY_WRITES: f64 = 500.0;
const ETCD_SYNC_P99: f64 = 10.0 * MS;
const ETCD_COMMIT_P99: f64 = 25.0 * MS;
const GIGABIT_PAYLOAD: f64 = 117.7 * MB_PER_S;
/// Write rate of a camera of 8 Mbit/s.
const CAMERA_BYTES_PER_S: f64 = MB_PER_S;
const HOME_CAMERAS: f64 = 4.0;
const MORE_CAMERAS: f64 = 8.0;
/// Daily writes of a camera of 8 Mbit/s, in gigabytes.
const CAMERA_GB_A_DAY: f64 = 86.4;

/// Bytes written in a year at one gigabyte a day.
const GB_A_DAY: f64 = 365.0 * 1e9;

const LIFE_LEFT: &[Evidence] = &[Same(Metric::LifeLeft)];
const CAPACITY: &[Evidence] = &[Same(Metric::Capacity)];
const SEQUENTIAL_READ: &[Evidence] = &[Same(Metric::SequentialRead), Harder(Metric::MixedSequentialRead)];
const SEQUENTIAL_WRITE: &[Evidence] =
    &[Same(Metric::SustainedWrite), Same(Metric::SequentialWrite), Harder(Metric::MixedSequentialWrite)];
const SUSTAINED_WRITE: &[Evidence] =
    &[Same(Metric::SustainedWrite), Easier(Metric::SequentialWrite), Harder(Metric::MixedSequentialWrite)];
const RANDOM_READ: &[Evidence] = &[Same(Metric::RandomReadIops)];
const RANDOM_WRITE: &[Evidence] = &[Same(Metric::RandomWriteIops)];
/// A commit is several writes and a sync.
const DURABLE_WRITE: &[Evidence] = &[Same(Metric::DurableWriteIops), Harder(Metric::SqliteCommits)];
const COMMITS: &[Evidence] = &[Same(Metric::SqliteCommits)];
const COMMIT_PAUSE: &[Evidence] = &[Same(Metric::CommitPauseMax)];
const SYNC_P99: &[Evidence] = &[Same(Metric::SyncP99)];
const SYNC_P999: &[Evidence] = &[Same(Metric::SyncP999)];
const WRITE_STALL: &[Evidence] = &[Same(Metric::WriteStallMax)];
/// A slow result of a few seconds is not evidence about hours.
const LONG_WRITE: &[Evidence] = &[Same(Metric::SustainedWrite)];
const RECORDED: &[Evidence] = &[Same(Metric::Cameras), Harder(Metric::CamerasAtLeast)];

const fn rule(
    evidence: &'static [Evidence],
    limit: f64,
    guards: Guards,
    required: bool,
    source: Message,
) -> Rule {
    Rule { evidence, limit, guards, required, source }
}

/// Without it, the drive is not enough.
const fn must(evidence: &'static [Evidence], limit: f64, source: Message) -> Rule {
    rule(evidence, limit, Guards::Enough, true, source)
}

/// If it was measured and fails, the drive is not enough.
const fn must_if_measured(evidence: &'static [Evidence], limit: f64, source: Message) -> Rule {
    rule(evidence, limit, Guards::Enough, false, source)
}

/// Without it, the drive is not comfortable.
const fn should(evidence: &'static [Evidence], limit: f64, source: Message) -> Rule {
    rule(evidence, limit, Guards::Comfortable, true, source)
}

/// If it was measured and fails, the drive is not comfortable.
const fn should_if_measured(evidence: &'static [Evidence], limit: f64, source: Message) -> Rule {
    rule(evidence, limit, Guards::Comfortable, false, source)
}

/// The remaining rated life lasts a year at this many gigabytes a day.
const fn lasts(gb_a_day: f64, source: Message) -> Rule {
    must_if_measured(LIFE_LEFT, gb_a_day * GB_A_DAY, source)
}

/// The same for five years.
const fn lasts_long(gb_a_day: f64, source: Message) -> Rule {
    should_if_measured(LIFE_LEFT, 5.0 * gb_a_day * GB_A_DAY, source)
}

/// All purposes, in order.
pub const PURPOSES: &[Purpose] = &[
    Purpose { id: "os", title: message!("purpose-os"), rules: OS },
    Purpose { id: "db-light", title: message!("purpose-db-light"), rules: DB_LIGHT },
    Purpose { id: "db-heavy", title: message!("purpose-db-heavy"), rules: DB_HEAVY },
    Purpose { id: "containers", title: message!("purpose-containers"), rules: CONTAINERS },
    Purpose { id: "nas", title: message!("purpose-nas"), rules: NAS },
    Purpose { id: "sensors", title: message!("purpose-sensors"), rules: SENSORS },
    Purpose { id: "cameras", title: message!("purpose-cameras"), rules: CAMERAS },
];

// Sources are shown below the figure and its limit, so they do not repeat them, and each fits on one line.
const CDD_READ: Message = message!("limit-android.sequential-read");
const CDD_WRITE: Message = message!("limit-android.sequential-write");
const CDD_RANDOM_READ: Message = message!("limit-android.random-read");
const CDD_RANDOM_WRITE: Message = message!("limit-android.random-write");
const A2_PROGRAMS: Message = message!("limit-sd-a2.programs");
const A2_DATA: Message = message!("limit-sd-a2.data");
const A2_BUSY: Message = message!("limit-sd-a2.busy");
const A2_SHARED: Message = message!("limit-sd-a2.shared");
const ETCD_SYNC: Message = message!("limit-etcd.sync");
const ETCD_STALL: Message = message!("limit-etcd.stall");
const PAUSE: Message = message!("limit-wait.pause");
const GIGABIT: Message = message!("limit-ethernet.whole");
const GIGABIT_HALF: Message = message!("limit-ethernet.half");

const OS: &[Rule] = &[
    must_if_measured(CAPACITY, 4.0 * SOLD_GB, message!("limit-os.capacity")),
    must(SEQUENTIAL_READ, 15.0 * MB_PER_S, CDD_READ),
    must(SEQUENTIAL_WRITE, 5.0 * MB_PER_S, CDD_WRITE),
    must(RANDOM_READ, ANDROID_RANDOM_READS, CDD_RANDOM_READ),
    must_if_measured(RANDOM_WRITE, ANDROID_RANDOM_WRITES, CDD_RANDOM_WRITE),
    must_if_measured(DURABLE_WRITE, 10.0, message!("limit-os.updates")),
    should(RANDOM_READ, A2_RANDOM_READS, A2_PROGRAMS),
    should_if_measured(RANDOM_WRITE, A2_RANDOM_WRITES, A2_PROGRAMS),
    should_if_measured(WRITE_STALL, 1_000.0 * MS, PAUSE),
    should_if_measured(CAPACITY, 32.0 * SOLD_GB, message!("limit-os.desktop")),
    lasts(1.0, message!("limit-os.life")),
    lasts_long(1.0, message!("limit-os.long-life")),
];

const DB_LIGHT: &[Rule] = &[
    must(DURABLE_WRITE, ETCD_WRITES, message!("limit-etcd.usual")),
    must_if_measured(SYNC_P99, 100.0 * MS, message!("limit-wait.immediate")),
    must_if_measured(RANDOM_WRITE, ETCD_WRITES, message!("limit-etcd.pages")),
    must_if_measured(COMMITS, 1.0, message!("limit-wait.commit")),
    should(RANDOM_READ, A2_RANDOM_READS, A2_DATA),
    should_if_measured(RANDOM_WRITE, A2_RANDOM_WRITES, A2_DATA),
    should(SYNC_P99, ETCD_SYNC_P99, ETCD_SYNC),
    should_if_measured(SYNC_P999, ETCD_COMMIT_P99, message!("limit-etcd.commit")),
    lasts(5.0, message!("limit-db-light.life")),
    lasts_long(5.0, message!("limit-db-light.long-life")),
    should_if_measured(COMMIT_PAUSE, 1_000.0 * MS, PAUSE),
];

const DB_HEAVY: &[Rule] = &[
    must(RANDOM_READ, A2_RANDOM_READS, A2_BUSY),
    must_if_measured(RANDOM_WRITE, A2_RANDOM_WRITES, A2_BUSY),
    must(DURABLE_WRITE, 100.0, message!("limit-etcd.mean")),
    must(SYNC_P99, ETCD_SYNC_P99, ETCD_SYNC),
    should(DURABLE_WRITE, ETCD_HEAVY_WRITES, message!("limit-etcd.loaded")),
    should_if_measured(SYNC_P999, ETCD_COMMIT_P99, message!("limit-etcd.loaded-commit")),
    should_if_measured(WRITE_STALL, 1_000.0 * MS, ETCD_STALL),
    lasts(50.0, message!("limit-db-heavy.life")),
    lasts_long(50.0, message!("limit-db-heavy.long-life")),
];

const CONTAINERS: &[Rule] = &[
    must_if_measured(CAPACITY, 16.0 * SOLD_GB, message!("limit-containers.capacity")),
    must(RANDOM_READ, A2_RANDOM_READS, A2_SHARED),
    must_if_measured(RANDOM_WRITE, A2_RANDOM_WRITES, A2_SHARED),
    must(SUSTAINED_WRITE, 30.0 * MB_PER_S, message!("limit-containers.unpacking")),
    must_if_measured(DURABLE_WRITE, ETCD_WRITES, message!("limit-containers.orchestrator")),
    should(SUSTAINED_WRITE, GIGABIT_PAYLOAD, message!("limit-containers.download")),
    should(SYNC_P99, ETCD_SYNC_P99, ETCD_SYNC),
    should_if_measured(WRITE_STALL, 1_000.0 * MS, ETCD_STALL),
    lasts(10.0, message!("limit-containers.life")),
    lasts_long(10.0, message!("limit-containers.long-life")),
];

const NAS: &[Rule] = &[
    must(CAPACITY, 128.0 * SOLD_GB, message!("limit-nas.capacity")),
    must(SEQUENTIAL_READ, GIGABIT_PAYLOAD / 2.0, GIGABIT_HALF),
    must(SUSTAINED_WRITE, GIGABIT_PAYLOAD / 2.0, GIGABIT_HALF),
    should(SEQUENTIAL_READ, GIGABIT_PAYLOAD, GIGABIT),
    should(SUSTAINED_WRITE, GIGABIT_PAYLOAD, GIGABIT),
    should(CAPACITY, 512.0 * SOLD_GB, message!("limit-nas.household")),
    lasts(10.0, message!("limit-nas.life")),
    lasts_long(10.0, message!("limit-nas.long-life")),
];

const SENSORS: &[Rule] = &[
    must(DURABLE_WRITE, 1.0, message!("limit-sensors.reading")),
    must_if_measured(RANDOM_WRITE, 10.0, message!("limit-sensors.reading-blocks")),
    must_if_measured(COMMITS, 1.0, message!("limit-sensors.reading-commit")),
    should(DURABLE_WRITE, 10.0, message!("limit-sensors.readings")),
    should_if_measured(RANDOM_WRITE, 100.0, message!("limit-sensors.readings-blocks")),
    should_if_measured(SYNC_P99, 100.0 * MS, message!("limit-sensors.due")),
    lasts(3.5, message!("limit-sensors.life")),
    lasts_long(3.5, message!("limit-sensors.long-life")),
];

/// Writing as fast as cameras record does not prove that a drive keeps up, because each second of each is
/// made durable. Writing more slowly proves that it does not.
const CAMERAS: &[Rule] = &[
    must(RECORDED, HOME_CAMERAS, message!("limit-cameras.home")),
    must_if_measured(LONG_WRITE, HOME_CAMERAS * CAMERA_BYTES_PER_S, message!("limit-cameras.four")),
    should(RECORDED, MORE_CAMERAS, message!("limit-cameras.next-size")),
    should_if_measured(LONG_WRITE, MORE_CAMERAS * CAMERA_BYTES_PER_S, message!("limit-cameras.eight")),
    lasts(HOME_CAMERAS * CAMERA_GB_A_DAY, message!("limit-cameras.life")),
    lasts_long(HOME_CAMERAS * CAMERA_GB_A_DAY, message!("limit-cameras.long-life")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        for (index, purpose) in PURPOSES.iter().enumerate() {
            assert!(PURPOSES[..index].iter().all(|other| other.id != purpose.id));
        }
    }

    #[test]
    fn each_rule_is_complete() {
        for rule in PURPOSES.iter().flat_map(|purpose| purpose.rules) {
            let units: Vec<_> = rule.evidence.iter().map(|evidence| evidence.metric().unit()).collect();
            assert!(!units.is_empty() && units.iter().all(|unit| *unit == units[0]), "{rule:?}");
            assert!(matches!(rule.evidence[0], Same(_)), "{rule:?}");
            assert!(rule.limit > 0.0);
        }
    }

    #[test]
    fn comfortable_is_stricter_than_enough() {
        for purpose in PURPOSES {
            for comfort in purpose.rules.iter().filter(|rule| rule.guards == Guards::Comfortable) {
                let same = |rule: &&Rule| rule.guards == Guards::Enough && rule.evidence == comfort.evidence;
                for enough in purpose.rules.iter().filter(same) {
                    let stricter = if comfort.evidence[0].metric().more_is_better() {
                        comfort.limit > enough.limit
                    } else {
                        comfort.limit < enough.limit
                    };
                    assert!(stricter, "{}: {}", purpose.id, comfort.source);
                }
            }
        }
    }

    #[test]
    fn every_purpose_has_required_rules_for_both_levels() {
        for purpose in PURPOSES {
            for guards in [Guards::Enough, Guards::Comfortable] {
                let needed = |rule: &&Rule| rule.guards == guards && rule.required;
                assert!(purpose.rules.iter().any(|rule| needed(&rule)), "{}", purpose.id);
            }
        }
    }

    #[test]
    fn derived_limits_follow_from_their_sources() {
        assert_eq!(ANDROID_RANDOM_READS, (3.5 * MB_PER_S / 4_096.0).floor());
        assert_eq!(ANDROID_RANDOM_WRITES, (0.5 * MB_PER_S / 4_096.0).floor());
        let payload = 125.0 * MB_PER_S * 1_448.0 / 1_538.0;
        assert!((GIGABIT_PAYLOAD - payload).abs() < 0.1 * MB_PER_S, "{payload}");
        assert_eq!(CAMERA_BYTES_PER_S, 8e6 / 8.0);
        assert_eq!(CAMERA_GB_A_DAY * 1e9, CAMERA_BYTES_PER_S * 86_400.0);
    }
}
