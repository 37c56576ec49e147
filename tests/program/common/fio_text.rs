//! The shape of fio's text: its lines without their figures.

/// Stands for a figure and its unit.
const FIGURE: char = '#';

/// The text with a `#` for each figure and its unit. Lines whose number depends on the drive are merged into one: latency
/// classes (only those that occurred are printed), rows of percentiles (the wider the values, the fewer in a row) and disks
/// (one under a file system, or a stack of them). Lines that fio does not have, on long stalls and notes, are left out. Lines
/// before the run are unchanged, except for the version and the size of files that are laid out.
pub fn shape(text: &str) -> Vec<String> {
    let mut shape: Vec<String> = Vec::new();
    let of_fio = text.split("\ncardiograph: note: ").next().unwrap_or_default();
    for line in of_fio.trim_end().lines().filter(|line| !line.starts_with(OWN)) {
        let line = shape_of_line(line.trim_end());
        match shape.last_mut() {
            Some(last) if is_percentiles(last) && is_percentiles(&line) => {
                let comma = if last.ends_with(',') { "" } else { "," };
                last.push_str(&format!("{comma}{}", &line[PERCENTILES.len()..]));
            }
            Some(last) if *last == line && (line == CLASSES || line == DISK) => {}
            _ => shape.push(line),
        }
    }
    shape
}

/// The format of fio before 3.36, which did not print a disk's sectors.
pub fn without_sectors(shape: &[String]) -> Vec<String> {
    shape.iter().map(|line| line.replace("sectors=#/#, ", "")).collect()
}

const OWN: &str = "  cardiograph  : ";
const PERCENTILES: &str = "     |";
const CLASSES: &str = "  lat (#) : #";
const DISK: &str = "  DISK: ios=#/#, sectors=#/#, merge=#/#, ticks=#/#, in_queue=#, util=#";

fn is_percentiles(line: &str) -> bool {
    line.starts_with(PERCENTILES)
}

fn shape_of_line(line: &str) -> String {
    let is_announced = line.contains(": (g=") || line.starts_with("Starting ") || line.starts_with("note: ");
    if is_announced {
        return line.to_string();
    }
    if line.starts_with("fio-") {
        return "fio-#".to_string();
    }
    if ["  lat (nsec)   :", "  lat (usec)   :", "  lat (msec)   :"]
        .iter()
        .any(|class| line.starts_with(class))
    {
        return CLASSES.to_string();
    }
    if line.starts_with("  ") && line.contains(": ios=") {
        let without_members = line.split(", aggrios=").next().unwrap_or(line);
        let disk = without_figures(without_members);
        let (_, counts) = disk.split_once(": ").unwrap_or(("", &disk));
        return format!("  DISK: {counts}");
    }
    // The process and the time follow.
    let line = match line.split_once(" pid=") {
        Some((job, _)) => format!("{job} pid={FIGURE}"),
        None => line.to_string(),
    };
    if is_percentiles(&line) {
        return percentile_labels(&line);
    }
    let units = ["(nsec)", "(usec)", "(msec)", "(  KiB/s)", "(  MiB/s)", "(  GiB/s)"];
    let line = units.iter().fold(line, |line, unit| line.replace(unit, "(#)"));
    without_figures(&line)
}

/// `99.00th=[ 123]` keeps its label, which depends on the options.
fn percentile_labels(line: &str) -> String {
    let mut shape = String::new();
    let mut rest = line;
    while let Some((label, after)) = rest.split_once('[') {
        let after = after.split_once(']').map_or("", |(_, after)| after);
        shape.push_str(label);
        shape.push_str("[#]");
        rest = after;
    }
    shape + rest
}

/// A `#` for each figure with its unit and the spaces that align it.
fn without_figures(line: &str) -> String {
    let mut shape = String::new();
    let mut rest = line;
    while let Some(next) = rest.chars().next() {
        let in_word =
            shape.chars().next_back().is_some_and(|last| last.is_ascii_alphanumeric() || last == '_');
        if next.is_ascii_digit() && !in_word {
            shape.push(FIGURE);
            rest = rest.trim_start_matches(|each: char| each.is_ascii_digit() || each == '.');
            rest = rest.trim_start_matches(|each: char| each.is_ascii_alphabetic() || each == '%');
            rest = rest.strip_prefix("/s").unwrap_or(rest);
        } else {
            shape.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    // Spaces align figures.
    while shape.contains("= ") {
        shape = shape.replace("= ", "=");
    }
    shape
}

/// The shape without samples of bandwidth and IOPS, which short runs lack.
pub fn without_samples(shape: &[String]) -> Vec<String> {
    let is_sample = |line: &&String| line.starts_with("   bw (") || line.starts_with("   iops ");
    shape.iter().filter(|line| !is_sample(line)).cloned().collect()
}

/// Compares two shapes, and shows where they differ.
#[track_caller]
pub fn same_shape(found: &[String], expected: &[String], whose: &str) {
    let parted = found.iter().zip(expected).position(|(found, expected)| found != expected);
    let at = parted.unwrap_or(found.len().min(expected.len()));
    let show = |shape: &[String]| {
        let start = at.saturating_sub(2);
        shape.iter().skip(start).take(6).map(|line| format!("  {line}\n")).collect::<String>()
    };
    assert!(
        found == expected,
        "{whose}, line {}: found\n{}expected\n{}",
        at + 1,
        show(found),
        show(expected)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_keeps_words_and_drops_figures() {
        for (line, expected) in [
            (
                "   bw (  KiB/s): min= 4096, max=  784, per=75.90%, avg=4096.00, stdev= 0.00, samples=1",
                "   bw (#): min=#, max=#, per=#, avg=#, stdev=#, samples=#",
            ),
            (
                "  read: IOPS=12.3k, BW=22.7MiB/s (23.8MB/s)(99.0MiB/4353msec)",
                "  read: IOPS=#, BW=# (#)(#/#)",
            ),
            (
                "    clat (usec): min=11046, max=16542, avg=11133.29, stdev=550.29",
                "    clat (#): min=#, max=#, avg=#, stdev=#",
            ),
            ("     |  1.00th=[   52],  5.00th=[11076],", "     |  1.00th=[#],  5.00th=[#],"),
            (
                "a1: (groupid=0, jobs=1): err= 0: pid=1642: Wed Nov  5 12:19:01 2025",
                "a1: (groupid=#, jobs=#): err=#: pid=#",
            ),
            (
                "  mmcblk0: ios=97/100, sectors=1/2, merge=0/0, ticks=1079/3211, in_queue=4290, util=97.57%",
                DISK,
            ),
            (
                "Jobs: 1 (f=1): [M(1)][100.0%][r=21.0MiB/s,w=24.0MiB/s][r=21,w=24 IOPS][eta 00m:00s]",
                "Jobs: # (f=#): [M(#)][#][r=#,w=#][r=#,w=# IOPS][eta #:#]",
            ),
            (
                "   READ: bw=144MiB/s (151MB/s), 144MiB/s-144MiB/s (151MB/s-151MB/s), io=99.0MiB (104MB), run=687-687msec",
                "   READ: bw=# (#), #-# (#-#), io=# (#), run=#-#",
            ),
        ] {
            assert_eq!(shape(line), [expected]);
        }
        let rows =
            "     |  1.00th=[   52],  5.00th=[    7]\n  lat (usec)   : 2=1.00%\n  lat (msec)   : 2=1.00%";
        assert_eq!(shape(rows), ["     |  1.00th=[#],  5.00th=[#]", CLASSES]);
        let wide = "     | 95.0th=[  375], 99.0th=[  379],\n     | 99.9th=[  383]";
        assert_eq!(shape(wide), shape("     | 95.0th=[ 1], 99.0th=[ 2], 99.9th=[ 3]"));
    }
}
