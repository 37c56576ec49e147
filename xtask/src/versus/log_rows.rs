//! The cost of a log of every I/O.

use std::path::Path;

use super::Setup;
use super::program::shown;
use super::ratio::take_turns;
use super::rows::{SHM, lifetime_ns, time_line};
use super::table::Line;

/// I/Os of a slice.
const IOS: u64 = 400_000;

/// A log of the latency of each I/O: its additional time per I/O in the lifetime of the process. fio writes
/// its log after the end of the job, so its own figures do not include that.
pub fn lat_log(setup: &Setup) -> Result<Vec<Line>, String> {
    let directory = Path::new(SHM).join(format!("cardiograph-versus-{}", std::process::id()));
    let cannot = |error: std::io::Error| format!("{}: {error}", directory.display());
    std::fs::create_dir(&directory).map_err(cannot)?;
    let measured = lat_log_in(setup, &directory);
    std::fs::remove_dir_all(&directory).map_err(cannot)?;
    measured
}

fn lat_log_in(setup: &Setup, directory: &Path) -> Result<Vec<Line>, String> {
    let fio = setup.fio()?;
    let words = |log: Option<&str>| {
        let path = |name: &str| directory.join(name).display().to_string();
        let mut words = vec![
            "--name=versus".to_string(),
            "--ioengine=psync".to_string(),
            "--rw=randread".to_string(),
            "--bs=4k".to_string(),
            "--size=64M".to_string(),
            format!("--io_size={}", IOS * 4_096),
            format!("--filename={}", path("file")),
        ];
        words.extend(log.map(|name| format!("--write_lat_log={}", path(name))));
        words
    };
    let theirs = |log: Option<&str>| {
        let mut command = std::process::Command::new("fio");
        // Here jobs are always threads, and setting the option prints a remark.
        command.arg("--thread").args(words(log));
        command
    };
    let (mut our_plain, mut our_logged) =
        (setup.program.fio(words(None)), setup.program.fio(words(Some("ours"))));
    let (mut fio_plain, mut fio_logged) = (theirs(None), theirs(Some("theirs")));
    println!("  {}: ours: {}\n  fio:  {}", fio.version, shown(&our_logged), shown(&fio_logged));
    // The first party lays out the file.
    lifetime_ns(&mut our_plain)?;
    let rounds = take_turns(
        setup.slices,
        [
            &mut || lifetime_ns(&mut our_plain),
            &mut || lifetime_ns(&mut our_logged),
            &mut || lifetime_ns(&mut fio_plain),
            &mut || lifetime_ns(&mut fio_logged),
        ],
    )?;
    let overhead = |plain: f64, logged: f64| ((logged - plain) / IOS as f64).max(0.1);
    let overheads: Vec<[f64; 2]> = rounds
        .iter()
        .map(|[our_plain, our_logged, fio_plain, fio_logged]| {
            [overhead(*our_plain, *our_logged), overhead(*fio_plain, *fio_logged)]
        })
        .collect();
    Ok(vec![time_line("log, per I/O", "fio", &overheads, 0, 1).at_most(0.5)])
}
