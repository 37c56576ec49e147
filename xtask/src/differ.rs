//! `cargo xtask differ`: runs random jobs with the program and with fio.
//!
//! A job belongs to a seed, or comes from `kept.txt`. Both programs run it in an empty directory, and the
//! facts that must be equal are compared: the exit status, I/Os and bytes by direction, syncs, offsets and
//! lengths, files, keys of the JSON, fields of the terse line. Intended differences belong to a class, each
//! with its reason in docs/fio.md; any other difference must be fixed.

mod classes;
mod facts;
mod job;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::workspace;
use classes::CLASSES;
use facts::{EXIT, Facts, SAID};
use job::Job;

const SEEDS: u64 = 2_000;
/// A class that covers a larger share of the seeds would hide too much.
const CLASS_PERCENT_MAX: u64 = 2;
/// A real difference shows in every try. Effects of a busy machine, such as reading a program again that it
/// had dropped from memory, do not.
const TRIES: usize = 3;
/// With fewer seeds, a class may cover as many as for this number.
const SEEDS_MIN: u64 = 500;
const USAGE: &str = "\
Usage: cargo xtask differ [--seeds N] [--from SEED] [--seed SEED] [--fio FILE]

Runs N (default 2000) random jobs with the program and with fio, and compares the results. --seed shows one job.";
/// The jobs wait for the drive more than for the processors.
const THREADS: usize = 4;

/// The parsed arguments.
struct Asked {
    seeds: u64,
    from: u64,
    only: Option<u64>,
    fio: String,
}

fn parse(words: &[&str]) -> Result<Asked, String> {
    let mut asked = Asked { seeds: SEEDS, from: 0, only: None, fio: "fio".to_string() };
    for pair in words.chunks(2) {
        let [option, value] = pair else { return Err(USAGE.to_string()) };
        let number = || value.parse().map_err(|_| format!("{option} {value}: not a number\n\n{USAGE}"));
        match *option {
            "--seeds" => asked.seeds = number()?,
            "--from" => asked.from = number()?,
            "--seed" => asked.only = Some(number()?),
            "--fio" => asked.fio = value.to_string(),
            _ => return Err(USAGE.to_string()),
        }
    }
    Ok(asked)
}

/// A difference: the name of the fact, fio's value, and ours.
type Difference = (String, String, String);

pub fn run(words: &[&str]) -> Result<ExitCode, String> {
    let asked = parse(words)?;
    let version = workspace::stdout_of(std::process::Command::new(&asked.fio).arg("--version"));
    let Ok(version) = version else {
        println!("{} cannot be run: nothing to compare with", asked.fio);
        return Ok(ExitCode::from(workspace::NOT_RUN));
    };
    let program = workspace::build_program()?;
    let program = program.to_string_lossy();
    println!("compared with {}", version.trim());
    let compared = |job: &Job| compare(job, &program, &asked.fio);
    if let Some(seed) = asked.only {
        show(&seed.to_string(), &job::job(seed), &compared(&job::job(seed))?);
        return Ok(ExitCode::SUCCESS);
    }
    let seeds = asked.from..asked.from + asked.seeds;
    let jobs: Vec<(Option<u64>, Job)> =
        job::kept().map(|job| (None, job)).chain(seeds.map(|seed| (Some(seed), job::job(seed)))).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || -> Result<(), String> {
        while let Some((_, job)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut differences = compared(job)?;
            for _ in 0..TRIES {
                if differences.is_empty() {
                    break;
                }
                let again = compared(job)?;
                differences.retain(|(fact, ..)| again.iter().any(|(name, ..)| name == fact));
            }
            if let (false, Ok(mut found)) = (differences.is_empty(), found.lock()) {
                found.insert(job::words(job), differences);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| "a thread panicked".to_string())?)
    })?;
    let found = found.into_inner().map_err(|_| "a thread panicked".to_string())?;
    let found = |job: &Job| found.get(&job::words(job)).cloned().unwrap_or_default();
    Ok(judge(jobs.iter().map(|(seed, job)| (*seed, job, found(job)))))
}

fn compare(job: &Job, program: &str, fio: &str) -> Result<Vec<Difference>, String> {
    let (words, kind) = (job::words(job), job::kind(job));
    // fio's default clock compares all processors at each start.
    let theirs = facts::collect(&[fio, "--clocksource=clock_gettime"], &words, kind)?;
    let ours = facts::collect(&[program, "fio", "--clocksource=clock_gettime"], &words, kind)?;
    Ok(differences(&theirs, &ours))
}

fn differences(theirs: &Facts, ours: &Facts) -> Vec<Difference> {
    if theirs.get(EXIT) != ours.get(EXIT) {
        let said = |facts: &Facts| {
            let value = |name: &str| facts.get(name).map_or("", String::as_str);
            format!("{} {}", value(EXIT), value(SAID))
        };
        return vec![(EXIT.to_string(), said(theirs), said(ours))];
    }
    let names: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    let value = |facts: &Facts, name: &String| facts.get(name).cloned().unwrap_or_else(|| "none".to_string());
    let both = |name: &&String| ((*name).clone(), value(theirs, name), value(ours, name));
    names.iter().map(both).filter(|(name, theirs, ours)| name != SAID && theirs != ours).collect()
}

/// Prints the differences of each class, and those of none. Fails if some belong to none, or a class covers
/// too many seeds.
fn judge<'a>(jobs: impl Iterator<Item = (Option<u64>, &'a Job, Vec<Difference>)>) -> ExitCode {
    let mut covered: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut seeds, mut unknown) = (0, 0);
    for (seed, job, mut differences) in jobs {
        let mut lines = BTreeSet::new();
        differences.retain(|(fact, fio, _)| {
            let class = CLASSES.iter().find(|class| (class.covers)(job, fact, fio));
            lines.extend(class.map(|class| class.line));
            class.is_none()
        });
        if seed.is_some() {
            seeds += 1;
            lines.into_iter().for_each(|line| *covered.entry(line).or_default() += 1);
        }
        if !differences.is_empty() {
            unknown += 1;
            show(&seed.map_or("kept".to_string(), |seed| seed.to_string()), job, &differences);
        }
    }
    println!("{unknown} jobs differ in ways that no class covers; classes cover these of {seeds} seeds:");
    let mut is_wide = false;
    for class in CLASSES {
        let jobs = covered.get(class.line).copied().unwrap_or(0);
        is_wide |= jobs * 100 > seeds.max(SEEDS_MIN) * CLASS_PERCENT_MAX;
        println!("{jobs:6}  {}", class.line);
    }
    if is_wide {
        println!("a class covers more than {CLASS_PERCENT_MAX} % of the jobs");
    }
    if unknown == 0 && !is_wide { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn show(label: &str, job: &Job, differences: &[Difference]) {
    println!("{label}: {}", job::words(job).join(" "));
    for (fact, fio, ours) in differences {
        println!("  {fact}\n    fio  {}\n    here {}", cut(fio), cut(ours));
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() > 300 {
        format!("{}...", text.chars().take(300).collect::<String>())
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pairs: &[(&str, &str)]) -> Facts {
        pairs.iter().map(|(name, fact)| (name.to_string(), fact.to_string())).collect()
    }

    #[test]
    fn a_difference_names_both_sides() {
        let done = facts(&[("exit", "0"), ("read.0", "3"), ("key a", "there")]);
        assert_eq!(differences(&done, &done), []);
        let less = facts(&[("exit", "0"), ("read.0", "2")]);
        let expected = [("key a", "there", "none"), ("read.0", "3", "2")];
        let expected =
            expected.map(|(name, fio, ours)| (name.to_string(), fio.to_string(), ours.to_string()));
        assert_eq!(differences(&done, &less), expected);
        // If one refuses a job, nothing else is compared; if both do, there is no difference.
        let refused = facts(&[("exit", "1"), ("said", "no")]);
        let expected = ("exit".to_string(), "0 ".to_string(), "1 no".to_string());
        assert_eq!(differences(&done, &refused), [expected]);
        assert_eq!(differences(&facts(&[("exit", "1"), ("said", "never")]), &refused), []);
    }

    #[test]
    fn arguments_are_parsed_or_refused() {
        let asked = parse(&["--seeds", "10", "--from", "5"]).unwrap();
        assert_eq!((asked.seeds, asked.from, asked.only, asked.fio.as_str()), (10, 5, None, "fio"));
        assert!(
            parse(&["--seeds"]).is_err()
                && parse(&["--seeds", "x"]).is_err()
                && parse(&["--what", "1"]).is_err()
        );
    }
}
