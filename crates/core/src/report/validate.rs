//! Checks that a Report makes sense, whoever wrote it: ranges, order, sums, lengths and names.
//!
//! All numbers, texts and lists of a Report are read as JSON and checked against the tables here, by field name. A
//! new field is subject to the general limits automatically, and to a stricter one if its name is in a table.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::Report;
use crate::direction::Direction;
use crate::histogram::{BUCKETS, bucket_of};
use crate::result::RunResult;
use crate::text::shown;
use crate::{Message, message};

/// An inconsistency in a Report, and its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its path in the JSON, such as `steps[3].result.duration_ns`.
    pub place: String,
    /// The value and the rule that it breaks.
    pub problem: Message,
}

impl Problem {
    /// The inconsistency and its location.
    pub fn message(&self) -> Message {
        let problem = self.problem.clone();
        match self.place.as_str() {
            "" => message!("report-problem", problem),
            place => message!("report-problem.at", place, problem),
        }
    }
}

/// Maximum time in nanoseconds: ten years.
pub const TIME_NS_MAX: u64 = 10 * 365 * 86_400 * crate::NS_PER_S;
/// Maximum integer, as for the kernel's sizes and offsets.
const WHOLE_MAX: i128 = i64::MAX as i128;
/// Maximum number. Its square, and a sum of many squares, are finite.
const FLOAT_MAX: f64 = 1e30;
/// Maximum length of a text in bytes.
const TEXT_LEN_BYTES_MAX: usize = 1 << 20;
/// Maximum length of lists and maps, unless in [`LENGTHS`].
const LENGTH_MAX: usize = 100_000;
/// Maximum length of an id in bytes: a file name has at most 255, and the temporary file's is longer than the id.
const ID_LEN_BYTES_MAX: usize = 200;

/// Fields that may hold any number of their type: seeds, and values without a bound.
const UNBOUNDED: [&str; 3] = ["seed", "write_bytes_max", "time_ns_max"];

/// Fields with their minimum and maximum.
const RANGES: [(f64, f64, &[&str]); 7] = [
    (0.0, 100.0, &["percentile", "read_percent", "io_pressure_percent"]),
    (0.0, 255.0, &["spare_percent"]),
    (0.0, 1.0, &["p_value"]),
    (0.0, 1e6, &["wanted"]),
    (0.0, FLOAT_MAX, &["share", "half_width", "n_effective", "stdev", "stdev_ns", "predictability"]),
    (1.0, 12.0, &["month"]),
    (0.0, 253_402_300_799_999.0, &["started_unix_ms"]),
];

/// Fields of an object in non-decreasing order; missing ones are skipped.
const RISING: [&[&str]; 8] = [
    &["low", "value", "high"],
    &["min", "mean", "max"],
    &["min_ns", "mean_ns", "max_ns"],
    &["start_ns", "end_ns"],
    &["from_ns", "until_ns"],
    &["short_ios", "ios"],
    &["bad_blocks", "blocks"],
    &["used_bytes", "size_bytes"],
];

/// Sums in decimal text, as they may exceed 64 bits.
const SUMS: [&str; 2] = ["sum_ns", "sum_squares_ns2"];

/// Columns of a series' windows, besides `ios`.
const COLUMNS: [&str; 3] = ["bytes", "latency_ns_sum", "latency_ns_max"];

/// Maximum lengths of lists and maps used for pages, and of windows with their buckets.
const LENGTHS: [(usize, &[&str]); 4] = [
    (10_000, &["steps"]),
    (1_000, &["tags", "settings", "tables", "columns", "verdicts", "claims"]),
    (WINDOWS_MAX, &["ios", "bytes", "latency_ns_sum", "latency_ns_max", "filled"]),
    (100 * WINDOWS_MAX, &["buckets", "counts"]),
];
/// Maximum number of windows in a series: eleven days of tenths of a second.
const WINDOWS_MAX: usize = 10_000_000;

/// Checks a Report as a whole: ids, windows and workers that belong together. [`values`] checks each value.
///
/// # Errors
/// The first inconsistency.
pub fn validate(report: &Report) -> Result<(), Problem> {
    ids(report)?;
    for (at, step) in report.steps.iter().enumerate() {
        if let Some(result) = &step.result {
            windows(result, &format!("steps[{at}].result"))?;
        }
    }
    Ok(())
}

/// Whether a text can be the id of a Report: a plain file name without special meaning in a shell or path.
pub fn is_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !id.is_empty() && id.len() <= ID_LEN_BYTES_MAX && !id.starts_with(['.', '-']) && id.bytes().all(allowed)
}

fn ids(report: &Report) -> Result<(), Problem> {
    let problem = |place: String, problem: Message| Err(Problem { place, problem });
    if !is_id(&report.id) {
        return problem("id".to_string(), message!("report-value.id", id = shown(&report.id)));
    }
    let mut known = HashSet::new();
    for (at, step) in report.steps.iter().enumerate() {
        let (id, place) = (&step.step.id, format!("steps[{at}].step.id"));
        if id.is_empty() || id.chars().any(char::is_control) {
            return problem(place, message!("report-value.step-id", id = shown(id)));
        }
        if !known.insert(id) {
            return problem(place, message!("report-value.repeated-id", id = shown(id)));
        }
    }
    Ok(())
}

/// Checks that the windows of workers fit together.
fn windows(result: &RunResult, place: &str) -> Result<(), Problem> {
    let lengths = result.workers.iter().map(|worker| worker.series.window_ns).enumerate();
    let mut lengths = lengths.filter(|&(_, window_ns)| window_ns > 0);
    let Some((_, first_ns)) = lengths.next() else { return Ok(()) };
    let fits = |ns: u64| ns.is_multiple_of(first_ns) || first_ns.is_multiple_of(ns);
    match lengths.find(|&(_, ns)| !fits(ns)) {
        None => Ok(()),
        Some((at, ns)) => Err(Problem {
            place: format!("{place}.workers[{at}].series.window_ns"),
            problem: message!("report-value.windows", ns = ns.to_string(), first = first_ns.to_string()),
        }),
    }
}

/// Validates each value of a Report as JSON while reading, without storing it.
///
/// # Errors
/// The first invalid value. Invalid JSON has an empty location.
pub fn values(json: &[u8]) -> Result<(), Problem> {
    let mut problem = None;
    let mut json = serde_json::Deserializer::from_slice(json);
    let walked = Walk { field: "", problem: &mut problem }.deserialize(&mut json);
    walked.map(drop).map_err(|error| match problem {
        Some(Problem { place, problem }) => {
            Problem { place: place.trim_start_matches('.').to_string(), problem }
        }
        None => Problem { place: String::new(), problem: Message::verbatim(error.to_string()) },
    })
}

/// Visits a value.
struct Walk<'a> {
    /// The field that it belongs to, across nested lists.
    field: &'a str,
    /// The inconsistency, and its location below this value.
    problem: &'a mut Option<Problem>,
}

#[derive(Debug, Clone, Copy)]
enum Number {
    Whole(i128),
    Float(f64),
}

/// Summary of a list: its length and first two numbers; for a list of pairs, the first and last key, whether keys
/// ascend, and the sum of the counts.
#[derive(Debug, Clone, Copy)]
struct List {
    len: usize,
    pair: [i128; 2],
    ends: [i128; 2],
    rises: bool,
    sum: i128,
}

/// Summary of the value read.
#[derive(Clone, Copy)]
enum Seen {
    Number(Number),
    /// A list; for an object its list `ios`.
    List(List),
    Other,
}

/// The fields of an object.
struct Object(Vec<(String, Seen)>);

impl Number {
    fn as_f64(self) -> f64 {
        match self {
            Number::Whole(whole) => whole as f64,
            Number::Float(float) => float,
        }
    }

    /// Whether it is greater by more than rounding.
    fn is_above(self, other: Number) -> bool {
        if let (Number::Whole(a), Number::Whole(b)) = (self, other) {
            return a > b;
        }
        let (a, b) = (self.as_f64(), other.as_f64());
        a - b > 1e-9 * a.abs().max(b.abs())
    }

    fn check(self, field: &str) -> Result<(), Message> {
        let number = || self.to_string();
        if let Some(&(low, high, _)) = RANGES.iter().find(|(.., names)| names.contains(&field)) {
            return match (low..=high).contains(&self.as_f64()) {
                true => Ok(()),
                false if high == FLOAT_MAX => {
                    Err(message!("report-value.less", number = number(), low = low.to_string()))
                }
                false => {
                    let (low, high) = (low.to_string(), high.to_string());
                    Err(message!("report-value.range", number = number(), low, high))
                }
            };
        }
        match self {
            _ if UNBOUNDED.contains(&field) => Ok(()),
            _ if field.ends_with("_ns") && self.as_f64().abs() > TIME_NS_MAX as f64 => {
                Err(message!("report-value.time", number = number()))
            }
            Number::Whole(whole) if whole.abs() > WHOLE_MAX => {
                Err(message!("report-value.greater", number = number(), most = WHOLE_MAX.to_string()))
            }
            Number::Float(float) if float.abs() > FLOAT_MAX => {
                Err(message!("report-value.greater", number = number(), most = format!("{FLOAT_MAX:e}")))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Whole(whole) => write!(f, "{whole}"),
            Number::Float(float) => write!(f, "{float}"),
        }
    }
}

impl Object {
    fn field(&self, name: &str) -> Option<Seen> {
        self.0.iter().find(|(field, _)| field == name).map(|&(_, seen)| seen)
    }

    fn number(&self, name: &str) -> Option<Number> {
        if let Some(Seen::Number(number)) = self.field(name) { Some(number) } else { None }
    }

    fn whole(&self, name: &str) -> Option<i128> {
        if let Some(Number::Whole(whole)) = self.number(name) { Some(whole) } else { None }
    }

    fn list(&self, name: &str) -> Option<List> {
        if let Some(Seen::List(list)) = self.field(name) { Some(list) } else { None }
    }

    /// The field that is inconsistent with the others, and why.
    fn check(&self) -> Result<(), (&'static str, Message)> {
        // Zeros stand for missing values and have no order.
        let is_empty = self.whole("n") == Some(0);
        for names in RISING.iter().filter(|_| !is_empty) {
            let there: Vec<_> = names.iter().filter_map(|name| Some((*name, self.number(name)?))).collect();
            for pair in there.windows(2) {
                let [(low, less), (high, more)] = [pair[0], pair[1]];
                if less.is_above(more) {
                    let (less, more) = (less.to_string(), more.to_string());
                    let problem = message!("report-value.falls", number = less, field = high, other = more);
                    return Err((low, problem));
                }
            }
        }
        if let (Some(n), Some(buckets)) = (self.whole("n"), self.list("buckets")) {
            self.latency(n, buckets)?;
        }
        if let Some(ios) = self.list("ios") {
            for name in COLUMNS {
                if let Some(list) = self.list(name).filter(|list| list.len != ios.len) {
                    let problem = message!("report-value.columns", windows = list.len, ios = ios.len);
                    return Err((name, problem));
                }
            }
        }
        match (self.whole("window_ns"), self.whole("duration_ns")) {
            (Some(window_ns), Some(duration_ns)) => self.series(window_ns, duration_ns),
            _ => Ok(()),
        }
    }

    /// Checks that the exact figures of a latency match its buckets.
    fn latency(&self, n: i128, buckets: List) -> Result<(), (&'static str, Message)> {
        if buckets.sum != n {
            let (n, sum) = (n.to_string(), buckets.sum.to_string());
            return Err(("n", message!("report-value.bucket-sum", n, sum)));
        }
        let is_known = buckets.ends.iter().all(|bucket| (0..BUCKETS as i128).contains(bucket));
        if buckets.len > 0 && !(buckets.rises && is_known) {
            return Err(("buckets", message!("report-value.buckets", most = BUCKETS.to_string())));
        }
        for (name, bucket) in [("min_ns", buckets.ends[0]), ("max_ns", buckets.ends[1])] {
            let ns = self.whole(name).and_then(|ns| u64::try_from(ns).ok()).unwrap_or(0);
            if n > 0 && bucket_of(ns) as i128 != bucket {
                let (ns, bucket) = (ns.to_string(), bucket.to_string());
                return Err((name, message!("report-value.other-bucket", ns, bucket)));
            }
        }
        // The stored mean must match the sum.
        let mean_ns = self.whole("sum_ns").map(|sum_ns| Number::Float(sum_ns as f64 / n.max(1) as f64));
        let bounds_ns = self.number("min_ns").zip(self.number("max_ns"));
        match mean_ns.zip(bounds_ns) {
            Some((mean, (min, max))) if n > 0 && (min.is_above(mean) || mean.is_above(max)) => {
                Err(("sum_ns", message!("report-value.sum", n = n.to_string())))
            }
            None => Err(("sum_ns", message!("report-value.not-a-sum"))),
            _ => Ok(()),
        }
    }

    /// Checks that a series has its stated length.
    fn series(&self, window_ns: i128, duration_ns: i128) -> Result<(), (&'static str, Message)> {
        let rows = Direction::ALL.iter().filter_map(|way| self.list(way.name())).map(|rows| rows.len).max();
        let (rows, windows) = (rows.unwrap_or(0), duration_ns.checked_div(window_ns).unwrap_or(0));
        match window_ns {
            0 if rows > 0 => Err(("window_ns", message!("report-value.no-window", windows = rows))),
            // The last window may have just begun.
            _ if rows as i128 > windows + 2 => Err((
                "duration_ns",
                message!(
                    "report-value.duration",
                    ns = duration_ns.to_string(),
                    windows = windows.to_string(),
                    window = window_ns.to_string(),
                    found = rows
                ),
            )),
            _ => Ok(()),
        }
    }
}

impl Walk<'_> {
    /// Visits a part of the value.
    fn part<'a>(&'a mut self, field: Option<&'a str>) -> Walk<'a> {
        Walk { field: field.unwrap_or(self.field), problem: self.problem }
    }

    /// Records an inconsistency below the value.
    fn failed<E: de::Error>(&mut self, place: String, problem: Message) -> E {
        *self.problem = Some(Problem { place, problem });
        E::custom("it makes no sense")
    }

    /// Adds a part's location to an inconsistency.
    fn failed_in<E>(&mut self, part: &str, error: E) -> E {
        self.problem.iter_mut().for_each(|problem| problem.place.insert_str(0, part));
        error
    }

    fn number<E: de::Error>(mut self, number: Number) -> Result<Seen, E> {
        let outcome = number.check(self.field);
        outcome.map(|()| Seen::Number(number)).map_err(|problem| self.failed(String::new(), problem))
    }

    fn length<E: de::Error>(&mut self, len: usize) -> Result<(), E> {
        let own = LENGTHS.iter().find(|(_, names)| names.contains(&self.field));
        match own.map_or(LENGTH_MAX, |&(most, _)| most) {
            most if len > most => Err(self.failed(String::new(), message!("report-value.entries", most))),
            _ => Ok(()),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = Seen;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Seen, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = Seen;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Seen, E> {
        self.number(Number::Whole(number.into()))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Seen, E> {
        self.number(Number::Whole(number.into()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Seen, E> {
        self.number(Number::Float(number))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<Seen, E> {
        Ok(Seen::Other)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Seen, E> {
        Ok(Seen::Other)
    }

    fn visit_str<E: de::Error>(mut self, text: &str) -> Result<Seen, E> {
        match text.len() {
            _ if SUMS.contains(&self.field) => {
                Ok(text.parse().map_or(Seen::Other, |sum| Seen::Number(Number::Whole(sum))))
            }
            ..=TEXT_LEN_BYTES_MAX => Ok(Seen::Other),
            len => {
                let problem = message!("report-value.text", bytes = len, most = TEXT_LEN_BYTES_MAX);
                Err(self.failed(String::new(), problem))
            }
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<Seen, A::Error> {
        let mut found = List { len: 0, pair: [0; 2], ends: [0; 2], rises: true, sum: 0 };
        loop {
            let next = list.next_element_seed(self.part(None));
            let next = next.map_err(|error| self.failed_in(&format!("[{}]", found.len), error));
            let Some(seen) = next? else { return Ok(Seen::List(found)) };
            match seen {
                Seen::Number(Number::Whole(whole)) => {
                    found.pair.get_mut(found.len).into_iter().for_each(|number| *number = whole);
                }
                Seen::List(List { len: 2, pair: [key, count], .. }) => {
                    found.rises &= found.len == 0 || key > found.ends[1];
                    found.ends = [if found.len == 0 { key } else { found.ends[0] }, key];
                    found.sum += count;
                }
                _ => {}
            }
            found.len += 1;
            self.length(found.len)?;
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Seen, A::Error> {
        let mut object = Object(Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            self.part(None).visit_str(&key)?;
            let seen = map.next_value_seed(self.part(Some(&key)));
            let seen = seen.map_err(|error| self.failed_in(&format!(".{}", shown(&key)), error))?;
            object.0.push((key, seen));
            self.length(object.0.len())?;
        }
        match object.check() {
            Err((field, problem)) => Err(self.failed(format!(".{field}"), problem)),
            Ok(()) => Ok(object.list("ios").map_or(Seen::Other, Seen::List)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direction::Direction;
    use crate::histogram::Latency;
    use crate::imported::{Figure, Imported};
    use crate::method::Method;
    use crate::metric::{Measured, Metric};
    use crate::quantity::Quantity;
    use crate::report::{Step, StepOutcome, StepResult, Work, json};
    use crate::series::{Interval, Series};
    use crate::{Estimate, NS_PER_S};

    fn step(id: &str) -> StepResult {
        let mut latency = Latency::default();
        [100, 5_000, 70_000_000].iter().for_each(|&ns| latency.record(ns));
        let mut series = Series { window_ns: NS_PER_S, duration_ns: 3 * NS_PER_S, ..Series::default() };
        series.rows.read = vec![Interval { ios: 1, bytes: 4_096, latency_ns_sum: 1, latency_ns_max: 1 }; 3];
        let mut imported = Imported { series: Some(series), ..Imported::default() };
        imported.latency.read = Some(latency);
        imported.figures.push(Figure::bare(Some(Direction::Read), Quantity::Iops, 3.0, 3));
        imported.others.insert("what".to_string(), "else".to_string());
        let work = Work::Imported(Method { tool: "fio".to_string(), ..Method::default() });
        StepResult {
            imported: Some(imported),
            ..StepResult::new(Step::measuring(id, Message::verbatim("A step"), work), StepOutcome::Done)
        }
    }

    fn report() -> Report {
        Report { steps: vec![step("a"), step("b")], ..Report::new("20260101-x", 0, "cardiograph", "quick") }
    }

    /// The error for a Report after a change.
    fn problem(change: impl FnOnce(&mut Report)) -> String {
        let mut changed = report();
        change(&mut changed);
        problem_of(&serde_json::to_value(&changed).unwrap())
    }

    fn problem_of(json: &serde_json::Value) -> String {
        let text = json.to_string();
        let typed = || validate(&json::read_report(text.as_bytes()).unwrap());
        values(text.as_bytes()).and_then(|()| typed()).map_or_else(
            |Problem { place, problem }| format!("{place}: {problem}"),
            |()| "nothing".to_string(),
        )
    }

    fn series(report: &mut Report) -> &mut Series {
        report.steps[1].imported.as_mut().unwrap().series.as_mut().unwrap()
    }

    fn estimate(report: &mut Report) -> &mut Estimate {
        &mut report.steps[1].imported.as_mut().unwrap().figures[0].estimate
    }

    #[test]
    fn an_inconsistency_is_reported_with_its_location_and_rule() {
        assert_eq!(problem(|_| {}), "nothing");
        assert_eq!(problem(|r| r.seed = u64::MAX), "nothing");
        let place = "steps[1].imported.";
        let cases = [
            (problem(|r| estimate(r).value = -1e31), "report-value.greater(most=1e30"),
            (
                problem(|r| estimate(r).low = Some(4.0)),
                "figures[0].estimate.low: report-value.falls(field=value, number=4, other=3)",
            ),
            (
                problem(|r| estimate(r).high = Some(2.5)),
                "figures[0].estimate.value: report-value.falls(field=high, number=3, other=2.5)",
            ),
            (
                problem(|r| estimate(r).n_effective = -1.0),
                "figures[0].estimate.n_effective: report-value.less(low=0, number=-1)",
            ),
            (
                problem(|r| series(r).duration_ns = 1 << 63),
                "series.duration_ns: report-value.time(number=9223372036854775808)",
            ),
            (
                problem(|r| series(r).duration_ns = 0),
                "series.duration_ns: report-value.duration(found=3, ns=0, window=1000000000, windows=0)",
            ),
            (problem(|r| series(r).window_ns = 0), "series.window_ns: report-value.no-window(windows=3)"),
            (
                problem(|r| series(r).rows.read[1].ios = u64::MAX),
                "series.read.ios[1]: report-value.greater(most=9223372036854775807, number=18446744073709551615)",
            ),
            (
                problem(|r| {
                    drop(
                        r.steps[1]
                            .imported
                            .as_mut()
                            .unwrap()
                            .others
                            .insert("k".to_string(), "x".repeat(2 << 20)),
                    )
                }),
                "others.k: report-value.text(bytes=2097152, most=1048576)",
            ),
        ];
        for (found, expected) in cases {
            assert!(found.starts_with(place) && found.contains(expected), "{found}: {expected}");
        }
        let cases = [
            (problem(|r| r.id = "../x".to_string()), "id: report-value.id(id=../x)"),
            (
                problem(|r| r.steps[1].step.id = "a".to_string()),
                "steps[1].step.id: report-value.repeated-id(id=a)",
            ),
            (problem(|r| r.steps[0].step.id.clear()), "steps[0].step.id: report-value.step-id(id=)"),
            (
                problem(|r| r.started_unix_ms = u64::MAX),
                "started_unix_ms: report-value.range(high=253402300799999, low=0, number=18446744073709551615)",
            ),
            (
                problem(|r| r.notes = vec![Message::default(); 100_001]),
                "notes: report-value.entries(most=100000)",
            ),
            (
                problem(|r| {
                    let estimate = Estimate { value: 5.0, ..Estimate::bare(1.0, 1) };
                    let measured = Measured {
                        estimate: Estimate { low: Some(6.0), ..estimate },
                        step: String::new(),
                        doubt: None,
                    };
                    r.measurements.insert(Metric::Capacity, measured);
                }),
                "measurements.capacity.estimate.low: report-value.falls(field=value, number=6, other=5)",
            ),
        ];
        for (found, expected) in cases {
            assert!(found.starts_with(expected), "{found}: {expected}");
        }
    }

    #[test]
    fn a_latency_must_match_its_buckets() {
        let whole = serde_json::to_value(report()).unwrap();
        let cases = [
            ("n", "7", "n: report-value.bucket-sum(n=7, sum=3)"),
            ("min_ns", "80000000", "min_ns: report-value.falls(field=mean_ns, number=80000000"),
            ("min_ns", "99", "min_ns: report-value.other-bucket(bucket="),
            ("max_ns", "80000000", "max_ns: report-value.other-bucket(bucket="),
            ("max_ns", "18446744073709551615", "max_ns: report-value.time(number=18446744073709551615)"),
            ("mean_ns", "1", "min_ns: report-value.falls(field=mean_ns, number=100"),
            ("sum_ns", "\"0\"", "sum_ns: report-value.sum(n=3)"),
            ("sum_ns", "\"99999999999999999999999999999999999999999\"", "sum_ns: report-value.not-a-sum"),
            ("buckets", "[[3000, 3]]", "buckets: report-value.buckets(most=2496)"),
            ("buckets", "[[5, 1], [4, 2]]", "buckets: report-value.buckets(most=2496)"),
            ("buckets", "[[4, 1], [4, 2]]", "buckets: report-value.buckets(most=2496)"),
        ];
        for (field, value, expected) in cases {
            let mut changed = whole.clone();
            changed["steps"][0]["imported"]["latency"]["read"][field] = serde_json::from_str(value).unwrap();
            let problem = problem_of(&changed);
            let place = "steps[0].imported.latency.read.";
            assert!(problem.starts_with(&format!("{place}{expected}")), "{problem}");
        }
    }
}
