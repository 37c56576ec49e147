//! Types of option values.

use std::fmt;

use cardiograph_core::{Message, NS_PER_MS, NS_PER_S, message};

use crate::value::{
    ValueError, parse_amount, parse_bytes_in, parse_bytes_range, parse_cpu_list, parse_decimal_between,
    parse_duration_ns, parse_duration_range_ns, parse_ignored_errors, parse_nodes, parse_per_direction,
    parse_percentiles, parse_share, parse_signed, parse_split, parse_switch, split_list, split_word,
};

/// Type of an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionKind {
    /// Free text.
    Text,
    /// Optional free text.
    OptionalText,
    /// Names separated by colons; `\:` is a colon of a name.
    List,
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, optionally followed by a colon and arguments.
    WordWithArguments(&'static [&'static str]),
    /// A whole number in a range. It may have a size's unit: 10k is 10,240.
    Count {
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
    },
    /// Up to three whole numbers for reads, writes and trims, separated by commas.
    CountPerDirection {
        /// Smallest allowed value.
        min: u64,
        /// Largest allowed value.
        max: u64,
    },
    /// A whole number that may be negative.
    SignedCount {
        /// Smallest allowed value.
        min: i64,
        /// Largest allowed value.
        max: i64,
    },
    /// A decimal number.
    Float {
        /// Smallest allowed value.
        min: u32,
        /// Largest allowed value.
        max: u32,
    },
    /// Decimal numbers separated by colons.
    Floats,
    /// A size in bytes.
    Bytes,
    /// A size in bytes, or in percent of the file or device.
    BytesOrPercent,
    /// A size in bytes, or a range of sizes.
    BytesRange,
    /// Up to three sizes for reads, writes and trims, separated by commas; a missing one repeats the one before.
    BytesPerDirection,
    /// Up to three ranges of sizes, in the same way.
    BytesRangePerDirection,
    /// Up to three mixes of sizes with their shares, in the same way.
    Split,
    /// A time; numbers without a unit are multiples of `unit_ns`.
    Duration {
        /// The default unit in nanoseconds.
        unit_ns: u64,
    },
    /// A time, or a range of times.
    DurationRange {
        /// The default unit in nanoseconds.
        unit_ns: u64,
    },
    /// Up to three times for reads, writes and trims, separated by commas.
    DurationPerDirection {
        /// The default unit in nanoseconds.
        unit_ns: u64,
    },
    /// 0 or 1, fio's "boolean". fio wants the value everywhere; the bare name of a job file is 1 here.
    Switch,
    /// 0 or 1, fio's "empty or boolean": the bare name is 1, on the command line too.
    Flag,
    /// A share in percent, with or without the sign.
    Share,
    /// Percentiles separated by colons.
    Percentiles,
    /// Numbers of CPUs and ranges of them, separated by commas.
    CpuList,
    /// Up to three lists of errors for reads, writes and checks, separated by commas.
    Errors,
    /// Numbers of NUMA nodes and ranges of them, separated by commas, or `all`.
    NodeList,
}

/// A share in whole percent.
pub(super) const PERCENT: OptionKind = OptionKind::Count { min: 0, max: 100 };
/// Any whole number.
pub(super) const COUNT: OptionKind = OptionKind::Count { min: 0, max: u64::MAX };
/// A whole number, for each direction.
pub(super) const COUNT_PER_DIRECTION: OptionKind = OptionKind::CountPerDirection { min: 0, max: u64::MAX };
/// A share in whole percent, for each direction.
pub(super) const PERCENT_PER_DIRECTION: OptionKind = OptionKind::CountPerDirection { min: 0, max: 100 };
/// A time in seconds.
pub(super) const SECONDS: OptionKind = OptionKind::Duration { unit_ns: NS_PER_S };
/// A time in milliseconds.
pub(super) const MILLISECONDS: OptionKind = OptionKind::Duration { unit_ns: NS_PER_MS };
/// A time in microseconds.
pub(super) const MICROSECONDS: OptionKind = OptionKind::Duration { unit_ns: 1_000 };

impl OptionKind {
    /// Whether the name may appear without a value on the command line, which turns it on.
    pub const fn may_stand_bare(self) -> bool {
        matches!(self, Self::Flag)
    }

    /// Whether the name may appear without a value in a job file.
    pub const fn may_stand_bare_in_file(self) -> bool {
        matches!(self, Self::Flag | Self::Switch | Self::OptionalText)
    }

    /// An example value; `None` for free text and listed words.
    pub fn example(self) -> Option<Message> {
        Some(match self {
            Self::Text | Self::OptionalText | Self::List | Self::Word(_) | Self::WordWithArguments(_) => {
                return None;
            }
            Self::Count { .. } | Self::SignedCount { .. } => message!("jobs-example.count"),
            Self::CountPerDirection { .. } => message!("jobs-example.count-per-direction"),
            Self::Float { .. } => message!("jobs-example.number"),
            Self::Floats => message!("jobs-example.numbers"),
            Self::Bytes => message!("jobs-example.bytes"),
            Self::BytesOrPercent => message!("jobs-example.bytes-or-percent"),
            Self::BytesRange => message!("jobs-example.bytes-range"),
            Self::BytesPerDirection => message!("jobs-example.bytes-per-direction"),
            Self::BytesRangePerDirection => message!("jobs-example.bytes-range-per-direction"),
            Self::Split => message!("jobs-example.split"),
            Self::Duration { .. } => message!("jobs-example.duration"),
            Self::DurationRange { .. } => message!("jobs-example.duration-range"),
            Self::DurationPerDirection { .. } => message!("jobs-example.duration-per-direction"),
            Self::Switch | Self::Flag => message!("jobs-example.switch"),
            Self::Share => message!("jobs-example.share"),
            Self::Percentiles => message!("jobs-example.percentiles"),
            Self::CpuList => message!("jobs-example.cpus"),
            Self::Errors => message!("jobs-example.errors"),
            Self::NodeList => message!("jobs-example.nodes"),
        })
    }

    /// Parses `text` and drops the value. `kb_base` as in [`parse_bytes_in`].
    ///
    /// # Errors
    /// If it is not a value of this type. Arguments of words are not checked.
    pub fn check(self, text: &str, kb_base: u64) -> Result<(), ValueError> {
        let count = |text: &str, min, max| match parse_bytes_in(text, kb_base)? {
            number if (min..=max).contains(&number) => Ok(()),
            _ => Err(ValueError::OutOfRange { min, max }),
        };
        match self {
            Self::Text if text.trim().is_empty() => Err(ValueError::Empty),
            Self::Text | Self::OptionalText => Ok(()),
            Self::List => split_list(text).map(drop),
            Self::Word(words) => match split_word(text, words)? {
                (_, None) => Ok(()),
                _ => Err(ValueError::UnknownWord { allowed: words.to_vec() }),
            },
            Self::WordWithArguments(words) => split_word(text, words).map(drop),
            Self::Count { min, max } => count(text, min, max),
            Self::CountPerDirection { min, max } => {
                parse_per_direction(text, |part| count(part, min, max)).map(drop)
            }
            Self::SignedCount { min, max } => match parse_signed(text)? {
                number if (min..=max).contains(&number) => Ok(()),
                _ => Err(ValueError::NotBetween { min, max }),
            },
            Self::Float { min, max } => parse_decimal_between(text, min, max).map(drop),
            Self::Floats => {
                text.split(':').try_for_each(|part| parse_decimal_between(part, 0, u32::MAX).map(drop))
            }
            Self::Bytes => parse_bytes_in(text, kb_base).map(drop),
            Self::BytesOrPercent => parse_amount(text, kb_base).map(drop),
            Self::BytesRange => parse_bytes_range(text, kb_base).map(drop),
            Self::BytesPerDirection => {
                parse_per_direction(text, |part| parse_bytes_in(part, kb_base)).map(drop)
            }
            Self::BytesRangePerDirection => {
                parse_per_direction(text, |part| parse_bytes_range(part, kb_base)).map(drop)
            }
            Self::Split => parse_per_direction(text, |part| parse_split(part, kb_base)).map(drop),
            Self::Duration { unit_ns } => parse_duration_ns(text, unit_ns).map(drop),
            Self::DurationRange { unit_ns } => parse_duration_range_ns(text, unit_ns).map(drop),
            Self::DurationPerDirection { unit_ns } => {
                parse_per_direction(text, |part| parse_duration_ns(part, unit_ns)).map(drop)
            }
            Self::Switch | Self::Flag => parse_switch(text).map(drop),
            Self::Share => parse_share(text).map(drop),
            Self::Percentiles => parse_percentiles(text).map(drop),
            Self::CpuList => parse_cpu_list(text).map(drop),
            Self::Errors => parse_ignored_errors(text).map(drop),
            Self::NodeList => parse_nodes(text).map(drop),
        }
    }
}

/// The limits of a whole number, if any.
fn limits(min: u64, max: u64) -> String {
    match (min, max) {
        (0, u64::MAX) => String::new(),
        (_, u64::MAX) => format!(", at least {min}"),
        _ => format!(", {min} to {max}"),
    }
}

/// Name of the default unit of a time.
fn unit_name(unit_ns: u64) -> &'static str {
    match unit_ns {
        NS_PER_S => "s",
        NS_PER_MS => "ms",
        1_000 => "us",
        _ => "ns",
    }
}

impl fmt::Display for OptionKind {
    /// In short: `size`, `0 or 1`, `whole number, 1 to 100`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Text | Self::OptionalText => f.write_str("text"),
            Self::List => f.write_str("names separated by ':'"),
            Self::Word(words) => write!(f, "one of {}", words.join(", ")),
            Self::WordWithArguments(words) => {
                write!(f, "one of {}, with arguments behind ':'", words.join(", "))
            }
            Self::Count { min, max } => write!(f, "whole number{}", limits(min, max)),
            Self::CountPerDirection { min, max } => {
                write!(f, "whole number{} [read,write,trim]", limits(min, max))
            }
            Self::SignedCount { min, max } => write!(f, "whole number, {min} to {max}"),
            Self::Float { min, max } => write!(f, "number, {min} to {max}"),
            Self::Floats => f.write_str("numbers separated by ':'"),
            Self::Bytes => f.write_str("size"),
            Self::BytesOrPercent => f.write_str("size or percent"),
            Self::BytesRange => f.write_str("size or range of sizes"),
            Self::BytesPerDirection => f.write_str("size [read,write,trim]"),
            Self::BytesRangePerDirection => f.write_str("range of sizes [read,write,trim]"),
            Self::Split => f.write_str("size/percent:... [read,write,trim]"),
            Self::Duration { unit_ns } => write!(f, "time in {}", unit_name(unit_ns)),
            Self::DurationRange { unit_ns } => write!(f, "time or range of times in {}", unit_name(unit_ns)),
            Self::DurationPerDirection { unit_ns } => {
                write!(f, "time in {} [read,write,trim]", unit_name(unit_ns))
            }
            Self::Switch => f.write_str("0 or 1"),
            Self::Flag => f.write_str("nothing, 0 or 1"),
            Self::Share => f.write_str("percent"),
            Self::Percentiles => f.write_str("percentiles separated by ':'"),
            Self::CpuList => f.write_str("CPUs"),
            Self::Errors => f.write_str("errors separated by ':' [read,write,check]"),
            Self::NodeList => f.write_str("NUMA nodes"),
        }
    }
}
