//! Purposes as data: uses of a drive, and their limits, read from TOML. `purposes.toml` has the shipped ones, their limits and
//! the sources of these.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use cardiograph_core::metric::{Metric, Unit};
use cardiograph_core::nearest::suggestion;
use cardiograph_core::verdict::Guards;
use cardiograph_core::{Message, NS_PER_MS, NS_PER_S, message};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use toml::Spanned;

/// A use of a drive, and its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Purpose {
    /// Its id on the command line and in reports.
    pub id: String,
    /// Its name for people, a noun.
    pub title: Message,
    /// Its limits.
    pub rules: Vec<Rule>,
}

/// A limit for a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Figures that can prove it, best first. They have the same unit.
    pub evidence: Vec<Evidence>,
    /// The limit in the unit of the figures: a minimum if more is better, a maximum if less is.
    pub limit: f64,
    /// The level that depends on it.
    pub guards: Guards,
    /// Whether the level needs the figure, or only considers it if present.
    pub required: bool,
    /// Source of the limit, in a sentence.
    pub source: Message,
}

/// How a figure relates to a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// It is what the rule asks for.
    Same(Metric),
    /// It was measured under harder conditions: keeping the limit proves it, missing the limit proves nothing.
    Harder(Metric),
    /// It was measured under easier conditions: missing the limit proves it, keeping the limit proves nothing.
    Easier(Metric),
}

impl Evidence {
    /// The figure.
    pub const fn metric(self) -> Metric {
        let (Evidence::Same(metric) | Evidence::Harder(metric) | Evidence::Easier(metric)) = self;
        metric
    }

    /// Whether the figure decides the rule when it passes, or when it fails.
    pub const fn settles(self, passes: bool) -> bool {
        match self {
            Evidence::Same(_) => true,
            Evidence::Harder(_) => passes,
            Evidence::Easier(_) => !passes,
        }
    }
}

/// The shipped purposes, in order.
pub static PURPOSES: LazyLock<Vec<Purpose>> = LazyLock::new(|| {
    let read = read(include_str!("purposes.toml"), |text| match text.strip_prefix('@') {
        Some(id) => Message::from_data(id),
        None => Message::verbatim(text),
    });
    read.unwrap_or_else(|error| panic!("purposes.toml: {error:?}"))
});

/// The shipped purposes, and after them a user's own, as TOML. A purpose with a shipped id replaces that one.
///
/// # Errors
/// Why the text has no purposes.
pub fn with_own(toml: Option<&str>) -> Result<Cow<'static, [Purpose]>, PurposeError> {
    let Some(toml) = toml else { return Ok(Cow::Borrowed(&PURPOSES)) };
    let own = from_toml(toml)?;
    let is_replaced = |purpose: &&Purpose| own.iter().any(|other| other.id == purpose.id);
    let shipped = PURPOSES.iter().filter(|purpose| !is_replaced(purpose)).cloned();
    Ok(shipped.chain(own.iter().cloned()).collect())
}

/// Reads a user's purposes.
///
/// # Errors
/// The first problem, and its place.
pub fn from_toml(toml: &str) -> Result<Vec<Purpose>, PurposeError> {
    read(toml, |text| Message::verbatim(text))
}

/// Maximum number of a user's purposes, and of the limits of each.
const COUNT_MAX: usize = 100;
/// Maximum length of a text, in characters.
const TEXT_CHARS_MAX: usize = 200;

/// Why a text has no purposes, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurposeError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The problem, as a phrase.
    pub problem: Message,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileData {
    purpose: Vec<Spanned<PurposeData>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PurposeData {
    id: Spanned<String>,
    title: Spanned<String>,
    limits: Vec<Spanned<LimitData>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitData {
    /// A name, or several.
    figure: Spanned<toml::Value>,
    enough: Option<Spanned<String>>,
    good: Option<Spanned<String>>,
    #[serde(default)]
    if_measured: bool,
    source: Spanned<String>,
}

/// A problem and its place, in bytes.
type Placed = (Range<usize>, Message);

fn other(span: Range<usize>, message: Message) -> Placed {
    (span, message)
}

fn read(toml: &str, text: impl Fn(&str) -> Message) -> Result<Vec<Purpose>, PurposeError> {
    let placed = |(span, problem): Placed| {
        let before = toml.get(..span.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
        PurposeError { line, column, problem }
    };
    let file: FileData = toml::from_str(toml).map_err(|error| {
        let problem = Message::verbatim(error.message().replace('\n', ", "));
        placed(other(error.span().unwrap_or_default(), problem))
    })?;
    let mut purposes: Vec<Purpose> = Vec::new();
    for data in file.purpose {
        let span = data.span();
        let purpose = purpose(data.into_inner(), span, &purposes, &text).map_err(placed)?;
        purposes.push(purpose);
    }
    if purposes.is_empty() || purposes.len() > COUNT_MAX {
        return Err(placed(other(0..0, message!("purpose-file.count", most = COUNT_MAX))));
    }
    Ok(purposes)
}

fn purpose(
    data: PurposeData,
    span: Range<usize>,
    earlier: &[Purpose],
    text: &impl Fn(&str) -> Message,
) -> Result<Purpose, Placed> {
    let id = data.id.get_ref();
    let is_word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if id.is_empty() || id.len() > TEXT_CHARS_MAX || !id.chars().all(is_word) {
        return Err(other(data.id.span(), message!("purpose-file.id")));
    }
    if earlier.iter().any(|purpose| purpose.id == *id) {
        return Err(other(data.id.span(), message!("purpose-file.twice", purpose = id)));
    }
    if data.limits.is_empty() || data.limits.len() > COUNT_MAX {
        return Err(other(span, message!("purpose-file.limits", purpose = id, most = COUNT_MAX)));
    }
    let title = sentence(&data.title, text)?;
    let mut rules = Vec::new();
    for limit in data.limits {
        let span = limit.span();
        rules.extend(levels(limit.into_inner(), span, text)?);
    }
    // Without a figure that it needs, a purpose would be approved by default.
    if !rules.iter().any(|rule| rule.required && rule.guards == Guards::Enough) {
        return Err(other(span, message!("purpose-file.none-needed", purpose = id)));
    }
    Ok(Purpose { id: id.clone(), title, rules })
}

fn sentence(written: &Spanned<String>, text: &impl Fn(&str) -> Message) -> Result<Message, Placed> {
    let written_text = written.get_ref();
    let length = written_text.chars().count();
    if length == 0 || length > TEXT_CHARS_MAX || written_text.contains(char::is_control) {
        return Err(other(written.span(), message!("purpose-file.text", most = TEXT_CHARS_MAX)));
    }
    Ok(text(written_text))
}

/// The rules of a limit: one for each level that it guards.
fn levels(data: LimitData, span: Range<usize>, text: &impl Fn(&str) -> Message) -> Result<Vec<Rule>, Placed> {
    let at = data.figure.span();
    let figures = match data.figure.get_ref() {
        toml::Value::Array(figures) => figures.as_slice(),
        figure => std::slice::from_ref(figure),
    };
    let evidence = figures.iter().map(|figure| evidence(figure).map_err(|problem| (at.clone(), problem)));
    let evidence = evidence.collect::<Result<Vec<Evidence>, Placed>>()?;
    let Some(Evidence::Same(first)) = evidence.first().copied() else {
        return Err(other(span, message!("purpose-file.first-figure")));
    };
    if evidence.iter().any(|evidence| evidence.metric().unit() != first.unit()) {
        return Err(other(at, message!("purpose-file.units")));
    }
    let levels = [(Guards::Enough, data.enough), (Guards::Good, data.good)];
    let levels: Vec<_> = levels.into_iter().filter_map(|(guards, limit)| Some((guards, limit?))).collect();
    if levels.is_empty() {
        return Err(other(span, message!("purpose-file.no-level")));
    }
    let (source, required) = (sentence(&data.source, text)?, !data.if_measured);
    let rule = |(guards, limit): (Guards, Spanned<String>)| {
        let value = parse_limit(limit.get_ref(), first.unit()).ok_or_else(|| {
            let example = example(first.unit());
            other(limit.span(), message!("purpose-file.limit", limit = limit.get_ref(), example))
        })?;
        Ok(Rule { evidence: evidence.clone(), limit: value, guards, required, source: source.clone() })
    };
    levels.into_iter().map(rule).collect()
}

fn evidence(written: &toml::Value) -> Result<Evidence, Message> {
    let text = written.as_str().unwrap_or_default().trim();
    let (kind, name): (fn(Metric) -> Evidence, &str) = match text.split_once(' ') {
        Some(("easier", name)) => (Evidence::Easier, name),
        Some(("harder", name)) => (Evidence::Harder, name),
        _ => (Evidence::Same, text),
    };
    // `explain` lists them with hyphens.
    let name = name.trim().replace('-', "_");
    let deserializer: StrDeserializer<'_, Error> = name.as_str().into_deserializer();
    let metric = Metric::deserialize(deserializer);
    metric.map(kind).map_err(|_| {
        let hint = suggestion(&name, &Metric::ALL.map(Metric::name));
        message!("purpose-file.figure", figure = name, hint)
    })
}

/// Reads a limit: a number above 0 with a unit.
fn parse_limit(text: &str, unit: Unit) -> Option<f64> {
    let text = text.trim();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, suffix) = (text[..end].parse::<f64>().ok()?, text[end..].trim());
    let factor = match unit {
        Unit::Bytes => bytes(suffix)?,
        Unit::BytesPerSecond => bytes(suffix.strip_suffix("/s")?)?,
        Unit::IosPerSecond => ["/s", "IOPS"].contains(&suffix).then_some(1.0)?,
        Unit::Nanoseconds => match suffix {
            "ns" => 1.0,
            "us" | "µs" => 1e3,
            "ms" => NS_PER_MS as f64,
            "s" => NS_PER_S as f64,
            _ => return None,
        },
        Unit::Count => suffix.is_empty().then_some(1.0)?,
    };
    // A limit of nothing is one for what must not happen: missed deadlines.
    Some(number * factor).filter(|limit| limit.is_finite() && (*limit > 0.0 || unit == Unit::Count))
}

fn bytes(suffix: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 9] = [
        ("B", 1.0),
        ("kB", 1e3),
        ("MB", 1e6),
        ("GB", 1e9),
        ("TB", 1e12),
        ("KiB", 1024.0),
        ("MiB", 1_048_576.0),
        ("GiB", 1_073_741_824.0),
        ("TiB", 1_099_511_627_776.0),
    ];
    UNITS.iter().find(|(name, _)| *name == suffix.trim()).map(|(_, factor)| *factor)
}

/// How a limit in this unit is written.
const fn example(unit: Unit) -> &'static str {
    match unit {
        Unit::Bytes => "32 GB",
        Unit::BytesPerSecond => "30 MB/s",
        Unit::IosPerSecond => "500/s",
        Unit::Nanoseconds => "10 ms",
        Unit::Count => "4",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(limit: &str) -> String {
        format!(
            "[[purpose]]\nid = 'logging'\ntitle = 'our logging'\nlimits = [\n  {{ {limit}, source = 's' }},\n]\n"
        )
    }

    #[test]
    fn own_purposes_are_read() {
        let toml = file("figure = ['sustained_write', 'easier sequential_write'], enough = '1.5 MB/s'");
        let [purpose] = &from_toml(&toml).unwrap()[..] else { panic!("one purpose") };
        let rule = Rule {
            evidence: vec![Evidence::Same(Metric::SustainedWrite), Evidence::Easier(Metric::SequentialWrite)],
            limit: 1.5e6,
            guards: Guards::Enough,
            required: true,
            source: Message::verbatim("s"),
        };
        assert_eq!(
            *purpose,
            Purpose { id: "logging".to_string(), title: Message::verbatim("our logging"), rules: vec![rule] }
        );
        let all = with_own(Some(&toml)).unwrap();
        assert_eq!(all.len(), PURPOSES.len() + 1);
        let replaced = with_own(Some(&toml.replace("logging", "nas"))).unwrap();
        assert_eq!(replaced.len(), PURPOSES.len());
        assert_eq!(replaced.last().unwrap().rules.len(), 1);
    }

    #[test]
    fn limits_have_units() {
        for (text, unit, expected) in [
            ("15 MB/s", Unit::BytesPerSecond, Some(15e6)),
            ("1.5MiB/s", Unit::BytesPerSecond, Some(1_572_864.0)),
            ("854/s", Unit::IosPerSecond, Some(854.0)),
            ("10 IOPS", Unit::IosPerSecond, Some(10.0)),
            ("10 ms", Unit::Nanoseconds, Some(1e7)),
            ("1 s", Unit::Nanoseconds, Some(1e9)),
            ("3.6 GB", Unit::Bytes, Some(3.6e9)),
            ("4", Unit::Count, Some(4.0)),
            ("0", Unit::Count, Some(0.0)),
            ("15", Unit::BytesPerSecond, None),
            ("15 MB", Unit::BytesPerSecond, None),
            ("10 ms", Unit::IosPerSecond, None),
            ("0/s", Unit::IosPerSecond, None),
            ("-1 ms", Unit::Nanoseconds, None),
            ("1e400 ms", Unit::Nanoseconds, None),
            ("4 cameras", Unit::Count, None),
            ("", Unit::Count, None),
        ] {
            let parsed = parse_limit(text, unit);
            let is_equal = parsed.zip(expected).is_none_or(|(a, b)| (a - b).abs() <= 1e-12 * b);
            assert!(parsed.is_some() == expected.is_some() && is_equal, "{text}: {parsed:?}");
        }
    }

    #[test]
    fn problems_have_a_place() {
        let limit = "figure = 'random_read_iops', enough = '5/s'";
        for (toml, line, column, problem) in [
            (String::new(), 1, 1, "missing field"),
            ("purpose = 1".to_string(), 1, 11, "invalid type"),
            ("purpose = []".to_string(), 1, 1, "purpose-file.count"),
            (file(limit).replace("'logging'", "'Our logging'"), 2, 6, "purpose-file.id"),
            (file(limit).replace("'our logging'", "''"), 3, 9, "purpose-file.text"),
            (file(limit).replace("title", "titel"), 3, 1, "unknown field"),
            (file(limit) + &file(limit), 8, 6, "purpose-file.twice"),
            (file(&limit.replace("5/s", "5 MB/s")), 5, 43, "purpose-file.limit"),
            (file(&limit.replace("enough", "great")), 5, 34, "unknown field"),
            (file(&limit.replace("random_read_iops", "random_reed_iops")), 5, 14, "random_reed_iops"),
            (
                file(&limit.replace("'random_read_iops'", "'easier random_read_iops'")),
                5,
                3,
                "purpose-file.first-figure",
            ),
            (
                file(&limit.replace("'random_read_iops'", "['random_read_iops', 'harder sync_p99']")),
                5,
                14,
                "purpose-file.units",
            ),
            (file(&format!("{limit}, good = '9 MB'")), 5, 57, "purpose-file.limit"),
            (file("figure = 'random_read_iops'"), 5, 3, "purpose-file.no-level"),
            (file(&format!("{limit}, if_measured = true")), 1, 1, "purpose-file.none-needed"),
        ] {
            let error = from_toml(&toml).unwrap_err();
            let text = error.problem.to_string();
            assert!(text.contains(problem), "{toml}: {text}");
            assert_eq!((error.line, error.column), (line, column), "{toml}: {text}");
        }
    }

    #[test]
    fn shipped_limits_are_consistent() {
        let mut ids: Vec<&str> = PURPOSES.iter().map(|purpose| purpose.id.as_str()).collect();
        ids.dedup();
        assert_eq!(
            ids,
            ["os", "db-light", "db-heavy", "containers", "nas", "sensors", "cameras", "recording"]
        );
        for purpose in PURPOSES.iter() {
            for guards in [Guards::Enough, Guards::Good] {
                let needed = |rule: &&Rule| rule.guards == guards && rule.required;
                assert!(purpose.rules.iter().any(|rule| needed(&rule)), "{}", purpose.id);
            }
            for good in purpose.rules.iter().filter(|rule| rule.guards == Guards::Good) {
                let same = |rule: &&Rule| rule.guards == Guards::Enough && rule.evidence == good.evidence;
                for enough in purpose.rules.iter().filter(same) {
                    let stricter = if good.evidence[0].metric().more_is_better() {
                        good.limit > enough.limit
                    } else {
                        good.limit < enough.limit
                    };
                    assert!(stricter, "{}: {}", purpose.id, good.source);
                }
            }
        }
    }

    #[test]
    fn derived_limits_follow_from_their_sources() {
        let limit = |purpose: &str, source: &str| {
            let purpose = PURPOSES.iter().find(|known| known.id == purpose).unwrap();
            purpose.rules.iter().find(|rule| rule.source.id() == source).unwrap().limit
        };
        assert_eq!(limit("os", "limit-android.random-read"), (3.5e6_f64 / 4_096.0).floor());
        assert_eq!(limit("os", "limit-android.random-write"), (0.5e6_f64 / 4_096.0).floor());
        let payload = 125e6 * 1_448.0 / 1_538.0;
        assert!((limit("nas", "limit-ethernet.whole") - payload).abs() < 1e5, "{payload}");
        assert_eq!(limit("nas", "limit-ethernet.half") * 2.0, limit("nas", "limit-ethernet.whole"));
        // Four cameras of 8 Mbit/s, for a year and for five.
        let year = 365.0 * 86_400.0;
        for (source, years) in [("limit-cameras.life", 1.0), ("limit-cameras.long-life", 5.0)] {
            let written = years * year * limit("cameras", "limit-cameras.four");
            assert!((limit("cameras", source) / written - 1.0).abs() < 1e-6, "{source}");
        }
        assert_eq!(limit("cameras", "limit-cameras.four"), 4.0 * 8e6 / 8.0);
    }
}
