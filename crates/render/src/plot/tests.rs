use cardiograph_core::counters::check;
use cardiograph_core::drive::DeviceCounters;
use cardiograph_core::drive::Drive;
use cardiograph_core::falloff::{FallOff, FallOffSearch};
use cardiograph_core::pause::{Pause, PauseCause};
use cardiograph_core::report::{Report, StepRole};
use cardiograph_core::table::{Cell, CellUnit, Column, Table, TableRow};
use cardiograph_core::{Direction, Estimate, Interval, Message, Parameter, message};
use cardiograph_judge::doubt;

use super::letters::room;
use super::*;
use crate::samples;

const VIEW: View = View { width: 560, lang: Lang::EN };

/// A checkup with a series for every step; the last one is sustained writing that stalls and falls off.
fn card(label: &str) -> Report {
    let mut card = samples::card();
    card.label = Some(label.to_string());
    for step in &mut card.steps {
        let is_last = step.step.id == "sustained-write";
        let directions = step.figures.iter().flat_map(|figures| &figures.directions);
        let direction = directions.map(|figures| figures.direction).next().unwrap_or(Direction::Read);
        for worker in step.result.iter_mut().flat_map(|result| &mut result.workers) {
            let series = &mut worker.series;
            *series = cardiograph_core::Series { window_ns: 100_000_000, ..Default::default() };
            series.duration_ns = 120 * series.window_ns;
            let row = |at: u64| match at {
                40..48 if is_last => Interval::default(),
                _ => {
                    let bytes = if is_last && at >= 60 { 1 << 20 } else { (at % 7 + 40) << 18 };
                    Interval { ios: 8, bytes, latency_ns_sum: 8_000_000 + at, latency_ns_max: 3_000_000 }
                }
            };
            series.rows[direction] = (0..120).map(row).collect();
        }
        let written = step.result.as_ref().map(|result| result.series());
        if let (Some(figures), Some(series)) = (&mut step.figures, written.filter(|_| is_last)) {
            let rows = &series.rows.write;
            let speed = |rows: &[Interval]| rows.iter().map(|row| row.bytes).sum::<u64>() as f64 / 6.0;
            let found = FallOff {
                after_bytes: rows[..60].iter().map(|row| row.bytes).sum(),
                before_bytes_per_s: speed(&rows[..60]),
                after_bytes_per_s: speed(&rows[60..]),
                p_value: 1e-9,
            };
            figures.fall_off = Some(FallOffSearch { searched_bytes: 1 << 30, found: Some(found) });
        }
    }
    card
}

fn sweep() -> Report {
    let mut report = card("sweep");
    report.suite = SWEEP_SUITE.to_string();
    let column =
        |depth: u32| Column { heading: message!("sweep-value.depth", depth), unit: CellUnit::PerSecond };
    let figure = |value| Cell::Figure { estimate: Estimate::exact(value), step: String::new(), doubt: None };
    let row = |mix: Message, block_bytes, values: [f64; 3]| {
        let block = message!("sweep-value.other", value = Parameter::BlockBytes(block_bytes));
        TableRow { name: Message::joined([mix, block]), cells: values.map(figure).to_vec() }
    };
    report.tables = vec![Table {
        title: message!(
            "table-sweep.by",
            figure = message!("table-figure.iops"),
            axis = message!("sweep-axis.depth")
        ),
        heading: Message::joined([message!("sweep-axis.mix"), message!("sweep-axis.block")]),
        columns: [1, 8, 32].map(column).to_vec(),
        rows: vec![
            row(message!("sweep-mix.random-read"), 4_096, [3_822.0, 20_000.0, 88_123.0]),
            row(message!("sweep-mix.random-write"), 65_536, [0.5, 0.0, 31.0]),
        ],
        ..Table::default()
    }];
    report
}

/// A picture of each kind, of one and of two checkups.
fn all(view: View) -> Vec<Picture> {
    let (one, two) = (card("白いカード"), card("b"));
    let (sweep, mut pictures) = (sweep(), Vec::new());
    for kind in Kind::ALL {
        let first = if kind == Kind::Sweep { &sweep } else { &one };
        pictures.push(picture(kind, &[first], None, view).unwrap());
        pictures.push(picture(kind, &[first, &two], None, view).unwrap());
    }
    pictures
}

/// Text of a picture with its box: left, top, right, bottom.
fn texts(svg: &str) -> Vec<(String, [f64; 4])> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let elements = document.descendants().filter(|node| node.has_tag_name("text"));
    let place = |node: roxmltree::Node<'_, '_>| {
        let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap();
        // Elements of groups are shifted by their offsets.
        let moved = node.ancestors().filter_map(|group| group.attribute("transform"));
        let moved = moved.map(|moved| {
            let (x, y) = moved.trim_matches(|letter| "translate()".contains(letter)).split_once(' ').unwrap();
            [x, y].map(|offset| offset.parse::<f64>().unwrap())
        });
        let [right, lower] = moved.fold([0.0, 0.0], |sum, moved| [sum[0] + moved[0], sum[1] + moved[1]]);
        let text = node.text().unwrap_or_default().to_string();
        let wide = room(&text) * if node.attribute("class") == Some("title") { 1.25 } else { 1.0 };
        let left = match node.attribute("text-anchor") {
            Some("middle") => number("x") - wide / 2.0,
            Some("end") => number("x") - wide,
            _ => number("x"),
        } + right;
        let baseline = number("y") + lower;
        (text, [left, baseline - 10.0, left + wide, baseline + 2.0])
    };
    elements.map(place).collect()
}

#[test]
fn labels_do_not_overlap_and_stay_inside() {
    for width in [WIDTH_MIN, 360, 560, 1_400] {
        for lang in [Lang::EN, Lang::JA] {
            for picture in all(View { width, lang }) {
                let texts = texts(&picture.file(Theme::Auto));
                assert!(texts.len() > 5, "{}", picture.title);
                for (at, (text, [left, top, right, bottom])) in texts.iter().enumerate() {
                    let inside = *left >= -0.1 && *right <= f64::from(width) + 0.1;
                    assert!(inside, "{width} {}: {text} from {left} to {right}", picture.title);
                    for (other, [l, t, r, b]) in &texts[..at] {
                        let apart = right <= l || r <= left || bottom <= t || b <= top;
                        assert!(apart, "{width} {}: {text} lies on {other}", picture.title);
                    }
                }
            }
        }
    }
}

#[test]
fn a_picture_has_a_title_and_leaves_colours_to_the_style() {
    for picture in all(VIEW) {
        for svg in [picture.file(Theme::Auto), picture.inline()] {
            let document = roxmltree::Document::parse(&svg).unwrap();
            let root = document.root_element();
            assert_eq!(root.attribute("role"), Some("img"));
            let spoken: Vec<&str> = root
                .children()
                .filter_map(|node| node.text())
                .filter(|text| !text.trim().is_empty())
                .collect();
            assert_eq!(spoken[0], picture.title);
            assert!(spoken[1].len() > 20, "{}", spoken[1]);
        }
        assert!(!picture.body.contains('#'), "a colour in {}", picture.title);
    }
}

/// Otherwise Japanese labels are drawn in a fallback font, and English ones below them in another.
#[test]
fn a_japanese_picture_names_fonts_with_all_of_its_letters() {
    let fonts = Theme::Light.style();
    let (_, fonts) = fonts.split_once(".plot[lang=ja] text{font-family:\"Noto Sans CJK JP\"").unwrap();
    assert!(fonts.split_once('}').unwrap().0.contains("IPAPGothic"));
    for (lang, code) in [(Lang::EN, "en"), (Lang::JA, "ja")] {
        let drawn = picture(Kind::Dots, &[&card("a")], None, View { lang, ..VIEW }).unwrap();
        for svg in [drawn.file(Theme::Auto), drawn.inline()] {
            let document = roxmltree::Document::parse(&svg).unwrap();
            assert_eq!(document.root_element().attribute("lang"), Some(code));
        }
    }
}

#[test]
fn the_cliff_and_stalls_are_marked_and_described() {
    let card = card("a");
    let drawn =
        |lang| picture(Kind::OverTime, &[&card], Some("sustained-write"), View { lang, ..VIEW }).unwrap();
    let english = drawn(Lang::EN);
    assert!(english.description.contains("drops from "), "{}", english.description);
    assert!(english.description.contains("no I/O completed for 800 ms"), "{}", english.description);
    assert_eq!(english.body.matches("class=\"stall\"").count(), 2, "on the curve and in the legend");
    assert_eq!(english.body.matches("class=\"cliff\"").count(), 2);
    assert!(english.body.contains("bandwidth in windows of 500 ms (MB/s)"), "of eight I/Os in 100 ms");
    let japanese = drawn(Lang::JA).description;
    assert!(
        japanese.contains("500 ms 以上の停止 1 回") && japanese.contains("の書き込み後に低下"),
        "{japanese}"
    );
}

/// Windows show a stall to the length of a window; the Report has it, and the wait for the first I/O, to the
/// nanosecond.
#[test]
fn stalls_are_those_of_the_report() {
    let mut card = card("a");
    let step = card.steps.iter_mut().find(|step| step.step.id == "sustained-write").unwrap();
    for worker in step.result.iter_mut().flat_map(|result| &mut result.workers) {
        worker.series.rows.write[..18].fill(Interval::default());
    }
    step.figures.as_mut().unwrap().longest_stall_ns = 1_860_000_000;
    let drawn = picture(Kind::OverTime, &[&card], Some("sustained-write"), VIEW).unwrap();
    let expected = "2 stalls of 500 ms or more: no I/O completed for up to 1.86 s";
    assert!(drawn.description.contains(expected), "{}", drawn.description);
}

#[test]
fn a_pause_is_marked_and_not_a_stall_of_the_drive() {
    let mut card = card("a");
    let step = card.steps.iter_mut().find(|step| step.step.id == "sustained-write").unwrap();
    let result = step.result.as_mut().unwrap();
    let begin_ns = result.workers[0].start_ns + 4_010_000_000;
    result.pauses = vec![Pause { begin_ns, duration_ns: 780_000_000, cause: PauseCause::Stopped }];
    doubt::settle(step, &Drive::default(), false);
    let description = |lang| {
        let drawn = draw_step(Kind::OverTime, step, View { lang, ..VIEW }).unwrap();
        assert_eq!(drawn.body.matches("class=\"pause\"").count(), 2, "on the curve and in the legend");
        assert!(!drawn.body.contains("class=\"stall\""));
        drawn.description
    };
    let english = description(Lang::EN);
    assert!(english.contains("program paused for 780 ms"), "{english}");
    assert!(description(Lang::JA).contains("プログラムの停止"));
    let line = crate::text::step(step, Lang::EN, &crate::text::Style::default());
    let line = line.trim_end();
    assert!(line.ends_with("withheld: the program was paused 0.8 s") && !line.contains('\n'), "{line}");
    let reason = Lang::EN.text(&step.doubt(Direction::Write).unwrap().message());
    assert!(reason.starts_with("the program did not run for 780 ms of 8 s"), "{reason}");
    assert_eq!(draw_step(Kind::Percentiles, step, VIEW), None, "latencies have the pause in them");
}

#[test]
fn figures_that_are_not_the_drives_are_not_drawn() {
    let report = samples::contradicted();
    let drawn = picture(Kind::Dots, &[&report], None, VIEW).unwrap();
    assert!(drawn.body.contains(">withheld<") && !drawn.description.contains("3,786"));
    assert!(drawn.description.contains("the kernel counted only 0.7 %"), "{}", drawn.description);
    let read =
        report.steps.iter().find(|step| !step.counter_checks.is_empty() && text_withheld(step)).unwrap();
    for kind in [Kind::OverTime, Kind::Percentiles, Kind::Distribution, Kind::LatencyOverTime] {
        assert_eq!(draw_step(kind, read, VIEW), None, "{kind:?}");
    }
}

fn text_withheld(step: &StepResult) -> bool {
    Direction::DATA.iter().any(|&direction| step.is_withheld(direction))
}

/// A fake card has equal latencies, a slow one only a few I/Os: neither is silently left out.
#[test]
fn every_step_with_latencies_is_drawn_by_percentile_or_named() {
    let with_latencies = |label: &str, count: usize| {
        let mut card = card(label);
        let step = card.steps.iter_mut().find(|step| step.step.id == "random-read").unwrap();
        let mut latency = cardiograph_core::Latency::default();
        (0..count).for_each(|_| latency.record(300_000));
        let reads = &mut step.result.as_mut().unwrap().workers[0].directions.read;
        (reads.total, reads.completion) = (None, latency);
        card
    };
    let (level, few) = (with_latencies("level", 500), with_latencies("few", 9));
    let drawn = |reports: &[&Report]| picture(Kind::Percentiles, reports, None, VIEW).unwrap();
    let lines = |reports: &[&Report], title: &str| {
        let drawn = drawn(reports);
        let behind = drawn.body.split_once(title).unwrap_or_else(|| panic!("no {title}: {}", drawn.body)).1;
        let lines = behind.split("class=\"head\"").next().unwrap().split("<polyline class=\"").skip(1);
        // The dotted rest of a curve is not another one.
        lines
            .filter(|line| line.starts_with("line") && !line.split('"').next().unwrap().contains("uncertain"))
            .count()
    };
    let title = "Random read 4K QD1";
    assert_eq!([lines(&[&level], title), lines(&[&level, &card("b")], title)], [1, 2]);
    assert_eq!([lines(&[&few], title), lines(&[&few, &card("b")], title)], [0, 1]);
    for (reports, name) in [(&[&few][..], "read"), (&[&few, &level], "few")] {
        let expected = format!("No curve for {name}: 9 I/Os are too few.");
        let drawn = drawn(reports);
        assert!(
            drawn.description.contains(&expected) && drawn.body.contains(&expected),
            "{}",
            drawn.description
        );
    }
    let none = picture(Kind::Percentiles, &[&few], Some("random-read"), VIEW).unwrap_err();
    assert_eq!(none, message!("plot-error.no-percentiles", ios = 10_u64));
}

#[test]
fn a_hostile_name_is_escaped() {
    let mut card = card("x");
    card.label = Some("</text><script>alert(1)</script>\u{1b}".to_string());
    card.steps.iter_mut().for_each(|step| step.step.title = Message::verbatim("<b>&\""));
    for kind in [Kind::Dots, Kind::OverTime, Kind::Percentiles] {
        let svg = picture(kind, &[&card, &card], None, VIEW).unwrap().file(Theme::Auto);
        let document = roxmltree::Document::parse(&svg).unwrap();
        assert!(document.descendants().all(|node| !node.has_tag_name("script") && !node.has_tag_name("b")));
    }
}

#[test]
fn errors_explain_why_there_is_no_picture() {
    let card = card("a");
    let said = |kind, reports: &[&Report], step| picture(kind, reports, step, VIEW).unwrap_err();
    let no_step = said(Kind::Dots, &[&card], Some("nothing")).to_string();
    assert!(no_step.starts_with("plot-error.no-step(hint=name-choose(known=sequential-read+"), "{no_step}");
    assert_eq!(said(Kind::Sweep, &[&card], None), message!("plot-error.no-sweep"));
    let too_many = message!("plot-error.too-many-reports", found = 9_u64, most = 8_u64);
    assert_eq!(said(Kind::Dots, &[&card; 9], None), too_many);
    let mut bare = card.clone();
    bare.steps.iter_mut().for_each(|step| (step.result, step.figures) = (None, None));
    assert_eq!(said(Kind::OverTime, &[&bare], None), message!("plot-error.no-series"));
    let mut long = card.clone();
    let step = card.steps.iter().find(|step| step.step.role == StepRole::Measure).unwrap();
    long.steps = (0..20)
        .map(|at| {
            let mut step = step.clone();
            step.step.id = format!("s{at}");
            step
        })
        .collect();
    let too_many = said(Kind::OverTime, &[&long], None);
    assert_eq!(too_many.id(), "plot-error.too-many-steps");
    assert_eq!(too_many.parameter("found"), Some(&Parameter::Count(20)));
}

#[test]
fn pieces_of_a_timeline_are_one_curve() {
    let mut report = card("a");
    report.suite = "cliff".to_string();
    let piece = report.steps.iter().find(|step| step.step.id == "sustained-write").unwrap().clone();
    report.steps = (1..=3)
        .map(|at| {
            let mut piece = piece.clone();
            piece.step.id = format!("write-{at}");
            piece
        })
        .collect();
    let whole = picture(Kind::OverTime, &[&report], None, VIEW).unwrap();
    assert_eq!(whole.body.matches("<polyline").count(), 1);
    assert!(whole.description.contains("3 stalls"), "{}", whole.description);
    assert!(draw_timeline(&report, VIEW).is_some() && draw_timeline(&card("a"), VIEW).is_none());
    assert!(picture(Kind::OverTime, &[&report], Some("write-2"), VIEW).is_ok());
}

#[test]
fn a_withheld_timeline_is_not_replaced_by_another_step() {
    let mut report = card("a");
    report.suite = "cliff".to_string();
    let step = |id: &str| {
        let mut step = report.steps.iter().find(|step| step.step.id == "sustained-write").unwrap().clone();
        step.step.id = id.to_string();
        step
    };
    report.steps = ["write-1", "write-2", "recovery"].map(step).to_vec();
    assert!(draw_timeline(&report, VIEW).is_some());
    let nothing_arrived = check(Direction::Write, 1 << 30, &DeviceCounters::default()).unwrap();
    report.steps[1].counter_checks = vec![nothing_arrived];
    doubt::settle(&mut report.steps[1], &Drive::default(), false);
    assert!(report.steps[1].is_withheld(Direction::Write) && draw_timeline(&report, VIEW).is_none());
}

#[test]
fn no_drive_vanishes() {
    let (card, mut other) = (card("card"), card("other"));
    other.steps.retain(|step| step.step.id == "random-read");
    other.steps.iter_mut().for_each(|step| {
        step.result = None;
        step.step.title = Message::verbatim("Random read");
    });
    let sweep = sweep();
    for kind in Kind::ALL {
        let first = if kind == Kind::Sweep { &sweep } else { &card };
        let drawn = picture(kind, &[first, &other], None, VIEW).unwrap();
        let lacks = Lang::EN.text(&message!("picture-lacking", names = Parameter::all(["other"])));
        let found = drawn.description.matches(&lacks).count();
        let parts = drawn.body.matches("class=\"head\"").count();
        let expected = match kind {
            Kind::Sweep => 1,
            // It has a figure of one test, but neither windows nor latencies.
            Kind::Dots => parts - 1,
            _ => parts,
        };
        assert_eq!(found, expected, "{kind:?}: {}", drawn.description);
        let named = drawn.body.matches("such a figure: other").count();
        assert_eq!(named, found, "{kind:?}");
    }
}

#[test]
fn a_single_series_has_no_legend_and_several_are_named_at_their_ends() {
    let (one, two) = (card("one"), card("two"));
    let drawn =
        |reports: &[&Report]| picture(Kind::Percentiles, reports, Some("random-read"), VIEW).unwrap().body;
    assert!(!drawn(&[&one]).contains(">read<") && !drawn(&[&one]).contains("class=\"mark"));
    let several = drawn(&[&one, &two]);
    assert!(several.contains(">one<") && several.contains(">two<") && several.contains("class=\"mark c1\""));
}

#[test]
fn a_picture_fills_a_size_with_letters_that_can_be_read() {
    let card = card("a");
    let draw = |step| {
        let card = &card;
        move |width| picture(Kind::Dots, &[card, card], step, View { width, lang: Lang::EN })
    };
    let drawn = fitted((1_200, 630), draw(Some("durable-write"))).unwrap();
    assert!(drawn.width < 1_200 && drawn.file(Theme::Light).contains("width=\"1200\" height=\"630\""));
    let too_low = fitted((280, 280), draw(None)).unwrap_err();
    assert_eq!(too_low.id(), "plot-error.too-low");
}

#[test]
fn pictures_look_as_before() {
    let (a, b) = (card("microSD"), card("カード"));
    let view = View { width: 360, lang: Lang::JA };
    let bars = picture(Kind::Dots, &[&a, &b], Some("durable-write"), view).unwrap();
    cardiograph_testing::check_golden!("plot-dots.svg", &bars.inline());
    let percentiles = picture(Kind::Percentiles, &[&a], Some("random-read"), VIEW).unwrap();
    cardiograph_testing::check_golden!("plot-percentiles.svg", &percentiles.inline());
    cardiograph_testing::check_golden!(
        "plot-sweep.svg",
        &picture(Kind::Sweep, &[&sweep()], None, view).unwrap().inline()
    );
}

#[test]
fn a_log_of_each_io_is_a_heat_map_and_one_of_means_is_not() {
    use cardiograph_import::{Named, detect, reports};
    let picture = |place: &str, text: &str| {
        let named = Named { place };
        let importer = detect(text.as_bytes(), &named).unwrap();
        let tests =
            importer.read(&mut text.as_bytes(), &named).unwrap_or_else(|problems| panic!("{problems}"));
        let report = reports(tests, importer.name, &named, "cardiograph").remove(0);
        super::picture(Kind::LatencyOverTime, &[&report], None, VIEW).unwrap().file(Theme::Auto)
    };
    for (place, text, is_heat_map) in [
        ("each_lat.1.log", include_str!("../../../import/src/fixtures/fio/logs/each_lat.1.log"), true),
        (
            "avg_clat_hist.1.log",
            include_str!("../../../import/src/fixtures/fio/logs/avg_clat_hist.1.log"),
            true,
        ),
        ("avg_lat.1.log", include_str!("../../../import/src/fixtures/fio/logs/avg_lat.1.log"), false),
    ] {
        assert_eq!(picture(place, text).contains("darker: more I/Os"), is_heat_map, "{place}");
    }
}
