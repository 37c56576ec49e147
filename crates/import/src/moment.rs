//! Parses dates and times without a time zone. They are read as UTC, with a note.

use cardiograph_core::{Message, message};
use time::format_description::BorrowedFormatItem as Item;
use time::macros::format_description as form;
use time::{Date, OffsetDateTime, Time};

const DAYS: [&[Item<'_>]; 4] = [
    form!("[year]/[month padding:none]/[day padding:none]"),
    form!("[year]-[month padding:none]-[day padding:none]"),
    form!("[year][month][day]"),
    form!("[month repr:short] [day padding:none] [year]"),
];
const TIMES: [&[Item<'_>]; 3] = [
    form!("[hour padding:none]:[minute]:[second]"),
    form!("[hour padding:none]:[minute]"),
    form!("[hour][minute][second]"),
];

/// A date and time found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Milliseconds since 1970-01-01, as if it were UTC.
    pub(super) unix_ms: u64,
    /// Whether there was a time; otherwise it is midnight.
    has_time: bool,
}

impl Moment {
    /// Parses `2024/05/26 19:20:33`, `2025-11-05`, `20260831-221500` or `Wed Nov  5 12:19:01 2025`. `None` for other
    /// text, and before 1970.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (day, time) = match words[..] {
            [_weekday, month, day, time, year] => {
                (parse_date(&format!("{month} {day} {year}"))?, Some(parse_time(time)?))
            }
            [day, time] => (parse_date(day)?, Some(parse_time(time)?)),
            [word] => match word.split_once('-') {
                Some((day, time)) if day.len() == 8 => (parse_date(day)?, Some(parse_time(time)?)),
                _ => (parse_date(word)?, None),
            },
            _ => return None,
        };
        let moment = OffsetDateTime::new_utc(day, time.unwrap_or(Time::MIDNIGHT));
        let unix_s = u64::try_from(moment.unix_timestamp()).ok()?;
        Some(Self { unix_ms: unix_s * 1_000, has_time: time.is_some() })
    }

    /// A note on the missing time zone; `tool` printed the time.
    pub(super) fn note(self, tool: &str) -> Message {
        if self.has_time {
            message!("import-moment.no-zone", tool)
        } else {
            message!("import-moment.no-time", tool)
        }
    }
}

fn parse_date(text: &str) -> Option<Date> {
    DAYS.iter().find_map(|form| Date::parse(text, form).ok())
}

fn parse_time(text: &str) -> Option<Time> {
    TIMES.iter().find_map(|form| Time::parse(text, form).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_without_a_zone_are_utc() {
        for (text, unix_ms) in [
            ("2024/05/26 19:20:33", 1_716_751_233_000),
            ("2025-11-05 12:19:01", 1_762_345_141_000),
            ("2025-11-05 12:19", 1_762_345_140_000),
            ("2025-11-05", 1_762_300_800_000),
            ("20251105-121901", 1_762_345_141_000),
            ("Wed Nov  5 12:19:01 2025", 1_762_345_141_000),
        ] {
            assert_eq!(Moment::parse(text).map(|moment| moment.unix_ms), Some(unix_ms), "{text}");
        }
        let note = |text| Moment::parse(text).unwrap().note("x");
        assert!(
            note("2025-11-05").id() == "import-moment.no-time"
                && note("2025-11-05 12:19").id() == "import-moment.no-zone"
        );
    }

    #[test]
    fn other_texts_are_not_moments() {
        for text in [
            "",
            "2013",
            "2025-13-05",
            "2025-02-30",
            "05/26/2024",
            "24/05/26",
            "2025-11-05 25:00:00",
            "2025-11-05 noon",
            "2025-11-05 +1:00:00",
            "1969-12-31",
            "Wed Nov 5 12:19:01",
            "Wed Foo 5 12:19:01 2025",
            "日日日日-日日",
            "20251105-日日",
            "99999-01-01",
        ] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
