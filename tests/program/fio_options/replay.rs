//! Recording the I/O of a run, and replaying a recorded one.

use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use cardiograph_testing::skip;

use super::ask::{READ_NS, WRITE_NS, job, number, simulated, text};
use crate::common::fio::{LogLine, json_of};
use crate::common::loop_device::LoopDevice;
use crate::common::{Bench, PROGRAM, has_message, run};

/// Two files, every action except trims, and times in microseconds.
const TRACE: &str = "fio version 3 iolog\n0 a add\n0 b add\n0 a open\n0 b open\n0 a read 4096 4096\n\
                     1000 b write 8192 8192\n3000 a sync 0 0\n7000 a write 12288 4096\n10000 b datasync 0 0\n\
                     20000 a read 0 8192\n30000 a close\n";

/// The I/Os of a replay: time in ms, direction, offset and length.
fn replayed(bench: &Bench, trace: &str, options: &str) -> Vec<(u64, u64, u64, u64)> {
    bench.file("trace.log", trace);
    let brief = |line: LogLine| (line.at_ms, line.direction, line.offset_bytes, line.len_bytes);
    bench.ios(&format!("--read_iolog=trace.log {options}")).into_iter().map(brief).collect()
}

/// Checks that a recording is refused with these words.
#[track_caller]
fn refuses(trace: &str, options: &str, words: &[&str]) {
    let bench = Bench::new();
    bench.file("trace.log", trace);
    simulated(&bench, &format!("--read_iolog=trace.log {options}")).exits_with(1).complains(words);
}

fn lines(bench: &Bench, name: &str) -> Vec<String> {
    let text =
        std::fs::read_to_string(bench.work().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.lines().map(str::to_string).collect()
}

#[test]
fn fio_option_write_iolog() {
    let bench = Bench::new();
    text(&bench, "--rw=write --bs=4k --size=16k --fsync=2 --write_iolog=t --filename=f");
    let us = |ns: u64| ns / 1_000;
    let sync_ns = {
        let all = lines(&bench, "t");
        let sync = all.iter().find(|line| line.contains(" sync ")).unwrap();
        sync.rsplit(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let second = 2 * WRITE_NS + sync_ns;
    let expected = [
        "fio version 3 iolog".to_string(),
        "0 f add".to_string(),
        "0 f open".to_string(),
        format!("0 f write 0 4096 {WRITE_NS}"),
        format!("{} f write 4096 4096 {WRITE_NS}", us(WRITE_NS)),
        format!("{} f sync 0 0 {sync_ns}", us(2 * WRITE_NS)),
        format!("{} f write 8192 4096 {WRITE_NS}", us(second)),
        format!("{} f write 12288 4096 {WRITE_NS}", us(second + WRITE_NS)),
    ];
    assert_eq!(lines(&bench, "t")[..8], expected);
    // In order of issue, however deep the queue; including the ramp.
    text(&bench, "--rw=randread --bs=4k --size=400k --iodepth=16 --ramp_time=1ms --write_iolog=q");
    let times: Vec<u64> =
        lines(&bench, "q")[3..].iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    assert!(times.is_sorted() && times[0] == 0 && times.len() > 100, "{times:?}");
    // Clones have separate files; jobs must have them.
    text(&bench, "--rw=read --bs=4k --size=16k --numjobs=2 --write_iolog=n");
    assert_eq!((lines(&bench, "n").len(), lines(&bench, "n.1").len()), (8, 8));
    let job = "--rw=read --bs=4k --size=16k --write_iolog=same";
    let again = simulated(&bench, &format!("{job} --name=b --ioengine=sim {job}")).exits_with(1);
    again.complains(&["job 'b'", "same", "write_iolog"]);
}

#[test]
fn each_program_replays_recordings_of_the_other() {
    let (ours, theirs) = (Bench::new(), Bench::new());
    let record = "--name=r --rw=randrw --bs=4k --size=64k --fsync=3 --write_iolog=t --filename=f";
    let Some(outcome) = theirs.debian_fio(record) else {
        return skip("recordings against fio", "fio is not installed");
    };
    outcome.exits_with(0);
    ours.fio(record).exits_with(0);
    let replay = "--output-format=json --name=p --read_iolog=t --filename=f";
    let counts = |value: &serde_json::Value| {
        let job = &value["jobs"][0];
        (
            number(&job["read"]["total_ios"]),
            number(&job["write"]["total_ios"]),
            number(&job["sync"]["total_ios"]),
        )
    };
    let by_fio = json_of(&ours.debian_fio(replay).unwrap().exits_with(0));
    let by_us = json_of(&ours.fio(replay).exits_with(0));
    assert_eq!(counts(&by_fio), counts(&by_us));
    let by_us = json_of(&theirs.fio(replay).exits_with(0));
    let (reads, writes, syncs) = counts(&by_us);
    assert_eq!(reads + writes, 16);
    assert_eq!(syncs as usize, lines(&theirs, "t").iter().filter(|line| line.contains(" sync ")).count());
}

#[test]
fn fio_option_read_iolog() {
    let bench = Bench::new();
    // Each begins at its time; a read takes 100 µs per block, a write 200 µs.
    let expected = [(0, 0, 4_096, 4_096), (1, 1, 8_192, 8_192), (7, 1, 12_288, 4_096), (20, 0, 0, 8_192)];
    assert_eq!(replayed(&bench, TRACE, ""), expected);
    let value = job(&bench, "--read_iolog=trace.log");
    assert_eq!(number(&value["sync"]["total_ios"]), 2);
    // Version 2 waits until this many milliseconds after the start.
    let second = "fio version 2 iolog\na add\na open\na wait 5 0\na read 0 4096\na wait 30 0\na write 4096 512\na close\n";
    assert_eq!(replayed(&bench, second, ""), [(5, 0, 0, 4_096), (30, 1, 4_096, 512)]);
    // Delays by the drive shift later I/Os: twenty reads of 100 µs, 10 µs apart, and one 5 ms after the last of them.
    let mut late = "fio version 3 iolog\n0 a add\n0 a open\n".to_string();
    (0..20).for_each(|read| late += &format!("{} a read 0 4096\n", read * 10));
    late += "5190 a read 0 4096\n";
    assert_eq!(replayed(&bench, &late, "").last(), Some(&(7, 0, 0, 4_096)));
    // Clones replay the recordings in turn.
    bench.file("other.log", &late);
    bench.file("trace.log", TRACE);
    let both = job(&bench, "--read_iolog=trace.log:other.log --numjobs=2 --group_reporting");
    assert_eq!(number(&both["read"]["total_ios"]), 2 + 21);
    // A limit ends it earlier.
    assert_eq!(replayed(&bench, TRACE, "--number_ios=2").len(), 2);
    assert_eq!(replayed(&bench, TRACE, "--runtime=5ms").len(), 2);
}

#[test]
fn a_bad_recording_is_refused_with_its_line() {
    refuses(&TRACE.replace("write 8192", "wrate 8192"), "", &["trace.log:7", "wrate"]);
    refuses(&TRACE.replace("0 b open\n", ""), "", &["trace.log:6", "@fio-iolog.not-open", "'b'"]);
    refuses("nonsense\n", "", &["trace.log:1", "@fio-iolog.unknown-header", "nonsense"]);
    refuses("", "", &["trace.log", "@fio-iolog.empty"]);
    refuses("fio version 3 iolog\n0 a add\n", "", &["@jobs-recording.nothing-replayed"]);
    refuses(TRACE, "--read_iolog=missing.log", &["missing.log", "@recording-missing"]);
    refuses(TRACE, "--read_iolog=/dev/null", &["/dev/null", "@recording-not-regular"]);
    refuses(TRACE, "--verify=crc32c", &["verify=crc32c", "read_iolog"]);
    refuses(TRACE, "--rate_iops=10", &["rate_iops=10", "read_iolog"]);
}

#[test]
fn malformed_recordings_are_refused_with_their_line() {
    let start = "fio version 3 iolog\n0 a add\n0 a open\n";
    let io = |line: &str| format!("{start}{line}\n");
    let long = format!("0 {} read 0 4096", "a".repeat(100_000));
    for (line, words) in [
        ("0 a read 4096", "@fio-iolog.offset-missing"),
        ("0 a re", "@fio-iolog.unknown-action"),
        ("0 a", "@fio-iolog.action-missing"),
        ("0 a read 0 0", "@fio-iolog.no-bytes"),
        ("0 a read -1 4096", "@fio-iolog.offset-unreadable"),
        ("0 a read 99999999999999999999999999 4096", "@fio-iolog.offset-unreadable"),
        ("0 a read 9223372036854775807 4096", "@fio-iolog.beyond-any-file"),
        ("0 a read 0 18446744073709551615", "@fio-iolog.length-unreadable"),
        ("99999999999999999999 a read 0 4096", "@fio-iolog.time-unreadable"),
        ("0 b read 0 4096", "@fio-iolog.not-added"),
        ("0 a wait 5", "@fio-iolog.no-wait"),
        ("0 a read 0\u{0}4096", "@fio-iolog.offset-unreadable"),
        (&long, "@fio-iolog.line-too-long"),
    ] {
        refuses(&io(line), "", &["trace.log:4: ", words]);
    }
    let bench = Bench::new();
    for (bytes, place, problem) in [
        (b"fio version 3 iolog\n0 a add\n\xff\xfe\x00\n".as_slice(), "trace.log:3: ", "@fio-iolog.not-text"),
        (b"\x07\x65\x61\x74\0\0\0\0", "trace.log:1: ", "@fio-iolog.blktrace"),
        (&[0; 100_000], "trace.log:1: ", "@fio-iolog.unknown-header"),
    ] {
        std::fs::write(bench.work().join("trace.log"), bytes).unwrap();
        for chunked in [0, 1] {
            let line = format!("--read_iolog=trace.log --read_iolog_chunked={chunked}");
            simulated(&bench, &line).exits_with(1).complains(&[place, problem]);
        }
    }
}

#[test]
fn each_length_of_a_recording_has_room() {
    let bench = Bench::new();
    // Writes are longer than reads, reads than writes, and trims than both.
    for (read_bytes, write_bytes, trim_bytes) in
        [(4_096, 1 << 20, 4_096), (1 << 20, 512, 4_096), (512, 512, 1 << 30)]
    {
        let trace = format!(
            "fio version 3 iolog\n0 a add\n0 a open\n0 a write 0 {write_bytes}\n0 a read 0 {read_bytes}\n\
             0 a trim 0 {trim_bytes}\n"
        );
        let lens: Vec<_> =
            replayed(&bench, &trace, "").into_iter().map(|(_, at, _, len)| (at, len)).collect();
        assert_eq!(lens, [(1, write_bytes), (0, read_bytes), (2, trim_bytes)]);
        bench.file("t", &trace);
        bench.fio("--name=p --read_iolog=t --replay_skip=trim").exits_with(0);
    }
    assert_eq!(replayed(&bench, "fio version 2 iolog\na add\na open\na trim 512 1024\n", "").len(), 1);
}

/// fio's own recordings have trims of this length.
#[test]
fn an_io_of_a_recording_may_have_2_gib() {
    let bench = Bench::new();
    bench.file("t", "fio version 3 iolog\n0 a add\n0 a open\n0 a read 0 2147483648\n");
    let line = "--output-format=json --name=p --ioengine=null --read_iolog=t";
    for outcome in [Some(bench.fio(line)), bench.debian_fio(line)].into_iter().flatten() {
        let json = json_of(&outcome.exits_with(0));
        let read = &json["jobs"][0]["read"];
        assert_eq!((read["total_ios"].as_u64(), read["io_bytes"].as_u64()), (Some(1), Some(2 << 30)));
    }
    bench.file("t", "fio version 3 iolog\n0 a add\n0 a open\n0 a read 0 2147483649\n");
    bench.fio(line).exits_with(1).complains(&["t:4"]);
}

#[test]
fn trims_are_recorded_and_replayed() {
    let bench = Bench::new();
    text(&bench, "--rw=randtrim --bs=64k --size=512k --write_iolog=t --filename=f");
    let recorded: Vec<String> =
        lines(&bench, "t").into_iter().filter(|line| line.contains(" trim ")).collect();
    assert_eq!(recorded.len(), 8);
    let again = replayed(&bench, &lines(&bench, "t").join("\n"), "");
    for ((_, direction, offset_bytes, len_bytes), line) in again.into_iter().zip(&recorded) {
        assert_eq!(direction, 2);
        assert!(line.contains(&format!(" trim {offset_bytes} {len_bytes} ")), "{line}");
    }
    assert_eq!(number(&job(&bench, "--read_iolog=t")["trim"]["total_ios"]), 8);
    // A file cannot be trimmed, and is neither created nor changed.
    for file in ["f", "there"] {
        bench.file("t", &lines(&bench, "t").join("\n").replace(" f ", &format!(" {file} ")));
        let before = bench.entries();
        let outcome = bench.fio("--name=p --read_iolog=t").exits_with(1);
        outcome.complains(&["@jobs-recording.trims-file", file]);
        assert_eq!(bench.entries(), before);
        bench.file("there", "precious");
    }
    let Some(device) = LoopDevice::new(&bench) else {
        return skip("trims replayed on a device", "no loop devices");
    };
    let whole = std::fs::OpenOptions::new().write(true).open(&device.path).unwrap();
    whole.write_all_at(&vec![0xa5; 8 << 20], 0).unwrap();
    whole.sync_all().unwrap();
    let line = format!("fio --name=p --read_iolog=t --replay_redirect={} --ioengine=libaio", device.path);
    let mut command = bench.command(PROGRAM, line.split_whitespace());
    command.env("CARDIOGRAPH_ALLOW_ERASE", device.id(&bench));
    run(command).exits_with(0).says(&["total=0,0,8,0"]);
    let content = std::fs::read(&device.path).unwrap();
    assert!(content[..512 << 10].iter().all(|&byte| byte == 0));
    assert!(content[512 << 10..].iter().all(|&byte| byte == 0xa5));
}

#[test]
fn a_recording_overwrites_no_file_that_the_job_does_not_name() {
    let bench = Bench::new();
    let precious = bench.file("precious", "do not touch");
    let path = precious.display().to_string();
    let trace = format!("fio version 3 iolog\n0 {path} add\n0 {path} open\n0 {path} write 0 512\n");
    bench.file("t", &trace);
    let refused = bench.fio("--name=p --read_iolog=t").exits_with(1);
    refused.complains(&["@jobs-problem-of-job.replay-writes", "precious"]);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "do not touch");
    bench.fio("--name=p --read_iolog=t --replay_redirect=new").exits_with(0);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "do not touch");
    bench.fio(&format!("--name=p --read_iolog=t --filename={path}")).exits_with(0);
    assert_eq!(std::fs::metadata(&precious).unwrap().len(), 512);
}

#[test]
fn fio_option_read_iolog_chunked() {
    let bench = Bench::new();
    let trace = "fio version 3 iolog\n0 a add\n0 a open\n0 a read 0 4096\n0 a read 4096 4096\n";
    // Lines added after the jobs were checked are seen only by chunked reading.
    let reads = |chunked: u32| {
        bench.file("t", trace);
        let _ = std::fs::remove_file(bench.work().join("seen_lat.1.log"));
        let appender = std::thread::spawn({
            let work = bench.work().to_path_buf();
            move || {
                let until = Instant::now() + Duration::from_secs(60);
                while !work.join("seen_lat.1.log").exists() && Instant::now() < until {
                    std::thread::sleep(Duration::from_millis(5));
                }
                std::fs::write(work.join("t"), format!("{trace}0 a read 0 4096\n")).unwrap();
            }
        });
        let first = "--name=first --ioengine=null --rw=read --size=1M --time_based --runtime=1 --thinktime=1ms --write_lat_log=seen \
                     --log_avg_msec=100";
        let second = format!("--name=p --stonewall --read_iolog=t --read_iolog_chunked={chunked}");
        let outcome = bench.fio(&format!("--output-format=json {first} {second}")).exits_with(0);
        appender.join().unwrap();
        number(&json_of(&outcome)["jobs"][1]["read"]["total_ios"])
    };
    assert_eq!((reads(0), reads(1)), (2, 3));
}

#[test]
fn fio_option_replay_no_stall() {
    let bench = Bench::new();
    let times =
        |options: &str| replayed(&bench, TRACE, options).iter().map(|line| line.0).collect::<Vec<_>>();
    assert_eq!(times("--replay_no_stall=0"), [0, 1, 7, 20]);
    let fast = times("--replay_no_stall=1");
    assert!(fast.len() == 4 && fast[3] < 10, "{fast:?}");
}

#[test]
fn fio_option_replay_time_scale() {
    let bench = Bench::new();
    let times =
        |options: &str| replayed(&bench, TRACE, options).iter().map(|line| line.0).collect::<Vec<_>>();
    assert_eq!(times("--replay_time_scale=50"), [0, 2, 14, 40]);
    assert_eq!(times("--replay_time_scale=100"), [0, 1, 7, 20]);
    assert_eq!(times("--replay_time_scale=200").last(), Some(&10));
    refuses(TRACE, "--replay_time_scale=0", &["replay_time_scale=0"]);
}

#[test]
fn fio_option_replay_redirect() {
    let bench = Bench::new();
    bench.file("t", TRACE);
    bench.fio("--name=p --read_iolog=t --replay_redirect=target").exits_with(0);
    // All I/Os go to one file, which is as long as the furthest I/O.
    assert_eq!(bench.entries(), ["t", "target"]);
    assert_eq!(std::fs::metadata(bench.work().join("target")).unwrap().len(), 16_384);
}

#[test]
fn fio_option_replay_scale() {
    let bench = Bench::new();
    let offsets =
        |options: &str| replayed(&bench, TRACE, options).iter().map(|line| line.2).collect::<Vec<_>>();
    assert_eq!(offsets("--replay_scale=4"), [1_024, 2_048, 3_072, 0]);
    // fio treats 0 as no limit.
    assert_eq!(offsets("--replay_scale=0"), offsets("--replay_scale=1"));
}

#[test]
fn fio_option_replay_align() {
    let bench = Bench::new();
    let offsets =
        |options: &str| replayed(&bench, TRACE, options).iter().map(|line| line.2).collect::<Vec<_>>();
    assert_eq!(offsets("--replay_align=8k"), [0, 8_192, 8_192, 0]);
    refuses(TRACE, "--replay_align=5000", &["replay_align=5000", "@jobs-value.not-a-power-of-two"]);
}

#[test]
fn fio_option_replay_skip() {
    let bench = Bench::new();
    let directions =
        |options: &str| replayed(&bench, TRACE, options).iter().map(|line| line.1).collect::<Vec<_>>();
    assert_eq!(directions("--replay_skip=write"), [0, 0]);
    assert_eq!(directions("--replay_skip=read,sync"), [1, 1]);
    assert_eq!(number(&job(&bench, "--read_iolog=trace.log --replay_skip=sync")["sync"]["total_ios"]), 0);
    refuses(TRACE, "--replay_skip=writes", &["replay_skip=writes"]);
}

#[test]
fn a_replay_is_compared_with_the_recording() {
    let bench = Bench::new();
    let recorded = job(&bench, "--rw=randread --bs=4k --size=400k --write_iolog=t --filename=f");
    assert_eq!(number(&recorded["read"]["total_ios"]), 100);
    let replay = job(&bench, "--read_iolog=t");
    let figures = &replay["cardiograph"]["replay"];
    assert_eq!(number(&figures["recorded_lat_ns"]["read"]["N"]), 100);
    assert_eq!(figures["recorded_lat_ns"]["read"]["mean"].as_f64().unwrap(), READ_NS as f64);
    // On the same drive it takes the same time, except for rounding to microseconds.
    assert_eq!(number(&figures["recorded_ns"]), 100 * READ_NS);
    assert_eq!(number(&figures["replayed_ns"]), 100 * READ_NS);
    let said = text(&bench, "--read_iolog=t");
    assert!(has_message(&said, "replay-time.recorded") && said.contains("10 ms"), "{said}");
    assert!(has_message(&said, "replay-mean") && said.contains("100 µs"), "{said}");
    // Recordings of fio have no latencies.
    let value = {
        bench.file("plain.log", TRACE);
        job(&bench, "--read_iolog=plain.log")
    };
    assert_eq!(number(&value["cardiograph"]["replay"]["recorded_ns"]), 20_000_000);
    assert!(value["cardiograph"]["replay"].get("recorded_lat_ns").is_none());
}
