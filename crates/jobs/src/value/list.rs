//! Composite values: lists, one value per direction, words with arguments.

use cardiograph_core::direction::PerDirection;
use cardiograph_core::message;

use super::ValueError;
use super::number::{number_up_to, parse_decimal};

/// Parses a list of names separated by colons. `\:` is a colon in a name; empty names are skipped, as in fio.
///
/// # Errors
/// If there is no name.
pub fn split_list(text: &str) -> Result<Vec<String>, ValueError> {
    let mut names = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.peek() == Some(&':') => {
                letters.next().map_or((), |colon| push(&mut names, colon))
            }
            ':' => names.push(String::new()),
            letter => push(&mut names, letter),
        }
    }
    names.retain(|name| !name.is_empty());
    if names.is_empty() { Err(ValueError::Empty) } else { Ok(names) }
}

fn push(names: &mut [String], letter: char) {
    if let Some(name) = names.last_mut() {
        name.push(letter);
    }
}

/// Parses one value for each of read, write and trim, separated by commas, each by `parse`.
///
/// As in fio, a missing value at the end repeats the previous one (`4k,8k` trims 8k), and an empty one is `None`, which
/// leaves the default (`,8k` for reads, `4k,8k,` for trims).
///
/// # Errors
/// The first error of `parse`, or if all values are empty or there are more than three.
pub fn parse_per_direction<T: Clone>(
    text: &str,
    parse: impl Fn(&str) -> Result<T, ValueError>,
) -> Result<PerDirection<Option<T>>, ValueError> {
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.iter().all(|part| part.is_empty()) {
        return Err(ValueError::Empty);
    }
    if parts.len() > 3 {
        return Err(ValueError::TooMany { max: 3 });
    }
    let value = |index: usize| match parts[index.min(parts.len() - 1)] {
        "" => Ok(None),
        part => parse(part).map(Some),
    };
    Ok(PerDirection { read: value(0)?, write: value(1)?, trim: value(2)?, sync: None })
}

/// Splits a value such as `zipf:1.2` into its word, which must be one of `words`, and the text after the first colon.
///
/// # Errors
/// If there is no word, or it is not one of these.
pub fn split_word<'t>(
    text: &'t str,
    words: &[&'static str],
) -> Result<(&'static str, Option<&'t str>), ValueError> {
    let text = text.trim();
    let (word, argument) = text.split_once(':').map_or((text, None), |(word, rest)| (word, Some(rest)));
    if word.is_empty() {
        return Err(ValueError::Empty);
    }
    let known = words.iter().copied().find(|known| *known == word);
    known.map(|word| (word, argument)).ok_or_else(|| ValueError::UnknownWord { allowed: words.to_vec() })
}

/// Criteria of `steadystate`.
pub const STEADY_WORDS: &[&str] = &["iops", "iops_slope", "bw", "bw_slope", "lat", "lat_slope"];

/// A criterion of `steadystate`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steady {
    /// The metric: `iops`, `bw` or `lat`.
    pub metric: &'static str,
    /// Whether to check the slope of a line through the window rather than the largest deviation from its mean.
    pub by_slope: bool,
    /// The limit: a share of the mean in percent, or an absolute value in the metric's unit.
    pub limit: f64,
    /// Whether `limit` is in percent of the mean.
    pub is_percent: bool,
}

/// Parses a steady state criterion with its limit: `iops_slope:0.3%`, `bw:2`.
///
/// # Errors
/// If the criterion is unknown, or the limit is missing or invalid.
pub fn parse_steady(text: &str) -> Result<Steady, ValueError> {
    let (word, limit) = split_word(text, STEADY_WORDS)?;
    let limit =
        limit.map(str::trim).filter(|limit| !limit.is_empty()).ok_or(message!("jobs-value.limit-missing"))?;
    let (number, is_percent) = limit.strip_suffix('%').map_or((limit, false), |number| (number, true));
    let metric = word.strip_suffix("_slope");
    Ok(Steady {
        metric: metric.unwrap_or(word),
        by_slope: metric.is_some(),
        limit: parse_decimal(number)?,
        is_percent,
    })
}

/// The largest CPU number.
pub const CPU_MAX: u64 = 8_191;

/// Parses a list of CPUs such as `0,5,8-15`. Returns them sorted and unique.
///
/// # Errors
/// If a part is not a number or range, descends, or is above [`CPU_MAX`].
pub fn parse_cpu_list(text: &str) -> Result<Vec<u32>, ValueError> {
    let cpu = |text: &str| number_up_to(text, CPU_MAX);
    let mut cpus = Vec::new();
    for part in text.trim().split(',').map(str::trim) {
        let (from, to) = match part.split_once('-') {
            Some(("", rest)) if !rest.is_empty() => return Err(ValueError::Negative),
            Some((from, to)) => (cpu(from)?, cpu(to)?),
            None => (cpu(part)?, cpu(part)?),
        };
        if from > to {
            return Err(message!("jobs-value.descending").into());
        }
        cpus.extend(from..=to);
        // Repeated ranges must not accumulate.
        cpus.sort_unstable();
        cpus.dedup();
    }
    Ok(cpus)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{parse_bytes, parse_count};

    #[test]
    fn lists_of_names() {
        let cases: [(&str, &[&str]); 7] = [
            ("a", &["a"]),
            ("a:b", &["a", "b"]),
            (r"a\:b", &["a:b"]),
            (r"a\:b:/dev/x", &["a:b", "/dev/x"]),
            (":a::b:", &["a", "b"]),
            (r"a\b", &[r"a\b"]),
            ("a b, c", &["a b, c"]),
        ];
        for (text, names) in cases {
            assert_eq!(split_list(text), Ok(names.iter().map(|name| name.to_string()).collect()), "{text}");
        }
        assert_eq!(split_list(""), Err(ValueError::Empty));
        assert_eq!(split_list("::"), Err(ValueError::Empty));
    }

    #[test]
    fn one_value_for_each_direction() {
        let k = |n: u64| Some(n * 1_024);
        let cases = [
            ("4k", [k(4), k(4), k(4)]),
            ("4k,8k", [k(4), k(8), k(8)]),
            ("4k,8k,16k", [k(4), k(8), k(16)]),
            ("4k,8k,", [k(4), k(8), None]),
            (",8k", [None, k(8), k(8)]),
            (",8k,", [None, k(8), None]),
            ("16k,,32k", [k(16), None, k(32)]),
        ];
        for (text, [read, write, trim]) in cases {
            let expected = PerDirection { read, write, trim, sync: None };
            assert_eq!(parse_per_direction(text, parse_bytes), Ok(expected), "{text}");
        }
        assert_eq!(parse_per_direction("", parse_count), Err(ValueError::Empty));
        assert_eq!(parse_per_direction(",,", parse_count), Err(ValueError::Empty));
        assert_eq!(parse_per_direction("1,2,3,4", parse_count), Err(ValueError::TooMany { max: 3 }));
        assert_eq!(parse_per_direction("1,x", parse_count), Err(ValueError::NotANumber));
    }

    #[test]
    fn words_with_arguments() {
        let words = ["random", "zipf"];
        assert_eq!(split_word("zipf:1.2:0", &words), Ok(("zipf", Some("1.2:0"))));
        assert_eq!(split_word("random", &words), Ok(("random", None)));
        let unknown = Err(ValueError::UnknownWord { allowed: words.to_vec() });
        assert_eq!(split_word("zip:1", &words), unknown);
        assert_eq!(split_word(":1", &words), Err(ValueError::Empty));
    }

    #[test]
    fn steady_states() {
        let steady = |metric, by_slope, limit, is_percent| Ok(Steady { metric, by_slope, limit, is_percent });
        assert_eq!(parse_steady("iops_slope:0.3%"), steady("iops", true, 0.3, true));
        assert_eq!(parse_steady("bw:2"), steady("bw", false, 2.0, false));
        assert_eq!(parse_steady("bw_slope:1%"), steady("bw", true, 1.0, true));
        assert_eq!(parse_steady("lat:500"), steady("lat", false, 500.0, false));
        assert_eq!(parse_steady("lat_slope:1%"), steady("lat", true, 1.0, true));
        assert_eq!(parse_steady("iops"), Err(message!("jobs-value.limit-missing").into()));
        assert_eq!(parse_steady("iops:"), Err(message!("jobs-value.limit-missing").into()));
        assert_eq!(parse_steady("iops:x"), Err(ValueError::NotANumber));
        assert_eq!(parse_steady("iops:-1"), Err(ValueError::Negative));
        assert_eq!(parse_steady("iops:0.3%x"), Err(ValueError::NotANumber));
        assert_eq!(parse_steady("cpu:1"), Err(ValueError::UnknownWord { allowed: STEADY_WORDS.to_vec() }));
    }

    #[test]
    fn lists_of_cpus() {
        assert_eq!(parse_cpu_list("0,5,8-11"), Ok(vec![0, 5, 8, 9, 10, 11]));
        assert_eq!(parse_cpu_list("3, 1-2,2"), Ok(vec![1, 2, 3]));
        let bad = [
            ("", ValueError::Empty),
            ("x", ValueError::NotANumber),
            ("-1", ValueError::Negative),
            ("2-0", ValueError::Said(message!("jobs-value.descending"))),
            ("1-", ValueError::Empty),
            ("0,,1", ValueError::Empty),
            ("1k", ValueError::UnknownUnit("k".into())),
            ("0-4294967295", ValueError::OutOfRange { min: 0, max: CPU_MAX }),
        ];
        for (text, error) in bad {
            assert_eq!(parse_cpu_list(text), Err(error), "{text}");
        }
    }
}
