use std::fs;

use super::without_notes;
use crate::common::Bench;

/// The rows of the table, split into columns: two for the lengths, and thirteen.
fn rows(printed: &str) -> Vec<Vec<String>> {
    let (_, rows) = printed.split_once("freread\n").expect("a table");
    let rows = rows.lines().take_while(|line| !line.is_empty());
    let cut = |line: &str| {
        assert_eq!(line.len(), 142, "{line}");
        let ends = [16, 24].into_iter().chain((1..=13).map(|column| 24 + 9 * column));
        let mut from = 0;
        ends.map(|end| line[std::mem::replace(&mut from, end)..end].trim().to_string()).collect()
    };
    rows.map(cut).collect()
}

fn is_figure(cell: &str) -> bool {
    cell.parse::<u64>().is_ok_and(|figure| figure > 0)
}

#[test]
fn seed_001s_command_fills_six_columns() {
    let bench = Bench::new();
    let outcome = bench.run("iozone -e -I -a -s 2M -r 4k -i 0 -i 1 -i 2").exits_with(0);
    assert!(outcome.stdout.starts_with("\tIozone: Performance Test of File I/O\n\t        by cardiograph "));
    let options = "\n\n\tInclude fsync in write timing\n\tO_DIRECT feature enabled\n\tAuto Mode\n\tFile size set to \
                   2048 kB\n\tRecord Size 4 kB\n\tCommand line used: iozone -e -I -a -s 2M -r 4k -i 0 -i 1 -i \
                   2\n\tOutput is in kBytes/sec\n";
    assert!(outcome.stdout.contains(options), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("\n\niozone test complete.\n"));
    let rows = rows(&outcome.stdout);
    assert_eq!((rows.len(), rows[0][0].as_str(), rows[0][1].as_str()), (1, "2048", "4"));
    assert!(rows[0][2..8].iter().all(|cell| is_figure(cell)), "{rows:?}");
    assert!(rows[0][8..].iter().all(String::is_empty), "{rows:?}");
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    assert!(bench.entries().is_empty());
}

#[test]
fn tests_that_are_not_wanted_leave_their_columns_empty() {
    let bench = Bench::new();
    let outcome = bench.run("iozone -a -s512 -r4 -r 64 -i0 -i2 -+n").exits_with(0);
    outcome.complains(&["@iozone-note.cached"]);
    assert!(without_notes(&outcome.stderr).is_empty());
    let rows = rows(&outcome.stdout);
    assert_eq!(rows.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["4", "64"]);
    for row in &rows {
        assert!(is_figure(&row[2]) && is_figure(&row[6]) && is_figure(&row[7]), "{row:?}");
        // Wanted but not repeated; and not wanted.
        assert_eq!((row[3].as_str(), row[4].as_str(), row[5].as_str()), ("0", "", ""));
    }
}

#[test]
fn an_existing_file_is_left_alone() {
    let bench = Bench::new();
    let path = bench.file("mine", "keep this");
    let outcome = bench.run("iozone -I -s 64k -r 4k -i 0 -f mine").exits_with(0);
    outcome.complains(&["@iozone-note.left-alone", "mine"]);
    assert_eq!(fs::read_to_string(path).unwrap(), "keep this");
    bench.run("iozone -I -s 64k -r 4k -i 0 -f new").exits_with(0);
    assert_eq!(bench.entries(), ["mine"]);
}

#[test]
fn refusals_come_before_the_first_write() {
    let bench = Bench::new();
    let cases = [
        ("-a", "@iozone-option.no-test"),
        ("-i 0 -i 8", "@iozone-option.test"),
        ("-i 0 -t 4", "@iozone-option.unknown"),
        ("-i 0 -R", "@iozone-option.unknown"),
        ("-i 0 -s 8k -r 16k", "@iozone-option.record"),
        ("-i 0 -s 1000000g -r 1m", "@checkup-target-no-room"),
        ("-i 0 -f none/x", "@checkup-target-missing"),
        ("-i 0 -f /dev/null", "@jobs-file-kind.character-device"),
        ("-i 0 -f .", "@jobs-file-kind.directory"),
    ];
    for (words, message) in cases {
        let outcome = bench.run(&format!("iozone {words}")).exits_with(2);
        outcome.complains(&[message]);
        assert!(outcome.stdout.is_empty(), "{words}: {}", outcome.stdout);
    }
    assert!(bench.entries().is_empty());
}
