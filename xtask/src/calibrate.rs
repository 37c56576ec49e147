//! `cargo xtask calibrate`: how often the printed 95 % interval contains the true value.
//!
//! Thousands of runs with a known true value, ended by time or by precision: windows drawn from processes
//! with autocorrelation and drift, and whole runs on a simulated drive that has both. The interval holds if
//! it contains the true value in 93.5 to 96.5 % of runs; narrower ones promise too much, wider ones waste
//! time. Then how often comparisons call equal drives different, and find real differences. A sample of the
//! same runs with wider bounds is a test.

mod drawn;
mod end;
mod pairs;
mod real;
mod rows;
mod simulated;
mod tails;

use std::path::Path;
use std::process::ExitCode;

use cardiograph_core::Estimate;
use cardiograph_core::rng::derive_seed;
use cardiograph_core::stats::{mean, median};

use pairs::{PAIRS, PairRow};
use rows::{ROWS, Row, Source};

const USAGE: &str =
    "usage: cargo xtask calibrate [--sample] [--list] [ROW...], or calibrate --disk DIRECTORY";
/// Runs of each row, and of a sample of it.
const RUNS: u64 = 4_000;
const RUNS_SAMPLED: u64 = 200;
/// Pairs of drives of each row, and of a sample of it.
const PAIRS_COMPARED: u64 = 1_000;
const PAIRS_SAMPLED: u64 = 60;
/// How far a share of 60 pairs may miss its bound: three standard errors of 6 %.
const PAIRS_SAMPLED_SLACK: f64 = 0.09;
/// Bounds of the share of runs with the truth in their interval.
const BOUNDS: (f64, f64) = (0.935, 0.965);
/// The same for 200 runs: 95 % and three standard errors on each side.
const BOUNDS_SAMPLED: (f64, f64) = (0.90, 0.995);
/// Minimum share of runs with a requested precision that must be ended by it.
const ENDED_MIN: f64 = 0.98;
/// Seed of all randomness.
const SEED: u64 = 20;

/// The result of one run.
#[derive(Debug, Clone, Copy)]
struct Trial {
    estimate: Estimate,
    truth: f64,
    /// Its length in seconds.
    seconds: f64,
    /// Whether it was ended by the requested precision, if any.
    is_ended: bool,
}

/// The result of all runs of a row.
#[derive(Debug, Clone, Copy)]
struct Coverage {
    /// Share of runs whose interval contains the true value.
    covered: f64,
    /// Share of runs ended by the requested precision.
    ended: f64,
    /// Mean length in seconds.
    seconds: f64,
    /// Median of half the widths, as a share of the value.
    half_width: f64,
}

/// Runs the named rows, or all.
pub fn run(arguments: &[&str]) -> Result<ExitCode, String> {
    let (options, names): (Vec<&str>, Vec<&str>) =
        arguments.iter().copied().partition(|argument| argument.starts_with("--"));
    if let (["--disk"], [directory]) = (options.as_slice(), names.as_slice()) {
        let do_agree = real::run(Path::new(directory))?;
        return Ok(if do_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    if options.contains(&"--list") && options.len() == 1 {
        ROWS.iter().for_each(|row| println!("{:<24} {}", row.name, row.what));
        PAIRS.iter().for_each(|row| println!("{:<24} pairs of drives: {}", row.name, row.what));
        println!("{:<24} {}", "--disk DIRECTORY", real::WHAT);
        return Ok(ExitCode::SUCCESS);
    }
    let (runs, bounds) = match options.as_slice() {
        [] => (RUNS, BOUNDS),
        ["--sample"] => (RUNS_SAMPLED, BOUNDS_SAMPLED),
        _ => return Err(USAGE.to_string()),
    };
    let is_known =
        |name: &str| ROWS.iter().any(|row| row.name == name) || PAIRS.iter().any(|row| row.name == name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        return Err(format!("unknown row '{unknown}'; --list shows the rows"));
    }
    let is_wanted = |row: &&Row| names.is_empty() || names.contains(&row.name);
    let are_intervals_right = intervals(ROWS.iter().filter(is_wanted), runs, bounds)?;
    let is_wanted = |row: &&PairRow| names.is_empty() || names.contains(&row.name);
    let (pairs, slack) =
        if options.is_empty() { (PAIRS_COMPARED, 0.0) } else { (PAIRS_SAMPLED, PAIRS_SAMPLED_SLACK) };
    let are_pairs_right = comparisons(PAIRS.iter().filter(is_wanted), pairs, slack)?;
    Ok(if are_intervals_right && are_pairs_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints how often the intervals of rows hold, and returns whether all are within bounds.
fn intervals<'r>(rows: impl Iterator<Item = &'r Row>, runs: u64, bounds: (f64, f64)) -> Result<bool, String> {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return Ok(true);
    }
    println!(
        "How often the 95 % interval contains the true value: {runs} runs of each, expected {} to {} %\n",
        percent(bounds.0),
        percent(bounds.1)
    );
    println!("{:<24} {:>6} {:>7} {:>8} {:>7}  runs of", "", "holds", "± width", "seconds", "ended");
    let mut is_right = true;
    for row in rows {
        let found = coverage(row, runs)?;
        let verdict = if !row.is_judged {
            "(a limit of the method: not judged)"
        } else if is_met(row, &found, bounds) {
            ""
        } else {
            is_right = false;
            "WRONG"
        };
        println!(
            "{:<24} {:>4} % {:>5} % {:>8.1} {:>5} %  {} {verdict}",
            row.name,
            percent(found.covered),
            percent(found.half_width),
            found.seconds,
            percent(found.ended),
            row.what,
        );
    }
    Ok(is_right)
}

/// Prints how often comparisons of pairs find a difference, and returns whether all are within their bounds.
fn comparisons<'r>(rows: impl Iterator<Item = &'r PairRow>, pairs: u64, slack: f64) -> Result<bool, String> {
    let mut rows = rows.peekable();
    if rows.peek().is_none() {
        return Ok(true);
    }
    println!("\nHow often a comparison calls any figure different: {pairs} pairs of drives of each\n");
    let mut is_right = true;
    for row in rows {
        let found = found_share(row, pairs)?;
        let (low, high) = row.bounds;
        let is_met = row.is_met(found, slack);
        is_right &= is_met;
        println!(
            "{:<24} {:>5} %  (expected {} to {} %)  {} {}",
            row.name,
            percent(found),
            percent(low),
            percent(high),
            row.what,
            if is_met { "" } else { "WRONG" },
        );
    }
    Ok(is_right)
}

/// Share of pairs in which some figure is called different.
fn found_share(row: &PairRow, pairs: u64) -> Result<f64, String> {
    let row_seed = derive_seed(SEED, cardiograph_core::rng::hash_name(row.name));
    let found = shared(row.name, pairs, |pair| Ok(row.is_different(derive_seed(row_seed, pair))))?;
    Ok(found.iter().filter(|&&is_different| is_different).count() as f64 / pairs as f64)
}

/// The results of `one` for each number below `count`, computed on all processors; in no particular order.
fn shared<T: Send>(
    name: &str,
    count: u64,
    one: impl Fn(u64) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let one = &one;
    let all: Result<Vec<Vec<T>>, String> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|first| scope.spawn(move || (first..count).step_by(threads as usize).map(one).collect()))
            .collect();
        parts.into_iter().map(|part| part.join().map_err(|_| format!("{name}: a run panicked"))?).collect()
    });
    Ok(all?.into_iter().flatten().collect())
}

fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

fn is_met(row: &Row, found: &Coverage, (low, high): (f64, f64)) -> bool {
    match row.source {
        Source::Tail(_) => found.covered >= low,
        _ => (low..=high).contains(&found.covered) && found.ended >= ENDED_MIN,
    }
}

/// The runs of a row, on all processors; the distribution does not change the results.
fn coverage(row: &Row, runs: u64) -> Result<Coverage, String> {
    let row_seed = derive_seed(SEED, cardiograph_core::rng::hash_name(row.name));
    let trials = shared(row.name, runs, |run| trial(row, derive_seed(row_seed, run)))?;
    // The interval of runs not ended by the precision is a different one.
    let ended: Vec<&Trial> = trials.iter().filter(|trial| trial.is_ended).collect();
    let covered = ended.iter().filter(|trial| trial.estimate.contains(trial.truth)).count();
    let half_widths = ended.iter().map(|trial| trial.estimate.half_width_share().unwrap_or(f64::INFINITY));
    Ok(Coverage {
        covered: covered as f64 / ended.len().max(1) as f64,
        ended: ended.len() as f64 / trials.len().max(1) as f64,
        seconds: mean(&trials.iter().map(|trial| trial.seconds).collect::<Vec<_>>()),
        half_width: median(&half_widths.collect::<Vec<_>>()),
    })
}

fn trial(row: &Row, seed: u64) -> Result<Trial, String> {
    match &row.source {
        Source::Drawn(process) => Ok(drawn::trial(process, row.end, seed)),
        Source::Tail(tail) => tails::trial(tail, seed),
        Source::Simulated(wandering) => simulated::trial(wandering, row.end, seed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_the_intervals_holds() {
        let rows = ROWS.iter().filter(|row| row.is_judged).step_by(cardiograph_testing::part_or_all(3, 1));
        for row in rows {
            let found = coverage(row, RUNS_SAMPLED).unwrap();
            assert!(is_met(row, &found, BOUNDS_SAMPLED), "{}: {found:?}", row.name);
        }
    }

    #[test]
    fn a_sample_of_the_comparisons_holds() {
        for row in PAIRS.iter().step_by(cardiograph_testing::part_or_all(4, 1)) {
            let found = found_share(row, PAIRS_SAMPLED).unwrap();
            assert!(row.is_met(found, PAIRS_SAMPLED_SLACK), "{}: {found}", row.name);
        }
    }

    #[test]
    fn intervals_that_are_too_narrow_or_too_wide_are_noticed() {
        // Correlations longer than the run are invisible in it, and a straight drift is not random.
        let find = |name: &str| ROWS.iter().find(|row| row.name == name).unwrap();
        let narrow = coverage(find("longer-than-the-run"), RUNS_SAMPLED).unwrap();
        assert!(narrow.covered < BOUNDS_SAMPLED.0, "{narrow:?}");
        let wide = coverage(find("straight-drift"), RUNS_SAMPLED).unwrap();
        assert!(wide.covered > BOUNDS.1, "{wide:?}");
    }

    #[test]
    fn a_seed_gives_the_same_runs_on_any_number_of_processors() {
        for row in [&ROWS[0], ROWS.last().unwrap()] {
            let once = trial(row, 7).unwrap();
            let again = trial(row, 7).unwrap();
            assert_eq!((once.estimate, once.seconds), (again.estimate, again.seconds), "{}", row.name);
        }
    }

    #[test]
    fn invalid_arguments_are_refused() {
        assert!(run(&["--quickly"]).is_err());
        assert!(run(&["no-such-row"]).unwrap_err().contains("no-such-row"));
        assert!(run(&["--list"]).is_ok());
    }
}
