//! fio's command line on a simulated drive: exact answers.

mod common;

use common::Bench;

#[test]
fn a_job_on_a_simulated_drive_gives_exact_answers() {
    let bench = Bench::new();
    let json = bench.job("--rw=read --bs=4k --size=400k");
    let read = &json["jobs"][0]["read"];
    assert_eq!(read["total_ios"], 100);
    assert_eq!(read["io_bytes"], 409_600);
    assert_eq!(read["clat_ns"]["min"], 100_000);
    let ios = bench.ios("--rw=write --bs=4k --size=40k");
    let offsets: Vec<u64> = ios.iter().map(|io| io.offset_bytes).collect();
    assert_eq!(offsets, (0..10).map(|block| block * 4_096).collect::<Vec<_>>());
}
