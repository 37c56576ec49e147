//! `cardiograph compare`: compares groups of checkups.

use std::collections::BTreeSet;
use std::path::Path;

use cardiograph_core::json as report_json;
use cardiograph_core::nearest::{suggestion, suggestion_or};
use cardiograph_core::quantity::Quantity;
use cardiograph_core::summary::SmolStr;
use cardiograph_core::text::shown;
use cardiograph_core::{Parameter, message};
use cardiograph_fio::fio_command::shell_word;
use cardiograph_import::shelf::standing;
use cardiograph_judge::compare::by::{self, UnknownFact};
use cardiograph_judge::compare::{Comparison, Group, compare};
use cardiograph_judge::record::RunFigures;
use cardiograph_render::compare::worse::{Worse, worse};
use cardiograph_render::compare::{csv, json, json_of_pairs};
use cardiograph_render::doc::Extent;
use cardiograph_render::{doc, html, published};
use cardiograph_store::groups::{MODEL, shared_label, unique_name};

use crate::cli::{CompareArguments, Form};
use crate::exit::{DONE, Failure, NOT_JUDGED, WORSE};
use crate::export::{self, Exports};
use crate::purposes;
use crate::records::Records;
use crate::screen::Screen;

/// Metrics suggested for an unknown name.
pub const COMMON_METRICS: [&str; 4] = ["iops", "bandwidth", "latency_p99", "latency_mean"];

/// Compares checkups, shows the comparison, and on request reports what became worse.
pub fn run(arguments: &CompareArguments, records: &Records, screen: &Screen) -> Result<u8, Failure> {
    let exports = Exports::open(arguments.data.files())?;
    if arguments.shelf {
        return compare_with_shelf(arguments, &exports, records, screen);
    }
    if !arguments.pair.is_empty() {
        return compare_pairs(arguments, &exports, records, screen);
    }
    let groups = match arguments.by.is_empty() {
        true => select_groups(arguments, records, screen)?,
        false => group_by_facts(arguments, records, screen)?,
    };
    let metrics = parse_metrics(&arguments.metric, &groups)?;
    let mut comparison = compare(&groups, 0, &metrics);
    let (purposes, _) = purposes::read(arguments.purposes.as_deref())?;
    comparison.purposes = cardiograph_judge::by_method::compare_purposes(&groups, &purposes);
    ensure_measured(&comparison, &groups, &arguments.metric)?;
    // Unattended runs print only the requested report.
    let show = |is_full, has_whole_names| {
        let extent = Extent { is_full, has_whole_names, has_ratios: arguments.ratios };
        match arguments.rows {
            true => doc::comparison_rows(&comparison, extent),
            false => doc::comparison(&comparison, extent),
        }
    };
    if !exports.use_stdout() && arguments.fail_if_worse.is_none() {
        screen.say_doc(&show(arguments.verbose, false));
        if !arguments.verbose && comparison.wanted.is_empty() && !arguments.rows {
            screen.say("");
            screen.say_message(&message!("comparison-more", command = with_verbose()));
        }
    }
    let language = screen.language();
    exports.finish(screen, |form| {
        Ok(match form {
            Form::Csv if arguments.rows => csv::rows(&comparison).into(),
            Form::Csv => csv::table(&comparison).into(),
            Form::Html if !arguments.rows => {
                html::comparison(&comparison, &show(true, true), language).into()
            }
            _ => export::doc_as(form, &show(true, true), || json(&comparison), language),
        })
    })?;
    match arguments.fail_if_worse {
        Some(limit) => Ok(say_worse(&worse(&comparison, limit), &comparison, limit, screen)),
        None => Ok(DONE),
    }
}

/// Compares the groups of each drive that has the facts of `--pair` in common.
fn compare_pairs(
    arguments: &CompareArguments,
    exports: &Exports,
    records: &Records,
    screen: &Screen,
) -> Result<u8, Failure> {
    let runs = select_runs(arguments, records, screen)?;
    let group = |runs, names: &[String]| by::group_by(runs, names).map_err(unknown_fact);
    let mut values: Vec<String> =
        group(runs.clone(), &arguments.by)?.into_iter().map(|group| group.name).collect();
    let has_models = runs.iter().any(|run| run.facts.contains_key(MODEL));
    let model = has_models.then(|| MODEL.to_string()).filter(|model| !arguments.pair.contains(model));
    let names: Vec<String> = model.into_iter().chain(arguments.pair.iter().cloned()).collect();
    let mut pairs: Vec<(String, Comparison)> = Vec::new();
    for Group { name, runs } in group(runs, &names)? {
        // A drive without the fact has no values to compare.
        let Ok(groups) = by::group_by(runs, &arguments.by) else { continue };
        let metrics = parse_metrics(&arguments.metric, &groups)?;
        if groups.len() > 1 {
            let compared = compare(&groups, 0, &metrics);
            ensure_measured(&compared, &groups, &arguments.metric)?;
            pairs.push((name, compared));
        }
    }
    if pairs.is_empty() {
        let (pair, by) = (names.join(","), arguments.by.join(","));
        return Err(Failure::usage(message!("errors-compare-pair", pair, by)));
    }
    // Runs without a partner have no column.
    values.retain(|value| {
        let mut groups = pairs.iter().flat_map(|(_, comparison)| &comparison.groups);
        groups.any(|group| group.name == *value)
    });
    let doc = doc::comparison_pairs(&pairs, &values);
    if !exports.use_stdout() {
        screen.say_doc(&doc);
    }
    let content = |form| match form {
        Form::Csv => csv::pairs(&pairs).into(),
        _ => export::doc_as(form, &doc, || json_of_pairs(&pairs), screen.language()),
    };
    exports.finish(screen, |form| Ok(content(form))).map(|()| DONE)
}

/// Ranks drives among published results.
fn compare_with_shelf(
    arguments: &CompareArguments,
    exports: &Exports,
    records: &Records,
    screen: &Screen,
) -> Result<u8, Failure> {
    if arguments.selectors.is_empty() {
        return Err(Failure::usage(message!("errors-compare-shelf")));
    }
    let mut all = Vec::new();
    for selector in &arguments.selectors {
        for (drive, runs) in group_by_drive(selector, oldest_first(records.figures(selector, screen)?)) {
            all.extend(standing::standings(&drive, &runs));
        }
    }
    if !exports.use_stdout() && all.is_empty() {
        screen.say_message(&message!("shelf-nothing-similar"));
    } else if !exports.use_stdout() {
        screen.say_doc(&doc::standings(&all, false));
        screen.say("");
        screen.say_message(&message!("shelf-sources"));
    }
    let json = || report_json::indented(&all);
    let content = |form| match form {
        Form::Csv => published::csv(&all).into(),
        _ => export::doc_as(form, &doc::standings(&all, true), json, screen.language()),
    };
    exports.finish(screen, |form| Ok(content(form))).map(|()| DONE)
}

/// Groups the runs of a selector by drive, with a name for each: runs of several drives, as in imported tables, have no mean.
fn group_by_drive(selector: &str, runs: Vec<RunFigures>) -> Vec<(String, Vec<RunFigures>)> {
    let mut drives: Vec<Vec<RunFigures>> = Vec::new();
    for run in runs {
        match drives.iter_mut().find(|known| known[0].run.models == run.run.models) {
            Some(known) => known.push(run),
            None => drives.push(vec![run]),
        }
    }
    let is_one = drives.len() == 1;
    let add_name = |runs: Vec<RunFigures>| {
        let models = runs[0].run.models.iter().collect::<Vec<_>>().join(", ");
        let name = if is_one || models.is_empty() { group_name(selector, &runs, &[]) } else { models };
        (name, runs)
    };
    drives.into_iter().map(add_name).collect()
}

/// A group for each selector, the baseline first.
fn select_groups(
    arguments: &CompareArguments,
    records: &Records,
    screen: &Screen,
) -> Result<Vec<Group>, Failure> {
    let selectors: Vec<&String> = arguments.baseline.iter().chain(&arguments.selectors).collect();
    if selectors.len() < 2 {
        return Err(Failure::usage(message!("errors-compare-alone")));
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut ids: Vec<(SmolStr, String)> = Vec::new();
    for selector in selectors {
        let runs = oldest_first(records.figures_with_latencies(selector, screen)?);
        for RunFigures { run, .. } in &runs {
            if let Some((_, other)) = ids.iter().find(|(id, _)| *id == run.id) {
                let id = run.id.as_str();
                return Err(Failure::usage(message!("errors-compare-twice", selector, other, id)));
            }
        }
        ids.extend(runs.iter().map(|run| (run.run.id.clone(), selector.clone())));
        let name = unique_name(&group_name(selector, &runs, &groups), &groups);
        groups.push(Group { name, runs });
    }
    Ok(groups)
}

fn oldest_first(mut newest_first: Vec<RunFigures>) -> Vec<RunFigures> {
    newest_first.reverse();
    newest_first
}

/// A group's name: the label that all its runs share (with their model if another group has it), else the selector
/// without its kind, or the name of its file.
fn group_name(selector: &str, runs: &[RunFigures], groups: &[Group]) -> String {
    let is_file = Path::new(selector).is_file();
    let stem = Path::new(selector).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    match (shared_label(runs, groups), stem) {
        (Some(label), _) => label,
        (None, Some(stem)) if is_file => stem,
        _ => selector.split_once(':').map_or(selector, |(_, name)| name).to_string(),
    }
}

/// The selected checkups, or all.
fn select_runs(
    arguments: &CompareArguments,
    records: &Records,
    screen: &Screen,
) -> Result<Vec<RunFigures>, Failure> {
    let mut runs: Vec<RunFigures> = Vec::new();
    if arguments.selectors.is_empty() {
        runs = oldest_first(records.all_figures(screen)?);
    }
    for selector in &arguments.selectors {
        let found = oldest_first(records.figures_with_latencies(selector, screen)?);
        let is_new = |run: &RunFigures| !runs.iter().any(|known| known.run.id == run.run.id);
        let new: Vec<RunFigures> = found.into_iter().filter(is_new).collect();
        runs.extend(new);
    }
    records.add_latencies(&mut runs)?;
    Ok(runs)
}

/// Groups the selected checkups, or all, by the facts of `--by`.
fn group_by_facts(
    arguments: &CompareArguments,
    records: &Records,
    screen: &Screen,
) -> Result<Vec<Group>, Failure> {
    let runs = select_runs(arguments, records, screen)?;
    let groups = by::group_by(runs, &arguments.by).map_err(unknown_fact)?;
    match &groups[..] {
        [only] => Err(Failure::usage(message!(
            "errors-compare-same",
            by = arguments.by.join(","),
            runs = only.runs.len(),
            value = only.name.as_str()
        ))),
        _ => Ok(groups),
    }
}

fn unknown_fact(UnknownFact { name, known }: UnknownFact) -> Failure {
    let hint = suggestion(&name, &known);
    Failure::usage(message!("errors-compare-fact", name, hint))
}

fn parse_metrics(names: &[String], groups: &[Group]) -> Result<Vec<Quantity>, Failure> {
    let parse = |name: &String| {
        name.to_lowercase().parse().map_err(|_: String| {
            let known = measured_metrics(groups);
            let known: Vec<&str> =
                COMMON_METRICS.into_iter().chain(known.iter().map(String::as_str)).collect();
            let hint = suggestion_or(name, &known, suggestion("", &COMMON_METRICS));
            Failure::usage(message!("errors-compare-metric", metric = shown(name), hint))
        })
    };
    names.iter().map(parse).collect()
}

/// Names of the metrics of all tests.
fn measured_metrics(groups: &[Group]) -> BTreeSet<String> {
    let tests = groups.iter().flat_map(|group| &group.runs).flat_map(|run| &run.tests);
    tests.flat_map(|test| &test.figures).map(|figure| figure.quantity.name()).collect()
}

/// Refuses metrics that no common test has.
fn ensure_measured(comparison: &Comparison, groups: &[Group], asked: &[String]) -> Result<(), Failure> {
    let has_metrics = comparison.tests.iter().any(|test| !test.metrics.is_empty());
    if has_metrics || asked.is_empty() || comparison.tests.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(message!(
        "errors-compare-not-measured",
        asked = Parameter::all(asked),
        known = Parameter::all(measured_metrics(groups))
    )))
}

/// The command line, with all figures.
fn with_verbose() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell_word(&word.to_string_lossy()));
    std::iter::once("cardiograph".to_string())
        .chain(words)
        .chain(["-v".to_string()])
        .collect::<Vec<_>>()
        .join(" ")
}

fn say_worse(found: &Worse, comparison: &Comparison, limit: f64, screen: &Screen) -> u8 {
    screen.say_doc(&found.doc(comparison, limit));
    match found.worse.is_empty() {
        false => WORSE,
        true if found.judged == 0 || !found.missing.is_empty() => NOT_JUDGED,
        true => DONE,
    }
}
