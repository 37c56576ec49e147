//! Published runs of fio: unchanged commands, job files and scripts of articles. Appended options or replaced numbers, shown
//! below, reduce sizes and times.

use crate::common::fio::{Fio, json_of};
use crate::common::fio_shell::shell;
use crate::common::fio_text::{same_shape, shape, without_samples, without_sectors};
use crate::common::{Bench, run};

/// Command lines, each after a `$`, with the line continuations of their articles.
const COMMANDS: &str = include_str!("../../crates/fio/tests/fio/commands.txt");
/// Commands of an article that compares a card with an SSD, and their outputs on each.
const PRINTED: [(&str, [&str; 2]); 4] = [
    (
        "--name=sdtest ",
        [
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/sdtest-card.txt"),
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/sdtest-ssd.txt"),
        ],
    ),
    (
        "--name=latp ",
        [
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/latp-card.txt"),
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/latp-ssd.txt"),
        ],
    ),
    (
        "--name=fsync ",
        [
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/fsync-card.txt"),
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/fsync-ssd.txt"),
        ],
    ),
    (
        "--name=sustain ",
        [
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/sustain-card.txt"),
            include_str!("../../crates/fio/tests/golden/fio/raspberry-pi-5/sustain-ssd.txt"),
        ],
    ),
];
/// Eight MiB at the speed of a card: long enough for samples of the bandwidth.
const SLOWLY: &str = "--size=8M --rate=4M,4M";
const ONE_SECOND: &str = "--size=8M --runtime=1";

/// The command with these words, including its line continuations.
fn command(words: &str) -> String {
    let mut commands = COMMANDS.split("\n$ ").skip(1).map(|text| text.split("\n\n").next().unwrap_or(text));
    let found = commands.find(|command| command.contains(words)).unwrap_or_else(|| panic!("no {words}"));
    let lines: Vec<&str> = found.lines().filter(|line| !line.starts_with('#')).collect();
    lines.join("\n")
}

/// The output without the command. Without a terminal it has an empty line instead of the progress line.
fn unwatched(printed: &str) -> String {
    let lines = printed.lines().filter(|line| !line.starts_with('$'));
    lines.map(|line| if line.starts_with("Jobs: ") { "" } else { line }).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_experiments_with_a_card_and_an_ssd_print_the_same_lines() {
    for (index, (words, printed)) in PRINTED.iter().enumerate() {
        let scale = if index == 0 { SLOWLY } else { ONE_SECOND };
        for fio in Fio::all("fio_seeds: four experiments") {
            let bench = Bench::new();
            let outcome = shell(&bench, fio, &format!("{} {scale}", command(words))).exits_with(0);
            assert_eq!(bench.entries(), ["~"], "{words}: the tilde was expanded");
            let found = shape(&outcome.stdout);
            for text in printed {
                let expected = shape(&unwatched(text));
                let expected = if fio == Fio::Debian { without_sectors(&expected) } else { expected };
                same_shape(&found, &expected, &format!("{fio:?} {words}"));
                same_fixed_lines(&outcome.stdout, text);
            }
        }
    }
}

/// Checks that lines that do not depend on the drive's speed are identical.
fn same_fixed_lines(found: &str, printed: &str) {
    let heads = ["     submit ", "     complete ", "     latency ", "  IO depths    : 1=100"];
    let fixed = printed.lines().filter(|line| heads.iter().any(|head| line.starts_with(head)));
    let mut count = 0;
    for line in fixed {
        count += 1;
        assert!(found.lines().any(|found| found == line), "{line}\nis not in\n{found}");
    }
    assert!(count >= 3, "{printed}");
}

#[test]
fn on_a_terminal_the_line_of_progress_stands_before_the_results() {
    if !std::path::Path::new("/usr/bin/script").exists() {
        return cardiograph_testing::skip("fio_seeds: a terminal", "needs script from util-linux");
    }
    let bench = Bench::new();
    let (words, [printed, _]) = PRINTED[3];
    // The article runs it for two minutes; progress is printed every second.
    let typed = format!("exec {} --size=8M --runtime=2", command(words));
    let typed = typed.replacen("fio", &format!("'{}' fio", crate::common::PROGRAM), 1);
    let outcome = run(bench.command("/usr/bin/script", ["-qec", &typed, "/dev/null"])).exits_with(0);
    // Of a line that was overwritten, the last version is visible.
    let seen =
        outcome.stdout.lines().map(|line| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or(line));
    let seen: Vec<&str> = seen.collect();
    let printed: Vec<&str> = printed.lines().filter(|line| !line.starts_with('$')).collect();
    same_shape(&shape(&seen.join("\n")), &shape(&printed.join("\n")), "on a terminal");
}

#[test]
fn a_tilde_inside_a_word_is_left_as_it_is_with_a_note() {
    let bench = Bench::new();
    let line = format!("{} {SLOWLY} --rate=0", command(PRINTED[0].0));
    let words = line.strip_prefix("fio ").unwrap();
    let outcome = bench.fio(words).exits_with(0);
    outcome.notes(&["@fio-option.tilde", "'filename'"]);
    assert_eq!(crate::common::entries(&bench.work().join("~")), ["fiotest.tmp"]);
    assert!(!bench.work().parent().unwrap().join("fiotest.tmp").exists());
}

#[test]
fn the_six_commands_for_servers_are_reported_as_one_group() {
    for (rw, block, jobs, size) in [
        ("read", "4k", 64, "256k"),
        ("write", "4k", 64, "256k"),
        ("randread", "4k", 64, "256k"),
        ("randwrite", "4k", 64, "256k"),
        ("read", "32m", 16, "32m"),
        ("write", "32m", 16, "32m"),
    ] {
        let words = format!("-rw={rw} -bs={block} ");
        let mut shapes = Vec::new();
        for fio in Fio::all("fio_seeds: six commands") {
            let bench = Bench::new();
            // Neither the file system of the article nor its ten seconds are available.
            let here = command(&words).replace("/data/", &format!("{}/", bench.work().display()));
            let outcome = shell(&bench, fio, &format!("{here} -size={size} -runtime=1")).exits_with(0);
            let text = &outcome.stdout;
            assert!(text.contains(&format!("file1: (groupid=0, jobs={jobs}): err= 0: pid=")), "{text}");
            assert!(text.contains("\n...\nfio-") && text.contains(&format!("Starting {jobs} processes\n")));
            assert_eq!(bench.entries(), ["test5g"]);
            assert_eq!(text.matches("clat percentiles").count(), 1, "{text}");
            shapes.push((fio, without_samples(&shape(text))));
        }
        if let [(_, ours), (_, debian)] = &shapes[..] {
            same_shape(&without_sectors(ours), debian, &words);
        }
    }
}

#[test]
fn each_of_sixty_four_jobs_reads_the_whole_file() {
    let bench = Bench::new();
    let here = command("-rw=randread -bs=4k ").replace("/data/", "");
    let outcome = shell(&bench, Fio::Ours, &format!("{here} -size=64k -runtime=60")).exits_with(0);
    outcome.says(&["issued rwts: total=1024,0,0,0 short=0,0,0,0", "io=4096KiB (4194kB)"]);
}

/// The job file and script of an article on cards for small devices.
const BATCH_JOBS: &str = include_str!("../../crates/fio/tests/fio/fio.job");
const BATCH: &str = include_str!("fio_seeds/fiobatch.sh");

#[test]
fn a_batch_script_gets_its_four_fields_of_the_terse_output() {
    let jobs = BATCH_JOBS.replace("size=100m", "size=4m").replace("size=10m", "size=64k");
    for fio in Fio::all("fio_seeds: the batch script") {
        let bench = Bench::new();
        bench.file("fio.job", &jobs);
        let outcome = shell(&bench, fio, BATCH).exits_with(0);
        let mut lines = outcome.stdout.lines();
        assert_eq!(lines.next(), Some("job, bandwidth, iops"));
        let rows: Vec<(&str, f64, f64)> = lines.map(row).collect();
        let names: Vec<&str> = rows.iter().map(|(name, ..)| *name).collect();
        assert_eq!(
            names,
            [
                "seqread",
                "seqwrite",
                "seqread4",
                "seqwrite4",
                "randread512k",
                "randwrite512k",
                "randread4k",
                "randwrite4k",
                "randread4k32",
                "randwrite4k32"
            ]
        );
        for (name, bandwidth_kib_per_s, iops) in rows {
            let block_kib = match name {
                name if name.contains("512k") => 512.0,
                name if name.contains("4k") => 4.0,
                _ => 1024.0,
            };
            // Both are truncated to whole numbers.
            let difference = bandwidth_kib_per_s / block_kib - iops;
            assert!(
                iops >= 1.0 && (-0.01..=1.01).contains(&difference),
                "{name}: {difference} {}",
                outcome.stdout
            );
        }
        // The files have fio's names: the script removed them all.
        assert_eq!(bench.entries(), ["fio.job"]);
        assert_eq!(outcome.stderr, "");
    }
}

fn row(line: &str) -> (&str, f64, f64) {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [name, bandwidth, iops] = fields[..] else { panic!("{line}") };
    let whole = |field: &str| field.parse::<u64>().unwrap_or_else(|_| panic!("{line}")) as f64;
    (name, whole(bandwidth), whole(iops))
}

/// Written after the description in an article on cards for the Raspberry Pi.
const SSD_TEST: &str = include_str!("../../crates/fio/tests/fio/ssd-test.fio");

fn ssd_test(bench: &Bench) -> String {
    let here = format!("directory={}", bench.work().display());
    let jobs = SSD_TEST.replace("size=10g", "size=2m").replace("runtime=60", "runtime=10");
    jobs.replace("directory=/mnt/test", &here)
}

#[test]
fn four_jobs_for_an_ssd_run_one_after_the_other() {
    let mut shapes = Vec::new();
    for fio in Fio::all("fio_seeds: ssd-test.fio") {
        let bench = Bench::new();
        bench.file("ssd-test.fio", &ssd_test(&bench));
        let outcome = shell(&bench, fio, "fio ssd-test.fio").exits_with(0);
        assert_eq!(outcome.stdout.matches("     | 70.00th=[").count(), 4, "{}", outcome.stdout);
        shapes.push((fio, without_samples(&shape(&outcome.stdout))));
    }
    if let [(_, ours), (_, debian)] = &shapes[..] {
        same_shape(&without_sectors(ours), debian, "ssd-test.fio");
    }
}

#[test]
fn bandwidth_and_percentiles_of_each_can_be_read() {
    for fio in Fio::all("fio_seeds: percentiles of ssd-test.fio") {
        let bench = Bench::new();
        bench.file("ssd-test.fio", &ssd_test(&bench));
        let json = json_of(&shell(&bench, fio, "fio --output-format=json ssd-test.fio").exits_with(0));
        for (index, (name, direction)) in
            [("seq-read", "read"), ("rand-read", "read"), ("seq-write", "write"), ("rand-write", "write")]
                .into_iter()
                .enumerate()
        {
            let job = &json["jobs"][index];
            assert_eq!((job["jobname"].as_str(), job["groupid"].as_u64()), (Some(name), Some(index as u64)));
            let figures = &job[direction];
            assert_eq!(figures["io_bytes"], 2 << 20);
            assert_eq!(figures["total_ios"], 512);
            assert!(figures["bw"].as_u64() > Some(0), "{figures}");
            let percentile = |key: &str| figures["clat_ns"]["percentile"][key].as_u64().unwrap();
            let (p70, p99, p99_99) =
                (percentile("70.000000"), percentile("99.000000"), percentile("99.990000"));
            let (min, max) =
                (figures["clat_ns"]["min"].as_u64(), figures["clat_ns"]["max"].as_u64().unwrap());
            // Percentiles are as precise as their buckets: 1 in 128.
            assert!(
                min <= Some(p70) && p70 <= p99 && p99 <= p99_99 && p99_99 <= max + max / 128,
                "{figures}"
            );
        }
    }
}
