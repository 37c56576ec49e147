//! Unusual spellings of values: the I/Os are those of fio.

use super::ask::number;
use crate::common::Bench;
use crate::common::fio::{Fio, json_of};
use crate::common::run;

/// The jobs, and the reads and writes of the first.
fn counts(bench: &Bench, who: Fio, line: &str) -> [u64; 3] {
    let line = format!("--output-format=json --name=x --ioengine=null --size=1m {line}");
    let json = json_of(&run(bench.fio_by(who, line.split(' '))).exits_with(0));
    let jobs = json["jobs"].as_array().unwrap();
    [jobs.len() as u64, number(&jobs[0]["read"]["total_ios"]), number(&jobs[0]["write"]["total_ios"])]
}

#[test]
fn the_same_value_of_several_counts_as_in_fio() {
    let bench = Bench::new();
    let cases = [
        ("--rw=read --bs=4k-8k", [1, 256, 0]),
        ("--rw=write --bs=4k-8k", [1, 0, 128]),
        ("--rw=write --bs=4k-8k,16k", [1, 0, 64]),
        ("--rw=write --bs=4096.0", [1, 0, 256]),
        ("--rw=read --size=1m,2m", [1, 512, 0]),
        ("--rw=read --size=2097152.0", [1, 512, 0]),
        ("--rw=read --io_size=8k,16k", [1, 4, 0]),
        ("--rw=read --number_ios=3,9", [1, 3, 0]),
        ("--rw=read --loops=2,3", [1, 512, 0]),
        ("--rw=read --numjobs=2.0", [2, 256, 0]),
        ("--rw=read --numjobs=2,1", [2, 256, 0]),
        ("--rw=read --threads=4", [1, 256, 0]),
        ("--rw=read --bssplit=4k/100:", [1, 256, 0]),
    ];
    for who in Fio::all("which of several values counts") {
        for (line, expected) in cases {
            assert_eq!(counts(&bench, who, line), expected, "{who:?} {line}");
        }
        // fio draws each at random.
        let [_, reads, writes] = counts(&bench, who, "--rw=randrw --rwmixread=70,30");
        assert!(reads.abs_diff(77) < 30 && reads + writes == 256, "{who:?} {reads} {writes}");
    }
    // A share is what is written, of which fio makes reads alone.
    let [_, reads, writes] = counts(&bench, Fio::Ours, "--rw=randrw --number_ios=200 --rwmixread=25%");
    assert_eq!((reads, writes), (50, 150));
}
