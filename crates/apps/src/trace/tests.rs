use super::*;
use cardiograph_core::NS_PER_MS;

const COMMITS: &str = "\
# two commits
part commits commit write
w 1 0 2
d 1
o 140
w 1 2 1
d 1
w 0 5 1
s 0
o 140
";

/// Takes a millisecond for each request, and records them.
#[derive(Default)]
struct RecordingDrive {
    ios: Vec<TraceIo>,
    fails_at: Option<usize>,
}

impl TraceDrive for RecordingDrive {
    fn serve(&mut self, now_ns: u64, io: &TraceIo) -> Result<u64, Unserved> {
        if self.fails_at == Some(self.ios.len()) {
            return Err(Unserved::Failed(5));
        }
        self.ios.push(*io);
        Ok(now_ns + NS_PER_MS)
    }
}

fn replay(
    text: &str,
    spec: &AppSpec,
    drive: &mut RecordingDrive,
    bounds: Bounds,
) -> (AppResult, Result<(), Unserved>) {
    let trace = Trace::parse(text).unwrap();
    let (result, _, end) = super::replay(&trace, drive, 7, bounds, spec);
    (result, end)
}

fn bounds(write_bytes_max: u64, time_ms: u64) -> Bounds {
    Bounds { write_bytes_max, time_ns_max: Some(time_ms * NS_PER_MS) }
}

#[test]
fn operations_repeat_the_trace() {
    let mut drive = RecordingDrive::default();
    let spec = AppSpec::new("sqlite-wal");
    let (result, end) = replay(COMMITS, &spec, &mut drive, bounds(u64::MAX, 100));
    assert_eq!(end, Ok(()));
    let part = &result.parts[0];
    // Alternately two and four requests, until 100 of them are done or the commit at that time is.
    assert_eq!((part.operations, part.bytes, part.direction), (34, 34 * 140, Direction::Write));
    assert_eq!((part.latency.min_ns(), part.latency.max_ns()), (2 * NS_PER_MS, 4 * NS_PER_MS));
    assert_eq!(part.longest_pause_ns, 4 * NS_PER_MS);
    // File 0 has six pages, followed by file 1.
    let places: Vec<(u64, u64)> =
        drive.ios[..6].iter().map(|io| (io.offset_bytes / PAGE_BYTES, io.len_bytes / PAGE_BYTES)).collect();
    assert_eq!(places, [(6, 2), (6, 0), (8, 1), (6, 0), (5, 1), (0, 0)]);
}

#[test]
fn writes_stay_within_the_limit() {
    let mut drive = RecordingDrive::default();
    let (result, _) = replay(COMMITS, &AppSpec::new("sqlite-wal"), &mut drive, bounds(7 * PAGE_BYTES, 1_000));
    let written: u64 = drive.ios.iter().map(|io| io.len_bytes).sum();
    assert_eq!((result.parts[0].operations, written), (3, 6 * PAGE_BYTES));
}

#[test]
fn written_data_is_read_once() {
    let text = "part unpack file write\nw 0 0 1\ns 0\no 3000\npart read file read\nr 0 0 1\no 3000\n";
    let (result, _) =
        replay(text, &AppSpec::new("unpack"), &mut RecordingDrive::default(), bounds(5 * PAGE_BYTES, 1_000));
    let counts: Vec<_> = result.parts.iter().map(|part| (part.id.as_str(), part.operations)).collect();
    assert_eq!(counts, [("unpack", 5), ("read", 5)]);
}

#[test]
fn failed_requests_end_the_replay_and_keep_results() {
    let mut drive = RecordingDrive { fails_at: Some(7), ..RecordingDrive::default() };
    let (result, end) = replay(COMMITS, &AppSpec::new("sqlite-wal"), &mut drive, bounds(u64::MAX, 100));
    assert_eq!((end, result.parts[0].operations), (Err(Unserved::Failed(5)), 2));
}

#[test]
fn cameras_meet_deadlines_while_the_drive_keeps_up() {
    let text = "part record second write\nw 0 0 245\nd 0\no 1000000\n";
    let run = |cameras: u64, mbit_per_s: u64, drive: &mut RecordingDrive| {
        let spec = AppSpec::new("cameras").set("cameras", cameras).set("mbit_per_s", mbit_per_s);
        let (mut result, end) = replay(text, &spec, drive, bounds(u64::MAX, 10_000));
        assert_eq!(end, Ok(()));
        result.parts.remove(0)
    };
    let mut drive = RecordingDrive::default();
    let few = run(4, 16, &mut drive);
    // Nine seconds of each: the tenth is not over yet.
    assert_eq!((few.operations, few.bytes, few.late), (36, 36 * 2_000_000, 0));
    assert_eq!(drive.ios[0].len_bytes, 490 * PAGE_BYTES);
    let mut places: Vec<u64> = drive.ios.iter().map(|io| io.offset_bytes).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 4, "each camera has a place of its own");
    // Two milliseconds for each second of a camera: the drive can take 500.
    assert_eq!(run(499, 8, &mut RecordingDrive::default()).late, 0);
    let many = run(1_024, 8, &mut RecordingDrive::default());
    assert_eq!(many.late, 1);
    assert!(many.latency.max_ns() > 4_000 * NS_PER_MS);
}

#[test]
fn invalid_traces_name_their_line() {
    for (text, expected) in [
        ("", "a part without operations"),
        ("part commits commit write\n", "a part without operations"),
        ("part commits commit sideways\n", "line 1: no part"),
        ("w 0 0\n", "line 1: no number"),
        ("o 1\n", "line 1: before its part"),
        ("x 0\n", "line 1: no such action"),
        ("w 999999 0 1\n", "line 1: too many files"),
        ("w 0 99999999999999999 1\n", "line 1: no number"),
    ] {
        let found = Trace::parse(text).unwrap_err();
        assert!(found.starts_with(expected), "{text}: {found}");
    }
}

#[test]
fn each_load_has_a_trace() {
    for load in crate::LOADS {
        let trace = shipped(load.name).unwrap_or_else(|| panic!("{} has no trace", load.name));
        assert!(trace.room_bytes(&AppSpec::new(load.name)) < 2_000_000_000, "{}", load.name);
        for part in &trace.parts {
            assert!(part.operations.iter().all(|operation| operation.bytes > 0), "{}", load.name);
        }
    }
    assert!(shipped("photoshop").is_none());
}
