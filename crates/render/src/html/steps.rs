//! Each step: its pictures, all of its figures, and the commands that do the same.

use cardiograph_core::Report;
use cardiograph_core::imported::Figure;
use cardiograph_core::pause;
use cardiograph_core::report::{StepOutcome, StepResult, StepRole};
use cardiograph_core::units;
use cardiograph_judge::record::tests_of;

use super::builder::Html;
use super::draw;
use crate::grid::Grid;
use crate::lang::Lang;
use crate::plot::{self, Kind, View};
use crate::{method, text};

/// Of more steps than these, no pictures are drawn: nobody looks at hundreds, and the file would be large.
const PICTURES_STEPS_MAX: usize = 16;
const KINDS: [Kind; 4] = [Kind::OverTime, Kind::Percentiles, Kind::Distribution, Kind::LatencyOverTime];

pub(super) fn write(html: &mut Html, report: &Report) {
    let measured = report.steps.iter().filter(|step| step.step.role == StepRole::Measure).count();
    let has_pictures = measured <= PICTURES_STEPS_MAX;
    if !has_pictures {
        let how = html.lang.pick(
            "Pictures of single steps: cardiograph plot --kind over-time --step ID.",
            "各手順の図: cardiograph plot --kind over-time --step ID",
        );
        html.words("p", &[("class", "quiet")], how);
    }
    for (at, step) in report.steps.iter().enumerate() {
        let head = format!("step-{at}");
        html.element("section", &[("aria-labelledby", &head)], |html| {
            html.words("h3", &[("id", &head)], &html.lang.text(&step.step.title));
            write_step(html, step, has_pictures);
        });
    }
}

fn write_step(html: &mut Html, step: &StepResult, has_pictures: bool) {
    let lang = html.lang;
    let preparing = lang.pick("prepares, measures nothing", "準備（測定なし）");
    let prepares = (step.step.role == StepRole::Prepare).then_some(preparing);
    let parts: Vec<&str> = std::iter::once(step.step.id.as_str()).chain(prepares).collect();
    html.words("p", &[("class", "quiet")], &parts.join(", "));
    match &step.outcome {
        StepOutcome::Done => {}
        StepOutcome::Interrupted => {
            html.words("p", &[("class", "fair")], lang.pick("Cut short.", "途中で終了。"))
        }
        StepOutcome::Failed { message } => html.told("p", "bad", message),
        StepOutcome::Hung => {
            let hung = lang.pick("The drive stopped answering.", "ドライブが応答しなくなった。");
            html.words("p", &[("class", "bad")], hung);
        }
    }
    if let Some(words) = pause::in_words(step.pauses()) {
        html.told("p", "fair", &words);
    }
    if step.step.role == StepRole::Measure && has_pictures {
        html.element("div", &[("class", "pictures")], |html| {
            KINDS
                .into_iter()
                .for_each(|kind| draw(html, &kind.title(lang), |view| plot::of_step(kind, step, view)));
        });
        // A curve of other directions says so itself.
        let too_few = plot::too_few_for_percentiles(step, lang);
        if plot::of_step(Kind::Percentiles, step, View { width: super::WIDE, lang }).is_none() {
            let told = |told| format!("{}: {told}", Kind::Percentiles.title(lang));
            too_few.iter().for_each(|of| html.words("p", &[("class", "quiet")], &told(of)));
        }
    }
    figures(html, step);
    step.step.sizing.iter().for_each(|sentence| html.told("p", "quiet", &html.lang.text(sentence)));
    commands(html, step);
}

fn figures(html: &mut Html, step: &StepResult) {
    let lang = html.lang;
    let tests = tests_of(step);
    if tests.is_empty() {
        return;
    }
    html.element("details", &[], |html| {
        let count = tests.iter().map(|test| test.figures.len()).sum::<usize>();
        html.words("summary", &[], &format!("{} ({count})", lang.pick("All figures", "すべての値")));
        html.told("p", "quiet", &html.lang.phrases(&method::title(&tests[0].method)));
        for test in &tests {
            let headings = [
                lang.pick("figure", "項目"),
                lang.pick("value", "値"),
                lang.pick("95 % interval", "95 % 信頼区間"),
                lang.pick("values behind it", "標本数"),
            ];
            let caption = format!("{}: {}", test.test, lang.pick("all figures", "すべての値"));
            html.table(
                &caption,
                &Grid::of(headings, 1..4, test.figures.iter().map(|figure| row(figure, html.lang))),
            );
        }
        let others = step.imported.as_ref().map(|imported| &imported.others);
        if let Some(others) = others.filter(|others| !others.is_empty()) {
            html.element("dl", &[], |html| {
                for (name, value) in others {
                    html.words("dt", &[], &text::imported::other_name(name));
                    html.words("dd", &[], value);
                }
            });
        }
    });
}

fn row(figure: &Figure, lang: Lang) -> Vec<String> {
    let words = |value: f64| lang.value(&method::value(figure.quantity, value));
    let estimate = &figure.estimate;
    let is_withheld = figure.is_withheld();
    let interval = estimate.low.zip(estimate.high).filter(|(low, high)| low < high && !is_withheld);
    let interval = interval.map(|(low, high)| units::range(&words(low), &words(high)));
    let n = if estimate.n > 0 { units::count(estimate.n) } else { String::new() };
    vec![
        lang.text(&method::figure(figure)),
        lang.text(&method::stated(figure)),
        interval.unwrap_or_default(),
        n,
    ]
}

fn commands(html: &mut Html, step: &StepResult) {
    if step.fio_commands.is_empty() {
        return;
    }
    let lang = html.lang;
    html.words("p", &[], lang.pick("The fio command that does the same:", "同じことをする fio のコマンド:"));
    html.element("pre", &[], |html| html.words("code", &[], &step.fio_commands.join("\n")));
}
