//! A log that is made durable line by line, as by services that must not lose entries.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};

use cardiograph_core::app::Operation;
use cardiograph_core::rng::Rng;
use cardiograph_core::{Action, Direction, KIB, message};

use crate::cache::drop_file;
use crate::error::{AppError, ErrorContext};
use crate::load::AppLoad;
use crate::stage::Stage;

/// Minimum length written per durable line: its last page.
const LINE_WRITE_BYTES: u64 = 4 * KIB;

/// Line `number` of this seed's log, in the format of a web server.
fn line(seed: u64, number: u64) -> String {
    let mut rng = Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let address: [u64; 4] = std::array::from_fn(|_| rng.below(256));
    let [a, b, c, d] = address;
    let (length, session) = (rng.below(100_000), rng.next_u64());
    format!(
        "{number:010} {a}.{b}.{c}.{d} \"GET /item/{} HTTP/1.1\" 200 {length} {session:016x}{:016x}\n",
        rng.below(10_000),
        rng.next_u64()
    )
}

pub(crate) const LOAD: AppLoad = AppLoad {
    name: "log-fsync",
    summary: message!("app-summary.log-fsync"),
    parameters: &[],
    names: &["service.log"],
    run,
};

fn run(stage: &Stage) -> Result<(), AppError> {
    let path = stage.path("service.log");
    let mut file =
        OpenOptions::new().append(true).create_new(true).open(&path).context(Action::Create, &path)?;
    let lines_max = stage.write_bytes_max / LINE_WRITE_BYTES;
    let part = stage.begin("lines", Operation::Line, Direction::Write, 1.0);
    let mut lines = 0;
    while lines < lines_max && !part.is_over() {
        let text = line(stage.content_seed, lines);
        let began_ns = part.now_ns();
        file.write_all(text.as_bytes()).context(Action::Write, &path)?;
        file.sync_data().context(Action::Sync, &path)?;
        part.done(began_ns, text.len() as u64);
        lines += 1;
    }
    part.end();
    drop(file);
    drop_file(&path)?;
    let mut reader = BufReader::new(File::open(&path).context(Action::Open, &path)?);
    let mut found = String::new();
    for number in 0..lines {
        found.clear();
        reader.read_line(&mut found).context(Action::Read, &path)?;
        if found != line(stage.content_seed, number) {
            return Err(AppError::content(&path, message!("app-content-found.line", number)));
        }
        if number % 1_024 == 0 {
            stage.beat();
        }
    }
    Ok(())
}
