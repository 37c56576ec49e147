//! Checks the table of spellings: fio's value of each, and ours.

use std::collections::BTreeSet;

use cardiograph_core::direction::PerDirection;
use cardiograph_core::spec::{JobSpec, Origin};
use cardiograph_core::{KIB, NS_PER_MS};
use proptest::prelude::*;

use crate::options::{OPTIONS, OptionDef, OptionKind, SPELLING_CLASSES, find};
use crate::resolve::{Nowhere, Problem, ResolveContext, Resolved, resolve_all};
use crate::value::*;

const TABLE: &str = include_str!("../spellings.tsv");

/// Option, spelling, fio's value, and the class if we differ.
fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    TABLE.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        std::array::from_fn(|_| columns.next().unwrap_or_default())
    })
}

fn resolved(option: &str, spelling: &str) -> Option<Resolved> {
    let spec = JobSpec::new("x", Origin::CommandLine { word: 1 }).set("ioengine", "null").set("size", "1m");
    let context = ResolveContext { run_seed: 1, window_ns: 100 * NS_PER_MS, surroundings: &Nowhere };
    match resolve_all(&[spec.set(option, spelling)], &context) {
        Ok(resolved) => Some(resolved),
        // fio also reports at start that a region is too small for such a value.
        Err(found) if found.iter().any(|found| matches!(found.problem, Problem::BadValue(_))) => None,
        Err(_) => Some(Resolved::default()),
    }
}

/// Whether fio's value equals ours.
fn is_equal(def: &OptionDef, text: &str, fio: &str) -> bool {
    match def.kind {
        _ if fio == "accepted" => true,
        OptionKind::Percentiles => {
            let shown: Vec<String> = parse_percentiles(text).unwrap().iter().map(f64::to_string).collect();
            shown.join(" ") == fio
        }
        OptionKind::CpuList => parse_cpu_list(text) == parse_cpu_list(fio),
        OptionKind::Split => {
            let parts = parse_per_direction(text, |part| parse_split(part, KIB)).unwrap().read;
            let parts = parts.unwrap_or_else(|| vec![(4_096, 100)]);
            let number = |text: &str| text.parse::<f64>().unwrap();
            let drawn: Vec<(f64, f64)> = fio
                .split(' ')
                .map(|part| part.split_once(':').unwrap())
                .map(|(len, ios)| (number(len), number(ios)))
                .collect();
            let all: f64 = drawn.iter().map(|(_, ios)| ios).sum();
            let drawn_of =
                |len| drawn.iter().filter(|drawn| drawn.0 == len).map(|drawn| drawn.1 / all).sum::<f64>();
            let meant_of = |len| {
                parts
                    .iter()
                    .filter(|part| part.0 as f64 == len)
                    .map(|part| f64::from(part.1) / 100.0)
                    .sum::<f64>()
            };
            let lens = drawn.iter().map(|drawn| drawn.0).chain(parts.iter().map(|part| part.0 as f64));
            // A few thousand I/Os are drawn.
            lens.into_iter().all(|len| (drawn_of(len) - meant_of(len)).abs() < 0.04)
        }
        OptionKind::BytesRangePerDirection => {
            let read = parse_per_direction(text, |part| parse_bytes_range(part, KIB)).unwrap().read;
            let (from, to) = read.unwrap_or((4_096, 4_096));
            format!("{from} {to}") == fio
        }
        OptionKind::WordWithArguments(STEADY_WORDS) => {
            let steady = parse_steady(text).unwrap();
            let (slope, percent) =
                (if steady.by_slope { "_slope" } else { "" }, if steady.is_percent { "%" } else { "" });
            format!("{}{slope}:{:.6}{percent}", steady.metric, steady.limit) == fio
        }
        OptionKind::Text => {
            let pattern =
                parse_pattern(text, PatternKind::Buffer, |_| Err(cardiograph_core::Message::default()))
                    .unwrap();
            let mut bytes = [0; 24];
            pattern.fill(&mut bytes, 0);
            bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() == fio
        }
        _ => numbers(def, text) == counting(def, fio),
    }
}

/// The numbers of a value in fio's units: bytes, percentages counted down from the largest number, microseconds.
fn numbers(def: &OptionDef, text: &str) -> Vec<Option<u64>> {
    let each = |values: PerDirection<Option<u64>>| vec![values.read, values.write, values.trim];
    // fio takes the times of logs as plain numbers.
    let tick_ns = if def.name == "log_avg_msec" { NS_PER_MS } else { 1_000 };
    match def.kind {
        OptionKind::BytesOrPercent => match parse_amount(text, KIB).unwrap() {
            Amount::Bytes(bytes) => vec![Some(bytes)],
            Amount::Percent(percent) => vec![Some(u64::MAX - u64::from(percent))],
        },
        OptionKind::BytesRange => {
            parse_bytes_range(text, KIB).map(|(from, to)| vec![Some(from), Some(to)]).unwrap()
        }
        OptionKind::CountPerDirection { .. } | OptionKind::BytesPerDirection => {
            each(parse_per_direction(text, parse_bytes).unwrap())
        }
        OptionKind::Duration { unit_ns } => vec![Some(parse_duration_ns(text, unit_ns).unwrap() / tick_ns)],
        OptionKind::DurationRange { unit_ns } => {
            let (from, to) = parse_duration_range_ns(text, unit_ns).unwrap();
            vec![Some(from / tick_ns), Some(to / tick_ns)]
        }
        OptionKind::DurationPerDirection { unit_ns } => each(
            parse_per_direction(text, |part| parse_duration_ns(part, unit_ns).map(|ns| ns / tick_ns))
                .unwrap(),
        ),
        OptionKind::Switch | OptionKind::Flag => vec![Some(u64::from(parse_switch(text).unwrap()))],
        OptionKind::SignedCount { .. } => vec![Some(parse_signed(text).unwrap() as u64)],
        _ => vec![Some(parse_count(text).unwrap())],
    }
}

/// fio's numbers that have an effect: it parses all in a text, but an option holds only some.
fn counting(def: &OptionDef, fio: &str) -> Vec<Option<u64>> {
    let read: Vec<Option<u64>> =
        fio.split(' ').map(|number| number.parse::<i128>().ok().map(|n| n as u64)).collect();
    let there: Vec<u64> = read.iter().flatten().copied().collect();
    let (first, last) = (there.first().copied(), there.last().copied());
    match def.kind {
        OptionKind::BytesOrPercent => vec![last],
        OptionKind::Count { .. } if super::LAST_COUNTS.contains(&def.name) => vec![last],
        OptionKind::BytesRange | OptionKind::DurationRange { .. } => {
            let (from, to) = (first, there.get(1).copied().or(first));
            vec![from.min(to), from.max(to)]
        }
        OptionKind::CountPerDirection { .. }
        | OptionKind::BytesPerDirection
        | OptionKind::DurationPerDirection { .. } => {
            [0, 1, 2].map(|index| read[index.min(read.len() - 1)]).to_vec()
        }
        OptionKind::Switch | OptionKind::Flag => vec![first.map(|number| number.min(1))],
        _ => vec![first],
    }
}

/// Compares fio's value of a spelling with ours; the message has both.
fn compared(option: &str, spelling: &str, fio: &str) -> Result<(), String> {
    let Some(def) = find(option) else { return Err("no such option".to_string()) };
    let plain = def.plain(spelling);
    let here = resolved(option, spelling);
    match (fio, here) {
        ("refused", None) => Ok(()),
        ("refused", Some(_)) => Err(format!("fio refuses it, here it is '{plain}'")),
        (_, None) => Err("refused here".to_string()),
        _ if is_equal(def, &plain, fio) => Ok(()),
        _ => Err(format!("here it is '{plain}'")),
    }
}

#[test]
fn each_spelling_matches_fio_or_belongs_to_a_class() {
    let classes: BTreeSet<&str> =
        SPELLING_CLASSES.lines().filter_map(|line| line.split('\t').next()).collect();
    assert!(classes.len() <= 10);
    let mut wrong = Vec::new();
    for [option, spelling, fio, class] in rows() {
        match (compared(option, spelling, fio), class) {
            (Ok(()), "") => {}
            (Err(_), class) if classes.contains(class) => {}
            (Ok(()), _) => wrong.push(format!("{option}={spelling}: read as by fio, and is in {class}")),
            (Err(message), _) => wrong.push(format!("{option}={spelling}: {fio}: {message} [{class}]")),
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    let met: BTreeSet<&str> = rows().map(|[.., class]| class).filter(|class| !class.is_empty()).collect();
    assert_eq!(met, classes, "a class without rows");
}

/// Values with a changed meaning get a note.
#[test]
fn normalised_values_have_a_note() {
    for [option, spelling, ..] in rows() {
        let Some(resolved) = resolved(option, spelling).filter(|resolved| !resolved.plan.jobs.is_empty())
        else {
            continue;
        };
        let is_respelled = find(option).is_some_and(|def| def.plain(spelling) != spelling);
        let has_note = resolved.remarks.iter().any(|remark| remark.why.id() == "jobs-remark.read-as");
        assert_eq!(has_note, is_respelled, "{option}={spelling}");
    }
}

/// Well-formed values stay unchanged.
#[test]
fn normalising_is_idempotent() {
    for [option, spelling, ..] in rows() {
        let def = find(option).unwrap();
        let plain = def.plain(spelling);
        assert_eq!(def.plain(&plain), plain, "{option}={spelling}");
    }
}

proptest! {
    /// Any text is either normalised to something valid, or unchanged.
    #[test]
    fn any_text_is_normalised_or_unchanged(text in "[0-9]{0,21}([-:/,.%x+ ]?[0-9kKmMgGiIbBsezuE%é]{0,4}){0,6}") {
        for def in OPTIONS.iter() {
            let plain = def.plain(&text);
            prop_assert!(plain == text || def.kind.check(&plain, KIB).is_ok(), "{} {text}", def.name);
            prop_assert_eq!(def.plain(&plain), &*plain, "{} {}", def.name, text);
        }
    }
}
