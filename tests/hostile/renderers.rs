//! Every form in which a Report is shown, for checks of all of them.

use cardiograph_core::json;
use cardiograph_core::summary::RunSummary;
use cardiograph_core::{Direction, Message, NS_PER_MS, Report};
use cardiograph_fio::output::run::Samples;
use cardiograph_import::shelf::standing;
use cardiograph_judge::compare::{Comparison, Group, by, compare};
use cardiograph_judge::record::RunFigures;
use cardiograph_render::lang::Lang;
use cardiograph_render::plot::{self, Kind, Theme, View};
use cardiograph_render::published;
use cardiograph_render::text::{self, Style};
use cardiograph_render::{compare as formats, csv, doc, html, markdown};

/// The name of a form, and the text in it.
pub type Shown = (&'static str, String);

/// One Report in every form.
pub fn one(report: &Report) -> Vec<Shown> {
    let mut shown = Vec::new();
    for style in [Style { width: 80, color: false }, Style { width: 20, color: false }] {
        let list = doc::runs(&[RunSummary::from_report(report)]);
        for lang in [Lang::EN, Lang::JA] {
            shown.push(("text", text::report(report, lang, &style)));
            shown.push(("verbose", text::details(report, lang, &style)));
            let standings = doc::standings(&standings(report), false);
            shown.push(("standings", doc::terminal::render(&standings, lang, &style)));
            shown.push(("imported", text::imported(report, Message::verbatim("saved as"), lang, &style)));
            shown.push(("history", doc::terminal::render(&list, lang, &style)));
        }
    }
    shown.extend(report.steps.iter().map(|step| ("step", text::step(step, Lang::EN, &Style::default()))));
    for lang in [Lang::EN, Lang::JA] {
        shown.push(("html", html::report(report, lang)));
        shown.push(("markdown", markdown::report(report, lang)));
        shown.push((
            "standings as markdown",
            doc::markdown::render(&doc::standings(&standings(report), true), lang),
        ));
    }
    shown.push(("csv", csv::figures(report)));
    shown.push(("json", json::to_json(report)));
    shown.push(("history as json", json::history_to_json(&[RunSummary::from_report(report)])));
    shown.push(("standings as csv", published::csv(&standings(report))));
    for kind in Kind::ALL {
        let view = View { width: 720, lang: Lang::EN };
        let picture = |reports: &[&Report], step| plot::picture(kind, reports, step, view);
        let steps = report.steps.iter().map(|step| picture(&[report], Some(&step.step.id)));
        for drawn in [picture(&[report], None), picture(&[report, report], None)].into_iter().chain(steps) {
            shown.push(match drawn {
                Ok(picture) => ("svg", picture.file(Theme::Auto)),
                Err(error) => ("svg", Lang::EN.text(&error)),
            });
        }
    }
    sample_windows(report);
    shown
}

/// A comparison of two Reports in every form.
pub fn two(a: &Report, b: &Report) -> Vec<Shown> {
    let runs = [a, b].map(RunFigures::from_report);
    let group = |(name, run): (&str, &RunFigures)| Group { name: name.to_string(), runs: vec![run.clone()] };
    let named: Vec<Group> = ["a", "b"].into_iter().zip(&runs).map(group).collect();
    let by_fact = by::group_by(runs.to_vec(), &["suite".to_string()]).unwrap_or_default();
    let mut shown = Vec::new();
    for groups in [named, by_fact].iter().filter(|groups| groups.len() > 1) {
        let mut comparison: Comparison = compare(groups, 0, &[]);
        comparison.purposes =
            cardiograph_judge::by_method::compare_purposes(groups, &cardiograph_judge::purpose::PURPOSES);
        shown.push(("comparison as json", formats::json(&comparison)));
        shown.push(("comparison as csv", formats::csv::table(&comparison)));
        for lang in [Lang::EN, Lang::JA] {
            let document =
                doc::comparison(&comparison, doc::Extent { is_full: true, ..doc::Extent::default() });
            shown.push((
                "comparison",
                doc::terminal::render(&document, lang, &Style { width: 80, color: false }),
            ));
            shown.push(("comparison as markdown", doc::markdown::render(&document, lang)));
        }
        let worse = formats::worse::worse(&comparison, 0.05).doc(&comparison, 0.05);
        shown.push((
            "what became worse",
            doc::terminal::render(&worse, Lang::EN, &Style { width: 80, color: false }),
        ));
    }
    shown
}

fn standings(report: &Report) -> Vec<cardiograph_core::published::Standing> {
    standing::standings("drive", &[RunFigures::from_report(report)])
}

/// What fio's outputs take from windows.
fn sample_windows(report: &Report) {
    let workers = report.steps.iter().filter_map(|step| step.result.as_ref()).flat_map(|run| &run.workers);
    for worker in workers {
        let _ = Samples::from_series(&worker.series, &Direction::ALL, 500 * NS_PER_MS, 1_024);
        let _ = Samples::zero_windows(&worker.series, 500 * NS_PER_MS);
    }
}
