//! The words for people that stand for the values of core's types, and figures with the units of their metric.

use cardiograph_core::Estimate;
use cardiograph_core::card::{Card, Mark, Month, SdStatus};
use cardiograph_core::drive::{Drive, Layer, LayerKind, Leaf};
use cardiograph_core::metric::{Metric, Unit};
use cardiograph_core::report::{ReportState, Step};
use cardiograph_core::result::{ClockInfo, ClockSource};
use cardiograph_core::units;
use cardiograph_core::verdict::Level;

use super::layout::{Tone, joined, plain, said};
use crate::doc::words;
use crate::lang::Lang;

/// What a figure is, in the middle of a sentence.
pub(super) const fn metric(metric: Metric, lang: Lang) -> &'static str {
    let (en, ja) = match metric {
        Metric::Capacity => ("capacity", "容量"),
        Metric::RealCapacity => ("real capacity", "実容量"),
        Metric::LifeLeft => ("rated life left", "残り寿命"),
        Metric::SequentialRead => ("sequential read", "シーケンシャルリード"),
        Metric::MixedSequentialRead => ("read while writing", "書き込み中の読み出し"),
        Metric::MixedSequentialWrite => ("write while reading", "読み出し中の書き込み"),
        Metric::SustainedWrite => ("sustained write", "長時間シーケンシャルライト"),
        Metric::SequentialWrite => ("sequential write", "シーケンシャルライト"),
        Metric::RandomReadIops => ("random read", "ランダムリード"),
        Metric::RandomReadP99 => ("random read p99", "ランダムリード p99"),
        Metric::RandomReadDeepIops => ("random read, many in flight", "多重ランダムリード"),
        Metric::RandomWriteIops => ("random write", "ランダムライト"),
        Metric::RandomWriteP99 => ("random write p99", "ランダムライト p99"),
        Metric::DurableWriteIops => ("durable write", "fsync 付きライト"),
        Metric::SyncP99 => ("fsync p99", "fsync p99"),
        Metric::SyncP999 => ("fsync p99.9", "fsync p99.9"),
        Metric::WriteStallMax => ("longest stall", "最長の停止"),
        Metric::SqliteCommits => ("SQLite commits", "SQLite のコミット"),
        Metric::CommitPauseMax => ("longest pause of commits", "コミットの最長の停止"),
        Metric::Cameras => ("number of cameras", "カメラの台数"),
        Metric::CamerasAtLeast => ("number of cameras tried", "試したカメラの台数"),
    };
    lang.pick(en, ja)
}

/// How good a drive is for a purpose.
pub(crate) const fn level_word(level: Level, lang: Lang) -> &'static str {
    match level {
        Level::Comfortable => lang.pick("comfortable", "余裕あり"),
        Level::Enough => lang.pick("enough", "足りる"),
        Level::CannotBeJudged => lang.pick("cannot be judged", "判定できない"),
        Level::NotEnough => lang.pick("not enough", "足りない"),
    }
}

/// The interval of an estimate behind its value; empty where it has none.
pub(super) fn interval(estimate: &Estimate, unit: impl Fn(f64) -> String) -> String {
    match estimate.low.zip(estimate.high) {
        Some((low, high)) => format!(", 95 % interval {}", units::range(&unit(low), &unit(high))),
        None => String::new(),
    }
}

/// A measured value of a metric with its unit. Speeds are given in both units, since limits are quoted in MB/s.
pub(super) fn measured(metric: Metric, value: f64) -> String {
    match metric.unit() {
        Unit::BytesPerSecond => format!("{} ({})", units::bandwidth(value), units::bandwidth_si(value)),
        _ => in_unit_of_limits(metric, value),
    }
}

/// A limit of a metric with its unit.
pub(super) fn limit(metric: Metric, value: f64) -> String {
    units::without_zeros(&in_unit_of_limits(metric, value))
}

/// A limit beside a measured value: rates have one unit, which the value has said already.
pub(super) fn bare_limit(metric: Metric, value: f64) -> String {
    let limit = limit(metric, value);
    match metric.unit() {
        Unit::IosPerSecond => limit.split(' ').next().unwrap_or_default().to_string(),
        _ => limit,
    }
}

/// A value to be set beside a limit.
pub(super) fn in_unit_of_limits(metric: Metric, value: f64) -> String {
    match metric {
        Metric::SqliteCommits => format!("{}/s", units::number(value)),
        _ => in_unit(metric.unit(), value),
    }
}

/// A value with its unit. Limits of speed come from specifications, which are in MB/s.
pub(super) fn in_unit(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Bytes => units::bytes_si(value.max(0.0) as u64),
        Unit::BytesPerSecond => units::bandwidth_si(value),
        Unit::IosPerSecond => units::iops(value),
        Unit::Nanoseconds => units::duration_f64(value),
        Unit::Count => units::count(value.max(0.0) as u64),
    }
}

/// How good a drive is for a purpose, as it is painted.
pub(super) const fn level_tone(level: Level) -> Option<Tone> {
    match level {
        Level::NotEnough => Some(Tone::Bad),
        Level::CannotBeJudged => None,
        Level::Enough => Some(Tone::Fair),
        Level::Comfortable => Some(Tone::Good),
    }
}

/// What stands behind a suite's name when the checkup has no regular end.
pub(crate) fn state(state: ReportState) -> Option<&'static str> {
    match state {
        ReportState::Finished => None,
        ReportState::Running => Some("not finished"),
        ReportState::Interrupted => Some("interrupted"),
        ReportState::Failed => Some("failed"),
    }
}

/// One drive: `SanDisk SC64G, SD card, 64 GB`. The kernel's name is left to the caller.
pub(super) fn leaf(leaf: &Leaf) -> String {
    Lang::En.phrases(&words::leaf(leaf))
}

/// The marks of a card, in a line: `marked C10 U1 A1`; `None` where it has none.
pub(super) fn marks(card: &Card) -> Option<String> {
    let Card::Sd(card) = card else { return None };
    let marks = joined([card.status.iter().flat_map(SdStatus::marks).map(Mark::label)], " ");
    marks.map(|marks| format!("marked {marks}"))
}

/// What a card claims, in a line: `SanDisk, marked C10 U1 A1, made 11/2017`.
pub(super) fn card(card: &Card) -> String {
    let (identity, claims) = match card {
        Card::Sd(sd) => (&sd.identity, marks(card)),
        Card::Emmc(chip) => {
            let worst = chip.life_used_percent.iter().flatten().max();
            let wear = match worst {
                _ if chip.is_worn_out => Some("beyond its rated life".to_string()),
                Some((low, high)) => Some(format!("{low} to {high} % of its rated life used")),
                None => None,
            };
            (&chip.identity, wear)
        }
    };
    // A maker sells to many brands: more than one name would say nothing.
    let maker = match identity.makers.as_slice() {
        [maker] if !identity.maker_is_disputed => maker.clone(),
        _ => format!("maker's id 0x{:02x}", identity.maker_id),
    };
    let made = identity.made.map(|Month { year, month }| format!("made {month:02}/{year}"));
    [Some(maker), claims, made].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What was measured, in a line.
pub(crate) fn drive(drive: &Drive) -> String {
    Lang::En.phrases(&words::drive(drive))
}

/// What lies between file system and drives and can change a figure: `software RAID md0, encryption`. Partitions
/// cannot.
pub(super) fn layers(layers: &[Layer]) -> Option<String> {
    let layers = layers.iter().filter(|layer| layer.kind != LayerKind::Partition);
    let words = layers.map(|layer| {
        format!("{} {}", layer_kind(layer.kind), plain(layer.label.as_deref().unwrap_or(&layer.name)))
    });
    joined([words], ", ")
}

/// What a layer is, before its name.
const fn layer_kind(kind: LayerKind) -> &'static str {
    match kind {
        LayerKind::Partition => "partition",
        LayerKind::Md => "software RAID",
        LayerKind::Lvm => "logical volume",
        LayerKind::Crypt => "encryption",
        LayerKind::DeviceMapper => "device mapper",
        LayerKind::Loop => "loop device",
        LayerKind::Bcache => "cache bcache",
        LayerKind::Drbd => "DRBD",
        LayerKind::Other => "device",
    }
}

pub(super) fn clock(clock: &ClockInfo) -> String {
    let source = match clock.source {
        ClockSource::Tsc => "time stamp counter",
        ClockSource::Cntvct => "generic timer",
        ClockSource::ClockGettime => "clock_gettime",
        ClockSource::Virtual => return "virtual time".to_string(),
    };
    let drift = clock.drift_ppm.map(|ppm| format!(", drift {} ppm", units::number(ppm))).unwrap_or_default();
    let [resolution, cost] = [clock.resolution_ns, clock.read_cost_ns].map(units::duration_f64);
    format!("{source}, resolution {resolution}, {cost} a reading{drift}")
}

/// A step's title where room is short: what is done, without which try it is, and without how (`(fsync each)`).
pub(super) fn short_title(step: &Step) -> String {
    let title = said(&step.title, Lang::En);
    let what = title.split(", ").next().unwrap_or_default();
    let without_how = what.strip_suffix(')').and_then(|what| what.rsplit_once(" ("));
    without_how.map_or(what, |(what, _)| what).to_string()
}

#[cfg(test)]
mod tests {
    use cardiograph_core::Message;
    use cardiograph_core::card::{CardIdentity, Emmc, SdCard};

    use super::*;
    use crate::samples;

    #[test]
    fn cards_say_what_they_claim() {
        let identity = |makers: &[&str], maker_is_disputed| CardIdentity {
            maker_id: 0x27,
            makers: makers.iter().map(|maker| maker.to_string()).collect(),
            maker_is_disputed,
            made: Some(Month { year: 2017, month: 4 }),
            ..CardIdentity::default()
        };
        let status = SdStatus {
            speed_class: Some(10),
            uhs_grade: Some(3),
            video_class: Some(30),
            application_class: Some(2),
            ..SdStatus::default()
        };
        let sd = |identity, status| Card::Sd(SdCard { identity, status, ..SdCard::default() });
        let emmc = |life_used_percent, is_worn_out| {
            let identity = identity(&["Samsung"], false);
            Card::Emmc(Emmc { identity, life_used_percent, is_worn_out, ..Emmc::default() })
        };
        for (claims, expected) in [
            (sd(identity(&["SanDisk"], false), Some(status)), "SanDisk, marked C10 U3 V30 A2, made 04/2017"),
            (sd(identity(&["SanDisk"], true), None), "maker's id 0x27, made 04/2017"),
            (sd(identity(&["Phison", "Lexar"], false), None), "maker's id 0x27, made 04/2017"),
            (sd(CardIdentity::default(), Some(SdStatus::default())), "maker's id 0x00"),
            (
                emmc([Some((0, 10)), Some((10, 20))], false),
                "Samsung, 10 to 20 % of its rated life used, made 04/2017",
            ),
            (emmc([None, Some((100, 100))], true), "Samsung, beyond its rated life, made 04/2017"),
            (emmc([None, None], false), "Samsung, made 04/2017"),
        ] {
            assert_eq!(card(&claims), expected);
        }
    }

    #[test]
    fn titles_are_shortened_to_what_tells_steps_apart() {
        let mut step = samples::card().steps.remove(0).step;
        let cases = [
            ("Sequential read 1M", "Sequential read 1M"),
            ("Random read 4K QD32, try 2/3", "Random read 4K QD32"),
            ("Warm up, for a while", "Warm up"),
            ("Durable write 4K (fsync each)", "Durable write 4K"),
            ("Random mix (50 % reads) 4K QD64", "Random mix (50 % reads) 4K QD64"),
            ("", ""),
        ];
        for (title, short) in cases {
            step.title = Message::verbatim(title);
            assert_eq!(short_title(&step), short);
        }
    }
}
