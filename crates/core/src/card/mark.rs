//! Speed ratings on a card's label.
//!
//! Source: SD Physical Layer Simplified Specification 9.10, 4.13 (speed class), 4.16 (application performance class).

use serde::{Deserialize, Serialize};

use super::SdStatus;
use crate::JsonSchema;

/// A rating on a card's label.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Mark {
    /// A speed class: C2, C4, C6, C10.
    Speed {
        /// MB/s.
        class: u8,
    },
    /// A UHS speed grade: U1, U3.
    Uhs {
        /// Tens of MB/s.
        grade: u8,
    },
    /// A video speed class: V6 to V90.
    Video {
        /// MB/s.
        class: u8,
    },
    /// An application performance class: A1, A2.
    Application {
        /// 1 or 2.
        class: u8,
    },
}

/// Random I/O guaranteed by an application performance class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApplicationClass {
    /// Minimum random reads of 4 KiB per second.
    pub read_iops_min: u64,
    /// Minimum random writes of 4 KiB per second.
    pub write_iops_min: u64,
    /// Whether this requires use of the card's command queue and cache.
    pub needs_queue_and_cache: bool,
}

impl Mark {
    /// All marks that a card can have.
    pub const ALL: [Mark; 13] = [
        Mark::Speed { class: 2 },
        Mark::Speed { class: 4 },
        Mark::Speed { class: 6 },
        Mark::Speed { class: 10 },
        Mark::Uhs { grade: 1 },
        Mark::Uhs { grade: 3 },
        Mark::Video { class: 6 },
        Mark::Video { class: 10 },
        Mark::Video { class: 30 },
        Mark::Video { class: 60 },
        Mark::Video { class: 90 },
        Mark::Application { class: 1 },
        Mark::Application { class: 2 },
    ];

    /// As printed on the card.
    pub fn label(self) -> String {
        match self {
            Mark::Speed { class } => format!("C{class}"),
            Mark::Uhs { grade } => format!("U{grade}"),
            Mark::Video { class } => format!("V{class}"),
            Mark::Application { class } => format!("A{class}"),
        }
    }

    /// Guaranteed sequential write speed, in bytes per second.
    pub fn sequential_write_bytes_per_s_min(self) -> u64 {
        const MB: u64 = 1_000_000;
        match self {
            Mark::Speed { class } | Mark::Video { class } => u64::from(class) * MB,
            Mark::Uhs { grade } => u64::from(grade) * 10 * MB,
            Mark::Application { .. } => 10 * MB,
        }
    }

    /// Guaranteed random I/O.
    pub fn application_class(self) -> Option<ApplicationClass> {
        match self {
            Mark::Application { class: 1 } => Some(ApplicationClass {
                read_iops_min: 1_500,
                write_iops_min: 500,
                needs_queue_and_cache: false,
            }),
            Mark::Application { class: 2 } => Some(ApplicationClass {
                read_iops_min: 4_000,
                write_iops_min: 2_000,
                needs_queue_and_cache: true,
            }),
            _ => None,
        }
    }
}

impl SdStatus {
    /// The card's claimed ratings.
    pub fn marks(&self) -> Vec<Mark> {
        let marks = [
            self.speed_class.map(|class| Mark::Speed { class }),
            self.uhs_grade.map(|grade| Mark::Uhs { grade }),
            self.video_class.map(|class| Mark::Video { class }),
            self.application_class.map(|class| Mark::Application { class }),
        ];
        let is_one = |mark: &Mark| !matches!(mark.label().as_str(), "C0" | "U0" | "V0" | "A0");
        marks.into_iter().flatten().filter(is_one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mark_guarantees_a_speed() {
        for (mark, label, bytes_per_s) in [
            (Mark::Speed { class: 10 }, "C10", 10_000_000),
            (Mark::Uhs { grade: 1 }, "U1", 10_000_000),
            (Mark::Uhs { grade: 3 }, "U3", 30_000_000),
            (Mark::Video { class: 30 }, "V30", 30_000_000),
            (Mark::Application { class: 1 }, "A1", 10_000_000),
            (Mark::Application { class: 2 }, "A2", 10_000_000),
        ] {
            assert_eq!(
                (mark.label().as_str(), mark.sequential_write_bytes_per_s_min()),
                (label, bytes_per_s)
            );
        }
        let needs =
            |class| Mark::Application { class }.application_class().map(|class| class.needs_queue_and_cache);
        assert_eq!([1, 2, 3].map(needs), [Some(false), Some(true), None]);
    }

    #[test]
    fn only_claimed_marks_are_listed() {
        let status = SdStatus {
            speed_class: Some(10),
            uhs_grade: Some(3),
            video_class: Some(0),
            application_class: Some(2),
            ..SdStatus::default()
        };
        let labels: Vec<String> = status.marks().into_iter().map(Mark::label).collect();
        assert_eq!(labels, ["C10", "U3", "A2"]);
        assert_eq!(SdStatus::default().marks(), []);
    }
}
