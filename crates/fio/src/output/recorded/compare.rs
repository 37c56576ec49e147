//! Compares reproduced output with fio's.

use super::*;

/// Tolerance for two decimals: fio's running mean can be on the other side of a rounding border.
const TWO_DECIMALS: f64 = 0.011;
/// Tolerance for six decimals.
const SIX_DECIMALS: f64 = 2e-6;

/// Whether two lines have the same words, and numbers within `tolerance`, so that only their last digits can differ.
fn same_line(a: &str, b: &str, tolerance: f64) -> bool {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let split = |text: &str| -> (Vec<String>, Vec<f64>) {
        let words = text.split(is_number).filter(|word| !word.is_empty()).map(str::to_string);
        let numbers =
            text.split(|c| !is_number(c)).filter(|number| number.contains(|c: char| c.is_ascii_digit()));
        (words.collect(), numbers.map(|number| number.parse().unwrap_or(f64::NAN)).collect())
    };
    if a == b {
        return true;
    }
    // fio reads the clock for each output: the seconds may differ.
    let (a, b) = (without_seconds(a), without_seconds(b));
    let ((words_a, numbers_a), (words_b, numbers_b)) = (split(&a), split(&b));
    words_a == words_b
        && numbers_a.len() == numbers_b.len()
        && numbers_a.iter().zip(numbers_b).all(|(a, b)| (a - b).abs() <= tolerance)
}

/// A job's line without the seconds of its date.
fn without_seconds(line: &str) -> String {
    match line.split_once(": pid=").and_then(|(_, date)| date.rfind(':')) {
        Some(_) => line.rsplit_once(':').map_or(line, |(front, _)| front).to_string(),
        None => line.to_string(),
    }
}

fn assert_same(name: &str, ours: &[&str], fios: &[&str], tolerance: f64) {
    for (number, (our, fio)) in ours.iter().zip(fios).enumerate() {
        assert!(same_line(our, fio, tolerance), "{name}, line {}:\nours {our}\nfio  {fio}", number + 1);
    }
    assert_eq!(ours.len(), fios.len(), "{name}: ours ends\n{:?}\nfio's\n{:?}", ours.last(), fios.last());
}

/// Shares by class, from below 2 ns to above 2 s, as the text has them.
fn classes_of_text(lines: &[&str]) -> Vec<Vec<f64>> {
    let mut jobs = Vec::new();
    for line in lines {
        if line.contains(": (groupid=") {
            jobs.push(vec![0.0; 32]);
        }
        let Some((unit, shares)) = line.strip_prefix("  lat (").and_then(|line| line.split_once("sec)   : "))
        else {
            continue;
        };
        let start = ["n", "u", "m"].iter().position(|prefix| *prefix == unit).unwrap() * 10;
        for share in shares.split(", ") {
            let (label, share) = share.rsplit_once('=').unwrap();
            let labels: &[&str] = if start == 20 { &CLASSES_MS } else { &CLASSES_BELOW_MS };
            let at = start + labels.iter().position(|other| *other == label).unwrap();
            jobs.last_mut().unwrap()[at] = share.trim_end_matches('%').parse().unwrap();
        }
    }
    jobs
}

/// Asserts that shares differ only by rounding and by buckets that span a class end.
fn assert_same_classes(name: &str, ours: &[f64], fios: &[f64], job: &JobEntry) {
    let n = job.data_ios().max(1) as f64;
    let across = |end_ns: u64| -> f64 {
        let bucket = bucket_of(end_ns);
        if bucket_low_ns(bucket) == end_ns {
            return 0.0;
        }
        let count = |latency: &Latency| {
            latency.histogram().buckets().find(|&(at, _)| at == bucket).map_or(0, |(_, count)| count)
        };
        job.directions.iter().map(|(_, figures)| count(&figures.completion)).sum::<u64>() as f64 * 100.0 / n
    };
    let below_ms = CLASSES_BELOW_MS.iter().map(|label| label.parse::<u64>().unwrap());
    let mut ends: Vec<u64> =
        [1, 1_000].iter().flat_map(|unit| below_ms.clone().map(move |end| end * unit)).collect();
    ends.extend(CLASSES_MS.iter().filter_map(|label| label.parse::<u64>().ok()).map(|end| end * 1_000_000));
    ends.push(u64::MAX);
    let ends = &ends[ends.len() - ours.len()..];
    let (mut sum, mut fio_sum) = (0.0, 0.0);
    for (index, ((our, fio), &end)) in ours.iter().zip(fios).zip(ends).enumerate() {
        (sum, fio_sum) = (sum + our, fio_sum + fio);
        let slack = across(end) + 0.011 * (index + 1) as f64;
        assert!(
            (sum - fio_sum).abs() <= slack,
            "{name}: up to {end} ns {sum} and {fio_sum}: {ours:?} {fios:?}"
        );
    }
}

/// Compares fio's output with ours for the same run.
pub(super) fn compare(name: &str, output: &str) {
    let recording = Recording::parse(output);
    let run = recording.run();
    let version = recording.terse[0].split(';').next().unwrap().parse().unwrap();
    let version = TerseVersion::from_number(version).unwrap();
    compare_normal(name, &run, &recording.normal);
    compare_terse(name, &run, &recording.terse, version);
    compare_json(name, &run, &recording.json);
}

/// Leaves out jobs without `clat` bins, whose classes are unknown.
fn with_classes<T>(run: &FioRun, classes: Vec<T>) -> impl Iterator<Item = (&JobEntry, T)> {
    run.jobs.iter().zip(classes).filter(|(job, _)| job.style.clat_percentiles)
}

fn compare_normal(name: &str, run: &FioRun, fios: &[&str]) {
    let name = &format!("{name}, normal");
    // Version 3.36 and later show sectors, which recordings of 3.33 lack.
    let text = normal(run).replace(" sectors=0/0,", "");
    let ours: Vec<&str> = text.lines().collect();
    // The text always has sync percentiles, the JSON only along with others.
    let has_tables = run.jobs.iter().all(|job| job.style.clat_percentiles || job.style.lat_percentiles);
    assert_same(name, &comparable(&ours, has_tables), &comparable(fios, has_tables), TWO_DECIMALS);
    let classes = classes_of_text(&ours).into_iter().zip(classes_of_text(fios)).collect();
    for (job, (ours, fios)) in with_classes(run, classes) {
        assert_same_classes(name, &ours, &fios, job);
    }
}

/// The lines of a text to compare word by word.
fn comparable<'a>(lines: &[&'a str], has_tables: bool) -> Vec<&'a str> {
    let is_table = |line: &str| line.contains(" percentiles (") || line.starts_with("     | ");
    let is_kept = |line: &&str| !line.starts_with("  lat (") && (has_tables || !is_table(line));
    lines.iter().copied().filter(is_kept).collect()
}

fn compare_terse(name: &str, run: &FioRun, fios: &[&str], version: TerseVersion) {
    let name = &format!("{name}, terse");
    let text = terse(run, version);
    let ours: Vec<&str> = text.lines().collect();
    assert_eq!(ours.len(), fios.len(), "{name}");
    let (head, unnamed, fields) = match version {
        TerseVersion::V2 => (4, None, 41),
        TerseVersion::V3 => (5, Some(Way::One(Direction::Trim)), 41),
        TerseVersion::V4 => (5, None, 41),
        TerseVersion::V5 => (5, None, 47),
    };
    let mut jobs = run.jobs.iter();
    for (our, fio) in ours.iter().zip(fios) {
        let (our, fio): (Vec<&str>, Vec<&str>) = (our.split(';').collect(), fio.split(';').collect());
        if fio[0].is_empty() {
            // Version 2's description.
            assert_eq!(our, fio, "{name}");
            continue;
        }
        let job = jobs.next().unwrap();
        let ways = job.shown().filter(|&(way, _)| Some(way) != unnamed).count();
        // Processor time has five fields and depths seven.
        let classes_at = head + ways * fields + 5 + 7;
        let (classes, shown) = (classes_at..classes_at + 22, job.style.clat_percentiles);
        assert_eq!(our.len(), fio.len(), "{name}");
        for (index, (our, fio)) in
            our.iter().zip(&fio).enumerate().filter(|(index, _)| !classes.contains(index))
        {
            assert!(same_line(our, fio, SIX_DECIMALS), "{name}, field {}: {our}, fio {fio}", index + 1);
        }
        let shares = |fields: &[&str]| -> Vec<f64> {
            fields[classes.clone()].iter().map(|share| share.trim_end_matches('%').parse().unwrap()).collect()
        };
        if shown {
            assert_same_classes(name, &shares(&our), &shares(&fio), job);
        }
    }
}

fn compare_json(name: &str, run: &FioRun, fios: &str) {
    let name = &format!("{name}, json+");
    let ours = json(run, Bins::Yes);
    // fio shows an empty global section; we leave it out.
    let fios = &fios.replace("  \"global options\" : {\n\n  },\n", "");
    assert_same(name, &json_lines(&ours), &json_lines(fios), SIX_DECIMALS);
    let (ours, fios): (Value, Value) =
        (serde_json::from_str(&ours).unwrap(), serde_json::from_str(fios).unwrap());
    let classes = |all: &Value| -> Vec<Vec<f64>> {
        let job = |job: &Value| -> Vec<f64> {
            let share = |(key, labels): (&str, &[&str])| -> Vec<f64> {
                labels.iter().map(|label| float(&job[key], label)).collect()
            };
            let below: &[&str] = &CLASSES_BELOW_MS;
            let all = [("latency_ns", below), ("latency_us", below), ("latency_ms", &CLASSES_MS)];
            all.into_iter().flat_map(share).collect()
        };
        list(all, "jobs").iter().map(job).collect()
    };
    for (job, (ours, fios)) in with_classes(run, classes(&ours).into_iter().zip(classes(&fios)).collect()) {
        assert_same_classes(name, &ours, &fios, job);
    }
}

/// The lines of a document, without additions of later versions and shares of classes.
fn json_lines(text: &str) -> Vec<&str> {
    let mut inside_classes = false;
    let is_kept = |line: &&str| {
        let key = line.trim().split('"').nth(1).unwrap_or_default();
        let is_head = ["latency_ns", "latency_us", "latency_ms"].contains(&key);
        if is_head || line.trim().starts_with('}') {
            inside_classes = is_head;
            return true;
        }
        !inside_classes && !["job_start", "read_sectors", "write_sectors"].contains(&key)
    };
    text.lines().filter(is_kept).collect()
}
