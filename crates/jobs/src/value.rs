//! Parsers of values in fio's syntax: sizes, times, counts, switches, lists and mixes.
//!
//! They depend only on the text. Text that fio truncates where it does not understand it (`1e4`, `10M/s`) is an error
//! here; `spelling` knows fio's meaning of such text, and normalises it for the options of a job.

use cardiograph_core::text::shown;
use cardiograph_core::{Message, Parameter, message};

mod distribution;
pub(crate) mod errno;
mod list;
mod nodes;
mod number;
mod pattern;
mod size;
mod skip;
pub(crate) mod spelling;
mod time;

pub use distribution::{ACCESS_ZONES_MAX, AccessZones, parse_access_zones, parse_distribution};
pub use errno::parse_ignored_errors;
pub use list::{
    CPU_MAX, STEADY_WORDS, Steady, parse_cpu_list, parse_per_direction, parse_steady, split_list, split_word,
};
pub use nodes::{MEMORY_POLICIES, NODE_MAX, parse_memory_policy, parse_nodes};
pub use number::{
    PERCENTILES_MAX, parse_decimal, parse_decimal_between, parse_percentiles, parse_share, parse_signed,
    parse_switch,
};
pub use pattern::{PATTERN_LEN_BYTES_MAX, PatternKind, parse_pattern};
pub use size::{
    Amount, SPLIT_PARTS_MAX, parse_amount, parse_bytes, parse_bytes_in, parse_bytes_range,
    parse_bytes_signed, parse_count, parse_split,
};
pub use skip::parse_skip;
pub use time::{parse_duration_ns, parse_duration_range_ns};

/// Why a value is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueError {
    /// The text is empty.
    Empty,
    /// The text does not start with a digit.
    NotANumber,
    /// A number below zero where that is meaningless.
    Negative,
    /// The suffix is not a known unit.
    UnknownUnit(String),
    /// The number does not fit into 64 bits.
    TooLarge,
    /// Not one of the allowed words.
    UnknownWord {
        /// The words that are.
        allowed: Vec<&'static str>,
    },
    /// Outside the allowed range.
    OutOfRange {
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
    },
    /// Outside a range that begins below zero.
    NotBetween {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
    },
    /// More values than fit.
    TooMany {
        /// The maximum number.
        max: u64,
    },
    /// Another problem: a phrase.
    Said(Message),
}

impl ValueError {
    /// The problem as a phrase.
    pub fn message(&self) -> Message {
        match self {
            Self::Empty => message!("jobs-value.empty"),
            Self::NotANumber => message!("jobs-value.not-a-number"),
            Self::Negative => message!("jobs-value.negative"),
            Self::UnknownUnit(unit) => message!("jobs-value.unknown-unit", unit = shown(unit)),
            Self::TooLarge => message!("jobs-value.too-large"),
            Self::UnknownWord { allowed } => {
                message!("jobs-value.unknown-word", words = Parameter::all(allowed.iter().copied()))
            }
            &Self::OutOfRange { min, max: u64::MAX } => message!("jobs-value.below-range", min),
            &Self::OutOfRange { min, max } => message!("jobs-value.out-of-range", min, max),
            &Self::NotBetween { min, max } => {
                let [min, max] = [min, max].map(|limit| Parameter::number(limit as f64));
                message!("jobs-value.out-of-range", min, max)
            }
            &Self::TooMany { max } => message!("jobs-value.too-many", max),
            Self::Said(phrase) => phrase.clone(),
        }
    }
}

impl From<Message> for ValueError {
    fn from(phrase: Message) -> Self {
        Self::Said(phrase)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Calls each parser: none may panic, and results must satisfy their contracts.
    fn read_all(text: &str) {
        for kb_base in [1_000, 1_024] {
            let _ = parse_bytes_in(text, kb_base);
            let _ = parse_bytes_signed(text, kb_base);
            let _ = parse_amount(text, kb_base);
            if let Ok((from, to)) = parse_bytes_range(text, kb_base) {
                assert!(from <= to, "{text}");
            }
            if let Ok(parts) = parse_split(text, kb_base) {
                assert_eq!(parts.iter().map(|part| part.1).sum::<u32>(), 100, "{text}");
            }
        }
        if let Ok((from, to)) = parse_duration_range_ns(text, cardiograph_core::NS_PER_S) {
            assert!(from <= to, "{text}");
        }
        if let Ok(percentiles) = parse_percentiles(text) {
            assert!(percentiles.iter().all(|&p| p > 0.0 && p <= 100.0), "{text}");
            assert!(percentiles.is_sorted_by(|a, b| a < b), "{text}");
        }
        if let Ok(cpus) = parse_cpu_list(text) {
            assert!(cpus.is_sorted_by(|a, b| a < b) && cpus.len() as u64 <= CPU_MAX + 1, "{text}");
        }
        if let Ok(names) = split_list(text) {
            assert!(names.iter().all(|name| !name.is_empty()), "{text}");
        }
        let _ = (parse_count(text), parse_signed(text), parse_decimal(text), parse_switch(text));
        let _ = parse_ignored_errors(text);
        let _ = (parse_nodes(text), parse_memory_policy(text));
        let _ = (parse_steady(text), split_word(text, STEADY_WORDS), parse_duration_ns(text, 1));
        let _ = parse_per_direction(text, parse_bytes);
        for word in ["zipf", "pareto", "normal"] {
            let _ = parse_distribution(word, Some(text));
        }
        for word in ["zoned", "zoned_abs"] {
            if let Ok(zones) = parse_access_zones(word, Some(text), 1_024) {
                let zones = [zones.read, zones.write, zones.trim].into_iter().flatten();
                zones.for_each(|zones| {
                    assert_eq!(zones.iter().map(|zone| zone.percent).sum::<u32>(), 100, "{text}");
                });
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in any::<String>()) {
            read_all(&text);
        }

        /// Texts made of value characters find more bugs than arbitrary texts.
        #[test]
        fn nearly_valid_texts_are_parsed_or_refused(text in "[0-9]{0,21}([-:/,.%x]?[0-9kKmMgGiIbBsezE%é]{0,4}){0,6}") {
            read_all(&text);
        }

        #[test]
        fn sizes_are_parsed_as_written(number in 0u64..1 << 33, unit in 0usize..4) {
            let text = format!("{number}{}", ["", "k", "M", "G"][unit]);
            let factor = 1u128 << (10 * unit);
            let expected = u64::try_from(u128::from(number) * factor).map_err(|_| ValueError::TooLarge);
            prop_assert_eq!(parse_bytes(&text), expected);
        }
    }

    #[test]
    fn errors_describe_the_problem() {
        let number = Parameter::number;
        let cases = [
            (ValueError::Negative, message!("jobs-value.negative")),
            (
                ValueError::NotBetween { min: -20, max: 19 },
                message!("jobs-value.out-of-range", min = number(-20.0), max = number(19.0)),
            ),
            (
                ValueError::OutOfRange { min: 2, max: u64::MAX },
                message!("jobs-value.below-range", min = 2_u64),
            ),
            (ValueError::TooMany { max: 3 }, message!("jobs-value.too-many", max = 3_u64)),
            (
                ValueError::UnknownWord { allowed: vec!["0", "1"] },
                message!("jobs-value.unknown-word", words = Parameter::all(["0", "1"])),
            ),
        ];
        for (error, message) in cases {
            assert_eq!(error.message(), message);
        }
    }
}
