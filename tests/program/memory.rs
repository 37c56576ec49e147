//! Memory: an input of any length is read or refused with a clear message, within 256 MiB.

use cardiograph_testing::part_or_all;

use crate::common::{Bench, PROGRAM, run};

/// The heap limit in KiB. The C library reserves some for each thread, so not all of it is usable.
const LIMIT_KIB: u64 = 256 << 10;

/// Runs the program with limited memory and the output of a shell command on its standard input.
fn limited(bench: &Bench, input: &str, arguments: &str) -> crate::common::Outcome {
    let line = format!("{{ {input}; }} | {{ ulimit -d {LIMIT_KIB} && exec '{PROGRAM}' {arguments}; }}");
    run(bench.command("sh", ["-c", &line]))
}

/// A shell command that repeats a text up to a length, without newlines.
fn repeated(text: &str, len_bytes: u64) -> String {
    format!("yes '{text}' | tr -d '\\n' | head -c {len_bytes}")
}

/// Input, arguments, exit code, and words of the message.
type Case<'a> = (&'a str, &'a str, i32, &'a [&'a str]);

fn end_clearly(cases: &[Case<'_>]) {
    let bench = Bench::new();
    for (input, arguments, code, words) in cases.iter().step_by(part_or_all(3, 1)) {
        limited(&bench, input, arguments).exits_with(*code).complains(words);
    }
}

const FIO_JSON: &str = r#"printf '{"fio version":"fio-3.33","jobs":['"#;
const REPORT: &str = r#"printf '{"report_version":1,"steps":['"#;
const MAP: &str =
    "import - --map 'drive=1; w.write.bandwidth=2 MB/s; w: dd if=/dev/zero of=x bs=8k count=50k'";

#[test]
fn inputs_of_200_mb_end_at_their_limit() {
    const LEN_BYTES: u64 = 200_000_000;
    let zeros = format!("head -c {LEN_BYTES} /dev/zero");
    let lines = |line: &str| format!("yes '{line}' | head -c {LEN_BYTES}");
    let terse = format!("printf '3;fio-3.33;'; {}", repeated("1;", LEN_BYTES));
    let fio = format!("{FIO_JSON}; {}", repeated(r#"{"jobname":""},"#, LEN_BYTES));
    let report = format!("{REPORT}; {}", repeated("1,", LEN_BYTES));
    let text = &["@import-text.too-long", "32 MiB"][..];
    end_clearly(&[
        (&terse, "import -", 2, text),
        (&fio, "import -", 2, text),
        (&zeros, "import --as dd -", 2, text),
        (&lines("1+0 records in"), "import -", 2, text),
        (&lines(""), "import --as fio-normal -", 2, text),
        (&zeros, "import -", 2, &["@import-unknown"]),
        (&lines("a | 1 MB/s"), MAP, 2, &["@import-text.too-long", "4 MiB"]),
        (&report, "import -", 2, &["@input-too-long", "16 MiB"]),
        (&report, "show /dev/stdin", 2, &["@input-too-long", "16 MiB"]),
        (&lines("[a]"), "fio -", 1, &["@input-too-long", "2 MiB"]),
        (":", "check --simulate /dev/zero", 2, &["@input-too-long", "1 MiB"]),
    ]);
}

/// Texts within the limits may still take many times their length in memory.
#[test]
fn inputs_within_their_limits_fit_into_memory() {
    const LEN_BYTES: u64 = 32_000_000;
    let lines = |line: &str, len_bytes: u64| format!("yes '{line}' | head -c {len_bytes}");
    let terse = format!("printf '3;fio-3.33;'; {}", repeated("1;", LEN_BYTES));
    let fio = |job: &str, len_bytes: u64| format!("{FIO_JSON}; {}; echo '{{}}]}}'", repeated(job, len_bytes));
    let deep = format!(r#"printf '{{"fio version":'; {}"#, repeated("[", LEN_BYTES));
    let copies = "yes '1+0 records in\n1+0 records out\n1 bytes copied, 1 s, 1 B/s' | head -n 60000";
    let report = |zeros: &str| {
        let zeros = repeated(zeros, 15_000_000);
        format!(
            r#"printf '{{"report_version":1,"steps":[{{"result":{{"workers":[{{"series":{{"window_ns":1,"duration_ns":1,"read":{{"ios":['; {zeros}"#
        )
    };
    end_clearly(&[
        (&terse, "import -", 2, &["@import-fio.line-too-long"]),
        (&fio(r#"{"jobname":""},"#, LEN_BYTES), "import -", 2, &["@import-fio.not-json"]),
        (
            &fio(r#"{"jobname":""},"#, 15 * 600_000),
            "import -",
            2,
            &["@import-fio.document-too-long", "6 MiB"],
        ),
        (&fio(r#"{"jobname":"","read":{}},"#, 5_000_000), "import -", 2, &["@import-fio.not-json"]),
        (
            &fio(r#"{"jobname":"","read":{"lat":{"min":1,"max":1}}},"#, 5_000_000),
            "import -",
            2,
            &["@import-fio.not-json"],
        ),
        (&deep, "import -", 2, &["@import-fio.not-json"]),
        (&lines("", 30_000_000), "import --as fio-normal -", 2, &["@import-text.too-many-lines"]),
        (copies, "import -", 2, &["@import-text.too-many-tests"]),
        (&lines("[a]", 2_000_000), "fio -", 1, &["@fio-file.settings-too-long"]),
        (
            &format!("echo '[a]'; {}", lines("bs=4k", 6 * 333_333)),
            "fio -",
            1,
            &["@jobs-problem-of-job.size-missing"],
        ),
        (&lines("a | 1 MB/s", 11 * 360_000), MAP, 2, &["@import-text.too-many-tests"]),
        (&report("0,"), "import -", 2, &["EOF while parsing a value"]),
    ]);
}

/// Reports that are short as text but long as tables: thousands of histograms with two distant values.
#[test]
fn reports_of_many_histograms_fit_into_memory() {
    const LEN_BYTES: usize = 15_000_000;
    let bench = Bench::new();
    let checkup = ["check", "--simulate", "sandisk-ultra-64", "--no-keep", "--export-json", "one.json"];
    run(bench.command(PROGRAM, checkup)).exits_with(0);
    let one = std::fs::read_to_string(bench.work().join("one.json")).unwrap();
    let mut report = crate::common::read_report(&one);
    report.id = "many".into();
    report.steps.truncate(1);
    let result = report.steps[0].result.as_mut().unwrap();
    let mut wide = cardiograph_core::Latency::default();
    [1, cardiograph_core::histogram::LIMIT_NS - 1].into_iter().for_each(|ns| wide.record(ns));
    let worker = &mut result.workers[0];
    worker.series = cardiograph_core::Series::default();
    for direction in cardiograph_core::Direction::ALL {
        let figures = &mut worker.directions[direction];
        figures.completion = wide.clone();
        (figures.submission, figures.total, figures.intended) =
            (Some(wide.clone()), Some(wide.clone()), Some(wide.clone()));
    }
    let len_bytes = serde_json::to_string(&worker).unwrap().len();
    result.workers = vec![worker.clone(); LEN_BYTES / len_bytes];
    bench.file("many.json", &serde_json::to_string(&report).unwrap());
    let commands = [
        "show many.json",
        "show many.json --fio json+",
        "show many.json --export-html many.html",
        "import many.json --store s.db",
        "compare many.json one.json --store s.db",
    ];
    for arguments in commands.into_iter().step_by(part_or_all(2, 1)) {
        eprintln!("{arguments}");
        limited(&bench, ":", arguments).exits_with(0);
    }
}

/// Stores made to take much memory: SQL, and the words of the refusal.
#[test]
fn stores_fit_into_memory() {
    const LARGE: &str = "@store-too-large";
    const MIB: usize = 1 << 20;
    let text = |column: &str, mib: usize| format!("{column} = CAST(zeroblob({}) AS TEXT)", mib * MIB);
    let many = "INSERT INTO run SELECT i, 'r' || i, 1, 1, 'quick', 'finished', NULL, NULL, '', '', '', '', NULL, 0, 0, NULL, NULL, NULL FROM n";
    let count = "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 900000)";
    let cases = [
        (format!("UPDATE run SET {}", text("path", 181)), LARGE),
        (format!("UPDATE run SET {}", text("path", 60)), LARGE),
        (format!("UPDATE run_head SET {}", text("facts", 60)), LARGE),
        (format!("UPDATE test SET {}", text("method", 60)), LARGE),
        (format!("UPDATE step SET body = zeroblob({}) WHERE number = 0", 20 * MIB), "@store-damaged"),
        (format!("{count} {many}"), LARGE),
    ];
    let bench = Bench::new();
    for (seed, file) in [("1", "one.json"), ("2", "two.json")] {
        let drive = ["check", "--simulate", "sandisk-ultra-64", "--seed", seed];
        run(bench.command(PROGRAM, drive.into_iter().chain(["--no-keep", "--export-json", file])))
            .exits_with(0);
    }
    run(bench.command(PROGRAM, ["import", "one.json", "--store", "one.db"])).exits_with(0);
    let one = std::fs::read_to_string(bench.work().join("one.json")).unwrap();
    let id = crate::common::read_report(&one).id;
    let commands =
        ["history".into(), format!("show {id}"), format!("compare {id} two.json"), "store repair".into()];
    for (number, (sql, words)) in cases.into_iter().enumerate() {
        std::fs::copy(bench.work().join("one.db"), bench.work().join("s.db")).unwrap();
        let connection = rusqlite::Connection::open(bench.work().join("s.db")).unwrap();
        connection.execute_batch(&sql).unwrap();
        drop(connection);
        // Each case is tried with one command, and each command with one or more cases.
        for arguments in commands.iter().cycle().skip(number).take(part_or_all(1, commands.len())) {
            let done = limited(&bench, ":", &format!("{arguments} --store s.db"));
            eprintln!("{sql}: {arguments}");
            if !done.status.success() {
                done.exits_with(3).complains(&[words]);
            }
        }
    }
}

/// A log of a million lines is not held in memory.
#[test]
fn logs_are_read_line_by_line() {
    let bench = Bench::new();
    let log = "for n in $(seq 100); do yes \"${n}000, 200000, 0, 4096\" | head -n 10000; done > x_lat.1.log";
    run(bench.command("sh", ["-c", log])).exits_with(0);
    limited(&bench, ":", "import --as fio-log-ios --dry-run x_lat.1.log")
        .exits_with(0)
        .says(&["@import-state.would-be-new"]);
}

#[test]
fn a_test_of_58_hours_has_no_more_windows_than_one_of_minutes() {
    let bench = Bench::new();
    let jobs = "[a]\nioengine=sim\nsim_model=sandisk-ultra-64\nsize=4M\nbs=4k\nrw=randread\nthinktime=1s\ntime_based\nruntime=58h\n";
    bench.file("long.fio", jobs);
    limited(&bench, ":", "run long.fio --export-json out.json").exits_with(0);
    let text = std::fs::read_to_string(bench.work().join("out.json")).unwrap();
    let report = crate::common::read_report(&text);
    let result = report.steps[0].result.as_ref().unwrap();
    let (series, read) = (&result.workers[0].series, result.merged(|_| true).read);
    assert!(series.duration_ns > 57 * 3_600 * cardiograph_core::NS_PER_S && read.ios > 200_000);
    assert!((5_000..=10_000).contains(&series.rows.read.len()), "{}", series.rows.read.len());
    assert!((5_000..=10_000).contains(&series.latency.read.len()), "{}", series.latency.read.len());
    assert_eq!(series.rows.read.iter().map(|row| row.ios).sum::<u64>(), read.ios);
    assert_eq!(series.latency.read.iter().map(|row| row.len()).sum::<u64>(), read.ios);
    assert!(text.len() < 2_000_000, "{}", text.len());
    // Every reader of a series uses its window length.
    for arguments in ["show out.json", "show out.json --fio json+", "plot out.json --export-svg out.svg"] {
        limited(&bench, ":", arguments).exits_with(0);
    }
}

/// The documented limits are those of the parsers.
#[test]
fn the_limits_are_documented() {
    let page = include_str!("../../docs/limits.md");
    let mib = |len_bytes: u64| format!("{} MiB", len_bytes >> 20);
    for limit in [
        mib(cardiograph_core::json::LEN_BYTES_MAX),
        format!("{}, 2,000,000 lines, 10,000 tests", mib(cardiograph_import::TEXT_LEN_BYTES_MAX)),
        format!("{};", mib(cardiograph_fio::jobfile::FILE_LEN_BYTES_MAX as u64)),
        mib(cardiograph_import::table::LEN_BYTES_MAX),
        mib(cardiograph_jobs::value::PATTERN_LEN_BYTES_MAX as u64),
        "at most 10,000 windows".to_string(),
    ] {
        assert!(page.contains(&limit), "{limit}");
    }
    let counts = (cardiograph_import::LINES_MAX, cardiograph_import::TESTS_MAX);
    assert_eq!((counts, cardiograph_core::series::WINDOWS_MAX), ((2_000_000, 10_000), 10_000));
}
