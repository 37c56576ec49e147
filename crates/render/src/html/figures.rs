//! All tests at a glance: a picture and a table.

use cardiograph_core::Report;
use cardiograph_judge::record::RunFigures;

use super::builder::Html;
use super::draw;
use crate::{overview, plot};

pub(super) fn write(html: &mut Html, report: &Report) {
    let lang = html.lang;
    let run = RunFigures::of(report);
    let grid = overview::grid(&run, lang);
    if grid.rows.is_empty() {
        return;
    }
    html.element("div", &[("class", "pictures")], |html| {
        // Of hundreds of steps the tables of the suite show more.
        if report.suite != plot::SWEEP_SUITE {
            draw(html, lang.pick("Each test", "各テスト"), |view| plot::of_report(report, view));
        }
        draw(html, lang.pick("Speed over the whole course", "全体を通した速度"), |view| {
            plot::of_course(report, view)
        });
    });
    html.table(lang.pick("Figures of each test", "テストごとの測定値"), &grid);
    let gaps = match report.source {
        None => lang.pick(
            "- stands for a figure that there is not: too few I/Os lie above a percentile, or it is not the drive's.",
            "- は値がないことを示す（パーセンタイルより上の I/O が少なすぎる、またはドライブの値ではない）。",
        ),
        Some(_) => lang.pick(
            "An empty cell stands for a figure that the source does not tell.",
            "空欄は、元の出力に値がないことを示す。",
        ),
    };
    html.words("p", &[("class", "quiet")], gaps);
    overview::reasons(&run.tests, lang)
        .iter()
        .for_each(|reason| html.words("p", &[("class", "fair")], reason));
}
