use cardiograph_core::imported::Figure;
use cardiograph_core::method::{Method, Pattern};

use super::super::super::detect;
use super::super::json;
use super::*;

const SAME_RUN: &str = include_str!("../../fixtures/fio/3.33-same-run.terse");
const SAME_RUN_JSON: &str = include_str!("../../fixtures/fio/3.33-same-run.json");
const VERSIONS: &str = include_str!("../../fixtures/fio/3.33-versions.terse");
const STREAM: &str = include_str!("../../fixtures/fio/3.33-stream.terse");

fn imported(text: &str) -> Vec<ImportedTest> {
    let named = Named { place: "out.txt" };
    assert_eq!(detect(text.as_bytes(), &named).unwrap().name, "fio-terse");
    IMPORTER.read(&mut text.as_bytes(), &named).unwrap_or_else(|problems| panic!("{problems}"))
}

fn figures(test: &ImportedTest) -> BTreeMap<String, &Figure> {
    let name =
        |figure: &Figure| format!("{} {}", figure.direction.map_or("all", Direction::name), figure.quantity);
    test.imported.figures.iter().map(|figure| (name(figure), figure)).collect()
}

/// The line of version 5 in the format of an older version.
fn older(version: u8) -> String {
    let fields: Vec<&str> = SAME_RUN.trim().split(';').collect();
    let directions = if version == 3 { 2 } else { 3 };
    let mut kept: Vec<String> = vec![version.to_string()];
    let from = if version == 2 { 2 } else { 1 };
    kept.extend(fields[from..5].iter().map(|field| field.to_string()));
    for direction in 0..directions {
        let first = 5 + direction * DIRECTION_FIELDS_5;
        kept.extend(fields[first..first + DIRECTION_FIELDS].iter().map(|field| field.to_string()));
    }
    kept.extend(fields[5 + 3 * DIRECTION_FIELDS_5..].iter().map(|field| field.to_string()));
    kept.join(";") + "\n"
}

#[test]
fn terse_and_json_agree() {
    // The run had lat_percentiles, which only its command line shows.
    let text = format!("$ fio --name=jp --rw=randrw --lat_percentiles=1 --minimal\n{SAME_RUN}");
    let tests = imported(&text);
    let json = json::IMPORTER.read(&mut SAME_RUN_JSON.as_bytes(), &Named { place: "x" }).unwrap();
    let (terse, json) = (figures(&tests[0]), figures(&json[0]));
    assert!(terse.len() > 80, "{}", terse.len());
    for (name, figure) in &terse {
        let (found, exact) = (figure.estimate.value, json[name].estimate.value);
        // Whole KiB and microseconds; deviations and means have six digits.
        assert!((found - exact).abs() <= exact * 0.001 + 2_048.0, "{name}: {found} and {exact}");
        if figure.quantity.name().starts_with("window") {
            assert_eq!(figure.estimate.n, json[name].estimate.n, "{name}");
        }
    }
    assert_eq!(tests[0].subject.device.as_deref(), Some("vda"));
    assert_eq!(tests[0].method.pattern, Some(Pattern::RandomReadWrite));
    // Without it, they are treated as completion percentiles, the default.
    let bare = imported(SAME_RUN).remove(0);
    assert!(figures(&bare).contains_key("read completion_p99") && bare.method.pattern.is_none());
}

#[test]
fn versions_differ_in_fields_not_in_figures() {
    let newest = imported(SAME_RUN).remove(0);
    let newest = figures(&newest);
    for version in [2, 3, 4] {
        let test = imported(&older(version)).remove(0);
        assert_eq!(test.method.tool_version.as_deref(), (version > 2).then_some("3.33"));
        let all = figures(&test);
        let expected: Vec<&String> = newest.keys().filter(|name| !name.contains("window_iops")).collect();
        assert_eq!(all.keys().collect::<Vec<_>>(), expected, "version {version}");
        for (name, figure) in all {
            assert_eq!(figure.estimate.value, newest[&name].estimate.value, "version {version}: {name}");
        }
        assert_eq!((test.subject.device.as_deref(), test.id.as_str()), (Some("vda"), "jp"));
    }
    let real = imported(VERSIONS);
    let ids: Vec<&str> = real.iter().map(|test| test.id.as_str()).collect();
    assert_eq!(ids, ["v2", "v3", "v4", "v5"]);
    for test in &real {
        assert_eq!(Method { tool_version: None, ..test.method.clone() }.block_bytes, Some(4_096));
        let all = figures(test);
        let bytes = all["read bytes"].estimate.value + all["write bytes"].estimate.value;
        assert_eq!(bytes, 4.0 * 1_048_576.0, "{}", test.id);
        assert!(test.command.as_ref().unwrap().contains("--minimal"));
    }
}

#[test]
fn a_stream_is_one_test_and_runs_are_several() {
    let tests = imported(STREAM);
    let [test] = &tests[..] else { panic!("{} tests", tests.len()) };
    let series = test.imported.series.as_ref().unwrap();
    assert_eq!((series.window_ns, series.rows.read.len()), (1_000_000_000, 4));
    assert!(series.iops(Direction::Read).iter().all(|iops| (iops - 2_000.0).abs() < 20.0));
    assert_eq!(figures(test)["read runtime"].estimate.value, 3_001e6);
    // Repeated runs of a job each take the same time, or end where they began.
    let last = STREAM.lines().last().unwrap();
    let again = [last, last, last].join("\n").replace('\r', "");
    assert_eq!(imported(&again).len(), 3);
}

#[test]
fn errors_name_their_line_and_field() {
    let read = |text: &str| IMPORTER.read(&mut text.as_bytes(), &Named { place: "x" });
    let fields: Vec<&str> = SAME_RUN.trim().split(';').collect();
    for count in 2..fields.len() {
        let part = fields[..count].join(";");
        // Only missing disks remain undetected.
        assert!(read(&part).is_err() || count >= 5 + 3 * DIRECTION_FIELDS_5 + TAIL_FIELDS, "{count}");
    }
    let cut = read(&fields[..100].join(";")).unwrap_err().to_string();
    assert_eq!(cut, "line 1: import-fio.too-few-fields(count=100, least=133, version=5)");
    for (place, text, expected) in [
        (
            6,
            "99999",
            "line 1: import-figure.not-rate(expected=BytesPerS(Real(5794990.504747626)), \
             figure=figure.of(direction=direction.read, figure=figure.bandwidth), \
             found=BytesPerS(Real(102398976.0)), runtime=DurationNs(2001000000))",
        ),
        (7, "fast", "line 1: import-at.field(field=8, problem=import-value.not-a-number(text=fast))"),
        (9, "-1", "line 1: import-at.field(field=10, problem=import-value.not-a-number(text=-1))"),
        (20, "99=5", "line 1: import-at.field(field=21, problem=import-value.not-a-percentile(text=99=5))"),
        (
            20,
            "999%=5",
            "line 1: import-at.field(field=21, problem=import-value.not-a-percentile(text=999%=5))",
        ),
        (3, "first", "line 1: import-at.field(field=4, problem=import-value.not-whole(text=first))"),
    ] {
        let mut broken = fields.clone();
        broken[place] = text;
        assert_eq!(read(&broken.join(";")).unwrap_err().to_string(), expected);
    }
    for text in
        [";".repeat(10_000_000), format!("3;fio-3;{}", "9;".repeat(1_000_000)), "3;fio-\0;;;".to_string()]
    {
        assert!(read(&text).is_err());
    }
}

/// fio truncates IOPS to whole numbers.
#[test]
fn rates_below_one_io_per_second_are_not_zero() {
    let mut fields: Vec<String> = SAME_RUN.trim().split(';').map(str::to_string).collect();
    assert!(figures(&imported(SAME_RUN)[0]).contains_key("read iops"));
    // KiB, KiB/s, I/Os per second and milliseconds of the reads.
    for (field, value) in fields[5..9].iter_mut().zip(["8", "1", "0", "5001"]) {
        *field = value.to_string();
    }
    let slow = imported(&(fields.join(";") + "\n")).remove(0);
    let slow = figures(&slow);
    assert!(slow.contains_key("read bandwidth") && !slow.contains_key("read iops"));
}
