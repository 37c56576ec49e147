//! Handmade verdicts on a card.

use cardiograph_core::metric::Metric;
use cardiograph_core::verdict::{Finding, FindingOutcome, Guards, Level, Verdict};
use cardiograph_core::{Estimate, MIB, Message, message};

use super::MS;

pub(crate) fn verdict(purpose: &str, title: Message, level: Level, findings: Vec<Finding>) -> Verdict {
    Verdict { purpose: purpose.to_string(), title, level, findings }
}

pub(crate) fn finding(
    metric: Metric,
    value: Option<f64>,
    limit: f64,
    guards: Guards,
    source: Message,
) -> Finding {
    let keeps = |value: f64| if metric.more_is_better() { value >= limit } else { value <= limit };
    Finding {
        metric,
        measured: value.map(|value| Estimate { value, n: 100, n_effective: 50.0, low: None, high: None }),
        limit,
        guards,
        required: true,
        outcome: match value {
            None => FindingOutcome::NotJudged,
            Some(value) if keeps(value) => FindingOutcome::Pass,
            Some(_) => FindingOutcome::Fail,
        },
        close: false,
        source,
        doubt: None,
    }
}

pub(super) fn verdicts() -> Vec<Verdict> {
    use Guards::{Enough, Good};
    let a1 = || message!("limit-sd-a2.programs");
    let a2 = || message!("limit-sd-a2.busy");
    let etcd = || message!("limit-etcd.sync");
    let wait = || message!("limit-wait.commit");
    let line = || message!("limit-ethernet.whole");
    let sensors = || message!("limit-sensors.readings");
    let mib = MIB as f64;
    let close_to_a1 = Finding {
        measured: Some(Estimate {
            value: 472.0,
            n: 80,
            n_effective: 41.0,
            low: Some(431.0),
            high: Some(513.0),
        }),
        close: true,
        ..finding(Metric::RandomWriteIops, Some(472.0), 500.0, Good, a1())
    };
    vec![
        verdict(
            "os",
            message!("purpose-os"),
            Level::Enough,
            vec![
                finding(Metric::RandomReadIops, Some(3_786.0), 1_500.0, Enough, a1()),
                finding(Metric::SequentialRead, Some(90.1 * mib), 100e6, Good, a1()),
                close_to_a1,
            ],
        ),
        verdict(
            "db-light",
            message!("purpose-db-light"),
            Level::Enough,
            vec![
                finding(Metric::SyncP99, Some(7.57 * MS), 10.0 * MS, Enough, etcd()),
                finding(Metric::SyncP999, Some(28.967 * MS), 25.0 * MS, Good, wait()),
            ],
        ),
        verdict(
            "db-heavy",
            message!("purpose-db-heavy"),
            Level::NotEnough,
            vec![
                finding(Metric::RandomReadIops, Some(3_786.0), 4_000.0, Enough, a2()),
                finding(Metric::RandomWriteIops, Some(472.0), 2_000.0, Enough, a2()),
                finding(Metric::SyncP99, Some(7.57 * MS), 10.0 * MS, Enough, etcd()),
            ],
        ),
        verdict(
            "nas",
            message!("purpose-nas"),
            Level::NotEnough,
            vec![
                finding(Metric::SustainedWrite, Some(31.3 * mib), 118e6, Enough, line()),
                finding(
                    Metric::Capacity,
                    Some(63_864_569_856.0),
                    250e9,
                    Enough,
                    message!("limit-nas.capacity"),
                ),
            ],
        ),
        verdict(
            "sensors",
            message!("purpose-sensors"),
            Level::Good,
            vec![
                finding(Metric::DurableWriteIops, Some(166.1), 10.0, Good, sensors()),
                finding(Metric::SyncP999, Some(28.967 * MS), 100.0 * MS, Good, sensors()),
                finding(Metric::RandomReadIops, Some(3_786.0), 100.0, Enough, sensors()),
            ],
        ),
    ]
}
