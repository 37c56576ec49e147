//! A line of a log.

use cardiograph_core::Direction;
use cardiograph_core::histogram::FIO_BUCKETS;
use cardiograph_core::text::shown;
use cardiograph_core::{Message, message};

use super::Kind;

/// Largest coarseness of a histogram compared with fio's own, as a power of two.
const COARSENESS_MAX: u32 = 6;

/// The fields of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Milliseconds since the job began, or since 1970.
    pub(super) time_ms: u64,
    /// In the log's own unit; for histograms the number of I/Os.
    pub(super) value: u64,
    /// The maximum of a window, if logged.
    pub(super) max: Option<u64>,
    pub(super) direction: Direction,
    /// Length of an I/O in bytes.
    pub(super) block_bytes: u64,
    /// Whether it has an offset, which only lines of single I/Os have.
    pub(super) has_offset: bool,
    /// Nonzero counts by bucket.
    pub(super) buckets: Vec<(usize, u64)>,
    /// Number of buckets merged into one, as a power of two (`log_hist_coarseness`); the middle one has the sum.
    pub(super) coarseness: u32,
}

impl Line {
    pub(super) fn parse(line: &[u8], kind: Kind) -> Result<Self, Message> {
        let mut fields = Fields { rest: Some(line) };
        let time_ms = fields.number()?;
        if kind == Kind::Histogram {
            let (direction, block_bytes) = (direction(fields.number()?)?, fields.number()?);
            let Histogram { buckets, value, coarseness } = histogram(fields)?;
            let has_offset = false;
            return Ok(Self {
                time_ms,
                value,
                max: None,
                direction,
                block_bytes,
                has_offset,
                buckets,
                coarseness,
            });
        }
        let value = fields.number()?;
        let third = fields.number()?;
        let fourth = fields.number()?;
        // `time, value, direction, length`, or with a maximum `time, mean, maximum, direction, length`.
        let is_plain = third <= Direction::Sync.index() as u64;
        let (max, direction_number, block_bytes) =
            if is_plain { (None, third, fourth) } else { (Some(third), fourth, fields.number()?) };
        let direction = direction(direction_number)?;
        if max.is_some_and(|max| max < value) {
            return Err(message!("import-log.largest-below-mean", largest = third, mean = value));
        }
        // Followed by optional fields: offset, priority (a flag, or hexadecimal), time.
        let mut has_offset = None;
        while let Some(field) = fields.next() {
            let hex = field.strip_prefix(b"0x").filter(|digits| !digits.is_empty());
            let value = match hex {
                Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => 0,
                _ => number(field)?,
            };
            has_offset.get_or_insert(value > 1);
        }
        let has_offset = has_offset.unwrap_or(false);
        let buckets = Vec::new();
        Ok(Self { time_ms, value, max, direction, block_bytes, has_offset, buckets, coarseness: 0 })
    }
}

fn direction(number: u64) -> Result<Direction, Message> {
    let direction = usize::try_from(number).ok().and_then(|at| Direction::ALL.get(at));
    direction.copied().ok_or_else(|| message!("import-log.unknown-direction", number))
}

/// The counts of a histogram, for a [`Line`].
struct Histogram {
    buckets: Vec<(usize, u64)>,
    value: u64,
    coarseness: u32,
}

fn histogram(mut fields: Fields) -> Result<Histogram, Message> {
    let (mut counts, mut sum) = (Vec::new(), 0_u64);
    let mut bins = 0_usize;
    while let Some(field) = fields.next() {
        let count = number(field)?;
        if count > 0 {
            counts.push((bins, count));
            sum = sum.checked_add(count).ok_or(message!("import-log.counts-too-large"))?;
        }
        bins += 1;
    }
    let coarseness = (0..=COARSENESS_MAX).find(|shift| FIO_BUCKETS >> shift == bins);
    let coarseness =
        coarseness.ok_or_else(|| message!("import-log.wrong-bins", count = bins, bins = FIO_BUCKETS))?;
    // The middle of the merged buckets.
    let middle = |bin: usize| (bin << coarseness) + (1 << coarseness) / 2;
    counts.iter_mut().for_each(|(bin, _)| *bin = middle(*bin));
    Ok(Histogram { buckets: counts, value: sum, coarseness })
}

/// Numbers separated by commas.
struct Fields<'l> {
    rest: Option<&'l [u8]>,
}

impl<'l> Fields<'l> {
    fn next(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest?;
        let field = match rest.iter().position(|&byte| byte == b',') {
            Some(comma) => {
                self.rest = Some(&rest[comma + 1..]);
                &rest[..comma]
            }
            None => {
                self.rest = None;
                rest
            }
        };
        Some(field.trim_ascii())
    }

    fn number(&mut self) -> Result<u64, Message> {
        number(self.next().ok_or(message!("import-log.fields-missing"))?)
    }
}

fn number(digits: &[u8]) -> Result<u64, Message> {
    let mut value = (!digits.is_empty()).then_some(0_u64);
    for &digit in digits {
        let added = digit.is_ascii_digit().then(|| u64::from(digit - b'0'));
        value = value.zip(added).and_then(|(value, digit)| value.checked_mul(10)?.checked_add(digit));
    }
    value.ok_or_else(|| message!("import-value.not-whole", text = shown(&String::from_utf8_lossy(digits))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lat(line: &str) -> Result<Line, Message> {
        Line::parse(line.as_bytes(), Kind::Latency(cardiograph_core::quantity::LatencyKind::Total))
    }

    #[test]
    fn optional_columns_are_read() {
        let plain = lat("5, 44186, 0, 4096").unwrap();
        assert_eq!(
            (plain.time_ms, plain.value, plain.direction, plain.block_bytes),
            (5, 44_186, Direction::Read, 4_096)
        );
        for more in ["5, 44186, 0, 4096, 0", "5,44186,0,4096,0x8004", "5, 44186, 0, 4096, 8192, 1, 77"] {
            let line = lat(more).unwrap();
            assert_eq!(line.has_offset, more.contains("8192"));
            assert_eq!(Line { has_offset: false, ..line }, plain, "{more}");
        }
        let both = lat("1000, 44186, 90000, 1, 0, 0").unwrap();
        assert_eq!((both.max, both.direction), (Some(90_000), Direction::Write));
        for bad in [
            "",
            "5",
            "5, 6",
            "5, 6, 7",
            "5, 6, 0",
            "5, x, 0, 4096",
            "5, 6, 7, 8, 9",
            "5, -6, 0, 4096",
            "5, 6, 0, 4096, y",
            "5, 99999999999999999999, 0, 4096",
            "5, 9, 4, 1, 4096",
            "5, 6, 0, 4096, 0x",
        ] {
            assert!(lat(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn histograms_have_fios_number_of_counts() {
        let line = |bins: usize| {
            let counts: Vec<String> = (0..bins).map(|bin| u64::from(bin == 100).to_string()).collect();
            Line::parse(format!("1000, 1, 4096, {}", counts.join(", ")).as_bytes(), Kind::Histogram)
        };
        assert_eq!(line(1_856).unwrap().buckets, [(100, 1)]);
        let quarter = line(464).unwrap();
        assert_eq!((quarter.buckets, quarter.coarseness), (vec![(402, 1)], 2));
        assert_eq!(line(1_216).unwrap_err().id(), "import-log.wrong-bins");
    }
}
